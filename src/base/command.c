/* SPDX-License-Identifier: MIT */
#include "base/command.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

void hk_command_add(hk_command *command, const char *word) {
    HK_PUSH(command->words, command->count, command->cap, word);
}

void hk_command_add_words(hk_command *command, hk_arena *arena, const char *text) {
    for (text += strspn(text, " \t\r\n"); *text; text += strspn(text, " \t\r\n")) {
        size_t length = strcspn(text, " \t\r\n");
        hk_command_add(command, hk_arena_strndup(arena, text, length));
        text += length;
    }
}

void hk_command_add_file(hk_command *command, hk_arena *arena, const char *name) {
    bool odd = *name == '-' || *name == '@';
    hk_command_add(command, odd ? hk_arena_printf(arena, "./%s", name) : name);
}

static _Noreturn void run_child(const hk_command *command, const char *folder, const char *out,
                                const char *log, pid_t parent) {
    int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int to = out ? open(out, O_WRONLY | O_CREAT | O_TRUNC, 0666) : fd;
    int none = open("/dev/null", O_RDONLY);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (fd < 0 || to < 0 || none < 0 || dup2(none, STDIN_FILENO) < 0 ||
        dup2(to, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0 || getppid() != parent ||
        (folder && chdir(folder) != 0))
        _exit(HK_COMMAND_NONE);
    setenv("LC_ALL", "C", 1); /* messages are read by program, too */
    union {
        const char **from;
        char *const *to;
    } words = {command->words};
    if (command->deadline_ns)
        setpgid(0, 0); /* what it started ends with it */
    execvp(command->words[0], words.to);
    _exit(HK_COMMAND_NONE);
}

/* Below 0: no process could be made. */
static pid_t begin(hk_command *command, const char *folder, const char *out, const char *log) {
    HK_ASSERT(command->count > 0);
    hk_command_add(command, NULL);
    fflush(NULL);
    pid_t self = getpid(), child = fork();
    if (child == 0)
        run_child(command, folder, out, log, self);
    command->count--;
    return child;
}

static int code_of(int state) {
    return WIFEXITED(state) ? WEXITSTATUS(state) : 256 + state;
}

/* True once the child has ended, and what it started, because it is late or by itself. */
static bool has_ended(const hk_command *command, pid_t child, int *ret_code) {
    int state = 0;
    pid_t done = waitpid(child, &state, WNOHANG);
    if (done == child)
        *ret_code = code_of(state);
    if (done == child || !command->deadline_ns || hk_clock_ns() < command->deadline_ns)
        return done == child || (done < 0 && errno != EINTR);
    kill(-child, SIGKILL);
    kill(child, SIGKILL); /* it may not lead its group yet */
    while (waitpid(child, &state, 0) < 0 && errno == EINTR)
        continue;
    *ret_code = HK_COMMAND_LATE;
    return true;
}

static void nap(long ms) {
    const struct timespec time = {.tv_nsec = ms * 1000000};
    nanosleep(&time, NULL);
}

int hk_command_run(hk_command *command, const char *folder, const char *out, const char *log) {
    int state = 0, code = -1;
    pid_t child = begin(command, folder, out, log);
    if (child < 0)
        return -1;
    if (command->deadline_ns) {
        while (!has_ended(command, child, &code))
            nap(5);
        return code;
    }
    while (waitpid(child, &state, 0) < 0 && errno == EINTR)
        continue;
    return code_of(state);
}

typedef struct running {
    hk_task *task; /* NULL: none */
    pid_t child;
} running;

/* Begins TASK in a place that is free; false if there is none. */
static bool begin_task(running *all, unsigned size, hk_task *task, const char *folder) {
    for (unsigned i = 0; i < size; i++) {
        if (all[i].task)
            continue;
        pid_t child = begin(&task->command, folder, NULL, task->log);
        task->code = child < 0 ? -1 : 0;
        if (child >= 0)
            all[i] = (running){task, child};
        return true;
    }
    return false;
}

/* Takes those out that have ended; returns how many these are. */
static size_t end_tasks(running *all, unsigned size) {
    size_t ended = 0;
    for (unsigned i = 0; i < size; i++) {
        if (!all[i].task || !has_ended(&all[i].task->command, all[i].child, &all[i].task->code))
            continue;
        all[i].task = NULL;
        ended++;
    }
    return ended;
}

static size_t first_failed(const hk_task *tasks, size_t count) {
    size_t i = 0;
    while (i < count && tasks[i].code == 0)
        i++;
    return i;
}

size_t hk_tasks_run(hk_task *tasks, size_t count, unsigned at_once, const char *folder,
                    hk_tasks_fn *tell, void *user) {
    unsigned size = at_once ? at_once : 1;
    running *all = hk_alloc(size * sizeof *all);
    size_t begun = 0, ended = 0;
    for (size_t i = 0; i < count; i++)
        tasks[i].code = 0;
    while (ended < begun || (begun < count && first_failed(tasks, begun) == begun)) {
        while (begun < count && first_failed(tasks, begun) == begun &&
               begin_task(all, size, &tasks[begun], folder)) {
            ended += tasks[begun].code != 0;
            begun++;
        }
        size_t now = end_tasks(all, size);
        ended += now;
        if (!now && ended < begun)
            nap(1);
        else if (tell)
            tell(user, ended);
    }
    hk_free(all);
    return first_failed(tasks, begun) == begun ? count : first_failed(tasks, begun);
}

void hk_command_finish(hk_command *command) {
    hk_free(command->words);
    *command = (hk_command){0};
}

const char *hk_command_find(hk_arena *arena, const char *name) {
    const char *folders = getenv("PATH");
    while (folders && *folders) {
        size_t length = strcspn(folders, ":");
        const char *file = hk_arena_printf(arena, "%.*s/%s", (int)length, folders, name);
        if (length && access(file, X_OK) == 0)
            return file;
        folders += length + (folders[length] == ':');
    }
    return NULL;
}

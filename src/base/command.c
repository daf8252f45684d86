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

/* Ends the child, and what it started, once it is late. */
static bool wait_until(pid_t child, int64_t deadline_ns, int *ret_state) {
    const struct timespec nap = {.tv_nsec = 5000000};
    pid_t done;
    while ((done = waitpid(child, ret_state, WNOHANG)) == 0 || (done < 0 && errno == EINTR)) {
        if (hk_clock_ns() >= deadline_ns) {
            kill(-child, SIGKILL);
            kill(child, SIGKILL); /* it may not lead its group yet */
            while (waitpid(child, ret_state, 0) < 0 && errno == EINTR)
                continue;
            return false;
        }
        nanosleep(&nap, NULL);
    }
    return true;
}

int hk_command_run(hk_command *command, const char *folder, const char *out, const char *log) {
    int state = 0;
    HK_ASSERT(command->count > 0);
    hk_command_add(command, NULL);
    fflush(NULL);
    pid_t self = getpid(), child = fork();
    if (child == 0)
        run_child(command, folder, out, log, self);
    command->count--;
    if (child < 0)
        return -1;
    if (command->deadline_ns && !wait_until(child, command->deadline_ns, &state))
        return HK_COMMAND_LATE;
    while (!command->deadline_ns && waitpid(child, &state, 0) < 0 && errno == EINTR)
        continue;
    return WIFEXITED(state) ? WEXITSTATUS(state) : 256 + state;
}

void hk_command_finish(hk_command *command) {
    hk_free(command->words);
    *command = (hk_command){0};
}

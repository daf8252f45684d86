/* SPDX-License-Identifier: MIT
 *
 * Runs spin on a model in a temporary folder: spin makes a program, the C compiler builds it, and
 * it looks at every state. If it finds an error, its trail is followed for the calls that led
 * there. */
#include "report/prove.h"

#include "base/clock.h"
#include "base/command.h"
#include "base/compiler.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { TOO_LONG = 124, NO_PROGRAM = 127 };

/* What is to be run, and until when (CLOCK_MONOTONIC; 0: as long as it takes). */
typedef struct work {
    const char *folder;
    int64_t deadline_ns;
} work;

/* ---- processes ------------------------------------------------------------------------------- */

/* A command has children of its own (a compiler is several programs). So each gets a group with a
 * keeper in it, which ends the whole group when the time is over, when it is told to, or when this
 * process dies, however that happens. */
static volatile sig_atomic_t group, stopped_by;

static void end_own_group(int number) {
    (void)number;
    kill(0, SIGKILL);
}

static void end_group_of_command(int number) {
    stopped_by = number;
    if (group > 0)
        kill(-(pid_t)group, SIGKILL);
}

static void listen_to(int number, void (*handler)(int), struct sigaction *before) {
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, before);
}

static void exec_in(const char *folder, const char *const *words) {
    int fd = chdir(folder) == 0 ? open("out", O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0)
        _exit(NO_PROGRAM);
    union {
        const char *const *from;
        char *const *to;
    } all = {words};
    execvp(words[0], all.to);
    _exit(NO_PROGRAM);
}

static void set_alarm(int64_t left_ns) {
    int64_t us = left_ns > 1000 ? left_ns / 1000 : 1;
    struct itimerval timer = {
        .it_value = {.tv_sec = (time_t)(us / 1000000), .tv_usec = (suseconds_t)(us % 1000000)}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

/* The life of a keeper; PARENT is the process it must not outlive. */
static void keep(const work *w, const char *const *words, pid_t parent) {
    static const int heard[] = {SIGTERM, SIGINT, SIGHUP, SIGALRM};
    setpgid(0, 0);
    for (size_t i = 0; i < sizeof heard / sizeof *heard; i++)
        listen_to(heard[i], end_own_group, NULL);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
    if (getppid() != parent)
        _exit(NO_PROGRAM);
    pid_t child = fork();
    if (child == 0) {
        for (size_t i = 0; i < sizeof heard / sizeof *heard; i++)
            listen_to(heard[i], SIG_DFL, NULL);
        exec_in(w->folder, words);
    }
    if (w->deadline_ns)
        set_alarm(w->deadline_ns - hk_clock_ns());
    int state = -1;
    while (child > 0 && waitpid(child, &state, 0) < 0 && errno == EINTR)
        continue;
    _exit(child > 0 && WIFEXITED(state) ? WEXITSTATUS(state) : NO_PROGRAM);
}

/* The exit status of a command in the folder; what it says goes to the file "out" there. */
static int run(const work *w, const char *const *words) {
    pid_t self = getpid(), keeper = w->deadline_ns && hk_clock_ns() >= w->deadline_ns ? -2 : fork();
    if (keeper == 0)
        keep(w, words, self);
    if (keeper == -2)
        return TOO_LONG;
    if (keeper < 0)
        return NO_PROGRAM;
    setpgid(keeper, keeper); /* both do it, so that it is done before either goes on */
    group = (sig_atomic_t)keeper;
    if (stopped_by)
        kill(-keeper, SIGKILL);
    siginfo_t info;
    while (waitid(P_PID, (id_t)keeper, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
        continue;
    group = 0;
    kill(-keeper, SIGKILL); /* what a command may have left running */
    int state = -1;
    while (waitpid(keeper, &state, 0) < 0 && errno == EINTR)
        continue;
    if (WIFEXITED(state))
        return WEXITSTATUS(state);
    return w->deadline_ns && hk_clock_ns() >= w->deadline_ns ? TOO_LONG : NO_PROGRAM;
}

/* ---- answers --------------------------------------------------------------------------------- */

static void read_answer(const char *text, hk_spin *spin) {
    const char *errors = strstr(text, "errors: "), *states = strstr(text, " states, stored");
    if (!errors)
        return;
    spin->answered = true;
    spin->errors = strtol(errors + 8, NULL, 10);
    while (states && states > text && states[-1] >= '0' && states[-1] <= '9')
        states--;
    spin->states = states ? strtol(states, NULL, 10) : 0;
}

/* The model prints "call N" for each call when a trail is followed. */
static void read_trail(hk_arena *arena, const char *text, hk_spin *spin) {
    size_t most = 0, count = 0;
    for (const char *c = text; (c = strstr(c, "call ")); c++)
        most++;
    size_t *calls = HK_NEW_ARRAY(arena, size_t, most + 1);
    for (const char *c = text; (c = strstr(c, "call ")); c++)
        if (c == text || c[-1] == '\n' || c[-1] == ' ' || c[-1] == '\t')
            calls[count++] = (size_t)strtoul(c + 5, NULL, 10);
    spin->calls = calls;
    spin->call_count = count;
}

static hk_status follow_trail(hk_ctx *ctx, hk_arena *arena, const work *w, hk_spin *spin) {
    const char *const followed[] = {"./pan", "-r", "-n", NULL};
    char *text = NULL;
    size_t size = 0;
    int code = run(w, followed);
    if (code == NO_PROGRAM || code == TOO_LONG)
        return HK_OK;
    HK_TRY(hk_file_read(ctx, hk_path_join(arena, w->folder, "out"), 0, &text, &size));
    read_trail(arena, text, spin);
    hk_free(text);
    return HK_OK;
}

static hk_status look(hk_ctx *ctx, hk_arena *arena, const work *w, hk_spin *spin) {
    const char *const looked[] = {"./pan", "-m2000000", "-n", NULL};
    char *text = NULL;
    size_t size = 0;
    spin->late = run(w, looked) == TOO_LONG;
    HK_TRY(hk_file_read(ctx, hk_path_join(arena, w->folder, "out"), 0, &text, &size));
    read_answer(text, spin);
    hk_free(text);
    return spin->answered && spin->errors ? follow_trail(ctx, arena, w, spin) : HK_OK;
}

static hk_status check_model(hk_ctx *ctx, hk_arena *arena, const work *w, const char *promela,
                             hk_spin *spin) {
    HK_TRY(
        hk_file_write(ctx, hk_path_join(arena, w->folder, "master.pml"), promela, strlen(promela)));
    const char *vector = hk_arena_printf(arena, "-DVECTORSZ=%d", HK_SPIN_VECTOR);
    const char *const made[] = {"spin", "-a", "master.pml", NULL};
    const char *const flags[] = {"-O1", "-w", "-DSAFETY", vector, "-o", "pan", "pan.c", NULL};
    hk_command built = {0};
    hk_command_add_words(&built, arena, hk_compiler_words("CC", "cc"));
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        hk_command_add(&built, flags[i]);
    int code = run(w, made);
    spin->missing = code == NO_PROGRAM;
    if (code == 0)
        code = run(w, built.words);
    hk_command_finish(&built);
    spin->late = code == TOO_LONG;
    return code == 0 ? look(ctx, arena, w, spin) : HK_OK;
}

/* The handlers, and who they end, are those of the process: one at a time. */
static hk_status run_alone(hk_ctx *ctx, hk_arena *arena, const work *w, const char *promela,
                           hk_spin *ret_spin) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static const int heard[] = {SIGINT, SIGTERM, SIGHUP};
    enum { HEARD = sizeof heard / sizeof *heard };
    struct sigaction before[HEARD];
    pthread_mutex_lock(&lock);
    stopped_by = 0;
    for (size_t i = 0; i < HEARD; i++)
        listen_to(heard[i], end_group_of_command, &before[i]);
    hk_status status = check_model(ctx, arena, w, promela, ret_spin);
    hk_folder_remove(w->folder);
    for (size_t i = 0; i < HEARD; i++)
        sigaction(heard[i], &before[i], NULL);
    int number = stopped_by;
    pthread_mutex_unlock(&lock);
    if (number)
        raise(number); /* now that nothing is left behind */
    return status;
}

hk_status hk_spin_run(hk_ctx *ctx, hk_arena *arena, const char *promela, unsigned limit_s,
                      hk_spin *ret_spin) {
    hk_spin spin = {0};
    work w = {.deadline_ns = limit_s ? hk_clock_ns() + (int64_t)limit_s * 1000000000 : 0};
    HK_TRY(hk_folder_temporary(ctx, arena, &w.folder));
    HK_TRY(run_alone(ctx, arena, &w, promela, &spin));
    *ret_spin = spin;
    return HK_OK;
}

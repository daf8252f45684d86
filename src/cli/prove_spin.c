/* SPDX-License-Identifier: MIT
 *
 * Runs spin on a model in a temporary folder: spin makes a program, the C compiler builds it, and
 * it looks at every state. If it finds an error, its trail is followed for the calls that led
 * there. */
#include "cli/prove.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TOO_LONG = 124, NO_PROGRAM = 127 };

/* The exit status of a command in a folder; what it says goes to the file "out" there. */
static int run(const char *folder, const char *const *words, unsigned limit_s) {
    pid_t child = fork();
    if (child == 0) {
        int fd = chdir(folder) == 0 ? open("out", O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
        if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0)
            _exit(NO_PROGRAM);
        if (limit_s)
            (void)setrlimit(RLIMIT_CPU, &(struct rlimit){limit_s, limit_s + 1});
        union {
            const char *const *from;
            char *const *to;
        } all = {words};
        execvp(words[0], all.to);
        _exit(NO_PROGRAM);
    }
    int state = -1;
    while (child > 0 && waitpid(child, &state, 0) < 0 && errno == EINTR)
        continue;
    if (child > 0 && WIFSIGNALED(state) && WTERMSIG(state) == SIGXCPU)
        return TOO_LONG;
    return child > 0 && WIFEXITED(state) ? WEXITSTATUS(state) : NO_PROGRAM;
}

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
static void read_trail(hk_cli *cli, const char *text, hk_spin *spin) {
    size_t most = 0, count = 0;
    for (const char *c = text; (c = strstr(c, "call ")); c++)
        most++;
    size_t *calls = HK_NEW_ARRAY(cli->arena, size_t, most + 1);
    for (const char *c = text; (c = strstr(c, "call ")); c++)
        if (c == text || c[-1] == '\n' || c[-1] == ' ' || c[-1] == '\t')
            calls[count++] = (size_t)strtoul(c + 5, NULL, 10);
    spin->calls = calls;
    spin->call_count = count;
}

static hk_status follow_trail(hk_cli *cli, const char *folder, hk_spin *spin) {
    const char *const followed[] = {"./pan", "-r", "-n", NULL};
    char *text = NULL;
    size_t size = 0;
    if (run(folder, followed, 0) == NO_PROGRAM)
        return HK_OK;
    HK_TRY(hk_file_read(cli->ctx, hk_path_join(cli->arena, folder, "out"), 0, &text, &size));
    read_trail(cli, text, spin);
    hk_free(text);
    return HK_OK;
}

static hk_status look(hk_cli *cli, const char *folder, unsigned limit_s, hk_spin *spin) {
    const char *const looked[] = {"./pan", "-m2000000", "-n", NULL};
    char *text = NULL;
    size_t size = 0;
    spin->late = run(folder, looked, limit_s) == TOO_LONG;
    HK_TRY(hk_file_read(cli->ctx, hk_path_join(cli->arena, folder, "out"), 0, &text, &size));
    read_answer(text, spin);
    hk_free(text);
    return spin->answered && spin->errors ? follow_trail(cli, folder, spin) : HK_OK;
}

hk_status hk_spin_run(hk_cli *cli, const char *promela, unsigned limit_s, hk_spin *ret_spin) {
    const char *folder;
    hk_spin spin = {0};
    HK_TRY(hk_folder_temporary(cli->ctx, cli->arena, &folder));
    hk_status status = hk_file_write(cli->ctx, hk_path_join(cli->arena, folder, "master.pml"),
                                     promela, strlen(promela));
    const char *cc = getenv("CC") && *getenv("CC") ? getenv("CC") : "cc";
    const char *vector = hk_arena_printf(cli->arena, "-DVECTORSZ=%d", HK_SPIN_VECTOR);
    const char *const made[] = {"spin", "-a", "master.pml", NULL};
    const char *const built[] = {cc, "-O1", "-w", "-DSAFETY", vector, "-o", "pan", "pan.c", NULL};
    int code = status == HK_OK ? run(folder, made, 0) : 0;
    spin.missing = code == NO_PROGRAM;
    if (status == HK_OK && code == 0 && run(folder, built, 0) == 0)
        status = look(cli, folder, limit_s, &spin);
    hk_folder_remove(folder);
    if (status == HK_OK)
        *ret_spin = spin;
    return status;
}

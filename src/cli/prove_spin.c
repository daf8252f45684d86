/* SPDX-License-Identifier: MIT
 *
 * Runs spin on a model in a temporary folder: spin makes a program, the C compiler builds it, and
 * it looks at every state. */
#include "cli/prove.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NO_PROGRAM = 127 };

/* The exit status of a command in a folder; what it says goes to the file "out" there. */
static int run(const char *folder, const char *const *words) {
    pid_t child = fork();
    if (child == 0) {
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
    int state = -1;
    while (child > 0 && waitpid(child, &state, 0) < 0 && errno == EINTR)
        continue;
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

hk_status hk_spin_run(hk_cli *cli, const char *promela, hk_spin *ret_spin) {
    const char *folder;
    hk_spin spin = {0};
    char *text = NULL;
    size_t size = 0;
    HK_TRY(hk_folder_temporary(cli->ctx, cli->arena, &folder));
    hk_status status = hk_file_write(cli->ctx, hk_path_join(cli->arena, folder, "master.pml"),
                                     promela, strlen(promela));
    const char *cc = getenv("CC") && *getenv("CC") ? getenv("CC") : "cc";
    const char *const made[] = {"spin", "-a", "master.pml", NULL};
    const char *const built[] = {cc, "-O1", "-w", "-DSAFETY", "-o", "pan", "pan.c", NULL};
    const char *const looked[] = {"./pan", "-m2000000", "-n", NULL};
    int code = status == HK_OK ? run(folder, made) : 0;
    spin.missing = code == NO_PROGRAM;
    if (status == HK_OK && code == 0 && run(folder, built) == 0) {
        (void)run(folder, looked);
        status = hk_file_read(cli->ctx, hk_path_join(cli->arena, folder, "out"), 0, &text, &size);
        if (status == HK_OK)
            read_answer(text, &spin);
        hk_free(text);
    }
    hk_folder_remove(folder);
    if (status == HK_OK)
        *ret_spin = spin;
    return status;
}

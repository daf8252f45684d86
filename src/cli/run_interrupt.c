/* SPDX-License-Identifier: MIT
 *
 * `hocket run`: Ctrl-C. */
#include "cli/run.h"

#include <string.h>
#include <unistd.h>

static const int numbers[] = {SIGINT, SIGTERM};
enum { COUNT = sizeof numbers / sizeof *numbers };
static struct sigaction before[COUNT];
static pid_t owner; /* workers are told by the same key, and one line is enough */
static bool silent, redraws;

void hk_run_watch(const hk_cli *cli, void (*handler)(int number)) {
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    owner = getpid();
    silent = cli->quiet || cli->json;
    redraws = hk_stderr_is_terminal();
    for (int i = 0; i < COUNT; i++)
        sigaction(numbers[i], handler ? &action : &before[i], handler ? &before[i] : NULL);
}

void hk_run_say_interrupted(void) {
    static const char line[] =
        "\r\033[Khocket: interrupted: the run ends when the call under way does; again: at once\n";
    const char *text = redraws ? line : line + strlen("\r\033[K");
    if (silent || getpid() != owner)
        return;
    ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
    (void)ignored;
}

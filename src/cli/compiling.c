/* SPDX-License-Identifier: MIT
 *
 * What the verbs share that start a compiler. */
#include "cli/cli.h"

#include "base/file.h"
#include "fmi/build.h"

#include <signal.h>
#include <string.h>

void hk_put_said(void *user, const char *text) {
    hk_cli *cli = user;
    for (const char *line = text; *line; line += *line == '\n') {
        size_t length = strcspn(line, "\n");
        const char *one = hk_arena_strndup(cli->arena, line, length);
        if (cli->json) {
            hk_note(cli->ctx, HK_NOWHERE, "%s", one);
        } else {
            hk_put_clean(stderr, one);
            fputc('\n', stderr);
        }
        line += length;
    }
}

const char *hk_library_text(hk_arena *arena, const hk_library *l) {
    if (!l->compiler)
        return hk_arena_printf(arena,
                               "%s carries no note of how it was compiled: 'hocket build' and "
                               "hocket_add_plugin of CMake make plugins with one",
                               l->file);
    const char *text = hk_arena_printf(arena, "%s by %s, %s", l->file, l->compiler, l->flags);
    if (l->cxx_compiler)
        text = hk_arena_printf(arena, "%s; C++ by %s, %s", text, l->cxx_compiler, l->cxx_flags);
    return text;
}

static void on_stop(int number) {
    hk_folder_remove_temporary();
    signal(number, SIG_DFL);
    raise(number);
}

void hk_take_build(const hk_args *args, int64_t deadline_ns) {
    static hk_fmu_build_options options; /* stays as long as the process */
    if (!hk_args_has(args, "build"))
        return;
    options.deadline_ns = deadline_ns;
    hk_remove_temporary_when_stopped();
    hk_fmu_set_build(&options);
}

void hk_remove_temporary_when_stopped(void) {
    static const int stops[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_stop}, before;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++)
        if (sigaction(stops[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(stops[i], &action, NULL); /* what is ignored stays so: nohup */
}

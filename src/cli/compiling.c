/* SPDX-License-Identifier: MIT
 *
 * What the verbs share that start a compiler. */
#include "cli/compiling.h"

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
    static const int stops[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU};
    struct sigaction action = {.sa_handler = on_stop}, before;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++)
        if (sigaction(stops[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(stops[i], &action, NULL); /* what is ignored stays so: nohup */
}

/* On a terminal the line is drawn again for each file; elsewhere one line is enough. */
static void show_files(void *user, size_t done, size_t all) {
    const hk_compiling *c = user;
    if (c->mode == HK_PROGRESS_JSON)
        fprintf(stderr, "{\"compiling\":{\"files\":%zu,\"of\":%zu}}\n", done, all);
    else if (c->mode == HK_PROGRESS_LINE && done < all)
        fprintf(stderr, "\r\033[Kcompiling %zu file%s ... %zu", all, hk_plural(all), done);
    else if (c->mode == HK_PROGRESS_LINE)
        fputs("\r\033[K", stderr);
    else if (c->mode == HK_PROGRESS_TENTHS && !done)
        fprintf(stderr, "compiling %zu file%s ...\n", all, hk_plural(all));
    c->cli->redrawn_line = c->mode == HK_PROGRESS_LINE && done < all;
    (void)fflush(stderr);
}

static void show_said(void *user, const char *text) {
    hk_put_said(((const hk_compiling *)user)->cli, text);
}

void hk_compiling_begin(hk_cli *cli, const char *choice, hk_compiling *compiling) {
    *compiling = (hk_compiling){.cli = cli,
                                .mode = hk_progress_start(cli, choice, 1, 0).mode,
                                .options = {.said = show_said, .user = compiling}};
    if (compiling->mode != HK_PROGRESS_NONE)
        compiling->options.progress = show_files;
}

void hk_compiling_end(hk_compiling *compiling) {
    if (compiling->options.folder)
        hk_folder_remove(compiling->options.folder);
    *compiling = (hk_compiling){0};
}

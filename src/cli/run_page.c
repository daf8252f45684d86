/* SPDX-License-Identifier: MIT
 *
 * --report: what happened, as a page. */
#include "base/file.h"
#include "cli/run.h"
#include "report/page_report.h"
#include "report/run_report.h"

#include <string.h>

hk_status hk_run_check_page(hk_cli *cli, const hk_args *args) {
    const char *path = hk_args_value(args, "report");
    return path ? hk_page_check(cli->ctx, path) : HK_OK;
}

hk_status hk_run_page(hk_run *run, hk_status status) {
    const char *path = hk_args_value(run->args, "report");
    if (!path)
        return HK_OK;
    hk_play_run one = {.status = status,
                       .end_reason = hk_sim_end_reason(run->sim),
                       .time = run->time,
                       .rows = run->recorded.rows,
                       .bytes = run->recorded.bytes,
                       .logs = &run->record,
                       .log_count = run->recorded.bytes > 0};
    const hk_play_report report = {
        .runs = &one, .run_count = 1, .asked = 1, .all_held = status == HK_OK};
    const char *const files[] = {run->plotted, run->saved, run->traced,
                                 run->left.count ? run->checkpoints.path : NULL,
                                 run->log.open ? run->log.file.path : NULL};
    const hk_page page = {.title = run->model->name,
                          .file = run->file,
                          .model = run->model,
                          .version = run->cli->build->version,
                          .command = hk_run_repetition(run),
                          .status = status,
                          .of = &report,
                          .private = run->record_is_private,
                          .files = files,
                          .file_count = sizeof files / sizeof *files};
    HK_TRY(hk_page_write(run->cli->ctx, &page, path));
    run->reported = path;
    hk_written_note(&run->written, path);
    return HK_OK;
}

/* ---- of a simulation ---- */

/* The option has no say in what comes out: it names files that are written, what is shown, and how
 * long one waits. */
static bool is_beside(const hk_option *option) {
    static const char *const names[] = {"output",  "save-state", "checkpoint",
                                        "workers", "progress",   "verbose",
                                        "timeout", "watchdog",   "no-parent"};
    for (size_t i = 0; i < hk_common_options.count; i++)
        if (option == &hk_common_options.options[i])
            return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(option->name, names[i]) == 0)
            return true;
    return option->written;
}

/* The command that gives the same result again: as it was given, and what the environment says. */
static const char *reproduction(hk_cli *cli, const hk_args *args, const hk_assembly *made) {
    hk_arena *arena = cli->arena;
    const char *line = cli->tool ? hk_shell_word(arena, hk_path_name(cli->tool->file))
                                 : hk_arena_printf(arena, "hocket run %s",
                                                   hk_shell_word(arena, args->operands[0]));
    for (size_t i = 0; i < args->given_count; i++) {
        const struct hk_given *given = &args->given[i];
        if (is_beside(given->option))
            continue;
        line = hk_arena_printf(arena, "%s --%s", line, given->option->name);
        if (given->value)
            line = hk_arena_printf(arena, "%s=%s", line, hk_shell_word(arena, given->value));
    }
    for (size_t i = 0; i < made->settings.count; i++) {
        const struct hk_settings_row *row = &made->settings.rows[i];
        if (strncmp(row->from ? row->from : "", "HK_", 3) == 0)
            line = hk_arena_printf(arena, "%s --%s=%s", line, row->name,
                                   hk_shell_word(arena, row->value));
    }
    return line;
}

hk_status hk_play_page(hk_cli *cli, const hk_args *args, const hk_assembly *made,
                       const hk_play_report *report, hk_status status) {
    const char *path = hk_args_value(args, "report");
    if (!path || status == HK_E_INTERRUPTED)
        return HK_OK;
    const hk_simulation *simulation = made->simulation;
    const char *trace = hk_args_value(args, "trace");
    const hk_play_run *first = report->run_count ? report->runs : NULL;
    const char *const files[] = {
        hk_args_value(args, "plot"), trace && strcmp(trace, "-") != 0 ? trace : NULL,
        first ? first->state : NULL, first && first->left.count ? first->checkpoint : NULL};
    const hk_page page = {.title = simulation->name,
                          .file = args->operands[0],
                          .model = made->model,
                          .seed = &simulation->seed,
                          .version = cli->build->version,
                          .command = reproduction(cli, args, made),
                          .status = status,
                          .of = report,
                          .files = files,
                          .file_count = sizeof files / sizeof *files};
    return hk_page_write(cli->ctx, &page, path);
}

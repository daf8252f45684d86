/* SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include "base/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Runs shorter than QUIET_NS say nothing before their summary. */
enum { QUIET_NS = 300000000, REDRAW_NS = 90000000 };

hk_progress hk_progress_start(const hk_cli *cli, const char *choice, double step_s, double t) {
    hk_progress p = {.program = hk_program_name(cli),
                     .color = cli->color_err,
                     .step_s = step_s,
                     .started_ns = hk_clock_ns(),
                     .started_at = t};
    const char *ci = getenv("CI");
    if (choice && strcmp(choice, "json") == 0)
        p.mode = HK_PROGRESS_JSON;
    else if ((choice && strcmp(choice, "none") == 0) || cli->quiet || cli->json || (ci && *ci))
        p.mode = HK_PROGRESS_NONE;
    else
        p.mode = hk_stderr_is_terminal() ? HK_PROGRESS_LINE : HK_PROGRESS_TENTHS;
    return p;
}

/* What the line says, as numbers. */
typedef struct figures {
    double part, factor, steps_per_s, remaining_s;
} figures;

static figures figures_of(const hk_progress *p, double t, double start, double stop) {
    double wall = (double)(hk_clock_ns() - p->started_ns) * 1e-9;
    double done = t - p->started_at;
    figures f = {.part = stop > start ? (t - start) / (stop - start) : 1};
    f.factor = wall > 0 ? done / wall : 0;
    f.steps_per_s = p->step_s > 0 ? f.factor / p->step_s : 0;
    f.remaining_s = f.factor > 0 ? (stop - t) / f.factor : -1;
    return f;
}

static void update_json(const figures *f, double t, double stop) {
    hk_json json;
    hk_json_begin_object(&json, stderr);
    hk_json_f64(&json, "progress", f->part);
    hk_json_f64(&json, "time", t);
    hk_json_f64(&json, "stop", stop);
    hk_json_f64(&json, "real_time_factor", f->factor);
    hk_json_f64(&json, "steps_per_s", f->steps_per_s);
    hk_json_f64(&json, "remaining_s", f->remaining_s);
    hk_json_end(&json);
    fflush(stderr);
}

void hk_progress_update(void *user, double t, double start, double stop) {
    hk_progress *p = user;
    int64_t now_ns = hk_clock_ns();
    if (p->mode == HK_PROGRESS_NONE || now_ns - p->started_ns < QUIET_NS ||
        now_ns - p->drawn_ns < REDRAW_NS)
        return;
    p->drawn_ns = now_ns;
    figures f = figures_of(p, t, start, stop);
    if (p->mode == HK_PROGRESS_JSON) {
        update_json(&f, t, stop);
        return;
    }
    int tenth = (int)floor(f.part * 10);
    if (p->mode == HK_PROGRESS_TENTHS && (tenth <= p->tenths || tenth >= 10))
        return;
    p->tenths = tenth;
    hk_arena *arena = hk_arena_create();
    const char *remaining = f.remaining_s >= 0 ? hk_show_seconds(arena, f.remaining_s) : "?";
    bool redrawn = p->mode == HK_PROGRESS_LINE;
    fprintf(stderr, "%s%s%3d %%  %s / %s s  %sx real time  %s steps/s  %s left%s",
            redrawn ? "\r\033[K" : p->program, redrawn ? "" : ": ",
            redrawn ? (int)floor(f.part * 100) : tenth * 10, hk_show_rounded(arena, t, 6),
            hk_show_f64(arena, stop), hk_show_rounded(arena, f.factor, 3),
            hk_show_count(arena, (uint64_t)(f.steps_per_s > 0 ? f.steps_per_s : 0)), remaining,
            redrawn ? "" : "\n");
    fflush(stderr);
    hk_arena_destroy(arena);
}

void hk_progress_end(hk_progress *progress) {
    if (progress->mode == HK_PROGRESS_LINE) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    progress->mode = HK_PROGRESS_NONE;
}

void hk_progress_clear(hk_cli *cli) {
    if (cli->redrawn_line)
        fputs("\r\033[K", stderr);
    (void)fflush(stderr);
    cli->redrawn_line = false;
}

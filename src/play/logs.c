/* SPDX-License-Identifier: MIT
 *
 * Logs of a run: one recorder each. The engine has one sink, with rows at the greatest common
 * divisor of all periods (at every step, if something is expected); each log takes its own part of
 * those rows that lie on its own period. A log that is alone is filled by the engine in place. */
#include "play/play_internal.h"

#include <string.h>

static bool is_callers(const hk_playing *p, const hk_scene_log *l) {
    return !l->log && p->stage->options->record.sink.row_begin;
}

static hk_sink sink_of(const hk_playing *p, size_t log) {
    return is_callers(p, &p->scene->logs[log]) ? p->stage->options->record.sink
                                               : hk_recorder_sink(p->recorders[log]);
}

static bool is_written(const hk_playing *p, const hk_scene_log *l) {
    return !l->log || !p->stage->options->no_logs;
}

/* The rows that the engine adds at an end between two rows are none of a log's; the record has
 * them. */
static bool is_due(const hk_playing *p, const hk_scene_log *l) {
    return !l->log ||
           (is_written(p, l) && (hk_sim_now(p->sim) - p->stage->plan->start) % l->period == 0);
}

static void *alone_begin(void *user) {
    const hk_playing *p = user;
    hk_sink to = sink_of(p, 0);
    return to.row_begin(to.user);
}

static bool alone_end(void *user, double time) {
    const hk_playing *p = user;
    hk_sink to = sink_of(p, 0);
    return !is_due(p, &p->scene->logs[0]) || to.row_end(to.user, time);
}

static void *several_begin(void *user) {
    return ((hk_playing *)user)->row;
}

static bool several_end(void *user, double time) {
    hk_playing *p = user;
    bool taken = true;
    hk_judge(p, hk_sim_now(p->sim));
    for (size_t i = 0; i < p->scene->log_count; i++) {
        const hk_scene_log *l = &p->scene->logs[i];
        if (!is_due(p, l))
            continue;
        hk_sink to = sink_of(p, i);
        void *row = to.row_begin(to.user);
        if (row)
            memcpy(row, p->row + l->offset, l->row_size);
        taken = row && to.row_end(to.user, time) && taken;
    }
    return taken;
}

void hk_play_flush_from_signal(void *live) {
    const hk_play_live *l = live;
    for (sig_atomic_t i = 0; i < l->count; i++)
        hk_recorder_flush_from_signal(l->recorders[i]);
}

static void show_live(const hk_playing *p, size_t count) {
    hk_play_live *live = p->stage->options->live;
    if (!live)
        return;
    live->count = 0;
    live->recorders = p->recorders;
    live->count = (sig_atomic_t)count;
}

hk_status hk_logs_open(hk_playing *p, hk_play_run *run, hk_sim_options *options) {
    const hk_scene *scene = p->scene;
    size_t n = scene->log_count, written = 0;
    p->recorders = HK_NEW_ARRAY(p->scratch, hk_recorder *, n + 1);
    const char **paths = HK_NEW_ARRAY(p->arena, const char *, n + 1);
    const hk_model *model = p->stage->simulation->model;
    hk_about begun = {
        .system = model->name, .model = model, .scenario = run->scenario, .run = run->index};
    for (size_t i = 0; i < n; i++) {
        const hk_scene_log *l = &scene->logs[i];
        if (is_callers(p, l) || !is_written(p, l))
            continue;
        const char *path = hk_log_path(p->arena, p->stage->simulation, p->stage->options,
                                       scene->scenario, l->log, p->index);
        paths[written++] = path;
        HK_TRY(hk_recorder_open(p->ctx, path, l->columns, l->count, l->row_size,
                                &(hk_recorder_options){.begun = &begun}, &p->recorders[i]));
    }
    show_live(p, n);
    run->logs = paths;
    run->log_count = written;
    bool expects = scene->scenario->expectation_count > 0;
    if (!n && !scene->rows_for_grid && !expects)
        return HK_OK;
    options->columns = scene->columns;
    options->column_count = scene->column_count;
    p->row = hk_arena_alloc(p->scratch, scene->row_size + 8);
    bool alone = n == 1 && !expects && is_written(p, &scene->logs[0]);
    options->sink =
        alone ? (hk_sink){alone_begin, alone_end, p} : (hk_sink){several_begin, several_end, p};
    return HK_OK;
}

hk_status hk_logs_close(hk_playing *p, hk_play_run *run, const hk_about *about) {
    hk_status status = HK_OK;
    show_live(p, 0);
    for (size_t i = 0; p->recorders && i < p->scene->log_count; i++) {
        hk_recorder_stats stats = {0};
        if (!p->recorders[i])
            continue;
        hk_status closed = hk_recorder_close(p->ctx, p->recorders[i], about, &stats);
        status = status == HK_OK ? closed : status;
        run->rows += stats.rows;
        run->bytes += stats.bytes;
    }
    for (size_t i = 0; status == HK_OK && i < run->log_count; i++)
        hk_record_note(&p->written, run->logs[i]);
    return status;
}

/* SPDX-License-Identifier: MIT
 *
 * Logs of a run: one recorder each, which listens to the run at its own period. */
#include "nodes/watch.h"
#include "play/play_internal.h"

static bool is_written(const hk_playing *p, const hk_scene_log *l) {
    return !p->stage->options->node && (!l->log || !p->stage->options->no_logs);
}

void hk_play_flush_from_signal(void *live) {
    HK_ASSERT(live);
    const hk_play_live *l = live;
    for (sig_atomic_t i = 0; i < l->count; i++)
        hk_recorder_flush_from_signal(l->recorders[i]);
    hk_watch_end_nodes();
}

static void show_live(const hk_playing *p, size_t count) {
    hk_play_live *live = p->stage->options->live;
    if (!live)
        return;
    live->count = 0;
    live->recorders = p->recorders;
    live->count = (sig_atomic_t)count;
}

hk_status hk_logs_open(hk_playing *p, hk_play_run *run) {
    HK_ASSERT(p && run);
    const hk_scene *scene = p->scene;
    size_t n = scene->log_count, written = 0;
    p->recorders = HK_NEW_ARRAY(p->scratch, hk_recorder *, n + 1);
    const char **paths = HK_NEW_ARRAY(p->arena, const char *, n + 1);
    const hk_model *model = p->stage->simulation->model;
    hk_about begun = {
        .system = model->name, .model = model, .scenario = run->scenario, .run = run->index};
    const hk_play_options *o = p->stage->options;
    hk_ratio resumed = {0, 1};
    if (o->resumes)
        HK_TRY(hk_snapshot_time(p->ctx, o->load_state, &resumed));
    for (size_t i = 0; i < n; i++) {
        const hk_scene_log *l = &scene->logs[i];
        if (!is_written(p, l))
            continue;
        const char *path = hk_log_path(p->arena, p->stage->simulation, p->stage->options,
                                       scene->scenario, l->log, p->index);
        paths[written++] = path;
        hk_resumed at = hk_resumed_at(p->stage->plan, resumed, l->period);
        HK_TRY(hk_recorder_open(p->ctx, path, &(hk_row_layout){l->columns, l->count, l->row_size},
                                &(hk_recorder_options){.resumed = o->resumes ? &at : NULL,
                                                       .begun = &begun,
                                                       .thread_later = true},
                                &p->recorders[i]));
    }
    show_live(p, n);
    run->logs = paths;
    run->log_count = written;
    return HK_OK;
}

/* A log that nobody writes is looked at all the same, so that the calls of a run do not depend on
 * it. */
static void *begin_unwritten(void *user) {
    return user;
}

static bool end_unwritten(void *user, double time) {
    (void)user;
    (void)time;
    return true;
}

/* The rows that the engine adds at an end between two rows are not part of a log; the record has
 * them. */
size_t hk_logs_listen(const hk_playing *p, hk_listener *ret_listeners) {
    HK_ASSERT(p && ret_listeners);
    size_t count = 0;
    for (size_t i = 0; i < p->scene->log_count; i++) {
        const hk_scene_log *l = &p->scene->logs[i];
        hk_sink nobody = {begin_unwritten, end_unwritten,
                          hk_arena_alloc(p->scratch, l->row_size + 8)};
        ret_listeners[count++] =
            (hk_listener){.sink = p->recorders[i] ? hk_recorder_sink(p->recorders[i]) : nobody,
                          .columns = l->columns,
                          .column_count = l->count,
                          .interval = l->period,
                          .on_grid = l->log != NULL};
    }
    return count;
}

void hk_logs_start(const hk_playing *p) {
    HK_ASSERT(p);
    for (size_t i = 0; i < p->scene->log_count; i++)
        hk_recorder_start(p->recorders[i]);
}

void hk_logs_flush(void *playing) {
    const hk_playing *p = playing;
    HK_ASSERT(p);
    for (size_t i = 0; i < p->scene->log_count; i++)
        hk_recorder_flush(p->recorders[i]);
}

hk_status hk_logs_close(hk_playing *p, hk_play_run *run, const hk_about *about) {
    HK_ASSERT(p && run);
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

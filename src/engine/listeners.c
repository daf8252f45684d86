/* SPDX-License-Identifier: MIT
 *
 * Those who follow a run. A single one that wants rows is bound to the loop as it is; for several
 * there is one row that holds what each of them wants, side by side, and here it is dealt out. That
 * row comes as often as the greatest common divisor of their intervals; each gets those that lie on
 * its own. */
#include "engine/sim_parts.h"

#include <string.h>

static bool lies_on(const hk_sim *sim, hk_tick interval) {
    return (*sim->time.clock - sim->plan->start) % interval == 0;
}

static bool is_due(const hk_sim *sim, const hk_row_part *part) {
    return part->sink.row_begin &&
           (lies_on(sim, part->interval) || (sim->rows.ends && !part->on_grid));
}

/* ---- rows ---- */

static void *begin_parts(void *user) {
    return ((hk_sim *)user)->rows.parts_row;
}

/* All get the row, also if one of them refuses it. */
static bool end_parts(void *user, double time) {
    hk_sim *sim = user;
    bool taken = true;
    for (const hk_row_part *p = sim->rows.parts; p < HK_AT(sim->rows.parts, sim->rows.part_count);
         p++) {
        if (!is_due(sim, p) || (sim->rows.rescued && !p->settled))
            continue;
        char *row = p->sink.row_begin(p->sink.user);
        if (row && p->size)
            memcpy(row, sim->rows.parts_row + p->offset, p->size);
        taken = row && p->sink.row_end(p->sink.user, time) && taken;
    }
    return taken;
}

static bool end_unseen(void *user, double time) {
    (void)user;
    (void)time;
    return true;
}

/* The columns were laid out, one after the other. */
static size_t row_size(const hk_model *model, const hk_column *columns, size_t count) {
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        HK_ASSERT(columns[i].component < model->component_count);
        HK_ASSERT(columns[i].offset >= size);
        size = columns[i].offset + hk_store_size(columns[i].store);
    }
    return (size + 7) / 8 * 8;
}

/* Where the columns of a listener lie in the row of all; those who want the same share them. */
static size_t place_part(hk_sim *sim, size_t part, hk_column *columns, size_t *row_end) {
    const hk_listener *l = &sim->listening.all[sim->rows.parts[part].listener];
    for (size_t i = 0; i < part; i++) {
        const hk_listener *other = &sim->listening.all[sim->rows.parts[i].listener];
        if (other->columns == l->columns && other->column_count == l->column_count)
            return sim->rows.parts[i].offset;
    }
    size_t offset = *row_end;
    for (size_t i = 0; i < l->column_count; i++) {
        hk_column *column = &columns[sim->rows.column_count++];
        *column = l->columns[i];
        column->offset += offset;
    }
    *row_end += sim->rows.parts[part].size;
    return offset;
}

static void bind_parts(hk_sim *sim) {
    size_t all = 0, row_end = 0;
    for (size_t i = 0; i < sim->rows.part_count; i++)
        all += sim->listening.all[sim->rows.parts[i].listener].column_count;
    hk_column *columns = HK_NEW_ARRAY(sim->arena, hk_column, all);
    for (size_t i = 0; i < sim->rows.part_count; i++)
        sim->rows.parts[i].offset = place_part(sim, i, columns, &row_end);
    sim->rows.columns = columns;
    sim->rows.parts_row = hk_arena_alloc(sim->arena, row_end + 8);
    sim->rows.sink = (hk_sink){begin_parts, end_parts, sim};
}

static void bind_rows(hk_sim *sim) {
    hk_tick asked = hk_plan_row_interval(sim->plan), interval = 0;
    sim->rows.parts = HK_NEW_ARRAY(sim->arena, hk_row_part, sim->listening.count);
    for (size_t i = 0; i < sim->listening.count; i++) {
        const hk_listener *l = &sim->listening.all[i];
        if (!l->sink.row_begin)
            continue;
        HK_ASSERT(l->interval >= 0 && (l->columns || !l->column_count));
        hk_row_part *part = &sim->rows.parts[sim->rows.part_count++];
        *part = (hk_row_part){.sink = l->sink,
                              .listener = i,
                              .size = row_size(sim->model, l->columns, l->column_count),
                              .interval = l->interval ? l->interval : asked,
                              .on_grid = l->on_grid};
        interval = interval ? hk_gcd(interval, part->interval) : part->interval;
    }
    sim->rows.interval = interval ? interval : asked;
    if (sim->rows.part_count > 1) {
        bind_parts(sim);
    } else if (sim->rows.part_count) {
        const hk_listener *l = &sim->listening.all[sim->rows.parts[0].listener];
        sim->rows.sink = l->sink;
        sim->rows.columns = l->columns;
        sim->rows.column_count = l->column_count;
    }
}

bool hk_listeners_want_end(const hk_sim *sim) {
    HK_ASSERT(sim);
    for (size_t i = 0; i < sim->rows.part_count; i++)
        if (is_due(sim, &sim->rows.parts[i]))
            return true;
    return false;
}

void hk_sim_end_rows(hk_sim *sim, size_t listener) {
    HK_ASSERT(sim);
    HK_ASSERT(listener < sim->listening.count);
    for (size_t i = 0; i < sim->rows.part_count; i++)
        if (sim->rows.parts[i].listener == listener)
            sim->rows.parts[i].sink = (hk_sink){0};
    if (sim->rows.part_count == 1 && sim->rows.parts[0].listener == listener) {
        sim->rows.parts_row = hk_arena_alloc(sim->arena, sim->rows.parts[0].size + 8);
        sim->rows.sink = (hk_sink){begin_parts, end_unseen, sim};
    }
}

/* ---- the others ---- */

void hk_listeners_make(hk_sim *sim) {
    HK_ASSERT(sim);
    const hk_sim_options *o = &sim->options;
    sim->listening.count = o->listener_count;
    sim->listening.all = HK_NEW_ARRAY(sim->arena, hk_listener, o->listener_count);
    sim->listening.hook_ticks = HK_NEW_ARRAY(sim->arena, hk_tick, o->listener_count);
    sim->listening.hook_next = HK_TICK_NEVER;
    for (size_t i = 0; i < o->listener_count; i++) {
        const hk_listener *l = &o->listeners[i];
        sim->listening.all[i] = *l;
        sim->listening.hook_ticks[i] = l->hook.call ? l->hook.first : HK_TICK_NEVER;
        sim->listening.hook_next = sim->listening.hook_ticks[i] < sim->listening.hook_next
                                       ? sim->listening.hook_ticks[i]
                                       : sim->listening.hook_next;
    }
    sim->options.listeners = NULL; /* the caller's array may be gone */
    bind_rows(sim);
}

void hk_listeners_hook(hk_sim *sim) {
    HK_ASSERT(sim);
    hk_tick next = HK_TICK_NEVER;
    if (sim->part && sim->part->look_count) {
        if (!hk_part_instant(sim))
            return;
        next = sim->time.now + 1; /* also where no hook is called: nobody is left waiting */
    }
    for (size_t i = 0; i < sim->listening.count; i++) {
        const hk_hook *hook = &sim->listening.all[i].hook;
        if (hook->call && sim->time.now >= sim->listening.hook_ticks[i] && sim->status == HK_OK)
            sim->listening.hook_ticks[i] = hook->call(hook->user, sim, sim->time.now);
        next = sim->listening.hook_ticks[i] < next ? sim->listening.hook_ticks[i] : next;
    }
    sim->listening.hook_next = next;
}

void hk_listeners_progress(const hk_sim *sim) {
    HK_ASSERT(sim);
    for (size_t i = 0; i < sim->listening.count; i++) {
        const hk_progress_receiver *to = &sim->listening.all[i].progress;
        if (to->call)
            to->call(to->user, sim->time.seconds,
                     hk_tick_seconds(sim->plan->start, sim->time.ticks_per_second),
                     hk_tick_seconds(sim->plan->stop, sim->time.ticks_per_second));
    }
}

bool hk_listeners_trace(const hk_sim *sim) {
    HK_ASSERT(sim);
    for (size_t i = 0; i < sim->listening.count; i++)
        if (sim->listening.all[i].trace.write)
            return true;
    return false;
}

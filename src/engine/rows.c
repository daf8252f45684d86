/* SPDX-License-Identifier: MIT
 *
 * Rows of the record. The record is a consumer like any other: it looks at a component with the lag
 * 'observe', so that a row at t holds the newest values that hold at t. What holds at the end of a
 * step is sampled before the phases of an instant, while the newest published value is still the
 * right one; inputs, and what holds at the start of a step, after them. */
#include "engine/sim_parts.h"

#include <string.h>

size_t hk_columns_layout(hk_column *columns, size_t count) {
    HK_ASSERT(columns || !count);
    size_t size = 0;
    for (size_t i = 0; i < count; i++) {
        size_t bytes = hk_store_size(columns[i].store);
        size_t align = bytes > 8 ? 8 : bytes;
        columns[i].offset = (size + align - 1) / align * align;
        size = columns[i].offset + bytes;
    }
    return (size + 7) / 8 * 8;
}

hk_tick hk_rows_lag(const hk_sim *sim, uint32_t component) {
    HK_ASSERT(sim);
    HK_ASSERT(component < sim->model->component_count);
    bool end = sim->model->components[component].info->stamp == HK_STAMP_END;
    return end ? sim->plan->components[component].period : 0;
}

/* A run that a condition may end has rows at any instant; else they stand on their own grid. */
int64_t hk_rows_depth(const hk_sim *sim, uint32_t component) {
    HK_ASSERT(sim);
    HK_ASSERT(component < sim->model->component_count);
    const hk_plan_component *c = &sim->plan->components[component];
    hk_tick lag = hk_rows_lag(sim, component);
    bool anywhere =
        (sim->options.stop_when_count || sim->options.observed_count) && sim->plan->rate_count > 1;
    hk_tick interval = anywhere ? 1 : sim->rows.interval;
    return lag || c->pattern ? hk_plan_depth(c, interval, 0, lag, lag == 0) : 0;
}

/* At the end even a step that the stop time has shortened has ended; but what is late is not there.
 */
hk_tick hk_rows_latest(const hk_sim *sim, uint32_t component, hk_tick lag, bool final) {
    const hk_plan_component *c = &sim->plan->components[component];
    hk_tick last = *sim->slots.instances[component].last;
    if (!final)
        return sim->time.now - lag;
    if (!c->pattern)
        return HK_TICK_NEVER;
    bool shortened = last != TICK_INITIAL && last + c->period > sim->time.stop &&
                     hk_pattern_late(c->pattern, last) == 0;
    return shortened ? HK_TICK_NEVER : sim->time.now - lag;
}

static void add_piece(hk_row_piece *pieces, size_t *count, const void *from, size_t offset,
                      size_t size) {
    hk_row_piece *last = *count ? &pieces[*count - 1] : NULL;
    if (last && (const char *)last->from + last->size == from &&
        last->offset + last->size == offset)
        last->size += size;
    else
        pieces[(*count)++] = (hk_row_piece){from, offset, size};
}

/* What a row shows there becomes known in the course of the instant. */
static void unsettle(hk_sim *sim, const hk_column *column) {
    for (size_t i = 0; i < sim->rows.part_count; i++) {
        hk_row_part *part = &sim->rows.parts[i];
        if (column->offset >= part->offset && column->offset < part->offset + part->size)
            part->settled = false;
    }
}

void hk_rows_build(hk_sim *sim) {
    HK_ASSERT(sim);
    if (!sim->rows.sink.row_begin)
        return;
    size_t n = sim->rows.column_count;
    sim->rows.pieces_before = HK_NEW_ARRAY(sim->arena, hk_row_piece, n);
    sim->rows.pieces_after = HK_NEW_ARRAY(sim->arena, hk_row_piece, n);
    sim->rows.pasts_before = HK_NEW_ARRAY(sim->arena, hk_row_past, n);
    sim->rows.pasts_after = HK_NEW_ARRAY(sim->arena, hk_row_past, n);
    sim->rows.texts = HK_NEW_ARRAY(sim->arena, hk_blob, n);
    sim->rows.text_offsets = HK_NEW_ARRAY(sim->arena, size_t, n);
    sim->rows.transforms = HK_NEW_ARRAY(sim->arena, const hk_column *, n);
    for (size_t i = 0; i < sim->rows.part_count; i++)
        sim->rows.parts[i].settled = true;
    for (size_t i = 0; i < n; i++) {
        const hk_column *column = &sim->rows.columns[i];
        const hk_engine_port *p = hk_sim_port(sim, column->component, column->variable);
        if (column->transform)
            sim->rows.transforms[sim->rows.transform_count++] = column;
        size_t size = hk_store_size(column->store);
        const hk_sim_instance *inst = &sim->slots.instances[column->component];
        hk_tick lag = hk_rows_lag(sim, column->component);
        const hk_variable *v = &inst->unit->info->variables[column->variable];
        /* A parameter has no stamp: it is what it is. */
        bool moves = p->use & (USE_EVERY | USE_ROW) && v->causality != HK_PARAMETER;
        if (p->use & USE_IN || (moves && !lag))
            unsettle(sim, column);
        if (moves && lag && column->store == HK_STORE_BYTES)
            sim->rows.text_offsets[sim->rows.text_count++] = column->offset;
        hk_row_past past = {inst,
                            p->frame_offset + column->element * size,
                            column->offset,
                            size,
                            lag,
                            column->component};
        bool in_past = moves && inst->past.frames && p->use & USE_HISTORY &&
                       hk_rows_depth(sim, column->component) > 0;
        if (in_past && lag)
            sim->rows.pasts_before[sim->rows.past_count++] = past;
        else if (in_past)
            sim->rows.pasts_after[sim->rows.past_after_count++] = past;
        else
            add_piece(moves && lag ? sim->rows.pieces_before : sim->rows.pieces_after,
                      moves && lag ? &sim->rows.before_count : &sim->rows.after_count,
                      (const char *)p->address + column->element * size, column->offset, size);
    }
}

static void copy_pieces(char *row, const hk_row_piece *pieces, size_t count) {
    for (size_t i = 0; i < count; i++)
        memcpy(row + pieces[i].offset, pieces[i].from, pieces[i].size);
}

static void copy_pasts(hk_sim *sim, const hk_row_past *pasts, size_t count, bool final) {
    for (size_t i = 0; i < count; i++) {
        const hk_row_past *p = &pasts[i];
        hk_tick tick;
        hk_tick latest = hk_rows_latest(sim, p->component, p->lag, final);
        memcpy(sim->rows.current + p->offset,
               hk_history_seen(p->producer, p->frame_offset, latest, &tick), p->size);
    }
}

/* FINAL: the row at the end of the run, where every step has ended (the last may be shortened). */
bool hk_rows_before(hk_sim *sim, bool final) {
    sim->rows.current = sim->rows.sink.row_begin(sim->rows.sink.user);
    if (!sim->rows.current)
        return false;
    copy_pieces(sim->rows.current, sim->rows.pieces_before, sim->rows.before_count);
    copy_pasts(sim, sim->rows.pasts_before, sim->rows.past_count, final);
    for (size_t i = 0; i < sim->rows.text_count; i++) {
        hk_bytes *text = (hk_bytes *)(void *)(sim->rows.current + sim->rows.text_offsets[i]);
        hk_blob_assign(&sim->rows.texts[i], *text);
        *text = (hk_bytes){sim->rows.texts[i].data, sim->rows.texts[i].size};
    }
    return true;
}

/* In place. A number that does not fit afterwards stays as it is. */
static void transform_number(char *at, const hk_column *column) {
    double value;
    if (hk_value_convert(HK_STORE_F64, &value, column->store, at, 1)) {
        value = hk_transform_value(column->transform, value);
        (void)hk_value_convert(column->store, at, HK_STORE_F64, &value, 1);
    }
}

/* What happened in a step that has ended does not happen again. */
static void end_pulses(hk_sim *sim) {
    for (size_t i = 0; i < sim->rows.column_count; i++) {
        const hk_column *column = &sim->rows.columns[i];
        hk_tick last = *sim->slots.instances[column->component].last;
        bool ended = sim->time.now >= sim->time.stop || last == TICK_INITIAL ||
                     last + sim->plan->components[column->component].period <= sim->time.now;
        const hk_info *info = sim->slots.instances[column->component].unit->info;
        if (info->variables[column->variable].pulse && ended)
            memset(sim->rows.current + column->offset, 0, hk_store_size(column->store));
    }
}

bool hk_rows_after(hk_sim *sim) {
    copy_pieces(sim->rows.current, sim->rows.pieces_after, sim->rows.after_count);
    copy_pasts(sim, sim->rows.pasts_after, sim->rows.past_after_count,
               false); /* lag 0: final or not */
    if (sim->rows.over)
        end_pulses(sim);
    for (size_t i = 0; i < sim->rows.transform_count; i++)
        transform_number(sim->rows.current + sim->rows.transforms[i]->offset,
                         sim->rows.transforms[i]);
    sim->rows.current = NULL;
    return sim->rows.sink.row_end(sim->rows.sink.user, sim->time.seconds);
}

void hk_rows_rescue(hk_sim *sim) {
    bool settled = false;
    for (size_t i = 0; i < sim->rows.part_count; i++)
        settled = settled || sim->rows.parts[i].settled;
    sim->rows.rescued = true;
    if (sim->rows.current && settled)
        (void)hk_rows_after(sim);
    sim->rows.rescued = false;
    sim->rows.current = NULL;
}

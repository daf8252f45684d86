/* SPDX-License-Identifier: MIT
 *
 * Rows of the record. The record is a consumer like any other: it looks at a component with the lag
 * 'observe', so that a row at t holds the newest values that hold at t. What holds at the end of a
 * step is sampled before the phases of an instant, while the newest published value is still the
 * right one; inputs, and what holds at the start of a step, after them. */
#include "engine/sim_internal.h"

#include <string.h>

size_t hk_columns_layout(hk_column *columns, size_t count) {
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
    bool end = sim->model->components[component].info->stamp == HK_STAMP_END;
    return end ? sim->plan->components[component].period : 0;
}

/* A run that a condition may end has rows at any instant; else they stand on their own grid. */
int64_t hk_rows_depth(const hk_sim *sim, uint32_t component) {
    const hk_plan_component *c = &sim->plan->components[component];
    hk_tick lag = hk_rows_lag(sim, component);
    bool anywhere =
        (sim->options.stop_when_count || sim->options.observed_count) && sim->plan->rate_count > 1;
    hk_tick interval = anywhere ? 1 : sim->row_interval;
    return lag || c->pattern ? hk_plan_depth(c, interval, 0, lag, lag == 0) : 0;
}

/* At the end even a step that the stop time has shortened has ended; but what is late is not there.
 */
hk_tick hk_rows_latest(const hk_sim *sim, uint32_t component, hk_tick lag, bool final) {
    const hk_plan_component *c = &sim->plan->components[component];
    hk_tick last = *sim->instances[component].last;
    if (!final)
        return sim->now - lag;
    if (!c->pattern)
        return HK_TICK_NEVER;
    bool shortened = last != TICK_INITIAL && last + c->period > sim->stop &&
                     hk_pattern_late(c->pattern, last) == 0;
    return shortened ? HK_TICK_NEVER : sim->now - lag;
}

static void add_piece(row_piece *pieces, size_t *count, const void *from, size_t offset,
                      size_t size) {
    row_piece *last = *count ? &pieces[*count - 1] : NULL;
    if (last && (const char *)last->from + last->size == from &&
        last->offset + last->size == offset)
        last->size += size;
    else
        pieces[(*count)++] = (row_piece){from, offset, size};
}

/* What a row shows there becomes known in the course of the instant. */
static void unsettle(hk_sim *sim, const hk_column *column) {
    for (size_t i = 0; i < sim->part_count; i++) {
        row_part *part = &sim->parts[i];
        if (column->offset >= part->offset && column->offset < part->offset + part->size)
            part->settled = false;
    }
}

void hk_rows_build(hk_sim *sim) {
    if (!sim->sink.row_begin)
        return;
    size_t n = sim->column_count;
    sim->pieces_before = HK_NEW_ARRAY(sim->arena, row_piece, n);
    sim->pieces_after = HK_NEW_ARRAY(sim->arena, row_piece, n);
    sim->pasts_before = HK_NEW_ARRAY(sim->arena, row_past, n);
    sim->pasts_after = HK_NEW_ARRAY(sim->arena, row_past, n);
    sim->row_texts = HK_NEW_ARRAY(sim->arena, blob, n);
    sim->row_text_offsets = HK_NEW_ARRAY(sim->arena, size_t, n);
    sim->row_transforms = HK_NEW_ARRAY(sim->arena, const hk_column *, n);
    for (size_t i = 0; i < sim->part_count; i++)
        sim->parts[i].settled = true;
    for (size_t i = 0; i < n; i++) {
        const hk_column *column = &sim->columns[i];
        const port *p = hk_sim_port(sim, column->component, column->variable);
        if (column->transform)
            sim->row_transforms[sim->row_transform_count++] = column;
        size_t size = hk_store_size(column->store);
        const instance *inst = &sim->instances[column->component];
        hk_tick lag = hk_rows_lag(sim, column->component);
        const hk_variable *v = &inst->unit->info->variables[column->variable];
        /* A parameter has no stamp: it is what it is. */
        bool moves = p->use & (USE_EVERY | USE_ROW) && v->causality != HK_PARAMETER;
        if (p->use & USE_IN || (moves && !lag))
            unsettle(sim, column);
        if (moves && lag && column->store == HK_STORE_BYTES)
            sim->row_text_offsets[sim->row_text_count++] = column->offset;
        row_past past = {inst,
                         p->frame_offset + column->element * size,
                         column->offset,
                         size,
                         lag,
                         column->component};
        bool in_past = moves && inst->past.frames && p->use & USE_HISTORY &&
                       hk_rows_depth(sim, column->component) > 0;
        if (in_past && lag)
            sim->pasts_before[sim->past_count++] = past;
        else if (in_past)
            sim->pasts_after[sim->past_after_count++] = past;
        else
            add_piece(moves && lag ? sim->pieces_before : sim->pieces_after,
                      moves && lag ? &sim->before_count : &sim->after_count,
                      (const char *)p->address + column->element * size, column->offset, size);
    }
}

static void copy_pieces(char *row, const row_piece *pieces, size_t count) {
    for (size_t i = 0; i < count; i++)
        memcpy(row + pieces[i].offset, pieces[i].from, pieces[i].size);
}

static void copy_pasts(hk_sim *sim, const row_past *pasts, size_t count, bool final) {
    for (size_t i = 0; i < count; i++) {
        const row_past *p = &pasts[i];
        hk_tick tick;
        hk_tick latest = hk_rows_latest(sim, p->component, p->lag, final);
        memcpy(sim->row + p->offset, hk_history_seen(p->producer, p->frame_offset, latest, &tick),
               p->size);
    }
}

/* FINAL: the row at the end of the run, where every step has ended (the last may be shortened). */
bool hk_rows_before(hk_sim *sim, bool final) {
    sim->row = sim->sink.row_begin(sim->sink.user);
    if (!sim->row)
        return false;
    copy_pieces(sim->row, sim->pieces_before, sim->before_count);
    copy_pasts(sim, sim->pasts_before, sim->past_count, final);
    for (size_t i = 0; i < sim->row_text_count; i++) {
        hk_bytes *text = (hk_bytes *)(void *)(sim->row + sim->row_text_offsets[i]);
        hk_blob_assign(&sim->row_texts[i], *text);
        *text = (hk_bytes){sim->row_texts[i].data, sim->row_texts[i].size};
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

bool hk_rows_after(hk_sim *sim) {
    copy_pieces(sim->row, sim->pieces_after, sim->after_count);
    copy_pasts(sim, sim->pasts_after, sim->past_after_count, false); /* lag 0: final or not */
    for (size_t i = 0; i < sim->row_transform_count; i++)
        transform_number(sim->row + sim->row_transforms[i]->offset, sim->row_transforms[i]);
    sim->row = NULL;
    return sim->sink.row_end(sim->sink.user, sim->seconds);
}

void hk_rows_rescue(hk_sim *sim) {
    bool settled = false;
    for (size_t i = 0; i < sim->part_count; i++)
        settled = settled || sim->parts[i].settled;
    sim->row_rescued = true;
    if (sim->row && settled)
        (void)hk_rows_after(sim);
    sim->row_rescued = false;
    sim->row = NULL;
}

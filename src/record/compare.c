/* SPDX-License-Identifier: MIT
 *
 * The walk through two records side by side. An event is a row whose time is that of the row
 * before; its values are those after the event. Between rows a record is interpolated from the last
 * row before to the first row after, so that no line crosses an event. */
#include "record/compare.h"

#include "record/compare_internal.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

/* Copies the row that was compared: the reader overwrites it. */
static void keep(hk_compare_side *side) {
    size_t size = 0, columns = hk_table_columns(side->reader);
    for (size_t i = 0; i < columns; i++)
        size += side->next->cells[i].length;
    if (size > side->text_cap) {
        side->text_cap = 2 * size;
        side->text = hk_realloc(side->text, side->text_cap);
    }
    if (!side->cells)
        side->cells = hk_alloc(columns * sizeof *side->cells);
    char *text = side->text;
    for (size_t i = 0; i < columns; i++) {
        const hk_table_cell *cell = &side->next->cells[i];
        if (cell->length)
            memcpy(text, cell->text, cell->length);
        side->cells[i] = (hk_table_cell){.text = text, .length = cell->length};
        text += cell->length;
    }
    side->last.cells = side->cells;
}

static hk_status advance(hk_compare_state *state, int which) {
    hk_compare_side *side = &state->sides[which];
    if (side->next) {
        side->last.time = side->next->time;
        side->last.line = side->next->line;
        if (state->options->times != HK_TIMES_SAME)
            keep(side);
        side->rows++;
    }
    return hk_table_next(side->reader, &side->next);
}

/* Compares the next rows of both. */
static void compare_next(hk_compare_state *state) {
    const hk_compare_side *a = &state->sides[0], *b = &state->sides[1];
    state->result->points++;
    for (size_t i = 0; i < state->result->signal_count; i++) {
        const hk_compare_value values[2] = {
            {.cell = a->next->cells[a->columns[i]], .line = a->next->line},
            {.cell = b->next->cells[b->columns[i]], .line = b->next->line}};
        hk_compare_values(state, i, a->next->time, values);
    }
}

static bool is_same_time(const hk_compare_state *state, double a, double b) {
    return a == b || fabs(a - b) <= state->options->time_tolerance;
}

static hk_status drain(hk_compare_state *state) {
    for (int side = 0; side < 2; side++)
        while (state->sides[side].next)
            HK_TRY(advance(state, side));
    return HK_OK;
}

static void note_grids(hk_compare_state *state) {
    state->result->grids_differ = true;
    for (int i = 0; i < 2; i++) {
        const hk_compare_side *side = &state->sides[i];
        bool ended = !side->next;
        state->result->grid[i].ended = ended;
        state->result->grid[i].event = !ended && side->rows && side->next->time == side->last.time;
        state->result->grid[i].time = ended ? side->last.time : side->next->time;
        state->result->grid[i].line = ended ? side->last.line : side->next->line;
    }
}

static hk_status walk_same(hk_compare_state *state) {
    const hk_compare_side *a = &state->sides[0], *b = &state->sides[1];
    while (a->next && b->next && is_same_time(state, a->next->time, b->next->time)) {
        compare_next(state);
        HK_TRY(advance(state, 0));
        HK_TRY(advance(state, 1));
    }
    if (a->next || b->next)
        note_grids(state);
    return drain(state);
}

/* The value of a signal at TIME, between the last and the next row of SIDE. */
static hk_compare_value between(const hk_compare_state *state, const hk_compare_side *side,
                                size_t index, double time) {
    hk_table_cell left = side->cells[side->columns[index]];
    double from, to;
    if (!state->held[index] && side->next && time > side->last.time) {
        const hk_table_cell *right = &side->next->cells[side->columns[index]];
        if (hk_cell_number(&left, &from) && hk_cell_number(right, &to) && from != to) {
            double weight = (time - side->last.time) / (side->next->time - side->last.time);
            return (hk_compare_value){.number = from + weight * (to - from)};
        }
    }
    return (hk_compare_value){.cell = left, .line = time > side->last.time ? 0 : side->last.line};
}

/* Compares the next row of side WHICH with what the other one has at that time. */
static void compare_alone(hk_compare_state *state, int which) {
    const hk_compare_side *side = &state->sides[which], *other = &state->sides[!which];
    double time = side->next->time;
    bool began = other->last.cells, goes_on = other->next;
    if (!began || (!goes_on && !is_same_time(state, time, other->last.time))) {
        state->result->outside++;
        return;
    }
    state->result->points++;
    for (size_t i = 0; i < state->result->signal_count; i++) {
        hk_compare_value values[2];
        values[which] = (hk_compare_value){.cell = side->next->cells[side->columns[i]],
                                           .line = side->next->line};
        values[!which] = between(state, other, i, time);
        hk_compare_values(state, i, time, values);
    }
}

static hk_status walk_between(hk_compare_state *state) {
    const hk_compare_side *a = &state->sides[0], *b = &state->sides[1];
    hk_compare_times times = state->options->times;
    while (a->next || b->next) {
        if (a->next && b->next && is_same_time(state, a->next->time, b->next->time)) {
            compare_next(state);
            HK_TRY(advance(state, 0));
            HK_TRY(advance(state, 1));
            continue;
        }
        int which = !a->next || (b->next && b->next->time < a->next->time);
        if (times != (which ? HK_TIMES_FIRST : HK_TIMES_SECOND))
            compare_alone(state, which);
        HK_TRY(advance(state, which));
    }
    return HK_OK;
}

static hk_status open_side(hk_compare_state *state, int side) {
    return hk_table_open(state->ctx, state->sides[side].path, &state->sides[side].reader);
}

/* Reads a record once to learn which signals are never anything but whole numbers or text. */
static hk_status find_held(hk_compare_state *state, int which, bool *seen) {
    hk_compare_side *side = &state->sides[which];
    const hk_table_row *row = NULL;
    for (;;) {
        HK_TRY(hk_table_next(side->reader, &row));
        if (!row)
            break;
        for (size_t i = 0; i < state->result->signal_count; i++) {
            const hk_table_cell *cell = &row->cells[side->columns[i]];
            double number;
            seen[i] = true;
            if (state->held[i] && !hk_cell_is_whole(cell) && hk_cell_number(cell, &number))
                state->held[i] = false;
        }
    }
    hk_table_close(side->reader);
    side->reader = NULL;
    return open_side(state, which);
}

static hk_status prepare_interpolation(hk_compare_state *state) {
    size_t count = state->result->signal_count;
    bool *seen = HK_NEW_ARRAY(state->arena, bool, count);
    state->held = HK_NEW_ARRAY(state->arena, bool, count);
    for (size_t i = 0; i < count; i++)
        state->held[i] = true;
    for (int side = 0; side < 2; side++)
        HK_TRY(find_held(state, side, seen));
    for (size_t i = 0; i < count; i++) {
        const char *name = state->result->signals[i].names[0];
        state->held[i] &= seen[i];
        if (hk_patterns_match(&state->options->hold, name))
            state->held[i] = true;
        if (hk_patterns_match(&state->options->linear, name))
            state->held[i] = false;
    }
    return HK_OK;
}

static hk_status check_paths(hk_compare_state *state) {
    for (int side = 0; side < 2; side++) {
        const char *path = state->sides[side].path;
        struct stat info;
        if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
            return hk_error(state->ctx, HK_E_USAGE, (hk_where){.file = path},
                            "write it to a file first",
                            "it has to be read twice, and it is not a regular file");
    }
    return HK_OK;
}

static hk_status compare(hk_compare_state *state) {
    bool interpolate = state->options->times != HK_TIMES_SAME;
    if (interpolate || state->options->twice)
        HK_TRY(check_paths(state));
    for (int side = 0; side < 2; side++)
        HK_TRY(open_side(state, side));
    HK_TRY(hk_compare_match(state));
    state->squares = HK_NEW_ARRAY(state->arena, struct hk_squares, state->result->signal_count);
    if (interpolate)
        HK_TRY(prepare_interpolation(state));
    for (int side = 0; side < 2; side++)
        HK_TRY(advance(state, side));
    HK_TRY(interpolate ? walk_between(state) : walk_same(state));
    for (int side = 0; side < 2; side++)
        state->result->rows[side] = state->sides[side].rows;
    hk_compare_finish(state);
    return HK_OK;
}

hk_status hk_records_compare(hk_ctx *ctx, hk_arena *arena, const char *const paths[2],
                             const hk_compare_options *options,
                             const hk_comparison **ret_comparison) {
    hk_compare_state state = {.ctx = ctx, .arena = arena, .options = options};
    state.result = HK_NEW(arena, hk_comparison);
    for (int side = 0; side < 2; side++)
        state.sides[side].path = paths[side];
    hk_status status = compare(&state);
    for (int side = 0; side < 2; side++) {
        hk_table_close(state.sides[side].reader);
        hk_free(state.sides[side].cells);
        hk_free(state.sides[side].text);
    }
    if (status == HK_OK)
        *ret_comparison = state.result;
    return status;
}

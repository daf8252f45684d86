/* SPDX-License-Identifier: MIT
 *
 * The way to something that was found, as a table of inputs and in words: the cycles are run once
 * more. */
#include "explore/world.h"

#include "base/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_TAKEN = 12, ROUNDS_MIN = 3 };

struct hk_witness {
    const uint32_t *ports; /* of the component: those of its inputs */
    size_t port_count;
    const char **cells; /* of the row that is being made; the time comes first */
    const char *note;
    const char *unlike;
    struct taken {
        uint32_t machine, transition;
    } * taken; /* in this cycle */
    size_t taken_count, taken_cap;
};

static const char *number_text(hk_arena *arena, double value) {
    char text[HK_NUMBER_MAX + 1];
    text[hk_write_f64(value, text)] = '\0';
    return hk_arena_strdup(arena, text);
}

static void add_note(hk_world *w, const char *between, const char *text) {
    struct hk_witness *to = w->witness;
    to->note = hk_arena_printf(w->arena, "%s%s%s", to->note, *to->note ? between : "", text);
}

static const char *cell_text(hk_arena *arena, const hk_chart_type *type, hk_cell cell) {
    if (type->kind == HK_CHART_REAL)
        return number_text(arena, cell.r);
    if (type->kind == HK_CHART_ENUMERATION && cell.i >= 0 && cell.i < type->item_count)
        return type->items[cell.i];
    if (type->kind == HK_CHART_BOOLEAN)
        return cell.i ? "true" : "false";
    return hk_arena_printf(arena, "%lld", (long long)cell.i);
}

/* A value of any type, as RoboChart writes it. */
static const char *value_text(hk_arena *arena, const hk_chart_type *type, const hk_cell *cells) {
    const char *text = "";
    bool sequence = type->kind == HK_CHART_SEQUENCE;
    if (hk_chart_is_scalar(type))
        return cell_text(arena, type, *cells);
    uint32_t count = type->field_count ? type->field_count
                     : sequence        ? (uint32_t)cells->i
                                       : type->length;
    for (uint32_t i = 0; i < count; i++) {
        const hk_chart_type *part = type->field_count ? type->fields[i].type : type->element;
        uint32_t at = type->field_count ? type->fields[i].offset : sequence + i * part->size;
        text = hk_arena_printf(arena, "%s%s%s", text, i ? ", " : "",
                               value_text(arena, part, cells + at));
    }
    return hk_arena_printf(arena, sequence ? "<%s>" : "(%s)", text);
}

/* ---- told by the world */

void hk_witness_inputs(hk_world *w) {
    struct hk_witness *to = w->witness;
    const hk_side *s = &w->sides[0];
    const hk_cell *memory = hk_world_memory(w, 0);
    for (size_t i = 0; i < to->port_count; i++) {
        const hk_chart_port *p = &w->ports.all[to->ports[i]];
        const hk_chart_line *line = &s->chart->lines[p->index];
        bool value = p->kind == HK_CHART_PORT_RECEIVED_VALUE, present = s->present[p->index];
        hk_cell cell = memory[value ? p->cell : 0];
        if (!value)
            to->cells[1 + i] = present ? "1" : "0";
        else if (p->type == HK_TYPE_F64)
            to->cells[1 + i] = number_text(w->arena, present ? cell.r : 0);
        else
            to->cells[1 + i] = hk_arena_printf(w->arena, "%lld", present ? (long long)cell.i : 0);
        if (!value && present && line->type)
            add_note(w, ", ",
                     hk_arena_printf(w->arena, "%s = %s", line->name,
                                     value_text(w->arena, line->type, memory + line->cell)));
        else if (!value && present)
            add_note(w, ", ", line->name);
    }
    w->witness->note = hk_arena_printf(w->arena, "%s ->", *to->note ? to->note : "nothing");
}

void hk_witness_choice(hk_world *w, const hk_chart_choice *choice, uint64_t taken) {
    const hk_chart *chart = w->sides[w->unit].chart;
    const hk_chart_machine *m = &chart->machines[choice->machine];
    const char *text, *side = w->unit ? "plant." : "";
    if (choice->kind == HK_CHART_CHOOSE_WAIT)
        text = hk_arena_printf(w->arena, "%s%s waits %" PRId64, side, m->path,
                               choice->least + (int64_t)taken);
    else
        text = hk_arena_printf(w->arena, "%s%s chooses %s", side, m->path,
                               m->transitions[choice->transitions[taken]].name);
    if (w->unit == 0 && !w->witness->unlike &&
        (choice->kind != HK_CHART_CHOOSE_TRANSITION || taken > 0))
        w->witness->unlike = text;
    add_note(w, " ", hk_arena_printf(w->arena, "[%s]", text));
}

/* "move(0.5, 0)" */
static const char *call_text(hk_arena *arena, const hk_chart_operation *o, const hk_cell *memory) {
    const char *text = "";
    for (uint32_t i = 0; i < o->parameter_count; i++)
        text = hk_arena_printf(
            arena, "%s%s%s", text, i ? ", " : "",
            value_text(arena, o->parameters[i].type, memory + o->cell + o->parameters[i].offset));
    return hk_arena_printf(arena, "%s(%s)", o->name, text);
}

static void note_emissions(hk_world *w) {
    const hk_side *s = &w->sides[0];
    const void *state = hk_side_state(w, 0);
    const hk_cell *memory = hk_world_memory(w, 0);
    for (uint32_t i = 0; i < s->chart->line_count; i++) {
        const hk_chart_line *l = &s->chart->lines[i];
        if (l->kind == HK_CHART_FROM_PLATFORM || !hk_chart_was_sent(s->runner, state, i))
            continue;
        add_note(w, " ",
                 l->type ? hk_arena_printf(w->arena, "%s!%s", l->name,
                                           value_text(w->arena, l->type, memory + l->sent))
                         : l->name);
    }
    for (uint32_t i = 0; i < s->chart->operation_count; i++)
        if (hk_chart_was_called(s->runner, state, i))
            add_note(w, " ", call_text(w->arena, &s->chart->operations[i], memory));
}

void hk_witness_took(hk_world *w, uint32_t machine, uint32_t transition) {
    struct hk_witness *to = w->witness;
    HK_PUSH(to->taken, to->taken_count, to->taken_cap, ((struct taken){machine, transition}));
}

static void note_taken(hk_world *w, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        const struct taken *t = &w->witness->taken[i];
        const hk_chart_machine *m = &w->sides[0].chart->machines[t->machine];
        add_note(w, " ",
                 hk_arena_printf(w->arena, "%s.%s", m->path, m->transitions[t->transition].name));
    }
}

/* Where it begins to come again and again, PERIOD transitions at a time, up to the end. */
static size_t find_rounds(const struct hk_witness *to, size_t period) {
    size_t from = to->taken_count - period;
    while (from && to->taken[from - 1].machine == to->taken[from - 1 + period].machine &&
           to->taken[from - 1].transition == to->taken[from - 1 + period].transition)
        from--;
    return from;
}

/* In the order in which they were taken; what comes round and round is told once. */
static void note_all_taken(hk_world *w) {
    const struct hk_witness *to = w->witness;
    size_t count = to->taken_count;
    for (size_t period = 1; count > SHOWN_TAKEN && ROUNDS_MIN * period <= count; period++) {
        size_t from = find_rounds(to, period), rounds = (count - from) / period;
        if (rounds < ROUNDS_MIN)
            continue;
        note_taken(w, 0, from);
        add_note(w, " ", hk_arena_printf(w->arena, "%zu times [", rounds));
        note_taken(w, from, from + period);
        add_note(w, " ", "]");
        note_taken(w, from + rounds * period, count);
        return;
    }
    note_taken(w, 0, count);
}

void hk_witness_done(hk_world *w) {
    note_all_taken(w);
    note_emissions(w);
    w->witness->taken_count = 0;
}

/* ---- making it */

static void find_ports(hk_world *w, struct hk_witness *to, const char **columns) {
    uint32_t *ports = HK_NEW_ARRAY(w->arena, uint32_t, w->ports.count + 1);
    columns[0] = "time";
    for (uint32_t i = 0; i < w->ports.count; i++) {
        hk_chart_port_kind kind = w->ports.all[i].kind;
        if (kind != HK_CHART_PORT_RECEIVED && kind != HK_CHART_PORT_RECEIVED_VALUE)
            continue;
        ports[to->port_count++] = i;
        columns[to->port_count] = w->ports.all[i].name;
    }
    to->ports = ports;
}

/* Runs the cycle of one edge again, as cycle NUMBER; what it says goes to the witness. */
static void run_again(hk_world *w, const hk_walk *walk, hk_walk_edge edge, int64_t number) {
    struct hk_witness *to = w->witness;
    hk_choices choices = {0};
    uint64_t *state = hk_alloc((w->words + 1) * sizeof *state), marks = 0;
    w->witness = NULL;
    hk_walk_choose(&w->system, walk, edge, &choices);
    hk_vault_get(hk_walk_states(walk), edge.from, state);
    for (size_t i = 0; i < w->side_count; i++)
        memcpy((char *)(state + w->sides[i].at) + w->sides[i].layout->cycle, &number,
               sizeof number);
    w->witness = to;
    (void)hk_world_step(w, edge, &choices, state, &marks);
    hk_choices_finish(&choices);
    hk_free(state);
}

hk_explore_rows hk_witness_make(hk_world *w, const hk_walk *walk, uint32_t state,
                                const hk_walk_edge *last) {
    struct hk_witness to = {0};
    size_t count;
    const hk_walk_edge *path = hk_walk_path(walk, w->arena, state, &count);
    const char **columns = HK_NEW_ARRAY(w->arena, const char *, w->ports.count + 2);
    find_ports(w, &to, columns);
    size_t width = to.port_count + 1, rows = count + (last ? 1 : 0);
    const char **cells = HK_NEW_ARRAY(w->arena, const char *, (rows + 1) * width);
    const char **notes = HK_NEW_ARRAY(w->arena, const char *, rows + 1);
    hk_ratio cycle = w->sides[0].chart->cycle;
    for (size_t i = 0; i <= rows; i++)
        for (size_t k = 0; k < width; k++) /* behind the last cycle nothing comes any more */
            cells[i * width + k] =
                k ? "0" : number_text(w->arena, (double)i * (double)cycle.num / (double)cycle.den);
    w->witness = &to;
    for (size_t i = 0; i < rows; i++) {
        to.cells = cells + i * width;
        to.note = "";
        run_again(w, walk, i < count ? path[i] : *last, (int64_t)i);
        notes[i] = to.note;
    }
    w->witness = NULL;
    hk_free(to.taken);
    return (hk_explore_rows){.columns = columns,
                             .column_count = width,
                             .cells = cells,
                             .notes = notes,
                             .row_count = rows,
                             .unlike = to.unlike};
}

const char *hk_explore_rows_csv(hk_arena *arena, const hk_explore_rows *rows) {
    char *data = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&data, &size);
    HK_ASSERT(out);
    for (size_t i = 0; i < rows->row_count + 2; i++)
        for (size_t k = 0; k < rows->column_count; k++) {
            const char *cell = i ? rows->cells[(i - 1) * rows->column_count + k] : rows->columns[k];
            const char *quote = !i && strpbrk(cell, ",\" ") ? "\"" : "";
            fprintf(out, "%s%s%s%s%s", k ? "," : "", quote, cell, quote,
                    k + 1 == rows->column_count ? "\n" : "");
        }
    fclose(out);
    const char *kept = hk_arena_strndup(arena, data, size);
    free(data);
    return kept;
}

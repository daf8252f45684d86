/* SPDX-License-Identifier: MIT
 *
 * One cycle of a controller and its plant. The plant goes first: it sees what the controller did in
 * the cycle before, and the controller what the plant brings in this one. Behind the cycle
 * everything is taken out of the state that nobody can see any more, so that states with one future
 * are one. */
#include "explore/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void *hk_side_state(const hk_world *w, unsigned unit) {
    return w->state + w->sides[unit].at;
}

hk_cell *hk_world_memory(const hk_world *w, unsigned unit) {
    return hk_chart_memory(w->sides[unit].runner, hk_side_state(w, unit));
}

/* ---- choices */

static void note_site(hk_world_sites *sites, hk_world_site site) {
    for (size_t i = 0; i < sites->count; i++) {
        const hk_world_site *s = &sites->all[i];
        bool place = s->line == site.line && s->column == site.column;
        if (s->unit == site.unit && s->kind == site.kind && s->machine == site.machine &&
            s->node == site.node && s->first == site.first && s->second == site.second &&
            s->round == site.round && (place || site.round))
            return;
    }
    HK_PUSH(sites->all, sites->count, sites->cap,
            site); /* at most one for each place in the file */
}

/* Draws of weight 0 do not happen: the answer is one of the others. */
static uint64_t choose_weighted(hk_world *w, const hk_chart_choice *choice) {
    uint32_t possible = 0;
    for (uint64_t i = 0; i < choice->count; i++)
        possible += choice->weights[i] > 0;
    uint32_t taken = hk_choices_take(w->choices, possible ? possible : 1);
    for (uint64_t i = 0; i < choice->count; i++)
        if (choice->weights[i] > 0 && taken-- == 0)
            return i;
    return 0;
}

/* Each pair of transitions that are enabled together. */
static void note_nondeterminism(hk_world *w, const hk_chart_choice *choice) {
    for (uint64_t i = 0; i < choice->count; i++)
        for (uint64_t k = i + 1; k < choice->count; k++)
            note_site(&w->nondeterminism, (hk_world_site){.edge = w->edge,
                                                          .unit = w->unit,
                                                          .machine = choice->machine,
                                                          .node = choice->node,
                                                          .first = choice->transitions[i],
                                                          .second = choice->transitions[k],
                                                          .line = choice->line,
                                                          .column = choice->column});
}

static uint64_t choose(void *user, const hk_chart_choice *choice) {
    hk_world *w = user;
    uint64_t taken;
    if (choice->kind == HK_CHART_CHOOSE_TRANSITION && choice->count > 1)
        note_nondeterminism(w, choice);
    if (choice->kind == HK_CHART_CHOOSE_PROBABILITY)
        taken = choose_weighted(w, choice);
    else
        taken = hk_choices_take(w->choices,
                                choice->count < UINT32_MAX ? (uint32_t)choice->count : UINT32_MAX);
    if (w->witness && choice->count > 1)
        hk_witness_choice(w, choice, taken);
    return taken;
}

/* ---- inputs */

/* All lines of the event bring it. CELLS: its value; NULL: it has none. */
static void bring(hk_world *w, unsigned unit, uint32_t line, const hk_cell *cells) {
    hk_side *s = &w->sides[unit];
    for (; line != HK_CHART_NONE; line = hk_chart_next_line(s->chart, line)) {
        const hk_chart_line *l = &s->chart->lines[line];
        if (cells && l->type)
            memcpy(hk_world_memory(w, unit) + l->cell, cells, l->type->size * sizeof *cells);
        hk_chart_put(s->runner, hk_side_state(w, unit), line);
        s->present[line] = true;
    }
}

static void choose_input(hk_world *w, unsigned unit, const hk_world_input *input) {
    uint64_t values = input->offer ? input->offer->count : 1;
    uint32_t taken = hk_choices_take(w->choices, (uint32_t)values + 1);
    hk_side *s = &w->sides[unit];
    if (!taken)
        return;
    bring(w, unit, input->line, NULL);
    for (uint32_t l = input->line; input->offer && l != HK_CHART_NONE;
         l = hk_chart_next_line(s->chart, l))
        hk_offer_put(input->offer, taken - 1, hk_world_memory(w, unit) + s->chart->lines[l].cell);
}

static void choose_inputs(hk_world *w, unsigned unit) {
    const hk_side *s = &w->sides[unit];
    for (size_t i = 0; i < s->input_count; i++)
        if (!s->inputs[i].driven)
            choose_input(w, unit, &s->inputs[i]);
}

/* ---- what was emitted */

bool hk_world_happened(const hk_world *w, const hk_ask_value *value) {
    const hk_side *s = &w->sides[value->unit];
    const void *state = hk_side_state(w, value->unit);
    if (value->op == HK_ASK_OPERATION)
        return hk_chart_was_called(s->runner, state, value->index);
    if (value->op == HK_ASK_ARRIVAL)
        return s->present[value->index];
    if (value->op != HK_ASK_EVENT)
        return true;
    if (s->chart->lines[value->index].kind == HK_CHART_FROM_PLATFORM)
        return s->present[value->index];
    for (uint32_t l = value->index; l != HK_CHART_NONE; l = hk_chart_next_line(s->chart, l))
        if (hk_chart_was_sent(s->runner, state, l))
            return true;
    return false;
}

static void follow_links(hk_world *w, unsigned from) {
    const hk_side *s = &w->sides[from];
    for (size_t i = 0; i < s->link_count; i++) {
        const hk_world_link *l = &s->links[i];
        if (hk_world_happened(w, &l->from))
            bring(w, 1 - from, l->line, l->size ? hk_world_memory(w, from) + l->from.cell : NULL);
    }
}

/* ---- a plant that is a table: its state, then of each output whether it happened, and its value
 */

/* Reals are compared as numbers: 0 and -0 are one. */
static bool is_value(const hk_chart_type *type, uint64_t now, hk_cell wanted) {
    hk_cell cell = {.i = (int64_t)now};
    return type->kind == HK_CHART_REAL ? cell.r == wanted.r : cell.i == wanted.i;
}

static bool row_fits(const hk_world *w, const hk_plant_row *row) {
    const uint64_t *now = w->state + w->table_at;
    if (now[0] != row->state)
        return false;
    for (size_t i = 0; i < w->table->output_count; i++) {
        const hk_ask_value *of = &w->table->outputs[i].value;
        const hk_plant_cell *cell = &row->outputs[i];
        bool there = of->op == HK_ASK_COMPARE || now[1 + 2 * i];
        uint64_t value =
            of->op == HK_ASK_COMPARE ? (uint64_t)hk_world_memory(w, 0)[of->cell].i : now[2 + 2 * i];
        bool fits =
            cell->kind == HK_PLANT_ANY || (cell->kind == HK_PLANT_ABSENT && !there) ||
            (cell->kind == HK_PLANT_PRESENT && there) ||
            (cell->kind == HK_PLANT_VALUE && there && is_value(of->type, value, cell->value));
        if (!fits)
            return false;
    }
    return true;
}

static void take_row(hk_world *w, const hk_plant_row *row) {
    w->state[w->table_at] = row->next;
    for (size_t i = 0; i < w->table->input_count; i++) {
        const hk_plant_cell *cell = &row->inputs[i];
        uint32_t line = w->table->inputs[i];
        if (cell->kind == HK_PLANT_PRESENT || cell->kind == HK_PLANT_VALUE)
            bring(w, 0, line, cell->kind == HK_PLANT_VALUE ? &cell->value : NULL);
        for (size_t k = 0; cell->kind == HK_PLANT_ANY && k < w->sides[0].input_count; k++)
            if (w->sides[0].inputs[k].line == line)
                choose_input(w, 0, &w->sides[0].inputs[k]);
    }
}

/* What goes round and round is one thing, wherever the limit ends it: its first transition. */
static uint32_t find_round(const hk_side *s, uint32_t machine) {
    for (uint32_t i = hk_chart_first_transition(s->chart, machine);
         i < hk_chart_first_transition(s->chart, machine + 1); i++)
        if (s->taken[i] > HK_CHART_FIRINGS_MAX / 10)
            return i + 1;
    return 0;
}

/* TEXT is kept the first time. */
static void note_failure(hk_world *w, uint32_t kind, const hk_chart_report *report,
                         const char *text) {
    hk_world_site site = {.edge = w->edge,
                          .unit = w->unit,
                          .kind = kind,
                          .machine = report ? report->machine : HK_CHART_NONE,
                          .line = report ? report->line : 0,
                          .column = report ? report->column : 0};
    if (kind == HK_CHART_NO_PROGRESS && site.machine != HK_CHART_NONE)
        site.round = find_round(&w->sides[w->unit], site.machine);
    size_t before = w->failures.count;
    note_site(&w->failures, site);
    if (w->failures.count > before)
        w->failures.all[before].text = hk_arena_strdup(w->arena, text);
}

static bool step_table(hk_world *w) {
    const hk_plant *p = w->table;
    uint32_t count = 0;
    for (size_t i = 0; i < p->row_count; i++)
        count += row_fits(w, &p->rows[i]);
    if (!count) {
        char text[256];
        snprintf(text, sizeof text,
                 "its table does not have a row for the state '%.100s' and what "
                 "the controller does",
                 p->states[w->state[w->table_at]]);
        w->unit = 1;
        note_failure(w, UINT32_MAX, NULL, text);
        return false;
    }
    uint32_t taken = hk_choices_take(w->choices, count);
    for (size_t i = 0; i < p->row_count; i++)
        if (row_fits(w, &p->rows[i]) && taken-- == 0) {
            take_row(w, &p->rows[i]);
            return true;
        }
    return false;
}

/* What the table will see of this cycle. */
static void keep_outputs(hk_world *w) {
    uint64_t *now = w->state + w->table_at + 1;
    for (size_t i = 0; i < w->table->output_count; i++, now += 2) {
        const hk_ask_value *of = &w->table->outputs[i].value;
        bool there = of->op != HK_ASK_COMPARE && hk_world_happened(w, of);
        now[0] = there;
        now[1] = there && of->type ? (uint64_t)hk_world_memory(w, 0)[of->cell].i : 0;
    }
}

/* ---- one cycle */

static void note_taken(void *user, uint32_t machine, uint32_t transition) {
    hk_witness_took(user, machine, transition);
}

/* A run ends behind a cycle that leaves an output without a finite value. */
static hk_chart_outcome check_outputs(hk_world *w) {
    hk_chart_report *report = &w->sides[0].report;
    for (uint32_t i = 0; i < w->real_count; i++) {
        const hk_chart_port *p = &w->ports.all[w->reals[i]];
        double value = hk_world_memory(w, 0)[p->cell].r;
        if (isfinite(value))
            continue;
        report->machine = HK_CHART_NONE;
        report->line = p->line;
        report->column = p->column;
        snprintf(report->text, sizeof report->text, "output '%.200s' is %s", p->name,
                 isnan(value) ? "not a number" : "infinite");
        return HK_CHART_ARITHMETIC;
    }
    return HK_CHART_OK;
}

static bool run_side(hk_world *w, unsigned unit) {
    hk_side *s = &w->sides[unit];
    hk_chart_chooser chooser = {.choose = choose, .user = w};
    uint32_t nodes = hk_chart_first_node(s->chart, s->chart->machine_count);
    uint32_t count = hk_chart_first_transition(s->chart, s->chart->machine_count);
    memset(s->nodes, 0, nodes * sizeof *s->nodes);
    memset(s->taken, 0, count * sizeof *s->taken);
    w->unit = unit;
    s->report.took = w->witness && unit == 0 ? note_taken : NULL;
    s->report.user = w;
    hk_chart_outcome outcome =
        hk_chart_cycle(s->runner, hk_side_state(w, unit), &chooser, &s->report);
    if (outcome == HK_CHART_OK && unit == 0)
        outcome = check_outputs(w);
    for (uint32_t i = 0; i < nodes; i++)
        s->node_seen[i] = s->node_seen[i] || s->nodes[i];
    for (uint32_t i = 0; i < count; i++)
        s->taken_seen[i] = s->taken_seen[i] || s->taken[i];
    if (outcome != HK_CHART_OK)
        note_failure(w, outcome, &s->report, s->report.text);
    return outcome == HK_CHART_OK;
}

/* Has the machine done anything in this cycle? That a wait goes on is nothing. */
static bool has_acted(const hk_side *s, uint32_t machine, const char *before, const char *now) {
    size_t at = s->layout->registers + machine * sizeof(hk_chart_registers);
    hk_chart_registers a, b;
    memcpy(&a, before + at, sizeof a);
    memcpy(&b, now + at, sizeof b);
    if (a.mode != b.mode || a.node != b.node || a.via != b.via || a.action.pc != b.action.pc)
        return true;
    for (uint32_t i = s->threads[machine]; i < s->threads[machine + 1]; i++) {
        hk_chart_thread x, y;
        memcpy(&x, before + s->layout->threads + i * sizeof x, sizeof x);
        memcpy(&y, now + s->layout->threads + i * sizeof y, sizeof y);
        if (x.pc != y.pc)
            return true;
    }
    for (uint32_t i = hk_chart_first_transition(s->chart, machine);
         i < hk_chart_first_transition(s->chart, machine + 1); i++)
        if (s->taken[i])
            return true;
    return false;
}

static uint64_t marks_of(const hk_world *w, const void *before) {
    const hk_side *s = &w->sides[0];
    const void *now = hk_side_state(w, 0);
    uint64_t marks = 0;
    for (uint32_t m = 0; m < s->chart->machine_count; m++) {
        if (has_acted(s, m, before, now))
            marks |= UINT64_C(1) << s->root[m];
        if (hk_chart_machine_at(s->runner, now, m)->mode == HK_CHART_ENDED && s->root[m] == m)
            marks |= UINT64_C(1) << (HK_WORLD_ENDED + m);
    }
    if (hk_chart_terminated(s->runner, now))
        marks |= UINT64_C(1) << HK_WORLD_TERMINATED;
    return marks;
}

/* Is a whole number so large that steps of a run can bring it out of its 64 bits? Then it can be
 * seen, even of a variable that nobody reads. */
static bool holds_large(const hk_chart_type *type, const hk_cell *cells) {
    const int64_t large = INT64_C(1) << 62;
    if (type->kind == HK_CHART_INT || type->kind == HK_CHART_NAT)
        return cells->i > large || cells->i < -large;
    for (uint32_t i = 0; i < type->field_count; i++)
        if (holds_large(type->fields[i].type, cells + type->fields[i].offset))
            return true;
    uint32_t at = type->kind == HK_CHART_SEQUENCE; /* behind its length */
    for (; type->element && at < type->size; at += type->element->size)
        if (holds_large(type->element, cells + at))
            return true;
    return false;
}

/* Values that nobody can read any more, and times that are beyond all that they are compared with.
 */
static void tidy(hk_world *w, unsigned unit) {
    const hk_side *s = &w->sides[unit];
    char *state = hk_side_state(w, unit);
    const hk_chart_layout *at = s->layout;
    hk_cell *memory = hk_world_memory(w, unit);
    int64_t cycle = 1; /* not the first one: which it is does not matter */
    memcpy(state + at->cycle, &cycle, sizeof cycle);
    memset(state + at->received, 0, at->line_words * sizeof(uint64_t));
    memset(state + at->called, 0, at->operation_words * sizeof(uint64_t));
    for (uint32_t i = 0; i < s->chart->line_count; i++) {
        const hk_chart_line *l = &s->chart->lines[i];
        bool kept = l->kind == HK_CHART_BETWEEN && hk_chart_was_sent(s->runner, state, i);
        if (l->type)
            memset(memory + l->cell, 0, l->type->size * sizeof *memory);
        if (l->type && l->sent != l->cell && !kept)
            memset(memory + l->sent, 0, l->type->size * sizeof *memory);
        uint64_t word;
        memcpy(&word, state + at->sent + i / 64 * sizeof word, sizeof word);
        word &= kept ? UINT64_MAX : ~(UINT64_C(1) << (i % 64));
        memcpy(state + at->sent + i / 64 * sizeof word, &word, sizeof word);
    }
    for (uint32_t i = 0; i < s->chart->operation_count; i++) {
        const hk_chart_operation *o = &s->chart->operations[i];
        for (uint32_t k = 0; k < o->parameter_count; k++)
            memset(memory + o->cell + o->parameters[k].offset, 0,
                   o->parameters[k].type->size * sizeof *memory);
    }
    for (uint32_t i = 0; i < s->idle_count; i++) {
        const hk_chart_variable *v = &s->chart->variables[s->idle[i]];
        if (!holds_large(v->type, memory + v->cell))
            memset(memory + v->cell, 0, v->type->size * sizeof *memory);
    }
    for (uint32_t i = 0; i < at->tick_count; i++) {
        uint32_t tick;
        memcpy(&tick, state + at->ticks + i * sizeof tick, sizeof tick);
        if (s->tick_caps[i] && tick > s->tick_caps[i])
            memcpy(state + at->ticks + i * sizeof tick, &s->tick_caps[i], sizeof tick);
    }
}

/* What the other side has brought behind the cycle before waits in the state, like what machines
 * have sent to each other; all else comes now. */
static void look_who_waits(const hk_world *w, unsigned unit) {
    const hk_side *s = &w->sides[unit];
    const char *state = hk_side_state(w, unit);
    for (uint32_t i = 0; i < s->chart->line_count; i++) {
        bool between = s->chart->lines[i].kind == HK_CHART_BETWEEN;
        uint64_t word;
        memcpy(&word,
               state + (between ? s->layout->sent : s->layout->received) + i / 64 * sizeof word,
               sizeof word);
        s->present[i] = word >> (i % 64) & 1;
    }
}

static bool step_plant(hk_world *w) {
    if (w->table)
        return step_table(w);
    if (w->side_count < 2)
        return true;
    choose_inputs(w, 1);
    if (!run_side(w, 1))
        return false;
    follow_links(w, 1);
    return true;
}

bool hk_world_step(void *world, hk_walk_edge edge, hk_choices *choices, uint64_t *state,
                   uint64_t *ret_marks) {
    hk_world *w = world;
    hk_side *s = &w->sides[0];
    w->edge = edge;
    w->choices = choices;
    w->state = state;
    for (unsigned i = 0; i < w->side_count; i++)
        look_who_waits(w, i);
    if (!step_plant(w))
        return false;
    choose_inputs(w, 0);
    if (w->witness)
        hk_witness_inputs(w);
    memcpy(w->before, hk_side_state(w, 0), s->layout->size);
    bool ran = run_side(w, 0);
    if (w->witness)
        hk_witness_done(w);
    if (ran || s->report.all_ran)
        hk_world_judge(w);
    *ret_marks = marks_of(w, w->before);
    if (!ran) {
        *ret_marks &= (UINT64_C(1) << HK_WORLD_MACHINES) - 1;
        if (s->report.machine != HK_CHART_NONE)
            *ret_marks |= UINT64_C(1) << s->root[s->report.machine];
        return false;
    }
    if (*ret_marks >> HK_WORLD_TERMINATED && !w->has_ended) {
        w->ended.edge = edge;
        w->has_ended = true;
    }
    if (w->side_count == 2) {
        tidy(w, 1);
        follow_links(w, 0);
    } else if (w->table) {
        keep_outputs(w);
    }
    tidy(w, 0);
    return true;
}

void hk_world_begin(void *world, uint64_t *ret_state) {
    const hk_world *w = world;
    memcpy(ret_state, w->first, w->words * sizeof *ret_state);
}

/* SPDX-License-Identifier: MIT
 *
 * Variables that nobody asks for. A counter that no guard, time, output or property depends on
 * would make every one of its values a state of its own; here it is found, so that it can be left
 * out.
 *
 * A variable counts if something reads it that can be seen: anything but an assignment to a
 * variable that does not count either. Whether a computation fails can be seen, too: such an
 * assignment may only do what fails for no value that a run can reach, that is, copy it or add a
 * small constant. */
#include "explore/world.h"

#include <math.h>
#include <string.h>

/* So large a step comes from 2^62, up to where variables are left out, to 2^63 in 2^32 additions:
 * what comes behind so many of them is not looked for. */
enum { STEP_MAX = 1 << 30 };

typedef struct slicing {
    const hk_side *side;
    const hk_chart *chart;
    const hk_cell *memory; /* with the values of constants */
    bool *counts;          /* per variable */
    bool *written;         /* ... it is not only what it was at the start */
    bool changed;
} slicing;

static uint32_t variable_at(const hk_chart *chart, uint32_t cell) {
    for (uint32_t i = 0; i < chart->variable_count; i++)
        if (cell - chart->variables[i].cell < chart->variables[i].type->size)
            return i;
    return HK_CHART_NONE;
}

static void count_cell(slicing *s, uint32_t cell) {
    uint32_t v = variable_at(s->chart, cell);
    if (v == HK_CHART_NONE || s->counts[v])
        return;
    s->counts[v] = true;
    s->changed = true;
}

/* All that it reads counts. */
static void count_expr(slicing *s, const hk_chart_expr *e) {
    if (!e)
        return;
    if (e->op == HK_CHART_LOAD)
        count_cell(s, e->cell);
    for (uint32_t i = 0; i < e->arg_count; i++)
        count_expr(s, e->args[i]);
}

static void count_all(slicing *s, const hk_chart_code *codes, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        count_expr(s, codes[i].expr);
}

/* Does it read something that does not count? */
static bool reads_idle(const slicing *s, const hk_chart_expr *e) {
    uint32_t v = e->op == HK_CHART_LOAD ? variable_at(s->chart, e->cell) : HK_CHART_NONE;
    if (v != HK_CHART_NONE && !s->counts[v])
        return true;
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (reads_idle(s, e->args[i]))
            return true;
    return false;
}

static bool is_step(const slicing *s, const hk_chart_expr *e, bool down) {
    double step = hk_side_constant(s->side, s->memory, e);
    return fabs(step) <= STEP_MAX && (!down || step >= 0); /* not of what is not known: a NaN */
}

/* It cannot fail because of what does not count. */
static bool is_harmless(const slicing *s, const hk_chart_expr *e) {
    bool natural = e->type->kind == HK_CHART_NAT;
    if (e->op == HK_CHART_LOAD || !reads_idle(s, e))
        return true;
    switch (e->op) {
    case HK_CHART_TO_REAL:
    case HK_CHART_FIELD:
        return is_harmless(s, e->args[0]);
    case HK_CHART_ADD:
        return (is_step(s, e->args[1], natural) && is_harmless(s, e->args[0])) ||
               (is_step(s, e->args[0], natural) && is_harmless(s, e->args[1]));
    case HK_CHART_SUBTRACT:
        return !natural && is_step(s, e->args[1], false) && is_harmless(s, e->args[0]);
    case HK_CHART_IF:
        return !reads_idle(s, e->args[0]) && is_harmless(s, e->args[1]) &&
               is_harmless(s, e->args[2]);
    default:
        return false;
    }
}

/* ---- statements */

static void look_at_place(slicing *s, const hk_chart_target *place) {
    uint32_t v = variable_at(s->chart, place->cell);
    if (v != HK_CHART_NONE)
        s->written[v] = true;
    count_expr(s, place->index);
    count_expr(s, place->column);
    if (place->index && place->sequence)
        count_cell(s, place->cell); /* is it long enough? */
}

static void look_at_assignment(slicing *s, const hk_chart_stmt *stmt) {
    const hk_chart_expr *value = stmt->value.expr;
    uint32_t v = variable_at(s->chart, stmt->place.cell);
    bool narrows = stmt->place.type->kind == HK_CHART_NAT && value->type->kind != HK_CHART_NAT;
    look_at_place(s, &stmt->place);
    if (v == HK_CHART_NONE || s->counts[v] || !is_harmless(s, value) ||
        (narrows && reads_idle(s, value)))
        count_expr(s, value);
}

static void look_at_stmt(slicing *s, const hk_chart_stmt *stmt) {
    if (!stmt)
        return;
    if (stmt->does == HK_CHART_ASSIGN) {
        look_at_assignment(s, stmt);
        return;
    }
    if (stmt->does == HK_CHART_RECEIVE && stmt->place.type)
        look_at_place(s, &stmt->place);
    count_expr(s, stmt->value.expr);
    count_expr(s, stmt->until.expr);
    count_all(s, stmt->args, stmt->arg_count);
    for (uint32_t i = 0; i < stmt->part_count; i++)
        look_at_stmt(s, stmt->parts[i]);
}

static void look_at_transition(slicing *s, const hk_chart_transition *t) {
    if (t->stores)
        look_at_place(s, &t->place);
    count_expr(s, t->match.expr);
    count_expr(s, t->probability.expr);
    count_expr(s, t->guard.expr);
    count_expr(s, t->deadline.expr);
    look_at_stmt(s, t->action);
}

static void look_at_machine(slicing *s, const hk_chart_machine *m) {
    for (uint32_t i = 0; i < m->node_count; i++) {
        look_at_stmt(s, m->nodes[i].entry);
        look_at_stmt(s, m->nodes[i].during);
        look_at_stmt(s, m->nodes[i].exit);
    }
    for (uint32_t i = 0; i < m->transition_count; i++)
        look_at_transition(s, &m->transitions[i]);
    count_all(s, m->preconditions, m->precondition_count);
    count_all(s, m->postconditions, m->postcondition_count);
}

static void look_at_functions(slicing *s) {
    for (uint32_t i = 0; i < s->chart->function_count; i++) {
        const hk_chart_function *f = s->chart->functions[i];
        count_expr(s, f->body);
        for (uint32_t k = 0; k < f->precondition_count; k++)
            count_expr(s, f->preconditions[k]);
    }
}

static void look_at_all(slicing *s) {
    for (uint32_t i = 0; i < s->chart->machine_count; i++)
        look_at_machine(s, &s->chart->machines[i]);
    for (uint32_t i = 0; i < s->chart->operation_count; i++) {
        look_at_stmt(s, s->chart->operations[i].effect);
        count_all(s, s->chart->operations[i].preconditions,
                  s->chart->operations[i].precondition_count);
    }
}

/* ---- who asks from outside */

static void count_value(slicing *s, unsigned unit, const hk_ask_value *value) {
    if (!value->literal && value->op == HK_ASK_COMPARE && value->unit == unit && value->type)
        count_cell(s, value->cell);
}

static void count_ask(slicing *s, unsigned unit, const hk_ask *ask) {
    if (!ask)
        return;
    count_ask(s, unit, ask->a);
    count_ask(s, unit, ask->b);
    if (ask->op != HK_ASK_COMPARE)
        return;
    count_value(s, unit, &ask->left);
    count_value(s, unit, &ask->right);
}

static void count_asked(slicing *s, const hk_world *w, unsigned unit) {
    for (size_t i = 0; i < w->properties->count; i++) {
        count_ask(s, unit, w->properties->all[i].a);
        count_ask(s, unit, w->properties->all[i].b);
    }
    for (size_t i = 0; i < s->side->link_count; i++)
        count_value(s, unit, &s->side->links[i].from);
    for (size_t i = 0; w->table && i < w->table->output_count; i++)
        count_value(s, unit, &w->table->outputs[i].value);
}

void hk_side_find_idle(hk_world *w, unsigned unit, const hk_cell *memory) {
    hk_side *side = &w->sides[unit];
    const hk_chart *chart = side->chart;
    slicing s = {.side = side,
                 .chart = chart,
                 .memory = memory,
                 .counts = HK_NEW_ARRAY(w->arena, bool, chart->variable_count + 1),
                 .written = HK_NEW_ARRAY(w->arena, bool, chart->variable_count + 1)};
    for (uint32_t i = 0; i < chart->variable_count; i++)
        s.counts[i] = chart->variables[i].constant;
    count_asked(&s, w, unit);
    look_at_functions(&s);
    do {
        s.changed = false;
        look_at_all(&s);
    } while (s.changed);
    side->idle = HK_NEW_ARRAY(w->arena, uint32_t, chart->variable_count + 1);
    for (uint32_t i = 0; i < chart->variable_count; i++)
        if (s.written[i] && !s.counts[i])
            side->idle[side->idle_count++] = i;
}

/* ---- in words */

static const char *variable_name(const hk_world *w, unsigned unit, uint32_t variable) {
    return hk_arena_printf(w->arena, "%s%s", unit ? "plant." : "",
                           w->sides[unit].chart->variables[variable].path);
}

const char *hk_world_idle_text(const hk_world *w) {
    const char *text = "";
    for (unsigned u = 0; u < w->side_count; u++)
        for (uint32_t i = 0; i < w->sides[u].idle_count; i++)
            text = hk_arena_printf(w->arena, "%s%s%s", text, *text ? ", " : "",
                                   variable_name(w, u, w->sides[u].idle[i]));
    return text;
}

/* Something that a state holds, and how many values were seen of it. */
typedef struct held {
    const char *name;
    size_t values;
} held;

enum { SHOWN = 3, MANY = 16 };

/* Keeps the largest, first come first. */
static void rank(held best[SHOWN], held one) {
    for (size_t i = 0; i < SHOWN; i++)
        if (one.values > best[i].values) {
            held less = best[i];
            best[i] = one;
            one = less;
        }
}

static void rank_variables(const hk_world *w, unsigned unit, const hk_vault *vault,
                           held best[SHOWN]) {
    const hk_side *s = &w->sides[unit];
    for (uint32_t i = 0; i < s->chart->variable_count; i++) {
        const hk_chart_variable *v = &s->chart->variables[i];
        size_t values = 0;
        for (uint32_t k = 0; k < v->type->size; k++) {
            size_t word = s->at + s->layout->memory / sizeof(uint64_t) + v->cell + k;
            size_t some = hk_vault_values(vault, (uint32_t)word);
            values = some > values ? some : values;
        }
        if (values > MANY)
            rank(best, (held){variable_name(w, unit, i), values});
    }
}

/* Two clocks may share a word of the state: then each stands for both. */
static void rank_clocks(const hk_world *w, unsigned unit, const hk_vault *vault, held best[SHOWN]) {
    const hk_side *s = &w->sides[unit];
    for (uint32_t m = 0; m < s->chart->machine_count; m++)
        for (uint32_t c = 0; c < s->chart->machines[m].clock_count; c++) {
            uint32_t tick = hk_chart_clock_tick(s->runner, m, c);
            size_t at = s->layout->ticks + tick * sizeof(uint32_t);
            size_t values = hk_vault_values(vault, (uint32_t)(s->at + at / sizeof(uint64_t)));
            if (values > MANY)
                rank(best, (held){hk_arena_printf(w->arena, "clock %s of %s%s",
                                                  s->chart->machines[m].clocks[c].name,
                                                  unit ? "plant." : "", s->chart->machines[m].path),
                                  values});
        }
}

const char *hk_world_many_text(const hk_world *w, const hk_vault *vault) {
    held best[SHOWN] = {{0}};
    const char *text = "";
    for (unsigned u = 0; u < w->side_count; u++) {
        rank_variables(w, u, vault, best);
        rank_clocks(w, u, vault, best);
    }
    for (size_t i = 0; i < SHOWN && best[i].values; i++)
        text = hk_arena_printf(w->arena, "%s%s%s (%zu)", text, i ? ", " : "", best[i].name,
                               best[i].values);
    return text;
}

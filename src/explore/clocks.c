/* SPDX-License-Identifier: MIT
 *
 * A clock that is beyond everything it is compared with need not be known any better. What it is
 * compared with must not change: literals and constants of the module, and what is computed of
 * them. */
#include "explore/world.h"

#include <math.h>

typedef struct capping {
    hk_side *side;
    const hk_cell *memory; /* with the values of constants */
    uint32_t machine;
    double *largest; /* per tick, in time units; NaN: it cannot be said */
} capping;

static bool is_constant_cell(const hk_chart *chart, uint32_t cell) {
    for (uint32_t i = 0; i < chart->variable_count; i++) {
        const hk_chart_variable *v = &chart->variables[i];
        if (cell >= v->cell && cell < v->cell + v->type->size)
            return v->constant;
    }
    return false;
}

double hk_side_constant(const hk_side *side, const hk_cell *memory, const hk_chart_expr *e) {
    hk_cell cell = e->value;
    if (e->op == HK_CHART_LOAD) {
        if (!is_constant_cell(side->chart, e->cell))
            return NAN;
        cell = memory[e->cell];
    }
    bool computed = e->op != HK_CHART_LOAD;
    double a = computed && e->arg_count > 0 ? hk_side_constant(side, memory, e->args[0]) : 0;
    double b = computed && e->arg_count > 1 ? hk_side_constant(side, memory, e->args[1]) : 0;
    switch (e->op) {
    case HK_CHART_LITERAL:
    case HK_CHART_LOAD:
        return e->type->kind == HK_CHART_REAL ? cell.r : (double)cell.i;
    case HK_CHART_TO_REAL:
    case HK_CHART_TO_NAT:
        return a;
    case HK_CHART_NEGATE:
        return -a;
    case HK_CHART_ADD:
        return a + b;
    case HK_CHART_SUBTRACT:
        return a - b;
    case HK_CHART_MULTIPLY:
        return a * b;
    case HK_CHART_DIVIDE:
        return e->type->kind == HK_CHART_REAL && b != 0 ? a / b : (double)NAN;
    default:
        return NAN;
    }
}

static double constant_of(const capping *c, const hk_chart_expr *e) {
    return hk_side_constant(c->side, c->memory, e);
}

static bool is_time(const hk_chart_expr *e) {
    while (e->op == HK_CHART_TO_REAL)
        e = e->args[0];
    return e->op == HK_CHART_SINCE || e->op == HK_CHART_SINCE_ENTRY;
}

static void raise(double *largest, double value) {
    *largest = isnan(*largest) || isnan(value) ? (double)NAN : fmax(*largest, value);
}

/* The tick of a SINCE or SINCE_ENTRY. */
static uint32_t tick_of(const capping *c, const hk_chart_expr *e) {
    while (e->op == HK_CHART_TO_REAL)
        e = e->args[0];
    return e->op == HK_CHART_SINCE ? hk_chart_clock_tick(c->side->runner, c->machine, e->clock)
                                   : hk_chart_state_tick(c->side->runner, c->machine, e->state);
}

static void look_at(capping *c, const hk_chart_expr *e) {
    bool compares =
        (e->op >= HK_CHART_EQUAL && e->op <= HK_CHART_GREATER_EQUAL) || e->op == HK_CHART_WITHIN;
    if (is_time(e)) { /* anything else than a comparison: it is taken as it is */
        raise(&c->largest[tick_of(c, e)], NAN);
        return;
    }
    for (uint32_t i = 0; i < e->arg_count; i++) {
        if (!compares || !is_time(e->args[i])) {
            look_at(c, e->args[i]);
            continue;
        }
        for (uint32_t k = 0; k < e->arg_count; k++)
            if (k != i)
                raise(&c->largest[tick_of(c, e->args[i])], constant_of(c, e->args[k]));
    }
}

static void look_at_code(capping *c, const hk_chart_code *code) {
    if (code->expr)
        look_at(c, code->expr);
}

static void look_at_stmt(capping *c, const hk_chart_stmt *stmt) {
    if (!stmt)
        return;
    look_at_code(c, &stmt->value);
    look_at_code(c, &stmt->until);
    for (uint32_t i = 0; i < stmt->arg_count; i++)
        look_at_code(c, &stmt->args[i]);
    for (uint32_t i = 0; i < stmt->part_count; i++)
        look_at_stmt(c, stmt->parts[i]);
}

static void look_at_machine(capping *c, const hk_chart_machine *m) {
    for (uint32_t i = 0; i < m->node_count; i++) {
        look_at_stmt(c, m->nodes[i].entry);
        look_at_stmt(c, m->nodes[i].during);
        look_at_stmt(c, m->nodes[i].exit);
    }
    for (uint32_t i = 0; i < m->transition_count; i++) {
        const hk_chart_transition *t = &m->transitions[i];
        look_at_code(c, &t->match);
        look_at_code(c, &t->probability);
        look_at_code(c, &t->guard);
        look_at_stmt(c, t->action);
        if (t->deadline.expr) { /* of its source: beyond it the run fails */
            uint32_t tick = hk_chart_state_tick(c->side->runner, c->machine, t->from);
            raise(&c->largest[tick], constant_of(c, t->deadline.expr));
        }
    }
}

/* The first tick whose time, rounded as a run rounds it, is beyond LARGEST; 0: not known, or too
 * far away. A quotient of doubles may be one tick short (0.3 / 0.1 is less than 3). */
static uint32_t first_beyond(const hk_side *s, double largest) {
    double num = (double)s->chart->cycle.num, den = (double)s->chart->cycle.den;
    double tick = fmax(floor(largest * den / num), 0) + 1;
    if (isnan(largest) || tick + 2 >= UINT32_MAX)
        return 0;
    while (tick * num / den <= largest)
        tick++;
    return (uint32_t)tick;
}

void hk_side_cap_clocks(hk_arena *arena, hk_side *s, const hk_cell *memory) {
    uint32_t count = s->layout->tick_count;
    capping c = {.side = s, .memory = memory, .largest = HK_NEW_ARRAY(arena, double, count + 1)};
    for (c.machine = 0; c.machine < s->chart->machine_count; c.machine++)
        look_at_machine(&c, &s->chart->machines[c.machine]);
    for (uint32_t i = 0; i < count; i++) {
        s->tick_largest[i] = c.largest[i];
        s->tick_caps[i] = first_beyond(s, c.largest[i]);
    }
}

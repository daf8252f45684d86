/* SPDX-License-Identifier: MIT
 *
 * Reals in Promela, which has integers: whole multiples of one over the scale. */
#include "explore/promela.h"

#include "base/ratio.h"

#include <math.h>

enum { SCALE_MAX = 100000 };

/* The smallest scale in which VALUE is whole, together with SCALE; 0: none that is small. */
static int64_t widen(int64_t scale, double value) {
    for (int64_t s = 1; scale && s <= SCALE_MAX; s++)
        if (fabs(value * (double)s) < 1e9 && value * (double)s == floor(value * (double)s)) {
            int64_t both = scale / hk_gcd(scale, s) * s;
            return both <= SCALE_MAX ? both : 0;
        }
    return 0;
}

static int64_t widen_expr(int64_t scale, const hk_chart_expr *e) {
    if (e->op == HK_CHART_LITERAL && e->type->kind == HK_CHART_REAL)
        scale = widen(scale, e->value.r);
    if (e->op == HK_CHART_CALL && e->function->body)
        for (uint32_t i = 0; i < e->arg_count; i++)
            scale = widen_expr(scale, e->args[i]);
    for (uint32_t i = 0; e->op != HK_CHART_CALL && i < e->arg_count; i++)
        scale = widen_expr(scale, e->args[i]);
    return scale;
}

static int64_t widen_code(int64_t scale, const hk_chart_code *code) {
    return code->expr ? widen_expr(scale, code->expr) : scale;
}

static int64_t widen_stmt(int64_t scale, const hk_chart_stmt *s) {
    if (!s)
        return scale;
    scale = widen_code(widen_code(scale, &s->value), &s->until);
    for (uint32_t i = 0; i < s->arg_count; i++)
        scale = widen_code(scale, &s->args[i]);
    for (uint32_t i = 0; i < s->part_count; i++)
        scale = widen_stmt(scale, s->parts[i]);
    return scale;
}

static int64_t widen_transition(int64_t scale, const hk_chart_transition *t) {
    scale = widen_code(widen_stmt(scale, t->action), &t->guard);
    scale = widen_code(widen_code(scale, &t->match), &t->probability);
    return widen_code(scale, &t->deadline);
}

static int64_t widen_offer(int64_t scale, const hk_offer *o) {
    if (!o)
        return scale;
    for (uint64_t i = 0; o->values && o->type->kind == HK_CHART_REAL && i < o->count; i++)
        scale = widen(scale, o->values[i].r);
    uint32_t parts = o->values ? 0 : o->type->field_count ? o->type->field_count : 1;
    for (uint32_t i = 0; i < parts; i++)
        scale = widen_offer(scale, o->parts[i]);
    return scale;
}

int64_t hk_pml_scale(const hk_world *w) {
    const hk_chart *c = w->sides[0].chart;
    const hk_cell *memory = hk_chart_memory(w->sides[0].runner, w->first + w->sides[0].at);
    int64_t scale = 1;
    for (uint32_t m = 0; m < c->machine_count; m++) {
        const hk_chart_machine *mc = &c->machines[m];
        for (uint32_t i = 0; i < mc->node_count; i++)
            scale =
                widen_stmt(widen_stmt(widen_stmt(scale, mc->nodes[i].entry), mc->nodes[i].during),
                           mc->nodes[i].exit);
        for (uint32_t i = 0; i < mc->transition_count; i++)
            scale = widen_transition(scale, &mc->transitions[i]);
    }
    for (uint32_t i = 0; i < c->operation_count; i++)
        scale = widen_stmt(scale, c->operations[i].effect);
    for (uint32_t i = 0; i < c->function_count; i++)
        scale = c->functions[i]->body ? widen_expr(scale, c->functions[i]->body) : scale;
    for (uint32_t i = 0; i < c->variable_count; i++)
        if (c->variables[i].type->kind == HK_CHART_REAL)
            scale = widen(scale, memory[c->variables[i].cell].r);
    for (size_t i = 0; i < w->sides[0].input_count; i++)
        scale = widen_offer(scale, w->sides[0].inputs[i].offer);
    return scale;
}

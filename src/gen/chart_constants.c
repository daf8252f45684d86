/* SPDX-License-Identifier: MIT
 *
 * Constants: those that must be given, and those that follow others. That one was given is
 * remembered by itself, beside its value: every value is one that can be given. */
#include "gen/chart_internal.h"

static bool loads(const hk_chart_expr *e) {
    bool found = e->op == HK_CHART_LOAD;
    for (uint32_t i = 0; i < e->arg_count; i++)
        found = found || loads(e->args[i]);
    return found;
}

static bool is_computed(const hk_cg *g, uint32_t variable) {
    const hk_chart_expr *start = g->chart->variables[variable].start.expr;
    return start && loads(start);
}

void hk_cg_find_constants(hk_cg *g) {
    const hk_chart_ports *ports = &g->ports;
    while (g->first_constant < ports->count &&
           ports->all[g->first_constant].kind != HK_CHART_PORT_CONSTANT)
        g->first_constant++;
    g->last_constant = g->first_constant;
    while (g->last_constant < ports->count &&
           ports->all[g->last_constant].kind == HK_CHART_PORT_CONSTANT) {
        const hk_chart_port *p = &ports->all[g->last_constant++];
        g->marked = g->marked || !p->has_start || is_computed(g, p->index);
    }
}

void hk_cg_put_given(hk_cg *g) {
    if (!g->marked)
        return;
    hk_cg_function saved = hk_cg_begin(g);
    hk_cg_line_put(g, 1, "%s *x = self;", g->name);
    hk_cg_line_put(g, 1, "if (port >= %u && port < %u)", (unsigned)g->first_constant,
                   (unsigned)g->last_constant);
    hk_cg_line_put(g, 2, "x->given[port - %u] = true;", (unsigned)g->first_constant);
    hk_text_put(g->out, "/* A port is set before init: constants remember that. */\n");
    hk_cg_end(g, saved, hk_cg_print(g, "static void %s_given(void *self, size_t port)", g->name));
}

void hk_cg_put_check(hk_cg *g, const hk_chart_port *p, int depth, const char *what,
                     const char *rest) {
    bool number = p->type == HK_TYPE_I64 || p->type == HK_TYPE_ENUM;
    if (!number || (p->least == INT64_MIN && p->most == INT64_MAX))
        return;
    hk_cg_line_put(g, depth, "hk_rc_range(&x->trouble, x->%s, %s, %s, %s, %s);", hk_cg_field(g, p),
                   hk_cg_int(g, p->least), hk_cg_int(g, p->most), hk_cg_at(g, p->line, p->column),
                   hk_cg_quoted(g, hk_cg_print(g, "%s '%s'%s", what, p->name, rest)));
}

void hk_cg_put_constants(hk_cg *g) {
    for (uint32_t i = g->first_constant; i < g->last_constant; i++) {
        const hk_chart_port *p = &g->ports.all[i];
        if (!p->has_start) {
            const char *words = hk_cg_print(g, "constant '%s' has no value", p->name);
            hk_cg_line_put(g, 1, "if (!x->given[%u])", (unsigned)(i - g->first_constant));
            hk_cg_line_put(g, 2, "hk_rc_fail(&x->trouble, %s, %s);",
                           hk_cg_at(g, p->line, p->column), hk_cg_quoted(g, words));
        }
        hk_cg_put_check(g, p, 1, "is not a value of constant", "");
    }
}

/* The parts that are given keep their values. */
static void put_parts(hk_cg *g, uint32_t variable, uint32_t first, uint32_t last) {
    const hk_chart_variable *v = &g->chart->variables[variable];
    const char *name = g->variables[variable], *made = hk_cg_var(g, v->type, "made");
    unsigned from = first - g->first_constant;
    hk_cg_line_put(g, 1, "if (memchr(x->given + %u, false, %u)) {", from, (unsigned)(last - first));
    hk_cg_line_put(g, 2, "%s = %s;", made, hk_cg_bare(g, v->start.expr));
    for (uint32_t i = first; i < last; i++) {
        const hk_chart_port *p = &g->ports.all[i];
        hk_cg_line_put(g, 2, "if (x->given[%u])", from + i - first);
        hk_cg_line_put(g, 3, "%s = x->%s;", hk_cg_scalar(g, v->type, p->cell - v->cell, made),
                       hk_cg_field(g, p));
    }
    hk_cg_line_put(g, 2, "x->%s = %s;", name, made);
    hk_cg_line_put(g, 1, "}");
}

/* A constant that is computed from others follows them, as far as it is not given. */
void hk_cg_put_computed(hk_cg *g, uint32_t variable) {
    const hk_chart_variable *v = &g->chart->variables[variable];
    uint32_t first = g->first_constant, last;
    if (!is_computed(g, variable))
        return;
    while (first < g->last_constant && g->ports.all[first].index != variable)
        first++;
    for (last = first; last < g->last_constant && g->ports.all[last].index == variable;)
        last++;
    if (!hk_chart_is_scalar(v->type)) {
        put_parts(g, variable, first, last);
        return;
    }
    hk_cg_line_put(g, 1, "if (!x->given[%u])", (unsigned)(first - g->first_constant));
    hk_cg_line_put(g, 2, "x->%s = %s;", g->variables[variable], hk_cg_bare(g, v->start.expr));
    if (v->type->kind == HK_CHART_NAT)
        hk_cg_put_nat(g, variable);
}

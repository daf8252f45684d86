/* SPDX-License-Identifier: MIT
 *
 * What is allowed in a machine, and hardly meant: states that are never entered or never left,
 * choices that nothing decides, clocks that are asked before they are reset, events that lead
 * nowhere. */
#include "chart/chart_check.h"

#include <string.h>

typedef struct linter {
    hk_ctx *ctx;
    const hk_chart *chart;
    const hk_chart_machine *machine;
    bool *seen; /* nodes */
    uint32_t *stack;
} linter;

static hk_where place(const linter *l, int line, int column) {
    return (hk_where){.file = l->machine->file, .line = line, .column = column};
}

/* ---- what is reached --------------------------------------------------------------------------
 */

static bool resets_in(const hk_chart_stmt *stmt, uint32_t clock) {
    if (!stmt)
        return false;
    if (stmt->does == HK_CHART_RESET && stmt->clock == clock)
        return true;
    for (uint32_t i = 0; i < stmt->part_count; i++)
        if (resets_in(stmt->parts[i], clock) && stmt->does != HK_CHART_CHOICE)
            return true;
    return false;
}

static bool transition_resets(const hk_chart_transition *t, uint32_t clock) {
    for (uint32_t i = 0; i < t->reset_count; i++)
        if (t->resets[i] == clock)
            return true;
    return resets_in(t->action, clock);
}

static void push(linter *l, uint32_t node, uint32_t *count) {
    if (node == HK_CHART_NONE || l->seen[node])
        return;
    l->seen[node] = true;
    l->stack[(*count)++] = node;
}

/* Marks the nodes that can be reached; CLOCK: without resetting it, NONE: at all. */
static void reach(linter *l, uint32_t clock) {
    const hk_chart_machine *m = l->machine;
    uint32_t count = 0;
    memset(l->seen, 0, m->node_count * sizeof *l->seen);
    push(l, m->initial, &count);
    while (count) {
        uint32_t n = l->stack[--count];
        const hk_chart_node *node = &m->nodes[n];
        bool reset = clock != HK_CHART_NONE && resets_in(node->entry, clock);
        if (reset) { /* it is reset from here on */
            l->seen[n] = false;
            continue;
        }
        push(l, node->initial, &count);
        for (uint32_t i = 0; i < node->outgoing_count; i++) {
            const hk_chart_transition *t = &m->transitions[node->outgoing[i]];
            if (clock == HK_CHART_NONE || !transition_resets(t, clock))
                push(l, t->to, &count);
        }
    }
}

static void lint_reached(linter *l) {
    reach(l, HK_CHART_NONE);
    for (uint32_t i = 0; i < l->machine->node_count; i++) {
        const hk_chart_node *node = &l->machine->nodes[i];
        bool inside = node->parent != HK_CHART_NONE && !l->seen[node->parent];
        if (!l->seen[i] && !inside && node->kind != HK_CHART_INITIAL)
            hk_warn(l->ctx, HK_E_CHART, place(l, node->line, node->column), NULL,
                    "no way leads to %s '%s' of machine '%s'",
                    node->kind == HK_CHART_STATE   ? "state"
                    : node->kind == HK_CHART_FINAL ? "final state"
                                                   : "junction",
                    node->name, l->machine->path);
    }
}

/* ---- clocks -----------------------------------------------------------------------------------
 */

static bool asks(const hk_chart_expr *expr, uint32_t clock) {
    if (!expr)
        return false;
    if (expr->op == HK_CHART_SINCE && expr->clock == clock)
        return true;
    for (uint32_t i = 0; i < expr->arg_count; i++)
        if (asks(expr->args[i], clock))
            return true;
    return false;
}

static void lint_clock(linter *l, uint32_t clock) {
    const hk_chart_machine *m = l->machine;
    reach(l, clock);
    for (uint32_t i = 0; i < m->transition_count; i++) {
        const hk_chart_transition *t = &m->transitions[i];
        if (!l->seen[t->from] || !asks(t->guard.expr, clock))
            continue;
        hk_warn(l->ctx, HK_E_CHART, place(l, t->line, t->column),
                "it then counts from the start of the machine",
                "transition '%s' may ask clock '%s' before it is reset", t->name,
                m->clocks[clock].name);
        return;
    }
}

/* ---- states -----------------------------------------------------------------------------------
 */

static void lint_dead(linter *l) {
    const hk_chart_machine *m = l->machine;
    reach(l, HK_CHART_NONE);
    for (uint32_t i = 0; i < m->node_count; i++) {
        const hk_chart_node *node = &m->nodes[i];
        bool left = node->initial != HK_CHART_NONE;
        for (uint32_t n = i; n != HK_CHART_NONE; n = m->nodes[n].parent)
            left = left || m->nodes[n].outgoing_count;
        if (node->kind == HK_CHART_STATE && !left && l->seen[i])
            hk_warn(l->ctx, HK_E_CHART, place(l, node->line, node->column),
                    "a machine that is done goes to a final state",
                    "state '%s' of machine '%s' is never left", node->name, m->path);
    }
}

static bool is_unguarded(const hk_chart_transition *t) {
    return !t->guard.expr && !t->match.expr && !t->otherwise && !t->probability.expr;
}

static void lint_pair(linter *l, const hk_chart_transition *a, const hk_chart_transition *b) {
    if (is_unguarded(a) && is_unguarded(b) && a->trigger == b->trigger)
        hk_warn(l->ctx, HK_E_CHART, place(l, b->line, b->column),
                "the first that is declared, of the outermost state, is taken",
                "transitions '%s' and '%s' of machine '%s' are enabled together", a->name, b->name,
                l->machine->path);
}

/* Transitions out of a state, and of those that it is in. */
static void lint_choices(linter *l) {
    const hk_chart_machine *m = l->machine;
    for (uint32_t i = 0; i < m->node_count; i++) {
        const hk_chart_node *node = &m->nodes[i];
        if (node->kind != HK_CHART_STATE && node->kind != HK_CHART_JUNCTION)
            continue;
        for (uint32_t k = 0; k < node->outgoing_count; k++) {
            const hk_chart_transition *b = &m->transitions[node->outgoing[k]];
            for (uint32_t j = 0; j < k; j++)
                lint_pair(l, &m->transitions[node->outgoing[j]], b);
            if (node->kind == HK_CHART_JUNCTION)
                continue;
            for (uint32_t n = node->parent; n != HK_CHART_NONE; n = m->nodes[n].parent)
                for (uint32_t j = 0; j < m->nodes[n].outgoing_count; j++)
                    lint_pair(l, &m->transitions[m->nodes[n].outgoing[j]], b);
        }
    }
}

/* ---- events -----------------------------------------------------------------------------------
 */

static void mark_events(const hk_chart_stmt *stmt, bool *sends, bool *receives) {
    if (!stmt)
        return;
    if (stmt->does == HK_CHART_SEND)
        sends[stmt->event] = true;
    if (stmt->does == HK_CHART_RECEIVE)
        receives[stmt->event] = true;
    for (uint32_t i = 0; i < stmt->part_count; i++)
        mark_events(stmt->parts[i], sends, receives);
}

static void mark_machine(const hk_chart_machine *m, bool *sends, bool *receives) {
    for (uint32_t i = 0; i < m->node_count; i++) {
        mark_events(m->nodes[i].entry, sends, receives);
        mark_events(m->nodes[i].during, sends, receives);
        mark_events(m->nodes[i].exit, sends, receives);
    }
    for (uint32_t i = 0; i < m->transition_count; i++) {
        mark_events(m->transitions[i].action, sends, receives);
        if (m->transitions[i].trigger != HK_CHART_NONE)
            receives[m->transitions[i].trigger] = true;
    }
}

/* Operations that are machines have the events of who calls them: one of them may be the only one
 * that uses an event. */
static bool is_used_below(const hk_chart *chart, const hk_chart_machine *m, const char *event) {
    bool found = false;
    for (uint32_t i = 0; i < chart->machine_count && !found; i++) {
        const hk_chart_machine *called = &chart->machines[i];
        if (called->caller == HK_CHART_NONE || &chart->machines[called->caller] != m)
            continue;
        bool *used = hk_alloc((called->event_count + 1) * sizeof *used);
        mark_machine(called, used, used);
        for (uint32_t e = 0; e < called->event_count; e++)
            found = found || (used[e] && strcmp(called->events[e].name, event) == 0);
        hk_free(used);
        found = found || is_used_below(chart, called, event);
    }
    return found;
}

static void lint_events(linter *l) {
    const hk_chart_machine *m = l->machine;
    bool *sends = hk_alloc(2 * (m->event_count + 1) * sizeof *sends);
    bool *receives = sends + m->event_count + 1;
    mark_machine(m, sends, receives);
    for (uint32_t i = 0; i < m->event_count; i++) {
        const hk_chart_event *e = &m->events[i];
        hk_where where = place(l, e->line, e->column);
        where.file = e->file;
        if (sends[i] && e->out == HK_CHART_NONE)
            hk_warn(l->ctx, HK_E_CHART, where, "connect it",
                    "machine '%s' sends event '%s', which leads nowhere", m->path, e->name);
        if (receives[i] && e->in == HK_CHART_NONE)
            hk_warn(l->ctx, HK_E_CHART, where, "connect it",
                    "machine '%s' waits for event '%s', which comes from nowhere", m->path,
                    e->name);
        if (!sends[i] && !receives[i] && m->caller == HK_CHART_NONE &&
            !is_used_below(l->chart, m, e->name))
            hk_warn(l->ctx, HK_E_CHART, where, NULL, "machine '%s' does not use event '%s'",
                    m->path, e->name);
    }
    hk_free(sends);
}

/* A machine that is used twice is looked at once. */
static bool is_first(const hk_chart *chart, uint32_t index) {
    const hk_chart_machine *m = &chart->machines[index];
    for (uint32_t i = 0; i < index; i++)
        if (chart->machines[i].line == m->line && strcmp(chart->machines[i].file, m->file) == 0 &&
            strcmp(chart->machines[i].name, m->name) == 0)
            return false;
    return true;
}

void hk_chart_lint(hk_ctx *ctx, const hk_chart *chart) {
    for (uint32_t i = 0; i < chart->machine_count; i++) {
        const hk_chart_machine *m = &chart->machines[i];
        linter l = {.ctx = ctx,
                    .chart = chart,
                    .machine = m,
                    .seen = hk_alloc((m->node_count + 1) * sizeof *l.seen),
                    .stack = hk_alloc((m->node_count + 1) * sizeof *l.stack)};
        lint_events(&l);
        if (is_first(chart, i)) {
            lint_reached(&l);
            lint_dead(&l);
            lint_choices(&l);
            for (uint32_t c = 0; c < m->clock_count; c++)
                lint_clock(&l, c);
        }
        hk_free(l.seen);
        hk_free(l.stack);
    }
}

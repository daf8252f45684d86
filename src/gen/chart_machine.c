/* SPDX-License-Identifier: MIT
 *
 * The functions of a machine. A transition is one function that leaves its source, does its action
 * and enters its target, which may lead on to others. Where something in it may take time, the
 * function ends there; `at` says with which function the machine goes on. */
#include "gen/chart_internal.h"

#include <string.h>

const hk_chart_machine *hk_cg_machine_of(const hk_cg *g) {
    return &g->chart->machines[g->machine];
}

const hk_chart_node *hk_cg_node_of(const hk_cg *g, uint32_t node) {
    return &hk_cg_machine_of(g)->nodes[node];
}

const char *hk_cg_self(const hk_cg *g) {
    return hk_cg_print(g, "x->%s", g->machines[g->machine].c);
}

const char *hk_cg_mfn(hk_cg *g, const char *kind, const char *name) {
    return hk_cg_fn(g, g->machine, kind, name);
}

const char *hk_cg_of(hk_cg *g, const char *kind, const char *function) {
    size_t prefix = strlen(g->machines[g->machine].c) + 1;
    return hk_cg_mfn(g, kind, function + prefix);
}

const char *hk_cg_node_fn(hk_cg *g, const char *kind, uint32_t node) {
    return hk_cg_mfn(g, kind, g->machines[g->machine].nodes[node]);
}

const char *hk_cg_transition_fn(hk_cg *g, const char *kind, uint32_t transition) {
    return hk_cg_mfn(g, kind, g->machines[g->machine].transitions[transition]);
}

/* The state of a machine inside of NODE's parent. */
static const char *outside(const hk_cg *g, uint32_t node) {
    uint32_t parent = hk_cg_node_of(g, node)->parent;
    return parent == HK_CHART_NONE ? "0" : g->machines[g->machine].states[parent];
}

void hk_cg_put_head(hk_cg *g, const char *name, hk_cg_function saved) {
    const char *head = hk_cg_print(g, "static void %s(%s *x)", name, g->name);
    hk_text_put(&g->heads, "%s;\n", head);
    hk_cg_end(g, saved, head);
}

/* The function that is being written ends here and another one, NEXT, goes on when CONDITION holds:
 * at once, or in a later cycle. */
static void part(hk_cg *g, hk_cg_function *saved, const char *name, hk_cg_resume next,
                 const char *condition) {
    next.at = hk_cg_of(g, "at", next.function);
    hk_cg_line_put(g, 1, "%s.at = %s;", hk_cg_self(g), next.at);
    hk_cg_line_put(g, 1, "%s(x);", next.function);
    HK_PUSH(g->resumes, g->resume_count, g->resume_cap, next);
    hk_cg_put_head(g, name, *saved);
    *saved = hk_cg_begin(g);
    hk_cg_line_put(g, 1, "if (!%s)", condition);
    hk_cg_line_put(g, 2, "return;");
    hk_cg_line_put(g, 1, "%s.at = %s;", hk_cg_self(g), hk_cg_mfn(g, "at_rest", ""));
}

/* The action of a node or transition: in place, or by a function of its own. */
static void put_step(hk_cg *g, const hk_chart_stmt *action, hk_cg_function *saved,
                     const char **name, hk_cg_resume next) {
    if (!action)
        return;
    if (!action->blocks) {
        hk_cg_straight(g, action, 1);
        return;
    }
    part(g, saved, *name, next, hk_cg_print(g, "%s(x)", hk_cg_of(g, "do", next.function)));
    *name = next.function;
}

/* The function of an action that may take time stands before those that call it. */
static void put_action(hk_cg *g, const hk_chart_stmt *action, const char *next) {
    if (action && action->blocks)
        hk_cg_put_action(g, action, hk_cg_of(g, "do", next),
                         hk_cg_print(g, "%s.action", hk_cg_self(g)));
}

/* ---- entering ---- */

static bool has_trigger_deadline(const hk_cg *g, const hk_chart_node *node) {
    for (uint32_t i = 0; i < node->outgoing_count; i++)
        if (hk_cg_machine_of(g)->transitions[node->outgoing[i]].deadline.expr)
            return true;
    return false;
}

bool hk_cg_is_timed(const hk_cg *g, uint32_t node) {
    const hk_chart_node *n = hk_cg_node_of(g, node);
    return n->kind == HK_CHART_STATE && (n->timed || has_trigger_deadline(g, n));
}

void hk_cg_put_enter(hk_cg *g, uint32_t node) {
    const hk_chart_node *n = hk_cg_node_of(g, node);
    const hk_cg_machine *m = &g->machines[g->machine];
    const char *name = hk_cg_node_fn(g, "enter", node), *next = hk_cg_node_fn(g, "entry", node);
    put_action(g, n->entry, next);
    hk_cg_function saved = hk_cg_begin(g);
    hk_cg_line_put(g, 1, "%s.state = %s;", hk_cg_self(g), m->states[node]);
    if (hk_cg_is_timed(g, node))
        hk_cg_line_put(g, 1, "%s.entered_%s = x->cycle;", hk_cg_self(g), m->nodes[node]);
    if (n->during)
        hk_cg_line_put(g, 1, "%s.during_%s.pc = 0;", hk_cg_self(g), m->nodes[node]);
    put_step(g, n->entry, &saved, &name,
             (hk_cg_resume){.function = next, .settled = outside(g, node)});
    if (hk_cg_is_timed(g, node) && n->entry && n->entry->blocks)
        hk_cg_line_put(g, 1, "%s.entered_%s = x->cycle;", hk_cg_self(g), m->nodes[node]);
    if (n->initial != HK_CHART_NONE)
        hk_cg_line_put(g, 1, "%s(x);",
                       hk_cg_transition_fn(g, "take", hk_cg_node_of(g, n->initial)->outgoing[0]));
    hk_cg_put_head(g, name, saved);
}

/* ---- leaving ---- */

static bool exit_blocks_in(const hk_cg *g, uint32_t node) {
    const hk_chart_node *n = hk_cg_node_of(g, node);
    if (n->exit && n->exit->blocks)
        return true;
    for (uint32_t i = 0; i < hk_cg_machine_of(g)->node_count; i++)
        if (hk_cg_machine_of(g)->nodes[i].kind == HK_CHART_STATE &&
            hk_cg_machine_of(g)->nodes[i].parent == node && exit_blocks_in(g, i))
            return true;
    return false;
}

static bool is_simple(const hk_cg *g, uint32_t node) {
    return hk_cg_node_of(g, node)->initial == HK_CHART_NONE && !exit_blocks_in(g, node);
}

static bool needs_leave(const hk_cg *g) {
    for (uint32_t i = 0; i < hk_cg_machine_of(g)->node_count; i++)
        if (hk_cg_node_of(g, i)->kind == HK_CHART_STATE && hk_cg_node_of(g, i)->outgoing_count &&
            !is_simple(g, i))
            return true;
    return false;
}

/* What a during action runs ends with it. */
static void put_end_during(hk_cg *g, const hk_chart_stmt *s, int depth) {
    if (!s || !s->blocks)
        return;
    if (s->does == HK_CHART_PERFORM)
        hk_cg_line_put(g, depth, "%s(x);", hk_cg_fn(g, s->machine, "abort", ""));
    for (uint32_t i = 0; i < s->part_count; i++)
        put_end_during(g, s->parts[i], depth);
}

/* The exit of NODE, if that takes no time. */
static void put_exit(hk_cg *g, uint32_t node, int depth) {
    const hk_chart_node *n = hk_cg_node_of(g, node);
    hk_cg_put_no_limits(g, n->during, depth);
    put_end_during(g, n->during, depth);
    if (n->exit && n->exit->blocks) {
        hk_cg_line_put(g, depth, "if (!%s(x))", hk_cg_of(g, "do", hk_cg_node_fn(g, "exit", node)));
        hk_cg_line_put(g, depth + 1, "return false;");
    } else if (n->exit) {
        hk_cg_straight(g, n->exit, depth);
    }
    hk_cg_line_put(g, depth, "%s.state = %s;", hk_cg_self(g), outside(g, node));
}

/* From the innermost state out, up to and with one. */
void hk_cg_put_leave(hk_cg *g) {
    if (!needs_leave(g))
        return;
    const hk_cg_machine *m = &g->machines[g->machine];
    for (uint32_t i = 0; i < hk_cg_machine_of(g)->node_count; i++)
        put_action(g, hk_cg_node_of(g, i)->exit, hk_cg_node_fn(g, "exit", i));
    hk_cg_function saved = hk_cg_begin(g);
    hk_cg_line_put(g, 1, "for (;;) {");
    hk_cg_line_put(g, 2, "int64_t state = %s.state;", hk_cg_self(g));
    hk_cg_line_put(g, 2, "switch (state) {");
    for (uint32_t i = 0; i < hk_cg_machine_of(g)->node_count; i++) {
        const hk_chart_node *n = hk_cg_node_of(g, i);
        if (n->kind != HK_CHART_STATE)
            continue;
        hk_cg_line_put(g, 2, "case %s:", m->states[i]);
        put_exit(g, i, 3);
        hk_cg_line_put(g, 3, "break;");
    }
    hk_cg_line_put(g, 2, "}");
    hk_cg_line_put(g, 2, "if (state == until || state == 0)");
    hk_cg_line_put(g, 3, "return true;");
    hk_cg_line_put(g, 1, "}");
    hk_cg_end(
        g, saved,
        hk_cg_print(g, "static bool %s(%s *x, int64_t until)", hk_cg_mfn(g, "leave", ""), g->name));
}

/* ---- transitions ---- */

/* Of a transition from a state: what comes before its source is left. */
static void put_trigger(hk_cg *g, const hk_chart_transition *t) {
    const hk_cg_machine *m = &g->machines[g->machine];
    if (t->trigger != HK_CHART_NONE) {
        const hk_chart_event *event = &hk_cg_machine_of(g)->events[t->trigger];
        if (event->in != HK_CHART_NONE) {
            const hk_cg_line *l = &g->lines[event->in];
            hk_cg_line_put(g, 1, "x->%s = false;", l->there);
            if (t->stores)
                hk_cg_store(g, &t->place, hk_cg_print(g, "x->%s", l->received),
                            g->chart->lines[event->in].type, 1, (hk_cg_spot){t->line, t->column});
        }
    }
    for (uint32_t i = 0; i < t->reset_count; i++)
        hk_cg_line_put(g, 1, "%s.%s = x->cycle;", hk_cg_self(g), m->clocks[t->resets[i]]);
}

static void put_source(hk_cg *g, uint32_t i, hk_cg_function *saved, const char **name) {
    const hk_chart_transition *t = &hk_cg_machine_of(g)->transitions[i];
    const hk_chart_node *from = hk_cg_node_of(g, t->from);
    put_trigger(g, t);
    if (from->kind != HK_CHART_STATE)
        return;
    const char *leave = hk_cg_print(g, "%s(x, %s)", hk_cg_mfn(g, "leave", ""),
                                    g->machines[g->machine].states[t->from]);
    if (exit_blocks_in(g, t->from)) {
        const char *next = hk_cg_transition_fn(g, "left", i);
        part(g, saved, *name, (hk_cg_resume){.function = next, .settled = outside(g, t->from)},
             leave);
        *name = next;
    } else if (from->initial != HK_CHART_NONE) {
        hk_cg_line_put(g, 1, "%s;", leave);
    } else {
        put_exit(g, t->from, 1);
    }
}

static void put_target(hk_cg *g, uint32_t to) {
    const hk_chart_node *n = hk_cg_node_of(g, to);
    if (n->kind == HK_CHART_STATE)
        hk_cg_line_put(g, 1, "%s(x);", hk_cg_node_fn(g, "enter", to));
    else if (n->kind != HK_CHART_FINAL)
        hk_cg_line_put(g, 1, "%s(x);", hk_cg_node_fn(g, "choose", to));
    else if (n->parent == HK_CHART_NONE)
        hk_cg_line_put(g, 1, "%s(x);", hk_cg_mfn(g, "end", ""));
}

void hk_cg_put_take(hk_cg *g, uint32_t i) {
    const hk_chart_transition *t = &hk_cg_machine_of(g)->transitions[i];
    const char *name = hk_cg_transition_fn(g, "take", i), *act = hk_cg_transition_fn(g, "act", i);
    put_action(g, t->action, act);
    hk_text_put(g->out, "/* %s: from %s to %s */\n", t->name, hk_cg_node_of(g, t->from)->name,
                hk_cg_node_of(g, t->to)->name);
    hk_cg_function saved = hk_cg_begin(g);
    uint32_t root = g->machine; /* operations count as what calls them */
    while (g->chart->machines[root].caller != HK_CHART_NONE)
        root = g->chart->machines[root].caller;
    hk_cg_line_put(g, 1, "if (!hk_rc_fires(&x->trouble, &x->%s.fired, x->cycle, %s))",
                   g->machines[root].c, hk_cg_at(g, t->line, t->column));
    hk_cg_line_put(g, 2, "return;");
    put_source(g, i, &saved, &name);
    put_step(g, t->action, &saved, &name, (hk_cg_resume){.function = act});
    put_target(g, t->to);
    hk_cg_put_head(g, name, saved);
}

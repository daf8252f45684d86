/* SPDX-License-Identifier: MIT
 *
 * What a machine does in a cycle: goes on with what it was doing, looks for a transition, takes it,
 * until there is nothing left to do. */
#include "gen/chart_internal.h"

#include "chart/chart_ports.h"

/* ---- during ---- */

static bool has_during(const hk_cg *g, uint32_t node) {
    const hk_chart_node *n = hk_cg_node_of(g, node);
    return n->during || (n->parent != HK_CHART_NONE && has_during(g, n->parent));
}

static void put_during_of(hk_cg *g, uint32_t node) {
    const hk_chart_node *n = hk_cg_node_of(g, node);
    if (n->parent != HK_CHART_NONE)
        put_during_of(g, n->parent);
    if (n->during)
        hk_cg_line_put(g, 2, "%s(x);", hk_cg_node_fn(g, "during", node));
}

/* A during action is done once: pc is HK_RC_DONE until the state is entered again. */
static void put_during(hk_cg *g, uint32_t node) {
    const hk_chart_node *n = hk_cg_node_of(g, node);
    const char *thread =
        hk_cg_print(g, "%s.during_%s", hk_cg_self(g), g->machines[g->machine].nodes[node]);
    if (n->during->blocks)
        hk_cg_put_action(g, n->during, hk_cg_node_fn(g, "do_during", node), thread);
    hk_cg_function saved = hk_cg_begin(g);
    hk_cg_line_put(g, 1, "if (%s.pc == HK_RC_DONE)", thread);
    hk_cg_line_put(g, 2, "return;");
    if (n->during->blocks) {
        hk_cg_line_put(g, 1, "if (!%s(x))", hk_cg_node_fn(g, "do_during", node));
        hk_cg_line_put(g, 2, "return;");
    } else {
        hk_cg_straight(g, n->during, 1);
    }
    hk_cg_line_put(g, 1, "%s.pc = HK_RC_DONE;", thread);
    hk_cg_put_head(g, hk_cg_node_fn(g, "during", node), saved);
}

static bool put_durings(hk_cg *g) {
    bool any = false;
    for (uint32_t i = 0; i < hk_cg_machine_of(g)->node_count; i++)
        if (hk_cg_node_of(g, i)->during) {
            put_during(g, i);
            any = true;
        }
    if (!any)
        return false;
    hk_cg_function saved = hk_cg_begin(g);
    hk_cg_line_put(g, 1, "switch (%s.state) {", hk_cg_self(g));
    for (uint32_t i = 0; i < hk_cg_machine_of(g)->node_count; i++) {
        if (hk_cg_node_of(g, i)->kind != HK_CHART_STATE || !has_during(g, i))
            continue;
        hk_cg_line_put(g, 1, "case %s:", g->machines[g->machine].states[i]);
        put_during_of(g, i);
        hk_cg_line_put(g, 2, "break;");
    }
    hk_cg_line_put(g, 1, "}");
    hk_text_put(g->out, "/* During actions of the active states, outer ones first. */\n");
    hk_cg_put_head(g, hk_cg_mfn(g, "during", ""), saved);
    return true;
}

static void put_blame(hk_cg *g) {
    hk_cg_line_put(g, 1, "hk_rc_blame(&x->trouble, %s, %s);", hk_cg_quoted(g, g->file),
                   hk_cg_quoted(g, hk_cg_machine_of(g)->path));
}

/* ---- deadlines of triggers ---- */

static bool has_deadline(const hk_cg *g, uint32_t node) {
    const hk_chart_node *n = hk_cg_node_of(g, node);
    for (uint32_t i = 0; i < n->outgoing_count; i++)
        if (hk_cg_machine_of(g)->transitions[n->outgoing[i]].deadline.expr)
            return true;
    return n->parent != HK_CHART_NONE && has_deadline(g, n->parent);
}

static void put_deadlines_of(hk_cg *g, uint32_t node) {
    const hk_chart_node *n = hk_cg_node_of(g, node);
    for (uint32_t i = 0; i < n->outgoing_count; i++) {
        const hk_chart_transition *t = &hk_cg_machine_of(g)->transitions[n->outgoing[i]];
        if (!t->deadline.expr)
            continue;
        const char *words =
            hk_cg_print(g, "timelock: event '%s' did not come in time in state '%s'",
                        hk_cg_machine_of(g)->events[t->trigger].name, n->name);
        hk_cg_line_put(g, 2, "if (x->cycle - %s.entered_%s >=", hk_cg_self(g),
                       g->machines[g->machine].nodes[node]);
        hk_cg_line_put(g, 3, "%s)", hk_cg_cycles(g, &t->deadline, "down"));
        hk_cg_line_put(g, 3, "hk_rc_fail(&x->trouble, %s, %s);", hk_cg_at(g, t->line, t->column),
                       hk_cg_quoted(g, words));
    }
    if (n->parent != HK_CHART_NONE)
        put_deadlines_of(g, n->parent);
}

/* A state that is being entered or left has no deadline yet, or no more. */
static void put_settled(hk_cg *g) {
    hk_cg_line_put(g, 1, "switch (%s.at) {", hk_cg_self(g));
    for (size_t i = 0; i < g->resume_count; i++)
        if (g->resumes[i].settled) {
            hk_cg_line_put(g, 1, "case %s:", g->resumes[i].at);
            hk_cg_line_put(g, 2, "state = %s;", g->resumes[i].settled);
            hk_cg_line_put(g, 2, "break;");
        }
    hk_cg_line_put(g, 1, "}");
}

static void put_deadlines(hk_cg *g) {
    bool any = false;
    for (uint32_t i = 0; i < hk_cg_machine_of(g)->node_count; i++)
        any |= hk_cg_node_of(g, i)->kind == HK_CHART_STATE && has_deadline(g, i);
    if (!any)
        return;
    hk_cg_function saved = hk_cg_begin(g);
    hk_cg_line_put(g, 1, "int64_t state = %s.state;", hk_cg_self(g));
    put_settled(g);
    hk_cg_line_put(g, 1, "switch (state) {");
    for (uint32_t i = 0; i < hk_cg_machine_of(g)->node_count; i++) {
        if (hk_cg_node_of(g, i)->kind != HK_CHART_STATE || !has_deadline(g, i))
            continue;
        hk_cg_line_put(g, 1, "case %s:", g->machines[g->machine].states[i]);
        put_deadlines_of(g, i);
        hk_cg_line_put(g, 2, "break;");
    }
    hk_cg_line_put(g, 1, "}");
    put_blame(g);
    hk_text_put(g->out, "/* At the end of a cycle: events that had to come until now. */\n");
    g->has_deadlines[g->machine] = true;
    hk_cg_put_head(g, hk_cg_mfn(g, "deadlines", ""), saved);
}

/* ---- the cycle ---- */

static void put_end(hk_cg *g) {
    bool ends = false;
    for (uint32_t i = 0; i < hk_cg_machine_of(g)->transition_count; i++) {
        const hk_chart_node *to = hk_cg_node_of(g, hk_cg_machine_of(g)->transitions[i].to);
        ends |= to->kind == HK_CHART_FINAL && to->parent == HK_CHART_NONE;
    }
    if (!ends)
        return;
    hk_cg_function saved = hk_cg_begin(g);
    hk_cg_line_put(g, 1, "%s.at = %s;", hk_cg_self(g), hk_cg_mfn(g, "at_end", ""));
    hk_cg_line_put(g, 1, "%s.state = %s;", hk_cg_self(g), hk_cg_mfn(g, "in_final", ""));
    hk_cg_put_head(g, hk_cg_mfn(g, "end", ""), saved);
}

static void put_go_on(hk_cg *g) {
    hk_cg_function saved = hk_cg_begin(g);
    hk_cg_line_put(g, 1, "switch (%s.at) {", hk_cg_self(g));
    hk_cg_line_put(g, 1, "case %s:", hk_cg_mfn(g, "at_start", ""));
    hk_cg_line_put(g, 2, "%s.at = %s;", hk_cg_self(g), hk_cg_mfn(g, "at_rest", ""));
    hk_cg_line_put(g, 2, "%s(x);",
                   hk_cg_transition_fn(
                       g, "take", hk_cg_node_of(g, hk_cg_machine_of(g)->initial)->outgoing[0]));
    hk_cg_line_put(g, 2, "break;");
    for (size_t i = 0; i < g->resume_count; i++) {
        hk_cg_line_put(g, 1, "case %s:", g->resumes[i].at);
        hk_cg_line_put(g, 2, "%s(x);", g->resumes[i].function);
        hk_cg_line_put(g, 2, "break;");
    }
    hk_cg_line_put(g, 1, "}");
    hk_text_put(g->out, "/* Goes on with what it was doing. */\n");
    hk_cg_put_head(g, hk_cg_mfn(g, "go_on", ""), saved);
}

static void put_cycle(hk_cg *g, bool during) {
    const char *self = hk_cg_self(g), *rest = hk_cg_mfn(g, "at_rest", "");
    hk_cg_function saved = hk_cg_begin(g);
    if (hk_cg_machine_of(g)->caller == HK_CHART_NONE)
        hk_cg_line_put(g, 1, "%s.fired = 0;", self);
    hk_cg_line_put(g, 1, "do {");
    hk_cg_line_put(g, 2, "if (%s.at != %s) {", self, rest);
    hk_cg_line_put(g, 3, "%s(x);", hk_cg_mfn(g, "go_on", ""));
    hk_cg_line_put(g, 3, "if (x->trouble.failed)");
    hk_cg_line_put(g, 4, "break;");
    hk_cg_line_put(g, 3, "if (%s.at != %s)", self, rest);
    hk_cg_line_put(g, 4, "return;");
    hk_cg_line_put(g, 2, "}");
    bool choices = hk_cg_has_choices(g);
    if (choices) {
        hk_text_put(&g->now.vars, "    int64_t way;\n");
        hk_cg_line_put(g, 2, "way = %s(x);", hk_cg_mfn(g, "look", ""));
        hk_cg_line_put(g, 2, "if (way && !x->trouble.remark[0])");
        hk_cg_line_put(g, 3, "%s(x);", hk_cg_mfn(g, "choices", ""));
    }
    hk_cg_line_put(g, 2, choices ? "switch (way) {" : "switch (%s(x)) {", hk_cg_mfn(g, "look", ""));
    for (uint32_t i = 0; i < hk_cg_machine_of(g)->transition_count; i++) {
        if (hk_cg_node_of(g, hk_cg_machine_of(g)->transitions[i].from)->kind != HK_CHART_STATE)
            continue;
        hk_cg_line_put(g, 2, "case %s:", hk_cg_transition_fn(g, "by", i));
        hk_cg_line_put(g, 3, "%s(x);", hk_cg_transition_fn(g, "take", i));
        hk_cg_line_put(g, 3, "break;");
    }
    hk_cg_line_put(g, 2, "default: /* none */");
    if (during) {
        hk_cg_line_put(g, 3, "if (!x->trouble.failed)");
        hk_cg_line_put(g, 4, "%s(x);", hk_cg_mfn(g, "during", ""));
    }
    hk_cg_line_put(g, 3, "if (!x->trouble.failed)");
    hk_cg_line_put(g, 4, "return;");
    hk_cg_line_put(g, 2, "}");
    hk_cg_line_put(g, 1, "} while (!x->trouble.failed);");
    put_blame(g);
    hk_text_put(g->out, "/* One cycle. */\n");
    hk_cg_put_head(g, hk_cg_mfn(g, "cycle", ""), saved);
}

/* ---- operations ---- */

static void put_conditions(hk_cg *g, bool before) {
    const hk_chart_machine *m = hk_cg_machine_of(g);
    const hk_chart_code *codes = before ? m->preconditions : m->postconditions;
    uint32_t count = before ? m->precondition_count : m->postcondition_count;
    for (uint32_t i = 0; i < count; i++) {
        const char *words = hk_cg_print(g, "a %scondition of operation '%s' is false",
                                        before ? "pre" : "post", m->name);
        hk_cg_line_put(g, 1, "if (!x->trouble.failed && !%s)", hk_cg_expr(g, codes[i].expr));
        hk_cg_line_put(g, 2, "hk_rc_fail(&x->trouble, %s, %s);",
                       hk_cg_at(g, codes[i].expr->line, codes[i].expr->column),
                       hk_cg_quoted(g, words));
    }
}

/* Before it begins: its variables and clocks; then its arguments are stored, then it starts. */
static void put_operation(hk_cg *g) {
    const hk_chart *chart = g->chart;
    hk_cg_function saved = hk_cg_begin(g);
    for (uint32_t i = 0; i < chart->variable_count; i++)
        if (chart->variables[i].machine == g->machine && !chart->variables[i].constant)
            hk_cg_put_start(g, i);
    for (uint32_t i = 0; i < hk_cg_machine_of(g)->clock_count; i++)
        hk_cg_line_put(g, 1, "%s.%s = x->cycle;", hk_cg_self(g), g->machines[g->machine].clocks[i]);
    hk_cg_line_put(g, 1, "(void)x;");
    hk_cg_put_head(g, hk_cg_mfn(g, "prepare", ""), saved);
    saved = hk_cg_begin(g);
    hk_cg_line_put(g, 1, "%s.at = %s;", hk_cg_self(g), hk_cg_mfn(g, "at_start", ""));
    put_conditions(g, true);
    hk_cg_put_head(g, hk_cg_mfn(g, "start", ""), saved);
    saved = hk_cg_begin(g);
    hk_cg_put_abort(g, g->machine, 1);
    hk_cg_put_head(g, hk_cg_mfn(g, "abort", ""), saved);
    saved = hk_cg_begin(g);
    hk_cg_line_put(g, 1, "if (!x->trouble.failed)");
    hk_cg_line_put(g, 2, "%s(x);", hk_cg_mfn(g, "cycle", ""));
    hk_cg_line_put(g, 1, "if (%s.at != %s || x->trouble.failed)", hk_cg_self(g),
                   hk_cg_mfn(g, "at_end", ""));
    hk_cg_line_put(g, 2, "return false;");
    put_conditions(g, false);
    hk_cg_line_put(g, 1, "%s(x);", hk_cg_mfn(g, "abort", ""));
    hk_cg_line_put(g, 1, "return !x->trouble.failed;");
    hk_cg_end(g, saved,
              hk_cg_print(g, "static bool %s(%s *x)", hk_cg_mfn(g, "perform", ""), g->name));
}

/* ---- all of a machine ---- */

static void put_names(hk_cg *g, hk_text *text) {
    const hk_chart_machine *m = hk_cg_machine_of(g);
    const hk_cg_machine *names = &g->machines[g->machine];
    uint32_t count = 0;
    for (uint32_t i = 0; i < m->node_count; i++)
        count += m->nodes[i].kind == HK_CHART_STATE;
    hk_text_put(text, "enum { /* where it is: 0 is nowhere */\n");
    for (uint32_t i = 0; i < m->node_count; i++)
        if (m->nodes[i].kind == HK_CHART_STATE)
            hk_text_put(text, "    %s = %u,\n", names->states[i],
                        (unsigned)hk_chart_state_item(m, i));
    hk_text_put(text, "    %s = %u,\n};\n\n", hk_cg_mfn(g, "in_final", ""), (unsigned)count + 1);
    hk_text_put(text,
                "enum { /* what it does next: at rest it looks for a transition */\n"
                "    %s,\n    %s,\n    %s,\n",
                hk_cg_mfn(g, "at_rest", ""), hk_cg_mfn(g, "at_start", ""),
                hk_cg_mfn(g, "at_end", ""));
    for (size_t i = 0; i < g->resume_count; i++)
        hk_text_put(text, "    %s,\n", g->resumes[i].at);
    hk_text_put(text, "};\n\n");
    for (uint32_t i = 0; i < m->transition_count; i++)
        hk_text_put(text, "%s    %s%s,\n", i ? "" : "enum { /* transitions */\n",
                    hk_cg_transition_fn(g, "by", i), i ? "" : " = 1");
    hk_text_put(text, "};\n\n");
}

/* Sending an event of this machine. */
static void put_send(hk_cg *g, const hk_chart_event *event) {
    if (event->out == HK_CHART_NONE)
        return;
    const hk_chart_line *line = &g->chart->lines[event->out];
    const hk_cg_line *l = &g->lines[event->out];
    bool between = line->kind == HK_CHART_BETWEEN;
    hk_cg_function saved = hk_cg_begin(g);
    if (line->type)
        hk_cg_line_put(g, 1, "x->%s = value;", between ? l->sending : l->value);
    if (between && line->async)
        hk_cg_line_put(g, 1, "x->%s = x->cycle; /* overwrites what was sent before */", l->sent);
    else
        hk_cg_line_put(g, 1, "hk_rc_once(&x->trouble, &x->%s, x->cycle, \"event\", %s, at);",
                       l->sent, hk_cg_quoted(g, event->name));
    if (between && line->async)
        hk_cg_line_put(g, 1, "(void)at;");
    if (!between)
        hk_cg_line_put(g, 1, "x->%s = 1.0;", l->port);
    hk_cg_end(g, saved,
              hk_cg_print(g, "static inline void %s(%s *x%s%s%s, hk_rc_at at)",
                          hk_cg_mfn(g, "send", hk_c_word(g->arena, event->name)), g->name,
                          line->type ? ", " : "", line->type ? hk_cg_type(g, line->type) : "",
                          line->type ? " value" : ""));
}

static bool is_reached(const hk_chart_machine *m, uint32_t node) {
    for (uint32_t i = 0; i < m->transition_count; i++)
        if (m->transitions[i].to == node)
            return true;
    return false;
}

void hk_cg_put_machine(hk_cg *g) {
    const hk_chart_machine *m = hk_cg_machine_of(g);
    hk_text functions = {0}, *out = g->out;
    g->out = &functions;
    g->resume_count = 0;
    for (uint32_t i = 0; i < m->event_count; i++)
        put_send(g, &m->events[i]);
    hk_cg_put_choices(g);
    for (uint32_t i = 0; i < m->node_count; i++) {
        if (!is_reached(m, i))
            continue;
        if (m->nodes[i].kind == HK_CHART_STATE)
            hk_cg_put_enter(g, i);
        else if (m->nodes[i].kind == HK_CHART_JUNCTION)
            hk_cg_put_junction(g, i);
        else if (m->nodes[i].kind == HK_CHART_PROBABILISTIC)
            hk_cg_put_dice(g, i);
    }
    hk_cg_put_leave(g);
    put_end(g);
    for (uint32_t i = 0; i < m->transition_count; i++)
        hk_cg_put_take(g, i);
    hk_cg_put_look(g);
    bool during = put_durings(g);
    put_go_on(g);
    put_cycle(g, during);
    put_deadlines(g);
    if (m->caller != HK_CHART_NONE)
        put_operation(g);
    g->out = out;
    hk_text_put(out, "/* ---- machine %s: %s */\n\n", m->path, m->name);
    put_names(g, out);
    hk_text_put(out, "%s\n%s", g->heads.data, functions.data);
    hk_text_finish(&g->heads);
    hk_text_finish(&functions);
}

/* SPDX-License-Identifier: MIT
 *
 * Which transition a machine takes: out of its states, at junctions, by chance. */
#include "gen/chart_internal.h"

/* ---- which transition ---- */

/* The condition of a transition; NULL: none, it is enabled. */
static const char *condition_of(hk_cg *g, const hk_chart_transition *t) {
    const char *text = NULL;
    if (t->trigger != HK_CHART_NONE) {
        const hk_chart_event *event = &hk_cg_machine_of(g)->events[t->trigger];
        if (event->in == HK_CHART_NONE)
            return "false";
        const hk_cg_line *l = &g->lines[event->in];
        text = hk_cg_print(g, "x->%s", l->there);
        if (t->match.expr)
            text = hk_cg_print(g, "%s && %s", text,
                               hk_cg_equal(g, event->type, hk_cg_print(g, "x->%s", l->received),
                                           hk_cg_expr(g, t->match.expr)));
    }
    if (!t->guard.expr)
        return text;
    return text ? hk_cg_print(g, "%s && %s", text, hk_cg_expr(g, t->guard.expr))
                : hk_cg_bare(g, t->guard.expr);
}

static bool code_can_fail(const hk_chart_code *code) {
    return code->expr && hk_cg_can_fail(code->expr);
}

static bool ways_can_fail(const hk_cg *g, const hk_chart_node *n) {
    for (uint32_t i = 0; i < n->outgoing_count; i++) {
        const hk_chart_transition *t = &hk_cg_machine_of(g)->transitions[n->outgoing[i]];
        if (code_can_fail(&t->guard) || code_can_fail(&t->match))
            return true;
    }
    return n->parent != HK_CHART_NONE && n->kind == HK_CHART_STATE &&
           ways_can_fail(g, hk_cg_node_of(g, n->parent));
}

/* Transitions from N as they are looked at: 'else' behind the others. */
static uint32_t way_at(const hk_cg *g, const hk_chart_node *n, uint32_t at) {
    for (int otherwise = 0; otherwise < 2; otherwise++)
        for (uint32_t i = 0; i < n->outgoing_count; i++)
            if (hk_cg_machine_of(g)->transitions[n->outgoing[i]].otherwise == (otherwise == 1) &&
                at-- == 0)
                return n->outgoing[i];
    HK_ASSERT(false);
    return 0;
}

/* One after the other, and the first that is enabled. False: the last one always is. */
static bool put_ways(hk_cg *g, const hk_chart_node *n) {
    for (uint32_t i = 0; i < n->outgoing_count; i++) {
        uint32_t way = way_at(g, n, i);
        const char *condition = condition_of(g, &hk_cg_machine_of(g)->transitions[way]);
        if (condition)
            hk_cg_line_put(g, 2, "if (%s)", condition);
        hk_cg_line_put(g, condition ? 3 : 2, "return %s;", hk_cg_transition_fn(g, "by", way));
        if (!condition)
            return false;
    }
    return true;
}

/* All conditions are evaluated; the first that holds counts, the second makes it a choice. */
static void put_all_ways(hk_cg *g, const hk_chart_node *n) {
    if (n->outgoing_count)
        hk_cg_line_put(g, 2, "any = false;");
    for (uint32_t i = 0; i < n->outgoing_count; i++) {
        uint32_t way = way_at(g, n, i);
        const hk_chart_transition *t = &hk_cg_machine_of(g)->transitions[way];
        const char *condition = condition_of(g, t);
        if (t->otherwise)
            condition = condition ? hk_cg_print(g, "!any && %s", condition) : "!any";
        if (condition)
            hk_cg_line_put(g, 2, "if (%s)", condition);
        hk_cg_line_put(g, condition ? 3 : 2, "hk_rc_may(&way, &other, &any, %s);",
                       hk_cg_transition_fn(g, "by", way));
    }
}

/* Outer states first. */
static bool put_ways_of(hk_cg *g, uint32_t node, bool all) {
    const hk_chart_node *n = hk_cg_node_of(g, node);
    if (n->kind == HK_CHART_STATE && n->parent != HK_CHART_NONE && !put_ways_of(g, n->parent, all))
        return false;
    if (!all)
        return put_ways(g, n);
    put_all_ways(g, n);
    return true;
}

static void put_way_variables(hk_cg *g) {
    hk_text_put(&g->now.vars, "    int64_t way = 0, other = 0;\n    bool any = false;\n");
}

static void put_tell(hk_cg *g, int depth) {
    hk_cg_line_put(g, depth, "if (other)");
    hk_cg_line_put(g, depth + 1, "hk_rc_choice(&x->trouble, %s, x->cycle, %s[way], %s[other]);",
                   hk_cg_quoted(g, hk_cg_machine_of(g)->path), hk_cg_mfn(g, "names", ""),
                   hk_cg_mfn(g, "names", ""));
}

/* Each condition may fail, so all are evaluated; else the first that holds is enough. */
static void put_case(hk_cg *g, uint32_t node) {
    bool all = ways_can_fail(g, hk_cg_node_of(g, node));
    if (put_ways_of(g, node, all) || all) {
        if (all)
            put_tell(g, 2);
        hk_cg_line_put(g, 2, "return %s;", all ? "way" : "0");
    }
}

/* ---- choices ---- */

/* How many ways lead out of NODE and of the states around it; one 'else' is not enabled beside
 * another way of its node. */
static uint32_t count_ways(const hk_cg *g, const hk_chart_node *n) {
    uint32_t count = 0, otherwise = 0;
    for (uint32_t i = 0; i < n->outgoing_count; i++) {
        bool is = hk_cg_machine_of(g)->transitions[n->outgoing[i]].otherwise;
        count += !is;
        otherwise += is;
    }
    count = count > otherwise ? count : otherwise;
    return n->parent != HK_CHART_NONE && n->kind == HK_CHART_STATE
               ? count + count_ways(g, hk_cg_node_of(g, n->parent))
               : count;
}

/* Whether it takes a function of its own to see that there is a choice. */
static bool may_choose(const hk_cg *g, uint32_t node) {
    const hk_chart_node *n = hk_cg_node_of(g, node);
    return n->kind != HK_CHART_PROBABILISTIC && !ways_can_fail(g, n) && count_ways(g, n) > 1;
}

bool hk_cg_has_choices(const hk_cg *g) {
    for (uint32_t i = 0; i < hk_cg_machine_of(g)->node_count; i++)
        if (hk_cg_node_of(g, i)->kind == HK_CHART_STATE && may_choose(g, i))
            return true;
    return false;
}

/* Names of transitions, for what is told. */
static void put_transition_names(hk_cg *g) {
    const hk_chart_machine *m = hk_cg_machine_of(g);
    hk_text_put(g->out, "static const char *const %s[] = {\"\"", hk_cg_mfn(g, "names", ""));
    for (uint32_t i = 0; i < m->transition_count; i++)
        hk_text_put(g->out, ", %s", hk_cg_quoted(g, m->transitions[i].name));
    hk_text_put(g->out, "};\n\n");
}

static bool tells(const hk_cg *g) {
    for (uint32_t i = 0; i < hk_cg_machine_of(g)->node_count; i++)
        if (may_choose(g, i) || ways_can_fail(g, hk_cg_node_of(g, i)))
            return true;
    return false;
}

void hk_cg_put_choices(hk_cg *g) {
    if (tells(g))
        put_transition_names(g);
    if (!hk_cg_has_choices(g))
        return;
    hk_cg_function saved = hk_cg_begin(g);
    hk_cg_line_put(g, 1, "switch (%s.state) {", hk_cg_self(g));
    for (uint32_t i = 0; i < hk_cg_machine_of(g)->node_count; i++) {
        if (hk_cg_node_of(g, i)->kind != HK_CHART_STATE || !may_choose(g, i))
            continue;
        hk_cg_line_put(g, 1, "case %s:", g->machines[g->machine].states[i]);
        put_ways_of(g, i, true);
        hk_cg_line_put(g, 2, "break;");
    }
    hk_cg_line_put(g, 1, "}");
    put_tell(g, 1);
    put_way_variables(g);
    hk_text_put(g->out, "/* Whether several transitions are enabled: that is reported, once. */\n");
    hk_cg_end(g, saved,
              hk_cg_print(g, "static void %s(%s *x)", hk_cg_mfn(g, "choices", ""), g->name));
}

void hk_cg_put_look(hk_cg *g) {
    bool all = false;
    hk_cg_function saved = hk_cg_begin(g);
    hk_cg_line_put(g, 1, "switch (%s.state) {", hk_cg_self(g));
    for (uint32_t i = 0; i < hk_cg_machine_of(g)->node_count; i++) {
        if (hk_cg_node_of(g, i)->kind != HK_CHART_STATE)
            continue;
        hk_cg_line_put(g, 1, "case %s:", g->machines[g->machine].states[i]);
        put_case(g, i);
        all |= ways_can_fail(g, hk_cg_node_of(g, i));
    }
    hk_cg_line_put(g, 1, "}");
    hk_cg_line_put(g, 1, "return 0;");
    if (all)
        put_way_variables(g);
    hk_text_put(g->out,
                "/* The transition that is enabled, 0: none is. Of several the first counts, "
                "outer states before\n * inner ones. */\n");
    hk_cg_end(g, saved,
              hk_cg_print(g, "static int64_t %s(%s *x)", hk_cg_mfn(g, "look", ""), g->name));
}

/* ---- junctions ---- */

static void put_takes(hk_cg *g, const hk_chart_node *n, int depth) {
    for (uint32_t i = 0; i < n->outgoing_count; i++) {
        hk_cg_line_put(g, depth, "case %s:", hk_cg_transition_fn(g, "by", n->outgoing[i]));
        hk_cg_line_put(g, depth + 1, "%s(x);", hk_cg_transition_fn(g, "take", n->outgoing[i]));
        hk_cg_line_put(g, depth + 1, "break;");
    }
}

/* Where no way is enabled, the machine waits here: `at` says so. */
void hk_cg_put_junction(hk_cg *g, uint32_t node) {
    const hk_chart_node *n = hk_cg_node_of(g, node);
    const char *choose = hk_cg_node_fn(g, "choose", node), *way = hk_cg_node_fn(g, "way", node);
    hk_cg_function saved = hk_cg_begin(g);
    if (ways_can_fail(g, n))
        put_way_variables(g);
    put_case(g, node);
    hk_cg_end(g, saved, hk_cg_print(g, "static int64_t %s(%s *x)", way, g->name));
    saved = hk_cg_begin(g);
    if (may_choose(g, node)) {
        put_way_variables(g);
        hk_cg_line_put(g, 1, "if (!x->trouble.remark[0]) {");
        put_all_ways(g, n);
        put_tell(g, 2);
        hk_cg_line_put(g, 1, "}");
    }
    hk_cg_line_put(g, 1, "%s.at = %s;", hk_cg_self(g), hk_cg_mfn(g, "at_rest", ""));
    hk_cg_line_put(g, 1, "switch (%s(x)) {", way);
    put_takes(g, n, 1);
    hk_cg_line_put(g, 1, "default:");
    hk_cg_line_put(g, 2, "%s.at = %s;", hk_cg_self(g), hk_cg_of(g, "at", choose));
    hk_cg_line_put(g, 1, "}");
    hk_cg_resume r = {hk_cg_of(g, "at", choose), choose, NULL};
    HK_PUSH(g->resumes, g->resume_count, g->resume_cap, r);
    hk_cg_put_head(g, choose, saved);
}

void hk_cg_put_dice(hk_cg *g, uint32_t node) {
    const hk_chart_node *n = hk_cg_node_of(g, node);
    const char *choose = hk_cg_node_fn(g, "choose", node);
    uint32_t count = n->outgoing_count;
    hk_cg_function saved = hk_cg_begin(g);
    hk_text_put(&g->now.vars, "    double p[%u];\n", (unsigned)count);
    for (uint32_t i = 0; i < count; i++) {
        const hk_chart_transition *t = &hk_cg_machine_of(g)->transitions[way_at(g, n, i)];
        hk_cg_line_put(g, 1, "p[%u] = hk_rc_probability(&x->trouble, %s, %s);", (unsigned)i,
                       hk_cg_bare(g, t->probability.expr), hk_cg_at(g, t->line, t->column));
    }
    hk_cg_line_put(g, 1, "if (!hk_rc_sum_is_1(&x->trouble, p, %u, %s, %s))", (unsigned)count,
                   hk_cg_quoted(g, n->name), hk_cg_at(g, n->line, n->column));
    hk_cg_line_put(g, 2, "return;");
    hk_cg_line_put(g, 1, "switch (hk_rc_weighted(p, %u, %s)) {", (unsigned)count,
                   count > 1 ? hk_cg_draw(g) : "0.0");
    for (uint32_t i = 0; i < count; i++) {
        hk_cg_line_put(g, 1, "case %u:", (unsigned)i);
        hk_cg_line_put(g, 2, "%s(x);", hk_cg_transition_fn(g, "take", way_at(g, n, i)));
        hk_cg_line_put(g, 2, "break;");
    }
    hk_cg_line_put(g, 1, "}");
    hk_cg_put_head(g, choose, saved);
}

const char *hk_cg_draw(hk_cg *g) {
    g->draws[g->machine] = true;
    return hk_cg_print(g, "hk_stream_uniform(&%s.stream, x->cycle, (uint32_t)%s.draws++)",
                       hk_cg_self(g), hk_cg_self(g));
}

/* SPDX-License-Identifier: MIT
 *
 * Machines in Promela: a label for each node, and at each state in which a machine can rest a
 * choice of the transitions of all states that are active there. */
#include "explore/promela.h"

#include <string.h>

/* A machine that is being written: labels L(base + 2 node) to arrive at a node, the next one to
 * rest there. */
typedef struct body {
    hk_pml *p;
    const hk_chart_machine *m;
    uint32_t machine, base, end;
} body;

uint32_t hk_pml_during(const hk_pml *p, uint32_t machine, uint32_t node) {
    uint32_t number = 0;
    for (uint32_t i = 0; i < machine; i++)
        for (uint32_t k = 0; k < p->chart->machines[i].node_count; k++)
            number += p->chart->machines[i].nodes[k].during != NULL;
    for (uint32_t k = 0; k < node; k++)
        number += p->chart->machines[machine].nodes[k].during != NULL;
    return number;
}

static uint32_t arrive_label(const body *b, uint32_t node) {
    return b->base + 2 * node;
}

static uint32_t rest_label(const body *b, uint32_t node) {
    return b->base + 2 * node + 1;
}

static void put_active(const body *b, uint32_t node) {
    fprintf(b->p->out, "inside[%u] = %u;\n", b->machine, node == HK_CHART_NONE ? 0 : node + 1);
}

/* ---- taking a transition */

static void put_took(const body *b, uint32_t transition) {
    const hk_chart_transition *t = &b->m->transitions[transition];
    uint32_t number = hk_chart_first_transition(b->p->chart, b->machine) + transition;
    fprintf(b->p->out,
            "printf(\"take %s.%s\\n\");\nfired++;\n"
            "if :: fired > %d -> divergence = true; assert(!divergence) :: else fi;\n"
            "took[%u] = true;\n",
            b->m->path, t->name, (int)HK_CHART_FIRINGS_MAX, number);
}

static void put_trigger(const body *b, const hk_chart_transition *t) {
    hk_pml *p = b->p;
    if (t->trigger != HK_CHART_NONE) {
        uint32_t in = b->m->events[t->trigger].in;
        const hk_chart_line *line = &p->chart->lines[in];
        fprintf(p->out, "here[%u] = false;\n", in);
        if (t->stores) {
            const char **cells = HK_NEW_ARRAY(p->arena, const char *, line->type->size + 1);
            for (uint32_t k = 0; k < line->type->size; k++)
                cells[k] = hk_pml_text(p, "cell[%u]", line->cell + k);
            hk_pml_store(p, &t->place, cells, line->type, t->line, t->column);
        }
    }
    for (uint32_t i = 0; i < t->reset_count; i++)
        fprintf(p->out, "tick[%u] = 0;\n",
                hk_chart_clock_tick(p->world->sides[0].runner, b->machine, t->resets[i]));
}

/* Exits from LEAF up to the source, then the action, then on to the target. */
static void put_take(const body *b, uint32_t transition, uint32_t leaf) {
    hk_pml *p = b->p;
    const hk_chart_transition *t = &b->m->transitions[transition];
    uint32_t around = b->m->nodes[t->from].parent;
    put_took(b, transition);
    put_trigger(b, t);
    fprintf(p->out, "settled[%u] = %u;\n", b->machine, around == HK_CHART_NONE ? 0 : around + 1);
    for (uint32_t n = leaf; b->m->nodes[t->from].kind == HK_CHART_STATE;
         n = b->m->nodes[n].parent) {
        const hk_chart_node *node = &b->m->nodes[n];
        if (node->kind == HK_CHART_STATE) {
            if (node->during)
                fprintf(p->out, "during[%u] = 0; rest[%u] = 0;\n", hk_pml_during(p, b->machine, n),
                        hk_pml_during(p, b->machine, n));
            hk_pml_stmt(p, node->exit, NULL);
            put_active(b, node->parent);
        }
        if (n == t->from)
            break;
    }
    hk_pml_stmt(p, t->action, NULL);
    fprintf(p->out, "goto L%u\n", arrive_label(b, t->to));
}

/* ---- conditions */

/* When the transition is enabled; "else" is said by the others of its node. */
static const char *enabled(const body *b, uint32_t transition) {
    hk_pml *p = b->p;
    const hk_chart_transition *t = &b->m->transitions[transition];
    const char *text = "true";
    if (t->otherwise) {
        const hk_chart_node *from = &b->m->nodes[t->from];
        const char *others = "false";
        for (uint32_t i = 0; i < from->outgoing_count; i++)
            if (!b->m->transitions[from->outgoing[i]].otherwise)
                others = hk_pml_text(p, "%s || %s", others, enabled(b, from->outgoing[i]));
        return hk_pml_text(p, "(!(%s))", others);
    }
    if (t->trigger != HK_CHART_NONE) {
        uint32_t in = b->m->events[t->trigger].in;
        if (in == HK_CHART_NONE)
            return "false";
        text = hk_pml_text(p, "here[%u]", in);
        for (uint32_t k = 0; t->match.expr && k < p->chart->lines[in].type->size; k++)
            text = hk_pml_text(p, "%s && cell[%u] == %s", text, p->chart->lines[in].cell + k,
                               hk_pml_code_cells(p, &t->match)[k]);
    }
    if (t->guard.expr) {
        size_t fits = p->fit_count;
        const char *guard = hk_pml_code(p, &t->guard);
        hk_pml_fits_unless(p, fits, hk_pml_text(p, "!(%s)", text));
        text = hk_pml_text(p, "%s && %s", text, guard);
    }
    hk_pml_refuse_needs(p, t->line, t->column);
    return hk_pml_text(p, "(%s)", text);
}

static const char *test_of(const body *b, uint32_t transition) {
    const hk_chart_transition *t = &b->m->transitions[transition];
    if (b->m->nodes[t->from].kind != HK_CHART_PROBABILISTIC)
        return enabled(b, transition);
    const char *test = hk_pml_text(b->p, "(%s > 0)", hk_pml_code(b->p, &t->probability));
    hk_pml_refuse_needs(b->p, t->line, t->column);
    return test;
}

/* Before the ways out of a node are tested: their numbers fit. */
static void put_fits(const body *b, uint32_t node) {
    for (uint32_t i = 0; i < b->m->nodes[node].outgoing_count; i++)
        (void)test_of(b, b->m->nodes[node].outgoing[i]);
    fprintf(b->p->out, "%s", hk_pml_fits_text(b->p));
}

/* ---- nodes */

/* The during action of a state, as far as it goes in this cycle. */
static void put_during(const body *b, uint32_t node) {
    hk_pml *p = b->p;
    const hk_chart_stmt *s = b->m->nodes[node].during;
    uint32_t points = hk_pml_points(s), number = hk_pml_during(p, b->machine, node);
    hk_pml_thread thread = {.during = number, .node = node, .blocked = p->labels++};
    fprintf(p->out, "if\n:: during[%u] == 0 -> goto L%u\n:: during[%u] == 1 -> skip\n", number,
            thread.blocked, number);
    for (uint32_t i = 0; i < points; i++)
        fprintf(p->out, ":: during[%u] == %u -> goto D%u_%u_%u\n", number, i + 2, thread.blocked,
                number, i + 2);
    fprintf(p->out, "fi;\n");
    hk_pml_stmt(p, s, &thread);
    fprintf(p->out, "during[%u] = 0;\nL%u: skip;\n", number, thread.blocked);
}

static void put_durings(const body *b, uint32_t node) {
    if (node == HK_CHART_NONE)
        return;
    put_durings(b, b->m->nodes[node].parent);
    if (b->m->nodes[node].during)
        put_during(b, node);
}

/* Does anything lead out of a state or of those around it? */
static bool leads_out(const body *b, uint32_t node) {
    for (; node != HK_CHART_NONE; node = b->m->nodes[node].parent)
        if (b->m->nodes[node].outgoing_count || b->m->nodes[node].during)
            return true;
    return false;
}

static void put_rest(const body *b, uint32_t leaf) {
    hk_pml *p = b->p;
    fprintf(p->out, "L%u:\n", rest_label(b, leaf));
    if (!leads_out(b, leaf))
        fprintf(p->out, "deadlock = true; assert(!deadlock);\n");
    for (uint32_t n = leaf; n != HK_CHART_NONE; n = b->m->nodes[n].parent)
        put_fits(b, n);
    fprintf(p->out, "if\n");
    for (uint32_t n = leaf; n != HK_CHART_NONE; n = b->m->nodes[n].parent)
        for (uint32_t i = 0; i < b->m->nodes[n].outgoing_count; i++) {
            uint32_t t = b->m->nodes[n].outgoing[i];
            fprintf(p->out, ":: %s ->\n", test_of(b, t));
            p->fit_count = 0; /* they are written above */
            put_take(b, t, leaf);
        }
    fprintf(p->out, ":: else ->\n");
    put_durings(b, leaf);
    hk_pml_yield(p);
    fprintf(p->out, "goto L%u\nfi;\n", rest_label(b, leaf));
}

static void put_state(const body *b, uint32_t node) {
    hk_pml *p = b->p;
    const hk_chart_node *n = &b->m->nodes[node];
    uint32_t tick = hk_chart_state_tick(p->world->sides[0].runner, b->machine, node);
    fprintf(p->out, "L%u: printf(\"enter %s.%s\\n\");\n", arrive_label(b, node), b->m->path,
            n->name);
    put_active(b, node);
    if (tick != HK_CHART_NONE)
        fprintf(p->out, "tick[%u] = 0;\n", tick);
    hk_pml_stmt(p, n->entry, NULL);
    if (tick != HK_CHART_NONE)
        fprintf(p->out, "tick[%u] = 0;\n", tick);
    if (n->during)
        fprintf(p->out, "during[%u] = 1;\n", hk_pml_during(p, b->machine, node));
    fprintf(p->out, "settled[%u] = %u;\n", b->machine, node + 1);
    if (n->initial == HK_CHART_NONE) {
        put_rest(b, node);
        return;
    }
    put_take(b, b->m->nodes[n->initial].outgoing[0], n->initial);
    fprintf(p->out, ";\n");
}

static void put_junction(const body *b, uint32_t node) {
    hk_pml *p = b->p;
    const hk_chart_node *n = &b->m->nodes[node];
    fprintf(p->out, "L%u:\n", arrive_label(b, node));
    put_fits(b, node);
    fprintf(p->out, "if\n");
    for (uint32_t i = 0; i < n->outgoing_count; i++) {
        fprintf(p->out, ":: %s ->\n", test_of(b, n->outgoing[i]));
        p->fit_count = 0; /* they are written above */
        put_take(b, n->outgoing[i], node);
    }
    fprintf(p->out, ":: else ->\n");
    hk_pml_yield(p);
    fprintf(p->out, "goto L%u\nfi;\n", arrive_label(b, node));
}

static void put_final(const body *b, uint32_t node) {
    fprintf(b->p->out, "L%u: printf(\"enter %s.%s\\n\");\n", arrive_label(b, node), b->m->path,
            b->m->nodes[node].name);
    if (b->m->nodes[node].parent == HK_CHART_NONE)
        fprintf(b->p->out, "goto L%u;\n", b->end);
    else
        put_rest(b, node);
}

void hk_pml_machine(hk_pml *p, uint32_t machine) {
    const hk_chart_machine *m = &p->chart->machines[machine];
    body b = {.p = p, .m = m, .machine = machine, .base = p->labels};
    p->labels += 2 * m->node_count;
    b.end = p->labels++;
    put_take(&b, m->nodes[m->initial].outgoing[0], m->initial);
    fprintf(p->out, ";\n");
    for (uint32_t i = 0; i < m->node_count && p->status == HK_OK; i++) {
        hk_chart_node_kind kind = m->nodes[i].kind;
        if (kind == HK_CHART_STATE)
            put_state(&b, i);
        else if (kind == HK_CHART_FINAL)
            put_final(&b, i);
        else if (kind != HK_CHART_INITIAL)
            put_junction(&b, i);
    }
    fprintf(p->out, "L%u: inside[%u] = 0; settled[%u] = 0;\n", b.end, machine, machine);
}

/* SPDX-License-Identifier: MIT
 *
 * Conditions and properties at the end of a cycle. */
#include "explore/world.h"

#include <math.h>

#include <string.h>

static bool compare_order(const char *mark, int order) {
    switch (mark[0]) {
    case '<':
        return mark[1] ? order <= 0 : order < 0;
    case '>':
        return mark[1] ? order >= 0 : order > 0;
    default:
        return mark[0] == '=' ? order == 0 : order != 0;
    }
}

static hk_cell value_of(const hk_world *w, const hk_ask_value *v) {
    return v->literal ? v->value : hk_world_memory(w, v->unit)[v->cell];
}

static bool holds_comparison(const hk_world *w, const hk_ask *ask) {
    if (!hk_world_happened(w, &ask->left) ||
        (!ask->right.literal && !hk_world_happened(w, &ask->right)))
        return false;
    hk_cell a = value_of(w, &ask->left), b = value_of(w, &ask->right);
    if (ask->left.type->kind == HK_CHART_REAL && (isnan(a.r) || isnan(b.r)))
        return ask->mark[0] == '!'; /* what is not a number differs from all, and is in no order */
    if (ask->left.type->kind == HK_CHART_REAL)
        return compare_order(ask->mark, a.r < b.r ? -1 : a.r > b.r);
    return compare_order(ask->mark, a.i < b.i ? -1 : a.i > b.i);
}

static bool is_in(const hk_world *w, const hk_ask *ask) {
    const hk_side *s = &w->sides[ask->unit];
    const hk_chart_node *nodes = s->chart->machines[ask->machine].nodes;
    uint32_t node = hk_chart_active_state(s->runner, hk_side_state(w, ask->unit), ask->machine);
    while (node != HK_CHART_NONE && node != ask->index)
        node = nodes[node].parent;
    return node != HK_CHART_NONE;
}

bool hk_world_holds(const hk_world *w, const hk_ask *ask) {
    const hk_side *s = &w->sides[ask->unit];
    switch (ask->op) {
    case HK_ASK_AND:
        return hk_world_holds(w, ask->a) && hk_world_holds(w, ask->b);
    case HK_ASK_OR:
        return hk_world_holds(w, ask->a) || hk_world_holds(w, ask->b);
    case HK_ASK_NOT:
        return !hk_world_holds(w, ask->a);
    case HK_ASK_EVENT:
    case HK_ASK_ARRIVAL:
    case HK_ASK_OPERATION:
        return hk_world_happened(
            w, &(hk_ask_value){.op = ask->op, .index = ask->index, .unit = ask->unit});
    case HK_ASK_STATE:
        return is_in(w, ask);
    case HK_ASK_TAKES:
        return s->taken[hk_chart_first_transition(s->chart, ask->machine) + ask->index] > 0;
    case HK_ASK_ENDED:
        return hk_chart_machine_at(s->runner, hk_side_state(w, ask->unit), ask->machine)->mode ==
               HK_CHART_ENDED;
    case HK_ASK_PLANT:
        return w->state[w->table_at] == ask->index;
    case HK_ASK_COMPARE:
        return holds_comparison(w, ask);
    }
    return false;
}

/* How many cycles are left for b; 0: nothing is due. True: it did not come in time. */
static bool is_late(const hk_world *w, const hk_property *p, uint64_t *left) {
    bool due = *left > 0;
    if (hk_world_holds(w, p->b)) {
        *left = 0;
        return false;
    }
    if (due)
        return --*left == 0;
    if (!hk_world_holds(w, p->a))
        return false;
    *left = p->cycles;
    return p->cycles == 0;
}

void hk_world_judge(hk_world *w) {
    uint64_t *monitor = w->state + w->monitor_at;
    for (size_t i = 0; i < w->properties->count; i++) {
        const hk_property *p = &w->properties->all[i];
        bool found = false;
        if (p->kind == HK_PROPERTY_FOLLOWS)
            found = is_late(w, p, &monitor[i]);
        else if (w->property_found[i])
            continue;
        else if (p->kind == HK_PROPERTY_ALWAYS)
            found = !hk_world_holds(w, p->a);
        else if (p->kind == HK_PROPERTY_NEVER || p->kind == HK_PROPERTY_REACHABLE)
            found = hk_world_holds(w, p->a);
        if (found && !w->property_found[i]) {
            w->property_sites[i].edge = w->edge;
            w->property_found[i] = true;
        }
    }
}

/* SPDX-License-Identifier: MIT
 *
 * Clocks in conditions: since and sinceEntry. */
#include "chart/resolve_internal.h"

#include <math.h>
#include <string.h>

static hk_where where_of(const hk_rcenv *env, const hk_rcexpr *expr) {
    return hk_rcr_where(env->file, &expr->at);
}

/* Only literals, constants and parameters. */
static bool is_fixed(const hk_rcenv *env, const hk_chart_expr *expr) {
    if (expr->op == HK_CHART_LOAD) {
        for (size_t i = 0; i < env->name_count; i++)
            if (env->names[i].cell == expr->cell)
                return env->names[i].constant;
        return false;
    }
    for (uint32_t i = 0; i < expr->arg_count; i++)
        if (!is_fixed(env, expr->args[i]))
            return false;
    return expr->op != HK_CHART_SINCE && expr->op != HK_CHART_SINCE_ENTRY;
}

/* A clock remembers the largest number that it is compared with, for who explores. */
bool hk_rcr_check_clock(hk_rcenv *env, const hk_rcexpr *side, const hk_chart_expr *clock,
                        const hk_chart_expr *bound) {
    bool since = clock->op == HK_CHART_SINCE || clock->op == HK_CHART_SINCE_ENTRY;
    double value;
    if (clock->op == HK_CHART_TO_REAL)
        return hk_rcr_check_clock(env, side, clock->args[0], bound);
    if (!since)
        return true;
    if (!is_fixed(env, bound))
        return hk_rcr_rule(env->r, where_of(env, side), "TE1", NULL,
                           "a clock is compared with something that is not constant");
    if (clock->op == HK_CHART_SINCE_ENTRY)
        return true;
    hk_chart_clock *c = &env->machine->clocks[clock->clock];
    if (!hk_rcr_constant(env, bound, true, &value))
        c->largest = (double)NAN;
    else if (value > c->largest)
        c->largest = value;
    return true;
}

const hk_chart_expr *hk_rcr_since(hk_rcenv *env, const hk_rcexpr *expr) {
    bool entry = expr->kind == HK_RCE_SINCE_ENTRY, whole = env->r->cycle.den == 1;
    const char *word = entry ? "sinceEntry" : "since";
    if (!env->guard || !env->machine) {
        hk_rcr_rule(env->r, where_of(env, expr), "TE1", "compare it in a condition",
                    "'%s' is used outside the comparisons of a transition's condition", word);
        return NULL;
    }
    hk_chart_expr *made =
        hk_rcr_new(env, entry ? HK_CHART_SINCE_ENTRY : HK_CHART_SINCE,
                   hk_rcr_core(env->r, whole ? HK_CHART_NAT : HK_CHART_REAL), &expr->at);
    if (!entry)
        return hk_rcr_clock(env->machine, &expr->name, "TE2", &made->clock) ? made : NULL;
    const char *name = strrchr(expr->name.text, ':');
    name = name ? name + 1 : expr->name.text;
    for (size_t i = 0; i < env->machine->node_count; i++) {
        hk_chart_node *node = &env->machine->nodes[i];
        if (node->kind == HK_CHART_STATE && strcmp(node->name, name) == 0) {
            node->timed = true;
            made->state = (uint32_t)i;
            return made;
        }
    }
    hk_rcr_rule(env->r, where_of(env, expr), "TE3", NULL,
                "'sinceEntry' asks for '%s', which is not a state of this machine",
                expr->name.text);
    return NULL;
}

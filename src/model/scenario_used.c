/* SPDX-License-Identifier: MIT
 *
 * Which components do work that somebody uses: others, by connections and services, or the
 * simulation, which logs, tests and expects. */
#include "model/scenario.h"

static void mark_actions(const hk_actions *actions, hk_used_rule rule, bool *used) {
    for (size_t k = 0; k < actions->count; k++) {
        const hk_action *a = &actions->all[k];
        bool stops = a->kind == HK_ACTION_STOP || a->kind == HK_ACTION_START;
        for (size_t i = 0; rule == HK_USED_TOUCHED && stops && i < a->component_count; i++)
            used[a->components[i]] = true;
        if (a->kind == HK_ACTION_BIND)
            used[a->provider] = true;
    }
}

static void mark_test(const hk_test *test, bool *used) {
    if (!test)
        return;
    if (test->kind == HK_TEST_COMPARE) {
        if (test->left.is_signal)
            used[test->left.signal.component] = true;
        if (test->right.is_signal)
            used[test->right.signal.component] = true;
    }
    mark_test(test->a, used);
    mark_test(test->b, used);
}

/* What is logged, tested and expected. */
static void mark_observed(const hk_scenario *s, bool *used) {
    for (size_t i = 0; i < s->log_count; i++)
        for (size_t k = 0; k < s->logs[i].count; k++)
            used[s->logs[i].signals[k].component] = true;
    for (size_t i = 0; i < s->event_count; i++) {
        mark_test(s->events[i].condition, used);
        mark_test(s->events[i].until, used);
    }
    for (size_t i = 0; i < s->expectation_count; i++) {
        mark_test(s->expectations[i].condition, used);
        mark_test(s->expectations[i].trigger, used);
        if (s->expectations[i].measure)
            used[s->expectations[i].measure->signal.component] = true;
    }
}

static void mark_scenario(const hk_scenario *s, hk_used_rule rule, bool *used) {
    mark_observed(s, used);
    mark_actions(&s->begin, rule, used);
    for (size_t i = 0; i < s->event_count; i++)
        mark_actions(&s->events[i].actions, rule, used);
}

/* One that is stopped while nothing has run yet is not asked what it is for. */
static bool is_stopped(const hk_actions *actions, uint32_t component) {
    bool stopped = false;
    for (size_t k = 0; k < actions->count; k++) {
        const hk_action *a = &actions->all[k];
        if (a->kind == HK_ACTION_STOP || a->kind == HK_ACTION_START)
            for (size_t i = 0; i < a->component_count; i++)
                if (a->components[i] == component)
                    stopped = a->kind == HK_ACTION_STOP;
    }
    return stopped;
}

static bool begins_stopped(const hk_simulation *s, uint32_t component) {
    bool all = s->scenario_count > 0;
    for (size_t i = 0; i < s->scenario_count; i++)
        all &= is_stopped(&s->scenarios[i].begin, component);
    return all || is_stopped(&s->begin, component);
}

static bool starts(const hk_actions *actions, uint32_t component) {
    for (size_t k = 0; k < actions->count; k++)
        for (size_t i = 0; i < actions->all[k].component_count; i++)
            if (actions->all[k].kind == HK_ACTION_START &&
                actions->all[k].components[i] == component)
                return true;
    return false;
}

static bool is_started(const hk_simulation *s, uint32_t component) {
    bool any = starts(&s->begin, component);
    for (size_t i = 0; i < s->scenario_count; i++) {
        any |= starts(&s->scenarios[i].begin, component);
        for (size_t k = 0; k < s->scenarios[i].event_count; k++)
            any |= starts(&s->scenarios[i].events[k].actions, component);
    }
    return any;
}

static void mark_services(const hk_model *m, bool *used) {
    for (size_t i = 0; i < m->requirement_count; i++) {
        const hk_requirement *q = &m->requirements[i];
        uint32_t bound = q->candidate_count == 1 ? 0 : q->bound;
        bool chosen = bound < q->candidate_count;
        if (chosen)
            used[q->candidates[bound].component] = true;
        for (size_t k = 0; k < q->candidate_count; k++)
            chosen |= used[q->candidates[k].component];
        /* None is bound yet, which is said elsewhere: it may be any of them. */
        for (size_t k = 0; !chosen && k < q->candidate_count; k++)
            used[q->candidates[k].component] = true;
    }
}

static bool produces(const hk_info *info) {
    for (size_t k = 0; k < info->variable_count; k++)
        if (info->variables[k].causality == HK_OUTPUT)
            return true;
    for (size_t k = 0; k < info->service_count; k++)
        if (info->services[k].provided)
            return true;
    return false;
}

bool hk_simulation_used(const hk_simulation *s, hk_used_rule rule, bool *ret_used) {
    const hk_model *m = s->model;
    bool any = false;
    mark_actions(&s->begin, rule, ret_used);
    for (size_t i = 0; i < s->scenario_count; i++)
        mark_scenario(&s->scenarios[i], rule, ret_used);
    for (uint32_t i = 0; i < m->component_count; i++)
        any |= ret_used[i] || (rule == HK_USED_OR_STOPPED && begins_stopped(s, i));
    for (size_t i = 0; i < m->connection_count; i++)
        ret_used[m->connections[i].from_component] = true;
    mark_services(m, ret_used);
    for (uint32_t i = 0; i < m->component_count; i++)
        ret_used[i] |= !produces(m->components[i].info) ||
                       (m->components[i].inactive && !is_started(s, i)) ||
                       (rule == HK_USED_OR_STOPPED && begins_stopped(s, i));
    return any;
}

/* ---- through others ---- */

/* Who gives something to whom. */
typedef struct giving {
    uint32_t from, to;
} giving;

typedef struct reach {
    giving *all;
    size_t count, cap;
    bool *started; /* per component: by some event */
} reach;

static void add_giving(reach *r, uint32_t from, uint32_t to) {
    giving one = {from, to};
    HK_PUSH(r->all, r->count, r->cap, one);
}

static void add_actions(reach *r, const hk_actions *actions) {
    for (size_t i = 0; i < actions->count; i++) {
        const hk_action *a = &actions->all[i];
        if (a->kind == HK_ACTION_BIND)
            add_giving(r, a->provider, a->component);
        for (size_t k = 0; a->kind == HK_ACTION_START && k < a->component_count; k++)
            r->started[a->components[k]] = true;
    }
}

static void find_givings(const hk_simulation *s, reach *r) {
    const hk_model *m = s->model;
    for (size_t i = 0; i < m->connection_count; i++)
        add_giving(r, m->connections[i].from_component, m->connections[i].to_component);
    for (size_t i = 0; i < m->requirement_count; i++)
        if (m->requirements[i].candidate_count == 1)
            add_giving(r, m->requirements[i].candidates[0].component, m->requirements[i].component);
    add_actions(r, &s->begin);
    for (size_t i = 0; i < s->scenario_count; i++) {
        add_actions(r, &s->scenarios[i].begin);
        for (size_t k = 0; k < s->scenarios[i].event_count; k++)
            add_actions(r, &s->scenarios[i].events[k].actions);
    }
}

bool hk_simulation_reached(const hk_simulation *s, bool *ret_reached) {
    const hk_model *m = s->model;
    hk_arena *arena = hk_arena_create();
    bool *seen = HK_NEW_ARRAY(arena, bool, m->component_count + 1), any = false, more = true;
    bool *idle = HK_NEW_ARRAY(arena, bool, m->component_count + 1);
    reach r = {.started = HK_NEW_ARRAY(arena, bool, m->component_count + 1)};
    find_givings(s, &r);
    for (size_t i = 0; i < s->scenario_count; i++)
        mark_observed(&s->scenarios[i], seen);
    for (uint32_t i = 0; i < m->component_count; i++) {
        any |= seen[i];
        idle[i] = !r.started[i] && (m->components[i].inactive || begins_stopped(s, i));
        ret_reached[i] |= seen[i] || !produces(m->components[i].info);
    }
    while (more) {
        more = false;
        for (size_t i = r.count; i-- > 0;) {
            const giving *g = &r.all[i];
            bool now = ret_reached[g->to] && !idle[g->to] && !ret_reached[g->from];
            ret_reached[g->from] |= now;
            more |= now;
        }
    }
    for (uint32_t i = 0; i < m->component_count; i++)
        ret_reached[i] |= idle[i];
    hk_free(r.all);
    hk_arena_destroy(arena);
    return any;
}

/* SPDX-License-Identifier: MIT */
#include "plan/pace.h"

#include "base/search.h"
#include "plan/overrun.h"

#include <stdlib.h>

enum { EVENTS_MAX = 100000 };

/* A cell of a node, run at an instant. */
typedef struct event {
    hk_tick at;
    uint32_t node, component, count;
    uint32_t before; /* what it had to wait for; HK_MAP_NONE: nothing */
    double cost, end;
} event;

/* An activation of a component. */
typedef struct done {
    hk_tick at;
    uint32_t event;
} done;

typedef struct past {
    done *all;
    size_t count, cap;
} past;

/* Who must have been waited for: a component of another node, as it was so long ago. */
typedef struct need {
    uint32_t component;
    hk_tick lag;
} need;

typedef struct pacing {
    const hk_plan_flows *flows;
    const hk_plan *plan;
    const uint32_t *node_of;
    const double *cost_s;
    event *events;
    size_t count, cap;
    past *pasts;     /* per component */
    uint32_t *last;  /* per node: its last event */
    uint32_t *order; /* components by level, then by node */
    uint32_t *first; /* per component: of its needs; one more for the end */
    need *needs;
    hk_tick *next; /* per component: activation */
} pacing;

/* ---- who needs whom ---- */

static bool is_needed(const pacing *p, const hk_connection *k) {
    return p->node_of[k->from_component] != p->node_of[k->to_component];
}

static void find_needs(pacing *p) {
    const hk_model *model = p->plan->model;
    size_t n = model->component_count;
    p->first = hk_alloc((n + 2) * sizeof *p->first);
    p->needs = hk_alloc((model->connection_count + 1) * sizeof *p->needs);
    for (size_t i = 0; i < model->connection_count; i++)
        p->first[model->connections[i].to_component + 2] += is_needed(p, &model->connections[i]);
    for (size_t c = 0; c < n; c++)
        p->first[c + 2] += p->first[c + 1];
    for (size_t i = 0; i < model->connection_count; i++) {
        const hk_connection *k = &model->connections[i];
        if (is_needed(p, k))
            p->needs[p->first[k->to_component + 1]++] =
                (need){k->from_component, p->plan->connections[i].lag};
    }
}

typedef struct placed {
    uint32_t level, node, component;
} placed;

static int by_level(const void *a, const void *b) {
    const placed *x = a, *y = b;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return x->component < y->component ? -1 : x->component > y->component;
}

static void find_order(pacing *p) {
    size_t n = p->plan->model->component_count;
    placed *all = hk_alloc((n + 1) * sizeof *all);
    p->order = hk_alloc((n + 1) * sizeof *p->order);
    for (uint32_t c = 0; c < n; c++)
        all[c] = (placed){p->plan->components[c].level, p->node_of[c], c};
    qsort(all, n, sizeof *all, by_level);
    for (size_t i = 0; i < n; i++)
        p->order[i] = all[i].component;
    hk_free(all);
}

/* ---- going through the instants ---- */

/* The event of the newest activation at or before LATEST; HK_MAP_NONE: it is not there yet. */
static uint32_t seen(const pacing *p, uint32_t component, hk_tick latest) {
    const past *x = &p->pasts[component];
    size_t later = 0;
    HK_SEARCH(later, x->count, i, x->all[i].at <= latest)
    return later ? x->all[later - 1].event : HK_MAP_NONE;
}

static double end_of(const pacing *p, uint32_t at) {
    return at == HK_MAP_NONE ? 0 : p->events[at].end;
}

static uint32_t later(const pacing *p, uint32_t a, uint32_t b) {
    return end_of(p, b) > end_of(p, a) ? b : a;
}

/* Conditions are looked at when the instant begins, on every node. */
static void look(pacing *p, hk_tick now) {
    for (size_t i = 0; i < p->flows->count; i++) {
        const hk_plan_flow *f = &p->flows->all[i];
        if (f->look < HK_TICK_NEVER)
            p->last[f->to] = later(p, p->last[f->to], seen(p, f->component, now - f->look));
    }
}

static void run_cell(pacing *p, hk_tick now, const uint32_t *members, uint32_t count) {
    uint32_t node = p->node_of[members[0]], before = p->last[node], mine = (uint32_t)p->count;
    event e = {.at = now, .node = node, .component = members[0], .count = count};
    for (uint32_t m = 0; m < count; m++) {
        uint32_t c = members[m];
        e.cost += p->cost_s[c];
        for (uint32_t i = p->first[c]; i < p->first[c + 1]; i++)
            before = later(p, before, seen(p, p->needs[i].component, now - p->needs[i].lag));
    }
    e.before = before;
    e.end = end_of(p, before) + e.cost;
    HK_PUSH(p->events, p->count, p->cap, e);
    p->last[node] = mine;
    for (uint32_t m = 0; m < count; m++) {
        past *x = &p->pasts[members[m]];
        HK_PUSH(x->all, x->count, x->cap, ((done){now, mine}));
    }
}

static void move_on(pacing *p, uint32_t component) {
    const hk_plan_component *c = &p->plan->components[component];
    p->next[component] += c->period;
    if (c->pattern)
        p->next[component] = hk_pattern_next(c->pattern, p->next[component]);
}

static void run_instant(pacing *p, hk_tick now, uint32_t *members) {
    uint32_t count = 0, n = (uint32_t)p->plan->model->component_count;
    look(p, now);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t c = p->order[i];
        if (p->next[c] != now)
            continue;
        bool same = count && p->node_of[members[0]] == p->node_of[c] &&
                    p->plan->components[members[0]].level == p->plan->components[c].level;
        if (count && !same) {
            run_cell(p, now, members, count);
            count = 0;
        }
        members[count++] = c;
        move_on(p, c);
    }
    if (count)
        run_cell(p, now, members, count);
}

/* Up to the end of the run, or until it is clear what it is like; returns where. */
static hk_tick run_all(pacing *p) {
    size_t n = p->plan->model->component_count;
    uint32_t *members = hk_alloc((n + 1) * sizeof *members);
    hk_tick now;
    for (size_t c = 0; c < n; c++) {
        const hk_plan_component *x = &p->plan->components[c];
        p->next[c] = p->plan->start + x->offset;
        if (x->pattern)
            p->next[c] = hk_pattern_next(x->pattern, p->next[c]);
    }
    for (;;) {
        now = p->plan->stop; /* that an overrun ends the run is said elsewhere */
        for (size_t c = 0; c < n; c++)
            now = p->next[c] < now ? p->next[c] : now;
        if (now >= p->plan->stop || p->count >= EVENTS_MAX)
            break;
        run_instant(p, now, members);
    }
    hk_free(members);
    return now;
}

/* ---- what came of it ---- */

static void find_path(const pacing *p, hk_arena *arena, hk_tick repeat, hk_pace *pace) {
    uint32_t at = HK_MAP_NONE;
    size_t kept = 0;
    for (uint32_t n = 0; n < p->flows->placement.node_count; n++)
        at = later(p, at, p->last[n]);
    pace->parallel = end_of(p, at);
    hk_pace_step *back = HK_NEW_ARRAY(arena, hk_pace_step, HK_PACE_STEPS);
    for (; at != HK_MAP_NONE; at = p->events[at].before) {
        const event *e = &p->events[at];
        bool crosses = e->before != HK_MAP_NONE && p->events[e->before].node != e->node;
        pace->on_path[e->node] += e->cost;
        pace->crossings += crosses;
        bool recent = repeat == HK_TICK_NEVER || e->at >= pace->until - repeat;
        if (kept < HK_PACE_STEPS && recent)
            back[kept++] = (hk_pace_step){e->at, e->node, e->component, e->count, e->cost, crosses};
    }
    pace->steps = HK_NEW_ARRAY(arena, hk_pace_step, kept + 1);
    pace->step_count = kept;
    for (size_t i = 0; i < kept; i++)
        pace->steps[i] = back[kept - 1 - i];
}

hk_pace hk_pace_find(hk_arena *arena, const hk_plan_flows *flows, const double *cost_s,
                     hk_tick repeat) {
    HK_ASSERT(arena && flows && cost_s);
    size_t n = flows->plan->model->component_count, nodes = flows->placement.node_count;
    pacing p = {
        .flows = flows, .plan = flows->plan, .node_of = flows->placement.node_of, .cost_s = cost_s};
    p.pasts = hk_alloc((n + 1) * sizeof *p.pasts);
    p.next = hk_alloc((n + 1) * sizeof *p.next);
    p.last = hk_alloc(nodes * sizeof *p.last);
    for (size_t i = 0; i < nodes; i++)
        p.last[i] = HK_MAP_NONE;
    find_needs(&p);
    find_order(&p);
    hk_pace pace = {.busy = HK_NEW_ARRAY(arena, double, nodes),
                    .on_path = HK_NEW_ARRAY(arena, double, nodes)};
    pace.until = run_all(&p);
    for (size_t i = 0; i < p.count; i++) {
        pace.serial += p.events[i].cost;
        pace.busy[p.events[i].node] += p.events[i].cost;
    }
    find_path(&p, arena, repeat, &pace);
    for (size_t c = 0; c < n; c++)
        hk_free(p.pasts[c].all);
    hk_free(p.events);
    hk_free(p.pasts);
    hk_free(p.next);
    hk_free(p.last);
    hk_free(p.order);
    hk_free(p.first);
    hk_free(p.needs);
    return pace;
}

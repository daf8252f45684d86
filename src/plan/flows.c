/* SPDX-License-Identifier: MIT */
#include "plan/flows.h"

#include "plan/overrun.h"
#include "plan/program.h"

#include <stdlib.h>

/* ---- what cannot be cut ---- */

static const char together_hint[] = "put them on one node";

static const char *node_name(const hk_placement *p, uint32_t component, hk_arena *arena) {
    uint32_t node = p->node_of[component];
    return p->names ? p->names[node] : hk_arena_printf(arena, "node%u", (unsigned)node);
}

static hk_status check_services(hk_ctx *ctx, const hk_plan *plan, const hk_placement *p,
                                hk_arena *arena) {
    const hk_model *model = plan->model;
    for (size_t i = 0; i < model->requirement_count; i++) {
        const hk_requirement *r = &model->requirements[i];
        for (size_t k = 0; k < r->candidate_count; k++) {
            uint32_t caller = r->component, provider = r->candidates[k].component;
            if (p->node_of[caller] != p->node_of[provider])
                return hk_error(ctx, HK_E_PLACEMENT, r->where, together_hint,
                                "a service cannot be called from another node: '%s' on '%s' calls "
                                "'%s' on '%s'",
                                model->components[caller].name, node_name(p, caller, arena),
                                model->components[provider].name, node_name(p, provider, arena));
        }
    }
    return HK_OK;
}

/* "'a' on 'node0', 'b' on 'node1'": each once. */
static const char *loop_members(const hk_plan *plan, const hk_placement *p, uint32_t begin,
                                uint32_t end, hk_arena *arena) {
    const char *text = "";
    for (uint32_t n = begin; n < end; n++) {
        uint32_t c = plan->init_nodes[n].component;
        bool said = false;
        for (uint32_t before = begin; before < n; before++)
            said = said || plan->init_nodes[before].component == c;
        if (!said)
            text = hk_arena_printf(arena, "%s%s'%s' on '%s'", text, n > begin ? ", " : "",
                                   plan->model->components[c].name, node_name(p, c, arena));
    }
    return text;
}

/* Values of a loop are iterated together. */
static hk_status check_loops(hk_ctx *ctx, const hk_plan *plan, const hk_placement *p,
                             hk_arena *arena) {
    uint32_t begin = 0;
    for (size_t i = 0; i < plan->init_group_count; begin = plan->init_group_end[i++]) {
        uint32_t first = plan->init_nodes[begin].component, end = plan->init_group_end[i];
        for (uint32_t n = begin + 1; n < end; n++) {
            uint32_t other = plan->init_nodes[n].component;
            if (p->node_of[first] != p->node_of[other])
                return hk_error(ctx, HK_E_PLACEMENT, plan->model->components[other].where,
                                "put them on one node, or give a connection between them an "
                                "initial value of its own",
                                "a loop of initial values cannot cross nodes: %s are in it",
                                loop_members(plan, p, begin, end, arena));
        }
    }
    return HK_OK;
}

hk_status hk_placement_check(hk_ctx *ctx, const hk_plan *plan, const hk_placement *placement) {
    HK_ASSERT(ctx && plan && placement);
    hk_arena *arena = hk_arena_create();
    hk_status status = check_services(ctx, plan, placement, arena);
    if (status == HK_OK)
        status = check_loops(ctx, plan, placement, arena);
    hk_arena_destroy(arena);
    return status;
}

/* ---- flows ---- */

typedef struct work {
    hk_plan_flows *flows;
    const hk_model *model;
    size_t *first_variable; /* per component: where its variables begin in USE */
    unsigned char *use;     /* of the node that is looked at */
    bool *driven;           /* beside it: an input with a connection */
    hk_tick *lag;           /* per component: the smallest, for that node */
    hk_tick *look;          /* the same of what conditions look at */
} work;

enum { CARRIED = 1, CONNECTED = 2, MOVES = 4, LOOKED = 8, SHOWN = 16 };

static void carry(work *w, uint32_t component, uint32_t variable, unsigned how, hk_tick lag) {
    w->use[w->first_variable[component] + variable] |= (unsigned char)how;
    if (how & MOVES && lag < w->lag[component])
        w->lag[component] = lag;
}

/* As a row at t shows it: outputs by their stamp; inputs, and what changes with them, as they are
 * after the activation at t. */
static hk_tick row_lag(const hk_plan *plan, uint32_t component, const hk_variable *v) {
    bool at_end = plan->model->components[component].info->stamp == HK_STAMP_END &&
                  v->causality != HK_INPUT && v->causality != HK_PARAMETER;
    return at_end ? plan->components[component].period : 0;
}

/* Inputs that nothing drives and parameters change by a scenario alone, which every node plays. */
static bool is_still(const work *w, uint32_t component, uint32_t variable) {
    return hk_program_is_static(&w->model->components[component].info->variables[variable]) &&
           !w->driven[w->first_variable[component] + variable];
}

static void look(work *w, const hk_signal *s, unsigned how, hk_tick lag) {
    bool still = is_still(w, s->component, s->variable);
    carry(w, s->component, s->variable, CARRIED | how | (still ? 0u : MOVES), lag);
    if (how & LOOKED && !still && lag < w->look[s->component])
        w->look[s->component] = lag;
}

static void find_uses(work *w, uint32_t node, const hk_looks *looks) {
    const hk_plan *plan = w->flows->plan;
    const uint32_t *node_of = w->flows->placement.node_of;
    for (size_t i = 0; i < w->model->connection_count; i++) {
        const hk_connection *k = &w->model->connections[i];
        if (node_of[k->to_component] == node)
            carry(w, k->from_component, k->from_variable, CARRIED | CONNECTED | MOVES,
                  plan->connections[i].lag);
    }
    for (size_t i = 0; looks && i < looks->everywhere_count; i++) {
        const hk_signal *s = &looks->everywhere[i];
        const hk_variable *v = &w->model->components[s->component].info->variables[s->variable];
        hk_tick lag = row_lag(plan, s->component, v);
        look(w, s, LOOKED,
             lag > 0 ? lag : 1); /* what runs at t has not run when the instant begins */
    }
    for (size_t i = 0; looks && node == w->flows->placement.recorder && i < looks->row_count; i++) {
        const hk_signal *s = &looks->rows[i];
        const hk_variable *v = &w->model->components[s->component].info->variables[s->variable];
        look(w, s, SHOWN, row_lag(plan, s->component, v));
    }
}

static void add_flow(work *w, uint32_t component, uint32_t node) {
    hk_plan_flows *flows = w->flows;
    size_t n = w->model->components[component].info->variable_count;
    const unsigned char *use = w->use + w->first_variable[component];
    const hk_plan_component *c = &flows->plan->components[component];
    bool recorder = node == flows->placement.recorder;
    hk_plan_flow f = {.component = component,
                      .from = flows->placement.node_of[component],
                      .to = node,
                      .moves = recorder,
                      .look = w->look[component],
                      .lag = recorder                            ? 0
                             : w->lag[component] < HK_TICK_NEVER ? w->lag[component]
                                                                 : c->period};
    for (size_t v = 0; v < n; v++) {
        f.variable_count += use[v] != 0;
        f.moves = f.moves || use[v] & MOVES;
    }
    if (f.from == node || (!f.variable_count && !recorder))
        return;
    f.variables = HK_NEW_ARRAY(flows->arena, hk_plan_flow_variable, f.variable_count);
    size_t k = 0;
    for (uint32_t v = 0; v < n; v++)
        if (use[v])
            f.variables[k++] =
                (hk_plan_flow_variable){v, use[v] & CONNECTED, use[v] & LOOKED, use[v] & SHOWN};
    flows->all[flows->count++] = f;
}

static int by_component(const void *a, const void *b) {
    const hk_plan_flow *x = a;
    const hk_plan_flow *y = b;
    if (x->component != y->component)
        return x->component < y->component ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

static void find_flows(work *w, const hk_looks *looks) {
    hk_plan_flows *flows = w->flows;
    size_t n = w->model->component_count, variables = w->first_variable[n];
    flows->all = HK_NEW_ARRAY(flows->arena, hk_plan_flow, n * flows->placement.node_count + 1);
    for (uint32_t node = 0; node < flows->placement.node_count; node++) {
        for (size_t i = 0; i < variables; i++)
            w->use[i] = 0;
        for (size_t c = 0; c < n; c++)
            w->lag[c] = w->look[c] = HK_TICK_NEVER;
        find_uses(w, node, looks);
        for (uint32_t c = 0; c < n; c++)
            add_flow(w, c, node);
    }
    qsort(flows->all, flows->count, sizeof *flows->all, by_component);
    flows->first = HK_NEW_ARRAY(flows->arena, uint32_t, n + 1);
    for (size_t i = 0; i < flows->count; i++)
        flows->first[flows->all[i].component + 1]++;
    for (size_t c = 0; c < n; c++)
        flows->first[c + 1] += flows->first[c];
}

hk_status hk_plan_flows_make(hk_ctx *ctx, const hk_plan *plan, const hk_placement *placement,
                             const hk_looks *looks, hk_plan_flows **ret_flows) {
    HK_ASSERT(ctx && plan && placement && ret_flows);
    HK_ASSERT(placement->recorder < placement->node_count);
    HK_TRY(hk_placement_check(ctx, plan, placement));
    const hk_model *model = plan->model;
    size_t n = model->component_count;
    hk_arena *arena = hk_arena_create();
    hk_plan_flows *flows = HK_NEW(arena, hk_plan_flows);
    *flows = (hk_plan_flows){.arena = arena,
                             .plan = plan,
                             .placement = *placement,
                             .rows = looks && looks->row_count > 0};
    uint32_t *node_of = HK_NEW_ARRAY(arena, uint32_t, n);
    for (size_t c = 0; c < n; c++) {
        HK_ASSERT(placement->node_of[c] < placement->node_count);
        node_of[c] = placement->node_of[c];
    }
    flows->placement.node_of = node_of;
    work w = {.flows = flows, .model = model};
    w.first_variable = hk_alloc((n + 1) * sizeof *w.first_variable);
    for (size_t c = 0; c < n; c++)
        w.first_variable[c + 1] = w.first_variable[c] + model->components[c].info->variable_count;
    w.use = hk_alloc(w.first_variable[n] + 1);
    w.driven = hk_alloc(w.first_variable[n] + 1);
    for (size_t i = 0; i < model->connection_count; i++)
        w.driven[w.first_variable[model->connections[i].to_component] +
                 model->connections[i].to_variable] = true;
    w.lag = hk_alloc((n + 1) * sizeof *w.lag);
    w.look = hk_alloc((n + 1) * sizeof *w.look);
    find_flows(&w, looks);
    hk_free(w.look);
    hk_free(w.lag);
    hk_free(w.driven);
    hk_free(w.use);
    hk_free(w.first_variable);
    *ret_flows = flows;
    return HK_OK;
}

void hk_plan_flows_destroy(hk_plan_flows *flows) {
    if (flows)
        hk_arena_destroy(flows->arena);
}

const hk_plan_flow *hk_plan_flow_find(const hk_plan_flows *flows, uint32_t component,
                                      uint32_t node) {
    HK_ASSERT(flows);
    HK_ASSERT(component < flows->plan->model->component_count);
    for (uint32_t i = flows->first[component]; i < flows->first[component + 1]; i++)
        if (flows->all[i].to == node)
            return &flows->all[i];
    return NULL;
}

/* Nobody waits for the recorder but for room: with some to spare it takes many messages whenever it
 * has a processor, where with none each step would wait for it to get one. */
enum { RECORDER_ROOM = 64 };

size_t hk_plan_flow_room(const hk_plan_flows *flows, const hk_plan_flow *flow) {
    HK_ASSERT(flows && flow);
    size_t waiting = (size_t)(flow->lag / flows->plan->components[flow->component].period) + 2;
    size_t before = 1; /* the first values, after the initial ones */
    for (size_t i = 0; i < flow->variable_count; i++)
        before += flow->variables[i].connected;
    if (flow->to == flows->placement.recorder)
        waiting += RECORDER_ROOM;
    return waiting > before ? waiting : before;
}

/* Reads of what an input there is driven by, in initialization mode. */
static uint64_t initial_messages(const hk_plan *plan, const hk_plan_flow *flow) {
    uint64_t count = 0;
    uint32_t nodes = plan->init_group_count ? plan->init_group_end[plan->init_group_count - 1] : 0;
    for (uint32_t i = 0; i < nodes; i++) {
        const hk_init_node *node = &plan->init_nodes[i];
        if (node->connection != HK_MAP_NONE || node->component != flow->component)
            continue;
        for (size_t v = 0; v < flow->variable_count; v++)
            count += flow->variables[v].connected && flow->variables[v].variable == node->variable;
    }
    return count;
}

/* What a table says where the run ends, and what follows from its inputs alone, is asked for once
 * more for the last row. */
static bool is_asked_at_end(const hk_plan *plan, uint32_t component) {
    const hk_component *c = &plan->model->components[component];
    const hk_plan_component *p = &plan->components[component];
    bool due = (plan->stop - plan->start - p->offset) % p->period == 0;
    if (plan->end < plan->stop)
        return false;
    return (c->info->can.only_feeds && (!c->has_period || due)) ||
           (c->info->can.momentary && !p->pattern && due);
}

/* One that begins stopped may say something else then. */
static bool is_changed(const hk_plan *plan, const hk_plan_flow *flow) {
    const hk_component *c = &plan->model->components[flow->component];
    return c->inactive && flow->variable_count && c->info->can.heeds_stops;
}

hk_flow_messages hk_plan_flow_messages(const hk_plan_flows *flows, const hk_plan_flow *flow) {
    HK_ASSERT(flows && flow);
    const hk_plan *plan = flows->plan;
    const hk_plan_component *c = &plan->components[flow->component];
    hk_flow_messages m = {.before = 1 + initial_messages(plan, flow) + is_changed(plan, flow)};
    hk_tick first = plan->start + c->offset;
    if (!flow->moves)
        return m;
    if (first < plan->end)
        m.during = (uint64_t)((plan->end - first - 1) / c->period + 1);
    if (c->pattern)
        m.during = hk_pattern_executed(c->pattern, m.during);
    m.at_end = flows->rows && is_asked_at_end(plan, flow->component);
    return m;
}

/* SPDX-License-Identifier: MIT
 *
 * Flows as connections. LComponents have no ports, so a flow that leads into one or out of it
 * passes a connector that is made for it, in each system on its way: "wallSensor_walls" of the
 * rover. */
#include "sysml/model_internal.h"

#include <string.h>

static uint32_t parent_of(const hk_sysml_maker *m, uint32_t instance) {
    return m->profile->instances[instance].parent;
}

static uint32_t depth_of(const hk_sysml_maker *m, uint32_t instance) {
    uint32_t depth = 0;
    for (; instance != HK_PROFILE_NONE; instance = parent_of(m, instance))
        depth++;
    return depth;
}

/* The innermost system that both are in. */
static uint32_t common_of(const hk_sysml_maker *m, uint32_t a, uint32_t b) {
    uint32_t x = parent_of(m, a), y = parent_of(m, b);
    while (x != y)
        if (depth_of(m, x) >= depth_of(m, y))
            x = parent_of(m, x);
        else
            y = parent_of(m, y);
    return x;
}

/* ---- connectors --------------------------------------------------------------------------------
 */

/* Two ways may want the same name: the later one gets a number. */
static const char *connector_name(hk_sysml_maker *m, uint32_t system, const hk_profile_end *end,
                                  const char *port) {
    const char *outer = m->profile->instances[system].path;
    const char *inner = m->profile->instances[end->instance].path;
    char *name =
        hk_arena_printf(m->model->arena, "%s_%s", inner + strlen(outer) + (*outer ? 1 : 0), port);
    for (char *c = name; *c; c++)
        if (*c == '.' || *c == '[' || *c == ']')
            *c = '_';
    const char *unique = name;
    for (int number = 2;; number++) {
        uint32_t fresh = (uint32_t)m->connectors.count;
        if (hk_map_put(&m->connectors, hk_arena_printf(m->arena, "%u %s", system, unique), fresh) ==
            fresh)
            return unique;
        unique = hk_arena_printf(m->model->arena, "%s_%d", name, number);
    }
}

static const hk_profile_port *port_of(const hk_sysml_maker *m, const hk_profile_end *end) {
    return &hk_sysml_block(m, end->instance)->ports[end->port];
}

/* The node of the connector of SYSTEM that END is reached through; *RET_NEW: it was not there. */
static uint32_t connector(hk_sysml_maker *m, uint32_t system, const hk_profile_end *end,
                          const char **ret_name, bool *ret_new) {
    const hk_profile_port *p = port_of(m, end);
    hk_tree_element *element = m->elements[system];
    const char *key = hk_arena_printf(m->arena, "%u %u.%u", system, end->instance, end->port);
    uint32_t node = hk_map_get(&m->nodes, key);
    *ret_new = node == HK_MAP_NONE;
    if (!*ret_new) {
        *ret_name = m->flat.nodes[node].connector->name;
        return node;
    }
    *ret_name = connector_name(m, system, end, p->name);
    hk_address at;
    bool found = hk_model_find_end(
        m->model,
        hk_arena_printf(m->arena, "%s.%s", m->profile->instances[end->instance].path, p->name),
        &at);
    const hk_variable *v = found ? hk_address_variable(m->model, &at) : NULL;
    hk_tree_connector *c = HK_NEW(m->model->arena, hk_tree_connector);
    *c = (hk_tree_connector){.name = *ret_name,
                             .kind = p->output ? HK_TREE_OUTPUT : HK_TREE_INPUT,
                             .has_type = v != NULL,
                             .type = v ? v->type : HK_TYPE_F64,
                             .unit = v ? v->unit : NULL,
                             .uom = v ? v->uom : NULL,
                             .enumeration = v ? v->enumeration : NULL,
                             .where = element->where};
    if (p->shape.size_count) {
        size_t *sizes = HK_NEW_ARRAY(m->model->arena, size_t, p->shape.size_count);
        for (size_t i = 0; i < p->shape.size_count; i++)
            sizes[i] = p->shape.sizes[i];
        c->sizes = sizes;
        c->size_count = p->shape.size_count;
    }
    HK_TREE_PUSH(m->model->arena, element->connectors, element->connector_count,
                 element->connector_cap, *c);
    node = hk_flat_add_node(&m->flat, m->profile->instances[system].path, c);
    hk_map_put(&m->nodes, key, node);
    return node;
}

/* ---- edges -------------------------------------------------------------------------------------
 */

/* Where a flow is on its way: at a port of a component, or at a connector of a system. */
typedef struct stop {
    hk_flat_end end;
    uint32_t instance;     /* whose port or connector it is */
    const char *connector; /* its name */
} stop;

static bool at_port(hk_sysml_maker *m, const hk_profile_end *end, stop *ret_stop) {
    const hk_profile_port *p = port_of(m, end);
    const char *path =
        hk_arena_printf(m->arena, "%s.%s", m->profile->instances[end->instance].path, p->name);
    *ret_stop =
        (stop){.instance = end->instance, .connector = hk_arena_strdup(m->model->arena, p->name)};
    ret_stop->end.name = p->name;
    ret_stop->end.delay = (hk_ratio){0, 1};
    return m->components[end->instance] != HK_MAP_NONE &&
           hk_model_find_end(m->model, path, &ret_stop->end.at);
}

/* Joins two stops in SYSTEM, which both are in, or are connectors of. */
static void join(hk_sysml_maker *m, const hk_profile_connection *c, uint32_t system,
                 const stop *from, const stop *to, hk_lag lag) {
    hk_tree_element *element = m->elements[system];
    hk_tree_connection *k = HK_NEW(m->model->arena, hk_tree_connection);
    *k = (hk_tree_connection){
        .from = {from->instance == system ? NULL : m->elements[from->instance]->name,
                 from->connector},
        .to = {to->instance == system ? NULL : m->elements[to->instance]->name, to->connector},
        .factor = 1,
        .lag = lag,
        .delay = {0, 1},
        .where = hk_sysml_where(m, c->file, &c->at)};
    HK_TREE_PUSH(m->model->arena, element->connections, element->connection_count,
                 element->connection_cap, *k);
    hk_flat_edge edge = {.from = from->end, .to = to->end, .connection = k, .link = c->number};
    (void)hk_flat_add_edge(&m->flat, &edge); /* two drivers were found by rule C2 */
}

/* Outwards from the source to the common system, each connector once. */
static stop climb(hk_sysml_maker *m, const hk_profile_connection *c, uint32_t common, stop at) {
    for (uint32_t s = parent_of(m, at.instance); s != common; s = parent_of(m, s)) {
        stop next = {.instance = s, .end = {.is_node = true, .delay = {0, 1}}};
        bool fresh;
        next.end.node = connector(m, s, &c->from, &next.connector, &fresh);
        if (fresh)
            join(m, c, s, &at, &next, HK_LAG_DEFAULT);
        at = next;
    }
    return at;
}

static void add_flow(hk_sysml_maker *m, const hk_profile_connection *c) {
    stop from, to, outer[64];
    size_t count = 0;
    if (!at_port(m, &c->from, &from) || !at_port(m, &c->to, &to))
        return; /* reported with its block */
    uint32_t common = common_of(m, c->from.instance, c->to.instance);
    hk_lag lag = port_of(m, &c->to)->reactive ? HK_LAG_CURRENT : HK_LAG_PREVIOUS;
    from = climb(m, c, common, from);
    for (uint32_t s = parent_of(m, c->to.instance); s != common; s = parent_of(m, s)) {
        bool fresh;
        if (count == 64) {
            hk_complain(&m->complaints, HK_E_PROFILE, hk_place_where(c->file, &c->at), NULL,
                        "it leads through more than 64 LComponents");
            return;
        }
        outer[count] = (stop){.instance = s, .end = {.is_node = true, .delay = {0, 1}}};
        outer[count].end.node = connector(m, s, &c->to, &outer[count].connector, &fresh);
        count++;
    }
    uint32_t system = common;
    while (count--) {
        join(m, c, system, &from, &outer[count], HK_LAG_DEFAULT);
        from = outer[count];
        system = outer[count].instance;
    }
    join(m, c, system, &from, &to, lag);
}

/* What can go wrong here after the rules were kept is that the ends of a flow do not fit. */
static void report(void *user, const hk_flat_problem *problem) {
    hk_sysml_maker *m = user;
    if (problem->kind == HK_FLAT_JOIN)
        hk_complaint_heard(&m->complaints, problem->status);
    else if (problem->kind == HK_FLAT_UNIT)
        hk_complain(&m->complaints, HK_E_UNIT_MISMATCH, problem->where, NULL,
                    "the value is in '%s' and is wanted in '%s'", problem->have, problem->want);
    else
        hk_complain(&m->complaints, HK_E_CONNECTION, problem->where, NULL,
                    "the ends of this flow cannot be joined");
}

void hk_sysml_add_flows(hk_sysml_maker *m) {
    m->flat = (hk_flat){.ctx = m->complaints.ctx,
                        .arena = m->arena,
                        .model = m->model,
                        .hooks = {.user = m, .report = report}};
    for (size_t i = 0; i < m->profile->connection_count; i++)
        add_flow(m, &m->profile->connections[i]);
    for (uint32_t i = 0; i < m->flat.edge_count; i++)
        if (!m->flat.edges[i].to.is_node)
            hk_flat_connect(&m->flat, i);
}

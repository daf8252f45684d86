/* SPDX-License-Identifier: MIT
 *
 * The ends of connections: what they name, and which of the two the value comes from. */
#include "ssp/ssp_internal.h"

#include <string.h>

typedef enum role { SOURCE, SINK, EITHER } role;

/* What a connection names, and whether a value may come from there or go there. */
typedef struct named {
    hk_flat_end is;
    role role;
} named;

static role role_of_kind(hk_tree_kind kind, bool of_the_system) {
    switch (kind) {
    case HK_TREE_INPUT:
    case HK_TREE_PARAMETER:
    case HK_TREE_STRUCTURAL:
        return of_the_system ? SOURCE : SINK;
    case HK_TREE_OUTPUT:
    case HK_TREE_CALCULATED:
    case HK_TREE_CONSTANT:
    case HK_TREE_LOCAL:
        return of_the_system ? SINK : SOURCE;
    default:
        return EITHER;
    }
}

static role role_of_variable(const hk_variable *v) {
    return v->causality == HK_INPUT || v->causality == HK_PARAMETER ||
                   v->causality == HK_STRUCTURAL_PARAMETER
               ? SINK
               : SOURCE;
}

/* "wheel.p1.f", as the connection writes it. */
static const char *end_text(hk_ssp *r, const hk_tree_end *end) {
    return end->element ? hk_arena_printf(r->arena, "%s.%s", end->element, end->connector)
                        : end->connector;
}

static const char *closest_connector(hk_ssp *r, const hk_ssd_element *e, const char *name) {
    if (!hk_ssp_may_suggest(r))
        return NULL;
    const char **names = HK_NEW_ARRAY(r->arena, const char *, e->connector_count);
    for (size_t i = 0; i < e->connector_count; i++)
        names[i] = e->connectors[i].name;
    return hk_ssp_suggest(r, name, names, e->connector_count);
}

static const char *closest_variable(hk_ssp *r, const hk_info *info, const char *name) {
    if (!hk_ssp_may_suggest(r))
        return NULL;
    const char **names = HK_NEW_ARRAY(r->arena, const char *, info->variable_count);
    for (size_t i = 0; i < info->variable_count; i++)
        names[i] = info->variables[i].name;
    return hk_ssp_suggest(r, name, names, info->variable_count);
}

static const char *closest_element(hk_ssp *r, const hk_ssd_element *system, const char *name) {
    if (!hk_ssp_may_suggest(r))
        return NULL;
    const char **names = HK_NEW_ARRAY(r->arena, const char *, system->element_count);
    for (size_t i = 0; i < system->element_count; i++)
        names[i] = system->elements[i]->name;
    return hk_ssp_suggest(r, name, names, system->element_count);
}

static const hk_tree_connector *connector_of(const hk_ssd_element *e, const char *name) {
    uint32_t index = hk_map_get(e->connector_names, name);
    return index == HK_MAP_NONE ? NULL : &e->connectors[index];
}

/* The connector that an indexed name is an element of; NULL: there is no index, or none is
 * declared.
 */
static const hk_tree_connector *whole_connector(hk_ssp *r, const hk_ssd_element *e,
                                                const char *name) {
    const char *bracket = strrchr(name, '[');
    return bracket ? connector_of(e, hk_arena_strndup(r->arena, name, (size_t)(bracket - name)))
                   : NULL;
}

/* "[2]", "[1,2]": plain numbers from 1 on, so that an element has one name only. */
static bool is_plain_index(const char *text) {
    static const char digits[] = "0123456789";
    if (*text != '[')
        return false;
    do {
        text++;
        size_t length = strspn(text, digits);
        if (!length || *text == '0')
            return false;
        text += length;
    } while (*text == ',');
    return strcmp(text, "]") == 0;
}

/* The node of one element of a connector, which is made where it is named first. Values may be
 * given to it by its name. */
static uint32_t part_of(hk_ssp_flat *flat, const hk_ssd_element *system, uint32_t whole,
                        const char *name) {
    hk_ssp *r = flat->reader;
    bool new;
    uint32_t part = hk_flat_part(&flat->graph, whole, strrchr(name, '['), &new);
    if (new && system->path)
        hk_map_put(flat->node_paths,
                   *system->path ? hk_arena_printf(r->arena, "%s.%s", system->path, name) : name,
                   part);
    return part;
}

static bool find_system_end(hk_ssp_flat *flat, const hk_ssd_element *system, const char *connector,
                            bool of_the_system, hk_where where, named *ret_end) {
    hk_ssp *r = flat->reader;
    const hk_tree_connector *c = connector_of(system, connector);
    bool part = !c;
    if (!c)
        c = whole_connector(r, system, connector);
    if (!c) {
        hk_ssp_failed(r, hk_error(r->ctx, HK_E_CONNECTION, where,
                                  closest_connector(r, system, connector),
                                  "system '%s' has no connector '%s'", system->name, connector));
        return false;
    }
    uint32_t node = system->first_node + (uint32_t)(c - system->connectors);
    if (part && !is_plain_index(strrchr(connector, '['))) {
        hk_ssp_failed(r, hk_error(r->ctx, HK_E_CONNECTION, where,
                                  "write the indices as plain numbers from 1 on: 'u[2]', 'u[1,2]'",
                                  "'%s' does not name an element of connector '%s' of system '%s'",
                                  connector, c->name, system->name));
        return false;
    }
    if (part)
        node = part_of(flat, system, node, connector);
    *ret_end = (named){.is = {.is_node = true, .node = node, .connector = c},
                       .role = role_of_kind(c->kind, of_the_system)};
    return true;
}

static void compare_declaration(hk_ssp *r, const hk_ssd_element *e, const hk_tree_connector *c,
                                const hk_variable *v, hk_where where) {
    if (!c) {
        if (hk_ssp_first(r, hk_arena_printf(r->arena, "missing %s", e->path)))
            hk_warn(r->ctx, HK_E_SSP, where, "declare it under Connectors",
                    "component '%s' has no connector '%s'; the variable of that name is used, here "
                    "and for others that it does not declare",
                    e->path, v->name);
        return;
    }
    double factor = 1, offset = 0;
    bool converts =
        !c->uom || !v->uom || hk_uom_conversion(v->uom, c->uom, v->relative, &factor, &offset);
    if ((!converts || factor != 1 || offset != 0) &&
        hk_ssp_first(r, hk_arena_printf(r->arena, "unit of %s.%s", e->path, v->name)))
        hk_warn(r->ctx, HK_E_SSP, c->where, "a component's connector has the unit of its variable",
                "connector '%s' of component '%s' is in '%s' and the variable in '%s'; the "
                "connector counts",
                c->name, e->path, c->unit, v->unit);
    role declared = role_of_kind(c->kind, false);
    if ((declared != EITHER && declared != role_of_variable(v)) ||
        (c->has_type && strcmp(hk_type_kind(c->type), hk_type_kind(v->type)) != 0))
        if (hk_ssp_first(r, hk_arena_printf(r->arena, "differs %s.%s", e->path, v->name)))
            hk_warn(r->ctx, HK_E_SSP, c->where, NULL,
                    "connector '%s' of component '%s' differs from the variable, which is %s %s",
                    c->name, e->path, hk_causality_name(v->causality), hk_type_name(v->type));
}

static bool find_component_end(hk_ssp_flat *flat, const hk_ssd_element *e, const char *connector,
                               hk_where where, named *ret_end) {
    hk_ssp *r = flat->reader;
    if (e->component == HK_MAP_NONE)
        return false; /* was reported when it was opened */
    const hk_info *info = flat->model->components[e->component].info;
    hk_flat_end found = {0};
    if (!hk_info_address(info, connector, &found.at)) {
        found.at.group = hk_info_group(r->keep, info, connector);
        found.at.variable = found.at.group ? found.at.group->variables[0] : HK_MAP_NONE;
    }
    const char *why = found.at.variable == HK_MAP_NONE ? hk_info_why_not(info, connector) : NULL;
    if (why) {
        hk_ssp_failed(r, hk_error(r->ctx, HK_E_CONNECTION, where, NULL,
                                  "'%s' of component '%s' cannot be connected: %s", connector,
                                  e->path, why));
        return false;
    }
    if (found.at.variable == HK_MAP_NONE) {
        hk_ssp_failed(r,
                      hk_error(r->ctx, HK_E_CONNECTION, where, closest_variable(r, info, connector),
                               "component '%s' has no variable '%s'", e->path, connector));
        return false;
    }
    const hk_variable *v = &info->variables[found.at.variable];
    const hk_tree_connector *c = connector_of(e, connector);
    if (!c && found.at.count)
        c = whole_connector(r, e, connector);
    if (c || !found.at.group)
        compare_declaration(r, e, c, v, where);
    found.at.component = e->component;
    found.name = connector;
    found.connector = c;
    bool declared = c && role_of_kind(c->kind, false) != EITHER;
    *ret_end = (named){found, declared ? role_of_kind(c->kind, false) : role_of_variable(v)};
    return true;
}

/* An entry of a dictionary, which the reference reads or writes. */
static bool find_entry_end(hk_ssp_flat *flat, const hk_ssd_element *reference,
                           const char *connector, hk_where where, named *ret_end) {
    hk_ssp *r = flat->reader;
    const hk_ssd_element *dictionary = hk_ssp_dictionary(reference);
    const hk_tree_connector *declared = connector_of(reference, connector);
    if (!dictionary && reference->dictionary_name)
        hk_ssp_failed(r,
                      hk_error(r->ctx, HK_E_SSP, reference->where,
                               "define it under SignalDictionaries of the system or of one "
                               "around it",
                               "there is no signal dictionary '%s'", reference->dictionary_name));
    if (!dictionary || !find_system_end(flat, dictionary, connector, false, where, ret_end))
        return false;
    ret_end->role = declared ? role_of_kind(declared->kind, false) : EITHER;
    return true;
}

static bool find_end(hk_ssp_flat *flat, const hk_ssd_element *system, const hk_tree_end *written,
                     hk_where where, named *ret_end) {
    hk_ssp *r = flat->reader;
    const char *element = written->element, *connector = written->connector;
    if (!element || !*element) /* some tools write "" for the system itself */
        return find_system_end(flat, system, connector, true, where, ret_end);
    uint32_t index = hk_map_get(system->element_names, element);
    if (index == HK_MAP_NONE) {
        hk_ssp_failed(r,
                      hk_error(r->ctx, HK_E_CONNECTION, where, closest_element(r, system, element),
                               "there is no element '%s' in system '%s'", element, system->name));
        return false;
    }
    const hk_ssd_element *e = system->elements[index];
    if (e->is_reference)
        return find_entry_end(flat, e, connector, where, ret_end);
    return e->is_system ? find_system_end(flat, e, connector, false, where, ret_end)
                        : find_component_end(flat, e, connector, where, ret_end);
}

/* Which end is the start in the file says nothing: kinds decide. */
static void add_edge(hk_ssp_flat *flat, const hk_ssd_element *system, hk_tree_connection *k) {
    hk_ssp *r = flat->reader;
    k->where.element = hk_arena_printf(r->arena, "connection %s -> %s", end_text(r, &k->from),
                                       end_text(r, &k->to));
    named a, b;
    bool found = find_end(flat, system, &k->from, k->where, &a);
    if (!find_end(flat, system, &k->to, k->where, &b) || !found)
        return;
    if (a.role == b.role && a.role != EITHER) {
        hk_ssp_failed(r,
                      hk_error(r->ctx, HK_E_CONNECTION, k->where,
                               "a connection joins an output with an input",
                               a.role == SINK ? "both ends are inputs" : "both ends are outputs"));
        return;
    }
    bool swap = a.role == SINK || b.role == SOURCE;
    if (swap) {
        hk_tree_end start = k->from;
        k->from = k->to;
        k->to = start;
    }
    hk_flat_edge edge = {.from = swap ? b.is : a.is, .to = swap ? a.is : b.is, .connection = k};
    uint32_t driver = hk_flat_add_edge(&flat->graph, &edge);
    if (driver == HK_MAP_NONE)
        return;
    const hk_flat_node *node = &flat->graph.nodes[edge.to.node];
    hk_ssp_failed(r, hk_error(r->ctx, HK_E_TWO_DRIVERS, k->where, "remove one of the two",
                              "connector '%s' of system '%s' is driven twice: here and in line %d",
                              node->connector->name, node->system,
                              flat->graph.edges[driver].connection->where.line));
}

void hk_ssp_add_edges(hk_ssp_flat *flat, const hk_ssd_element *system) {
    for (size_t i = 0; i < system->connection_count; i++)
        add_edge(flat, system, &system->connections[i]);
    for (size_t i = 0; i < system->element_count; i++)
        if (system->elements[i]->is_system)
            hk_ssp_add_edges(flat, system->elements[i]);
}

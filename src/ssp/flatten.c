/* SPDX-License-Identifier: MIT
 *
 * Connections between elements of one system become edges with a direction; edges that meet in the
 * connectors of systems are joined to connections from leaf to leaf. */
#include "base/number.h"
#include "ssp/ssp_internal.h"

#include <string.h>

static hk_ssp_role role_of_kind(hk_ssp_kind kind, bool of_the_system) {
    switch (kind) {
    case HK_SSP_INPUT:
    case HK_SSP_PARAMETER:
    case HK_SSP_STRUCTURAL:
        return of_the_system ? HK_SSP_SOURCE : HK_SSP_SINK;
    case HK_SSP_OUTPUT:
    case HK_SSP_CALCULATED:
    case HK_SSP_CONSTANT:
    case HK_SSP_LOCAL:
        return of_the_system ? HK_SSP_SINK : HK_SSP_SOURCE;
    default:
        return HK_SSP_EITHER;
    }
}

static hk_ssp_role role_of_variable(const hk_variable *v) {
    return v->causality == HK_INPUT || v->causality == HK_PARAMETER ||
                   v->causality == HK_STRUCTURAL_PARAMETER
               ? HK_SSP_SINK
               : HK_SSP_SOURCE;
}

static const hk_variable *variable_of(const hk_ssp_flat *flat, const hk_ssp_end *end) {
    return hk_address_variable(flat->model, &end->at);
}

/* "wheel.p1.f", as the connection writes it. */
static const char *end_text(hk_ssp *r, const char *element, const char *connector) {
    return element ? hk_arena_printf(r->arena, "%s.%s", element, connector) : connector;
}

static hk_where where_of(hk_ssp *r, const hk_ssd_connection *k) {
    hk_where where = k->where;
    where.element = hk_arena_printf(r->arena, "connection %s -> %s",
                                    end_text(r, k->start_element, k->start_connector),
                                    end_text(r, k->end_element, k->end_connector));
    return where;
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

static const hk_ssd_connector *connector_of(const hk_ssd_element *e, const char *name) {
    uint32_t index = hk_map_get(e->connector_names, name);
    return index == HK_MAP_NONE ? NULL : &e->connectors[index];
}

/* The connector that an indexed name is an element of; NULL: there is no index, or none is
 * declared.
 */
static const hk_ssd_connector *whole_connector(hk_ssp *r, const hk_ssd_element *e,
                                               const char *name) {
    const char *bracket = strrchr(name, '[');
    return bracket ? connector_of(e, hk_arena_strndup(r->arena, name, (size_t)(bracket - name)))
                   : NULL;
}

static bool find_system_end(hk_ssp_flat *flat, const hk_ssd_element *system, const char *connector,
                            bool of_the_system, hk_where where, hk_ssp_end *ret_end) {
    hk_ssp *r = flat->reader;
    const hk_ssd_connector *c = connector_of(system, connector);
    if (!c && whole_connector(r, system, connector)) {
        hk_ssp_failed(r, hk_error(r->ctx, HK_E_SSP, where,
                                  "connect the element at the component, and the connector whole",
                                  "'%s' is one element of a connector of system '%s', which passes "
                                  "whole values only",
                                  connector, system->name));
        return false;
    }
    if (!c) {
        hk_ssp_failed(r, hk_error(r->ctx, HK_E_CONNECTION, where,
                                  closest_connector(r, system, connector),
                                  "system '%s' has no connector '%s'", system->name, connector));
        return false;
    }
    *ret_end = (hk_ssp_end){.is_node = true,
                            .node = system->first_node + (uint32_t)(c - system->connectors),
                            .connector = c,
                            .role = role_of_kind(c->kind, of_the_system)};
    return true;
}

static void compare_declaration(hk_ssp *r, const hk_ssd_element *e, const hk_ssd_connector *c,
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
    hk_ssp_role declared = role_of_kind(c->kind, false);
    if ((declared != HK_SSP_EITHER && declared != role_of_variable(v)) ||
        (c->has_type && !hk_type_connectable(c->type, v->type)))
        if (hk_ssp_first(r, hk_arena_printf(r->arena, "differs %s.%s", e->path, v->name)))
            hk_warn(r->ctx, HK_E_SSP, c->where, NULL,
                    "connector '%s' of component '%s' differs from the variable, which is %s %s",
                    c->name, e->path, hk_causality_name(v->causality), hk_type_name(v->type));
}

static bool find_component_end(hk_ssp_flat *flat, const hk_ssd_element *e, const char *connector,
                               hk_where where, hk_ssp_end *ret_end) {
    hk_ssp *r = flat->reader;
    if (e->component == HK_MAP_NONE)
        return false; /* was reported when it was opened */
    const hk_info *info = flat->model->components[e->component].info;
    hk_ssp_end end = {0};
    if (!hk_info_address(info, connector, &end.at)) {
        end.at.group = hk_info_group(r->keep, info, connector);
        end.at.variable = end.at.group ? end.at.group->variables[0] : HK_MAP_NONE;
    }
    if (end.at.variable == HK_MAP_NONE) {
        hk_ssp_failed(r,
                      hk_error(r->ctx, HK_E_CONNECTION, where, closest_variable(r, info, connector),
                               "component '%s' has no variable '%s'", e->path, connector));
        return false;
    }
    const hk_variable *v = &info->variables[end.at.variable];
    const hk_ssd_connector *c = connector_of(e, connector);
    if (!c && end.at.count)
        c = whole_connector(r, e, connector);
    if (c || !end.at.group)
        compare_declaration(r, e, c, v, where);
    end.at.component = e->component;
    end.connector = c;
    bool declared = c && role_of_kind(c->kind, false) != HK_SSP_EITHER;
    end.role = declared ? role_of_kind(c->kind, false) : role_of_variable(v);
    *ret_end = end;
    return true;
}

/* An entry of a dictionary, which the reference reads or writes. */
static bool find_entry_end(hk_ssp_flat *flat, const hk_ssd_element *reference,
                           const char *connector, hk_where where, hk_ssp_end *ret_end) {
    hk_ssp *r = flat->reader;
    const hk_ssd_element *dictionary = hk_ssp_dictionary(reference);
    const hk_ssd_connector *declared = connector_of(reference, connector);
    if (!dictionary && reference->dictionary_name)
        hk_ssp_failed(r,
                      hk_error(r->ctx, HK_E_SSP, reference->where,
                               "define it under SignalDictionaries of the system or of one "
                               "around it",
                               "there is no signal dictionary '%s'", reference->dictionary_name));
    if (!dictionary || !find_system_end(flat, dictionary, connector, false, where, ret_end))
        return false;
    ret_end->role = declared ? role_of_kind(declared->kind, false) : HK_SSP_EITHER;
    return true;
}

static bool find_end(hk_ssp_flat *flat, const hk_ssd_element *system, const char *element,
                     const char *connector, hk_where where, hk_ssp_end *ret_end) {
    hk_ssp *r = flat->reader;
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
static void add_edge(hk_ssp_flat *flat, const hk_ssd_element *system, const hk_ssd_connection *k) {
    hk_ssp *r = flat->reader;
    hk_where where = where_of(r, k);
    hk_ssp_end a, b;
    bool found = find_end(flat, system, k->start_element, k->start_connector, where, &a);
    if (!find_end(flat, system, k->end_element, k->end_connector, where, &b) || !found)
        return;
    bool swap = a.role == HK_SSP_SINK || b.role == HK_SSP_SOURCE;
    if (a.role == b.role && a.role != HK_SSP_EITHER) {
        hk_ssp_failed(
            r,
            hk_error(r->ctx, HK_E_CONNECTION, where, "a connection joins an output with an input",
                     a.role == HK_SSP_SINK ? "both ends are inputs" : "both ends are outputs"));
        return;
    }
    hk_ssp_edge edge = {.from = swap ? b : a, .to = swap ? a : b, .connection = k};
    uint32_t index = (uint32_t)flat->edge_count;
    HK_SSP_PUSH(r, flat->edges, flat->edge_count, flat->edge_cap, edge);
    if (!edge.to.is_node)
        return;
    hk_ssp_node *node = &flat->nodes[edge.to.node];
    if (node->inbound != HK_MAP_NONE)
        hk_ssp_failed(r, hk_error(r->ctx, HK_E_TWO_DRIVERS, where, "remove one of the two",
                                  "connector '%s' of system '%s' is driven twice: here and in "
                                  "line %d",
                                  node->connector->name, node->system->name,
                                  flat->edges[node->inbound].connection->where.line));
    else
        node->inbound = index;
}

static void add_edges(hk_ssp_flat *flat, const hk_ssd_element *system) {
    for (size_t i = 0; i < system->connection_count; i++)
        add_edge(flat, system, &system->connections[i]);
    for (size_t i = 0; i < system->element_count; i++)
        if (system->elements[i]->is_system)
            add_edges(flat, system->elements[i]);
}

/* The unit at an end that counts; for leaves that of the variable if nothing else is declared. */
static const hk_uom *unit_at(const hk_ssp_flat *flat, const hk_ssp_end *end, bool declared_only) {
    const hk_uom *declared = end->connector ? end->connector->uom : NULL;
    if (end->is_node)
        return declared;
    const hk_variable *v = variable_of(flat, end);
    if (declared && (!v->uom || !v->unit || strcmp(v->unit, end->connector->unit) != 0))
        return declared;
    return declared_only ? NULL : v->uom;
}

static void append_linear(hk_transform *t, double factor, double offset) {
    t->factor *= factor;
    t->offset = factor * t->offset + offset;
    bool same = t->factor == 1 && t->offset == 0;
    t->kind = same ? HK_TRANSFORM_NONE : HK_TRANSFORM_LINEAR;
}

static bool map_value(const char *text, const hk_enum *enumeration, int64_t *ret_value) {
    double number;
    bool truth;
    for (size_t i = 0; enumeration && i < enumeration->item_count; i++)
        if (strcmp(enumeration->item_names[i], text) == 0) {
            *ret_value = enumeration->item_values[i];
            return true;
        }
    if (hk_read_i64(text, strlen(text), ret_value))
        return true;
    if (hk_read_bool(text, strlen(text), &truth)) {
        *ret_value = truth;
        return true;
    }
    return hk_read_f64(text, strlen(text), &number) &&
           hk_value_convert(HK_STORE_I64, ret_value, HK_STORE_F64, &number, 1);
}

static const hk_enum *enum_at(const hk_ssp_flat *flat, const hk_ssp_end *end) {
    if (end->connector && end->connector->enumeration)
        return end->connector->enumeration;
    return end->is_node ? NULL : variable_of(flat, end)->enumeration;
}

static bool resolve_map(hk_ssp_flat *flat, const hk_ssp_edge *edge, hk_transform *t) {
    hk_ssp *r = flat->reader;
    const hk_ssp_transform *map = &edge->connection->transform;
    int64_t *from = HK_NEW_ARRAY(r->keep, int64_t, map->map_count);
    int64_t *to = HK_NEW_ARRAY(r->keep, int64_t, map->map_count);
    for (size_t i = 0; i < map->map_count; i++) {
        bool good = map_value(map->map_from[i], enum_at(flat, &edge->from), &from[i]);
        if (!good || !map_value(map->map_to[i], enum_at(flat, &edge->to), &to[i])) {
            hk_ssp_failed(r, hk_error(r->ctx, HK_E_VALUE, where_of(r, edge->connection), NULL,
                                      "the map entry '%s' is no value of the %s",
                                      good ? map->map_to[i] : map->map_from[i],
                                      good ? "target" : "source"));
            return false;
        }
    }
    *t = (hk_transform){.kind = HK_TRANSFORM_MAP,
                        .factor = 1,
                        .map_from = from,
                        .map_to = to,
                        .map_count = map->map_count};
    return true;
}

/* The edges from a source to a leaf, in the direction of the data. */
typedef struct route {
    const hk_ssp_edge **edges;
    size_t count, cap;
    bool transformed, suppressed, mapped;
} route;

/* Follows EDGE, which ends in a leaf, back to a leaf or to a connector that nothing drives. */
static bool follow(hk_ssp_flat *flat, const hk_ssp_edge *edge, route *path) {
    hk_ssp *r = flat->reader;
    bool loop = false;
    path->count = 0;
    path->transformed = path->suppressed = path->mapped = false;
    for (const hk_ssp_edge *e = edge; e && !loop;) {
        HK_SSP_PUSH(r, path->edges, path->count, path->cap, e);
        path->transformed |= e->connection->transform.kind != HK_TRANSFORM_NONE;
        path->mapped |= e->connection->transform.kind == HK_TRANSFORM_MAP;
        path->suppressed |= e->connection->suppress_unit_conversion;
        if (!e->from.is_node)
            break;
        hk_ssp_node *node = &flat->nodes[e->from.node];
        loop = node->on_path;
        node->on_path = true;
        e = node->inbound == HK_MAP_NONE ? NULL : &flat->edges[node->inbound];
    }
    HK_ASSERT(path->edges && path->count);
    for (size_t i = 0; i < path->count; i++)
        if (path->edges[i]->from.is_node)
            flat->nodes[path->edges[i]->from.node].on_path = false;
    for (size_t i = 0; i < path->count / 2; i++) {
        const hk_ssp_edge *e = path->edges[i];
        path->edges[i] = path->edges[path->count - 1 - i];
        path->edges[path->count - 1 - i] = e;
    }
    if (loop)
        hk_ssp_failed(r, hk_error(r->ctx, HK_E_CONNECTION, where_of(r, edge->connection), NULL,
                                  "connectors of systems form a loop without a component in it"));
    return !loop;
}

static bool is_difference(const hk_ssp_flat *flat, const hk_ssp_end *end) {
    return !end->is_node && variable_of(flat, end)->relative;
}

/* The unit of the first connector of a system on the path that has one; NULL: none has. */
static const hk_uom *first_unit(const hk_ssp_flat *flat, const route *path) {
    const hk_uom *unit = NULL;
    for (size_t i = 0; i < path->count && !unit; i++)
        if (path->edges[i]->from.is_node)
            unit = unit_at(flat, &path->edges[i]->from, true);
    return unit;
}

static void append_conversion(hk_transform *t, const hk_uom *from, const hk_uom *to,
                              bool relative) {
    double factor, offset;
    if (from && to && hk_uom_conversion(from, to, relative, &factor, &offset))
        append_linear(t, factor, offset);
}

/* The transformations of all edges in one, each after the unit conversion of its edge. Without a
 * unit a connector of a system passes the unit on. A value is converted only where a transformation
 * waits for it, and at the end: so the way from m to ft and back changes no bit. */
static bool compose(hk_ssp_flat *flat, const route *path, hk_transform *ret_transform) {
    hk_ssp *r = flat->reader;
    hk_transform t = {.kind = HK_TRANSFORM_NONE, .factor = 1};
    bool relative = is_difference(flat, &path->edges[0]->from) ||
                    is_difference(flat, &path->edges[path->count - 1]->to);
    const hk_uom *unit = unit_at(flat, &path->edges[0]->from, false), *held = unit;
    for (size_t i = 0; i < path->count; i++) {
        const hk_ssp_edge *e = path->edges[i];
        const hk_uom *next = unit_at(flat, &e->to, false);
        if (e->connection->suppress_unit_conversion) {
            append_conversion(&t, held, unit, relative);
            held = next ? next : unit;
        } else if (unit && next && !hk_uom_same_dimension(unit, next) &&
                   !hk_uom_same_name(unit, next)) {
            hk_ssp_failed(r,
                          hk_error(r->ctx, HK_E_UNIT_MISMATCH, where_of(r, e->connection), NULL,
                                   "the value is in '%s' and is wanted in '%s'",
                                   unit->name ? unit->name : "?", next->name ? next->name : "?"));
            return false;
        }
        unit = next ? next : unit;
        held = held ? held : unit;
        if (e->connection->transform.kind == HK_TRANSFORM_NONE && i + 1 < path->count)
            continue;
        append_conversion(&t, held, unit, relative);
        append_linear(&t, e->connection->transform.factor, e->connection->transform.offset);
        held = unit;
    }
    *ret_transform = t;
    return true;
}

/* A path with a table may have nothing else on it. */
static bool table_of(hk_ssp_flat *flat, const route *path, hk_transform *ret_transform) {
    hk_ssp *r = flat->reader;
    const hk_ssp_edge *found = NULL;
    for (size_t i = 0; i < path->count; i++) {
        if (path->edges[i]->connection->transform.kind == HK_TRANSFORM_NONE)
            continue;
        if (found) {
            hk_ssp_failed(r, hk_error(r->ctx, HK_E_SSP, where_of(r, path->edges[i]->connection),
                                      "put one transformation on the way",
                                      "a mapping cannot be combined with the transformation in "
                                      "line %d",
                                      found->connection->where.line));
            return false;
        }
        found = path->edges[i];
    }
    HK_ASSERT(found);
    hk_ssp_edge whole = {.from = path->edges[0]->from,
                         .to = path->edges[path->count - 1]->to,
                         .connection = found->connection};
    return resolve_map(flat, &whole, ret_transform);
}

static void set_link(hk_ssp_flat *flat, const hk_ssd_connection *declared, hk_connection *k) {
    hk_ssp *r = flat->reader;
    if (declared->lag != HK_LAG_DEFAULT)
        k->lag = declared->lag;
    if (!hk_ratio_add(k->delay, declared->delay, &k->delay))
        hk_ssp_failed(r, hk_error(r->ctx, HK_E_TICK_OVERFLOW, where_of(r, declared), NULL,
                                  "the delays on the way do not add up to a short fraction"));
}

/* Initial values wait until the sizes of arrays are known. */
static void keep_initial(hk_ssp_flat *flat, const hk_ssd_connection *declared, size_t first,
                         size_t count) {
    for (size_t i = 0; declared->initial && i < count; i++) {
        struct hk_ssp_initial initial = {declared, (uint32_t)(first + i), (uint32_t)i,
                                         (uint32_t)count};
        HK_SSP_PUSH(flat->reader, flat->initials, flat->initial_count, flat->initial_cap, initial);
    }
}

void hk_ssp_set_initials(hk_ssp_flat *flat) {
    hk_ssp *r = flat->reader;
    for (size_t i = 0; i < flat->initial_count; i++) {
        const hk_ssd_connection *declared = flat->initials[i].declared;
        hk_connection *k = &flat->model->connections[flat->initials[i].connection];
        const hk_variable *from =
            &flat->model->components[k->from_component].info->variables[k->from_variable];
        size_t parts = flat->initials[i].parts, part = flat->initials[i].part;
        size_t count = parts > 1 ? parts : hk_slice_count(&k->from_slice, from);
        if (hk_value_parse(flat->model->arena, from->type, count, from->enumeration,
                           declared->initial, &k->initial)) {
            size_t size = hk_store_size(hk_store_of(from->type));
            k->initial.data = (char *)k->initial.data + (parts > 1 ? part * size : 0);
            k->initial.count = parts > 1 ? 1 : count;
        } else if (part == 0)
            hk_ssp_failed(r, hk_error(r->ctx, HK_E_VALUE, where_of(r, declared), NULL,
                                      "initial '%s' is no %s value", declared->initial,
                                      hk_type_name(from->type)));
    }
}

static void connect_leaves(hk_ssp_flat *flat, const route *path) {
    const hk_ssp_end *from = &path->edges[0]->from, *to = &path->edges[path->count - 1]->to;
    hk_transform transform = {.kind = HK_TRANSFORM_NONE, .factor = 1};
    bool composed = !path->mapped && path->count > 1 &&
                    (path->transformed || path->suppressed || first_unit(flat, path));
    if (path->mapped ? !table_of(flat, path, &transform)
                     : composed && !compose(flat, path, &transform))
        return;
    const hk_ssd_connection *last = path->edges[path->count - 1]->connection;
    if (!composed && !path->mapped && path->transformed)
        append_linear(&transform, last->transform.factor, last->transform.offset);
    hk_connection k = {.transform = transform,
                       .suppress_unit_conversion = composed || path->suppressed,
                       .from_uom = unit_at(flat, from, true),
                       .to_uom = unit_at(flat, to, true),
                       .delay = {0, 1}};
    for (size_t i = 0; i < path->count; i++)
        set_link(flat, path->edges[i]->connection, &k);
    size_t first = 0, count = 0;
    hk_status status = hk_model_join(flat->reader->ctx, flat->model, &from->at, &to->at, &k,
                                     where_of(flat->reader, last), &first, &count);
    if (status != HK_OK)
        hk_ssp_failed(flat->reader, status);
    for (size_t i = 0; i < path->count; i++)
        keep_initial(flat, path->edges[i]->connection, first, count);
}

/* A connector that nothing drives: parameters and start values reach the leaf through it. */
static void attach_leaf(hk_ssp_flat *flat, const route *path) {
    hk_ssp *r = flat->reader;
    const hk_ssp_end *to = &path->edges[path->count - 1]->to;
    hk_ssp_node *node = &flat->nodes[path->edges[0]->from.node];
    if (to->at.group) {
        hk_ssp_failed(r, hk_error(r->ctx, HK_E_CONNECTION,
                                  where_of(r, path->edges[path->count - 1]->connection),
                                  "give each of the scalars a connector of its own",
                                  "'%s' stands for %zu scalars, and connector '%s' of the system "
                                  "is driven by nothing that could be divided",
                                  hk_address_name(r->arena, flat->model, &to->at),
                                  to->at.group->count, node->connector->name));
        return;
    }
    hk_ssp_leaf leaf = {.at = to->at, .next = node->first_leaf, .uom = first_unit(flat, path)};
    if (path->mapped ? !table_of(flat, path, &leaf.transform)
                     : !compose(flat, path, &leaf.transform))
        return;
    node->first_leaf = (uint32_t)flat->leaf_count;
    HK_SSP_PUSH(r, flat->leaves, flat->leaf_count, flat->leaf_cap, leaf);
}

/* The inputs of the outermost system are names for what they drive: for the first variable that
 * gets the value as it is; the others are branches. Leaves hang in a list with the last one first.
 */
static void name_inputs(hk_ssp_flat *flat, const hk_ssd_element *root) {
    for (size_t i = 0; i < root->connector_count; i++) {
        const hk_ssp_node *node = &flat->nodes[root->first_node + i];
        const hk_ssp_leaf *named = NULL;
        const hk_branch *branches = NULL;
        bool part = false;
        for (uint32_t l = node->first_leaf; l != HK_MAP_NONE; l = flat->leaves[l].next)
            if (flat->leaves[l].transform.kind == HK_TRANSFORM_NONE)
                named = &flat->leaves[l];
        for (uint32_t l = node->first_leaf; l != HK_MAP_NONE; l = flat->leaves[l].next) {
            const hk_ssp_leaf *leaf = &flat->leaves[l];
            part = part || leaf->at.count;
            if (leaf == named)
                continue;
            hk_branch *branch = HK_NEW(flat->model->arena, hk_branch);
            *branch = (hk_branch){leaf->at.component, leaf->at.variable, leaf->transform, branches};
            branches = branch;
        }
        if (part)
            hk_note(flat->reader->ctx, node->connector->where,
                    "connector '%s' of the system drives one element of an array, so it is no name "
                    "for a variable",
                    node->connector->name);
        else if (named)
            hk_model_add_alias(flat->model, node->connector->name, named->at.component,
                               named->at.variable, branches);
    }
}

/* The outputs of the outermost system are names for what drives them. */
static void name_outputs(hk_ssp_flat *flat, const hk_ssd_element *root) {
    route path = {0};
    for (size_t i = 0; i < root->connector_count; i++) {
        const hk_ssp_node *node = &flat->nodes[root->first_node + i];
        if (node->inbound == HK_MAP_NONE || !follow(flat, &flat->edges[node->inbound], &path))
            continue;
        const hk_ssp_end *from = &path.edges[0]->from;
        hk_transform change;
        if (from->is_node || path.mapped || !compose(flat, &path, &change))
            continue;
        bool part = from->at.count || from->at.group;
        if (change.kind == HK_TRANSFORM_NONE && !part)
            hk_model_add_alias(flat->model, node->connector->name, from->at.component,
                               from->at.variable, NULL);
        else
            hk_note(flat->reader->ctx, node->connector->where,
                    "connector '%s' of the system %s what it shows, so it is no name for a "
                    "variable",
                    node->connector->name, part ? "selects or collects" : "transforms");
    }
}

void hk_ssp_flatten(hk_ssp_flat *flat, hk_ssd_element *root) {
    route path = {0};
    flat->node_paths = hk_ssp_map(flat->reader);
    flat->opened = hk_ssp_map(flat->reader);
    hk_ssp_add_elements(flat, root, "");
    add_edges(flat, root);
    for (size_t i = 0; i < flat->edge_count; i++) {
        const hk_ssp_edge *edge = &flat->edges[i];
        if (edge->to.is_node || !follow(flat, edge, &path))
            continue;
        if (path.edges[0]->from.is_node)
            attach_leaf(flat, &path);
        else
            connect_leaves(flat, &path);
    }
    name_inputs(flat, root);
    name_outputs(flat, root);
}

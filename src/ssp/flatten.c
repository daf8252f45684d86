/* SPDX-License-Identifier: MIT
 *
 * Edges that meet in the connectors of systems are joined to connections from leaf to leaf. */
#include "base/number.h"
#include "ssp/ssp_internal.h"

#include <string.h>

/* The unit at an end that counts; for leaves that of the variable if nothing else is declared. */
static const hk_uom *unit_at(const hk_ssp_flat *flat, const hk_ssp_end *end, bool declared_only) {
    const hk_uom *declared = end->connector ? end->connector->uom : NULL;
    if (end->is_node)
        return declared;
    const hk_variable *v = hk_ssp_end_variable(flat, end);
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
    return end->is_node ? NULL : hk_ssp_end_variable(flat, end)->enumeration;
}

static bool resolve_map(hk_ssp_flat *flat, const hk_ssp_edge *edge, hk_transform *t) {
    hk_ssp *r = flat->reader;
    const hk_ssp_transform *map = &edge->connection->transform;
    int64_t *from = HK_NEW_ARRAY(r->keep, int64_t, map->map_count);
    int64_t *to = HK_NEW_ARRAY(r->keep, int64_t, map->map_count);
    for (size_t i = 0; i < map->map_count; i++) {
        bool good = map_value(map->map_from[i], enum_at(flat, &edge->from), &from[i]);
        if (!good || !map_value(map->map_to[i], enum_at(flat, &edge->to), &to[i])) {
            hk_ssp_failed(
                r, hk_error(r->ctx, HK_E_VALUE, hk_ssp_connection_where(r, edge->connection), NULL,
                            "the map entry '%s' is not a value of the %s",
                            good ? map->map_to[i] : map->map_from[i], good ? "target" : "source"));
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

/* The edge into a connector. One into all of it drives each element; where only elements are driven
 * the path splits. */
static uint32_t source_of(const hk_ssp_flat *flat, uint32_t index, hk_ssp_route *path) {
    const hk_ssp_node *node = &flat->nodes[index];
    if (node->inbound == HK_MAP_NONE && node->whole != HK_MAP_NONE && !path->want) {
        uint32_t inbound = flat->nodes[node->whole].inbound;
        path->want = inbound == HK_MAP_NONE ? NULL : node->index;
        return inbound;
    }
    for (uint32_t p = node->first_part; p != HK_MAP_NONE && node->inbound == HK_MAP_NONE;
         p = flat->nodes[p].next_part)
        if (flat->nodes[p].inbound != HK_MAP_NONE)
            path->split = index;
    return node->inbound;
}

bool hk_ssp_narrow(hk_ssp_flat *flat, const hk_ssp_end *end, const char *index, hk_where where,
                   hk_address *ret_at) {
    hk_ssp *r = flat->reader;
    *ret_at = end->at;
    if (!index)
        return true;
    const hk_component *component = &flat->model->components[end->at.component];
    const char *name = hk_arena_printf(r->arena, "%s%s", end->name, index);
    hk_address at;
    if (!hk_info_address(component->info, name, &at)) {
        hk_ssp_failed(r, hk_error(r->ctx, HK_E_CONNECTION, where, NULL,
                                  "component '%s' has no element '%s'", component->name, name));
        return false;
    }
    at.component = end->at.component;
    *ret_at = at;
    return true;
}

bool hk_ssp_follow(hk_ssp_flat *flat, const hk_ssp_edge *edge, hk_ssp_route *path) {
    hk_ssp *r = flat->reader;
    bool loop = false;
    path->count = 0;
    path->transformed = path->suppressed = path->mapped = false;
    path->want = path->into = NULL;
    path->split = HK_MAP_NONE;
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
        uint32_t inbound = source_of(flat, e->from.node, path);
        e = inbound == HK_MAP_NONE ? NULL : &flat->edges[inbound];
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
        hk_ssp_failed(r, hk_error(r->ctx, HK_E_CONNECTION,
                                  hk_ssp_connection_where(r, edge->connection), NULL,
                                  "connectors of systems form a loop without a component in it"));
    return !loop;
}

static bool is_difference(const hk_ssp_flat *flat, const hk_ssp_end *end) {
    return !end->is_node && hk_ssp_end_variable(flat, end)->relative;
}

/* The unit of the first connector of a system on the path that has one; NULL: none has. */
static const hk_uom *first_unit(const hk_ssp_flat *flat, const hk_ssp_route *path) {
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
bool hk_ssp_compose(hk_ssp_flat *flat, const hk_ssp_route *path, hk_transform *ret_transform) {
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
            hk_ssp_failed(
                r, hk_error(r->ctx, HK_E_UNIT_MISMATCH, hk_ssp_connection_where(r, e->connection),
                            NULL, "the value is in '%s' and is wanted in '%s'",
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

/* What table B makes of the values that table A has made. */
static hk_transform join_tables(hk_arena *arena, const hk_transform *a, const hk_transform *b) {
    size_t count = 0;
    int64_t *from = HK_NEW_ARRAY(arena, int64_t, a->map_count + b->map_count + 1);
    int64_t *to = HK_NEW_ARRAY(arena, int64_t, a->map_count + b->map_count + 1);
    for (size_t i = 0; i < a->map_count; i++, count++) {
        from[count] = a->map_from[i];
        to[count] = a->map_to[i];
        for (size_t k = b->map_count; k-- > 0;)
            if (b->map_from[k] == a->map_to[i])
                to[count] = b->map_to[k];
    }
    for (size_t k = 0; k < b->map_count; k++, count++) { /* what A has no entry for */
        from[count] = b->map_from[k];
        to[count] = b->map_to[k];
    }
    return (hk_transform){
        .kind = HK_TRANSFORM_MAP, .factor = 1, .map_from = from, .map_to = to, .map_count = count};
}

static bool is_table(const hk_ssp_edge *edge) {
    return edge->connection->transform.kind == HK_TRANSFORM_MAP;
}

/* SSP knows linear transformations of real numbers, and tables for the others. */
static bool only_tables(hk_ssp_flat *flat, const hk_ssp_route *path) {
    hk_ssp *r = flat->reader;
    size_t table = 0;
    while (!is_table(path->edges[table]))
        table++;
    for (size_t i = 0; i < path->count; i++) {
        const hk_ssp_transform *t = &path->edges[i]->connection->transform;
        if (t->kind != HK_TRANSFORM_LINEAR || (t->factor == 1 && t->offset == 0))
            continue;
        hk_ssp_failed(r, hk_error(r->ctx, HK_E_SSP,
                                  hk_ssp_connection_where(r, path->edges[i]->connection),
                                  "remove one of the two, or let a component calculate between "
                                  "them",
                                  "this linear transformation is for real numbers and the mapping "
                                  "in line %d for whole ones, Booleans and items, and SSP does not "
                                  "say how one becomes the other on the way",
                                  path->edges[table]->connection->where.line));
        return false;
    }
    return true;
}

/* The tables on the path in one. The first is about the values of the source, the last about those
 * of the sink; between them connectors may name the items. */
bool hk_ssp_table_of(hk_ssp_flat *flat, const hk_ssp_route *path, hk_transform *ret_transform) {
    size_t last = path->count - 1;
    hk_transform all = {.kind = HK_TRANSFORM_NONE, .factor = 1};
    if (!only_tables(flat, path))
        return false;
    while (!is_table(path->edges[last]))
        last--;
    for (size_t i = 0; i <= last; i++) {
        hk_ssp_edge edge = *path->edges[i];
        hk_transform one;
        if (!is_table(&edge))
            continue;
        if (all.kind == HK_TRANSFORM_NONE)
            edge.from = path->edges[0]->from;
        if (i == last)
            edge.to = path->edges[path->count - 1]->to;
        if (!resolve_map(flat, &edge, &one))
            return false;
        all = all.kind == HK_TRANSFORM_NONE ? one : join_tables(flat->reader->keep, &all, &one);
    }
    *ret_transform = all;
    return true;
}

static void set_link(hk_ssp_flat *flat, const hk_ssd_connection *declared, hk_connection *k) {
    hk_ssp *r = flat->reader;
    if (declared->lag != HK_LAG_DEFAULT)
        k->lag = declared->lag;
    if (!hk_ratio_add(k->delay, declared->delay, &k->delay))
        hk_ssp_failed(r, hk_error(r->ctx, HK_E_TICK_OVERFLOW, hk_ssp_connection_where(r, declared),
                                  NULL, "the delays on the way do not add up to a short fraction"));
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
            hk_ssp_failed(r, hk_error(r->ctx, HK_E_VALUE, hk_ssp_connection_where(r, declared),
                                      NULL, "initial '%s' is not a value of type %s",
                                      declared->initial, hk_type_name(from->type)));
    }
}

static void connect_leaves(hk_ssp_flat *flat, const hk_ssp_route *path) {
    const hk_ssp_end *from = &path->edges[0]->from, *to = &path->edges[path->count - 1]->to;
    hk_transform transform = {.kind = HK_TRANSFORM_NONE, .factor = 1};
    bool composed = !path->mapped && path->count > 1 &&
                    (path->transformed || path->suppressed || first_unit(flat, path));
    if (path->mapped ? !hk_ssp_table_of(flat, path, &transform)
                     : composed && !hk_ssp_compose(flat, path, &transform))
        return;
    const hk_ssd_connection *last = path->edges[path->count - 1]->connection;
    hk_where where = hk_ssp_connection_where(flat->reader, last);
    hk_address source, sink;
    if (!hk_ssp_narrow(flat, from, path->want, where, &source) ||
        !hk_ssp_narrow(flat, to, path->into, where, &sink))
        return;
    if (!composed && !path->mapped && path->transformed)
        append_linear(&transform, last->transform.factor, last->transform.offset);
    hk_connection k = {.transform = transform,
                       .suppress_unit_conversion = composed || path->suppressed,
                       .from_uom = unit_at(flat, from, true),
                       .to_uom = unit_at(flat, to, true),
                       .delay = {0, 1},
                       .where = where};
    for (size_t i = 0; i < path->count; i++)
        set_link(flat, path->edges[i]->connection, &k);
    hk_joined joined = {0};
    hk_status status = hk_model_join(flat->reader->ctx, flat->model, &source, &sink, &k, &joined);
    if (status != HK_OK)
        hk_ssp_failed(flat->reader, status);
    for (size_t i = 0; i < path->count; i++)
        keep_initial(flat, path->edges[i]->connection, joined.first, joined.count);
}

/* A connector that nothing drives: parameters and start values reach the leaf through it. */
static void attach_leaf(hk_ssp_flat *flat, const hk_ssp_route *path) {
    hk_ssp *r = flat->reader;
    const hk_ssp_end *to = &path->edges[path->count - 1]->to;
    hk_ssp_node *node = &flat->nodes[path->edges[0]->from.node];
    if (to->at.group) {
        hk_ssp_failed(r,
                      hk_error(r->ctx, HK_E_CONNECTION,
                               hk_ssp_connection_where(r, path->edges[path->count - 1]->connection),
                               "give each of the scalars a connector of its own",
                               "'%s' stands for %zu scalars, and connector '%s' of the system "
                               "is driven by nothing that could be divided",
                               hk_address_name(r->arena, flat->model, &to->at), to->at.group->count,
                               node->connector->name));
        return;
    }
    hk_ssp_leaf leaf = {.at = to->at,
                        .next = node->first_leaf,
                        .uom = first_unit(flat, path),
                        .connection = path->edges[path->count - 1]->connection};
    if (!hk_ssp_narrow(flat, to, path->into,
                       hk_ssp_connection_where(r, path->edges[path->count - 1]->connection),
                       &leaf.at))
        return;
    if (path->mapped ? !hk_ssp_table_of(flat, path, &leaf.transform)
                     : !hk_ssp_compose(flat, path, &leaf.transform))
        return;
    node->first_leaf = (uint32_t)flat->leaf_count;
    HK_SSP_PUSH(r, flat->leaves, flat->leaf_count, flat->leaf_cap, leaf);
}

static void finish_route(hk_ssp_flat *flat, const hk_ssp_route *path) {
    if (path->edges[0]->from.is_node)
        attach_leaf(flat, path);
    else
        connect_leaves(flat, path);
}

/* TAIL begins in a connector whose elements come from several sources: one route from each. */
static void split_route(hk_ssp_flat *flat, const hk_ssp_route *tail) {
    hk_ssp *r = flat->reader;
    for (uint32_t p = flat->nodes[tail->split].first_part; p != HK_MAP_NONE;
         p = flat->nodes[p].next_part) {
        hk_ssp_route path = {0};
        if (flat->nodes[p].inbound == HK_MAP_NONE ||
            !hk_ssp_follow(flat, &flat->edges[flat->nodes[p].inbound], &path))
            continue;
        if (path.split != HK_MAP_NONE || tail->want) {
            hk_ssp_failed(r, hk_error(r->ctx, HK_E_CONNECTION,
                                      hk_ssp_connection_where(r, tail->edges[0]->connection),
                                      "connect the elements directly",
                                      "elements of a connector are themselves put together of "
                                      "elements"));
            return;
        }
        for (size_t i = 0; i < tail->count; i++)
            HK_SSP_PUSH(r, path.edges, path.count, path.cap, tail->edges[i]);
        path.transformed |= tail->transformed;
        path.mapped |= tail->mapped;
        path.suppressed |= tail->suppressed;
        path.into = flat->nodes[p].index;
        finish_route(flat, &path);
    }
}

void hk_ssp_flatten(hk_ssp_flat *flat, hk_ssd_element *root) {
    hk_ssp_route path = {0};
    flat->node_paths = hk_ssp_map(flat->reader);
    flat->opened = hk_ssp_map(flat->reader);
    hk_ssp_add_elements(flat, root, "");
    hk_ssp_add_edges(flat, root);
    for (size_t i = 0; i < flat->edge_count; i++) {
        const hk_ssp_edge *edge = &flat->edges[i];
        if (edge->to.is_node || !hk_ssp_follow(flat, edge, &path))
            continue;
        if (path.split != HK_MAP_NONE)
            split_route(flat, &path);
        else
            finish_route(flat, &path);
    }
    hk_ssp_check_drivers(flat);
    hk_ssp_name_outermost(flat, root);
}

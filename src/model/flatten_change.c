/* SPDX-License-Identifier: MIT
 *
 * What a value undergoes on its way: transformations, conversions of units and maps of all edges in
 * one. */
#include "base/number.h"
#include "model/flatten.h"

#include <math.h>
#include <string.h>

static const hk_variable *variable_at(const hk_flat *flat, const hk_flat_end *end) {
    return hk_address_variable(flat->model, &end->at);
}

/* ---- units and linear transformations ---- */

const hk_uom *hk_flat_unit(const hk_flat *flat, const hk_flat_end *end, bool declared_only) {
    const hk_uom *declared = end->connector ? end->connector->uom : NULL;
    if (end->is_node)
        return declared;
    const hk_variable *v = variable_at(flat, end);
    if (declared && (!v->uom || !v->unit || strcmp(v->unit, end->connector->unit) != 0))
        return declared;
    return declared_only ? NULL : v->uom;
}

const hk_uom *hk_flat_first_unit(const hk_flat *flat, const hk_flat_route *route) {
    const hk_uom *unit = NULL;
    for (size_t i = 0; i < route->count && !unit; i++)
        if (route->edges[i]->from.is_node)
            unit = hk_flat_unit(flat, &route->edges[i]->from, true);
    return unit;
}

void hk_flat_append(hk_transform *t, double factor, double offset) {
    t->factor *= factor;
    t->offset = factor * t->offset + offset;
    bool same = t->factor == 1 && t->offset == 0;
    t->kind = same ? HK_TRANSFORM_NONE : HK_TRANSFORM_LINEAR;
}

static void append_conversion(hk_transform *t, const hk_uom *from, const hk_uom *to,
                              bool relative) {
    double factor, offset;
    if (from && to && hk_uom_conversion(from, to, relative, &factor, &offset))
        hk_flat_append(t, factor, offset);
}

static bool is_difference(const hk_flat *flat, const hk_flat_end *end) {
    return !end->is_node && variable_at(flat, end)->relative;
}

static bool units_differ(const hk_uom *unit, const hk_uom *next) {
    return unit && next && !hk_uom_same_dimension(unit, next) && !hk_uom_same_name(unit, next);
}

static void report_units(hk_flat *flat, const hk_flat_edge *edge, const hk_uom *have,
                         const hk_uom *want) {
    hk_flat_problem problem = {.kind = HK_FLAT_UNIT,
                               .where = edge->connection->where,
                               .edge = edge,
                               .have = have->name ? have->name : "?",
                               .want = want->name ? want->name : "?"};
    flat->hooks.report(flat->hooks.user, &problem);
}

/* Factors of which none is 0 do not make 0, nor is any of them infinite. ZERO: one of them is 0. */
static bool in_range(hk_flat *flat, const hk_flat_edge *edge, const hk_transform *t, bool zero) {
    if (isfinite(t->factor) && isfinite(t->offset) && (t->factor != 0 || zero))
        return true;
    hk_flat_problem problem = {
        .kind = HK_FLAT_RANGE, .where = edge->connection->where, .edge = edge};
    flat->hooks.report(flat->hooks.user, &problem);
    return false;
}

/* The transformations of all edges in one, each after the unit conversion of its edge. Without a
 * unit a connector of a system passes the unit on. A value is converted only where a transformation
 * waits for it, and at the end: so the way from m to ft and back changes no bit. */
static bool compose(hk_flat *flat, const hk_flat_route *route, hk_transform *ret_transform) {
    hk_transform t = {.kind = HK_TRANSFORM_NONE, .factor = 1};
    bool zero = false;
    bool relative = is_difference(flat, &route->edges[0]->from) ||
                    is_difference(flat, &route->edges[route->count - 1]->to);
    const hk_uom *unit = hk_flat_unit(flat, &route->edges[0]->from, false), *held = unit;
    for (size_t i = 0; i < route->count; i++) {
        const hk_tree_connection *k = route->edges[i]->connection;
        const hk_uom *next = hk_flat_unit(flat, &route->edges[i]->to, false);
        if (k->suppress_unit_conversion) {
            append_conversion(&t, held, unit, relative);
            held = next ? next : unit;
        } else if (units_differ(unit, next)) {
            report_units(flat, route->edges[i], unit, next);
            return false;
        }
        unit = next ? next : unit;
        held = held ? held : unit;
        if (k->transform == HK_TRANSFORM_NONE && i + 1 < route->count)
            continue;
        append_conversion(&t, held, unit, relative);
        hk_flat_append(&t, k->factor, k->offset);
        held = unit;
        zero |= k->factor == 0;
        if (!in_range(flat, route->edges[i], &t, zero))
            return false;
    }
    *ret_transform = t;
    return true;
}

/* ---- maps ---- */

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

static const hk_enum *enum_at(const hk_flat *flat, const hk_flat_end *end) {
    if (end->connector && end->connector->enumeration)
        return end->connector->enumeration;
    return end->is_node ? NULL : variable_at(flat, end)->enumeration;
}

static bool resolve_map(hk_flat *flat, const hk_flat_edge *edge, hk_transform *ret_transform) {
    const hk_tree_connection *map = edge->connection;
    int64_t *from = HK_NEW_ARRAY(flat->model->arena, int64_t, map->map_count);
    int64_t *to = HK_NEW_ARRAY(flat->model->arena, int64_t, map->map_count);
    for (size_t i = 0; i < map->map_count; i++) {
        bool good = map_value(map->map_from[i], enum_at(flat, &edge->from), &from[i]);
        if (good && map_value(map->map_to[i], enum_at(flat, &edge->to), &to[i]))
            continue;
        hk_flat_problem problem = {.kind = good ? HK_FLAT_MAP_TARGET : HK_FLAT_MAP_SOURCE,
                                   .where = map->where,
                                   .edge = edge,
                                   .have = good ? map->map_to[i] : map->map_from[i]};
        flat->hooks.report(flat->hooks.user, &problem);
        return false;
    }
    *ret_transform = (hk_transform){.kind = HK_TRANSFORM_MAP,
                                    .factor = 1,
                                    .map_from = from,
                                    .map_to = to,
                                    .map_count = map->map_count};
    return true;
}

/* What map B makes of the values that map A has made. */
static hk_transform join_maps(hk_arena *arena, const hk_transform *a, const hk_transform *b) {
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

static bool is_map(const hk_flat_edge *edge) {
    return edge->connection->transform == HK_TRANSFORM_MAP;
}

/* Linear transformations are for real numbers, and maps for the others. */
static bool only_maps(hk_flat *flat, const hk_flat_route *route) {
    size_t map = 0;
    while (!is_map(route->edges[map]))
        map++;
    for (size_t i = 0; i < route->count; i++) {
        const hk_tree_connection *k = route->edges[i]->connection;
        if (k->transform != HK_TRANSFORM_LINEAR || (k->factor == 1 && k->offset == 0))
            continue;
        hk_flat_problem problem = {.kind = HK_FLAT_MIXED,
                                   .where = k->where,
                                   .edge = route->edges[i],
                                   .other = route->edges[map]};
        flat->hooks.report(flat->hooks.user, &problem);
        return false;
    }
    return true;
}

static bool is_real(const hk_flat *flat, const hk_flat_end *end) {
    if (end->is_node && !(end->connector && end->connector->has_type))
        return false;
    hk_type type = end->is_node ? end->connector->type : variable_at(flat, end)->type;
    return type == HK_TYPE_F64 || type == HK_TYPE_F32;
}

/* A map is for whole numbers, Booleans and items: no real number may come to one. */
static bool no_reals(hk_flat *flat, const hk_flat_route *route) {
    bool real = is_real(flat, &route->edges[0]->from);
    for (size_t i = 0; i < route->count; i++) {
        const hk_flat_edge *e = route->edges[i];
        if (is_map(e) && (real || is_real(flat, &e->from))) {
            hk_flat_problem problem = {
                .kind = HK_FLAT_MAP_REAL, .where = e->connection->where, .edge = e};
            flat->hooks.report(flat->hooks.user, &problem);
            return false;
        }
        real = real && !is_map(e);
    }
    return true;
}

/* Beside maps no unit is converted, so none may change on the way. */
static bool same_units(hk_flat *flat, const hk_flat_route *route) {
    const hk_uom *unit = hk_flat_unit(flat, &route->edges[0]->from, false);
    for (size_t i = 0; i < route->count; i++) {
        const hk_flat_edge *e = route->edges[i];
        const hk_uom *next = hk_flat_unit(flat, &e->to, false);
        double factor = 1, offset = 0;
        bool converts = unit && next && !e->connection->suppress_unit_conversion;
        if (converts && (!hk_uom_conversion(unit, next, false, &factor, &offset) || factor != 1 ||
                         offset != 0)) {
            report_units(flat, e, unit, next);
            return false;
        }
        unit = next ? next : unit;
    }
    return true;
}

/* The maps on the way in one. The first is about the values of the source, the last about those of
 * the sink; between them connectors may name the items. */
static bool map_of(hk_flat *flat, const hk_flat_route *route, hk_transform *ret_transform) {
    size_t last = route->count - 1;
    hk_transform all = {.kind = HK_TRANSFORM_NONE, .factor = 1};
    if (!only_maps(flat, route) || !no_reals(flat, route) || !same_units(flat, route))
        return false;
    while (!is_map(route->edges[last]))
        last--;
    for (size_t i = 0; i <= last; i++) {
        hk_flat_edge edge = *route->edges[i];
        hk_transform one;
        if (!is_map(&edge))
            continue;
        if (all.kind == HK_TRANSFORM_NONE)
            edge.from = route->edges[0]->from;
        if (i == last)
            edge.to = route->edges[route->count - 1]->to;
        if (!resolve_map(flat, &edge, &one))
            return false;
        all = all.kind == HK_TRANSFORM_NONE ? one : join_maps(flat->model->arena, &all, &one);
    }
    *ret_transform = all;
    return true;
}

bool hk_flat_change(hk_flat *flat, const hk_flat_route *route, hk_transform *ret_transform) {
    HK_ASSERT(route->count);
    return route->mapped ? map_of(flat, route, ret_transform) : compose(flat, route, ret_transform);
}

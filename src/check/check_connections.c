/* SPDX-License-Identifier: MIT
 *
 * The connections of a model: whether their ends can be joined, and who drives what. */
#include "check/check_internal.h"

#include "model/address.h"

#include "base/file.h"

#include <string.h>
#include <strings.h>

/* Both ends of the connection in hand. */
typedef struct ends {
    const hk_connection *connection;
    const hk_variable *from, *to;
    const char *from_path, *to_path;
    hk_where where;
} ends;

static ends ends_of(hk_checker *k, const hk_connection *connection) {
    const hk_component *from = &k->model->components[connection->from_component];
    const hk_component *to = &k->model->components[connection->to_component];
    HK_ASSERT(connection->from_variable < from->info->variable_count);
    HK_ASSERT(connection->to_variable < to->info->variable_count);
    hk_address source = hk_connection_source(connection), sink = hk_connection_sink(connection);
    ends e = {
        .connection = connection,
        .from = &from->info->variables[connection->from_variable],
        .to = &to->info->variables[connection->to_variable],
        .from_path = hk_address_name(k->arena, k->model, &source),
        .to_path = hk_address_name(k->arena, k->model, &sink),
        .where = connection->where,
    };
    e.where.element = hk_arena_printf(k->arena, "connection %s -> %s", e.from_path, e.to_path);
    return e;
}

static bool is_source(const hk_variable *v, bool shared) {
    return v->causality == HK_OUTPUT || v->causality == HK_LOCAL ||
           v->causality == HK_CALCULATED_PARAMETER || (v->causality == HK_PARAMETER && shared);
}

static bool is_sink(const hk_variable *v) {
    return v->causality == HK_INPUT ||
           (v->causality == HK_PARAMETER && v->variability == HK_TUNABLE);
}

static bool check_causality(hk_checker *k, const ends *e) {
    bool swapped = is_source(e->to, false) && is_sink(e->from);
    const char *hint = swapped ? "the connection points the wrong way: swap its ends" : NULL;
    if (!is_source(e->from, e->connection->shared)) {
        hk_check_failed(
            k, hk_error(k->ctx, HK_E_CONNECTION, e->where,
                        hint ? hint : "a connection starts at an output",
                        "'%s' is of causality %s, so it cannot be the source of a connection",
                        e->from_path, hk_causality_name(e->from->causality)));
        return false;
    }
    if (!is_sink(e->to)) {
        const char *fixed = e->to->causality == HK_PARAMETER
                                ? "only tunable parameters can be connected; set it before the run"
                                : "a connection ends at an input";
        hk_check_failed(
            k, hk_error(k->ctx, HK_E_CONNECTION, e->where, hint ? hint : fixed,
                        "'%s' is of causality %s%s, so it cannot be the sink of a connection",
                        e->to_path, hk_causality_name(e->to->causality),
                        e->to->causality == HK_PARAMETER ? " and not tunable" : ""));
        return false;
    }
    return true;
}

/* The connection that drives elements of SLOT already, which INDEX is about to drive; HK_MAP_NONE:
 * there is none, and INDEX drives them now. */
static uint32_t take_elements(hk_checker *k, size_t slot, uint32_t index, const ends *e) {
    const hk_slice *slice = &e->connection->to_slice;
    uint32_t **drivers = &k->drivers[slot];
    if (k->driver[slot] == HK_MAP_NONE)
        k->driver[slot] = index;
    else if (!*drivers) /* one drives them all */
        return k->driver[slot];
    if (!slice->count && k->driver[slot] == index)
        return HK_MAP_NONE;
    if (!slice->count)
        return k->driver[slot];
    if (!*drivers) {
        *drivers = HK_NEW_ARRAY(k->arena, uint32_t, e->to->count);
        for (size_t i = 0; i < e->to->count; i++)
            (*drivers)[i] = HK_MAP_NONE;
    }
    for (size_t i = slice->first; i < slice->first + slice->count; i++) {
        if ((*drivers)[i] != HK_MAP_NONE)
            return (*drivers)[i];
        (*drivers)[i] = index;
    }
    return HK_MAP_NONE;
}

/* Variables that share memory have one driver among them, or one for each element. */
static void check_driver(hk_checker *k, uint32_t index, const ends *e) {
    size_t slot = k->first_slot[e->connection->to_component] + e->to->alias_of;
    uint32_t other = take_elements(k, slot, index, e);
    if (other == HK_MAP_NONE)
        return;
    const hk_connection *first = &k->model->connections[other];
    const char *name = hk_connection_name(k->model, first);
    hk_check_failed(
        k, hk_error(k->ctx, HK_E_TWO_DRIVERS, e->where, "remove one of the two connections",
                    "'%s' is driven twice: by %s (line %d) and by %s -> %s (line %d)", e->to_path,
                    name, first->where.line, e->from_path, e->to_path, e->where.line));
}

static bool is_float(hk_type type) {
    return type == HK_TYPE_F64 || type == HK_TYPE_F32;
}

static bool same_items(const hk_enum *a, const hk_enum *b) {
    if (a == b || !a || !b)
        return true;
    if (a->item_count != b->item_count)
        return false;
    for (size_t i = 0; i < a->item_count; i++)
        if (a->item_values[i] != b->item_values[i] ||
            strcmp(a->item_names[i], b->item_names[i]) != 0)
            return false;
    return true;
}

/* One element is one element, whether it is alone or in an array. The counts are equal. */
static bool same_shape(const ends *e) {
    const hk_variable *a = e->from, *b = e->to;
    if (!a->dim_count || !b->dim_count || e->connection->from_slice.count ||
        e->connection->to_slice.count)
        return true;
    return a->dim_count == b->dim_count &&
           memcmp(a->dims, b->dims, a->dim_count * sizeof *a->dims) == 0;
}

/* "[2][3]", "scalar" */
static const char *shape_of(const hk_checker *k, const hk_variable *v) {
    const char *text = "";
    for (size_t i = 0; i < v->dim_count; i++)
        text = hk_arena_printf(k->arena, "%s[%zu]", text, v->dims[i]);
    return *text ? text : "scalar";
}

/* Conversions that every value passes, but some change. */
static void warn_of_loss(hk_checker *k, const ends *e, hk_type from, hk_type to) {
    bool wide = from == HK_TYPE_I64 || from == HK_TYPE_U64;
    bool number = hk_type_connectable(from, HK_TYPE_F64);
    if (to == HK_TYPE_BOOL && from != HK_TYPE_BOOL && number)
        hk_warn(k->ctx, HK_E_CONVERSION, e->where, "compare it in the source",
                "'%s' is %s and '%s' is Boolean: a value other than 0 and 1 stops the run",
                e->from_path, hk_type_name(from), e->to_path);
    else if ((wide && is_float(to)) ||
             (to == HK_TYPE_F32 &&
              (from == HK_TYPE_F64 || from == HK_TYPE_I32 || from == HK_TYPE_U32)))
        hk_warn(k->ctx, HK_E_CONVERSION, e->where, NULL,
                "'%s' is %s and '%s' is %s: digits may be lost", e->from_path, hk_type_name(from),
                e->to_path, hk_type_name(to));
}

static bool check_types(hk_checker *k, const ends *e) {
    hk_type from = e->from->type, to = e->to->type;
    hk_transform_kind transform = e->connection->transform.kind;
    bool number = hk_type_connectable(from, HK_TYPE_F64);
    if (!hk_type_connectable(from, to)) {
        hk_check_failed(k, hk_error(k->ctx, HK_E_CONNECTION, e->where, NULL,
                                    "types cannot be joined: '%s' is %s, '%s' is %s", e->from_path,
                                    hk_type_name(from), e->to_path, hk_type_name(to)));
        return false;
    }
    size_t count = hk_slice_count(&e->connection->from_slice, e->from);
    size_t wanted = hk_slice_count(&e->connection->to_slice, e->to);
    if (count != wanted) {
        hk_check_failed(
            k, hk_error(k->ctx, HK_E_CONNECTION, e->where,
                        count == 1 || wanted == 1 ? "one element is named like 'a.y[2]'" : NULL,
                        "sizes differ: '%s' has %zu element%s, '%s' has %zu", e->from_path, count,
                        count == 1 ? "" : "s", e->to_path, wanted));
        return false;
    }
    if (!same_shape(e)) {
        hk_check_failed(k, hk_error(k->ctx, HK_E_CONNECTION, e->where, NULL,
                                    "shapes differ: '%s' is %s, '%s' is %s", e->from_path,
                                    shape_of(k, e->from), e->to_path, shape_of(k, e->to)));
        return false;
    }
    if (from == HK_TYPE_BINARY && to == HK_TYPE_STRING)
        hk_warn(k->ctx, HK_E_CONVERSION, e->where, NULL,
                "'%s' is Binary and '%s' is String: bytes that are not UTF-8 text stop the run",
                e->from_path, e->to_path);
    if (transform != HK_TRANSFORM_NONE && !number) {
        hk_check_failed(k, hk_error(k->ctx, HK_E_CONNECTION, e->where, "remove the transformation",
                                    "a transformation needs numbers, '%s' is %s", e->from_path,
                                    hk_type_name(from)));
        return false;
    }
    if (transform == HK_TRANSFORM_MAP)
        return true;
    warn_of_loss(k, e, from, to);
    if (is_float(from) && number && !is_float(to) && to != HK_TYPE_BOOL)
        hk_warn(k->ctx, HK_E_CONVERSION, e->where, "add a transformation, or round in the source",
                "'%s' is %s and '%s' is %s: a value with a fraction stops the run", e->from_path,
                hk_type_name(from), e->to_path, hk_type_name(to));
    if (from == HK_TYPE_ENUM && to == HK_TYPE_ENUM &&
        !same_items(e->from->enumeration, e->to->enumeration))
        hk_warn(k->ctx, HK_E_CONNECTION, e->where, "add an EnumerationMappingTransformation",
                "the enumerations '%s' and '%s' have different items; numbers are passed unchanged",
                e->from->enumeration->name ? e->from->enumeration->name : "?",
                e->to->enumeration->name ? e->to->enumeration->name : "?");
    return true;
}

/* In the words of the file that says it: only SSP can switch the conversion off. */
static const char *unit_hint(const hk_connection *connection) {
    const char *file = connection->where.file;
    bool ssp = file && strcasecmp(hk_path_extension(file), ".ssd") == 0;
    return ssp ? "correct one of the units, or set suppressUnitConversion=\"true\""
               : "correct one of the units";
}

/* The unit of an end, and how it is called there. */
typedef struct end_unit {
    const hk_uom *uom; /* NULL: it is not known */
    const char *name;
} end_unit;

static end_unit unit_of(const hk_uom *own, const hk_variable *v) {
    const char *name = own ? own->name : v->unit;
    return (end_unit){own ? own : v->uom, name ? name : "?"};
}

/* Values cannot be converted; false: nor can they be copied. */
static bool check_unlike(hk_checker *k, const ends *e, end_unit from, end_unit to) {
    char from_dimension[96], to_dimension[96];
    if (hk_uom_same_name(from.uom, to.uom)) {
        hk_warn(k->ctx, HK_E_UNIT_MISMATCH, e->where, "correct one of the definitions",
                "'%s' (%s) and '%s' (%s) mean different things by the unit '%s'; values are "
                "copied",
                e->from_path, hk_uom_dimension(from.uom, from_dimension), e->to_path,
                hk_uom_dimension(to.uom, to_dimension), from.uom->name);
        return true;
    }
    hk_check_failed(k, hk_error(k->ctx, HK_E_UNIT_MISMATCH, e->where, unit_hint(e->connection),
                                "'%s' is in '%s' (%s) and '%s' is in '%s' (%s)", e->from_path,
                                from.name, hk_uom_dimension(from.uom, from_dimension), e->to_path,
                                to.name, hk_uom_dimension(to.uom, to_dimension)));
    return false;
}

/* FMI and SSP: values are converted only if both units are known; else they are copied. */
static void check_units(hk_checker *k, const ends *e) {
    const hk_connection *connection = e->connection;
    end_unit from = unit_of(connection->from_uom, e->from);
    end_unit to = unit_of(connection->to_uom, e->to);
    double factor, offset;
    if (!from.uom || !to.uom || connection->suppress_unit_conversion ||
        connection->transform.kind == HK_TRANSFORM_MAP)
        return;
    if (!hk_connection_units(k->model, connection, &factor, &offset) &&
        !check_unlike(k, e, from, to))
        return;
    if (e->from->relative != e->to->relative && from.uom->offset != to.uom->offset)
        hk_warn(k->ctx, HK_E_UNIT_MISMATCH, e->where, NULL,
                "'%s' is %s and '%s' %s: the offset between '%s' and '%s' is left out",
                e->from_path, e->from->relative ? "a difference" : "no difference", e->to_path,
                e->to->relative ? "is one" : "is none", from.name, to.name);
}

void hk_check_connections(hk_checker *k) {
    for (uint32_t i = 0; i < k->model->connection_count; i++) {
        ends e = ends_of(k, &k->model->connections[i]);
        if (!check_causality(k, &e))
            continue;
        check_driver(k, i, &e);
        if (!check_types(k, &e))
            continue;
        check_units(k, &e);
    }
}

/* SPDX-License-Identifier: MIT */
#include "check/check.h"

#include "model/address.h"
#include "model/unit.h"

#include "base/file.h"
#include "base/number.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* The work of one check. */
typedef struct checker {
    hk_ctx *ctx;
    const hk_model *model;
    hk_arena *arena;
    size_t *first_slot; /* of each component: variables of all components in one row */
    uint32_t *driver;   /* per slot: the first connection that drives it; HK_MAP_NONE: none */
    uint32_t **drivers; /* per slot: the connection of each element; NULL: one drives them all */
    size_t error_count;
    hk_status error; /* of the last error */
} checker;

/* Both ends of the connection in hand. */
typedef struct ends {
    const hk_connection *connection;
    const hk_variable *from, *to;
    const char *from_path, *to_path;
    hk_where where;
} ends;

static void failed(checker *k, hk_status error) {
    k->error_count++;
    k->error = error;
}

static ends ends_of(checker *k, const hk_connection *connection) {
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

static bool check_causality(checker *k, const ends *e) {
    bool swapped = is_source(e->to, false) && is_sink(e->from);
    const char *hint = swapped ? "the connection points the wrong way: swap its ends" : NULL;
    if (!is_source(e->from, e->connection->shared)) {
        failed(k, hk_error(k->ctx, HK_E_CONNECTION, e->where,
                           hint ? hint : "a connection starts at an output",
                           "'%s' is of causality %s, so it cannot be the source of a connection",
                           e->from_path, hk_causality_name(e->from->causality)));
        return false;
    }
    if (!is_sink(e->to)) {
        const char *fixed = e->to->causality == HK_PARAMETER
                                ? "only tunable parameters can be connected; set it before the run"
                                : "a connection ends at an input";
        failed(k, hk_error(k->ctx, HK_E_CONNECTION, e->where, hint ? hint : fixed,
                           "'%s' is of causality %s%s, so it cannot be the sink of a connection",
                           e->to_path, hk_causality_name(e->to->causality),
                           e->to->causality == HK_PARAMETER ? " and not tunable" : ""));
        return false;
    }
    return true;
}

/* The connection that drives elements of SLOT already, which INDEX is about to drive; HK_MAP_NONE:
 * there is none, and INDEX drives them now. */
static uint32_t take_elements(checker *k, size_t slot, uint32_t index, const ends *e) {
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
static void check_driver(checker *k, uint32_t index, const ends *e) {
    size_t slot = k->first_slot[e->connection->to_component] + e->to->alias_of;
    uint32_t other = take_elements(k, slot, index, e);
    if (other == HK_MAP_NONE)
        return;
    const hk_connection *first = &k->model->connections[other];
    const char *name = hk_connection_name(k->model, first);
    failed(k,
           hk_error(k->ctx, HK_E_TWO_DRIVERS, e->where, "remove one of the two connections",
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
static const char *shape_of(const checker *k, const hk_variable *v) {
    const char *text = "";
    for (size_t i = 0; i < v->dim_count; i++)
        text = hk_arena_printf(k->arena, "%s[%zu]", text, v->dims[i]);
    return *text ? text : "scalar";
}

/* Conversions that every value passes, but some change. */
static void warn_of_loss(checker *k, const ends *e, hk_type from, hk_type to) {
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

static bool check_types(checker *k, const ends *e) {
    hk_type from = e->from->type, to = e->to->type;
    hk_transform_kind transform = e->connection->transform.kind;
    bool number = hk_type_connectable(from, HK_TYPE_F64);
    if (!hk_type_connectable(from, to)) {
        failed(k, hk_error(k->ctx, HK_E_CONNECTION, e->where, NULL,
                           "types cannot be joined: '%s' is %s, '%s' is %s", e->from_path,
                           hk_type_name(from), e->to_path, hk_type_name(to)));
        return false;
    }
    size_t count = hk_slice_count(&e->connection->from_slice, e->from);
    size_t wanted = hk_slice_count(&e->connection->to_slice, e->to);
    if (count != wanted) {
        failed(k, hk_error(k->ctx, HK_E_CONNECTION, e->where,
                           count == 1 || wanted == 1 ? "one element is named like 'a.y[2]'" : NULL,
                           "sizes differ: '%s' has %zu element%s, '%s' has %zu", e->from_path,
                           count, count == 1 ? "" : "s", e->to_path, wanted));
        return false;
    }
    if (!same_shape(e)) {
        failed(k, hk_error(k->ctx, HK_E_CONNECTION, e->where, NULL,
                           "shapes differ: '%s' is %s, '%s' is %s", e->from_path,
                           shape_of(k, e->from), e->to_path, shape_of(k, e->to)));
        return false;
    }
    if (from == HK_TYPE_BINARY && to == HK_TYPE_STRING)
        hk_warn(k->ctx, HK_E_CONVERSION, e->where, NULL,
                "'%s' is Binary and '%s' is String: bytes that are not UTF-8 text stop the run",
                e->from_path, e->to_path);
    if (transform != HK_TRANSFORM_NONE && !number) {
        failed(k, hk_error(k->ctx, HK_E_CONNECTION, e->where, "remove the transformation",
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
static bool check_unlike(checker *k, const ends *e, end_unit from, end_unit to) {
    char from_dimension[96], to_dimension[96];
    if (hk_uom_same_name(from.uom, to.uom)) {
        hk_warn(k->ctx, HK_E_UNIT_MISMATCH, e->where, "correct one of the definitions",
                "'%s' (%s) and '%s' (%s) mean different things by the unit '%s'; values are "
                "copied",
                e->from_path, hk_uom_dimension(from.uom, from_dimension), e->to_path,
                hk_uom_dimension(to.uom, to_dimension), from.uom->name);
        return true;
    }
    failed(k, hk_error(k->ctx, HK_E_UNIT_MISMATCH, e->where, unit_hint(e->connection),
                       "'%s' is in '%s' (%s) and '%s' is in '%s' (%s)", e->from_path, from.name,
                       hk_uom_dimension(from.uom, from_dimension), e->to_path, to.name,
                       hk_uom_dimension(to.uom, to_dimension)));
    return false;
}

/* FMI and SSP: values are converted only if both units are known; else they are copied. */
static void check_units(checker *k, const ends *e) {
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

static void check_connections(checker *k) {
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

/* Stands for the type of a component: what it was opened from, since components of other sizes have
 * descriptions of their own. It decides nothing but equality, so the order of reports does not
 * depend on the address. */
static const char *type_key(checker *k, const hk_info *info) {
    return hk_arena_printf(k->arena, "%p", info->origin ? info->origin : (const void *)info);
}

/* A second instance of a type that allows one. */
static void check_instances(checker *k) {
    hk_map first = {0};
    for (uint32_t i = 0; i < k->model->component_count; i++) {
        const hk_component *c = &k->model->components[i];
        if (c->info->can.needs_tool)
            hk_note(k->ctx, c->where, "component '%s' needs the program it was made with: %s",
                    c->name,
                    c->info->tool && *c->info->tool ? c->info->tool
                                                    : "its description does not say which");
        if (!c->info->can.once_per_process)
            continue;
        uint32_t other = hk_map_put(&first, type_key(k, c->info), i);
        if (other != i)
            failed(k, hk_error(k->ctx, HK_E_ONCE_PER_PROCESS, c->where,
                               "ask its maker for an FMU that can be instantiated more than once",
                               "'%s' and '%s' are instances of '%s', which allows one per process",
                               k->model->components[other].name, c->name,
                               c->info->name ? c->info->name : "?"));
    }
    hk_map_finish(&first);
}

/* Each type of component is asked once whether it can run on this machine. */
static void check_machine(checker *k) {
    hk_map seen = {0};
    for (uint32_t i = 0; i < k->model->component_count; i++) {
        const hk_info *info = k->model->components[i].info;
        if (hk_map_put(&seen, type_key(k, info), i) == i && info->unit_class &&
            info->unit_class->can_open) {
            hk_status status = info->unit_class->can_open(k->ctx, info);
            if (status != HK_OK)
                failed(k, status);
        }
    }
    hk_map_finish(&seen);
}

static const char *number_text(checker *k, double value) {
    char buffer[HK_NUMBER_MAX];
    return hk_arena_strndup(k->arena, buffer, hk_write_f64(value, buffer));
}

static bool is_item(const hk_enum *enumeration, double value) {
    for (size_t i = 0; i < enumeration->item_count; i++)
        if ((double)enumeration->item_values[i] == value)
            return true;
    return false;
}

static void check_setting(checker *k, const hk_component *c, const hk_setting *setting) {
    const hk_variable *v = &c->info->variables[setting->variable];
    hk_store store = hk_store_of(setting->value.type);
    if (store == HK_STORE_BYTES || !setting->value.data)
        return;
    for (size_t i = 0; i < setting->value.count; i++) {
        double value;
        const char *element = (const char *)setting->value.data + i * hk_store_size(store);
        if (!hk_value_convert(HK_STORE_F64, &value, store, element, 1))
            return;
        const char *range = hk_range_words(k->arena, v->min, v->max, value);
        if (range) {
            hk_warn(k->ctx, HK_E_PARAMETER, setting->where, NULL, "'%s.%s' is set to %s, %s",
                    c->name, v->name, number_text(k, value), range);
            return;
        }
        if (v->enumeration && !is_item(v->enumeration, value)) {
            hk_warn(k->ctx, HK_E_PARAMETER, setting->where, NULL,
                    "'%s.%s' is set to %s, which is not an item of its enumeration", c->name,
                    v->name, number_text(k, value));
            return;
        }
    }
}

/* The connection that drives all elements of a variable; NULL: none does, or several do. Those that
 * share a parameter hand the value on that was set. */
static const hk_connection *driver_of_all(const checker *k, uint32_t component, uint32_t variable) {
    const hk_variable *v = &k->model->components[component].info->variables[variable];
    size_t slot = k->first_slot[component] + v->alias_of;
    if (k->driver[slot] == HK_MAP_NONE || (k->drivers[slot] && v->count != 1))
        return NULL;
    const hk_connection *driver = &k->model->connections[k->driver[slot]];
    return driver->shared ? NULL : driver;
}

/* A start value that a connection overwrites before anybody sees it. What a person asks for is
 * named one by one; files of a system may hold very many, so of theirs the first is. */
static void check_driven(checker *k) {
    const hk_setting *first = NULL;
    const char *words = NULL;
    size_t others = 0;
    for (uint32_t i = 0; i < k->model->component_count; i++) {
        const hk_component *c = &k->model->components[i];
        for (size_t j = 0; j < c->setting_count; j++) {
            const hk_setting *s = &c->settings[j];
            const hk_connection *driver = driver_of_all(k, i, s->variable);
            if (!driver || hk_component_last_setting(c, s->variable) != s)
                continue;
            const char *text = hk_arena_printf(
                k->arena, "the value of '%s.%s' is overwritten: it comes over the connection %s",
                c->name, c->info->variables[s->variable].name,
                hk_connection_name(k->model, driver));
            if (s->source == HK_FROM_USER)
                hk_warn(k->ctx, HK_E_PARAMETER, s->where, "remove the value, or the connection",
                        "%s", text);
            else if (first)
                others++;
            else {
                first = s;
                words = text;
            }
        }
    }
    if (first)
        hk_warn(k->ctx, HK_E_PARAMETER, first->where, "remove the value, or the connection",
                others > 1    ? "%s; so it is with %zu others"
                : others == 1 ? "%s; so it is with one other"
                              : "%s",
                words, others);
}

static void check_settings(checker *k) {
    for (size_t i = 0; i < k->model->component_count; i++) {
        const hk_component *c = &k->model->components[i];
        for (size_t j = 0; j < c->setting_count; j++)
            check_setting(k, c, &c->settings[j]);
    }
    check_driven(k);
}

/* Names of variables that nothing gives a value. */
typedef struct open_names {
    size_t count;
    const char *text;
} open_names;

static void add_open(const checker *k, open_names *names, const char *name) {
    enum { SHOWN_MAX = 5 };
    const char *text = names->count ? names->text : "";
    if (names->count < SHOWN_MAX)
        text = hk_arena_printf(k->arena, "%s%s'%s'", text, names->count ? ", " : "", name);
    else if (names->count == SHOWN_MAX)
        text = hk_arena_printf(k->arena, "%s, ...", text);
    names->text = text;
    names->count++;
}

/* An array whose start values are a list has none once a structural parameter gives it another
 * size. */
static bool lost_start(const hk_variable *v) {
    return v->causality == HK_PARAMETER && v->dim_count > 0 && v->count > 0;
}

/* What nothing gives a value, one warning of each kind per component. */
static void check_open(checker *k, uint32_t component) {
    const hk_component *c = &k->model->components[component];
    bool *given = hk_arena_alloc(k->arena, c->info->variable_count + 1); /* by memory */
    open_names inputs = {0}, parameters = {0};
    for (size_t j = 0; j < c->setting_count; j++)
        given[c->info->variables[c->settings[j].variable].alias_of] = true;
    for (size_t j = 0; j < c->info->variable_count; j++)
        if (c->info->variables[j].start.data)
            given[c->info->variables[j].alias_of] = true;
    for (size_t j = 0; j < c->info->variable_count; j++) {
        const hk_variable *v = &c->info->variables[j];
        if (given[v->alias_of] || v->type == HK_TYPE_CLOCK ||
            k->driver[k->first_slot[component] + v->alias_of] != HK_MAP_NONE)
            continue;
        if (v->causality == HK_INPUT && v->count > 0)
            add_open(k, &inputs, v->name);
        else if (lost_start(v))
            add_open(k, &parameters, v->name);
    }
    if (inputs.count)
        hk_warn(k->ctx, HK_E_CONNECTION, c->where, "connect or set them",
                "component '%s': %zu input%s neither connection nor start value: %s", c->name,
                inputs.count, inputs.count == 1 ? " has" : "s have", inputs.text);
    if (parameters.count)
        hk_warn(k->ctx, HK_E_CONNECTION, c->where, "set them",
                "component '%s': %zu parameter%s no start value of the array's size: %s", c->name,
                parameters.count, parameters.count == 1 ? " has" : "s have", parameters.text);
}

hk_status hk_check_model(hk_ctx *ctx, const hk_model *model) {
    checker k = {.ctx = ctx, .model = model, .arena = hk_arena_create()};
    size_t slots = 0;
    k.first_slot = HK_NEW_ARRAY(k.arena, size_t, model->component_count);
    for (size_t i = 0; i < model->component_count; i++) {
        k.first_slot[i] = slots;
        slots += model->components[i].info->variable_count;
    }
    k.driver = HK_NEW_ARRAY(k.arena, uint32_t, slots);
    k.drivers = HK_NEW_ARRAY(k.arena, uint32_t *, slots);
    for (size_t i = 0; i < slots; i++)
        k.driver[i] = HK_MAP_NONE;
    check_machine(&k);
    check_instances(&k);
    check_connections(&k);
    check_settings(&k);
    for (uint32_t i = 0; i < model->component_count; i++)
        check_open(&k, i);
    hk_arena_destroy(k.arena);
    if (k.error_count == 0)
        return HK_OK;
    return k.error_count == 1 ? k.error : HK_E_CHECK_FAILED;
}

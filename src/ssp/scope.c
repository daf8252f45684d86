/* SPDX-License-Identifier: MIT
 *
 * What is in several kinds of files: units, enumerations, types, transformations. */
#include "base/number.h"
#include "ssp/ssp_internal.h"

#include <math.h>
#include <string.h>

static double read_number(hk_ssp *r, const char *file, const hk_xml *element, const char *name,
                          double standard) {
    const char *text = hk_xml_attr_get(element, name);
    double value;
    if (!text)
        return standard;
    if (hk_read_f64(text, strlen(text), &value) && isfinite(value))
        return value;
    hk_ssp_failed(r, hk_error(r->ctx, HK_E_VALUE, hk_xml_where(file, element), NULL,
                              "%s '%s' of '%s' is not a number", name, text, element->name));
    return standard;
}

bool hk_ssp_read_flag(hk_ssp *r, const char *file, const hk_xml *element, const char *name) {
    const char *text = hk_xml_attr_get(element, name);
    bool value = false;
    if (text && !hk_read_bool(text, strlen(text), &value))
        hk_ssp_failed(r, hk_error(r->ctx, HK_E_VALUE, hk_xml_where(file, element),
                                  "write true or false", "%s '%s' is not a Boolean", name, text));
    return value;
}

static size_t count_children(const hk_xml *element, const char *name) {
    size_t count = 0;
    for (const hk_xml *c = hk_ssp_child(element, name); c; c = hk_ssp_next(c, name))
        count++;
    return count;
}

/* Gives the name to what has this INDEX; WHAT: "units", for messages. */
static void put_name(hk_ssp *r, hk_map *names, const char *name, uint32_t index, hk_where where,
                     const char *what) {
    if (hk_map_put(names, name, index) != index)
        hk_ssp_failed(
            r, hk_error(r->ctx, HK_E_DUPLICATE, where, NULL, "two %s are called '%s'", what, name));
}

static hk_uom read_unit(hk_ssp *r, const char *file, const hk_xml *base, const char *name) {
    hk_uom uom = {.name = hk_arena_strdup(r->keep, name), .factor = 1};
    uom.factor = read_number(r, file, base, "factor", 1);
    uom.offset = read_number(r, file, base, "offset", 0);
    for (size_t i = 0; i < HK_BASE_UNITS; i++) {
        double exponent = read_number(r, file, base, hk_base_unit_names[i], 0);
        if (exponent != trunc(exponent) || fabs(exponent) > 99)
            hk_ssp_failed(r, hk_error(r->ctx, HK_E_VALUE, hk_xml_where(file, base), NULL,
                                      "the exponent of %s in unit '%s' is not a small integer",
                                      hk_base_unit_names[i], name));
        else
            uom.exponent[i] = (int8_t)exponent;
    }
    if (!isnormal(uom.factor)) {
        hk_ssp_failed(r, hk_error(r->ctx, HK_E_VALUE, hk_xml_where(file, base), NULL,
                                  "the factor of unit '%s' is 0", name));
        uom.factor = 1;
    }
    return uom;
}

static void read_units(hk_ssp *r, const char *file, const hk_xml *units, hk_ssp_scope *scope) {
    hk_uom *uoms = HK_NEW_ARRAY(r->keep, hk_uom, count_children(units, "Unit"));
    uint32_t count = 0;
    scope->unit_names = hk_ssp_map(r);
    for (const hk_xml *u = hk_ssp_child(units, "Unit"); u; u = hk_ssp_next(u, "Unit")) {
        const char *name = hk_xml_attr_get(u, "name");
        const hk_xml *base = hk_ssp_child(u, "BaseUnit");
        if (!name || !base) {
            hk_warn(r->ctx, HK_E_SSP, hk_xml_where(file, u), NULL,
                    name ? "unit '%s' has no BaseUnit, so its declaration says nothing"
                         : "a unit without name%s is ignored",
                    name ? name : "");
            continue;
        }
        uoms[count] = read_unit(r, file, base, name);
        put_name(r, scope->unit_names, uoms[count].name, count, hk_xml_where(file, u), "units");
        count++;
    }
    scope->units = uoms;
    scope->unit_count = count;
}

static hk_enum read_enum(hk_ssp *r, const char *file, const hk_xml *xml, const char *name) {
    size_t count = count_children(xml, "Item"), i = 0;
    const char **names = HK_NEW_ARRAY(r->keep, const char *, count);
    int64_t *values = HK_NEW_ARRAY(r->keep, int64_t, count);
    for (const hk_xml *x = hk_ssp_child(xml, "Item"); x; x = hk_ssp_next(x, "Item")) {
        const char *item = hk_xml_attr_get(x, "name"), *value = hk_xml_attr_get(x, "value");
        if (!item || !value || !hk_read_i64(value, strlen(value), &values[i])) {
            hk_ssp_failed(r, hk_error(r->ctx, HK_E_VALUE, hk_xml_where(file, x), NULL,
                                      "an Item of enumeration '%s' needs a name and an integer "
                                      "value",
                                      name));
            continue;
        }
        names[i++] = hk_arena_strdup(r->keep, item);
    }
    return (hk_enum){hk_arena_strdup(r->keep, name), names, values, i};
}

static void read_enums(hk_ssp *r, const char *file, const hk_xml *list, hk_ssp_scope *scope) {
    hk_enum *enums = HK_NEW_ARRAY(r->keep, hk_enum, count_children(list, "Enumeration"));
    uint32_t count = 0;
    scope->enum_names = hk_ssp_map(r);
    for (const hk_xml *e = hk_ssp_child(list, "Enumeration"); e;
         e = hk_ssp_next(e, "Enumeration")) {
        const char *name = hk_xml_attr_get(e, "name");
        if (!name) {
            hk_warn(r->ctx, HK_E_SSP, hk_xml_where(file, e), NULL,
                    "an enumeration without name is ignored");
            continue;
        }
        enums[count] = read_enum(r, file, e, name);
        put_name(r, scope->enum_names, enums[count].name, count, hk_xml_where(file, e),
                 "enumerations");
        count++;
    }
    scope->enums = enums;
    scope->enum_count = count;
}

void hk_ssp_read_scope(hk_ssp *r, const char *file, const hk_xml *element, hk_ssp_scope *scope) {
    const hk_xml *units = hk_ssp_child(element, "Units");
    const hk_xml *enums = hk_ssp_child(element, "Enumerations");
    *scope = (hk_ssp_scope){0};
    if (units)
        read_units(r, file, units, scope);
    if (enums)
        read_enums(r, file, enums, scope);
}

/* Units that the file forgot to declare are read as SI units where that is possible. */
const hk_uom *hk_ssp_unit(hk_ssp *r, const hk_ssp_scope *scope, const hk_ssp_scope *outer,
                          const char *name, hk_where where) {
    uint32_t index = scope->unit_names ? hk_map_get(scope->unit_names, name) : HK_MAP_NONE;
    if (index == HK_MAP_NONE && outer && outer->unit_names) {
        index = hk_map_get(outer->unit_names, name);
        scope = outer;
    }
    if (index != HK_MAP_NONE)
        return &scope->units[index];
    if (!name[strspn(name, " ")]) {
        if (hk_ssp_first(r, "empty unit"))
            hk_note(r->ctx, where, "an empty unit is read as none");
        return NULL;
    }
    hk_uom *uom = HK_NEW(r->keep, hk_uom);
    if (hk_uom_parse(hk_arena_strdup(r->keep, name), uom))
        return uom;
    size_t length = strlen(name);
    bool bracketed = length > 2 && name[0] == '[' && name[length - 1] == ']';
    if (bracketed && hk_uom_parse(hk_arena_strndup(r->keep, name + 1, length - 2), uom)) {
        if (hk_ssp_first(r, hk_arena_printf(r->arena, "unit %s", name)))
            hk_note(r->ctx, where, "unit '%s' is read as '%s'", name, uom->name);
        return uom;
    }
    if (hk_ssp_first(r, hk_arena_printf(r->arena, "unit %s", name)))
        hk_warn(r->ctx, HK_E_SSP, where, "declare it under Units",
                "unit '%s' is not declared and no SI unit; values are not converted", name);
    return NULL;
}

hk_ssp_shape hk_ssp_read_shape(hk_ssp *r, const char *file, const hk_xml *element) {
    hk_ssp_shape shape = {0};
    for (const hk_xml *d = hk_ssp_child(element, "Dimension"); d; d = hk_ssp_next(d, "Dimension")) {
        const char *text = hk_xml_attr_get(d, "size");
        uint64_t size = 0;
        bool good = text ? hk_read_u64(text, strlen(text), &size) && size && size <= SIZE_MAX
                         : hk_xml_attr_get(d, "sizeConnector") != NULL;
        if (!good)
            hk_ssp_failed(r, hk_error(r->ctx, HK_E_VALUE, hk_xml_where(file, d), "write size=\"3\"",
                                      "size '%s' of a Dimension is not a number "
                                      "above 0",
                                      text ? text : ""));
        HK_SSP_PUSH(r, shape.sizes, shape.count, shape.cap, (size_t)size);
    }
    return shape;
}

bool hk_ssp_shape_fits(const size_t *sizes, size_t count, const hk_variable *v) {
    if (!count)
        return true;
    bool fits = count == v->dim_count;
    for (size_t i = 0; fits && i < count; i++)
        fits = !sizes[i] || sizes[i] == v->dims[i];
    return fits;
}

const char *hk_ssp_shape_text(hk_ssp *r, const size_t *sizes, size_t count) {
    const char *text = count ? "" : "a scalar";
    for (size_t i = 0; i < count; i++)
        text = sizes[i] ? hk_arena_printf(r->arena, "%s%s%zu", text, i ? " x " : "", sizes[i])
                        : hk_arena_printf(r->arena, "%s%s?", text, i ? " x " : "");
    return text;
}

bool hk_ssp_is_type(const char *name, hk_type *ret_type) {
    static const struct {
        const char *name;
        hk_type type;
    } old[] = {{"Real", HK_TYPE_F64}, {"Integer", HK_TYPE_I32}};
    for (size_t i = 0; i < sizeof old / sizeof *old; i++)
        if (strcmp(old[i].name, name) == 0) {
            *ret_type = old[i].type;
            return true;
        }
    for (int i = 0; i < HK_TYPE_COUNT; i++)
        if (strcmp(hk_type_name((hk_type)i), name) == 0) {
            *ret_type = (hk_type)i;
            return true;
        }
    return false;
}

/* "1", "1.0" and "true" are one value. */
static const char *value_key(hk_arena *arena, const char *text) {
    char number[HK_NUMBER_MAX];
    double value;
    bool truth;
    if (hk_read_bool(text, strlen(text), &truth))
        value = truth;
    else if (!hk_read_f64(text, strlen(text), &value))
        return text;
    return hk_arena_strndup(arena, number, hk_write_f64(value, number));
}

/* Entry NEXT of T is read. Which of two targets counts is nowhere said; false: it is not needed. */
static bool is_new_source(hk_ssp *r, hk_map *sources, const hk_ssp_transform *t, size_t next,
                          hk_where where) {
    const char *from = t->map_from[next], *to = t->map_to[next];
    uint32_t other = hk_map_put(sources, value_key(r->arena, from), (uint32_t)next);
    if (other == next)
        return true;
    if (strcmp(t->map_to[other], to) == 0)
        hk_warn(r->ctx, HK_E_DUPLICATE, where, "remove one of the two",
                "two MapEntry map '%s' to '%s'", from, to);
    else
        hk_ssp_failed(r,
                      hk_error(r->ctx, HK_E_DUPLICATE, where, "remove one of the two",
                               "'%s' is mapped to '%s' and to '%s'", from, t->map_to[other], to));
    return false;
}

static hk_ssp_transform read_map(hk_ssp *r, const char *file, const hk_xml *xml) {
    size_t count = count_children(xml, "MapEntry"), i = 0;
    hk_map sources = {0};
    hk_ssp_transform t = {.kind = HK_TRANSFORM_MAP, .factor = 1};
    t.map_from = HK_NEW_ARRAY(r->arena, const char *, count);
    t.map_to = HK_NEW_ARRAY(r->arena, const char *, count);
    for (const hk_xml *x = hk_ssp_child(xml, "MapEntry"); x; x = hk_ssp_next(x, "MapEntry")) {
        const char *from = hk_xml_attr_get(x, "source"), *to = hk_xml_attr_get(x, "target");
        if (!from || !to) {
            hk_ssp_failed(r, hk_error(r->ctx, HK_E_SSP, hk_xml_where(file, x), NULL,
                                      "a MapEntry needs source and target"));
            continue;
        }
        t.map_from[i] = from;
        t.map_to[i] = to;
        if (is_new_source(r, &sources, &t, i, hk_xml_where(file, x)))
            i++;
    }
    hk_map_finish(&sources);
    t.map_count = i;
    return t;
}

hk_ssp_transform hk_ssp_read_transform(hk_ssp *r, const char *file, const hk_xml *element) {
    static const char *const maps[] = {"BooleanMappingTransformation",
                                       "IntegerMappingTransformation",
                                       "EnumerationMappingTransformation"};
    const hk_xml *linear = hk_ssp_child(element, "LinearTransformation");
    hk_ssp_transform t = {.kind = HK_TRANSFORM_NONE, .factor = 1};
    if (linear) {
        t.factor = read_number(r, file, linear, "factor", 1);
        t.offset = read_number(r, file, linear, "offset", 0);
        if (t.factor != 1 || t.offset != 0)
            t.kind = HK_TRANSFORM_LINEAR;
        return t;
    }
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        const hk_xml *map = hk_ssp_child(element, maps[i]);
        if (map)
            return read_map(r, file, map);
    }
    return t;
}

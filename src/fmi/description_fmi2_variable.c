/* SPDX-License-Identifier: MIT
 *
 * One ScalarVariable of FMI 2.0: its type with the defaults of the declared type, its place in the
 * table of causality, variability and initial, and its start value. */
#include "fmi/description_fmi2.h"

#include <math.h>
#include <string.h>

hk_where hk_fmi2_where(const hk_fmi2_parse *p, const hk_xml *e, const hk_variable *v) {
    hk_where where = hk_xml_where(p->r.file, e);
    where.element = hk_arena_printf(p->r.arena, "ScalarVariable '%s'", v->name);
    return where;
}

/* Finds the declared type. One that is missing or of another kind gives no defaults. */
static const hk_fmi2_type *find_type(hk_fmi2_parse *p, const hk_xml *e, const hk_xml *value,
                                     const hk_variable *v) {
    const char *name = hk_xml_attr_get(value, "declaredType");
    uint32_t index = name ? hk_map_get(&p->type_map, name) : HK_MAP_NONE;
    const hk_fmi2_type *type = index == HK_MAP_NONE ? NULL : &p->types[index];
    if (type && type->kind != p->kind)
        type = NULL;
    if (!type && (name || p->kind == HK_FMI2_ENUMERATION))
        hk_tally_add(&p->unknown_type, e, v->name);
    return type;
}

/* An attribute of the variable, else of its declared type. */
static const hk_xml *holder(const hk_xml *value, const hk_fmi2_type *type, const char *attr) {
    return hk_xml_attr_get(value, attr) || !type ? value : type->element;
}

/* What the element VALUE and the declared type say. */
static hk_status read_value(hk_fmi2_parse *p, const hk_xml *e, const hk_xml *value,
                            hk_variable *v) {
    static const struct {
        hk_type type;
        hk_store store;
    } layout[] = {[HK_FMI2_REAL] = {HK_TYPE_F64, HK_STORE_F64},
                  [HK_FMI2_INTEGER] = {HK_TYPE_I32, HK_STORE_I32},
                  [HK_FMI2_BOOLEAN] = {HK_TYPE_BOOL, HK_STORE_BOOL32}, /* or truth_store */
                  [HK_FMI2_STRING] = {HK_TYPE_STRING, HK_STORE_BYTES},
                  [HK_FMI2_ENUMERATION] = {HK_TYPE_ENUM, HK_STORE_I32}};
    const hk_fmi2_type *type = find_type(p, e, value, v);
    v->type = layout[p->kind].type;
    v->store = p->kind == HK_FMI2_BOOLEAN ? p->truth_store : layout[p->kind].store;
    v->count = 1;
    v->min = v->max = v->nominal = (double)NAN;
    v->declared_type = type ? type->name : NULL;
    v->enumeration = type ? type->enumeration : NULL;
    v->quantity = hk_xml_attr_get(holder(value, type, "quantity"), "quantity");
    if (p->kind == HK_FMI2_BOOLEAN || p->kind == HK_FMI2_STRING)
        return HK_OK;
    HK_TRY(hk_read_attr_f64(&p->r, holder(value, type, "min"), "min", &v->min));
    HK_TRY(hk_read_attr_f64(&p->r, holder(value, type, "max"), "max", &v->max));
    if (p->kind != HK_FMI2_REAL)
        return HK_OK;
    HK_TRY(hk_read_attr_f64(&p->r, holder(value, type, "nominal"), "nominal", &v->nominal));
    HK_TRY(hk_read_attr_bool(&p->r, holder(value, type, "relativeQuantity"), "relativeQuantity",
                             &v->relative));
    v->display_unit = hk_xml_attr_get(holder(value, type, "displayUnit"), "displayUnit");
    v->unit = hk_xml_attr_get(holder(value, type, "unit"), "unit");
    hk_find_unit(&p->units, e, v, &p->unknown_unit);
    return HK_OK;
}

/* Variability as written or, if it is absent, what makes sense: the standard's default,
 * "continuous", is not allowed for most variables that lack the attribute. */
static hk_status read_variability(hk_fmi2_parse *p, const hk_xml *e, hk_variable *v) {
    static const char *const words[] = {"constant", "fixed", "tunable", "discrete", "continuous"};
    int variability = -1;
    HK_TRY(hk_read_attr_word(&p->r, e, "variability", words, 5, &variability));
    if (variability >= 0) {
        v->variability = (hk_variability)variability;
    } else if (v->causality == HK_PARAMETER || v->causality == HK_CALCULATED_PARAMETER) {
        v->variability = HK_FIXED;
        hk_tally_add(&p->no_variability, e, v->name);
    } else {
        v->variability = p->kind == HK_FMI2_REAL ? HK_CONTINUOUS : HK_DISCRETE;
    }
    if (v->variability == HK_CONTINUOUS && p->kind != HK_FMI2_REAL)
        return hk_error(p->r.ctx, HK_E_FMI_DESCRIPTION, hk_fmi2_where(p, e, v), NULL,
                        "'%s' is continuous, but only Real variables may be", v->name);
    return HK_OK;
}

static hk_status read_role(hk_fmi2_parse *p, const hk_xml *e, hk_variable *v) {
    static const struct {
        const char *word;
        hk_causality causality;
    } table[] = {{"local", HK_LOCAL},
                 {"input", HK_INPUT},
                 {"output", HK_OUTPUT},
                 {"parameter", HK_PARAMETER},
                 {"calculatedParameter", HK_CALCULATED_PARAMETER},
                 {"independent", HK_INDEPENDENT}};
    const char *words[6];
    for (size_t i = 0; i < 6; i++)
        words[i] = table[i].word;
    int causality = 0;
    HK_TRY(hk_read_attr_word(&p->r, e, "causality", words, 6, &causality));
    v->causality = table[causality].causality;
    HK_TRY(read_variability(p, e, v));
    const hk_initial *choices;
    size_t count = hk_initial_choices(v->causality, v->variability, &choices);
    return hk_read_initial(&p->r, e, choices, count, v, &p->forbidden_initial);
}

hk_status hk_fmi2_read_start(hk_fmi2_parse *p, const hk_xml *e, const hk_xml *value,
                             hk_variable *v) {
    const char *text = hk_xml_attr_get(value, "start");
    bool calculated = v->initial == HK_CALCULATED || v->causality == HK_INDEPENDENT;
    if (calculated) {
        if (text)
            hk_tally_add(&p->forbidden_start, e, v->name);
        return HK_OK;
    }
    if (!text) {
        hk_tally_add(&p->no_start, e, v->name);
        return HK_OK;
    }
    if (!hk_value_parse(p->r.arena, v->type, 1, v->enumeration, text, &v->start))
        return hk_error(p->r.ctx, HK_E_VALUE, hk_fmi2_where(p, value, v), NULL,
                        "the start value of '%s' is '%.60s', expected a value of type %s", v->name,
                        text, hk_type_name(v->type));
    return HK_OK;
}

hk_status hk_fmi2_read_type(hk_fmi2_parse *p, const hk_xml *e, const hk_xml *value,
                            hk_variable *v) {
    HK_TRY(hk_read_attr_text(&p->r, e, "name", &v->name));
    const char *ref;
    HK_TRY(hk_read_attr_text(&p->r, e, "valueReference", &ref));
    HK_TRY(hk_read_attr_u32(&p->r, e, "valueReference", &v->ref));
    v->description = hk_xml_attr_get(e, "description");
    v->line = e->line;
    v->column = e->column;
    if (!value)
        return hk_error(p->r.ctx, HK_E_FMI_DESCRIPTION, hk_fmi2_where(p, e, v), NULL,
                        "'%s' holds none of Real, Integer, Boolean, String, Enumeration", v->name);
    return read_value(p, e, value, v);
}

hk_status hk_fmi2_read_variable(hk_fmi2_parse *p, const hk_xml *e, const hk_xml *kind_element,
                                hk_variable *v) {
    HK_TRY(hk_fmi2_read_type(p, e, kind_element, v));
    HK_TRY(read_role(p, e, v));
    if (v->causality == HK_INDEPENDENT) {
        if (p->kind != HK_FMI2_REAL || p->has_independent)
            return hk_error(p->r.ctx, HK_E_FMI_DESCRIPTION, hk_fmi2_where(p, e, v), NULL,
                            p->has_independent ? "'%s' is the second independent variable, FMI "
                                                 "allows one"
                                               : "'%s' is the independent variable, so it must be "
                                                 "a Real",
                            v->name);
        p->has_independent = true;
    }
    HK_TRY(hk_fmi2_read_start(p, e, kind_element, v));
    /* An output that starts with a given value depends on nothing at that moment. */
    v->depends_init.known = v->initial == HK_EXACT;
    return HK_OK;
}

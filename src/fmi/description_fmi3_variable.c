/* SPDX-License-Identifier: MIT
 *
 * One variable of FMI 3.0: its type with the defaults of the declared type, and its place in the
 * table of causality, variability and initial. */
#include "fmi/description_fmi3.h"

#include <math.h>

const hk_fmi3_type *hk_fmi3_find_type(const hk_fmi3_parse *p, const hk_xml *e, hk_type type) {
    const char *name = hk_xml_attr_get(e, "declaredType");
    uint32_t index = name ? hk_map_get(&p->type_map, name) : HK_MAP_NONE;
    return index == HK_MAP_NONE || p->types[index].type != type ? NULL : &p->types[index];
}

const hk_xml *hk_fmi3_holder(const hk_xml *e, const hk_fmi3_type *type, const char *attr) {
    return hk_xml_attr_get(e, attr) || !type ? e : type->element;
}

static bool is_float(hk_type type) {
    return type == HK_TYPE_F64 || type == HK_TYPE_F32;
}

static bool has_range(hk_type type) {
    return type != HK_TYPE_BOOL && type != HK_TYPE_STRING && type != HK_TYPE_BINARY &&
           type != HK_TYPE_CLOCK;
}

static void read_type(hk_fmi3_parse *p, const hk_xml *e, hk_variable *v) {
    const hk_fmi3_type *type = hk_fmi3_find_type(p, e, v->type);
    if (!type && (hk_xml_attr_get(e, "declaredType") || v->type == HK_TYPE_ENUM))
        hk_fault_add(&p->r, HK_FAULT_UNKNOWN_TYPE, e, v->name);
    v->store = hk_store_of(v->type);
    v->count = 1;
    v->min = v->max = v->nominal = (double)NAN;
    v->declared_type = type ? type->name : NULL;
    v->enumeration = type ? type->enumeration : NULL;
    v->quantity = hk_xml_attr_get(hk_fmi3_holder(e, type, "quantity"), "quantity");
    if (!has_range(v->type))
        return;
    hk_read_attr_f64(&p->r, hk_fmi3_holder(e, type, "min"), "min", &v->min);
    hk_read_attr_f64(&p->r, hk_fmi3_holder(e, type, "max"), "max", &v->max);
    if (!is_float(v->type))
        return;
    hk_read_attr_f64(&p->r, hk_fmi3_holder(e, type, "nominal"), "nominal", &v->nominal);
    hk_read_attr_bool(&p->r, hk_fmi3_holder(e, type, "relativeQuantity"), "relativeQuantity",
                      &v->relative);
    v->display_unit = hk_xml_attr_get(hk_fmi3_holder(e, type, "displayUnit"), "displayUnit");
    v->unit = hk_xml_attr_get(hk_fmi3_holder(e, type, "unit"), "unit");
    hk_find_unit(&p->r, &p->units, e, v);
}

static void read_variability(hk_fmi3_parse *p, const hk_xml *e, hk_variable *v) {
    static const char *const words[] = {"constant", "fixed", "tunable", "discrete", "continuous"};
    bool parameter = v->causality == HK_PARAMETER || v->causality == HK_CALCULATED_PARAMETER ||
                     v->causality == HK_STRUCTURAL_PARAMETER;
    int variability = parameter ? HK_FIXED : is_float(v->type) ? HK_CONTINUOUS : HK_DISCRETE;
    hk_read_attr_word(&p->r, e, "variability", words, HK_VARIABILITY_COUNT, &variability);
    v->variability = (hk_variability)variability;
    if (v->variability == HK_CONTINUOUS && !is_float(v->type)) {
        hk_fault_add(&p->r, HK_FAULT_CONTINUOUS, e, v->name);
        v->variability = HK_DISCRETE;
    }
}

static void read_role(hk_fmi3_parse *p, const hk_xml *e, hk_variable *v) {
    static const hk_initial input_choices[] = {HK_EXACT};
    const char *words[HK_CAUSALITY_COUNT];
    for (int i = 0; i < HK_CAUSALITY_COUNT; i++)
        words[i] = hk_causality_name((hk_causality)i);
    int causality = HK_LOCAL;
    hk_read_attr_word(&p->r, e, "causality", words, HK_CAUSALITY_COUNT, &causality);
    v->causality = (hk_causality)causality;
    read_variability(p, e, v);
    if (v->type == HK_TYPE_CLOCK && v->variability != HK_DISCRETE) {
        hk_fault_add(&p->r, HK_FAULT_CLOCK, e, v->name);
        v->variability = HK_DISCRETE;
    }
    const hk_initial *choices;
    size_t count = hk_initial_choices(v->causality, v->variability, &choices);
    if (count && v->causality == HK_INPUT)
        choices = input_choices;
    hk_read_initial(&p->r, e, choices, count, v);
}

/* One floating-point scalar is the time. */
static void check_independent(hk_fmi3_parse *p, const hk_xml *e, hk_variable *v) {
    if (v->causality != HK_INDEPENDENT)
        return;
    if (p->has_independent || !is_float(v->type) || hk_xml_child(e, NULL, "Dimension")) {
        hk_fault_add(&p->r, HK_FAULT_INDEPENDENT, e, v->name);
        v->causality = HK_LOCAL;
        v->initial = HK_CALCULATED;
    } else {
        p->has_independent = true;
    }
}

void hk_fmi3_read_variable(hk_fmi3_parse *p, const hk_xml *e, hk_type type, hk_variable *v) {
    bool intermediate = false, multiple = true;
    hk_read_identity(&p->r, e, v);
    v->type = type;
    read_type(p, e, v);
    read_role(p, e, v);
    check_independent(p, e, v);
    /* Read for their form only: they concern interfaces that are not used. */
    hk_read_attr_bool(&p->r, e, "intermediateUpdate", &intermediate);
    hk_read_attr_bool(&p->r, e, "canHandleMultipleSetPerTimeInstant", &multiple);
    if (v->causality == HK_STRUCTURAL_PARAMETER)
        p->fmu->facts.structural_parameter_count++;
    /* An output that starts with a given value depends on nothing at that moment. */
    v->depends_init.known = v->initial == HK_EXACT;
}

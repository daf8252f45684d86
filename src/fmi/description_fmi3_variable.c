/* SPDX-License-Identifier: MIT
 *
 * One variable of FMI 3.0: its type with the defaults of the declared type, and its place in the
 * table of causality, variability and initial. */
#include "fmi/description_fmi3.h"

static void read_type(hk_fmi3_parse *p, const hk_xml *e, hk_variable *v) {
    v->store = hk_store_of(v->type);
    hk_read_range(&p->r, &p->types, e, e, v);
    hk_find_unit(&p->r, &p->units, e, v);
}

static void read_variability(hk_fmi3_parse *p, const hk_xml *e, hk_variable *v) {
    static const char *const words[] = {"constant", "fixed", "tunable", "discrete", "continuous"};
    bool parameter = v->causality == HK_PARAMETER || v->causality == HK_CALCULATED_PARAMETER ||
                     v->causality == HK_STRUCTURAL_PARAMETER;
    int variability = parameter ? HK_FIXED : hk_is_float(v->type) ? HK_CONTINUOUS : HK_DISCRETE;
    hk_read_attr_word(&p->r, e, "variability", words, HK_VARIABILITY_COUNT, &variability);
    v->variability = (hk_variability)variability;
    if (v->variability == HK_CONTINUOUS && !hk_is_float(v->type)) {
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
    if (p->has_independent || !hk_is_float(v->type) || hk_xml_child(e, NULL, "Dimension")) {
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

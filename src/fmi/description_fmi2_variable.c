/* SPDX-License-Identifier: MIT
 *
 * One ScalarVariable of FMI 2.0: its type with the defaults of the declared type, its place in the
 * table of causality, variability and initial, and its start value. */
#include "fmi/description_fmi2.h"

#include <string.h>

/* What the element VALUE and the declared type say. */
static void read_value(hk_fmi2_parse *p, const hk_xml *e, const hk_xml *value, hk_variable *v) {
    v->type = p->type;
    v->store = p->type == HK_TYPE_BOOL   ? p->truth_store
               : p->type == HK_TYPE_ENUM ? HK_STORE_I32
                                         : hk_store_of(p->type);
    hk_read_range(&p->r, &p->types, e, value, v);
    if (p->info->can.fmi > 1) /* FMI 1.0 does not define the meaning of units */
        hk_find_unit(&p->r, &p->units, e, v);
}

/* Variability as written or, if it is absent, what makes sense: the standard's default,
 * "continuous", is not allowed for most variables that lack the attribute. */
static void read_variability(hk_fmi2_parse *p, const hk_xml *e, hk_variable *v) {
    static const char *const words[] = {"constant", "fixed", "tunable", "discrete", "continuous"};
    int variability = -1;
    hk_read_attr_word(&p->r, e, "variability", words, 5, &variability);
    if (variability >= 0) {
        v->variability = (hk_variability)variability;
    } else if (v->causality == HK_PARAMETER || v->causality == HK_CALCULATED_PARAMETER) {
        v->variability = HK_FIXED;
        hk_fault_add(&p->r, HK_FAULT_NO_VARIABILITY, e, v->name);
    } else {
        v->variability = p->type == HK_TYPE_F64 ? HK_CONTINUOUS : HK_DISCRETE;
    }
    if (v->variability == HK_CONTINUOUS && p->type != HK_TYPE_F64) {
        hk_fault_add(&p->r, HK_FAULT_CONTINUOUS, e, v->name);
        v->variability = HK_DISCRETE;
    }
}

static void read_role(hk_fmi2_parse *p, const hk_xml *e, hk_variable *v) {
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
    hk_read_attr_word(&p->r, e, "causality", words, 6, &causality);
    v->causality = table[causality].causality;
    read_variability(p, e, v);
    const hk_initial *choices;
    size_t count = hk_initial_choices(v->causality, v->variability, &choices);
    hk_read_initial(&p->r, e, choices, count, v);
}

void hk_fmi2_read_start(hk_fmi2_parse *p, const hk_xml *e, const hk_xml *value, hk_variable *v) {
    const char *text = hk_xml_attr_get(value, "start");
    bool calculated = v->initial == HK_CALCULATED || v->causality == HK_INDEPENDENT;
    if (calculated && text)
        hk_fault_add(&p->r, HK_FAULT_FORBIDDEN_START, e, v->name);
    else if (!calculated && !text)
        hk_fault_add(&p->r, HK_FAULT_NO_START, e, v->name);
    else if (text && !v->unusable)
        hk_read_start(&p->r, value, text, v);
}

void hk_fmi2_read_type(hk_fmi2_parse *p, const hk_xml *e, const hk_xml *value, hk_variable *v) {
    hk_read_identity(&p->r, e, v);
    if (!value) {
        hk_fault_add(&p->r, HK_FAULT_NO_TYPE, e, v->name);
        v->unusable = "it holds none of Real, Integer, Boolean, String, Enumeration";
        p->type = HK_TYPE_F64;
    }
    read_value(p, e, value ? value : e, v);
}

/* One Real scalar is the time. */
static void check_independent(hk_fmi2_parse *p, const hk_xml *e, hk_variable *v) {
    if (v->causality != HK_INDEPENDENT)
        return;
    if (p->type != HK_TYPE_F64 || p->has_independent) {
        hk_fault_add(&p->r, HK_FAULT_INDEPENDENT, e, v->name);
        v->causality = HK_LOCAL;
        v->initial = HK_CALCULATED;
    } else {
        p->has_independent = true;
    }
}

void hk_fmi2_read_variable(hk_fmi2_parse *p, const hk_xml *e, const hk_xml *kind_element,
                           hk_variable *v) {
    hk_fmi2_read_type(p, e, kind_element, v);
    read_role(p, e, v);
    check_independent(p, e, v);
    if (kind_element)
        hk_fmi2_read_start(p, e, kind_element, v);
    /* An output that starts with a given value depends on nothing at that moment. */
    v->depends_init.known = v->initial == HK_EXACT;
}

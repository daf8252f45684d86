/* SPDX-License-Identifier: MIT */
#include "fmi/description.h"
#include "base/number.h"

#include <string.h>

void hk_tally_add(hk_tally *tally, const hk_xml *element, const char *name) {
    if (tally->count++ == 0) {
        tally->first = element;
        tally->name = name;
    }
}

void hk_tally_report(hk_ctx *ctx, const char *file, const hk_tally *tally, const char *text,
                     const char *hint) {
    if (tally->count == 1)
        hk_warn(ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(file, tally->first), hint, "'%s' %s",
                tally->name, text);
    else if (tally->count > 1)
        hk_warn(ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(file, tally->first), hint,
                "'%s' and %zu others: %s", tally->name, tally->count - 1, text);
}

static hk_status bad_attr(const hk_reader *r, const hk_xml *e, const char *name,
                          const char *expected) {
    return hk_error(r->ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(r->file, e), NULL,
                    "%s: the attribute %s is '%s', expected %s", e->name, name,
                    hk_xml_attr_get(e, name), expected);
}

hk_status hk_read_attr_bool(const hk_reader *r, const hk_xml *e, const char *name,
                            bool *ret_value) {
    const char *text = hk_xml_attr_get(e, name);
    if (text && !hk_read_bool(text, strlen(text), ret_value))
        return bad_attr(r, e, name, "true or false");
    return HK_OK;
}

hk_status hk_read_attr_f64(const hk_reader *r, const hk_xml *e, const char *name,
                           double *ret_value) {
    const char *text = hk_xml_attr_get(e, name);
    if (text && !hk_read_f64(text, strlen(text), ret_value))
        return bad_attr(r, e, name, "a number");
    return HK_OK;
}

hk_status hk_read_attr_u32(const hk_reader *r, const hk_xml *e, const char *name,
                           uint32_t *ret_value) {
    const char *text = hk_xml_attr_get(e, name);
    uint64_t value;
    if (!text)
        return HK_OK;
    if (!hk_read_u64(text, strlen(text), &value) || value > UINT32_MAX)
        return bad_attr(r, e, name, "a whole number from 0 to 4294967295");
    *ret_value = (uint32_t)value;
    return HK_OK;
}

hk_status hk_read_attr_i64(const hk_reader *r, const hk_xml *e, const char *name,
                           int64_t *ret_value) {
    const char *text = hk_xml_attr_get(e, name);
    if (text && !hk_read_i64(text, strlen(text), ret_value))
        return bad_attr(r, e, name, "a whole number");
    return HK_OK;
}

hk_status hk_read_attr_text(const hk_reader *r, const hk_xml *e, const char *name,
                            const char **ret_value) {
    const char *text = hk_xml_attr_get(e, name);
    if (!text || !text[0])
        return hk_error(r->ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(r->file, e), NULL,
                        "%s: the attribute %s is %s", e->name, name, text ? "empty" : "missing");
    *ret_value = text;
    return HK_OK;
}

hk_status hk_read_attr_word(const hk_reader *r, const hk_xml *e, const char *name,
                            const char *const *words, size_t count, int *ret_index) {
    const char *text = hk_xml_attr_get(e, name);
    if (!text)
        return HK_OK;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(text, words[i]) == 0) {
            *ret_index = (int)i;
            return HK_OK;
        }
    }
    const char *list = words[0];
    for (size_t i = 1; i < count; i++)
        list = hk_arena_printf(r->arena, "%s, %s", list, words[i]);
    return bad_attr(r, e, name, hk_arena_printf(r->arena, "one of %s", list));
}

/* Reads a time; one that is no exact fraction of 64-bit numbers is taken as the decimal that its
 * double prints as. */
static bool read_time(const hk_reader *r, const hk_xml *e, const char *name, bool positive,
                      hk_ratio *ret_time) {
    const char *text = hk_xml_attr_get(e, name);
    double rounded;
    hk_ratio time;
    if (!text)
        return false;
    if ((hk_ratio_parse(text, &time) ||
         (hk_read_f64(text, strlen(text), &rounded) && hk_ratio_from_double(rounded, &time))) &&
        (!positive || time.num > 0)) {
        *ret_time = time;
        return true;
    }
    hk_warn(r->ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(r->file, e), NULL,
            "DefaultExperiment: the attribute %s is '%s', which is no time hocket can use; it is "
            "left out",
            name, text);
    return false;
}

void hk_read_defaults(const hk_reader *r, const hk_xml *e, hk_defaults *ret_defaults) {
    if (!e)
        return;
    ret_defaults->has_start = read_time(r, e, "startTime", false, &ret_defaults->start);
    ret_defaults->has_stop = read_time(r, e, "stopTime", false, &ret_defaults->stop);
    ret_defaults->has_step = read_time(r, e, "stepSize", true, &ret_defaults->step);
    const char *tolerance = hk_xml_attr_get(e, "tolerance");
    ret_defaults->has_tolerance =
        tolerance && hk_read_f64(tolerance, strlen(tolerance), &ret_defaults->tolerance) &&
        ret_defaults->tolerance > 0;
    if (tolerance && !ret_defaults->has_tolerance)
        hk_warn(r->ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(r->file, e), NULL,
                "DefaultExperiment: the tolerance is '%s', expected a positive number; it is left "
                "out",
                tolerance);
}

hk_status hk_read_unit(const hk_reader *r, const hk_xml *e, const hk_uom **ret_uom) {
    const hk_xml *base = hk_xml_child(e, NULL, "BaseUnit");
    if (!base) {
        *ret_uom = NULL;
        return HK_OK;
    }
    hk_uom *uom = HK_NEW(r->arena, hk_uom);
    uom->factor = 1;
    uom->name = hk_xml_attr_get(e, "name");
    for (size_t i = 0; i < HK_BASE_UNITS; i++) {
        int64_t exponent = 0;
        HK_TRY(hk_read_attr_i64(r, base, hk_base_unit_names[i], &exponent));
        if (exponent < INT8_MIN || exponent > INT8_MAX)
            return bad_attr(r, base, hk_base_unit_names[i], "an exponent from -128 to 127");
        uom->exponent[i] = (int8_t)exponent;
    }
    HK_TRY(hk_read_attr_f64(r, base, "factor", &uom->factor));
    HK_TRY(hk_read_attr_f64(r, base, "offset", &uom->offset));
    /* Written so that NaN fails too. */
    if (!(uom->factor < 0 || uom->factor > 0) || uom->factor - uom->factor != 0)
        return bad_attr(r, base, "factor", "a finite number that is not 0");
    if (uom->offset - uom->offset != 0)
        return bad_attr(r, base, "offset", "a finite number");
    *ret_uom = uom;
    return HK_OK;
}

size_t hk_initial_choices(hk_causality causality, hk_variability variability,
                          const hk_initial **ret_choices) {
    static const hk_initial none[] = {HK_INITIAL_NONE};
    static const hk_initial exact[] = {HK_EXACT};
    static const hk_initial computed[] = {HK_CALCULATED, HK_APPROX};
    static const hk_initial any[] = {HK_CALCULATED, HK_EXACT, HK_APPROX};
    bool fixed = variability == HK_FIXED || variability == HK_TUNABLE;
    bool varies = variability == HK_DISCRETE || variability == HK_CONTINUOUS;
    switch (causality) {
    case HK_PARAMETER:
    case HK_STRUCTURAL_PARAMETER:
        *ret_choices = exact;
        return fixed ? 1 : 0;
    case HK_CALCULATED_PARAMETER:
        *ret_choices = computed;
        return fixed ? 2 : 0;
    case HK_INPUT:
        *ret_choices = none;
        return varies ? 1 : 0;
    case HK_INDEPENDENT:
        *ret_choices = none;
        return variability == HK_CONTINUOUS ? 1 : 0;
    case HK_OUTPUT:
    case HK_LOCAL:
        *ret_choices = variability == HK_CONSTANT ? exact : fixed ? computed : any;
        if (fixed)
            return causality == HK_LOCAL ? 2 : 0;
        return variability == HK_CONSTANT ? 1 : 3;
    default:
        return 0;
    }
}

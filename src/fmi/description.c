/* SPDX-License-Identifier: MIT */
#include "fmi/description.h"
#include "base/number.h"
#include "base/seconds.h"

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
    if ((hk_seconds_read(r->ctx, hk_xml_where(r->file, e), text, &time) ||
         (hk_read_f64(text, strlen(text), &rounded) && hk_seconds_from_double(rounded, &time))) &&
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

hk_status hk_read_stamp(const hk_reader *r, const hk_xml *e, const char *name,
                        hk_stamp *ret_stamp) {
    static const char *const words[] = {[HK_STAMP_END] = "end", [HK_STAMP_START] = "start"};
    int stamp = (int)*ret_stamp;
    if (e)
        HK_TRY(hk_read_attr_word(r, e, name, words, 2, &stamp));
    *ret_stamp = (hk_stamp)stamp;
    return HK_OK;
}

const hk_xml *hk_find_own_tool(const hk_xml *root) {
    const hk_xml *list = hk_xml_child(root, NULL, "VendorAnnotations");
    const hk_xml *e = list ? hk_xml_child(list, NULL, "Tool") : NULL;
    for (; e; e = hk_xml_next(e, NULL, "Tool")) {
        const char *name = hk_xml_attr_get(e, "name");
        if (name && strcmp(name, "hocket") == 0)
            return e;
    }
    return NULL;
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

hk_status hk_read_units(const hk_reader *r, const hk_xml *list, hk_units *ret_units,
                        hk_tally *twice) {
    size_t count = 0;
    for (const hk_xml *e = list ? hk_xml_child(list, NULL, "Unit") : NULL; e;
         e = hk_xml_next(e, NULL, "Unit"))
        count++;
    ret_units->uoms = HK_NEW_ARRAY(r->arena, const hk_uom *, count + 1);
    uint32_t i = 0;
    for (const hk_xml *e = count ? hk_xml_child(list, NULL, "Unit") : NULL; e;
         e = hk_xml_next(e, NULL, "Unit"), i++) {
        const char *name = "";
        HK_TRY(hk_read_attr_text(r, e, "name", &name));
        HK_TRY(hk_read_unit(r, e, &ret_units->uoms[i]));
        if (hk_map_put(&ret_units->by_name, name, i) != i)
            hk_tally_add(twice, e, name);
    }
    ret_units->count = count;
    return HK_OK;
}

void hk_find_unit(const hk_units *units, const hk_xml *e, hk_variable *v, hk_tally *unknown) {
    if (v->unit && !v->unit[0])
        v->unit = NULL;
    if (!v->unit)
        return;
    uint32_t index = hk_map_get(&units->by_name, v->unit);
    if (index == HK_MAP_NONE)
        hk_tally_add(unknown, e, v->name);
    else
        v->uom = units->uoms[index];
}

hk_status hk_read_items(const hk_reader *r, const hk_xml *e, const char *name,
                        const hk_enum **ret_enum) {
    size_t count = 0, i = 0;
    for (const hk_xml *item = hk_xml_child(e, NULL, "Item"); item;
         item = hk_xml_next(item, NULL, "Item"))
        count++;
    const char **names = HK_NEW_ARRAY(r->arena, const char *, count + 1);
    int64_t *values = HK_NEW_ARRAY(r->arena, int64_t, count + 1);
    for (const hk_xml *item = hk_xml_child(e, NULL, "Item"); item;
         item = hk_xml_next(item, NULL, "Item"), i++) {
        values[i] = (int64_t)i + 1;
        HK_TRY(hk_read_attr_text(r, item, "name", &names[i]));
        HK_TRY(hk_read_attr_i64(r, item, "value", &values[i]));
    }
    hk_enum *enumeration = HK_NEW(r->arena, hk_enum);
    *enumeration = (hk_enum){name, names, values, count};
    *ret_enum = enumeration;
    return HK_OK;
}

hk_status hk_read_model_identifier(const hk_reader *r, const hk_xml *e, const char **ret_name) {
    const char *name = "";
    HK_TRY(hk_read_attr_text(r, e, "modelIdentifier", &name));
    if (strchr(name, '/') || name[0] == '.')
        return hk_error(r->ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(r->file, e), NULL,
                        "the modelIdentifier is '%s', expected the name of a library without "
                        "folder",
                        name);
    *ret_name = name;
    return HK_OK;
}

void hk_read_log_categories(hk_fmu *fmu, const hk_xml *list) {
    enum { FAILURE_LOGS = sizeof fmu->failure_logs / sizeof *fmu->failure_logs };
    size_t count = 0;
    for (const hk_xml *e = list ? list->child : NULL; e; e = e->next)
        count++;
    const char **names = HK_NEW_ARRAY(fmu->arena, const char *, count + 1);
    fmu->facts.log_categories = names;
    for (const hk_xml *e = list ? list->child : NULL; e; e = e->next) {
        const char *name = hk_xml_attr_get(e, "name");
        names[fmu->facts.log_category_count++] = name ? name : "";
        if (name && fmu->failure_log_count < FAILURE_LOGS &&
            (strcmp(name, "logStatusError") == 0 || strcmp(name, "logStatusFatal") == 0))
            fmu->failure_logs[fmu->failure_log_count++] = name;
    }
}

static hk_where variable_where(const hk_reader *r, const hk_xml *e, const hk_variable *v) {
    hk_where where = hk_xml_where(r->file, e);
    where.element = hk_arena_printf(r->arena, "%s '%s'", e->name, v->name);
    return where;
}

hk_status hk_read_initial(const hk_reader *r, const hk_xml *e, const hk_initial *choices,
                          size_t count, hk_variable *v, hk_tally *forbidden) {
    static const char *const words[] = {"exact", "approx", "calculated"};
    int initial = -1;
    HK_TRY(hk_read_attr_word(r, e, "initial", words, 3, &initial));
    if (count == 0)
        return hk_error(r->ctx, HK_E_FMI_DESCRIPTION, variable_where(r, e, v), NULL,
                        "'%s' has causality %s and variability %s, which FMI does not allow",
                        v->name, hk_causality_name(v->causality),
                        hk_variability_name(v->variability));
    v->initial = choices[0];
    if (initial < 0)
        return HK_OK;
    if (choices[0] == HK_INITIAL_NONE) {
        hk_tally_add(forbidden, e, v->name);
        return HK_OK;
    }
    hk_initial wanted = (hk_initial)(HK_EXACT + initial);
    for (size_t i = 0; i < count; i++) {
        if (choices[i] == wanted) {
            v->initial = wanted;
            return HK_OK;
        }
    }
    return hk_error(r->ctx, HK_E_FMI_DESCRIPTION, variable_where(r, e, v), NULL,
                    "'%s' has initial=\"%s\", which FMI does not allow for causality %s and "
                    "variability %s",
                    v->name, words[initial], hk_causality_name(v->causality),
                    hk_variability_name(v->variability));
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

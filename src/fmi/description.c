/* SPDX-License-Identifier: MIT */
#include "fmi/description.h"
#include "base/number.h"
#include "base/seconds.h"

#include <math.h>
#include <string.h>

/* A time; one that is not an exact fraction of 64-bit numbers is taken as the decimal that its
 * double prints as. */
static bool parse_time(const hk_reader *r, const hk_xml *e, const char *text, hk_ratio *ret_time) {
    double rounded;
    return hk_seconds_read(r->ctx, hk_xml_where(r->file, e), text, ret_time) ||
           (hk_read_f64(text, strlen(text), &rounded) && hk_seconds_from_double(rounded, ret_time));
}

static bool read_time(const hk_reader *r, const hk_xml *e, const char *name, bool positive,
                      hk_ratio *ret_time) {
    const char *text = hk_xml_attr_get(e, name);
    hk_ratio time;
    if (!text)
        return false;
    bool good = parse_time(r, e, text, &time);
    bool careless = !good && parse_time(r, e, hk_text_number(r->arena, text), &time);
    if (careless)
        hk_fault_add(r, HK_FAULT_SPELLING, e, hk_arena_printf(r->arena, "%s=\"%s\"", name, text));
    if ((good || careless) && (!positive || time.num > 0)) {
        *ret_time = time;
        return true;
    }
    hk_warn(
        r->ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(r->file, e), NULL,
        "DefaultExperiment: the attribute %s is '%s', which is not a time hocket can use; it is "
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
    size_t unread = r->faults[HK_FAULT_VALUE].count;
    hk_read_attr_f64(r, e, "tolerance", &ret_defaults->tolerance);
    ret_defaults->has_tolerance = ret_defaults->tolerance > 0;
    if (tolerance && !ret_defaults->has_tolerance && r->faults[HK_FAULT_VALUE].count == unread)
        hk_warn(r->ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(r->file, e), NULL,
                "DefaultExperiment: the tolerance is '%s', expected a positive number; it is left "
                "out",
                tolerance);
}

void hk_read_stamp(const hk_reader *r, const hk_xml *e, const char *name, hk_stamp *ret_stamp) {
    static const char *const words[] = {[HK_STAMP_END] = "end", [HK_STAMP_START] = "start"};
    int stamp = (int)*ret_stamp;
    if (e)
        hk_read_attr_word(r, e, name, words, 2, &stamp);
    *ret_stamp = (hk_stamp)stamp;
}

static bool has_range(hk_type type) {
    return type != HK_TYPE_BOOL && type != HK_TYPE_STRING && type != HK_TYPE_BINARY &&
           type != HK_TYPE_CLOCK;
}

void hk_read_pulses(const hk_reader *r, const hk_xml *e, const char *name, hk_info *info) {
    static const char blanks[] = " \t\r\n";
    const char *text = e ? hk_xml_attr_get(e, name) : NULL;
    if (!text)
        return;
    for (const char *at = text + strspn(text, blanks); *at; at += strspn(at, blanks)) {
        size_t length = strcspn(at, blanks);
        const char *own = hk_arena_strndup(r->arena, at, length);
        uint32_t i = hk_info_find(info, own);
        hk_variable *v = i == HK_MAP_NONE ? NULL : &info->variables[i];
        if (v && v->causality == HK_OUTPUT && (has_range(v->type) || v->type == HK_TYPE_BOOL))
            v->pulse = true;
        else
            hk_fault_add(r, HK_FAULT_PULSE, e, own);
        at += length;
    }
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

/* ---- units and types ---- */

const hk_uom *hk_read_unit(const hk_reader *r, const hk_xml *e) {
    const hk_xml *base = hk_xml_child(e, NULL, "BaseUnit");
    if (!base)
        return NULL;
    hk_uom *uom = HK_NEW(r->arena, hk_uom);
    bool fits = true;
    uom->factor = 1;
    uom->name = hk_xml_attr_get(e, "name");
    for (size_t i = 0; i < HK_BASE_UNITS; i++) {
        int64_t exponent = 0;
        hk_read_attr_i64(r, base, hk_base_unit_names[i], &exponent);
        fits = fits && exponent >= INT8_MIN && exponent <= INT8_MAX;
        uom->exponent[i] = fits ? (int8_t)exponent : 0;
    }
    hk_read_attr_f64(r, base, "factor", &uom->factor);
    hk_read_attr_f64(r, base, "offset", &uom->offset);
    if (fits && isfinite(uom->factor) && fabs(uom->factor) > 0 && isfinite(uom->offset))
        return uom;
    hk_fault_add(r, HK_FAULT_UNIT, base, uom->name);
    return NULL;
}

void hk_read_units(const hk_reader *r, const hk_xml *list, hk_units *ret_units) {
    size_t count = 0;
    for (const hk_xml *e = list ? hk_xml_child(list, NULL, "Unit") : NULL; e;
         e = hk_xml_next(e, NULL, "Unit"))
        count++;
    ret_units->uoms = HK_NEW_ARRAY(r->arena, const hk_uom *, count + 1);
    uint32_t i = 0;
    for (const hk_xml *e = count ? hk_xml_child(list, NULL, "Unit") : NULL; e;
         e = hk_xml_next(e, NULL, "Unit"), i++) {
        const char *name = hk_read_attr_text(r, e, "name");
        ret_units->uoms[i] = hk_read_unit(r, e);
        if (name && hk_map_put(&ret_units->by_name, name, i) != i)
            hk_fault_add(r, HK_FAULT_TWICE, e, name);
    }
    ret_units->count = count;
}

void hk_find_unit(const hk_reader *r, const hk_units *units, const hk_xml *e, hk_variable *v) {
    if (v->unit && !v->unit[0])
        v->unit = NULL;
    if (!v->unit)
        return;
    uint32_t index = hk_map_get(&units->by_name, v->unit);
    if (index == HK_MAP_NONE)
        hk_fault_add(r, HK_FAULT_UNKNOWN_UNIT, e, v->name);
    else
        v->uom = units->uoms[index];
}

const hk_enum *hk_read_items(const hk_reader *r, const hk_xml *e, const char *name) {
    size_t count = 0, i = 0;
    for (const hk_xml *item = hk_xml_child(e, NULL, "Item"); item;
         item = hk_xml_next(item, NULL, "Item"))
        count++;
    const char **names = HK_NEW_ARRAY(r->arena, const char *, count + 1);
    int64_t *values = HK_NEW_ARRAY(r->arena, int64_t, count + 1);
    for (const hk_xml *item = hk_xml_child(e, NULL, "Item"); item;
         item = hk_xml_next(item, NULL, "Item"), i++) {
        const char *own = hk_read_attr_text(r, item, "name");
        names[i] = own ? own : "";
        values[i] = (int64_t)i + 1;
        hk_read_attr_i64(r, item, "value", &values[i]);
    }
    hk_enum *enumeration = HK_NEW(r->arena, hk_enum);
    *enumeration = (hk_enum){name, names, values, count};
    return enumeration;
}

const hk_declared_type *hk_find_declared(const hk_declared_types *types, const hk_xml *e,
                                         hk_type type) {
    const char *name = hk_xml_attr_get(e, "declaredType");
    uint32_t index = name ? hk_map_get(&types->by_name, name) : HK_MAP_NONE;
    return index == HK_MAP_NONE || types->all[index].type != type ? NULL : &types->all[index];
}

const hk_xml *hk_declared_holder(const hk_xml *e, const hk_declared_type *type, const char *attr) {
    return hk_xml_attr_get(e, attr) || !type ? e : type->element;
}

bool hk_is_float(hk_type type) {
    return type == HK_TYPE_F64 || type == HK_TYPE_F32;
}

void hk_read_range(const hk_reader *r, const hk_declared_types *types, const hk_xml *e,
                   const hk_xml *value, hk_variable *v) {
    const hk_declared_type *type = hk_find_declared(types, value, v->type);
    if (!type && (hk_xml_attr_get(value, "declaredType") || v->type == HK_TYPE_ENUM))
        hk_fault_add(r, HK_FAULT_UNKNOWN_TYPE, e, v->name);
    v->count = 1;
    v->min = v->max = v->nominal = (double)NAN;
    v->declared_type = type ? type->name : NULL;
    v->enumeration = type ? type->enumeration : NULL;
    v->quantity = hk_xml_attr_get(hk_declared_holder(value, type, "quantity"), "quantity");
    if (!has_range(v->type))
        return;
    hk_read_attr_f64(r, hk_declared_holder(value, type, "min"), "min", &v->min);
    hk_read_attr_f64(r, hk_declared_holder(value, type, "max"), "max", &v->max);
    if (!hk_is_float(v->type))
        return;
    hk_read_attr_f64(r, hk_declared_holder(value, type, "nominal"), "nominal", &v->nominal);
    hk_read_attr_bool(r, hk_declared_holder(value, type, "relativeQuantity"), "relativeQuantity",
                      &v->relative);
    v->display_unit =
        hk_xml_attr_get(hk_declared_holder(value, type, "displayUnit"), "displayUnit");
    v->unit = hk_xml_attr_get(hk_declared_holder(value, type, "unit"), "unit");
}

/* ---- the root ---- */

const char *hk_read_model_identifier(const hk_reader *r, const hk_xml *e) {
    const char *name = hk_read_attr_text(r, e, "modelIdentifier");
    if (!name)
        return NULL;
    if (!strchr(name, '/') && name[0] != '.')
        return name;
    hk_fault_add(r, HK_FAULT_IDENTIFIER, e, hk_arena_printf(r->arena, "%.60s", name));
    return NULL;
}

void hk_read_about(const hk_reader *r, const hk_xml *root, const char *token, hk_fmu *fmu) {
    hk_fmu_facts *facts = &fmu->facts;
    fmu->info.name = hk_xml_attr_get(root, "modelName");
    fmu->info.description = hk_xml_attr_get(root, "description");
    fmu->info.stamp = HK_STAMP_END;
    facts->guid = hk_xml_attr_get(root, token);
    facts->model_version = hk_xml_attr_get(root, "version");
    facts->author = hk_xml_attr_get(root, "author");
    facts->copyright = hk_xml_attr_get(root, "copyright");
    facts->license = hk_xml_attr_get(root, "license");
    facts->generation_tool = hk_xml_attr_get(root, "generationTool");
    facts->generation_date = hk_xml_attr_get(root, "generationDateAndTime");
    facts->naming_convention = hk_xml_attr_get(root, "variableNamingConvention");
    if (!facts->naming_convention)
        facts->naming_convention = "flat";
    fmu->info.tool = facts->generation_tool;
    if (!facts->guid || !facts->guid[0]) {
        hk_fault_add(r, HK_FAULT_NO_TOKEN, root, token);
        facts->guid = "";
    }
}

void hk_name_model(const hk_reader *r, const hk_xml *root, hk_fmu *fmu) {
    if (fmu->info.name && fmu->info.name[0])
        return;
    hk_fault_add(r, HK_FAULT_NO_NAME, root, "modelName");
    fmu->info.name = fmu->facts.model_identifier ? fmu->facts.model_identifier : "(no name)";
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

/* ---- variables ---- */

void hk_read_identity(const hk_reader *r, const hk_xml *e, hk_variable *v) {
    const char *name = hk_xml_attr_get(e, "name"), *ref = hk_xml_attr_get(e, "valueReference");
    size_t before = r->faults[HK_FAULT_VALUE].count;
    v->name = name ? name : "";
    v->line = e->line;
    v->column = e->column;
    v->description = hk_xml_attr_get(e, "description");
    hk_read_attr_u32(r, e, "valueReference", &v->ref);
    if (*v->name && ref && r->faults[HK_FAULT_VALUE].count == before)
        return;
    v->unusable = "it has no name or no value reference";
    hk_fault_add(r, HK_FAULT_NO_REFERENCE, e, v->name);
}

/* A name that occurs twice: the same variable, or nobody knows which. */
static void judge_twins(const hk_reader *r, hk_variable *first, hk_variable *second,
                        const hk_xml *element) {
    bool same = first->store == second->store && first->type == second->type &&
                first->ref == second->ref && first->negated == second->negated;
    const char *why = hk_arena_printf(r->arena, "it is declared twice, in lines %d and %d",
                                      first->line, second->line);
    hk_fault_add(r, same ? HK_FAULT_SAME_VARIABLE : HK_FAULT_AMBIGUOUS, element, second->name);
    second->unusable = why;
    if (!same)
        first->unusable = why;
}

void hk_name_variables(const hk_reader *r, hk_info *info, const hk_xml *const *elements) {
    hk_map firsts = {0};
    for (uint32_t i = 0; i < info->variable_count; i++) {
        hk_variable *v = &info->variables[i];
        if (!*v->name)
            continue;
        uint32_t first = hk_map_put(&firsts, v->name, i);
        if (first != i)
            judge_twins(r, &info->variables[first], v, elements[i]);
    }
    bool all = true;
    for (uint32_t i = 0; i < info->variable_count; i++)
        all = all && !info->variables[i].unusable;
    if (all) {
        info->by_name = firsts;
        return;
    }
    for (uint32_t i = 0; i < info->variable_count; i++)
        if (!info->variables[i].unusable)
            hk_map_put(&info->by_name, info->variables[i].name, i);
    hk_map_finish(&firsts);
}

/* What a combination that FMI does not allow means at the start. */
static hk_initial initial_meant(hk_causality causality) {
    switch (causality) {
    case HK_PARAMETER:
    case HK_STRUCTURAL_PARAMETER:
        return HK_EXACT;
    case HK_INPUT:
    case HK_INDEPENDENT:
        return HK_INITIAL_NONE;
    default:
        return HK_CALCULATED;
    }
}

void hk_read_initial(const hk_reader *r, const hk_xml *e, const hk_initial *choices, size_t count,
                     hk_variable *v) {
    static const char *const words[] = {"exact", "approx", "calculated"};
    int initial = -1;
    hk_read_attr_word(r, e, "initial", words, 3, &initial);
    if (count == 0) {
        bool contradiction = v->causality == HK_INPUT && v->variability == HK_CONSTANT;
        hk_fault_add(r, contradiction ? HK_FAULT_CONTRADICTION : HK_FAULT_COMBINATION, e, v->name);
        if (contradiction)
            v->unusable = "it is an input and constant, which contradict each other";
        v->initial = initial_meant(v->causality);
        return;
    }
    v->initial = choices[0];
    if (initial < 0)
        return;
    if (choices[0] == HK_INITIAL_NONE) {
        hk_fault_add(r, HK_FAULT_FORBIDDEN_INITIAL, e, v->name);
        return;
    }
    hk_initial wanted = (hk_initial)(HK_EXACT + initial);
    for (size_t i = 0; i < count; i++) {
        if (choices[i] == wanted) {
            v->initial = wanted;
            return;
        }
    }
    hk_fault_add(r, HK_FAULT_INITIAL, e, v->name);
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

/* SPDX-License-Identifier: MIT
 *
 * Rules about the description as a whole, its units and its types. */
#include "check/lint.h"

#include "base/number.h"

#include <string.h>

static const char *const interfaces[] = {"ModelExchange", "CoSimulation", "ScheduledExecution"};
enum { INTERFACES = 3 };

const hk_xml *hk_lint_interface(const hk_lint *lint, const char *name) {
    return lint->version > 1 ? hk_xml_child(lint->root, NULL, name) : NULL;
}

const char *hk_lint_identifier(const hk_lint *lint, size_t index) {
    if (lint->version == 1)
        return index ? NULL : hk_xml_attr_get(lint->root, "modelIdentifier");
    if (index >= INTERFACES)
        return NULL;
    const hk_xml *e = hk_lint_interface(lint, interfaces[index]);
    return e ? hk_xml_attr_get(e, "modelIdentifier") : NULL;
}

static bool is_c_name(const char *text) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char all[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return *text && strchr(letters, *text) && !text[strspn(text, all)];
}

static void check_identifier(hk_lint *lint, const hk_xml *e) {
    const char *id = hk_xml_attr_get(e, "modelIdentifier");
    if (id && !is_c_name(id))
        hk_lint_add(lint, HK_RULE_IDENTIFIER, e, "use letters, digits and '_'",
                    "modelIdentifier=\"%.60s\" is not an identifier of the language C", id);
}

static void check_interface(hk_lint *lint, const hk_xml *e) {
    double step;
    bool two = lint->version == 2;
    check_identifier(lint, e);
    if (hk_lint_bool(e, two ? "canSerializeFMUstate" : "canSerializeFMUState") &&
        !hk_lint_bool(e, two ? "canGetAndSetFMUstate" : "canGetAndSetFMUState"))
        hk_lint_add(lint, HK_RULE_SERIALIZE_STATE, e, NULL,
                    "the FMU serializes its state but cannot get and set it");
    if (hk_lint_bool(e, "canReturnEarlyAfterIntermediateUpdate") &&
        !hk_lint_bool(e, "providesIntermediateUpdate"))
        hk_lint_add(lint, HK_RULE_EARLY_RETURN, e, NULL,
                    "canReturnEarlyAfterIntermediateUpdate without providesIntermediateUpdate");
    if (hk_lint_f64(e, "fixedInternalStepSize", &step) && !(step > 0))
        hk_lint_add(lint, HK_RULE_FIXED_STEP, e, NULL, "fixedInternalStepSize is not above 0");
}

static void check_interfaces(hk_lint *lint) {
    if (lint->version == 1) {
        check_identifier(lint, lint->root);
        return;
    }
    size_t count = 0;
    for (size_t i = 0; i < INTERFACES; i++) {
        size_t here = 0;
        for (const hk_xml *e = hk_lint_interface(lint, interfaces[i]); e;
             e = hk_xml_next(e, NULL, interfaces[i])) {
            if (here++ && lint->version == 2)
                hk_lint_add(lint, HK_RULE_INTERFACE_TWICE, e, NULL,
                            "the element occurs here twice");
            check_interface(lint, e);
        }
        count += here;
    }
    if (!count)
        hk_lint_add(lint, HK_RULE_INTERFACE_MISSING, lint->root, NULL,
                    "no interface type is described: there is neither ModelExchange nor "
                    "CoSimulation%s",
                    lint->version == 3 ? " nor ScheduledExecution" : "");
}

static void check_experiment(hk_lint *lint) {
    const hk_xml *e = hk_xml_child(lint->root, NULL, "DefaultExperiment");
    double start = 0, stop, x;
    if (!e)
        return;
    (void)hk_lint_f64(e, "startTime", &start);
    if (hk_lint_f64(e, "stopTime", &stop) && !(start < stop))
        hk_lint_add(lint, HK_RULE_EXPERIMENT_TIMES, e, NULL, "stopTime is not after startTime");
    if (hk_lint_f64(e, "stepSize", &x) && !(x > 0))
        hk_lint_add(lint, HK_RULE_EXPERIMENT_STEP, e, NULL, "stepSize is not above 0");
    if (hk_lint_f64(e, "tolerance", &x) && !(x > 0))
        hk_lint_add(lint, HK_RULE_EXPERIMENT_TOLERANCE, e, NULL, "tolerance is not above 0");
}

/* Reports children of LIST that have the same text in attribute KEY. */
static void check_unique(hk_lint *lint, hk_rule rule, const hk_xml *list, const char *child_name,
                         const char *key) {
    hk_map seen = {0};
    for (const hk_xml *e = list ? list->child : NULL; e; e = e->next) {
        const char *name = hk_xml_attr_get(e, key);
        if (!name || (child_name && strcmp(e->name, child_name) != 0))
            continue;
        uint32_t before = hk_map_get(&seen, name);
        if (!*name)
            hk_lint_add(lint, HK_RULE_NAME_EMPTY, e, NULL, "the attribute '%s' is empty", key);
        else if (before != HK_MAP_NONE)
            hk_lint_add(lint, rule, e, NULL, "%s=\"%.100s\" is in line %u, too", key, name, before);
        else
            hk_map_put(&seen, name, (uint32_t)e->line);
    }
    hk_map_finish(&seen);
}

static bool is_zulu(const char *text) {
    static const char form[] = "0000-00-00T00:00:00Z";
    if (strlen(text) != sizeof form - 1)
        return false;
    for (size_t i = 0; text[i]; i++)
        if (form[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
            return false;
    return true;
}

void hk_lint_root(hk_lint *lint) {
    const hk_xml *root = lint->root;
    const char *key = lint->version == 3 ? "instantiationToken" : "guid";
    const char *token = hk_xml_attr_get(root, key), *name = hk_xml_attr_get(root, "modelName");
    const char *date = hk_xml_attr_get(root, "generationDateAndTime");
    if (token && !*token)
        hk_lint_add(lint, HK_RULE_TOKEN_EMPTY, root, NULL, "the attribute '%s' is empty", key);
    if (name && !*name)
        hk_lint_add(lint, HK_RULE_NAME_EMPTY, root, NULL, "the attribute 'modelName' is empty");
    if (date && !is_zulu(date))
        hk_lint_add(lint, HK_RULE_DATE_ZULU, root, "write it as in 2026-01-31T12:00:00Z",
                    "generationDateAndTime=\"%.40s\" does not have the form YYYY-MM-DDThh:mm:ssZ",
                    date);
    check_interfaces(lint);
    check_experiment(lint);
    check_unique(lint, HK_RULE_LOG_UNIQUE, hk_xml_child(root, NULL, "LogCategories"), "Category",
                 "name");
}

static void check_unit(hk_lint *lint, const hk_xml *unit) {
    bool one = lint->version == 1;
    const char *child_name = one ? "DisplayUnitDefinition" : "DisplayUnit";
    double x, offset;
    check_unique(lint, HK_RULE_UNIT_UNIQUE, unit, child_name, one ? "displayUnit" : "name");
    for (const hk_xml *e = unit->child; e; e = e->next) {
        if (hk_lint_f64(e, one ? "gain" : "factor", &x) && x == 0)
            hk_lint_add(lint, HK_RULE_UNIT_FACTOR, e, NULL, "%s of the unit is 0",
                        one ? "gain" : "factor");
        if (hk_lint_bool(e, "inverse") && hk_lint_f64(e, "offset", &offset) && offset != 0)
            hk_lint_add(lint, HK_RULE_UNIT_INVERSE, e, NULL, "an inverse unit has an offset");
    }
}

static void check_range(hk_lint *lint, const hk_xml *e) {
    double min, max, nominal;
    if (hk_lint_f64(e, "min", &min) && hk_lint_f64(e, "max", &max) && min > max)
        hk_lint_add(lint, HK_RULE_MIN_MAX, e, NULL, "min is above max");
    if (hk_lint_f64(e, "nominal", &nominal) && !(nominal > 0))
        hk_lint_add(lint, HK_RULE_NOMINAL, e, NULL, "nominal is not above 0");
}

/* Is DISPLAY a display unit of UNIT? */
static bool has_display(const hk_lint *lint, uint32_t unit, const char *display) {
    const hk_xml *e = hk_xml_child(lint->unit_elements[unit], NULL, "DisplayUnit");
    for (; e; e = hk_xml_next(e, NULL, "DisplayUnit")) {
        const char *name = hk_xml_attr_get(e, "name");
        if (name && strcmp(name, display) == 0)
            return true;
    }
    return false;
}

static void check_unit_use(hk_lint *lint, const hk_xml *place, const char *unit,
                           const char *display) {
    uint32_t index = unit ? hk_map_get(&lint->units, unit) : HK_MAP_NONE;
    if (unit && index == HK_MAP_NONE)
        hk_lint_add(lint, HK_RULE_UNIT_UNDEFINED, place, "add it to UnitDefinitions",
                    "the unit '%.60s' is not defined", unit);
    if (display && !unit)
        hk_lint_add(lint, HK_RULE_DISPLAY_ALONE, place, NULL,
                    "the display unit '%.60s' is given without a unit", display);
    else if (display && index != HK_MAP_NONE && !has_display(lint, index, display))
        hk_lint_add(lint, HK_RULE_DISPLAY_UNDEFINED, place, NULL,
                    "the display unit '%.60s' is not defined for the unit '%.60s'", display, unit);
}

void hk_lint_units(hk_lint *lint, const hk_lint_variable *v) {
    const char *unit = hk_lint_attr(v, "unit");
    if (!hk_lint_is_float(v->type))
        return;
    check_unit_use(lint, v->element, unit, hk_xml_attr_get(v->type_element, "displayUnit"));
    for (const hk_xml *alias = lint->version == 3 ? v->element->child : NULL; alias;
         alias = alias->next) {
        const char *display = hk_xml_attr_get(alias, "displayUnit");
        if (display)
            check_unit_use(lint, alias, unit, display);
    }
}

static void check_items(hk_lint *lint, const hk_xml *type) {
    hk_map values = {0};
    check_unique(lint, HK_RULE_ITEM_UNIQUE, type, "Item", "name");
    for (const hk_xml *item = hk_xml_child(type, NULL, "Item"); item;
         item = hk_xml_next(item, NULL, "Item")) {
        int64_t value;
        if (!hk_lint_i64(item, "value", &value))
            continue;
        char text[HK_NUMBER_MAX];
        const char *key = hk_arena_strndup(lint->arena, text, hk_write_i64(value, text));
        if (hk_map_get(&values, key) != HK_MAP_NONE)
            hk_lint_add(lint, HK_RULE_ITEM_UNIQUE, item, NULL, "another item has the value %s",
                        key);
        hk_map_put(&values, key, 0);
    }
    hk_map_finish(&values);
}

void hk_lint_definitions(hk_lint *lint) {
    check_unique(lint, HK_RULE_UNIT_UNIQUE, hk_xml_child(lint->root, NULL, "UnitDefinitions"), NULL,
                 lint->version == 1 ? "unit" : "name");
    check_unique(lint, HK_RULE_TYPE_UNIQUE, hk_xml_child(lint->root, NULL, "TypeDefinitions"), NULL,
                 "name");
    for (size_t i = 0; i < lint->unit_count; i++)
        check_unit(lint, lint->unit_elements[i]);
    for (size_t i = 0; i < lint->type_count; i++) {
        const hk_xml *e = lint->type_elements[i];
        const hk_xml *facts = lint->version == 3 ? e : e->child;
        const char *name = hk_xml_attr_get(e, "name");
        if (lint->version > 1 && hk_map_get(&lint->by_name, name) != HK_MAP_NONE)
            hk_lint_add(lint, HK_RULE_TYPE_VARIABLE, e, NULL, "a variable has the same name");
        if (!facts)
            continue;
        check_range(lint, facts);
        check_items(lint, facts);
        if (lint->version > 1)
            check_unit_use(lint, e, hk_xml_attr_get(facts, "unit"),
                           hk_xml_attr_get(facts, "displayUnit"));
    }
}

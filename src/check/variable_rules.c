/* SPDX-License-Identifier: MIT
 *
 * Rules about variables that the versions share. */
#include "check/lint.h"

#include "base/number.h"

#include <string.h>

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* 'quoted name' with the escapes of C. */
static const char *skip_quoted(const char *p) {
    if (*p != '\'' || p[1] == '\'')
        return NULL;
    for (p++; *p && *p != '\''; p++) {
        if (*p == '\\') {
            p++;
            if (!*p || !strchr("'\"?\\abfnrtv", *p))
                return NULL;
        } else if ((unsigned char)*p >= 0x80 || (unsigned char)*p < ' ' || strchr("\"`", *p)) {
            return NULL;
        }
    }
    return *p ? p + 1 : NULL;
}

/* name or 'name'; NULL: neither. */
static const char *skip_name(const char *p) {
    if (*p == '\'')
        return skip_quoted(p);
    if (!is_letter(*p))
        return NULL;
    while (is_letter(*p) || is_digit(*p))
        p++;
    return p;
}

/* [1,2], from the bracket on; NULL: it is not that. */
static const char *skip_indices(const char *p) {
    do {
        p++;
        if (!is_digit(*p))
            return NULL;
        while (is_digit(*p))
            p++;
    } while (*p == ',');
    return *p == ']' ? p + 1 : NULL;
}

/* A name, then perhaps indices; then perhaps a dot and so on. */
static const char *skip_identifier(const char *p) {
    for (;; p++) {
        p = skip_name(p);
        if (p && *p == '[')
            p = skip_indices(p);
        if (!p || *p != '.')
            return p;
    }
}

static bool is_structured(const char *name) {
    if (strncmp(name, "der(", 4) != 0) {
        const char *end = skip_identifier(name);
        return end && !*end;
    }
    const char *p = skip_identifier(name + 4);
    if (p && *p == ',') {
        p++;
        if (!is_digit(*p))
            return false;
        while (is_digit(*p))
            p++;
    }
    return p && p[0] == ')' && !p[1];
}

static void check_name(hk_lint *lint, hk_map *names, const hk_xml *e, bool structured) {
    const char *name = hk_xml_attr_get(e, "name");
    if (!name)
        return;
    uint32_t before = hk_map_get(names, name);
    if (!*name)
        hk_lint_add(lint, HK_RULE_NAME_EMPTY, e, NULL, "the name is empty");
    else if (before != HK_MAP_NONE)
        hk_lint_add(lint, HK_RULE_VARIABLE_UNIQUE, e, NULL, "the name '%.100s' is in line %u, too",
                    name, before);
    else
        hk_map_put(names, name, (uint32_t)e->line);
    if (lint->version > 1 && name[strcspn(name, "\t\r\n")])
        hk_lint_add(lint, HK_RULE_NAME_FLAT, e, NULL, "the name holds a line break or tabulator");
    if (structured && *name && !is_structured(name))
        hk_lint_add(lint, HK_RULE_NAME_STRUCTURED, e,
                    "correct the name, or set variableNamingConvention=\"flat\"",
                    "the name does not obey the naming convention 'structured'");
}

void hk_lint_names(hk_lint *lint) {
    const char *convention = hk_xml_attr_get(lint->root, "variableNamingConvention");
    bool structured = convention && strcmp(convention, "structured") == 0;
    hk_map names = {0};
    for (size_t i = 0; i < lint->variable_count; i++) {
        const hk_xml *e = lint->variables[i].element;
        check_name(lint, &names, e, structured);
        if (lint->version == 3)
            for (const hk_xml *a = hk_xml_child(e, NULL, "Alias"); a;
                 a = hk_xml_next(a, NULL, "Alias"))
                check_name(lint, &names, a, structured);
    }
    hk_map_finish(&names);
}

static bool attr_f64(const hk_lint_variable *v, const char *name, double *ret_value) {
    const char *text = hk_lint_attr(v, name);
    return text && hk_read_f64(text, strlen(text), ret_value);
}

static bool is_item(const hk_lint *lint, const hk_xml *type, int64_t value) {
    int64_t position = 0, own;
    for (const hk_xml *item = hk_xml_child(type, NULL, "Item"); item;
         item = hk_xml_next(item, NULL, "Item")) {
        position++; /* 1.0: items have no values but positions */
        if (lint->version == 1 ? position == value
                               : hk_lint_i64(item, "value", &own) && own == value)
            return true;
    }
    return false;
}

/* Each of the start values: 1.0 and 2.0 have one. */
static void check_start(hk_lint *lint, const hk_lint_variable *v, bool has_min, double min,
                        bool has_max, double max) {
    const char *text = hk_xml_attr_get(v->type_element, "start");
    size_t length;
    for (const char *word; text && (word = hk_lint_word(&text, &length));) {
        double value;
        int64_t item;
        if (!hk_read_f64(word, length, &value))
            return;
        if ((has_min && value < min) || (has_max && value > max)) {
            hk_lint_add(lint, HK_RULE_START_RANGE, v->element, NULL, "the start value %.*s is %s",
                        (int)(length > 40 ? 40 : length), word,
                        has_min && value < min ? "below min" : "above max");
            return;
        }
        if (v->type == HK_TYPE_ENUM && v->declared && hk_read_i64(word, length, &item) &&
            !is_item(lint, v->declared, item)) {
            hk_lint_add(lint, HK_RULE_START_ITEM, v->element, NULL,
                        "the start value %.*s is not an item of the enumeration",
                        (int)(length > 40 ? 40 : length), word);
            return;
        }
    }
}

void hk_lint_ranges(hk_lint *lint, const hk_lint_variable *v) {
    double min = 0, max = 0, nominal;
    if (v->type == HK_TYPE_STRING || v->type == HK_TYPE_BINARY || v->type == HK_TYPE_BOOL ||
        v->type == HK_TYPE_CLOCK || v->type == HK_TYPE_COUNT)
        return;
    bool has_min = attr_f64(v, "min", &min), has_max = attr_f64(v, "max", &max);
    if (has_min && has_max && min > max)
        hk_lint_add(lint, HK_RULE_MIN_MAX, v->element, NULL, "min is above max");
    else
        check_start(lint, v, has_min, min, has_max, max);
    if (hk_lint_is_float(v->type) && hk_lint_f64(v->type_element, "nominal", &nominal) &&
        !(nominal > 0))
        hk_lint_add(lint, HK_RULE_NOMINAL, v->element, NULL, "nominal is not above 0");
}

void hk_lint_declared(hk_lint *lint, const hk_lint_variable *v) {
    const char *name = hk_xml_attr_get(v->type_element, "declaredType");
    if (!name)
        return;
    if (hk_map_get(&lint->types, name) == HK_MAP_NONE)
        hk_lint_add(lint, HK_RULE_TYPE_MISSING, v->element, "add it to TypeDefinitions",
                    "the declared type '%.60s' is not defined", name);
    else if (v->declared && v->type != HK_TYPE_COUNT && hk_lint_type(v->declared->name) != v->type)
        hk_lint_add(lint, HK_RULE_TYPE_KIND, v->element, NULL,
                    "the variable is %s, its declared type '%.60s' is %s", v->type_element->name,
                    name, v->declared->name);
}

/* True if the combination of causality and variability is one that CHOICES stand for. */
static size_t choices_of(const hk_lint *lint, const hk_lint_variable *v,
                         const hk_initial **ret_choices) {
    static const hk_initial exact[] = {HK_EXACT};
    size_t count = hk_initial_choices(v->causality, v->variability, ret_choices);
    if (count && lint->version == 3 && v->causality == HK_INPUT)
        *ret_choices = exact;
    return count;
}

static void check_initial(hk_lint *lint, const hk_lint_variable *v, const hk_initial *choices,
                          size_t count) {
    const char *text = hk_xml_attr_get(v->element, "initial");
    bool allowed = !text;
    for (size_t i = 0; i < count; i++)
        allowed = allowed || choices[i] == v->initial;
    if (!allowed && !v->bad_initial)
        hk_lint_add(lint, HK_RULE_INITIAL, v->element, NULL,
                    "initial=\"%s\" is not possible for causality %s and variability %s", text,
                    hk_causality_name(v->causality), hk_variability_name(v->variability));
}

void hk_lint_initials(hk_lint *lint, const hk_lint_variable *v) {
    const hk_initial *choices = NULL;
    bool known = v->causality < HK_CAUSALITY_COUNT && v->variability < HK_VARIABILITY_COUNT;
    if (v->variability == HK_CONTINUOUS && !hk_lint_is_float(v->type) && v->type != HK_TYPE_COUNT) {
        bool given = hk_xml_attr_get(v->element, "variability") != NULL;
        hk_lint_add(lint, HK_RULE_CONTINUOUS_TYPE, v->element, "set variability=\"discrete\"",
                    given ? "a variable of type %s cannot be continuous"
                          : "a variable of type %s needs the attribute 'variability': without it, "
                            "it is continuous",
                    v->type_element->name);
    } else if (known && lint->version > 1) {
        size_t count = choices_of(lint, v, &choices);
        if (!count)
            hk_lint_add(lint, HK_RULE_COMBINATION, v->element, NULL,
                        "causality %s and variability %s do not fit",
                        hk_causality_name(v->causality), hk_variability_name(v->variability));
        else if (v->type != HK_TYPE_CLOCK)
            check_initial(lint, v, choices, count);
    }
    if (!known || v->bad_initial || lint->version < 2 || v->type == HK_TYPE_CLOCK)
        return;
    if (!v->has_start &&
        (v->causality == HK_INPUT || v->initial == HK_EXACT || v->initial == HK_APPROX))
        hk_lint_add(lint, HK_RULE_START_MISSING, v->element, NULL, "the start value is missing");
    if (v->has_start && (v->initial == HK_CALCULATED || v->causality == HK_INDEPENDENT))
        hk_lint_add(lint, HK_RULE_START_FORBIDDEN, v->element, "leave the start value out",
                    "a variable that is %s has no start value",
                    v->causality == HK_INDEPENDENT ? "independent" : "calculated");
}

void hk_lint_derivatives(hk_lint *lint, const hk_lint_variable *v) {
    const char *text = hk_xml_attr_get(v->type_element, "derivative");
    const hk_lint_variable *of =
        v->derivative != HK_MAP_NONE ? &lint->variables[v->derivative] : NULL;
    if (text && !of)
        hk_lint_add(lint, HK_RULE_DERIVATIVE, v->element, NULL,
                    "derivative=\"%.40s\" names no variable", text);
    else if (of == v)
        hk_lint_add(lint, HK_RULE_DERIVATIVE, v->element, NULL,
                    "the variable is its own derivative");
    else if (of && (of->type != v->type || of->variability != HK_CONTINUOUS))
        hk_lint_add(
            lint, HK_RULE_DERIVATIVE, v->element, NULL,
            "it is the derivative of '%.100s', which is not a continuous variable of the same "
            "type",
            of->name);
    if (hk_lint_bool(v->type_element, "reinit") && !v->is_state)
        hk_lint_add(lint, HK_RULE_REINIT, v->element, NULL,
                    "'reinit' is set, but the variable is not a continuous state");
}

void hk_lint_variable_rules(hk_lint *lint, const hk_lint_variable *v) {
    hk_lint_declared(lint, v);
    hk_lint_ranges(lint, v);
    hk_lint_units(lint, v);
    hk_lint_initials(lint, v);
    hk_lint_derivatives(lint, v);
}

bool hk_lint_independent(hk_lint *lint, bool (*is_right)(const hk_lint_variable *v),
                         const char *wrong) {
    const hk_lint_variable *first = NULL;
    for (size_t i = 0; i < lint->variable_count; i++) {
        const hk_lint_variable *v = &lint->variables[i];
        if (v->causality != HK_INDEPENDENT)
            continue;
        if (first)
            hk_lint_add(lint, HK_RULE_INDEPENDENT, v->element, NULL, "'%.100s' is independent, too",
                        first->name);
        else if (!is_right(v))
            hk_lint_add(lint, HK_RULE_INDEPENDENT, v->element, NULL, "%s", wrong);
        first = first ? first : v;
    }
    return first != NULL;
}

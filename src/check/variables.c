/* SPDX-License-Identifier: MIT
 *
 * Units, types and variables of a description of any version, as far as they can be read. */
#include "check/lint.h"

#include "base/number.h"

#include <string.h>

static const struct {
    const char *name;
    hk_type type;
} type_names[] = {
    {"Real", HK_TYPE_F64},         {"Integer", HK_TYPE_I32},   {"Float64", HK_TYPE_F64},
    {"Float32", HK_TYPE_F32},      {"Int8", HK_TYPE_I8},       {"UInt8", HK_TYPE_U8},
    {"Int16", HK_TYPE_I16},        {"UInt16", HK_TYPE_U16},    {"Int32", HK_TYPE_I32},
    {"UInt32", HK_TYPE_U32},       {"Int64", HK_TYPE_I64},     {"UInt64", HK_TYPE_U64},
    {"Boolean", HK_TYPE_BOOL},     {"String", HK_TYPE_STRING}, {"Binary", HK_TYPE_BINARY},
    {"Enumeration", HK_TYPE_ENUM}, {"Clock", HK_TYPE_CLOCK}};

hk_type hk_lint_type(const char *name) {
    size_t length = strlen(name);
    if (length > 4 && strcmp(name + length - 4, "Type") == 0)
        length -= 4;
    for (size_t i = 0; i < sizeof type_names / sizeof *type_names; i++)
        if (strlen(type_names[i].name) == length && memcmp(type_names[i].name, name, length) == 0)
            return type_names[i].type;
    return HK_TYPE_COUNT;
}

bool hk_lint_is_float(hk_type type) {
    return type == HK_TYPE_F64 || type == HK_TYPE_F32;
}

static const hk_xml *child_of(const hk_xml *e, const char *name) {
    return e ? hk_xml_child(e, NULL, name) : NULL;
}

static size_t count_children(const hk_xml *e) {
    size_t count = 0;
    for (const hk_xml *child = e ? e->child : NULL; child; child = child->next)
        count++;
    return count;
}

/* The children of LIST with a name in attribute KEY, and a map to the first of each name. */
static const hk_xml **read_list(hk_lint *lint, const hk_xml *list, const char *key, hk_map *map,
                                size_t *ret_count) {
    const hk_xml **found = HK_NEW_ARRAY(lint->arena, const hk_xml *, count_children(list) + 1);
    size_t count = 0;
    for (const hk_xml *child = list ? list->child : NULL; child; child = child->next) {
        const char *name = hk_xml_attr_get(child, key);
        if (!name)
            continue;
        hk_map_put(map, name, (uint32_t)count);
        found[count++] = child;
    }
    *ret_count = count;
    return found;
}

static hk_causality causality_of(int version, const char *text) {
    if (!text)
        return HK_LOCAL;
    if (version == 1 && (strcmp(text, "internal") == 0 || strcmp(text, "none") == 0))
        return HK_LOCAL;
    for (int i = 0; i < HK_CAUSALITY_COUNT; i++)
        if (strcmp(text, hk_causality_name((hk_causality)i)) == 0)
            return (hk_causality)i;
    return HK_CAUSALITY_COUNT;
}

static hk_variability variability_of(int version, const hk_lint_variable *v, const char *text) {
    if (text && version == 1 && strcmp(text, "parameter") == 0)
        return HK_FIXED;
    for (int i = 0; text && i < HK_VARIABILITY_COUNT; i++)
        if (strcmp(text, hk_variability_name((hk_variability)i)) == 0)
            return (hk_variability)i;
    if (text)
        return HK_VARIABILITY_COUNT;
    if (version < 3)
        return HK_CONTINUOUS;
    if (v->causality == HK_PARAMETER || v->causality == HK_CALCULATED_PARAMETER ||
        v->causality == HK_STRUCTURAL_PARAMETER)
        return HK_FIXED;
    return hk_lint_is_float(v->type) ? HK_CONTINUOUS : HK_DISCRETE;
}

static void read_initial(int version, hk_lint_variable *v) {
    static const char *const words[] = {"exact", "approx", "calculated"};
    static const hk_initial values[] = {HK_EXACT, HK_APPROX, HK_CALCULATED};
    const char *text = hk_xml_attr_get(v->element, "initial");
    const hk_initial *choices;
    if (!text) {
        if (version == 3 && v->causality == HK_INPUT)
            v->initial = HK_EXACT;
        else if (v->causality < HK_CAUSALITY_COUNT && v->variability < HK_VARIABILITY_COUNT &&
                 hk_initial_choices(v->causality, v->variability, &choices))
            v->initial = choices[0];
        return;
    }
    v->bad_initial = true;
    for (size_t i = 0; i < 3; i++)
        if (strcmp(text, words[i]) == 0) {
            v->initial = values[i];
            v->bad_initial = false;
        }
}

static const hk_xml *find_type(const hk_lint *lint, const char *name) {
    uint32_t index = name ? hk_map_get(&lint->types, name) : HK_MAP_NONE;
    if (index == HK_MAP_NONE)
        return NULL;
    /* 1.0, 2.0: <SimpleType> holds the element with the facts */
    const hk_xml *e = lint->type_elements[index];
    return lint->version == 3 ? e : e->child;
}

static void read_variable(hk_lint *lint, const hk_xml *e, hk_lint_variable *v) {
    const char *name = hk_xml_attr_get(e, "name");
    uint64_t ref;
    *v = (hk_lint_variable){.element = e,
                            .type_element = e,
                            .name = name ? name : "",
                            .type = HK_TYPE_COUNT,
                            .derivative = HK_MAP_NONE,
                            .previous = HK_MAP_NONE};
    for (const hk_xml *child = e->child; child && lint->version < 3; child = child->next)
        if (hk_lint_type(child->name) != HK_TYPE_COUNT) {
            v->type_element = child;
            break;
        }
    v->type = hk_lint_type(v->type_element->name);
    v->has_ref = hk_lint_u64(e, "valueReference", &ref) && ref <= UINT32_MAX;
    v->ref = v->has_ref ? (uint32_t)ref : 0;
    v->causality = causality_of(lint->version, hk_xml_attr_get(e, "causality"));
    v->variability = variability_of(lint->version, v, hk_xml_attr_get(e, "variability"));
    if (lint->version > 1)
        read_initial(lint->version, v);
    v->has_start = hk_xml_attr_get(v->type_element, "start") ||
                   (lint->version == 3 && hk_xml_child(e, NULL, "Start"));
    v->declared = find_type(lint, hk_xml_attr_get(v->type_element, "declaredType"));
}

/* Which variable TEXT (an index from 1, or a value reference of FMI 3.0) names. */
uint32_t hk_lint_lookup(const hk_lint *lint, const char *text, size_t length) {
    uint64_t number;
    if (!hk_read_u64(text, length, &number))
        return HK_MAP_NONE;
    if (lint->version < 3)
        return number >= 1 && number <= lint->variable_count ? (uint32_t)(number - 1) : HK_MAP_NONE;
    char key[HK_NUMBER_MAX + 1];
    key[hk_write_u64(number, key)] = '\0';
    return hk_map_get(&lint->by_ref, key);
}

static uint32_t target(const hk_lint *lint, const hk_lint_variable *v, const char *name) {
    const char *text = hk_xml_attr_get(v->type_element, name);
    return text ? hk_lint_lookup(lint, text, strlen(text)) : HK_MAP_NONE;
}

void hk_lint_read(hk_lint *lint) {
    const hk_xml *root = lint->root;
    lint->unit_elements =
        read_list(lint, child_of(root, "UnitDefinitions"), lint->version == 1 ? "unit" : "name",
                  &lint->units, &lint->unit_count);
    lint->type_elements =
        read_list(lint, child_of(root, "TypeDefinitions"), "name", &lint->types, &lint->type_count);
    const hk_xml *list = child_of(root, "ModelVariables");
    lint->variables = HK_NEW_ARRAY(lint->arena, hk_lint_variable, count_children(list) + 1);
    for (const hk_xml *e = list ? list->child : NULL; e; e = e->next) {
        bool known = lint->version == 3 ? hk_lint_type(e->name) != HK_TYPE_COUNT
                                        : strcmp(e->name, "ScalarVariable") == 0;
        if (!known)
            continue;
        hk_lint_variable *v = &lint->variables[lint->variable_count];
        read_variable(lint, e, v);
        if (*v->name)
            hk_map_put(&lint->by_name, v->name, (uint32_t)lint->variable_count);
        char key[HK_NUMBER_MAX];
        if (v->has_ref && lint->version == 3)
            hk_map_put(&lint->by_ref, hk_arena_strndup(lint->arena, key, hk_write_u64(v->ref, key)),
                       (uint32_t)lint->variable_count);
        lint->variable_count++;
    }
    for (size_t i = 0; i < lint->variable_count && lint->version > 1; i++) {
        hk_lint_variable *v = &lint->variables[i];
        v->derivative = target(lint, v, "derivative");
        v->previous = target(lint, v, "previous");
        if (v->derivative != HK_MAP_NONE)
            lint->variables[v->derivative].is_state = true;
    }
}

const char *hk_lint_attr(const hk_lint_variable *v, const char *name) {
    const char *own = hk_xml_attr_get(v->type_element, name);
    return own || !v->declared ? own : hk_xml_attr_get(v->declared, name);
}

const char *hk_lint_memory(hk_lint *lint, const hk_lint_variable *v) {
    hk_type type = v->type == HK_TYPE_ENUM ? HK_TYPE_I32 : v->type;
    return hk_arena_printf(lint->arena, "%d %u", (int)type, v->ref);
}

/* SPDX-License-Identifier: MIT
 *
 * Rules that only FMI 1.0 has. */
#include "check/lint.h"

#include "base/number.h"

#include <string.h>

static void check_direct(hk_lint *lint, const hk_lint_variable *v) {
    const hk_xml *direct = hk_xml_child(v->element, NULL, "DirectDependency");
    if (!direct)
        return;
    if (v->causality != HK_OUTPUT)
        hk_lint_add(lint, HK_RULE_DIRECT_DEPENDENCY, direct, NULL,
                    "'%.100s' has a DirectDependency but is not an output", v->name);
    for (const hk_xml *name = hk_xml_child(direct, NULL, "Name"); name;
         name = hk_xml_next(name, NULL, "Name")) {
        uint32_t on = hk_map_get(&lint->by_name, name->text);
        if (on == HK_MAP_NONE)
            hk_lint_add(lint, HK_RULE_DIRECT_DEPENDENCY, name, NULL, "'%.100s' names no variable",
                        name->text);
        else if (lint->variables[on].causality != HK_INPUT &&
                 lint->variables[on].causality != HK_CAUSALITY_COUNT)
            hk_lint_add(lint, HK_RULE_DIRECT_DEPENDENCY, name, NULL, "'%.100s' is not an input",
                        name->text);
    }
}

static void check_aliases(hk_lint *lint) {
    hk_map bases = {0};
    for (size_t i = 0; i < lint->variable_count; i++) {
        const hk_lint_variable *v = &lint->variables[i];
        const char *alias = hk_xml_attr_get(v->element, "alias");
        if (!alias || strcmp(alias, "noAlias") == 0)
            hk_map_put(&bases, hk_lint_memory(lint, v), (uint32_t)i);
    }
    for (size_t i = 0; i < lint->variable_count; i++) {
        const hk_lint_variable *v = &lint->variables[i];
        const char *alias = hk_xml_attr_get(v->element, "alias");
        if (!alias || strcmp(alias, "noAlias") == 0 || !v->has_ref)
            continue;
        if (hk_map_get(&bases, hk_lint_memory(lint, v)) == HK_MAP_NONE)
            hk_lint_add(lint, HK_RULE_ALIAS_BASE, v->element, NULL,
                        "the variable is an alias, but no variable that is none has its reference");
        if (strcmp(alias, "negatedAlias") == 0 &&
            (v->type == HK_TYPE_STRING || v->type == HK_TYPE_ENUM))
            hk_lint_add(lint, HK_RULE_ALIAS_NEGATED, v->element, NULL,
                        "a variable of type %s cannot be negated", v->type_element->name);
    }
    hk_map_finish(&bases);
}

void hk_lint_fmi1(hk_lint *lint) {
    for (size_t i = 0; i < lint->variable_count; i++) {
        const hk_lint_variable *v = &lint->variables[i];
        hk_lint_declared(lint, v);
        hk_lint_ranges(lint, v);
        hk_lint_initials(lint, v);
        check_direct(lint, v);
        if (v->has_ref && v->ref == UINT32_MAX)
            hk_lint_add(lint, HK_RULE_REFERENCE_UNDEFINED, v->element, NULL,
                        "the value reference 4294967295 stands for 'undefined'");
        if (hk_xml_attr_get(v->type_element, "fixed") && !v->has_start)
            hk_lint_add(lint, HK_RULE_START_FIXED, v->element, NULL,
                        "'fixed' is given without a start value");
        if (v->causality == HK_INPUT &&
            (v->variability == HK_CONSTANT || v->variability == HK_FIXED))
            hk_lint_add(lint, HK_RULE_COMBINATION, v->element, NULL, "an input cannot be %s",
                        v->variability == HK_CONSTANT ? "constant" : "a parameter");
    }
    check_aliases(lint);
}

/* SPDX-License-Identifier: MIT
 *
 * Rules that only FMI 2.0 has. */
#include "check/lint.h"

#include <string.h>

static bool same_unit(const hk_lint_variable *a, const hk_lint_variable *b) {
    const char *x = hk_lint_attr(a, "unit"), *y = hk_lint_attr(b, "unit");
    return x && y ? strcmp(x, y) == 0 : !x && !y;
}

static void check_aliases(hk_lint *lint) {
    hk_map first = {0}, started = {0};
    for (size_t i = 0; i < lint->variable_count; i++) {
        const hk_lint_variable *v = &lint->variables[i];
        if (!v->has_ref || v->type == HK_TYPE_COUNT)
            continue;
        const char *key = hk_lint_memory(lint, v);
        uint32_t other = hk_map_put(&first, key, (uint32_t)i);
        const hk_lint_variable *base = &lint->variables[other];
        if (base != v && (base->variability == HK_CONSTANT) != (v->variability == HK_CONSTANT))
            hk_lint_add(lint, HK_RULE_ALIAS_CONSTANT, v->element, NULL,
                        "it has the reference of '%.100s', and only one of the two is constant",
                        base->name);
        if (base != v && !same_unit(base, v))
            hk_lint_add(lint, HK_RULE_ALIAS_UNIT, v->element, NULL,
                        "it has the reference of '%.100s' but another unit", base->name);
        if (!v->has_start || v->variability == HK_CONSTANT)
            continue;
        other = hk_map_put(&started, key, (uint32_t)i);
        if (other != i)
            hk_lint_add(lint, HK_RULE_ALIAS_START, v->element, "keep one of the two start values",
                        "it has the reference of '%.100s', and both have a start value",
                        lint->variables[other].name);
    }
    hk_map_finish(&first);
    hk_map_finish(&started);
}

static bool is_real(const hk_lint_variable *v) {
    return hk_lint_is_float(v->type);
}

void hk_lint_fmi2(hk_lint *lint) {
    for (size_t i = 0; i < lint->variable_count; i++) {
        const hk_lint_variable *v = &lint->variables[i];
        hk_lint_variable_rules(lint, v);
        if (hk_xml_attr_get(v->element, "canHandleMultipleSetPerTimeInstant") &&
            v->causality != HK_INPUT)
            hk_lint_add(
                lint, HK_RULE_MULTIPLE_SET, v->element, NULL,
                "canHandleMultipleSetPerTimeInstant is given, but the variable is not an input");
    }
    check_aliases(lint);
    hk_lint_independent(lint, is_real, "the independent variable is of type Real");
    hk_lint_structure(lint);
}

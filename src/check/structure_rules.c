/* SPDX-License-Identifier: MIT
 *
 * Rules about <ModelStructure> of FMI 2.0 and 3.0. */
#include "check/lint.h"

#include "base/number.h"

#include <string.h>

/* The lists: entries that 2.0 keeps in a list of their own are side by side in 3.0. */
typedef enum list {
    OUTPUTS,
    DERIVATIVES,
    CLOCKED_STATES,
    INITIAL_UNKNOWNS,
    EVENT_INDICATORS,
    LISTS
} list;

static const char *const names2[LISTS] = {"Outputs", "Derivatives", NULL, "InitialUnknowns", NULL};
static const char *const names3[LISTS] = {"Output", "ContinuousStateDerivative", "ClockedState",
                                          "InitialUnknown", "EventIndicator"};

typedef struct walk {
    hk_lint *lint;
    const hk_xml *structure;
    bool *listed[LISTS]; /* per variable */
} walk;

static const hk_xml *first_entry(const walk *w, list which) {
    if (w->lint->version == 3)
        return hk_xml_child(w->structure, NULL, names3[which]);
    const hk_xml *all = names2[which] ? hk_xml_child(w->structure, NULL, names2[which]) : NULL;
    return all ? hk_xml_child(all, NULL, "Unknown") : NULL;
}

/* What an unknown cannot be a function of; NULL: nothing is wrong. */
static const char *not_known(const walk *w, list which, uint32_t unknown, uint32_t on) {
    const hk_lint_variable *v = &w->lint->variables[on];
    if (on == unknown)
        return "the unknown itself";
    if (which == INITIAL_UNKNOWNS)
        return v->causality != HK_INPUT && v->causality != HK_INDEPENDENT &&
                       (v->initial == HK_CALCULATED || v->initial == HK_APPROX) && !v->has_start
                   ? "computed at initialization"
                   : NULL;
    return v->causality == HK_OUTPUT && !v->is_state ? "an output and no state" : NULL;
}

static void check_known(walk *w, const hk_xml *e, list which, uint32_t unknown, uint32_t on) {
    const char *what =
        unknown == HK_MAP_NONE || which == CLOCKED_STATES ? NULL : not_known(w, which, unknown, on);
    if (what)
        hk_lint_add(w->lint, HK_RULE_DEPENDENCY_KNOWN, e, NULL, "the dependency '%.100s' is %s",
                    w->lint->variables[on].name, what);
}

static void check_dependencies(walk *w, const hk_xml *e, list which, uint32_t unknown) {
    hk_lint *lint = w->lint;
    const char *on = hk_xml_attr_get(e, "dependencies");
    const char *kinds = hk_xml_attr_get(e, "dependenciesKind");
    size_t length, count = 0, kind_count = 0;
    hk_map seen = {0};
    for (const char *word, *p = on; p && (word = hk_lint_word(&p, &length)); count++) {
        const char *key = hk_arena_strndup(lint->arena, word, length);
        uint32_t target = hk_lint_lookup(lint, word, length);
        if (target == HK_MAP_NONE)
            hk_lint_add(lint, HK_RULE_DEPENDENCY_TARGET, e, NULL,
                        "the dependency '%.40s' names no variable", key);
        else if (hk_map_get(&seen, key) != HK_MAP_NONE)
            hk_lint_add(lint, HK_RULE_DEPENDENCY_TARGET, e, NULL,
                        "the dependency '%.40s' occurs here twice", key);
        else
            check_known(w, e, which, unknown, target);
        hk_map_put(&seen, key, 0);
    }
    hk_map_finish(&seen);
    bool other = false;
    for (const char *word, *p = kinds; p && (word = hk_lint_word(&p, &length)); kind_count++)
        other = other ||
                (strncmp(word, "dependent", length) != 0 && strncmp(word, "constant", length) != 0);
    if (kinds && !on)
        hk_lint_add(lint, HK_RULE_DEPENDENCY_KIND, e, NULL,
                    "dependenciesKind is given without dependencies");
    else if (kinds && count != kind_count)
        hk_lint_add(lint, HK_RULE_DEPENDENCY_KIND, e, NULL,
                    "there are %zu dependencies, but dependenciesKind has %zu words", count,
                    kind_count);
    if (which == INITIAL_UNKNOWNS && other)
        hk_lint_add(lint, HK_RULE_INITIAL_KIND, e, NULL,
                    "dependenciesKind of an initial unknown is 'dependent' or 'constant'");
}

static size_t count_dimensions(const hk_lint_variable *v) {
    size_t count = 0;
    for (const hk_xml *e = hk_xml_child(v->element, NULL, "Dimension"); e;
         e = hk_xml_next(e, NULL, "Dimension"))
        count++;
    return count;
}

/* "start" and "valueReference" of each dimension are the same in both. */
static bool same_dimensions(const hk_lint_variable *a, const hk_lint_variable *b) {
    static const char *const attributes[] = {"start", "valueReference"};
    const hk_xml *x = hk_xml_child(a->element, NULL, "Dimension");
    const hk_xml *y = hk_xml_child(b->element, NULL, "Dimension");
    if (count_dimensions(a) != count_dimensions(b))
        return false;
    for (; x && y; x = hk_xml_next(x, NULL, "Dimension"), y = hk_xml_next(y, NULL, "Dimension"))
        for (size_t i = 0; i < 2; i++) {
            const char *p = hk_xml_attr_get(x, attributes[i]);
            const char *q = hk_xml_attr_get(y, attributes[i]);
            if (p && q && strcmp(p, q) != 0)
                return false; /* one may be given by a number, the other by a parameter */
        }
    return true;
}

static void check_entry(walk *w, const hk_xml *e, list which, uint32_t *last) {
    hk_lint *lint = w->lint;
    const char *text = hk_xml_attr_get(e, lint->version == 3 ? "valueReference" : "index");
    uint32_t index = text ? hk_lint_lookup(lint, text, strlen(text)) : HK_MAP_NONE;
    check_dependencies(w, e, which, index);
    if (!text)
        return;
    if (index == HK_MAP_NONE) {
        hk_lint_add(lint, HK_RULE_UNKNOWN_TARGET, e, NULL, "'%.40s' names no variable", text);
        return;
    }
    const hk_lint_variable *v = &lint->variables[index];
    if (w->listed[which][index])
        hk_lint_add(lint, HK_RULE_UNKNOWN_TWICE, e, NULL, "'%.100s' is listed twice", v->name);
    w->listed[which][index] = true;
    if (which == OUTPUTS && v->causality != HK_OUTPUT)
        hk_lint_add(lint, HK_RULE_OUTPUTS, e, NULL, "'%.100s' is listed but is not an output",
                    v->name);
    if (which == DERIVATIVES && !hk_xml_attr_get(v->type_element, "derivative"))
        hk_lint_add(lint, HK_RULE_STATES, e, NULL,
                    "'%.100s' is listed as a derivative but has no attribute 'derivative'",
                    v->name);
    if (which == DERIVATIVES && lint->version == 3 && v->derivative != HK_MAP_NONE &&
        !same_dimensions(v, &lint->variables[v->derivative]))
        hk_lint_add(lint, HK_RULE_STATES, e, NULL,
                    "'%.100s' and the state '%.100s' have different dimensions", v->name,
                    lint->variables[v->derivative].name);
    if (which == CLOCKED_STATES && !hk_xml_attr_get(v->type_element, "previous"))
        hk_lint_add(lint, HK_RULE_STATES, e, NULL,
                    "'%.100s' is listed as a clocked state but has no attribute 'previous'",
                    v->name);
    if (which == INITIAL_UNKNOWNS && lint->version == 2 && index < *last)
        hk_lint_add(lint, HK_RULE_INITIAL_ORDER, e, NULL,
                    "'%.100s' comes behind a variable that comes later", v->name);
    *last = index;
}

static bool is_computed(const hk_lint_variable *v) {
    return v->initial == HK_APPROX || v->initial == HK_CALCULATED;
}

/* Marks what must be an initial unknown. A variable with the same memory may stand for it. */
static bool *expected_unknowns(const walk *w) {
    const hk_lint *lint = w->lint;
    bool *expected = HK_NEW_ARRAY(lint->arena, bool, lint->variable_count + 1);
    for (size_t i = 0; i < lint->variable_count; i++) {
        const hk_lint_variable *v = &lint->variables[i];
        bool clocked = lint->version == 3 && hk_xml_attr_get(v->element, "clocks");
        expected[i] = expected[i] || (v->causality == HK_OUTPUT && is_computed(v) && !clocked) ||
                      v->causality == HK_CALCULATED_PARAMETER;
        if (!w->listed[DERIVATIVES][i])
            continue;
        expected[i] = expected[i] || is_computed(v);
        if (v->derivative != HK_MAP_NONE && is_computed(&lint->variables[v->derivative]))
            expected[v->derivative] = true;
    }
    return expected;
}

static void check_initial_unknowns(walk *w) {
    hk_lint *lint = w->lint;
    const bool *expected = expected_unknowns(w), *listed = w->listed[INITIAL_UNKNOWNS];
    for (size_t i = 0; i < lint->variable_count; i++) {
        const hk_lint_variable *v = &lint->variables[i];
        if (v->type == HK_TYPE_CLOCK)
            continue; /* clocks have no `initial`; exporters list them or do not */
        if (expected[i] && !listed[i])
            hk_lint_add(lint, HK_RULE_INITIAL_UNKNOWNS, v->element, NULL,
                        "the variable is missing in the initial unknowns");
        else if (listed[i] && !expected[i])
            hk_lint_add(lint, HK_RULE_INITIAL_UNKNOWNS, v->element, NULL,
                        "the variable is in the initial unknowns but is none");
    }
}

void hk_lint_structure(hk_lint *lint) {
    walk w = {.lint = lint, .structure = hk_xml_child(lint->root, NULL, "ModelStructure")};
    if (!w.structure)
        return;
    for (list which = OUTPUTS; which < LISTS; which++) {
        w.listed[which] = HK_NEW_ARRAY(lint->arena, bool, lint->variable_count + 1);
        uint32_t last = 0;
        const char *name = lint->version == 3 ? names3[which] : "Unknown";
        for (const hk_xml *e = first_entry(&w, which); e; e = hk_xml_next(e, NULL, name))
            check_entry(&w, e, which, &last);
    }
    for (size_t i = 0; i < lint->variable_count; i++)
        if (lint->variables[i].causality == HK_OUTPUT && !w.listed[OUTPUTS][i])
            hk_lint_add(lint, HK_RULE_OUTPUTS, lint->variables[i].element, NULL,
                        "the output is missing in %s of ModelStructure",
                        lint->version == 3 ? "the entries Output" : "Outputs");
    check_initial_unknowns(&w);
}

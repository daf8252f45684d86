/* SPDX-License-Identifier: MIT
 *
 * Rules that only FMI 3.0 has: references, arrays, clocks. */
#include "check/lint.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

static bool is_float_scalar(const hk_lint_variable *v) {
    return hk_lint_is_float(v->type) && !hk_xml_child(v->element, NULL, "Dimension");
}

static void check_independent(hk_lint *lint) {
    bool found = hk_lint_independent(
        lint, is_float_scalar, "the independent variable is a scalar of type Float64 or Float32");
    const hk_xml *list = hk_xml_child(lint->root, NULL, "ModelVariables");
    if (!found && list)
        hk_lint_add(lint, HK_RULE_INDEPENDENT, list,
                    "add a variable with causality=\"independent\"",
                    "there is no independent variable");
}

static void check_references(hk_lint *lint) {
    for (size_t i = 0; i < lint->variable_count; i++) {
        const hk_lint_variable *v = &lint->variables[i];
        const char *text = hk_xml_attr_get(v->element, "valueReference");
        uint32_t first = v->has_ref ? hk_lint_lookup(lint, text, strlen(text)) : HK_MAP_NONE;
        if (first != HK_MAP_NONE && first != i)
            hk_lint_add(lint, HK_RULE_REFERENCE_UNIQUE, v->element,
                        "use <Alias> for a second name of a variable",
                        "'%.100s' has the value reference %u, too", lint->variables[first].name,
                        v->ref);
    }
}

/* The size that DIMENSION gives; 0: not known. */
static uint64_t check_dimension(hk_lint *lint, const hk_lint_variable *v, const hk_xml *dimension) {
    const char *start = hk_xml_attr_get(dimension, "start");
    const char *ref = hk_xml_attr_get(dimension, "valueReference");
    uint64_t size = 0;
    if (!start == !ref) {
        hk_lint_add(lint, HK_RULE_DIMENSION, dimension, NULL,
                    "a dimension of '%.100s' has %s start %s valueReference", v->name,
                    start ? "both" : "neither", start ? "and" : "nor");
        return 0;
    }
    if (start) {
        if (hk_read_u64(start, strlen(start), &size) && size == 0)
            hk_lint_add(lint, HK_RULE_DIMENSION, dimension, NULL, "a dimension of '%.100s' is 0",
                        v->name);
        return size;
    }
    uint32_t index = hk_lint_lookup(lint, ref, strlen(ref));
    const hk_lint_variable *of = index != HK_MAP_NONE ? &lint->variables[index] : NULL;
    if (!of || of->type != HK_TYPE_U64 ||
        (of->causality != HK_STRUCTURAL_PARAMETER && of->variability != HK_CONSTANT)) {
        hk_lint_add(lint, HK_RULE_DIMENSION, dimension, NULL,
                    of ? "'%.100s' is not a structural parameter or constant of type UInt64"
                       : "valueReference=\"%.40s\" names no variable",
                    of ? of->name : ref);
        return 0;
    }
    bool scalar = !hk_xml_child(of->element, NULL, "Dimension");
    if (!scalar || (hk_lint_u64(of->element, "start", &size) && size == 0))
        hk_lint_add(lint, HK_RULE_STRUCTURAL, of->element, NULL,
                    "it is a size of '%.100s', so it is a scalar whose start is above 0", v->name);
    return scalar ? size : 0;
}

/* How many start values there are: words, or <Start> elements. */
static size_t start_count(const hk_lint_variable *v) {
    const char *text = hk_xml_attr_get(v->element, "start");
    size_t count = 0, length;
    while (text && hk_lint_word(&text, &length))
        count++;
    for (const hk_xml *e = hk_xml_child(v->element, NULL, "Start"); e;
         e = hk_xml_next(e, NULL, "Start"))
        count++;
    return count;
}

static void check_array(hk_lint *lint, const hk_lint_variable *v) {
    uint64_t elements = 1;
    bool known = true;
    for (const hk_xml *e = hk_xml_child(v->element, NULL, "Dimension"); e;
         e = hk_xml_next(e, NULL, "Dimension")) {
        uint64_t size = check_dimension(lint, v, e);
        known = known && size && elements <= UINT64_MAX / size;
        elements = known ? elements * size : 1;
    }
    size_t count = start_count(v);
    if (v->has_start && known && count != elements && count != 1)
        hk_lint_add(lint, HK_RULE_START_COUNT, v->element, NULL,
                    "it has %zu start values and %llu element%s", count,
                    (unsigned long long)elements, elements == 1 ? "" : "s");
    const char *limit = v->type == HK_TYPE_BINARY ? hk_lint_attr(v, "maxSize") : NULL;
    uint64_t bytes;
    if (!limit || !hk_read_u64(limit, strlen(limit), &bytes))
        return;
    for (const hk_xml *e = hk_xml_child(v->element, NULL, "Start"); e;
         e = hk_xml_next(e, NULL, "Start")) {
        const char *hex = hk_xml_attr_get(e, "value");
        if (hex && strlen(hex) / 2 > bytes)
            hk_lint_add(lint, HK_RULE_BINARY_SIZE, e, NULL,
                        "the start value of '%.100s' has %zu bytes, more than maxSize", v->name,
                        strlen(hex) / 2);
    }
}

static bool clock_f64(const hk_lint_variable *v, const char *name, double *ret_value) {
    const char *text = hk_lint_attr(v, name);
    return text && hk_read_f64(text, strlen(text), ret_value);
}

static void check_interval(hk_lint *lint, const hk_lint_variable *v, const char *kind) {
    double interval, counter, resolution, shift;
    bool decimal = clock_f64(v, "intervalDecimal", &interval);
    bool fraction = clock_f64(v, "intervalCounter", &counter);
    bool timed =
        strcmp(kind, "constant") == 0 || strcmp(kind, "fixed") == 0 || strcmp(kind, "tunable") == 0;
    if (strcmp(kind, "constant") == 0 && !decimal && !fraction)
        hk_lint_add(lint, HK_RULE_CLOCK_INTERVAL, v->element, "add intervalDecimal",
                    "a constant clock has no interval");
    if (timed && ((decimal && !(interval > 0)) || (fraction && !(counter > 0))))
        hk_lint_add(lint, HK_RULE_CLOCK_INTERVAL, v->element, NULL,
                    "the interval of the clock is not above 0");
    if (clock_f64(v, "shiftDecimal", &shift) && !(shift >= 0))
        hk_lint_add(lint, HK_RULE_CLOCK_INTERVAL, v->element, NULL,
                    "the shift of the clock is below 0");
    if (!timed && (decimal || fraction))
        hk_lint_add(lint, HK_RULE_CLOCK_NO_INTERVAL, v->element, NULL,
                    "a clock that is %s has no interval in the description", kind);
    if (fraction && (!clock_f64(v, "resolution", &resolution) || !(resolution > 0)))
        hk_lint_add(lint, HK_RULE_CLOCK_FRACTION, v->element, NULL,
                    "intervalCounter needs a resolution above 0");
    else if (fraction && decimal && fabs(interval * resolution - counter) > 1e-6 * counter)
        hk_lint_add(lint, HK_RULE_CLOCK_FRACTION, v->element, NULL,
                    "intervalDecimal and intervalCounter by resolution are different intervals");
}

static void check_clock(hk_lint *lint, const hk_lint_variable *v) {
    const char *kind = hk_lint_attr(v, "intervalVariability");
    bool triggered = kind && strcmp(kind, "triggered") == 0;
    if (v->causality != HK_INPUT && v->causality != HK_OUTPUT && v->causality != HK_LOCAL &&
        v->causality != HK_CAUSALITY_COUNT)
        hk_lint_add(lint, HK_RULE_CLOCK_KIND, v->element, NULL,
                    "a clock is an input, an output or local");
    else if (v->causality != HK_INPUT && kind && !triggered)
        hk_lint_add(lint, HK_RULE_CLOCK_KIND, v->element, "set intervalVariability=\"triggered\"",
                    "a clock that is not an input is triggered");
    if (v->variability != HK_DISCRETE && v->variability != HK_VARIABILITY_COUNT &&
        v->variability != HK_CONTINUOUS)
        hk_lint_add(lint, HK_RULE_CLOCK_KIND, v->element, NULL, "a clock is discrete");
    if (kind)
        check_interval(lint, v, kind);
    const hk_xml *co_simulation = hk_lint_interface(lint, "CoSimulation");
    if (co_simulation && !hk_lint_bool(co_simulation, "hasEventMode"))
        hk_lint_add(lint, HK_RULE_CLOCK_EVENT_MODE, v->element, "set hasEventMode=\"true\"",
                    "there is a clock, but CoSimulation has no event mode");
    bool scheduled = hk_lint_interface(lint, "ScheduledExecution") != NULL;
    const char *priority = hk_lint_attr(v, "priority");
    if (scheduled && v->causality == HK_INPUT && !priority)
        hk_lint_add(lint, HK_RULE_CLOCK_PRIORITY, v->element, NULL,
                    "an input clock of scheduled execution needs a priority");
    if (v->causality == HK_OUTPUT && priority)
        hk_lint_add(lint, HK_RULE_CLOCK_PRIORITY, v->element, NULL,
                    "an output clock has no priority");
}

static void check_clocks_of(hk_lint *lint, const hk_lint_variable *v) {
    const char *list = hk_xml_attr_get(v->element, "clocks");
    size_t length;
    for (const char *word; list && (word = hk_lint_word(&list, &length));) {
        uint32_t index = hk_lint_lookup(lint, word, length);
        int shown = length > 40 ? 40 : (int)length;
        if (index == HK_MAP_NONE)
            hk_lint_add(lint, HK_RULE_CLOCKS, v->element, NULL,
                        "'%.*s' in the attribute 'clocks' names no variable", shown, word);
        else if (lint->variables[index].type != HK_TYPE_CLOCK || &lint->variables[index] == v)
            hk_lint_add(lint, HK_RULE_CLOCKS, v->element, NULL,
                        "'%.100s' in the attribute 'clocks' is %s", lint->variables[index].name,
                        &lint->variables[index] == v ? "the variable itself" : "no clock");
    }
    const char *previous = hk_xml_attr_get(v->element, "previous");
    const hk_lint_variable *of = v->previous != HK_MAP_NONE ? &lint->variables[v->previous] : NULL;
    if (!previous)
        return;
    if (!of || of == v || of->type != v->type)
        hk_lint_add(lint, HK_RULE_PREVIOUS, v->element, NULL,
                    "previous=\"%.40s\" names no other variable of the same type", previous);
    if (!hk_xml_attr_get(v->element, "clocks"))
        hk_lint_add(lint, HK_RULE_PREVIOUS, v->element, NULL,
                    "'previous' is given without 'clocks'");
}

void hk_lint_fmi3(hk_lint *lint) {
    const hk_xml *co_simulation = hk_lint_interface(lint, "CoSimulation");
    bool intermediate = !co_simulation || hk_lint_bool(co_simulation, "providesIntermediateUpdate");
    for (size_t i = 0; i < lint->variable_count; i++) {
        const hk_lint_variable *v = &lint->variables[i];
        hk_lint_variable_rules(lint, v);
        check_clocks_of(lint, v);
        if (v->type == HK_TYPE_CLOCK)
            check_clock(lint, v);
        else
            check_array(lint, v);
        if (!intermediate && hk_lint_bool(v->element, "intermediateUpdate"))
            hk_lint_add(lint, HK_RULE_INTERMEDIATE, v->element, NULL,
                        "intermediateUpdate is set, but the FMU does not provide it");
    }
    check_references(lint);
    check_independent(lint);
    hk_lint_structure(lint);
}

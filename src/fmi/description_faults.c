/* SPDX-License-Identifier: MIT
 *
 * What is said of faults that are tolerated, once per kind however many variables have it. */
#include "fmi/description.h"

static const struct {
    const char *text, *hint;
} kinds[HK_FAULT_COUNT] = {
    [HK_FAULT_PREFIX] = {"is a namespace prefix that is not declared; what has it is ignored",
                         NULL},
    [HK_FAULT_ENCODING] = {"is what the text is read as, since it is not in the encoding that it "
                           "claims",
                           "save the file as UTF-8"},
    [HK_FAULT_UNKNOWN_ELEMENT] = {"is an element that FMI does not know; it is ignored", NULL},
    [HK_FAULT_UNKNOWN_ATTRIBUTE] = {"is an attribute that FMI does not know; it is ignored", NULL},
    [HK_FAULT_SPELLING] = {"is not written as FMI demands; it is read as what is meant", NULL},
    [HK_FAULT_VALUE] = {"has no value that can be understood; it is left out", NULL},
    [HK_FAULT_MISSING] = {"is missing or empty", NULL},
    [HK_FAULT_NO_TOKEN] = {"is missing; the FMU is given an empty text, which it may refuse", NULL},
    [HK_FAULT_NO_NAME] = {"the attribute modelName is missing; the modelIdentifier is used", NULL},
    [HK_FAULT_NO_INTERFACE] = {"the description has no interface that hocket knows, so the FMU "
                               "cannot be run",
                               "export the model for co-simulation"},
    [HK_FAULT_NO_VARIABLES] = {"the element ModelVariables is missing", NULL},
    [HK_FAULT_NO_STRUCTURE] = {"the ModelStructure is missing; every output is taken to depend on "
                               "every input",
                               NULL},
    [HK_FAULT_IDENTIFIER] =
        {"is not a modelIdentifier, the name of a library without folder; the FMU "
         "cannot be run",
         NULL},
    [HK_FAULT_TWICE] = {"is defined twice; the first definition counts", NULL},
    [HK_FAULT_UNIT] = {"is a unit whose BaseUnit has no meaning; no conversion takes place", NULL},
    [HK_FAULT_UNKNOWN_UNIT] = {"uses a unit that UnitDefinitions does not hold",
                               "no conversion takes place on its connections"},
    [HK_FAULT_TYPE] = {"is a type that does not say of what kind; it is ignored", NULL},
    [HK_FAULT_UNKNOWN_TYPE] = {"has no declaredType that TypeDefinitions holds for its kind of "
                               "value",
                               NULL},
    [HK_FAULT_SAME_VARIABLE] = {"is declared twice with one value reference; the first declaration "
                                "counts",
                                NULL},
    [HK_FAULT_AMBIGUOUS] = {"is declared twice with different meanings, so the name cannot be "
                            "connected, set or recorded",
                            "give each variable a name of its own"},
    [HK_FAULT_NO_REFERENCE] = {"has no name or no value reference, so it cannot be used", NULL},
    [HK_FAULT_SAME_REFERENCE] = {"has the value reference of another variable",
                                 "a second name for a variable is an Alias element within it"},
    [HK_FAULT_NO_TYPE] = {"does not say which type its value has, so it cannot be used", NULL},
    [HK_FAULT_CONTINUOUS] = {"is continuous, but only floating-point variables may be; it is taken "
                             "as discrete",
                             NULL},
    [HK_FAULT_COMBINATION] = {"has a causality and a variability that FMI does not allow together",
                              NULL},
    [HK_FAULT_CONTRADICTION] = {"is an input and constant, which contradict each other, so it "
                                "cannot be used",
                                NULL},
    [HK_FAULT_INITIAL] = {"has an attribute initial that FMI does not allow for its causality and "
                          "variability; it is ignored",
                          NULL},
    [HK_FAULT_FORBIDDEN_INITIAL] = {"has an attribute initial, which inputs and the time may not "
                                    "have; it is ignored",
                                    NULL},
    [HK_FAULT_NO_VARIABILITY] = {"is a parameter without variability; it is taken as fixed", NULL},
    [HK_FAULT_NO_START] = {"has no start value although it needs one; the FMU's own value counts",
                           NULL},
    [HK_FAULT_FORBIDDEN_START] = {"has a start value although it is calculated; the value is "
                                  "ignored",
                                  NULL},
    [HK_FAULT_START] = {"is not a start value of the variable's type and size; the FMU's own value "
                        "counts",
                        NULL},
    [HK_FAULT_LARGE_FILL] = {"is a large array with one start value for all elements; the FMU's "
                             "own values count",
                             NULL},
    [HK_FAULT_ARRAY] = {"is an array without a usable size, so it cannot be used", NULL},
    [HK_FAULT_ALIAS_STARTS] = {"has a start value, and so has another variable with the same "
                               "reference",
                               "set one of them only"},
    [HK_FAULT_ALIAS] = {"is a negatedAlias, but a value of its type has no opposite, so it cannot "
                        "be used",
                        NULL},
    [HK_FAULT_INDEPENDENT] = {"is independent, which one floating-point scalar may be; it is taken "
                              "as local",
                              NULL},
    [HK_FAULT_NO_INDEPENDENT] = {"no variable has the causality independent, which FMI 3.0 demands "
                                 "of one",
                                 NULL},
    [HK_FAULT_CLOCK] = {"is a clock whose interval, shift or form cannot be understood", NULL},
    [HK_FAULT_NO_INTERVAL] = {"is a clock that needs an interval and has none", NULL},
    [HK_FAULT_ODD_REFERENCE] = {"names a variable as its clock, derivative or previous value that "
                                "cannot be it",
                                NULL},
    [HK_FAULT_DEPENDENCY] = {"names a variable that is not there; it is ignored, and what depends "
                             "on such a variable is taken to depend on every input",
                             NULL},
    [HK_FAULT_ODD_OUTPUT] =
        {"is listed among the outputs of the ModelStructure twice, or is not an "
         "output",
         NULL},
    [HK_FAULT_ODD_KINDS] = {"has dependenciesKind in the ModelStructure that do not fit its "
                            "dependencies; they are ignored",
                            NULL},
    [HK_FAULT_UNLISTED] = {"is an output that the ModelStructure does not list; it is taken to "
                           "depend on every input",
                           NULL},
    [HK_FAULT_PULSE] = {"is among the pulses of hocket's annotation, and is not an output that is "
                        "a number; that is ignored",
                        NULL},
};

/* The text says it all. */
static const bool nameless[HK_FAULT_COUNT] = {
    [HK_FAULT_NO_NAME] = true,        [HK_FAULT_NO_INTERFACE] = true,
    [HK_FAULT_NO_VARIABLES] = true,   [HK_FAULT_NO_STRUCTURE] = true,
    [HK_FAULT_NO_INDEPENDENT] = true,
};

void hk_fault_add(const hk_reader *r, hk_fault fault, const hk_xml *element, const char *name) {
    hk_tally *tally = &r->faults[fault];
    if (tally->count++ == 0) {
        tally->line = element->line;
        tally->column = element->column;
        tally->name = name && *name ? name : element->name;
    }
}

void hk_faults_report(const hk_reader *r) {
    for (size_t i = 0; i < HK_FAULT_COUNT; i++) {
        const hk_tally *tally = &r->faults[i];
        hk_where where = {.file = r->file, .line = tally->line, .column = tally->column};
        if (!tally->count)
            continue;
        if (nameless[i])
            hk_warn(r->ctx, HK_E_FMI_DESCRIPTION, where, kinds[i].hint, "%s", kinds[i].text);
        else if (tally->count == 1)
            hk_warn(r->ctx, HK_E_FMI_DESCRIPTION, where, kinds[i].hint, "'%s' %s", tally->name,
                    kinds[i].text);
        else
            hk_warn(r->ctx, HK_E_FMI_DESCRIPTION, where, kinds[i].hint, "'%s' and %zu other%s: %s",
                    tally->name, tally->count - 1, tally->count == 2 ? "" : "s", kinds[i].text);
    }
}

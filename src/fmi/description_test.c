/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "fmi/description.h"
#include "fmi/description_rig.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static hk_ctx *ctx;
static hk_arena *arena;

static int set_up(void **state) {
    (void)state;
    ctx = hk_ctx_create(NULL, NULL);
    arena = hk_arena_create();
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    hk_ctx_destroy(ctx);
    hk_arena_destroy(arena);
    return 0;
}

#define HEAD                                                                                       \
    "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"m\" guid=\"{1}\">\n"                      \
    "<CoSimulation modelIdentifier=\"m\"/>\n"
#define TAIL "<ModelStructure/></fmiModelDescription>\n"

static hk_fmu *parse(const char *text) {
    hk_fmu *fmu = NULL;
    hk_status status = hk_fmu_parse_description(ctx, "md.xml", text, strlen(text), &fmu);
    if (status != HK_OK)
        print_message("%s\n", hk_ctx_diag(ctx, hk_ctx_count(ctx, HK_NOTE) - 1)->text);
    assert_int_equal(status, HK_OK);
    return fmu;
}

/* The text is refused with STATUS, in LINE (0: do not look), with WORD in the message. */
static void refuse(const char *text, hk_status status, int line, const char *word) {
    hk_ctx *own = hk_ctx_create(NULL, NULL);
    hk_fmu *fmu = NULL;
    assert_int_equal(hk_fmu_parse_description(own, "md.xml", text, strlen(text), &fmu), status);
    assert_null(fmu);
    assert_int_equal(hk_ctx_count(own, HK_ERROR), 1);
    const hk_diag *diag = hk_ctx_diag(own, hk_ctx_count(own, HK_NOTE) - 1);
    assert_string_equal(diag->where.file, "md.xml");
    if (line)
        assert_int_equal(diag->where.line, line);
    if (!strstr(diag->text, word))
        fail_msg("'%s' is not in: %s", word, diag->text);
    hk_ctx_destroy(own);
}

/* It is read, and refused when it is to run. */
static void only_for(const char *text, const char *what) {
    hk_ctx *own = hk_ctx_create(NULL, NULL);
    hk_fmu *fmu = NULL;
    if (hk_fmu_parse_description(own, "md.xml", text, strlen(text), &fmu) != HK_OK)
        fail_msg("%s", hk_ctx_diag(own, 0)->text);
    const hk_info *info = hk_fmu_info(fmu);
    assert_non_null(strstr(info->kind, what));
    assert_false(hk_fmu_get_facts(fmu)->co_simulation);
    assert_string_equal(hk_fmu_get_facts(fmu)->model_identifier, "m");
    assert_int_equal(hk_fmu_can_run(own, info), HK_E_FMI_UNSUPPORTED);
    assert_non_null(strstr(hk_ctx_diag(own, hk_ctx_count(own, HK_NOTE) - 1)->text, what));
    hk_fmu_close(fmu);
    hk_ctx_destroy(own);
}

static const hk_variable *find(const hk_fmu *fmu, const char *name) {
    const hk_info *info = hk_fmu_info(fmu);
    uint32_t index = hk_info_find(info, name);
    assert_int_not_equal(index, HK_MAP_NONE);
    return &info->variables[index];
}

static const char whole[] =
    "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"Whole\" guid=\"{g}\" version=\"3\" "
    "author=\"A\" generationTool=\"T\" variableNamingConvention=\"structured\">\n"
    "<CoSimulation modelIdentifier=\"whole_cs\" canSerializeFMUstate=\"1\" "
    "canHandleVariableCommunicationStepSize=\"true\" needsExecutionTool=\"true\" "
    "canBeInstantiatedOnlyOncePerProcess=\"true\" maxOutputDerivativeOrder=\"2\"/>\n"
    "<ModelExchange modelIdentifier=\"whole_me\"/>\n"
    "<UnitDefinitions>"
    "<Unit name=\"degC\"><BaseUnit K=\"1\" offset=\"273.15\"/></Unit>"
    "<Unit name=\"kN\"><BaseUnit kg=\"1\" m=\"1\" s=\"-2\" factor=\"1000\"/></Unit>"
    "<Unit name=\"furlong\"/></UnitDefinitions>\n"
    "<TypeDefinitions>"
    "<SimpleType name=\"T\"><Real unit=\"degC\" displayUnit=\"K\" min=\"-10\" max=\"10\" "
    "nominal=\"5\" quantity=\"Temp\" relativeQuantity=\"true\"/></SimpleType>"
    "<SimpleType name=\"E\"><Enumeration><Item name=\"off\" value=\"1\"/>"
    "<Item name=\"on\" value=\"7\"/></Enumeration></SimpleType></TypeDefinitions>\n"
    "<LogCategories><Category name=\"logAll\"/></LogCategories>\n"
    "<DefaultExperiment startTime=\"0.5\" stopTime=\"1e1\" stepSize=\"0.001\" "
    "tolerance=\"1e-4\"/>\n"
    "<ModelVariables>\n"
    "<ScalarVariable name=\"t\" valueReference=\"1\" causality=\"input\" description=\"d\">"
    "<Real declaredType=\"T\" max=\"20\" start=\"2.5\"/></ScalarVariable>\n"
    "<ScalarVariable name=\"f\" valueReference=\"2\" causality=\"output\"><Real unit=\"kN\"/>"
    "</ScalarVariable>\n"
    "<ScalarVariable name=\"e\" valueReference=\"3\" causality=\"parameter\" "
    "variability=\"fixed\"><Enumeration declaredType=\"E\" start=\"7\"/></ScalarVariable>\n"
    "<ScalarVariable name=\"i\" valueReference=\"3\" causality=\"local\"><Integer/>"
    "</ScalarVariable>\n"
    "<ScalarVariable name=\"r3\" valueReference=\"3\"><Real unit=\"furlong\"/></ScalarVariable>\n"
    "<ScalarVariable name=\"b\" valueReference=\"4\" causality=\"input\"><Boolean start=\"true\"/>"
    "</ScalarVariable>\n"
    "<ScalarVariable name=\"s\" valueReference=\"5\" causality=\"output\" "
    "variability=\"constant\"><String start=\"hi &amp; ho\"/></ScalarVariable>\n"
    "<ScalarVariable name=\"x\" valueReference=\"6\" causality=\"output\" initial=\"exact\">"
    "<Real start=\"1\"/></ScalarVariable>\n"
    "<ScalarVariable name=\"time\" valueReference=\"7\" causality=\"independent\"><Real/>"
    "</ScalarVariable>\n"
    "</ModelVariables>\n"
    "<ModelStructure><Outputs><Unknown index=\"2\" dependencies=\" 1  6 \"/><Unknown index=\"7\"/>"
    "<Unknown index=\"8\" dependencies=\"\"/></Outputs>"
    "<InitialUnknowns><Unknown index=\"2\" dependencies=\"1 3\"/></InitialUnknowns>"
    "</ModelStructure></fmiModelDescription>";

static void test_facts(void **state) {
    (void)state;
    hk_fmu *fmu = parse(whole);
    const hk_info *info = hk_fmu_info(fmu);
    const hk_fmu_facts *facts = hk_fmu_get_facts(fmu);
    assert_int_equal(hk_ctx_count(ctx, HK_WARNING), 0);
    assert_string_equal(info->name, "Whole");
    assert_string_equal(facts->model_identifier, "whole_cs");
    assert_string_equal(facts->guid, "{g}");
    assert_string_equal(facts->naming_convention, "structured");
    assert_true(facts->co_simulation && facts->model_exchange);
    assert_int_equal(facts->unit_count, 3);
    assert_int_equal(facts->type_count, 2);
    assert_int_equal(facts->log_category_count, 1);
    assert_true(info->can.variable_step && info->can.save_state && info->can.serialize_state);
    assert_true(info->can.once_per_process && info->can.needs_tool);
    assert_int_equal(info->can.output_derivative_order, 2);
    assert_true(info->defaults.has_start && info->defaults.has_stop && info->defaults.has_step);
    assert_int_equal(info->defaults.start.num, 1);
    assert_int_equal(info->defaults.start.den, 2);
    assert_int_equal(info->defaults.stop.num, 10);
    assert_int_equal(info->defaults.step.den, 1000);
    assert_true(info->defaults.tolerance == 1e-4);
    assert_int_equal(info->variable_count, 9);
    hk_fmu_close(fmu);
}

static void test_variables(void **state) {
    (void)state;
    hk_fmu *fmu = parse(whole);
    const hk_variable *t = find(fmu, "t"), *f = find(fmu, "f"), *e = find(fmu, "e");
    assert_string_equal(t->unit, "degC");
    assert_string_equal(t->display_unit, "K");
    assert_string_equal(t->quantity, "Temp");
    assert_true(t->relative && t->min == -10 && t->max == 20 && t->nominal == 5);
    assert_true(*(double *)t->start.data == 2.5);
    assert_int_equal(t->uom->exponent[HK_K], 1);
    assert_true(t->uom->offset == 273.15);
    assert_int_equal(t->variability, HK_CONTINUOUS);
    assert_int_equal(t->line, 9);
    assert_int_equal(f->uom->exponent[HK_S], -2);
    assert_true(f->uom->factor == 1000 && isnan(f->min));
    assert_int_equal(f->initial, HK_CALCULATED);
    assert_null(f->start.data);
    assert_true(f->depends.known && f->depends.count == 2);
    assert_int_equal(f->depends.on[1], 5);
    assert_true(f->depends_init.known && f->depends_init.on[1] == 2);
    assert_int_equal(e->type, HK_TYPE_ENUM);
    assert_int_equal(e->store, HK_STORE_I32);
    assert_int_equal(*(int64_t *)e->start.data, 7);
    assert_string_equal(e->enumeration->item_names[1], "on");
    assert_int_equal(find(fmu, "i")->alias_of, 2); /* Integer and Enumeration share references */
    assert_int_equal(find(fmu, "i")->variability, HK_DISCRETE);
    assert_int_equal(find(fmu, "r3")->alias_of, 4);
    assert_string_equal(find(fmu, "r3")->unit, "furlong");
    assert_null(find(fmu, "r3")->uom);
    assert_int_equal(find(fmu, "b")->store, HK_STORE_BOOL32);
    const hk_variable *s = find(fmu, "s"), *x = find(fmu, "x");
    assert_string_equal(((hk_bytes *)s->start.data)->data, "hi & ho");
    assert_false(s->depends.known);
    assert_true(x->depends.known && x->depends.count == 0 && x->depends_init.known);
    hk_fmu_close(fmu);
}

static void test_versions_and_kinds(void **state) {
    (void)state;
    forgive("<fmiModelDescription fmiVersion=\"1.0\"/>", 1, "guid");
    forgive("<fmiModelDescription fmiVersion=\"3.0.1\"/>", 1, "instantiationToken");
    refuse("<fmiModelDescription fmiVersion=\"7\"/>", HK_E_FMI_DESCRIPTION, 1, "7");
    refuse("<fmiModelDescription/>", HK_E_FMI_DESCRIPTION, 1, "fmiVersion");
    refuse("<other/>", HK_E_FMI_DESCRIPTION, 1, "other");
    only_for("<fmiModelDescription fmiVersion=\"2.0\" modelName=\"m\" guid=\"g\">"
             "<ModelExchange modelIdentifier=\"m\"/><ModelVariables/><ModelStructure/>"
             "</fmiModelDescription>",
             "model exchange");
    only_for(
        "<fmiModelDescription fmiVersion=\"1.0\" modelName=\"m\" modelIdentifier=\"m\" "
        "guid=\"g\" numberOfContinuousStates=\"0\" numberOfEventIndicators=\"0\"><ModelVariables/>"
        "</fmiModelDescription>",
        "model exchange");
    only_for("<fmiModelDescription fmiVersion=\"3.0\" modelName=\"m\" instantiationToken=\"1\">"
             "<ModelExchange modelIdentifier=\"m\"/><ModelVariables/></fmiModelDescription>",
             "model exchange");
    only_for("<fmiModelDescription fmiVersion=\"3.0\" modelName=\"m\" instantiationToken=\"1\">"
             "<ScheduledExecution modelIdentifier=\"m\"/><ModelVariables/>"
             "</fmiModelDescription>",
             "scheduled execution");
    forgive("<fmiModelDescription fmiVersion=\"2.0\" modelName=\"m\" guid=\"g\"/>", 1,
            "no interface");
    forgive("<fmiModelDescription fmiVersion=\"2.0\" modelName=\"m\"/>", 1, "guid");
    forgive("<fmiModelDescription fmiVersion=\"2.0\" guid=\"g\">"
            "<CoSimulation modelIdentifier=\"../../x\"/></fmiModelDescription>",
            1, "../../x");
    forgive(HEAD "</fmiModelDescription>", 1, "ModelVariables");
}

static void test_stamp(void **state) {
    (void)state;
    static const char *const words[] = {"end", "start", "middle"};
    for (size_t i = 0; i < 3; i++) {
        char *text =
            hk_arena_printf(arena,
                            HEAD "<VendorAnnotations><Tool name=\"hocket\">\n<k:Schedule "
                                 "xmlns:k=\"urn:org.hocket:schedule:1\" stamp=\"%s\"/></Tool>"
                                 "</VendorAnnotations><ModelVariables/>" TAIL,
                            words[i]);
        if (i == 2) {
            forgive(text, 4, "middle");
        } else {
            hk_fmu *fmu = parse(text);
            assert_int_equal(hk_fmu_info(fmu)->stamp, i ? HK_STAMP_START : HK_STAMP_END);
            hk_fmu_close(fmu);
        }
    }
}

static char *variable(const char *attributes, const char *value) {
    return hk_arena_printf(arena,
                           HEAD "<ModelVariables>\n<ScalarVariable name=\"v\" "
                                "valueReference=\"0\" %s>%s</ScalarVariable>\n"
                                "</ModelVariables>" TAIL,
                           attributes, value);
}

static void test_bad_variables(void **state) {
    (void)state;
    forgive(variable("causality=\"parameter\" variability=\"continuous\"", "<Real start=\"1\"/>"),
            4, "'v'");
    forgive(variable("causality=\"input\" variability=\"fixed\"", "<Real start=\"1\"/>"), 4, "'v'");
    forgive(variable("variability=\"continuous\"", "<Integer/>"), 4, "'v'");
    forgive(variable("causality=\"parameter\" variability=\"fixed\" initial=\"calculated\"",
                     "<Real start=\"1\"/>"),
            4, "initial");
    forgive(variable("causality=\"banana\"", "<Real/>"), 4, "banana");
    forgive(variable("causality=\"independent\"", "<Integer/>"), 4, "'v'");
    forgive(variable("", ""), 4, "'v'");
    forgive(variable("causality=\"input\"", "<Real start=\"abc\"/>"), 4, "abc");
    forgive(variable("causality=\"input\"", "<Integer start=\"1e30\"/>"), 4, "1e30");
    forgive(variable("", "<Real derivative=\"2\"/>"), 4, "\"2\"");
    forgive(HEAD "<ModelVariables>\n<ScalarVariable name=\"v\" valueReference=\"-1\"><Real/>"
                 "</ScalarVariable></ModelVariables>" TAIL,
            4, "-1");
    forgive(HEAD "<ModelVariables>\n<ScalarVariable name=\"v\" valueReference=\"0\"><Real/>"
                 "</ScalarVariable>\n<ScalarVariable name=\"v\" valueReference=\"1\"><Real/>"
                 "</ScalarVariable></ModelVariables>" TAIL,
            5, "declared twice");
}

static void test_bad_structure(void **state) {
    (void)state;
    static const char *const lists[] = {"<Unknown index=\"2\"/>", "<Unknown index=\"0\"/>",
                                        "<Unknown/>", "<Unknown index=\"1\" dependencies=\"9\"/>",
                                        "<Unknown index=\"1\" dependencies=\"x\"/>"};
    static const char *const words[] = {"\"2\"", "\"0\"", "index", "\"9\"", "\"x\""};
    for (size_t i = 0; i < 5; i++) {
        char *text =
            hk_arena_printf(arena,
                            HEAD "<ModelVariables><ScalarVariable name=\"v\" valueReference=\"0\" "
                                 "causality=\"output\"><Real/></ScalarVariable></ModelVariables>\n"
                                 "<ModelStructure><Outputs>\n%s</Outputs></ModelStructure>"
                                 "</fmiModelDescription>",
                            lists[i]);
        forgive(text, 5, words[i]);
    }
}

/* What is tolerated gives one warning, however often it occurs. */
static void test_tolerated(void **state) {
    (void)state;
    hk_fmu *fmu =
        parse(HEAD "<DefaultExperiment stepSize=\"0\" stopTime=\"banana\"/><ModelVariables>"
                   "<ScalarVariable name=\"a\" valueReference=\"0\" causality=\"input\"><Real/>"
                   "</ScalarVariable>"
                   "<ScalarVariable name=\"b\" valueReference=\"1\" causality=\"input\"><Boolean/>"
                   "</ScalarVariable>"
                   "<ScalarVariable name=\"p\" valueReference=\"2\" causality=\"parameter\"><Real/>"
                   "</ScalarVariable>"
                   "<ScalarVariable name=\"y\" valueReference=\"3\" causality=\"output\">"
                   "<Real start=\"4\" unit=\"None\"/></ScalarVariable>"
                   "</ModelVariables>" TAIL);
    assert_int_equal(hk_ctx_count(ctx, HK_ERROR), 0);
    /* stepSize, stopTime; unit, start missing, start forbidden, variability, output not listed */
    assert_int_equal(hk_ctx_count(ctx, HK_WARNING), 7);
    assert_false(hk_fmu_info(fmu)->defaults.has_step || hk_fmu_info(fmu)->defaults.has_stop);
    assert_null(find(fmu, "a")->start.data); /* hocket makes up none: the FMU has its own */
    assert_null(find(fmu, "b")->start.data);
    assert_null(find(fmu, "p")->start.data);
    assert_int_equal(find(fmu, "p")->variability, HK_FIXED);
    assert_null(find(fmu, "y")->start.data);
    assert_false(find(fmu, "y")->depends.known);
    hk_fmu_close(fmu);
}

#define VARIABLES(inside) HEAD "<ModelVariables>" inside "</ModelVariables>" TAIL
#define REAL(name, ref, more)                                                                      \
    "\n<ScalarVariable name=\"" name "\" valueReference=\"" ref "\" " more "</ScalarVariable>"

/* A name that says nothing cannot be used; all else can, and the references stay clear. */
static void test_twins(void **state) {
    (void)state;
    hk_fmu *fmu = forgiven(VARIABLES(REAL("v", "0", "causality=\"input\"><Real start=\"1\"/>")
                                         REAL("v", "1", "causality=\"input\"><Real start=\"2\"/>")
                                             REAL("w", "2", "causality=\"output\"><Real/>")),
                           5, "'v' is declared twice with different meanings");
    const hk_info *info = hk_fmu_info(fmu);
    assert_int_equal(info->variable_count, 3); /* the ModelStructure counts them */
    assert_int_equal(hk_info_find(info, "v"), HK_MAP_NONE);
    assert_string_equal(hk_info_why_not(info, "v"), "it is declared twice, in lines 4 and 5");
    assert_true(*(double *)info->variables[1].start.data == 2);
    assert_null(hk_info_why_not(info, "w"));
    hk_fmu_close(fmu);
    fmu = forgiven(VARIABLES(REAL("v", "0", "causality=\"output\"><Real/>")
                                 REAL("v", "0", "causality=\"local\"><Real/>")),
                   5, "the first declaration counts");
    assert_int_equal(hk_info_find(hk_fmu_info(fmu), "v"), 0);
    assert_non_null(hk_fmu_info(fmu)->variables[1].unusable);
    hk_fmu_close(fmu);
}

/* What is written carelessly is what it means. */
static void test_careless(void **state) {
    (void)state;
    hk_fmu *fmu = forgiven(
        VARIABLES(REAL("a", "0", "causality=\" INPUT \"><Real start=\" 1,5 \"/>")
                      REAL("b", "1", "causality=\"input\"><Boolean start=\"True\"/>")
                          REAL("c", " 2 ", "causality=\"input\"><Integer start=\"3.0\"/>")),
        4, "and 1 other: is not written as FMI demands");
    assert_true(*(double *)find(fmu, "a")->start.data == 1.5);
    assert_int_equal(find(fmu, "a")->causality, HK_INPUT);
    assert_true(*(bool *)find(fmu, "b")->start.data);
    assert_int_equal(*(int32_t *)find(fmu, "c")->start.data, 3);
    assert_int_equal(find(fmu, "c")->ref, 2);
    hk_fmu_close(fmu);
}

/* Descriptions that are not UTF-8 although they say so, and prefixes of nobody. */
static void test_xml_faults(void **state) {
    (void)state;
    hk_fmu *fmu =
        forgiven("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                 "<fmiModelDescription fmiVersion=\"2.0\" guid=\"g\" modelName=\"Gr\xf6\xdf"
                 "e\"><CoSimulation modelIdentifier=\"m\"/>"
                 "<ModelVariables/><ModelStructure/></fmiModelDescription>",
                 2, "'Windows-1252' is what the text is read as");
    assert_string_equal(hk_fmu_info(fmu)->name, "Gr\xc3\xb6\xc3\x9f"
                                                "e");
    hk_fmu_close(fmu);
    forgive(HEAD "<VendorAnnotations>\n<Tool name=\"x\"><x:y x:a=\"1\"/></Tool>"
                 "</VendorAnnotations><ModelVariables/>" TAIL,
            4, "'x' and 1 other: is a namespace prefix that is not declared");
    forgive(HEAD "<ModelVariables/>\n<Extra/>" TAIL, 4, "'Extra' is an element");
    forgive(HEAD "<ModelVariables/>\n<LogCategories colour=\"red\"/>" TAIL, 4,
            "'colour' is an attribute");
}

/* Continuous states are the variables whose derivatives the ModelStructure lists. */
static void test_states(void **state) {
    (void)state;
    hk_fmu *fmu = parse(
        HEAD "<ModelVariables>" REAL("x", "0", "><Real/>")
            REAL("der(x)", "1", "><Real derivative=\"1\"/>")
                REAL("dy", "2", "><Real derivative=\"1\"/>") "</ModelVariables><ModelStructure>"
                                                             "<Derivatives><Unknown index=\"2\"/>"
                                                             "</Derivatives></ModelStructure>"
                                                             "</fmiModelDescription>");
    assert_true(find(fmu, "x")->state);
    assert_false(find(fmu, "der(x)")->state || find(fmu, "dy")->state);
    hk_fmu_close(fmu);
}

static void test_initial_table(void **state) {
    (void)state;
    const hk_initial *choices;
    size_t legal = 0;
    for (int c = 0; c < HK_CAUSALITY_COUNT; c++)
        for (int v = 0; v < HK_VARIABILITY_COUNT; v++)
            legal += c != HK_STRUCTURAL_PARAMETER &&
                     hk_initial_choices((hk_causality)c, (hk_variability)v, &choices) > 0;
    assert_int_equal(legal, 15); /* the filled cells of the standard's table */
    assert_int_equal(hk_initial_choices(HK_OUTPUT, HK_FIXED, &choices), 0);
    assert_int_equal(hk_initial_choices(HK_LOCAL, HK_TUNABLE, &choices), 2);
    assert_int_equal(choices[0], HK_CALCULATED);
    assert_int_equal(hk_initial_choices(HK_OUTPUT, HK_CONSTANT, &choices), 1);
    assert_int_equal(choices[0], HK_EXACT);
}

static char *big_description(size_t n, size_t *ret_size) {
    size_t cap = 400 * n + 4096, used = 0;
    char *text = hk_alloc(cap);
    used += (size_t)snprintf(text, cap, "%s", HEAD "<ModelVariables>");
    for (size_t i = 0; i < n; i++)
        used +=
            (size_t)snprintf(text + used, cap - used,
                             "<ScalarVariable name=\"plant.part[%zu].x\" valueReference=\"%zu\" "
                             "causality=\"output\" description=\"a variable\"><Real "
                             "unit=\"m\"/></ScalarVariable>\n",
                             i, i % (n / 2));
    used += (size_t)snprintf(text + used, cap - used, "</ModelVariables><ModelStructure><Outputs>");
    for (size_t i = 0; i < n; i++)
        used += (size_t)snprintf(text + used, cap - used,
                                 "<Unknown index=\"%zu\" dependencies=\"1 2 3\"/>", i + 1);
    used += (size_t)snprintf(text + used, cap - used,
                             "</Outputs></ModelStructure></fmiModelDescription>");
    *ret_size = used;
    return text;
}

/* Time of the processor, so that other programs count little. */
static int64_t time_to_parse(size_t n, const char *text, size_t size) {
    hk_fmu *fmu;
    struct timespec before, after;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    assert_int_equal(hk_fmu_parse_description(ctx, "big.xml", text, size, &fmu), HK_OK);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    assert_int_equal(hk_fmu_info(fmu)->variables[n - 1].alias_of, n / 2 - 1);
    hk_fmu_close(fmu);
    return (after.tv_sec - before.tv_sec) * INT64_C(1000000000) + after.tv_nsec - before.tv_nsec;
}

/* Four times as many variables take about four times as long, far from the sixteen times of a
 * quadratic step. The shortest of several times counts: a busy machine only ever adds to them. */
static void test_growth(void **state) {
    (void)state;
    enum { SMALL = 20000, BIG = 80000, ROUNDS = 10 };
    size_t small_size, big_size;
    char *small_text = big_description(SMALL, &small_size);
    char *big_text = big_description(BIG, &big_size);
    int64_t small = INT64_MAX, big = INT64_MAX;
    for (int round = 0; round < ROUNDS && (round < 3 || big >= 9 * small); round++) {
        int64_t took = time_to_parse(SMALL, small_text, small_size);
        small = took < small ? took : small;
        took = time_to_parse(BIG, big_text, big_size);
        big = took < big ? took : big;
    }
    print_message("%d variables: %lld us, %d: %lld us\n", SMALL, (long long)small / 1000, BIG,
                  (long long)big / 1000);
    hk_free(big_text);
    hk_free(small_text);
    assert_true(big < 9 * small);
    assert_true(small < 2000000000); /* ns; a plain build needs a twentieth of it */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_facts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_variables, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_versions_and_kinds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stamp, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_variables, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_structure, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_tolerated, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_twins, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_careless, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_xml_faults, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_states, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_initial_table, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_growth, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

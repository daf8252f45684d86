/* SPDX-License-Identifier: MIT
 *
 * Descriptions of FMI 1.0. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "fmi/description_rig.h"
#include "fmi/fmu.h"

#include <math.h>
#include <string.h>

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

#define ROOT                                                                                       \
    "<fmiModelDescription fmiVersion=\"1.0\" modelName=\"m\" modelIdentifier=\"m\" "               \
    "guid=\"{1}\" numberOfContinuousStates=\"0\" numberOfEventIndicators=\"0\">\n"
#define TAIL                                                                                       \
    "<Implementation><CoSimulation_StandAlone><Capabilities/></CoSimulation_StandAlone>"           \
    "</Implementation></fmiModelDescription>\n"

static hk_fmu *parse(const char *text) {
    hk_fmu *fmu = NULL;
    hk_status status = hk_fmu_parse_description(ctx, "md.xml", text, strlen(text), &fmu);
    if (status != HK_OK)
        print_message("%s\n", hk_ctx_diag(ctx, hk_ctx_count(ctx, HK_NOTE) - 1)->text);
    assert_int_equal(status, HK_OK);
    return fmu;
}

static const hk_variable *find(const hk_fmu *fmu, const char *name) {
    const hk_info *info = hk_fmu_info(fmu);
    uint32_t index = hk_info_find(info, name);
    assert_int_not_equal(index, HK_MAP_NONE);
    return &info->variables[index];
}

/* The letter in the description is one byte, 0xE4. */
static const char whole[] =
    "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n"
    "<fmiModelDescription fmiVersion=\"1.0\" modelName=\"Whole\" modelIdentifier=\"whole\" "
    "guid=\"{g}\" description=\"L\xE4nge\" version=\"3\" author=\"A\" generationTool=\"T\" "
    "variableNamingConvention=\"structured\" numberOfContinuousStates=\"1\" "
    "numberOfEventIndicators=\"0\">\n"
    "<UnitDefinitions><BaseUnit unit=\"kN\"><DisplayUnitDefinition displayUnit=\"MN\" "
    "gain=\"0.001\"/></BaseUnit></UnitDefinitions>\n"
    "<TypeDefinitions>"
    "<Type name=\"T\"><RealType unit=\"degC\" displayUnit=\"K\" min=\"-10\" max=\"10\" "
    "nominal=\"5\" quantity=\"Temp\" relativeQuantity=\"true\"/></Type>"
    "<Type name=\"E\"><EnumerationType min=\"1\" max=\"2\"><Item name=\"off\"/>"
    "<Item name=\"on\"/></EnumerationType></Type></TypeDefinitions>\n"
    "<DefaultExperiment startTime=\"0.5\" stopTime=\"1e1\" tolerance=\"1e-4\"/>\n"
    "<VendorAnnotations><Tool name=\"other\"><Annotation name=\"stamp\" value=\"??\"/></Tool>"
    "<Tool name=\"hocket\"><Annotation name=\"stamp\" value=\"start\"/>"
    "<Annotation name=\"state\" value=\"true\"/></Tool></VendorAnnotations>\n"
    "<ModelVariables>\n"
    "<ScalarVariable name=\"t\" valueReference=\"1\" causality=\"input\" description=\"d\">"
    "<Real declaredType=\"T\" max=\"20\" start=\"2.5\"/></ScalarVariable>\n"
    "<ScalarVariable name=\"f\" valueReference=\"2\" causality=\"output\"><Real unit=\"kN\"/>"
    "<DirectDependency><Name> t </Name></DirectDependency></ScalarVariable>\n"
    "<ScalarVariable name=\"e\" valueReference=\"3\" variability=\"parameter\">"
    "<Enumeration declaredType=\"E\" start=\"2\"/></ScalarVariable>\n"
    "<ScalarVariable name=\"i\" valueReference=\"3\" causality=\"none\"><Integer/>"
    "</ScalarVariable>\n"
    "<ScalarVariable name=\"u\" valueReference=\"4\"><Real unit=\"furlong\"/></ScalarVariable>\n"
    "<ScalarVariable name=\"b\" valueReference=\"4\" causality=\"input\"><Boolean start=\"1\"/>"
    "</ScalarVariable>\n"
    "<ScalarVariable name=\"s\" valueReference=\"5\" causality=\"output\" "
    "variability=\"constant\"><String start=\"hi &amp; ho\"/></ScalarVariable>\n"
    "<ScalarVariable name=\"x\" valueReference=\"6\" causality=\"output\"><Real start=\"1\"/>"
    "<DirectDependency/></ScalarVariable>\n"
    "<ScalarVariable name=\"guess\" valueReference=\"7\"><Real start=\"1\" fixed=\"false\"/>"
    "</ScalarVariable>\n"
    "<ScalarVariable name=\"made\" valueReference=\"8\" variability=\"parameter\"><Real/>"
    "</ScalarVariable>\n"
    "<ScalarVariable name=\"minus\" valueReference=\"2\" causality=\"output\" "
    "alias=\"negatedAlias\"><Real unit=\"kN\"/></ScalarVariable>\n"
    "<ScalarVariable name=\"none\" valueReference=\"4294967295\"><Real/></ScalarVariable>\n"
    "<ScalarVariable name=\"none too\" valueReference=\"4294967295\"><Real/></ScalarVariable>\n"
    "</ModelVariables>\n"
    "<Implementation><CoSimulation_Tool><Capabilities "
    "canHandleVariableCommunicationStepSize=\"true\" canInterpolateInputs=\"true\" "
    "canBeInstantiatedOnlyOncePerProcess=\"true\" maxOutputDerivativeOrder=\"2\"/>"
    "<Model entryPoint=\"fmu://resources/m.mdl\" manualStart=\"false\" "
    "type=\"application/x-mdl\"/></CoSimulation_Tool></Implementation></fmiModelDescription>";

static void test_facts(void **state) {
    (void)state;
    hk_fmu *fmu = parse(whole);
    const hk_info *info = hk_fmu_info(fmu);
    const hk_fmu_facts *facts = hk_fmu_get_facts(fmu);
    assert_int_equal(hk_ctx_count(ctx, HK_WARNING), 0);
    assert_string_equal(info->name, "Whole");
    assert_string_equal(info->description, "Länge");
    assert_string_equal(info->kind, "FMI 1.0 co-simulation");
    assert_int_equal(info->stamp, HK_STAMP_START);
    assert_string_equal(facts->fmi_version, "1.0");
    assert_string_equal(facts->model_identifier, "whole");
    assert_string_equal(facts->guid, "{g}");
    assert_string_equal(facts->naming_convention, "structured");
    assert_true(facts->co_simulation && !facts->model_exchange);
    assert_int_equal(facts->unit_count, 1);
    assert_int_equal(facts->type_count, 2);
    assert_true(info->can.variable_step && info->can.once_per_process && info->can.needs_tool);
    assert_true(info->can.save_state && info->can.serialize_state && info->can.interpolates_inputs);
    assert_int_equal(info->can.output_derivative_order, 2);
    assert_true(info->defaults.has_start && info->defaults.has_stop && !info->defaults.has_step);
    assert_string_equal(fmu->mime_type, "application/x-mdl");
    assert_int_equal(info->variable_count, 13);
    hk_fmu_close(fmu);
}

static void test_variables(void **state) {
    (void)state;
    hk_fmu *fmu = parse(whole);
    const hk_variable *t = find(fmu, "t"), *f = find(fmu, "f"), *e = find(fmu, "e");
    assert_int_equal(t->causality, HK_INPUT);
    assert_int_equal(t->variability, HK_CONTINUOUS);
    assert_string_equal(t->unit, "degC");
    assert_true(t->uom && t->uom->offset == 273.15);
    assert_true(t->min == -10 && t->max == 20 && t->nominal == 5 && t->relative);
    assert_true(*(double *)t->start.data == 2.5);
    assert_true(f->uom && f->uom->factor == 1000 && f->uom->exponent[HK_KG] == 1);
    assert_true(f->depends.known && f->depends.count == 1 && f->depends.on[0] == 0);
    assert_true(f->depends_init.known && f->depends_init.count == 1);
    assert_int_equal(f->initial, HK_CALCULATED);
    assert_int_equal(e->causality, HK_PARAMETER);
    assert_int_equal(e->variability, HK_FIXED);
    assert_int_equal(e->store, HK_STORE_I32);
    assert_true(hk_variable_settable(e));
    assert_int_equal(e->enumeration->item_count, 2);
    assert_int_equal(e->enumeration->item_values[1], 2);
    assert_int_equal(find(fmu, "i")->causality, HK_LOCAL);
    assert_int_equal(find(fmu, "i")->variability, HK_DISCRETE);
    assert_int_equal(find(fmu, "i")->alias_of, 2);
    assert_string_equal(find(fmu, "u")->unit, "furlong");
    assert_null(find(fmu, "u")->uom);
    assert_int_equal(find(fmu, "b")->store, HK_STORE_BOOL8);
    assert_int_equal(find(fmu, "s")->variability, HK_CONSTANT);
    assert_false(find(fmu, "s")->depends.known);
    assert_true(find(fmu, "x")->depends.known && find(fmu, "x")->depends.count == 0);
    assert_int_equal(find(fmu, "x")->initial, HK_EXACT);
    assert_int_equal(find(fmu, "guess")->initial, HK_APPROX);
    assert_int_equal(find(fmu, "made")->causality, HK_CALCULATED_PARAMETER);
    assert_false(hk_variable_settable(find(fmu, "made")));
    assert_int_equal(find(fmu, "minus")->alias_of, 1);
    for (uint32_t i = 0; i < 13; i++)
        assert_int_equal(hk_fmu_info(fmu)->variables[i].negated, i == 10);
    assert_int_equal(find(fmu, "none")->alias_of, 11);
    assert_int_equal(find(fmu, "none too")->alias_of, 12);
    hk_fmu_close(fmu);
}

static void test_small(void **state) {
    (void)state;
    hk_fmu *fmu = parse(ROOT TAIL); /* variables may be missing */
    const hk_info *info = hk_fmu_info(fmu);
    assert_int_equal(info->variable_count, 0);
    assert_int_equal(info->stamp, HK_STAMP_END);
    assert_false(info->can.save_state || info->can.needs_tool || info->can.variable_step);
    assert_string_equal(fmu->mime_type, "application/x-fmu-sharedlibrary");
    hk_fmu_close(fmu);
}

static char *variable(const char *attributes, const char *value) {
    return hk_arena_printf(arena,
                           ROOT "<ModelVariables>\n<ScalarVariable name=\"v\" "
                                "valueReference=\"0\" %s>%s</ScalarVariable>\n"
                                "</ModelVariables>" TAIL,
                           attributes, value);
}

static void test_wrong(void **state) {
    (void)state;
    forgive(ROOT "\n<Implementation/></fmiModelDescription>", 3, "no interface");
    forgive("<fmiModelDescription fmiVersion=\"1.0\" guid=\"g\"/>", 1, "modelIdentifier");
    forgive(variable("causality=\"parameter\"", "<Real/>"), 3, "parameter");
    forgive(variable("variability=\"tunable\"", "<Real/>"), 3, "tunable");
    forgive(variable("causality=\"input\" variability=\"constant\"", "<Real/>"), 3, "contradict");
    forgive(variable("alias=\"negatedAlias\"", "<String/>"), 3, "no opposite");
    forgive(variable("alias=\"other\"", "<Real/>"), 3, "other");
    forgive(variable("", "<Real start=\"1\" fixed=\"maybe\"/>"), 3, "fixed");
    forgive(variable("", "<Real start=\"much\"/>"), 3, "much");
    forgive(variable("", "<RealType/>"), 3, "which type");
    forgive(variable("", "<Real/><DirectDependency><Name>w</Name></DirectDependency>"), 3,
            "Name w");
    forgive(ROOT "<TypeDefinitions>\n<Type name=\"T\"><Real/></Type></TypeDefinitions>" TAIL, 3,
            "'T'");
    forgive(ROOT "<VendorAnnotations><Tool name=\"hocket\">\n<Annotation name=\"stamp\" "
                 "value=\"middle\"/></Tool></VendorAnnotations>" TAIL,
            3, "middle");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
    const struct CMUnitTest tests[] = {TEST(facts), TEST(variables), TEST(small), TEST(wrong)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

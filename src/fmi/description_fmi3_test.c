/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "fmi/description_fmi3.h"
#include "fmi/description_rig.h"

#include <math.h>
#include <string.h>

static hk_ctx *ctx;

static int set_up(void **state) {
    (void)state;
    ctx = hk_ctx_create(NULL, NULL);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    hk_ctx_destroy(ctx);
    return 0;
}

#define ROOT                                                                                       \
    "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"m\" instantiationToken=\"{1}\">\n"        \
    "<CoSimulation modelIdentifier=\"m\"/>\n"
#define TIME "<Float64 name=\"time\" valueReference=\"0\" causality=\"independent\"/>\n"
#define HEAD ROOT "<ModelVariables>\n" TIME
#define TAIL "</ModelVariables><ModelStructure/></fmiModelDescription>\n"

static hk_fmu *parse(const char *text, size_t warnings) {
    hk_fmu *fmu = NULL;
    size_t before = hk_ctx_count(ctx, HK_WARNING);
    hk_status status = hk_fmu_parse_description(ctx, "md.xml", text, strlen(text), &fmu);
    size_t after = hk_ctx_count(ctx, HK_WARNING);
    if (status != HK_OK || after - before != warnings)
        for (size_t i = 0; i < hk_ctx_count(ctx, HK_NOTE); i++)
            print_message("%s\n", hk_ctx_diag(ctx, i)->text);
    assert_int_equal(status, HK_OK);
    assert_int_equal(after - before, warnings);
    return fmu;
}

static const hk_variable *find(const hk_info *info, const char *name) {
    uint32_t index = hk_info_find(info, name);
    assert_int_not_equal(index, HK_MAP_NONE);
    return &info->variables[index];
}

static const char whole[] =
    "<fmiModelDescription fmiVersion=\"3.0.1\" modelName=\"Whole\" instantiationToken=\"{g}\" "
    "version=\"3\" author=\"A\">\n"
    "<ModelExchange modelIdentifier=\"whole_me\"/>\n"
    "<CoSimulation modelIdentifier=\"whole_cs\" canSerializeFMUState=\"1\" hasEventMode=\"true\" "
    "canHandleVariableCommunicationStepSize=\"true\" mightReturnEarlyFromDoStep=\"true\" "
    "providesIntermediateUpdate=\"true\" fixedInternalStepSize=\"0.25\" "
    "maxOutputDerivativeOrder=\"2\" providesDirectionalDerivatives=\"true\" unheardOf=\"7\"/>\n"
    "<UnitDefinitions>"
    "<Unit name=\"degC\"><BaseUnit K=\"1\" offset=\"273.15\"/></Unit>"
    "</UnitDefinitions>\n"
    "<TypeDefinitions>"
    "<Float64Type name=\"Temp\" unit=\"degC\" min=\"-50\" nominal=\"20\"/>"
    "<EnumerationType name=\"Gear\" max=\"4\"><Item name=\"low\" value=\"-1\"/>"
    "<Item name=\"high\" value=\"4\"/></EnumerationType>"
    "<ClockType name=\"Tick\" intervalVariability=\"constant\" intervalDecimal=\"0.1\"/>"
    "</TypeDefinitions>\n"
    "<LogCategories><Category name=\"logStatusError\"/><Category name=\"x\"/></LogCategories>\n"
    "<DefaultExperiment stopTime=\"2\" stepSize=\"0.01\"/>\n"
    "<ModelVariables>\n" TIME
    "<Float32 name=\"f\" valueReference=\"1\" causality=\"parameter\" start=\"0.1\"/>\n"
    "<Int8 name=\"i8\" valueReference=\"2\" causality=\"input\" start=\"-128\"/>\n"
    "<UInt8 name=\"u8\" valueReference=\"3\" causality=\"input\" start=\"255\"/>\n"
    "<Int16 name=\"i16\" valueReference=\"4\" causality=\"input\" start=\"-32768\"/>\n"
    "<UInt16 name=\"u16\" valueReference=\"5\" causality=\"input\" start=\"65535\"/>\n"
    "<Int32 name=\"i32\" valueReference=\"6\" causality=\"input\" start=\"-2147483648\"/>\n"
    "<UInt32 name=\"u32\" valueReference=\"7\" causality=\"input\" start=\"4294967295\"/>\n"
    "<Int64 name=\"i64\" valueReference=\"8\" causality=\"input\" "
    "start=\"-9223372036854775808\"/>\n"
    "<UInt64 name=\"u64\" valueReference=\"9\" causality=\"input\" "
    "start=\"18446744073709551615\"/>\n"
    "<Boolean name=\"b\" valueReference=\"10\" causality=\"input\" start=\"true\"/>\n"
    "<String name=\"s\" valueReference=\"11\" causality=\"parameter\"><Dimension start=\"2\"/>"
    "<Start value=\"one two\"/><Start value=\"\"/></String>\n"
    "<Binary name=\"raw\" valueReference=\"12\" causality=\"input\"><Start value=\"00fF\"/>"
    "</Binary>\n"
    "<Enumeration name=\"gear\" valueReference=\"13\" declaredType=\"Gear\" causality=\"input\" "
    "start=\"4\"/>\n"
    "<Clock name=\"tick\" valueReference=\"14\" causality=\"input\" declaredType=\"Tick\" "
    "shiftDecimal=\"0.05\" priority=\"3\" canBeDeactivated=\"true\"/>\n"
    "<Clock name=\"event\" valueReference=\"15\" causality=\"output\" "
    "intervalVariability=\"triggered\" clocks=\"14\"/>\n"
    "<Float64 name=\"y\" valueReference=\"16\" causality=\"output\" declaredType=\"Temp\" "
    "max=\"90\" clocks=\"14 15\"><Alias name=\"y2\" description=\"again\" displayUnit=\"K\"/>"
    "<Alias name=\"y3\"/></Float64>\n"
    "<Float64 name=\"x\" valueReference=\"17\" initial=\"exact\" start=\"1\"/>\n"
    "<Float64 name=\"der\" valueReference=\"18\" derivative=\"17\"/>\n"
    "</ModelVariables>\n"
    "<ModelStructure><Output valueReference=\"16\" dependencies=\"2 17\" "
    "dependenciesKind=\"constant dependent\"/>"
    "<Output valueReference=\"15\" dependencies=\"\"/>"
    "<ContinuousStateDerivative valueReference=\"18\"/>"
    "<InitialUnknown valueReference=\"16\" dependencies=\"1\"/>"
    "<EventIndicator valueReference=\"17\"/></ModelStructure>\n"
    "<Annotations><Annotation type=\"other\"><Schedule stamp=\"x\"/></Annotation>"
    "<Annotation type=\"org.hocket.schedule\"><hk:Schedule "
    "xmlns:hk=\"urn:org.hocket:schedule:1\" stamp=\"start\"/></Annotation></Annotations>\n"
    "</fmiModelDescription>\n";

static void test_root(void **state) {
    (void)state;
    hk_fmu *fmu = parse(whole, 0);
    const hk_info *info = hk_fmu_info(fmu);
    const hk_fmu_facts *facts = hk_fmu_get_facts(fmu);
    assert_string_equal(info->name, "Whole");
    assert_string_equal(info->kind, "FMI 3.0 co-simulation");
    assert_int_equal(info->stamp, HK_STAMP_START);
    assert_string_equal(facts->guid, "{g}");
    assert_string_equal(facts->model_identifier, "whole_cs");
    assert_string_equal(facts->fmi_version, "3.0.1");
    assert_true(facts->model_exchange && facts->co_simulation && !facts->scheduled_execution);
    assert_true(facts->has_event_mode && facts->might_return_early && facts->intermediate_update);
    assert_true(facts->fixed_internal_step == 0.25);
    assert_true(info->can.variable_step && info->can.save_state && info->can.serialize_state);
    assert_true(info->can.directional_derivatives && info->can.output_derivative_order == 2);
    assert_int_equal(facts->log_category_count, 2);
    assert_int_equal(fmu->failure_log_count, 1);
    assert_int_equal(facts->type_count, 3);
    assert_true(info->defaults.has_stop && info->defaults.has_step && !info->defaults.has_start);
    hk_fmu_close(fmu);
}

static void test_types(void **state) {
    (void)state;
    static const char *const names[] = {"f",   "i8",  "u8", "i16", "u16", "i32", "u32",
                                        "i64", "u64", "b",  "s",   "raw", "gear"};
    static const char *const starts[] = {"0.1",
                                         "-128",
                                         "255",
                                         "-32768",
                                         "65535",
                                         "-2147483648",
                                         "4294967295",
                                         "-9223372036854775808",
                                         "18446744073709551615",
                                         "true",
                                         "one two",
                                         "00ff",
                                         "4"};
    hk_fmu *fmu = parse(whole, 0);
    const hk_info *info = hk_fmu_info(fmu);
    hk_arena *arena = hk_arena_create();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const hk_variable *v = find(info, names[i]);
        assert_int_equal(v->store, hk_store_of(v->type));
        assert_int_equal(v->initial, HK_EXACT);
        assert_string_equal(hk_value_format(arena, v->type, v->store, v->start.data), starts[i]);
    }
    hk_arena_destroy(arena);
    assert_int_equal(find(info, "f")->type, HK_TYPE_F32);
    assert_int_equal(find(info, "f")->variability, HK_FIXED);
    assert_int_equal(find(info, "i8")->variability, HK_DISCRETE);
    assert_int_equal(find(info, "x")->variability, HK_CONTINUOUS);
    assert_int_equal(find(info, "b")->store, HK_STORE_BOOL8);
    const hk_variable *gear = find(info, "gear");
    assert_int_equal(gear->store, HK_STORE_I64);
    assert_true(gear->max == 4 && isnan(gear->min));
    assert_int_equal(gear->enumeration->item_count, 2);
    const hk_variable *s = find(info, "s");
    assert_int_equal(s->count, 2);
    assert_int_equal(((const hk_bytes *)s->start.data)[1].size, 0);
    hk_fmu_close(fmu);
}

static void test_aliases_and_structure(void **state) {
    (void)state;
    hk_fmu *fmu = parse(whole, 0);
    const hk_info *info = hk_fmu_info(fmu);
    const hk_variable *y = find(info, "y"), *y2 = find(info, "y2"), *y3 = find(info, "y3");
    uint32_t index = hk_info_find(info, "y");
    assert_true(y->alias_of == index && y2->alias_of == index && y3->alias_of == index);
    assert_int_equal(y2->ref, 16);
    assert_string_equal(y2->description, "again");
    assert_string_equal(y2->display_unit, "K");
    assert_null(y3->description);
    assert_true(y->min == -50 && y->max == 90 && y->nominal == 20 && y->uom != NULL);
    assert_true(y3->depends.known);
    assert_int_equal(y3->depends.count, 2);
    assert_int_equal(y3->depends.on[0], hk_info_find(info, "i8"));
    assert_int_equal(y3->depends.on[1], hk_info_find(info, "x"));
    assert_int_equal(y->depends_init.on[0], hk_info_find(info, "f"));
    hk_fmu_close(fmu);
}

static void test_clocks(void **state) {
    (void)state;
    hk_fmu *fmu = parse(whole, 0);
    const hk_info *info = hk_fmu_info(fmu);
    const hk_fmu_facts *facts = hk_fmu_get_facts(fmu);
    assert_int_equal(facts->clock_count, 2);
    const hk_fmu_clock *tick = &facts->clocks[0], *event = &facts->clocks[1];
    assert_string_equal(info->variables[tick->variable].name, "tick");
    assert_string_equal(tick->interval, "constant");
    assert_true(tick->has_interval && tick->period.num == 1 && tick->period.den == 10);
    assert_true(tick->shift.num == 1 && tick->shift.den == 20);
    assert_true(tick->has_priority && tick->priority == 3 && tick->can_be_deactivated);
    assert_string_equal(event->interval, "triggered");
    assert_true(!event->has_interval && !event->supports_fraction && !event->has_priority);
    hk_fmu_close(fmu);
    fmu = parse(HEAD "<Clock name=\"c\" valueReference=\"1\" causality=\"input\" "
                     "intervalVariability=\"fixed\" supportsFraction=\"true\" resolution=\"48000\" "
                     "intervalCounter=\"32\" shiftCounter=\"8\"/>\n" TAIL,
                0);
    const hk_fmu_clock *c = &hk_fmu_get_facts(fmu)->clocks[0];
    assert_true(c->period.num == 1 && c->period.den == 1500 && c->shift.den == 6000);
    assert_true(c->supports_fraction);
    hk_fmu_close(fmu);
}

#define N                                                                                          \
    "<UInt64 name=\"n\" valueReference=\"1\" causality=\"structuralParameter\" start=\"3\"/>\n"

static const char arrays[] = HEAD
    "<Float64 name=\"a\" valueReference=\"2\" causality=\"input\" start=\"1.5\">"
    "<Dimension valueReference=\"1\"/><Dimension start=\"2\"/><Alias name=\"aa\"/></Float64>\n"
    "<Int32 name=\"list\" valueReference=\"3\" causality=\"parameter\" start=\" 1 2\n3 \">"
    "<Dimension valueReference=\"1\"/></Int32>\n"
    "<String name=\"s\" valueReference=\"4\" causality=\"parameter\">"
    "<Dimension valueReference=\"1\"/><Start value=\"same\"/></String>\n"
    "<UInt64 name=\"k\" valueReference=\"5\" variability=\"constant\" start=\"2\"/>\n"
    "<Float32 name=\"c\" valueReference=\"6\"><Dimension valueReference=\"5\"/></Float32>\n" N TAIL;

static void test_arrays(void **state) {
    (void)state;
    hk_fmu *fmu = parse(arrays, 0);
    const hk_info *info = hk_fmu_info(fmu);
    assert_int_equal(hk_fmu_get_facts(fmu)->structural_parameter_count, 1);
    const hk_variable *a = find(info, "aa");
    assert_true(a->count == 6 && a->dim_count == 2 && a->dims[0] == 3 && a->dims[1] == 2);
    assert_true(((const double *)a->start.data)[5] == 1.5);
    assert_int_equal(((const int32_t *)find(info, "list")->start.data)[2], 3);
    assert_int_equal(find(info, "s")->start.count, 3);
    assert_int_equal(find(info, "c")->count, 2);
    assert_int_equal(find(info, "n")->causality, HK_STRUCTURAL_PARAMETER);
    hk_fmu_close(fmu);
}

static hk_status resize(const hk_info *info, uint64_t size, const hk_info **ret_info) {
    uint32_t n = hk_info_find(info, "n");
    hk_value value = {.type = HK_TYPE_U64, .count = 1, .data = &size};
    return hk_fmi3_resize(ctx, info, &n, &value, 1, ret_info);
}

/* A size of 0 is one if the parameter says that it may be that small. */
static void test_empty_arrays(void **state) {
    (void)state;
    hk_fmu *fmu =
        parse(HEAD "<Float64 name=\"a\" valueReference=\"2\" causality=\"input\" start=\"1.5\">"
                   "<Dimension valueReference=\"1\"/></Float64>\n"
                   "<UInt64 name=\"n\" valueReference=\"1\" causality=\"structuralParameter\""
                   " variability=\"tunable\" min=\"0\" start=\"2\"/>\n" TAIL,
              0);
    const hk_info *info = hk_fmu_info(fmu), *other = NULL, *again = NULL;
    assert_int_equal(resize(info, 0, &other), HK_OK);
    assert_int_equal(find(other, "a")->count, 0);
    assert_int_equal(resize(other, 4, &again), HK_OK);
    assert_true(find(again, "a")->count == 4 && ((double *)find(again, "a")->start.data)[3] == 1.5);
    hk_fmu_close(fmu);
}

static void test_resize(void **state) {
    (void)state;
    hk_fmu *fmu = parse(arrays, 0);
    const hk_info *info = hk_fmu_info(fmu), *other, *again;
    assert_int_equal(resize(info, 5, &other), HK_OK);
    assert_int_equal(*(const uint64_t *)find(other, "n")->start.data, 5);
    assert_int_equal(*(const uint64_t *)find(info, "n")->start.data, 3);
    const hk_variable *a = find(other, "a");
    assert_true(a->count == 10 && a->dims[0] == 5 && a->dims[1] == 2 && a->start.count == 10);
    assert_true(((const double *)a->start.data)[9] == 1.5);
    assert_true(find(other, "aa")->count == 10 && find(info, "aa")->count == 6);
    assert_null(find(other, "list")->start.data); /* a list of three means nothing for five */
    assert_int_equal(find(other, "list")->count, 5);
    assert_string_equal(((const hk_bytes *)find(other, "s")->start.data)[4].data, "same");
    assert_int_equal(find(other, "c")->count, 2);
    assert_int_equal(resize(other, 3, &again), HK_OK); /* and back */
    assert_int_equal(((const int32_t *)find(again, "list")->start.data)[2], 3);
    other = NULL;
    assert_int_equal(resize(info, 0, &other), HK_E_PARAMETER);
    assert_int_equal(resize(info, UINT64_MAX, &other), HK_E_PARAMETER);
    assert_int_equal(resize(info, (uint64_t)1 << 31, &other), HK_E_PARAMETER);
    assert_null(other);
    assert_int_equal(hk_ctx_count(ctx, HK_ERROR), 3);
    hk_fmu_close(fmu);
}

static void test_tolerated(void **state) {
    (void)state;
    /* no independent, no start, start although calculated, unit, type, kinds, output not listed */
    hk_fmu *fmu = parse(
        ROOT "<ModelVariables>\n"
             "<Float64 name=\"u\" valueReference=\"1\" causality=\"input\" unit=\"?\"/>\n"
             "<Float64 name=\"y\" valueReference=\"2\" causality=\"output\" start=\"1\"/>\n"
             "<Enumeration name=\"e\" valueReference=\"3\" causality=\"output\"/>\n"
             "</ModelVariables><ModelStructure><Output valueReference=\"2\" dependencies=\"1\" "
             "dependenciesKind=\"sometimes\"/></ModelStructure></fmiModelDescription>\n",
        7);
    assert_null(find(hk_fmu_info(fmu), "y")->start.data);
    hk_fmu_close(fmu);
    fmu = parse(HEAD "<Float64 name=\"huge\" valueReference=\"1\" causality=\"input\" start=\"0\">"
                     "<Dimension start=\"1000000000\"/></Float64>\n" TAIL,
                1);
    assert_int_equal(find(hk_fmu_info(fmu), "huge")->count, 1000000000);
    assert_null(find(hk_fmu_info(fmu), "huge")->start.data);
    hk_fmu_close(fmu);
}

static void test_wrong(void **state) {
    (void)state;
    forgive("<fmiModelDescription fmiVersion=\"3.0\" modelName=\"m\">\n</fmiModelDescription>", 1,
            "instantiationToken");
    forgive("<fmiModelDescription fmiVersion=\"3.0\" modelName=\"m\" instantiationToken=\"\">\n"
            "</fmiModelDescription>",
            1, "instantiationToken");
    forgive("<fmiModelDescription fmiVersion=\"3.0\" modelName=\"m\" instantiationToken=\"1\"/>\n",
            1, "no interface");
    forgive(HEAD "<Real name=\"r\" valueReference=\"1\"/>\n" TAIL, 5,
            "'Real' is an element that FMI does not know");
    forgive(HEAD "<Float64 name=\"r\" valueReference=\"0\"/>\n" TAIL, 5,
            "'r' has the value reference of another");
    forgive(HEAD "<Float64 name=\"a\" valueReference=\"1\"><Alias name=\"time\"/></Float64>\n" TAIL,
            5, "declared twice");
    forgive(HEAD "<Int32 name=\"a\" valueReference=\"1\" variability=\"continuous\"/>\n" TAIL, 5,
            "only floating-point");
    forgive(HEAD
            "<Int32 name=\"a\" valueReference=\"1\" causality=\"input\" start=\"1 2\"/>\n" TAIL,
            5, "not a start value of the variable's type and size");
    forgive(HEAD "<Int8 name=\"a\" valueReference=\"1\" causality=\"input\" start=\"128\"/>\n" TAIL,
            5, "a: 128");
    forgive(HEAD "<Binary name=\"a\" valueReference=\"1\" causality=\"input\">\n"
                 "<Start value=\"0\"/></Binary>\n" TAIL,
            6, "not a start value");
    forgive(HEAD "<Float64 name=\"a\" valueReference=\"1\" causality=\"input\" initial=\"approx\" "
                 "start=\"1\"/>\n" TAIL,
            5, "attribute initial that FMI does not allow");
    forgive(HEAD "<Clock name=\"a\" valueReference=\"1\" causality=\"input\"/>\n" TAIL, 5,
            "intervalVariability");
    forgive(HEAD "<Clock name=\"a\" valueReference=\"1\" causality=\"input\" "
                 "intervalVariability=\"constant\" intervalCounter=\"2\"/>\n" TAIL,
            5, "clock whose interval");
    forgive(ROOT "<ModelVariables>" TIME "</ModelVariables><ModelStructure>\n"
                 "<Output valueReference=\"9\"/></ModelStructure></fmiModelDescription>",
            5, "Output valueReference=\"9\"");
    forgive(ROOT "<ModelVariables>" TIME "</ModelVariables><ModelStructure/><Annotations>\n"
                 "<Annotation type=\"org.hocket.schedule\"><hk:Schedule "
                 "xmlns:hk=\"urn:org.hocket:schedule:1\" stamp=\"middle\"/></Annotation>"
                 "</Annotations></fmiModelDescription>",
            5, "middle");
}

static void test_pulses(void **state) {
    (void)state;
#define PULSES(names)                                                                              \
    HEAD "<Float64 name=\"o\" valueReference=\"1\" causality=\"output\" "                          \
         "variability=\"discrete\"/><String name=\"s\" valueReference=\"2\" "                      \
         "causality=\"output\"/></ModelVariables><ModelStructure><Output "                         \
         "valueReference=\"1\"/><Output valueReference=\"2\"/></ModelStructure><Annotations>"      \
         "<Annotation type=\"org.hocket.schedule\">\n<hk:Schedule "                                \
         "xmlns:hk=\"urn:org.hocket:schedule:1\" pulses=\"" names                                  \
         "\"/></Annotation></Annotations>"                                                         \
         "</fmiModelDescription>"
    hk_fmu *fmu = parse(PULSES(" o "), 0);
    const hk_info *info = hk_fmu_info(fmu);
    for (size_t i = 0; i < info->variable_count; i++)
        assert_true(info->variables[i].pulse == (strcmp(info->variables[i].name, "o") == 0));
    hk_fmu_close(fmu);
    forgive(PULSES("o s"), 6, "'s' is among the pulses");
    forgive(PULSES("o nobody"), 6, "'nobody' is among the pulses");
    forgive(PULSES("time"), 6, "'time' is among the pulses");
}

#define ARRAY(dimensions)                                                                          \
    HEAD "<Float64 name=\"a\" valueReference=\"2\" causality=\"input\" start=\"1\">\n" dimensions  \
         "</Float64>\n" N TAIL

static void test_wrong_arrays(void **state) {
    (void)state;
    forgive(ARRAY("<Dimension/>"), 5, "neither");
    forgive(ARRAY("<Dimension start=\"1\" valueReference=\"1\"/>"), 5, "both");
    forgive(ARRAY("<Dimension start=\"-1\"/>"), 5, "'-1'");
    forgive(ARRAY("<Dimension start=\"0\"/>"), 5, "size 0");
    forgive(ARRAY("<Dimension valueReference=\"7\"/>"), 5, "is not there");
    forgive(ARRAY("<Dimension valueReference=\"0\"/>"), 5, "names 'time'");
    forgive(ARRAY("<Dimension valueReference=\"2\"/>"), 5, "names 'a'");
    forgive(ARRAY("<Dimension start=\"4294967296\"/><Dimension start=\"4294967296\"/>"), 5,
            "more than");
    forgive(ARRAY("<Dimension start=\"2147483648\"/><Dimension start=\"2\"/>"), 5,
            "more than 2147483648");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_root, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_types, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_aliases_and_structure, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_clocks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_arrays, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_empty_arrays, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_resize, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_tolerated, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_wrong, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_wrong_arrays, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_pulses, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

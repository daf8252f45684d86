/* SPDX-License-Identifier: MIT */
#include "export/export_internal.h"

#include "format/xml.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct probe {
    double u, y, time, list[3];
    float f;
    uint64_t big;
    hk_bytes text, blob;
    hk_stream noise;
    hk_binding chart;
} probe;

static int probe_function(void *self, double t) {
    (void)self;
    (void)t;
    return HK_STEP_OK;
}

static int probe_step(void *self, double t, double h) {
    (void)h;
    return probe_function(self, t);
}

/* The ports of each test: some of these, with one of them changed. */
enum { U, Y, TIME, LIST, F, BIG, TEXT, BLOB, PORTS };
static const hk_port probe_ports[PORTS] = {
    HK_PORT(probe, u, HK_INPUT, HK_TYPE_F64, .unit = "km/h", .start = "-0"),
    HK_PORT(probe, y, HK_OUTPUT, HK_TYPE_F64, .unit = "km/h", .depends_on = "u"),
    HK_PORT(probe, time, HK_PARAMETER, HK_TYPE_F64, .start = "1e22", .description = "<&\">"),
    HK_PORT(probe, list, HK_OUTPUT, HK_TYPE_F64, .count = 3, .start = "1 0.1 1e-300"),
    HK_PORT(probe, f, HK_INPUT, HK_TYPE_F32, .start = "0.1"),
    HK_PORT(probe, big, HK_INPUT, HK_TYPE_U64, .start = "18446744073709551615"),
    HK_PORT(probe, text, HK_INPUT, HK_TYPE_STRING, .start = "a\"?\n"),
    HK_PORT(probe, blob, HK_INPUT, HK_TYPE_BINARY, .start = "00ff"),
};

typedef struct fixture {
    hk_ctx *ctx;
    hk_arena *arena;
    hk_port ports[PORTS];
    hk_unit_type type;
    hk_export_options options;
    hk_export e;
} fixture;

static int set_up(void **state) {
    fixture *f = hk_alloc(sizeof *f);
    f->ctx = hk_ctx_create(NULL, NULL);
    f->arena = hk_arena_create();
    memcpy(f->ports, probe_ports, sizeof probe_ports);
    f->type = (hk_unit_type){HK_UNIT_TYPE(probe),    .ports = f->ports,        .port_count = PORTS,
                             .init = probe_function, .output = probe_function, .step = probe_step,
                             .stamp = HK_STAMP_START};
    f->options.fmi = 3;
    f->options.tool = "test";
    f->e = (hk_export){.ctx = f->ctx,
                       .arena = f->arena,
                       .options = &f->options,
                       .model = hk_model_create("m", NULL),
                       .name = "probe",
                       .identifier = "probe",
                       .guid = "{1}"};
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    hk_model_destroy(f->e.model);
    hk_arena_destroy(f->arena);
    hk_ctx_destroy(f->ctx);
    hk_free(f);
    return 0;
}

static hk_status check(fixture *f) {
    assert_int_equal(hk_native_info(f->ctx, f->e.model, &f->type, &f->e.info), HK_OK);
    hk_export_add_random(&f->e);
    hk_export_find_enums(&f->e);
    return hk_export_check(&f->e);
}

static const hk_xml *parse(fixture *f, void (*write)(const hk_export *, FILE *)) {
    const hk_xml *root = NULL;
    const char *text = hk_export_text(f->arena, write, &f->e);
    assert_int_equal(hk_xml_parse(f->ctx, f->arena, "x", text, strlen(text), &root), HK_OK);
    return root;
}

static const hk_xml *named(const hk_xml *parent, const char *name) {
    for (const hk_xml *child = parent->child; child; child = child->next)
        if (hk_xml_attr_get(child, "name") && strcmp(hk_xml_attr_get(child, "name"), name) == 0)
            return child;
    fail_msg("there is no '%s'", name);
    return NULL;
}

static void test_fmi3(void **state) {
    fixture *f = *state;
    assert_int_equal(check(f), HK_OK);
    const hk_xml *root = parse(f, hk_export_describe_fmi3);
    const hk_xml *variables = hk_xml_child(root, NULL, "ModelVariables");
    assert_string_equal(hk_xml_attr_get(named(variables, "u"), "start"), "-0");
    assert_string_equal(hk_xml_attr_get(named(variables, "f"), "start"), "0.1");
    assert_string_equal(hk_xml_attr_get(named(variables, "list"), "start"), "1 0.1 1e-300");
    assert_string_equal(hk_xml_attr_get(named(variables, "list"), "initial"), "exact");
    assert_string_equal(hk_xml_attr_get(named(variables, "big"), "start"), "18446744073709551615");
    assert_string_equal(hk_xml_attr_get(named(variables, "text")->child, "value"), "a\"?\n");
    assert_string_equal(hk_xml_attr_get(named(variables, "blob")->child, "value"), "00ff");
    assert_string_equal(hk_xml_attr_get(named(variables, "time"), "description"), "<&\">");
    /* A port has the name of the independent variable, which gives way. */
    assert_string_equal(hk_xml_attr_get(named(variables, "time_2"), "causality"), "independent");
    assert_string_equal(hk_xml_attr_get(named(variables, "time_2"), "valueReference"), "8");
    const hk_xml *structure = hk_xml_child(root, NULL, "ModelStructure");
    assert_string_equal(hk_xml_attr_get(structure->child, "dependencies"), "0");
    const hk_xml *initial = hk_xml_child(structure, NULL, "InitialUnknown");
    assert_string_equal(hk_xml_attr_get(initial, "dependencies"), "0 2 3");
    assert_null(hk_xml_next(initial, NULL, "InitialUnknown"));
}

static void test_fmi2(void **state) {
    fixture *f = *state;
    f->options.fmi = 2;
    f->type.port_count = BIG;
    assert_int_equal(check(f), HK_OK);
    const hk_xml *root = parse(f, hk_export_describe_fmi2);
    const hk_xml *variables = hk_xml_child(root, NULL, "ModelVariables");
    assert_string_equal(hk_xml_attr_get(named(variables, "list[3]"), "valueReference"), "5");
    assert_string_equal(hk_xml_attr_get(named(variables, "list[3]")->child, "start"), "1e-300");
    assert_string_equal(hk_xml_attr_get(named(variables, "f")->child, "start"),
                        "0.10000000149011612");
    const hk_xml *structure = hk_xml_child(root, NULL, "ModelStructure");
    const hk_xml *outputs = hk_xml_child(structure, NULL, "Outputs");
    assert_string_equal(hk_xml_attr_get(outputs->child, "index"), "2");
    assert_string_equal(hk_xml_attr_get(outputs->child, "dependencies"), "1");
    assert_null(hk_xml_attr_get(outputs->child->next, "dependencies"));
    const hk_xml *initial = hk_xml_child(structure, NULL, "InitialUnknowns");
    assert_string_equal(hk_xml_attr_get(initial->child, "dependencies"), "1 3 4 5 6");
    assert_null(initial->child->next);
    const hk_xml *units = hk_xml_child(root, NULL, "UnitDefinitions");
    assert_null(units->child->next);
    assert_string_equal(hk_xml_attr_get(units->child->child, "factor"), "0.2777777777777778");
}

static void test_fmi1(void **state) {
    fixture *f = *state;
    f->options.fmi = 1;
    f->type.port_count = BIG;
    assert_int_equal(check(f), HK_OK);
    const hk_xml *root = parse(f, hk_export_describe_fmi1);
    const hk_xml *variables = hk_xml_child(root, NULL, "ModelVariables");
    assert_string_equal(hk_xml_attr_get(named(variables, "time"), "variability"), "parameter");
    const hk_xml *depends = hk_xml_child(named(variables, "y"), NULL, "DirectDependency");
    assert_string_equal(depends->child->text, "u");
    const hk_xml *notes = hk_xml_child(root, NULL, "VendorAnnotations");
    assert_string_equal(hk_xml_attr_get(notes->child->child, "value"), "start");
    assert_non_null(hk_xml_child(root, NULL, "Implementation"));
}

static void test_model(void **state) {
    fixture *f = *state;
    assert_int_equal(check(f), HK_OK);
    const char *text = hk_export_text(f->arena, hk_export_write_model, &f->e);
    assert_non_null(strstr(text, "start_0[] = {-0.0}"));
    assert_non_null(strstr(text, "start_2[] = {1e22}"));
    assert_non_null(strstr(text, "start_4[] = {0.1f}"));
    assert_non_null(strstr(text, "UINT64_C(18446744073709551615)"));
    assert_non_null(strstr(text, "{\"a\\042\\077\\012\", 4}"));
    assert_non_null(strstr(text, "{\"\\000\\377\", 2}"));
    assert_non_null(strstr(text, ".types = hk_plugin"));
}

/* Seed and run are parameters after the ports, and one of them gives way to a port of its name. */
static void test_random(void **state) {
    fixture *f = *state;
    static const hk_stream_field streams[] = {{"noise", offsetof(probe, noise)}};
    f->ports[F].name = "random.run";
    f->type.streams = streams;
    f->type.stream_count = 1;
    assert_int_equal(check(f), HK_OK);
    const hk_xml *root = parse(f, hk_export_describe_fmi3);
    const hk_xml *variables = hk_xml_child(root, NULL, "ModelVariables");
    const hk_xml *seed = named(variables, "random.seed");
    assert_string_equal(seed->name, "UInt64");
    assert_string_equal(hk_xml_attr_get(seed, "valueReference"), "8");
    assert_string_equal(hk_xml_attr_get(seed, "causality"), "parameter");
    assert_string_equal(hk_xml_attr_get(seed, "start"), "0");
    assert_string_equal(hk_xml_attr_get(named(variables, "random.run_2"), "valueReference"), "9");
    assert_string_equal(hk_xml_attr_get(named(variables, "time_2"), "valueReference"), "10");
    const hk_xml *structure = hk_xml_child(root, NULL, "ModelStructure");
    const hk_xml *initial = hk_xml_child(structure, NULL, "InitialUnknown");
    assert_string_equal(hk_xml_attr_get(initial, "dependencies"), "0 2 3 8 9");
    const char *text = hk_export_text(f->arena, hk_export_write_model, &f->e);
    assert_non_null(strstr(text, ".port_count = 8,"));
    assert_non_null(strstr(text, "start_9[] = {UINT64_C(0)}"));
}

static void refuse(fixture *f, const char *element, const char *text) {
    assert_int_equal(check(f), HK_E_EXPORT);
    const hk_diag *diag = hk_ctx_diag(f->ctx, hk_ctx_count(f->ctx, HK_NOTE) - 1);
    assert_string_equal(diag->where.element, element);
    assert_non_null(strstr(diag->text, text));
}

/* Limits as the type of each version can hold them. */
static void test_limits(void **state) {
    fixture *f = *state;
    static const hk_domain domains[] = {
        {.port = "u", .min = "-0.1", .max = "1e300"},
        {.port = "f", .max = "0.1"},
        {.port = "big", .min = "0.5", .max = "1e12"},
    };
    f->type.domains = domains;
    f->type.domain_count = 3;
    f->ports[BIG].start = "1";
    assert_int_equal(check(f), HK_OK);
    const hk_xml *variables =
        hk_xml_child(parse(f, hk_export_describe_fmi3), NULL, "ModelVariables");
    assert_string_equal(hk_xml_attr_get(named(variables, "u"), "min"), "-0.1");
    assert_string_equal(hk_xml_attr_get(named(variables, "u"), "max"), "1e300");
    assert_string_equal(hk_xml_attr_get(named(variables, "f"), "max"), "0.1");
    assert_null(hk_xml_attr_get(named(variables, "f"), "min"));
    assert_string_equal(hk_xml_attr_get(named(variables, "big"), "min"), "1");
    assert_string_equal(hk_xml_attr_get(named(variables, "big"), "max"), "1000000000000");
    assert_null(hk_xml_attr_get(named(variables, "y"), "min"));
    f->options.fmi = 2;
    variables = hk_xml_child(parse(f, hk_export_describe_fmi2), NULL, "ModelVariables");
    /* equal to the largest start value that the port can have */
    assert_string_equal(hk_xml_attr_get(named(variables, "f")->child, "max"),
                        "0.10000000149011612");
    assert_string_equal(hk_xml_attr_get(named(variables, "big")->child, "min"), "1");
    assert_null(hk_xml_attr_get(named(variables, "big")->child, "max")); /* no Integer is more */
}

static void test_start_outside(void **state) {
    fixture *f = *state;
    static const hk_domain domains[] = {{.port = "list", .min = "1e-200"}};
    f->type.domains = domains;
    f->type.domain_count = 1;
    assert_int_equal(check(f), HK_OK);
    const hk_diag *diag = hk_ctx_diag(f->ctx, hk_ctx_count(f->ctx, HK_NOTE) - 1);
    assert_int_equal(diag->severity, HK_WARNING);
    assert_string_equal(diag->where.element, "port 'list'");
    assert_string_equal(diag->text, "its start value is 1e-300, below its minimum 1e-200");
}

/* Two tables of one name are two types. */
static void test_enums(void **state) {
    fixture *f = *state;
    static const hk_enum_item items[] = {{"a", 1}, {"b", INT64_C(1) << 40}};
    static const hk_enum_type one = {"E", items, 2}, two = {"E", items, 1};
    static const hk_domain domains[] = {{.port = "u", .enumeration = &one},
                                        {.port = "y", .enumeration = &two},
                                        {.port = "time", .enumeration = &one}};
    f->ports[U].type = f->ports[Y].type = f->ports[TIME].type = HK_TYPE_ENUM;
    f->ports[U].unit = f->ports[Y].unit = NULL;
    f->ports[U].start = f->ports[TIME].start = "a";
    f->type.domains = domains;
    f->type.domain_count = 3;
    assert_int_equal(check(f), HK_OK);
    const hk_xml *root = parse(f, hk_export_describe_fmi3);
    const hk_xml *variables = hk_xml_child(root, NULL, "ModelVariables");
    assert_string_equal(hk_xml_attr_get(named(variables, "u"), "declaredType"), "E");
    assert_string_equal(hk_xml_attr_get(named(variables, "y"), "declaredType"), "E_2");
    assert_string_equal(hk_xml_attr_get(named(variables, "time"), "declaredType"), "E");
    const hk_xml *types = hk_xml_child(root, NULL, "TypeDefinitions");
    assert_string_equal(hk_xml_attr_get(named(types, "E")->child->next, "value"), "1099511627776");
    assert_null(named(types, "E_2")->child->next);
    f->options.fmi = 2;
    f->ports[BLOB].type = HK_TYPE_STRING;
    f->ports[BIG].start = "1";
    hk_model_destroy(f->e.model); /* a model knows a type as it was */
    f->e.model = hk_model_create("m", NULL);
    f->e.enum_count = 0;
    refuse(f, "enumeration 'E'", "its item 'b' is 1099511627776, which does not fit");
}

/* Everything on which the meaning of a saved state depends. */
static void test_layout(void **state) {
    fixture *f = *state;
    const char *texts[4];
    assert_int_equal(check(f), HK_OK);
    for (size_t i = 0; i < 4; i++) {
        texts[i] = hk_export_text(f->arena, hk_export_write_layout, &f->e);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(texts[k], texts[i]);
        if (i == 0)
            f->ports[Y].offset = offsetof(probe, time);
        else if (i == 1)
            f->ports[LIST].count = 2;
        else
            f->type.instance_size += 8;
    }
}

static void test_refused_binary(void **state) {
    fixture *f = *state;
    f->options.fmi = 2;
    f->ports[BIG].start = "1";
    refuse(f, "port 'blob'", "binary");
}

static void test_refused_start(void **state) {
    fixture *f = *state;
    f->options.fmi = 1;
    refuse(f, "port 'big'", "32-bit");
}

static void test_refused_nan(void **state) {
    fixture *f = *state;
    f->ports[LIST].start = "1 nan 2";
    refuse(f, "port 'list'", "finite");
}

static void test_refused_text(void **state) {
    fixture *f = *state;
    f->ports[TEXT].start = "bell \a";
    refuse(f, "port 'text'", "XML");
}

static void test_refused_name(void **state) {
    fixture *f = *state;
    f->ports[Y].name = "y\xff";
    refuse(f, "port 'y\xff'", "XML");
}

static void test_refused_service(void **state) {
    fixture *f = *state;
    static const int none;
    static const hk_interface interface = {
        .name = "sea.Chart", .signature = "sea.Chart", .stopped = &none};
    static const hk_service services[] = {
        {.name = "tide", .interface = &interface, .functions = &none},
        {.name = "chart", .interface = &interface, .offset = offsetof(probe, chart)},
    };
    f->type.services = services;
    f->type.service_count = 2; /* the one that it provides does no harm */
    refuse(f, "service 'chart'", "sea.Chart");
}

static void test_identifiers(void **state) {
    fixture *f = *state;
    assert_string_equal(hk_export_identifier(f->arena, "tank"), "tank");
    assert_string_equal(hk_export_identifier(f->arena, "2 big-tanks\xc3\xa9"), "_2_big_tanks__");
}

static void test_element_names(void **state) {
    fixture *f = *state;
    static const size_t dims[] = {2, 3};
    hk_variable v = {.name = "m", .count = 6, .dims = dims, .dim_count = 2};
    assert_string_equal(hk_export_element_name(f->arena, &v, 0), "m[1,1]");
    assert_string_equal(hk_export_element_name(f->arena, &v, 5), "m[2,3]");
    assert_string_equal(hk_export_element_name(f->arena, &v, 3), "m[2,1]");
    v.dim_count = 0;
    assert_string_equal(hk_export_element_name(f->arena, &v, 0), "m");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_fmi3),           TEST(test_fmi2),          TEST(test_fmi1),
        TEST(test_model),          TEST(test_random),        TEST(test_layout),
        TEST(test_refused_binary), TEST(test_refused_start), TEST(test_refused_nan),
        TEST(test_refused_text),   TEST(test_refused_name),  TEST(test_refused_service),
        TEST(test_limits),         TEST(test_start_outside), TEST(test_enums),
        TEST(test_identifiers),    TEST(test_element_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include "native/native.h"

#include <math.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct probe {
    double u, y, gain, list[3];
    int32_t steps;
    bool armed;
    int64_t mode;
    hk_bytes text, echo;
    uint8_t inits, outputs;
} probe;

static int ended;

static int probe_init(void *self, double t) {
    probe *x = self;
    x->inits++;
    return t < 0.0 ? HK_STEP_FAILED : HK_STEP_OK;
}

static int probe_output(void *self, double t) {
    probe *x = self;
    (void)t;
    x->outputs++;
    x->y = x->gain * x->u;
    return x->u > 1e6 ? HK_STEP_FAILED : HK_STEP_OK;
}

static int probe_step(void *self, double t, double h) {
    probe *x = self;
    (void)t;
    x->steps++;
    x->y += h * x->u;
    x->echo = x->text;
    return HK_STEP_OK;
}

static void probe_end(void *self) {
    (void)self;
    ended++;
}

static const hk_port probe_ports[] = {
    HK_PORT(probe, u, HK_INPUT, HK_TYPE_F64, .unit = "m/s", .start = "2.5"),
    HK_PORT(probe, y, HK_OUTPUT, HK_TYPE_F64, .unit = "m", .depends_on = " u "),
    HK_PORT(probe, gain, HK_PARAMETER, HK_TYPE_F64, .start = "2"),
    HK_PORT(probe, list, HK_PARAMETER, HK_TYPE_F64, .count = 3, .start = "1 2 3", .tunable = true),
    HK_PORT(probe, steps, HK_OUTPUT, HK_TYPE_I32, .start = "-7", .depends_on = ""),
    HK_PORT(probe, armed, HK_INPUT, HK_TYPE_BOOL, .start = "true"),
    HK_PORT(probe, mode, HK_LOCAL, HK_TYPE_ENUM),
    HK_PORT(probe, text, HK_INPUT, HK_TYPE_STRING, .start = "hello"),
    HK_PORT(probe, echo, HK_OUTPUT, HK_TYPE_STRING),
    {.name = "alias", .offset = offsetof(probe, y), .type = HK_TYPE_F64, .causality = HK_LOCAL},
};
enum { U, Y, GAIN, LIST, STEPS, ARMED, MODE, TEXT, ECHO, ALIAS, PORTS };

static const hk_unit_type probe_type = {
    HK_UNIT_TYPE(probe),    .ports = probe_ports, .port_count = PORTS, .init = probe_init,
    .output = probe_output, .step = probe_step,   .end = probe_end};

typedef struct fixture {
    hk_ctx *ctx;
    hk_model *model;
} fixture;

static int set_up(void **state) {
    fixture *f = hk_alloc(sizeof *f);
    f->ctx = hk_ctx_create(NULL, NULL);
    f->model = hk_model_create("m", NULL);
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    hk_model_destroy(f->model);
    hk_ctx_destroy(f->ctx);
    hk_free(f);
    return 0;
}

static const hk_info *describe_probe(fixture *f) {
    const hk_info *info = NULL;
    assert_int_equal(hk_native_info(f->ctx, f->model, &probe_type, &info), HK_OK);
    return info;
}

static hk_unit *open_probe(fixture *f, double start) {
    const hk_info *info = describe_probe(f);
    hk_unit_options options = {.name = "p", .start = start};
    hk_unit *unit = NULL;
    assert_int_equal(info->unit_class->open(f->ctx, info, &options, &unit), HK_OK);
    return unit;
}

static void test_description(void **state) {
    const hk_info *info = describe_probe(*state);
    const hk_variable *v = info->variables;
    assert_int_equal(info->variable_count, PORTS);
    assert_int_equal(hk_info_find(info, "gain"), GAIN);
    assert_true(info->can.variable_step && info->can.save_state && !info->can.serialize_state);
    assert_int_equal(v[U].variability, HK_CONTINUOUS);
    assert_int_equal(v[U].initial, HK_INITIAL_NONE);
    assert_non_null(v[U].uom);
    assert_int_equal(v[Y].initial, HK_CALCULATED);
    assert_null(v[Y].start.data);
    assert_true(v[Y].depends.known);
    assert_int_equal(v[Y].depends.count, 1);
    assert_int_equal(v[Y].depends.on[0], U);
    assert_int_equal(v[Y].depends_init.count, 1);
    assert_int_equal(v[GAIN].variability, HK_FIXED);
    assert_int_equal(v[GAIN].initial, HK_EXACT);
    assert_int_equal(v[LIST].variability, HK_TUNABLE);
    assert_int_equal(v[LIST].count, 3);
    assert_int_equal(v[LIST].dim_count, 1);
    assert_int_equal(v[STEPS].variability, HK_DISCRETE);
    assert_int_equal(v[STEPS].initial, HK_EXACT);
    assert_true(v[STEPS].depends.known);
    assert_int_equal(v[STEPS].depends.count, 0);
    assert_false(v[ECHO].depends.known);
    assert_int_equal(v[ALIAS].alias_of, Y);
    assert_int_equal(v[ECHO].alias_of, ECHO);
    assert_ptr_equal(describe_probe(*state), info);
}

static void test_life(void **state) {
    fixture *f = *state;
    hk_unit *unit = open_probe(f, 0.0);
    const hk_unit_class *class = unit->unit_class;
    probe *x = class->address(unit, U);
    assert_true(x->u == 2.5 && x->gain == 2.0 && x->list[2] == 3.0);
    assert_true(x->armed && x->steps == -7);
    assert_string_equal(x->text.data, "hello");
    assert_string_equal(x->echo.data, "");
    double gain = 4.0;
    hk_value value = {HK_TYPE_F64, 1, &gain};
    assert_int_equal(class->set_start(f->ctx, unit, GAIN, &value), HK_OK);
    assert_int_equal(class->enter_init(f->ctx, unit), HK_OK);
    assert_true(*(double *)class->address(unit, Y) == 10.0);
    assert_int_equal(x->inits, 1);
    *(double *)class->address(unit, U) = 1.0;
    assert_int_equal(class->refresh(f->ctx, unit, 0.0), HK_OK);
    assert_true(x->y == 4.0);
    assert_int_equal(hk_unit_exit_init(f->ctx, unit), HK_OK);
    hk_step_call step;
    class->bind_step(unit, &step);
    assert_int_equal(step.shape, HK_STEP_PLAIN);
    assert_int_equal(step.fn.plain(step.self, 0.0, 0.5), HK_STEP_OK);
    assert_true(x->y == 4.5);
    assert_int_equal(hk_unit_terminate(f->ctx, unit), HK_OK);
    ended = 0;
    class->close(unit);
    assert_int_equal(ended, 1);
}

static void test_failures_name_the_component(void **state) {
    fixture *f = *state;
    hk_unit *unit = open_probe(f, -1.5);
    assert_int_equal(unit->unit_class->enter_init(f->ctx, unit), HK_E_UNIT_FAILED);
    assert_string_equal(hk_ctx_diag(f->ctx, 0)->where.element, "component 'p'");
    assert_non_null(strstr(hk_ctx_diag(f->ctx, 0)->text, "-1.5"));
    hk_stepped end;
    assert_int_equal(unit->unit_class->step_failed(f->ctx, unit, 3, 0.25, 0.1, &end),
                     HK_E_UNIT_FAILED);
    assert_non_null(strstr(hk_ctx_diag(f->ctx, 1)->text, "0.25"));
    hk_call call;
    assert_int_equal(unit->unit_class->bind_set(f->ctx, unit, NULL, 0, NULL, &call), HK_E_INTERNAL);
    unit->unit_class->close(unit);
}

/* Texts are part of the state, and stay valid when their first owner has gone. */
static void test_state(void **state) {
    fixture *f = *state;
    hk_unit *unit = open_probe(f, 0.0);
    const hk_unit_class *class = unit->unit_class;
    probe *x = class->address(unit, U);
    assert_int_equal(class->enter_init(f->ctx, unit), HK_OK);
    char text[] = "first";
    x->text = (hk_bytes){text, 5};
    probe_step(x, 0.0, 1.0);
    double y = x->y;
    void *kept = NULL, *read = NULL;
    assert_int_equal(class->state_get(f->ctx, unit, &kept), HK_OK);
    memcpy(text, "other", 5);
    probe_step(x, 1.0, 1.0);
    assert_true(x->y != y);
    assert_int_equal(class->state_set(f->ctx, unit, kept), HK_OK);
    assert_true(x->y == y);
    assert_string_equal(x->echo.data, "first");
    char *data = NULL;
    size_t size = 0;
    assert_int_equal(class->state_save(f->ctx, unit, kept, &data, &size), HK_OK);
    class->state_free(unit, kept);
    x->text = x->echo = (hk_bytes){"", 0};
    x->y = 0.0;
    for (size_t cut = 0; cut < size; cut++)
        assert_int_equal(class->state_load(f->ctx, unit, data, cut, &read), HK_E_STATE_FILE);
    assert_int_equal(class->state_load(f->ctx, unit, data, size, &read), HK_OK);
    assert_int_equal(class->state_set(f->ctx, unit, read), HK_OK);
    class->state_free(unit, read);
    assert_true(x->y == y);
    assert_string_equal(x->text.data, "first");
    /* Saved again the bytes are the same: no address is in them. */
    char *again = NULL;
    size_t again_size = 0;
    void *fresh = NULL;
    assert_int_equal(class->state_get(f->ctx, unit, &fresh), HK_OK);
    assert_int_equal(class->state_get(f->ctx, unit, &fresh), HK_OK);
    assert_int_equal(class->state_save(f->ctx, unit, fresh, &again, &again_size), HK_OK);
    assert_int_equal(again_size, size);
    assert_memory_equal(again, data, size);
    class->state_free(unit, fresh);
    hk_free(again);
    hk_free(data);
    class->close(unit);
}

static void refuse(fixture *f, hk_status status, hk_unit_type type, hk_port port,
                   const char *text) {
    const hk_info *info = NULL;
    hk_port *ports = HK_NEW_ARRAY(f->model->arena, hk_port, 2);
    hk_unit_type *kept = HK_NEW(f->model->arena, hk_unit_type);
    ports[0] = (hk_port){.name = "u", .type = HK_TYPE_F64, .causality = HK_INPUT};
    ports[1] = port;
    *kept = type;
    kept->ports = ports;
    kept->port_count = 2;
    size_t before = hk_ctx_count(f->ctx, HK_ERROR);
    assert_int_equal(hk_native_info(f->ctx, f->model, kept, &info), status);
    assert_null(info);
    assert_int_equal(hk_ctx_count(f->ctx, HK_ERROR), before + 1);
    const hk_diag *diag = hk_ctx_diag(f->ctx, hk_ctx_count(f->ctx, HK_NOTE) - 1);
    if (!strstr(diag->text, text))
        fail_msg("'%s' does not say '%s'", diag->text, text);
}

static void test_refused(void **state) {
    fixture *f = *state;
    const hk_port good = {.name = "y", .offset = 8, .causality = HK_OUTPUT};
    hk_unit_type type = probe_type;
    type.abi = HK_UNIT_ABI + 1;
    refuse(f, HK_E_PLUGIN, type, good, "ABI");
    type = probe_type;
    type.size = 8;
    refuse(f, HK_E_PLUGIN, type, good, "bytes");
    type = probe_type;
    type.step = NULL;
    refuse(f, HK_E_PLUGIN, type, good, "no step function");
    type = probe_type;
    type.name = "";
    refuse(f, HK_E_PLUGIN, type, good, "no name");
    type = probe_type;
    type.random_scales = "sigma";
    refuse(f, HK_E_PLUGIN, type, good, "random_scales names 'sigma', which is not a parameter");
    type = probe_type;
    type.pulses = "u";
    refuse(f, HK_E_PLUGIN, type, good, "pulses names 'u', which is not an output");
    hk_port port = good;
    port.name = "u";
    refuse(f, HK_E_PLUGIN, probe_type, port, "declared twice");
    port = good;
    port.name = NULL;
    refuse(f, HK_E_PLUGIN, probe_type, port, "port 1 has no name");
    port = good;
    port.offset = sizeof(probe);
    refuse(f, HK_E_PLUGIN, probe_type, port, "beyond");
    port = good;
    port.count = SIZE_MAX / 8 + 2;
    refuse(f, HK_E_PLUGIN, probe_type, port, "beyond");
    port = good;
    port.offset = 4;
    refuse(f, HK_E_PLUGIN, probe_type, port, "not a multiple");
    port = good;
    port.type = HK_TYPE_CLOCK;
    refuse(f, HK_E_PLUGIN, probe_type, port, "type");
    port = good;
    port.causality = HK_INDEPENDENT;
    refuse(f, HK_E_PLUGIN, probe_type, port, "causality");
    port = good;
    port.start = "wet";
    refuse(f, HK_E_VALUE, probe_type, port, "'wet' is not a value");
    port = good;
    port.depends_on = "u w";
    refuse(f, HK_E_PLUGIN, probe_type, port, "'w', which is not an input");
    port.depends_on = "y";
    refuse(f, HK_E_PLUGIN, probe_type, port, "'y', which is not an input");
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are those of hk_unit_type */
static int probe_derivative(void *self, const size_t *unknowns, size_t unknown_count,
                            const size_t *knowns, size_t known_count, const double *seed,
                            double *sensitivity) {
    (void)self;
    (void)unknowns;
    (void)knowns;
    (void)seed;
    for (size_t i = 0; i < unknown_count; i++)
        sensitivity[i] = (double)known_count;
    return HK_STEP_OK;
}

/* What a type has to offer depends on how much of it is there. */
static void test_older_types(void **state) {
    fixture *f = *state;
    hk_unit_type now = probe_type, older = probe_type, cut = probe_type;
    const hk_info *info = NULL;
    now.derivative = older.derivative = probe_derivative;
    older.size = HK_UNIT_TYPE_MIN;
    cut.size = HK_UNIT_TYPE_MIN - 1;
    assert_int_equal(hk_native_info(f->ctx, f->model, &now, &info), HK_OK);
    assert_true(info->can.directional_derivatives);
    assert_int_equal(hk_native_info(f->ctx, f->model, &older, &info), HK_OK);
    assert_false(info->can.directional_derivatives);
    assert_int_equal(hk_native_info(f->ctx, f->model, &probe_type, &info), HK_OK);
    assert_false(info->can.directional_derivatives);
    assert_int_equal(hk_native_info(f->ctx, f->model, &cut, &info), HK_E_PLUGIN);
}

static const hk_enum_item mode_items[] = {{"off", 0}, {"on", 7}};
static const hk_enum_type modes = {"plant.Mode", mode_items, 2};

static void test_domains(void **state) {
    fixture *f = *state;
    static const hk_port ports[] = {
        HK_PORT(probe, gain, HK_PARAMETER, HK_TYPE_F64, .start = "2"),
        HK_PORT(probe, mode, HK_PARAMETER, HK_TYPE_ENUM, .start = "on"),
        HK_PORT(probe, u, HK_INPUT, HK_TYPE_F64),
    };
    static const hk_domain domains[] = {{.port = "mode", .enumeration = &modes},
                                        {.port = "gain", .min = "0", .max = "2.5"}};
    hk_unit_type type = {HK_UNIT_TYPE(probe), .ports = ports,     .port_count = 3,
                         .step = probe_step,  .domains = domains, .domain_count = 2};
    const hk_info *info = NULL;
    assert_int_equal(hk_native_info(f->ctx, f->model, &type, &info), HK_OK);
    assert_true(info->variables[0].min == 0 && info->variables[0].max == 2.5);
    assert_int_equal(*(const int64_t *)info->variables[1].start.data, 7);
    assert_string_equal(info->variables[1].enumeration->item_names[1], "on");
    assert_string_equal(info->variables[1].declared_type, "plant.Mode");
    assert_null(info->variables[2].enumeration);
    assert_true(isnan(info->variables[2].min) && isnan(info->variables[2].max));
    /* A type that was built before there were domains: what lies behind it is not read. */
    hk_unit_type older = type;
    older.size = offsetof(hk_unit_type, domains);
    older.port_count = 1;
    assert_int_equal(hk_native_info(f->ctx, f->model, &older, &info), HK_OK);
    assert_true(isnan(info->variables[0].min));
}

static void refuse_domain(fixture *f, hk_status status, hk_type type, hk_domain domain,
                          const char *text) {
    const hk_port port = {.name = "y", .offset = 8, .causality = HK_LOCAL, .type = type};
    hk_unit_type unit = probe_type;
    hk_domain *domains = HK_NEW_ARRAY(f->model->arena, hk_domain, 2);
    domains[0] = (hk_domain){.port = "u", .min = "0"};
    domains[1] = domain;
    unit.domains = domains;
    unit.domain_count = 2;
    refuse(f, status, unit, port, text);
}

static void test_refused_domains(void **state) {
    fixture *f = *state;
    static const hk_enum_item same_name[] = {{"a", 0}, {"a", 1}},
                              same_value[] = {{"a", 0}, {"b", 0}};
    static const hk_enum_item no_name[] = {{"a", 0}, {NULL, 1}};
    static const hk_enum_type wrong[] = {{"E", same_name, 2},
                                         {"E", same_value, 2},
                                         {"E", no_name, 2},
                                         {"E", NULL, 0},
                                         {"", no_name, 1}};
    static const char *const texts[] = {"not different", "not different", "item 1 has no name",
                                        "no items", "enumeration has no name"};
    for (size_t i = 0; i < 5; i++)
        refuse_domain(f, HK_E_PLUGIN, HK_TYPE_ENUM,
                      (hk_domain){.port = "y", .enumeration = &wrong[i]}, texts[i]);
    refuse_domain(f, HK_E_PLUGIN, HK_TYPE_F64, (hk_domain){.port = "z"}, "no port");
    refuse_domain(f, HK_E_PLUGIN, HK_TYPE_F64, (hk_domain){.min = "1"}, "no port");
    refuse_domain(f, HK_E_PLUGIN, HK_TYPE_F64, (hk_domain){.port = "u"}, "more than one");
    refuse_domain(f, HK_E_PLUGIN, HK_TYPE_I64, (hk_domain){.port = "y", .enumeration = &modes},
                  "has items and is Int64");
    refuse_domain(f, HK_E_PLUGIN, HK_TYPE_STRING, (hk_domain){.port = "y", .max = "1"},
                  "has limits and is String");
    refuse_domain(f, HK_E_VALUE, HK_TYPE_F64, (hk_domain){.port = "y", .max = "much"}, "'much'");
    refuse_domain(f, HK_E_VALUE, HK_TYPE_F64, (hk_domain){.port = "y", .min = "2", .max = "1"},
                  "above the largest");
    hk_unit_type unit = probe_type;
    unit.domain_count = 1;
    refuse(f, HK_E_PLUGIN, unit, (hk_port){.name = "y", .offset = 8}, "has no table");
}

static void test_unknown_unit_is_a_warning(void **state) {
    fixture *f = *state;
    static const hk_port ports[] = {HK_PORT(probe, u, HK_INPUT, HK_TYPE_F64, .unit = "furlong")};
    static const hk_unit_type type = {HK_UNIT_TYPE(probe), .ports = ports, .port_count = 1,
                                      .step = probe_step};
    const hk_info *info = NULL;
    assert_int_equal(hk_native_info(f->ctx, f->model, &type, &info), HK_OK);
    assert_null(info->variables[0].uom);
    assert_string_equal(info->variables[0].unit, "furlong");
    assert_int_equal(hk_ctx_count(f->ctx, HK_WARNING), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_description, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_life, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_failures_name_the_component, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_state, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_older_types, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_domains, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refused_domains, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unknown_unit_is_a_warning, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

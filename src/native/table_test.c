/* SPDX-License-Identifier: MIT */
#include "base/file.h"
#include "native/native.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct sink {
    double force;
    int32_t gear;
} sink;

static int sink_step(void *self, double t, double h) {
    (void)self;
    (void)t;
    (void)h;
    return HK_STEP_OK;
}

static const hk_port sink_ports[] = {
    HK_PORT(sink, force, HK_INPUT, HK_TYPE_F64, .unit = "kN"),
    HK_PORT(sink, gear, HK_INPUT, HK_TYPE_I32),
};
static const hk_unit_type sink_type = {HK_UNIT_TYPE(sink), .ports = sink_ports, .port_count = 2,
                                       .step = sink_step};

/* One input of each kind that is not a real number. */
typedef struct picky {
    int64_t wide;
    bool flag;
    hk_bytes text, blob;
    double list[2];
} picky;

static const hk_port picky_ports[] = {
    HK_PORT(picky, wide, HK_INPUT, HK_TYPE_I64),
    HK_PORT(picky, flag, HK_INPUT, HK_TYPE_BOOL),
    HK_PORT(picky, text, HK_INPUT, HK_TYPE_STRING),
    HK_PORT(picky, blob, HK_INPUT, HK_TYPE_BINARY),
    HK_PORT(picky, list, HK_INPUT, HK_TYPE_F64, .count = 2),
};
static const hk_unit_type picky_type = {HK_UNIT_TYPE(picky), .ports = picky_ports, .port_count = 5,
                                        .step = sink_step};

typedef struct fixture {
    hk_ctx *ctx;
    hk_model *model;
    const char *folder;
} fixture;

static int set_up(void **state) {
    fixture *f = hk_alloc(sizeof *f);
    const hk_info *info = NULL;
    uint32_t index = 0;
    f->ctx = hk_ctx_create(NULL, NULL);
    f->model = hk_model_create("m", NULL);
    if (hk_folder_temporary(f->ctx, f->model->arena, &f->folder) != HK_OK ||
        hk_native_info(f->ctx, f->model, &sink_type, &info) != HK_OK ||
        hk_model_add_component(f->ctx, f->model, "sink", info, HK_NOWHERE, &index) != HK_OK)
        return -1;
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    hk_folder_remove(f->folder);
    hk_model_destroy(f->model);
    hk_ctx_destroy(f->ctx);
    hk_free(f);
    return 0;
}

static hk_status add(fixture *f, const char *text) {
    const char *path = hk_path_join(f->model->arena, f->folder, "input.csv");
    assert_int_equal(hk_file_write(f->ctx, path, text, strlen(text)), HK_OK);
    return hk_table_add(f->ctx, f->model, path);
}

static hk_unit *open_table(fixture *f, double start) {
    const hk_component *component = &f->model->components[1];
    hk_unit_options options = {.name = component->name, .start = start};
    hk_unit *unit = NULL;
    assert_int_equal(component->info->unit_class->open(f->ctx, component->info, &options, &unit),
                     HK_OK);
    assert_int_equal(unit->unit_class->enter_init(f->ctx, unit), HK_OK);
    return unit;
}

static double at(hk_unit *unit, uint32_t column, double t) {
    hk_step_call step;
    unit->unit_class->bind_step(unit, &step);
    assert_int_equal(step.fn.plain(step.self, t, 0.001), HK_STEP_OK);
    return *(double *)unit->unit_class->address(unit, column);
}

static const char *const rows = "time,sink.force,sink.gear\n"
                                "1,10,1\n"
                                "2,20,2\n"
                                "2,30,3\n"
                                "4,50,4\n";

static void test_wiring(void **state) {
    fixture *f = *state;
    assert_int_equal(add(f, rows), HK_OK);
    assert_int_equal(f->model->component_count, 2);
    const hk_component *component = &f->model->components[1];
    assert_string_equal(component->name, "input");
    assert_string_equal(component->info->kind, "table");
    assert_int_equal(component->info->stamp, HK_STAMP_START);
    assert_int_equal(f->model->connection_count, 2);
    const hk_connection *connection = &f->model->connections[1];
    assert_int_equal(connection->from_component, 1);
    assert_int_equal(connection->to_component, 0);
    assert_int_equal(connection->to_variable, 1);
    assert_int_equal(connection->lag, HK_LAG_OBSERVE);
    assert_string_equal(component->info->variables[0].unit, "kN");
    assert_true(component->info->variables[0].depends.known);
    assert_int_equal(add(f, rows), HK_OK);
    assert_string_equal(f->model->components[2].name, "input2");
}

static void test_values(void **state) {
    fixture *f = *state;
    assert_int_equal(add(f, rows), HK_OK);
    hk_unit *unit = open_table(f, 1.5);
    assert_true(*(double *)unit->unit_class->address(unit, 0) == 15.0);
    static const struct {
        double t, force, gear;
    } expected[] = {{0.0, 10, 1}, {1.0, 10, 1}, {1.25, 12.5, 1}, {2.0, 30, 3}, {3.0, 40, 3},
                    {4.0, 50, 4}, {9.0, 50, 4}, {1.75, 17.5, 1}, {0.5, 10, 1}, {3.5, 45, 3}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_true(at(unit, 0, expected[i].t) == expected[i].force);
        at(unit, 1, expected[i].t);
        assert_true(*(int32_t *)unit->unit_class->address(unit, 1) == (int32_t)expected[i].gear);
    }
    unit->unit_class->close(unit);
}

static void test_state(void **state) {
    fixture *f = *state;
    assert_int_equal(add(f, rows), HK_OK);
    hk_unit *unit = open_table(f, 0.0);
    const hk_unit_class *class = unit->unit_class;
    void *kept = NULL, *read = NULL;
    char *data = NULL;
    size_t size = 0;
    at(unit, 0, 3.0);
    assert_int_equal(class->state_get(f->ctx, unit, &kept), HK_OK);
    at(unit, 0, 4.0);
    assert_int_equal(class->state_set(f->ctx, unit, kept), HK_OK);
    assert_true(*(double *)class->address(unit, 0) == 40.0);
    assert_int_equal(class->state_save(f->ctx, unit, kept, &data, &size), HK_OK);
    assert_int_equal(class->state_load(f->ctx, unit, data, size - 1, &read), HK_E_STATE_FILE);
    assert_int_equal(class->state_load(f->ctx, unit, data, size, &read), HK_OK);
    class->state_free(unit, kept);
    class->state_free(unit, read);
    hk_free(data);
    class->close(unit);
}

/* Cells are values of the type of what they drive, to the last bit; columns may drive elements. */
static void test_types(void **state) {
    fixture *f = *state;
    const hk_info *info = NULL;
    uint32_t index = 0;
    assert_int_equal(hk_native_info(f->ctx, f->model, &picky_type, &info), HK_OK);
    assert_int_equal(hk_model_add_component(f->ctx, f->model, "picky", info, HK_NOWHERE, &index),
                     HK_OK);
    assert_int_equal(add(f, "time,picky.wide,picky.flag,picky.text,picky.blob,picky.list[2]\n"
                            "0,9007199254740993,true,\"a, b\",00fF,1\n"
                            "1,true,0,,,3\n"),
                     HK_OK);
    const hk_component *component = &f->model->components[2];
    hk_unit_options options = {.name = component->name};
    hk_unit *unit = NULL;
    const hk_unit_class *class = component->info->unit_class;
    assert_int_equal(class->open(f->ctx, component->info, &options, &unit), HK_OK);
    assert_int_equal(class->enter_init(f->ctx, unit), HK_OK);
    assert_true(*(int64_t *)class->address(unit, 0) == INT64_C(9007199254740993));
    assert_true(*(bool *)class->address(unit, 1));
    const hk_bytes *text = class->address(unit, 2), *blob = class->address(unit, 3);
    assert_string_equal(text->data, "a, b");
    assert_true(blob->size == 2 && memcmp(blob->data, "\0\xff", 2) == 0);
    assert_true(at(unit, 4, 0.5) == 2);
    assert_true(*(int64_t *)class->address(unit, 0) == INT64_C(9007199254740993)); /* held */
    at(unit, 4, 1);
    assert_true(*(int64_t *)class->address(unit, 0) == 1 && !*(bool *)class->address(unit, 1));
    assert_true(text->size == 0 && blob->size == 0);
    class->close(unit);
    const hk_connection *k = &f->model->connections[4];
    assert_true(k->to_slice.first == 1 && k->to_slice.count == 1);
    assert_int_equal(add(f, "time,picky.wide\n0,1.5\n"), HK_E_CSV);
    assert_int_equal(add(f, "time,picky.blob\n0,xyz\n"), HK_E_CSV);
    assert_int_equal(add(f, "time,picky.list[3]\n0,1\n"), HK_E_UNKNOWN_SIGNAL);
}

/* Out of range is a warning, as for settings: one for each signal, with the first and how many. */
static void test_ranges(void **state) {
    fixture *f = *state;
    hk_variable *all = (hk_variable *)(uintptr_t)f->model->components[0].info->variables;
    all[0].min = -1;
    all[0].max = 2.5;
    all[1].max = 5;
    assert_int_equal(add(f, "time,sink.force,sink.gear\n0,2.5,5\n1,3,6\n2,-7,7\n3,1,5\n4,1,-9\n"),
                     HK_OK);
    assert_int_equal(hk_ctx_count(f->ctx, HK_WARNING), 2);
    assert_string_equal(hk_ctx_diag(f->ctx, 0)->text,
                        "'sink.force' is 3 at t = 1 s, above its maximum 2.5; 2 of 5 rows are out "
                        "of its range");
    assert_string_equal(hk_ctx_diag(f->ctx, 0)->where.element, "column 'sink.force'");
    assert_int_equal(hk_ctx_diag(f->ctx, 0)->code, HK_E_PARAMETER);
    assert_string_equal(hk_ctx_diag(f->ctx, 1)->text,
                        "'sink.gear' is 6 at t = 1 s, above its maximum 5; 2 of 5 rows are out of "
                        "its range");
}

static void refuse(fixture *f, hk_status status, const char *text, const char *hint) {
    assert_int_equal(add(f, text), status);
    const hk_diag *diag = hk_ctx_diag(f->ctx, hk_ctx_count(f->ctx, HK_NOTE) - 1);
    assert_non_null(diag->where.file);
    if (hint)
        assert_non_null(strstr(diag->hint, hint));
    assert_int_equal(f->model->component_count, 1);
    assert_int_equal(f->model->connection_count, 0);
}

static void test_refused(void **state) {
    fixture *f = *state;
    refuse(f, HK_E_UNKNOWN_SIGNAL, "time,sink.forces\n0,1\n", "'sink.force'");
    refuse(f, HK_E_UNKNOWN_SIGNAL, "time,zzzzzzzz\n0,1\n", "component.variable");
    refuse(f, HK_E_CSV, "time,sink.force\n0,1\n1,high\n", NULL);
    refuse(f, HK_E_CSV, "time,sink.force,sink.force\n0,1,2\n", NULL);
    refuse(f, HK_E_CSV, "time\n0\n", NULL);
    refuse(f, HK_E_CSV, "sink.force,Time [s]\n1,0\n2,1\n", "make the time the first column");
    refuse(f, HK_E_CSV, "time,sink.force\n", NULL);
    assert_int_equal(hk_table_add(f->ctx, f->model, "no/such/file.csv"), HK_E_FILE_READ);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_wiring, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_types, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_state, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_ranges, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

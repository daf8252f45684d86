/* SPDX-License-Identifier: MIT
 *
 * The built-in components: values computed by hand, mistakes in their parameters, and that the
 * documentation lists what there is. */
#include "base/file.h"
#include "native/builtin.h"
#include "native/native.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct fixture {
    hk_ctx *ctx;
    hk_model *model;
    const char *folder;
    hk_unit *unit;
} fixture;

static int set_up(void **state) {
    fixture *f = hk_alloc(sizeof *f);
    f->ctx = hk_ctx_create(NULL, NULL);
    f->model = hk_model_create("m", NULL);
    *state = f;
    return hk_folder_temporary(f->ctx, f->model->arena, &f->folder) == HK_OK ? 0 : -1;
}

static void close_unit(fixture *f) {
    if (f->unit)
        f->unit->unit_class->close(f->unit);
    f->unit = NULL;
}

static int tear_down(void **state) {
    fixture *f = *state;
    close_unit(f);
    hk_folder_remove(f->folder);
    hk_model_destroy(f->model);
    hk_ctx_destroy(f->ctx);
    hk_free(f);
    return 0;
}

static void write_file(fixture *f, const char *name, const char *text) {
    const char *path = hk_path_join(f->model->arena, f->folder, name);
    assert_int_equal(hk_file_write(f->ctx, path, text, strlen(text)), HK_OK);
}

static uint32_t find(const fixture *f, const char *name) {
    uint32_t index = hk_info_find(f->unit->info, name);
    assert_int_not_equal(index, HK_MAP_NONE);
    return index;
}

/* An instance of TYPE; SETTINGS are pairs of parameter and value, NULL ends them. */
static hk_status open_unit(fixture *f, const char *type, double start,
                           const char *const *settings) {
    const hk_info *info = NULL;
    close_unit(f);
    assert_non_null(hk_builtin_find(type));
    assert_int_equal(hk_native_info(f->ctx, f->model, hk_builtin_find(type), &info), HK_OK);
    hk_unit_options options = {.name = "it", .folder = f->folder, .start = start, .seed = 7};
    assert_int_equal(info->unit_class->open(f->ctx, info, &options, &f->unit), HK_OK);
    for (; settings && settings[0]; settings += 2) {
        uint32_t index = find(f, settings[0]);
        hk_value value;
        assert_true(hk_value_parse(f->model->arena, info->variables[index].type, 1, NULL,
                                   settings[1], &value));
        assert_int_equal(info->unit_class->set_start(f->ctx, f->unit, index, &value), HK_OK);
    }
    return info->unit_class->enter_init(f->ctx, f->unit);
}
#define SETTINGS(...) ((const char *const[]){__VA_ARGS__, NULL})

static double *port(const fixture *f, const char *name) {
    return f->unit->unit_class->address(f->unit, find(f, name));
}

static double step(const fixture *f, double t, double h) {
    hk_step_call call;
    f->unit->unit_class->bind_step(f->unit, &call);
    assert_int_equal(call.fn.plain(call.self, t, h), HK_STEP_OK);
    uint32_t y = hk_info_find(f->unit->info, "y");
    return y == HK_MAP_NONE ? 0 : *(double *)f->unit->unit_class->address(f->unit, y);
}

static double with_u(const fixture *f, double u) {
    *port(f, "u") = u;
    return step(f, 0, 1);
}

static void test_sources(void **state) {
    fixture *f = *state;
    assert_int_equal(open_unit(f, "hk.Constant", 0, SETTINGS("value", "2.5")), HK_OK);
    assert_true(*port(f, "y") == 2.5);
    *port(f, "value") = 3;
    assert_true(step(f, 1, 1) == 3);
    assert_int_equal(
        open_unit(f, "hk.Sine", 0, SETTINGS("amplitude", "2", "frequency", "0.25", "offset", "10")),
        HK_OK);
    assert_true(*port(f, "y") == 10);
    assert_true(step(f, 1, 1) == 12);
    assert_true(fabs(step(f, 3, 1) - 8) < 1e-15);
    assert_int_equal(open_unit(f, "hk.Step", 0, SETTINGS("time", "2", "before", "-1")), HK_OK);
    assert_true(*port(f, "y") == -1 && step(f, 1.999, 1) == -1 && step(f, 2, 1) == 1);
    assert_int_equal(
        open_unit(f, "hk.Ramp", 0, SETTINGS("begin", "1", "end", "3", "from", "4", "to", "8")),
        HK_OK);
    assert_true(*port(f, "y") == 4 && step(f, 1, 1) == 4 && step(f, 1.5, 1) == 5);
    assert_true(step(f, 3, 1) == 8 && step(f, 9, 1) == 8);
    *port(f, "end") = 1; /* a jump, and no division by zero */
    assert_true(step(f, 1, 1) == 8 && step(f, 0.5, 1) == 4);
}

static void test_noise(void **state) {
    fixture *f = *state;
    assert_int_equal(open_unit(f, "hk.Noise", 0, SETTINGS("mean", "5", "sigma", "2")), HK_OK);
    const hk_stream stream = hk_stream_make(7, 0, "it", "noise");
    assert_true(*port(f, "y") == 5 + 2 * hk_stream_normal(&stream, 0, 0));
    for (int64_t k = 0; k < 3; k++)
        assert_true(step(f, (double)k, 1) == 5 + 2 * hk_stream_normal(&stream, k, 0));
    assert_true(f->unit->info->can.has_streams);
}

static void test_arithmetic(void **state) {
    fixture *f = *state;
    assert_int_equal(open_unit(f, "hk.Gain", 0, SETTINGS("gain", "3", "offset", "-1")), HK_OK);
    assert_true(*port(f, "y") == -1 && with_u(f, 2) == 5);
    assert_int_equal(open_unit(f, "hk.Sum", 0, SETTINGS("gain_b", "-1", "gain_d", "0.5")), HK_OK);
    *port(f, "a") = 10;
    *port(f, "b") = 4;
    *port(f, "c") = 1;
    *port(f, "d") = 6;
    assert_true(step(f, 0, 1) == 10);
    assert_int_equal(open_unit(f, "hk.Switch", 0, NULL), HK_OK);
    *port(f, "a") = 1;
    *port(f, "b") = 2;
    assert_true(step(f, 0, 1) == 2);
    *(bool *)(void *)port(f, "condition") = true;
    assert_true(step(f, 0, 1) == 1);
    assert_int_equal(open_unit(f, "hk.UnitAdapter", 0, SETTINGS("from", "degC", "to", "K")), HK_OK);
    assert_true(with_u(f, 20) == 293.15);
    assert_int_equal(open_unit(f, "hk.UnitAdapter", 0, NULL), HK_OK);
    assert_true(with_u(f, 20) == 20);
}

static void test_memory(void **state) {
    fixture *f = *state;
    assert_int_equal(open_unit(f, "hk.Delay", 0, SETTINGS("start", "9")), HK_OK);
    assert_int_equal(f->unit->info->stamp, HK_STAMP_START);
    assert_true(*port(f, "y") == 9 && with_u(f, 1) == 9 && with_u(f, 2) == 1 && with_u(f, 3) == 2);
    assert_int_equal(open_unit(f, "hk.Integrator", 0, SETTINGS("start", "9")), HK_OK);
    assert_int_equal(f->unit->info->stamp, HK_STAMP_END);
    assert_true(*port(f, "y") == 9);
    *port(f, "u") = 4;
    assert_true(step(f, 0, 0.5) == 11 && step(f, 0.5, 0.25) == 12);
}

static void expect_vector(const fixture *f, double x, double y, double z) {
    step(f, 0, 1);
    assert_true(fabs(*port(f, "y.x") - x) < 1e-15 && fabs(*port(f, "y.y") - y) < 1e-15 &&
                fabs(*port(f, "y.z") - z) < 1e-15);
}

static void test_rotation(void **state) {
    fixture *f = *state;
    const double quarter = 1.57079632679489661923;
    assert_int_equal(open_unit(f, "hk.Rotation", 0, NULL), HK_OK);
    *port(f, "u.x") = 1;
    *port(f, "u.y") = 2;
    *port(f, "u.z") = 3;
    expect_vector(f, 1, 2, 3);
    *port(f, "yaw") = quarter; /* bow to the east: forward is y, starboard is -x */
    expect_vector(f, -2, 1, 3);
    *port(f, "yaw") = 0;
    *port(f, "pitch") = quarter; /* bow up: forward is -z, down is x */
    expect_vector(f, 3, 2, -1);
    *port(f, "pitch") = 0;
    *port(f, "roll") = quarter; /* starboard is down */
    expect_vector(f, 1, -3, 2);
    *port(f, "yaw") = quarter;
    expect_vector(f, 3, 1, 2);
    for (size_t i = 0; i < 3; i++) { /* there and back */
        static const char *const from[] = {"y.x", "y.y", "y.z"};
        static const char *const to[] = {"u.x", "u.y", "u.z"};
        *port(f, to[i]) = *port(f, from[i]);
    }
    *(bool *)(void *)port(f, "inverse") = true;
    expect_vector(f, 1, 2, 3);
}

static void test_table(void **state) {
    fixture *f = *state;
    assert_int_equal(open_unit(f, "hk.Table", 0, SETTINGS("xs", "0, 2 2;4", "ys", "1 5 9 11")),
                     HK_OK);
    assert_true(with_u(f, -1) == 1 && with_u(f, 0) == 1 && with_u(f, 1) == 3);
    assert_true(with_u(f, 2) == 9 && with_u(f, 3) == 10 && with_u(f, 4) == 11 &&
                with_u(f, 9) == 11);
    *(bool *)(void *)port(f, "extrapolate") = true;
    assert_true(with_u(f, -1) == -1 && with_u(f, 6) == 13 && with_u(f, 4) == 11);
    *(bool *)(void *)port(f, "linear") = false;
    assert_true(with_u(f, -1) == 1 && with_u(f, 1.5) == 1 && with_u(f, 2) == 9 &&
                with_u(f, 9) == 11);
    assert_int_equal(
        open_unit(f, "hk.Table", 0, SETTINGS("xs", "3", "ys", "7", "extrapolate", "true")), HK_OK);
    assert_true(with_u(f, 0) == 7 && with_u(f, 5) == 7 && with_u(f, (double)NAN) == 7);
    write_file(f, "curve.csv", "depth,v,w\n0,1,10\n10,2,20\n");
    assert_int_equal(open_unit(f, "hk.Table", 0, SETTINGS("file", "curve.csv")), HK_OK);
    assert_true(with_u(f, 5) == 1.5);
    assert_int_equal(open_unit(f, "hk.Table", 0, SETTINGS("file", "curve.csv", "column", "w")),
                     HK_OK);
    assert_true(with_u(f, 5) == 15);
}

static void test_replay(void **state) {
    fixture *f = *state;
    write_file(f, "log.csv", "time,a,b\n10,1,5\n12,3,6\n14,0,7\n");
    assert_int_equal(open_unit(f, "hk.Replay", 1, SETTINGS("file", "log.csv", "shift", "10")),
                     HK_OK);
    assert_true(*port(f, "y") == 2);
    assert_true(step(f, 0, 1) == 1 && step(f, 3, 1) == 1.5 && step(f, 100, 1) == 0);
    assert_int_equal(open_unit(f, "hk.Replay", 11,
                               SETTINGS("file", "log.csv", "column", "b", "linear", "false")),
                     HK_OK);
    assert_true(*port(f, "y") == 5 && step(f, 12, 1) == 6 && step(f, 0, 1) == 5);
}

/* What was loaded is in no state, and is there again when a state is taken over. */
static void test_state(void **state) {
    fixture *f = *state;
    const char *const *settings = SETTINGS("xs", "0 1", "ys", "10 20");
    void *kept = NULL, *read = NULL;
    char *data = NULL;
    size_t size = 0;
    assert_int_equal(open_unit(f, "hk.Table", 0, settings), HK_OK);
    assert_true(with_u(f, 0.5) == 15);
    assert_int_equal(f->unit->unit_class->state_get(f->ctx, f->unit, &kept), HK_OK);
    assert_int_equal(f->unit->unit_class->state_save(f->ctx, f->unit, kept, &data, &size), HK_OK);
    f->unit->unit_class->state_free(f->unit, kept);
    assert_int_equal(open_unit(f, "hk.Table", 0, settings), HK_OK);
    assert_int_equal(f->unit->unit_class->state_load(f->ctx, f->unit, data, size, &read), HK_OK);
    assert_int_equal(f->unit->unit_class->state_set(f->ctx, f->unit, read), HK_OK);
    assert_true(*port(f, "y") == 15 && with_u(f, 0.25) == 12.5);
    f->unit->unit_class->state_free(f->unit, read);
    hk_free(data);
}

static void refuse(fixture *f, hk_status status, const char *type, const char *const *settings,
                   const char *text) {
    assert_int_equal(open_unit(f, type, 0, settings), status);
    const hk_diag *diag = hk_ctx_diag(f->ctx, hk_ctx_count(f->ctx, HK_NOTE) - 1);
    if (!strstr(diag->text, text) && !(diag->hint && strstr(diag->hint, text)))
        fail_msg("'%s', expected '%s'", diag->text, text);
    assert_true(diag->where.file || strstr(diag->where.element, "component 'it'"));
}

static void test_refused(void **state) {
    fixture *f = *state;
    write_file(f, "log.csv", "time,speed\n0,1\n1,fast\n");
    write_file(f, "empty.csv", "time,speed\n");
    refuse(f, HK_E_PARAMETER, "hk.Table", NULL, "no points");
    refuse(f, HK_E_PARAMETER, "hk.Table", SETTINGS("xs", "1 2", "ys", "1"), "x has 2");
    refuse(f, HK_E_PARAMETER, "hk.Table", SETTINGS("xs", "2 1", "ys", "1 1"), "value 2");
    refuse(f, HK_E_VALUE, "hk.Table", SETTINGS("xs", "1 two", "ys", "1 1"), "'two'");
    refuse(f, HK_E_VALUE, "hk.Table", SETTINGS("xs", "1 2", "ys", "1 inf"), "'inf'");
    refuse(f, HK_E_PARAMETER, "hk.Replay", NULL, "no file");
    refuse(f, HK_E_FILE_READ, "hk.Replay", SETTINGS("file", "none.csv"), "");
    refuse(f, HK_E_CSV, "hk.Replay", SETTINGS("file", "empty.csv"), "0 rows");
    refuse(f, HK_E_CSV, "hk.Replay", SETTINGS("file", "log.csv"), "not a number");
    refuse(f, HK_E_UNKNOWN_SIGNAL, "hk.Replay", SETTINGS("file", "log.csv", "column", "sped"),
           "'speed'");
    refuse(f, HK_E_UNKNOWN_SIGNAL, "hk.Replay", SETTINGS("file", "log.csv", "column", "time"), "");
    refuse(f, HK_E_VALUE, "hk.UnitAdapter", SETTINGS("from", "furlongs"), "furlongs");
    refuse(f, HK_E_UNIT_MISMATCH, "hk.UnitAdapter", SETTINGS("from", "m", "to", "s"), "cannot");
    assert_null(hk_builtin_find("hk.Gian"));
    assert_string_equal(hk_builtin_closest("hk.Gian"), "hk.Gain");
}

/* --- documentation -----------------------------------------------------------------------------*/

static const char *start_text(hk_arena *arena, const hk_variable *v) {
    if (!v->start.data || v->causality == HK_OUTPUT)
        return "";
    const char *text = hk_value_format(arena, v->type, v->store, v->start.data);
    return *text ? text : "\"\"";
}

static const char *document(fixture *f, const hk_unit_type *type) {
    hk_arena *a = f->model->arena;
    const hk_info *info = NULL;
    assert_int_equal(hk_native_info(f->ctx, f->model, type, &info), HK_OK);
    char *text = hk_arena_printf(a,
                                 "### %s\n%s. %s-stamped.\n\n| port | is | type | unit | start | "
                                 "meaning |\n|---|---|---|---|---|---|\n",
                                 info->name, info->description,
                                 info->stamp == HK_STAMP_START ? "Start" : "End");
    for (size_t i = 0; i < info->variable_count; i++) {
        const hk_variable *v = &info->variables[i];
        if (v->causality != HK_LOCAL)
            text = hk_arena_printf(a, "%s| `%s` | %s%s | %s | %s | %s | %s |\n", text, v->name,
                                   v->variability == HK_TUNABLE ? "tunable " : "",
                                   hk_causality_name(v->causality), hk_type_name(v->type),
                                   v->unit ? v->unit : "", start_text(a, v),
                                   v->description ? v->description : "");
    }
    return text;
}

static void test_documented(void **state) {
    fixture *f = *state;
    hk_arena *a = f->model->arena;
    char *text = NULL;
    size_t size = 0, count = 0, shown = 0;
    assert_int_equal(
        hk_file_read(f->ctx, hk_path_join(a, HK_DOCS_DIR, "builtins.md"), 0, &text, &size), HK_OK);
    for (const hk_unit_type *const *type = hk_builtin_types(); *type; type++, count++) {
        const char *expected = document(f, *type);
        if (!strstr(text, expected))
            fail_msg("docs/builtins.md must say:\n%s", expected);
        assert_ptr_equal(hk_builtin_find((*type)->name), *type);
    }
    for (const char *at = text; (at = strstr(at, "\n### hk.")); at++)
        shown++;
    assert_int_equal(shown, count);
    assert_int_equal(hk_ctx_count(f->ctx, HK_NOTE), 0);
    hk_free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_sources),  TEST(test_noise),      TEST(test_arithmetic), TEST(test_memory),
        TEST(test_rotation), TEST(test_table),      TEST(test_replay),     TEST(test_state),
        TEST(test_refused),  TEST(test_documented),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

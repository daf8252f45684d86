/* SPDX-License-Identifier: MIT
 *
 * A state that is loaded by a run with other steps, other components or other values: what is right
 * goes on, what would be wrong is refused or told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "state.h"

typedef struct clocked {
    double start, end, sum; /* of the newest step; of all lengths */
    double gain, u, y;
} clocked;

/* Says where it is, and fails if a step does not begin there. */
static int clocked_step(void *self, double t, double h) {
    clocked *c = self;
    if (c->end != t)
        return 1;
    c->start = t;
    c->end = t + h;
    c->sum += h;
    c->y = c->gain * c->end + c->u;
    return HK_STEP_OK;
}

#define CLOCKED_PORTS                                                                              \
    HK_PORT(clocked, end, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),                               \
        HK_PORT(clocked, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),                             \
        HK_PORT(clocked, gain, HK_PARAMETER, HK_TYPE_F64, .start = "1", .tunable = true),          \
        HK_PORT(clocked, sum, HK_PARAMETER, HK_TYPE_F64, .start = "0"),                            \
        HK_PORT(clocked, u, HK_INPUT, HK_TYPE_F64)
static const hk_port clocked_ports[] = {CLOCKED_PORTS};
static const hk_unit_type clocked_type = {HK_UNIT_TYPE(clocked), .ports = clocked_ports,
                                          .port_count = 5, .step = clocked_step};

static void clocked_rig(rig *r, const hk_unit_type *type, const char *step, const char *stop,
                        const char *period) {
    rig_begin(r, step, stop, NULL);
    rig_add(r, "a", type, NULL, NULL);
    rig_add(r, "b", type, period, NULL);
    rig_record(r, "a.end");
    rig_record(r, "b.end");
}

static hk_status load_here(rig *r, const char *path) {
    hk_snapshot *snapshot = NULL;
    hk_status status = hk_snapshot_read(r->sim, path, &snapshot);
    status = status == HK_OK ? hk_sim_restore(r->sim, snapshot) : status;
    hk_snapshot_destroy(r->sim, snapshot);
    return status;
}

/* With steps that begin where the last ones ended no time is lost and every row is right; with
 * others the state is refused. */
static void other_steps(void **state) {
    fixture *f = *state;
    static const struct {
        const char *step, *period; /* of a; of b, NULL: the same */
        hk_status status;
    } ways[] = {{"5", NULL, HK_OK},      {"10", NULL, HK_OK},    {"2.5", NULL, HK_OK},
                {"25", NULL, HK_OK},     {"50", NULL, HK_OK},    {"100", NULL, HK_E_TIME},
                {"30", NULL, HK_E_TIME}, {"7", NULL, HK_E_TIME}, {"5", "10", HK_OK},
                {"10", "2.5", HK_OK},    {"5", "30", HK_E_TIME}};
    rig one;
    clocked_rig(&one, &clocked_type, "5", "50", NULL);
    assert_int_equal(rig_run(&one), HK_OK);
    hk_snapshot *snapshot = NULL;
    assert_int_equal(hk_sim_save(one.sim, &snapshot), HK_OK);
    assert_int_equal(hk_snapshot_write(one.sim, snapshot, f->path), HK_OK);
    hk_snapshot_destroy(one.sim, snapshot);
    rig_end(&one);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        rig two;
        clocked_rig(&two, &clocked_type, ways[i].step, "150", ways[i].period);
        assert_int_equal(rig_start(&two), HK_OK);
        assert_int_equal(load_here(&two, f->path), ways[i].status);
        if (ways[i].status == HK_OK) {
            assert_int_equal(hk_sim_run(two.sim), HK_OK);
            assert_exactly(two.times[0], 50);
            for (size_t row = 0; row < two.rows; row++) {
                assert_exactly(rig_f64(&two, row, 0), two.times[row]);
                if (!ways[i].period)
                    assert_exactly(rig_f64(&two, row, 1), two.times[row]);
            }
            assert_exactly(rig_f64(&two, 0, 1), 50);
            assert_exactly(rig_f64(&two, two.rows - 1, 1), 150);
        } else {
            assert_non_null(strstr(rig_error(&two)->text, "but it is at t = 50 s"));
            assert_non_null(rig_error(&two)->hint);
        }
        rig_end(&two);
    }
}

/* The same name and ports, with two fields of the struct exchanged; and with another port. */
typedef struct swapped {
    double sum, end, start;
    double gain, u, y;
} swapped;

static int swapped_step(void *self, double t, double h) {
    (void)self, (void)t, (void)h;
    return HK_STEP_OK;
}

static void other_layout(void **state) {
    fixture *f = *state;
    static const hk_port ports[] = {
        {.name = "end",
         .offset = offsetof(swapped, end),
         .causality = HK_OUTPUT,
         .type = HK_TYPE_F64,
         .depends_on = ""},
        {.name = "y",
         .offset = offsetof(swapped, y),
         .causality = HK_OUTPUT,
         .type = HK_TYPE_F64,
         .depends_on = ""},
        {.name = "gain",
         .offset = offsetof(swapped, gain),
         .causality = HK_PARAMETER,
         .type = HK_TYPE_F64,
         .start = "1",
         .tunable = true},
        {.name = "sum",
         .offset = offsetof(swapped, sum),
         .causality = HK_PARAMETER,
         .type = HK_TYPE_F64,
         .start = "0"},
        {.name = "u", .offset = offsetof(swapped, u), .causality = HK_INPUT, .type = HK_TYPE_F64}};
    hk_unit_type other = clocked_type;
    other.ports = ports;
    other.step = swapped_step;
    rig one, two;
    clocked_rig(&one, &clocked_type, "5", "50", NULL);
    run_and_save(&one, 10, f->path);
    rig_end(&one);
    clocked_rig(&two, &other, "5", "50", NULL);
    assert_int_equal(rig_start(&two), HK_OK);
    assert_int_equal(load_here(&two, f->path), HK_E_STATE_FILE);
    assert_non_null(strstr(rig_error(&two)->text, "another component of that name"));
    assert_string_equal(rig_error(&two)->where.element, "a");
    rig_end(&two);
}

/* A class whose libraries are as the test says. */
static uint64_t build_number;

static void built(hk_unit *unit, hk_arena *arena, const char **ret_key, uint64_t *ret_build) {
    (void)unit;
    *ret_key = hk_arena_strdup(arena, "the key");
    *ret_build = build_number;
}

static const hk_unit_class *plain;
static hk_unit_class built_class;

static hk_status built_open(hk_ctx *ctx, const hk_info *info, const hk_unit_options *options,
                            hk_unit **ret_unit) {
    HK_TRY(plain->open(ctx, info, options, ret_unit));
    (*ret_unit)->unit_class = &built_class;
    return HK_OK;
}

static void other_library(void **state) {
    fixture *f = *state;
    for (int way = 0; way < 2; way++)
        for (int loads = 0; loads < 2; loads++) {
            rig r;
            clocked_rig(&r, &clocked_type, "5", "50", NULL);
            hk_info info = *r.model->components[1].info;
            plain = info.unit_class;
            built_class = *plain;
            built_class.open = built_open;
            built_class.state_key = built;
            info.unit_class = &built_class;
            r.model->components[1].info = &info;
            build_number = 1 + (unsigned)(way && loads);
            if (loads) {
                assert_int_equal(rig_start(&r), HK_OK);
                assert_int_equal(load_here(&r, f->path), HK_OK);
                assert_int_equal(notes_about(&r, "the library of 'b' is not the one"), way);
            } else {
                run_and_save(&r, 10, f->path);
            }
            rig_end(&r);
        }
}

static void want(rig *r, const char *path, const char *text, hk_source source) {
    uint32_t component, variable;
    rig_find(r, path, &component, &variable);
    assert_int_equal(hk_model_set(r->ctx, r->model, component, variable,
                                  &(hk_given_text){text, NULL, {source, HK_NOWHERE}}),
                     HK_OK);
}

static double value_of(rig *r, const char *path) {
    uint32_t component, variable;
    const void *data;
    rig_find(r, path, &component, &variable);
    assert_int_equal(hk_access_read(hk_sim_access(r->sim, component, variable), &data), HK_OK);
    return *(const double *)data;
}

/* What the user asks for is set after the state is loaded, or refused; what the model says is not,
 * and that is reported. */
static void other_values(void **state) {
    fixture *f = *state;
    rig one;
    clocked_rig(&one, &clocked_type, "5", "50", NULL);
    want(&one, "a.gain", "3", HK_FROM_SYSTEM);
    want(&one, "b.sum", "2", HK_FROM_SYSTEM);
    run_and_save(&one, 10, f->path);
    rig_end(&one);
    for (int way = 0; way < 5; way++) {
        rig r;
        clocked_rig(&r, &clocked_type, "5", "50", NULL);
        want(&r, "a.gain", way == 1 ? "4" : "3", HK_FROM_SYSTEM);
        want(&r, "b.sum", way == 1 ? "7" : "2", HK_FROM_SYSTEM);
        if (way == 2) {
            want(&r, "a.gain", "8", HK_FROM_USER);
            want(&r, "a.u", "0.5", HK_FROM_USER);
        }
        if (way >= 3)
            want(&r, "b.sum", way == 3 ? "9" : "2", HK_FROM_USER);
        r.options.set_after_load = true;
        assert_int_equal(rig_start(&r), HK_OK);
        assert_int_equal(load_here(&r, f->path), way == 3 ? HK_E_PARAMETER : HK_OK);
        assert_int_equal(notes_about(&r, "'a.gain', 'b.sum'"), way == 1);
        assert_int_equal(notes_about(&r, "given other values"), way == 1);
        if (way == 3) {
            assert_non_null(strstr(rig_error(&r)->text, "'b.sum' cannot be set"));
        } else {
            assert_exactly(value_of(&r, "a.gain"), way == 2 ? 8 : 3);
            assert_exactly(value_of(&r, "b.sum"), 12);
            assert_int_equal(hk_sim_run_until(r.sim, hk_sim_now(r.sim) + 1), HK_OK);
            double now = value_of(&r, "a.end");
            assert_exactly(value_of(&r, "a.y"), way == 2 ? 8 * now + 0.5 : 3 * now);
        }
        rig_end(&r);
    }
}

/* What a loaded state was given is remembered when the run that loaded it saves one. */
static void values_of_a_chain(void **state) {
    fixture *f = *state;
    for (int run = 0; run < 3; run++) {
        rig r;
        clocked_rig(&r, &clocked_type, "5", "50", NULL);
        if (run == 0)
            want(&r, "b.sum", "2", HK_FROM_USER);
        assert_int_equal(rig_start(&r), HK_OK);
        if (run > 0) {
            assert_int_equal(load_here(&r, f->path), HK_OK);
            assert_int_equal(notes_about(&r, "'b.sum'"), 1);
        }
        assert_int_equal(hk_sim_run_until(r.sim, hk_sim_now(r.sim) + 1), HK_OK);
        hk_snapshot *snapshot = NULL;
        assert_int_equal(hk_sim_save(r.sim, &snapshot), HK_OK);
        assert_int_equal(hk_snapshot_write(r.sim, snapshot, f->path), HK_OK);
        hk_snapshot_destroy(r.sim, snapshot);
        hk_ratio time;
        assert_int_equal(hk_snapshot_time(f->ctx, f->path, &time), HK_OK);
        assert_int_equal(hk_ratio_compare(time, (hk_ratio){5 * (run + 1), 1}), 0);
        rig_end(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(other_steps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_layout, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_library, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(values_of_a_chain, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

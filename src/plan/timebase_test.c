/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_model.h"

typedef struct fixture {
    hk_ctx *ctx;
    hk_model *model;
    hk_info *info;
    hk_plan *plan;
} fixture;

static int set_up(void **state) {
    fixture *f = hk_alloc(sizeof *f);
    f->ctx = hk_ctx_create(NULL, NULL);
    f->model = hk_model_create("m", NULL);
    f->info = fake_info(f->model, HK_STAMP_END, 1, 1);
    fake_experiment(f->model, "0.001", "1");
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    hk_plan_destroy(f->plan);
    hk_model_destroy(f->model);
    hk_ctx_destroy(f->ctx);
    hk_free(f);
    return 0;
}

static hk_status make(fixture *f) {
    hk_plan_destroy(f->plan);
    f->plan = NULL;
    hk_model_lower(f->model);
    return hk_plan_make(f->ctx, f->model, &(hk_plan_options){.algorithm = HK_JACOBI}, &f->plan);
}

static void thousandths_and_hundred_twentieths(void **state) {
    fixture *f = *state;
    fake_add(f->ctx, f->model, "a", f->info, "1/120", NULL);
    fake_add(f->ctx, f->model, "b", f->info, NULL, NULL);
    assert_int_equal(make(f), HK_OK);
    assert_int_equal(f->plan->ticks_per_second, 3000); /* lcm(120, 1000) */
    assert_int_equal(f->plan->components[0].period, 25);
    assert_int_equal(f->plan->components[1].period, 3);
    assert_int_equal(f->plan->start, 0);
    assert_int_equal(f->plan->stop, 3000);
    assert_int_equal(hk_plan_row_interval(f->plan), 3); /* no interval given: the step size */
}

/* Each of the sources of a time refines the tick. */
static void all_times_count(void **state) {
    fixture *f = *state;
    uint32_t a = fake_add(f->ctx, f->model, "a", f->info, "0.5", "1/7");
    hk_experiment *x = &f->model->experiment;
    x->step = seconds("0.25");
    x->start = seconds("1/3");
    x->stop = seconds("1.2");
    x->output_interval = seconds("1/11");
    hk_model_connect(f->model, a, 1, a, 0, HK_NOWHERE)->delay = seconds("1/13");
    assert_int_equal(make(f), HK_OK);
    assert_int_equal(f->plan->ticks_per_second, 4 * 3 * 5 * 7 * 11 * 13);
    assert_int_equal(f->plan->start, 20020);
    assert_int_equal(f->plan->components[0].offset, 60060 / 7);
    assert_int_equal(hk_plan_row_interval(f->plan), 5460);
    assert_int_equal(f->plan->connections[0].lag, 30030 + 4620);
}

static void negative_start(void **state) {
    fixture *f = *state;
    fake_add(f->ctx, f->model, "a", f->info, NULL, NULL);
    f->model->experiment.start = seconds("-2.5");
    assert_int_equal(make(f), HK_OK);
    assert_int_equal(f->plan->start, -2500);
}

static void tick_overflow(void **state) {
    fixture *f = *state;
    /* Primes near 10^6: the third factor is too much for 64 bits. */
    fake_add(f->ctx, f->model, "a", f->info, "1/999983", NULL);
    fake_add(f->ctx, f->model, "b", f->info, "1/999979", NULL);
    fake_add(f->ctx, f->model, "c", f->info, "1/999961", NULL);
    fake_add(f->ctx, f->model, "d", f->info, "1/999959", NULL);
    assert_int_equal(make(f), HK_E_TICK_OVERFLOW);
    assert_null(f->plan);
    const hk_diag *d = newest_error(f->ctx);
    assert_string_equal(d->where.element,
                        "c"); /* 1000 * 999983 * 999979 still fits, * 999961 not */
    assert_non_null(strstr(d->text, "1/999961"));
    assert_non_null(strstr(d->hint, "common divisor"));
}

static void a_run_too_long_for_its_ticks(void **state) {
    fixture *f = *state;
    fake_add(f->ctx, f->model, "a", f->info, "1e-12", NULL);
    f->model->experiment.stop = seconds("1e8"); /* 10^20 ticks */
    assert_int_equal(make(f), HK_E_TICK_OVERFLOW);
    const hk_diag *d = newest_error(f->ctx);
    assert_non_null(strstr(d->text, "stop time"));
    assert_non_null(strstr(d->text, "1000000000000"));
    assert_non_null(d->hint);
}

static void offsets(void **state) {
    fixture *f = *state;
    uint32_t a = fake_add(f->ctx, f->model, "late", f->info, "0.01", "0.009");
    assert_int_equal(make(f), HK_OK);
    assert_int_equal(f->plan->components[a].offset, 9);
    static const char *const wrong[] = {"0.01", "0.02", "-0.001"};
    for (int i = 0; i < 3; i++) {
        f->model->components[a].offset = seconds(wrong[i]);
        assert_int_equal(make(f), HK_E_TIME);
        assert_string_equal(newest_error(f->ctx)->where.element, "late");
        assert_non_null(strstr(newest_error(f->ctx)->text, wrong[i]));
        assert_non_null(newest_error(f->ctx)->hint);
    }
}

static void the_horizon(void **state) {
    fixture *f = *state;
    hk_info *rigid = fake_info(f->model, HK_STAMP_END, 1, 1);
    rigid->can.variable_step = false;
    fake_add(f->ctx, f->model, "soft", f->info, "0.3", NULL);
    assert_int_equal(make(f), HK_OK);
    uint32_t hard = fake_add(f->ctx, f->model, "hard", rigid, "0.3", NULL);
    assert_int_equal(make(f), HK_E_TIME);
    const hk_diag *d = newest_error(f->ctx);
    assert_string_equal(d->where.element, "hard");
    assert_string_equal(d->hint, "use --stop-time 0.9");
    f->model->experiment.stop = seconds("0.9");
    assert_int_equal(make(f), HK_OK);
    f->model->components[hard].offset = seconds("0.1"); /* 0.1, 0.4, 0.7: ends at 1.0 */
    assert_int_equal(make(f), HK_E_TIME);
    f->model->experiment.stop = seconds("1");
    assert_int_equal(make(f), HK_OK);
    /* Shorter than one step: the next multiple is the advice. */
    f->model->components[hard].offset = seconds("0");
    f->model->experiment.stop = seconds("0.2");
    assert_int_equal(make(f), HK_E_TIME);
    assert_string_equal(newest_error(f->ctx)->hint, "use --stop-time 0.3");
}

static void times_that_make_no_sense(void **state) {
    fixture *f = *state;
    uint32_t a = fake_add(f->ctx, f->model, "a", f->info, NULL, NULL);
    hk_experiment *x = &f->model->experiment;
    x->stop = seconds("0");
    assert_int_equal(make(f), HK_E_TIME); /* stop = start */
    x->stop = seconds("-1");
    assert_int_equal(make(f), HK_E_TIME);
    assert_non_null(strstr(newest_error(f->ctx)->text, "-1"));
    x->stop = seconds("1");
    x->step = seconds("0");
    assert_int_equal(make(f), HK_E_TIME);
    x->step = seconds("-0.001");
    assert_int_equal(make(f), HK_E_TIME);
    x->step = seconds("0.001");
    x->output_interval = seconds("-0.1");
    assert_int_equal(make(f), HK_E_TIME);
    x->output_interval = seconds("0");
    assert_int_equal(make(f), HK_OK);
    hk_component *c = &f->model->components[a];
    c->has_period = true;
    c->period = seconds("-0.001");
    assert_int_equal(make(f), HK_E_TIME);
    c->period = seconds("0");
    assert_int_equal(make(f), HK_E_TIME);
    assert_string_equal(newest_error(f->ctx)->where.element, "a");
}

static void rate_classes(void **state) {
    fixture *f = *state;
    static const struct {
        const char *name, *period, *offset;
        uint32_t rate;
    } rows[] = {
        {"a", "0.002", NULL, 1}, {"b", "0.001", NULL, 0},    {"c", "0.002", "0.001", 2},
        {"d", NULL, NULL, 0},    {"e", "0.002", "0.000", 1}, {"f", "0.005", NULL, 3},
    };
    for (size_t i = 0; i < 6; i++)
        fake_add(f->ctx, f->model, rows[i].name, f->info, rows[i].period, rows[i].offset);
    /* e before a, within their rate */
    hk_model_connect(f->model, 4, 1, 0, 0, HK_NOWHERE)->lag = HK_LAG_CURRENT;
    assert_int_equal(make(f), HK_OK);
    assert_int_equal(f->plan->rate_count, 4);
    static const hk_tick periods[] = {1, 2, 2, 5}, starts[] = {0, 0, 1, 0};
    static const uint32_t members[][2] = {{1, 3}, {4, 0}, {2, 2}, {5, 5}};
    static const size_t counts[] = {2, 2, 1, 1};
    for (size_t r = 0; r < 4; r++) {
        assert_int_equal(f->plan->rates[r].period, periods[r]);
        assert_int_equal(f->plan->rates[r].offset, starts[r]);
        assert_int_equal(f->plan->rates[r].count, counts[r]);
        for (size_t i = 0; i < counts[r]; i++)
            assert_int_equal(f->plan->rates[r].components[i], members[r][i]);
    }
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(f->plan->components[i].rate, rows[i].rate);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(thousandths_and_hundred_twentieths, set_up, tear_down),
        cmocka_unit_test_setup_teardown(all_times_count, set_up, tear_down),
        cmocka_unit_test_setup_teardown(negative_start, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tick_overflow, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_run_too_long_for_its_ticks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(offsets, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_horizon, set_up, tear_down),
        cmocka_unit_test_setup_teardown(times_that_make_no_sense, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rate_classes, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

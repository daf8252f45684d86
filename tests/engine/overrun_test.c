/* SPDX-License-Identifier: MIT
 *
 * A filter that takes 3 ms of a slot of 2 ms, under each policy: which activations are executed,
 * from when on each is seen and how old it is then, by hand, by analysis and in a run; and random
 * systems with execution times, by analysis and in a run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "plan/overrun.h"
#include "witness.h"

enum { SYSTEMS = 1000, THREADS_MAX = 2 };
enum { FILTER, VIEWER, OTHER };

static dice dice_of(uint32_t seed) {
    return (dice){hk_stream_make(seed, 0, "overrun_test", "system"), 0};
}

/* ---- the filter ----------------------------------------------------------------------------- */

static hk_ratio ms(int64_t n) {
    return (hk_ratio){n, 1000};
}

static uint32_t add(system_of_witnesses *s, const char *name, int64_t period, int64_t offset) {
    const hk_info *info;
    char id[16];
    uint32_t index;
    assert_int_equal(hk_native_info(s->ctx, s->model, &types[0], &info), HK_OK);
    assert_int_equal(hk_model_add_component(s->ctx, s->model, name, info, HK_NOWHERE, &index),
                     HK_OK);
    snprintf(id, sizeof id, "%u", index);
    assert_int_equal(hk_model_set(s->ctx, s->model, index, 4,
                                  &(hk_given_text){id, NULL, {HK_FROM_USER, HK_NOWHERE}}),
                     HK_OK);
    hk_component *c = &s->model->components[index];
    c->has_period = true;
    c->period = ms(period);
    c->offset = ms(offset);
    return index;
}

static void set_cost(system_of_witnesses *s, uint32_t component, int64_t cost, int64_t deadline,
                     hk_overrun policy) {
    hk_component *c = &s->model->components[component];
    c->has_cost = true;
    c->cost = ms(cost);
    c->has_deadline = deadline != 0;
    c->deadline = ms(deadline);
    c->overrun = policy;
}

/* A filter that a viewer without a cost looks at every millisecond. */
static system_of_witnesses begin(int64_t period) {
    system_of_witnesses s = {hk_ctx_create(NULL, NULL), hk_model_create("m", NULL), NULL, true};
    add(&s, "filter", period, 0);
    add(&s, "viewer", 1, 0);
    hk_model_connect(s.model, FILTER, OUTPUT, VIEWER, 0, HK_NOWHERE)->lag = HK_LAG_CURRENT;
    return s;
}

static void plan(system_of_witnesses *s, int64_t stop) {
    hk_experiment *x = &s->model->experiment;
    x->step = ms(1);
    x->has_step = x->has_stop = true;
    x->start = (hk_ratio){0, 1};
    x->stop = ms(stop);
    assert_int_equal(hk_check_model(s->ctx, s->model), HK_OK);
    hk_model_lower(s->model);
    assert_int_equal(
        hk_plan_make(s->ctx, s->model, &(hk_plan_options){.algorithm = HK_JACOBI}, &s->plan),
        HK_OK);
    assert_int_equal(s->plan->ticks_per_second, 1000);
    s->whole = s->plan->end == s->plan->stop;
}

/* EXECUTED: activations of the filter; SEEN: what the viewer sees at 0, 1, 2 ... ms. */
static void expect(const system_of_witnesses *s, const hk_tick *executed, size_t executed_count,
                   const hk_tick *instants, size_t instant_count) {
    uint32_t k = 0;
    for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
        run(s, threads);
        assert_int_equal(seen.count[FILTER], executed_count);
        for (size_t i = 0; i < executed_count; i++)
            assert_int_equal(seen.all[FILTER][i].at, executed[i]);
        assert_int_equal(seen.count[VIEWER], instant_count);
        for (size_t i = 0; i < instant_count; i++) {
            hk_tick foretold = hk_age_seen(s->plan, 0, (hk_tick)i);
            assert_int_equal(seen.all[VIEWER][i].u[0][0], instants[i]);
            assert_int_equal(foretold == HK_ORIGIN_INITIAL ? INITIAL : foretold, instants[i]);
        }
        check_chain(s, 0, (hk_chain){&k, 1});
        check_instants(s->plan);
    }
}

static void expect_ages(const system_of_witnesses *s, hk_tick min, hk_tick max, hk_tick initial) {
    hk_ages ages = hk_age_hop(s->plan, 0);
    assert_true(ages.any && ages.has_initial);
    assert_int_equal(ages.min, min);
    assert_int_equal(ages.max, max);
    assert_int_equal(ages.initial_until, initial);
}

/* Begun at 0, 3, 6, 9, 12 ...: the activation at 8 comes while that at 6 still waits (until 9), and
 * from then on every third one does. */
static void late_alone(void **state) {
    (void)state;
    static const hk_tick executed[] = {0, 2, 4, 6, 10, 12, 16, 18, 22};
    static const hk_tick instants[] = {INITIAL, 0,  0,  0,  2,  2,  2,  4,  4,  4,  6,  6,
                                       6,       10, 10, 10, 12, 12, 12, 16, 16, 16, 18, 18};
    system_of_witnesses s = begin(2);
    set_cost(&s, FILTER, 3, 0, HK_OVERRUN_LATE);
    plan(&s, 24);
    expect(&s, executed, 9, instants, 24);
    expect_ages(&s, 1, 6, 0);
    const hk_execution *e = &s.plan->executions[FILTER];
    assert_true(e->overruns && e->first == 0 && e->worst == 4);
    finish(&s);
}

/* Constraints are about what is seen: 6 ms at the worst. */
static void constraints_see_overruns(void **state) {
    (void)state;
    static uint32_t way[] = {FILTER, VIEWER};
    static hk_path path = {way, 2};
    for (int64_t max = 5; max <= 6; max++) {
        system_of_witnesses s = begin(2);
        set_cost(&s, FILTER, 3, 0, HK_OVERRUN_LATE);
        hk_model_add_constraint(s.model, (hk_constraint){.kind = HK_LATENCY,
                                                         .paths = &path,
                                                         .path_count = 1,
                                                         .has_max = true,
                                                         .max = ms(max)});
        plan(&s, 24);
        assert_int_equal(hk_plan_check_constraints(s.ctx, s.plan), max < 6 ? HK_E_LATENCY : HK_OK);
        finish(&s);
    }
}

static void skip_alone(void **state) {
    (void)state;
    static const hk_tick executed[] = {0, 4, 8};
    static const hk_tick instants[] = {INITIAL, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8};
    system_of_witnesses s = begin(2);
    set_cost(&s, FILTER, 3, 0, HK_OVERRUN_SKIP);
    plan(&s, 12);
    expect(&s, executed, 3, instants, 12);
    expect_ages(&s, 1, 4, 0);
    const hk_execution *e = &s.plan->executions[FILTER];
    assert_true(e->overruns && e->first == 0 && e->worst == 1);
    assert_true(e->repeat == 4 && e->late == 1 && e->skipped == 1);
    finish(&s);
}

static void expect_stop(const system_of_witnesses *s, hk_tick at, const char *text) {
    assert_int_equal(s->plan->stopper, FILTER);
    assert_int_equal(s->plan->end, at);
    assert_int_equal(hk_plan_check_overruns(s->ctx, s->plan), HK_E_OVERRUN);
    const hk_diag *d = hk_ctx_diag(s->ctx, hk_ctx_count(s->ctx, HK_NOTE) - 1);
    assert_int_equal(d->code, HK_E_OVERRUN);
    assert_string_equal(d->text, text);
}

static void stop_alone(void **state) {
    (void)state;
    system_of_witnesses s = begin(2);
    set_cost(&s, FILTER, 3, 0, HK_OVERRUN_STOP);
    plan(&s, 12);
    expect_stop(&s, 0,
                "the activation of 'filter' at t = 0 s, which costs 0.003 s, ends 0.001 s "
                "after its deadline of 0.002 s; the run stops there");
    expect(&s, NULL, 0, NULL, 0);
    finish(&s);
}

/* Every 10 ms, to be ready after 2: 1 ms late by itself, 5 ms after the other one's 4 ms. */
static system_of_witnesses beside(hk_overrun policy, int64_t deadline, int64_t other_offset) {
    system_of_witnesses s = begin(10);
    add(&s, "other", 20, other_offset);
    uint32_t p;
    assert_int_equal(hk_model_add_processor(s.ctx, s.model, "P", HK_NOWHERE, &p), HK_OK);
    assert_int_equal(hk_model_assign(s.ctx, s.model, p, OTHER, HK_NOWHERE), HK_OK);
    assert_int_equal(hk_model_assign(s.ctx, s.model, p, FILTER, HK_NOWHERE), HK_OK);
    assert_int_equal(hk_model_assign(s.ctx, s.model, p, VIEWER, HK_NOWHERE), HK_OK);
    set_cost(&s, FILTER, 3, deadline, policy);
    set_cost(&s, OTHER, 4, 0, HK_OVERRUN_STOP);
    plan(&s, 40);
    return s;
}

static void late_beside(void **state) {
    (void)state;
    static const hk_tick executed[] = {0, 10, 20, 30};
    static const hk_tick seen_at[] = {5, 11, 25, 31};
    static const hk_overrun policies[] = {HK_OVERRUN_LATE, HK_OVERRUN_SKIP};
    hk_tick instants[40];
    for (int t = 0; t < 40; t++) {
        instants[t] = INITIAL;
        for (int i = 0; i < 4; i++)
            instants[t] = t >= seen_at[i] ? executed[i] : instants[t];
    }
    for (int i = 0; i < 2; i++) {
        system_of_witnesses s = beside(policies[i], 2, 0);
        expect(&s, executed, 4, instants, 40);
        expect_ages(&s, 1, 14, 4);
        const hk_execution *e = &s.plan->executions[FILTER];
        assert_true(e->repeat == 20 && e->late == 2 && e->skipped == 0 && e->worst == 5);
        finish(&s);
    }
}

static void stop_beside(void **state) {
    (void)state;
    static const hk_tick executed[] = {0};
    static const hk_tick instants[10] = {0};
    system_of_witnesses s = beside(HK_OVERRUN_STOP, 4, 10);
    expect_stop(&s, 10,
                "the activation of 'filter' at t = 0.01 s, which costs 0.003 s, ends "
                "0.003 s after its deadline of 0.004 s; the run stops there");
    expect(&s, executed, 1, instants, 10);
    finish(&s);
}

/* Enough time: nothing changes. */
static void no_overrun(void **state) {
    (void)state;
    system_of_witnesses s = begin(4);
    set_cost(&s, FILTER, 3, 0, HK_OVERRUN_STOP);
    plan(&s, 12);
    assert_null(s.plan->components[FILTER].pattern);
    assert_true(s.plan->connections[0].direct && s.plan->rate_count == 2);
    assert_int_equal(hk_plan_check_overruns(s.ctx, s.plan), HK_OK);
    assert_true(hk_plan_load(s.plan, HK_MAP_NONE) == 0.75);
    finish(&s);
}

/* ---- the record, conditions, states --------------------------------------------------------- */

typedef struct rows {
    int64_t cell;
    int64_t all[64];
    size_t count;
} rows;

static void *row_begin(void *user) {
    return &((rows *)user)->cell;
}

static bool row_end(void *user, double time) {
    rows *r = user;
    (void)time;
    if (r->count == 64)
        return false;
    r->all[r->count++] = r->cell;
    return true;
}

static hk_sim *record(const system_of_witnesses *s, hk_column *column, rows *r, unsigned threads) {
    *column = (hk_column){.name = "filter.y",
                          .component = FILTER,
                          .variable = OUTPUT,
                          .type = HK_TYPE_I64,
                          .store = hk_store_of(HK_TYPE_I64)};
    *r = (rows){0};
    assert_int_equal(hk_columns_layout(column, 1), 8);
    seen.ticks_per_second = 1000;
    memset(seen.count, 0, sizeof seen.count);
    hk_listener listener = {.columns = column, .column_count = 1, .sink = {row_begin, row_end, r}};
    hk_sim_options options = {
        .listeners = &listener, .listener_count = 1, .threads = threads, .threads_always = true};
    hk_sim *sim;
    assert_int_equal(hk_sim_create(s->ctx, s->plan, &options, &sim), HK_OK);
    return sim;
}

/* The filter holds at the end of its step, 2 ms later, and is seen with its lateness on top. */
static const int64_t recorded[] = {INITIAL, INITIAL, INITIAL, 0,  0,  0,  2,  2,  2,  4,  4,  4, 6,
                                   6,       6,       10,      10, 10, 12, 12, 12, 16, 16, 16, 18};

static void rows_show_late_values(void **state) {
    (void)state;
    system_of_witnesses s = begin(2);
    set_cost(&s, FILTER, 3, 0, HK_OVERRUN_LATE);
    plan(&s, 24);
    hk_column column;
    rows r;
    hk_sim *sim = record(&s, &column, &r, 1);
    assert_int_equal(hk_sim_run(sim), HK_OK);
    assert_int_equal(r.count, 25);
    for (size_t i = 0; i < r.count; i++)
        assert_int_equal(r.all[i], recorded[i]);
    hk_sim_destroy(sim);
    finish(&s);
}

/* From every instant on, in memory and through a file, also while a value is on its way. */
static void saved_and_restored(void **state) {
    (void)state;
    static const char path[] = "overrun_test.state";
    system_of_witnesses s = begin(2);
    set_cost(&s, FILTER, 3, 0, HK_OVERRUN_LATE);
    plan(&s, 24);
    for (hk_tick at = 0; at < 24; at++) {
        hk_column column, again_column;
        rows r, again;
        hk_snapshot *snapshot = NULL, *read = NULL;
        hk_sim *sim = record(&s, &column, &r, 1);
        assert_int_equal(hk_sim_run_until(sim, at), HK_OK);
        size_t before = r.count;
        assert_int_equal(hk_sim_save(sim, &snapshot), HK_OK);
        assert_int_equal(hk_snapshot_write(sim, snapshot, path), HK_OK);
        assert_int_equal(hk_sim_run(sim), HK_OK);
        r.count = before;
        memset(r.all + before, 0, sizeof r.all - before * sizeof *r.all);
        memset(seen.count, 0, sizeof seen.count);
        assert_int_equal(hk_sim_restore(sim, snapshot), HK_OK);
        assert_int_equal(hk_sim_run(sim), HK_OK);
        assert_int_equal(r.count, 25);
        assert_memory_equal(r.all, recorded, sizeof recorded);
        assert_int_equal(seen.count[VIEWER], 24 - at);
        for (size_t i = 0; i < seen.count[VIEWER]; i++) {
            hk_tick foretold = hk_age_seen(s.plan, 0, at + (hk_tick)i);
            foretold = foretold == HK_ORIGIN_INITIAL ? INITIAL : foretold;
            assert_int_equal(seen.all[VIEWER][i].u[0][0], foretold);
        }
        hk_sim *other = record(&s, &again_column, &again, 1);
        assert_int_equal(hk_snapshot_read(other, path, &read), HK_OK);
        assert_int_equal(hk_sim_restore(other, read), HK_OK);
        assert_int_equal(hk_sim_run(other), HK_OK);
        assert_int_equal(again.count, 25 - before);
        assert_memory_equal(again.all, recorded + before, again.count * sizeof *again.all);
        hk_snapshot_destroy(other, read);
        hk_sim_destroy(other);
        hk_snapshot_destroy(sim, snapshot);
        hk_sim_destroy(sim);
    }
    remove(path);
    finish(&s);
}

/* The activation at 4 is seen from 7 on, and holds 2 ms later. */
static void condition_on_a_late_value(void **state) {
    (void)state;
    system_of_witnesses s = begin(2);
    set_cost(&s, FILTER, 3, 0, HK_OVERRUN_LATE);
    plan(&s, 24);
    memset(seen.count, 0, sizeof seen.count);
    hk_stop_when when = {FILTER, OUTPUT, HK_GE, 4, "filter.y >= 4", 0, NULL};
    hk_sim_options options = {.stop_when = &when, .stop_when_count = 1};
    hk_sim *sim;
    assert_int_equal(hk_sim_create(s.ctx, s.plan, &options, &sim), HK_OK);
    assert_int_equal(hk_sim_run(sim), HK_OK);
    assert_non_null(hk_sim_end_reason(sim));
    assert_int_equal(hk_sim_now(sim), 9);
    hk_sim_destroy(sim);
    finish(&s);
}

/* ---- real time ------------------------------------------------------------------------------ */

typedef struct slow {
    double y;
} slow;

static int slow_step(void *self, double t, double h) {
    (void)self, (void)t, (void)h;
    int64_t end = hk_clock_ns() + 3000000;
    while (hk_clock_ns() < end)
        continue;
    return HK_STEP_OK;
}

static const hk_port slow_ports[] = {HK_PORT(slow, y, HK_OUTPUT, HK_TYPE_F64)};
static const hk_unit_type slow_type = {HK_UNIT_TYPE(slow), .ports = slow_ports, .port_count = 1,
                                       .step = slow_step};

/* 3 ms of the wall clock in a period that lasts 2 ms at pace 1, and 200 ms at pace 0.01. */
static void real_time_tells_who_overran(void **state) {
    (void)state;
    static const double paces[] = {1, 0.01};
    for (int i = 0; i < 2; i++) {
        system_of_witnesses s = {hk_ctx_create(NULL, NULL), hk_model_create("m", NULL), NULL, true};
        const hk_info *info;
        uint32_t index;
        assert_int_equal(hk_native_info(s.ctx, s.model, &slow_type, &info), HK_OK);
        assert_int_equal(hk_model_add_component(s.ctx, s.model, "slow", info, HK_NOWHERE, &index),
                         HK_OK);
        s.model->components[index].has_period = true;
        s.model->components[index].period = ms(2);
        plan(&s, i ? 4 : 20);
        hk_sim_options options = {.real_time = paces[i]};
        hk_sim *sim;
        assert_int_equal(hk_sim_create(s.ctx, s.plan, &options, &sim), HK_OK);
        assert_int_equal(hk_sim_run(sim), HK_OK);
        const hk_profile_row *row = &hk_sim_profile(sim)->rows[0];
        assert_int_equal(row->steps, i ? 2 : 10);
        assert_int_equal(row->timed, row->steps);
        assert_int_equal(row->overran, i ? 0 : 10);
        hk_sim_destroy(sim);
        finish(&s);
    }
}

/* ---- random systems ------------------------------------------------------------------------- */

static void add_costs(hk_model *model, dice *d) {
    bool may_stop = roll(d, 10) == 0;
    for (size_t c = 0; c < model->component_count; c++) {
        hk_component *x = &model->components[c];
        if (roll(d, 3) == 0)
            continue;
        x->has_cost = true;
        x->cost = (hk_ratio){1 + roll(d, (uint32_t)(3 * x->period.num)), 2000};
        x->has_deadline = roll(d, 2);
        x->deadline = (hk_ratio){1 + roll(d, 8), 1000};
        x->overrun = roll(d, 2) ? HK_OVERRUN_LATE : HK_OVERRUN_SKIP;
        if (may_stop && roll(d, 2))
            x->overrun = HK_OVERRUN_STOP;
    }
}

static void observed_equals_foretold(void **state) {
    (void)state;
    census count = {0};
    size_t late = 0, skipped = 0, stopped = 0;
    for (uint32_t seed = 0; count.systems < SYSTEMS; seed++) {
        dice d = dice_of(seed);
        system_of_witnesses s;
        if (!make(&d, &s, add_costs))
            continue;
        count.systems++;
        stopped += s.plan->stopper != HK_MAP_NONE;
        for (uint32_t c = 0; c < s.model->component_count && s.plan->executions; c++) {
            late += s.plan->executions[c].late > 0;
            skipped += s.plan->executions[c].skipped > 0;
        }
        for (unsigned threads = 1; threads <= THREADS_MAX; threads++) {
            run(&s, threads);
            check_all(&s, seed, d, &count);
        }
        finish(&s);
    }
    assert_true(late > 1000 && skipped > 500 && stopped > 25);
    assert_true(count.long_chains > 2000);
}

/* The comparison finds a wrong lateness: a plan is changed behind the back of its run. */
static void a_wrong_lateness_is_found(void **state) {
    (void)state;
    system_of_witnesses s = begin(2);
    set_cost(&s, FILTER, 3, 0, HK_OVERRUN_LATE);
    plan(&s, 24);
    run(&s, 1);
    uint32_t k = 0;
    assert_int_equal(wrong_origins(s.plan, (hk_chain){&k, 1}), 0);
    s.plan->components[FILTER].pattern->late[2]++;
    assert_true(wrong_origins(s.plan, (hk_chain){&k, 1}) > 0);
    finish(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(late_alone),
        cmocka_unit_test(skip_alone),
        cmocka_unit_test(constraints_see_overruns),
        cmocka_unit_test(stop_alone),
        cmocka_unit_test(late_beside),
        cmocka_unit_test(stop_beside),
        cmocka_unit_test(no_overrun),
        cmocka_unit_test(rows_show_late_values),
        cmocka_unit_test(saved_and_restored),
        cmocka_unit_test(condition_on_a_late_value),
        cmocka_unit_test(real_time_tells_who_overran),
        cmocka_unit_test(observed_equals_foretold),
        cmocka_unit_test(a_wrong_lateness_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

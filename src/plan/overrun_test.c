/* SPDX-License-Identifier: MIT
 *
 * Which activations overrun: against a processor that is followed tick by tick, with a queue. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "dice.h"
#include "fake_model.h"
#include "plan/overrun.h"

enum { COMPONENTS = 5, STOP = 400, SYSTEMS = 500, NOT_THERE = -2 };

/* ---- the naive way -------------------------------------------------------------------------- */

typedef struct job {
    uint32_t component;
    hk_tick release;
} job;

typedef struct line {
    job queue[2 * COMPONENTS];
    size_t waiting;
    bool busy;
    job now;
    hk_tick left;
} line;

static hk_tick lateness[COMPONENTS][STOP]; /* by activation instant */

static void start_next(const hk_plan *plan, line *l) {
    if (l->busy || !l->waiting)
        return;
    l->busy = true;
    l->now = l->queue[0];
    l->left = plan->executions[l->now.component].cost;
    memmove(l->queue, l->queue + 1, --l->waiting * sizeof *l->queue);
}

static bool refuses(const hk_plan *plan, const line *l, uint32_t c) {
    hk_overrun policy = plan->model->components[c].overrun;
    bool waits = false;
    for (size_t i = 0; i < l->waiting; i++)
        waits = waits || l->queue[i].component == c;
    bool runs = l->busy && l->now.component == c;
    return policy == HK_OVERRUN_LATE ? waits : policy == HK_OVERRUN_SKIP ? waits || runs : false;
}

/* ORDER: the components of the processor, as they run at one instant. */
static void follow(const hk_plan *plan, const uint32_t *order, size_t count) {
    line l = {0};
    for (hk_tick t = 0; t < STOP || l.busy; t++) {
        if (l.busy && l.left == 0) {
            hk_tick late = t - l.now.release - plan->executions[l.now.component].deadline;
            lateness[l.now.component][l.now.release] = late > 0 ? late : 0;
            l.busy = false;
        }
        start_next(plan, &l);
        for (size_t i = 0; i < count && t < STOP; i++) {
            const hk_plan_component *p = &plan->components[order[i]];
            if (t < p->offset || (t - p->offset) % p->period)
                continue;
            if (refuses(plan, &l, order[i])) {
                lateness[order[i]][t] = HK_SKIPPED;
                continue;
            }
            /* Without a policy that drops any, too many may wait; the run has ended long ago. */
            if (l.waiting < 2 * COMPONENTS)
                l.queue[l.waiting++] = (job){order[i], t};
            start_next(plan, &l);
        }
        l.left -= l.busy;
    }
}

/* ---- random systems ------------------------------------------------------------------------- */

typedef struct fixture {
    hk_ctx *ctx;
    hk_model *model;
    hk_plan *plan;
    uint32_t order[COMPONENTS + 1][COMPONENTS];
    size_t counts[COMPONENTS + 1];
} fixture;

static void make(fixture *f, uint32_t seed) {
    dice d = {hk_stream_make(seed, 0, "overrun_test", "system"), 0};
    *f = (fixture){.ctx = hk_ctx_create(NULL, NULL), .model = hk_model_create("m", NULL)};
    fake_experiment(f->model, "1", "400");
    const hk_info *info = fake_info(f->model, HK_STAMP_END, 0, 1);
    uint32_t n = 1 + roll(&d, COMPONENTS), processors = roll(&d, 3);
    for (uint32_t p = 0; p < processors; p++) {
        uint32_t index;
        assert_int_equal(
            hk_model_add_processor(f->ctx, f->model, p ? "Q" : "P", HK_NOWHERE, &index), HK_OK);
    }
    for (uint32_t i = 0; i < n; i++) {
        char name[8] = {(char)('a' + i), 0};
        uint32_t c = fake_add(f->ctx, f->model, name, info, NULL, NULL);
        hk_component *x = &f->model->components[c];
        x->has_period = x->has_cost = true;
        x->period = (hk_ratio){1 + roll(&d, 12), 1};
        x->offset = (hk_ratio){roll(&d, (uint32_t)x->period.num), 1};
        x->cost = (hk_ratio){1 + roll(&d, 6), 1};
        x->has_deadline = roll(&d, 2);
        x->deadline = (hk_ratio){1 + roll(&d, 15), 1};
        x->overrun = roll(&d, 8) == 0 ? HK_OVERRUN_STOP
                     : roll(&d, 2)    ? HK_OVERRUN_LATE
                                      : HK_OVERRUN_SKIP;
        uint32_t p = processors ? roll(&d, processors) : COMPONENTS;
        if (processors)
            assert_int_equal(hk_model_assign(f->ctx, f->model, p, c, HK_NOWHERE), HK_OK);
        f->order[p][f->counts[p]++] = c;
    }
    hk_model_lower(f->model);
    assert_int_equal(
        hk_plan_make(f->ctx, f->model, &(hk_plan_options){.algorithm = HK_JACOBI}, &f->plan),
        HK_OK);
    assert_int_equal(f->plan->ticks_per_second, 1);
}

static void finish(fixture *f) {
    hk_plan_destroy(f->plan);
    hk_model_destroy(f->model);
    hk_ctx_destroy(f->ctx);
}

static hk_tick first_stop(const fixture *f) {
    hk_tick end = STOP;
    for (uint32_t c = 0; c < f->model->component_count; c++)
        for (hk_tick t = 0; t < end; t++)
            if (f->model->components[c].overrun == HK_OVERRUN_STOP && lateness[c][t] > 0)
                end = t;
    return end;
}

typedef struct tally {
    size_t late, skipped;
} tally;

static void compare_lateness(const fixture *f, uint32_t seed, uint32_t c, hk_tick end, tally *all) {
    const hk_pattern *pattern = f->plan->components[c].pattern;
    for (hk_tick t = 0; t < end; t++) {
        if (lateness[c][t] == NOT_THERE)
            continue;
        hk_tick found = pattern ? hk_pattern_late(pattern, t) : 0;
        if (found != lateness[c][t])
            fail_msg("system %u, component %u at %d: %d, expected %d", seed, c, (int)t, (int)found,
                     (int)lateness[c][t]);
        all->late += found > 0;
        all->skipped += found == HK_SKIPPED;
    }
}

static void as_followed_tick_by_tick(void **state) {
    (void)state;
    tally all = {0};
    size_t stopped = 0, repeating = 0;
    for (uint32_t seed = 0; seed < SYSTEMS; seed++) {
        fixture f;
        make(&f, seed);
        for (size_t c = 0; c < COMPONENTS; c++)
            for (size_t t = 0; t < STOP; t++)
                lateness[c][t] = NOT_THERE;
        for (size_t p = 0; p <= COMPONENTS; p++)
            follow(f.plan, f.order[p], f.counts[p]);
        hk_tick end = first_stop(&f);
        assert_int_equal(f.plan->end, end);
        assert_int_equal(f.plan->stopper != HK_MAP_NONE, end < STOP);
        stopped += end < STOP;
        for (uint32_t c = 0; c < f.model->component_count; c++) {
            const hk_pattern *pattern = f.plan->components[c].pattern;
            compare_lateness(&f, seed, c, end, &all);
            repeating += pattern && pattern->repeat < pattern->count;
        }
        finish(&f);
    }
    assert_true(all.late > 1000 && all.skipped > 1000 && stopped > 50 && repeating > 200);
}

/* By definition: the newest executed s with s + L(s) <= t. */
static void expect_newest(const hk_pattern *p, hk_tick end) {
    hk_tick newest = 0;
    for (hk_tick t = 0; t < end; t++) {
        hk_tick seen = INT64_MIN, executed = INT64_MIN;
        for (hk_tick s = p->first; s <= t; s += p->period) {
            hk_tick late = hk_pattern_late(p, s);
            executed = late != HK_SKIPPED ? s : executed;
            seen = late != HK_SKIPPED && s + late <= t ? s : seen;
        }
        assert_int_equal(hk_pattern_newest(p, t), executed);
        assert_int_equal(hk_pattern_seen(p, t), seen);
        newest = seen != INT64_MIN ? seen : newest;
        assert_true(newest <= p->first || t - newest <= p->reach);
    }
}

static void expect_next(const hk_pattern *p, hk_tick end) {
    for (hk_tick s = p->first; s < end; s += p->period) {
        hk_tick next = s;
        while (hk_pattern_late(p, next) == HK_SKIPPED)
            next += p->period;
        assert_int_equal(hk_pattern_next(p, s), next);
    }
}

static void look_ups(void **state) {
    (void)state;
    for (uint32_t seed = 0; seed < SYSTEMS; seed++) {
        fixture f;
        make(&f, seed);
        for (uint32_t c = 0; c < f.model->component_count; c++) {
            const hk_pattern *p = f.plan->components[c].pattern;
            if (!p)
                continue;
            expect_newest(p, f.plan->end);
            expect_next(p, f.plan->end);
        }
        finish(&f);
    }
}

typedef struct timing {
    const char *period, *cost, *deadline, *stop; /* cost and deadline may be NULL */
    hk_overrun policy;
} timing;

static hk_status plan_one(hk_ctx *ctx, const timing *t, hk_model **ret_model, hk_plan **ret_plan) {
    hk_model *model = *ret_model = hk_model_create("m", NULL);
    fake_experiment(model, "1", t->stop);
    uint32_t c =
        fake_add(ctx, model, "filter", fake_info(model, HK_STAMP_END, 0, 1), t->period, NULL);
    hk_component *x = &model->components[c];
    x->has_cost = t->cost;
    x->cost = seconds(t->cost ? t->cost : "0");
    x->has_deadline = t->deadline;
    x->deadline = seconds(t->deadline ? t->deadline : "0");
    x->overrun = t->policy;
    *ret_plan = NULL;
    hk_model_lower(model);
    return hk_plan_make(ctx, model, &(hk_plan_options){.algorithm = HK_JACOBI}, ret_plan);
}

static void costs_and_deadlines_refine_the_tick(void **state) {
    (void)state;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_model *model;
    hk_plan *plan;
    assert_int_equal(
        plan_one(ctx, &(timing){"1", "1/3", "0.25", "10", HK_OVERRUN_LATE}, &model, &plan), HK_OK);
    assert_int_equal(plan->ticks_per_second, 12);
    assert_int_equal(plan->executions[0].cost, 4);
    assert_int_equal(plan->executions[0].deadline, 3);
    assert_int_equal(hk_pattern_late(plan->components[0].pattern, 12), 1);
    hk_plan_destroy(plan);
    hk_model_destroy(model);
    hk_ctx_destroy(ctx);
}

/* A long run costs no more than its repeats; one without any is refused. */
static void long_runs(void **state) {
    (void)state;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_model *model;
    hk_plan *plan;
    assert_int_equal(plan_one(ctx, &(timing){"0.001", "0.0025", NULL, "1000000", HK_OVERRUN_SKIP},
                              &model, &plan),
                     HK_OK);
    assert_true(plan->components[0].pattern->count < 20);
    assert_int_equal(plan->executions[0].repeat, 6);
    hk_plan_destroy(plan);
    hk_model_destroy(model);
    assert_int_equal(plan_one(ctx, &(timing){"0.001", "100000", NULL, "1000000", HK_OVERRUN_SKIP},
                              &model, &plan),
                     HK_E_TIME);
    assert_non_null(strstr(newest_error(ctx)->text, "'filter'"));
    hk_model_destroy(model);
    hk_ctx_destroy(ctx);
}

static void wrong_declarations(void **state) {
    (void)state;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_model *model;
    hk_plan *plan;
    assert_int_equal(plan_one(ctx, &(timing){"1", NULL, "1", "10", HK_OVERRUN_LATE}, &model, &plan),
                     HK_E_SCHEDULE);
    assert_non_null(strstr(newest_error(ctx)->text, "has a deadline, but no cost"));
    hk_model_destroy(model);
    assert_int_equal(plan_one(ctx, &(timing){"1", "0", NULL, "10", HK_OVERRUN_LATE}, &model, &plan),
                     HK_E_TIME);
    hk_model_destroy(model);
    assert_int_equal(plan_one(ctx,
                              &(timing){"1", "1000000000000000000", NULL, "10", HK_OVERRUN_LATE},
                              &model, &plan),
                     HK_E_TICK_OVERFLOW);
    hk_model_destroy(model);
    hk_ctx_destroy(ctx);
}

/* A step after skipped ones is longer; an FMU that cannot make it is refused. */
static void gaps_between_steps(void **state) {
    (void)state;
    for (int gapless = 0; gapless < 2; gapless++)
        for (int variable = 0; variable < 2; variable++) {
            hk_ctx *ctx = hk_ctx_create(NULL, NULL);
            hk_model *model = hk_model_create("m", NULL);
            hk_plan *plan = NULL;
            fake_experiment(model, "1", "10");
            hk_info *info = fake_info(model, HK_STAMP_END, 0, 1);
            info->can.gapless = gapless;
            info->can.variable_step = variable;
            uint32_t c = fake_add(ctx, model, "filter", info, NULL, NULL);
            hk_component *x = &model->components[c];
            x->has_cost = true;
            x->cost = seconds("1.5");
            x->overrun = HK_OVERRUN_SKIP;
            bool refused = gapless && !variable;
            hk_model_lower(model);
            assert_int_equal(
                hk_plan_make(ctx, model, &(hk_plan_options){.algorithm = HK_JACOBI}, &plan),
                refused ? HK_E_OVERRUN : HK_OK);
            if (!refused)
                assert_int_equal(plan->components[0].pattern->bridged, gapless);
            hk_plan_destroy(plan);
            hk_model_destroy(model);
            hk_ctx_destroy(ctx);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_followed_tick_by_tick),
        cmocka_unit_test(look_ups),
        cmocka_unit_test(costs_and_deadlines_refine_the_tick),
        cmocka_unit_test(long_runs),
        cmocka_unit_test(wrong_declarations),
        cmocka_unit_test(gaps_between_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

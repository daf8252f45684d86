/* SPDX-License-Identifier: MIT
 *
 * Contracts of plans, of partial orders, and of what may be in a master. */
#include "base/random.h"
#include "sound/sound.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fake_model.h"

typedef struct rig {
    hk_ctx *ctx;
    hk_model *model;
    hk_plan *plan;
} rig;

static void begin(rig *r, const char *stop) {
    *r = (rig){.ctx = hk_ctx_create(NULL, NULL), .model = hk_model_create("m", "m.ssd")};
    fake_experiment(r->model, "0.1", stop);
}

static void make_plan(rig *r, hk_algorithm algorithm) {
    hk_plan_options options = {.algorithm = algorithm};
    hk_model_lower(r->model);
    assert_int_equal(hk_plan_make(r->ctx, r->model, &options, &r->plan), HK_OK);
    hk_ctx_clear(r->ctx); /* cut cycles are reported */
}

static void drop(rig *r) {
    hk_plan_destroy(r->plan);
    hk_model_destroy(r->model);
    hk_ctx_destroy(r->ctx);
}

/* a -> b -> c -> a; PERIODS may be NULL. */
static void make_ring(rig *r, const char *const *periods, hk_algorithm algorithm) {
    static const char *const names[] = {"a", "b", "c"};
    begin(r, "10");
    hk_info *info = fake_info(r->model, HK_STAMP_END, 1, 1);
    for (uint32_t i = 0; i < 3; i++)
        fake_add(r->ctx, r->model, names[i], info, periods ? periods[i] : NULL, NULL);
    for (uint32_t i = 0; i < 3; i++)
        hk_model_connect(r->model, i, 1, (i + 1) % 3, 0, HK_NOWHERE);
    make_plan(r, algorithm);
}

static void plans_keep_their_contracts(void **state) {
    static const char *const rates[][3] = {
        {"0.1", "0.1", "0.1"}, {"0.1", "0.2", "0.5"}, {"0.3", "0.2", "0.1"}};
    (void)state;
    for (size_t i = 0; i < 3; i++)
        for (int algorithm = HK_JACOBI; algorithm <= HK_GAUSS_SEIDEL; algorithm++) {
            rig r;
            make_ring(&r, rates[i], (hk_algorithm)algorithm);
            assert_int_equal(hk_sound_check_plan(r.ctx, r.plan, NULL), HK_OK);
            assert_int_equal(hk_ctx_count(r.ctx, HK_NOTE), 0);
            drop(&r);
        }
}

/* Random wirings, rates, offsets, stamps and lags: the planner always keeps the contracts. */
static void random_plans_keep_their_contracts(void **state) {
    static const char *const periods[] = {"0.1", "0.1", "0.2", "0.3"};
    static const char *const offsets[] = {"0", "0", "0.05", "0.02"};
    uint32_t counter = 0, words[4];
    (void)state;
    for (int i = 0; i < 200; i++) {
        rig r;
        char name[2] = "a";
        begin(&r, "3");
        hk_info *infos[] = {fake_info(r.model, HK_STAMP_END, 3, 2),
                            fake_info(r.model, HK_STAMP_START, 3, 2)};
        for (uint32_t c = 0; c < 6; c++, name[0]++) {
            hk_philox((uint32_t[]){counter++, 1, 0, 0}, (uint32_t[]){6, 0}, words);
            fake_add(r.ctx, r.model, name, infos[words[0] % 4 == 0], periods[words[1] % 4],
                     offsets[words[2] % 4]);
        }
        for (uint32_t c = 0; c < 6; c++)
            for (uint32_t u = 0; u < 3; u++) {
                hk_philox((uint32_t[]){counter++, 1, 0, 0}, (uint32_t[]){6, 0}, words);
                if (words[0] % 6 == c)
                    continue;
                hk_connection *k =
                    hk_model_connect(r.model, words[0] % 6, 3 + words[1] % 2, c, u, HK_NOWHERE);
                k->delay = words[2] % 3 ? (hk_ratio){0, 1} : seconds("0.04");
                k->lag = words[3] % 4 ? HK_LAG_DEFAULT : HK_LAG_PREVIOUS;
            }
        make_plan(&r, i % 2 ? HK_JACOBI : HK_GAUSS_SEIDEL);
        hk_status status = hk_sound_check_plan(r.ctx, r.plan, NULL);
        for (size_t d = 0; d < hk_ctx_count(r.ctx, HK_NOTE); d++)
            print_message("%s: %s\n", hk_ctx_diag(r.ctx, d)->where.element,
                          hk_ctx_diag(r.ctx, d)->text);
        assert_int_equal(status, HK_OK);
        assert_int_equal(hk_ctx_count(r.ctx, HK_NOTE), 0);
        drop(&r);
    }
}

/* STATUS: HK_E_UNSOUND if the program of the plan is not what its lags ask for, either. */
static void expect_warning(rig *r, hk_status status, const char *element, const char *text) {
    const hk_diag *found = NULL;
    assert_int_equal(hk_sound_check_plan(r->ctx, r->plan, NULL), status);
    for (size_t i = 0; i < hk_ctx_count(r->ctx, HK_NOTE); i++)
        if (hk_ctx_diag(r->ctx, i)->severity == HK_WARNING)
            found = hk_ctx_diag(r->ctx, i);
    assert_non_null(found);
    assert_int_equal(found->code, HK_E_UNSOUND);
    assert_string_equal(found->where.element, element);
    assert_non_null(strstr(found->text, text));
}

static void damaged_plans_are_seen(void **state) {
    static const char *const rates[] = {"0.1", "0.2", "0.5"};
    rig r;
    (void)state;
    make_ring(&r, NULL, HK_JACOBI);
    r.plan->connections[1].lag *= 2;
    expect_warning(&r, HK_E_UNSOUND, "connection b.y0 -> c.u0",
                   "at 0.2 s it brings a value of 0.1 s, though there is a newer one");
    drop(&r);
    make_ring(&r, rates, HK_JACOBI);
    r.plan->connections[2].lag /= 5;
    expect_warning(&r, HK_OK, "connection c.y0 -> a.u0",
                   "at 0.1 s it brings a value that holds at 0.5 s only");
    drop(&r);
    make_ring(&r, NULL, HK_GAUSS_SEIDEL);
    r.plan->components[1].level = 0;
    expect_warning(&r, HK_E_UNSOUND, "connection a.y0 -> b.u0", "'a' does not run first");
    drop(&r);
}

static void late_feedthrough_is_noted(void **state) {
    static const uint32_t input = 0;
    rig r;
    (void)state;
    for (int algorithm = HK_JACOBI; algorithm <= HK_GAUSS_SEIDEL; algorithm++) {
        begin(&r, "1");
        hk_info *info = fake_info(r.model, HK_STAMP_END, 1, 1);
        info->variables[1].depends = (hk_depends){.known = true, .on = &input, .count = 1};
        fake_add(r.ctx, r.model, "a", info, NULL, NULL);
        fake_add(r.ctx, r.model, "b", info, NULL, NULL);
        hk_model_connect(r.model, 0, 1, 1, 0, HK_NOWHERE);
        make_plan(&r, (hk_algorithm)algorithm);
        assert_int_equal(hk_sound_check_plan(r.ctx, r.plan, NULL), HK_OK);
        assert_int_equal(notes_with(r.ctx, "b.y0 depends on this input without delay"),
                         algorithm == HK_JACOBI);
        assert_int_equal(hk_ctx_count(r.ctx, HK_WARNING), 0);
        drop(&r);
    }
}

/* Two with feedthrough, in a chain or in a ring. */
static hk_sound_modelled modelled(rig *r, hk_arena *arena, bool ring, hk_algorithm algorithm,
                                  hk_lag lag) {
    static const uint32_t input = 0;
    hk_sound_system *system;
    begin(r, "1");
    hk_info *info = fake_info(r->model, HK_STAMP_END, 1, 1);
    info->variables[1].depends = (hk_depends){.known = true, .on = &input, .count = 1};
    fake_add(r->ctx, r->model, "a", info, NULL, NULL);
    fake_add(r->ctx, r->model, "b", info, NULL, NULL);
    hk_model_connect(r->model, 0, 1, 1, 0, HK_NOWHERE);
    if (ring)
        hk_model_connect(r->model, 1, 1, 0, 0, HK_NOWHERE);
    for (size_t i = 0; i < r->model->connection_count; i++)
        r->model->connections[i].lag = lag;
    make_plan(r, algorithm);
    assert_int_equal(hk_sound_from_plan(r->ctx, r->plan, HK_VIEW_STRICT, NULL, &system), HK_OK);
    for (uint32_t c = 0; c < 2; c++)
        system->ports[system->port_of[c][1]].observed = true;
    hk_sound_modelled m = hk_sound_as_modelled(arena, system, r->plan);
    if (m.loop) { /* the names belong to the system */
        assert_int_equal(m.loop_count, 4);
        static const char *const names[] = {"a.u0", "a.y0", "b.u0", "b.y0"};
        for (size_t i = 0; i < 4; i++)
            assert_string_equal(m.loop[i], names[i]);
    }
    hk_sound_destroy(system);
    return m;
}

static void what_components_declare_is_told(void **state) {
    rig r;
    hk_arena *arena = hk_arena_create();
    (void)state;
    hk_sound_modelled m = modelled(&r, arena, false, HK_JACOBI, HK_LAG_DEFAULT);
    assert_null(m.loop);
    assert_int_equal(m.late, 1);
    assert_non_null(strstr(m.text, "b.y0 depends on b.u0 without delay"));
    assert_non_null(strstr(m.text, "as modelled: --algorithm gauss-seidel"));
    drop(&r);
    m = modelled(&r, arena, false, HK_GAUSS_SEIDEL, HK_LAG_DEFAULT);
    assert_true(!m.late && !m.loop);
    drop(&r);
    m = modelled(&r, arena, false, HK_JACOBI, HK_LAG_PREVIOUS); /* a delay that is meant */
    assert_true(!m.late && !m.loop);
    drop(&r);
    m = modelled(&r, arena, true, HK_JACOBI, HK_LAG_DEFAULT);
    assert_int_equal(m.late, 2);
    assert_non_null(m.loop);
    assert_non_null(strstr(m.text, "a.u0 -> a.y0 -> b.u0 -> b.y0 -> a.u0, which FMI cannot"));
    drop(&r);
    m = modelled(&r, arena, true, HK_GAUSS_SEIDEL, HK_LAG_DEFAULT); /* one of them is cut */
    assert_int_equal(m.late, 1);
    assert_non_null(m.loop);
    drop(&r);
    hk_arena_destroy(arena);
}

/* No ring of ports, but each would have to step before the other. */
static void steps_that_wait_for_each_other_are_told(void **state) {
    static const uint32_t input = 0;
    rig r;
    hk_arena *arena = hk_arena_create();
    hk_sound_system *system;
    (void)state;
    begin(&r, "1");
    hk_info *info = fake_info(r.model, HK_STAMP_END, 1, 2);
    info->variables[1].depends = (hk_depends){.known = true, .on = &input, .count = 1};
    info->variables[2].depends = (hk_depends){.known = true};
    fake_add(r.ctx, r.model, "a", info, NULL, NULL);
    fake_add(r.ctx, r.model, "b", info, NULL, NULL);
    hk_model_connect(r.model, 0, 2, 1, 0, HK_NOWHERE);
    hk_model_connect(r.model, 1, 2, 0, 0, HK_NOWHERE);
    make_plan(&r, HK_JACOBI);
    assert_int_equal(hk_sound_from_plan(r.ctx, r.plan, HK_VIEW_STRICT, NULL, &system), HK_OK);
    assert_int_equal(hk_sound_as_modelled(arena, system, r.plan).late, 0); /* nobody reads y0 */
    system->ports[system->port_of[0][1]].observed = true;
    hk_sound_modelled m = hk_sound_as_modelled(arena, system, r.plan);
    assert_null(m.loop);
    assert_int_equal(m.late, 1);
    assert_non_null(strstr(m.text, "are 'current' and those that lead back are not"));
    system->ports[system->port_of[1][1]].observed = true;
    m = hk_sound_as_modelled(arena, system, r.plan);
    assert_int_equal(m.late, 2);
    assert_non_null(strstr(m.text, "a and b would have to wait for each other"));
    hk_sound_destroy(system);
    drop(&r);
    hk_arena_destroy(arena);
}

static void a_long_hyperperiod_is_bounded(void **state) {
    rig r;
    (void)state;
    begin(&r, "2000000");
    hk_info *info = fake_info(r.model, HK_STAMP_END, 1, 1);
    fake_add(r.ctx, r.model, "a", info, "0.999983", NULL);
    fake_add(r.ctx, r.model, "b", info, "1.000003", NULL);
    hk_model_connect(r.model, 0, 1, 1, 0, HK_NOWHERE);
    hk_model_connect(r.model, 1, 1, 0, 0, HK_NOWHERE);
    make_plan(&r, HK_JACOBI);
    assert_int_equal(hk_sound_check_plan(r.ctx, r.plan, NULL), HK_OK);
    assert_int_equal(notes_with(r.ctx, "for 1000000 activations only"), 1);
    drop(&r);
}

/* ---- texts ----------------------------------------------------------------------------------- */

typedef struct text {
    hk_ctx *ctx;
    hk_arena *arena;
} text;

#define PAIR                                                                                       \
    "scenario s { max step 2; instance A { out y; } instance B { in reactive u; } "                \
    "connect A.y -> B.u; } algorithm { init { get A.y; set B.u; } step { "

static hk_sound_verdict judge(text *t, const char *source, bool *ret_legal) {
    hk_sound_system *system;
    hk_sound_master *master;
    int64_t max_step;
    *t = (text){.ctx = hk_ctx_create(NULL, NULL), .arena = hk_arena_create()};
    assert_int_equal(hk_sound_read_text(t->ctx, t->arena,
                                        &(hk_file_text){"x", source, strlen(source)}, &system,
                                        &master, &max_step),
                     HK_OK);
    return hk_sound_keeps_contract(t->arena, system, master, max_step, ret_legal);
}

static void expect(const char *source, const char *why, const char *fmi) {
    text t;
    bool legal;
    hk_sound_verdict v = judge(&t, source, &legal);
    if (v.why && !(why && strstr(v.why, why)))
        print_message("%s\n", v.why);
    assert_int_equal(v.holds, why == NULL);
    assert_true(!why || strstr(v.why, why));
    assert_int_equal(legal, fmi == NULL);
    assert_true(!fmi || strstr(v.fmi, fmi));
    hk_arena_destroy(t.arena);
    hk_ctx_destroy(t.ctx);
}

static void rules_of_calls(void **state) {
    (void)state;
    expect(PAIR "step A; get A.y; set B.u; step B; } }", NULL, NULL);
    expect(PAIR "step A by 2; get A.y; set B.u; step B by 2; } }", NULL, NULL);
    expect(PAIR "step A by 1; get A.y; set B.u; step B; } }", "reactive input B.u", NULL);
    expect(PAIR "step A by 3; get A.y; set B.u; step B by 3; } }", "the largest step", NULL);
    expect(PAIR "step A; get A.y; set B.u; step B; step B; } }",
           "its reactive input B.u has a value of time 2, but the step needs one of time 4", NULL);
    expect(PAIR "step B as A; } }", "step of A, which took none yet", NULL);
    expect(PAIR "restore A; } }", "its state was not saved", NULL);
    expect(PAIR "step A; parameter A; } }", "before the first step", NULL);
    expect("scenario s { instance A { cannot save; } } algorithm { init { } step { save A; } }",
           "it cannot save its state", NULL);
    expect("scenario s { instance A { } } algorithm { init { step A; } step { } }",
           "nothing may be stepped", NULL);
    expect("scenario s { instance A { } } algorithm { init { } step { } }", "it was not stepped",
           NULL);
    expect("scenario s { instance A { in u; out observed y; } } algorithm { init { } step { set "
           "A.u; get A.y; step A; } }",
           NULL, "get A.y (line 1): an input of A was set and no step followed");
    expect("scenario s { instance A { native; in u; out observed y; } } algorithm { init { } step "
           "{ set A.u; get A.y; step A; } }",
           NULL, NULL);
}

/* Facts 2.7, end of the co-simulation step: all T = old + h, and each is stepped once. */
#define ALONE                                                                                      \
    "scenario s { max step 4; instance A { out observed y; } } algorithm { init { } step { "
#define BOTH                                                                                       \
    "scenario s { max step 4; instance A { in u; out y; } instance B { in u; out y; } connect "    \
    "A.y "                                                                                         \
    "-> B.u; connect B.y -> A.u; } algorithm { init { get A.y, B.y; set A.u, B.u; } step { "
static void every_step_is_h(void **state) {
    (void)state;
    expect(BOTH "step A, B; get A.y, B.y; set A.u, B.u; } }", NULL, NULL);
    expect(BOTH "step A by 4; step B; get A.y, B.y; set A.u, B.u; } }", NULL, NULL);
    expect(BOTH "step A by 2; step B by 2; get A.y, B.y; set A.u, B.u; } }",
           "A has advanced by 2, but a step of 4 was due", NULL);
    expect(BOTH "step A, B; get A.y, B.y; set A.u, B.u; step A, B; get A.y, B.y; set A.u, B.u; } }",
           "A was stepped 2 times, by 8 in all: one step of 4 was due", NULL);
    expect(ALONE "step A; step A; } }", "A was stepped 2 times, by 8 in all", NULL);
    expect(ALONE "step A by 1; step A by 3; } }", "A was stepped 2 times, by 4 in all", NULL);
    expect(ALONE "step A by 1; } }", "A has advanced by 1, but a step of 4 was due", NULL);
    /* What is taken back does not count; what was not taken back does. */
    expect(ALONE "save A; step A; restore A; step A; } }", NULL, NULL);
    expect(ALONE "save A; step A; restore A; step A by 2; } }", "A has advanced by 2", NULL);
}

/* One that rejects decides how long the step is, and nobody takes less than it accepts. */
#define ASKED                                                                                      \
    "scenario s { max step 3; instance A { can reject; out observed y; } instance B { out "        \
    "observed "                                                                                    \
    "y; } } algorithm { init { } step { "
static void accepted_steps_are_due(void **state) {
    (void)state;
    expect(ASKED "step A; step B as A; } }", NULL, NULL);
    expect(ASKED "step A; step B; } }", "B has advanced by 3, but a step of 1 was due", NULL);
    expect(ASKED "step A by 1; step B by 1; } }", "A has advanced by 1, but a step of 3 was due",
           NULL);
    expect(ASKED "save A; until accepted (A) { step A; } retry { restore A; } step B; } }", NULL,
           NULL);
}

static void rules_of_orders(void **state) {
    (void)state;
    expect(PAIR "par { a: step A; b: get A.y after a; c: set B.u after b; step B after c; } } }",
           NULL, NULL);
    expect(PAIR "par { a: step A; b: get A.y; c: set B.u after b; step B after c; } } }",
           "step A (line 1) and get A.y (line 1) are in no order", NULL);
    expect("scenario s { instance A { in u; out observed y; } } algorithm { init { } step { step "
           "A; par { set A.u; get A.y; } } }",
           NULL, "are in no order, and FMI");
}

static void rates_are_taken_into_account(void **state) {
    (void)state;
    expect("scenario s { instance A { out y; } instance B { rate 3; in u; } connect A.y -> B.u; } "
           "algorithm { init { get A.y; set B.u; } step { set B.u; step A, B; get A.y; } }",
           NULL, NULL);
    expect("scenario s { instance A { out y; } instance B { rate 3; in u; } connect A.y -> B.u; } "
           "algorithm { init { get A.y; set B.u; } step { set B.u; step A; get A.y; } }",
           "B is still at time 0", NULL);
}

/* 40 loops in each other: given up, not run for ever. */
static void nested_loops_end(void **state) {
    hk_arena *arena = hk_arena_create();
    const char *source = "get A.y;";
    (void)state;
    for (int i = 0; i < 40; i++)
        source = hk_arena_printf(arena, "until converged (A.y) { %s }", source);
    expect(hk_arena_printf(arena, PAIR "%s } }", source), "too many iterations", NULL);
    hk_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_keep_their_contracts),
        cmocka_unit_test(random_plans_keep_their_contracts),
        cmocka_unit_test(damaged_plans_are_seen),
        cmocka_unit_test(late_feedthrough_is_noted),
        cmocka_unit_test(what_components_declare_is_told),
        cmocka_unit_test(steps_that_wait_for_each_other_are_told),
        cmocka_unit_test(a_long_hyperperiod_is_bounded),
        cmocka_unit_test(rules_of_calls),
        cmocka_unit_test(every_step_is_h),
        cmocka_unit_test(accepted_steps_are_due),
        cmocka_unit_test(rules_of_orders),
        cmocka_unit_test(rates_are_taken_into_account),
        cmocka_unit_test(nested_loops_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

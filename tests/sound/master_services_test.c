/* SPDX-License-Identifier: MIT
 *
 * Masters of systems in which components call each other: who is stepped first is what a call sees.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "callers.h"
#include "sound/master_file.h"

enum { HOLD = 1, ASK = 2 };

/* The plan with a master, and what its proof says. */
static hk_plan *plan_with(rig *r, hk_arena *arena, const char *text, hk_status expected) {
    hk_master_file *m;
    hk_plan *plan;
    assert_int_equal(hk_master_text_apply(r->ctx, arena, r->model, "any.master", text, &m), HK_OK);
    assert_int_equal(hk_plan_make(r->ctx, r->model, &(hk_plan_options){.levels = m->levels}, &plan),
                     HK_OK);
    assert_int_equal(hk_master_file_prove(r->ctx, m, plan), expected);
    return plan;
}

/* The master that is made for the model as it is run with an algorithm. */
static const char *make_text(rig *r, hk_arena *arena, hk_algorithm algorithm) {
    hk_plan *plan;
    hk_sound_system *system;
    hk_sound_master *master;
    assert_int_equal(
        hk_plan_make(r->ctx, r->model, &(hk_plan_options){.algorithm = algorithm}, &plan), HK_OK);
    assert_int_equal(hk_sound_from_plan(r->ctx, plan, HK_VIEW_CONNECTED, NULL, &system), HK_OK);
    assert_true(hk_sound_synthesise(arena, system, &master).holds);
    const char *text = hk_sound_print_text(arena, system, master, 1);
    hk_sound_destroy(system);
    hk_plan_destroy(plan);
    return text;
}

/* The newest message is about the line of TEXT that has WORDS. */
static void expect_said(const rig *r, hk_severity severity, const char *text, const char *words,
                        const char *said) {
    size_t count = hk_ctx_count(r->ctx, HK_NOTE);
    assert_true(count > 0);
    const hk_diag *d = hk_ctx_diag(r->ctx, count - 1);
    const char *at = strstr(text, words);
    int line = 1;
    assert_non_null(at);
    for (const char *c = text; c < at; c++)
        line += *c == '\n';
    assert_int_equal(d->severity, severity);
    assert_non_null(strstr(d->text, said));
    assert_int_equal(d->where.line, line);
}

static const char *swap_words(hk_arena *arena, const char *text, const char *a, const char *b) {
    const char *first = strstr(text, a), *second = strstr(text, b);
    assert_true(first && second && first < second);
    return hk_arena_printf(arena, "%.*s%s%.*s%s%s", (int)(first - text), text, b,
                           (int)(second - first) - (int)strlen(a), first + strlen(a), a,
                           second + strlen(b));
}

/* Nothing but the service orders hold and ask. What is made has the order of the plan, and one that
 * steps the caller first makes it see the activation before. */
static void who_calls_comes_as_written(void **state) {
    rig r;
    hk_plan *plan;
    hk_arena *arena = hk_arena_create();
    (void)state;
    rig_begin(&r, "0.1", "1", NULL);
    rig_add(&r, "cnt", &cnt_type, NULL, NULL);
    rig_add(&r, "hold", &hold_type, NULL, NULL);
    rig_add(&r, "ask", &ask_type, NULL, NULL);
    rig_connect(&r, "cnt.n", "hold.u");
    require(&r, ASK, (uint32_t[]){HOLD}, 1);
    assert_int_equal(hk_check_model(r.ctx, r.model), HK_OK);
    hk_model_lower(r.model);
    const char *text = make_text(&r, arena, HK_JACOBI);
    plan = plan_with(&r, arena, text, HK_OK);
    assert_int_equal(hk_ctx_count(r.ctx, HK_NOTE), 0);
    assert_true(plan->components[HOLD].level < plan->components[ASK].level);
    assert_int_equal(plan->dependencies[0].lag, 0);
    hk_plan_destroy(plan);
    text = swap_words(arena, text, "step hold;", "step ask;");
    plan = plan_with(&r, arena, text, HK_OK);
    expect_said(&r, HK_NOTE, text, "step ask;", "steps 'ask' before 'hold', which it calls");
    assert_true(plan->components[HOLD].level > plan->components[ASK].level);
    assert_int_equal(plan->dependencies[0].lag, 1);
    hk_plan_destroy(plan);
    hk_model_destroy(r.model);
    hk_ctx_destroy(r.ctx);
    hk_arena_destroy(arena);
}

/* What one drawer draws the other does not get: the model says who is first, though a value waits
 * for the second one. A master that turns them round is refused, in one group or in two. */
static void callers_that_change_keep_their_order(void **state) {
    rig r;
    hk_arena *arena = hk_arena_create();
    (void)state;
    rig_begin(&r, "0.1", "1", NULL);
    rig_add(&r, "hold", &hold_type, NULL, NULL);
    uint32_t one = rig_add(&r, "one", &drawer_type, NULL, NULL);
    uint32_t two = rig_add(&r, "two", &drawer_type, NULL, NULL);
    uint32_t from = rig_add(&r, "teller", &teller_type, NULL, NULL);
    rig_connect(&r, "two.y", "hold.u");
    require(&r, one, &from, 1);
    require(&r, two, &from, 1);
    assert_int_equal(hk_check_model(r.ctx, r.model), HK_OK);
    hk_model_lower(r.model);
    for (int algorithm = 0; algorithm < 2; algorithm++) {
        const char *text = make_text(&r, arena, algorithm ? HK_GAUSS_SEIDEL : HK_JACOBI);
        assert_true(strstr(text, "step one;") < strstr(text, "step two;"));
        size_t notes = hk_ctx_count(r.ctx, HK_NOTE);
        hk_plan *plan = plan_with(&r, arena, text, HK_OK);
        assert_true(plan->components[one].level < plan->components[two].level);
        assert_int_equal(hk_ctx_count(r.ctx, HK_NOTE), notes);
        hk_plan_destroy(plan);
        text = swap_words(arena, text, "step one;", "step two;");
        hk_plan_destroy(plan_with(&r, arena, text, HK_E_UNSOUND));
        expect_said(&r, HK_ERROR, text, "step two;", "without the master 'one' calls first");
        r.model->connections[0].lag = HK_LAG_DEFAULT;
    }
    hk_model_destroy(r.model);
    hk_ctx_destroy(r.ctx);
    hk_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(who_calls_comes_as_written),
                                       cmocka_unit_test(callers_that_change_keep_their_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

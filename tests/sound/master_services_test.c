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

/* The plan with a master; it is right. */
static hk_plan *plan_with(rig *r, hk_arena *arena, const char *text) {
    hk_master_file *m;
    hk_plan *plan;
    assert_int_equal(hk_master_text_apply(r->ctx, arena, r->model, "any.master", text, &m), HK_OK);
    assert_int_equal(hk_plan_make(r->ctx, r->model, &(hk_plan_options){.levels = m->levels}, &plan),
                     HK_OK);
    assert_int_equal(hk_master_file_prove(r->ctx, m, plan), HK_OK);
    return plan;
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
    hk_sound_system *system;
    hk_sound_master *master;
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
    assert_int_equal(
        hk_plan_make(r.ctx, r.model, &(hk_plan_options){.algorithm = HK_JACOBI}, &plan), HK_OK);
    assert_int_equal(plan->dependencies[0].lag, 0);
    assert_int_equal(hk_sound_from_plan(r.ctx, plan, HK_VIEW_CONNECTED, &system), HK_OK);
    assert_true(hk_sound_synthesise(arena, system, &master).holds);
    const char *text = hk_sound_print_text(arena, system, master, 1);
    hk_sound_destroy(system);
    hk_plan_destroy(plan);
    plan = plan_with(&r, arena, text);
    assert_true(plan->components[HOLD].level < plan->components[ASK].level);
    assert_int_equal(plan->dependencies[0].lag, 0);
    hk_plan_destroy(plan);
    plan = plan_with(&r, arena, swap_words(arena, text, "step hold;", "step ask;"));
    assert_true(plan->components[HOLD].level > plan->components[ASK].level);
    assert_int_equal(plan->dependencies[0].lag, 1);
    hk_plan_destroy(plan);
    hk_model_destroy(r.model);
    hk_ctx_destroy(r.ctx);
    hk_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(who_calls_comes_as_written)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

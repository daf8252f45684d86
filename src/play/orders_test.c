/* SPDX-License-Identifier: MIT
 *
 * Scenarios that bind during a run: the order follows, and all orders are made before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "callers.h"
#include "show.h"

static hk_action bind_to(uint32_t provider) {
    return (hk_action){
        .kind = HK_ACTION_BIND, .component = 3, .provider = provider, .words = "bind"};
}

static void play(show *s) {
    show_ready(s);
    assert_int_equal(show_play(s), HK_OK);
    assert_int_equal(s->report->runs[0].status, HK_OK);
}

/* Bound to mix when n is 2, and to hold again at 4 s. */
static void when_and_instant(void **state) {
    (void)state;
    show s;
    show_begin(&s, "1", "5");
    two_orders(&s.r);
    show_log(&s, "ask.y mix.kept");
    show_event(&s, (hk_event){.kind = HK_WHEN,
                              .condition = show_test(&s, "cnt.n", HK_GREATER_EQUAL, 2),
                              .actions = DO(&s, bind_to(2))});
    show_at(&s, "4", DO(&s, bind_to(1)));
    uint64_t before = hk_plan_made_count();
    play(&s);
    COLUMN_IS(&s, 1, 0, 1, 2, 32, 72, 5);
    COLUMN_IS(&s, 2, 0, 11, 22, 32, 72, 55);
    /* One for all bindings, which shows that the order depends on them, and one for each. */
    assert_int_equal(hk_plan_made_count() - before, 3);
    show_end(&s);
}

/* DURING puts back who was bound before, and so the order. */
static void during(void **state) {
    (void)state;
    show s;
    show_begin(&s, "1", "5");
    two_orders(&s.r);
    show_log(&s, "ask.y mix.kept");
    show_during(&s, "2", "4", DO(&s, bind_to(2)));
    play(&s);
    COLUMN_IS(&s, 1, 0, 1, 2, 32, 72, 5);
    show_end(&s);
}

/* Each scenario begins with the order of what it binds at its beginning. */
static void from_the_beginning(void **state) {
    (void)state;
    show s;
    show_begin(&s, "1", "3");
    two_orders(&s.r);
    show_log(&s, "ask.y mix.kept");
    s.scenarios[0].begin = DO(&s, bind_to(2));
    show_at(&s, "2", DO(&s, bind_to(1)));
    play(&s);
    /* at 0: mix = 0 + 10, at 1: 10 + 20, at 2: hold */
    COLUMN_IS(&s, 1, 0, 10, 30, 3);
    show_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(when_and_instant),
        cmocka_unit_test(during),
        cmocka_unit_test(from_the_beginning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

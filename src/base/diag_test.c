/* SPDX-License-Identifier: MIT */
#include "base/diag.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <string.h>

static void keeps_what_was_said(void **state) {
    (void)state;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    char file[] = "a.ssd", element[] = "Component 'x'", hint[] = "try b";
    hk_status status =
        hk_error(ctx, HK_E_SSP, (hk_where){file, 3, 4, element}, hint, "found %d", 7);
    assert_int_equal(status, HK_E_SSP);
    memset(file, '#', 5);
    memset(element, '#', 5);
    memset(hint, '#', 5); /* the context has copies */
    hk_warn(ctx, HK_E_VALUE, HK_NOWHERE, NULL, "hm");
    hk_note(ctx, HK_NOWHERE, "by the way");
    assert_int_equal(hk_ctx_count(ctx, HK_NOTE), 3);
    assert_int_equal(hk_ctx_count(ctx, HK_WARNING), 2);
    assert_int_equal(hk_ctx_count(ctx, HK_ERROR), 1);
    const hk_diag *diag = hk_ctx_diag(ctx, 0);
    assert_int_equal(diag->code, HK_E_SSP);
    assert_string_equal(diag->where.file, "a.ssd");
    assert_string_equal(diag->where.element, "Component 'x'");
    assert_int_equal(diag->where.line, 3);
    assert_string_equal(diag->text, "found 7");
    assert_string_equal(diag->hint, "try b");
    assert_null(hk_ctx_diag(ctx, 1)->hint);
    assert_null(hk_ctx_diag(ctx, 1)->where.file);
    assert_int_equal(hk_ctx_diag(ctx, 2)->severity, HK_NOTE);
    hk_ctx_destroy(ctx);
}

static void count_in_sink(void *user, const hk_diag *diag) {
    assert_string_equal(diag->text, "again");
    ++*(int *)user;
}

static void *add_many(void *ctx) {
    for (int i = 0; i < 500; i++)
        hk_warn(ctx, HK_E_VALUE, HK_NOWHERE, NULL, "again");
    return NULL;
}

static void threads_may_add(void **state) {
    (void)state;
    int seen = 0;
    hk_ctx *ctx = hk_ctx_create(count_in_sink, &seen);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, add_many, ctx), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(hk_ctx_count(ctx, HK_NOTE), 2000);
    assert_int_equal(seen, 2000);
    hk_ctx_destroy(ctx);
}

static void status_table(void **state) {
    (void)state;
    assert_string_equal(hk_status_text(HK_OK), "success");
    assert_int_equal(hk_status_exit(HK_OK), 0);
    assert_null(hk_status_explain(HK_OK));
    assert_string_equal(hk_status_text(HK_E_ZIP), "archive is damaged");
    assert_int_equal(hk_status_exit(HK_E_ZIP), 3);
    assert_int_equal(hk_status_exit(HK_E_USAGE), 2);
    assert_int_equal(hk_status_exit(HK_E_UNIT_HUNG), 124);
    hk_status before = HK_OK;
    size_t count = 0;
    for (hk_status s; (s = hk_status_by_index(count)) != HK_OK; count++) {
        assert_true(s > before); /* sorted, so no number occurs twice */
        assert_true(strlen(hk_status_text(s)) > 0 && strlen(hk_status_explain(s)) > 0);
        assert_true(hk_status_exit(s) > 0);
        before = s;
    }
    assert_true(count > 30);
}

static hk_status fails_early(hk_ctx *ctx, bool *ret_reached) {
    HK_TRY(HK_OK);
    HK_TRY(hk_error(ctx, HK_E_VALUE, HK_NOWHERE, NULL, "no"));
    *ret_reached = true;
    return HK_OK;
}

static void try_returns(void **state) {
    (void)state;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    bool reached = false;
    assert_int_equal(fails_early(ctx, &reached), HK_E_VALUE);
    assert_false(reached);
    hk_ctx_destroy(ctx);
}

static void closest_names(void **state) {
    (void)state;
    const char *names[] = {"wheel.speed", "chassis.speed", "wheel.force"};
    assert_string_equal(hk_closest("wheel.sped", names, 3), "wheel.speed");
    assert_string_equal(hk_closest("whel.force", names, 3), "wheel.force");
    assert_null(hk_closest("temperature", names, 3));
    assert_null(hk_closest("x", names, 0));
    const char *short_names[] = {"u", "y", "Sine", "Gain", "xy"};
    assert_null(hk_closest("k", short_names, 5));
    assert_string_equal(hk_closest("U", short_names, 5), "u");
    assert_string_equal(hk_closest("x", short_names, 5), "xy");
    assert_string_equal(hk_closest("Gane", short_names, 5), "Gain");
    char longer[300];
    memset(longer, 'a', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    assert_null(hk_closest(longer, names, 3));
    const char *long_names[] = {longer};
    assert_null(hk_closest("a", long_names, 1));
}

static void shows_folders_by_their_names(void **state) {
    (void)state;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_ctx_rename(ctx, "/tmp/x-1", "a.ssp");
    hk_warn(ctx, HK_E_ZIP, (hk_where){.file = "/tmp/x-1/r/b.fmu"}, NULL, "in %s", "/tmp/x-1/r");
    assert_string_equal(hk_ctx_diag(ctx, 0)->where.file, "a.ssp/r/b.fmu");
    assert_string_equal(hk_ctx_diag(ctx, 0)->text, "in a.ssp/r");
    hk_ctx_destroy(ctx);
}

static void shortens_what_nobody_reads(void **state) {
    (void)state;
    static char name[5000];
    memset(name, 'x', sizeof name - 1);
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_warn(ctx, HK_E_ZIP, HK_NOWHERE, NULL, "found '%s', expected a name", name);
    const char *text = hk_ctx_diag(ctx, 0)->text;
    assert_int_equal(strlen(text), 805);
    assert_int_equal(strncmp(text, "found 'xxx", 10), 0);
    assert_non_null(strstr(text, "x ... x"));
    assert_string_equal(text + strlen(text) - 18, "', expected a name");
    hk_ctx_destroy(ctx);
}

static void hints(void **state) {
    (void)state;
    const char *const names[] = {"speed", "torque"};
    hk_arena *arena = hk_arena_create();
    assert_string_equal(hk_hint_closest(arena, "sped", names, 2, "f"), "did you mean 'speed'?");
    assert_string_equal(hk_hint_closest(arena, "temperature", names, 2, "f"), "f");
    assert_null(hk_hint_closest(arena, "temperature", names, 2, NULL));
    const char *const verbs[] = {"plan", "plot"};
    assert_string_equal(hk_closest("plto", verbs, 2), "plot");
    assert_string_equal(hk_closest("paln", verbs, 2), "plan");
    const char *const parts[] = {"a.Mass.m", "bb.Mass.m", "c.xMass.m", "ddd.Mass.m", "e.Mass.m"};
    assert_string_equal(hk_hint_closest(arena, "Mass.m", parts + 2, 1, "f"),
                        "did you mean 'c.xMass.m'?"); /* it is close */
    const char *const far[] = {"chassis.Mass.m", "wheel.Mass.m", "trailer.xMass.m", "ground.Mass.m",
                               "tyre.Mass.m"};
    assert_string_equal(hk_hint_closest(arena, "Mass.m", far, 1, "f"),
                        "did you mean 'chassis.Mass.m'?");
    assert_string_equal(hk_hint_closest(arena, "Mass.m", far, 3, "f"),
                        "did you mean 'chassis.Mass.m' or 'wheel.Mass.m'?");
    assert_string_equal(hk_hint_closest(arena, "Mass.m", far, 4, "f"),
                        "did you mean 'chassis.Mass.m', 'wheel.Mass.m' or 'ground.Mass.m'?");
    assert_string_equal(
        hk_hint_closest(arena, "Mass.m", far, 5, "f"),
        "did you mean 'chassis.Mass.m', 'wheel.Mass.m', 'ground.Mass.m' or 1 more?");
    assert_string_equal(hk_hint_closest(arena, "Spring.k", far, 5, "f"), "f");
    assert_string_equal(hk_hint_name(arena, "x", NULL), "did you mean 'x'?");
    assert_string_equal(hk_hint_name(arena, NULL, "f"), "f");
    hk_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_what_was_said),
        cmocka_unit_test(threads_may_add),
        cmocka_unit_test(status_table),
        cmocka_unit_test(try_returns),
        cmocka_unit_test(closest_names),
        cmocka_unit_test(hints),
        cmocka_unit_test(shows_folders_by_their_names),
        cmocka_unit_test(shortens_what_nobody_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

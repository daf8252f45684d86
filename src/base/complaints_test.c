/* SPDX-License-Identifier: MIT */
#include "base/complaints.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void nothing_is_wrong(void **state) {
    (void)state;
    hk_complaints all = {0};
    assert_int_equal(all.first, HK_OK);
    assert_false(all.mute);
    assert_true(hk_complaints_may_suggest(&all));
}

static void one_note_for_the_rest(void **state) {
    (void)state;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_complaints all = {.ctx = ctx};
    for (int i = 1; i <= 60; i++) {
        hk_where where = {.file = "f", .line = i};
        hk_status code = i == 1 ? HK_E_NAME : HK_E_VALUE;
        assert_int_equal(hk_complain(&all, code, where, "hint", "mistake %d", i), code);
        assert_int_equal(all.mute, i > HK_COMPLAINTS_MAX);
    }
    assert_int_equal(all.count, 60);
    assert_int_equal(all.first, HK_E_NAME);
    assert_int_equal(hk_ctx_count(ctx, HK_ERROR), 50);
    assert_int_equal(hk_ctx_count(ctx, HK_NOTE), 51);
    assert_string_equal(hk_ctx_diag(ctx, 49)->text, "mistake 50");
    const hk_diag *note = hk_ctx_diag(ctx, 50);
    assert_string_equal(note->text, "there are more mistakes than these 50");
    assert_int_equal(note->where.line, 51);
    hk_ctx_destroy(ctx);
}

/* What others report counts, and is not reported again. */
static void those_of_others(void **state) {
    (void)state;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_complaints all = {.ctx = ctx};
    for (int i = 0; i < 50; i++)
        hk_complaint_heard(&all, HK_E_UNIT_MISMATCH);
    assert_int_equal(hk_ctx_count(ctx, HK_NOTE), 0);
    hk_complain(&all, HK_E_NAME, HK_NOWHERE, NULL, "one too many");
    assert_int_equal(all.first, HK_E_UNIT_MISMATCH);
    assert_int_equal(hk_ctx_count(ctx, HK_ERROR), 0);
    assert_int_equal(hk_ctx_count(ctx, HK_NOTE), 1);
    hk_ctx_destroy(ctx);
}

static void twenty_searches(void **state) {
    (void)state;
    static const char *const names[] = {"speed", "torque"};
    hk_arena *arena = hk_arena_create();
    hk_complaints all = {0};
    for (int i = 0; i < 25; i++) {
        assert_int_equal(hk_complaints_may_suggest(&all), i < HK_SUGGESTIONS_MAX);
        const char *hint = hk_complaint_suggest(&all, arena, "sped", names, 2);
        if (i < HK_SUGGESTIONS_MAX)
            assert_string_equal(hint, "did you mean 'speed'?");
        else
            assert_null(hint);
    }
    hk_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_wrong),
        cmocka_unit_test(one_note_for_the_rest),
        cmocka_unit_test(those_of_others),
        cmocka_unit_test(twenty_searches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

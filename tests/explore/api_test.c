/* SPDX-License-Identifier: MIT
 *
 * What `hocket prove x.rct` answers can be had from a program. */
#include <hk/context.h>
#include <hk/prove.h>

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const hk_verdict_info *find(const hk_answer *answer, const char *name,
                                   hk_verdict_info *info) {
    for (size_t i = 0; i < hk_prove_verdict_count(answer); i++) {
        *info = (hk_verdict_info){.size = sizeof *info};
        assert_int_equal(hk_prove_verdict(answer, i, info), HK_OK);
        if (strcmp(info->name, name) == 0)
            return info;
    }
    return NULL;
}

/* Asks, and gives the verdict. */
static hk_status ask(hk_context *context, const hk_ask_prove_options *options,
                     hk_answer **ret_answer) {
    hk_status status =
        hk_ask_prove(context, HK_TEST_FOLDER "/models/rover.rct", NULL, options, ret_answer);
    return status == HK_OK ? hk_answer_status(*ret_answer) : status;
}

static void test_controller(void **state) {
    (void)state;
    static const char *const properties[] = {"always alarm then ReleaseFlag within 0 cycles"};
    hk_ask_prove_options options = {
        .size = sizeof options, .properties = properties, .property_count = 1};
    hk_context *context = NULL;
    assert_int_equal(hk_context_create(&context), HK_OK);
    hk_answer *answer = NULL;
    hk_verdict_info info;
    assert_int_equal(ask(context, &options, &answer), HK_E_UNSOUND);
    assert_int_equal(find(answer, "property", &info)->state, HK_VERDICT_BROKEN);
    assert_true(info.call_count > 0);
    assert_non_null(strstr(info.calls[info.call_count - 1], "alarm"));
    assert_int_equal(find(answer, "timelock", &info)->state, HK_VERDICT_BROKEN);
    assert_int_equal(find(answer, "deadlock", &info)->state, HK_VERDICT_HOLDS);
    hk_answer_destroy(answer);

    options.plant = HK_TEST_FOLDER "/models/room.csv";
    assert_int_equal(ask(context, &options, &answer), HK_OK);
    assert_int_equal(find(answer, "property", &info)->state, HK_VERDICT_HOLDS);
    hk_answer_destroy(answer);

    options.states = 3;
    assert_int_equal(ask(context, &options, &answer), HK_E_UNDECIDED);
    assert_int_equal(find(answer, "deadlock", &info)->state, HK_VERDICT_INCONCLUSIVE);
    hk_answer_destroy(answer);

    options.trace = "calls.jsonl";
    assert_int_equal(ask(context, &options, &answer), HK_E_USAGE);
    hk_context_destroy(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_controller)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

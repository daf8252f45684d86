/* SPDX-License-Identifier: MIT
 *
 * The state machines, entry by entry, against tables written from the standards in another form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fmi/instance.h"

/* Rows: calls. Columns: instantiated, initialization, step complete, step failed, terminated,
 * error, fatal. */
static const char *const table[3][HK_FMI_CALLS] = {
    {
        [HK_FMI_ENTER_INIT] = "x......",
        [HK_FMI_EXIT_INIT] = ".x.....",
        [HK_FMI_SET] = "xxx....",
        [HK_FMI_GET] = ".xxxx..",
        [HK_FMI_STEP] = "..x....",
        [HK_FMI_STEP_STATUS] = "..xx...",
        [HK_FMI_TERMINATE] = "..xx...",
        [HK_FMI_FREE] = "xxxxxx.",
        [HK_FMI_STATE_GET] = "xxxxx..", /* where the library has functions for it */
        [HK_FMI_STATE_SET] = "xxxxxx.",
    },
    {
        [HK_FMI_ENTER_INIT] = "x......",
        [HK_FMI_EXIT_INIT] = ".x.....",
        [HK_FMI_SET] = "xxx....",
        [HK_FMI_GET] = ".xxxx..",
        [HK_FMI_STEP] = "..x....",
        [HK_FMI_STEP_STATUS] = "..xxx..",
        [HK_FMI_TERMINATE] = "..xx...",
        [HK_FMI_FREE] = "xxxxxx.",
        [HK_FMI_STATE_GET] = "xxxxx..",
        [HK_FMI_STATE_SET] = "xxxxxx.",
    },
    {
        [HK_FMI_ENTER_INIT] = "x......",
        [HK_FMI_EXIT_INIT] = ".x.....",
        [HK_FMI_SET] = "xxxx...",
        [HK_FMI_GET] = ".xxxx..",
        [HK_FMI_STEP] = "..xx...",
        [HK_FMI_STEP_STATUS] = ".......",
        [HK_FMI_TERMINATE] = "..xx...",
        [HK_FMI_FREE] = "xxxxxx.",
        [HK_FMI_STATE_GET] = "xxxxx..",
        [HK_FMI_STATE_SET] = "xxxxxx.",
    },
};

static void whole_table(void **state) {
    (void)state;
    for (int version = 1; version <= 3; version++)
        for (int call = 0; call < HK_FMI_CALLS; call++)
            for (int phase = 0; phase <= HK_PHASE_DEAD; phase++) {
                bool must = table[version - 1][call][phase] == 'x';
                if (hk_fmi_legal(version, (hk_phase)phase, (hk_fmi_call)call, false) != must)
                    fail_msg("FMI %d: call %d in state %d", version, call, phase);
            }
    assert_false(hk_fmi_legal(4, HK_PHASE_STEPPING, HK_FMI_STEP, false));
}

/* Between a set and the next step nothing is read; in initialization mode it may be. */
static void no_get_after_set(void **state) {
    (void)state;
    for (int version = 1; version <= 3; version++) {
        assert_false(hk_fmi_legal(version, HK_PHASE_STEPPING, HK_FMI_GET, true));
        assert_true(hk_fmi_legal(version, HK_PHASE_STEPPING, HK_FMI_SET, true));
        assert_true(hk_fmi_legal(version, HK_PHASE_STEPPING, HK_FMI_STEP, true));
        assert_true(hk_fmi_legal(version, HK_PHASE_INITIALIZING, HK_FMI_GET, true));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_table),
        cmocka_unit_test(no_get_after_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

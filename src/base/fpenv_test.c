/* SPDX-License-Identifier: MIT */
#include "base/fpenv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fenv.h>
#include <float.h>
#include <string.h>

static int teardown(void **state) {
    (void)state;
    hk_fpenv_pin();
    return 0;
}

static void pin_is_the_standard(void **state) {
    (void)state;
    uint64_t pinned = hk_fpenv_pin();
    assert_true(pinned == hk_fpenv_read());
    assert_string_equal(hk_fpenv_difference(pinned, pinned), "nothing");
    assert_int_equal(fegetround(), FE_TONEAREST);
}

static void sticky_flags_do_not_count(void **state) {
    (void)state;
    uint64_t pinned = hk_fpenv_pin();
    volatile double zero = 0, result = 1 / zero;
    (void)result;
    assert_true(fetestexcept(FE_DIVBYZERO));
    assert_true(hk_fpenv_read() == pinned);
}

static void rounding_mode_is_seen_and_undone(void **state) {
    (void)state;
    uint64_t pinned = hk_fpenv_pin();
    assert_int_equal(fesetround(FE_UPWARD), 0);
    uint64_t now = hk_fpenv_read();
    assert_true(now != pinned);
    assert_string_equal(hk_fpenv_difference(pinned, now), "the rounding mode");
    hk_fpenv_write(pinned);
    assert_int_equal(fegetround(), FE_TONEAREST);
    assert_true(hk_fpenv_read() == pinned);
}

#if defined(__x86_64__)
#include <xmmintrin.h>

/* What a library built with -ffast-math does when it is loaded. */
static void flush_to_zero_is_seen_and_undone(void **state) {
    (void)state;
    uint64_t pinned = hk_fpenv_pin();
    volatile double tiny = DBL_MIN;
    assert_true(tiny / 2 != 0);
    _mm_setcsr(_mm_getcsr() | 0x8040);
    assert_true(tiny / 2 == 0); /* it really changes results */
    uint64_t now = hk_fpenv_read();
    assert_string_equal(hk_fpenv_difference(pinned, now), "flush to zero");
    hk_fpenv_write(pinned);
    assert_true(tiny / 2 != 0);
    assert_true(hk_fpenv_read() == pinned);
}

static void masks_and_x87_are_seen(void **state) {
    (void)state;
    uint64_t pinned = hk_fpenv_pin();
    assert_string_equal(hk_fpenv_difference(pinned, pinned ^ (UINT64_C(0x80) << 16)),
                        "the exception masks");
    uint16_t single = 0x007f; /* 24-bit precision */
    __asm__ volatile("fldcw %0" : : "m"(single));
    assert_string_equal(hk_fpenv_difference(pinned, hk_fpenv_read()), "the x87 control word");
    assert_true(hk_fpenv_pin() == pinned);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(pin_is_the_standard, teardown),
        cmocka_unit_test_teardown(sticky_flags_do_not_count, teardown),
        cmocka_unit_test_teardown(rounding_mode_is_seen_and_undone, teardown),
#if defined(__x86_64__)
        cmocka_unit_test_teardown(flush_to_zero_is_seen_and_undone, teardown),
        cmocka_unit_test_teardown(masks_and_x87_are_seen, teardown),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

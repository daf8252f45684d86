/* SPDX-License-Identifier: MIT */
#include "base/libm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the program says in a process of its own, with or without the processor's best variants. */
static uint64_t ask_another(const char *program, const char *tunables) {
    char command[4096], text[64] = "";
    snprintf(command, sizeof command, "%s%s '%s' --print", tunables ? "GLIBC_TUNABLES=" : "",
             tunables ? tunables : "", program);
    FILE *answer = popen(command, "r");
    assert_non_null(answer);
    assert_non_null(fgets(text, sizeof text, answer));
    assert_int_equal(pclose(answer), 0);
    return strtoull(text, NULL, 16);
}

static const char *self;

static void knows_names(void **state) {
    (void)state;
    static const char *const inexact[] = {"sin",          "powf",         "expl",     "atan2",
                                          "__exp_finite", "__pow_finite", "erff",     "log1p",
                                          "sincos",       "cexp",         "lgamma_r", "hypotl"};
    static const char *const other[] = {"sqrt", "floor", "fmod",     "remainder",
                                        "fabs", "",      "__finite", "printf",
                                        "f",    "sinus", "__",       "_finite"};
    for (size_t i = 0; i < sizeof inexact / sizeof *inexact; i++)
        assert_true(hk_libm_is_inexact(inexact[i]));
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        assert_false(hk_libm_is_inexact(other[i]));
}

static void same_in_every_process(void **state) {
    (void)state;
    uint64_t here = hk_libm_hash();
    assert_true(here != 0);
    assert_true(hk_libm_hash() == here);
    assert_true(ask_another(self, NULL) == here);
}

/* Other variants of sin, exp and pow have other last bits, and that is seen. */
static void tells_variants_apart(void **state) {
    (void)state;
    static const char without[] = "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX2_Usable,-FMA_Usable";
#if defined(__x86_64__) && defined(__GLIBC__)
    if (!__builtin_cpu_supports("fma") || !__builtin_cpu_supports("avx2"))
        skip();
    assert_true(ask_another(self, without) != ask_another(self, NULL));
#else
    (void)without;
    skip();
#endif
}

static void text(void **state) {
    (void)state;
    char buffer[HK_LIBM_TEXT];
    assert_string_equal(hk_libm_text(0xabc, buffer), "0000000000000abc");
}

int main(int argc, char **argv) {
    char buffer[HK_LIBM_TEXT];
    if (argc > 1 && strcmp(argv[1], "--print") == 0) {
        puts(hk_libm_text(hk_libm_hash(), buffer));
        return 0;
    }
    self = argv[0];
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_names),
        cmocka_unit_test(same_in_every_process),
        cmocka_unit_test(tells_variants_apart),
        cmocka_unit_test(text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

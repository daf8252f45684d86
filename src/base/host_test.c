/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/fpenv.h"
#include "base/host.h"

#include <fenv.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static void ignore(int number) {
    (void)number;
}

static void test_nothing(void **state) {
    (void)state;
    hk_host host;
    hk_host_look(&host);
    assert_int_equal(hk_host_restore(&host, true), 0);
    hk_host_forget(&host);
    hk_host_forget(&host); /* twice is fine */
}

static void test_everything(void **state) {
    (void)state;
    hk_host host;
    char before[4096], after[4096];
    assert_non_null(getcwd(before, sizeof before));
    mode_t mask = umask(022);
    hk_host_look(&host);
    assert_non_null(setlocale(LC_ALL, "C.UTF-8"));
    fesetround(FE_UPWARD);
    signal(SIGUSR1, ignore);
    umask(0);
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(hk_host_restore(&host, false), HK_HOST_FPENV | HK_HOST_LOCALE |
                                                        HK_HOST_SIGNAL | HK_HOST_FOLDER |
                                                        HK_HOST_UMASK);
    assert_string_equal(setlocale(LC_ALL, NULL), "C");
    assert_int_equal(fegetround(), FE_TONEAREST);
    assert_true(signal(SIGUSR1, SIG_DFL) == SIG_DFL);
    assert_int_equal(umask(mask), 022);
    assert_non_null(getcwd(after, sizeof after));
    assert_string_equal(after, before);
    hk_host_forget(&host);
}

/* Interpreters choose the locale of characters, and need to see their own faults. */
static void test_habits(void **state) {
    (void)state;
    hk_host host, later;
    hk_host_look(&host);
    setlocale(LC_CTYPE, "C.UTF-8");
    void (*own)(int) = signal(SIGSEGV, ignore);
    assert_int_equal(hk_host_restore(&host, false), 0);
    assert_string_equal(setlocale(LC_CTYPE, NULL), "C");
    hk_host_look(&later);
    hk_host_take_faults(&later, &host);
    assert_int_equal(hk_host_restore(&later, true), 0);
    assert_true(signal(SIGSEGV, own) == own);
    hk_host_forget(&host);
    hk_host_forget(&later);
}

static void test_thread(void **state) {
    (void)state;
    hk_host host;
    sigset_t usr1, now;
    hk_host_look(&host);
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    sigprocmask(SIG_BLOCK, &usr1, NULL);
    locale_t mine = newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0);
    uselocale(mine);
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_sec = 1000}}, NULL);
    assert_int_equal(hk_host_restore(&host, true), HK_HOST_LOCALE | HK_HOST_SIGNAL);
    assert_true(uselocale((locale_t)0) == LC_GLOBAL_LOCALE);
    sigprocmask(SIG_BLOCK, NULL, &now);
    assert_int_equal(sigismember(&now, SIGUSR1), 0);
    struct itimerval timer;
    getitimer(ITIMER_REAL, &timer);
    assert_int_equal(timer.it_value.tv_sec, 0);
    freelocale(mine);
    hk_host_forget(&host);
}

static void test_words(void **state) {
    (void)state;
    char text[128], little[8];
    assert_string_equal(hk_host_text(HK_HOST_LOCALE, text, sizeof text), "the locale");
    assert_string_equal(hk_host_text(HK_HOST_LOCALE | HK_HOST_UMASK, text, sizeof text),
                        "the locale and the umask");
    assert_string_equal(hk_host_text(HK_HOST_LOCALE | HK_HOST_UMASK, little, sizeof little),
                        "the loc");
    assert_string_equal(hk_host_text(HK_HOST_FPENV, text, sizeof text), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing), cmocka_unit_test(test_everything),
        cmocka_unit_test(test_habits),  cmocka_unit_test(test_thread),
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

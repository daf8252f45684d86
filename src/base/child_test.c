/* SPDX-License-Identifier: MIT */
#include "base/child.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

static void answer(int pipe, void *user) {
    hk_child_put(pipe, user, strlen(user));
}

static void crash(int pipe, void *user) {
    (void)user;
    hk_child_put(pipe, "x", 1);
    raise(SIGSEGV);
}

static void spin(int pipe, void *user) {
    (void)pipe;
    for (volatile int *x = user;;)
        ++*x;
}

static void rest(int pipe, void *user) {
    (void)pipe;
    (void)user;
    for (;;)
        pause();
}

static void test_answer(void **state) {
    (void)state;
    char text[16] = "";
    hk_child child;
    assert_int_equal(hk_child_start(&child, (hk_child_limits){0}, answer, (void *)"hello"), 0);
    assert_int_equal(hk_child_read(&child, text, sizeof text, 60000), 5);
    assert_string_equal(text, "hello");
    assert_int_equal(hk_child_read(&child, text, sizeof text, 60000), 0);
    assert_int_equal(hk_child_end(&child, false), 0);
}

static int say_nothing(hk_child_fn *work, hk_child_limits limits) {
    hk_child child;
    char text[16];
    int x = 0;
    assert_int_equal(hk_child_start(&child, limits, work, &x), 0);
    ssize_t got;
    do
        got = hk_child_read(&child, text, sizeof text, 60000);
    while (got > 0);
    return hk_child_end(&child, got < 0);
}

static void test_ends(void **state) {
    (void)state;
    (void)signal(SIGSEGV, SIG_IGN); /* what the parent does with it is not the child's */
    assert_int_equal(say_nothing(crash, (hk_child_limits){0}), HK_CHILD_SIGNAL + SIGSEGV);
    (void)signal(SIGSEGV, SIG_DFL);
    assert_int_equal(say_nothing(spin, (hk_child_limits){.cpu_s = 1}), HK_CHILD_SIGNAL + SIGXCPU);
}

/* Not with sanitizers: they have allocators of their own, and those may hang while they report that
 * there is nothing left to report with. */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
static void swallow(int pipe, void *user) {
    (void)pipe;
    (void)user;
    for (;;)
        memset(hk_alloc(1 << 20), 1, 1 << 20);
}

static void test_memory(void **state) {
    (void)state;
    int status = say_nothing(swallow, (hk_child_limits){.more_bytes = 64 << 20, .cpu_s = 60});
    assert_int_equal(status, HK_CHILD_MEMORY);
}
#endif

static void test_late(void **state) {
    (void)state;
    hk_child child;
    char text[16];
    assert_int_equal(hk_child_start(&child, (hk_child_limits){0}, rest, NULL), 0);
    assert_int_equal(hk_child_read(&child, text, sizeof text, 10), -1);
    assert_int_equal(hk_child_end(&child, true), HK_CHILD_SIGNAL + SIGKILL);
}

/* Nothing that was not an abort is called one. */
static void test_words(void **state) {
    (void)state;
    assert_string_equal(hk_signal_words(SIGABRT), "aborted");
    assert_string_equal(hk_signal_words(SIGKILL), "was killed (SIGKILL)");
    for (int number = 1; number <= SIGRTMAX; number++)
        if (number != SIGABRT)
            assert_string_not_equal(hk_signal_words(number), "aborted");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_answer),
        cmocka_unit_test(test_ends),
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
        cmocka_unit_test(test_memory),
#endif
        cmocka_unit_test(test_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

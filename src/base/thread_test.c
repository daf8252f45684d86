/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/thread.h"

#include <signal.h>

static void *look(void *user) {
    pthread_sigmask(SIG_SETMASK, NULL, user);
    return user;
}

/* The thread leaves the signals of the process to others; the caller's mask stays as it was. */
static void signals(void **state) {
    (void)state;
    sigset_t before, inside, after;
    pthread_t thread;
    void *result = NULL;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    assert_int_equal(hk_thread_start(&thread, look, &inside), 0);
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_ptr_equal(result, &inside);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    for (int number = 1; number < 32; number++)
        assert_int_equal(sigismember(&before, number), sigismember(&after, number));
    assert_true(sigismember(&inside, SIGINT) && sigismember(&inside, SIGTERM));
    assert_false(sigismember(&inside, SIGSEGV));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(signals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

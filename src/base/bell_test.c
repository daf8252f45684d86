/* SPDX-License-Identifier: MIT */
#include "base/bell.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

typedef struct page {
    hk_bell there, back;
    uint32_t value;
} page;

/* How often it looks; the rest counts how often it was asked. */
static unsigned looks_of(unsigned spin) {
    return spin & 0xffff;
}

static void test_alone(void **state) {
    (void)state;
    hk_bell bell = {0};
    unsigned spin = HK_SPIN_MOST;
    assert_false(hk_bell_wait(&bell, 0, &spin, 5)); /* nobody rings */
    assert_int_equal(looks_of(spin), HK_SPIN_MOST / 2);
    hk_bell_ring(&bell);
    assert_true(hk_bell_wait(&bell, 0, &spin, 5)); /* it was rung before */
    assert_int_equal(looks_of(spin), HK_SPIN_MOST);
    assert_false(hk_bell_wait(&bell, 1, &spin, 5));
    for (int i = 0; i < 20; i++)
        assert_false(hk_bell_wait(&bell, 1, &spin, 1));
    assert_int_equal(looks_of(spin), HK_SPIN_LEAST);
}

/* Who is not to look does not begin to, however often it waits, and whether it was rung or not. */
static void test_no_looks(void **state) {
    (void)state;
    hk_bell bell = {0};
    unsigned spin = 0;
    for (uint32_t i = 0; i < 200; i++) {
        if (i % 2)
            hk_bell_ring(&bell);
        (void)hk_bell_wait(&bell, i / 2, &spin, 0);
        assert_int_equal(spin, 0);
    }
}

/* What is written before a ring is there for the one who was waiting, also if he slept. */
static void test_two_processes(void **state) {
    (void)state;
    enum { TIMES = 200 };
    page *p = hk_shared_memory(sizeof *p);
    assert_non_null(p);
    pid_t pid = fork();
    for (uint32_t i = 0, spin_child = 0; pid == 0 && i < TIMES; i++) {
        unsigned spin = i % 2 ? HK_SPIN_MOST : spin_child;
        while (!hk_bell_wait(&p->there, i, &spin, 1000))
            ;
        p->value += i;
        hk_bell_ring(&p->back);
    }
    if (pid == 0)
        _exit(0);
    unsigned spin = HK_SPIN_MOST;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < TIMES; i++) {
        hk_bell_ring(&p->there);
        while (!hk_bell_wait(&p->back, i, &spin, 1000))
            ;
        sum += i;
        assert_int_equal(p->value, sum);
    }
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    munmap(p, sizeof *p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alone),
        cmocka_unit_test(test_no_looks),
        cmocka_unit_test(test_two_processes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

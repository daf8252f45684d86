/* SPDX-License-Identifier: MIT */
#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

/* The known answers that the authors of Philox publish with it. */
static void known_answers(void **state) {
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], wanted[4];
    } cases[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t words[4];
        hk_philox(cases[i].counter, cases[i].key, words);
        assert_memory_equal(words, cases[i].wanted, sizeof words);
    }
}

/* Pins the stream itself: the same seed must give the same numbers in every version. */
static void streams_never_change(void **state) {
    (void)state;
    hk_stream s = hk_stream_make(42, 0, "wheel", "road");
    assert_true(hk_stream_u64(&s, 0, 0) == UINT64_C(0xcc27e31c356675e9));
    assert_true(hk_stream_normal(&s, 1000, 3) == 2.8926794448446111);
}

enum { TICKS = 500, INDICES = 8, THREADS = 4 };

typedef struct job {
    pthread_t thread;
    int first;
    double (*table)[INDICES];
} job;

static double cell(int tick, int index) {
    hk_stream s = hk_stream_make(7, 1, index % 2 ? "a" : "b", "noise");
    return hk_stream_normal(&s, tick - 250, (uint32_t)index);
}

static void *fill(void *user) {
    job *j = user;
    for (int t = j->first; t < TICKS; t += THREADS)
        for (int i = INDICES - 1; i >= 0; i--)
            j->table[t][i] = cell(t, i);
    return NULL;
}

static void order_and_thread_do_not_matter(void **state) {
    (void)state;
    static double forwards[TICKS][INDICES], backwards[TICKS][INDICES], parallel[TICKS][INDICES];
    for (int t = 0; t < TICKS; t++)
        for (int i = 0; i < INDICES; i++)
            forwards[t][i] = cell(t, i);
    for (int t = TICKS - 1; t >= 0; t--)
        for (int i = INDICES - 1; i >= 0; i--)
            backwards[t][i] = cell(t, i);
    job jobs[THREADS];
    for (int k = 0; k < THREADS; k++) {
        jobs[k] = (job){.first = k, .table = parallel};
        assert_int_equal(pthread_create(&jobs[k].thread, NULL, fill, &jobs[k]), 0);
    }
    for (int k = 0; k < THREADS; k++)
        pthread_join(jobs[k].thread, NULL);
    assert_memory_equal(forwards, backwards, sizeof forwards);
    assert_memory_equal(forwards, parallel, sizeof forwards);
}

static void every_part_of_the_name_counts(void **state) {
    (void)state;
    const hk_stream streams[] = {
        hk_stream_make(1, 1, "a", "n"), hk_stream_make(2, 1, "a", "n"),
        hk_stream_make(1, 2, "a", "n"), hk_stream_make(1, 1, "b", "n"),
        hk_stream_make(1, 1, "a", "m"), hk_stream_make(1, 1, "an", ""),
        hk_stream_make(1, 1, "", "an"), hk_stream_make(0, 2, "a", "n"),
    };
    enum { COUNT = sizeof streams / sizeof *streams };
    uint64_t words[COUNT + 2];
    for (size_t i = 0; i < COUNT; i++)
        words[i] = hk_stream_u64(&streams[i], 5, 0);
    words[COUNT] = hk_stream_u64(&streams[0], 5, 1);
    words[COUNT + 1] = hk_stream_u64(&streams[0], 5 + (INT64_C(1) << 32), 0);
    for (size_t i = 0; i < COUNT + 2; i++)
        for (size_t k = 0; k < i; k++)
            assert_true(words[i] != words[k]);
}

static void moments(void **state) {
    (void)state;
    enum { COUNT = 400000 };
    hk_stream s = hk_stream_make(2026, 3, "sensor", "noise");
    double u1 = 0, u2 = 0, n1 = 0, n2 = 0, n3 = 0, n4 = 0, lag = 0, before = 0;
    int beyond = 0;
    for (int i = 0; i < COUNT; i++) {
        double u = hk_stream_uniform(&s, i, 0), n = hk_stream_normal(&s, i, 1);
        assert_true(u >= 0 && u < 1);
        u1 += u;
        u2 += u * u;
        n1 += n;
        n2 += n * n;
        n3 += n * n * n;
        n4 += n * n * n * n;
        lag += n * before;
        before = n;
        beyond += fabs(n) > 3;
    }
    /* Each bound is five standard errors. */
    double e = 5 / sqrt(COUNT);
    assert_true(fabs(u1 / COUNT - 0.5) < e * 0.2887);
    assert_true(fabs(u2 / COUNT - 1.0 / 3) < e * 0.2981);
    assert_true(fabs(n1 / COUNT) < e);
    assert_true(fabs(n2 / COUNT - 1) < e * sqrt(2));
    assert_true(fabs(n3 / COUNT) < e * sqrt(15));
    assert_true(fabs(n4 / COUNT - 3) < e * sqrt(96));
    assert_true(fabs(lag / COUNT) < e);
    assert_true(fabs(beyond / (double)COUNT - 0.0026998) < e * 0.0519);
}

/* The distribution function of the C library, only here, undoes the quantile. */
static void normal_inverts_the_distribution(void **state) {
    (void)state;
    hk_stream s = hk_stream_make(1, 0, "a", "b");
    for (int i = 0; i < 200000; i++) {
        double p = ((double)(hk_stream_u64(&s, i, 0) >> 12) + 0.5) * 0x1p-52;
        double x = hk_stream_normal(&s, i, 0);
        double back = 0.5 * erfc(-x * 0.70710678118654752);
        assert_true(fabs(back - p) <= 1e-14 * (p < 0.5 ? p : 1) + 1e-16);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(streams_never_change),
        cmocka_unit_test(order_and_thread_do_not_matter),
        cmocka_unit_test(every_part_of_the_name_counts),
        cmocka_unit_test(moments),
        cmocka_unit_test(normal_inverts_the_distribution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

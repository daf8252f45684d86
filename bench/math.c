/* SPDX-License-Identifier: MIT
 *
 * Each function of hk/math.h against the one of the C library, for the arguments that the tests
 * take from the middle of its domain. */
#include "bench.h"

#include "functions.h"

#include <math.h>
#include <stdio.h>

enum { ARGUMENTS = 1024 };

typedef struct arguments {
    double x[ARGUMENTS], y[ARGUMENTS];
} arguments;

/* What is computed must be used; nobody reads it. */
static volatile double used;

/* One loop for each of the two. Those of hk/math.h are inlined there, as in a component. */
#define LOOP(name, call)                                                                           \
    static hk_status name(void *user) {                                                            \
        const arguments *a = user;                                                                 \
        double sum = 0;                                                                            \
        for (int i = 0; i < ARGUMENTS; i++)                                                        \
            sum += call;                                                                           \
        used = sum;                                                                                \
        return HK_OK;                                                                              \
    }
#define LOOPS_ONE(name, ...)                                                                       \
    LOOP(theirs_##name, name(a->x[i]))                                                             \
    LOOP(ours_##name, hk_##name(a->x[i]))
#define LOOPS_TWO(name, ...)                                                                       \
    LOOP(theirs_##name, name(a->x[i], a->y[i]))                                                    \
    LOOP(ours_##name, hk_##name(a->x[i], a->y[i]))
/* clang-format off */
MATH_ONE(LOOPS_ONE)
MATH_TWO(LOOPS_TWO)
/* clang-format on */

typedef struct function {
    const char *name;
    hk_status (*theirs)(void *user), (*ours)(void *user);
    double low, high, low2, high2;
} function;

#define ENTRY_ONE(name, low, high) {#name, theirs_##name, ours_##name, low, high, 0, 0},
#define ENTRY_TWO(name, low, high, low2, high2)                                                    \
    {#name, theirs_##name, ours_##name, low, high, low2, high2},
static const function functions[] = {MATH_ONE(ENTRY_ONE) MATH_TWO(ENTRY_TWO)};

static double between(double low, double high, uint32_t stream, int number) {
    return low + (high - low) * ((double)(math_bits(stream, (uint64_t)number) >> 11) * 0x1p-53);
}

static hk_status measure(bench *b, const function *f, arguments *a) {
    bench_pairs results = {0};
    for (int i = 0; i < ARGUMENTS; i++) {
        a->x[i] = between(f->low, f->high, 1, i);
        a->y[i] = between(f->low2, f->high2, 2, i);
    }
    hk_status status = bench_paired((bench_work){f->theirs, a}, (bench_work){f->ours, a},
                                    b->quick ? 100 : 2000, &results);
    char own[32];
    snprintf(own, sizeof own, "hk_%s", f->name);
    const char *const names[2] = {f->name, own};
    if (status == HK_OK)
        bench_report_two(b, &results, names, ARGUMENTS, "call", (bench_limits){NAN, 1.5});
    bench_pairs_finish(&results);
    return status;
}

hk_status bench_math(bench *b) {
    arguments a;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        HK_TRY(measure(b, &functions[i], &a));
    return HK_OK;
}

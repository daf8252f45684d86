/* SPDX-License-Identifier: MIT
 *
 * Prints a hash of the results of every function of hk/math.h, for 40000 arguments each: the same
 * whatever compiled it. bits_test.py compiles it in many ways. */
#include "functions.h"

#include <stdio.h>

enum { COUNT = 40000 };

static void say(const char *name, uint64_t hash) {
    printf("%-6s %08x%08x\n", name, (unsigned)(hash >> 32), (unsigned)hash);
}

static uint64_t add(uint64_t hash, double x) {
    return hk_random_spread_(hash ^ hk_math_bits_(x));
}

#define SHOW_ONE(name, low, high)                                                                  \
    {                                                                                              \
        uint64_t hash = 0;                                                                         \
        for (uint64_t i = 0; i < COUNT; i++)                                                       \
            hash = add(hash, hk_##name(math_argument(stream, i, low, high)));                      \
        say(#name, hash);                                                                          \
        stream += 4;                                                                               \
    }
#define SHOW_TWO(name, low, high, low2, high2)                                                     \
    {                                                                                              \
        uint64_t hash = 0;                                                                         \
        for (uint64_t i = 0; i < COUNT; i++)                                                       \
            hash = add(hash, hk_##name(math_argument(stream, i, low, high),                        \
                                       math_argument(stream + 2, i / 3, low2, high2)));            \
        say(#name, hash);                                                                          \
        stream += 4;                                                                               \
    }

int main(void) {
    uint32_t stream = 0;
    printf("hk/math.h %d\n", HK_MATH_VERSION);
    MATH_ONE(SHOW_ONE)
    MATH_TWO(SHOW_TWO)
    return 0;
}

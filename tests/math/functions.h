/* SPDX-License-Identifier: MIT
 *
 * The functions of hk/math.h, with the arguments that tests try: from LOW to HIGH, of all sizes,
 * and around numbers at which something begins or ends. */
#ifndef HK_TEST_MATH_FUNCTIONS_H
#define HK_TEST_MATH_FUNCTIONS_H

#include <hk/math.h>
#include <hk/random.h>

/* name, low, high */
#define MATH_ONE(F)                                                                                \
    F(exp, -750, 712)                                                                              \
    F(exp2, -1080, 1026)                                                                           \
    F(expm1, -2, 2)                                                                                \
    F(log, 0, 3)                                                                                   \
    F(log2, 0, 3)                                                                                  \
    F(log10, 0, 3)                                                                                 \
    F(log1p, -1, 3)                                                                                \
    F(cbrt, -10, 10)                                                                               \
    F(sinh, -5, 5)                                                                                 \
    F(cosh, -5, 5)                                                                                 \
    F(tanh, -2, 2)                                                                                 \
    F(asinh, -5, 5)                                                                                \
    F(acosh, 1, 3)                                                                                 \
    F(atanh, -1, 1)                                                                                \
    F(sin, -10, 10)                                                                                \
    F(cos, -10, 10)                                                                                \
    F(tan, -10, 10)                                                                                \
    F(asin, -1, 1)                                                                                 \
    F(acos, -1, 1)                                                                                 \
    F(atan, -5, 5)
/* name, low, high of the first, low, high of the second */
#define MATH_TWO(F)                                                                                \
    F(pow, 0, 20, -40, 40)                                                                         \
    F(atan2, -3, 3, -3, 3)                                                                         \
    F(hypot, -3, 3, -3, 3)                                                                         \
    F(fmod, -10000, 10000, -3, 3)

/* The NUMBER-th argument of a stream: the next 64 bits of a counter-based generator. */
static inline uint64_t math_bits(uint32_t stream, uint64_t number) {
    uint32_t words[4];
    const uint32_t counter[4] = {(uint32_t)number, (uint32_t)(number >> 32), stream, 0};
    const uint32_t key[2] = {20261116, 0};
    hk_philox(counter, key, words);
    return (uint64_t)words[1] << 32 | words[0];
}

/* A quarter are any bits at all, a quarter lie within some units in the last place of an edge, the
 * others between LOW and HIGH. */
static inline double math_argument(uint32_t stream, uint64_t number, double low, double high) {
    static const double edges[] = {0,
                                   0x1p-1022,
                                   0.25,
                                   0.5,
                                   1,
                                   2,
                                   0.109375,
                                   0.6875,
                                   1.375,
                                   0x1p-7,
                                   0x1p-27,
                                   0x1p-28,
                                   0x1p-53,
                                   0x1p-54,
                                   0x1p10,
                                   0x1p20,
                                   0x1p30,
                                   0x1p52,
                                   0x1p53,
                                   0x1p60,
                                   40,
                                   64,
                                   0x1p1000,
                                   711,
                                   709.78271289338397,
                                   745.13321910194122,
                                   708.39641853226408,
                                   1024,
                                   1074,
                                   1.5707963267948966,
                                   0.78539816339744828,
                                   3.1415926535897931,
                                   0.34657359027997264,
                                   0x1.fffffffffffffp1023};
    uint64_t bits = math_bits(stream, number);
    uint64_t more = math_bits(stream + 1, number);
    if (number % 4 == 0)
        return hk_math_double_(bits);
    if (number % 4 == 1) {
        double edge = edges[bits % (sizeof edges / sizeof *edges)];
        double near = hk_math_double_(hk_math_bits_(edge) + more % 41 - (edge > 0 ? 20 : 0));
        return bits >> 63 ? -near : near;
    }
    return low + (high - low) * ((double)(bits >> 11) * 0x1p-53);
}

#endif

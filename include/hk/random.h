/* SPDX-License-Identifier: MIT
 *
 * Random numbers from a counter, not from a state: the number depends on (seed, run, component,
 * stream, number, index) and on nothing else, so it is the same no matter who asks first, on any
 * thread. The generator is Philox4x32-10 (Salmon et al., 2011). All of it is here, so that a
 * component, or an FMU made of it, needs no library.
 *
 * A component has fields of the type hk_stream and lists them in its type (hk_unit_type.streams);
 * hocket fills them in. What it passes as NUMBER is up to the component: count the steps, as hocket
 * does for faults. Time is not a good key: what else a model declares may change how it is counted.
 */
#ifndef HK_RANDOM_H
#define HK_RANDOM_H

#include <hk/base.h>

#include <math.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hk_stream {
    uint32_t key[2];
    uint32_t id; /* folded from component and stream */
} hk_stream;

/* Philox4x32-10 itself: four words from a counter and a key. */
static inline void hk_philox(const uint32_t counter[4], const uint32_t key[2],
                             uint32_t ret_words[4]) {
    uint32_t x0 = counter[0], x1 = counter[1], x2 = counter[2], x3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        uint64_t a = UINT64_C(0xd2511f53) * x0;
        uint64_t b = UINT64_C(0xcd9e8d57) * x2;
        x0 = (uint32_t)(b >> 32) ^ x1 ^ k0;
        x1 = (uint32_t)b;
        x2 = (uint32_t)(a >> 32) ^ x3 ^ k1;
        x3 = (uint32_t)a;
        k0 += 0x9e3779b9; /* Weyl sequences: golden ratio and sqrt(3) - 1 */
        k1 += 0xbb67ae85;
    }
    ret_words[0] = x0;
    ret_words[1] = x1;
    ret_words[2] = x2;
    ret_words[3] = x3;
}

/* 64-bit FNV-1a. */
static inline uint64_t hk_random_hash_(uint64_t hash, const char *data, size_t size) {
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)data[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* The hash alone leaves the high bits of short names weak; this spreads every bit over all. */
static inline uint64_t hk_random_spread_(uint64_t x) {
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static inline hk_stream hk_stream_make(uint64_t seed, uint64_t run, const char *component,
                                       const char *stream) {
    /* The NUL between them keeps ("ab", "c") and ("a", "bc") apart. */
    uint64_t name = hk_random_hash_(UINT64_C(0xcbf29ce484222325), component, strlen(component) + 1);
    name = hk_random_spread_(hk_random_hash_(name, stream, strlen(stream)));
    /* Names enter key and counter both, so streams meet only if 96 bits agree. */
    uint64_t key = hk_random_spread_(hk_random_spread_(hk_random_spread_(seed) + run) ^ name);
    hk_stream made;
    made.key[0] = (uint32_t)key;
    made.key[1] = (uint32_t)(key >> 32);
    made.id = (uint32_t)name;
    return made;
}

/* The index-th number of the stream at NUMBER, an activation. */
static inline uint64_t hk_stream_u64(const hk_stream *stream, int64_t number, uint32_t index) {
    uint64_t when = (uint64_t)number;
    const uint32_t counter[4] = {(uint32_t)when, (uint32_t)(when >> 32), index, stream->id};
    uint32_t words[4];
    hk_philox(counter, stream->key, words);
    return (uint64_t)words[1] << 32 | words[0];
}

/* In [0, 1). */
static inline double hk_stream_uniform(const hk_stream *stream, int64_t number, uint32_t index) {
    return (double)(hk_stream_u64(stream, number, index) >> 11) *
           1.1102230246251565e-16; /* 2^-53 */
}

/* The natural logarithm of 0 < x < 1, within 1e-15. Own arithmetic, so that the same seed gives
 * the same bits whatever the version of the C library. */
static inline double hk_random_log_(double x) {
    int exponent;
    double m = frexp(x, &exponent); /* exact */
    if (m < 0.70710678118654752) {
        m *= 2;
        exponent--;
    }
    double s = (m - 1) / (m + 1), square = s * s, series = 0;
    for (int i = 23; i >= 1; i -= 2)
        series = series * square + 1.0 / i;
    return 2 * s * series + exponent * 0.69314718055994530942;
}

static inline double hk_random_polynomial_(const double c[8], double x) {
    double sum = c[7];
    for (int i = 6; i >= 0; i--)
        sum = sum * x + c[i];
    return sum;
}

/* The inverse of the normal distribution (Wichura, algorithm AS 241, 1988), within 1e-16. */
static inline double hk_random_quantile_(double p) {
    static const double middle[2][8] = {
        {3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3,
         1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
         3.3430575583588128105e+4, 2.5090809287301226727e+3},
        {1.0, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3,
         2.1213794301586595867e+4, 3.9307895800092710610e+4, 2.8729085735721942674e+4,
         5.2264952788528545610e+3}};
    static const double near[2][8] = {
        {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
         3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
         2.27238449892691845833e-2, 7.74545014278341407640e-4},
        {1.0, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
         1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
         1.05075007164441684324e-9}};
    static const double far[2][8] = {
        {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
         2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
         2.71155556874348757815e-5, 2.01033439929228813265e-7},
        {1.0, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
         7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
         2.04426310338993978564e-15}};
    double q = p - 0.5;
    if (fabs(q) <= 0.425) {
        double r = 0.180625 - q * q;
        return q * hk_random_polynomial_(middle[0], r) / hk_random_polynomial_(middle[1], r);
    }
    double r = sqrt(-hk_random_log_(q < 0 ? p : 1 - p));
    double value =
        r <= 5 ? hk_random_polynomial_(near[0], r - 1.6) / hk_random_polynomial_(near[1], r - 1.6)
               : hk_random_polynomial_(far[0], r - 5) / hk_random_polynomial_(far[1], r - 5);
    return q < 0 ? -value : value;
}

/* Mean 0, deviation 1. */
static inline double hk_stream_normal(const hk_stream *stream, int64_t number, uint32_t index) {
    /* 52 bits and a half: strictly between 0 and 1, and exact. */
    double p = ((double)(hk_stream_u64(stream, number, index) >> 12) + 0.5) *
               2.220446049250313e-16; /* 2^-52 */
    return hk_random_quantile_(p);
}

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: MIT
 *
 * Exact time. Durations are read as fractions, never through a double; the time base of a run is
 * the tick, 1/N s, in which they are all whole numbers. */
#ifndef HK_BASE_RATIO_H
#define HK_BASE_RATIO_H

#include <hk/base.h>

/* A fraction in lowest terms, den > 0. */
typedef struct hk_ratio {
    int64_t num, den;
} hk_ratio;

typedef int64_t hk_tick;
#define HK_TICK_NEVER INT64_MAX /* later than every tick of a run */
/* Runs end before this tick, so that a tick plus a period never overflows. */
#define HK_TICK_LIMIT (INT64_C(1) << 61)

/* Reads "0.001", "1e-3", "1/120", "-2.5" as what they are; base/seconds.h reads times. False if
 * TEXT is anything else or does not fit. */
bool hk_ratio_parse(const char *text, hk_ratio *ret_ratio);
bool hk_ratio_make(int64_t num, int64_t den, hk_ratio *ret_ratio); /* reduces; den != 0 */
bool hk_ratio_times(hk_ratio r, int64_t num, int64_t den, hk_ratio *ret_product); /* num, den > 0 */
bool hk_ratio_add(hk_ratio a, hk_ratio b, hk_ratio *ret_sum);
bool hk_ratio_sub(hk_ratio a, hk_ratio b, hk_ratio *ret_difference);
int hk_ratio_compare(hk_ratio a, hk_ratio b); /* <0, 0, >0 */
double hk_ratio_to_double(hk_ratio r);
/* "0.001" where the decimal is finite and short, else "1/120". BUFFER has at least 48 bytes. */
const char *hk_ratio_format(hk_ratio r, char *buffer);

/* Makes *N the least common multiple of itself and r.den; false on overflow. */
bool hk_tick_refine(int64_t *n, hk_ratio r);
/* r in ticks of 1/n s; false if that is not a whole number or beyond HK_TICK_LIMIT. */
bool hk_tick_from_ratio(hk_ratio r, int64_t n, hk_tick *ret_tick);
/* The first tick of 1/n s at or after r; false if it is beyond HK_TICK_LIMIT. */
bool hk_tick_from_ratio_up(hk_ratio r, int64_t n, hk_tick *ret_tick);
/* Seconds of a tick, correctly rounded. */
double hk_tick_seconds(hk_tick tick, int64_t n);

int64_t hk_gcd(int64_t a, int64_t b); /* of the absolute values; gcd(0, 0) is 0 */
/* floor(a / b) and the matching remainder in [0, b), for b > 0. */
int64_t hk_floor_div(int64_t a, int64_t b);
int64_t hk_floor_mod(int64_t a, int64_t b);

#endif

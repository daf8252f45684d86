/* SPDX-License-Identifier: MIT
 *
 * Times as people and tools write them. A tool prints the double nearest to 1/30 and means 1/30: a
 * decimal with 15 or more significant digits (zeros at its end count) is read as the fraction p/q
 * with the smallest q <= 100000 that lies within half a unit of its last digit plus two units in
 * the last place of its double, if there is one; else it is the decimal that it is. Fractions
 * ("1/30") and decimals of fewer digits are always what they are. */
#ifndef HK_BASE_SECONDS_H
#define HK_BASE_SECONDS_H

#include "base/diag.h"
#include "base/ratio.h"

/* Reads seconds: "0.001", "1e-3", "1/120". A decimal that is read as a fraction is reported in a
 * note. False, and nothing is said, if TEXT is anything else or does not fit. */
bool hk_seconds_read(hk_ctx *ctx, hk_where where, const char *text, hk_ratio *ret_seconds);
/* The same with a unit behind it: "20ms", "3 min"; s, ms, us, ns, min, h. */
bool hk_time_read(hk_ctx *ctx, hk_where where, const char *text, hk_ratio *ret_seconds);
/* Reads a time as a file or a caller must give it. NULL: it is *ret_time. Else what is wrong with
 * it, for a message "period '5x' ...": "is not a time" with HK_E_VALUE in *ret_code, or "must be
 * above 0" with HK_E_TIME. */
enum {
    HK_TIME_UNITS = 1,  /* a unit may follow */
    HK_TIME_FROM_0 = 2, /* at least 0 */
    HK_TIME_ABOVE_0 = 4,
};
const char *hk_time_judge(hk_ctx *ctx, hk_where where, const char *text, unsigned rules,
                          hk_ratio *ret_time, hk_status *ret_code);
/* The same for those who tell it themselves, or not at all. *ret_meant: not the decimal itself. */
bool hk_seconds_parse(const char *text, hk_ratio *ret_seconds, bool *ret_meant);
bool hk_time_parse(const char *text, hk_ratio *ret_seconds, bool *ret_meant);
/* Says that TEXT was read as VALUE; UNIT is " s", or "" for what is not a time. */
void hk_seconds_tell(hk_ctx *ctx, hk_where where, const char *text, hk_ratio value,
                     const char *unit);
/* A fraction that agrees with all digits of TIME, a decimal that was written with fewer, and is
 * much simpler: 1/30 for 0.0333. For hints; false: there is none. */
bool hk_seconds_simpler(hk_ratio time, hk_ratio *ret_fraction);
/* Can a clock that is a double and is at T tell that DURATION has passed? Not below four units
 * in the last place of T. */
bool hk_seconds_tellable(double duration, double t);
/* TIME as a decimal that hk_seconds_read reads as it, in BUFFER, which has at least 48 bytes.
 * False: there is none, and BUFFER has the fraction. */
bool hk_seconds_format(hk_ratio time, char *buffer);
/* A time that reaches us only as a double: what its shortest decimal is read as. */
bool hk_seconds_from_double(double value, hk_ratio *ret_seconds);

#endif

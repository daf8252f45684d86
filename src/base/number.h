/* SPDX-License-Identifier: MIT
 *
 * Numbers as text, exactly: the shortest decimal that reads back as the same double, and readers
 * that know no locale. */
#ifndef HK_BASE_NUMBER_H
#define HK_BASE_NUMBER_H

#include <hk/base.h>

enum { HK_NUMBER_MAX = 32 }; /* bytes any of the writers may need, no NUL included */

/* Each writes the number at BUFFER, without NUL, and returns its length.
 * Doubles: the shortest digits that read back exactly; plain notation for 1e-5 <= |x| < 1e16
 * ("0.001", "100", "-2.5"), else exponents ("1e-07" is written "1e-7"); "nan", "inf", "-inf"; the
 * sign of zero is kept ("-0"). */
size_t hk_write_f64(double value, char *buffer);
size_t hk_write_f32(float value, char *buffer);
size_t hk_write_i64(int64_t value, char *buffer);
size_t hk_write_u64(uint64_t value, char *buffer);

/* Each reads the whole of TEXT (LENGTH bytes; spaces around it are skipped) and is false if it is
 * anything else, or does not fit. hk_read_f64 rounds correctly and takes "nan", "inf", "-inf",
 * "+1", ".5", "5.", "1E3"; a value too large for a double is refused, one too small becomes 0. */
bool hk_read_f64(const char *text, size_t length, double *ret_value);
bool hk_read_i64(const char *text, size_t length, int64_t *ret_value);
bool hk_read_u64(const char *text, size_t length, uint64_t *ret_value);
bool hk_read_bool(const char *text, size_t length, bool *ret_value); /* true false 1 0 */
int hk_read_hex_digit(char c);                                       /* -1: none */

#endif

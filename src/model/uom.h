/* SPDX-License-Identifier: MIT
 *
 * Units of measure. A unit is a product of powers of eight base units, a factor and an offset:
 * value in base units = factor * value + offset. */
#ifndef HK_MODEL_UOM_H
#define HK_MODEL_UOM_H

#include "base/diag.h"

enum { HK_KG, HK_M, HK_S, HK_A, HK_K, HK_MOL, HK_CD, HK_RAD, HK_BASE_UNITS };
extern const char
    *const hk_base_unit_names[HK_BASE_UNITS]; /* "kg" ..., as FMI and SSP write them */

typedef struct hk_uom {
    const char *name;
    int8_t exponent[HK_BASE_UNITS];
    double factor, offset; /* 1 and 0 for base units */
} hk_uom;

/* Reads a unit expression: names with SI prefixes (m, km, N, kPa, degC, deg, rpm, h, min, l, bar,
 * t, kn ...) joined by '.', '*', ' ' or '/', with exponents "m2", "m^2", "s-1", "m^(-2)", numbers
 * as factors, parentheses, and "1" for no unit. A unit with an offset may only be alone.
 * False if TEXT is none. The name is TEXT itself (not copied). */
bool hk_uom_parse(const char *text, hk_uom *ret_uom);
bool hk_uom_multiply(const hk_uom *a, const hk_uom *b, hk_uom *ret_product); /* name NULL */
bool hk_uom_power(const hk_uom *a, int exponent, hk_uom *ret_power);         /* name NULL */
bool hk_uom_same_dimension(const hk_uom *a, const hk_uom *b);
bool hk_uom_same_name(const hk_uom *a, const hk_uom *b); /* false if one has none */
/* The conversion to = factor * from + offset between units of one dimension; relative quantities
 * (differences) have no offset. Equal units, and units of one name that differ by rounding only,
 * give exactly 1 and 0. False: another dimension. */
bool hk_uom_conversion(const hk_uom *from, const hk_uom *to, bool relative, double *ret_factor,
                       double *ret_offset);
/* The dimension in words for messages: "kg.m.s-2". BUFFER has at least 96 bytes. */
const char *hk_uom_dimension(const hk_uom *uom, char *buffer);

#endif

/* SPDX-License-Identifier: MIT
 *
 * The properties P1 to P4 that a response must have, evaluated on a recorded trajectory. */
#ifndef HK_MODELS_ROSACE_PROPERTIES_H
#define HK_MODELS_ROSACE_PROPERTIES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct rosace_properties {
    double settling;  /* P1, s: instant of the last sample more than 5 % away from the last one */
    double overshoot; /* P2, %: of the last value (of the target, for a change of level) */
    double rise;      /* P3, s: from the last sample below 10 % to the last one below 90 % */
    double error;     /* P4, %: of the target */
    double final;     /* the last sample, to which P1 to P3 refer */
} rosace_properties;

/* The limits of P1 to P4. */
typedef struct rosace_limits {
    double settling, overshoot, rise, error;
} rosace_limits;
extern const rosace_limits hk_rosace_limits_vz; /* case 1 */
extern const rosace_limits hk_rosace_limits_va; /* case 2 */

/* X is what has changed since before the step: vz, va - 230, h - 10000; TARGET is not 0. COUNT is
 * at least 1; times that no sample meets are those of the first one. */
rosace_properties hk_rosace_properties(const double *t, const double *x, size_t count,
                                       double target, bool level_change);
/* All four hold. A diverging response may well have an overshoot of 0: P4 tells it. */
bool hk_rosace_properties_met(const rosace_properties *properties, const rosace_limits *limits);

#endif

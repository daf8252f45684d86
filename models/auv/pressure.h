/* SPDX-License-Identifier: MIT
 *
 * From the pressure in the sea to depth. */
#ifndef HK_MODELS_PRESSURE_H
#define HK_MODELS_PRESSURE_H

#include <hk/math.h>

/* After UNESCO (Fofonoff and Millard, 1983): DECIBARS above the pressure of the air, latitude in
 * rad, for water of 0 degrees and 35 psu; m. 10000 dbar at 30 degrees: 9712.653 m. */
static inline double hk_pressure_unesco_depth(double decibars, double latitude) {
    double p = decibars, s = hk_sin(latitude), x = s * s;
    double gravity = 9.780318 * (1 + (5.2788e-3 + 2.36e-5 * x) * x) + 1.092e-6 * p;
    return ((((-1.82e-15 * p + 2.279e-10) * p - 2.2512e-5) * p + 9.72659) * p) / gravity;
}

#endif

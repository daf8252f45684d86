/* SPDX-License-Identifier: MIT
 *
 * The four beams of a DVL, which look down and outwards at 45, 135, 225 and 315 degrees from ahead.
 */
#ifndef HK_MODELS_DVL_BEAMS_H
#define HK_MODELS_DVL_BEAMS_H

#include "sensors.h"

enum { DVL_BEAMS = 4 };

#define DVL_HALF_ROOT 0.70710678118654752440 /* sine and cosine of 45 degrees */
static const double dvl_ahead[DVL_BEAMS] = {DVL_HALF_ROOT, -DVL_HALF_ROOT, -DVL_HALF_ROOT,
                                            DVL_HALF_ROOT};
static const double dvl_aside[DVL_BEAMS] = {DVL_HALF_ROOT, DVL_HALF_ROOT, -DVL_HALF_ROOT,
                                            -DVL_HALF_ROOT};

/* A unit vector; SINE and COSINE of the angle between a beam and straight down. */
static inline hk_geo_vector3 hk_dvl_direction(int beam, double sine, double cosine) {
    return hk_geo_vector(sine * dvl_ahead[beam], sine * dvl_aside[beam], cosine);
}

/* The speed of the sensor along each beam. */
static inline void hk_dvl_beam_speeds(hk_geo_vector3 speed, double sine, double cosine,
                                      double ret_beams[DVL_BEAMS]) {
    for (int i = 0; i < DVL_BEAMS; i++)
        ret_beams[i] = hk_geo_dot(speed, hk_dvl_direction(i, sine, cosine));
}

/* The speed that fits the beams best, least squares; MASK has a bit for each that is good, at least
 * three. Two beams that face each other have the same sum as the other two, so that of three beams
 * the fourth follows, and all four then fit exactly. Writes the fourth into BEAMS. */
static inline hk_geo_vector3 hk_dvl_speed(double beams[DVL_BEAMS], unsigned mask, double sine,
                                          double cosine) {
    for (int i = 0; i < DVL_BEAMS; i++)
        if (!(mask >> i & 1))
            beams[i] = beams[(i + 1) % 4] + beams[(i + 3) % 4] - beams[(i + 2) % 4];
    double across = DVL_HALF_ROOT / (2 * sine);
    return hk_geo_vector(across * (beams[0] - beams[1] - beams[2] + beams[3]),
                         across * (beams[0] + beams[1] - beams[2] - beams[3]),
                         (beams[0] + beams[1] + beams[2] + beams[3]) / (4 * cosine));
}

#endif

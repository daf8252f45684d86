/* SPDX-License-Identifier: MIT
 *
 * The native components of ROSACE and R-ROSACE, for programs that link them. README.md has the
 * equations and the ports. */
#ifndef HK_MODELS_ROSACE_H
#define HK_MODELS_ROSACE_H

#include <hk/unit.h>

/* All types, NULL at the end; each is known by its name. */
extern const hk_unit_type *const hk_rosace_types[];

/* What flight_mode.mode says. */
enum rosace_mode {
    ROSACE_MODE_UNDEFINED,     /* the FCCs refuse to compute */
    ROSACE_MODE_ALTITUDE_HOLD, /* the vertical speed is chosen so that h_c is reached and kept */
    ROSACE_MODE_COMMANDED      /* vz_c is followed */
};

/* A second-order Butterworth low-pass, discretised with a held input. */
typedef struct rosace_filter_coefficients {
    double a0, a1, b0, b1;
} rosace_filter_coefficients;
rosace_filter_coefficients hk_rosace_butterworth(double cut_off_hz, double rate_hz);

#endif

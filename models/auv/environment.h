/* SPDX-License-Identifier: MIT
 *
 * What the sources of currents and of sea beds share. */
#ifndef HK_MODELS_ENVIRONMENT_H
#define HK_MODELS_ENVIRONMENT_H

#include "auv.h"

/* environment.Interpolation: a row of a series holds until the next one, or lines join the two. */
enum { INTERPOLATION_HOLD, INTERPOLATION_LINEAR };
extern const hk_enum_type hk_auv_interpolation_type;

/* environment.EndPolicy: after its last row a series holds it, ends the run, or begins again. */
enum { END_HOLD, END_STOP, END_REPEAT };
extern const hk_enum_type hk_auv_end_type;

#define KNOT (1852.0 / 3600.0) /* m/s */

/* What a source answers where it knows nothing: whoever does not ask for validity must see it. */
#define UNKNOWN_CURRENT ((coordinate2d){(double)NAN, (double)NAN})

/* What a provider without inputs does in its own step. */
#define ONLY_ANSWERS(name)                                                                         \
    static int name(void *self, double t, double h) {                                              \
        (void)self, (void)t, (void)h;                                                              \
        return HK_STEP_OK;                                                                         \
    }

#endif

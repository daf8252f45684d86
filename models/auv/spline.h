/* SPDX-License-Identifier: MIT
 *
 * A smooth curve through way-points, by the length along it, with the speed on it: between two
 * way-points the acceleration is constant. */
#ifndef HK_MODELS_SPLINE_H
#define HK_MODELS_SPLINE_H

#include "auv.h"

#include <hk/geo.h>

enum { CATMULL_ROM, NATURAL_CUBIC, IN_TENSION };
extern const hk_enum_type hk_auv_curve; /* drone.Curve */

enum { SPLINE_PARTS = 16 };

typedef struct spline_piece {
    /* Of a cubic: P = c0 + u (c1 + u (c2 + u c3)). In tension: both ends, and what bends them. */
    hk_geo_vector3 c[4];
    double bend;                    /* 0: a cubic; the tension times its length */
    double begin, length;           /* along the curve */
    double table[SPLINE_PARTS + 1]; /* lengths from BEGIN, at u = 0, 1/16 ... 1 */
    double speed[2], acceleration;  /* at its ends; on it */
    double begin_time, duration;
} spline_piece;

typedef struct spline {
    int32_t count;
    double length, duration;
    spline_piece pieces[];
} spline;

/* TENSION of CATMULL_ROM: 0 to 1, where it is a polygon; IN_TENSION: per mean distance of
 * way-points, 0 (the natural cubic) to 20; NATURAL_CUBIC has none. NULL: WHY says why. Free it. */
spline *hk_auv_spline_make(const waypoint *points, int32_t count, int64_t curve, double tension,
                           words *why);

typedef struct spline_point {
    hk_geo_vector3 position, direction; /* of length 1 */
} spline_point;

/* The piece on which a length lies, or a time, looked for from PIECE on. */
int32_t hk_auv_spline_piece_at(const spline *s, double length, int32_t piece);
int32_t hk_auv_spline_piece_then(const spline *s, double time, int32_t piece);
/* LENGTH from the beginning of the curve, on PIECE. */
spline_point hk_auv_spline_at(const spline_piece *piece, double length);
/* The speed at a length. */
double hk_auv_spline_speed(const spline_piece *piece, double length);

#endif

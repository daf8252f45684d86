/* SPDX-License-Identifier: MIT
 *
 * analysis.PositionError: how far the estimate is from the truth. */
#include "auv.h"

typedef struct position_error {
    coordinate3d truth, estimate;
    double error, horizontal, largest, largest_time, mean, rms, along, cross;
    double distance, travelled, drift, largest_drift;
    bool begun;
    coordinate3d last;         /* where it was, in truth */
    double course_n, course_e; /* the direction in which it went last */
    double count, sum, squares, largest_square;
} position_error;

#define ERROR position_error

#define IN_METRES(field, full_name) NUMBER_OUT(ERROR, field, full_name, "m")

static const hk_port position_error_ports[] = {
    XYZ(ERROR, truth, "truePosition", HK_INPUT, "m"),
    XYZ(ERROR, estimate, "estimatedPosition", HK_INPUT, "m"),
    IN_METRES(error, "error"),
    IN_METRES(horizontal, "horizontalError"),
    IN_METRES(largest, "largest"),
    NUMBER_OUT(ERROR, largest_time, "timeOfLargest", "s"),
    IN_METRES(mean, "mean"),
    IN_METRES(rms, "rms"),
    IN_METRES(along, "alongTrack"),
    IN_METRES(cross, "crossTrack"),
    IN_METRES(distance, "distance"),
    IN_METRES(travelled, "travelled"),
    NAMED(ERROR, drift, "drift", HK_OUTPUT, HK_TYPE_F64, .unit = "%", .may_be_nan = true),
    NAMED(ERROR, largest_drift, "largestDrift", HK_OUTPUT, HK_TYPE_F64, .unit = "%",
          .may_be_nan = true),
};

static int position_error_init(void *self, double t) {
    ERROR *x = self;
    (void)t;
    x->course_n = 1;
    x->drift = x->largest_drift = (double)NAN; /* until something is travelled */
    return HK_STEP_OK;
}

static int position_error_step(void *self, double t, double h) {
    ERROR *x = self;
    coordinate3d p = x->truth;
    double n = x->estimate.x - p.x, e = x->estimate.y - p.y, d = x->estimate.z - p.z;
    double level = n * n + e * e, square = level + d * d;
    x->error = sqrt(square);
    x->horizontal = sqrt(level);
    if (square > x->largest_square) {
        x->largest_square = square;
        x->largest = x->error;
        x->largest_time = t + h;
    }
    if (!x->begun) {
        x->last = p;
        x->begun = true;
    }
    double dn = p.x - x->last.x, de = p.y - x->last.y;
    double step = dn * dn + de * de;
    if (step > 0) {
        double way = sqrt(step), part = 1 / way;
        x->course_n = dn * part;
        x->course_e = de * part;
        x->travelled += way;
    }
    x->last = p;
    x->along = n * x->course_n + e * x->course_e;
    x->cross = e * x->course_n - n * x->course_e;
    x->distance = sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
    x->count++;
    x->sum += x->error;
    x->squares += square;
    double share = 1 / x->count;
    x->mean = x->sum * share;
    x->rms = sqrt(x->squares * share);
    if (x->travelled > 0) {
        double percent = 100 / x->travelled;
        x->drift = x->error * percent;
        x->largest_drift = x->largest * percent;
    }
    return HK_STEP_OK;
}

const hk_unit_type hk_auv_position_error = {
    AUV_TYPE(position_error, "analysis.PositionError", position_error_ports),
    .init = position_error_init, .step = position_error_step};

/* SPDX-License-Identifier: MIT */
#include "properties.h"

#include <math.h>

const rosace_limits hk_rosace_limits_vz = {10.0, 10.0, 6.0, 5.0};
const rosace_limits hk_rosace_limits_va = {20.0, 10.0, 12.0, 5.0};

rosace_properties hk_rosace_properties(const double *t, const double *x, size_t count,
                                       double target, bool level_change) {
    double last = x[count - 1], most = x[0];
    double below_10 = t[0], below_90 = t[0];
    rosace_properties p = {.settling = t[0], .final = last};
    for (size_t i = 0; i < count; i++) {
        if (fabs(x[i] - last) > 0.05 * fabs(last))
            p.settling = t[i];
        if (x[i] < 0.1 * last)
            below_10 = t[i];
        if (x[i] < 0.9 * last)
            below_90 = t[i];
        if (x[i] > most)
            most = x[i];
    }
    p.overshoot = 100.0 * (most - last) / (level_change ? target : last);
    p.rise = below_90 - below_10;
    p.error = 100.0 * fabs(target - last) / target;
    return p;
}

bool hk_rosace_properties_met(const rosace_properties *p, const rosace_limits *limits) {
    /* Written so that a NaN does not pass. */
    return p->settling <= limits->settling && p->overshoot <= limits->overshoot &&
           p->rise <= limits->rise && p->error <= limits->error;
}

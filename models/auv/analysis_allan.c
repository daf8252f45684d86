/* SPDX-License-Identifier: MIT
 *
 * analysis.AllanDeviation: of any signal, over times that double: at each level the means of two
 * neighbours of the level below are compared with each other, as the signal comes. */
#include "auv.h"

enum { LEVELS = 24 };

typedef struct octave {
    double before, half; /* the last mean; the first half of the next one */
    bool has_before, has_half;
    double squares;
} octave;

typedef struct allan_deviation {
    double signal;
    double deviation[LEVELS], time[LEVELS];
    int64_t count[LEVELS]; /* of differences */
    octave octaves[LEVELS];
} allan_deviation;

static int allan_deviation_step(void *self, double t, double h) {
    allan_deviation *x = self;
    double mean = x->signal, time = h;
    (void)t;
    for (int i = 0; i < LEVELS; i++, time *= 2) {
        octave *o = &x->octaves[i];
        if (o->has_before) {
            double difference = mean - o->before;
            o->squares += difference * difference;
            x->count[i]++;
            x->deviation[i] = sqrt(0.5 * o->squares / (double)x->count[i]);
            x->time[i] = time;
        }
        o->before = mean;
        o->has_before = true;
        o->has_half = !o->has_half;
        if (o->has_half) {
            o->half = mean;
            break;
        }
        mean = 0.5 * (o->half + mean);
    }
    return HK_STEP_OK;
}

/* ---- the same of signals with a unit ---- */

#define ALLAN(c_name, full_name, port_unit)                                                        \
    static const hk_port c_name##_ports[] = {                                                      \
        NUMBER_IN(allan_deviation, signal, "signal", port_unit),                                   \
        NAMED(allan_deviation, deviation, "deviation", HK_OUTPUT, HK_TYPE_F64, .count = LEVELS,    \
              .unit = (port_unit)),                                                                \
        NAMED(allan_deviation, time, "averagingTime", HK_OUTPUT, HK_TYPE_F64, .count = LEVELS,     \
              .unit = "s"),                                                                        \
        NAMED(allan_deviation, count, "count", HK_OUTPUT, HK_TYPE_I64, .count = LEVELS),           \
    };                                                                                             \
    const hk_unit_type hk_auv_##c_name = {AUV_TYPE(allan_deviation, full_name, c_name##_ports),    \
                                          .step = allan_deviation_step}

ALLAN(allan_deviation, "analysis.AllanDeviation", NULL);
ALLAN(gyro_allan, "analysis.GyroAllan", "rad/s");
ALLAN(accelerometer_allan, "analysis.AccelerometerAllan", "m/s2");

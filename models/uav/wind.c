/* SPDX-License-Identifier: MIT
 *
 * One wind for all: a mean, and gusts that travel with it, so that what one aircraft meets comes to
 * another later. */
#include "uav.h"

typedef struct wind {
    uav_place at[UAV_COUNT];   /* where it is asked for */
    uav_place flow[UAV_COUNT]; /* what it is there */
    double speed, direction, gusts, length;
    uav_place drift; /* how far the air has come */
} wind;

#define AIRCRAFT(index, name)                                                                      \
    UAV_PLACE(wind, at[index], name, HK_INPUT, "m", .start = NULL),                                \
        UAV_PLACE(wind, flow[index], "at_" name, HK_OUTPUT, "m/s",                                 \
                  .depends_on = name ".north " name ".east")

static const hk_port wind_ports[] = {
    AIRCRAFT(0, "hawk"),
    AIRCRAFT(1, "kite"),
    AIRCRAFT(2, "swift"),
    UAV_PARAMETER(wind, speed, "m/s", "5"),
    UAV_PARAMETER(wind, direction, "rad", "0.9"), /* where it blows to */
    UAV_PARAMETER(wind, gusts, "m/s", "2"),
    UAV_PARAMETER(wind, length, "m", "160"),
};

/* Four waves of different length and direction; their heights add up to 1. */
static uav_place gust(const wind *w, double north, double east) {
    static const double height[] = {0.4, 0.3, 0.2, 0.1}, wave[] = {1, 1.7, 2.9, 4.3},
                        turn[] = {0, 0.8, -0.5, 1.9};
    uav_place sum = {0, 0};
    for (int i = 0; i < 4; i++) {
        double along =
            north * hk_cos(w->direction + turn[i]) + east * hk_sin(w->direction + turn[i]);
        double phase = 2 * UAV_PI * wave[i] * along / w->length;
        sum.north += height[i] * hk_sin(phase);
        sum.east += height[i] * hk_cos(phase);
    }
    return sum;
}

static uav_place mean(const wind *w) {
    return (uav_place){w->speed * hk_cos(w->direction), w->speed * hk_sin(w->direction)};
}

static int wind_output(void *self, double t) {
    wind *w = self;
    uav_place m = mean(w);
    (void)t;
    for (int i = 0; i < UAV_COUNT; i++) {
        uav_place g = gust(w, w->at[i].north - w->drift.north, w->at[i].east - w->drift.east);
        w->flow[i] = (uav_place){m.north + w->gusts * g.north, m.east + w->gusts * g.east};
    }
    return HK_STEP_OK;
}

static int wind_step(void *self, double t, double h) {
    wind *w = self;
    uav_place m = mean(w);
    wind_output(self, t);
    w->drift.north += h * m.north;
    w->drift.east += h * m.east;
    return HK_STEP_OK;
}

static int wind_init(void *self, double t) {
    const wind *w = self;
    return w->length > 0 ? wind_output(self, t) : HK_STEP_FAILED;
}

const hk_unit_type uav_wind_type = {UAV_TYPE(wind, "wind", wind_ports), .init = wind_init,
                                    .output = wind_output, .step = wind_step};

/* SPDX-License-Identifier: MIT
 *
 * An aircraft of fixed wings at a constant altitude: a point with a heading, a bank and a speed
 * through air that moves. */
#include "uav.h"

#include "../common/integrate.h"

enum { NORTH, EAST, HEADING, BANK, AIRSPEED, STATES };

typedef struct airframe {
    double bank, speed; /* commanded */
    uav_place wind, position;
    double course, ground_speed;
    double north_initial, east_initial, heading_initial, speed_initial;
    double bank_time, speed_time; /* how fast it follows */
    double x[STATES];
} airframe;

static const hk_port airframe_ports[] = {
    HK_PORT(airframe, bank, HK_INPUT, HK_TYPE_F64, .unit = "rad"),
    HK_PORT(airframe, speed, HK_INPUT, HK_TYPE_F64, .unit = "m/s", .start = "20"),
    UAV_PLACE(airframe, wind, "wind", HK_INPUT, "m/s", .start = NULL),
    UAV_PLACE(airframe, position, "position", HK_OUTPUT, "m", .depends_on = ""),
    HK_PORT(airframe, course, HK_OUTPUT, HK_TYPE_F64, .unit = "rad",
            .depends_on = "wind.north wind.east"),
    HK_PORT(airframe, ground_speed, HK_OUTPUT, HK_TYPE_F64, .unit = "m/s",
            .depends_on = "wind.north wind.east"),
    UAV_BEGINNING(airframe),
    UAV_PARAMETER(airframe, heading_initial, "rad", "0"),
    UAV_PARAMETER(airframe, speed_initial, "m/s", "20"),
    UAV_PARAMETER(airframe, bank_time, "s", "0.4"),
    UAV_PARAMETER(airframe, speed_time, "s", "2"),
};

static void airframe_rates(const void *self, double t, const double *x, double *ret_rates) {
    const airframe *a = self;
    const double gravity = 9.80665;
    (void)t;
    ret_rates[NORTH] = x[AIRSPEED] * hk_cos(x[HEADING]) + a->wind.north;
    ret_rates[EAST] = x[AIRSPEED] * hk_sin(x[HEADING]) + a->wind.east;
    ret_rates[HEADING] = gravity * hk_tan(x[BANK]) / x[AIRSPEED];
    ret_rates[BANK] = (a->bank - x[BANK]) / a->bank_time;
    ret_rates[AIRSPEED] = (a->speed - x[AIRSPEED]) / a->speed_time;
}

static int airframe_output(void *self, double t) {
    airframe *a = self;
    double rates[STATES];
    airframe_rates(a, t, a->x, rates);
    a->position = (uav_place){a->x[NORTH], a->x[EAST]};
    a->course = hk_atan2(rates[EAST], rates[NORTH]);
    a->ground_speed = hk_hypot(rates[EAST], rates[NORTH]);
    return HK_STEP_OK;
}

static int airframe_init(void *self, double t) {
    airframe *a = self;
    if (!(a->bank_time > 0 && a->speed_time > 0 && a->speed_initial > 0))
        return HK_STEP_FAILED;
    a->x[NORTH] = a->north_initial;
    a->x[EAST] = a->east_initial;
    a->x[HEADING] = a->heading_initial;
    a->x[BANK] = 0;
    a->x[AIRSPEED] = a->speed_initial;
    return airframe_output(self, t);
}

static int airframe_step(void *self, double t, double h) {
    airframe *a = self;
    airframe_output(self, t);
    rk_advance(airframe_rates, a, t, h, a->x, STATES);
    return HK_STEP_OK;
}

const hk_unit_type uav_airframe_type = {UAV_TYPE(airframe, "airframe", airframe_ports),
                                        .init = airframe_init, .output = airframe_output,
                                        .step = airframe_step};

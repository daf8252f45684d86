/* SPDX-License-Identifier: MIT
 *
 * A car on a winding road. */
#include "uav.h"

typedef struct target {
    uav_place position;
    double north_initial, east_initial, speed, heading, winding, bend;
    uav_place at; /* its state */
    double way;   /* how far it has come */
} target;

static const hk_port target_ports[] = {
    UAV_PLACE(target, position, "position", HK_OUTPUT, "m", .depends_on = ""),
    UAV_BEGINNING(target),
    UAV_PARAMETER(target, speed, "m/s", "3"),
    UAV_PARAMETER(target, heading, "rad", "0"),
    UAV_PARAMETER(target, winding, "rad", "0.7"),
    UAV_PARAMETER(target, bend, "m", "90"),
};

static int target_output(void *self, double t) {
    target *x = self;
    (void)t;
    x->position = x->at;
    return HK_STEP_OK;
}

static int target_init(void *self, double t) {
    target *x = self;
    x->at = (uav_place){x->north_initial, x->east_initial};
    x->way = 0;
    return x->bend > 0 ? target_output(self, t) : HK_STEP_FAILED;
}

static int target_step(void *self, double t, double h) {
    target *x = self;
    target_output(self, t);
    double heading = x->heading + x->winding * hk_sin(x->way / x->bend);
    x->at.north += h * x->speed * hk_cos(heading);
    x->at.east += h * x->speed * hk_sin(heading);
    x->way += h * x->speed;
    return HK_STEP_OK;
}

const hk_unit_type uav_target_type = {UAV_TYPE(target, "target", target_ports), .init = target_init,
                                      .output = target_output, .step = target_step};

/* SPDX-License-Identifier: MIT
 *
 * drone.MissionAdapter: the choice between vehicles. */
#include "auv.h"

typedef struct mission_adapter {
    state spline, simple, out;
    bool is_spline, use_source;
    int choice;         /* of the last step */
    double seen, until; /* the newest stamp; when the vehicle that is chosen must have run */
    state_source_binding source;
    words why;
} mission_adapter;

#define SLOWEST 1.05 /* s: no vehicle steps less often than once in a second */

static const hk_port mission_adapter_ports[] = {
    STATE(mission_adapter, spline, "splineState", HK_INPUT),
    STATE(mission_adapter, simple, "simpleState", HK_INPUT),
    XYZ(mission_adapter, out.ned_position, "nedPosition", HK_OUTPUT, "m"),
    XYZ(mission_adapter, out.body_speed, "bodySpeed", HK_OUTPUT, "m/s"),
    XYZ(mission_adapter, out.body_acceleration, "bodyAcceleration", HK_OUTPUT, "m/s2"),
    XYZ(mission_adapter, out.body_rotation_speed, "bodyRotationSpeed", HK_OUTPUT, "rad/s"),
    XYZ(mission_adapter, out.attitude, "attitude", HK_OUTPUT, "rad"),
    TRUTH_PARAMETER(mission_adapter, is_spline, "isSpline", "true"),
    TRUTH_PARAMETER(mission_adapter, use_source, "useSource", "false"),
};

static inline void take(state *to, const state *from) {
    hk_auv_copy(&to->ned_position, &from->ned_position);
    hk_auv_copy(&to->body_speed, &from->body_speed);
    hk_auv_copy(&to->body_acceleration, &from->body_acceleration);
    hk_auv_copy(&to->body_rotation_speed, &from->body_rotation_speed);
    hk_auv_copy(&to->attitude, &from->attitude);
    to->stamp = from->stamp;
}

static int mission_adapter_output(void *self, double t) {
    mission_adapter *x = self;
    (void)t;
    if (x->use_source)
        x->out = x->source.functions->get_state(x->source.self);
    else
        take(&x->out, x->is_spline ? &x->spline : &x->simple);
    return HK_STEP_OK;
}

static int mission_adapter_init(void *self, double t) {
    mission_adapter *x = self;
    x->choice = x->use_source ? 2 : x->is_spline;
    x->seen = t;
    x->until = t + SLOWEST;
    return HK_STEP_OK;
}

/* Who chooses a vehicle and does not start it would see one that never moves. */
static int never_ran(mission_adapter *x, double end) {
    const char *which = x->use_source  ? "what rStateSource is bound to (useSource = true)"
                        : x->is_spline ? "that of splineState (isSpline = true)"
                                       : "that of simpleState (isSpline = false)";
    return hk_auv_fail(&x->why,
                       "the vehicle that is chosen, %s, does not run: its state is that of %.3f s, "
                       "and it is %.3f s; start it, or choose another one",
                       which, x->out.stamp, end);
}

static int mission_adapter_step(void *self, double t, double h) {
    mission_adapter *x = self;
    double end = t + h;
    int choice = x->use_source ? 2 : x->is_spline;
    mission_adapter_output(self, end);
    if (choice != x->choice) {
        x->choice = choice;
        x->seen = t;
        x->until = end + SLOWEST;
    }
    if (end > x->until && x->out.stamp <= x->seen)
        return never_ran(x, end);
    if (x->out.stamp > x->seen)
        x->until = INFINITY;
    return HK_STEP_OK;
}

COMPLAINT(mission_adapter)

static const hk_service mission_adapter_services[] = {
    {"rStateSource", &hk_auv_state_source, NULL, offsetof(mission_adapter, source)}};

const hk_unit_type hk_auv_mission_adapter = {
    AUV_TYPE(mission_adapter, "drone.MissionAdapter", mission_adapter_ports),
    .description = "One of three vehicles",
    .stamp = HK_STAMP_END,
    .init = mission_adapter_init,
    .output = mission_adapter_output,
    .step = mission_adapter_step,
    SERVICES(mission_adapter_services),
    .complaint = mission_adapter_complaint};

/* SPDX-License-Identifier: MIT
 *
 * drone.MissionAdapter: the choice between vehicles. */
#include "auv.h"

typedef struct mission_adapter {
    state spline, simple, out;
    bool is_spline, use_source;
    state_source_binding source;
} mission_adapter;

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

static int mission_adapter_step(void *self, double t, double h) {
    return mission_adapter_output(self, t + h);
}

static const hk_service mission_adapter_services[] = {
    {"rStateSource", &hk_auv_state_source, NULL, offsetof(mission_adapter, source)}};

const hk_unit_type hk_auv_mission_adapter = {
    AUV_TYPE(mission_adapter, "drone.MissionAdapter", mission_adapter_ports),
    .description = "One of three vehicles",
    .stamp = HK_STAMP_END,
    .output = mission_adapter_output,
    .step = mission_adapter_step,
    SERVICES(mission_adapter_services)};

/* SPDX-License-Identifier: MIT
 *
 * The sensors alone, with a source of truth whose values a test sets, and a flat bed. */
#include "sensors_types.h"

#include "errors.h"

typedef struct truth {
    coordinate3d speed, rotation, force, position, attitude;
    coordinate3d speed_out, rotation_out, force_out, position_out, attitude_out;
    double speed_growth; /* m/s2, ahead */
    double bed;
} truth;

static const hk_port truth_ports[] = {
    XYZ_PARAMETER(truth, speed, "speed", "m/s"),
    XYZ_PARAMETER(truth, rotation, "rotation", "rad/s"),
    XYZ_PARAMETER(truth, force, "force", "m/s2"),
    XYZ_PARAMETER(truth, position, "position", "m"),
    XYZ_PARAMETER(truth, attitude, "attitude", "rad"),
    XYZ(truth, speed_out, "bodySpeed", HK_OUTPUT, "m/s"),
    XYZ(truth, rotation_out, "bodyRotationSpeed", HK_OUTPUT, "rad/s"),
    XYZ(truth, force_out, "bodyAcceleration", HK_OUTPUT, "m/s2"),
    XYZ(truth, position_out, "nedPosition", HK_OUTPUT, "m"),
    XYZ(truth, attitude_out, "attitudeOut", HK_OUTPUT, "rad"),
    PARAMETER(truth, speed_growth, "growth", "m/s2", "0"),
    PARAMETER(truth, bed, "bed", "m", "100"),
};

static int truth_step(void *self, double t, double h) {
    truth *x = self;
    x->speed_out = x->speed;
    x->speed_out.x += x->speed_growth * (t + h);
    x->rotation_out = x->rotation;
    x->force_out = x->force;
    x->position_out = x->position;
    x->attitude_out = x->attitude;
    return HK_STEP_OK;
}

static double truth_depth(void *self, coordinate2d position) {
    (void)position;
    return ((const truth *)self)->bed;
}

static const mnt_source truth_bed = {truth_depth};
static const hk_service truth_services[] = {{"pMnt", &hk_auv_mnt_source, &truth_bed, 0}};

static const hk_unit_type truth_type = {AUV_TYPE(truth, "trial.Truth", truth_ports),
                                        .step = truth_step, .services = truth_services,
                                        .service_count = COUNT(truth_services)};

/* As in environment.Earth, which is not here. */
static const hk_enum_item earth_items[] = {{"Flat", EARTH_FLAT}, {"Wgs84", EARTH_WGS84}};
const hk_enum_type hk_auv_earth_type = {"environment.EarthModel", earth_items, COUNT(earth_items)};

static const hk_unit_type *const types[] = {&truth_type, HK_AUV_SENSORS NULL};

const hk_unit_type *const *hk_plugin(void) {
    return types;
}

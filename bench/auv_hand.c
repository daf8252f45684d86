/* SPDX-License-Identifier: MIT */
#include "auv_hand.h"

/* The same texts are compiled as a plugin. What two of them have of one name gets two. */
/* NOLINTBEGIN(bugprone-suspicious-include) */
#include "../models/auv/current_adapter.c"
#include "../models/auv/current_model.c"
#include "../models/auv/earth.c"
#include "../models/auv/seabed_adapter.c"
#include "../models/auv/seabed_model.c"

#include "../models/auv/drone_adapter.c"
#include "../models/auv/drone_common.c"
#include "../models/auv/drone_simple.c"

#include "../models/auv/errors.c"
#include "../models/auv/sensor_frames.c"
#define with_errors imu_with_errors
#include "../models/auv/sensor_imu.c"
#undef with_errors
#define with_errors gps_with_errors
#include "../models/auv/sensor_gps.c"
#undef with_errors
#define with_errors depth_with_errors
#include "../models/auv/sensor_depth.c"
#undef with_errors
#define with_errors compass_with_errors
#include "../models/auv/sensor_compass.c"
#undef with_errors
#include "../models/auv/sensor_adapters.c"
#include "../models/auv/sensor_dvl.c"

#include "../models/auv/analysis_position.c"
#include "../models/auv/navigation_dvl.c"
#undef XYZ_PARAMETER
#include "../models/auv/navigation_function.c"
/* NOLINTEND(bugprone-suspicious-include) */

#include <string.h>

enum { MS_PER_SECOND = 1000 };

/* All that is active: its place in the struct, its name in the system, its type and its step. */
#define PARTS(X)                                                                                   \
    X(earth, "Environment.myEarth", earth, earth_step)                                             \
    X(bed, "Environment.MNT.myMntModel", mnt_model, mnt_model_step)                                \
    X(bed_adapter, "Environment.MNT.myMntAdapter", mnt_adapter, mnt_adapter_step)                  \
    X(current, "Environment.Current.myCurrent", current_model, current_model_step)                 \
    X(simple, "Drone.mySimpleMission", simple_mission, simple_mission_step)                        \
    X(drone, "Drone.myMissionAdapter", mission_adapter, mission_adapter_step)                      \
    X(to_dvl, "Sensors.DVL.myBodyToDVL", body_to_sensor, body_to_sensor_step)                      \
    X(dvl, "Sensors.DVL.myErrorDVL", dvl_error, dvl_error_step)                                    \
    X(dvl_adapter, "Sensors.DVL.mySourceDVLAdapter", source3d_adapter, dvl_adapter_step)           \
    X(to_gyro, "Sensors.Gyroscope.myBodyToGyro", body_to_sensor, body_to_gyro_step)                \
    X(gyro, "Sensors.Gyroscope.myErrorGyro", imu_error, gyro_error_step)                           \
    X(gyro_adapter, "Sensors.Gyroscope.mySourceGyroAdapter", source3d_adapter, gyro_adapter_step)  \
    X(to_force, "Sensors.Accelerometer.myBodyToAccelerometer", body_to_sensor,                     \
      body_to_accelerometer_step)                                                                  \
    X(force, "Sensors.Accelerometer.myErrorAccelerometer", imu_error, accelerometer_error_step)    \
    X(force_adapter, "Sensors.Accelerometer.mySourceAccelerometerAdapter", source3d_adapter,       \
      accelerometer_adapter_step)                                                                  \
    X(to_gps, "Sensors.GPS.myBodyToGps", body_to_place, body_to_gps_step)                          \
    X(gps, "Sensors.GPS.myErrorGps", gps_error, gps_error_step)                                    \
    X(gps_adapter, "Sensors.GPS.mySourceGpsAdapter", source3d_adapter, gps_adapter_step)           \
    X(to_depth, "Sensors.Barometer.myBodyToDepth", body_to_place, body_to_depth_step)              \
    X(depth, "Sensors.Barometer.myErrorDepth", depth_error, depth_error_step)                      \
    X(depth_adapter, "Sensors.Barometer.mySourceDepthAdapter", source1d_adapter,                   \
      depth_adapter_step)                                                                          \
    X(to_compass, "Sensors.Compass.myBodyToCompass", body_to_compass, body_to_compass_step)        \
    X(compass, "Sensors.Compass.myErrorCompass", compass_error, compass_error_step)                \
    X(compass_adapter, "Sensors.Compass.mySourceCompassAdapter", source1d_adapter,                 \
      compass_adapter_step)                                                                        \
    X(dvl_driver, "Navigation.myDvl", dvl_driver, dvl_driver_step)                                 \
    X(navigation, "Navigation.myNavigationFunction", navigation_function,                          \
      navigation_function_step)                                                                    \
    X(analysis, "Analysis.myAnalysis", position_error, position_error_step)

#define MEMBER(member, name, type, step) type member;
#define NUMBER(member, name, type, step) NUMBER_##member,
enum { PARTS(NUMBER) PART_COUNT };

/* What somebody would write: a struct, a call for each component, an assignment for each wire, and
 * a counter for the slow ones. Parameters are in the structs. The adapter of the current has
 * nothing to step, and the mission of way-points, which is active too, lends nothing to a line. */
struct voyage {
    PARTS(MEMBER)
    current_adapter current_adapter;
    state spline; /* of the mission that is stopped: its last state is what its users see */
    int64_t tick; /* of 1 ms */
    voyage_step *calls[PART_COUNT];
};

/* ---- wires, in the order of the plan ---- */

static hk_geo_vector3 vector(coordinate3d v) {
    return hk_geo_vector(v.x, v.y, v.z);
}

static coordinate3d coordinate(hk_geo_vector3 v) {
    return (coordinate3d){v.x, v.y, v.z};
}

static inline void inform_place(const voyage *x, place *to) {
    to->earth = x->earth.model;
    to->latitude = x->earth.latitude;
    to->longitude = x->earth.longitude;
}

static inline void inform_drone(voyage *x) {
    inform_place(x, &x->simple.place);
    x->simple.gravity = x->earth.gravity;
}

static inline void inform_adapter(voyage *x) {
    take(&x->drone.spline, &x->spline);
    take(&x->drone.simple, &x->simple.state);
}

static inline void inform_frames(voyage *x) {
    const state *truth = &x->drone.out;
    hk_auv_copy(&x->to_dvl.in, &truth->body_speed);
    hk_auv_copy(&x->to_dvl.rotation, &truth->body_rotation_speed);
    hk_auv_copy(&x->to_gyro.in, &truth->body_rotation_speed);
    hk_auv_copy(&x->to_force.in, &truth->body_acceleration);
    hk_auv_copy(&x->to_force.rotation, &truth->body_rotation_speed);
    hk_auv_copy(&x->to_gps.in, &truth->ned_position);
    hk_auv_copy(&x->to_gps.attitude, &truth->attitude);
    hk_auv_copy(&x->to_depth.in, &truth->ned_position);
    hk_auv_copy(&x->to_depth.attitude, &truth->attitude);
    hk_auv_copy(&x->to_compass.in, &truth->attitude);
}

static inline void inform_sensors(voyage *x) {
    hk_auv_copy(&x->dvl.in, &x->to_dvl.out);
    hk_auv_copy(&x->dvl.position, &x->drone.out.ned_position);
    hk_auv_copy(&x->dvl.attitude, &x->drone.out.attitude);
    x->dvl.mounted.yaw = x->to_dvl.mounted.yaw;
    x->dvl.mounted.pitch = x->to_dvl.mounted.pitch;
    x->dvl.mounted.roll = x->to_dvl.mounted.roll;
    hk_auv_copy(&x->dvl.lever, &x->to_dvl.lever);
    hk_auv_copy(&x->gyro.in, &x->to_gyro.out);
    hk_auv_copy(&x->force.in, &x->to_force.out);
    hk_auv_copy(&x->gps.position, &x->to_gps.out);
    inform_place(x, &x->gps.place);
    hk_auv_copy(&x->depth.position, &x->to_depth.out);
    inform_place(x, &x->depth.place);
    x->depth.gravity = x->earth.gravity;
    hk_auv_copy(&x->compass.attitude, &x->to_compass.out);
}

static inline void inform_driver(voyage *x) {
    hk_auv_copy(&x->dvl_driver.sensor_speed, &x->dvl_adapter.measured.value);
    x->dvl_driver.sensor_stamp = x->dvl_adapter.measured.stamp;
    x->dvl_driver.sensor_valid = x->dvl_adapter.measured.valid;
}

static inline void inform_navigation(voyage *x) {
    navigation_function *to = &x->navigation;
    to->body_speed = vector(x->dvl_driver.body_speed);
    to->speed_at = (timed){x->dvl_driver.valid, x->dvl_driver.stamp};
    to->rotation_speed = vector(x->gyro_adapter.measured.value);
    to->rotation_valid = x->gyro_adapter.measured.valid;
    to->acceleration = vector(x->force_adapter.measured.value);
    to->acceleration_valid = x->force_adapter.measured.valid;
    to->gps_position = vector(x->gps_adapter.measured.value);
    to->gps_at = (timed){x->gps_adapter.measured.valid, x->gps_adapter.measured.stamp};
    to->depth = x->depth_adapter.measured.value;
    to->depth_at = (timed){x->depth_adapter.measured.valid, x->depth_adapter.measured.stamp};
    to->heading = x->compass_adapter.measured.value;
    to->heading_at = (timed){x->compass_adapter.measured.valid, x->compass_adapter.measured.stamp};
    to->tuning.gravity = x->earth.gravity;
    inform_place(x, &to->place);
}

static inline void inform_analysis(voyage *x) {
    hk_auv_copy(&x->analysis.truth, &x->drone.out.ned_position);
    x->analysis.estimate = coordinate(x->navigation.position);
}

/* ---- who answers whom ---- */

static inline void bind_environment(voyage *x) {
    x->bed_adapter.source = (mnt_source_binding){&x->bed, &mnt_model_source};
}

static inline void bind_drone(voyage *x) {
    x->current_adapter.source = (current_source_binding){&x->current, &model_source};
    x->simple.current = (current_source_binding){&x->current_adapter, &adapter_source};
}

static inline void bind_early_adapters(voyage *x) {
    x->dvl.bed = (mnt_source_binding){&x->bed_adapter, &mnt_adapter_source};
    x->gps_adapter.source = (source3d_binding){&x->gps, &gps_error_source};
    x->depth_adapter.source = (source1d_binding){&x->depth, &depth_error_source};
    x->compass_adapter.source = (source1d_binding){&x->compass, &compass_error_source};
}

static inline void bind_late_adapters(voyage *x) {
    x->dvl_adapter.source = (source3d_binding){&x->dvl, &dvl_error_source};
    x->gyro_adapter.source = (source3d_binding){&x->gyro, &imu_error_source};
    x->force_adapter.source = (source3d_binding){&x->force, &imu_error_source};
}

/* ---- a tick: twice the same text, with two kinds of calls ---- */

#define SLOW_TICK(CALL, BIND)                                                                      \
    CALL(earth, earth_step, 1)                                                                     \
    inform_place(x, &x->bed.place);                                                                \
    CALL(bed, mnt_model_step, 1)                                                                   \
    CALL(current, current_model_step, 1)                                                           \
    BIND(bind_environment) CALL(bed_adapter, mnt_adapter_step, 1)

#define TICK(CALL, BIND)                                                                           \
    BIND(bind_drone) inform_drone(x);                                                              \
    CALL(simple, simple_mission_step, h)                                                           \
    inform_adapter(x);                                                                             \
    CALL(drone, mission_adapter_step, h)                                                           \
    inform_frames(x);                                                                              \
    CALL(to_dvl, body_to_sensor_step, h)                                                           \
    CALL(to_gyro, body_to_gyro_step, h)                                                            \
    CALL(to_force, body_to_accelerometer_step, h)                                                  \
    CALL(to_gps, body_to_gps_step, h)                                                              \
    CALL(to_depth, body_to_depth_step, h)                                                          \
    CALL(to_compass, body_to_compass_step, h)                                                      \
    inform_sensors(x);                                                                             \
    CALL(dvl, dvl_error_step, h)                                                                   \
    CALL(gyro, gyro_error_step, h)                                                                 \
    CALL(force, accelerometer_error_step, h)                                                       \
    CALL(gps, gps_error_step, h)                                                                   \
    CALL(depth, depth_error_step, h)                                                               \
    CALL(compass, compass_error_step, h)                                                           \
    BIND(bind_early_adapters)                                                                      \
    CALL(gps_adapter, gps_adapter_step, h)                                                         \
    CALL(depth_adapter, depth_adapter_step, h)                                                     \
    CALL(compass_adapter, compass_adapter_step, h)                                                 \
    BIND(bind_late_adapters)                                                                       \
    CALL(dvl_adapter, dvl_adapter_step, h)                                                         \
    CALL(gyro_adapter, gyro_adapter_step, h)                                                       \
    CALL(force_adapter, accelerometer_adapter_step, h)                                             \
    inform_driver(x);                                                                              \
    CALL(dvl_driver, dvl_driver_step, h)                                                           \
    inform_navigation(x);                                                                          \
    CALL(navigation, navigation_function_step, h)                                                  \
    inform_analysis(x);                                                                            \
    CALL(analysis, position_error_step, h)

/* Said again before each call, the compiler knows whose functions are called. */
#define ANEW(bind) bind(x);
#define ONCE(bind)
#define BY_NAME(member, step, length)    bad |= step(&x->member, t, (length));
#define BY_POINTER(member, step, length) bad |= calls[NUMBER_##member](&x->member, t, (length));

int voyage_steps(voyage *x, int count) {
    const double h = 0.001;
    int bad = 0;
    for (int i = 0; i < count; i++, x->tick++) {
        double t = (double)x->tick / MS_PER_SECOND;
        if (x->tick % MS_PER_SECOND == 0) {
            SLOW_TICK(BY_NAME, ANEW)
        }
        TICK(BY_NAME, ANEW)
    }
    return bad;
}

int voyage_calls(voyage *x, int count) {
    const double h = 0.001;
    voyage_step *calls[PART_COUNT];
    int bad = 0;
    for (size_t i = 0; i < PART_COUNT; i++)
        calls[i] = x->calls[i];
    for (int i = 0; i < count; i++, x->tick++) {
        double t = (double)x->tick / MS_PER_SECOND;
        if (x->tick % MS_PER_SECOND == 0) {
            SLOW_TICK(BY_POINTER, ONCE)
        }
        TICK(BY_POINTER, ONCE)
    }
    return bad;
}

/* ---- how it is made ---- */

size_t voyage_parts(void) {
    return PART_COUNT;
}

size_t voyage_size(void) {
    return sizeof(voyage);
}

voyage_part voyage_part_at(voyage *x, size_t index) {
#define ROW(member, name, type, step)                                                              \
    {(name), &x->member, sizeof x->member, &x->calls[NUMBER_##member]},
    const voyage_part parts[] = {PARTS(ROW)};
#undef ROW
    return parts[index];
}

void voyage_bind(voyage *x) {
    bind_environment(x);
    bind_drone(x);
    bind_early_adapters(x);
    bind_late_adapters(x);
}

/* SPDX-License-Identifier: MIT
 *
 * The interfaces: how a scenario calls their functions by name, and what a caller gets while
 * the provider is stopped. */
#include "auv.h"

static const hk_field number_field[] = {{.name = "", .type = HK_TYPE_F64}};
static const hk_field truth_field[] = {{.name = "", .type = HK_TYPE_BOOL}};
static const hk_field time_field[] = {{.name = "", .type = HK_TYPE_I64, .unit = "ms"}};
static const hk_field speed_field[] = {{.name = "", .type = HK_TYPE_F64, .unit = "m/s"}};
static const hk_field angle_field[] = {{.name = "", .type = HK_TYPE_F64, .unit = "deg"}};
static const hk_field second_field[] = {{.name = "", .type = HK_TYPE_F64, .unit = "s"}};
static const hk_field xy_fields[] = {
    {.name = "x", .type = HK_TYPE_F64, .offset = offsetof(coordinate2d, x)},
    {.name = "y", .type = HK_TYPE_F64, .offset = offsetof(coordinate2d, y)},
};
static const hk_field xy_metre_fields[] = {
    {.name = "x", .type = HK_TYPE_F64, .offset = offsetof(coordinate2d, x), .unit = "m"},
    {.name = "y", .type = HK_TYPE_F64, .offset = offsetof(coordinate2d, y), .unit = "m"},
};
static const hk_field place_fields[] = {
    {.name = "x", .type = HK_TYPE_F64, .offset = offsetof(coordinate2d, x), .unit = "deg"},
    {.name = "y", .type = HK_TYPE_F64, .offset = offsetof(coordinate2d, y), .unit = "deg"},
};
static const hk_field whole_field[] = {{.name = "", .type = HK_TYPE_I32}};
static const hk_field waypoint_fields[] = {
    {.name = "position.x",
     .type = HK_TYPE_F64,
     .offset = offsetof(waypoint, position.x),
     .unit = "m"},
    {.name = "position.y",
     .type = HK_TYPE_F64,
     .offset = offsetof(waypoint, position.y),
     .unit = "m"},
    {.name = "position.z",
     .type = HK_TYPE_F64,
     .offset = offsetof(waypoint, position.z),
     .unit = "m"},
    {.name = "speed", .type = HK_TYPE_F64, .offset = offsetof(waypoint, speed), .unit = "m/s"},
};
static const hk_field xyz_fields[] = {
    {.name = "x", .type = HK_TYPE_F64, .offset = offsetof(coordinate3d, x)},
    {.name = "y", .type = HK_TYPE_F64, .offset = offsetof(coordinate3d, y)},
    {.name = "z", .type = HK_TYPE_F64, .offset = offsetof(coordinate3d, z)},
};

static const hk_argument number_result = {"", sizeof(double), number_field, 1};
static const hk_argument truth_result = {"", sizeof(bool), truth_field, 1};
static const hk_argument xy_result = {"", sizeof(coordinate2d), xy_fields, 2};
static const hk_argument whole_result = {"", sizeof(int32_t), whole_field, 1};
static const hk_argument waypoint_result = {"", sizeof(waypoint), waypoint_fields,
                                            COUNT(waypoint_fields)};
static const hk_argument xyz_result = {"", sizeof(coordinate3d), xyz_fields, 3};

/* ---- environment.CurrentSource ---- */

static void call_set_time(const void *functions, void *self, const void *const *arguments,
                          void *result) {
    const current_source *f = functions;
    *(bool *)result =
        f->set_time(self, *(const int64_t *)arguments[0], *(const coordinate2d *)arguments[1]);
}

static void call_get_current(const void *functions, void *self, const void *const *arguments,
                             void *result) {
    const current_source *f = functions;
    (void)arguments;
    *(coordinate2d *)result = f->get_current(self);
}

static bool stopped_set_time(void *self, int64_t time, coordinate2d position) {
    (void)time, (void)position;
    hk_service_stopped(self);
    return false;
}

static coordinate2d stopped_get_current(void *self) {
    hk_service_stopped(self);
    return (coordinate2d){0};
}

static const hk_argument set_time_arguments[] = {
    {"time", sizeof(int64_t), time_field, 1}, {"position", sizeof(coordinate2d), place_fields, 2}};
static const hk_function current_source_functions[] = {
    {"setTime", set_time_arguments, COUNT(set_time_arguments), &truth_result, call_set_time},
    {"getCurrent", NULL, 0, &xy_result, call_get_current},
};
static const current_source current_source_stopped = {stopped_set_time, stopped_get_current};

const hk_interface hk_auv_current_source = {
    .name = "environment.CurrentSource",
    .signature =
        "bool setTime(long time unit \"ms\", {double x; double y;} position unit \"deg\"); "
        "{double x; double y;} getCurrent();",
    .functions = current_source_functions,
    .function_count = COUNT(current_source_functions),
    .stopped = &current_source_stopped};

/* ---- environment.CurrentConfig ---- */

static void call_set_speed(const void *functions, void *self, const void *const *arguments,
                           void *result) {
    const current_config *f = functions;
    (void)result;
    f->set_speed(self, *(const double *)arguments[0], *(const double *)arguments[1]);
}

static void call_set_signal(const void *functions, void *self, const void *const *arguments,
                            void *result) {
    const current_config *f = functions;
    (void)result;
    f->set_signal(self, *(const double *)arguments[0], *(const double *)arguments[1],
                  *(const double *)arguments[2]);
}

static void stopped_set_speed(void *self, double speed, double direction) {
    (void)speed, (void)direction;
    hk_service_stopped(self);
}

static void stopped_set_signal(void *self, double amplitude, double period, double offset) {
    (void)amplitude, (void)period, (void)offset;
    hk_service_stopped(self);
}

static const hk_argument set_speed_arguments[] = {{"speed", sizeof(double), speed_field, 1},
                                                  {"direction", sizeof(double), angle_field, 1}};
static const hk_argument set_signal_arguments[] = {{"amplitude", sizeof(double), speed_field, 1},
                                                   {"period", sizeof(double), second_field, 1},
                                                   {"offset", sizeof(double), second_field, 1}};
static const hk_function current_config_functions[] = {
    {"setSpeed", set_speed_arguments, COUNT(set_speed_arguments), NULL, call_set_speed},
    {"setSignal", set_signal_arguments, COUNT(set_signal_arguments), NULL, call_set_signal},
};
static const current_config current_config_stopped = {stopped_set_speed, stopped_set_signal};

const hk_interface hk_auv_current_config = {
    .name = "environment.CurrentConfig",
    .signature = "void setSpeed(double speed unit \"m/s\", double direction unit \"deg\"); "
                 "void setSignal(double amplitude unit \"m/s\", double period unit \"s\", "
                 "double offset unit \"s\");",
    .functions = current_config_functions,
    .function_count = COUNT(current_config_functions),
    .stopped = &current_config_stopped};

/* ---- environment.MntSource ---- */

static void call_get_depth(const void *functions, void *self, const void *const *arguments,
                           void *result) {
    const mnt_source *f = functions;
    *(double *)result = f->get_depth(self, *(const coordinate2d *)arguments[0]);
}

static double stopped_get_depth(void *self, coordinate2d position) {
    (void)position;
    hk_service_stopped(self);
    return 0;
}

static const hk_argument get_depth_arguments[] = {
    {"position", sizeof(coordinate2d), xy_metre_fields, 2}};
static const hk_function mnt_source_functions[] = {
    {"getDepth", get_depth_arguments, COUNT(get_depth_arguments), &number_result, call_get_depth}};
static const mnt_source mnt_source_stopped = {stopped_get_depth};

const hk_interface hk_auv_mnt_source = {
    .name = "environment.MntSource",
    .signature = "double getDepth({double x; double y;} position unit \"m\");",
    .functions = mnt_source_functions,
    .function_count = COUNT(mnt_source_functions),
    .stopped = &mnt_source_stopped};

/* ---- mission.WaypointSource ---- */

static void call_get_count(const void *functions, void *self, const void *const *arguments,
                           void *result) {
    (void)arguments;
    *(int32_t *)result = ((const waypoint_source *)functions)->get_count(self);
}

static void call_get_waypoint(const void *functions, void *self, const void *const *arguments,
                              void *result) {
    const waypoint_source *f = functions;
    *(waypoint *)result = f->get_waypoint(self, *(const int32_t *)arguments[0]);
}

static int32_t stopped_get_count(void *self) {
    hk_service_stopped(self);
    return 0;
}

static waypoint stopped_get_waypoint(void *self, int32_t index) {
    (void)index;
    hk_service_stopped(self);
    return (waypoint){0};
}

static const hk_argument get_waypoint_arguments[] = {{"index", sizeof(int32_t), whole_field, 1}};
static const hk_function waypoint_source_functions[] = {
    {"getCount", NULL, 0, &whole_result, call_get_count},
    {"getWaypoint", get_waypoint_arguments, 1, &waypoint_result, call_get_waypoint},
};
static const waypoint_source waypoint_source_stopped = {stopped_get_count, stopped_get_waypoint};

#define VECTOR "{double x; double y; double z;} "

const hk_interface hk_auv_waypoint_source = {
    .name = "mission.WaypointSource",
    .signature = "int getCount(); {" VECTOR "position unit \"m\"; double speed unit \"m/s\";} "
                 "getWaypoint(int index);",
    .functions = waypoint_source_functions,
    .function_count = COUNT(waypoint_source_functions),
    .stopped = &waypoint_source_stopped};

/* ---- drone.StateSource ---- */

static void call_get_state(const void *functions, void *self, const void *const *arguments,
                           void *result) {
    (void)arguments;
    *(state *)result = ((const state_source *)functions)->get_state(self);
}

static state stopped_get_state(void *self) {
    hk_service_stopped(self);
    return (state){0};
}

static const hk_field state_fields[] = {
    {.name = "nedPosition.x",
     .type = HK_TYPE_F64,
     .offset = offsetof(state, ned_position.x),
     .unit = "m"},
    {.name = "nedPosition.y",
     .type = HK_TYPE_F64,
     .offset = offsetof(state, ned_position.y),
     .unit = "m"},
    {.name = "nedPosition.z",
     .type = HK_TYPE_F64,
     .offset = offsetof(state, ned_position.z),
     .unit = "m"},
    {.name = "bodySpeed.x",
     .type = HK_TYPE_F64,
     .offset = offsetof(state, body_speed.x),
     .unit = "m/s"},
    {.name = "bodySpeed.y",
     .type = HK_TYPE_F64,
     .offset = offsetof(state, body_speed.y),
     .unit = "m/s"},
    {.name = "bodySpeed.z",
     .type = HK_TYPE_F64,
     .offset = offsetof(state, body_speed.z),
     .unit = "m/s"},
    {.name = "bodyAcceleration.x",
     .type = HK_TYPE_F64,
     .offset = offsetof(state, body_acceleration.x),
     .unit = "m/s2"},
    {.name = "bodyAcceleration.y",
     .type = HK_TYPE_F64,
     .offset = offsetof(state, body_acceleration.y),
     .unit = "m/s2"},
    {.name = "bodyAcceleration.z",
     .type = HK_TYPE_F64,
     .offset = offsetof(state, body_acceleration.z),
     .unit = "m/s2"},
    {.name = "bodyRotationSpeed.x",
     .type = HK_TYPE_F64,
     .offset = offsetof(state, body_rotation_speed.x),
     .unit = "rad/s"},
    {.name = "bodyRotationSpeed.y",
     .type = HK_TYPE_F64,
     .offset = offsetof(state, body_rotation_speed.y),
     .unit = "rad/s"},
    {.name = "bodyRotationSpeed.z",
     .type = HK_TYPE_F64,
     .offset = offsetof(state, body_rotation_speed.z),
     .unit = "rad/s"},
    {.name = "attitude.x",
     .type = HK_TYPE_F64,
     .offset = offsetof(state, attitude.x),
     .unit = "rad"},
    {.name = "attitude.y",
     .type = HK_TYPE_F64,
     .offset = offsetof(state, attitude.y),
     .unit = "rad"},
    {.name = "attitude.z",
     .type = HK_TYPE_F64,
     .offset = offsetof(state, attitude.z),
     .unit = "rad"},
    {.name = "stamp", .type = HK_TYPE_F64, .offset = offsetof(state, stamp), .unit = "s"},
};
static const hk_argument state_result = {"", sizeof(state), state_fields, COUNT(state_fields)};
static const hk_function state_source_functions[] = {
    {"getState", NULL, 0, &state_result, call_get_state}};
static const state_source state_source_stopped = {stopped_get_state};

const hk_interface hk_auv_state_source = {
    .name = "drone.StateSource",
    .signature = "{" VECTOR "nedPosition unit \"m\"; " VECTOR "bodySpeed unit \"m/s\"; " VECTOR
                 "bodyAcceleration unit \"m/s2\"; " VECTOR
                 "bodyRotationSpeed unit \"rad/s\"; " VECTOR "attitude unit \"rad\"; double "
                 "stamp unit \"s\";} getState();",
    .functions = state_source_functions,
    .function_count = COUNT(state_source_functions),
    .stopped = &state_source_stopped};

/* ---- the sources of sensors: one interface for each quantity ---- */

static bool stopped_is_valid(void *self) {
    hk_service_stopped(self);
    return false;
}

static double stopped_get_number(void *self) {
    hk_service_stopped(self);
    return 0;
}

static coordinate3d stopped_get_vector(void *self) {
    hk_service_stopped(self);
    return (coordinate3d){0};
}

/* The three functions of a source, called by name; its value is of the type VALUE. */
#define SOURCE_FUNCTIONS(kind, value, result_of_value, stopped_get_value)                          \
    static void kind##_call_value(const void *functions, void *self, const void *const *arguments, \
                                  void *result) {                                                  \
        (void)arguments;                                                                           \
        *(value *)result = ((const kind *)functions)->get_value(self);                             \
    }                                                                                              \
    static void kind##_call_valid(const void *functions, void *self, const void *const *arguments, \
                                  void *result) {                                                  \
        (void)arguments;                                                                           \
        *(bool *)result = ((const kind *)functions)->is_valid(self);                               \
    }                                                                                              \
    static void kind##_call_stamp(const void *functions, void *self, const void *const *arguments, \
                                  void *result) {                                                  \
        (void)arguments;                                                                           \
        *(double *)result = ((const kind *)functions)->get_stamp(self);                            \
    }                                                                                              \
    static const hk_function kind##_functions[] = {                                                \
        {"getValue", NULL, 0, &result_of_value, kind##_call_value},                                \
        {"isValid", NULL, 0, &truth_result, kind##_call_valid},                                    \
        {"getStamp", NULL, 0, &number_result, kind##_call_stamp},                                  \
    };                                                                                             \
    static const kind kind##_stopped = {stopped_get_value, stopped_is_valid, stopped_get_number}

SOURCE_FUNCTIONS(source3d, coordinate3d, xyz_result, stopped_get_vector);
SOURCE_FUNCTIONS(source1d, double, number_result, stopped_get_number);

#define source3d_SIGNATURE VECTOR "getValue(); bool isValid(); double getStamp();"
#define source1d_SIGNATURE "double getValue(); bool isValid(); double getStamp();"

#define SOURCE(kind, text)                                                                         \
    {                                                                                              \
        .name = "sensors." text, .signature = kind##_SIGNATURE, .functions = kind##_functions,     \
        .function_count = COUNT(kind##_functions), .stopped = &kind##_stopped                      \
    }

const hk_interface hk_auv_velocity_source = SOURCE(source3d, "VelocitySource");
const hk_interface hk_auv_angular_rate_source = SOURCE(source3d, "AngularRateSource");
const hk_interface hk_auv_acceleration_source = SOURCE(source3d, "AccelerationSource");
const hk_interface hk_auv_position_source = SOURCE(source3d, "PositionSource");
const hk_interface hk_auv_depth_source = SOURCE(source1d, "DepthSource");
const hk_interface hk_auv_heading_source = SOURCE(source1d, "HeadingSource");
const hk_interface hk_auv_source3d = SOURCE(source3d, "Source3D");
const hk_interface hk_auv_source1d = SOURCE(source1d, "Source1D");

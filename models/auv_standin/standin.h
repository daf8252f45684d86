/* SPDX-License-Identifier: MIT
 *
 * Stand-ins for the components that Fig. 10 of paper 000 names: records, interfaces and types as
 * auv.types declares them. The components themselves are small and their results exact, so that a
 * run can be checked by hand. */
#ifndef HK_MODELS_AUV_STANDIN_H
#define HK_MODELS_AUV_STANDIN_H

#include <hk/math.h>
#include <hk/unit.h>

/* ---- records ---- */

typedef struct coordinate2d {
    double x, y;
} coordinate2d;

typedef struct coordinate3d {
    double x, y, z;
} coordinate3d;

typedef struct waypoint {
    coordinate3d position;
    double speed;
} waypoint;

typedef struct state {
    coordinate3d ned_position, body_speed, body_acceleration, body_rotation_speed, attitude;
} state;

/* ---- interfaces ---- */

typedef struct current_source {
    bool (*set_time)(void *self, int64_t time, coordinate2d position);
    coordinate2d (*get_current)(void *self);
} current_source;

typedef struct current_config {
    void (*set_speed)(void *self, double speed, double direction);
    void (*set_signal)(void *self, double amplitude, double period, double offset);
} current_config;

typedef struct mnt_source {
    double (*get_depth)(void *self, coordinate2d position);
} mnt_source;

typedef struct source3d {
    coordinate3d (*get_value)(void *self);
} source3d;

typedef struct current_source_binding {
    void *self;
    const current_source *functions;
} current_source_binding;

typedef struct mnt_source_binding {
    void *self;
    const mnt_source *functions;
} mnt_source_binding;

typedef struct source3d_binding {
    void *self;
    const source3d *functions;
} source3d_binding;

extern const hk_interface hk_standin_current_source, hk_standin_current_config,
    hk_standin_mnt_source, hk_standin_source3d;

/* ---- tables ---- */

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define STANDIN_TYPE(struct_type, full_name, port_table)                                           \
    .abi = HK_UNIT_ABI, .size = sizeof(hk_unit_type), .name = (full_name),                         \
    .instance_size = sizeof(struct_type), .ports = (port_table), .port_count = COUNT(port_table)

/* A field whose name in the type file is not the one in C. */
#define NAMED(struct_type, field, full_name, cause, port_type, ...)                                \
    {                                                                                              \
        .name = (full_name), .offset = offsetof(struct_type, field), .causality = (cause),         \
        .type = (port_type), __VA_ARGS__                                                           \
    }

/* A record of three, with its unit (NULL: none). */
#define XYZ(struct_type, field, full_name, cause, port_unit)                                       \
    NAMED(struct_type, field.x, full_name ".x", cause, HK_TYPE_F64, .unit = (port_unit)),          \
        NAMED(struct_type, field.y, full_name ".y", cause, HK_TYPE_F64, .unit = (port_unit)),      \
        NAMED(struct_type, field.z, full_name ".z", cause, HK_TYPE_F64, .unit = (port_unit))

#define STATE(struct_type, field, full_name, cause)                                                \
    XYZ(struct_type, field.ned_position, full_name ".nedPosition", cause, "m"),                    \
        XYZ(struct_type, field.body_speed, full_name ".bodySpeed", cause, "m/s"),                  \
        XYZ(struct_type, field.body_acceleration, full_name ".bodyAcceleration", cause, "m/s2"),   \
        XYZ(struct_type, field.body_rotation_speed, full_name ".bodyRotationSpeed", cause,         \
            "rad/s"),                                                                              \
        XYZ(struct_type, field.attitude, full_name ".attitude", cause, "rad")

#define WAYPOINTS(struct_type, field, full_name, cause)                                            \
    XYZ(struct_type, field[0].position, full_name "[1].position", cause, "m"),                     \
        NAMED(struct_type, field[0].speed, full_name "[1].speed", cause, HK_TYPE_F64,              \
              .unit = "m/s"),                                                                      \
        XYZ(struct_type, field[1].position, full_name "[2].position", cause, "m"),                 \
        NAMED(struct_type, field[1].speed, full_name "[2].speed", cause, HK_TYPE_F64,              \
              .unit = "m/s")

#define PARAMETER(struct_type, field, full_name, port_unit, default_text)                          \
    NAMED(struct_type, field, full_name, HK_PARAMETER, HK_TYPE_F64, .unit = (port_unit),           \
          .start = (default_text), .tunable = true)

#define DEGREES(x) ((x) * (3.14159265358979323846 / 180))

/* False if the file cannot be read; looks no further than its first byte. */
bool hk_standin_open(const hk_bytes *file_name);

extern const hk_unit_type hk_standin_current_model, hk_standin_s111_current_file,
    hk_standin_current_adapter, hk_standin_mnt_model, hk_standin_geo_tiff, hk_standin_mnt_adapter,
    hk_standin_csv_mission, hk_standin_spline_mission, hk_standin_simple_mission,
    hk_standin_mission_adapter, hk_standin_body_to_sensor, hk_standin_error3d,
    hk_standin_dvl_reader, hk_standin_dvl_adapter, hk_standin_dvl_driver,
    hk_standin_navigation_function, hk_standin_position_error;

#endif

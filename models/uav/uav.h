/* SPDX-License-Identifier: MIT
 *
 * Three unmanned aircraft, a wind that blows on all of them, and a target on the ground; README.md
 * has the equations. All mathematics is that of hk/math.h, so that the bits do not depend on a
 * libm. */
#ifndef HK_MODELS_UAV_H
#define HK_MODELS_UAV_H

#include <hk/math.h>
#include <hk/unit.h>

enum { UAV_COUNT = 3 };

#define UAV_PI               3.14159265358979323846
#define UAV_RADIANS(degrees) ((degrees) * (UAV_PI / 180))

static inline double uav_clamp(double x, double limit) {
    return x > limit ? limit : x < -limit ? -limit : x;
}

/* To [-pi, pi]. */
static inline double uav_wrap(double angle) {
    double turn = hk_fmod(angle + UAV_PI, 2 * UAV_PI);
    return (turn < 0 ? turn + 2 * UAV_PI : turn) - UAV_PI;
}

#define UAV_TYPE(struct_type, type_name, port_table)                                               \
    .abi = HK_UNIT_ABI, .size = sizeof(hk_unit_type), .name = (type_name),                         \
    .instance_size = sizeof(struct_type), .ports = (port_table),                                   \
    .port_count = sizeof(port_table) / sizeof *(port_table), .stamp = HK_STAMP_START

typedef struct uav_place {
    double north, east; /* of a place in m, of air in m/s */
} uav_place;

/* What may have happened: SEEN says whether there is anything. */
typedef struct uav_event {
    bool seen;
    uav_place at;
} uav_event;

#define UAV_FIELD(struct_type, field, full_name, cause, port_type, ...)                            \
    {                                                                                              \
        .name = (full_name), .offset = offsetof(struct_type, field), .causality = (cause),         \
        .type = (port_type), __VA_ARGS__                                                           \
    }

#define UAV_PLACE(struct_type, field, full_name, cause, port_unit, ...)                            \
    UAV_FIELD(struct_type, field.north, full_name ".north", cause, HK_TYPE_F64,                    \
              .unit = (port_unit), __VA_ARGS__),                                                   \
        UAV_FIELD(struct_type, field.east, full_name ".east", cause, HK_TYPE_F64,                  \
                  .unit = (port_unit), __VA_ARGS__)

#define UAV_EVENT(struct_type, field, full_name, cause)                                            \
    UAV_FIELD(struct_type, field.seen, full_name ".seen", cause, HK_TYPE_BOOL, .unit = NULL),      \
        UAV_PLACE(struct_type, field.at, full_name ".at", cause, "m", .start = NULL)

#define UAV_PARAMETER(struct_type, field, port_unit, default_text)                                 \
    HK_PORT(struct_type, field, HK_PARAMETER, HK_TYPE_F64, .unit = (port_unit),                    \
            .start = (default_text), .tunable = true)

/* Where it is at first; STRUCT_TYPE has north_initial and east_initial. */
#define UAV_BEGINNING(struct_type)                                                                 \
    UAV_PARAMETER(struct_type, north_initial, "m", "0"),                                           \
        UAV_PARAMETER(struct_type, east_initial, "m", "0")

extern const hk_unit_type uav_airframe_type, uav_camera_type, uav_pilot_type, uav_target_type,
    uav_wind_type;

#endif

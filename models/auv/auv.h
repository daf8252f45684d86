/* SPDX-License-Identifier: MIT
 *
 * What all components of the underwater vehicle share: the records and interfaces of its type files
 * as C, macros for tables of ports, and words for a failure. */
#ifndef HK_MODELS_AUV_H
#define HK_MODELS_AUV_H

#include <hk/math.h>
#include <hk/unit.h>

#include <string.h>

/* ---- small steps ---- */

/* Functions that most steps do not need are kept out of them, which stay small: APART what a whole
 * leg or another choice needs, SELDOM what is not worth being fast. */
#ifdef __GNUC__
#define APART  static __attribute__((noinline))
#define SELDOM static __attribute__((noinline, cold))
#else
#define APART  static
#define SELDOM static
#endif

/* Without its sign: to compare several numbers with 0 at once, as whole numbers. */
static inline uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits << 1;
}

static inline bool are_zero(double x, double y, double z) {
    return (bits_of(x) | bits_of(y) | bits_of(z)) == 0;
}

/* ---- records ---- */

typedef struct coordinate2d {
    double x, y;
} coordinate2d;

typedef struct coordinate3d {
    double x, y, z;
} coordinate3d;

/* Number by number: what was just stored so is there at once, while a move of all three has to wait
 * until it is in the cache. */
static inline void hk_auv_copy(coordinate3d *to, const coordinate3d *from) {
    to->x = from->x;
    to->y = from->y;
    to->z = from->z;
}

typedef struct waypoint {
    coordinate3d position; /* ned, m */
    double speed;          /* m/s */
} waypoint;

/* Where the vehicle is at the end of a step, and how it moved in it: the rotation speed and the
 * specific force are means over the step (the turn divided by its length; the force f for which
 * R_mid f + g is the mean acceleration, R_mid the attitude in the middle of the turn), so that who
 * integrates them gets the motion itself. */
typedef struct state {
    coordinate3d ned_position;        /* m */
    coordinate3d body_speed;          /* over ground, at the end of the step, m/s */
    coordinate3d body_acceleration;   /* specific force, m/s2: at rest (0, 0, -g) */
    coordinate3d body_rotation_speed; /* rad/s */
    coordinate3d attitude;            /* roll, pitch, yaw, rad */
    double stamp;                     /* the end of the step, s */
} state;

/* ---- interfaces ---- */

typedef struct current_source {
    /* Milliseconds since the start, and latitude and longitude in degrees. False: nothing is known
     * there. */
    bool (*set_time)(void *self, int64_t time, coordinate2d position);
    /* East, north. */
    coordinate2d (*get_current)(void *self);
} current_source;

typedef struct current_config {
    void (*set_speed)(void *self, double speed, double direction);
    void (*set_signal)(void *self, double amplitude, double period, double offset);
} current_config;

typedef struct mnt_source {
    /* Of the sea bed below (north, east); NaN: nothing is known there. */
    double (*get_depth)(void *self, coordinate2d position);
} mnt_source;

typedef struct waypoint_source {
    int32_t (*get_count)(void *self);
    waypoint (*get_waypoint)(void *self, int32_t index); /* from 0 */
} waypoint_source;

typedef struct state_source {
    state (*get_state)(void *self);
} state_source;

/* What a sensor has measured last: it holds while it is not valid. The stamp is the instant for
 * which it holds. Interfaces of several quantities have these functions: their names keep a source
 * of one from being bound where another is asked for. */
typedef struct source3d {
    coordinate3d (*get_value)(void *self);
    bool (*is_valid)(void *self);
    double (*get_stamp)(void *self);
} source3d;

typedef struct source1d {
    double (*get_value)(void *self);
    bool (*is_valid)(void *self);
    double (*get_stamp)(void *self);
} source1d;

#define BINDING(interface)                                                                         \
    typedef struct interface##_binding {                                                           \
        void *self;                                                                                \
        const interface *functions;                                                                \
    } interface##_binding

BINDING(current_source);
BINDING(mnt_source);
BINDING(waypoint_source);
BINDING(state_source);
BINDING(source3d);
BINDING(source1d);

extern const hk_interface hk_auv_current_source, hk_auv_current_config, hk_auv_mnt_source,
    hk_auv_waypoint_source, hk_auv_state_source, hk_auv_velocity_source, hk_auv_angular_rate_source,
    hk_auv_acceleration_source, hk_auv_position_source, hk_auv_depth_source, hk_auv_heading_source,
    hk_auv_source3d, hk_auv_source1d;

/* ---- tables ---- */

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define AUV_TYPE(struct_type, full_name, port_table)                                               \
    .abi = HK_UNIT_ABI, .size = sizeof(hk_unit_type), .name = (full_name),                         \
    .instance_size = sizeof(struct_type), .ports = (port_table), .port_count = COUNT(port_table)

/* The tables of a type, with their sizes. */
#define SERVICES(table) .services = (table), .service_count = COUNT(table)
#define DOMAINS(table)  .domains = (table), .domain_count = COUNT(table)

/* A type with services, limits and words, whose tables and functions are called after its struct.
 */
#define AUV_WHOLE_TYPE(struct_type, full_name, words_about_it)                                     \
    AUV_TYPE(struct_type, full_name, struct_type##_ports),                                         \
        .description = (words_about_it), .stamp = HK_STAMP_END, .step = struct_type##_step,        \
        SERVICES(struct_type##_services), DOMAINS(struct_type##_domains),                          \
        .complaint = struct_type##_complaint

/* A field whose name in the type file is not the one in C. */
#define NAMED(struct_type, field, full_name, cause, port_type, ...)                                \
    {                                                                                              \
        .name = (full_name), .offset = offsetof(struct_type, field), .causality = (cause),         \
        .type = (port_type), __VA_ARGS__                                                           \
    }

#define NUMBER_IN(struct_type, field, full_name, port_unit)                                        \
    NAMED(struct_type, field, full_name, HK_INPUT, HK_TYPE_F64, .unit = (port_unit))
#define NUMBER_OUT(struct_type, field, full_name, port_unit)                                       \
    NAMED(struct_type, field, full_name, HK_OUTPUT, HK_TYPE_F64, .unit = (port_unit))
#define TRUTH_IN(struct_type, field, full_name)                                                    \
    NAMED(struct_type, field, full_name, HK_INPUT, HK_TYPE_BOOL, )
#define TRUTH_OUT(struct_type, field, full_name)                                                   \
    NAMED(struct_type, field, full_name, HK_OUTPUT, HK_TYPE_BOOL, )

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
        XYZ(struct_type, field.attitude, full_name ".attitude", cause, "rad"),                     \
        NAMED(struct_type, field.stamp, full_name ".stamp", cause, HK_TYPE_F64, .unit = "s")

#define PARAMETER(struct_type, field, full_name, port_unit, default_text)                          \
    NAMED(struct_type, field, full_name, HK_PARAMETER, HK_TYPE_F64, .unit = (port_unit),           \
          .start = (default_text), .tunable = true)
/* A whole number, a Boolean, a text, an item of an enumeration (int64_t; its items are a domain).
 */
#define WHOLE_PARAMETER(struct_type, field, full_name, default_text)                               \
    NAMED(struct_type, field, full_name, HK_PARAMETER, HK_TYPE_I32, .start = (default_text),       \
          .tunable = true)
#define TRUTH_PARAMETER(struct_type, field, full_name, default_text)                               \
    NAMED(struct_type, field, full_name, HK_PARAMETER, HK_TYPE_BOOL, .start = (default_text),      \
          .tunable = true)
#define TEXT_PARAMETER(struct_type, field, full_name, default_text)                                \
    NAMED(struct_type, field, full_name, HK_PARAMETER, HK_TYPE_STRING, .start = (default_text),    \
          .tunable = true)
#define ITEM_PARAMETER(struct_type, field, full_name, default_text)                                \
    NAMED(struct_type, field, full_name, HK_PARAMETER, HK_TYPE_ENUM, .start = (default_text),      \
          .tunable = true)

/* ---- the Earth: shared parameters of one place, environment.Earth ---- */

enum { EARTH_FLAT, EARTH_WGS84 };
extern const hk_enum_type hk_auv_earth_type; /* environment.EarthModel: Flat, Wgs84 */

#define PI         3.14159265358979323846
#define DEGREES(x) ((x) * (PI / 180))

/* ---- words for a failure ---- */

/* A field of a component that can say why it failed. */
typedef struct words {
    char text[240];
} words;

/* Writes them as printf does (numbers with %g, %.3f: the locale of a run is "C") and returns
 * HK_STEP_FAILED. */
int hk_auv_fail(words *why, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* The function that hk_unit_type.complaint needs, for a struct with words in its field WHY. */
#define COMPLAINT_IN(struct_type, field)                                                           \
    static const char *struct_type##_complaint(const void *self) {                                 \
        const char *text = ((const struct_type *)self)->field.text;                                \
        return *text ? text : NULL;                                                                \
    }
#define COMPLAINT(struct_type) COMPLAINT_IN(struct_type, why)

/* ---- files ---- */

/* What all have that answer from a file, in their field `asked`. */
typedef struct asked_file {
    int64_t requests; /* how often that was */
    hk_bytes name;
    hk_resource file; /* what was read of it */
    words why;        /* there is no answer */
} asked_file;

#define FILE_PORTS(struct_type, default_name)                                                      \
    NAMED(struct_type, asked.requests, "requests", HK_OUTPUT, HK_TYPE_I64, ),                      \
        TEXT_PARAMETER(struct_type, asked.name, "fileName", default_name)
#define FILE_COMPLAINT(struct_type) COMPLAINT_IN(struct_type, asked.why)

#endif

/* SPDX-License-Identifier: MIT
 *
 * What the sensors share beside their errors: how one is mounted, and the interfaces by which a
 * measured value is asked for. */
#ifndef HK_MODELS_SENSORS_H
#define HK_MODELS_SENSORS_H

#include "errors.h"

#include <hk/geo.h>

#include <string.h>

static inline hk_geo_vector3 vector_of(coordinate3d v) {
    return hk_geo_vector(v.x, v.y, v.z);
}

static inline coordinate3d coordinate_of(hk_geo_vector3 v) {
    return (coordinate3d){v.x, v.y, v.z};
}

/* ---- mounting ---- */

/* A turn by angles in degrees, with the matrix that belongs to those that were seen last. It takes
 * from the axes of the sensor to those of the body. */
typedef struct mounting {
    double yaw, pitch, roll;
    double known_yaw, known_pitch, known_roll;
    bool known;
    hk_geo_matrix3 to_body;
} mounting;

void hk_mounting_compute(mounting *m); /* rare */

/* True: it is not as it was. */
static inline bool hk_mounting_look(mounting *m) {
    bool same = m->known && m->yaw == m->known_yaw && m->pitch == m->known_pitch &&
                m->roll == m->known_roll;
    if (!same)
        hk_mounting_compute(m);
    return !same;
}

static inline bool is_zero(coordinate3d v) {
    return are_zero(v.x, v.y, v.z);
}

/* ---- what is measured, as a source ---- */

/* The three functions of a source for a struct whose field MEASURED is a measured3d or 1d. */
#define SOURCE_OF(struct_type, value_type, interface)                                              \
    static value_type struct_type##_value(void *self) {                                            \
        return ((const struct_type *)self)->measured.value;                                        \
    }                                                                                              \
    static bool struct_type##_valid(void *self) {                                                  \
        return ((const struct_type *)self)->measured.valid;                                        \
    }                                                                                              \
    static double struct_type##_stamp(void *self) {                                                \
        return ((const struct_type *)self)->measured.stamp;                                        \
    }                                                                                              \
    static const interface struct_type##_source = {struct_type##_value, struct_type##_valid,       \
                                                   struct_type##_stamp}
#define SOURCE_3D(struct_type) SOURCE_OF(struct_type, coordinate3d, source3d)
#define SOURCE_1D(struct_type) SOURCE_OF(struct_type, double, source1d)

#define MEASURED_3D(S, u)                                                                          \
    XYZ(S, measured.value, "out", HK_OUTPUT, u), TRUTH_OUT(S, measured.valid, "valid"),            \
        NUMBER_OUT(S, measured.stamp, "stamp", "s")

#define MEASURED_1D(S, u)                                                                          \
    NUMBER_OUT(S, measured.value, "out", u), TRUTH_OUT(S, measured.valid, "valid"),                \
        NUMBER_OUT(S, measured.stamp, "stamp", "s")

#endif

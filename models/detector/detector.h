/* SPDX-License-Identifier: MIT
 *
 * The plant of the chemical detector: the hardware of a rover, and the arena that it drives in;
 * README.md has the equations. All mathematics is that of hk/math.h, so that the bits do not depend
 * on a libm. */
#ifndef HK_MODELS_DETECTOR_H
#define HK_MODELS_DETECTOR_H

#include <hk/math.h>
#include <hk/unit.h>

/* MobilityHw, Arena, WallSensor, ChemDHW, NULL */
extern const hk_unit_type *const hk_detector_types[];
extern const hk_unit_type hk_detector_mobility_type, hk_detector_arena_type,
    hk_detector_wall_sensor_type, hk_detector_chem_type;

/* What the elements of `walls` are: free distances from the edge of the rover, in its frame. */
enum { WALL_LEFT, WALL_RIGHT, WALL_FRONT, WALL_BACK, WALL_COUNT };

typedef struct vector {
    double x, y;
} vector;

static inline double dot(vector a, vector b) {
    return a.x * b.x + a.y * b.y;
}

static inline vector minus(vector a, vector b) {
    return (vector){a.x - b.x, a.y - b.y};
}

/* A, and FACTOR times B. */
static inline vector plus(vector a, double factor, vector b) {
    return (vector){a.x + factor * b.x, a.y + factor * b.y};
}

/* A quarter of a turn to the left. */
static inline vector left_of(vector a) {
    return (vector){-a.y, a.x};
}

/* Of length 1; false: A has no direction. */
static inline bool set_direction(vector a, vector *ret_direction) {
    double length = hk_hypot(a.x, a.y);
    if (!(length > 0 && length < 1e300))
        return false;
    *ret_direction = (vector){a.x / length, a.y / length};
    return true;
}

#define DETECTOR_LIST(struct_type, field, cause, elements, ...)                                    \
    HK_PORT(struct_type, field, cause, HK_TYPE_F64, .count = (elements), __VA_ARGS__)

#define DETECTOR_PARAMETER(struct_type, field, port_unit, default_text, words)                     \
    HK_PORT(struct_type, field, HK_PARAMETER, HK_TYPE_F64, .unit = (port_unit),                    \
            .start = (default_text), .tunable = true, .description = (words))

#define DETECTOR_TYPE(struct_type, type_name, port_table, outputs_hold_at)                         \
    .abi = HK_UNIT_ABI, .size = sizeof(hk_unit_type), .name = (type_name),                         \
    .instance_size = sizeof(struct_type), .ports = (port_table),                                   \
    .port_count = sizeof(port_table) / sizeof *(port_table), .stamp = (outputs_hold_at)

#endif

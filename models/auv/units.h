/* SPDX-License-Identifier: MIT
 *
 * The units that tables may have. */
#ifndef HK_MODELS_UNITS_H
#define HK_MODELS_UNITS_H

#include "auv.h"

#include <string.h>

/* What a column can be. */
typedef enum quantity {
    A_TIME,
    A_LENGTH,
    A_SPEED,
    AN_ACCELERATION,
    AN_ANGLE,
    A_RATE,
    A_PRESSURE
} quantity;

typedef struct table_unit {
    const char *name;
    quantity what;
    double factor; /* to SI */
} table_unit;

static const table_unit table_units[] = {
    {"s", A_TIME, 1},
    {"ms", A_TIME, 1e-3},
    {"us", A_TIME, 1e-6},
    {"ns", A_TIME, 1e-9},
    {"min", A_TIME, 60},
    {"h", A_TIME, 3600},
    {"m", A_LENGTH, 1},
    {"cm", A_LENGTH, 0.01},
    {"mm", A_LENGTH, 0.001},
    {"km", A_LENGTH, 1000},
    {"ft", A_LENGTH, 0.3048},
    {"m/s", A_SPEED, 1},
    {"cm/s", A_SPEED, 0.01},
    {"mm/s", A_SPEED, 0.001},
    {"km/h", A_SPEED, 1 / 3.6},
    {"kn", A_SPEED, 1852.0 / 3600},
    {"m/s2", AN_ACCELERATION, 1},
    {"m/s^2", AN_ACCELERATION, 1},
    {"g", AN_ACCELERATION, 9.80665},
    {"mg", AN_ACCELERATION, 9.80665e-3},
    {"rad", AN_ANGLE, 1},
    {"deg", AN_ANGLE, PI / 180},
    {"rad/s", A_RATE, 1},
    {"deg/s", A_RATE, PI / 180},
    {"deg/h", A_RATE, PI / 180 / 3600},
    {"Pa", A_PRESSURE, 1},
    {"hPa", A_PRESSURE, 100},
    {"kPa", A_PRESSURE, 1000},
    {"mbar", A_PRESSURE, 100},
    {"dbar", A_PRESSURE, 1e4},
    {"bar", A_PRESSURE, 1e5},
};

/* NULL: it is not known. */
static inline const table_unit *hk_auv_unit_named(const char *name) {
    for (size_t i = 0; i < COUNT(table_units); i++)
        if (strcmp(table_units[i].name, name) == 0)
            return &table_units[i];
    return NULL;
}

#endif

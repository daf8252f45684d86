/* SPDX-License-Identifier: MIT
 *
 * What the systems of the falling bodies and the component that moves one share. */
#ifndef FALLING_H
#define FALLING_H

#include <hk/world.h>

/* A body in a vacuum after H seconds: exact. */
static inline void falling_move(double *z, double *v, double g, double h) {
    *z += *v * h - 0.5 * g * h * h;
    *v -= g * h;
}

extern const hk_unit_type hk_falling_faller_type;
extern const hk_world_types hk_falling_types;

#endif

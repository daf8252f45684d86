/* SPDX-License-Identifier: MIT
 *
 * The native components of the quarter truck, for programs that link them. */
#ifndef HK_MODELS_QUARTER_TRUCK_H
#define HK_MODELS_QUARTER_TRUCK_H

#include <hk/unit.h>

/* chassis, wheel, ground, NULL */
extern const hk_unit_type *const hk_quarter_truck_types[];

#endif

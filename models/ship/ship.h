/* SPDX-License-Identifier: MIT
 *
 * The units of the ship, for programs that link them. */
#ifndef HK_MODELS_SHIP_H
#define HK_MODELS_SHIP_H

#include <hk/unit.h>

/* sea, hull, azimuth, plant, guidance, pilot, observer, NULL */
extern const hk_unit_type *const hk_ship_types[];

#endif

/* SPDX-License-Identifier: MIT
 *
 * The units of the ship, for programs that link them. */
#include "ship.h"
#include "ship_core.h"

const hk_unit_type *const hk_ship_types[] = {
    &hk_ship_sea_type,      &hk_ship_hull_type,  &hk_ship_azimuth_type,  &hk_ship_plant_type,
    &hk_ship_guidance_type, &hk_ship_pilot_type, &hk_ship_observer_type, NULL};

/* SPDX-License-Identifier: MIT
 *
 * The REMUS-100 of models/auv as a plugin of its own. */
#include "auv.h"

static const hk_enum_item earth_items[] = {{"Flat", EARTH_FLAT}, {"Wgs84", EARTH_WGS84}};
const hk_enum_type hk_auv_earth_type = {"environment.EarthModel", earth_items, 2};

extern const hk_unit_type hk_auv_remus_vehicle;

static const hk_unit_type *const types[] = {&hk_auv_remus_vehicle, NULL};

const hk_unit_type *const *hk_plugin(void) {
    return types;
}

/* SPDX-License-Identifier: MIT
 *
 * All types, for programs that load them. */
#include "uav.h"

static const hk_unit_type *const types[] = {&uav_airframe_type, &uav_camera_type, &uav_pilot_type,
                                            &uav_target_type,   &uav_wind_type,   NULL};

const hk_unit_type *const *hk_plugin(void) {
    return types;
}

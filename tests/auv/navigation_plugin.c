/* SPDX-License-Identifier: MIT
 *
 * Navigation and analysis of the underwater vehicle, without the rest of it. */
#include "auv.h"

extern const hk_unit_type hk_auv_dvl_driver, hk_auv_navigation_function, hk_auv_position_error,
    hk_auv_nees_analysis, hk_auv_allan_deviation;

static const hk_unit_type *const types[] = {&hk_auv_dvl_driver,      &hk_auv_navigation_function,
                                            &hk_auv_position_error,  &hk_auv_nees_analysis,
                                            &hk_auv_allan_deviation, NULL};

const hk_unit_type *const *hk_plugin(void) {
    return types;
}

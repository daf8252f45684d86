/* SPDX-License-Identifier: MIT
 *
 * All types, for programs that link them and for those that load them. */
#include "detector.h"

const hk_unit_type *const hk_detector_types[] = {
    &hk_detector_mobility_type, &hk_detector_arena_type, &hk_detector_wall_sensor_type,
    &hk_detector_chem_type, NULL};

#ifdef DETECTOR_IS_PLUGIN
const hk_unit_type *const *hk_plugin(void) {
    return hk_detector_types;
}
#endif

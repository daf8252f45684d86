/* SPDX-License-Identifier: MIT
 *
 * All types, for programs that load them. */
#include "standin.h"

static const hk_unit_type *const types[] = {
    &hk_standin_current_model,       &hk_standin_s111_current_file, &hk_standin_current_adapter,
    &hk_standin_mnt_model,           &hk_standin_geo_tiff,          &hk_standin_mnt_adapter,
    &hk_standin_csv_mission,         &hk_standin_spline_mission,    &hk_standin_simple_mission,
    &hk_standin_mission_adapter,     &hk_standin_body_to_sensor,    &hk_standin_error3d,
    &hk_standin_dvl_reader,          &hk_standin_dvl_adapter,       &hk_standin_dvl_driver,
    &hk_standin_navigation_function, &hk_standin_position_error,    NULL};

const hk_unit_type *const *hk_plugin(void) {
    return types;
}

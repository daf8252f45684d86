/* SPDX-License-Identifier: MIT
 *
 * All types, for programs that link them and for those that load them. */
#include "rosace_core.h"

const hk_unit_type *const hk_rosace_types[] = {&hk_rosace_flight_dynamics,
                                               &hk_rosace_elevator,
                                               &hk_rosace_engine,
                                               &hk_rosace_filter,
                                               &hk_rosace_h_filter,
                                               &hk_rosace_vz_filter,
                                               &hk_rosace_va_filter,
                                               &hk_rosace_q_filter,
                                               &hk_rosace_az_filter,
                                               &hk_rosace_fcc_com,
                                               &hk_rosace_fcc_mon,
                                               &hk_rosace_cables,
                                               &hk_rosace_fcu,
                                               &hk_rosace_flight_mode,
                                               &hk_rosace_altitude_hold,
                                               &hk_rosace_va_control,
                                               &hk_rosace_vz_control,
                                               NULL};

#ifdef ROSACE_IS_PLUGIN
const hk_unit_type *const *hk_plugin(void) {
    return hk_rosace_types;
}
#endif

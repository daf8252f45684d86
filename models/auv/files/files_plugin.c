/* SPDX-License-Identifier: MIT
 *
 * The types that read files by libraries, for programs that load them. */
#include "auv.h"

extern const hk_unit_type hk_auv_geo_tiff, hk_auv_s111_current;

static const hk_unit_type *const types[] = {&hk_auv_geo_tiff, &hk_auv_s111_current, NULL};

const hk_unit_type *const *hk_plugin(void) {
    return types;
}

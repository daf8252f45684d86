/* SPDX-License-Identifier: MIT
 *
 * All types, for programs that load them. */
#include "auv.h"

#define AUV(name) extern const hk_unit_type hk_auv_##name;
#include "auv_types.def"
#undef AUV

#define AUV(name) &hk_auv_##name,
static const hk_unit_type *const types[] = {
#include "auv_types.def"
    NULL};
#undef AUV

const hk_unit_type *const *hk_plugin(void) {
    return types;
}

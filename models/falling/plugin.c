/* SPDX-License-Identifier: MIT */
#include "falling.h"

const hk_unit_type *const *hk_plugin(void) {
    static const hk_unit_type *const types[] = {&hk_falling_faller_type, NULL};
    return types;
}

const hk_world_types *hk_world_plugin(void) {
    return &hk_falling_types;
}

/* SPDX-License-Identifier: MIT
 *
 * The plugin of one type, ONE_TYPE: what an FMU is made from that holds its own model and no other.
 */
#include <hk/unit.h>

extern const hk_unit_type ONE_TYPE;

const hk_unit_type *const *hk_plugin(void) {
    static const hk_unit_type *const types[] = {&ONE_TYPE, NULL};
    return types;
}

/* SPDX-License-Identifier: MIT
 *
 * The three native components, for programs that link them and for those that load them. */
#include "qt_core.h"
#include "quarter_truck.h"

const hk_unit_type *const hk_quarter_truck_types[] = {&hk_qt_chassis_type, &hk_qt_wheel_type,
                                                      &hk_qt_ground_type, NULL};

#ifdef QT_IS_PLUGIN
const hk_unit_type *const *hk_plugin(void) {
    return hk_quarter_truck_types;
}
#endif

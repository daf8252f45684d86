/* SPDX-License-Identifier: MIT
 *
 * What chassis, wheel and ground share: the types made from the .def files. */
#ifndef QT_CORE_H
#define QT_CORE_H

#include "../common/integrate.h"

#include <hk/unit.h>

extern const hk_unit_type hk_qt_chassis_type, hk_qt_wheel_type, hk_qt_ground_type;

static const double qt_two_pi = 6.283185307179586476925;

#endif

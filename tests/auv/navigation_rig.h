/* SPDX-License-Identifier: MIT
 *
 * What tests of the navigation share: a function by its name, and what it says. */
#ifndef HK_TESTS_AUV_NAVIGATION_RIG_H
#define HK_TESTS_AUV_NAVIGATION_RIG_H

#include "navigation.h"
#include "voyage.h"

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
// clang-format on

static inline leaf function(const char *name) {
    leaf x = leaf_make(&hk_auv_navigation_function);
    leaf_choose(x, "myNavFunctionNumber", name);
    return x;
}

static inline hk_geo_vector3 estimate(leaf x) {
    const double *p = leaf_number(x, "myEstimatedNedPosition.x");
    return hk_geo_vector(p[0], p[1], p[2]);
}

static inline double apart(hk_geo_vector3 a, hk_geo_vector3 b) {
    return hk_geo_length(hk_geo_subtract(a, b));
}

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

#endif

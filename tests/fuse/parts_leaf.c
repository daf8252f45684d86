/* SPDX-License-Identifier: MIT
 *
 * The leaves of parts.h under the names by which fused cells call them. */
#include "parts.h"

#define LEAF(name)                                                                                 \
    int leaf_##name(void *self, double t, double h);                                               \
    int leaf_##name(void *self, double t, double h) {                                              \
        return name##_step(self, t, h);                                                            \
    }
LEAF(wide)
LEAF(floor)
LEAF(diver)
LEAF(office)
LEAF(visitor)

extern const depth_source leaf_floor_p;
const depth_source leaf_floor_p = {floor_depth};
extern const ticket_source leaf_office_p;
const ticket_source leaf_office_p = {office_next};

/* Not all are used here. */
const void *const leaf_unused[] = {&wide_type, &floor_type, &diver_type, &office_type,
                                   &visitor_type};

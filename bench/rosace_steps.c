/* SPDX-License-Identifier: MIT
 *
 * The components of R-ROSACE in one file, for those who fuse them. */
#include "../models/rosace/aircraft.c"
#include "../models/rosace/cables.c"
#include "../models/rosace/fcc.c"
#include "../models/rosace/filter.c"
#include "../models/rosace/pilot.c"

/* SPDX-License-Identifier: MIT
 *
 * The vehicles of models/auv in a sea that a test knows: a plugin of its own. */
#include "auv.h"

#include <string.h>

static const hk_enum_item earth_items[] = {{"Flat", EARTH_FLAT}, {"Wgs84", EARTH_WGS84}};
const hk_enum_type hk_auv_earth_type = {"environment.EarthModel", earth_items, 2};

/* A current that grows from place to place and from second to second, over a slope. */
typedef struct test_sea {
    double north, east;            /* m/s, at the origin at the start */
    double per_second, per_degree; /* m/s more of NORTH: in time; to the north */
    double known_until;            /* s */
    double depth, slope;           /* m at the origin; m more per m to the north */
    double known_to;               /* m to the north: the bed */
    double longitude;              /* that it was asked for last, deg */
    double requests;
    double time, latitude;
} test_sea;

static const hk_port test_sea_ports[] = {
    PARAMETER(test_sea, north, "north", "m/s", "0"),
    PARAMETER(test_sea, east, "east", "m/s", "0"),
    PARAMETER(test_sea, per_second, "perSecond", NULL, "0"),
    PARAMETER(test_sea, per_degree, "perDegree", NULL, "0"),
    PARAMETER(test_sea, known_until, "knownUntil", "s", "1e9"),
    PARAMETER(test_sea, depth, "depth", "m", "100"),
    PARAMETER(test_sea, slope, "slope", NULL, "0"),
    PARAMETER(test_sea, known_to, "knownTo", "m", "1e9"),
    NUMBER_OUT(test_sea, requests, "requests", NULL),
    NUMBER_OUT(test_sea, longitude, "longitude", "deg"),
};

static bool sea_set_time(void *self, int64_t time, coordinate2d position) {
    test_sea *x = self;
    x->time = 1e-3 * (double)time;
    x->latitude = position.x;
    x->longitude = position.y;
    return x->time <= x->known_until;
}

static coordinate2d sea_get_current(void *self) {
    test_sea *x = self;
    x->requests++;
    return (coordinate2d){x->east,
                          x->north + x->per_second * x->time + x->per_degree * x->latitude};
}

static double sea_get_depth(void *self, coordinate2d position) {
    test_sea *x = self;
    return position.x <= x->known_to ? x->depth + x->slope * position.x : (double)NAN;
}

static int test_sea_step(void *self, double t, double h) {
    (void)self, (void)t, (void)h; /* it only answers */
    return HK_STEP_OK;
}

static const current_source sea_current = {sea_set_time, sea_get_current};
static const mnt_source sea_bed = {sea_get_depth};
static const hk_service test_sea_services[] = {
    {"pCurrent", &hk_auv_current_source, &sea_current, 0},
    {"pMnt", &hk_auv_mnt_source, &sea_bed, 0},
};

static const hk_unit_type test_sea_type = {AUV_TYPE(test_sea, "test.Sea", test_sea_ports),
                                           .step = test_sea_step, .services = test_sea_services,
                                           .service_count = COUNT(test_sea_services)};

extern const hk_unit_type hk_auv_csv_mission, hk_auv_simple_mission, hk_auv_spline_mission,
    hk_auv_drone_reader, hk_auv_mission_adapter;

static const hk_unit_type *const types[] = {&test_sea_type,
                                            &hk_auv_csv_mission,
                                            &hk_auv_simple_mission,
                                            &hk_auv_spline_mission,
                                            &hk_auv_drone_reader,
                                            &hk_auv_mission_adapter,
                                            NULL};

const hk_unit_type *const *hk_plugin(void) {
    return types;
}

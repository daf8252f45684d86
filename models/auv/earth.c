/* SPDX-License-Identifier: MIT
 *
 * The Earth: parameters that others share. It computes nothing. */
#include "environment.h"

static const hk_enum_item earth_items[] = {{"Flat", EARTH_FLAT}, {"Wgs84", EARTH_WGS84}};
const hk_enum_type hk_auv_earth_type = {"environment.EarthModel", earth_items, COUNT(earth_items)};

static const hk_enum_item interpolation_items[] = {{"Hold", INTERPOLATION_HOLD},
                                                   {"Linear", INTERPOLATION_LINEAR}};
const hk_enum_type hk_auv_interpolation_type = {"environment.Interpolation", interpolation_items,
                                                COUNT(interpolation_items)};

static const hk_enum_item end_items[] = {
    {"Hold", END_HOLD}, {"Stop", END_STOP}, {"Repeat", END_REPEAT}};
const hk_enum_type hk_auv_end_type = {"environment.EndPolicy", end_items, COUNT(end_items)};

typedef struct earth {
    int64_t model;
    double latitude, longitude, gravity;
    words why;
} earth;

static const hk_port earth_ports[] = {
    ITEM_PARAMETER(earth, model, "earth", "0"),
    PARAMETER(earth, latitude, "originLatitude", "deg", "0"),
    PARAMETER(earth, longitude, "originLongitude", "deg", "0"),
    PARAMETER(earth, gravity, "gravity", "m/s2", "9.80665"),
};
static const hk_domain earth_domains[] = {
    {.port = "earth", .enumeration = &hk_auv_earth_type},
    {.port = "originLatitude", .min = "-89", .max = "89"},
    {.port = "originLongitude", .min = "-180", .max = "360"},
    {.port = "gravity", .min = "0", .max = "20"},
};

/* North and east have no meaning at a pole. */
static int earth_step(void *self, double t, double h) {
    earth *x = self;
    (void)t, (void)h;
    if (!(fabs(x->latitude) <= 89) || !(x->longitude >= -180 && x->longitude <= 360))
        return hk_auv_fail(&x->why,
                           "the origin is at latitude %g, longitude %g degrees: -89 to 89 and "
                           "-180 to 360 are possible",
                           x->latitude, x->longitude);
    return HK_STEP_OK;
}

COMPLAINT(earth)

const hk_unit_type hk_auv_earth = {AUV_TYPE(earth, "environment.Earth", earth_ports),
                                   .description = "Where the origin is, and how heavy things are",
                                   .stamp = HK_STAMP_END,
                                   .step = earth_step,
                                   DOMAINS(earth_domains),
                                   .complaint = earth_complaint};

/* SPDX-License-Identifier: MIT
 *
 * A sea bed by a formula, for a position (north, east) in m:
 *     Flat   depth
 *     Slope  depth + slopeNorth north + slopeEast east
 *     Sine   depth + amplitude sin(2 pi north / wavelengthNorth) sin(2 pi east / wavelengthEast)
 *     Hill   depth - hillHeight exp(-d^2 / (2 hillRadius^2)), d from (hillNorth, hillEast)
 *
 * It counts from the surface. On the ellipsoid that bends away from the plane of north and east,
 * and what is answered is how far down of the plane the bed is. */
#include "environment.h"
#include "place.h"

enum { SHAPE_FLAT, SHAPE_SLOPE, SHAPE_SINE, SHAPE_HILL };

static const hk_enum_item shape_items[] = {
    {"Flat", SHAPE_FLAT}, {"Slope", SHAPE_SLOPE}, {"Sine", SHAPE_SINE}, {"Hill", SHAPE_HILL}};
static const hk_enum_type shape_type = {"environment.Shape", shape_items, COUNT(shape_items)};

typedef struct mnt_model {
    int64_t requests;
    int64_t shape;
    double depth, slope_north, slope_east;
    double amplitude, wavelength_north, wavelength_east;
    double hill_north, hill_east, hill_height, hill_radius;
    place place;
    words why;
} mnt_model;

static const hk_port mnt_model_ports[] = {
    HK_PORT(mnt_model, requests, HK_OUTPUT, HK_TYPE_I64),
    ITEM_PARAMETER(mnt_model, shape, "shape", "0"),
    PARAMETER(mnt_model, depth, "depth", "m", "100"),
    PARAMETER(mnt_model, slope_north, "slopeNorth", NULL, "0"),
    PARAMETER(mnt_model, slope_east, "slopeEast", NULL, "0"),
    PARAMETER(mnt_model, amplitude, "amplitude", "m", "0"),
    PARAMETER(mnt_model, wavelength_north, "wavelengthNorth", "m", "1000"),
    PARAMETER(mnt_model, wavelength_east, "wavelengthEast", "m", "1000"),
    PARAMETER(mnt_model, hill_north, "hillNorth", "m", "0"),
    PARAMETER(mnt_model, hill_east, "hillEast", "m", "0"),
    PARAMETER(mnt_model, hill_height, "hillHeight", "m", "0"),
    PARAMETER(mnt_model, hill_radius, "hillRadius", "m", "100"),
    PLACE_PARAMETERS(mnt_model, place),
};
static const hk_domain mnt_model_domains[] = {
    {.port = "shape", .enumeration = &shape_type},
    {.port = "wavelengthNorth", .min = "1", .max = "1e6"},
    {.port = "wavelengthEast", .min = "1", .max = "1e6"},
    {.port = "hillRadius", .min = "1", .max = "1e6"},
    PLACE_DOMAIN,
};

static double by_formula(const mnt_model *x, double north, double east) {
    switch (x->shape) {
    case SHAPE_SLOPE:
        return x->depth + x->slope_north * north + x->slope_east * east;
    case SHAPE_SINE:
        return x->depth + x->amplitude * hk_sin(2 * PI * north / x->wavelength_north) *
                              hk_sin(2 * PI * east / x->wavelength_east);
    case SHAPE_HILL:
        north -= x->hill_north;
        east -= x->hill_east;
        return x->depth - x->hill_height * hk_exp(-(north * north + east * east) /
                                                  (2 * x->hill_radius * x->hill_radius));
    default:
        return x->depth;
    }
}

/* Where it is as deep as DEPTH below (north, east): the surface is as steep there as the way from
 * the origin is long in radii of the Earth, so each round is nearer by that squared. */
static double down_of(mnt_model *x, coordinate2d at, double depth) {
    double down = depth;
    for (int i = 0; i < 3; i++)
        down += depth - hk_auv_depth(&x->place, (coordinate3d){at.x, at.y, down});
    return down;
}

static double mnt_model_depth(void *self, coordinate2d position) {
    mnt_model *x = self;
    x->requests++;
    double depth = by_formula(x, position.x, position.y);
    return x->place.earth == EARTH_WGS84 ? down_of(x, position, depth) : depth;
}

static int mnt_model_step(void *self, double t, double h) {
    mnt_model *x = self;
    (void)t, (void)h;
    if (x->shape < SHAPE_FLAT || x->shape > SHAPE_HILL)
        return hk_auv_fail(&x->why, "a sea bed of shape %lld is not known: 0 to 3 are",
                           (long long)x->shape);
    if (x->shape == SHAPE_SINE && !(x->wavelength_north > 0 && x->wavelength_east > 0))
        return hk_auv_fail(&x->why, "the waves of the sea bed are %g and %g m long: more than 0",
                           x->wavelength_north, x->wavelength_east);
    if (x->shape == SHAPE_HILL && !(x->hill_radius > 0))
        return hk_auv_fail(&x->why, "the radius of the hill is %g m: it must be more than 0",
                           x->hill_radius);
    return HK_STEP_OK;
}

COMPLAINT(mnt_model)

static const mnt_source mnt_model_source = {mnt_model_depth};
static const hk_service mnt_model_services[] = {
    {"pMntModel", &hk_auv_mnt_source, &mnt_model_source, 0}};

const hk_unit_type hk_auv_mnt_model = {
    AUV_WHOLE_TYPE(mnt_model, "environment.MntModel", "A sea bed by a formula")};

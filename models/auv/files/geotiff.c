/* SPDX-License-Identifier: MIT
 *
 * A sea bed from a GeoTIFF, read when it is asked for the first time, or in the first step. */
#include "geotiff.h"
#include "environment.h"
#include "place.h"

enum { VERTICAL_ELEVATION, VERTICAL_DEPTH };
static const hk_enum_item vertical_items[] = {{"Elevation", VERTICAL_ELEVATION},
                                              {"Depth", VERTICAL_DEPTH}};
static const hk_enum_type vertical_type = {"environment.Vertical", vertical_items,
                                           COUNT(vertical_items)};

typedef struct geo_tiff {
    asked_file asked;
    int64_t vertical;
    int32_t band;
    place origin;
} geo_tiff;

static const hk_port geo_tiff_ports[] = {
    FILE_PORTS(geo_tiff, "bathy.tif"),
    ITEM_PARAMETER(geo_tiff, vertical, "vertical", "0"),
    /* read with the file, so it cannot change in a run */
    NAMED(geo_tiff, band, "band", HK_PARAMETER, HK_TYPE_I32, .start = "1"),
    PLACE_PARAMETERS(geo_tiff, origin),
};
static const hk_domain geo_tiff_domains[] = {
    {.port = "vertical", .enumeration = &vertical_type},
    {.port = "band", .min = "1", .max = "65535"},
    {.port = "earth", .enumeration = &hk_auv_earth_type},
    {.port = "originLatitude", .min = "-89", .max = "89"},
    {.port = "originLongitude", .min = "-180", .max = "360"},
};

static const tiff_grid *grid_of(geo_tiff *x) {
    const opened_file *file = hk_auv_opened(&x->asked, hk_auv_read_geotiff, &x->band);
    return file ? file->data : NULL;
}

/* Below the ellipsoid. */
static double depth_at(const geo_tiff *x, const tiff_grid *grid, hk_geo_point point) {
    double at_x = hk_geo_degrees(point.longitude), at_y = hk_geo_degrees(point.latitude);
    if (grid->zone) {
        hk_geo_utm utm = hk_geo_utm_of_point(point, grid->zone, grid->south);
        at_x = utm.easting;
        at_y = utm.northing;
    }
    double value = hk_auv_geotiff_value(grid, at_x, at_y);
    return x->vertical == VERTICAL_DEPTH ? value : -value;
}

/* How far down the bed is where it is below (north, east): a plane that touches the ellipsoid at
 * the origin leaves it, by 31 m after 20 km. */
static double tangent_depth(geo_tiff *x, const tiff_grid *grid, coordinate2d at) {
    double down = 0;
    for (int i = 0; i < 2; i++) { /* what is below a place is not where the plane is above it */
        hk_geo_point point = hk_auv_point_of_ned(&x->origin, (coordinate3d){at.x, at.y, down});
        point.height = -depth_at(x, grid, point);
        if (isnan(point.height))
            return (double)NAN;
        down = hk_auv_ned_of_point(&x->origin, point).z;
    }
    return down;
}

static double geo_tiff_depth(void *self, coordinate2d position) {
    geo_tiff *x = self;
    const tiff_grid *grid = grid_of(x);
    x->asked.requests++;
    if (!grid)
        return (double)NAN; /* the next step says why */
    if (x->origin.earth == EARTH_WGS84)
        return tangent_depth(x, grid, position);
    coordinate3d ned = {position.x, position.y, 0};
    return depth_at(x, grid, hk_auv_point_of_ned(&x->origin, ned));
}

static int geo_tiff_step(void *self, double t, double h) {
    (void)t, (void)h;
    return grid_of(self) ? HK_STEP_OK : HK_STEP_FAILED;
}

FILE_COMPLAINT(geo_tiff)

static const mnt_source geo_tiff_source = {geo_tiff_depth};
static const hk_service geo_tiff_services[] = {
    {"pGeoTiff", &hk_auv_mnt_source, &geo_tiff_source, 0}};
static const hk_resource_field geo_tiff_resource = {offsetof(geo_tiff, asked.file), hk_auv_close};

const hk_unit_type hk_auv_geo_tiff = {
    AUV_WHOLE_TYPE(geo_tiff, "environment.GeoTiff", "A sea bed from a GeoTIFF"),
    .resource = &geo_tiff_resource};

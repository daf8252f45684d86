/* SPDX-License-Identifier: MIT
 *
 * Where a GeoTIFF lies: its keys, which are not those of a library, and its numbers between the
 * middles of pixels. */
#include "geotiff.h"
#include "grid_cell.h"

#include <string.h>

enum { KEY_MODEL = 1024, KEY_RASTER = 1025, KEY_GEOGRAPHIC = 2048, KEY_ANGLE_UNIT = 2054 };
enum { KEY_PROJECTED = 3072, KEY_LENGTH_UNIT = 3076, KEY_HEIGHT_UNIT = 4099 };
enum { MODEL_PROJECTED = 1, MODEL_GEOGRAPHIC = 2, RASTER_POINT = 2 };
enum { UNIT_METRE = 9001, UNIT_DEGREE = 9102, EPSG_WGS84 = 4326, EPSG_NAD83 = 4269 };
enum { EPSG_ETRS89 = 4258 };

/* 0: the key is not there, or not a number that is kept with it. */
static int key(const tiff_tags *tags, int wanted) {
    for (uint32_t i = 4; i + 3 < tags->key_count; i += 4)
        if (tags->keys[i] == wanted)
            return tags->keys[i + 1] == 0 ? tags->keys[i + 3] : 0;
    return 0;
}

static bool refuse(words *why, const char *path, const char *what, int number, const char *hint) {
    hk_auv_fail(why, "'%s': %s %d is not supported: %s", path, what, number, hint);
    return false;
}

static bool place_utm(const char *path, int epsg, tiff_grid *grid, words *why) {
    int family = epsg / 100, zone = epsg % 100;
    grid->south = family == 327;
    grid->zone = zone;
    if (((family == 326 || family == 327) && zone >= 1 && zone <= 60) ||
        (family == 269 && zone >= 1 && zone <= 23) || (family == 258 && zone >= 28 && zone <= 38))
        return true;
    return refuse(why, path, "the projected system EPSG", epsg,
                  "UTM on WGS 84, NAD83 or ETRS89 is, and latitude and longitude; gdalwarp -t_srs "
                  "EPSG:4326 converts it");
}

/* Which system x and y belong to. */
static bool place_system(const char *path, const tiff_tags *tags, tiff_grid *grid, words *why) {
    int model = key(tags, KEY_MODEL), epsg = key(tags, KEY_GEOGRAPHIC);
    int angle = key(tags, KEY_ANGLE_UNIT), length = key(tags, KEY_LENGTH_UNIT);
    int height = key(tags, KEY_HEIGHT_UNIT);
    if (height && height != UNIT_METRE)
        return refuse(why, path, "the unit of heights EPSG", height, "metres (9001) are");
    if (model == MODEL_PROJECTED) {
        if (length && length != UNIT_METRE)
            return refuse(why, path, "the unit of lengths EPSG", length, "metres (9001) are");
        return place_utm(path, key(tags, KEY_PROJECTED), grid, why);
    }
    if (model != MODEL_GEOGRAPHIC)
        return refuse(why, path, "the kind of coordinates (key 1024)", model,
                      "projected (1) and geographic (2) are; is it a GeoTIFF?");
    if (angle && angle != UNIT_DEGREE)
        return refuse(why, path, "the unit of angles EPSG", angle, "degrees (9102) are");
    if (epsg != EPSG_WGS84 && epsg != EPSG_NAD83 && epsg != EPSG_ETRS89)
        return refuse(why, path, "the geographic system EPSG", epsg,
                      "4326, 4269 and 4258 are; gdalwarp -t_srs EPSG:4326 converts it");
    grid->zone = 0;
    return true;
}

/* x = m[0] i + m[1] j + m[2], y = m[3] i + m[4] j + m[5] of the raster. */
static bool raster_matrix(const char *path, const tiff_tags *tags, double m[6], words *why) {
    if (tags->scale_count >= 2 && tags->tie_count >= 6) {
        const double *scale = tags->scale, *tie = tags->ties;
        const double made[6] = {scale[0], 0,         tie[3] - tie[0] * scale[0],
                                0,        -scale[1], tie[4] + tie[1] * scale[1]};
        memcpy(m, made, sizeof made);
    } else if (tags->matrix_count >= 16) {
        const double *x = tags->matrix;
        const double made[6] = {x[0], x[1], x[3], x[4], x[5], x[7]};
        memcpy(m, made, sizeof made);
    } else {
        hk_auv_fail(why, "'%s' does not say where it lies: %s", path,
                    tags->tie_count > 6
                        ? "several tie points without a scale are not supported; gdalwarp makes a "
                          "regular grid of it"
                        : "neither scale and tie point (tags 33550, 33922) nor matrix (34264) is "
                          "there; is it a GeoTIFF?");
        return false;
    }
    return true;
}

bool hk_auv_place_geotiff(const char *path, const tiff_tags *tags, tiff_grid *grid, words *why) {
    double m[6];
    if (!place_system(path, tags, grid, why) || !raster_matrix(path, tags, m, why))
        return false;
    double det = m[0] * m[4] - m[1] * m[3], half;
    for (int i = 0; i < 6; i++)
        if (!isfinite(m[i]))
            det = 0;
    if (!(fabs(det) > 1e-300) || !isfinite(det))
        return hk_auv_fail(why,
                           "'%s': its scale or matrix is not one of a grid (0, infinite or "
                           "not a number)",
                           path),
               false;
    grid->area = key(tags, KEY_RASTER) != RASTER_POINT;
    half = grid->area ? 0.5 : 0; /* the middle of the first pixel, in the raster */
    double *to = grid->to_pixel;
    to[0] = m[4] / det;
    to[1] = -m[1] / det;
    to[2] = (m[1] * m[5] - m[4] * m[2]) / det - half;
    to[3] = -m[3] / det;
    to[4] = m[0] / det;
    to[5] = (m[3] * m[2] - m[0] * m[5]) / det - half;
    grid->middle = m[0] * ((double)grid->width / 2) + m[1] * ((double)grid->height / 2) + m[2];
    return true;
}

/* ---- numbers between pixels ---- */

/* Bilinear; what is not known has no part in it, and the rest counts for all. */
double hk_auv_geotiff_value(const tiff_grid *grid, double x, double y) {
    const double *m = grid->to_pixel;
    if (!grid->zone)
        x = grid->middle + remainder(x - grid->middle, 360);
    double column = m[0] * x + m[1] * y + m[2], row = m[3] * x + m[4] * y + m[5];
    uint64_t c, r;
    double part_c, part_r, sum = 0, weight = 0;
    double beyond = grid->area ? 0.5 : 0;
    if (!hk_auv_grid_cell(column, grid->width, beyond, &c, &part_c) ||
        !hk_auv_grid_cell(row, grid->height, beyond, &r, &part_r))
        return (double)NAN;
    for (unsigned i = 0; i < 4; i++) {
        double w = (i & 1 ? part_c : 1 - part_c) * (i & 2 ? part_r : 1 - part_r);
        if (w == 0)
            continue;
        double value = grid->values[(r + (i >> 1)) * grid->width + c + (i & 1)];
        if (isnan(value))
            continue;
        sum += w * value;
        weight += w;
    }
    return weight > GRID_ROUNDING ? sum / weight : (double)NAN;
}

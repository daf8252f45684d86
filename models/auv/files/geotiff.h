/* SPDX-License-Identifier: MIT
 *
 * A GeoTIFF in memory: one band of its first image as a grid of numbers, and where it lies. */
#ifndef HK_MODELS_AUV_GEOTIFF_H
#define HK_MODELS_AUV_GEOTIFF_H

#include "apart.h"

typedef struct tiff_grid {
    uint64_t width, height;
    /* Column and row, whole numbers at the middle of a pixel, from x and y:
     * column = m[0] x + m[1] y + m[2], row = m[3] x + m[4] y + m[5]. */
    double to_pixel[6];
    double middle; /* x in the middle of the grid */
    int32_t zone;  /* of UTM: x and y are easting and northing; 0: longitude, latitude, degrees */
    bool south;    /* of UTM */
    bool area; /* a pixel is an area: the grid ends half a pixel beyond the middle of the last */
    float values[]; /* row by row; not a number: nothing is known */
} tiff_grid;

/* OPTIONS is an int32_t: the band, from 1. The block is a tiff_grid. */
read_fn hk_auv_read_geotiff;

/* Where the grid lies, by the keys that the tags 33550, 33922, 34264, 34735 hold. */
typedef struct tiff_tags {
    const double *scale, *ties, *matrix;
    const uint16_t *keys;
    uint32_t scale_count, tie_count, matrix_count, key_count;
} tiff_tags;

bool hk_auv_place_geotiff(const char *path, const tiff_tags *tags, tiff_grid *grid, words *why);

/* What is at the place x, y; not a number: it is outside, or nothing is known there. */
double hk_auv_geotiff_value(const tiff_grid *grid, double x, double y);

#endif

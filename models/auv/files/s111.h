/* SPDX-License-Identifier: MIT
 *
 * A file of surface currents (IHO S-111) in memory: grids or nodes, with times. */
#ifndef HK_MODELS_AUV_S111_H
#define HK_MODELS_AUV_S111_H

#include "apart.h"

/* Where numbers are in a block: bytes from its begin. */
typedef struct s111_instance {
    uint64_t rows, columns; /* of the grid; rows 0: nodes that are not one, as many as columns */
    double y0, x0;          /* of the first one: the lowest row is the southernmost */
    double dy, dx;
    uint64_t times;       /* how many, growing */
    uint64_t times_at;    /* double: seconds since 1970 */
    uint64_t currents_at; /* float, pairs east and north in m/s, time by time, row by row */
    uint64_t nodes_at;    /* double, pairs y and x, by growing y */
} s111_instance;

/* Places are latitude and longitude in degrees, or northing and easting of UTM. */
typedef struct s111 {
    uint64_t size;
    int32_t zone; /* of UTM; 0: degrees */
    bool south;
    bool has_depth; /* it says for which one its currents are */
    double depth;   /* m */
    double first;   /* of all records, seconds since 1970 */
    double last;
    uint64_t count;
    s111_instance instances[];
} s111;

/* The block is an s111. There are no options. */
read_fn hk_auv_read_s111;

/* "20260101T000000Z", "2026-01-01T00:00:00": seconds since 1970, UTC. */
bool hk_auv_utc(const char *text, double *ret_seconds);

/* East and north at a place and a time, seconds since 1970. REACH is how far, in units of the
 * places, a node may be that is not part of a grid. False: nothing is known there. */
bool hk_auv_s111_at(const s111 *file, double y, double x, double time, double reach,
                    coordinate2d *ret_current);

#endif

/* SPDX-License-Identifier: MIT
 *
 * Reads surface currents of IHO S-111 by libhdf5, in a process of its own (apart.h): regular grids
 * (data coding format 2) and lists of nodes (3). Speeds are in knots, directions are where the
 * water goes. What editions do differently, and what files do other than their edition says, is
 * borne where it is clear what is meant. */
#include "s111_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef HK_HDF5

bool hk_auv_read_s111(const char *path, const void *options, block *ret_block, words *why) {
    (void)options, (void)ret_block;
    hk_auv_fail(why,
                "'%s' cannot be read: this plugin was built without HDF5; install libhdf5-dev "
                "and build it again",
                path);
    return false;
}

#else

#define h5 hk_auv_h5

bool hk_auv_s111_fail(s111_reader *r, const char *what, const char *more) {
    hk_auv_fail(r->why, "'%s': %s%s%s", r->path, *r->where ? r->where : "", *r->where ? " " : "",
                what);
    size_t used = strlen(r->why->text);
    snprintf(r->why->text + used, sizeof r->why->text - used, "%s%s", *more ? ": " : "", more);
    return false;
}

bool hk_auv_s111_room(s111_reader *r, size_t size, uint64_t *ret_offset) {
    size_t used = (r->used + 7) / 8 * 8;
    if (size > S111_MOST_BYTES || used + size > S111_MOST_BYTES)
        return hk_auv_s111_fail(r, "it is too large", "what is in it needs more than 1 GB");
    if (used + size > r->room) {
        size_t room = 2 * (used + size) < S111_MOST_BYTES ? 2 * (used + size) : used + size;
        char *more = realloc(r->block, room);
        if (!more)
            return hk_auv_s111_fail(r, "there is no memory left", "");
        r->block = more;
        r->room = room;
    }
    memset(r->block + r->used, 0, used + size - r->used);
    *ret_offset = used;
    r->used = used + size;
    return true;
}

/* ---- what holds for all of the file ---- */

static bool read_system(s111_reader *r, s111 *head) {
    double epsg = 0;
    if (!hk_auv_h5_number(r->file, "horizontalCRS", &epsg) &&
        !hk_auv_h5_number(r->file, "horizontalDatumValue", &epsg))
        return hk_auv_s111_fail(r, "it does not say its system of coordinates",
                                "horizontalCRS is missing");
    int code = epsg > 0 && epsg < 1e6 ? (int)epsg : 0, family = code / 100, zone = code % 100;
    bool utm = (family == 326 || family == 327) && zone >= 1 && zone <= 60;
    if (code != 4326 && !utm) {
        char text[80];
        snprintf(text, sizeof text, "EPSG %g; 4326 and UTM on WGS 84 (326zz, 327zz) are", epsg);
        return hk_auv_s111_fail(r, "its system of coordinates is not supported", text);
    }
    head->zone = utm ? zone : 0;
    head->south = family == 327;
    double height;
    head->has_depth = hk_auv_h5_number(r->file, "surfaceCurrentDepth", &height);
    head->depth = head->has_depth ? fabs(height) : 0;
    return true;
}

static bool read_format(s111_reader *r) {
    static const char *const names[] = {"",
                                        "fixed stations",
                                        "regular grid",
                                        "nodes",
                                        "moving platform",
                                        "irregular grid",
                                        "variable cells",
                                        "triangles",
                                        "fixed stations, each with its times"};
    char text[80], product[64] = "";
    double format = 0;
    if (hk_auv_h5_text(r->file, "productSpecification", product, sizeof product) &&
        !strstr(product, "S-111"))
        return hk_auv_s111_fail(r, "it is not a file of surface currents (S-111)", product);
    if (!hk_auv_h5_has(r->file, "SurfaceCurrent"))
        return hk_auv_s111_fail(r, "it has no group SurfaceCurrent", "is it a file of S-111?");
    r->features = h5.H5Gopen2(r->file, "SurfaceCurrent", H5P_DEFAULT);
    if (r->features < 0 || !hk_auv_h5_number(r->features, "dataCodingFormat", &format))
        return hk_auv_s111_fail(r, "SurfaceCurrent has no dataCodingFormat", "");
    r->format = format >= 0 && format < 100 ? (int)format : 0;
    if (r->format == S111_GRID || r->format == S111_NODES)
        return true;
    snprintf(text, sizeof text, "%g%s%s%s; 2 (regular grid) and 3 (nodes) are", format,
             r->format > 0 && r->format < (int)COUNT(names) ? " (" : "",
             r->format > 0 && r->format < (int)COUNT(names) ? names[r->format] : "",
             r->format > 0 && r->format < (int)COUNT(names) ? ")" : "");
    return hk_auv_s111_fail(r, "its data coding format is not supported", text);
}

/* Codes may be cut off. */
static int component_of(const char *code) {
    enum { LEAST = 15 };
    size_t length = strlen(code);
    for (int i = 0; length >= LEAST && i < 2; i++)
        if (strncmp(code, hk_auv_s111_members[i], length) == 0)
            return i;
    return -1;
}

static void take_fill(void *user, const char *code, const char *fill) {
    s111_reader *r = user;
    char *end;
    float number = strtof(fill, &end);
    int which = component_of(code);
    if (which >= 0 && end != fill)
        r->fill[which] = number;
}

static void take_unit(void *user, const char *code, const char *unit) {
    s111_reader *r = user;
    static const char *const knots[] = {"", "knot", "knots", "kn", "kt"};
    if (component_of(code) != 0)
        return;
    for (size_t i = 0; i < COUNT(knots); i++)
        if (strcmp(unit, knots[i]) == 0)
            return;
    snprintf(r->unit, sizeof r->unit, "%s", unit);
}

static bool read_components(s111_reader *r) {
    static const char *const fills[] = {"code", "fillValue"}, *const units[] = {"code", "uom.name"};
    r->fill[0] = r->fill[1] = -9999;
    if (!hk_auv_h5_has(r->file, "Group_F/SurfaceCurrent"))
        return true;
    hid_t set = h5.H5Dopen2(r->file, "Group_F/SurfaceCurrent", H5P_DEFAULT);
    if (set < 0 || !hk_auv_h5_texts(set, fills, take_fill, r))
        return hk_auv_s111_fail(r, "Group_F/SurfaceCurrent is damaged", hk_auv_h5_reason());
    (void)hk_auv_h5_texts(set, units, take_unit, r);
    if (*r->unit)
        return hk_auv_s111_fail(r, "its speeds are not in knots", r->unit);
    return true;
}

/* ---- instances ---- */

static uint64_t count_instances(s111_reader *r) {
    char name[32];
    uint64_t count = 0;
    do
        snprintf(name, sizeof name, "SurfaceCurrent.%02u", (unsigned)count + 1);
    while (hk_auv_h5_has(r->features, name) && ++count < 99);
    return count;
}

static bool read_instances(s111_reader *r, uint64_t count) {
    s111 *head = (s111 *)(void *)r->block;
    double first = INFINITY, last = -INFINITY;
    head->count = count;
    for (uint64_t i = 0; i < count; i++) {
        s111_instance made = {0};
        if (!hk_auv_s111_instance(r, (unsigned)i + 1, &made))
            return false;
        head = (s111 *)(void *)r->block; /* it may have moved */
        head->instances[i] = made;
        const double *times = (const double *)(const void *)(r->block + made.times_at);
        first = times[0] < first ? times[0] : first;
        last = times[made.times - 1] > last ? times[made.times - 1] : last;
    }
    head->first = first;
    head->last = last;
    head->size = r->used;
    return true;
}

static bool read_all(s111_reader *r) {
    s111 head = {0};
    if (!read_format(r) || !read_system(r, &head) || !read_components(r))
        return false;
    uint64_t count = count_instances(r), offset;
    if (!count)
        return hk_auv_s111_fail(r, "it has no SurfaceCurrent.01", "there is nothing in it");
    r->zone = head.zone;
    if (!hk_auv_s111_room(r, sizeof head + count * sizeof(s111_instance), &offset))
        return false;
    memcpy(r->block, &head, sizeof head);
    return read_instances(r, count);
}

bool hk_auv_read_s111(const char *path, const void *options, block *ret_block, words *why) {
    (void)options;
    if (!hk_auv_h5_load(path, why))
        return false;
    s111_reader r = {.path = path, .why = why, .where = ""};
    r.file = h5.H5Fopen(path, 0 /* to be read; the macro would link the library */, H5P_DEFAULT);
    if (r.file < 0)
        return hk_auv_s111_fail(&r, "is not an HDF5 file, or it is damaged", hk_auv_h5_reason());
    if (read_all(&r)) {
        *ret_block = (block){r.block, r.used};
        return true;
    }
    free(r.block);
    return false;
}

#endif

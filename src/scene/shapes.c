/* SPDX-License-Identifier: MIT
 *
 * Boxes, balls, cylinders and planes as faces. */
#include "scene/mesh.h"

enum { ROUND = 24, RINGS = 12 };

hk_mesh *hk_mesh_box(hk_arena *arena, hk_geo_vector3 size) {
    static const uint32_t faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    hk_mesh_builder b = {0};
    for (int i = 0; i < 8; i++)
        hk_mesh_point(&b,
                      hk_geo_vector((i & 1 ? 0.5 : -0.5) * size.x, (i & 2 ? 0.5 : -0.5) * size.y,
                                    (i & 4 ? 0.5 : -0.5) * size.z));
    for (int i = 0; i < 6; i++)
        hk_mesh_face(&b, faces[i], 4);
    return hk_mesh_keep(&b, arena);
}

/* A ring of points about z; returns the first. */
static uint32_t add_ring(hk_mesh_builder *b, double radius, double z) {
    uint32_t first = (uint32_t)b->mesh.point_count;
    for (int i = 0; i < ROUND; i++) {
        double angle = 2 * HK_GEO_PI * i / ROUND;
        hk_mesh_point(b, hk_geo_vector(radius * hk_cos(angle), radius * hk_sin(angle), z));
    }
    return first;
}

/* The faces between a lower ring and an upper one. */
static void join_rings(hk_mesh_builder *b, uint32_t lower, uint32_t upper) {
    for (uint32_t i = 0; i < ROUND; i++) {
        uint32_t next = (i + 1) % ROUND;
        hk_mesh_face(b, (uint32_t[]){lower + i, lower + next, upper + next, upper + i}, 4);
    }
}

/* The faces between a ring and a point at its end; UP: the point is above it. */
static void join_tip(hk_mesh_builder *b, uint32_t ring, uint32_t tip, bool up) {
    for (uint32_t i = 0; i < ROUND; i++) {
        uint32_t next = (i + 1) % ROUND;
        hk_mesh_face(b, (uint32_t[]){ring + (up ? i : next), ring + (up ? next : i), tip}, 3);
    }
}

hk_mesh *hk_mesh_sphere(hk_arena *arena, double radius) {
    hk_mesh_builder b = {0};
    uint32_t below = 0;
    for (int k = 1; k < RINGS; k++) {
        double angle = HK_GEO_PI * k / RINGS;
        uint32_t ring = add_ring(&b, radius * hk_sin(angle), -radius * hk_cos(angle));
        if (k > 1)
            join_rings(&b, below, ring);
        below = ring;
    }
    join_tip(&b, 0, hk_mesh_point(&b, hk_geo_vector(0, 0, -radius)), false);
    join_tip(&b, below, hk_mesh_point(&b, hk_geo_vector(0, 0, radius)), true);
    return hk_mesh_keep(&b, arena);
}

/* An end of a cylinder: a disc as one face. */
static void add_disc(hk_mesh_builder *b, uint32_t ring, bool up) {
    uint32_t corners[ROUND];
    for (uint32_t i = 0; i < ROUND; i++)
        corners[i] = ring + (up ? i : ROUND - 1 - i);
    hk_mesh_face(b, corners, ROUND);
}

hk_mesh *hk_mesh_cylinder(hk_arena *arena, double bottom, double top, double length) {
    hk_mesh_builder b = {0};
    if (bottom > 0 && top > 0) {
        uint32_t lower = add_ring(&b, bottom, -0.5 * length);
        uint32_t upper = add_ring(&b, top, 0.5 * length);
        join_rings(&b, lower, upper);
        add_disc(&b, lower, false);
        add_disc(&b, upper, true);
    } else if (bottom > 0 || top > 0) {
        bool up = bottom > 0;
        double z = (up ? 0.5 : -0.5) * length;
        uint32_t ring = add_ring(&b, up ? bottom : top, -z);
        join_tip(&b, ring, hk_mesh_point(&b, hk_geo_vector(0, 0, z)), up);
        add_disc(&b, ring, !up);
    }
    return hk_mesh_keep(&b, arena);
}

hk_mesh *hk_mesh_plane(hk_arena *arena, double x, double y, size_t parts) {
    hk_mesh_builder b = {0};
    HK_ASSERT(parts > 0);
    uint32_t row = (uint32_t)parts + 1;
    for (size_t i = 0; i <= parts; i++)
        for (size_t k = 0; k <= parts; k++)
            hk_mesh_point(&b, hk_geo_vector(x * ((double)k / (double)parts - 0.5),
                                            y * ((double)i / (double)parts - 0.5), 0));
    for (uint32_t i = 0; i < parts; i++)
        for (uint32_t k = 0; k < parts; k++) {
            uint32_t at = i * row + k;
            hk_mesh_face(&b, (uint32_t[]){at, at + 1, at + row + 1, at + row}, 4);
        }
    return hk_mesh_keep(&b, arena);
}

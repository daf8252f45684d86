/* SPDX-License-Identifier: MIT
 *
 * Prints a hash of the results of every function of hk/math.h, for 40000 arguments each, and of
 * what hk/geo.h makes of them: the same whatever compiled it. bits_test.py compiles it in many
 * ways. */
#include "functions.h"

#include <hk/geo.h>

#include <stdio.h>

enum { COUNT = 40000 };

static void say(const char *name, uint64_t hash) {
    printf("%-6s %08x%08x\n", name, (unsigned)(hash >> 32), (unsigned)hash);
}

static uint64_t add(uint64_t hash, double x) {
    return hk_random_spread_(hash ^ hk_math_bits_(x));
}

#define SHOW_ONE(name, low, high)                                                                  \
    {                                                                                              \
        uint64_t hash = 0;                                                                         \
        for (uint64_t i = 0; i < COUNT; i++)                                                       \
            hash = add(hash, hk_##name(math_argument(stream, i, low, high)));                      \
        say(#name, hash);                                                                          \
        stream += 4;                                                                               \
    }
#define SHOW_TWO(name, low, high, low2, high2)                                                     \
    {                                                                                              \
        uint64_t hash = 0;                                                                         \
        for (uint64_t i = 0; i < COUNT; i++)                                                       \
            hash = add(hash, hk_##name(math_argument(stream, i, low, high),                        \
                                       math_argument(stream + 2, i / 3, low2, high2)));            \
        say(#name, hash);                                                                          \
        stream += 4;                                                                               \
    }

static double chance(uint32_t stream, uint64_t number, double low, double high) {
    return low + (high - low) * ((double)(math_bits(stream, number) >> 11) * 0x1p-53);
}

static uint64_t add_vector(uint64_t hash, hk_geo_vector3 v) {
    return add(add(add(hash, v.x), v.y), v.z);
}

static uint64_t add_point(uint64_t hash, hk_geo_point p) {
    return add(add(add(hash, p.latitude), p.longitude), p.height);
}

static void show_turns(void) {
    uint64_t hash = 0;
    for (uint64_t i = 0; i < COUNT; i++) {
        double size = i % 2 ? 3 : 0.05;
        hk_geo_euler e = {chance(100, i, -4, 4), chance(101, i, -2, 2), chance(102, i, -4, 4)};
        hk_geo_vector3 turn =
            hk_geo_vector(chance(103, i, -size, size), chance(104, i, -1, 1), 0.1);
        hk_geo_matrix3 r = hk_geo_matrix_of_euler(e), next = hk_geo_turned_matrix(&r, turn);
        hk_geo_quaternion q = hk_geo_quaternion_of_euler(e), end = hk_geo_turned(q, turn);
        hk_geo_euler angles = hk_geo_euler_of_quaternion(hk_geo_between(q, end, 0.3));
        hash = add_vector(hash, hk_geo_turn_of_matrix(&next));
        hash = add_vector(hash, hk_geo_vector(angles.roll, angles.pitch, angles.yaw));
        hash = add_vector(hash, hk_geo_body_rates(e, hk_geo_euler_rates(angles, turn)));
    }
    say("turns", hash);
}

static void show_places(void) {
    uint64_t hash = 0;
    for (uint64_t i = 0; i < COUNT; i++) {
        hk_geo_point p = {chance(110, i, -1.57, 1.57), chance(111, i, -4, 4),
                          chance(112, i, -1e4, 1e4)};
        hk_geo_frame frame = hk_geo_frame_at(p);
        hk_geo_vector3 ned = {chance(113, i, -1e5, 1e5), chance(114, i, -1e5, 1e5), 10};
        hk_geo_point far = hk_geo_tangent_to_point(&frame, ned);
        hk_geo_utm utm = hk_geo_utm_of_point(far, hk_geo_utm_zone(p.latitude, p.longitude), i % 2);
        hash = add_vector(add_point(hash, far), hk_geo_flat_of_point(&frame, far));
        hash = add_point(add(add(hash, utm.easting), utm.northing), hk_geo_utm_to_point(utm));
        hash = add_vector(add(hash, hk_geo_gravity(p.latitude, p.height)), frame.ecef);
    }
    say("places", hash);
}

int main(void) {
    uint32_t stream = 0;
    printf("hk/math.h %d\n", HK_MATH_VERSION);
    MATH_ONE(SHOW_ONE)
    MATH_TWO(SHOW_TWO)
    show_turns();
    show_places();
    return 0;
}

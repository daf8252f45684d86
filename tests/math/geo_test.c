/* SPDX-License-Identifier: MIT
 *
 * hk/geo.h against numbers computed with 50 digits by other ways (make_geo_vectors.py), there and
 * back at random places, at the poles, across the antimeridian. */
#include <hk/geo.h>

#include "geo_vectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void near(double got, double wanted, double tolerance) {
    if (!(fabs(got - wanted) <= tolerance))
        print_error("%.17g is not %.17g: %.3g off\n", got, wanted, got - wanted);
    assert_true(fabs(got - wanted) <= tolerance);
}

static void near_vector(hk_geo_vector3 got, const double wanted[3], double tolerance) {
    near(got.x, wanted[0], tolerance);
    near(got.y, wanted[1], tolerance);
    near(got.z, wanted[2], tolerance);
}

static void near_matrix(const hk_geo_matrix3 *got, const double wanted[9], double tolerance) {
    for (int i = 0; i < 9; i++)
        near(got->m[i / 3][i % 3], wanted[i], tolerance);
}

static void same_matrix(const hk_geo_matrix3 *got, const hk_geo_matrix3 *wanted, double tolerance) {
    for (int i = 0; i < 9; i++)
        near(got->m[i / 3][i % 3], wanted->m[i / 3][i % 3], tolerance);
}

static hk_geo_euler euler_of(const double row[3]) {
    hk_geo_euler e = {row[0], row[1], row[2]};
    return e;
}

static hk_geo_point point_of(const double row[3]) {
    hk_geo_point p = {row[0], row[1], row[2]};
    return p;
}

/* 0 to 1, the same in every run. */
static double chance(void) {
    static uint64_t state = 42;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) * 0x1p-53;
}

static double chance_between(double low, double high) {
    return low + (high - low) * chance();
}

static void attitudes(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(geo_attitudes); i++) {
        const double *row = geo_attitudes[i];
        hk_geo_euler e = euler_of(row);
        hk_geo_matrix3 r = hk_geo_matrix_of_euler(e);
        near_matrix(&r, row + 7, 4e-16);
        hk_geo_quaternion q = hk_geo_quaternion_of_euler(e);
        near(q.w, row[3], 4e-16);
        near_vector(hk_geo_vector(q.x, q.y, q.z), row + 4, 4e-16);
        hk_geo_matrix3 other = hk_geo_matrix_of_quaternion(q);
        near_matrix(&other, row + 7, 1e-15);
        hk_geo_quaternion back = hk_geo_quaternion_of_matrix(&r);
        double sign = q.w < 0 ? -1 : 1;
        assert_true(back.w >= 0);
        near(back.w, sign * row[3], 1e-15);
        near(back.x, sign * row[4], 1e-15);
        near(back.y, sign * row[5], 1e-15);
        near(back.z, sign * row[6], 1e-15);
        double level = fabs(cos(e.pitch)); /* near the top angles are not as certain */
        hk_geo_euler one = hk_geo_euler_of_matrix(&r), two = hk_geo_euler_of_quaternion(q);
        near(one.roll, e.roll, 1e-15 / level);
        near(one.pitch, e.pitch, 1e-15);
        near(one.yaw, e.yaw, 1e-15 / level);
        near(two.roll, e.roll, 2e-15 / level);
        near(two.pitch, e.pitch, 2e-15);
        near(two.yaw, e.yaw, 2e-15 / level);
        hk_geo_vector3 v = {0.3, -0.7, 2.0};
        hk_geo_vector3 w = hk_geo_apply(&r, v), x = hk_geo_rotate(q, v);
        near_vector(x, (double[]){w.x, w.y, w.z}, 2e-15);
        near_vector(hk_geo_apply_transposed(&r, w), (double[]){v.x, v.y, v.z}, 2e-15);
        near_vector(hk_geo_rotate(hk_geo_conjugate(q), w), (double[]){v.x, v.y, v.z}, 2e-15);
    }
}

/* Straight up and down, and near it: the angles are other ones, the attitude is the same. */
static void gimbals(void **state) {
    (void)state;
    static const double near_top[] = {0, 1e-15, 1e-13, 1e-11, 1e-8, 1e-5};
    for (size_t i = 0; i < COUNT(near_top); i++)
        for (int side = -1; side <= 1; side += 2) {
            hk_geo_euler e = {0.4, side * (HK_GEO_PI / 2 - near_top[i]), -1.1};
            hk_geo_matrix3 r = hk_geo_matrix_of_euler(e);
            hk_geo_euler back = hk_geo_euler_of_matrix(&r);
            hk_geo_matrix3 again = hk_geo_matrix_of_euler(back);
            same_matrix(&again, &r, 2e-12);
            near(back.pitch, e.pitch, 1e-15);
            if (near_top[i] < 1e-12)
                assert_true(back.roll == 0);
        }
}

static void rates(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(geo_rates); i++) {
        const double *row = geo_rates[i];
        hk_geo_vector3 body = hk_geo_body_rates(euler_of(row), euler_of(row + 3));
        near_vector(body, row + 6, 1e-15);
        hk_geo_euler back = hk_geo_euler_rates(euler_of(row), body);
        near(back.roll, row[3], 1e-13);
        near(back.pitch, row[4], 1e-13);
        near(back.yaw, row[5], 1e-13);
    }
}

static void turns(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(geo_turns); i++) {
        const double *row = geo_turns[i];
        hk_geo_vector3 turn = {row[0], row[1], row[2]};
        hk_geo_matrix3 r = hk_geo_matrix_of_turn(turn);
        near_matrix(&r, row + 3, 4e-16);
        hk_geo_quaternion q = hk_geo_quaternion_of_turn(turn);
        hk_geo_matrix3 other = hk_geo_matrix_of_quaternion(q);
        near_matrix(&other, row + 3, 1e-15);
        near(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 4e-16);
        double size = hk_geo_length(turn);
        near_vector(hk_geo_turn_of_quaternion(q), row, 4e-16 * size);
        near_vector(hk_geo_turn_of_matrix(&r), row, 1e-15);
        hk_geo_quaternion negative = {-q.w, -q.x, -q.y, -q.z};
        near_vector(hk_geo_turn_of_quaternion(negative), row, 4e-16 * size);
    }
    hk_geo_vector3 none =
        hk_geo_turn_of_quaternion(hk_geo_quaternion_of_turn(hk_geo_vector(0, 0, 0)));
    assert_true(none.x == 0 && none.y == 0 && none.z == 0);
}

/* Many small turns about one axis are one large one, and a matrix stays a rotation. */
static void many_turns(void **state) {
    (void)state;
    hk_geo_euler start = {0.3, -0.4, 0.5};
    hk_geo_vector3 step = {1e-3, -2e-3, 1.5e-3}, whole = hk_geo_scale(1000, step);
    hk_geo_quaternion q = hk_geo_quaternion_of_euler(start), once = hk_geo_turned(q, whole);
    hk_geo_matrix3 r = hk_geo_matrix_of_euler(start), direct = hk_geo_turned_matrix(&r, whole);
    for (int i = 0; i < 1000; i++) {
        q = hk_geo_turned(q, step);
        r = hk_geo_turned_matrix(&r, step);
    }
    r = hk_geo_orthonormal(&r);
    same_matrix(&r, &direct, 1e-13);
    near(q.w, once.w, 1e-13);
    near(q.z, once.z, 1e-13);
    hk_geo_matrix3 bent = direct;
    for (int i = 0; i < 9; i++)
        bent.m[i / 3][i % 3] += 1e-8 * chance_between(-1, 1);
    bent = hk_geo_orthonormal(&bent);
    hk_geo_matrix3 transposed = hk_geo_transpose(&bent), unit = hk_geo_multiply(&transposed, &bent);
    hk_geo_matrix3 identity = hk_geo_identity();
    same_matrix(&unit, &identity, 2e-15);
}

static void between(void **state) {
    (void)state;
    hk_geo_quaternion a = hk_geo_quaternion_of_euler((hk_geo_euler){0.1, 0.2, 3.0});
    hk_geo_vector3 turn = {0.3, -0.4, 1.2};
    hk_geo_quaternion b = hk_geo_turned(a, turn), c = {-b.w, -b.x, -b.y, -b.z};
    for (int i = 0; i <= 4; i++) {
        hk_geo_quaternion wanted = hk_geo_turned(a, hk_geo_scale(0.25 * i, turn));
        for (int sign = 0; sign < 2; sign++) {
            hk_geo_quaternion got = hk_geo_between(a, sign ? c : b, 0.25 * i);
            near(fabs(got.w * wanted.w + got.x * wanted.x + got.y * wanted.y + got.z * wanted.z), 1,
                 1e-15);
        }
    }
    near(hk_geo_between_angles(3.0, -3.0, 0.75), -3.0 - 0.25 * (2 * HK_GEO_PI - 6), 1e-15);
    near(hk_geo_turn(hk_geo_radians(350), hk_geo_radians(10)), hk_geo_radians(20), 1e-15);
    near(hk_geo_turn(hk_geo_radians(10), hk_geo_radians(350)), hk_geo_radians(-20), 1e-15);
    near(hk_geo_wrap(7), 7 - 2 * HK_GEO_PI, 0);
    assert_true(hk_geo_wrap_degrees(725) == 5 && hk_geo_wrap_degrees(-190) == 170);
    near(hk_geo_degrees(hk_geo_radians(45)), 45, 1e-14);
}

static void vectors(void **state) {
    (void)state;
    hk_geo_vector3 a = {1, 2, 3}, b = {-4, 5, 6};
    near_vector(hk_geo_cross(a, b), (double[]){-3, -18, 13}, 0);
    hk_geo_matrix3 skew = hk_geo_skew(a);
    near_vector(hk_geo_apply(&skew, b), (double[]){-3, -18, 13}, 0);
    near_vector(hk_geo_subtract(hk_geo_add(a, b), a), (double[]){-4, 5, 6}, 0);
    near(hk_geo_dot(a, b), 24, 0);
    near(hk_geo_length(hk_geo_vector(2, 3, 6)), 7, 0);
}

static void places(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(geo_places); i++) {
        const double *row = geo_places[i];
        hk_geo_point p = point_of(row);
        hk_geo_vector3 ecef = hk_geo_ecef_of_point(p);
        double size = hk_geo_length(ecef);
        near_vector(ecef, row + 3, 4e-16 * size);
        near(hk_geo_radius_m(p.latitude), row[6], 4e-16 * row[6]);
        near(hk_geo_radius_n(p.latitude), row[7], 4e-16 * row[7]);
        near(hk_geo_gravity(p.latitude, p.height), row[8], 1e-10 * fabs(row[8]));
        hk_geo_point back = hk_geo_point_of_ecef(hk_geo_vector(row[3], row[4], row[5]));
        double aside = hypot(row[3], row[4]);
        near(back.latitude, row[0], 5e-16);
        near(back.longitude, row[1], 5e-16 + 1e-16 * size / aside);
        near(back.height, row[2], 6e-16 * size);
    }
    near(hk_geo_gravity(0, 0), 9.7803253359, 0);
    near(hk_geo_gravity(HK_GEO_PI / 2, 0), 9.8321849379, 1e-9);
}

static void poles(void **state) {
    (void)state;
    for (int side = -1; side <= 1; side += 2) {
        hk_geo_point p = hk_geo_point_of_ecef(hk_geo_vector(0, 0, side * (HK_GEO_B + 50)));
        assert_true(p.latitude == side * (HK_GEO_PI / 2) && p.longitude == 0);
        near(p.height, 50, 2e-9);
        hk_geo_point pole = {side * (HK_GEO_PI / 2), 0.7, 50};
        hk_geo_vector3 ecef = hk_geo_ecef_of_point(pole);
        near_vector(ecef, (double[]){0, 0, side * (HK_GEO_B + 50)}, 1e-9);
        p = hk_geo_point_of_ecef(ecef);
        near(p.latitude, pole.latitude, 1e-16);
        /* Within a nanometre of the axis the longitude still is one. */
        near(p.longitude, 0.7, 1e-12);
        /* One metre from the pole, on the tangent plane. */
        hk_geo_frame frame = hk_geo_frame_at(pole);
        p = hk_geo_tangent_to_point(&frame, hk_geo_vector(0, 1, 0));
        near(hk_geo_turn(0.7, p.longitude), HK_GEO_PI / 2, 1e-8);
        near(HK_GEO_PI / 2 - fabs(p.latitude), 1 / (hk_geo_radius_m(pole.latitude) + 50), 1e-14);
        near_vector(hk_geo_tangent_of_point(&frame, p), (double[]){0, 1, 0}, 3e-9);
    }
}

static void frames(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(geo_frames); i++) {
        const double *row = geo_frames[i];
        hk_geo_frame frame = hk_geo_frame_at(point_of(row));
        hk_geo_point p = point_of(row + 3);
        hk_geo_vector3 tangent = hk_geo_tangent_of_point(&frame, p);
        near_vector(tangent, row + 6, 3e-9);
        /* A longitude near pi has a last place of 4.4e-16: 3e-9 m. */
        hk_geo_vector3 flat = hk_geo_flat_of_point(&frame, p);
        near_vector(flat, row + 9, 3e-9);
        for (int map = 0; map < 2; map++) {
            hk_geo_point back =
                map ? hk_geo_flat_to_point(&frame, flat) : hk_geo_tangent_to_point(&frame, tangent);
            near(back.latitude, p.latitude, 5e-16);
            near(hk_geo_turn(back.longitude, p.longitude), 0, 1e-15 / fabs(cos(p.latitude)));
            near(back.height, p.height, 3e-9);
        }
    }
}

/* What the documentation says of the two kinds of frames. */
static void flat_and_tangent(void **state) {
    (void)state;
    hk_geo_frame frame = hk_geo_frame_at(hk_geo_point_of_degrees(48, -4, 0));
    hk_geo_point north = hk_geo_flat_to_point(&frame, hk_geo_vector(1000, 0, 0));
    hk_geo_vector3 ned = hk_geo_tangent_of_point(&frame, north);
    near(ned.z, 0.0785, 0.001);
    near(ned.x, 1000, 0.001);
    hk_geo_point east = hk_geo_flat_to_point(&frame, hk_geo_vector(0, 741, 0));
    ned = hk_geo_tangent_of_point(&frame, east);
    near(ned.z, 0.043, 0.001);
    near(ned.x, 0.048, 0.001);
    hk_geo_point far = hk_geo_flat_to_point(&frame, hk_geo_vector(20000, 0, 0));
    near(hk_geo_tangent_of_point(&frame, far).z, 31.4, 0.1);
}

static void maps(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(geo_maps); i++) {
        const double *row = geo_maps[i];
        hk_geo_point p = {row[0], row[1], 0};
        hk_geo_utm utm = hk_geo_utm_of_point(p, (int)row[2], row[3] != 0);
        near(utm.easting, row[4], 5e-9);
        near(utm.northing, row[5], 5e-9);
        hk_geo_point back = hk_geo_utm_to_point(utm);
        near(back.latitude, p.latitude, 1e-15);
        if (p.latitude < 1.57) /* at the pole it is any */
            near(hk_geo_turn(back.longitude, p.longitude), 0, 1e-15 / cos(p.latitude));
        assert_true(back.height == 0);
    }
}

static void zones(void **state) {
    (void)state;
    static const struct {
        double latitude, longitude;
        int zone;
    } all[] = {{48.3, -4.6, 30}, {0, 0, 31},     {0, -180, 1},    {0, 180, 1},
               {0, 179.9, 60},   {0, 5.999, 31}, {0, 6.001, 32},  {60, 4, 32},
               {60, 2.9, 31},    {64, 4, 31},    {56, 11.9, 32},  {55.9, 4, 31},
               {75, 8.9, 31},    {75, 9.1, 33},  {75, 20.9, 33},  {75, 21.1, 35},
               {75, 33.1, 37},   {75, 42.1, 38}, {71.9, 9.1, 32}, {-33.9, 151.2, 56},
               {0, 185, 1},      {-60, -186, 60}};
    for (size_t i = 0; i < COUNT(all); i++)
        assert_int_equal(
            hk_geo_utm_zone(hk_geo_radians(all[i].latitude), hk_geo_radians(all[i].longitude)),
            all[i].zone);
}

/* There and back. */
static void random_places(void **state) {
    (void)state;
    for (int i = 0; i < 20000; i++) {
        hk_geo_point p = {asin(chance_between(-1, 1)), chance_between(-HK_GEO_PI, HK_GEO_PI),
                          chance_between(-11000, 20000)};
        double level = cos(p.latitude);
        hk_geo_point back = hk_geo_point_of_ecef(hk_geo_ecef_of_point(p));
        near(back.latitude, p.latitude, 5e-16);
        near(hk_geo_turn(back.longitude, p.longitude), 0, 1e-15);
        near(back.height, p.height, 4e-9);
        hk_geo_utm utm =
            hk_geo_utm_of_point(p, hk_geo_utm_zone(p.latitude, p.longitude), p.latitude < 0);
        back = hk_geo_utm_to_point(utm);
        near(back.latitude, p.latitude, 1.5e-15);
        near(hk_geo_turn(back.longitude, p.longitude), 0, 1e-15 + 1e-15 / level);
        hk_geo_frame frame = hk_geo_frame_at(p);
        hk_geo_vector3 ned = {chance_between(-1e5, 1e5), chance_between(-1e5, 1e5),
                              chance_between(-1e3, 1e3)};
        hk_geo_vector3 again =
            hk_geo_tangent_of_point(&frame, hk_geo_tangent_to_point(&frame, ned));
        near_vector(again, (double[]){ned.x, ned.y, ned.z}, 8e-9);
        if (level < 0.1)
            continue;
        again = hk_geo_flat_of_point(&frame, hk_geo_flat_to_point(&frame, ned));
        near_vector(again, (double[]){ned.x, ned.y, ned.z}, 5e-9);
    }
}

static void random_attitudes(void **state) {
    (void)state;
    for (int i = 0; i < 20000; i++) {
        hk_geo_euler e = {chance_between(-3.14, 3.14), chance_between(-1.55, 1.55),
                          chance_between(-3.14, 3.14)};
        hk_geo_matrix3 r = hk_geo_matrix_of_euler(e);
        hk_geo_quaternion q = hk_geo_quaternion_of_matrix(&r);
        hk_geo_matrix3 again = hk_geo_matrix_of_quaternion(q);
        same_matrix(&again, &r, 1.5e-15);
        hk_geo_euler back = hk_geo_euler_of_quaternion(q);
        near(back.roll, e.roll, 1e-13);
        near(back.pitch, e.pitch, 1e-14);
        near(back.yaw, e.yaw, 1e-13);
        hk_geo_vector3 turn = hk_geo_turn_of_matrix(&r);
        again = hk_geo_matrix_of_turn(turn);
        same_matrix(&again, &r, 2e-15);
    }
}

static void earth_turns(void **state) {
    (void)state;
    hk_geo_vector3 rate = hk_geo_earth_rate(hk_geo_radians(30));
    near_vector(rate, (double[]){7.292115e-5 * 0.8660254037844386, 0, -7.292115e-5 * 0.5}, 1e-19);
    /* The rate at which NED turns is that of its matrix between two places, but for the Earth's. */
    hk_geo_point p = {0.8, 0.3, 100};
    hk_geo_vector3 speed = {3, 4, 0};
    hk_geo_frame here = hk_geo_frame_at(p);
    double step = 1e-3; /* s: north and east as radians */
    hk_geo_point q = {p.latitude + step * speed.x / here.north_per_radian,
                      p.longitude + step * speed.y / here.east_per_radian, p.height};
    hk_geo_frame there = hk_geo_frame_at(q);
    hk_geo_matrix3 back = hk_geo_transpose(&there.to_ned),
                   moved = hk_geo_multiply(&here.to_ned, &back);
    hk_geo_vector3 turn = hk_geo_scale(1 / step, hk_geo_turn_of_matrix(&moved));
    near_vector(hk_geo_transport_rate(p, speed), (double[]){turn.x, turn.y, turn.z}, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors),
        cmocka_unit_test(attitudes),
        cmocka_unit_test(gimbals),
        cmocka_unit_test(rates),
        cmocka_unit_test(turns),
        cmocka_unit_test(many_turns),
        cmocka_unit_test(between),
        cmocka_unit_test(places),
        cmocka_unit_test(poles),
        cmocka_unit_test(frames),
        cmocka_unit_test(flat_and_tangent),
        cmocka_unit_test(maps),
        cmocka_unit_test(zones),
        cmocka_unit_test(random_places),
        cmocka_unit_test(random_attitudes),
        cmocka_unit_test(earth_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

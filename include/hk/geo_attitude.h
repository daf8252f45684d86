/* SPDX-License-Identifier: MIT
 *
 * Vectors, matrices and attitudes of hk/geo.h. Names that end in _ are not for other headers.
 *
 * An attitude takes the axes of the body (forward, starboard, down) into those of the frame in
 * which the body moves (north, east, down): v_ned = R v_body. As angles it is yaw about the z axis,
 * then pitch about the new y axis, then roll about the new x axis, all by the right hand: roll > 0
 * has starboard down, pitch > 0 the nose up, yaw > 0 the nose to the east of north. Angles are in
 * radians. */
#ifndef HK_GEO_ATTITUDE_H
#define HK_GEO_ATTITUDE_H

#include <hk/math.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HK_GEO_PI 3.141592653589793

/* ---- vectors and matrices ---- */

typedef struct hk_geo_vector3 {
    double x, y, z;
} hk_geo_vector3;

typedef struct hk_geo_matrix3 {
    double m[3][3]; /* row, column */
} hk_geo_matrix3;

static inline hk_geo_vector3 hk_geo_vector(double x, double y, double z) {
    hk_geo_vector3 v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

static inline hk_geo_vector3 hk_geo_add(hk_geo_vector3 a, hk_geo_vector3 b) {
    return hk_geo_vector(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline hk_geo_vector3 hk_geo_subtract(hk_geo_vector3 a, hk_geo_vector3 b) {
    return hk_geo_vector(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline hk_geo_vector3 hk_geo_scale(double factor, hk_geo_vector3 v) {
    return hk_geo_vector(factor * v.x, factor * v.y, factor * v.z);
}

static inline double hk_geo_dot(hk_geo_vector3 a, hk_geo_vector3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline hk_geo_vector3 hk_geo_cross(hk_geo_vector3 a, hk_geo_vector3 b) {
    return hk_geo_vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double hk_geo_length(hk_geo_vector3 v) {
    return hk_math_sqrt_(hk_geo_dot(v, v));
}

static inline hk_geo_matrix3 hk_geo_identity(void) {
    hk_geo_matrix3 a = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    return a;
}

static inline hk_geo_matrix3 hk_geo_transpose(const hk_geo_matrix3 *a) {
    hk_geo_matrix3 b;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            b.m[i][j] = a->m[j][i];
    return b;
}

/* A B */
static inline hk_geo_matrix3 hk_geo_multiply(const hk_geo_matrix3 *a, const hk_geo_matrix3 *b) {
    hk_geo_matrix3 c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            c.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
    return c;
}

/* A v: of an attitude, from the body into the frame. */
static inline hk_geo_vector3 hk_geo_apply(const hk_geo_matrix3 *a, hk_geo_vector3 v) {
    return hk_geo_vector(a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                         a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                         a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z);
}

/* A' v: of an attitude, from the frame into the body. */
static inline hk_geo_vector3 hk_geo_apply_transposed(const hk_geo_matrix3 *a, hk_geo_vector3 v) {
    return hk_geo_vector(a->m[0][0] * v.x + a->m[1][0] * v.y + a->m[2][0] * v.z,
                         a->m[0][1] * v.x + a->m[1][1] * v.y + a->m[2][1] * v.z,
                         a->m[0][2] * v.x + a->m[1][2] * v.y + a->m[2][2] * v.z);
}

/* The matrix [v]x: [v]x u is the cross product of v and u. */
static inline hk_geo_matrix3 hk_geo_skew(hk_geo_vector3 v) {
    hk_geo_matrix3 a = {{{0, -v.z, v.y}, {v.z, 0, -v.x}, {-v.y, v.x, 0}}};
    return a;
}

/* ---- angles ---- */

static inline double hk_geo_radians(double degrees) {
    return degrees * (HK_GEO_PI / 180);
}

static inline double hk_geo_degrees(double radians) {
    return radians * (180 / HK_GEO_PI);
}

/* The same direction, -pi to pi. */
static inline double hk_geo_wrap(double angle) {
    return remainder(angle, 2 * HK_GEO_PI);
}

/* From -180 to 180; whole degrees stay whole. */
static inline double hk_geo_wrap_degrees(double angle) {
    return remainder(angle, 360);
}

/* How far to turn from one direction to another, the short way. */
static inline double hk_geo_turn(double from, double to) {
    return hk_geo_wrap(to - from);
}

/* A direction on the short way between two: PART 0 is FROM, 1 is TO. */
static inline double hk_geo_between_angles(double from, double to, double part) {
    return hk_geo_wrap(from + part * hk_geo_turn(from, to));
}

/* ---- attitudes ---- */

typedef struct hk_geo_euler {
    double roll, pitch, yaw;
} hk_geo_euler;

typedef struct hk_geo_quaternion {
    double w, x, y, z;
} hk_geo_quaternion;

static inline hk_geo_matrix3 hk_geo_matrix_of_euler(hk_geo_euler e) {
    double s1 = hk_sin(e.roll), c1 = hk_cos(e.roll), s2 = hk_sin(e.pitch), c2 = hk_cos(e.pitch),
           s3 = hk_sin(e.yaw), c3 = hk_cos(e.yaw);
    hk_geo_matrix3 r = {{{c3 * c2, c3 * s2 * s1 - s3 * c1, c3 * s2 * c1 + s3 * s1},
                         {s3 * c2, s3 * s2 * s1 + c3 * c1, s3 * s2 * c1 - c3 * s1},
                         {-s2, c2 * s1, c2 * c1}}};
    return r;
}

/* Roll is 0 where the nose points straight up or down. Yaw is taken after roll has been undone, so
 * that near there, where each of them is uncertain, what they do together is not. */
static inline hk_geo_euler hk_geo_euler_of_matrix(const hk_geo_matrix3 *r) {
    double level = hk_hypot(r->m[2][1], r->m[2][2]), s = 0, c = 1;
    hk_geo_euler e;
    e.pitch = hk_atan2(0 - r->m[2][0], level); /* 0, not -0, where it is level */
    e.roll = 0;
    if (level > 1e-12) {
        s = r->m[2][1] / level;
        c = r->m[2][2] / level;
        e.roll = hk_atan2(s, c);
    }
    e.yaw = hk_atan2(s * r->m[0][2] - c * r->m[0][1], c * r->m[1][1] - s * r->m[1][2]);
    return e;
}

static inline hk_geo_quaternion hk_geo_quaternion_of_euler(hk_geo_euler e) {
    double s1 = hk_sin(0.5 * e.roll), c1 = hk_cos(0.5 * e.roll), s2 = hk_sin(0.5 * e.pitch),
           c2 = hk_cos(0.5 * e.pitch), s3 = hk_sin(0.5 * e.yaw), c3 = hk_cos(0.5 * e.yaw);
    hk_geo_quaternion q;
    q.w = c1 * c2 * c3 + s1 * s2 * s3;
    q.x = s1 * c2 * c3 - c1 * s2 * s3;
    q.y = c1 * s2 * c3 + s1 * c2 * s3;
    q.z = c1 * c2 * s3 - s1 * s2 * c3;
    return q;
}

/* Q has length 1. */
static inline hk_geo_matrix3 hk_geo_matrix_of_quaternion(hk_geo_quaternion q) {
    hk_geo_matrix3 r = {{{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z),
                          2 * (q.x * q.z + q.w * q.y)},
                         {2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z),
                          2 * (q.y * q.z - q.w * q.x)},
                         {2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x),
                          1 - 2 * (q.x * q.x + q.y * q.y)}}};
    return r;
}

static inline hk_geo_euler hk_geo_euler_of_quaternion(hk_geo_quaternion q) {
    hk_geo_matrix3 r = hk_geo_matrix_of_quaternion(q);
    return hk_geo_euler_of_matrix(&r);
}

static inline hk_geo_quaternion hk_geo_normalised(hk_geo_quaternion q) {
    double factor = 1 / hk_math_sqrt_(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    q.w *= factor;
    q.x *= factor;
    q.y *= factor;
    q.z *= factor;
    return q;
}

/* From the largest of its four, so that nothing is divided by what is nearly 0; W >= 0. */
static inline hk_geo_quaternion hk_geo_quaternion_of_matrix(const hk_geo_matrix3 *r) {
    double x = r->m[0][0], y = r->m[1][1], z = r->m[2][2];
    double a = r->m[2][1] - r->m[1][2], b = r->m[0][2] - r->m[2][0], c = r->m[1][0] - r->m[0][1];
    double d = r->m[1][0] + r->m[0][1], e = r->m[0][2] + r->m[2][0], f = r->m[2][1] + r->m[1][2];
    double sum = x + y + z;
    hk_geo_quaternion q;
    if (sum >= x && sum >= y && sum >= z) {
        q.w = 1 + sum, q.x = a, q.y = b, q.z = c;
    } else if (x >= y && x >= z) {
        q.w = a, q.x = 1 + x - y - z, q.y = d, q.z = e;
    } else if (y >= z) {
        q.w = b, q.x = d, q.y = 1 + y - x - z, q.z = f;
    } else {
        q.w = c, q.x = e, q.y = f, q.z = 1 + z - x - y;
    }
    if (q.w < 0)
        q.w = -q.w, q.x = -q.x, q.y = -q.y, q.z = -q.z;
    return hk_geo_normalised(q);
}

/* P Q: first Q, then P. */
static inline hk_geo_quaternion hk_geo_quaternion_product(hk_geo_quaternion p,
                                                          hk_geo_quaternion q) {
    hk_geo_quaternion r;
    r.w = p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z;
    r.x = p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y;
    r.y = p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x;
    r.z = p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w;
    return r;
}

/* The way back. */
static inline hk_geo_quaternion hk_geo_conjugate(hk_geo_quaternion q) {
    q.x = -q.x;
    q.y = -q.y;
    q.z = -q.z;
    return q;
}

/* V from the body into the frame; Q has length 1. */
static inline hk_geo_vector3 hk_geo_rotate(hk_geo_quaternion q, hk_geo_vector3 v) {
    hk_geo_vector3 axis = hk_geo_vector(q.x, q.y, q.z);
    hk_geo_vector3 twice = hk_geo_scale(2, hk_geo_cross(axis, v));
    return hk_geo_add(v, hk_geo_add(hk_geo_scale(q.w, twice), hk_geo_cross(axis, twice)));
}

/* ---- rates ---- */

/* (p, q, r) about the axes of the body, from the rates of the angles. */
static inline hk_geo_vector3 hk_geo_body_rates(hk_geo_euler e, hk_geo_euler rates) {
    double s1 = hk_sin(e.roll), c1 = hk_cos(e.roll), s2 = hk_sin(e.pitch), c2 = hk_cos(e.pitch);
    return hk_geo_vector(rates.roll - rates.yaw * s2, rates.pitch * c1 + rates.yaw * c2 * s1,
                         rates.yaw * c2 * c1 - rates.pitch * s1);
}

/* The other way round; there are none where the nose points straight up or down. */
static inline hk_geo_euler hk_geo_euler_rates(hk_geo_euler e, hk_geo_vector3 body) {
    double s1 = hk_sin(e.roll), c1 = hk_cos(e.roll), s2 = hk_sin(e.pitch), c2 = hk_cos(e.pitch);
    hk_geo_euler rates;
    rates.yaw = (body.y * s1 + body.z * c1) / c2;
    rates.pitch = body.y * c1 - body.z * s1;
    rates.roll = body.x + rates.yaw * s2;
    return rates;
}

/* ---- turns: a rotation about the direction of a vector, by its length ---- */

/* sin(a) / a of the square of a. Below 0.1 a series: no root, no sine, and nothing that is 0 / 0.
 */
static inline double hk_geo_sine_quotient_(double square) {
    if (square < 0.01)
        return 1 +
               square * (-1.0 / 6 +
                         square * (1.0 / 120 +
                                   square * (-1.0 / 5040 +
                                             square * (1.0 / 362880 - square * (1.0 / 39916800)))));
    double a = hk_math_sqrt_(square);
    return hk_sin(a) / a;
}

static inline hk_geo_quaternion hk_geo_quaternion_of_turn(hk_geo_vector3 turn) {
    double square = 0.25 * hk_geo_dot(turn, turn), factor = 0.5 * hk_geo_sine_quotient_(square);
    hk_geo_quaternion q;
    q.w =
        square < 0.01
            ? 1 + square * (-0.5 +
                            square * (1.0 / 24 +
                                      square * (-1.0 / 720 +
                                                square * (1.0 / 40320 - square * (1.0 / 3628800)))))
            : hk_cos(hk_math_sqrt_(square));
    q.x = factor * turn.x;
    q.y = factor * turn.y;
    q.z = factor * turn.z;
    return q;
}

/* The short one: its length is at most pi. */
static inline hk_geo_vector3 hk_geo_turn_of_quaternion(hk_geo_quaternion q) {
    hk_geo_vector3 axis = hk_geo_vector(q.x, q.y, q.z);
    double square = hk_geo_dot(axis, axis), w = q.w;
    if (square < 1e-200) /* its root is lost, but what it is divided by is 1 */
        return hk_geo_scale(2 / w, axis);
    if (w < 0) {
        w = -w;
        axis = hk_geo_scale(-1, axis);
    }
    double sine = hk_math_sqrt_(square);
    return hk_geo_scale(2 * hk_atan2(sine, w) / sine, axis);
}

/* exp([turn]x) = I + sin(a)/a [turn]x + (1 - cos(a))/a^2 [turn]x^2; the last factor is half the
 * square of the sine quotient of a/2. */
static inline hk_geo_matrix3 hk_geo_matrix_of_turn(hk_geo_vector3 turn) {
    double square = hk_geo_dot(turn, turn), s = hk_geo_sine_quotient_(square),
           half = hk_geo_sine_quotient_(0.25 * square), c = 0.5 * half * half;
    double x = turn.x, y = turn.y, z = turn.z;
    hk_geo_matrix3 r = {{{1 - c * (y * y + z * z), c * x * y - s * z, c * x * z + s * y},
                         {c * x * y + s * z, 1 - c * (x * x + z * z), c * y * z - s * x},
                         {c * x * z - s * y, c * y * z + s * x, 1 - c * (x * x + y * y)}}};
    return r;
}

static inline hk_geo_vector3 hk_geo_turn_of_matrix(const hk_geo_matrix3 *r) {
    return hk_geo_turn_of_quaternion(hk_geo_quaternion_of_matrix(r));
}

/* The attitude after TURN about axes of the body: with the rotation speed times the step it is the
 * attitude at the end of the step, exact if the speed did not change in it. */
static inline hk_geo_quaternion hk_geo_turned(hk_geo_quaternion q, hk_geo_vector3 turn) {
    return hk_geo_normalised(hk_geo_quaternion_product(q, hk_geo_quaternion_of_turn(turn)));
}

/* The same of a matrix. Rounding takes it away from a rotation by some 1e-16 each time:
 * hk_geo_orthonormal, now and then, undoes that. */
static inline hk_geo_matrix3 hk_geo_turned_matrix(const hk_geo_matrix3 *r, hk_geo_vector3 turn) {
    hk_geo_matrix3 step = hk_geo_matrix_of_turn(turn);
    return hk_geo_multiply(r, &step);
}

/* The nearest rotation to what is nearly one: R (3 I - R' R) / 2, one step of Newton's. An error of
 * 1e-8 becomes one of 1e-16. */
static inline hk_geo_matrix3 hk_geo_orthonormal(const hk_geo_matrix3 *r) {
    hk_geo_matrix3 transposed = hk_geo_transpose(r), a = hk_geo_multiply(&transposed, r);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a.m[i][j] = (i == j ? 1.5 : 0.0) - 0.5 * a.m[i][j];
    return hk_geo_multiply(r, &a);
}

/* An attitude on the way of constant rotation from one to the other, the short one. */
static inline hk_geo_quaternion hk_geo_between(hk_geo_quaternion from, hk_geo_quaternion to,
                                               double part) {
    hk_geo_vector3 turn =
        hk_geo_turn_of_quaternion(hk_geo_quaternion_product(hk_geo_conjugate(from), to));
    return hk_geo_turned(from, hk_geo_scale(part, turn));
}

#ifdef __cplusplus
}
#endif
#endif

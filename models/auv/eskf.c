/* SPDX-License-Identifier: MIT
 *
 * How the estimate and its covariance are carried on from one instant to the next. */
#include "eskf.h"

#include <string.h>

typedef double row[ESKF_STATES];

/* ---- the start ---- */

static void forget_motion(eskf *x) {
    static const hk_geo_matrix3 zero;
    x->time = 0;
    x->turned = x->moved = zero;
    x->turned_velocity = x->moved_velocity = x->turned_position = zero;
    x->accelerometer_decay = x->gyroscope_decay = 1;
    x->unknown_turn = x->unknown_push = 0;
}

static double square(double x) {
    return x * x;
}

/* Of plain errors that do not depend on each other: r = dp - f x p', n = dv - f x v'. */
static void begin_covariance(eskf *x, const eskf_tuning *k) {
    double plain[ESKF_STATES];
    for (int i = 0; i < 3; i++) {
        plain[ESKF_POSITION + i] = square(k->position_sigma);
        plain[ESKF_VELOCITY + i] = square(k->velocity_sigma);
        plain[ESKF_ATTITUDE + i] = square(i < 2 ? k->tilt_sigma : k->heading_sigma);
        plain[ESKF_ACCELEROMETER + i] = square(k->accelerometer_sigma);
        plain[ESKF_GYROSCOPE + i] = square(k->gyroscope_sigma);
    }
    double map[ESKF_STATES][ESKF_STATES] = {0}; /* x = map * plain */
    hk_geo_matrix3 p = hk_geo_skew(x->position), v = hk_geo_skew(x->velocity);
    for (int i = 0; i < ESKF_STATES; i++)
        map[i][i] = 1;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            map[ESKF_POSITION + i][ESKF_ATTITUDE + j] = p.m[i][j];
            map[ESKF_VELOCITY + i][ESKF_ATTITUDE + j] = v.m[i][j];
        }
    for (int i = 0; i < ESKF_STATES; i++)
        for (int j = 0; j < ESKF_STATES; j++) {
            double sum = 0;
            for (int n = 0; n < ESKF_STATES; n++)
                sum += map[i][n] * plain[n] * map[j][n];
            x->covariance[i][j] = sum;
        }
}

void hk_auv_eskf_begin(eskf *x, const eskf_tuning *k) {
    x->rotation = hk_geo_matrix_of_quaternion(x->attitude);
    x->rotation_speed = hk_geo_vector(0, 0, 0);
    x->held_turn = x->held_push = 0;
    begin_covariance(x, k);
    forget_motion(x);
    x->known_step = x->known_gate = -1;
    memset(x->nis, 0, sizeof x->nis);
    memset(x->updates, 0, sizeof x->updates);
    memset(x->rejected, 0, sizeof x->rejected);
    memset(x->in_a_row, 0, sizeof x->in_a_row);
}

/* ---- the transition of the errors ---- */

static double decay_of(double step, double time) {
    return time > 0 ? hk_exp(-step / time) : 1;
}

static void know_step(eskf *x, const eskf_tuning *k, double h) {
    if (h == x->known_step && k->accelerometer_time == x->known_times[0] &&
        k->gyroscope_time == x->known_times[1])
        return;
    x->known_step = h;
    x->known_times[0] = k->accelerometer_time;
    x->known_times[1] = k->gyroscope_time;
    x->decay[0] = decay_of(h, k->accelerometer_time);
    x->decay[1] = decay_of(h, k->gyroscope_time);
}

/* One step of the errors is
 *
 *     f' = f - M g           M = R h, with attitude, velocity and position in the middle of the
 * step n' = n + h [gravity]x f - M a - [v]x M g r' = r + h n - [p]x M g
 *
 * Several steps after each other need the sums of M, [v]x M and [p]x M, and sums of these sums.
 * That a bias fades between two covariances, by some millionths, counts for the bias itself only.
 */
static void gather_motion(eskf *x, const hk_geo_matrix3 *middle, hk_geo_vector3 v, hk_geo_vector3 p,
                          double h) {
    for (int j = 0; j < 3; j++) {
        const double m[3] = {h * middle->m[0][j], h * middle->m[1][j], h * middle->m[2][j]};
        const double vm[3] = {v.y * m[2] - v.z * m[1], v.z * m[0] - v.x * m[2],
                              v.x * m[1] - v.y * m[0]};
        const double pm[3] = {p.y * m[2] - p.z * m[1], p.z * m[0] - p.x * m[2],
                              p.x * m[1] - p.y * m[0]};
        for (int i = 0; i < 3; i++) {
            x->moved.m[i][j] += h * (x->turned.m[i][j] + 0.5 * m[i]);
            x->turned.m[i][j] += m[i];
            x->moved_velocity.m[i][j] += h * (x->turned_velocity.m[i][j] + 0.5 * vm[i]);
            x->turned_velocity.m[i][j] += vm[i];
            x->turned_position.m[i][j] += pm[i];
        }
    }
    x->accelerometer_decay *= x->decay[0];
    x->gyroscope_decay *= x->decay[1];
    x->time += h;
}

/* ---- the covariance ---- */

/* Half of what noise adds in TIME: one half before the errors move and one behind is the integral
 * over it to second order. Both noises are the same about all axes, so the attitude has no part in
 * it. */
static void add_noise(eskf *x, const eskf_tuning *k) {
    double turn = 0.5 * (square(k->gyroscope_noise) * x->time + x->unknown_turn);
    double push = 0.5 * (square(k->accelerometer_noise) * x->time + x->unknown_push);
    hk_geo_matrix3 p = hk_geo_skew(x->position), v = hk_geo_skew(x->velocity);
    hk_geo_matrix3 pt = hk_geo_transpose(&p), vt = hk_geo_transpose(&v);
    hk_geo_matrix3 pp = hk_geo_multiply(&p, &pt), vv = hk_geo_multiply(&v, &vt),
                   pv = hk_geo_multiply(&p, &vt);
    row *c = x->covariance;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            c[ESKF_POSITION + i][ESKF_POSITION + j] += turn * pp.m[i][j];
            c[ESKF_VELOCITY + i][ESKF_VELOCITY + j] += turn * vv.m[i][j];
            c[ESKF_POSITION + i][ESKF_VELOCITY + j] += turn * pv.m[i][j];
            c[ESKF_VELOCITY + i][ESKF_POSITION + j] += turn * pv.m[j][i];
            c[ESKF_POSITION + i][ESKF_ATTITUDE + j] += turn * p.m[i][j];
            c[ESKF_ATTITUDE + i][ESKF_POSITION + j] += turn * p.m[j][i];
            c[ESKF_VELOCITY + i][ESKF_ATTITUDE + j] += turn * v.m[i][j];
            c[ESKF_ATTITUDE + i][ESKF_VELOCITY + j] += turn * v.m[j][i];
        }
    /* So much that a bias keeps its spread. */
    double a = square(x->accelerometer_decay), g = square(x->gyroscope_decay);
    double drift_a = square(k->accelerometer_sigma) * (1 - a) / (1 + a);
    double drift_g = square(k->gyroscope_sigma) * (1 - g) / (1 + g);
    for (int i = 0; i < 3; i++) {
        c[ESKF_ATTITUDE + i][ESKF_ATTITUDE + i] += turn;
        c[ESKF_VELOCITY + i][ESKF_VELOCITY + i] += push;
        c[ESKF_ACCELEROMETER + i][ESKF_ACCELEROMETER + i] += drift_a;
        c[ESKF_GYROSCOPE + i][ESKF_GYROSCOPE + i] += drift_g;
    }
}

/* What the bias of the gyroscope does to n and r: -[v]x M and -[p]x M, and by way of f and n. */
static void by_gyroscope(const eskf *x, double gravity, hk_geo_matrix3 *ret_velocity,
                         hk_geo_matrix3 *ret_position) {
    double third = x->time * (1.0 / 3); /* M hardly changes in TIME, so its third sum is this */
    for (int j = 0; j < 3; j++) {
        double north = gravity * x->moved.m[1][j], east = -gravity * x->moved.m[0][j];
        for (int i = 0; i < 3; i++) {
            double lean = i == 0 ? north : i == 1 ? east : 0; /* -[gravity]x */
            ret_velocity->m[i][j] = lean - x->turned_velocity.m[i][j];
            ret_position->m[i][j] =
                third * lean - x->moved_velocity.m[i][j] - x->turned_position.m[i][j];
        }
    }
}

/* Three rows += factor * block * three rows of C from FROM on. */
static inline void mix(row *rows, double factor, const hk_geo_matrix3 *block, row *c, int from) {
    for (int i = 0; i < 3; i++) {
        double u = factor * block->m[i][0], v = factor * block->m[i][1],
               w = factor * block->m[i][2];
        for (int j = 0; j < ESKF_STATES; j++)
            rows[i][j] += u * c[from][j] + v * c[from + 1][j] + w * c[from + 2][j];
    }
}

/* C = transition * C. A row is made of itself and of rows that come later. */
static void transition(const eskf *x, double gravity, row *c) {
    hk_geo_matrix3 velocity_gyroscope, position_gyroscope;
    by_gyroscope(x, gravity, &velocity_gyroscope, &position_gyroscope);
    double t = x->time, lean = gravity * t, sag = 0.5 * gravity * t * t;
    row *r = c + ESKF_POSITION, *n = c + ESKF_VELOCITY, *f = c + ESKF_ATTITUDE;
    for (int j = 0; j < ESKF_STATES; j++) {
        r[0][j] += t * n[0][j] - sag * f[1][j];
        r[1][j] += t * n[1][j] + sag * f[0][j];
        r[2][j] += t * n[2][j];
        n[0][j] -= lean * f[1][j];
        n[1][j] += lean * f[0][j];
    }
    mix(r, -1, &x->moved, c, ESKF_ACCELEROMETER);
    mix(r, 1, &position_gyroscope, c, ESKF_GYROSCOPE);
    mix(n, -1, &x->turned, c, ESKF_ACCELEROMETER);
    mix(n, 1, &velocity_gyroscope, c, ESKF_GYROSCOPE);
    mix(f, -1, &x->turned, c, ESKF_GYROSCOPE);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < ESKF_STATES; j++) {
            c[ESKF_ACCELEROMETER + i][j] *= x->accelerometer_decay;
            c[ESKF_GYROSCOPE + i][j] *= x->gyroscope_decay;
        }
}

static void transpose(row *c) {
    for (int i = 0; i < ESKF_STATES; i++)
        for (int j = 0; j < i; j++) {
            double kept = c[i][j];
            c[i][j] = c[j][i];
            c[j][i] = kept;
        }
}

void hk_auv_eskf_settle(eskf *x, const eskf_tuning *k) {
    if (!(x->time > 0))
        return;
    row *c = x->covariance;
    add_noise(x, k);
    transition(x, k->gravity, c);
    transpose(c);
    transition(x, k->gravity, c);
    add_noise(x, k);
    for (int i = 0; i < ESKF_STATES; i++) /* rounding is not the same on both sides */
        for (int j = 0; j < i; j++)
            c[i][j] = c[j][i] = 0.5 * (c[i][j] + c[j][i]);
    forget_motion(x);
}

/* ---- a step ---- */

/* What is held is wrong by SIGMA, and stays so: after the time t that adds up to (sigma t)^2. */
static double unknown_of(double *held, bool valid, double sigma, double h) {
    double before = *held;
    *held = valid ? 0 : before + h;
    return valid ? 0 : square(sigma) * (square(before + h) - square(before));
}

void hk_auv_eskf_step(eskf *x, const eskf_tuning *k, const eskf_motion *motion, double h) {
    know_step(x, k, h);
    hk_geo_vector3 w = hk_geo_subtract(motion->rotation_speed, x->gyroscope_bias);
    hk_geo_vector3 f = hk_geo_subtract(motion->force, x->accelerometer_bias);
    x->unknown_turn += unknown_of(&x->held_turn, motion->rotation_valid, k->held_rotation, h);
    x->unknown_push += unknown_of(&x->held_push, motion->force_valid, k->held_force, h);
    hk_geo_quaternion turn = hk_geo_quaternion_of_turn(hk_geo_scale(0.5 * h, w));
    hk_geo_quaternion half = hk_geo_quaternion_product(x->attitude, turn);
    hk_geo_matrix3 middle = hk_geo_matrix_of_quaternion(half);
    hk_geo_vector3 a = hk_geo_apply(&middle, f);
    a.z += k->gravity;
    hk_geo_vector3 mean = hk_geo_add(x->velocity, hk_geo_scale(0.5 * h, a));
    hk_geo_vector3 way = hk_geo_scale(h, mean);
    gather_motion(x, &middle, mean, hk_geo_add(x->position, hk_geo_scale(0.5, way)), h);
    x->position = hk_geo_add(x->position, way);
    x->velocity = hk_geo_add(x->velocity, hk_geo_scale(h, a));
    x->attitude = hk_geo_normalised(hk_geo_quaternion_product(half, turn));
    x->rotation = hk_geo_matrix_of_quaternion(x->attitude);
    x->rotation_speed = w;
    x->accelerometer_bias = hk_geo_scale(x->decay[0], x->accelerometer_bias);
    x->gyroscope_bias = hk_geo_scale(x->decay[1], x->gyroscope_bias);
    if (x->time >= k->covariance_period - 0.5 * h)
        hk_auv_eskf_settle(x, k);
}

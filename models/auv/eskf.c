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
    x->velocity_accelerometer = x->position_accelerometer = zero;
    x->attitude_gyroscope = x->velocity_gyroscope = x->position_gyroscope = zero;
    x->accelerometer_decay = x->gyroscope_decay = 1;
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

/* a += factor * b */
static inline void gather(hk_geo_matrix3 *a, double factor, const hk_geo_matrix3 *b) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a->m[i][j] += factor * b->m[i][j];
}

/* a += factor * [v]x b */
static inline void gather_cross(hk_geo_matrix3 *a, double factor, hk_geo_vector3 v,
                                const hk_geo_matrix3 *b) {
    for (int j = 0; j < 3; j++) {
        a->m[0][j] += factor * (v.y * b->m[2][j] - v.z * b->m[1][j]);
        a->m[1][j] += factor * (v.z * b->m[0][j] - v.x * b->m[2][j]);
        a->m[2][j] += factor * (v.x * b->m[1][j] - v.y * b->m[0][j]);
    }
}

/* One step of the errors, behind those that were gathered before:
 *
 *     f' = f - M g           M = R h, attitude, velocity and position in the middle of the step
 *     n' = n + h [gravity]x f - M a - [v]x M g
 *     r' = r + h n - [p]x M g
 *
 * MIDDLE is what the middle of the step needs of f and n, to second order. */
static void gather_motion(eskf *x, const eskf_tuning *k, const hk_geo_matrix3 *middle,
                          hk_geo_vector3 velocity, hk_geo_vector3 position, double h) {
    double a = h * x->accelerometer_decay, g = h * x->gyroscope_decay;
    hk_geo_vector3 down = hk_geo_vector(0, 0, k->gravity);
    gather(&x->position_accelerometer, h, &x->velocity_accelerometer);
    gather(&x->position_accelerometer, -0.5 * h * a, middle);
    gather(&x->velocity_accelerometer, -a, middle);

    gather(&x->position_gyroscope, h, &x->velocity_gyroscope);
    gather_cross(&x->position_gyroscope, 0.5 * h * h, down, &x->attitude_gyroscope);
    gather_cross(&x->position_gyroscope, -g, position, middle);
    gather(&x->attitude_gyroscope, -0.5 * g, middle); /* now that of the middle */
    gather_cross(&x->velocity_gyroscope, h, down, &x->attitude_gyroscope);
    gather_cross(&x->velocity_gyroscope, -g, velocity, middle);
    gather(&x->attitude_gyroscope, -0.5 * g, middle);
    x->accelerometer_decay *= x->decay[0];
    x->gyroscope_decay *= x->decay[1];
    x->time += h;
}

/* ---- the covariance ---- */

/* Half of what noise adds in TIME: one half before the errors move and one behind is the integral
 * over it to second order. Both noises are the same about all axes, so the attitude has no part in
 * it. */
static void add_noise(eskf *x, const eskf_tuning *k) {
    double turn = 0.5 * square(k->gyroscope_noise) * x->time;
    double push = 0.5 * square(k->accelerometer_noise) * x->time;
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

/* Three rows += block * three rows of C from FROM on. */
static inline void mix(row *rows, const hk_geo_matrix3 *block, row *c, int from) {
    for (int i = 0; i < 3; i++) {
        double u = block->m[i][0], v = block->m[i][1], w = block->m[i][2];
        for (int j = 0; j < ESKF_STATES; j++)
            rows[i][j] += u * c[from][j] + v * c[from + 1][j] + w * c[from + 2][j];
    }
}

/* C = transition * C. A row is made of itself and of rows that come later. */
static void transition(const eskf *x, double gravity, row *c) {
    double t = x->time, lean = gravity * t, sag = 0.5 * gravity * t * t;
    row *r = c + ESKF_POSITION, *n = c + ESKF_VELOCITY, *f = c + ESKF_ATTITUDE;
    for (int j = 0; j < ESKF_STATES; j++) {
        r[0][j] += t * n[0][j] - sag * f[1][j];
        r[1][j] += t * n[1][j] + sag * f[0][j];
        r[2][j] += t * n[2][j];
        n[0][j] -= lean * f[1][j];
        n[1][j] += lean * f[0][j];
    }
    mix(r, &x->position_accelerometer, c, ESKF_ACCELEROMETER);
    mix(r, &x->position_gyroscope, c, ESKF_GYROSCOPE);
    mix(n, &x->velocity_accelerometer, c, ESKF_ACCELEROMETER);
    mix(n, &x->velocity_gyroscope, c, ESKF_GYROSCOPE);
    mix(f, &x->attitude_gyroscope, c, ESKF_GYROSCOPE);
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

void hk_auv_eskf_step(eskf *x, const eskf_tuning *k, hk_geo_vector3 force,
                      hk_geo_vector3 rotation_speed, double h) {
    know_step(x, k, h);
    hk_geo_vector3 w = hk_geo_subtract(rotation_speed, x->gyroscope_bias);
    hk_geo_vector3 f = hk_geo_subtract(force, x->accelerometer_bias);
    hk_geo_quaternion half = hk_geo_turned(x->attitude, hk_geo_scale(0.5 * h, w));
    hk_geo_matrix3 middle = hk_geo_matrix_of_quaternion(half);
    hk_geo_vector3 a = hk_geo_apply(&middle, f);
    a.z += k->gravity;
    hk_geo_vector3 mean = hk_geo_add(x->velocity, hk_geo_scale(0.5 * h, a));
    hk_geo_vector3 way = hk_geo_scale(h, mean);
    gather_motion(x, k, &middle, mean, hk_geo_add(x->position, hk_geo_scale(0.5, way)), h);
    x->position = hk_geo_add(x->position, way);
    x->velocity = hk_geo_add(x->velocity, hk_geo_scale(h, a));
    x->attitude = hk_geo_turned(half, hk_geo_scale(0.5 * h, w));
    x->rotation = hk_geo_matrix_of_quaternion(x->attitude);
    x->rotation_speed = w;
    x->accelerometer_bias = hk_geo_scale(x->decay[0], x->accelerometer_bias);
    x->gyroscope_bias = hk_geo_scale(x->decay[1], x->gyroscope_bias);
    if (x->time >= k->covariance_period - 0.5 * h)
        hk_auv_eskf_settle(x, k);
}

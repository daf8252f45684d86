/* SPDX-License-Identifier: MIT
 *
 * How the estimate and its covariance are carried on from one instant to the next. */
#include "eskf.h"

#include <string.h>

typedef double row[ESKF_STATES];

/* ---- the start ---- */

static void forget_motion(eskf *x) {
    static const hk_geo_matrix3 zero;
    x->time = x->lately = 0;
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

/* In the time h the errors move so:
 *
 *     f' = f - M g           M = R h, with attitude, velocity and position in the middle of it
 *     n' = n + h [gravity]x f - M a - [v]x M g
 *     r' = r + h n - [p]x M g
 *
 * Several such times after each other need the sums of M, [v]x M and [p]x M, and sums of these
 * sums. Each is of some steps of the estimate, from where it was to where it is: the middle is
 * exact to second order. That a bias fades between two covariances, by some millionths, counts for
 * the bias itself only. */
#define GATHERED 0.01 /* s: as long as that */

static hk_geo_matrix3 middle_rotation(hk_geo_quaternion a, hk_geo_quaternion b) {
    double sign = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0 ? -1 : 1;
    hk_geo_quaternion sum = {a.w + sign * b.w, a.x + sign * b.x, a.y + sign * b.y,
                             a.z + sign * b.z};
    return hk_geo_matrix_of_quaternion(hk_geo_normalised(sum));
}

static void gather_motion(eskf *x) {
    double h = x->lately;
    hk_geo_matrix3 middle = middle_rotation(x->there_attitude, x->attitude);
    hk_geo_vector3 v = hk_geo_scale(0.5, hk_geo_add(x->there_velocity, x->velocity));
    hk_geo_vector3 p = hk_geo_scale(0.5, hk_geo_add(x->there_position, x->position));
    for (int j = 0; j < 3; j++) {
        const double m[3] = {h * middle.m[0][j], h * middle.m[1][j], h * middle.m[2][j]};
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
    x->time += h;
    x->lately = 0;
}

/* What the errors become in TIME. */
typedef struct passage {
    const eskf *of;
    double lean, sag;                        /* gravity TIME, gravity TIME^2 / 2 */
    hk_geo_matrix3 to_velocity, to_position; /* what the bias of the gyroscope does to n and r */
} passage;

/* -[v]x M and -[p]x M, and by way of f and n. */
static passage passage_of(const eskf *x, double gravity) {
    passage m = {.of = x, .lean = gravity * x->time, .sag = 0.5 * gravity * x->time * x->time};
    double third = x->time * (1.0 / 3); /* M hardly changes in TIME, so its third sum is this */
    for (int j = 0; j < 3; j++) {
        double north = gravity * x->moved.m[1][j], east = -gravity * x->moved.m[0][j];
        for (int i = 0; i < 3; i++) {
            double lean = i == 0 ? north : i == 1 ? east : 0; /* -[gravity]x */
            m.to_velocity.m[i][j] = lean - x->turned_velocity.m[i][j];
            m.to_position.m[i][j] =
                third * lean - x->moved_velocity.m[i][j] - x->turned_position.m[i][j];
        }
    }
    return m;
}

/* ---- the covariance ---- */

/* It is symmetric. What changes it computes what is not below its diagonal, and at the end the rest
 * is copied from there. */
void hk_auv_eskf_mirror(eskf *x) {
    for (int i = 1; i < ESKF_STATES; i++)
        for (int j = 0; j < i; j++)
            x->covariance[i][j] = x->covariance[j][i];
}

static void number_of(hk_geo_vector3 v, double ret[3]) {
    ret[0] = v.x;
    ret[1] = v.y;
    ret[2] = v.z;
}

/* Half of what noise adds in TIME: one half before the errors move and one behind is the integral
 * over it to second order. Both noises are the same about all axes, so the attitude has no part in
 * it; [u]x [w]x' is u.w I - w u'. */
static void add_noise(eskf *x, const eskf_tuning *k) {
    double turn = 0.5 * (square(k->gyroscope_noise) * x->time + x->unknown_turn);
    double push = 0.5 * (square(k->accelerometer_noise) * x->time + x->unknown_push);
    hk_geo_matrix3 by_p = hk_geo_skew(x->position), by_v = hk_geo_skew(x->velocity);
    double pp = hk_geo_dot(x->position, x->position), pv = hk_geo_dot(x->position, x->velocity),
           vv = hk_geo_dot(x->velocity, x->velocity), p[3], v[3];
    row *c = x->covariance;
    number_of(x->position, p);
    number_of(x->velocity, v);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double same = i == j;
            c[ESKF_POSITION + i][ESKF_POSITION + j] += turn * (same * pp - p[i] * p[j]);
            c[ESKF_VELOCITY + i][ESKF_VELOCITY + j] += turn * (same * vv - v[i] * v[j]);
            c[ESKF_POSITION + i][ESKF_VELOCITY + j] += turn * (same * pv - v[i] * p[j]);
            c[ESKF_POSITION + i][ESKF_ATTITUDE + j] += turn * by_p.m[i][j];
            c[ESKF_VELOCITY + i][ESKF_ATTITUDE + j] += turn * by_v.m[i][j];
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

/* A row, from column FIRST on, += BY_A and BY_G times the rows of the biases. */
static inline void add_biases(double *restrict to, int first, const double by_a[3],
                              const double by_g[3], row *c) {
    row *a = c + ESKF_ACCELEROMETER, *g = c + ESKF_GYROSCOPE;
    double a0 = by_a[0], a1 = by_a[1], a2 = by_a[2], g0 = by_g[0], g1 = by_g[1], g2 = by_g[2];
    for (int j = first; j < ESKF_STATES; j++)
        to[j] += g0 * g[0][j] + g1 * g[1][j] + g2 * g[2][j] -
                 (a0 * a[0][j] + a1 * a[1][j] + a2 * a[2][j]);
}

/* C = transition * C, where that is needed for what is not below the diagonal of the result. A row
 * is made of itself and of rows that come later. */
static void move_rows(const passage *m, row *c) {
    const eskf *x = m->of;
    row *r = c + ESKF_POSITION, *n = c + ESKF_VELOCITY, *f = c + ESKF_ATTITUDE,
        *g = c + ESKF_GYROSCOPE;
    double t = x->time, sag = m->sag, lean = m->lean;
    for (int j = 0; j < ESKF_STATES; j++) {
        r[0][j] += t * n[0][j] - sag * f[1][j];
        r[1][j] += t * n[1][j] + sag * f[0][j];
        r[2][j] += t * n[2][j];
    }
    for (int j = ESKF_VELOCITY; j < ESKF_STATES; j++) {
        n[0][j] -= lean * f[1][j];
        n[1][j] += lean * f[0][j];
    }
    for (int i = 0; i < 3; i++) {
        add_biases(r[i], ESKF_POSITION, x->moved.m[i], m->to_position.m[i], c);
        add_biases(n[i], ESKF_VELOCITY, x->turned.m[i], m->to_velocity.m[i], c);
        for (int j = ESKF_ATTITUDE; j < ESKF_STATES; j++)
            f[i][j] -= x->turned.m[i][0] * g[0][j] + x->turned.m[i][1] * g[1][j] +
                       x->turned.m[i][2] * g[2][j];
    }
    for (int i = ESKF_ACCELEROMETER; i < ESKF_STATES; i++) {
        double decay = i < ESKF_GYROSCOPE ? x->accelerometer_decay : x->gyroscope_decay;
        for (int j = i; j < ESKF_STATES; j++)
            c[i][j] *= decay;
    }
}

static inline double row_times(const double block[3], const double *x) {
    return block[0] * x[0] + block[1] * x[1] + block[2] * x[2];
}

/* One row C of C * transition', from the errors FIRST on. */
static inline void move_columns(const passage *m, double *c, int first) {
    double *r = c + ESKF_POSITION, *n = c + ESKF_VELOCITY, *f = c + ESKF_ATTITUDE,
           *a = c + ESKF_ACCELEROMETER, *g = c + ESKF_GYROSCOPE;
    if (first <= ESKF_POSITION) {
        r[0] += m->of->time * n[0] - m->sag * f[1];
        r[1] += m->of->time * n[1] + m->sag * f[0];
        r[2] += m->of->time * n[2];
        for (int i = 0; i < 3; i++)
            r[i] += row_times(m->to_position.m[i], g) - row_times(m->of->moved.m[i], a);
    }
    if (first <= ESKF_VELOCITY) {
        n[0] -= m->lean * f[1];
        n[1] += m->lean * f[0];
        for (int i = 0; i < 3; i++)
            n[i] += row_times(m->to_velocity.m[i], g) - row_times(m->of->turned.m[i], a);
    }
    if (first <= ESKF_ATTITUDE)
        for (int i = 0; i < 3; i++)
            f[i] -= row_times(m->of->turned.m[i], g);
    for (int i = 0; i < 3; i++) {
        a[i] *= m->of->accelerometer_decay;
        g[i] *= m->of->gyroscope_decay;
    }
}

static void move_covariance(const passage *m, row *c) {
    move_rows(m, c);
    for (int i = 0; i < 3; i++) {
        move_columns(m, c[ESKF_POSITION + i], ESKF_POSITION);
        move_columns(m, c[ESKF_VELOCITY + i], ESKF_VELOCITY);
        move_columns(m, c[ESKF_ATTITUDE + i], ESKF_ATTITUDE);
        move_columns(m, c[ESKF_ACCELEROMETER + i], ESKF_ACCELEROMETER);
        move_columns(m, c[ESKF_GYROSCOPE + i], ESKF_GYROSCOPE);
    }
}

void hk_auv_eskf_settle(eskf *x, const eskf_tuning *k) {
    if (x->lately > 0)
        gather_motion(x);
    if (!(x->time > 0))
        return;
    passage m = passage_of(x, k->gravity);
    add_noise(x, k);
    hk_auv_eskf_mirror(x);
    move_covariance(&m, x->covariance);
    add_noise(x, k);
    hk_auv_eskf_mirror(x);
    forget_motion(x);
}

/* ---- a step ---- */

/* The corrections of an instant come before it is left. */
static void begin_motion(eskf *x) {
    if (x->lately > 0)
        return;
    x->there_position = x->position;
    x->there_velocity = x->velocity;
    x->there_attitude = x->attitude;
}

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
    begin_motion(x);
    x->accelerometer_decay *= x->decay[0];
    x->gyroscope_decay *= x->decay[1];
    x->lately += h;
    x->position = hk_geo_add(x->position, way);
    x->velocity = hk_geo_add(x->velocity, hk_geo_scale(h, a));
    x->attitude = hk_geo_normalised(hk_geo_quaternion_product(half, turn));
    x->rotation = hk_geo_matrix_of_quaternion(x->attitude);
    x->rotation_speed = w;
    x->accelerometer_bias = hk_geo_scale(x->decay[0], x->accelerometer_bias);
    x->gyroscope_bias = hk_geo_scale(x->decay[1], x->gyroscope_bias);
    if (x->time + x->lately >= k->covariance_period - 0.5 * h)
        hk_auv_eskf_settle(x, k);
    else if (x->lately >= GATHERED - 0.5 * h)
        gather_motion(x);
}

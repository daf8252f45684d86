/* SPDX-License-Identifier: MIT
 *
 * How measurements correct the estimate. */
#include "eskf.h"

typedef double row[ESKF_STATES];

/* Of up to three numbers: how they differ from what was expected, what of that is noise, and how
 * they depend on the errors. Only the errors from FIRST to LAST matter. */
typedef struct measurement {
    int sensor, size;
    double innovation[3], variance[3];
    double sensitivity[3][ESKF_STATES];
    int first, last;
} measurement;

/* What is expected of it: C H' (one line for each error), S = H C H' + R, and S as the product of a
 * triangle with itself. */
typedef struct weight {
    double seen[ESKF_STATES][3], expected[3][3], root[3][3];
} weight;

/* ---- the limit of what is believed ---- */

/* The distribution of the length u of a vector of SIZE normal numbers, summed up by Simpson's rule
 * until it is reached. It is done once, so a simple way is good enough. */
static double density(int size, double u) {
    double bell = hk_exp(-0.5 * u * u);
    return size == 2 ? u * bell
                     : 0.79788456080286536 /* sqrt(2/pi) */ * (size == 1 ? 1 : u * u) * bell;
}

double hk_auv_eskf_limit(int size, double probability) {
    const double width = 1.0 / 1024;
    double sum = 0, u = 0;
    for (double added; u < 12; u += width, sum += added) {
        added = width / 6 *
                (density(size, u) + 4 * density(size, u + 0.5 * width) + density(size, u + width));
        if (sum + added >= probability) {
            double at = u + width * (probability - sum) / added;
            return at * at;
        }
    }
    return u * u;
}

static bool is_beyond(eskf *x, const eskf_tuning *k, const measurement *z, double nis) {
    if (k->gate == 0)
        return false;
    if (k->gate != x->known_gate) {
        x->known_gate = k->gate;
        for (int i = 0; i < 3; i++)
            x->limit[i] = hk_auv_eskf_limit(i + 1, k->gate);
    }
    return !(nis < x->limit[z->size - 1]);
}

/* ---- doubt ---- */

/* An estimate that is wrong would refuse all that could put it right. So when patience ends, the
 * errors that the measurement sees become as large as it says that they are. */
static void widen(eskf *x, const measurement *z, double variance) {
    int first = z->sensor == ESKF_DVL ? ESKF_VELOCITY : ESKF_POSITION;
    int from = z->sensor == ESKF_DEPTH ? 2 : 0, to = z->sensor == ESKF_GPS ? 2 : 3;
    for (int i = first + from; i < first + to; i++)
        x->covariance[i][i] += variance;
}

/* A heading that went wrong leaves the position where it is, so the error r turns against it; the
 * velocity has turned with it, if a DVL saw to that. It is turned back as a whole, for an error of
 * a position far from the origin is not small any more. */
static void turn_back(eskf *x, measurement *z, double variance) {
    row *c = x->covariance;
    hk_geo_vector3 turn = hk_geo_vector(0, 0, z->innovation[0]);
    hk_geo_matrix3 p = hk_geo_skew(x->position), e = hk_geo_matrix_of_turn(turn);
    double speed = hk_geo_dot(x->velocity, x->velocity);
    for (int i = 0; i < 3; i++) {
        c[ESKF_VELOCITY + i][ESKF_VELOCITY + i] += variance * speed;
        for (int j = 0; j < 3; j++)
            c[ESKF_POSITION + i][ESKF_POSITION + j] += variance * p.m[i][2] * p.m[j][2];
        c[ESKF_POSITION + i][ESKF_ATTITUDE + 2] += variance * p.m[i][2];
        c[ESKF_ATTITUDE + 2][ESKF_POSITION + i] += variance * p.m[i][2];
    }
    c[ESKF_ATTITUDE + 2][ESKF_ATTITUDE + 2] += variance;
    x->attitude =
        hk_geo_normalised(hk_geo_quaternion_product(hk_geo_quaternion_of_turn(turn), x->attitude));
    x->rotation = hk_geo_matrix_of_quaternion(x->attitude);
    x->velocity = hk_geo_apply(&e, x->velocity);
    z->innovation[0] = 0;
}

static void doubt(eskf *x, measurement *z) {
    double variance = 0;
    for (int n = 0; n < z->size; n++)
        variance += z->innovation[n] * z->innovation[n];
    if (z->sensor == ESKF_COMPASS)
        turn_back(x, z, variance);
    else
        widen(x, z, variance);
}

/* ---- the correction ---- */

/* S = L L' of at most 3 x 3; false: it is not positive. */
static bool factorise(int n, double s[3][3]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = s[i][j];
            for (int l = 0; l < j; l++)
                sum -= s[i][l] * s[j][l];
            if (i == j && !(sum > 0))
                return false;
            s[i][j] = i == j ? sqrt(sum) : sum / s[j][j];
        }
    return true;
}

/* y becomes L^-1 y, and then, if ALL, (L L')^-1 y. */
static void solve(int n, double l[3][3], double *y, bool all) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            y[i] -= l[i][j] * y[j];
        y[i] /= l[i][i];
    }
    for (int i = n - 1; all && i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            y[i] -= l[j][i] * y[j];
        y[i] /= l[i][i];
    }
}

/* C = (I - K H) C (I - K H)' + K R K' (Joseph), which is C - K (C H')' - (C H') K' + K S K'. It is
 * symmetric term by term: C - K W' - W K', where W is C H' - K S / 2. */
static void shrink(const measurement *z, eskf *x, const weight *w, double gain[][3]) {
    int m = z->size;
    double half[ESKF_STATES][3];
    for (int i = 0; i < ESKF_STATES; i++)
        for (int n = 0; n < m; n++) {
            half[i][n] = w->seen[i][n];
            for (int l = 0; l < m; l++)
                half[i][n] -= 0.5 * gain[i][l] * w->expected[l][n];
        }
    for (int i = 0; i < ESKF_STATES; i++)
        for (int n = 0; n < m; n++) {
            double by_gain = gain[i][n], by_half = half[i][n];
            for (int j = i; j < ESKF_STATES; j++)
                x->covariance[i][j] -= by_gain * half[j][n] + by_half * gain[j][n];
        }
    hk_auv_eskf_mirror(x);
}

static hk_geo_vector3 part(const double *x) {
    return hk_geo_vector(x[0], x[1], x[2]);
}

static void inject(eskf *x, const double *error) {
    hk_geo_vector3 turn = part(error + ESKF_ATTITUDE);
    hk_geo_matrix3 e = hk_geo_matrix_of_turn(turn);
    x->position = hk_geo_add(hk_geo_apply(&e, x->position), part(error + ESKF_POSITION));
    x->velocity = hk_geo_add(hk_geo_apply(&e, x->velocity), part(error + ESKF_VELOCITY));
    x->attitude =
        hk_geo_normalised(hk_geo_quaternion_product(hk_geo_quaternion_of_turn(turn), x->attitude));
    x->rotation = hk_geo_matrix_of_quaternion(x->attitude);
    x->accelerometer_bias = hk_geo_add(x->accelerometer_bias, part(error + ESKF_ACCELEROMETER));
    x->gyroscope_bias = hk_geo_add(x->gyroscope_bias, part(error + ESKF_GYROSCOPE));
}

/* The normalised innovation squared of a measurement is *ret_nis; false: S is not positive. */
static bool weigh(const eskf *x, const measurement *z, weight *w, double *ret_nis) {
    const double(*c)[ESKF_STATES] = x->covariance;
    int m = z->size;
    double y[3];
    for (int i = 0; i < ESKF_STATES; i++)
        for (int n = 0; n < m; n++) {
            w->seen[i][n] = 0;
            for (int j = z->first; j < z->last; j++)
                w->seen[i][n] += c[i][j] * z->sensitivity[n][j];
        }
    for (int i = 0; i < m; i++) {
        y[i] = z->innovation[i];
        for (int n = 0; n < m; n++) {
            double sum = i == n ? z->variance[n] : 0;
            for (int j = z->first; j < z->last; j++)
                sum += z->sensitivity[i][j] * w->seen[j][n];
            w->root[i][n] = w->expected[i][n] = sum;
        }
    }
    if (!factorise(m, w->root))
        return false;
    solve(m, w->root, y, false);
    *ret_nis = 0;
    for (int n = 0; n < m; n++)
        *ret_nis += y[n] * y[n];
    return true;
}

static void correct(eskf *x, const eskf_tuning *k, measurement *z) {
    int m = z->size;
    weight w = {0};
    double gain[ESKF_STATES][3], nis = 0;
    double error[ESKF_STATES] = {0};
    x->updates[z->sensor]++;
    bool positive = weigh(x, z, &w, &nis);
    if (positive)
        x->nis[z->sensor] = nis;
    if (!positive || is_beyond(x, k, z, nis)) {
        bool patient = k->patience <= 0 || x->in_a_row[z->sensor] < k->patience;
        if (!positive || patient) {
            x->rejected[z->sensor]++;
            x->in_a_row[z->sensor]++;
            return;
        }
        doubt(x, z);
        if (!weigh(x, z, &w, &nis))
            return;
    }
    x->in_a_row[z->sensor] = 0;
    for (int i = 0; i < ESKF_STATES; i++) {
        for (int n = 0; n < m; n++)
            gain[i][n] = w.seen[i][n];
        solve(m, w.root, gain[i], true);
        for (int n = 0; n < m; n++)
            error[i] += gain[i][n] * z->innovation[n];
    }
    shrink(z, x, &w, gain);
    inject(x, error);
}

/* ---- the instruments ---- */

static void put(measurement *z, int line, int first, const double *numbers) {
    for (int j = 0; j < 3; j++)
        z->sensitivity[line][first + j] = numbers[j];
}

/* What a DVL sees of one axis: the gyroscope, whose noise is part of w x arm, shakes it, too; and
 * while its last rotation speed is only held, nobody knows it better than that. */
static double dvl_variance(const eskf *x, const eskf_tuning *k, double sigma, double along) {
    double across = hk_geo_dot(k->dvl_arm, k->dvl_arm) - along * along;
    double shake = x->known_step > 0 ? k->gyroscope_noise * k->gyroscope_noise / x->known_step : 0;
    if (x->held_turn > 0)
        shake += k->held_rotation * k->held_rotation;
    return sigma * sigma + shake * across;
}

/* R' v + w x arm: R' n, and [arm]x g. */
void hk_auv_eskf_dvl(eskf *x, const eskf_tuning *k, hk_geo_vector3 speed) {
    hk_auv_eskf_settle(x, k);
    hk_geo_vector3 expected = hk_geo_add(hk_geo_apply_transposed(&x->rotation, x->velocity),
                                         hk_geo_cross(x->rotation_speed, k->dvl_arm));
    hk_geo_vector3 y = hk_geo_subtract(speed, expected);
    hk_geo_matrix3 turned = hk_geo_transpose(&x->rotation), arm = hk_geo_skew(k->dvl_arm);
    measurement z = {.sensor = ESKF_DVL,
                     .size = 3,
                     .innovation = {y.x, y.y, y.z},
                     .variance = {dvl_variance(x, k, k->dvl_sigma.x, k->dvl_arm.x),
                                  dvl_variance(x, k, k->dvl_sigma.y, k->dvl_arm.y),
                                  dvl_variance(x, k, k->dvl_sigma.z, k->dvl_arm.z)},
                     .first = ESKF_VELOCITY,
                     .last = ESKF_STATES};
    bool at_centre = k->dvl_arm.x == 0 && k->dvl_arm.y == 0 && k->dvl_arm.z == 0;
    if (at_centre)
        z.last = ESKF_VELOCITY + 3;
    for (int i = 0; i < 3; i++) {
        put(&z, i, ESKF_VELOCITY, turned.m[i]);
        put(&z, i, ESKF_GYROSCOPE, arm.m[i]);
    }
    correct(x, k, &z);
}

/* Where an instrument at ARM is: p + R arm, which moves by r + f x (p + R arm). */
static hk_geo_vector3 place(const eskf *x, hk_geo_vector3 arm, hk_geo_matrix3 *ret_by_attitude) {
    hk_geo_vector3 at = hk_geo_add(x->position, hk_geo_apply(&x->rotation, arm));
    *ret_by_attitude = hk_geo_skew(hk_geo_scale(-1, at));
    return at;
}

void hk_auv_eskf_depth(eskf *x, const eskf_tuning *k, double depth) {
    hk_auv_eskf_settle(x, k);
    hk_geo_matrix3 by_attitude;
    hk_geo_vector3 at = place(x, k->depth_arm, &by_attitude);
    measurement z = {.sensor = ESKF_DEPTH,
                     .size = 1,
                     .innovation = {depth - at.z},
                     .variance = {k->depth_sigma * k->depth_sigma},
                     .first = ESKF_POSITION,
                     .last = ESKF_ATTITUDE + 3};
    z.sensitivity[0][ESKF_POSITION + 2] = 1;
    put(&z, 0, ESKF_ATTITUDE, by_attitude.m[2]);
    correct(x, k, &z);
}

void hk_auv_eskf_gps(eskf *x, const eskf_tuning *k, double north, double east) {
    hk_auv_eskf_settle(x, k);
    hk_geo_matrix3 by_attitude;
    hk_geo_vector3 at = place(x, k->gps_arm, &by_attitude);
    double variance = k->gps_sigma * k->gps_sigma;
    measurement z = {.sensor = ESKF_GPS,
                     .size = 2,
                     .innovation = {north - at.x, east - at.y},
                     .variance = {variance, variance},
                     .first = ESKF_POSITION,
                     .last = ESKF_ATTITUDE + 3};
    for (int i = 0; i < 2; i++) {
        z.sensitivity[i][ESKF_POSITION + i] = 1;
        put(&z, i, ESKF_ATTITUDE, by_attitude.m[i]);
    }
    correct(x, k, &z);
}

/* The heading is the direction of the body's x axis on the map: (c, s) = R's first column, level
 * part; turned by f it moves by f_z - (f_x c + f_y s) tan(elevation). */
void hk_auv_eskf_compass(eskf *x, const eskf_tuning *k, double heading) {
    hk_auv_eskf_settle(x, k);
    double north = x->rotation.m[0][0], east = x->rotation.m[1][0], down = x->rotation.m[2][0];
    double level = north * north + east * east;
    if (!(level > 1e-6)) /* the nose points straight up or down: there is none */
        return;
    double expected = hk_atan2(east, north), slope = down / level;
    measurement z = {.sensor = ESKF_COMPASS,
                     .size = 1,
                     .innovation = {hk_geo_turn(expected, heading)},
                     .variance = {k->compass_sigma * k->compass_sigma},
                     .first = ESKF_ATTITUDE,
                     .last = ESKF_ATTITUDE + 3};
    put(&z, 0, ESKF_ATTITUDE, (double[]){-slope * north, -slope * east, 1});
    correct(x, k, &z);
}

/* ---- what is published ---- */

/* Of error I + (f x at)_I. */
static double deviation(const eskf *x, int first, int axis, hk_geo_vector3 at) {
    hk_geo_matrix3 by_attitude = hk_geo_skew(hk_geo_scale(-1, at));
    const double *b = by_attitude.m[axis];
    double sum = x->covariance[first + axis][first + axis];
    for (int i = 0; i < 3; i++) {
        sum += 2 * b[i] * x->covariance[first + axis][ESKF_ATTITUDE + i];
        for (int j = 0; j < 3; j++)
            sum += b[i] * b[j] * x->covariance[ESKF_ATTITUDE + i][ESKF_ATTITUDE + j];
    }
    return sqrt(fmax(sum, 0));
}

void hk_auv_eskf_deviations(const eskf *x, double ret_deviations[ESKF_STATES]) {
    for (int i = 0; i < 3; i++) {
        ret_deviations[ESKF_POSITION + i] = deviation(x, ESKF_POSITION, i, x->position);
        ret_deviations[ESKF_VELOCITY + i] = deviation(x, ESKF_VELOCITY, i, x->velocity);
    }
    for (int i = ESKF_ATTITUDE; i < ESKF_STATES; i++)
        ret_deviations[i] = sqrt(fmax(x->covariance[i][i], 0));
}

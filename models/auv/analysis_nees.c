/* SPDX-License-Identifier: MIT
 *
 * analysis.NeesAnalysis: whether the filter knows how wrong it is. The errors that it has, weighed
 * by the covariance that it believes in (NEES), are 1 per error in the mean; so are its
 * innovations (NIS), per number that was measured. */
#include "navigation.h"

typedef struct nees_analysis {
    hk_geo_vector3 true_position, true_body_speed, true_attitude, true_force_bias, true_gyro_bias;
    hk_geo_vector3 position, velocity, attitude, force_bias, gyro_bias;
    double nis[ESKF_SENSORS];
    int64_t updates[ESKF_SENSORS];
    double nees, mean_nees, horizontal_nees, mean_horizontal_nees, mean_nis[ESKF_SENSORS];
    bool known_biases;
    covariance_source_binding covariance;
    double count, sum, horizontal_sum, nis_sums[ESKF_SENSORS], nis_counts[ESKF_SENSORS];
    int64_t seen[ESKF_SENSORS];
    words why;
} nees_analysis;

#define NEES nees_analysis

static const hk_port nees_analysis_ports[] = {
    XYZ(NEES, true_position, "truePosition", HK_INPUT, "m"),
    XYZ(NEES, true_body_speed, "trueBodySpeed", HK_INPUT, "m/s"),
    XYZ(NEES, true_attitude, "trueAttitude", HK_INPUT, "rad"),
    XYZ(NEES, true_force_bias, "trueAccelerometerBias", HK_INPUT, "m/s2"),
    XYZ(NEES, true_gyro_bias, "trueGyroscopeBias", HK_INPUT, "rad/s"),
    XYZ(NEES, position, "estimatedPosition", HK_INPUT, "m"),
    XYZ(NEES, velocity, "estimatedVelocity", HK_INPUT, "m/s"),
    XYZ(NEES, attitude, "estimatedAttitude", HK_INPUT, "rad"),
    XYZ(NEES, force_bias, "estimatedAccelerometerBias", HK_INPUT, "m/s2"),
    XYZ(NEES, gyro_bias, "estimatedGyroscopeBias", HK_INPUT, "rad/s"),
    NAMED(NEES, nis, "nis", HK_INPUT, HK_TYPE_F64, .count = ESKF_SENSORS),
    NAMED(NEES, updates, "updates", HK_INPUT, HK_TYPE_I64, .count = ESKF_SENSORS),
    NUMBER_OUT(NEES, nees, "nees", NULL),
    NUMBER_OUT(NEES, mean_nees, "meanNees", NULL),
    NUMBER_OUT(NEES, horizontal_nees, "horizontalNees", NULL),
    NUMBER_OUT(NEES, mean_horizontal_nees, "meanHorizontalNees", NULL),
    NAMED(NEES, mean_nis, "meanNis", HK_OUTPUT, HK_TYPE_F64, .count = ESKF_SENSORS),
    TRUTH_PARAMETER(NEES, known_biases, "knownBiases", "false"),
};

/* ---- the errors, as eskf.h defines them ---- */

static void store(double *to, hk_geo_vector3 v) {
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static hk_geo_matrix3 matrix_of(hk_geo_vector3 angles) {
    return hk_geo_matrix_of_euler((hk_geo_euler){angles.x, angles.y, angles.z});
}

static void find_errors(const NEES *x, double *ret_error) {
    hk_geo_matrix3 r = matrix_of(x->true_attitude), believed = matrix_of(x->attitude);
    hk_geo_matrix3 back = hk_geo_transpose(&believed), turn = hk_geo_multiply(&r, &back);
    hk_geo_vector3 v = hk_geo_apply(&r, x->true_body_speed);
    store(ret_error + ESKF_POSITION,
          hk_geo_subtract(x->true_position, hk_geo_apply(&turn, x->position)));
    store(ret_error + ESKF_VELOCITY, hk_geo_subtract(v, hk_geo_apply(&turn, x->velocity)));
    store(ret_error + ESKF_ATTITUDE, hk_geo_turn_of_matrix(&turn));
    store(ret_error + ESKF_ACCELEROMETER, hk_geo_subtract(x->true_force_bias, x->force_bias));
    store(ret_error + ESKF_GYROSCOPE, hk_geo_subtract(x->true_gyro_bias, x->gyro_bias));
}

/* ---- weighed ---- */

/* error' C^-1 error by C = L L', in place; less than 0: C is not a covariance. */
static double weigh(int n, double c[ESKF_STATES][ESKF_STATES], double *error) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double rest = c[i][j];
            for (int k = 0; k < j; k++)
                rest -= c[i][k] * c[j][k];
            if (i == j && !(rest > 0))
                return -1;
            c[i][j] = i == j ? sqrt(rest) : rest / c[j][j];
        }
        for (int j = 0; j < i; j++)
            error[i] -= c[i][j] * error[j];
        error[i] /= c[i][i];
        sum += error[i] * error[i];
    }
    return sum;
}

/* Of north and east, plain: r + f x p. */
static double weigh_horizontal(const NEES *x, double c[ESKF_STATES][ESKF_STATES]) {
    double map[2][ESKF_ATTITUDE + 3] = {{0}}, plain[ESKF_STATES][ESKF_STATES];
    hk_geo_matrix3 by_attitude = hk_geo_skew(hk_geo_scale(-1, x->position));
    for (int i = 0; i < 2; i++) {
        map[i][ESKF_POSITION + i] = 1;
        for (int j = 0; j < 3; j++)
            map[i][ESKF_ATTITUDE + j] = by_attitude.m[i][j];
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            double sum = 0;
            for (int k = 0; k < ESKF_ATTITUDE + 3; k++)
                for (int l = 0; l < ESKF_ATTITUDE + 3; l++)
                    sum += map[i][k] * c[k][l] * map[j][l];
            plain[i][j] = sum;
        }
    double error[2] = {x->true_position.x - x->position.x, x->true_position.y - x->position.y};
    return weigh(2, plain, error);
}

static void count_innovations(NEES *x) {
    static const double sizes[ESKF_SENSORS] = {3, 1, 2, 1};
    for (int i = 0; i < ESKF_SENSORS; i++) {
        if (x->updates[i] == x->seen[i])
            continue;
        x->seen[i] = x->updates[i];
        x->nis_sums[i] += x->nis[i] / sizes[i];
        x->mean_nis[i] = x->nis_sums[i] / ++x->nis_counts[i];
    }
}

static int nees_analysis_step(void *self, double t, double h) {
    NEES *x = self;
    double c[ESKF_STATES][ESKF_STATES], error[ESKF_STATES];
    int n = x->known_biases ? ESKF_STATES : ESKF_ACCELEROMETER;
    (void)t, (void)h;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            c[i][j] = c[j][i] = x->covariance.functions->get_covariance(x->covariance.self, i, j);
    find_errors(x, error);
    double horizontal = weigh_horizontal(x, c), nees = weigh(n, c, error);
    if (nees < 0 || horizontal < 0)
        return hk_auv_fail(&x->why, "there is no covariance that NEES could be computed with: the "
                                    "navigation function is not Eskf, or its covariance is not "
                                    "positive");
    x->nees = nees;
    x->horizontal_nees = horizontal;
    x->sum += nees / n;
    x->horizontal_sum += 0.5 * horizontal;
    x->count++;
    x->mean_nees = x->sum / x->count;
    x->mean_horizontal_nees = x->horizontal_sum / x->count;
    count_innovations(x);
    return HK_STEP_OK;
}

COMPLAINT(nees_analysis)

static const hk_service nees_analysis_services[] = {
    {"rCovariance", &hk_auv_covariance_source, NULL, offsetof(nees_analysis, covariance)}};

const hk_unit_type hk_auv_nees_analysis = {
    AUV_TYPE(nees_analysis, "analysis.NeesAnalysis", nees_analysis_ports),
    .step = nees_analysis_step, SERVICES(nees_analysis_services),
    .complaint = nees_analysis_complaint};

/* SPDX-License-Identifier: MIT
 *
 * The terms of the errors of sensors: what a million samples of each device say about the numbers
 * that its sources give, and each term by itself. */
#include "leaf_rig.h"
#include "sensors_types.h"

enum { SAMPLES = 1000000, RUNS = 20000 };

/* What looks at memory as well is slow: it looks at some of the devices. */
#ifdef __SANITIZE_ADDRESS__
enum { DEVICE_STEP = 9 };
#else
enum { DEVICE_STEP = 1 };
#endif

static double samples[SAMPLES];

/* ---- statistics ---- */

static double variance(const double *x, size_t count) {
    double mean = 0, sum = 0;
    for (size_t i = 0; i < count; i++)
        mean += x[i];
    mean /= (double)count;
    for (size_t i = 0; i < count; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return sum / (double)count;
}

/* The Allan deviation of clusters of M samples. */
static double allan(const double *x, size_t count, size_t m) {
    double before = 0, sum = 0;
    size_t clusters = count / m;
    for (size_t i = 0; i < clusters; i++) {
        double mean = 0;
        for (size_t k = 0; k < m; k++)
            mean += x[i * m + k];
        mean /= (double)m;
        if (i > 0)
            sum += (mean - before) * (mean - before);
        before = mean;
    }
    return sqrt(sum / (2 * ((double)clusters - 1)));
}

static void assert_within_5_percent(const char *what, double value, double expected) {
    if (!(fabs(value / expected - 1) < 0.05))
        fail_msg("%s: %.6g is not %.6g within 5 %%", what, value, expected);
}

/* Allan deviation of a Gauss-Markov process of deviation 1 over clusters of u times its time. */
static double markov_allan(double u) {
    return sqrt(2 / u * (1 - (3 - 4 * hk_exp(-u) + hk_exp(-2 * u)) / (2 * u)));
}

/* ---- devices ---- */

#define DEG (PI / 180)
#define G   9.80665

/* What the sources say (facts of each device), in SI. */
typedef struct device {
    const hk_unit_type *type;
    const char *name;
    const char *port; /* what is looked at */
    double density, sigma;
    double markov, time;
    double bias, scale, axes; /* deviations from run to run */
} device;

static const device devices[] = {
    {&hk_auv_gyro_error, "Stim300", "out.x", 0.15 * DEG / 60, 0, 0.5 * DEG / 3600, 100,
     4 * DEG / 3600, 500e-6, 1e-3},
    {&hk_auv_gyro_error, "Adis16448", "out.y", 3.394e-4, 0, 3.8785e-5 * 22.360679775, 1000, 0.0087,
     0, 0},
    {&hk_auv_gyro_error, "XsensMti1", "out.z", 0.007 * DEG, 0, 10 * DEG / 3600, 100, 0, 0, 0},
    {&hk_auv_gyro_error, "Low", "out.x", 0.75 * DEG / 60, 0, 10 * DEG / 3600, 100, 0, 0, 0},
    {&hk_auv_gyro_error, "Middle", "out.x", 0.25 * DEG / 60, 0, 3.5 * DEG / 3600, 100, 0, 0, 0},
    {&hk_auv_gyro_error, "High", "out.x", 0.002 * DEG / 60, 0, 0.1 * DEG / 3600, 100, 0, 0, 0},
    {&hk_auv_gyro_error, "MssTest", "out.x", 0, 0, 8 * DEG / 3600, 300, 0, 0, 0},
    {&hk_auv_gyro_error, "Kvh1750", "out.x", 0.012 * DEG / 60, 0, 0.05 * DEG / 3600, 100, 0, 0, 0},
    {&hk_auv_accelerometer_error, "Stim300", "out.z", 0.06 / 60, 0, 0.05e-3 * G, 100, 0.75e-3 * G,
     300e-6, 1e-3},
    {&hk_auv_accelerometer_error, "Adis16448", "out.x", 0.004, 0, 0.006 * 12.247448714, 300, 0.196,
     0, 0},
    {&hk_auv_accelerometer_error, "XsensMti1", "out.x", 120e-6 * G, 0, 0.03e-3 * G, 100, 0, 0, 0},
    {&hk_auv_accelerometer_error, "Low", "out.x", 0.05 / 60, 0, 2e-4, 100, 0, 0, 0},
    {&hk_auv_accelerometer_error, "Middle", "out.x", 0.03 / 60, 0, 5e-5, 100, 0, 0, 0},
    {&hk_auv_accelerometer_error, "High", "out.x", 2.5e-5 / 60, 0, 3.6e-6, 100, 0, 0, 0},
    {&hk_auv_accelerometer_error, "MssTest", "out.x", 0, 0, 20e-6 * G, 300, 0, 0, 0},
    /* A beam of s m/s: s / (sqrt(2) sin) ahead, s / (2 cos) down. */
    {&hk_auv_dvl_error, "Workhorse600", "out.x", 0, 0.005 / (1.41421356 * 0.5), 0, 0, 0.001, 0.002,
     0},
    {&hk_auv_dvl_error, "Dvl1000", "out.y", 0, 0.005 / (1.41421356 * 0.422618), 0, 0, 0, 0, 0},
    {&hk_auv_dvl_error, "Dvl500", "out.z", 0, 0.005 / (2 * 0.906308), 0, 0, 0, 0, 0},
    {&hk_auv_dvl_error, "Syrinx600", "out.x", 0, 0.0022 / (1.41421356 * 0.5), 0, 0, 0, 0, 0},
    {&hk_auv_dvl_error, "Explorer", "out.z", 0, 0.0185 / (2 * 0.866025), 0, 0, 0, 0, 0},
    {&hk_auv_dvl_error, "A50", "out.x", 0, 0.026 / (1.41421356 * 0.382683), 0, 0, 0, 0.01, 0},
    {&hk_auv_gps_error, "Low", "out.x", 0, 5, 0, 0, 0, 0, 0},
    {&hk_auv_gps_error, "Low", "out.z", 0, 7, 0, 0, 0, 0, 0},
    {&hk_auv_gps_error, "Sbas", "out.y", 0, 2, 0, 0, 0, 0, 0},
    {&hk_auv_gps_error, "Sbas", "out.z", 0, 3, 0, 0, 0, 0, 0},
    {&hk_auv_gps_error, "Rtk", "out.x", 0, 0.02, 0, 0, 0, 0, 0},
    {&hk_auv_gps_error, "Rtk", "out.z", 0, 0.03, 0, 0, 0, 0, 0},
    {&hk_auv_depth_error, "UuvSimulator", "out", 0, 3000 / (1025 * G), 0, 0, 0, 0, 0},
    {&hk_auv_depth_error, "Quartz", "out", 0, 0, 0, 0, 0.1, 0, 0},
    {&hk_auv_depth_error, "Piezo", "out", 0, 0, 0, 0, 1, 0, 0},
    {&hk_auv_compass_error, "UuvSimulator", "out", 0, 1.2 / 65, 0, 0, 2.0 / 65, 0, 0},
    {&hk_auv_compass_error, "Good", "out", 0, 0.3 * DEG, 0, 0, 0, 0, 0},
    {&hk_auv_compass_error, "Plain", "out", 0, 1 * DEG, 0, 0, 0, 0, 0},
};

static bool has_axes(const device *d) {
    return d->type != &hk_auv_depth_error && d->type != &hk_auv_compass_error;
}

/* What each device has beside what is looked at is switched off. */
static leaf make(const device *d) {
    leaf x = leaf_new(d->type);
    leaf_set(&x, "preset", leaf_item(&x, "preset", d->name));
    leaf_set(&x, "period", -1);
    if (d->type == &hk_auv_dvl_error) {
        leaf_set(&x, "rangeMin", -1);
        leaf_set(&x, "rangeMax", -1);
    }
    return x;
}

static void leave_out(const leaf *x, const char *names) {
    char all[200];
    snprintf(all, sizeof all, "%s", names);
    for (char *name = strtok(all, " "); name; name = strtok(NULL, " "))
        leaf_set(x, name, -1);
}

static void record(const leaf *x, const char *port, double h) {
    const double *value = leaf_field(x, port);
    for (size_t i = 0; i < SAMPLES; i++) {
        x->type->step(x->self, (double)i * h, h);
        samples[i] = *value;
    }
}

static void check_white(const device *d) {
    leaf x = make(d);
    leave_out(&x, "biasSigma markovSigma scaleSigma");
    if (has_axes(d))
        leave_out(&x, "misalignmentSigma");
    double h = 0.01, sigma = d->density > 0 ? d->density / sqrt(h) : d->sigma;
    record(&x, d->port, h);
    assert_within_5_percent(d->name, variance(samples, SAMPLES), sigma * sigma);
    double deviation[3];
    for (int i = 0, m = 1; i < 3; i++, m *= 10) {
        deviation[i] = allan(samples, SAMPLES, (size_t)m);
        assert_within_5_percent(d->name, deviation[i], sigma / sqrt(m));
    }
    assert_near(hk_log10(deviation[2] / deviation[0]) / 2, -0.5, 0.025);
    leaf_free(&x);
}

static void check_markov(const device *d) {
    leaf x = make(d);
    leave_out(&x, "biasSigma scaleSigma noiseDensity misalignmentSigma");
    double h = d->time / 10;
    record(&x, d->port, h);
    assert_within_5_percent(d->name, variance(samples, SAMPLES), d->markov * d->markov);
    /* Samples are points, not means: clusters of many of them are near enough to those of the
     * formula. 1.89 is where it has its maximum. */
    assert_within_5_percent(d->name, allan(samples, SAMPLES, 19), 0.617 * d->markov);
    assert_within_5_percent(d->name, allan(samples, SAMPLES, 50), d->markov * markov_allan(5));
    assert_within_5_percent(d->name, allan(samples, SAMPLES, 200), d->markov * markov_allan(20));
    leaf_free(&x);
}

/* All of it at once: the variance is the sum. */
static void check_all(const device *d) {
    leaf x = make(d);
    double h = d->time / 10;
    record(&x, d->port, h);
    double white = d->density * d->density / h;
    assert_within_5_percent(d->name, variance(samples, SAMPLES), white + d->markov * d->markov);
    leaf_free(&x);
}

/* From run to run: the bias of a truth of 0, the scale of one of 1, the axes of one beside it. */
static void check_runs(const device *d) {
    leaf x = leaf_new(d->type);
    double preset = leaf_item(&x, "preset", d->name);
    double bias[2] = {0}, scale = 0, axes = 0;
    if (d->type == &hk_auv_depth_error || d->type == &hk_auv_compass_error)
        assert_true(d->scale == 0 && d->axes == 0);
    for (int i = 0; i < RUNS; i++) {
        leaf_reset(&x, (uint64_t)i);
        leaf_set(&x, "preset", preset);
        leave_out(&x, "markovSigma noiseDensity sigma");
        if (d->type == &hk_auv_dvl_error)
            leave_out(&x, "beamNoise rangeMin rangeMax");
        leaf_step(&x, 0, 0.01);
        double zero = leaf_get(&x, d->port);
        bias[0] += zero;
        bias[1] += zero * zero;
        if (d->scale == 0)
            continue;
        leaf_set3(&x, "in", 1000, 0, 0);
        leaf_step(&x, 1, 0.01);
        double error = (leaf_get(&x, "out.x") - 1000) / 1000;
        scale += error * error;
        double aside = leaf_get(&x, "out.y") / 1000;
        axes += aside * aside;
    }
    double mean = bias[0] / RUNS;
    if (d->bias > 0)
        assert_within_5_percent(d->name, bias[1] / RUNS - mean * mean, d->bias * d->bias);
    else
        assert_near(bias[1], 0, 0);
    if (d->scale > 0)
        assert_within_5_percent(d->name, scale / RUNS, d->scale * d->scale);
    if (d->axes > 0)
        assert_within_5_percent(d->name, axes / RUNS, d->axes * d->axes);
    leaf_free(&x);
}

/* A bias that wanders has always done so: in the first sample of a run it is as large as later. */
static void check_first(const device *d) {
    leaf x = leaf_new(d->type);
    double preset = leaf_item(&x, "preset", d->name), sum = 0;
    for (int i = 0; i < RUNS; i++) {
        leaf_reset(&x, (uint64_t)i);
        leaf_set(&x, "preset", preset);
        leave_out(&x, "biasSigma scaleSigma noiseDensity misalignmentSigma");
        leaf_step(&x, 0, 0.01);
        sum += leaf_get(&x, d->port) * leaf_get(&x, d->port);
    }
    assert_within_5_percent(d->name, sum / RUNS, d->markov * d->markov);
    leaf_free(&x);
}

static void test_white_noise_of_each_device(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT(devices); i += DEVICE_STEP)
        if (devices[i].density > 0 || devices[i].sigma > 0)
            check_white(&devices[i]);
}

static void test_wandering_bias_of_each_device(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT(devices); i += DEVICE_STEP)
        if (devices[i].markov > 0)
            check_markov(&devices[i]);
    check_first(&devices[0]);
    check_first(&devices[9]);
}

static void test_sum_of_terms(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT(devices);
         i += 4 * DEVICE_STEP) /* of some: the sum is made at one place */
        if (devices[i].markov > 0)
            check_all(&devices[i]);
}

static void test_what_is_drawn_once_in_a_run(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT(devices); i++)
        if (devices[i].bias > 0 || devices[i].scale > 0)
            check_runs(&devices[i]);
}

/* Each item of an enumeration that is not None is one of the devices above, or Bar30. */
static void test_every_device_is_looked_at(void **unused) {
    (void)unused;
    const hk_unit_type *types[] = {HK_AUV_SENSORS};
    for (size_t i = 0; i < COUNT(types); i++)
        for (size_t k = 0; types[i]->streams && k < types[i]->domains[0].enumeration->item_count;
             k++) {
            const char *name = types[i]->domains[0].enumeration->items[k].name;
            bool found = strcmp(name, "None") == 0 || strcmp(name, "Bar30") == 0;
            for (size_t d = 0; d < COUNT(devices) && !found; d++)
                found = devices[d].type == types[i] && strcmp(devices[d].name, name) == 0;
            if (!found)
                fail_msg("%s: nothing looks at %s", types[i]->name, name);
        }
}

/* ---- single terms ---- */

static const hk_unit_type *const error_types[] = {&hk_auv_gyro_error,  &hk_auv_accelerometer_error,
                                                  &hk_auv_dvl_error,   &hk_auv_gps_error,
                                                  &hk_auv_depth_error, &hk_auv_compass_error};

static const char *input_of(const hk_unit_type *type) {
    return type == &hk_auv_compass_error                              ? "attitude"
           : type == &hk_auv_depth_error || type == &hk_auv_gps_error ? "nedPosition"
                                                                      : "in";
}

static void test_no_errors_are_the_truth(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT(error_types); i++) {
        leaf x = leaf_new(error_types[i]);
        bool one = error_types[i] == &hk_auv_depth_error || error_types[i] == &hk_auv_compass_error;
        for (int k = 0; k < 1000; k++) {
            const double truth[3] = {0.1 * k - 7.3, 1e-3 / (k + 1), -0.123456789012345 * k};
            leaf_set3(&x, input_of(error_types[i]), truth[0], truth[1], truth[2]);
            leaf_step(&x, k * 0.001, 0.001);
            if (one)
                assert_memory_equal(leaf_field(&x, "out"), &truth[2], sizeof(double));
            else
                assert_memory_equal(leaf_field(&x, "out.x"), truth, sizeof truth);
            assert_true(leaf_get(&x, "valid") == 1);
            assert_true(leaf_get(&x, "stamp") == k * 0.001 + 0.001);
        }
        leaf_free(&x);
    }
}

/* Terms that are there, but none of which changes a value, change no bit either. */
static void test_errors_of_zero_by_the_long_way_are_the_truth(void **unused) {
    (void)unused;
    for (size_t i = 0; i < COUNT(error_types); i++) {
        leaf x = leaf_new(error_types[i]);
        leaf_set(&x, "sigma", -1);
        leaf_set(&x, "range", 1e9);
        bool one = error_types[i] == &hk_auv_depth_error || error_types[i] == &hk_auv_compass_error;
        for (int k = 0; k < 10; k++) {
            const double truth[3] = {0.1 * k - 2.3, 1e-3 / (k + 1), -0.123456789012345 * k};
            leaf_set3(&x, input_of(error_types[i]), truth[0], truth[1], truth[2]);
            leaf_step(&x, k * 0.001, 0.001);
            if (one)
                assert_memory_equal(leaf_field(&x, "out"), &truth[2], sizeof(double));
            else
                assert_memory_equal(leaf_field(&x, "out.x"), truth, sizeof truth);
        }
        leaf_free(&x);
    }
}

static void test_random_walk(void **unused) {
    (void)unused;
    leaf x = leaf_new(&hk_auv_gyro_error);
    leaf_set(&x, "randomWalk", 0.01);
    double h = 0.1, k = 0.01;
    record(&x, "out.x", h);
    double deviation[3];
    for (int i = 0, m = 1; i < 3; i++, m *= 10)
        deviation[i] = allan(samples, SAMPLES, (size_t)m);
    /* Of points, K sqrt(T / 3) holds for long clusters; one sample: half of K^2 h. */
    assert_within_5_percent("one", deviation[0], k * sqrt(h / 2));
    assert_within_5_percent("ten", deviation[1], k * sqrt(10 * h / 3));
    assert_within_5_percent("hundred", deviation[2], k * sqrt(100 * h / 3));
    assert_near(hk_log10(deviation[2] / deviation[1]), 0.5, 0.025);
    for (size_t i = SAMPLES - 1; i > 0; i--)
        samples[i] -= samples[i - 1];
    assert_within_5_percent("steps", variance(samples + 1, SAMPLES - 1), k * k * h);
    leaf_free(&x);
}

/* 1 + scale + axes on the truth, then biases, then the limits: each order but this has another
 * result. */
static void test_order_of_terms(void **unused) {
    (void)unused;
    leaf x = leaf_new(&hk_auv_accelerometer_error);
    leaf_set3(&x, "scale", 0.5, 0, 0);
    leaf_set3(&x, "misalignment", 0, 0, 0.25);
    leaf_set3(&x, "nonOrthogonality", 0.125, 0, 0);
    leaf_set3(&x, "bias", 1, -1, 0);
    leaf_set3(&x, "drift", 0, 0, 2);
    leaf_set3(&x, "in", 2, 4, 8);
    leaf_set(&x, "resolution", 0.7);
    leaf_step(&x, 0, 1);
    /* x: 1.5 * 2 + (0.25 + 0.125) * 4 + 1 = 5.5; y: 4 - 0.25 * 2 - 1 = 2.5; z: 8 + 2 * 1 = 10 */
    assert_near(leaf_get(&x, "out.x"), 0.7 * 8, 1e-12);
    assert_near(leaf_get(&x, "out.y"), 0.7 * 4, 1e-12);
    assert_near(leaf_get(&x, "out.z"), 0.7 * 14, 1e-12);
    /* Saturation comes before the last digit: 5 is between two of them. */
    leaf_set(&x, "range", 5);
    leaf_step(&x, 1, 1);
    assert_near(leaf_get(&x, "out.x"), 0.7 * 7, 1e-12);
    assert_near(leaf_get(&x, "out.z"), 0.7 * 7, 1e-12);
    leaf_set(&x, "resolution", -1);
    leaf_step(&x, 2, 1);
    assert_near(leaf_get(&x, "out.x"), 5, 0);
    assert_near(leaf_get(&x, "out.y"), 2.5, 1e-12);
    leaf_free(&x);
}

static void test_misalignment_is_a_small_turn(void **unused) {
    (void)unused;
    leaf x = leaf_new(&hk_auv_gyro_error), y = leaf_new(&hk_auv_body_to_gyro);
    const double turn[3] = {1e-5, -2e-5, 3e-5};
    leaf_set3(&x, "misalignment", turn[0], turn[1], turn[2]);
    leaf_set(&y, "roll", turn[0] / DEG);
    leaf_set(&y, "pitch", turn[1] / DEG);
    leaf_set(&y, "yaw", turn[2] / DEG);
    leaf_set3(&x, "in", 1, 2, 3);
    leaf_set3(&y, "in", 1, 2, 3);
    leaf_step(&x, 0, 1);
    leaf_step(&y, 0, 1);
    assert_near(leaf_get(&x, "out.x"), leaf_get(&y, "out.x"), 1e-8);
    assert_near(leaf_get(&x, "out.y"), leaf_get(&y, "out.y"), 1e-8);
    assert_near(leaf_get(&x, "out.z"), leaf_get(&y, "out.z"), 1e-8);
    assert_true(fabs(leaf_get(&y, "out.x") - 1) > 1e-6);
    leaf_free(&x);
    leaf_free(&y);
}

static void test_saturation_and_steps_of_noise(void **unused) {
    (void)unused;
    leaf x = leaf_new(&hk_auv_gyro_error);
    leaf_set(&x, "sigma", 1);
    leaf_set(&x, "range", 1);
    record(&x, "out.x", 0.01);
    size_t above = 0, below = 0;
    for (size_t i = 0; i < SAMPLES; i++) {
        above += samples[i] == 1;
        below += samples[i] == -1;
        assert_true(fabs(samples[i]) <= 1);
    }
    assert_near((double)above / SAMPLES, 0.158655, 0.002);
    assert_near((double)below / SAMPLES, 0.158655, 0.002);
    leaf_reset(&x, 1);
    leaf_set(&x, "sigma", 1);
    leaf_set(&x, "resolution", 0.5);
    record(&x, "out.y", 0.01);
    for (size_t i = 0; i < SAMPLES; i++)
        assert_true(samples[i] * 2 == round(samples[i] * 2));
    /* Sheppard: the error of rounding adds q^2 / 12. */
    assert_near(variance(samples, SAMPLES), 1 + 0.25 / 12, 0.01);
    leaf_free(&x);
    /* Bar30: steps of 2 mm. */
    x = leaf_new(&hk_auv_depth_error);
    leaf_set(&x, "preset", leaf_item(&x, "preset", "Bar30"));
    leaf_set3(&x, "nedPosition", 0, 0, 12.3457);
    leaf_step(&x, 0, 1);
    assert_near(leaf_get(&x, "out"), 12.346, 1e-12);
    leaf_set3(&x, "nedPosition", 0, 0, 400);
    leaf_step(&x, 1, 1);
    assert_near(leaf_get(&x, "out"), 300, 1e-9);
    leaf_free(&x);
}

static void test_lost_samples(void **unused) {
    (void)unused;
    leaf x = leaf_new(&hk_auv_gyro_error);
    leaf_set(&x, "dropout", 0.2);
    size_t lost = 0;
    double last = 0;
    for (int i = 0; i < SAMPLES; i++) {
        leaf_set3(&x, "in", i, 0, 0);
        leaf_step(&x, i * 0.01, 0.01);
        bool valid = leaf_get(&x, "valid") != 0;
        lost += !valid;
        if (valid)
            last = i;
        /* While it is not valid the last valid value holds, with its stamp. */
        assert_true(leaf_get(&x, "out.x") == last);
        if (valid)
            assert_true(leaf_get(&x, "stamp") == i * 0.01 + 0.01);
        else
            assert_true(leaf_get(&x, "stamp") < i * 0.01 + 0.005);
    }
    assert_near((double)lost / SAMPLES, 0.2, 0.002);
    leaf_free(&x);
}

static void test_outages(void **unused) {
    (void)unused;
    leaf x = leaf_new(&hk_auv_gyro_error);
    leaf_set(&x, "outageTime", 0.5);
    leaf_set(&x, "outageInterval", 2);
    size_t lost = 0, outages = 0;
    bool before = true;
    for (int i = 0; i < SAMPLES; i++) {
        leaf_step(&x, i * 0.1, 0.1);
        bool valid = leaf_get(&x, "valid") != 0;
        lost += !valid;
        outages += before && !valid;
        before = valid;
    }
    assert_near((double)lost / SAMPLES, 0.5 / 2.5, 0.01);
    /* The process in continuous time, seen every 0.1 s: rates 2 and 0.5 per s. */
    double recovers = 2.0 / 2.5 * (1 - hk_exp(-2.5 * 0.1));
    assert_within_5_percent("length", (double)lost / (double)outages, 1 / recovers);
    leaf_free(&x);
}

static void test_latency(void **unused) {
    (void)unused;
    leaf x = leaf_new(&hk_auv_gyro_error);
    leaf_set(&x, "latency", 0.0325); /* between two steps */
    for (int i = 0; i < 2000; i++) {
        double now = i * 0.001 + 0.001;
        leaf_set3(&x, "in", 3 * now, 1, -now);
        leaf_step(&x, i * 0.001, 0.001);
        bool valid = leaf_get(&x, "valid") != 0;
        assert_true(valid == (now > 0.0334));
        if (!valid)
            continue;
        assert_near(leaf_get(&x, "out.x"), 3 * (now - 0.0325), 1e-12);
        assert_near(leaf_get(&x, "out.y"), 1, 1e-15);
        assert_near(leaf_get(&x, "stamp"), now - 0.0325, 1e-12);
    }
    /* A last step that is shorter than the others, here by a thousand. */
    leaf_step(&x, 2, 1e-6);
    assert_near(leaf_get(&x, "stamp"), 2 + 1e-6 - 0.0325, 1e-12);
    leaf_set(&x, "latency", 0.6);
    leaf_refuses(&x, 2, 0.001, "a latency of 0.6 s is more than 510 steps of 0.001 s");
    leaf_free(&x);
    /* The heading goes the short way round. */
    x = leaf_new(&hk_auv_compass_error);
    leaf_set(&x, "latency", 0.5);
    leaf_set3(&x, "attitude", 0, 0, 3.1);
    leaf_step(&x, 0, 1);
    leaf_set3(&x, "attitude", 0, 0, -3.1);
    leaf_step(&x, 1, 1);
    assert_near(fabs(leaf_get(&x, "out")), PI, 1e-12);
    leaf_free(&x);
}

static void test_period(void **unused) {
    (void)unused;
    leaf x = leaf_new(&hk_auv_dvl_error);
    leaf_set(&x, "period", 1.0 / 7);
    int count = 0;
    double last = 0;
    for (int i = 0; i < 10000; i++) {
        leaf_set3(&x, "in", i, 0, 0);
        leaf_step(&x, i * 0.001, 0.001);
        assert_true(leaf_get(&x, "valid") == 1);
        if (leaf_get(&x, "out.x") == last && i > 0)
            continue;
        /* The first activation that is not before the first one plus a multiple of the period. */
        double due = 0.001 + count / 7.0;
        assert_true((i + 1) * 0.001 >= due - 1e-6 && (i + 1) * 0.001 < due + 0.001);
        assert_near(leaf_get(&x, "stamp"), (i + 1) * 0.001, 1e-12);
        last = leaf_get(&x, "out.x");
        count++;
    }
    assert_int_equal(count, 70);
    leaf_free(&x);
}

/* Gyroscope and accelerometer are means over a period: of steps 0 to 9, of 10 to 19, ... The number
 * of a step is what is measured in it. */
static void test_period_of_means(void **unused) {
    (void)unused;
    const hk_unit_type *const types[] = {&hk_auv_gyro_error, &hk_auv_accelerometer_error};
    for (int k = 0; k < 2; k++) {
        leaf x = leaf_new(types[k]);
        leaf_set(&x, "period", 0.01);
        for (int i = 0; i < 10000; i++) {
            leaf_set3(&x, "in", i, 2, -i);
            leaf_step(&x, i * 0.001, 0.001);
            int last = (i + 1) / 10 * 10; /* the steps before it are in the last sample */
            assert_true((leaf_get(&x, "valid") == 1) == (last > 0));
            if (last == 0)
                continue;
            assert_near(leaf_get(&x, "out.x"), last - 5.5, 1e-10);
            assert_near(leaf_get(&x, "out.y"), 2, 1e-14);
            assert_near(leaf_get(&x, "out.z"), 5.5 - last, 1e-10);
            assert_near(leaf_get(&x, "stamp"), last * 0.001, 1e-12);
        }
        leaf_free(&x);
    }
}

/* The sum of all samples, each as long as it holds. */
static double integral_of(const leaf *x, const double *rates, int steps) {
    double sum = 0;
    for (int i = 0; i < steps; i++) {
        leaf_set3(x, "in", 0, 0, rates[i]);
        leaf_step(x, i * 0.001, 0.001);
        sum += 0.001 * leaf_get(x, "out.z");
    }
    return sum;
}

/* Turns that begin and end between two samples: nothing of them is lost, nothing is seen twice, not
 * even what happens in the very first step. */
static void test_turns_between_samples(void **unused) {
    (void)unused;
    enum { STEPS = 3000 };
    static double rates[STEPS];
    double whole = 0;
    for (int i = 0; i < STEPS; i++) {
        rates[i] = i == 0 ? -5 : i >= 1003 && i < 1418 ? 0.05 : i == 1777 ? 3 : 0;
        whole += 0.001 * rates[i];
    }
    /* Of a latency between two steps the first sample begins within the first step. */
    const double latencies[] = {0, 0.003, 0.0042};
    const double lost[] = {0, 0, 0.8 * 0.001 * rates[0]};
    for (size_t k = 0; k < COUNT(latencies); k++) {
        leaf x = leaf_new(&hk_auv_gyro_error);
        leaf_set(&x, "period", 0.01);
        leaf_set(&x, "latency", latencies[k]);
        assert_near(integral_of(&x, rates, STEPS), whole - lost[k], 1e-14);
        leaf_free(&x);
    }
    /* Scale and bias are those of the mean. */
    leaf x = leaf_new(&hk_auv_gyro_error);
    leaf_set(&x, "period", 0.01);
    leaf_set3(&x, "scale", 0, 0, 0.5);
    leaf_set3(&x, "bias", 0, 0, 0.25);
    assert_near(integral_of(&x, rates, STEPS), 1.5 * whole + 0.25 * (STEPS - 9) * 0.001, 1e-12);
    leaf_free(&x);
}

/* A sample is the mean of what was seen since the last one, also if it was stopped for a time or
 * has got another period. */
static void test_means_that_are_interrupted(void **unused) {
    (void)unused;
    leaf x = leaf_new(&hk_auv_gyro_error);
    leaf_set(&x, "period", 0.004);
    for (int i = 0; i < 100; i++) {
        if (i >= 10 && i < 20)
            continue;
        leaf_set3(&x, "in", i < 10 ? 7 : i, 0, 0);
        leaf_step(&x, i * 0.001, 0.001);
        if (i == 20) /* it was due while it stood still */
            assert_near(leaf_get(&x, "out.x"), 20, 1e-12);
        if (i == 23)
            assert_near(leaf_get(&x, "out.x"), 22, 1e-12);
        if (i == 50) /* it is seen with the sample of step 51; one of ten steps was begun then */
            leaf_set(&x, "period", 0.01);
        if (i >= 57 && i < 67)
            assert_near(leaf_get(&x, "out.x"), 52.5, 1e-12);
        if (i == 67)
            assert_near(leaf_get(&x, "out.x"), 62.5, 1e-12);
    }
    leaf_free(&x);
}

/* One term does not change the random numbers of another, an axis not those of the next. */
static void test_terms_have_streams_of_their_own(void **unused) {
    (void)unused;
    leaf x = leaf_new(&hk_auv_gyro_error), y = leaf_new(&hk_auv_gyro_error);
    leaf_set(&x, "sigma", 1);
    leaf_set(&y, "sigma", 1);
    leaf_set(&y, "markovSigma", 1e-12);
    leaf_set(&y, "markovTime", 10);
    leaf_set(&y, "biasSigma", 1e-12);
    leaf_set(&y, "randomWalk", 1e-12);
    leaf_set(&y, "dropout", 1e-12);
    double together = 0;
    for (int i = 0; i < 100000; i++) {
        leaf_step(&x, i, 1);
        leaf_step(&y, i, 1);
        assert_near(leaf_get(&x, "out.x"), leaf_get(&y, "out.x"), 1e-8);
        together += leaf_get(&x, "out.x") * leaf_get(&x, "out.y");
    }
    assert_near(together / 100000, 0, 0.015);
    leaf_free(&x);
    leaf_free(&y);
}

/* A preset fills in what is 0, a negative term is none. */
static void test_presets_give_way_to_the_user(void **unused) {
    (void)unused;
    leaf x = leaf_new(&hk_auv_gps_error);
    leaf_set(&x, "preset", leaf_item(&x, "preset", "Low"));
    leaf_set(&x, "period", -1);
    leaf_set(&x, "sigma", 0.5);
    record(&x, "out.x", 1);
    assert_within_5_percent("set", variance(samples, SAMPLES), 0.25);
    leaf_set(&x, "sigma", -1);
    leaf_step(&x, SAMPLES, 1);
    assert_true(leaf_get(&x, "out.x") == 0);
    leaf_free(&x);
}

static void test_what_is_wrong_is_said(void **unused) {
    (void)unused;
    leaf x = leaf_new(&hk_auv_gyro_error);
    leaf_set(&x, "markovSigma", 1);
    leaf_refuses(&x, 0, 1, "markovTime must be above 0");
    leaf_refuses(&x, 1, 1, "markovTime must be above 0");
    leaf_set(&x, "markovTime", NAN);
    leaf_refuses(&x, 0, 1, "'markovTime' is nan");
    leaf_reset(&x, 0);
    leaf_set(&x, "bias.y", INFINITY);
    leaf_refuses(&x, 0, 1, "not a finite number");
    leaf_reset(&x, 0);
    leaf_set(&x, "dropout", 1.5);
    leaf_refuses(&x, 0, 1, "a probability is at most 1");
    leaf_reset(&x, 0);
    leaf_set(&x, "outageTime", 1.5);
    leaf_refuses(&x, 0, 1, "an outage needs both");
    leaf_reset(&x, 0);
    leaf_set(&x, "preset", 99);
    leaf_refuses(&x, 0, 1, "preset is 99: there are 0 to 8");
    leaf_free(&x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_white_noise_of_each_device),
        cmocka_unit_test(test_wandering_bias_of_each_device),
        cmocka_unit_test(test_sum_of_terms),
        cmocka_unit_test(test_what_is_drawn_once_in_a_run),
        cmocka_unit_test(test_every_device_is_looked_at),
        cmocka_unit_test(test_no_errors_are_the_truth),
        cmocka_unit_test(test_errors_of_zero_by_the_long_way_are_the_truth),
        cmocka_unit_test(test_random_walk),
        cmocka_unit_test(test_order_of_terms),
        cmocka_unit_test(test_misalignment_is_a_small_turn),
        cmocka_unit_test(test_saturation_and_steps_of_noise),
        cmocka_unit_test(test_lost_samples),
        cmocka_unit_test(test_outages),
        cmocka_unit_test(test_latency),
        cmocka_unit_test(test_period),
        cmocka_unit_test(test_period_of_means),
        cmocka_unit_test(test_turns_between_samples),
        cmocka_unit_test(test_means_that_are_interrupted),
        cmocka_unit_test(test_terms_have_streams_of_their_own),
        cmocka_unit_test(test_presets_give_way_to_the_user),
        cmocka_unit_test(test_what_is_wrong_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT
 *
 * Gyroscope and accelerometer: means over a step, or over the period of the device, with the errors
 * of their kind. */
#include "sensors.h"

typedef struct imu_error {
    coordinate3d in;
    measured3d measured;
    error_terms terms;
    error_model errors;
    words why;
} imu_error;

COMPLAINT(imu_error)
SOURCE_3D(imu_error);

SELDOM int with_errors(imu_error *x, const error_kind *kind, double t, double h) {
    error_sample sample = {{x->in.x, x->in.y, x->in.z}, t + h};
    int result = hk_errors_measure(&x->errors, &x->terms, kind, h, &sample, &x->why);
    if (result < 0)
        return HK_STEP_FAILED;
    if (result > 0)
        x->measured.valid = result == 1;
    if (result == 1) {
        x->measured.value = (coordinate3d){sample.value[0], sample.value[1], sample.value[2]};
        x->measured.stamp = sample.at;
    }
    return HK_STEP_OK;
}

static inline int measure(imu_error *x, const error_kind *kind, double t, double h) {
    if (!hk_errors_due(&x->errors, t + h)) {
        hk_errors_gather(&x->errors, (double[]){x->in.x, x->in.y, x->in.z}, t + h, h);
        return HK_STEP_OK;
    }
    if (!hk_errors_none(&x->terms, 3))
        return with_errors(x, kind, t, h);
    hk_auv_copy(&x->measured.value, &x->in);
    x->measured.valid = true;
    x->measured.stamp = t + h;
    return HK_STEP_OK;
}

static const hk_service gyro_error_services[] = {
    {"pError", &hk_auv_angular_rate_source, &imu_error_source, 0}};
static const hk_service accelerometer_error_services[] = {
    {"pError", &hk_auv_acceleration_source, &imu_error_source, 0}};
static const hk_stream_field imu_error_streams[] = {ERROR_STREAMS(imu_error)};

#define IMU_TYPE(full_name, port_table, service_table, domain_table)                               \
    AUV_TYPE(imu_error, full_name, port_table),                                                    \
        .stamp = HK_STAMP_END, SERVICES(service_table), .streams = imu_error_streams,              \
        .stream_count = COUNT(imu_error_streams), .random_scales = ERROR_SCALES_3D,                \
        .domains = (domain_table), .domain_count = COUNT(domain_table),                            \
        .complaint = imu_error_complaint

#define DEGREE     (PI / 180)
#define PER_HOUR   (DEGREE / 3600) /* deg/h in rad/s */
#define PER_ROOT_H (DEGREE / 60)   /* deg/sqrt(h) in rad/sqrt(s) */
#define G          9.80665

/* ---- sensors.GyroError ---- */

static const hk_enum_item gyro_items[] = {{"None", 0},      {"Stim300", 1}, {"Adis16448", 2},
                                          {"XsensMti1", 3}, {"Low", 4},     {"Middle", 5},
                                          {"High", 6},      {"MssTest", 7}, {"Kvh1750", 8}};
static const hk_enum_type gyro_preset = {"sensors.GyroPreset", gyro_items, COUNT(gyro_items)};
static const hk_domain gyro_domains[] = {{.port = "preset", .enumeration = &gyro_preset}};

/* An instability that a source gives is the deviation of the Gauss-Markov bias; where it gives no
 * time for it, 100 s is taken. */
static const error_terms gyro_presets[] = {
    {0},
    {.markov_sigma = 0.5 * PER_HOUR,
     .markov_time = 100,
     .noise_density = 0.15 * PER_ROOT_H,
     .scale_sigma = 500e-6,
     .misalignment_sigma = 1e-3,
     .bias_sigma = 4 * PER_HOUR},
    /* 3.8785e-5 rad/s2/sqrt(Hz) for 1000 s: sigma = K sqrt(tau / 2) */
    {.markov_sigma = 8.672589580e-4,
     .markov_time = 1000,
     .noise_density = 3.394e-4,
     .bias_sigma = 0.0087},
    {.markov_sigma = 10 * PER_HOUR, .markov_time = 100, .noise_density = 0.007 * DEGREE},
    {.markov_sigma = 10 * PER_HOUR, .markov_time = 100, .noise_density = 0.75 * PER_ROOT_H},
    {.markov_sigma = 3.5 * PER_HOUR, .markov_time = 100, .noise_density = 0.25 * PER_ROOT_H},
    {.markov_sigma = 0.1 * PER_HOUR, .markov_time = 100, .noise_density = 0.002 * PER_ROOT_H},
    {.markov_sigma = 8 * PER_HOUR, .markov_time = 300},
    {.markov_sigma = 0.05 * PER_HOUR, .markov_time = 100, .noise_density = 0.012 * PER_ROOT_H},
};
_Static_assert(COUNT(gyro_presets) == COUNT(gyro_items), "one for each");
static const error_kind gyro_kind = {
    .presets = gyro_presets, .preset_count = COUNT(gyro_presets), .axes = 3, .mean = true};

static int gyro_error_step(void *self, double t, double h) {
    return measure(self, &gyro_kind, t, h);
}

static const hk_port gyro_error_ports[] = {XYZ(imu_error, in, "in", HK_INPUT, "rad/s"),
                                           MEASURED_3D(imu_error, "rad/s"),
                                           ERROR_PORTS_3D(imu_error, "rad/s")};

const hk_unit_type hk_auv_gyro_error = {
    IMU_TYPE("sensors.GyroError", gyro_error_ports, gyro_error_services, gyro_domains),
    .description = "A gyroscope: the mean rotation speed since its last sample, and its errors",
    .step = gyro_error_step};

/* ---- sensors.AccelerometerError ---- */

static const hk_enum_item accelerometer_items[] = {
    {"None", 0}, {"Stim300", 1}, {"Adis16448", 2}, {"XsensMti1", 3},
    {"Low", 4},  {"Middle", 5},  {"High", 6},      {"MssTest", 7}};
static const hk_enum_type accelerometer_preset = {"sensors.AccelerometerPreset",
                                                  accelerometer_items, COUNT(accelerometer_items)};
static const hk_domain accelerometer_domains[] = {
    {.port = "preset", .enumeration = &accelerometer_preset}};

static const error_terms accelerometer_presets[] = {
    {0},
    {.markov_sigma = 0.05e-3 * G,
     .markov_time = 100,
     .noise_density = 0.06 / 60,
     .scale_sigma = 300e-6,
     .misalignment_sigma = 1e-3,
     .bias_sigma = 0.75e-3 * G},
    /* 0.006 m/s3/sqrt(Hz) for 300 s */
    {.markov_sigma = 0.07348469228,
     .markov_time = 300,
     .noise_density = 0.004,
     .bias_sigma = 0.196},
    {.markov_sigma = 0.03e-3 * G, .markov_time = 100, .noise_density = 120e-6 * G},
    {.markov_sigma = 2e-4, .markov_time = 100, .noise_density = 0.05 / 60},
    {.markov_sigma = 5e-5, .markov_time = 100, .noise_density = 0.03 / 60},
    {.markov_sigma = 3.6e-6, .markov_time = 100, .noise_density = 2.5e-5 / 60},
    {.markov_sigma = 20e-6 * G, .markov_time = 300},
};
_Static_assert(COUNT(accelerometer_presets) == COUNT(accelerometer_items), "one for each");
static const error_kind accelerometer_kind = {.presets = accelerometer_presets,
                                              .preset_count = COUNT(accelerometer_presets),
                                              .axes = 3,
                                              .mean = true};

static int accelerometer_error_step(void *self, double t, double h) {
    return measure(self, &accelerometer_kind, t, h);
}

static const hk_port accelerometer_error_ports[] = {XYZ(imu_error, in, "in", HK_INPUT, "m/s2"),
                                                    MEASURED_3D(imu_error, "m/s2"),
                                                    ERROR_PORTS_3D(imu_error, "m/s2")};

const hk_unit_type hk_auv_accelerometer_error = {
    IMU_TYPE("sensors.AccelerometerError", accelerometer_error_ports, accelerometer_error_services,
             accelerometer_domains),
    .description =
        "An accelerometer: the mean specific force since its last sample, and its errors",
    .step = accelerometer_error_step};

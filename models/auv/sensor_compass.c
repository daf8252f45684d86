/* SPDX-License-Identifier: MIT
 *
 * A magnetic compass: it points to the magnetic north, is deviated by the iron of its vehicle, adds
 * the declination that it was given, and has the errors of all sensors. */
#include "sensors.h"

typedef struct compass_error {
    coordinate3d attitude;
    measured1d measured;
    error_terms terms;
    double declination, assumed_declination; /* deg */
    double a, b, c, d, e;                    /* of the deviation, deg */
    error_model errors;
    double known_heading, sine, cosine; /* of the heading that was seen last */
    bool known;
    words why;
} compass_error;

COMPLAINT(compass_error)
SOURCE_1D(compass_error);

static const hk_enum_item compass_items[] = {
    {"None", 0}, {"UuvSimulator", 1}, {"Good", 2}, {"Plain", 3}};
static const hk_enum_type compass_preset = {"sensors.CompassPreset", compass_items,
                                            COUNT(compass_items)};
static const hk_domain compass_error_domains[] = {
    {.port = "preset", .enumeration = &compass_preset}};

static const error_terms compass_presets[] = {
    {0},
    {.sigma = 1.2 / 65,
     .bias_sigma = 2.0 / 65,
     .period = 0.1}, /* microtesla across a field of 65 */
    {.sigma = DEGREES(0.3), .period = 0.1},
    {.sigma = DEGREES(1), .period = 0.1},
};
_Static_assert(COUNT(compass_presets) == COUNT(compass_items), "one for each");
static const error_kind compass_kind = {compass_presets, COUNT(compass_presets), 1, true, false};

static inline bool is_deviated(const compass_error *x) {
    return !are_zero(x->a, x->b, x->c) || !are_zero(x->d, x->e, 0);
}

/* A + B sin + C cos + D sin of twice + E cos of twice the magnetic heading, rad. */
static double deviation(compass_error *x, double heading) {
    if (!x->known || heading != x->known_heading) {
        x->sine = hk_sin(heading);
        x->cosine = hk_cos(heading);
        x->known_heading = heading;
        x->known = true;
    }
    double twice_sine = 2 * x->sine * x->cosine, twice_cosine = 1 - 2 * x->sine * x->sine;
    return DEGREES(x->a + x->b * x->sine + x->c * x->cosine + x->d * twice_sine +
                   x->e * twice_cosine);
}

SELDOM double pointed(compass_error *x, double yaw) {
    double heading = yaw - DEGREES(x->declination);
    if (is_deviated(x))
        heading += deviation(x, heading);
    return hk_geo_wrap(heading + DEGREES(x->assumed_declination));
}

SELDOM int with_errors(compass_error *x, double heading, double t, double h) {
    error_sample sample = {{heading, 0, 0}, t + h};
    int result = hk_errors_measure(&x->errors, &x->terms, &compass_kind, h, &sample, &x->why);
    if (result < 0)
        return HK_STEP_FAILED;
    if (result > 0)
        x->measured.valid = result == 1;
    if (result == 1) {
        x->measured.value = hk_geo_wrap(sample.value[0]);
        x->measured.stamp = sample.at;
    }
    return HK_STEP_OK;
}

static int compass_error_step(void *self, double t, double h) {
    compass_error *x = self;
    if (!hk_errors_due(&x->errors, t + h))
        return HK_STEP_OK;
    double heading = x->attitude.z;
    if (!are_zero(x->declination, x->assumed_declination, 0) || is_deviated(x))
        heading = pointed(x, heading);
    if (!hk_errors_none(&x->terms, 1))
        return with_errors(x, heading, t, h);
    x->measured = (measured1d){heading, true, t + h};
    return HK_STEP_OK;
}

#define DEVIATION(field, letter) PARAMETER(compass_error, field, "deviation" letter, "deg", "0")

static const hk_port compass_error_ports[] = {
    XYZ(compass_error, attitude, "attitude", HK_INPUT, "rad"),
    MEASURED_1D(compass_error, "rad"),
    PARAMETER(compass_error, declination, "declination", "deg", "0"),
    PARAMETER(compass_error, assumed_declination, "assumedDeclination", "deg", "0"),
    DEVIATION(a, "A"),
    DEVIATION(b, "B"),
    DEVIATION(c, "C"),
    DEVIATION(d, "D"),
    DEVIATION(e, "E"),
    ERROR_PORTS_1D(compass_error, "rad"),
};
static const hk_service compass_error_services[] = {
    {"pError", &hk_auv_heading_source, &compass_error_source, 0}};
static const hk_stream_field compass_error_streams[] = {ERROR_STREAMS(compass_error)};

const hk_unit_type hk_auv_compass_error = {
    AUV_TYPE(compass_error, "sensors.CompassError", compass_error_ports),
    .description = "A magnetic compass: the heading, and its errors",
    .stamp = HK_STAMP_END,
    .step = compass_error_step,
    SERVICES(compass_error_services),
    .streams = compass_error_streams,
    .stream_count = COUNT(compass_error_streams),
    .random_scales = ERROR_SCALES_1D,
    DOMAINS(compass_error_domains),
    .complaint = compass_error_complaint};

/* SPDX-License-Identifier: MIT
 *
 * The sensors: anti-aliasing filters, all of one struct. The type "filter" is general; the other
 * five have the start values of their signal. */
#include "rosace_core.h"

#include <hk/math.h>

#include <math.h>

typedef struct filter {
    double raw, filtered;
    double a0, a1, b0, b1, equilibrium, cut_off, rate;
    double x1, x2;
} filter;

rosace_filter_coefficients hk_rosace_butterworth(double cut_off_hz, double rate_hz) {
    const double pi = 3.14159265358979323846;
    double omega = 2.0 * pi * cut_off_hz, damping = 1.0 / sqrt(2.0), ts = 1.0 / rate_hz;
    double omega_d = omega * sqrt(1.0 - damping * damping), k = damping * omega / omega_d;
    double e = hk_exp(-damping * omega * ts), c = hk_cos(omega_d * ts), s = hk_sin(omega_d * ts);
    return (rosace_filter_coefficients){.a0 = e * e,
                                        .a1 = -2.0 * e * c,
                                        .b0 = e * e + e * (k * s - c),
                                        .b1 = 1.0 - e * (c + k * s)};
}

static int filter_init(void *self, double t) {
    filter *x = self;
    (void)t;
    if (x->cut_off < 0.0 || (x->cut_off > 0.0 && !(x->rate > 0.0)))
        return HK_STEP_FAILED;
    if (x->cut_off > 0.0) {
        rosace_filter_coefficients k = hk_rosace_butterworth(x->cut_off, x->rate);
        x->a0 = k.a0;
        x->a1 = k.a1;
        x->b0 = k.b0;
        x->b1 = k.b1;
    }
    x->x1 = x->equilibrium * (1.0 + x->a1 - x->b1);
    x->x2 = x->equilibrium;
    return HK_STEP_OK;
}

static int filter_output(void *self, double t) {
    filter *x = self;
    (void)t;
    x->filtered = x->x2;
    return HK_STEP_OK;
}

static int filter_step(void *self, double t, double h) {
    filter *x = self;
    (void)t;
    (void)h;
    double x1 = x->x1, x2 = x->x2;
    x->filtered = x2;
    x->x1 = -x->a0 * x2 + x->b0 * x->raw;
    x->x2 = x1 - x->a1 * x2 + x->b1 * x->raw;
    return HK_STEP_OK;
}

/* Coefficients as published, 15 digits; hk_rosace_butterworth gives the same to 1e-15. */
#define FILTER_TYPE(type_name, unit_text, eq, rate_hz, a0_text, a1_text, b0_text, b1_text, text)   \
    static const hk_port type_name##_ports[] = {                                                   \
        HK_PORT(filter, raw, HK_INPUT, HK_TYPE_F64, .unit = (unit_text), .start = (eq)),           \
        HK_PORT(filter, filtered, HK_OUTPUT, HK_TYPE_F64, .unit = (unit_text), .depends_on = ""),  \
        HK_PORT(filter, equilibrium, HK_PARAMETER, HK_TYPE_F64, .unit = (unit_text),               \
                .start = (eq)),                                                                    \
        HK_PORT(filter, a0, HK_PARAMETER, HK_TYPE_F64, .start = (a0_text)),                        \
        HK_PORT(filter, a1, HK_PARAMETER, HK_TYPE_F64, .start = (a1_text)),                        \
        HK_PORT(filter, b0, HK_PARAMETER, HK_TYPE_F64, .start = (b0_text)),                        \
        HK_PORT(filter, b1, HK_PARAMETER, HK_TYPE_F64, .start = (b1_text)),                        \
        HK_PORT(filter, cut_off, HK_PARAMETER, HK_TYPE_F64, .unit = "Hz", .start = "0",            \
                .description = "above 0: a0 to b1 are computed from it and the rate"),             \
        HK_PORT(filter, rate, HK_PARAMETER, HK_TYPE_F64, .unit = "Hz", .start = (rate_hz),         \
                .description = "1/period of the component, for the computation"),                  \
    };                                                                                             \
    const hk_unit_type hk_rosace_##type_name = {ROSACE_TYPE(type_name, filter, type_name##_ports), \
                                                .description = (text), .init = filter_init,        \
                                                .output = filter_output, .step = filter_step}

FILTER_TYPE(filter, NULL, "0", "100", "0", "0", "0", "1",
            "Anti-aliasing filter, second order; as it stands it only delays by one period");
FILTER_TYPE(h_filter, "m", TEXT(H_EQ), "50", "0.586756156020839", "-1.477888930110354",
            "0.049596808318647", "0.059270417591839", "Altitude sensor: 3 Hz at 50 Hz");
FILTER_TYPE(vz_filter, "m/s", "0", "100", "0.956543675476034", "-1.955578398054313",
            "0.000479064865372430", "0.000486212556348925",
            "Vertical speed sensor: 0.5 Hz at 100 Hz");
FILTER_TYPE(va_filter, "m/s", TEXT(VA_EQ), "100", "0.956543675476034", "-1.955578398054313",
            "0.000479064865372430", "0.000486212556348925", "Airspeed sensor: 0.5 Hz at 100 Hz");
FILTER_TYPE(q_filter, "rad/s", "0", "100", "0.766000101841272", "-1.734903205885821",
            "0.014857648981438", "0.016239246974013", "Pitch rate sensor: 3 Hz at 100 Hz");
FILTER_TYPE(az_filter, "m/s2", "0", "100", "0.411240701442774", "-1.158045899830964",
            "0.107849979167580", "0.145344822444230",
            "Vertical acceleration sensor: 10 Hz at 100 Hz");

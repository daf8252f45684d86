/* SPDX-License-Identifier: MIT
 *
 * A pressure sensor that says how deep it is: the water and the air are not quite what it takes
 * them for, and it has the errors of all sensors. */
#include "place.h"
#include "pressure.h"
#include "sensors.h"

enum { PRESSURE_LINEAR, PRESSURE_UNESCO };

typedef struct depth_error {
    coordinate3d position;
    measured1d measured;
    error_terms terms;
    double density, assumed_density, gravity; /* kg/m3, kg/m3 (0: the same), m/s2 */
    double atmosphere;                        /* Pa: more than it takes the air for */
    place place;                              /* of the Earth: where the surface is */
    int64_t method;
    error_model errors;
    words why;
} depth_error;

COMPLAINT(depth_error)
SOURCE_1D(depth_error);

static const hk_enum_item depth_items[] = {
    {"None", 0}, {"UuvSimulator", 1}, {"Quartz", 2}, {"Piezo", 3}, {"Bar30", 4}};
static const hk_enum_type depth_preset = {"sensors.DepthPreset", depth_items, COUNT(depth_items)};
static const hk_enum_item method_items[] = {{"Linear", PRESSURE_LINEAR},
                                            {"Unesco", PRESSURE_UNESCO}};
static const hk_enum_type method_type = {"sensors.DepthMethod", method_items, COUNT(method_items)};
static const hk_domain depth_error_domains[] = {{.port = "preset", .enumeration = &depth_preset},
                                                {.port = "method", .enumeration = &method_type},
                                                PLACE_DOMAIN};

#define METRES(pascals) ((pascals) / (1025 * 9.80665))

/* Accuracies of full scale are those of a device for 1000 m, and a bias of the run. */
static const error_terms depth_presets[] = {
    {0},
    {.sigma = METRES(3000), .period = 0.1},
    {.bias_sigma = 1e-4 * 1000, .period = 0.1},
    {.bias_sigma = 1e-3 * 1000, .period = 0.1},
    {.resolution = 0.002, .range = 300, .period = 0.1},
};
_Static_assert(COUNT(depth_presets) == COUNT(depth_items), "one for each");
static const error_kind depth_kind = {depth_presets, COUNT(depth_presets), 1, false, false};

/* What it takes a depth for. */
SELDOM int believed(depth_error *x, double depth, double *ret_depth) {
    if (!(x->density > 0 && x->gravity > 0 && x->assumed_density >= 0))
        return hk_auv_fail(&x->why, "density %g, assumedDensity %g and gravity %g must be above 0",
                           x->density, x->assumed_density, x->gravity);
    double pressure = x->density * x->gravity * depth + x->atmosphere;
    *ret_depth =
        x->method == PRESSURE_UNESCO
            ? hk_pressure_unesco_depth(pressure * 1e-4, DEGREES(x->place.latitude))
            : pressure / ((x->assumed_density > 0 ? x->assumed_density : x->density) * x->gravity);
    return HK_STEP_OK;
}

static inline bool is_exact(const depth_error *x) {
    return are_zero(x->atmosphere, x->assumed_density, 0) && x->method == PRESSURE_LINEAR;
}

SELDOM int with_errors(depth_error *x, double depth, double t, double h) {
    error_sample sample = {{depth, 0, 0}, t + h};
    int result = hk_errors_measure(&x->errors, &x->terms, &depth_kind, h, &sample, &x->why);
    if (result < 0)
        return HK_STEP_FAILED;
    if (result > 0)
        x->measured.valid = result == 1;
    if (result == 1) {
        x->measured.value = sample.value[0];
        x->measured.stamp = sample.at;
    }
    return HK_STEP_OK;
}

static int depth_error_step(void *self, double t, double h) {
    depth_error *x = self;
    if (!hk_errors_due(&x->errors, t + h))
        return HK_STEP_OK;
    double depth = hk_auv_depth(&x->place, x->position);
    if (!is_exact(x) && believed(x, depth, &depth) != HK_STEP_OK)
        return HK_STEP_FAILED;
    if (!hk_errors_none(&x->terms, 1))
        return with_errors(x, depth, t, h);
    x->measured = (measured1d){depth, true, t + h};
    return HK_STEP_OK;
}

static const hk_port depth_error_ports[] = {
    XYZ(depth_error, position, "nedPosition", HK_INPUT, "m"),
    MEASURED_1D(depth_error, "m"),
    PARAMETER(depth_error, density, "density", "kg/m3", "1025"),
    PARAMETER(depth_error, assumed_density, "assumedDensity", "kg/m3", "0"),
    PARAMETER(depth_error, gravity, "gravity", "m/s2", "9.80665"),
    PARAMETER(depth_error, atmosphere, "atmosphericBias", "Pa", "0"),
    PLACE_PARAMETERS(depth_error, place),
    ITEM_PARAMETER(depth_error, method, "method", "0"),
    ERROR_PORTS_1D(depth_error, "m"),
};
static const hk_service depth_error_services[] = {
    {"pError", &hk_auv_depth_source, &depth_error_source, 0}};
static const hk_stream_field depth_error_streams[] = {ERROR_STREAMS(depth_error)};

const hk_unit_type hk_auv_depth_error = {
    AUV_TYPE(depth_error, "sensors.DepthError", depth_error_ports),
    .description = "A pressure sensor that says how deep it is, and its errors",
    .stamp = HK_STAMP_END,
    .step = depth_error_step,
    SERVICES(depth_error_services),
    .streams = depth_error_streams,
    .stream_count = COUNT(depth_error_streams),
    .random_scales = ERROR_SCALES_1D,
    DOMAINS(depth_error_domains),
    .complaint = depth_error_complaint};

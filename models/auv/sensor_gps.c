/* SPDX-License-Identifier: MIT
 *
 * A receiver of satellites: a position while its antenna is out of the water, and a while after it
 * came up. */
#include "place.h"
#include "sensors.h"

typedef struct gps_error {
    coordinate3d position;
    measured3d measured;
    error_terms terms;
    place place; /* of the Earth: where the surface is */
    double antenna_depth, reacquisition;
    error_model errors;
    bool drowned;    /* it has been under water since it had a position last */
    double surfaced; /* when it came up */
    words why;
} gps_error;

COMPLAINT(gps_error)
SOURCE_3D(gps_error);

static const hk_enum_item gps_items[] = {{"None", 0}, {"Low", 1}, {"Sbas", 2}, {"Rtk", 3}};
static const hk_enum_type gps_preset = {"sensors.GpsPreset", gps_items, COUNT(gps_items)};
static const hk_domain gps_error_domains[] = {{.port = "preset", .enumeration = &gps_preset},
                                              PLACE_DOMAIN};

static const error_terms gps_presets[] = {
    {0},
    {.sigma = 5, .vertical = 1.4, .period = 1},
    {.sigma = 2, .vertical = 1.5, .period = 1},
    {.sigma = 0.02, .vertical = 1.5, .period = 1},
};
_Static_assert(COUNT(gps_presets) == COUNT(gps_items), "one for each");
static const error_kind gps_kind = {gps_presets, COUNT(gps_presets), 3, false, false};

/* Who begins at the surface has had a position before. */
static inline bool sees_sky(gps_error *x, double now) {
    if (!(hk_auv_depth(&x->place, x->position) < x->antenna_depth)) {
        x->drowned = true;
        x->surfaced = INFINITY;
        return false;
    }
    if (!x->drowned)
        return true;
    if (x->surfaced > now)
        x->surfaced = now;
    /* Times are sums of steps. */
    if (now - x->surfaced < x->reacquisition - 1e-9)
        return false;
    x->drowned = false;
    return true;
}

SELDOM int with_errors(gps_error *x, bool seen, double t, double h) {
    error_sample sample = {{x->position.x, x->position.y, x->position.z}, t + h};
    int result = hk_errors_measure(&x->errors, &x->terms, &gps_kind, h, &sample, &x->why);
    if (result < 0)
        return HK_STEP_FAILED;
    if (result > 0)
        x->measured.valid = seen && result == 1;
    if (result > 0 && x->measured.valid) {
        x->measured.value = (coordinate3d){sample.value[0], sample.value[1], sample.value[2]};
        x->measured.stamp = sample.at;
    }
    return HK_STEP_OK;
}

static int gps_error_step(void *self, double t, double h) {
    gps_error *x = self;
    bool seen = sees_sky(x, t + h);
    if (!hk_errors_due(&x->errors, t + h)) {
        x->measured.valid &= seen; /* what it had goes with the antenna */
        return HK_STEP_OK;
    }
    if (!hk_errors_none(&x->terms, 3)) {
        int result = with_errors(x, seen, t, h);
        x->measured.valid &= seen;
        return result;
    }
    x->measured.valid = seen;
    if (seen) {
        hk_auv_copy(&x->measured.value, &x->position);
        x->measured.stamp = t + h;
    }
    return HK_STEP_OK;
}

static const hk_port gps_error_ports[] = {
    XYZ(gps_error, position, "nedPosition", HK_INPUT, "m"),
    MEASURED_3D(gps_error, "m"),
    PARAMETER(gps_error, antenna_depth, "antennaDepth", "m", "0.3"),
    PARAMETER(gps_error, reacquisition, "reacquisition", "s", "0"),
    PARAMETER(gps_error, terms.vertical, "verticalFactor", NULL, "0"),
    PLACE_PARAMETERS(gps_error, place),
    ERROR_PORTS_3D(gps_error, "m"),
};
static const hk_service gps_error_services[] = {
    {"pError", &hk_auv_position_source, &gps_error_source, 0}};
static const hk_stream_field gps_error_streams[] = {ERROR_STREAMS(gps_error)};

const hk_unit_type hk_auv_gps_error = {
    AUV_TYPE(gps_error, "sensors.GpsError", gps_error_ports),
    .description = "A receiver of satellites: a position at the surface, and its errors",
    .stamp = HK_STAMP_END,
    .step = gps_error_step,
    SERVICES(gps_error_services),
    .streams = gps_error_streams,
    .stream_count = COUNT(gps_error_streams),
    .random_scales = ERROR_SCALES_3D,
    DOMAINS(gps_error_domains),
    .complaint = gps_error_complaint};

/* SPDX-License-Identifier: MIT
 *
 * A Doppler log: four beams that must reach the sea bed, noise on each, a wrong sound speed, and
 * then the errors that all sensors have. It pings at its own rate and holds what it has measured
 * last. */
#include "dvl_beams.h"

/* BEAMS looks at the bed where each beam ends, MARCH also on the way there. */
enum { BOTTOM_BEAMS, BOTTOM_VERTICAL, BOTTOM_MARCH };

/* As error_terms: 0 is what the preset has, negative is none. */
typedef struct dvl_terms {
    double beam_noise, beam_noise_scale; /* deviation, m/s and relative to the speed along it */
    double range_min, range_max;         /* m */
    double beam_angle;                   /* from straight down, deg; 30 if the preset has none */
} dvl_terms;

typedef struct dvl_error {
    coordinate3d in, position, attitude;
    measured3d measured;
    int32_t beams; /* that reach the bed, of the last ping */
    double altitude;
    error_terms terms;
    double sound_speed_error; /* relative: true speed / assumed speed - 1 */
    dvl_terms own;
    int64_t bottom;
    mounting mounted;
    coordinate3d lever;
    mnt_source_binding bed;
    hk_stream beam;
    error_model errors;
    /* What was seen last, and what belongs to it. */
    dvl_terms known, used;
    int64_t known_preset;
    bool prepared, directed;
    double sine, cosine;
    coordinate3d known_attitude;
    hk_geo_matrix3 to_ned;               /* from the body */
    hk_geo_vector3 direction[DVL_BEAMS]; /* ned */
    double range[DVL_BEAMS];             /* of the last ping, m; NaN: no echo */
    words why;
} dvl_error;

COMPLAINT(dvl_error)
SOURCE_3D(dvl_error);

/* ---- presets ---- */

static const hk_enum_item dvl_items[] = {{"None", 0},   {"Workhorse600", 1}, {"Dvl1000", 2},
                                         {"Dvl500", 3}, {"Syrinx600", 4},    {"Explorer", 5},
                                         {"A50", 6}};
static const hk_enum_type dvl_preset = {"sensors.DvlPreset", dvl_items, COUNT(dvl_items)};
static const hk_enum_item bottom_items[] = {
    {"Beams", BOTTOM_BEAMS}, {"Vertical", BOTTOM_VERTICAL}, {"March", BOTTOM_MARCH}};
static const hk_enum_type bottom_type = {"sensors.BottomCheck", bottom_items, COUNT(bottom_items)};
static const hk_domain dvl_error_domains[] = {{.port = "preset", .enumeration = &dvl_preset},
                                              {.port = "bottom", .enumeration = &bottom_type}};

static const error_terms dvl_presets[] = {
    {0},
    {.period = 1.0 / 7, .scale_sigma = 0.002, .bias_sigma = 0.001},
    {.period = 1.0 / 8},
    {.period = 1.0 / 8},
    {.period = 1.0 / 10},
    {.period = 1.0 / 12},
    {.period = 1.0 / 4, .scale_sigma = 0.01},
};
static const dvl_terms dvl_own_presets[] = {
    {0},
    {.beam_noise = 0.005, .range_min = 0.7, .range_max = 90, .beam_angle = 30},
    {.beam_noise = 0.005, .range_min = 0.2, .range_max = 75, .beam_angle = 25},
    {.beam_noise = 0.005, .range_min = 0.3, .range_max = 200, .beam_angle = 25},
    {.beam_noise = 0.0022, .range_min = 0.4, .range_max = 175, .beam_angle = 30},
    {.beam_noise = 0.0185, .range_min = 0.5, .range_max = 81, .beam_angle = 30},
    {.beam_noise = 0.026, .range_min = 0.05, .range_max = 50, .beam_angle = 22.5},
};
_Static_assert(COUNT(dvl_presets) == COUNT(dvl_items), "one for each");
_Static_assert(COUNT(dvl_own_presets) == COUNT(dvl_items), "one for each");
static const error_kind dvl_kind = {dvl_presets, COUNT(dvl_presets), 3, false, false};

static double merged(double set, double preset) {
    return set == 0 ? preset : set < 0 ? 0 : set;
}

/* Behind hk_errors_prepare, which has looked at the number of the preset. */
static int prepare(dvl_error *x) {
    const dvl_terms *own = &x->own, *preset = &dvl_own_presets[x->terms.preset];
    if (x->prepared && x->terms.preset == x->known_preset &&
        memcmp(own, &x->known, sizeof *own) == 0)
        return HK_STEP_OK;
    x->used = (dvl_terms){merged(own->beam_noise, preset->beam_noise),
                          merged(own->beam_noise_scale, preset->beam_noise_scale),
                          merged(own->range_min, preset->range_min),
                          merged(own->range_max, preset->range_max),
                          merged(own->beam_angle, preset->beam_angle)};
    double angle = x->used.beam_angle > 0 ? x->used.beam_angle : 30;
    if (!(angle < 90))
        return hk_auv_fail(&x->why, "beamAngle is %g degrees: it is between 0 and 90", angle);
    if (x->used.range_max > 0 && x->used.range_max < x->used.range_min)
        return hk_auv_fail(&x->why, "rangeMax is %g m, which is less than rangeMin, %g m",
                           x->used.range_max, x->used.range_min);
    x->sine = hk_sin(DEGREES(angle));
    x->cosine = hk_cos(DEGREES(angle));
    x->known = *own;
    x->known_preset = x->terms.preset;
    x->prepared = true;
    x->directed = false;
    return HK_STEP_OK;
}

/* ---- the sea bed ---- */

/* Angles that are as they were need no sines. */
static void look_where(dvl_error *x) {
    const coordinate3d a = x->attitude, b = x->known_attitude;
    bool turned = hk_mounting_look(&x->mounted);
    if (x->directed && !turned && a.x == b.x && a.y == b.y && a.z == b.z)
        return;
    hk_geo_euler angles = {a.x, a.y, a.z};
    x->to_ned = hk_geo_matrix_of_euler(angles);
    for (int i = 0; i < DVL_BEAMS; i++)
        x->direction[i] = hk_geo_apply(
            &x->to_ned, hk_geo_apply(&x->mounted.to_body, hk_dvl_direction(i, x->sine, x->cosine)));
    x->known_attitude = a;
    x->directed = true;
}

/* How far the bed is below the end of a beam of length R. */
static double water_below(const dvl_error *x, hk_geo_vector3 at, hk_geo_vector3 way, double r) {
    const coordinate2d place = {at.x + r * way.x, at.y + r * way.y};
    return x->bed.functions->get_depth(x->bed.self, place) - (at.z + r * way.z);
}

enum { MARCH = 64, HALVINGS = 40, TRIES = 10 };
#define CLOSE_ENOUGH 1e-6 /* m */
#define FARTHEST     2000 /* m, of a beam without a limit */
#define STEEPEST     0.02 /* a beam that points less far down than this has no echo */

/* Where it first goes into the bed: in steps, and then by halves. */
static double march(const dvl_error *x, hk_geo_vector3 at, hk_geo_vector3 way) {
    double step = (x->used.range_max > 0 ? 1.1 * x->used.range_max : FARTHEST) / MARCH;
    for (int i = 1; i <= MARCH; i++) {
        double low = (i - 1) * step, high = i * step;
        if (water_below(x, at, way, high) > 0)
            continue;
        for (int k = 0; k < HALVINGS; k++) {
            double middle = (low + high) / 2;
            if (water_below(x, at, way, middle) > 0)
                low = middle;
            else
                high = middle;
        }
        return isnan(water_below(x, at, way, high)) ? (double)NAN : high;
    }
    return NAN;
}

/* The length of a beam, from GUESS: over a bed that is flat there it takes one look, over a slope
 * three. Where that leads nowhere, it goes along the beam. */
static double range_of(const dvl_error *x, hk_geo_vector3 at, hk_geo_vector3 way, double guess) {
    if (way.z < STEEPEST)
        return NAN;
    if (x->bottom == BOTTOM_MARCH)
        return water_below(x, at, way, 0) > 0 ? march(x, at, way) : (double)NAN;
    double a = guess > 0 ? guess : 0, below_a = water_below(x, at, way, a);
    if (fabs(below_a) <= CLOSE_ENOUGH)
        return a > 0 ? a : (double)NAN; /* it lies on the bed */
    double b = a + below_a / way.z;
    for (int i = 0; i < TRIES && b > 0 && b < 2 * FARTHEST; i++) {
        double below_b = water_below(x, at, way, b);
        if (fabs(below_b) <= CLOSE_ENOUGH)
            return b;
        double c = b - below_b * (b - a) / (below_b - below_a);
        a = b;
        below_a = below_b;
        b = c;
    }
    return water_below(x, at, way, 0) > 0 ? march(x, at, way) : (double)NAN;
}

/* A bit for each beam that has an echo within the limits. */
static unsigned bottom_lock(dvl_error *x) {
    if (x->used.range_min <= 0 && x->used.range_max <= 0)
        return (1U << DVL_BEAMS) - 1;
    look_where(x);
    hk_geo_vector3 at = vector_of(x->position);
    if (!is_zero(x->lever))
        at = hk_geo_add(at, hk_geo_apply(&x->to_ned, vector_of(x->lever)));
    double below = x->bottom == BOTTOM_VERTICAL ? water_below(x, at, x->direction[0], 0) : 0;
    double sum = 0;
    unsigned mask = 0;
    int count = 0;
    for (int i = 0; i < DVL_BEAMS; i++) {
        hk_geo_vector3 way = x->direction[i];
        double r = x->bottom == BOTTOM_VERTICAL ? (way.z < STEEPEST ? (double)NAN : below / way.z)
                                                : range_of(x, at, way, x->range[i]);
        x->range[i] = r;
        if (!(r > 0 && r >= x->used.range_min) || (x->used.range_max > 0 && r > x->used.range_max))
            continue;
        mask |= 1U << i;
        sum += r * way.z;
        count++;
    }
    if (count > 0)
        x->altitude = sum / count;
    return mask;
}

/* ---- a ping ---- */

static int count_of(unsigned mask) {
    return (int)((mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1) + (mask >> 3 & 1));
}

/* Noise of the beams is noise of the speed: what is solved for is linear. */
static hk_geo_vector3 beam_noise(const dvl_error *x, hk_geo_vector3 speed, unsigned mask) {
    double noise[DVL_BEAMS] = {0}, speeds[DVL_BEAMS];
    hk_dvl_beam_speeds(speed, x->sine, x->cosine, speeds);
    for (int i = 0; i < DVL_BEAMS; i++)
        noise[i] = hk_hypot(x->used.beam_noise, x->used.beam_noise_scale * speeds[i]) *
                   hk_stream_normal(&x->beam, x->errors.number, (uint32_t)i);
    return hk_dvl_speed(noise, mask, x->sine, x->cosine);
}

SELDOM int ping(dvl_error *x, double t, double h) {
    const double truth[3] = {x->in.x, x->in.y, x->in.z};
    double value[3], stamp, now = t + h;
    if (hk_errors_prepare(&x->errors, &x->terms, &dvl_kind, h, &x->why) != HK_STEP_OK ||
        prepare(x) != HK_STEP_OK)
        return HK_STEP_FAILED;
    if (!hk_errors_sample(&x->errors, &dvl_kind, truth, now, value, &stamp))
        return HK_STEP_OK;
    unsigned mask = bottom_lock(x);
    x->beams = count_of(mask);
    bool locked = x->beams >= 3;
    if (locked && (x->used.beam_noise > 0 || x->used.beam_noise_scale > 0)) {
        hk_geo_vector3 speed = hk_geo_vector(value[0], value[1], value[2]);
        speed = hk_geo_add(speed, beam_noise(x, speed, mask));
        value[0] = speed.x;
        value[1] = speed.y;
        value[2] = speed.z;
    }
    if (x->sound_speed_error != 0)
        for (int i = 0; i < 3; i++)
            value[i] *= 1 + x->sound_speed_error;
    x->measured.valid = hk_errors_apply(&x->errors, &dvl_kind, now, value) && locked;
    if (x->measured.valid) {
        x->measured.value = (coordinate3d){value[0], value[1], value[2]};
        x->measured.stamp = stamp;
    }
    return HK_STEP_OK;
}

static int dvl_error_step(void *self, double t, double h) {
    dvl_error *x = self;
    if (!hk_errors_due(&x->errors, t + h))
        return HK_STEP_OK;
    if (!hk_errors_none(&x->terms, 3) ||
        !are_zero(x->own.beam_noise, x->own.beam_noise_scale, x->sound_speed_error) ||
        !are_zero(x->own.range_min, x->own.range_max, 0))
        return ping(x, t, h);
    hk_auv_copy(&x->measured.value, &x->in);
    x->measured.valid = true;
    x->measured.stamp = t + h;
    x->beams = DVL_BEAMS;
    return HK_STEP_OK;
}

static const hk_port dvl_error_ports[] = {
    XYZ(dvl_error, in, "in", HK_INPUT, "m/s"),
    XYZ(dvl_error, position, "nedPosition", HK_INPUT, "m"),
    XYZ(dvl_error, attitude, "attitude", HK_INPUT, "rad"),
    MEASURED_3D(dvl_error, "m/s"),
    NAMED(dvl_error, beams, "beams", HK_OUTPUT, HK_TYPE_I32, ),
    NUMBER_OUT(dvl_error, altitude, "altitude", "m"),
    PARAMETER(dvl_error, own.beam_noise, "beamNoise", "m/s", "0"),
    PARAMETER(dvl_error, own.beam_noise_scale, "beamNoiseScale", NULL, "0"),
    PARAMETER(dvl_error, own.range_min, "rangeMin", "m", "0"),
    PARAMETER(dvl_error, own.range_max, "rangeMax", "m", "0"),
    PARAMETER(dvl_error, own.beam_angle, "beamAngle", "deg", "0"),
    PARAMETER(dvl_error, sound_speed_error, "soundSpeedError", NULL, "0"),
    ITEM_PARAMETER(dvl_error, bottom, "bottom", "0"),
    PARAMETER(dvl_error, mounted.yaw, "thetaDVL", "deg", "0"),
    PARAMETER(dvl_error, mounted.pitch, "pitch", "deg", "0"),
    PARAMETER(dvl_error, mounted.roll, "roll", "deg", "0"),
    XYZ_PARAMETER(dvl_error, lever, "leverArm", "m"),
    ERROR_PORTS_3D(dvl_error, "m/s"),
};
static const hk_service dvl_error_services[] = {
    {"pitfEDVL", &hk_auv_velocity_source, &dvl_error_source, 0},
    {"rMnt", &hk_auv_mnt_source, NULL, offsetof(dvl_error, bed)}};
static const hk_stream_field dvl_error_streams[] = {{"beam", offsetof(dvl_error, beam)},
                                                    ERROR_STREAMS(dvl_error)};

const hk_unit_type hk_auv_dvl_error = {
    AUV_TYPE(dvl_error, "sensors.DvlError", dvl_error_ports),
    .description = "A Doppler log: four beams with bottom lock, and its errors",
    .stamp = HK_STAMP_END,
    .step = dvl_error_step,
    SERVICES(dvl_error_services),
    .streams = dvl_error_streams,
    .stream_count = COUNT(dvl_error_streams),
    .random_scales = ERROR_SCALES_3D " beamNoise beamNoiseScale",
    DOMAINS(dvl_error_domains),
    .complaint = dvl_error_complaint};

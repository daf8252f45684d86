/* SPDX-License-Identifier: MIT
 *
 * navigation.NavigationFunction: where the vehicle believes to be, by one of six ways. An input
 * that the chosen one does not need has no influence at all. */
#include "navigation.h"

#define NAV navigation_function

static const hk_enum_item function_items[] = {
    {"Truth", NAV_TRUTH},      {"Gps", NAV_GPS},
    {"DvlGyro", NAV_DVL_GYRO}, {"GyroAccelerometer", NAV_INERTIAL},
    {"Eskf", NAV_ESKF},        {"DvlCompass", NAV_DVL_COMPASS},
};
static const hk_enum_type function_type = {"navigation.Function", function_items,
                                           COUNT(function_items)};

#define STAMP(field, full_name)                                                                    \
    NAMED(NAV, field.valid, full_name "Valid", HK_INPUT, HK_TYPE_BOOL, ),                          \
        NAMED(NAV, field.stamp, full_name "Stamp", HK_INPUT, HK_TYPE_F64, .unit = "s",             \
              .start = "-1")
#define COUNTS(field, full_name)                                                                   \
    NAMED(NAV, field, full_name, HK_OUTPUT, HK_TYPE_I64, .count = ESKF_SENSORS)
#define NUMBERS(field, full_name, size)                                                            \
    NAMED(NAV, field, full_name, HK_OUTPUT, HK_TYPE_F64, .count = (size))
#define XYZ_PARAMETER(field, full_name, port_unit, default_text)                                   \
    PARAMETER(NAV, field.x, full_name ".x", port_unit, default_text),                              \
        PARAMETER(NAV, field.y, full_name ".y", port_unit, default_text),                          \
        PARAMETER(NAV, field.z, full_name ".z", port_unit, default_text)

static const hk_port navigation_function_ports[] = {
    XYZ(NAV, body_speed, "bodySpeed", HK_INPUT, "m/s"),
    NAMED(NAV, speed_at.valid, "bodySpeedValid", HK_INPUT, HK_TYPE_BOOL, .start = "true"),
    NAMED(NAV, speed_at.stamp, "bodySpeedStamp", HK_INPUT, HK_TYPE_F64, .unit = "s", .start = "-1"),
    XYZ(NAV, rotation_speed, "rotationSpeed", HK_INPUT, "rad/s"),
    NAMED(NAV, rotation_valid, "rotationSpeedValid", HK_INPUT, HK_TYPE_BOOL, .start = "true"),
    XYZ(NAV, acceleration, "acceleration", HK_INPUT, "m/s2"),
    NAMED(NAV, acceleration_valid, "accelerationValid", HK_INPUT, HK_TYPE_BOOL, .start = "true"),
    XYZ(NAV, gps_position, "gpsPosition", HK_INPUT, "m"),
    STAMP(gps_at, "gps"),
    NUMBER_IN(NAV, depth, "depth", "m"),
    STAMP(depth_at, "depth"),
    NUMBER_IN(NAV, heading, "heading", "rad"),
    STAMP(heading_at, "heading"),
    NAMED(NAV, true_position.x, "truePosition.x", HK_INPUT, HK_TYPE_F64, .unit = "m",
          .start = "nan"),
    NAMED(NAV, true_position.y, "truePosition.y", HK_INPUT, HK_TYPE_F64, .unit = "m",
          .start = "nan"),
    NAMED(NAV, true_position.z, "truePosition.z", HK_INPUT, HK_TYPE_F64, .unit = "m",
          .start = "nan"),
    XYZ(NAV, position, "myEstimatedNedPosition", HK_OUTPUT, "m"),
    XYZ(NAV, velocity, "velocity", HK_OUTPUT, "m/s"),
    XYZ(NAV, attitude, "attitude", HK_OUTPUT, "rad"),
    XYZ(NAV, filter.accelerometer_bias, "accelerometerBias", HK_OUTPUT, "m/s2"),
    XYZ(NAV, filter.gyroscope_bias, "gyroscopeBias", HK_OUTPUT, "rad/s"),
    NUMBERS(deviations, "standardDeviations", ESKF_STATES),
    NUMBERS(filter.nis, "nis", ESKF_SENSORS),
    COUNTS(filter.updates, "updates"),
    COUNTS(filter.rejected, "rejected"),
    NUMBER_OUT(NAV, age, "gpsAge", "s"),
    ITEM_PARAMETER(NAV, function, "myNavFunctionNumber", "DvlGyro"),
    TRUTH_PARAMETER(NAV, allow_truth, "allowTruth", "false"),
    TRUTH_PARAMETER(NAV, three_axis, "threeAxis", "true"),
    XYZ_PARAMETER(initial_position, "initialPosition", "m", "0"),
    XYZ_PARAMETER(initial_velocity, "initialVelocity", "m/s", "0"),
    XYZ_PARAMETER(initial_attitude, "initialAttitude", "deg", "0"),
    PARAMETER(NAV, tuning.gravity, "gravity", "m/s2", "9.80665"),
    PARAMETER(NAV, tuning.accelerometer_noise, "accelerometerNoise", NULL, "0.001"),
    PARAMETER(NAV, tuning.accelerometer_sigma, "accelerometerBiasSigma", "m/s2", "0.0005"),
    PARAMETER(NAV, tuning.accelerometer_time, "accelerometerBiasTime", "s", "3600"),
    PARAMETER(NAV, tuning.gyroscope_noise, "gyroscopeNoise", NULL, "4.4e-05"),
    PARAMETER(NAV, tuning.gyroscope_sigma, "gyroscopeBiasSigma", "rad/s", "2.4e-06"),
    PARAMETER(NAV, tuning.gyroscope_time, "gyroscopeBiasTime", "s", "3600"),
    XYZ_PARAMETER(tuning.dvl_sigma, "dvlSigma", "m/s", "0.01"),
    PARAMETER(NAV, tuning.depth_sigma, "depthSigma", "m", "0.05"),
    PARAMETER(NAV, tuning.gps_sigma, "gpsSigma", "m", "2"),
    PARAMETER(NAV, tuning.compass_sigma, "compassSigma", "rad", "0.01"),
    PARAMETER(NAV, tuning.position_sigma, "initialPositionSigma", "m", "1"),
    PARAMETER(NAV, tuning.velocity_sigma, "initialVelocitySigma", "m/s", "0.05"),
    PARAMETER(NAV, tuning.tilt_sigma, "initialTiltSigma", "rad", "0.002"),
    PARAMETER(NAV, tuning.heading_sigma, "initialHeadingSigma", "rad", "0.005"),
    XYZ_PARAMETER(tuning.dvl_arm, "dvlArm", "m", "0"),
    XYZ_PARAMETER(tuning.depth_arm, "depthArm", "m", "0"),
    XYZ_PARAMETER(tuning.gps_arm, "gpsArm", "m", "0"),
    PARAMETER(NAV, tuning.held_rotation, "heldRotationSigma", "rad/s", "0.1"),
    PARAMETER(NAV, tuning.held_force, "heldForceSigma", "m/s2", "0.5"),
    PARAMETER(NAV, tuning.gate, "gate", NULL, "0.999"),
    WHOLE_PARAMETER(NAV, tuning.patience, "patience", "20"),
    PARAMETER(NAV, tuning.covariance_period, "covariancePeriod", "s", "0.05"),
    TRUTH_PARAMETER(NAV, tuning.use_dvl, "useDvl", "true"),
    TRUTH_PARAMETER(NAV, tuning.use_depth, "useDepth", "true"),
    TRUTH_PARAMETER(NAV, tuning.use_gps, "useGps", "true"),
    TRUTH_PARAMETER(NAV, tuning.use_compass, "useCompass", "true"),
    PLACE_PARAMETERS(NAV, place),
};

/* ---- the start ---- */

static void show_attitude(NAV *x) {
    hk_geo_euler e = hk_geo_euler_of_matrix(&x->rotation);
    x->attitude = hk_geo_vector(e.roll, e.pitch, e.yaw);
}

static void set_attitude(NAV *x, hk_geo_euler e) {
    x->quaternion = hk_geo_quaternion_of_euler(e);
    x->rotation = hk_geo_matrix_of_euler(e);
    x->attitude = hk_geo_vector(e.roll, e.pitch, e.yaw);
}

static int navigation_function_init(void *self, double t) {
    NAV *x = self;
    hk_geo_vector3 a = x->initial_attitude;
    x->position = x->initial_position;
    x->velocity = x->initial_velocity;
    set_attitude(x, (hk_geo_euler){hk_geo_radians(a.x), hk_geo_radians(a.y), hk_geo_radians(a.z)});
    x->last_speed = hk_geo_apply_transposed(&x->rotation, x->velocity);
    x->speed_known = x->velocity.x != 0 || x->velocity.y != 0 || x->velocity.z != 0;
    x->heading_known = x->force_known = false;
    x->last_heading = x->attitude.z;
    x->active = -1;
    x->fix = t;
    for (int i = 0; i < ESKF_SENSORS; i++)
        x->seen[i] = -1;
    return HK_STEP_OK;
}

static int navigation_function_output(void *self, double t) {
    (void)self, (void)t; /* they are what init made of the parameters */
    return HK_STEP_OK;
}

/* Without pitch and roll the attitude is a heading. */
static void level(NAV *x) {
    set_attitude(x, (hk_geo_euler){0, 0, x->attitude.z});
    x->velocity = hk_geo_apply(&x->rotation, x->last_speed);
}

static int check_tuning(NAV *x) {
    const eskf_tuning *k = &x->tuning;
    if (!(k->gate >= 0 && k->gate < 1))
        return hk_auv_fail(&x->why, "gate is a probability below 1, not %g", k->gate);
    if (!(k->covariance_period >= 0))
        return hk_auv_fail(&x->why, "covariancePeriod is a time, not %g s", k->covariance_period);
    if (!(k->held_rotation >= 0 && k->held_force >= 0))
        return hk_auv_fail(&x->why, "heldRotationSigma is %g and heldForceSigma %g: not below 0",
                           k->held_rotation, k->held_force);
    const double sigmas[] = {k->dvl_sigma.x, k->dvl_sigma.y, k->dvl_sigma.z,
                             k->depth_sigma, k->gps_sigma,   k->compass_sigma};
    static const char *const names[] = {"dvlSigma",   "dvlSigma", "dvlSigma",
                                        "depthSigma", "gpsSigma", "compassSigma"};
    for (size_t i = 0; i < COUNT(sigmas); i++)
        if (!(sigmas[i] > 0))
            return hk_auv_fail(&x->why,
                               "%s is %g: the filter cannot take a measurement for exact (write a "
                               "small number)",
                               names[i], sigmas[i]);
    return HK_STEP_OK;
}

static int check_truth(NAV *x) {
    if (!x->allow_truth)
        return hk_auv_fail(&x->why, "the function Truth copies the true position, which nothing on "
                                    "board knows: choose another one, or set allowTruth = true");
    hk_geo_vector3 p = x->true_position;
    if (isnan(p.x) && isnan(p.y) && isnan(p.z))
        return hk_auv_fail(&x->why, "nothing is linked to truePosition, which the function Truth "
                                    "copies: it needs a copy of the system with 'link' from "
                                    "nedPosition of the drone to it, which the style 'navidro' "
                                    "refuses for good reason");
    return HK_STEP_OK;
}

/* What dead reckoning needs to know of the function before it: how fast it goes, seen from on
 * board, and where it looks. */
static void take_over(NAV *x) {
    if (x->active == NAV_ESKF || x->active == NAV_INERTIAL) {
        x->last_speed = hk_geo_apply_transposed(&x->rotation, x->velocity);
        x->speed_known = true;
    }
    x->last_heading = x->attitude.z;
    x->heading_known = false;
}

/* Another function goes on where the last one is. */
static int begin_function(NAV *x) {
    if (x->function == NAV_TRUTH && check_truth(x) != HK_STEP_OK)
        return HK_STEP_FAILED;
    if (x->function < NAV_TRUTH || x->function > NAV_DVL_COMPASS)
        return hk_auv_fail(&x->why,
                           "there is no function %lld: they are 0 (Truth) to 5 (DvlCompass)",
                           (long long)x->function);
    take_over(x);
    if ((x->function == NAV_DVL_GYRO && !x->three_axis) || x->function == NAV_DVL_COMPASS)
        level(x);
    if (x->function == NAV_ESKF) {
        x->filter.position = x->position;
        x->filter.velocity = x->velocity;
        x->filter.attitude = x->quaternion;
        hk_auv_eskf_begin(&x->filter, &x->tuning);
        hk_auv_eskf_deviations(&x->filter, x->deviations);
    }
    x->active = x->function;
    return HK_STEP_OK;
}

/* ---- dead reckoning ---- */

/* The speed at the end of this step. While there is none that is valid, it is the last one. */
static inline hk_geo_vector3 speed_now(const NAV *x) {
    return x->speed_at.valid ? x->body_speed : x->last_speed;
}

/* Straight on: the attitude is what it was, and so are its sines. */
static inline void go_straight(NAV *x, hk_geo_vector3 now, double h) {
    hk_geo_vector3 v = hk_geo_apply(&x->rotation, now);
    double half = 0.5 * h;
    if (!x->speed_known) { /* nobody said with which it set out */
        x->speed_known = x->speed_at.valid;
        x->velocity = v;
    }
    x->position.x += half * (x->velocity.x + v.x);
    x->position.y += half * (x->velocity.y + v.y);
    x->position.z += half * (x->velocity.z + v.z);
    x->velocity = v;
    x->last_speed = now;
}

/* Along the mean of the speeds, by the attitude in the middle of the step. */
static void go_turning(NAV *x, const hk_geo_matrix3 *middle, hk_geo_vector3 now, double h) {
    hk_geo_vector3 mean = hk_geo_scale(0.5, hk_geo_add(x->last_speed, now));
    hk_geo_vector3 v = hk_geo_apply(&x->rotation, now);
    x->velocity = x->speed_known ? hk_geo_apply(middle, mean) : v;
    x->speed_known = x->speed_known || x->speed_at.valid;
    x->position = hk_geo_add(x->position, hk_geo_scale(h, x->velocity));
    x->velocity = v;
    x->last_speed = now;
}

/* Turns the attitude, and returns that of the middle of the step. */
static hk_geo_matrix3 turn_by(NAV *x, hk_geo_vector3 w, double h) {
    hk_geo_quaternion turn = hk_geo_quaternion_of_turn(hk_geo_scale(0.5 * h, w));
    hk_geo_quaternion half = hk_geo_quaternion_product(x->quaternion, turn);
    x->quaternion = hk_geo_normalised(hk_geo_quaternion_product(half, turn));
    x->rotation = hk_geo_matrix_of_quaternion(x->quaternion);
    return hk_geo_matrix_of_quaternion(half);
}

APART void turn_with_gyro(NAV *x, hk_geo_vector3 w, hk_geo_vector3 now, double h) {
    hk_geo_matrix3 middle = turn_by(x, w, h);
    if (x->three_axis)
        show_attitude(x);
    else
        x->attitude.z = hk_geo_wrap(x->attitude.z + h * w.z);
    go_turning(x, &middle, now, h);
}

static inline void dvl_gyro(NAV *x, double h) {
    hk_geo_vector3 w = x->rotation_speed, now = speed_now(x);
    if (!x->three_axis)
        w.x = w.y = 0;
    if (are_zero(w.x, w.y, w.z))
        go_straight(x, now, h);
    else
        turn_with_gyro(x, w, now, h);
}

static void dvl_compass(NAV *x, double h) {
    double heading = x->heading_at.valid ? x->heading : x->last_heading;
    if (!x->heading_known && x->heading_at.valid) {
        x->heading_known = true;
        x->last_heading = heading;
        set_attitude(x, (hk_geo_euler){0, 0, hk_geo_wrap(heading)});
        x->velocity = hk_geo_apply(&x->rotation, x->last_speed);
    }
    hk_geo_vector3 now = speed_now(x);
    if (heading == x->last_heading) {
        go_straight(x, now, h);
        return;
    }
    double middle = hk_geo_between_angles(x->last_heading, heading, 0.5);
    hk_geo_matrix3 rotation = hk_geo_matrix_of_euler((hk_geo_euler){0, 0, middle});
    set_attitude(x, (hk_geo_euler){0, 0, hk_geo_wrap(heading)});
    x->last_heading = heading;
    go_turning(x, &rotation, now, h);
}

/* ---- inertial, GPS, filter ---- */

/* As long as nothing was measured at all, it neither speeds up nor slows down. */
static hk_geo_vector3 force_now(NAV *x) {
    x->force_known |= x->acceleration_valid;
    if (x->force_known)
        return x->acceleration;
    return hk_geo_apply_transposed(&x->rotation, hk_geo_vector(0, 0, -x->tuning.gravity));
}

static void inertial(NAV *x, double h) {
    hk_geo_vector3 force = force_now(x);
    hk_geo_matrix3 middle = turn_by(x, x->rotation_speed, h);
    hk_geo_vector3 a = hk_geo_apply(&middle, force);
    a.z += x->tuning.gravity;
    hk_geo_vector3 mean = hk_geo_add(x->velocity, hk_geo_scale(0.5 * h, a));
    x->position = hk_geo_add(x->position, hk_geo_scale(h, mean));
    x->velocity = hk_geo_add(x->velocity, hk_geo_scale(h, a));
    show_attitude(x);
}

/* Who knows the position from somewhere else goes on to see where it looks and how fast it goes,
 * for the function that is chosen next. */
static void keep_reckoning(NAV *x, double h) {
    hk_geo_vector3 w = x->rotation_speed;
    if (w.x != 0 || w.y != 0 || w.z != 0) {
        turn_by(x, w, h);
        show_attitude(x);
    }
    if (x->speed_at.valid) {
        x->last_speed = x->body_speed;
        x->speed_known = true;
    }
    if (x->speed_known)
        x->velocity = hk_geo_apply(&x->rotation, x->last_speed);
}

static void gps(NAV *x, double end) {
    if (x->gps_at.valid) {
        x->position = x->gps_position;
        x->fix = x->gps_at.stamp;
    }
    x->age = end - x->fix;
}

/* Whether there is a measurement that was not used yet. */
static bool is_new(NAV *x, const timed *at, bool use, int sensor) {
    if (!use || !at->valid || at->stamp == x->seen[sensor])
        return false;
    x->seen[sensor] = at->stamp;
    return true;
}

/* A depth counts from the surface, which on the ellipsoid is not where the level plane is: what it
 * is as "down" at the place of the estimate. */
static double down_of_depth(NAV *x) {
    if (x->place.earth != EARTH_WGS84)
        return x->depth;
    hk_geo_vector3 p = x->filter.position;
    return x->depth + p.z - hk_auv_depth(&x->place, (coordinate3d){p.x, p.y, p.z});
}

static int filter(NAV *x, double h) {
    eskf *f = &x->filter;
    const eskf_tuning *k = &x->tuning;
    if (check_tuning(x) != HK_STEP_OK)
        return HK_STEP_FAILED;
    eskf_motion motion = {.force = force_now(x),
                          .rotation_speed = x->rotation_speed,
                          .force_valid = x->acceleration_valid,
                          .rotation_valid = x->rotation_valid};
    hk_auv_eskf_step(f, k, &motion, h);
    if (is_new(x, &x->speed_at, k->use_dvl, ESKF_DVL))
        hk_auv_eskf_dvl(f, k, x->body_speed);
    if (is_new(x, &x->depth_at, k->use_depth, ESKF_DEPTH))
        hk_auv_eskf_depth(f, k, down_of_depth(x));
    if (is_new(x, &x->gps_at, k->use_gps, ESKF_GPS)) {
        hk_auv_eskf_gps(f, k, x->gps_position.x, x->gps_position.y);
        x->fix = x->gps_at.stamp;
    }
    if (is_new(x, &x->heading_at, k->use_compass, ESKF_COMPASS))
        hk_auv_eskf_compass(f, k, x->heading);
    x->position = f->position;
    x->velocity = f->velocity;
    x->quaternion = f->attitude;
    x->rotation = f->rotation;
    show_attitude(x);
    if (f->time + f->lately == 0) /* the covariance is of this instant */
        hk_auv_eskf_deviations(f, x->deviations);
    return HK_STEP_OK;
}

APART int any_step(NAV *x, double t, double h) {
    if (x->function != x->active && begin_function(x) != HK_STEP_OK)
        return HK_STEP_FAILED;
    switch (x->function) {
    case NAV_DVL_GYRO:
        dvl_gyro(x, h);
        return HK_STEP_OK;
    case NAV_DVL_COMPASS:
        dvl_compass(x, h);
        return HK_STEP_OK;
    case NAV_INERTIAL:
        inertial(x, h);
        return HK_STEP_OK;
    case NAV_ESKF:
        if (filter(x, h) != HK_STEP_OK)
            return HK_STEP_FAILED;
        x->age = t + h - x->fix;
        return HK_STEP_OK;
    case NAV_GPS:
        gps(x, t + h);
        keep_reckoning(x, h);
        return HK_STEP_OK;
    default:
        keep_reckoning(x, h);
        x->position = x->true_position;
        return HK_STEP_OK;
    }
}

/* The usual one, which is short. */
static int navigation_function_step(void *self, double t, double h) {
    NAV *x = self;
    if (x->function != NAV_DVL_GYRO || x->active != NAV_DVL_GYRO)
        return any_step(x, t, h);
    dvl_gyro(x, h);
    return HK_STEP_OK;
}

/* ---- the type ---- */

COMPLAINT(navigation_function)

static double get_covariance(void *self, int32_t row, int32_t column) {
    const NAV *x = self;
    bool there = row >= 0 && row < ESKF_STATES && column >= 0 && column < ESKF_STATES;
    return there && x->active == NAV_ESKF ? x->filter.covariance[row][column] : (double)NAN;
}

static const covariance_source covariance_functions = {get_covariance};
static const hk_service navigation_function_services[] = {
    {"pCovariance", &hk_auv_covariance_source, &covariance_functions, 0}};
static const hk_domain navigation_function_domains[] = {
    {.port = "myNavFunctionNumber", .enumeration = &function_type},
    {.port = "gate", .min = "0", .max = "1"},
    {.port = "covariancePeriod", .min = "0"},
    PLACE_DOMAIN,
};

const hk_unit_type hk_auv_navigation_function = {
    AUV_TYPE(navigation_function, "navigation.NavigationFunction", navigation_function_ports),
    .init = navigation_function_init,
    .output = navigation_function_output,
    .step = navigation_function_step,
    SERVICES(navigation_function_services),
    DOMAINS(navigation_function_domains),
    .complaint = navigation_function_complaint};

/* SPDX-License-Identifier: MIT
 *
 * The observer: a satellite receiver and a gyro compass with noise, and behind them a passive
 * observer (Fossen and Strand, 1999). It knows the ship's model and the thrusters' forces, an
 * oscillator for each axis that takes up the motion in waves, and a bias for all that is left. */
#include "ship_core.h"

enum { OBSERVER_AXES = 3 };

#define SHIP_DEF "observer.def"
#include "ship_tables.inc"

static double normal(const ship_self *s, uint32_t index) {
    hk_stream draw = hk_stream_make((uint64_t)s->seed, 0, "observer", "noise");
    return hk_stream_normal(&draw, s->samples, index);
}

static void measure(ship_self *s, double h) {
    double keep = hk_exp(-h / s->wander_time);
    double drive = s->position_wander * sqrt(1.0 - keep * keep);
    s->wander_north = keep * s->wander_north + drive * normal(s, 0);
    s->wander_east = keep * s->wander_east + drive * normal(s, 1);
    s->measured[0] = s->north + s->wander_north + s->position_noise * normal(s, 2);
    s->measured[1] = s->east + s->wander_east + s->position_noise * normal(s, 3);
    s->measured[2] = s->heading + s->heading_noise * normal(s, 4);
    s->samples++;
}

static void take_forces(ship_self *s) {
    s->force_x = s->port_x + s->starboard_x;
    s->force_y = s->port_y + s->starboard_y;
    s->force_n = s->port_at_x * s->port_y - s->port_at_y * s->port_x +
                 s->starboard_at_x * s->starboard_y - s->starboard_at_y * s->starboard_x;
}

/* Accelerations that the model knows. */
static void accelerations(const ship_self *s, double ret[OBSERVER_AXES]) {
    double u = s->motion[0], v = s->motion[1], r = s->motion[2], along = fabs(u);
    ret[0] = (s->force_x - (s->drag_u + s->drag_uu * along) * u + s->mass_y * v * r) / s->mass_x;
    ret[1] = (s->force_y - s->lift_v * along * v + s->lift_r * along * r - s->mass_x * u * r) /
             s->mass_y;
    ret[2] = (s->force_n - s->moment_r * along * r + s->moment_v * u * v -
              (s->mass_y - s->mass_x) * u * v) /
             s->mass_n;
}

/* Turns a vector of the plane from north and east to forward and starboard. */
static void to_ship(double heading, const double *plane, double ret[OBSERVER_AXES]) {
    double c = hk_cos(heading), sine = hk_sin(heading);
    ret[0] = c * plane[0] + sine * plane[1];
    ret[1] = c * plane[1] - sine * plane[0];
    ret[2] = plane[2];
}

static void correct(ship_self *s, double h) {
    double known[OBSERVER_AXES], missing[OBSERVER_AXES], bias[OBSERVER_AXES];
    double heading = s->measured[2], c = hk_cos(heading), sine = hk_sin(heading);
    for (int i = 0; i < OBSERVER_AXES; i++)
        s->missing[i] = s->measured[i] - s->pose[i] - s->wave[i];
    accelerations(s, known);
    to_ship(heading, s->missing, missing);
    to_ship(heading, s->bias, bias);
    const double moves[OBSERVER_AXES] = {c * s->motion[0] - sine * s->motion[1],
                                         sine * s->motion[0] + c * s->motion[1], s->motion[2]};
    double w = s->wave_frequency;
    for (int i = 0; i < OBSERVER_AXES; i++) {
        double swing = -w * w * s->wave_integral[i] - 2.0 * s->wave_damping * w * s->wave[i];
        s->wave_integral[i] += h * s->wave[i];
        s->wave[i] += h * (swing + s->gain_wave[i] * s->missing[i]);
        s->pose[i] += h * (moves[i] + s->gain_position[i] * s->missing[i]);
        s->bias[i] += h * (s->gain_bias[i] * s->missing[i] - s->bias[i] / s->bias_time[i]);
        s->motion[i] += h * (known[i] + bias[i] + s->gain_velocity[i] * missing[i]);
    }
}

static void publish(ship_self *s, double t) {
    (void)t;
    s->estimated_north = s->pose[0];
    s->estimated_east = s->pose[1];
    s->estimated_heading = s->pose[2];
    s->estimated_u = s->motion[0];
    s->estimated_v = s->motion[1];
    s->estimated_r = s->motion[2];
    s->error_position = hk_hypot(s->pose[0] - s->north, s->pose[1] - s->east);
    s->error_heading = s->pose[2] - s->heading;
}

static int observer_init(void *self, double t) {
    ship_self *s = self;
    (void)t;
    if (!(s->mass_x > 0.0 && s->mass_y > 0.0 && s->mass_n > 0.0 && s->wander_time > 0.0 &&
          s->seed >= 0))
        return HK_STEP_FAILED;
    for (int i = 0; i < OBSERVER_AXES; i++)
        s->wave[i] = s->wave_integral[i] = s->motion[i] = s->bias[i] = s->missing[i] = 0.0;
    s->pose[0] = s->measured[0] = s->north_initial;
    s->pose[1] = s->measured[1] = s->east_initial;
    s->pose[2] = s->measured[2] = s->heading_initial;
    s->wander_north = s->wander_east = 0.0;
    s->samples = 0;
    return HK_STEP_OK;
}

static int observer_step(void *self, double t, double h) {
    enum { PARTS = 5 };
    ship_self *s = self;
    measure(s, h);
    take_forces(s);
    for (int i = 0; i < PARTS; i++)
        correct(s, h / PARTS);
    publish(s, t + h);
    return HK_STEP_OK;
}

#include "ship_type.inc"

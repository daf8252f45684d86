/* SPDX-License-Identifier: MIT
 *
 * The sea: a sum of single waves of random phase, gusts made likewise, a current; and what the
 * waves do to a box of the hull's length, beam and draught. */
#include "ship_core.h"

enum {
    SEA_WAVES = 270,
    SEA_GUSTS = 40,
    SEA_DRIFT_OMEGAS = 7,
    SEA_DRIFT_ANGLES = 13,
    SEA_DRIFT = SEA_DRIFT_OMEGAS * SEA_DRIFT_ANGLES
};

#define SHIP_DEF "sea.def"
#include "ship_tables.inc"

static double radians(double degrees) {
    return degrees * (ship_pi / 180.0);
}

/* Density of the energy at a frequency, JONSWAP. */
static double spectrum(const ship_self *s, double omega) {
    double peak = 2.0 * ship_pi / s->period, ratio = peak / omega;
    double width = omega <= peak ? 0.07 : 0.09;
    double away = (omega - peak) / (width * peak);
    double base = 5.0 / 16.0 * s->height * s->height * hk_pow(ratio, 4) / omega *
                  hk_exp(-1.25 * hk_pow(ratio, 4));
    return base * (1.0 - 0.287 * hk_log(s->peakedness)) *
           hk_pow(s->peakedness, hk_exp(-0.5 * away * away));
}

static void make_waves(ship_self *s) {
    hk_stream draw = hk_stream_make((uint64_t)s->seed, 0, "sea", "waves");
    double width = (s->omega_high - s->omega_low) / SEA_WAVES;
    s->variance = 0.0;
    for (int i = 0; i < SEA_WAVES; i++) {
        /* Not in the middle of its interval: equal distances would repeat the sea after a while. */
        double omega = s->omega_low + (i + hk_stream_uniform(&draw, i, 0)) * width;
        double aside = ship_clamp(hk_stream_normal(&draw, i, 1), -3.0, 3.0);
        s->omega[i] = omega;
        s->number[i] = omega * omega / ship_gravity;
        s->amplitude[i] = sqrt(2.0 * spectrum(s, omega) * width);
        s->direction[i] = radians(s->waves_to + aside * s->spread);
        s->phase[i] = 2.0 * ship_pi * hk_stream_uniform(&draw, i, 2);
        s->to_north[i] = hk_cos(s->direction[i]);
        s->to_east[i] = hk_sin(s->direction[i]);
        /* Of the water at half the draught. */
        s->acceleration[i] =
            s->amplitude[i] * omega * omega * hk_exp(-0.5 * s->number[i] * s->draught);
        s->variance += 0.5 * s->amplitude[i] * s->amplitude[i];
    }
}

/* The spectrum of Harris for the speed along the wind, over frequencies that grow by a factor. */
static void make_gusts(ship_self *s) {
    hk_stream draw = hk_stream_make((uint64_t)s->seed, 0, "sea", "gusts");
    const double lowest = 0.003, highest = 0.5; /* Hz */
    double factor = hk_pow(highest / lowest, 1.0 / SEA_GUSTS);
    double from = lowest;
    for (int i = 0; i < SEA_GUSTS; i++, from *= factor) {
        double width = from * (factor - 1.0);
        double f = from + width * hk_stream_uniform(&draw, i, 0);
        double x = s->gust_length * f / s->wind_speed;
        double density =
            4.0 * s->drag * s->gust_length * s->wind_speed / hk_pow(2.0 + x * x, 5.0 / 6.0);
        s->gust_amplitude[i] = sqrt(2.0 * density * width);
        s->gust_omega[i] = 2.0 * ship_pi * f;
        s->gust_phase[i] = 2.0 * ship_pi * hk_stream_uniform(&draw, i, 1);
    }
}

/* A wall throws back the part of a wave that does not pass under it, and is pushed by it. */
static void make_drift(ship_self *s) {
    for (int i = 0; i < SEA_DRIFT_OMEGAS; i++) {
        double omega = s->omega_low + (s->omega_high - s->omega_low) * i / (SEA_DRIFT_OMEGAS - 1);
        double back = 1.0 - hk_exp(-2.0 * omega * omega / ship_gravity * s->draught);
        double push = 0.5 * ship_water * ship_gravity * back * back;
        s->drift_omega[i] = omega;
        for (int k = 0; k < SEA_DRIFT_ANGLES; k++) {
            double angle = ship_pi * k / (SEA_DRIFT_ANGLES - 1);
            double forward = hk_cos(angle), aside = hk_sin(angle);
            int at = i * SEA_DRIFT_ANGLES + k;
            s->drift_angle[k] = angle;
            s->drift_x[at] = push * s->beam * forward * fabs(forward);
            s->drift_y[at] = push * s->length * aside * aside;
            s->drift_n[at] = 0.05 * push * s->length * s->length * hk_sin(2.0 * angle);
        }
    }
}

/* A slowly varying load is the square of a sum over all waves (Newman's approximation): those that
 * push and those that pull are summed apart. */
typedef struct envelope {
    double push_cos, push_sin, pull_cos, pull_sin;
} envelope;

static void add_to(envelope *e, double amplitude, double coefficient, double c, double s) {
    double root = amplitude * sqrt(fabs(coefficient));
    if (coefficient >= 0.0) {
        e->push_cos += root * c;
        e->push_sin += root * s;
    } else {
        e->pull_cos += root * c;
        e->pull_sin += root * s;
    }
}

static double load_of(const envelope *e) {
    return e->push_cos * e->push_cos + e->push_sin * e->push_sin - e->pull_cos * e->pull_cos -
           e->pull_sin * e->pull_sin;
}

static double mix(const double *table, size_t at, double part_omega, double part_angle) {
    const double *low = table + at, *high = low + SEA_DRIFT_ANGLES;
    double a = low[0] + part_angle * (low[1] - low[0]);
    double b = high[0] + part_angle * (high[1] - high[0]);
    return a + part_omega * (b - a);
}

/* A wave as the ship meets it. */
typedef struct encounter {
    double cosine, sine; /* of its phase at the ship */
    double angle, aside; /* its direction from the bow, 0 to pi; the sine of it on the other side */
} encounter;

static void add_drift(const ship_self *s, int i, const encounter *e, envelope loads[3]) {
    double part_omega, part_angle;
    size_t row = ship_interval(s->drift_omega, SEA_DRIFT_OMEGAS, s->omega[i], &part_omega);
    size_t column = ship_interval(s->drift_angle, SEA_DRIFT_ANGLES, e->angle, &part_angle);
    size_t at = row * SEA_DRIFT_ANGLES + column;
    double side = e->aside < 0.0 ? -1.0 : 1.0, c = e->cosine, sine = e->sine;
    double amplitude = s->amplitude[i];
    add_to(&loads[0], amplitude, mix(s->drift_x, at, part_omega, part_angle), c, sine);
    add_to(&loads[1], amplitude, side * mix(s->drift_y, at, part_omega, part_angle), c, sine);
    add_to(&loads[2], amplitude, side * mix(s->drift_n, at, part_omega, part_angle), c, sine);
}

static double sinc(double x) {
    return fabs(x) < 1e-4 ? 1.0 - x * x / 6.0 : hk_sin(x) / x;
}

/* (sin x - x cos x) / x2: how a wave along a line turns it. */
static double turn(double x) {
    return fabs(x) < 1e-3 ? x / 3.0 : (hk_sin(x) - x * hk_cos(x)) / (x * x);
}

static void look_at_waves(ship_self *s, double t) {
    double ahead_north = hk_cos(s->heading), ahead_east = hk_sin(s->heading);
    double x = 0.0, y = 0.0, n = 0.0, elevation = 0.0;
    envelope loads[3] = {{0}};
    for (int i = 0; i < SEA_WAVES; i++) {
        double k = s->number[i];
        double along = s->to_north[i] * ahead_north + s->to_east[i] * ahead_east;
        double aside = s->to_east[i] * ahead_north - s->to_north[i] * ahead_east;
        double theta = s->omega[i] * t - k * (s->north * s->to_north[i] + s->east * s->to_east[i]) +
                       s->phase[i];
        double c = hk_cos(theta), sine = hk_sin(theta);
        double half = 0.5 * k * s->length * along;
        double a = s->acceleration[i] * sinc(0.5 * k * s->beam * aside);
        double mean = -a * sine * sinc(half);
        x += mean * along;
        y += mean * aside;
        n += a * c * aside * 0.5 * s->length * turn(half);
        s->height_of[i] = s->amplitude[i] * c;
        elevation += s->height_of[i];
        encounter met = {c, sine, hk_acos(ship_clamp(along, -1.0, 1.0)), aside};
        add_drift(s, i, &met, loads);
    }
    s->elevation = elevation;
    s->first_x = s->mass_x * x;
    s->first_y = s->mass_y * y;
    s->first_n = s->mass_y * n;
    s->second_x = load_of(&loads[0]);
    s->second_y = load_of(&loads[1]);
    s->second_n = load_of(&loads[2]);
    s->wave_x = s->first_x + s->second_x;
    s->wave_y = s->first_y + s->second_y;
    s->wave_n = s->first_n + s->second_n;
}

static void look_at_rest(ship_self *s, double t) {
    s->gust = 0.0;
    for (int i = 0; i < SEA_GUSTS; i++)
        s->gust += s->gust_amplitude[i] * hk_cos(s->gust_omega[i] * t + s->gust_phase[i]);
    double wind = s->wind_speed + s->gust;
    s->wind_north = wind * hk_cos(radians(s->wind_to));
    s->wind_east = wind * hk_sin(radians(s->wind_to));
    double current =
        s->current_speed + s->current_swing * hk_sin(2.0 * ship_pi * t / s->current_period);
    s->current_north = current * hk_cos(radians(s->current_to));
    s->current_east = current * hk_sin(radians(s->current_to));
}

static void publish(ship_self *s, double t) {
    look_at_waves(s, t);
    look_at_rest(s, t);
}

static int sea_init(void *self, double t) {
    ship_self *s = self;
    (void)t;
    if (!(s->height >= 0.0 && s->period > 0.0 && s->peakedness >= 1.0 && s->omega_low > 0.0 &&
          s->omega_high > s->omega_low && s->wind_speed > 0.0 && s->current_period > 0.0 &&
          s->seed >= 0))
        return HK_STEP_FAILED;
    make_waves(s);
    make_gusts(s);
    make_drift(s);
    return HK_STEP_OK;
}

static int sea_step(void *self, double t, double h) {
    publish(self, t + h);
    return HK_STEP_OK;
}

#include "ship_type.inc"

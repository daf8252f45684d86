/* SPDX-License-Identifier: MIT
 *
 * The power plant: generating sets with droop on one bus, a control that brings the frequency back,
 * and a power management that starts and stops sets and tells the thrusters what they may take.
 *
 * It is as old programs are: the table of consumption is worked up into storage that belongs to the
 * whole program, not to an instance. So a process can hold one plant, and its FMU says so. The
 * table does not change once a run has begun, so a state that is saved is complete. */
#include "ship_core.h"

enum { PLANT_SETS = 4, PLANT_POINTS = 12 };

#define SHIP_DEF "plant.def"
#include "ship_tables.inc"

/* The table as a cubic spline: second derivatives at its points. */
static double bend[PLANT_POINTS];

/* Natural spline through the table: the tridiagonal equations, down and up again. */
static void bend_table(const ship_self *s) {
    const double *x = s->load_at, *y = s->burn_at;
    double work[PLANT_POINTS];
    bend[0] = work[0] = 0.0;
    for (int i = 1; i < PLANT_POINTS - 1; i++) {
        double left = x[i] - x[i - 1], both = x[i + 1] - x[i - 1], part = left / both;
        double pivot = part * bend[i - 1] + 2.0;
        double slope = (y[i + 1] - y[i]) / (x[i + 1] - x[i]) - (y[i] - y[i - 1]) / left;
        bend[i] = (part - 1.0) / pivot;
        work[i] = (6.0 * slope / both - part * work[i - 1]) / pivot;
    }
    bend[PLANT_POINTS - 1] = 0.0;
    for (int i = PLANT_POINTS - 2; i >= 0; i--)
        bend[i] = bend[i] * bend[i + 1] + work[i];
}

/* Fuel per energy of an engine at a load, g/(kW h). */
static double consumption(const ship_self *s, double load) {
    double b;
    size_t i = ship_interval(s->load_at, PLANT_POINTS, load, &b);
    double a = 1.0 - b, h = s->load_at[i + 1] - s->load_at[i];
    return a * s->burn_at[i] + b * s->burn_at[i + 1] +
           ((a * a * a - a) * bend[i] + (b * b * b - b) * bend[i + 1]) * h * h / 6.0;
}

/* The sums over all sets. */
static void publish(ship_self *s, double t) {
    (void)t;
    s->running = 0;
    s->capacity = s->generated = s->fuel_rate = s->fuel = 0.0;
    for (int i = 0; i < PLANT_SETS; i++) {
        s->running += s->online[i];
        s->capacity += s->online[i] ? s->rated[i] : 0.0;
        s->generated += s->power[i];
        s->fuel_rate += s->rate[i];
        s->fuel += s->burnt[i];
    }
    s->demand = s->hotel + s->load_port + s->load_starboard;
    s->load_share = s->demand / s->capacity;
    s->available_port = s->available_starboard = 0.5 * s->given;
}

static void step_engine(ship_self *s, int i, double h) {
    double off = (s->nominal - s->frequency) / s->nominal;
    s->wanted[i] = s->online[i] ? ship_clamp(s->rated[i] * (off / s->droop[i] + s->trim), 0.0,
                                             1.1 * s->rated[i])
                                : 0.0;
    s->power[i] = s->online[i] ? s->power[i] + (s->wanted[i] - s->power[i]) *
                                                   -hk_expm1(-h / s->engine_time[i])
                               : 0.0;
    s->load_of[i] = s->power[i] / s->rated[i];
    s->burn[i] = s->online[i] ? consumption(s, s->load_of[i]) : 0.0;
    s->rate[i] = s->burn[i] * s->power[i] / 1000.0;
    s->burnt[i] += s->rate[i] * h / 3600.0;
    s->energy[i] += s->power[i] * h / 3600.0;
    s->hours[i] += s->online[i] ? h / 3600.0 : 0.0;
}

/* Steps of some milliseconds: the bus is much quicker than the ship. */
static void step_bus(ship_self *s, double h) {
    enum { PARTS = 10 };
    double part = h / PARTS;
    for (int k = 0; k < PARTS; k++) {
        double generated = 0.0;
        for (int i = 0; i < PLANT_SETS; i++) {
            step_engine(s, i, part);
            generated += s->power[i];
        }
        double excess = (generated - s->demand) / s->capacity;
        s->frequency += part * excess * s->nominal / (2.0 * s->inertia_time);
        s->trim += part * (s->nominal - s->frequency) / s->nominal / 0.04 / s->trim_time;
        s->lowest = fmin(s->lowest, s->frequency);
        s->highest = fmax(s->highest, s->frequency);
    }
}

/* Times are sums of steps, which masters round in different ways. */
static const double moment = 1e-6;

static void start_one(ship_self *s) {
    for (int i = 0; i < PLANT_SETS; i++)
        if (s->starting[i])
            return;
    for (int i = 0; i < PLANT_SETS; i++)
        if (!s->online[i]) {
            s->starting[i] = true;
            s->start_left[i] = s->start_time[i];
            s->starts[i] += 1.0;
            return;
        }
}

/* Set I comes to the bus, or leaves it: its part of the load is shifted from the others, or to
 * them, before the breaker moves. */
static void switch_set(ship_self *s, int i, bool on) {
    double before = 0.0, after = 0.0, power = 0.0;
    for (int k = 0; k < PLANT_SETS; k++) {
        before += s->online[k] ? s->rated[k] : 0.0;
        power += s->power[k];
    }
    s->online[i] = on;
    for (int k = 0; k < PLANT_SETS; k++)
        after += s->online[k] ? s->rated[k] : 0.0;
    for (int k = 0; k < PLANT_SETS; k++)
        s->power[k] = s->online[k] ? power * s->rated[k] / after : 0.0;
    s->trim *= before / after;
}

/* The last of them: the others can bear the load. */
static void stop_one(ship_self *s) {
    int last = PLANT_SETS - 1;
    while (last > 0 && !s->online[last])
        last--;
    if (last > 0)
        switch_set(s, last, false);
    s->low_for = 0.0;
}

static double without_last(const ship_self *s) {
    for (int i = PLANT_SETS - 1; i > 0; i--)
        if (s->online[i])
            return s->capacity - s->rated[i];
    return 0.0;
}

static void manage(ship_self *s, double h) {
    for (int i = 0; i < PLANT_SETS; i++) {
        s->start_left[i] = s->starting[i] ? s->start_left[i] - h : 0.0;
        if (s->starting[i] && s->start_left[i] < moment) {
            s->starting[i] = false;
            switch_set(s, i, true);
            s->high_for = 0.0; /* the load is to be seen anew */
        }
    }
    s->high_for = s->load_share > s->start_above ? s->high_for + h : 0.0;
    double rest = without_last(s);
    s->low_for = rest > 0.0 && s->demand < s->stop_below * rest ? s->low_for + h : 0.0;
    if (s->high_for > s->start_after - moment)
        start_one(s);
    if (s->low_for > s->stop_after - moment)
        stop_one(s);
    /* Less at once, more by and by: an engine cannot take its whole load in a moment. */
    double may = fmax(s->reserve * s->capacity - s->hotel, 0.0);
    s->given = fmin(may, s->given + h * s->release);
}

static bool makes_sense(const ship_self *s) {
    for (int i = 0; i < PLANT_SETS; i++)
        if (!(s->rated[i] > 0.0 && s->engine_time[i] > 0.0 && s->droop[i] > 0.0))
            return false;
    return s->running_initial >= 1 && s->running_initial <= PLANT_SETS && s->nominal > 0.0 &&
           s->inertia_time > 0.0 && s->trim_time > 0.0 && ship_ascends(s->load_at, PLANT_POINTS);
}

static int plant_init(void *self, double t) {
    ship_self *s = self;
    (void)t;
    if (!makes_sense(s))
        return HK_STEP_FAILED;
    bend_table(s);
    double capacity = 0.0;
    for (int i = 0; i < PLANT_SETS; i++) {
        s->online[i] = i < s->running_initial;
        s->starting[i] = false;
        s->start_left[i] = s->burnt[i] = s->hours[i] = s->energy[i] = s->starts[i] = 0.0;
        capacity += s->online[i] ? s->rated[i] : 0.0;
    }
    s->trim = s->hotel / capacity;
    for (int i = 0; i < PLANT_SETS; i++) {
        s->wanted[i] = s->power[i] = s->online[i] ? s->trim * s->rated[i] : 0.0;
        s->load_of[i] = s->power[i] / s->rated[i];
        s->burn[i] = s->online[i] ? consumption(s, s->load_of[i]) : 0.0;
        s->rate[i] = s->burn[i] * s->power[i] / 1000.0;
    }
    s->frequency = s->lowest = s->highest = s->nominal;
    s->high_for = s->low_for = s->given = 0.0;
    return HK_STEP_OK;
}

static int plant_step(void *self, double t, double h) {
    publish(self, t); /* the demand of this step */
    step_bus(self, h);
    manage(self, h);
    publish(self, t + h);
    return HK_STEP_OK;
}

#include "ship_type.inc"

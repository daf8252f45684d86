/* SPDX-License-Identifier: MIT
 *
 * What the units of the ship share: angles, tables, limits. North, east and down are x, y and z;
 * a heading is clockwise from north, and a force to starboard is positive. */
#ifndef SHIP_CORE_H
#define SHIP_CORE_H

#include <hk/unit.h>

#include <hk/math.h>
#include <math.h>

extern const hk_unit_type hk_ship_sea_type, hk_ship_hull_type, hk_ship_azimuth_type,
    hk_ship_plant_type, hk_ship_guidance_type, hk_ship_pilot_type, hk_ship_observer_type;

static const double ship_pi = 3.14159265358979323846;
static const double ship_gravity = 9.80665;
static const double ship_water = 1025.0; /* density of sea water, kg/m3 */

/* The same angle in [-pi, pi]. */
static inline double ship_wrap(double angle) {
    return remainder(angle, 2.0 * ship_pi);
}

static inline double ship_clamp(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

/* X moved towards TO, by DELTA at most. */
static inline double ship_toward(double x, double to, double delta) {
    return x + ship_clamp(to - x, -delta, delta);
}

/* The interval of the ascending table X in which AT lies, and how far in it: 0 to 1, so that beyond
 * its ends the table is constant. */
static inline size_t ship_interval(const double *x, size_t n, double at, double *ret_part) {
    size_t low = 0, high = n - 1;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (at >= x[middle])
            low = middle;
        else
            high = middle;
    }
    *ret_part = ship_clamp((at - x[low]) / (x[low + 1] - x[low]), 0.0, 1.0);
    return low;
}

static inline double ship_lookup(const double *x, const double *y, size_t n, double at) {
    double part;
    size_t i = ship_interval(x, n, at, &part);
    return y[i] + part * (y[i + 1] - y[i]);
}

/* True if every value is larger than the one before. */
static inline bool ship_ascends(const double *x, size_t n) {
    for (size_t i = 1; i < n; i++)
        if (!(x[i] > x[i - 1]))
            return false;
    return true;
}

#endif

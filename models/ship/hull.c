/* SPDX-License-Identifier: MIT
 *
 * The hull: a rigid body in the plane with the mass of the water it takes along, resistance, lift,
 * the drag of slices in a flow from the side, and wind. Its velocity is that through the water, and
 * the water moves with the current. */
#include "ship_core.h"

#include "../common/integrate.h"

enum { HULL_ANGLES = 19, HULL_STATIONS = 24 };

#define SHIP_DEF "hull.def"
#include "ship_tables.inc"

#define UNIT_STATES(STATE)                                                                         \
    STATE(NORTH, north)                                                                            \
    STATE(EAST, east)                                                                              \
    STATE(HEADING, heading)                                                                        \
    STATE(U, water_u) STATE(V, water_v) STATE(R, yaw_rate) STATE(DISTANCE, distance)
enum { UNIT_STATES(RK_INDEX) STATES };

typedef struct load {
    double x, y, n;
} load;

/* The current as the ship sees it. */
static void current_at(const ship_self *s, double heading, double *ret_u, double *ret_v) {
    double c = hk_cos(heading), sine = hk_sin(heading);
    *ret_u = c * s->current_north + sine * s->current_east;
    *ret_v = c * s->current_east - sine * s->current_north;
}

static load thrust_on(const ship_self *s) {
    return (load){s->port_x + s->starboard_x, s->port_y + s->starboard_y,
                  s->port_at_x * s->port_y - s->port_at_y * s->port_x +
                      s->starboard_at_x * s->starboard_y - s->starboard_at_y * s->starboard_x};
}

/* How fast the air passes the ship, and from where. */
static void air_past(const ship_self *s, const double *x, double *ret_speed, double *ret_from) {
    double c = hk_cos(x[HEADING]), sine = hk_sin(x[HEADING]), current_u, current_v;
    current_at(s, x[HEADING], &current_u, &current_v);
    double u = c * s->wind_north + sine * s->wind_east - x[U] - current_u;
    double v = c * s->wind_east - sine * s->wind_north - x[V] - current_v;
    *ret_speed = hk_hypot(u, v);
    *ret_from = hk_atan2(-v, -u);
}

static load wind_on(const ship_self *s, const double *x) {
    double speed, from;
    air_past(s, x, &speed, &from);
    double pressure = 0.5 * s->air * speed * speed;
    double off_bow = fabs(from) * (180.0 / ship_pi), part;
    double leeward = from < 0.0 ? 1.0 : -1.0; /* from port it pushes to starboard */
    size_t i = ship_interval(s->wind_angle, HULL_ANGLES, off_bow, &part);
    double cx = s->wind_cx[i] + part * (s->wind_cx[i + 1] - s->wind_cx[i]);
    double cy = s->wind_cy[i] + part * (s->wind_cy[i + 1] - s->wind_cy[i]);
    double cn = s->wind_cn[i] + part * (s->wind_cn[i + 1] - s->wind_cn[i]);
    return (load){pressure * s->area_front * cx, leeward * pressure * s->area_side * cy,
                  leeward * pressure * s->area_side * s->length_over_all * cn};
}

static double drag_of(const ship_self *s, const double *x) {
    return -(s->drag_u + s->drag_uu * fabs(x[U])) * x[U];
}

static load lift_on(const ship_self *s, const double *x) {
    double along = fabs(x[U]);
    return (load){0.0, along * (s->lift_r * x[R] - s->lift_v * x[V]),
                  along * (-s->moment_r * x[R]) + x[U] * s->moment_v * x[V]};
}

static double slice_force(const ship_self *s, size_t i, double flow) {
    return -0.5 * ship_water * s->station_cd[i] * s->station_draught[i] * s->station_width *
           fabs(flow) * flow;
}

static load cross_flow_on(const ship_self *s, const double *x) {
    load sum = {0};
    for (size_t i = 0; i < HULL_STATIONS; i++) {
        double force = slice_force(s, i, x[V] + s->station_x[i] * x[R]);
        sum.y += force;
        sum.n += s->station_x[i] * force;
    }
    return sum;
}

static void rates(const void *self, double t, const double *x, double *ret_rates) {
    const ship_self *s = self;
    (void)t;
    load thrust = thrust_on(s), wind = wind_on(s, x), lift = lift_on(s, x);
    load cross = cross_flow_on(s, x);
    double u = x[U], v = x[V], r = x[R];
    double force_x =
        thrust.x + wind.x + s->wave_x + drag_of(s, x) + (s->mass_y * v + s->coupling * r) * r;
    double force_y = thrust.y + wind.y + s->wave_y + lift.y + cross.y - s->mass_x * u * r;
    double moment = thrust.n + wind.n + s->wave_n + lift.n + cross.n -
                    (s->mass_y - s->mass_x) * u * v - s->coupling * u * r;
    double determinant = s->mass_y * s->mass_n - s->coupling * s->coupling;
    ret_rates[U] = force_x / s->mass_x;
    ret_rates[V] = (s->mass_n * force_y - s->coupling * moment) / determinant;
    ret_rates[R] = (s->mass_y * moment - s->coupling * force_y) / determinant;
    double c = hk_cos(x[HEADING]), sine = hk_sin(x[HEADING]);
    ret_rates[NORTH] = c * u - sine * v + s->current_north;
    ret_rates[EAST] = sine * u + c * v + s->current_east;
    ret_rates[HEADING] = r;
    ret_rates[DISTANCE] = hk_hypot(ret_rates[NORTH], ret_rates[EAST]);
}

#define RK_SELF ship_self
#include "../common/states.inc"

/* Forces one by one, for those who want to see them. */
static void publish_forces(ship_self *s, const double *x) {
    load thrust = thrust_on(s), wind = wind_on(s, x), lift = lift_on(s, x);
    load cross = cross_flow_on(s, x);
    for (size_t i = 0; i < HULL_STATIONS; i++) {
        s->station_flow[i] = x[V] + s->station_x[i] * x[R];
        s->station_force[i] = slice_force(s, i, s->station_flow[i]);
    }
    s->drag_force = drag_of(s, x);
    s->lift_force = lift.y;
    s->lift_moment = lift.n;
    s->cross_force = cross.y;
    s->cross_moment = cross.n;
    s->wind_x = wind.x;
    s->wind_y = wind.y;
    s->wind_n = wind.n;
    s->thrust_x = thrust.x;
    s->thrust_y = thrust.y;
    s->thrust_n = thrust.n;
}

/* All that follows from states and inputs. */
static void publish(ship_self *s, double t) {
    (void)t;
    double x[STATES], rate[STATES], current_u, current_v;
    take_states(s, x);
    rates(s, 0.0, x, rate);
    current_at(s, s->heading, &current_u, &current_v);
    s->u = s->water_u + current_u;
    s->v = s->water_v + current_v;
    s->speed = rate[DISTANCE];
    s->course = hk_atan2(rate[EAST], rate[NORTH]);
    s->drift_angle = hk_atan2(s->water_v, s->water_u);
    s->der_u = rate[U];
    s->der_v = rate[V];
    s->der_r = rate[R];
    air_past(s, x, &s->wind_speed, &s->wind_from);
    publish_forces(s, x);
}

static int hull_init(void *self, double t) {
    ship_self *s = self;
    (void)t;
    s->mass_x = s->mass + s->added_x;
    s->mass_y = s->mass + s->added_y;
    s->mass_n = s->inertia + s->added_n;
    if (!(s->mass_x > 0.0 && s->mass_y * s->mass_n > s->coupling * s->coupling &&
          s->solver_step > 0.0 && ship_ascends(s->wind_angle, HULL_ANGLES)))
        return HK_STEP_FAILED;
    s->north = s->north_initial;
    s->east = s->east_initial;
    s->heading = s->heading_initial;
    s->water_u = s->u_initial;
    s->water_v = s->yaw_rate = s->distance = 0.0;
    return HK_STEP_OK;
}

static int hull_step(void *self, double t, double h) {
    move_states(self, t, h);
    publish(self, t + h);
    return HK_STEP_OK;
}

#include "ship_type.inc"

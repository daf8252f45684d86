/* SPDX-License-Identifier: MIT
 *
 * The wheels of the rover (Fig. 1.5 of the paper): it turns by the angular speed, accelerates to
 * the linear one as far as the slope lets it, and stops before a wall. Within a step everything
 * that comes from outside is constant, so that speed, way and arc have closed forms: they are exact
 * for steps of any length. */
#include "detector.h"

typedef struct mobility {
    double ls, as, slope;
    double walls[WALL_COUNT];
    double gpspos[2], gpsdir[2];
    double initial_position[2], initial_direction[2];
    double velocity_limit, response, gravity, stop_distance, wall_age;
    double speed;
    double straight; /* for so long it has not turned, s */
    int wrong;       /* what the last call complained of: index of complaints */
} mobility;

static const char *const complaints[] = {
    NULL,
    "initial_direction has no direction: its length must be more than 0",
    "response must be more than 0, and velocity_limit not less than 0",
};
enum { NO_DIRECTION = 1, NO_RESPONSE };

static int failed(mobility *m, int wrong) {
    m->wrong = wrong;
    return HK_STEP_FAILED;
}

static const hk_port mobility_ports[] = {
    HK_PORT(mobility, ls, HK_INPUT, HK_TYPE_F64, .unit = "m/s",
            .description = "Linear speed that is wanted"),
    HK_PORT(mobility, as, HK_INPUT, HK_TYPE_F64, .unit = "rad/s",
            .description = "Angular speed, to the left"),
    HK_PORT(mobility, slope, HK_INPUT, HK_TYPE_F64,
            .description = "Of the floor in the direction of the rover: rise over run"),
    DETECTOR_LIST(mobility, walls, HK_INPUT, WALL_COUNT, .unit = "m", .start = "10",
                  .description = "Free distances: left, right, front, back"),
    DETECTOR_LIST(mobility, gpspos, HK_OUTPUT, 2, .unit = "m", .depends_on = "",
                  .description = "Where the rover is"),
    DETECTOR_LIST(mobility, gpsdir, HK_OUTPUT, 2, .depends_on = "",
                  .description = "Where it looks to, of length 1"),
    DETECTOR_LIST(mobility, initial_position, HK_PARAMETER, 2, .unit = "m", .start = "0",
                  .description = "Where it is at first"),
    DETECTOR_LIST(mobility, initial_direction, HK_PARAMETER, 2, .start = "1",
                  .description = "Where it looks to at first, of any length"),
    DETECTOR_PARAMETER(mobility, velocity_limit, "m/s", "1", "No faster, forwards or backwards"),
    DETECTOR_PARAMETER(mobility, response, "s", "0.2", "How fast the speed follows"),
    DETECTOR_PARAMETER(mobility, gravity, "m/s2", "9.80665", "Acceleration of gravity"),
    DETECTOR_PARAMETER(mobility, stop_distance, "m", "0.2", "A wall that is nearer stops it"),
    DETECTOR_PARAMETER(mobility, wall_age, "s", "0.1", "How old the distances may be"),
    HK_PORT(mobility, speed, HK_LOCAL, HK_TYPE_F64, .unit = "m/s", .description = "How fast it is"),
};

static int mobility_init(void *self, double t) {
    mobility *m = self;
    vector direction;
    (void)t;
    if (!set_direction((vector){m->initial_direction[0], m->initial_direction[1]}, &direction))
        return failed(m, NO_DIRECTION);
    m->gpspos[0] = m->initial_position[0];
    m->gpspos[1] = m->initial_position[1];
    m->gpsdir[0] = direction.x;
    m->gpsdir[1] = direction.y;
    m->speed = 0;
    m->straight = m->wall_age;
    return HK_STEP_OK;
}

/* The speed that it comes to on this slope. The brakes hold it where the drive does not win, so
 * that it never rolls back. */
static double final_speed(const mobility *m) {
    double pull = m->gravity * m->slope / hk_hypot(1, m->slope) * m->response;
    double reached = m->ls - pull;
    if (m->ls > 0)
        return reached > 0 ? reached : 0;
    if (m->ls < 0)
        return reached < 0 ? reached : 0;
    return 0;
}

static bool is_free(const mobility *m, int wall) {
    return m->walls[wall] > m->stop_distance;
}

/* From LOW to HIGH: how fast it may be. The distances are as old as wall_age, of the direction that
 * it had then. So the one in front is of use only if it has not turned since and does not turn now;
 * one who turns must have room on all sides. */
static void find_limits(const mobility *m, double *ret_low, double *ret_high) {
    bool turns = m->as != 0 || m->straight < m->wall_age - 1e-9;
    bool front = is_free(m, WALL_FRONT), back = is_free(m, WALL_BACK);
    if (turns)
        front = back = front && back && is_free(m, WALL_LEFT) && is_free(m, WALL_RIGHT);
    *ret_low = back ? -m->velocity_limit : 0;
    *ret_high = front ? m->velocity_limit : 0;
}

/* How far it gets in H at the speed END + EXCESS exp(-t / response) while it turns evenly, in the
 * frame it begins with: forwards and to the left. That is the integral of the speed times
 * exp(i angle); with excess 0 it is an arc of a circle. */
static vector find_way(const mobility *m, double end, double excess, double h) {
    double turn = m->as * h, half = hk_sin(turn / 2);
    vector even = {h, 0}; /* (exp(i turn) - 1) / (i as) */
    if (m->as != 0)
        even = (vector){hk_sin(turn) / m->as, 2 * half * half / m->as};
    /* (exp((i as - rate) h) - 1) / (i as - rate) */
    double rate = 1 / m->response, left = hk_exp(-rate * h), size = rate * rate + m->as * m->as;
    vector top = {hk_expm1(-rate * h) * hk_cos(turn) - 2 * half * half, left * hk_sin(turn)};
    vector fading = {(-rate * top.x + m->as * top.y) / size,
                     (-rate * top.y - m->as * top.x) / size};
    return (vector){end * even.x + excess * fading.x, end * even.y + excess * fading.y};
}

/* `rotate` of the figure: by AS in the time H. */
static vector rotated(const mobility *m, vector direction, double h) {
    if (m->as == 0)
        return direction;
    double c = hk_cos(m->as * h), s = hk_sin(m->as * h);
    vector made = {c * direction.x - s * direction.y, s * direction.x + c * direction.y};
    return set_direction(made, &made) ? made : direction;
}

/* Moves it by H, in which its speed goes from EXCESS above END towards END. */
static void move(mobility *m, double end, double excess, double h) {
    vector direction = {m->gpsdir[0], m->gpsdir[1]};
    vector way = find_way(m, end, excess, h), left = left_of(direction);
    m->gpspos[0] += way.x * direction.x + way.y * left.x;
    m->gpspos[1] += way.x * direction.y + way.y * left.y;
    direction = rotated(m, direction, h);
    m->gpsdir[0] = direction.x;
    m->gpsdir[1] = direction.y;
    m->speed = end + excess * hk_exp(-h / m->response);
}

static double clamped(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

/* The speed goes to its end without turning back, so it meets at most one limit, and stays there.
 */
static int mobility_step(void *self, double t, double h) {
    mobility *m = self;
    (void)t;
    if (!(m->response > 0 && m->velocity_limit >= 0))
        return failed(m, NO_RESPONSE);
    double low, high;
    find_limits(m, &low, &high);
    double begin = clamped(m->speed, low, high), end = final_speed(m);
    double bound = clamped(end, low, high);
    double until = h; /* the limit is met */
    if (bound != end && begin == bound)
        until = 0;
    else if (bound != end)
        until = m->response * hk_log((end - begin) / (end - bound));
    if (until >= h) {
        move(m, end, begin - end, h);
    } else {
        if (until > 0)
            move(m, end, begin - end, until);
        move(m, bound, 0, h - until);
    }
    m->straight = m->as != 0 ? 0 : m->straight + h;
    return HK_STEP_OK;
}

static const char *mobility_complaint(const void *self) {
    return complaints[((const mobility *)self)->wrong];
}

const hk_unit_type hk_detector_mobility_type = {
    DETECTOR_TYPE(mobility, "MobilityHw", mobility_ports, HK_STAMP_END),
    .description = "Wheels of a rover: turn, accelerate, stop before a wall", .init = mobility_init,
    .step = mobility_step, .complaint = mobility_complaint};

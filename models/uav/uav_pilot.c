/* SPDX-License-Identifier: MIT
 *
 * The pilot on board: it searches its strip in lanes, and once any camera has seen the target it
 * circles where that was seen last. */
#include "uav.h"

enum { SEARCH, CIRCLE };

typedef struct pilot {
    uav_place position;
    double course;
    uav_event own, left, right; /* of all cameras */
    double bank, speed;
    int64_t mode, lane;
    uav_place target; /* where it was seen last */
    double distance;
    double strip, lanes, spacing, length; /* where it searches */
    double cruise, radius, clockwise, patience;
    double gain, bank_max, lookahead;
    double seen_at; /* when there was an event last */
    int64_t leg;
} pilot;

static const hk_port pilot_ports[] = {
    UAV_PLACE(pilot, position, "position", HK_INPUT, "m", .start = NULL),
    HK_PORT(pilot, course, HK_INPUT, HK_TYPE_F64, .unit = "rad"),
    UAV_EVENT(pilot, own, "own", HK_INPUT),
    UAV_EVENT(pilot, left, "left", HK_INPUT),
    UAV_EVENT(pilot, right, "right", HK_INPUT),
    HK_PORT(pilot, bank, HK_OUTPUT, HK_TYPE_F64, .unit = "rad", .depends_on = ""),
    HK_PORT(pilot, speed, HK_OUTPUT, HK_TYPE_F64, .unit = "m/s", .depends_on = ""),
    HK_PORT(pilot, mode, HK_OUTPUT, HK_TYPE_I64, .depends_on = ""),
    HK_PORT(pilot, lane, HK_OUTPUT, HK_TYPE_I64, .depends_on = ""),
    UAV_PLACE(pilot, target, "target", HK_OUTPUT, "m", .depends_on = ""),
    HK_PORT(pilot, distance, HK_OUTPUT, HK_TYPE_F64, .unit = "m", .depends_on = ""),
    UAV_PARAMETER(pilot, strip, "m", "0"),
    UAV_PARAMETER(pilot, lanes, NULL, "4"),
    UAV_PARAMETER(pilot, spacing, "m", "200"),
    UAV_PARAMETER(pilot, length, "m", "1500"),
    UAV_PARAMETER(pilot, cruise, "m/s", "20"),
    UAV_PARAMETER(pilot, radius, "m", "120"),
    UAV_PARAMETER(pilot, clockwise, NULL, "1"),
    UAV_PARAMETER(pilot, patience, "s", "20"),
    UAV_PARAMETER(pilot, gain, NULL, "1.2"),
    UAV_PARAMETER(pilot, bank_max, "rad", "0.6"),
    UAV_PARAMETER(pilot, lookahead, "m", "60"),
};

static void hear(pilot *p, const uav_event *event, double t) {
    if (!event->seen)
        return;
    p->target = event->at;
    p->seen_at = t;
    p->mode = CIRCLE;
}

/* Its own eyes count more than what others say. */
static void listen(pilot *p, double t) {
    hear(p, &p->right, t);
    hear(p, &p->left, t);
    hear(p, &p->own, t);
    if (p->mode == CIRCLE && t - p->seen_at > p->patience)
        p->mode = SEARCH;
    p->distance = p->mode == CIRCLE ? hk_hypot(p->target.north - p->position.north,
                                               p->target.east - p->position.east)
                                    : 0;
}

/* Leg 2k is lane k, north or south; leg 2k + 1 leads over to the next. */
static double search(pilot *p) {
    int64_t lane = p->leg / 2, lanes = (int64_t)p->lanes;
    bool north = lane % 2 == 0, across = p->leg % 2 == 1;
    double east = p->strip + p->spacing * (double)(lane + across);
    double end = north ? p->length : 0;
    p->lane = lane;
    bool done = across  ? p->position.east > east - p->lookahead
                : north ? p->position.north > end - p->lookahead
                        : p->position.north < end + p->lookahead;
    if (done)
        p->leg = p->leg + 1 < 2 * lanes - 1 ? p->leg + 1 : 0;
    if (across) /* towards east, at the end of the lane */
        return UAV_PI / 2 - hk_atan((end - p->position.north) / p->lookahead);
    double off = hk_atan((east - p->position.east) / p->lookahead);
    return north ? off : UAV_PI - off;
}

/* A field of courses that winds onto the circle. */
static double circle(const pilot *p) {
    double out = hk_atan2(p->position.east - p->target.east, p->position.north - p->target.north);
    double error = (p->distance - p->radius) / p->radius;
    return out + p->clockwise * (UAV_PI / 2 + hk_atan(2 * error));
}

static int pilot_step(void *self, double t, double h) {
    pilot *p = self;
    (void)h;
    listen(p, t);
    double wanted = p->mode == CIRCLE ? circle(p) : search(p);
    p->bank = uav_clamp(p->gain * uav_wrap(wanted - p->course), p->bank_max);
    p->speed = p->cruise;
    return HK_STEP_OK;
}

static int pilot_init(void *self, double t) {
    pilot *p = self;
    (void)t;
    p->speed = p->cruise;
    return p->lookahead > 0 && p->radius > 0 && p->lanes >= 1 ? HK_STEP_OK : HK_STEP_FAILED;
}

const hk_unit_type uav_pilot_type = {UAV_TYPE(pilot, "pilot", pilot_ports), .init = pilot_init,
                                     .step = pilot_step};

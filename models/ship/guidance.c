/* SPDX-License-Identifier: MIT
 *
 * Guidance along way-points: the ship looks at a point ahead on its leg (line of sight), and an
 * integral part takes away what wind and current would leave (Borhaug, Pavlov and Pettersen, 2008).
 */
#include "ship_core.h"

enum { GUIDANCE_POINTS = 24 };

/* A survey of four lines joined by half circles of 160 m, and home along a bay. */
#define GUIDANCE_NORTH                                                                             \
    "0 300 700 813 860 813 700 200 87 40 87 200 700 813 860 813 700 200 -50 -250 -350 -400 -400 "  \
    "-400"
#define GUIDANCE_EAST                                                                              \
    "0 0 0 47 160 273 320 320 367 480 593 640 640 687 800 913 960 960 850 600 300 0 -300 -600"

#define SHIP_DEF "guidance.def"
#include "ship_tables.inc"

/* Where the ship is in relation to its leg. */
static void publish(ship_self *s, double t) {
    (void)t;
    int leg = s->leg;
    double north = s->north - s->way_north[leg], east = s->east - s->way_east[leg];
    double c = hk_cos(s->leg_course[leg]), sine = hk_sin(s->leg_course[leg]);
    double along = north * c + east * sine;
    s->bearing = s->leg_course[leg];
    s->cross_track = east * c - north * sine;
    s->to_go = s->leg_length[leg] - along;
    s->covered = s->leg_from[leg] + along;
    s->waypoint = leg + 2;
    s->next_north = s->way_north[leg + 1];
    s->next_east = s->way_east[leg + 1];
    s->speed = s->way_speed[leg + 1];
    s->course = s->bearing - hk_atan2(s->cross_track + s->integral, s->lookahead);
}

static int guidance_init(void *self, double t) {
    ship_self *s = self;
    (void)t;
    s->path_length = 0.0;
    for (int i = 0; i + 1 < GUIDANCE_POINTS; i++) {
        double north = s->way_north[i + 1] - s->way_north[i];
        double east = s->way_east[i + 1] - s->way_east[i];
        s->leg_from[i] = s->path_length;
        s->leg_length[i] = hk_hypot(north, east);
        s->leg_course[i] = hk_atan2(east, north);
        if (!(s->leg_length[i] > 0.0))
            return HK_STEP_FAILED;
        s->path_length += s->leg_length[i];
    }
    s->leg_from[GUIDANCE_POINTS - 1] = s->path_length;
    s->leg_course[GUIDANCE_POINTS - 1] = s->leg_course[GUIDANCE_POINTS - 2];
    s->leg_length[GUIDANCE_POINTS - 1] = 0.0;
    if (!(s->lookahead > 0.0 && s->acceptance > 0.0 && s->integral_max >= 0.0))
        return HK_STEP_FAILED;
    s->leg = 0;
    s->integral = s->largest = 0.0;
    return HK_STEP_OK;
}

static int guidance_step(void *self, double t, double h) {
    ship_self *s = self;
    publish(s, t);
    /* The last leg goes on for ever. */
    while (s->to_go < s->acceptance && s->leg < GUIDANCE_POINTS - 2) {
        s->leg++;
        publish(s, t);
    }
    double away = s->cross_track + s->integral;
    double rate = s->integral_gain * s->lookahead * s->cross_track /
                  (s->lookahead * s->lookahead + away * away);
    s->integral = ship_clamp(s->integral + h * rate, -s->integral_max, s->integral_max);
    s->largest = fmax(s->largest, fabs(s->cross_track));
    publish(s, t);
    return HK_STEP_OK;
}

#include "ship_type.inc"

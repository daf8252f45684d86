/* SPDX-License-Identifier: MIT
 *
 * The rover of tests/chart/good/rover.rct as somebody would write it in C who is asked for the
 * same: events by level or by edge, a step of one cycle, a part of one or several, and nothing
 * emitted twice in a cycle. */
#ifndef HK_BENCH_CHART_HAND_H
#define HK_BENCH_CHART_HAND_H

#include <stdbool.h>
#include <stdint.h>

typedef struct hand_rover {
    double l, r, alarm;
    bool l_edge, r_edge, alarm_edge;
    bool l_before, r_before, alarm_before;
    bool l_is_there, r_is_there, alarm_is_there, flagged_is_there;
    double lightOn, lightOff, move, move_lv, move_av, LoadFlag, ReleaseFlag;
    double lv, av, timeUnit;
    int64_t turnTime, dropTime, lightTime;
    int64_t state, light;
    int64_t cycle;
    int64_t turned, moved, loaded, released, flagged, lit, darkened; /* in which cycle */
    const char *twice; /* what was emitted a second time */
} hand_rover;

void hand_rover_init(hand_rover *x);
int hand_rover_step(void *self, double t, double h);

#endif

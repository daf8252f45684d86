/* SPDX-License-Identifier: MIT */
#include "chart_hand.h"

#include <math.h>
#include <stddef.h>

enum { START, LOAD, GO, TURN_RIGHT, TURN_LEFT, DROP };
enum { DARK, LIT };

/* Nothing is emitted twice in a cycle. */
static void emit(hand_rover *x, double *flag, int64_t *last, const char *name) {
    if (*last == x->cycle)
        x->twice = name;
    *last = x->cycle;
    *flag = 1.0;
}

static void move(hand_rover *x, double lv, double av) {
    emit(x, &x->move, &x->moved, "move");
    x->move_lv = lv;
    x->move_av = av;
}

static void go(hand_rover *x) {
    move(x, x->lv, 0.0);
    x->state = GO;
}

static void load_and_go(hand_rover *x) {
    emit(x, &x->LoadFlag, &x->loaded, "LoadFlag");
    go(x);
}

static void drop(hand_rover *x) {
    move(x, 0.0, 0.0);
    emit(x, &x->ReleaseFlag, &x->released, "ReleaseFlag");
    x->flagged = x->cycle;
    x->state = DROP;
}

static void turn(hand_rover *x, double av, int64_t state) {
    move(x, 0.0, av);
    x->turned = x->cycle;
    x->state = state;
}

/* True: the state has changed, and there may be more to do in this cycle. */
static bool drive(hand_rover *x) {
    switch (x->state) {
    case START:
        load_and_go(x);
        return true;
    case GO:
        if (x->l_is_there) {
            x->l_is_there = false;
            turn(x, -x->av, TURN_RIGHT);
            return true;
        }
        if (x->r_is_there) {
            x->r_is_there = false;
            turn(x, x->av, TURN_LEFT);
            return true;
        }
        if (x->alarm_is_there) {
            x->alarm_is_there = false;
            drop(x);
            return true;
        }
        return false;
    case TURN_RIGHT:
    case TURN_LEFT:
        if (x->cycle - x->turned < x->turnTime)
            return false;
        go(x);
        return true;
    case DROP:
        if (x->cycle - x->flagged < x->dropTime)
            return false;
        load_and_go(x);
        return true;
    default:
        return false;
    }
}

static bool shine(hand_rover *x) {
    if (x->light == DARK && x->flagged_is_there) {
        x->flagged_is_there = false;
        emit(x, &x->lightOn, &x->lit, "lightOn");
        x->light = LIT;
        return true;
    }
    if (x->light == LIT && x->cycle - x->lit >= x->lightTime) {
        emit(x, &x->lightOff, &x->darkened, "lightOff");
        x->light = DARK;
        return true;
    }
    return false;
}

static void run_cycle(hand_rover *x) {
    x->flagged_is_there = x->flagged == x->cycle - 1;
    while (drive(x) && !x->twice) {
    }
    while (shine(x) && !x->twice) {
    }
    x->l_is_there = x->r_is_there = x->alarm_is_there = false;
    x->cycle++;
}

void hand_rover_init(hand_rover *x) {
    *x = (hand_rover){.lv = 0.5,
                      .av = 1.0,
                      .turnTime = 2,
                      .dropTime = 1,
                      .lightTime = 3,
                      .timeUnit = 1.0,
                      .moved = -2,
                      .loaded = -2,
                      .released = -2,
                      .flagged = -2,
                      .lit = -2,
                      .darkened = -2};
}

/* By its level, or by its rising edge. */
static bool is_event(double input, bool edge, bool *before) {
    bool high = input >= 0.5, is = high && !(edge && *before);
    *before = high;
    return is;
}

/* Cycles that begin before T. */
static int64_t cycles_before(const hand_rover *x, double t) {
    return (int64_t)ceil(t / x->timeUnit - 1e-6);
}

int hand_rover_step(void *self, double t, double h) {
    hand_rover *x = self;
    x->l_is_there |= is_event(x->l, x->l_edge, &x->l_before);
    x->r_is_there |= is_event(x->r, x->r_edge, &x->r_before);
    x->alarm_is_there |= is_event(x->alarm, x->alarm_edge, &x->alarm_before);
    x->lightOn = x->lightOff = x->move = x->LoadFlag = x->ReleaseFlag = 0.0;
    for (int64_t end = cycles_before(x, t + h); x->cycle < end && !x->twice;)
        run_cycle(x);
    return x->twice ? 3 : 0;
}

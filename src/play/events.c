/* SPDX-License-Identifier: MIT
 *
 * When things happen. The hook is called before anything else does at an instant: what ended is put
 * back first, then events come in the order of their times and, at one time, of the text. */
#include "play/play_internal.h"

#include <string.h>

/* ---- what comes next ---- */

/* By time, ends of DURING first, then by text. */
static bool is_before(const hk_playing *p, uint32_t a, uint32_t b) {
    const hk_event_state *x = &p->events[a], *y = &p->events[b];
    if (x->next != y->next)
        return x->next < y->next;
    return x->inside != y->inside ? x->inside : a < b;
}

static void queue_add(hk_playing *p, uint32_t event) {
    size_t i = p->queue_count++;
    for (; i && is_before(p, event, p->queue[(i - 1) / 2]); i = (i - 1) / 2)
        p->queue[i] = p->queue[(i - 1) / 2];
    p->queue[i] = event;
}

static void queue_take(hk_playing *p) {
    uint32_t last = p->queue[--p->queue_count];
    size_t i = 0, n = p->queue_count;
    for (size_t child = 1; child < n; child = 2 * i + 1) {
        child += child + 1 < n && is_before(p, p->queue[child + 1], p->queue[child]);
        if (!is_before(p, p->queue[child], last))
            break;
        p->queue[i] = p->queue[child];
        i = child;
    }
    p->queue[i] = last;
}

void hk_events_begin(hk_playing *p) {
    HK_ASSERT(p);
    const hk_scenario *s = p->scene->scenario;
    p->events = HK_NEW_ARRAY(p->scratch, hk_event_state, s->event_count + 1);
    p->whens = HK_NEW_ARRAY(p->scratch, uint32_t, p->scene->when_count + 1);
    p->queue = HK_NEW_ARRAY(p->scratch, uint32_t, p->scene->other_count + 1);
    for (size_t i = 0; i < s->event_count; i++)
        p->events[i] = (hk_event_state){
            .next = p->scene->events[i].first, .period = s->events[i].from, .armed = true};
    p->when_count = p->scene->when_count;
    memcpy(p->whens, p->scene->whens, p->when_count * sizeof *p->whens);
    hk_events_queue(p);
}

void hk_events_queue(hk_playing *p) {
    HK_ASSERT(p);
    p->queue_count = 0;
    for (size_t i = 0; i < p->scene->other_count; i++)
        queue_add(p, p->scene->others[i]);
}

/* The time of the next event, conditions aside. */
static hk_tick next_known(const hk_playing *p) {
    hk_tick timed = p->timed_next < p->scene->timed_count
                        ? p->events[p->scene->timed[p->timed_next]].next
                        : HK_TICK_NEVER;
    hk_tick other = p->queue_count ? p->events[p->queue[0]].next : HK_TICK_NEVER;
    return timed < other ? timed : other;
}

hk_tick hk_events_first(const hk_playing *p) {
    HK_ASSERT(p);
    for (size_t list = 0; list < HK_PRESETS; list++)
        for (size_t i = 0; i < p->scene->preset[list].count; i++)
            if (p->scene->preset[list].all[i].kind == HK_ACTION_RAMP)
                return p->stage->plan->start;
    return p->when_count ? p->stage->plan->start : next_known(p);
}

/* ---- what happens then ---- */

static hk_status do_all(hk_playing *p, const hk_actions *actions, hk_tick tick) {
    for (size_t i = 0; i < actions->count; i++)
        HK_TRY(hk_action_do(p, &actions->all[i], tick));
    return HK_OK;
}

static hk_status begin_during(hk_playing *p, size_t i, hk_tick tick) {
    const hk_event *e = &p->scene->scenario->events[i];
    hk_event_state *state = &p->events[i];
    state->inside = true;
    state->next = p->scene->events[i].last;
    hk_window_open(p, state, &e->actions);
    return do_all(p, &e->actions, tick);
}

static hk_status end_during(hk_playing *p, size_t i, hk_tick tick) {
    const hk_event *e = &p->scene->scenario->events[i];
    hk_event_state *state = &p->events[i];
    state->inside = false;
    state->next = HK_TICK_NEVER;
    for (size_t k = e->actions.count; k-- > 0;)
        if (!e->actions.all[k].more && e->actions.all[k].kind != HK_ACTION_CALL &&
            e->actions.all[k].kind != HK_ACTION_FINISH)
            hk_action_trace(p, tick, "undo ", e->actions.all[k].words);
    return hk_window_close(p, state);
}

/* A value that holds now. What a component computes at this instant is not there yet. */
static bool look_at(const void *user, const hk_signal *s, double *ret_value) {
    return hk_sim_value_f64(user, s->component, s->variable, s->element, ret_value);
}

/* Fires when the condition becomes true while it is armed. */
static hk_status look(hk_playing *p, size_t i) {
    const hk_event *e = &p->scene->scenario->events[i];
    hk_event_state *state = &p->events[i];
    hk_tick now = state->next;
    bool holds = hk_test_holds(e->condition, look_at, p->sim);
    if (!state->armed)
        state->armed = e->until ? hk_test_holds(e->until, look_at, p->sim) : !holds;
    bool fires = state->armed && holds && !state->was;
    state->was = holds;
    if (!fires)
        return HK_OK;
    state->armed = false;
    if (e->once)
        state->next = HK_TICK_NEVER;
    return do_all(p, &e->actions, now);
}

static hk_status repeat(hk_playing *p, size_t i, hk_tick tick) {
    const hk_event *e = &p->scene->scenario->events[i];
    hk_event_state *state = &p->events[i];
    state->next = HK_TICK_NEVER;
    if (hk_ratio_add(state->period, e->to, &state->period)) {
        state->next = hk_grid_tick(p->stage->plan, state->period);
        state->next = state->next > p->stage->plan->stop ? HK_TICK_NEVER : state->next;
    }
    return do_all(p, &e->actions, tick);
}

/* The event that comes next, at or before NOW; HK_MAP_NONE: there is none. WHEN: the next one whose
 * condition is to be looked at, which is about now; HK_MAP_NONE: no more. */
static uint32_t find_due(const hk_playing *p, hk_tick now, uint32_t when) {
    uint32_t best = when;
    if (p->timed_next < p->scene->timed_count) {
        uint32_t timed = p->scene->timed[p->timed_next];
        if (p->events[timed].next <= now && (best == HK_MAP_NONE || is_before(p, timed, best)))
            best = timed;
    }
    if (p->queue_count && p->events[p->queue[0]].next <= now &&
        (best == HK_MAP_NONE || is_before(p, p->queue[0], best)))
        best = p->queue[0];
    return best;
}

/* One that is not about a condition. */
static hk_status play_one(hk_playing *p, uint32_t i) {
    hk_event_state *state = &p->events[i];
    const hk_event *e = &p->scene->scenario->events[i];
    hk_tick tick = state->next;
    if (e->kind == HK_AT) {
        p->timed_next++;
        return do_all(p, &e->actions, tick);
    }
    queue_take(p);
    HK_TRY(e->kind == HK_EVERY ? repeat(p, i, tick)
           : state->inside     ? end_during(p, i, tick)
                               : begin_during(p, i, tick));
    if (state->next != HK_TICK_NEVER)
        queue_add(p, i);
    return HK_OK;
}

static hk_status play_due(hk_playing *p, hk_tick now) {
    size_t looked = 0, kept = 0;
    for (;;) {
        uint32_t when = looked < p->when_count ? p->whens[looked] : HK_MAP_NONE;
        if (when != HK_MAP_NONE)
            p->events[when].next = now;
        uint32_t i = find_due(p, now, when);
        if (i == HK_MAP_NONE)
            break;
        if (i != when) {
            HK_TRY(play_one(p, i));
            continue;
        }
        looked++;
        HK_TRY(look(p, i));
        if (p->events[i].next != HK_TICK_NEVER)
            p->whens[kept++] = i;
    }
    p->when_count = kept;
    return HK_OK;
}

hk_tick hk_events_hook(void *user, hk_sim *sim, hk_tick now) {
    HK_ASSERT(user && sim);
    hk_playing *p = user;
    p->status = hk_ramps_move(p, now);
    if (p->status == HK_OK && now < p->scene->plan->stop) /* no step follows: nothing happens */
        p->status = play_due(p, now);
    if (p->status != HK_OK) {
        hk_sim_finish_early(sim, "the scenario failed");
        return HK_TICK_NEVER;
    }
    hk_tick next = next_known(p);
    return (p->ramp_count || p->when_count) && now + 1 < next ? now + 1 : next;
}

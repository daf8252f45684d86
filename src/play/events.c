/* SPDX-License-Identifier: MIT
 *
 * When things happen. The hook is called before anything else does at an instant: what ended is put
 * back first, then events come in the order of their times and, at one time, of the text. */
#include "play/play_internal.h"

void hk_events_begin(hk_playing *p) {
    const hk_scenario *s = p->scene->scenario;
    p->events = HK_NEW_ARRAY(p->scratch, hk_event_state, s->event_count + 1);
    for (size_t i = 0; i < s->event_count; i++)
        p->events[i] = (hk_event_state){
            .next = p->scene->events[i].first, .period = s->events[i].from, .armed = true};
}

static hk_tick next_timed(const hk_playing *p) {
    return p->timed_next < p->scene->timed_count ? p->events[p->scene->timed[p->timed_next]].next
                                                 : HK_TICK_NEVER;
}

hk_tick hk_events_first(const hk_playing *p) {
    hk_tick first = next_timed(p);
    for (size_t list = 0; list < 2; list++)
        for (size_t i = 0; i < p->scene->preset[list].count; i++)
            if (p->scene->preset[list].all[i].kind == HK_ACTION_RAMP)
                return p->stage->plan->start;
    for (size_t i = 0; i < p->scene->other_count; i++) {
        hk_tick next = p->events[p->scene->others[i]].next;
        first = next < first ? next : first;
    }
    return first;
}

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
    hk_found_take(p, state, &e->actions);
    return do_all(p, &e->actions, tick);
}

static hk_status end_during(hk_playing *p, size_t i, hk_tick tick) {
    const hk_event *e = &p->scene->scenario->events[i];
    hk_event_state *state = &p->events[i];
    state->inside = false;
    state->next = HK_TICK_NEVER;
    for (size_t k = e->actions.count; k-- > 0;)
        if (e->actions.all[k].kind != HK_ACTION_CALL && e->actions.all[k].kind != HK_ACTION_FINISH)
            hk_action_trace(p, tick, "undo ", e->actions.all[k].words);
    return hk_found_restore(p, state);
}

/* A value that holds now. What a component computes at this instant is not there yet. */
static bool look_at(const void *user, const hk_signal *s, double *ret_value) {
    return hk_sim_value_f64(user, s->component, s->variable, s->element, ret_value);
}

/* Fires when the condition becomes true while it is armed. */
static hk_status look(hk_playing *p, size_t i, hk_tick now) {
    const hk_event *e = &p->scene->scenario->events[i];
    hk_event_state *state = &p->events[i];
    bool holds = hk_test_holds(e->condition, look_at, p->sim);
    if (!state->armed)
        state->armed = e->until ? hk_test_holds(e->until, look_at, p->sim) : !holds;
    bool fires = state->armed && holds && !state->was;
    state->was = holds;
    state->next = now + 1;
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

/* The event that comes next, at or before NOW: by time, ends of DURING first, then by text. */
static bool find_due(const hk_playing *p, hk_tick now, uint32_t *ret_event) {
    hk_tick best = next_timed(p);
    bool found = best <= now, ends = false;
    uint32_t event = found ? p->scene->timed[p->timed_next] : 0;
    for (size_t i = 0; i < p->scene->other_count; i++) {
        uint32_t other = p->scene->others[i];
        const hk_event_state *state = &p->events[other];
        if (state->next > now)
            continue;
        bool when = p->scene->scenario->events[other].kind == HK_WHEN;
        hk_tick next = when ? now : state->next; /* conditions are about now */
        bool earlier = next != best            ? next < best
                       : state->inside != ends ? state->inside
                                               : other < event;
        if (found && !earlier)
            continue;
        found = true;
        best = next;
        ends = state->inside;
        event = other;
    }
    *ret_event = event;
    return found;
}

static hk_status play_due(hk_playing *p, hk_tick now) {
    uint32_t i;
    while (find_due(p, now, &i)) {
        hk_event_state *state = &p->events[i];
        hk_tick tick = state->next;
        switch (p->scene->scenario->events[i].kind) {
        case HK_AT:
            p->timed_next++;
            HK_TRY(do_all(p, &p->scene->scenario->events[i].actions, tick));
            break;
        case HK_WHEN:
            HK_TRY(look(p, i, now));
            break;
        case HK_DURING:
            HK_TRY(state->inside ? end_during(p, i, tick) : begin_during(p, i, tick));
            break;
        case HK_EVERY:
            HK_TRY(repeat(p, i, tick));
            break;
        }
    }
    return HK_OK;
}

hk_tick hk_events_hook(void *user, hk_sim *sim, hk_tick now) {
    hk_playing *p = user;
    p->status = hk_ramps_move(p, now);
    if (p->status == HK_OK && now < p->scene->plan.stop) /* no step follows: nothing happens */
        p->status = play_due(p, now);
    if (p->status != HK_OK) {
        hk_sim_finish_early(sim, "the scenario failed");
        return HK_TICK_NEVER;
    }
    hk_tick next = next_timed(p);
    for (size_t i = 0; i < p->scene->other_count; i++) {
        hk_tick other = p->events[p->scene->others[i]].next;
        next = other < next ? other : next;
    }
    return p->ramp_count && now + 1 < next ? now + 1 : next;
}

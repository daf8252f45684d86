/* SPDX-License-Identifier: MIT
 *
 * The parts of a phase: copies, sets, steps, gets. Inlined into the loop (run.c) and into what a
 * thread does of it (share.c). Functions with CAREFUL exist twice: fast, and with the time of every
 * call taken and the floating-point environment looked at after each. */
#ifndef HK_ENGINE_PHASE_H
#define HK_ENGINE_PHASE_H

#include "engine/sim_internal.h"

#include "base/clock.h"

#include <string.h>

/* The fast loop is to stay small: what is rare is kept out of it by NEVER_INLINE. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define NEVER_INLINE  static __attribute__((noinline))
#define UNLIKELY(x)   __builtin_expect(!!(x), 0)

/* run.c: after a call, in careful mode: books its time and looks after the environment. */
void hk_look_after(hk_sim *sim, const op *what, int64_t *since, double *book);

/* The calls from BEGIN to END; those from SIZED on are of the shape with a size. */
ALWAYS_INLINE bool call_all(hk_sim *sim, lane *l, const exchange *begin, const exchange *sized,
                            const exchange *end, bool careful, bool is_get) {
    int64_t since = careful ? hk_clock_ns() : 0;
    for (int shape = 0; shape < HK_SHAPE_COUNT; shape++) {
        const exchange *last = shape == HK_SHAPE_REFS ? sized : end;
        for (const exchange *x = shape == HK_SHAPE_REFS ? begin : sized; x < last; x++) {
            hk_at(l, &x->what);
            int code = shape == HK_SHAPE_REFS
                           ? x->call.fn.refs(x->call.self, x->call.refs, x->call.n, x->call.values)
                           : x->call.fn.refs_sized(x->call.self, x->call.refs, x->call.n,
                                                   x->call.values, x->call.value_count);
            if (UNLIKELY(hk_unit_bad(code)))
                return hk_fail_call(sim, x, code);
            if (careful) {
                tally *t = &sim->tallies[x->what.component];
                hk_look_after(sim, &x->what, &since, is_get ? &t->get_ns : &t->set_ns);
            }
        }
    }
    return true;
}

static __attribute__((noinline, unused)) bool copy_generals(hk_sim *sim, const cell *c) {
    for (const general_copy *g = c->generals; g < c->generals_end; g++)
        if (UNLIKELY(!hk_copy_general(sim, g)))
            return hk_fail_copy(sim, g);
    return true;
}

ALWAYS_INLINE bool copy_all(hk_sim *sim, const cell *c) {
    const copy *end = c->copies8_end; /* the compiler must think that a copy might change it */
    for (const copy *x = c->copies8; x < end; x++)
        memcpy(x->to, x->from, 8);
    if (!c->rare)
        return true;
    for (const copy *x = c->copies4; x < c->copies4_end; x++)
        memcpy(x->to, x->from, 4);
    for (const linear_copy *l = c->linears; l < c->linears_end; l++)
        *l->to = l->factor * *l->from + l->offset;
    return c->generals == c->generals_end || copy_generals(sim, c);
}

/* The length of a step that is shortened by the stop time, or begins where the last one has ended,
 * before activations that were skipped. */
static __attribute__((noinline, unused)) double uneven_step(const hk_sim *sim, const cell *c,
                                                            double *seconds) {
    const hk_rate *rate = &sim->plan->rates[c->rate];
    hk_tick begin = sim->now, end = sim->now + rate->period;
    if (rate->pattern && rate->pattern->bridged && *c->last != TICK_INITIAL) {
        begin = *c->last + rate->period;
        *seconds = hk_tick_seconds(begin, sim->ticks_per_second);
    }
    return hk_tick_seconds((end < sim->stop ? end : sim->stop) - begin, sim->ticks_per_second);
}

/* One step; true if it needs to be looked at. SHAPE is known where this is inlined. */
ALWAYS_INLINE bool step_one(const hk_step_call *call, int shape, double t, double h,
                            int *ret_code) {
    if (shape == HK_STEP_PLAIN)
        return (*ret_code = call->fn.plain(call->self, t, h)) != HK_STEP_OK;
    if (shape == HK_STEP_FLAGGED)
        return hk_unit_bad(*ret_code = call->fn.flagged(call->self, t, h, 1));
    hk_step_report *r = call->report;
    *ret_code = call->fn.reported(call->self, t, h, true, (bool *)&r->event_needed,
                                  (bool *)&r->terminate, (bool *)&r->early, &r->last_time);
    return hk_unit_bad(*ret_code) || (r->terminate | r->early | r->event_needed) != 0;
}

/* Steps of components that were stopped for a while and whose own clock is behind. */
static __attribute__((noinline, unused)) bool step_shifted(hk_sim *sim, lane *l, const cell *c,
                                                           double h, bool careful) {
    int64_t since = careful ? hk_clock_ns() : 0;
    for (const stepping *s = c->shifted; s < c->shifted_end; s++) {
        double t = hk_tick_seconds(sim->now - s->shift, sim->ticks_per_second);
        hk_at(l, &s->what);
        int code;
        bool bad = step_one(&s->call, (int)s->call.shape, t, h, &code);
        if (UNLIKELY(bad) && !hk_fail_step(sim, s, code, t, h))
            return false;
        if (careful) {
            tally *y = &sim->tallies[s->what.component];
            hk_look_after(sim, &s->what, &since, &y->step_ns);
            y->steps++;
        }
    }
    return true;
}

ALWAYS_INLINE bool step_all(hk_sim *sim, lane *l, const cell *c, bool careful) {
    const rate_state *rate = &sim->rates[c->rate];
    hk_tick t = sim->now;
    double seconds = sim->seconds;
    double h = rate->h;
    if (UNLIKELY(t + rate->span > sim->stop))
        h = uneven_step(sim, c, &seconds);
    int64_t since = careful ? hk_clock_ns() : 0;
    for (int shape = 0; shape < HK_STEP_SHAPES; shape++) {
        const stepping *last = c->steps[shape + 1];
        for (const stepping *s = c->steps[shape]; s < last; s++) {
            hk_at(l, &s->what);
            int code;
            bool bad = step_one(&s->call, shape, seconds, h, &code);
            if (UNLIKELY(bad) && !hk_fail_step(sim, s, code, seconds, h))
                return false;
            if (careful) {
                tally *y = &sim->tallies[s->what.component];
                hk_look_after(sim, &s->what, &since, &y->step_ns);
                y->steps++;
            }
        }
    }
    return c->shifted == c->shifted_end || step_shifted(sim, l, c, h, careful);
}

/* Zero times a number is zero, except for NaN and infinities: the sum tells whether all are finite,
 * with two operations for each and no branch. For a few doubles; finite.c has it for many. */
ALWAYS_INLINE bool few_finite(const segment *begin, const segment *end) {
    double sum = 0;
    for (const segment *s = begin; s < end; s++)
        for (const double *x = s->from, *last = x + s->count; x < last; x++)
            sum += 0.0 * *x;
    return sum == 0;
}

/* A row will show the values of this activation. */
static __attribute__((noinline, unused)) bool row_wants(const hk_sim *sim, const cell *c) {
    hk_tick end = sim->now + sim->rates[c->rate].period;
    return sim->options.sink.row_begin && (end == *sim->row_next || end >= sim->plan->stop);
}

/* Gets that may be of texts: those are valid until the next call only, of whatever instance. */
ALWAYS_INLINE bool get_and_keep(hk_sim *sim, lane *l, const exchange *begin, const exchange *end,
                                bool careful) {
    for (const exchange *x = begin; x < end; x++) {
        const exchange *sized = x->call.shape == HK_SHAPE_REFS ? x + 1 : x;
        if (!call_all(sim, l, x, sized, x + 1, careful, true))
            return false;
        hk_texts_keep(sim, x->texts);
    }
    return true;
}

/* What only some cells have: texts, values for rows alone, and histories. */
ALWAYS_INLINE bool publish_rare(hk_sim *sim, lane *l, const cell *c, bool careful, bool *finite) {
    if (!get_and_keep(sim, l, c->text_gets, c->text_gets_end, careful))
        return false;
    *finite = *finite && hk_finite(c->finite_many, c->finite_many_end);
    bool for_rows = c->row_gets != c->row_gets_end || c->finite_rows != c->finite_rows_end;
    if (for_rows && row_wants(sim, c)) {
        if (!get_and_keep(sim, l, c->row_gets, c->row_gets_end, careful))
            return false;
        *finite = *finite && hk_finite(c->finite_rows, c->finite_rows_end);
    }
    for (const uint32_t *i = c->pasts; i < c->pasts_end; i++)
        hk_history_push(sim, &sim->instances[*i], sim->now);
    return true;
}

ALWAYS_INLINE bool publish(hk_sim *sim, lane *l, const cell *c, bool careful) {
    if (!call_all(sim, l, c->gets, c->gets_sized, c->gets_end, careful, true))
        return false;
    bool finite = few_finite(c->finite, c->finite_end);
    if (c->rare && !publish_rare(sim, l, c, careful, &finite))
        return false;
    *c->last = sim->now;
    return !UNLIKELY(!finite) || hk_fail_not_finite(sim, c);
}

#endif

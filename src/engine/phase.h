/* SPDX-License-Identifier: MIT
 *
 * The parts of a phase: copies, sets, steps, gets. Inlined into the loop (run.c) and into what a
 * thread does of it (share.c). Functions with a MODE exist several times, once per mode, which is
 * a constant where they are used.
 *
 * Every call adds to a sum what it is made with, and at the end of a list the sum must be what
 * monitor.c has found out beforehand. */
#ifndef HK_ENGINE_PHASE_H
#define HK_ENGINE_PHASE_H

#include "engine/failures.h"
#include "engine/inline.h"
#include "engine/monitor.h"
#include "engine/seams.h"
#include "engine/sim_parts.h"
#include "engine/tokens.h"
#include "engine/trace.h"

#include "base/clock.h"

#include <math.h>
#include <string.h>

/* Before a loop over shapes: each pass then knows its own, and no call asks for it. */
#define UNROLLED _Pragma("GCC unroll 4")

enum {
    MONITORED = 1, /* sums are compared */
    TIMED = 2,     /* the time of every call is taken, and the environment looked at after it */
    LOGGED = 4,    /* calls are written down one by one */
    CAREFUL = MONITORED | TIMED | LOGGED
};

/* run.c: after a call, in careful mode: books its time and looks after the environment. */
void hk_look_after(hk_sim *sim, const hk_op *what, int64_t *since, double *book);

/* The end of a list of calls that add up to SUM; SO_FAR is what the sum of the cell is before. */
ALWAYS_INLINE bool ends_well(hk_sim *sim, hk_lane *l, const hk_cell *c, hk_call_kind part,
                             uint64_t sum, uint64_t *so_far) {
    const hk_cell_watch *w = &c->watch;
    uint64_t seen = *so_far + sum;
    *so_far = part == CALL_GET ? w->after : seen;
    return !UNLIKELY(seen != w->must[part]) || hk_monitor_sum(sim, l, c, part, seen);
}

/* A call is about to be made, or a get has been. */
ALWAYS_INLINE void note_made(hk_lane *l, hk_call_kind kind, const hk_op *what) {
    if (l->made_count < l->made_cap)
        l->made[l->made_count++] = (hk_made_call){kind, what};
}

/* One call, with what it adds to the sum. */
ALWAYS_INLINE int make_call(const hk_call *c, int shape, void *values, uint64_t *sum) {
    *sum += hk_token((uintptr_t)c->fn.refs, c->self, values);
    return shape == HK_SHAPE_REFS
               ? c->fn.refs(c->self, c->refs, c->n, values)
               : c->fn.refs_sized(c->self, c->refs, c->n, values, c->value_count);
}

ALWAYS_INLINE void log_call(hk_sim *sim, hk_lane *l, const hk_exchange *x, bool is_get, int code) {
    note_made(l, is_get ? CALL_GET : CALL_SET, &x->what);
    if (sim->trace)
        hk_trace_exchange(sim, l, x, is_get, code);
}

/* A call has not returned OK; gets are logged now or, if they bring values, as usual. */
NEVER_INLINE __attribute__((unused)) void log_status(hk_sim *sim, hk_lane *l, const hk_exchange *x,
                                                     bool is_get, int code) {
    if (sim->trace && !is_get)
        hk_trace_status(sim, l, code, hk_unit_bad(code));
    else if (sim->trace && hk_unit_bad(code))
        hk_trace_exchange(sim, l, x, true, code);
}

/* The calls from BEGIN to END; those from SIZED on are of the shape with a size. */
typedef struct call_list {
    const hk_exchange *begin, *sized, *end;
} call_list;

ALWAYS_INLINE bool call_all(hk_sim *sim, hk_lane *l, call_list list, unsigned mode, bool is_get,
                            uint64_t *ret_sum) {
    int64_t since = mode & TIMED ? hk_clock_ns() : 0;
    uint64_t sum = 0;
    UNROLLED
    for (int shape = 0; shape < HK_SHAPE_COUNT; shape++) {
        const hk_exchange *last = shape == HK_SHAPE_REFS ? list.sized : list.end;
        const hk_exchange *x = shape == HK_SHAPE_REFS ? list.begin : list.sized;
        for (; x < last; x++) {
            void *values = x->call.values;
            SEAM(set_values, sim, x, list.begin, list.end, is_get, values);
            SEAM(get, sim, is_get, x == list.begin);
            if (mode & LOGGED &&
                !hk_values_may(sim, x->what.component, is_get ? HK_UNIT_GET : HK_UNIT_SET))
                return false;
            hk_at(l, &x->what);
            if (mode & LOGGED && !is_get)
                log_call(sim, l, x, false, HK_UNIT_OK);
            int code = make_call(&x->call, shape, values, &sum);
            if (mode & LOGGED && UNLIKELY(code != HK_UNIT_OK))
                log_status(sim, l, x, is_get, code);
            if (UNLIKELY(hk_unit_bad(code)))
                return hk_fail_call(sim, &x->what, code);
            if (mode & TIMED) {
                hk_profile_tally *t = &sim->profile.tallies[x->what.component];
                hk_look_after(sim, &x->what, &since, is_get ? &t->get_ns : &t->set_ns);
            }
            if (mode & LOGGED && is_get)
                log_call(sim, l, x, true, code);
        }
    }
    *ret_sum = sum;
    return true;
}

/* COPIES is what the copies that belong to it add up to. */
ALWAYS_INLINE bool set_all(hk_sim *sim, hk_lane *l, const hk_cell *c, unsigned mode,
                           uint64_t copies, uint64_t *so_far) {
    uint64_t sum = 0;
    const call_list sets = {c->sets, c->sets_sized, c->sets_end};
    return call_all(sim, l, sets, mode, false, &sum) &&
           (!(mode & MONITORED) || ends_well(sim, l, c, CALL_SET, copies + sum, so_far));
}

static __attribute__((noinline, unused)) bool copy_generals(hk_sim *sim, const hk_cell *c,
                                                            uint64_t *sum) {
    for (const hk_general_copy *g = c->generals; g < c->generals_end; g++) {
        *sum += hk_copy_token(g->from, g->to);
        if (UNLIKELY(!hk_copy_general(sim, g)))
            return hk_fail_copy(sim, g);
    }
    return true;
}

ALWAYS_INLINE bool copy_rare(hk_sim *sim, const hk_cell *c, uint64_t *sum) {
    if (UNLIKELY(c->gates != c->gates_end) && !hk_gates_open(sim, c->gates, c->gates_end))
        return false;
    for (const hk_copy *x = c->copies4; x < c->copies4_end; x++) {
        memcpy(x->to, x->from, 4);
        *sum += hk_copy_token(x->from, x->to);
    }
    for (const hk_linear_copy *l = c->linears; l < c->linears_end; l++) {
        *l->to = l->factor * *l->from + l->offset;
        *sum += hk_copy_token(l->from, l->to);
    }
    return c->generals == c->generals_end || copy_generals(sim, c, sum);
}

ALWAYS_INLINE bool copy_all(hk_sim *sim, hk_lane *l, const hk_cell *c, unsigned mode,
                            uint64_t *ret_sum) {
    const hk_copy *end = c->copies8_end; /* the compiler must think that a copy might change it */
    uint64_t sum = 0;
    for (const hk_copy *x = c->copies8; x < end; x++) {
        const void *from = x->from;
        void *to = x->to; /* for all that the compiler knows, the copy changes x */
        SEAM(copy, sim, x, c->copies8, end, from);
        memcpy(to, from, 8);
        sum += hk_copy_token(from, to);
    }
    if (c->rare && !copy_rare(sim, c, &sum))
        return false;
    if (mode & LOGGED && sim->trace)
        hk_trace_memory(sim, l, c, false);
    *ret_sum = sum;
    return true;
}

/* The length of a step that is shortened by the stop time, or begins where the last one has ended,
 * before activations that were skipped. */
static __attribute__((noinline, unused)) double uneven_step(const hk_sim *sim, const hk_cell *c,
                                                            double *seconds) {
    const hk_rate *rate = &sim->plan->rates[c->rate];
    hk_tick begin = sim->time.now, end = sim->time.now + rate->period;
    if (rate->pattern && rate->pattern->bridged && *c->last != TICK_INITIAL) {
        begin = *c->last + rate->period;
        *seconds = hk_tick_seconds(begin, sim->time.ticks_per_second);
    }
    return hk_tick_seconds((end < sim->time.stop ? end : sim->time.stop) - begin,
                           sim->time.ticks_per_second);
}

/* One step; true if it needs to be looked at. SHAPE is known where this is inlined. */
ALWAYS_INLINE bool step_one(const hk_step_call *call, int shape, double t, double h, int *ret_code,
                            uint64_t *sum) {
    *sum += hk_step_token((uintptr_t)call->fn.plain, call->self);
    if (shape == HK_STEP_PLAIN)
        return (*ret_code = call->fn.plain(call->self, t, h)) != HK_STEP_OK;
    if (shape == HK_STEP_FLAGGED)
        return hk_unit_bad(*ret_code = call->fn.flagged(call->self, t, h, call->flag));
    hk_step_report *r = call->report;
    *ret_code = call->fn.reported(call->self, t, h, call->flag, (bool *)&r->event_needed,
                                  (bool *)&r->terminate, (bool *)&r->early, &r->last_time);
    return hk_unit_bad(*ret_code) || (r->terminate | r->early | r->event_needed) != 0;
}

ALWAYS_INLINE void log_step(hk_sim *sim, hk_lane *l, const hk_stepping *s, double t, double h) {
    note_made(l, CALL_STEP, &s->what);
    if (sim->trace)
        hk_trace_step(sim, l, s->what.component, t, h);
}

/* A step that has returned. */
typedef struct step_end {
    double t, h;
    int code;
    bool bad; /* it needs to be looked at */
} step_end;

/* False: the run ends here. */
ALWAYS_INLINE bool stepped_well(hk_sim *sim, hk_lane *l, const hk_stepping *s, step_end end,
                                unsigned mode) {
    bool good = !UNLIKELY(end.bad) || hk_fail_step(sim, &s->what, end.code, end.t, end.h);
    bool warned = end.code == HK_UNIT_WARNING && s->call.shape != HK_STEP_PLAIN;
    if (mode & LOGGED && UNLIKELY(!good || warned) && sim->trace)
        hk_trace_status(sim, l, end.code, !good);
    return good;
}

/* All of them have begun by now: waiting for one after the other takes as long as the longest. */
static __attribute__((noinline, unused)) bool wait_for_steps(hk_sim *sim, hk_lane *l,
                                                             const hk_cell *c, unsigned mode) {
    int64_t since = mode & TIMED ? hk_clock_ns() : 0;
    const hk_stepping *both[][2] = {{c->steps[0], c->steps[HK_STEP_SHAPES]},
                                    {c->shifted, c->shifted_end}};
    for (size_t i = 0; i < sizeof both / sizeof *both; i++)
        for (const hk_stepping *s = both[i][0]; s < both[i][1]; s++) {
            if (!s->call.may_pend)
                continue;
            hk_at(l, &s->what);
            if (!hk_wait_step(sim, &s->what))
                return false;
            if (mode & TIMED)
                hk_look_after(sim, &s->what, &since,
                              &sim->profile.tallies[s->what.component].step_ns);
        }
    return true;
}

/* Steps of components that were stopped for a while and whose own clock is behind. */
static __attribute__((noinline, unused)) bool
step_shifted(hk_sim *sim, hk_lane *l, const hk_cell *c, double h, unsigned mode, uint64_t *sum) {
    int64_t since = mode & TIMED ? hk_clock_ns() : 0;
    for (const hk_stepping *s = c->shifted; s < c->shifted_end; s++) {
        double t = hk_tick_seconds(sim->time.now - s->shift, sim->time.ticks_per_second);
        if (mode & MONITORED && !hk_monitor_shifted(sim, s, t))
            return false;
        if (mode & LOGGED && !hk_values_may(sim, s->what.component, HK_UNIT_STEP))
            return false;
        hk_at(l, &s->what);
        if (mode & LOGGED)
            log_step(sim, l, s, t, h);
        int code;
        bool bad = step_one(&s->call, (int)s->call.shape, t, h, &code, sum);
        if (!stepped_well(sim, l, s, (step_end){t, h, code, bad}, mode))
            return false;
        if (mode & TIMED) {
            hk_profile_tally *y = &sim->profile.tallies[s->what.component];
            hk_look_after(sim, &s->what, &since, &y->step_ns);
            y->steps++;
        }
    }
    return true;
}

ALWAYS_INLINE uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* The time of a step, by the engine's clock and by the monitor's own. */
ALWAYS_INLINE bool is_due(const hk_due_time *due, hk_tick t, double seconds, double h) {
    uint64_t off = (uint64_t)(due->tick ^ t) | (bits_of(due->seconds) ^ bits_of(seconds)) |
                   (bits_of(due->h) ^ bits_of(h));
    return off == 0;
}

ALWAYS_INLINE bool in_time(hk_sim *sim, const hk_cell *c, double seconds, double h) {
    bool known = is_due(c->watch.due, sim->time.now, seconds, h);
    return !UNLIKELY(!known) || hk_monitor_time(sim, c, seconds, h);
}

ALWAYS_INLINE bool step_all(hk_sim *sim, hk_lane *l, const hk_cell *c, unsigned mode,
                            uint64_t *so_far) {
    const hk_rate_state *rate = &sim->loop.rates[c->rate];
    hk_tick t = sim->time.now;
    double seconds = sim->time.seconds;
    double h = rate->h;
    if (UNLIKELY(t + rate->span > sim->time.stop))
        h = uneven_step(sim, c, &seconds);
    SEAM(time, sim, seconds, h);
    if (mode & MONITORED && !in_time(sim, c, seconds, h))
        return false;
    int64_t since = mode & TIMED ? hk_clock_ns() : 0;
    uint64_t sum = 0;
    UNROLLED
    for (int shape = 0; shape < HK_STEP_SHAPES; shape++) {
        const hk_stepping *last = c->steps[shape + 1];
        for (const hk_stepping *s = c->steps[shape]; s < last; s++) {
            if (mode & LOGGED && !hk_values_may(sim, s->what.component, HK_UNIT_STEP))
                return false;
            hk_at(l, &s->what);
            if (mode & LOGGED)
                log_step(sim, l, s, seconds, h);
            int code;
            bool bad = step_one(&s->call, shape, seconds, h, &code, &sum);
            SEAM(step, sim, l, s, s == c->steps[shape], shape, seconds, h, &sum);
            if (!stepped_well(sim, l, s, (step_end){seconds, h, code, bad}, mode))
                return false;
            if (mode & TIMED) {
                hk_profile_tally *y = &sim->profile.tallies[s->what.component];
                hk_look_after(sim, &s->what, &since, &y->step_ns);
                y->steps++;
            }
        }
    }
    if (UNLIKELY(c->rare_steps) &&
        !(step_shifted(sim, l, c, h, mode, &sum) && wait_for_steps(sim, l, c, mode)))
        return false;
    return !(mode & MONITORED) || ends_well(sim, l, c, CALL_STEP, sum, so_far);
}

typedef double few_pair __attribute__((vector_size(16)));
typedef long long few_bits __attribute__((vector_size(16)));

/* Zero times a number is zero, except for NaN and infinities: then it is NaN, and stays it. Bits
 * are joined, since a sum would wait for each addend. Two operations for each and no branch. For a
 * few doubles; finite.c has it for many. */
ALWAYS_INLINE bool few_finite(const hk_segment *begin, const hk_segment *end) {
    const few_pair zero = {0, 0};
    few_bits all = {0, 0};
    for (const hk_segment *s = begin; s < end; s++)
        for (const double *x = s->from, *last = x + s->count; x < last; x++) {
            const few_pair one = {*x, 0};
            all |= (few_bits)(zero * one);
        }
    return ((few_pair)all)[0] == 0;
}

/* A row will show the values of this activation. */
static __attribute__((noinline, unused)) bool row_wants(const hk_sim *sim, const hk_cell *c) {
    hk_tick end = sim->time.now + sim->loop.rates[c->rate].period;
    return sim->rows.sink.row_begin && (end == *sim->rows.next || end >= sim->plan->stop);
}

/* Gets that may be of texts: those are valid until the next call only, of whatever instance. */
ALWAYS_INLINE bool get_and_keep(hk_sim *sim, hk_lane *l, const hk_exchange *begin,
                                const hk_exchange *end, unsigned mode, uint64_t *sum) {
    for (const hk_exchange *x = begin; x < end; x++) {
        const hk_exchange *sized = x->call.shape == HK_SHAPE_REFS ? x + 1 : x;
        uint64_t one = 0;
        if (!call_all(sim, l, (call_list){x, sized, x + 1}, mode, true, &one))
            return false;
        *sum += one;
        hk_texts_keep(sim, x->texts);
    }
    return true;
}

/* Gets of values that only a row wants to see, and not after each activation. */
ALWAYS_INLINE bool get_rows(hk_sim *sim, hk_lane *l, const hk_cell *c, unsigned mode,
                            bool *finite) {
    uint64_t sum = 0;
    if (row_wants(sim, c)) {
        if (!get_and_keep(sim, l, c->row_gets, c->row_gets_end, mode, &sum))
            return false;
        *finite = *finite && hk_finite(c->finite_rows, c->finite_rows_end);
    }
    return !(mode & MONITORED) || hk_monitor_rows(sim, l, c, sum);
}

/* What only some cells have: texts, values for rows alone, and histories. */
ALWAYS_INLINE bool publish_rare(hk_sim *sim, hk_lane *l, const hk_cell *c, unsigned mode,
                                bool *finite, uint64_t *sum) {
    if (!get_and_keep(sim, l, c->text_gets, c->text_gets_end, mode, sum))
        return false;
    *finite = *finite && hk_finite(c->finite_many, c->finite_many_end);
    bool for_rows = c->row_gets != c->row_gets_end || c->finite_rows != c->finite_rows_end;
    if (for_rows && !get_rows(sim, l, c, mode, finite))
        return false;
    for (const uint32_t *i = c->pasts; i < c->pasts_end; i++)
        hk_history_push(sim, &sim->slots.instances[*i], sim->time.now);
    return !UNLIKELY(c->sends) || !*finite || hk_part_publish(sim, c);
}

ALWAYS_INLINE bool publish(hk_sim *sim, hk_lane *l, const hk_cell *c, unsigned mode,
                           uint64_t *so_far) {
    uint64_t sum = 0;
    const call_list gets = {c->gets, c->gets_sized, c->gets_end};
    if (!call_all(sim, l, gets, mode, true, &sum))
        return false;
    bool finite = few_finite(c->finite, c->finite_end);
    if (c->rare && !publish_rare(sim, l, c, mode, &finite, &sum))
        return false;
    if (mode & LOGGED && sim->trace)
        hk_trace_memory(sim, l, c, true);
    *c->last = sim->time.now;
    if (mode & MONITORED && !ends_well(sim, l, c, CALL_GET, sum, so_far))
        return false;
    if (mode & MONITORED) {
        if (c->watch.advance > 0) /* not of shares: another thread may be reading it */
            hk_set_due(sim, c->watch.due, c->watch.due->tick + c->watch.advance);
        else if (UNLIKELY(c->watch.advance < 0))
            hk_monitor_pass(sim, c);
    }
    return !UNLIKELY(!finite) || hk_fail_not_finite(sim, c);
}

#endif

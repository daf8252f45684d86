/* SPDX-License-Identifier: MIT
 *
 * Bursts: instants at which only the fastest rate is due and nothing else happens, no row, no
 * sample, no event, no shortened step. Most instants are such, so this loop is what a run costs
 * beside its components. It plays the score; everything that cannot change within a burst is
 * decided before.
 *
 * Few things are alive at a time on purpose: what does not fit into the registers that survive a
 * call is stored and loaded again around each of them. */
#include "engine/failures.h"
#include "engine/fused_cells.h"
#include "engine/idle.h"
#include "engine/monitor.h"
#include "engine/notes.h"
#include "engine/phase.h"
#include "engine/score.h"
#include "engine/tokens.h"

#include "base/fpenv.h"

#include <string.h>

/* What steps are called with. In memory on purpose: no register for doubles survives a call, so
 * they are read before each of them, and not stored again as well. */
typedef volatile struct moment { double seconds, h; } moment;

/* Where the loop is: the time, the line that comes next, and the sum so far. */
typedef struct beat {
    hk_tick t;
    moment *at;
    const hk_score_line *x;
    uint64_t sum;
} beat;

/* ---- copies ---- */

/* Each kind after the one before, as the lists of a cell have it. Ends are read beforehand: for
 * all that the compiler knows, a copy changes them; and with `!=` it knows where X is at the end.
 */
ALWAYS_INLINE void copy_voice(const hk_sim *sim, const hk_voice *v, hk_voice_kind kind, beat *b) {
    uint64_t sum = b->sum;
    const hk_copy *x = v->ones, *end = v->ones_end;
    for (; x != end; x++) {
        const void *from = x->from;
        SEAM(copy, sim, x, v->ones, end, from);
        void *to = x->to;
        memcpy(to, from, 8);
        sum += hk_copy_token(from, to);
    }
    for (end = v->threes_end; x != end; x++) {
        const char *from = x->from;
        SEAM(copy, sim, x, v->ones_end, end, from);
        char *to = x->to;
        uint64_t values[3]; /* wider moves would wait for what was just stored in parts */
        memcpy(&values[0], from - 8, 8);
        memcpy(&values[1], from, 8);
        memcpy(&values[2], from + 8, 8);
        memcpy(to - 8, &values[0], 8);
        memcpy(to, &values[1], 8);
        memcpy(to + 8, &values[2], 8);
        sum += HK_THREE_TOKENS(hk_copy_token(from, to));
    }
    end = v->bytes_end;
    for (; kind == VOICE_MEMORY && x != end; x++) {
        const char *from = x->from;
        char *to = x->to;
        *to = *from;
        sum += hk_copy_token(from, to);
    }
    b->sum = sum;
}

/* ---- calls ---- */

/* Hides a number from the compiler, which would else keep it alive where it is not needed. */
#define HIDE(x) __asm__("" : "+r"(x))

/* The end of a list of calls. */
ALWAYS_INLINE bool ends_as_written(hk_sim *sim, const hk_voice *v, hk_call_kind part, beat *b,
                                   unsigned mode) {
    const hk_score_line *end = b->x++;
    return !(mode & MONITORED) || !UNLIKELY(b->sum != end->last.must) ||
           hk_monitor_sum(sim, &sim->threads.self, v->cell, part, b->sum);
}

ALWAYS_INLINE int call_line(const hk_score_line *x, hk_voice_kind kind, void *values,
                            uint64_t *sum) {
    *sum += hk_token((uintptr_t)x->fn.refs, x->self, values);
    return kind == VOICE_REFS
               ? x->fn.refs(x->self, x->refs, x->with.n, values)
               : x->fn.sized(x->self, x->refs, x->with.n, values, x->last.value_count);
}

/* Sets or gets. */
ALWAYS_INLINE bool exchange_lines(hk_sim *sim, const hk_voice *v, hk_voice_kind kind,
                                  hk_call_kind part, beat *b, unsigned mode) {
    const hk_score_line *first SEAM_ONLY = b->x;
    for (; kind != VOICE_MEMORY && b->x->fn.refs; b->x++) {
        void *values = b->x->to.values;
        SEAM(line_values, sim, b->x, first, part == CALL_GET, values);
        SEAM(get, sim, part == CALL_GET, b->x == first);
        hk_at(&sim->threads.self, &b->x->what);
        int code = call_line(b->x, kind, values, &b->sum);
        if (UNLIKELY(hk_unit_bad(code))) {
            HIDE(code);
            return hk_fail_call(sim, &b->x->what, code);
        }
    }
    return ends_as_written(sim, v, part, b, mode);
}

/* One step; true if it needs to be looked at. FN is that of the line. */
ALWAYS_INLINE bool step_line(const hk_score_line *x, hk_line_fn fn, hk_voice_kind kind, beat *b,
                             int *ret_code) {
    void *self = x->self;
    double seconds = b->at->seconds, h = b->at->h;
    b->sum += hk_step_token((uintptr_t)fn.plain, self);
    if (kind == VOICE_MEMORY)
        return (*ret_code = fn.plain(self, seconds, h)) != HK_STEP_OK;
    if (kind == VOICE_REFS)
        return hk_unit_bad(*ret_code = fn.flagged(self, seconds, h, x->with.flag));
    hk_step_report *r = x->to.report;
    *ret_code = fn.reported(self, seconds, h, x->with.flag, (bool *)&r->event_needed,
                            (bool *)&r->terminate, (bool *)&r->early, &r->last_time);
    return hk_unit_bad(*ret_code) || (r->terminate | r->early | r->event_needed) != 0;
}

ALWAYS_INLINE bool step_lines(hk_sim *sim, const hk_voice *v, hk_voice_kind kind, beat *b,
                              unsigned mode) {
    SEAM(time, sim, b->at->seconds, b->at->h);
    if (mode & MONITORED && UNLIKELY(!is_due(v->due, b->t, b->at->seconds, b->at->h)) &&
        !hk_monitor_time(sim, v->cell, b->at->seconds, b->at->h))
        return false;
    const hk_score_line *first SEAM_ONLY = b->x;
    for (hk_line_fn fn; (fn = b->x->fn).plain; b->x++) {
        int code;
        hk_at(&sim->threads.self, &b->x->what);
        bool bad = step_line(b->x, fn, kind, b, &code);
        SEAM(line_step, sim, b->x, b->x == first, kind, b);
        if (UNLIKELY(bad)) {
            HIDE(code);
            if (!hk_fail_step(sim, &b->x->what, code, b->at->seconds, b->at->h))
                return false;
        }
    }
    return ends_as_written(sim, v, CALL_STEP, b, mode);
}

/* ---- what comes after them ---- */

/* Zero times a number is zero, except for NaN and infinities: then it is NaN, and stays it. One
 * operation for each, and several products, since each waits for what it had before. */
ALWAYS_INLINE bool all_finite(const hk_voice *v) {
    double a = 0, b = 0, c = 0;
    const double *const *x = v->finite;
    for (const double *const *end = v->finite_threes_end; x != end; x++) {
        a *= (*x)[0];
        b *= (*x)[1];
        c *= (*x)[2];
    }
    for (const double *const *end = v->finite_twos_end; x != end; x += 2) {
        a *= *x[0];
        b *= *x[1];
    }
    if (x != v->finite_end)
        c *= **x;
    return a + b + c == 0;
}

ALWAYS_INLINE bool publish_voice(hk_sim *sim, const hk_voice *v, hk_voice_kind kind, beat *b,
                                 unsigned mode) {
    if (!exchange_lines(sim, v, kind, CALL_GET, b, mode))
        return false;
    b->sum = v->after;
    *v->last = b->t;
    if (mode & MONITORED && v->advance)
        hk_set_due_exact(sim, v->due, v->due->tick + v->advance);
    return !UNLIKELY(!all_finite(v)) || hk_fail_not_finite(sim, v->cell);
}

/* ---- the loop ---- */

/* More modes. */
enum {
    STOPPABLE = 16 /* a stopped component may be called, which ends the run */
};

ALWAYS_INLINE bool play_alike(hk_sim *sim, const hk_voice *v, hk_voice_kind kind, beat *b,
                              unsigned mode) {
    b->x = v->lines;
    copy_voice(sim, v, kind, b);
    if (!exchange_lines(sim, v, kind, CALL_SET, b, mode))
        return false;
    SEAM(line_sets_end, sim, v, kind, b, mode);
    return step_lines(sim, v, kind, b, mode) && publish_voice(sim, v, kind, b, mode);
}

NEVER_INLINE bool play_mixed(hk_sim *sim, const hk_voice *v, uint64_t *sum, unsigned mode) {
    uint64_t *seen = v->cell->watch.seen;
    *seen = *sum;
    bool good = hk_run_cell(sim, v->cell, mode & MONITORED);
    *sum = *seen;
    return good;
}

ALWAYS_INLINE bool play(hk_sim *sim, const hk_voice *v, beat *b, unsigned mode) {
    switch (v->kind) {
    case VOICE_REFS:
        return play_alike(sim, v, VOICE_REFS, b, mode);
    case VOICE_MEMORY:
        return play_alike(sim, v, VOICE_MEMORY, b, mode);
    case VOICE_SIZED:
        return play_alike(sim, v, VOICE_SIZED, b, mode);
    default: {
        uint64_t sum = b->sum; /* a copy: what a pointer leads to does not stay in a register */
        bool good = play_mixed(sim, v, &sum, mode);
        b->sum = sum;
        return good;
    }
    }
}

/* False: the run ends here. */
ALWAYS_INLINE bool play_burst(hk_sim *sim, hk_burst_span *b, unsigned mode) {
    const double ticks_per_second = (double)sim->time.ticks_per_second;
    const hk_voice *const voices = sim->score->voices, *const end = voices + sim->score->count;
    moment now = {.h = b->h};
    beat at = {.t = b->t, .at = &now, .sum = *b->seen};
    bool good = true, behaves = true;
    for (; at.t < b->last && at.t < sim->end.asked_end && good && behaves; at.t += b->period) {
        double seconds = (double)at.t / ticks_per_second;
        now.seconds = seconds;
        sim->time.now = at.t;
        hk_set_seconds(sim, seconds);
        for (const hk_voice *v = voices; v < end; v++)
            if (UNLIKELY(!play(sim, v, &at, mode))) {
                good = false;
                break;
            }
        hk_at(&sim->threads.self, NULL);
        behaves = hk_fpenv_behaves();
        if (mode & STOPPABLE)
            good = good && sim->status == HK_OK;
    }
    *b->seen = at.sum;
    b->t = good ? at.t : at.t - b->period; /* what failed has not been played */
    b->behaves = behaves;
    return good;
}

NEVER_INLINE bool burst_fast(hk_sim *sim, hk_burst_span *b) {
    return play_burst(sim, b, 0);
}

NEVER_INLINE bool burst_monitored(hk_sim *sim, hk_burst_span *b) {
    return play_burst(sim, b, MONITORED);
}

NEVER_INLINE bool burst_stoppable(hk_sim *sim, hk_burst_span *b) {
    return play_burst(sim, b, MONITORED | STOPPABLE);
}

/* Nothing happens when it is due, and that is at instants of the burst: none is left out. */
static bool passes_by(const hk_sim *sim, size_t rate) {
    hk_tick period = sim->loop.rates[sim->score->rate].period;
    return sim->loop.rates[rate].idle && rate != sim->score->rate &&
           sim->loop.rates[rate].period % period == 0 &&
           (sim->loop.rate_next[rate] - sim->loop.rate_next[sim->score->rate]) % period == 0;
}

/* When one of the other rates is due next. */
static hk_tick others_next(const hk_sim *sim) {
    hk_tick next = HK_TICK_NEVER;
    for (size_t r = 0; r < sim->loop.rate_count; r++)
        if (r != sim->score->rate && sim->loop.rate_next[r] < next && !passes_by(sim, r))
            next = sim->loop.rate_next[r];
    return next;
}

/* What was left out up to T is over. */
static void pass_idle(hk_sim *sim, hk_tick t) {
    const hk_rate_state *rate = &sim->loop.rates[sim->score->rate];
    for (uint32_t i = rate->cells.begin; i < rate->cells.end; i++)
        if (hk_idle_cell(sim, &sim->loop.cells[i]))
            *sim->loop.cells[i].last = t - rate->period;
    for (size_t r = 0; r < sim->loop.rate_count; r++)
        if (passes_by(sim, r))
            hk_idle_pass(sim, r, t);
}

/* How many instants from T on are all alike. */
static hk_tick count_alike(const hk_sim *sim, hk_tick t, hk_tick end, hk_tick others) {
    hk_tick period = sim->loop.rates[sim->score->rate].period;
    hk_tick until = *sim->rows.next < end ? *sim->rows.next : end;
    until = others < until ? others : until;
    until = sim->listening.hook_next < until ? sim->listening.hook_next : until;
    until = until < sim->time.stop - period ? until : sim->time.stop - period;
    hk_tick count = until <= t ? 0 : (until - t + period - 1) / period;
    count = count < sim->profile.until_sample - 1 ? count : sim->profile.until_sample - 1;
    return count < sim->profile.until_poll - 1 ? count : sim->profile.until_poll - 1;
}

bool hk_burst(hk_sim *sim, hk_tick end, bool monitored) {
    if (sim->fused)
        return hk_fused_burst(sim, end);
    hk_tick t = *sim->time.clock;
    bool stoppable = sim->changes.stopped_bindings != 0;
    bool may = sim->score && (monitored || !stoppable) && sim->time.exact_seconds &&
               !sim->rows.watch_count && !(sim->options.real_time > 0) && !sim->loop.uneven &&
               !sim->changes.waiting_writes && sim->score->count &&
               t == sim->loop.rate_next[sim->score->rate];
    if (!may)
        return true;
    hk_rate_state *rate = &sim->loop.rates[sim->score->rate];
    hk_tick others = others_next(sim);
    hk_burst_span b = {.t = t,
                       .last = t + count_alike(sim, t, end, others) * rate->period,
                       .period = rate->period,
                       .seen = sim->score->voices[0].cell->watch.seen,
                       .after = sim->score->voices[sim->score->count - 1].after,
                       .h = rate->h};
    if (b.last <= t)
        return true;
    sim->threads.self.made_count = 0;
    bool notes = monitored && sim->score->notes;
    bool good = notes       ? hk_notes_play(sim, &b)
                : stoppable ? burst_stoppable(sim, &b)
                : monitored ? burst_monitored(sim, &b)
                            : burst_fast(sim, &b);
    hk_tick count = (b.t - t) / rate->period;
    hk_tick next = b.t < others ? b.t : others;
    sim->loop.rate_next[sim->score->rate] = b.t;
    pass_idle(sim, b.t);
    *sim->time.clock = next < *sim->rows.next ? next : *sim->rows.next;
    sim->profile.until_sample -= (unsigned)count;
    sim->profile.until_poll -= (unsigned)count;
    sim->profile.instants += (uint64_t)count;
    rate->runs += (uint64_t)count;
    if (UNLIKELY(!b.behaves))
        hk_report_fpenv(sim, NULL); /* the next instant is a sample, and finds who it is */
    return good;
}

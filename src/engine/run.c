/* SPDX-License-Identifier: MIT
 *
 * The loop. An instant is a tick at which something is due; run_instant reads like a table of
 * contents. Within an instant components run in phases: those that wait for nobody first, then
 * those that wait for them. A phase is a few tight loops over arrays: copies, sets, steps, gets.
 *
 * Functions marked with CAREFUL exist twice: fast, and with the time of every call taken and the
 * floating-point environment looked at after each (sampled instants, and for good once a component
 * was seen to change it). */
#include "engine/sim_internal.h"

#include "base/clock.h"
#include "base/fpenv.h"

#include <errno.h>
#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define UNLIKELY(x)   __builtin_expect(!!(x), 0)

enum { PROFILE_EVERY = 512, HEAVY_INSTANT_NS = 50000 };

int hk_exchange_call(const exchange *x) {
    const hk_call *c = &x->call;
    if (c->shape == HK_SHAPE_REFS)
        return c->fn.refs(c->self, c->refs, c->n, c->values);
    return c->fn.refs_sized(c->self, c->refs, c->n, c->values, c->value_count);
}

/* After a call, in careful mode: books its time and looks after the environment. */
static void look_after(hk_sim *sim, const op *what, int64_t *since, double *book) {
    int64_t now = hk_clock_ns();
    *book += (double)(now - *since);
    *since = now;
    if (UNLIKELY(hk_fpenv_read() != sim->fp_control))
        hk_report_fpenv(sim, what);
}

ALWAYS_INLINE bool call_all(hk_sim *sim, const range *ranges, bool careful, bool is_get) {
    int64_t since = careful ? hk_clock_ns() : 0;
    for (int shape = 0; shape < HK_SHAPE_COUNT; shape++) {
        const exchange *end = sim->exchanges + ranges[shape].end;
        for (const exchange *x = sim->exchanges + ranges[shape].begin; x < end; x++) {
            sim->at = &x->what;
            int code = shape == HK_SHAPE_REFS
                           ? x->call.fn.refs(x->call.self, x->call.refs, x->call.n, x->call.values)
                           : x->call.fn.refs_sized(x->call.self, x->call.refs, x->call.n,
                                                   x->call.values, x->call.value_count);
            if (UNLIKELY(code > HK_UNIT_WARNING))
                return hk_fail_call(sim, x, code);
            if (is_get && UNLIKELY(x->texts.begin != x->texts.end))
                hk_texts_keep(sim, x->texts);
            if (careful) {
                tally *t = &sim->tallies[x->what.component];
                look_after(sim, &x->what, &since, is_get ? &t->get_ns : &t->set_ns);
            }
        }
    }
    return true;
}

ALWAYS_INLINE bool copy_all(hk_sim *sim, const cell *c) {
    for (uint32_t i = c->copies8.begin; i < c->copies8.end; i++)
        memcpy(sim->copies8[i].to, sim->copies8[i].from, 8);
    for (uint32_t i = c->copies4.begin; i < c->copies4.end; i++)
        memcpy(sim->copies4[i].to, sim->copies4[i].from, 4);
    for (uint32_t i = c->linears.begin; i < c->linears.end; i++) {
        const linear_copy *l = &sim->linears[i];
        *l->to = l->factor * *l->from + l->offset;
    }
    for (uint32_t i = c->generals.begin; i < c->generals.end; i++)
        if (UNLIKELY(!hk_copy_general(sim, &sim->generals[i]))) {
            const hk_connection *k = &sim->model->connections[sim->generals[i].connection];
            sim->status = hk_error(sim->ctx, HK_E_CONVERSION, hk_connection_where(sim->model, k),
                                   NULL, "a value does not fit the type of the input");
            return false;
        }
    return true;
}

ALWAYS_INLINE bool step_all(hk_sim *sim, const cell *c, bool careful) {
    const rate_state *rate = &sim->rates[c->rate];
    hk_tick t = sim->now;
    double seconds = sim->seconds;
    double h = t + rate->period <= sim->plan->stop
                   ? rate->h
                   : hk_tick_seconds(sim->plan->stop - t, sim->plan->ticks_per_second);
    int64_t since = careful ? hk_clock_ns() : 0;
    for (int shape = 0; shape < 2; shape++) {
        const stepping *end = sim->steppings + c->steps[shape].end;
        for (const stepping *s = sim->steppings + c->steps[shape].begin; s < end; s++) {
            sim->at = &s->what;
            int code = shape == HK_STEP_PLAIN ? s->call.fn.plain(s->call.self, seconds, h)
                                              : s->call.fn.flagged(s->call.self, seconds, h, 1);
            if (UNLIKELY(code > HK_UNIT_WARNING) && !hk_fail_step(sim, s, code, h))
                return false;
            *s->last = t;
            if (careful) {
                tally *y = &sim->tallies[s->what.component];
                look_after(sim, &s->what, &since, &y->step_ns);
                y->steps++;
            }
        }
    }
    return true;
}

/* Not finite: all bits of the exponent are set. Adding them up keeps the loop free of branches. */
ALWAYS_INLINE bool all_finite(const segment *segments, range r) {
    uint64_t bad = 0;
    for (uint32_t i = r.begin; i < r.end; i++)
        for (size_t e = 0; e < segments[i].count; e++) {
            uint64_t bits;
            memcpy(&bits, &segments[i].from[e], 8);
            bad |= ((bits & UINT64_C(0x7ff0000000000000)) + UINT64_C(0x0010000000000000)) >> 63;
        }
    return !bad;
}

bool hk_sim_finite(const hk_sim *sim, const cell *c) {
    return all_finite(sim->segments, c->finite) && all_finite(sim->segments, c->finite_rows);
}

/* A row will show the values of this activation. */
static bool row_wants(const hk_sim *sim, const cell *c) {
    hk_tick end = sim->now + sim->rates[c->rate].period;
    return sim->options.sink.row_begin && (end == *sim->row_next || end >= sim->plan->stop);
}

ALWAYS_INLINE bool publish(hk_sim *sim, const cell *c, bool careful) {
    if (!call_all(sim, c->gets, careful, true))
        return false;
    bool finite = all_finite(sim->segments, c->finite);
    if (c->row_gets[0].begin != c->row_gets[HK_SHAPE_COUNT - 1].end && row_wants(sim, c)) {
        if (!call_all(sim, c->row_gets, careful, true))
            return false;
        finite = finite && all_finite(sim->segments, c->finite_rows);
    }
    if (UNLIKELY(!finite) && !hk_fail_not_finite(sim, c))
        return false;
    for (uint32_t i = c->pasts.begin; i < c->pasts.end; i++)
        hk_history_push(sim, &sim->instances[sim->pasts[i]], sim->now);
    return true;
}

/* One phase: the cells of one level of all rates that are due. */
ALWAYS_INLINE bool run_phase(hk_sim *sim, const cell *const *cells, size_t count, bool careful) {
    int64_t since = careful ? hk_clock_ns() : 0;
    for (size_t i = 0; i < count; i++)
        if (!copy_all(sim, cells[i]))
            return false;
    if (careful)
        sim->copy_ns += (double)(hk_clock_ns() - since);
    for (size_t i = 0; i < count; i++)
        if (!call_all(sim, cells[i]->sets, careful, false))
            return false;
    for (size_t i = 0; i < count; i++)
        if (!step_all(sim, cells[i], careful))
            return false;
    for (size_t i = 0; i < count; i++)
        if (!publish(sim, cells[i], careful))
            return false;
    sim->at = NULL;
    if (UNLIKELY(hk_fpenv_read() != sim->fp_control))
        hk_report_fpenv(sim, NULL);
    return true;
}

/* One rate is due: its cells, one after the other, are the phases. */
ALWAYS_INLINE bool run_single(hk_sim *sim, uint32_t rate, bool careful) {
    const range cells = sim->rates[rate].cells;
    for (uint32_t i = cells.begin; i < cells.end; i++) {
        const cell *c = &sim->cells[i];
        if (!run_phase(sim, &c, 1, careful))
            return false;
    }
    return true;
}

/* Several rates are due: their cells are merged by level. */
ALWAYS_INLINE bool run_merged(hk_sim *sim, size_t due_count, bool careful) {
    for (size_t i = 0; i < due_count; i++)
        sim->due_cell[i] = sim->rates[sim->due[i]].cells.begin;
    for (;;) {
        uint32_t level = UINT32_MAX;
        for (size_t i = 0; i < due_count; i++)
            if (sim->due_cell[i] < sim->rates[sim->due[i]].cells.end &&
                sim->cells[sim->due_cell[i]].level < level)
                level = sim->cells[sim->due_cell[i]].level;
        if (level == UINT32_MAX)
            return true;
        size_t count = 0;
        for (size_t i = 0; i < due_count; i++)
            if (sim->due_cell[i] < sim->rates[sim->due[i]].cells.end &&
                sim->cells[sim->due_cell[i]].level == level)
                sim->batch[count++] = &sim->cells[sim->due_cell[i]++];
        if (!run_phase(sim, sim->batch, count, careful))
            return false;
    }
}

/* Collects the rates due at T, moves each to its next activation, and finds the next instant. */
static inline size_t collect_due(hk_sim *sim, hk_tick t, hk_tick *ret_next) {
    size_t count = 0;
    hk_tick next = HK_TICK_NEVER;
    for (size_t r = 0; r < sim->rate_count; r++) {
        if (sim->rate_next[r] == t) {
            sim->due[count++] = (uint32_t)r;
            sim->rate_next[r] = t + sim->rates[r].period;
        }
        if (sim->rate_next[r] < next)
            next = sim->rate_next[r];
    }
    *ret_next = next;
    return count;
}

ALWAYS_INLINE bool run_phases(hk_sim *sim, size_t due_count, bool careful) {
    return due_count == 1 ? run_single(sim, sim->due[0], careful)
                          : run_merged(sim, due_count, careful);
}

static bool phases_fast(hk_sim *sim, size_t due_count) {
    return run_phases(sim, due_count, false);
}

static bool phases_careful(hk_sim *sim, size_t due_count) {
    int64_t since = hk_clock_ns();
    bool good = run_phases(sim, due_count, true);
    double took = (double)(hk_clock_ns() - since);
    sim->sampled_ns += took;
    sim->sampled++;
    unsigned every = sim->options.profile_every ? sim->options.profile_every : PROFILE_EVERY;
    sim->until_sample = took > HEAVY_INSTANT_NS || sim->careful ? 1 : every;
    return good;
}

static bool row_refused(hk_sim *sim) {
    if (sim->status == HK_OK) {
        sim->ended = true; /* the recorder reports the reason when it is closed */
        sim->end_reason = "the record could not be written";
    }
    return false;
}

static bool compare(double value, hk_compare how, double threshold) {
    switch (how) {
    case HK_LT: return value < threshold;
    case HK_LE: return value <= threshold;
    case HK_GT: return value > threshold;
    case HK_GE: return value >= threshold;
    case HK_EQ: return value == threshold;
    case HK_NE: return value != threshold;
    }
    return false;
}

/* Conditions are about values that hold now: at the end of the step that made them. */
static bool condition_holds(hk_sim *sim) {
    for (size_t i = 0; i < sim->watch_count; i++) {
        const watch *w = &sim->watches[i];
        double value;
        if (*w->last != TICK_INITIAL && *w->last + w->stamp > sim->now)
            continue;
        if (hk_value_convert(HK_STORE_F64, &value, w->store, w->port->address, 1) &&
            compare(value, w->condition.compare, w->condition.threshold)) {
            sim->end_reason = hk_arena_printf(sim->arena, "stop condition '%s'", w->condition.text);
            return true;
        }
    }
    return false;
}

static void pace(hk_sim *sim) {
    double ahead = hk_tick_seconds(sim->now - sim->pace_from, sim->plan->ticks_per_second) /
                   sim->options.real_time;
    int64_t due = sim->wall_start + (int64_t)(ahead * 1e9);
    int64_t now = hk_clock_ns();
    if (now > due) {
        double late = (double)(now - due) * 1e-9;
        sim->worst_late_s = late > sim->worst_late_s ? late : sim->worst_late_s;
        return;
    }
    struct timespec until = {due / 1000000000, due % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR &&
           !atomic_load_explicit(&sim->interrupted, memory_order_relaxed))
        continue;
}

/* About ten times a second: progress and the time limit. */
static void poll(hk_sim *sim) {
    enum { POLL_NS = 100000000 };
    int64_t now = hk_clock_ns();
    int64_t since = now - sim->wall_polled;
    sim->wall_polled = now;
    if (since < POLL_NS / 2 && sim->poll_every < 1u << 20)
        sim->poll_every *= 2;
    else if (since > 2 * (int64_t)POLL_NS && sim->poll_every > 1)
        sim->poll_every /= 2;
    sim->until_poll = sim->poll_every;
    if (sim->options.progress)
        sim->options.progress(sim->options.progress_user, sim->seconds,
                              hk_tick_seconds(sim->plan->start, sim->plan->ticks_per_second),
                              hk_tick_seconds(sim->plan->stop, sim->plan->ticks_per_second));
    if (sim->options.timeout_s > 0 &&
        (double)(now - sim->wall_start) * 1e-9 > sim->options.timeout_s) {
        sim->status = hk_error(sim->ctx, HK_E_UNIT_HUNG, HK_NOWHERE, "raise --timeout",
                               "the run is not finished after %d s", (int)sim->options.timeout_s);
    }
}

static void end_early(hk_sim *sim) {
    sim->ended = true;
    if (sim->options.sink.row_begin && (!hk_rows_before(sim, false) || !hk_rows_after(sim)))
        row_refused(sim);
}

static bool run_instant(hk_sim *sim) {
    hk_tick t = *sim->clock;
    sim->now = t;
    sim->seconds = hk_tick_seconds(t, sim->plan->ticks_per_second);
    if (UNLIKELY(sim->options.real_time > 0))
        pace(sim);
    if (UNLIKELY(sim->watch_count) && condition_holds(sim)) {
        end_early(sim);
        return false;
    }
    hk_tick next;
    bool row = t == *sim->row_next;
    if (row) {
        if (!hk_rows_before(sim, false))
            return row_refused(sim);
        *sim->row_next += sim->plan->row_interval;
    }
    size_t due_count = collect_due(sim, t, &next);
    bool sample = UNLIKELY(--sim->until_sample == 0);
    bool good = sample ? phases_careful(sim, due_count) : phases_fast(sim, due_count);
    if (UNLIKELY(!good))
        return false;
    if (row && !hk_rows_after(sim))
        return row_refused(sim);
    sim->instants++;
    *sim->clock = next < *sim->row_next ? next : *sim->row_next;
    if (UNLIKELY(--sim->until_poll == 0))
        poll(sim);
    return sim->status == HK_OK;
}

/* The last row, at the stop time, shows every component at the end of its last step. */
static void finish(hk_sim *sim) {
    sim->finished = true;
    sim->now = sim->plan->stop;
    *sim->clock = sim->plan->stop;
    sim->seconds = hk_tick_seconds(sim->now, sim->plan->ticks_per_second);
    if (sim->watch_count)
        condition_holds(sim);
    if (sim->options.sink.row_begin && (!hk_rows_before(sim, true) || !hk_rows_after(sim)))
        row_refused(sim);
}

hk_status hk_sim_run_until(hk_sim *sim, hk_tick until) {
    int64_t begin = hk_clock_ns();
    uint64_t outside = hk_fpenv_read();
    hk_tick stop = sim->plan->stop;
    sim->fp_control = hk_fpenv_pin();
    if (!sim->wall_start) {
        sim->wall_start = sim->wall_polled = begin;
        sim->pace_from = *sim->clock;
    }
    hk_tick end = until < stop ? until : stop;
    while (*sim->clock < end && !sim->ended && run_instant(sim))
        if (UNLIKELY(atomic_load_explicit(&sim->interrupted, memory_order_relaxed))) {
            sim->ended = true;
            sim->end_reason = "interrupted";
        }
    sim->at = NULL;
    if (sim->status == HK_OK && !sim->ended && !sim->finished && *sim->clock >= stop &&
        until >= stop)
        finish(sim);
    sim->total_ns += (double)(hk_clock_ns() - begin);
    hk_fpenv_write(outside);
    return sim->status;
}

hk_status hk_sim_run(hk_sim *sim) {
    return hk_sim_run_until(sim, HK_TICK_NEVER);
}

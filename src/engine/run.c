/* SPDX-License-Identifier: MIT
 *
 * The loop. An instant is a tick at which something is due; run_instant reads like a table of
 * contents. Within an instant components run in phases: those that wait for nobody first, then
 * those that wait for them. A phase is a few tight loops over arrays: copies, sets, steps, gets.
 *
 * Functions with a MODE exist once per mode: fast, with and without the monitor; and careful, with
 * the time of every call taken and the floating-point environment looked at after each (sampled
 * instants, and for good once a component was seen to change it). */
#include "engine/ending.h"
#include "engine/failures.h"
#include "engine/fused_cells.h"
#include "engine/monitor.h"
#include "engine/phase.h"
#include "engine/score.h"
#include "engine/trace.h"

#include <hk/fused.h>

#include "base/clock.h"
#include "base/fpenv.h"

#include <errno.h>

/* Instants from one sample of the profiler to the next: often at first, rarely later. Primes, so
 * that samples do not fall in step with the pattern of the rates. Where components take so long
 * that looking at the clock costs nothing, every instant is sampled. */
static const unsigned sample_after[] = {7, 13, 31, 61, 127, 251, 509, 1021, 2039, 4093};
enum {
    SAMPLE_STAGES = sizeof sample_after / sizeof *sample_after,
    SAMPLES_PER_STAGE = 4,
    SAMPLES_TO_DECIDE = 8, /* whether threads pay */
    HEAVY_CALL_NS = 20000
};

int hk_exchange_call(const hk_exchange *x) {
    const hk_call *c = &x->call;
    if (c->shape == HK_SHAPE_REFS)
        return c->fn.refs(c->self, c->refs, c->n, c->values);
    return c->fn.refs_sized(c->self, c->refs, c->n, c->values, c->value_count);
}

void hk_look_after(hk_sim *sim, const hk_op *what, int64_t *since, double *book) {
    enum { CLOCK_NS = 20, USUAL_NS = 2000, OUTLIER = 16 };
    int64_t now = hk_clock_ns();
    double took = (double)(now - *since - CLOCK_NS); /* the clock itself takes about that */
    took = took > 0 ? took : 0;
    /* The system may take the processor away in the middle of a call; that is not the call's. */
    double usual = USUAL_NS + OUTLIER * *book / (double)(sim->profile.sampled + 1);
    bool whole = sim->profile.sampled < SAMPLES_PER_STAGE || sim->options.real_time > 0;
    *book += took < usual || whole ? took : usual;
    *since = now;
    if (UNLIKELY(hk_fpenv_read() != sim->safety.fp_control))
        hk_report_fpenv(sim, what);
}

/* The debug mode of the monitor looks at values, too. */
NEVER_INLINE bool check_values(hk_sim *sim, const hk_cell *const *cells, size_t count, bool set) {
    for (size_t i = 0; i < count; i++) {
        if (!set)
            hk_values_got(sim, cells[i]);
        else if (!hk_values_set(sim, cells[i]))
            return false;
    }
    return true;
}

/* The sum of a cell stays in a register until it is done, if it is the only one. */
ALWAYS_INLINE uint64_t *sum_of(const hk_cell *c, size_t count, uint64_t *alone) {
    return count == 1 ? alone : c->watch.seen;
}

/* The copies of one cell add up to *RET_COPIES; those of several go to their own sums. */
ALWAYS_INLINE bool copy_cells(hk_sim *sim, const hk_cell *const *cells, size_t count, unsigned mode,
                              uint64_t *ret_copies) {
    uint64_t copies = 0;
    for (size_t i = 0; i < count; i++) {
        if (!copy_all(sim, &sim->threads.self, cells[i], mode, &copies))
            return false;
        if (mode & MONITORED && count > 1)
            *cells[i]->watch.seen += copies;
    }
    *ret_copies = count > 1 ? 0 : copies;
    return true;
}

/* One phase: the cells of one level of all rates that are due. */
ALWAYS_INLINE bool run_phase(hk_sim *sim, const hk_cell *const *cells, size_t count,
                             unsigned mode) {
    hk_lane *l = &sim->threads.self;
    const bool values = mode & LOGGED && sim->options.monitor == HK_MONITOR_VALUES;
    int64_t since = mode & TIMED ? hk_clock_ns() : 0;
    uint64_t copies = 0;
    uint64_t alone = mode & MONITORED && count == 1 ? *cells[0]->watch.seen : 0;
    l->made_count = 0;
    if (!copy_cells(sim, cells, count, mode, &copies))
        return false;
    if (mode & TIMED)
        sim->profile.copy_ns += (double)(hk_clock_ns() - since);
    if (values && !check_values(sim, cells, count, true))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!set_all(sim, l, cells[i], mode, copies, sum_of(cells[i], count, &alone)))
            return false;
    SEAM(sets_end, sim, l, cells, count, mode, &alone);
    for (size_t i = 0; i < count; i++)
        if (!step_all(sim, l, cells[i], mode, sum_of(cells[i], count, &alone)))
            return false;
    for (size_t i = 0; i < count; i++)
        if (!publish(sim, l, cells[i], mode, sum_of(cells[i], count, &alone)))
            return false;
    if (mode & MONITORED && count == 1)
        *cells[0]->watch.seen = alone;
    hk_at(l, NULL);
    if (values)
        check_values(sim, cells, count, false);
    if (mode & LOGGED && sim->trace)
        hk_trace_phase(sim);
    return true;
}

/* One rate is due: its cells, one after the other, are the phases. */
ALWAYS_INLINE bool run_single(hk_sim *sim, uint32_t rate, unsigned mode) {
    const hk_range cells = sim->loop.rates[rate].cells;
    for (uint32_t i = cells.begin; i < cells.end; i++) {
        const hk_cell *c = &sim->loop.cells[i];
        if (!run_phase(sim, &c, 1, mode))
            return false;
    }
    return true;
}

NEVER_INLINE bool run_cell_fast(hk_sim *sim, const hk_cell *c) {
    return run_phase(sim, &c, 1, 0);
}

NEVER_INLINE bool run_cell_monitored(hk_sim *sim, const hk_cell *c) {
    return run_phase(sim, &c, 1, MONITORED);
}

bool hk_run_cell(hk_sim *sim, const hk_cell *c, bool monitored) {
    return monitored ? run_cell_monitored(sim, c) : run_cell_fast(sim, c);
}

ALWAYS_INLINE bool run_part(hk_sim *sim, const hk_cell *c, int part, unsigned mode) {
    hk_lane *l = &sim->threads.self;
    uint64_t copies = 0;
    switch ((hk_fused_part)part) {
    case HK_FUSED_TAKE:
        l->made_count = 0;
        return copy_all(sim, l, c, mode, &copies) &&
               set_all(sim, l, c, mode, copies, c->watch.seen);
    case HK_FUSED_STEP:
        return step_all(sim, l, c, mode, c->watch.seen);
    default:
        return publish(sim, l, c, mode, c->watch.seen);
    }
}

bool hk_run_part(hk_sim *sim, const hk_cell *c, int part, bool monitored) {
    return monitored ? run_part(sim, c, part, MONITORED) : run_part(sim, c, part, 0);
}

bool hk_run_rest(hk_sim *sim, const hk_cell *c, bool monitored) {
    hk_lane *l = &sim->threads.self;
    bool finite = true;
    uint64_t sum = 0;
    if (!(monitored ? publish_rare(sim, l, c, MONITORED, &finite, &sum)
                    : publish_rare(sim, l, c, 0, &finite, &sum)))
        return false;
    if (finite)
        return true;
    *c->last = sim->time.now; /* what is said tells a step from the initialization */
    return hk_fail_not_finite(sim, c);
}

/* Several rates are due: their cells are merged by level. */
ALWAYS_INLINE bool run_merged(hk_sim *sim, size_t due_count, unsigned mode) {
    for (size_t i = 0; i < due_count; i++)
        sim->loop.due_cell[i] = sim->loop.rates[sim->loop.due[i]].cells.begin;
    for (;;) {
        uint32_t level = hk_lowest_level(sim, due_count);
        if (mode & MONITORED && due_count > 1 && !hk_monitor_level(sim, due_count, level))
            return false;
        if (level == UINT32_MAX)
            return true;
        size_t count = 0;
        for (size_t i = 0; i < due_count; i++)
            if (sim->loop.due_cell[i] < sim->loop.rates[sim->loop.due[i]].cells.end &&
                sim->loop.cells[sim->loop.due_cell[i]].level == level)
                sim->loop.batch[count++] = &sim->loop.cells[sim->loop.due_cell[i]++];
        bool shared = false;
        for (size_t i = 0; i < count && !(mode & TIMED); i++)
            shared = shared || sim->loop.batch[i]->shares;
        if (!(shared ? hk_share_phase(sim, sim->loop.batch, count, mode)
                     : run_phase(sim, sim->loop.batch, count, mode)))
            return false;
    }
}

NEVER_INLINE void pass_skipped(hk_sim *sim, size_t rate) {
    const hk_pattern *pattern = sim->plan->rates[rate].pattern;
    if (pattern)
        sim->loop.rate_next[rate] = hk_pattern_next(pattern, sim->loop.rate_next[rate]);
}

/* Collects the rates due at T, moves each to its next activation, and finds the next instant. */
ALWAYS_INLINE size_t collect_due(hk_sim *sim, hk_tick t, hk_tick *ret_next) {
    size_t count = 0;
    hk_tick next = HK_TICK_NEVER;
    for (size_t r = 0; r < sim->loop.rate_count; r++) {
        if (sim->loop.rate_next[r] == t) {
            sim->loop.due[count++] = (uint32_t)r;
            sim->loop.rate_next[r] = t + sim->loop.rates[r].period;
            if (UNLIKELY(sim->loop.uneven))
                pass_skipped(sim, r);
            sim->loop.rates[r].runs++;
        }
        if (sim->loop.rate_next[r] < next)
            next = sim->loop.rate_next[r];
    }
    *ret_next = next;
    return count;
}

NEVER_INLINE bool single_fast(hk_sim *sim) {
    return run_single(sim, sim->loop.due[0], 0);
}

NEVER_INLINE bool single_monitored(hk_sim *sim) {
    return run_single(sim, sim->loop.due[0], MONITORED);
}

NEVER_INLINE bool merged_fast(hk_sim *sim, size_t due_count) {
    return run_merged(sim, due_count, 0);
}

NEVER_INLINE bool merged_monitored(hk_sim *sim, size_t due_count) {
    return run_merged(sim, due_count, MONITORED);
}

/* Threads write down what they do, but do not look at the clock after every call. */
NEVER_INLINE bool merged_traced(hk_sim *sim, size_t due_count) {
    return run_merged(sim, due_count, MONITORED | LOGGED);
}

ALWAYS_INLINE bool phases_fast(hk_sim *sim, size_t due_count, unsigned mode) {
    if (sim->fused && !sim->threads.team)
        return hk_fused_phases(sim, due_count, mode & MONITORED);
    if (due_count == 1 && !sim->threads.team)
        return mode & MONITORED ? single_monitored(sim) : single_fast(sim);
    return mode & MONITORED ? merged_monitored(sim, due_count) : merged_fast(sim, due_count);
}

/* Counts who has taken more of the real time than lies between two activations. */
static void book_slots(hk_sim *sim, size_t due_count) {
    for (size_t i = 0; i < due_count; i++) {
        const hk_rate *rate = &sim->plan->rates[sim->loop.due[i]];
        for (size_t m = 0; m < rate->count; m++) {
            hk_profile_tally *t = &sim->profile.tallies[rate->components[m]];
            double all = t->get_ns + t->set_ns + t->step_ns;
            t->overran += all - t->before_ns > t->slot_ns;
            t->before_ns = all;
        }
    }
}

NEVER_INLINE bool phases_careful(hk_sim *sim, size_t due_count) {
    int64_t since = hk_clock_ns();
    bool good = sim->threads.team && sim->trace ? merged_traced(sim, due_count)
                                                : run_merged(sim, due_count, CAREFUL);
    double took = (double)(hk_clock_ns() - since);
    if (sim->options.real_time > 0)
        book_slots(sim, due_count);
    sim->profile.sampled_ns += took;
    sim->profile.sampled++;
    uint64_t stage = sim->profile.sampled / SAMPLES_PER_STAGE;
    if (stage >= SAMPLE_STAGES || sim->threads.team) /* samples run on one thread */
        stage = SAMPLE_STAGES - 1;
    unsigned every = sample_after[stage];
    every = sim->options.profile_every ? sim->options.profile_every : every;
    bool heavy = took > HEAVY_CALL_NS * (double)sim->model->component_count && !sim->threads.team;
    bool paced =
        sim->options.real_time > 0 && !sim->threads.team; /* there is time to look at all */
    sim->profile.until_sample = heavy || paced || sim->safety.careful ? 1 : every;
    if (UNLIKELY(sim->options.threads > 1) && !sim->threads.shares_decided && good &&
        sim->profile.sampled >= SAMPLES_TO_DECIDE)
        hk_share_decide(sim);
    return good;
}

NEVER_INLINE void pace(hk_sim *sim) {
    double ahead =
        hk_tick_seconds(sim->time.now - sim->profile.pace_from, sim->plan->ticks_per_second) /
        sim->options.real_time;
    int64_t due = sim->profile.wall_start + (int64_t)(ahead * 1e9);
    int64_t now = hk_clock_ns();
    if (now > due) {
        double late = (double)(now - due) * 1e-9;
        sim->profile.worst_late_s =
            late > sim->profile.worst_late_s ? late : sim->profile.worst_late_s;
        return;
    }
    struct timespec until = {due / 1000000000, due % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR &&
           !atomic_load_explicit(&sim->safety.asked, memory_order_relaxed))
        continue;
}

/* About ten times a second: progress and the time limit. */
NEVER_INLINE void poll(hk_sim *sim) {
    enum { POLL_NS = 100000000 };
    int64_t now = hk_clock_ns();
    int64_t since = now - sim->profile.wall_polled;
    sim->profile.wall_polled = now;
    if (since < POLL_NS / 2 && sim->profile.poll_every < 1u << 20)
        sim->profile.poll_every *= 2;
    else if (since > 2 * (int64_t)POLL_NS && sim->profile.poll_every > 1)
        sim->profile.poll_every /= 2;
    sim->profile.until_poll = sim->profile.poll_every;
    hk_listeners_progress(sim);
    if (sim->options.timeout_s > 0 &&
        (double)(now - sim->profile.wall_start) * 1e-9 > sim->options.timeout_s) {
        sim->end.late = true;
        atomic_fetch_or_explicit(&sim->safety.asked, HK_ASKED_END, memory_order_relaxed);
    }
}

/* Correctly rounded by one division as long as both numbers are exact as doubles. */
ALWAYS_INLINE double seconds_at(const hk_sim *sim, hk_tick t) {
    return sim->time.exact_seconds ? (double)t / (double)sim->time.ticks_per_second
                                   : hk_tick_seconds(t, sim->time.ticks_per_second);
}

/* One half of a row, with its time in sampled instants. */
ALWAYS_INLINE bool half_row(hk_sim *sim, bool first, bool sample) {
    int64_t since = sample ? hk_clock_ns() : 0;
    if (UNLIKELY(sim->part) && !hk_part_rows(sim, !first))
        return false;
    bool taken = first ? hk_rows_before(sim, false) : hk_rows_after(sim);
    sim->profile.rows += first;
    if (UNLIKELY(sample)) {
        sim->profile.record_ns += (double)(hk_clock_ns() - since);
        sim->profile.rows_sampled += first;
    }
    return taken || hk_row_refused(sim);
}

/* The scenario's turn. False if it ends the run, or has failed. */
NEVER_INLINE bool call_hook(hk_sim *sim) {
    hk_listeners_hook(sim);
    if (sim->end.finish_reason && sim->status == HK_OK) {
        sim->end.reason = sim->end.finish_reason;
        hk_end_early(sim);
    }
    return sim->status == HK_OK && !sim->end.ended;
}

/* A stopped provider was called: the answer was none, and no row shows what became of it. */
NEVER_INLINE bool drop_instant(hk_sim *sim) {
    sim->rows.current = NULL;
    return false;
}

ALWAYS_INLINE bool run_instant(hk_sim *sim, unsigned mode) {
    hk_tick t = *sim->time.clock;
    sim->time.now = t;
    hk_set_seconds(sim, seconds_at(sim, t));
    if (UNLIKELY(t >= sim->listening.hook_next) && !call_hook(sim))
        return false;
    if (UNLIKELY(sim->changes.waiting_writes) && !hk_accesses_apply(sim, t))
        return false;
    if (UNLIKELY(sim->options.real_time > 0))
        pace(sim);
    if (UNLIKELY(sim->rows.watch_count) && hk_condition_holds(sim)) {
        hk_end_early(sim);
        return false;
    }
    if (UNLIKELY(t >= sim->end.asked_end)) {
        hk_end_as_asked(sim);
        return false;
    }
    hk_tick next;
    bool row = t == *sim->rows.next;
    bool sample = UNLIKELY(--sim->profile.until_sample == 0);
    if (row) {
        if (!half_row(sim, true, sample))
            return false;
        *sim->rows.next += sim->rows.interval;
    }
    size_t due_count = collect_due(sim, t, &next);
    bool good = sample ? phases_careful(sim, due_count) : phases_fast(sim, due_count, mode);
    if (UNLIKELY(sim->changes.stopped_bindings) && sim->status == HK_E_STOPPED_PROVIDER)
        return drop_instant(sim);
    if (UNLIKELY(!good))
        return false;
    if (UNLIKELY(!hk_fpenv_behaves()))
        hk_report_fpenv(sim, NULL);
    if (row && !half_row(sim, false, sample))
        return false;
    sim->profile.instants++;
    *sim->time.clock = next < *sim->rows.next ? next : *sim->rows.next;
    if (UNLIKELY(--sim->profile.until_poll == 0))
        poll(sim);
    return sim->status == HK_OK;
}

/* A run that ends in order has done something of its last instant, and counts it: also where that
 * was part of a burst, since whether it was depends on how fast others were. */
NEVER_INLINE void count_last(hk_sim *sim) {
    hk_tick next;
    if (sim->status == HK_OK)
        (void)collect_due(sim, sim->time.now, &next);
}

ALWAYS_INLINE bool advance(hk_sim *sim, hk_tick end, unsigned mode) {
    if (!hk_burst(sim, end, mode & MONITORED)) {
        count_last(sim);
        return false;
    }
    return *sim->time.clock >= end || run_instant(sim, mode);
}

NEVER_INLINE bool advance_fast(hk_sim *sim, hk_tick end) {
    return advance(sim, end, 0);
}

NEVER_INLINE bool advance_monitored(hk_sim *sim, hk_tick end) {
    return advance(sim, end, MONITORED);
}

/* What components did to the process, and nobody has told so far. */
NEVER_INLINE void look_back(hk_sim *sim, const hk_host *host) {
    if (hk_fpenv_read() != sim->safety.fp_control)
        hk_report_fpenv(sim, NULL);
    hk_report_slipped(sim);
    hk_restore_host(sim, host, NULL, false);
}

/* False: the loop is to be left. */
NEVER_INLINE bool do_as_asked(hk_sim *sim) {
    unsigned asked =
        atomic_fetch_and_explicit(&sim->safety.asked, ~HK_ASKED_YIELD, memory_order_relaxed);
    if (asked & HK_ASKED_END)
        hk_end_from_outside(sim);
    return !(asked & HK_ASKED_YIELD);
}

hk_status hk_sim_run_until(hk_sim *sim, hk_tick until) {
    HK_ASSERT(sim);
    HK_ASSERT(sim->loop.rate_count == 0 || sim->loop.cells);
    HK_ASSERT(sim->rows.interval > 0);
    HK_ASSERT(*sim->time.clock >= sim->plan->start);
    int64_t begin = hk_clock_ns();
    uint64_t outside = hk_fpenv_read();
    hk_tick stop = sim->plan->stop;
    bool whole = until >= stop; /* a program that goes step by step looks after itself */
    hk_host host;
    if (whole)
        hk_host_look(&host);
    sim->safety.fp_control = hk_fpenv_pin();
    bool entered = hk_lane_enter(&sim->threads.self);
    if (!sim->profile.wall_start) {
        sim->profile.wall_start = sim->profile.wall_polled = begin;
        sim->profile.pace_from = *sim->time.clock;
    }
    hk_tick end = until < sim->plan->end ? until : sim->plan->end;
    bool (*go_on)(hk_sim *, hk_tick) = sim->safety.monitored ? advance_monitored : advance_fast;
    while (*sim->time.clock < end && !sim->end.ended && sim->status == HK_OK && go_on(sim, end))
        if (UNLIKELY(atomic_load_explicit(&sim->safety.asked, memory_order_relaxed)) &&
            !do_as_asked(sim))
            break;
    hk_at(&sim->threads.self, NULL);
    if (sim->status == HK_OK && !sim->end.ended)
        hk_monitor_end(sim);
    if (sim->status == HK_OK && !sim->end.ended && sim->plan->stopper != HK_MAP_NONE &&
        *sim->time.clock >= sim->plan->end && until >= sim->plan->end)
        hk_end_on_overrun(sim);
    if (sim->status == HK_OK && !sim->end.ended && !sim->end.finished && *sim->time.clock >= stop &&
        until >= stop)
        hk_end_at_stop(sim);
    hk_rows_rescue(sim);
    if (sim->end.ended && sim->end.ender != HK_MAP_NONE && sim->status == HK_OK)
        hk_end_inside(sim);
    hk_trace_rest(sim);
    sim->profile.total_ns += (double)(hk_clock_ns() - begin);
    if (whole) {
        look_back(sim, &host);
        hk_host_forget(&host);
    }
    hk_fpenv_write(outside);
    if (entered)
        hk_lane_leave(&sim->threads.self);
    return sim->status;
}

hk_status hk_sim_run(hk_sim *sim) {
    HK_ASSERT(sim);
    return hk_sim_run_until(sim, HK_TICK_NEVER);
}

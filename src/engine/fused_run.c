/* SPDX-License-Identifier: MIT
 *
 * Instants with fused cells. What is due together is merged by level, as in run.c: all cells of a
 * level take their values before one steps, and all step before one gives its values away. In
 * bursts, what to do at each instant of the hyperperiod is written down beforehand. */
#include "engine/failures.h"
#include "engine/fused_cells.h"
#include "engine/fused_internal.h"
#include "engine/idle.h"
#include "engine/inline.h"
#include "engine/monitor.h"
#include "engine/score.h"
#include "engine/tokens.h"

#include "base/fpenv.h"
#include "base/ratio.h"
#include "base/search.h"

#include <string.h>

/* ---- one instant ---- */

NEVER_INLINE bool not_done(hk_sim *sim, const hk_cell *c) {
    return hk_report_unsound(sim, c->members[0],
                             "or another one of its cell was not done by fused code to the end");
}

/* A step that is shortened by the stop time is the engine's. */
static bool runs_fused(const hk_sim *sim, size_t index) {
    const hk_rate_state *rate = &sim->loop.rates[sim->loop.cells[index].rate];
    return sim->fused->code[index] && sim->time.now + rate->span <= sim->time.stop;
}

/* After a fused cell: as the monitor wants to see it. */
static void settle_cell(hk_sim *sim, const hk_cell *c, bool monitored) {
    *c->watch.seen = c->watch.after;
    if (monitored && c->watch.advance)
        hk_set_due_exact(sim, c->watch.due, c->watch.due->tick + c->watch.advance);
}

static bool in_time(hk_sim *sim, const hk_cell *c, bool monitored) {
    struct hk_fused_state *f = sim->fused;
    double h = sim->loop.rates[c->rate].h;
    if (!monitored)
        f->own_due[c->rate] = (hk_due_time){sim->time.now, sim->time.seconds, h};
    else if (UNLIKELY(c->watch.due->tick != sim->time.now))
        return hk_monitor_time(sim, c, sim->time.seconds, h);
    return true;
}

/* A cell or a part of it, no matter by what it is run. */
static bool run_cell(hk_sim *sim, size_t index, int part, bool monitored) {
    struct hk_fused_state *f = sim->fused;
    const hk_cell *c = &sim->loop.cells[index];
    bool whole = part == HK_FUSED_PARTS;
    if (!runs_fused(sim, index))
        return whole ? hk_run_cell(sim, c, monitored) : hk_run_part(sim, c, part, monitored);
    const hk_fused_cell *code = f->code[index];
    if ((part == HK_FUSED_TAKE || whole) && !in_time(sim, c, monitored))
        return false;
    uint32_t n = f->number[index];
    f->head->done = 0;
    if (!(whole ? code->run : code->parts[part])(f->head, sim->time.seconds,
                                                 sim->loop.rates[c->rate].h))
        return false;
    if (UNLIKELY(f->head->done != (whole ? HK_FUSED_ALL_DONE(n) : HK_FUSED_DONE(n, part))))
        return not_done(sim, c);
    if (whole || part == HK_FUSED_GIVE) {
        settle_cell(sim, c, monitored);
        f->runs++;
    }
    return true;
}

/* The cells of one level of all rates that are due. */
static bool run_level(hk_sim *sim, size_t due_count, uint32_t level, bool monitored) {
    size_t count = 0;
    for (size_t i = 0; i < due_count; i++)
        count += sim->loop.due_cell[i] < sim->loop.rates[sim->loop.due[i]].cells.end &&
                 sim->loop.cells[sim->loop.due_cell[i]].level == level;
    for (int part = count == 1 ? HK_FUSED_PARTS : 0; part < HK_FUSED_PARTS + (count == 1); part++)
        for (size_t i = 0; i < due_count; i++) {
            size_t index = sim->loop.due_cell[i];
            if (index < sim->loop.rates[sim->loop.due[i]].cells.end &&
                sim->loop.cells[index].level == level && !run_cell(sim, index, part, monitored))
                return false;
        }
    for (size_t i = 0; i < due_count; i++)
        sim->loop.due_cell[i] +=
            sim->loop.due_cell[i] < sim->loop.rates[sim->loop.due[i]].cells.end &&
            sim->loop.cells[sim->loop.due_cell[i]].level == level;
    return true;
}

static bool run_levels(hk_sim *sim, size_t due_count, bool monitored) {
    for (size_t i = 0; i < due_count; i++)
        sim->loop.due_cell[i] = sim->loop.rates[sim->loop.due[i]].cells.begin;
    for (;;) {
        uint32_t level = hk_lowest_level(sim, due_count);
        if (monitored && due_count > 1 && !hk_monitor_level(sim, due_count, level))
            return false;
        if (level == UINT32_MAX)
            return true;
        if (!run_level(sim, due_count, level, monitored))
            return false;
    }
}

/* ---- what is done at each instant of a hyperperiod ---- */

static void add_act(const hk_sim *sim, const struct hk_fused_state *f, hk_due_set *s, size_t index,
                    int part) {
    const hk_cell *c = &sim->loop.cells[index];
    const hk_fused_cell *code = f->code[index];
    bool whole = part == HK_FUSED_PARTS, ends = whole || part == HK_FUSED_GIVE;
    s->acts[s->act_count++] = (hk_fused_act){.run = !code   ? NULL
                                                    : whole ? code->run
                                                            : code->parts[part],
                                             .h = sim->loop.rates[c->rate].h,
                                             .c = c,
                                             .part = part,
                                             .ends = ends};
    if (code)
        s->done +=
            whole ? HK_FUSED_ALL_DONE(f->number[index]) : HK_FUSED_DONE(f->number[index], part);
    s->fused_count += code && ends;
}

static hk_fused_fn *find_instant(const struct hk_fused_state *f, uint64_t mask) {
    for (uint32_t i = 0; i < f->table->instant_count; i++)
        if (f->table->instants[i].rates == mask)
            return f->table->instants[i].run;
    for (uint32_t r = 0; r < f->table->rate_count; r++)
        if (mask == UINT64_C(1) << r)
            return f->table->rates[r];
    return NULL;
}

/* All of it is one function of the library, if all cells run by it, in its own order. */
static bool as_a_whole(const hk_sim *sim, const struct hk_fused_state *f, hk_due_set *s) {
    hk_fused_act whole = {.run = find_instant(f, s->active), .part = HK_FUSED_PARTS};
    uint64_t done = 0;
    size_t count = 0;
    for (uint32_t i = 0; i < sim->loop.cell_count; i++) {
        if (!(s->active >> sim->loop.cells[i].rate & 1))
            continue;
        if (!whole.run || !f->code[i] || f->number[i] != i)
            return false;
        whole.h = sim->loop.rates[sim->loop.cells[i].rate].h;
        done += HK_FUSED_ALL_DONE(i);
        count++;
    }
    s->done = done;
    s->fused_count = count;
    s->acts[s->act_count++] = whole;
    return true;
}

/* The level of the cell of a rate that comes next; UINT32_MAX: it has none left. */
static uint32_t level_of(const hk_sim *sim, size_t rate, uint32_t next) {
    return next < sim->loop.rates[rate].cells.end ? sim->loop.cells[next].level : UINT32_MAX;
}

/* The cells of a level: one as a whole, several part by part. */
static void add_level(const hk_sim *sim, const struct hk_fused_state *f, hk_due_set *s,
                      const uint32_t *next, uint32_t level) {
    size_t count = 0;
    for (size_t r = 0; r < sim->loop.rate_count; r++)
        count += level_of(sim, r, next[r]) == level;
    int first = count == 1 ? HK_FUSED_PARTS : 0, last = count == 1 ? first : HK_FUSED_PARTS - 1;
    for (int part = first; part <= last; part++)
        for (size_t r = 0; r < sim->loop.rate_count; r++)
            if (level_of(sim, r, next[r]) == level)
                add_act(sim, f, s, next[r], part);
}

static void merge_levels(const hk_sim *sim, const struct hk_fused_state *f, hk_due_set *s) {
    uint32_t next[HK_BEAT_RATES_MAX];
    for (size_t r = 0; r < sim->loop.rate_count; r++)
        next[r] =
            s->active >> r & 1 ? sim->loop.rates[r].cells.begin : sim->loop.rates[r].cells.end;
    for (;;) {
        uint32_t level = UINT32_MAX;
        for (size_t r = 0; r < sim->loop.rate_count; r++)
            level = level_of(sim, r, next[r]) < level ? level_of(sim, r, next[r]) : level;
        if (level == UINT32_MAX)
            return;
        add_level(sim, f, s, next, level);
        for (size_t r = 0; r < sim->loop.rate_count; r++)
            next[r] += level_of(sim, r, next[r]) == level;
    }
}

static void write_set(hk_sim *sim, struct hk_fused_state *f, hk_due_set *s) {
    *s = (hk_due_set){.mask = s->mask};
    s->acts = hk_alloc((HK_FUSED_PARTS * sim->loop.cell_count + 1) * sizeof *s->acts);
    s->rates = hk_alloc((sim->loop.rate_count + 1) * sizeof *s->rates);
    for (size_t r = 0; r < sim->loop.rate_count; r++) {
        if (!(s->mask >> r & 1) || sim->loop.rates[r].idle)
            continue;
        s->active |= UINT64_C(1) << r;
        const hk_range of = sim->loop.rates[r].cells;
        s->rates[s->rate_count++] =
            (hk_due_rate){.due = f->due[r],
                          .period = sim->loop.rates[r].period,
                          .first = &sim->loop.cells[of.begin],
                          .advance = sim->safety.monitored && f->code[of.end - 1] != NULL};
    }
    if (s->active && !as_a_whole(sim, f, s))
        merge_levels(sim, f, s);
}

void hk_fused_free_sets(struct hk_fused_state *f) {
    HK_ASSERT(f);
    for (size_t i = 0; i < f->set_count; i++) {
        hk_free(f->sets[i].acts);
        hk_free(f->sets[i].rates);
        f->sets[i] = (hk_due_set){.mask = f->sets[i].mask};
    }
}

/* All of it is one rate and one function. */
static bool is_alone(const hk_due_set *s) {
    return s->rate_count == 1 && s->act_count == 1 && s->acts[0].run && !s->acts[0].c;
}

/* Beats of which only rates that are idle tell one from the other do the same, too. */
static void find_alike(struct hk_fused_state *f) {
    for (size_t i = f->beats.count; i-- > 0;) {
        hk_due_beat *b = &f->beats.all[i];
        const hk_due_set *s = &f->sets[b->set];
        bool goes_on = i + 1 < f->beats.count && is_alone(s) &&
                       f->sets[b[1].set].active == s->active &&
                       b[1].at - b->at == s->rates[0].period;
        b->alike = goes_on ? b[1].alike + 1 : is_alone(s);
    }
}

void hk_fused_write_sets(hk_sim *sim, struct hk_fused_state *f) {
    HK_ASSERT(sim && f);
    hk_fused_free_sets(f);
    for (size_t i = 0; i < f->set_count; i++)
        write_set(sim, f, &f->sets[i]);
    find_alike(f);
}

/* ---- bursts ---- */

NEVER_INLINE bool act_interpreted(hk_sim *sim, const hk_fused_act *a) {
    return a->part == HK_FUSED_PARTS ? hk_run_cell(sim, a->c, sim->safety.monitored)
                                     : hk_run_part(sim, a->c, a->part, sim->safety.monitored);
}

NEVER_INLINE bool not_its_turn(hk_sim *sim, const hk_due_rate *r) {
    return hk_monitor_time(sim, r->first, sim->time.seconds, sim->loop.rates[r->first->rate].h);
}

/* The monitor's clock before the calls of an instant: the rate is due. */
ALWAYS_INLINE bool rate_is_due(hk_sim *sim, const hk_due_rate *r, hk_tick t, double seconds) {
    if (!sim->safety.monitored)
        *r->due = (hk_due_time){t, seconds, sim->loop.rates[r->first->rate].h};
    else if (UNLIKELY(r->due->tick != t))
        return not_its_turn(sim, r);
    return true;
}

ALWAYS_INLINE bool all_due(hk_sim *sim, const hk_due_set *s, hk_tick t, double seconds) {
    for (const hk_due_rate *r = s->rates, *end = r + s->rate_count; r < end; r++)
        if (!rate_is_due(sim, r, t, seconds))
            return false;
    return true;
}

ALWAYS_INLINE bool play_set(hk_sim *sim, struct hk_fused_state *f, const hk_due_set *s, hk_tick t,
                            double seconds) {
    if (!all_due(sim, s, t, seconds))
        return false;
    for (const hk_fused_act *a = s->acts, *end = a + s->act_count; a < end; a++) {
        if (UNLIKELY(!a->run)) {
            if (!act_interpreted(sim, a))
                return false;
            continue;
        }
        if (!a->run(f->head, seconds, a->h))
            return false;
        if (a->c && a->ends)
            *a->c->watch.seen = a->c->watch.after;
    }
    if (UNLIKELY(f->head->done != s->done))
        return not_done(sim, s->rates[0].first);
    f->head->done = 0;
    for (const hk_due_rate *r = s->rates, *end = r + s->rate_count; r < end; r++)
        if (r->advance)
            hk_set_due_exact(sim, r->due, r->due->tick + r->period);
    return true;
}

/* What is written down for the rates that are due; NULL: nothing is, or a step is shortened. */
static const hk_due_set *find_set(const hk_sim *sim, const struct hk_fused_state *f,
                                  size_t due_count) {
    uint64_t mask = 0;
    for (size_t i = 0; i < due_count && f->beats.all; i++) {
        if (sim->time.now + sim->loop.rates[sim->loop.due[i]].span > sim->time.stop)
            return NULL;
        mask |= UINT64_C(1) << sim->loop.due[i];
    }
    for (size_t i = 0; i < f->set_count; i++)
        if (f->sets[i].mask == mask)
            return &f->sets[i];
    return NULL;
}

bool hk_fused_phases(hk_sim *sim, size_t due_count, bool monitored) {
    struct hk_fused_state *f = sim->fused;
    const hk_due_set *s = find_set(sim, f, due_count);
    f->head->now = sim->time.now;
    f->head->done = 0;
    if (s)
        f->runs += s->fused_count;
    bool good = s ? play_set(sim, f, s, sim->time.now, sim->time.seconds)
                  : run_levels(sim, due_count, monitored);
    for (size_t i = 0; s && i < due_count; i++)
        if (!(s->active >> sim->loop.due[i] & 1))
            hk_idle_settle(sim, sim->loop.due[i], sim->time.now);
    hk_at(&sim->threads.self, NULL);
    return good;
}

typedef struct burst {
    hk_tick t, until; /* T moves on */
    size_t beat, left, runs;
    hk_tick base; /* of the hyperperiod */
    bool behaves;
} burst;

/* Up to MOST instants of one rate, each of which is one function: nothing is looked up. False: the
 * run ends here. */
NEVER_INLINE bool play_alone(hk_sim *sim, struct hk_fused_state *f, const hk_due_set *s,
                             size_t most, burst *b) {
    const double ticks_per_second = (double)sim->time.ticks_per_second;
    const hk_due_rate *rate = s->rates;
    hk_fused_fn *const run = s->acts[0].run;
    hk_fused_head *const head = f->head;
    const hk_tick first = b->t, period = rate->period;
    const hk_tick end = first + (hk_tick)most * period;
    const hk_tick last = b->until < end ? b->until : end;
    const double h = s->acts[0].h;
    hk_tick t = first;
    bool good = true, behaves = true;
    head->done = 0;
    for (; t < last && t < sim->end.asked_end && good && behaves; t += period) {
        double seconds = (double)t / ticks_per_second;
        sim->time.now = head->now = t;
        hk_set_seconds(sim, seconds);
        good = rate_is_due(sim, rate, t, seconds) && run(head, seconds, h);
        if (UNLIKELY(head->done != s->done) && good)
            good = not_done(sim, rate->first);
        head->done = 0;
        if (rate->advance && good)
            hk_set_due_exact(sim, rate->due, rate->due->tick + period);
        hk_at(&sim->threads.self, NULL);
        behaves = hk_fpenv_behaves();
        good = good && sim->status == HK_OK;
    }
    size_t count = (size_t)((t - first) / period);
    b->left -= count;
    b->runs += count * s->fused_count;
    b->behaves = behaves;
    b->t = t;
    return good;
}

ALWAYS_INLINE bool play_instant(hk_sim *sim, struct hk_fused_state *f, const hk_due_set *s,
                                hk_tick t, double seconds) {
    sim->time.now = f->head->now = t;
    hk_set_seconds(sim, seconds);
    bool good = play_set(sim, f, s, t, seconds);
    hk_at(&sim->threads.self, NULL);
    return good && sim->status == HK_OK; /* it is not where a stopped component was called */
}

enum { MANY = 8 }; /* so many that are alike pay a loop of their own */

/* Instants up to where alike ones begin; what changes with each of them is in registers. */
NEVER_INLINE bool play_changing(hk_sim *sim, struct hk_fused_state *f, burst *b) {
    const double ticks_per_second = (double)sim->time.ticks_per_second;
    const hk_due_beat *const first = f->beats.all, *const end = first + f->beats.count;
    const hk_due_beat *beat = first + b->beat;
    const hk_tick until = b->until;
    hk_tick base = b->base, t = b->t;
    size_t left = b->left, runs = 0;
    bool good = true, behaves = true;
    while (t < until && left && t < sim->end.asked_end && good && behaves && beat->alike < MANY) {
        const hk_due_set *s = &f->sets[beat->set];
        good = play_instant(sim, f, s, t, (double)t / ticks_per_second);
        behaves = hk_fpenv_behaves();
        runs += s->fused_count;
        left--;
        if (++beat == end) {
            beat = first;
            base += f->beats.hyperperiod;
        }
        t = base + beat->at;
    }
    *b = (burst){t, until, (size_t)(beat - first), left, b->runs + runs, base, behaves};
    return good;
}

/* The same of those that are alike. */
static bool play_alike(hk_sim *sim, struct hk_fused_state *f, burst *b) {
    const hk_due_beat beat = f->beats.all[b->beat];
    const size_t left = b->left, most = beat.alike < left ? beat.alike : left;
    bool good = play_alone(sim, f, &f->sets[beat.set], most, b);
    b->beat += left - b->left;
    if (b->beat == f->beats.count) {
        b->beat = 0;
        b->base += f->beats.hyperperiod;
    }
    b->t = b->base + f->beats.all[b->beat].at;
    return good;
}

NEVER_INLINE bool play_burst(hk_sim *sim, struct hk_fused_state *f, burst *b) {
    bool good = true;
    f->head->done = 0;
    while (b->t < b->until && b->left && b->t < sim->end.asked_end && good && b->behaves)
        good = (f->beats.all[b->beat].alike < MANY ? play_changing : play_alike)(sim, f, b);
    return good;
}

/* The beat at T; beat_count: there is none. */
static size_t find_beat(const struct hk_fused_state *f, hk_tick t) {
    hk_tick at = (t - f->beats.first) % f->beats.hyperperiod;
    size_t beat = 0;
    HK_SEARCH(beat, f->beats.count, i, f->beats.all[i].at < at)
    return beat < f->beats.count && f->beats.all[beat].at == at ? beat : f->beats.count;
}

/* Up to where nothing but phases happens, and no step is shortened. */
static hk_tick alike_until(const hk_sim *sim, hk_tick end) {
    hk_tick until = *sim->rows.next < end ? *sim->rows.next : end;
    until = sim->listening.hook_next < until ? sim->listening.hook_next : until;
    for (size_t r = 0; r < sim->loop.rate_count; r++)
        until = sim->time.stop - sim->loop.rates[r].period < until
                    ? sim->time.stop - sim->loop.rates[r].period
                    : until;
    return until;
}

static void move_rates(hk_sim *sim, hk_tick t) {
    for (size_t r = 0; r < sim->loop.rate_count; r++) {
        if (sim->loop.rates[r].idle) {
            hk_idle_pass(sim, r, t);
            continue;
        }
        hk_tick period = sim->loop.rates[r].period;
        hk_tick count =
            t <= sim->loop.rate_next[r] ? 0 : (t - sim->loop.rate_next[r] + period - 1) / period;
        sim->loop.rate_next[r] += count * period;
        sim->loop.rates[r].runs += (uint64_t)count;
    }
}

bool hk_fused_burst(hk_sim *sim, hk_tick end) {
    struct hk_fused_state *f = sim->fused;
    hk_tick t = *sim->time.clock, next = HK_TICK_NEVER;
    for (size_t r = 0; r < sim->loop.rate_count; r++)
        next = sim->loop.rate_next[r] < next ? sim->loop.rate_next[r] : next;
    bool may = f->beats.all && !sim->threads.team && !sim->rows.watch_count &&
               !(sim->options.real_time > 0) && !sim->changes.waiting_writes && t == next &&
               t >= f->beats.first;
    burst b = {.t = t, .until = may ? alike_until(sim, end) : t, .behaves = true};
    b.left = (sim->profile.until_sample < sim->profile.until_poll ? sim->profile.until_sample
                                                                  : sim->profile.until_poll) -
             1;
    if (b.t >= b.until || !b.left)
        return true;
    b.beat = find_beat(f, t);
    HK_ASSERT(b.beat < f->beats.count);
    b.base = t - f->beats.all[b.beat].at;
    size_t before = b.left;
    sim->threads.self.made_count = 0;
    bool alone = f->beats.count == 1 && is_alone(&f->sets[0]); /* always alike */
    bool good = alone ? play_alone(sim, f, &f->sets[0], b.left, &b) : play_burst(sim, f, &b);
    size_t count = before - b.left;
    move_rates(sim, b.t);
    *sim->time.clock = b.t < *sim->rows.next ? b.t : *sim->rows.next;
    sim->profile.until_sample -= (unsigned)count;
    sim->profile.until_poll -= (unsigned)count;
    sim->profile.instants += count;
    f->runs += b.runs;
    if (UNLIKELY(!b.behaves))
        hk_report_fpenv(sim, NULL); /* the next instant is a sample, and finds who it is */
    return good;
}

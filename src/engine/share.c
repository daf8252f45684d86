/* SPDX-License-Identifier: MIT
 *
 * Threads. The components of a phase do not see each other, so they may run at the same time, and
 * the result is the same to the last bit no matter who runs which; what a schedule puts on one
 * logical processor stays together. A phase is done in two rounds: all copies and sets, then all
 * steps and gets; between the two everybody has read what the others are about to overwrite. What
 * comes from other nodes is waited for before the first, and what goes there is sent after the
 * second, both by the thread that runs the simulation.
 *
 * Whether that pays is decided once, from the times of the first sampled instants. */
#include "engine/bind_stages.h"
#include "engine/failures.h"
#include "engine/monitor.h"
#include "engine/phase.h"
#include "engine/remains.h"
#include "engine/team.h"
#include "engine/tokens.h"
#include "engine/trace.h"

#include "base/fpenv.h"

#include <stdlib.h>

enum {
    ROUNDS_NS = 4000, /* what two rounds of handing over cost, on a quiet machine */
    GAIN_PERCENT = 15 /* less than that is not worth a thread */
};

/* What one thread does as a whole: the components of a logical processor, those that call each
 * other, or one that is neither; and what that costs per activation. */
typedef struct piece {
    uint32_t first; /* of the members of the cell that belong to it */
    double ns;
    unsigned thread;
    bool pinned; /* these call each other: the first thread runs them, in every cell */
} piece;

static int by_cost(const void *a, const void *b) {
    const piece *x = a;
    const piece *y = b;
    if (x->ns != y->ns)
        return x->ns > y->ns ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

static int by_place(const void *a, const void *b) {
    const piece *x = a;
    const piece *y = b;
    return x->first < y->first ? -1 : x->first > y->first;
}

static unsigned least_loaded(const double *loads, unsigned threads) {
    unsigned least = 0;
    for (unsigned t = 1; t < threads; t++)
        if (loads[t] < loads[least])
            least = t;
    return least;
}

/* The pieces of a cell; PIECE_OF says to which each member belongs. */
static size_t measure(const hk_sim *sim, const hk_cell *c, piece *pieces, size_t *piece_of) {
    const size_t callers = sim->model->processor_count, alone = callers + 1;
    size_t *of_group = hk_alloc(alone * sizeof *of_group);
    size_t count = 0; /* of_group is one more than the piece; 0: there is none yet */
    for (uint32_t m = 0; m < c->member_count; m++) {
        uint32_t processor = sim->model->components[c->members[m]].processor;
        bool calls = sim->changes.calls[c->members[m]];
        size_t group = calls ? callers : processor != HK_MAP_NONE ? processor : alone;
        const hk_profile_tally *t = &sim->profile.tallies[c->members[m]];
        double ns = t->steps ? (t->get_ns + t->set_ns + t->step_ns) / (double)t->steps : 0;
        bool known = group != alone && of_group[group];
        size_t p = known ? of_group[group] - 1 : count++;
        if (!known)
            pieces[p] = (piece){.first = m, .pinned = calls};
        if (group != alone)
            of_group[group] = p + 1;
        pieces[p].ns += ns > 1 ? ns : 1;
        piece_of[m] = p;
    }
    hk_free(of_group);
    return count;
}

/* Gives the pieces to threads, the most expensive first to the one who has least to do. True if
 * that pays. */
static bool deal_out(const hk_sim *sim, piece *pieces, size_t count) {
    unsigned threads = sim->options.threads;
    double *loads = hk_alloc(threads * sizeof *loads);
    double total = 0, most = 0;
    qsort(pieces, count, sizeof *pieces, by_cost);
    for (size_t p = 0; p < count; p++) {
        pieces[p].thread = pieces[p].pinned ? 0 : least_loaded(loads, threads);
        loads[pieces[p].thread] += pieces[p].ns;
    }
    qsort(pieces, count, sizeof *pieces, by_place);
    for (unsigned t = 0; t < threads; t++) {
        total += loads[t];
        most = loads[t] > most ? loads[t] : most;
    }
    hk_free(loads);
    bool pays = total - most - ROUNDS_NS > total * GAIN_PERCENT / 100;
    return count > 1 && (pays || sim->options.threads_always);
}

/* True if a cell is to be shared; SHARES then hold who does what. */
static bool share_cell(hk_sim *sim, const hk_cell *c, hk_cell *shares) {
    piece *pieces = hk_alloc(c->member_count * sizeof *pieces);
    size_t *piece_of = hk_alloc(c->member_count * sizeof *piece_of);
    size_t count = measure(sim, c, pieces, piece_of);
    bool shared = deal_out(sim, pieces, count);
    for (unsigned t = 0; t < sim->options.threads && shared; t++) {
        uint32_t *members = HK_NEW_ARRAY(sim->arena, uint32_t, c->member_count);
        shares[t] = (hk_cell){.level = c->level, .rate = c->rate, .members = members};
        shares[t].last = HK_NEW(sim->arena, hk_tick);
        for (uint32_t m = 0; m < c->member_count; m++)
            if (pieces[piece_of[m]].thread == t)
                members[shares[t].member_count++] = c->members[m];
    }
    hk_free(piece_of);
    hk_free(pieces);
    return shared;
}

static void begin_thread(void *user, unsigned number) {
    hk_sim *sim = user;
    sim->threads.lanes[number].sim = sim;
    (void)hk_lane_enter(&sim->threads.lanes[number]); /* for as long as the thread lives */
    hk_fpenv_pin();
}

void hk_share_decide(hk_sim *sim) {
    HK_ASSERT(sim);
    unsigned threads = sim->options.threads;
    sim->threads.shares_decided = true;
    sim->threads.shares = HK_NEW_ARRAY(sim->arena, hk_cell, sim->loop.cell_count * threads);
    size_t count = 0;
    for (size_t i = 0; i < sim->loop.cell_count; i++)
        if (share_cell(sim, &sim->loop.cells[i], &sim->threads.shares[count])) {
            sim->loop.cells[i].shares = &sim->threads.shares[count];
            count += threads;
        }
    if (!count)
        return;
    if (hk_wiring_share(sim, sim->threads.shares, count) == HK_OK) {
        sim->threads.lanes = hk_remains_lanes(sim, threads);
        if (!sim->threads.lanes)
            sim->threads.lanes = HK_NEW_ARRAY(sim->arena, hk_lane, threads);
        for (unsigned t = 1; t < threads; t++)
            hk_monitor_lane(sim, &sim->threads.lanes[t]);
        sim->threads.team = hk_team_create(threads, begin_thread, sim);
    }
    if (!sim->threads.team || hk_team_size(sim->threads.team) < threads)
        hk_share_end(sim); /* the system gives no more threads: one does it all */
    hk_relink(sim);        /* the shares have everybody: not who is stopped, nor who has shifted */
}

void hk_share_end(hk_sim *sim) {
    HK_ASSERT(sim);
    hk_team_destroy(sim->threads.team);
    sim->threads.team = NULL;
    for (size_t i = 0; i < sim->loop.cell_count; i++)
        sim->loop.cells[i].shares = NULL;
}

typedef struct phase {
    hk_sim *sim;
    const hk_cell *const *cells;
    size_t count;
} phase;

static hk_lane *lane_of(hk_sim *sim, unsigned member) {
    return member ? &sim->threads.lanes[member] : &sim->threads.self;
}

/* What a member does of a cell; what is not shared is done by the first. */
static const hk_cell *share_of(const hk_cell *c, unsigned member) {
    return c->shares ? &c->shares[member] : member ? NULL : c;
}

ALWAYS_INLINE void set_share(const phase *p, unsigned member, unsigned mode) {
    hk_lane *l = lane_of(p->sim, member);
    l->failed = false;
    l->made_count = 0;
    for (size_t i = 0; i < p->count && !l->failed; i++) {
        const hk_cell *c = share_of(p->cells[i], member);
        uint64_t copies = 0;
        l->failed = c && (!copy_all(p->sim, l, c, mode, &copies) ||
                          !set_all(p->sim, l, c, mode, copies, c->watch.seen));
    }
    hk_at(l, NULL);
}

ALWAYS_INLINE void step_share(const phase *p, unsigned member, unsigned mode) {
    hk_lane *l = lane_of(p->sim, member);
    SEAM(shared_sets_end, p->sim, l, p, member, mode);
    for (size_t i = 0; i < p->count && !l->failed; i++) {
        const hk_cell *c = share_of(p->cells[i], member);
        l->failed = c && !step_all(p->sim, l, c, mode, c->watch.seen);
    }
    for (size_t i = 0; i < p->count && !l->failed; i++) {
        const hk_cell *c = share_of(p->cells[i], member);
        l->failed = c && !publish(p->sim, l, c, mode, c->watch.seen);
    }
    l->misbehaved = !hk_fpenv_behaves();
    hk_at(l, NULL);
}

static void set_fast(void *user, unsigned member) {
    set_share(user, member, 0);
}

static void set_monitored(void *user, unsigned member) {
    set_share(user, member, MONITORED);
}

static void set_traced(void *user, unsigned member) {
    set_share(user, member, MONITORED | LOGGED);
}

static void step_fast(void *user, unsigned member) {
    step_share(user, member, 0);
}

static void step_monitored(void *user, unsigned member) {
    step_share(user, member, MONITORED);
}

static void step_traced(void *user, unsigned member) {
    step_share(user, member, MONITORED | LOGGED);
}

static bool any_failed(hk_sim *sim) {
    for (unsigned m = 0; m < sim->options.threads; m++)
        if (lane_of(sim, m)->failed)
            return true;
    return false;
}

/* All shares of a cell are done: each has seen what it must, and the rate goes on from there. */
static bool join_shares(hk_sim *sim, const hk_cell *c) {
    for (unsigned m = 0; m < sim->options.threads; m++) {
        const hk_cell_watch *w = &c->shares[m].watch;
        uint64_t seen = *w->seen;
        *w->seen = 0;
        if (seen != w->must[CALL_GET] &&
            !hk_monitor_sum(sim, lane_of(sim, m), &c->shares[m], CALL_GET, seen))
            return false;
    }
    const hk_cell_watch *w = &c->watch;
    if (*w->seen != w->before && !hk_monitor_sum(sim, &sim->threads.self, c, CALL_SET, *w->seen))
        return false;
    *w->seen = w->after;
    if (w->advance < 0)
        hk_monitor_pass(sim, c);
    else
        hk_set_due(sim, w->due, w->due->tick + w->advance);
    return true;
}

/* What the cells are to see from other nodes is there; what they have published goes to them. */
static bool meet_nodes(hk_sim *sim, const hk_cell *const *cells, size_t count, bool before) {
    bool good = true;
    for (size_t i = 0; i < count && good; i++)
        good = before ? hk_gates_open(sim, cells[i]->gates, cells[i]->gates_end)
                      : !cells[i]->sends || hk_part_publish(sim, cells[i]);
    return good;
}

/* Both rounds; false: something has failed. */
static bool run_rounds(phase *p, hk_team_fn *const rounds[2]) {
    hk_sim *sim = p->sim;
    if (sim->part && !meet_nodes(sim, p->cells, p->count, true))
        return false;
    sim->threads.sharing = true;
    hk_team_run(sim->threads.team, rounds[0], p);
    bool good = !any_failed(sim);
    if (good)
        hk_team_run(sim->threads.team, rounds[1], p);
    sim->threads.sharing = false;
    return good;
}

bool hk_share_phase(hk_sim *sim, const hk_cell *const *cells, size_t count, unsigned mode) {
    static hk_team_fn *const rounds[][2] = {[0] = {set_fast, step_fast},
                                            [MONITORED] = {set_monitored, step_monitored},
                                            [MONITORED | LOGGED] = {set_traced, step_traced}};
    phase p = {sim, cells, count};
    if (!run_rounds(&p, rounds[mode]))
        return false;
    for (size_t i = 0; i < count; i++)
        *cells[i]->last = sim->time.now;
    if (mode & LOGGED && sim->trace)
        hk_trace_phase(sim);
    bool misbehaved = false;
    for (unsigned m = 0; m < sim->options.threads; m++)
        misbehaved = misbehaved || lane_of(sim, m)->misbehaved;
    bool joined = !any_failed(sim);
    for (size_t i = 0; i < count && joined && mode & MONITORED; i++)
        joined = !cells[i]->shares || join_shares(sim, cells[i]);
    joined = joined && (!sim->part || meet_nodes(sim, cells, count, false));
    if (misbehaved) {
        /* One thread looks after every call from now on; the others are sent home. */
        hk_report_fpenv(sim, NULL);
        hk_share_end(sim);
    }
    return joined;
}

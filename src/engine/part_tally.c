/* SPDX-License-Identifier: MIT
 *
 * What a part counts, by when it was done. A part may go on beyond the end of a run that a
 * component has ended, and that end is known elsewhere, later: so a sum would hold what a run on
 * one node never does. Activations that are alike are one entry, so that a run of a million steps
 * has a few of them. */
#include "engine/monitor_internal.h"

static void put(hk_part_state *p, const hk_tally *t) {
    hk_buffer_put(&p->tallies, t, sizeof *t);
}

/* The call list of the monitor is about to change: what was due until now. */
void hk_tally_calls(hk_sim *sim) {
    HK_ASSERT(sim && sim->part);
    hk_part_state *p = sim->part;
    for (uint32_t r = 0; r < sim->loop.rate_count; r++) {
        const hk_rate_watch *rate = &sim->monitor->rates[r];
        uint64_t runs = sim->loop.rates[r].runs;
        if (runs > rate->runs && rate->calls)
            put(p, &(hk_tally){HK_TALLY_CALLS, r, 0, (hk_tick)rate->runs, (hk_tick)runs,
                               rate->calls, 0});
    }
    for (size_t i = 0; i < sim->loop.cell_count; i++) {
        const hk_cell *c = &sim->loop.cells[i];
        if (c->watch.row_calls && sim->time.now > p->armed)
            put(p, &(hk_tally){HK_TALLY_ROWS, c->rate, c->level, p->armed, sim->time.now,
                               c->watch.row_calls, 0});
    }
    p->armed = sim->time.now;
}

void hk_tally_values(hk_sim *sim, const hk_cell *c, uint64_t values, uint64_t unvalued) {
    HK_ASSERT(sim && sim->part && c);
    hk_part_state *p = sim->part;
    hk_tally now = {HK_TALLY_VALUES,   c->rate, c->level, sim->time.now,
                    sim->time.now + 1, values,  unvalued};
    size_t i = 0;
    if (!p->open)
        p->open = HK_NEW_ARRAY(sim->arena, hk_tally, sim->loop.cell_count + 1);
    while (i < sim->loop.cell_count &&
           (sim->loop.cells[i].rate != c->rate || sim->loop.cells[i].level != c->level))
        i++;
    hk_tally *open = &p->open[i];
    if (open->to > open->from && open->done == values && open->left_out == unvalued) {
        open->to = now.to;
        return;
    }
    if (open->done || open->left_out)
        put(p, open);
    *open = now;
}

void hk_tallies_put(hk_sim *sim, hk_buffer *to) {
    HK_ASSERT(sim && sim->part && to);
    hk_part_state *p = sim->part;
    hk_tally_calls(sim);
    for (size_t i = 0; p->open && i < sim->loop.cell_count; i++)
        if (p->open[i].done || p->open[i].left_out)
            put(p, &p->open[i]);
    p->open = NULL;
    size_t count = p->tallies.size / sizeof(hk_tally);
    hk_buffer_u64(to, count);
    for (size_t i = 0; i < count; i++) {
        hk_tally t;
        memcpy(&t, p->tallies.data + i * sizeof t, sizeof t);
        hk_buffer_u64(to, t.kind);
        hk_buffer_u64(to, t.rate);
        hk_buffer_u64(to, t.level);
        hk_buffer_u64(to, (uint64_t)t.from);
        hk_buffer_u64(to, (uint64_t)t.to);
        hk_buffer_u64(to, t.done);
        hk_buffer_u64(to, t.left_out);
    }
}

/* ---- for the one that records ---- */

/* Values are looked at before the steps of their phase, what rows show is got after them. */
static bool is_before_end(const hk_sim *sim, const hk_tally *t, hk_tick at) {
    const hk_moment end = hk_sim_end_moment(sim);
    bool in_phase = t->kind == HK_TALLY_VALUES && sim->end.ender != HK_MAP_NONE;
    return at < end.tick ||
           (at == end.tick && (t->level < end.level || (in_phase && t->level == end.level)));
}

/* Activations of the entry before the end of the run: of rows, those that a row shows. */
static uint64_t count_before_end(const hk_sim *sim, const hk_tally *t) {
    const hk_plan *plan = sim->plan;
    const hk_rate *rate = &plan->rates[t->rate];
    uint64_t count = 0;
    hk_tick at = hk_rate_first_from(plan, rate, t->from);
    while (at < t->to && is_before_end(sim, t, at)) {
        hk_tick done = at + rate->period;
        count += t->kind == HK_TALLY_VALUES || done >= plan->stop ||
                 (done - plan->start) % sim->rows.interval == 0;
        at = hk_rate_first_from(plan, rate, done);
    }
    return count;
}

static void take(hk_sim *sim, const hk_tally *t, hk_soundness *sum) {
    uint64_t here = sim->loop.rates[t->rate].runs, from = (uint64_t)t->from, to = (uint64_t)t->to;
    if (t->kind == HK_TALLY_CALLS) { /* as often as the rate was due here */
        to = to < here ? to : here;
        sum->calls += to > from ? (to - from) * t->done : 0;
        return;
    }
    if (!sim->end.ended)
        return;
    uint64_t count = count_before_end(sim, t);
    if (t->kind == HK_TALLY_ROWS) {
        sum->calls += count * t->done;
        return;
    }
    sum->values += count * t->done;
    sum->unvalued += count * t->left_out;
}

void hk_tallies_take(hk_sim *sim, hk_buffer_source *from, hk_soundness *sum) {
    HK_ASSERT(sim && sim->part && from && sum);
    uint64_t count = hk_source_u64(from);
    for (uint64_t i = 0; from->good && i < count; i++) {
        uint64_t kind = hk_source_u64(from), rate = hk_source_u64(from);
        hk_tally t = {.kind = (hk_tally_kind)kind, .rate = (uint32_t)rate};
        t.level = (uint32_t)hk_source_u64(from);
        t.from = (hk_tick)hk_source_u64(from);
        t.to = (hk_tick)hk_source_u64(from);
        t.done = hk_source_u64(from);
        t.left_out = hk_source_u64(from);
        from->good = from->good && kind <= HK_TALLY_VALUES && rate < sim->plan->rate_count &&
                     sim->rows.interval > 0;
        if (from->good)
            take(sim, &t, sum);
    }
}

/* SPDX-License-Identifier: MIT
 *
 * What a part of a simulation has done, for the one that records: calls that were checked, times,
 * libraries, coverage. Added up there, it is what a simulation of all components would say of
 * itself. */
#include "engine/monitor_internal.h"

static void put_covered(const hk_sim *sim, uint32_t component, hk_buffer *to) {
    const hk_info *info = sim->model->components[component].info;
    const uint64_t *counts = info->covered_count ? hk_sim_covered(sim, component) : NULL;
    hk_buffer_u64(to, counts ? info->covered_count : 0);
    for (size_t i = 0; counts && i < info->covered_count; i++)
        hk_buffer_u64(to, counts[i]);
}

static void take_covered(hk_sim *sim, uint32_t component, hk_buffer_source *from) {
    uint64_t count = hk_source_u64(from);
    from->good =
        from->good && (!count || count == sim->model->components[component].info->covered_count);
    if (!from->good || !count)
        return;
    uint64_t *counts = HK_NEW_ARRAY(sim->arena, uint64_t, count);
    for (uint64_t i = 0; i < count; i++)
        counts[i] = hk_source_u64(from);
    sim->part->covered[component] = counts;
}

/* What rows alone want to see of the cells here, in an activation that a row shows. */
static void put_row_calls(const hk_sim *sim, hk_buffer *to) {
    hk_buffer_u64(to, atomic_load(&sim->monitor->row_calls));
    for (size_t i = 0; i < sim->loop.cell_count; i++) {
        const hk_cell *c = &sim->loop.cells[i];
        if (!c->watch.row_calls)
            continue;
        hk_buffer_u64(to, c->rate);
        hk_buffer_u64(to, c->level);
        hk_buffer_u64(to, c->watch.row_calls);
    }
    hk_buffer_u64(to, HK_MAP_NONE);
}

/* In the order in which it is read. */
void hk_sim_account(hk_sim *sim, hk_buffer *to) {
    HK_ASSERT(sim && sim->part && to);
    const hk_profile *profile = hk_sim_profile(sim);
    const hk_soundness *sound = &sim->monitor->so_far;
    hk_buffer_u64(to, sound->calls);
    hk_buffer_u64(to, sound->phases);
    hk_buffer_u64(to, sound->values);
    hk_buffer_u64(to, sound->unvalued);
    for (size_t r = 0; r < sim->loop.rate_count; r++) {
        hk_buffer_u64(to, sim->monitor->rates[r].runs);
        hk_buffer_u64(to, sim->loop.rates[r].runs);
        hk_buffer_u64(to, sim->monitor->rates[r].calls);
    }
    put_row_calls(sim, to);
    for (uint32_t c = 0; c < sim->model->component_count; c++) {
        if (hk_is_away(sim->part, c))
            continue;
        const hk_profile_tally *t = &sim->profile.tallies[c];
        hk_buffer_u64(to, c);
        hk_buffer_f64(to, t->get_ns);
        hk_buffer_f64(to, t->set_ns);
        hk_buffer_f64(to, t->step_ns);
        hk_buffer_u64(to, t->steps);
        hk_buffer_u64(to, t->overran);
        hk_buffer_text(to, hk_sim_library(sim, c));
        put_covered(sim, c, to);
    }
    hk_buffer_u64(to, HK_MAP_NONE);
    double busy = profile->copy_s;
    for (size_t i = 0; i < profile->row_count; i++)
        busy += profile->rows[i].get_s + profile->rows[i].set_s + profile->rows[i].step_s;
    hk_buffer_f64(to, profile->copy_s);
    hk_buffer_f64(to, busy);
    hk_buffer_f64(to, profile->total_s);
    hk_buffer_f64(to, hk_sim_worst_late(sim));
    hk_buffer_u64(to, sim->part->waits);
    hk_buffer_u64(to, hk_sim_threads(sim));
}

/* Activations of a cell before the end of the run that a row shows. */
static uint64_t count_shown(const hk_sim *sim, const hk_rate *rate, uint64_t level) {
    const hk_plan *plan = sim->plan;
    const hk_moment end = hk_sim_end_moment(sim);
    uint64_t shown = 0;
    for (hk_tick t = plan->start + rate->offset;; t += rate->period) {
        t = rate->pattern ? hk_pattern_next(rate->pattern, t) : t;
        if (t > end.tick || (t == end.tick && level >= end.level))
            return shown;
        hk_tick done = t + rate->period;
        shown += done >= plan->stop || (done - plan->start) % sim->rows.interval == 0;
    }
}

/* A part may have gone on beyond the end of a run that has ended by itself. Where calls have
 * changed on the way, those of an activation beyond the end are not known: then what was done
 * counts. */
static void take_row_calls(hk_sim *sim, hk_buffer_source *from, bool changed) {
    uint64_t done = hk_source_u64(from), before_end = 0;
    for (uint64_t r = hk_source_u64(from); from->good && r != HK_MAP_NONE;
         r = hk_source_u64(from)) {
        uint64_t level = hk_source_u64(from), calls = hk_source_u64(from);
        from->good = from->good && r < sim->plan->rate_count && sim->rows.interval > 0;
        if (from->good && sim->end.ended && !changed)
            before_end += calls * count_shown(sim, &sim->plan->rates[r], level);
    }
    sim->part->others.calls += sim->end.ended && !changed ? before_end : done;
}

/* A part may have gone on beyond the end of the run: calls count as often as the rate was due here.
 */
static void take_sound(hk_sim *sim, hk_buffer_source *from) {
    hk_soundness *sum = &sim->part->others;
    bool changed = sim->part->loaded; /* it has not begun at the start */
    sum->calls += hk_source_u64(from);
    sum->phases += hk_source_u64(from);
    sum->values += hk_source_u64(from);
    sum->unvalued += hk_source_u64(from);
    for (size_t r = 0; r < sim->loop.rate_count; r++) {
        uint64_t armed = hk_source_u64(from), there = hk_source_u64(from);
        uint64_t here = sim->loop.rates[r].runs, runs = here < there ? here : there;
        sum->calls += (runs > armed ? runs - armed : 0) * hk_source_u64(from);
        changed = changed || armed > 0;
    }
    take_row_calls(sim, from, changed);
}

static void take_component(hk_sim *sim, uint32_t component, hk_buffer_source *from) {
    hk_profile_tally *t = &sim->profile.tallies[component];
    t->get_ns = hk_source_f64(from);
    t->set_ns = hk_source_f64(from);
    t->step_ns = hk_source_f64(from);
    t->steps = hk_source_u64(from);
    t->overran = hk_source_u64(from);
    const char *library = hk_source_text(from);
    sim->part->libraries[component] = library ? hk_arena_strdup(sim->arena, library) : NULL;
    take_covered(sim, component, from);
}

bool hk_sim_take_account(hk_sim *sim, hk_buffer_source *from, hk_part_account *ret_account) {
    HK_ASSERT(sim && sim->part && from && ret_account);
    take_sound(sim, from);
    for (uint64_t c = hk_source_u64(from); from->good && c != HK_MAP_NONE;
         c = hk_source_u64(from)) {
        from->good = c < sim->model->component_count;
        if (from->good)
            take_component(sim, (uint32_t)c, from);
    }
    sim->part->copy_s += hk_source_f64(from);
    *ret_account = (hk_part_account){.busy_s = hk_source_f64(from)};
    ret_account->total_s = hk_source_f64(from);
    ret_account->late_s = hk_source_f64(from);
    ret_account->waits = hk_source_u64(from);
    ret_account->threads = (unsigned)hk_source_u64(from);
    if (ret_account->late_s > sim->profile.worst_late_s)
        sim->profile.worst_late_s = ret_account->late_s;
    return from->good;
}

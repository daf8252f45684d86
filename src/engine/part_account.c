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

/* In the order in which it is read. */
void hk_sim_account(hk_sim *sim, hk_buffer *to) {
    HK_ASSERT(sim && sim->part && to);
    const hk_profile *profile = hk_sim_profile(sim);
    const hk_soundness *sound = &sim->monitor->so_far;
    hk_buffer_u64(to, sound->calls);
    hk_buffer_u64(to, sound->phases);
    hk_buffer_u64(to, sound->values);
    hk_buffer_u64(to, sound->unvalued);
    hk_buffer_u64(to, atomic_load(&sim->monitor->row_calls));
    hk_tallies_put(sim, to);
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

/* A part may have gone on beyond the end of a run that has ended by itself: then what it has done
 * before is counted by its entries, and not by its sums. */
static void take_sound(hk_sim *sim, hk_buffer_source *from) {
    hk_soundness *sum = &sim->part->others;
    const bool whole = !sim->end.ended;
    sum->calls += hk_source_u64(from);
    sum->phases += hk_source_u64(from);
    uint64_t values = hk_source_u64(from), unvalued = hk_source_u64(from);
    uint64_t row_calls = hk_source_u64(from);
    sum->values += whole ? values : 0;
    sum->unvalued += whole ? unvalued : 0;
    sum->calls += whole ? row_calls : 0;
    hk_tallies_take(sim, from, sum);
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

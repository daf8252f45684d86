/* SPDX-License-Identifier: MIT
 *
 * What a scenario has changed, in a state in memory: who is bound and so which order is in use,
 * faults, and what listeners keep. Who is stopped lies in the block. */
#include "engine/bind_stages.h"
#include "engine/snapshot.h"
#include "engine/trouble.h"

#include <string.h>

/* ---- faults ---- */

static hk_trouble *copy_trouble(const hk_sim *sim, uint32_t connection, const hk_trouble *x) {
    size_t size =
        hk_store_size(hk_trouble_source(sim, &sim->model->connections[connection])->store);
    hk_trouble *to = hk_alloc(sizeof *to);
    *to = *x;
    to->elements = hk_alloc((x->count + 1) * sizeof *to->elements);
    to->held = hk_alloc((x->count + 1) * size);
    memcpy(to->elements, x->elements, x->count * sizeof *to->elements);
    memcpy(to->held, x->held, x->count * size);
    return to;
}

static hk_trouble **copy_troubles(const hk_sim *sim, hk_trouble *const *troubles) {
    if (!troubles)
        return NULL;
    size_t n = sim->model->connection_count;
    hk_trouble **to = hk_alloc((n + 1) * sizeof *to);
    for (uint32_t i = 0; i < n; i++)
        to[i] = troubles[i] ? copy_trouble(sim, i, troubles[i]) : NULL;
    return to;
}

/* ---- all of it ---- */

void hk_changed_save(const hk_sim *sim, hk_changed *to) {
    HK_ASSERT(sim && to);
    size_t requirements = sim->model->requirement_count, n = sim->model->component_count;
    to->providers = hk_alloc((requirements + 1) * sizeof *to->providers);
    to->gaps = hk_alloc((n + 1) * sizeof *to->gaps);
    for (size_t i = 0; i < requirements; i++)
        to->providers[i] = hk_services_bound(sim, i);
    for (size_t c = 0; c < n; c++)
        to->gaps[c] = sim->slots.instances[c].past.gaps;
    to->troubles = copy_troubles(sim, sim->changes.troubles);
    to->order = sim->changes.order;
}

/* Steps are counted over all that this process has run. */
static void count_steps(hk_sim *sim, const hk_snapshot *snapshot) {
    const bool *active =
        (const bool *)(snapshot->block + ((char *)sim->changes.active - sim->memory.block));
    for (size_t c = 0; c < sim->model->component_count; c++) {
        hk_profile_tally *t = &sim->profile.tallies[c];
        uint64_t runs = sim->loop.rates[sim->plan->components[c].rate].runs;
        if (sim->changes.active[c] && !active[c])
            t->runs_at_stop = runs;
        else if (!sim->changes.active[c] && active[c])
            t->missed += runs - t->runs_at_stop;
    }
}

hk_status hk_changed_restore(hk_sim *sim, const hk_snapshot *snapshot) {
    HK_ASSERT(sim && snapshot);
    const hk_changed *from = &snapshot->changed;
    count_steps(sim, snapshot);
    for (size_t i = 0; i < sim->model->requirement_count; i++)
        hk_services_put_back(sim, i, from->providers[i]);
    hk_troubles_finish(sim);
    sim->changes.troubles = copy_troubles(sim, from->troubles);
    for (size_t c = 0; c < sim->model->component_count; c++)
        sim->slots.instances[c].past.gaps = from->gaps[c];
    sim->status = HK_OK; /* what has failed is over */
    return hk_order_choose(sim);
}

void hk_changed_free(const hk_sim *sim, hk_changed *changed) {
    HK_ASSERT(sim && changed);
    for (size_t i = 0; changed->troubles && i < sim->model->connection_count; i++)
        hk_trouble_free(changed->troubles[i]);
    hk_free(changed->troubles);
    hk_free(changed->providers);
    hk_free(changed->gaps);
    *changed = (hk_changed){0};
}

/* ---- what listeners keep ---- */

hk_status hk_kept_save(hk_sim *sim, hk_snapshot *snapshot) {
    HK_ASSERT(sim && snapshot);
    for (size_t i = 0; i < sim->listening.count; i++) {
        const hk_keeper *k = &sim->listening.all[i].keeper;
        snapshot->kept[i].size = 0;
        if (k->name)
            HK_TRY(k->save(k->user, &snapshot->kept[i]));
    }
    return HK_OK;
}

hk_status hk_kept_restore(hk_sim *sim, const hk_snapshot *snapshot) {
    HK_ASSERT(sim && snapshot);
    for (size_t i = 0; i < sim->listening.count; i++) {
        const hk_listener *l = &sim->listening.all[i];
        if (!l->keeper.name)
            continue;
        hk_status status = l->keeper.load(l->keeper.user, snapshot->path, snapshot->kept[i].data,
                                          snapshot->kept[i].size);
        if (status != HK_OK)
            return sim->status = status;
        if (l->hook.call)
            sim->listening.hook_ticks[i] = sim->listening.hook_next = *sim->time.clock;
    }
    return HK_OK;
}

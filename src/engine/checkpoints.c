/* SPDX-License-Identifier: MIT
 *
 * States that a run leaves on its way, between two instants. */
#include "engine/sim_parts.h"

/* The first of them behind what the run has done. */
static hk_tick first_after(const hk_sim *sim, hk_tick every) {
    hk_tick since = *sim->time.clock - sim->plan->start;
    return sim->plan->start + (since / every + 1) * every;
}

void hk_checkpoint_count(const hk_checkpoints *checkpoints, const hk_sim *sim) {
    HK_ASSERT(checkpoints && sim);
    if (!checkpoints->left)
        return;
    checkpoints->left->count++;
    checkpoints->left->last_s = hk_tick_seconds(*sim->time.clock, sim->time.ticks_per_second);
}

static hk_status write_state(hk_sim *sim, const hk_checkpoints *checkpoints) {
    if (checkpoints->write)
        return checkpoints->write(checkpoints->write_user, sim);
    if (checkpoints->before)
        checkpoints->before(checkpoints->user);
    HK_TRY(hk_sim_save_file(sim, checkpoints->path));
    hk_checkpoint_count(checkpoints, sim);
    return HK_OK;
}

/* Said by who writes them: nodes keep parts of them. */
static hk_status run_without(hk_sim *sim, const hk_checkpoints *checkpoints) {
    if (checkpoints->path)
        hk_note(sim->ctx, HK_NOWHERE,
                "--checkpoint: no state is due before the end of the run; '%s' is not written",
                checkpoints->path);
    return hk_sim_run(sim);
}

hk_status hk_sim_run_saving(hk_sim *sim, const hk_checkpoints *checkpoints) {
    HK_ASSERT(sim && checkpoints);
    hk_tick every = 0;
    if (!checkpoints->path && !checkpoints->write)
        return hk_sim_run(sim);
    if (!hk_tick_from_ratio_up(checkpoints->every, sim->time.ticks_per_second, &every) ||
        every > sim->plan->stop - sim->plan->start)
        return run_without(sim, checkpoints);
    HK_ASSERT(every > 0);
    if (first_after(sim, every) >= sim->plan->stop)
        return run_without(sim, checkpoints);
    for (hk_tick next = first_after(sim, every); next < sim->plan->stop; next += every) {
        HK_TRY(hk_sim_run_until(sim, next));
        if (sim->end.ended || *sim->time.clock >= sim->plan->stop)
            break;
        if (*sim->time.clock < next + every) /* else nothing happens until the next of them */
            HK_TRY(write_state(sim, checkpoints));
    }
    return hk_sim_run(sim);
}

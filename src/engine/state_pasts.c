/* SPDX-License-Identifier: MIT
 *
 * A state is loaded that does not hold the past of all outputs: what stands in for it. */
#include "engine/snapshot.h"

#include "base/number.h"

#include <string.h>

static void warn_of_rows(hk_sim *sim, const hk_sim_instance *inst, const hk_engine_port *p) {
    char time[HK_NUMBER_MAX + 1];
    hk_tick end = *inst->last + sim->plan->components[p->component].period;
    if (*inst->last == TICK_INITIAL || *sim->rows.next >= end)
        return;
    time[hk_write_f64(hk_tick_seconds(end, sim->plan->ticks_per_second), time)] = '\0';
    hk_warn(
        sim->ctx, HK_E_STATE_FILE, (hk_where){.element = inst->unit->name},
        "record it in the run that saves the state, too",
        "rows before t = %s s show '%s.%s' as it is at the end of the step under way: the state "
        "does not hold the value before",
        time, inst->unit->name, inst->unit->info->variables[p->variable].name);
}

void hk_snapshot_fill_pasts(hk_sim *sim, const hk_snapshot *snapshot) {
    HK_ASSERT(sim && snapshot);
    for (size_t i = 0; i < sim->slots.port_count; i++) {
        const hk_engine_port *p = &sim->slots.ports[i];
        if (!snapshot->lacking[i])
            continue;
        const hk_sim_instance *inst = &sim->slots.instances[p->component];
        const hk_history *past = &inst->past;
        const hk_variable *v = &inst->unit->info->variables[p->variable];
        uint32_t text = past->blob + p->frame_blob;
        for (uint32_t f = 0; f < past->frames; f++, text += past->blobs_per_frame) {
            char *frame = past->data + f * past->frame_size + p->frame_offset;
            memcpy(frame, p->address, p->bytes);
            for (size_t e = 0; v->store == HK_STORE_BYTES && e < v->count; e++) {
                hk_bytes *value = (hk_bytes *)(void *)frame + e;
                hk_blob_assign(&sim->memory.blobs[text + e], *value);
                *value =
                    (hk_bytes){sim->memory.blobs[text + e].data, sim->memory.blobs[text + e].size};
            }
        }
        warn_of_rows(sim, inst, p);
    }
}

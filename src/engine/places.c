/* SPDX-License-Identifier: MIT
 *
 * Where native components lie: all in one piece of memory, in the order of the model, so that code
 * which was compiled for the system knows each by an offset. Interpreted runs have them there as
 * well: what is measured and tested is one layout. */
#include "engine/sim_parts.h"

#include <hk/fused.h>

static size_t round_up(size_t bytes) {
    return (bytes + HK_FUSED_ALIGN - 1) / HK_FUSED_ALIGN * HK_FUSED_ALIGN;
}

void hk_places_make(hk_sim *sim) {
    HK_ASSERT(sim);
    size_t n = sim->model->component_count, at = HK_FUSED_HEAD;
    sim->memory.places = HK_NEW_ARRAY(sim->arena, size_t, n + 1);
    for (size_t c = 0; c < n; c++) {
        const hk_info *info = sim->model->components[c].info;
        if (!info->unit_class->instance_size)
            continue;
        sim->memory.places[c] = at;
        at += round_up(info->unit_class->instance_size(info) + 1); /* no two at one address */
    }
    sim->memory.system_size = at;
    sim->memory.system_memory = hk_alloc(at + HK_FUSED_ALIGN);
    sim->memory.system = (char *)round_up((uintptr_t)sim->memory.system_memory);
}

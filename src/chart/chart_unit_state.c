/* SPDX-License-Identifier: MIT
 *
 * States of instances: copies of their blocks. */
#include "chart/chart_component_internal.h"

#include "base/map.h"

#include <math.h>
#include <string.h>

hk_status hk_chart_state_get(hk_ctx *ctx, hk_unit *base, void **state) {
    (void)ctx;
    const hk_chart_unit *u = (const hk_chart_unit *)base;
    if (!*state)
        *state = hk_alloc(u->size + 1);
    memcpy(*state, u->block, u->size);
    return HK_OK;
}

hk_status hk_chart_state_set(hk_ctx *ctx, hk_unit *base, void *state) {
    (void)ctx;
    hk_chart_unit *u = (hk_chart_unit *)base;
    memcpy(u->block, state, u->size);
    hk_chart_dice_restore(u->dice, u->streams);
    u->flagged = true;
    u->cycle_s = hk_ratio_to_double(u->origin->chart->cycle) * u->values[u->origin->time_unit].r;
    u->begins = (double)NAN;
    return HK_OK;
}

void hk_chart_state_free(hk_unit *base, void *state) {
    (void)base;
    hk_free(state);
}

/* The module, by its text: what a state means is said there, down to the numbers. And where
 * everything is in the block, which this program decides. */
void hk_chart_state_key(hk_unit *base, hk_arena *arena, const char **ret_key, uint64_t *ret_build) {
    const hk_chart_unit *u = (const hk_chart_unit *)base;
    const hk_chart_origin *o = u->origin;
    const hk_chart_layout *l = hk_chart_runner_layout(u->runner);
    const size_t places[] = {u->size,    l->size,  l->received, l->sent,   l->called,
                             l->threads, l->ticks, l->limits,   l->memory, l->registers};
    uint64_t hash = hk_hash(HK_HASH_SEED, places, sizeof places);
    *ret_key = hk_arena_printf(arena, "the module '%s' of the text %016llx with the layout %016llx",
                               o->chart->name, (unsigned long long)o->chart->digest,
                               (unsigned long long)hash);
    *ret_build = 0;
}

hk_status hk_chart_state_save(hk_ctx *ctx, hk_unit *base, void *state, char **ret_data,
                              size_t *ret_size) {
    (void)ctx;
    const hk_chart_unit *u = (const hk_chart_unit *)base;
    *ret_data = hk_alloc(u->size + 1);
    memcpy(*ret_data, state, u->size);
    *ret_size = u->size;
    return HK_OK;
}

hk_status hk_chart_state_load(hk_ctx *ctx, hk_unit *base, const char *data, size_t size,
                              void **ret_state) {
    const hk_chart_unit *u = (const hk_chart_unit *)base;
    char element[160];
    void *state = hk_alloc(u->size + 1); /* aligned, unlike DATA */
    bool good = size == u->size;
    if (good)
        memcpy(state, data, size);
    if (good && hk_chart_state_fits(u->runner, state)) {
        *ret_state = state;
        return HK_OK;
    }
    hk_free(state);
    return hk_error(ctx, HK_E_STATE_FILE, hk_chart_where(u, 0, 0, element),
                    "restore with the same module that saved",
                    "saved state of %zu bytes is not one of module '%s'", size,
                    u->origin->chart->name);
}

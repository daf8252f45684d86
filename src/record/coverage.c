/* SPDX-License-Identifier: MIT */
#include "record/coverage.h"

#include <inttypes.h>
#include <stdio.h>

hk_coverages hk_coverage_read(hk_arena *arena, const hk_sim *sim, const hk_model *model) {
    hk_coverage *all = HK_NEW_ARRAY(arena, hk_coverage, model->component_count + 1);
    size_t count = 0;
    for (uint32_t i = 0; i < model->component_count; i++) {
        const hk_component *component = &model->components[i];
        const uint64_t *counts = component->info->covered_count ? hk_sim_covered(sim, i) : NULL;
        if (!counts)
            continue;
        hk_coverage *c = &all[count++];
        *c = (hk_coverage){component->name, component->info, counts, 0, 0, 0, 0};
        for (size_t k = 0; k < component->info->covered_count; k++) {
            const hk_covered *item = &component->info->covered[k];
            c->states += item->state;
            c->states_seen += item->state && counts[k];
            c->transitions += item->transition;
            c->transitions_seen += item->transition && counts[k];
        }
    }
    return (hk_coverages){all, count};
}

static void put_items(hk_json *json, const hk_coverage *c, bool transitions) {
    hk_json_array(json, transitions ? "transitions" : "states");
    for (size_t k = 0; k < c->info->covered_count; k++) {
        const hk_covered *item = &c->info->covered[k];
        if (transitions ? !item->transition : !item->state)
            continue;
        hk_json_object(json, NULL);
        hk_json_string(json, "machine", item->group);
        if (*item->inside)
            hk_json_string(json, "inside", item->inside);
        hk_json_string(json, "name", item->name);
        hk_json_i64(json, transitions ? "taken" : "entered", (int64_t)c->counts[k]);
        hk_json_end(json);
    }
    hk_json_end(json);
}

void hk_put_coverage(hk_json *json, const hk_coverages *coverage) {
    if (!coverage->count)
        return;
    HK_JSON_EACH(json, "coverage", i, coverage->count) {
        const hk_coverage *c = &coverage->all[i];
        hk_json_string(json, "component", c->component);
        if (c->info->digest) {
            char digest[17];
            snprintf(digest, sizeof digest, "%016" PRIx64, c->info->digest);
            hk_json_string(json, "digest", digest);
        }
        hk_json_i64(json, "states_entered", (int64_t)c->states_seen);
        hk_json_i64(json, "transitions_taken", (int64_t)c->transitions_seen);
        put_items(json, c, false);
        put_items(json, c, true);
    }
}

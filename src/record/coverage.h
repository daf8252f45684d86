/* SPDX-License-Identifier: MIT
 *
 * Coverage: which states of its state machines a run has entered, and which transitions it took. */
#ifndef HK_RECORD_COVERAGE_H
#define HK_RECORD_COVERAGE_H

#include "engine/sim.h"
#include "format/json.h"

/* Of one component. */
typedef struct hk_coverage {
    const char *component;
    const hk_info *info;
    const uint64_t *counts;
    size_t states, states_seen, transitions, transitions_seen;
} hk_coverage;

typedef struct hk_coverages {
    const hk_coverage *all;
    size_t count;
} hk_coverages;

/* All components of the simulation that count; in ARENA. */
hk_coverages hk_coverage_read(hk_arena *arena, const hk_sim *sim, const hk_model *model);
/* As the member "coverage" of an object; nothing, if no component counts. */
void hk_put_coverage(hk_json *json, const hk_coverages *coverage);

#endif

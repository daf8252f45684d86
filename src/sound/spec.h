/* SPDX-License-Identifier: MIT
 *
 * The specification: initial values, then forever all gets, all sets, all steps, in any order
 * within a phase and each exactly once. A state is the phase and the set of what is still due;
 * there is nothing to search. */
#ifndef HK_SOUND_SPEC_H
#define HK_SOUND_SPEC_H

#include "sound/sound.h"

typedef enum hk_phase { HK_PHASE_INIT, HK_PHASE_GET, HK_PHASE_SET, HK_PHASE_STEP } hk_phase;
enum { HK_PHASES = 4 };

typedef struct hk_spec {
    const hk_sound_system *system;
    bool rates;            /* instances take part in the cycles that their rate says; else in all */
    uint32_t *port_item;   /* its number in GET or SET; HK_MAP_NONE: not in the view */
    uint32_t *init_item;   /* ... in INIT; HK_MAP_NONE: has no initial value */
    uint32_t *first_param; /* per instance: the number of its first parameter in INIT */
    hk_sound_call *items[HK_PHASES]; /* the calls of each phase, by number */
    size_t counts[HK_PHASES];
    size_t words; /* of a set of items, for any phase */
} hk_spec;

typedef struct hk_spec_state {
    hk_phase phase;
    uint64_t cycle;
    size_t left;
    uint64_t *due; /* bits: items of the phase that have not come yet */
} hk_spec_state;

/* Without RATES every instance takes part in every cycle, as in the cycle of a master. */
hk_spec *hk_spec_make(hk_arena *arena, const hk_sound_system *system, hk_sound_view view,
                      bool rates);
hk_spec_state hk_spec_start(hk_arena *arena, const hk_spec *spec);
/* At the beginning of PHASE of CYCLE. */
void hk_spec_enter(const hk_spec *spec, hk_spec_state *state, hk_phase phase, uint64_t cycle);
/* Makes TO, which has its own set, equal to FROM. */
void hk_spec_copy(const hk_spec *spec, hk_spec_state *to, const hk_spec_state *from);
/* The number of the call in the phase that the state is in; HK_MAP_NONE: not allowed now. */
uint32_t hk_spec_item(const hk_spec *spec, const hk_spec_state *state, const hk_sound_call *call);
/* Takes the call if it is allowed; else nothing changes and the result is false. */
bool hk_spec_take(const hk_spec *spec, hk_spec_state *state, const hk_sound_call *call);
/* The call is about something that the specification speaks of. */
bool hk_spec_knows(const hk_spec *spec, const hk_sound_call *call);

/* "set b.u in phase GET; still due: get a.y, get a.z" */
const char *hk_spec_explain(hk_arena *arena, const hk_spec *spec, const hk_spec_state *state,
                            const hk_sound_call *call);
/* "get a.y, get a.z and 3 others" */
const char *hk_spec_due_text(hk_arena *arena, const hk_spec *spec, const hk_spec_state *state);
const char *hk_phase_name(hk_phase phase);

/* The instance sets and steps in this cycle. */
bool hk_spec_takes_part(const hk_spec *spec, uint32_t instance, uint64_t cycle);

/* The value that a set of a master carries is another than the one of its source in this cycle:
 * why; NULL: it is that one. */
const char *hk_spec_misrouted(hk_arena *arena, const hk_sound_system *system,
                              const hk_sound_call *call);

/* trace_contract.c: a run by the contracts of its instances. */
typedef struct hk_contract_run hk_contract_run;
hk_contract_run *hk_contract_run_make(hk_arena *arena, const hk_spec *spec, double start);
/* Why the call is wrong; NULL: it is not, and was taken. */
const char *hk_contract_run_take(hk_contract_run *run, const hk_sound_call *call);
/* What came before is taken as right: all instances are at T. */
void hk_contract_run_resume(hk_contract_run *run, double t);
double hk_contract_run_time(const hk_contract_run *run); /* of the last step */

#endif

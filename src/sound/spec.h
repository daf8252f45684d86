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
    bool late;             /* an output is read when its instance takes part again, not before */
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

/* An input is read, an output set, or a set carries what is not an output. */
bool hk_spec_is_backwards(const hk_sound_system *system, const hk_sound_call *call);
/* The specification does not see the call: exchange, save. */
bool hk_spec_passes_over(const hk_sound_call *call);
/* It sees some of them. */
bool hk_spec_concerns(const hk_sound_call *calls, size_t count);

/* How long a step of a master is, in units: as it says, as the instance that it follows, or
 * MAX_STEP. */
int64_t hk_spec_step_size(const hk_sound_master *master, const hk_sound_call *call,
                          int64_t max_step);
/* The different sizes above 0, in the order of their first use. All that the specification asks is
 * whether two are equal and whether one is 0, so texts for other tools have small numbers. */
typedef struct hk_spec_sizes {
    const hk_sound_master *master; /* whose steps have them */
    int64_t max_step;
    int64_t *all;
    size_t count, cap;
    bool late; /* some step begins where the cycle before began */
} hk_spec_sizes;
hk_spec_sizes hk_spec_sizes_of(const hk_sound_master *master, int64_t max_step); /* free 'all' */
/* From 1; 0: the step is empty. */
uint32_t hk_spec_size_number(const hk_spec_sizes *sizes, const hk_sound_call *call);

/* "set b.u in phase GET; still due: get a.y, get a.z" */
const char *hk_spec_explain(hk_arena *arena, const hk_spec *spec, const hk_spec_state *state,
                            const hk_sound_call *call);
/* "get a.y, get a.z and 3 others" */
const char *hk_spec_due_text(hk_arena *arena, const hk_spec *spec, const hk_spec_state *state);
const char *hk_phase_name(hk_phase phase);

/* The instance sets and steps in this cycle. */
bool hk_spec_takes_part(const hk_spec *spec, uint32_t instance, uint64_t cycle);

/* For the first line of a text for another tool: what it is about, what made it, and a number that
 * stands for the TEXT that follows. No sign of it can end a comment. */
const char *hk_spec_heading(hk_arena *arena, const hk_sound_system *system, const char *text);
/* A name, without signs that mean something in a comment. */
const char *hk_spec_plain(hk_arena *arena, const char *name);

/* The value that a set of a master carries is another than the one of its source in this cycle:
 * why; NULL: it is that one. */
const char *hk_spec_misrouted(hk_arena *arena, const hk_sound_system *system,
                              const hk_sound_call *call);

#endif

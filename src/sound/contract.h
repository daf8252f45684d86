/* SPDX-License-Identifier: MIT
 *
 * Between the files of the contract checker. */
#ifndef HK_SOUND_CONTRACT_H
#define HK_SOUND_CONTRACT_H

#include "sound/sound.h"

/* Values that a call must not use, whatever their time. UNSOUND: made by calls that do not keep the
 * contracts, which is fine in an attempt that is rejected, or by a step that is not the one that
 * all accept in the end. UNWATCHED: of an iteration before the last one, and the loop does not
 * watch whether it still changes. */
typedef enum hk_age_loss { HK_AGE_KEPT, HK_AGE_UNSOUND, HK_AGE_UNWATCHED } hk_age_loss;

/* For which time a value holds, and which turn of a loop made it. */
typedef struct hk_age {
    int64_t time;
    uint32_t turn;
    bool defined;
    bool fresh; /* of an input: set since the last step of its instance */
    hk_age_loss loss;
} hk_age;

typedef struct hk_contract_instance {
    int64_t time, began; /* now, and at the beginning of the co-simulation step */
    int64_t took;        /* of its last step in this co-simulation step; 0: none yet */
    int64_t steps;       /* in this co-simulation step, as far as nothing took them back */
    int64_t accepts;     /* no more than this in a cycle */
    bool dirty;          /* set since its last step */
    bool unsound;        /* its state; see hk_age_loss */
    bool saved, saved_dirty, saved_unsound;
    int64_t saved_time, saved_steps;
    uint32_t inputs, input_count; /* connected ones, in hk_contract.inputs */
} hk_contract_instance;

enum { HK_CONTRACT_NOTED = 10000 }; /* calls of a run that fails */

/* Something that is wrong. */
typedef struct hk_breach {
    const char *why, *hint; /* WHY NULL: nothing is; HINT NULL: none */
    size_t calls;           /* so many of those that were noted led there */
    bool after;             /* it is not the last of them that is wrong, but what they leave */
} hk_breach;

typedef struct hk_contract {
    hk_arena *arena;
    const hk_sound_system *system;
    hk_contract_instance *instances;
    uint32_t *inputs;
    hk_age *in, *saved_in, *final, *tentative; /* by port */
    uint64_t *marks, mark; /* outputs that the loop at hand watches have this mark */
    int64_t max_step, h;   /* the step to take: smaller once one rejected */
    int64_t due;           /* the step that all accept */
    int64_t cycle;
    bool initial;        /* before the first step */
    uint32_t turn;       /* the number of the iteration at hand */
    int depth;           /* loops around the call */
    hk_breach objection; /* first that does not hold in the turn at hand, should it count */
    hk_breach fault;     /* first that is wrong */
    const char *fmi;     /* first that FMI does not allow */
    uint64_t calls;
    bool loud; /* the run is known to fail: find words, and note the calls */
    hk_sound_call *noted;
    size_t noted_count, noted_cap;
} hk_contract;

/* contract_calls.c: one call that is not a loop. False: it makes no sense in any turn. That its
 * precondition does not hold is an objection, which counts if its turn does. */
bool hk_contract_call(hk_contract *c, const hk_sound_call *call);
/* Does the instance take part in this cycle? */
bool hk_contract_takes_part(const hk_contract *c, uint32_t instance);
int64_t hk_contract_rate(const hk_contract *c, uint32_t instance); /* at least 1 */
/* Ends the check; false. CALL and HINT may be NULL. */
bool hk_contract_fail(hk_contract *c, const hk_sound_call *call, const char *hint,
                      const char *format, ...) HK_PRINTF(4, 5);
/* Words for a hint or a note; NULL unless the run is loud: there are many, and many turns in them
 * that do not count. */
const char *hk_contract_say(hk_contract *c, const char *format, ...) HK_PRINTF(2, 3);
/* Of a loud run: the call, with what it found. */
void hk_contract_note(hk_contract *c, const hk_sound_call *call, const char *note);

/* contract_order.c: one sequence that stands for all that the partial order of a step allows. NULL:
 * there is none, because two calls of which one can see whether the other came first are in no
 * order; RET_WHY names them. If that matters to FMI alone, RET_FMI does. */
const hk_sound_call *hk_contract_order(hk_arena *arena, const hk_sound_system *system,
                                       const hk_sound_master *master, const char **ret_why,
                                       const char **ret_fmi);

#endif

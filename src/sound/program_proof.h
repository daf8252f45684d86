/* SPDX-License-Identifier: MIT
 *
 * Is a program right for its plan? It is if, at every activation of the transient and one
 * hyperperiod, every set hands over the value of the activation that the lag rule names, each
 * component is stepped once when it is due, from its own time and by its period, and the calls of
 * each instance are legal by FMI. Two right programs of one plan give the same bytes.
 *
 * The question is asked of each connection by itself: only the calls of its two ends matter to it,
 * and they repeat after the least common multiple of two periods. So it is exact for every mixture
 * of rates, offsets and delays, and does not grow with the product of all of them. */
#ifndef HK_SOUND_PROGRAM_PROOF_H
#define HK_SOUND_PROGRAM_PROOF_H

#include "plan/program.h"

typedef struct hk_program_proof {
    bool right;
    bool limited;         /* some windows are longer than what was looked at */
    uint64_t activations; /* looked at */
    const char *why;      /* the first wrong call and what is wrong with it; NULL: it is right */
    int line;             /* of that call in the master it was read from; 0: it was made */
    hk_tick at;           /* the activation at which it is wrong */
} hk_program_proof;

/* WHY lives in the arena. */
hk_program_proof hk_program_prove(hk_arena *arena, const hk_program *program);

#endif

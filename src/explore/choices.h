/* SPDX-License-Identifier: MIT
 *
 * Everything that can be so or so in one cycle: inputs, draws, transitions that are enabled
 * together. Who runs a cycle asks for each as it comes up; afterwards hk_choices_next makes the
 * sequence that the next run of the same cycle answers with, until all sequences have been. */
#ifndef HK_EXPLORE_CHOICES_H
#define HK_EXPLORE_CHOICES_H

#include "base/diag.h"

typedef struct hk_choices {
    struct hk_choice {
        uint32_t taken, bound;
    } * all;
    size_t count, cap; /* of the sequence */
    size_t at;         /* the next that is asked for */
} hk_choices;          /* zero-initialised: before the first sequence */

/* One of 0 ... BOUND - 1; in the first sequence always 0. */
uint32_t hk_choices_take(hk_choices *choices, uint32_t bound);
/* Begins the next run; false: that was the last sequence, and the next is the first again. */
bool hk_choices_next(hk_choices *choices);
void hk_choices_finish(hk_choices *choices);

#endif

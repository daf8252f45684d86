/* SPDX-License-Identifier: MIT
 *
 * Sequences of choices, one after the other: the last choice changes first. */
#include "explore/choices.h"

uint32_t hk_choices_take(hk_choices *c, uint32_t bound) {
    HK_ASSERT(bound > 0);
    if (bound == 1)
        return 0;
    if (c->at == c->count)
        HK_PUSH(c->all, c->count, c->cap, ((struct hk_choice){.bound = bound}));
    HK_ASSERT(c->all[c->at].bound ==
              bound); /* a run depends on what was chosen, and nothing else */
    return c->all[c->at++].taken;
}

bool hk_choices_next(hk_choices *c) {
    c->count = c->at; /* a sequence that ended early has no more than was asked for */
    c->at = 0;
    while (c->count) {
        struct hk_choice *last = &c->all[c->count - 1];
        if (++last->taken < last->bound)
            return true;
        c->count--;
    }
    return false;
}

void hk_choices_finish(hk_choices *c) {
    hk_free(c->all);
    *c = (hk_choices){0};
}

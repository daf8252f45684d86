/* SPDX-License-Identifier: MIT
 *
 * Dice that fall the same way in every run. */
#ifndef DICE_H
#define DICE_H

#include <hk/random.h>

typedef struct dice {
    hk_stream stream;
    uint32_t next;
} dice;

static inline uint32_t roll(dice *d, uint32_t sides) {
    return (uint32_t)(hk_stream_u64(&d->stream, 0, d->next++) % sides);
}

#endif

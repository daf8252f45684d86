/* SPDX-License-Identifier: MIT
 *
 * Random numbers from a counter, not from a state: the number depends on (seed, run, component,
 * stream, tick, index) and on nothing else, so it is the same whoever asks first, on any thread.
 * The generator is Philox4x32-10 (Salmon et al., 2011). */
#ifndef HK_BASE_RANDOM_H
#define HK_BASE_RANDOM_H

#include <hk/base.h>

typedef struct hk_stream {
    uint32_t key[2];
    uint32_t id; /* folded from component and stream */
} hk_stream;

/* Philox4x32-10 itself: four words from a counter and a key. */
void hk_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t ret_words[4]);

hk_stream hk_stream_make(uint64_t seed, uint64_t run, const char *component, const char *stream);
/* The index-th number of the stream at TICK. */
uint64_t hk_stream_u64(const hk_stream *stream, int64_t tick, uint32_t index);
double hk_stream_uniform(const hk_stream *stream, int64_t tick, uint32_t index); /* [0, 1) */
double hk_stream_normal(const hk_stream *stream, int64_t tick, uint32_t index);  /* mean 0, sd 1 */

#endif

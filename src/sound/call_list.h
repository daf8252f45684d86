/* SPDX-License-Identifier: MIT
 *
 * A list of calls that grows, for those who make masters. */
#ifndef HK_SOUND_CALL_LIST_H
#define HK_SOUND_CALL_LIST_H

#include "sound/sound.h"

#include <string.h>

typedef struct hk_call_list {
    hk_sound_call *calls;
    size_t count, cap;
} hk_call_list;

static inline void hk_call_list_add(hk_call_list *to, hk_sound_call call) {
    HK_PUSH(to->calls, to->count, to->cap, call);
}

/* The calls in ARENA; the list is empty again. */
static inline const hk_sound_call *hk_call_list_keep(hk_arena *arena, hk_call_list *from,
                                                     size_t *ret_count) {
    hk_sound_call *calls = HK_NEW_ARRAY(arena, hk_sound_call, from->count + 1);
    if (from->count)
        memcpy(calls, from->calls, from->count * sizeof *calls);
    *ret_count = from->count;
    hk_free(from->calls);
    *from = (hk_call_list){0};
    return calls;
}

#endif

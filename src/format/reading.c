/* SPDX-License-Identifier: MIT */
#include "format/reading.h"

enum { SUGGESTIONS_MAX = 20 };

void hk_reading_finish(hk_reading *r) {
    hk_map_finish(&r->told);
}

void hk_reading_failed(hk_reading *r, hk_status error) {
    if (!r->error_count++)
        r->error = error;
}

bool hk_reading_first(hk_reading *r, const char *key) {
    if (hk_map_get(&r->told, key) != HK_MAP_NONE)
        return false;
    hk_map_put(&r->told, hk_arena_strdup(r->arena, key), 0);
    return true;
}

bool hk_reading_may_suggest(const hk_reading *r) {
    return r->suggestion_count < SUGGESTIONS_MAX;
}

const char *hk_reading_suggest(hk_reading *r, const char *word, const char *const *names,
                               size_t count) {
    if (!hk_reading_may_suggest(r))
        return NULL;
    r->suggestion_count++;
    const char *closest = hk_closest(word, names, count);
    return closest ? hk_arena_printf(r->arena, "did you mean '%s'?", closest) : NULL;
}

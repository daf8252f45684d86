/* SPDX-License-Identifier: MIT */
#include "base/complaints.h"

hk_status hk_complaint_heard(hk_complaints *all, hk_status code) {
    HK_ASSERT(code != HK_OK);
    if (all->first == HK_OK)
        all->first = code;
    all->count++;
    return code;
}

const char *hk_complaints_more(hk_arena *arena, size_t shown) {
    return hk_arena_printf(arena, "there are more mistakes than these %zu", shown);
}

hk_status hk_complain_args(hk_complaints *all, hk_status code, hk_where where, const char *hint,
                           const char *format, va_list args) {
    hk_complaint_heard(all, code);
    if (all->mute)
        return code;
    hk_arena *arena = hk_arena_create();
    all->mute = all->count > HK_COMPLAINTS_MAX;
    if (all->mute)
        hk_note(all->ctx, where, "%s", hk_complaints_more(arena, HK_COMPLAINTS_MAX));
    else
        hk_error(all->ctx, code, where, hint, "%s", hk_arena_vprintf(arena, format, args));
    hk_arena_destroy(arena);
    return code;
}

hk_status hk_complain(hk_complaints *all, hk_status code, hk_where where, const char *hint,
                      const char *format, ...) {
    va_list args;
    va_start(args, format);
    hk_complain_args(all, code, where, hint, format, args);
    va_end(args);
    return code;
}

bool hk_complaints_may_suggest(const hk_complaints *all) {
    return all->suggestions < HK_SUGGESTIONS_MAX;
}

const char *hk_complaint_suggest(hk_complaints *all, hk_arena *arena, const char *word,
                                 const char *const *names, size_t count) {
    if (!hk_complaints_may_suggest(all))
        return NULL;
    all->suggestions++;
    return hk_hint_closest(arena, word, names, count, NULL);
}

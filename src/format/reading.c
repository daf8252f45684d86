/* SPDX-License-Identifier: MIT */
#include "format/reading.h"

hk_reading hk_reading_begin(hk_ctx *ctx, hk_arena *arena, hk_status code) {
    return (hk_reading){.arena = arena,
                        .code = code,
                        .complaints = {.ctx = ctx},
                        .limit_before = hk_ctx_limit_errors(ctx, HK_COMPLAINTS_MAX)};
}

void hk_reading_finish(hk_reading *r) {
    if (r->complaints.ctx)
        (void)hk_ctx_limit_errors(r->complaints.ctx, r->limit_before);
    hk_map_finish(&r->told);
}

void hk_reading_failed(hk_reading *r, hk_status error) {
    hk_complaint_heard(&r->complaints, error);
}

bool hk_reading_first(hk_reading *r, const char *key) {
    if (hk_map_get(&r->told, key) != HK_MAP_NONE)
        return false;
    hk_map_put(&r->told, hk_arena_strdup(r->arena, key), 0);
    return true;
}

bool hk_reading_may_suggest(const hk_reading *r) {
    return hk_complaints_may_suggest(&r->complaints);
}

const char *hk_reading_suggest(hk_reading *r, const char *word, const char *const *names,
                               size_t count) {
    return hk_complaint_suggest(&r->complaints, r->arena, word, names, count);
}

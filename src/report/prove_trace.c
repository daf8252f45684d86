/* SPDX-License-Identifier: MIT
 *
 * What a recorded trace shows: how much of it was looked at is part of the verdict. */
#include "report/prove.h"

#include "report/show.h"

static const char *count(hk_arena *arena, uint64_t n) {
    return hk_show_count(arena, n);
}

/* "1 gap", "2 gaps" */
static const char *many(hk_arena *arena, uint64_t n, const char *word) {
    return hk_arena_printf(arena, "%s %s%s", count(arena, n), word, n == 1 ? "" : "s");
}

static const char *looked_at(hk_arena *arena, const hk_sound_system *system, hk_sound_view by,
                             const hk_sound_verdict *v) {
    const char *text = hk_arena_printf(
        arena, "%s: %s in %s, %s", hk_sound_outcome_name(v->outcome), many(arena, v->calls, "call"),
        many(arena, v->cycles, "cycle"),
        by == HK_VIEW_CONTRACT ? "by the contracts of each instance" : "phase by phase");
    if (v->why)
        text = hk_arena_printf(arena, "%s; %s", text, v->why);
    if (v->gaps)
        text = hk_arena_printf(arena, "%s; %s, %s not seen", text, many(arena, v->gaps, "gap"),
                               many(arena, v->missed, "cycle"));
    if (v->uninitialized && system->plan)
        text = hk_arena_printf(arena, "%s; initialization is not in it", text);
    if (v->unstarted)
        text = hk_arena_printf(arena, "%s; %s not in it", text,
                               many(arena, v->unstarted, "start value"));
    if (v->values || v->unvalued)
        text = hk_arena_printf(arena, "%s; %s compared", text, many(arena, v->values, "value"));
    if (v->unvalued)
        text = hk_arena_printf(arena, "%s, %s not", text, count(arena, v->unvalued));
    if (v->passed_over)
        text = hk_arena_printf(arena, "%s; %s not in this view", text,
                               many(arena, v->passed_over, "call"));
    if (v->warnings)
        text = hk_arena_printf(arena, "%s; %s returned Warning", text,
                               many(arena, v->warnings, "call"));
    return text;
}

hk_status hk_prove_trace(hk_ctx *ctx, hk_arena *arena, const hk_sound_system *system,
                         hk_sound_view by, const char *file, hk_finding *ret_finding) {
    hk_sound_verdict v;
    HK_TRY(
        hk_sound_check_file(ctx, arena, &(hk_sound_wanted){system, by, system->start}, file, &v));
    /* So far nothing is wrong, but that is not what was asked. */
    bool early = v.outcome == HK_SOUND_INCOMPLETE;
    bool undecided = v.outcome == HK_SOUND_INCONCLUSIVE || early;
    *ret_finding =
        (hk_finding){.name = "trace",
                     .state = undecided ? HK_PROOF_INCONCLUSIVE
                              : v.holds ? HK_PROOF_HOLDS
                                        : HK_PROOF_BROKEN,
                     .text = v.holds || undecided ? looked_at(arena, system, by, &v) : v.why,
                     .sampled = v.gaps > 0,
                     .early = early,
                     .hint = early ? "give the options that the run had, --stop-time, too" : NULL,
                     .trace = v.trace,
                     .trace_count = v.trace_count};
    return HK_OK;
}

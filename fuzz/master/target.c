/* SPDX-License-Identifier: MIT
 *
 * Scenarios and masters: what is understood is printed, is understood again, and is printed the
 * same. What is small enough is also judged and solved, and what synthesis makes is accepted. */
#include "master.h"

enum { CALLS_MAX = 100, DEPTH_MAX = 2, INSTANCES_MAX = 6, STEP_MAX = 3 };

/* Do the loops end soon? DEPTH more levels of them may be in each other. */
static bool is_small(const hk_sound_call *calls, size_t count, int depth) {
    bool small = count <= CALLS_MAX;
    for (size_t i = 0; i < count && small; i++)
        if (calls[i].op == HK_OP_LOOP)
            small = depth && is_small(calls[i].loop->body, calls[i].loop->body_count, depth - 1) &&
                    is_small(calls[i].loop->retry, calls[i].loop->retry_count, depth - 1);
    return small;
}

static void judge(hk_arena *arena, const hk_sound_system *system, const hk_sound_master *master,
                  int64_t max_step) {
    hk_sound_master *made;
    bool legal;
    if (system->instance_count > INSTANCES_MAX || max_step > STEP_MAX)
        return;
    if (master && is_small(master->init, master->init_count, DEPTH_MAX) &&
        is_small(master->step, master->step_count, DEPTH_MAX)) {
        hk_sound_verdict v = hk_sound_keeps_contract(arena, system, master, max_step, &legal);
        HK_ASSERT(v.holds == !v.why && legal == !v.fmi);
    }
    if (!hk_sound_synthesise(arena, system, &made).holds)
        return;
    for (size_t i = 0; i < system->instance_count; i++)
        if (system->instances[i].rate > 1 || system->instances[i].first)
            return; /* synthesis knows one rate */
    HK_ASSERT(hk_sound_keeps_contract(arena, system, made, max_step, &legal).holds);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_try_master("fuzz.master", data, size, judge);
    return 0;
}

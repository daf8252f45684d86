/* SPDX-License-Identifier: MIT
 *
 * The order in which the calls of a trace are looked at. */
#include "sound/trace_reader.h"

enum { LINES_PER_ARENA = 4096 };

/* A call is passed on; where a trace begins in the middle the checker is told so. */
static void pass_on(hk_trace_reader *r, const struct hk_trace_waiting *w) {
    if (w->gap) /* the reading of the first outputs is phase 2 */
        hk_sound_checker_resume(r->checker, &w->call, w->t,
                                w->t > r->start ? !hk_near(w->t, r->start) || r->phase > 2
                                                : r->phase > 2);
    hk_sound_checker_call(r->checker, &w->call);
}

static int rank(hk_sound_op op) {
    return op == HK_OP_SET ? 0 : op == HK_OP_STEP ? 1 : op == HK_OP_GET ? 2 : 3;
}

/* Each instance is set, then stepped, then read; by the order in which the calls were really made,
 * where the trace tells it. */
static bool in_order(const hk_trace_reader *r) {
    size_t count = r->system->instance_count + 1;
    int *last = hk_alloc(count * sizeof *last);
    int64_t *made = hk_alloc(count * sizeof *made);
    bool fine = true;
    for (size_t i = 0; i < r->waiting_count; i++) {
        const struct hk_trace_waiting *w = &r->waiting[i];
        const hk_sound_call *c = &w->call;
        fine = fine && rank(c->op) >= last[c->instance];
        fine = fine && (w->order < 0 || w->order + 1 >= made[c->instance]);
        last[c->instance] = rank(c->op);
        made[c->instance] = w->order + 1;
    }
    hk_free(last);
    hk_free(made);
    return fine;
}

/* Phases follow each other: the calls of one were made after all those of the one before. */
static void check_barrier(hk_trace_reader *r) {
    int64_t most = r->order;
    for (size_t i = 0; i < r->waiting_count; i++) {
        const struct hk_trace_waiting *w = &r->waiting[i];
        if (w->order < 0)
            continue;
        if (w->order <= r->order)
            hk_sound_checker_object(
                r->checker,
                hk_arena_printf(r->arena, "%s was made before the phase before it ended",
                                hk_sound_call_text(r->arena, r->system, &w->call)));
        most = w->order > most ? w->order : most;
    }
    r->order = most;
}

/* Threads work through their instances side by side. Calls of different instances do not touch each
 * other, so they may be swapped: what is looked at is the serial order, sets, steps, gets. Where
 * the calls of one instance are out of order, nothing is swapped. */
void hk_trace_flush(hk_trace_reader *r) {
    check_barrier(r);
    bool swap = r->threads && in_order(r);
    for (int k = 0; k < (swap ? 4 : 1); k++)
        for (size_t i = 0; i < r->waiting_count; i++)
            if (!swap || rank(r->waiting[i].call.op) == k)
                pass_on(r, &r->waiting[i]);
    r->waiting_count = 0;
    r->threads = false;
    if (r->line - r->emptied >= LINES_PER_ARENA) { /* nothing of what was read is needed any more */
        hk_arena_destroy(r->arena);
        r->arena = hk_arena_create();
        r->emptied = r->line;
    }
}

void hk_trace_wait(hk_trace_reader *r, const hk_sound_call *call, double t, int64_t order,
                   bool gap) {
    struct hk_trace_waiting w = {*call, t, order, gap};
    HK_PUSH(r->waiting, r->waiting_count, r->waiting_cap, w);
    r->begun = r->begun || !call->exchange;
    if (r->phase < 0)
        hk_trace_flush(r);
}

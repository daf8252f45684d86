/* SPDX-License-Identifier: MIT
 *
 * Defects that are built into the loops to see them caught: the build with the number HK_SEED_BUG
 * has that one from the tick hk_seed_from on. Each is a piece of text for a seam of the loops
 * (engine/seams.h), so that it may do there what the loop itself could do. */
#ifndef HK_TEST_SEEDED_H
#define HK_TEST_SEEDED_H

#include "engine/sim_parts.h"

extern hk_tick hk_seed_from;
#define SEEDED(number) (HK_SEED_BUG == (number) && sim->time.now >= hk_seed_from)
enum {
    BUG_SWAPPED_SET = 1,
    BUG_SKIPPED_GET,
    BUG_DOUBLE_STEP,
    BUG_WRONG_TIME,
    BUG_GET_AFTER_SET,
    BUG_FOREIGN_COPY,
    BUG_INITIAL_SKIPPED, /* these before the loop: initial.c */
    BUG_INITIAL_FOREIGN,
    BUG_INITIAL_ORDER,
    BUG_FIRST_GET_SKIPPED
};

/* The first two sets exchange their values. */
#define SEAM_set_values(sim, x, begin, end, is_get, values)                                        \
    if (SEEDED(BUG_SWAPPED_SET) && !(is_get) && (end) - (begin) > 1 && (x) - (begin) < 2)          \
    (values) = (begin)[(x) == (begin)].call.values
#define SEAM_line_values(sim, x, first, is_get, values)                                            \
    if (SEEDED(BUG_SWAPPED_SET) && !(is_get) && (first)[1].fn.refs && (x) - (first) < 2)           \
    (values) = (first)[(x) == (first)].to.values

#define SEAM_get(sim, is_get, is_first)                                                            \
    if (SEEDED(BUG_SKIPPED_GET) && (is_get) && (is_first))                                         \
    continue

#define SEAM_step(sim, l, s, is_first, shape, t, h, sum)                                           \
    if (SEEDED(BUG_DOUBLE_STEP) && (is_first)) {                                                   \
        note_made(l, CALL_STEP, &(s)->what);                                                       \
        (void)step_one(&(s)->call, shape, t, h, &(int){0}, sum);                                   \
    }
#define SEAM_line_step(sim, x, is_first, kind, b)                                                  \
    if (SEEDED(BUG_DOUBLE_STEP) && (is_first))                                                     \
    (void)step_line(x, (x)->fn, kind, b, &(int){0})

#define SEAM_time(sim, seconds, h)                                                                 \
    if (SEEDED(BUG_WRONG_TIME))                                                                    \
    (seconds) += (h)

/* The gets of a phase come before its steps, too. */
#define SEAM_sets_end(sim, l, cells, count, mode, alone)                                           \
    for (size_t i = 0; i < (count) && SEEDED(BUG_GET_AFTER_SET); i++)                              \
        if (!publish(sim, l, (cells)[i], mode, sum_of((cells)[i], count, alone)))                  \
    return false
#define SEAM_shared_sets_end(of, l, p, member, mode)                                               \
    const hk_sim *sim = of;                                                                        \
    for (size_t i = 0; i < (p)->count && SEEDED(BUG_GET_AFTER_SET) && !(l)->failed; i++) {         \
        const hk_cell *c = share_of((p)->cells[i], member);                                        \
        (l)->failed = c && !publish((p)->sim, l, c, mode, c->watch.seen);                          \
    }
#define SEAM_line_sets_end(sim, v, kind, b, mode)                                                  \
    if (SEEDED(BUG_GET_AFTER_SET)) {                                                               \
        beat early = *(b);                                                                         \
        while ((early.x++)->fn.plain)                                                              \
            continue;                                                                              \
        if (!publish_voice(sim, v, kind, &early, mode))                                            \
            return false;                                                                          \
        (b)->sum = early.sum;                                                                      \
    }

/* The first copy takes what the second one is for. */
#define SEAM_copy(sim, x, first, end, from)                                                        \
    if (SEEDED(BUG_FOREIGN_COPY) && (x) == (first) && (x) + 1 < (end))                             \
    (from) = (x)[1].from

/* The same for notes, in which copies may be by twos. */
#define SEAM_note_copy(sim, x, from)                                                               \
    if (SEEDED(BUG_FOREIGN_COPY) && (x) == (sim)->score->notes)                                    \
    (from) = (x)[1].of.copy.from
/* What comes after the steps of a voice comes before them, too. */
#define SEAM_note_taken(sim, x, sum)                                                               \
    if (SEEDED(BUG_GET_AFTER_SET))                                                                 \
    EXPECT(not_written(sim, (x)->of.end.voice->stepped[0], CALL_GET, sum))
#define SEAM_note_step(sim, x, now, sum)                                                           \
    if (SEEDED(BUG_DOUBLE_STEP) && (x)[-1].of.end.voice == (sim)->score->voices)                   \
    (void)step_note(x, now, sum)

#define SEAM_initial_write(sim, e)                                                                 \
    if (SEEDED(BUG_INITIAL_FOREIGN))                                                               \
    (e)->g.from = (e)->g.to
#define SEAM_initial_end(sim, ends, count, i, e)                                                   \
    if (SEEDED(BUG_INITIAL_ORDER))                                                                 \
        (e) = &(ends)[(count)-1 - (i)];                                                            \
    if (SEEDED(BUG_INITIAL_SKIPPED) && (e)->input)                                                 \
    continue
#define SEAM_first_get(sim, is_first)                                                              \
    if (SEEDED(BUG_FIRST_GET_SKIPPED) && (is_first))                                               \
    continue

#endif

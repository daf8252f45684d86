/* SPDX-License-Identifier: MIT
 *
 * The loop over notes. From each it jumps to where the next one is played: what is to be done is
 * read once, and no register is needed for what a list is like. */
#include "engine/failures.h"
#include "engine/monitor.h"
#include "engine/notes.h"
#include "engine/phase.h"
#include "engine/still.h"
#include "engine/tokens.h"

#include "base/fpenv.h"

#include <string.h>

/* What steps are called with. In memory on purpose: no register for doubles survives a call. */
typedef volatile struct moment { double seconds, h; } moment;

/* ---- copies ---- */

ALWAYS_INLINE const void *source_of(const hk_sim *sim, const hk_score_note *x) {
    const void *from = x->of.copy.from;
    SEAM(note_copy, sim, x, from);
    return from;
}

ALWAYS_INLINE uint64_t copy_one(const void *from, void *to) {
    memcpy(to, from, 8);
    return hk_copy_token(from, to);
}

/* By the one in the middle, whose token is returned. One by one: wider moves would wait for what
 * was just stored in parts. */
ALWAYS_INLINE uint64_t copy_three(const void *from, void *to) {
    uint64_t values[3];
    memcpy(values, (const char *)from - 8, 8);
    memcpy(values + 1, from, 8);
    memcpy(values + 2, (const char *)from + 8, 8);
    memcpy((char *)to - 8, values, 8);
    memcpy(to, values + 1, 8);
    memcpy((char *)to + 8, values + 2, 8);
    return hk_copy_token(from, to);
}

ALWAYS_INLINE uint64_t copy_byte(const void *from, void *to) {
    *(char *)to = *(const char *)from;
    return hk_copy_token(from, to);
}

/* ---- what must be finite ---- */

/* Zero times a number is zero, except for NaN and infinities: then it is NaN, and stays it. Several
 * products, since each waits for what it had before. */
typedef struct product {
    double a, b, c;
} product;

ALWAYS_INLINE bool is_finite(const product *p) {
    return p->a + p->b + p->c == 0;
}

/* Copies that look at what they bring, which is known to be doubles. */
ALWAYS_INLINE uint64_t look_one(const double *from, double *to, product *p) {
    double value = *from;
    *to = value;
    p->a *= value;
    return hk_copy_token(from, to);
}

ALWAYS_INLINE uint64_t look_three(const double *from, double *to, product *p) {
    double a = from[-1], b = from[0], c = from[1];
    to[-1] = a;
    to[0] = b;
    to[1] = c;
    p->a *= a;
    p->b *= b;
    p->c *= c;
    return hk_copy_token(from, to);
}

ALWAYS_INLINE bool threes_finite(hk_look_list list) {
    product p = {0, 0, 0};
    for (const double *const *x = list.begin; x != list.end; x++) {
        p.a *= x[0][0];
        p.b *= x[0][1];
        p.c *= x[0][2];
    }
    return is_finite(&p);
}

ALWAYS_INLINE bool ones_finite(hk_look_list list) {
    double a = 0;
    for (const double *const *x = list.begin; x != list.end; x++)
        a *= **x;
    return a == 0;
}

/* All that has stepped in this instant before X, in order. False: not finite, and not allowed. */
NEVER_INLINE __attribute__((cold)) bool not_finite(hk_sim *sim, const hk_score_note *x,
                                                   bool steady) {
    const hk_voice *v = sim->score->voices, *end = v + sim->score->count;
    for (; v < end && v->stepped[steady] < x; v++)
        if (!hk_finite_cell(v->cell)) {
            *v->last = sim->time.now;
            if (!hk_fail_not_finite(sim, v->cell))
                return false;
        }
    return true;
}

/* ---- sums ---- */

NEVER_INLINE __attribute__((cold)) bool not_written(hk_sim *sim, const hk_score_note *x,
                                                    hk_call_kind part, uint64_t sum) {
    const hk_cell *c = x->of.end.voice->cell;
    uint64_t left_out = c->watch.must[part] - x->of.end.must;
    return hk_monitor_sum(sim, &sim->threads.self, c, part, sum + left_out);
}

/* ---- steps ---- */

ALWAYS_INLINE int step_note(const hk_score_note *x, const moment *now, uint64_t *sum) {
    hk_step_plain_fn *fn = x->with.step.fn;
    void *self = x->with.step.self;
    *sum += hk_step_token((uintptr_t)fn, self);
    return fn(self, now->seconds, now->h);
}

/* What the others had made before it comes first. */
NEVER_INLINE __attribute__((cold)) bool not_well(hk_sim *sim, const hk_score_note *x, int code,
                                                 const moment *now, bool steady) {
    return not_finite(sim, x, steady) && hk_fail_step(sim, &x->of.what, code, now->seconds, now->h);
}

/* ---- instants ---- */

/* False: it is not due. */
ALWAYS_INLINE bool begins(hk_sim *sim, const hk_burst_span *b, moment *now) {
    const hk_voice *first = sim->score->voices;
    double seconds = (double)b->t / sim->time.ticks_each_second;
    now->seconds = seconds;
    sim->time.now = b->t;
    hk_set_seconds(sim, seconds);
    SEAM(time, sim, now->seconds, now->h);
    return !UNLIKELY(!is_due(first->due, b->t, now->seconds, now->h)) ||
           hk_monitor_time(sim, first->cell, now->seconds, now->h);
}

/* An instant is over; false: none follows. */
ALWAYS_INLINE bool goes_on(hk_sim *sim, hk_burst_span *b) {
    const hk_voice *last = sim->score->voices + sim->score->count - 1;
    hk_set_due_exact(sim, last->due, last->due->tick + last->advance);
    hk_at(&sim->threads.self, NULL);
    b->behaves = hk_fpenv_behaves();
    if (UNLIKELY(sim->status != HK_OK)) /* a stopped component has been called */
        return false;
    b->t += b->period;
    return b->behaves && b->t < b->last && b->t < sim->end.asked_end;
}

/* On to the next note. A jump to where it says: not C17, but known to all our compilers. */
#define WAY(label) __extension__ &&label
#define PLAY       __extension__({ goto * x->how; })
#define NEXT       __extension__({ goto *(++x)->how; })
#define AGAIN(label)                                                                               \
    if ((x++)->again)                                                                              \
        goto label;                                                                                \
    PLAY
#define EXPECT(good)                                                                               \
    if (UNLIKELY(!(good)))                                                                         \
    goto failed

/* In the order of hk_note_kind. */
#define WAYS                                                                                       \
    {                                                                                              \
        WAY(one), WAY(three), WAY(two_threes), WAY(byte), WAY(looked_one), WAY(looked_three),      \
            WAY(two_looked_threes), WAY(taken), WAY(step), WAY(stepped), WAY(look_threes),         \
            WAY(look_ones), WAY(over)                                                              \
    }

/* Without SIM: only tells where each kind is played. */
static const void *const *play(hk_sim *sim, hk_burst_span *b, bool steady) {
    static const void *const ways[NOTE_KINDS] = WAYS;
    if (!sim)
        return ways;
    const hk_score_note *x;
    uint64_t sum = *b->seen;
    moment now = {.h = b->h};
    product p = {0, 0, 0};
next_instant:
    x = steady ? sim->score->steady : sim->score->notes;
    EXPECT(begins(sim, b, &now));
    PLAY;
one:
    sum += copy_one(source_of(sim, x), x->of.copy.to);
    NEXT;
two_threes : {
    uint64_t first = copy_three(source_of(sim, x), x->of.copy.to);
    sum += HK_THREE_TOKENS(first + copy_three(x->with.copy.from, x->with.copy.to)) + 256;
    AGAIN(two_threes);
}
three:
    sum += HK_THREE_TOKENS(copy_three(source_of(sim, x), x->of.copy.to));
    NEXT;
byte:
    sum += copy_byte(x->of.copy.from, x->of.copy.to);
    AGAIN(byte);
looked_one:
    sum += look_one(source_of(sim, x), x->of.copy.to, &p);
    NEXT;
two_looked_threes : {
    uint64_t first = look_three(source_of(sim, x), x->of.copy.to, &p);
    sum += HK_THREE_TOKENS(first + look_three(x->with.copy.from, x->with.copy.to, &p)) + 256;
    AGAIN(two_looked_threes);
}
looked_three:
    sum += HK_THREE_TOKENS(look_three(source_of(sim, x), x->of.copy.to, &p));
    NEXT;
taken:
    EXPECT(sum == x->of.end.must || not_written(sim, x, CALL_SET, sum));
    EXPECT(is_finite(&p) || not_finite(sim, x, steady));
    SEAM(note_taken, sim, x, sum);
    NEXT;
step:
    hk_at(&sim->threads.self, &x->of.what);
    int code = step_note(x, &now, &sum);
    SEAM(note_step, sim, x, &now, &sum);
    EXPECT(code == HK_STEP_OK || not_well(sim, x, code, &now, steady));
    if ((x++)->again)
        goto step;
    p = (product){0, 0, 0};
    PLAY;
stepped:
    EXPECT(sum == x->of.end.must || not_written(sim, x, CALL_STEP, sum));
    NEXT;
look_threes:
    EXPECT(threes_finite(x->with.look) || not_finite(sim, x, steady));
    NEXT;
look_ones:
    EXPECT(ones_finite(x->with.look) || not_finite(sim, x, steady));
    NEXT;
over:
    sum = b->after;
    if (goes_on(sim, b))
        goto next_instant;
    x = sim->status == HK_OK ? NULL : x;
failed:
    *b->seen = sum;
    b->failed = x;
    return ways;
}

const void *const *hk_notes_ways(void) {
    return play(NULL, NULL, false);
}

/* Which activation of each voice was the newest one; BEGIN: the first instant. */
static void settle(const hk_sim *sim, const hk_burst_span *b, hk_tick begin, bool steady) {
    const hk_voice *end = sim->score->voices + sim->score->count;
    for (const hk_voice *v = sim->score->voices; v < end; v++)
        if (b->failed && v->stepped[steady] <= b->failed)
            *v->last = b->t;
        else if (b->t > begin)
            *v->last = b->t - b->period;
}

static bool play_and_settle(hk_sim *sim, hk_burst_span *b, bool steady) {
    hk_tick begin = b->t;
    play(sim, b, steady);
    settle(sim, b, begin, steady);
    return !b->failed;
}

/* All copies are made in the first instant; if what stands still is there after it, the others do
 * without. False: it is not, once it has been relied on. */
static bool play_steady(hk_sim *sim, hk_burst_span *b) {
    const void *changed;
    hk_tick last = b->last;
    b->last = b->t + b->period;
    bool good = play_and_settle(sim, b, false);
    b->last = last;
    if (!good || !b->behaves || b->t >= sim->end.asked_end)
        return good;
    if (!hk_still_there(sim->score, &changed)) {
        hk_free(sim->score->steady);
        sim->score->steady = NULL;
        return play_and_settle(sim, b, false);
    }
    return play_and_settle(sim, b, true) &&
           (hk_still_there(sim->score, &changed) || hk_still_fail(sim, changed));
}

bool hk_notes_play(hk_sim *sim, hk_burst_span *b) {
    HK_ASSERT(sim && b);
    enum { MANY = 16 }; /* instants for which it pays */
    b->behaves = true;
    if (b->t >= sim->end.asked_end)
        return true;
    bool many = b->last - b->t >= MANY * b->period;
    return many && sim->score->steady ? play_steady(sim, b) : play_and_settle(sim, b, false);
}

/* SPDX-License-Identifier: MIT
 *
 * Writes the score: from the lists of the cells, once they and what they must add up to are known.
 */
#include "engine/score.h"

#include "base/search.h"
#include "engine/idle.h"
#include "engine/notes.h"

#include <stdlib.h>

enum { CACHE_LINE = 64 };
_Static_assert(sizeof(hk_score_line) == CACHE_LINE, "a call takes one line of the cache");

typedef struct writer {
    hk_burst_score *to;
    size_t lines, copies, finite; /* written so far */
} writer;

static int by_target(const void *a, const void *b) {
    const hk_copy *x = a;
    const hk_copy *y = b;
    return x->to < y->to ? -1 : x->to > y->to;
}

/* No copy reads what another one writes, so they may be made in any order. A native component may
 * declare an input and an output at the same place. */
static bool are_apart(const hk_cell *c) {
    size_t n = (size_t)(c->copies8_end - c->copies8);
    hk_copy *sorted = hk_alloc((n + 1) * sizeof *sorted);
    bool apart = true;
    for (size_t i = 0; i < n; i++)
        sorted[i] = c->copies8[i];
    qsort(sorted, n, sizeof *sorted, by_target);
    for (size_t i = 0; i < n && apart; i++) {
        const char *from = c->copies8[i].from;
        size_t behind = 0; /* the first that ends behind the beginning of FROM */
        HK_SEARCH(behind, n, k, (const char *)sorted[k].to + 8 <= from)
        apart = behind == n || (const char *)sorted[behind].to >= from + 8;
    }
    hk_free(sorted);
    return apart;
}

static bool is_byte(const hk_general_copy *g) {
    return !g->past && !g->slope && !g->trouble && !g->transform && g->from_store == g->to_store &&
           g->to_store != HK_STORE_BYTES && g->from_bytes == 1;
}

/* All that is rare in it is copies of single bytes: truths. */
static bool has_bytes_only(const hk_cell *c) {
    bool only = c->copies4 == c->copies4_end && c->linears == c->linears_end &&
                c->text_gets == c->text_gets_end && c->row_gets == c->row_gets_end &&
                c->finite_many == c->finite_many_end && c->finite_rows == c->finite_rows_end &&
                c->pasts == c->pasts_end && c->gates == c->gates_end && !c->sends;
    for (const hk_general_copy *g = c->generals; g < c->generals_end && only; g++)
        only = is_byte(g);
    return only;
}

static hk_voice_kind kind_of(const hk_cell *c) {
    bool refs = c->sets_sized == c->sets_end && c->gets_sized == c->gets_end;
    bool sized = c->sets == c->sets_sized && c->gets == c->gets_sized;
    const hk_stepping *const *s = c->steps;
    if ((c->rare && !has_bytes_only(c)) || c->rare_steps || !are_apart(c))
        return VOICE_MIXED;
    if (refs && sized && s[HK_STEP_FLAGGED] == s[HK_STEP_SHAPES])
        return VOICE_MEMORY;
    if (c->rare)
        return VOICE_MIXED;
    if (refs && s[HK_STEP_PLAIN] == s[HK_STEP_FLAGGED] && s[HK_STEP_REPORTED] == s[HK_STEP_SHAPES])
        return VOICE_REFS;
    if (sized && s[HK_STEP_PLAIN] == s[HK_STEP_REPORTED])
        return VOICE_SIZED;
    return VOICE_MIXED;
}

/* ---- copies and what must be finite ---- */

static bool follows(const hk_copy *x, const hk_copy *before) {
    return x->from == (const char *)before->from + 8 && x->to == (char *)before->to + 8;
}

static bool is_three(const hk_copy *x, const hk_copy *end) {
    return end - x >= 3 && follows(x + 1, x) && follows(x + 2, x + 1);
}

static void write_copies(writer *w, hk_voice *v, const hk_cell *c) {
    hk_copy *to = w->to->copies;
    v->ones = to + w->copies;
    for (const hk_copy *x = c->copies8; x < c->copies8_end;)
        if (is_three(x, c->copies8_end))
            x += 3;
        else
            to[w->copies++] = *x++;
    v->ones_end = to + w->copies;
    for (const hk_copy *x = c->copies8; x < c->copies8_end;) {
        bool three = is_three(x, c->copies8_end);
        if (three)
            to[w->copies++] = x[1];
        x += three ? 3 : 1;
    }
    v->threes_end = to + w->copies;
    for (const hk_general_copy *g = c->generals; g < c->generals_end; g++)
        to[w->copies++] = (hk_copy){g->from, g->to};
    v->bytes_end = to + w->copies;
}

static void write_finite(writer *w, hk_voice *v, const hk_cell *c) {
    const double **to = w->to->finite;
    v->finite = HK_AT(to, w->finite);
    for (const hk_segment *s = c->finite; s < c->finite_end; s++) {
        HK_ASSERT(s->store == HK_STORE_F64);
        for (size_t i = 0; i + 3 <= s->count; i += 3)
            to[w->finite++] = (const double *)s->from + i;
    }
    v->finite_threes_end = HK_AT(to, w->finite);
    for (const hk_segment *s = c->finite; s < c->finite_end; s++)
        for (size_t i = s->count - s->count % 3; i < s->count; i++)
            to[w->finite++] = (const double *)s->from + i;
    v->finite_end = HK_AT(to, w->finite);
    v->finite_twos_end = v->finite_end - (v->finite_end - v->finite_threes_end) % 2;
}

/* ---- calls ---- */

static void write_end(writer *w, uint64_t must) {
    w->to->lines[w->lines++] = (hk_score_line){.last.must = must};
}

static void write_exchanges(writer *w, const hk_exchange *begin, const hk_exchange *end) {
    for (const hk_exchange *x = begin; x < end; x++) {
        hk_score_line *to = &w->to->lines[w->lines++];
        *to = (hk_score_line){.what = x->what,
                              .self = x->call.self,
                              .refs = x->call.refs,
                              .with.n = x->call.n,
                              .to.values = x->call.values,
                              .last.value_count = x->call.value_count};
        if (x->call.shape == HK_SHAPE_REFS)
            to->fn.refs = x->call.fn.refs;
        else
            to->fn.sized = x->call.fn.refs_sized;
    }
}

static void write_steps(writer *w, const hk_stepping *begin, const hk_stepping *end) {
    for (const hk_stepping *s = begin; s < end; s++) {
        hk_score_line *to = &w->to->lines[w->lines++];
        *to = (hk_score_line){.what = s->what,
                              .self = s->call.self,
                              .with.flag = s->call.flag,
                              .to.report = s->call.report};
        if (s->call.shape == HK_STEP_PLAIN)
            to->fn.plain = s->call.fn.plain;
        else if (s->call.shape == HK_STEP_FLAGGED)
            to->fn.flagged = s->call.fn.flagged;
        else
            to->fn.reported = s->call.fn.reported;
    }
}

static void write_voice(writer *w, hk_voice *v, const hk_cell *c) {
    const hk_cell_watch *sum = &c->watch;
    *v = (hk_voice){.kind = kind_of(c),
                    .last = c->last,
                    .due = sum->due,
                    .advance = sum->advance,
                    .after = sum->after,
                    .cell = c};
    if (v->kind == VOICE_MIXED)
        return;
    write_copies(w, v, c);
    write_finite(w, v, c);
    v->lines = w->to->lines + w->lines;
    write_exchanges(w, c->sets, c->sets_end);
    write_end(w, sum->must[CALL_SET]);
    write_steps(w, c->steps[0], c->steps[HK_STEP_SHAPES]);
    write_end(w, sum->must[CALL_STEP]);
    write_exchanges(w, c->gets, c->gets_end);
    write_end(w, sum->must[CALL_GET]);
}

/* Room for all lists of all cells. */
static void make_room(hk_burst_score *to, const hk_cell *cells, size_t count) {
    size_t lines = 0, copies = 0, finite = 0;
    for (const hk_cell *c = cells; c < cells + count; c++) {
        lines += (size_t)((c->sets_end - c->sets) + (c->gets_end - c->gets) +
                          (c->steps[HK_STEP_SHAPES] - c->steps[0]) + CALL_KINDS);
        copies += (size_t)((c->copies8_end - c->copies8) + (c->generals_end - c->generals));
        for (const hk_segment *s = c->finite; s < c->finite_end; s++)
            finite += s->count / 3 + s->count % 3;
    }
    to->voices = hk_alloc((count + 1) * sizeof *to->voices);
    to->copies = hk_alloc((copies + 1) * sizeof *to->copies);
    to->finite = hk_alloc((finite + 1) * sizeof *to->finite);
    to->line_count = lines;
    to->line_memory = hk_alloc((lines + 1) * sizeof *to->lines);
    size_t beyond = (uintptr_t)to->line_memory % CACHE_LINE;
    to->lines =
        (hk_score_line *)(void *)((char *)to->line_memory + (beyond ? CACHE_LINE - beyond : 0));
}

static size_t find_fastest(const hk_sim *sim) {
    size_t fastest = 0;
    for (size_t r = 1; r < sim->loop.rate_count; r++)
        if (sim->loop.rates[r].period < sim->loop.rates[fastest].period)
            fastest = r;
    return fastest;
}

void hk_score_write(hk_sim *sim) {
    HK_ASSERT(sim);
    hk_score_finish(sim);
    if (sim->loop.rate_count == 0 || sim->threads.team)
        return; /* there are no bursts */
    sim->score = hk_alloc(sizeof *sim->score);
    sim->score->rate = find_fastest(sim);
    const hk_rate_state *rate = &sim->loop.rates[sim->score->rate];
    const hk_cell *cells = &sim->loop.cells[rate->cells.begin];
    size_t count = rate->cells.end - rate->cells.begin, voices = 0;
    make_room(sim->score, cells, count);
    writer w = {.to = sim->score};
    /* What is idle adds nothing to the sum, which goes on behind it; at the end it begins again. */
    for (size_t i = 0; i < count; i++)
        if (i + 1 == count || !hk_idle_cell(sim, &cells[i]))
            write_voice(&w, &sim->score->voices[voices++], &cells[i]);
    sim->score->count = voices;
    hk_notes_write(sim, sim->score);
}

void hk_score_finish(hk_sim *sim) {
    HK_ASSERT(sim);
    hk_burst_score *s = sim->score;
    if (!s)
        return;
    hk_free(s->voices);
    hk_free(s->copies);
    hk_free(s->finite);
    hk_free(s->line_memory);
    hk_free(s->notes);
    hk_free(s->steady);
    hk_free(s->still);
    hk_free(s->stills);
    hk_free(s->looked);
    hk_free(s->looks);
    hk_free(s);
    sim->score = NULL;
}

/* SPDX-License-Identifier: MIT */
#include "engine/notes.h"

#include "engine/looks.h"
#include "engine/still.h"
#include "engine/tokens.h"

typedef struct note_writer {
    const hk_burst_score *score;
    hk_score_note *x; /* the next one */
    bool steady;      /* without copies that stand still */
    uint64_t less;    /* what those that are left out would have added to the sum */
} note_writer;

static void put(note_writer *w, hk_note_kind kind, hk_score_note note) {
    note.how = hk_notes_ways()[kind];
    *w->x++ = note;
}

static bool leaves_out(note_writer *w, const hk_copy *c, hk_note_kind kind) {
    if (!w->steady || !hk_is_still(w->score, c))
        return false;
    uint64_t token = hk_copy_token(c->from, c->to);
    w->less += kind == NOTE_THREE ? HK_THREE_TOKENS(token) : token;
    return true;
}

/* Those of the copies from BEGIN to END that look, or do not. KIND is that of one; of threes two
 * are a note, of the kind that comes next. */
static void write_copies(note_writer *w, const hk_copy *begin, const hk_copy *end,
                         hk_note_kind kind, bool look) {
    const hk_copy *first = NULL;
    bool by_twos = kind == NOTE_THREE || kind == NOTE_LOOKED_THREE;
    for (const hk_copy *c = begin; c < end; c++) {
        if (w->score->looked[c - w->score->copies] != look || leaves_out(w, c, kind))
            continue;
        if (first)
            put(w, kind + 1, (hk_score_note){.of.copy = *first, .with.copy = *c});
        else if (!by_twos)
            put(w, kind, (hk_score_note){.of.copy = *c});
        first = first || !by_twos ? NULL : c;
    }
    if (first)
        put(w, kind, (hk_score_note){.of.copy = *first});
}

static void write_end(note_writer *w, hk_note_kind kind, const hk_voice *v, uint64_t must) {
    put(w, kind, (hk_score_note){.of.end = {must - w->less, v}});
}

static void write_look(note_writer *w, hk_note_kind kind, const hk_voice *v, hk_look_list list) {
    if (list.begin != list.end)
        put(w, kind, (hk_score_note){.of.end = {0, v}, .with.look = list});
}

/* Where nothing is copied nothing is compared before the steps: the sum is what it was. */
static void write_voice(note_writer *w, hk_voice *v) {
    const hk_score_note *begin = w->x;
    write_copies(w, v->ones, v->ones_end, NOTE_ONE, false);
    write_copies(w, v->ones, v->ones_end, NOTE_LOOKED_ONE, true);
    write_copies(w, v->ones_end, v->threes_end, NOTE_THREE, false);
    write_copies(w, v->ones_end, v->threes_end, NOTE_LOOKED_THREE, true);
    write_copies(w, v->threes_end, v->bytes_end, NOTE_BYTE, false);
    const hk_score_line *line = v->lines;
    if (w->x != begin)
        write_end(w, NOTE_TAKEN, v, line->last.must);
    for (line++; line->fn.plain; line++)
        put(w, NOTE_STEP,
            (hk_score_note){.of.what = line->what, .with.step = {line->fn.plain, line->self}});
    v->stepped[w->steady] = w->x;
    write_end(w, NOTE_STEPPED, v, line->last.must);
    write_look(w, NOTE_LOOK_THREES, v, (hk_look_list){v->left, v->left_threes_end});
    write_look(w, NOTE_LOOK_ONES, v, (hk_look_list){v->left_threes_end, v->left_end});
}

/* Sums go on from voice to voice: none begins anew but after the last. */
static bool goes_on(const hk_burst_score *s, size_t voice) {
    const hk_cell_watch *w = &s->voices[voice].cell->watch;
    return w->must[CALL_GET] == w->must[CALL_STEP] &&
           (voice + 1 == s->count || w->after == w->must[CALL_GET]);
}

/* How many notes there are at most; 0: none. */
static size_t count_notes(const hk_burst_score *s) {
    size_t count = s->line_count + 1;
    for (size_t i = 0; i < s->count; i++) {
        const hk_voice *v = &s->voices[i];
        if (v->kind != VOICE_MEMORY || !goes_on(s, i))
            return 0;
        count += (size_t)(v->bytes_end - v->ones) + 4;
    }
    return s->count ? count : 0;
}

static hk_score_note *write_all(hk_burst_score *s, size_t count, bool steady) {
    hk_score_note *notes = hk_alloc(count * sizeof *notes);
    note_writer w = {.score = s, .x = notes, .steady = steady};
    for (size_t i = 0; i < s->count; i++)
        write_voice(&w, &s->voices[i]);
    put(&w, NOTE_OVER, (hk_score_note){.again = false});
    for (hk_score_note *x = notes; x + 1 < w.x; x++)
        x->again = x[0].how == x[1].how;
    return notes;
}

void hk_notes_write(const hk_sim *sim, hk_burst_score *score) {
    HK_ASSERT(sim && score);
    size_t count = count_notes(score);
    if (!count)
        return;
    hk_still_find(sim, score);
    hk_looks_share(sim, score);
    score->notes = write_all(score, count, false);
    if (score->still_count)
        score->steady = write_all(score, count, true);
}

/* SPDX-License-Identifier: MIT
 *
 * Notes: a score in which all voices are of native components, once more, as one row of small
 * pieces for a whole instant. Each says by itself how it is played, so that the loop goes from one
 * to the next and there is nothing to set up where a voice or a list begins or ends. */
#ifndef HK_ENGINE_NOTES_H
#define HK_ENGINE_NOTES_H

#include "engine/score.h"

typedef enum hk_note_kind {
    /* Copies: of a double, of three in line by the one in the middle, of a byte. */
    NOTE_ONE,
    NOTE_THREE,
    NOTE_TWO_THREES,
    NOTE_BYTE,
    NOTE_LOOKED_ONE, /* the same, and whether it is finite */
    NOTE_LOOKED_THREE,
    NOTE_TWO_LOOKED_THREES,
    NOTE_TAKEN, /* all is copied: the sum is compared, and what was looked at must be finite */
    NOTE_STEP,
    NOTE_STEPPED,     /* all has stepped: the sum is compared */
    NOTE_LOOK_THREES, /* whether the rest is finite */
    NOTE_LOOK_ONES,
    NOTE_OVER, /* the end of the instant */
    NOTE_KINDS
} hk_note_kind;

/* Numbers that must be finite. */
typedef struct hk_look_list {
    const double *const *begin, *const *end;
} hk_look_list;

typedef struct hk_score_note {
    union {
        hk_op what; /* of a step: what the guard sees while it lasts */
        hk_copy copy;
        struct {
            uint64_t must; /* what the sum is then */
            const hk_voice *voice;
        } end;
    } of;
    const void *how; /* where in the loop it is played */
    union {
        hk_copy copy; /* the second of two */
        struct {
            hk_step_plain_fn *fn;
            void *self;
        } step;
        hk_look_list look;
    } with;
    uint64_t again; /* the next is of the same kind */
} hk_score_note;

/* notes.c: writes those of a score, if all of its voices are of native components. */
void hk_notes_write(const hk_sim *sim, hk_burst_score *score);
/* notes_play.c: where each kind is played. */
const void *const *hk_notes_ways(void);
/* A burst; calls are compared. False: the run ends here. */
bool hk_notes_play(hk_sim *sim, hk_burst_span *b);

#endif

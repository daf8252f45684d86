/* SPDX-License-Identifier: MIT
 *
 * The score: what the cells do, written out once more so that the loop reads it from the first word
 * to the last. For bursts, in which the same cells run again and again and nothing else happens.
 * A voice is one cell; its lines are its calls, each in a line of the cache of its own, in the
 * order `sets.. end steps.. end gets.. end`, so that one pointer walks through all of them. */
#ifndef HK_ENGINE_SCORE_H
#define HK_ENGINE_SCORE_H

#include "engine/sim_parts.h"

/* A voice whose calls are all alike is played by a loop that knows them. */
typedef enum hk_voice_kind {
    VOICE_MIXED,  /* goes by the lists of its cell */
    VOICE_MEMORY, /* native components: no sets and gets, plain steps; truths are copied, too */
    VOICE_REFS,   /* FMI 1.0 and 2.0 */
    VOICE_SIZED   /* FMI 3.0 */
} hk_voice_kind;

typedef union hk_line_fn {
    hk_refs_fn *refs;
    hk_refs_sized_fn *sized;
    hk_step_plain_fn *plain;
    hk_step_flagged_fn *flagged;
    hk_step_reported_fn *reported;
} hk_line_fn;

typedef struct hk_score_line {
    hk_op what;    /* what the guard sees while the call lasts */
    hk_line_fn fn; /* NULL: the end of a list */
    void *self;
    const uint32_t *refs;
    union {
        size_t n;
        bool flag; /* of steps */
    } with;
    union {
        void *values;
        hk_step_report *report;
    } to;
    union {
        size_t value_count; /* SIZED */
        uint64_t must;      /* the end of a list: what the sum is then */
    } last;
} hk_score_line;

typedef struct hk_voice {
    hk_voice_kind kind;
    /* Copies, each kind up to its end: of one double; of three in line, by the one in the middle;
     * of one byte (MEMORY only). */
    const hk_copy *ones, *ones_end, *threes_end, *bytes_end;
    const hk_score_line *lines;
    /* What must be finite: three in line, by the first; then single ones, by twos; perhaps one. */
    const double *const *finite, *const *finite_threes_end, *const *finite_twos_end;
    const double *const *finite_end;
    hk_tick *last;
    hk_due_time *due;
    hk_tick advance; /* see cell_watch; not by a pattern: then there are no bursts */
    uint64_t after;
    const hk_cell *cell;
    /* With notes: what no copy looks at, as above. */
    const double *const *left, *const *left_threes_end, *const *left_end;
    const struct hk_score_note *stepped[2]; /* notes and steady ones: what ends its steps */
} hk_voice;

typedef struct hk_still_copy {
    const char *from, *to;
    size_t bytes;
} hk_still_copy;

typedef struct hk_burst_score {
    size_t rate;      /* the one that is due most often: the others are not due in a burst */
    hk_voice *voices; /* of its cells, but those of which all is stopped */
    size_t count;
    struct hk_score_note *notes;  /* the same if all of them are MEMORY, else NULL: notes.h */
    struct hk_score_note *steady; /* those without copies that stand still; NULL: there are none */
    bool *still;                  /* per copy: it does (still.h) */
    hk_still_copy *stills;
    size_t still_count;
    bool *looked;         /* per copy: it looks whether what it brings is finite (looks.h) */
    const double **looks; /* the rest */
    hk_score_line *lines;
    size_t line_count;
    hk_copy *copies;
    const double **finite;
    void *line_memory; /* what lies in it begins at a line of the cache */
} hk_burst_score;

/* Instants that are all alike. */
typedef struct hk_burst_span {
    hk_tick t, last, period; /* T moves on; LAST is not part of it */
    uint64_t *seen;          /* the sum so far */
    uint64_t after;          /* that of the last voice */
    double h;
    bool behaves;                       /* the floating-point environment is as it was */
    const struct hk_score_note *failed; /* notes: at T, where it ended; NULL: nowhere */
} hk_burst_span;

/* score.c: writes it anew, after anything has changed. */
void hk_score_write(hk_sim *sim);
void hk_score_finish(hk_sim *sim);
/* burst.c: instants at which one rate is due and nothing else happens, up to END at most; none if
 * that is not so. MONITORED: calls are compared. False: the run ends here. */
bool hk_burst(hk_sim *sim, hk_tick end, bool monitored);
/* run.c: one cell by its lists. */
bool hk_run_cell(hk_sim *sim, const hk_cell *c, bool monitored);

#endif

/* SPDX-License-Identifier: MIT
 *
 * How far a run is, on standard error. */
#ifndef HK_CLI_PROGRESS_H
#define HK_CLI_PROGRESS_H

#include "cli/cli.h"

typedef enum hk_progress_mode {
    HK_PROGRESS_NONE,
    HK_PROGRESS_LINE,   /* one line, drawn again and again: terminals */
    HK_PROGRESS_TENTHS, /* a line for each tenth: files */
    HK_PROGRESS_JSON
} hk_progress_mode;

typedef struct hk_progress {
    hk_progress_mode mode;
    const char *program; /* who speaks, where lines are not drawn again */
    bool color;
    double step_s;      /* of the experiment, to count steps */
    int64_t started_ns; /* wall time of the first call */
    int64_t drawn_ns;   /* wall time of the last line */
    double started_at;  /* simulated time then */
    int tenths;         /* written so far */
} hk_progress;

/* CHOICE: value of --progress, or NULL. */
hk_progress hk_progress_start(const hk_cli *cli, const char *choice, double step_s, double t);
/* For hk_listener.progress; USER is the hk_progress. */
void hk_progress_update(void *user, double t, double start, double stop);
/* Clears the line. */
void hk_progress_end(hk_progress *progress);
/* The same of any line that cli->redrawn_line says is there. */
void hk_progress_clear(hk_cli *cli);

#endif

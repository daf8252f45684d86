/* SPDX-License-Identifier: MIT
 *
 * What happened in the runs of a simulation or of a system, as one page of HTML that needs nothing
 * else: verdicts, trajectories, curves, tables. It is made from the results of the runs and from
 * their logs, which are read back one after the other. Nothing in it depends on when it was made.
 */
#ifndef HK_REPORT_PAGE_REPORT_H
#define HK_REPORT_PAGE_REPORT_H

#include "report/play_report.h"

typedef struct hk_page {
    const char *title; /* the name of the simulation or system */
    const char *file;
    const hk_model *model;    /* the system */
    const uint64_t *seed;     /* NULL: nothing is drawn by it */
    const char *version;      /* of hocket */
    const char *command;      /* that gives the same result again */
    hk_status status;         /* what all of it came to */
    const hk_play_report *of; /* of a system: one run, whose scenario is NULL */
    bool private;             /* its record is for this page only, and not kept */
    const char *const *files; /* written beside the logs; some may be NULL */
    size_t file_count;
} hk_page;

/* Says early why a page cannot be written to PATH. */
HK_NODISCARD hk_status hk_page_check(hk_ctx *ctx, const char *path);
/* Writes it; messages that CTX holds are part of it. */
HK_NODISCARD hk_status hk_page_write(hk_ctx *ctx, const hk_page *page, const char *path);

#endif

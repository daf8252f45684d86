/* SPDX-License-Identifier: MIT
 *
 * Two records compared: the answer of `hocket compare`. */
#ifndef HK_REPORT_COMPARE_REPORT_H
#define HK_REPORT_COMPARE_REPORT_H

#include "record/compare.h"
#include "report/report.h"

enum { HK_COMPARE_SHOWN = 10 }; /* signals, if nobody asks for more */

typedef struct hk_compare_view {
    const char *paths[2];
    const hk_compare_options *options;
    const hk_comparison *comparison;
    size_t limit; /* of names and signals in a list */
} hk_compare_view;

/* What is asked for in words. */
typedef struct hk_compare_texts {
    hk_patterns tolerance_for; /* "PATTERN=ABS[,REL]" */
    hk_patterns map;           /* "NAME=OTHER" */
} hk_compare_texts;

/* A number that is not negative; false: it is not one. */
bool hk_compare_read_amount(const char *text, size_t length, double *ret_amount);
/* Takes TEXTS into OPTIONS, in ARENA; says so if they contradict each other. */
HK_NODISCARD hk_status hk_compare_complete(hk_ctx *ctx, hk_arena *arena,
                                           const hk_compare_texts *texts,
                                           hk_compare_options *options);
/* The members of the answer. */
void hk_compare_put(const hk_compare_view *view, hk_json *json);
/* A note on what a difference in the last bits may come from: the libm of the two records. */
void hk_compare_tell_libm(hk_ctx *ctx, const hk_compare_view *view);
/* The one diagnostic of records that differ. */
hk_status hk_compare_fail(hk_ctx *ctx, hk_arena *arena, const hk_compare_view *view);

#endif

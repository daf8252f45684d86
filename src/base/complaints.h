/* SPDX-License-Identifier: MIT
 *
 * The errors of one reader: it goes on behind each, and after many of them the rest is not shown,
 * so that one slip in a large file does not bury what matters. */
#ifndef HK_BASE_COMPLAINTS_H
#define HK_BASE_COMPLAINTS_H

#include "base/diag.h"

#include <stdarg.h>

enum { HK_COMPLAINTS_MAX = 50, HK_SUGGESTIONS_MAX = 20 };

typedef struct hk_complaints {
    hk_ctx *ctx;
    size_t count;       /* also of those that were not shown */
    size_t suggestions; /* searches for close names */
    hk_status first;    /* HK_OK: none */
    bool mute;          /* a note says that some are not shown: texts for more need not be made */
} hk_complaints;

/* Like hk_error, but a note comes instead of the first behind HK_COMPLAINTS_MAX, and nothing
 * instead of the rest. */
hk_status hk_complain(hk_complaints *all, hk_status code, hk_where where, const char *hint,
                      const char *format, ...) HK_PRINTF(5, 6);
hk_status hk_complain_args(hk_complaints *all, hk_status code, hk_where where, const char *hint,
                           const char *format, va_list args) HK_PRINTF(5, 0);
/* Counts an error that somebody else has reported; returns CODE. */
hk_status hk_complaint_heard(hk_complaints *all, hk_status code);

/* hk_hint_closest without a fallback, but only for the first HK_SUGGESTIONS_MAX: it takes time to
 * find. Who has to make the list of names first asks whether that is worth while. */
const char *hk_complaint_suggest(hk_complaints *all, hk_arena *arena, const char *word,
                                 const char *const *names, size_t count);
bool hk_complaints_may_suggest(const hk_complaints *all);

/* diag.c: from now on a note comes instead of the error behind LIMIT of them, and nothing instead
 * of the rest, whoever finds them: for those who read what a stranger has written, with the help
 * of others. 0: no limit. Returns the one before. */
size_t hk_ctx_limit_errors(hk_ctx *ctx, size_t limit);
/* The words of that note. */
const char *hk_complaints_more(hk_arena *arena, size_t shown);

#endif

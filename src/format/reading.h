/* SPDX-License-Identifier: MIT
 *
 * What readers of systems in the formats of others have in common: what was said is not said
 * again, errors are counted and reading goes on, the code of the first one is the result. Those
 * behind HK_COMPLAINTS_MAX are not shown, whoever finds them. */
#ifndef HK_FORMAT_READING_H
#define HK_FORMAT_READING_H

#include "base/complaints.h"
#include "base/map.h"

typedef struct hk_reading {
    hk_arena *arena; /* somebody else's */
    hk_status code;  /* of what is wrong with the file by its format: HK_E_SSP */
    hk_map told;
    hk_complaints complaints;
    size_t limit_before; /* of errors, of who reads around this */
} hk_reading;

/* CODE: of what is wrong with the file by its format. */
hk_reading hk_reading_begin(hk_ctx *ctx, hk_arena *arena, hk_status code);
void hk_reading_finish(hk_reading *r);
void hk_reading_failed(hk_reading *r, hk_status error);
/* True the first time that KEY (copied) is seen. */
bool hk_reading_first(hk_reading *r, const char *key);
/* See hk_complaint_suggest. */
bool hk_reading_may_suggest(const hk_reading *r);
const char *hk_reading_suggest(hk_reading *r, const char *word, const char *const *names,
                               size_t count);

#endif

/* SPDX-License-Identifier: MIT
 *
 * What readers of systems in the formats of others have in common: what was said is not said
 * again, errors are counted and reading goes on, the code of the first one is the result. */
#ifndef HK_FORMAT_READING_H
#define HK_FORMAT_READING_H

#include "base/diag.h"
#include "base/map.h"

typedef struct hk_reading {
    hk_arena *arena; /* somebody else's */
    hk_status code;  /* of what is wrong with the file by its format: HK_E_SSP */
    hk_map told;
    size_t error_count, suggestion_count;
    hk_status error; /* the first */
} hk_reading;

void hk_reading_finish(hk_reading *r);
void hk_reading_failed(hk_reading *r, hk_status error);
/* True the first time that KEY (copied) is seen. */
bool hk_reading_first(hk_reading *r, const char *key);
/* "did you mean 'x'?" or NULL. Only for the first few errors: it takes time to find, and who has to
 * make the list of names first asks whether that is worth while. */
bool hk_reading_may_suggest(const hk_reading *r);
const char *hk_reading_suggest(hk_reading *r, const char *word, const char *const *names,
                               size_t count);

#endif

/* SPDX-License-Identifier: MIT
 *
 * Searching states: those of one process, and pairs of two. */
#ifndef HK_CSP_SEARCH_H
#define HK_CSP_SEARCH_H

#include "csp/machine.h"

/* States in the order in which they were found, which is that of the nearest first, and how. */
typedef struct hk_csp_found {
    uint32_t *states; /* terms; of pairs: any numbers */
    uint32_t *before; /* the place of the one it was found from */
    uint32_t *events;
    size_t count, cap;
} hk_csp_found;

void hk_csp_found_add(hk_csp_found *found, uint32_t state, uint32_t before, uint32_t event);
void hk_csp_found_free(hk_csp_found *found);
/* What is seen on the way to the PLACE, and then LAST (tau: nothing). */
hk_texts hk_csp_way(hk_arena *arena, const hk_csp_machine *m, const hk_csp_found *found,
                    size_t place, uint32_t last);

/* search.c: deadlock and divergence of the process that begins in ROOT. */
void hk_csp_search(hk_csp_machine *m, hk_arena *arena, hk_csp_question question, uint32_t root,
                   hk_csp_verdict *verdict);
/* refine.c: traces of IMPLEMENTATION among those of SPECIFICATION. */
void hk_csp_refine(hk_csp_machine *m, hk_arena *arena, uint32_t specification,
                   uint32_t implementation, hk_csp_verdict *verdict);

#endif

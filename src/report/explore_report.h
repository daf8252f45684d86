/* SPDX-License-Identifier: MIT
 *
 * Proofs about a controller in RoboChart: the answer of `hocket prove x.rct`. */
#ifndef HK_REPORT_EXPLORE_REPORT_H
#define HK_REPORT_EXPLORE_REPORT_H

#include "explore/explore.h"
#include "report/prove.h"

typedef struct hk_chart_proof_wishes {
    hk_explore_wishes explore;
    const char *export_promela; /* file that is written; NULL: none */
    const char *witnesses;      /* folder for tables of inputs; NULL: none are written */
} hk_chart_proof_wishes;

typedef struct hk_chart_proof {
    const char *file;
    hk_explored explored;
    /* Per finding: the file that its inputs were written to, and the command that shows it with
     * them; NULL: none. */
    const char **tables, **replays;
} hk_chart_proof;

bool hk_names_chart(const char *path); /* .rct */

/* HK_OK: there is an answer, be it yes or no. Everything lives in the arena of the report. */
HK_NODISCARD hk_status hk_chart_proof_make(const hk_report *report, const char *file,
                                           const hk_chart_proof_wishes *wishes,
                                           hk_chart_proof *ret_proof);
hk_status hk_chart_proof_status(const hk_chart_proof *proof); /* HK_OK: yes */
/* The one diagnostic of a no; its status. */
hk_status hk_chart_proof_fail(const hk_report *report, const hk_chart_proof *proof);
hk_proof_state hk_chart_proof_state(const hk_explore_finding *finding);
/* The members of the answer. */
void hk_chart_proof_put(const hk_report *report, const hk_chart_proof *proof, hk_json *json);

#endif

/* SPDX-License-Identifier: MIT
 *
 * What a script in CSPm asserts: the answer of `hocket prove x.csp`. */
#ifndef HK_REPORT_CSP_REPORT_H
#define HK_REPORT_CSP_REPORT_H

#include "csp/csp.h"
#include "report/prove.h"

typedef struct hk_csp_proof {
    const char *file;
    const hk_csp_assertion *assertions; /* as many as verdicts */
    const hk_csp_verdict *verdicts;
    size_t count;
    size_t wrong;       /* the first that does not hold; count: all do */
    const char *answer; /* "yes: ...", "no: ..." */
} hk_csp_proof;

typedef struct hk_csp_wishes {
    uint64_t states; /* so many are looked at, at most; 0: HK_CSP_STATES */
    hk_csp_watch watch;
} hk_csp_wishes;

bool hk_names_csp(const char *path); /* .csp */

/* HK_OK: there is an answer, be it yes or no. Everything lives in the arena of the report. */
HK_NODISCARD hk_status hk_csp_proof_make(const hk_report *report, const char *file,
                                         const hk_csp_wishes *wishes, hk_csp_proof *ret_proof);
/* The same of a text that FILE is the name of. */
HK_NODISCARD hk_status hk_csp_proof_text(const hk_report *report, const hk_file_text *text,
                                         const hk_csp_wishes *wishes, hk_csp_proof *ret_proof);
hk_status hk_csp_proof_status(const hk_csp_proof *proof); /* HK_OK: yes */
/* The one diagnostic of a no; its status. */
hk_status hk_csp_proof_fail(const hk_report *report, const hk_csp_proof *proof);
hk_proof_state hk_csp_proof_state(const hk_csp_verdict *verdict);
/* What was found about one of them, in one sentence. */
const char *hk_csp_proof_words(hk_arena *arena, const hk_csp_verdict *verdict);
/* The members of the answer. */
void hk_csp_proof_put(const hk_report *report, const hk_csp_proof *proof, hk_json *json);

#endif

/* SPDX-License-Identifier: MIT
 *
 * Between the files that prove. */
#ifndef HK_REPORT_PROVE_INTERNAL_H
#define HK_REPORT_PROVE_INTERNAL_H

#include "report/prove.h"

hk_finding *hk_proof_add(hk_proof *proof, hk_finding finding);

/* prove_file.c: the meaning of a multi-model becomes that of the proof. STEP: of blocks that have
 * no cycle; 0: not known. */
HK_NODISCARD hk_status hk_proof_read_file(hk_proof *proof, const char *path,
                                          const hk_wishes *wishes);
void hk_proof_use_model(hk_proof *proof); /* its values in units and numbers of what runs */
/* What the record of a run holds: it is read, connected or not. */
HK_NODISCARD hk_status hk_proof_recorded(hk_proof *proof, hk_program_observed *ret_observed);
/* What the CSP engine says about the specification and the master. */
HK_NODISCARD hk_status hk_prove_csp(hk_proof *proof, const hk_report *report);

#endif

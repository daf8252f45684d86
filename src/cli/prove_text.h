/* SPDX-License-Identifier: MIT
 *
 * What `hocket prove` found, for people. */
#ifndef HK_CLI_PROVE_TEXT_H
#define HK_CLI_PROVE_TEXT_H

#include "cli/cli.h"
#include "report/csp_report.h"
#include "report/explore_report.h"

/* In its last line yes or no. Quiet: what was made is still handed over, for that is what was asked
 * for. */
void hk_proof_print(hk_cli *cli, const hk_proof *proof);
/* cli/prove_chart.c: `hocket prove x.rct`. */
HK_NODISCARD hk_status hk_cli_prove_chart(hk_cli *cli, const hk_args *args);
/* --states; 0: it is not given. */
HK_NODISCARD hk_status hk_proof_states(hk_cli *cli, const hk_args *args, uint32_t *ret_states);
/* cli/prove_csp.c: `hocket prove x.csp`. */
HK_NODISCARD hk_status hk_cli_prove_csp(hk_cli *cli, const hk_args *args);
/* Shows on a terminal how far the CSP engine is, until hk_progress_clear. */
hk_csp_watch hk_csp_watch_begin(hk_cli *cli);
void hk_csp_proof_print(hk_cli *cli, const hk_csp_proof *proof);
hk_style hk_proof_style(hk_proof_state state);

#endif

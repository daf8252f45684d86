/* SPDX-License-Identifier: MIT
 *
 * What `hocket prove` found, for people. */
#ifndef HK_CLI_PROVE_TEXT_H
#define HK_CLI_PROVE_TEXT_H

#include "cli/cli.h"
#include "report/prove.h"

/* In its last line yes or no. Quiet: what was made is still handed over, for that is what was asked
 * for. */
void hk_proof_print(hk_cli *cli, const hk_proof *proof);

#endif

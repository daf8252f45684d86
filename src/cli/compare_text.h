/* SPDX-License-Identifier: MIT
 *
 * What `hocket compare` says, for people. */
#ifndef HK_CLI_COMPARE_TEXT_H
#define HK_CLI_COMPARE_TEXT_H

#include "cli/cli.h"
#include "report/compare_report.h"

void hk_compare_text(hk_cli *cli, const hk_compare_view *view);

#endif

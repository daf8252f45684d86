/* SPDX-License-Identifier: MIT
 *
 * What `hocket compare` says. */
#ifndef HK_CLI_COMPARE_REPORT_H
#define HK_CLI_COMPARE_REPORT_H

#include "cli/cli.h"
#include "record/compare.h"

typedef struct hk_compare_view {
    const char *paths[2];
    const hk_compare_options *options;
    const hk_comparison *comparison;
    size_t limit; /* of names and signals in a list */
} hk_compare_view;

void hk_compare_text(hk_cli *cli, const hk_compare_view *view);
void hk_compare_json(hk_cli *cli, const hk_compare_view *view);
/* The one diagnostic of records that differ. */
hk_status hk_compare_failure(hk_cli *cli, const hk_compare_view *view);

#endif

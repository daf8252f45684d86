/* SPDX-License-Identifier: MIT
 *
 * What can be said of a RoboChart file without running it: `hocket check`. */
#ifndef HK_CHART_CHART_CHECK_H
#define HK_CHART_CHART_CHECK_H

#include "chart/chart.h"

/* What is in a file; of what it imports nothing is counted. */
typedef struct hk_chart_facts {
    size_t modules, controllers, machines, operations, functions, types, interfaces;
} hk_chart_facts;

/* Reads the file at PATH and what it imports, finds every mistake in it, with or without a module,
 * and warns of what is allowed and hardly meant. */
HK_NODISCARD hk_status hk_chart_check(hk_ctx *ctx, const char *path, hk_chart_facts *ret_facts);
/* The same for a text; what it imports is looked for beside TEXT's file. */
HK_NODISCARD hk_status hk_chart_check_text(hk_ctx *ctx, const hk_file_text *text,
                                           hk_chart_facts *ret_facts);
/* The same without looking for mistakes beyond those of its form. */
HK_NODISCARD hk_status hk_chart_count(hk_ctx *ctx, const char *path, hk_chart_facts *ret_facts);
/* The warnings about the machines of a module. */
void hk_chart_lint(hk_ctx *ctx, const hk_chart *chart);

#endif

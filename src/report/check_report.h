/* SPDX-License-Identifier: MIT
 *
 * Everything that can be said about a file without running it: the answer of `hocket check`. */
#ifndef HK_REPORT_CHECK_REPORT_H
#define HK_REPORT_CHECK_REPORT_H

#include "chart/chart_check.h"
#include "check/style.h"
#include "report/report.h"
#include "sysml/profile_rules.h"

/* Of an FMU: two questions, two answers. */
typedef struct hk_verdicts {
    bool by_run; /* whether it runs decides; else whether it keeps the rules */
    bool runs, keeps_rules;
    bool asked_wrongly;  /* options, or files they name, are wrong: that decides at every level */
    const char *why_not; /* it does not run; NULL: it does */
    size_t errors, warnings;               /* against the rules, all of them */
    size_t hidden_errors, hidden_warnings; /* of those, not shown one by one */
} hk_verdicts;

/* What was counted in a file. */
typedef struct hk_checked {
    hk_file_kind kind;
    size_t components, connections, columns, rows, scenarios, runs, types, interfaces;
    bool is_fmu;
    hk_verdicts verdicts; /* of an FMU */
    bool is_graph;        /* of nodes, by hand */
    size_t nodes, cells, flows;
    hk_chart_facts chart;
    const char *style;   /* that it was held to; NULL: none */
    const char *profile; /* the same of a multi-model */
} hk_checked;

typedef struct hk_check_wishes {
    hk_request request; /* but for its file */
    bool strict;        /* events of simulations that never fire are errors */
    bool by_run;        /* whether it runs decides about an FMU; else whether it keeps the rules */
    hk_style_wishes style;     /* of systems and simulations; hk_style_wishes_check */
    bool only_rules;           /* of a multi-model: what its blocks run is not opened */
    hk_profile_wishes profile; /* of multi-models in SysML; hk_profile_wishes_check */
} hk_check_wishes;

/* What is found goes to the context of REPORT. */
HK_NODISCARD hk_status hk_check_file(const hk_report *report, const hk_check_wishes *wishes,
                                     const char *path, hk_checked *ret_checked);
/* The object about one file; STATUS as it was checked. */
void hk_checked_put(hk_json *json, hk_arena *arena, const char *path, hk_status status,
                    const hk_checked *checked);
/* All messages of the context. */
void hk_findings_put(hk_json *json, const hk_ctx *ctx);

/* Up to where it could run. */
HK_NODISCARD hk_status hk_check_run(const hk_report *report, const hk_check_wishes *wishes,
                                    const char *path, hk_checked *ret_checked);
/* report/check_fmu.c: tells what is found, what does not decide as warnings, and returns what
 * decides. */
HK_NODISCARD hk_status hk_check_fmu_twice(const hk_report *report, const hk_check_wishes *wishes,
                                          const char *path, hk_verdicts *ret_verdicts);
void hk_verdicts_put(hk_json *json, const hk_verdicts *verdicts);
/* report/check_graph.c: a graph of nodes that was written by hand (.node). */
bool hk_names_graph(const char *path);
HK_NODISCARD hk_status hk_check_graph(hk_ctx *ctx, const char *path, hk_checked *ret_checked);
/* report/info_master.c: reads a master in words, and sees whether its algorithm keeps the contracts
 * of its instances. */
HK_NODISCARD hk_status hk_check_master(hk_ctx *ctx, hk_arena *arena, const char *path,
                                       size_t *ret_instances, size_t *ret_connections);

#endif

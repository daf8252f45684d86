/* SPDX-License-Identifier: MIT
 *
 * `hocket check x.fmu`: two questions, two answers. */
#ifndef HK_CLI_CHECK_FMU_H
#define HK_CLI_CHECK_FMU_H

#include "cli/cli.h"
#include "format/json.h"

typedef struct hk_verdicts {
    bool by_run; /* whether it runs decides; else whether it keeps the rules */
    bool runs, keeps_rules;
    bool asked_wrongly;  /* options, or files they name, are wrong: that decides at every level */
    const char *why_not; /* it does not run; NULL: it does */
    size_t errors, warnings;               /* against the rules, all of them */
    size_t hidden_errors, hidden_warnings; /* of those, not shown one by one */
} hk_verdicts;

/* Whether a file would run, up to the call of its components. */
typedef hk_status hk_check_run_fn(hk_cli *cli, const hk_args *args, const char *path);

/* Tells what is found, what does not decide as warnings, and returns what decides. */
HK_NODISCARD hk_status hk_check_fmu_twice(hk_cli *cli, const hk_args *args, const char *path,
                                          hk_check_run_fn *check_run, hk_verdicts *ret_verdicts);
/* PATH NULL: there is one file only. */
void hk_verdicts_print(const hk_cli *cli, const char *path, const hk_verdicts *verdicts);
void hk_verdicts_put(hk_json *json, const hk_verdicts *verdicts);

#endif

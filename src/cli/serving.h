/* SPDX-License-Identifier: MIT
 *
 * What `hocket serve` and `hocket run --serve` share: the options of the page, and its server. */
#ifndef HK_CLI_SERVING_H
#define HK_CLI_SERVING_H

#include "cli/cli.h"
#include "live/live.h"

/* The page of a run; zeroed before, closed in any case. */
typedef struct hk_serving {
    hk_live *live; /* NULL: none was asked for */
    bool stays;    /* when the run is over: `serve` */
} hk_serving;

/* Opens it, if that was asked for, and says where it is. Exactly one of MODEL and TABLE is there.
 * PLAN_JSON: the answer of `hocket plan`; NULL: there is none. */
HK_NODISCARD hk_status hk_serving_open(hk_cli *cli, const hk_args *args, const hk_assembly *made,
                                       const hk_table *table, hk_serving *ret_serving);
void hk_serving_close(hk_serving *serving);
/* Drives a run: for hk_play_options.drive. USER is a hk_serving. */
HK_NODISCARD hk_status hk_serving_drive(void *user, hk_sim *sim, const hk_plan *plan);
/* In a signal handler. */
void hk_serving_interrupt(void);

#endif

/* SPDX-License-Identifier: MIT
 *
 * A run, or a record, that can be watched and touched while it goes: `hocket serve`, `hocket run
 * --serve`. Clients speak the protocol of Foxglove (web/foxglove.h); docs/live.md lists channels
 * and services. */
#ifndef HK_LIVE_LIVE_H
#define HK_LIVE_LIVE_H

#include "engine/sim.h"
#include "format/table_read.h"
#include "web/server.h"

typedef struct hk_live hk_live;

typedef struct hk_live_options {
    hk_web_options web;
    const char *name; /* of what is served */
    bool read_only;   /* clients may look, and change nothing */
    bool paused;      /* it waits for a client to say so */
    double speed;     /* simulated seconds per second; 0: as fast as possible */
    /* Answers that clients may fetch beside the page ("api/info.json"); they live on. */
    const hk_web_page *answers;
    size_t answer_count;
} hk_live_options;

/* Exactly one of MODEL and TABLE is there; it lives on. The server answers from now on. */
HK_NODISCARD hk_status hk_live_open(hk_ctx *ctx, const hk_live_options *options,
                                    const hk_model *model, const hk_table *table,
                                    hk_live **ret_live);
const char *hk_live_address(const hk_live *live);
void hk_live_close(hk_live *live); /* NULL is fine */

/* A run that clients drive. */
typedef struct hk_live_run {
    hk_sim *sim;
    const hk_plan *plan;
    /* Executes every instant before UNTIL; HK_TICK_NEVER: to the end. */
    hk_status (*advance)(void *user, hk_tick until);
    void *user;
    bool stays; /* when the run is over it can still be looked at, until hk_live_end */
} hk_live_run;

/* Drives it to its end, as clients say. The status is that of the run. */
HK_NODISCARD hk_status hk_live_drive(hk_live *live, const hk_live_run *run);
/* Shows a record, as clients say, until hk_live_end. */
void hk_live_replay(hk_live *live);
/* Ends driving and replaying; async-signal-safe. */
void hk_live_end(hk_live *live);
/* Clients see the message, too. */
void hk_live_say(hk_live *live, const hk_diag *diag);

#endif

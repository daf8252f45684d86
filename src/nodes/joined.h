/* SPDX-License-Identifier: MIT
 *
 * A node that was started by hand: it has found its recorder (nodes/meeting.h), and runs its part
 * in this process. It ends when the recorder says how the run ended, or is gone. */
#ifndef HK_NODES_JOINED_H
#define HK_NODES_JOINED_H

#include "nodes/meeting.h"

typedef struct hk_joined hk_joined;

/* Joins the run of MEETING and makes the simulation of this node. FLOWS outlive it. */
HK_NODISCARD hk_status hk_joined_start(hk_ctx *ctx, const hk_plan_flows *flows,
                                       const hk_meeting *meeting, const hk_sim_options *options,
                                       hk_joined **ret_joined, hk_sim **ret_sim);
/* To its end, and to that of the whole run. */
HK_NODISCARD hk_status hk_joined_run(hk_joined *joined, hk_sim *sim);
void hk_joined_destroy(hk_joined *joined); /* NULL is fine */
uint64_t hk_joined_messages(const hk_joined *joined);

#endif

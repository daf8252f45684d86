/* SPDX-License-Identifier: MIT */
#ifndef HK_NODES_NODES_INTERNAL_H
#define HK_NODES_NODES_INTERNAL_H

#include "nodes/meeting.h"
#include "nodes/nodes.h"

/* A node looks at what all look at, so that all have the same slots; but it takes no rows. */
hk_listener *hk_nodes_unseen(hk_arena *arena, const hk_sim_options *options);
/* How a node ended, for the recorder. */
void hk_nodes_report(hk_buffer *to, hk_status status, hk_tick reached, const hk_ctx *said);

/* terms.c: what all must have the same of, beside what OPTIONS bring. */
void hk_nodes_agree(const hk_plan_flows *flows, const hk_sim_options *sim_options,
                    const hk_nodes_options *options);

/* hand_out.c: each node that has come to the meeting gets its end of the wires. Which one was gone
 * by then; COUNT: none. */
unsigned hk_meeting_hand_out(const int *fds, unsigned count, const hk_wires *wires);
/* How the run ended, to one of them, by what was said; SIM may be NULL. */
void hk_meeting_tell_end(int fd, const hk_ctx *ctx, hk_status status, const hk_sim *sim);

#endif

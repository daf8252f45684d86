/* SPDX-License-Identifier: MIT
 *
 * States of a run on several nodes. Each node lays what it saves on a shelf of its own and goes on;
 * the recorder takes the parts of one time from all shelves and writes one file. */
#ifndef HK_NODES_NODE_STATES_H
#define HK_NODES_NODE_STATES_H

#include "nodes/wires.h"

/* What a run does with states. */
typedef struct hk_states_wish {
    const char *load; /* every node goes on from this file; NULL: the run begins at its start */
    bool checkpoints; /* on its way, EVERY so many seconds of simulated time */
    hk_ratio every;
    bool at_end;
} hk_states_wish;

typedef struct hk_shelves hk_shelves;

/* Before there are processes. COUNT: nodes beside the recorder. */
HK_NODISCARD hk_status hk_shelves_make(hk_ctx *ctx, hk_wires *wires, unsigned count,
                                       const hk_states_wish *wish, hk_shelves **ret_shelves);
void hk_shelves_destroy(hk_shelves *shelves); /* NULL is fine */

/* In the process of a node: hk_sim_run with all that is wished. */
HK_NODISCARD hk_status hk_shelves_run_node(hk_shelves *shelves, uint32_t node, hk_ctx *ctx,
                                           hk_sim *sim);
/* In that of the recorder. CHECKPOINTS has the path of what is written on the way. */
HK_NODISCARD hk_status hk_shelves_run(hk_shelves *shelves, hk_sim *sim,
                                      const hk_checkpoints *checkpoints);
/* The state at the end, to a file. */
HK_NODISCARD hk_status hk_shelves_save(hk_shelves *shelves, const char *path);

#endif

/* SPDX-License-Identifier: MIT
 *
 * One run on several processes: each runs some of the components, and this one, the recorder, none.
 * It takes the rows, judges, and says how it ends. */
#ifndef HK_NODES_NODES_H
#define HK_NODES_NODES_H

#include "nodes/meeting.h"
#include "nodes/node_states.h"
#include "nodes/wires.h"

typedef struct hk_nodes_options {
    unsigned count; /* of nodes, beside the recorder */
    hk_transport transport;
    const uint32_t *node_of; /* per component; NULL: hk_place_components decides */
    /* In the process of a node, when its simulation is made: what happens at the begin of a
     * scenario. NULL: nothing does. */
    hk_status (*prepare)(void *user, hk_sim *sim);
    void *user;
    size_t (*place)(char *text, size_t size); /* hk_guard_options */
    hk_states_wish states;
    /* The nodes are processes that were started by hand, and this is one of them or their recorder;
     * NULL: they are forked. AGREEMENT: what they must have the same of, and is added to. */
    const hk_meet *meet;
    hk_agreement *agreement;
    double watchdog_s;           /* above 0: a node that does not go on for so long ends the run */
    bool (*stopped)(void *user); /* of USER: nobody waits for nodes any more; may be NULL */
} hk_nodes_options;

typedef struct hk_nodes hk_nodes;

/* Starts the processes and makes the simulation of the recorder. No component may live in this
 * process. Of a node that was started by hand: joins the others, and makes its own simulation,
 * whose PREPARE is the caller's. PLAN and what SIM_OPTIONS points to outlive the nodes. */
HK_NODISCARD hk_status hk_nodes_start(hk_ctx *ctx, const hk_plan *plan,
                                      const hk_sim_options *sim_options,
                                      const hk_nodes_options *options, hk_nodes **ret_nodes,
                                      hk_sim **ret_sim);
/* It goes on from the state that was wished for. */
HK_NODISCARD hk_status hk_nodes_load(hk_nodes *nodes, hk_sim *sim);
/* Runs it to its end; the processes of all nodes are gone then. What a node has to say is said
 * here; the status is that of the first that failed. */
HK_NODISCARD hk_status hk_nodes_run(hk_nodes *nodes, hk_sim *sim,
                                    const hk_checkpoints *checkpoints);
/* The state that it ended with, to a file. */
HK_NODISCARD hk_status hk_nodes_save(hk_nodes *nodes, const char *path);
/* Ends what still runs. NULL is fine. */
void hk_nodes_destroy(hk_nodes *nodes);

/* A node, when the run has ended. */
typedef struct hk_node_about {
    const char *members; /* its components, for people: the first few */
    const char *const *components;
    size_t component_count;
    hk_part_account did; /* zero: it could not tell */
    uint64_t sent;       /* messages */
} hk_node_about;
unsigned hk_nodes_count(const hk_nodes *nodes);
hk_node_about hk_nodes_about(const hk_nodes *nodes, unsigned number);
/* Messages that were sent, of all nodes. */
uint64_t hk_nodes_messages(const hk_nodes *nodes);

#endif

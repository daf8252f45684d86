/* SPDX-License-Identifier: MIT
 *
 * A simulation of which only some components run here. The others run in other simulations of the
 * same model and plan, on other nodes; what they publish comes in messages, which are taken when
 * somebody here is to see them, and no earlier. All nodes go through the same instants in the same
 * order, so that a run on many gives the bytes of a run on one.
 *
 * A component that runs elsewhere is here a shell without behaviour (away.c); its slots and its
 * past are the same as where it runs, only later. */
#ifndef HK_ENGINE_PART_H
#define HK_ENGINE_PART_H

#include "engine/sim.h"
#include "plan/flows.h"

typedef enum hk_message_kind {
    HK_MESSAGE_INITIAL, /* the initial value of one variable: the order of the plan says which */
    HK_MESSAGE_FIRST,   /* all that the flow carries, before the first activation */
    HK_MESSAGE_VALUES,  /* the same after an activation */
    HK_MESSAGE_EMPTY,   /* an activation that was not executed: the component is stopped */
    HK_MESSAGE_LOOK,    /* what is passed on where the run ends, which is not an activation */
    HK_MESSAGE_ENDED    /* an activation in which the component has ended the run */
} hk_message_kind;

/* What goes over a flow. */
typedef struct hk_flow_message {
    uint32_t flow;
    hk_message_kind kind;
    hk_tick at;   /* the activation */
    hk_tick next; /* the one after it; HK_TICK_NEVER: this is the last */
    hk_tick end;  /* the component asks to end the run there; HK_TICK_NEVER: it does not */
    /* Values, as hk_sim_part packs them; if the component asks for an end, or has ended the run,
     * the seconds of that come first. Nothing else of one that has ended: it cannot be read any
     * more. */
    hk_bytes data;
} hk_flow_message;

typedef enum hk_wire_answer {
    HK_WIRE_DONE,
    HK_WIRE_LATER, /* there is no room, or no message yet */
    HK_WIRE_LOST   /* the run cannot go on; a diagnostic says why */
} hk_wire_answer;

/* How messages travel: in order for each flow, with room for hk_plan_flow_room of them. Who waits
 * for one flow takes from the others what it may see by now; so the only call that waits is wait.
 */
typedef struct hk_part_wire {
    hk_wire_answer (*send)(void *user, const hk_flow_message *message); /* which is the caller's */
    /* The next message of FLOW, which stays there until it is dropped. */
    hk_wire_answer (*peek)(void *user, uint32_t flow, hk_flow_message *ret_message);
    void (*drop)(void *user, uint32_t flow);
    /* How often something has changed so far; waits until it is more often than SEEN, in FLOW above
     * all: of others it may find out later. HK_MAP_NONE: for room. False: the run cannot go on. */
    uint64_t (*changes)(void *user);
    bool (*wait)(void *user, uint64_t seen, uint32_t flow);
    /* Not NULL: the instant that the node is in, for others to see; written when it has published
     * something, and when it begins to wait. */
    _Atomic hk_tick *now;
    void *user;
} hk_part_wire;

typedef struct hk_sim_part {
    const hk_plan_flows *flows; /* of all nodes; made with all that the listeners here look at */
    uint32_t node;              /* this one */
    hk_part_wire wire;
} hk_sim_part;

/* ---- states (state_parts.c) ---- */

/* The state of what runs here, for who puts a state together. */
HK_NODISCARD hk_status hk_part_save(hk_sim *sim, hk_buffer *to);
/* The time of such a part: the instant that comes next. */
hk_tick hk_part_time(const char *data, size_t size);
/* Between two instants, for who waits for something that is not a message: how often something has
 * changed; takes what may be taken by now, or waits until it is more often than SEEN. False: the
 * run ends here. */
uint64_t hk_part_changes(const hk_sim *sim);
HK_NODISCARD bool hk_part_make_way(hk_sim *sim, uint64_t seen);
/* The state of all, as one process would write it, from what runs here and PARTS of the others, all
 * of the same time. Believes nothing of them. */
HK_NODISCARD hk_status hk_part_join(hk_sim *sim, const hk_bytes *parts, size_t count,
                                    hk_buffer *to);
/* All nodes ended where this one did: at the stop time, or by a condition. */
bool hk_part_ended_alike(const hk_sim *sim);

/* The flows of a run with these options: what they look at is what goes to the recorder, and, what
 * conditions look at, to every node. */
HK_NODISCARD hk_status hk_part_flows(hk_ctx *ctx, const hk_plan *plan,
                                     const hk_placement *placement, const hk_sim_options *options,
                                     hk_plan_flows **ret_flows);

#endif

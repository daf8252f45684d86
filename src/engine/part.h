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

/* Where something happens in the order of a run on one node. Nodes are ahead of each other; what
 * they have to say is put in this order, and ends where the run does. */
typedef struct hk_moment {
    hk_tick tick;    /* HK_MOMENT_INITIAL: before the first instant; HK_TICK_NEVER: after the run */
    uint32_t level;  /* of the phase; before the first instant: the stage */
    uint64_t call;   /* copies, sets, steps, gets: which of these, the cell, how it is called */
    uint64_t detail; /* the component, and which of its calls */
} hk_moment;
#define HK_MOMENT_INITIAL INT64_MIN
#define HK_MOMENT_AFTER   ((hk_moment){HK_TICK_NEVER, UINT32_MAX, UINT64_MAX, UINT64_MAX})

/* As text, which sorts like them. */
enum { HK_MOMENT_TEXT = 56 };
void hk_moment_write(const hk_moment *moment, char ret_text[HK_MOMENT_TEXT]);

static inline int hk_moment_compare(const hk_moment *a, const hk_moment *b) {
    HK_ASSERT(a && b);
    if (a->tick != b->tick)
        return a->tick < b->tick ? -1 : 1;
    if (a->level != b->level)
        return a->level < b->level ? -1 : 1;
    if (a->call != b->call)
        return a->call < b->call ? -1 : 1;
    return a->detail < b->detail ? -1 : a->detail > b->detail;
}

typedef enum hk_message_kind {
    HK_MESSAGE_INITIAL, /* the initial value of one variable: the order of the plan says which */
    HK_MESSAGE_FIRST,   /* all that the flow carries, before the first activation */
    HK_MESSAGE_VALUES,  /* the same after an activation */
    HK_MESSAGE_EMPTY,   /* an activation that was not executed: the component is stopped */
    HK_MESSAGE_LOOK,    /* what is passed on, or was set, where the run ends: not an activation */
    HK_MESSAGE_CHANGED, /* what a component says since it was stopped or started: the same */
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
    hk_sim **made; /* where the simulation is said to be, as soon as there is one; NULL: nowhere */
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

/* Of the call that this thread is in, or of what comes next. For signal handlers, too. */
hk_moment hk_sim_moment(const hk_sim *sim);
/* What comes later has no part in the run: it has ended there, in order. */
hk_moment hk_sim_end_moment(const hk_sim *sim);
/* The instant that all nodes come to before they end: the run has ended in it, by itself, and this
 * one records it. HK_MOMENT_INITIAL: nobody has to go on. */
hk_tick hk_part_last(const hk_sim *sim);
/* The recorder cannot go on, since a component has failed. Waits until all others are as far as the
 * run is, or cannot go on either: what one node would have done by then is done. */
void hk_sim_settle(hk_sim *sim);
/* The run is over elsewhere. In order: that this part could not go on is not a failure. If not,
 * then it has failed, wherever that was: components are not terminated. */
void hk_sim_over(hk_sim *sim, bool in_order);

/* What a trace of a part consists of: a line for each call, which begins with its moment and one of
 * these letters; or, before an instant, how many calls and phases were left out since the last. */
#define HK_TRACED_GAP  'A'
#define HK_TRACED_CALL 'L'

/* Where a line of a trace is in it. */
typedef struct hk_trace_place {
    uint64_t number, phase;
    unsigned thread;
} hk_trace_place;
/* Adds what is behind the letter of a line of a part, without its end, as a line of a whole trace.
 */
struct hk_blob;
void hk_trace_compose(struct hk_blob *out, const char *line, size_t size, hk_trace_place at);

/* What a part has done, in a few numbers. */
typedef struct hk_part_account {
    double busy_s, total_s; /* in components and copies; in all */
    double late_s;          /* with real-time pacing: at its worst instant */
    uint64_t waits;         /* how often it had to wait for another part */
    unsigned threads;
} hk_part_account;
/* All that it has done, for the one that records, which takes it when the run has ended: what it
 * says of calls, times and libraries is then about all parts. False: it does not make sense. */
void hk_sim_account(hk_sim *sim, hk_buffer *to);
HK_NODISCARD bool hk_sim_take_account(hk_sim *sim, hk_buffer_source *from,
                                      hk_part_account *ret_account);

/* A simulation that ended while it waited for others has come as far as its last row; without rows,
 * as far as it knows of all of them. That is its time from now on. */
void hk_part_fall_back(hk_sim *sim);

/* The flows of a run with these options: what they look at is what goes to the recorder, and, what
 * conditions look at, to every node. */
HK_NODISCARD hk_status hk_part_flows(hk_ctx *ctx, const hk_plan *plan,
                                     const hk_placement *placement, const hk_sim_options *options,
                                     hk_plan_flows **ret_flows);

#endif

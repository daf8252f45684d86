/* SPDX-License-Identifier: MIT
 *
 * The plan: computed once, before the run, from the model. Everything is in ticks and indices; the
 * engine turns it into calls and copies. Linear in components and connections: nothing is unrolled
 * over the hyperperiod, except for components with declared execution times. docs/semantics.md says
 * what lags mean. */
#ifndef HK_PLAN_PLAN_H
#define HK_PLAN_PLAN_H

#include "model/model.h"

/* To whom the requirements of a model may be bound during a run: one array for each requirement,
 * one flag for each of its candidates. */
typedef struct hk_bindings {
    bool **may;
} hk_bindings;

/* What the model binds itself; where it leaves the choice to a scenario, any of the candidates. The
 * arrays are the caller's to change, in ARENA. */
hk_bindings hk_bindings_of(const hk_model *model, hk_arena *arena);
hk_bindings hk_bindings_copy(const hk_model *model, const hk_bindings *bindings, hk_arena *arena);

typedef struct hk_plan_options {
    hk_algorithm algorithm;
    const hk_bindings *bindings; /* NULL: what the model binds itself */
    /* Per component: the levels of a master in words. Nothing is cut then, and whether lags of 0
     * have the order they need is for the proof of the master to say. NULL: they are found. */
    const uint32_t *levels;
} hk_plan_options;

/* plan/overrun.h: which activations are executed, and what is known of declared costs. */
typedef struct hk_pattern hk_pattern;
typedef struct hk_execution hk_execution;

typedef struct hk_plan_component {
    hk_tick period, offset;    /* activated at start + offset + k * period */
    const hk_pattern *pattern; /* NULL: every activation is executed, and in time */
    uint32_t rate;             /* index of its rate class */
    uint32_t level;            /* phase within an instant; lag 0 only points to higher levels */
    uint32_t depth; /* past activations of its outputs that must be kept; 0: the newest only */
} hk_plan_component;

typedef struct hk_plan_connection {
    hk_tick lag;
    bool direct; /* the newest published value is always the right one: no history is looked at */
    bool cut;    /* 'current' was asked for and the cycle was cut here */
} hk_plan_connection;

/* What one component needs of another beside values: it calls one of its services, within its own
 * step, and so sees the provider as its newest executed activation has left it. */
typedef struct hk_plan_dependency {
    uint32_t from, to; /* components: who provides, who calls */
    uint32_t requirement, candidate;
    hk_tick lag;   /* 0: at a common instant the provider runs first; 1: the caller does */
    bool cut;      /* the provider was to run first, and the cycle was cut here */
    bool circular; /* it lies on a cycle of hops of lag 0, before any is cut */
} hk_plan_dependency;

/* A connection or a dependency, whatever leads from one component to another. Hops are numbered:
 * the connections of the model, then the dependencies of the plan. */
typedef struct hk_hop {
    uint32_t from, to; /* components */
    hk_tick lag;
    bool cut;
} hk_hop;

/* Components with equal period and offset. */
typedef struct hk_rate {
    hk_tick period, offset;
    uint32_t *components; /* by level, then by index */
    size_t count;
    const hk_pattern *pattern; /* of its only component; NULL: none */
} hk_rate;

/* One end of a connection at initialization: an output to be read or an input to be written. */
typedef struct hk_init_node {
    uint32_t component, variable;
    uint32_t connection; /* the one that drives the input; HK_MAP_NONE: this is an output */
} hk_init_node;

typedef struct hk_plan {
    hk_arena *arena;
    const hk_model *model;
    hk_algorithm algorithm;
    const uint32_t *given_levels; /* of the options, while it is made */
    int64_t ticks_per_second;     /* N */
    hk_tick start, stop;
    hk_tick end;              /* stop, or the overrun that ends the run before it */
    uint32_t stopper;         /* the component that overruns then; HK_MAP_NONE: none */
    hk_execution *executions; /* by component; NULL: no costs are declared */
    hk_plan_component *components;
    hk_plan_connection *connections;
    hk_bindings bindings;             /* that it was made for */
    hk_plan_dependency *dependencies; /* by requirement, then candidate */
    uint32_t dependency_count;
    hk_rate *rates; /* by period, then offset */
    size_t rate_count;
    uint32_t level_count;
    /* Initial values: which ends of connections to read and write in initialization mode, in which
     * order. Nodes of one group form a loop and are iterated; a group of one needs no iteration.
     * init_group_end[g] is one past the last node of group g. */
    hk_init_node *init_nodes;
    uint32_t *init_group_end;
    size_t init_group_count;
    uint32_t *init_order; /* all components: who provides a service before who calls it */
    /* Where the order depends on who is bound, there is a plan for each choice, all made before the
     * run: equal in time, rates and histories, each with levels and lags of its own. */
    struct hk_plan **orders; /* the first is this one; of the others NULL */
    size_t order_count;
    const char *order_name; /* "service a.r -> b.p, ...": what is bound in it; NULL: anything */
} hk_plan;

/* The model is lowered (hk_model_lower) and has its experiment. */
HK_NODISCARD hk_status hk_plan_make(hk_ctx *ctx, const hk_model *model,
                                    const hk_plan_options *options, hk_plan **ret_plan);
void hk_plan_destroy(hk_plan *plan); /* NULL is fine */
/* How many plans were made in this process, each order for itself: for tests. */
uint64_t hk_plan_made_count(void);
/* The order in which a run goes while CANDIDATES, one for each requirement, are bound; NULL: there
 * is none, since the plan was not made for them. */
const hk_plan *hk_plan_order(const hk_plan *plan, const uint32_t *candidates);
/* A copy, with all its orders, whose histories may be changed; the rest is that of PLAN. */
hk_plan *hk_plan_copy(const hk_plan *plan, hk_arena *arena);
/* What the experiment of the model asks for: rows at start + k * interval, and at the end. */
hk_tick hk_plan_row_interval(const hk_plan *plan);

uint32_t hk_hop_count(const hk_plan *plan);
hk_hop hk_plan_hop(const hk_plan *plan, uint32_t hop);
/* NULL: it is a connection. */
const hk_plan_dependency *hk_hop_dependency(const hk_plan *plan, uint32_t hop);
/* "a.y -> b.u" of a connection, "service b.r -> a.p" of a call, in the model's arena. */
const char *hk_hop_name(const hk_plan *plan, uint32_t hop);
hk_where hk_hop_where(const hk_plan *plan, uint32_t hop);
/* True if the two components are ever activated at the same tick. */
static inline bool hk_plan_coincide(const hk_plan *plan, uint32_t a, uint32_t b) {
    HK_ASSERT(plan);
    const hk_plan_component *x = &plan->components[a];
    const hk_plan_component *y = &plan->components[b];
    return (x->offset - y->offset) % hk_gcd(x->period, y->period) == 0;
}

/* Two dependencies: the caller of the first changes a provider that that of the second asks too,
 * and they meet. So it matters which of these callers runs first. */
bool hk_plan_caller_sees(const hk_plan *plan, uint32_t changes, uint32_t sees);

/* The step of some components: their activations are whole steps apart; 0: there are none. */
hk_tick hk_plan_step(const hk_plan *plan, const uint32_t *components, size_t count);

/* How many activations of a producer newer than the one a consumer sees may have been published
 * when it looks: exact maximum over all activations. SAME_FIRST: at coincident activations the
 * producer runs first. */
int64_t hk_plan_newer_count(hk_tick producer_period, hk_tick producer_offset,
                            hk_tick consumer_period, hk_tick consumer_offset, hk_tick lag,
                            bool same_first);

/* How many past activations of a component must be kept for a consumer: the same, and what is under
 * way where activations end late. */
int64_t hk_plan_depth(const hk_plan_component *producer, hk_tick consumer_period,
                      hk_tick consumer_offset, hk_tick lag, bool same_first);
/* Has a connection keep so much of its past that it may become slower by DELAY seconds. */
HK_NODISCARD hk_status hk_plan_keep_past(hk_ctx *ctx, hk_plan *plan, uint32_t connection,
                                         hk_ratio delay, hk_where where);

#endif

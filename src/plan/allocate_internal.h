/* SPDX-License-Identifier: MIT
 *
 * The parts of hk_allocate. An assignment is an array: the processor of each component. */
#ifndef HK_PLAN_ALLOCATE_INTERNAL_H
#define HK_PLAN_ALLOCATE_INTERNAL_H

#include "plan/allocate.h"
#include "plan/constraints.h"

/* Loads as whole numbers: cost in nanoseconds times H / period, H common to all components. */
__extension__ typedef unsigned __int128 hk_weight;

typedef struct hk_score {
    uint32_t violated; /* UINT32_MAX: there is no plan at all */
    hk_weight load;    /* of the processor with most */
    hk_tick added;
    uint32_t used;
} hk_score;

enum { HK_MEMO_SLOTS = 64 };

/* Whether a constraint holds depends on the lags of a few hops only: known answers. */
typedef struct hk_memo {
    uint32_t *hops;
    size_t count;
    hk_tick *lags; /* HK_MEMO_SLOTS times count */
    bool holds[HK_MEMO_SLOTS];
    size_t used, next;
} hk_memo;

typedef struct hk_allocator {
    hk_arena *arena;
    const hk_model *model;
    hk_algorithm algorithm;
    uint32_t count, processors;
    hk_plan *base;       /* without processors */
    uint32_t *group;     /* per component: the first of those that it calls, or that call it */
    uint32_t *sequence;  /* components in the order in which they run */
    uint32_t *by_weight; /* components, heaviest first */
    hk_weight *weight, total;
    double load_unit; /* load of a weight of 1 */
    hk_memo *memos;   /* per constraint */
    bool *hopeless;   /* per constraint: no allocation satisfies it */
    uint32_t hopeless_count;
    /* The assignment under test, planned as far as its lags. */
    hk_model *variant;
    hk_plan *plan;
    uint32_t *places; /* the lists of the variant's processors, one after the other */
    uint32_t *trial, *number;
    hk_ctx *silent;
    hk_arena *scratch; /* where the names in unwanted messages go */
    uint64_t effort, effort_limit;
    uint32_t *best;
    hk_score best_score;
} hk_allocator;

/* allocate_score.c: what an assignment is worth. */
HK_NODISCARD hk_status hk_allocator_init(hk_ctx *ctx, hk_allocator *a, const hk_model *model,
                                         const hk_allocate_options *options);
void hk_allocator_finish(hk_allocator *a);
/* Plans the lags of an assignment; false if it has no plan. */
bool hk_allocator_plan(hk_allocator *a, const uint32_t *assignment);
/* Whether a constraint holds with the lags of the plan. */
bool hk_allocator_holds(hk_allocator *a, uint32_t constraint);
/* Growth of the largest age of a connection. */
hk_tick hk_allocator_added(const hk_allocator *a, uint32_t connection);
hk_score hk_allocator_score(hk_allocator *a, const uint32_t *assignment);
/* Makes the assignment the best one if it is better; tells whether it was. */
bool hk_allocator_offer(hk_allocator *a, const uint32_t *assignment);

/* allocate_improve.c: a good assignment, for any number of components. */
void hk_allocator_improve(hk_allocator *a);

/* allocate_search.c: branch and bound. True if the best one is proved to be it. */
bool hk_allocator_search(hk_allocator *a);
/* Whether a constraint can be satisfied at all. */
hk_alone hk_allocator_alone(hk_allocator *a, uint32_t constraint, uint64_t effort);

#endif

/* SPDX-License-Identifier: MIT
 *
 * Allocation: which component runs on which logical processor. Among all ways to spread the
 * components over at most N processors, the best one, by these measures in this order:
 *
 *   1. the fewest constraints of the model are broken;
 *   2. the largest load of a processor is smallest, the load being the sum of cost / period;
 *   3. the fewest ticks of age are added to connections, compared with the plan without processors;
 *   4. the fewest processors are used;
 *   5. the list of processor numbers by component, numbered as they first appear, is smallest.
 *
 * Within a processor components run in the order of the plan without processors. The result depends
 * on the arguments only. */
#ifndef HK_PLAN_ALLOCATE_H
#define HK_PLAN_ALLOCATE_H

#include "plan/plan.h"

typedef struct hk_allocate_options {
    uint32_t processors; /* at most so many; at least 1 */
    hk_algorithm algorithm;
    hk_cut cut;
    const hk_ratio *costs; /* seconds per activation, one per component; counted in whole
                              nanoseconds. NULL: one microsecond each */
    uint64_t effort; /* how many small steps of work are spent before the best one found so far is
                        taken without proof; 0: a few seconds' worth */
} hk_allocate_options;

typedef struct hk_allocated {
    uint32_t *components; /* in the order in which they run */
    size_t count;
    double load; /* seconds of computation per second of simulated time */
} hk_allocated;

/* A connection whose consumer sees older values than without processors. */
typedef struct hk_aged {
    uint32_t connection;
    hk_tick ticks; /* growth of its largest age */
} hk_aged;

typedef enum hk_alone {
    HK_ALONE_POSSIBLE,   /* some allocation satisfies it, if it were the only one */
    HK_ALONE_IMPOSSIBLE, /* none does: proved */
    HK_ALONE_UNKNOWN     /* none was found with the effort allowed */
} hk_alone;

typedef struct hk_unsatisfied {
    uint32_t constraint; /* index in the model */
    const char *text;    /* as a schedule file states it */
    const char *broken;  /* what happens instead: instant, ages */
    const char *reason;  /* why the allocation does not satisfy it */
    hk_alone alone;
} hk_unsatisfied;

typedef struct hk_allocation {
    hk_arena *arena;
    hk_cut cut;
    uint32_t *processor_of; /* per component */
    hk_allocated *processors;
    size_t processor_count; /* that are used */
    double makespan;        /* the largest load */
    hk_aged *aged;
    size_t aged_count;
    hk_tick aged_ticks; /* in sum */
    int64_t ticks_per_second;
    hk_unsatisfied *unsatisfied;
    size_t unsatisfied_count;
    bool optimal; /* proved: no other allocation is better */
} hk_allocation;

/* A schedule that MODEL has already is not looked at; its constraints are. Fails if the model
 * cannot be planned without processors, or if options are wrong. That constraints are broken is not
 * a failure: it is told in the allocation. */
HK_NODISCARD hk_status hk_allocate(hk_ctx *ctx, const hk_model *model,
                                   const hk_allocate_options *options,
                                   hk_allocation **ret_allocation);
void hk_allocation_destroy(hk_allocation *allocation); /* NULL is fine */

/* Replaces the processors of MODEL by those of the allocation, called LP1, LP2 ... */
HK_NODISCARD hk_status hk_allocation_apply(hk_ctx *ctx, hk_model *model,
                                           const hk_allocation *allocation);
/* The same as the text of a schedule file, in ARENA. */
const char *hk_allocation_text(hk_arena *arena, const hk_model *model,
                               const hk_allocation *allocation);
/* A name as the schedule file wants it: in quotes, unless it is a plain word. */
const char *hk_allocation_name(hk_arena *arena, const char *name);

#endif

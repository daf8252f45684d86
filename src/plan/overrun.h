/* SPDX-License-Identifier: MIT
 *
 * Execution times: where components declare what an activation costs, the activations of a logical
 * processor follow each other without preemption, and what ends after its deadline is late, not
 * done at all, or the end of the run. Found before the run, in ticks, until it repeats. */
#ifndef HK_PLAN_OVERRUN_H
#define HK_PLAN_OVERRUN_H

#include "plan/plan.h"

#define HK_SKIPPED INT64_C(-1)

/* Which activations of a component are executed, and by how much each is late: activation k is
 * given by entry k, and from COUNT on by the entries from REPEAT on, again and again. Without such
 * (REPEAT is COUNT) the run ends first. */
struct hk_pattern {
    hk_tick *late;  /* HK_SKIPPED: not executed */
    uint32_t *back; /* of a skipped one: how far to look back at least for one that is executed */
    uint32_t repeat, count;
    hk_tick first, period; /* activations */
    bool bridged;          /* a step after skipped activations makes good for their time */
    hk_tick reach;         /* no value is older than that when the next one takes its place */
};

/* What is known of a component with a cost. Counts are of one repeat, or of the whole run where
 * nothing repeats within it. */
struct hk_execution {
    bool costed;
    hk_tick cost, deadline;
    hk_tick repeat; /* length of a repeat; 0: none within the run */
    bool overruns;  /* at least once */
    hk_tick first;  /* activation that overruns first */
    hk_tick worst;  /* largest lateness */
    uint32_t late, skipped;
};

/* The lateness of the activation at T, or HK_SKIPPED. */
hk_tick hk_pattern_late(const hk_pattern *pattern, hk_tick t);
/* The first activation from T on, itself one, that is executed. */
hk_tick hk_pattern_next(const hk_pattern *pattern, hk_tick t);
/* How many of the first COUNT activations are executed. */
uint64_t hk_pattern_executed(const hk_pattern *pattern, uint64_t count);
/* The newest activation at or before LATEST that is executed; INT64_MIN: none. */
hk_tick hk_pattern_newest(const hk_pattern *pattern, hk_tick latest);
/* The newest activation that is executed and whose values are there at LATEST; INT64_MIN: none. */
hk_tick hk_pattern_seen(const hk_pattern *pattern, hk_tick latest);

/* The error of a run that a component stops; HK_OK if there is none. */
HK_NODISCARD hk_status hk_plan_check_overruns(hk_ctx *ctx, const hk_plan *plan);
/* A call sees its provider as the newest activation has left it, be that late or not: says so once
 * if one that is called has late activations. */
void hk_plan_warn_late_services(hk_ctx *ctx, const hk_plan *plan);
/* Warns of each processor that has more to do than it has time for: it never catches up, whatever
 * the policies say. */
void hk_plan_warn_load(hk_ctx *ctx, const hk_plan *plan);
/* The share of its time that a processor is busy with declared costs. HK_MAP_NONE: all components
 * that have no processor. */
double hk_plan_load(const hk_plan *plan, uint32_t number);

#endif

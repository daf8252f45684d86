/* SPDX-License-Identifier: MIT
 *
 * The stages of hk_plan_make, one file each, in the order in which they run. */
#ifndef HK_PLAN_PLAN_INTERNAL_H
#define HK_PLAN_PLAN_INTERNAL_H

#include "plan/graph.h"
#include "plan/plan.h"

/* plan.c: one plan, for all bindings that OPTIONS allow. */
HK_NODISCARD hk_status hk_plan_make_one(hk_ctx *ctx, const hk_model *model,
                                        const hk_plan_options *options, hk_plan **ret_plan);
/* timebase.c: the tick, and everything in ticks. */
HK_NODISCARD hk_status hk_plan_timebase(hk_ctx *ctx, hk_plan *plan);
/* dependencies.c: who may call whom. */
void hk_plan_dependencies(hk_plan *plan, const hk_bindings *bindings);
/* Adds to the COUNT edges in EDGES, which wait for values, those that calls ask for beside: who
 * calls with a lag runs before the provider, and who changes a provider before others that call it
 * and are behind it in the model. Where values want it the other way round, they have it. Returns
 * the new count. */
size_t hk_plan_order_calls(const hk_plan *plan, hk_edge **edges, size_t count);
/* A call happens within the step of the caller: both must run on one logical processor. */
HK_NODISCARD hk_status hk_plan_check_services(hk_ctx *ctx, const hk_plan *plan);
/* cuts.c: cuts the cycles of EDGES, which are hops of lag 0; an edge's tag is its hop. */
struct hk_edge;
HK_NODISCARD hk_status hk_plan_cut_cycles(hk_ctx *ctx, hk_plan *plan, const struct hk_edge *edges,
                                          size_t count);
void hk_plan_report_cuts(hk_ctx *ctx, const hk_plan *plan);
/* lags.c: the lag of every connection, cuts of cycles, the level of every component. */
hk_tick hk_plan_previous_lag(const hk_plan *plan, const hk_connection *k);
HK_NODISCARD hk_status hk_plan_lags(hk_ctx *ctx, hk_plan *plan, hk_algorithm algorithm);
/* overrun.c: what declared execution times do to activations. */
HK_NODISCARD hk_status hk_plan_overruns(hk_ctx *ctx, hk_plan *plan);
/* history.c: which connections look at the newest value only, and how deep histories are. */
HK_NODISCARD hk_status hk_plan_history(hk_ctx *ctx, hk_plan *plan);
/* The same for a connection that may become slower by DELAY seconds. */
HK_NODISCARD hk_status hk_plan_deepen(hk_ctx *ctx, hk_plan *plan, uint32_t connection,
                                      hk_ratio delay, hk_where where);
/* rates.c: rate classes. */
void hk_plan_rates(hk_plan *plan);
/* initial_order.c: the order of initial values. */
void hk_plan_initial(hk_plan *plan);
/* Says which consumers would see values that hold only later, once per cause. */
void hk_plan_warn_future(hk_ctx *ctx, const hk_plan *plan);

#endif

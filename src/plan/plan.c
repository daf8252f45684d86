/* SPDX-License-Identifier: MIT */
#include "plan/plan_internal.h"

#include <stdatomic.h>

static _Atomic uint64_t made_count; /* tests ask whether a run plans anything */

uint64_t hk_plan_made_count(void) {
    return atomic_load(&made_count);
}

hk_status hk_plan_make_one(hk_ctx *ctx, const hk_model *model, const hk_plan_options *options,
                           hk_plan **ret_plan) {
    HK_ASSERT(ctx && model && options && ret_plan);
    HK_ASSERT(model->lowered); /* else units would pass unconverted */
    atomic_fetch_add(&made_count, 1);
    hk_arena *arena = hk_arena_create();
    hk_plan *plan = HK_NEW(arena, hk_plan);
    plan->arena = arena;
    plan->model = model;
    plan->algorithm = options->algorithm;
    plan->given_levels = options->levels;
    plan->orders = HK_NEW_ARRAY(arena, hk_plan *, 1);
    plan->orders[0] = plan;
    plan->order_count = 1;
    plan->components = HK_NEW_ARRAY(arena, hk_plan_component, model->component_count);
    plan->connections = HK_NEW_ARRAY(arena, hk_plan_connection, model->connection_count);

    hk_plan_dependencies(plan, options->bindings);
    hk_status status = hk_plan_timebase(ctx, plan);
    if (status == HK_OK)
        status = hk_plan_lags(ctx, plan, options->algorithm);
    if (status == HK_OK)
        status = hk_plan_overruns(ctx, plan);
    if (status == HK_OK)
        status = hk_plan_history(ctx, plan);
    if (status != HK_OK) {
        hk_plan_destroy(plan);
        return status;
    }
    hk_plan_rates(plan);
    hk_plan_initial(plan);
    hk_plan_warn_future(ctx, plan);
    plan->given_levels = NULL;
    *ret_plan = plan;
    return HK_OK;
}

void hk_plan_destroy(hk_plan *plan) {
    if (!plan)
        return;
    for (size_t i = 1; i < plan->order_count; i++)
        hk_arena_destroy(plan->orders[i]->arena);
    hk_arena_destroy(plan->arena);
}

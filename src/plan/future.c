/* SPDX-License-Identifier: MIT
 *
 * Values from the future: what a component computes at t for the end of its step, t + P, holds only
 * then. The one who takes part in the step may use it (Gauss-Seidel), but a component whose own
 * outputs hold at once, a sampler or a controller, shows something that is not there yet. */
#include "model/address.h"
#include "plan/ages.h"
#include "plan/plan_internal.h"

enum { SHOWN = 8 };

static bool is_from_future(const hk_plan *plan, uint32_t connection) {
    const hk_connection *k = &plan->model->connections[connection];
    const hk_info *from = plan->model->components[k->from_component].info;
    const hk_info *to = plan->model->components[k->to_component].info;
    /* A parameter that follows another one is a setting, not a value of a time. */
    if (k->shared || from->stamp != HK_STAMP_END || to->stamp != HK_STAMP_START)
        return false;
    hk_ages ages = hk_age_hop(plan, connection);
    return ages.any && ages.min < plan->components[k->from_component].period;
}

/* What the one who wrote the lag can do: a master has no word for 'observe'. */
static const char *way_out(const hk_plan *plan, const hk_address *to) {
    if (!plan->given_levels)
        return "use the lag 'observe'";
    return hk_arena_printf(plan->arena,
                           "let '%s' not be 'reactive' in the master, or run without a master and "
                           "use the lag 'observe'",
                           hk_address_name(plan->arena, plan->model, to));
}

/* Somebody has written it down, so each has its place. */
static void warn_written(hk_ctx *ctx, const hk_plan *plan) {
    const hk_model *model = plan->model;
    size_t count = 0;
    for (uint32_t i = 0; i < model->connection_count; i++) {
        const hk_connection *k = &model->connections[i];
        if (k->lag == HK_LAG_DEFAULT || !is_from_future(plan, i) || count++ >= SHOWN)
            continue;
        hk_address to = hk_connection_sink(k);
        hk_warn(ctx, HK_E_TIME, hk_connection_where(model, k), way_out(plan, &to),
                "the lag 'current' brings '%s' a value that holds only at the end of the step of "
                "'%s'",
                hk_address_name(plan->arena, model, &to),
                model->components[k->from_component].name);
    }
    if (count > SHOWN)
        hk_note(ctx, HK_NOWHERE, "%zu more connections do the same", count - SHOWN);
}

/* Nobody has: all have one reason. */
static void warn_default(hk_ctx *ctx, const hk_plan *plan) {
    const hk_model *model = plan->model;
    const hk_connection *first = NULL;
    const char *others = "";
    size_t count = 0;
    for (uint32_t i = 0; i < model->connection_count; i++) {
        const hk_connection *k = &model->connections[i];
        if (k->lag != HK_LAG_DEFAULT || !is_from_future(plan, i))
            continue;
        if (count && count < SHOWN)
            others = hk_arena_printf(plan->arena, "%s%s %s", others, count == 1 ? "" : ",",
                                     hk_connection_name(model, k));
        first = first ? first : k;
        count++;
    }
    if (!count)
        return;
    if (count > 1)
        others = hk_arena_printf(plan->arena, "; the same holds for%s%s", others,
                                 count > SHOWN ? " and others" : "");
    hk_address to = hk_connection_sink(first);
    hk_warn(ctx, HK_E_TIME, hk_connection_where(model, first),
            model->from_osp
                ? "with --algorithm jacobi it brings the value of the beginning of the step"
                : "give it the lag 'observe'",
            "without a lag this connection is 'current' (Gauss-Seidel), which brings '%s' a value "
            "that holds only at the end of the step of '%s'%s",
            hk_address_name(plan->arena, model, &to), model->components[first->from_component].name,
            others);
}

void hk_plan_warn_future(hk_ctx *ctx, const hk_plan *plan) {
    HK_ASSERT(ctx && plan);
    warn_written(ctx, plan);
    warn_default(ctx, plan);
}

/* SPDX-License-Identifier: MIT
 *
 * How much of the past a connection needs. Everything follows from periods, offsets and lags by
 * integer arithmetic; nothing is simulated. */
#include "plan/plan_internal.h"

/* Activations of a producer in (t - lag, t), for a consumer activation that is RESIDUE ticks
 * after the producer's grid (0 <= residue < period). */
static int64_t count_between(hk_tick period, hk_tick residue, hk_tick lag) {
    int64_t last_before_t = residue == 0 ? -1 : 0;
    int64_t last_seen = hk_floor_div(residue - lag, period);
    return last_before_t > last_seen ? last_before_t - last_seen : 0;
}

/* The distance from the producer's grid to the consumer's activations takes the values r0, r0 + g,
 * r0 + 2g ... below the period, g the common divisor of the periods. The count falls with growing
 * distance, except that at distance 0 the coincident activation counts only if it ran before; so
 * the maximum is at the two smallest distances. */
int64_t hk_plan_newer_count(hk_tick producer_period, hk_tick producer_offset,
                            hk_tick consumer_period, hk_tick consumer_offset, hk_tick lag,
                            bool same_first) {
    HK_ASSERT(producer_period > 0 && consumer_period > 0);
    hk_tick g = hk_gcd(producer_period, consumer_period);
    hk_tick smallest = hk_floor_mod(consumer_offset - producer_offset, g);
    int64_t most = count_between(producer_period, smallest, lag);
    if (smallest == 0) {
        most += same_first && lag > 0;
        if (g < producer_period) {
            int64_t other = count_between(producer_period, g, lag);
            most = other > most ? other : most;
        }
    }
    return most;
}

/* Beyond this many past values a delay is surely a mistake (and would need gigabytes). */
enum { DEPTH_MAX = 10 * 1000 * 1000 };
/* Of a component with overruns one activation may be under way and one may wait. */
enum { UNDER_WAY = 2 };

int64_t hk_plan_depth(const hk_plan_component *producer, hk_tick consumer_period,
                      hk_tick consumer_offset, hk_tick lag, bool same_first) {
    HK_ASSERT(producer);
    HK_ASSERT(producer->period > 0 && consumer_period > 0);
    return hk_plan_newer_count(producer->period, producer->offset, consumer_period, consumer_offset,
                               lag, same_first) +
           (producer->pattern ? UNDER_WAY : 0);
}

/* The depth that a connection with this lag needs. */
static hk_status deepen(hk_ctx *ctx, hk_plan *plan, uint32_t connection, hk_tick lag,
                        hk_where where, int64_t *ret_newer) {
    const hk_connection *k = &plan->model->connections[connection];
    hk_plan_component *from = &plan->components[k->from_component];
    const hk_plan_component *to = &plan->components[k->to_component];
    int64_t newer = hk_plan_depth(from, to->period, to->offset, lag, from->level < to->level);
    if (newer > DEPTH_MAX)
        return hk_error(ctx, HK_E_TIME, where, "shorten the delay",
                        "the delay spans %lld activations of '%s', more than hocket keeps",
                        (long long)newer, plan->model->components[k->from_component].name);
    if (newer > from->depth)
        from->depth = (uint32_t)newer;
    *ret_newer = newer;
    return HK_OK;
}

hk_status hk_plan_deepen(hk_ctx *ctx, hk_plan *plan, uint32_t connection, hk_ratio delay,
                         hk_where where) {
    HK_ASSERT(ctx && plan);
    HK_ASSERT(connection < plan->model->connection_count);
    hk_plan_connection *p = &plan->connections[connection];
    hk_tick ticks;
    int64_t newer;
    if (!hk_tick_from_ratio_up(delay, plan->ticks_per_second, &ticks) ||
        ticks > HK_TICK_LIMIT - p->lag)
        return hk_error(ctx, HK_E_TIME, where, NULL, "the delay does not fit 64-bit ticks");
    HK_TRY(deepen(ctx, plan, connection, p->lag + ticks, where, &newer));
    p->direct = false;
    return HK_OK;
}

hk_status hk_plan_history(hk_ctx *ctx, hk_plan *plan) {
    HK_ASSERT(ctx && plan);
    const hk_model *model = plan->model;
    for (uint32_t i = 0; i < model->connection_count; i++) {
        const hk_connection *k = &model->connections[i];
        hk_plan_connection *p = &plan->connections[i];
        int64_t newer = 0;
        HK_TRY(deepen(ctx, plan, i, p->lag, hk_connection_where(model, k), &newer));
        p->direct = newer == 0 && !k->initial.data;
    }
    return HK_OK;
}

/* SPDX-License-Identifier: MIT */
#include "plan/ages.h"

#include "plan/overrun.h"

/* Who calls a service sees what the provider has done, even if that is not over yet. */
hk_tick hk_age_seen(const hk_plan *plan, uint32_t index, hk_tick t) {
    HK_ASSERT(plan);
    hk_hop hop = hk_plan_hop(plan, index);
    const hk_plan_component *from = &plan->components[hop.from];
    if (from->pattern)
        return hk_hop_dependency(plan, index) ? hk_pattern_newest(from->pattern, t - hop.lag)
                                              : hk_pattern_seen(from->pattern, t - hop.lag);
    hk_tick since = t - hop.lag - plan->start - from->offset;
    if (since < 0)
        return HK_ORIGIN_INITIAL;
    return plan->start + from->offset + since / from->period * from->period;
}

bool hk_age_executed(const hk_plan *plan, uint32_t component, hk_tick t) {
    HK_ASSERT(plan && component < plan->model->component_count);
    const hk_pattern *pattern = plan->components[component].pattern;
    return !pattern || hk_pattern_late(pattern, t) != HK_SKIPPED;
}

/* Consumer activations are r0, r0 + g, r0 + 2g ... after the newest activation of the producer
 * that the lag lets them see, below one period of the producer. */
hk_ages hk_age_hop(const hk_plan *plan, uint32_t index) {
    HK_ASSERT(plan && index < hk_hop_count(plan));
    hk_hop hop = hk_plan_hop(plan, index);
    const hk_plan_component *from = &plan->components[hop.from];
    const hk_plan_component *to = &plan->components[hop.to];
    if (from->pattern || to->pattern)
        return hk_age_chain(plan, (hk_chain){&index, 1});
    hk_tick lag = hop.lag;
    hk_tick g = hk_gcd(from->period, to->period);
    hk_tick smallest = hk_floor_mod(to->offset - lag - from->offset, g);
    hk_ages ages = {.any = true,
                    .min = lag + smallest,
                    .max = lag + from->period - g + smallest,
                    .has_initial = to->offset < from->offset + lag};
    if (ages.has_initial)
        ages.initial_until = plan->start + to->offset +
                             (from->offset + lag - to->offset - 1) / to->period * to->period;
    return ages;
}

hk_tick hk_age_origin(const hk_plan *plan, hk_chain chain, hk_tick t) {
    HK_ASSERT(plan && (chain.hops || !chain.count));
    for (size_t i = chain.count; i-- > 0 && t != HK_ORIGIN_INITIAL;)
        t = hk_age_seen(plan, chain.hops[i], t);
    return t;
}

static uint32_t sink_of(const hk_plan *plan, hk_chain chain) {
    return hk_plan_hop(plan, chain.hops[chain.count - 1]).to;
}

/* Activations before a component's overruns begin to repeat. */
static hk_tick irregular(const hk_plan_component *c) {
    return c->pattern ? (hk_tick)c->pattern->repeat * c->period : 0;
}

/* Past this time no initial value is left on the chain, and all repeats: each hop sees back by its
 * lag and at most one period of its producer, or more where that overruns. */
static hk_tick transient_of(const hk_plan *plan, hk_chain chain) {
    hk_tick length = irregular(&plan->components[sink_of(plan, chain)]);
    for (size_t i = 0; i < chain.count; i++) {
        hk_hop hop = hk_plan_hop(plan, chain.hops[i]);
        const hk_plan_component *from = &plan->components[hop.from];
        hk_tick back = from->pattern ? from->pattern->reach : from->period;
        length += hop.lag + back + from->offset + irregular(from);
    }
    return length;
}

/* After what time the activations of a component repeat. */
static hk_tick repeat_of(const hk_plan *plan, uint32_t component) {
    const hk_plan_component *c = &plan->components[component];
    uint32_t activations = c->pattern ? c->pattern->count - c->pattern->repeat : 1;
    return activations ? activations * c->period : c->period;
}

/* The least common multiple of the periods on the chains; at most LIMIT. */
static hk_tick hyperperiod_of(const hk_plan *plan, const hk_chain *chains, size_t count,
                              hk_tick limit) {
    hk_tick h = repeat_of(plan, sink_of(plan, chains[0]));
    for (size_t c = 0; c < count; c++)
        for (size_t i = 0; i < chains[c].count; i++) {
            hk_tick period = repeat_of(plan, hk_plan_hop(plan, chains[c].hops[i]).from);
            hk_tick factor = period / hk_gcd(h, period);
            if (factor > limit / h)
                return limit;
            h *= factor;
        }
    return h;
}

hk_window hk_age_window(const hk_plan *plan, const hk_chain *chains, size_t count) {
    HK_ASSERT(plan);
    const hk_plan_component *sink = &plan->components[sink_of(plan, chains[0])];
    hk_tick transient = 0;
    for (size_t c = 0; c < count; c++) {
        hk_tick one = transient_of(plan, chains[c]);
        transient = one > transient ? one : transient;
    }
    hk_tick limit = sink->period > HK_TICK_LIMIT / HK_WINDOW_ACTIVATIONS
                        ? HK_TICK_LIMIT
                        : sink->period * HK_WINDOW_ACTIVATIONS;
    hk_tick first = plan->start + sink->offset;
    hk_tick repeat = hyperperiod_of(plan, chains, count, limit);
    hk_tick last = first + transient + repeat;
    /* What happens after the end of the run does not happen. */
    bool whole = last >= plan->end;
    return (hk_window){first, whole ? plan->end : last, sink->period, repeat == limit && !whole};
}

hk_ages hk_age_chain(const hk_plan *plan, hk_chain chain) {
    HK_ASSERT(plan);
    hk_window window = hk_age_window(plan, &chain, 1);
    hk_ages ages = {0};
    for (hk_tick t = window.first; t < window.end; t += window.period) {
        if (!hk_age_executed(plan, sink_of(plan, chain), t))
            continue;
        hk_tick origin = hk_age_origin(plan, chain, t);
        if (origin == HK_ORIGIN_INITIAL) {
            ages.has_initial = true;
            ages.initial_until = t;
            continue;
        }
        hk_tick age = t - origin;
        ages.min = ages.any && ages.min < age ? ages.min : age;
        ages.max = ages.any && ages.max > age ? ages.max : age;
        ages.any = true;
    }
    return ages;
}

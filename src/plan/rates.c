/* SPDX-License-Identifier: MIT
 *
 * Rate classes: components with equal period and offset, in the order of their levels. Those with
 * overruns have a class of their own, since not all of their activations are executed. */
#include "plan/plan_internal.h"

#include <stdlib.h>

typedef struct sort_key {
    hk_tick period, offset;
    uint32_t own; /* 0: shares its class */
    uint32_t level, index;
} sort_key;

static int compare(const void *a, const void *b) {
    const sort_key *x = a;
    const sort_key *y = b;
    if (x->period != y->period)
        return x->period < y->period ? -1 : 1;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    if (x->own != y->own)
        return x->own < y->own ? -1 : 1;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

void hk_plan_rates(hk_plan *plan) {
    HK_ASSERT(plan);
    size_t n = plan->model->component_count;
    sort_key *keys = hk_alloc(n * sizeof *keys);
    for (size_t i = 0; i < n; i++) {
        const hk_plan_component *c = &plan->components[i];
        keys[i] = (sort_key){c->period, c->offset, c->pattern ? (uint32_t)i + 1 : 0, c->level,
                             (uint32_t)i};
    }
    qsort(keys, n, sizeof *keys, compare);
    uint32_t *order = HK_NEW_ARRAY(plan->arena, uint32_t, n);
    plan->rates = HK_NEW_ARRAY(plan->arena, hk_rate, n);
    hk_rate *rate = NULL;
    for (size_t i = 0; i < n; i++) {
        if (!rate || rate->period != keys[i].period || rate->offset != keys[i].offset ||
            keys[i].own != keys[i - 1].own) {
            rate = &plan->rates[plan->rate_count++];
            *rate = (hk_rate){keys[i].period, keys[i].offset, order + i, 0,
                              plan->components[keys[i].index].pattern};
        }
        order[i] = keys[i].index;
        rate->count++;
        plan->components[keys[i].index].rate = (uint32_t)(plan->rate_count - 1);
    }
    hk_free(keys);
}

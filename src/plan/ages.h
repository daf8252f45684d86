/* SPDX-License-Identifier: MIT
 *
 * Ages: how old what a component sees is. The age of a connection at an activation t of its
 * consumer is t - s, s the activation of the producer that it sees; that of a service is the same,
 * s the newest activation of the provider when it is called. Along a path ages add up backwards.
 * Everything is computed from the plan, exactly, over the transient and one hyperperiod of the
 * path; nothing is simulated. */
#ifndef HK_PLAN_AGES_H
#define HK_PLAN_AGES_H

#include "plan/plan.h"

#define HK_ORIGIN_INITIAL INT64_MIN /* what arrives is an initial value */

typedef struct hk_ages {
    hk_tick min, max;      /* over all activations that see something computed */
    bool any;              /* false: the sink sees initial values only */
    hk_tick initial_until; /* the last activation of the sink that sees an initial value, if any */
    bool has_initial;
    uint64_t chains; /* of a path: that there are (hk_age_path looks at HK_CHAINS_MAX); else 0 */
} hk_ages;

/* False: this activation of the component, at T, is skipped because of an overrun. */
bool hk_age_executed(const hk_plan *plan, uint32_t component, hk_tick t);
/* The activation of the producer that a consumer activated at T sees, or HK_ORIGIN_INITIAL. */
hk_tick hk_age_seen(const hk_plan *plan, uint32_t index, hk_tick t);
/* Ages of one hop: closed form, at no cost, unless one of its ends has overruns. */
hk_ages hk_age_hop(const hk_plan *plan, uint32_t index);

/* A path as hops, from the source on. */
typedef struct hk_chain {
    const uint32_t *hops;
    size_t count;
} hk_chain;

/* The activation of the chain's source that its sink, activated at T, depends on. */
hk_tick hk_age_origin(const hk_plan *plan, hk_chain chain, hk_tick t);
/* Ages along a chain. */
hk_ages hk_age_chain(const hk_plan *plan, hk_chain chain);

enum { HK_WINDOW_ACTIVATIONS = 4 * 1000 * 1000 }; /* that are looked at, at most */

/* Activations of a sink after which everything on the chains into it repeats: first, first +
 * period ... before end. */
typedef struct hk_window {
    hk_tick first, end, period;
    bool cut; /* the repeat is too long to be looked at, and so is the run: not all is in it */
} hk_window;
hk_window hk_age_window(const hk_plan *plan, const hk_chain *chains, size_t count);

/* Checks all constraints of the model. Each violation is one diagnostic that names the paths, the
 * first instant, the ages and the smallest change that repairs it. HK_OK if all hold. */
HK_NODISCARD hk_status hk_plan_check_constraints(hk_ctx *ctx, const hk_plan *plan);

#endif

/* SPDX-License-Identifier: MIT
 *
 * One constraint, looked at: does it hold, and what would mend it. */
#ifndef HK_PLAN_CONSTRAINTS_H
#define HK_PLAN_CONSTRAINTS_H

#include "plan/ages.h"

/* So many chains of the paths of a constraint are looked at: those of connections and services
 * whose lags differ. */
enum { HK_CHAINS_MAX = 256 };

/* The first activation of the sink at which a constraint is broken. */
typedef struct hk_violation {
    bool found, initial;
    bool cut;        /* not all activations were looked at (hk_window) */
    uint64_t chains; /* that there are; more than HK_CHAINS_MAX: not all were looked at */
    bool missing;    /* two components on a path are joined by a service that nobody has bound */
    hk_tick at;
    hk_tick origin[2]; /* of what arrives; coincidence: over two of the paths */
    size_t path[2];    /* which of the constraint's paths */
    uint32_t hop;      /* freshness: the one that is too old */
} hk_violation;

bool hk_constraint_holds(const hk_plan *plan, const hk_constraint *constraint,
                         hk_violation *ret_violation);
/* Ages at the end of a path, over all its chains of hops. */
hk_ages hk_age_path(const hk_plan *plan, const hk_path *path);
/* The smallest change of the schedule after which the constraint holds and no other breaks that
 * holds now, in words, in the plan's arena; NULL if no single change does. Looked for in this
 * order: another place in a processor's order, another processor, waiting instead of cutting,
 * another lag. Sources of a coincidence that are not activated together are reported where none is
 * found. */
const char *hk_constraint_repair(const hk_plan *plan, const hk_constraint *constraint);
/* For runs: one may be meant to show what a broken constraint does, but nobody should miss that it
 * is broken. */
void hk_plan_warn_constraints(hk_ctx *ctx, const hk_plan *plan);

#endif

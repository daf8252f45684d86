/* SPDX-License-Identifier: MIT
 *
 * Statements about the age of data mean the same in schedules and in system files: what holds for
 * their paths, groups and limits is here, once. A failure has been reported. */
#ifndef HK_LANG_AGE_RULES_H
#define HK_LANG_AGE_RULES_H

#include "model/model.h"

/* Data goes from one component straight to the other, over a connection or in the answer to a call.
 * WHERE: of the second one. */
HK_NODISCARD hk_status hk_age_rule_hop(hk_ctx *ctx, const hk_model *model, uint32_t from,
                                       uint32_t to, hk_where where);
/* PATH joins those of a coincidence that were read before it. */
HK_NODISCARD hk_status hk_age_rule_group(hk_ctx *ctx, const hk_model *model, const hk_path *paths,
                                         size_t count, const hk_path *path, hk_where where);
HK_NODISCARD hk_status hk_age_rule_limits(hk_ctx *ctx, const hk_constraint *constraint);

#endif

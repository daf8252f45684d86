/* SPDX-License-Identifier: MIT
 *
 * Does a multi-model keep the rules of its profile? The rules are in profile_rules.def. */
#ifndef HK_SYSML_PROFILE_RULES_H
#define HK_SYSML_PROFILE_RULES_H

#include "sysml/profile.h"

/* All that there are, for options and messages. */
#define HK_PROFILES "robotics into-sysml fmi"
/* The one that counts if none is named. */
#define HK_PROFILE_USUAL "robotics"

typedef struct hk_profile_wishes {
    const char *profile; /* NULL: robotics */
    hk_texts rules;      /* "ID=error", "ID=warning", "ID=note", "ID=off" */
    bool strict;         /* what the types of INTO-CPS models need is an error, too: C4, R7 */
} hk_profile_wishes;

/* Is there such a profile, and are there such rules? */
HK_NODISCARD hk_status hk_profile_wishes_check(hk_ctx *ctx, const hk_profile_wishes *wishes);
/* Reports each place where a rule is broken. An error if one of them is an error. WISHES are
 * checked. */
HK_NODISCARD hk_status hk_profile_check(hk_ctx *ctx, hk_arena *arena, const hk_multimodel *profile,
                                        const hk_profile_wishes *wishes);
/* The same for the rules between a RoboChart module and its block (M1 to M6), which read the
 * modules; those that are not there, or are wrong, are left to who runs them. */
HK_NODISCARD hk_status hk_module_check(hk_ctx *ctx, hk_arena *arena, const hk_multimodel *profile,
                                       const hk_profile_wishes *wishes);

#endif

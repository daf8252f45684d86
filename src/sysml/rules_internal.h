/* SPDX-License-Identifier: MIT
 *
 * What the files of the rules share. Each function looks at one rule or a few that go together. */
#ifndef HK_SYSML_RULES_INTERNAL_H
#define HK_SYSML_RULES_INTERNAL_H

#include "base/complaints.h"
#include "chart/chart.h"
#include "sysml/profile_rules.h"

#define HK_PROFILE_RULE(id, ...) HK_RULE_PROFILE_##id,
typedef enum hk_profile_rule {
#include "sysml/profile_rules.def"
    HK_PROFILE_RULE_COUNT
} hk_profile_rule;
#undef HK_PROFILE_RULE

typedef enum hk_profile_severity {
    HK_PROFILE_OFF,
    HK_PROFILE_NOTE,
    HK_PROFILE_WARNING,
    HK_PROFILE_ERROR
} hk_profile_severity;

typedef struct hk_ruler {
    hk_complaints complaints;
    hk_arena *arena;
    const hk_multimodel *profile;
    bool strict;
    hk_profile_severity severities[HK_PROFILE_RULE_COUNT];
} hk_ruler;

/* Which rules count, by WISHES, which were checked. */
hk_ruler hk_ruler_begin(hk_ctx *ctx, hk_arena *arena, const hk_multimodel *profile,
                        const hk_profile_wishes *wishes);
/* RULE is broken at AT of FILE. */
void hk_rule_broken(hk_ruler *r, hk_profile_rule rule, const char *file, const hk_place *at,
                    const char *hint, const char *format, ...) HK_PRINTF(6, 7);
const hk_profile_block *hk_ruler_block(const hk_ruler *r, uint32_t instance);
const hk_profile_port *hk_ruler_port(const hk_ruler *r, const hk_profile_end *end);
bool hk_ruler_is_chart(const hk_profile_block *block);
/* "C3": its name, or "connection 3". */
const char *hk_ruler_connection(const hk_ruler *r, const hk_profile_connection *c);
/* A part definition that is not marked as a block: which word is missing; NULL: it is marked. */
const char *hk_ruler_unmarked(const hk_ruler *r, const hk_profile_block *block);

void hk_rules_blocks(hk_ruler *r);      /* rules_blocks.c: E, R1 to R4, R6, WF */
void hk_rules_connections(hk_ruler *r); /* rules_connections.c: C1 to C5, R5, R7 */
void hk_rules_loops(hk_ruler *r);       /* rules_loops.c: C8 */
/* module_rules.c: M1 to M6 between a block and this module, wherever it is from. */
HK_NODISCARD hk_status hk_module_compare(hk_ctx *ctx, hk_arena *arena, const hk_multimodel *profile,
                                         const hk_profile_block *block, const hk_chart *chart);

#endif

/* SPDX-License-Identifier: MIT
 *
 * The rules of FMI 1.0, 2.0 and 3.0 that can be seen in an FMU without running it. */
#ifndef HK_CHECK_FMU_RULES_H
#define HK_CHECK_FMU_RULES_H

#include "base/diag.h"

/* How many findings there were, those that were not shown included. */
typedef struct hk_fmu_findings {
    size_t errors, warnings;
} hk_fmu_findings;

/* Looks at the archive, its XML files and its libraries, and adds everything that is found as
 * diagnostics HK_E_FMI_RULE, sorted by place; of each rule the first few are shown. The result is
 * HK_E_FMI_RULE if one of them is an error. Another status: the archive or its description cannot
 * be read at all. *ret_findings is written always. */
HK_NODISCARD hk_status hk_check_fmu(hk_ctx *ctx, const char *path, hk_fmu_findings *ret_findings);

/* The rules for a model description alone. FILE is for messages. */
HK_NODISCARD hk_status hk_check_description(hk_ctx *ctx, const char *file, const char *data,
                                            size_t size, hk_fmu_findings *ret_findings);

/* The table of rules. A reference is "" if the version has no such rule. */
enum { HK_FMI_VERSIONS = 3 };
typedef struct hk_fmu_rule {
    const char *name, *sentence;
    hk_severity severity;
    const char *reference[HK_FMI_VERSIONS]; /* FMI 1.0, 2.0, 3.0: a section */
} hk_fmu_rule;
const hk_fmu_rule *hk_fmu_rule_at(size_t index); /* NULL: past the end */

#endif

/* SPDX-License-Identifier: MIT
 *
 * Start values that somebody gives to a model beside its files, in the order in which they count:
 * later ones replace earlier ones, which is reported; two of one file for one variable are an
 * error. */
#ifndef HK_ASSEMBLY_START_VALUES_H
#define HK_ASSEMBLY_START_VALUES_H

#include "assembly/set_file.h"
#include "assembly/settings.h"

typedef struct hk_start_rules {
    const char *names_hint; /* where a person finds the names */
    /* Why structural parameters cannot be set any more, and what to do; NULL: they can. */
    const char *fixed_sizes, *fixed_hint;
} hk_start_rules;

/* "NAME=VALUE", as --set takes it. */
HK_NODISCARD hk_status hk_start_value_split(hk_ctx *ctx, hk_arena *arena, const char *text,
                                            hk_start_values *values);
/* Structural parameters first, which decide sizes. All unknown names are reported, each at its
 * place. RET_SETTINGS, if it is not NULL, is told what holds at last. */
HK_NODISCARD hk_status hk_start_values_set(hk_ctx *ctx, hk_arena *arena, hk_model *model,
                                           const hk_start_values *values,
                                           const hk_start_rules *rules, hk_settings *ret_settings);

#endif

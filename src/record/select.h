/* SPDX-License-Identifier: MIT
 *
 * Choosing what to record and what to show, by name and by pattern. In a pattern '*' stands for
 * any text and '?' for any one character; all else, brackets included, stands for itself. */
#ifndef HK_RECORD_SELECT_H
#define HK_RECORD_SELECT_H

#include "engine/sim.h"

bool hk_glob_match(const char *pattern, const char *text);
bool hk_glob_is_plain(const char *pattern); /* no '*' and no '?' */

/* The columns that PATTERNS choose among "component.variable"; without patterns all outputs, and
 * where no component has one all continuous states. In the order of the model, each once; arrays
 * give one column per element, "c.a[1]" or "c.a[1,2]", and a pattern may name the array or its
 * elements. In a model with one component the variable's name alone is enough. Aliases of the model
 * come last: those that are named, and those that a pattern matches which does not match the
 * variable itself. The independent variable is chosen only by its name. A pattern that matches
 * nothing gives HK_E_UNKNOWN_SIGNAL. The columns live in ARENA; their offsets are not set:
 * hk_columns_layout does that. */
HK_NODISCARD hk_status hk_columns_select(hk_ctx *ctx, const hk_model *model, hk_texts patterns,
                                         hk_arena *arena, hk_column **ret_columns,
                                         size_t *ret_count);
/* Says that a record of COUNT columns holds nothing but the time or, if no pattern was given
 * (BY_DEFAULT), states in place of outputs. */
void hk_columns_tell(hk_ctx *ctx, const hk_model *model, bool by_default, size_t count);

/* The columns of a record that was read. */
typedef struct hk_record_names {
    const char *file;
    const char *const *names; /* the first is that of the time */
    size_t count;
} hk_record_names;

/* The same for them: their indices, in order; without patterns all. The time column is never among
 * them. */
HK_NODISCARD hk_status hk_table_select(hk_ctx *ctx, const hk_record_names *table, hk_texts patterns,
                                       hk_arena *arena, size_t **ret_columns, size_t *ret_count);
/* Says that PATTERN matches none of NAMES, which are all that FILE has, and what may have been
 * meant; returns HK_E_UNKNOWN_SIGNAL. */
hk_status hk_signal_unknown(hk_ctx *ctx, const char *file, const char *pattern,
                            const char *const *names, size_t count);

#endif

/* SPDX-License-Identifier: MIT
 *
 * Leaves: the C sources behind native types, so that a fused cell calls their steps by name. */
#ifndef HK_FUSE_LEAVES_H
#define HK_FUSE_LEAVES_H

#include "fuse/text.h"
#include "model/model.h"

#include <hk/unit.h>

typedef struct hk_leaf {
    const hk_unit_type *type;
    const char *step; /* C name to call, int NAME(void *self, double t, double h); NULL: through
                         the pointer */
    const char *why;  /* then: why */
    /* Per service of the type: C name of an array of function pointers or struct that is what it
     * provides, declared as `extern const char NAME[]` by who uses it; NULL, or NULL instead of the
     * list: what the engine has bound is used. */
    const char *const *services;
} hk_leaf;

typedef struct hk_leaves {
    const hk_leaf *all;
    size_t count;
    const hk_fuse_text *units; /* C files that define the names */
    size_t unit_count;
} hk_leaves;

/* The leaf of a type; NULL: there is none, or LEAVES is NULL. */
const hk_leaf *hk_leaf_of(const hk_leaves *leaves, const hk_unit_type *type);
HK_NODISCARD hk_status hk_leaves_find(hk_ctx *ctx, hk_arena *arena, const hk_model *model,
                                      hk_leaves *ret_leaves);

#endif

/* SPDX-License-Identifier: MIT
 *
 * Leaves: the C sources behind native types, so that a fused cell calls their steps by name. */
#ifndef HK_FUSE_LEAVES_H
#define HK_FUSE_LEAVES_H

#include "base/diag.h"
#include "fuse/fuse_text.h"
#include "model/model.h"

#include <hk/unit.h>

typedef struct hk_leaf {
    const hk_unit_type *type;
    const char *step; /* C name to call, int NAME(void *self, double t, double h); NULL: through
                         the pointer */
    const char *why;  /* then: why */
    /* Per service of the type: C name of the struct of functions that it provides, declared as
     * `extern const char NAME[]` by who uses it; NULL, or NULL instead of the list: what the engine
     * has bound is used. */
    const char *const *services;
} hk_leaf;

/* How a unit is compiled, beside the flags that all have. */
typedef struct hk_leaf_unit {
    const char *source;       /* the file it is made of, for messages */
    const char *const *words; /* definitions, folders of headers, the standard */
    size_t word_count;
    bool cpp;
} hk_leaf_unit;

typedef struct hk_leaves {
    const hk_leaf *all;
    size_t count;
    const hk_fuse_text *units; /* C files that define the names */
    const hk_leaf_unit *how;   /* one for each */
    size_t unit_count;
    const char *made_of; /* all files that the units include, with hashes of their contents */
} hk_leaves;

/* The leaf of a type; NULL: there is none, or LEAVES is NULL. */
const hk_leaf *hk_leaf_of(const hk_leaves *leaves, const hk_unit_type *type);
/* The leaves of the native types of MODEL. A plugin's sources are found by the note that it carries
 * (native/plugin_note.h) and are taken only if they are what it was built from; what is called
 * through its pointer is reported in a note, once for each plugin. All lives in ARENA. */
HK_NODISCARD hk_status hk_leaves_find(hk_ctx *ctx, hk_arena *arena, const hk_model *model,
                                      hk_leaves *ret_leaves);

#endif

/* SPDX-License-Identifier: MIT
 *
 * Built-in types that read something before they begin: a file, a list, a unit. Their text
 * parameters say what, and mistakes in it deserve a message, which a native type cannot give. */
#ifndef HK_NATIVE_BUILTIN_INTERNAL_H
#define HK_NATIVE_BUILTIN_INTERNAL_H

#include "base/diag.h"
#include "native/builtin.h"
#include "native/builtin_types.h"

/* Called when all parameters are in place, before init. Relative files are looked for in FOLDER.
 * What it reads lives in ARENA, which lives as long as the instance; a pointer to it is in the
 * struct at LOADED, is the same during the whole life of the instance, and is part of no state. */
typedef struct hk_builtin_loader {
    hk_status (*load)(hk_ctx *ctx, hk_arena *arena, void *self, const char *folder,
                      const char *component, const void **ret_loaded);
    size_t loaded; /* offset of a `const void *` */
} hk_builtin_loader;

/* NULL: TYPE needs none. */
const hk_builtin_loader *hk_builtin_loader_of(const hk_unit_type *type);

/* builtin_lookup.c */
extern const hk_unit_type hk_replay_type, hk_lookup_type, hk_adapter_type;

#endif

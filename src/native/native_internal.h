/* SPDX-License-Identifier: MIT
 *
 * What the files of this room share and nobody else needs. */
#ifndef HK_NATIVE_NATIVE_INTERNAL_H
#define HK_NATIVE_NATIVE_INTERNAL_H

#include "native/native.h"

/* What stands behind the hk_info of a native type. */
typedef struct hk_native_origin {
    hk_info info;
    const hk_unit_type *type;
    /* Offsets of every hk_bytes in the struct: what a copy of its bytes does not copy. */
    size_t *slots;
    size_t slot_count;
} hk_native_origin;

extern const hk_unit_class hk_native_class;

/* As hk_native_info, for a type that came from FILE (NULL: linked into the program). */
HK_NODISCARD hk_status hk_native_describe(hk_ctx *ctx, hk_model *model, const hk_unit_type *type,
                                          const char *file, const hk_info **ret_info);
/* Checks what can be checked before any other field of TYPE is read. */
HK_NODISCARD hk_status hk_native_check_abi(hk_ctx *ctx, const hk_unit_type *type, const char *file);

#endif

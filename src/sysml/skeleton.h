/* SPDX-License-Identifier: MIT
 *
 * A RoboChart module made from its block, and a block from its module: what one of them has inside
 * is not known to the other, so what is made is a skeleton, whose ports are whole. Each is the
 * inverse of the other: what was made once comes back with the same bytes. */
#ifndef HK_SYSML_SKELETON_H
#define HK_SYSML_SKELETON_H

#include "model/tree.h"
#include "sysml/profile.h"

typedef struct hk_skeleton {
    const char *name;        /* of the module or block; lives with the arena of LEFT */
    size_t ports, constants; /* of the block */
} hk_skeleton;

/* FROM: "model.sysml", or "model.sysml#Block" where it has several blocks of RoboChart. Writes the
 * file TO, which must be new, with a module that keeps M1 to M6. What a module has no words for
 * (units, initial values of inputs) is told, and added to LEFT; what it cannot be made of is an
 * error. */
HK_NODISCARD hk_status hk_skeleton_module(hk_ctx *ctx, const char *from, const char *to,
                                          hk_left_out *left, hk_skeleton *ret_skeleton);
/* FROM: "x.rct" or "x.rct#Module". Writes the file TO, which must be new: the block of the module,
 * in a system of its own, with the platform as a RoboticPlatform. */
HK_NODISCARD hk_status hk_skeleton_multimodel(hk_ctx *ctx, const char *from, const char *to,
                                              hk_left_out *left, hk_skeleton *ret_skeleton);

#endif

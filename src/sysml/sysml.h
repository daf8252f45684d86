/* SPDX-License-Identifier: MIT
 *
 * From SysML v2 text to the one model, and back. */
#ifndef HK_SYSML_SYSML_H
#define HK_SYSML_SYSML_H

#include "model/tree.h"
#include "sysml/profile.h"

/* Reads the multi-model at PATH: EComponents become components, what is around them systems of the
 * tree, flows connections with the lag `previous` (into reactive inputs: `current`). The rules that
 * any co-simulation keeps (profile "fmi") are checked, others are not. */
HK_NODISCARD hk_status hk_sysml_read(hk_ctx *ctx, const char *path, hk_model **ret_model);

/* The same of a multi-model that is there already and was checked; PATH is the file it is from. */
HK_NODISCARD hk_status hk_sysml_model(hk_ctx *ctx, const hk_multimodel *profile, const char *path,
                                      hk_model **ret_model);
/* Writes a model and its tree as a multi-model: components become EComponents, one block for those
 * that are alike, systems LComponents. What the profile has no words for and a run needs is an
 * error (HK_E_NO_WORDS) and no file is made; what else is left out is told, and added to LEFT. What
 * was written is read again. */
HK_NODISCARD hk_status hk_sysml_write(hk_ctx *ctx, const hk_model *model, const char *path,
                                      hk_left_out *left);

#endif

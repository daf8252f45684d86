/* SPDX-License-Identifier: MIT
 *
 * From SysML v2 text to the one model. */
#ifndef HK_SYSML_SYSML_H
#define HK_SYSML_SYSML_H

#include "model/tree.h"
#include "sysml/profile.h"

/* Reads the multi-model at PATH: EComponents become components, what is around them systems of the
 * tree, flows connections with the lag `previous` (into reactive inputs: `current`). The rules that
 * any co-simulation keeps (profile "fmi") are checked, others are not. */
HK_NODISCARD hk_status hk_sysml_read(hk_ctx *ctx, const char *path, hk_model **ret_model);

#endif

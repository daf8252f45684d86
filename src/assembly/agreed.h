/* SPDX-License-Identifier: MIT
 *
 * What nodes that are started by hand must have the same of, as far as files and requests go: the
 * contents of all that was read, the settings, the values. Names of files count without their
 * folders: each node reads its own. */
#ifndef HK_ASSEMBLY_AGREED_H
#define HK_ASSEMBLY_AGREED_H

#include "assembly/assembly.h"
#include "nodes/agreement.h"

/* CTX has claimed what was read (base/claims.h). */
void hk_assembly_agree(hk_ctx *ctx, const hk_assembly *assembly, hk_agreement *agreement);

#endif

/* SPDX-License-Identifier: MIT
 *
 * What is asked for of a sandbox: --allow and --limit. */
#ifndef HK_ASSEMBLY_SANDBOX_WISHES_H
#define HK_ASSEMBLY_SANDBOX_WISHES_H

#include "assembly/assembly.h"
#include "isolate/sandbox.h"

/* Refuses --allow and --limit if there is no sandbox that they could be for. */
HK_NODISCARD hk_status hk_sandbox_needed(hk_ctx *ctx, const hk_request *request);
/* Reads them, and refuses a sandbox that this machine cannot make. Texts go into ARENA. */
HK_NODISCARD hk_status hk_sandbox_wished(hk_ctx *ctx, hk_arena *arena, const hk_request *request,
                                         hk_sandbox *ret_sandbox);
/* Plugins are loaded to be described, by hocket itself: one warning for each. */
void hk_sandbox_warn_of_plugins(hk_ctx *ctx, const hk_model *model, const bool *sandboxed);

#endif

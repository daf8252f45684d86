/* SPDX-License-Identifier: MIT
 *
 * Which components get a process of their own. */
#ifndef HK_ASSEMBLY_ISOLATION_H
#define HK_ASSEMBLY_ISOLATION_H

#include "assembly/assembly.h"

/* Those that are asked for, and every further instance of an FMU that allows one per process.
 * Fills in what the assembly says of it. */
HK_NODISCARD hk_status hk_assembly_isolate(hk_ctx *ctx, hk_assembly *assembly);
/* The same for a model that nothing is asked of: NULL, or by component, in ARENA. */
const bool *hk_isolated_by_need(hk_arena *arena, const hk_model *model);

#endif

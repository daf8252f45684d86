/* SPDX-License-Identifier: MIT
 *
 * Components that other processes serve (hocket node --fmu): --remote NAME=PLACE. */
#ifndef HK_ASSEMBLY_REMOTE_UNITS_H
#define HK_ASSEMBLY_REMOTE_UNITS_H

#include "assembly/assembly.h"

/* Are there such components, can they be remote, and has each a place of its own? */
HK_NODISCARD hk_status hk_assembly_check_remote(hk_ctx *ctx, const hk_assembly *assembly);
/* By component, a connection to who serves it, or -1; NULL: nobody asks for any. Waits for each. */
HK_NODISCARD hk_status hk_remote_connect(hk_ctx *ctx, const hk_assembly *assembly, double timeout_s,
                                         int **ret_remote);
/* When the instances are made, which have their own copies. */
void hk_remote_disconnect(const hk_assembly *assembly, int *remote);

#endif

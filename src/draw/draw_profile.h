/* SPDX-License-Identifier: MIT
 *
 * A multi-model in SysML as the two diagrams of its profile: the architecture (blocks, what they
 * have, and which are parts of which) and the connections (instances with their ports, and the
 * flows between them). */
#ifndef HK_DRAW_DRAW_PROFILE_H
#define HK_DRAW_DRAW_PROFILE_H

#include "draw/canvas.h"
#include "sysml/profile.h"

/* TITLE: NULL for the name of the package or of the system. */
HK_NODISCARD hk_status hk_architecture_write(hk_ctx *ctx, const hk_multimodel *profile,
                                             const char *title, const char *path);
/* Fails if there is no Graphviz (draw/graph_layout.h). */
HK_NODISCARD hk_status hk_connections_write(hk_ctx *ctx, const hk_multimodel *profile,
                                            const char *title, const char *path);

#endif

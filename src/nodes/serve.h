/* SPDX-License-Identifier: MIT
 *
 * One FMU that is served by a process of its own, started by hand, to another hocket on this
 * machine. Both read the FMU, and begin only if it is the same. */
#ifndef HK_NODES_SERVE_H
#define HK_NODES_SERVE_H

#include "nodes/meeting.h"

/* Serves INFO, which is of an FMU, at the place: one instance after the other, until a signal says
 * so; ONCE: one only. */
HK_NODISCARD hk_status hk_serve(hk_ctx *ctx, const hk_meet *meet, const hk_info *info, bool once);
/* The connection to who serves INFO at PLACE for the component NAME; waits for it. */
HK_NODISCARD hk_status hk_serve_reach(hk_ctx *ctx, const hk_meet *meet, const hk_info *info,
                                      const char *name, double timeout_s, int *ret_fd);

#endif

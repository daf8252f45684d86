/* SPDX-License-Identifier: MIT
 *
 * A component in a process of its own: a unit that stands for one of any other class, which lives
 * in a child of this process. Whatever it does there, this process goes on and can say so. */
#ifndef HK_ISOLATE_ISOLATE_H
#define HK_ISOLATE_ISOLATE_H

#include "isolate/sandbox.h"
#include "model/unit.h"

/* Opens an instance of INFO in a new process, as INFO's own class would open it here. The process
 * is a copy of this one, so it should be made before instances live here. It never outlives this
 * one. Components with services cannot be isolated (HK_ASSERT): a call would have to cross.
 * SANDBOX, which outlives the unit, says what it may do there; NULL: what this process may. */
HK_NODISCARD hk_status hk_isolate_open(hk_ctx *ctx, const hk_info *info,
                                       const hk_unit_options *options, const hk_sandbox *sandbox,
                                       hk_unit **ret_unit);

/* The same of an instance that another process serves (hk_isolate_serve), which FD leads to; FD
 * stays the caller's. */
HK_NODISCARD hk_status hk_isolate_open_remote(hk_ctx *ctx, const hk_info *info,
                                              const hk_unit_options *options, int fd,
                                              hk_unit **ret_unit);
/* Serves one instance of INFO to the process that FD leads to, in a process of its own, until that
 * closes it or is gone; or until *STOP is not 0. A failure of the component is not one of the
 * function: who asked says so. */
HK_NODISCARD hk_status hk_isolate_serve(hk_ctx *ctx, const hk_info *info, int fd,
                                        bool (*stop)(void));
/* A number for what both must know alike of INFO: its variables and where they lie in the page. */
uint64_t hk_isolate_key(const hk_info *info);

/* Writes into TEXT where in its source a component is that crashes, and returns the length; called
 * in a handler of a signal, in the process of a native component. NULL: nobody knows. */
void hk_isolate_set_place(size_t (*place)(char *text, size_t size));
/* How often who waits looks again before it sleeps (hk_spin_looks), of units that are opened from
 * now on: HK_SPIN_MOST, unless something else was said. 0: it sleeps at once, as on a machine that
 * has no processor to spare. */
void hk_isolate_set_spin(unsigned spin);

#endif

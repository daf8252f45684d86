/* SPDX-License-Identifier: MIT
 *
 * When a component takes the process down: crashes, exit() and hangs inside a call are told by
 * name and time, the record is brought to a readable end, and the process leaves with the right
 * status. For programs that own their process, such as the command line. */
#ifndef HK_ENGINE_GUARD_H
#define HK_ENGINE_GUARD_H

#include "engine/sim.h"

/* Called in a signal handler before the process ends; must be safe there. */
typedef void hk_guard_flush_fn(void *user);

/* Watches every simulation of the process from now on. TIMEOUT_S > 0: a thread ends the process if
 * it is still running then (with one second of grace for the loop to end by itself). */
void hk_guard_install(hk_guard_flush_fn *flush, void *user, double timeout_s);
void hk_guard_remove(void);

#endif

/* SPDX-License-Identifier: MIT
 *
 * What is left of a simulation whose process has vanished: which component was being called, by
 * what, and when. The simulation lies in memory that the parent of the run sees, too (src/parent),
 * so that the loop says nothing that it would not say anyway; what its pointers stand for is
 * written down when the loop is made. Without a parent all of this does nothing. */
#ifndef HK_ENGINE_REMAINS_H
#define HK_ENGINE_REMAINS_H

#include "engine/sim_parts.h"

#include <sys/types.h>

/* Before the process of the run is forked. */
void hk_remains_make(void);
/* Zeroed memory for a simulation, which no process has that is forked later: one that a component
 * makes of this process cannot go on with its run. NULL: there is none. */
hk_sim *hk_remains_room(void);
hk_lane *hk_remains_lanes(const hk_sim *sim, unsigned count); /* of its threads; NULL: the same */
/* Whose simulation it is, and what its loop calls; after each change of it. */
void hk_remains_note(const hk_sim *sim);
void hk_remains_note_call(const hk_sim *sim, const hk_op *what); /* outside of the loop */
void hk_remains_release(const hk_sim *sim);

/* In the parent: "while component 'wheel' was in fmi2DoStep at t = 0.25 s" of the newest simulation
 * of process OWNER, with its length; 0: it had none. */
size_t hk_remains_describe(pid_t owner, char *text, size_t room);

#endif

/* SPDX-License-Identifier: MIT
 *
 * A team of threads that do one piece of work together, again and again. Between two pieces a
 * member first spins (the next piece usually comes within a microsecond), then lets others run, and
 * after a millisecond sleeps. Nothing
 * is locked; a piece of work is handed over by one atomic number. */
#ifndef HK_ENGINE_TEAM_H
#define HK_ENGINE_TEAM_H

#include <hk/base.h>

typedef struct hk_team hk_team;

/* One member's part of the work; the caller of hk_team_run is member 0. */
typedef void hk_team_fn(void *user, unsigned member);

/* A team of MEMBERS, the caller included. Fewer if the system gives no more threads. BEGIN runs
 * once in every new thread before its first work; may be NULL. */
hk_team *hk_team_create(unsigned members, hk_team_fn *begin, void *user);
void hk_team_destroy(hk_team *team); /* NULL is fine */
unsigned hk_team_size(const hk_team *team);
/* Every member does its part; returns when all have. What was written before is seen by all
 * members, and what they write is seen after. */
void hk_team_run(hk_team *team, hk_team_fn *work, void *user);

#endif

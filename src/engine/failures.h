/* SPDX-License-Identifier: MIT
 *
 * What to say when a call fails. */
#ifndef HK_ENGINE_FAILURES_H
#define HK_ENGINE_FAILURES_H

#include "engine/sim_parts.h"

/* failures.c: each sets sim->status, adds the diagnostic and returns false. A step may turn out
 * well, or be under way still: then hk_wait_step waits for its end. */
bool hk_fail_call(hk_sim *sim, const hk_op *what, int code);
bool hk_fail_step(hk_sim *sim, const hk_op *what, int code, double begin, double h);
bool hk_wait_step(hk_sim *sim, const hk_op *what); /* true at once: it is not under way */
bool hk_fail_copy(hk_sim *sim, const hk_general_copy *g);
bool hk_fail_not_finite(hk_sim *sim, const hk_cell *c);
bool hk_fail_given(hk_sim *sim, uint32_t component, const char *input); /* it has changed that */
/* A component asks to end the run when the step that it has done ends, UNTIL, or has ended it
 * inside of one: AT is when, for people. Who asks for the earliest end is heard, the first of
 * several. */
void hk_end_ask(hk_sim *sim, uint32_t component, hk_tick until, double at);
void hk_end_by(hk_sim *sim, uint32_t component, double at);
/* The floating-point environment has changed, or was seen to; WHAT NULL: it is not known by whom.
 */
void hk_report_fpenv(hk_sim *sim, const hk_op *what);
/* At the end: it was changed, and nobody was caught. */
void hk_report_slipped(hk_sim *sim);
/* Puts the process back to what it was when a call of ours began, and says who changed it; WHAT
 * NULL: it is not known who. FAULTS as in hk_host_restore. */
void hk_restore_host(hk_sim *sim, const hk_host *host, const hk_op *what, bool faults);
/* After a call while the simulation is made. */
void hk_look_around(hk_sim *sim, const hk_op *what);

#endif

/* SPDX-License-Identifier: MIT
 *
 * The end of a run: what the loop calls when there is a reason for it. All of it is rare. */
#ifndef HK_ENGINE_ENDING_H
#define HK_ENGINE_ENDING_H

#include "engine/sim_parts.h"

/* Ends the run, because the recorder takes no more; always false. */
bool hk_row_refused(hk_sim *sim);
/* A condition that ends the run holds now; the reason is kept. */
bool hk_condition_holds(hk_sim *sim);
/* Ends the run at this instant, with a row. */
void hk_end_early(hk_sim *sim);
/* A component has done its last step, and this is where that ends. What only rows need is not read
 * between them, so there is none if it is not due. */
void hk_end_as_asked(hk_sim *sim);
/* The stop time is reached. The last row shows every component at the end of its last step. */
void hk_end_at_stop(hk_sim *sim);
/* A component has ended the run in the middle of a step, at a time that no other has reached: a row
 * with its last values, and those of the others that hold there. */
void hk_end_inside(hk_sim *sim);
/* The activation that comes next would overrun: a row, as at every end, and the reason. */
void hk_end_on_overrun(hk_sim *sim);
/* Somebody has asked for the end, or the time is up: a row, as at every end, where the run has
 * come to. A run that has come to its stop time is not interrupted any more. */
void hk_end_from_outside(hk_sim *sim);

#endif

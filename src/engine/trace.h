/* SPDX-License-Identifier: MIT
 *
 * The calls as lines of JSON. */
#ifndef HK_ENGINE_TRACE_H
#define HK_ENGINE_TRACE_H

#include "engine/sim_parts.h"

/* trace.c */
void hk_trace_create(hk_sim *sim);
void hk_trace_finish(hk_sim *sim);
/* CODE is what the call returned, if it was made already: else hk_trace_status says it later. */
void hk_trace_exchange(hk_sim *sim, hk_lane *l, const hk_exchange *x, bool is_get, int code);
void hk_trace_memory(hk_sim *sim, hk_lane *l, const hk_cell *c, bool is_get);
void hk_trace_step(hk_sim *sim, hk_lane *l, uint32_t component, double t, double h);
void hk_trace_initial(hk_sim *sim, const hk_engine_port *p, bool is_get, int code);
void hk_trace_start(hk_sim *sim, uint32_t component, uint32_t variable, const hk_value *value);
/* The call of the newest line has returned this. FAILED: the run ends here, whatever it is. */
void hk_trace_status(hk_sim *sim, hk_lane *l, int code, bool failed);
void hk_trace_mode(hk_sim *sim, bool initial); /* initialization mode begins or ends */
void hk_trace_phase(hk_sim *sim);              /* the calls of a phase have been made */
void hk_trace_rest(hk_sim *sim);               /* the run ends: those of a phase that has begun */

#endif

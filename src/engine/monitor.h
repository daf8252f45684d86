/* SPDX-License-Identifier: MIT
 *
 * The monitor, as the loop and those who change it see it: what each cell must do, and whether that
 * is what it does. */
#ifndef HK_ENGINE_MONITOR_H
#define HK_ENGINE_MONITOR_H

#include "engine/sim_parts.h"

/* monitor_initial.c: before the loop. */
typedef struct hk_initial_due {
    uint64_t copy, call; /* what is to be seen of a node; 0: nothing */
    uint32_t component, variable;
    bool input;
} hk_initial_due;
void hk_monitor_begin(hk_sim *sim);                /* before any call is made */
void hk_initial_made(hk_sim *sim, uint64_t token); /* by hk_token or hk_copy_token */
/* CALL (NULL: it lies in shared memory) is the right one for NODE; what is due follows from it. */
HK_NODISCARD hk_status hk_initial_prove(hk_sim *sim, const hk_init_node *node, const hk_call *call,
                                        hk_initial_due *ret_due);
/* A pass through COUNT nodes of the plan from FIRST on; then what is due of each, in order; and
 * there was no more. */
HK_NODISCARD hk_status hk_initial_begin(hk_sim *sim, size_t first, size_t count);
HK_NODISCARD hk_status hk_initial_seen(hk_sim *sim, const hk_initial_due *due);
HK_NODISCARD hk_status hk_initial_end(hk_sim *sim, const hk_initial_due *last);
HK_NODISCARD hk_status hk_initial_finish(hk_sim *sim); /* all nodes had their turn */
/* All outputs are read once. */
void hk_first_gets_begin(hk_sim *sim);
HK_NODISCARD hk_status hk_first_gets_end(hk_sim *sim);
void hk_initial_forget(hk_sim *sim); /* frees what was kept */
/* monitor.c. Arms it: finds what each cell must do, and proves that what is prepared is that. */
void hk_monitor_create(hk_sim *sim);
void hk_monitor_arm(hk_sim *sim); /* after anything has changed; sets sim->status if it is wrong */
void hk_monitor_lane(hk_sim *sim, hk_lane *l); /* gives it room for the calls it makes */
void hk_monitor_resync(hk_sim *sim);           /* the clock was set */
bool hk_monitor_end(hk_sim *sim);              /* all that was due before the clock has been done */
/* These return true if nothing is wrong after all. */
bool hk_monitor_sum(hk_sim *sim, hk_lane *l, const hk_cell *c, hk_call_kind part, uint64_t seen);
bool hk_monitor_time(hk_sim *sim, const hk_cell *c, double t, double h);
bool hk_monitor_shifted(hk_sim *sim, const hk_stepping *s, double t);
bool hk_monitor_rows(hk_sim *sim, hk_lane *l, const hk_cell *c, uint64_t seen);
bool hk_monitor_level(hk_sim *sim, size_t due_count, uint32_t level);
void hk_monitor_pass(hk_sim *sim, const hk_cell *c);
/* monitor_report.c: what is to be said; each returns false. */
bool hk_report_sum(hk_sim *sim, const hk_lane *l, const hk_cell *c, hk_call_kind part,
                   uint64_t seen, uint64_t must);
bool hk_report_time(hk_sim *sim, const hk_cell *c, double t, double h, hk_tick due);
bool hk_report_unsound(hk_sim *sim, uint32_t component, const char *text);
/* monitor_values.c: debugging: what is set is what was got. */
void hk_values_create(hk_sim *sim);
void hk_values_forget(hk_sim *sim); /* what was got: a state was restored */
void hk_values_got(hk_sim *sim, const hk_cell *c);
/* A component that runs elsewhere has published in the activation at T. */
void hk_values_took(hk_sim *sim, uint32_t component, hk_tick t);
bool hk_values_set(hk_sim *sim, const hk_cell *c);
/* Before each call: may it be made, after those before it? */
bool hk_values_may(hk_sim *sim, uint32_t component, hk_unit_call call);

#endif

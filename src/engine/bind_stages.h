/* SPDX-License-Identifier: MIT
 *
 * The stages that bind a program to addresses, as arrays for the loop, in the order in which they
 * run. */
#ifndef HK_ENGINE_BIND_STAGES_H
#define HK_ENGINE_BIND_STAGES_H

#include "engine/sim_parts.h"

/* sim.c: what is called in an order. */
struct hk_program *hk_sim_program(const hk_sim *sim, const hk_plan *plan);
/* ports.c: which variables are exchanged, and what for. */
void hk_ports_collect(hk_sim *sim);
uint32_t hk_blobs_reserve(hk_sim *sim, size_t count);
/* layout.c: the cells of a program; one block of memory for all that changes, and where everything
 * lies in it; the loop runs these cells from now on. */
hk_cell *hk_layout_cells(hk_sim *sim, const struct hk_program *program);
void hk_layout_make(hk_sim *sim);
void hk_layout_use(hk_sim *sim, hk_cell *cells, size_t count);
/* The ports of a component that one bulk call exchanges, in the order of the call. */
size_t hk_layout_call(const hk_sim *sim, uint32_t component, unsigned use, hk_store store,
                      uint32_t *ret_ports);
/* wiring.c: calls and copies, cell by cell. The set calls of an instance are bound once; copies can
 * be made again when what is active or faulty has changed. */
HK_NODISCARD hk_status hk_wiring_make(hk_sim *sim);
/* The same for another order of the same components: sim->plan is that. */
HK_NODISCARD hk_status hk_wiring_order(hk_sim *sim, hk_web *net);
/* The same for cells that hold the share of one thread each. */
HK_NODISCARD hk_status hk_wiring_share(hk_sim *sim, hk_cell *shares, size_t count);
void hk_wiring_copies(hk_sim *sim, hk_call_lists *out, const hk_cell *c, hk_cell_ranges *r);
void hk_wiring_segments(const hk_sim *sim, hk_call_lists *out, const hk_cell *c, hk_cell_ranges *r);
/* The arrays have their final places: indices become pointers. */
void hk_wiring_settle(const hk_call_lists *out, hk_cell *c, const hk_cell_ranges *r);
/* The connection that drives an input. */
uint32_t hk_wiring_driver(const hk_sim *sim, uint32_t component, uint32_t variable);
hk_general_copy hk_wiring_general(hk_sim *sim, uint32_t index);
void hk_web_finish(hk_web *net);
void hk_web_forget_live(hk_web *net);

/* Incoming connections of a component, as the program copies them: order[first[c]] ...
 * order[end[c] - 1]. */
typedef struct hk_incoming {
    uint32_t *first, *end, *order;
} hk_incoming;

#endif

/* SPDX-License-Identifier: MIT
 *
 * What a scenario does to a run: what is active, faulty and bound; and values that are written by
 * hand. */
#ifndef HK_ENGINE_CHANGES_H
#define HK_ENGINE_CHANGES_H

#include "engine/cells.h"

/* What a run does while certain providers are bound: order_cells.c. */
typedef struct hk_order {
    const hk_plan *plan;
    struct hk_program *program;
    hk_cell *cells;
    size_t cell_count;
    hk_web web; /* unless it is in use: then it is the simulation's */
} hk_order;

struct hk_trouble;
struct hk_bound_service;
struct hk_given_value;

typedef struct hk_sim_changes {
    bool *active;        /* per component, in the block */
    hk_tick *shift;      /* per component, in the block: how much its own clock is behind */
    hk_tick *stopped_at; /* per component, in the block: newest activation before it stopped */
    bool *shaky;         /* per connection: it keeps what the consumer saw last */
    bool *lent;          /* per connection: and does so, since no fault stands in the way */
    struct hk_trouble **troubles; /* per connection; NULL: none has any */
    hk_order *orders;
    size_t order_count, order, first_order; /* in use; at the beginning */
    struct hk_bound_service *bound;         /* services.c: per requirement */
    bool *calls;                            /* per component: it calls services, or is called */
    size_t stopped_bindings;                /* requirements whose provider is stopped */
    hk_access **accesses;                   /* variables that are reached by hand */
    size_t access_count, access_cap;
    size_t waiting_writes; /* values written by hand that wait for the next step: access.c */
    struct hk_given_value
        *loaded; /* state_parameters.c: to the run whose state was loaded; NULL: none was */
    size_t loaded_count;
} hk_sim_changes;

/* relink.c: what the loop does after a change of what is active or faulty. */
void hk_relink(hk_sim *sim);
/* trouble.c: copies what FROM holds, with the faults of the connection. */
bool hk_trouble_apply(hk_sim *sim, const hk_general_copy *c, const void *from);
void hk_troubles_finish(hk_sim *sim);
/* order_cells.c: cells for each order of the plan, and the one for what is bound; the calls of
 * those that are not in use; another one, after a binding. */
HK_NODISCARD hk_status hk_orders_make(hk_sim *sim);
HK_NODISCARD hk_status hk_orders_wire(hk_sim *sim);
HK_NODISCARD hk_status hk_order_choose(hk_sim *sim);
void hk_orders_finish(hk_sim *sim);

/* services.c: who provides what at the beginning; the calls that follow from it. */
HK_NODISCARD hk_status hk_services_choose(hk_sim *sim);
void hk_services_bind_all(hk_sim *sim);
hk_provider hk_services_bound(const hk_sim *sim, size_t requirement);
void hk_services_put_back(hk_sim *sim, size_t requirement, hk_provider to); /* nothing is called */
void hk_services_provider_changed(hk_sim *sim, uint32_t component);
void hk_services_connect_all(hk_sim *sim); /* after the states of components were restored */

/* access.c */
void hk_accesses_finish(hk_sim *sim);
/* Values that were written by hand: sets those of components that are due at T; of all; or of none,
 * and forgets them. */
HK_NODISCARD bool hk_accesses_apply(hk_sim *sim, hk_tick t);
HK_NODISCARD bool hk_accesses_apply_all(hk_sim *sim);
void hk_accesses_forget(hk_sim *sim);

#endif

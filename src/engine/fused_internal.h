/* SPDX-License-Identifier: MIT
 *
 * Fused code while it runs: for fused.c, fused_check.c and fused_run.c. */
#ifndef HK_ENGINE_FUSED_INTERNAL_H
#define HK_ENGINE_FUSED_INTERNAL_H

#include "engine/deeds_internal.h"
#include "engine/fused.h"
#include "engine/monitor_internal.h"

/* One thing to do at an instant: all cells of a rate, a cell, or a part of one. */
typedef struct hk_fused_act {
    hk_fused_fn *run; /* by the library; NULL: interpreted */
    double h;
    const hk_cell *c; /* NULL: all of a rate */
    int part;         /* HK_FUSED_PARTS: all of them */
    bool ends;        /* the cell is done then */
} hk_fused_act;

/* The monitor's clock for a rate that is due. */
typedef struct hk_due_rate {
    hk_due_time *due;
    hk_tick period;
    const hk_cell *first;
    bool advance; /* not by an interpreted cell at its end */
} hk_due_rate;

/* Rates that are due at the same instants. */
typedef struct hk_due_set {
    uint64_t mask;
    uint64_t active; /* those of them that are not idle */
    hk_fused_act *acts;
    hk_due_rate *rates;
    size_t act_count, rate_count, fused_count;
    uint64_t done; /* what the library adds up at such an instant */
} hk_due_set;

struct hk_fused_state {
    void *library; /* for dlclose; NULL: not ours */
    const hk_fused_library *table;
    hk_arena *arena;
    const hk_system_deeds *deeds; /* with nothing masked: what the text says */
    hk_fused_head *head;
    hk_fused_line *lines;
    void *line_memory;
    hk_fused_factor *factors;
    hk_tick **last;
    hk_due_time **due;
    double *h;                        /* per rate */
    hk_due_time *own_due;             /* where the monitor is off */
    const hk_general_copy **generals; /* per connection */
    const hk_fused_leaf **leaf;       /* per component: its step, where that is called by name */
    bool *keeps;                      /* ... and it was told that it keeps addresses */
    bool *never;                      /* per cell of the library: it was made for other options */
    const hk_cell **cells;      /* per cell of the library: what it is of the engine's; NULL */
    const hk_fused_cell **code; /* per cell of the engine: who runs it; NULL: interpreted */
    uint32_t *number;           /* ... and which of the library that is */
    size_t fused_count;
    uint64_t runs;

    /* Bursts. */
    hk_due_beats beats;
    hk_due_set *sets;
    size_t set_count;
};

/* fused_check.c: what the text of all cells says is what the engine would do. */
HK_NODISCARD hk_status hk_fused_check(hk_sim *sim, struct hk_fused_state *f);
/* The cell does now what it does with nothing masked. */
bool hk_fused_agrees(const hk_sim *sim, const hk_deed_collector *now, const hk_deeds *then);
/* fused_leaves.c: interpreted instants call the steps of the library, too. */
void hk_fused_take_steps(hk_sim *sim, struct hk_fused_state *f);
/* A component of the cell holds an address of the plugin that it is compiled from. */
bool hk_fused_keeps_addresses(hk_sim *sim, struct hk_fused_state *f, const hk_cell *c);
/* fused_run.c: what is done at each instant of a hyperperiod, after anything has changed. */
void hk_fused_write_sets(hk_sim *sim, struct hk_fused_state *f);
void hk_fused_free_sets(struct hk_fused_state *f);

#endif

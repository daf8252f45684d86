/* SPDX-License-Identifier: MIT
 *
 * Deeds: what a cell does, one after the other, with the addresses of the loop. For those who print
 * it (src/fuse) and those who compare it with what was printed (fused.c). */
#ifndef HK_ENGINE_DEEDS_H
#define HK_ENGINE_DEEDS_H

#include "engine/sim.h"

#include <hk/fused.h>

/* Where something lies. */
typedef enum hk_realm {
    HK_REALM_NONE,
    HK_REALM_SYSTEM, /* in a native component: offset from the beginning of the system */
    HK_REALM_BLOCK,  /* in the block: offset in it */
    HK_REALM_FAR     /* elsewhere: number among those */
} hk_realm;

typedef struct hk_spot {
    hk_realm realm;
    size_t offset;
    const void *address;
} hk_spot;

typedef struct hk_deed {
    hk_fused_kind kind;
    hk_fused_part part;
    uint32_t component;  /* who takes, is stepped, gives */
    uint32_t connection; /* COPY, LINEAR, GENERAL; else HK_MAP_NONE */
    uint32_t number;     /* of the line, the factor, the connection, the service, or the cell */
    uint32_t variable;   /* FINITE, SET, GET: the first; BOUND: the service that is required */
    uint32_t provider;   /* BOUND: the component */
    hk_spot from, to;    /* as in hk_fused_said */
    size_t count;        /* COPIES: bytes; FINITE: doubles; DUE: the rate */
    hk_fused_line line;  /* SET, STEP, GET */
    int shape;           /* of the call: hk_shape, hk_step_shape */
    hk_fused_factor factor;
    const void *general; /* of the engine: what does it */
} hk_deed;

typedef struct hk_deeds {
    uint32_t rate, level;
    const uint32_t *members;
    size_t member_count;
    const hk_deed *all;
    size_t count;
    const char *cannot; /* NULL; else why it is always interpreted */
} hk_deeds;

/* A native component in the memory of the system. */
typedef struct hk_place {
    uint32_t component;
    size_t offset, size;
} hk_place;

/* A value in the block. */
typedef struct hk_slot {
    uint32_t component, variable;
    size_t offset;
} hk_slot;

/* What is done when certain rates are due: a part of a cell, or (HK_FUSED_PARTS) all of one. */
typedef struct hk_turn {
    uint32_t cell;
    int part;
} hk_turn;

/* All cells, with nothing masked and nothing faulty. */
typedef struct hk_system_deeds {
    const hk_deeds *cells;
    size_t cell_count, rate_count, line_count, factor_count, far_count;
    void *const *fars;      /* what lies elsewhere, by number */
    const hk_place *places; /* by offset */
    size_t place_count;
    const hk_slot *slots; /* by offset */
    size_t slot_count;
    size_t size, block_size;
    const uint64_t *due; /* which rates are due together, a bit for each, without those of which
                            everything is stopped; none if that repeats too late to be written
                            down */
    size_t due_count;
    uint64_t layout, slot_layout; /* as in hk_fused_library */
    const hk_model *model;
    const hk_plan *plan;
} hk_system_deeds;

/* In ARENA; points into the simulation. */
const hk_system_deeds *hk_sim_deeds(const hk_sim *sim, hk_arena *arena);
/* The turns when the rates DUE are: merged by level, all cells of one take their values before one
 * steps, and step before one gives its values away. TURNS has room for three per cell. */
size_t hk_deeds_turns(const hk_system_deeds *deeds, uint64_t due, hk_turn *turns);
/* The first cell of a rate. */
uint32_t hk_deeds_first_cell(const hk_system_deeds *deeds, uint32_t rate);

#endif

/* SPDX-License-Identifier: MIT
 *
 * Between the files of the synthesis: what must come before what. */
#ifndef HK_SOUND_SYNTHESIS_H
#define HK_SOUND_SYNTHESIS_H

#include "sound/sound.h"

typedef enum hk_need_kind {
    HK_NEED_ORDER, /* within an instance, or of the sizes of steps */
    HK_NEED_VALUE, /* from an output to the input it drives */
    HK_NEED_FMI,   /* get before set; only wanted */
    HK_NEED_SIZE   /* those that may reject a step before the others */
} hk_need_kind;

typedef struct hk_need {
    uint32_t from, to;
    hk_need_kind kind;
    bool gone;
} hk_need;

/* Nodes: ports, then steps, then one per instance for HK_NEED_FMI. */
typedef struct hk_needs {
    hk_arena *arena;
    const hk_sound_system *system;
    uint32_t node_count;
    bool *present;
    hk_need *edges;
    size_t edge_count, edge_cap;
    uint32_t *first, *out; /* edges of node n: out[first[n]] ... out[first[n + 1] - 1] */
    /* Components in an order in which edges only lead on, and their nodes one after the other. */
    uint32_t *component, *nodes, *ends;
    size_t component_count;
    bool *used_output; /* connected or observed */
    bool *closed;      /* instances: may reject, or feed one that does without delay */
    size_t closed_count;
    uint32_t *local; /* nodes of the component at hand: their number in it, plus 1 */
    /* Rates differ: what a delayed input must be at its next activation may not be there yet when
     * it has been stepped. So it is set at the beginning of its own cycle, before its source is
     * stepped there. */
    bool early;
} hk_needs;

/* synthesis_graph.c */
void hk_needs_begin(hk_needs *g, uint32_t node_count);
void hk_needs_finish(hk_needs *g);
/* If both nodes are present. */
void hk_needs_add(hk_needs *g, uint32_t from, uint32_t to, hk_need_kind kind);
/* Finds the components. */
void hk_needs_sort(hk_needs *g);

#endif

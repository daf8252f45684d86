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

/* Nodes of an instance, and what a node is. */
static inline uint32_t hk_needs_step(const hk_needs *g, uint32_t instance) {
    return (uint32_t)g->system->port_count + instance;
}

static inline uint32_t hk_needs_gate(const hk_needs *g, uint32_t instance) {
    return hk_needs_step(g, instance) + (uint32_t)g->system->instance_count;
}

static inline uint32_t hk_needs_owner(const hk_needs *g, uint32_t node) {
    uint32_t ports = (uint32_t)g->system->port_count, count = (uint32_t)g->system->instance_count;
    return node < ports ? g->system->ports[node].instance : (node - ports) % count;
}

static inline bool hk_needs_is_step(const hk_needs *g, uint32_t node) {
    return node >= g->system->port_count &&
           node < g->system->port_count + g->system->instance_count;
}

static inline bool hk_needs_is_get(const hk_needs *g, uint32_t node) {
    return node < g->system->port_count && g->system->ports[node].is_output;
}

/* One that nothing is connected to is always fresh: it waits for nothing. */
static inline bool hk_needs_is_reactive(const hk_needs *g, uint32_t node) {
    return g->system->ports[node].reactive && g->system->ports[node].source != HK_MAP_NONE;
}

/* synthesis_graph.c */
void hk_needs_begin(hk_needs *g, uint32_t node_count);
void hk_needs_finish(hk_needs *g);
/* If both nodes are present. */
void hk_needs_add(hk_needs *g, uint32_t from, uint32_t to, hk_need_kind kind);
/* Finds the components. */
void hk_needs_sort(hk_needs *g);

/* synthesis_edges.c */
/* Begins a graph with the nodes of the system. */
void hk_needs_of(hk_needs *g, hk_arena *arena, const hk_sound_system *system);
/* The edges of an initialization; false: nothing acts on anything else at once. */
bool hk_needs_init(hk_needs *g);
/* The edges of a step. */
void hk_needs_steps(hk_needs *g);
/* Where wishes of FMI close a cycle they cannot be granted: true if some were dropped. */
bool hk_needs_drop_wishes(hk_needs *g);
/* The delayed input that an output depends on without delay; HK_MAP_NONE: none. */
uint32_t hk_needs_delayed(const hk_needs *g, uint32_t output);

#endif

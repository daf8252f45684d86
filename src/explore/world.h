/* SPDX-License-Identifier: MIT
 *
 * A controller and its plant as one system with states: what hk_walk_all walks through. */
#ifndef HK_EXPLORE_WORLD_H
#define HK_EXPLORE_WORLD_H

#include "chart/chart_ports.h"
#include "chart/chart_run.h"
#include "explore/explore.h"
#include "explore/offer.h"
#include "explore/plant.h"
#include "explore/walk.h"

enum {
    HK_WORLD_MACHINES =
        31, /* marks of machines that act and machines that have ended are in one word */
    HK_WORLD_FAILED = 31, /* a cycle failed: what could come behind it is not known */
    HK_WORLD_ENDED = 32,
    HK_WORLD_TERMINATED = 63,
    HK_WORLD_SITES = 64 /* that are told of one kind, each with its way; all others are counted */
};

/* An event of the platform. */
typedef struct hk_world_input {
    const char *name;
    uint32_t line;         /* the first of its lines */
    const hk_offer *offer; /* NULL: untyped */
    bool driven;           /* by the plant: not free */
} hk_world_input;

/* What one side emits and the other receives. */
typedef struct hk_world_link {
    hk_ask_value
        from;      /* EVENT, OPERATION, or (COMPARE) a variable, which is there in every cycle */
    uint32_t size; /* cells of its value */
    uint32_t line; /* of the other side, the first one */
} hk_world_link;

/* One chart: 0 is the controller, 1 its plant. */
typedef struct hk_side {
    const hk_chart *chart;
    hk_chart_runner *runner;
    const hk_chart_layout *layout;
    uint32_t at, words; /* where its state is */
    hk_world_input *inputs;
    size_t input_count;
    const hk_world_link *links; /* to the other side */
    size_t link_count;
    bool *present; /* per line, but those to the platform: it brings something in this cycle */
    uint64_t *nodes, *taken; /* counts of this cycle */
    bool *node_seen, *taken_seen;
    uint32_t *tick_caps;  /* a clock that is here stays here; 0: it goes on */
    double *tick_largest; /* time that it is compared with; NaN: not known */
    uint32_t *idle; /* variables that do not count: between two cycles they are 0 unless large */
    uint32_t idle_count;
    uint32_t *root;    /* per machine: the one that calls it in the end */
    uint32_t *threads; /* per machine: its first during action */
    hk_chart_report report;
} hk_side;

/* Something that was found on an edge for the first time. */
typedef struct hk_world_site {
    hk_walk_edge edge;
    unsigned unit;
    uint32_t kind; /* failures: hk_chart_outcome */
    uint32_t machine, node, first, second;
    uint32_t round; /* divergence: a transition that comes again and again, from 1; 0: none */
    int line, column;
    const char *text;
} hk_world_site;

typedef struct hk_world_sites {
    hk_world_site *all;
    size_t count, cap;
} hk_world_sites;

typedef struct hk_world {
    hk_ctx *ctx;
    hk_arena *arena;
    hk_side sides[2];
    size_t side_count;
    const hk_plant *table; /* NULL: none */
    uint32_t table_at;
    const hk_properties *properties;
    uint32_t monitor_at, words;
    uint64_t *first;  /* the state before the first cycle */
    uint64_t *before; /* scratch: of the controller, before its cycle */
    hk_walk_system system;
    hk_chart_ports ports; /* of the controller */
    uint32_t *reals;      /* those that are outputs with a real value */
    uint32_t real_count;
    uint64_t inputs; /* that are free, in one cycle */
    /* The cycle that is being run. */
    hk_walk_edge edge;
    hk_choices *choices;
    uint64_t *state;
    unsigned unit;
    /* What was found. */
    hk_world_sites failures, nondeterminism;
    hk_world_site *property_sites; /* per property */
    bool *property_found;
    hk_world_site ended;
    bool has_ended;
    /* Somebody who wants to know what is chosen; NULL: nobody. */
    struct hk_witness *witness;
} hk_world;

/* world_make.c: everything that is needed to run cycles. Finished by hk_world_finish in any case.
 */
HK_NODISCARD hk_status hk_world_make(hk_world *world, hk_ctx *ctx, hk_arena *arena,
                                     const char *path, const hk_explore_wishes *wishes);
void hk_world_finish(hk_world *world);

/* world.c */
void hk_world_begin(void *world, uint64_t *ret_state);
bool hk_world_step(void *world, hk_walk_edge edge, hk_choices *choices, uint64_t *state,
                   uint64_t *ret_marks);
/* Did what VALUE is of happen in this cycle? Variables are always there. */
bool hk_world_happened(const hk_world *world, const hk_ask_value *value);
hk_cell *hk_world_memory(const hk_world *world, unsigned unit);
void *hk_side_state(const hk_world *world, unsigned unit);

/* judge.c: does it hold at the end of this cycle? */
bool hk_world_holds(const hk_world *world, const hk_ask *ask);
/* Looks at all properties, which may move on in the state. */
void hk_world_judge(hk_world *world);

/* clocks.c: where clocks may stop, from what they are compared with. MEMORY has the constants. */
void hk_side_cap_clocks(hk_arena *arena, hk_side *side, const hk_cell *memory);
/* The value of an expression that does not change; NaN: it may. */
double hk_side_constant(const hk_side *side, const hk_cell *memory, const hk_chart_expr *expr);

/* slice.c: which variables nobody asks for; their names, and those of what has most values ("":
 * none). */
void hk_side_find_idle(hk_world *world, unsigned unit, const hk_cell *memory);
const char *hk_world_idle_text(const hk_world *world);
const char *hk_world_many_text(const hk_world *world, const hk_vault *vault);

/* witness.c: the inputs that lead to STATE, and then through LAST (NULL: no further). */
hk_explore_rows hk_witness_make(hk_world *world, const hk_walk *walk, uint32_t state,
                                const hk_walk_edge *last);
/* Told by the world while a witness is made: when all inputs are there, what is chosen, and when
 * the cycle is done. */
void hk_witness_inputs(hk_world *world);
void hk_witness_done(hk_world *world);
void hk_witness_choice(hk_world *world, const hk_chart_choice *choice, uint64_t taken);
void hk_witness_took(hk_world *world, uint32_t machine, uint32_t transition);

/* findings.c */
void hk_world_tell(hk_world *world, hk_walk *walk, hk_explored *explored);

#endif

/* SPDX-License-Identifier: MIT
 *
 * What is asked of a controller, in words:
 *
 *     always alarm then ReleaseFlag within 0 cycles;
 *     never s0 in Drop and c1.s0 in Off "the light goes on";
 *     reachable DetectAndFlag takes t4;
 *     deterministic GasAnalysis;
 *     terminates;
 *     range odometer 0, 1, 2;
 *
 * docs/robochart.md has the grammar. Everything is looked at at the end of each cycle. */
#ifndef HK_EXPLORE_PROPERTY_H
#define HK_EXPLORE_PROPERTY_H

#include "base/file.h"
#include "chart/chart.h"

/* Whose names conditions use: those of the controller as they are, those of its plant behind
 * "plant.". */
typedef struct hk_ask_scope {
    const hk_chart *controller;
    const hk_chart *plant;           /* NULL: none */
    const char *const *plant_states; /* of a table: "plant in NAME" */
    size_t plant_state_count;
} hk_ask_scope;

typedef enum hk_ask_op {
    HK_ASK_AND,
    HK_ASK_OR,
    HK_ASK_NOT,
    HK_ASK_EVENT,     /* line `index` has brought or sent something in this cycle */
    HK_ASK_ARRIVAL,   /* line `index`, between machines, brings what was sent in the cycle before */
    HK_ASK_OPERATION, /* operation `index` was called in this cycle */
    HK_ASK_STATE,     /* machine `machine` is in state `index`, or in one inside it */
    HK_ASK_TAKES,     /* it has taken transition `index` in this cycle */
    HK_ASK_ENDED,     /* it has terminated */
    HK_ASK_PLANT,     /* the table of the plant is in state `index` */
    HK_ASK_COMPARE
} hk_ask_op;

/* A cell of memory, or a value. What belongs to an event or an operation is only there when that
 * happens: `op` and `index` say so; a comparison with what is not there is false. */
typedef struct hk_ask_value {
    const hk_chart_type *type;
    bool literal;
    hk_cell value;
    uint32_t cell;
    hk_ask_op op; /* EVENT, ARRIVAL, OPERATION; COMPARE: a variable */
    uint32_t index;
    unsigned unit;
} hk_ask_value;

typedef struct hk_ask hk_ask;
struct hk_ask {
    hk_ask_op op;
    const hk_ask *a, *b; /* AND, OR, NOT (a) */
    unsigned unit;       /* 0: the controller, 1: its plant */
    uint32_t machine, index;
    const char *mark; /* COMPARE: "==" ... */
    hk_ask_value left, right;
};

typedef enum hk_property_kind {
    HK_PROPERTY_ALWAYS,
    HK_PROPERTY_NEVER,
    HK_PROPERTY_FOLLOWS, /* always a then b within `cycles` */
    HK_PROPERTY_REACHABLE,
    HK_PROPERTY_STATES,      /* all states are reachable */
    HK_PROPERTY_TRANSITIONS, /* all transitions can be taken */
    HK_PROPERTY_DETERMINISTIC,
    HK_PROPERTY_TERMINATES /* it always can, in the end */
} hk_property_kind;

typedef struct hk_property {
    hk_property_kind kind;
    const hk_ask *a, *b;
    uint32_t cycles;
    uint32_t machine;    /* STATES ... TERMINATES: of the controller; NONE: all */
    const char *text;    /* as it was written, in one line */
    const char *message; /* what it means when it does not hold; NULL: not said */
    const char *file;
    int line;
} hk_property;

/* "range NAME values" or "length NAME n" of a file; options have the same. */
typedef struct hk_ask_bound {
    const char *name;
    const char *values; /* "0, 1, 2", "0..5"; of a length: a number */
    bool length;
    hk_where where; /* where it was given */
} hk_ask_bound;

typedef struct hk_properties {
    const hk_property *all;
    size_t count;
    const hk_ask_bound *bounds;
    size_t bound_count;
} hk_properties;

/* Reads a text and adds what it asks for. Reports every mistake. */
HK_NODISCARD hk_status hk_properties_read(hk_ctx *ctx, hk_arena *arena, const hk_ask_scope *scope,
                                          const hk_file_text *text, hk_properties *properties);

/* property_names.c: what names stand for; false: an error was reported at the place. */
typedef struct hk_namer {
    hk_ctx *ctx;
    hk_arena *arena;
    const hk_ask_scope *scope;
    hk_where where;
} hk_namer;

HK_NODISCARD bool hk_name_machine(const hk_namer *namer, const char *name, unsigned *ret_unit,
                                  uint32_t *ret_machine);
HK_NODISCARD bool hk_name_node(const hk_namer *namer, unsigned unit, uint32_t machine,
                               const char *name, uint32_t *ret_node);
HK_NODISCARD bool hk_name_transition(const hk_namer *namer, unsigned unit, uint32_t machine,
                                     const char *name, uint32_t *ret_transition);
/* An event, an operation, a variable or a part of one. ret_value.type NULL: an event without a
 * value or an operation without arguments. */
HK_NODISCARD bool hk_name_value(const hk_namer *namer, const char *name, hk_ask_value *ret_value);
/* NAME without the '^' that RoboChart writes before a part of it that is one of its words. */
const char *hk_name_plain(hk_arena *arena, const char *name);
/* A literal of TYPE: a number, true, false, an item. Reports nothing. */
bool hk_read_cell(const hk_chart_type *type, const char *text, hk_cell *ret_cell);

#endif

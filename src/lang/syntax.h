/* SPDX-License-Identifier: MIT
 *
 * What the three languages say, as trees: types (.types), systems (.system), simulations
 * (.simulation). The parser makes them, the printer (`hocket fmt`) writes them, the resolvers turn
 * them into a model and a scenario. Nothing in here knows what a name means.
 *
 * Lists are arrays in the arena. Every node knows its place, and the comments that are before and
 * behind it, so that printing loses nothing. */
#ifndef HK_LANG_SYNTAX_H
#define HK_LANG_SYNTAX_H

#include "text/nodes.h"

/* ---- types ------------------------------------------------------------------------------------
 */

/* A field of a record, an input, an output, a parameter, an argument of a function. */
typedef struct hk_decl {
    bool is_private; /* parameters: not shared */
    hk_name type;    /* "core.double" */
    hk_name name;
    hk_literal start; /* NONE: not given */
    hk_name unit;     /* text "": not given */
    hk_name frame;    /* text "": not given */
    bool has_range;
    hk_number min, max;
    hk_name mode; /* inputs: "previous", "observe", "current"; text "": not given */
    hk_place at;
} hk_decl;

typedef enum hk_datatype_kind { HK_RECORD, HK_ARRAY, HK_ENUMERATION } hk_datatype_kind;

typedef struct hk_datatype {
    hk_datatype_kind kind;
    hk_name name;
    hk_decl *fields; /* records */
    size_t field_count;
    hk_name element; /* arrays: the type of an element */
    hk_number *sizes;
    size_t size_count;
    hk_name *items; /* enumerations; values 0, 1, ... */
    size_t item_count;
    hk_place at, end; /* end: the closing brace, for comments before it */
} hk_datatype;

typedef struct hk_functiondecl {
    bool is_mutable; /* it changes who provides it */
    hk_name result;  /* "core.void" */
    hk_name name;
    hk_decl *arguments;
    size_t argument_count;
    hk_place at;
} hk_functiondecl;

typedef struct hk_interfacedecl {
    hk_name name;
    hk_functiondecl *functions;
    size_t function_count;
    hk_place at, end;
} hk_interfacedecl;

/* "CurrentConfig pConfigCurrentModel" */
typedef struct hk_interfaceuse {
    hk_name interface, name;
    hk_place at;
} hk_interfaceuse;

typedef enum hk_leafsection_kind {
    HK_SECTION_PROVIDED,
    HK_SECTION_REQUIRED,
    HK_SECTION_INPUTS,
    HK_SECTION_OUTPUTS,
    HK_SECTION_PARAMETERS,
    HK_SECTION_STAMP,    /* ext: stamp start; | stamp end; */
    HK_SECTION_BEHAVIOUR /* ext: behaviour "file.fmu"; | "plugin.so" | "plugin.so#type"; */
} hk_leafsection_kind;

typedef struct hk_leafsection {
    hk_leafsection_kind kind;
    hk_interfaceuse *uses; /* PROVIDED, REQUIRED */
    hk_decl *decls;        /* INPUTS, OUTPUTS, PARAMETERS */
    size_t count;          /* of uses or decls */
    hk_name value;         /* STAMP, BEHAVIOUR */
    hk_place at, end;
} hk_leafsection;

typedef struct hk_leaftype {
    hk_name name;
    hk_leafsection *sections; /* in the order of the text; a kind may come more than once */
    size_t section_count;
    hk_place at, end;
} hk_leaftype;

typedef enum hk_typesection_kind {
    HK_SECTION_DATATYPES,
    HK_SECTION_INTERFACES,
    HK_SECTION_LEAVES
} hk_typesection_kind;

typedef struct hk_typesection {
    hk_typesection_kind kind;
    hk_datatype *datatypes;
    hk_interfacedecl *interfaces;
    hk_leaftype *leaves;
    size_t count; /* of the array of this kind */
    hk_place at, end;
} hk_typesection;

/* "Declaration NAME { sections }", or sections that are at the top (name.text ""). The package of
 * what it declares is the name of the Declaration; at the top it is that of the Declaration before
 * it in the same file (Fig. 3 closes its Declaration too early), or the name of the file. */
typedef struct hk_declaration {
    hk_name name;
    hk_typesection *sections;
    size_t section_count;
    hk_place at, end;
} hk_declaration;

typedef struct hk_typefile {
    const char *file;
    hk_name *imports; /* import "other.types"; */
    size_t import_count;
    hk_declaration *declarations;
    size_t declaration_count;
    hk_place end;
} hk_typefile;

/* ---- systems ----------------------------------------------------------------------------------
 */

typedef enum hk_leafitem_kind {
    HK_LEAF_FREQUENCY, /* number, unit "Hz" or none */
    HK_LEAF_PERIOD,
    HK_LEAF_OFFSET, /* ext */
    HK_LEAF_PRIORITY,
    HK_LEAF_PARAM, /* name = value */
    HK_LEAF_USE,   /* name mode */
    HK_LEAF_DELAY, /* of all outputs: added to the lag of every link from it */
    HK_LEAF_INACTIVE,
    HK_LEAF_COST, /* ext: as in schedules */
    HK_LEAF_DEADLINE,
    HK_LEAF_OVERRUN
} hk_leafitem_kind;

typedef struct hk_leafitem {
    hk_leafitem_kind kind;
    hk_number number;
    hk_name name;
    hk_literal value;
    hk_name word; /* mode of USE, policy of OVERRUN */
    hk_place at;
} hk_leafitem;

/* "leaf NAME : TYPE { items }". TYPE is a qualified leaf type, or a file in quotes: "x.fmu",
 * "plugin.so#type", "table.csv". */
typedef struct hk_leaf {
    hk_name name, type;
    hk_leafitem *items;
    size_t item_count;
    hk_place at, end;
} hk_leaf;

/* ---- worlds: ext */

/* "Body { position = {0, 0, 10}; }": a component of an entity, with its values. */
typedef struct hk_partdecl {
    hk_name type;
    hk_leafitem *items; /* all of PARAM */
    size_t item_count;
    hk_place at, end;
} hk_partdecl;

typedef enum hk_entityitem_kind {
    HK_ENTITY_TAG,
    HK_ENTITY_PARENT,
    HK_ENTITY_VARIANT, /* variant NAME { items }: components and tags that it has while it is that
                        */
    HK_ENTITY_LEAF,    /* a component of the plan that runs while the entity is there */
    HK_ENTITY_LINK,    /* between such a leaf and fields of the entity */
    HK_ENTITY_PART
} hk_entityitem_kind;

typedef struct hk_entityitem {
    hk_entityitem_kind kind;
    hk_name name; /* TAG, PARENT, VARIANT */
    hk_partdecl *part;
    hk_leaf *leaf;
    struct hk_link *link;
    struct hk_entityitem *items; /* VARIANT */
    size_t item_count;
    hk_place at, end; /* end: VARIANT */
} hk_entityitem;

/* "entity NAME [1000] dormant { items }" */
typedef struct hk_entitydecl {
    hk_name name;
    hk_number copies; /* text "": one */
    bool dormant;
    hk_entityitem *items;
    size_t item_count;
    hk_place at, end;
} hk_entitydecl;

typedef enum hk_worlditem_kind {
    HK_WORLD_PLUGIN,
    HK_WORLD_PERIOD,
    HK_WORLD_PRIORITY,
    HK_WORLD_SYSTEM, /* as a leaf; without a type its name is the type */
    HK_WORLD_ENTITY
} hk_worlditem_kind;

typedef struct hk_worlditem {
    hk_worlditem_kind kind;
    hk_name plugin;
    hk_number number;
    hk_leaf *system;
    hk_entitydecl *entity;
    hk_place at;
} hk_worlditem;

typedef struct hk_worlddecl {
    hk_name name;
    hk_worlditem *items;
    size_t item_count;
    hk_place at, end;
} hk_worlddecl;

/* "input TYPE NAME ...;" of a composite: decl; "provides ITF NAME;": use. */
typedef enum hk_item_kind {
    HK_ITEM_COMPOSITE,
    HK_ITEM_LEAF,
    HK_ITEM_INPUT,
    HK_ITEM_OUTPUT,
    HK_ITEM_PROVIDES,
    HK_ITEM_REQUIRES,
    HK_ITEM_LINK, /* ext behind the targets: lag WORD, delay T, initial VALUE, factor, offset */
    HK_ITEM_SERVICE,
    HK_ITEM_SHARE,
    HK_ITEM_PROCESSOR,   /* ext: processor NAME: path path ...; */
    HK_ITEM_CUT,         /* ext: cut hla; | cut keep; */
    HK_ITEM_LATENCY,     /* ext: latency a -> b -> c min T max T; */
    HK_ITEM_COINCIDENCE, /* ext: coincidence a -> c, b -> c; */
    HK_ITEM_FRESHNESS,   /* ext: freshness a max T; */
    HK_ITEM_WORLD        /* ext: world NAME { systems and entities } */
} hk_item_kind;

typedef struct hk_link {
    hk_name from;
    hk_name *to;
    size_t to_count;
    hk_name lag;     /* text "": not given */
    hk_number delay; /* text "": not given */
    hk_literal initial;
    bool edge; /* an event is there when the value rises */
} hk_link;

/* "a -> b -> c"; FRESHNESS has a way of one. */
typedef struct hk_way {
    hk_name *steps;
    size_t count;
} hk_way;

/* What must hold about the age of data. */
typedef struct hk_agedecl {
    hk_way *ways;
    size_t way_count;
    hk_number min, max; /* text "": not given */
} hk_agedecl;

typedef struct hk_composite hk_composite;
typedef struct hk_item {
    hk_item_kind kind;
    hk_composite *composite;
    hk_leaf *leaf;
    hk_worlddecl *world;
    hk_decl *port;
    hk_interfaceuse *use;
    hk_link *link;   /* LINK, SERVICE, SHARE; PROCESSOR: from is its name, to its components */
    hk_name word;    /* CUT */
    hk_agedecl *age; /* LATENCY, COINCIDENCE, FRESHNESS */
    hk_place at;
} hk_item;

struct hk_composite {
    hk_name name;
    hk_name role; /* ext: "composite NAME role WORD { }"; text "": none is given */
    hk_item *items;
    size_t item_count;
    hk_place at, end;
};

/* "experiment start T stop T step T interval T;": each at most once. */
typedef enum hk_experiment_time {
    HK_EXPERIMENT_START,
    HK_EXPERIMENT_STOP,
    HK_EXPERIMENT_STEP,
    HK_EXPERIMENT_INTERVAL,
    HK_EXPERIMENT_TIMES
} hk_experiment_time;

typedef struct hk_experimentdecl {
    hk_number times[HK_EXPERIMENT_TIMES]; /* text "": not given */
    hk_place at;
} hk_experimentdecl;

typedef struct hk_systemfile {
    const char *file;
    hk_name name;
    hk_name *imports; /* import "auv.types"; */
    size_t import_count;
    hk_name *plugins; /* ext: plugin "auv.so"; where native types are looked for */
    size_t plugin_count;
    hk_experimentdecl *experiment; /* ext; NULL: none */
    hk_composite *root;            /* NULL: missing */
    hk_place at, end;
    hk_place rest; /* the end of the file, for comments behind the system */
} hk_systemfile;

/* ---- simulations ------------------------------------------------------------------------------
 */

/* A condition: comparisons joined by and, or, not, with brackets. */
typedef enum hk_condition_kind {
    HK_CONDITION_COMPARE, /* left OP right */
    HK_CONDITION_AND,
    HK_CONDITION_OR,
    HK_CONDITION_NOT
} hk_condition_kind;

typedef struct hk_operand {
    hk_name path;  /* text "": it is a literal; abs("path") has absolute set */
    bool absolute; /* |value| */
    hk_literal value;
    hk_place at;
} hk_operand;

typedef struct hk_condition hk_condition;
struct hk_condition {
    hk_condition_kind kind;
    hk_operand left, right;
    const char *op;       /* "<" "<=" ">" ">=" "==" "!=" */
    hk_literal tolerance; /* "== x within 0.1": NONE: exact */
    hk_condition *a, *b;
    hk_place at;
};

typedef enum hk_statement_kind {
    HK_SAY_BIND,  /* bind "provided" to "required"; */
    HK_SAY_START, /* "path".Start(); */
    HK_SAY_STOP,
    HK_SAY_SET,      /* "path" = value; */
    HK_SAY_CALL,     /* "path"."package.Interface.function"(arguments); */
    HK_SAY_RAMP,     /* ext: ramp "path" to VALUE over T; */
    HK_SAY_FAULT,    /* ext: fault "from" -> "to" KIND VALUE...; */
    HK_SAY_REPAIR,   /* ext: repair "from" -> "to"; */
    HK_SAY_FINISH,   /* ext: finish "reason"; ends the run, as a success */
    HK_SAY_REMOVE,   /* ext: remove "world.entity"; | "world.system"; */
    HK_SAY_ADD,      /* ext: add "world.entity"; | "world.system"; */
    HK_SAY_CHANGE,   /* ext: change "world.entity" to VARIANT; */
    HK_SAY_OVERRIDE, /* ext: override "path" = VALUE; until it is released */
    HK_SAY_RELEASE   /* ext: release "path"; */
} hk_statement_kind;

typedef struct hk_callargument {
    hk_name label; /* p1; text "": none */
    hk_name name;  /* "environment.CurrentConfig.setSpeed.speed" or "speed"; text "": by position */
    hk_literal value;
    hk_place at;
} hk_callargument;

/* stuck [VALUE]; bias VALUE; scale VALUE; noise SIGMA; delay T; drop PROBABILITY; quantise STEP;
 * disconnect */
typedef struct hk_statement {
    hk_statement_kind kind;
    hk_name path;     /* what it is about; BIND: the provided one; FAULT: the producer's end */
    hk_name other;    /* BIND: the required one; FAULT: the consumer's end, text "": all of them;
                         CALL: the function */
    hk_literal value; /* SET, RAMP, FAULT; FINISH: the reason */
    hk_number over;   /* RAMP */
    hk_name word;     /* FAULT: its kind; CHANGE: the variant */
    hk_callargument *arguments;
    size_t argument_count;
    hk_place at;
} hk_statement;

typedef struct hk_block {
    bool given; /* an empty one is something else than none */
    hk_statement *statements;
    size_t count;
    hk_place at, end;
} hk_block;

typedef enum hk_eventdecl_kind {
    HK_EVENT_INSTANT, /* instant T { } */
    HK_EVENT_WHEN,   /* ext: when CONDITION [until CONDITION] [once] { }: until is the hysteresis */
    HK_EVENT_DURING, /* ext: during [T1, T2] { }: what was changed is put back at T2 */
    HK_EVENT_EVERY   /* ext: every T [from T] { } */
} hk_eventdecl_kind;

typedef struct hk_eventdecl {
    hk_eventdecl_kind kind;
    hk_number from, to; /* INSTANT: from; DURING: both; EVERY: from is the first, to the period */
    hk_condition *condition, *until;
    bool once;
    hk_block body;
    hk_place at;
} hk_eventdecl;

/* expect always CONDITION [from T] [to T]; expect eventually CONDITION [within T];
 * expect at T CONDITION; ... ["message"]; */
typedef enum hk_expect_kind {
    HK_EXPECT_ALWAYS,
    HK_EXPECT_EVENTUALLY,
    HK_EXPECT_AT,
    HK_EXPECT_AFTER, /* expect CONDITION within T after CONDITION: each time the second becomes true
                      */
    HK_EXPECT_REQUIRE /* require NAME METRIC of PATH ...: something measured, with limits */
} hk_expect_kind;

/* require "P1" settling of "path" from V to V within V during [T, T] min V max V reference V; */
typedef struct hk_requiredecl {
    hk_name name;   /* in quotes */
    hk_name metric; /* "settling" */
    hk_name path;
    hk_literal from, to, within, min, max, reference; /* NONE: not given */
} hk_requiredecl;

typedef struct hk_expectdecl {
    hk_expect_kind kind;
    hk_condition *condition, *trigger;
    hk_number from, to; /* text "": not given; AT: from; WITHIN: to; REQUIRE: its window */
    hk_name message;    /* text "": none */
    hk_requiredecl *require;
    hk_place at;
} hk_expectdecl;

typedef struct hk_logdecl {
    hk_name file; /* DronePosition.csv */
    hk_number period;
    hk_name *signals;
    size_t signal_count;
    hk_place at, end;
} hk_logdecl;

typedef struct hk_scenariodecl {
    hk_name name;
    hk_number repetitions; /* text "": 1 */
    hk_block begin, finish;
    hk_eventdecl *events;
    size_t event_count;
    bool has_events, has_logs, has_expects;
    hk_expectdecl *expects; /* ext: expect statements are in a section expects { } */
    size_t expect_count;
    hk_logdecl *logs;
    size_t log_count;
    hk_place at, events_at, events_end, logs_at, logs_end, expects_at, expects_end;
} hk_scenariodecl;

/* ext: parameter NAME = VALUE; used as $NAME, and set on the command line. */
typedef struct hk_scenarioparameter {
    hk_name name;
    hk_literal value;
    hk_place at;
} hk_scenarioparameter;

typedef struct hk_simulationfile {
    const char *file;
    hk_name name, unit, system;
    hk_number start, stop, step;
    hk_number seed; /* text "": not given */
    hk_scenarioparameter *parameters;
    size_t parameter_count;
    hk_block begin, finish; /* "begin { }" and the last "end { }" */
    hk_scenariodecl *scenarios;
    size_t scenario_count;
    bool has_scenarios;
    hk_place scenarios_at, scenarios_end;
    hk_place at, end; /* end: of the file */
} hk_simulationfile;

/* ---- reading and writing ----------------------------------------------------------------------
 */

/* Each reads DATA (FILE is for messages) into trees in ARENA. All mistakes are reported, each once
 * and with its place; then the status is HK_E_LANGUAGE, and *ret_... holds what could be read, so
 * that resolvers can find more mistakes. Only HK_OK means that all was understood. */
hk_status hk_types_parse(hk_ctx *ctx, hk_arena *arena, const char *file, const char *data,
                         size_t size, hk_typefile **ret_file);
hk_status hk_system_parse(hk_ctx *ctx, hk_arena *arena, const char *file, const char *data,
                          size_t size, hk_systemfile **ret_file);
hk_status hk_simulation_parse(hk_ctx *ctx, hk_arena *arena, const char *file, const char *data,
                              size_t size, hk_simulationfile **ret_file);

/* The canonical form, in ARENA. Parsing it gives the same tree, places aside. */
const char *hk_types_print(hk_arena *arena, const hk_typefile *file);
const char *hk_system_print(hk_arena *arena, const hk_systemfile *file);
const char *hk_simulation_print(hk_arena *arena, const hk_simulationfile *file);

#endif

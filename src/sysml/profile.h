/* SPDX-License-Identifier: MIT
 *
 * A multi-model as the co-simulation profile of SysML sees it: blocks, their ports and variables,
 * the instances of one system and the connections between them. It is read from SysML v2 text
 * (profile_read.c) and is what the rules look at (profile_rules.c), what the model that runs is
 * made of (profile_model.c), what is proved, drawn and written. It lives in an arena and does not
 * change; lists refer to each other by index, and HK_PROFILE_NONE is none. */
#ifndef HK_SYSML_PROFILE_H
#define HK_SYSML_PROFILE_H

#include "base/file.h"
#include "base/map.h"
#include "text/nodes.h"

#define HK_PROFILE_NONE UINT32_MAX

typedef enum hk_profile_kind {
    HK_PROFILE_PLAIN, /* a part definition without a stereotype: not a block of the profile */
    HK_PROFILE_SYSTEM,
    HK_PROFILE_ECOMPONENT, /* one FMU, plugin, built-in component or RoboChart module per instance
                            */
    HK_PROFILE_LCOMPONENT, /* logical: transparent */
    HK_PROFILE_ENVIRONMENT,
    HK_PROFILE_PLATFORM, /* robotic platform */
    HK_PROFILE_POCOMPONENT,
    HK_PROFILE_KINDS
} hk_profile_kind;
/* "System", "EComponent", ... for messages. */
extern const char *const hk_profile_kind_words[HK_PROFILE_KINDS];
/* How a definition is marked: "system", "ecomponent", ...; NULL: PLAIN. */
extern const char *const hk_profile_marks[HK_PROFILE_KINDS];
/* LComponent, Environment and RoboticPlatform. */
bool hk_profile_is_logical(hk_profile_kind kind);

typedef enum hk_profile_component {
    HK_PROFILE_UNSAID,
    HK_PROFILE_SUBSYSTEM,
    HK_PROFILE_CYBER,
    HK_PROFILE_PHYSICAL,
    HK_PROFILE_COMPONENTS
} hk_profile_component;
extern const char *const hk_profile_component_words[HK_PROFILE_COMPONENTS]; /* UNSAID: NULL */

typedef enum hk_profile_time {
    HK_PROFILE_NO_TIME,
    HK_PROFILE_DISCRETE,
    HK_PROFILE_CONTINUOUS,
    HK_PROFILE_TIMES
} hk_profile_time;
extern const char *const hk_profile_time_words[HK_PROFILE_TIMES]; /* NO_TIME: NULL */

typedef enum hk_profile_type {
    HK_PROFILE_TYPELESS, /* an event: E3 */
    HK_PROFILE_REAL,
    HK_PROFILE_INTEGER, /* Integer and Natural */
    HK_PROFILE_BOOLEAN,
    HK_PROFILE_STRING,
    HK_PROFILE_ENUM,
    HK_PROFILE_UNKNOWN /* after a mistake */
} hk_profile_type;

/* What is written behind '=': numbers, truths, texts, items, or a list of them. */
typedef struct hk_profile_value {
    hk_literal literal; /* kind NONE: there is none; a sequence (a, b) is a LIST */
} hk_profile_value;

typedef struct hk_profile_enum {
    const char *name;
    const char *const *items;
    size_t item_count;
    const char *file;
    hk_place at;
} hk_profile_enum;

/* What a port or variable may hold. */
typedef struct hk_profile_shape {
    hk_profile_type type;
    const char *type_name; /* as written; NULL: typeless */
    const char *unit;      /* NULL: none */
    uint32_t enumeration;  /* of the profile */
    const uint32_t *sizes; /* Real[4]: 4 */
    size_t size_count;
} hk_profile_shape;

typedef struct hk_profile_port {
    const char *name; /* without quotes */
    bool output;
    bool inout; /* refused by a rule, but it is there */
    hk_profile_shape shape;
    hk_profile_value init;
    bool reactive;           /* { @reactive; } */
    bool convert;            /* { @convert; }: Boolean and Real may be joined */
    const uint32_t *depends; /* outputs: ports of the block that act without delay */
    size_t depend_count;
    bool depends_said; /* a feedthrough names it; WF3 looks at inputs */
    hk_place at;
} hk_profile_port;

typedef enum hk_profile_variable_kind {
    HK_PROFILE_PARAMETER,
    HK_PROFILE_VAR_INIT,
    HK_PROFILE_VAR_NO_INIT
} hk_profile_variable_kind;

typedef struct hk_profile_variable {
    const char *name;
    hk_profile_variable_kind kind;
    hk_profile_shape shape;
    hk_profile_value init;
    hk_place at;
} hk_profile_variable;

/* part NAME : BLOCK[n]; */
typedef struct hk_profile_part {
    const char *name;
    uint32_t block;
    const char *block_name; /* as written */
    uint32_t least, most;   /* multiplicity; 1, 1 if none is written; most 0: any number */
    hk_place at;
} hk_profile_part;

typedef struct hk_profile_block {
    hk_profile_kind kind;
    const char *name;
    hk_profile_component component; /* kind = ComponentKind::... */
    hk_profile_time time;           /* modelType */
    const char *platform;           /* NULL: none is said */
    const char *fmu;   /* file, or built-in component ("hk.Gain"); NULL: none is said */
    const char *type;  /* of a plugin: the type in it; NULL */
    const char *cycle; /* exact digits, in seconds; NULL: none is said */
    const hk_profile_port *ports;
    const hk_profile_variable *variables;
    const hk_profile_part *parts;
    size_t port_count, variable_count, part_count;
    hk_map by_name; /* ports, then variables behind them, by name */
    const char *file;
    hk_place at;
} hk_profile_block;

/* One use of a block, in the tree of the system's instance. The first is the system itself. */
typedef struct hk_profile_instance {
    const char *name; /* in its parent: "wallSensor"; one of several: "wheel[2]" */
    const char *path; /* "rover.wallSensor"; of the system: "" */
    uint32_t block;
    uint32_t parent;                /* NONE: the system */
    uint32_t environment;           /* the nearest Environment around it; NONE: none */
    uint32_t platform;              /* the nearest RoboticPlatform around it; NONE: none */
    const hk_profile_value *values; /* per port and variable of its block: given here (:>> p = v);
                                       kind NONE: the block's */
    hk_place at;
} hk_profile_instance;

/* One end of a connection as it is written, and what it means. */
typedef struct hk_profile_end {
    const char *chain; /* "rover.wallSensor.wright" */
    uint32_t instance; /* NONE: after a mistake, C3 */
    uint32_t port;     /* of the block of the instance; NONE: after a mistake */
    const char *rest;  /* what of the chain is behind the instance */
    hk_place at;
} hk_profile_end;

typedef struct hk_profile_connection {
    const char *name; /* "c3"; "" if it has none: then its number, from 1, is what messages say */
    uint32_t number;
    hk_profile_end from, to;
    const char *type_name; /* of T; NULL: is not said */
    uint32_t type_size;    /* of T[n]; 0: is not said */
    const char *file;
    hk_place at;
} hk_profile_connection;

/* @experiment { ... } of the part that is the system: a run that nobody asks another of. */
typedef enum hk_profile_time_kind {
    HK_PROFILE_START,
    HK_PROFILE_STOP,
    HK_PROFILE_STEP,
    HK_PROFILE_INTERVAL,
    HK_PROFILE_TOLERANCE, /* is not a time */
    HK_PROFILE_EXPERIMENT_COUNT
} hk_profile_time_kind;
/* "startTime", ...: as they are written. */
extern const char *const hk_profile_experiment_words[HK_PROFILE_EXPERIMENT_COUNT];

typedef struct hk_profile_experiment {
    const char
        *texts[HK_PROFILE_EXPERIMENT_COUNT]; /* exact digits, in seconds; NULL: is not said */
    hk_place at[HK_PROFILE_EXPERIMENT_COUNT];
    const char *file;
} hk_profile_experiment;

typedef struct hk_multimodel {
    const char *file;
    const char *package;
    const hk_profile_enum *enums;
    size_t enum_count;
    const hk_profile_block
        *blocks; /* of all files that are imported; those of the file itself first */
    size_t block_count;
    const char *system_name;              /* of the part that is the system: "cds" */
    uint32_t system;                      /* block; NONE: there is none */
    const hk_profile_instance *instances; /* parents before children, in the order of the parts */
    size_t instance_count;
    const hk_profile_connection *connections;
    size_t connection_count;
    hk_profile_experiment experiment;
    /* The first comment, and the first metadata of other tools; file NULL: there is none. */
    hk_where comment, other;
} hk_multimodel;

/* Reads the file at PATH and those that it imports (NAME.sysml beside it), and finds out what it
 * means for the profile. What is not SysML, or not of the subset, or means nothing (a part of an
 * unknown block) is reported; whether the model keeps the rules is not looked at. Lives in ARENA.
 */
HK_NODISCARD hk_status hk_profile_read(hk_ctx *ctx, hk_arena *arena, const char *path,
                                       const hk_multimodel **ret_profile);
/* The same of a text; other packages are looked for beside its file. */
HK_NODISCARD hk_status hk_profile_read_text(hk_ctx *ctx, hk_arena *arena, const hk_file_text *text,
                                            const hk_multimodel **ret_profile);
/* Frees what of it is not in the arena; NULL is fine. */
void hk_profile_finish(const hk_multimodel *profile);
/* The text of a multi-model, in the canonical form. */
const char *hk_profile_print(hk_arena *arena, const hk_multimodel *profile);
/* How many instances are EComponents. */
size_t hk_profile_components(const hk_multimodel *profile);
/* The index of the port (or, from port_count on, of the variable) called NAME; NONE: there is none.
 */
uint32_t hk_profile_member(const hk_profile_block *block, const char *name);

#endif

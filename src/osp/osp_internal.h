/* SPDX-License-Identifier: MIT
 *
 * What the files of this room share and nobody else needs. */
#ifndef HK_OSP_OSP_INTERNAL_H
#define HK_OSP_OSP_INTERNAL_H

#include "format/reading.h"
#include "format/xml.h"
#include "osp/osp.h"

/* ---- what is in the files ---- */

typedef struct hk_osp_value {
    const char *variable, *type, *text; /* type: the name of its element, "Real" */
    hk_where where;
} hk_osp_value;

/* A group of variables, as an OspModelDescription declares it. */
typedef struct hk_osp_group hk_osp_group;
typedef struct hk_osp_member {
    const char *name;
    const hk_uom *unit; /* NULL: none is declared, or it is not known */
    hk_where where;
} hk_osp_member;
struct hk_osp_group {
    const char *name, *kind;
    hk_osp_member *members;
    size_t member_count;
    hk_osp_group *groups; /* those inside */
    size_t group_count;
    hk_where where;
};

typedef struct hk_osp_description {
    const char *file;
    hk_osp_group *groups;
    size_t group_count;
} hk_osp_description;

typedef struct hk_osp_simulator {
    const char *name, *source;
    bool has_step;
    hk_ratio step;
    hk_osp_value *values;
    size_t value_count;
    hk_where where;
    /* Once it is in the model. */
    bool opened;
    uint32_t component;
    int64_t factor;                        /* base steps in one of its own */
    const hk_osp_description *description; /* NULL: there is none */
} hk_osp_simulator;

typedef enum hk_osp_function_kind {
    HK_OSP_LINEAR,
    HK_OSP_SUM,
    HK_OSP_VECTOR_SUM
} hk_osp_function_kind;

typedef struct hk_osp_function {
    hk_osp_function_kind kind;
    const char *name;
    double factor, offset;
    size_t inputs, dimension; /* dimension 0: of numbers */
    hk_where where;
} hk_osp_function;

/* One end of a connection: a variable or group of a simulator, or a signal or group of a function.
 */
typedef struct hk_osp_end {
    const char *owner, *name;
    hk_where where;
} hk_osp_end;

typedef enum hk_osp_join {
    HK_OSP_VARIABLES, /* two variables */
    HK_OSP_GROUPS,    /* two groups of variables */
    HK_OSP_SIGNAL,    /* A is a signal of a function, B a variable */
    HK_OSP_SIGNALS    /* A is a group of signals, B a group of variables */
} hk_osp_join;

typedef struct hk_osp_connection {
    hk_osp_join join;
    hk_osp_end a, b;
    hk_where where;
} hk_osp_connection;

typedef struct hk_osp_structure {
    hk_ratio base;
    hk_experiment experiment;
    hk_osp_simulator *simulators;
    size_t simulator_count;
    hk_osp_function *functions;
    size_t function_count;
    hk_osp_connection *connections;
    size_t connection_count;
    bool connection_lost; /* one cannot be read: what is not connected may be meant by it */
} hk_osp_structure;

/* ---- the reader ---- */

typedef struct hk_osp {
    hk_ctx *ctx;
    hk_arena *arena;      /* of all that is needed while reading */
    hk_model *model;      /* NULL: a file is parsed alone */
    const char *file;     /* the system structure */
    const char *folder;   /* where it lies */
    const hk_ratio *step; /* the base step that is asked for; NULL: that of the file */
    hk_reading reading;
    hk_map files; /* opened FMUs: path -> index of infos */
    struct hk_osp_opened {
        const hk_info *info; /* NULL: it cannot be opened, as was said */
        const hk_osp_description *description;
    } * opened;
    size_t opened_count, opened_cap;
    hk_map by_name; /* simulators: name -> index; functions: behind them */
    hk_map broken;  /* simulators and functions that are there, and wrong, as was said */
    hk_osp_structure *structure;
    size_t hold_count, unit_count;
    hk_where unit_where; /* of the first connection between different units */
    const char *unit_words;
} hk_osp;

static inline void hk_osp_failed(hk_osp *r, hk_status error) {
    hk_reading_failed(&r->reading, error);
}
static inline bool hk_osp_first(hk_osp *r, const char *key) {
    return hk_reading_first(&r->reading, key);
}
static inline const char *hk_osp_suggest(hk_osp *r, const char *word, const char *const *names,
                                         size_t count) {
    return hk_reading_suggest(&r->reading, word, names, count);
}

/* osp_grammar.c: unknown elements and attributes, what is known and not used, what occurs twice. */
void hk_osp_check_structure(hk_osp *r, const char *file, const hk_xml *root);
void hk_osp_check_description(hk_osp *r, const char *file, const hk_xml *root);
/* The attribute of an element that must have it; NULL after an error. */
const char *hk_osp_need(hk_osp *r, const char *file, const hk_xml *xml, const char *name);

/* osp_structure.c */
hk_osp_structure *hk_osp_read_structure(hk_osp *r, const hk_xml *root);

/* groups.c */
bool hk_osp_knows_kind(const char *name); /* of a group */
const hk_osp_description *hk_osp_read_description(hk_osp *r, const char *file, const hk_xml *root);
/* The group called NAME, wherever it is; NULL: there is none. */
const hk_osp_group *hk_osp_find_group(const hk_osp_description *description, const char *name);

/* Stands for one that is there and cannot be read, as was said. */
extern const hk_osp_description hk_osp_broken_description;

/* simulators.c: all of them into the model, with their rates and initial values. */
void hk_osp_add_simulators(hk_osp *r);
/* Warns of groups with variables that their FMU has not. Those that are connected were refused. */
void hk_osp_check_members(hk_osp *r);

/* connect.c, functions.c */
void hk_osp_connect(hk_osp *r);
void hk_osp_add_functions(hk_osp *r);

/* A variable in the model, with the rate of who has it. */
typedef struct hk_osp_place {
    uint32_t component, variable;
    int64_t factor;
    const hk_uom *unit; /* what the description of the group declares; NULL: the FMU's own */
} hk_osp_place;
/* The simulator or its variable; false after an error. */
bool hk_osp_find_simulator(hk_osp *r, const hk_osp_end *end, hk_osp_simulator **ret_simulator);
bool hk_osp_find_variable(hk_osp *r, hk_osp_simulator *s, const char *name, hk_where where,
                          hk_osp_place *ret_place);
const hk_osp_group *hk_osp_need_group(hk_osp *r, const hk_osp_simulator *s, const hk_osp_end *end);
const hk_variable *hk_osp_variable(const hk_osp *r, const hk_osp_place *place);
/* Values pass from FROM to TO, multiplied and shifted, at instants that both have in common. */
void hk_osp_link(hk_osp *r, hk_osp_place from, hk_osp_place to, double factor, double offset,
                 hk_where where);
void hk_osp_compare_units(hk_osp *r, const hk_osp_place *from, const hk_osp_place *to,
                          hk_where where);
void hk_osp_tell_units(hk_osp *r); /* what hk_osp_link found */
/* The least common multiple; 0: it is too large. */
int64_t hk_osp_common(int64_t a, int64_t b);
/* Makes COMPONENT one of every FACTOR base steps; false after an error. */
bool hk_osp_set_rate(hk_osp *r, uint32_t component, int64_t factor, hk_where where);

#endif

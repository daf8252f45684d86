/* SPDX-License-Identifier: MIT
 *
 * From trees to a module: what the files of the resolver share. A function that returns NULL or
 * false has reported a mistake, or found that it follows from one that was reported. */
#ifndef HK_CHART_RESOLVE_INTERNAL_H
#define HK_CHART_RESOLVE_INTERNAL_H

#include "base/complaints.h"
#include "base/map.h"
#include "chart/chart.h"
#include "chart/chart_syntax.h"
#include "text/parser.h"

/* Files are small; what is larger would take long. */
#define HK_RCT_BYTES_MAX ((size_t)2 << 20)

/* A variable of the module while it is being made; its path is found at the end. */
typedef struct hk_rcvariable {
    hk_chart_variable variable;
    const char *owner_name, *owner_path; /* "": the platform */
} hk_rcvariable;

typedef struct hk_resolver {
    hk_ctx *ctx;
    hk_arena *arena;
    hk_complaints complaints;
    hk_map said;             /* mistakes that were reported: a machine may be used twice */
    hk_map imported;         /* packages that were looked for */
    const hk_rcfile **files; /* [0]: the one that was asked for */
    size_t file_count, file_cap;
    hk_map types;       /* key of a type: its index in `type_list` */
    hk_list type_list;  /* const hk_chart_type * */
    hk_list functions;  /* hk_rcfunction */
    hk_list variables;  /* hk_rcvariable */
    hk_list machines;   /* hk_chart_machine */
    hk_list lines;      /* hk_rcline */
    hk_list operations; /* hk_chart_operation */
    hk_list owned;      /* hk_rcowned: members that were found */
    hk_list used;       /* const hk_rcitem *: machines that were resolved */
    uint32_t memory_size, frame_size;
    hk_ratio cycle;
    int type_depth, call_depth;
    bool lint; /* findings that are not mistakes are asked for */
} hk_resolver;

/* ---- messages (resolve_files.c) */

hk_where hk_rcr_where(const hk_rcfile *file, const hk_place *at);
/* Reports a mistake once; returns false. */
bool hk_rcr_error(hk_resolver *r, hk_where where, hk_status code, const char *hint,
                  const char *format, ...) HK_PRINTF(5, 6);
/* The same of a rule of RoboChart, which the message names. */
bool hk_rcr_rule(hk_resolver *r, hk_where where, const char *rule, const char *hint,
                 const char *format, ...) HK_PRINTF(5, 6);
/* "not in hocket's subset: WHAT". */
bool hk_rcr_refuse(hk_resolver *r, hk_where where, const char *what, const char *hint);
void hk_rcr_warn(hk_resolver *r, hk_where where, const char *hint, const char *format, ...)
    HK_PRINTF(4, 5);

/* ---- files (resolve_files.c) */

/* Parses the file and what it imports. */
bool hk_rcr_load(hk_resolver *r, const hk_file_text *text);

typedef struct hk_rcfound {
    const hk_rcitem *item; /* NULL: there is none */
    const hk_rcfile *file;
} hk_rcfound;

/* What KIND of thing the name means in FILE; nothing is reported. */
hk_rcfound hk_rcr_find(const hk_resolver *r, const hk_rcfile *file, hk_rcitem_kind kind,
                       const char *name);
/* The same; what is not there is reported. */
hk_rcfound hk_rcr_get(hk_resolver *r, const hk_rcfile *file, hk_rcitem_kind kind,
                      const hk_name *name);

/* ---- members (resolve_members.c): what a platform, controller, machine or operation declares, by
 * itself and by its interfaces */

typedef struct hk_rcmember {
    hk_rcitem_kind kind; /* VAR, CONST, EVENT, CLOCK, SIGNATURE */
    const char *name;
    const hk_rcitem *item;
    const hk_rcvar *var; /* VAR, CONST */
    const hk_rcfile *file;
    hk_rcitem_kind by; /* USES, PROVIDES, REQUIRES; its own: `kind` */
    const hk_place *at;
} hk_rcmember;

typedef struct hk_rcmembers {
    const hk_rcmember *all;
    size_t count;
    bool broken; /* an interface is not known: what it has is not missing */
} hk_rcmembers;

typedef struct hk_rcowned {
    const hk_rcitem *item;
    hk_rcmembers members;
} hk_rcowned;

hk_rcmembers hk_rcr_members(hk_resolver *r, const hk_rcfile *file, const hk_rcitem *item);
/* The one of that kind and name; NULL: none. VAR finds constants too. */
const hk_rcmember *hk_rcr_member(const hk_rcmembers *members, hk_rcitem_kind kind,
                                 const char *name);

/* ---- types (resolve_types.c) */

const hk_chart_type *hk_rcr_type(hk_resolver *r, const hk_rcfile *file, const hk_rctype *type);
const hk_chart_type *hk_rcr_core(hk_resolver *r, hk_chart_kind kind);
const hk_chart_type *hk_rcr_sequence(hk_resolver *r, const hk_chart_type *element);
const hk_chart_type *hk_rcr_tuple(hk_resolver *r, const hk_chart_type *const *parts, size_t count);
const hk_chart_type *hk_rcr_array(hk_resolver *r, const hk_chart_type *element, uint32_t rows,
                                  uint32_t columns, bool matrix);
/* The type that a declaration makes. */
const hk_chart_type *hk_rcr_declared(hk_resolver *r, hk_rcfound found);
/* May values of type B be stored as A, integers and naturals being the same, reals aside? */
bool hk_rcr_fits(const hk_chart_type *a, const hk_chart_type *b);
bool hk_rcr_is_number(const hk_chart_type *type);
/* A type in which an item of that name is, seen from FILE; NULL: none. */
const hk_chart_type *hk_rcr_item(hk_resolver *r, const hk_rcfile *file, const char *item,
                                 int64_t *ret_index);

/* ---- functions and expressions */

typedef struct hk_rcfunction {
    const hk_rcitem *item;
    hk_chart_function *function;
} hk_rcfunction;

/* A name that a variable or local has at a place. */
typedef struct hk_rcname {
    const char *name;
    const hk_chart_type *type;
    uint32_t cell;
    bool constant; /* is not assigned to */
    bool parameter;
    const hk_chart_code *start; /* of a constant that has a value */
} hk_rcname;

typedef struct hk_rcmachine hk_rcmachine;

/* Where an expression stands. */
typedef struct hk_rcenv {
    hk_resolver *r;
    const hk_rcfile *file;
    const hk_rcname *names; /* LOAD */
    size_t name_count;
    hk_rcname locals[64]; /* LOCAL */
    size_t local_count;
    uint32_t local_size, local_max;
    hk_rcmachine *machine;       /* NULL: none, so no clocks and states */
    bool guard;                  /* since may be used */
    const hk_chart_type *result; /* of the function it belongs to; NULL: none */
    const char *received;        /* variable that stands for the value of an event */
    uint32_t received_cell;
} hk_rcenv;

/* WANTED: what it is used as; NULL: anything. An integer may be the answer where a real is wanted.
 */
const hk_chart_expr *hk_rcr_expr(hk_rcenv *env, const hk_rcexpr *expr, const hk_chart_type *wanted);
/* The same, made to fit TYPE; WHAT it is, for the message. */
const hk_chart_expr *hk_rcr_value(hk_rcenv *env, const hk_rcexpr *expr, const hk_chart_type *type,
                                  const char *what);
/* The same, with the cells of its locals. False: there was a mistake. */
bool hk_rcr_code(hk_rcenv *env, const hk_rcexpr *expr, const hk_chart_type *type, const char *what,
                 hk_chart_code *ret_code);
/* An amount of time: a number of any kind. */
bool hk_rcr_amount(hk_rcenv *env, const hk_rcexpr *expr, const char *what, hk_chart_code *ret_code);
/* EXPR as a TYPE, if that needs no more than making a real or a natural of an integer. */
const hk_chart_expr *hk_rcr_coerce(hk_rcenv *env, const hk_chart_expr *expr,
                                   const hk_chart_type *type, const char *what);
/* EXPR, which is only compared with a value of its type: integers in it that are not naturals are
 * not failures, they are unequal. */
const hk_chart_expr *hk_rcr_compared(const hk_chart_expr *expr);
hk_chart_expr *hk_rcr_new(hk_rcenv *env, hk_chart_op op, const hk_chart_type *type,
                          const hk_place *at);
const hk_chart_expr *const *hk_rcr_args(hk_rcenv *env, const hk_chart_expr *a,
                                        const hk_chart_expr *b, const hk_chart_expr *c);
/* resolve_structure.c: records, tuples, sequences, vectors, quantifiers, let, ranges */
const hk_chart_expr *hk_rcr_build(hk_rcenv *env, const hk_rcexpr *expr,
                                  const hk_chart_type *wanted);
const hk_chart_expr *hk_rcr_binder(hk_rcenv *env, const hk_rcexpr *expr);
const hk_chart_expr *hk_rcr_let(hk_rcenv *env, const hk_rcexpr *expr, const hk_chart_type *wanted);
const hk_chart_expr *hk_rcr_in(hk_rcenv *env, const hk_rcexpr *expr);
/* The field of TYPE that PART is: of a record by its name, of a tuple by its number, `t[1]`. NULL:
 * it is not there, which is an error. */
const hk_chart_field *hk_rcr_field(hk_rcenv *env, const hk_rcexpr *part, const hk_chart_type *type);
const hk_chart_expr *hk_rcr_part(hk_rcenv *env, const hk_rcexpr *expr);
/* resolve_time.c: since, sinceEntry; and what they are compared with, if CLOCK is one of them */
const hk_chart_expr *hk_rcr_since(hk_rcenv *env, const hk_rcexpr *expr);
bool hk_rcr_check_clock(hk_rcenv *env, const hk_rcexpr *side, const hk_chart_expr *clock,
                        const hk_chart_expr *bound);
/* resolve_function.c */
const hk_chart_expr *hk_rcr_call(hk_rcenv *env, const hk_rcexpr *expr, const hk_chart_type *wanted);
/* Finds its mistakes, if it says its result. */
void hk_rcr_check_function(hk_resolver *r, hk_rcfound found);
/* A number that is known before a run; false: it is none. WITH_CONSTANTS: at their own values. */
bool hk_rcr_constant(const hk_rcenv *env, const hk_chart_expr *expr, bool with_constants,
                     double *ret_value);

/* ---- the module */

typedef struct hk_rcoperation { /* that a controller has, by definition or reference */
    const char *name;
    hk_rcfound found;
} hk_rcoperation;

typedef struct hk_rccontroller {
    const char *name, *path;
    const hk_rcitem *item;
    const hk_rcfile *file;
    hk_rcmembers members;
    const hk_rcname *names; /* its own variables, and those of the platform that it requires */
    size_t name_count;
    const hk_rcoperation *operations;
    size_t operation_count;
    hk_rcmachine *machines;
    size_t machine_count;
} hk_rccontroller;

struct hk_rcmachine {
    const char *name; /* in the controller: of the reference, or of itself */
    const char *path;
    const hk_rcitem *item;
    const hk_rcfile *file;
    uint32_t index; /* hk_chart.machines */
    uint32_t controller;
    hk_rcmembers members;
    const hk_rcname *names;
    size_t name_count;
    hk_chart_event *events;
    size_t event_count;
    hk_chart_clock *clocks;
    size_t clock_count;
    hk_chart_node *nodes;
    const hk_rcitem **node_items;
    size_t node_count;
    hk_list transitions; /* hk_chart_transition */
    const struct hk_rcmodule *module;
    const hk_rcmachine *caller;
    hk_map performed; /* operations that its actions run: how often */
};

typedef struct hk_rcmodule {
    hk_resolver *r;
    const hk_rcitem *item;
    const hk_rcfile *file;
    hk_rcfound platform; /* its definition */
    const char *platform_name;
    hk_rcmembers members; /* of the platform */
    const hk_rcname *names;
    size_t name_count;
    hk_rccontroller *controllers;
    size_t controller_count;
} hk_rcmodule;

/* resolve_module.c */
hk_resolver hk_rcr_begin(hk_ctx *ctx, hk_arena *arena);
void hk_rcr_begin_module(hk_resolver *r); /* forgets the one before */
void hk_rcr_end(hk_resolver *r);
/* The module ITEM of the first file; NULL: there are mistakes. */
const hk_chart *hk_rcr_module(hk_resolver *r, const hk_rcitem *item);
/* resolve_machine.c: into hk_resolver.machines at its index */
void hk_rcr_machine(hk_rcmodule *module, hk_rcmachine *machine);
/* An expression of the machine. */
hk_rcenv hk_rcr_env(hk_rcmachine *machine);
/* resolve_stmt.c */
const hk_chart_stmt *hk_rcr_stmt(hk_rcmachine *machine, const hk_rcstmt *stmt);
bool hk_rcr_target(hk_rcenv *env, const hk_rcexpr *place, hk_chart_target *ret_target);
/* RULE: that is broken if there is none. */
bool hk_rcr_clock(hk_rcmachine *machine, const hk_name *name, const char *rule,
                  uint32_t *ret_clock);
bool hk_rcr_event(hk_rcmachine *machine, const hk_name *name, uint32_t *ret_event);
/* resolve_operation.c */
void hk_rcr_operations(hk_rcmodule *module);
/* Has the platform or the controller the operation? */
bool hk_rcr_provides(const hk_rcmachine *machine, const char *operation);
const hk_chart_stmt *hk_rcr_call_operation(hk_rcmachine *machine, const hk_rcstmt *stmt);
/* resolve_lines.c */

/* A connection from its first to its last end; NULL: the platform, or (to) nobody. */
typedef struct hk_rcline {
    hk_chart_line line;
    const hk_rcmachine *from, *to;
    const char *from_event, *to_event;
} hk_rcline;
void hk_rcr_lines(hk_rcmodule *module);
/* The line that ends (`in`) or begins there; NONE: none. */
uint32_t hk_rcr_line_of(const hk_resolver *r, const hk_rcmachine *machine, const char *event,
                        bool in);
/* resolve_variables.c */

/* Whose variables they are, and what is there for those that it requires. */
typedef struct hk_rcowner {
    const char *name, *path;
    uint32_t machine; /* NONE: of a controller or the platform */
    bool platform;
    const hk_rcname *above;
    size_t above_count;
    const hk_rcfile *file;
    const hk_rcname *parameters; /* of an operation: names that come first */
    size_t parameter_count;
} hk_rcowner;
const hk_rcname *hk_rcr_variables(hk_resolver *r, const hk_rcmembers *members,
                                  const hk_rcowner *owner, size_t *ret_count);
/* One variable more, with room in memory. */
hk_rcname hk_rcr_add_variable(hk_resolver *r, const hk_rcowner *owner, hk_chart_variable variable);
/* Paths of all, and the list in the chart. */
void hk_rcr_finish_variables(hk_resolver *r, hk_chart *chart);
uint32_t hk_rcr_allocate(hk_resolver *r, const hk_chart_type *type);

/* ---- rules (chart_rules.c, chart_rules_machine.c, chart_rules_wiring.c): of all files */
void hk_rcr_rules(hk_resolver *r);
void hk_rcr_rules_machine(hk_resolver *r, const hk_rcfile *file, const hk_rcitem *machine);
void hk_rcr_rules_wiring(hk_resolver *r, const hk_rcfile *file, const hk_rcitem *owner);

#endif

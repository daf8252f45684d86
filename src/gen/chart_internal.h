/* SPDX-License-Identifier: MIT
 *
 * From a resolved RoboChart module to one C file: what the chart_*.c share. The text of a function
 * is made in three parts (what must stand before it, its variables, its body), since expressions
 * may need variables and functions of their own. */
#ifndef HK_GEN_CHART_INTERNAL_H
#define HK_GEN_CHART_INTERNAL_H

#include "chart/chart_ports.h"
#include "gen/gen_text.h"

/* What a machine's things are called. */
typedef struct hk_cg_machine {
    const char *c;            /* "c0_s0": field of the struct, and what its functions begin with */
    const char **nodes;       /* by node, in names of functions: "Go" */
    const char **states;      /* STATE: its enumerator; others NULL */
    const char **transitions; /* "t0", in names of functions */
    const char **clocks;      /* fields of its struct */
} hk_cg_machine;

/* What a line's things are called; all are fields of the struct. */
typedef struct hk_cg_line {
    const char *port;     /* FROM_PLATFORM, TO_PLATFORM: the event, and */
    const char *value;    /* typed: its value, as the port */
    const char *there;    /* it can be received: in this cycle, FROM_PLATFORM: or the next one */
    const char *received; /* typed: what is received */
    const char *edge, *before; /* FROM_PLATFORM: parameter; whether it was there in the last step */
    const char *sent;          /* the cycle in which it was sent last */
    const char *sending;       /* BETWEEN, typed: what is sent */
    uint32_t first;            /* the first line with this name: it has the ports */
} hk_cg_line;

typedef struct hk_cg_operation {
    const char *c;      /* of its function, and VISIBLE: the port */
    const char *called; /* the cycle in which it was called last */
    const char **parameters;
} hk_cg_operation;

/* A name that an expression can use: of a function's parameter, or bound by let or a quantifier. */
typedef struct hk_cg_local {
    uint32_t cell;
    const hk_chart_type *type;
    const char *name;
} hk_cg_local;

/* A statement of a machine that has a deadline and may miss it. */
typedef struct hk_cg_limit_of {
    const hk_chart_stmt *stmt;
    uint32_t machine;
} hk_cg_limit_of;

/* Where a machine goes on in a later cycle. */
typedef struct hk_cg_resume {
    const char *at; /* enumerator */
    const char *function;
    const char *settled; /* if it is entering or leaving a state: the one around it */
} hk_cg_resume;

/* A function while it is being written. */
typedef struct hk_cg_function {
    hk_text vars, body;
    hk_cg_local *locals;
    size_t local_count, local_cap;
    uint32_t var_count; /* names of variables are numbered */
} hk_cg_function;

typedef struct hk_cg {
    hk_ctx *ctx;
    hk_arena *arena;
    const hk_chart *chart;
    const char *file;                  /* of the chart, without its folder */
    const char *name;                  /* of the module in C: the struct */
    hk_scope scope;                    /* of the file */
    hk_scope fields;                   /* of the struct */
    const char **types, ***type_parts; /* by type: its name in C; fields or items */
    const char **variables;            /* fields */
    const char **functions;
    const char *time_unit; /* field */
    double unit_s;         /* its start value */
    hk_chart_ports ports;
    /* Constants are ports [first, last); MARKED: whether each is given is remembered in `given`. */
    uint32_t first_constant, last_constant;
    bool marked;
    hk_cg_line *lines;
    hk_cg_operation *operations;
    hk_cg_machine *machines;
    hk_map named; /* functions of machines, by what they are */
    const char **named_as;
    size_t named_count, named_cap;
    /* The function that is being written. */
    hk_cg_function now;
    hk_text *out; /* where it goes when it is done */
    uint32_t helper_count;
    uint32_t machine; /* that it is of; NONE: of none */
    hk_text heads;    /* of functions that are called before they are written */
    hk_cg_resume *resumes;
    size_t resume_count, resume_cap;
    /* The action in it that may take time. */
    const char *thread;
    uint32_t points;        /* at which it can stop */
    hk_cg_limit_of *limits; /* of all machines, in the order in which they are looked at */
    size_t limit_count, limit_cap;
    bool *draws;         /* by machine: it needs random numbers */
    bool *has_deadlines; /* by machine: of triggers */
} hk_cg;

/* chart_names.c */
void hk_cg_name_all(hk_cg *g);
/* The name of the component in C, taken in SCOPE. */
const char *hk_cg_module_name(hk_arena *arena, hk_scope *scope, const hk_chart *chart);
void hk_cg_finish(hk_cg *g);
uint32_t hk_cg_type_index(const hk_cg *g, const hk_chart_type *type);
const char *hk_cg_type(const hk_cg *g, const hk_chart_type *type); /* "int64_t", "bool", ... */
/* The name of what is KIND of NAME in machine MACHINE, "c0_s0_enter_Go": the same each time. */
const char *hk_cg_fn(hk_cg *g, uint32_t machine, const char *kind, const char *name);

/* chart_text.c: functions that are being written, and small texts. */
hk_cg_function hk_cg_begin(hk_cg *g);
/* HEAD, variables and body go to `out`; what was being written before goes on. */
void hk_cg_end(hk_cg *g, hk_cg_function before, const char *head);
/* Broken behind commas where it is too long. */
void hk_cg_put_wrapped(hk_text *out, int indent, const char *text);
/* A statement, so deep in blocks. */
void hk_cg_line_put(hk_cg *g, int depth, const char *format, ...) HK_PRINTF(3, 4);
const char *hk_cg_print(const hk_cg *g, const char *format, ...) HK_PRINTF(2, 3);
const char *hk_cg_var(hk_cg *g, const hk_chart_type *type, const char *stem);
const char *hk_cg_at(const hk_cg *g, int line, int column);
const char *hk_cg_int(const hk_cg *g, int64_t value);
const char *hk_cg_real(const hk_cg *g, double value);
const char *hk_cg_quoted(const hk_cg *g, const char *text);

/* chart_types.c: types in C, and what is done with values of them. */
void hk_cg_put_types(hk_cg *g, hk_text *text);
/* A and B, both of TYPE, are the same. */
const char *hk_cg_equal(const hk_cg *g, const hk_chart_type *type, const char *a, const char *b);
void hk_cg_put_type_functions(hk_cg *g, hk_text *text);

/* chart_place.c: what a cell of the memory is called. */
const char *hk_cg_place(const hk_cg *g, uint32_t cell, const hk_chart_type *type);
const char *hk_cg_part(const hk_cg *g, const hk_chart_type *type, uint32_t offset,
                       const hk_chart_type *wanted, const char *text);
/* The one number there. */
const char *hk_cg_scalar(const hk_cg *g, const hk_chart_type *type, uint32_t offset,
                         const char *text);
const char *hk_cg_scalar_place(const hk_cg *g, uint32_t cell);
/* A place in the .rct, for messages. */
typedef struct hk_cg_spot {
    int line, column;
} hk_cg_spot;
/* An lvalue; an index is evaluated and checked by a statement before. */
const char *hk_cg_target(hk_cg *g, const hk_chart_target *target, int depth);

/* chart_expr.c */
const char *hk_cg_expr(hk_cg *g, const hk_chart_expr *e);
/* The text without the parentheses around all of it. */
const char *hk_cg_bare(hk_cg *g, const hk_chart_expr *e);
bool hk_cg_can_fail(const hk_chart_expr *e);
void hk_cg_put_functions(hk_cg *g);

/* chart_action.c: statements. */
/* Functions of the operations of the platform. */
void hk_cg_put_services(hk_cg *g);
/* A statement that takes no time, so deep in blocks. */
void hk_cg_straight(hk_cg *g, const hk_chart_stmt *s, int depth);
/* VALUE is of type TYPE: an integer that is stored as a nat is looked at. */
void hk_cg_store(hk_cg *g, const hk_chart_target *place, const char *value,
                 const hk_chart_type *type, int depth, hk_cg_spot spot);
/* A number of time units in cycles, rounded "up" or "down". */
const char *hk_cg_cycles(hk_cg *g, const hk_chart_code *time, const char *rounded);
/* Deadlines of statements: the field "c0_s0.limit1", all of an action, and that none is kept any
 * more. */
const char *hk_cg_limit(const hk_cg *g, const hk_chart_stmt *s, uint32_t machine);
void hk_cg_find_limits(hk_cg *g, const hk_chart_stmt *s, uint32_t machine);
void hk_cg_put_no_limits(hk_cg *g, const hk_chart_stmt *s, int depth);
/* A function, called NAME, of an action that may take time: it returns true when that is done, and
 * goes on where it was when it is called again. THREAD is the field that says where. */
void hk_cg_put_action(hk_cg *g, const hk_chart_stmt *s, const char *name, const char *thread);

/* chart_machine.c: entering and leaving states, transitions; of `machine`. */
const hk_chart_machine *hk_cg_machine_of(const hk_cg *g);
const hk_chart_node *hk_cg_node_of(const hk_cg *g, uint32_t node);
const char *hk_cg_self(const hk_cg *g); /* "x->c0_s0" */
const char *hk_cg_mfn(hk_cg *g, const char *kind, const char *name);
/* What belongs to FUNCTION of this machine: "c0_s0_at_entry_Go" of c0_s0_entry_Go. */
const char *hk_cg_of(hk_cg *g, const char *kind, const char *function);
const char *hk_cg_node_fn(hk_cg *g, const char *kind, uint32_t node);
const char *hk_cg_transition_fn(hk_cg *g, const char *kind, uint32_t transition);
/* Ends the function NAME(x), which returns nothing and may be called before it is written. */
void hk_cg_put_head(hk_cg *g, const char *name, hk_cg_function saved);
bool hk_cg_is_timed(const hk_cg *g, uint32_t node); /* when it was entered matters */
void hk_cg_put_enter(hk_cg *g, uint32_t node);
void hk_cg_put_leave(hk_cg *g);
void hk_cg_put_take(hk_cg *g, uint32_t i); /* of transition I */

/* chart_choose.c: which transition is taken, out of states and at junctions. */
/* Tells of transitions that are enabled together: before all that looks for one. */
void hk_cg_put_choices(hk_cg *g);
bool hk_cg_has_choices(const hk_cg *g); /* of states: then the function `choices` is there */
void hk_cg_put_look(hk_cg *g);
void hk_cg_put_junction(hk_cg *g, uint32_t node);
void hk_cg_put_dice(hk_cg *g, uint32_t node);
/* A random number in [0, 1) of this machine. */
const char *hk_cg_draw(hk_cg *g);

/* chart_cycle.c: all functions of `machine`. */
void hk_cg_put_machine(hk_cg *g);

/* chart_struct.c */
void hk_cg_put_struct(hk_cg *g, hk_text *text);

/* chart_constants.c: constants, of which some are given and some follow others. */
void hk_cg_find_constants(hk_cg *g);
void hk_cg_put_given(hk_cg *g);     /* the function that remembers */
void hk_cg_put_constants(hk_cg *g); /* in init: that all are there, and are values */
void hk_cg_put_computed(hk_cg *g, uint32_t variable);
/* An integer or an item that its type does not have: WHAT 'PORT' REST. */
void hk_cg_put_check(hk_cg *g, const hk_chart_port *p, int depth, const char *what,
                     const char *rest);

/* chart_unit.c: the component. */
/* The field of a port, as offsetof takes it. */
const char *hk_cg_field(const hk_cg *g, const hk_chart_port *p);
void hk_cg_put_start(hk_cg *g, uint32_t variable); /* its start value */
void hk_cg_put_nat(hk_cg *g, uint32_t variable);   /* that it is not below 0 */
/* An operation ends, with all that it runs. */
void hk_cg_put_abort(hk_cg *g, uint32_t machine, int depth);
void hk_cg_put_unit(hk_cg *g);

#endif

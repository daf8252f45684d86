/* SPDX-License-Identifier: MIT
 *
 * A RoboChart module with every name resolved: what the interpreter runs, what C and Promela are
 * written from, what is explored and drawn. It is made once by hk_chart_read, lives in an arena and
 * never changes; docs/robochart.md says what it means.
 *
 * Machines that are used twice are here twice, connections are lines from one machine to another or
 * to the platform, and every variable has its place in one memory of cells. Lists refer to each
 * other by index; HK_CHART_NONE is none. */
#ifndef HK_CHART_CHART_H
#define HK_CHART_CHART_H

#include "base/diag.h"
#include "base/file.h"
#include "base/ratio.h"

#define HK_CHART_NONE UINT32_MAX

enum {
    HK_CHART_SEQUENCE_MAX = 16,  /* elements of a Seq(T): more is a failure of the run */
    HK_CHART_DEPTH_MAX = 64,     /* calls of functions in each other */
    HK_CHART_FIRINGS_MAX = 1000, /* transitions of a machine in one cycle, with those of operations
                                    that it calls: more is not progress */
    HK_CHART_CYCLE_MAX = 1000000000 /* time units: 2^32 of them fit in a whole number */
};

/* One number in memory: reals as r; integers, truths, items of enumerations (from 0) and values of
 * given types as i. Records, tuples, vectors, matrices are their parts one after the other; a
 * sequence is its length and then room for HK_CHART_SEQUENCE_MAX elements, unused ones are 0. */
typedef union hk_cell {
    double r;
    int64_t i;
} hk_cell;

/* ---- types */

typedef enum hk_chart_kind {
    HK_CHART_BOOLEAN,
    HK_CHART_NAT,
    HK_CHART_INT,
    HK_CHART_REAL,
    HK_CHART_ENUMERATION,
    HK_CHART_GIVEN, /* type ID: a number that is not computed with */
    HK_CHART_RECORD,
    HK_CHART_TUPLE, /* a product: fields without names */
    HK_CHART_SEQUENCE,
    HK_CHART_VECTOR, /* of `length` elements */
    HK_CHART_MATRIX  /* of rows x columns = `length` elements, row by row */
} hk_chart_kind;

typedef struct hk_chart_type hk_chart_type;

typedef struct hk_chart_field {
    const char *name; /* "1", "2" ... in a tuple */
    const hk_chart_type *type;
    uint32_t offset; /* in cells */
} hk_chart_field;

struct hk_chart_type {
    hk_chart_kind kind;
    const char *name; /* as it is written: "real", "Seq(GasSensor)"; equal types are one object */
    uint32_t size;    /* in cells */
    const char *const *items; /* ENUMERATION: names */
    uint32_t item_count;
    const hk_chart_field *fields; /* RECORD, TUPLE */
    uint32_t field_count;
    const hk_chart_type *element; /* SEQUENCE, VECTOR, MATRIX */
    uint32_t length, rows, columns;
};

/* True for kinds that take one cell. */
bool hk_chart_is_scalar(const hk_chart_type *type);

/* ---- expressions */

typedef struct hk_chart_expr hk_chart_expr;
typedef struct hk_chart_function hk_chart_function;

typedef enum hk_chart_op {
    /* values */
    HK_CHART_LITERAL, /* value: scalars */
    HK_CHART_LOAD,  /* a variable, constant, parameter or the value of an event: `cell` in memory */
    HK_CHART_LOCAL, /* parameter of a function, or bound by let or a quantifier: `cell` in the frame
                     */
    HK_CHART_BUILD, /* record, tuple, vector, matrix: args one after the other; sequence: its
                       elements */
    /* parts */
    HK_CHART_FIELD, /* args[0], `cell`: offset of the field in it */
    HK_CHART_INDEX, /* args[0] sequence or vector (args[1]: from 1), matrix (args[1], args[2]) */
    /* numbers; operands have the type of the expression (comparisons: one type) */
    HK_CHART_TO_REAL, /* an integer as a real */
    HK_CHART_TO_NAT,  /* an integer as a natural: below 0 it is a failure of the run */
    HK_CHART_NEGATE,
    HK_CHART_ADD,
    HK_CHART_SUBTRACT,
    HK_CHART_MULTIPLY,
    HK_CHART_DIVIDE, /* integers: rounded down; by 0: a failure of the run */
    HK_CHART_MODULO, /* has the sign of the divisor */
    /* truths */
    HK_CHART_NOT,
    HK_CHART_AND, /* /\ \/ => look at the second only if they must */
    HK_CHART_OR,
    HK_CHART_IMPLIES,
    HK_CHART_IFF,
    HK_CHART_EQUAL, /* any type, part by part */
    HK_CHART_UNEQUAL,
    HK_CHART_LESS,
    HK_CHART_LESS_EQUAL,
    HK_CHART_GREATER,
    HK_CHART_GREATER_EQUAL,
    HK_CHART_IN,     /* args[0] in args[1], a sequence (a set that is written out is one, too) */
    HK_CHART_WITHIN, /* args[0] in [args[1], args[2]] */
    /* structure */
    HK_CHART_IF,     /* args[0] ? args[1] : args[2] */
    HK_CHART_LET,    /* LOCAL `cell` = args[0] in args[1] */
    HK_CHART_FORALL, /* LOCAL `cell` over args[0], a sequence: args[1]; over a finite type its items
                        are that sequence */
    HK_CHART_EXISTS,
    HK_CHART_CALL,    /* `function` with args */
    HK_CHART_BUILTIN, /* `builtin` with args */
    /* time, in time units */
    HK_CHART_SINCE,      /* `clock` */
    HK_CHART_SINCE_ENTRY /* `state`: node of this machine */
} hk_chart_op;

typedef enum hk_chart_builtin {
    HK_CHART_SIZE, /* of a sequence */
    HK_CHART_HEAD,
    HK_CHART_TAIL,
    HK_CHART_LAST,
    HK_CHART_FRONT,
    HK_CHART_CONCAT, /* s ^ t */
    HK_CHART_MIN,
    HK_CHART_MAX,
    HK_CHART_ABS
} hk_chart_builtin;

struct hk_chart_expr {
    hk_chart_op op;
    const hk_chart_type *type;
    hk_cell value;
    uint32_t cell;
    uint32_t clock, state;
    hk_chart_builtin builtin;
    const hk_chart_function *function;
    const hk_chart_expr *const *args;
    uint32_t arg_count;
    int line, column;
};

/* A function that says what its result is: postcondition result == E. May call itself. */
struct hk_chart_function {
    const char *name;
    const char *const *parameters; /* names; LOCAL cells in this order from 0 */
    const hk_chart_type *const *parameter_types;
    uint32_t parameter_count;
    const hk_chart_type *type;
    const hk_chart_expr *const *preconditions; /* false: a failure of the run */
    uint32_t precondition_count;
    const hk_chart_expr *body;
    uint32_t frame_size; /* cells of all its locals */
    int line, column;
};

/* An expression that a machine evaluates, and the cells for its locals. */
typedef struct hk_chart_code {
    const hk_chart_expr *expr; /* NULL: there is none */
    uint32_t frame_size;
} hk_chart_code;

/* ---- statements. A value that is received may be of type int where it is stored as a nat: below 0
 * it is a failure of the run. */

typedef struct hk_chart_stmt hk_chart_stmt;

typedef enum hk_chart_does {
    HK_CHART_SKIP,
    HK_CHART_ASSIGN,  /* place = value */
    HK_CHART_SEND,    /* event `event`, with value or (untyped) none */
    HK_CHART_RECEIVE, /* waits for event `event`; typed: stores it at `place`, or (e.v) waits for
                         `value` */
    HK_CHART_OPERATE, /* operation `operation` of the platform with `args`; done at once */
    HK_CHART_PERFORM, /* runs machine `machine` to its final state, after `args` are its parameters
                       */
    HK_CHART_WAIT,    /* value time units; wait([a,b]): any from value to `until` */
    HK_CHART_RESET,   /* clock `clock` */
    HK_CHART_CHOICE,  /* if value then parts[0] else parts[1] (SKIP if there is none) */
    HK_CHART_SEQUENTIAL, /* parts */
    HK_CHART_DEADLINE    /* parts[0] must end within `value` time units */
} hk_chart_does;

/* Where a value is stored. A plain variable has no index. */
typedef struct hk_chart_target {
    uint32_t cell; /* of the variable, with the offsets of fields in it */
    const hk_chart_type *type;
    const hk_chart_expr *index;   /* NULL: none; of element `index` (from 1) */
    const hk_chart_expr *column;  /* INDEX of a matrix: element (index, column); else NULL */
    uint32_t inner;               /* INDEX: offset of a field in the element */
    const hk_chart_type *element; /* INDEX: what is indexed has elements of this type */
    uint32_t length;  /* INDEX: so many (rows of a matrix); a sequence: its length is at `cell` */
    uint32_t columns; /* INDEX: of a matrix; else 1 */
    bool sequence;
    uint32_t frame_size; /* cells for the locals of index and column */
} hk_chart_target;

struct hk_chart_stmt {
    hk_chart_does does;
    hk_chart_target place;
    hk_chart_code value, until;
    const hk_chart_code *args; /* OPERATE, PERFORM */
    uint32_t arg_count;
    uint32_t event;     /* of this machine: hk_chart_machine.events */
    uint32_t operation; /* hk_chart.operations */
    uint32_t machine;   /* hk_chart.machines */
    uint32_t clock;     /* of this machine */
    const hk_chart_stmt *const *parts;
    uint32_t part_count;
    bool blocks; /* it may take time: it or a part of it is RECEIVE, PERFORM or WAIT */
    int line, column;
};

/* ---- machines */

typedef enum hk_chart_node_kind {
    HK_CHART_INITIAL,
    HK_CHART_FINAL,
    HK_CHART_JUNCTION,
    HK_CHART_PROBABILISTIC,
    HK_CHART_STATE
} hk_chart_node_kind;

typedef struct hk_chart_node {
    hk_chart_node_kind kind;
    const char *name;
    uint32_t parent; /* node that it is in; NONE: the machine itself */
    /* STATE; NULL: there is none */
    const hk_chart_stmt *entry, *during, *exit;
    uint32_t initial;         /* of a composite state: its INITIAL node; NONE: it has no children */
    uint32_t final;           /* its FINAL node, if it has one */
    const uint32_t *outgoing; /* transitions, as declared */
    uint32_t outgoing_count;
    uint32_t depth;               /* 0: in the machine itself */
    bool timed;                   /* sinceEntry asks for it */
    const struct hk_rcitem *item; /* what the file says: for those who show it (chart_words.h) */
    int line, column;
} hk_chart_node;

typedef struct hk_chart_transition {
    const char *name;
    uint32_t from, to; /* nodes */
    uint32_t trigger;  /* event of this machine; NONE: no trigger */
    bool stores;       /* e?x: the value goes to `place` before anything else */
    hk_chart_target place;
    hk_chart_code match;       /* e.v: only with this value */
    hk_chart_code probability; /* out of PROBABILISTIC */
    hk_chart_code guard;       /* `received` of the event is read by LOAD of its line's cell */
    bool otherwise;            /* condition else: none of the others from this node is enabled */
    const uint32_t *resets;    /* clocks of this machine */
    uint32_t reset_count;
    hk_chart_code deadline; /* of the trigger, in time units from the moment `from` is entered */
    const hk_chart_stmt *action;  /* NULL: none */
    const struct hk_rcitem *item; /* what the file says (chart_words.h) */
    int line, column;
} hk_chart_transition;

typedef struct hk_chart_event {
    const char *name;
    const hk_chart_type *type; /* NULL: untyped */
    uint32_t in, out; /* lines that it is received from and sent to; NONE: nothing is connected */
    const char *file; /* an interface may be in another one than its machine */
    int line, column;
} hk_chart_event;

typedef struct hk_chart_variable {
    const char *name; /* as in the file, without '^' */
    const char *path; /* unique in the module: "lv" if that is, else "machine.lv",
                         "controller.machine.lv" */
    const hk_chart_type *type;
    uint32_t cell;
    hk_chart_code start; /* NULL: 0, false, the first item. Computed in the order of the list */
    bool constant;       /* a parameter of the component; without `start` it must be given */
    bool platform;       /* of the platform: an output of the component */
    uint32_t machine;    /* NONE: of a controller or the platform */
    int line, column;
} hk_chart_variable;

typedef struct hk_chart_clock {
    const char *name;
    double largest; /* number that it is compared with, constants at their start values; NaN: it is
                       not known. For saturation */
} hk_chart_clock;

/* A machine as it is used in one place: by a controller, or (`caller` is not NONE) by one call of
 * an operation that is a machine. */
typedef struct hk_chart_machine {
    const char *name;    /* of the definition */
    const char *path;    /* unique: "c0.s0"; of an operation: "c0.s0.changeDirection", then
                            "...changeDirection2" */
    uint32_t controller; /* hk_chart.controllers */
    uint32_t caller;     /* machine whose action runs it; NONE: none */
    const hk_chart_node *nodes;
    uint32_t node_count;
    uint32_t initial; /* node that it begins at */
    const hk_chart_transition *transitions;
    uint32_t transition_count;
    const hk_chart_event *events;
    uint32_t event_count;
    const hk_chart_clock *clocks;
    uint32_t clock_count;
    const hk_chart_target *parameters; /* of an operation: where args go */
    uint32_t parameter_count;
    const hk_chart_code *preconditions,
        *postconditions; /* of an operation: false is a failure of the run */
    uint32_t precondition_count, postcondition_count;
    uint32_t depth;   /* of states in states, at least 1 */
    const char *file; /* that its lines are in */
    int line, column;
} hk_chart_machine;

/* ---- the module */

typedef enum hk_chart_line_kind {
    HK_CHART_FROM_PLATFORM, /* an input of the component */
    HK_CHART_TO_PLATFORM,   /* an output */
    HK_CHART_BETWEEN /* machines: what is sent in one cycle is there in the next one, and only there
                      */
} hk_chart_line_kind;

/* One connection, from its first end to its last. Its value, if it is typed, is in memory: what is
 * received at `cell`, what is being sent at `sent` (BETWEEN: two places; else the same). */
typedef struct hk_chart_line {
    hk_chart_line_kind kind;
    const char *name;          /* of the platform's event, or "c0.s0.flagged" of who sends it */
    const hk_chart_type *type; /* NULL: untyped */
    uint32_t cell, sent;
    uint32_t from_machine, to_machine; /* NONE: the platform */
    bool async;
    int line, column;
} hk_chart_line;

typedef enum hk_chart_operation_kind {
    HK_CHART_VISIBLE, /* not defined in the package: an output of the component says that it was
                         called */
    HK_CHART_EFFECT,  /* operation f(...) { terminates postcondition v == E /\ ... }: assigns */
    HK_CHART_HIDDEN   /* operation f(...) { terminates }: nothing is seen of it */
} hk_chart_operation_kind;

typedef struct hk_chart_operation {
    hk_chart_operation_kind kind;
    const char *name;
    const hk_chart_field *parameters; /* offsets from `cell` */
    uint32_t parameter_count;
    uint32_t cell;                      /* where its arguments are: outputs, if it is visible */
    const hk_chart_stmt *effect;        /* EFFECT: assignments; parameters are read by LOAD */
    const hk_chart_code *preconditions; /* EFFECT, HIDDEN: false is a failure of the run */
    uint32_t precondition_count;
    int line, column;
} hk_chart_operation;

typedef struct hk_chart_controller {
    const char *name;         /* of the definition */
    const char *path;         /* in the module: "c0" */
    const uint32_t *machines; /* that run in it, in the order in which they do */
    uint32_t machine_count;
} hk_chart_controller;

typedef struct hk_chart {
    const char *file;
    const char *const *files; /* that were read: the one that was asked for, and what is imported */
    uint32_t file_count;
    const char *package;  /* "": none */
    const char *name;     /* of the module */
    const char *platform; /* its name */
    hk_ratio cycle;       /* length of a cycle in time units; 1 unless 'cycleDef cycle == n' */
    const hk_chart_controller *controllers; /* in the order in which they run */
    uint32_t controller_count;
    const hk_chart_machine
        *machines; /* those of a controller one after the other; operations behind their callers */
    uint32_t machine_count;
    const hk_chart_line *lines;
    uint32_t line_count;
    const hk_chart_operation *operations;
    uint32_t operation_count;
    const hk_chart_variable *variables;
    uint32_t variable_count;
    const hk_chart_type *const *types; /* all that the module uses */
    uint32_t type_count;
    const hk_chart_function *const *functions;
    uint32_t function_count;
    uint32_t memory_size; /* cells of variables, values of lines, arguments */
    uint32_t frame_size;  /* the largest of all codes */
    /* Of all files that were read, as `hocket fmt` writes them, without comments: two versions of a
     * module have different ones. What was written about a run or a state has it beside it. */
    uint64_t digest;
} hk_chart;

/* TEXT is a RoboChart file by its extension, or a module in it: "x.rct#Module". The length of the
 * name of the file. */
bool hk_chart_names(const char *text, size_t *ret_length);

/* Reads a file and what it imports, checks the rules and resolves MODULE (NULL: the one that PATH
 * names behind a '#', or the only one). Reports every mistake; the chart lives in ARENA. */
HK_NODISCARD hk_status hk_chart_read(hk_ctx *ctx, hk_arena *arena, const char *path,
                                     const char *module, const hk_chart **ret_chart);
/* The same for a text; what it imports is looked for beside TEXT's file. */
HK_NODISCARD hk_status hk_chart_read_text(hk_ctx *ctx, hk_arena *arena, const hk_file_text *text,
                                          const char *module, const hk_chart **ret_chart);

#endif

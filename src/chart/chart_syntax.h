/* SPDX-License-Identifier: MIT
 *
 * What a RoboChart file says, as a tree: the parser makes it, the printer (`hocket fmt`) writes it,
 * the resolver turns it into a module (chart.h). Nothing in here knows what a name means.
 *
 * Names are without the '^' that escapes them; qualified ones have "::" between their parts. Lists
 * are arrays in the arena. Texts are never NULL: what is missing is "". */
#ifndef HK_CHART_CHART_SYNTAX_H
#define HK_CHART_CHART_SYNTAX_H

#include "text/nodes.h"

typedef struct hk_rctype hk_rctype;
typedef struct hk_rcexpr hk_rcexpr;
typedef struct hk_rcstmt hk_rcstmt;
typedef struct hk_rcitem hk_rcitem;

/* ---- types and expressions */

typedef enum hk_rctype_kind {
    HK_RCT_NAME,     /* `name` */
    HK_RCT_SEQ,      /* Seq(parts[0]) */
    HK_RCT_SET,      /* Set(parts[0]) */
    HK_RCT_PRODUCT,  /* parts[0] * parts[1] * ... */
    HK_RCT_FUNCTION, /* parts[0] -> parts[1] */
    HK_RCT_RELATION, /* parts[0] <-> parts[1] */
    HK_RCT_VECTOR,   /* vector(parts[0], sizes[0]) */
    HK_RCT_MATRIX,   /* matrix(parts[0], sizes[0], sizes[1]) */
    HK_RCT_ANY,      /* ?`name`: a type variable */
    HK_RCT_PARENS    /* (parts[0]) */
} hk_rctype_kind;

struct hk_rctype {
    hk_rctype_kind kind;
    hk_name name;
    const hk_rctype *const *parts;
    size_t part_count;
    const hk_rcexpr *sizes[2];
    hk_place at;
};

/* NAME : TYPE = VALUE: variables, parameters, fields, what is bound by quantifiers (no value), by
 * let and in records (no type). */
typedef struct hk_rcvar {
    hk_name name;
    const hk_rctype *type;  /* NULL: none */
    const hk_rcexpr *value; /* NULL: none */
} hk_rcvar;

typedef enum hk_rcexpr_kind {
    HK_RCE_INTEGER, /* name.text: digits */
    HK_RCE_REAL,
    HK_RCE_STRING, /* with its quotes */
    HK_RCE_TRUTH,
    HK_RCE_REF,        /* `name`, maybe qualified: Loc::left */
    HK_RCE_WORD,       /* result, to, from */
    HK_RCE_CALL,       /* args[0] ( the others ) */
    HK_RCE_RECORD,     /* `name` (| vars |) */
    HK_RCE_TUPLE,      /* (| args |) */
    HK_RCE_SEQ,        /* < args > */
    HK_RCE_SET,        /* { args } */
    HK_RCE_SET_RANGE,  /* { args[0] to args[1] } */
    HK_RCE_SET_COMP,   /* { vars | args[0] @ args[1] }, both may be NULL */
    HK_RCE_VECTOR,     /* [| args |] */
    HK_RCE_MATRIX,     /* [| rows |] with ';' between; args are VECTOR */
    HK_RCE_UNARY_CALL, /* `name` ( args[0] ): inverse, transpose */
    HK_RCE_RANGE,      /* [ args[0] , args[1] ] and with round brackets */
    HK_RCE_PARENS,     /* ( args[0] ) */
    HK_RCE_SINCE,      /* since ( name ) */
    HK_RCE_SINCE_ENTRY,
    HK_RCE_FIELD,  /* args[0] . name */
    HK_RCE_INDEX,  /* args[0] [ the others ] */
    HK_RCE_NEGATE, /* - args[0] */
    HK_RCE_NOT,
    HK_RCE_BINARY, /* args[0] name args[1] */
    HK_RCE_IF,     /* args: condition, then, else */
    HK_RCE_LET,    /* let vars @ args[0] */
    HK_RCE_TYPED,  /* args[0] as/is type: `name` says which */
    HK_RCE_BINDER /* forall, exists, exists1, lambda, the (`name`) vars | args[0] @ args[1]; args[0]
                     may be NULL */
} hk_rcexpr_kind;

struct hk_rcexpr {
    hk_rcexpr_kind kind;
    hk_name name;
    const hk_rcexpr *const *args;
    size_t arg_count;
    const hk_rcvar *vars;
    size_t var_count;
    const hk_rctype *type;
    bool open_left, open_right; /* RANGE: a round bracket */
    int height;                 /* of the tree below it, at least 1 */
    hk_place at;
};

/* ---- statements */

typedef enum hk_rcstmt_kind {
    HK_RCS_SKIP,
    HK_RCS_ASSIGN,     /* place = value */
    HK_RCS_SEND,       /* name, name ! value; also a plain name, which may receive */
    HK_RCS_RECEIVE,    /* name ? other, name . value */
    HK_RCS_CALL,       /* name ( args ) */
    HK_RCS_WAIT,       /* value */
    HK_RCS_RESET,      /* # name */
    HK_RCS_IF,         /* value, parts[0], parts[1] (if there is an else) */
    HK_RCS_SEQUENTIAL, /* parts with ';' between */
    HK_RCS_PARENS,     /* ( parts[0] ) */
    HK_RCS_DEADLINE    /* parts[0] <{ value } */
} hk_rcstmt_kind;

struct hk_rcstmt {
    hk_rcstmt_kind kind;
    hk_name name, other;
    const hk_rcexpr *place; /* REF, FIELD, INDEX */
    const hk_rcexpr *value; /* NULL: none */
    const hk_rcexpr *const *args;
    size_t arg_count;
    const hk_rcstmt *const *parts;
    size_t part_count;
    hk_place at;
};

/* ---- declarations */

typedef enum hk_rcitem_kind {
    /* in files */
    HK_RC_DIAGRAM,
    HK_RC_IMPORT, /* `target`; flag: with ::* */
    HK_RC_INTERFACE,
    HK_RC_PLATFORM,
    HK_RC_GIVEN,
    HK_RC_RECORD,
    HK_RC_ENUMERATION,
    HK_RC_CONTROLLER,
    HK_RC_MACHINE,
    HK_RC_OPERATION, /* vars: its parameters */
    HK_RC_FUNCTION,
    HK_RC_MODULE,
    /* in bodies */
    HK_RC_USES, /* `target` */
    HK_RC_PROVIDES,
    HK_RC_REQUIRES,
    HK_RC_VAR, /* vars */
    HK_RC_CONST,
    HK_RC_EVENT, /* flag: _broadcast; type NULL: untyped */
    HK_RC_CLOCK,
    HK_RC_SIGNATURE, /* of an operation; vars: parameters; flag: [terminates] */
    HK_RC_FIELD,     /* of a record: type */
    HK_RC_ITEM,      /* of an enumeration; vars: types of its arguments */
    HK_RC_RREF,      /* `name` = `target` */
    HK_RC_CREF,
    HK_RC_SREF,
    HK_RC_OPREF,
    HK_RC_CONNECTION, /* `link` */
    HK_RC_CYCLE,      /* value: its length */
    HK_RC_TERMINATES,
    HK_RC_PRECONDITION, /* value */
    HK_RC_POSTCONDITION,
    HK_RC_INITIAL,
    HK_RC_FINAL,
    HK_RC_JUNCTION,
    HK_RC_PROBABILISTIC,
    HK_RC_STATE,
    HK_RC_TRANSITION, /* `way` */
    HK_RC_ENTRY,      /* action */
    HK_RC_DURING,
    HK_RC_EXIT
} hk_rcitem_kind;

/* connection from on from_event to to on to_event */
typedef struct hk_rclink {
    hk_name from, from_event, to, to_event;
    bool async, mult;
} hk_rclink;

typedef struct hk_rcway {
    hk_name from, to;
    const hk_rcstmt *trigger; /* SEND (plain or '!') or RECEIVE; NULL: none */
    const hk_rcexpr *probability;
    const hk_name *resets; /* clocks */
    size_t reset_count;
    const hk_rcexpr *deadline;
    const hk_rcexpr *condition;
    bool otherwise; /* condition else */
    const hk_rcstmt *action;
} hk_rcway;

struct hk_rcitem {
    hk_rcitem_kind kind;
    hk_name name;   /* text "": it has none */
    hk_name target; /* that it refers to */
    bool flag;
    const hk_rcvar *vars;
    size_t var_count;
    const hk_rctype *type;
    const hk_rcexpr *value;
    const hk_rcstmt *action;
    const hk_rclink *link;
    const hk_rcway *way;
    const hk_rcitem *items; /* of its body, as they stand there */
    size_t item_count;
    hk_place at, end; /* end: the closing brace */
};

typedef struct hk_rcfile {
    const char *file;
    hk_name package; /* text "": none */
    hk_place package_at;
    const hk_rcitem *items;
    size_t item_count;
    hk_place end;
} hk_rcfile;

/* Reads DATA (FILE is for messages) into a tree in ARENA. All mistakes are reported, each once and
 * with its place; then *ret_file holds what could be read. Only HK_OK means that all was
 * understood. */
hk_status hk_rct_parse(hk_ctx *ctx, hk_arena *arena, const char *file, const char *data,
                       size_t size, hk_rcfile **ret_file);
/* The canonical form, in ARENA. Parsing it gives the same tree, places aside. */
const char *hk_rct_print(hk_arena *arena, const hk_rcfile *file);
/* The same without comments and empty lines: what two files with one meaning share. */
const char *hk_rct_print_bare(hk_arena *arena, const hk_rcfile *file);
/* Is it a word of RoboChart, which as a name is written with '^'? */
bool hk_rct_is_keyword(const char *word);
/* The word that begins an item of that kind: "state", "robotic platform". */
const char *hk_rct_word(hk_rcitem_kind kind);

#endif

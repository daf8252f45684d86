/* SPDX-License-Identifier: MIT
 *
 * The tree of a CSPm script: what is read (parse_*.c), whose names are then found (names.c). Nodes
 * and lists live in the arena of the script. */
#ifndef HK_CSP_CSP_SYNTAX_H
#define HK_CSP_CSP_SYNTAX_H

#include "base/map.h"
#include "csp/csp.h"
#include "text/nodes.h"

#define HK_CSP_NONE UINT32_MAX

typedef enum hk_csp_kind {
    /* values */
    HK_CSP_NUMBER,
    HK_CSP_TRUTH,         /* true, false: number */
    HK_CSP_NAME,          /* a name that was not looked for yet */
    HK_CSP_VARIABLE,      /* number: which */
    HK_CSP_CONSTANT,      /* number: which symbol */
    HK_CSP_CHANNEL,       /* number: which */
    HK_CSP_CALL,          /* of a definition; kids: arguments */
    HK_CSP_BUILTIN,       /* number: which; kids: arguments */
    HK_CSP_TUPLE,         /* kids */
    HK_CSP_SET,           /* {a, b}: kids */
    HK_CSP_RANGE,         /* {a..b}: two kids */
    HK_CSP_COMPREHENSION, /* {a | ranges}: a kid */
    HK_CSP_COMPLETIONS,   /* {| a, b |}: kids */
    HK_CSP_DOTTED,        /* a.b.c: kids */
    HK_CSP_OPERATION,     /* a + b, a == b, a and b, not a: name, kids */
    /* both */
    HK_CSP_IF,  /* three kids */
    HK_CSP_LET, /* definitions, a kid */
    /* processes */
    HK_CSP_SKIP,
    HK_CSP_STOP,
    HK_CSP_PREFIX,     /* fields, a kid */
    HK_CSP_SEQUENCE,   /* two kids */
    HK_CSP_EXTERNAL,   /* kids */
    HK_CSP_INTERNAL,   /* kids */
    HK_CSP_INTERLEAVE, /* kids */
    HK_CSP_SHARED,     /* P [| X |] Q: X, P, Q */
    HK_CSP_ALPHABETS,  /* P [A || B] Q: A, P, B, Q */
    HK_CSP_HIDE,       /* P \ X: P, X */
    HK_CSP_REPLICATED  /* op x:S @ P: number is the kind of op; ranges; P, and X or the alphabet */
} hk_csp_kind;

typedef struct hk_csp_expr hk_csp_expr;

/* What an expression is, as far as it is known without values. */
typedef enum hk_csp_sort {
    HK_CSP_UNSORTED, /* not known, or it can be several */
    HK_CSP_A_PROCESS,
    HK_CSP_AN_EVENT,
    HK_CSP_A_SET,
    HK_CSP_A_VALUE, /* events, sets and conditions are values, too */
    HK_CSP_A_CONDITION
} hk_csp_sort;

/* What an argument or a value that is read must be like. */
typedef struct hk_csp_pattern {
    enum {
        HK_CSP_ANYTHING,
        HK_CSP_BOUND,
        HK_CSP_EQUAL_NUMBER,
        HK_CSP_EQUAL_SYMBOL,
        HK_CSP_PARTS
    } kind;
    const char *name; /* BOUND; EQUAL_SYMBOL after names were found */
    int64_t number;   /* BOUND: the variable; EQUAL_*: what it must be */
    struct hk_csp_pattern *parts;
    size_t part_count;
    hk_place at;
} hk_csp_pattern;

/* "x:S" or "x <- S"; without a pattern: a condition. */
typedef struct hk_csp_range {
    hk_csp_pattern *pattern;
    hk_csp_expr *of;
} hk_csp_range;

/* A field of a prefix behind its channel: ".a", "!a", "?x", "?x:S". */
typedef struct hk_csp_field {
    hk_csp_expr *given;      /* NULL: it is read */
    hk_csp_pattern *pattern; /* of what is read */
    hk_csp_expr *among;      /* NULL: anything of its type */
} hk_csp_field;

typedef struct hk_csp_clause {
    hk_csp_pattern *patterns;
    hk_csp_expr *body;
    hk_place at;
} hk_csp_clause;

typedef struct hk_csp_definition {
    const char *name;
    size_t arity;
    hk_csp_clause *clauses;
    size_t clause_count;
    bool local;
    const uint32_t *around; /* local: the variables of what is around it */
    size_t around_count;
    uint32_t cached;  /* without arguments: its value; NONE: not known yet */
    hk_csp_sort sort; /* of all its clauses */
    hk_place at;
} hk_csp_definition;

struct hk_csp_expr {
    hk_csp_kind kind;
    const char *name; /* as written */
    int64_t number;
    hk_csp_expr **kids;
    size_t kid_count;
    hk_csp_range *ranges;
    size_t range_count;
    hk_csp_field *fields;
    size_t field_count;
    hk_csp_definition *definitions; /* LET */
    size_t definition_count;
    hk_csp_definition *called;
    uint32_t index;       /* of the script's */
    uint32_t height;      /* of the tree below it */
    const uint32_t *free; /* variables that it needs, in order */
    size_t free_count;
    hk_place at;
};

typedef struct hk_csp_channel {
    const char *name;
    hk_csp_expr **types; /* of its fields */
    size_t type_count;
    uint32_t *sets; /* the same as values; NULL: not known yet */
    hk_place at;
} hk_csp_channel;

struct hk_csp_script {
    hk_arena *arena;
    const char *file;
    hk_map globals; /* name to an entry */
    struct hk_csp_global {
        enum { HK_CSP_IS_SYMBOL, HK_CSP_IS_CHANNEL, HK_CSP_IS_DEFINITION } kind;
        uint32_t index;
    } * entries;
    size_t entry_count, entry_cap;
    const char **symbols;
    size_t symbol_count, symbol_cap;
    hk_csp_channel *channels;
    size_t channel_count, channel_cap;
    hk_csp_definition **definitions;
    size_t definition_count, definition_cap;
    hk_csp_expr **exprs;
    size_t expr_count, expr_cap;
    struct hk_csp_asserted {
        hk_csp_assertion shown;
        hk_csp_expr *left, *right;
    } * assertions;
    size_t assertion_count, assertion_cap;
    uint32_t variable_count;
};

typedef enum hk_csp_builtin {
    HK_CSP_UNION,
    HK_CSP_BIG_UNION,
    HK_CSP_INTER,
    HK_CSP_DIFF,
    HK_CSP_CARD,
    HK_CSP_MEMBER,
    HK_CSP_EMPTY,
    HK_CSP_BUILTINS
} hk_csp_builtin;
/* Their names and numbers of arguments. */
extern const char *const hk_csp_builtin_names[HK_CSP_BUILTINS];
extern const size_t hk_csp_builtin_arity[HK_CSP_BUILTINS];

/* names.c: finds what every name means. */
HK_NODISCARD hk_status hk_csp_find_names(hk_ctx *ctx, hk_csp_script *script);
/* sorts.c: what every expression is; needs the names. */
HK_NODISCARD hk_status hk_csp_find_sorts(hk_ctx *ctx, const hk_csp_script *script);

#endif

/* SPDX-License-Identifier: MIT
 *
 * What trees of any language are made of: places with their comments, names, numbers, literals.
 * Lists are arrays in the arena. */
#ifndef HK_TEXT_NODES_H
#define HK_TEXT_NODES_H

#include "base/diag.h"

/* A place in the file, and the comments around it ("// text", "/" "* text *" "/" as written).
 * What has a body in braces has two: `at` is its first line, up to the opening brace, `end` is the
 * closing brace. Comments inside a statement are before it. */
typedef struct hk_place {
    int line, column;
    const char *const *before; /* on lines of their own, above; "": an empty line */
    size_t before_count;
    const char *behind; /* on the same line, behind its end; NULL: none */
    bool blank;         /* an empty line is above all that */
} hk_place;

/* A name with dots, quoted in the text or not: "core.double", a.b.c. */
typedef struct hk_name {
    const char *text; /* "" : missing (after an error) */
    bool quoted;
    hk_place at;
} hk_name;

/* A number as it was written, with its unit word if one follows ("10", "2.5e-3", "5ms", "1000 Hz").
 */
typedef struct hk_number {
    const char *text; /* exact digits; "" : missing */
    const char *unit; /* "Hz", "ms"; NULL: none */
    hk_place at;
} hk_number;

typedef enum hk_literal_kind {
    HK_LITERAL_NONE, /* there is no value */
    HK_LITERAL_NUMBER,
    HK_LITERAL_BOOL,
    HK_LITERAL_TEXT, /* in quotes; may hold a number, as in Fig. 10 */
    HK_LITERAL_WORD, /* item of an enumeration, or a scenario parameter ($name: text begins with $)
                      */
    HK_LITERAL_LIST  /* { a, b, c }: record or array */
} hk_literal_kind;

typedef struct hk_literal hk_literal;
struct hk_literal {
    hk_literal_kind kind;
    const char *text; /* as written, without quotes */
    const char *unit; /* behind a number: "2.5 m/s" is written 2.5 "m/s"; NULL: none */
    const hk_literal *items;
    size_t item_count;
    hk_place at;
};

static inline hk_where hk_place_where(const char *file, const hk_place *at) {
    return (hk_where){.file = file, .line = at->line, .column = at->column};
}

#endif

/* SPDX-License-Identifier: MIT
 *
 * Inside the reader of CSPm: tokens, names, and what an expression is. */
#ifndef HK_SOUND_CSPM_READ_H
#define HK_SOUND_CSPM_READ_H

#include "base/map.h"
#include "sound/sound.h"

typedef enum hk_cspm_kind {
    HK_CSPM_ANY, /* not known, or it can be several */
    HK_CSPM_PROCESS,
    HK_CSPM_EVENT,
    HK_CSPM_SET,
    HK_CSPM_VALUE,
    HK_CSPM_TRUTH
} hk_cspm_kind;

typedef struct hk_cspm_token {
    const char *text; /* in the arena */
    int line;
    bool first, begins; /* first: in the first column; begins: a line */
} hk_cspm_token;

/* A name: a function of so many arguments, or a channel of so many fields. */
typedef struct hk_cspm_name {
    const char *text;
    hk_cspm_kind kind;
    uint32_t count;
    bool channel, constant; /* constant: of a datatype, so that patterns can ask for it */
} hk_cspm_name;

typedef struct hk_cspm_reader {
    hk_arena *arena;
    hk_cspm_token *tokens;
    size_t count, cap, at, end; /* end: of the definition that is read */
    hk_cspm_name *names;        /* those of the text, then those that are local */
    size_t name_count, name_cap, global_count;
    hk_map globals; /* name -> its number */
    int nested, line;
    const char *error;
} hk_cspm_reader;

/* cspm_read.c */
void hk_cspm_fail(hk_cspm_reader *r, const char *what, const char *text); /* TEXT may be NULL */
const char *hk_cspm_text(const hk_cspm_reader *r, size_t i);              /* "" behind the end */
bool hk_cspm_is(const hk_cspm_reader *r, const char *text);
bool hk_cspm_skip(hk_cspm_reader *r, const char *text);
bool hk_cspm_expect(hk_cspm_reader *r, const char *text);
bool hk_cspm_is_name(const hk_cspm_reader *r, size_t i);
const char *hk_cspm_expect_name(hk_cspm_reader *r, const char *what);
const hk_cspm_name *hk_cspm_find(const hk_cspm_reader *r, const char *text);
void hk_cspm_add(hk_cspm_reader *r, hk_cspm_name name); /* local */
/* What is wanted, unless nothing is known about it. */
void hk_cspm_want(hk_cspm_reader *r, hk_cspm_kind found, hk_cspm_kind wanted);

/* cspm_expression.c: an expression of any kind; "f(x,y) = E". */
hk_cspm_kind hk_cspm_expression(hk_cspm_reader *r);
hk_cspm_kind hk_cspm_value(hk_cspm_reader *r); /* one that is not a process */
hk_cspm_kind hk_cspm_field(hk_cspm_reader *r); /* ... and has no dots */
void hk_cspm_definition(hk_cspm_reader *r, hk_cspm_name *ret_found);
/* A head "f(x,y) =" is there; how many arguments it has. */
bool hk_cspm_head(const hk_cspm_reader *r, size_t at, uint32_t *ret_count);

#endif

/* SPDX-License-Identifier: MIT
 *
 * A strict reader of JSON (RFC 8259): a text is right to the letter or refused at a place. Texts
 * may be read into a tree, or only checked and looked at where they lie, without copies. */
#ifndef HK_FORMAT_JSON_READ_H
#define HK_FORMAT_JSON_READ_H

#include <hk/base.h>

#include "base/diag.h"
#include "base/file.h"
#include "base/memory.h"

enum { HK_JSON_NESTED_MAX = 64 };

/* ---- without a tree ---- */

/* A value where it lies in a text that was checked. SIZE 0: there is none. */
typedef struct hk_json_span {
    const char *at;
    size_t size;
} hk_json_span;

typedef struct hk_json_fault {
    const char *what; /* "a number ends too early" */
    size_t at;        /* the byte it is about */
} hk_json_fault;

/* Is the text one value, with nothing but space around it? Members may have the same name. */
bool hk_json_check(const char *text, size_t size, hk_json_fault *ret_fault);
/* Takes the next element of an array, or the next member of an object; false at its end. Begin with
 * the value itself, which must be part of a text that was checked. */
bool hk_json_element(hk_json_span *array, hk_json_span *ret_element);
bool hk_json_next_member(hk_json_span *object, hk_json_span *ret_name, hk_json_span *ret_value);
/* The text of a string, decoded; NULL: it is something else. RET_SIZE may be NULL. Halves of a
 * character that are alone become U+FFFD. */
const char *hk_json_decode(hk_arena *arena, hk_json_span s, size_t *ret_size);
bool hk_json_is_string(hk_json_span s, const char *text); /* just this one, without escapes */
bool hk_json_number(hk_json_span s, double *ret_value);   /* false: it is something else */

/* ---- a tree ---- */

typedef enum hk_json_kind {
    HK_JSON_NULL,
    HK_JSON_BOOL,
    HK_JSON_NUMBER,
    HK_JSON_STRING,
    HK_JSON_ARRAY,
    HK_JSON_OBJECT
} hk_json_kind;

typedef struct hk_json_value {
    hk_json_kind kind;
    int line, column;
    const char *name;                   /* of a member; NULL: it is none */
    const char *text;                   /* a string, decoded; a number, as it was written */
    size_t text_size;                   /* of a string: it may hold NUL */
    double number;                      /* of a number; of a truth value 0 or 1 */
    struct hk_json_value *first, *next; /* elements or members, in order; the next beside it */
    size_t count;
} hk_json_value;

/* Everything lives in ARENA. Two members of one name are refused, with TWICE: what that means is
 * for the one who asks. */
HK_NODISCARD hk_status hk_json_read(hk_ctx *ctx, hk_arena *arena, hk_status twice,
                                    const hk_file_text *text, hk_json_value **ret_value);
/* NULL: it has none of that name, or is not an object. */
const hk_json_value *hk_json_member(const hk_json_value *object, const char *name);

#endif

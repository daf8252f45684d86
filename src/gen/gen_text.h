/* SPDX-License-Identifier: MIT
 *
 * C as text: what generated and emitted files are written with. */
#ifndef HK_GEN_GEN_TEXT_H
#define HK_GEN_GEN_TEXT_H

#include "base/map.h"
#include "base/memory.h"

/* ---- gen_text.c: a growing text
 * -------------------------------------------------------------------
 */

typedef struct hk_text {
    char *data; /* NUL-terminated once something was put */
    size_t size, cap;
} hk_text;

void hk_text_finish(hk_text *text);
void hk_text_put(hk_text *text, const char *format, ...) HK_PRINTF(2, 3);
void hk_text_add(hk_text *text, const char *data, size_t size);
/* HEAD(items)TAIL, broken behind commas where a line would pass column 100. HEAD begins a line. */
void hk_text_call(hk_text *text, const char *head, const char *const *items, size_t count,
                  const char *tail);
/* As a C string literal, quotes included. */
void hk_text_literal(hk_text *text, const char *value);
/* TEXT as it may be in a comment: it does not end it. */
const char *hk_gen_safe(hk_arena *arena, const char *text);
/* For comments: "unit \"m/s\", frame ned"; NULL if there is nothing to say. */
const char *hk_gen_remark(hk_arena *arena, const char *unit, const char *frame);

/* ---- names.c: what things are called in C -----------------------------------------------------
 */

/* Names of one scope, each used once. */
typedef struct hk_scope {
    hk_map taken;
} hk_scope;

/* NAME is a keyword of C or C++, a type of their libraries, or a macro of the headers of a
 * component.
 */
bool hk_c_is_reserved(const char *name);
/* A C identifier made of TEXT; other characters become '_'. */
const char *hk_c_word(hk_arena *arena, const char *text);
/* A name for TEXT that is not a keyword of C or C++ and new in SCOPE. */
const char *hk_scope_name(hk_arena *arena, hk_scope *scope, const char *text);
void hk_scope_finish(hk_scope *scope);

#endif

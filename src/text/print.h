/* SPDX-License-Identifier: MIT
 *
 * What printers share, whatever their language. Statements are lines: begin one, put its parts,
 * end it; the comments of its place are written with it. */
#ifndef HK_TEXT_PRINT_H
#define HK_TEXT_PRINT_H

#include "text/nodes.h"

typedef struct hk_printer {
    char *text;
    size_t size, cap;
    size_t line;   /* where the line begins */
    size_t opened; /* where the body begins that was opened last; 0: the file */
    int depth;
    bool bare; /* comments and empty lines are left out */
} hk_printer;

/* The text, in the arena; the printer is done. */
const char *hk_print_finish(hk_printer *pr, hk_arena *arena);

void hk_print(hk_printer *pr, const char *text);
/* Comments above, and the indentation. */
void hk_print_line(hk_printer *pr, const hk_place *at);
/* The comment behind, and the end of the line. */
void hk_print_end(hk_printer *pr, const hk_place *at);
/* A space, or a new line in the same statement if LENGTH bytes would not fit. */
void hk_print_wrap(hk_printer *pr, size_t length);
/* The bytes that PUT writes of WHAT. */
typedef void hk_put_fn(hk_printer *pr, const void *what);
size_t hk_print_length(hk_put_fn *put, const void *what);
/* An empty line, unless there is one or the text or a body begins here. */
void hk_print_blank(hk_printer *pr);
/* " {": true if there is something to print up to hk_print_close; else it is closed already. */
bool hk_print_open(hk_printer *pr, const hk_place *at, const hk_place *end, bool empty);
void hk_print_close(hk_printer *pr, const hk_place *end);
void hk_print_rest(hk_printer *pr, const hk_place *end); /* comments at the end of the file */

void hk_print_name(hk_printer *pr, const hk_name *name);
void hk_print_quoted(hk_printer *pr, const char *text);
void hk_print_number(hk_printer *pr, const hk_number *number);
void hk_print_literal(hk_printer *pr, const hk_literal *literal);
/* True if a unit in quotes ends it. */
bool hk_print_unit_is_quoted(const hk_literal *literal);

/* Elements with commas between: on one line if they fit and have no comments, else one a line. */
typedef struct hk_elements {
    const void *data;
    size_t count, size; /* size: of an element */
    size_t place;       /* where in an element its place is */
    hk_put_fn *put;
} hk_elements;
void hk_print_elements(hk_printer *pr, const char *open, hk_elements elements, const char *close);

#endif

/* SPDX-License-Identifier: MIT
 *
 * What parsers share, whatever their language: looking ahead, names, numbers, literals, comments,
 * and going on behind a mistake.
 *
 * A function that returns false has reported one error (or found that it follows from one that was
 * reported). The loop over the statements of a body then skips what is left of the statement. */
#ifndef HK_TEXT_PARSER_H
#define HK_TEXT_PARSER_H

#include "base/complaints.h"
#include "base/file.h"
#include "text/lexer.h"
#include "text/nodes.h"

enum { HK_NESTING_MAX = 200 };

/* What may begin a statement in a body. */
typedef struct hk_level {
    const char *const *words;
    size_t count;
    bool texts;        /* also something in quotes: index `count` */
    bool any;          /* also any other word: index `count` */
    const char *marks; /* also a mark that begins with one of these: index `count`; NULL: none */
    const char *what;  /* what is here, for "expected ...", where words do not say it all */
} hk_level;

/* A static NAME_level of words, which are also NAME_words. */
#define HK_LEVEL(name, ...)                                                                        \
    static const char *const name##_words[] = {__VA_ARGS__};                                       \
    static const hk_level name##_level = {.words = name##_words,                                   \
                                          .count = sizeof name##_words / sizeof *name##_words}

/* A body that is being read; they are linked from the innermost outwards. */
typedef struct hk_frame {
    const hk_level *level;
    const struct hk_frame *parent;
    int line, column; /* of the statement it belongs to; line 0: the whole file */
} hk_frame;

typedef struct hk_parser {
    hk_complaints complaints;
    hk_arena *arena;
    const char *file;
    hk_lexer lexer;
    hk_token token, next;
    hk_token last; /* the one before */
    const hk_frame *frame;
    const hk_level *keywords; /* all words of the language, for words at the wrong place */
    size_t taken;             /* tokens so far */
    size_t claimed;           /* comments of `token` that a node has got */
    const char **comments;    /* of no node yet */
    size_t comment_count, comment_cap;
    int curly, round;     /* open brackets */
    int depth;            /* of nested things */
    int closed_early;     /* bodies that were ended without their brace */
    bool end_reported;    /* what is missing at the end is not a news */
    bool strayed;         /* statements at the wrong place were seen: braces do not match */
    bool text_is_message; /* a text between a number and ';' is not the unit of the number */
} hk_parser;

/* The data of TEXT and the name of its file must outlive the parser. */
void hk_parser_begin(hk_parser *p, hk_ctx *ctx, hk_arena *arena, const hk_file_text *text,
                     const hk_level *keywords);
/* The same for a language without ';' at the end of statements, in a style of its own. */
void hk_parser_begin_style(hk_parser *p, hk_ctx *ctx, hk_arena *arena, const hk_file_text *text,
                           const hk_level *keywords, hk_lexer_style style);
/* Frees what is held; the status of the whole text. */
hk_status hk_parser_finish(hk_parser *p);

/* ---- lists that grow, and end up in the arena */

typedef struct hk_list {
    void *data;
    size_t count, cap, size; /* size: of an element */
} hk_list;

#define HK_LIST(type) ((hk_list){.size = sizeof(type)})
void hk_list_add(hk_list *list, const void *element);
/* Frees the list; what it held lives on in the arena. NULL if it is empty. */
void *hk_list_keep(hk_arena *arena, hk_list *list);

/* ---- tokens */

void hk_parser_take(hk_parser *p);
/* The place of the token ahead. */
hk_place hk_parser_here(const hk_parser *p);
bool hk_parser_is(const hk_parser *p, const char *word);
bool hk_parser_is_mark(const hk_parser *p, const char *mark);
/* Takes it if it is there. */
bool hk_parser_skip(hk_parser *p, const char *word);
bool hk_parser_skip_mark(hk_parser *p, const char *mark);
/* The same, and it is an error if it is not there. */
bool hk_parser_expect(hk_parser *p, const char *word);
bool hk_parser_expect_mark(hk_parser *p, const char *mark);
/* "did you mean" for the word ahead, if it is close to one of WORDS; NULL: it is not. */
const char *hk_parser_hint(hk_parser *p, const char *const *words, size_t count);
/* An error at the token ahead. Both return false. */
bool hk_parser_unexpected(hk_parser *p, const char *wanted, const char *hint);
bool hk_parser_error(hk_parser *p, int line, int column, const char *hint, const char *format, ...)
    HK_PRINTF(5, 6);
/* So many errors were reported that no more will be: texts for them need not be made. */
bool hk_parser_is_mute(const hk_parser *p);
/* One level further in; an error if that is too deep. */
bool hk_parser_enter(hk_parser *p);
void hk_parser_leave(hk_parser *p);

/* ---- comments */

/* Gives all comments that no node has yet to PLACE; what is behind the last token on its line
 * comes behind it. */
void hk_parser_settle(hk_parser *p, hk_place *place);
/* Only those before. */
void hk_parser_settle_before(hk_parser *p, hk_place *place);

/* ---- parts of statements (parser_parts.c) */

/* A name, number or literal that is not given. */
#define HK_MISSING                                                                                 \
    { .text = "" }

/* The name behind the word that begins a body. One that is missing is reported, but the body can
 * be read all the same: false only if it does not follow. */
bool hk_parser_head(hk_parser *p, const char *what, hk_name *ret_name);

bool hk_parser_name(hk_parser *p, const char *what, hk_name *ret_name); /* no dots in it */
bool hk_parser_path(hk_parser *p, const char *what, hk_name *ret_name);
bool hk_parser_text(hk_parser *p, const char *what, hk_name *ret_name); /* in quotes */
/* One of WORDS. */
bool hk_parser_word(hk_parser *p, const char *const *words, size_t count, hk_name *ret_name);
bool hk_parser_number(hk_parser *p, const char *what, hk_number *ret_number);
/* The same where a parameter may be instead: $name. */
bool hk_parser_quantity(hk_parser *p, const char *what, hk_number *ret_number);
bool hk_parser_literal(hk_parser *p, hk_literal *ret_literal);
/* The bytes of TEXT that are a number; 0: it begins with none. */
size_t hk_number_length(const char *text);
/* Is TEXT a plain number (digits, point, exponent; no unit)? */
bool hk_is_number(const char *text);
/* May a name be written without quotes? */
bool hk_is_path(const char *text);

/* Elements between brackets, the opening one being taken, up to and with CLOSE. READ gets each into
 * an element of the list; comments stay with the elements. */
typedef bool hk_element_fn(hk_parser *p, void *element, hk_place **ret_place);
bool hk_parser_elements(hk_parser *p, const char *close, hk_element_fn *read, hk_list *list,
                        hk_place *at);

/* ---- statements */

/* The ';' of a statement and its comments. If a line ends or a body closes without the ';', that is
 * reported and the statement is good all the same. */
bool hk_parser_semicolon(hk_parser *p, hk_place *at);

/* Reads one statement of a body. WORD: which of the level's words begins it, which has been taken;
 * one that may be any word or a text has not been taken. */
typedef bool hk_statement_fn(hk_parser *p, void *into, size_t word, hk_place at);
/* The opening brace of a body and the comments of the line it ends. */
bool hk_parser_open(hk_parser *p, const hk_level *level, hk_place *at);
/* The statements up to the closing brace, and that. AT: of the statement that the body is of. */
void hk_parser_body(hk_parser *p, const hk_level *level, const hk_place *at, hk_statement_fn *read,
                    void *into, hk_place *ret_end);
/* Both. */
bool hk_parser_braces(hk_parser *p, const hk_level *level, hk_place *at, hk_statement_fn *read,
                      void *into, hk_place *ret_end);
/* The statements up to the end of the file. */
void hk_parser_whole(hk_parser *p, const hk_level *level, hk_statement_fn *read, void *into,
                     hk_place *ret_end);
/* "what is given twice". */
bool hk_parser_once(hk_parser *p, const hk_place *at, bool before, const char *what);

#endif

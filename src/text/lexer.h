/* SPDX-License-Identifier: MIT
 *
 * Words, names and marks of the small languages of hocket, each with its place. The text is UTF-8.
 * There are several styles. In schedules a statement is a line, and '#' begins a comment that ends
 * with it. In the other languages lines mean nothing, comments are written as in C, and they are
 * kept, because the printer writes them again. RoboChart (chart style) is one of those, with marks,
 * names and numbers of its own; so are SysML and CSPm. */
#ifndef HK_TEXT_LEXER_H
#define HK_TEXT_LEXER_H

#include "base/diag.h"

typedef enum hk_token_kind {
    HK_TOKEN_END,    /* of the text; comes again and again */
    HK_TOKEN_LINE,   /* end of a line */
    HK_TOKEN_WORD,   /* letters, digits, '_', '.', '[' and ']'; free style: names joined by dots,
                        and '$' before one; chart style: one name, and '^' before it */
    HK_TOKEN_NAME,   /* in double quotes, which "" stands for inside; any characters of one line;
                        chart style: as in C, with its quotes */
    HK_TOKEN_NUMBER, /* begins with a digit or a sign; a unit may follow: "-2.5e-3", "1/200", "5ms";
                        chart style: digits, and maybe a point and digits */
    HK_TOKEN_ARROW,  /* -> */
    HK_TOKEN_COLON,
    HK_TOKEN_COMMA,
    HK_TOKEN_MARK, /* free style: all other marks, { } ( ) [ ] ; = . < <= > >= == !=; chart style:
                      also :: <{ (| |) [| |] /\ \/ => <-> ? ! # ^ + - * / % @ | and more */
    HK_TOKEN_WRONG /* text says what is wrong; the lexer goes on behind it */
} hk_token_kind;

typedef struct hk_token {
    hk_token_kind kind;
    const char *text;         /* without quotes, as written otherwise; lives in the arena */
    int line, column;         /* from 1; columns count characters */
    int end_line, end_column; /* free style: right behind its last character */
    /* Free style: comments between the token before and this one, as written; those on the line of
     * the token before come first, and there are so many of them. Empty lines behind a comment are
     * one that is empty, unless a body ends behind them; `blank`: there are some before the first
     * that has a line of its own. */
    const char *const *comments;
    size_t comment_count, behind_count;
    bool blank;
} hk_token;

typedef enum hk_lexer_style {
    HK_STYLE_LINES,
    HK_STYLE_FREE,
    HK_STYLE_CHART, /* RoboChart */
    HK_STYLE_SYSML, /* SysML v2 text: names, texts and marks as in chart style, numbers with
                       exponents */
    HK_STYLE_CSPM   /* CSPm: comments "--" and "{- -}", names with ', marks like ||| and [| */
} hk_lexer_style;

typedef struct hk_lexer {
    hk_arena *arena;
    const char *at, *end;
    int line, column;
    hk_lexer_style style;
    int last_line; /* where the token before ended */
} hk_lexer;

/* DATA must outlive the lexer; a byte order mark at its beginning is skipped. */
hk_lexer hk_lexer_begin(hk_arena *arena, int first_line, const char *data, size_t size);
/* The same in another style. */
hk_lexer hk_lexer_begin_style(hk_arena *arena, hk_lexer_style style, const char *data, size_t size);
hk_token hk_lexer_next(hk_lexer *lexer);
/* What is there, for "found ...": "'max'", "the end of the line". Lives in ARENA. */
const char *hk_token_show(hk_arena *arena, const hk_token *token);
/* True for a word (not a name in quotes) that is WORD. */
bool hk_token_is(const hk_token *token, const char *word);
/* True for a mark of any kind that is written so. */
bool hk_token_is_mark(const hk_token *token, const char *mark);

#endif

/* SPDX-License-Identifier: MIT */
#include "text/parser.h"

#include <string.h>

enum { SHOWN_MAX = 60 };

void hk_parser_begin(hk_parser *p, hk_ctx *ctx, hk_arena *arena, const hk_file_text *text,
                     const hk_level *keywords) {
    hk_parser_begin_style(p, ctx, arena, text, keywords, HK_STYLE_FREE);
}

void hk_parser_begin_style(hk_parser *p, hk_ctx *ctx, hk_arena *arena, const hk_file_text *text,
                           const hk_level *keywords, hk_lexer_style style) {
    *p = (hk_parser){.complaints = {.ctx = ctx},
                     .arena = arena,
                     .file = text->file,
                     .lexer = hk_lexer_begin_style(arena, style, text->data, text->size),
                     .keywords = keywords};
    p->token = hk_lexer_next(&p->lexer);
    p->next = hk_lexer_next(&p->lexer);
    p->last = (hk_token){.kind = HK_TOKEN_END, .text = "", .end_line = 1, .end_column = 1};
}

hk_status hk_parser_finish(hk_parser *p) {
    hk_free(p->comments);
    p->comments = NULL;
    return p->complaints.first;
}

void hk_parser_take(hk_parser *p) {
    for (size_t i = p->claimed; i < p->token.comment_count; i++)
        HK_PUSH(p->comments, p->comment_count, p->comment_cap, p->token.comments[i]);
    p->claimed = 0;
    bool opens = hk_token_is_mark(&p->token, "{") || hk_token_is_mark(&p->token, "<{");
    p->curly += opens - hk_token_is_mark(&p->token, "}");
    p->round += hk_token_is_mark(&p->token, "(") - hk_token_is_mark(&p->token, ")");
    p->last = p->token;
    p->token = p->next;
    p->next = hk_lexer_next(&p->lexer);
    p->taken++;
}

hk_place hk_parser_here(const hk_parser *p) {
    return (hk_place){.line = p->token.line, .column = p->token.column};
}

bool hk_parser_is(const hk_parser *p, const char *word) {
    return hk_token_is(&p->token, word);
}

bool hk_parser_is_mark(const hk_parser *p, const char *mark) {
    return hk_token_is_mark(&p->token, mark);
}

bool hk_parser_skip(hk_parser *p, const char *word) {
    bool is = hk_parser_is(p, word);
    if (is)
        hk_parser_take(p);
    return is;
}

bool hk_parser_skip_mark(hk_parser *p, const char *mark) {
    bool is = hk_parser_is_mark(p, mark);
    if (is)
        hk_parser_take(p);
    return is;
}

const char *hk_parser_hint(hk_parser *p, const char *const *words, size_t count) {
    if (p->token.kind != HK_TOKEN_WORD || hk_parser_is_mute(p))
        return NULL;
    return hk_hint_closest(p->arena, p->token.text, words, count, NULL);
}

bool hk_parser_expect(hk_parser *p, const char *word) {
    if (hk_parser_skip(p, word))
        return true;
    return hk_parser_unexpected(p, hk_arena_printf(p->arena, "'%s'", word),
                                hk_parser_hint(p, &word, 1));
}

bool hk_parser_expect_mark(hk_parser *p, const char *mark) {
    return hk_parser_skip_mark(p, mark) ||
           hk_parser_unexpected(p, hk_arena_printf(p->arena, "'%s'", mark), NULL);
}

/* What is there, but no more of it than a message can hold. */
static const char *show(hk_parser *p, const hk_token *token) {
    size_t length = strlen(token->text);
    if (length <= SHOWN_MAX)
        return hk_token_show(p->arena, token);
    for (length = SHOWN_MAX; ((unsigned char)token->text[length] & 0xc0) == 0x80 && length > 1;)
        length--;
    return hk_arena_printf(p->arena, "'%.*s...'", (int)length, token->text);
}

bool hk_parser_is_mute(const hk_parser *p) {
    return p->complaints.mute;
}

bool hk_parser_error(hk_parser *p, int line, int column, const char *hint, const char *format,
                     ...) {
    hk_where where = {.file = p->file, .line = line, .column = column};
    va_list args;
    va_start(args, format);
    hk_complain_args(&p->complaints, HK_E_LANGUAGE, where, hint, format, args);
    va_end(args);
    return false;
}

bool hk_parser_unexpected(hk_parser *p, const char *wanted, const char *hint) {
    const hk_token *t = &p->token;
    if (t->kind == HK_TOKEN_END) {
        if (p->end_reported)
            return false;
        p->end_reported = true;
    }
    if (t->kind == HK_TOKEN_WRONG)
        return hk_parser_error(p, t->line, t->column, NULL, "%s", t->text);
    return hk_parser_error(p, t->line, t->column, hint, "expected %s, found %s", wanted,
                           show(p, t));
}

bool hk_parser_enter(hk_parser *p) {
    if (p->depth < HK_NESTING_MAX) {
        p->depth++;
        return true;
    }
    return hk_parser_error(p, p->token.line, p->token.column, "use fewer levels",
                           "this is nested more than %d deep", HK_NESTING_MAX);
}

void hk_parser_leave(hk_parser *p) {
    p->depth--;
}

bool hk_parser_once(hk_parser *p, const hk_place *at, bool before, const char *what) {
    return !before || hk_parser_error(p, at->line, at->column, "remove one of them",
                                      "%s is given twice", what);
}

/* ---- comments ---------------------------------------------------------------------------------
 */

void hk_parser_settle_before(hk_parser *p, hk_place *place) {
    if (!p->comment_count)
        return;
    size_t count = place->before_count + p->comment_count;
    const char **before = HK_NEW_ARRAY(p->arena, const char *, count);
    if (place->before_count)
        memcpy(before, place->before, place->before_count * sizeof *before);
    memcpy(before + place->before_count, p->comments, p->comment_count * sizeof *before);
    place->before = before;
    place->before_count = count;
    p->comment_count = 0;
}

/* Comments on one line, which only the last of them can end. */
static const char *join(hk_arena *arena, const char *const *comments, size_t count) {
    size_t length = 0;
    for (size_t i = 0; i < count; i++)
        length += strlen(comments[i]) + 1;
    char *text = hk_arena_alloc(arena, length), *at = text;
    for (size_t i = 0; i < count; i++)
        at = stpcpy(stpcpy(at, i ? " " : ""), comments[i]);
    return text;
}

void hk_parser_settle(hk_parser *p, hk_place *place) {
    hk_parser_settle_before(p, place);
    size_t count = p->token.behind_count - p->claimed;
    if (p->token.behind_count <= p->claimed)
        return;
    place->behind = join(p->arena, p->token.comments + p->claimed, count);
    p->claimed = p->token.behind_count;
}

/* ---- bodies -----------------------------------------------------------------------------------
 */

/* In RoboChart statements end where the next one begins, and ';' is between actions. */
static bool ends_by_semicolon(const hk_parser *p) {
    return p->lexer.style != HK_STYLE_CHART;
}

/* The ';' that may be behind a brace. */
static void skip_semicolon(hk_parser *p) {
    if (ends_by_semicolon(p))
        hk_parser_skip_mark(p, ";");
}

static bool begins_line(const hk_parser *p) {
    return p->token.line > p->last.end_line || p->taken == 0;
}

static bool has_word(const hk_level *level, const char *word, size_t *ret_index) {
    for (size_t i = 0; i < level->count; i++)
        if (strcmp(level->words[i], word) == 0) {
            *ret_index = i;
            return true;
        }
    return false;
}

/* Which statement of the level the token begins. */
static bool find_statement(const hk_parser *p, const hk_level *level, size_t *ret_word) {
    bool word = p->token.kind == HK_TOKEN_WORD, text = p->token.kind == HK_TOKEN_NAME;
    if (word && has_word(level, p->token.text, ret_word))
        return true;
    *ret_word = level->count;
    bool mark =
        level->marks && p->token.kind == HK_TOKEN_MARK && strchr(level->marks, p->token.text[0]);
    return (level->any && word) || (level->texts && text) || mark;
}

/* "'min', 'max' or a path in quotes". */
static const char *list_level(hk_parser *p, const hk_level *level) {
    const char *text = "";
    size_t count = level->count + (level->what != NULL);
    for (size_t i = 0; i < count; i++) {
        const char *between = i == 0 ? "" : i + 1 < count ? ", " : " or ";
        text = i < level->count
                   ? hk_arena_printf(p->arena, "%s%s'%s'", text, between, level->words[i])
                   : hk_arena_printf(p->arena, "%s%s%s", text, between, level->what);
    }
    return text;
}

/* True if the token looks like a statement of a body further out: the closing brace between is
 * missing. Only the indentation can tell that from a statement at the wrong place. */
static bool leaves_body(const hk_parser *p) {
    size_t index;
    if (p->token.kind != HK_TOKEN_WORD || !begins_line(p) || !p->frame->line ||
        p->token.column > p->frame->column || has_word(p->frame->level, p->token.text, &index))
        return false;
    for (const hk_frame *f = p->frame->parent; f; f = f->parent)
        if (has_word(f->level, p->token.text, &index))
            return true;
    return false;
}

static void report_open(hk_parser *p) {
    if (p->token.kind == HK_TOKEN_END && p->end_reported)
        return;
    p->end_reported |= p->token.kind == HK_TOKEN_END;
    hk_parser_error(p, p->token.line, p->token.column, NULL,
                    "expected '}', found %s; the body that begins in line %d is not closed",
                    show(p, &p->token), p->frame->line);
}

/* A word that begins no statement here. Those that belong elsewhere are reported once in a row: one
 * brace too many or too few puts all that follows at the wrong place. */
static void report_unknown(hk_parser *p, const hk_level *level, bool *displaced) {
    size_t index;
    bool word = p->token.kind == HK_TOKEN_WORD;
    if (hk_parser_is_mute(p))
        return;
    if (word && has_word(p->keywords, p->token.text, &index)) {
        if (!*displaced)
            hk_parser_unexpected(p, list_level(p, level), "it may occur elsewhere, but not here");
        *displaced = p->strayed = true;
        return;
    }
    hk_parser_unexpected(p, list_level(p, level), hk_parser_hint(p, level->words, level->count));
}

/* Skips what is left of a statement that began with CURLY braces open. */
static void recover(hk_parser *p, size_t start, int curly) {
    size_t word;
    for (;;) {
        bool here = p->taken > start && p->curly <= curly;
        if (p->token.kind == HK_TOKEN_END) {
            p->end_reported = true;
            break;
        }
        if (here && begins_line(p) && find_statement(p, p->frame->level, &word))
            break;
        if (hk_parser_is_mark(p, "}")) {
            if (p->curly <= curly)
                break;
            hk_parser_take(p);
            skip_semicolon(p);
            if (p->curly == curly && (begins_line(p) || hk_parser_is_mark(p, "}") ||
                                      find_statement(p, p->frame->level, &word)))
                break;
        } else if (ends_by_semicolon(p) && hk_parser_skip_mark(p, ";")) {
            /* between arguments, as in the paper's Fig. 10, it ends nothing */
            bool inside = hk_parser_is_mark(p, ",") || hk_parser_is_mark(p, ")");
            if (p->curly <= curly && !inside)
                break;
        } else {
            hk_parser_take(p);
        }
    }
    p->round = 0;
    p->text_is_message = false;
}

/* A closing brace in a file that has none open. */
static void skip_brace(hk_parser *p) {
    if (p->closed_early)
        p->closed_early--;
    else if (!p->strayed)
        p->strayed =
            !hk_parser_error(p, p->token.line, p->token.column, NULL, "this '}' closes nothing");
    hk_parser_take(p);
    skip_semicolon(p);
    p->curly = 0;
}

/* True: the body is at its end, which has been taken if it is a brace. */
static bool ends_body(hk_parser *p, hk_place *end) {
    *end = hk_parser_here(p);
    if (p->token.kind == HK_TOKEN_END) {
        if (p->frame->line)
            report_open(p);
        else
            hk_parser_take(p); /* for its comments */
        return true;
    }
    if (p->frame->line && hk_parser_skip_mark(p, "}")) {
        skip_semicolon(p);
        hk_parser_settle(p, end);
        return true;
    }
    if (!leaves_body(p))
        return false;
    report_open(p);
    p->closed_early++;
    p->curly--;
    return true;
}

static void read_frame(hk_parser *p, hk_frame frame, hk_statement_fn *read, void *into,
                       hk_place *ret_end) {
    bool displaced = false;
    frame.parent = p->frame;
    p->frame = &frame;
    while (!ends_body(p, ret_end)) {
        size_t word, start = p->taken;
        int curly = p->curly;
        hk_place at = hk_parser_here(p);
        at.blank = p->token.blank;
        p->round = 0;
        if (!frame.line && hk_parser_is_mark(p, "}")) {
            skip_brace(p);
        } else if (hk_parser_is_mark(p, ";")) {
            hk_parser_error(p, at.line, at.column, "remove it", "this ';' ends no statement");
            hk_parser_take(p);
        } else if (!find_statement(p, frame.level, &word)) {
            report_unknown(p, frame.level, &displaced);
            hk_parser_take(p);
            recover(p, start, curly);
        } else {
            if (word < frame.level->count)
                hk_parser_take(p);
            if (!read(p, into, word, at))
                recover(p, start, curly);
            else
                displaced = false;
        }
    }
    p->frame = frame.parent;
}

bool hk_parser_semicolon(hk_parser *p, hk_place *at) {
    bool end = p->token.kind == HK_TOKEN_END;
    if (!hk_parser_skip_mark(p, ";")) {
        if (!end && !begins_line(p) && !hk_parser_is_mark(p, "}"))
            return hk_parser_unexpected(p, "';'", NULL);
        if (!end || !p->end_reported)
            hk_parser_error(p, p->last.end_line, p->last.end_column, NULL, "expected ';' behind %s",
                            show(p, &p->last));
        p->end_reported |= end;
    }
    hk_parser_settle(p, at);
    return true;
}

bool hk_parser_open(hk_parser *p, const hk_level *level, hk_place *at) {
    size_t word;
    if (!hk_parser_skip_mark(p, "{")) {
        hk_parser_unexpected(p, "'{'", NULL);
        if (!begins_line(p) || !find_statement(p, level, &word))
            return false;
        p->curly++;
    }
    hk_parser_settle(p, at);
    return true;
}

void hk_parser_body(hk_parser *p, const hk_level *level, const hk_place *at, hk_statement_fn *read,
                    void *into, hk_place *ret_end) {
    hk_frame frame = {.level = level, .line = at->line, .column = at->column};
    read_frame(p, frame, read, into, ret_end);
}

bool hk_parser_braces(hk_parser *p, const hk_level *level, hk_place *at, hk_statement_fn *read,
                      void *into, hk_place *ret_end) {
    if (!hk_parser_open(p, level, at))
        return false;
    hk_parser_body(p, level, at, read, into, ret_end);
    return true;
}

void hk_parser_whole(hk_parser *p, const hk_level *level, hk_statement_fn *read, void *into,
                     hk_place *ret_end) {
    read_frame(p, (hk_frame){.level = level}, read, into, ret_end);
    hk_parser_settle_before(p, ret_end);
}

/* ---- lists ------------------------------------------------------------------------------------
 */

void hk_list_add(hk_list *list, const void *element) {
    if (list->count == list->cap) {
        list->cap = list->cap ? 2 * list->cap : 8;
        list->data = hk_realloc(list->data, list->cap * list->size);
    }
    memcpy((char *)list->data + list->count++ * list->size, element, list->size);
}

void *hk_list_keep(hk_arena *arena, hk_list *list) {
    void *kept = NULL;
    if (list->count) {
        kept = hk_arena_alloc(arena, list->count * list->size);
        memcpy(kept, list->data, list->count * list->size);
    }
    hk_free(list->data);
    list->data = NULL;
    return kept;
}

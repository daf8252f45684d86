/* SPDX-License-Identifier: MIT */
#include "lang/lexer.h"

#include <string.h>

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) ||
           (c && strchr("_.[]", c));
}

hk_lexer hk_lexer_begin(hk_arena *arena, int first_line, const char *data, size_t size) {
    static const char mark[] = "\xef\xbb\xbf";
    size_t skip = size >= 3 && memcmp(data, mark, 3) == 0 ? 3 : 0;
    return (hk_lexer){arena, data + skip, data + size, first_line, 1};
}

/* The character N bytes further on; 0 behind the end, as for a NUL in the text. */
static char peek(const hk_lexer *lexer, size_t n) {
    return n < (size_t)(lexer->end - lexer->at) ? lexer->at[n] : '\0';
}

/* Goes on by LENGTH bytes of one line. */
static void advance(hk_lexer *lexer, size_t length) {
    for (; length; length--)
        lexer->column += ((unsigned char)*lexer->at++ & 0xc0) != 0x80;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/* And comments. */
static void skip_blanks(hk_lexer *lexer) {
    bool comment = false;
    while (lexer->at < lexer->end) {
        comment |= *lexer->at == '#';
        if (*lexer->at == '\n' || !(comment || is_blank(*lexer->at)))
            return;
        advance(lexer, 1);
    }
}

static bool begins_number(const hk_lexer *lexer) {
    size_t sign = peek(lexer, 0) == '-' || peek(lexer, 0) == '+';
    size_t point = peek(lexer, sign) == '.';
    return is_digit(peek(lexer, sign + point));
}

/* A sign belongs to a number only behind the e of an exponent: "5->x" are three tokens. */
static size_t number_length(const hk_lexer *lexer) {
    size_t n = 1;
    for (;; n++) {
        char c = peek(lexer, n), before = peek(lexer, n - 1);
        bool sign = (c == '-' || c == '+') && (before == 'e' || before == 'E') &&
                    is_digit(peek(lexer, n + 1));
        if (!is_word(c) && c != '/' && !sign)
            return n;
    }
}

static size_t word_length(const hk_lexer *lexer) {
    size_t n = 0;
    while (is_word(peek(lexer, n)))
        n++;
    return n;
}

/* One token of LENGTH bytes whose text is what stands there. */
static void take(hk_lexer *lexer, hk_token *token, hk_token_kind kind, size_t length) {
    token->kind = kind;
    token->text = hk_arena_strndup(lexer->arena, lexer->at, length);
    advance(lexer, length);
}

/* The bytes up to the closing quote; false if the line ends before it. */
static bool name_length(const hk_lexer *lexer, size_t *ret_length) {
    size_t left = (size_t)(lexer->end - lexer->at), n = 1;
    while (n < left && lexer->at[n] != '\n') {
        bool quote = lexer->at[n] == '"', two = quote && peek(lexer, n + 1) == '"';
        if (quote && !two) {
            *ret_length = n;
            return true;
        }
        n += 1 + two;
    }
    *ret_length = n;
    return false;
}

static void take_name(hk_lexer *lexer, hk_token *token) {
    size_t length, used = 0;
    if (!name_length(lexer, &length)) {
        token->text = "the quotes are not closed in this line";
        advance(lexer, length);
        return;
    }
    char *text = hk_arena_alloc(lexer->arena, length);
    token->kind = HK_TOKEN_NAME;
    token->text = text;
    for (size_t n = 1; n < length; n++) {
        unsigned char c = (unsigned char)lexer->at[n];
        n += c == '"';
        text[used++] = (char)c;
        if (c < ' ' || c == 0x7f)
            token->kind = HK_TOKEN_WRONG;
    }
    if (token->kind == HK_TOKEN_WRONG)
        token->text = "a name in quotes holds a control character";
    advance(lexer, length + 1);
}

static void take_wrong(hk_lexer *lexer, hk_token *token) {
    unsigned char c = (unsigned char)*lexer->at;
    size_t length = 1;
    while (c >= 0xc0 && ((unsigned char)peek(lexer, length) & 0xc0) == 0x80 && length < 4)
        length++;
    if (c < ' ' || c == 0x7f || (c >= 0x80 && length == 1))
        token->text = hk_arena_printf(lexer->arena, "the byte 0x%02x does not belong here", c);
    else
        token->text = hk_arena_printf(lexer->arena, "the character '%.*s' does not belong here",
                                      (int)length, lexer->at);
    advance(lexer, length);
}

hk_token hk_lexer_next(hk_lexer *lexer) {
    skip_blanks(lexer);
    hk_token token = {.kind = HK_TOKEN_WRONG, .line = lexer->line, .column = lexer->column};
    if (lexer->at == lexer->end)
        return (hk_token){HK_TOKEN_END, "", lexer->line, lexer->column};
    char c = *lexer->at;
    if (c == '\n') {
        take(lexer, &token, HK_TOKEN_LINE, 1);
        lexer->line++;
        lexer->column = 1;
    } else if (c == '-' && peek(lexer, 1) == '>') {
        take(lexer, &token, HK_TOKEN_ARROW, 2);
    } else if (begins_number(lexer)) {
        take(lexer, &token, HK_TOKEN_NUMBER, number_length(lexer));
    } else if (is_word(c)) {
        take(lexer, &token, HK_TOKEN_WORD, word_length(lexer));
    } else if (c == '"') {
        take_name(lexer, &token);
    } else if (c == ':' || c == ',') {
        take(lexer, &token, c == ':' ? HK_TOKEN_COLON : HK_TOKEN_COMMA, 1);
    } else {
        take_wrong(lexer, &token);
    }
    return token;
}

const char *hk_token_show(hk_arena *arena, const hk_token *token) {
    if (token->kind == HK_TOKEN_LINE || token->kind == HK_TOKEN_END)
        return "the end of the line";
    return hk_arena_printf(arena, "'%s'", token->text);
}

bool hk_token_is(const hk_token *token, const char *word) {
    return token->kind == HK_TOKEN_WORD && strcmp(token->text, word) == 0;
}

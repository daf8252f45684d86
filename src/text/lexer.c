/* SPDX-License-Identifier: MIT */
#include "text/lexer.h"

#include "base/utf8.h"

#include <string.h>

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) ||
           (c && strchr("_.[]", c));
}

static bool is_free_word(char c) {
    return is_word(c) && !strchr(".[]", c);
}

hk_lexer hk_lexer_begin(hk_arena *arena, int first_line, const char *data, size_t size) {
    static const char mark[] = "\xef\xbb\xbf";
    size_t skip = size >= 3 && memcmp(data, mark, 3) == 0 ? 3 : 0;
    return (hk_lexer){
        .arena = arena, .at = data + skip, .end = data + size, .line = first_line, .column = 1};
}

hk_lexer hk_lexer_begin_style(hk_arena *arena, hk_lexer_style style, const char *data,
                              size_t size) {
    hk_lexer lexer = hk_lexer_begin(arena, 1, data, size);
    lexer.style = style;
    return lexer;
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

/* Goes on by LENGTH bytes, which may hold line ends. */
static void advance_lines(hk_lexer *lexer, size_t length) {
    for (; length; length--) {
        if (*lexer->at == '\n') {
            lexer->at++;
            lexer->line++;
            lexer->column = 1;
        } else {
            advance(lexer, 1);
        }
    }
}

/* CSPm: "-- to the end of the line", "{- text -}". */
static size_t cspm_comment_length(const hk_lexer *lexer) {
    size_t left = (size_t)(lexer->end - lexer->at), n = 2;
    bool block = peek(lexer, 0) == '{' && peek(lexer, 1) == '-';
    if (!block && (peek(lexer, 0) != '-' || peek(lexer, 1) != '-'))
        return 0;
    if (!block) {
        while (n < left && lexer->at[n] != '\n')
            n++;
        return n;
    }
    while (n < left && !(lexer->at[n] == '-' && peek(lexer, n + 1) == '}'))
        n++;
    return n < left ? n + 2 : left;
}

/* The length of the comment that begins here; 0: none does. An open one ends with the text. */
static size_t comment_length(const hk_lexer *lexer) {
    size_t left = (size_t)(lexer->end - lexer->at), n = 2;
    if (lexer->style == HK_STYLE_CSPM)
        return cspm_comment_length(lexer);
    if (peek(lexer, 0) != '/')
        return 0;
    bool note = lexer->style == HK_STYLE_SYSML && peek(lexer, 1) == '/' && peek(lexer, 2) == '*';
    if (peek(lexer, 1) == '/' && !note) {
        while (n < left && lexer->at[n] != '\n')
            n++;
        return n;
    }
    if (peek(lexer, 1) != '*' && !note)
        return 0;
    n += note;
    while (n < left && !(lexer->at[n] == '*' && peek(lexer, n + 1) == '/'))
        n++;
    return n < left ? n + 2 : left;
}

/* A comment as it will be printed: without blanks at its end or carriage returns before line ends;
 * a NUL, which would end the text, becomes a space. */
static const char *take_comment(hk_lexer *lexer, size_t length) {
    char *text = hk_arena_strndup(lexer->arena, lexer->at, length);
    size_t kept = 0;
    for (size_t i = 0; i < length; i++)
        if (text[i] != '\r' || text[i + 1] != '\n')
            text[kept++] = text[i] ? text[i] : ' ';
    while (kept && (is_blank(text[kept - 1]) || text[kept - 1] == '\n'))
        kept--;
    text[kept] = '\0';
    advance_lines(lexer, length);
    return text;
}

/* Free style: blanks, line ends and comments, which TOKEN gets. False: a comment is not closed, and
 * TOKEN is where it begins. */
static bool skip_free(hk_lexer *lexer, hk_token *token) {
    const char **comments = NULL;
    size_t count = 0, cap = 0, breaks = 0;
    bool closed = true;
    while (lexer->at < lexer->end) {
        size_t length = comment_length(lexer);
        if (length) {
            bool cspm = lexer->style == HK_STYLE_CSPM;
            bool block = lexer->at[cspm ? 0 : 1] == (cspm ? '{' : '*') ||
                         (length > 2 && lexer->at[2] == '*' && lexer->style == HK_STYLE_SYSML);
            const char *close = cspm ? "-}" : "*/";
            closed = !block || (length >= 4 && memcmp(lexer->at + length - 2, close, 2) == 0);
            token->line = lexer->line;
            token->column = lexer->column;
            token->behind_count += lexer->line == lexer->last_line && token->behind_count == count;
            const char *text = take_comment(lexer, length);
            HK_PUSH(comments, count, cap, text);
            breaks = 0;
        } else if (is_blank(*lexer->at) || *lexer->at == '\n') {
            bool empty = *lexer->at == '\n' && ++breaks == 2;
            advance_lines(lexer, 1);
            if (empty && count > token->behind_count)
                HK_PUSH(comments, count, cap, "");
            else if (empty)
                token->blank = true;
        } else {
            break;
        }
    }
    bool ends = lexer->at == lexer->end || *lexer->at == '}';
    if (ends && count && !*comments[count - 1])
        count--;
    const char **kept = HK_NEW_ARRAY(lexer->arena, const char *, count + 1);
    if (count)
        memcpy(kept, comments, count * sizeof *kept);
    hk_free(comments);
    token->comments = kept;
    token->comment_count = count;
    return closed;
}

/* A sign belongs to a number only behind the e of an exponent: "5->x" are three tokens. */
static size_t number_length(const hk_lexer *lexer) {
    size_t n = 1;
    for (;; n++) {
        char c = peek(lexer, n), before = peek(lexer, n - 1);
        bool sign = (c == '-' || c == '+') && (before == 'e' || before == 'E') &&
                    is_digit(peek(lexer, n + 1));
        bool over = c == '/' && is_digit(peek(lexer, n + 1));
        bool part = lexer->style == HK_STYLE_FREE ? is_free_word(c) || c == '.' || over
                                                  : is_word(c) || c == '/';
        if (!part && !sign)
            return n;
    }
}

static size_t word_length(const hk_lexer *lexer) {
    size_t n = 0;
    if (lexer->style == HK_STYLE_LINES) {
        while (is_word(peek(lexer, n)))
            n++;
        return n;
    }
    n += peek(lexer, 0) == '$';
    while (is_free_word(peek(lexer, n)) ||
           (peek(lexer, n) == '.' && n && is_free_word(peek(lexer, n + 1))))
        n++;
    return n;
}

/* Free style: the length of the mark that is here; 0: none does. */
static size_t mark_length(const hk_lexer *lexer) {
    char c = peek(lexer, 0);
    if (c && strchr("<>=!", c) && peek(lexer, 1) == '=')
        return 2;
    return c && strchr("{}()[];=.<>", c) ? 1 : 0;
}

/* One token of LENGTH bytes whose text is what is there. */
static void take(hk_lexer *lexer, hk_token *token, hk_token_kind kind, size_t length) {
    token->kind = kind;
    token->text = hk_arena_strndup(lexer->arena, lexer->at, length);
    advance(lexer, length);
}

/* What is wrong with the LENGTH bytes of a name or text in quotes, which others may get to see;
 * NULL: nothing is. */
static const char *wrong_bytes(hk_lexer *lexer, const char *data, size_t length) {
    for (size_t n = 0; n < length;) {
        const unsigned char *at = (const unsigned char *)data + n;
        size_t bytes = hk_utf8_length(at, length - n);
        if (*at < ' ' || *at == 0x7f)
            return "a name in quotes holds a control character";
        if (!bytes)
            return hk_arena_printf(lexer->arena, "the byte 0x%02x in quotes is not UTF-8", *at);
        n += bytes;
    }
    return NULL;
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
        char c = lexer->at[n];
        n += c == '"';
        text[used++] = c;
    }
    const char *wrong = wrong_bytes(lexer, lexer->at + 1, length - 1);
    if (wrong) {
        token->kind = HK_TOKEN_WRONG;
        token->text = wrong;
    }
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

/* One token that is at the lexer's place, which is not the end. */
static void take_token(hk_lexer *lexer, hk_token *token) {
    char c = *lexer->at;
    bool free_style = lexer->style == HK_STYLE_FREE;
    bool dollar = free_style && c == '$' && is_free_word(peek(lexer, 1));
    bool word = free_style ? is_free_word(c) || dollar : is_word(c);
    if (c == '-' && peek(lexer, 1) == '>')
        take(lexer, token, HK_TOKEN_ARROW, 2);
    else if (begins_number(lexer))
        take(lexer, token, HK_TOKEN_NUMBER, number_length(lexer));
    else if (word)
        take(lexer, token, HK_TOKEN_WORD, word_length(lexer));
    else if (c == '"')
        take_name(lexer, token);
    else if (c == ':' || c == ',')
        take(lexer, token, c == ':' ? HK_TOKEN_COLON : HK_TOKEN_COMMA, 1);
    else if (free_style && mark_length(lexer))
        take(lexer, token, HK_TOKEN_MARK, mark_length(lexer));
    else
        take_wrong(lexer, token);
}

/* ---- chart style ------------------------------------------------------------------------------
 */

/* The length of the first of MARKS, which ends in NULL, that is here; else of one of SINGLE; 0:
 * none is. */
static size_t listed_mark_length(const hk_lexer *lexer, const char *const *marks,
                                 const char *single) {
    for (; *marks; marks++) {
        size_t length = strlen(*marks);
        if ((size_t)(lexer->end - lexer->at) >= length && !memcmp(lexer->at, *marks, length))
            return length;
    }
    char c = peek(lexer, 0);
    return c && strchr(single, c) ? 1 : 0;
}

/* Longer marks come first. */
static size_t chart_mark_length(const hk_lexer *lexer) {
    static const char *const chart[] = {"<->", "::", "<{", "(|", "|)", "[|", "|]", "/\\",
                                        "\\/", "=>", "->", "<=", ">=", "==", "!=", NULL};
    static const char *const sysml[] = {":>>", "::", ":>", ":=", "..", "**", NULL};
    static const char *const cspm[] = {"[FD=", "|||", "|~|", "[T=", "[F=", "[|", "|]",
                                       "{|",   "|}",  "||",  "[]",  "->",  "<-", "..",
                                       "==",   "!=",  "<=",  ">=",  NULL};
    if (lexer->style == HK_STYLE_CSPM)
        return listed_mark_length(lexer, cspm, "{}()[];=.<>:,?!+-*/%@|\\&~");
    return lexer->style == HK_STYLE_CHART
               ? listed_mark_length(lexer, chart, "{}()[];=.<>:,?!#^+-*/%@|&$")
               : listed_mark_length(lexer, sysml, "{}()[];=.<>:,#@~*-+/");
}

static size_t chart_number_length(const hk_lexer *lexer) {
    size_t n = 0;
    while (is_digit(peek(lexer, n)))
        n++;
    if (n && peek(lexer, n) == '.' && is_digit(peek(lexer, n + 1)) && lexer->style != HK_STYLE_CSPM)
        for (n++; is_digit(peek(lexer, n));)
            n++;
    return n;
}

/* The same with an exponent. */
static size_t sysml_number_length(const hk_lexer *lexer) {
    size_t n = chart_number_length(lexer);
    if (!n || (peek(lexer, n) != 'e' && peek(lexer, n) != 'E'))
        return n;
    size_t sign = peek(lexer, n + 1) == '-' || peek(lexer, n + 1) == '+';
    if (!is_digit(peek(lexer, n + 1 + sign)))
        return n;
    for (n += 1 + sign; is_digit(peek(lexer, n));)
        n++;
    return n;
}

/* The length of a text with its quotes, in which '\\' takes the next character away; 0: the line
 * ends before it does. */
static size_t chart_text_length(const hk_lexer *lexer) {
    size_t left = (size_t)(lexer->end - lexer->at);
    for (size_t n = 1; n < left && lexer->at[n] != '\n'; n++) {
        unsigned char c = (unsigned char)lexer->at[n];
        if (c == (unsigned char)lexer->at[0])
            return n + 1;
        n += c == '\\' && n + 1 < left && lexer->at[n + 1] != '\n';
    }
    return 0;
}

static void take_chart_text(hk_lexer *lexer, hk_token *token) {
    size_t length = chart_text_length(lexer);
    if (length) {
        const char *wrong = wrong_bytes(lexer, lexer->at + 1, length - 2);
        take(lexer, token, wrong ? HK_TOKEN_WRONG : HK_TOKEN_NAME, length);
        token->text = wrong ? wrong : token->text;
        return;
    }
    token->text = "the quotes are not closed in this line";
    for (length = 0; lexer->at + length < lexer->end && lexer->at[length] != '\n';)
        length++;
    advance(lexer, length);
}

static void take_chart_token(hk_lexer *lexer, hk_token *token) {
    char c = *lexer->at;
    bool chart = lexer->style == HK_STYLE_CHART;
    size_t escape = chart && c == '^', word = escape;
    bool cspm = lexer->style == HK_STYLE_CSPM;
    while (is_free_word(peek(lexer, word)) || (cspm && word && peek(lexer, word) == '\''))
        word++;
    size_t number = chart || cspm ? chart_number_length(lexer) : sysml_number_length(lexer);
    if (number && is_free_word(peek(lexer, number))) {
        while (is_free_word(peek(lexer, number)))
            number++;
        take(lexer, token, HK_TOKEN_WRONG, number);
        token->text = hk_arena_printf(lexer->arena, "'%.40s' is not a number: %s", token->text,
                                      cspm    ? "those of CSPm are written 12"
                                      : chart ? "those of RoboChart are written 12 or 0.5, without "
                                                "exponent or unit"
                                              : "those of SysML are written 12, 0.5 or 1.5e-3");
    } else if (number) {
        take(lexer, token, HK_TOKEN_NUMBER, number);
    } else if (word > escape && !is_digit(peek(lexer, escape))) {
        take(lexer, token, HK_TOKEN_WORD, word);
    } else if (c == '"' || c == '\'') {
        take_chart_text(lexer, token);
    } else if (chart_mark_length(lexer)) {
        take(lexer, token, HK_TOKEN_MARK, chart_mark_length(lexer));
    } else {
        take_wrong(lexer, token);
    }
}

static hk_token next_free(hk_lexer *lexer) {
    hk_token token = {.kind = HK_TOKEN_WRONG};
    bool closed = skip_free(lexer, &token);
    if (closed) {
        token.line = lexer->line;
        token.column = lexer->column;
    }
    if (!closed)
        token.text = "the comment is not closed";
    else if (lexer->at == lexer->end)
        token.kind = HK_TOKEN_END;
    else if (lexer->style != HK_STYLE_FREE)
        take_chart_token(lexer, &token);
    else
        take_token(lexer, &token);
    token.text = token.text ? token.text : "";
    token.end_line = lexer->last_line = lexer->line;
    token.end_column = lexer->column;
    return token;
}

hk_token hk_lexer_next(hk_lexer *lexer) {
    if (lexer->style != HK_STYLE_LINES)
        return next_free(lexer);
    skip_blanks(lexer);
    hk_token token = {.kind = HK_TOKEN_WRONG,
                      .line = lexer->line,
                      .column = lexer->column,
                      .end_line = lexer->line};
    if (lexer->at == lexer->end) {
        token.kind = HK_TOKEN_END;
        token.text = "";
    } else if (*lexer->at == '\n') {
        take(lexer, &token, HK_TOKEN_LINE, 1);
        lexer->line++;
        lexer->column = 1;
    } else {
        take_token(lexer, &token);
    }
    return token;
}

const char *hk_token_show(hk_arena *arena, const hk_token *token) {
    if (token->kind == HK_TOKEN_LINE || token->kind == HK_TOKEN_END)
        return token->comments ? "the end of the file" : "the end of the line";
    return hk_arena_printf(arena, "'%s'", token->text);
}

bool hk_token_is(const hk_token *token, const char *word) {
    return token->kind == HK_TOKEN_WORD && strcmp(token->text, word) == 0;
}

bool hk_token_is_mark(const hk_token *token, const char *mark) {
    bool can = token->kind == HK_TOKEN_MARK || token->kind == HK_TOKEN_ARROW ||
               token->kind == HK_TOKEN_COLON || token->kind == HK_TOKEN_COMMA;
    return can && strcmp(token->text, mark) == 0;
}

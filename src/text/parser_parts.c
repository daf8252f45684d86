/* SPDX-License-Identifier: MIT
 *
 * Names, numbers and literals. */
#include "text/parser.h"

#include <string.h>

static const char name_hint[] = "names begin with a letter or '_'; others are in double quotes";

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool hk_is_path(const char *text) {
    bool first = true;
    for (; *text; text++) {
        if (first ? !is_letter(*text) && *text != '_'
                  : !is_letter(*text) && !is_digit(*text) && !strchr("_.", *text))
            return false;
        first = *text == '.';
    }
    return !first;
}

static hk_name take_name(hk_parser *p) {
    hk_name name = {
        .text = p->token.text, .quoted = p->token.kind == HK_TOKEN_NAME, .at = hk_parser_here(p)};
    hk_parser_take(p);
    return name;
}

bool hk_parser_path(hk_parser *p, const char *what, hk_name *ret_name) {
    bool word = p->token.kind == HK_TOKEN_WORD && hk_is_path(p->token.text);
    if (!word && p->token.kind != HK_TOKEN_NAME)
        return hk_parser_unexpected(p, what, p->token.kind == HK_TOKEN_NUMBER ? name_hint : NULL);
    if (!p->token.text[0])
        return hk_parser_error(p, p->token.line, p->token.column, NULL,
                               "expected %s, found quotes with nothing between them", what);
    *ret_name = take_name(p);
    return true;
}

bool hk_parser_name(hk_parser *p, const char *what, hk_name *ret_name) {
    bool can = p->token.kind == HK_TOKEN_WORD || p->token.kind == HK_TOKEN_NAME;
    if (can && strchr(p->token.text, '.'))
        return hk_parser_unexpected(p, what, "this name must have no dots");
    return hk_parser_path(p, what, ret_name);
}

bool hk_parser_text(hk_parser *p, const char *what, hk_name *ret_name) {
    if (p->token.kind == HK_TOKEN_WORD)
        return hk_parser_unexpected(p, what, "it is in double quotes");
    return hk_parser_path(p, what, ret_name);
}

bool hk_parser_word(hk_parser *p, const char *const *words, size_t count, hk_name *ret_name) {
    const char *list = "";
    for (size_t i = 0; i < count; i++)
        if (hk_parser_is(p, words[i])) {
            *ret_name = take_name(p);
            return true;
        }
    for (size_t i = 0; i < count && !hk_parser_is_mute(p); i++)
        list = hk_arena_printf(p->arena, "%s%s'%s'", list,
                               i == 0 ? "" : (i + 1 < count ? ", " : " or "), words[i]);
    return hk_parser_unexpected(p, list, hk_parser_hint(p, words, count));
}

static size_t digits(const char *text) {
    size_t n = 0;
    while (is_digit(text[n]))
        n++;
    return n;
}

size_t hk_number_length(const char *text) {
    size_t n = *text == '-' || *text == '+', whole = digits(text + n);
    if (whole && text[n + whole] == '/' && is_digit(text[n + whole + 1]))
        return n + whole + 1 + digits(text + n + whole + 1);
    n += whole;
    if (text[n] == '.') {
        size_t part = digits(text + n + 1);
        whole += part;
        n += 1 + part;
    }
    if (!whole)
        return 0;
    size_t sign = text[n] && (text[n + 1] == '-' || text[n + 1] == '+');
    if ((text[n] == 'e' || text[n] == 'E') && is_digit(text[n + 1 + sign]))
        n += 1 + sign + digits(text + n + 1 + sign);
    return n;
}

bool hk_is_number(const char *text) {
    size_t length = hk_number_length(text);
    return length && !text[length] && !strchr(text, '/');
}

/* A unit that is behind a number with a space between. */
static bool is_unit_word(const hk_parser *p) {
    static const char *const units[] = {"s", "ms", "us", "ns", "min", "h", "Hz", "kHz", "MHz"};
    bool here = p->token.line == p->last.end_line;
    /* In "max 5 min 1" it is a limit: a number never follows a unit. */
    bool amount = p->next.kind == HK_TOKEN_NUMBER ||
                  (p->next.kind == HK_TOKEN_WORD && p->next.text[0] == '$');
    if (hk_parser_is(p, "min") && amount)
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (here && hk_parser_is(p, units[i]))
            return true;
    return false;
}

bool hk_parser_number(hk_parser *p, const char *what, hk_number *ret_number) {
    if (p->token.kind != HK_TOKEN_NUMBER)
        return hk_parser_unexpected(p, what, NULL);
    hk_number number = {.at = hk_parser_here(p)};
    const char *text = p->token.text;
    size_t length = hk_number_length(text), end = length;
    while (is_letter(text[end]))
        end++;
    if (!length || text[end])
        return hk_parser_unexpected(p, what, "this is not a number");
    number.text = hk_arena_strndup(p->arena, text, length);
    hk_parser_take(p);
    if (text[length]) {
        number.unit = text + length;
    } else if (is_unit_word(p)) {
        number.unit = p->token.text;
        hk_parser_take(p);
    }
    *ret_number = number;
    return true;
}

bool hk_parser_quantity(hk_parser *p, const char *what, hk_number *ret_number) {
    if (p->token.kind != HK_TOKEN_WORD || p->token.text[0] != '$')
        return hk_parser_number(p, what, ret_number);
    hk_number number = {.text = p->token.text, .at = hk_parser_here(p)};
    hk_parser_take(p);
    if (is_unit_word(p)) {
        number.unit = p->token.text;
        hk_parser_take(p);
    }
    *ret_number = number;
    return true;
}

static bool read_number_literal(hk_parser *p, hk_literal *literal) {
    hk_number number = {0};
    if (!hk_parser_number(p, "a value", &number))
        return false;
    literal->kind = HK_LITERAL_NUMBER;
    literal->text = number.text;
    literal->unit = number.unit;
    bool text = p->token.kind == HK_TOKEN_NAME && p->token.line == p->last.end_line;
    bool message = p->text_is_message && hk_token_is_mark(&p->next, ";");
    if (!number.unit && text && !message && p->token.text[0]) {
        literal->unit = p->token.text;
        hk_parser_take(p);
    }
    return true;
}

static bool read_items(hk_parser *p, hk_literal *literal) {
    hk_list items = HK_LIST(hk_literal);
    bool ok;
    do {
        hk_literal item;
        ok = hk_parser_literal(p, &item);
        if (ok)
            hk_list_add(&items, &item);
    } while (ok && hk_parser_skip_mark(p, ","));
    literal->kind = HK_LITERAL_LIST;
    literal->text = "";
    literal->item_count = items.count;
    literal->items = hk_list_keep(p->arena, &items);
    return ok && (hk_parser_is_mark(p, "}") || hk_parser_unexpected(p, "',' or '}'", NULL));
}

/* A mistake in a list ends with the list, or with the statement. */
static void skip_list(hk_parser *p, int curly) {
    while (p->token.kind != HK_TOKEN_END && !hk_parser_is_mark(p, ";") &&
           !(hk_parser_is_mark(p, "}") && p->curly <= curly + 1))
        hk_parser_take(p);
    if (hk_parser_is_mark(p, "}") && p->curly == curly + 1)
        hk_parser_take(p);
    p->curly = curly;
}

static bool read_list_literal(hk_parser *p, hk_literal *literal) {
    int curly = p->curly;
    bool ok = hk_parser_enter(p);
    hk_parser_take(p);
    if (!ok) {
        skip_list(p, curly);
        return false;
    }
    ok = read_items(p, literal);
    if (ok)
        hk_parser_take(p);
    else
        skip_list(p, curly);
    hk_parser_leave(p);
    return ok;
}

bool hk_parser_literal(hk_parser *p, hk_literal *ret_literal) {
    hk_literal literal = {.at = hk_parser_here(p), .text = p->token.text};
    if (p->token.kind == HK_TOKEN_NUMBER) {
        if (!read_number_literal(p, &literal))
            return false;
    } else if (hk_parser_is_mark(p, "{")) {
        if (!read_list_literal(p, &literal))
            return false;
    } else if (p->token.kind == HK_TOKEN_NAME || p->token.kind == HK_TOKEN_WORD) {
        bool truth = hk_parser_is(p, "true") || hk_parser_is(p, "false");
        literal.kind = truth                            ? HK_LITERAL_BOOL
                       : p->token.kind == HK_TOKEN_NAME ? HK_LITERAL_TEXT
                                                        : HK_LITERAL_WORD;
        hk_parser_take(p);
    } else {
        return hk_parser_unexpected(p, "a value",
                                    "a number, true, false, a text in quotes, a word, or { ... }");
    }
    *ret_literal = literal;
    return true;
}

bool hk_parser_head(hk_parser *p, const char *what, hk_name *ret_name) {
    *ret_name = (hk_name)HK_MISSING;
    if (hk_parser_name(p, what, ret_name))
        return true;
    if (hk_token_is_mark(&p->next, "{") && !hk_parser_is_mark(p, "}"))
        hk_parser_take(p);
    return hk_parser_is_mark(p, "{");
}

bool hk_parser_elements(hk_parser *p, const char *close, hk_element_fn *read, hk_list *list,
                        hk_place *at) {
    char *element = hk_alloc(list->size);
    bool more = !hk_parser_is_mark(p, close), ok = true;
    hk_parser_settle_before(p, at);
    while (more && ok) {
        hk_place *place = NULL;
        memset(element, 0, list->size);
        ok = read(p, element, &place);
        if (!ok)
            break;
        more = hk_parser_skip_mark(p, ",");
        hk_parser_settle(p, place);
        hk_list_add(list, element);
    }
    hk_free(element);
    if (!ok || hk_parser_skip_mark(p, close))
        return ok;
    return hk_parser_unexpected(p, hk_arena_printf(p->arena, "',' or '%s'", close), NULL);
}

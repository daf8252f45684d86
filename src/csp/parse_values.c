/* SPDX-License-Identifier: MIT
 *
 * Numbers, names, sets, tuples and what is calculated with them. From weak to strong: or, and, not,
 * comparisons, sums, products. */
#include "csp/parse_internal.h"

#include "base/number.h"

#include <string.h>

/* ---- patterns ----------------------------------------------------------------------------------
 */

static bool read_number(hk_csp_parser *c, int64_t *ret_number) {
    uint64_t number;
    const char *text = c->p.token.text;
    if (!hk_read_u64(text, strlen(text), &number) || number > INT32_MAX)
        return hk_parser_error(&c->p, c->p.token.line, c->p.token.column, NULL,
                               "'%s' is too large a number", text);
    hk_parser_take(&c->p);
    *ret_number = (int64_t)number;
    return true;
}

static hk_csp_pattern *read_parts(hk_csp_parser *c, hk_csp_pattern *pattern) {
    hk_list parts = HK_LIST(hk_csp_pattern);
    bool good = hk_parser_enter(&c->p);
    hk_parser_take(&c->p);
    do {
        hk_csp_pattern *part = good ? hk_csp_read_pattern(c) : NULL;
        good = part != NULL;
        if (good)
            hk_list_add(&parts, part);
    } while (good && hk_parser_skip_mark(&c->p, ","));
    pattern->kind = HK_CSP_PARTS;
    pattern->part_count = parts.count;
    pattern->parts = hk_list_keep(c->script->arena, &parts);
    good = good && hk_parser_expect_mark(&c->p, ")");
    hk_parser_leave(&c->p);
    return good ? pattern : NULL;
}

hk_csp_pattern *hk_csp_read_pattern(hk_csp_parser *c) {
    hk_csp_pattern *pattern = HK_NEW(c->script->arena, hk_csp_pattern);
    pattern->at = hk_parser_here(&c->p);
    if (hk_parser_is_mark(&c->p, "("))
        return read_parts(c, pattern);
    if (c->p.token.kind == HK_TOKEN_NUMBER) {
        pattern->kind = HK_CSP_EQUAL_NUMBER;
        return read_number(c, &pattern->number) ? pattern : NULL;
    }
    if (hk_parser_skip(&c->p, "_")) {
        pattern->kind = HK_CSP_ANYTHING;
        return pattern;
    }
    if (c->p.token.kind != HK_TOKEN_WORD) {
        hk_parser_unexpected(&c->p, "a name, a number, '_' or a tuple", NULL);
        return NULL;
    }
    pattern->kind = HK_CSP_BOUND;
    pattern->name = c->p.token.text;
    hk_parser_take(&c->p);
    return pattern;
}

/* ---- lists -------------------------------------------------------------------------------------
 */

/* Expressions up to CLOSE, which is taken. */
static bool read_list(hk_csp_parser *c, hk_csp_expr *into, hk_csp_expr *(*read)(hk_csp_parser *),
                      const char *close, hk_list *kids) {
    bool good = true;
    if (!hk_parser_is_mark(&c->p, close) || kids->count) {
        do {
            hk_csp_expr *kid = read(c);
            good = kid != NULL;
            if (good)
                hk_list_add(kids, &kid);
        } while (good && hk_parser_skip_mark(&c->p, ","));
    }
    good = good && hk_csp_give(c, into, kids->data, kids->count) &&
           hk_parser_expect_mark(&c->p, close);
    hk_free(kids->data);
    return good;
}

/* "x:S, y:T" or "x <- S, y <- T, condition". */
bool hk_csp_read_ranges(hk_csp_parser *c, const char *sign, hk_csp_expr *into) {
    hk_list ranges = HK_LIST(hk_csp_range);
    bool good = true, arrows = strcmp(sign, "<-") == 0;
    do {
        hk_csp_range range = {0};
        bool tuple = hk_parser_is_mark(&c->p, "(");
        bool generator =
            !arrows || (c->p.next.kind == HK_TOKEN_MARK && hk_token_is_mark(&c->p.next, "<-"));
        if (generator || (tuple && arrows && c->p.next.kind == HK_TOKEN_WORD && !ranges.count)) {
            range.pattern = hk_csp_read_pattern(c);
            good = range.pattern && hk_parser_expect_mark(&c->p, sign);
        }
        range.of = good ? hk_csp_value(c) : NULL;
        good = range.of != NULL;
        if (good && range.of->height + 1 > into->height)
            into->height = range.of->height + 1;
        hk_list_add(&ranges, &range);
    } while (good && hk_parser_skip_mark(&c->p, ","));
    into->range_count = ranges.count;
    into->ranges = hk_list_keep(c->script->arena, &ranges);
    return good;
}

static hk_csp_expr *read_set(hk_csp_parser *c, hk_place at) {
    hk_csp_expr *set = hk_csp_new(c, HK_CSP_SET, at);
    hk_list kids = HK_LIST(hk_csp_expr *);
    if (hk_parser_is_mark(&c->p, "}"))
        return read_list(c, set, hk_csp_value, "}", &kids) ? set : NULL;
    hk_csp_expr *first = hk_csp_value(c);
    if (!first)
        return NULL;
    if (hk_parser_skip_mark(&c->p, "..")) {
        hk_csp_expr *last = hk_csp_value(c);
        set->kind = HK_CSP_RANGE;
        return last && hk_csp_give(c, set, (hk_csp_expr *[]){first, last}, 2) &&
                       hk_parser_expect_mark(&c->p, "}")
                   ? set
                   : NULL;
    }
    if (hk_parser_skip_mark(&c->p, "|")) {
        set->kind = HK_CSP_COMPREHENSION;
        return hk_csp_give(c, set, &first, 1) && hk_csp_read_ranges(c, "<-", set) &&
                       hk_parser_expect_mark(&c->p, "}")
                   ? set
                   : NULL;
    }
    hk_list_add(&kids, &first);
    if (hk_parser_skip_mark(&c->p, ","))
        return read_list(c, set, hk_csp_value, "}", &kids) ? set : NULL;
    hk_free(kids.data);
    return hk_csp_give(c, set, &first, 1) && hk_parser_expect_mark(&c->p, "}") ? set : NULL;
}

/* "(a)" is a; "(a, b)" is a tuple. */
static hk_csp_expr *read_brackets(hk_csp_parser *c, hk_place at) {
    hk_csp_expr *first = hk_csp_expression(c);
    if (!first)
        return NULL;
    if (hk_parser_skip_mark(&c->p, ")"))
        return first;
    if (!hk_parser_skip_mark(&c->p, ",")) {
        hk_parser_expect_mark(&c->p, ")");
        return NULL;
    }
    hk_csp_expr *tuple = hk_csp_new(c, HK_CSP_TUPLE, at);
    hk_list kids = HK_LIST(hk_csp_expr *);
    hk_list_add(&kids, &first);
    return read_list(c, tuple, hk_csp_value, ")", &kids) ? tuple : NULL;
}

/* ---- atoms -------------------------------------------------------------------------------------
 */

static hk_csp_expr *read_word(hk_csp_parser *c, hk_place at) {
    static const char *const reserved[] = {"let",     "within",   "if", "then",
                                           "else",    "and",      "or", "datatype",
                                           "channel", "nametype", "_",  "assert"};
    const char *word = c->p.token.text;
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strcmp(word, reserved[i]) == 0) {
            hk_parser_unexpected(&c->p, "an expression", NULL);
            return NULL;
        }
    hk_parser_take(&c->p);
    if (strcmp(word, "SKIP") == 0 || strcmp(word, "STOP") == 0)
        return hk_csp_new(c, *(word + 1) == 'K' ? HK_CSP_SKIP : HK_CSP_STOP, at);
    if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0) {
        hk_csp_expr *truth = hk_csp_new(c, HK_CSP_TRUTH, at);
        truth->number = *word == 't';
        return truth;
    }
    hk_csp_expr *name = hk_csp_new(c, HK_CSP_NAME, at);
    hk_list kids = HK_LIST(hk_csp_expr *);
    name->name = word;
    if (!hk_parser_skip_mark(&c->p, "("))
        return name;
    return read_list(c, name, hk_csp_expression, ")", &kids) ? name : NULL;
}

static hk_csp_expr *read_atom(hk_csp_parser *c) {
    hk_place at = hk_parser_here(&c->p);
    if (hk_parser_skip_mark(&c->p, "("))
        return read_brackets(c, at);
    if (hk_parser_skip_mark(&c->p, "{"))
        return read_set(c, at);
    if (hk_parser_skip_mark(&c->p, "{|")) {
        hk_csp_expr *set = hk_csp_new(c, HK_CSP_COMPLETIONS, at);
        hk_list kids = HK_LIST(hk_csp_expr *);
        return read_list(c, set, hk_csp_value, "|}", &kids) ? set : NULL;
    }
    if (c->p.token.kind == HK_TOKEN_NUMBER) {
        hk_csp_expr *number = hk_csp_new(c, HK_CSP_NUMBER, at);
        return read_number(c, &number->number) ? number : NULL;
    }
    if (c->p.token.kind == HK_TOKEN_WORD)
        return read_word(c, at);
    hk_parser_unexpected(&c->p, "an expression", NULL);
    return NULL;
}

hk_csp_expr *hk_csp_atom(hk_csp_parser *c) {
    hk_csp_expr *atom = hk_parser_enter(&c->p) ? read_atom(c) : NULL;
    hk_parser_leave(&c->p);
    return atom;
}

/* ---- signs -------------------------------------------------------------------------------------
 */

static hk_csp_expr *operation(hk_csp_parser *c, const char *sign, hk_csp_expr *a, hk_csp_expr *b) {
    hk_csp_expr *e = b ? hk_csp_new(c, HK_CSP_OPERATION, a->at) : NULL;
    if (e)
        e->name = sign;
    return e && hk_csp_give(c, e, (hk_csp_expr *[]){a, b}, 2) ? e : NULL;
}

static const char *skip_one_of(hk_csp_parser *c, const char *const *signs) {
    for (; *signs; signs++)
        if (c->p.token.kind == HK_TOKEN_WORD ? hk_parser_skip(&c->p, *signs)
                                             : hk_parser_skip_mark(&c->p, *signs))
            return *signs;
    return NULL;
}

static hk_csp_expr *read_product(hk_csp_parser *c) {
    static const char *const signs[] = {"*", "/", "%", NULL};
    hk_csp_expr *e = hk_csp_atom(c);
    for (const char *sign; e && (sign = skip_one_of(c, signs));)
        e = operation(c, sign, e, hk_csp_atom(c));
    return e;
}

hk_csp_expr *hk_csp_sum(hk_csp_parser *c) {
    static const char *const signs[] = {"+", "-", NULL};
    hk_csp_expr *e = read_product(c);
    for (const char *sign; e && (sign = skip_one_of(c, signs));)
        e = operation(c, sign, e, read_product(c));
    return e;
}

static hk_csp_expr *read_dotted(hk_csp_parser *c) {
    hk_csp_expr *first = hk_csp_sum(c);
    if (!first || !hk_parser_is_mark(&c->p, "."))
        return first;
    hk_csp_expr *dotted = hk_csp_new(c, HK_CSP_DOTTED, first->at);
    hk_list kids = HK_LIST(hk_csp_expr *);
    hk_list_add(&kids, &first);
    while (first && hk_parser_skip_mark(&c->p, ".")) {
        first = hk_csp_sum(c);
        if (first)
            hk_list_add(&kids, &first);
    }
    bool good = first && hk_csp_give(c, dotted, kids.data, kids.count);
    hk_free(kids.data);
    return good ? dotted : NULL;
}

static hk_csp_expr *read_comparison(hk_csp_parser *c) {
    static const char *const signs[] = {"==", "!=", "<=", ">=", "<", ">", NULL};
    hk_place at = hk_parser_here(&c->p);
    if (hk_parser_is(&c->p, "not")) {
        if (!hk_parser_enter(&c->p))
            return NULL;
        hk_parser_take(&c->p);
        hk_csp_expr *e = hk_csp_new(c, HK_CSP_OPERATION, at), *kid = read_comparison(c);
        hk_parser_leave(&c->p);
        e->name = "not";
        return kid && hk_csp_give(c, e, &kid, 1) ? e : NULL;
    }
    hk_csp_expr *e = read_dotted(c);
    const char *sign = e ? skip_one_of(c, signs) : NULL;
    return sign ? operation(c, sign, e, read_dotted(c)) : e;
}

hk_csp_expr *hk_csp_value(hk_csp_parser *c) {
    static const char *const signs[] = {"and", "or", NULL};
    hk_csp_expr *e = read_comparison(c);
    for (const char *sign; e && c->p.token.kind == HK_TOKEN_WORD && (sign = skip_one_of(c, signs));)
        e = operation(c, sign, e, read_comparison(c));
    return e;
}

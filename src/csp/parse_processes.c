/* SPDX-License-Identifier: MIT
 *
 * Processes. From weak to strong, as in FDR4: hiding, interleaving, parallel, internal and external
 * choice, sequence, prefix. What is repeated over a set, "let" and "if" reach as far as they can.
 */
#include "csp/parse_internal.h"

#include <string.h>

enum { OPERANDS_MAX = 1500 };

/* ---- prefixes ----------------------------------------------------------------------------------
 */

static bool read_field(hk_csp_parser *c, hk_csp_field *field) {
    if (hk_parser_skip_mark(&c->p, "!"))
        return (field->given = hk_csp_sum(c)) != NULL;
    hk_parser_take(&c->p); /* '?' */
    field->pattern = hk_csp_read_pattern(c);
    if (!field->pattern || !hk_parser_skip_mark(&c->p, ":"))
        return field->pattern != NULL;
    return (field->among = hk_csp_atom(c)) != NULL;
}

/* "a.b!c?d -> P"; FIRST is what is before the first '!' or '?'. */
static hk_csp_expr *read_prefix(hk_csp_parser *c, hk_csp_expr *first) {
    hk_csp_expr *prefix = hk_csp_new(c, HK_CSP_PREFIX, first->at);
    hk_list fields = HK_LIST(hk_csp_field);
    hk_csp_field field = {.given = first};
    bool good = true;
    hk_list_add(&fields, &field);
    prefix->height = first->height + 1;
    while (good && (hk_parser_is_mark(&c->p, "!") || hk_parser_is_mark(&c->p, "?"))) {
        field = (hk_csp_field){0};
        good = read_field(c, &field);
        const hk_csp_expr *part = field.given ? field.given : field.among;
        if (good && part && part->height + 1 > prefix->height)
            prefix->height = part->height + 1;
        hk_list_add(&fields, &field);
    }
    prefix->field_count = fields.count;
    prefix->fields = hk_list_keep(c->script->arena, &fields);
    return good && hk_parser_expect_mark(&c->p, "->") ? prefix : NULL;
}

/* ---- what reaches far --------------------------------------------------------------------------
 */

static hk_csp_expr *read_if(hk_csp_parser *c, hk_place at) {
    hk_csp_expr *e = hk_csp_new(c, HK_CSP_IF, at);
    hk_csp_expr *kids[3] = {hk_csp_value(c)};
    if (!kids[0] || !hk_parser_expect(&c->p, "then") || !(kids[1] = hk_csp_expression(c)) ||
        !hk_parser_expect(&c->p, "else") || !(kids[2] = hk_csp_expression(c)))
        return NULL;
    return hk_csp_give(c, e, kids, 3) ? e : NULL;
}

static hk_csp_expr *read_let(hk_csp_parser *c, hk_place at) {
    hk_csp_expr *e = hk_csp_new(c, HK_CSP_LET, at);
    hk_list list = HK_LIST(hk_csp_definition *);
    bool good = true;
    while (good && !hk_parser_is(&c->p, "within"))
        good = hk_csp_read_clause(c, &list);
    e->definition_count = list.count;
    e->definitions = HK_NEW_ARRAY(c->script->arena, hk_csp_definition, list.count + 1);
    for (size_t i = 0; i < list.count; i++) {
        e->definitions[i] = *((hk_csp_definition **)list.data)[i];
        e->definitions[i].local = true;
        for (size_t k = 0; k < e->definitions[i].clause_count; k++) {
            uint32_t height = e->definitions[i].clauses[k].body->height + 1;
            e->height = height > e->height ? height : e->height;
        }
    }
    hk_free(list.data);
    hk_csp_expr *body = good && hk_parser_expect(&c->p, "within") ? hk_csp_expression(c) : NULL;
    return body && hk_csp_give(c, e, &body, 1) ? e : NULL;
}

static hk_csp_kind sign_kind(const hk_parser *p) {
    return hk_parser_is_mark(p, "|||")   ? HK_CSP_INTERLEAVE
           : hk_parser_is_mark(p, "||")  ? HK_CSP_ALPHABETS
           : hk_parser_is_mark(p, "[|")  ? HK_CSP_SHARED
           : hk_parser_is_mark(p, "[]")  ? HK_CSP_EXTERNAL
           : hk_parser_is_mark(p, "|~|") ? HK_CSP_INTERNAL
                                         : HK_CSP_NUMBER;
}

/* "||| x:S @ P", "|| x:S @ [A] P", "[| X |] x:S @ P"; the second kid is A or X. */
static hk_csp_expr *read_replicated(hk_csp_parser *c, hk_place at) {
    hk_csp_expr *e = hk_csp_new(c, HK_CSP_REPLICATED, at), *with = NULL;
    e->number = sign_kind(&c->p);
    hk_parser_take(&c->p);
    if (e->number == HK_CSP_SHARED &&
        (!(with = hk_csp_value(c)) || !hk_parser_expect_mark(&c->p, "|]")))
        return NULL;
    if (!hk_csp_read_ranges(c, ":", e) || !hk_parser_expect_mark(&c->p, "@"))
        return NULL;
    if (e->number == HK_CSP_ALPHABETS &&
        (!hk_parser_expect_mark(&c->p, "[") || !(with = hk_csp_value(c)) ||
         !hk_parser_expect_mark(&c->p, "]")))
        return NULL;
    hk_csp_expr *body = hk_csp_expression(c);
    return body && hk_csp_give(c, e, (hk_csp_expr *[]){body, with}, with ? 2 : 1) ? e : NULL;
}

/* Prefixes follow each other without end, so they are read in a loop. */
static hk_csp_expr *read_operand(hk_csp_parser *c) {
    hk_list prefixes = HK_LIST(hk_csp_expr *);
    hk_csp_expr *e = NULL;
    bool more;
    do {
        hk_place at = hk_parser_here(&c->p);
        more = false;
        if (hk_parser_skip(&c->p, "let"))
            e = read_let(c, at);
        else if (hk_parser_skip(&c->p, "if"))
            e = read_if(c, at);
        else if (sign_kind(&c->p) != HK_CSP_NUMBER)
            e = read_replicated(c, at);
        else
            e = hk_csp_value(c);
        if (e && (hk_parser_is_mark(&c->p, "!") || hk_parser_is_mark(&c->p, "?") ||
                  hk_parser_is_mark(&c->p, "->"))) {
            e = read_prefix(c, e);
            if (e)
                hk_list_add(&prefixes, &e);
            more = e != NULL;
        }
    } while (more);
    while (e && prefixes.count) {
        hk_csp_expr *prefix = ((hk_csp_expr **)prefixes.data)[--prefixes.count];
        uint32_t height = prefix->height;
        bool good = hk_csp_give(c, prefix, &e, 1);
        prefix->height = height > prefix->height ? height : prefix->height;
        e = good ? prefix : NULL;
    }
    hk_free(prefixes.data);
    return e;
}

/* ---- signs between processes -------------------------------------------------------------------
 */

static int strength(const hk_parser *p) {
    static const char *const signs[] = {"\\", "|||", "[|", "[", "|~|", "[]", ";"};
    static const int strengths[] = {1, 2, 3, 3, 4, 5, 6};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (hk_parser_is_mark(p, signs[i]))
            return strengths[i];
    return 0;
}

static hk_csp_expr *read_joined(hk_csp_parser *c, int least);

static hk_csp_expr *join(hk_csp_parser *c, hk_csp_kind kind, hk_csp_expr *const *kids,
                         size_t count) {
    hk_csp_expr *e = hk_csp_new(c, kind, kids[0]->at);
    return hk_csp_give(c, e, kids, count) ? e : NULL;
}

/* "P [| X |] Q" and "P [A || B] Q", from behind the first bracket. */
static hk_csp_expr *read_parallel(hk_csp_parser *c, hk_csp_expr *left, bool shared) {
    hk_csp_expr *a = hk_csp_value(c), *b = NULL, *right;
    if (!a)
        return NULL;
    if (shared) {
        if (!hk_parser_expect_mark(&c->p, "|]"))
            return NULL;
    } else if (!hk_parser_expect_mark(&c->p, "||") || !(b = hk_csp_value(c)) ||
               !hk_parser_expect_mark(&c->p, "]")) {
        return NULL;
    }
    right = read_joined(c, 4);
    if (!right)
        return NULL;
    return shared ? join(c, HK_CSP_SHARED, (hk_csp_expr *[]){a, left, right}, 3)
                  : join(c, HK_CSP_ALPHABETS, (hk_csp_expr *[]){a, left, b, right}, 4);
}

/* Several with the same sign between them, of which FIRST was read: they are one node, and a
 * sequence goes on to the right. */
static hk_csp_expr *read_row(hk_csp_parser *c, hk_csp_expr *first, const char *sign, int s) {
    hk_list kids = HK_LIST(hk_csp_expr *);
    hk_csp_expr *kid = first, *e = NULL;
    hk_list_add(&kids, &first);
    while (kid && hk_parser_skip_mark(&c->p, sign)) {
        kid = read_joined(c, s + 1);
        if (kid)
            hk_list_add(&kids, &kid);
    }
    hk_csp_expr **all = kids.data;
    if (kid && kids.count > OPERANDS_MAX)
        hk_parser_error(&c->p, first->at.line, first->at.column, NULL,
                        "more than %d processes in a row", OPERANDS_MAX);
    else if (kid && strcmp(sign, ";") == 0)
        for (e = all[kids.count - 1], kids.count--; e && kids.count; kids.count--)
            e = join(c, HK_CSP_SEQUENCE, (hk_csp_expr *[]){all[kids.count - 1], e}, 2);
    else if (kid)
        e = join(c,
                 *sign == '['               ? HK_CSP_EXTERNAL
                 : strcmp(sign, "|~|") == 0 ? HK_CSP_INTERNAL
                                            : HK_CSP_INTERLEAVE,
                 all, kids.count);
    hk_free(kids.data);
    return e;
}

/* What is read with signs at least as strong as LEAST. */
static hk_csp_expr *read_joined(hk_csp_parser *c, int least) {
    hk_csp_expr *e = read_operand(c);
    for (int s; e && (s = strength(&c->p)) >= least && s > 0;) {
        if (hk_parser_skip_mark(&c->p, "\\")) {
            hk_csp_expr *set = hk_csp_value(c);
            e = set ? join(c, HK_CSP_HIDE, (hk_csp_expr *[]){e, set}, 2) : NULL;
        } else if (hk_parser_skip_mark(&c->p, "[|")) {
            e = read_parallel(c, e, true);
        } else if (hk_parser_skip_mark(&c->p, "[")) {
            e = read_parallel(c, e, false);
        } else {
            e = read_row(c, e, c->p.token.text, s);
        }
    }
    return e;
}

hk_csp_expr *hk_csp_expression(hk_csp_parser *c) {
    hk_csp_expr *e = hk_parser_enter(&c->p) ? read_joined(c, 1) : NULL;
    hk_parser_leave(&c->p);
    return e;
}

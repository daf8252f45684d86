/* SPDX-License-Identifier: MIT
 *
 * Names and types of RoboChart. docs/robochart.md has the grammar. */
#include "chart/parse_internal.h"

#include <string.h>

/* ---- names ------------------------------------------------------------------------------------
 */

/* With a space before and behind each. */
static const char keywords[] =
    " package diagram import interface robotic platform uses provides requires var const "
    "event _broadcast clock type record datatype enumeration controller stm operation "
    "function module rref cref sref opref connection on to _async mult terminates "
    "precondition postcondition initial final junction probabilistic state transition from "
    "trigger probability condition else action entry during exit forall exists exists1 "
    "lambda iff not in the let if then end as is cat true false result since sinceEntry "
    "skip wait send vector matrix inverse transpose ";

bool hk_rct_is_keyword(const char *word) {
    size_t length = strlen(word);
    for (const char *at = keywords + 1; *at; at += strcspn(at, " ") + 1)
        if (strcspn(at, " ") == length && memcmp(at, word, length) == 0)
            return true;
    return false;
}

bool hk_rcp_refuse(hk_parser *p, const char *word) {
    hk_where where = {.file = p->file, .line = p->token.line, .column = p->token.column};
    hk_complain(&p->complaints, HK_E_SUBSET, where, "docs/robochart.md lists what is",
                "not in hocket's subset: %s", word);
    return false;
}

bool hk_rcp_name(hk_parser *p, const char *what, hk_name *ret_name) {
    const char *text = p->token.text;
    bool escaped = text[0] == '^';
    if (p->token.kind != HK_TOKEN_WORD)
        return hk_parser_unexpected(p, what, NULL);
    if (!escaped && hk_rct_is_keyword(text))
        return hk_parser_unexpected(p, what,
                                    hk_arena_printf(p->arena, "as a name it is written ^%s", text));
    *ret_name = (hk_name){.text = text + escaped, .at = hk_parser_here(p)};
    hk_parser_take(p);
    return true;
}

bool hk_rcp_qualified(hk_parser *p, const char *what, hk_name *ret_name) {
    hk_name name, part;
    bool ok = hk_rcp_name(p, what, &name);
    while (ok && hk_parser_is_mark(p, "::") && !hk_token_is_mark(&p->next, "*")) {
        hk_parser_take(p);
        ok = hk_rcp_name(p, "a name behind '::'", &part);
        if (ok)
            name.text = hk_arena_printf(p->arena, "%s::%s", name.text, part.text);
    }
    if (ok)
        *ret_name = name;
    return ok;
}

/* ---- types ------------------------------------------------------------------------------------
 */

static const hk_rctype *keep_type(hk_parser *p, hk_rctype type, const hk_rctype *a,
                                  const hk_rctype *b) {
    const hk_rctype **parts = HK_NEW_ARRAY(p->arena, const hk_rctype *, 2);
    hk_rctype *kept = HK_NEW(p->arena, hk_rctype);
    parts[0] = a;
    parts[1] = b;
    type.parts = parts;
    type.part_count = a ? 1 + (b != NULL) : 0;
    *kept = type;
    return kept;
}

/* vector(T, n), matrix(T, n, m), Seq(T), Set(T), (T): the opening word has been taken. */
static const hk_rctype *read_type_call(hk_parser *p, hk_rctype type) {
    size_t sizes = type.kind == HK_RCT_MATRIX ? 2 : type.kind == HK_RCT_VECTOR;
    const hk_rctype *part = NULL;
    bool ok = hk_parser_expect_mark(p, "(") && hk_parser_enter(p);
    if (!ok)
        return NULL;
    part = hk_rcp_type(p);
    ok = part != NULL;
    for (size_t i = 0; ok && i < sizes; i++) {
        ok = hk_parser_expect_mark(p, ",");
        type.sizes[i] = ok ? hk_rcp_atom(p) : NULL;
        ok = ok && type.sizes[i];
    }
    hk_parser_leave(p);
    return ok && hk_parser_expect_mark(p, ")") ? keep_type(p, type, part, NULL) : NULL;
}

static const hk_rctype *read_type_atom(hk_parser *p) {
    static const struct {
        const char *word;
        hk_rctype_kind kind;
    } calls[] = {{"Seq", HK_RCT_SEQ},
                 {"Set", HK_RCT_SET},
                 {"vector", HK_RCT_VECTOR},
                 {"matrix", HK_RCT_MATRIX}};
    hk_rctype type = {.name = HK_MISSING, .at = hk_parser_here(p)};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (hk_parser_is(p, calls[i].word) && hk_token_is_mark(&p->next, "(")) {
            hk_parser_take(p);
            type.kind = calls[i].kind;
            return read_type_call(p, type);
        }
    }
    if (hk_parser_is_mark(p, "(")) {
        type.kind = HK_RCT_PARENS;
        return read_type_call(p, type);
    }
    if (hk_parser_skip_mark(p, "?")) {
        type.kind = HK_RCT_ANY;
        return hk_rcp_name(p, "the name of a type variable", &type.name)
                   ? keep_type(p, type, NULL, NULL)
                   : NULL;
    }
    return hk_rcp_qualified(p, "a type", &type.name) ? keep_type(p, type, NULL, NULL) : NULL;
}

static const hk_rctype *read_product(hk_parser *p) {
    hk_rctype type = {.kind = HK_RCT_PRODUCT, .name = HK_MISSING, .at = hk_parser_here(p)};
    const hk_rctype *part = read_type_atom(p);
    if (!part || !hk_parser_is_mark(p, "*"))
        return part;
    hk_list parts = HK_LIST(const hk_rctype *);
    hk_list_add(&parts, &part);
    while (part && hk_parser_skip_mark(p, "*")) {
        part = read_type_atom(p);
        if (part)
            hk_list_add(&parts, &part);
    }
    hk_rctype *kept = HK_NEW(p->arena, hk_rctype);
    type.part_count = parts.count;
    type.parts = hk_list_keep(p->arena, &parts);
    *kept = type;
    return part ? kept : NULL;
}

/* A -> B -> C is A -> (B -> C), and so is <->, which binds less. */
static const hk_rctype *read_arrow(hk_parser *p, const char *mark) {
    bool relation = mark[0] == '<';
    hk_rctype type = {.kind = relation ? HK_RCT_RELATION : HK_RCT_FUNCTION,
                      .name = HK_MISSING,
                      .at = hk_parser_here(p)};
    const hk_rctype *left = relation ? read_arrow(p, "->") : read_product(p);
    if (!left || !hk_parser_is_mark(p, mark))
        return left;
    if (!hk_parser_enter(p))
        return NULL;
    hk_parser_take(p);
    const hk_rctype *right = read_arrow(p, mark);
    hk_parser_leave(p);
    return right ? keep_type(p, type, left, right) : NULL;
}

const hk_rctype *hk_rcp_type(hk_parser *p) {
    return read_arrow(p, "<->");
}

bool hk_rcp_typed(hk_parser *p, const char *what, hk_rcvar *ret_var) {
    *ret_var = (hk_rcvar){.name = HK_MISSING};
    if (!hk_rcp_name(p, what, &ret_var->name) || !hk_parser_expect_mark(p, ":"))
        return false;
    ret_var->type = hk_rcp_type(p);
    return ret_var->type != NULL;
}

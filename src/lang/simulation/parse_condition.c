/* SPDX-License-Identifier: MIT
 *
 * Conditions: `or` binds weakest, then `and`, then `not`. */
#include "lang/simulation/parse_simulation.h"

#include <string.h>

static bool read_operand(hk_parser *p, hk_operand *ret_operand) {
    hk_operand operand = {.path = HK_MISSING, .value = HK_MISSING, .at = hk_parser_here(p)};
    if (hk_parser_is(p, "abs") && hk_token_is_mark(&p->next, "(")) {
        hk_parser_take(p);
        hk_parser_take(p);
        operand.absolute = true;
        if (!hk_parser_text(p, "a path in double quotes", &operand.path) ||
            !hk_parser_expect_mark(p, ")"))
            return false;
    } else if (p->token.kind == HK_TOKEN_NAME) {
        if (!hk_parser_text(p, "a path in double quotes", &operand.path))
            return false;
    } else if (p->token.kind == HK_TOKEN_NUMBER || p->token.kind == HK_TOKEN_WORD) {
        if (!hk_parser_literal(p, &operand.value))
            return false;
    } else {
        return hk_parser_unexpected(p, "a path in double quotes or a value", NULL);
    }
    *ret_operand = operand;
    return true;
}

static bool read_operator(hk_parser *p, const char **ret_op) {
    static const char *const ops[] = {"<", "<=", ">", ">=", "==", "!="};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (hk_parser_skip_mark(p, ops[i])) {
            *ret_op = ops[i];
            return true;
        }
    const char *hint = "a condition compares two values: \"path\" == true";
    if (hk_parser_is_mark(p, "="))
        hint = hk_hint_name(p->arena, "==", NULL);
    return hk_parser_unexpected(p, "'<', '<=', '>', '>=', '==' or '!='", hint);
}

static bool read_comparison(hk_parser *p, hk_condition *condition) {
    bool ok = read_operand(p, &condition->left) && read_operator(p, &condition->op) &&
              read_operand(p, &condition->right);
    bool exact = ok && (condition->op[0] == '=' || condition->op[0] == '!');
    if (exact && hk_parser_skip(p, "within"))
        ok = hk_parser_literal(p, &condition->tolerance);
    return ok;
}

static hk_condition *make(hk_parser *p, hk_condition_kind kind, hk_condition *a, hk_condition *b) {
    hk_condition *condition = HK_NEW(p->arena, hk_condition);
    *condition = (hk_condition){
        .kind = kind,
        .left = {.path = HK_MISSING, .value = HK_MISSING},
        .right = {.path = HK_MISSING, .value = HK_MISSING},
        .op = "",
        .tolerance = HK_MISSING,
        .a = a,
        .b = b,
        .at = a ? a->at : hk_parser_here(p),
    };
    return condition;
}

static bool read_or(hk_parser *p, hk_condition **ret_condition);

static bool read_brackets(hk_parser *p, hk_condition **ret_condition) {
    bool message = p->text_is_message;
    p->text_is_message = false;
    hk_parser_take(p);
    bool ok = read_or(p, ret_condition) && hk_parser_expect_mark(p, ")");
    p->text_is_message = message;
    return ok;
}

/* Brackets and `not` nest; so do long rows of `and`, as the tree leans to the left. */
static bool read_not(hk_parser *p, hk_condition **ret_condition) {
    hk_place at = hk_parser_here(p);
    bool is_not = hk_parser_is(p, "not");
    if (is_not || hk_parser_is_mark(p, "(")) {
        if (!hk_parser_enter(p))
            return false;
        if (is_not)
            hk_parser_take(p);
        bool ok = is_not ? read_not(p, ret_condition) : read_brackets(p, ret_condition);
        if (ok && is_not) {
            *ret_condition = make(p, HK_CONDITION_NOT, *ret_condition, NULL);
            (*ret_condition)->at = at;
        }
        hk_parser_leave(p);
        return ok;
    }
    *ret_condition = make(p, HK_CONDITION_COMPARE, NULL, NULL);
    return read_comparison(p, *ret_condition);
}

/* A row of conditions joined by WORD. */
static bool read_row(hk_parser *p, const char *word, hk_condition_kind kind,
                     bool (*read)(hk_parser *p, hk_condition **ret_condition),
                     hk_condition **ret_condition) {
    int entered = 0;
    bool ok = read(p, ret_condition);
    while (ok && hk_parser_is(p, word)) {
        hk_condition *right;
        ok = hk_parser_enter(p);
        entered += ok;
        hk_parser_take(p);
        ok = ok && read(p, &right);
        if (ok)
            *ret_condition = make(p, kind, *ret_condition, right);
    }
    for (; entered; entered--)
        hk_parser_leave(p);
    return ok;
}

static bool read_and(hk_parser *p, hk_condition **ret_condition) {
    return read_row(p, "and", HK_CONDITION_AND, read_not, ret_condition);
}

static bool read_or(hk_parser *p, hk_condition **ret_condition) {
    return read_row(p, "or", HK_CONDITION_OR, read_and, ret_condition);
}

hk_condition *hk_condition_last(hk_condition *condition) {
    while (condition->kind != HK_CONDITION_COMPARE)
        condition = condition->kind == HK_CONDITION_NOT ? condition->a : condition->b;
    return condition;
}

bool hk_parser_condition(hk_parser *p, hk_condition **ret_condition) {
    return read_or(p, ret_condition);
}

/* SPDX-License-Identifier: MIT
 *
 * Expressions of RoboChart. docs/robochart.md has the grammar. */
#include "chart/parse_internal.h"

#include <string.h>

enum { HEIGHT_MAX = 400 }; /* of an expression: who walks over it does so by recursion */

/* ---- nodes ------------------------------------------------------------------------------------
 */

hk_rcexpr *hk_rcp_new(hk_parser *p, hk_rcexpr_kind kind, hk_place at) {
    hk_rcexpr *expr = HK_NEW(p->arena, hk_rcexpr);
    expr->kind = kind;
    expr->name = (hk_name)HK_MISSING;
    expr->at = at;
    expr->height = 1;
    return expr;
}

static void raise(hk_rcexpr *expr, const hk_rcexpr *below) {
    if (below && below->height >= expr->height)
        expr->height = below->height + 1;
}

/* EXPR, unless it is too high for those who walk over it. */
static const hk_rcexpr *finish(hk_parser *p, hk_rcexpr *expr) {
    for (size_t i = 0; i < expr->arg_count; i++)
        raise(expr, expr->args[i]);
    for (size_t i = 0; i < expr->var_count; i++)
        raise(expr, expr->vars[i].value);
    if (expr->height <= HEIGHT_MAX)
        return expr;
    hk_parser_error(p, expr->at.line, expr->at.column, "use fewer levels",
                    "this expression is more than %d operators deep", HEIGHT_MAX);
    return NULL;
}

const hk_rcexpr *hk_rcp_make(hk_parser *p, hk_rcexpr_kind kind, hk_place at, const hk_rcexpr *a,
                             const hk_rcexpr *b) {
    hk_rcexpr *expr = hk_rcp_new(p, kind, at);
    const hk_rcexpr **args = HK_NEW_ARRAY(p->arena, const hk_rcexpr *, 2);
    args[0] = a;
    args[1] = b;
    expr->args = args;
    expr->arg_count = b ? 2 : 1;
    return finish(p, expr);
}

bool hk_rcp_list(hk_parser *p, const hk_rcexpr *first, const char *close,
                 const hk_rcexpr *const **ret_args, size_t *ret_count) {
    hk_list args = HK_LIST(const hk_rcexpr *);
    bool ok = true, more = first ? hk_parser_skip_mark(p, ",") : !hk_parser_is_mark(p, close);
    if (first)
        hk_list_add(&args, &first);
    while (more && ok) {
        const hk_rcexpr *arg = hk_rcp_expr(p);
        ok = arg != NULL;
        if (ok)
            hk_list_add(&args, &arg);
        more = ok && hk_parser_skip_mark(p, ",");
    }
    *ret_count = args.count;
    *ret_args = hk_list_keep(p->arena, &args);
    if (!ok || hk_parser_skip_mark(p, close))
        return ok;
    return hk_parser_unexpected(p, hk_arena_printf(p->arena, "',' or '%s'", close), NULL);
}

/* ---- atoms ------------------------------------------------------------------------------------
 */

/* Elements up to CLOSE, which is taken. */
static const hk_rcexpr *read_elements(hk_parser *p, hk_rcexpr_kind kind, hk_place at,
                                      const hk_rcexpr *first, const char *close) {
    hk_rcexpr *expr = hk_rcp_new(p, kind, at);
    bool ok = hk_rcp_list(p, first, close, &expr->args, &expr->arg_count);
    return ok ? finish(p, expr) : NULL;
}

/* NAME : TYPE, ... and for let and records NAME MARK VALUE, ... */
static bool read_vars(hk_parser *p, const char *mark, hk_rcexpr *expr) {
    hk_list vars = HK_LIST(hk_rcvar);
    bool ok;
    do {
        hk_rcvar var = {.name = HK_MISSING};
        if (mark) {
            ok = hk_rcp_name(p, "a name", &var.name) && hk_parser_expect_mark(p, mark);
            var.value = ok ? hk_rcp_expr(p) : NULL;
            ok = ok && var.value;
        } else {
            ok = hk_rcp_typed(p, "a variable", &var);
        }
        if (ok)
            hk_list_add(&vars, &var);
    } while (ok && hk_parser_skip_mark(p, ","));
    expr->var_count = vars.count;
    expr->vars = hk_list_keep(p->arena, &vars);
    return ok;
}

/* vars | suchthat @ body; OPEN: of a set, where the body may be missing and '}' follows. */
static const hk_rcexpr *read_binder(hk_parser *p, hk_rcexpr *expr, bool open) {
    const hk_rcexpr **args = HK_NEW_ARRAY(p->arena, const hk_rcexpr *, 2);
    bool ok = read_vars(p, NULL, expr);
    if (ok && hk_parser_skip_mark(p, "|"))
        ok = (args[0] = hk_rcp_expr(p)) != NULL;
    if (ok && (!open || hk_parser_is_mark(p, "@")))
        ok = hk_parser_expect_mark(p, "@") && (args[1] = hk_rcp_expr(p));
    if (ok && open)
        ok = hk_parser_expect_mark(p, "}");
    expr->args = args;
    expr->arg_count = 2;
    return ok ? finish(p, expr) : NULL;
}

static const hk_rcexpr *read_set(hk_parser *p, hk_place at) {
    if (hk_parser_is_mark(p, "}"))
        return read_elements(p, HK_RCE_SET, at, NULL, "}");
    if (p->token.kind == HK_TOKEN_WORD && hk_token_is_mark(&p->next, ":"))
        return read_binder(p, hk_rcp_new(p, HK_RCE_SET_COMP, at), true);
    const hk_rcexpr *first = hk_rcp_expr(p), *last;
    if (!first)
        return NULL;
    if (!hk_parser_skip(p, "to"))
        return read_elements(p, HK_RCE_SET, at, first, "}");
    last = hk_rcp_expr(p);
    return last && hk_parser_expect_mark(p, "}") ? hk_rcp_make(p, HK_RCE_SET_RANGE, at, first, last)
                                                 : NULL;
}

/* "(a)", "(a, b]", "[a, b)": the opening bracket has been taken. */
static const hk_rcexpr *read_brackets(hk_parser *p, hk_place at, bool round) {
    const hk_rcexpr *first = hk_rcp_expr(p), *second;
    if (!first)
        return NULL;
    if (round && hk_parser_skip_mark(p, ")"))
        return hk_rcp_make(p, HK_RCE_PARENS, at, first, NULL);
    if (!hk_parser_skip_mark(p, ",")) {
        hk_parser_unexpected(p, round ? "')'" : "','", NULL);
        return NULL;
    }
    second = hk_rcp_expr(p);
    if (!second)
        return NULL;
    bool open = hk_parser_skip_mark(p, ")");
    if (!open && !hk_parser_expect_mark(p, "]"))
        return NULL;
    hk_rcexpr *range = (hk_rcexpr *)(uintptr_t)hk_rcp_make(p, HK_RCE_RANGE, at, first, second);
    if (range) {
        range->open_left = round;
        range->open_right = open;
    }
    return range;
}

/* [| 1, 2 ; 3, 4 |]: the opening bracket has been taken. */
static const hk_rcexpr *read_vector(hk_parser *p, hk_place at) {
    hk_list rows = HK_LIST(const hk_rcexpr *);
    bool ok;
    do {
        hk_rcexpr *row = hk_rcp_new(p, HK_RCE_VECTOR, hk_parser_here(p));
        hk_list values = HK_LIST(const hk_rcexpr *);
        do {
            const hk_rcexpr *value = hk_rcp_expr(p);
            ok = value != NULL;
            if (ok)
                hk_list_add(&values, &value);
        } while (ok && hk_parser_skip_mark(p, ","));
        row->arg_count = values.count;
        row->args = hk_list_keep(p->arena, &values);
        const hk_rcexpr *kept = ok ? finish(p, row) : NULL;
        ok = kept != NULL;
        if (ok)
            hk_list_add(&rows, &kept);
    } while (ok && hk_parser_skip_mark(p, ";"));
    hk_rcexpr *matrix = hk_rcp_new(p, HK_RCE_MATRIX, at);
    matrix->arg_count = rows.count;
    matrix->args = hk_list_keep(p->arena, &rows);
    if (!ok || !hk_parser_expect_mark(p, "|]"))
        return NULL;
    return matrix->arg_count == 1 ? matrix->args[0] : finish(p, matrix);
}

/* < a, b >: elements have no comparisons, so that '>' ends it. */
static const hk_rcexpr *read_sequence(hk_parser *p, hk_place at);

static const hk_rcexpr *read_if(hk_parser *p, hk_place at) {
    hk_rcexpr *expr = hk_rcp_new(p, HK_RCE_IF, at);
    const hk_rcexpr **args = HK_NEW_ARRAY(p->arena, const hk_rcexpr *, 3);
    bool ok = (args[0] = hk_rcp_expr(p)) && hk_parser_expect(p, "then") &&
              (args[1] = hk_rcp_expr(p)) && hk_parser_expect(p, "else") &&
              (args[2] = hk_rcp_expr(p)) && hk_parser_expect(p, "end");
    expr->args = args;
    expr->arg_count = 3;
    return ok ? finish(p, expr) : NULL;
}

/* since ( C ), sinceEntry ( S ), inverse ( E ), transpose ( E ): the word has been taken. */
static const hk_rcexpr *read_word_call(hk_parser *p, hk_place at) {
    const char *word = p->last.text;
    bool entry = strcmp(word, "sinceEntry") == 0;
    if (!hk_parser_expect_mark(p, "("))
        return NULL;
    if (!entry && strcmp(word, "since") != 0) {
        const hk_rcexpr *arg = hk_rcp_expr(p);
        hk_rcexpr *expr =
            arg ? (hk_rcexpr *)(uintptr_t)hk_rcp_make(p, HK_RCE_UNARY_CALL, at, arg, NULL) : NULL;
        if (expr)
            expr->name.text = word;
        return expr && hk_parser_expect_mark(p, ")") ? expr : NULL;
    }
    hk_rcexpr *expr = hk_rcp_new(p, entry ? HK_RCE_SINCE_ENTRY : HK_RCE_SINCE, at);
    bool ok =
        hk_rcp_qualified(p, entry ? "the name of a state" : "the name of a clock", &expr->name) &&
        hk_parser_expect_mark(p, ")");
    return ok ? expr : NULL;
}

static const hk_rcexpr *read_word(hk_parser *p, hk_place at) {
    static const char *const plain[] = {"result", "to", "from"};
    static const char *const calls[] = {"since", "sinceEntry", "inverse", "transpose"};
    if (hk_parser_is(p, "true") || hk_parser_is(p, "false")) {
        hk_rcexpr *expr = hk_rcp_new(p, HK_RCE_TRUTH, at);
        expr->name.text = p->token.text;
        hk_parser_take(p);
        return expr;
    }
    for (size_t i = 0; i < 3; i++)
        if (hk_parser_skip(p, plain[i])) {
            hk_rcexpr *expr = hk_rcp_new(p, HK_RCE_WORD, at);
            expr->name.text = plain[i];
            return expr;
        }
    for (size_t i = 0; i < 4; i++)
        if (hk_parser_skip(p, calls[i]))
            return read_word_call(p, at);
    if (hk_parser_skip(p, "if"))
        return read_if(p, at);
    hk_rcexpr *expr = hk_rcp_new(p, HK_RCE_REF, at);
    if (!hk_rcp_qualified(p, "an expression", &expr->name))
        return NULL;
    if (!hk_parser_skip_mark(p, "(|"))
        return expr;
    expr->kind = HK_RCE_RECORD;
    return read_vars(p, "=", expr) && hk_parser_expect_mark(p, "|)") ? finish(p, expr) : NULL;
}

static const hk_rcexpr *read_atom(hk_parser *p) {
    hk_place at = hk_parser_here(p);
    const hk_token token = p->token;
    if (token.kind == HK_TOKEN_NUMBER || token.kind == HK_TOKEN_NAME) {
        bool whole = !strchr(token.text, '.');
        hk_rcexpr *expr = hk_rcp_new(p,
                                     token.kind == HK_TOKEN_NAME ? HK_RCE_STRING
                                     : whole                     ? HK_RCE_INTEGER
                                                                 : HK_RCE_REAL,
                                     at);
        expr->name.text = token.text;
        hk_parser_take(p);
        return expr;
    }
    if (token.kind == HK_TOKEN_WORD)
        return read_word(p, at);
    if (hk_parser_skip_mark(p, "("))
        return read_brackets(p, at, true);
    if (hk_parser_skip_mark(p, "["))
        return read_brackets(p, at, false);
    if (hk_parser_skip_mark(p, "{"))
        return read_set(p, at);
    if (hk_parser_skip_mark(p, "[|"))
        return read_vector(p, at);
    if (hk_parser_skip_mark(p, "(|"))
        return read_elements(p, HK_RCE_TUPLE, at, NULL, "|)");
    if (hk_parser_skip_mark(p, "<"))
        return read_sequence(p, at);
    if (hk_parser_is_mark(p, "$"))
        hk_rcp_refuse(p, "$ (of RoboSim)");
    else
        hk_parser_unexpected(p, "an expression", NULL);
    return NULL;
}

const hk_rcexpr *hk_rcp_atom(hk_parser *p) {
    if (!hk_parser_enter(p))
        return NULL;
    const hk_rcexpr *expr = read_atom(p);
    hk_parser_leave(p);
    return expr;
}

const hk_rcexpr *hk_rcp_apply(hk_parser *p, hk_rcexpr_kind kind, const hk_rcexpr *to,
                              const char *close) {
    hk_rcexpr *made = hk_rcp_new(p, kind, to->at);
    const hk_rcexpr *const *args;
    size_t count;
    if (!hk_rcp_list(p, NULL, close, &args, &count))
        return NULL;
    const hk_rcexpr **all = HK_NEW_ARRAY(p->arena, const hk_rcexpr *, count + 1);
    all[0] = to;
    if (count)
        memcpy(all + 1, args, count * sizeof *all);
    made->args = all;
    made->arg_count = count + 1;
    return finish(p, made);
}

const hk_rcexpr *hk_rcp_call(hk_parser *p) {
    const hk_rcexpr *expr = hk_rcp_atom(p);
    if (!expr || !hk_parser_skip_mark(p, "("))
        return expr;
    return hk_rcp_apply(p, HK_RCE_CALL, expr, ")");
}

/* ---- operators --------------------------------------------------------------------------------
 */

/* From those that bind least. All join to the left. */
enum {
    LEVEL_IFF,
    LEVEL_IMPLIES,
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_COMPARE,
    LEVEL_SUM,
    LEVEL_PRODUCT,
    LEVEL_CAT
};

static const hk_rcexpr *read_level(hk_parser *p, int level);

static const hk_rcexpr *read_postfix(hk_parser *p) {
    hk_place at = hk_parser_here(p);
    const hk_rcexpr *expr = hk_rcp_call(p);
    while (expr) {
        if (hk_parser_skip_mark(p, ".")) {
            hk_rcexpr *field = (hk_rcexpr *)(uintptr_t)hk_rcp_make(p, HK_RCE_FIELD, at, expr, NULL);
            bool number = p->token.kind == HK_TOKEN_NUMBER; /* of a tuple */
            if (field && number) {
                field->name.text = p->token.text;
                hk_parser_take(p);
            } else if (field && !hk_rcp_name(p, "the name of a field", &field->name)) {
                field = NULL;
            }
            expr = field;
        } else if (hk_parser_skip_mark(p, "[")) {
            expr = hk_rcp_apply(p, HK_RCE_INDEX, expr, "]");
        } else {
            break;
        }
    }
    return expr;
}

static const hk_rcexpr *read_unary(hk_parser *p, hk_rcexpr_kind kind) {
    hk_place at = hk_parser_here(p);
    hk_parser_take(p);
    if (!hk_parser_enter(p))
        return NULL;
    const hk_rcexpr *arg = kind == HK_RCE_NOT && hk_parser_is(p, "not") ? read_unary(p, kind)
                           : kind == HK_RCE_NOT        ? read_level(p, LEVEL_COMPARE)
                           : hk_parser_is_mark(p, "-") ? read_unary(p, kind)
                                                       : read_postfix(p);
    hk_parser_leave(p);
    return arg ? hk_rcp_make(p, kind, at, arg, NULL) : NULL;
}

/* the, let and E as T, which have a place among the operators. */
static const hk_rcexpr *read_special(hk_parser *p) {
    hk_place at = hk_parser_here(p);
    if (hk_parser_is(p, "the") || hk_parser_is(p, "let")) {
        bool let = hk_parser_is(p, "let");
        hk_rcexpr *expr = hk_rcp_new(p, let ? HK_RCE_LET : HK_RCE_BINDER, at);
        expr->name.text = let ? "" : "the";
        hk_parser_take(p);
        if (!let)
            return read_binder(p, expr, false);
        const hk_rcexpr **args = HK_NEW_ARRAY(p->arena, const hk_rcexpr *, 1);
        bool ok =
            read_vars(p, "==", expr) && hk_parser_expect_mark(p, "@") && (args[0] = hk_rcp_expr(p));
        expr->args = args;
        expr->arg_count = 1;
        return ok ? finish(p, expr) : NULL;
    }
    const hk_rcexpr *expr = read_level(p, LEVEL_SUM);
    if (!expr || !(hk_parser_is(p, "as") || hk_parser_is(p, "is")))
        return expr;
    hk_rcexpr *typed = (hk_rcexpr *)(uintptr_t)hk_rcp_make(p, HK_RCE_TYPED, at, expr, NULL);
    if (!typed)
        return NULL;
    typed->name.text = p->token.text;
    hk_parser_take(p);
    typed->type = hk_rcp_type(p);
    return typed->type ? typed : NULL;
}

static const hk_rcexpr *read_operand(hk_parser *p, int level) {
    switch (level) {
    case LEVEL_AND:
        return hk_parser_is(p, "not") ? read_unary(p, HK_RCE_NOT) : read_level(p, LEVEL_COMPARE);
    case LEVEL_COMPARE:
        return read_special(p);
    case LEVEL_CAT:
        return hk_parser_is_mark(p, "-") ? read_unary(p, HK_RCE_NEGATE) : read_postfix(p);
    default:
        return read_level(p, level + 1);
    }
}

/* The operator of the level that is ahead; NULL: none. */
static const char *find_operator(const hk_parser *p, int level) {
    static const char *const all[][8] = {
        {"iff"},    {"=>"},          {"\\/"},     {"/\\"}, {"==", "!=", "<", "<=", ">", ">=", "in"},
        {"+", "-"}, {"*", "/", "%"}, {"^", "cat"}};
    for (size_t i = 0; i < 8 && all[level][i]; i++)
        if (hk_parser_is_mark(p, all[level][i]) || hk_parser_is(p, all[level][i]))
            return all[level][i];
    return NULL;
}

static const hk_rcexpr *read_level(hk_parser *p, int level) {
    const hk_rcexpr *left = read_operand(p, level);
    const char *op;
    while (left && (op = find_operator(p, level))) {
        hk_place at = hk_parser_here(p);
        hk_parser_take(p);
        const hk_rcexpr *right = read_operand(p, level);
        hk_rcexpr *both =
            right ? (hk_rcexpr *)(uintptr_t)hk_rcp_make(p, HK_RCE_BINARY, at, left, right) : NULL;
        if (both)
            both->name.text = strcmp(op, "cat") == 0 ? "^" : op;
        left = both;
    }
    return left;
}

static const hk_rcexpr *read_sequence(hk_parser *p, hk_place at) {
    hk_rcexpr *expr = hk_rcp_new(p, HK_RCE_SEQ, at);
    hk_list args = HK_LIST(const hk_rcexpr *);
    bool more = !hk_parser_is_mark(p, ">"), ok = true;
    while (more && ok) {
        const hk_rcexpr *arg = read_level(p, LEVEL_SUM);
        ok = arg != NULL;
        if (ok)
            hk_list_add(&args, &arg);
        more = ok && hk_parser_skip_mark(p, ",");
    }
    expr->arg_count = args.count;
    expr->args = hk_list_keep(p->arena, &args);
    return ok && hk_parser_expect_mark(p, ">") ? finish(p, expr) : NULL;
}

static const hk_rcexpr *read_quantifier(hk_parser *p) {
    static const char *const words[] = {"forall", "exists", "exists1", "lambda"};
    hk_place at = hk_parser_here(p);
    for (size_t i = 0; i < 4; i++)
        if (hk_parser_skip(p, words[i])) {
            hk_rcexpr *expr = hk_rcp_new(p, HK_RCE_BINDER, at);
            expr->name.text = words[i];
            return read_binder(p, expr, false);
        }
    return read_level(p, LEVEL_IFF);
}

const hk_rcexpr *hk_rcp_expr(hk_parser *p) {
    if (!hk_parser_enter(p))
        return NULL;
    const hk_rcexpr *expr = read_quantifier(p);
    hk_parser_leave(p);
    return expr;
}

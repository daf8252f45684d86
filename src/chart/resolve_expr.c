/* SPDX-License-Identifier: MIT
 *
 * Expressions: names, numbers, operators. Every operand gets its type here, so that nobody has to
 * find it again. */
#include "chart/resolve_internal.h"

#include "base/number.h"

#include <string.h>

/* ---- nodes ------------------------------------------------------------------------------------
 */

hk_chart_expr *hk_rcr_new(hk_rcenv *env, hk_chart_op op, const hk_chart_type *type,
                          const hk_place *at) {
    hk_chart_expr *expr = HK_NEW(env->r->arena, hk_chart_expr);
    *expr = (hk_chart_expr){.op = op,
                            .type = type,
                            .cell = HK_CHART_NONE,
                            .clock = HK_CHART_NONE,
                            .state = HK_CHART_NONE,
                            .line = at->line,
                            .column = at->column};
    return expr;
}

const hk_chart_expr *const *hk_rcr_args(hk_rcenv *env, const hk_chart_expr *a,
                                        const hk_chart_expr *b, const hk_chart_expr *c) {
    const hk_chart_expr **args = HK_NEW_ARRAY(env->r->arena, const hk_chart_expr *, 3);
    args[0] = a;
    args[1] = b;
    args[2] = c;
    return args;
}

static hk_chart_expr *make(hk_rcenv *env, hk_chart_op op, const hk_chart_type *type,
                           const hk_place *at) {
    return hk_rcr_new(env, op, type, at);
}

static hk_where where_of(const hk_rcenv *env, const hk_rcexpr *expr) {
    return hk_rcr_where(env->file, &expr->at);
}

static const hk_chart_expr *to_real(hk_rcenv *env, const hk_chart_expr *expr) {
    hk_place at = {.line = expr->line, .column = expr->column};
    hk_chart_expr *real = make(env, HK_CHART_TO_REAL, hk_rcr_core(env->r, HK_CHART_REAL), &at);
    if (expr->op == HK_CHART_LITERAL) {
        real->op = HK_CHART_LITERAL;
        real->value.r = (double)expr->value.i;
        return real;
    }
    real->args = hk_rcr_args(env, expr, NULL, NULL);
    real->arg_count = 1;
    return real;
}

/* Whoever stores the value as a nat, or makes a part of something of it, holds it to that. */
static const hk_chart_expr *to_nat(hk_rcenv *env, const hk_chart_expr *expr,
                                   const hk_chart_type *type) {
    hk_place at = {.line = expr->line, .column = expr->column};
    hk_chart_expr *nat = make(env, HK_CHART_TO_NAT, type, &at);
    nat->args = hk_rcr_args(env, expr, NULL, NULL);
    nat->arg_count = 1;
    return nat;
}

const hk_chart_expr *hk_rcr_compared(const hk_chart_expr *expr) {
    if (!expr || expr->op == HK_CHART_TO_NAT)
        return expr ? expr->args[0] : NULL;
    if (expr->op == HK_CHART_BUILD ||
        (expr->op == HK_CHART_BUILTIN && expr->builtin == HK_CHART_CONCAT)) {
        const hk_chart_expr **args = (const hk_chart_expr **)(uintptr_t)expr->args;
        for (uint32_t i = 0; i < expr->arg_count; i++)
            args[i] = hk_rcr_compared(args[i]);
    }
    return expr;
}

const hk_chart_expr *hk_rcr_coerce(hk_rcenv *env, const hk_chart_expr *expr,
                                   const hk_chart_type *type, const char *what) {
    if (!expr)
        return NULL;
    if (type->kind == HK_CHART_NAT && expr->type->kind == HK_CHART_INT)
        return to_nat(env, expr, type);
    if (hk_rcr_fits(type, expr->type))
        return expr;
    if (type->kind == HK_CHART_REAL && hk_rcr_is_number(expr->type))
        return to_real(env, expr);
    hk_rcr_error(env->r,
                 (hk_where){.file = env->file->file, .line = expr->line, .column = expr->column},
                 HK_E_CHART, NULL, "%s is of type %s, and this is of type %s", what, type->name,
                 expr->type->name);
    return NULL;
}

const hk_chart_expr *hk_rcr_value(hk_rcenv *env, const hk_rcexpr *expr, const hk_chart_type *type,
                                  const char *what) {
    return hk_rcr_coerce(env, hk_rcr_expr(env, expr, type), type, what);
}

bool hk_rcr_code(hk_rcenv *env, const hk_rcexpr *expr, const hk_chart_type *type, const char *what,
                 hk_chart_code *ret_code) {
    env->local_count = env->local_size = env->local_max = 0;
    ret_code->expr = type ? hk_rcr_value(env, expr, type, what) : hk_rcr_expr(env, expr, NULL);
    ret_code->frame_size = env->local_max;
    if (env->local_max > env->r->frame_size)
        env->r->frame_size = env->local_max;
    return ret_code->expr != NULL;
}

bool hk_rcr_amount(hk_rcenv *env, const hk_rcexpr *expr, const char *what,
                   hk_chart_code *ret_code) {
    if (!hk_rcr_code(env, expr, NULL, what, ret_code))
        return false;
    return hk_rcr_is_number(ret_code->expr->type) ||
           hk_rcr_error(env->r, where_of(env, expr), HK_E_CHART, NULL,
                        "%s is a number of time units, and this is of type %s", what,
                        ret_code->expr->type->name);
}

/* ---- names and literals -----------------------------------------------------------------------
 */

static const hk_chart_expr *literal(hk_rcenv *env, const hk_rcexpr *expr, const hk_chart_type *type,
                                    hk_cell value) {
    hk_chart_expr *made = make(env, HK_CHART_LITERAL, type, &expr->at);
    made->value = value;
    return made;
}

static const hk_chart_expr *resolve_number(hk_rcenv *env, const hk_rcexpr *expr) {
    const char *text = expr->name.text;
    hk_cell value = {0};
    bool whole = expr->kind == HK_RCE_INTEGER;
    bool ok = whole ? hk_read_i64(text, strlen(text), &value.i)
                    : hk_read_f64(text, strlen(text), &value.r);
    if (ok)
        return literal(env, expr, hk_rcr_core(env->r, whole ? HK_CHART_NAT : HK_CHART_REAL), value);
    hk_rcr_error(env->r, where_of(env, expr), HK_E_CHART, NULL, "the number %.40s is too large",
                 text);
    return NULL;
}

/* Loc::left, Package::Loc::left */
static const hk_chart_expr *resolve_qualified(hk_rcenv *env, const hk_rcexpr *expr) {
    const char *text = expr->name.text, *last = strrchr(text, ':') + 1;
    hk_name type_name = {.text = hk_arena_strndup(env->r->arena, text, (size_t)(last - text) - 2),
                         .at = expr->at};
    hk_rcfound found = hk_rcr_get(env->r, env->file, HK_RC_GIVEN, &type_name);
    const hk_chart_type *type = found.item ? hk_rcr_declared(env->r, found) : NULL;
    if (!type)
        return NULL;
    for (uint32_t i = 0; i < type->item_count; i++)
        if (strcmp(type->items[i], last) == 0)
            return literal(env, expr, type, (hk_cell){.i = i});
    hk_rcr_error(env->r, where_of(env, expr), HK_E_NAME,
                 hk_complaint_suggest(&env->r->complaints, env->r->arena, last, type->items,
                                      type->item_count),
                 type->kind == HK_CHART_ENUMERATION ? "enumeration '%s' has no item '%s'"
                                                    : "type '%s' is not an enumeration with '%s'",
                 type->name, last);
    return NULL;
}

static const hk_chart_expr *unknown_name(hk_rcenv *env, const hk_rcexpr *expr) {
    size_t count = env->name_count + env->local_count, n = 0;
    if (env->machine && env->machine->members.broken)
        return NULL;
    const char **names = HK_NEW_ARRAY(env->r->arena, const char *, count + 1);
    for (size_t i = 0; i < env->name_count; i++)
        names[n++] = env->names[i].name;
    for (size_t i = 0; i < env->local_count; i++)
        names[n++] = env->locals[i].name;
    hk_rcr_error(
        env->r, where_of(env, expr), HK_E_NAME,
        hk_complaint_suggest(&env->r->complaints, env->r->arena, expr->name.text, names, n),
        "there is no variable, constant or item '%s' here", expr->name.text);
    return NULL;
}

static const hk_chart_expr *resolve_name(hk_rcenv *env, const hk_rcexpr *expr,
                                         const hk_chart_type *wanted) {
    const char *text = expr->name.text;
    int64_t item;
    if (strstr(text, "::"))
        return resolve_qualified(env, expr);
    for (size_t i = env->local_count; i > 0; i--)
        if (strcmp(env->locals[i - 1].name, text) == 0) {
            hk_chart_expr *local = make(env, HK_CHART_LOCAL, env->locals[i - 1].type, &expr->at);
            local->cell = env->locals[i - 1].cell;
            return local;
        }
    for (size_t i = 0; i < env->name_count; i++)
        if (strcmp(env->names[i].name, text) == 0) {
            hk_chart_expr *load = make(env, HK_CHART_LOAD, env->names[i].type, &expr->at);
            bool received = env->received && strcmp(env->received, text) == 0;
            load->cell = received ? env->received_cell : env->names[i].cell;
            return load;
        }
    for (uint32_t i = 0; wanted && i < wanted->item_count; i++)
        if (strcmp(wanted->items[i], text) == 0)
            return literal(env, expr, wanted, (hk_cell){.i = i});
    const hk_chart_type *type = hk_rcr_item(env->r, env->file, text, &item);
    if (type)
        return literal(env, expr, type, (hk_cell){.i = item});
    return unknown_name(env, expr);
}

/* ---- operators --------------------------------------------------------------------------------
 */

static hk_chart_expr *apply(hk_rcenv *env, const hk_rcexpr *expr, hk_chart_op op,
                            const hk_chart_expr *a, const hk_chart_expr *b) {
    hk_chart_expr *made = make(env, op, a->type, &expr->at);
    made->args = hk_rcr_args(env, a, b, NULL);
    made->arg_count = b ? 2 : 1;
    return made;
}

static const hk_chart_expr *resolve_truths(hk_rcenv *env, const hk_rcexpr *expr, hk_chart_op op) {
    const hk_chart_type *truth = hk_rcr_core(env->r, HK_CHART_BOOLEAN);
    const char *what = op == HK_CHART_NOT ? "what 'not' negates" : "what is joined here";
    const hk_chart_expr *a = hk_rcr_value(env, expr->args[0], truth, what), *b = NULL;
    if (op != HK_CHART_NOT)
        b = hk_rcr_value(env, expr->args[1], truth, what);
    return a && (b || op == HK_CHART_NOT) ? apply(env, expr, op, a, b) : NULL;
}

/* Makes two numbers one type. */
static bool unify(hk_rcenv *env, const hk_chart_expr **a, const hk_chart_expr **b) {
    bool numbers = hk_rcr_is_number((*a)->type) && hk_rcr_is_number((*b)->type);
    bool real = (*a)->type->kind == HK_CHART_REAL || (*b)->type->kind == HK_CHART_REAL;
    if (numbers && real) {
        *a = hk_rcr_coerce(env, *a, hk_rcr_core(env->r, HK_CHART_REAL), "");
        *b = hk_rcr_coerce(env, *b, hk_rcr_core(env->r, HK_CHART_REAL), "");
    }
    return hk_rcr_fits((*a)->type, (*b)->type);
}

static const hk_chart_expr *needs_numbers(hk_rcenv *env, const hk_rcexpr *expr,
                                          const hk_chart_expr *a, const hk_chart_expr *b) {
    const hk_chart_type *other = hk_rcr_is_number(a->type) && b ? b->type : a->type;
    hk_rcr_error(env->r, where_of(env, expr), HK_E_CHART, NULL,
                 "'%s' is for numbers, and one side is of type %s",
                 expr->kind == HK_RCE_NEGATE ? "-" : expr->name.text, other->name);
    return NULL;
}

static const hk_chart_expr *concatenate(hk_rcenv *env, const hk_rcexpr *expr,
                                        const hk_chart_type *wanted) {
    const hk_chart_expr *a = hk_rcr_expr(env, expr->args[0], wanted);
    const hk_chart_expr *b = a ? hk_rcr_expr(env, expr->args[1], a->type) : NULL;
    if (!a || !b)
        return NULL;
    if (a->type->kind != HK_CHART_SEQUENCE || a->type != b->type) {
        hk_rcr_error(env->r, where_of(env, expr), HK_E_CHART, NULL,
                     "'^' joins two sequences of one type, and these are of types %s and %s",
                     a->type->name, b->type->name);
        return NULL;
    }
    hk_chart_expr *made = apply(env, expr, HK_CHART_BUILTIN, a, b);
    made->builtin = HK_CHART_CONCAT;
    return made;
}

static const hk_chart_expr *resolve_arithmetic(hk_rcenv *env, const hk_rcexpr *expr,
                                               hk_chart_op op) {
    const hk_chart_expr *a = hk_rcr_expr(env, expr->args[0], NULL);
    const hk_chart_expr *b = hk_rcr_expr(env, expr->args[1], NULL);
    if (!a || !b)
        return NULL;
    if (!hk_rcr_is_number(a->type) || !hk_rcr_is_number(b->type))
        return needs_numbers(env, expr, a, b);
    unify(env, &a, &b);
    if (op == HK_CHART_MODULO && a->type->kind == HK_CHART_REAL) {
        hk_rcr_error(env->r, where_of(env, expr), HK_E_CHART, NULL, "'%%' is for integers");
        return NULL;
    }
    hk_chart_expr *made = apply(env, expr, op, a, b);
    if (made->type->kind == HK_CHART_NAT &&
        (b->type->kind == HK_CHART_INT || op == HK_CHART_SUBTRACT))
        made->type = hk_rcr_core(env->r, HK_CHART_INT); /* it may be below 0 */
    return made;
}

static const hk_rcexpr *without_parens(const hk_rcexpr *expr) {
    while (expr->kind == HK_RCE_PARENS)
        expr = expr->args[0];
    return expr;
}

static const hk_chart_expr *resolve_comparison(hk_rcenv *env, const hk_rcexpr *expr,
                                               hk_chart_op op) {
    bool order = op != HK_CHART_EQUAL && op != HK_CHART_UNEQUAL, guard = env->guard;
    const hk_rcexpr *sides[2] = {without_parens(expr->args[0]), without_parens(expr->args[1])};
    const hk_chart_expr *both[2] = {NULL, NULL};
    size_t first = sides[0]->kind == HK_RCE_SEQ; /* its type is told by the other one */
    for (size_t i = 0; i < 2; i++) {
        size_t k = i ^ first;
        bool clock = sides[k]->kind == HK_RCE_SINCE || sides[k]->kind == HK_RCE_SINCE_ENTRY;
        env->guard = guard && clock;
        both[k] = hk_rcr_expr(env, sides[k], i && both[first] ? both[first]->type : NULL);
        env->guard = guard;
    }
    both[0] = hk_rcr_compared(both[0]);
    both[1] = hk_rcr_compared(both[1]);
    if (!both[0] || !both[1])
        return NULL;
    bool fit = unify(env, &both[0], &both[1]);
    bool numbers = hk_rcr_is_number(both[0]->type);
    if (order && (!numbers || !fit))
        return needs_numbers(env, expr, both[0], both[1]);
    if (!fit) {
        hk_rcr_error(env->r, where_of(env, expr), HK_E_CHART, NULL,
                     "'%s' compares what is of types %s and %s", expr->name.text,
                     both[0]->type->name, both[1]->type->name);
        return NULL;
    }
    if (!hk_rcr_check_clock(env, sides[0], both[0], both[1]) ||
        !hk_rcr_check_clock(env, sides[1], both[1], both[0]))
        return NULL;
    hk_chart_expr *made = apply(env, expr, op, both[0], both[1]);
    made->type = hk_rcr_core(env->r, HK_CHART_BOOLEAN);
    return made;
}

static const hk_chart_expr *resolve_binary(hk_rcenv *env, const hk_rcexpr *expr,
                                           const hk_chart_type *wanted) {
    static const struct {
        const char *text;
        hk_chart_op op;
    } all[] = {
        {"+", HK_CHART_ADD},         {"-", HK_CHART_SUBTRACT}, {"*", HK_CHART_MULTIPLY},
        {"/", HK_CHART_DIVIDE},      {"%", HK_CHART_MODULO},   {"/\\", HK_CHART_AND},
        {"\\/", HK_CHART_OR},        {"=>", HK_CHART_IMPLIES}, {"iff", HK_CHART_IFF},
        {"==", HK_CHART_EQUAL},      {"!=", HK_CHART_UNEQUAL}, {"<", HK_CHART_LESS},
        {"<=", HK_CHART_LESS_EQUAL}, {">", HK_CHART_GREATER},  {">=", HK_CHART_GREATER_EQUAL}};
    if (strcmp(expr->name.text, "in") == 0)
        return hk_rcr_in(env, expr);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].text, expr->name.text) == 0)
            return i < 5   ? resolve_arithmetic(env, expr, all[i].op)
                   : i < 9 ? resolve_truths(env, expr, all[i].op)
                           : resolve_comparison(env, expr, all[i].op);
    return concatenate(env, expr, wanted);
}

static const hk_chart_expr *resolve_negation(hk_rcenv *env, const hk_rcexpr *expr) {
    const hk_chart_expr *a = hk_rcr_expr(env, expr->args[0], NULL);
    if (!a)
        return NULL;
    if (!hk_rcr_is_number(a->type))
        return needs_numbers(env, expr, a, NULL);
    hk_chart_expr *made = apply(env, expr, HK_CHART_NEGATE, a, NULL);
    if (made->type->kind == HK_CHART_NAT)
        made->type = hk_rcr_core(env->r, HK_CHART_INT);
    if (a->op == HK_CHART_LITERAL) {
        made->op = HK_CHART_LITERAL;
        made->arg_count = 0;
        if (made->type->kind == HK_CHART_REAL)
            made->value.r = -a->value.r;
        else
            made->value.i = -a->value.i;
    }
    return made;
}

static const hk_chart_expr *resolve_choice(hk_rcenv *env, const hk_rcexpr *expr,
                                           const hk_chart_type *wanted) {
    const hk_chart_expr *condition =
        hk_rcr_value(env, expr->args[0], hk_rcr_core(env->r, HK_CHART_BOOLEAN), "what 'if' asks");
    const hk_chart_expr *yes = hk_rcr_expr(env, expr->args[1], wanted);
    const hk_chart_expr *no = hk_rcr_expr(env, expr->args[2], yes ? yes->type : wanted);
    if (!condition || !yes || !no)
        return NULL;
    if (!unify(env, &yes, &no)) {
        hk_rcr_error(env->r, where_of(env, expr), HK_E_CHART, NULL,
                     "'then' is of type %s, and 'else' of type %s", yes->type->name,
                     no->type->name);
        return NULL;
    }
    hk_chart_expr *made =
        make(env, HK_CHART_IF, no->type->kind == HK_CHART_INT ? no->type : yes->type, &expr->at);
    made->args = hk_rcr_args(env, condition, yes, no);
    made->arg_count = 3;
    return made;
}

/* ---- all ----------------------------------------------------------------------------------------
 */

static const hk_chart_expr *resolve_word(hk_rcenv *env, const hk_rcexpr *expr) {
    if (strcmp(expr->name.text, "result") != 0)
        hk_rcr_refuse(env->r, where_of(env, expr), expr->name.text, NULL);
    else
        hk_rcr_error(env->r, where_of(env, expr), HK_E_CHART,
                     "a function says 'postcondition result == E', and E is computed",
                     "'result' has no value here");
    return NULL;
}

static const hk_chart_expr *refuse(hk_rcenv *env, const hk_rcexpr *expr, const char *what) {
    hk_rcr_refuse(env->r, where_of(env, expr), what, NULL);
    return NULL;
}

static const hk_chart_expr *resolve(hk_rcenv *env, const hk_rcexpr *expr,
                                    const hk_chart_type *wanted) {
    switch (expr->kind) {
    case HK_RCE_INTEGER:
    case HK_RCE_REAL:
        return resolve_number(env, expr);
    case HK_RCE_TRUTH:
        return literal(env, expr, hk_rcr_core(env->r, HK_CHART_BOOLEAN),
                       (hk_cell){.i = expr->name.text[0] == 't'});
    case HK_RCE_REF:
        return resolve_name(env, expr, wanted);
    case HK_RCE_WORD:
        return resolve_word(env, expr);
    case HK_RCE_CALL:
        return hk_rcr_call(env, expr, wanted);
    case HK_RCE_PARENS:
        return hk_rcr_expr(env, expr->args[0], wanted);
    case HK_RCE_SINCE:
    case HK_RCE_SINCE_ENTRY:
        return hk_rcr_since(env, expr);
    case HK_RCE_FIELD:
    case HK_RCE_INDEX:
        return hk_rcr_part(env, expr);
    case HK_RCE_NEGATE:
        return resolve_negation(env, expr);
    case HK_RCE_NOT:
        return resolve_truths(env, expr, HK_CHART_NOT);
    case HK_RCE_BINARY:
        return resolve_binary(env, expr, wanted);
    case HK_RCE_IF:
        return resolve_choice(env, expr, wanted);
    case HK_RCE_LET:
        return hk_rcr_let(env, expr, wanted);
    case HK_RCE_BINDER:
        return hk_rcr_binder(env, expr);
    case HK_RCE_STRING:
        return refuse(env, expr, "string");
    case HK_RCE_SET_COMP:
        return refuse(env, expr, "{ x : T | ... } (sets by comprehension)");
    case HK_RCE_UNARY_CALL:
    case HK_RCE_TYPED:
        return refuse(env, expr, expr->name.text);
    default:
        return hk_rcr_build(env, expr, wanted);
    }
}

/* Does it pass truths on, so that clocks may be compared in it? */
static bool passes_truths(const hk_rcexpr *expr) {
    switch (expr->kind) {
    case HK_RCE_BINARY:
        return strcmp(expr->name.text, "in") != 0;
    case HK_RCE_PARENS:
    case HK_RCE_NOT:
    case HK_RCE_IF:
    case HK_RCE_LET:
    case HK_RCE_BINDER:
    case HK_RCE_SINCE:
    case HK_RCE_SINCE_ENTRY:
        return true;
    default:
        return false;
    }
}

const hk_chart_expr *hk_rcr_expr(hk_rcenv *env, const hk_rcexpr *expr,
                                 const hk_chart_type *wanted) {
    bool guard = env->guard;
    env->guard = guard && passes_truths(expr);
    const hk_chart_expr *made = resolve(env, expr, wanted);
    env->guard = guard;
    return made;
}

/* SPDX-License-Identifier: MIT
 *
 * Functions: those that say what their result is, and those that are built in. And numbers that are
 * known before a run. */
#include "chart/resolve_internal.h"

#include <math.h>
#include <string.h>

static hk_where where_of(const hk_rcenv *env, const hk_rcexpr *expr) {
    return hk_rcr_where(env->file, &expr->at);
}

/* ---- functions of the package -----------------------------------------------------------------
 */

static const hk_rcexpr *without_parens(const hk_rcexpr *expr) {
    while (expr->kind == HK_RCE_PARENS)
        expr = expr->args[0];
    return expr;
}

static bool is_result(const hk_rcexpr *expr) {
    return expr->kind == HK_RCE_WORD && strcmp(expr->name.text, "result") == 0;
}

/* The E of "result == E"; NULL: it says something else. */
static const hk_rcexpr *find_result(const hk_rcexpr *expr) {
    expr = without_parens(expr);
    if (expr->kind != HK_RCE_BINARY || strcmp(expr->name.text, "==") != 0)
        return NULL;
    const hk_rcexpr *left = without_parens(expr->args[0]), *right = without_parens(expr->args[1]);
    return is_result(left) ? right : is_result(right) ? left : NULL;
}

static bool resolve_parameters(hk_resolver *r, hk_rcfound found, hk_rcenv *env,
                               hk_chart_function *function) {
    size_t count = found.item->var_count;
    const char **names = HK_NEW_ARRAY(r->arena, const char *, count + 1);
    const hk_chart_type **types = HK_NEW_ARRAY(r->arena, const hk_chart_type *, count + 1);
    if (count > sizeof env->locals / sizeof *env->locals / 2)
        return hk_rcr_error(r, hk_rcr_where(found.file, &found.item->name.at), HK_E_CHART, NULL,
                            "function '%s' has more than %zu parameters", found.item->name.text,
                            sizeof env->locals / sizeof *env->locals / 2);
    for (size_t i = 0; i < count; i++) {
        names[i] = found.item->vars[i].name.text;
        types[i] = hk_rcr_type(r, found.file, found.item->vars[i].type);
        if (!types[i])
            return false;
        env->locals[env->local_count++] =
            (hk_rcname){.name = names[i], .type = types[i], .cell = env->local_size};
        env->local_size += types[i]->size;
    }
    env->local_max = env->local_size;
    function->parameters = names;
    function->parameter_types = types;
    function->parameter_count = (uint32_t)count;
    function->type = hk_rcr_type(r, found.file, found.item->type);
    return function->type != NULL;
}

/* Postconditions that are not computed are not looked at. */
static void warn_of_others(hk_resolver *r, hk_rcfound found) {
    bool before = false;
    for (size_t i = 0; r->lint && i < found.item->item_count; i++) {
        const hk_rcitem *item = &found.item->items[i];
        if (item->kind != HK_RC_POSTCONDITION)
            continue;
        bool result = find_result(item->value) && !before;
        before |= result;
        if (!result)
            hk_rcr_warn(r, hk_rcr_where(found.file, &item->at), NULL,
                        "this postcondition is not looked at: the function is computed by "
                        "another one, 'result == E'");
    }
}

/* Body and preconditions; its callers may be in them. */
static bool resolve_body(hk_rcenv *env, hk_rcfound found, hk_chart_function *function) {
    const hk_chart_type *truth = hk_rcr_core(env->r, HK_CHART_BOOLEAN);
    const hk_chart_expr **conditions =
        HK_NEW_ARRAY(env->r->arena, const hk_chart_expr *, found.item->item_count + 1);
    bool ok = true;
    for (size_t i = 0; i < found.item->item_count; i++) {
        const hk_rcitem *item = &found.item->items[i];
        const hk_rcexpr *result =
            item->kind == HK_RC_POSTCONDITION ? find_result(item->value) : NULL;
        if (item->kind == HK_RC_PRECONDITION) {
            const hk_chart_expr *expr = hk_rcr_value(env, item->value, truth, "a precondition");
            ok = expr && ok;
            conditions[function->precondition_count++] = expr;
        } else if (result && !function->body) {
            function->body = hk_rcr_value(env, result, function->type, "the result");
            ok = function->body && ok;
        }
    }
    function->preconditions = conditions;
    if (function->body && ok)
        warn_of_others(env->r, found);
    if (function->body || !ok)
        return ok;
    return hk_rcr_error(env->r, hk_rcr_where(found.file, &found.item->name.at), HK_E_SUBSET,
                        "say what it is: postcondition result == E",
                        "not in hocket's subset: function '%s', which does not say its result",
                        found.item->name.text);
}

/* NULL: it has mistakes, or is being resolved and will have. */
static const hk_chart_function *get_function(hk_resolver *r, hk_rcfound found) {
    hk_rcfunction *all = r->functions.data;
    for (size_t i = 0; i < r->functions.count; i++)
        if (all[i].item == found.item)
            return all[i].function;
    if (r->functions.count >= 10000)
        return NULL;
    hk_chart_function *function = HK_NEW(r->arena, hk_chart_function);
    *function = (hk_chart_function){.name = found.item->name.text,
                                    .line = found.item->name.at.line,
                                    .column = found.item->name.at.column};
    hk_rcenv env = {.r = r, .file = found.file};
    size_t index = r->functions.count;
    hk_list_add(&r->functions, &(hk_rcfunction){found.item, function});
    bool ok = resolve_parameters(r, found, &env, function);
    if (ok && r->call_depth == HK_CHART_DEPTH_MAX)
        ok = hk_rcr_error(r, hk_rcr_where(found.file, &found.item->name.at), HK_E_CHART, NULL,
                          "functions call each other more than %d deep", HK_CHART_DEPTH_MAX);
    r->call_depth++;
    ok = ok && resolve_body(&env, found, function);
    r->call_depth--;
    function->frame_size = env.local_max;
    if (!ok)
        ((hk_rcfunction *)r->functions.data)[index].function = NULL;
    return ok ? function : NULL;
}

void hk_rcr_check_function(hk_resolver *r, hk_rcfound found) {
    for (size_t i = 0; i < found.item->item_count; i++)
        if (found.item->items[i].kind == HK_RC_POSTCONDITION &&
            find_result(found.item->items[i].value)) {
            (void)get_function(r, found);
            return;
        }
}

static const hk_chart_expr *call_function(hk_rcenv *env, const hk_rcexpr *expr, hk_rcfound found) {
    const hk_chart_function *function = get_function(env->r, found);
    if (!function || !function->type)
        return NULL;
    size_t count = expr->arg_count - 1;
    if (count != function->parameter_count) {
        hk_rcr_error(env->r, where_of(env, expr), HK_E_CHART, NULL,
                     "function '%s' has %u parameter%s, and %zu %s given", function->name,
                     function->parameter_count, hk_plural(function->parameter_count), count,
                     count == 1 ? "is" : "are");
        return NULL;
    }
    const hk_chart_expr **args = HK_NEW_ARRAY(env->r->arena, const hk_chart_expr *, count + 1);
    for (size_t i = 0; i < count; i++) {
        const char *what = hk_arena_printf(env->r->arena, "parameter '%s' of '%s'",
                                           function->parameters[i], function->name);
        args[i] = hk_rcr_value(env, expr->args[i + 1], function->parameter_types[i], what);
        if (!args[i])
            return NULL;
    }
    hk_chart_expr *made = hk_rcr_new(env, HK_CHART_CALL, function->type, &expr->at);
    made->function = function;
    made->args = args;
    made->arg_count = (uint32_t)count;
    return made;
}

/* ---- built in ---------------------------------------------------------------------------------
 */

static const struct builtin {
    const char *name;
    hk_chart_builtin builtin;
    size_t count;
} builtins[] = {{"size", HK_CHART_SIZE, 1},   {"head", HK_CHART_HEAD, 1},
                {"tail", HK_CHART_TAIL, 1},   {"last", HK_CHART_LAST, 1},
                {"front", HK_CHART_FRONT, 1}, {"min", HK_CHART_MIN, 2},
                {"max", HK_CHART_MAX, 2},     {"abs", HK_CHART_ABS, 1}};

/* Functions of the toolkits that come with RoboChart and are about sets and relations. */
static bool is_of_toolkit(const char *name) {
    static const char *const all[] = {"dom",   "ran",      "card",    "union",  "intersection",
                                      "power", "bigunion", "rev",     "filter", "squash",
                                      "items", "elems",    "inverse", "id",     "iseq"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i], name) == 0)
            return true;
    return false;
}

static const hk_chart_expr *call_numbers(hk_rcenv *env, const hk_rcexpr *expr,
                                         const struct builtin *b) {
    const hk_chart_expr *x = hk_rcr_expr(env, expr->args[1], NULL), *y = NULL;
    if (b->count == 2)
        y = hk_rcr_expr(env, expr->args[2], NULL);
    if (!x || (b->count == 2 && !y))
        return NULL;
    if (!hk_rcr_is_number(x->type) || (y && !hk_rcr_is_number(y->type))) {
        hk_rcr_error(env->r, where_of(env, expr), HK_E_CHART, NULL, "'%s' is for numbers", b->name);
        return NULL;
    }
    bool real = x->type->kind == HK_CHART_REAL || (y && y->type->kind == HK_CHART_REAL);
    bool whole = x->type->kind == HK_CHART_INT || (y && y->type->kind == HK_CHART_INT);
    const hk_chart_type *type = hk_rcr_core(env->r, real    ? HK_CHART_REAL
                                                    : whole ? HK_CHART_INT
                                                            : HK_CHART_NAT);
    hk_chart_expr *made = hk_rcr_new(env, HK_CHART_BUILTIN, type, &expr->at);
    made->builtin = b->builtin;
    made->args = hk_rcr_args(env, hk_rcr_coerce(env, x, type, ""),
                             y ? hk_rcr_coerce(env, y, type, "") : NULL, NULL);
    made->arg_count = (uint32_t)b->count;
    return made;
}

static const hk_chart_expr *call_builtin(hk_rcenv *env, const hk_rcexpr *expr,
                                         const struct builtin *b, const hk_chart_type *wanted) {
    if (expr->arg_count - 1 != b->count) {
        hk_rcr_error(env->r, where_of(env, expr), HK_E_CHART, NULL, "'%s' has %zu argument%s",
                     b->name, b->count, hk_plural(b->count));
        return NULL;
    }
    if (b->builtin >= HK_CHART_MIN)
        return call_numbers(env, expr, b);
    bool keeps = b->builtin == HK_CHART_TAIL || b->builtin == HK_CHART_FRONT;
    const hk_chart_expr *s = hk_rcr_expr(env, expr->args[1], keeps ? wanted : NULL);
    if (!s)
        return NULL;
    if (s->type->kind != HK_CHART_SEQUENCE) {
        hk_rcr_error(env->r, where_of(env, expr), HK_E_CHART, NULL,
                     "'%s' is for sequences, and this is of type %s", b->name, s->type->name);
        return NULL;
    }
    const hk_chart_type *type = b->builtin == HK_CHART_SIZE ? hk_rcr_core(env->r, HK_CHART_NAT)
                                : keeps                     ? s->type
                                                            : s->type->element;
    hk_chart_expr *made = hk_rcr_new(env, HK_CHART_BUILTIN, type, &expr->at);
    made->builtin = b->builtin;
    made->args = hk_rcr_args(env, s, NULL, NULL);
    made->arg_count = 1;
    return made;
}

const hk_chart_expr *hk_rcr_call(hk_rcenv *env, const hk_rcexpr *expr,
                                 const hk_chart_type *wanted) {
    const hk_rcexpr *callee = without_parens(expr->args[0]);
    if (callee->kind == HK_RCE_BINDER)
        return hk_rcr_expr(env, callee, NULL);
    if (callee->kind != HK_RCE_REF) {
        hk_rcr_refuse(env->r, where_of(env, expr), "calls of what is not the name of a function",
                      NULL);
        return NULL;
    }
    const char *name = callee->name.text;
    hk_rcfound found = hk_rcr_find(env->r, env->file, HK_RC_FUNCTION, name);
    if (found.item)
        return call_function(env, expr, found);
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (strcmp(builtins[i].name, name) == 0)
            return call_builtin(env, expr, &builtins[i], wanted);
    if (is_of_toolkit(name))
        hk_rcr_refuse(env->r, where_of(env, expr), name, NULL);
    else
        hk_rcr_get(env->r, env->file, HK_RC_FUNCTION, &callee->name);
    return NULL;
}

/* ---- numbers that are known -------------------------------------------------------------------
 */

static double value_of(const hk_chart_expr *expr) {
    return expr->type->kind == HK_CHART_REAL ? expr->value.r : (double)expr->value.i;
}

static bool calculate(const hk_chart_expr *expr, double a, double b, double *ret_value) {
    bool real = expr->type->kind == HK_CHART_REAL;
    switch (expr->op) {
    case HK_CHART_TO_REAL:
        *ret_value = a;
        return true;
    case HK_CHART_TO_NAT:
        *ret_value = a;
        return a >= 0;
    case HK_CHART_NEGATE:
        *ret_value = -a;
        return true;
    case HK_CHART_ADD:
        *ret_value = a + b;
        return true;
    case HK_CHART_SUBTRACT:
        *ret_value = a - b;
        return true;
    case HK_CHART_MULTIPLY:
        *ret_value = a * b;
        return true;
    case HK_CHART_DIVIDE:
        *ret_value = real ? a / b : floor(a / b);
        return b != 0;
    default:
        return false;
    }
}

bool hk_rcr_constant(const hk_rcenv *env, const hk_chart_expr *expr, bool with_constants,
                     double *ret_value) {
    double a = 0, b = 0;
    if (expr->op == HK_CHART_LITERAL && hk_rcr_is_number(expr->type)) {
        *ret_value = value_of(expr);
        return true;
    }
    if (expr->op == HK_CHART_LOAD && with_constants) {
        for (size_t i = 0; i < env->name_count; i++)
            if (env->names[i].cell == expr->cell && env->names[i].constant && env->names[i].start &&
                env->names[i].start->expr)
                return hk_rcr_constant(env, env->names[i].start->expr, true, ret_value);
        return false;
    }
    if (!expr->arg_count || expr->arg_count > 2 || expr->op == HK_CHART_CALL ||
        expr->op == HK_CHART_BUILTIN || !hk_rcr_constant(env, expr->args[0], with_constants, &a) ||
        (expr->arg_count == 2 && !hk_rcr_constant(env, expr->args[1], with_constants, &b)))
        return false;
    return calculate(expr, a, b, ret_value);
}

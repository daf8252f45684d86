/* SPDX-License-Identifier: MIT
 *
 * Expressions with structure: records, tuples, sequences, vectors and their parts; let,
 * quantifiers, membership. */
#include "chart/resolve_internal.h"

#include <string.h>

static hk_where where_of(const hk_rcenv *env, const hk_rcexpr *expr) {
    return hk_rcr_where(env->file, &expr->at);
}

static const hk_chart_expr *wrong(hk_rcenv *env, const hk_rcexpr *expr, const char *hint,
                                  const char *text) {
    hk_rcr_error(env->r, where_of(env, expr), HK_E_CHART, hint, "%s", text);
    return NULL;
}

/* ---- values that are put together -------------------------------------------------------------
 */

static const hk_chart_expr *build(hk_rcenv *env, const hk_rcexpr *expr, const hk_chart_type *type,
                                  const hk_chart_expr *const *args, size_t count) {
    hk_chart_expr *made = hk_rcr_new(env, HK_CHART_BUILD, type, &expr->at);
    made->args = args;
    made->arg_count = (uint32_t)count;
    return made;
}

static const hk_chart_expr *build_record(hk_rcenv *env, const hk_rcexpr *expr) {
    hk_rcfound found = hk_rcr_get(env->r, env->file, HK_RC_GIVEN, &expr->name);
    const hk_chart_type *type = found.item ? hk_rcr_declared(env->r, found) : NULL;
    if (!type)
        return NULL;
    if (type->kind != HK_CHART_RECORD)
        return wrong(env, expr, NULL, "only a record is written NAME (| field = value |)");
    const hk_chart_expr **args =
        HK_NEW_ARRAY(env->r->arena, const hk_chart_expr *, type->field_count);
    bool ok = true;
    for (size_t i = 0; i < expr->var_count; i++) {
        const hk_rcvar *var = &expr->vars[i];
        hk_where where = hk_rcr_where(env->file, &var->name.at);
        uint32_t f = 0;
        while (f < type->field_count && strcmp(type->fields[f].name, var->name.text) != 0)
            f++;
        if (f == type->field_count)
            ok = hk_rcr_error(env->r, where, HK_E_NAME, NULL, "record '%s' has no field '%s'",
                              type->name, var->name.text);
        else if (args[f])
            ok = hk_rcr_error(env->r, where, HK_E_DUPLICATE, NULL, "field '%s' is given twice",
                              var->name.text);
        else
            ok =
                (args[f] = hk_rcr_value(env, var->value, type->fields[f].type, "this field")) && ok;
        if (!ok)
            return NULL;
    }
    for (uint32_t f = 0; f < type->field_count; f++)
        if (!args[f]) {
            hk_rcr_error(env->r, where_of(env, expr), HK_E_CHART, NULL,
                         "field '%s' of record '%s' is missing", type->fields[f].name, type->name);
            return NULL;
        }
    return build(env, expr, type, args, type->field_count);
}

static const hk_chart_expr *build_tuple(hk_rcenv *env, const hk_rcexpr *expr,
                                        const hk_chart_type *wanted) {
    bool told = wanted && wanted->kind == HK_CHART_TUPLE && wanted->field_count == expr->arg_count;
    const hk_chart_expr **args =
        HK_NEW_ARRAY(env->r->arena, const hk_chart_expr *, expr->arg_count + 1);
    const hk_chart_type **types =
        HK_NEW_ARRAY(env->r->arena, const hk_chart_type *, expr->arg_count + 1);
    if (expr->arg_count < 2)
        return wrong(env, expr, NULL, "a tuple has two parts or more");
    for (size_t i = 0; i < expr->arg_count; i++) {
        args[i] = told ? hk_rcr_value(env, expr->args[i], wanted->fields[i].type, "this part")
                       : hk_rcr_expr(env, expr->args[i], NULL);
        if (!args[i])
            return NULL;
        types[i] = args[i]->type;
    }
    return build(env, expr, told ? wanted : hk_rcr_tuple(env->r, types, expr->arg_count), args,
                 expr->arg_count);
}

/* Elements of one type; ELEMENT: which, NULL: that of the first, as an integer or real if others
 * are. */
static const hk_chart_expr **elements(hk_rcenv *env, const hk_rcexpr *expr,
                                      const hk_chart_type **element) {
    bool told = *element;
    const hk_chart_expr **args =
        HK_NEW_ARRAY(env->r->arena, const hk_chart_expr *, expr->arg_count + 1);
    for (size_t i = 0; i < expr->arg_count; i++) {
        args[i] = hk_rcr_expr(env, expr->args[i], *element);
        if (!args[i])
            return NULL;
        if (!*element)
            *element = args[i]->type;
        else if (i && args[i]->type->kind == HK_CHART_REAL && hk_rcr_is_number(*element))
            *element = args[i]->type;
        else if (!told && (*element)->kind == HK_CHART_NAT && args[i]->type->kind == HK_CHART_INT)
            *element = args[i]->type;
    }
    for (size_t i = 0; i < expr->arg_count; i++) {
        args[i] = hk_rcr_coerce(env, args[i], *element, "the first element");
        if (!args[i])
            return NULL;
    }
    return args;
}

static const hk_chart_expr *build_sequence(hk_rcenv *env, const hk_rcexpr *expr,
                                           const hk_chart_type *wanted) {
    bool told = wanted && wanted->kind == HK_CHART_SEQUENCE;
    const hk_chart_type *element = told ? wanted->element : NULL;
    if (!expr->arg_count && !element)
        return wrong(env, expr, NULL, "nothing says which type the elements of this have");
    if (expr->arg_count > HK_CHART_SEQUENCE_MAX)
        return wrong(env, expr, NULL, "a sequence has at most 16 elements here");
    const hk_chart_expr **args = elements(env, expr, &element);
    return args ? build(env, expr, hk_rcr_sequence(env->r, element), args, expr->arg_count) : NULL;
}

static const hk_chart_expr *build_vector(hk_rcenv *env, const hk_rcexpr *expr,
                                         const hk_chart_type *wanted) {
    bool matrix = expr->kind == HK_RCE_MATRIX;
    size_t rows = matrix ? expr->arg_count : 1;
    size_t columns = matrix ? expr->args[0]->arg_count : expr->arg_count;
    bool told = wanted && (wanted->kind == HK_CHART_VECTOR || wanted->kind == HK_CHART_MATRIX);
    const hk_chart_type *element = told ? wanted->element : NULL;
    hk_rcexpr flat = {.at = expr->at, .arg_count = rows * columns};
    const hk_rcexpr **all = HK_NEW_ARRAY(env->r->arena, const hk_rcexpr *, rows *columns + 1);
    if (rows * columns > 1000)
        return wrong(env, expr, NULL, "a vector or matrix has at most 1000 elements here");
    for (size_t i = 0; i < rows; i++) {
        const hk_rcexpr *row = matrix ? expr->args[i] : expr;
        if (row->arg_count != columns)
            return wrong(env, row, NULL, "the rows of a matrix are of one length");
        memcpy(all + i * columns, row->args, columns * sizeof *all);
    }
    flat.args = all;
    const hk_chart_expr **args = elements(env, &flat, &element);
    if (!args)
        return NULL;
    const hk_chart_type *type =
        matrix ? hk_rcr_array(env->r, element, (uint32_t)rows, (uint32_t)columns, true)
               : hk_rcr_array(env->r, element, (uint32_t)columns, 1, false);
    return build(env, expr, type, args, flat.arg_count);
}

const hk_chart_expr *hk_rcr_build(hk_rcenv *env, const hk_rcexpr *expr,
                                  const hk_chart_type *wanted) {
    switch (expr->kind) {
    case HK_RCE_RECORD:
        return build_record(env, expr);
    case HK_RCE_TUPLE:
        return build_tuple(env, expr, wanted);
    case HK_RCE_SEQ:
        return build_sequence(env, expr, wanted);
    case HK_RCE_VECTOR:
    case HK_RCE_MATRIX:
        return build_vector(env, expr, wanted);
    case HK_RCE_SET:
    case HK_RCE_SET_RANGE:
        hk_rcr_refuse(env->r, where_of(env, expr), "Set", "sets are used behind 'in' only");
        return NULL;
    default:
        return wrong(env, expr, NULL, "an interval is used behind 'in' and in 'wait' only");
    }
}

/* ---- parts ------------------------------------------------------------------------------------
 */

const hk_chart_field *hk_rcr_field(hk_rcenv *env, const hk_rcexpr *part,
                                   const hk_chart_type *type) {
    bool numbered = part->kind == HK_RCE_INDEX;
    const char *name = part->name.text;
    if (numbered)
        name = part->arg_count == 2 && part->args[1]->kind == HK_RCE_INTEGER
                   ? part->args[1]->name.text
                   : "";
    for (uint32_t i = 0; i < type->field_count; i++)
        if (strcmp(type->fields[i].name, name) == 0)
            return &type->fields[i];
    if (numbered)
        hk_rcr_error(env->r, where_of(env, part), HK_E_CHART, NULL,
                     "a part of a tuple is named by one number from 1 to %u", type->field_count);
    else
        hk_rcr_error(env->r, where_of(env, part), HK_E_NAME, NULL, "type %s has no field '%s'",
                     type->name, name);
    return NULL;
}

static const hk_chart_expr *resolve_field(hk_rcenv *env, const hk_rcexpr *expr,
                                          const hk_chart_expr *whole) {
    const hk_chart_field *field = hk_rcr_field(env, expr, whole->type);
    if (!field)
        return NULL;
    hk_chart_expr *made = hk_rcr_new(env, HK_CHART_FIELD, field->type, &expr->at);
    made->cell = field->offset;
    made->args = hk_rcr_args(env, whole, NULL, NULL);
    made->arg_count = 1;
    return made;
}

static const hk_chart_expr *resolve_index(hk_rcenv *env, const hk_rcexpr *expr,
                                          const hk_chart_expr *whole) {
    const hk_chart_type *type = whole->type, *integer = hk_rcr_core(env->r, HK_CHART_INT);
    size_t wanted = type->kind == HK_CHART_MATRIX ? 2 : 1;
    if (!type->element)
        return wrong(env, expr, NULL, "only sequences, vectors, matrices and tuples have elements");
    if (expr->arg_count != wanted + 1)
        return wrong(env, expr, NULL,
                     wanted == 2 ? "an element of a matrix has two indices"
                                 : "an element of a sequence or vector has one index");
    hk_chart_expr *made = hk_rcr_new(env, HK_CHART_INDEX, type->element, &expr->at);
    const hk_chart_expr *row = hk_rcr_value(env, expr->args[1], integer, "an index");
    const hk_chart_expr *column =
        wanted == 2 ? hk_rcr_value(env, expr->args[2], integer, "an index") : NULL;
    if (!row || (wanted == 2 && !column))
        return NULL;
    made->args = hk_rcr_args(env, whole, row, column);
    made->arg_count = (uint32_t)wanted + 1;
    return made;
}

const hk_chart_expr *hk_rcr_part(hk_rcenv *env, const hk_rcexpr *expr) {
    const hk_chart_expr *whole = hk_rcr_expr(env, expr->args[0], NULL);
    if (!whole)
        return NULL;
    return expr->kind == HK_RCE_FIELD || whole->type->kind == HK_CHART_TUPLE
               ? resolve_field(env, expr, whole)
               : resolve_index(env, expr, whole);
}

/* ---- locals -----------------------------------------------------------------------------------
 */

/* A local from here on; false: there are too many. */
static bool push_local(hk_rcenv *env, const hk_rcexpr *expr, const hk_name *name,
                       const hk_chart_type *type) {
    if (env->local_count == sizeof env->locals / sizeof *env->locals)
        return wrong(env, expr, NULL, "too many names are bound in each other here") != NULL;
    env->locals[env->local_count++] =
        (hk_rcname){.name = name->text, .type = type, .cell = env->local_size};
    env->local_size += type->size;
    if (env->local_size > env->local_max)
        env->local_max = env->local_size;
    return true;
}

static void pop_local(hk_rcenv *env) {
    env->local_size -= env->locals[--env->local_count].type->size;
}

const hk_chart_expr *hk_rcr_let(hk_rcenv *env, const hk_rcexpr *expr, const hk_chart_type *wanted) {
    size_t bound = 0;
    hk_chart_expr *first = NULL, *last = NULL;
    bool ok = true;
    for (size_t i = 0; ok && i < expr->var_count; i++) {
        const hk_rcvar *var = &expr->vars[i];
        bool guard = env->guard;
        env->guard = false;
        const hk_chart_expr *value = hk_rcr_expr(env, var->value, NULL);
        env->guard = guard;
        ok = value && push_local(env, expr, &var->name, value->type);
        if (!ok)
            break;
        bound++;
        hk_chart_expr *let = hk_rcr_new(env, HK_CHART_LET, NULL, &expr->at);
        let->cell = env->locals[env->local_count - 1].cell;
        let->args = hk_rcr_args(env, value, NULL, NULL);
        let->arg_count = 2;
        if (last)
            last->args = hk_rcr_args(env, last->args[0], let, NULL);
        else
            first = let;
        last = let;
    }
    const hk_chart_expr *body = ok ? hk_rcr_expr(env, expr->args[0], wanted) : NULL;
    for (; bound; bound--)
        pop_local(env);
    if (!body)
        return NULL;
    last->args = hk_rcr_args(env, last->args[0], body, NULL);
    for (hk_chart_expr *let = first;; let = (hk_chart_expr *)(uintptr_t)let->args[1]) {
        let->type = body->type;
        if (let == last)
            return first;
    }
}

/* ---- quantifiers ------------------------------------------------------------------------------
 */

static const hk_rcexpr *without_parens(const hk_rcexpr *expr) {
    while (expr && expr->kind == HK_RCE_PARENS)
        expr = expr->args[0];
    return expr;
}

static bool is_binary(const hk_rcexpr *expr, const char *op) {
    return expr->kind == HK_RCE_BINARY && strcmp(expr->name.text, op) == 0;
}

/* The conjunct "NAME in S" of a condition; NULL: there is none. */
static const hk_rcexpr *find_membership(const hk_rcexpr *expr, const char *name) {
    expr = without_parens(expr);
    if (!expr)
        return NULL;
    if (is_binary(expr, "/\\")) {
        const hk_rcexpr *found = find_membership(expr->args[0], name);
        return found ? found : find_membership(expr->args[1], name);
    }
    const hk_rcexpr *member = is_binary(expr, "in") ? without_parens(expr->args[0]) : NULL;
    bool is = member && member->kind == HK_RCE_REF && strcmp(member->name.text, name) == 0;
    return is ? expr : NULL;
}

/* The condition without what says where variables run: that would be looked at twice. Nothing but
 * that: *ret_such is NULL. */
static bool resolve_such(hk_rcenv *env, const hk_rcexpr *binder, const hk_rcexpr *expr,
                         const hk_chart_expr **ret_such) {
    const hk_chart_type *truth = hk_rcr_core(env->r, HK_CHART_BOOLEAN);
    const hk_chart_expr *a, *b;
    *ret_such = NULL;
    expr = without_parens(expr);
    for (size_t i = 0; expr && i < binder->var_count; i++)
        if (find_membership(binder->args[0], binder->vars[i].name.text) == expr)
            return true;
    if (!expr)
        return true;
    if (!is_binary(expr, "/\\"))
        return (*ret_such = hk_rcr_value(env, expr, truth, "the condition of a quantifier"));
    if (!resolve_such(env, binder, expr->args[0], &a) ||
        !resolve_such(env, binder, expr->args[1], &b))
        return false;
    *ret_such = a ? a : b;
    if (a && b) {
        hk_chart_expr *both = hk_rcr_new(env, HK_CHART_AND, truth, &expr->at);
        both->args = hk_rcr_args(env, a, b, NULL);
        both->arg_count = 2;
        *ret_such = both;
    }
    return true;
}

/* What the variable runs over: a sequence that is computed. */
static const hk_chart_expr *domain_of(hk_rcenv *env, const hk_rcexpr *expr, const hk_rcvar *var,
                                      const hk_chart_type *type) {
    const hk_rcexpr *membership = find_membership(expr->args[0], var->name.text);
    const hk_rcexpr *domain = membership ? without_parens(membership->args[1]) : NULL;
    hk_place at = expr->at;
    if (domain && (domain->kind == HK_RCE_SET || domain->kind == HK_RCE_SEQ)) {
        hk_rcexpr sequence = *domain;
        sequence.kind = HK_RCE_SEQ;
        return hk_rcr_value(env, &sequence, hk_rcr_sequence(env->r, type), "what is run over");
    }
    if (domain && domain->kind != HK_RCE_SET_RANGE && domain->kind != HK_RCE_RANGE)
        return hk_rcr_value(env, domain, hk_rcr_sequence(env->r, type), "what is run over");
    uint32_t count = type->kind == HK_CHART_BOOLEAN ? 2 : type->item_count;
    if (!count || domain) {
        hk_rcr_refuse(env->r, where_of(env, expr),
                      hk_arena_printf(env->r->arena, "%s over %s", expr->name.text, type->name),
                      "run over a sequence (x in s), booleans or the items of an enumeration");
        return NULL;
    }
    if (count > HK_CHART_SEQUENCE_MAX)
        return wrong(env, expr, NULL, "a quantifier runs over at most 16 items here");
    const hk_chart_expr **args = HK_NEW_ARRAY(env->r->arena, const hk_chart_expr *, count);
    for (uint32_t i = 0; i < count; i++) {
        hk_chart_expr *item = hk_rcr_new(env, HK_CHART_LITERAL, type, &at);
        item->value.i = i;
        args[i] = item;
    }
    hk_chart_expr *made = hk_rcr_new(env, HK_CHART_BUILD, hk_rcr_sequence(env->r, type), &at);
    made->args = args;
    made->arg_count = count;
    return made;
}

/* The variables from VAR on: each is a quantifier in the one before. */
static const hk_chart_expr *quantify(hk_rcenv *env, const hk_rcexpr *expr, size_t var) {
    const hk_chart_type *truth = hk_rcr_core(env->r, HK_CHART_BOOLEAN);
    bool all = strcmp(expr->name.text, "forall") == 0;
    if (var == expr->var_count) {
        const hk_chart_expr *such;
        const hk_chart_expr *body = hk_rcr_value(env, expr->args[1], truth, "what is quantified");
        if (!body || !resolve_such(env, expr, expr->args[0], &such))
            return NULL;
        if (!such)
            return body;
        hk_chart_expr *both =
            hk_rcr_new(env, all ? HK_CHART_IMPLIES : HK_CHART_AND, truth, &expr->at);
        both->args = hk_rcr_args(env, such, body, NULL);
        both->arg_count = 2;
        return both;
    }
    const hk_chart_type *type = hk_rcr_type(env->r, env->file, expr->vars[var].type);
    bool guard = env->guard;
    env->guard = false;
    const hk_chart_expr *domain = type ? domain_of(env, expr, &expr->vars[var], type) : NULL;
    env->guard = guard;
    if (!domain || !push_local(env, expr, &expr->vars[var].name, type))
        return NULL;
    hk_chart_expr *made =
        hk_rcr_new(env, all ? HK_CHART_FORALL : HK_CHART_EXISTS, truth, &expr->at);
    made->cell = env->locals[env->local_count - 1].cell;
    const hk_chart_expr *body = quantify(env, expr, var + 1);
    pop_local(env);
    made->args = hk_rcr_args(env, domain, body, NULL);
    made->arg_count = 2;
    return body ? made : NULL;
}

const hk_chart_expr *hk_rcr_binder(hk_rcenv *env, const hk_rcexpr *expr) {
    bool known = strcmp(expr->name.text, "forall") == 0 || strcmp(expr->name.text, "exists") == 0;
    if (known)
        return quantify(env, expr, 0);
    hk_rcr_refuse(env->r, where_of(env, expr), expr->name.text, NULL);
    return NULL;
}

/* ---- membership -------------------------------------------------------------------------------
 */

static hk_chart_expr *truth_of(hk_rcenv *env, const hk_rcexpr *expr, hk_chart_op op,
                               const hk_chart_expr *a, const hk_chart_expr *b) {
    hk_chart_expr *made = hk_rcr_new(env, op, hk_rcr_core(env->r, HK_CHART_BOOLEAN), &expr->at);
    made->args = hk_rcr_args(env, a, b, NULL);
    made->arg_count = 2;
    return made;
}

/* x in [a, b], and with round brackets */
static const hk_chart_expr *in_range(hk_rcenv *env, const hk_rcexpr *expr, const hk_rcexpr *range) {
    const hk_chart_expr *x = hk_rcr_expr(env, expr->args[0], NULL);
    const hk_chart_expr *a = hk_rcr_expr(env, range->args[0], NULL);
    const hk_chart_expr *b = hk_rcr_expr(env, range->args[1], NULL);
    if (!x || !a || !b)
        return NULL;
    if (!hk_rcr_is_number(x->type) || !hk_rcr_is_number(a->type) || !hk_rcr_is_number(b->type))
        return wrong(env, expr, NULL, "only a number is in an interval");
    bool real = x->type->kind == HK_CHART_REAL || a->type->kind == HK_CHART_REAL ||
                b->type->kind == HK_CHART_REAL;
    const hk_chart_type *type = hk_rcr_core(env->r, real ? HK_CHART_REAL : HK_CHART_INT);
    x = hk_rcr_coerce(env, x, type, "");
    a = hk_rcr_coerce(env, a, type, "");
    b = hk_rcr_coerce(env, b, type, "");
    if (range->open_left || range->open_right) {
        const hk_chart_expr *low =
            truth_of(env, expr, range->open_left ? HK_CHART_GREATER : HK_CHART_GREATER_EQUAL, x, a);
        const hk_chart_expr *high =
            truth_of(env, expr, range->open_right ? HK_CHART_LESS : HK_CHART_LESS_EQUAL, x, b);
        return truth_of(env, expr, HK_CHART_AND, low, high);
    }
    hk_chart_expr *made = truth_of(env, expr, HK_CHART_WITHIN, x, a);
    made->args = hk_rcr_args(env, x, a, b);
    made->arg_count = 3;
    return made;
}

const hk_chart_expr *hk_rcr_in(hk_rcenv *env, const hk_rcexpr *expr) {
    const hk_rcexpr *set = without_parens(expr->args[1]);
    if (set->kind == HK_RCE_RANGE || set->kind == HK_RCE_SET_RANGE)
        return in_range(env, expr, set);
    const hk_chart_expr *x = hk_rcr_expr(env, expr->args[0], NULL);
    if (!x)
        return NULL;
    hk_rcexpr sequence = *set;
    if (set->kind == HK_RCE_SET)
        sequence.kind = HK_RCE_SEQ;
    const hk_chart_expr *s =
        hk_rcr_compared(hk_rcr_expr(env, &sequence, hk_rcr_sequence(env->r, x->type)));
    if (!s)
        return NULL;
    if (s->type->kind != HK_CHART_SEQUENCE)
        return wrong(env, expr, NULL, "behind 'in' is a sequence, a set or an interval");
    x = hk_rcr_compared(hk_rcr_coerce(env, x, s->type->element, "an element"));
    return x ? truth_of(env, expr, HK_CHART_IN, x, s) : NULL;
}

/* SPDX-License-Identifier: MIT
 *
 * Expressions in C. They are evaluated from left to right, as the .rct has them: C leaves the order
 * of operands open, so where more than one of them can fail, they are put into variables first, one
 * after the other by commas. */
#include "gen/chart_internal.h"

#include <string.h>

/* ---- what can fail ---- */

static bool is_real(const hk_chart_expr *e) {
    return e->type->kind == HK_CHART_REAL;
}

static bool fails_itself(const hk_chart_expr *e) {
    switch (e->op) {
    case HK_CHART_INDEX:
    case HK_CHART_DIVIDE:
    case HK_CHART_MODULO:
    case HK_CHART_TO_NAT:
    case HK_CHART_CALL:
        return true;
    case HK_CHART_NEGATE:
    case HK_CHART_ADD:
    case HK_CHART_SUBTRACT:
    case HK_CHART_MULTIPLY:
        return !is_real(e);
    case HK_CHART_BUILD:
        return e->type->kind == HK_CHART_SEQUENCE && e->arg_count > HK_CHART_SEQUENCE_MAX;
    case HK_CHART_BUILTIN:
        return e->builtin != HK_CHART_SIZE && e->builtin != HK_CHART_MIN &&
               e->builtin != HK_CHART_MAX && !(e->builtin == HK_CHART_ABS && is_real(e));
    default:
        return false;
    }
}

bool hk_cg_can_fail(const hk_chart_expr *e) {
    for (uint32_t i = 0; i < e->arg_count; i++)
        if (hk_cg_can_fail(e->args[i]))
            return true;
    return fails_itself(e);
}

/* ---- operands ---- */

static const char *trouble = "&x->trouble";

static const char *at(const hk_cg *g, const hk_chart_expr *e) {
    return hk_cg_at(g, e->line, e->column);
}

/* It is a name, or a part of one: it may be written twice. */
static bool is_name(const hk_chart_expr *e) {
    if (e->op == HK_CHART_FIELD)
        return is_name(e->args[0]);
    return e->op == HK_CHART_LOAD || e->op == HK_CHART_LOCAL;
}

/* Operands as they are put into an operation, and what goes before it, "" or "a1 = ..., ". */
typedef struct operands {
    const char *before;
    const char **all;
} operands;

static operands operands_of(hk_cg *g, const hk_chart_expr *e, bool names) {
    uint32_t failing = 0;
    for (uint32_t i = 0; i < e->arg_count; i++)
        failing += hk_cg_can_fail(e->args[i]);
    operands made = {"", HK_NEW_ARRAY(g->arena, const char *, e->arg_count + 1)};
    for (uint32_t i = 0; i < e->arg_count; i++) {
        const hk_chart_expr *arg = e->args[i];
        const char *text = hk_cg_expr(g, arg);
        bool ordered = failing > 1 && hk_cg_can_fail(arg);
        bool named = names && i == 0 && !is_name(arg);
        if (ordered || named) {
            const char *var = hk_cg_var(g, arg->type, "v");
            made.before = hk_cg_print(g, "%s%s = %s, ", made.before, var, text);
            text = var;
        }
        made.all[i] = text;
    }
    return made;
}

/* BEFORE and then TEXT, as one operand. */
static const char *after(const hk_cg *g, operands o, const char *text) {
    return *o.before ? hk_cg_print(g, "(%s%s)", o.before, text) : text;
}

/* ---- numbers ---- */

static const char *infix(hk_cg *g, const hk_chart_expr *e, const char *sign) {
    operands o = operands_of(g, e, false);
    return hk_cg_print(g, "(%s%s %s %s)", o.before, o.all[0], sign, o.all[1]);
}

/* A nat must not be below 0. */
static const char *kind_of(const hk_chart_expr *e) {
    return is_real(e) ? "real_" : e->type->kind == HK_CHART_NAT ? "nat_" : "";
}

static const char *call2(hk_cg *g, const hk_chart_expr *e, const char *function) {
    operands o = operands_of(g, e, false);
    return after(g, o,
                 hk_cg_print(g, "hk_rc_%s%s(%s, %s, %s, %s)", kind_of(e), function, trouble,
                             o.all[0], o.all[1], at(g, e)));
}

static const char *arithmetic(hk_cg *g, const hk_chart_expr *e) {
    switch (e->op) {
    case HK_CHART_ADD:
        return is_real(e) ? infix(g, e, "+") : call2(g, e, "add");
    case HK_CHART_SUBTRACT:
        return is_real(e) ? infix(g, e, "-") : call2(g, e, "subtract");
    case HK_CHART_MULTIPLY:
        return is_real(e) ? infix(g, e, "*") : call2(g, e, "multiply");
    case HK_CHART_DIVIDE:
        return call2(g, e, "divide");
    case HK_CHART_MODULO:
        return call2(g, e, "modulo");
    case HK_CHART_NEGATE:
        if (is_real(e))
            return hk_cg_print(g, "(-%s)", hk_cg_expr(g, e->args[0]));
        return hk_cg_print(g, "hk_rc_%snegate(%s, %s, %s)", kind_of(e), trouble,
                           hk_cg_expr(g, e->args[0]), at(g, e));
    case HK_CHART_TO_NAT:
        return hk_cg_print(g, "hk_rc_nat(%s, %s, %s)", trouble, hk_cg_expr(g, e->args[0]),
                           at(g, e));
    default:
        HK_ASSERT(e->op == HK_CHART_TO_REAL);
        return hk_cg_print(g, "(double)%s", hk_cg_expr(g, e->args[0]));
    }
}

/* ---- truths ---- */

static const char *logic(hk_cg *g, const hk_chart_expr *e, const char *no, const char *sign) {
    const char *first = hk_cg_expr(g, e->args[0]);
    return hk_cg_print(g, "(%s%s %s %s)", no, first, sign, hk_cg_expr(g, e->args[1]));
}

static const char *equality(hk_cg *g, const hk_chart_expr *e) {
    operands o = operands_of(g, e, false);
    const char *same = hk_cg_equal(g, e->args[0]->type, o.all[0], o.all[1]);
    return hk_cg_print(g, e->op == HK_CHART_UNEQUAL ? "!(%s%s)" : "(%s%s)", o.before, same);
}

static const char *membership(hk_cg *g, const hk_chart_expr *e) {
    operands o = operands_of(g, e, false);
    if (e->op == HK_CHART_IN)
        return after(
            g, o,
            hk_cg_print(g, "%s_has(%s, %s)", hk_cg_type(g, e->args[1]->type), o.all[1], o.all[0]));
    return after(g, o,
                 hk_cg_print(g, "%s(%s, %s, %s)",
                             is_real(e->args[0]) ? "hk_rc_real_within" : "hk_rc_within", o.all[0],
                             o.all[1], o.all[2]));
}

static const char *truth(hk_cg *g, const hk_chart_expr *e) {
    switch (e->op) {
    case HK_CHART_NOT:
        return hk_cg_print(g, "!%s", hk_cg_expr(g, e->args[0]));
    case HK_CHART_AND:
        return logic(g, e, "", "&&");
    case HK_CHART_OR:
        return logic(g, e, "", "||");
    case HK_CHART_IMPLIES:
        return logic(g, e, "!", "||");
    case HK_CHART_IFF:
        return infix(g, e, "==");
    case HK_CHART_EQUAL:
    case HK_CHART_UNEQUAL:
        return equality(g, e);
    case HK_CHART_LESS:
        return infix(g, e, "<");
    case HK_CHART_LESS_EQUAL:
        return infix(g, e, "<=");
    case HK_CHART_GREATER:
        return infix(g, e, ">");
    case HK_CHART_GREATER_EQUAL:
        return infix(g, e, ">=");
    default:
        return membership(g, e);
    }
}

/* ---- parts and values that have them ---- */

static const char *build(hk_cg *g, const hk_chart_expr *e) {
    const char *type = hk_cg_type(g, e->type), *list = "";
    if (fails_itself(e))
        return hk_cg_print(g, "(hk_rc_room(%s, %u, %s), (%s){0})", trouble, (unsigned)e->arg_count,
                           at(g, e), type);
    operands o = operands_of(g, e, false);
    for (uint32_t i = 0; i < e->arg_count; i++)
        list = hk_cg_print(g, "%s%s%s", list, i ? ", " : "", o.all[i]);
    if (e->type->kind == HK_CHART_SEQUENCE)
        list = e->arg_count ? hk_cg_print(g, "%u, {%s}", (unsigned)e->arg_count, list) : "0";
    else if (e->type->element)
        list = hk_cg_print(g, "{%s}", list);
    return after(g, o, hk_cg_print(g, "(%s){%s}", type, list));
}

static const char *element(hk_cg *g, const hk_chart_expr *e) {
    const hk_chart_type *type = e->args[0]->type;
    operands o = operands_of(g, e, true);
    const char *whole = o.all[0], *index;
    if (type->kind == HK_CHART_MATRIX && e->arg_count == 3)
        index = hk_cg_print(g, "hk_rc_cell(%s, %s, %u, %s, %u, %s)", trouble, o.all[1],
                            (unsigned)type->rows, o.all[2], (unsigned)type->columns, at(g, e));
    else if (type->kind == HK_CHART_SEQUENCE)
        index =
            hk_cg_print(g, "hk_rc_index(%s, %s, %s.size, %s)", trouble, o.all[1], whole, at(g, e));
    else
        index = hk_cg_print(g, "hk_rc_index(%s, %s, %u, %s)", trouble, o.all[1],
                            (unsigned)type->length, at(g, e));
    return after(g, o, hk_cg_print(g, "%s.items[%s]", whole, index));
}

/* Each piece is evaluated when the ones before it are joined. */
static const char *concat(hk_cg *g, const hk_chart_expr *e) {
    const char *type = hk_cg_type(g, e->type), *all = hk_cg_var(g, e->type, "v");
    const char *text = hk_cg_print(g, "%s = %s", all, hk_cg_expr(g, e->args[0]));
    for (uint32_t i = 1; i < e->arg_count; i++)
        text = hk_cg_print(g, "%s, %s = %s_concat(%s, %s, %s, %s)", text, all, type, trouble, all,
                           hk_cg_expr(g, e->args[i]), at(g, e));
    return hk_cg_print(g, "(%s, %s)", text, all);
}

static const char *of_sequence(hk_cg *g, const hk_chart_expr *e) {
    bool picks = e->builtin == HK_CHART_HEAD || e->builtin == HK_CHART_LAST;
    operands o = operands_of(g, e, picks);
    const char *type = hk_cg_type(g, e->args[0]->type), *s = o.all[0];
    switch (e->builtin) {
    case HK_CHART_SIZE:
        return after(g, o, hk_cg_print(g, "%s.size", s));
    case HK_CHART_HEAD:
        return after(
            g, o,
            hk_cg_print(g, "%s.items[hk_rc_first(%s, %s.size, %s)]", s, trouble, s, at(g, e)));
    case HK_CHART_LAST:
        return after(
            g, o, hk_cg_print(g, "%s.items[hk_rc_last(%s, %s.size, %s)]", s, trouble, s, at(g, e)));
    case HK_CHART_TAIL:
        return after(g, o, hk_cg_print(g, "%s_tail(%s, %s, %s)", type, trouble, s, at(g, e)));
    default:
        HK_ASSERT(e->builtin == HK_CHART_FRONT);
        return after(g, o, hk_cg_print(g, "%s_front(%s, %s, %s)", type, trouble, s, at(g, e)));
    }
}

static const char *builtin(hk_cg *g, const hk_chart_expr *e) {
    const char *kind = is_real(e) ? "real_" : "";
    if (e->builtin == HK_CHART_ABS) {
        const char *arg = hk_cg_expr(g, e->args[0]);
        return is_real(e) ? hk_cg_print(g, "fabs(%s)", arg)
                          : hk_cg_print(g, "hk_rc_abs(%s, %s, %s)", trouble, arg, at(g, e));
    }
    if (e->builtin != HK_CHART_MIN && e->builtin != HK_CHART_MAX)
        return e->builtin == HK_CHART_CONCAT ? concat(g, e) : of_sequence(g, e);
    operands o = operands_of(g, e, false);
    const char *text = o.all[0];
    for (uint32_t i = 1; i < e->arg_count; i++)
        text = hk_cg_print(g, "hk_rc_%s%s(%s, %s)", kind,
                           e->builtin == HK_CHART_MIN ? "min" : "max", text, o.all[i]);
    return after(g, o, text);
}

static const char *call(hk_cg *g, const hk_chart_expr *e) {
    operands o = operands_of(g, e, false);
    const char *list = "x";
    uint32_t i = 0;
    while (g->chart->functions[i] != e->function)
        i++;
    for (uint32_t k = 0; k < e->arg_count; k++)
        list = hk_cg_print(g, "%s, %s", list, o.all[k]);
    return after(g, o, hk_cg_print(g, "%s(%s, %s)", g->functions[i], list, at(g, e)));
}

/* ---- names that are bound ---- */

static void bind(hk_cg *g, uint32_t cell, const hk_chart_type *type, const char *name) {
    hk_cg_local local = {cell, type, name};
    HK_PUSH(g->now.locals, g->now.local_count, g->now.local_cap, local);
}

static const char *local(hk_cg *g, const hk_chart_expr *e) {
    for (size_t i = g->now.local_count; i-- > 0;) {
        const hk_cg_local *l = &g->now.locals[i];
        if (e->cell >= l->cell && e->cell < l->cell + l->type->size)
            return hk_cg_part(g, l->type, e->cell - l->cell, e->type, l->name);
    }
    HK_ASSERT(false);
    return "";
}

static const char *let(hk_cg *g, const hk_chart_expr *e) {
    const char *value = hk_cg_expr(g, e->args[0]);
    const char *name = hk_cg_var(g, e->args[0]->type, "let");
    bind(g, e->cell, e->args[0]->type, name);
    const char *body = hk_cg_expr(g, e->args[1]);
    g->now.local_count--;
    return hk_cg_print(g, "(%s = %s, %s)", name, value, body);
}

/* A loop is not an expression: it becomes a function, which gets the names that it may use. */
static const char *quantifier(hk_cg *g, const hk_chart_expr *e) {
    const hk_chart_type *type = e->args[0]->type;
    bool all = e->op == HK_CHART_FORALL;
    const char *sequence = hk_cg_expr(g, e->args[0]);
    const char *name = hk_scope_name(
        g->arena, &g->scope,
        hk_cg_print(g, "%s_%s%u", g->name, all ? "all" : "any", (unsigned)++g->helper_count));
    const char *head =
        hk_cg_print(g, "static bool %s(%s *x, %s s", name, g->name, hk_cg_type(g, type));
    const char *list = hk_cg_print(g, "x, %s", sequence);
    hk_cg_function saved = hk_cg_begin(g);
    for (size_t i = 0; i < saved.local_count; i++) {
        const hk_cg_local *l = &saved.locals[i];
        const char *given = hk_cg_print(g, "given%u", (unsigned)i + 1);
        head = hk_cg_print(g, "%s, %s %s", head, hk_cg_type(g, l->type), given);
        list = hk_cg_print(g, "%s, %s", list, l->name);
        bind(g, l->cell, l->type, given);
    }
    bind(g, e->cell, type->element, "s.items[i]");
    const char *body = hk_cg_bare(g, e->args[1]);
    hk_cg_line_put(g, 1, "(void)x;");
    for (size_t i = 0; i < saved.local_count; i++)
        hk_cg_line_put(g, 1, "(void)given%u;", (unsigned)i + 1);
    hk_cg_line_put(g, 1, "for (int64_t i = 0; i < s.size; i++)");
    hk_cg_line_put(g, 2, all ? "if (!(%s))" : "if (%s)", body);
    hk_cg_line_put(g, 3, "return %s;", all ? "false" : "true");
    hk_cg_line_put(g, 1, "return %s;", all ? "true" : "false");
    hk_cg_end(g, saved, hk_cg_print(g, "%s)", head));
    return hk_cg_print(g, "%s(%s)", name, list);
}

/* ---- all of them ---- */

static const char *literal(hk_cg *g, const hk_chart_expr *e) {
    switch (e->type->kind) {
    case HK_CHART_REAL:
        return hk_cg_real(g, e->value.r);
    case HK_CHART_BOOLEAN:
        return e->value.i ? "true" : "false";
    case HK_CHART_ENUMERATION:
        return g->type_parts[hk_cg_type_index(g, e->type)][e->value.i];
    default:
        return hk_cg_int(g, e->value.i);
    }
}

/* Cycles since a clock was reset, in time units. */
static const char *time_since(hk_cg *g, const hk_chart_expr *e) {
    const hk_cg_machine *m = &g->machines[g->machine];
    const char *from = e->op == HK_CHART_SINCE ? m->clocks[e->clock]
                                               : hk_cg_print(g, "entered_%s", m->nodes[e->state]);
    const char *cycles = hk_cg_print(g, "(x->cycle - x->%s.%s)", m->c, from);
    hk_ratio cycle = g->chart->cycle;
    if (!is_real(e)) /* cycles of whole time units */
        return cycle.num == 1 ? cycles
                              : hk_cg_print(g, "(%s * %s)", cycles, hk_cg_int(g, cycle.num));
    /* Rounded once: three cycles of 0.7 are 2.1, as a file writes it. */
    const char *tenths = hk_cg_print(g, cycle.num == 1 ? "(double)%s" : "(double)%s * %s", cycles,
                                     hk_cg_real(g, (double)cycle.num));
    return hk_cg_print(g, "(%s / %s)", tenths, hk_cg_real(g, (double)cycle.den));
}

const char *hk_cg_expr(hk_cg *g, const hk_chart_expr *e) {
    switch (e->op) {
    case HK_CHART_LITERAL:
        return literal(g, e);
    case HK_CHART_LOAD:
        return hk_cg_place(g, e->cell, e->type);
    case HK_CHART_LOCAL:
        return local(g, e);
    case HK_CHART_BUILD:
        return build(g, e);
    case HK_CHART_FIELD:
        return hk_cg_part(g, e->args[0]->type, e->cell, e->type, hk_cg_expr(g, e->args[0]));
    case HK_CHART_INDEX:
        return element(g, e);
    case HK_CHART_TO_REAL:
    case HK_CHART_TO_NAT:
    case HK_CHART_NEGATE:
    case HK_CHART_ADD:
    case HK_CHART_SUBTRACT:
    case HK_CHART_MULTIPLY:
    case HK_CHART_DIVIDE:
    case HK_CHART_MODULO:
        return arithmetic(g, e);
    case HK_CHART_IF: {
        const char *condition = hk_cg_expr(g, e->args[0]), *yes = hk_cg_expr(g, e->args[1]);
        return hk_cg_print(g, "(%s ? %s : %s)", condition, yes, hk_cg_expr(g, e->args[2]));
    }
    case HK_CHART_LET:
        return let(g, e);
    case HK_CHART_FORALL:
    case HK_CHART_EXISTS:
        return quantifier(g, e);
    case HK_CHART_CALL:
        return call(g, e);
    case HK_CHART_BUILTIN:
        return builtin(g, e);
    case HK_CHART_SINCE:
    case HK_CHART_SINCE_ENTRY:
        return time_since(g, e);
    default:
        return truth(g, e);
    }
}

const char *hk_cg_bare(hk_cg *g, const hk_chart_expr *e) {
    const char *text = hk_cg_expr(g, e);
    size_t length = strlen(text), depth = 0;
    if (*text != '(')
        return text;
    for (size_t i = 0; i < length; i++) { /* the first one is closed by the last */
        depth += text[i] == '(' || text[i] == '{';
        depth -= text[i] == ')' || text[i] == '}';
        bool comma = depth == 1 && text[i] == ','; /* one after the other, not two */
        if (comma || (depth == 0 && i + 1 < length))
            return text;
    }
    return hk_arena_strndup(g->arena, text + 1, length - 2);
}

/* ---- functions ---- */

static const char *head_of(hk_cg *g, uint32_t i, bool named) {
    const hk_chart_function *f = g->chart->functions[i];
    const char *head =
        hk_cg_print(g, "static %s %s(%s *x", hk_cg_type(g, f->type), g->functions[i], g->name);
    uint32_t cell = 0;
    for (uint32_t k = 0; k < f->parameter_count; k++) {
        const char *name = hk_cg_print(g, "in_%s", hk_c_word(g->arena, f->parameters[k]));
        head = hk_cg_print(g, "%s, %s %s", head, hk_cg_type(g, f->parameter_types[k]), name);
        if (named)
            bind(g, cell, f->parameter_types[k], name);
        cell += f->parameter_types[k]->size;
    }
    return hk_cg_print(g, "%s, hk_rc_at at)", head);
}

static void put_function(hk_cg *g, uint32_t i) {
    const hk_chart_function *f = g->chart->functions[i];
    hk_text_put(g->out, "/* function %s */\n", f->name);
    hk_cg_function saved = hk_cg_begin(g);
    const char *head = head_of(g, i, true);
    hk_text_put(&g->now.vars, "    %s result = %s;\n", hk_cg_type(g, f->type),
                hk_chart_is_scalar(f->type) ? "0" : "{0}");
    hk_cg_line_put(g, 1, "if (!hk_rc_enter(&x->trouble, x->cycle, %s, at))",
                   hk_cg_quoted(g, f->name));
    hk_cg_line_put(g, 2, "return result;");
    for (uint32_t k = 0; k < f->precondition_count; k++) {
        const hk_chart_expr *e = f->preconditions[k];
        hk_cg_line_put(g, 1, "if (!%s)", hk_cg_expr(g, e));
        hk_cg_line_put(
            g, 2, "hk_rc_fail(&x->trouble, %s, %s);", hk_cg_at(g, e->line, e->column),
            hk_cg_quoted(g, hk_cg_print(g, "a precondition of function '%s' is false", f->name)));
    }
    hk_cg_line_put(g, 1, "if (!x->trouble.failed)");
    hk_cg_line_put(g, 2, "result = %s;", hk_cg_bare(g, f->body));
    hk_cg_line_put(g, 1, "x->trouble.depth--;");
    hk_cg_line_put(g, 1, "return result;");
    hk_cg_end(g, saved, head);
}

void hk_cg_put_functions(hk_cg *g) {
    for (uint32_t i = 0; i < g->chart->function_count; i++) {
        hk_cg_put_wrapped(g->out, 0, head_of(g, i, false));
        hk_text_put(g->out, ";\n");
    }
    if (g->chart->function_count)
        hk_text_put(g->out, "\n");
    for (uint32_t i = 0; i < g->chart->function_count; i++)
        put_function(g, i);
}

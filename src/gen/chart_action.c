/* SPDX-License-Identifier: MIT
 *
 * Statements in C. Those that take no time are what they look like. An action that may take time is
 * a function that returns false where it has to wait and is called again in the next cycle: a
 * switch leads it back to the place where it was. */
#include "gen/chart_internal.h"

#include <string.h>

/* ---- operations of the platform ---- */

static void put_operation(hk_cg *g, uint32_t i) {
    const hk_chart_operation *operation = &g->chart->operations[i];
    const hk_cg_operation *o = &g->operations[i];
    const char *head =
        hk_cg_print(g, "static inline void %s_call_%s(%s *x", g->name, o->c, g->name);
    hk_cg_function saved = hk_cg_begin(g);
    hk_cg_line_put(g, 1, "hk_rc_once(&x->trouble, &x->%s, x->cycle, \"operation\", %s, at);",
                   o->called, hk_cg_quoted(g, operation->name));
    if (operation->kind == HK_CHART_VISIBLE)
        hk_cg_line_put(g, 1, "x->%s = 1.0;", o->c);
    for (uint32_t k = 0; k < operation->parameter_count; k++) {
        head = hk_cg_print(g, "%s, %s in_%s", head, hk_cg_type(g, operation->parameters[k].type),
                           o->parameters[k]);
        hk_cg_line_put(g, 1, "x->%s = in_%s;", o->parameters[k], o->parameters[k]);
    }
    for (uint32_t k = 0; k < operation->precondition_count; k++) {
        const hk_chart_expr *e = operation->preconditions[k].expr;
        const char *words =
            hk_cg_print(g, "a precondition of operation '%s' is false", operation->name);
        hk_cg_line_put(g, 1, "if (!x->trouble.failed && !%s)", hk_cg_expr(g, e));
        hk_cg_line_put(g, 2, "hk_rc_fail(&x->trouble, at, %s);", hk_cg_quoted(g, words));
    }
    if (operation->effect)
        hk_cg_straight(g, operation->effect, 1);
    hk_cg_end(g, saved, hk_cg_print(g, "%s, hk_rc_at at)", head));
}

void hk_cg_put_services(hk_cg *g) {
    g->machine = HK_CHART_NONE;
    for (uint32_t i = 0; i < g->chart->operation_count; i++)
        put_operation(g, i);
}

static const char *stmt_at(const hk_cg *g, const hk_chart_stmt *s) {
    return hk_cg_at(g, s->line, s->column);
}

static const hk_chart_event *event_of(const hk_cg *g, const hk_chart_stmt *s) {
    return &g->chart->machines[g->machine].events[s->event];
}

static void send(hk_cg *g, const hk_chart_stmt *s, int depth) {
    const hk_chart_event *event = event_of(g, s);
    const char *value = s->value.expr ? hk_cg_bare(g, s->value.expr) : NULL;
    if (event->out == HK_CHART_NONE) {
        hk_cg_line_put(g, depth, "/* %s leads nowhere */", event->name);
        if (value && hk_cg_can_fail(s->value.expr))
            hk_cg_line_put(g, depth, "(void)(%s);", value);
        return;
    }
    hk_cg_line_put(g, depth, "%s(x, %s%s%s);",
                   hk_cg_mfn(g, "send", hk_c_word(g->arena, event->name)), value ? value : "",
                   value ? ", " : "", stmt_at(g, s));
}

/* Arguments are evaluated in their order; those that can fail go into variables if there are more.
 */
static const char **arguments(hk_cg *g, const hk_chart_stmt *s, int depth) {
    const char **all = HK_NEW_ARRAY(g->arena, const char *, s->arg_count + 1);
    uint32_t failing = 0;
    for (uint32_t i = 0; i < s->arg_count; i++)
        failing += hk_cg_can_fail(s->args[i].expr);
    for (uint32_t i = 0; i < s->arg_count; i++) {
        const hk_chart_expr *e = s->args[i].expr;
        all[i] = hk_cg_bare(g, e);
        if (failing < 2 || !hk_cg_can_fail(e))
            continue;
        const char *var = hk_cg_var(g, e->type, "v");
        hk_cg_line_put(g, depth, "%s = %s;", var, all[i]);
        all[i] = var;
    }
    return all;
}

static void operate(hk_cg *g, const hk_chart_stmt *s, int depth) {
    const char **all = arguments(g, s, depth), *list = "x";
    for (uint32_t i = 0; i < s->arg_count; i++)
        list = hk_cg_print(g, "%s, %s", list, all[i]);
    hk_cg_line_put(g, depth, "%s_call_%s(%s, %s);", g->name, g->operations[s->operation].c, list,
                   stmt_at(g, s));
}

/* The value first, then the index, then whether it is a nat. */
void hk_cg_store(hk_cg *g, const hk_chart_target *place, const char *value,
                 const hk_chart_type *type, int depth, hk_cg_spot spot) {
    const char *target = hk_cg_target(g, place, depth);
    if (place->type->kind == HK_CHART_NAT && type->kind != HK_CHART_NAT)
        hk_cg_line_put(g, depth, "%s = hk_rc_nat(&x->trouble, %s, %s);", target, value,
                       hk_cg_at(g, spot.line, spot.column));
    else
        hk_cg_line_put(g, depth, "%s = %s;", target, value);
}

static void assign(hk_cg *g, const hk_chart_target *place, const hk_chart_expr *e, int depth,
                   hk_cg_spot spot) {
    const char *value = hk_cg_bare(g, e);
    if (place->index) {
        const char *var = hk_cg_var(g, e->type, "v");
        hk_cg_line_put(g, depth, "%s = %s;", var, value);
        value = var;
    }
    hk_cg_store(g, place, value, e->type, depth, spot);
}

/* ---- actions that may take time ---- */

/* Where it waits: CONDITION lets it go on. */
static void point(hk_cg *g, int depth, const char *condition, const hk_chart_stmt *s) {
    uint32_t number = ++g->points;
    hk_cg_line_put(g, depth, "%s.pc = %u; /* fall through */", g->thread, (unsigned)number);
    hk_text_put(&g->now.body, "    case %u:\n", (unsigned)number);
    hk_cg_line_put(g, depth, "if (!%s) /* line %d */", condition, s->line);
    hk_cg_line_put(g, depth + 1, "return false;");
}

const char *hk_cg_cycles(hk_cg *g, const hk_chart_code *time, const char *rounded) {
    bool real = time->expr->type->kind == HK_CHART_REAL;
    const char *text =
        real ? hk_cg_bare(g, time->expr) : hk_cg_print(g, "(double)%s", hk_cg_expr(g, time->expr));
    return hk_cg_print(g, "hk_rc_cycles_%s(&x->trouble, %s, %s, %s)", rounded, text,
                       hk_cg_real(g, hk_ratio_to_double(g->chart->cycle)),
                       hk_cg_at(g, time->expr->line, time->expr->column));
}

/* The least or the largest whole number of time units. */
static const char *bound(hk_cg *g, const hk_chart_code *code, bool least) {
    const char *text = hk_cg_expr(g, code->expr);
    if (code->expr->type->kind != HK_CHART_REAL)
        return hk_cg_print(g, "(double)%s", text);
    return least ? hk_cg_print(g, "ceil(%s - 1e-9)", text)
                 : hk_cg_print(g, "floor(%s + 1e-9)", text);
}

static void wait(hk_cg *g, const hk_chart_stmt *s, int depth) {
    const char *cycle = hk_cg_real(g, hk_ratio_to_double(g->chart->cycle));
    if (s->until.expr) {
        uint32_t n = ++g->now.var_count;
        hk_text_put(&g->now.vars, "    hk_rc_span span%u;\n", (unsigned)n);
        hk_cg_line_put(g, depth, "span%u.from = %s;", (unsigned)n, bound(g, &s->value, true));
        hk_cg_line_put(g, depth, "span%u.to = %s;", (unsigned)n, bound(g, &s->until, false));
        hk_cg_line_put(g, depth, "%s.until = x->cycle;", g->thread);
        hk_cg_line_put(g, depth, "if (hk_rc_span_is_good(&x->trouble, span%u, %s, %s))",
                       (unsigned)n, cycle, stmt_at(g, s));
        hk_cg_line_put(g, depth + 1,
                       "%s.until += hk_rc_span_cycles(span%u, %s, span%u.to > span%u.from ? %s : "
                       "0.0);",
                       g->thread, (unsigned)n, cycle, (unsigned)n, (unsigned)n, hk_cg_draw(g));
    } else {
        hk_cg_line_put(g, depth, "%s.until = x->cycle + %s;", g->thread,
                       hk_cg_cycles(g, &s->value, "up"));
    }
    point(g, depth, hk_cg_print(g, "(x->cycle >= %s.until)", g->thread), s);
}

static void receive(hk_cg *g, const hk_chart_stmt *s, int depth) {
    const hk_chart_event *event = event_of(g, s);
    if (event->in == HK_CHART_NONE) {
        point(g, depth, "false", s);
        return;
    }
    const hk_cg_line *l = &g->lines[event->in];
    const char *condition = hk_cg_print(g, "x->%s", l->there);
    if (s->value.expr)
        condition = hk_cg_print(g, "(x->%s && %s)", l->there,
                                hk_cg_equal(g, event->type, hk_cg_print(g, "x->%s", l->received),
                                            hk_cg_expr(g, s->value.expr)));
    point(g, depth, condition, s);
    hk_cg_line_put(g, depth, "x->%s = false;", l->there);
    if (event->type && !s->value.expr && s->place.type)
        hk_cg_store(g, &s->place, hk_cg_print(g, "x->%s", l->received),
                    g->chart->lines[event->in].type, depth, (hk_cg_spot){s->line, s->column});
}

static void perform(hk_cg *g, const hk_chart_stmt *s, int depth) {
    const hk_chart_machine *machine = &g->chart->machines[s->machine];
    hk_cg_line_put(g, depth, "%s(x);", hk_cg_fn(g, s->machine, "prepare", ""));
    for (uint32_t i = 0; i < s->arg_count; i++)
        assign(g, &machine->parameters[i], s->args[i].expr, depth,
               (hk_cg_spot){s->line, s->column});
    hk_cg_line_put(g, depth, "%s(x);", hk_cg_fn(g, s->machine, "start", ""));
    point(g, depth, hk_cg_print(g, "%s(x)", hk_cg_fn(g, s->machine, "perform", "")), s);
}

/* ---- deadlines of statements ---- */

const char *hk_cg_limit(const hk_cg *g, const hk_chart_stmt *s, uint32_t machine) {
    unsigned number = 0;
    for (size_t i = 0; i < g->limit_count; i++) {
        number += g->limits[i].machine == machine;
        if (g->limits[i].machine == machine && g->limits[i].stmt == s)
            return hk_cg_print(g, "%s.limit%u", g->machines[machine].c, number);
    }
    HK_ASSERT(false);
    return "";
}

void hk_cg_find_limits(hk_cg *g, const hk_chart_stmt *s, uint32_t machine) {
    if (!s)
        return;
    if (s->does == HK_CHART_DEADLINE && s->blocks) {
        hk_cg_limit_of limit = {s, machine};
        HK_PUSH(g->limits, g->limit_count, g->limit_cap, limit);
    }
    for (uint32_t i = 0; i < s->part_count; i++)
        hk_cg_find_limits(g, s->parts[i], machine);
}

void hk_cg_put_no_limits(hk_cg *g, const hk_chart_stmt *s, int depth) {
    if (!s || !s->blocks)
        return;
    if (s->does == HK_CHART_DEADLINE)
        hk_cg_line_put(g, depth, "x->%s = HK_RC_FAR;", hk_cg_limit(g, s, g->machine));
    for (uint32_t i = 0; i < s->part_count; i++)
        hk_cg_put_no_limits(g, s->parts[i], depth);
}

static void resumable(hk_cg *g, const hk_chart_stmt *s, int depth);

static void deadline(hk_cg *g, const hk_chart_stmt *s, int depth) {
    const char *field = hk_cg_limit(g, s, g->machine);
    hk_cg_line_put(g, depth, "x->%s = x->cycle + %s;", field, hk_cg_cycles(g, &s->value, "down"));
    resumable(g, s->parts[0], depth);
    hk_cg_line_put(g, depth, "x->%s = HK_RC_FAR;", field);
}

static void choice(hk_cg *g, const hk_chart_stmt *s, int depth) {
    void (*const put)(hk_cg *, const hk_chart_stmt *, int) =
        s->blocks && g->thread ? resumable : hk_cg_straight;
    hk_cg_line_put(g, depth, "if (%s) {", hk_cg_bare(g, s->value.expr));
    put(g, s->parts[0], depth + 1);
    if (s->part_count > 1 && s->parts[1]->does != HK_CHART_SKIP) {
        hk_cg_line_put(g, depth, "} else {");
        put(g, s->parts[1], depth + 1);
    }
    hk_cg_line_put(g, depth, "}");
}

static void resumable(hk_cg *g, const hk_chart_stmt *s, int depth) {
    if (!s->blocks) {
        hk_cg_straight(g, s, depth);
        return;
    }
    switch (s->does) {
    case HK_CHART_WAIT:
        wait(g, s, depth);
        return;
    case HK_CHART_RECEIVE:
        receive(g, s, depth);
        return;
    case HK_CHART_PERFORM:
        perform(g, s, depth);
        return;
    case HK_CHART_DEADLINE:
        deadline(g, s, depth);
        return;
    case HK_CHART_CHOICE:
        choice(g, s, depth);
        return;
    default:
        HK_ASSERT(s->does == HK_CHART_SEQUENTIAL);
        for (uint32_t i = 0; i < s->part_count; i++)
            resumable(g, s->parts[i], depth);
    }
}

void hk_cg_straight(hk_cg *g, const hk_chart_stmt *s, int depth) {
    switch (s->does) {
    case HK_CHART_SKIP:
        return;
    case HK_CHART_ASSIGN:
        assign(g, &s->place, s->value.expr, depth, (hk_cg_spot){s->line, s->column});
        return;
    case HK_CHART_SEND:
        send(g, s, depth);
        return;
    case HK_CHART_OPERATE:
        operate(g, s, depth);
        return;
    case HK_CHART_RESET:
        hk_cg_line_put(g, depth, "x->%s.%s = x->cycle;", g->machines[g->machine].c,
                       g->machines[g->machine].clocks[s->clock]);
        return;
    case HK_CHART_CHOICE:
        choice(g, s, depth);
        return;
    case HK_CHART_DEADLINE: /* of what takes no time: it is kept, unless it is not a time */
        if (s->value.expr->op != HK_CHART_LITERAL)
            hk_cg_line_put(g, depth, "(void)%s;", hk_cg_cycles(g, &s->value, "down"));
        hk_cg_straight(g, s->parts[0], depth);
        return;
    default:
        HK_ASSERT(s->does == HK_CHART_SEQUENTIAL && !s->blocks);
        for (uint32_t i = 0; i < s->part_count; i++)
            hk_cg_straight(g, s->parts[i], depth);
    }
}

void hk_cg_put_action(hk_cg *g, const hk_chart_stmt *s, const char *name, const char *thread) {
    hk_cg_function saved = hk_cg_begin(g);
    g->thread = thread;
    g->points = 0;
    hk_cg_line_put(g, 1, "switch (%s.pc) {", thread);
    hk_cg_line_put(g, 1, "case 0:");
    resumable(g, s, 2);
    hk_cg_line_put(g, 1, "}");
    hk_cg_line_put(g, 1, "%s.pc = 0;", thread);
    hk_cg_line_put(g, 1, "return true;");
    g->thread = NULL;
    hk_cg_end(g, saved, hk_cg_print(g, "static bool %s(%s *x)", name, g->name));
}

/* SPDX-License-Identifier: MIT
 *
 * Expressions whose value is one number. */
#include "chart/run_internal.h"

#include <math.h>

static bool is_real(const hk_chart_type *type) {
    return type->kind == HK_CHART_REAL;
}

static hk_cell failed(hk_chart_runner *r, const hk_chart_expr *e, const char *text) {
    (void)hk_run_fail(r, HK_CHART_ARITHMETIC, e->line, e->column, "%s", text);
    return (hk_cell){.i = 0};
}

static hk_cell whole(hk_chart_runner *r, const hk_chart_expr *e, int64_t value) {
    if (value < 0 && e->type->kind == HK_CHART_NAT)
        return failed(r, e, "a nat is below 0");
    return (hk_cell){.i = value};
}

static hk_cell divide_whole(hk_chart_runner *r, const hk_chart_expr *e, int64_t a, int64_t b) {
    if (b == 0)
        return failed(r, e, "division by zero");
    if (b == -1) {
        if (e->op == HK_CHART_MODULO)
            return (hk_cell){.i = 0};
        return a == INT64_MIN ? failed(r, e, "the number is too large") : whole(r, e, -a);
    }
    int64_t rest = a % b;
    bool apart = rest != 0 && (rest < 0) != (b < 0);
    return whole(r, e, e->op == HK_CHART_MODULO ? rest + (apart ? b : 0) : a / b - (apart ? 1 : 0));
}

static hk_cell compute_whole(hk_chart_runner *r, const hk_chart_expr *e, int64_t a, int64_t b) {
    int64_t value = 0;
    bool over;
    switch (e->op) {
    case HK_CHART_ADD:
        over = __builtin_add_overflow(a, b, &value);
        break;
    case HK_CHART_SUBTRACT:
        over = __builtin_sub_overflow(a, b, &value);
        break;
    case HK_CHART_MULTIPLY:
        over = __builtin_mul_overflow(a, b, &value);
        break;
    default:
        return divide_whole(r, e, a, b);
    }
    return over ? failed(r, e, "the number is too large") : whole(r, e, value);
}

static hk_cell compute_real(hk_chart_runner *r, const hk_chart_expr *e, double a, double b) {
    switch (e->op) {
    case HK_CHART_ADD:
        return (hk_cell){.r = a + b};
    case HK_CHART_SUBTRACT:
        return (hk_cell){.r = a - b};
    case HK_CHART_MULTIPLY:
        return (hk_cell){.r = a * b};
    default:
        break;
    }
    if (b == 0)
        return failed(r, e, "division by zero");
    if (e->op == HK_CHART_DIVIDE)
        return (hk_cell){.r = a / b};
    return (hk_cell){.r = a - b * floor(a / b)};
}

static hk_cell compute(hk_chart_runner *r, const hk_chart_expr *e) {
    hk_cell a = hk_run_scalar(r, e->args[0]), b = hk_run_scalar(r, e->args[1]);
    return is_real(e->type) ? compute_real(r, e, a.r, b.r) : compute_whole(r, e, a.i, b.i);
}

static hk_cell negate(hk_chart_runner *r, const hk_chart_expr *e) {
    hk_cell a = hk_run_scalar(r, e->args[0]);
    if (is_real(e->type))
        return (hk_cell){.r = -a.r};
    return a.i == INT64_MIN ? failed(r, e, "the number is too large") : whole(r, e, -a.i);
}

static bool compare(hk_chart_runner *r, const hk_chart_expr *e) {
    hk_cell a = hk_run_scalar(r, e->args[0]), b = hk_run_scalar(r, e->args[1]);
    bool real = is_real(e->args[0]->type);
    bool less = real ? a.r < b.r : a.i < b.i, equal = real ? a.r == b.r : a.i == b.i;
    switch (e->op) {
    case HK_CHART_LESS:
        return less;
    case HK_CHART_LESS_EQUAL:
        return less || equal;
    case HK_CHART_GREATER:
        return real ? a.r > b.r : a.i > b.i;
    default:
        return real ? a.r >= b.r : a.i >= b.i;
    }
}

static bool same(hk_chart_runner *r, const hk_chart_expr *e) {
    const hk_chart_type *type = e->args[0]->type;
    if (hk_chart_is_scalar(type)) {
        hk_cell a = hk_run_scalar(r, e->args[0]), b = hk_run_scalar(r, e->args[1]);
        return is_real(type) ? a.r == b.r : a.i == b.i;
    }
    hk_cell *mark = r->top;
    const hk_cell *a = hk_run_value(r, e->args[0]), *b = hk_run_value(r, e->args[1]);
    bool equal = !hk_run_failed(r) && hk_run_equal(type, a, b);
    r->top = mark;
    return equal;
}

static bool within(hk_chart_runner *r, const hk_chart_expr *e) {
    hk_cell a = hk_run_scalar(r, e->args[0]), from = hk_run_scalar(r, e->args[1]),
            to = hk_run_scalar(r, e->args[2]);
    return is_real(e->args[0]->type) ? from.r <= a.r && a.r <= to.r : from.i <= a.i && a.i <= to.i;
}

static bool judge(hk_chart_runner *r, const hk_chart_expr *e) {
    switch (e->op) {
    case HK_CHART_NOT:
        return !hk_run_scalar(r, e->args[0]).i;
    case HK_CHART_AND:
        return hk_run_scalar(r, e->args[0]).i && hk_run_scalar(r, e->args[1]).i;
    case HK_CHART_OR:
        return hk_run_scalar(r, e->args[0]).i || hk_run_scalar(r, e->args[1]).i;
    case HK_CHART_IMPLIES:
        return !hk_run_scalar(r, e->args[0]).i || hk_run_scalar(r, e->args[1]).i;
    case HK_CHART_IFF:
        return !hk_run_scalar(r, e->args[0]).i == !hk_run_scalar(r, e->args[1]).i;
    case HK_CHART_EQUAL:
        return same(r, e);
    case HK_CHART_UNEQUAL:
        return !same(r, e);
    case HK_CHART_IN:
        return hk_run_is_element(r, e);
    case HK_CHART_WITHIN:
        return within(r, e);
    case HK_CHART_FORALL:
    case HK_CHART_EXISTS:
        return hk_run_quantified(r, e);
    default:
        return compare(r, e);
    }
}

/* Of a value with parts, the one that is asked for. */
static hk_cell part(hk_chart_runner *r, const hk_chart_expr *e) {
    hk_cell *mark = r->top;
    const hk_cell *of = hk_run_value(r, e->args[0]);
    hk_cell value = of[e->op == HK_CHART_FIELD ? e->cell : hk_run_offset(r, e, of)];
    r->top = mark;
    return value;
}

static hk_cell since(const hk_chart_runner *r, const hk_chart_expr *e) {
    uint32_t tick = e->op == HK_CHART_SINCE ? r->machine->first_tick + e->clock
                                            : r->machine->nodes[e->state].tick;
    hk_ratio cycle = r->chart->cycle;
    if (!is_real(e->type)) /* cycles of whole time units */
        return (hk_cell){.i = (int64_t)r->ticks[tick] * cycle.num};
    /* Rounded once: three cycles of 0.7 are 2.1, as a file writes it. */
    return (hk_cell){.r = (double)r->ticks[tick] * (double)cycle.num / (double)cycle.den};
}

static hk_cell let(hk_chart_runner *r, const hk_chart_expr *e) {
    const hk_chart_expr *bound = e->args[0];
    hk_cell *mark = r->top;
    const hk_cell *value = hk_run_value(r, bound);
    for (uint32_t i = 0; i < bound->type->size; i++)
        r->frame[e->cell + i] = value[i];
    r->top = mark;
    return hk_run_scalar(r, e->args[1]);
}

hk_cell hk_run_scalar(hk_chart_runner *r, const hk_chart_expr *e) {
    switch (e->op) {
    case HK_CHART_LITERAL:
        return e->value;
    case HK_CHART_LOAD:
        return r->memory[e->cell];
    case HK_CHART_LOCAL:
        return r->frame[e->cell];
    case HK_CHART_FIELD:
    case HK_CHART_INDEX:
        return part(r, e);
    case HK_CHART_TO_REAL:
        return (hk_cell){.r = (double)hk_run_scalar(r, e->args[0]).i};
    case HK_CHART_TO_NAT:
        return whole(r, e, hk_run_scalar(r, e->args[0]).i);
    case HK_CHART_NEGATE:
        return negate(r, e);
    case HK_CHART_ADD:
    case HK_CHART_SUBTRACT:
    case HK_CHART_MULTIPLY:
    case HK_CHART_DIVIDE:
    case HK_CHART_MODULO:
        return compute(r, e);
    case HK_CHART_IF:
        return hk_run_scalar(r, e->args[hk_run_scalar(r, e->args[0]).i ? 1 : 2]);
    case HK_CHART_LET:
        return let(r, e);
    case HK_CHART_CALL:
        return hk_run_call_scalar(r, e);
    case HK_CHART_BUILTIN:
        return hk_run_builtin_scalar(r, e);
    case HK_CHART_SINCE:
    case HK_CHART_SINCE_ENTRY:
        return since(r, e);
    default:
        return (hk_cell){.i = judge(r, e)};
    }
}

/* ---- codes */

hk_cell hk_run_code(hk_chart_runner *r, const hk_chart_code *code) {
    r->frame = r->scratch;
    r->top = r->scratch + code->frame_size;
    hk_cell value = hk_run_scalar(r, code->expr);
    return hk_run_failed(r) ? (hk_cell){.i = 0} : value;
}

const hk_cell *hk_run_code_value(hk_chart_runner *r, const hk_chart_code *code) {
    r->frame = r->scratch;
    r->top = r->scratch + code->frame_size;
    return hk_run_value(r, code->expr);
}

bool hk_run_cycles(hk_chart_runner *r, const hk_chart_code *code, bool up, uint32_t *ret_cycles) {
    hk_cell value = hk_run_code(r, code);
    if (hk_run_failed(r))
        return false;
    double units = is_real(code->expr->type) ? value.r : (double)value.i;
    double cycles = units / r->cycle;
    /* 1.1 / 0.1 is 11 cycles, not 12. */
    cycles = up ? ceil(cycles - 1e-9) : floor(cycles + 1e-9);
    if (!(cycles >= 0 && cycles < UINT32_MAX)) {
        (void)hk_run_fail(r, HK_CHART_RANGE, code->expr->line, code->expr->column,
                          "%g time units are not between 0 and %u cycles", units, UINT32_MAX - 1);
        return false;
    }
    *ret_cycles = (uint32_t)cycles;
    return true;
}

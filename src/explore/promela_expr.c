/* SPDX-License-Identifier: MIT
 *
 * Expressions in Promela. A value is a list of texts, one for each of its cells: records, vectors
 * and sequences become their parts, functions and bound names what they stand for. */
#include "explore/promela.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 200000 };

void hk_pml_refuse(hk_pml *p, int line, int column, const char *what) {
    if (p->status != HK_OK)
        return;
    p->status = hk_error(p->ctx, HK_E_NO_WORDS,
                         (hk_where){.file = p->chart->file, .line = line, .column = column},
                         "leave out --export-promela: the exploration itself has all of RoboChart",
                         "Promela has no words for %s", what);
}

const char *hk_pml_text(hk_pml *p, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = hk_arena_vprintf(p->arena, format, args);
    va_end(args);
    if (strlen(text) > TEXT_MAX) {
        hk_pml_refuse(p, 0, 0, "an expression as long as this one becomes");
        return "0";
    }
    return text;
}

static void need(hk_pml *p, const char *condition) {
    HK_PUSH(p->needs, p->need_count, p->need_cap, condition);
}

void hk_pml_put_needs(hk_pml *p) {
    fprintf(p->out, "%s", hk_pml_fits_text(p));
    for (size_t i = 0; i < p->need_count; i++)
        fprintf(p->out, "if :: %s :: else -> arithmetic = true; assert(!arithmetic) fi;\n",
                p->needs[i]);
    p->need_count = 0;
}

void hk_pml_refuse_needs(hk_pml *p, int line, int column) {
    if (p->need_count)
        hk_pml_refuse(p, line, column, "a computation in a condition that can fail");
    p->need_count = 0;
}

/* ---- parts */

static const char *one(hk_pml *p, const hk_chart_expr *e, hk_pml_frame *frame) {
    return hk_pml_value(p, e, frame)[0];
}

static const char **room(hk_pml *p, uint32_t count) {
    const char **cells = HK_NEW_ARRAY(p->arena, const char *, count + 1);
    for (uint32_t i = 0; i < count; i++)
        cells[i] = "0";
    return cells;
}

/* One of COUNT elements of SIZE cells, by a number from FIRST on. */
static const char **pick(hk_pml *p, const char **cells, uint32_t count, uint32_t size,
                         const char *index, uint32_t first) {
    const char **picked = room(p, size);
    for (uint32_t k = 0; k < size; k++)
        for (uint32_t i = count; i > 0; i--) {
            const char *cell = cells[(i - 1) * size + k];
            picked[k] = i == count ? cell
                                   : hk_pml_text(p, "(%s == %u -> %s : %s)", index, first + i - 1,
                                                 cell, picked[k]);
        }
    return picked;
}

static const char **index_of(hk_pml *p, const hk_chart_expr *e, hk_pml_frame *frame) {
    const hk_chart_type *of = e->args[0]->type;
    const char **cells = hk_pml_value(p, e->args[0], frame), *index = one(p, e->args[1], frame);
    bool sequence = of->kind == HK_CHART_SEQUENCE;
    if (of->kind == HK_CHART_MATRIX)
        index =
            hk_pml_text(p, "((%s - 1) * %u + %s)", index, of->columns, one(p, e->args[2], frame));
    need(p, hk_pml_text(p, "(%s >= 1 && %s <= %s)", index, index,
                        sequence ? cells[0] : hk_pml_text(p, "%u", of->length)));
    return pick(p, cells + sequence, sequence ? HK_CHART_SEQUENCE_MAX : of->length,
                of->element->size, index, 1);
}

static const char **build(hk_pml *p, const hk_chart_expr *e, hk_pml_frame *frame) {
    const char **cells = room(p, e->type->size);
    uint32_t at = 0;
    if (e->type->kind == HK_CHART_SEQUENCE)
        cells[at++] = hk_pml_text(p, "%u", e->arg_count);
    for (uint32_t i = 0; i < e->arg_count; i++) {
        const char **part = hk_pml_value(p, e->args[i], frame);
        for (uint32_t k = 0; k < e->args[i]->type->size && at < e->type->size; k++)
            cells[at++] = part[k];
    }
    return cells;
}

/* ---- sequences */

static const char **shorten(hk_pml *p, const hk_chart_expr *e, const char **s) {
    uint32_t size = e->type->element->size;
    bool tail = e->builtin == HK_CHART_TAIL;
    const char **cells = room(p, e->type->size);
    need(p, hk_pml_text(p, "(%s > 0)", s[0]));
    cells[0] = hk_pml_text(p, "(%s - 1)", s[0]);
    for (uint32_t i = 0; i < HK_CHART_SEQUENCE_MAX; i++)
        for (uint32_t k = 0; k < size; k++) {
            uint32_t at = 1 + i * size + k;
            if (tail && i + 1 < HK_CHART_SEQUENCE_MAX)
                cells[at] = s[at + size];
            else if (!tail)
                cells[at] = hk_pml_text(p, "(%s > %u -> %s : 0)", s[0], i + 1, s[at]);
        }
    return cells;
}

static const char **concat(hk_pml *p, const hk_chart_expr *e, const char **a, const char **b) {
    uint32_t size = e->type->element->size;
    const char **cells = room(p, e->type->size);
    cells[0] = hk_pml_text(p, "(%s + %s)", a[0], b[0]);
    need(p, hk_pml_text(p, "(%s <= %d)", cells[0], (int)HK_CHART_SEQUENCE_MAX));
    for (uint32_t i = 0; i < HK_CHART_SEQUENCE_MAX; i++) {
        const char **behind = pick(p, b + 1, i + 1, size, hk_pml_text(p, "(%u - %s)", i, a[0]), 0);
        for (uint32_t k = 0; k < size; k++)
            cells[1 + i * size + k] =
                hk_pml_text(p, "(%s > %u -> %s : %s)", a[0], i, a[1 + i * size + k], behind[k]);
    }
    return cells;
}

static const char **builtin(hk_pml *p, const hk_chart_expr *e, hk_pml_frame *frame) {
    const char **a = hk_pml_value(p, e->args[0], frame);
    const char **b = e->arg_count > 1 ? hk_pml_value(p, e->args[1], frame) : NULL;
    const char **cells = room(p, e->type->size);
    switch (e->builtin) {
    case HK_CHART_SIZE:
        return a;
    case HK_CHART_HEAD:
        need(p, hk_pml_text(p, "(%s > 0)", a[0]));
        return a + 1;
    case HK_CHART_LAST:
        need(p, hk_pml_text(p, "(%s > 0)", a[0]));
        return pick(p, a + 1, HK_CHART_SEQUENCE_MAX, e->type->size, a[0], 1);
    case HK_CHART_TAIL:
    case HK_CHART_FRONT:
        return shorten(p, e, a);
    case HK_CHART_CONCAT:
        return concat(p, e, a, b);
    case HK_CHART_MIN:
        cells[0] = hk_pml_text(p, "(%s < %s -> %s : %s)", a[0], b[0], a[0], b[0]);
        return cells;
    case HK_CHART_MAX:
        cells[0] = hk_pml_text(p, "(%s > %s -> %s : %s)", a[0], b[0], a[0], b[0]);
        return cells;
    default:
        cells[0] = hk_pml_text(p, "(%s < 0 -> -%s : %s)", a[0], a[0], a[0]);
        return cells;
    }
}

/* ---- truths */

static const char *equal(hk_pml *p, const hk_chart_type *type, const char **a, const char **b) {
    const char *text = hk_pml_text(p, "(%s == %s)", a[0], b[0]);
    for (uint32_t k = 1; k < type->size; k++)
        text = hk_pml_text(p, "(%s && %s == %s)", text, a[k], b[k]);
    return text;
}

/* Each element of a sequence in turn, as long as there is one. */
static const char *quantified(hk_pml *p, const hk_chart_expr *e, hk_pml_frame *frame) {
    bool all = e->op == HK_CHART_FORALL;
    const char **s = hk_pml_value(p, e->args[0], frame);
    uint32_t size = e->args[0]->type->element->size;
    const char *text = all ? "true" : "false";
    char *end = NULL;
    unsigned long known = strtoul(s[0], &end, 10);
    uint32_t count = *end || end == s[0] ? HK_CHART_SEQUENCE_MAX : (uint32_t)known;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < size; k++)
            frame->cells[e->cell + k] = s[1 + i * size + k];
        text = hk_pml_text(p, all ? "(%s && (%s <= %u || %s))" : "(%s || (%s > %u && %s))", text,
                           s[0], i, one(p, e->args[1], frame));
    }
    return text;
}

static const char *is_element(hk_pml *p, const hk_chart_expr *e, hk_pml_frame *frame) {
    const char **a = hk_pml_value(p, e->args[0], frame), **s = hk_pml_value(p, e->args[1], frame);
    uint32_t size = e->args[0]->type->size;
    const char *text = "false";
    char *end = NULL;
    unsigned long known = strtoul(s[0], &end, 10);
    uint32_t count = *end || end == s[0] ? HK_CHART_SEQUENCE_MAX : (uint32_t)known;
    for (uint32_t i = 0; i < count; i++)
        text = hk_pml_text(p, "(%s || (%s > %u && %s))", text, s[0], i,
                           equal(p, e->args[0]->type, a, s + 1 + i * size));
    return text;
}

/* ---- numbers */

/* A constant that is whole, so that it keeps multiples of the scale what they are. */
static bool is_whole(const hk_pml *p, const hk_chart_expr *e, long long *ret_value) {
    const hk_side *s = &p->world->sides[0];
    const hk_cell *memory = hk_chart_memory(s->runner, p->world->first + s->at);
    double value = hk_side_constant(s, memory, e);
    if (!(fabs(value) < 1e6) || value != floor(value))
        return false;
    *ret_value = llround(value);
    return true;
}

/* Reals are scaled: only one of the two may be. */
static const char *real_product(hk_pml *p, const hk_chart_expr *e, const char *a, const char *b) {
    long long factor;
    if (e->op == HK_CHART_MULTIPLY && is_whole(p, e->args[1], &factor)) {
        b = hk_pml_text(p, "(%lld)", factor);
    } else if (e->op == HK_CHART_MULTIPLY && is_whole(p, e->args[0], &factor)) {
        a = hk_pml_text(p, "(%lld)", factor);
    } else {
        hk_pml_refuse(p, e->line, e->column,
                      e->op == HK_CHART_MULTIPLY
                          ? "a product of reals, unless one is a whole constant"
                          : "a division of reals");
        return "0";
    }
    hk_pml_fit_product(p, a, b);
    return hk_pml_text(p, "(%s * %s)", a, b);
}

static const char *product(hk_pml *p, const hk_chart_expr *e, const char *a, const char *b) {
    bool real = e->type->kind == HK_CHART_REAL;
    const hk_chart_expr *divisor = e->args[1];
    if (real)
        return real_product(p, e, a, b);
    if (e->op == HK_CHART_MULTIPLY) {
        hk_pml_fit_product(p, a, b);
        return hk_pml_text(p, "(%s * %s)", a, b);
    }
    if (divisor->op != HK_CHART_LITERAL || divisor->value.i == 0) {
        hk_pml_refuse(p, e->line, e->column, "a division by something that can be 0");
        return "0";
    }
    const char *rest = hk_pml_text(p, "(((%s %% %s) + %s) %% %s)", a, b, b, b);
    (void)hk_pml_number(p, 2 * llabs(hk_pml_number(p, divisor->value.i, e->line, e->column)),
                        e->line, e->column);
    if (e->op == HK_CHART_DIVIDE)
        hk_pml_fit_difference(p, a, rest);
    return e->op == HK_CHART_MODULO ? rest : hk_pml_text(p, "((%s - %s) / %s)", a, rest, b);
}

static const char *arithmetic(hk_pml *p, const hk_chart_expr *e, hk_pml_frame *frame) {
    const char *a = one(p, e->args[0], frame);
    if (e->op == HK_CHART_TO_REAL) {
        const char *scale = hk_pml_text(p, "%lld", (long long)p->scale);
        hk_pml_fit_product(p, a, scale);
        return p->scale == 1 ? a : hk_pml_text(p, "(%s * %s)", a, scale);
    }
    if (e->op == HK_CHART_TO_NAT) {
        need(p, hk_pml_text(p, "(%s >= 0)", a));
        return a;
    }
    if (e->op == HK_CHART_NEGATE)
        return hk_pml_text(p, "(-%s)", a);
    const char *b = one(p, e->args[1], frame);
    if (e->op == HK_CHART_ADD) {
        hk_pml_fit_sum(p, a, b);
        return hk_pml_text(p, "(%s + %s)", a, b);
    }
    if (e->op != HK_CHART_SUBTRACT)
        return product(p, e, a, b);
    if (e->type->kind == HK_CHART_NAT)
        need(p, hk_pml_text(p, "(%s >= %s)", a, b));
    else
        hk_pml_fit_difference(p, a, b);
    return hk_pml_text(p, "(%s - %s)", a, b);
}

static const char *logic(hk_pml *p, const hk_chart_expr *e, hk_pml_frame *frame) {
    const char *a = one(p, e->args[0], frame);
    if (e->op == HK_CHART_NOT)
        return hk_pml_text(p, "(!%s)", a);
    size_t before = p->need_count, fits = p->fit_count;
    const char *b = one(p, e->args[1], frame);
    if (p->need_count > before && e->op != HK_CHART_IFF)
        hk_pml_refuse(p, e->line, e->column, "a computation that can fail and is not always done");
    if (e->op != HK_CHART_IFF)
        hk_pml_fits_unless(p, fits, e->op == HK_CHART_OR ? a : hk_pml_text(p, "(!%s)", a));
    switch (e->op) {
    case HK_CHART_AND:
        return hk_pml_text(p, "(%s && %s)", a, b);
    case HK_CHART_OR:
        return hk_pml_text(p, "(%s || %s)", a, b);
    case HK_CHART_IMPLIES:
        return hk_pml_text(p, "(!%s || %s)", a, b);
    default:
        return hk_pml_text(p, "(%s == %s)", a, b);
    }
}

static const char *comparison(hk_pml *p, const hk_chart_expr *e, hk_pml_frame *frame) {
    static const char *const marks[] = {"<", "<=", ">", ">="};
    const char **a = hk_pml_value(p, e->args[0], frame), **b = hk_pml_value(p, e->args[1], frame);
    if (e->op == HK_CHART_EQUAL || e->op == HK_CHART_UNEQUAL) {
        const char *same = equal(p, e->args[0]->type, a, b);
        return e->op == HK_CHART_EQUAL ? same : hk_pml_text(p, "(!%s)", same);
    }
    if (e->op == HK_CHART_WITHIN)
        return hk_pml_text(p, "(%s >= %s && %s <= %s)", a[0], b[0], a[0],
                           one(p, e->args[2], frame));
    return hk_pml_text(p, "(%s %s %s)", a[0], marks[e->op - HK_CHART_LESS], b[0]);
}

/* ---- everything */

static const char **call(hk_pml *p, const hk_chart_expr *e, hk_pml_frame *frame) {
    const hk_chart_function *f = e->function;
    hk_pml_frame own = {room(p, f->frame_size), f->frame_size};
    uint32_t at = 0;
    if (++p->depth > 8 || f->precondition_count) {
        hk_pml_refuse(p, e->line, e->column,
                      f->precondition_count ? "a function with a precondition"
                                            : "a function that calls itself");
        p->depth--;
        return room(p, e->type->size);
    }
    for (uint32_t i = 0; i < e->arg_count; i++) {
        const char **value = hk_pml_value(p, e->args[i], frame);
        for (uint32_t k = 0; k < f->parameter_types[i]->size; k++)
            own.cells[at++] = value[k];
    }
    const char **result = hk_pml_value(p, f->body, &own);
    p->depth--;
    return result;
}

static const char **choice(hk_pml *p, const hk_chart_expr *e, hk_pml_frame *frame) {
    const char *test = one(p, e->args[0], frame);
    size_t before = p->need_count, fits = p->fit_count;
    const char **a = hk_pml_value(p, e->args[1], frame);
    hk_pml_fits_unless(p, fits, hk_pml_text(p, "(!%s)", test));
    fits = p->fit_count;
    const char **b = hk_pml_value(p, e->args[2], frame);
    hk_pml_fits_unless(p, fits, test);
    const char **cells = room(p, e->type->size);
    if (p->need_count > before)
        hk_pml_refuse(p, e->line, e->column, "a computation that can fail and is not always done");
    for (uint32_t k = 0; k < e->type->size; k++)
        cells[k] = hk_pml_text(p, "(%s -> %s : %s)", test, a[k], b[k]);
    return cells;
}

static const char **bound(hk_pml *p, const hk_chart_expr *e, hk_pml_frame *frame) {
    const char **value = hk_pml_value(p, e->args[0], frame);
    for (uint32_t k = 0; k < e->args[0]->type->size; k++)
        frame->cells[e->cell + k] = value[k];
    return hk_pml_value(p, e->args[1], frame);
}

static const char *since(hk_pml *p, const hk_chart_expr *e) {
    const hk_side *s = &p->world->sides[0];
    uint32_t tick = e->op == HK_CHART_SINCE ? hk_chart_clock_tick(s->runner, p->machine, e->clock)
                                            : hk_chart_state_tick(s->runner, p->machine, e->state);
    int64_t unit = e->type->kind == HK_CHART_REAL ? p->scale : 1;
    hk_ratio cycle = p->chart->cycle;
    (void)hk_pml_number(p, cycle.num, e->line, e->column);
    if (p->status != HK_OK)
        return "0";
    if (unit * cycle.num % cycle.den != 0 || !s->tick_caps[tick])
        hk_pml_refuse(p, e->line, e->column,
                      s->tick_caps[tick] ? "a cycle that is not a whole number of time units"
                                         : "a clock that is compared with something that changes");
    unit = hk_pml_number(p, unit * cycle.num / cycle.den, e->line, e->column);
    (void)hk_pml_number(p, unit * s->tick_caps[tick], e->line, e->column);
    return hk_pml_text(p, "(tick[%u] * %lld)", tick, (long long)unit);
}

static const char *literal(hk_pml *p, const hk_chart_expr *e) {
    long long value = e->type->kind == HK_CHART_REAL
                          ? hk_pml_scaled(p, e->value.r, e->line, e->column)
                          : hk_pml_number(p, e->value.i, e->line, e->column);
    return hk_pml_text(p, value < 0 ? "(%lld)" : "%lld", value);
}

static const char **cells_at(hk_pml *p, const hk_chart_expr *e) {
    const char **cells = room(p, e->type->size);
    for (uint32_t k = 0; k < e->type->size; k++)
        cells[k] = hk_pml_text(p, "cell[%u]", e->cell + k);
    return cells;
}

const char **hk_pml_value(hk_pml *p, const hk_chart_expr *e, hk_pml_frame *frame) {
    const char **cells = room(p, 1);
    if (p->status != HK_OK)
        return room(p, e->type->size);
    switch (e->op) {
    case HK_CHART_LOAD:
        return cells_at(p, e);
    case HK_CHART_LOCAL:
        return frame->cells + e->cell;
    case HK_CHART_BUILD:
        return build(p, e, frame);
    case HK_CHART_FIELD:
        return hk_pml_value(p, e->args[0], frame) + e->cell;
    case HK_CHART_INDEX:
        return index_of(p, e, frame);
    case HK_CHART_IF:
        return choice(p, e, frame);
    case HK_CHART_LET:
        return bound(p, e, frame);
    case HK_CHART_CALL:
        return call(p, e, frame);
    case HK_CHART_BUILTIN:
        return builtin(p, e, frame);
    case HK_CHART_LITERAL:
        cells[0] = literal(p, e);
        break;
    case HK_CHART_SINCE:
    case HK_CHART_SINCE_ENTRY:
        cells[0] = since(p, e);
        break;
    case HK_CHART_FORALL:
    case HK_CHART_EXISTS:
        cells[0] = quantified(p, e, frame);
        break;
    case HK_CHART_IN:
        cells[0] = is_element(p, e, frame);
        break;
    default:
        cells[0] = e->op <= HK_CHART_MODULO                         ? arithmetic(p, e, frame)
                   : e->op <= HK_CHART_IFF && e->op >= HK_CHART_NOT ? logic(p, e, frame)
                                                                    : comparison(p, e, frame);
        break;
    }
    return cells;
}

const char **hk_pml_code_cells(hk_pml *p, const hk_chart_code *code) {
    hk_pml_frame frame = {room(p, code->frame_size), code->frame_size};
    const char **cells = hk_pml_value(p, code->expr, &frame);
    return p->status == HK_OK ? cells : room(p, code->expr->type->size);
}

const char *hk_pml_code(hk_pml *p, const hk_chart_code *code) {
    return hk_pml_code_cells(p, code)[0];
}

const char *hk_pml_cycles(hk_pml *p, const hk_chart_code *code, bool up) {
    bool real = code->expr->type->kind == HK_CHART_REAL;
    hk_ratio cycle = p->chart->cycle;
    long long num = hk_pml_number(p, cycle.num, code->expr->line, code->expr->column);
    long long den = hk_pml_number(p, cycle.den, code->expr->line, code->expr->column);
    const char *value = hk_pml_code(p, code);
    num = hk_pml_number(p, num * (real ? p->scale : 1), code->expr->line, code->expr->column);
    if ((num == 1 && den == 1) || p->status != HK_OK)
        return value;
    const char *factor = hk_pml_text(p, "%lld", den);
    const char *rest = hk_pml_text(p, "%lld", up ? num - 1 : 0);
    const char *product = hk_pml_text(p, "(%s * %s)", value, factor);
    hk_pml_fit_product(p, value, factor);
    hk_pml_fit_sum(p, product, rest);
    return hk_pml_text(p, "((%s + %s) / %lld)", product, rest, num);
}

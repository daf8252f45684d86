/* SPDX-License-Identifier: MIT
 *
 * Expressions whose values have parts, calls of functions, and what is built in. */
#include "chart/run_internal.h"

#include <math.h>
#include <string.h>

hk_cell *hk_run_scratch(hk_chart_runner *r, uint32_t size) {
    hk_cell *cells = r->top;
    HK_ASSERT(size <= r->scratch_size - (size_t)(r->top - r->scratch));
    r->top += size;
    return cells;
}

static void copy(hk_cell *to, const hk_cell *from, uint32_t size) {
    memmove(to, from, size * sizeof *to);
}

/* Zeroed. */
static hk_cell *scratch_zero(hk_chart_runner *r, uint32_t size) {
    hk_cell *cells = hk_run_scratch(r, size);
    memset(cells, 0, size * sizeof *cells);
    return cells;
}

bool hk_run_equal(const hk_chart_type *type, const hk_cell *a, const hk_cell *b) {
    if (type->kind == HK_CHART_REAL)
        return a->r == b->r;
    if (hk_chart_is_scalar(type))
        return a->i == b->i;
    for (uint32_t i = 0; i < type->field_count; i++) {
        const hk_chart_field *f = &type->fields[i];
        if (!hk_run_equal(f->type, a + f->offset, b + f->offset))
            return false;
    }
    if (!type->element)
        return true;
    uint32_t count = type->length, first = 0;
    if (type->kind == HK_CHART_SEQUENCE) {
        if (a->i != b->i)
            return false;
        count = (uint32_t)a->i;
        first = 1;
    }
    for (uint32_t i = 0; i < count; i++)
        if (!hk_run_equal(type->element, a + first + i * type->element->size,
                          b + first + i * type->element->size))
            return false;
    return true;
}

uint32_t hk_run_offset(hk_chart_runner *r, const hk_chart_expr *e, const hk_cell *of) {
    const hk_chart_type *type = e->args[0]->type;
    bool sequence = type->kind == HK_CHART_SEQUENCE;
    int64_t index = hk_run_scalar(r, e->args[1]).i, count = sequence ? of->i : type->length;
    if (hk_run_failed(r))
        return 0;
    if (type->kind == HK_CHART_MATRIX) {
        int64_t column = hk_run_scalar(r, e->args[2]).i;
        bool inside = index >= 1 && index <= type->rows && column >= 1 && column <= type->columns;
        index = inside ? (index - 1) * type->columns + column : 0;
    }
    if (index < 1 || index > count) {
        (void)hk_run_fail(r, HK_CHART_RANGE, e->line, e->column, "the index is out of range");
        return 0;
    }
    return (sequence ? 1 : 0) + (uint32_t)(index - 1) * type->element->size;
}

/* ---- functions */

static bool begin_call(hk_chart_runner *r, const hk_chart_expr *e, hk_cell *frame) {
    const hk_chart_function *f = e->function;
    uint32_t at = 0;
    for (uint32_t i = 0; i < f->parameter_count; i++) {
        hk_cell *mark = r->top;
        copy(frame + at, hk_run_value(r, e->args[i]), f->parameter_types[i]->size);
        r->top = mark;
        at += f->parameter_types[i]->size;
    }
    if (hk_run_failed(r))
        return false;
    if (r->depth >= HK_CHART_DEPTH_MAX)
        (void)hk_run_fail(r, HK_CHART_RANGE, e->line, e->column,
                          "function '%s' is called more than %d times in itself", f->name,
                          HK_CHART_DEPTH_MAX);
    else if (++r->calls > HK_CHART_CALLS_MAX)
        (void)hk_run_fail(r, HK_CHART_NO_PROGRESS, e->line, e->column,
                          "no progress in cycle %lld: more than %d calls of functions",
                          (long long)r->now, HK_CHART_CALLS_MAX);
    return !hk_run_failed(r);
}

static bool preconditions_hold(hk_chart_runner *r, const hk_chart_expr *e) {
    const hk_chart_function *f = e->function;
    for (uint32_t i = 0; i < f->precondition_count; i++) {
        bool holds = hk_run_scalar(r, f->preconditions[i]).i;
        if (!holds && !hk_run_failed(r))
            (void)hk_run_fail(r, HK_CHART_CONDITION, f->preconditions[i]->line,
                              f->preconditions[i]->column,
                              "a precondition of function '%s' is false", f->name);
    }
    return !hk_run_failed(r);
}

/* RESULT has room for the value. */
static void call(hk_chart_runner *r, const hk_chart_expr *e, hk_cell *result) {
    hk_cell *mark = r->top, *outer = r->frame;
    hk_cell *frame = scratch_zero(r, e->function->frame_size);
    if (begin_call(r, e, frame)) {
        r->frame = frame;
        r->depth++;
        if (preconditions_hold(r, e))
            copy(result, hk_run_value(r, e->function->body), e->type->size);
        r->depth--;
    }
    r->frame = outer;
    r->top = mark;
}

hk_cell hk_run_call_scalar(hk_chart_runner *r, const hk_chart_expr *e) {
    hk_cell result = {.i = 0};
    call(r, e, &result);
    return result;
}

/* ---- sequences */

static const hk_cell *empty(hk_chart_runner *r, const hk_chart_expr *e) {
    (void)hk_run_fail(r, HK_CHART_RANGE, e->line, e->column, "the sequence is empty");
    return scratch_zero(r, e->type->size);
}

static hk_cell *too_long(hk_chart_runner *r, const hk_chart_expr *e, hk_cell *cells) {
    (void)hk_run_fail(r, HK_CHART_RANGE, e->line, e->column,
                      "the sequence has more than %d elements", HK_CHART_SEQUENCE_MAX);
    return cells;
}

static const hk_cell *cut(hk_chart_runner *r, const hk_chart_expr *e, const hk_cell *s) {
    uint32_t size = e->type->element->size, left = (uint32_t)s->i - 1;
    hk_cell *cells = scratch_zero(r, e->type->size);
    cells->i = left;
    copy(cells + 1, s + 1 + (e->builtin == HK_CHART_TAIL ? size : 0), left * size);
    return cells;
}

static const hk_cell *concat(hk_chart_runner *r, const hk_chart_expr *e) {
    uint32_t size = e->type->element->size;
    hk_cell *cells = scratch_zero(r, e->type->size);
    for (uint32_t i = 0; i < e->arg_count; i++) {
        const hk_cell *s = hk_run_value(r, e->args[i]);
        if (hk_run_failed(r))
            return cells;
        if (cells->i + s->i > HK_CHART_SEQUENCE_MAX)
            return too_long(r, e, cells);
        copy(cells + 1 + (uint32_t)cells->i * size, s + 1, (uint32_t)s->i * size);
        cells->i += s->i;
    }
    return cells;
}

static hk_cell extreme(hk_chart_runner *r, const hk_chart_expr *e) {
    hk_cell best = hk_run_scalar(r, e->args[0]);
    bool real = e->type->kind == HK_CHART_REAL, least = e->builtin == HK_CHART_MIN;
    for (uint32_t i = 1; i < e->arg_count; i++) {
        hk_cell other = hk_run_scalar(r, e->args[i]);
        bool less = real ? best.r < other.r : best.i < other.i;
        bool more = real ? best.r > other.r : best.i > other.i;
        best = (least ? less : more) ? best : other;
    }
    return best;
}

static hk_cell absolute(hk_chart_runner *r, const hk_chart_expr *e) {
    hk_cell a = hk_run_scalar(r, e->args[0]);
    if (e->type->kind == HK_CHART_REAL)
        return (hk_cell){.r = fabs(a.r)};
    if (a.i == INT64_MIN)
        (void)hk_run_fail(r, HK_CHART_ARITHMETIC, e->line, e->column, "the number is too large");
    return (hk_cell){.i = a.i == INT64_MIN ? 0 : a.i < 0 ? -a.i : a.i};
}

static const hk_cell *builtin(hk_chart_runner *r, const hk_chart_expr *e) {
    if (e->builtin == HK_CHART_CONCAT)
        return concat(r, e);
    const hk_cell *s = hk_run_value(r, e->args[0]);
    if (hk_run_failed(r) || s->i <= 0)
        return empty(r, e);
    if (e->builtin == HK_CHART_HEAD)
        return s + 1;
    if (e->builtin == HK_CHART_LAST)
        return s + 1 + (uint32_t)(s->i - 1) * e->type->size;
    return cut(r, e, s);
}

hk_cell hk_run_builtin_scalar(hk_chart_runner *r, const hk_chart_expr *e) {
    if (e->builtin == HK_CHART_MIN || e->builtin == HK_CHART_MAX)
        return extreme(r, e);
    if (e->builtin == HK_CHART_ABS)
        return absolute(r, e);
    hk_cell *mark = r->top;
    const hk_cell *value =
        e->builtin == HK_CHART_SIZE ? hk_run_value(r, e->args[0]) : builtin(r, e);
    r->top = mark;
    return *value;
}

bool hk_run_is_element(hk_chart_runner *r, const hk_chart_expr *e) {
    const hk_chart_type *type = e->args[0]->type;
    hk_cell *mark = r->top;
    const hk_cell *a = hk_run_value(r, e->args[0]), *s = hk_run_value(r, e->args[1]);
    bool found = false;
    for (int64_t i = 0; !hk_run_failed(r) && i < s->i && !found; i++)
        found = hk_run_equal(type, a, s + 1 + (uint32_t)i * type->size);
    r->top = mark;
    return found;
}

bool hk_run_quantified(hk_chart_runner *r, const hk_chart_expr *e) {
    bool all = e->op == HK_CHART_FORALL, result = all;
    uint32_t size = e->args[0]->type->element->size;
    hk_cell *mark = r->top;
    const hk_cell *s = hk_run_value(r, e->args[0]);
    hk_cell *inner = r->top;
    for (int64_t i = 0; result == all && !hk_run_failed(r) && i < s->i; i++) {
        copy(r->frame + e->cell, s + 1 + (uint32_t)i * size, size);
        result = hk_run_scalar(r, e->args[1]).i;
        r->top = inner;
    }
    r->top = mark;
    return result;
}

/* ---- all that has parts */

static const hk_cell *build(hk_chart_runner *r, const hk_chart_expr *e) {
    hk_cell *cells = scratch_zero(r, e->type->size);
    uint32_t at = 0;
    if (e->type->kind == HK_CHART_SEQUENCE) {
        if (e->arg_count > HK_CHART_SEQUENCE_MAX)
            return too_long(r, e, cells);
        cells[at++].i = e->arg_count;
    }
    for (uint32_t i = 0; i < e->arg_count; i++) {
        hk_cell *mark = r->top;
        copy(cells + at, hk_run_value(r, e->args[i]), e->args[i]->type->size);
        r->top = mark;
        at += e->args[i]->type->size;
    }
    return cells;
}

static const hk_cell *scalar_value(hk_chart_runner *r, const hk_chart_expr *e) {
    hk_cell *cell = hk_run_scratch(r, 1);
    *cell = hk_run_scalar(r, e);
    return cell;
}

static const hk_cell *let_value(hk_chart_runner *r, const hk_chart_expr *e) {
    hk_cell *mark = r->top;
    copy(r->frame + e->cell, hk_run_value(r, e->args[0]), e->args[0]->type->size);
    r->top = mark;
    return hk_run_value(r, e->args[1]);
}

const hk_cell *hk_run_value(hk_chart_runner *r, const hk_chart_expr *e) {
    hk_cell *result;
    const hk_cell *of;
    switch (e->op) {
    case HK_CHART_LOAD:
        return r->memory + e->cell;
    case HK_CHART_LOCAL:
        return r->frame + e->cell;
    default:
        break;
    }
    if (hk_chart_is_scalar(e->type))
        return scalar_value(r, e);
    switch (e->op) {
    case HK_CHART_BUILD:
        return build(r, e);
    case HK_CHART_FIELD:
        return hk_run_value(r, e->args[0]) + e->cell;
    case HK_CHART_INDEX:
        of = hk_run_value(r, e->args[0]);
        return of + hk_run_offset(r, e, of);
    case HK_CHART_IF:
        return hk_run_value(r, e->args[hk_run_scalar(r, e->args[0]).i ? 1 : 2]);
    case HK_CHART_LET:
        return let_value(r, e);
    case HK_CHART_CALL:
        result = scratch_zero(r, e->type->size);
        call(r, e, result);
        return result;
    default:
        HK_ASSERT(e->op == HK_CHART_BUILTIN);
        return builtin(r, e);
    }
}

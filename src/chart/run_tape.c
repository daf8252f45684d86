/* SPDX-License-Identifier: MIT
 *
 * Statements: actions are instructions in a row, and one that blocks is found again by its place.
 */
#include "chart/run_internal.h"

#include <math.h>
#include <string.h>

static hk_run_result timelock(hk_chart_runner *r, const hk_chart_stmt *stmt, const char *what,
                              const char *name) {
    return hk_run_fail(r, HK_CHART_TIMELOCK, stmt->line, stmt->column,
                       "timelock: %s '%s' is %s twice in cycle %lld", what, name,
                       *what == 'e' ? "sent" : "called", (long long)r->now);
}

/* ---- values */

/* Of the element that is stored to, behind its variable; false after a failure. The value may lie
 * in scratch: it stays. */
static bool find_element(hk_chart_runner *r, const hk_chart_target *place, uint32_t *cell) {
    hk_cell *outer = r->frame;
    r->frame = hk_run_scratch(r, place->frame_size);
    int64_t index = hk_run_scalar(r, place->index).i;
    int64_t column = place->column && !hk_run_failed(r) ? hk_run_scalar(r, place->column).i : 1;
    int64_t count = place->sequence ? r->memory[place->cell].i : place->length;
    r->frame = outer;
    if (hk_run_failed(r))
        return false;
    uint32_t columns = place->column ? place->columns : 1;
    if (index < 1 || index > count || column < 1 || column > columns) {
        (void)hk_run_fail(r, HK_CHART_RANGE, place->index->line, place->index->column,
                          "the index is out of range");
        return false;
    }
    uint32_t element = (uint32_t)(index - 1) * columns + (uint32_t)(column - 1);
    *cell += (place->sequence ? 1 : 0) + element * place->element->size + place->inner;
    return true;
}

void hk_run_store(hk_chart_runner *r, const hk_chart_target *place, const hk_cell *value,
                  const hk_chart_type *type, int line, int column) {
    uint32_t cell = place->cell;
    if (hk_run_failed(r) || (place->index && !find_element(r, place, &cell)))
        return;
    if (place->type->kind == HK_CHART_NAT && value->i < 0) {
        (void)hk_run_fail(r, HK_CHART_ARITHMETIC, line, column, "a nat is below 0");
        return;
    }
    memmove(r->memory + cell, value, type->size * sizeof *value);
}

static void assign(hk_chart_runner *r, const hk_chart_stmt *stmt) {
    const hk_chart_expr *e = stmt->value.expr;
    if (hk_chart_is_scalar(e->type)) {
        hk_cell value = hk_run_code(r, &stmt->value);
        hk_run_store(r, &stmt->place, &value, e->type, stmt->line, stmt->column);
        return;
    }
    const hk_cell *value = hk_run_code_value(r, &stmt->value);
    hk_run_store(r, &stmt->place, value, e->type, stmt->line, stmt->column);
}

static void copy_code(hk_chart_runner *r, const hk_chart_code *code, uint32_t cell) {
    const hk_cell *value = hk_run_code_value(r, code);
    if (!hk_run_failed(r))
        memmove(r->memory + cell, value, code->expr->type->size * sizeof *value);
}

static bool is_given(const hk_chart_variable *v, const bool *given) {
    for (uint32_t c = v->cell; c < v->cell + v->type->size; c++)
        if (!given || !given[c])
            return false;
    return true;
}

static void start_value(hk_chart_runner *r, const hk_chart_variable *v, const hk_cell *values,
                        const bool *given) {
    if (v->start.expr && !is_given(v, given))
        copy_code(r, &v->start, v->cell);
    else if (!v->constant)
        memset(r->memory + v->cell, 0, v->type->size * sizeof *r->memory);
    for (uint32_t c = v->cell; given && c < v->cell + v->type->size; c++)
        if (given[c])
            r->memory[c] = values[c];
    if (v->type->kind == HK_CHART_NAT && r->memory[v->cell].i < 0)
        (void)hk_run_fail(r, HK_CHART_ARITHMETIC, v->line, v->column, "'%s' is a nat and below 0",
                          v->path);
}

/* One that cannot be computed does not keep the others from their values: where a constant is not
 * known yet, theirs are asked for all the same. The first failure is the one that is told. */
void hk_run_start_values(hk_chart_runner *r, uint32_t machine, bool all, const hk_cell *values,
                         const bool *given) {
    hk_chart_outcome first = HK_CHART_OK;
    hk_chart_report told = {0};
    for (uint32_t i = 0; i < r->chart->variable_count; i++) {
        const hk_chart_variable *v = &r->chart->variables[i];
        if (!all && (v->machine != machine || v->constant))
            continue;
        start_value(r, v, values, given);
        if (!hk_run_failed(r))
            continue;
        if (first == HK_CHART_OK) {
            first = r->outcome;
            told = *r->report;
        }
        r->outcome = HK_CHART_OK;
    }
    if (first != HK_CHART_OK) {
        r->outcome = first;
        *r->report = told;
    }
}

/* ---- what others see */

static hk_run_result send(hk_chart_runner *r, const hk_chart_stmt *stmt) {
    const hk_chart_event *event = &r->machine->chart->events[stmt->event];
    if (event->out == HK_CHART_NONE) {
        if (stmt->value.expr)
            (void)hk_run_code_value(r, &stmt->value); /* what is wrong with it is wrong */
        return hk_run_failed(r) ? HK_RUN_FAILED : HK_RUN_DONE;
    }
    const hk_chart_line *line = &r->chart->lines[event->out];
    if (stmt->value.expr)
        copy_code(r, &stmt->value, line->sent);
    uint64_t bit = UINT64_C(1) << event->out % 64, *word = &r->sent[event->out / 64];
    bool overwrites = line->kind == HK_CHART_BETWEEN && line->async;
    if (hk_run_failed(r))
        return HK_RUN_FAILED;
    if ((*word & bit) && !overwrites)
        return timelock(r, stmt, "event", event->name);
    *word |= bit;
    return HK_RUN_DONE;
}

static hk_run_result receive(hk_chart_runner *r, const hk_chart_stmt *stmt) {
    const hk_chart_event *event = &r->machine->chart->events[stmt->event];
    if (event->in == HK_CHART_NONE)
        return HK_RUN_BLOCKED;
    const hk_chart_line *line = &r->chart->lines[event->in];
    uint64_t bit = UINT64_C(1) << event->in % 64, *word = &r->received[event->in / 64];
    if (!(*word & bit))
        return HK_RUN_BLOCKED;
    const hk_cell *value = r->memory + line->cell;
    if (stmt->value.expr) {
        bool equal = hk_run_equal(line->type, hk_run_code_value(r, &stmt->value), value);
        if (hk_run_failed(r))
            return HK_RUN_FAILED;
        if (!equal)
            return HK_RUN_BLOCKED;
    } else if (line->type && stmt->place.type) {
        r->frame = r->top = r->scratch;
        hk_run_store(r, &stmt->place, value, line->type, stmt->line, stmt->column);
    }
    *word &= ~bit;
    return hk_run_failed(r) ? HK_RUN_FAILED : HK_RUN_DONE;
}

static void effect(hk_chart_runner *r, const hk_chart_stmt *stmt) {
    if (stmt->does == HK_CHART_ASSIGN)
        assign(r, stmt);
    for (uint32_t i = 0; i < stmt->part_count && !hk_run_failed(r); i++)
        effect(r, stmt->parts[i]);
}

static hk_run_result operate(hk_chart_runner *r, const hk_chart_stmt *stmt) {
    const hk_chart_operation *o = &r->chart->operations[stmt->operation];
    for (uint32_t i = 0; i < stmt->arg_count && !hk_run_failed(r); i++)
        copy_code(r, &stmt->args[i], o->cell + o->parameters[i].offset);
    uint64_t bit = UINT64_C(1) << stmt->operation % 64, *word = &r->called[stmt->operation / 64];
    if (!hk_run_failed(r) && *word & bit)
        return timelock(r, stmt, "operation", o->name);
    *word |= bit;
    for (uint32_t i = 0; i < o->precondition_count && !hk_run_failed(r); i++)
        if (!hk_run_true(r, &o->preconditions[i]) && !hk_run_failed(r))
            (void)hk_run_fail(r, HK_CHART_CONDITION, stmt->line, stmt->column,
                              "a precondition of operation '%s' is false", o->name);
    if (!hk_run_failed(r) && o->effect)
        effect(r, o->effect);
    return hk_run_failed(r) ? HK_RUN_FAILED : HK_RUN_DONE;
}

/* ---- operations that are machines */

static void check(hk_chart_runner *r, const hk_run_machine *callee, bool before) {
    const hk_chart_machine *c = callee->chart;
    const hk_chart_code *codes = before ? c->preconditions : c->postconditions;
    uint32_t count = before ? c->precondition_count : c->postcondition_count;
    for (uint32_t i = 0; i < count && !hk_run_failed(r); i++)
        if (!hk_run_true(r, &codes[i]) && !hk_run_failed(r))
            (void)hk_run_fail(r, HK_CHART_CONDITION, codes[i].expr->line, codes[i].expr->column,
                              "a %scondition of operation '%s' is false", before ? "pre" : "post",
                              c->name);
}

static void begin_operation(hk_chart_runner *r, const hk_chart_stmt *stmt,
                            const hk_run_machine *callee) {
    const hk_chart_machine *c = callee->chart;
    hk_run_start_values(r, stmt->machine, false, NULL, NULL);
    for (uint32_t i = 0; i < stmt->arg_count && !hk_run_failed(r); i++) {
        const hk_cell *value = hk_run_code_value(r, &stmt->args[i]);
        hk_run_store(r, &c->parameters[i], value, stmt->args[i].expr->type, stmt->line,
                     stmt->column);
    }
    memset(r->ticks + callee->first_tick, 0, c->clock_count * sizeof *r->ticks);
    hk_run_registers(r, stmt->machine)->mode = HK_CHART_STARTING;
    check(r, callee, true);
}

static hk_run_result perform(hk_chart_runner *r, const hk_chart_stmt *stmt) {
    const hk_run_machine *callee = &r->machines[stmt->machine];
    if (hk_run_registers(r, stmt->machine)->mode == HK_CHART_ASLEEP)
        begin_operation(r, stmt, callee);
    hk_run_result result = hk_run_failed(r) ? HK_RUN_FAILED : hk_run_machine_on(r, callee);
    if (result != HK_RUN_DONE)
        return result;
    check(r, callee, false);
    hk_run_abort(r, callee);
    return hk_run_failed(r) ? HK_RUN_FAILED : HK_RUN_DONE;
}

/* ---- time */

static bool wait_from_to(hk_chart_runner *r, const hk_chart_stmt *stmt, uint32_t *ret_cycles) {
    hk_cell from = hk_run_code(r, &stmt->value), to = hk_run_code(r, &stmt->until);
    bool real = stmt->value.expr->type->kind == HK_CHART_REAL;
    bool until_real = stmt->until.expr->type->kind == HK_CHART_REAL;
    double a = real ? ceil(from.r - 1e-9) : (double)from.i;
    double b = until_real ? floor(to.r + 1e-9) : (double)to.i;
    if (hk_run_failed(r))
        return false;
    if (!(a >= 0 && b >= a && b / r->cycle < UINT32_MAX)) {
        (void)hk_run_fail(r, HK_CHART_RANGE, stmt->line, stmt->column,
                          "no whole number of time units is from %g to %g", a, b);
        return false;
    }
    const hk_chart_choice choice = {.kind = HK_CHART_CHOOSE_WAIT,
                                    .machine = r->machine->index,
                                    .node = HK_CHART_NONE,
                                    .cycle = r->now,
                                    .count = (uint64_t)(b - a) + 1,
                                    .least = (int64_t)a,
                                    .line = stmt->line,
                                    .column = stmt->column};
    uint64_t answer = 0;
    if (choice.count > 1 && r->chooser && r->chooser->choose)
        answer = r->chooser->choose(r->chooser->user, &choice);
    HK_ASSERT(answer < choice.count);
    *ret_cycles = (uint32_t)ceil((a + (double)answer) / r->cycle - 1e-9);
    return true;
}

static hk_run_result begin_wait(hk_chart_runner *r, const hk_chart_stmt *stmt,
                                hk_chart_thread *thread) {
    bool good = stmt->until.expr ? wait_from_to(r, stmt, &thread->left)
                                 : hk_run_cycles(r, &stmt->value, true, &thread->left);
    return good ? HK_RUN_DONE : HK_RUN_FAILED;
}

static hk_run_result begin_limit(hk_chart_runner *r, const hk_run_instruction *at) {
    return hk_run_cycles(r, &at->stmt->value, false, &r->left[at->to]) ? HK_RUN_DONE
                                                                       : HK_RUN_FAILED;
}

/* ---- the row */

/* One instruction; DONE: goes on with the one that thread->pc names then. */
static hk_run_result step(hk_chart_runner *r, const hk_run_instruction *at,
                          hk_chart_thread *thread) {
    const hk_chart_stmt *stmt = at->stmt;
    switch (at->op) {
    case HK_RUN_ASSIGN:
        assign(r, stmt);
        return hk_run_failed(r) ? HK_RUN_FAILED : HK_RUN_DONE;
    case HK_RUN_SEND:
        return send(r, stmt);
    case HK_RUN_RECEIVE:
        return receive(r, stmt);
    case HK_RUN_OPERATE:
        return operate(r, stmt);
    case HK_RUN_PERFORM:
        return perform(r, stmt);
    case HK_RUN_WAIT:
        return begin_wait(r, stmt, thread);
    case HK_RUN_PAUSE:
        return thread->left ? HK_RUN_BLOCKED : HK_RUN_DONE;
    case HK_RUN_RESET:
        r->ticks[r->machine->first_tick + stmt->clock] = 0;
        return HK_RUN_DONE;
    case HK_RUN_LIMIT:
        return begin_limit(r, at);
    case HK_RUN_UNLIMIT:
        r->left[at->to] = UINT32_MAX;
        return HK_RUN_DONE;
    default:
        HK_ASSERT(false);
        return HK_RUN_FAILED;
    }
}

hk_run_result hk_run_thread(hk_chart_runner *r, hk_chart_thread *thread) {
    while (thread->pc) {
        const hk_run_instruction *at = &r->tape[thread->pc];
        if (at->op == HK_RUN_END) {
            thread->pc = 0;
        } else if (at->op == HK_RUN_JUMP) {
            thread->pc = at->to;
        } else if (at->op == HK_RUN_UNLESS) {
            bool holds = hk_run_true(r, &at->stmt->value);
            if (hk_run_failed(r))
                return HK_RUN_FAILED;
            thread->pc = holds ? thread->pc + 1 : at->to;
        } else {
            hk_run_result result = step(r, at, thread);
            if (result != HK_RUN_DONE)
                return result;
            thread->pc++;
        }
    }
    return HK_RUN_DONE;
}

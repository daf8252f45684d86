/* SPDX-License-Identifier: MIT
 *
 * One cycle of a module, and what can be seen of a state. */
#include "chart/run_internal.h"

#include <stdio.h>
#include <string.h>

hk_run_result hk_run_fail(hk_chart_runner *r, hk_chart_outcome outcome, int line, int column,
                          const char *format, ...) {
    if (hk_run_failed(r))
        return HK_RUN_FAILED;
    r->outcome = outcome;
    r->report->line = line;
    r->report->column = column;
    r->report->machine = r->machine ? r->machine->index : HK_CHART_NONE;
    va_list args;
    va_start(args, format);
    vsnprintf(r->report->text, sizeof r->report->text, format, args);
    va_end(args);
    return HK_RUN_FAILED;
}

void hk_run_attach(hk_chart_runner *r, void *state, hk_chart_report *report) {
    const hk_chart_layout *l = &r->layout;
    if (r->state != state) {
        r->state = state;
        r->memory = (hk_cell *)(void *)(r->state + l->memory);
        r->ticks = (uint32_t *)(void *)(r->state + l->ticks);
        r->left = (uint32_t *)(void *)(r->state + l->limits);
        r->received = (uint64_t *)(void *)(r->state + l->received);
        r->sent = (uint64_t *)(void *)(r->state + l->sent);
        r->called = (uint64_t *)(void *)(r->state + l->called);
    }
    r->report = report ? report : &r->own;
    r->machine = NULL;
    r->outcome = HK_CHART_OK;
    r->calls = r->depth = 0;
    r->frame = r->top = r->scratch;
}

hk_chart_outcome hk_chart_reset(hk_chart_runner *r, void *state, const hk_cell *values,
                                const bool *given, hk_chart_report *report) {
    memset(state, 0, r->layout.size);
    hk_run_attach(r, state, report);
    r->now = 0;
    for (uint32_t i = 0; i < r->layout.limit_count; i++)
        r->left[i] = UINT32_MAX;
    for (uint32_t i = 0; i < r->chart->machine_count; i++)
        *hk_run_registers(r, i) = (hk_chart_registers){
            .mode =
                r->chart->machines[i].caller == HK_CHART_NONE ? HK_CHART_STARTING : HK_CHART_ASLEEP,
            .via = HK_CHART_NONE};
    hk_run_start_values(r, HK_CHART_NONE, true, values, given);
    r->report = NULL;
    return r->outcome;
}

/* Nearly always one word: a call of memset would take longer. */
static void clear(uint64_t *words, uint32_t count) {
    if (count == 1)
        *words = 0;
    else
        memset(words, 0, count * sizeof *words);
}

/* What was sent between machines in the cycle before is there now, and only now. */
static void deliver(hk_chart_runner *r) {
    for (uint32_t w = 0; w < r->layout.line_words; w++) {
        uint64_t typed = r->sent[w] & r->between_typed[w];
        r->received[w] = (r->received[w] & r->from_platform[w]) | (r->sent[w] & r->between[w]);
        r->sent[w] = 0;
        for (uint32_t i = w * 64; typed; i++, typed >>= 1) {
            const hk_chart_line *line = &r->chart->lines[i];
            if (typed & 1)
                memmove(r->memory + line->cell, r->memory + line->sent,
                        line->type->size * sizeof *r->memory);
        }
    }
    clear(r->called, r->layout.operation_words);
}

static void check_limits(hk_chart_runner *r) {
    for (uint32_t i = 0; i < r->layout.limit_count && !hk_run_failed(r); i++) {
        if (r->left[i] == UINT32_MAX)
            continue;
        const hk_run_limit *limit = &r->limits[i];
        r->machine = &r->machines[limit->machine];
        if (r->left[i] == 0)
            (void)hk_run_fail(r, HK_CHART_TIMELOCK, limit->stmt->line, limit->stmt->column,
                              "timelock: the deadline of the statement is missed in cycle %lld",
                              (long long)r->now);
        else
            r->left[i]--;
    }
}

/* Time passes until the next cycle. */
static void pass_time(hk_chart_runner *r) {
    const hk_chart_layout *l = &r->layout;
    hk_chart_thread *threads = (hk_chart_thread *)(void *)(r->state + l->threads);
    for (uint32_t i = 0; i < r->chart->machine_count; i++) {
        hk_chart_registers *at = hk_run_registers(r, i);
        at->action.left -= at->action.left != 0;
        if (r->machines[i].has_deadline && !hk_run_failed(r))
            hk_run_check_deadlines(r, &r->machines[i]);
    }
    for (uint32_t i = 0; r->has_during && i < l->thread_count; i++)
        threads[i].left -= threads[i].left != 0;
    if (l->limit_count)
        check_limits(r);
    for (uint32_t i = 0; i < l->tick_count; i++)
        r->ticks[i] += r->ticks[i] != UINT32_MAX;
    clear(r->received, l->line_words);
}

hk_chart_outcome hk_chart_cycle(hk_chart_runner *r, void *state, const hk_chart_chooser *chooser,
                                hk_chart_report *report) {
    hk_run_attach(r, state, report);
    int64_t *cycle = (int64_t *)(void *)(r->state + r->layout.cycle);
    r->chooser = chooser;
    r->now = *cycle;
    r->moved = false;
    r->report->all_ran = false;
    deliver(r);
    for (uint32_t i = 0; i < r->order_count; i++) {
        const hk_run_machine *m = &r->machines[r->order[i]];
        const hk_chart_registers *at = hk_run_registers(r, m->index);
        if (at->mode == HK_CHART_IDLE && !m->has_during && hk_run_sleeps(r, &m->nodes[at->node]))
            continue;
        r->moved = true;
        r->firings = 0;
        if (hk_run_machine_on(r, m) == HK_RUN_FAILED)
            break;
    }
    if (!hk_run_failed(r)) {
        r->report->all_ran = true;
        pass_time(r);
    }
    ++*cycle;
    r->report = NULL;
    return r->outcome;
}

/* ---- looking */

bool hk_chart_runner_moved(const hk_chart_runner *r) {
    return r->moved;
}

const hk_chart *hk_chart_runner_chart(const hk_chart_runner *r) {
    return r->chart;
}

const hk_chart_layout *hk_chart_runner_layout(const hk_chart_runner *r) {
    return &r->layout;
}

static bool bit_at(const void *state, size_t offset, uint32_t index) {
    const uint64_t *words = (const uint64_t *)(const void *)((const char *)state + offset);
    return words[index / 64] >> index % 64 & 1;
}

void hk_chart_put(const hk_chart_runner *r, void *state, uint32_t line) {
    uint64_t *words = (uint64_t *)(void *)((char *)state + r->layout.received);
    HK_ASSERT(line < r->chart->line_count);
    words[line / 64] |= UINT64_C(1) << line % 64;
}

hk_cell *hk_chart_memory(const hk_chart_runner *r, void *state) {
    return (hk_cell *)(void *)((char *)state + r->layout.memory);
}

int64_t hk_chart_next_cycle(const hk_chart_runner *r, const void *state) {
    return *(const int64_t *)(const void *)((const char *)state + r->layout.cycle);
}

bool hk_chart_was_sent(const hk_chart_runner *r, const void *state, uint32_t line) {
    return bit_at(state, r->layout.sent, line);
}

bool hk_chart_was_called(const hk_chart_runner *r, const void *state, uint32_t operation) {
    return bit_at(state, r->layout.called, operation);
}

const hk_chart_registers *hk_chart_machine_at(const hk_chart_runner *r, const void *state,
                                              uint32_t machine) {
    return (const hk_chart_registers *)(const void *)((const char *)state + r->layout.registers) +
           machine;
}

uint32_t hk_chart_active_state(const hk_chart_runner *r, const void *state, uint32_t machine) {
    return hk_run_active(&r->machines[machine], hk_chart_machine_at(r, state, machine));
}

bool hk_chart_terminated(const hk_chart_runner *r, const void *state) {
    for (uint32_t i = 0; i < r->order_count; i++)
        if (hk_chart_machine_at(r, state, r->order[i])->mode != HK_CHART_ENDED)
            return false;
    return true;
}

uint32_t hk_chart_clock_tick(const hk_chart_runner *r, uint32_t machine, uint32_t clock) {
    return r->machines[machine].first_tick + clock;
}

uint32_t hk_chart_state_tick(const hk_chart_runner *r, uint32_t machine, uint32_t node) {
    return r->machines[machine].nodes[node].tick;
}

uint32_t hk_chart_first_node(const hk_chart *chart, uint32_t machine) {
    uint32_t first = 0;
    for (uint32_t i = 0; i < machine; i++)
        first += chart->machines[i].node_count;
    return first;
}

uint32_t hk_chart_first_transition(const hk_chart *chart, uint32_t machine) {
    uint32_t first = 0;
    for (uint32_t i = 0; i < machine; i++)
        first += chart->machines[i].transition_count;
    return first;
}

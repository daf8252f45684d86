/* SPDX-License-Identifier: MIT
 *
 * Whether bytes can be a state: all numbers in it that the runner goes by are in their range. */
#include "chart/run_internal.h"

static bool type_fits(const hk_chart_type *type, const hk_cell *cells) {
    if (hk_chart_is_scalar(type))
        return true;
    for (uint32_t i = 0; i < type->field_count; i++)
        if (!type_fits(type->fields[i].type, cells + type->fields[i].offset))
            return false;
    if (!type->element)
        return true;
    bool sequence = type->kind == HK_CHART_SEQUENCE;
    if (sequence && (cells->i < 0 || cells->i > HK_CHART_SEQUENCE_MAX))
        return false;
    uint32_t count = sequence ? HK_CHART_SEQUENCE_MAX : type->length;
    for (uint32_t i = 0; i < count; i++)
        if (!type_fits(type->element, cells + (sequence ? 1 : 0) + i * type->element->size))
            return false;
    return true;
}

static bool memory_fits(const hk_chart *chart, const hk_cell *memory) {
    for (uint32_t i = 0; i < chart->variable_count; i++)
        if (!type_fits(chart->variables[i].type, memory + chart->variables[i].cell))
            return false;
    for (uint32_t i = 0; i < chart->line_count; i++) {
        const hk_chart_line *line = &chart->lines[i];
        if (line->type && (!type_fits(line->type, memory + line->cell) ||
                           !type_fits(line->type, memory + line->sent)))
            return false;
    }
    for (uint32_t i = 0; i < chart->operation_count; i++) {
        const hk_chart_operation *o = &chart->operations[i];
        for (uint32_t p = 0; p < o->parameter_count; p++)
            if (!type_fits(o->parameters[p].type, memory + o->cell + o->parameters[p].offset))
                return false;
    }
    return true;
}

static bool thread_fits(const hk_run_machine *m, const hk_chart_thread *thread) {
    return thread->pc == 0 || (thread->pc >= m->first_pc && thread->pc < m->end_pc);
}

/* What `node` and `via` must be in each mode. */
static bool registers_fit(const hk_run_machine *m, const hk_chart_registers *at) {
    const hk_chart_machine *c = m->chart;
    if (at->mode > HK_CHART_ENDED || at->node >= c->node_count || !thread_fits(m, &at->action))
        return false;
    hk_chart_node_kind kind = c->nodes[at->node].kind;
    bool has_via = at->via < c->transition_count;
    switch ((hk_chart_mode)at->mode) {
    case HK_CHART_IDLE:
        return (kind == HK_CHART_STATE && c->nodes[at->node].initial == HK_CHART_NONE) ||
               (kind == HK_CHART_FINAL && c->nodes[at->node].parent != HK_CHART_NONE);
    case HK_CHART_EXITING:
        for (uint32_t n = at->node; has_via && n != HK_CHART_NONE; n = c->nodes[n].parent)
            if (n == c->transitions[at->via].from)
                return true;
        return false;
    case HK_CHART_ACTING:
        return has_via && at->node == c->transitions[at->via].from;
    case HK_CHART_CHOOSING:
        return kind == HK_CHART_JUNCTION || kind == HK_CHART_PROBABILISTIC;
    case HK_CHART_ENTERING:
        return kind == HK_CHART_STATE;
    default:
        return true;
    }
}

bool hk_chart_state_fits(const hk_chart_runner *r, const void *state) {
    const char *bytes = state;
    const hk_chart_thread *threads = (const void *)(bytes + r->layout.threads);
    for (uint32_t i = 0; i < r->chart->machine_count; i++) {
        const hk_run_machine *m = &r->machines[i];
        if (!registers_fit(m, hk_chart_machine_at(r, state, i)))
            return false;
        for (uint32_t t = 0; t < m->depth; t++)
            if (!thread_fits(m, &threads[m->first_thread + t]))
                return false;
    }
    return hk_chart_next_cycle(r, state) >= 0 &&
           memory_fits(r->chart, (const void *)(bytes + r->layout.memory));
}

/* SPDX-License-Identifier: MIT
 *
 * One machine: it finishes what it has begun, then looks for a transition, until it blocks. */
#include "chart/run_internal.h"

#include <string.h>

/* ---- leaving */

/* The during action of a state that is left ends where it is, with what it runs. */
static void end_during(hk_chart_runner *r, const hk_run_machine *m, uint32_t node) {
    hk_chart_thread *thread = &hk_run_threads(r, m)[m->chart->nodes[node].depth];
    if (!thread->pc)
        return;
    *thread = (hk_chart_thread){0, 0};
    for (uint32_t i = m->nodes[node].during; r->tape[i].op != HK_RUN_END; i++) {
        if (r->tape[i].op == HK_RUN_LIMIT)
            r->left[r->tape[i].to] = UINT32_MAX;
        if (r->tape[i].op == HK_RUN_PERFORM)
            hk_run_abort(r, &r->machines[r->tape[i].stmt->machine]);
    }
}

void hk_run_abort(hk_chart_runner *r, const hk_run_machine *m) {
    hk_chart_registers *at = hk_run_registers(r, m->index);
    if (at->mode == HK_CHART_ASLEEP)
        return;
    *at = (hk_chart_registers){.mode = HK_CHART_ASLEEP, .via = HK_CHART_NONE};
    memset(hk_run_threads(r, m), 0, m->depth * sizeof(hk_chart_thread));
    for (uint32_t i = 0; i < r->layout.limit_count; i++)
        if (r->limits[i].machine == m->index)
            r->left[i] = UINT32_MAX;
    for (uint32_t i = 0; i < r->chart->machine_count; i++)
        if (r->chart->machines[i].caller == m->index)
            hk_run_abort(r, &r->machines[i]);
}

static void begin_exit(hk_chart_runner *r, const hk_run_machine *m, hk_chart_registers *at,
                       uint32_t node) {
    at->mode = HK_CHART_EXITING;
    at->node = node;
    if (m->chart->nodes[node].kind != HK_CHART_STATE) /* final of a composite state */
        return;
    if (m->has_during)
        end_during(r, m, node);
    at->action.pc = m->nodes[node].exit;
}

static void begin_action(const hk_run_machine *m, hk_chart_registers *at) {
    at->mode = HK_CHART_ACTING;
    at->node = m->chart->transitions[at->via].from;
    at->action.pc = m->actions[at->via];
}

static void take(hk_chart_runner *r, const hk_run_machine *m, hk_chart_registers *at,
                 uint32_t index) {
    const hk_chart_transition *t = &m->chart->transitions[index];
    if (++r->firings > HK_CHART_FIRINGS_MAX) {
        (void)hk_run_fail(r, HK_CHART_NO_PROGRESS, t->line, t->column,
                          "no progress in cycle %lld: more than %d transitions", (long long)r->now,
                          HK_CHART_FIRINGS_MAX);
        return;
    }
    if (r->report->transitions)
        r->report->transitions[m->first_transition + index]++;
    if (r->report->took)
        r->report->took(r->report->user, m->index, index);
    if (t->trigger != HK_CHART_NONE) {
        uint32_t in = m->chart->events[t->trigger].in;
        r->received[in / 64] &= ~(UINT64_C(1) << in % 64);
        if (t->stores) {
            r->frame = r->top = r->scratch;
            hk_run_store(r, &t->place, r->memory + r->chart->lines[in].cell,
                         r->chart->lines[in].type, t->line, t->column);
        }
    }
    for (uint32_t i = 0; i < t->reset_count; i++)
        r->ticks[m->first_tick + t->resets[i]] = 0;
    at->via = index;
    if (m->chart->nodes[t->from].kind == HK_CHART_STATE)
        begin_exit(r, m, at, at->node);
    else
        begin_action(m, at);
}

static void exited(hk_chart_runner *r, const hk_run_machine *m, hk_chart_registers *at) {
    if (at->node == m->chart->transitions[at->via].from)
        begin_action(m, at);
    else
        begin_exit(r, m, at, m->chart->nodes[at->node].parent);
}

/* ---- arriving */

static void rest(hk_chart_runner *r, const hk_run_machine *m, hk_chart_registers *at) {
    at->mode = HK_CHART_IDLE;
    at->via = HK_CHART_NONE;
    if (m->nodes[at->node].candidate_count == 0 && m->chart->caller == HK_CHART_NONE)
        hk_run_warn(r, m, HK_CHART_DEAD_STATE, at->node);
}

static void arrive(hk_chart_runner *r, const hk_run_machine *m, hk_chart_registers *at) {
    uint32_t to = m->chart->transitions[at->via].to;
    const hk_chart_node *node = &m->chart->nodes[to];
    at->node = to;
    if (r->report->nodes)
        r->report->nodes[m->first_node + to]++;
    switch (node->kind) {
    case HK_CHART_STATE:
        at->mode = HK_CHART_ENTERING;
        at->via = HK_CHART_NONE;
        at->action.pc = m->nodes[to].entry;
        if (m->nodes[to].tick != HK_CHART_NONE)
            r->ticks[m->nodes[to].tick] = 0;
        break;
    case HK_CHART_FINAL:
        at->via = HK_CHART_NONE;
        if (node->parent == HK_CHART_NONE)
            at->mode = HK_CHART_ENDED;
        else
            rest(r, m, at);
        break;
    default:
        at->mode = HK_CHART_CHOOSING;
        at->via = HK_CHART_NONE;
        break;
    }
}

static void entered(hk_chart_runner *r, const hk_run_machine *m, hk_chart_registers *at) {
    const hk_chart_node *node = &m->chart->nodes[at->node];
    const hk_run_node *mine = &m->nodes[at->node];
    if (mine->tick != HK_CHART_NONE)
        r->ticks[mine->tick] = 0;
    if (m->has_during)
        hk_run_threads(r, m)[node->depth].pc = mine->during;
    if (node->initial == HK_CHART_NONE) {
        rest(r, m, at);
        return;
    }
    at->node = node->initial;
    take(r, m, at, m->chart->nodes[node->initial].outgoing[0]);
}

/* False: no way out of the junction is enabled. */
static bool go_on(hk_chart_runner *r, const hk_run_machine *m, hk_chart_registers *at) {
    bool drawn = m->chart->nodes[at->node].kind == HK_CHART_PROBABILISTIC;
    uint32_t way = drawn ? hk_run_draw(r, m, at->node) : hk_run_choose(r, m, at->node);
    if (hk_run_failed(r))
        return true;
    if (way == HK_CHART_NONE) {
        hk_run_warn(r, m, HK_CHART_DEAD_JUNCTION, at->node);
        return false;
    }
    take(r, m, at, way);
    return true;
}

/* ---- running */

/* What was begun is finished: DONE: the machine is idle or has ended. */
static hk_run_result finish(hk_chart_runner *r, const hk_run_machine *m, hk_chart_registers *at) {
    while (at->mode != HK_CHART_IDLE && at->mode != HK_CHART_ENDED) {
        if (at->action.pc) {
            hk_run_result result = hk_run_thread(r, &at->action);
            if (result != HK_RUN_DONE)
                return result;
        }
        switch ((hk_chart_mode)at->mode) {
        case HK_CHART_STARTING:
            at->node = m->chart->initial;
            take(r, m, at, m->chart->nodes[at->node].outgoing[0]);
            break;
        case HK_CHART_EXITING:
            exited(r, m, at);
            break;
        case HK_CHART_ACTING:
            arrive(r, m, at);
            break;
        case HK_CHART_ENTERING:
            entered(r, m, at);
            break;
        default:
            if (!go_on(r, m, at))
                return HK_RUN_BLOCKED;
            break;
        }
        if (hk_run_failed(r))
            return HK_RUN_FAILED;
    }
    return HK_RUN_DONE;
}

/* Those of outer states first; one that blocks does not stop the others. */
static hk_run_result run_during(hk_chart_runner *r, const hk_run_machine *m) {
    hk_chart_thread *threads = hk_run_threads(r, m);
    for (uint32_t i = 0; i < m->depth; i++)
        if (threads[i].pc && hk_run_thread(r, &threads[i]) == HK_RUN_FAILED)
            return HK_RUN_FAILED;
    return HK_RUN_BLOCKED;
}

static hk_run_result run_on(hk_chart_runner *r, const hk_run_machine *m) {
    hk_chart_registers *at = hk_run_registers(r, m->index);
    for (;;) {
        if (at->mode != HK_CHART_IDLE) {
            hk_run_result result = finish(r, m, at);
            if (result != HK_RUN_DONE || at->mode == HK_CHART_ENDED)
                return result;
        }
        uint32_t next = HK_CHART_NONE;
        if (!hk_run_sleeps(r, &m->nodes[at->node]))
            next = hk_run_choose(r, m, at->node);
        if (hk_run_failed(r))
            return HK_RUN_FAILED;
        if (next == HK_CHART_NONE)
            return m->has_during ? run_during(r, m) : HK_RUN_BLOCKED;
        take(r, m, at, next);
        if (hk_run_failed(r))
            return HK_RUN_FAILED;
    }
}

hk_run_result hk_run_machine_on(hk_chart_runner *r, const hk_run_machine *m) {
    const hk_run_machine *outer = r->machine;
    r->machine = m;
    hk_run_result result = run_on(r, m);
    if (result == HK_RUN_FAILED)
        return result; /* the one that failed stays known */
    r->machine = outer;
    return result;
}

/* ---- states that are active */

uint32_t hk_run_active(const hk_run_machine *m, const hk_chart_registers *at) {
    const hk_chart_node *nodes = m->chart->nodes;
    switch ((hk_chart_mode)at->mode) {
    case HK_CHART_IDLE:
    case HK_CHART_EXITING:
        return nodes[at->node].kind == HK_CHART_STATE ? at->node : nodes[at->node].parent;
    case HK_CHART_ENTERING:
        return at->node;
    case HK_CHART_ACTING:
    case HK_CHART_CHOOSING:
        return nodes[at->node].parent;
    default:
        return HK_CHART_NONE;
    }
}

/* The innermost state that is entered and is not being left. */
static uint32_t settled(const hk_run_machine *m, const hk_chart_registers *at) {
    const hk_chart_node *nodes = m->chart->nodes;
    if (at->mode == HK_CHART_ENTERING)
        return nodes[at->node].parent;
    if (at->mode == HK_CHART_EXITING)
        return nodes[m->chart->transitions[at->via].from].parent;
    return hk_run_active(m, at);
}

static void check_deadline(hk_chart_runner *r, const hk_run_machine *m, uint32_t node) {
    const hk_chart_node *from = &m->chart->nodes[node];
    for (uint32_t i = 0; i < from->outgoing_count && !hk_run_failed(r); i++) {
        const hk_chart_transition *t = &m->chart->transitions[from->outgoing[i]];
        uint32_t allowed;
        if (!t->deadline.expr || !hk_run_cycles(r, &t->deadline, false, &allowed))
            continue;
        if (r->ticks[m->nodes[node].tick] >= allowed)
            (void)hk_run_fail(r, HK_CHART_TIMELOCK, t->line, t->column,
                              "timelock: event '%s' did not come in time in state '%s'",
                              m->chart->events[t->trigger].name, from->name);
    }
}

void hk_run_check_deadlines(hk_chart_runner *r, const hk_run_machine *m) {
    uint32_t node = settled(m, hk_run_registers(r, m->index));
    r->machine = m;
    for (; node != HK_CHART_NONE && !hk_run_failed(r); node = m->chart->nodes[node].parent)
        if (m->nodes[node].has_deadline)
            check_deadline(r, m, node);
}

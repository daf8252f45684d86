/* SPDX-License-Identifier: MIT
 *
 * Makes a module ready to run: instructions, candidates, and where everything is in a state. */
#include "chart/run_internal.h"

#include <string.h>

/* ---- how much room expressions need */

/* At most: what it and all in it leave in scratch until it is done. */
static uint64_t room_of(const hk_chart_expr *e) {
    uint64_t room = (e->type ? e->type->size : 1) + 1;
    if (e->op == HK_CHART_CALL)
        room += (uint64_t)e->function->frame_size;
    for (uint32_t i = 0; i < e->arg_count; i++)
        room += room_of(e->args[i]);
    return room;
}

typedef struct room {
    uint64_t most;
} room;

static void consider(room *all, const hk_chart_code *code) {
    uint64_t needs = code->expr ? room_of(code->expr) + code->frame_size : 0;
    if (needs > all->most)
        all->most = needs;
}

/* An index is looked at while the value is still in scratch. */
static void consider_place(room *all, const hk_chart_target *place, const hk_chart_code *value) {
    uint64_t needs = value->expr ? room_of(value->expr) + value->frame_size : 0;
    if (!place->index)
        return;
    needs += room_of(place->index) + place->frame_size;
    if (place->column)
        needs += room_of(place->column);
    if (needs > all->most)
        all->most = needs;
}

static void consider_stmt(room *all, const hk_chart_stmt *stmt) {
    if (!stmt)
        return;
    consider(all, &stmt->value);
    consider(all, &stmt->until);
    for (uint32_t i = 0; i < stmt->arg_count; i++)
        consider(all, &stmt->args[i]);
    consider_place(all, &stmt->place, &stmt->value);
    for (uint32_t i = 0; i < stmt->part_count; i++)
        consider_stmt(all, stmt->parts[i]);
}

static void consider_machine(room *all, const hk_chart_machine *m) {
    for (uint32_t i = 0; i < m->node_count; i++) {
        consider_stmt(all, m->nodes[i].entry);
        consider_stmt(all, m->nodes[i].during);
        consider_stmt(all, m->nodes[i].exit);
    }
    for (uint32_t i = 0; i < m->transition_count; i++) {
        const hk_chart_transition *t = &m->transitions[i];
        consider(all, &t->match);
        consider(all, &t->probability);
        consider(all, &t->guard);
        consider(all, &t->deadline);
        consider_stmt(all, t->action);
        consider_place(all, &t->place, &(hk_chart_code){NULL, 0});
    }
    for (uint32_t i = 0; i < m->precondition_count; i++)
        consider(all, &m->preconditions[i]);
    for (uint32_t i = 0; i < m->postcondition_count; i++)
        consider(all, &m->postconditions[i]);
}

static void consider_operation(room *all, const hk_chart_operation *o) {
    consider_stmt(all, o->effect);
    for (uint32_t i = 0; i < o->precondition_count; i++)
        consider(all, &o->preconditions[i]);
}

uint32_t hk_run_scratch_size(const hk_chart *chart) {
    room codes = {0}, functions = {0};
    for (uint32_t i = 0; i < chart->machine_count; i++)
        consider_machine(&codes, &chart->machines[i]);
    for (uint32_t i = 0; i < chart->operation_count; i++)
        consider_operation(&codes, &chart->operations[i]);
    for (uint32_t i = 0; i < chart->variable_count; i++)
        consider(&codes, &chart->variables[i].start);
    for (uint32_t i = 0; i < chart->function_count; i++) {
        const hk_chart_function *f = chart->functions[i];
        uint64_t needs = room_of(f->body);
        for (uint32_t p = 0; p < f->precondition_count; p++)
            needs += room_of(f->preconditions[p]);
        if (needs > functions.most)
            functions.most = needs;
    }
    uint64_t size = codes.most + (HK_CHART_DEPTH_MAX + 1) * functions.most + chart->frame_size + 64;
    HK_ASSERT(size < UINT32_MAX);
    return (uint32_t)size;
}

/* ---- instructions */

static uint32_t emit(hk_chart_runner *r, hk_run_op op, const hk_chart_stmt *stmt, uint32_t to) {
    size_t size = r->tape_size, cap = r->tape_cap;
    const hk_run_instruction instruction = {op, to, stmt};
    HK_PUSH(r->tape, size, cap, instruction);
    r->tape_size = (uint32_t)size;
    r->tape_cap = (uint32_t)cap;
    return r->tape_size - 1;
}

static uint32_t add_limit(hk_chart_runner *r, const hk_chart_stmt *stmt, uint32_t machine) {
    size_t count = r->layout.limit_count;
    r->limits = hk_realloc(r->limits, (count + 1) * sizeof *r->limits);
    r->limits[count] = (hk_run_limit){stmt, machine};
    return r->layout.limit_count++;
}

static void emit_stmt(hk_chart_runner *r, const hk_chart_stmt *stmt, uint32_t machine);

static void emit_choice(hk_chart_runner *r, const hk_chart_stmt *stmt, uint32_t machine) {
    uint32_t unless = emit(r, HK_RUN_UNLESS, stmt, 0);
    emit_stmt(r, stmt->parts[0], machine);
    uint32_t jump = emit(r, HK_RUN_JUMP, stmt, 0);
    r->tape[unless].to = r->tape_size;
    if (stmt->part_count > 1)
        emit_stmt(r, stmt->parts[1], machine);
    r->tape[jump].to = r->tape_size;
}

static void emit_deadline(hk_chart_runner *r, const hk_chart_stmt *stmt, uint32_t machine) {
    uint32_t limit = add_limit(r, stmt, machine);
    emit(r, HK_RUN_LIMIT, stmt, limit);
    emit_stmt(r, stmt->parts[0], machine);
    emit(r, HK_RUN_UNLIMIT, stmt, limit);
}

static void emit_stmt(hk_chart_runner *r, const hk_chart_stmt *stmt, uint32_t machine) {
    static const hk_run_op plain[] = {
        [HK_CHART_ASSIGN] = HK_RUN_ASSIGN,   [HK_CHART_SEND] = HK_RUN_SEND,
        [HK_CHART_RECEIVE] = HK_RUN_RECEIVE, [HK_CHART_OPERATE] = HK_RUN_OPERATE,
        [HK_CHART_PERFORM] = HK_RUN_PERFORM, [HK_CHART_RESET] = HK_RUN_RESET};
    switch (stmt->does) {
    case HK_CHART_SKIP:
        break;
    case HK_CHART_WAIT:
        emit(r, HK_RUN_WAIT, stmt, 0);
        emit(r, HK_RUN_PAUSE, stmt, 0);
        break;
    case HK_CHART_CHOICE:
        emit_choice(r, stmt, machine);
        break;
    case HK_CHART_SEQUENTIAL:
        for (uint32_t i = 0; i < stmt->part_count; i++)
            emit_stmt(r, stmt->parts[i], machine);
        break;
    case HK_CHART_DEADLINE:
        emit_deadline(r, stmt, machine);
        break;
    default:
        emit(r, plain[stmt->does], stmt, 0);
        break;
    }
}

/* Where the action begins; 0: there is nothing to do. */
static uint32_t emit_action(hk_chart_runner *r, const hk_chart_stmt *stmt, uint32_t machine) {
    if (!stmt)
        return 0;
    uint32_t first = r->tape_size;
    emit_stmt(r, stmt, machine);
    if (r->tape_size == first)
        return 0;
    emit(r, HK_RUN_END, NULL, 0);
    return first;
}

/* ---- candidates */

static hk_run_candidate candidate(const hk_chart_machine *m, uint32_t index) {
    const hk_chart_transition *t = &m->transitions[index];
    hk_run_candidate c = {.transition = t,
                          .index = index,
                          .node = t->from,
                          .line = HK_CHART_NONE,
                          .asks = t->guard.expr || t->match.expr,
                          .otherwise = t->otherwise};
    if (t->trigger == HK_CHART_NONE)
        return c;
    c.line = m->events[t->trigger].in;
    c.never = c.line == HK_CHART_NONE;
    if (!c.never) {
        c.word = c.line / 64;
        c.bit = UINT64_C(1) << c.line % 64;
    }
    return c;
}

/* Those of NODE behind the COUNT that are there: as declared, but what is enabled if no other is
 * comes last. */
static uint32_t add_candidates(const hk_chart_machine *m, uint32_t node, hk_run_candidate *list,
                               uint32_t count) {
    const hk_chart_node *from = &m->nodes[node];
    for (int otherwise = 0; otherwise < 2; otherwise++)
        for (uint32_t i = 0; i < from->outgoing_count; i++)
            if (m->transitions[from->outgoing[i]].otherwise == (otherwise == 1))
                list[count++] = candidate(m, from->outgoing[i]);
    return count;
}

/* A machine that is idle in NODE is also in all states around it: those come first. */
static void find_candidates(hk_chart_runner *r, const hk_chart_machine *m, uint32_t node,
                            hk_run_node *mine) {
    uint32_t total = 0, around[64], depth = 0;
    for (uint32_t n = node; n != HK_CHART_NONE; n = m->nodes[n].parent) {
        HK_ASSERT(depth < 64);
        around[depth++] = n;
        total += m->nodes[n].outgoing_count;
    }
    bool alone = m->nodes[node].kind != HK_CHART_STATE && m->nodes[node].kind != HK_CHART_FINAL;
    hk_run_candidate *list = HK_NEW_ARRAY(r->arena, hk_run_candidate, total + 1);
    uint32_t count = 0;
    while (depth-- > 0)
        if (!alone || around[depth] == node)
            count = add_candidates(m, around[depth], list, count);
    mine->candidates = list;
    mine->candidate_count = count;
}

/* A node whose transitions all wait for events of one word of lines. */
static void find_wakes(const hk_chart_machine *m, uint32_t node, hk_run_node *mine) {
    bool known = m->nodes[node].kind == HK_CHART_STATE || m->nodes[node].kind == HK_CHART_FINAL;
    bool first = true;
    for (uint32_t i = 0; i < mine->candidate_count && known; i++) {
        const hk_run_candidate *c = &mine->candidates[i];
        if (c->never)
            continue;
        known = c->bit && (first || c->word == mine->wakes_word);
        first = false;
        mine->wakes_word = c->word;
        mine->wakes |= c->bit;
    }
    if (!known || mine->wakes == ~UINT64_C(0)) {
        mine->wakes = ~UINT64_C(0);
        mine->wakes_word = 0;
    }
}

/* ---- machines */

static void compile_nodes(hk_chart_runner *r, hk_run_machine *mine, uint32_t index) {
    const hk_chart_machine *m = mine->chart;
    for (uint32_t i = 0; i < m->node_count; i++) {
        const hk_chart_node *node = &m->nodes[i];
        hk_run_node *to = &mine->nodes[i];
        to->entry = emit_action(r, node->entry, index);
        to->during = emit_action(r, node->during, index);
        to->exit = emit_action(r, node->exit, index);
        mine->has_during = mine->has_during || to->during;
        find_candidates(r, m, i, to);
        find_wakes(m, i, to);
        for (uint32_t t = 0; t < node->outgoing_count; t++)
            to->has_deadline = to->has_deadline || m->transitions[node->outgoing[t]].deadline.expr;
        mine->has_deadline = mine->has_deadline || to->has_deadline;
        to->tick = HK_CHART_NONE;
        if (node->timed || to->has_deadline)
            to->tick = r->layout.tick_count++;
    }
}

static uint32_t depth_of(const hk_chart_machine *m) {
    uint32_t depth = m->depth;
    for (uint32_t i = 0; i < m->node_count; i++)
        depth = m->nodes[i].depth + 1 > depth ? m->nodes[i].depth + 1 : depth;
    return depth;
}

static void compile_machines(hk_chart_runner *r) {
    const hk_chart *chart = r->chart;
    r->machines = HK_NEW_ARRAY(r->arena, hk_run_machine, chart->machine_count + 1);
    for (uint32_t i = 0; i < chart->machine_count; i++) { /* clocks come first */
        r->machines[i].first_tick = r->layout.tick_count;
        r->layout.tick_count += chart->machines[i].clock_count;
    }
    for (uint32_t i = 0; i < chart->machine_count; i++) {
        const hk_chart_machine *m = &chart->machines[i];
        hk_run_machine *mine = &r->machines[i];
        mine->chart = m;
        mine->index = i;
        mine->nodes = HK_NEW_ARRAY(r->arena, hk_run_node, m->node_count + 1);
        mine->actions = HK_NEW_ARRAY(r->arena, uint32_t, m->transition_count + 1);
        mine->first_thread = r->layout.thread_count;
        mine->depth = depth_of(m);
        r->layout.thread_count += mine->depth;
        mine->first_node = hk_chart_first_node(chart, i);
        mine->first_transition = hk_chart_first_transition(chart, i);
        mine->first_pc = r->tape_size;
        compile_nodes(r, mine, i);
        r->has_during = r->has_during || mine->has_during;
        for (uint32_t t = 0; t < m->transition_count; t++)
            mine->actions[t] = emit_action(r, m->transitions[t].action, i);
        mine->end_pc = r->tape_size;
    }
}

static void find_order(hk_chart_runner *r) {
    const hk_chart *chart = r->chart;
    r->order = HK_NEW_ARRAY(r->arena, uint32_t, chart->machine_count + 1);
    for (uint32_t c = 0; c < chart->controller_count; c++)
        for (uint32_t i = 0; i < chart->controllers[c].machine_count; i++)
            r->order[r->order_count++] = chart->controllers[c].machines[i];
}

static void find_masks(hk_chart_runner *r) {
    uint32_t words = r->layout.line_words;
    r->from_platform = HK_NEW_ARRAY(r->arena, uint64_t, words + 1);
    r->between = HK_NEW_ARRAY(r->arena, uint64_t, words + 1);
    r->between_typed = HK_NEW_ARRAY(r->arena, uint64_t, words + 1);
    for (uint32_t i = 0; i < r->chart->line_count; i++) {
        const hk_chart_line *line = &r->chart->lines[i];
        uint64_t bit = UINT64_C(1) << i % 64;
        if (line->kind == HK_CHART_FROM_PLATFORM)
            r->from_platform[i / 64] |= bit;
        if (line->kind == HK_CHART_BETWEEN)
            r->between[i / 64] |= bit;
        if (line->kind == HK_CHART_BETWEEN && line->type)
            r->between_typed[i / 64] |= bit;
    }
}

/* ---- the state */

static size_t place(size_t *at, size_t size) {
    size_t here = *at;
    *at += (size + 7) / 8 * 8;
    return here;
}

static void lay_out(hk_chart_runner *r) {
    hk_chart_layout *l = &r->layout;
    size_t at = 0;
    l->cycle = place(&at, sizeof(int64_t));
    l->received = place(&at, l->line_words * sizeof(uint64_t));
    l->sent = place(&at, l->line_words * sizeof(uint64_t));
    l->called = place(&at, l->operation_words * sizeof(uint64_t));
    l->registers = place(&at, r->chart->machine_count * sizeof(hk_chart_registers));
    l->threads = place(&at, l->thread_count * sizeof(hk_chart_thread));
    l->ticks = place(&at, l->tick_count * sizeof(uint32_t));
    l->limits = place(&at, l->limit_count * sizeof(uint32_t));
    l->memory = place(&at, r->chart->memory_size * sizeof(hk_cell));
    l->size = at;
}

static uint32_t most_ways(const hk_chart_runner *r) {
    uint32_t most = 2;
    for (uint32_t i = 0; i < r->chart->machine_count; i++)
        for (uint32_t n = 0; n < r->machines[i].chart->node_count; n++)
            if (r->machines[i].nodes[n].candidate_count > most)
                most = r->machines[i].nodes[n].candidate_count;
    return most;
}

hk_chart_runner *hk_chart_runner_create(const hk_chart *chart) {
    hk_chart_runner *r = hk_alloc(sizeof *r);
    r->chart = chart;
    r->arena = hk_arena_create();
    r->cycle = hk_ratio_to_double(chart->cycle);
    r->layout.line_words = (chart->line_count + 63) / 64;
    r->layout.operation_words = (chart->operation_count + 63) / 64;
    emit(r, HK_RUN_END, NULL, 0); /* 0 is nowhere */
    compile_machines(r);
    find_order(r);
    find_masks(r);
    lay_out(r);
    uint32_t most = most_ways(r);
    r->options = HK_NEW_ARRAY(r->arena, uint32_t, most);
    r->weights = HK_NEW_ARRAY(r->arena, double, most);
    r->warned =
        HK_NEW_ARRAY(r->arena, uint8_t, hk_chart_first_node(chart, chart->machine_count) + 1);
    r->scratch_size = hk_run_scratch_size(chart);
    r->scratch = hk_alloc(r->scratch_size * sizeof *r->scratch);
    return r;
}

void hk_chart_runner_destroy(hk_chart_runner *r) {
    if (!r)
        return;
    hk_free(r->scratch);
    hk_free(r->tape);
    hk_free(r->limits);
    hk_arena_destroy(r->arena);
    hk_free(r);
}

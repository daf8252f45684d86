/* SPDX-License-Identifier: MIT
 *
 * The program of a plan as a master: settings, the exchange of initial values and the first
 * reading; then in every cycle, level by level, sets, steps and gets. Calls of one kind and level
 * are in no order, so that threads and bulk calls are within it. */
#include "plan/program.h"
#include "sound/call_list.h"

#include <stdlib.h>

typedef struct work {
    hk_arena *arena;
    const hk_sound_system *system;
    const hk_program *program;
    hk_call_list init, step;
} work;

static void add(hk_call_list *to, hk_sound_call call) {
    call.as = HK_MAP_NONE;
    hk_call_list_add(to, call);
}

static void add_settings(work *w) {
    for (uint32_t i = 0; i < w->system->instance_count; i++)
        for (uint32_t k = 0; k < w->system->instances[i].parameters; k++)
            add(&w->init, (hk_sound_call){.op = HK_OP_PARAMETER, .instance = i, .port = k});
    for (uint32_t p = 0; p < w->system->port_count; p++)
        if (w->system->ports[p].initial)
            add(&w->init, (hk_sound_call){.op = HK_OP_SET,
                                          .port = p,
                                          .instance = w->system->ports[p].instance});
}

static hk_sound_call exchange_call(const work *w, const hk_init_node *node) {
    return (hk_sound_call){.op = node->connection == HK_MAP_NONE ? HK_OP_GET : HK_OP_SET,
                           .port = w->system->port_of[node->component][node->variable],
                           .instance = node->component,
                           .exchange = true,
                           .as = HK_MAP_NONE};
}

/* A group of more than one is iterated until its ports settle. */
static hk_sound_call iteration(const work *w, const hk_init_node *nodes, size_t count) {
    hk_sound_loop *loop = HK_NEW(w->arena, hk_sound_loop);
    hk_sound_call *body = HK_NEW_ARRAY(w->arena, hk_sound_call, count);
    uint32_t *watched = HK_NEW_ARRAY(w->arena, uint32_t, count);
    for (size_t i = 0; i < count; i++) {
        body[i] = exchange_call(w, &nodes[i]);
        watched[i] = body[i].port;
    }
    *loop = (hk_sound_loop){.kind = HK_LOOP_CONVERGED,
                            .watched = watched,
                            .watched_count = count,
                            .body = body,
                            .body_count = count};
    return (hk_sound_call){.op = HK_OP_LOOP, .exchange = true, .loop = loop};
}

static void add_exchange(work *w) {
    const hk_program *program = w->program;
    size_t begin = 0;
    for (size_t g = 0; g < program->init_count; g++) {
        size_t count = program->init_end[g] - begin;
        add(&w->init, count == 1 ? exchange_call(w, &program->init[begin])
                                 : iteration(w, &program->init[begin], count));
        begin = program->init_end[g];
    }
}

static int compare_calls(const void *a, const void *b) {
    const hk_sound_call *x = a;
    const hk_sound_call *y = b;
    uint32_t one = x->op == HK_OP_STEP ? x->instance : x->port;
    uint32_t other = y->op == HK_OP_STEP ? y->instance : y->port;
    return one < other ? -1 : one > other;
}

static void add_calls(work *w, hk_call_list *to, hk_sound_op op, const hk_program_calls *calls) {
    for (size_t i = 0; i < calls->count; i++) {
        const hk_program_call *call = &calls->all[i];
        uint32_t port = op == HK_OP_STEP ? 0 : w->system->port_of[call->component][call->variable];
        if (port != HK_MAP_NONE)
            add(to, (hk_sound_call){.op = op, .port = port, .instance = call->component});
    }
}

/* Those from BEGIN on are of one kind and level: whichever cell they are in, they stand by index.
 */
static void sort_from(hk_call_list *of, size_t begin) {
    if (of->count > begin)
        qsort(of->calls + begin, of->count - begin, sizeof *of->calls, compare_calls);
}

/* The cells of each level, together: first[level] ... first[level + 1] - 1. */
static uint32_t *by_level(const work *w, size_t levels, uint32_t **ret_first) {
    const hk_program *program = w->program;
    uint32_t *first = HK_NEW_ARRAY(w->arena, uint32_t, levels + 2);
    uint32_t *cells = HK_NEW_ARRAY(w->arena, uint32_t, program->cell_count);
    for (size_t i = 0; i < program->cell_count; i++)
        first[program->cells[i].level + 2]++;
    for (size_t level = 0; level < levels; level++)
        first[level + 2] += first[level + 1];
    for (uint32_t i = 0; i < program->cell_count; i++)
        cells[first[program->cells[i].level + 1]++] = i;
    *ret_first = first;
    return cells;
}

/* What was read first: all that the cells get. */
static void add_reading(work *w) {
    size_t begin = w->init.count;
    for (size_t i = 0; i < w->program->cell_count; i++)
        add_calls(w, &w->init, HK_OP_GET, &w->program->cells[i].gets);
    sort_from(&w->init, begin);
}

/* ENDS takes where the sets, steps and gets of each level end. */
static void add_levels(work *w, size_t levels, size_t *ends) {
    static const hk_sound_op ops[] = {HK_OP_SET, HK_OP_STEP, HK_OP_GET};
    uint32_t *first, *cells = by_level(w, levels, &first);
    for (size_t level = 0; level < levels; level++)
        for (int part = 0; part < 3; part++) {
            size_t begin = w->step.count;
            for (uint32_t i = first[level]; i < first[level + 1]; i++) {
                const hk_program_cell *c = &w->program->cells[cells[i]];
                const hk_program_calls *parts[] = {&c->sets, &c->steps, &c->gets};
                add_calls(w, &w->step, ops[part], parts[part]);
            }
            sort_from(&w->step, begin);
            ends[3 * level + (size_t)part] = w->step.count;
        }
}

/* Calls of one phase share the list of those they come after: the phase before. */
static void order(work *w, const size_t *ends, size_t phases, hk_sound_master *master) {
    size_t count = w->step.count;
    const uint32_t **before = HK_NEW_ARRAY(w->arena, const uint32_t *, count);
    size_t *before_count = HK_NEW_ARRAY(w->arena, size_t, count);
    uint32_t *all = HK_NEW_ARRAY(w->arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        all[i] = i;
    size_t last = 0, begin = 0; /* of the newest phase that was not empty */
    for (size_t p = 0; p < phases; p++) {
        for (size_t i = begin; i < ends[p]; i++) {
            before[i] = &all[last];
            before_count[i] = begin - last;
        }
        last = ends[p] > begin ? begin : last;
        begin = ends[p];
    }
    master->before = before;
    master->before_count = before_count;
}

/* The program of the plan, with what the system observes. */
static hk_program *make_program(const hk_sound_system *system, const hk_plan *plan) {
    hk_signal *signals = NULL;
    size_t count = 0, cap = 0;
    for (uint32_t c = 0; c < plan->model->component_count; c++)
        for (uint32_t v = 0; v < plan->model->components[c].info->variable_count; v++) {
            uint32_t port = system->port_of[c][v];
            if (port != HK_MAP_NONE && system->ports[port].observed)
                HK_PUSH(signals, count, cap, ((hk_signal){c, v, 0, NULL}));
        }
    hk_program *program = hk_program_make(plan, &(hk_program_observed){signals, count, 0});
    hk_free(signals);
    return program;
}

hk_sound_master *hk_sound_master_of_plan(hk_arena *arena, const hk_sound_system *system,
                                         const hk_plan *plan) {
    hk_program *program = make_program(system, plan);
    work w = {.arena = arena, .system = system, .program = program};
    hk_sound_master *master = HK_NEW(arena, hk_sound_master);
    size_t levels = plan->level_count ? plan->level_count : 1;
    size_t *ends = HK_NEW_ARRAY(arena, size_t, 3 * levels);
    add_settings(&w);
    add_exchange(&w);
    add_reading(&w);
    add_levels(&w, levels, ends);
    order(&w, ends, 3 * levels, master);
    master->init = hk_call_list_keep(arena, &w.init, &master->init_count);
    master->step = hk_call_list_keep(arena, &w.step, &master->step_count);
    hk_program_destroy(program);
    return master;
}

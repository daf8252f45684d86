/* SPDX-License-Identifier: MIT
 *
 * The calls of a master in words as a program, and their proof. */
#include "sound/master_file.h"
#include "sound/program_proof.h"

#include <stdlib.h>

static hk_where at_line(const hk_master_file *m, int line) {
    return (hk_where){.file = m->file, .line = line};
}

/* ---- the program ----------------------------------------------------------------------------- */

/* A call, and where it goes. */
typedef struct placed {
    uint32_t rate, group;
    int kind; /* set, step, get */
    uint32_t order;
    hk_program_call call;
    uint32_t connection; /* sets: the one that is copied first */
} placed;

static int compare_placed(const void *a, const void *b) {
    const placed *x = a;
    const placed *y = b;
    if (x->rate != y->rate)
        return x->rate < y->rate ? -1 : 1;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* Calls about ports that nothing is connected to are left out. */
static placed *place_calls(const hk_master_file *m, const hk_plan *plan, size_t *ret_count) {
    placed *all = hk_alloc((m->master->step_count + 1) * sizeof *all);
    size_t n = 0;
    for (uint32_t i = 0; i < m->master->step_count; i++) {
        const hk_sound_call *call = &m->step[i];
        bool step = call->op == HK_OP_STEP, set = call->op == HK_OP_SET;
        uint32_t component = m->component_of[call->instance];
        if (set && m->connection_of[call->port] == HK_MAP_NONE)
            continue;
        all[n++] = (placed){.rate = plan->components[component].rate,
                            .group = m->group_of[i],
                            .kind = set    ? 0
                                    : step ? 1
                                           : 2,
                            .order = i,
                            .call = {.component = component,
                                     .variable = step ? HK_MAP_NONE : m->variable_of[call->port],
                                     .line = call->line},
                            .connection = set ? m->connection_of[call->port] : HK_MAP_NONE};
    }
    qsort(all, n, sizeof *all, compare_placed);
    *ret_count = n;
    return all;
}

/* Between components of one rate a set hands over what was read last; between others it looks into
 * the past, as the lag says. */
static hk_program_copy copy_of(const hk_plan *plan, uint32_t connection) {
    const hk_connection *k = &plan->model->connections[connection];
    return (hk_program_copy){.connection = connection,
                             .newest = plan->components[k->from_component].rate ==
                                       plan->components[k->to_component].rate};
}

hk_program *hk_master_file_program(const hk_master_file *m, const hk_plan *plan) {
    size_t count, components = plan->model->component_count;
    placed *all = place_calls(m, plan, &count);
    hk_program *program = HK_NEW(m->arena, hk_program);
    hk_program_call *calls = HK_NEW_ARRAY(m->arena, hk_program_call, count + 1);
    hk_program_copy *copies = HK_NEW_ARRAY(m->arena, hk_program_copy, count + 1);
    *program = (hk_program){.arena = m->arena,
                            .plan = plan,
                            .written = true,
                            .cells = HK_NEW_ARRAY(m->arena, hk_program_cell, count + 1),
                            .depth = HK_NEW_ARRAY(m->arena, uint32_t, components + 1)};
    for (size_t c = 0; c < components; c++)
        program->depth[c] = UINT32_MAX - 1; /* the engine keeps what the plan asks for */
    hk_program_cell *cell = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!cell || cell->rate != all[i].rate || cell->level != all[i].group) {
            cell = &program->cells[program->cell_count++];
            *cell = (hk_program_cell){.rate = all[i].rate, .level = all[i].group, .copies = copies};
        }
        hk_program_calls *parts[] = {&cell->sets, &cell->steps, &cell->gets};
        hk_program_calls *to = parts[all[i].kind];
        to->all = to->count ? to->all : calls;
        to->count++;
        *calls++ = all[i].call;
        if (all[i].kind == 0) {
            *copies++ = copy_of(plan, all[i].connection);
            cell->copy_count++;
        }
    }
    hk_free(all);
    return program;
}

/* ---- rates and lags -------------------------------------------------------------------------- */

static hk_status check_rates(hk_ctx *ctx, const hk_master_file *m, const hk_plan *plan) {
    size_t count = plan->model->component_count;
    uint32_t *all = HK_NEW_ARRAY(m->arena, uint32_t, count);
    hk_tick first = count ? plan->components[0].offset : 0;
    for (uint32_t c = 0; c < count; c++) {
        all[c] = c;
        first = plan->components[c].offset < first ? plan->components[c].offset : first;
    }
    hk_tick cycle = hk_plan_step(plan, all, count);
    for (size_t i = 0; i < m->system->instance_count; i++) {
        const hk_sound_instance *instance = &m->system->instances[i];
        const hk_plan_component *c = &plan->components[m->component_of[i]];
        int64_t rate = c->period / cycle, from = (c->offset - first) / cycle;
        if (instance->rate != rate || instance->first != from)
            return hk_error(
                ctx, HK_E_UNSOUND, at_line(m, instance->line),
                hk_arena_printf(m->arena, "write rate %lld from %lld", (long long)rate,
                                (long long)from),
                "'%s' has the rate %lld from %lld in the system, in cycles of %lld/%lld s, and "
                "rate %lld from %lld here",
                instance->name, (long long)rate, (long long)from, (long long)cycle,
                (long long)plan->ticks_per_second, (long long)instance->rate,
                (long long)instance->first);
    }
    return HK_OK;
}

/* A schedule may ask for another order within a processor. */
static hk_status check_lags(hk_ctx *ctx, const hk_master_file *m, const hk_plan *plan) {
    for (uint32_t i = 0; i < plan->model->connection_count; i++) {
        const hk_connection *k = &plan->model->connections[i];
        bool reactive = m->system->ports[m->input_of[i]].reactive;
        if (reactive && plan->connections[i].lag != 0)
            return hk_error(ctx, HK_E_UNSOUND, hk_connection_where(plan->model, k),
                            "leave out the processors, or change their order",
                            "the master wants the value of the same step, and the order of the "
                            "processor does not give it");
    }
    return HK_OK;
}

/* ---- init ------------------------------------------------------------------------------------ */

typedef struct initial {
    hk_ctx *ctx;
    const hk_master_file *m;
    bool *done; /* per port: read or set */
} initial;

/* Calls in a loop may come in any order: it is repeated until nothing changes. */
static void mark_loop(initial *w, const hk_sound_loop *loop) {
    for (size_t i = 0; i < loop->body_count; i++) {
        if (loop->body[i].op == HK_OP_LOOP)
            mark_loop(w, loop->body[i].loop);
        else if (loop->body[i].op == HK_OP_GET || loop->body[i].op == HK_OP_SET)
            w->done[loop->body[i].port] = true;
    }
}

static hk_status wrong_call(const initial *w, const hk_sound_call *call, const char *why,
                            const char *name) {
    return hk_error(w->ctx, HK_E_UNSOUND, at_line(w->m, call->line), NULL, "%s %s: %s %s",
                    call->op == HK_OP_GET ? "get" : "set", w->m->system->ports[call->port].name,
                    why, name);
}

static hk_status check_set(const initial *w, const hk_sound_call *call) {
    const hk_sound_port *port = &w->m->system->ports[call->port];
    uint32_t k = w->m->connection_of[call->port];
    bool own = port->initial || (k != HK_MAP_NONE && w->m->model->connections[k].initial.data);
    if (own || port->source == HK_MAP_NONE || w->done[port->source])
        return HK_OK;
    return wrong_call(w, call, "nothing has read", w->m->system->ports[port->source].name);
}

/* What the master and the component itself say that an output depends on. */
static hk_status check_get(const initial *w, const hk_sound_call *call) {
    const hk_sound_system *system = w->m->system;
    const hk_sound_port *port = &system->ports[call->port];
    for (size_t i = 0; i < port->depends_init_count; i++)
        if (system->ports[port->depends_init[i]].source != HK_MAP_NONE &&
            !w->done[port->depends_init[i]])
            return wrong_call(w, call, "it depends on", system->ports[port->depends_init[i]].name);
    uint32_t component = w->m->component_of[port->instance];
    const hk_depends *d = &w->m->model->components[component]
                               .info->variables[w->m->variable_of[call->port]]
                               .depends_init;
    for (size_t i = 0; d->known && i < d->count; i++)
        for (uint32_t p = 0; p < system->port_count; p++)
            if (system->ports[p].instance == port->instance && w->m->variable_of[p] == d->on[i] &&
                system->ports[p].source != HK_MAP_NONE && !w->done[p])
                return wrong_call(w, call, "it depends on", system->ports[p].name);
    return HK_OK;
}

static hk_status check_init(hk_ctx *ctx, const hk_master_file *m) {
    const hk_sound_system *system = m->system;
    initial w = {.ctx = ctx, .m = m, .done = HK_NEW_ARRAY(m->arena, bool, system->port_count)};
    for (size_t i = 0; i < m->master->init_count; i++) {
        const hk_sound_call *call = &m->master->init[i];
        if (call->op == HK_OP_LOOP) {
            mark_loop(&w, call->loop);
        } else if (call->op == HK_OP_GET || call->op == HK_OP_SET) {
            HK_TRY(call->op == HK_OP_GET ? check_get(&w, call) : check_set(&w, call));
            w.done[call->port] = true;
        } else if (call->op != HK_OP_PARAMETER) {
            return hk_error(ctx, HK_E_UNSOUND, at_line(m, call->line), NULL,
                            "before the first step nothing may be stepped, saved or restored");
        }
    }
    for (uint32_t p = 0; p < system->port_count; p++) {
        const hk_sound_port *port = &system->ports[p];
        if (port->source != HK_MAP_NONE && !w.done[p])
            return hk_error(ctx, HK_E_UNSOUND, at_line(m, port->line), NULL,
                            "after init the input %s has no value", port->name);
    }
    return HK_OK;
}

/* ---- services -------------------------------------------------------------------------------- */

static int step_line(const hk_master_file *m, uint32_t component) {
    for (size_t i = 0; i < m->master->step_count; i++)
        if (m->step[i].op == HK_OP_STEP && m->component_of[m->step[i].instance] == component)
            return m->step[i].line;
    return 0;
}

/* OWN is the plan without the master. Nothing but the order of the callers says what they see of
 * each other, so it is that of the system. */
static hk_status check_callers(hk_ctx *ctx, const hk_master_file *m, const hk_plan *plan,
                               const hk_plan *own) {
    for (uint32_t i = 0; i < plan->dependency_count; i++)
        for (uint32_t k = 0; k < plan->dependency_count; k++) {
            uint32_t a = plan->dependencies[i].to, b = plan->dependencies[k].to;
            bool turned = plan->components[a].level < plan->components[b].level &&
                          own->components[a].level > own->components[b].level;
            bool see = hk_plan_caller_sees(plan, i, k) || hk_plan_caller_sees(plan, k, i);
            if (!turned || !see)
                continue;
            const char *early = m->model->components[a].name;
            const char *late = m->model->components[b].name;
            return hk_error(ctx, HK_E_UNSOUND, at_line(m, step_line(m, a)),
                            hk_arena_printf(m->arena, "step '%s' before '%s'", late, early),
                            "step %s: '%s' and '%s' call '%s', which these calls change, and "
                            "without the master '%s' calls first",
                            early, early, late,
                            m->model->components[plan->dependencies[i].from].name, late);
        }
    return HK_OK;
}

/* As for connections that get another lag than the system says. */
static void note_turned(hk_ctx *ctx, const hk_master_file *m, const hk_plan *plan,
                        const hk_plan *own) {
    for (uint32_t i = 0; i < plan->dependency_count; i++) {
        const hk_plan_dependency *d = &plan->dependencies[i];
        uint32_t first = d->lag ? d->to : d->from, second = d->lag ? d->from : d->to;
        if (!hk_plan_coincide(plan, d->from, d->to) ||
            own->components[first].level < own->components[second].level)
            continue;
        const char *seen = d->lag ? "before" : "after";
        hk_note(ctx, at_line(m, step_line(m, d->to)),
                "the master steps '%s' %s '%s', which it calls, and the system does not: it sees "
                "%s",
                m->model->components[d->to].name, seen, m->model->components[d->from].name,
                d->lag ? "the activation before" : "the activation of the same instant");
    }
}

static hk_status check_services(hk_ctx *ctx, const hk_master_file *m, const hk_plan *plan) {
    if (!plan->dependency_count)
        return HK_OK;
    hk_ctx *aside = hk_ctx_create(NULL, NULL);
    hk_plan_options options = {.algorithm = plan->algorithm, .bindings = &plan->bindings};
    hk_plan *own;
    hk_status status = hk_plan_make(aside, plan->model, &options, &own);
    hk_ctx_destroy(aside);
    if (status != HK_OK) /* without the master nothing can be run: there is no order to keep */
        return HK_OK;
    status = check_callers(ctx, m, plan, own);
    if (status == HK_OK)
        note_turned(ctx, m, plan, own);
    hk_plan_destroy(own);
    return status;
}

/* ---- the proof ------------------------------------------------------------------------------- */

static void note_left_out(hk_ctx *ctx, const hk_master_file *m) {
    const hk_sound_call *first = NULL;
    size_t count = 0;
    for (size_t i = 0; i < m->master->step_count; i++) {
        const hk_sound_call *call = &m->step[i];
        if (call->op == HK_OP_SET && m->connection_of[call->port] == HK_MAP_NONE) {
            first = first ? first : call;
            count++;
        }
    }
    if (first)
        hk_note(ctx, at_line(m, first->line),
                "nothing is connected to '%s', which is set here (%zu such in all): a run does not "
                "set it",
                m->system->ports[first->port].name, count);
}

hk_status hk_master_file_prove(hk_ctx *ctx, const hk_master_file *m, const hk_plan *plan) {
    HK_TRY(check_rates(ctx, m, plan));
    HK_TRY(check_lags(ctx, m, plan));
    HK_TRY(check_init(ctx, m));
    HK_TRY(check_services(ctx, m, plan));
    hk_program_proof proof = hk_program_prove(m->arena, hk_master_file_program(m, plan));
    if (!proof.right)
        return hk_error(ctx, HK_E_UNSOUND, at_line(m, proof.line), NULL, "%s", proof.why);
    if (proof.limited)
        hk_note(ctx, at_line(m, 0),
                "the master was looked at for %llu activations only: the hyperperiod is long",
                (unsigned long long)proof.activations);
    hk_program *run = hk_program_make(plan, NULL);
    proof = hk_program_prove(m->arena, run);
    hk_program_destroy(run);
    if (!proof.right) /* it would be a mistake of ours, and nothing must be run then */
        return hk_error(ctx, HK_E_UNSOUND, at_line(m, 0), NULL,
                        "the program made of the master is wrong: %s", proof.why);
    note_left_out(ctx, m);
    return HK_OK;
}

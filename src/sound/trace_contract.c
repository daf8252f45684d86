/* SPDX-License-Identifier: MIT
 *
 * A run by the contracts of its instances, for masters without common phases: each instance is set,
 * stepped and read, in that order and each port once; a reactive input gets the value of a source
 * that is already at the end of the step, a delayed one of a source that is at its beginning. Where
 * a plan says which step of its source an input sees, it must be that one. Nobody begins a step
 * while others are still behind where it begins. What is saved can be put back. */
#include "sound/sound_trace.h"

#include <string.h>

typedef struct instance {
    double t;       /* it has come so far */
    double begin;   /* of its last step */
    bool stepped;   /* at least once */
    bool set_since; /* an input was set after the last step */
    bool known;     /* what came before its first step is not taken as right */
} instance;

/* What an instance was when it was saved. */
typedef struct saved {
    bool there;
    instance state;
    bool *done; /* of its ports */
} saved;

struct hk_contract_run {
    hk_arena *arena;
    const hk_spec *spec;
    hk_trace_values *values;
    instance *instances;
    saved *saved;
    uint32_t **ports;    /* per instance: its ports */
    size_t *port_counts; /* ... how many */
    bool *done;          /* per port: set, or got, since the last step of its instance */
    double start, last;
};

static double period_of(const hk_sound_system *system, size_t i) {
    return (double)(system->instances[i].rate > 1 ? system->instances[i].rate : 1) * system->cycle;
}

static bool in_view(const hk_contract_run *r, size_t port) {
    return r->spec->port_item[port] != HK_MAP_NONE;
}

static void sort_ports(hk_contract_run *r) {
    const hk_sound_system *system = r->spec->system;
    for (size_t p = 0; p < system->port_count; p++)
        r->port_counts[system->ports[p].instance]++;
    for (size_t i = 0; i < system->instance_count; i++) {
        r->ports[i] = HK_NEW_ARRAY(r->arena, uint32_t, r->port_counts[i]);
        r->saved[i].done = HK_NEW_ARRAY(r->arena, bool, r->port_counts[i]);
        r->port_counts[i] = 0;
    }
    for (uint32_t p = 0; p < system->port_count; p++) {
        uint32_t i = system->ports[p].instance;
        r->ports[i][r->port_counts[i]++] = p;
    }
}

hk_contract_run *hk_contract_run_make(hk_arena *arena, const hk_spec *spec, hk_trace_values *values,
                                      double start) {
    const hk_sound_system *system = spec->system;
    hk_contract_run *r = HK_NEW(arena, hk_contract_run);
    *r = (hk_contract_run){.arena = arena,
                           .spec = spec,
                           .values = values,
                           .instances = HK_NEW_ARRAY(arena, instance, system->instance_count),
                           .saved = HK_NEW_ARRAY(arena, saved, system->instance_count),
                           .ports = HK_NEW_ARRAY(arena, uint32_t *, system->instance_count),
                           .port_counts = HK_NEW_ARRAY(arena, size_t, system->instance_count),
                           .done = HK_NEW_ARRAY(arena, bool, system->port_count),
                           .start = start,
                           .last = -(double)INFINITY};
    sort_ports(r);
    for (size_t i = 0; i < system->instance_count; i++) {
        double offset = (double)system->instances[i].first * system->cycle;
        r->instances[i] =
            (instance){.t = start + offset, .begin = -(double)INFINITY, .known = true};
    }
    return r;
}

void hk_contract_run_resume(hk_contract_run *r, double t, bool stepped, bool head) {
    const hk_sound_system *system = r->spec->system;
    for (size_t i = 0; i < system->instance_count; i++) {
        const hk_sound_instance *of = &system->instances[i];
        double period = period_of(system, i);
        double first = r->start + (double)of->first * system->cycle, next = fmax(first, t);
        if (period > 0) /* where it next steps, from T on */
            next = first + period * fmax(0, ceil((t - first) / period - 1e-6));
        if (period > 0 && stepped && hk_near(next, t))
            next += period;
        r->instances[i] =
            (instance){.t = next, .begin = t, .stepped = true, .known = period > 0 && !head};
        r->saved[i].there = false;
    }
    for (size_t p = 0; p < system->port_count; p++)
        r->done[p] = system->ports[p].is_output;
    r->last = -(double)INFINITY;
}

double hk_contract_run_time(const hk_contract_run *r) {
    return r->last;
}

static const char *number(const hk_contract_run *r, double value) {
    return hk_trace_number(r->arena, value);
}

/* Without a plan an input sees what its source was last, and that must be the right one. */
static const char *check_source(const hk_contract_run *r, const hk_sound_call *call) {
    const hk_sound_system *system = r->spec->system;
    const hk_sound_port *port = &system->ports[call->port];
    if (port->source == HK_MAP_NONE || system->plan)
        return NULL;
    const hk_sound_port *source = &system->ports[port->source];
    const instance *from = &r->instances[source->instance], *to = &r->instances[port->instance];
    const hk_sound_instance *a = &system->instances[source->instance];
    const hk_sound_instance *b = &system->instances[port->instance];
    bool same = a->rate == b->rate && a->first == b->first;
    if (!from->known || !to->known || (!same && !port->reactive))
        return NULL;
    bool ahead = from->t > to->t && !hk_near(from->t, to->t);
    /* By a multi-model alone all begin together, so the step that a source is in is known. */
    if (port->reactive && !ahead && (same || system->of_file))
        return hk_arena_printf(r->arena,
                               "set %s: it wants the end of the step, and %s is still at %s",
                               port->name, a->name, number(r, from->t));
    if (!port->reactive && ahead && system->of_file && system->cycle > 0)
        return NULL; /* what it was before that step is known, and compared */
    if (!port->reactive && !hk_near(from->t, to->t))
        return hk_arena_printf(
            r->arena, "set %s: it wants the beginning of the step, and %s is %s at %s", port->name,
            a->name, ahead ? "already" : "still", number(r, from->t));
    if (!r->done[port->source])
        return hk_arena_printf(r->arena, "set %s: %s was not read after the last step of %s",
                               port->name, source->name, a->name);
    return NULL;
}

/* How far an instance has come at least. Where the trace begins it may have stepped just before. */
static double reached(const hk_contract_run *r, size_t i) {
    double step = period_of(r->spec->system, i);
    return r->instances[i].known ? r->instances[i].t
           : step > 0            ? r->instances[i].t + step
                                 : (double)INFINITY;
}

/* Who is still behind where a step begins; HK_MAP_NONE: nobody. */
static uint32_t behind(const hk_contract_run *r, double t) {
    for (uint32_t i = 0; i < r->spec->system->instance_count; i++)
        if (reached(r, i) < t && !hk_near(reached(r, i), t))
            return i;
    return HK_MAP_NONE;
}

static const char *check_step(const hk_contract_run *r, const hk_sound_call *call) {
    const hk_sound_system *system = r->spec->system;
    const instance *mine = &r->instances[call->instance];
    const char *name = system->instances[call->instance].name;
    if (!(call->h > 0))
        return hk_arena_printf(r->arena, "step %s by %s: a step is longer than 0", name,
                               number(r, call->h));
    if (mine->known && !hk_near(call->t, mine->t))
        return hk_arena_printf(r->arena, "step %s at %s: it is at %s", name, number(r, call->t),
                               number(r, mine->t));
    for (size_t i = 0; i < r->port_counts[call->instance] && mine->known; i++) {
        uint32_t p = r->ports[call->instance][i];
        const hk_sound_port *port = &system->ports[p];
        if (in_view(r, p) && !r->done[p] && (!port->is_output || mine->stepped))
            return hk_arena_printf(r->arena, "step %s: %s was not %s since its last step", name,
                                   port->name, port->is_output ? "read" : "set");
    }
    uint32_t other = behind(r, call->t);
    if (other != HK_MAP_NONE && other != call->instance)
        return hk_arena_printf(r->arena, "step %s at %s: %s is still at %s", name,
                               number(r, call->t), system->instances[other].name,
                               number(r, r->instances[other].t));
    return NULL;
}

static const char *take_step(hk_contract_run *r, const hk_sound_call *call) {
    const char *why = check_step(r, call);
    if (why)
        return why;
    for (size_t i = 0; i < r->port_counts[call->instance]; i++)
        r->done[r->ports[call->instance][i]] = false;
    r->instances[call->instance] =
        (instance){.t = call->t + call->h, .begin = call->t, .stepped = true, .known = true};
    r->last = fmax(r->last, call->t);
    return NULL;
}

static void save(hk_contract_run *r, uint32_t i) {
    r->saved[i].there = true;
    r->saved[i].state = r->instances[i];
    for (size_t k = 0; k < r->port_counts[i]; k++)
        r->saved[i].done[k] = r->done[r->ports[i][k]];
}

static const char *restore(hk_contract_run *r, uint32_t i) {
    const hk_sound_system *system = r->spec->system;
    if (!r->saved[i].there)
        return hk_arena_printf(r->arena, "restore %s: it was not saved", system->instances[i].name);
    r->instances[i] = r->saved[i].state;
    for (size_t k = 0; k < r->port_counts[i]; k++)
        r->done[r->ports[i][k]] = r->saved[i].done[k];
    hk_trace_values_undo(r->values, i, r->instances[i].t);
    /* What was given to others is not valid any more. */
    for (size_t p = 0; p < system->port_count; p++)
        if (!system->ports[p].is_output && system->ports[p].source != HK_MAP_NONE &&
            system->ports[system->ports[p].source].instance == i &&
            system->ports[p].instance != i && system->ports[p].reactive)
            r->done[p] = false;
    r->last = r->start;
    for (size_t k = 0; k < system->instance_count; k++)
        r->last = fmax(r->last, r->instances[k].begin);
    return NULL;
}

/* When a get or a set says it was made. */
static const char *check_time(const hk_contract_run *r, const hk_sound_call *call) {
    const instance *mine = &r->instances[call->instance];
    double begin = mine->stepped ? mine->begin : r->start;
    if (!call->timed || !mine->known || hk_near(call->t, mine->t) ||
        (call->op == HK_OP_GET && hk_near(call->t, begin)))
        return NULL;
    return hk_arena_printf(r->arena, "%s at %s: %s is at %s",
                           hk_sound_call_text(r->arena, r->spec->system, call), number(r, call->t),
                           r->spec->system->instances[call->instance].name, number(r, mine->t));
}

static const char *take_port(hk_contract_run *r, const hk_sound_call *call) {
    const hk_sound_system *system = r->spec->system;
    const hk_sound_port *port = &system->ports[call->port];
    instance *mine = &r->instances[port->instance];
    /* A set before anything was read gives an input its initial value. */
    if (call->op == HK_OP_SET && port->initial && !mine->stepped && !r->done[call->port] &&
        port->source != HK_MAP_NONE && !r->done[port->source])
        return NULL;
    if (r->done[call->port] && mine->known)
        return hk_arena_printf(r->arena, "%s again, without a step",
                               hk_sound_call_text(r->arena, system, call));
    if (call->op == HK_OP_GET && mine->set_since)
        return hk_arena_printf(r->arena, "get %s after an input of %s was set, without a step",
                               port->name, system->instances[port->instance].name);
    if (!mine->known && call->timed && call->op == HK_OP_SET)
        mine->t = call->t; /* it has not stepped in the instant in which the trace begins */
    const char *why = check_time(r, call);
    if (!why && call->op == HK_OP_SET)
        why = check_source(r, call);
    if (!why && call->op == HK_OP_SET)
        why = hk_trace_values_set(r->values, call, mine->t);
    if (why)
        return why;
    if (call->op == HK_OP_GET)
        hk_trace_values_got(r->values, call, mine->stepped ? mine->begin : -(double)INFINITY);
    r->done[call->port] = true;
    mine->set_since = mine->set_since || call->op == HK_OP_SET;
    return NULL;
}

const char *hk_contract_run_take(hk_contract_run *r, const hk_sound_call *call) {
    switch (call->op) {
    case HK_OP_STEP:
        return take_step(r, call);
    case HK_OP_SET:
    case HK_OP_GET:
        return take_port(r, call);
    case HK_OP_SAVE:
        save(r, call->instance);
        return NULL;
    case HK_OP_RESTORE:
        return restore(r, call->instance);
    case HK_OP_PARAMETER:
    case HK_OP_LOOP:
        break;
    }
    return NULL;
}

const char *hk_contract_run_due(const hk_contract_run *r) {
    const hk_sound_system *system = r->spec->system;
    for (size_t i = 0; i < system->instance_count; i++) {
        const instance *mine = &r->instances[i];
        bool waits = reached(r, i) < r->last || hk_near(reached(r, i), r->last);
        if (waits || mine->set_since)
            return hk_arena_printf(r->arena, "step %s", system->instances[i].name);
        for (size_t k = 0; k < r->port_counts[i] && mine->stepped && mine->known; k++) {
            const hk_sound_port *port = &system->ports[r->ports[i][k]];
            if (port->is_output && in_view(r, r->ports[i][k]) && !r->done[r->ports[i][k]])
                return hk_arena_printf(r->arena, "get %s", port->name);
        }
    }
    return NULL;
}

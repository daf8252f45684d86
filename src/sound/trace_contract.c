/* SPDX-License-Identifier: MIT
 *
 * A run by the contracts of its instances, for masters without common phases: each instance is set,
 * stepped and read, in that order and each port once; a reactive input gets the value of a source
 * that is already at the end of the step, a delayed one of a source that is at its beginning.
 * Between instances of different rates the plan says which value is seen, and only the order is
 * looked at. */
#include "sound/spec.h"

#include "base/number.h"

#include <math.h>

typedef struct instance {
    double t;       /* it has come so far */
    bool stepped;   /* at least once */
    bool set_since; /* an input was set after the last step */
    bool known;     /* what came before the first step is not taken as right */
} instance;

struct hk_contract_run {
    hk_arena *arena;
    const hk_spec *spec;
    instance *instances;
    bool *done; /* per port: set, or got, since the last step of its instance */
    double start, last;
};

static bool in_view(const hk_contract_run *r, size_t port) {
    return r->spec->port_item[port] != HK_MAP_NONE;
}

hk_contract_run *hk_contract_run_make(hk_arena *arena, const hk_spec *spec, double start) {
    const hk_sound_system *system = spec->system;
    hk_contract_run *r = HK_NEW(arena, hk_contract_run);
    *r = (hk_contract_run){.arena = arena,
                           .spec = spec,
                           .instances = HK_NEW_ARRAY(arena, instance, system->instance_count),
                           .done = HK_NEW_ARRAY(arena, bool, system->port_count),
                           .start = start,
                           .last = start};
    for (size_t i = 0; i < system->instance_count; i++) {
        double offset = (double)system->instances[i].first * system->cycle;
        r->instances[i] = (instance){.t = start + offset, .known = true};
    }
    return r;
}

void hk_contract_run_resume(hk_contract_run *r, double t) {
    const hk_sound_system *system = r->spec->system;
    for (size_t i = 0; i < system->instance_count; i++)
        r->instances[i] = (instance){.t = t};
    for (size_t p = 0; p < system->port_count; p++)
        r->done[p] = system->ports[p].is_output;
    r->last = t;
}

double hk_contract_run_time(const hk_contract_run *r) {
    return r->last;
}

static bool near(double a, double b) {
    return fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

static const char *number(const hk_contract_run *r, double value) {
    char text[HK_NUMBER_MAX + 1];
    text[hk_write_f64(value, text)] = '\0';
    return hk_arena_strdup(r->arena, text);
}

static const char *check_source(const hk_contract_run *r, const hk_sound_call *call) {
    const hk_sound_system *system = r->spec->system;
    const hk_sound_port *port = &system->ports[call->port];
    if (port->source == HK_MAP_NONE)
        return NULL;
    const hk_sound_port *source = &system->ports[port->source];
    const instance *from = &r->instances[source->instance], *to = &r->instances[port->instance];
    const hk_sound_instance *a = &system->instances[source->instance];
    const hk_sound_instance *b = &system->instances[port->instance];
    bool same = a->rate == b->rate && a->first == b->first;
    if (!from->known || !to->known || (!same && !port->reactive))
        return NULL;
    bool ahead = from->t > to->t && !near(from->t, to->t);
    if (port->reactive && !ahead && same)
        return hk_arena_printf(r->arena,
                               "set %s: it wants the end of the step, and %s is still at %s",
                               port->name, a->name, number(r, from->t));
    if (!port->reactive && ahead)
        return hk_arena_printf(
            r->arena, "set %s: it wants the beginning of the step, and %s is already at %s",
            port->name, a->name, number(r, from->t));
    if (!r->done[port->source])
        return hk_arena_printf(r->arena, "set %s: %s was not read after the last step of %s",
                               port->name, source->name, a->name);
    return NULL;
}

static const char *take_step(hk_contract_run *r, const hk_sound_call *call) {
    const hk_sound_system *system = r->spec->system;
    instance *mine = &r->instances[call->instance];
    const char *name = system->instances[call->instance].name;
    if (!(call->h > 0))
        return hk_arena_printf(r->arena, "step %s by %s: a step is longer than 0", name,
                               number(r, call->h));
    if (mine->known && !near(call->t, mine->t))
        return hk_arena_printf(r->arena, "step %s at %s: it is at %s", name, number(r, call->t),
                               number(r, mine->t));
    for (size_t p = 0; p < system->port_count && mine->known; p++) {
        const hk_sound_port *port = &system->ports[p];
        bool counts = port->instance == call->instance && in_view(r, p);
        if (counts && !r->done[p] && (!port->is_output || mine->stepped))
            return hk_arena_printf(r->arena, "step %s: %s was not %s since its last step", name,
                                   port->name, port->is_output ? "read" : "set");
    }
    for (size_t p = 0; p < system->port_count; p++)
        if (system->ports[p].instance == call->instance)
            r->done[p] = false;
    *mine = (instance){.t = call->t + call->h, .stepped = true, .known = true};
    r->last = fmax(r->last, call->t);
    return NULL;
}

const char *hk_contract_run_take(hk_contract_run *r, const hk_sound_call *call) {
    const hk_sound_system *system = r->spec->system;
    if (call->op == HK_OP_STEP)
        return take_step(r, call);
    if (call->op != HK_OP_SET && call->op != HK_OP_GET)
        return NULL;
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
    const char *why = call->op == HK_OP_SET ? check_source(r, call) : NULL;
    if (why)
        return why;
    r->done[call->port] = true;
    mine->set_since = mine->set_since || call->op == HK_OP_SET;
    return NULL;
}

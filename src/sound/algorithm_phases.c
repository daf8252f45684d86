/* SPDX-License-Identifier: MIT
 *
 * Where a master in words and the specification meet: whether there are common phases at all, which
 * ports take part in them, and which of them the exchange of initial values stands for. */
#include "sound/spec.h"

#include <string.h>

static bool *find_read(hk_arena *arena, const hk_sound_system *system) {
    bool *read = HK_NEW_ARRAY(arena, bool, system->port_count + 1);
    for (uint32_t p = 0; p < system->port_count; p++) {
        const hk_sound_port *port = &system->ports[p];
        read[p] = read[p] || (port->is_output && port->observed);
        if (!port->is_output && port->source != HK_MAP_NONE)
            read[port->source] = true;
    }
    return read;
}

const char *hk_sound_unphased(hk_arena *arena, const hk_sound_system *system) {
    const bool *read = find_read(arena, system);
    for (uint32_t p = 0; p < system->port_count; p++)
        if (system->ports[p].reactive && system->ports[p].source != HK_MAP_NONE)
            return hk_arena_printf(arena,
                                   "inputs such as %s want values of the same step "
                                   "(Gauss-Seidel): there are no common phases, and the contracts "
                                   "decide",
                                   system->ports[p].name);
    for (uint32_t p = 0; p < system->port_count; p++)
        for (size_t i = 0; read[p] && i < system->ports[p].depends_count; i++) {
            const hk_sound_port *input = &system->ports[system->ports[p].depends[i]];
            if (input->source != HK_MAP_NONE)
                return hk_arena_printf(arena,
                                       "%s depends on %s without delay: phases cannot give it "
                                       "that, and the contracts decide",
                                       system->ports[p].name, input->name);
        }
    return NULL;
}

/* ---- ports that nothing is connected to ------------------------------------------------------ */

typedef struct part {
    hk_arena *arena;
    const hk_sound_master *master;
    uint32_t *port_at;     /* per port: its new number; HK_MAP_NONE: it is left out */
    uint32_t *instance_at; /* the same per instance; NULL: all are there */
} part;

static hk_sound_system *take_ports(part *p, const hk_sound_system *system) {
    hk_sound_system *taken = HK_NEW(p->arena, hk_sound_system);
    const bool *read = find_read(p->arena, system);
    *taken = *system;
    taken->ports = HK_NEW_ARRAY(p->arena, hk_sound_port, system->port_count + 1);
    taken->port_count = 0;
    p->port_at = HK_NEW_ARRAY(p->arena, uint32_t, system->port_count + 1);
    for (uint32_t i = 0; i < system->port_count; i++) {
        hk_sound_port port = system->ports[i];
        bool in = port.is_output ? read[i] : port.source != HK_MAP_NONE;
        port.depends_count = port.depends_init_count = 0; /* no matter to phases */
        p->port_at[i] = in ? (uint32_t)taken->port_count : HK_MAP_NONE;
        if (in)
            taken->ports[taken->port_count++] = port;
    }
    for (uint32_t i = 0; i < taken->port_count; i++)
        if (!taken->ports[i].is_output)
            taken->ports[i].source = p->port_at[taken->ports[i].source];
    return taken;
}

static bool is_left_out(const part *p, const hk_sound_call *call) {
    if (call->op == HK_OP_GET || call->op == HK_OP_SET)
        return p->port_at[call->port] == HK_MAP_NONE;
    return p->instance_at && call->op != HK_OP_LOOP &&
           p->instance_at[call->instance] == HK_MAP_NONE;
}

static const hk_sound_call *take_calls(const part *p, const hk_sound_call *calls, size_t count,
                                       size_t *ret_count) {
    hk_sound_call *taken = HK_NEW_ARRAY(p->arena, hk_sound_call, count + 1);
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_left_out(p, &calls[i]))
            continue;
        taken[n] = calls[i];
        if (calls[i].op == HK_OP_GET || calls[i].op == HK_OP_SET)
            taken[n].port = p->port_at[calls[i].port];
        if (calls[i].carries) /* from outside: 0, anything */
            taken[n].carries = p->port_at[calls[i].carries - 1] + 1;
        if (p->instance_at && calls[i].op != HK_OP_LOOP)
            taken[n].instance = p->instance_at[calls[i].instance];
        if (calls[i].op == HK_OP_LOOP) {
            hk_sound_loop *loop = HK_NEW(p->arena, hk_sound_loop);
            *loop = *calls[i].loop;
            loop->watched_count = 0; /* phases do not look at why a loop ends */
            loop->body = take_calls(p, loop->body, loop->body_count, &loop->body_count);
            loop->retry = take_calls(p, loop->retry, loop->retry_count, &loop->retry_count);
            taken[n].loop = loop;
        }
        n++;
    }
    *ret_count = n;
    return taken;
}

/* What came after a call that is left out comes after those that it came after. */
static void take_order(const part *p, hk_sound_master *taken) {
    const hk_sound_master *m = p->master;
    size_t count = m->step_count, kept = 0;
    uint32_t **lists = HK_NEW_ARRAY(p->arena, uint32_t *, count + 1);
    size_t *counts = HK_NEW_ARRAY(p->arena, size_t, count + 1);
    const uint32_t **before = HK_NEW_ARRAY(p->arena, const uint32_t *, count + 1);
    size_t *before_count = HK_NEW_ARRAY(p->arena, size_t, count + 1);
    uint32_t *number = hk_alloc((count + 1) * sizeof *number);
    uint32_t *seen = hk_alloc((count + 1) * sizeof *seen); /* by kept call: 1 + who has it */
    for (uint32_t i = 0; i < count; i++) {
        size_t most = 0;
        for (size_t k = 0; k < m->before_count[i]; k++)
            most += 1 + counts[m->before[i][k]];
        lists[i] = HK_NEW_ARRAY(p->arena, uint32_t, most + 1);
        for (size_t k = 0; k < m->before_count[i]; k++) {
            uint32_t other = m->before[i][k];
            bool out = is_left_out(p, &m->step[other]);
            for (size_t n = 0; n < (out ? counts[other] : 1); n++) {
                uint32_t call = out ? lists[other][n] : number[other];
                if (seen[call] == i + 1)
                    continue;
                seen[call] = i + 1;
                lists[i][counts[i]++] = call;
            }
        }
        if (is_left_out(p, &m->step[i]))
            continue;
        number[i] = (uint32_t)kept;
        before[kept] = lists[i];
        before_count[kept++] = counts[i];
    }
    taken->before = before;
    taken->before_count = before_count;
    hk_free(number);
    hk_free(seen);
}

static hk_sound_master *take_master(part *p) {
    hk_sound_master *master = HK_NEW(p->arena, hk_sound_master);
    *master = *p->master;
    master->init = take_calls(p, master->init, master->init_count, &master->init_count);
    master->step = take_calls(p, master->step, master->step_count, &master->step_count);
    if (master->before)
        take_order(p, master);
    return master;
}

static hk_sound_phased take_connected(hk_arena *arena, hk_sound_phased all) {
    part p = {.arena = arena, .master = all.master};
    hk_sound_system *system = take_ports(&p, all.system);
    if (system->port_count == all.system->port_count)
        return all;
    return (hk_sound_phased){.system = system, .master = all.master ? take_master(&p) : NULL};
}

/* ---- some of the instances ------------------------------------------------------------------- */

hk_sound_phased hk_sound_part(hk_arena *arena, const hk_sound_phased *all, const bool *in) {
    const hk_sound_system *s = all->system;
    part p = {.arena = arena,
              .master = all->master,
              .port_at = HK_NEW_ARRAY(arena, uint32_t, s->port_count + 1),
              .instance_at = HK_NEW_ARRAY(arena, uint32_t, s->instance_count + 1)};
    hk_sound_system *taken = HK_NEW(arena, hk_sound_system);
    *taken = *s;
    taken->instances = HK_NEW_ARRAY(arena, hk_sound_instance, s->instance_count + 1);
    taken->ports = HK_NEW_ARRAY(arena, hk_sound_port, s->port_count + 1);
    taken->instance_count = taken->port_count = taken->initial_count = 0;
    for (size_t i = 0; i < s->instance_count; i++) {
        p.instance_at[i] = in[i] ? (uint32_t)taken->instance_count : HK_MAP_NONE;
        if (in[i])
            taken->instances[taken->instance_count++] = s->instances[i];
    }
    for (size_t i = 0; i < s->port_count; i++) {
        bool here = in[s->ports[i].instance];
        p.port_at[i] = here ? (uint32_t)taken->port_count : HK_MAP_NONE;
        if (here)
            taken->ports[taken->port_count++] = s->ports[i];
    }
    for (size_t i = 0; i < taken->port_count; i++) {
        hk_sound_port *port = &taken->ports[i];
        port->instance = p.instance_at[port->instance];
        port->depends_count = port->depends_init_count = 0; /* no matter to phases */
        port->source = port->source == HK_MAP_NONE ? HK_MAP_NONE : p.port_at[port->source];
    }
    return (hk_sound_phased){.system = taken, .master = take_master(&p)};
}

/* ---- the exchange of initial values ---------------------------------------------------------- */

typedef struct work {
    const hk_sound_system *system;
    uint32_t *done; /* per port: the place of its last get or set in init, from 1; 0: none */
    uint32_t place;
} work;

/* Settings come before everything is read and are calls of their own: parameters, and the first set
 * of an input that has a value of its own. */
static bool is_setting(const work *w, const hk_sound_call *call) {
    return call->op == HK_OP_PARAMETER ||
           (call->op == HK_OP_SET && w->system->ports[call->port].initial && !w->done[call->port]);
}

/* Notes what is exchanged in a loop: its calls have one place, since in the end nothing changes. */
static void note_loop(work *w, const hk_sound_loop *loop) {
    for (size_t i = 0; i < loop->body_count; i++) {
        const hk_sound_call *call = &loop->body[i];
        if (call->op == HK_OP_LOOP)
            note_loop(w, call->loop);
        else if (call->op == HK_OP_GET || call->op == HK_OP_SET)
            w->done[call->port] = w->place;
    }
}

/* Notes what INIT exchanges; the settings before that go to SETTINGS. False: it is more than an
 * exchange. */
static bool note(work *w, const hk_sound_master *master, hk_sound_call *settings,
                 size_t *ret_count) {
    size_t count = 0;
    bool began = false;
    for (size_t i = 0; i < master->init_count; i++) {
        const hk_sound_call *call = &master->init[i];
        bool port = call->op == HK_OP_GET || call->op == HK_OP_SET;
        bool setting = !began && is_setting(w, call);
        if (!setting && !port && call->op != HK_OP_LOOP)
            return false;
        w->place++;
        began = began || !setting;
        if (call->op == HK_OP_LOOP)
            note_loop(w, call->loop);
        if (setting)
            settings[count++] = *call;
        if (port)
            w->done[call->port] = w->place;
    }
    *ret_count = count;
    return true;
}

/* All calls of the phase were made; each set after the last get of its source. */
static bool is_complete(const work *w, const hk_spec *spec, hk_phase phase) {
    for (size_t i = 0; i < spec->counts[phase]; i++) {
        uint32_t port = spec->items[phase][i].port, source = w->system->ports[port].source;
        if (!w->done[port] ||
            (phase == HK_PHASE_SET && source != HK_MAP_NONE && w->done[source] > w->done[port]))
            return false;
    }
    return true;
}

/* The phase that the first step begins with. */
static hk_phase first_phase(const hk_sound_master *master) {
    size_t first = 0;
    while (master->before && first + 1 < master->step_count && master->before_count[first])
        first++;
    hk_sound_op op = master->step_count ? master->step[first].op : HK_OP_STEP;
    return op == HK_OP_GET ? HK_PHASE_GET : op == HK_OP_SET ? HK_PHASE_SET : HK_PHASE_STEP;
}

/* The calls of INIT are in phases themselves. But if they are all of them and the step begins with
 * sets of its own, they are an exchange before it. */
static bool has_phases(hk_arena *arena, const hk_spec *spec, const hk_sound_master *master) {
    hk_spec_state state = hk_spec_start(arena, spec);
    for (size_t i = 0; i < master->init_count; i++)
        if (!hk_spec_take(spec, &state, &master->init[i]))
            return false;
    return state.phase != HK_PHASE_STEP || first_phase(master) != HK_PHASE_SET;
}

/* MASTER itself if its calls are in phases, or are not a complete exchange. */
static const hk_sound_master *see_exchange(hk_arena *arena, const hk_sound_system *system,
                                           const hk_sound_master *master) {
    const hk_spec *spec = hk_spec_make(arena, system, HK_VIEW_STRICT, false);
    if (has_phases(arena, spec, master))
        return master;
    work w = {.system = system, .done = HK_NEW_ARRAY(arena, uint32_t, system->port_count + 1)};
    hk_sound_call *init =
        HK_NEW_ARRAY(arena, hk_sound_call, master->init_count + system->port_count + 1);
    size_t count;
    if (!note(&w, master, init, &count))
        return master;
    hk_phase first = first_phase(master);
    for (hk_phase phase = HK_PHASE_GET; phase < first; phase++) {
        if (!is_complete(&w, spec, phase))
            return master;
        for (size_t i = 0; i < spec->counts[phase]; i++) {
            init[count] = spec->items[phase][i];
            init[count++].as = HK_MAP_NONE;
        }
    }
    hk_sound_master *phased = HK_NEW(arena, hk_sound_master);
    *phased = *master;
    phased->init = init;
    phased->init_count = count;
    return phased;
}

hk_sound_phased hk_sound_in_phases(hk_arena *arena, const hk_sound_system *system,
                                   const hk_sound_master *master, hk_sound_view view) {
    hk_sound_phased seen = {.system = system, .master = master};
    if (view != HK_VIEW_STRICT)
        seen = take_connected(arena, seen);
    if (seen.master)
        seen.master = see_exchange(arena, seen.system, seen.master);
    return seen;
}

/* SPDX-License-Identifier: MIT */
#include "sound/spec.h"

#include "base/number.h"

#include <hk/version.h>

#include <string.h>

const char *hk_phase_name(hk_phase phase) {
    static const char *const names[] = {"INIT", "GET", "SET", "STEP"};
    return names[phase];
}

static void put(hk_spec *spec, hk_phase phase, hk_sound_call call) {
    call.as = HK_MAP_NONE;
    spec->items[phase][spec->counts[phase]++] = call;
}

/* Which ports the view looks at. */
static const bool *in_view(hk_arena *arena, const hk_sound_system *system, hk_sound_view view) {
    bool *in = HK_NEW_ARRAY(arena, bool, system->port_count);
    for (uint32_t p = 0; p < system->port_count; p++) {
        const hk_sound_port *port = &system->ports[p];
        in[p] = in[p] || view == HK_VIEW_STRICT || port->observed;
        if (!port->is_output && port->source != HK_MAP_NONE)
            in[p] = in[port->source] = true;
    }
    return in;
}

static void add_ports(hk_spec *spec, const bool *in) {
    const hk_sound_system *system = spec->system;
    for (uint32_t p = 0; p < system->port_count; p++) {
        const hk_sound_port *port = &system->ports[p];
        hk_phase phase = port->is_output ? HK_PHASE_GET : HK_PHASE_SET;
        spec->port_item[p] = spec->init_item[p] = HK_MAP_NONE;
        hk_sound_call call = {
            .op = port->is_output ? HK_OP_GET : HK_OP_SET, .port = p, .instance = port->instance};
        if (!port->is_output && port->initial) {
            spec->init_item[p] = (uint32_t)spec->counts[HK_PHASE_INIT];
            put(spec, HK_PHASE_INIT, call);
        }
        if (in[p]) {
            spec->port_item[p] = (uint32_t)spec->counts[phase];
            put(spec, phase, call);
        }
    }
}

static size_t count_parameters(const hk_sound_system *system) {
    size_t count = 0;
    for (size_t i = 0; i < system->instance_count; i++)
        count += system->instances[i].parameters;
    return count;
}

hk_spec *hk_spec_make(hk_arena *arena, const hk_sound_system *system, hk_sound_view view,
                      bool rates) {
    hk_spec *spec = HK_NEW(arena, hk_spec);
    *spec = (hk_spec){.system = system,
                      .rates = rates,
                      .port_item = HK_NEW_ARRAY(arena, uint32_t, system->port_count),
                      .init_item = HK_NEW_ARRAY(arena, uint32_t, system->port_count),
                      .first_param = HK_NEW_ARRAY(arena, uint32_t, system->instance_count)};
    size_t most = system->port_count + system->instance_count + count_parameters(system);
    for (size_t phase = 0; phase < HK_PHASES; phase++)
        spec->items[phase] = HK_NEW_ARRAY(arena, hk_sound_call, most);
    add_ports(spec, in_view(arena, system, view));
    for (uint32_t i = 0; i < system->instance_count; i++) {
        spec->first_param[i] = (uint32_t)spec->counts[HK_PHASE_INIT];
        for (uint32_t k = 0; k < system->instances[i].parameters; k++)
            put(spec, HK_PHASE_INIT,
                (hk_sound_call){.op = HK_OP_PARAMETER, .instance = i, .port = k});
        put(spec, HK_PHASE_STEP, (hk_sound_call){.op = HK_OP_STEP, .instance = i});
    }
    for (size_t phase = 0; phase < HK_PHASES; phase++) {
        size_t words = (spec->counts[phase] + 63) / 64;
        spec->words = words > spec->words ? words : spec->words;
    }
    return spec;
}

/* Takes part in a cycle: sets and steps in it, and gets at the beginning of the next; or, LATE, at
 * the beginning of the next that it takes part in. */
bool hk_spec_takes_part(const hk_spec *spec, uint32_t instance, uint64_t cycle) {
    const hk_sound_instance *i = &spec->system->instances[instance];
    int64_t k = (int64_t)cycle - i->first;
    return !spec->rates || i->rate <= 1 ? k >= 0 || !spec->rates : k >= 0 && k % i->rate == 0;
}

static bool is_due(const hk_spec *spec, const hk_spec_state *state, const hk_sound_call *call) {
    if (state->phase == HK_PHASE_INIT || !spec->rates)
        return true;
    if (state->phase == HK_PHASE_GET) /* at first everything is read, later what has stepped */
        return state->cycle == 0 ||
               hk_spec_takes_part(spec, call->instance, state->cycle - !spec->late);
    return hk_spec_takes_part(spec, call->instance, state->cycle);
}

static void fill(const hk_spec *spec, hk_spec_state *state) {
    state->left = 0;
    memset(state->due, 0, spec->words * sizeof *state->due);
    for (size_t i = 0; i < spec->counts[state->phase]; i++) {
        if (!is_due(spec, state, &spec->items[state->phase][i]))
            continue;
        state->due[i / 64] |= UINT64_C(1) << i % 64;
        state->left++;
    }
}

/* Phases with nothing to do are over at once. */
static void pass_empty(const hk_spec *spec, hk_spec_state *state) {
    while (!state->left && spec->counts[HK_PHASE_STEP]) {
        state->cycle += state->phase == HK_PHASE_STEP;
        state->phase = state->phase == HK_PHASE_STEP ? HK_PHASE_GET : state->phase + 1;
        fill(spec, state);
    }
}

hk_spec_state hk_spec_start(hk_arena *arena, const hk_spec *spec) {
    hk_spec_state state = {.phase = HK_PHASE_INIT,
                           .due = HK_NEW_ARRAY(arena, uint64_t, spec->words + 1)};
    fill(spec, &state);
    pass_empty(spec, &state);
    return state;
}

void hk_spec_enter(const hk_spec *spec, hk_spec_state *state, hk_phase phase, uint64_t cycle) {
    state->phase = phase;
    state->cycle = cycle;
    fill(spec, state);
    pass_empty(spec, state);
}

void hk_spec_copy(const hk_spec *spec, hk_spec_state *to, const hk_spec_state *from) {
    uint64_t *due = to->due;
    *to = *from;
    to->due = due;
    memcpy(due, from->due, spec->words * sizeof *due);
}

static uint32_t number(const hk_spec *spec, hk_phase phase, const hk_sound_call *call) {
    const hk_sound_system *system = spec->system;
    switch (call->op) {
    case HK_OP_GET:
        return phase == HK_PHASE_GET && call->port < system->port_count &&
                       system->ports[call->port].is_output
                   ? spec->port_item[call->port]
                   : HK_MAP_NONE;
    case HK_OP_SET:
        if (call->port >= system->port_count || system->ports[call->port].is_output)
            return HK_MAP_NONE;
        return phase == HK_PHASE_INIT  ? spec->init_item[call->port]
               : phase == HK_PHASE_SET ? spec->port_item[call->port]
                                       : HK_MAP_NONE;
    case HK_OP_STEP:
        return phase == HK_PHASE_STEP ? call->instance : HK_MAP_NONE;
    case HK_OP_PARAMETER:
        return phase == HK_PHASE_INIT && call->port < system->instances[call->instance].parameters
                   ? spec->first_param[call->instance] + call->port
                   : HK_MAP_NONE;
    case HK_OP_SAVE:
    case HK_OP_RESTORE:
    case HK_OP_LOOP:
        break;
    }
    return HK_MAP_NONE;
}

uint32_t hk_spec_item(const hk_spec *spec, const hk_spec_state *state, const hk_sound_call *call) {
    uint32_t item = number(spec, state->phase, call);
    bool due = item != HK_MAP_NONE && (state->due[item / 64] >> item % 64 & 1);
    return due ? item : HK_MAP_NONE;
}

bool hk_spec_take(const hk_spec *spec, hk_spec_state *state, const hk_sound_call *call) {
    uint32_t item = hk_spec_item(spec, state, call);
    if (item == HK_MAP_NONE)
        return false;
    state->due[item / 64] &= ~(UINT64_C(1) << item % 64);
    state->left--;
    pass_empty(spec, state);
    return true;
}

bool hk_spec_knows(const hk_spec *spec, const hk_sound_call *call) {
    for (hk_phase phase = HK_PHASE_INIT; phase <= HK_PHASE_STEP; phase++)
        if (number(spec, phase, call) != HK_MAP_NONE)
            return true;
    return call->op != HK_OP_GET && call->op != HK_OP_SET;
}

bool hk_spec_passes_over(const hk_sound_call *call) {
    return call->exchange || call->op == HK_OP_SAVE;
}

bool hk_spec_concerns(const hk_sound_call *calls, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (calls[i].op == HK_OP_LOOP
                ? hk_spec_concerns(calls[i].loop->body, calls[i].loop->body_count)
                : !hk_spec_passes_over(&calls[i]))
            return true;
    return false;
}

bool hk_sound_goes_back(const hk_sound_call *calls, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const hk_sound_loop *loop = calls[i].op == HK_OP_LOOP ? calls[i].loop : NULL;
        if (calls[i].op == HK_OP_RESTORE ||
            (loop && (hk_sound_goes_back(loop->body, loop->body_count) ||
                      hk_sound_goes_back(loop->retry, loop->retry_count))))
            return true;
    }
    return false;
}

/* ---- sizes of steps ---- */

static const hk_sound_call *find_step(const hk_sound_call *calls, size_t count, uint32_t instance) {
    for (size_t i = 0; i < count; i++) {
        const hk_sound_call *found = NULL;
        if (calls[i].op == HK_OP_STEP && calls[i].instance == instance)
            found = &calls[i];
        else if (calls[i].op == HK_OP_LOOP)
            found = find_step(calls[i].loop->body, calls[i].loop->body_count, instance);
        if (found)
            return found;
    }
    return NULL;
}

int64_t hk_spec_step_size(const hk_sound_master *master, const hk_sound_call *call,
                          int64_t max_step) {
    for (size_t hops = 0; call && call->as != HK_MAP_NONE && hops <= master->step_count; hops++)
        call = find_step(master->step, master->step_count, call->as);
    return call && call->has_value ? (int64_t)call->value : max_step;
}

static void add_sizes(hk_spec_sizes *sizes, const hk_sound_call *calls, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (calls[i].op == HK_OP_LOOP) {
            add_sizes(sizes, calls[i].loop->body, calls[i].loop->body_count);
            add_sizes(sizes, calls[i].loop->retry, calls[i].loop->retry_count);
        }
        int64_t size = hk_spec_step_size(sizes->master, &calls[i], sizes->max_step);
        if (calls[i].op != HK_OP_STEP || size <= 0)
            continue;
        sizes->late = sizes->late || calls[i].stale;
        size_t at = 0;
        while (at < sizes->count && sizes->all[at] != size)
            at++;
        if (at < sizes->count)
            continue;
        HK_PUSH(sizes->all, sizes->count, sizes->cap, size);
    }
}

hk_spec_sizes hk_spec_sizes_of(const hk_sound_master *master, int64_t max_step) {
    hk_spec_sizes sizes = {.master = master, .max_step = max_step};
    add_sizes(&sizes, master->step, master->step_count);
    return sizes;
}

uint32_t hk_spec_size_number(const hk_spec_sizes *sizes, const hk_sound_call *call) {
    int64_t size = hk_spec_step_size(sizes->master, call, sizes->max_step);
    for (uint32_t i = 0; size > 0 && i < sizes->count; i++)
        if (sizes->all[i] == size)
            return i + 1;
    return 0;
}

const char *hk_spec_due_text(hk_arena *arena, const hk_spec *spec, const hk_spec_state *state) {
    enum { LISTED = 4 };
    const char *text = "";
    size_t listed = 0;
    for (size_t i = 0; i < spec->counts[state->phase] && listed < LISTED; i++)
        if (state->due[i / 64] >> i % 64 & 1)
            text = hk_arena_printf(
                arena, "%s%s%s", text, listed++ ? ", " : "",
                hk_sound_call_text(arena, spec->system, &spec->items[state->phase][i]));
    if (state->left > LISTED)
        text = hk_arena_printf(arena, "%s and %zu more", text, state->left - LISTED);
    return text;
}

/* Of a multi-model in the strict view: an input that is due, and that no run sets in its cycles,
 * because nothing is connected to it. */
static const char *unconnected(hk_arena *arena, const hk_spec *spec, const hk_spec_state *state) {
    for (size_t i = 0;
         spec->system->of_file && state->phase == HK_PHASE_SET && i < spec->counts[HK_PHASE_SET];
         i++) {
        const hk_sound_port *port = &spec->system->ports[spec->items[HK_PHASE_SET][i].port];
        if ((state->due[i / 64] >> i % 64 & 1) && port->source == HK_MAP_NONE)
            return hk_arena_printf(arena,
                                   "; nothing is connected to %s, so that a run sets it only once, "
                                   "and --view strict wants it in every cycle",
                                   port->name);
    }
    return "";
}

const char *hk_spec_explain(hk_arena *arena, const hk_spec *spec, const hk_spec_state *state,
                            const hk_sound_call *call) {
    bool again = number(spec, state->phase, call) != HK_MAP_NONE;
    return hk_arena_printf(arena, "%s%s in phase %s; still due: %s%s",
                           hk_sound_call_text(arena, spec->system, call), again ? " again" : "",
                           hk_phase_name(state->phase), hk_spec_due_text(arena, spec, state),
                           unconnected(arena, spec, state));
}

const char *hk_spec_misrouted(hk_arena *arena, const hk_sound_system *system,
                              const hk_sound_call *call) {
    if (call->op != HK_OP_SET || call->exchange)
        return NULL;
    uint32_t source = system->ports[call->port].source;
    if (source == HK_MAP_NONE)
        return NULL;
    if (call->stale)
        return hk_arena_printf(arena, "set %s carries the value of %s of the cycle before",
                               system->ports[call->port].name, system->ports[source].name);
    if (call->carries && call->carries - 1 != source)
        return hk_arena_printf(arena, "set %s carries the value of %s instead of %s",
                               system->ports[call->port].name,
                               system->ports[call->carries - 1].name, system->ports[source].name);
    return NULL;
}

bool hk_spec_is_backwards(const hk_sound_system *system, const hk_sound_call *call) {
    if (call->op != HK_OP_GET && call->op != HK_OP_SET)
        return false;
    return system->ports[call->port].is_output != (call->op == HK_OP_GET) ||
           (call->carries && !system->ports[call->carries - 1].is_output);
}

static const char *number_text(hk_arena *arena, double value) {
    char text[HK_NUMBER_MAX + 1];
    text[hk_write_f64(value, text)] = '\0';
    return hk_arena_strdup(arena, text);
}

/* A parameter of a multi-model has a name; NULL: this is not one. */
static const char *parameter_name(const hk_sound_system *system, const hk_sound_call *call) {
    for (size_t i = 0; call->op == HK_OP_PARAMETER && i < system->initial_count; i++)
        if (system->initials[i].instance == call->instance &&
            system->initials[i].port == HK_MAP_NONE && system->initials[i].number == call->port)
            return system->initials[i].name;
    return NULL;
}

const char *hk_sound_call_text(hk_arena *arena, const hk_sound_system *system,
                               const hk_sound_call *call) {
    static const char *const words[] = {"set", "get", "step", "save", "restore", "parameter of"};
    if (call->op == HK_OP_LOOP)
        return hk_arena_printf(arena, "loop until %s%s%s",
                               call->loop->kind == HK_LOOP_CONVERGED ? "converged" : "accepted",
                               call->note ? " " : "", call->note ? call->note : "");
    bool port = call->op == HK_OP_SET || call->op == HK_OP_GET;
    const char *name =
        port ? system->ports[call->port].name : system->instances[call->instance].name;
    const char *named = parameter_name(system, call);
    const char *text =
        hk_arena_printf(arena, "%s %s", named ? "set" : words[call->op], named ? named : name);
    if (call->op == HK_OP_STEP && call->h > 0)
        text = hk_arena_printf(arena, "%s at %s by %s", text, number_text(arena, call->t),
                               number_text(arena, call->h));
    else if (call->op == HK_OP_STEP && call->has_value) /* of a master */
        text = hk_arena_printf(arena, "%s by %s", text, number_text(arena, call->value));
    return call->note ? hk_arena_printf(arena, "%s %s", text, call->note) : text;
}

const char *hk_spec_plain(hk_arena *arena, const char *name) {
    char *plain = hk_arena_strdup(arena, name);
    for (char *c = plain; *c; c++) {
        bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z');
        if (!letter && !(*c >= '0' && *c <= '9') && !strchr(" ._-,", *c))
            *c = '_';
    }
    return plain;
}

const char *hk_spec_heading(hk_arena *arena, const hk_sound_system *system, const char *text) {
    return hk_arena_printf(arena, "%s: specification and master. hocket %d.%d.%d, content %016llx",
                           hk_spec_plain(arena, system->name), HK_VERSION_MAJOR, HK_VERSION_MINOR,
                           HK_VERSION_PATCH,
                           (unsigned long long)hk_hash(HK_HASH_SEED, text, strlen(text)));
}

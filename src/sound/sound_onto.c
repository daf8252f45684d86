/* SPDX-License-Identifier: MIT
 *
 * What a run would call, in the words of a multi-model: variables of components become its ports,
 * of which one may stand for several, and what the model gives them before the run its initial
 * values. */
#include "sound/call_list.h"

#include "model/value.h"
#include "sound/onto_order.h"
#include "sound/sound_trace.h"

#include <string.h>

typedef struct target {
    uint32_t port;    /* HK_MAP_NONE: the file does not speak of it */
    uint32_t element; /* from 0 */
} target;

typedef struct work {
    hk_ctx *ctx;
    hk_arena *arena;
    const hk_sound_system *from; /* of the plan */
    hk_sound_system *onto;       /* of the file */
    uint32_t *instances;         /* per instance of the plan */
    uint32_t *component_of;      /* per instance of the file; HK_MAP_NONE: it does not run */
    target *ports;               /* per port of the plan */
    uint64_t *seen;              /* per port of the file: elements of the call that is being made */
    uint32_t *call_of;           /* per port of the file: which call that is */
    uint32_t *first_seen;        /* per port of the file: where its bits begin */
    const char *differs, *unlike; /* as of hk_sound_phased */
    size_t passed_over;           /* gets and settings that the file does not speak of */
    const char *passed_first;     /* one of them */
} work;

/* The first thing counts. */
static void say(const char **where, const char *what) {
    if (!*where)
        *where = what;
}

/* ---- names -------------------------------------------------------------------------------------
 */

static void name_ports(const hk_sound_system *onto, hk_arena *arena, hk_map *map,
                       target **ret_all) {
    size_t count = 0;
    for (size_t p = 0; p < onto->port_count; p++)
        count += 1 + onto->ports[p].elements;
    target *all = HK_NEW_ARRAY(arena, target, count + 1);
    count = 0;
    for (uint32_t p = 0; p < onto->port_count; p++) {
        const hk_sound_port *port = &onto->ports[p];
        hk_map_put(map, port->name, (uint32_t)count);
        all[count++] = (target){p, HK_MAP_NONE};
        for (uint32_t k = 0; k < port->elements; k++) {
            hk_map_put(map, hk_arena_printf(arena, "%s[%u]", port->name, k + 1), (uint32_t)count);
            all[count++] = (target){p, k};
        }
    }
    *ret_all = all;
}

static hk_status find_all(work *w, const char *file) {
    hk_map ports = {0}, instances = {0};
    target *all;
    hk_status status = HK_OK;
    name_ports(w->onto, w->arena, &ports, &all);
    for (uint32_t i = 0; i < w->onto->instance_count; i++)
        hk_map_put(&instances, w->onto->instances[i].name, i);
    for (size_t i = 0; i < w->onto->instance_count; i++)
        w->component_of[i] = HK_MAP_NONE;
    for (uint32_t i = 0; i < w->from->instance_count && status == HK_OK; i++) {
        const char *name = w->from->instances[i].name;
        w->instances[i] = hk_map_get(&instances, name);
        if (w->instances[i] != HK_MAP_NONE)
            w->component_of[w->instances[i]] = i;
        if (w->instances[i] == HK_MAP_NONE)
            status = hk_error(w->ctx, HK_E_USAGE, (hk_where){.file = file},
                              "its instances must have the names of the components that run",
                              "the multi-model has no EComponent '%s'", name);
    }
    for (size_t p = 0; p < w->from->port_count; p++) {
        uint32_t index = hk_map_get(&ports, w->from->ports[p].name);
        w->ports[p] = index == HK_MAP_NONE ? (target){HK_MAP_NONE, 0} : all[index];
    }
    hk_map_finish(&ports);
    hk_map_finish(&instances);
    return status;
}

/* ---- initial values ----------------------------------------------------------------------------
 */

/* Whether an element of what the model gives is one of what the file says. */
static bool is_same(const hk_value *given, size_t at, const hk_sound_initial *initial, size_t k) {
    hk_store store = hk_store_of(given->type);
    const hk_sound_value *must = &initial->value;
    if (at >= given->count)
        return false;
    if (store == HK_STORE_BYTES) {
        const hk_bytes *bytes = (const hk_bytes *)given->data + at;
        return must->text && bytes->size == must->size &&
               memcmp(bytes->data, must->text, must->size) == 0;
    }
    double *numbers = hk_alloc((given->count + 1) * sizeof *numbers);
    bool same = must->numbers && k < must->count &&
                hk_value_convert(HK_STORE_F64, numbers, store, given->data, given->count) &&
                memcmp(&numbers[at], &must->numbers[k], sizeof *numbers) == 0;
    hk_free(numbers);
    return same;
}

/* Whether the model gives it something at all (false: the run does not set it), and whether that is
 * another value than the file says. */
static bool is_given(const work *w, const hk_sound_initial *initial, bool *ret_other) {
    uint32_t c = w->component_of[initial->instance];
    if (c == HK_MAP_NONE)
        return false;
    const hk_component *component = &w->from->plan->model->components[c];
    const char *name = initial->name + strlen(w->onto->instances[initial->instance].name) + 1;
    size_t count = initial->elements ? initial->elements : 1, found = 0;
    for (size_t k = 0; k < count; k++) {
        uint32_t v = hk_info_find(component->info, name);
        bool whole = v != HK_MAP_NONE;
        if (!whole)
            v = hk_info_find(component->info, hk_arena_printf(w->arena, "%s[%zu]", name, k + 1));
        const hk_setting *s = v == HK_MAP_NONE ? NULL : hk_component_last_setting(component, v);
        if (!s)
            continue;
        found++;
        *ret_other = *ret_other || !is_same(&s->value, whole ? k : 0, initial, k);
    }
    return found == count;
}

static void add_initials(work *w, hk_call_list *init) {
    for (size_t i = 0; i < w->onto->initial_count; i++) {
        const hk_sound_initial *initial = &w->onto->initials[i];
        hk_sound_call call = {.op = initial->port == HK_MAP_NONE ? HK_OP_PARAMETER : HK_OP_SET,
                              .port =
                                  initial->port == HK_MAP_NONE ? initial->number : initial->port,
                              .instance = initial->instance,
                              .as = HK_MAP_NONE};
        bool given = is_given(w, initial, &call.other);
        if (given)
            hk_call_list_add(init, call);
        if (!given || call.other)
            say(&w->unlike, hk_arena_printf(w->arena,
                                            given ? "set %s: the file says another value"
                                                  : "nothing sets %s before the first get",
                                            initial->name));
    }
}

/* ---- what is not said --------------------------------------------------------------------------
 */

static void pass_over(work *w, const char *name) {
    if (!w->passed_over++)
        w->passed_first = name;
}

/* Settings of variables that no block gives a value. */
static void find_settings(work *w) {
    hk_map names = {0};
    for (uint32_t i = 0; i < w->onto->initial_count; i++) {
        const hk_sound_initial *initial = &w->onto->initials[i];
        hk_map_put(&names, initial->name, i);
        for (uint32_t k = 0; k < initial->elements; k++)
            hk_map_put(&names, hk_arena_printf(w->arena, "%s[%u]", initial->name, k + 1), i);
    }
    for (size_t c = 0; c < w->from->instance_count; c++) {
        const hk_component *component = &w->from->plan->model->components[c];
        for (size_t i = 0; i < component->setting_count; i++) {
            uint32_t v = component->settings[i].variable;
            const char *name = hk_arena_printf(w->arena, "%s.%s", component->name,
                                               component->info->variables[v].name);
            bool last = hk_component_last_setting(component, v) == &component->settings[i];
            if (last && hk_map_get(&names, name) == HK_MAP_NONE)
                pass_over(w, name);
        }
    }
    hk_map_finish(&names);
}

static void tell_unsaid(work *w, const char *file) {
    find_settings(w);
    for (size_t p = 0; p < w->from->port_count; p++)
        if (w->from->ports[p].is_output && w->ports[p].port == HK_MAP_NONE)
            pass_over(w, w->from->ports[p].name);
    if (w->passed_over > 1)
        hk_note(w->ctx, (hk_where){.file = file},
                "no block declares '%s', which a run reads or gives a value; so it is with %zu "
                "other%s: passed over",
                w->passed_first, w->passed_over - 1, hk_plural(w->passed_over - 1));
    else if (w->passed_over)
        hk_note(w->ctx, (hk_where){.file = file},
                "no block declares '%s', which a run reads or gives a value: passed over",
                w->passed_first);
}

/* ---- what no order of calls shows --------------------------------------------------------------
 */

static const char *seconds(const work *w, hk_ratio time) {
    char buffer[48];
    return hk_arena_printf(w->arena, "%s s", hk_ratio_format(time, buffer));
}

/* A file without cycles means one cycle of all. */
static void compare_times(work *w) {
    hk_ratio all = {0, 1};
    if (w->onto->starts && w->onto->start != w->from->start)
        say(&w->differs, hk_arena_printf(w->arena, "a run begins at %s s: the file says at %s s",
                                         hk_trace_number(w->arena, w->from->start),
                                         hk_trace_number(w->arena, w->onto->start)));
    for (size_t i = 0; i < w->from->instance_count; i++) {
        const hk_sound_instance *runs = &w->from->instances[i];
        hk_ratio must = w->onto->instances[w->instances[i]].period;
        bool said = must.num > 0;
        must = said ? must : all;
        if (!said && !all.num)
            all = runs->period;
        if (must.num && hk_ratio_compare(runs->period, must) != 0)
            say(&w->differs, hk_arena_printf(w->arena, "step %s every %s: %s %s", runs->name,
                                             seconds(w, runs->period),
                                             said ? "the file says every" : "others step every",
                                             seconds(w, must)));
        if (runs->first)
            say(&w->differs, hk_arena_printf(w->arena,
                                             "step %s for the first time after others: the file "
                                             "lets all of them begin together",
                                             runs->name));
    }
}

/* Flows that the file does not have, at ports that it does not speak of; and, where there are no
 * phases, all others. */
static void compare_flow(work *w, uint32_t p) {
    const hk_sound_port *to = &w->from->ports[p];
    const char *from = w->from->ports[to->source].name;
    const target *t = &w->ports[p], *s = &w->ports[to->source];
    if (t->port == HK_MAP_NONE || s->port == HK_MAP_NONE) {
        say(&w->differs, hk_arena_printf(w->arena,
                                         "set %s carries the value of %s: no block of the file "
                                         "declares %s",
                                         to->name, from, t->port == HK_MAP_NONE ? to->name : from));
        return;
    }
    const hk_sound_port *must = &w->onto->ports[t->port];
    if (must->source != s->port || t->element != s->element)
        say(&w->unlike,
            hk_arena_printf(
                w->arena, "set %s carries the value of %s instead of %s", to->name, from,
                must->source == HK_MAP_NONE ? "none" : w->onto->ports[must->source].name));
    else if (must->reactive != to->reactive)
        say(&w->unlike, hk_arena_printf(w->arena,
                                        "set %s carries the value of %s from the %s of the step: "
                                        "the file says from its %s",
                                        to->name, from, to->reactive ? "end" : "beginning",
                                        must->reactive ? "end" : "beginning"));
}

static void compare_flows(work *w) {
    bool *driven = HK_NEW_ARRAY(w->arena, bool, w->onto->port_count + 1);
    for (uint32_t p = 0; p < w->from->port_count; p++) {
        if (w->from->ports[p].is_output || w->from->ports[p].source == HK_MAP_NONE)
            continue;
        compare_flow(w, p);
        if (w->ports[p].port != HK_MAP_NONE)
            driven[w->ports[p].port] = true;
    }
    for (uint32_t p = 0; p < w->onto->port_count; p++)
        if (!w->onto->ports[p].is_output && w->onto->ports[p].source != HK_MAP_NONE && !driven[p])
            say(&w->unlike,
                hk_arena_printf(w->arena, "nothing sets %s: the file has a flow from %s",
                                w->onto->ports[p].name,
                                w->onto->ports[w->onto->ports[p].source].name));
}

/* ---- calls -------------------------------------------------------------------------------------
 */

/* The output that a set of the plan takes its value from, in the words of the file, plus 1. */
static uint32_t carried(const work *w, const hk_sound_call *call, uint32_t element,
                        bool *ret_askew) {
    uint32_t source = call->carries ? call->carries - 1 : w->from->ports[call->port].source;
    const target *t = source == HK_MAP_NONE ? NULL : &w->ports[source];
    if (!t || t->port == HK_MAP_NONE)
        return 0;
    *ret_askew = *ret_askew || t->element != element;
    w->onto->ports[t->port].observed = true; /* it is read, so it is in every view */
    return t->port + 1;
}

/* Adds a call about a port, or lets it be a part of the one that is being made. The number of that
 * call; HK_MAP_NONE: the file does not speak of the port. */
static uint32_t add_port_call(work *w, hk_call_list *to, const hk_sound_call *call) {
    target t = w->ports[call->port];
    if (t.port == HK_MAP_NONE)
        return HK_MAP_NONE; /* a set: compare_flow says so; a get: it is told */
    hk_sound_port *port = &w->onto->ports[t.port];
    uint32_t elements = port->elements ? port->elements : 1, bit = t.element;
    uint64_t *bits = w->seen + w->first_seen[t.port];
    bool askew = false;
    uint32_t from = call->op == HK_OP_SET ? carried(w, call, t.element, &askew) : 0;
    bool part = bit != HK_MAP_NONE && w->call_of[t.port] != HK_MAP_NONE &&
                !(bits[bit / 64] >> bit % 64 & 1);
    if (!part) {
        memset(bits, 0, ((size_t)elements / 64 + 1) * sizeof *bits);
        w->call_of[t.port] = (uint32_t)to->count;
        hk_sound_call one = *call;
        one.port = t.port;
        one.instance = port->instance;
        one.carries = from;
        hk_call_list_add(to, one);
    }
    hk_sound_call *made = &to->calls[w->call_of[t.port]];
    if (bit != HK_MAP_NONE)
        bits[bit / 64] |= UINT64_C(1) << bit % 64;
    if (from && from - 1 != port->source)
        made->carries = from; /* the one that is wrong, if any is */
    made->stale = made->stale || askew || call->stale;
    return w->call_of[t.port];
}

static void forget_calls(work *w) {
    for (size_t p = 0; p < w->onto->port_count; p++)
        w->call_of[p] = HK_MAP_NONE;
}

/* NUMBERS: per call the one that it became; NULL: nobody asks. */
static void add_calls(work *w, hk_call_list *to, const hk_sound_call *calls, size_t count,
                      uint32_t *numbers) {
    forget_calls(w);
    for (size_t i = 0; i < count; i++) {
        const hk_sound_call *c = &calls[i];
        bool port = c->op == HK_OP_GET || c->op == HK_OP_SET;
        uint32_t number = HK_MAP_NONE;
        if (port) {
            number = add_port_call(w, to, c);
        } else {
            number = (uint32_t)to->count;
            hk_sound_call one = *c;
            one.instance = c->op == HK_OP_LOOP ? 0 : w->instances[c->instance];
            one.as = c->op == HK_OP_STEP && c->as != HK_MAP_NONE ? w->instances[c->as] : c->as;
            if (c->op == HK_OP_LOOP) {
                hk_sound_loop *loop = HK_NEW(w->arena, hk_sound_loop);
                hk_call_list body = {0}, retry = {0};
                *loop = *c->loop;
                loop->watched_count = 0;
                add_calls(w, &body, c->loop->body, c->loop->body_count, NULL);
                add_calls(w, &retry, c->loop->retry, c->loop->retry_count, NULL);
                loop->body = hk_call_list_keep(w->arena, &body, &loop->body_count);
                loop->retry = hk_call_list_keep(w->arena, &retry, &loop->retry_count);
                one.loop = loop;
                forget_calls(w);
            }
            hk_call_list_add(to, one);
        }
        if (numbers)
            numbers[i] = number;
    }
}

static hk_sound_system *copy_system(hk_arena *arena, const hk_sound_system *system) {
    hk_sound_system *copy = HK_NEW(arena, hk_sound_system);
    *copy = *system;
    copy->ports = HK_NEW_ARRAY(arena, hk_sound_port, system->port_count + 1);
    if (system->port_count)
        memcpy(copy->ports, system->ports, system->port_count * sizeof *copy->ports);
    return copy;
}

/* Settings are those of the model, and what is exchanged before the first cycle is not seen. */
static bool is_of_cycle(const hk_sound_system *from, const hk_sound_call *call, bool began) {
    return !call->exchange && call->op != HK_OP_PARAMETER &&
           (began || call->op != HK_OP_SET || !from->ports[call->port].initial);
}

hk_status hk_sound_onto(hk_ctx *ctx, hk_arena *arena, const hk_sound_system *file,
                        const char *file_name, hk_sound_phased *phased) {
    const hk_sound_master *m = phased->master;
    work w = {.ctx = ctx,
              .arena = arena,
              .from = phased->system,
              .onto = copy_system(arena, file),
              .instances = HK_NEW_ARRAY(arena, uint32_t, phased->system->instance_count + 1),
              .component_of = HK_NEW_ARRAY(arena, uint32_t, file->instance_count + 1),
              .ports = HK_NEW_ARRAY(arena, target, phased->system->port_count + 1),
              .call_of = HK_NEW_ARRAY(arena, uint32_t, file->port_count + 1),
              .first_seen = HK_NEW_ARRAY(arena, uint32_t, file->port_count + 1)};
    uint32_t words = 0;
    for (size_t p = 0; p < file->port_count; p++) {
        w.first_seen[p] = words;
        words += file->ports[p].elements / 64 + 1;
    }
    w.seen = HK_NEW_ARRAY(arena, uint64_t, words + 1);
    HK_TRY(find_all(&w, file_name));
    tell_unsaid(&w, file_name);
    compare_times(&w);
    compare_flows(&w);
    hk_sound_master *onto = HK_NEW(arena, hk_sound_master);
    hk_call_list init = {0}, step = {0}, cycle = {0};
    bool began = false;
    for (size_t i = 0; i < m->init_count; i++) {
        if (is_of_cycle(w.from, &m->init[i], began))
            hk_call_list_add(&cycle, m->init[i]);
        began = began || (m->init[i].op == HK_OP_GET && !m->init[i].exchange);
    }
    add_initials(&w, &init);
    add_calls(&w, &init, cycle.calls, cycle.count, NULL);
    hk_free(cycle.calls);
    uint32_t *numbers = HK_NEW_ARRAY(arena, uint32_t, m->step_count + 1);
    add_calls(&w, &step, m->step, m->step_count, numbers);
    onto->init = hk_call_list_keep(arena, &init, &onto->init_count);
    onto->step = hk_call_list_keep(arena, &step, &onto->step_count);
    if (m->before)
        hk_onto_order(arena, m, numbers, onto);
    *phased = (hk_sound_phased){
        .system = w.onto, .master = onto, .differs = w.differs, .unlike = w.unlike};
    return HK_OK;
}

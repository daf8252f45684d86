/* SPDX-License-Identifier: MIT
 *
 * What the plan of a run is to those who reason about its calls. */
#include "sound/sound.h"

#include <string.h>

typedef struct work {
    const hk_plan *plan;
    hk_sound_system *system;
    uint32_t **port_of;   /* per component and variable: the port; HK_MAP_NONE: none */
    bool **used;          /* per component and variable: an end of a connection, or observed */
    hk_tick cycle;        /* ticks from one cycle to the next */
    hk_tick first_offset; /* of the component that is activated first */
} work;

static bool is_port(const hk_variable *v) {
    return v->causality == HK_INPUT || v->causality == HK_OUTPUT;
}

static void mark_used(work *w) {
    const hk_model *model = w->plan->model;
    for (size_t i = 0; i < model->connection_count; i++) {
        const hk_connection *k = &model->connections[i];
        w->used[k->from_component][k->from_variable] = true;
        w->used[k->to_component][k->to_variable] = true;
    }
}

static bool is_read(const work *w, const hk_signal *s) {
    return !hk_program_is_static(
        &w->plan->model->components[s->component].info->variables[s->variable]);
}

static void mark_observed(work *w, const hk_program_observed *observed) {
    for (size_t i = 0; observed && i < observed->count; i++)
        if (is_read(w, &observed->signals[i]))
            w->used[observed->signals[i].component][observed->signals[i].variable] = true;
}

static void observe(work *w, const hk_program_observed *observed) {
    for (size_t i = 0; observed && i < observed->count; i++) {
        const hk_signal *s = &observed->signals[i];
        if (is_read(w, s))
            w->system->ports[w->port_of[s->component][s->variable]].observed = true;
    }
}

static hk_sound_port port_for(const work *w, uint32_t component, const hk_variable *variable) {
    const char *owner = w->plan->model->components[component].name;
    return (hk_sound_port){.name =
                               hk_arena_printf(w->system->arena, "%s.%s", owner, variable->name),
                           .instance = component,
                           .is_output = variable->causality != HK_INPUT,
                           .source = HK_MAP_NONE};
}

static void add_ports(work *w, hk_sound_view view, hk_sound_port **ports, size_t *count,
                      size_t *cap) {
    const hk_model *model = w->plan->model;
    for (uint32_t c = 0; c < model->component_count; c++)
        for (uint32_t v = 0; v < model->components[c].info->variable_count; v++) {
            const hk_variable *variable = &model->components[c].info->variables[v];
            w->port_of[c][v] = HK_MAP_NONE;
            /* Parameters and local variables can be the ends of connections too. */
            if (!w->used[c][v] && (view == HK_VIEW_CONNECTED || !is_port(variable)))
                continue;
            w->port_of[c][v] = (uint32_t)*count;
            HK_PUSH(*ports, *count, *cap, port_for(w, c, variable));
        }
}

/* An array input may have several sources, each for some of its elements. The calculus knows one:
 * that with which the input is set latest stands for all, and the others are read as observed. */
static void add_source(work *w, hk_sound_port *to, uint32_t source, bool reactive) {
    if (to->source == HK_MAP_NONE || (reactive && !to->reactive)) {
        if (to->source != HK_MAP_NONE)
            w->system->ports[to->source].observed = true;
        to->source = source;
        to->reactive = reactive;
    } else if (source != to->source) {
        w->system->ports[source].observed = true;
    }
}

static void connect(work *w) {
    const hk_model *model = w->plan->model;
    for (size_t i = 0; i < model->connection_count; i++) {
        const hk_connection *k = &model->connections[i];
        hk_sound_port *to = &w->system->ports[w->port_of[k->to_component][k->to_variable]];
        /* Whether the two ever meet does not matter: the lag says which value is meant. */
        bool reactive = w->plan->connections[i].lag == 0;
        to->is_output = false;
        add_source(w, to, w->port_of[k->from_component][k->from_variable], reactive);
        to->initial = to->initial || k->initial.data != NULL;
    }
}

/* The ports that an output depends on. At initialization: all inputs if the component does not say.
 * In steps: reactive inputs only. What a step makes of a delayed input is the output of that step,
 * and is read after it, as the lag of the connection says; nothing is read again without a step. */
static const uint32_t *dependencies(work *w, uint32_t component, const hk_depends *depends,
                                    bool stepping, size_t *ret_count) {
    const hk_info *info = w->plan->model->components[component].info;
    uint32_t *found = HK_NEW_ARRAY(w->system->arena, uint32_t, info->variable_count);
    size_t count = 0;
    for (uint32_t v = 0; v < info->variable_count; v++) {
        uint32_t port = w->port_of[component][v];
        bool named = !depends->known;
        for (size_t i = 0; depends->known && i < depends->count; i++)
            named = named || depends->on[i] == v;
        if (named && port != HK_MAP_NONE && !w->system->ports[port].is_output &&
            (!stepping || w->system->ports[port].reactive))
            found[count++] = port;
    }
    *ret_count = count;
    return found;
}

static void add_dependencies(work *w) {
    const hk_model *model = w->plan->model;
    for (uint32_t c = 0; c < model->component_count; c++)
        for (uint32_t v = 0; v < model->components[c].info->variable_count; v++) {
            const hk_variable *variable = &model->components[c].info->variables[v];
            if (w->port_of[c][v] == HK_MAP_NONE || !w->system->ports[w->port_of[c][v]].is_output)
                continue;
            hk_sound_port *port = &w->system->ports[w->port_of[c][v]];
            port->depends = dependencies(w, c, &variable->depends, true, &port->depends_count);
            port->depends_init =
                dependencies(w, c, &variable->depends_init, false, &port->depends_init_count);
        }
}

static uint32_t count_parameters(const hk_component *component) {
    uint32_t count = 0;
    for (size_t i = 0; i < component->setting_count; i++) {
        bool again = false; /* the same one set twice is one of them */
        for (size_t k = 0; k < i && !again; k++)
            again = component->settings[k].variable == component->settings[i].variable;
        count += !again;
    }
    return count;
}

static void add_instances(work *w) {
    const hk_model *model = w->plan->model;
    for (uint32_t c = 0; c < model->component_count; c++) {
        const hk_component *component = &model->components[c];
        const hk_plan_component *planned = &w->plan->components[c];
        w->system->instances[c] = (hk_sound_instance){
            .name = hk_arena_strdup(w->system->arena, component->name),
            .parameters = count_parameters(component),
            .rate = w->cycle ? planned->period / w->cycle : 1,
            .first = w->cycle ? (planned->offset - w->first_offset) / w->cycle : 0,
            .can_save = component->info->can.save_state,
            .is_fmu = component->info->can.fmi != 0};
        if (!hk_ratio_make(planned->period, w->plan->ticks_per_second,
                           &w->system->instances[c].period))
            w->system->instances[c].period = (hk_ratio){0, 1};
    }
}

static void find_cycle(work *w) {
    const hk_plan *plan = w->plan;
    size_t count = plan->model->component_count;
    uint32_t *all = hk_alloc(count * sizeof *all);
    for (uint32_t c = 0; c < count; c++) {
        all[c] = c;
        if (c == 0 || plan->components[c].offset < w->first_offset)
            w->first_offset = plan->components[c].offset;
    }
    w->cycle = hk_plan_step(plan, all, count);
    hk_free(all);
    w->system->cycle = hk_tick_seconds(w->cycle, plan->ticks_per_second);
    w->system->start = hk_tick_seconds(plan->start + w->first_offset, plan->ticks_per_second);
}

hk_status hk_sound_from_plan(hk_ctx *ctx, const hk_plan *plan, hk_sound_view view,
                             const hk_program_observed *observed, hk_sound_system **ret_system) {
    const hk_model *model = plan->model;
    for (size_t c = 0; c < model->component_count; c++)
        if (plan->components[c].pattern)
            return hk_error(ctx, HK_E_SCHEDULE, (hk_where){.file = model->file},
                            "leave out the costs in the schedule",
                            "'%s' overruns and skips or delays activations: such runs have no "
                            "specification",
                            model->components[c].name);
    hk_arena *arena = hk_arena_create();
    hk_sound_system *system = HK_NEW(arena, hk_sound_system);
    *system = (hk_sound_system){.arena = arena,
                                .plan = plan,
                                .name = hk_arena_strdup(arena, model->name),
                                .instances =
                                    HK_NEW_ARRAY(arena, hk_sound_instance, model->component_count),
                                .instance_count = model->component_count};
    work w = {.plan = plan,
              .system = system,
              .port_of = HK_NEW_ARRAY(arena, uint32_t *, model->component_count),
              .used = HK_NEW_ARRAY(arena, bool *, model->component_count)};
    for (size_t c = 0; c < model->component_count; c++) {
        size_t count = model->components[c].info->variable_count;
        w.port_of[c] = HK_NEW_ARRAY(arena, uint32_t, count);
        w.used[c] = HK_NEW_ARRAY(arena, bool, count);
    }
    find_cycle(&w);
    mark_used(&w);
    mark_observed(&w, observed);
    hk_sound_port *ports = NULL;
    size_t count = 0, cap = 0;
    add_ports(&w, view, &ports, &count, &cap);
    system->ports = HK_NEW_ARRAY(arena, hk_sound_port, count);
    if (count)
        memcpy(system->ports, ports, count * sizeof *ports);
    hk_free(ports);
    system->port_count = count;
    system->port_of = (const uint32_t *const *)w.port_of;
    connect(&w);
    observe(&w, observed);
    add_dependencies(&w);
    add_instances(&w);
    *ret_system = system;
    return HK_OK;
}

void hk_sound_destroy(hk_sound_system *system) {
    if (system)
        hk_arena_destroy(system->arena);
}

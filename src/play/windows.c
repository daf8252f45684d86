/* SPDX-License-Identifier: MIT
 *
 * What a DURING changes is put back at its end. Windows may overlap in any way: of those that are
 * open the one that was opened last counts, and when all are closed everything is as before. */
#include "play/play_internal.h"

#include <string.h>

enum { VALUES, COMPONENTS, FAULTS, BINDINGS };

static int topic_of(hk_action_kind kind) {
    return kind == HK_ACTION_SET     ? VALUES
           : kind == HK_ACTION_START ? COMPONENTS
           : kind == HK_ACTION_FAULT ? FAULTS
                                     : BINDINGS;
}

static uint32_t *top_of(const hk_playing *p, const hk_layer *layer) {
    return &p->tops[topic_of(layer->kind)][layer->index];
}

void hk_windows_begin(hk_playing *p) {
    HK_ASSERT(p);
    const hk_model *model = p->stage->simulation->model;
    const size_t counts[] = {p->known_count, model->component_count,
                             (size_t)p->fault_first[p->scene->shaky_count] * HK_FAULT_KINDS,
                             model->requirement_count};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        p->tops[i] = HK_NEW_ARRAY(p->scratch, uint32_t, counts[i] + 1);
        memset(p->tops[i], 0xff, (counts[i] + 1) * sizeof *p->tops[i]);
    }
}

void hk_window_again(hk_playing *p, uint32_t layer) {
    HK_ASSERT(p);
    HK_ASSERT(layer < p->layer_count);
    if (p->layers[layer].above == HK_MAP_NONE)
        *top_of(p, &p->layers[layer]) = layer;
}

bool hk_windows_overlap(const hk_playing *p, uint32_t component) {
    HK_ASSERT(p);
    HK_ASSERT(component < p->stage->simulation->model->component_count);
    uint32_t top = p->tops[COMPONENTS][component];
    return top != HK_MAP_NONE && p->layers[top].below != HK_MAP_NONE;
}

/* One layer for each thing, however often the window changes it. */
static void push(hk_playing *p, const hk_event_state *state, hk_layer layer) {
    uint32_t *top = top_of(p, &layer), number = (uint32_t)p->layer_count;
    if (*top != HK_MAP_NONE && *top >= state->first_layer)
        return;
    layer.below = *top;
    layer.above = HK_MAP_NONE;
    if (*top != HK_MAP_NONE)
        p->layers[*top].above = number;
    *top = number;
    HK_PUSH(p->layers, p->layer_count, p->layer_cap, layer);
}

static void push_values(hk_playing *p, const hk_event_state *state, const hk_action *action) {
    hk_actions targets = hk_spell_out(p->stage->simulation->model, p->scratch, action);
    for (size_t i = 0; i < targets.count; i++) {
        const hk_known *known = hk_find_known(p, targets.all[i].component, targets.all[i].variable);
        push(p, state,
             (hk_layer){.kind = HK_ACTION_SET,
                        .index = (uint32_t)(known - p->known),
                        .value = hk_value_now(p, known)});
    }
}

/* A repair changes only what is faulty. */
static void push_faults(hk_playing *p, const hk_event_state *state, const hk_action *a,
                        uint32_t connection) {
    size_t shaky = hk_find_shaky(p, connection), i;
    size_t end = hk_fault_elements(p, shaky, &a->fault.elements, &i);
    for (; i < end; i++)
        for (int k = 0; k < HK_FAULT_OVERRIDE; k++) {
            size_t slot = hk_fault_slot(p, shaky, i, (hk_fault_kind)k);
            bool touched = a->kind == HK_ACTION_FAULT ? (int)a->fault.kind == k
                                                      : p->faults[slot].kind != HK_FAULT_KINDS;
            if (touched)
                push(p, state,
                     (hk_layer){.kind = HK_ACTION_FAULT,
                                .index = (uint32_t)slot,
                                .fault = p->faults[slot]});
        }
}

void hk_window_open(hk_playing *p, hk_event_state *state, const hk_actions *actions) {
    HK_ASSERT(p && state && actions);
    state->first_layer = (uint32_t)p->layer_count;
    for (size_t i = 0; i < actions->count; i++) {
        const hk_action *a = &actions->all[i];
        if (a->kind == HK_ACTION_SET || a->kind == HK_ACTION_RAMP) {
            push_values(p, state, a);
        } else if (a->kind == HK_ACTION_BIND) {
            size_t r = hk_find_requirement(p->stage->simulation->model, a->component, a->service);
            push(p, state,
                 (hk_layer){
                     .kind = HK_ACTION_BIND, .index = (uint32_t)r, .provider = p->providers[r]});
        }
        for (size_t k = 0; k < a->component_count; k++)
            push(p, state,
                 (hk_layer){.kind = HK_ACTION_START,
                            .index = a->components[k],
                            .active = hk_sim_is_active(p->sim, a->components[k])});
        for (size_t k = 0; k < a->connection_count; k++)
            push_faults(p, state, a, a->connections[k]);
    }
    state->end_layer = (uint32_t)p->layer_count;
}

static hk_status put_back(hk_playing *p, const hk_layer *layer) {
    bool changed;
    switch (topic_of(layer->kind)) {
    case VALUES:
        return hk_put_back_value(p, &p->known[layer->index], &layer->value);
    case COMPONENTS:
        p->rests[layer->index] = false;
        return layer->active ? hk_sim_start_component(p->sim, layer->index, &changed)
                             : hk_sim_stop_component(p->sim, layer->index, &changed);
    case FAULTS:
        return hk_put_back_fault(p, layer->index, &layer->fault);
    default:
        return hk_put_back_provider(p, layer->index, layer->provider);
    }
}

static hk_status take_away(hk_playing *p, uint32_t number) {
    const hk_layer layer = p->layers[number];
    if (layer.below != HK_MAP_NONE)
        p->layers[layer.below].above = layer.above;
    if (layer.above == HK_MAP_NONE) {
        *top_of(p, &layer) = layer.below;
        return put_back(p, &layer);
    }
    hk_layer *above = &p->layers[layer.above];
    hk_layer put_right = layer;
    put_right.above = above->above;
    *above = put_right;
    return HK_OK;
}

hk_status hk_window_close(hk_playing *p, hk_event_state *state) {
    HK_ASSERT(p && state);
    for (uint32_t i = state->end_layer; i-- > state->first_layer;)
        HK_TRY(take_away(p, i));
    return HK_OK;
}

/* SPDX-License-Identifier: MIT
 *
 * What a scenario does to a run. */
#include "play/play_internal.h"

#include "base/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const hk_model *model_of(const hk_playing *p) {
    return p->stage->simulation->model;
}

static const hk_variable *variable_of(const hk_model *model, uint32_t component,
                                      uint32_t variable) {
    return &model->components[component].info->variables[variable];
}

void hk_action_trace(hk_playing *p, hk_tick tick, const char *before, const char *words) {
    HK_ASSERT(p && before);
    double time = hk_tick_seconds(tick, p->stage->plan->ticks_per_second);
    hk_told_event(p, time, before, words);
    if (!p->stage->options->trace)
        return;
    const char *line = hk_arena_printf(p->arena, "%s: %s%s", hk_seconds_words(p->arena, time),
                                       before, words ? words : "");
    HK_PUSH(p->trace, p->trace_count, p->trace_cap, line);
}

/* ---- shared parameters ---- */

/* VALUE as the variable TO has it, after the transformation T (NULL: none) or against it. */
static bool converted(hk_arena *arena, const hk_variable *to, const hk_value *value,
                      const hk_transform *t, bool back, hk_value *ret_value) {
    hk_store from = hk_store_of(value->type), store = hk_store_of(to->type);
    hk_value result = {to->type, to->count, NULL};
    result.data = hk_arena_alloc(arena, (to->count + 1) * hk_store_size(store));
    if (value->count != to->count)
        return false;
    *ret_value = result;
    if (!t || t->kind != HK_TRANSFORM_LINEAR || t->factor == 0)
        return hk_value_convert(store, result.data, from, value->data, to->count);
    for (size_t i = 0; i < to->count; i++) {
        double x;
        const char *at = (const char *)value->data + i * hk_store_size(from);
        if (!hk_value_convert(HK_STORE_F64, &x, from, at, 1))
            return false;
        x = back ? (x - t->offset) / t->factor : x * t->factor + t->offset;
        if (!hk_value_convert(store, (char *)result.data + i * hk_store_size(store), HK_STORE_F64,
                              &x, 1))
            return false;
    }
    return true;
}

/* The actions that one SET stands for. */
typedef struct action_list {
    const hk_model *model;
    hk_arena *arena;
    const hk_action *set;
    hk_action *all;
    size_t count, cap;
} action_list;

/* BASE is the value of the group's first variable, and T what this one makes of it. */
static void add_target(action_list *list, const hk_value *base, uint32_t component,
                       uint32_t variable, const hk_transform *t) {
    if (component == list->set->component && variable == list->set->variable)
        return;
    hk_action a = *list->set;
    a.component = component;
    a.variable = variable;
    if (converted(list->arena, variable_of(list->model, component, variable), base, t, false,
                  &a.value))
        HK_PUSH(list->all, list->count, list->cap, a);
}

/* The value of the group's first variable, if SET is about one of its group. */
static bool find_base(const hk_model *model, hk_arena *arena, const hk_shared *shared,
                      const hk_action *set, hk_value *ret_base) {
    if (shared->component == set->component && shared->variable == set->variable) {
        *ret_base = set->value;
        return true;
    }
    for (const hk_branch *b = shared->others; b; b = b->next) {
        if (b->component != set->component || b->variable != set->variable)
            continue;
        return converted(arena, variable_of(model, shared->component, shared->variable),
                         &set->value, &b->transform, true, ret_base);
    }
    return false;
}

hk_actions hk_spell_out(const hk_model *model, hk_arena *arena, const hk_action *set) {
    HK_ASSERT(model && arena && set);
    action_list list = {.model = model, .arena = arena, .set = set};
    HK_PUSH(list.all, list.count, list.cap, *set);
    for (size_t i = 0; i < model->shared_count; i++) {
        const hk_shared *shared = &model->shared[i];
        hk_value base;
        if (!find_base(model, arena, shared, set, &base))
            continue;
        add_target(&list, &base, shared->component, shared->variable, NULL);
        for (const hk_branch *b = shared->others; b; b = b->next)
            add_target(&list, &base, b->component, b->variable, &b->transform);
    }
    hk_actions result = {HK_NEW_ARRAY(arena, hk_action, list.count), list.count};
    memcpy(result.all, list.all, list.count * sizeof *list.all);
    hk_free(list.all);
    return result;
}

static void learn_providers(hk_playing *p) {
    const hk_model *model = model_of(p);
    p->providers = HK_NEW_ARRAY(p->scratch, hk_provider, model->requirement_count + 1);
    for (size_t i = 0; i < model->requirement_count; i++) {
        const hk_requirement *r = &model->requirements[i];
        if (r->candidate_count)
            p->providers[i] = r->candidates[r->bound != HK_MAP_NONE ? r->bound : 0];
    }
    for (size_t list = 0; list < HK_PRESETS; list++)
        for (size_t i = 0; i < p->scene->preset[list].count; i++) {
            const hk_action *a = &p->scene->preset[list].all[i];
            if (a->kind == HK_ACTION_BIND)
                p->providers[hk_find_requirement(model, a->component, a->service)] =
                    (hk_provider){a->provider, a->provider_service};
        }
}

static void learn_faults(hk_playing *p) {
    const hk_model *model = model_of(p);
    uint32_t elements = 0;
    p->fault_first = HK_NEW_ARRAY(p->scratch, uint32_t, p->scene->shaky_count + 1);
    for (size_t i = 0; i < p->scene->shaky_count; i++) {
        p->fault_first[i] = elements;
        elements += (uint32_t)hk_connection_count(model, &model->connections[p->scene->shaky[i]]);
    }
    p->fault_first[p->scene->shaky_count] = elements;
    p->faults = HK_NEW_ARRAY(p->scratch, hk_fault, (size_t)elements * HK_FAULT_KINDS + 1);
    for (size_t i = 0; i < (size_t)elements * HK_FAULT_KINDS; i++)
        p->faults[i].kind = HK_FAULT_KINDS;
}

void hk_playing_learn(hk_playing *p) {
    HK_ASSERT(p);
    learn_faults(p);
    hk_known_learn(p);
    learn_providers(p);
    p->rests = HK_NEW_ARRAY(p->scratch, bool, model_of(p)->component_count + 1);
    hk_windows_begin(p);
}

/* ---- ramps ---- */

static void cancel_ramp(hk_playing *p, uint32_t component, uint32_t variable) {
    size_t n = 0;
    for (size_t i = 0; i < p->ramp_count; i++)
        if (p->ramps[i].action->component != component || p->ramps[i].action->variable != variable)
            p->ramps[n++] = p->ramps[i];
    p->ramp_count = n;
}

hk_status hk_put_back_value(hk_playing *p, const hk_known *known, const hk_value *value) {
    HK_ASSERT(p && known && value);
    cancel_ramp(p, known->component, known->variable);
    return hk_known_put(p, known->component, known->variable, value);
}

/* Where the ramp is at NOW: exactly the target from its end on. */
static hk_status move_ramp(hk_playing *p, const hk_ramp *ramp, hk_tick now) {
    const hk_action *a = ramp->action;
    if (now - ramp->from >= ramp->length)
        return hk_known_put(p, a->component, a->variable, &a->value);
    hk_store store = hk_store_of(a->value.type);
    size_t size = hk_store_size(store);
    hk_value value = {a->value.type, a->value.count,
                      hk_alloc((a->value.count + 1) * hk_store_size(store))};
    double part = (double)(now - ramp->from) / (double)ramp->length;
    bool fits = true;
    for (size_t i = 0; i < value.count; i++) {
        double target = 0;
        fits = hk_value_convert(HK_STORE_F64, &target, store,
                                (const char *)a->value.data + i * size, 1) &&
               fits;
        double x = ramp->start[i] + (target - ramp->start[i]) * part;
        if (store != HK_STORE_F64 && store != HK_STORE_F32)
            x = round(x);
        fits = hk_value_convert(store, (char *)value.data + i * size, HK_STORE_F64, &x, 1) && fits;
    }
    hk_status status = fits ? hk_known_put(p, a->component, a->variable, &value)
                            : hk_error(p->ctx, HK_E_SCENARIO, a->where, NULL,
                                       "a value on the way of the ramp does not fit the variable");
    hk_free(value.data);
    return status;
}

hk_status hk_ramps_move(hk_playing *p, hk_tick now) {
    HK_ASSERT(p);
    size_t n = 0;
    for (size_t i = 0; i < p->ramp_count; i++) {
        hk_ramp ramp = p->ramps[i];
        HK_TRY(move_ramp(p, &ramp, now));
        if (now - ramp.from < ramp.length)
            p->ramps[n++] = ramp;
    }
    p->ramp_count = n;
    return HK_OK;
}

static hk_status begin_ramp(hk_playing *p, const hk_action *action, hk_tick tick) {
    hk_actions targets = hk_spell_out(model_of(p), p->scratch, action);
    hk_tick length = hk_ticks_of(p->stage->plan, action->over, true);
    for (size_t i = 0; i < targets.count; i++) {
        const hk_action *a = &targets.all[i];
        hk_ramp ramp = {a, tick, length, HK_NEW_ARRAY(p->scratch, double, a->value.count + 1)};
        for (size_t k = 0; k < a->value.count; k++)
            if (!hk_known_f64(p, a->component, a->variable, (uint32_t)k, &ramp.start[k]))
                return hk_error(p->ctx, HK_E_SCENARIO, action->where, "ramps need numbers",
                                "the variable of the ramp has no value to begin at");
        cancel_ramp(p, a->component, a->variable);
        HK_PUSH(p->ramps, p->ramp_count, p->ramp_cap, ramp);
        HK_TRY(move_ramp(p, &ramp, hk_sim_now(p->sim)));
    }
    return HK_OK;
}

/* ---- the others ---- */

static hk_status set_variable(hk_playing *p, const hk_action *action) {
    hk_actions targets = hk_spell_out(model_of(p), p->scratch, action);
    for (size_t i = 0; i < targets.count; i++) {
        const hk_action *a = &targets.all[i];
        cancel_ramp(p, a->component, a->variable);
        HK_TRY(hk_known_put(p, a->component, a->variable, &a->value));
    }
    return HK_OK;
}

static hk_status changes_nothing(hk_playing *p, const hk_action *a, hk_tick tick, const char *why) {
    double time = hk_tick_seconds(tick, p->stage->plan->ticks_per_second);
    const char *text = hk_arena_printf(p->scratch, "'%s' at %s changes nothing: %s", a->words,
                                       hk_seconds_words(p->scratch, time), why);
    if (p->stage->options->strict)
        return hk_error(p->ctx, HK_E_SCENARIO, a->where, "leave it out", "%s", text);
    hk_warn(p->ctx, HK_E_SCENARIO, a->where, "leave it out", "%s", text);
    return HK_OK;
}

/* Some of it were stopped together with others, by a composite. */
static bool some_rest(const hk_playing *p, const hk_action *a) {
    for (size_t i = 0; i < a->component_count; i++)
        if (p->rests[a->components[i]])
            return true;
    return false;
}

/* To start a composite starts what was stopped by one, and not a source beside it that nobody has
 * chosen; if there is nothing of that kind it starts all. */
static hk_status start_or_stop(hk_playing *p, const hk_action *a, hk_tick tick) {
    bool any = false, changed, stop = a->kind == HK_ACTION_STOP;
    bool chosen = !stop && some_rest(p, a), together = stop && a->component_count > 1;
    for (size_t i = 0; i < a->component_count; i++) {
        uint32_t c = a->components[i];
        if (chosen && !p->rests[c])
            continue;
        HK_TRY(stop ? hk_sim_stop_component(p->sim, c, &changed)
                    : hk_sim_start_component(p->sim, c, &changed));
        p->rests[c] = together && (changed || p->rests[c]);
        any = any || changed;
    }
    if (any || a->more || !a->component_count || hk_windows_overlap(p, a->components[0]))
        return HK_OK;
    return changes_nothing(
        p, a, tick,
        hk_arena_printf(p->scratch, "%s %s already",
                        a->component_count == 1 ? "the component is" : "all of these are",
                        stop ? "stopped" : "running"));
}

static hk_status call(hk_playing *p, const hk_action *a) {
    const hk_info *info = model_of(p)->components[a->component].info;
    const hk_interface *definition = info->services[a->service].definition;
    const hk_argument *result = definition->functions[a->function].result;
    void *room = hk_alloc(result ? result->size + 1 : 1);
    hk_status status =
        hk_sim_call(p->sim, a->component, a->service, a->function, a->arguments, room);
    hk_free(room);
    return status;
}

/* ---- faults ---- */

size_t hk_find_shaky(const hk_playing *p, uint32_t connection) {
    HK_ASSERT(p);
    size_t at = 0;
    HK_SEARCH(at, p->scene->shaky_count, i, p->scene->shaky[i] < connection)
    return at;
}

size_t hk_fault_slot(const hk_playing *p, size_t shaky, size_t element, hk_fault_kind kind) {
    HK_ASSERT(p);
    HK_ASSERT(shaky < p->scene->shaky_count);
    HK_ASSERT(kind < HK_FAULT_KINDS);
    return (p->fault_first[shaky] + element) * HK_FAULT_KINDS + kind;
}

size_t hk_fault_elements(const hk_playing *p, size_t shaky, const hk_slice *slice,
                         size_t *ret_first) {
    HK_ASSERT(p && ret_first);
    *ret_first = slice->count ? slice->first : 0;
    return slice->count ? *ret_first + slice->count
                        : p->fault_first[shaky + 1] - p->fault_first[shaky];
}

static hk_status add_fault(hk_playing *p, uint32_t connection, const hk_fault *fault) {
    size_t shaky = hk_find_shaky(p, connection), i;
    HK_TRY(hk_sim_add_fault(p->sim, connection, fault));
    size_t end = hk_fault_elements(p, shaky, &fault->elements, &i);
    for (; i < end; i++) {
        hk_fault *slot = &p->faults[hk_fault_slot(p, shaky, i, fault->kind)];
        *slot = *fault;
        slot->elements = (hk_slice){(uint32_t)i, 1};
    }
    return HK_OK;
}

static hk_status remove_fault(hk_playing *p, size_t shaky, size_t element, hk_fault_kind kind) {
    p->faults[hk_fault_slot(p, shaky, element, kind)].kind = HK_FAULT_KINDS;
    return hk_sim_remove_fault(p->sim, p->scene->shaky[shaky], kind, (uint32_t)element);
}

static hk_status repair(hk_playing *p, uint32_t connection, const hk_slice *slice) {
    size_t shaky = hk_find_shaky(p, connection), i;
    size_t end = hk_fault_elements(p, shaky, slice, &i);
    for (; i < end; i++)
        for (int k = 0; k < HK_FAULT_OVERRIDE; k++)
            HK_TRY(remove_fault(p, shaky, i, (hk_fault_kind)k));
    return HK_OK;
}

static hk_status fault_or_repair(hk_playing *p, const hk_action *a) {
    for (size_t i = 0; i < a->connection_count; i++)
        HK_TRY(a->kind == HK_ACTION_FAULT ? add_fault(p, a->connections[i], &a->fault)
                                          : repair(p, a->connections[i], &a->fault.elements));
    return HK_OK;
}

/* *ret_any: there was an override. */
static hk_status release_connection(hk_playing *p, uint32_t connection, const hk_slice *slice,
                                    bool *ret_any) {
    size_t shaky = hk_find_shaky(p, connection), i;
    size_t end = hk_fault_elements(p, shaky, slice, &i);
    for (; i < end; i++) {
        size_t slot = hk_fault_slot(p, shaky, i, HK_FAULT_OVERRIDE);
        *ret_any = *ret_any || p->faults[slot].kind == HK_FAULT_OVERRIDE;
        HK_TRY(remove_fault(p, shaky, i, HK_FAULT_OVERRIDE));
    }
    return HK_OK;
}

static hk_status release(hk_playing *p, const hk_action *a, hk_tick tick) {
    bool any = false;
    if (!a->connection_count)
        HK_TRY(hk_known_release(p, a, &any));
    for (size_t i = 0; i < a->connection_count; i++)
        HK_TRY(release_connection(p, a->connections[i], &a->fault.elements, &any));
    return any || a->more ? HK_OK : changes_nothing(p, a, tick, "it is not overridden");
}

static bool same_fault(const hk_fault *a, const hk_fault *b) {
    return a->kind == b->kind && a->has_value == b->has_value && a->value == b->value &&
           hk_ratio_compare(a->delay, b->delay) == 0;
}

/* A fault that is as it was is left alone: what it remembers goes on. */
hk_status hk_put_back_fault(hk_playing *p, size_t slot, const hk_fault *fault) {
    HK_ASSERT(p && fault);
    size_t element = slot / HK_FAULT_KINDS, shaky = 0;
    const hk_fault *now = &p->faults[slot];
    while (p->fault_first[shaky + 1] <= element)
        shaky++;
    if (fault->kind == HK_FAULT_KINDS)
        return remove_fault(p, shaky, element - p->fault_first[shaky],
                            (hk_fault_kind)(slot % HK_FAULT_KINDS));
    return same_fault(now, fault) ? HK_OK : add_fault(p, p->scene->shaky[shaky], fault);
}

/* ---- all of them ---- */

hk_status hk_put_back_provider(hk_playing *p, size_t requirement, hk_provider to) {
    HK_ASSERT(p);
    const hk_requirement *r = &model_of(p)->requirements[requirement];
    HK_TRY(hk_sim_bind(p->sim, r->component, r->service, to.component, to.service));
    p->providers[requirement] = to;
    return HK_OK;
}

hk_status hk_action_do(hk_playing *p, const hk_action *a, hk_tick tick) {
    HK_ASSERT(p && a);
    if (!a->more)
        hk_action_trace(p, tick, "", a->words);
    switch (a->kind) {
    case HK_ACTION_SET:
        return set_variable(p, a);
    case HK_ACTION_BIND:
        return hk_put_back_provider(p, hk_find_requirement(model_of(p), a->component, a->service),
                                    (hk_provider){a->provider, a->provider_service});
    case HK_ACTION_START:
    case HK_ACTION_STOP:
        return start_or_stop(p, a, tick);
    case HK_ACTION_CALL:
        return call(p, a);
    case HK_ACTION_RAMP:
        return begin_ramp(p, a, tick);
    case HK_ACTION_FAULT:
    case HK_ACTION_REPAIR:
        return fault_or_repair(p, a);
    case HK_ACTION_OVERRIDE:
        return hk_known_override(p, a);
    case HK_ACTION_RELEASE:
        return release(p, a, tick);
    case HK_ACTION_FINISH:
        p->finished = true;
        hk_sim_finish_early(p->sim, a->text ? a->text : "the scenario has ended it");
        return HK_OK;
    }
    return HK_OK;
}

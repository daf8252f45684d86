/* SPDX-License-Identifier: MIT
 *
 * Statements of a simulation: what is set, ramped, stopped and started. */
#include "lang/simulation/simulation_internal.h"

#include <string.h>

/* ---- what may be set when */

static const hk_connection *driver_of(const hk_simread *r, const hk_signal *signal) {
    for (size_t i = 0; i < r->model->connection_count; i++)
        if (r->model->connections[i].to_component == signal->component &&
            r->model->connections[i].to_variable == signal->variable)
            return &r->model->connections[i];
    return NULL;
}

static hk_status check_settable(hk_simread *r, const hk_name *path, const hk_signal *signal,
                                hk_moment moment) {
    const hk_variable *v = hk_simread_variable(r, signal);
    const char *name = hk_simread_signal_name(r, signal);
    const hk_connection *driver = v->causality == HK_INPUT ? driver_of(r, signal) : NULL;
    if (signal->element != HK_ALL_ELEMENTS)
        return hk_simread_error(r, HK_E_SCENARIO, &path->at, "set all of it: { 1, 2, 3 }",
                                "one element of the array '%s' cannot be set alone", name);
    if (v->hidden)
        return hk_simread_error(r, HK_E_SCENARIO, &path->at,
                                "set it in the system, or take 'private' away in its type",
                                "'%s' is private, so a scenario cannot set it", name);
    if (driver)
        return hk_simread_error(
            r, HK_E_SCENARIO, &path->at,
            hk_arena_printf(r->arena, "write fault \"%s\" -> \"%s\" stuck VALUE;",
                            hk_simread_signal_name(r, &(hk_signal){driver->from_component,
                                                                   driver->from_variable,
                                                                   HK_ALL_ELEMENTS, NULL}),
                            name),
            "'%s' is connected, so it cannot be set", name);
    bool parameter = v->causality == HK_PARAMETER || v->causality == HK_STRUCTURAL_PARAMETER;
    if (v->variability == HK_CONSTANT || (!parameter && v->causality != HK_INPUT &&
                                          !(moment == HK_IN_BEGIN && hk_variable_settable(v))))
        return hk_simread_error(r, HK_E_SCENARIO, &path->at,
                                v->causality == HK_OUTPUT
                                    ? "change what others see of it by a fault on its connections"
                                    : NULL,
                                "'%s' cannot be set: it is %s", name,
                                v->variability == HK_CONSTANT ? "a constant"
                                : v->causality == HK_OUTPUT   ? "an output"
                                                              : "computed by the component");
    if (moment != HK_IN_BEGIN && parameter && v->variability != HK_TUNABLE)
        return hk_simread_error(r, HK_E_SCENARIO, &path->at, "set it in 'begin'",
                                "'%s' is a fixed parameter, which cannot change during the run",
                                name);
    return HK_OK;
}

/* ---- shared parameters */

static bool is_at(const hk_action *action, uint32_t component, uint32_t variable) {
    return action->component == component && action->variable == variable;
}

static double back(const hk_transform *t, double x) {
    return t->kind == HK_TRANSFORM_LINEAR && t->factor != 0 ? (x - t->offset) / t->factor : x;
}

/* The value of FROM as TO takes it: back to the first of the shared ones, and forth again. */
static bool convert_shared(hk_simread *r, const hk_value *from, const hk_transform *out,
                           const hk_transform *in, const hk_variable *to, hk_value *ret_value) {
    hk_store store = hk_store_of(from->type), target = hk_store_of(to->type);
    void *data = hk_arena_alloc(r->arena, from->count * hk_store_size(target) + 1);
    bool plain = out->kind != HK_TRANSFORM_LINEAR && in->kind == HK_TRANSFORM_NONE;
    if (from->count != to->count)
        return false;
    *ret_value = (hk_value){to->type, to->count, data};
    if (plain)
        return hk_value_convert(target, data, store, from->data, from->count);
    for (size_t i = 0; i < from->count; i++) {
        double x;
        if (!hk_value_convert(HK_STORE_F64, &x, store,
                              (char *)from->data + i * hk_store_size(store), 1))
            return false;
        x = hk_transform_value(in, back(out, x));
        if (!hk_value_convert(target, (char *)data + i * hk_store_size(target), HK_STORE_F64, &x,
                              1))
            return false;
    }
    return true;
}

/* An action that others share, and the transformation that its own variable gets the value by. */
typedef struct sharing {
    const hk_statement *s;
    const hk_action *action;
    const hk_transform *out;
    hk_action_list *list;
} sharing;

static hk_status push_member(hk_simread *r, const sharing *with, uint32_t component,
                             uint32_t variable, const hk_transform *in) {
    hk_action action = *with->action;
    if (is_at(&action, component, variable))
        return HK_OK;
    const hk_variable *v = &r->model->components[component].info->variables[variable];
    hk_value value;
    if (!convert_shared(r, &action.value, with->out, in, v, &value))
        return hk_simread_error(r, HK_E_VALUE, &with->s->value.at, NULL,
                                "the value does not fit '%s.%s', which shares it",
                                r->model->components[component].name, v->name);
    action.component = component;
    action.variable = variable;
    action.value = value;
    HK_PUSH(with->list->all, with->list->count, with->list->cap, action);
    return HK_OK;
}

/* Adds the action, and the same for all that share the variable. */
static hk_status push_set(hk_simread *r, const hk_statement *s, hk_action_list *list,
                          const hk_action *action, const hk_branch *branches) {
    static const hk_transform none = {0};
    sharing with = {s, action, &none, list};
    HK_PUSH(list->all, list->count, list->cap, *action);
    for (const hk_branch *b = branches; b; b = b->next)
        HK_TRY(push_member(r, &with, b->component, b->variable, &b->transform));
    for (size_t i = 0; i < r->model->shared_count; i++) {
        const hk_shared *shared = &r->model->shared[i];
        with.out = is_at(action, shared->component, shared->variable) ? &none : NULL;
        for (const hk_branch *b = shared->others; b && !with.out; b = b->next)
            if (is_at(action, b->component, b->variable))
                with.out = &b->transform;
        if (!with.out)
            continue;
        HK_TRY(push_member(r, &with, shared->component, shared->variable, &none));
        for (const hk_branch *b = shared->others; b; b = b->next)
            HK_TRY(push_member(r, &with, b->component, b->variable, &b->transform));
    }
    return HK_OK;
}

/* ---- statements */

static hk_status read_ramp_time(hk_simread *r, const hk_statement *s, const hk_target *target,
                                hk_action *action) {
    for (size_t i = 0; i < target->signal_count; i++) {
        const hk_variable *v = hk_simread_variable(r, &target->signals[i]);
        if (v->type != HK_TYPE_F64 && v->type != HK_TYPE_F32)
            return hk_simread_error(r, HK_E_SCENARIO, &s->path.at, "set it at an instant",
                                    "'%s' is of type %s, only real numbers can be ramped",
                                    target->name, hk_type_name(v->type));
    }
    HK_TRY(hk_simread_time(r, "the time of a ramp", s->over.text, s->over.unit, &s->over.at,
                           &action->over));
    if (action->over.num <= 0)
        return hk_simread_error(r, HK_E_TIME, &s->over.at, NULL,
                                "the time of a ramp must be above 0");
    return HK_OK;
}

/* A release gives no value, but all that share the variable are found by one. */
static hk_value zero_of(hk_simread *r, const hk_signal *signal) {
    const hk_variable *v = hk_simread_variable(r, signal);
    size_t size = v->count * hk_store_size(hk_store_of(v->type));
    hk_value zero = {v->type, v->count, hk_arena_alloc(r->arena, size + 1)};
    memset(zero.data, 0, size);
    return zero;
}

static hk_status read_set(hk_simread *r, const hk_statement *s, hk_moment moment, hk_action action,
                          hk_action_list *list) {
    hk_target target;
    HK_TRY(hk_simread_find_settable(r, &s->path, &target));
    bool ramp = s->kind == HK_SAY_RAMP, release = s->kind == HK_SAY_RELEASE;
    bool later = ramp || release || s->kind == HK_SAY_OVERRIDE;
    for (size_t i = 0; i < target.signal_count; i++)
        HK_TRY(check_settable(r, &s->path, &target.signals[i], later ? HK_IN_EVENT : moment));
    if (!release && s->value.kind == HK_LITERAL_NONE)
        return hk_simread_missing(r, &s->at);
    hk_value *values = HK_NEW_ARRAY(r->arena, hk_value, target.signal_count);
    for (size_t i = 0; release && i < target.signal_count; i++)
        values[i] = zero_of(r, &target.signals[i]);
    if (!release)
        HK_TRY(hk_simread_values(r, &s->value, &target, values));
    const char *value = release ? "" : hk_simread_show_literal(r, &s->value);
    if (release) {
        action.words = hk_arena_printf(r->arena, "release %s", target.name);
    } else if (ramp) {
        HK_TRY(read_ramp_time(r, s, &target, &action));
        action.words = hk_arena_printf(r->arena, "ramp %s to %s over %s", target.name, value,
                                       hk_simread_show_time(r, action.over));
    } else {
        action.words =
            hk_arena_printf(r->arena, "%s %s = %s", later ? "override" : "set", target.name, value);
    }
    for (size_t i = 0; i < target.signal_count; i++) {
        action.component = target.signals[i].component;
        action.variable = target.signals[i].variable;
        action.value = values[i];
        HK_TRY(push_set(r, s, list, &action, target.branches ? target.branches[i] : NULL));
    }
    return HK_OK;
}

static hk_status read_override(hk_simread *r, const hk_statement *s, hk_action action,
                               hk_action_list *list) {
    bool taken;
    hk_status status = hk_simread_override(r, s, list, &taken);
    return taken ? status : read_set(r, s, HK_IN_EVENT, action, list);
}

static hk_status read_activation(hk_simread *r, const hk_statement *s, hk_action *action) {
    hk_target target;
    HK_TRY(hk_simread_find(r, &s->path, HK_TARGET_COMPONENTS, &target));
    action->components = target.components;
    action->component_count = target.component_count;
    action->words = hk_arena_printf(
        r->arena, "%s %s", s->kind == HK_SAY_STOP ? "stop" : "start",
        *target.name ? target.name : (r->model->root ? r->model->root : r->model->name));
    return HK_OK;
}

/* ---- which statements may be where */

static hk_status check_moment(hk_simread *r, const hk_statement *s, hk_moment moment) {
    if (moment == HK_IN_END && s->kind != HK_SAY_CALL)
        return hk_simread_error(r, HK_E_SCENARIO, &s->at,
                                "the run is over then: only functions can be called",
                                "this statement is not allowed in 'end'");
    if (moment == HK_IN_BEGIN && s->kind == HK_SAY_FINISH)
        return hk_simread_error(r, HK_E_SCENARIO, &s->at, "put it into an event",
                                "'finish' in 'begin' would end the run before it begins");
    if (moment == HK_IN_DURING && (s->kind == HK_SAY_CALL || s->kind == HK_SAY_FINISH))
        return hk_simread_error(r, HK_E_SCENARIO, &s->at,
                                "use 'instant' for the beginning and another one for the end",
                                "%s cannot be put back, so it is not allowed in 'during'",
                                s->kind == HK_SAY_CALL ? "a call" : "'finish'");
    if (moment == HK_IN_DURING && (s->kind == HK_SAY_OVERRIDE || s->kind == HK_SAY_RELEASE))
        return hk_simread_error(r, HK_E_SCENARIO, &s->at,
                                "set the value there, or use 'fault ... stuck': both are put back",
                                "an override lasts until it is released, so '%s' is not allowed in "
                                "'during'",
                                s->kind == HK_SAY_RELEASE ? "release" : "override");
    return HK_OK;
}

static hk_status read_statement(hk_simread *r, const hk_statement *s, hk_moment moment,
                                hk_action_list *list) {
    static const hk_action_kind kinds[] = {
        [HK_SAY_BIND] = HK_ACTION_BIND,         [HK_SAY_START] = HK_ACTION_START,
        [HK_SAY_STOP] = HK_ACTION_STOP,         [HK_SAY_SET] = HK_ACTION_SET,
        [HK_SAY_CALL] = HK_ACTION_CALL,         [HK_SAY_RAMP] = HK_ACTION_RAMP,
        [HK_SAY_FAULT] = HK_ACTION_FAULT,       [HK_SAY_REPAIR] = HK_ACTION_REPAIR,
        [HK_SAY_FINISH] = HK_ACTION_FINISH,     [HK_SAY_REMOVE] = HK_ACTION_SET,
        [HK_SAY_ADD] = HK_ACTION_SET,           [HK_SAY_CHANGE] = HK_ACTION_SET,
        [HK_SAY_OVERRIDE] = HK_ACTION_OVERRIDE, [HK_SAY_RELEASE] = HK_ACTION_RELEASE,
    };
    HK_TRY(check_moment(r, s, moment));
    hk_action action = {.kind = kinds[s->kind], .where = hk_simread_where(r, &s->at)};
    switch (s->kind) {
    case HK_SAY_SET:
    case HK_SAY_RAMP:
        return read_set(r, s, moment, action, list);
    case HK_SAY_FAULT:
        return hk_simread_fault(r, s, list);
    case HK_SAY_REPAIR:
        return hk_simread_repair(r, s, list);
    case HK_SAY_OVERRIDE:
    case HK_SAY_RELEASE:
        return read_override(r, s, action, list);
    case HK_SAY_REMOVE:
    case HK_SAY_ADD:
    case HK_SAY_CHANGE:
        return hk_simread_world(r, s, action, list);
    case HK_SAY_BIND:
        HK_TRY(hk_simread_bind(r, s, &action));
        break;
    case HK_SAY_CALL:
        HK_TRY(hk_simread_call(r, s, &action));
        break;
    case HK_SAY_START:
    case HK_SAY_STOP:
        HK_TRY(read_activation(r, s, &action));
        break;
    case HK_SAY_FINISH:
        action.text = s->value.kind == HK_LITERAL_TEXT ? hk_arena_strdup(r->arena, s->value.text)
                                                       : "finished by the scenario";
        action.words = hk_arena_printf(r->arena, "finish \"%s\"", action.text);
    }
    HK_PUSH(list->all, list->count, list->cap, action);
    return HK_OK;
}

/* S4: an interface has one provider; of several statements the last holds. */
static void warn_bound_twice(hk_simread *r, const hk_action_list *list) {
    const hk_action *last = &list->all[list->count - 1];
    for (size_t i = 0; i + 1 < list->count; i++)
        if (list->all[i].kind == HK_ACTION_BIND && list->all[i].component == last->component &&
            list->all[i].service == last->service) {
            hk_warn(r->ctx, HK_E_SERVICE, last->where, "remove one of them",
                    "'%s' is bound twice; this takes the place of line %d",
                    hk_simread_service_name(r, last->component, last->service),
                    list->all[i].where.line);
            return;
        }
}

hk_actions hk_simread_block(hk_simread *r, const hk_block *block, hk_moment moment) {
    hk_action_list list = {0};
    for (size_t i = 0; i < block->count; i++) {
        const hk_statement *s = &block->statements[i];
        size_t first = list.count;
        if (read_statement(r, s, moment, &list) == HK_OK && s->kind == HK_SAY_BIND)
            warn_bound_twice(r, &list);
        for (size_t k = first + 1; k < list.count; k++)
            list.all[k].more = true;
    }
    hk_actions actions = {HK_NEW_ARRAY(r->arena, hk_action, list.count + 1), list.count};
    if (list.count)
        memcpy(actions.all, list.all, list.count * sizeof *list.all);
    hk_free(list.all);
    return actions;
}

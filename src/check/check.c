/* SPDX-License-Identifier: MIT */
#include "check/check_internal.h"

#include "model/unit.h"

#include "base/number.h"

#include <math.h>

/* What stands for the type of a component: what it was opened from, since components of other sizes
 * have descriptions of their own. */
static const void *type_of(const hk_info *info) {
    return info->origin ? info->origin : (const void *)info;
}

/* The same as a key. It decides nothing but equality, so the order of reports does not depend on
 * the address. */
static const char *type_key(hk_checker *k, const hk_info *info) {
    return hk_arena_printf(k->arena, "%p", type_of(info));
}

uint32_t hk_check_first_instance(const hk_model *model, uint32_t component) {
    HK_ASSERT(model && component < model->component_count);
    const hk_info *info = model->components[component].info;
    if (!info->can.once_per_process)
        return component;
    uint32_t first = 0;
    while (type_of(model->components[first].info) != type_of(info))
        first++;
    return first;
}

/* Needs of the components that a person should know of. A second instance of a type that allows
 * one per process gets another process. */
static void check_instances(hk_checker *k) {
    for (uint32_t i = 0; i < k->model->component_count; i++) {
        const hk_component *c = &k->model->components[i];
        if (c->info->can.needs_tool)
            hk_note(k->ctx, c->where, "component '%s' needs the program it was made with: %s",
                    c->name,
                    c->info->tool && *c->info->tool ? c->info->tool
                                                    : "its description does not say which");
        uint32_t other = hk_check_first_instance(k->model, i);
        if (other != i)
            hk_note(k->ctx, c->where,
                    "'%s' and '%s' are instances of '%s', which allows one per process: '%s' runs "
                    "in a process of its own",
                    k->model->components[other].name, c->name, c->info->name ? c->info->name : "?",
                    c->name);
    }
}

/* Each type of component is asked once whether it can run on this machine. */
static void check_machine(hk_checker *k) {
    hk_map seen = {0};
    for (uint32_t i = 0; i < k->model->component_count; i++) {
        const hk_info *info = k->model->components[i].info;
        if (hk_map_put(&seen, type_key(k, info), i) == i && info->unit_class &&
            info->unit_class->can_open) {
            hk_status status = info->unit_class->can_open(k->ctx, info);
            if (status != HK_OK)
                hk_check_failed(k, status);
        }
    }
    hk_map_finish(&seen);
}

static const char *number_text(hk_checker *k, double value) {
    char buffer[HK_NUMBER_MAX];
    return hk_arena_strndup(k->arena, buffer, hk_write_f64(value, buffer));
}

static void check_setting(hk_checker *k, const hk_component *c, const hk_setting *setting) {
    const hk_variable *v = &c->info->variables[setting->variable];
    hk_store store = hk_store_of(setting->value.type);
    if (store == HK_STORE_BYTES || !setting->value.data)
        return;
    for (size_t i = 0; i < setting->value.count; i++) {
        double value;
        const char *element = (const char *)setting->value.data + i * hk_store_size(store);
        if (!hk_value_convert(HK_STORE_F64, &value, store, element, 1))
            return;
        const char *range = hk_range_words(k->arena, v->min, v->max, value);
        if (range) {
            hk_warn(k->ctx, HK_E_PARAMETER, setting->where, NULL, "'%s.%s' is set to %s, %s",
                    c->name, v->name, number_text(k, value), range);
            return;
        }
        if (v->enumeration && !hk_enum_has(v->enumeration, value)) {
            hk_warn(k->ctx, HK_E_PARAMETER, setting->where, NULL,
                    "'%s.%s' is set to %s, which is not an item of its enumeration", c->name,
                    v->name, number_text(k, value));
            return;
        }
    }
}

/* The connection that drives all elements of a variable; NULL: none does, or several do. Those that
 * share a parameter hand the value on that was set. */
static const hk_connection *driver_of_all(const hk_checker *k, uint32_t component,
                                          uint32_t variable) {
    const hk_variable *v = &k->model->components[component].info->variables[variable];
    size_t slot = k->first_slot[component] + v->alias_of;
    if (k->driver[slot] == HK_MAP_NONE || (k->drivers[slot] && v->count != 1))
        return NULL;
    const hk_connection *driver = &k->model->connections[k->driver[slot]];
    return driver->shared ? NULL : driver;
}

/* A start value that a connection overwrites before anybody sees it. What a person asks for is
 * named one by one; files of a system may hold very many, so of theirs the first is. */
static void check_driven(hk_checker *k) {
    const hk_setting *first = NULL;
    const char *words = NULL;
    size_t others = 0;
    for (uint32_t i = 0; i < k->model->component_count; i++) {
        const hk_component *c = &k->model->components[i];
        for (size_t j = 0; j < c->setting_count; j++) {
            const hk_setting *s = &c->settings[j];
            const hk_connection *driver = driver_of_all(k, i, s->variable);
            bool declared = s->source == HK_FROM_DESCRIPTION; /* a block says what it begins with */
            if (!driver || declared || hk_component_last_setting(c, s->variable) != s)
                continue;
            const char *text = hk_arena_printf(
                k->arena, "the value of '%s.%s' is overwritten: it comes over the connection %s",
                c->name, c->info->variables[s->variable].name,
                hk_connection_name(k->model, driver));
            if (s->source == HK_FROM_USER)
                hk_warn(k->ctx, HK_E_PARAMETER, s->where, "remove the value, or the connection",
                        "%s", text);
            else if (first)
                others++;
            else {
                first = s;
                words = text;
            }
        }
    }
    if (first)
        hk_warn(k->ctx, HK_E_PARAMETER, first->where, "remove the value, or the connection",
                others > 1    ? "%s; so it is with %zu others"
                : others == 1 ? "%s; so it is with one other"
                              : "%s",
                words, others);
}

static void check_settings(hk_checker *k) {
    for (size_t i = 0; i < k->model->component_count; i++) {
        const hk_component *c = &k->model->components[i];
        for (size_t j = 0; j < c->setting_count; j++)
            check_setting(k, c, &c->settings[j]);
    }
    check_driven(k);
}

/* Names of variables that nothing gives a value. */
typedef struct open_names {
    size_t count;
    const char *text;
} open_names;

static void add_open(const hk_checker *k, open_names *names, const char *name) {
    enum { SHOWN_MAX = 5 };
    const char *text = names->count ? names->text : "";
    if (names->count < SHOWN_MAX)
        text = hk_arena_printf(k->arena, "%s%s'%s'", text, names->count ? ", " : "", name);
    else if (names->count == SHOWN_MAX)
        text = hk_arena_printf(k->arena, "%s, ...", text);
    names->text = text;
    names->count++;
}

/* An array whose start values are a list has none once a structural parameter gives it another
 * size. */
static bool lost_start(const hk_variable *v) {
    return v->causality == HK_PARAMETER && v->dim_count > 0 && v->count > 0;
}

/* What nothing gives a value, one warning of each kind per component. */
static void check_open(hk_checker *k, uint32_t component) {
    const hk_component *c = &k->model->components[component];
    bool *given = hk_arena_alloc(k->arena, c->info->variable_count + 1); /* by memory */
    open_names inputs = {0}, parameters = {0};
    for (size_t j = 0; j < c->setting_count; j++)
        given[c->info->variables[c->settings[j].variable].alias_of] = true;
    for (size_t j = 0; j < c->info->variable_count; j++)
        if (c->info->variables[j].start.data)
            given[c->info->variables[j].alias_of] = true;
    for (size_t j = 0; j < c->info->variable_count; j++) {
        const hk_variable *v = &c->info->variables[j];
        if (given[v->alias_of] || v->type == HK_TYPE_CLOCK ||
            k->driver[k->first_slot[component] + v->alias_of] != HK_MAP_NONE)
            continue;
        if (v->causality == HK_INPUT && v->count > 0)
            add_open(k, &inputs, v->name);
        else if (lost_start(v))
            add_open(k, &parameters, v->name);
    }
    if (inputs.count)
        hk_warn(k->ctx, HK_E_CONNECTION, c->where, "connect or set them",
                "component '%s': %zu input%s neither connection nor start value: %s", c->name,
                inputs.count, inputs.count == 1 ? " has" : "s have", inputs.text);
    if (parameters.count)
        hk_warn(k->ctx, HK_E_CONNECTION, c->where, "set them",
                "component '%s': %zu parameter%s no start value of the array's size: %s", c->name,
                parameters.count, parameters.count == 1 ? " has" : "s have", parameters.text);
}

/* The connection that brings something to VARIABLE; HK_MAP_NONE: none does. */
static uint32_t driver_of(const hk_checker *k, uint32_t component, uint32_t variable) {
    const hk_variable *v = &k->model->components[component].info->variables[variable];
    return k->driver[k->first_slot[component] + v->alias_of];
}

static bool is_set(const hk_component *c, uint32_t variable) {
    for (size_t i = 0; i < c->setting_count; i++)
        if (c->settings[i].variable == variable && c->settings[i].source != HK_FROM_DESCRIPTION)
            return true;
    return false;
}

/* Values of events: one end is linked, the other is not, or not all of it. A value that is set is
 * meant to be the same for each event; an event that is set is there in each step. Elements of
 * arrays may be left out: a sequence has fewer than there is room for. */
static void check_event(hk_checker *k, uint32_t component, uint32_t flag) {
    const hk_component *c = &k->model->components[component];
    const hk_variable *v = c->info->variables;
    uint32_t event = driver_of(k, component, flag), value = HK_MAP_NONE;
    open_names missing = {0}, parts = {0};
    for (uint32_t i = 0; i < c->info->variable_count; i++) {
        if (v[i].with != flag + 1)
            continue;
        if (driver_of(k, component, i) != HK_MAP_NONE) {
            value = value == HK_MAP_NONE ? driver_of(k, component, i) : value;
        } else if (!is_set(c, i)) {
            add_open(k, &missing, v[i].name);
            if (!strchr(v[i].name, '['))
                add_open(k, &parts, v[i].name);
        }
    }
    if (event != HK_MAP_NONE && value != HK_MAP_NONE && parts.count)
        hk_warn(k->ctx, HK_E_CONNECTION, k->model->connections[event].where,
                "link all of its value, or set the rest",
                "the event '%s.%s' comes with a part of its value: nothing gives %s, so it is 0",
                c->name, v[flag].name, parts.text);
    if (event != HK_MAP_NONE && value == HK_MAP_NONE && missing.count)
        hk_warn(k->ctx, HK_E_CONNECTION, k->model->connections[event].where,
                "link its value, too, or set it",
                "the event '%s.%s' comes without a value: nothing gives %s, so it is 0", c->name,
                v[flag].name, missing.text);
    if (event == HK_MAP_NONE && value != HK_MAP_NONE && !is_set(c, flag))
        hk_warn(k->ctx, HK_E_CONNECTION, k->model->connections[value].where,
                hk_arena_printf(k->arena, "link '%s', too", v[flag].name),
                "a value of the event '%s.%s' comes and the event does not: it is never received",
                c->name, v[flag].name);
}

/* Of each event once: its values follow each other. */
static void check_events(hk_checker *k, uint32_t component) {
    const hk_info *info = k->model->components[component].info;
    uint32_t last = 0;
    for (uint32_t i = 0; i < info->variable_count; i++) {
        const hk_variable *v = &info->variables[i];
        if (v->with && v->with != last && v->causality == HK_INPUT)
            check_event(k, component, v->with - 1);
        last = v->with;
    }
}

hk_status hk_check_model(hk_ctx *ctx, const hk_model *model) {
    hk_checker k = {.ctx = ctx, .model = model, .arena = hk_arena_create()};
    size_t slots = 0;
    k.first_slot = HK_NEW_ARRAY(k.arena, size_t, model->component_count);
    for (size_t i = 0; i < model->component_count; i++) {
        k.first_slot[i] = slots;
        slots += model->components[i].info->variable_count;
    }
    k.driver = HK_NEW_ARRAY(k.arena, uint32_t, slots);
    k.drivers = HK_NEW_ARRAY(k.arena, uint32_t *, slots);
    for (size_t i = 0; i < slots; i++)
        k.driver[i] = HK_MAP_NONE;
    check_machine(&k);
    check_instances(&k);
    hk_check_connections(&k);
    check_settings(&k);
    for (uint32_t i = 0; i < model->component_count; i++) {
        check_open(&k, i);
        check_events(&k, i);
    }
    hk_arena_destroy(k.arena);
    if (k.error_count == 0)
        return HK_OK;
    return k.error_count == 1 ? k.error : HK_E_CHECK_FAILED;
}

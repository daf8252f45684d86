/* SPDX-License-Identifier: MIT
 *
 * Values that were given before a run, and states. A state holds the values of all parameters, so
 * what another run is given has no effect when it loads one: that must be said, or be done after
 * the state is loaded, where a variable may still be set then. */
#include "engine/initialize.h"
#include "engine/snapshot.h"
#include "engine/statefile.h"

#include "base/map.h"

#include <string.h>

static uint64_t hash_value(const hk_value *value) {
    hk_store store = hk_store_of(value->type);
    uint64_t hash = hk_hash(HK_HASH_SEED, &value->count, sizeof value->count);
    const hk_bytes *texts = value->data;
    if (!value->data)
        return hash;
    if (store != HK_STORE_BYTES)
        return hk_hash(hash, value->data, value->count * hk_store_size(store));
    for (size_t i = 0; i < value->count; i++) {
        hash = hk_hash(hash, &texts[i].size, sizeof texts[i].size);
        hash = texts[i].size ? hk_hash(hash, texts[i].data, texts[i].size) : hash;
    }
    return hash;
}

static uint64_t hash_here(const hk_sim *sim, uint32_t component, uint32_t variable) {
    hk_value value = hk_start_value(sim, component, variable);
    return hash_value(&value);
}

static hk_given_value *find(hk_given_value *list, size_t count, uint32_t component,
                            uint32_t variable) {
    for (size_t i = 0; i < count; i++)
        if (list[i].component == component && list[i].variable == variable)
            return &list[i];
    return NULL;
}

/* An input that a connection drives has another value anyway. */
static bool driven(const hk_sim *sim, uint32_t component, uint32_t variable) {
    const hk_engine_port *p = hk_sim_port(sim, component, variable);
    return p && p->use & USE_IN;
}

static bool is_preset(const hk_sim *sim, uint32_t component, uint32_t variable) {
    for (size_t p = 0; p < sim->options.preset_count; p++)
        for (size_t k = 0; k < sim->options.preset[p].count; k++) {
            const hk_action *a = &sim->options.preset[p].all[k];
            if (a->kind == HK_ACTION_SET && a->component == component && a->variable == variable)
                return true;
        }
    return false;
}

static bool is_given(const hk_sim *sim, uint32_t component, uint32_t variable) {
    const hk_component *c = &sim->model->components[component];
    bool given = c->info->variables[variable].causality == HK_STRUCTURAL_PARAMETER;
    for (size_t i = 0; i < c->setting_count && !given; i++)
        given = c->settings[i].variable == variable;
    return given || is_preset(sim, component, variable);
}

/* The variables that this run was given a value for: settings, what a scenario begins with, and
 * structural parameters, which are part of the description. */
static size_t list_here(const hk_sim *sim, hk_given_value **ret_list) {
    hk_given_value *list = NULL;
    size_t count = 0, cap = 0;
    for (uint32_t c = 0; c < sim->model->component_count; c++)
        for (uint32_t v = 0; v < sim->model->components[c].info->variable_count; v++) {
            if (!is_given(sim, c, v) || driven(sim, c, v))
                continue;
            hk_given_value one = {c, v, hash_here(sim, c, v)};
            HK_PUSH(list, count, cap, one);
        }
    *ret_list = list;
    return count;
}

size_t hk_given_list(const hk_sim *sim, hk_given_value **ret_list) {
    HK_ASSERT(sim && ret_list);
    if (!sim->changes.loaded)
        return list_here(sim, ret_list);
    *ret_list = hk_alloc((sim->changes.loaded_count + 1) * sizeof **ret_list);
    if (sim->changes.loaded_count)
        memcpy(*ret_list, sim->changes.loaded, sim->changes.loaded_count * sizeof **ret_list);
    return sim->changes.loaded_count;
}

/* The value that the user has asked for: the last one that was given. */
static const hk_value *wish(const hk_sim *sim, uint32_t component, uint32_t variable) {
    const hk_component *c = &sim->model->components[component];
    const hk_value *value = NULL;
    for (size_t i = 0; i < c->setting_count; i++)
        if (c->settings[i].variable == variable)
            value = c->settings[i].source == HK_FROM_USER ? &c->settings[i].value : NULL;
    return sim->options.set_after_load ? value : NULL;
}

static bool may_be_set(hk_sim *sim, uint32_t component, uint32_t variable) {
    return hk_access_writable(hk_sim_access(sim, component, variable));
}

static const char *name_of(const hk_sim *sim, uint32_t component, uint32_t variable) {
    const hk_component *c = &sim->model->components[component];
    return hk_arena_printf(sim->arena, "'%s.%s'", c->name, c->info->variables[variable].name);
}

static hk_status refuse(hk_sim *sim, const char *path, uint32_t component, uint32_t variable) {
    return hk_error(sim->ctx, HK_E_PARAMETER, (hk_where){.file = path},
                    "tunable parameters, and inputs that nothing drives, may be set after a state "
                    "is loaded; for others run from the start",
                    "%s cannot be set: its value is part of the state",
                    name_of(sim, component, variable));
}

static void warn(hk_sim *sim, const char *path, const char *names, size_t more) {
    const char *rest = more ? hk_arena_printf(sim->arena, " and %zu more", more) : "";
    hk_warn(sim->ctx, HK_E_STATE_FILE, (hk_where){.file = path},
            "the values of the state hold; a run from the start takes the new ones",
            "given other values than in the run that saved the state: %s%s", names, rest);
}

/* What was given here, and what was given to the run that wrote the file and not here. */
static size_t list_all(const hk_sim *sim, const hk_given_value *filed, size_t count,
                       hk_given_value **ret_all) {
    hk_given_value *here;
    size_t here_count = list_here(sim, &here), n = here_count;
    hk_given_value *all = hk_alloc((count + here_count + 1) * sizeof *all);
    if (here_count)
        memcpy(all, here, here_count * sizeof *all);
    for (size_t i = 0; i < count; i++)
        if (!find(here, here_count, filed[i].component, filed[i].variable))
            all[n++] = filed[i];
    hk_free(here);
    *ret_all = all;
    return n;
}

hk_status hk_given_compare(hk_sim *sim, const char *path, const hk_given_value *filed,
                           size_t count) {
    HK_ASSERT(sim && path);
    enum { SHOWN = 5 };
    hk_given_value *all;
    size_t n = list_all(sim, filed, count, &all), differing = 0;
    hk_status status = HK_OK;
    const char *names = "";
    for (size_t i = 0; i < n && status == HK_OK; i++) {
        uint32_t c = all[i].component, v = all[i].variable;
        const hk_given_value *before = NULL;
        for (size_t k = 0; k < count && !before; k++)
            before = filed[k].component == c && filed[k].variable == v ? &filed[k] : NULL;
        const hk_value *own = &sim->model->components[c].info->variables[v].start;
        bool same = hash_here(sim, c, v) == (before ? before->hash : hash_value(own));
        if (same || driven(sim, c, v) || (wish(sim, c, v) && may_be_set(sim, c, v)))
            continue;
        if (wish(sim, c, v))
            status = refuse(sim, path, c, v);
        else if (differing++ < SHOWN)
            names = hk_arena_printf(sim->arena, "%s%s%s", names, *names ? ", " : "",
                                    name_of(sim, c, v));
    }
    if (status == HK_OK && differing)
        warn(sim, path, names, differing > SHOWN ? differing - SHOWN : 0);
    hk_free(all);
    return status;
}

static void remember(hk_sim *sim, uint32_t component, uint32_t variable) {
    hk_given_value *known =
        find(sim->changes.loaded, sim->changes.loaded_count, component, variable);
    if (known)
        known->hash = hash_here(sim, component, variable);
    else
        sim->changes.loaded[sim->changes.loaded_count++] =
            (hk_given_value){component, variable, hash_here(sim, component, variable)};
}

hk_status hk_given_apply(hk_sim *sim, const hk_snapshot *snapshot) {
    HK_ASSERT(sim && snapshot);
    hk_given_value *here;
    size_t n = list_here(sim, &here);
    hk_status status = HK_OK;
    sim->changes.loaded = HK_NEW_ARRAY(sim->arena, hk_given_value, snapshot->given_count + n + 1);
    sim->changes.loaded_count = snapshot->given_count;
    if (snapshot->given_count)
        memcpy(sim->changes.loaded, snapshot->given,
               snapshot->given_count * sizeof *sim->changes.loaded);
    for (size_t i = 0; i < n && status == HK_OK; i++) {
        uint32_t c = here[i].component, v = here[i].variable;
        const hk_value *value = wish(sim, c, v);
        if (!value || !may_be_set(sim, c, v))
            continue;
        status = hk_sim_write(sim, c, v, value);
        remember(sim, c, v);
    }
    hk_free(here);
    return status;
}

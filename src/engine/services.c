/* SPDX-License-Identifier: MIT
 *
 * Services: who calls whom. A required interface gets the functions of its provider once, and calls
 * them directly from then on; while the provider is stopped it gets others, which say so. */
#include "engine/bind_stages.h"
#include "engine/fused_cells.h"

#include "base/number.h"

#include <string.h>

/* What a required interface is bound to. */
typedef struct hk_bound_service {
    hk_stopped stopped; /* first: what the binding points to while the provider is stopped */
    hk_sim *sim;
    const hk_requirement *requirement;
    hk_provider provider;
    bool warned; /* that the provider is stopped */
} hk_bound_service;

static const char *service_path(const hk_sim *sim, uint32_t component, uint32_t service) {
    const hk_component *c = &sim->model->components[component];
    return hk_arena_printf(sim->arena, "%s.%s", c->name, c->info->services[service].name);
}

/* Called from within the step of a component, which cannot be left: it gets zeros for an answer. So
 * the run ends with this instant, and what was computed in it is not recorded. */
static void note_stopped(hk_stopped *stopped) {
    hk_bound_service *b = (hk_bound_service *)stopped;
    hk_sim *sim = b->sim;
    pthread_mutex_lock(&sim->safety.fail_lock);
    if (sim->status == HK_OK) {
        const char *caller = service_path(sim, b->requirement->component, b->requirement->service);
        char time[HK_NUMBER_MAX + 1];
        time[hk_write_f64(sim->time.seconds, time)] = '\0';
        sim->status = hk_error(sim->ctx, HK_E_STOPPED_PROVIDER, b->requirement->where,
                               "start it, bind another provider, or allow it with --allow-stopped",
                               "at t = %s s '%s' called '%s', which is stopped", time, caller,
                               sim->model->components[b->provider.component].name);
    }
    pthread_mutex_unlock(&sim->safety.fail_lock);
}

/* Once for each required interface: who calls it cannot be seen. */
static void warn_stopped(hk_sim *sim, hk_bound_service *b) {
    if (!b->warned)
        hk_warn(sim->ctx, HK_E_STOPPED_PROVIDER, b->requirement->where, NULL,
                "'%s' is stopped, and answers '%s' as it is",
                sim->model->components[b->provider.component].name,
                service_path(sim, b->requirement->component, b->requirement->service));
    b->warned = true;
}

/* Gives the caller the functions it is to call from now on. */
static void connect(hk_sim *sim, hk_bound_service *b) {
    if (hk_is_away(sim->part, b->provider.component))
        return; /* and so is the caller: a placement does not part them */
    hk_unit *caller = sim->slots.instances[b->requirement->component].unit;
    hk_unit *provider = sim->slots.instances[b->provider.component].unit;
    void *self = NULL;
    const void *functions =
        provider->unit_class->services->table(provider, b->provider.service, &self);
    bool stopped = sim->changes.active && !sim->changes.active[b->provider.component];
    if (stopped && sim->options.allow_stopped) {
        warn_stopped(sim, b);
    } else if (stopped) {
        const hk_service_info *s = &provider->info->services[b->provider.service];
        self = &b->stopped;
        functions = s->definition->stopped;
    }
    caller->unit_class->services->bind(caller, b->requirement->service, self, functions);
}

static size_t find_requirement(const hk_sim *sim, uint32_t component, uint32_t service) {
    size_t i = 0;
    while (i < sim->model->requirement_count &&
           (sim->model->requirements[i].component != component ||
            sim->model->requirements[i].service != service))
        i++;
    return i;
}

/* A choice of the scenario's beginning; NULL: it makes none. */
static const hk_action *preset_for(const hk_sim *sim, const hk_requirement *r) {
    const hk_action *found = NULL;
    for (size_t i = 0; i < sim->options.preset_count; i++)
        for (size_t k = 0; k < sim->options.preset[i].count; k++) {
            const hk_action *a = &sim->options.preset[i].all[k];
            if (a->kind == HK_ACTION_BIND && a->component == r->component &&
                a->service == r->service)
                found = a;
        }
    return found;
}

static hk_status choose(hk_sim *sim, const hk_requirement *r, hk_provider *ret_provider) {
    const hk_action *preset = preset_for(sim, r);
    if (preset) {
        *ret_provider = (hk_provider){preset->provider, preset->provider_service};
        return HK_OK;
    }
    size_t chosen = r->bound != HK_MAP_NONE ? r->bound : 0;
    if (r->candidate_count == 1 || (r->candidate_count && r->bound != HK_MAP_NONE)) {
        *ret_provider = r->candidates[chosen];
        return HK_OK;
    }
    return hk_error(sim->ctx, HK_E_SERVICE, r->where,
                    r->candidate_count
                        ? hk_arena_printf(sim->arena, "bind one at the beginning of a scenario: %s",
                                          hk_requirement_providers(sim->arena, sim->model, r))
                        : "link it to a component that provides it",
                    "'%s' has %zu providers%s", service_path(sim, r->component, r->service),
                    r->candidate_count, r->candidate_count ? ", bind one" : "");
}

hk_status hk_services_choose(hk_sim *sim) {
    HK_ASSERT(sim);
    size_t n = sim->model->requirement_count;
    sim->changes.bound = HK_NEW_ARRAY(sim->arena, hk_bound_service, n + 1);
    sim->changes.calls = HK_NEW_ARRAY(sim->arena, bool, sim->model->component_count + 1);
    for (size_t i = 0; i < n; i++) {
        const hk_requirement *r = &sim->model->requirements[i];
        hk_bound_service *b = &sim->changes.bound[i];
        *b = (hk_bound_service){.stopped.note = note_stopped, .sim = sim, .requirement = r};
        HK_TRY(choose(sim, r, &b->provider));
        sim->changes.calls[r->component] = true;
        for (size_t c = 0; c < r->candidate_count; c++)
            sim->changes.calls[r->candidates[c].component] = true;
    }
    return HK_OK;
}

void hk_services_bind_all(hk_sim *sim) {
    HK_ASSERT(sim);
    for (size_t i = 0; i < sim->model->requirement_count; i++)
        connect(sim, &sim->changes.bound[i]);
}

hk_provider hk_services_bound(const hk_sim *sim, size_t requirement) {
    HK_ASSERT(sim);
    HK_ASSERT(requirement < sim->model->requirement_count);
    return sim->changes.bound[requirement].provider;
}

void hk_services_put_back(hk_sim *sim, size_t requirement, hk_provider to) {
    HK_ASSERT(sim);
    HK_ASSERT(requirement < sim->model->requirement_count);
    sim->changes.bound[requirement].provider = to;
}

static void count_stopped(hk_sim *sim) {
    sim->changes.stopped_bindings = 0;
    for (size_t i = 0; i < sim->model->requirement_count; i++)
        sim->changes.stopped_bindings +=
            !sim->changes.active[sim->changes.bound[i].provider.component];
}

void hk_services_provider_changed(hk_sim *sim, uint32_t component) {
    HK_ASSERT(sim);
    HK_ASSERT(component < sim->model->component_count);
    for (size_t i = 0; i < sim->model->requirement_count; i++)
        if (sim->changes.bound[i].provider.component == component)
            connect(sim, &sim->changes.bound[i]);
    count_stopped(sim);
}

void hk_services_connect_all(hk_sim *sim) {
    HK_ASSERT(sim);
    for (size_t i = 0; i < sim->model->requirement_count; i++)
        connect(sim, &sim->changes.bound[i]);
    count_stopped(sim);
}

hk_status hk_sim_bind(hk_sim *sim, uint32_t component, uint32_t service, uint32_t provider,
                      uint32_t provider_service) {
    HK_ASSERT(sim);
    HK_ASSERT(component < sim->model->component_count);
    size_t i = find_requirement(sim, component, service);
    if (i == sim->model->requirement_count)
        return hk_error(sim->ctx, HK_E_SERVICE, HK_NOWHERE, NULL, "'%s' requires nothing",
                        service_path(sim, component, service));
    sim->changes.bound[i].provider = (hk_provider){provider, provider_service};
    connect(sim, &sim->changes.bound[i]);
    count_stopped(sim);
    hk_status status = sim->end.finished || sim->end.ended ? HK_OK : hk_order_choose(sim);
    if (sim->fused)
        hk_fused_arm(sim); /* who calls another provider now does not by its text */
    return status;
}

hk_status hk_sim_call(hk_sim *sim, uint32_t component, uint32_t service, uint32_t function,
                      const void *const *arguments, void *result) {
    HK_ASSERT(sim);
    HK_ASSERT(component < sim->model->component_count);
    hk_unit *unit = sim->slots.instances[component].unit;
    const hk_interface *definition = unit->info->services[service].definition;
    bool away = hk_is_away(sim->part, component);
    void *self = NULL;
    const void *functions = away ? NULL : unit->unit_class->services->table(unit, service, &self);
    const hk_op what = {definition->functions[function].name, component};
    hk_where where = {.element = unit->name};
    static const char text[] = "'%s' of '%s' is called while it is stopped";
    if (!sim->changes.active[component] && !sim->options.allow_stopped)
        return hk_error(sim->ctx, HK_E_STOPPED_PROVIDER, where,
                        "start it before, or allow it with --allow-stopped", text, what.name,
                        unit->name);
    if (!sim->changes.active[component])
        hk_warn(sim->ctx, HK_E_STOPPED_PROVIDER, where, NULL, text, what.name, unit->name);
    bool changes = hk_interface_mutable(definition); /* and maybe what it says */
    if (changes && !hk_part_reach(sim, component))
        return sim->status;
    if (!away) { /* else the node that has it makes the call */
        hk_call_begin(sim, &what);
        definition->functions[function].call(functions, self, arguments, result);
        hk_call_end(sim);
    }
    if (sim->status == HK_OK && changes)
        (void)!hk_part_changed(sim, component); /* if not, the run ends, and its status says why */
    return sim->status;
}

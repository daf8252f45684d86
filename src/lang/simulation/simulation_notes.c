/* SPDX-License-Identifier: MIT
 *
 * What is not a mistake in a simulation and worth knowing before it runs: settings that were
 * perhaps forgotten, and components whose work nobody uses. */
#include "lang/simulation/simulation_internal.h"

#include <string.h>

typedef void visit_fn(hk_simread *r, const hk_action *action, void *user);

static void visit(hk_simread *r, const hk_actions *actions, visit_fn *fn, void *user) {
    for (size_t i = 0; i < actions->count; i++)
        fn(r, &actions->all[i], user);
}

/* All actions that may happen while a run is played. */
static void visit_all(hk_simread *r, visit_fn *fn, void *user) {
    const hk_simulation *s = r->simulation;
    visit(r, &s->begin, fn, user);
    for (size_t i = 0; i < s->scenario_count; i++) {
        visit(r, &s->scenarios[i].begin, fn, user);
        for (size_t k = 0; k < s->scenarios[i].event_count; k++)
            visit(r, &s->scenarios[i].events[k].actions, fn, user);
    }
}

/* ---- I6: an interface that configures a component, used in part */

typedef struct called {
    uint32_t component, service;
    const hk_interface *interface;
    bool *functions;
    hk_where where;
} called;

typedef struct calls {
    called *all;
    size_t count, cap;
} calls;

static void note_call(hk_simread *r, const hk_action *a, void *user) {
    calls *c = user;
    if (a->kind != HK_ACTION_CALL)
        return;
    size_t i = 0;
    while (i < c->count && (c->all[i].component != a->component || c->all[i].service != a->service))
        i++;
    if (i == c->count) {
        const hk_info *info = r->model->components[a->component].info;
        called one = {.component = a->component,
                      .service = a->service,
                      .interface = info->services[a->service].definition,
                      .where = a->where};
        one.functions = HK_NEW_ARRAY(r->arena, bool, one.interface->function_count);
        HK_PUSH(c->all, c->count, c->cap, one);
    }
    c->all[i].functions[a->function] = true;
}

/* An interface whose functions give nothing back is there to configure its component. */
static bool configures(const hk_interface *interface) {
    for (size_t i = 0; i < interface->function_count; i++)
        if (interface->functions[i].result || !interface->functions[i].argument_count)
            return false;
    return true;
}

static void note_partial_calls(hk_simread *r) {
    calls c = {0};
    visit_all(r, note_call, &c);
    for (size_t i = 0; i < c.count; i++) {
        const hk_interface *interface = c.all[i].interface;
        const char **names = HK_NEW_ARRAY(r->arena, const char *, interface->function_count);
        size_t count = 0;
        for (size_t k = 0; k < interface->function_count; k++)
            if (!c.all[i].functions[k])
                names[count++] = interface->functions[k].name;
        if (count && configures(interface))
            hk_note(r->ctx, c.all[i].where, "%s of '%s' %s not called, so what %s keeps its value",
                    hk_simread_list(r, names, count),
                    hk_simread_service_name(r, c.all[i].component, c.all[i].service),
                    count == 1 ? "is" : "are", count == 1 ? "it sets" : "they set");
    }
    hk_free(c.all);
}

/* ---- I14, C6: components whose work nobody uses */

static void note_unused(hk_simread *r) {
    const hk_model *m = r->model;
    bool *used = HK_NEW_ARRAY(r->arena, bool, m->component_count + 1);
    bool any = hk_simulation_used(r->simulation, HK_USED_TOUCHED, used);
    const char **names = HK_NEW_ARRAY(r->arena, const char *, m->component_count + 1);
    size_t count = 0;
    for (size_t i = 0; any && i < m->component_count; i++)
        if (!used[i])
            names[count++] = m->components[i].name;
    if (count)
        hk_note(
            r->ctx, hk_simread_where(r, r->file->begin.given ? &r->file->begin.at : &r->file->at),
            "nothing uses what %s produce%s; stopping %s in 'begin' saves time",
            hk_simread_list(r, names, count), count == 1 ? "s" : "", count == 1 ? "it" : "them");
}

/* ---- repairs of what is never broken */

static void mark_faults(hk_simread *r, const hk_action *a, void *user) {
    (void)r;
    bool *faulty = user;
    bool fault = a->kind == HK_ACTION_FAULT && a->fault.kind != HK_FAULT_OVERRIDE;
    for (size_t i = 0; fault && i < a->connection_count; i++)
        faulty[a->connections[i]] = true;
}

static void warn_repair(hk_simread *r, const hk_action *a, void *user) {
    const bool *faulty = user;
    bool any = a->kind != HK_ACTION_REPAIR;
    for (size_t i = 0; !any && i < a->connection_count; i++)
        any = faulty[a->connections[i]];
    if (!any)
        hk_warn(r->ctx, HK_E_SCENARIO, a->where, "remove it, or check the path",
                "no fault of this simulation is there to %s", a->words);
}

static void warn_repairs(hk_simread *r) {
    bool *faulty = HK_NEW_ARRAY(r->arena, bool, r->model->connection_count + 1);
    visit_all(r, mark_faults, faulty);
    visit_all(r, warn_repair, faulty);
}

void hk_simread_notes(hk_simread *r) {
    warn_repairs(r);
    note_partial_calls(r);
    note_unused(r);
}

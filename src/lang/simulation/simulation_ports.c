/* SPDX-License-Identifier: MIT
 *
 * Ports and interfaces of composites in a simulation. An output stands for the output of the leaf
 * that drives it, an input for all inputs that it feeds, an interface for that of the leaf behind
 * it. */
#include "lang/simulation/simulation_internal.h"
#include "model/address.h"

#include <stdlib.h>
#include <string.h>

typedef struct ports {
    const hk_delegate **all;
    size_t count, cap;
} ports;

/* The port itself, or all parts of it if it is a record. */
static void find_parts(const hk_model *model, const char *path, ports *p) {
    size_t length = strlen(path);
    uint32_t exact = hk_map_get(&model->by_delegate, path);
    if (exact != HK_MAP_NONE) {
        HK_PUSH(p->all, p->count, p->cap, &model->delegates[exact]);
        return;
    }
    for (size_t i = 0; i < model->delegate_count; i++) {
        const hk_delegate *d = &model->delegates[i];
        if (strncmp(d->name, path, length) == 0 &&
            (d->name[length] == '.' || d->name[length] == '['))
            HK_PUSH(p->all, p->count, p->cap, d);
    }
}

/* The first input gets the value, and the others the same in their units. */
static const hk_branch *others_of(hk_simread *r, const hk_delegate *d) {
    const hk_branch *branches = NULL;
    const hk_signal first = {d->ends[0].component, d->ends[0].member, HK_ALL_ELEMENTS, NULL};
    const hk_uom *from = hk_simread_variable(r, &first)->uom;
    for (size_t i = d->end_count; i-- > 1;) {
        const hk_signal other = {d->ends[i].component, d->ends[i].member, HK_ALL_ELEMENTS, NULL};
        const hk_variable *v = hk_simread_variable(r, &other);
        hk_branch *b = HK_NEW(r->arena, hk_branch);
        *b = (hk_branch){.component = other.component,
                         .variable = other.variable,
                         .transform = {.factor = 1},
                         .next = branches};
        if (from && v->uom &&
            hk_uom_conversion(from, v->uom, v->relative, &b->transform.factor,
                              &b->transform.offset) &&
            (b->transform.factor != 1 || b->transform.offset != 0))
            b->transform.kind = HK_TRANSFORM_LINEAR;
        branches = b;
    }
    return branches;
}

static void target_variables(hk_simread *r, const ports *p, hk_target *target) {
    hk_signal *signals = HK_NEW_ARRAY(r->arena, hk_signal, p->count);
    const hk_branch **branches = HK_NEW_ARRAY(r->arena, const hk_branch *, p->count);
    const hk_delegate **all = HK_NEW_ARRAY(r->arena, const hk_delegate *, p->count);
    *target = (hk_target){.kind = HK_TARGET_VARIABLES,
                          .signals = signals,
                          .signal_count = p->count,
                          .branches = branches,
                          .ports = all};
    for (size_t i = 0; i < p->count; i++) {
        const hk_delegate *d = p->all[i];
        all[i] = d;
        if (!d->end_count) {
            target->unclear = d;
            return;
        }
        signals[i] = (hk_signal){d->ends[0].component, d->ends[0].member, HK_ALL_ELEMENTS, NULL};
        branches[i] = others_of(r, d);
    }
}

static bool find_element(hk_simread *r, const char *path, ports *p, hk_target *target) {
    const char *bracket = strrchr(path, '[');
    if (!bracket)
        return false;
    find_parts(r->model, hk_arena_strndup(r->arena, path, (size_t)(bracket - path)), p);
    if (p->count != 1 || p->all[0]->kind > HK_DELEGATE_OUTPUT || !p->all[0]->end_count)
        return false;
    const hk_delegate_end *end = &p->all[0]->ends[0];
    const hk_info *info = r->model->components[end->component].info;
    hk_address at;
    if (!hk_info_address(
            info, hk_arena_printf(r->arena, "%s%s", info->variables[end->member].name, bracket),
            &at))
        return false;
    target_variables(r, p, target);
    hk_signal *signal = HK_NEW(r->arena, hk_signal);
    *signal = (hk_signal){end->component, at.variable, at.element, NULL};
    target->signals = signal;
    return true;
}

bool hk_simread_find_port(hk_simread *r, const char *path, hk_target *ret_target) {
    ports p = {0};
    bool found = true;
    find_parts(r->model, path, &p);
    if (!p.count)
        found = find_element(r, path, &p, ret_target);
    else if (p.all[0]->kind <= HK_DELEGATE_OUTPUT)
        target_variables(r, &p, ret_target);
    else if (p.all[0]->end_count == 1)
        *ret_target = (hk_target){.kind = HK_TARGET_SERVICE,
                                  .component = p.all[0]->ends[0].component,
                                  .service = p.all[0]->ends[0].member};
    else
        *ret_target = (hk_target){.kind = HK_TARGET_SERVICE, .unclear = p.all[0]};
    hk_free(p.all);
    return found;
}

hk_status hk_simread_unclear_port(hk_simread *r, const hk_name *path, const hk_delegate *port) {
    static const char *const kinds[] = {"an input", "an output", "a provided interface",
                                        "a required interface"};
    const char **names = HK_NEW_ARRAY(r->arena, const char *, port->end_count + 1);
    for (size_t i = 0; i < port->end_count; i++) {
        const hk_delegate_end *e = &port->ends[i];
        names[i] = port->kind > HK_DELEGATE_OUTPUT
                       ? hk_simread_service_name(r, e->component, e->member)
                       : hk_simread_signal_name(
                             r, &(hk_signal){e->component, e->member, HK_ALL_ELEMENTS, NULL});
    }
    if (!port->end_count)
        return hk_simread_error(r, HK_E_SCENARIO, &path->at, "link it inside the composite",
                                "'%s' is %s of a composite that leads to nothing", path->text,
                                kinds[port->kind]);
    return hk_simread_error(r, HK_E_SCENARIO, &path->at, "name one of them",
                            "'%s' is %s of a composite that leads to %zu: %s", path->text,
                            kinds[port->kind], port->end_count,
                            hk_simread_list(r, names, port->end_count));
}

static int compare(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* They are in the order of the model. */
static bool leads_through(const hk_delegate *port, uint32_t connection) {
    return port->connection_count && bsearch(&connection, port->connections, port->connection_count,
                                             sizeof connection, compare);
}

bool hk_target_has(const hk_simread *r, const hk_target *target, uint32_t connection, bool from) {
    const hk_connection *k = &r->model->connections[connection];
    uint32_t component = from ? k->from_component : k->to_component;
    uint32_t variable = from ? k->from_variable : k->to_variable;
    for (size_t i = 0; i < target->signal_count; i++)
        if (target->ports ? leads_through(target->ports[i], connection)
                          : target->signals[i].component == component &&
                                target->signals[i].variable == variable)
            return true;
    return false;
}

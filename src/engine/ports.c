/* SPDX-License-Identifier: MIT
 *
 * Which variables the engine exchanges, what for, and where they lie. */
#include "engine/bind_stages.h"

#include <stdlib.h>
#include <string.h>

typedef struct port_list {
    hk_engine_port *ports;
    size_t count, cap;
} port_list;

static void need(port_list *list, uint32_t component, uint32_t variable, unsigned use) {
    hk_engine_port p = {
        .component = component, .variable = variable, .use = use, .blob = UINT32_MAX};
    HK_PUSH(list->ports, list->count, list->cap, p);
}

static void need_calls(port_list *list, const hk_program_calls *calls, unsigned use) {
    for (size_t i = 0; i < calls->count; i++)
        need(list, calls->all[i].component, calls->all[i].variable, use);
}

/* What the program sets, gets and takes from the past. */
static void collect_cells(const hk_sim *sim, port_list *list) {
    for (size_t i = 0; i < sim->program->cell_count; i++) {
        const hk_program_cell *c = &sim->program->cells[i];
        need_calls(list, &c->sets, USE_IN);
        need_calls(list, &c->gets, USE_EVERY);
        for (size_t k = 0; k < c->copy_count; k++) {
            const hk_connection *from = &sim->model->connections[c->copies[k].connection];
            if (!c->copies[k].newest)
                need(list, from->from_component, from->from_variable, USE_HISTORY | USE_DELAYED);
        }
    }
    need_calls(list, &sim->program->row, USE_ROW);
    need_calls(list, &sim->program->once, USE_STATIC);
}

/* What is looked at may have to be kept until it is, or, if it was set, must not be borrowed. */
static void look_at(const hk_sim *sim, port_list *list, uint32_t component, uint32_t variable,
                    bool past) {
    const hk_variable *v = &sim->model->components[component].info->variables[variable];
    need(list, component, variable, hk_program_is_static(v) ? USE_SHOWN : past ? USE_HISTORY : 0);
}

static void collect_observed(const hk_sim *sim, port_list *list) {
    const hk_sim_options *o = &sim->options;
    for (size_t i = 0; i < sim->rows.column_count; i++)
        look_at(sim, list, sim->rows.columns[i].component, sim->rows.columns[i].variable,
                hk_rows_depth(sim, sim->rows.columns[i].component) > 0);
    for (size_t i = 0; i < o->observed_count; i++)
        look_at(sim, list, o->observed[i].component, o->observed[i].variable,
                hk_rows_depth(sim, o->observed[i].component) > 0);
    for (size_t i = 0; i < o->stop_when_count; i++)
        look_at(sim, list, o->stop_when[i].component, o->stop_when[i].variable,
                sim->plan->components[o->stop_when[i].component].pattern);
}

static int compare_ports(const void *a, const void *b) {
    const hk_engine_port *x = a;
    const hk_engine_port *y = b;
    if (x->component != y->component)
        return x->component < y->component ? -1 : 1;
    return x->variable < y->variable ? -1 : x->variable > y->variable;
}

static void merge(port_list *list) {
    if (list->count)
        qsort(list->ports, list->count, sizeof *list->ports, compare_ports);
    size_t n = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (n && compare_ports(&list->ports[n - 1], &list->ports[i]) == 0)
            list->ports[n - 1].use |= list->ports[i].use;
        else
            list->ports[n++] = list->ports[i];
    }
    list->count = n;
    for (size_t i = 0; i < n; i++) {
        unsigned *use = &list->ports[i].use;
        if (!(*use & USE_IN))
            *use &= ~(unsigned)USE_SHOWN;
        if (*use & USE_EVERY)
            *use &= ~(unsigned)USE_ROW; /* so there is no need to read it for rows */
    }
}

static bool is_apart(const hk_sim_instance *inst, uint32_t variable) {
    hk_unit *unit = inst->unit;
    return unit->unit_class->address && !unit->unit_class->address(unit, variable) &&
           !hk_program_is_static(&unit->info->variables[variable]);
}

/* What is published apart from the memory of a unit is read after every activation, no matter who
 * looks at it and when: later it is gone. */
static void collect_apart(const hk_sim *sim, port_list *list) {
    for (uint32_t c = 0; c < sim->model->component_count; c++)
        for (uint32_t v = 0; v < sim->model->components[c].info->variable_count; v++)
            if (is_apart(&sim->slots.instances[c], v))
                need(list, c, v, USE_EVERY);
}

void hk_ports_collect(hk_sim *sim) {
    HK_ASSERT(sim);
    port_list list = {0};
    collect_cells(sim, &list);
    collect_observed(sim, &list);
    collect_apart(sim, &list);
    merge(&list);
    sim->slots.ports = list.ports;
    sim->slots.port_count = list.count;
    size_t i = 0;
    for (uint32_t c = 0; c < sim->model->component_count; c++) {
        hk_sim_instance *inst = &sim->slots.instances[c];
        inst->ports.begin = (uint32_t)i;
        for (; i < sim->slots.port_count && sim->slots.ports[i].component == c; i++) {
            hk_engine_port *p = &sim->slots.ports[i];
            const hk_variable *v = &inst->unit->info->variables[p->variable];
            p->bytes = v->count * hk_store_size(v->store);
            p->address = inst->unit->unit_class->address
                             ? inst->unit->unit_class->address(inst->unit, p->variable)
                             : NULL;
            p->by_address = p->address != NULL;
            p->apart = is_apart(inst, p->variable);
            bool text = v->store == HK_STORE_BYTES;
            if (text && (p->use & USE_IN || !p->by_address))
                p->blob = hk_blobs_reserve(sim, v->count);
        }
        inst->ports.end = (uint32_t)i;
    }
}

const hk_engine_port *hk_sim_port(const hk_sim *sim, uint32_t component, uint32_t variable) {
    HK_ASSERT(sim);
    HK_ASSERT(component < sim->model->component_count);
    HK_ASSERT(variable < sim->model->components[component].info->variable_count);
    const hk_engine_port key = {.component = component, .variable = variable};
    return sim->slots.port_count
               ? bsearch(&key, sim->slots.ports, sim->slots.port_count, sizeof key, compare_ports)
               : NULL;
}

static void *element_address(const hk_sim *sim, uint32_t component, uint32_t variable,
                             const hk_slice *slice) {
    const hk_variable *v = &sim->model->components[component].info->variables[variable];
    return (char *)hk_sim_port(sim, component, variable)->address +
           slice->first * hk_store_size(v->store);
}

const void *hk_source_address(const hk_sim *sim, const hk_connection *k) {
    HK_ASSERT(sim && k);
    return element_address(sim, k->from_component, k->from_variable, &k->from_slice);
}

void *hk_target_address(const hk_sim *sim, const hk_connection *k) {
    HK_ASSERT(sim && k);
    return element_address(sim, k->to_component, k->to_variable, &k->to_slice);
}

uint32_t hk_blobs_reserve(hk_sim *sim, size_t count) {
    HK_ASSERT(sim);
    uint32_t first = (uint32_t)sim->memory.blob_count;
    for (size_t i = 0; i < count; i++)
        HK_PUSH(sim->memory.blobs, sim->memory.blob_count, sim->memory.blob_cap, ((hk_blob){0}));
    return first;
}

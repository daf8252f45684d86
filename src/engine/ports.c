/* SPDX-License-Identifier: MIT
 *
 * Which variables the engine exchanges, what for, and where they lie. */
#include "engine/build.h"

#include <stdlib.h>
#include <string.h>

typedef struct port_list {
    port *ports;
    size_t count, cap;
} port_list;

static void need(port_list *list, uint32_t component, uint32_t variable, unsigned use) {
    port p = {.component = component, .variable = variable, .use = use, .blob = UINT32_MAX};
    HK_PUSH(list->ports, list->count, list->cap, p);
}

static bool is_static(const hk_variable *v) {
    return v->causality == HK_PARAMETER || v->causality == HK_STRUCTURAL_PARAMETER ||
           v->causality == HK_INPUT || v->variability == HK_CONSTANT || v->variability == HK_FIXED;
}

/* Rows that are rarer than the component's steps and meet their ends need not be read every time.
 */
static bool rows_are_rare(const hk_sim *sim, uint32_t component) {
    const hk_plan_component *c = &sim->plan->components[component];
    return !sim->options.stop_when_count && !sim->options.observed_count &&
           sim->model->components[component].info->stamp == HK_STAMP_END && c->offset == 0 &&
           !c->pattern && sim->plan->row_interval > c->period &&
           sim->plan->row_interval % c->period == 0;
}

/* A variable that is looked at with the lag 'observe'. */
static void need_observed(hk_sim *sim, port_list *list, uint32_t component, uint32_t variable) {
    const hk_info *info = sim->model->components[component].info;
    unsigned use = USE_EVERY;
    if (is_static(&info->variables[variable]))
        use = USE_STATIC;
    else if (hk_rows_depth(sim, component) > 0)
        use = USE_EVERY | USE_HISTORY;
    else if (rows_are_rare(sim, component))
        use = USE_ROW;
    need(list, component, variable, use);
}

static void collect(hk_sim *sim, port_list *list) {
    const hk_model *model = sim->model;
    for (size_t i = 0; i < model->connection_count; i++) {
        const hk_connection *k = &model->connections[i];
        unsigned use = USE_EVERY;
        if (!sim->plan->connections[i].direct)
            use |= USE_HISTORY | USE_DELAYED;
        need(list, k->from_component, k->from_variable, use);
        need(list, k->to_component, k->to_variable, USE_IN);
    }
    if (sim->options.sink.row_begin)
        for (size_t i = 0; i < sim->options.column_count; i++)
            need_observed(sim, list, sim->options.columns[i].component,
                          sim->options.columns[i].variable);
    for (size_t i = 0; i < sim->options.observed_count; i++)
        need_observed(sim, list, sim->options.observed[i].component,
                      sim->options.observed[i].variable);
    for (size_t i = 0; i < sim->options.stop_when_count; i++) {
        const hk_stop_when *w = &sim->options.stop_when[i];
        const hk_variable *v = &model->components[w->component].info->variables[w->variable];
        bool uneven = sim->plan->components[w->component].pattern;
        need(list, w->component, w->variable,
             is_static(v) ? USE_STATIC : USE_EVERY | (uneven ? USE_HISTORY : 0));
    }
}

static int compare_ports(const void *a, const void *b) {
    const port *x = a;
    const port *y = b;
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
        if (*use & USE_IN && *use & USE_STATIC)
            *use |= USE_SHOWN;
        if (*use & (USE_IN | USE_EVERY))
            *use &= ~(unsigned)(USE_STATIC | USE_ROW);
    }
}

void hk_ports_collect(hk_sim *sim) {
    port_list list = {0};
    collect(sim, &list);
    merge(&list);
    sim->ports = list.ports;
    sim->port_count = list.count;
    size_t i = 0;
    for (uint32_t c = 0; c < sim->model->component_count; c++) {
        instance *inst = &sim->instances[c];
        inst->ports.begin = (uint32_t)i;
        for (; i < sim->port_count && sim->ports[i].component == c; i++) {
            port *p = &sim->ports[i];
            const hk_variable *v = &inst->unit->info->variables[p->variable];
            p->bytes = v->count * hk_store_size(v->store);
            p->address = inst->unit->unit_class->address
                             ? inst->unit->unit_class->address(inst->unit, p->variable)
                             : NULL;
            p->by_address = p->address != NULL;
            bool text = v->store == HK_STORE_BYTES;
            if (text && (p->use & USE_IN || !p->by_address))
                p->blob = hk_blobs_reserve(sim, v->count);
        }
        inst->ports.end = (uint32_t)i;
    }
}

const port *hk_sim_port(const hk_sim *sim, uint32_t component, uint32_t variable) {
    const port key = {.component = component, .variable = variable};
    return sim->port_count ? bsearch(&key, sim->ports, sim->port_count, sizeof key, compare_ports)
                           : NULL;
}

static void *element_address(const hk_sim *sim, uint32_t component, uint32_t variable,
                             const hk_slice *slice) {
    const hk_variable *v = &sim->model->components[component].info->variables[variable];
    return (char *)hk_sim_port(sim, component, variable)->address +
           slice->first * hk_store_size(v->store);
}

const void *hk_source_address(const hk_sim *sim, const hk_connection *k) {
    return element_address(sim, k->from_component, k->from_variable, &k->from_slice);
}

void *hk_target_address(const hk_sim *sim, const hk_connection *k) {
    return element_address(sim, k->to_component, k->to_variable, &k->to_slice);
}

uint32_t hk_blobs_reserve(hk_sim *sim, size_t count) {
    uint32_t first = (uint32_t)sim->blob_count;
    for (size_t i = 0; i < count; i++)
        HK_PUSH(sim->blobs, sim->blob_count, sim->blob_cap, ((blob){0}));
    return first;
}

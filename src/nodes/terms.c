/* SPDX-License-Identifier: MIT
 *
 * What the nodes of one run must have the same of, as far as the plan and the engine go. Files and
 * settings are added by who has read them. */
#include "nodes/nodes_internal.h"

#include "base/libm.h"
#include "base/map.h"

#include <hk/version.h>

#include <string.h>

static uint64_t more(uint64_t hash, uint64_t number) {
    return hk_hash(hash, &number, sizeof number);
}

static uint64_t more_text(uint64_t hash, const char *text) {
    return hk_hash(hash, text, strlen(text) + 1);
}

static uint64_t hash_plan(uint64_t hash, const hk_plan *plan) {
    const hk_model *model = plan->model;
    hash = more(hash, (uint64_t)plan->ticks_per_second);
    hash = more(hash, (uint64_t)plan->start);
    hash = more(hash, (uint64_t)plan->end);
    for (size_t i = 0; i < model->component_count; i++) {
        const hk_plan_component *c = &plan->components[i];
        hash = more_text(hash, model->components[i].name);
        hash = more(hash, (uint64_t)c->period);
        hash = more(hash, (uint64_t)c->offset);
        hash = more(hash, c->level);
        hash = more(hash, c->depth);
    }
    for (size_t i = 0; i < model->connection_count; i++)
        hash = more(hash, (uint64_t)plan->connections[i].lag);
    for (size_t g = 0; g < plan->init_group_count; g++)
        hash = more(hash, plan->init_group_end[g]);
    return hash;
}

static uint64_t hash_flows(const hk_plan_flows *flows) {
    uint64_t hash = HK_HASH_SEED;
    for (size_t i = 0; i < flows->count; i++) {
        const hk_plan_flow *f = &flows->all[i];
        hash = more(hash, f->component);
        hash = more(more(hash, f->from), f->to);
        hash = more(more(hash, (uint64_t)f->lag), f->moves);
        for (size_t k = 0; k < f->variable_count; k++)
            hash = more(more(hash, f->variables[k].variable), f->variables[k].connected);
    }
    return hash;
}

static uint64_t hash_rows(const hk_sim_options *o) {
    uint64_t hash = HK_HASH_SEED;
    for (size_t i = 0; i < o->listener_count; i++)
        hash = more(more(hash, o->listeners[i].column_count), (uint64_t)o->listeners[i].interval);
    return hash;
}

/* "2 signals: a.x, b.y", of the records, or of the record and the logs. */
static const char *recorded_text(hk_agreement *a, const hk_sim_options *o) {
    enum { SHOWN = 10 }; /* a value that is long is cut anyway */
    const char *text = "";
    size_t count = 0;
    uint64_t hash = HK_HASH_SEED;
    for (size_t i = 0; i < o->listener_count; i++)
        for (size_t k = 0; k < o->listeners[i].column_count; k++) {
            const char *name = o->listeners[i].columns[k].name;
            hash = more_text(hash, name);
            if (count++ < SHOWN)
                text = hk_arena_printf(a->arena, "%s%s%s", text, *text ? ", " : "", name);
        }
    if (count > SHOWN)
        text = hk_arena_printf(a->arena, "%s ...%016llx", text, (unsigned long long)hash);
    return hk_arena_printf(a->arena, "%zu signal%s: %s", count, hk_plural(count), text);
}

static const char *as_text(hk_agreement *a, uint64_t hash) {
    return hk_arena_printf(a->arena, "%016llx", (unsigned long long)hash);
}

/* The recorder says of all calls what was checked. */
static const char *monitor_name(hk_monitor monitor) {
    return monitor == HK_MONITOR_OFF ? "off" : monitor == HK_MONITOR_VALUES ? "values" : "phase";
}

void hk_nodes_agree(const hk_plan_flows *flows, const hk_sim_options *sim_options,
                    const hk_nodes_options *options) {
    HK_ASSERT(flows && sim_options && options && options->agreement);
    hk_agreement *a = options->agreement;
    const hk_plan *plan = flows->plan;
    const hk_placement *p = &flows->placement;
    uint64_t hash = hash_plan(HK_HASH_SEED, plan);
    for (size_t i = 1; i < plan->order_count; i++)
        hash = hash_plan(hash, plan->orders[i]);
    char libm[HK_LIBM_TEXT];
    hk_agreement_add(a, "the version of hocket",
                     hk_arena_printf(a->arena, "%d.%d.%d", HK_VERSION_MAJOR, HK_VERSION_MINOR,
                                     HK_VERSION_PATCH));
    hk_agreement_add(a, "the mathematical library", hk_libm_text(hk_libm_hash(), libm));
    hk_agreement_number(a, "the number of nodes", options->count);
    hk_agreement_add(a, "the transport", options->transport == HK_OVER_SOCKETS ? "unix" : "shm");
    hk_agreement_number(a, "the seed", sim_options->seed);
    hk_agreement_number(a, "the run", sim_options->run);
    hk_agreement_add(a, "--extrapolate", sim_options->extrapolate ? "given" : "not given");
    hk_agreement_add(a, "--allow-nan", sim_options->allow_nan ? "given" : "not given");
    hk_agreement_add(a, "--allow-stopped", sim_options->allow_stopped ? "given" : "not given");
    hk_agreement_add(a, "--monitor", monitor_name(sim_options->monitor));
    hk_agreement_add(a, "the plan", as_text(a, hash));
    hk_agreement_add(a, "the placement of components",
                     as_text(a, hk_hash(HK_HASH_SEED, p->node_of,
                                        plan->model->component_count * sizeof *p->node_of)));
    hk_agreement_add(a, "what is recorded (--output-variable)", recorded_text(a, sim_options));
    hk_agreement_add(a, "when rows are recorded", as_text(a, hash_rows(sim_options)));
    hk_agreement_add(a, "the flows between nodes", as_text(a, hash_flows(flows)));
}

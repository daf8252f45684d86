/* SPDX-License-Identifier: MIT
 *
 * Variables that a program reads and writes by hand, between two instants: found and bound once,
 * then reached without a lookup. FMI does not allow to read from an instance between a set and the
 * next step; so what is written waits here, where it can be read, until that step is due. */
#include "engine/failures.h"
#include "engine/sim_parts.h"

#include "base/fpenv.h"

#include <string.h>

struct hk_access {
    hk_sim *sim;
    uint32_t component, variable;
    hk_unit *unit;
    const hk_variable *about;
    const hk_engine_port *port; /* what the engine exchanges anyway; else NULL */
    void *address;              /* the unit keeps it in memory; else NULL */
    const void *current;        /* where the newest value always lies; NULL: it is got by a call */
    hk_exchange get, set;       /* bound when they are needed first */
    void *values;               /* of all elements, for the calls */
    size_t bytes;
    char **texts;  /* what was written last, if it is text: the caller keeps its own */
    void *written; /* by hand, for the set */
    bool waits;    /* until the component is stepped next */
};

static hk_access *find(const hk_sim *sim, uint32_t component, uint32_t variable) {
    for (size_t i = 0; i < sim->changes.access_count; i++)
        if (sim->changes.accesses[i]->component == component &&
            sim->changes.accesses[i]->variable == variable)
            return sim->changes.accesses[i];
    return NULL;
}

/* The engine's own copy is only good for this if it follows every activation. */
static const void *followed(const hk_engine_port *p) {
    if (!p || !(p->use & (USE_IN | USE_EVERY)))
        return NULL;
    return p->borrowed ? p->borrowed : p->address;
}

hk_access *hk_sim_access(hk_sim *sim, uint32_t component, uint32_t variable) {
    HK_ASSERT(sim);
    HK_ASSERT(component < sim->model->component_count);
    HK_ASSERT(variable < sim->model->components[component].info->variable_count);
    hk_access *a = find(sim, component, variable);
    if (a)
        return a;
    hk_unit *unit = sim->slots.instances[component].unit;
    const hk_variable *v = &unit->info->variables[variable];
    a = HK_NEW(sim->arena, hk_access);
    *a = (hk_access){.sim = sim,
                     .component = component,
                     .variable = variable,
                     .unit = unit,
                     .about = v,
                     .port = hk_sim_port(sim, component, variable),
                     .bytes = v->count * hk_store_size(v->store)};
    a->address = unit->unit_class->address ? unit->unit_class->address(unit, variable) : NULL;
    a->current = a->address ? a->address : followed(a->port);
    a->values = hk_arena_alloc(sim->arena, a->bytes);
    a->written = hk_arena_alloc(sim->arena, a->bytes);
    a->texts = v->store == HK_STORE_BYTES ? HK_NEW_ARRAY(sim->arena, char *, v->count) : NULL;
    HK_PUSH(sim->changes.accesses, sim->changes.access_count, sim->changes.access_cap, a);
    return a;
}

void hk_accesses_finish(hk_sim *sim) {
    HK_ASSERT(sim);
    for (size_t i = 0; i < sim->changes.access_count; i++)
        for (size_t k = 0;
             sim->changes.accesses[i]->texts && k < sim->changes.accesses[i]->about->count; k++)
            hk_free(sim->changes.accesses[i]->texts[k]);
    hk_free(sim->changes.accesses);
}

/* Something was set by hand since the last step. */
static bool set_before(const hk_access *a) {
    uint64_t runs = a->sim->loop.rates[a->sim->plan->components[a->component].rate].runs;
    return a->sim->slots.instances[a->component].set_at == runs + 1;
}

/* Calls into the component as the loop does: with our floating-point environment, and known to the
 * guard. */
static hk_status call(const hk_access *a, const hk_exchange *x) {
    hk_sim *sim = a->sim;
    HK_TRY(hk_may(sim, a->component, x == &a->get ? HK_UNIT_GET : HK_UNIT_SET, set_before(a)));
    uint64_t outside = hk_fpenv_read();
    hk_fpenv_pin();
    hk_call_begin(sim, &x->what);
    int code = hk_exchange_call(x);
    hk_call_end(sim);
    hk_fpenv_write(outside);
    if (!hk_unit_bad(code))
        return HK_OK;
    hk_settle_time(sim);
    hk_fail_call(sim, &x->what, code);
    return sim->status;
}

static hk_status refuse_after_failure(const hk_access *a) {
    if (a->sim->status == HK_OK)
        return HK_OK;
    return hk_error(a->sim->ctx, HK_E_UNIT_FAILED,
                    (hk_where){.file = a->sim->model->file, .element = a->unit->name},
                    "restore a state that was saved before",
                    "'%s.%s' cannot be reached, because the run has failed", a->unit->name,
                    a->about->name);
}

/* A state was saved after something was written: until the next step FMI allows no get. */
static hk_status refuse_after_set(const hk_access *a) {
    const hk_sim *sim = a->sim;
    if (!set_before(a))
        return HK_OK;
    return hk_error(
        sim->ctx, HK_E_UNIT_STATE, (hk_where){.file = sim->model->file, .element = a->unit->name},
        "read it before it is set, or after the next step",
        "'%s.%s' cannot be read between a set and a step", a->unit->name, a->about->name);
}

hk_status hk_access_read(hk_access *a, const void **ret_data) {
    HK_ASSERT(a && ret_data);
    if (a->current) {
        *ret_data = a->current;
        return HK_OK;
    }
    HK_TRY(refuse_after_failure(a));
    if (a->waits) {
        *ret_data = a->written;
        return HK_OK;
    }
    HK_TRY(refuse_after_set(a));
    if (!a->get.call.name) {
        HK_TRY(a->unit->unit_class->bind_get(a->sim->ctx, a->unit, &a->variable, 1, a->values,
                                             &a->get.call));
        a->get.what = (hk_op){a->get.call.name, a->component};
    }
    HK_TRY(call(a, &a->get));
    *ret_data = a->values;
    return HK_OK;
}

bool hk_access_writable(const hk_access *a) {
    HK_ASSERT(a);
    const hk_variable *v = a->about;
    return (v->causality == HK_INPUT && !(a->port && a->port->use & USE_IN)) ||
           (v->causality == HK_PARAMETER && v->variability == HK_TUNABLE);
}

static void keep_texts(hk_access *a, hk_bytes *values) {
    for (size_t i = 0; i < a->about->count; i++) {
        char *kept = hk_alloc(values[i].size + 1);
        if (values[i].size)
            memcpy(kept, values[i].data, values[i].size);
        hk_free(a->texts[i]);
        a->texts[i] = kept;
        values[i].data = kept;
    }
}

/* What the record shows of a variable that does not change by itself. */
static void show(const hk_access *a, const void *values) {
    const hk_engine_port *p = a->port;
    if (!p || p->by_address)
        return;
    if (p->blob == UINT32_MAX) {
        memcpy(p->address, values, p->bytes);
        return;
    }
    for (size_t i = 0; i < a->about->count; i++) {
        hk_blob *b = &a->sim->memory.blobs[p->blob + i];
        hk_blob_assign(b, ((const hk_bytes *)values)[i]);
        ((hk_bytes *)p->address)[i] = (hk_bytes){b->data, b->size};
    }
}

hk_status hk_access_write(hk_access *a, hk_store store, const void *data, size_t count) {
    HK_ASSERT(a);
    const hk_variable *v = a->about;
    hk_ctx *ctx = a->sim->ctx;
    hk_where where = {.file = a->sim->model->file, .element = a->unit->name};
    if (!hk_access_writable(a))
        return hk_error(ctx, HK_E_PARAMETER, where,
                        "only tunable parameters and inputs that nothing drives may change",
                        "'%s.%s' cannot be set during the run", a->unit->name, v->name);
    HK_TRY(refuse_after_failure(a));
    if (!a->address && !a->set.call.name) {
        HK_TRY(
            a->unit->unit_class->bind_set(ctx, a->unit, &a->variable, 1, a->written, &a->set.call));
        a->set.what = (hk_op){a->set.call.name, a->component};
    }
    if (!hk_part_reach(a->sim, a->component))
        return a->sim->status;
    void *to = a->address ? a->values : a->written;
    if (count != v->count || !hk_value_convert(v->store, to, store, data, count))
        return hk_error(ctx, HK_E_VALUE, where, NULL, "the value does not fit '%s.%s'",
                        a->unit->name, v->name);
    if (a->texts)
        keep_texts(a, to);
    if (a->address) {
        memcpy(a->address, a->values, a->bytes);
        return HK_OK;
    }
    a->sim->changes.waiting_writes += !a->waits;
    a->waits = true;
    show(a, a->written);
    return HK_OK;
}

static bool apply(hk_sim *sim, hk_access *a) {
    a->waits = false;
    sim->changes.waiting_writes--;
    sim->slots.instances[a->component].set_at =
        sim->loop.rates[sim->plan->components[a->component].rate].runs + 1;
    return call(a, &a->set) == HK_OK;
}

bool hk_accesses_apply(hk_sim *sim, hk_tick t) {
    for (size_t i = 0; i < sim->changes.access_count; i++) {
        hk_access *a = sim->changes.accesses[i];
        bool due = sim->loop.rate_next[sim->plan->components[a->component].rate] == t;
        if (a->waits && due && sim->changes.active[a->component] && !apply(sim, a))
            return false;
    }
    return true;
}

bool hk_accesses_apply_all(hk_sim *sim) {
    HK_ASSERT(sim);
    for (size_t i = 0; i < sim->changes.access_count; i++)
        if (sim->changes.accesses[i]->waits && !apply(sim, sim->changes.accesses[i]))
            return false;
    return true;
}

void hk_accesses_forget(hk_sim *sim) {
    HK_ASSERT(sim);
    for (size_t i = 0; i < sim->changes.access_count; i++)
        sim->changes.accesses[i]->waits = false;
    for (size_t c = 0; c < sim->model->component_count; c++)
        sim->slots.instances[c].set_at = 0;
    sim->changes.waiting_writes = 0;
}

hk_status hk_sim_write(hk_sim *sim, uint32_t component, uint32_t variable, const hk_value *value) {
    HK_ASSERT(sim && value);
    HK_ASSERT(component < sim->model->component_count);
    HK_ASSERT(variable < sim->model->components[component].info->variable_count);
    return hk_access_write(hk_sim_access(sim, component, variable), hk_store_of(value->type),
                           value->data, value->count);
}

/* SPDX-License-Identifier: MIT
 *
 * For debugging: that what an input is set to is what was got from its source, after the conversion
 * that the connection declares. What is got is kept here a second time, and looked up in another
 * way than the loop does it. Connections that extrapolate or are faulty, and those of components
 * that overrun or were stopped, are left out. And that each call is one that the standard behind
 * the component allows, after those before it. */
#include "engine/monitor_internal.h"

#include "base/number.h"

#include <string.h>

/* What a variable was after its newest activations. */
typedef struct kept {
    bool used;
    size_t frames, count; /* count: so far */
    hk_tick *ticks;
    char *data;
} kept;

typedef struct hk_value_watch {
    kept *ports;     /* per port */
    bool *set_since; /* per component: something was set since its last step */
} hk_value_watch;

void hk_values_create(hk_sim *sim) {
    HK_ASSERT(sim);
    hk_value_watch *v = sim->monitor->values = HK_NEW(sim->arena, hk_value_watch);
    v->ports = HK_NEW_ARRAY(sim->arena, kept, sim->slots.port_count + 1);
    v->set_since = HK_NEW_ARRAY(sim->arena, bool, sim->model->component_count);
    for (size_t i = 0; i < sim->model->connection_count; i++) {
        const hk_connection *k = &sim->model->connections[i];
        const hk_engine_port *p = hk_sim_port(sim, k->from_component, k->from_variable);
        kept *x = &v->ports[p - sim->slots.ports];
        if (x->used ||
            sim->model->components[k->from_component].info->variables[k->from_variable].store ==
                HK_STORE_BYTES)
            continue;
        x->used = true;
        x->frames = (size_t)sim->plan->components[k->from_component].depth + 2;
        x->ticks = HK_NEW_ARRAY(sim->arena, hk_tick, x->frames);
        x->data = hk_arena_alloc(sim->arena, x->frames * p->bytes);
        memcpy(x->data, p->address, p->bytes); /* the initial value */
        x->ticks[0] = TICK_INITIAL;
        x->count = 1;
    }
}

void hk_values_forget(hk_sim *sim) {
    HK_ASSERT(sim);
    for (size_t i = 0; i < sim->slots.port_count; i++)
        sim->monitor->values->ports[i].count = 0;
    for (size_t c = 0; c < sim->model->component_count; c++)
        sim->monitor->values->set_since[c] = false;
}

bool hk_values_may(hk_sim *sim, uint32_t component, hk_unit_call call) {
    hk_value_watch *v = sim->monitor->values;
    if (!v)
        return true;
    hk_status status = hk_may(sim, component, call, v->set_since[component]);
    v->set_since[component] =
        call == HK_UNIT_SET || (call == HK_UNIT_GET && v->set_since[component]);
    if (status == HK_OK)
        return true;
    sim->status = status;
    return false;
}

/* What a component has published in the activation at T. */
static void keep(hk_sim *sim, uint32_t component, hk_tick t) {
    const hk_sim_instance *inst = &sim->slots.instances[component];
    for (uint32_t i = inst->ports.begin; i < inst->ports.end && sim->changes.active[component];
         i++) {
        kept *x = &sim->monitor->values->ports[i];
        if (!x->used)
            continue;
        size_t at = x->count++ % x->frames;
        x->ticks[at] = t;
        memcpy(x->data + at * sim->slots.ports[i].bytes, sim->slots.ports[i].address,
               sim->slots.ports[i].bytes);
    }
}

void hk_values_got(hk_sim *sim, const hk_cell *c) {
    for (uint32_t m = 0; m < c->member_count; m++)
        keep(sim, c->members[m], sim->time.now);
}

void hk_values_took(hk_sim *sim, uint32_t component, hk_tick t) {
    HK_ASSERT(sim);
    if (sim->monitor->values)
        keep(sim, component, t);
}

/* What the plan says a consumer sees now. */
static const char *seen_now(const hk_sim *sim, size_t connection, const hk_engine_port *from,
                            const kept *x, bool *ret_initial) {
    hk_tick latest = sim->time.now - sim->plan->connections[connection].lag;
    for (size_t back = 1; back <= x->frames && back <= x->count; back++) {
        size_t at = (x->count - back) % x->frames;
        if (x->ticks[at] > latest)
            continue;
        *ret_initial = x->ticks[at] == TICK_INITIAL;
        return x->data + at * from->bytes;
    }
    return NULL;
}

/* The last entry first, so that the first one that fits has the last word. */
static bool map_one(const hk_transform *t, hk_store to, char *target, hk_store from,
                    const char *source) {
    int64_t whole;
    bool good = hk_value_convert(to, target, from, source, 1);
    if (!hk_value_convert(HK_STORE_I64, &whole, from, source, 1))
        return good;
    for (size_t j = t->map_count; j > 0; j--)
        if (t->map_from[j - 1] == whole)
            good = hk_value_convert(to, target, HK_STORE_I64, &t->map_to[j - 1], 1);
    return good;
}

static bool convert(const hk_connection *k, hk_store to, char *target, hk_store from,
                    const char *source, size_t count) {
    const hk_transform *t = &k->conversion;
    if (!t->kind)
        return hk_value_convert(to, target, from, source, count);
    for (size_t i = 0; i < count; i++) {
        double value, mapped;
        if (t->kind == HK_TRANSFORM_MAP) {
            if (!map_one(t, to, target + i * hk_store_size(to), from,
                         source + i * hk_store_size(from)))
                return false;
            continue;
        }
        if (!hk_value_convert(HK_STORE_F64, &value, from, source + i * hk_store_size(from), 1))
            return false;
        mapped = t->factor * value + t->offset;
        if (!hk_value_convert(to, target + i * hk_store_size(to), HK_STORE_F64, &mapped, 1))
            return false;
    }
    return true;
}

static bool report(hk_sim *sim, const hk_connection *k) {
    char time[HK_NUMBER_MAX + 1];
    time[hk_write_f64(sim->time.seconds, time)] = '\0';
    sim->status = hk_error(sim->ctx, HK_E_SOUND, hk_connection_where(sim->model, k), NULL,
                           "the connection %s brings another value than was got, at t = %s s",
                           hk_connection_name(sim->model, k), time);
    return false;
}

static bool comparable(const hk_sim *sim, size_t i) {
    const hk_connection *k = &sim->model->connections[i];
    const kept *x = sim->monitor->values->ports;
    const hk_engine_port *from = hk_sim_port(sim, k->from_component, k->from_variable);
    return x[from - sim->slots.ports].used && !sim->options.extrapolate &&
           !(sim->changes.troubles && sim->changes.troubles[i]) &&
           !sim->plan->components[k->from_component].pattern &&
           !sim->slots.instances[k->from_component].past.gaps;
}

static bool check(hk_sim *sim, size_t i) {
    const hk_connection *k = &sim->model->connections[i];
    const hk_engine_port *from = hk_sim_port(sim, k->from_component, k->from_variable);
    const hk_engine_port *to = hk_sim_port(sim, k->to_component, k->to_variable);
    const hk_variable *fv =
        &sim->model->components[k->from_component].info->variables[k->from_variable];
    const hk_variable *tv =
        &sim->model->components[k->to_component].info->variables[k->to_variable];
    bool initial;
    const char *source =
        seen_now(sim, i, from, &sim->monitor->values->ports[from - sim->slots.ports], &initial);
    if (!source || tv->store == HK_STORE_BYTES || (initial && k->initial.data)) {
        sim->monitor->so_far.unvalued++;
        return true;
    }
    size_t count = hk_slice_count(&k->to_slice, tv), bytes = count * hk_store_size(tv->store);
    char *must = hk_alloc(bytes);
    source += k->from_slice.first * hk_store_size(fv->store);
    bool same = convert(k, tv->store, must, fv->store, source, count) &&
                memcmp(must, to->borrowed ? to->borrowed : hk_target_address(sim, k), bytes) == 0;
    hk_free(must);
    sim->monitor->so_far.values++;
    return same || report(sim, k);
}

static bool check_all(hk_sim *sim, const hk_cell *c) {
    for (size_t i = 0; i < sim->model->connection_count; i++) {
        uint32_t to = sim->model->connections[i].to_component;
        const hk_plan_component *p = &sim->plan->components[to];
        if (p->rate != c->rate || p->level != c->level || !sim->changes.active[to] ||
            hk_is_away(sim->part, to))
            continue;
        if (!comparable(sim, i))
            sim->monitor->so_far.unvalued++;
        else if (!check(sim, i))
            return false;
    }
    return true;
}

bool hk_values_set(hk_sim *sim, const hk_cell *c) {
    const hk_soundness before = sim->monitor->so_far, *after = &sim->monitor->so_far;
    bool good = check_all(sim, c);
    if (!hk_part_counts(sim->part))
        hk_tally_values(sim, c, after->values - before.values, after->unvalued - before.unvalued);
    return good;
}

/* SPDX-License-Identifier: MIT
 *
 * Faults on connections: what a scenario does to values on their way. They change the value of the
 * output, in its own type and unit, before it is converted for the consumer, at each activation of
 * the consumer and element by element; a connection without a fault knows nothing of them. */
#include "engine/trouble.h"

#include "engine/bind_stages.h"

#include "base/random.h"

#include <math.h>
#include <string.h>

void hk_trouble_free(hk_trouble *x) {
    if (!x)
        return;
    hk_free(x->elements);
    hk_free(x->held);
    hk_free(x);
}

void hk_troubles_finish(hk_sim *sim) {
    HK_ASSERT(sim);
    for (size_t i = 0; sim->changes.troubles && i < sim->model->connection_count; i++)
        hk_trouble_free(sim->changes.troubles[i]);
    hk_free(sim->changes.troubles);
    sim->changes.troubles = NULL;
}

const hk_variable *hk_trouble_source(const hk_sim *sim, const hk_connection *k) {
    return &sim->model->components[k->from_component].info->variables[k->from_variable];
}

static const hk_variable *target_of(const hk_sim *sim, const hk_connection *k) {
    return &sim->model->components[k->to_component].info->variables[k->to_variable];
}

hk_trouble *hk_trouble_create(hk_sim *sim, uint32_t connection) {
    const hk_connection *k = &sim->model->connections[connection];
    const hk_variable *v = target_of(sim, k);
    const hk_plan_component *to = &sim->plan->components[k->to_component];
    const char *name = hk_connection_name(sim->model, k);
    size_t size = hk_store_size(v->store);
    hk_trouble *x = hk_alloc(sizeof *x);
    x->count = hk_connection_count(sim->model, k);
    x->elements = hk_alloc((x->count + 1) * sizeof *x->elements);
    x->held = hk_alloc((x->count + 1) * hk_store_size(hk_trouble_source(sim, k)->store));
    x->noise = hk_stream_make(sim->options.seed, sim->options.run, name, "noise");
    x->drops = hk_stream_make(sim->options.seed, sim->options.run, name, "drop");
    x->first = sim->plan->start + to->offset;
    x->period = to->period;
    /* What was set right out of the producer's memory is not there any more. */
    x->sent = !sim->slots.borrowed[connection];
    char *start = hk_arena_alloc(sim->arena, v->count * size);
    if (v->start.data)
        HK_ASSERT(
            hk_value_convert(v->store, start, hk_store_of(v->start.type), v->start.data, v->count));
    x->start = start + k->to_slice.first * size;
    return x;
}

bool hk_trouble_may_delay(const hk_sim *sim, uint32_t connection, hk_tick delay) {
    const hk_connection *k = &sim->model->connections[connection];
    const hk_plan_connection *p = &sim->plan->connections[connection];
    const hk_plan_component *from = &sim->plan->components[k->from_component];
    const hk_plan_component *to = &sim->plan->components[k->to_component];
    return !sim->slots.newest[connection] &&
           hk_plan_depth(from, to->period, to->offset, p->lag + delay, from->level < to->level) <
               (int64_t)sim->slots.instances[k->from_component].past.frames;
}

/* A delay looks into the past of the producer, which the plan must keep (hk_plan_keep_past). The
 * newest value of so long ago is the same for all delays between two ticks. */
static hk_status find_delay(hk_sim *sim, uint32_t connection, hk_ratio delay, hk_tick *ret_ticks) {
    hk_tick ticks = 0;
    bool fits = hk_tick_from_ratio_up(delay, sim->time.ticks_per_second, &ticks) && ticks >= 0;
    if (fits && hk_trouble_may_delay(sim, connection, ticks)) {
        *ret_ticks = ticks;
        return HK_OK;
    }
    return hk_error(sim->ctx, HK_E_SCENARIO,
                    hk_connection_where(sim->model, &sim->model->connections[connection]), NULL,
                    "the delay reaches further back than is known of the connection");
}

static hk_status check_fault(hk_sim *sim, uint32_t connection, const hk_fault *fault) {
    const hk_connection *k = &sim->model->connections[connection];
    bool text = hk_trouble_source(sim, k)->store == HK_STORE_BYTES ||
                target_of(sim, k)->store == HK_STORE_BYTES;
    bool fits = !text || fault->kind == HK_FAULT_DISCONNECT;
    if (fits && fault->kind == HK_FAULT_QUANTISE)
        fits = fault->value > 0;
    if (fits && fault->kind == HK_FAULT_DROP)
        fits = fault->value >= 0 && fault->value <= 1;
    if (fits)
        return HK_OK;
    return hk_error(sim->ctx, HK_E_SCENARIO, hk_connection_where(sim->model, k),
                    text ? "only 'disconnect' is possible there" : NULL,
                    text ? "the fault '%s' needs numbers, and this is text or binary"
                         : "the fault '%s' has a value out of its range",
                    hk_fault_name(fault->kind));
}

static hk_status hold(hk_sim *sim, uint32_t connection, hk_trouble *x, const hk_fault *fault,
                      size_t element) {
    hk_store store = hk_trouble_source(sim, &sim->model->connections[connection])->store;
    x->elements[element].stuck_known = fault->has_value;
    if (!fault->has_value || hk_value_convert(store, x->held + element * hk_store_size(store),
                                              HK_STORE_F64, &fault->value, 1))
        return HK_OK;
    return hk_error(sim->ctx, HK_E_SCENARIO,
                    hk_connection_where(sim->model, &sim->model->connections[connection]), NULL,
                    "the value of the fault does not fit the output");
}

/* What the input gets must be a value of its own type. */
static hk_status check_override(hk_sim *sim, uint32_t connection, const hk_fault *fault) {
    const hk_connection *k = &sim->model->connections[connection];
    char room[sizeof(hk_bytes)];
    if (hk_value_convert(target_of(sim, k)->store, room, HK_STORE_F64, &fault->value, 1))
        return HK_OK;
    return hk_error(sim->ctx, HK_E_SCENARIO, hk_connection_where(sim->model, k), NULL,
                    "the value of the override does not fit the input");
}

static hk_status begin(hk_sim *sim, uint32_t connection, hk_trouble *x, const hk_fault *fault) {
    hk_tick delay = 0;
    HK_TRY(check_fault(sim, connection, fault));
    if (fault->kind == HK_FAULT_OVERRIDE)
        HK_TRY(check_override(sim, connection, fault));
    if (fault->kind == HK_FAULT_DELAY)
        HK_TRY(find_delay(sim, connection, fault->delay, &delay));
    size_t first = fault->elements.count ? fault->elements.first : 0;
    size_t end = fault->elements.count ? first + fault->elements.count : x->count;
    for (size_t i = first; i < end; i++) {
        hk_defect *d = &x->elements[i];
        if (fault->kind == HK_FAULT_STUCK)
            HK_TRY(hold(sim, connection, x, fault, i));
        if (fault->kind == HK_FAULT_DELAY)
            d->delay = delay;
        x->faults += !d->on[fault->kind];
        d->on[fault->kind] = true;
        d->value[fault->kind] = fault->value;
    }
    return HK_OK;
}

hk_status hk_sim_add_fault(hk_sim *sim, uint32_t connection, const hk_fault *fault) {
    HK_ASSERT(sim && fault);
    HK_ASSERT(connection < sim->model->connection_count);
    if (!sim->changes.troubles)
        sim->changes.troubles =
            hk_alloc((sim->model->connection_count + 1) * sizeof *sim->changes.troubles);
    hk_trouble *old = sim->changes.troubles[connection];
    hk_trouble *x = old ? old : hk_trouble_create(sim, connection);
    hk_status status = begin(sim, connection, x, fault);
    if (status != HK_OK && !old)
        hk_trouble_free(x);
    if (status != HK_OK || old)
        return status;
    sim->changes.troubles[connection] = x;
    hk_relink(sim);
    return HK_OK;
}

hk_status hk_sim_clear_faults(hk_sim *sim, uint32_t connection) {
    HK_ASSERT(sim);
    HK_ASSERT(connection < sim->model->connection_count);
    if (!sim->changes.troubles || !sim->changes.troubles[connection])
        return HK_OK;
    hk_trouble_free(sim->changes.troubles[connection]);
    sim->changes.troubles[connection] = NULL;
    hk_relink(sim);
    return HK_OK;
}

hk_status hk_sim_remove_fault(hk_sim *sim, uint32_t connection, hk_fault_kind kind,
                              uint32_t element) {
    HK_ASSERT(sim);
    HK_ASSERT(connection < sim->model->connection_count);
    hk_trouble *x = sim->changes.troubles ? sim->changes.troubles[connection] : NULL;
    if (!x || !x->elements[element].on[kind])
        return HK_OK;
    x->elements[element].on[kind] = false;
    return --x->faults ? HK_OK : hk_sim_clear_faults(sim, connection);
}

/* ---- what becomes of a value ---- */

static bool bends(const hk_defect *d) {
    return d->on[HK_FAULT_SCALE] || d->on[HK_FAULT_BIAS] || d->on[HK_FAULT_NOISE] ||
           d->on[HK_FAULT_QUANTISE];
}

/* Not the tick: what else the model declares may make ticks shorter, and must change no draw. */
static int64_t activation(const hk_sim *sim, const hk_trouble *x) {
    HK_ASSERT((sim->time.now - x->first) % x->period == 0);
    return (sim->time.now - x->first) / x->period;
}

static double bend(const hk_trouble *x, const hk_defect *d, double value, int64_t number) {
    if (d->on[HK_FAULT_SCALE])
        value *= d->value[HK_FAULT_SCALE];
    if (d->on[HK_FAULT_BIAS])
        value += d->value[HK_FAULT_BIAS];
    if (d->on[HK_FAULT_NOISE])
        value += d->value[HK_FAULT_NOISE] *
                 hk_stream_normal(&x->noise, number, (uint32_t)(d - x->elements));
    if (d->on[HK_FAULT_QUANTISE])
        value = round(value / d->value[HK_FAULT_QUANTISE]) * d->value[HK_FAULT_QUANTISE];
    return value;
}

static bool put(const hk_sim *sim, const hk_general_copy *c, const hk_trouble *x,
                const hk_defect *d, const void *from) {
    char *to = (char *)c->to + (size_t)(d - x->elements) * hk_store_size(c->to_store);
    double value;
    if (!bends(d) && !c->transform)
        return hk_value_convert(c->to_store, to, c->from_store, from, 1);
    if (!hk_value_convert(HK_STORE_F64, &value, c->from_store, from, 1))
        return false;
    if (bends(d))
        value = bend(x, d, value, activation(sim, x));
    if (c->transform)
        value = hk_transform_value(c->transform, value);
    return hk_value_convert(c->to_store, to, HK_STORE_F64, &value, 1);
}

/* What comes out of the connection's beginning: of long ago, or what it got stuck at. */
static const void *sent_by(const hk_sim *sim, const hk_general_copy *c, hk_trouble *x, hk_defect *d,
                           const void *from) {
    size_t size = hk_store_size(c->from_store), offset = (size_t)(d - x->elements) * size;
    if (d->on[HK_FAULT_DELAY]) {
        hk_tick tick;
        from =
            hk_history_seen(c->producer, c->frame_offset, sim->time.now - c->lag - d->delay, &tick);
        if (tick == TICK_INITIAL && c->initial)
            from = c->initial;
    }
    if (!d->on[HK_FAULT_STUCK])
        return (const char *)from + offset;
    if (!d->stuck_known)
        memcpy(x->held + offset, (const char *)from + offset, size);
    d->stuck_known = true;
    return x->held + offset;
}

bool hk_trouble_apply(hk_sim *sim, const hk_general_copy *c, const void *from) {
    hk_trouble *x = c->trouble;
    size_t size = hk_store_size(c->to_store);
    bool text = c->to_store == HK_STORE_BYTES; /* it can be disconnected only */
    if (text && !hk_copy_from(sim, c, from))
        return false;
    /* What is sent together is lost together. */
    double luck = hk_stream_uniform(&x->drops, activation(sim, x), 0);
    for (size_t i = 0; i < x->count; i++) {
        hk_defect *d = &x->elements[i];
        const void *value = text ? NULL : sent_by(sim, c, x, d, from);
        bool dropped = d->on[HK_FAULT_DROP] && x->sent && luck < d->value[HK_FAULT_DROP];
        if (d->on[HK_FAULT_OVERRIDE])
            HK_ASSERT(hk_value_convert(c->to_store, (char *)c->to + i * size, HK_STORE_F64,
                                       &d->value[HK_FAULT_OVERRIDE], 1));
        else if (d->on[HK_FAULT_DISCONNECT])
            memcpy((char *)c->to + i * size, x->start + i * size, size);
        else if (!text && !dropped && !put(sim, c, x, d, value))
            return false;
    }
    x->sent = true;
    return true;
}

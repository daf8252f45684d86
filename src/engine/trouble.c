/* SPDX-License-Identifier: MIT
 *
 * Faults on connections: what a scenario does to values on their way. They are applied to what the
 * consumer is about to see, in its own type and unit, at each of its activations; a connection
 * without a fault knows nothing of them. */
#include "engine/build.h"

#include "base/random.h"

#include <math.h>
#include <string.h>

/* What was to be seen at past activations of the consumer, for delays: a ring. */
typedef struct delayed {
    hk_tick delay;
    char *values;
    hk_tick *ticks;
    size_t size, count, head; /* head: the newest */
} delayed;

typedef struct trouble {
    bool on[HK_FAULT_KINDS];
    double value[HK_FAULT_KINDS];
    bool stuck_known; /* held is what the consumer saw when it got stuck */
    bool sent;        /* last is what the consumer saw before the first drop */
    char *held, *last;
    delayed late;
    hk_stream noise, drops;
    size_t bytes;
    hk_store store;
    size_t count;
    const void *start; /* what the input has without a connection */
} trouble;

static void free_trouble(trouble *x) {
    if (!x)
        return;
    hk_free(x->held);
    hk_free(x->last);
    hk_free(x->late.values);
    hk_free(x->late.ticks);
    hk_free(x);
}

void hk_troubles_finish(hk_sim *sim) {
    for (size_t i = 0; sim->troubles && i < sim->model->connection_count; i++)
        free_trouble(sim->troubles[i]);
    hk_free(sim->troubles);
    sim->troubles = NULL;
}

static trouble *create(hk_sim *sim, uint32_t connection) {
    const hk_connection *k = &sim->model->connections[connection];
    const hk_variable *v = &sim->model->components[k->to_component].info->variables[k->to_variable];
    const char *name = hk_connection_name(sim->model, k);
    trouble *x = hk_alloc(sizeof *x);
    x->store = v->store;
    x->count = v->count;
    x->bytes = v->count * hk_store_size(v->store);
    x->held = hk_alloc(x->bytes);
    x->last = hk_alloc(x->bytes);
    x->noise = hk_stream_make(sim->options.seed, sim->options.run, name, "noise");
    x->drops = hk_stream_make(sim->options.seed, sim->options.run, name, "drop");
    char *start = hk_arena_alloc(sim->arena, x->bytes);
    if (v->start.data)
        HK_ASSERT(
            hk_value_convert(v->store, start, hk_store_of(v->start.type), v->start.data, v->count));
    x->start = start;
    return x;
}

/* Room for what the consumer sees within DELAY, and one activation before that. */
static hk_status begin_delay(hk_sim *sim, uint32_t connection, trouble *x, hk_ratio delay) {
    const hk_connection *k = &sim->model->connections[connection];
    hk_tick ticks;
    if (!hk_tick_from_ratio(delay, sim->ticks_per_second, &ticks) || ticks < 0)
        return hk_error(sim->ctx, HK_E_SCENARIO, hk_connection_where(sim->model, k),
                        "give it a whole number of steps", "the delay is no whole number of ticks");
    hk_tick period = sim->plan->components[k->to_component].period;
    delayed *d = &x->late;
    hk_free(d->values);
    hk_free(d->ticks);
    *d = (delayed){.delay = ticks, .size = (size_t)(ticks / period) + 2};
    d->values = hk_alloc(d->size * x->bytes);
    d->ticks = hk_alloc(d->size * sizeof *d->ticks);
    return HK_OK;
}

static hk_status check_fault(hk_sim *sim, uint32_t connection, const trouble *x,
                             const hk_fault *fault) {
    bool text = x->store == HK_STORE_BYTES;
    bool fits = !text || (fault->kind == HK_FAULT_DISCONNECT);
    if (fits && fault->kind == HK_FAULT_QUANTISE)
        fits = fault->value > 0;
    if (fits && fault->kind == HK_FAULT_DROP)
        fits = fault->value >= 0 && fault->value <= 1;
    if (fits)
        return HK_OK;
    return hk_error(sim->ctx, HK_E_SCENARIO,
                    hk_connection_where(sim->model, &sim->model->connections[connection]),
                    text ? "only 'disconnect' is possible there" : NULL,
                    text ? "the fault '%s' needs numbers, and this is text or binary"
                         : "the fault '%s' has a value out of its range",
                    hk_fault_name(fault->kind));
}

/* What the consumer saw last stands in its input, unless it is set right out of the producer's
 * memory. */
static void begin_drops(const hk_sim *sim, uint32_t connection, trouble *x) {
    const hk_connection *k = &sim->model->connections[connection];
    x->sent = !sim->borrowed[connection];
    if (x->sent)
        memcpy(x->last, hk_sim_port(sim, k->to_component, k->to_variable)->address, x->bytes);
}

hk_status hk_sim_add_fault(hk_sim *sim, uint32_t connection, const hk_fault *fault) {
    if (!sim->troubles)
        sim->troubles = hk_alloc((sim->model->connection_count + 1) * sizeof *sim->troubles);
    trouble *old = sim->troubles[connection];
    trouble *x = old ? old : create(sim, connection);
    hk_status status = check_fault(sim, connection, x, fault);
    if (status == HK_OK && fault->kind == HK_FAULT_DELAY)
        status = begin_delay(sim, connection, x, fault->delay);
    if (status != HK_OK) {
        if (!old)
            free_trouble(x);
        return status;
    }
    sim->troubles[connection] = x;
    x->on[fault->kind] = true;
    x->value[fault->kind] = fault->value;
    if (fault->kind == HK_FAULT_STUCK) {
        x->stuck_known = fault->has_value;
        for (size_t i = 0; fault->has_value && i < x->count; i++)
            if (!hk_value_convert(x->store, x->held + i * hk_store_size(x->store), HK_STORE_F64,
                                  &fault->value, 1))
                return hk_error(sim->ctx, HK_E_SCENARIO, HK_NOWHERE, NULL,
                                "the value of the fault does not fit the input");
    }
    if (fault->kind == HK_FAULT_DROP)
        begin_drops(sim, connection, x);
    hk_relink(sim);
    return HK_OK;
}

hk_status hk_sim_clear_faults(hk_sim *sim, uint32_t connection) {
    if (!sim->troubles || !sim->troubles[connection])
        return HK_OK;
    free_trouble(sim->troubles[connection]);
    sim->troubles[connection] = NULL;
    hk_relink(sim);
    return HK_OK;
}

void hk_sim_remove_fault(hk_sim *sim, uint32_t connection, hk_fault_kind kind) {
    trouble *x = sim->troubles ? sim->troubles[connection] : NULL;
    if (!x || !x->on[kind])
        return;
    x->on[kind] = false;
    bool any = false;
    for (int i = 0; i < HK_FAULT_KINDS; i++)
        any = any || x->on[i];
    if (!any) {
        free_trouble(x);
        sim->troubles[connection] = NULL;
    }
    hk_relink(sim);
}

static void stick(trouble *x, void *to) {
    if (!x->stuck_known)
        memcpy(x->held, to, x->bytes);
    x->stuck_known = true;
    memcpy(to, x->held, x->bytes);
}

/* Before there is a value as old as the delay, the oldest known stands for it. */
static void be_late(trouble *x, hk_tick now, void *to) {
    delayed *d = &x->late;
    if (!d->count || d->ticks[d->head] != now) {
        d->head = d->count ? (d->head + 1) % d->size : 0;
        d->count += d->count < d->size;
    }
    d->ticks[d->head] = now;
    memcpy(d->values + d->head * x->bytes, to, x->bytes);
    size_t at = d->head;
    for (size_t i = 1; i < d->count && d->ticks[at] > now - d->delay; i++)
        at = at ? at - 1 : d->size - 1;
    memcpy(to, d->values + at * x->bytes, x->bytes);
}

static void maybe_drop(trouble *x, hk_tick now, void *to) {
    bool dropped = hk_stream_uniform(&x->drops, now, 0) < x->value[HK_FAULT_DROP];
    if (dropped && x->sent) {
        memcpy(to, x->last, x->bytes);
        return;
    }
    memcpy(x->last, to, x->bytes);
    x->sent = true;
}

static double bend(const trouble *x, double value, hk_tick now, size_t element) {
    if (x->on[HK_FAULT_SCALE])
        value *= x->value[HK_FAULT_SCALE];
    if (x->on[HK_FAULT_BIAS])
        value += x->value[HK_FAULT_BIAS];
    if (x->on[HK_FAULT_NOISE])
        value += x->value[HK_FAULT_NOISE] * hk_stream_normal(&x->noise, now, (uint32_t)element);
    if (x->on[HK_FAULT_QUANTISE])
        value = round(value / x->value[HK_FAULT_QUANTISE]) * x->value[HK_FAULT_QUANTISE];
    return value;
}

static bool bend_all(const trouble *x, hk_tick now, char *to) {
    size_t size = hk_store_size(x->store);
    for (size_t i = 0; i < x->count; i++) {
        double value;
        if (!hk_value_convert(HK_STORE_F64, &value, x->store, to + i * size, 1))
            return false;
        value = bend(x, value, now, i);
        if (!hk_value_convert(x->store, to + i * size, HK_STORE_F64, &value, 1))
            return false;
    }
    return true;
}

bool hk_trouble_apply(hk_sim *sim, const general_copy *c) {
    trouble *x = c->trouble;
    bool bends = x->on[HK_FAULT_SCALE] || x->on[HK_FAULT_BIAS] || x->on[HK_FAULT_NOISE] ||
                 x->on[HK_FAULT_QUANTISE];
    if (x->on[HK_FAULT_STUCK])
        stick(x, c->to);
    if (x->on[HK_FAULT_DELAY])
        be_late(x, sim->now, c->to);
    if (x->on[HK_FAULT_DROP])
        maybe_drop(x, sim->now, c->to);
    if (bends && !bend_all(x, sim->now, c->to))
        return false;
    if (x->on[HK_FAULT_DISCONNECT])
        memcpy(c->to, x->start, x->bytes);
    return true;
}

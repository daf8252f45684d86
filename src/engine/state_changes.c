/* SPDX-License-Identifier: MIT
 *
 * What a scenario has changed, in a state in a file: who is stopped and for how long, who is bound,
 * what is faulty, and the parts of listeners. Nothing that is read is believed. */
#include "engine/statefile.h"

#include "base/map.h"
#include "engine/bind_stages.h"
#include "engine/trouble.h"

#include <string.h>

/* ---- clocks ---- */

static size_t block_offset(const hk_sim *sim, const void *at) {
    return (size_t)((const char *)at - sim->memory.block);
}

static hk_tick saved_tick(const hk_sim *sim, const hk_snapshot *s, const hk_tick *at) {
    hk_tick tick;
    memcpy(&tick, s->block + block_offset(sim, at), sizeof tick);
    return tick;
}

/* Each order has cells of its own; a state in memory is of the one that was in use. */
static const hk_tick *cell_clock(const hk_sim *sim, const hk_snapshot *s, size_t component) {
    const hk_order *o = &sim->changes.orders[s->changed.order];
    for (size_t i = 0; i < o->cell_count; i++)
        for (uint32_t m = 0; m < o->cells[i].member_count; m++)
            if (o->cells[i].members[m] == component)
                return o->cells[i].last;
    return sim->slots.instances[component].cell_last;
}

void hk_state_put_clock(hk_buffer *b, const hk_sim *sim, const hk_snapshot *s, size_t c) {
    HK_ASSERT(b && sim && s);
    hk_tick last = saved_tick(sim, s, cell_clock(sim, s, c));
    bool active = s->block[block_offset(sim, &sim->changes.active[c])] != 0;
    hk_state_word(b, (uint64_t)last);
    hk_state_word(b,
                  (uint64_t)(last == TICK_INITIAL ? last : last + sim->plan->components[c].period));
    hk_state_word(b, active);
    hk_state_word(b, (uint64_t)saved_tick(sim, s, &sim->changes.shift[c]));
    hk_state_word(b, s->changed.gaps[c]);
    hk_state_word(b, (uint64_t)(active ? last : saved_tick(sim, s, &sim->changes.stopped_at[c])));
}

/* The newest activation of a component's rate, whatever the order of the run will be. */
static void set_cells(hk_state_reader *r, size_t component, hk_tick last) {
    const hk_sim *sim = r->sim;
    for (size_t o = 0; o < sim->changes.order_count; o++)
        for (size_t i = 0; i < sim->changes.orders[o].cell_count; i++) {
            const hk_cell *cell = &sim->changes.orders[o].cells[i];
            for (uint32_t m = 0; m < cell->member_count; m++)
                if (cell->members[m] == component)
                    memcpy(r->snapshot->block + block_offset(sim, cell->last), &last, sizeof last);
        }
}

/* When it was activated last, so that its step ended where it did. */
static hk_tick get_last(hk_state_reader *r, size_t c) {
    hk_tick last = (hk_tick)hk_state_get_word(r), end = (hk_tick)hk_state_get_word(r);
    bool initial = last == TICK_INITIAL && end == TICK_INITIAL;
    if (!initial && (last < -HK_TICK_LIMIT || end > HK_TICK_LIMIT || end <= last))
        hk_state_bad(r, "two times in the state are in the wrong order");
    r->steps[c] = initial || r->failed ? 0 : end - last;
    r->ends[c] = hk_state_here(r, end);
    return initial || r->failed ? TICK_INITIAL : r->ends[c] - r->sim->plan->components[c].period;
}

hk_tick hk_state_get_clock(hk_state_reader *r, size_t c) {
    HK_ASSERT(r);
    const hk_sim *sim = r->sim;
    hk_tick last = get_last(r, c), period = sim->plan->components[c].period;
    bool active = hk_state_get_word(r) != 0;
    hk_tick shift = (hk_tick)hk_state_get_word(r);
    bool gaps = hk_state_get_word(r) != 0;
    hk_tick own = (hk_tick)hk_state_get_word(r);
    if (!r->failed && (shift < 0 || shift > HK_TICK_LIMIT || own > HK_TICK_LIMIT ||
                       (own != TICK_INITIAL && own < -HK_TICK_LIMIT)))
        hk_state_bad(r, "a time in the state is beyond all bounds");
    if (r->failed)
        return TICK_INITIAL;
    shift = hk_state_here(r, shift);
    own = own == TICK_INITIAL ? own : hk_state_here(r, own + r->steps[c]) - period;
    char *block = r->snapshot->block;
    memcpy(block + block_offset(sim, &sim->changes.active[c]), &active, sizeof active);
    memcpy(block + block_offset(sim, &sim->changes.shift[c]), &shift, sizeof shift);
    memcpy(block + block_offset(sim, &sim->changes.stopped_at[c]), &own, sizeof own);
    r->snapshot->changed.gaps[c] = gaps;
    set_cells(r, c, last);
    return own;
}

/* ---- faults ---- */

void hk_state_put_trouble(hk_buffer *b, const hk_sim *sim, uint32_t connection,
                          const hk_trouble *x) {
    HK_ASSERT(b && sim && x);
    const hk_connection *k = &sim->model->connections[connection];
    hk_state_word(b, connection);
    hk_state_text(b, hk_connection_name(sim->model, k));
    hk_state_word(b, x->sent);
    hk_state_bytes(b, x->held, x->count * hk_store_size(hk_trouble_source(sim, k)->store));
    hk_state_word(b, x->count);
    for (size_t i = 0; i < x->count; i++) {
        const hk_defect *d = &x->elements[i];
        uint64_t bits = 0, value;
        for (int kind = 0; kind < HK_FAULT_KINDS; kind++)
            bits |= (uint64_t)d->on[kind] << kind;
        hk_state_word(b, bits | (uint64_t)d->stuck_known << HK_FAULT_KINDS);
        for (int kind = 0; kind < HK_FAULT_KINDS; kind++) {
            memcpy(&value, &d->value[kind], sizeof value);
            hk_state_word(b, value);
        }
        hk_state_word(b, (uint64_t)d->delay);
    }
}

static void get_defect(hk_state_reader *r, uint32_t connection, hk_trouble *x, hk_defect *d) {
    uint64_t bits = hk_state_get_word(r);
    for (int kind = 0; kind < HK_FAULT_KINDS; kind++) {
        uint64_t value = hk_state_get_word(r);
        memcpy(&d->value[kind], &value, sizeof value);
        d->on[kind] = bits >> kind & 1;
        x->faults += d->on[kind];
    }
    d->stuck_known = bits >> HK_FAULT_KINDS & 1;
    hk_tick delay = (hk_tick)hk_state_get_word(r);
    if (!r->failed && (delay < 0 || delay > HK_TICK_LIMIT))
        hk_state_bad(r, "a time in the state is beyond all bounds");
    d->delay = hk_state_here(r, delay);
    if (!r->failed && d->on[HK_FAULT_DELAY] && !hk_trouble_may_delay(r->sim, connection, d->delay))
        hk_state_bad(r, "the state lacks the past values that a delay of this run needs");
}

static bool is_text(const hk_sim *sim, const hk_connection *k) {
    return hk_trouble_source(sim, k)->store == HK_STORE_BYTES;
}

static void get_trouble(hk_state_reader *r) {
    hk_sim *sim = r->sim;
    uint64_t connection = hk_state_get_word(r);
    hk_bytes name = hk_state_get_bytes(r);
    if (r->failed)
        return;
    const hk_connection *k =
        connection < sim->model->connection_count ? &sim->model->connections[connection] : NULL;
    const char *here = k ? hk_connection_name(sim->model, k) : "";
    if (strlen(here) != name.size || memcmp(here, name.data, name.size) != 0) {
        hk_state_bad(r, "the state is of a system with other connections");
        return;
    }
    hk_trouble *x = hk_trouble_create(sim, (uint32_t)connection);
    hk_trouble_free(r->snapshot->changed.troubles[connection]);
    r->snapshot->changed.troubles[connection] = x;
    x->sent = hk_state_get_word(r) != 0;
    hk_bytes held = hk_state_get_bytes(r);
    size_t size = x->count * hk_store_size(hk_trouble_source(sim, k)->store);
    uint64_t count = hk_state_get_word(r);
    if (!r->failed && (count != x->count || held.size != size))
        hk_state_bad(r, "the state is of a system with other connections");
    if (r->failed)
        return;
    if (!is_text(sim, k)) /* else nothing is held */
        memcpy(x->held, held.data, size);
    for (size_t i = 0; i < x->count && !r->failed; i++)
        get_defect(r, (uint32_t)connection, x, &x->elements[i]);
    if (!r->failed && !x->faults)
        hk_state_bad(r, "a connection in the state is faulty without a fault");
    for (size_t i = 0; i < x->count && is_text(sim, k); i++)
        for (int kind = 0; kind < HK_FAULT_KINDS; kind++)
            if (x->elements[i].on[kind] && kind != HK_FAULT_DISCONNECT)
                hk_state_bad(r, "a fault in the state needs numbers, and there is text");
}

/* ---- bindings and faults ---- */

void hk_state_put_changes(hk_buffer *b, const hk_sim *sim, const hk_snapshot *s,
                          const hk_state_pieces *pieces) {
    HK_ASSERT(b && sim && s);
    hk_state_word(b, sim->model->requirement_count);
    for (size_t i = 0; i < sim->model->requirement_count; i++) {
        hk_state_word(b, s->changed.providers[i].component);
        hk_state_word(b, s->changed.providers[i].service);
    }
    uint64_t count = 0;
    for (size_t k = 0; s->changed.troubles && k < sim->model->connection_count; k++)
        count += s->changed.troubles[k] != NULL;
    hk_state_word(b, count);
    for (uint32_t k = 0; count && k < sim->model->connection_count; k++)
        if (s->changed.troubles[k] && pieces)
            hk_buffer_put(b, pieces->troubles[k].data, pieces->troubles[k].size);
        else if (s->changed.troubles[k])
            hk_state_put_trouble(b, sim, k, s->changed.troubles[k]);
}

static void get_provider(hk_state_reader *r, size_t requirement) {
    const hk_requirement *q = &r->sim->model->requirements[requirement];
    uint64_t component = hk_state_get_word(r), service = hk_state_get_word(r);
    bool found = false;
    for (size_t i = 0; i < q->candidate_count && !r->failed; i++)
        if (q->candidates[i].component == component && q->candidates[i].service == service) {
            r->snapshot->changed.providers[requirement] = q->candidates[i];
            found = true;
        }
    if (!found)
        hk_state_bad(r, "the state has a binding that is not possible here");
}

void hk_state_get_changes(hk_state_reader *r) {
    HK_ASSERT(r);
    const hk_model *model = r->sim->model;
    hk_changed *to = &r->snapshot->changed;
    uint64_t requirements = hk_state_get_word(r);
    if (!r->failed && requirements != model->requirement_count)
        hk_state_bad(r, "the state is of a system with other required interfaces");
    for (size_t i = 0; i < model->requirement_count && !r->failed; i++)
        get_provider(r, i);
    for (size_t k = 0; to->troubles && k < model->connection_count; k++) {
        hk_trouble_free(to->troubles[k]);
        to->troubles[k] = NULL;
    }
    uint64_t count = hk_state_get_word(r);
    if (count && !to->troubles)
        to->troubles = hk_alloc((model->connection_count + 1) * sizeof *to->troubles);
    for (uint64_t i = 0; i < count && !r->failed; i++)
        get_trouble(r);
}

/* ---- the parts of listeners ---- */

void hk_state_put_parts(hk_buffer *b, const hk_sim *sim, const hk_snapshot *s) {
    HK_ASSERT(b && sim && s);
    uint64_t count = 0;
    for (size_t i = 0; i < sim->listening.count; i++)
        count += sim->listening.all[i].keeper.name != NULL;
    hk_state_word(b, count);
    for (size_t i = 0; i < sim->listening.count; i++)
        if (sim->listening.all[i].keeper.name) {
            hk_state_text(b, sim->listening.all[i].keeper.name);
            hk_state_bytes(b, s->kept[i].data, s->kept[i].size);
        }
}

static void refuse_part(hk_state_reader *r, const char *hint, const char *why) {
    hk_error(r->sim->ctx, HK_E_STATE_FILE, (hk_where){.file = r->path}, hint, "%s", why);
    r->status = HK_E_STATE_FILE;
    r->failed = true;
}

static void get_part(hk_state_reader *r) {
    hk_sim *sim = r->sim;
    hk_bytes name = hk_state_get_bytes(r), data = hk_state_get_bytes(r);
    size_t i = 0;
    for (; i < sim->listening.count && !r->failed; i++) {
        const char *own = sim->listening.all[i].keeper.name;
        if (own && strlen(own) == name.size && memcmp(own, name.data, name.size) == 0)
            break;
    }
    if (r->failed)
        return;
    if (i == sim->listening.count) {
        refuse_part(
            r, "go on with the simulation that saved it",
            hk_arena_printf(sim->arena, "the state holds a %.*s under way, and this run has none",
                            (int)(name.size < 60 ? name.size : 60), (const char *)name.data));
        return;
    }
    r->snapshot->kept[i].size = 0;
    hk_buffer_put(&r->snapshot->kept[i], data.data, data.size);
}

void hk_state_get_parts(hk_state_reader *r) {
    HK_ASSERT(r);
    uint64_t count = hk_state_get_word(r), wanted = 0;
    for (size_t i = 0; i < r->sim->listening.count; i++)
        wanted += r->sim->listening.all[i].keeper.name != NULL;
    for (uint64_t i = 0; i < count && !r->failed; i++)
        get_part(r);
    if (!r->failed && count < wanted)
        refuse_part(r, "load a state that was saved by this run of the simulation",
                    "the state is of a run without a scenario");
}

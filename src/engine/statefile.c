/* SPDX-License-Identifier: MIT
 *
 * Writing a state to a file; statefile.h says what it looks like. */
#include "engine/statefile.h"
#include "engine/snapshot.h"

#include "base/file.h"
#include "base/libm.h"
#include "base/map.h"

#include <string.h>

/* A value that lies at DATA; texts by their content. */
static void put_value(hk_buffer *b, const hk_variable *v, const void *data, size_t bytes,
                      const hk_blob *blobs) {
    if (v->store != HK_STORE_BYTES) {
        hk_state_bytes(b, data, bytes);
        return;
    }
    size_t total = 0;
    for (size_t i = 0; i < v->count; i++)
        total += 8 + blobs[i].size;
    hk_state_word(b, total);
    for (size_t i = 0; i < v->count; i++)
        hk_state_bytes(b, blobs[i].data, blobs[i].size);
}

static void put_values(hk_buffer *b, const hk_sim *sim, const hk_snapshot *s,
                       const hk_sim_instance *inst) {
    uint64_t count = 0;
    for (uint32_t i = inst->ports.begin; i < inst->ports.end; i++)
        count += hk_state_holds(inst, &sim->slots.ports[i]);
    hk_state_word(b, count);
    for (uint32_t i = inst->ports.begin; i < inst->ports.end; i++) {
        const hk_engine_port *p = &sim->slots.ports[i];
        if (!hk_state_holds(inst, p))
            continue;
        const hk_variable *v = &inst->unit->info->variables[p->variable];
        hk_state_text(b, v->name);
        put_value(b, v, s->block + p->offset, p->bytes,
                  p->blob == UINT32_MAX ? NULL : s->blobs + p->blob);
    }
}

static void put_history(hk_buffer *b, const hk_sim *sim, const hk_snapshot *s,
                        const hk_sim_instance *inst) {
    const hk_history *past = &inst->past;
    hk_state_word(b, past->frames);
    if (!past->frames)
        return;
    uint32_t head;
    memcpy(&head, s->block + past->head_offset, sizeof head);
    for (uint32_t f = 0; f < past->frames; f++) {
        uint32_t at = (head + past->frames - f) % past->frames;
        hk_tick tick;
        memcpy(&tick, s->block + past->ticks_offset + at * sizeof tick, sizeof tick);
        hk_state_word(b, (uint64_t)tick);
        const char *frame = s->block + past->data_offset + at * past->frame_size;
        uint32_t text = past->blob + at * past->blobs_per_frame;
        uint64_t count = 0;
        for (uint32_t i = inst->ports.begin; i < inst->ports.end; i++)
            count += (sim->slots.ports[i].use & USE_HISTORY) != 0;
        hk_state_word(b, count);
        for (uint32_t i = inst->ports.begin; i < inst->ports.end; i++) {
            const hk_engine_port *p = &sim->slots.ports[i];
            if (!(p->use & USE_HISTORY))
                continue;
            const hk_variable *v = &inst->unit->info->variables[p->variable];
            hk_state_text(b, v->name);
            put_value(b, v, frame + p->frame_offset, p->bytes, s->blobs + text + p->frame_blob);
        }
    }
}

hk_state_key hk_state_key_of(hk_unit *unit, hk_arena *arena) {
    HK_ASSERT(unit && arena);
    hk_state_key result = {"", 0};
    if (unit->unit_class->state_key)
        unit->unit_class->state_key(unit, arena, &result.key, &result.build);
    return result;
}

static void put_given(hk_buffer *b, const hk_sim *sim, size_t component, const hk_given_value *list,
                      size_t n) {
    const hk_info *info = sim->slots.instances[component].unit->info;
    uint64_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += list[i].component == component;
    hk_state_word(b, count);
    for (size_t i = 0; i < n; i++)
        if (list[i].component == component) {
            hk_state_text(b, info->variables[list[i].variable].name);
            hk_state_word(b, list[i].hash);
        }
}

hk_status hk_state_put_component(hk_buffer *b, hk_sim *sim, const hk_snapshot *s, size_t c,
                                 const hk_given_value *list, size_t n) {
    HK_ASSERT(b && sim && s && !hk_is_away(sim->part, (uint32_t)c));
    hk_sim_instance *inst = &sim->slots.instances[c];
    hk_unit *unit = inst->unit;
    char *data;
    size_t size;
    const hk_op what = {"the writing of its state", (uint32_t)c};
    hk_call_begin(sim, &what);
    hk_status status = unit->unit_class->state_save(sim->ctx, unit, s->states[c], &data, &size);
    hk_call_end(sim);
    if (status != HK_OK)
        return status;
    hk_state_text(b, unit->name);
    hk_state_text(b, unit->info->name);
    hk_arena *arena = hk_arena_create();
    hk_state_key key = hk_state_key_of(unit, arena);
    hk_state_text(b, key.key);
    hk_state_word(b, key.build);
    hk_arena_destroy(arena);
    hk_state_put_clock(b, sim, s, c);
    hk_state_bytes(b, data, size);
    hk_free(data);
    put_given(b, sim, c, list, n);
    put_values(b, sim, s, inst);
    put_history(b, sim, s, inst);
    return HK_OK;
}

void hk_state_put_slope(hk_buffer *b, const hk_sim *sim, const hk_snapshot *s, size_t connection) {
    HK_ASSERT(b && sim && s && connection < sim->model->connection_count);
    size_t at = (size_t)((char *)sim->slots.slopes - sim->memory.block);
    hk_slope x;
    uint64_t bits[2];
    memcpy(&x, s->block + at + connection * sizeof x, sizeof x);
    memcpy(bits, &x.newest, 8);
    memcpy(bits + 1, &x.before, 8);
    hk_state_word(b, connection);
    hk_state_word(b, bits[0]);
    hk_state_word(b, bits[1]);
    hk_state_word(b, (uint64_t)x.newest_tick);
    hk_state_word(b, (uint64_t)x.before_tick);
}

static void put_slopes(hk_buffer *b, const hk_sim *sim, const hk_snapshot *s,
                       const hk_state_pieces *pieces) {
    size_t n = sim->options.extrapolate ? sim->model->connection_count : 0;
    hk_state_word(b, n);
    for (size_t i = 0; i < n; i++)
        if (pieces)
            hk_buffer_put(b, pieces->slopes[i].data, pieces->slopes[i].size);
        else
            hk_state_put_slope(b, sim, s, i);
}

static hk_status put_components(hk_buffer *b, hk_sim *sim, const hk_snapshot *s,
                                const hk_state_pieces *pieces) {
    hk_given_value *list;
    size_t given_count = hk_given_list(sim, &list);
    hk_status status = HK_OK;
    hk_state_word(b, sim->model->component_count);
    for (size_t c = 0; c < sim->model->component_count && status == HK_OK; c++)
        if (pieces)
            hk_buffer_put(b, pieces->components[c].data, pieces->components[c].size);
        else
            status = hk_state_put_component(b, sim, s, c, list, given_count);
    hk_free(list);
    return status;
}

hk_tick hk_state_now(const hk_sim *sim, const hk_snapshot *s) {
    HK_ASSERT(sim && s);
    hk_tick now;
    memcpy(&now, s->block + ((char *)sim->time.clock - sim->memory.block), sizeof now);
    return now;
}

hk_status hk_state_pack(hk_buffer *b, hk_sim *sim, const hk_snapshot *s,
                        const hk_state_pieces *pieces) {
    HK_ASSERT(b && sim && s && (pieces || !sim->part));
    hk_buffer_put(b, HK_STATE_MAGIC, sizeof HK_STATE_MAGIC - 1);
    hk_buffer_put(b, &(char){HK_STATE_VERSION}, 1);
    hk_state_word(b, (uint64_t)sim->plan->ticks_per_second);
    hk_state_word(b, (uint64_t)sim->plan->start);
    hk_state_word(b, (uint64_t)hk_state_now(sim, s));
    hk_state_put_names(b, sim);
    hk_state_put_parts(b, sim, s);
    HK_TRY(put_components(b, sim, s, pieces));
    put_slopes(b, sim, s, pieces);
    hk_state_put_changes(b, sim, s, pieces);
    hk_state_word(b, hk_libm_hash());
    hk_state_word(b, hk_hash(HK_HASH_SEED, b->data, b->size));
    return HK_OK;
}

hk_status hk_snapshot_write(hk_sim *sim, const hk_snapshot *snapshot, const char *path) {
    HK_ASSERT(sim && snapshot && path);
    HK_TRY(hk_snapshot_possible(sim, true));
    hk_buffer b = {0};
    hk_status status = hk_state_pack(&b, sim, snapshot, NULL);
    if (status == HK_OK)
        status = hk_file_rewrite(sim->ctx, path, b.data, b.size);
    hk_free(b.data);
    return status;
}

/* SPDX-License-Identifier: MIT
 *
 * Saving and restoring a whole run in memory: the block, the texts, the state of every component.
 */
#include "engine/snapshot.h"
#include "engine/bind_stages.h"
#include "engine/initialize.h"
#include "engine/monitor.h"
#include "engine/statefile.h"

#include <string.h>

/* Where a component runs, its node knows what its library lacks. */
hk_status hk_snapshot_possible(hk_sim *sim, bool to_file) {
    HK_ASSERT(sim);
    for (size_t c = 0; c < sim->model->component_count; c++) {
        const hk_unit *unit = sim->slots.instances[c].unit;
        const hk_unit_class *k =
            hk_is_away(sim->part, (uint32_t)c) ? unit->info->unit_class : unit->unit_class;
        bool can = unit->info->can.save_state && k->state_get &&
                   (!to_file || (unit->info->can.serialize_state && k->state_save));
        const char *lacks = unit->lacks_memory || !to_file ? unit->lacks_memory : unit->lacks_bytes;
        if (can && !lacks)
            continue;
        return hk_error(sim->ctx, HK_E_UNIT_STATE,
                        (hk_where){.file = sim->model->file, .element = unit->name},
                        "only components that can save their state take part in saving",
                        "component '%s' (%s) cannot %s its state%s%s", unit->name, unit->info->kind,
                        to_file ? "serialize" : "save",
                        lacks ? ": its library does not export " : "", lacks ? lacks : "");
    }
    return HK_OK;
}

/* A component whose last step was cut short by the stop time is between two activations: its
 * next step would not begin where the last one ended. */
static hk_status check_grid(const hk_sim *sim) {
    const hk_plan *plan = sim->plan;
    for (size_t r = 0; r < plan->rate_count; r++) {
        const hk_rate *rate = &plan->rates[r];
        hk_tick run = plan->stop - plan->start - rate->offset;
        if (run <= 0 || run % rate->period == 0)
            continue;
        const char *name = sim->model->components[rate->components[0]].name;
        return hk_error(sim->ctx, HK_E_TIME, (hk_where){.file = sim->model->file, .element = name},
                        "save at a stop time that is a whole number of steps of every component",
                        "the last step of '%s' is shortened by the stop time, so that a run could "
                        "not go on from there",
                        name);
    }
    return HK_OK;
}

hk_status hk_snapshot_possible_at_stop(hk_sim *sim) {
    HK_ASSERT(sim);
    HK_TRY(hk_snapshot_possible(sim, true));
    return check_grid(sim);
}

void hk_snapshot_free_states(hk_sim *sim, hk_snapshot *snapshot) {
    HK_ASSERT(sim && snapshot);
    for (size_t c = 0; c < snapshot->state_count; c++) {
        hk_unit *unit = sim->slots.instances[c].unit;
        if (!snapshot->states[c])
            continue;
        const hk_op what = {"the freeing of its state", (uint32_t)c};
        hk_call_begin(sim, &what);
        unit->unit_class->state_free(unit, snapshot->states[c]);
        hk_call_end(sim);
        snapshot->states[c] = NULL;
    }
}

void hk_snapshot_destroy(hk_sim *sim, hk_snapshot *snapshot) {
    HK_ASSERT(sim);
    if (!snapshot)
        return;
    hk_settle_time(sim);
    hk_snapshot_free_states(sim, snapshot);
    for (size_t i = 0; i < snapshot->blob_count; i++)
        hk_free(snapshot->blobs[i].data);
    hk_free(snapshot->blobs);
    hk_free(snapshot->states);
    for (size_t i = 0; i < sim->listening.count; i++)
        hk_free(snapshot->kept[i].data);
    hk_free(snapshot->kept);
    hk_changed_free(sim, &snapshot->changed);
    hk_free(snapshot->held);
    hk_free(snapshot->lacking);
    hk_free(snapshot->given);
    hk_free(snapshot->away);
    hk_free(snapshot->block);
    hk_free(snapshot);
}

static hk_snapshot *create(const hk_sim *sim) {
    hk_snapshot *s = hk_alloc(sizeof *s);
    s->block = hk_alloc(sim->memory.block_size);
    s->blob_count = sim->memory.blob_count;
    s->blobs = hk_alloc(sim->memory.blob_count * sizeof *s->blobs);
    s->state_count = sim->model->component_count;
    s->states = hk_alloc(s->state_count * sizeof *s->states);
    s->kept = hk_alloc((sim->listening.count + 1) * sizeof *s->kept);
    s->away = sim->part ? hk_alloc((s->state_count + 1) * sizeof *s->away) : NULL;
    return s;
}

static void copy_blobs(hk_blob *to, const hk_blob *from, size_t count) {
    for (size_t i = 0; i < count; i++)
        hk_blob_assign(&to[i], (hk_bytes){from[i].data, from[i].size});
}

/* The states of the components that run here. */
static hk_status save_states(hk_sim *sim, hk_snapshot *s) {
    for (size_t c = 0; c < s->state_count; c++) {
        hk_unit *unit = sim->slots.instances[c].unit;
        const hk_op what = {"the saving of its state", (uint32_t)c};
        if (hk_is_away(sim->part, (uint32_t)c))
            continue;
        hk_call_begin(sim, &what);
        hk_status status = unit->unit_class->state_get(sim->ctx, unit, &s->states[c]);
        hk_call_end(sim);
        HK_TRY(status);
    }
    if (s->away)
        memcpy(s->away, sim->part->last, s->state_count * sizeof *s->away);
    return HK_OK;
}

hk_status hk_sim_save(hk_sim *sim, hk_snapshot **snapshot) {
    HK_ASSERT(sim && snapshot);
    if (sim->status != HK_OK) /* in the middle of an instant */
        return hk_error(sim->ctx, HK_E_UNIT_STATE, HK_NOWHERE, "save before, or restore a state",
                        "the run has failed, so its state cannot be saved");
    HK_TRY(hk_snapshot_possible(sim, false));
    if (sim->end.finished)
        HK_TRY(check_grid(sim));
    if (!hk_accesses_apply_all(sim))
        return sim->status;
    hk_settle_time(sim);
    hk_snapshot *s = *snapshot ? *snapshot : create(sim);
    memcpy(s->block, sim->memory.block, sim->memory.block_size);
    copy_blobs(s->blobs, sim->memory.blobs, sim->memory.blob_count);
    s->from_file = false;
    s->path = NULL;
    s->torn = true;
    hk_status status = save_states(sim, s);
    if (status == HK_OK) {
        hk_changed_free(sim, &s->changed);
        hk_changed_save(sim, &s->changed);
        status = hk_kept_save(sim, s);
    }
    if (status != HK_OK) {
        if (!*snapshot)
            hk_snapshot_destroy(sim, s);
        return status;
    }
    s->torn = false;
    *snapshot = s;
    return HK_OK;
}

static void point_to_texts(hk_sim *sim, uint32_t first_blob, hk_bytes *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        values[i] = (hk_bytes){sim->memory.blobs[first_blob + i].data,
                               sim->memory.blobs[first_blob + i].size};
}

/* The block holds pointers to texts, which may lie elsewhere by now. */
static void mend_texts(hk_sim *sim) {
    for (size_t c = 0; c < sim->model->component_count; c++) {
        hk_sim_instance *inst = &sim->slots.instances[c];
        for (uint32_t f = 0; f < inst->past.frames; f++) {
            uint32_t text = inst->past.blob + f * inst->past.blobs_per_frame;
            char *frame = inst->past.data + f * inst->past.frame_size;
            for (uint32_t i = inst->ports.begin; i < inst->ports.end; i++) {
                const hk_engine_port *p = &sim->slots.ports[i];
                const hk_variable *v = &inst->unit->info->variables[p->variable];
                if (!(p->use & USE_HISTORY) || v->store != HK_STORE_BYTES)
                    continue;
                point_to_texts(sim, text + p->frame_blob,
                               (hk_bytes *)(void *)(frame + p->frame_offset), v->count);
            }
        }
    }
    for (size_t i = 0; i < sim->slots.port_count; i++) {
        const hk_engine_port *p = &sim->slots.ports[i];
        if (p->blob != UINT32_MAX)
            point_to_texts(sim, p->blob, p->address, p->bytes / sizeof(hk_bytes));
    }
}

/* What was published before the state was saved, and not what the component would say now. */
static void restore_published(hk_sim *sim, const hk_snapshot *snapshot) {
    for (size_t i = 0; i < sim->slots.port_count; i++) {
        const hk_engine_port *p = &sim->slots.ports[i];
        if (!p->apart && !(p->use & USE_EVERY && snapshot->held[i]))
            continue;
        if (p->blob == UINT32_MAX) {
            memcpy(p->address, snapshot->block + p->offset, p->bytes);
            continue;
        }
        size_t count = p->bytes / sizeof(hk_bytes);
        copy_blobs(sim->memory.blobs + p->blob, snapshot->blobs + p->blob, count);
        point_to_texts(sim, p->blob, p->address, count);
    }
}

static hk_status restore_states(hk_sim *sim, const hk_snapshot *snapshot) {
    for (size_t c = 0; c < snapshot->state_count; c++) {
        hk_unit *unit = sim->slots.instances[c].unit;
        const hk_op what = {"the restoring of its state", (uint32_t)c};
        if (hk_is_away(sim->part, (uint32_t)c))
            continue;
        hk_call_begin(sim, &what);
        hk_status status = unit->unit_class->state_set(sim->ctx, unit, snapshot->states[c]);
        hk_call_end(sim);
        HK_TRY(status);
    }
    if (sim->part)
        memcpy(sim->part->last, snapshot->away, snapshot->state_count * sizeof *snapshot->away);
    return HK_OK;
}

/* Inputs that the file does not hold show what drives them. */
static void restore_relayed(hk_sim *sim) {
    for (size_t i = 0; i < sim->slots.port_count; i++) {
        const hk_engine_port *p = &sim->slots.ports[i];
        if (!p->relayed)
            continue;
        const hk_connection *k =
            &sim->model->connections[hk_wiring_driver(sim, p->component, p->variable)];
        const hk_engine_port *from = hk_sim_port(sim, k->from_component, k->from_variable);
        if (from && from->bytes == p->bytes)
            memcpy(p->address, from->address, p->bytes);
    }
}

hk_status hk_sim_restore(hk_sim *sim, const hk_snapshot *snapshot) {
    HK_ASSERT(sim && snapshot);
    HK_ASSERT(snapshot->state_count == sim->model->component_count);
    HK_ASSERT(snapshot->blob_count == sim->memory.blob_count);
    HK_ASSERT(!sim->part || snapshot->from_file); /* else others would not know of it */
    if (snapshot->torn)
        return hk_error(sim->ctx, HK_E_UNIT_STATE, HK_NOWHERE, "save it again, or take another one",
                        "the state is not complete: it could not be saved");
    hk_settle_time(sim);
    hk_status status = restore_states(sim, snapshot);
    if (status == HK_OK)
        status = hk_changed_restore(sim, snapshot);
    if (status != HK_OK) /* components are at two times now: nothing may be run */
        return sim->status = status;
    memcpy(sim->memory.block, snapshot->block, sim->memory.block_size);
    copy_blobs(sim->memory.blobs, snapshot->blobs, sim->memory.blob_count);
    mend_texts(sim);
    sim->end.ended = sim->end.finished = sim->end.late = sim->end.alike = false;
    sim->end.asked_end = HK_TICK_NEVER;
    sim->end.asker = sim->end.ender = HK_MAP_NONE;
    atomic_fetch_and_explicit(&sim->safety.asked, ~HK_ASKED_END, memory_order_relaxed);
    sim->end.reason = sim->end.finish_reason = NULL;
    sim->status = HK_OK;
    hk_accesses_forget(sim);
    hk_services_connect_all(sim);
    hk_relink(sim);
    hk_monitor_resync(sim);
    HK_TRY(hk_kept_restore(sim, snapshot));
    if (!snapshot->from_file)
        return sim->status;
    HK_TRY(hk_sim_read_all(sim));
    restore_published(sim, snapshot);
    HK_TRY(hk_part_again(sim));
    restore_relayed(sim);
    hk_snapshot_fill_pasts(sim, snapshot);
    return hk_given_apply(sim, snapshot);
}

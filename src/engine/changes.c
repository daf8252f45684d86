/* SPDX-License-Identifier: MIT
 *
 * What a scenario may do to a running simulation between two instants: stop and start components,
 * and look at values. */
#include "engine/bind_stages.h"
#include "engine/initialize.h"

#include "base/number.h"

#include <string.h>

size_t hk_sim_component_count(const hk_sim *sim) {
    HK_ASSERT(sim);
    return sim->model->component_count;
}

const char *hk_sim_library(const hk_sim *sim, uint32_t component) {
    HK_ASSERT(sim);
    HK_ASSERT(component < sim->model->component_count);
    hk_unit *unit = sim->slots.instances[component].unit;
    if (hk_is_away(sim->part, component))
        return sim->part->libraries[component];
    return unit && unit->unit_class->library ? unit->unit_class->library(unit) : NULL;
}

const uint64_t *hk_sim_covered(const hk_sim *sim, uint32_t component) {
    HK_ASSERT(sim);
    HK_ASSERT(component < sim->model->component_count);
    hk_unit *unit = sim->slots.instances[component].unit;
    if (hk_is_away(sim->part, component))
        return sim->part->covered[component];
    return unit && unit->unit_class->covered ? unit->unit_class->covered(unit) : NULL;
}

bool hk_sim_is_active(const hk_sim *sim, uint32_t component) {
    HK_ASSERT(sim);
    HK_ASSERT(component < sim->model->component_count);
    return sim->changes.active[component];
}

bool hk_sim_is_ending(const hk_sim *sim) {
    HK_ASSERT(sim);
    return sim->end.ended || sim->end.finished;
}

/* Activations of a rate up to and without NEXT that were executed. */
static uint64_t rate_runs(const hk_sim *sim, uint32_t component) {
    return sim->loop.rates[sim->plan->components[component].rate].runs;
}

uint64_t hk_sim_activations(const hk_sim *sim, uint32_t component) {
    HK_ASSERT(sim);
    HK_ASSERT(component < sim->model->component_count);
    const hk_profile_tally *t = &sim->profile.tallies[component];
    uint64_t now = sim->changes.active[component] ? rate_runs(sim, component) : t->runs_at_stop;
    return now - t->missed;
}

static hk_status tell(hk_sim *sim, uint32_t component,
                      hk_status (*fn)(hk_ctx *ctx, hk_unit *unit, double t), const char *name) {
    if (!fn)
        return HK_OK;
    const hk_op what = {name, component};
    hk_settle_time(sim);
    hk_call_begin(sim, &what);
    hk_status status = fn(sim->ctx, sim->slots.instances[component].unit, sim->time.seconds);
    hk_call_end(sim);
    return status;
}

/* What the component has changed of what it says, when it was told, is seen by others from now on,
 * wherever it runs; what they see of its past stays as it was. */
static hk_status show_changed(hk_sim *sim, uint32_t component) {
    if (!sim->model->components[component].info->can.heeds_stops)
        return HK_OK;
    if (!hk_sim_read_component(sim, component, false)) {
        const char *name = sim->model->components[component].name;
        return hk_error(sim->ctx, HK_E_UNIT_FAILED, (hk_where){.element = name}, NULL,
                        "component '%s' cannot be read after it was stopped or started", name);
    }
    return hk_part_changed(sim, component) ? HK_OK : sim->status;
}

hk_status hk_sim_stop_component(hk_sim *sim, uint32_t component, bool *ret_changed) {
    HK_ASSERT(sim && ret_changed);
    HK_ASSERT(component < sim->model->component_count);
    hk_sim_instance *inst = &sim->slots.instances[component];
    *ret_changed = sim->changes.active[component];
    if (!sim->changes.active[component])
        return HK_OK;
    if (!hk_part_reach(sim, component))
        return sim->status;
    HK_TRY(tell(sim, component, inst->unit->unit_class->stop, "stop"));
    HK_TRY(show_changed(sim, component));
    sim->changes.stopped_at[component] = *inst->last;
    sim->profile.tallies[component].runs_at_stop = rate_runs(sim, component);
    sim->changes.active[component] = false;
    inst->past.gaps = true;
    hk_services_provider_changed(sim, component);
    hk_relink(sim);
    return HK_OK;
}

/* A component whose steps must follow each other goes on where it stood, by a clock of its own. */
static void set_shift(hk_sim *sim, uint32_t component) {
    const hk_plan_component *p = &sim->plan->components[component];
    hk_tick next = sim->loop.rate_next[p->rate];
    hk_tick last = sim->changes.stopped_at[component];
    hk_tick own = last == TICK_INITIAL ? sim->plan->start + p->offset
                                       : last - sim->changes.shift[component] + p->period;
    bool first = sim->changes.shift[component] == 0;
    sim->changes.shift[component] = next - own;
    if (!first || !sim->changes.shift[component])
        return;
    char text[HK_NUMBER_MAX + 1];
    text[hk_write_f64(hk_tick_seconds(sim->changes.shift[component], sim->time.ticks_per_second),
                      text)] = '\0';
    const char *name = sim->model->components[component].name;
    hk_note(sim->ctx, (hk_where){.element = name},
            "component '%s' was stopped: its own time is now %s s behind", name, text);
}

hk_status hk_sim_start_component(hk_sim *sim, uint32_t component, bool *ret_changed) {
    HK_ASSERT(sim && ret_changed);
    HK_ASSERT(component < sim->model->component_count);
    const hk_unit_class *unit_class = sim->slots.instances[component].unit->unit_class;
    *ret_changed = !sim->changes.active[component];
    if (sim->changes.active[component])
        return HK_OK;
    if (!hk_part_reach(sim, component))
        return sim->status;
    HK_TRY(tell(sim, component, unit_class->start, "start"));
    hk_profile_tally *t = &sim->profile.tallies[component];
    t->missed += rate_runs(sim, component) - t->runs_at_stop;
    if (sim->model->components[component].info->can.gapless)
        set_shift(sim, component);
    sim->changes.active[component] = true;
    hk_services_provider_changed(sim, component);
    hk_relink(sim);
    return show_changed(sim, component);
}

void hk_sim_finish_early(hk_sim *sim, const char *reason) {
    HK_ASSERT(sim);
    HK_ASSERT(reason);
    sim->end.finish_reason = reason;
}

bool hk_sim_value_f64(const hk_sim *sim, uint32_t component, uint32_t variable, uint32_t element,
                      double *ret_value) {
    HK_ASSERT(sim && ret_value);
    const hk_engine_port *p = hk_sim_port(sim, component, variable);
    if (!p)
        return false;
    const hk_sim_instance *inst = &sim->slots.instances[component];
    hk_store store = inst->unit->info->variables[variable].store;
    if (store == HK_STORE_BYTES)
        return false;
    const char *from = p->borrowed ? p->borrowed : p->address;
    hk_tick lag = hk_rows_lag(sim, component);
    bool moves = inst->unit->info->variables[variable].causality != HK_PARAMETER;
    if (p->use & USE_HISTORY && inst->past.frames && lag && moves) {
        hk_tick tick;
        bool final = sim->time.now >= sim->time.stop;
        from = hk_history_seen(inst, p->frame_offset, hk_rows_latest(sim, component, lag, final),
                               &tick);
    }
    return hk_value_convert(HK_STORE_F64, ret_value, store, from + element * hk_store_size(store),
                            1);
}

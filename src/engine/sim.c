/* SPDX-License-Identifier: MIT
 *
 * The life of a simulation around the loop: making it, looking into it, ending it. */
#include "engine/bind_stages.h"
#include "engine/failures.h"
#include "engine/fused_cells.h"
#include "engine/initialize.h"
#include "engine/monitor.h"
#include "engine/remains.h"
#include "engine/score.h"
#include "engine/trace.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/fpenv.h"
#include "isolate/isolate.h"

#include <string.h>

/* Only if all can save their states the run can go back. */
static bool can_go_back(const hk_sim *sim) {
    bool can = sim->options.may_go_back;
    for (size_t c = 0; c < sim->model->component_count && can; c++)
        can = sim->model->components[c].info->can.save_state;
    return can;
}

/* An FMU that knows the stop time refuses to go beyond it, and the end of the last step, as it adds
 * it up, may lie one rounding error behind. */
static double told_stop(const hk_plan *plan, size_t component) {
    const hk_plan_component *p = &plan->components[component];
    int64_t n = plan->ticks_per_second;
    double stop = hk_tick_seconds(plan->stop, n);
    hk_tick first = plan->start + p->offset;
    if (first >= plan->stop)
        return stop;
    hk_tick last = first + (plan->stop - 1 - first) / p->period * p->period;
    hk_tick step = plan->stop - last < p->period ? plan->stop - last : p->period;
    double end = hk_tick_seconds(last, n) + hk_tick_seconds(step, n);
    return end > stop ? end : stop;
}

static bool is_isolated(const hk_sim *sim, size_t component) {
    return sim->options.isolated && sim->options.isolated[component];
}

static bool is_remote(const hk_sim *sim, size_t component) {
    return sim->options.remote && sim->options.remote[component] >= 0;
}

/* What the instance of a component is opened with; FOLDER and GO_BACK are the same for all. */
static hk_unit_options instance_options(hk_sim *sim, size_t c, const char *folder, bool go_back) {
    const hk_plan *plan = sim->plan;
    const hk_experiment *x = &sim->model->experiment;
    return (hk_unit_options){
        .name = sim->model->components[c].name,
        .folder = folder,
        .place = sim->memory.places[c] ? sim->memory.system + sim->memory.places[c] : NULL,
        .seed = sim->options.seed,
        .run = sim->options.run,
        .logging = sim->options.fmi_logging,
        .tolerance_defined = x->has_tolerance,
        .tolerance = x->tolerance,
        .start = hk_tick_seconds(plan->start + plan->components[c].offset, plan->ticks_per_second),
        .stop_defined = x->tell_stop,
        .stop = x->tell_stop ? told_stop(plan, c) : 0,
        .may_go_back = go_back,
        .now = &sim->time.seconds,
        .calling = &sim->safety.calling,
        .said = &sim->slots.instances[c].said,
    };
}

static hk_status open_instance(hk_sim *sim, size_t c, const hk_unit_options *options) {
    const hk_info *info = sim->model->components[c].info;
    hk_unit **unit = &sim->slots.instances[c].unit;
    const hk_op what = {"the instantiation", (uint32_t)c};
    hk_call_begin(sim, &what);
    bool locked = sim->options.sandboxed && sim->options.sandboxed[c];
    if (is_remote(sim, c))
        HK_TRY(hk_isolate_open_remote(sim->ctx, info, options, sim->options.remote[c], unit));
    else if (is_isolated(sim, c))
        HK_TRY(
            hk_isolate_open(sim->ctx, info, options, locked ? sim->options.sandbox : NULL, unit));
    else
        HK_TRY(info->unit_class->open(sim->ctx, info, options, unit));
    hk_look_around(sim, &what);
    hk_call_end(sim);
    return HK_OK;
}

/* Those with a process of their own come first: it is a copy of this one, in which no instance
 * lives yet. */
static hk_status open_instances(hk_sim *sim) {
    const bool may_go_back = can_go_back(sim);
    const char *folder = hk_path_folder(sim->arena, sim->model->file ? sim->model->file : "");
    for (int isolated = 1; isolated >= 0; isolated--)
        for (size_t c = 0; c < sim->model->component_count; c++) {
            if (is_isolated(sim, c) != isolated)
                continue;
            hk_unit_options options = instance_options(sim, c, folder, may_go_back);
            hk_part_stage(sim->part, HK_STAGE_OPEN, isolated ? c : sim->model->component_count + c);
            if (hk_is_away(sim->part, (uint32_t)c))
                sim->slots.instances[c].unit = hk_away_open(sim, (uint32_t)c);
            else
                HK_TRY(open_instance(sim, c, &options));
        }
    return HK_OK;
}

static void make_watches(hk_sim *sim) {
    size_t n = sim->options.stop_when_count;
    sim->rows.watches = HK_NEW_ARRAY(sim->arena, hk_watch, n);
    for (size_t i = 0; i < n; i++) {
        const hk_stop_when *w = &sim->options.stop_when[i];
        const hk_info *info = sim->model->components[w->component].info;
        const hk_sim_instance *inst = &sim->slots.instances[w->component];
        const hk_engine_port *p = hk_sim_port(sim, w->component, w->variable);
        bool uneven = sim->plan->components[w->component].pattern && p->use & USE_HISTORY;
        sim->rows.watches[i] = (hk_watch){.condition = *w,
                                          .port = p,
                                          .producer = uneven ? inst : NULL,
                                          .store = info->variables[w->variable].store,
                                          .stamp = hk_rows_lag(sim, w->component),
                                          .last = inst->last};
    }
    sim->rows.watch_count = n;
}

/* Components that the system declares as inactive wait for a scenario to start them. */
static hk_status stop_inactive(hk_sim *sim) {
    bool changed;
    for (uint32_t c = 0; c < sim->model->component_count; c++)
        if (sim->model->components[c].inactive)
            HK_TRY(hk_sim_stop_component(sim, c, &changed));
    return HK_OK;
}

/* All that is looked at, and by whom. */
hk_program *hk_sim_program(const hk_sim *sim, const hk_plan *plan) {
    HK_ASSERT(sim && plan);
    const hk_sim_options *o = &sim->options;
    size_t n = 0, all = sim->rows.column_count + o->observed_count + o->stop_when_count;
    hk_signal *signals = hk_alloc((all + 1) * sizeof *signals);
    for (size_t i = 0; i < sim->rows.column_count; i++)
        signals[n++] =
            (hk_signal){sim->rows.columns[i].component, sim->rows.columns[i].variable, 0, NULL};
    for (size_t i = 0; i < o->observed_count; i++)
        signals[n++] = o->observed[i];
    for (size_t i = 0; i < o->stop_when_count; i++)
        signals[n++] = (hk_signal){o->stop_when[i].component, o->stop_when[i].variable, 0, NULL};
    bool rows_only = !o->stop_when_count && !o->observed_count;
    hk_program *program = hk_program_make(
        plan, &(hk_program_observed){signals, n, rows_only ? sim->rows.interval : 0});
    hk_free(signals);
    return program;
}

static hk_status build(hk_sim *sim) {
    size_t n = sim->model->component_count;
    hk_part_make(sim);
    HK_TRY(hk_services_choose(sim));
    HK_TRY(hk_orders_make(sim));
    sim->slots.instances = HK_NEW_ARRAY(sim->arena, hk_sim_instance, n);
    sim->profile.tallies = HK_NEW_ARRAY(sim->arena, hk_profile_tally, n);
    sim->loop.under_way = HK_NEW_ARRAY(sim->arena, hk_under_way, n);
    for (size_t c = 0; c < n && sim->options.real_time > 0; c++)
        sim->profile.tallies[c].slot_ns =
            hk_tick_seconds(sim->plan->components[c].period, sim->time.ticks_per_second) * 1e9 /
            sim->options.real_time;
    hk_places_make(sim);
    HK_TRY(open_instances(sim));
    hk_services_bind_all(sim);
    hk_ports_collect(sim);
    hk_layout_make(sim);
    sim->loop.due = HK_NEW_ARRAY(sim->arena, uint32_t, sim->loop.rate_count);
    sim->loop.due_cell = HK_NEW_ARRAY(sim->arena, uint32_t, sim->loop.rate_count);
    sim->loop.batch = HK_NEW_ARRAY(sim->arena, const hk_cell *, sim->loop.rate_count);
    HK_TRY(hk_wiring_make(sim));
    HK_TRY(hk_orders_wire(sim));
    hk_part_bind(sim);
    hk_rows_build(sim);
    hk_part_bind_rows(sim);
    make_watches(sim);
    hk_trace_create(sim);
    hk_monitor_begin(sim);
    HK_TRY(hk_sim_initialize(sim));
    hk_monitor_create(sim);
    HK_TRY(stop_inactive(sim));
    return sim->status;
}

hk_status hk_sim_create(hk_ctx *ctx, const hk_plan *plan, const hk_sim_options *options,
                        hk_sim **ret_sim) {
    HK_ASSERT(ctx && plan && options && ret_sim);
    HK_ASSERT(plan->model->lowered);
    HK_ASSERT(options->listeners || !options->listener_count);
    int64_t begin = hk_clock_ns();
    uint64_t outside = hk_fpenv_read();
    uint64_t pinned = hk_fpenv_pin();
    hk_arena *arena = hk_arena_create();
    hk_sim *sim = hk_remains_room();
    sim = sim ? sim : HK_NEW(arena, hk_sim);
    sim->safety.fp_control = pinned;
    hk_host_look(&sim->safety.host);
    sim->arena = arena;
    sim->ctx = ctx;
    sim->family = sim->plan = plan;
    sim->model = plan->model;
    sim->options = *options;
    sim->time.stop = plan->stop;
    sim->time.ticks_per_second = plan->ticks_per_second;
    sim->time.exact_seconds = plan->stop < INT64_C(1) << 53 && plan->start > -(INT64_C(1) << 53) &&
                              plan->ticks_per_second < INT64_C(1) << 53;
    hk_set_seconds(sim, hk_tick_seconds(plan->start, plan->ticks_per_second));
    hk_listeners_make(sim);
    sim->end.asked_end = HK_TICK_NEVER;
    sim->end.asker = sim->end.ender = HK_MAP_NONE;
    sim->profile.until_sample = 1;
    sim->profile.until_poll = sim->profile.poll_every = 1;
    pthread_mutex_init(&sim->safety.fail_lock, NULL);
    hk_sim_watch(sim);
    bool entered = hk_lane_enter(&sim->threads.self);
    hk_status status = build(sim);
    if (entered)
        hk_lane_leave(&sim->threads.self);
    sim->profile.init_ns = (double)(hk_clock_ns() - begin);
    hk_restore_host(sim, &sim->safety.host, NULL, false);
    hk_host_forget(&sim->safety.host);
    hk_fpenv_write(outside);
    if (status != HK_OK) {
        sim->status = status;
        hk_call_end(sim);
        hk_sim_destroy(sim);
        return status;
    }
    if (options->threads > 1 && options->threads_always)
        hk_share_decide(sim);
    *ret_sim = sim;
    return HK_OK;
}

/* All results are there by now: a failure is not an error any more. A component may have a last
 * word about the run, too. */
static void terminate(hk_sim *sim, hk_unit *unit, hk_where where) {
    hk_ctx *aside = hk_ctx_create(NULL, NULL);
    hk_status status = hk_unit_terminate(aside, unit);
    size_t said = hk_ctx_count(aside, HK_NOTE);
    for (size_t i = 0; status == HK_OK && i < said; i++)
        hk_note(sim->ctx, where, "%s", hk_ctx_diag(aside, i)->text);
    if (status != HK_OK) {
        const hk_diag *why = said ? hk_ctx_diag(aside, 0) : NULL;
        hk_warn(sim->ctx, HK_E_UNIT_FAILED, why ? why->where : HK_NOWHERE, why ? why->hint : NULL,
                "%s", why ? why->text : "a component did not terminate normally");
    }
    hk_ctx_destroy(aside);
}

static void close_instances(hk_sim *sim) {
    if (!sim->slots.instances)
        return;
    hk_settle_time(sim);
    for (size_t c = 0; c < sim->model->component_count; c++) {
        hk_unit *unit = sim->slots.instances[c].unit;
        if (!unit)
            continue;
        const hk_op what = {"the end of the instance", (uint32_t)c};
        hk_call_begin(sim, &what);
        if (sim->status == HK_OK)
            terminate(sim, unit, sim->model->components[c].where);
        unit->unit_class->close(unit);
        hk_call_end(sim);
    }
}

void hk_sim_destroy(hk_sim *sim) {
    if (!sim)
        return;
    hk_share_end(sim);
    if (sim->part)
        sim->part->closing = true;
    hk_host host;
    hk_host_look(&host);
    hk_host_take_faults(&host, &sim->safety.host); /* as they were before any component lived */
    hk_host_stop_timer(&sim->safety.host);
    close_instances(sim);
    hk_sim_unwatch(sim); /* before: what rings from here on rings for nobody */
    hk_restore_host(sim, &host, NULL, true);
    hk_host_forget(&host);
    pthread_mutex_destroy(&sim->safety.fail_lock);
    for (size_t i = 0; i < sim->memory.blob_count; i++)
        hk_free(sim->memory.blobs[i].data);
    hk_free(sim->memory.blobs);
    for (size_t i = 0; i < sim->rows.text_count; i++)
        hk_free(sim->rows.texts[i].data);
    hk_free(sim->slots.ports);
    hk_web_finish(&sim->loop.web);
    hk_web_finish(&sim->loop.shared_web);
    hk_score_finish(sim);
    hk_troubles_finish(sim);
    hk_free(sim->slots.texts);
    hk_free(sim->slots.once);
    hk_accesses_finish(sim);
    hk_part_finish(sim);
    hk_trace_finish(sim);
    if (sim->monitor)
        hk_initial_forget(sim);
    hk_free(sim->memory.block);
    hk_fused_finish(sim);
    hk_free(sim->memory.system_memory);
    hk_orders_finish(sim);
    hk_arena *arena = sim->arena;
    hk_remains_release(sim);
    hk_arena_destroy(arena);
}

void hk_settle_time(hk_sim *sim) {
    HK_ASSERT(sim);
    if (!sim->time.clock) /* it failed before there was any */
        return;
    hk_tick next = *sim->time.clock < sim->time.stop ? *sim->time.clock : sim->time.stop;
    hk_set_seconds(sim, hk_tick_seconds(next, sim->time.ticks_per_second));
}

hk_tick hk_sim_now(const hk_sim *sim) {
    HK_ASSERT(sim);
    return *sim->time.clock;
}

void hk_sim_interrupt(hk_sim *sim) {
    HK_ASSERT(sim);
    atomic_fetch_or_explicit(&sim->safety.asked, HK_ASKED_END, memory_order_relaxed);
}

void hk_sim_yield(hk_sim *sim) {
    HK_ASSERT(sim);
    atomic_fetch_or_explicit(&sim->safety.asked, HK_ASKED_YIELD, memory_order_relaxed);
}

const char *hk_sim_end_reason(const hk_sim *sim) {
    HK_ASSERT(sim);
    return sim->end.reason;
}

uint32_t hk_sim_ended_by(const hk_sim *sim) {
    HK_ASSERT(sim);
    return sim->end.ended && sim->end.reason == sim->end.asked_reason ? sim->end.asker
                                                                      : sim->end.ender;
}

unsigned hk_sim_threads(const hk_sim *sim) {
    HK_ASSERT(sim);
    return sim->threads.team ? sim->options.threads : 1;
}

double hk_sim_worst_late(const hk_sim *sim) {
    HK_ASSERT(sim);
    return sim->profile.worst_late_s;
}

bool hk_sim_read_f64(const hk_sim *sim, uint32_t component, uint32_t variable, double *ret_value) {
    HK_ASSERT(sim && ret_value);
    const hk_engine_port *p = hk_sim_port(sim, component, variable);
    if (!p)
        return false;
    hk_store store = sim->model->components[component].info->variables[variable].store;
    return store != HK_STORE_BYTES && hk_value_convert(HK_STORE_F64, ret_value, store,
                                                       p->borrowed ? p->borrowed : p->address, 1);
}

/* A look at the clock takes time, too: where steps are quick, the samples may add up to more than
 * the whole. Their shares are right. */
static void fit_to_total(hk_profile *p) {
    double known = p->copy_s + p->record_s;
    for (size_t i = 0; i < p->row_count; i++)
        known += p->rows[i].get_s + p->rows[i].set_s + p->rows[i].step_s;
    if (known <= p->total_s)
        return;
    double scale = p->total_s / known;
    p->copy_s *= scale;
    p->record_s *= scale;
    for (size_t i = 0; i < p->row_count; i++) {
        p->rows[i].get_s *= scale;
        p->rows[i].set_s *= scale;
        p->rows[i].step_s *= scale;
    }
}

/* Sampled times are scaled by how many activations, instants or rows each sample stands for. */
const hk_profile *hk_sim_profile(hk_sim *sim) {
    HK_ASSERT(sim);
    hk_profile *p = &sim->profile.report;
    size_t n = sim->model->component_count;
    if (!p->rows)
        p->rows = HK_NEW_ARRAY(sim->arena, hk_profile_row, n);
    double scale = sim->profile.sampled
                       ? (double)sim->profile.instants / (double)sim->profile.sampled * 1e-9
                       : 0;
    for (size_t c = 0; c < n; c++) {
        const hk_profile_tally *t = &sim->profile.tallies[c];
        uint64_t steps = hk_sim_activations(sim, (uint32_t)c);
        double each = t->steps ? (double)steps / (double)t->steps * 1e-9 : 0;
        p->rows[c] = (hk_profile_row){.name = sim->model->components[c].name,
                                      .get_s = t->get_ns * each,
                                      .set_s = t->set_ns * each,
                                      .step_s = t->step_ns * each,
                                      .steps = steps,
                                      .timed = t->steps,
                                      .overran = t->overran};
    }
    p->row_count = n;
    p->copy_s = sim->profile.copy_ns * scale;
    double rows = sim->profile.rows_sampled
                      ? (double)sim->profile.rows / (double)sim->profile.rows_sampled * 1e-9
                      : 0;
    p->record_s = sim->profile.record_ns * rows;
    if (sim->part) { /* who waits for others neither copies nor records */
        p->copy_s += sim->part->copy_s - sim->part->cells_waited_ns * scale;
        p->record_s -= sim->part->rows_waited_ns * rows;
    }
    p->total_s = sim->profile.total_ns * 1e-9;
    p->init_s = sim->profile.init_ns * 1e-9;
    p->instants = sim->profile.instants;
    p->simulated_s =
        hk_tick_seconds(*sim->time.clock - sim->plan->start, sim->plan->ticks_per_second);
    if (!sim->part || !hk_part_records(sim->part)) /* else they are times of several processes */
        fit_to_total(p);
    return p;
}

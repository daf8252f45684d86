/* SPDX-License-Identifier: MIT
 *
 * One run from fresh instances. It depends on the scenario and its number only, so it is the same
 * alone and in a series, here and in another process. */
#include "play/play_internal.h"

#include "base/clock.h"
#include "native/crash_place.h"

#include <hk/random.h>

#include <string.h>

/* Runs of one number in two scenarios draw different numbers, and a scenario that is added changes
 * none of another. */
static uint64_t run_number(const hk_scenario *s, int64_t index) {
    uint64_t name = hk_random_hash_(HK_HASH_SEED, s->name, strlen(s->name));
    return hk_random_spread_(name) + (uint64_t)index;
}

/* The engine asks about ten times a second. */
static void look_around(void *user, double t, double start, double stop) {
    const hk_playing *p = user;
    if (p->stage->part)
        *p->stage->part = stop > start ? (t - start) / (stop - start) : 0;
    if (p->stage->part && p->stage->watch)
        p->stage->watch(p->stage->watch_user);
    if (hk_stage_interrupted(p->stage))
        hk_sim_interrupt(p->sim);
}

/* Values and bindings are there before initialization; all else comes after it. */
static hk_status begin_list(hk_playing *p, const hk_actions *actions) {
    hk_tick start = p->stage->plan->start;
    for (size_t i = 0; i < actions->count; i++) {
        const hk_action *a = &actions->all[i];
        bool before = a->kind == HK_ACTION_SET || a->kind == HK_ACTION_BIND;
        if (before && !a->more)
            hk_action_trace(p, start, "", a->words);
        else if (!before)
            HK_TRY(hk_action_do(p, a, start));
    }
    return HK_OK;
}

static hk_status begin(hk_playing *p) {
    HK_TRY(begin_list(p, &p->stage->simulation->begin));
    return begin_list(p, &p->scene->scenario->begin);
}

/* Every node plays the whole scenario. */
static hk_status begin_on_node(void *user, hk_sim *sim) {
    hk_playing *p = user;
    p->sim = sim;
    return p->stage->options->load_state ? HK_OK : begin(p);
}

static bool is_stopped(void *user) {
    const hk_playing *p = user;
    return hk_stage_interrupted(p->stage);
}

/* The end of the simulation comes once: with the last run of the last scenario. */
static hk_status end(hk_playing *p) {
    const hk_simulation *s = p->stage->simulation;
    const hk_scenario *scenario = p->scene->scenario;
    bool last =
        scenario == &s->scenarios[s->scenario_count - 1] && p->index == scenario->repetitions - 1;
    for (size_t i = 0; i < scenario->end.count; i++)
        HK_TRY(hk_action_do(p, &scenario->end.all[i], p->end_tick));
    for (size_t i = 0; last && i < s->end.count; i++)
        HK_TRY(hk_action_do(p, &s->end.all[i], p->end_tick));
    return HK_OK;
}

/* The scenario first, then who judges, then the logs, then those of the caller. */
static size_t listen(hk_playing *p, hk_listener *ret_listeners) {
    const hk_play_options *o = p->stage->options;
    size_t count = 0;
    ret_listeners[count++] = (hk_listener){.hook = {hk_events_hook, p, hk_events_first(p)},
                                           .progress = {look_around, p},
                                           .keeper = hk_keep(p)};
    count += hk_judge_listen(p, &ret_listeners[count]) ? 1 : 0;
    count += hk_logs_listen(p, &ret_listeners[count]);
    p->own_listeners = count;
    for (size_t i = 0; i < o->listener_count; i++) {
        hk_listener *l = &ret_listeners[count++];
        *l = o->listeners[i];
        l->interval = l->interval ? l->interval : p->scene->step;
    }
    return count;
}

/* Who is stopped in 'begin' is not part of what is compiled, so that the others are. */
static hk_status fuse(hk_playing *p) {
    return p->nodes ? HK_OK : hk_assembly_fuse(p->ctx, p->stage->made, p->sim);
}

/* Up to the first instant. */
static hk_status start(hk_playing *p, hk_play_run *run) {
    const hk_play_options *o = p->stage->options;
    const hk_scene *scene = p->scene;
    hk_playing_learn(p);
    hk_events_begin(p);
    hk_judge_begin(p);
    HK_TRY(hk_logs_open(p, run));
    enum { SCENARIO_AND_JUDGE = 2 };
    hk_listener *listeners = HK_NEW_ARRAY(
        p->scratch, hk_listener, SCENARIO_AND_JUDGE + scene->log_count + o->listener_count);
    hk_sim_options options = {.listeners = listeners,
                              .listener_count = listen(p, listeners),
                              .shaky = scene->shaky,
                              .shaky_count = scene->shaky_count,
                              .observed = scene->observed,
                              .observed_count = scene->observed_count,
                              .seed = p->stage->simulation->seed,
                              .run = run_number(scene->scenario, p->index),
                              .preset = scene->preset,
                              .preset_count = HK_PRESETS,
                              .real_time = o->real_time,
                              .extrapolate = o->extrapolate,
                              .threads = o->threads,
                              .monitor = o->monitor,
                              .timeout_s = o->timeout_s,
                              .allow_nan = o->allow_nan,
                              .allow_stopped = o->allow_stopped,
                              .fmi_logging = o->fmi_logging};
    const hk_nodes_options each = {.prepare = begin_on_node,
                                   .user = p,
                                   .place = hk_crash_place,
                                   .stopped = is_stopped,
                                   .watchdog_s = o->watchdog_s,
                                   .states = {.load = o->load_state,
                                              .checkpoints = o->checkpoint != NULL,
                                              .every = o->checkpoint_every,
                                              .at_end = o->save_state != NULL}};
    hk_started started = {0};
    hk_status status =
        hk_assembly_start(p->ctx, p->stage->made, scene->plan, &options, &each, &started);
    p->sim = started.sim;
    p->nodes = started.nodes;
    hk_logs_start(p);
    HK_TRY(status);
    if (o->checkpoint)
        HK_TRY(hk_snapshot_possible(p->sim, true));
    if (o->save_state) /* better said now than after a long run */
        HK_TRY(hk_snapshot_possible_at_stop(p->sim));
    if (!o->load_state) {
        HK_TRY(begin(p));
        return fuse(p);
    }
    HK_TRY(fuse(p));
    status = hk_started_load(&started, o->load_state);
    p->first = hk_sim_now(p->sim);
    p->unresumed = o->resumes && status != HK_OK;
    return status;
}

/* To the end. */
static hk_status run(hk_playing *p) {
    const hk_play_options *o = p->stage->options;
    if (o->drive)
        return o->drive(o->drive_user, p->sim, p->scene->plan);
    return hk_started_run(&(hk_started){p->sim, p->nodes},
                          &(hk_checkpoints){.path = o->checkpoint,
                                            .every = o->checkpoint_every,
                                            .before = hk_logs_flush,
                                            .user = p,
                                            .left = &p->left});
}

/* What is left to be done when the simulation is over, which came to STATUS. */
static hk_status finish(hk_playing *p, hk_status status) {
    p->end_tick = hk_sim_now(p->sim);
    p->end = hk_tick_seconds(p->end_tick, p->stage->plan->ticks_per_second);
    HK_TRY(p->status); /* the hook's: it ended the run */
    HK_TRY(status);
    if (p->stage->options->node) /* the recorder ends the scenario */
        return HK_OK;
    if (p->stage->options->save_state) {
        HK_TRY(hk_started_save(&(hk_started){p->sim, p->nodes}, p->stage->options->save_state));
        hk_written_note(&p->written, p->stage->options->save_state);
        p->saved = true;
    }
    return end(p);
}

/* Of the recorder: what its nodes did. */
static void tell_nodes(const hk_playing *p, hk_play_run *run) {
    run->messages = hk_nodes_messages(p->nodes);
    if (p->stage->options->node)
        return;
    run->node_count = hk_nodes_count(p->nodes);
    run->nodes = HK_NEW_ARRAY(p->arena, hk_node_about, run->node_count + 1);
    for (unsigned i = 0; i < run->node_count; i++) {
        hk_node_about about = hk_nodes_about(p->nodes, i);
        const char **names = HK_NEW_ARRAY(p->arena, const char *, about.component_count + 1);
        for (size_t c = 0; c < about.component_count; c++)
            names[c] = hk_arena_strdup(p->arena, about.components[c]);
        about.components = names;
        about.members = hk_arena_strdup(p->arena, about.members);
        run->nodes[i] = about;
    }
}

static void tell(hk_playing *p, hk_play_run *run) {
    const hk_plan *plan = p->stage->plan;
    size_t n = p->stage->simulation->model->component_count;
    run->activations = HK_NEW_ARRAY(p->arena, uint64_t, n + 1);
    if (p->sim) {
        for (uint32_t c = 0; c < n; c++)
            run->activations[c] = hk_sim_activations(p->sim, c);
        run->sound = hk_sim_soundness(p->sim);
        run->fused = hk_sim_fused(p->sim);
        run->fused.compiler = run->fused.flags = NULL; /* they end with the simulation */
        run->end_reason = hk_arena_strdup(p->arena, hk_sim_end_reason(p->sim));
        hk_tick now = hk_sim_now(p->sim);
        run->time = hk_tick_seconds(now, plan->ticks_per_second);
        run->seconds_simulated = hk_tick_seconds(now - plan->start, plan->ticks_per_second);
        run->seconds_played = hk_tick_seconds(now - p->first, plan->ticks_per_second);
        if (p->status == HK_OK && run->end_reason && hk_stage_interrupted(p->stage))
            p->status = HK_E_INTERRUPTED;
    }
    if (p->nodes)
        tell_nodes(p, run);
    if (!p->stage->options->node)
        hk_judge_end(p, run);
    const char **trace = HK_NEW_ARRAY(p->arena, const char *, p->trace_count + 1);
    if (p->trace_count)
        memcpy(trace, p->trace, p->trace_count * sizeof *trace);
    run->trace = trace;
    run->trace_count = p->trace_count;
    run->checkpoint = hk_arena_strdup(p->arena, p->stage->options->checkpoint);
    run->left = p->left;
    run->state = p->saved ? hk_arena_strdup(p->arena, p->stage->options->save_state) : NULL;
}

/* What the logs of the run say about it. */
static hk_about say(hk_playing *p, const hk_play_run *run) {
    const hk_plan *plan = p->stage->plan;
    double start = hk_tick_seconds(plan->start, plan->ticks_per_second);
    const char *reason = run->end_reason;
    if (p->status == HK_E_INTERRUPTED)
        reason = "interrupted";
    else if (p->status != HK_OK)
        reason = hk_arena_printf(p->arena, "failed: HK%04d", (int)p->status);
    const hk_model *model = p->stage->simulation->model;
    return (hk_about){.system = model->name,
                      .model = model,
                      .scenario = run->scenario,
                      .run = run->index,
                      .start = start,
                      .end = start + run->seconds_simulated,
                      .ended = reason,
                      .sound = run->sound,
                      .mathematics = p->sim ? hk_mathematics_read(p->arena, p->sim) : NULL,
                      .coverage =
                          p->sim ? hk_coverage_read(p->arena, p->sim, model) : (hk_coverages){0},
                      .fused = p->sim ? hk_sim_fused(p->sim) : (hk_fused_count){0},
                      .contract = p->stage->made->contract};
}

/* What it came to. */
static void end_playing(hk_playing *p, hk_play_run *run) {
    tell(p, run);
    hk_about about = say(p, run);
    if (!p->stage->options->node)
        hk_told_all(p, run, &about);
    hk_status closed = hk_logs_close(p, run, p->sim && !p->unresumed ? &about : NULL);
    run->status = p->status == HK_OK ? closed : p->status;
    run->seconds_taken = 1e-9 * (double)(hk_clock_ns() - p->began);
}

/* Components run code when they are freed: the logs are looked at again after that. */
static void release_playing(hk_playing *p, hk_play_run *run) {
    hk_started_destroy(&(hk_started){p->sim, p->nodes});
    hk_status kept = hk_written_check(p->ctx, &p->written);
    run->status = run->status == HK_OK ? kept : run->status;
    hk_free(p->layers);
    hk_free(p->ramps);
    hk_free(p->known);
    hk_free(p->trace);
    hk_arena_destroy(p->scratch);
}

static void open_playing(hk_ctx *ctx, hk_arena *arena, const hk_stage *stage, hk_run_key key,
                         hk_playing *p, hk_play_run *run) {
    *p = (hk_playing){.ctx = ctx,
                      .arena = arena,
                      .scratch = hk_arena_create(),
                      .stage = stage,
                      .scene = &stage->scenes[key.scenario],
                      .index = key.index,
                      .began = hk_clock_ns(),
                      .first = stage->plan->start};
    *run = (hk_play_run){.scenario = hk_arena_strdup(arena, p->scene->scenario->name),
                         .index = key.index};
}

void hk_run_play(hk_ctx *ctx, hk_arena *arena, const hk_stage *stage, hk_run_key key,
                 hk_play_run *ret_run) {
    HK_ASSERT(ctx && arena && stage && ret_run);
    HK_ASSERT(key.scenario < stage->simulation->scenario_count);
    HK_ASSERT(key.index >= 0);
    hk_playing p;
    open_playing(ctx, arena, stage, key, &p, ret_run);
    p.status = start(&p, ret_run);
    if (p.status == HK_OK)
        p.status = finish(&p, run(&p));
    end_playing(&p, ret_run);
    release_playing(&p, ret_run);
}

/* ---- a run that the caller advances ---- */

struct hk_performance {
    hk_arena *arena;
    hk_stage *stage;
    hk_playing playing;
    hk_play_run run;
    hk_status status; /* of the engine */
    bool began, ended;
};

static hk_status begin_performance(hk_ctx *ctx, hk_performance *x, const hk_assembly *made,
                                   const hk_play_options *options) {
    const hk_simulation *s = made->simulation;
    HK_TRY(hk_play_check(ctx, s, options));
    hk_run_key key = {hk_scenario_index(s, options->scenario), options->only_run};
    HK_TRY(hk_stage_make(ctx, made, options, &x->stage));
    open_playing(ctx, x->arena, x->stage, key, &x->playing, &x->run);
    x->began = true;
    return x->playing.status = start(&x->playing, &x->run);
}

hk_status hk_performance_begin(hk_ctx *ctx, const hk_assembly *made, const hk_play_options *options,
                               hk_performance **ret_performance) {
    HK_ASSERT(ctx && made && options && ret_performance);
    HK_ASSERT(made->simulation && made->plan);
    hk_arena *arena = hk_arena_create();
    hk_performance *x = HK_NEW(arena, hk_performance);
    x->arena = arena;
    hk_status status = begin_performance(ctx, x, made, options);
    if (status != HK_OK) {
        hk_performance_destroy(x);
        return status;
    }
    *ret_performance = x;
    return HK_OK;
}

hk_sim *hk_performance_sim(const hk_performance *performance) {
    HK_ASSERT(performance);
    return performance->playing.sim;
}

void hk_performance_end_rows(hk_performance *performance, size_t listener) {
    HK_ASSERT(performance);
    const hk_playing *p = &performance->playing;
    HK_ASSERT(listener < p->stage->options->listener_count);
    hk_sim_end_rows(p->sim, p->own_listeners + listener);
}

hk_status hk_performance_run(hk_performance *performance, hk_tick until) {
    HK_ASSERT(performance);
    hk_playing *p = &performance->playing;
    performance->status = hk_sim_run_until(p->sim, until);
    return p->status != HK_OK ? p->status : performance->status; /* the hook's first: it ended it */
}

const hk_play_run *hk_performance_end(hk_performance *performance) {
    HK_ASSERT(performance);
    hk_playing *p = &performance->playing;
    if (performance->began && !performance->ended) {
        performance->ended = true;
        if (p->sim && p->status == HK_OK)
            p->status = finish(p, performance->status);
        end_playing(p, &performance->run);
    }
    return &performance->run;
}

void hk_performance_destroy(hk_performance *performance) {
    if (!performance)
        return;
    (void)hk_performance_end(performance);
    if (performance->began)
        release_playing(&performance->playing, &performance->run);
    hk_stage_destroy(performance->stage);
    hk_arena_destroy(performance->arena); /* it lives in it */
}

/* SPDX-License-Identifier: MIT
 *
 * The contracts of a plan. That its program brings what the lags name is proved in
 * program_proof.c. Whether that keeps the contracts is another question: with several rates a stamp
 * is not one of two times, so it is looked at activation by activation, over the transient and one
 * hyperperiod.
 *
 * A value is stamped with the end of the activation that made it. It keeps the contract if it does
 * not hold for later than the instant at which it is seen (unless 'current' was asked for), and if
 * its source has no newer one that holds by then. A declared delay moves the instant. */
#include "base/number.h"
#include "plan/ages.h"
#include "sound/program_proof.h"
#include "sound/sound.h"

enum { ACTIVATIONS_MAX = 1000000, NOTES_MAX = 8 };

typedef struct work {
    hk_ctx *ctx;
    const hk_plan *plan;
    hk_arena *arena;
    int64_t left; /* activations that may still be looked at */
    size_t notes, broken;
} work;

static const char *seconds(const work *w, hk_tick tick) {
    char text[HK_NUMBER_MAX + 1];
    text[hk_write_f64(hk_tick_seconds(tick, w->plan->ticks_per_second), text)] = '\0';
    return hk_arena_strdup(w->arena, text);
}

static const char *end_name(const work *w, uint32_t component, uint32_t variable) {
    const hk_component *c = &w->plan->model->components[component];
    return hk_arena_printf(w->arena, "%s.%s", c->name, c->info->variables[variable].name);
}

static const char *connection_name(const work *w, const hk_connection *k) {
    return hk_arena_printf(w->arena, "%s -> %s", end_name(w, k->from_component, k->from_variable),
                           end_name(w, k->to_component, k->to_variable));
}

static hk_where where_of(const work *w, const hk_connection *k) {
    hk_where where = k->where;
    where.element = hk_arena_printf(w->arena, "connection %s", connection_name(w, k));
    return where;
}

static bool asks_for_current(const work *w, const hk_connection *k) {
    return hk_connection_lag(k, w->plan->algorithm) == HK_LAG_CURRENT;
}

/* What is wrong with the value that is seen at T, made by the activation at S; NULL: nothing. */
static const char *judge(const work *w, const hk_connection *k, hk_tick delay, hk_tick t,
                         hk_tick s) {
    const hk_plan_component *from = &w->plan->components[k->from_component];
    bool at_end = w->plan->model->components[k->from_component].info->stamp == HK_STAMP_END;
    hk_tick stamp = s + from->period, now = t - delay;
    if (s == t && from->level >= w->plan->components[k->to_component].level)
        return hk_arena_printf(w->arena,
                               "at %s s it is to bring a value of the same instant, but '%s' does "
                               "not run first",
                               seconds(w, t), w->plan->model->components[k->from_component].name);
    if (now - stamp >= from->period)
        return hk_arena_printf(w->arena,
                               "at %s s it brings a value of %s s, though there is a newer one",
                               seconds(w, t), seconds(w, stamp));
    if (at_end && stamp > now && !asks_for_current(w, k))
        return hk_arena_printf(w->arena, "at %s s it brings a value that holds at %s s only",
                               seconds(w, t), seconds(w, stamp));
    return NULL;
}

static void check_ages(work *w, uint32_t connection) {
    const hk_connection *k = &w->plan->model->connections[connection];
    hk_chain chain = {.hops = &connection, .count = 1};
    hk_window window = hk_age_window(w->plan, &chain, 1);
    hk_tick delay = 0;
    if (!hk_tick_from_ratio(k->delay, w->plan->ticks_per_second, &delay))
        delay = 0; /* the plan has refused it */
    for (hk_tick t = window.first; t < window.end && w->left > 0; t += window.period, w->left--) {
        if (!hk_age_executed(w->plan, k->to_component, t))
            continue;
        hk_tick s = hk_age_seen(w->plan, connection, t);
        const char *wrong = s == HK_ORIGIN_INITIAL ? NULL : judge(w, k, delay, t, s);
        if (!wrong)
            continue;
        hk_warn(w->ctx, HK_E_UNSOUND, where_of(w, k),
                "give it another lag, or declare the delay that is meant",
                "the contract of the input is not kept: %s", wrong);
        w->broken++;
        return;
    }
}

/* Does OUTPUT depend on INPUT without delay, as its component says? */
static bool depends_on(const hk_variable *output, uint32_t input) {
    for (size_t i = 0; output->depends.known && i < output->depends.count; i++)
        if (output->depends.on[i] == input)
            return true;
    return false;
}

/* In a system that has no words for lags only the algorithm can change one. */
static const char *remedy(const hk_plan *plan) {
    if (!plan->model->from_osp)
        return " ('current' avoids that)";
    return plan->algorithm == HK_JACOBI ? " (--algorithm gauss-seidel avoids that)" : "";
}

/* An output that acts at once on an input that is late is late itself. That is what such a plan
 * means, so it is only noted. */
static void note_feedthrough(work *w, uint32_t connection) {
    const hk_connection *k = &w->plan->model->connections[connection];
    const hk_info *info = w->plan->model->components[k->to_component].info;
    if (w->plan->connections[connection].lag == 0 || info->stamp != HK_STAMP_END)
        return;
    for (uint32_t v = 0; v < info->variable_count; v++) {
        if (info->variables[v].causality != HK_OUTPUT ||
            !depends_on(&info->variables[v], k->to_variable))
            continue;
        if (w->notes++ < NOTES_MAX)
            hk_note(w->ctx, where_of(w, k),
                    "%s depends on this input without delay, but gets its value of the beginning "
                    "of the step: what it gives for the end is one step late%s",
                    end_name(w, k->to_component, v), remedy(w->plan));
        return;
    }
}

/* What the engine will call. */
static hk_status check_calls(work *w) {
    hk_where where = {.file = w->plan->model->file};
    hk_program *program = hk_program_make(w->plan, NULL);
    hk_program_proof proof = hk_program_prove(w->arena, program);
    hk_program_destroy(program);
    if (proof.limited)
        hk_note(w->ctx, where,
                "the calls of the plan were looked at for %llu activations only: the hyperperiod "
                "is long",
                (unsigned long long)proof.activations);
    if (proof.right)
        return HK_OK;
    return hk_error(w->ctx, HK_E_UNSOUND, where, NULL,
                    "the calls of the plan do not keep the contracts: %s", proof.why);
}

const char *hk_sound_plan_words(hk_arena *arena, size_t broken) {
    static const char kept[] = "the plan keeps the contracts of its components";
    return broken ? hk_arena_printf(arena, "%s, but for %zu connection%s", kept, broken,
                                    broken == 1 ? "" : "s")
                  : kept;
}

static hk_status check_order(hk_ctx *ctx, const hk_plan *plan, size_t *broken) {
    work w = {.ctx = ctx, .plan = plan, .arena = hk_arena_create(), .left = ACTIVATIONS_MAX};
    const hk_where where = {.file = plan->model->file};
    size_t count = plan->model->connection_count, looked_at = 0;
    hk_status status = check_calls(&w);
    for (uint32_t i = 0; i < count && w.left > 0; i++, looked_at++)
        check_ages(&w, i);
    if (w.left <= 0)
        hk_note(ctx, where,
                "the contracts were checked for %d activations only, which is %zu of %zu "
                "connections: the hyperperiod is long",
                ACTIVATIONS_MAX, looked_at, count);
    for (uint32_t i = 0; i < count; i++)
        note_feedthrough(&w, i);
    if (w.notes > NOTES_MAX)
        hk_note(ctx, where, "and %zu more connections into outputs that depend on them",
                w.notes - NOTES_MAX);
    *broken += w.broken;
    hk_arena_destroy(w.arena);
    return status;
}

/* Each order of the plan is one that a run may go by. */
hk_status hk_sound_check_plan(hk_ctx *ctx, const hk_plan *plan, size_t *ret_broken) {
    hk_status status = HK_OK;
    size_t broken = 0;
    for (size_t i = 0; i < plan->order_count && status == HK_OK; i++) {
        if (i)
            hk_note(ctx, (hk_where){.file = plan->model->file}, "the same in the order with %s",
                    plan->orders[i]->order_name);
        status = check_order(ctx, plan->orders[i], &broken);
    }
    if (ret_broken)
        *ret_broken = broken;
    return status;
}

/* SPDX-License-Identifier: MIT
 *
 * Constraints on the age of data, checked on the plan. A path names components; between two of them
 * there may be several hops (connections and services), with different lags. So a path stands for
 * all its chains of hops that differ in a lag, and a constraint must hold for each of them. */
#include "plan/constraints.h"

#include <stdio.h>
#include <string.h>

enum { CHAINS_MAX = HK_CHAINS_MAX };

/* Of hops with one lag and one kind one is enough. */
static bool is_twin(const hk_plan *plan, uint32_t a, uint32_t b) {
    return hk_plan_hop(plan, a).lag == hk_plan_hop(plan, b).lag &&
           !hk_hop_dependency(plan, a) == !hk_hop_dependency(plan, b);
}

/* Hops from A to B that differ: one of each. */
static size_t hops_between(const hk_plan *plan, uint32_t a, uint32_t b, uint32_t *ret_hops) {
    size_t n = 0;
    for (uint32_t i = 0; i < hk_hop_count(plan) && n < CHAINS_MAX; i++) {
        hk_hop hop = hk_plan_hop(plan, i);
        if (hop.from != a || hop.to != b)
            continue;
        bool known = false;
        for (size_t j = 0; j < n; j++)
            known = known || is_twin(plan, ret_hops[j], i);
        if (!known)
            ret_hops[n++] = i;
    }
    return n;
}

/* All chains of a path: each chain so far is continued by each of the next hops. None: it leads
 * nowhere. *ALL counts those that there are, of which the first ones are looked at. */
static size_t chains_of(hk_arena *arena, const hk_plan *plan, const hk_path *path,
                        hk_chain *ret_chains, uint64_t *all_count) {
    uint32_t hops[CHAINS_MAX];
    size_t n = 1;
    uint64_t product = 1;
    size_t length = path->count - 1;
    uint32_t *all = HK_NEW_ARRAY(arena, uint32_t, CHAINS_MAX * length);
    for (size_t h = 0; h < length; h++) {
        size_t choices = hops_between(plan, path->components[h], path->components[h + 1], hops);
        size_t before = n;
        if (!choices)
            return 0;
        if (__builtin_mul_overflow(product, choices, &product))
            product = UINT64_MAX;
        for (size_t c = 1; c < choices && n < CHAINS_MAX; c++)
            for (size_t i = 0; i < before && n < CHAINS_MAX; i++, n++) {
                memcpy(all + n * length, all + i * length, h * sizeof *all);
                all[n * length + h] = hops[c];
            }
        for (size_t i = 0; i < before; i++)
            all[i * length + h] = hops[0];
    }
    for (size_t i = 0; i < n; i++)
        ret_chains[i] = (hk_chain){all + i * length, length};
    if (__builtin_add_overflow(*all_count, product, all_count))
        *all_count = UINT64_MAX;
    return n;
}

hk_ages hk_age_path(const hk_plan *plan, const hk_path *path) {
    HK_ASSERT(plan && path);
    hk_arena *arena = hk_arena_create();
    hk_chain chains[CHAINS_MAX];
    hk_ages all = {0};
    size_t n = chains_of(arena, plan, path, chains, &all.chains);
    for (size_t i = 0; i < n; i++) {
        hk_ages one = hk_age_chain(plan, chains[i]);
        if (one.has_initial && (!all.has_initial || one.initial_until > all.initial_until))
            all.initial_until = one.initial_until;
        all.has_initial = all.has_initial || one.has_initial;
        if (!one.any)
            continue;
        all.min = all.any && all.min < one.min ? all.min : one.min;
        all.max = all.any && all.max > one.max ? all.max : one.max;
        all.any = true;
    }
    hk_arena_destroy(arena);
    return all;
}

static hk_tick limit_ticks(const hk_plan *plan, hk_ratio limit, bool is_max) {
    /* Limits need not lie on the grid of ticks: max is rounded down, min up. */
    double ticks = hk_ratio_to_double(limit) * (double)plan->ticks_per_second;
    hk_tick exact;
    if (hk_tick_from_ratio(limit, plan->ticks_per_second, &exact))
        return exact;
    hk_tick below = (hk_tick)ticks;
    return is_max ? below : below + 1;
}

static bool breaks_limits(const hk_plan *plan, const hk_constraint *c, hk_tick age) {
    return (c->has_max && age > limit_ticks(plan, c->max, true)) ||
           (c->has_min && age < limit_ticks(plan, c->min, false));
}

static uint32_t sink_of(const hk_path *path) {
    return path->components[path->count - 1];
}

static bool latency_holds(const hk_plan *plan, const hk_constraint *c, hk_arena *arena,
                          hk_violation *ret) {
    hk_chain chains[CHAINS_MAX];
    size_t n = chains_of(arena, plan, &c->paths[0], chains, &ret->chains);
    for (size_t i = 0; i < n; i++) {
        hk_window w = hk_age_window(plan, &chains[i], 1);
        ret->cut = ret->cut || w.cut;
        for (hk_tick t = w.first; t < w.end; t += w.period) {
            hk_tick origin = hk_age_origin(plan, chains[i], t);
            if (origin == HK_ORIGIN_INITIAL || !breaks_limits(plan, c, t - origin) ||
                !hk_age_executed(plan, sink_of(&c->paths[0]), t))
                continue;
            *ret = (hk_violation){.at = t, .origin = {origin, origin}, .path = {0, 0}};
            return false;
        }
    }
    return true;
}

static bool coincidence_holds(const hk_plan *plan, const hk_constraint *c, hk_arena *arena,
                              hk_violation *ret) {
    hk_chain chains[CHAINS_MAX];
    size_t of_path[CHAINS_MAX];
    size_t n = 0;
    for (size_t p = 0; p < c->path_count; p++) {
        hk_chain some[CHAINS_MAX];
        size_t count = chains_of(arena, plan, &c->paths[p], some, &ret->chains);
        for (size_t i = 0; i < count && n < CHAINS_MAX; i++, n++) {
            chains[n] = some[i];
            of_path[n] = p;
        }
    }
    if (!n) /* nobody calls whom these paths lead through */
        return true;
    hk_window w = hk_age_window(plan, chains, n);
    ret->cut = w.cut;
    for (hk_tick t = w.first; t < w.end; t += w.period) {
        hk_tick first = hk_age_origin(plan, chains[0], t);
        for (size_t i = 1; i < n; i++) {
            hk_tick origin = hk_age_origin(plan, chains[i], t);
            if (origin == first || !hk_age_executed(plan, sink_of(&c->paths[0]), t))
                continue;
            /* The first difference that is not about initial values tells more; look on for it. */
            bool initial = origin == HK_ORIGIN_INITIAL || first == HK_ORIGIN_INITIAL;
            if (!ret->found || ret->initial) {
                *ret = (hk_violation){.found = true,
                                      .initial = initial,
                                      .at = t,
                                      .origin = {first, origin},
                                      .path = {of_path[0], of_path[i]}};
            }
            if (!initial)
                return false;
        }
    }
    return !ret->found;
}

static bool freshness_holds(const hk_plan *plan, const hk_constraint *c, hk_violation *ret) {
    uint32_t sink = c->paths[0].components[0];
    for (uint32_t i = 0; i < hk_hop_count(plan); i++) {
        if (hk_plan_hop(plan, i).to != sink)
            continue;
        hk_chain chain = {&i, 1};
        hk_window w = hk_age_window(plan, &chain, 1);
        ret->cut = ret->cut || w.cut;
        for (hk_tick t = w.first; t < w.end; t += w.period) {
            hk_tick origin = hk_age_seen(plan, i, t);
            if (origin == HK_ORIGIN_INITIAL || !breaks_limits(plan, c, t - origin) ||
                !hk_age_executed(plan, sink, t))
                continue;
            *ret = (hk_violation){.at = t, .origin = {origin, origin}, .hop = i};
            return false;
        }
    }
    return true;
}

/* The model knows a way between all neighbours on a path; the plan knows services that are bound.
 */
static bool paths_lead(const hk_plan *plan, const hk_constraint *c, hk_violation *ret) {
    uint32_t hops[CHAINS_MAX];
    for (size_t p = 0; p < c->path_count; p++)
        for (size_t i = 0; i + 1 < c->paths[p].count; i++) {
            const uint32_t *at = &c->paths[p].components[i];
            if (hops_between(plan, at[0], at[1], hops))
                continue;
            *ret = (hk_violation){.missing = true, .path = {p, i}};
            return false;
        }
    return true;
}

bool hk_constraint_holds(const hk_plan *plan, const hk_constraint *constraint, hk_violation *ret) {
    HK_ASSERT(plan && constraint && ret);
    hk_arena *arena = hk_arena_create();
    hk_violation violation = {0};
    bool holds = true;
    if (!paths_lead(plan, constraint, &violation)) {
        hk_arena_destroy(arena);
        *ret = violation;
        return false;
    }
    switch (constraint->kind) {
    case HK_LATENCY:
        holds = latency_holds(plan, constraint, arena, &violation);
        break;
    case HK_COINCIDENCE:
        holds = coincidence_holds(plan, constraint, arena, &violation);
        break;
    case HK_FRESHNESS:
        holds = freshness_holds(plan, constraint, &violation);
        break;
    }
    hk_arena_destroy(arena);
    *ret = violation;
    return holds;
}

/* "0.04 s" of a tick, "20 ms" of a duration; each lives in the plan's arena. */
static const char *instant(const hk_plan *plan, hk_tick t) {
    hk_ratio r = {0, 1};
    char text[48];
    bool fits = hk_ratio_make(t, plan->ticks_per_second, &r);
    return hk_arena_printf(plan->arena, "%s s", fits ? hk_ratio_format(r, text) : "?");
}

static const char *origin_text(const hk_plan *plan, hk_tick t, hk_tick origin) {
    if (origin == HK_ORIGIN_INITIAL)
        return "its initial value";
    return hk_arena_printf(plan->arena, "its activation of t = %s (age %s)", instant(plan, origin),
                           instant(plan, t - origin));
}

static void report_latency(hk_ctx *ctx, const hk_plan *plan, const hk_constraint *c,
                           const hk_violation *v, const char *what, const char *hint) {
    hk_tick age = v->at - v->origin[0];
    bool old = c->has_max && age > limit_ticks(plan, c->max, true);
    char text[48];
    hk_error(ctx, HK_E_LATENCY, c->where, hint,
             "%s has the age %s at t = %s, %s than the %s of %s s", what, instant(plan, age),
             instant(plan, v->at), old ? "more" : "less", old ? "max" : "min",
             hk_ratio_format(old ? c->max : c->min, text));
}

static void report(hk_ctx *ctx, const hk_plan *plan, const hk_constraint *c,
                   const hk_violation *v) {
    const hk_model *model = plan->model;
    if (v->missing) {
        const uint32_t *at = &c->paths[v->path[0]].components[v->path[1]];
        hk_error(ctx, HK_E_LATENCY, c->where, "bind it in a scenario",
                 "the path '%s' leads nowhere: no service that '%s' calls is bound to '%s'",
                 hk_model_path_name(model, &c->paths[v->path[0]]), model->components[at[1]].name,
                 model->components[at[0]].name);
        return;
    }
    const char *hint = hk_constraint_repair(plan, c);
    if (!hint)
        hint = "no other lag of one connection is enough: change a delay, a period or an offset";
    if (c->kind == HK_COINCIDENCE) {
        const hk_path *first = &c->paths[v->path[0]], *second = &c->paths[v->path[1]];
        uint32_t source = first->components[0], other = second->components[0];
        const char *named =
            source == other ? ""
                            : hk_arena_printf(plan->arena, " '%s'", model->components[other].name);
        hk_error(
            ctx, HK_E_COINCIDENCE, c->where, hint,
            "the paths '%s' and '%s' do not coincide: at t = %s the first brings '%s' with %s, "
            "the second%s with %s",
            hk_model_path_name(model, first), hk_model_path_name(model, second),
            instant(plan, v->at), model->components[source].name,
            origin_text(plan, v->at, v->origin[0]), named, origin_text(plan, v->at, v->origin[1]));
    } else if (c->kind == HK_LATENCY) {
        report_latency(
            ctx, plan, c, v,
            hk_arena_printf(plan->arena, "the path '%s'", hk_model_path_name(model, &c->paths[0])),
            hint);
    } else {
        report_latency(ctx, plan, c, v,
                       hk_arena_printf(plan->arena, "%s%s",
                                       hk_hop_dependency(plan, v->hop) ? "" : "the connection ",
                                       hk_hop_name(plan, v->hop)),
                       hint);
    }
}

/* The first order of the plan in which a constraint does not hold; NULL: it does in all, and what
 * was not looked at in any of them is reported. */
static const hk_plan *broken_in(const hk_plan *plan, const hk_constraint *c, hk_violation *ret) {
    uint64_t chains = 0;
    bool cut = false;
    for (size_t i = 0; i < plan->order_count; i++) {
        if (!hk_constraint_holds(plan->orders[i], c, ret))
            return plan->orders[i];
        chains = ret->chains > chains ? ret->chains : chains;
        cut = cut || ret->cut;
    }
    ret->chains = chains;
    ret->cut = cut;
    return NULL;
}

static void warn_cut(hk_ctx *ctx, const hk_plan *plan, const hk_constraint *c) {
    hk_warn(ctx, HK_E_SCHEDULE, c->where, "periods with common multiples repeat sooner",
            "this holds at the first %d activations of '%s', but not all are looked at: their ages "
            "repeat only later",
            HK_WINDOW_ACTIVATIONS, plan->model->components[sink_of(&c->paths[0])].name);
}

/* How many of its chains a constraint was looked at with, if not with all. */
static void warn_chains(hk_ctx *ctx, const hk_constraint *c, uint64_t chains) {
    hk_warn(ctx, HK_E_SCHEDULE, c->where, "split the path, or give its connections one lag",
            "this holds for %d of the %s%llu chains of connections that its path%s for; the others "
            "are not looked at",
            HK_CHAINS_MAX, chains == UINT64_MAX ? "more than " : "",
            (unsigned long long)(chains == UINT64_MAX ? chains - 1 : chains),
            c->path_count > 1 ? "s stand" : " stands");
}

hk_status hk_plan_check_constraints(hk_ctx *ctx, const hk_plan *plan) {
    HK_ASSERT(ctx && plan);
    hk_status status = HK_OK;
    for (size_t i = 0; i < plan->model->constraint_count; i++) {
        const hk_constraint *c = &plan->model->constraints[i];
        hk_violation v;
        const hk_plan *broken = broken_in(plan, c, &v);
        if (!broken && v.cut)
            warn_cut(ctx, plan, c);
        if (!broken && v.chains > HK_CHAINS_MAX)
            warn_chains(ctx, c, v.chains);
        if (!broken)
            continue;
        report(ctx, broken, c, &v);
        if (plan->order_count > 1)
            hk_note(ctx, c->where, "so it is in the order with %s", broken->order_name);
        status = status == HK_OK ? c->kind == HK_COINCIDENCE ? HK_E_COINCIDENCE : HK_E_LATENCY
                                 : HK_E_CHECK_FAILED;
    }
    return status;
}

void hk_plan_warn_constraints(hk_ctx *ctx, const hk_plan *plan) {
    HK_ASSERT(ctx && plan);
    const hk_model *model = plan->model;
    size_t broken = 0;
    for (size_t i = 0; i < model->constraint_count; i++) {
        hk_violation violation;
        const hk_constraint *c = &model->constraints[i];
        if (broken_in(plan, c, &violation))
            broken++;
        else if (violation.chains > HK_CHAINS_MAX)
            warn_chains(ctx, c, violation.chains);
    }
    if (broken)
        hk_warn(ctx, HK_E_SCHEDULE, HK_NOWHERE, "'hocket check' says which, and why",
                model->constraint_count == 1 ? "the constraint on ages does not hold"
                : broken == 1                ? "%zu of %zu constraints on ages does not hold"
                                             : "%zu of %zu constraints on ages do not hold",
                broken, model->constraint_count);
}

/* SPDX-License-Identifier: MIT
 *
 * What an assignment of components to processors is worth. Only the lags are planned for it:
 * periods and offsets are those of the plan without processors, and nothing else is asked for. */
#include "plan/allocate_internal.h"
#include "plan/plan_internal.h"
#include "plan/variant.h"

#include <stdlib.h>
#include <string.h>

static bool is_current(const hk_allocator *a, const hk_connection *k) {
    return hk_connection_lag(k, a->algorithm) == HK_LAG_CURRENT;
}

/* The order in which components run: of two in one processor, the one that the plan without
 * processors puts first. */
static void find_sequence(hk_allocator *a) {
    const hk_plan_component *p = a->base->components;
    const hk_component *c = a->model->components;
    uint32_t *first = hk_alloc(((size_t)a->base->level_count + 1) * sizeof *first);
    for (uint32_t i = 0; i < a->count; i++)
        first[p[i].level + 1]++;
    for (uint32_t l = 0; l < a->base->level_count; l++)
        first[l + 1] += first[l];
    uint32_t *filled = hk_alloc(((size_t)a->base->level_count + 1) * sizeof *filled);
    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t *level = a->sequence + first[p[i].level];
        uint32_t at = filled[p[i].level]++;
        for (; at > 0 && c[level[at - 1]].priority > c[i].priority; at--)
            level[at] = level[at - 1];
        level[at] = i;
    }
    hk_free(filled);
    hk_free(first);
}

enum { COST_MAX_SECONDS = 1000 * 1000 };

static hk_status cost_ns(hk_ctx *ctx, const hk_allocator *a, const hk_ratio *costs, uint32_t i,
                         uint64_t *ret_ns) {
    if (!costs) {
        *ret_ns = 1000;
        return HK_OK;
    }
    hk_ratio c = costs[i];
    char text[48];
    if (c.num < 0 || hk_ratio_compare(c, (hk_ratio){COST_MAX_SECONDS, 1}) > 0)
        return hk_error(ctx, HK_E_TIME, a->model->components[i].where,
                        "costs are seconds of computation per activation",
                        "the cost %s s of component '%s' is negative or too large",
                        hk_ratio_format(c, text), a->model->components[i].name);
    hk_weight den = (hk_weight)c.den;
    *ret_ns = (uint64_t)(((hk_weight)c.num * 1000000000 + den / 2) / den);
    return HK_OK;
}

/* H: the least common multiple of all periods; if it is too long, a power of two, and weights are
 * rounded. */
static hk_weight common_period(const hk_allocator *a, bool *ret_exact) {
    const hk_weight limit = (hk_weight)1 << 48;
    hk_weight h = 1;
    *ret_exact = true;
    for (uint32_t i = 0; i < a->count; i++) {
        hk_tick period = a->base->components[i].period;
        uint64_t rest = (uint64_t)h % (uint64_t)period; /* so far h is below the limit */
        h = h * (uint64_t)(period / hk_gcd(period, (int64_t)rest));
        if (h > limit) {
            *ret_exact = false;
            return limit;
        }
    }
    return h;
}

typedef struct weighed {
    hk_weight weight;
    uint32_t component;
} weighed;

static int heavier_first(const void *x, const void *y) {
    const weighed *p = x;
    const weighed *q = y;
    if (p->weight != q->weight)
        return p->weight > q->weight ? -1 : 1;
    return p->component < q->component ? -1 : p->component > q->component;
}

static hk_status find_weights(hk_ctx *ctx, hk_allocator *a, const hk_ratio *costs) {
    bool exact;
    hk_weight h = common_period(a, &exact);
    weighed *sorted = HK_NEW_ARRAY(a->arena, weighed, a->count);
    for (uint32_t i = 0; i < a->count; i++) {
        uint64_t cost = 0;
        HK_TRY(cost_ns(ctx, a, costs, i, &cost));
        hk_weight period = (hk_weight)a->base->components[i].period;
        a->weight[i] = exact ? cost * (h / period) : cost * h / period;
        a->total += a->weight[i];
        sorted[i] = (weighed){a->weight[i], i};
    }
    qsort(sorted, a->count, sizeof *sorted, heavier_first);
    for (uint32_t i = 0; i < a->count; i++)
        a->by_weight[i] = sorted[i].component;
    a->load_unit = (double)a->base->ticks_per_second / (double)h / 1e9;
    return HK_OK;
}

static bool on_path(const hk_constraint *c, hk_hop k) {
    if (c->kind == HK_FRESHNESS)
        return k.to == c->paths[0].components[0];
    for (size_t p = 0; p < c->path_count; p++)
        for (size_t i = 0; i + 1 < c->paths[p].count; i++)
            if (k.from == c->paths[p].components[i] && k.to == c->paths[p].components[i + 1])
                return true;
    return false;
}

static void make_memo(hk_allocator *a, const hk_constraint *c, hk_memo *memo) {
    memo->hops = HK_NEW_ARRAY(a->arena, uint32_t, hk_hop_count(a->base));
    for (uint32_t i = 0; i < hk_hop_count(a->base); i++)
        if (on_path(c, hk_plan_hop(a->base, i)))
            memo->hops[memo->count++] = i;
    memo->lags = HK_NEW_ARRAY(a->arena, hk_tick, HK_MEMO_SLOTS * memo->count);
}

bool hk_allocator_holds(hk_allocator *a, uint32_t constraint) {
    HK_ASSERT(a);
    HK_ASSERT(constraint < a->model->constraint_count);
    hk_memo *m = &a->memos[constraint];
    for (size_t s = 0; s < m->used; s++) {
        const hk_tick *lags = m->lags + s * m->count;
        size_t i = 0;
        while (i < m->count && lags[i] == hk_plan_hop(a->plan, m->hops[i]).lag)
            i++;
        if (i == m->count)
            return m->holds[s];
    }
    hk_violation v;
    bool holds = hk_constraint_holds(a->plan, &a->model->constraints[constraint], &v);
    size_t slot = m->next++ % HK_MEMO_SLOTS;
    m->used = m->used < HK_MEMO_SLOTS ? m->used + 1 : m->used;
    for (size_t i = 0; i < m->count; i++)
        m->lags[slot * m->count + i] = hk_plan_hop(a->plan, m->hops[i]).lag;
    m->holds[slot] = holds;
    return holds;
}

/* Makes *H a multiple of PERIOD; false if it would not fit into SPAN. */
static bool widen(hk_tick *h, hk_tick period, hk_tick span) {
    hk_tick factor = period / hk_gcd(*h, period);
    if (factor > span / *h)
        return false;
    *h *= factor;
    return true;
}

/* True if the run is long enough for every age of a constraint to show, whatever the lags: an age
 * that is seen only after the end breaks nothing. */
static bool runs_long_enough(const hk_allocator *a, const hk_memo *m) {
    hk_tick rest = a->base->stop - a->base->start, h = 1;
    for (size_t i = 0; i < m->count; i++) {
        hk_hop hop = hk_plan_hop(a->base, m->hops[i]);
        hk_tick from = a->base->components[hop.from].period;
        hk_tick to = a->base->components[hop.to].period;
        hk_tick lag = hop.lag;
        if (!widen(&h, from, rest / 8) || !widen(&h, to, rest / 8) || lag > rest / 8)
            return false;
        /* A lag is at most a period more than the one without processors. */
        rest -= lag + 3 * from + to;
    }
    return rest >= h;
}

/* The lags without processors, for the plan under test. */
static void take_lags(hk_allocator *a) {
    if (a->model->connection_count)
        memcpy(a->plan->connections, a->base->connections,
               a->model->connection_count * sizeof *a->plan->connections);
    if (a->base->dependency_count)
        memcpy(a->plan->dependencies, a->base->dependencies,
               a->base->dependency_count * sizeof *a->plan->dependencies);
}

/* Who calls somebody must be where that is. */
static void find_groups(hk_allocator *a) {
    a->group = HK_NEW_ARRAY(a->arena, uint32_t, a->count);
    for (uint32_t i = 0; i < a->count; i++)
        a->group[i] = i;
    for (uint32_t d = 0; d < a->base->dependency_count; d++) {
        const hk_plan_dependency *k = &a->base->dependencies[d];
        uint32_t one = a->group[k->from], other = a->group[k->to];
        uint32_t first = one < other ? one : other;
        for (uint32_t i = 0; i < a->count && one != other; i++)
            if (a->group[i] == one || a->group[i] == other)
                a->group[i] = first;
    }
}

/* Proves that no allocation satisfies a constraint, where that is easy: its lags do not depend on
 * processors, or it sets an upper limit only and the smallest lags that are possible break it. */
static bool is_hopeless(hk_allocator *a, uint32_t constraint) {
    const hk_constraint *c = &a->model->constraints[constraint];
    const hk_memo *m = &a->memos[constraint];
    bool movable = false;
    take_lags(a);
    for (size_t i = 0; i < m->count; i++) {
        uint32_t hop = m->hops[i], connections = (uint32_t)a->model->connection_count;
        if (hop < connections && !is_current(a, &a->model->connections[hop]))
            continue;
        movable = true;
        if (!hk_plan_hop(a->base, hop).cut)
            continue;
        if (hop < connections)
            a->plan->connections[hop].lag = 0; /* only what has no delay is cut */
        else
            a->plan->dependencies[hop - connections].lag = 0;
    }
    bool limited = c->kind != HK_COINCIDENCE && !c->has_min && runs_long_enough(a, m);
    return (!movable || limited) && !hk_allocator_holds(a, constraint);
}

static void prepare_plan(hk_allocator *a, const hk_allocate_options *options) {
    a->variant = hk_variant_unscheduled(a->model, a->processors, a->arena);
    a->variant->cut = options->cut;
    for (uint32_t p = 0; p < a->processors; p++)
        a->variant->processors[p].name = hk_arena_printf(a->arena, "LP%u", p + 1);
    a->plan = HK_NEW(a->arena, hk_plan);
    *a->plan = *a->base;
    a->plan->model = a->variant;
    a->plan->components = HK_NEW_ARRAY(a->arena, hk_plan_component, a->count);
    memcpy(a->plan->components, a->base->components, a->count * sizeof *a->plan->components);
    a->plan->connections = HK_NEW_ARRAY(a->arena, hk_plan_connection, a->model->connection_count);
    a->plan->dependencies =
        HK_NEW_ARRAY(a->arena, hk_plan_dependency, a->base->dependency_count + 1);
    take_lags(a);
    a->places = HK_NEW_ARRAY(a->arena, uint32_t, a->count);
    a->trial = HK_NEW_ARRAY(a->arena, uint32_t, a->count);
    a->number = HK_NEW_ARRAY(a->arena, uint32_t, a->processors);
    a->best = HK_NEW_ARRAY(a->arena, uint32_t, a->count);
    a->best_score.violated = UINT32_MAX;
}

hk_status hk_allocator_init(hk_ctx *ctx, hk_allocator *a, const hk_model *model,
                            const hk_allocate_options *options) {
    HK_ASSERT(ctx && a && model && options);
    enum { EFFORT = 10 * 1000 * 1000 };
    uint32_t n = (uint32_t)model->component_count;
    *a = (hk_allocator){.arena = hk_arena_create(),
                        .model = model,
                        .algorithm = options->algorithm,
                        .count = n,
                        .processors = options->processors < n ? options->processors : n,
                        .effort_limit = options->effort ? options->effort : EFFORT};
    if (!options->processors)
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "ask for one or more",
                        "components cannot be allocated to 0 processors");
    hk_model *unscheduled = hk_variant_unscheduled(model, 0, a->arena);
    HK_TRY(hk_plan_make(ctx, unscheduled, &(hk_plan_options){.algorithm = options->algorithm},
                        &a->base));
    /* Assignments are measured by what they do themselves; overruns come on top of that. */
    for (uint32_t c = 0; c < n; c++)
        a->base->components[c].pattern = NULL;
    a->base->end = a->base->stop;
    a->sequence = HK_NEW_ARRAY(a->arena, uint32_t, n);
    a->by_weight = HK_NEW_ARRAY(a->arena, uint32_t, n);
    a->weight = HK_NEW_ARRAY(a->arena, hk_weight, n);
    find_sequence(a);
    find_groups(a);
    HK_TRY(find_weights(ctx, a, options->costs));
    prepare_plan(a, options);
    a->memos = HK_NEW_ARRAY(a->arena, hk_memo, model->constraint_count);
    a->hopeless = HK_NEW_ARRAY(a->arena, bool, model->constraint_count);
    for (uint32_t c = 0; c < model->constraint_count; c++) {
        make_memo(a, &model->constraints[c], &a->memos[c]);
        a->hopeless[c] = is_hopeless(a, c);
        a->hopeless_count += a->hopeless[c];
    }
    return HK_OK;
}

void hk_allocator_finish(hk_allocator *a) {
    HK_ASSERT(a);
    hk_ctx_destroy(a->silent);
    hk_arena_destroy(a->scratch);
    hk_plan_destroy(a->base);
    hk_arena_destroy(a->arena);
}

/* Numbers processors as they first appear; returns how many there are. */
static uint32_t make_canonical(hk_allocator *a, const uint32_t *assignment) {
    uint32_t used = 0;
    memset(a->number, 0xff, a->processors * sizeof *a->number);
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->number[assignment[i]] == UINT32_MAX)
            a->number[assignment[i]] = used++;
        a->trial[i] = a->number[assignment[i]];
    }
    return used;
}

static void schedule_variant(hk_allocator *a, uint32_t used) {
    hk_processor *p = a->variant->processors;
    for (uint32_t i = 0; i < used; i++)
        p[i].count = 0;
    for (uint32_t i = 0; i < a->count; i++)
        p[a->trial[i]].count++;
    uint32_t *place = a->places;
    for (uint32_t i = 0; i < used; i++) {
        p[i].components = place;
        place += p[i].count;
        p[i].count = 0;
    }
    a->variant->processor_count = used;
    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t c = a->sequence[i], processor = a->trial[c];
        a->variant->components[c].processor = processor;
        a->variant->components[c].rank = (uint32_t)p[processor].count;
        p[processor].components[p[processor].count++] = c;
    }
}

/* Messages about plans that are only tried are not wanted, and must not pile up. */
static void forget_messages(hk_allocator *a) {
    enum { KEPT = 256 };
    if (a->silent && hk_ctx_count(a->silent, HK_NOTE) < KEPT)
        return;
    hk_ctx_destroy(a->silent);
    hk_arena_destroy(a->scratch);
    a->silent = hk_ctx_create(NULL, NULL);
    a->scratch = hk_arena_create();
    a->variant->arena = a->scratch;
    a->plan->arena = a->scratch;
}

bool hk_allocator_plan(hk_allocator *a, const uint32_t *assignment) {
    HK_ASSERT(a);
    enum { PLAN_EFFORT = 16 };
    a->effort += PLAN_EFFORT + a->count + a->model->connection_count;
    schedule_variant(a, make_canonical(a, assignment));
    forget_messages(a);
    for (uint32_t i = 0; i < a->count; i++)
        a->plan->components[i].level = 0;
    memset(a->plan->connections, 0, a->model->connection_count * sizeof *a->plan->connections);
    a->plan->level_count = 0;
    return hk_plan_lags(a->silent, a->plan, a->algorithm) == HK_OK;
}

hk_tick hk_allocator_added(const hk_allocator *a, uint32_t connection) {
    HK_ASSERT(a);
    HK_ASSERT(connection < a->model->connection_count);
    if (a->plan->connections[connection].lag <= a->base->connections[connection].lag)
        return 0;
    return hk_age_hop(a->plan, connection).max - hk_age_hop(a->base, connection).max;
}

hk_score hk_allocator_score(hk_allocator *a, const uint32_t *assignment) {
    HK_ASSERT(a);
    hk_score s = {0};
    if (!hk_allocator_plan(a, assignment)) {
        s.violated = UINT32_MAX;
        return s;
    }
    s.used = (uint32_t)a->variant->processor_count;
    for (uint32_t p = 0; p < s.used; p++) {
        hk_weight load = 0;
        for (size_t i = 0; i < a->variant->processors[p].count; i++)
            load += a->weight[a->variant->processors[p].components[i]];
        s.load = load > s.load ? load : s.load;
    }
    for (uint32_t k = 0; k < a->model->connection_count; k++) {
        hk_tick added = hk_allocator_added(a, k);
        s.added = added > HK_TICK_LIMIT - s.added ? HK_TICK_LIMIT : s.added + added;
    }
    for (uint32_t c = 0; c < a->model->constraint_count; c++)
        s.violated += a->hopeless[c] || !hk_allocator_holds(a, c);
    return s;
}

static int compare_scores(const hk_score *x, const hk_score *y) {
    if (x->violated != y->violated)
        return x->violated < y->violated ? -1 : 1;
    if (x->load != y->load)
        return x->load < y->load ? -1 : 1;
    if (x->added != y->added)
        return x->added < y->added ? -1 : 1;
    return x->used < y->used ? -1 : x->used > y->used;
}

bool hk_allocator_offer(hk_allocator *a, const uint32_t *assignment) {
    HK_ASSERT(a);
    hk_score score = hk_allocator_score(a, assignment);
    int order = compare_scores(&score, &a->best_score);
    for (uint32_t i = 0; order == 0 && i < a->count; i++)
        order = a->trial[i] < a->best[i] ? -1 : a->trial[i] > a->best[i];
    if (order >= 0)
        return false;
    a->best_score = score;
    memcpy(a->best, a->trial, a->count * sizeof *a->best);
    return true;
}

/* SPDX-License-Identifier: MIT
 *
 * What would mend a broken constraint: single changes of the schedule are tried on a copy of the
 * model, from small to large, and the first that helps and harms nobody is proposed. */
#include "plan/constraints.h"
#include "plan/variant.h"

#include <string.h>

static void take_out(hk_model *model, uint32_t component) {
    hk_processor *p = &model->processors[model->components[component].processor];
    uint32_t rank = model->components[component].rank;
    memmove(p->components + rank, p->components + rank + 1,
            (p->count - rank - 1) * sizeof *p->components);
    p->count--;
    hk_variant_renumber(model, model->components[component].processor);
}

/* Moves a component to where ANCHOR runs, right before or after it. */
static void move(hk_model *model, uint32_t component, uint32_t anchor, bool before) {
    take_out(model, component);
    uint32_t processor = model->components[anchor].processor;
    hk_processor *p = &model->processors[processor];
    uint32_t place = model->components[anchor].rank + (before ? 0 : 1);
    memmove(p->components + place + 1, p->components + place,
            (p->count - place) * sizeof *p->components);
    p->components[place] = component;
    p->count++;
    hk_variant_renumber(model, processor);
}

/* The constraint holds in the changed model, and all others that hold now still do. */
static bool helps(const hk_plan *plan, const hk_model *changed, const hk_constraint *wanted) {
    for (size_t p = 0; p < changed->processor_count; p++)
        if (!changed->processors[p].count)
            return false;
    hk_ctx *silent = hk_ctx_create(NULL, NULL);
    hk_plan *other = NULL;
    hk_violation v;
    bool good =
        hk_plan_make(silent, changed,
                     &(hk_plan_options){.algorithm = plan->algorithm, .bindings = &plan->bindings},
                     &other) == HK_OK;
    for (size_t i = 0; good && i < plan->model->constraint_count; i++) {
        const hk_constraint *c = &plan->model->constraints[i];
        bool must_hold = c == wanted || hk_constraint_holds(plan, c, &v);
        good = !must_hold || hk_constraint_holds(other, c, &v);
    }
    hk_plan_destroy(other);
    hk_ctx_destroy(silent);
    return good;
}

typedef struct attempt {
    const hk_plan *plan;
    const hk_constraint *constraint;
    hk_arena *arena;
    hk_lag lag; /* for try_lag */
} attempt;

static const char *name(const attempt *a, uint32_t component) {
    return a->plan->model->components[component].name;
}

/* Another place in the order of one processor. */
static const char *try_order(const attempt *a, uint32_t from, uint32_t to) {
    const hk_model *model = a->plan->model;
    if (model->components[from].processor != model->components[to].processor ||
        model->components[from].rank < model->components[to].rank)
        return NULL;
    for (int way = 0; way < 2; way++) {
        hk_model *changed = hk_variant_copy(model, a->arena);
        if (way == 0)
            move(changed, from, to, true);
        else
            move(changed, to, from, false);
        if (helps(a->plan, changed, a->constraint))
            return hk_arena_printf(a->plan->arena, "run '%s' before '%s' in processor '%s'",
                                   name(a, from), name(a, to),
                                   model->processors[model->components[from].processor].name);
    }
    return NULL;
}

/* Both on one processor. */
static const char *try_move(const attempt *a, uint32_t from, uint32_t to) {
    const hk_model *model = a->plan->model;
    if (model->components[from].processor == model->components[to].processor)
        return NULL;
    for (int way = 0; way < 2; way++) {
        hk_model *changed = hk_variant_copy(model, a->arena);
        uint32_t moved = way == 0 ? to : from;
        uint32_t anchor = way == 0 ? from : to;
        move(changed, moved, anchor, way == 1);
        if (helps(a->plan, changed, a->constraint))
            return hk_arena_printf(a->plan->arena, "move '%s' to processor '%s', %s '%s'",
                                   name(a, moved),
                                   model->processors[model->components[anchor].processor].name,
                                   way == 1 ? "before" : "behind", name(a, anchor));
    }
    return NULL;
}

static const char *try_waiting(const attempt *a) {
    if (a->plan->model->cut != HK_CUT_HLA)
        return NULL;
    hk_model *changed = hk_variant_copy(a->plan->model, a->arena);
    changed->cut = HK_CUT_KEEP;
    return helps(a->plan, changed, a->constraint)
               ? "use 'cut keep': wait for values of other processors instead of delaying them"
               : NULL;
}

/* The connection of a hop if there is one only, else HK_MAP_NONE. */
static uint32_t only_link(const hk_model *model, uint32_t from, uint32_t to) {
    uint32_t found = HK_MAP_NONE;
    for (uint32_t i = 0; i < model->connection_count; i++) {
        if (model->connections[i].from_component != from ||
            model->connections[i].to_component != to)
            continue;
        if (found != HK_MAP_NONE)
            return HK_MAP_NONE;
        found = i;
    }
    return found;
}

/* Another word for what the consumer sees, the same for all connections of a hop. */
static const char *try_lag(const attempt *a, uint32_t from, uint32_t to) {
    const hk_model *model = a->plan->model;
    hk_model *changed = hk_variant_copy(model, a->arena);
    changed->connections = HK_NEW_ARRAY(a->arena, hk_connection, model->connection_count);
    memcpy(changed->connections, model->connections,
           model->connection_count * sizeof *model->connections);
    for (size_t i = 0; i < model->connection_count; i++)
        if (model->connections[i].from_component == from &&
            model->connections[i].to_component == to)
            changed->connections[i].lag = a->lag;
    if (!helps(a->plan, changed, a->constraint))
        return NULL;
    uint32_t link = only_link(model, from, to);
    if (link == HK_MAP_NONE)
        return hk_arena_printf(a->plan->arena,
                               "give all connections from '%s' to '%s' the lag '%s'", name(a, from),
                               name(a, to), hk_lag_words[a->lag]);
    return hk_arena_printf(a->plan->arena, "give %s the lag '%s'",
                           hk_connection_name(model, &model->connections[link]),
                           hk_lag_words[a->lag]);
}

/* Values of two sources belong together only if they are computed at the same instants. */
static const char *apart(const attempt *a) {
    const hk_constraint *c = a->constraint;
    if (c->kind != HK_COINCIDENCE)
        return NULL;
    uint32_t first = c->paths[0].components[0];
    const hk_plan_component *one = &a->plan->components[first];
    for (size_t p = 1; p < c->path_count; p++) {
        uint32_t source = c->paths[p].components[0];
        const hk_plan_component *other = &a->plan->components[source];
        if (one->period != other->period || one->offset != other->offset)
            return hk_arena_printf(a->plan->arena,
                                   "'%s' and '%s' are activated at different instants: give them "
                                   "one period and offset",
                                   name(a, first), name(a, source));
    }
    return NULL;
}

typedef const char *try_fn(const attempt *a, uint32_t from, uint32_t to);

static const char *try_hops(const attempt *a, try_fn *change) {
    const hk_constraint *c = a->constraint;
    for (size_t p = 0; p < c->path_count; p++)
        for (size_t i = 0; i + 1 < c->paths[p].count; i++) {
            const char *text = change(a, c->paths[p].components[i], c->paths[p].components[i + 1]);
            if (text)
                return text;
        }
    return NULL;
}

/* What a component reads that must be fresh comes from its neighbours. */
static const char *try_neighbours(const attempt *a, try_fn *change) {
    const hk_model *model = a->plan->model;
    for (size_t i = 0; i < model->connection_count; i++) {
        const hk_connection *k = &model->connections[i];
        const char *text = k->to_component == a->constraint->paths[0].components[0]
                               ? change(a, k->from_component, k->to_component)
                               : NULL;
        if (text)
            return text;
    }
    return NULL;
}

static const char *try_all(const attempt *a, try_fn *change) {
    return a->constraint->kind == HK_FRESHNESS ? try_neighbours(a, change) : try_hops(a, change);
}

const char *hk_constraint_repair(const hk_plan *plan, const hk_constraint *constraint) {
    HK_ASSERT(plan && constraint);
    attempt a = {.plan = plan, .constraint = constraint, .arena = hk_arena_create()};
    const char *text = NULL;
    if (plan->model->processor_count) {
        text = try_all(&a, try_order);
        if (!text)
            text = try_all(&a, try_move);
        if (!text)
            text = try_waiting(&a);
    }
    static const hk_lag lags[] = {HK_LAG_CURRENT, HK_LAG_OBSERVE, HK_LAG_PREVIOUS};
    for (size_t i = 0; !text && i < sizeof lags / sizeof *lags; i++) {
        a.lag = lags[i]; /* fresher data is the smaller harm */
        text = try_all(&a, try_lag);
    }
    if (!text)
        text = apart(&a);
    hk_arena_destroy(a.arena);
    return text;
}

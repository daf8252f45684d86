/* SPDX-License-Identifier: MIT
 *
 * One order for all bindings, or one for each. A run may bind what components require to one
 * provider after the other. A plan that lets all that may ever be bound run before their callers
 * serves every binding, unless some of these lie on a cycle: where that is cut then depends on who
 * is bound. So there is one plan for each choice among those, made before the run. */
#include "plan/plan_internal.h"

#include <string.h>

enum { ORDERS_MAX = 16, NAMES_MAX = 8 };

/* Requirements whose provider decides about the order. */
typedef struct choices {
    uint32_t *requirements;
    size_t count;
    size_t sets; /* of bindings; ORDERS_MAX + 1: more than that */
} choices;

static size_t count_candidates(const hk_model *model, const hk_bindings *b, size_t requirement) {
    size_t n = 0;
    for (size_t c = 0; c < model->requirements[requirement].candidate_count; c++)
        n += b->may[requirement][c];
    return n;
}

/* PLAN NULL: nothing is known about cycles, it may be any of them. */
static bool decides(const hk_plan *plan, uint32_t requirement) {
    bool circular = !plan;
    for (uint32_t i = 0; plan && i < plan->dependency_count; i++)
        circular = circular || (plan->dependencies[i].requirement == requirement &&
                                plan->dependencies[i].circular);
    return circular;
}

static choices find_choices(const hk_model *model, const hk_bindings *b, const hk_plan *plan,
                            hk_arena *arena) {
    choices all = {HK_NEW_ARRAY(arena, uint32_t, model->requirement_count + 1), 0, 1};
    for (uint32_t i = 0; i < model->requirement_count; i++) {
        size_t n = count_candidates(model, b, i);
        if (n < 2 || !decides(plan, i))
            continue;
        all.requirements[all.count++] = i;
        all.sets = all.sets * n > ORDERS_MAX ? ORDERS_MAX + 1 : all.sets * n;
    }
    return all;
}

static const char *service_name(const hk_model *model, uint32_t component, uint32_t service,
                                hk_arena *arena) {
    const hk_component *c = &model->components[component];
    return hk_arena_printf(arena, "%s.%s", c->name, c->info->services[service].name);
}

/* The bindings of set NUMBER: of those that decide one candidate each, of the others all. */
static hk_bindings bindings_of_set(const hk_model *model, const hk_bindings *all, const choices *of,
                                   size_t number, hk_arena *arena, const char **ret_name) {
    hk_bindings b = hk_bindings_copy(model, all, arena);
    *ret_name = "";
    for (size_t k = 0; k < of->count; k++) {
        uint32_t i = of->requirements[k];
        const hk_requirement *r = &model->requirements[i];
        size_t n = count_candidates(model, all, i), chosen = number % n, seen = 0;
        number /= n;
        for (size_t c = 0; c < r->candidate_count; c++) {
            if (!all->may[i][c])
                continue;
            b.may[i][c] = seen++ == chosen;
            if (b.may[i][c])
                *ret_name = hk_arena_printf(arena, "%s%sservice %s -> %s", *ret_name,
                                            **ret_name ? ", " : "",
                                            service_name(model, r->component, r->service, arena),
                                            service_name(model, r->candidates[c].component,
                                                         r->candidates[c].service, arena));
        }
    }
    return b;
}

/* Says in CTX what was said ASIDE, each text once. */
static void say(hk_ctx *ctx, const hk_ctx *aside) {
    for (size_t i = 0; i < hk_ctx_count(aside, HK_NOTE); i++) {
        const hk_diag *d = hk_ctx_diag(aside, i);
        bool known = false;
        for (size_t k = 0; k < hk_ctx_count(ctx, HK_NOTE) && !known; k++)
            known = hk_ctx_diag(ctx, k)->severity == d->severity &&
                    strcmp(hk_ctx_diag(ctx, k)->text, d->text) == 0;
        if (known)
            continue;
        hk_say_again(ctx, d);
    }
}

/* Histories are as deep as the deepest needs, and what one has to look up there all look up: so
 * that memory lies in one way, whichever order is chosen. */
static void even_out(hk_plan *plan) {
    const hk_model *model = plan->model;
    for (size_t c = 0; c < model->component_count; c++) {
        uint32_t depth = 0;
        for (size_t i = 0; i < plan->order_count; i++)
            depth = plan->orders[i]->components[c].depth > depth
                        ? plan->orders[i]->components[c].depth
                        : depth;
        for (size_t i = 0; i < plan->order_count; i++)
            plan->orders[i]->components[c].depth = depth;
    }
    for (size_t k = 0; k < model->connection_count; k++) {
        bool direct = true;
        for (size_t i = 0; i < plan->order_count; i++)
            direct = direct && plan->orders[i]->connections[k].direct;
        for (size_t i = 0; i < plan->order_count; i++)
            plan->orders[i]->connections[k].direct = direct;
    }
}

static hk_status refuse(hk_ctx *ctx, const hk_model *model, const choices *of,
                        const hk_plan *plan) {
    const char *names = "";
    size_t listed = 0;
    for (uint32_t i = 0; plan && i < plan->dependency_count && listed < NAMES_MAX; i++)
        if (plan->dependencies[i].circular)
            names = hk_arena_printf(model->arena, "%s%s%s", names, listed++ ? ", " : "",
                                    hk_hop_name(plan, (uint32_t)model->connection_count + i));
    return hk_error(ctx, HK_E_SERVICE, model->requirements[of->requirements[0]].where,
                    "bind fewer of them during a run, or give a link of the cycle the lag "
                    "'previous'",
                    "who runs first depends on more than %d sets of bindings; these lie on a "
                    "cycle: %s",
                    ORDERS_MAX, names);
}

/* One plan for each set of bindings. UNITED is the plan for all of them at once; NULL: there is
 * none. */
static hk_status make_each(hk_ctx *ctx, const hk_model *model, const hk_plan_options *options,
                           const hk_plan *united, hk_plan **ret_plan) {
    const hk_bindings *all = options->bindings;
    hk_plan_options one = *options;
    hk_arena *scratch = hk_arena_create();
    choices of = find_choices(model, all, united, scratch);
    hk_plan *plans[ORDERS_MAX] = {NULL};
    hk_status status = of.sets > ORDERS_MAX ? refuse(ctx, model, &of, united) : HK_OK;
    for (size_t i = 0; i < of.sets && status == HK_OK; i++) {
        const char *name;
        hk_bindings b = bindings_of_set(model, all, &of, i, scratch, &name);
        hk_ctx *aside = hk_ctx_create(NULL, NULL);
        one.bindings = &b;
        status = hk_plan_make_one(aside, model, &one, &plans[i]);
        say(ctx, aside);
        hk_ctx_destroy(aside);
        if (status == HK_OK)
            plans[i]->order_name = hk_arena_strdup(plans[i]->arena, name);
        if (status == HK_OK && plans[i]->executions)
            status = hk_error(ctx, HK_E_SERVICE, model->requirements[of.requirements[0]].where,
                              "bind it once, at the beginning, or declare no costs",
                              "who runs first depends on who is bound, and execution times are "
                              "declared: both together are not planned");
    }
    if (status == HK_OK) {
        hk_plan *first = plans[0];
        first->orders = HK_NEW_ARRAY(first->arena, hk_plan *, of.sets);
        memcpy(first->orders, plans, of.sets * sizeof *plans);
        first->order_count = of.sets;
        even_out(first);
        *ret_plan = first;
    }
    for (size_t i = 0; i < ORDERS_MAX && status != HK_OK; i++)
        hk_plan_destroy(plans[i]);
    hk_arena_destroy(scratch);
    return status;
}

hk_status hk_plan_make(hk_ctx *ctx, const hk_model *model, const hk_plan_options *options,
                       hk_plan **ret_plan) {
    HK_ASSERT(ctx && model && options && ret_plan);
    hk_arena *scratch = hk_arena_create();
    hk_bindings own = hk_bindings_of(model, scratch);
    hk_plan_options any = *options;
    const hk_bindings *all = any.bindings = options->bindings ? options->bindings : &own;
    hk_plan *united = NULL;
    hk_status status;
    if (!find_choices(model, all, NULL, scratch).count) {
        status = hk_plan_make_one(ctx, model, &any, ret_plan);
    } else {
        hk_ctx *aside = hk_ctx_create(NULL, NULL);
        status = hk_plan_make_one(aside, model, &any, &united);
        bool decided = status == HK_OK ? find_choices(model, all, united, scratch).count == 0
                                       : status != HK_E_ZERO_LAG_CYCLE;
        if (decided) {
            say(ctx, aside);
            *ret_plan = united;
        } else {
            status = make_each(ctx, model, &any, united, ret_plan);
            hk_plan_destroy(united);
        }
        hk_ctx_destroy(aside);
    }
    hk_arena_destroy(scratch);
    return status;
}

const hk_plan *hk_plan_order(const hk_plan *plan, const uint32_t *candidates) {
    HK_ASSERT(plan);
    for (size_t i = 0; i < plan->order_count; i++) {
        bool fits = true;
        for (size_t r = 0; r < plan->model->requirement_count && fits; r++)
            fits = plan->orders[i]->bindings.may[r][candidates[r]];
        if (fits)
            return plan->orders[i];
    }
    return NULL;
}

hk_plan *hk_plan_copy(const hk_plan *plan, hk_arena *arena) {
    HK_ASSERT(plan && arena);
    const hk_model *model = plan->model;
    hk_plan **copies = HK_NEW_ARRAY(arena, hk_plan *, plan->order_count);
    for (size_t i = 0; i < plan->order_count; i++) {
        hk_plan *copy = copies[i] = HK_NEW(arena, hk_plan);
        *copy = *plan->orders[i];
        copy->components = HK_NEW_ARRAY(arena, hk_plan_component, model->component_count + 1);
        copy->connections = HK_NEW_ARRAY(arena, hk_plan_connection, model->connection_count + 1);
        memcpy(copy->components, plan->orders[i]->components,
               model->component_count * sizeof *copy->components);
        if (model->connection_count)
            memcpy(copy->connections, plan->orders[i]->connections,
                   model->connection_count * sizeof *copy->connections);
        copy->orders = HK_NEW_ARRAY(arena, hk_plan *, 1);
        copy->orders[0] = copy;
    }
    copies[0]->orders = copies;
    return copies[0];
}

hk_status hk_plan_keep_past(hk_ctx *ctx, hk_plan *plan, uint32_t connection, hk_ratio delay,
                            hk_where where) {
    HK_ASSERT(ctx && plan);
    HK_ASSERT(connection < plan->model->connection_count);
    HK_ASSERT(delay.den > 0);
    for (size_t i = 0; i < plan->order_count; i++)
        HK_TRY(hk_plan_deepen(ctx, plan->orders[i], connection, delay, where));
    even_out(plan);
    return HK_OK;
}

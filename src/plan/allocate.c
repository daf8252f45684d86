/* SPDX-License-Identifier: MIT
 *
 * From the best assignment to what the caller wants to know about it. */
#include "plan/allocate.h"

#include "plan/allocate_internal.h"

#include <string.h>

static const char *limit_text(hk_arena *arena, const char *word, hk_ratio limit) {
    char text[48];
    return hk_arena_printf(arena, " %s %s", word, hk_ratio_format(limit, text));
}

/* A constraint as a schedule file states it. */
static const char *constraint_text(hk_arena *arena, const hk_model *model, const hk_constraint *c) {
    static const char *const words[] = {
        [HK_LATENCY] = "latency", [HK_COINCIDENCE] = "coincidence", [HK_FRESHNESS] = "freshness"};
    const char *text = words[c->kind];
    for (size_t p = 0; p < c->path_count; p++)
        text = hk_arena_printf(arena, "%s%s %s", text, p ? "," : "",
                               hk_model_path_name(model, &c->paths[p]));
    return hk_arena_printf(arena, "%s%s%s", text,
                           c->has_min ? limit_text(arena, "min", c->min) : "",
                           c->has_max ? limit_text(arena, "max", c->max) : "");
}

/* What happens instead: the message that a check of this constraint alone gives. */
static const char *broken_text(hk_arena *arena, const hk_allocator *a, uint32_t constraint) {
    hk_model alone = *a->variant;
    alone.constraints = &a->model->constraints[constraint];
    alone.constraint_count = 1;
    hk_plan plan = *a->plan;
    plan.model = &alone;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    const char *text = "";
    if (hk_plan_check_constraints(ctx, &plan) != HK_OK)
        text = hk_arena_strdup(arena, hk_ctx_diag(ctx, hk_ctx_count(ctx, HK_NOTE) - 1)->text);
    hk_ctx_destroy(ctx);
    return text;
}

static const char *reason_text(hk_arena *arena, uint32_t processors, hk_alone alone, bool proved) {
    if (alone == HK_ALONE_IMPOSSIBLE)
        return hk_arena_printf(arena, "no allocation to %u processor%s satisfies it", processors,
                               processors == 1 ? "" : "s");
    if (alone == HK_ALONE_UNKNOWN)
        return "no allocation that satisfies it was found with the effort allowed";
    return proved ? "it can be satisfied alone, but only by breaking as many others"
                  : "it can be satisfied alone; no allocation was found that breaks fewer "
                    "constraints in sum";
}

/* The variant is planned for the best assignment, here and in what follows. */
static void tell_processors(const hk_allocator *a, hk_allocation *r) {
    r->processor_count = a->variant->processor_count;
    r->processor_of = HK_NEW_ARRAY(r->arena, uint32_t, a->count);
    memcpy(r->processor_of, a->best, a->count * sizeof *r->processor_of);
    r->processors = HK_NEW_ARRAY(r->arena, hk_allocated, r->processor_count);
    for (size_t p = 0; p < r->processor_count; p++) {
        const hk_processor *from = &a->variant->processors[p];
        hk_allocated *to = &r->processors[p];
        hk_weight load = 0;
        to->count = from->count;
        to->components = HK_NEW_ARRAY(r->arena, uint32_t, from->count);
        for (size_t i = 0; i < from->count; i++) {
            to->components[i] = from->components[i];
            load += a->weight[from->components[i]];
        }
        to->load = (double)load * a->load_unit;
    }
    r->makespan = (double)a->best_score.load * a->load_unit;
}

static void tell_ages(const hk_allocator *a, hk_allocation *r) {
    r->aged = HK_NEW_ARRAY(r->arena, hk_aged, a->model->connection_count);
    for (uint32_t k = 0; k < a->model->connection_count; k++) {
        hk_tick ticks = hk_allocator_added(a, k);
        if (ticks > 0)
            r->aged[r->aged_count++] = (hk_aged){k, ticks};
    }
    r->aged_ticks = a->best_score.added;
    r->ticks_per_second = a->base->ticks_per_second;
}

static void tell_unsatisfied(hk_allocator *a, hk_allocation *r, uint32_t processors) {
    uint32_t count = (uint32_t)a->model->constraint_count;
    r->unsatisfied = HK_NEW_ARRAY(r->arena, hk_unsatisfied, count);
    for (uint32_t c = 0; c < count; c++)
        if (a->hopeless[c] || !hk_allocator_holds(a, c))
            r->unsatisfied[r->unsatisfied_count++] = (hk_unsatisfied){
                .constraint = c,
                .text = constraint_text(r->arena, a->model, &a->model->constraints[c]),
                .broken = broken_text(r->arena, a, c)};
    uint64_t share = r->unsatisfied_count ? a->effort_limit / r->unsatisfied_count : 0;
    for (size_t i = 0; i < r->unsatisfied_count; i++) {
        hk_unsatisfied *u = &r->unsatisfied[i];
        u->alone = hk_allocator_alone(a, u->constraint, share);
        u->reason = reason_text(r->arena, processors, u->alone, r->optimal);
    }
}

hk_status hk_allocate(hk_ctx *ctx, const hk_model *model, const hk_allocate_options *options,
                      hk_allocation **ret_allocation) {
    HK_ASSERT(ctx && model && options && ret_allocation);
    hk_allocator a;
    hk_status status = hk_allocator_init(ctx, &a, model, options);
    if (status != HK_OK) {
        hk_allocator_finish(&a);
        return status;
    }
    hk_allocator_improve(&a);
    a.effort = 0;
    bool proved = hk_allocator_search(&a);

    hk_arena *arena = hk_arena_create();
    hk_allocation *r = HK_NEW(arena, hk_allocation);
    *r = (hk_allocation){.arena = arena, .cut = options->cut, .optimal = proved};
    bool planned = hk_allocator_plan(&a, a.best);
    HK_ASSERT(planned);
    tell_processors(&a, r);
    tell_ages(&a, r);
    tell_unsatisfied(&a, r, options->processors);
    hk_allocator_finish(&a);
    *ret_allocation = r;
    return HK_OK;
}

void hk_allocation_destroy(hk_allocation *allocation) {
    if (allocation)
        hk_arena_destroy(allocation->arena);
}

static void clear_processors(hk_model *model) {
    for (size_t p = 0; p < model->processor_count; p++)
        hk_free(model->processors[p].components);
    model->processor_count = 0;
    for (size_t i = 0; i < model->component_count; i++)
        model->components[i].processor = HK_MAP_NONE;
}

hk_status hk_allocation_apply(hk_ctx *ctx, hk_model *model, const hk_allocation *allocation) {
    HK_ASSERT(ctx && model && allocation);
    clear_processors(model);
    model->cut = allocation->cut;
    for (size_t p = 0; p < allocation->processor_count; p++) {
        const hk_allocated *from = &allocation->processors[p];
        const char *name = hk_arena_printf(model->arena, "LP%zu", p + 1);
        uint32_t processor;
        HK_TRY(hk_model_add_processor(ctx, model, name, HK_NOWHERE, &processor));
        for (size_t i = 0; i < from->count; i++)
            HK_TRY(hk_model_assign(ctx, model, processor, from->components[i], HK_NOWHERE));
    }
    return HK_OK;
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

const char *hk_allocation_name(hk_arena *arena, const char *name) {
    HK_ASSERT(arena && name);
    bool plain = is_letter(name[0]);
    size_t quotes = 0;
    for (const char *c = name; *c; c++) {
        plain = plain && (is_letter(*c) || strchr("0123456789.[]", *c));
        quotes += *c == '"';
    }
    if (plain)
        return name;
    char *text = hk_arena_alloc(arena, strlen(name) + quotes + 3);
    char *to = text;
    *to++ = '"';
    for (const char *c = name; *c; c++) {
        if (*c == '"')
            *to++ = '"';
        *to++ = *c;
    }
    *to = '"';
    return text;
}

/* Appends to a growing text. */
typedef struct growing {
    char *text;
    size_t size, cap;
} growing;

static void append(growing *g, const char *text) {
    for (; *text; text++)
        HK_PUSH(g->text, g->size, g->cap, *text);
}

const char *hk_allocation_text(hk_arena *arena, const hk_model *model,
                               const hk_allocation *allocation) {
    HK_ASSERT(arena && model && allocation);
    hk_arena *scratch = hk_arena_create();
    growing g = {0};
    for (size_t p = 0; p < allocation->processor_count; p++) {
        const hk_allocated *from = &allocation->processors[p];
        append(&g, hk_arena_printf(scratch, "processor LP%zu:", p + 1));
        for (size_t i = 0; i < from->count; i++) {
            append(&g, " ");
            append(&g, hk_allocation_name(scratch, model->components[from->components[i]].name));
        }
        append(&g, "\n");
    }
    append(&g, allocation->cut == HK_CUT_HLA ? "cut hla\n" : "cut keep\n");
    char *whole = hk_arena_strndup(arena, g.text, g.size);
    hk_free(g.text);
    hk_arena_destroy(scratch);
    return whole;
}

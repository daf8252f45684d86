/* SPDX-License-Identifier: MIT
 *
 * The part of the model that says where components run and what must hold about their data. */
#include "model/model.h"

#include <string.h>

static hk_where keep_where(hk_model *model, hk_where where) {
    where.file = hk_arena_strdup(model->arena, where.file);
    where.element = hk_arena_strdup(model->arena, where.element);
    return where;
}

hk_status hk_model_add_processor(hk_ctx *ctx, hk_model *model, const char *name, hk_where where,
                                 uint32_t *ret_index) {
    for (size_t i = 0; i < model->processor_count; i++)
        if (strcmp(model->processors[i].name, name) == 0)
            return hk_error(ctx, HK_E_DUPLICATE, where, "give one of them another name",
                            "two processors are called '%s'; the other one is in line %d", name,
                            model->processors[i].where.line);
    hk_processor processor = {.name = hk_arena_strdup(model->arena, name),
                              .where = keep_where(model, where)};
    *ret_index = (uint32_t)model->processor_count;
    HK_PUSH(model->processors, model->processor_count, model->processor_cap, processor);
    return HK_OK;
}

hk_status hk_model_assign(hk_ctx *ctx, hk_model *model, uint32_t processor, uint32_t component,
                          hk_where where) {
    hk_component *c = &model->components[component];
    hk_processor *p = &model->processors[processor];
    if (c->processor != HK_MAP_NONE)
        return hk_error(ctx, HK_E_SCHEDULE, where, "a component runs on one processor",
                        "component '%s' is in the processors '%s' and '%s'", c->name,
                        model->processors[c->processor].name, p->name);
    c->processor = processor;
    c->rank = (uint32_t)p->count;
    HK_PUSH(p->components, p->count, p->cap, component);
    return HK_OK;
}

hk_status hk_model_check_processors(hk_ctx *ctx, const hk_model *model, hk_where where) {
    enum { MISSING_MAX = 8 };
    const char *names = "";
    size_t missing = 0;
    for (size_t i = 0; i < model->component_count; i++) {
        if (model->components[i].processor != HK_MAP_NONE)
            continue;
        if (missing < MISSING_MAX)
            names = hk_arena_printf(model->arena, "%s%s'%s'", names, missing ? ", " : "",
                                    model->components[i].name);
        missing++;
    }
    if (!missing)
        return HK_OK;
    if (missing > MISSING_MAX)
        names = hk_arena_printf(model->arena, "%s and %zu more", names, missing - MISSING_MAX);
    return hk_error(ctx, HK_E_SCHEDULE, where,
                    "where processors are declared, every component runs on one of them",
                    "no processor has the component%s %s", missing == 1 ? "" : "s", names);
}

void hk_model_clear_processors(hk_model *model) {
    for (size_t i = 0; i < model->processor_count; i++)
        hk_free(model->processors[i].components);
    model->processor_count = 0;
    for (size_t i = 0; i < model->component_count; i++)
        model->components[i].processor = HK_MAP_NONE;
}

void hk_model_add_constraint(hk_model *model, hk_constraint constraint) {
    constraint.where = keep_where(model, constraint.where);
    HK_PUSH(model->constraints, model->constraint_count, model->constraint_cap, constraint);
}

const char *hk_model_path_name(const hk_model *model, const hk_path *path) {
    const char *name = "";
    for (size_t i = 0; i < path->count; i++)
        name = hk_arena_printf(model->arena, "%s%s%s", name, i ? " -> " : "",
                               model->components[path->components[i]].name);
    return name;
}

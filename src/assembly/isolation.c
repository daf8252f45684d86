/* SPDX-License-Identifier: MIT */
#include "assembly/isolation.h"

#include "check/check.h"

#include <string.h>

const bool *hk_isolated_by_need(hk_arena *arena, const hk_model *model) {
    HK_ASSERT(arena && model);
    bool *isolated = NULL;
    for (uint32_t c = 0; c < model->component_count; c++) {
        if (hk_check_first_instance(model, c) == c)
            continue;
        isolated = isolated ? isolated : HK_NEW_ARRAY(arena, bool, model->component_count + 1);
        isolated[c] = true;
    }
    return isolated;
}

static hk_status refuse_services(hk_ctx *ctx, const hk_component *c) {
    if (!c->info->service_count)
        return HK_OK;
    const hk_service_info *s = &c->info->services[0];
    return hk_error(
        ctx, HK_E_USAGE, c->where, "isolate others, by name",
        "--isolate: component '%s' %s the service '%s', and calls cannot cross from one "
        "process to another",
        c->name, s->provided ? "provides" : "requires", s->name);
}

static hk_status isolate_one(hk_ctx *ctx, const hk_assembly *a, const char *name, bool *isolated) {
    const hk_model *model = a->model;
    const char **names = HK_NEW_ARRAY(a->arena, const char *, model->component_count + 1);
    for (size_t c = 0; c < model->component_count; c++) {
        names[c] = model->components[c].name;
        if (strcmp(names[c], name) != 0)
            continue;
        isolated[c] = true;
        return refuse_services(ctx, &model->components[c]);
    }
    return hk_error(ctx, HK_E_USAGE, (hk_where){.file = model->file},
                    hk_hint_closest(a->arena, name, names, model->component_count,
                                    "name a component, or 'all'"),
                    "--isolate: there is no component '%s'", name);
}

/* A table of inputs is hocket's own and not part of the system. */
static hk_status isolate_all(hk_ctx *ctx, const hk_model *model, bool *isolated) {
    for (size_t c = 0; c < model->component_count; c++) {
        HK_TRY(refuse_services(ctx, &model->components[c]));
        isolated[c] = isolated[c] || !model->components[c].info->can.only_feeds;
    }
    return HK_OK;
}

hk_status hk_assembly_isolate(hk_ctx *ctx, hk_assembly *assembly) {
    HK_ASSERT(ctx && assembly && assembly->model);
    const hk_model *model = assembly->model;
    const hk_texts *names = &assembly->request->isolate;
    assembly->isolated = hk_isolated_by_need(assembly->arena, model);
    if (names->count && assembly->request->fused)
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "leave out one of them",
                        "--fused is not possible with --isolate");
    if (!names->count)
        return HK_OK;
    bool *isolated = HK_NEW_ARRAY(assembly->arena, bool, model->component_count + 1);
    for (size_t c = 0; c < model->component_count && assembly->isolated; c++)
        isolated[c] = assembly->isolated[c];
    assembly->isolated = isolated;
    for (size_t i = 0; i < names->count; i++)
        HK_TRY(strcmp(names->all[i], "all") == 0
                   ? isolate_all(ctx, model, isolated)
                   : isolate_one(ctx, assembly, names->all[i], isolated));
    return HK_OK;
}

/* SPDX-License-Identifier: MIT */
#include "assembly/isolation.h"

#include "assembly/sandbox_wishes.h"
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

static hk_status refuse_services(hk_ctx *ctx, const char *option, const hk_component *c) {
    if (!c->info->service_count)
        return HK_OK;
    const hk_service_info *s = &c->info->services[0];
    return hk_error(ctx, HK_E_USAGE, c->where,
                    strcmp(option, "--sandbox") == 0 ? "put others into a sandbox, by name"
                                                     : "isolate others, by name",
                    "%s: component '%s' %s the service '%s', and calls cannot cross from one "
                    "process to another",
                    option, c->name, s->provided ? "provides" : "requires", s->name);
}

static hk_status choose_one(hk_ctx *ctx, const hk_assembly *a, const char *option, const char *name,
                            bool *chosen) {
    const hk_model *model = a->model;
    const char **names = HK_NEW_ARRAY(a->arena, const char *, model->component_count + 1);
    for (size_t c = 0; c < model->component_count; c++) {
        names[c] = model->components[c].name;
        if (strcmp(names[c], name) != 0)
            continue;
        chosen[c] = true;
        return refuse_services(ctx, option, &model->components[c]);
    }
    return hk_error(ctx, HK_E_USAGE, (hk_where){.file = model->file},
                    hk_hint_closest(a->arena, name, names, model->component_count,
                                    "name a component, or 'all'"),
                    "%s: there is no component '%s'", option, name);
}

/* A table of inputs is hocket's own and not part of the system. */
static hk_status choose_all(hk_ctx *ctx, const hk_model *model, const char *option, bool *chosen) {
    for (size_t c = 0; c < model->component_count; c++) {
        HK_TRY(refuse_services(ctx, option, &model->components[c]));
        chosen[c] = chosen[c] || !model->components[c].info->can.only_feeds;
    }
    return HK_OK;
}

/* Those that the option names; the rest stays as it is. */
static hk_status choose(hk_ctx *ctx, const hk_assembly *a, const char *option,
                        const hk_texts *names, bool *chosen) {
    for (size_t i = 0; i < names->count; i++)
        HK_TRY(strcmp(names->all[i], "all") == 0
                   ? choose_all(ctx, a->model, option, chosen)
                   : choose_one(ctx, a, option, names->all[i], chosen));
    return HK_OK;
}

static hk_status lock_in(hk_ctx *ctx, hk_assembly *a, bool *isolated) {
    const hk_request *r = a->request;
    if (!r->sandbox.count)
        return HK_OK;
    bool *sandboxed = HK_NEW_ARRAY(a->arena, bool, a->model->component_count + 1);
    HK_TRY(choose(ctx, a, "--sandbox", &r->sandbox, sandboxed));
    for (size_t c = 0; c < a->model->component_count; c++)
        isolated[c] = isolated[c] || sandboxed[c];
    hk_sandbox *sandbox = HK_NEW(a->arena, hk_sandbox);
    HK_TRY(hk_sandbox_wished(ctx, a->arena, r, sandbox));
    hk_sandbox_warn_of_plugins(ctx, a->model, sandboxed);
    a->sandboxed = sandboxed;
    a->sandbox = sandbox;
    return HK_OK;
}

hk_status hk_assembly_isolate(hk_ctx *ctx, hk_assembly *assembly) {
    HK_ASSERT(ctx && assembly && assembly->model);
    const hk_model *model = assembly->model;
    const hk_request *request = assembly->request;
    assembly->isolated = hk_isolated_by_need(assembly->arena, model);
    HK_TRY(hk_sandbox_needed(ctx, request));
    if (!request->isolate.count && !request->sandbox.count)
        return HK_OK;
    if (request->fused)
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "leave out one of them",
                        "--fused is not possible with %s",
                        request->isolate.count ? "--isolate" : "--sandbox");
    bool *isolated = HK_NEW_ARRAY(assembly->arena, bool, model->component_count + 1);
    for (size_t c = 0; c < model->component_count && assembly->isolated; c++)
        isolated[c] = assembly->isolated[c];
    HK_TRY(choose(ctx, assembly, "--isolate", &request->isolate, isolated));
    HK_TRY(lock_in(ctx, assembly, isolated));
    assembly->isolated = isolated;
    return HK_OK;
}

/* SPDX-License-Identifier: MIT */
#include "assembly/remote_units.h"

#include "nodes/serve.h"

#include <string.h>
#include <unistd.h>

/* The component that TEXT is about, and the place behind the last '='. */
static hk_status find(hk_ctx *ctx, const hk_assembly *a, const char *text, uint32_t *ret_component,
                      const char **ret_place) {
    const hk_model *model = a->model;
    const char *equals = strrchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "as in --remote wheel=./wheel",
                        "--remote: '%s' does not name a component and a place", text);
    const char *name = hk_arena_strndup(a->arena, text, (size_t)(equals - text));
    const char **names = HK_NEW_ARRAY(a->arena, const char *, model->component_count + 1);
    for (uint32_t c = 0; c < model->component_count; c++) {
        const hk_component *x = &model->components[c];
        names[c] = x->name;
        if (strcmp(x->name, name) != 0)
            continue;
        if (!x->info->can.fmi || x->info->service_count)
            return hk_error(ctx, HK_E_USAGE, x->where, "only FMUs can be served by 'hocket node'",
                            "--remote: component '%s' is not an FMU", name);
        *ret_component = c;
        *ret_place = equals + 1;
        return HK_OK;
    }
    return hk_error(ctx, HK_E_USAGE, (hk_where){.file = model->file},
                    hk_hint_closest(a->arena, name, names, model->component_count,
                                    "'hocket info' lists the components"),
                    "--remote: there is no component '%s'", name);
}

static bool asks_for(const hk_texts *names, const char *name) {
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->all[i], name) == 0 || strcmp(names->all[i], "all") == 0)
            return true;
    return false;
}

/* Its process is that of the server: this run can neither make one for it nor lock it in. */
static hk_status refuse_own_process(hk_ctx *ctx, const hk_request *r, const hk_component *c) {
    bool sandbox = asks_for(&r->sandbox, c->name);
    if (!sandbox && !asks_for(&r->isolate, c->name))
        return HK_OK;
    return hk_error(ctx, HK_E_USAGE, c->where, "name the other components with it, or leave it out",
                    "--%s: component '%s' is remote, and runs in the process that serves it",
                    sandbox ? "sandbox" : "isolate", c->name);
}

hk_status hk_assembly_check_remote(hk_ctx *ctx, const hk_assembly *a) {
    HK_ASSERT(ctx && a && a->model);
    const hk_texts *texts = &a->request->remote;
    bool *seen = HK_NEW_ARRAY(a->arena, bool, a->model->component_count + 1);
    for (size_t i = 0; i < texts->count; i++) {
        uint32_t c = 0;
        const char *place = NULL;
        HK_TRY(find(ctx, a, texts->all[i], &c, &place));
        if (seen[c])
            return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "leave out one of them",
                            "--remote names component '%s' twice", a->model->components[c].name);
        seen[c] = true;
        HK_TRY(refuse_own_process(ctx, a->request, &a->model->components[c]));
    }
    return HK_OK;
}

hk_status hk_remote_connect(hk_ctx *ctx, const hk_assembly *a, double timeout_s, int **ret_remote) {
    HK_ASSERT(ctx && a && ret_remote);
    const hk_request *r = a->request;
    *ret_remote = NULL;
    if (!r->remote.count)
        return HK_OK;
    size_t n = a->model->component_count;
    int *remote = HK_NEW_ARRAY(a->arena, int, n + 1);
    for (size_t c = 0; c < n; c++)
        remote[c] = -1;
    for (size_t i = 0; i < r->remote.count; i++) {
        uint32_t c = 0;
        hk_meet meet = r->meet;
        hk_status status = find(ctx, a, r->remote.all[i], &c, &meet.place);
        const hk_component *x = &a->model->components[c];
        if (status == HK_OK)
            status = hk_serve_reach(ctx, &meet, x->info, x->name, timeout_s, &remote[c]);
        if (status != HK_OK) {
            hk_remote_disconnect(a, remote);
            return status;
        }
    }
    *ret_remote = remote;
    return HK_OK;
}

void hk_remote_disconnect(const hk_assembly *a, int *remote) {
    HK_ASSERT(a);
    for (size_t c = 0; remote && c < a->model->component_count; c++) {
        if (remote[c] >= 0)
            close(remote[c]);
        remote[c] = -1;
    }
}

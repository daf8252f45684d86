/* SPDX-License-Identifier: MIT */
#include "assembly/remote_units.h"

#include "base/file.h"
#include "nodes/meeting_place.h"
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

/* One name for all ways to write a place, also where nobody serves yet. */
static hk_status name_place(hk_ctx *ctx, hk_arena *arena, const char *place, const char **ret) {
    const char *path = NULL;
    HK_TRY(hk_meeting_path(ctx, arena, place, &path));
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    path = hk_arena_strndup(arena, path, length);
    const char *above = hk_path_real(arena, hk_path_folder(arena, path));
    *ret = hk_path_real(arena, hk_path_join(arena, above, hk_path_name(path)));
    return HK_OK;
}

/* A server has one instance at a time, so the second of two would wait for ever. */
static hk_status refuse_shared_place(hk_ctx *ctx, const hk_assembly *a, const char *const *places,
                                     uint32_t component) {
    for (size_t c = 0; c < a->model->component_count; c++)
        if (c != component && places[c] && strcmp(places[c], places[component]) == 0)
            return hk_error(
                ctx, HK_E_USAGE, HK_NOWHERE, "start a server for each, at its own place",
                "--remote: components '%s' and '%s' are at one place, '%s', where one "
                "instance is served at a time",
                a->model->components[c].name, a->model->components[component].name, places[c]);
    return HK_OK;
}

hk_status hk_assembly_check_remote(hk_ctx *ctx, const hk_assembly *a) {
    HK_ASSERT(ctx && a && a->model);
    const hk_texts *texts = &a->request->remote;
    const char **places = HK_NEW_ARRAY(a->arena, const char *, a->model->component_count + 1);
    for (size_t i = 0; i < texts->count; i++) {
        uint32_t c = 0;
        const char *place = NULL;
        HK_TRY(find(ctx, a, texts->all[i], &c, &place));
        if (places[c])
            return hk_error(ctx, HK_E_USAGE, HK_NOWHERE, "leave out one of them",
                            "--remote names component '%s' twice", a->model->components[c].name);
        HK_TRY(refuse_own_process(ctx, a->request, &a->model->components[c]));
        HK_TRY(name_place(ctx, a->arena, place, &places[c]));
        HK_TRY(refuse_shared_place(ctx, a, places, c));
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

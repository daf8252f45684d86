/* SPDX-License-Identifier: MIT
 *
 * Which files a run reads. The model is read as a run reads it, but through the paths that it will
 * have in the tool: what the tool could not find is not found here either, and nothing that is read
 * is missed. */
#include "assembly/assembly.h"
#include "base/claims.h"
#include "base/file.h"
#include "model/unit.h"
#include "tool/tool_internal.h"

#include <string.h>

/* ---- what is asked for ---- */

static const char *place_of(const hk_collection *c, const char *path) {
    return hk_path_join(c->arena, c->folder, path);
}

static bool exists(void *user, const char *path) {
    return hk_file_exists(place_of(user, path));
}

static hk_status add(hk_ctx *ctx, hk_collection *c, const char *path, uint32_t *ret_index) {
    const char *place = place_of(c, path);
    hk_collected file = {.path = hk_arena_strdup(c->arena, path), .same = c->count};
    if (hk_file_exists(place) && !hk_file_is_regular(place))
        return hk_error(ctx, HK_E_FILE_KIND, (hk_where){.file = place}, "use a regular file",
                        "cannot be packed into a tool: it is a pipe or a device");
    HK_TRY(hk_claim_read(ctx, hk_path_join(c->arena, c->shown, path))); /* as its user names it */
    HK_TRY(hk_file_read(ctx, place, 0, &file.data, &file.size));
    file.real = hk_path_real(c->arena, place);
    uint32_t first = hk_map_put(&c->by_real, file.real, (uint32_t)c->count);
    if (first < c->count) {
        hk_free(file.data);
        file.data = NULL;
        file.same = first;
    }
    *ret_index = (uint32_t)c->count;
    hk_map_put(&c->by_path, file.path, *ret_index);
    HK_PUSH(c->all, c->count, c->cap, file);
    return HK_OK;
}

/* A path that is found to lead to a file which was read already is not read: it is another path of
 * that file, and the tool will be asked for it. */
static const char *identity(void *user, const char *path) {
    hk_collection *c = user;
    const char *place = place_of(c, path);
    hk_ctx *quiet = hk_ctx_create(NULL, NULL); /* who reads it says what is wrong */
    uint32_t index;
    hk_claim_share(quiet, c->reading); /* read it is, and so not to be overwritten */
    if (hk_map_get(&c->by_path, path) == HK_MAP_NONE && hk_file_is_regular(place))
        (void)(add(quiet, c, path, &index) == HK_OK);
    hk_ctx_destroy(quiet);
    return hk_path_real(c->arena, place);
}

/* Models are read by one thread. */
static hk_status view(hk_ctx *ctx, void *user, const char *path, const char **ret_data,
                      size_t *ret_size) {
    hk_collection *c = user;
    uint32_t index = hk_map_get(&c->by_path, path);
    if (index == HK_MAP_NONE)
        HK_TRY(add(ctx, c, path, &index));
    const hk_collected *file = &c->all[c->all[index].same];
    *ret_data = file->data;
    *ret_size = file->size;
    return HK_OK;
}

void hk_tool_collection_finish(hk_collection *c) {
    for (size_t i = 0; i < c->count; i++)
        hk_free(c->all[i].data);
    hk_free(c->all);
    hk_free(c->fused);
    hk_map_finish(&c->by_path);
    hk_map_finish(&c->by_real);
}

/* ---- what is read when instances begin ---- */

static hk_status set_presets(hk_ctx *ctx, hk_unit *unit, size_t component,
                             const hk_actions *actions) {
    for (size_t i = 0; actions && i < actions->count; i++) {
        const hk_action *a = &actions->all[i];
        if (a->kind == HK_ACTION_SET && a->component == component)
            HK_TRY(unit->unit_class->set_start(ctx, unit, a->variable, &a->value));
    }
    return HK_OK;
}

static hk_status begin_unit(hk_ctx *ctx, hk_unit *unit, const hk_assembly *made, size_t component,
                            const hk_scenario *scenario) {
    const hk_component *c = &made->model->components[component];
    for (size_t i = 0; i < c->setting_count; i++)
        HK_TRY(
            unit->unit_class->set_start(ctx, unit, c->settings[i].variable, &c->settings[i].value));
    HK_TRY(set_presets(ctx, unit, component, scenario ? &made->simulation->begin : NULL));
    HK_TRY(set_presets(ctx, unit, component, scenario ? &scenario->begin : NULL));
    return unit->unit_class->enter_init(ctx, unit);
}

/* Built-in components read the files that their parameters name when they begin; so they begin,
 * once in each scenario. */
static hk_status begin_builtins(hk_ctx *ctx, hk_arena *arena, const hk_assembly *made,
                                const hk_scenario *scenario) {
    const hk_model *model = made->model;
    const char *folder = hk_path_folder(arena, model->file);
    for (size_t i = 0; i < model->component_count; i++) {
        const hk_component *c = &model->components[i];
        hk_unit_options options = {.name = c->name, .folder = folder};
        hk_unit *unit;
        if (c->info->file)
            continue;
        HK_TRY(c->info->unit_class->open(ctx, c->info, &options, &unit));
        hk_status status = begin_unit(ctx, unit, made, i, scenario);
        unit->unit_class->close(unit);
        HK_TRY(status);
    }
    return HK_OK;
}

static hk_status read_begun(hk_ctx *ctx, hk_arena *arena, const hk_assembly *made) {
    const hk_simulation *s = made->simulation;
    for (size_t i = 0; s && i < s->scenario_count; i++)
        HK_TRY(begin_builtins(ctx, arena, made, &s->scenarios[i]));
    return s ? HK_OK : begin_builtins(ctx, arena, made, NULL);
}

/* ---- all of it ---- */

/* What cannot run here cannot run elsewhere from the same files. */
static hk_status check_openable(hk_ctx *ctx, const hk_model *model) {
    for (size_t i = 0; i < model->component_count; i++) {
        const hk_info *info = model->components[i].info;
        if (info->unit_class->can_open)
            HK_TRY(info->unit_class->can_open(ctx, info));
    }
    return HK_OK;
}

static hk_status read_run(const hk_collecting *wanted, hk_collection *c, const hk_request *request,
                          hk_assembly *made) {
    hk_ctx *ctx = wanted->reading;
    HK_TRY(hk_assembly_open(ctx, request, made));
    HK_TRY(hk_assembly_complete(ctx, made));
    HK_TRY(hk_assembly_plan(ctx, made, true));
    HK_TRY(check_openable(ctx, made->model));
    HK_TRY(read_begun(ctx, c->arena, made));
    return wanted->fused ? hk_tool_fuse(wanted, c->arena, made, &c->fused, &c->fused_size) : HK_OK;
}

hk_status hk_tool_collect(const hk_collecting *wanted, hk_collection *c) {
    const hk_packed_source source = {
        .exists = exists, .view = view, .identity = identity, .user = c};
    hk_request request;
    hk_assembly made = {0};
    c->reading = wanted->reading;
    hk_packed_mount(wanted->root, &source);
    hk_status status = hk_request_begin(
        wanted->reading, hk_arena_printf(c->arena, "%s/%s", wanted->root, wanted->model), &request);
    if (status == HK_OK)
        status = read_run(wanted, c, &request, &made);
    hk_assembly_close(&made);
    hk_packed_unmount();
    return status;
}

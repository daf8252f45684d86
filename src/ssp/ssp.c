/* SPDX-License-Identifier: MIT */
#include "ssp/ssp.h"

#include "base/file.h"
#include "fmi/fmi.h"
#include "format/zip.h"
#include "lang/schedule/schedule.h"
#include "native/native.h"
#include "ssp/ssp_internal.h"

#include <string.h>

void hk_ssp_begin(hk_ssp *r, hk_ctx *ctx) {
    *r = (hk_ssp){.ctx = ctx, .arena = hk_arena_create()};
    r->reading = hk_reading_begin(ctx, r->arena, HK_E_SSP);
    r->keep = r->arena;
    r->loaded = hk_ssp_map(r);
}

void hk_ssp_finish(hk_ssp *r) {
    for (size_t i = 0; i < r->store_count; i++)
        hk_zip_close(r->stores[i]->zip);
    hk_free(r->stores);
    for (size_t i = 0; i < r->map_count; i++)
        hk_map_finish(r->maps[i]);
    hk_free(r->maps);
    hk_reading_finish(&r->reading);
    hk_arena_destroy(r->arena);
}

hk_map *hk_ssp_map(hk_ssp *r) {
    hk_map *map = HK_NEW(r->arena, hk_map);
    HK_PUSH(r->maps, r->map_count, r->map_cap, map);
    return map;
}

void *hk_ssp_grow(hk_ssp *r, const void *old, size_t *cap, size_t size) {
    size_t more = *cap ? 2 * *cap : 8;
    void *grown = hk_arena_alloc(r->arena, more * size);
    if (old)
        memcpy(grown, old, *cap * size);
    *cap = more;
    return grown;
}

static hk_status open_fmu(hk_ctx *ctx, hk_model *model, const char *path, const char *fragment,
                          const hk_info **ret_info) {
    (void)fragment;
    hk_fmu *fmu;
    HK_TRY(hk_fmu_open(ctx, path, &fmu));
    *ret_info = hk_fmu_own(model, fmu);
    return HK_OK;
}

static hk_status open_packed(hk_ctx *ctx, hk_model *model, const char *path, char *data,
                             size_t size, const hk_info **ret_info) {
    hk_fmu *fmu;
    HK_TRY(hk_fmu_open_memory(ctx, path, data, size, &fmu));
    *ret_info = hk_fmu_own(model, fmu);
    return HK_OK;
}

static const hk_ssp_openers real_openers = {open_fmu, hk_plugin_info, open_packed};

size_t hk_ssp_file_length(const char *path) {
    const char *hash = strstr(path, ".ssp#");
    return hash ? (size_t)(hash - path) + 4 : strlen(path);
}

/* "x.ssp#Variant.ssd", "x.ssp" or "x.ssd". */
static hk_status open_base(hk_ssp *r, const char *path, hk_ssp_base **ret_base) {
    size_t length = hk_ssp_file_length(path);
    const char *file = hk_arena_strndup(r->arena, path, length);
    if (strcmp(hk_path_extension(file), ".ssp") != 0)
        return hk_ssp_open_loose(r, path, ret_base);
    return hk_ssp_open_package(r, file, file, path[length] ? path + length + 1 : NULL, ret_base);
}

static hk_status read_into(hk_ssp *r, hk_model *model, const char *path,
                           const hk_ssp_options *options, const hk_ssp_openers *openers) {
    hk_ssp_base *base;
    hk_ssd *ssd;
    r->model = model;
    HK_TRY(open_base(r, path, &base));
    HK_TRY(hk_ssd_load(r, base, &ssd));
    if (ssd->name)
        model->name = hk_arena_strdup(model->arena, ssd->name);
    if (ssd->description)
        model->description = hk_arena_strdup(model->arena, ssd->description);
    model->experiment = ssd->experiment;
    if (options->step) {
        model->experiment.step = *options->step;
        model->experiment.has_step = true;
    }
    hk_ssp_flat flat = {.reader = r, .model = model, .openers = openers};
    hk_ssp_flatten(&flat, ssd->root);
    hk_ssp_choose(r, base, ssd->root);
    hk_ssp_apply_bindings(&flat, ssd->root);
    hk_ssp_tell_left_out(r);
    hk_ssp_tell_idle(r);
    hk_ssp_check_connectors(&flat, ssd->root);
    if (!model->component_count && !r->reading.complaints.count)
        return hk_error(
            r->ctx, HK_E_SSP, ssd->root->where, "put a Component with a source into its Elements",
            "system '%s' has no components, so there is nothing to run", ssd->root->name);
    if (r->reading.complaints.count)
        return r->reading.complaints.first;
    hk_ssp_keep(&flat, base, ssd);
    if (r->reading.complaints.count)
        return r->reading.complaints.first;
    /* Only a whole system has all the names that its schedule speaks of. */
    const hk_xml *schedule = ssd->schedule;
    const char *file = hk_ssp_shown(r, base->store, base->ssd);
    return schedule ? hk_schedule_parse(r->ctx, model, file, schedule->line, schedule->text,
                                        strlen(schedule->text))
                    : HK_OK;
}

hk_status hk_ssp_read_with(hk_ctx *ctx, const char *path, const hk_ssp_options *options,
                           const hk_ssp_openers *openers, hk_model **ret_model) {
    const char *extension = hk_path_extension(path);
    if (!path[hk_ssp_file_length(path)] && strcmp(extension, ".ssp") != 0 &&
        strcmp(extension, ".ssd") != 0)
        return hk_error(ctx, HK_E_FILE_KIND, (hk_where){.file = path}, "name an .ssp or .ssd file",
                        "'%s' is not a system", hk_path_name(path));
    hk_model *model = hk_model_create(hk_path_name(path), path);
    hk_ssp r;
    hk_ssp_begin(&r, ctx);
    r.keep = model->arena;
    r.wanted_set = options->set;
    r.unpack = options->unpack;
    hk_status status = read_into(&r, model, path, options, openers);
    hk_ssp_finish(&r);
    if (status != HK_OK) {
        hk_model_destroy(model);
        return status;
    }
    *ret_model = model;
    return HK_OK;
}

hk_status hk_ssp_read(hk_ctx *ctx, const char *path, const hk_ssp_options *options,
                      hk_model **ret_model) {
    static const hk_ssp_options nothing;
    return hk_ssp_read_with(ctx, path, options ? options : &nothing, &real_openers, ret_model);
}

hk_status hk_ssp_parse_ssd(hk_ctx *ctx, const char *file, const char *data, size_t size) {
    hk_ssp r;
    hk_ssd *ssd;
    hk_ssp_begin(&r, ctx);
    hk_ssp_store nothing = {.shown = ""}; /* may be opened */
    const hk_ssp_base base = {.store = &nothing, .ssd = "", .inner = ""};
    const hk_xml *root;
    hk_status status = hk_ssp_parse_xml(&r, file, data, size, "SystemStructureDescription", &root);
    if (status == HK_OK)
        status = hk_ssd_read(&r, &base, file, root, &ssd);
    if (status == HK_OK && r.reading.complaints.count)
        status = r.reading.complaints.first;
    hk_ssp_finish(&r);
    return status;
}

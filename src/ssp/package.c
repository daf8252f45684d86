/* SPDX-License-Identifier: MIT
 *
 * Files that a system refers to: beside its SSD, or in its package. A package is not unpacked as a
 * whole before something must lie on the disk, such as a plugin: folders and files that live for a
 * moment cost more than all that is read. */
#include "base/file.h"
#include "ssp/ssp_internal.h"

#include <string.h>

#define MEMORY_MAX ((uint64_t)64 << 20) /* larger FMUs are not kept in memory */

static void remove_folder(void *path) {
    hk_folder_remove(path);
}

/* The first root *.ssd that is not the standard one, for the message. */
static const char *other_ssd(const hk_zip *zip) {
    for (size_t i = 0; i < hk_zip_count(zip); i++) {
        const char *name = hk_zip_name(zip, i);
        if (!strchr(name, '/') && strcmp(hk_path_extension(name), ".ssd") == 0)
            return name;
    }
    return NULL;
}

hk_status hk_ssp_open_package(hk_ssp *r, hk_model *model, const char *path) {
    HK_TRY(hk_zip_open(r->ctx, path, &r->zip));
    r->model = model;
    r->packed = true;
    r->shown = path;
    if (hk_zip_find(r->zip, HK_SSP_SSD) >= 0)
        return HK_OK;
    const char *other = other_ssd(r->zip);
    return hk_error(r->ctx, HK_E_SSP, (hk_where){.file = path},
                    other ? "unpack the package and name the .ssd file itself"
                          : "an SSP package has that file at its top level",
                    other ? "the package has no SystemStructure.ssd, only '%s'"
                          : "the package has no SystemStructure.ssd%s",
                    other ? other : "");
}

/* Into a folder that goes with the model. */
static hk_status unpack(hk_ssp *r) {
    const char *folder;
    if (r->folder)
        return HK_OK;
    HK_TRY(hk_folder_temporary(r->ctx, r->model->arena, &folder));
    hk_model_own(r->model, hk_arena_strdup(r->model->arena, folder), remove_folder);
    hk_ctx_rename(r->ctx, folder, r->shown);
    HK_TRY(hk_zip_extract(r->ctx, r->zip, NULL, folder));
    r->folder = folder;
    return HK_OK;
}

/* The entry of the package; -1: there is none, or none by exactly this name. */
static int64_t entry_of(const hk_ssp *r, const char *path) {
    return r->zip && !r->folder ? hk_zip_find(r->zip, path) : -1;
}

hk_status hk_ssp_place(hk_ssp *r, const char *path, const char **ret_full) {
    HK_TRY(unpack(r));
    *ret_full = hk_path_join(r->arena, r->folder, path);
    return HK_OK;
}

hk_status hk_ssp_exists(hk_ssp *r, const char *path, bool *ret_exists) {
    const char *full;
    *ret_exists = *path && path[strlen(path) - 1] != '/' && entry_of(r, path) >= 0;
    if (*ret_exists)
        return HK_OK;
    HK_TRY(hk_ssp_place(r, path, &full)); /* by another spelling, it may still be there */
    *ret_exists = hk_file_exists(full);
    return HK_OK;
}

hk_status hk_ssp_load(hk_ssp *r, const char *path, size_t limit, char **ret_data,
                      size_t *ret_size) {
    const char *full;
    int64_t entry = entry_of(r, path);
    if (entry >= 0 && hk_zip_size(r->zip, (size_t)entry) <= limit)
        return hk_zip_read(r->ctx, r->zip, (size_t)entry, ret_data, ret_size);
    HK_TRY(hk_ssp_place(r, path, &full));
    return hk_file_read(r->ctx, full, limit, ret_data, ret_size);
}

hk_status hk_ssp_load_fmu(hk_ssp *r, const char *path, char **ret_data, size_t *ret_size) {
    int64_t entry = entry_of(r, path);
    *ret_data = NULL;
    return entry >= 0 && hk_zip_size(r->zip, (size_t)entry) <= MEMORY_MAX
               ? hk_zip_read(r->ctx, r->zip, (size_t)entry, ret_data, ret_size)
               : HK_OK;
}

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

static hk_ssp_store *add_store(hk_ssp *r, const char *shown) {
    hk_ssp_store *store = HK_NEW(r->arena, hk_ssp_store);
    store->shown = shown;
    store->number = (unsigned)r->store_count;
    HK_PUSH(r->stores, r->store_count, r->store_cap, store);
    return store;
}

static hk_ssp_base *add_base(hk_ssp *r, hk_ssp_store *store, const char *ssd) {
    hk_ssp_base *base = HK_NEW(r->arena, hk_ssp_base);
    const char *slash = strrchr(ssd, '/');
    base->store = store;
    base->ssd = hk_arena_strdup(r->arena, ssd);
    base->inner = slash ? hk_arena_strndup(r->arena, ssd, (size_t)(slash - ssd)) : "";
    return base;
}

hk_ssp_base *hk_ssp_base_beside(hk_ssp *r, const hk_ssp_base *base, const char *ssd) {
    return add_base(r, base->store, ssd);
}

hk_status hk_ssp_open_loose(hk_ssp *r, const char *path, hk_ssp_base **ret_base) {
    hk_ssp_store *store = add_store(r, hk_path_folder(r->arena, path));
    store->folder = store->shown;
    *ret_base = add_base(r, store, hk_path_name(path));
    return HK_OK;
}

/* A description of the package: at its top level, and none but it has the name. */
static bool is_variant(const char *name) {
    return !strchr(name, '/') && strcmp(hk_path_extension(name), ".ssd") == 0;
}

/* All descriptions of a package in words: "'A.ssd', 'B.ssd'"; NULL: it has none. */
static const char *list_variants(hk_ssp *r, const hk_zip *zip) {
    const char *list = NULL;
    for (size_t i = 0; i < hk_zip_count(zip); i++)
        if (is_variant(hk_zip_name(zip, i)))
            list = hk_arena_printf(r->arena, "%s%s'%s'", list ? list : "", list ? ", " : "",
                                   hk_zip_name(zip, i));
    return list;
}

static hk_status no_variant(hk_ssp *r, const hk_zip *zip, const char *shown, const char *variant) {
    const char *list = list_variants(r, zip);
    const char *hint = "an SSP package has that file at its top level";
    if (list)
        hint = hk_arena_printf(r->arena, "it has %s: name one behind the package, '%s#NAME.ssd'",
                               list, hk_path_name(shown));
    return hk_error(r->ctx, HK_E_SSP, (hk_where){.file = shown}, hint, "the package has no %s",
                    variant ? variant : HK_SSP_SSD);
}

/* Told where nobody has chosen. */
static void tell_variants(hk_ssp *r, const hk_zip *zip, const char *shown) {
    size_t count = 0;
    for (size_t i = 0; i < hk_zip_count(zip); i++)
        count += is_variant(hk_zip_name(zip, i));
    if (count > 1)
        hk_note(r->ctx, (hk_where){.file = shown},
                "the package has %zu descriptions, %s; '%s#NAME.ssd' names another than the "
                "standard one",
                count, list_variants(r, zip), hk_path_name(shown));
}

hk_status hk_ssp_open_package(hk_ssp *r, const char *path, const char *shown, const char *variant,
                              hk_ssp_base **ret_base) {
    hk_ssp_store *store = add_store(r, shown);
    HK_TRY(hk_zip_open(r->ctx, path, &store->zip));
    store->packed = true;
    const char *name = variant ? variant : HK_SSP_SSD;
    if (hk_zip_find(store->zip, name) < 0 && variant)
        name = hk_arena_printf(r->arena, "%s.ssd", variant);
    if (hk_zip_find(store->zip, name) < 0)
        return no_variant(r, store->zip, shown, variant);
    if (!variant)
        tell_variants(r, store->zip, shown);
    *ret_base = add_base(r, store, name);
    return HK_OK;
}

hk_status hk_ssp_open_inside(hk_ssp *r, const char *path, const char *shown,
                             hk_ssp_base **ret_base) {
    hk_ssp_store *store = add_store(r, shown);
    HK_TRY(hk_zip_open(r->ctx, path, &store->zip));
    store->packed = true;
    *ret_base = add_base(r, store, "");
    return HK_OK;
}

/* Into a folder that goes with the model. */
static hk_status unpack(hk_ssp *r, hk_ssp_store *store) {
    const char *folder;
    if (store->folder || store->damaged != HK_OK)
        return store->damaged;
    HK_TRY(hk_folder_temporary(r->ctx, r->model->arena, &folder));
    hk_model_own(r->model, hk_arena_strdup(r->model->arena, folder), remove_folder);
    hk_ctx_rename(r->ctx, folder, store->shown);
    store->damaged = hk_zip_extract(r->ctx, store->zip, NULL, folder);
    if (store->damaged == HK_OK)
        store->folder = folder;
    return store->damaged;
}

/* The entry of the package; -1: there is none, or none by exactly this name. */
static int64_t entry_of(const hk_ssp_store *store, const char *path) {
    return store->zip && !store->folder ? hk_zip_find(store->zip, path) : -1;
}

const char *hk_ssp_shown(hk_ssp *r, const hk_ssp_store *store, const char *path) {
    return hk_path_join(r->arena, store->shown, path);
}

hk_status hk_ssp_place(hk_ssp *r, hk_ssp_store *store, const char *path, const char **ret_full) {
    HK_TRY(unpack(r, store));
    *ret_full = hk_path_join(r->arena, store->folder, path);
    return HK_OK;
}

hk_status hk_ssp_exists(hk_ssp *r, hk_ssp_store *store, const char *path, bool *ret_exists) {
    const char *full;
    *ret_exists = *path && path[strlen(path) - 1] != '/' && entry_of(store, path) >= 0;
    if (*ret_exists)
        return HK_OK;
    HK_TRY(hk_ssp_place(r, store, path, &full)); /* by another spelling, it may still be there */
    *ret_exists = hk_file_exists(full);
    return HK_OK;
}

hk_status hk_ssp_load(hk_ssp *r, hk_ssp_store *store, const char *path, size_t limit,
                      char **ret_data, size_t *ret_size) {
    const char *full;
    int64_t entry = entry_of(store, path);
    if (entry >= 0 && hk_zip_size(store->zip, (size_t)entry) <= limit)
        return hk_zip_read(r->ctx, store->zip, (size_t)entry, ret_data, ret_size);
    HK_TRY(hk_ssp_place(r, store, path, &full));
    return hk_file_read(r->ctx, full, limit, ret_data, ret_size);
}

hk_status hk_ssp_load_fmu(hk_ssp *r, hk_ssp_store *store, const char *path, char **ret_data,
                          size_t *ret_size) {
    int64_t entry = entry_of(store, path);
    *ret_data = NULL;
    return entry >= 0 && hk_zip_size(store->zip, (size_t)entry) <= MEMORY_MAX
               ? hk_zip_read(r->ctx, store->zip, (size_t)entry, ret_data, ret_size)
               : HK_OK;
}

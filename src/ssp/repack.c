/* SPDX-License-Identifier: MIT
 *
 * A description becomes a package that holds the files it names, and a package a description with
 * its files in a folder beside it. The document stays what it is but for the ways to files. */
#include "base/file.h"
#include "base/files_beside.h"
#include "format/source.h"
#include "ssp/ssp_write_internal.h"

#include <string.h>

#define BYTES_MAX ((size_t)256 << 20)

/* ---- packing ---- */

typedef struct packer {
    const char *from, *folder;
    hk_reading reading;
} packer;

/* Files about the system need not be there. */
static bool is_extra(const hk_xml_node *node) {
    return strcmp(hk_xml_local(node), "MetaData") == 0 ||
           strcmp(hk_xml_local(node), "Signature") == 0;
}

static const char *packed_source(hk_ssp_writer *w, void *user, const hk_xml_node *node,
                                 const char *source) {
    packer *p = user;
    hk_where where = {p->from, node->line, node->column, NULL};
    char *path, *fragment;
    if (is_extra(node) && strchr(source, ':'))
        return NULL; /* somewhere in the net */
    hk_status status = hk_source_read(w->ctx, &p->reading, source, where, &path, &fragment);
    if (status != HK_OK) {
        hk_ssp_write_failed(w, status);
        return NULL;
    }
    const char *full = *path == '/' ? path : hk_path_join(w->arena, p->folder, path);
    if (is_extra(node) && !hk_file_exists(full))
        return NULL; /* was said when it was read */
    if (strcmp(hk_path_extension(path), ".ssd") == 0) {
        hk_ssp_write_failed(w, hk_error(w->ctx, HK_E_SSP, where,
                                        "make a package of that one first, and name it here",
                                        "the component is the description '%s', which names files "
                                        "by itself, so it cannot be packed with this one",
                                        source));
        return NULL;
    }
    const char *name = hk_ssp_write_source(w, full, where);
    return name && fragment ? hk_arena_printf(w->arena, "%s%s", name, strchr(source, '#')) : name;
}

hk_status hk_ssp_pack(hk_ssp_writer *w, const char *from, const char *to) {
    char *data;
    size_t size;
    const char *folder;
    HK_TRY(hk_ssp_edit_folder(w, to, &folder));
    HK_TRY(hk_file_read(w->ctx, from, BYTES_MAX, &data, &size));
    hk_status status = hk_ssp_edit_document(w, from, data, size);
    hk_free(data);
    HK_TRY(status);
    packer p = {.from = from,
                .folder = hk_path_real(w->arena, hk_path_folder(w->arena, from)),
                .reading = {.arena = w->arena, .code = HK_E_SSP}};
    w->packed = true;
    hk_ssp_rename_sources(w, &w->doc->top, packed_source, &p);
    hk_reading_finish(&p.reading);
    return w->error_count ? w->error
                          : hk_ssp_write_package(w, to, hk_xml_document_print(w->arena, w->doc));
}

/* ---- unpacking ---- */

static bool is_wanted(const char *name) {
    return strcmp(name, HK_SSP_SSD) != 0;
}

static bool holds_files(const hk_zip *zip) {
    bool any = false;
    for (size_t i = 0; i < hk_zip_count(zip) && !any; i++)
        any = is_wanted(hk_zip_name(zip, i));
    return any;
}

static hk_status read_entry(hk_ssp_writer *w, const char *package, hk_zip *zip) {
    /* "x.ssp/SystemStructure.ssd", or one of several that was asked for */
    const char *name = hk_path_name(w->model->tree->root->where.file);
    int64_t entry = hk_zip_find(zip, name);
    char *text;
    size_t size;
    HK_ASSERT(entry >= 0); /* the model was read from it */
    HK_TRY(hk_zip_read(w->ctx, zip, (size_t)entry, &text, &size));
    hk_status status = hk_ssp_edit_document(w, hk_path_join(w->arena, package, name), text, size);
    hk_free(text);
    return status;
}

/* Into the folder beside TO; NULL: there are none. */
static hk_status unpack_files(hk_ssp_writer *w, hk_zip *zip, const char *to,
                              const char **ret_folder) {
    const char *files = hk_beside_name(w->arena, to), *place, *folder;
    *ret_folder = NULL;
    HK_TRY(hk_ssp_edit_folder(w, to, &place));
    if (!holds_files(zip))
        return HK_OK;
    HK_TRY(hk_beside_make(w->ctx, w->arena, to, &folder));
    *ret_folder = folder;
    HK_TRY(hk_zip_extract(w->ctx, zip, is_wanted, folder));
    hk_ssp_rename_sources(
        w, &w->doc->top, hk_ssp_moved_source,
        (void *)(uintptr_t)hk_arena_printf(w->arena, "%s/", hk_ssp_encode(w->arena, files)));
    return HK_OK;
}

hk_status hk_ssp_unpack(hk_ssp_writer *w, const char *package, const char *to) {
    hk_zip *zip;
    const char *folder = NULL;
    HK_TRY(hk_zip_open(w->ctx, package, &zip));
    hk_status status = read_entry(w, package, zip);
    if (status == HK_OK)
        status = unpack_files(w, zip, to, &folder);
    hk_zip_close(zip);
    if (status == HK_OK) {
        const char *text = hk_xml_document_print(w->arena, w->doc);
        status = hk_file_write(w->ctx, to, text, strlen(text));
    }
    if (status != HK_OK && folder)
        hk_folder_remove(folder);
    return status;
}

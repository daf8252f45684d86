/* SPDX-License-Identifier: MIT
 *
 * The scene of a system: an annotation names its file, which lies in the package. */
#include "base/file.h"
#include "format/zip.h"
#include "ssp/ssp_internal.h"

#include <string.h>
#include <strings.h>

#define SSD_BYTES_MAX ((size_t)256 << 20)

/* What scenes are made of is small beside the FMUs. */
static bool is_wanted(const char *name) {
    return strcasecmp(hk_path_extension(name), ".fmu") != 0;
}

static hk_status find_source(hk_ctx *ctx, const char *file, const hk_xml *root,
                             const char **ret_source) {
    const hk_xml *places[] = {root, hk_ssp_child(root, "System")};
    for (size_t i = 0; i < 2; i++)
        for (const hk_xml *a = places[i] ? hk_ssp_annotation(places[i], NULL, HK_SSP_SCENE) : NULL;
             a; a = hk_ssp_annotation(places[i], a, HK_SSP_SCENE)) {
            const hk_xml *own = hk_xml_child(a, HK_SSP_NAMESPACE, "Scene");
            const char *source = own ? hk_xml_attr_get(own, "source") : NULL;
            if (!source || source[0] == '/' || strstr(source, ".."))
                return hk_error(ctx, HK_E_SSP, hk_xml_where(file, own ? own : a),
                                "<hk:Scene xmlns:hk=\"" HK_SSP_NAMESPACE
                                "\" source=\"resources/x.scene\"/>",
                                "the annotation '" HK_SSP_SCENE "' names no file of the package");
            if (*ret_source)
                return hk_error(ctx, HK_E_DUPLICATE, hk_xml_where(file, own), NULL,
                                "the system has two scenes");
            *ret_source = source;
        }
    if (*ret_source)
        return HK_OK;
    return hk_error(ctx, HK_E_SSP, (hk_where){.file = file},
                    "docs/scenes.md says how; or name a .scene file",
                    "the system names no scene, so there is nothing to show a record in");
}

static hk_status unpack(hk_ctx *ctx, const char *path, const char *folder) {
    hk_zip *zip;
    HK_TRY(hk_zip_open(ctx, path, &zip));
    hk_status status = hk_zip_extract(ctx, zip, is_wanted, folder);
    hk_zip_close(zip);
    return status;
}

static hk_status find_in(hk_ctx *ctx, hk_arena *arena, const char *ssd, const char **ret_scene) {
    char *data;
    size_t size;
    const hk_xml *root;
    const char *source = NULL;
    HK_TRY(hk_file_read(ctx, ssd, SSD_BYTES_MAX, &data, &size));
    hk_status status = hk_xml_parse(ctx, arena, ssd, data, size, &root);
    hk_free(data);
    HK_TRY(status);
    HK_TRY(find_source(ctx, ssd, root, &source));
    *ret_scene = hk_path_join(arena, hk_path_folder(arena, ssd), source);
    return HK_OK;
}

hk_status hk_ssp_scene(hk_ctx *ctx, hk_arena *arena, const char *path, const char **ret_scene,
                       const char **ret_folder) {
    HK_ASSERT(path);
    *ret_folder = NULL;
    if (strcasecmp(hk_path_extension(path), ".ssp") != 0)
        return find_in(ctx, arena, path, ret_scene);
    HK_TRY(hk_folder_temporary(ctx, arena, ret_folder));
    hk_ctx_rename(ctx, *ret_folder, path);
    HK_TRY(unpack(ctx, path, *ret_folder));
    return find_in(ctx, arena, hk_path_join(arena, *ret_folder, HK_SSP_SSD), ret_scene);
}

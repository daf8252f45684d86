/* SPDX-License-Identifier: MIT
 *
 * Opening FMUs: archive, description, and the choice of the version that reads it. */
#include "fmi/fmu.h"
#include "base/file.h"
#include "fmi/cache.h"

#include <string.h>

/* Twice the largest that has been seen; the tree takes several times as much. */
#define DESCRIPTION_BYTES_MAX (UINT64_C(512) << 20)

static const hk_fmu_version versions[] = {
    {.major = "1.", .describe = hk_fmi1_describe, .unit_class = &hk_fmi1_class},
    {.major = "2.", .describe = hk_fmi2_describe, .unit_class = &hk_fmi2_class},
    {.major = "3.", .describe = hk_fmi3_describe, .unit_class = &hk_fmi3_class},
};

static const hk_fmu_version *find_version(const char *text) {
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        if (strncmp(text, versions[i].major, strlen(versions[i].major)) == 0)
            return &versions[i];
    return NULL;
}

static hk_status describe(hk_ctx *ctx, hk_fmu *fmu, const char *data, size_t size) {
    const hk_xml *root;
    const char *file = fmu->info.file;
    HK_TRY(hk_xml_parse(ctx, fmu->arena, file, data, size, &root));
    if (strcmp(root->name, "fmiModelDescription") != 0)
        return hk_error(ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(file, root), NULL,
                        "the root element is '%s', expected 'fmiModelDescription'", root->name);
    const char *text = hk_xml_attr_get(root, "fmiVersion");
    if (!text)
        return hk_error(ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(file, root), NULL,
                        "the attribute fmiVersion is missing");
    const hk_fmu_version *version = find_version(text);
    if (!version)
        return hk_error(ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(file, root),
                        "hocket knows FMI 1.0, 2.0 and 3.0",
                        "fmiVersion is '%s', which is no version of FMI", text);
    fmu->facts.fmi_version = text;
    fmu->info.unit_class = version->unit_class;
    fmu->info.can.fmi = version->major[0] - '0';
    fmu->info.can.gapless = true;
    return version->describe(ctx, fmu, root);
}

static hk_fmu *create(const char *path, const char *file) {
    hk_arena *arena = hk_arena_create();
    hk_fmu *fmu = HK_NEW(arena, hk_fmu);
    fmu->arena = arena;
    fmu->info.file = hk_arena_strdup(arena, file);
    fmu->info.origin = fmu;
    fmu->facts.path = path ? hk_path_absolute(arena, path) : NULL;
    fmu->shown = hk_arena_strdup(arena, path);
    pthread_mutex_init(&fmu->lock, NULL);
    return fmu;
}

void hk_fmu_close(hk_fmu *fmu) {
    if (!fmu)
        return;
    if (fmu->folder_private)
        hk_folder_remove(fmu->folder);
    if (fmu->kept)
        hk_cache_release(fmu->kept);
    hk_free(fmu->data);
    hk_map_finish(&fmu->info.by_name);
    pthread_mutex_destroy(&fmu->lock);
    hk_arena_destroy(fmu->arena); /* the FMU lives in it */
}

hk_status hk_fmu_parse_description(hk_ctx *ctx, const char *file, const char *data, size_t size,
                                   hk_fmu **ret_fmu) {
    hk_fmu *fmu = create(NULL, file);
    hk_status status = describe(ctx, fmu, data, size);
    if (status != HK_OK) {
        hk_fmu_close(fmu);
        return status;
    }
    *ret_fmu = fmu;
    return HK_OK;
}

/* Reads the description out of an open archive. */
static hk_status read_archive(hk_ctx *ctx, hk_fmu *fmu, hk_zip *zip) {
    int64_t index = hk_zip_find(zip, "modelDescription.xml");
    if (index < 0)
        return hk_error(ctx, HK_E_FMI_DESCRIPTION, (hk_where){.file = fmu->shown},
                        "modelDescription.xml must stand at the top of the archive, in no folder",
                        "the archive holds no modelDescription.xml, so it is no FMU");
    char *data;
    size_t size;
    if (hk_zip_size(zip, (size_t)index) > DESCRIPTION_BYTES_MAX)
        return hk_error(ctx, HK_E_ZIP_UNSAFE, (hk_where){.file = fmu->shown}, NULL,
                        "modelDescription.xml has more than %d MiB",
                        (int)(DESCRIPTION_BYTES_MAX >> 20));
    HK_TRY(hk_zip_read(ctx, zip, (size_t)index, &data, &size));
    hk_status status = describe(ctx, fmu, data, size);
    hk_free(data);
    if (status == HK_OK)
        hk_fmu_survey(fmu, zip);
    return status;
}

/* DATA: where the archive lies in memory, or NULL. Takes ZIP and DATA over. */
static hk_status open_archive(hk_ctx *ctx, const char *path, hk_zip *zip, char *data, size_t size,
                              hk_fmu **ret_fmu) {
    hk_arena *scratch = hk_arena_create();
    hk_fmu *fmu = create(path, hk_path_join(scratch, path, "modelDescription.xml"));
    hk_arena_destroy(scratch);
    fmu->data = data;
    fmu->size = size;
    hk_status status = read_archive(ctx, fmu, zip);
    hk_zip_close(zip);
    if (status != HK_OK) {
        hk_fmu_close(fmu);
        return status;
    }
    *ret_fmu = fmu;
    return HK_OK;
}

hk_status hk_fmu_open(hk_ctx *ctx, const char *path, hk_fmu **ret_fmu) {
    hk_zip *zip;
    HK_TRY(hk_zip_open(ctx, path, &zip));
    return open_archive(ctx, path, zip, NULL, 0, ret_fmu);
}

hk_status hk_fmu_open_memory(hk_ctx *ctx, const char *path, char *data, size_t size,
                             hk_fmu **ret_fmu) {
    hk_zip *zip;
    hk_status status = hk_zip_open_memory(ctx, path, data, size, &zip);
    if (status == HK_OK)
        return open_archive(ctx, path, zip, data, size, ret_fmu);
    hk_free(data);
    return status;
}

const hk_info *hk_fmu_info(const hk_fmu *fmu) {
    return &fmu->info;
}

const hk_fmu_facts *hk_fmu_get_facts(const hk_fmu *fmu) {
    return &fmu->facts;
}

/* SPDX-License-Identifier: MIT
 *
 * Opening FMUs: archive, description, and the choice of the version that reads it. */
#include "fmi/fmu.h"
#include "base/file.h"
#include "fmi/cache.h"
#include "fmi/description.h"
#include "model/model.h"

#include <string.h>

static const hk_fmu_version versions[] = {
    {.major = '1', .describe = hk_fmi1_describe, .unit_class = &hk_fmi1_class},
    {.major = '2', .describe = hk_fmi2_describe, .unit_class = &hk_fmi2_class},
    {.major = '3', .describe = hk_fmi3_describe, .unit_class = &hk_fmi3_class},
};

/* "2.0", "2.0.5", and also "2". */
static const hk_fmu_version *find_version(const char *text) {
    text += strspn(text, " ");
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        if (text[0] == versions[i].major && (!text[1] || text[1] == '.' || text[1] == ' '))
            return &versions[i];
    return NULL;
}

/* What the XML itself had to be forgiven. */
static void tell_borne(const hk_reader *r, const hk_xml_borne *borne) {
    const hk_xml at = {.name = "", .line = borne->encoding_line, .column = borne->encoding_column};
    if (borne->encoding)
        hk_fault_add(r, HK_FAULT_ENCODING, &at, borne->encoding);
    const hk_xml first = {.name = "", .line = borne->prefix_line, .column = borne->prefix_column};
    for (size_t i = 0; i < borne->prefix_count; i++)
        hk_fault_add(r, HK_FAULT_PREFIX, &first, borne->prefix);
}

static hk_status describe_tree(const hk_reader *r, hk_fmu *fmu, const hk_xml *root) {
    if (strcmp(root->name, "fmiModelDescription") != 0)
        return hk_error(r->ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(r->file, root), NULL,
                        "the root element is '%.60s', expected 'fmiModelDescription'", root->name);
    const char *text = hk_xml_attr_get(root, "fmiVersion");
    if (!text)
        return hk_error(r->ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(r->file, root), NULL,
                        "the attribute fmiVersion is missing");
    const hk_fmu_version *version = find_version(text);
    if (!version)
        return hk_error(r->ctx, HK_E_FMI_DESCRIPTION, hk_xml_where(r->file, root),
                        "hocket knows FMI 1.0, 2.0 and 3.0",
                        "fmiVersion is '%.60s', which is not a version of FMI", text);
    fmu->facts.fmi_version = text;
    fmu->info.unit_class = version->unit_class;
    fmu->info.can.fmi = version->major - '0';
    fmu->info.can.gapless = true;
    version->describe(r, fmu, root);
    hk_find_unknown_names(r, root, fmu->info.can.fmi);
    fmu->facts.described = true;
    return HK_OK;
}

/* After a failure in the middle of the file what is before it is described nevertheless; then
 * facts.described says so. */
static hk_status describe(hk_ctx *ctx, hk_fmu *fmu, const char *data, size_t size) {
    hk_tally faults[HK_FAULT_COUNT] = {0};
    const hk_reader r = {.ctx = ctx, .file = fmu->info.file, .arena = fmu->arena, .faults = faults};
    const hk_xml *root = NULL;
    hk_xml_borne borne;
    hk_status status = hk_xml_parse_leniently(
        ctx, fmu->arena, &(hk_file_text){fmu->info.file, data, size}, &root, &borne);
    if (status != HK_OK) {
        hk_ctx *quiet = hk_ctx_create(NULL, NULL);
        const hk_reader silent = {
            .ctx = quiet, .file = fmu->info.file, .arena = fmu->arena, .faults = faults};
        if (root)
            (void)describe_tree(&silent, fmu, root);
        hk_ctx_destroy(quiet);
        return status;
    }
    HK_TRY(describe_tree(&r, fmu, root));
    tell_borne(&r, &borne);
    hk_faults_report(&r);
    return HK_OK;
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
                        "modelDescription.xml must be at the top of the archive, in no folder",
                        "the archive holds no modelDescription.xml, so it is not an FMU");
    char *data;
    size_t size;
    if (hk_zip_size(zip, (size_t)index) > HK_FMU_DESCRIPTION_MAX)
        return hk_error(ctx, HK_E_ZIP_UNSAFE, (hk_where){.file = fmu->shown}, NULL,
                        "modelDescription.xml has more than %d MiB",
                        (int)(HK_FMU_DESCRIPTION_MAX >> 20));
    HK_TRY(hk_zip_read(ctx, zip, (size_t)index, &data, &size));
    hk_status status = describe(ctx, fmu, data, size);
    hk_free(data);
    return status;
}

/* An archive that is open. */
typedef struct archive {
    hk_zip *zip;
    char *data; /* where it lies in memory; NULL: it does not */
    size_t size;
} archive;

/* Takes the archive over. PARTLY: *ret_fmu is written even if the description cannot be read. */
static hk_status open_archive(hk_ctx *ctx, const char *path, archive from, bool partly,
                              hk_fmu **ret_fmu) {
    hk_zip *zip = from.zip;
    hk_arena *scratch = hk_arena_create();
    hk_fmu *fmu = create(path, hk_path_join(scratch, path, "modelDescription.xml"));
    hk_arena_destroy(scratch);
    fmu->data = from.data;
    fmu->size = from.size;
    hk_status status = read_archive(ctx, fmu, zip);
    hk_fmu_survey(fmu, zip);
    hk_zip_tell_repeats(ctx, zip);
    hk_zip_close(zip);
    if (status != HK_OK && !partly) {
        hk_fmu_close(fmu);
        return status;
    }
    *ret_fmu = fmu;
    return status;
}

hk_status hk_fmu_open(hk_ctx *ctx, const char *path, hk_fmu **ret_fmu) {
    hk_zip *zip;
    HK_TRY(hk_zip_open(ctx, path, &zip));
    return open_archive(ctx, path, (archive){.zip = zip}, false, ret_fmu);
}

hk_status hk_fmu_open_partly(hk_ctx *ctx, const char *path, hk_fmu **ret_fmu) {
    hk_zip *zip;
    *ret_fmu = NULL;
    HK_TRY(hk_zip_open(ctx, path, &zip));
    return open_archive(ctx, path, (archive){.zip = zip}, true, ret_fmu);
}

hk_status hk_fmu_open_memory(hk_ctx *ctx, const char *path, char *data, size_t size,
                             hk_fmu **ret_fmu) {
    hk_zip *zip;
    hk_status status = hk_zip_open_memory(ctx, path, data, size, &zip);
    if (status == HK_OK)
        return open_archive(ctx, path, (archive){zip, data, size}, false, ret_fmu);
    hk_free(data);
    return status;
}

static void close_owned(void *fmu) {
    hk_fmu_close(fmu);
}

const hk_info *hk_fmu_own(hk_model *model, hk_fmu *fmu) {
    hk_model_own(model, fmu, close_owned);
    return hk_fmu_info(fmu);
}

const hk_info *hk_fmu_info(const hk_fmu *fmu) {
    return &fmu->info;
}

const hk_fmu_facts *hk_fmu_get_facts(const hk_fmu *fmu) {
    return &fmu->facts;
}

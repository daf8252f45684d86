/* SPDX-License-Identifier: MIT
 *
 * From the sources of an FMU to its library: a temporary folder with the sources, the headers of
 * the standard and the objects; one call of the compiler per file, one of the linker. Everything is
 * named relative to sources/, so that the same sources give the same bytes wherever they lie. */
#include "fmi/build.h"

#include "base/compiler.h"
#include "base/file.h"
#include "fmi/build_internal.h"
#include "fmi/fmi_headers.h"
#include "format/sha256.h"

#include <stdlib.h>
#include <string.h>

static const hk_fmu_build_options *on_the_fly;

void hk_fmu_set_build(const hk_fmu_build_options *options) {
    on_the_fly = options;
}

static bool is_wanted(const char *entry) {
    return strncmp(entry, "sources/", 8) == 0 || strncmp(entry, "binaries/", 9) == 0;
}

static hk_status stage(hk_build_job *job) {
    const char *headers = hk_path_join(job->arena, job->folder, "headers");
    HK_TRY(hk_folder_make(job->ctx, hk_path_join(job->arena, job->folder, "objects")));
    HK_TRY(hk_folder_make(job->ctx, headers));
    HK_TRY(hk_zip_extract(job->ctx, job->zip, is_wanted, job->folder));
    return hk_fmi_headers_write(job->ctx, job->arena, job->version, headers);
}

/* What decides about the bytes of the library: sources, compilers, their words and environment, our
 * headers. What files outside of the FMU hold is not seen: docs/fmi.md says so. */
static void fingerprint(const hk_build_job *job, const char *data, size_t size, char ret_hex[65]) {
    char archive[65];
    hk_sha256_hex(data, size, archive);
    const char *text = hk_arena_printf(job->arena, "hocket build 2\n%s\n%s\n%s\n", archive,
                                       job->compilers, hk_compiler_environment(job->arena));
    for (size_t i = 0; i <= job->unit_count; i++) {
        const hk_command *c = i < job->unit_count ? &job->units[i].command : &job->link;
        for (size_t k = 0; k < c->count; k++)
            text = hk_arena_printf(job->arena, "%s%s\n", text, c->words[k]);
    }
    text = hk_arena_printf(job->arena, "%s%s", text, hk_fmi_headers_text(job->arena, job->version));
    hk_sha256_hex(text, strlen(text), ret_hex);
}

static hk_status compile(hk_build_job *job) {
    HK_TRY(stage(job));
    for (size_t i = 0; i < job->unit_count; i++)
        HK_TRY(hk_build_run(job, &job->units[i].command));
    HK_TRY(hk_build_run(job, &job->link));
    return hk_build_check_exports(job);
}

static hk_status read_library(const hk_build_job *job, char **ret_data, size_t *ret_size) {
    return hk_file_read(job->ctx, hk_path_join(job->arena, job->folder, "library.so"),
                        HK_ZIP_BYTES_MAX, ret_data, ret_size);
}

/* The library out of the cache, or made and put there. CACHE NULL: made. */
static hk_status obtain(hk_build_job *job, const char *cache, const char *data, size_t size,
                        char **ret_data, size_t *ret_size) {
    char key[65] = "";
    if (cache) {
        fingerprint(job, data, size, key);
        if (hk_cache_find_built(job->arena, cache, key, ret_data, ret_size))
            return HK_OK;
    }
    HK_TRY(compile(job));
    job->ran = true;
    HK_TRY(read_library(job, ret_data, ret_size));
    if (cache)
        (void)hk_cache_put_built(job->arena, cache, key, *ret_data, *ret_size);
    return HK_OK;
}

/* Runs the whole job for the archive DATA. CACHE may be NULL. */
static hk_status work(hk_build_job *job, const char *cache, const char *data, size_t size,
                      char **ret_data, size_t *ret_size) {
    HK_TRY(hk_recipe_read(job->ctx, job->arena, job->fmu, job->zip, &job->recipe));
    HK_TRY(hk_folder_temporary(job->ctx, job->arena, &job->folder));
    job->folder = hk_path_absolute(job->arena, job->folder);
    job->version = job->fmu->facts.fmi_version[0] - '0';
    hk_build_plan(job);
    HK_TRY(hk_build_ask_compilers(job));
    return obtain(job, cache, data, size, ret_data, ret_size);
}

/* The archive DATA of FMU with a library in it, as a new one of hk_alloc. */
static hk_status extend(hk_build_job *job, const char *cache, const char *data, size_t size,
                        char **ret_data, size_t *ret_size) {
    char *library = NULL;
    size_t library_size = 0;
    HK_TRY(hk_zip_open_memory(job->ctx, job->fmu->shown, data, size, &job->zip));
    hk_status status = work(job, cache, data, size, &library, &library_size);
    if (status == HK_OK) {
        const char *name =
            hk_arena_printf(job->arena, "binaries/%s/%s.so", hk_fmu_platform(job->fmu),
                            job->fmu->facts.model_identifier);
        job->library = name;
        job->replaced = hk_zip_find(job->zip, name) >= 0;
        hk_zip_item item = {.name = name, .data = library, .size = library_size};
        status = hk_zip_extend(job->ctx, &(hk_file_text){job->fmu->shown, data, size}, &item,
                               ret_data, ret_size);
    }
    hk_free(library);
    hk_zip_close(job->zip);
    if (job->folder)
        hk_folder_remove(job->folder);
    hk_build_finish(job);
    return status;
}

/* Before anything is compiled: can there be such a copy? */
static hk_status write_copy(hk_ctx *ctx, hk_arena *arena, const hk_fmu *fmu, const char *output,
                            const hk_fmu_build_options *options, hk_fmu_built *ret_built) {
    char *data = NULL, *extended = NULL;
    size_t size = 0, extended_size = 0;
    hk_build_job job = {.ctx = ctx, .arena = arena, .fmu = fmu, .options = options};
    HK_TRY(hk_file_read(ctx, fmu->facts.path, HK_ZIP_BYTES_MAX, &data, &size));
    hk_status status = extend(&job, NULL, data, size, &extended, &extended_size);
    hk_free(data);
    if (status == HK_OK)
        status = hk_file_write(ctx, output, extended, extended_size);
    hk_free(extended);
    if (status == HK_OK)
        *ret_built = (hk_fmu_built){.library = job.library,
                                    .compiler = job.compiler,
                                    .files = job.unit_count,
                                    .replaced = job.replaced};
    return status;
}

hk_status hk_fmu_build(hk_ctx *ctx, hk_arena *arena, const char *path, const char *output,
                       const hk_fmu_build_options *options, hk_fmu_built *ret_built) {
    hk_fmu *fmu;
    HK_TRY(hk_fmu_open(ctx, path, &fmu));
    hk_status status = write_copy(ctx, arena, fmu, output, options, ret_built);
    hk_fmu_close(fmu);
    return status;
}

bool hk_fmu_can_build(const hk_fmu *fmu) {
    return on_the_fly && fmu->facts.has_sources && fmu->facts.path;
}

static hk_status build_now(hk_ctx *ctx, hk_fmu *fmu) {
    char *data = fmu->data, *extended = NULL;
    size_t size = fmu->size, extended_size = 0;
    hk_build_job job = {.ctx = ctx, .arena = fmu->arena, .fmu = fmu, .options = on_the_fly};
    if (!data)
        HK_TRY(hk_file_read(ctx, fmu->facts.path, HK_ZIP_BYTES_MAX, &data, &size));
    hk_status status =
        extend(&job, hk_cache_folder(ctx, fmu->arena), data, size, &extended, &extended_size);
    if (status == HK_OK || !fmu->data)
        hk_free(data);
    if (status != HK_OK)
        return status;
    fmu->data = extended; /* from here on it is an FMU like any other */
    fmu->size = extended_size;
    fmu->runs_here = true;
    if (job.ran)
        hk_note(ctx, (hk_where){.file = fmu->shown},
                "its sources were compiled for this machine, %zu file%s by %s", job.unit_count,
                job.unit_count == 1 ? "" : "s", job.compiler);
    return HK_OK;
}

hk_status hk_fmu_build_on_the_fly(hk_ctx *ctx, hk_fmu *fmu) {
    pthread_mutex_lock(&fmu->lock);
    hk_status status = fmu->runs_here ? HK_OK : build_now(ctx, fmu);
    pthread_mutex_unlock(&fmu->lock);
    return status;
}

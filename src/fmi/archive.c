/* SPDX-License-Identifier: MIT
 *
 * FMUs on disk. The library comes from the cache (cache.h), resources are unpacked for each
 * process. */
#include "base/file.h"
#include "fmi/cache.h"
#include "fmi/fmu.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The folders of this machine below binaries/, in the spellings of FMI 2.0 and 3.0. */
#if defined(__linux__) && defined(__x86_64__)
static const char *const native_platforms[] = {"linux64", "x86_64-linux"};
#elif defined(__linux__) && defined(__aarch64__)
static const char *const native_platforms[] = {"aarch64-linux", "aarch64-linux-gnu"};
#elif defined(__linux__) && defined(__riscv)
static const char *const native_platforms[] = {"riscv64-linux", "riscv64-linux-gnu"};
#else
static const char *const native_platforms[] = {"linux32", "x86-linux"};
#endif
enum { NATIVE_PLATFORMS = sizeof native_platforms / sizeof *native_platforms };

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

/* A file for this machine, of whatever name, a library before others: for the message if it is not
 * the right one. */
static void add_stranger(hk_fmu *fmu, const char *entry) {
    const char *name = strrchr(entry, '/');
    bool better = !fmu->stranger || (!strstr(fmu->stranger, ".so") && name && strstr(name, ".so"));
    for (size_t i = 0; name && name[1] && better && i < NATIVE_PLATFORMS; i++) {
        const char *folder = hk_arena_printf(fmu->arena, "binaries/%s/", native_platforms[i]);
        if (starts_with(entry, folder) && entry + strlen(folder) == name + 1)
            fmu->stranger = hk_arena_strdup(fmu->arena, name + 1);
    }
}

void hk_fmu_survey(hk_fmu *fmu, const hk_zip *zip) {
    hk_map seen = {0};
    const char **platforms = NULL;
    size_t count = 0, cap = 0;
    for (size_t i = 0; i < hk_zip_count(zip); i++) {
        const char *name = hk_zip_name(zip, i);
        fmu->facts.has_sources |= starts_with(name, "sources/") && name[strlen(name) - 1] != '/';
        fmu->facts.has_resources |= starts_with(name, "resources/");
        if (!starts_with(name, "binaries/"))
            continue;
        const char *platform = name + strlen("binaries/");
        size_t length = strcspn(platform, "/");
        if (length == 0 || !platform[length] || name[strlen(name) - 1] == '/')
            continue; /* a file beside the platforms, or a folder: it may be empty */
        char *copy = hk_arena_strndup(fmu->arena, platform, length);
        if (hk_map_put(&seen, copy, (uint32_t)count) == count)
            HK_PUSH(platforms, count, cap, copy);
    }
    const char **kept = HK_NEW_ARRAY(fmu->arena, const char *, count + 1);
    if (count)
        memcpy(kept, platforms, count * sizeof *kept);
    fmu->facts.first_entry =
        hk_zip_count(zip) ? hk_arena_strdup(fmu->arena, hk_zip_name(zip, 0)) : NULL;
    fmu->facts.entry_count = hk_zip_count(zip);
    char fingerprint[65];
    hk_zip_fingerprint(zip, fingerprint);
    fmu->facts.fingerprint = hk_arena_strdup(fmu->arena, fingerprint);
    fmu->facts.platforms = kept;
    fmu->facts.platform_count = count;
    hk_free(platforms);
    hk_map_finish(&seen);
    for (size_t i = 0; i < hk_zip_count(zip); i++) {
        add_stranger(fmu, hk_zip_name(zip, i));
        if (!fmu->ambiguous && hk_zip_repeats(zip, i) == HK_ZIP_DIFFERENT)
            fmu->ambiguous = hk_arena_printf(fmu->arena, "entry '%s'", hk_zip_name(zip, i));
    }
    for (size_t i = 0; fmu->facts.model_identifier && i < NATIVE_PLATFORMS; i++) {
        const char *library = hk_arena_printf(fmu->arena, "binaries/%s/%s.so", native_platforms[i],
                                              fmu->facts.model_identifier);
        fmu->runs_here |= hk_zip_find(zip, library) >= 0;
    }
}

const char *hk_fmu_uri(hk_arena *arena, const char *path) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-._~/";
    static const char hex[] = "0123456789ABCDEF";
    char *uri = hk_arena_alloc(arena, strlen("file://") + 3 * strlen(path) + 1);
    char *end = stpcpy(uri, "file://");
    for (; *path; path++) {
        unsigned char byte = (unsigned char)*path;
        if (strchr(plain, byte)) {
            *end++ = (char)byte;
        } else {
            *end++ = '%';
            *end++ = hex[byte >> 4];
            *end++ = hex[byte & 15];
        }
    }
    return uri;
}

static hk_status unpack_privately(hk_ctx *ctx, hk_fmu *fmu, hk_zip *zip, hk_zip_wanted_fn *wanted) {
    const char *folder;
    HK_TRY(hk_folder_temporary(ctx, fmu->arena, &folder));
    hk_status status = hk_zip_extract(ctx, zip, wanted, folder);
    if (status != HK_OK) {
        hk_folder_remove(folder);
        return status;
    }
    fmu->folder = hk_path_absolute(fmu->arena, folder);
    fmu->folder_private = true;
    return HK_OK;
}

static bool is_resource(const char *entry) {
    return starts_with(entry, "resources/");
}

/* Beside the private resources is all that is kept, by links: some FMUs look for their
 * resources from the place of their library. */
static hk_status link_kept(hk_ctx *ctx, const hk_fmu *fmu, const hk_zip *zip) {
    hk_map seen = {0};
    hk_status status = HK_OK;
    for (size_t i = 0; status == HK_OK && i < hk_zip_count(zip); i++) {
        const char *name = hk_zip_name(zip, i);
        char *top = hk_arena_strndup(fmu->arena, name, strcspn(name, "/"));
        uint32_t count = (uint32_t)seen.count;
        if (!*top || !hk_cache_keeps(name) || hk_map_put(&seen, top, count) != count)
            continue;
        if (symlink(hk_path_join(fmu->arena, fmu->kept, top),
                    hk_path_join(fmu->arena, fmu->folder, top)) != 0)
            status = hk_error(ctx, HK_E_FILE_WRITE, (hk_where){.file = fmu->shown}, NULL,
                              "cannot be unpacked: %s", strerror(errno));
    }
    hk_map_finish(&seen);
    return status;
}

/* Resources are private to the process: an FMU may write to them, and that is to be of no
 * consequence for other runs. */
static hk_status place(hk_ctx *ctx, hk_fmu *fmu, hk_zip *zip) {
    if (!fmu->kept)
        return unpack_privately(ctx, fmu, zip, NULL);
    if (!fmu->facts.has_resources) {
        fmu->folder = fmu->kept;
        return HK_OK;
    }
    HK_TRY(unpack_privately(ctx, fmu, zip, is_resource));
    return link_kept(ctx, fmu, zip);
}

/* What is kept is compared with the archive once. */
static hk_status keep(hk_ctx *ctx, hk_fmu *fmu, hk_zip *zip) {
    const char *cache = fmu->kept ? NULL : hk_cache_folder(ctx, fmu->arena);
    return cache ? hk_cache_take(ctx, fmu->arena, zip, cache, &fmu->kept) : HK_OK;
}

static hk_status unpack(hk_ctx *ctx, hk_fmu *fmu, bool resources) {
    if (!fmu->facts.path)
        return hk_error(ctx, HK_E_FMU_LOAD, (hk_where){.file = fmu->info.file}, NULL,
                        "a description alone cannot be instantiated");
    char *data = fmu->data;
    size_t size = fmu->size;
    hk_zip *zip = NULL;
    if (!data)
        HK_TRY(hk_file_read(ctx, fmu->facts.path, HK_ZIP_BYTES_MAX, &data, &size));
    hk_status status = hk_zip_open_memory(ctx, fmu->shown, data, size, &zip);
    if (status == HK_OK)
        status = keep(ctx, fmu, zip);
    if (status == HK_OK && (resources || (fmu->kept && !fmu->facts.has_resources)))
        status = place(ctx, fmu, zip);
    hk_zip_close(zip);
    if (status == HK_OK || !fmu->data) {
        hk_free(data);
        fmu->data = NULL;
    }
    return status;
}

static hk_status unpack_once(hk_ctx *ctx, hk_fmu *fmu, bool resources) {
    pthread_mutex_lock(&fmu->lock);
    bool done = fmu->folder || (!resources && fmu->kept);
    hk_status status = done ? HK_OK : unpack(ctx, fmu, resources);
    pthread_mutex_unlock(&fmu->lock);
    return status;
}

hk_status hk_fmu_unpack(hk_ctx *ctx, hk_fmu *fmu) {
    return unpack_once(ctx, fmu, true);
}

hk_status hk_fmu_prepare(hk_ctx *ctx, const hk_info *info) {
    return unpack_once(ctx, info->origin, false);
}

static const char *list_platforms(hk_arena *arena, const hk_fmu_facts *facts) {
    enum { SHOWN_MAX = 16 };
    const char *text = facts->platform_count ? "" : "none";
    for (size_t i = 0; i < facts->platform_count && i < SHOWN_MAX; i++)
        text = hk_arena_printf(arena, "%s%s%s", text, i ? ", " : "", facts->platforms[i]);
    return facts->platform_count > SHOWN_MAX ? hk_arena_printf(arena, "%s, ...", text) : text;
}

/* FMI 3.0 has other names for machines than the versions before. */
const char *hk_fmu_platform(const hk_fmu *fmu) {
    size_t i = 0;
    const char *version = fmu->facts.fmi_version;
    while (version && version[0] == '3' && i + 1 < NATIVE_PLATFORMS &&
           !strchr(native_platforms[i], '-'))
        i++;
    return native_platforms[i];
}

static const char *hint_for_sources(hk_arena *arena, const hk_fmu *fmu) {
    if (!fmu->facts.has_sources)
        return "export the FMU again for this platform";
    return hk_arena_printf(
        arena,
        "the FMU has sources: 'hocket build %s' makes one that runs here, to put "
        "in its place; 'hocket run --build' compiles it for a run",
        hk_path_name(fmu->shown));
}

static hk_status wrong_platform(hk_ctx *ctx, const hk_fmu *fmu, hk_arena *arena) {
    const hk_fmu_facts *facts = &fmu->facts;
    if (fmu->stranger)
        return hk_error(ctx, HK_E_FMI_UNSUPPORTED, (hk_where){.file = fmu->shown},
                        strstr(fmu->stranger, ".so")
                            ? "the name of the library is the modelIdentifier of the description"
                            : hint_for_sources(arena, fmu),
                        "the FMU has no binary '%s.so' for the platform %s, but '%s'",
                        facts->model_identifier, hk_fmu_platform(fmu), fmu->stranger);
    return hk_error(ctx, HK_E_FMI_UNSUPPORTED, (hk_where){.file = fmu->shown},
                    hint_for_sources(arena, fmu),
                    "the FMU has no binary '%s.so' for the platform %s; it has: %s",
                    facts->model_identifier, hk_fmu_platform(fmu), list_platforms(arena, facts));
}

hk_status hk_fmu_can_run(hk_ctx *ctx, const hk_info *info) {
    hk_fmu *fmu = info->origin;
    const hk_fmu_facts *facts = &fmu->facts;
    hk_where where = {.file = fmu->shown ? fmu->shown : info->file};
    if (!facts->co_simulation && !facts->model_exchange && !facts->scheduled_execution)
        return hk_error(ctx, HK_E_FMI_UNSUPPORTED, where, "export the model for co-simulation",
                        "the description has no interface that hocket knows");
    if (!facts->co_simulation)
        return hk_error(ctx, HK_E_FMI_UNSUPPORTED, where, "export the model for co-simulation",
                        "the FMU is for %s only",
                        facts->model_exchange ? "model exchange" : "scheduled execution");
    where.element = fmu->ambiguous;
    if (fmu->ambiguous)
        return hk_error(ctx, HK_E_ZIP_UNSAFE, where, "pack the file again",
                        "another entry has the same name and other contents");
    if (!facts->model_identifier)
        return hk_error(ctx, HK_E_FMI_UNSUPPORTED, where, NULL,
                        "the description has no modelIdentifier, so its library is not known");
    if (fmu->runs_here)
        return HK_OK;
    if (hk_fmu_can_build(fmu))
        return hk_fmu_build_on_the_fly(ctx, fmu);
    hk_arena *arena = hk_arena_create();
    hk_status status = wrong_platform(ctx, fmu, arena);
    hk_arena_destroy(arena);
    return status;
}

hk_status hk_fmu_binary(hk_ctx *ctx, const hk_fmu *fmu, hk_arena *arena, const char **ret_path) {
    const hk_fmu_facts *facts = &fmu->facts;
    for (size_t i = 0; i < NATIVE_PLATFORMS; i++) {
        const char *path = hk_arena_printf(arena, "%s/binaries/%s/%s.so", fmu->folder,
                                           native_platforms[i], facts->model_identifier);
        if (hk_file_exists(path)) {
            *ret_path = path;
            return HK_OK;
        }
    }
    return wrong_platform(ctx, fmu, arena);
}

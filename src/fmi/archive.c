/* SPDX-License-Identifier: MIT
 *
 * FMUs on disk. An archive is unpacked once per content: the folder carries the SHA-256 of the
 * archive as its name and is shared by all runs and all processes, which is why nobody writes
 * there. It appears by rename, whole or not at all. */
#include "base/file.h"
#include "fmi/fmu.h"
#include "format/sha256.h"

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

/* A library for this machine, of whatever name: for the message if it is not the right one. */
static void add_stranger(hk_fmu *fmu, const char *entry) {
    const char *name = strrchr(entry, '/');
    for (size_t i = 0; name && strstr(name, ".so") && i < NATIVE_PLATFORMS && !fmu->stranger; i++) {
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
        fmu->facts.has_sources |= starts_with(name, "sources/");
        fmu->facts.has_resources |= starts_with(name, "resources/");
        if (!starts_with(name, "binaries/"))
            continue;
        const char *platform = name + strlen("binaries/");
        size_t length = strcspn(platform, "/");
        if (length == 0 || platform[length] == '\0')
            continue; /* a file beside the platforms */
        char *copy = hk_arena_strndup(fmu->arena, platform, length);
        if (hk_map_put(&seen, copy, (uint32_t)count) == count)
            HK_PUSH(platforms, count, cap, copy);
    }
    const char **kept = HK_NEW_ARRAY(fmu->arena, const char *, count + 1);
    if (count)
        memcpy(kept, platforms, count * sizeof *kept);
    fmu->facts.platforms = kept;
    fmu->facts.platform_count = count;
    hk_free(platforms);
    hk_map_finish(&seen);
    for (size_t i = 0; i < hk_zip_count(zip); i++)
        add_stranger(fmu, hk_zip_name(zip, i));
    for (size_t i = 0; i < NATIVE_PLATFORMS; i++) {
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

/* True if FOLDER holds every file of the archive in its full length. */
static bool complete(const hk_zip *zip, const char *folder) {
    hk_arena *arena = hk_arena_create();
    bool whole = true;
    for (size_t i = 0; whole && i < hk_zip_count(zip); i++) {
        const char *name = hk_zip_name(zip, i);
        struct stat info;
        if (name[0] == '\0' || name[strlen(name) - 1] == '/')
            continue;
        whole = lstat(hk_path_join(arena, folder, name), &info) == 0 && S_ISREG(info.st_mode) &&
                (uint64_t)info.st_size == hk_zip_size(zip, i);
    }
    hk_arena_destroy(arena);
    return whole;
}

/* The folder of the cache, made if need be; NULL: there is none, use a private folder. */
static const char *cache_folder(hk_arena *arena) {
    const char *no_cache = getenv("HK_NO_CACHE");
    if (no_cache && no_cache[0] && strcmp(no_cache, "0") != 0)
        return NULL;
    const char *base = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    const char *folder;
    if (base && base[0] == '/')
        folder = hk_arena_printf(arena, "%s/hocket/fmu", base);
    else if (home && home[0] == '/')
        folder = hk_arena_printf(arena, "%s/.cache/hocket/fmu", home);
    else
        return NULL;
    hk_ctx *quiet = hk_ctx_create(NULL, NULL); /* that it cannot be had is no error */
    bool made = hk_folder_make(quiet, folder) == HK_OK && access(folder, W_OK | X_OK) == 0;
    hk_ctx_destroy(quiet);
    return made ? folder : NULL;
}

/* Puts the folder FRESH in the place of TARGET. Another process may do the same at this moment: if
 * what stands there in the end is whole, it does not matter who put it there. */
static bool install(hk_arena *arena, const hk_zip *zip, const char *fresh, const char *target) {
    for (int attempt = 0; attempt < 8; attempt++) {
        if (rename(fresh, target) == 0)
            return true;
        if (errno != ENOTEMPTY && errno != EEXIST && errno != ENOTDIR)
            return false;
        if (complete(zip, target)) {
            hk_folder_remove(fresh);
            return true;
        }
        const char *damaged = hk_arena_printf(arena, "%s.damaged", fresh);
        if (rename(target, damaged) == 0)
            hk_folder_remove(damaged);
    }
    return false;
}

static hk_status unpack_to_cache(hk_ctx *ctx, hk_fmu *fmu, hk_zip *zip, const char *cache,
                                 const char *hash) {
    const char *target = hk_path_join(fmu->arena, cache, hash);
    if (!complete(zip, target)) {
        char *fresh = hk_arena_printf(fmu->arena, "%s/unpacking-XXXXXX", cache);
        if (!mkdtemp(fresh))
            return hk_error(ctx, HK_E_FILE_WRITE, (hk_where){.file = cache},
                            "set HK_NO_CACHE=1 to do without the cache",
                            "cannot make a folder for the unpacked FMU: %s", strerror(errno));
        hk_status status = hk_zip_extract(ctx, zip, fresh);
        if (status != HK_OK) {
            hk_folder_remove(fresh);
            return status;
        }
        if (!install(fmu->arena, zip, fresh, target)) {
            int why = errno;
            hk_folder_remove(fresh);
            return hk_error(ctx, HK_E_FILE_WRITE, (hk_where){.file = target},
                            "set HK_NO_CACHE=1 to do without the cache",
                            "cannot put the unpacked FMU in its place: %s", strerror(why));
        }
    }
    fmu->folder = target;
    return HK_OK;
}

static hk_status unpack_privately(hk_ctx *ctx, hk_fmu *fmu, hk_zip *zip) {
    const char *folder;
    HK_TRY(hk_folder_temporary(ctx, fmu->arena, &folder));
    hk_status status = hk_zip_extract(ctx, zip, folder);
    if (status != HK_OK) {
        hk_folder_remove(folder);
        return status;
    }
    fmu->folder = hk_path_absolute(fmu->arena, folder);
    fmu->folder_private = true;
    return HK_OK;
}

static hk_status unpack(hk_ctx *ctx, hk_fmu *fmu) {
    if (!fmu->facts.path)
        return hk_error(ctx, HK_E_FMU_LOAD, (hk_where){.file = fmu->info.file}, NULL,
                        "a description alone cannot be instantiated");
    char *data = NULL;
    size_t size;
    hk_zip *zip = NULL;
    HK_TRY(hk_file_read(ctx, fmu->facts.path, HK_ZIP_BYTES_MAX, &data, &size));
    hk_status status = hk_zip_open_memory(ctx, fmu->shown, data, size, &zip);
    if (status == HK_OK) {
        const char *cache = cache_folder(fmu->arena);
        if (cache) {
            char hash[65];
            hk_sha256_hex(data, size, hash);
            status = unpack_to_cache(ctx, fmu, zip, cache, hash);
        } else {
            status = unpack_privately(ctx, fmu, zip);
        }
        hk_zip_close(zip);
    }
    hk_free(data);
    return status;
}

hk_status hk_fmu_unpack(hk_ctx *ctx, hk_fmu *fmu) {
    pthread_mutex_lock(&fmu->lock);
    hk_status status = fmu->folder ? HK_OK : unpack(ctx, fmu);
    pthread_mutex_unlock(&fmu->lock);
    return status;
}

static const char *list_platforms(hk_arena *arena, const hk_fmu_facts *facts) {
    enum { SHOWN_MAX = 16 };
    const char *text = facts->platform_count ? "" : "none";
    for (size_t i = 0; i < facts->platform_count && i < SHOWN_MAX; i++)
        text = hk_arena_printf(arena, "%s%s%s", text, i ? ", " : "", facts->platforms[i]);
    return facts->platform_count > SHOWN_MAX ? hk_arena_printf(arena, "%s, ...", text) : text;
}

/* The name that the FMU's version of the standard has for this machine: FMI 3.0 has other ones. */
static const char *native_platform(const hk_fmu_facts *facts) {
    size_t i = 0;
    while (facts->fmi_version && facts->fmi_version[0] == '3' && i + 1 < NATIVE_PLATFORMS &&
           !strchr(native_platforms[i], '-'))
        i++;
    return native_platforms[i];
}

static hk_status wrong_platform(hk_ctx *ctx, const hk_fmu *fmu, hk_arena *arena) {
    const hk_fmu_facts *facts = &fmu->facts;
    if (fmu->stranger)
        return hk_error(ctx, HK_E_FMI_UNSUPPORTED, (hk_where){.file = fmu->shown},
                        "the name of the library is the modelIdentifier of the description",
                        "the FMU has no binary '%s.so' for the platform %s, but '%s'",
                        facts->model_identifier, native_platform(facts), fmu->stranger);
    return hk_error(ctx, HK_E_FMI_UNSUPPORTED, (hk_where){.file = fmu->shown},
                    facts->has_sources ? "the FMU has sources: build it for this platform"
                                       : "export the FMU again for this platform",
                    "the FMU has no binary '%s.so' for the platform %s; it has: %s",
                    facts->model_identifier, native_platform(facts), list_platforms(arena, facts));
}

hk_status hk_fmu_can_run(hk_ctx *ctx, const hk_info *info) {
    const hk_fmu *fmu = info->origin;
    if (!fmu->facts.co_simulation)
        return hk_error(ctx, HK_E_FMI_UNSUPPORTED, (hk_where){.file = fmu->shown},
                        "export the model for co-simulation", "the FMU is for %s only",
                        fmu->facts.model_exchange ? "model exchange" : "scheduled execution");
    if (fmu->runs_here)
        return HK_OK;
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

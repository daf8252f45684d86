/* SPDX-License-Identifier: MIT */
#include "record/mathematics.h"

#include "base/file.h"
#include "base/libm.h"
#include "base/map.h"
#include "format/elf.h"

#include <hk/math_base.h>

#include <string.h>

enum { LIBRARY_BYTES_MAX = 256 << 20 };

/* What hk/math.h leaves in every library that is compiled with it, up to the number. */
static const char *find_mark(hk_arena *arena, const char *data, size_t size) {
    static const char mark[] = HK_MATH_MARK_;
    const size_t length = sizeof mark - 1;
    for (const char *at = data, *end = data + size;
         (at = memchr(at, mark[0], (size_t)(end - at))) && (size_t)(end - at) > length; at++) {
        size_t digits = 0, most = (size_t)(end - at) - length;
        if (memcmp(at, mark, length) != 0)
            continue;
        while (digits < most && digits < 9 && at[length + digits] >= '0' &&
               at[length + digits] <= '9')
            digits++;
        if (digits && digits < most && at[length + digits] == '\0')
            return hk_arena_printf(arena, "hk/math.h %.*s", (int)digits, at + length);
    }
    return NULL;
}

/* Libraries of the system, which do not compute for others. */
static bool is_usual(const char *name) {
    static const char *const usual[] = {"libc.so.",       "libm.so.",  "libdl.so.",
                                        "libpthread.so.", "librt.so.", "libgcc_s.so.",
                                        "libstdc++.so.",  "ld-linux"};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (strncmp(name, usual[i], strlen(usual[i])) == 0)
            return true;
    return false;
}

static hk_mathematics_of of_elf(hk_arena *arena, const hk_elf *elf) {
    hk_mathematics_of found = {0};
    const char **libm = HK_NEW_ARRAY(arena, const char *, elf->import_count + 1);
    const char **needs = HK_NEW_ARRAY(arena, const char *, elf->needed_count + 1);
    for (size_t i = 0; i < elf->import_count; i++)
        if (hk_libm_is_inexact(elf->imports[i]))
            libm[found.libm_count++] = elf->imports[i];
    for (size_t i = 0; i < elf->needed_count; i++)
        if (!is_usual(elf->needed[i]))
            needs[found.needs_count++] = elf->needed[i];
    found.libm = libm;
    found.needs = needs;
    return found;
}

static hk_mathematics_of read_library(hk_arena *arena, const char *path) {
    hk_mathematics_of found = {.unread = true};
    hk_ctx *quiet = hk_ctx_create(NULL, NULL); /* a file that is gone is not a reason to fail */
    const hk_elf *elf;
    char *data = NULL;
    size_t size = 0;
    if (hk_file_read(quiet, path, LIBRARY_BYTES_MAX, &data, &size) == HK_OK) {
        if (hk_elf_read(quiet, arena, path, data, size, &elf) == HK_OK)
            found = of_elf(arena, elf);
        found.portable = find_mark(arena, data, size);
        hk_free(data);
    }
    hk_ctx_destroy(quiet);
    const char *slash = strrchr(path, '/');
    found.library = hk_arena_strdup(arena, slash ? slash + 1 : path);
    return found;
}

const hk_mathematics *hk_mathematics_read(hk_arena *arena, const hk_sim *sim) {
    size_t count = hk_sim_component_count(sim);
    hk_mathematics *m = HK_NEW(arena, hk_mathematics);
    hk_mathematics_of *all = HK_NEW_ARRAY(arena, hk_mathematics_of, count + 1);
    hk_map known = {0};
    for (size_t i = 0; i < count; i++) {
        const char *path = hk_sim_library(sim, (uint32_t)i);
        if (hk_map_get(&known, path ? path : "") != HK_MAP_NONE)
            continue;
        hk_map_put(&known, path ? path : "", 0);
        hk_mathematics_of *one = &all[m->count++];
        if (path)
            *one = read_library(arena, path);
        else
            one->portable = hk_arena_printf(arena, "hk/math.h %d", HK_MATH_VERSION);
        m->libm |= one->libm_count || one->needs_count || one->unread;
    }
    hk_map_finish(&known);
    m->all = all;
    return m;
}

static void put_names(hk_json *json, const char *key, const char *const *names, size_t count) {
    hk_json_array(json, key);
    for (size_t i = 0; i < count; i++)
        hk_json_string(json, NULL, names[i]);
    hk_json_end(json);
}

void hk_put_mathematics(hk_json *json, const char *key, const hk_mathematics *mathematics) {
    hk_json_object(json, key);
    hk_json_bool(json, "depends_on_libm", mathematics->libm);
    HK_JSON_EACH(json, "libraries", i, mathematics->count) {
        const hk_mathematics_of *one = &mathematics->all[i];
        hk_json_string(json, "library", one->library ? one->library : "hocket");
        if (one->portable)
            hk_json_string(json, "portable", one->portable);
        if (one->unread)
            hk_json_bool(json, "unread", true);
        else
            put_names(json, "libm", one->libm, one->libm_count);
        if (one->needs_count)
            put_names(json, "needs", one->needs, one->needs_count);
    }
    hk_json_end(json);
}

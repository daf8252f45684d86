/* SPDX-License-Identifier: MIT
 *
 * Libraries that libraries need. Those of the C library are on every machine that can run a tool;
 * others may not be. */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "base/file.h"
#include "format/elf.h"
#include "format/zip.h"
#include "tool/tool_internal.h"

#include <link.h>
#include <string.h>
#include <strings.h>

static bool is_c_library(const char *name) {
    static const char *const all[] = {"libc.so.6",    "libm.so.6",    "libpthread.so.0",
                                      "libdl.so.2",   "librt.so.1",   "libutil.so.1",
                                      "libmvec.so.1", "libanl.so.1",  "libresolv.so.2",
                                      "libnsl.so.1",  "libcrypt.so.1"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(name, all[i]) == 0)
            return true;
    return strncmp(name, "ld-linux", 8) == 0;
}

/* ---- of what is packed ---- */

typedef struct search {
    hk_ctx *ctx, *quiet;
    hk_arena *arena;
    const char *path; /* of the file that is packed */
    hk_map told;
} search;

enum { DEPTH_MAX = 4 };

#if defined(__x86_64__)
enum { MACHINE = HK_ELF_X86_64 };
#elif defined(__aarch64__)
enum { MACHINE = HK_ELF_AARCH64 };
#else
enum { MACHINE = HK_ELF_RISCV };
#endif

/* ZIP: the archive that the library comes from, where others may lie BESIDE it; NULL: none. */
static void look_at_library(search *s, const hk_zip *zip, const char *beside, const void *data,
                            size_t size) {
    const hk_elf *elf;
    if (hk_elf_read(s->quiet, s->arena, s->path, data, size, &elf) != HK_OK ||
        elf->machine != MACHINE)
        return;
    for (size_t i = 0; i < elf->needed_count; i++) {
        const char *name = elf->needed[i];
        uint32_t count = (uint32_t)s->told.count;
        bool packed = zip && hk_zip_find(zip, hk_arena_printf(s->arena, "%s%s", beside, name)) >= 0;
        if (!is_c_library(name) && !packed && hk_map_put(&s->told, name, count) == count)
            hk_warn(s->ctx, HK_E_PLUGIN, (hk_where){.file = s->path},
                    "link it statically (-static-libstdc++ -static-libgcc), or install it there",
                    "it needs '%s', which is not part of the tool: a machine that runs the tool "
                    "must have it",
                    name);
    }
}

static void look_at(search *s, const void *data, size_t size, int depth);

static void look_into(search *s, const void *data, size_t size, int depth) {
    hk_zip *zip;
    if (hk_zip_open_memory(s->quiet, s->path, data, size, &zip) != HK_OK)
        return;
    for (size_t i = 0; i < hk_zip_count(zip); i++) {
        const char *name = hk_zip_name(zip, i), *extension = hk_path_extension(name);
        bool library = strcmp(extension, ".so") == 0;
        char *inner;
        size_t inner_size;
        if ((!library && strcasecmp(extension, ".fmu") != 0 &&
             strcasecmp(extension, ".ssp") != 0) ||
            hk_zip_read(s->quiet, zip, i, &inner, &inner_size) != HK_OK)
            continue;
        const char *beside = hk_arena_strndup(s->arena, name, (size_t)(hk_path_name(name) - name));
        if (library)
            look_at_library(s, zip, beside, inner, inner_size);
        else
            look_at(s, inner, inner_size, depth + 1);
        hk_free(inner);
    }
    hk_zip_close(zip);
}

static void look_at(search *s, const void *data, size_t size, int depth) {
    if (size > 4 && memcmp(data, "\177ELF", 4) == 0)
        look_at_library(s, NULL, "", data, size);
    else if (size > 4 && memcmp(data, "PK\3\4", 4) == 0 && depth < DEPTH_MAX)
        look_into(s, data, size, depth);
}

void hk_tool_warn_needed(hk_ctx *ctx, const char *path, const void *data, size_t size) {
    search s = {
        .ctx = ctx, .quiet = hk_ctx_create(NULL, NULL), .arena = hk_arena_create(), .path = path};
    look_at(&s, data, size, 0);
    hk_map_finish(&s.told);
    hk_ctx_destroy(s.quiet);
    hk_arena_destroy(s.arena);
}

/* ---- of the program ---- */

typedef struct loaded {
    const char *name, *path; /* path: in the memory of the loader */
} loaded;

static int find_loaded(struct dl_phdr_info *info, size_t size, void *user) {
    loaded *l = user;
    (void)size;
    if (info->dlpi_name && strcmp(hk_path_name(info->dlpi_name), l->name) == 0)
        l->path = info->dlpi_name;
    return l->path != NULL;
}

static hk_status place_one(hk_ctx *ctx, hk_arena *arena, const char *name, const char *output) {
    loaded l = {.name = name};
    char *data;
    size_t size;
    dl_iterate_phdr(find_loaded, &l);
    if (!l.path)
        return hk_error(ctx, HK_E_FILE_READ, (hk_where){.file = name}, NULL,
                        "the program needs it, and it cannot be found");
    HK_TRY(hk_file_read(ctx, l.path, 0, &data, &size));
    hk_status status =
        hk_file_write(ctx, hk_path_join(arena, hk_path_folder(arena, output), name), data, size);
    hk_free(data);
    return status;
}

hk_status hk_tool_place_needed(hk_ctx *ctx, hk_arena *arena, const void *program, size_t size,
                               const char *output, const char **ret_names) {
    const hk_elf *elf;
    const char *names = NULL;
    HK_TRY(hk_elf_read(ctx, arena, "the program", program, size, &elf));
    bool beside = elf->search_path && strstr(elf->search_path, "$ORIGIN");
    for (size_t i = 0; i < elf->needed_count; i++) {
        const char *name = elf->needed[i];
        if (is_c_library(name))
            continue;
        if (beside)
            HK_TRY(place_one(ctx, arena, name, output));
        else
            hk_warn(ctx, HK_E_PLUGIN, (hk_where){.file = output}, NULL,
                    "it needs '%s': a machine that runs the tool must have it", name);
        if (beside)
            names = names ? hk_arena_printf(arena, "%s, %s", names, name) : name;
    }
    *ret_names = names;
    return HK_OK;
}

/* SPDX-License-Identifier: MIT
 *
 * Fused code of many systems in one library, compiled by the compiler of this machine. Each system
 * is one file that includes what was emitted for it, first to do it, then to say it. */
#ifndef HK_TEST_FUSE_RIG_H
#define HK_TEST_FUSE_RIG_H

#include "base/command.h"
#include "base/file.h"
#include "engine/fused.h"
#include "fuse/emit.h"

#include <hk/fused.h>

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef struct fuse_shop {
    hk_ctx *ctx;
    hk_arena *arena;
    const char *folder;
    size_t count;
    void *library;
} fuse_shop;

static inline void fuse_shop_begin(fuse_shop *s) {
    *s = (fuse_shop){.ctx = hk_ctx_create(NULL, NULL), .arena = hk_arena_create()};
    assert_int_equal(hk_folder_temporary(s->ctx, s->arena, &s->folder), HK_OK);
}

static inline void fuse_shop_end(fuse_shop *s) {
    if (s->library)
        dlclose(s->library);
    hk_folder_remove(s->folder);
    hk_arena_destroy(s->arena);
    hk_ctx_destroy(s->ctx);
}

static inline void fuse_write(const fuse_shop *s, const char *name, const char *text) {
    FILE *file = fopen(hk_arena_printf(s->arena, "%s/%s", s->folder, name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* What is in TEXT once is replaced. */
static inline const char *fuse_replaced(hk_arena *arena, const char *text, const char *old,
                                        const char *by) {
    const char *at = strstr(text, old);
    if (!at)
        fail_msg("no '%s' in what was emitted:\n%s", old, text);
    return hk_arena_printf(arena, "%.*s%s%s", (int)(at - text), text, by, at + strlen(old));
}

typedef struct fuse_files {
    hk_fuse_text *all;
    size_t count;
} fuse_files;

static inline fuse_files fuse_emitted(const fuse_shop *s, const hk_sim *sim,
                                      const hk_leaves *leaves) {
    hk_fuse_printed printed = hk_fuse_emit(s->arena, sim, leaves);
    return (fuse_files){printed.files, printed.count};
}

static inline hk_fuse_text *fuse_file(const fuse_files *f, const char *name) {
    size_t i = 0;
    while (i < f->count && strcmp(f->all[i].name, name) != 0)
        i++;
    assert_true(i < f->count);
    return &f->all[i];
}

/* Adds a system; its number. */
static inline size_t fuse_add_files(fuse_shop *s, const fuse_files *f) {
    size_t number = s->count++;
    const char *cells = "", *instants = "";
    char prefix[32];
    snprintf(prefix, sizeof prefix, "system%zu", number);
    for (size_t i = 0; i < f->count; i++) {
        const char *name = hk_arena_printf(s->arena, "%s_%s", prefix, f->all[i].name);
        const char *text = f->all[i].text;
        for (const char *at; (at = strstr(text, "#include \"system.h\"")) != NULL;)
            text = hk_arena_printf(s->arena, "%.*s#include \"%s_system.h\"%s", (int)(at - text),
                                   text, prefix, at + strlen("#include \"system.h\""));
        fuse_write(s, name, text);
        if (strncmp(f->all[i].name, "cell_", 5) == 0)
            cells = hk_arena_printf(s->arena, "%s#include \"%s\"\n", cells, name);
        if (strncmp(f->all[i].name, "instant_", 8) == 0)
            instants = hk_arena_printf(s->arena, "%s#include \"%s\"\n", instants, name);
    }
    cells = hk_arena_printf(s->arena, "%s%s", cells, instants);
    fuse_write(s, hk_arena_printf(s->arena, "%s.c", prefix),
               hk_arena_printf(s->arena,
                               "#define HK_FUSED_ONE_FILE 1\n#define HK_FUSED_LINKAGE static\n"
                               "#define HK_FUSED_NAME hk_%s\n%s"
                               "#define HK_FUSED_SAYS 1\n#include <hk/fused.h>\n%s"
                               "#undef HK_FUSED_SAYS\n#include <hk/fused.h>\n"
                               "#include \"%s_fused.c\"\n",
                               prefix, cells, cells, prefix));
    return number;
}

static inline size_t fuse_add(fuse_shop *s, const hk_sim *sim, const hk_leaves *leaves) {
    fuse_files f = fuse_emitted(s, sim, leaves);
    return fuse_add_files(s, &f);
}

/* CC: with options; LEAF: a C file with the leaves, or NULL. Warnings are errors. */
static inline void fuse_shop_build(fuse_shop *s, const char *cc, const char *leaf) {
    const char *log = hk_arena_printf(s->arena, "%s/log", s->folder);
    const char *out = hk_arena_printf(s->arena, "%s/fused%zu.so", s->folder, s->count);
    hk_command c = {0};
    hk_command_add_words(&c, s->arena, cc);
    hk_command_add_words(&c, s->arena,
                         "-std=gnu17 -fPIC -shared -ffp-contract=off -fno-builtin "
                         "-fno-strict-aliasing -Wall -Wextra -Wconversion -Werror");
    hk_command_add(&c, "-I" HK_INCLUDE_DIR);
    hk_command_add(&c, "-o");
    hk_command_add(&c, out);
    for (size_t i = 0; i < s->count; i++)
        hk_command_add(&c, hk_arena_printf(s->arena, "%s/system%zu.c", s->folder, i));
    if (leaf)
        hk_command_add(&c, leaf);
    hk_command_add(&c, "-lm");
    int status = hk_command_run(&c, NULL, NULL, log);
    char *said = NULL;
    size_t size = 0;
    if (status && hk_file_read(s->ctx, log, 0, &said, &size) == HK_OK)
        print_error("%.*s\n", (int)size, said);
    hk_free(said);
    hk_command_finish(&c);
    assert_int_equal(status, 0);
    s->library = dlopen(out, RTLD_NOW | RTLD_LOCAL);
    if (!s->library)
        fail_msg("%s", dlerror());
}

static inline const hk_fused_library *fuse_table(const fuse_shop *s, size_t number) {
    const hk_fused_library *table =
        dlsym(s->library, hk_arena_printf(s->arena, "hk_system%zu", number));
    assert_non_null(table);
    return table;
}

/* CTX: of the simulation. */
static inline void fuse_attach(const fuse_shop *s, hk_ctx *ctx, hk_sim *sim, size_t number) {
    if (hk_sim_attach_table(sim, fuse_table(s, number)) != HK_OK)
        fail_msg("%s", hk_ctx_diag(ctx, hk_ctx_count(ctx, HK_NOTE) - 1)->text);
}

#endif

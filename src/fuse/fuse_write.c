/* SPDX-License-Identifier: MIT
 *
 * Fused code as files that people read and compile by hand. */
#include "fuse/fuse_write.h"

#include "base/cflags.h"
#include "base/compiler.h"
#include "base/file.h"
#include "fuse/fuse_headers.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every file begins with it: what does not is somebody else's. */
static const char mark[] = "/* Written by 'hocket build --emit-c'; it writes it again. */\n";
#define README "README.c"

typedef struct folder {
    hk_ctx *ctx;
    hk_arena *arena;
    const char *path;
    hk_fuse_text *files;
    size_t count, cap;
} folder;

static void add(folder *f, const char *name, const char *text) {
    hk_fuse_text file = {name, hk_arena_printf(f->arena, "%s%s", mark, text)};
    HK_PUSH(f->files, f->count, f->cap, file);
}

/* True if the file at PATH begins with the mark. */
static bool is_ours(const char *path) {
    char begin[sizeof mark] = "";
    FILE *in = fopen(path, "rb");
    size_t got = in ? fread(begin, 1, sizeof mark - 1, in) : 0;
    if (in)
        (void)fclose(in);
    return got == sizeof mark - 1 && memcmp(begin, mark, got) == 0;
}

static hk_status check(const folder *f) {
    for (size_t i = 0; i < f->count; i++) {
        const char *path = hk_path_join(f->arena, f->path, f->files[i].name);
        if (hk_folder_exists(path) || (hk_file_exists(path) && !is_ours(path)))
            return hk_error(f->ctx, HK_E_FILE_WRITE, (hk_where){.file = path},
                            "name an empty folder, or move the file away",
                            "it is there already, and hocket has not written it");
    }
    return HK_OK;
}

/* What an earlier system has left there: a cell that is not there any more would be compiled. */
static void remove_old(const folder *f) {
    DIR *open = opendir(f->path);
    for (const struct dirent *e = open ? readdir(open) : NULL; e; e = readdir(open)) {
        const char *path = hk_path_join(f->arena, f->path, e->d_name);
        bool kept = !hk_file_is_regular(path);
        for (size_t i = 0; i < f->count; i++)
            kept |= strcmp(f->files[i].name, e->d_name) == 0;
        if (!kept && is_ours(path))
            (void)remove(path);
    }
    if (open)
        closedir(open);
}

/* ---- how it is compiled ---- */

static void put_units(FILE *out, const hk_leaves *leaves) {
    for (size_t i = 0; i < leaves->unit_count; i++) {
        const hk_leaf_unit *how = &leaves->how[i];
        fprintf(out, " *     %s -c $FLAGS", how->cpp ? "c++" : "cc");
        for (size_t k = 0; k < how->word_count; k++)
            fprintf(out, " '%s'", how->words[k]);
        fprintf(out, " %s\n", leaves->units[i].name);
    }
}

static void put_leaves(FILE *out, const hk_leaves *leaves) {
    for (size_t i = 0; i < leaves->count; i++)
        if (leaves->all[i].step)
            fprintf(out, " *   %s: %s\n", leaves->all[i].type->name, leaves->all[i].step);
        else
            fprintf(out, " *   %s: through its pointer: %s\n", leaves->all[i].type->name,
                    leaves->all[i].why);
}

static const char *readme(hk_arena *arena, const hk_fuse_printed *p) {
    char *text = NULL;
    size_t size = 0, count;
    FILE *out = open_memstream(&text, &size);
    HK_ASSERT(out);
    const char *const *flags = hk_plugin_flags(&count);
    fputs("/* A system as C, as `hocket run --fused` compiles it.\n"
          " *\n"
          " *   system.h   what lies where: every component and every value\n"
          " *   cell_*.c   one file for each cell: what is copied, stepped, looked at\n"
          " *   instant_*  what is due together, in its order\n"
          " *   says.c     the same once more, written down: the engine compares it with what it\n"
          " *              would do itself\n"
          " *   fused.c    the table that the engine reads\n"
          " *   leaf_*     wrappers: each includes a source of a plugin by its path, where it "
          "lies, and\n"
          " *              gives its steps the names that the cells call\n"
          " *   hk/        the headers of hocket\n"
          " *\n"
          " * How the steps of the leaves are called:\n",
          out);
    put_leaves(out, p->leaves);
    fputs(" *\n * How it is compiled, in this folder:\n *     FLAGS='-I.", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, " %s", flags[i]);
    fputs("'\n", out);
    put_units(out, p->leaves);
    for (size_t i = 0; i < p->count; i++)
        if (hk_is_c_name(p->files[i].name))
            fprintf(out, " *     cc -c $FLAGS " HK_PLUGIN_STD_C " %s\n", p->files[i].name);
    fputs(" *     cc -shared -o fused.so *.o -lm\n"
          " * With -flto in FLAGS and in the last line steps are inlined into the cells.\n"
          " *\n"
          " * fused.so is for looking at: what was inlined (objdump -d), how long a cell is (nm "
          "-S). No\n"
          " * command takes it: `hocket run --fused` compiles the same text for what the run "
          "records,\n"
          " * and `hocket build` makes a program that carries it. */\n"
          "typedef int hk_readme;\n",
          out);
    (void)fclose(out);
    const char *copy = hk_arena_strdup(arena, text);
    free(text);
    return copy;
}

/* In a comment nothing may end it. */
static const char *harmless(hk_arena *arena, const char *text) {
    char *copy = hk_arena_strdup(arena, text);
    char *body = strstr(copy, "/*") + 2, *last = strstr(copy, "*/\ntypedef");
    for (char *at = body; (at = strstr(at, "*/")) && at < last; at++)
        at[1] = ' ';
    return copy;
}

hk_status hk_fuse_write(hk_ctx *ctx, hk_arena *arena, const hk_fuse_printed *p, const char *path,
                        size_t *ret_files) {
    folder f = {.ctx = ctx, .arena = arena, .path = path};
    const char *name;
    for (size_t i = 0; i < p->count; i++)
        add(&f, p->files[i].name, p->files[i].text);
    for (size_t i = 0; i < p->leaves->unit_count; i++)
        add(&f, p->leaves->units[i].name, p->leaves->units[i].text);
    for (size_t i = 0; hk_fuse_header_at(i, &name); i++)
        add(&f, name, hk_fuse_header_at(i, &name)->data);
    add(&f, README, harmless(arena, readme(arena, p)));
    hk_status status = hk_folder_make(ctx, path);
    if (status == HK_OK)
        status = check(&f);
    if (status == HK_OK)
        remove_old(&f);
    for (size_t i = 0; status == HK_OK && i < f.count; i++) {
        const char *to = hk_path_join(arena, path, f.files[i].name);
        status = hk_folder_make(ctx, hk_path_folder(arena, to));
        if (status == HK_OK)
            status = hk_file_write(ctx, to, f.files[i].text, strlen(f.files[i].text));
    }
    *ret_files = f.count;
    hk_free(f.files);
    return status;
}

/* SPDX-License-Identifier: MIT
 *
 * From texts to files: each is compared with what is there, then all that change are written under
 * temporary names, and only when that went well they get their own. */
#include "base/claims.h"
#include "base/file.h"
#include "gen/gen_internal.h"
#include "gen/uses.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_BYTES_MAX ((size_t)64 << 20)

/* A file that will be written. */
typedef struct change {
    const char *path, *temporary;
    const char *text;
    size_t size;
    char *old; /* NULL: there was none; owned */
    size_t old_size;
    bool done;
} change;

typedef struct writer {
    hk_gen *gen;
    change *changes;
    size_t count, cap;
    bool failed;
    hk_status first; /* of the failures */
} writer;

static void fail(writer *w, hk_status status) {
    if (!w->failed)
        w->first = status;
    w->failed = true;
}

static void report_file(writer *w, const char *path, hk_gen_action action, const char *backup) {
    hk_gen_report *r = w->gen->report;
    hk_gen_file row = {path, action, backup};
    HK_PUSH(r->files, r->file_count, r->file_cap, row);
    r->changes += action == HK_GEN_CREATED || action == HK_GEN_CHANGED || action == HK_GEN_REPLACED;
}

/* Takes OLD. A link stays a link: what it points to is replaced. */
static void add_change(writer *w, const char *path, const char *text, size_t size, char *old,
                       size_t old_size) {
    char target[PATH_MAX];
    const char *final = path;
    if (old && realpath(path, target))
        final = hk_arena_strdup(w->gen->arena, target);
    change c = {.path = final,
                .temporary = hk_arena_printf(w->gen->arena, "%s.hk-new", final),
                .text = text,
                .size = size,
                .old = old,
                .old_size = old_size};
    HK_PUSH(w->changes, w->count, w->cap, c);
}

/* ---- deciding ---------------------------------------------------------------------------------
 */

/* FILE.orig, or FILE.orig.2 ... : a copy that is there already is not replaced. */
static const char *backup_name(hk_arena *arena, const char *path) {
    const char *name = hk_arena_printf(arena, "%s.orig", path), *free = name;
    for (int i = 2; hk_file_exists(free) || hk_folder_exists(free); i++)
        free = hk_arena_printf(arena, "%s.%d", name, i);
    return free;
}

static hk_status edited(writer *w, const char *path, const hk_regions *old, const hk_regions *fresh,
                        hk_seal seal) {
    hk_where where = {.file = path, .line = hk_regions_first_change(old, fresh)};
    const char *hint = "move your text into a region, or use --force: it keeps a copy FILE.orig";
    if (seal == HK_SEAL_NONE)
        return hk_error(w->gen->ctx, HK_E_REGENERATE, (hk_where){.file = path},
                        "move it away, or use --force: it keeps a copy FILE.orig",
                        "the file is there already and was not written by 'hocket gen'");
    return hk_error(w->gen->ctx, HK_E_REGENERATE, where, hint,
                    "the file was edited outside its regions; that text would be lost");
}

/* A file that is there already. */
typedef struct old_file {
    char *text;
    size_t size;
    hk_regions regions;
} old_file;

/* FILE is there already; the text of OLD is taken over. */
static hk_status decide_again(writer *w, hk_genfile *file, const char *path, const old_file *there,
                              const hk_regions *fresh) {
    char *old = there->text;
    size_t old_size = there->size;
    const hk_regions *regions = &there->regions;
    hk_arena *arena = w->gen->arena;
    hk_seal seal = hk_regions_seal_state(regions);
    bool force = seal != HK_SEAL_GOOD;
    if (force && !w->gen->options->force)
        return edited(w, path, regions, fresh, seal);
    hk_text merged = {0};
    hk_regions_merge(arena, fresh, regions, path, w->gen->report, &merged);
    hk_regions_seal(arena, &merged);
    bool same = merged.size == old_size && memcmp(merged.data, old, old_size) == 0;
    hk_text_finish(&file->text);
    file->text = merged;
    if (same && !force) {
        report_file(w, path, HK_GEN_UNCHANGED, NULL);
        hk_free(old);
        return HK_OK;
    }
    const char *backup = force ? backup_name(arena, path) : NULL;
    if (backup)
        add_change(w, backup, hk_arena_strndup(arena, old, old_size), old_size, NULL, 0);
    add_change(w, path, file->text.data, file->text.size, old, old_size);
    report_file(w, path, force ? HK_GEN_REPLACED : HK_GEN_CHANGED, backup);
    return HK_OK;
}

static hk_status decide_with_old(writer *w, hk_genfile *file, const char *path) {
    hk_gen *gen = w->gen;
    old_file old = {0};
    hk_regions fresh = {0};
    HK_TRY(hk_file_read(gen->ctx, path, FILE_BYTES_MAX, &old.text, &old.size));
    hk_status status =
        hk_regions_read(gen->ctx, gen->arena, path, old.text, old.size, &old.regions);
    if (status == HK_OK)
        status =
            hk_regions_read(gen->ctx, gen->arena, path, file->text.data, file->text.size, &fresh);
    if (status == HK_OK)
        status = decide_again(w, file, path, &old, &fresh);
    if (status != HK_OK)
        hk_free(old.text);
    hk_regions_finish(&fresh);
    hk_regions_finish(&old.regions);
    return status;
}

/* The user's own project file may not know of this package. */
static void check_project(writer *w, const hk_genfile *file, const char *path) {
    hk_gen *gen = w->gen;
    char *data = NULL;
    size_t size = 0;
    if (strcmp(file->name, "CMakeLists.txt") != 0 ||
        hk_file_read(gen->ctx, path, FILE_BYTES_MAX, &data, &size) != HK_OK)
        return;
    if (!strstr(data, hk_arena_printf(gen->arena, "%s_sources.cmake", gen->name)))
        hk_note(gen->ctx, (hk_where){.file = path},
                "it does not build the plugin; add: include(%s_sources.cmake) and "
                "hocket_add_plugin(%s_plugin ${%s_SOURCES}) and "
                "set_target_properties(%s_plugin PROPERTIES OUTPUT_NAME %s)",
                gen->name, gen->name, gen->name, gen->name, gen->name);
    hk_free(data);
}

static void decide(writer *w, hk_genfile *file) {
    hk_gen *gen = w->gen;
    const char *path = hk_path_join(gen->arena, gen->options->folder, file->name);
    hk_status status = HK_OK;
    if (hk_folder_exists(path)) {
        status = hk_error(gen->ctx, HK_E_FILE_WRITE, (hk_where){.file = path},
                          "move it away, or choose another folder with --out",
                          "there is a folder where a file is to be written");
    } else if (file->only_if_absent && hk_file_exists(path)) {
        check_project(w, file, path);
        report_file(w, path, HK_GEN_UNCHANGED, NULL);
    } else if ((status = hk_claim_check(gen->ctx, path, false)) != HK_OK) {
        /* it leads to what was read: the type file, or a file of these */
    } else if (!hk_file_exists(path)) {
        if (!file->only_if_absent)
            hk_regions_seal(gen->arena, &file->text);
        add_change(w, path, file->text.data, file->text.size, NULL, 0);
        report_file(w, path, HK_GEN_CREATED, NULL);
    } else {
        status = decide_with_old(w, file, path);
    }
    if (status != HK_OK)
        fail(w, status);
}

/* ---- what is left of other leaves -------------------------------------------------------------
 */

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* NAME is a file of this package whose leaf type is declared no more. */
static bool is_left_over(const hk_gen *gen, const char *name) {
    size_t prefix = strlen(gen->name), length = strlen(name);
    if (length < prefix + 4 || strncmp(name, gen->name, prefix) != 0 || name[prefix] != '_' ||
        (strcmp(name + length - 2, ".c") != 0 && strcmp(name + length - 2, ".h") != 0))
        return false;
    const char *stem = hk_arena_strndup(gen->arena, name, length - 2);
    if (hk_map_get(&gen->all_leaves.taken, stem) != HK_MAP_NONE ||
        strcmp(stem + prefix, "_glue") == 0)
        return false;
    char *data = NULL;
    size_t size = 0;
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    const char *path = hk_path_join(gen->arena, gen->options->folder, name);
    bool read = hk_file_read(quiet, path, FILE_BYTES_MAX, &data, &size) == HK_OK;
    bool ours = read && strstr(data, HK_GEN_MARK) &&
                strstr(data, hk_arena_printf(gen->arena, "Package %s;", gen->name));
    hk_ctx_destroy(quiet);
    hk_free(data);
    return ours;
}

static void find_left_over(writer *w) {
    hk_gen *gen = w->gen;
    const char **names = NULL;
    size_t count = 0, cap = 0;
    DIR *dir = opendir(gen->options->folder);
    if (!dir)
        return;
    for (const struct dirent *entry; (entry = readdir(dir));)
        if (is_left_over(gen, entry->d_name))
            HK_PUSH(names, count, cap, hk_arena_strdup(gen->arena, entry->d_name));
    closedir(dir);
    if (count)
        qsort(names, count, sizeof *names, compare_names);
    for (size_t i = 0; i < count; i++) {
        const char *path = hk_path_join(gen->arena, gen->options->folder, names[i]);
        hk_warn(gen->ctx, HK_E_REGENERATE, (hk_where){.file = path},
                "move your code to where it belongs, then delete the file",
                "its leaf type is declared no more; the file is kept and not built");
        report_file(w, path, HK_GEN_KEPT, NULL);
    }
    hk_free(names);
}

static void report_regions(const writer *w) {
    const hk_gen_report *r = w->gen->report;
    for (size_t i = 0; i < r->region_count; i++) {
        hk_where where = {.file = r->regions[i].path, .line = r->regions[i].line};
        if (r->regions[i].restored)
            hk_note(w->gen->ctx, where, "the region '%s' exists again and has its text back",
                    r->regions[i].name);
        else
            hk_warn(w->gen->ctx, HK_E_REGENERATE, where,
                    "take what you need, then delete the region 'orphaned: ...'",
                    "the region '%s' is gone; its text is kept at the end of the file",
                    r->regions[i].name);
    }
    for (size_t i = 0; i < r->name_count; i++)
        hk_note(w->gen->ctx, (hk_where){.file = w->gen->options->types}, "'%s' is called '%s' in C",
                r->names[i].name, r->names[i].c_name);
}

static void check_uses(const writer *w, const hk_genfile *files, size_t count) {
    hk_gen *gen = w->gen;
    for (size_t i = 1; i < count; i++) {
        hk_regions regions = {0};
        const char *path = hk_path_join(gen->arena, gen->options->folder, files[i].name);
        if (!files[i].leaf || hk_regions_read(gen->ctx, gen->arena, path, files[i].text.data,
                                              files[i].text.size, &regions) != HK_OK)
            continue;
        hk_gen_check_uses(gen, files[i].leaf, path, files[i - 1].text.data, &regions);
        hk_regions_finish(&regions);
    }
}

/* ---- writing ----------------------------------------------------------------------------------
 */

static hk_status put_in_place(writer *w) {
    for (size_t i = 0; i < w->count; i++) {
        change *c = &w->changes[i];
        if (rename(c->temporary, c->path) != 0)
            return hk_error(w->gen->ctx, HK_E_FILE_WRITE, (hk_where){.file = c->path}, NULL,
                            "cannot write it: %s", strerror(errno));
        c->done = true;
    }
    return HK_OK;
}

/* As it was before; the message about what went wrong has been given. */
static void take_back(writer *w) {
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    for (size_t i = 0; i < w->count; i++) {
        change *c = &w->changes[i];
        if (!c->done)
            unlink(c->temporary);
        else if (!c->old)
            unlink(c->path);
        else if (hk_file_write(quiet, c->path, c->old, c->old_size) != HK_OK)
            hk_warn(w->gen->ctx, HK_E_FILE_WRITE, (hk_where){.file = c->path}, NULL,
                    "it has its new text already and could not be put back");
    }
    hk_ctx_destroy(quiet);
}

static hk_status write_all(writer *w) {
    hk_gen *gen = w->gen;
    const char *folder = gen->options->folder;
    bool made = !hk_folder_exists(folder);
    hk_status status = made ? hk_folder_make(gen->ctx, folder) : HK_OK;
    for (size_t i = 0; i < w->count && status == HK_OK; i++)
        status = hk_file_write(gen->ctx, w->changes[i].temporary, w->changes[i].text,
                               w->changes[i].size);
    if (status == HK_OK)
        status = put_in_place(w);
    if (status != HK_OK) {
        take_back(w);
        if (made)
            rmdir(folder);
    }
    return status;
}

hk_status hk_gen_write(hk_gen *gen, hk_genfile *files, size_t count) {
    writer w = {.gen = gen, .first = HK_OK};
    for (size_t i = 0; i < count; i++)
        decide(&w, &files[i]);
    if (!w.failed) {
        find_left_over(&w);
        report_regions(&w);
        check_uses(&w, files, count);
        if (!gen->options->check && w.count)
            fail(&w, write_all(&w));
    }
    for (size_t i = 0; i < w.count; i++)
        hk_free(w.changes[i].old);
    hk_free(w.changes);
    return w.first;
}

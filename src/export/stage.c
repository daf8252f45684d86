/* SPDX-License-Identifier: MIT
 *
 * The stage: a folder with everything that the library of the FMU is compiled from, and nothing
 * else. What compiles there compiles elsewhere, so it can go into the FMU as it is. */
#include "export/export_internal.h"

#include "base/claims.h"
#include "base/compiler.h"
#include "base/embed.h"
#include "base/file.h"
#include "native/unit_headers.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

extern const hk_embedded hk_embedded_shell[];

/* What every FMU is compiled from, in a fixed order; NULL: past the end. */
static const hk_embedded *file_at(size_t index) {
    const hk_embedded *file = hk_unit_headers();
    for (; file->name; file++)
        if (index-- == 0)
            return file;
    for (file = hk_embedded_shell; file->name; file++)
        if (index-- == 0)
            return file;
    return NULL;
}

/* Files come from several folders of the source tree; in the stage they are where their includes
 * look for them. */
static const char *staged_name(const char *name) {
    static const char *const folders[] = {"include/", "src/export/shell/", "src/"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (strncmp(name, folders[i], strlen(folders[i])) == 0)
            return name + strlen(folders[i]);
    return name;
}

/* Whether a file of the shell is part of this FMU. */
static bool is_wanted(const hk_export *e, const char *name) {
    const char *fmi = strncmp(name, "fmi/", 4) == 0 ? name + 4 : name;
    if (strncmp(fmi, "fmi", 3) == 0)
        return fmi[3] - '0' == e->options->fmi;
    if (strcmp(name, "shell_scalar.c") == 0)
        return e->options->fmi != 3;
    if (strcmp(name, "shell_plugin.c") == 0)
        return e->plugin;
    return true;
}

const char *hk_export_shell_file(const hk_export *e, size_t index) {
    static const char *const generated[] = {"shell_model.c", "shell_model.h"};
    const hk_embedded *file;
    for (size_t i = 0; (file = file_at(i)); i++)
        if (is_wanted(e, staged_name(file->name)) && index-- == 0)
            return staged_name(file->name);
    return index < sizeof generated / sizeof *generated ? generated[index] : NULL;
}

const char *hk_export_shell_unit(const hk_export *e, size_t index) {
    const char *name;
    for (size_t i = 0; (name = hk_export_shell_file(e, i)); i++)
        if (strcmp(hk_path_extension(name), ".c") == 0 && index-- == 0)
            return name;
    return NULL;
}

static hk_status put_file(hk_export *e, const char *name, const void *data, size_t size) {
    const char *path = hk_path_join(e->arena, e->stage, name);
    HK_TRY(hk_folder_make(e->ctx, hk_path_folder(e->arena, path)));
    return hk_file_write(e->ctx, path, data, size);
}

hk_status hk_export_stage_text(hk_export *e, const char *name, const char *text) {
    return put_file(e, name, text, strlen(text));
}

hk_status hk_export_stage_shell(hk_export *e) {
    const hk_embedded *file;
    for (size_t i = 0; (file = file_at(i)); i++)
        if (is_wanted(e, staged_name(file->name)))
            HK_TRY(put_file(e, staged_name(file->name), file->data, file->size));
    return HK_OK;
}

/* The component's files define hk_plugin and include <hk/unit.h>; so the new name goes there. */
hk_status hk_export_stage_plugin_name(hk_export *e) {
    const hk_embedded *file = hk_unit_headers();
    while (file->name && strcmp(staged_name(file->name), "hk/unit.h") != 0)
        file++;
    HK_ASSERT(file->name);
    const char *text = hk_arena_printf(e->arena, "#include \"../shell_model.h\"\n%.*s",
                                       (int)file->size, file->data);
    return hk_export_stage_text(e, "hk/unit.h", text);
}

/* Paths that the component's sources consist of, absolute and without links. */
typedef struct paths {
    const char **list;
    size_t count, cap;
} paths;

static hk_status real_path(hk_export *e, const char *path, const char **ret_path) {
    char resolved[PATH_MAX];
    if (!realpath(path, resolved))
        return hk_error(e->ctx, HK_E_FILE_READ, (hk_where){.file = path},
                        "check the spelling of the path", "cannot open it: %s", strerror(errno));
    *ret_path = hk_arena_strdup(e->arena, resolved);
    return HK_OK;
}

static void add_path(paths *p, const char *path) {
    for (size_t i = 0; i < p->count; i++)
        if (strcmp(p->list[i], path) == 0)
            return;
    HK_PUSH(p->list, p->count, p->cap, path);
}

/* The files of a rule that are not of the stage. */
static hk_status read_headers(hk_export *e, const char *rule, const char *stage, paths *all) {
    const char *at = hk_rule_files(rule), *file = NULL;
    while (hk_rule_next(e->arena, &at, &file)) {
        const char *path = NULL;
        HK_TRY(real_path(e, file, &path));
        if (strncmp(path, stage, strlen(stage)) != 0)
            add_path(all, path);
    }
    return HK_OK;
}

/* Length of the folder, with its slash, that holds all of them. */
static size_t common_folder(const paths *all) {
    const char *first = all->list[0];
    size_t length = (size_t)(strrchr(first, '/') - first) + 1;
    for (size_t i = 1; i < all->count; i++) {
        while (strncmp(first, all->list[i], length) != 0) {
            length--; /* the slash itself */
            while (length && first[length - 1] != '/')
                length--;
        }
    }
    return length;
}

static hk_status copy_file(hk_export *e, const char *path, const char *name) {
    char *data = NULL;
    size_t size = 0;
    const char *taken;
    for (size_t i = 0; (taken = hk_export_shell_file(e, i)); i++)
        if (strcmp(taken, name) == 0)
            return hk_error(e->ctx, HK_E_EXPORT, (hk_where){.file = path}, "rename it",
                            "the FMU has a file '%s' of its own", name);
    HK_TRY(hk_file_read(e->ctx, path, 0, &data, &size));
    hk_status status = put_file(e, name, data, size);
    hk_free(data);
    HK_PUSH(e->files, e->file_count, e->file_cap, name);
    return status;
}

static hk_status find_files(hk_export *e, paths *all, const char **units) {
    const char *stage = NULL;
    HK_TRY(real_path(e, e->stage, &stage));
    for (size_t i = 0; i < e->options->file_count; i++) {
        const char *text = NULL;
        HK_TRY(real_path(e, e->options->files[i], &units[i]));
        HK_TRY(hk_claim_read(e->ctx, e->options->files[i])); /* the compiler reads it first */
        add_path(all, units[i]);
        HK_TRY(hk_export_list_headers(e, e->options->files[i], &text));
        HK_TRY(read_headers(e, text, hk_arena_printf(e->arena, "%s/", stage), all));
    }
    return HK_OK;
}

hk_status hk_export_stage_component(hk_export *e) {
    paths all = {0};
    const char **units = HK_NEW_ARRAY(e->arena, const char *, e->options->file_count);
    hk_status status = find_files(e, &all, units);
    size_t common = status == HK_OK ? common_folder(&all) : 0;
    for (size_t i = 0; i < all.count && status == HK_OK; i++)
        status = copy_file(e, all.list[i], all.list[i] + common);
    for (size_t i = 0; i < e->options->file_count && status == HK_OK; i++)
        HK_PUSH(e->units, e->unit_count, e->unit_cap, units[i] + common);
    for (size_t i = 0; i < e->options->include_count && status == HK_OK; i++) {
        const char *folder = NULL;
        status = real_path(e, e->options->includes[i], &folder);
        /* A folder above or beside all files holds none that is needed. */
        if (status == HK_OK && strlen(folder) > common && strncmp(folder, all.list[0], common) == 0)
            HK_PUSH(e->includes, e->include_count, e->include_cap, folder + common);
    }
    hk_free(all.list);
    return status;
}

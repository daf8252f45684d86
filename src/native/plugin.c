/* SPDX-License-Identifier: MIT
 *
 * Shared libraries that export hk_plugin(). */
#include "native/native_internal.h"

#include "base/claims.h"
#include "base/file.h"
#include "base/fpenv.h"
#include "base/packed.h"
#include "native/plugin_note.h"

#include <dlfcn.h>
#include <string.h>

typedef struct plugin {
    const char *path; /* absolute: two spellings of one path are one library */
    void *library;    /* NULL: it could not be loaded, and FAILED is what that ended with */
    hk_status failed;
    const hk_unit_type *const *types; /* NULL-terminated; of one for worlds alone there are none */
    hk_world_plugin_fn *world;        /* NULL: it has nothing for worlds */
} plugin;

static void release_plugin(void *object) {
    plugin *loaded = object;
    if (loaded->library)
        dlclose(loaded->library);
}

static const plugin *find_loaded(const hk_model *model, const char *path) {
    for (size_t i = 0; i < model->owned_count; i++) {
        const plugin *loaded = model->owned[i].object;
        if (model->owned[i].release == release_plugin && strcmp(loaded->path, path) == 0)
            return loaded;
    }
    return NULL;
}

static void remove_folder(void *path) {
    hk_folder_remove(path);
}

/* What the program carries is loaded from a copy, which goes with the model. */
static hk_status find_file(hk_ctx *ctx, hk_model *model, const char *path, const char **ret_file) {
    const char *folder;
    *ret_file = path;
    if (!hk_packed_is(path))
        return HK_OK;
    HK_TRY(hk_folder_temporary(ctx, model->arena, &folder));
    hk_model_own(model, hk_arena_strdup(model->arena, folder), remove_folder);
    hk_ctx_rename(ctx, folder, hk_path_folder(model->arena, path));
    return hk_packed_place(ctx, model->arena, path, folder, ret_file);
}

static hk_status open_library(hk_ctx *ctx, hk_model *model, const char *path, plugin *ret_plugin) {
    static const hk_unit_type *const none[] = {NULL};
    /* Where it is named; of what nobody names in a file, its own. */
    hk_where where = model->named.file ? model->named : (hk_where){.file = path};
    const char *file;
    HK_TRY(hk_claim_read(ctx, path));
    HK_TRY(find_file(ctx, model, path, &file));
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *reason = dlerror();
        return hk_error(ctx, HK_E_PLUGIN, where, NULL, "the library cannot be loaded: %s",
                        reason ? reason : "no reason is known");
    }
    /* ISO C has no way from an object pointer to a function pointer; POSIX promises this one. */
    hk_plugin_fn *entry = NULL;
    hk_world_plugin_fn *world = NULL;
    void *symbol = dlsym(library, "hk_plugin");
    memcpy(&entry, &symbol, sizeof entry);
    symbol = dlsym(library, "hk_world_plugin");
    memcpy(&world, &symbol, sizeof world);
    hk_status status = HK_OK;
    const char *shown =
        model->named.file ? hk_arena_printf(model->arena, " '%s'", hk_path_name(path)) : "";
    const hk_unit_type *const *types = entry ? entry() : world ? none : NULL;
    if (!entry && !world)
        status = hk_error(ctx, HK_E_PLUGIN, where, "include <hk/unit.h> and define hk_plugin()",
                          "the library%s does not export hk_plugin", shown);
    else if (!types)
        status = hk_error(ctx, HK_E_PLUGIN, where, "return a NULL-terminated array of types",
                          "hk_plugin()%s%s returned NULL", *shown ? " of" : "", shown);
    for (size_t i = 0; status == HK_OK && types[i]; i++)
        status = hk_native_check_abi(ctx, types[i], path);
    if (status != HK_OK) {
        dlclose(library);
        return status;
    }
    ret_plugin->library = library;
    ret_plugin->types = types;
    ret_plugin->world = world;
    return HK_OK;
}

/* What the plugin says of how it was compiled goes into the model. One that says nothing, or
 * nothing that can be read, runs as it is. */
static void note_library(hk_ctx *ctx, hk_model *model, const char *path) {
    const hk_library *library = NULL;
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    if (hk_plugin_library(quiet, model->arena, path, true, &library) != HK_OK) {
        const hk_diag *said = hk_ctx_diag(quiet, 0);
        hk_warn(ctx, HK_E_PLUGIN, (hk_where){.file = path}, said->hint, "%s", said->text);
    }
    hk_ctx_destroy(quiet);
    if (!library)
        return;
    HK_PUSH(model->libraries, model->library_count, model->library_cap, library);
    if (library->difference)
        hk_warn(ctx, HK_E_PLUGIN, (hk_where){.file = path},
                "build it with 'hocket build', or leave these flags out: docs/plugins.md",
                "it was compiled %s: its results may have other bits with another compiler, on "
                "another machine, or fused",
                library->difference);
    if (library->changed && !hk_packed_is(path)) /* a tool runs what it carries, and nothing else */
        hk_note(ctx, (hk_where){.file = path}, "%s", library->changed);
}

static hk_status load(hk_ctx *ctx, hk_model *model, const char *path, const plugin **ret_plugin) {
    const char *absolute = hk_path_absolute(model->arena, path);
    const plugin *known = find_loaded(model, absolute);
    if (known) {
        *ret_plugin = known;
        return known->failed; /* which was reported */
    }
    plugin loaded = {.path = absolute};
    uint64_t control = hk_fpenv_read();
    loaded.failed = open_library(ctx, model, absolute, &loaded);
    uint64_t after = hk_fpenv_read();
    if (after != control) {
        hk_fpenv_write(control);
        hk_note(ctx, (hk_where){.file = absolute},
                "loading the library changed the floating-point environment (%s); it was restored",
                hk_fpenv_difference(control, after));
    }
    if (loaded.failed == HK_OK)
        note_library(ctx, model, absolute);
    plugin *kept = HK_NEW(model->arena, plugin);
    *kept = loaded;
    hk_model_own(model, kept, release_plugin);
    *ret_plugin = kept;
    return kept->failed;
}

/* NAME is NULL: none was named, and it is not clear which is meant. */
static hk_status unknown_type(hk_ctx *ctx, hk_arena *arena, const plugin *loaded,
                              const char *name) {
    size_t count = 0;
    while (loaded->types[count])
        count++;
    const char **names = HK_NEW_ARRAY(arena, const char *, count + 1);
    const char *list = "";
    for (size_t i = 0; i < count; i++) {
        names[i] = loaded->types[i]->name;
        list = hk_arena_printf(arena, "%s%s%s", list, i ? ", " : "", names[i]);
    }
    const char *close = name ? hk_closest(name, names, count) : NULL;
    const char *hint = hk_hint_name(
        arena, close, hk_arena_printf(arena, "it offers: %s", count ? list : "nothing"));
    hk_where where = {.file = loaded->path};
    if (!name)
        return hk_error(ctx, HK_E_PLUGIN, where, hint,
                        "the plugin has %zu types and none of them was named", count);
    return hk_error(ctx, HK_E_PLUGIN, where, hint, "the plugin has no type called '%s'", name);
}

hk_status hk_plugin_find(hk_ctx *ctx, hk_model *model, const char *path, const char *name,
                         const hk_info **ret_info) {
    const plugin *loaded = NULL;
    HK_TRY(load(ctx, model, path, &loaded));
    bool alone = loaded->types[0] && !loaded->types[1];
    for (size_t i = 0; loaded->types[i]; i++)
        if (name ? strcmp(loaded->types[i]->name, name) == 0 : alone)
            return hk_native_describe(ctx, model, loaded->types[i], loaded->path, ret_info);
    *ret_info = NULL;
    return HK_OK;
}

hk_status hk_plugin_info(hk_ctx *ctx, hk_model *model, const char *path, const char *name,
                         const hk_info **ret_info) {
    const plugin *loaded = NULL;
    const hk_info *info = NULL;
    HK_TRY(load(ctx, model, path, &loaded));
    HK_TRY(hk_plugin_find(ctx, model, path, name, &info));
    if (!info)
        return unknown_type(ctx, model->arena, loaded, name);
    *ret_info = info;
    return HK_OK;
}

hk_status hk_plugin_world(hk_ctx *ctx, hk_model *model, const char *path,
                          const hk_world_types **ret_types) {
    HK_ASSERT(model && path && ret_types);
    const plugin *loaded = NULL;
    HK_TRY(load(ctx, model, path, &loaded));
    *ret_types = loaded->world ? loaded->world() : NULL;
    return HK_OK;
}

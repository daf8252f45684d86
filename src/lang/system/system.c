/* SPDX-License-Identifier: MIT
 *
 * From a system file to the model. */
#include "lang/system/system_internal.h"

#include "base/file.h"

#include <string.h>

#define FILE_BYTES_MAX ((size_t)256 << 20)

static void destroy_types(void *types) {
    hk_types_destroy(types);
}

static void read_imports(hk_system *s) {
    for (size_t i = 0; i < s->tree->import_count; i++) {
        const hk_name *import = &s->tree->imports[i];
        if (!*import->text)
            continue;
        hk_status status = hk_types_read(s->complaints.ctx, s->types,
                                         hk_path_join(s->arena, s->folder, import->text),
                                         hk_system_where(s, &import->at));
        if (status != HK_OK)
            hk_system_failed(s, status);
    }
}

/* The hint for a plugin that is named and not there; NULL: neither is its folder. */
static const char *how_to_build(const hk_system *s, const char *path) {
    const char *folder = hk_path_folder(s->model->arena, path);
    return hk_folder_exists(folder)
               ? hk_arena_printf(
                     s->model->arena,
                     "'hocket build %s' builds it; 'hocket gen' makes a skeleton of its sources",
                     folder)
               : NULL;
}

/* Plugins that are not there yet are not a mistake of the structure: what they should hold is
 * missing when it shall run. */
static void find_plugins(hk_system *s) {
    const char *there = "", *absent = "";
    s->plugin_at = s->tree->plugin_count ? s->tree->plugins[0].at : s->tree->at;
    s->plugins = HK_NEW_ARRAY(s->arena, const char *, s->tree->plugin_count + 1);
    s->plugin_places = HK_NEW_ARRAY(s->arena, hk_place, s->tree->plugin_count + 1);
    for (size_t i = 0; i < s->tree->plugin_count; i++) {
        const char *name = s->tree->plugins[i].text;
        const char *path = hk_path_join(s->arena, s->folder, name);
        if (!*name)
            continue;
        const char **list = hk_file_exists(path) ? &there : &absent;
        if (list == &absent && !*absent) {
            s->plugin_at = s->tree->plugins[i].at;
            s->plugin_hint = how_to_build(s, path);
        }
        *list = hk_arena_printf(s->arena, "%s%s'%s'", *list, **list ? ", " : "", name);
        if (list == &there) {
            s->plugin_places[s->plugin_count] = s->tree->plugins[i].at;
            s->plugins[s->plugin_count++] = path;
        }
    }
    s->plugin_text = *absent  ? hk_arena_printf(s->arena, "plugin %s is not there for", absent)
                     : *there ? hk_arena_printf(s->arena, "plugin %s does not hold", there)
                              : "there is no plugin for";
}

static void finish(hk_system *s) {
    hk_system_finish_kinds(s);
    for (size_t i = 0; i < s->scope_count; i++) {
        hk_map_finish(&s->scopes[i]->by_name);
        hk_free(s->scopes[i]->members);
    }
    hk_free(s->scopes);
    hk_free(s->leaves);
    hk_free(s->slots);
    hk_free(s->links);
    hk_free(s->ages);
    hk_map_finish(&s->shared);
    hk_arena_destroy(s->arena);
}

static hk_status elaborate(hk_ctx *ctx, hk_arena *arena, const hk_systemfile *tree,
                           hk_status parsed, hk_model **ret_model) {
    hk_system s = {.complaints = {.ctx = ctx, .first = parsed},
                   .arena = arena,
                   .tree = tree,
                   .incomplete = parsed != HK_OK};
    s.types = hk_types_create();
    s.model =
        hk_model_create(*tree->name.text ? tree->name.text : hk_path_name(tree->file), tree->file);
    hk_model_own(s.model, s.types, destroy_types);
    /* Data flows along the links within an instant, unless a word or the user says otherwise. */
    s.model->experiment.has_algorithm = true;
    s.model->experiment.algorithm = HK_GAUSS_SEIDEL;
    if (tree->root && *tree->root->name.text)
        s.model->root = hk_arena_strdup(s.model->arena, tree->root->name.text);
    s.file = s.model->file;
    s.folder = hk_path_folder(arena, s.file);
    hk_system_experiment(&s);
    read_imports(&s);
    find_plugins(&s);
    s.reader =
        (hk_typereader){.complaints = {.ctx = ctx}, .types = s.types, .arena = s.types->arena};
    if (tree->root) {
        hk_system_walk(&s);
        if (s.complaints.first == HK_OK && s.model->component_count == 0)
            hk_complain(&s.complaints, HK_E_LANGUAGE, hk_system_where(&s, &tree->root->at),
                        "write leaf NAME : TYPE { }", "the system has no leaves");
    }
    hk_status status = s.complaints.first != HK_OK ? s.complaints.first : s.reader.complaints.first;
    finish(&s);
    if (status == HK_OK)
        *ret_model = s.model;
    else
        hk_model_destroy(s.model);
    return status;
}

hk_status hk_system_read(hk_ctx *ctx, const char *path, hk_model **ret_model) {
    char *data;
    size_t size;
    HK_TRY(hk_file_read(ctx, path, FILE_BYTES_MAX, &data, &size));
    hk_arena *arena = hk_arena_create();
    hk_systemfile *tree = NULL;
    hk_status status = hk_system_parse(ctx, arena, path, data, size, &tree);
    if (tree) {
        tree->file = path;
        status = elaborate(ctx, arena, tree, status, ret_model);
    } else {
        hk_arena_destroy(arena);
    }
    hk_free(data);
    return status;
}

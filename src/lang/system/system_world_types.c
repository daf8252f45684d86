/* SPDX-License-Identifier: MIT
 *
 * The component and system types that a world can have: those of its plugins, and of the system's.
 */
#include "lang/system/system_world_internal.h"

#include "base/file.h"

#include <string.h>

static bool has_type(hk_worldwork *w, const hk_component_type *type, hk_where where) {
    for (size_t i = 0; i < w->spec->type_count; i++)
        if (strcmp(w->spec->types[i]->name, type->name) == 0) {
            if (w->spec->types[i] != type)
                hk_complain(&w->s->complaints, HK_E_DUPLICATE, where, "rename one of them",
                            "there are two component types '%s'", type->name);
            return true;
        }
    return false;
}

static void take_types(hk_worldwork *w, const char *path, hk_where where) {
    const hk_world_types *types = NULL;
    w->s->model->named = where;
    hk_status status = hk_world_types_of(w->s->complaints.ctx, w->s->model, path, &types);
    w->s->model->named = HK_NOWHERE;
    if (status != HK_OK) {
        hk_system_failed(w->s, status);
        w->broken = true;
        return;
    }
    for (size_t i = 0; types && types->components && types->components[i]; i++)
        if (!has_type(w, types->components[i], where))
            HK_PUSH(w->types, w->spec->type_count, w->type_cap, types->components[i]);
    w->spec->types = w->types;
    for (size_t i = 0; types && types->systems && types->systems[i]; i++) {
        hk_worldsystemtype found = {types->systems[i], hk_arena_strdup(w->arena, path)};
        HK_PUSH(w->system_types, w->system_type_count, w->system_type_cap, found);
    }
}

void hk_world_find_types(hk_worldwork *w) {
    hk_system *s = w->s;
    HK_PUSH(w->types, w->spec->type_count, w->type_cap, &hk_world_pose);
    w->spec->types = w->types;
    for (size_t i = 0; i < w->syntax->item_count; i++) {
        const hk_name *plugin = &w->syntax->items[i].plugin;
        if (w->syntax->items[i].kind != HK_WORLD_PLUGIN || !*plugin->text)
            continue;
        const char *path = hk_path_join(s->arena, s->folder, plugin->text);
        if (hk_file_exists(path)) {
            take_types(w, path, hk_system_where(s, &plugin->at));
            continue;
        }
        w->broken = true;
        hk_complain(&s->complaints, HK_E_FILE_READ, hk_system_where(s, &plugin->at),
                    hk_arena_printf(s->arena, "'hocket build %s' builds it from its sources",
                                    hk_path_folder(s->arena, path)),
                    "the plugin '%s' is not there", plugin->text);
    }
    for (size_t i = 0; i < s->plugin_count; i++)
        take_types(w, s->plugins[i], hk_system_where(s, &s->plugin_places[i]));
}

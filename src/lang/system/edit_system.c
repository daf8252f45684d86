/* SPDX-License-Identifier: MIT
 *
 * System files that are written again with other values of parameters. */
#include "lang/system/system_write_internal.h"

#include "base/file.h"

#include <string.h>
#include <strings.h>

#define FILE_BYTES_MAX ((size_t)256 << 20)

static bool begins(const char *path, const char *name, size_t *ret_length) {
    *ret_length = strlen(name);
    return strncmp(path, name, *ret_length) == 0 &&
           (path[*ret_length] == '.' || !path[*ret_length]);
}

/* ---- worlds ---- */

/* The component called TYPE of an entity, or of one of its variants; NULL: there is none. */
static hk_partdecl *find_part(const hk_entityitem *items, size_t count, const char *path,
                              size_t *ret_length) {
    for (size_t i = 0; i < count; i++) {
        if (items[i].kind == HK_ENTITY_PART && begins(path, items[i].part->type.text, ret_length))
            return items[i].part;
        hk_partdecl *inner = find_part(items[i].items, items[i].item_count, path, ret_length);
        if (inner)
            return inner;
    }
    return NULL;
}

static hk_leaf *find_inner(const hk_entityitem *items, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (items[i].kind == HK_ENTITY_LEAF && strcmp(items[i].leaf->name.text, name) == 0)
            return items[i].leaf;
        hk_leaf *inner = find_inner(items[i].items, items[i].item_count, name);
        if (inner)
            return inner;
    }
    return NULL;
}

/* The leaf "entity.leaf" of a world; NULL: there is none. */
static hk_leaf *leaf_of_world(const hk_worlddecl *world, const char *path) {
    size_t length;
    for (size_t i = 0; i < world->item_count; i++) {
        const hk_entitydecl *e = world->items[i].entity;
        if (e && begins(path, e->name.text, &length) && path[length])
            return find_inner(e->items, e->item_count, path + length + 1);
    }
    return NULL;
}

/* The leaf at PATH, "composite.leaf"; NULL: there is none. */
static hk_leaf *find_leaf(const hk_composite *composite, const char *path) {
    size_t length = strcspn(path, ".");
    for (size_t i = 0; i < composite->item_count; i++) {
        const hk_item *item = &composite->items[i];
        const char *name = item->kind == HK_ITEM_LEAF        ? item->leaf->name.text
                           : item->kind == HK_ITEM_COMPOSITE ? item->composite->name.text
                           : item->kind == HK_ITEM_WORLD     ? item->world->name.text
                                                             : "";
        if (strlen(name) != length || memcmp(name, path, length) != 0)
            continue;
        if (item->kind == HK_ITEM_LEAF && !path[length])
            return item->leaf;
        if (item->kind == HK_ITEM_COMPOSITE && path[length])
            return find_leaf(item->composite, path + length + 1);
        if (item->kind == HK_ITEM_WORLD && path[length])
            return leaf_of_world(item->world, path + length + 1);
    }
    return NULL;
}

static const hk_worlddecl *find_world(const hk_composite *composite, const char *path) {
    size_t length;
    for (size_t i = 0; i < composite->item_count; i++) {
        const hk_item *item = &composite->items[i];
        if (item->world && strcmp(path, item->world->name.text) == 0)
            return item->world;
        if (item->composite && begins(path, item->composite->name.text, &length) && path[length])
            return find_world(item->composite, path + length + 1);
    }
    return NULL;
}

/* The value of a parameter where it is written, or behind all others. */
static void put_item(hk_system_writer *w, hk_leafitem **list, size_t *count, const char *name,
                     hk_literal value) {
    for (size_t i = 0; i < *count; i++)
        if ((*list)[i].kind == HK_LEAF_PARAM && strcmp((*list)[i].name.text, name) == 0) {
            (*list)[i].value = value;
            return;
        }
    hk_leafitem *items = HK_NEW_ARRAY(w->arena, hk_leafitem, *count + 1);
    if (*count)
        memcpy(items, *list, *count * sizeof *items);
    items[(*count)++] = (hk_leafitem){.kind = HK_LEAF_PARAM,
                                      .number = {.text = ""},
                                      .name = hk_system_write_name(w, name),
                                      .value = value,
                                      .word = HK_NO_NAME};
    *list = items;
}

/* The value of a field or of a system of a world; false: it has no place in the text. */
static bool put_in_world(hk_system_writer *w, const hk_worlddecl *world, const char *name,
                         hk_literal value) {
    size_t length, behind;
    for (size_t i = 0; i < world->item_count; i++) {
        hk_leaf *system = world->items[i].system;
        const hk_entitydecl *e = world->items[i].entity;
        if (system && begins(name, system->name.text, &length) && name[length]) {
            if (strcmp(name + length + 1, "active") == 0)
                return false;
            put_item(w, &system->items, &system->item_count, name + length + 1, value);
            return true;
        }
        if (!e || !begins(name, e->name.text, &length) || !name[length])
            continue;
        const char *rest = name + length + 1;
        hk_partdecl *part = find_part(e->items, e->item_count, rest, &behind);
        if (part && rest[behind])
            put_item(w, &part->items, &part->item_count, rest + behind + 1, value);
        return part && rest[behind];
    }
    return false;
}

static hk_status change(hk_system_writer *w, const hk_systemfile *file) {
    for (size_t i = 0; i < w->model->component_count; i++) {
        const hk_component *c = &w->model->components[i];
        const hk_worlddecl *world = find_world(file->root, c->name);
        hk_leaf *leaf = world ? NULL : find_leaf(file->root, c->name);
        for (uint32_t v = 0; v < c->info->variable_count; v++) {
            const hk_setting *now = hk_component_last_setting(c, v);
            const char *name = c->info->variables[v].name;
            if (!now || now->source != HK_FROM_USER)
                continue;
            hk_literal value = hk_system_write_quantity(w, &c->info->variables[v], &now->value);
            if (leaf)
                put_item(w, &leaf->items, &leaf->item_count, name, value);
            else if (world && !put_in_world(w, world, name, value))
                return hk_error(w->ctx, HK_E_NO_WORDS, c->where,
                                "write 'dormant' or 'inactive' there, or set it in a simulation",
                                "'%s.%s' cannot be given a value in the file", c->name, name);
        }
    }
    return HK_OK;
}

/* ---- files that are named relative to the system file ---- */

static void move_name(hk_system_writer *w, hk_name *name, const char *way) {
    if (*name->text && *name->text != '/')
        name->text = hk_arena_printf(w->arena, "%s%s", way, name->text);
}

static void move_type(hk_system_writer *w, hk_name *type, const char *way) {
    static const char *const files[] = {".fmu", ".csv", ".so", ".dll", ".dylib"};
    bool is_file = strchr(type->text, '#') != NULL;
    for (size_t k = 0; k < sizeof files / sizeof *files && !is_file; k++)
        is_file = strcasecmp(hk_path_extension(type->text), files[k]) == 0;
    if (is_file)
        move_name(w, type, way);
}

static void move_inner(hk_system_writer *w, const hk_entityitem *items, size_t count,
                       const char *way) {
    for (size_t i = 0; i < count; i++) {
        if (items[i].leaf)
            move_type(w, &items[i].leaf->type, way);
        move_inner(w, items[i].items, items[i].item_count, way);
    }
}

static void move_world(hk_system_writer *w, const hk_worlddecl *world, const char *way) {
    for (size_t i = 0; i < world->item_count; i++) {
        hk_worlditem *item = &world->items[i];
        if (item->kind == HK_WORLD_PLUGIN)
            move_name(w, &item->plugin, way);
        if (item->entity)
            move_inner(w, item->entity->items, item->entity->item_count, way);
    }
}

static void move_leaves(hk_system_writer *w, const hk_composite *composite, const char *way) {
    for (size_t i = 0; i < composite->item_count; i++) {
        const hk_item *item = &composite->items[i];
        if (item->kind == HK_ITEM_COMPOSITE)
            move_leaves(w, item->composite, way);
        if (item->kind == HK_ITEM_WORLD)
            move_world(w, item->world, way);
        if (item->kind == HK_ITEM_LEAF)
            move_type(w, &item->leaf->type, way);
    }
}

static void move_files(hk_system_writer *w, hk_systemfile *file, const char *way) {
    for (size_t i = 0; i < file->import_count; i++)
        move_name(w, &file->imports[i], way);
    for (size_t i = 0; i < file->plugin_count; i++)
        move_name(w, &file->plugins[i], way);
    move_leaves(w, file->root, way);
}

static hk_status edit(hk_system_writer *w, const char *from, const char *to) {
    hk_systemfile *file;
    char *data;
    size_t size;
    HK_TRY(hk_file_read(w->ctx, from, FILE_BYTES_MAX, &data, &size));
    hk_status status = hk_system_parse(w->ctx, w->arena, from, data, size, &file);
    hk_free(data);
    HK_TRY(status);
    const char *old = hk_path_real(w->arena, hk_path_folder(w->arena, from));
    const char *now = hk_path_real(w->arena, hk_path_folder(w->arena, to));
    if (!now || !hk_folder_exists(now))
        return hk_error(w->ctx, HK_E_FILE_WRITE, (hk_where){.file = to}, "make it first",
                        "the folder '%s' does not exist", hk_path_folder(w->arena, to));
    HK_TRY(change(w, file));
    if (strcmp(old, now) != 0) {
        const char *way = hk_path_way(w->arena, now, hk_path_join(w->arena, old, "x"));
        move_files(w, file, hk_arena_strndup(w->arena, way, strlen(way) - 1));
    }
    const char *text = hk_system_print(w->arena, file);
    return hk_file_write(w->ctx, to, text, strlen(text));
}

hk_status hk_system_edit(hk_ctx *ctx, const hk_model *model, const char *from, const char *to) {
    hk_arena *arena = hk_arena_create();
    hk_system_writer w = {.ctx = ctx, .arena = arena, .model = model};
    hk_status status = edit(&w, from, to);
    hk_arena_destroy(arena);
    return status;
}

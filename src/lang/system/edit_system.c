/* SPDX-License-Identifier: MIT
 *
 * System files that are written again with other values of parameters. */
#include "lang/system/system_write_internal.h"

#include "base/file.h"

#include <string.h>
#include <strings.h>

#define FILE_BYTES_MAX ((size_t)256 << 20)

/* The leaf at PATH, "composite.leaf"; NULL: there is none. */
static hk_leaf *find_leaf(const hk_composite *composite, const char *path) {
    size_t length = strcspn(path, ".");
    for (size_t i = 0; i < composite->item_count; i++) {
        const hk_item *item = &composite->items[i];
        const char *name = item->kind == HK_ITEM_LEAF        ? item->leaf->name.text
                           : item->kind == HK_ITEM_COMPOSITE ? item->composite->name.text
                                                             : "";
        if (strlen(name) != length || memcmp(name, path, length) != 0)
            continue;
        if (item->kind == HK_ITEM_LEAF && !path[length])
            return item->leaf;
        if (item->kind == HK_ITEM_COMPOSITE && path[length])
            return find_leaf(item->composite, path + length + 1);
    }
    return NULL;
}

/* The value of a parameter where it is written, or behind all others. */
static void put(hk_system_writer *w, hk_leaf *leaf, const char *name, hk_literal value) {
    for (size_t i = 0; i < leaf->item_count; i++)
        if (leaf->items[i].kind == HK_LEAF_PARAM && strcmp(leaf->items[i].name.text, name) == 0) {
            leaf->items[i].value = value;
            return;
        }
    hk_leafitem *items = HK_NEW_ARRAY(w->arena, hk_leafitem, leaf->item_count + 1);
    if (leaf->item_count)
        memcpy(items, leaf->items, leaf->item_count * sizeof *items);
    items[leaf->item_count++] = (hk_leafitem){.kind = HK_LEAF_PARAM,
                                              .number = {.text = ""},
                                              .name = hk_system_write_name(w, name),
                                              .value = value,
                                              .word = HK_NO_NAME};
    leaf->items = items;
}

static void change(hk_system_writer *w, const hk_systemfile *file) {
    for (size_t i = 0; i < w->model->component_count; i++) {
        const hk_component *c = &w->model->components[i];
        hk_leaf *leaf = find_leaf(file->root, c->name);
        for (uint32_t v = 0; leaf && v < c->info->variable_count; v++) {
            const hk_setting *now = hk_component_last_setting(c, v);
            if (now && now->source == HK_FROM_USER)
                put(w, leaf, c->info->variables[v].name,
                    hk_system_write_quantity(w, &c->info->variables[v], &now->value));
        }
    }
}

/* ---- files that are named relative to the system file ---- */

static void move_name(hk_system_writer *w, hk_name *name, const char *way) {
    if (*name->text && *name->text != '/')
        name->text = hk_arena_printf(w->arena, "%s%s", way, name->text);
}

static void move_leaves(hk_system_writer *w, const hk_composite *composite, const char *way) {
    static const char *const files[] = {".fmu", ".csv", ".so", ".dll", ".dylib"};
    for (size_t i = 0; i < composite->item_count; i++) {
        const hk_item *item = &composite->items[i];
        if (item->kind == HK_ITEM_COMPOSITE)
            move_leaves(w, item->composite, way);
        if (item->kind != HK_ITEM_LEAF)
            continue;
        hk_name *type = &item->leaf->type;
        bool is_file = strchr(type->text, '#') != NULL;
        for (size_t k = 0; k < sizeof files / sizeof *files && !is_file; k++)
            is_file = strcasecmp(hk_path_extension(type->text), files[k]) == 0;
        if (is_file)
            move_name(w, type, way);
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
    change(w, file);
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

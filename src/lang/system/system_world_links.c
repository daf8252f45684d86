/* SPDX-License-Identifier: MIT
 *
 * Leaves of entities are components "world.entity.leaf"; links inside an entity say less than those
 * outside and mean the same. A link to a field inside a variant is an input of its own, which
 * counts while the entity is that variant. */
#include "lang/system/system_world_internal.h"

#include <string.h>

static bool begins(const char *path, const char *name, size_t *ret_length) {
    size_t length = strcspn(path, ".");
    *ret_length = length;
    return strlen(name) == length && memcmp(name, path, length) == 0;
}

static bool is_leaf(const hk_worldwork *w, uint32_t entity, const char *path) {
    size_t length;
    for (size_t i = 0; i < w->leaf_count; i++)
        if (w->leaves[i].syntax && w->leaves[i].entity == entity &&
            begins(path, w->leaves[i].syntax->name.text, &length))
            return true;
    return false;
}

/* The part of the entity that PATH begins with, and its field; HK_MAP_NONE: none. */
static uint32_t find_part(const hk_worldentity *e, const char *path, uint32_t *ret_field) {
    size_t length = 0;
    for (uint32_t i = 0; i < e->entity.part_count; i++) {
        const hk_component_type *type = e->parts[i].type;
        if (!begins(path, type->name, &length))
            continue;
        *ret_field = HK_MAP_NONE;
        for (uint32_t f = 0; path[length] && f < type->field_count; f++)
            if (strcmp(type->fields[f].name, path + length + 1) == 0)
                *ret_field = f;
        return i;
    }
    return HK_MAP_NONE;
}

static hk_name renamed(const hk_worldwork *w, const hk_name *name, const char *text) {
    hk_name own = *name;
    own.text = hk_arena_printf(w->s->arena, "%s.%s", w->syntax->name.text, text);
    return own;
}

static hk_name outer_name(hk_worldwork *w, const hk_worldleaf *leaf, const hk_name *name) {
    const hk_worldentity *e = &w->entities[leaf->entity];
    uint32_t field;
    if (!is_leaf(w, leaf->entity, name->text) && find_part(e, name->text, &field) == HK_MAP_NONE)
        return *name;
    return renamed(w, name, hk_arena_printf(w->s->arena, "%s.%s", e->entity.name, name->text));
}

/* A target that is a field. */
static hk_name drive(hk_worldwork *w, const hk_worldleaf *leaf, const hk_name *name) {
    const hk_worldentity *e = &w->entities[leaf->entity];
    uint32_t field = HK_MAP_NONE, part = find_part(e, name->text, &field);
    if (is_leaf(w, leaf->entity, name->text) || part == HK_MAP_NONE)
        return outer_name(w, leaf, name);
    const char *text = hk_arena_printf(w->arena, "%s.%s", e->entity.name, name->text);
    if (leaf->variant != HK_MAP_NONE && strchr(name->text, '[')) {
        hk_complain(&w->s->complaints, HK_E_CONNECTION, hk_system_where(w->s, &name->at),
                    "link the whole field, or give the component a field for it",
                    "one element of '%s' cannot be linked inside a variant", text);
        w->broken = true;
    }
    if (leaf->variant == HK_MAP_NONE || field == HK_MAP_NONE) {
        hk_map_put(w->linked, hk_arena_strndup(w->arena, text, strcspn(text, "[")), 0);
        return renamed(w, name, text);
    }
    text = hk_arena_printf(w->arena, "%s.%s.%s", e->entity.name, e->variants[leaf->variant],
                           name->text);
    for (size_t i = 0; i < w->spec->drive_count; i++)
        if (strcmp(w->spec->drives[i].name, text) == 0)
            return renamed(w, name, text); /* two drivers are found where links are read */
    hk_world_drive *all = HK_NEW_ARRAY(w->arena, hk_world_drive, w->spec->drive_count + 1);
    if (w->spec->drive_count)
        memcpy(all, w->spec->drives, w->spec->drive_count * sizeof *all);
    all[w->spec->drive_count++] = (hk_world_drive){e->placed, part, field, leaf->variant, text};
    w->spec->drives = all;
    return renamed(w, name, text);
}

static void add_link(hk_worldwork *w, const hk_worldleaf *leaf) {
    hk_link *link = &w->node->links[w->node->link_count++];
    *link = *leaf->link;
    link->from = outer_name(w, leaf, &leaf->link->from);
    link->to = HK_NEW_ARRAY(w->s->arena, hk_name, link->to_count + 1);
    for (size_t i = 0; i < link->to_count; i++)
        link->to[i] = drive(w, leaf, &leaf->link->to[i]);
}

static void add_leaf(hk_worldwork *w, const hk_worldleaf *leaf) {
    const hk_worldentity *e = &w->entities[leaf->entity];
    hk_worldinner *inner = &w->node->inner[w->node->inner_count++];
    *inner = (hk_worldinner){
        .name = hk_arena_printf(w->s->arena, "%s.%s", e->entity.name, leaf->syntax->name.text),
        .syntax = leaf->syntax,
        .entity = e->placed,
        .variant = leaf->variant,
        .dormant = e->entity.dormant || (leaf->variant != HK_MAP_NONE && leaf->variant != 0)};
    w->leaves_of_spec[w->spec->leaf_count++] = (hk_world_leaf){
        hk_arena_printf(w->arena, "%s.%s", w->spec->name, inner->name), e->placed, leaf->variant};
    for (uint32_t up = leaf->entity; w->entities[up].parent; up = w->entities[up].above)
        inner->dormant = inner->dormant || w->entities[w->entities[up].above].entity.dormant;
    for (size_t i = 0; i + 1 < w->node->inner_count; i++)
        if (strcmp(w->node->inner[i].name, inner->name) == 0)
            hk_complain(&w->s->complaints, HK_E_DUPLICATE,
                        hk_system_where(w->s, &leaf->syntax->name.at),
                        "give one of them another name", "entity '%s' has two leaves called '%s'",
                        e->entity.name, leaf->syntax->name.text);
}

void hk_world_links(hk_worldwork *w) {
    w->node->links = HK_NEW_ARRAY(w->s->arena, hk_link, w->leaf_count + 1);
    w->node->inner = HK_NEW_ARRAY(w->s->arena, hk_worldinner, w->leaf_count + 1);
    w->spec->leaves = w->leaves_of_spec = HK_NEW_ARRAY(w->arena, hk_world_leaf, w->leaf_count + 1);
    for (size_t i = 0; i < w->leaf_count; i++)
        if (w->leaves[i].syntax)
            add_leaf(w, &w->leaves[i]);
    for (size_t i = 0; i < w->leaf_count; i++)
        if (w->leaves[i].link)
            add_link(w, &w->leaves[i]);
}

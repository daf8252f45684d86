/* SPDX-License-Identifier: MIT
 *
 * What happens to entities and systems of worlds. An entity is what its variable "entity.is" says,
 * and a system acts while "system.active" is true: so a change is a value that is set, and all that
 * holds for values (windows, states, nodes, traces) holds for it. Leaves of the entity are started
 * and stopped with it. */
#include "lang/simulation/simulation_internal.h"
#include "world/world.h"

#include <string.h>

typedef struct found {
    uint32_t component; /* the world */
    const hk_world_spec *spec;
    uint32_t entity, system; /* HK_MAP_NONE: it is the other one */
    const char *name;        /* of it, in the world */
} found;

/* The world that PATH, below the root, begins with; what is behind it. */
static const char *find_world(const hk_simread *r, const char *path, found *f) {
    for (uint32_t i = 0; i < r->model->component_count; i++) {
        const hk_component *c = &r->model->components[i];
        const char *rest = hk_path_behind(path, c->name);
        f->spec = rest && *rest ? hk_world_of(c->info) : NULL;
        f->component = i;
        if (f->spec)
            return rest;
    }
    return NULL;
}

static bool find_inside(found *f) {
    f->entity = f->system = HK_MAP_NONE;
    for (uint32_t i = 0; i < f->spec->entity_count; i++)
        if (strcmp(f->spec->entities[i].name, f->name) == 0)
            f->entity = i;
    for (uint32_t i = 0; i < f->spec->system_count; i++)
        if (strcmp(f->spec->systems[i].name, f->name) == 0)
            f->system = i;
    return f->entity != HK_MAP_NONE || f->system != HK_MAP_NONE;
}

static hk_status unknown(hk_simread *r, const hk_name *path, const found *f) {
    size_t count = 0;
    const char **names =
        HK_NEW_ARRAY(r->arena, const char *, f->spec->entity_count + f->spec->system_count + 1);
    for (size_t i = 0; i < f->spec->entity_count; i++)
        names[count++] = f->spec->entities[i].name;
    for (size_t i = 0; i < f->spec->system_count; i++)
        names[count++] = f->spec->systems[i].name;
    return hk_simread_error(r, HK_E_NAME, &path->at, hk_simread_suggest(r, f->name, names, count),
                            "world '%s' has no entity or system '%s'", f->spec->name, f->name);
}

static hk_status find(hk_simread *r, const hk_name *path, found *f) {
    if (!*path->text)
        return hk_simread_missing(r, &path->at);
    const char *below = hk_simread_below_root(r, path->text);
    f->name = below ? find_world(r, below, f) : NULL;
    if (!f->name)
        f->name = find_world(r, path->text, f);
    if (!f->name)
        return hk_simread_error(r, HK_E_NAME, &path->at,
                                "name an entity or a system of a world; components are stopped "
                                "and started: \"path\".Stop();",
                                "'%s' is not in a world", path->text);
    if (!find_inside(f))
        return unknown(r, path, f);
    if (f->entity != HK_MAP_NONE && f->spec->entities[f->entity].copies)
        return hk_simread_error(r, HK_E_SCENARIO, &path->at, "a system can do it",
                                "'%s' is many entities, which a scenario cannot change",
                                path->text);
    return HK_OK;
}

/* The number of a variant, from 1 on. */
static hk_status find_variant(hk_simread *r, const hk_statement *s, const found *f,
                              int64_t *ret_number) {
    if (f->entity == HK_MAP_NONE)
        return hk_simread_error(r, HK_E_SCENARIO, &s->path.at, "systems are added and removed",
                                "'%s' is a system, which has no variants", s->path.text);
    const hk_world_entity *e = &f->spec->entities[f->entity];
    for (size_t i = 0; i < e->variant_count; i++)
        if (strcmp(e->variants[i], s->word.text) == 0) {
            *ret_number = (int64_t)i + 1;
            return HK_OK;
        }
    return hk_simread_error(r, HK_E_NAME, &s->word.at,
                            e->variant_count
                                ? hk_simread_suggest(r, s->word.text, e->variants, e->variant_count)
                                : "it has no variants",
                            "entity '%s' has no variant '%s'", e->name, s->word.text);
}

/* ---- leaves */

/* True if the leaf is of the entity, or of one below it; *ret_own: of itself. */
static bool belongs(const hk_world_spec *spec, const hk_world_leaf *leaf, uint32_t entity,
                    bool *ret_own) {
    *ret_own = leaf->entity == entity;
    for (uint32_t up = leaf->entity; up != HK_MAP_NONE; up = spec->entities[up].parent)
        if (up == entity)
            return true;
    return false;
}

/* Does it run when the entity is IS? Those below are as the file has them. */
static bool runs(const hk_world_spec *spec, const hk_world_leaf *leaf, bool own, int64_t is) {
    int64_t now = own ? is : is && !spec->entities[leaf->entity].dormant;
    return now && (leaf->variant == HK_MAP_NONE || leaf->variant + 1 == now);
}

static void add_leaves(hk_simread *r, const found *f, int64_t is, hk_action action,
                       hk_action_list *list) {
    for (int start = 0; start < 2; start++) {
        uint32_t *components = HK_NEW_ARRAY(r->arena, uint32_t, f->spec->leaf_count + 1);
        size_t count = 0;
        for (size_t i = 0; i < f->spec->leaf_count; i++) {
            const hk_world_leaf *leaf = &f->spec->leaves[i];
            bool own;
            if (belongs(f->spec, leaf, f->entity, &own) && runs(f->spec, leaf, own, is) == start)
                components[count++] = hk_map_get(&r->model->by_name, leaf->component);
        }
        action.kind = start ? HK_ACTION_START : HK_ACTION_STOP;
        action.components = components;
        action.component_count = count;
        if (count)
            HK_PUSH(list->all, list->count, list->cap, action);
    }
}

/* ---- statements */

hk_status hk_simread_world(hk_simread *r, const hk_statement *s, hk_action action,
                           hk_action_list *list) {
    found f = {0};
    int64_t is = s->kind != HK_SAY_REMOVE;
    HK_TRY(find(r, &s->path, &f));
    if (s->kind == HK_SAY_CHANGE)
        HK_TRY(find_variant(r, s, &f, &is));
    bool entity = f.entity != HK_MAP_NONE;
    const hk_info *info = r->model->components[f.component].info;
    action.kind = HK_ACTION_SET;
    action.component = f.component;
    action.variable =
        hk_info_find(info, hk_arena_printf(r->arena, "%s.%s", f.name, entity ? "is" : "active"));
    if (entity) {
        int64_t *value = HK_NEW(r->arena, int64_t);
        *value = is;
        action.value = (hk_value){HK_TYPE_ENUM, 1, value};
    } else {
        bool *value = HK_NEW(r->arena, bool);
        *value = is != 0;
        action.value = (hk_value){HK_TYPE_BOOL, 1, value};
    }
    action.words = hk_arena_printf(r->arena, "%s \"%s\"%s%s",
                                   s->kind == HK_SAY_ADD      ? "add"
                                   : s->kind == HK_SAY_REMOVE ? "remove"
                                                              : "change",
                                   s->path.text, s->kind == HK_SAY_CHANGE ? " to " : "",
                                   s->kind == HK_SAY_CHANGE ? s->word.text : "");
    HK_PUSH(list->all, list->count, list->cap, action);
    if (entity)
        add_leaves(r, &f, is, action, list);
    return HK_OK;
}

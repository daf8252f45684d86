/* SPDX-License-Identifier: MIT
 *
 * Worlds: what a file says about one becomes a leaf of a kind that is made to measure. Values of
 * fields and of systems are its parameters, leaves of entities are components beside it. */
#include "lang/system/system_world_internal.h"

#include "base/number.h"

#include <string.h>

/* ---- names */

static const hk_component_type *find_component(hk_worldwork *w, const hk_name *name) {
    const char **names = HK_NEW_ARRAY(w->s->arena, const char *, w->spec->type_count + 1);
    for (size_t i = 0; i < w->spec->type_count; i++) {
        names[i] = w->spec->types[i]->name;
        if (strcmp(names[i], name->text) == 0)
            return w->spec->types[i];
    }
    if (*name->text && !w->broken)
        hk_complain(&w->s->complaints, HK_E_NAME, hk_system_where(w->s, &name->at),
                    hk_complaint_suggest(&w->s->complaints, w->s->arena, name->text, names,
                                         w->spec->type_count),
                    "there is no component type '%s' in the plugins of world '%s'", name->text,
                    w->syntax->name.text);
    w->broken = true;
    return NULL;
}

/* ---- values: parameters of the leaf that the world is */

static void add_item(hk_worldwork *w, const hk_leafitem *item, const char *prefix) {
    hk_leafitem own = *item;
    own.name.text = hk_arena_printf(w->s->arena, "%s.%s", prefix, item->name.text);
    HK_PUSH(w->items, w->item_count, w->item_cap, own);
}

/* False: another system or entity has it. */
static bool take_name(hk_worldwork *w, const hk_name *name) {
    uint32_t there = hk_map_get(&w->names, name->text);
    hk_map_put(&w->names, name->text, (uint32_t)name->at.line);
    if (there == HK_MAP_NONE)
        return true;
    hk_complain(&w->s->complaints, HK_E_DUPLICATE, hk_system_where(w->s, &name->at),
                "give one of them another name",
                "world '%s' has two things called '%s'; the other one is in line %d",
                w->syntax->name.text, name->text, (int)there);
    w->broken = true;
    return false;
}

/* ---- systems */

static const hk_worldsystemtype *find_system(hk_worldwork *w, const hk_name *name) {
    const char **names = HK_NEW_ARRAY(w->s->arena, const char *, w->system_type_count + 1);
    for (size_t i = 0; i < w->system_type_count; i++) {
        names[i] = w->system_types[i].type->name;
        if (strcmp(names[i], name->text) == 0)
            return &w->system_types[i];
    }
    if (!w->broken)
        hk_complain(&w->s->complaints, HK_E_NAME, hk_system_where(w->s, &name->at),
                    hk_complaint_suggest(&w->s->complaints, w->s->arena, name->text, names,
                                         w->system_type_count),
                    "there is no system type '%s' in the plugins of world '%s'", name->text,
                    w->syntax->name.text);
    w->broken = true;
    return NULL;
}

static void read_system_item(hk_worldwork *w, const hk_leaf *leaf, const hk_leafitem *item,
                             hk_worldsystem *system) {
    hk_system *s = w->s;
    switch (item->kind) {
    case HK_LEAF_PERIOD:
        system->has_period = hk_system_time(s, &item->number, "period", true, &system->period);
        break;
    case HK_LEAF_FREQUENCY:
        system->has_period = hk_system_frequency(s, &item->number, &system->period);
        break;
    case HK_LEAF_PRIORITY:
        hk_system_priority(s, &item->number, &system->system.priority);
        break;
    case HK_LEAF_INACTIVE:
        system->system.dormant = true;
        break;
    case HK_LEAF_PARAM:
        add_item(w, item, leaf->name.text);
        break;
    default:
        hk_complain(&s->complaints, HK_E_LANGUAGE, hk_system_where(s, &item->at),
                    "a system has period, frequency, priority, param and inactive",
                    "this is not for a system of a world");
    }
}

static void add_system(hk_worldwork *w, const hk_leaf *leaf) {
    const hk_worldsystemtype *type = find_system(w, *leaf->type.text ? &leaf->type : &leaf->name);
    if (!take_name(w, &leaf->name) || !type)
        return;
    hk_where where = hk_system_where(w->s, &leaf->name.at);
    where.file = hk_arena_strdup(w->arena, where.file);
    hk_worldsystem system = {.system = {.name = hk_arena_strdup(w->arena, leaf->name.text),
                                        .type = type->type,
                                        .file = type->file,
                                        .every = 1,
                                        .where = where}};
    for (size_t i = 0; i < leaf->item_count; i++)
        read_system_item(w, leaf, &leaf->items[i], &system);
    HK_PUSH(w->systems, w->spec->system_count, w->system_cap, system);
}

/* The greatest time that all periods are a multiple of. */
static bool common_period(const hk_worldwork *w, hk_ratio *ret_period) {
    bool any = false;
    for (size_t i = 0; i < w->spec->system_count; i++) {
        hk_ratio p = w->systems[i].period, *c = ret_period;
        if (!w->systems[i].has_period)
            continue;
        if (!any) {
            *c = p;
        } else {
            int64_t den = c->den / hk_gcd(c->den, p.den) * p.den;
            if (!hk_ratio_make(hk_gcd(c->num * (den / c->den), p.num * (den / p.den)), den, c))
                return false;
        }
        any = true;
    }
    return any;
}

/* How many activations of the world lie between two of a system. */
static void divide(hk_worldwork *w, hk_worldsystem *system) {
    hk_ratio many;
    if (!system->has_period || !w->has_period)
        return;
    bool whole = hk_ratio_times(system->period, w->period.den, w->period.num, &many) &&
                 many.den == 1 && many.num >= 1 && many.num <= UINT32_MAX;
    if (whole)
        system->system.every = (uint32_t)many.num;
    else
        hk_complain(&w->s->complaints, HK_E_TIME, system->system.where,
                    "leave the period of the world out, or give it one that all others are a "
                    "multiple of",
                    "the period of system '%s' is not a multiple of that of its world",
                    system->system.name);
}

static void read_times(hk_worldwork *w) {
    for (size_t i = 0; i < w->syntax->item_count; i++) {
        const hk_worlditem *item = &w->syntax->items[i];
        if (item->kind == HK_WORLD_PERIOD)
            w->has_period = hk_system_time(w->s, &item->number, "period", true, &w->period);
    }
    if (!w->has_period)
        w->has_period = common_period(w, &w->period);
    hk_world_system *all = HK_NEW_ARRAY(w->arena, hk_world_system, w->spec->system_count + 1);
    for (size_t i = 0; i < w->spec->system_count; i++) {
        divide(w, &w->systems[i]);
        all[i] = w->systems[i].system;
    }
    w->spec->systems = all;
}

/* ---- entities */

static void add_part(hk_worldwork *w, hk_worldentity *e, const hk_partdecl *part,
                     uint64_t variants) {
    const hk_component_type *type = find_component(w, &part->type);
    if (!type)
        return;
    const char *prefix = hk_arena_printf(w->s->arena, "%s.%s", e->entity.name, type->name);
    for (size_t i = 0; i < part->item_count; i++)
        add_item(w, &part->items[i], prefix);
    for (size_t i = 0; i < e->entity.part_count; i++) {
        if (e->parts[i].type != type)
            continue;
        if (e->parts[i].variants & variants)
            hk_complain(&w->s->complaints, HK_E_DUPLICATE, hk_system_where(w->s, &part->type.at),
                        "write its values in one place", "entity '%s' has the component '%s' twice",
                        e->entity.name, type->name);
        e->parts[i].variants |= variants;
        return;
    }
    hk_world_part added = {type, variants};
    HK_PUSH(e->parts, e->entity.part_count, e->part_cap, added);
}

static void add_tag(hk_worldwork *w, hk_worldentity *e, const hk_name *name, uint64_t variants) {
    for (size_t i = 0; i < e->entity.tag_count; i++)
        if (strcmp(e->tags[i].name, name->text) == 0) {
            e->tags[i].variants |= variants;
            return;
        }
    hk_world_tag tag = {hk_arena_strdup(w->arena, name->text), variants};
    HK_PUSH(e->tags, e->entity.tag_count, e->tag_cap, tag);
}

static void refuse(hk_worldwork *w, const hk_place *at, const char *hint, const char *text) {
    hk_complain(&w->s->complaints, HK_E_LANGUAGE, hk_system_where(w->s, at), hint, "%s", text);
    w->broken = true;
}

static void add_variant(hk_worldwork *w, hk_worldentity *e, const hk_entityitem *item);

static void add_entity_item(hk_worldwork *w, hk_worldentity *e, const hk_entityitem *item,
                            uint32_t variant) {
    bool inner = variant != HK_MAP_NONE;
    uint64_t variants = inner ? UINT64_C(1) << variant : HK_WORLD_ALWAYS;
    hk_worldleaf leaf = {.syntax = item->leaf, .link = item->link, .variant = variant};
    switch (item->kind) {
    case HK_ENTITY_TAG:
        add_tag(w, e, &item->name, variants);
        break;
    case HK_ENTITY_PARENT:
        if (inner || e->parent)
            refuse(w, &item->at, "say it once, beside the variants",
                   "an entity has one parent, whatever it is");
        e->parent = &item->name;
        break;
    case HK_ENTITY_VARIANT:
        if (inner)
            refuse(w, &item->at, "put them beside each other", "a variant has no variants");
        else
            add_variant(w, e, item);
        break;
    case HK_ENTITY_PART:
        add_part(w, e, item->part, variants);
        break;
    default:
        leaf.entity = (uint32_t)w->spec->entity_count;
        if (e->entity.copies)
            refuse(w, &item->at, "give each of them a name of its own",
                   "leaves and links are for entities that are alone");
        else
            HK_PUSH(w->leaves, w->leaf_count, w->leaf_cap, leaf);
    }
}

static void add_variant(hk_worldwork *w, hk_worldentity *e, const hk_entityitem *item) {
    uint32_t number = (uint32_t)e->entity.variant_count;
    for (uint32_t i = 0; i < number; i++)
        if (strcmp(e->variants[i], item->name.text) == 0)
            refuse(w, &item->name.at, "give one of them another name",
                   "two variants have the same name");
    if (strcmp(item->name.text, "absent") == 0)
        refuse(w, &item->name.at, "it says that the entity is not there",
               "a variant cannot be called 'absent'");
    if (number >= HK_WORLD_VARIANTS_MAX || e->entity.copies) {
        refuse(w, &item->at, NULL,
               e->entity.copies ? "variants are for entities that are alone"
                                : "there are too many variants");
        return;
    }
    const char *name = hk_arena_strdup(w->arena, item->name.text);
    HK_PUSH(e->variants, e->entity.variant_count, e->variant_cap, name);
    for (size_t i = 0; i < item->item_count; i++)
        add_entity_item(w, e, &item->items[i], number);
}

static void read_copies(hk_worldwork *w, const hk_number *number, size_t *ret_copies) {
    enum { COPIES_MAX = 100000000 };
    int64_t value;
    if (!*number->text)
        return;
    if (number->unit || !hk_read_i64(number->text, strlen(number->text), &value) || value < 1 ||
        value > COPIES_MAX)
        refuse(w, &number->at, "write a whole number from 1 on, like [1000]",
               "this is not a number of entities");
    else
        *ret_copies = (size_t)value;
}

static void add_entity(hk_worldwork *w, const hk_entitydecl *decl) {
    hk_worldentity e = {.syntax = decl,
                        .entity = {.name = hk_arena_strdup(w->arena, decl->name.text),
                                   .parent = HK_MAP_NONE,
                                   .dormant = decl->dormant}};
    if (!take_name(w, &decl->name))
        return;
    read_copies(w, &decl->copies, &e.entity.copies);
    if (e.entity.copies && decl->dormant)
        refuse(w, &decl->at, "a system can make them when they are needed",
               "entities that are many cannot be dormant");
    for (size_t i = 0; i < decl->item_count; i++)
        add_entity_item(w, &e, &decl->items[i], HK_MAP_NONE);
    HK_PUSH(w->entities, w->spec->entity_count, w->entity_cap, e);
}

/* ---- parents come before their children */

static uint32_t find_entity(const hk_worldwork *w, const char *name) {
    for (uint32_t i = 0; i < w->spec->entity_count; i++)
        if (strcmp(w->entities[i].entity.name, name) == 0)
            return i;
    return HK_MAP_NONE;
}

static void find_parents(hk_worldwork *w) {
    for (uint32_t i = 0; i < w->spec->entity_count; i++) {
        hk_worldentity *e = &w->entities[i];
        if (!e->parent)
            continue;
        e->above = find_entity(w, e->parent->text);
        if (e->above == HK_MAP_NONE || w->entities[e->above].entity.copies || e->entity.copies)
            hk_complain(&w->s->complaints, HK_E_NAME, hk_system_where(w->s, &e->parent->at),
                        "name an entity of the same world that is alone",
                        "'%s' cannot be the parent of '%s'", e->parent->text, e->entity.name);
        w->broken = w->broken || e->above == HK_MAP_NONE;
    }
    for (uint32_t i = 0; i < w->spec->entity_count && !w->broken; i++) {
        size_t steps = 0;
        for (uint32_t up = i; up != HK_MAP_NONE && w->entities[up].parent; steps++) {
            up = w->entities[up].above;
            if (up != i && steps <= w->spec->entity_count)
                continue;
            hk_complain(&w->s->complaints, HK_E_NAME,
                        hk_system_where(w->s, &w->entities[i].parent->at),
                        "leave one of the parents out", "entity '%s' is above itself",
                        w->entities[i].entity.name);
            w->broken = true;
            return;
        }
    }
}

static void place_entity(hk_worldwork *w, uint32_t index, hk_world_entity *all, size_t *count) {
    hk_worldentity *e = &w->entities[index];
    if (e->placed != HK_MAP_NONE)
        return;
    if (e->parent) {
        place_entity(w, e->above, all, count);
        e->entity.parent = w->entities[e->above].placed;
    }
    hk_world_part *parts = HK_NEW_ARRAY(w->arena, hk_world_part, e->entity.part_count + 1);
    hk_world_tag *tags = HK_NEW_ARRAY(w->arena, hk_world_tag, e->entity.tag_count + 1);
    const char **variants = HK_NEW_ARRAY(w->arena, const char *, e->entity.variant_count + 1);
    for (size_t i = 0; i < e->entity.part_count; i++)
        parts[i] = e->parts[i];
    for (size_t i = 0; i < e->entity.tag_count; i++)
        tags[i] = e->tags[i];
    for (size_t i = 0; i < e->entity.variant_count; i++)
        variants[i] = e->variants[i];
    e->entity.parts = parts;
    e->entity.tags = tags;
    e->entity.variants = variants;
    e->placed = (uint32_t)*count;
    all[(*count)++] = e->entity;
}

static void place_entities(hk_worldwork *w) {
    hk_world_entity *all = HK_NEW_ARRAY(w->arena, hk_world_entity, w->spec->entity_count + 1);
    size_t count = 0;
    for (uint32_t i = 0; i < w->spec->entity_count; i++)
        w->entities[i].placed = HK_MAP_NONE;
    for (uint32_t i = 0; i < w->spec->entity_count; i++)
        place_entity(w, i, all, &count);
    w->spec->entities = all;
}

/* ---- the leaf */

/* The fields that links of the composite lead to. */
static void find_linked(hk_worldwork *w, const hk_scope *scope) {
    size_t length = strlen(w->syntax->name.text);
    for (size_t i = 0; i < scope->syntax->item_count; i++) {
        const hk_link *link = scope->syntax->items[i].link;
        for (size_t k = 0;
             link && scope->syntax->items[i].kind == HK_ITEM_LINK && k < link->to_count; k++) {
            const char *to = link->to[k].text;
            if (strncmp(to, w->syntax->name.text, length) != 0 || to[length] != '.')
                continue;
            to += length + 1;
            hk_map_put(w->linked, hk_arena_strndup(w->arena, to, strcspn(to, "[")), 0);
        }
    }
}

static const hk_leaf *make_leaf(hk_worldwork *w, const char *kind) {
    hk_leaf *leaf = HK_NEW(w->s->arena, hk_leaf);
    *leaf = (hk_leaf){.name = w->syntax->name,
                      .type = {.text = kind, .at = w->syntax->name.at},
                      .at = w->syntax->at,
                      .end = w->syntax->end};
    for (size_t i = 0; i < w->syntax->item_count; i++)
        if (w->syntax->items[i].kind == HK_WORLD_PRIORITY) {
            hk_leafitem item = {.kind = HK_LEAF_PRIORITY,
                                .number = w->syntax->items[i].number,
                                .at = w->syntax->items[i].at};
            HK_PUSH(w->items, w->item_count, w->item_cap, item);
        }
    leaf->items = HK_NEW_ARRAY(w->s->arena, hk_leafitem, w->item_count + 1);
    for (size_t i = 0; i < w->item_count; i++)
        leaf->items[i] = w->items[i];
    leaf->item_count = w->item_count;
    return leaf;
}

static void finish_map(void *map) {
    hk_map_finish(map);
}

static void finish(hk_worldwork *w) {
    for (size_t i = 0; i < w->spec->entity_count; i++) {
        hk_free(w->entities[i].parts);
        hk_free(w->entities[i].tags);
        hk_free(w->entities[i].variants);
    }
    hk_free(w->types);
    hk_free(w->system_types);
    hk_free(w->systems);
    hk_free(w->entities);
    hk_free(w->items);
    hk_free(w->leaves);
    hk_map_finish(&w->names);
}

static void keep_types(hk_worldwork *w) {
    const hk_component_type **types =
        HK_NEW_ARRAY(w->arena, const hk_component_type *, w->spec->type_count + 1);
    for (size_t i = 0; i < w->spec->type_count; i++)
        types[i] = w->types[i];
    w->spec->types = types;
}

static void read_all(hk_worldwork *w, const hk_scope *scope) {
    hk_world_find_types(w);
    for (size_t i = 0; i < w->syntax->item_count; i++) {
        const hk_worlditem *item = &w->syntax->items[i];
        if (item->kind == HK_WORLD_SYSTEM)
            add_system(w, item->system);
        else if (item->kind == HK_WORLD_ENTITY)
            add_entity(w, item->entity);
    }
    read_times(w);
    find_parents(w);
    find_linked(w, scope);
    if (!w->broken)
        place_entities(w);
    if (!w->broken)
        hk_world_links(w);
    keep_types(w);
}

const hk_leaf *hk_system_add_world(hk_system *s, const hk_scope *scope, const char *path,
                                   hk_worldnode *node) {
    hk_worldwork w = {.s = s, .syntax = node->syntax, .arena = s->model->arena, .node = node};
    w.spec = HK_NEW(w.arena, hk_world_spec);
    w.spec->name = hk_arena_strdup(w.arena, path);
    w.spec->where = hk_system_where(s, &node->syntax->name.at);
    w.linked = HK_NEW(w.arena, hk_map);
    w.spec->linked = w.linked;
    hk_model_own(s->model, w.linked, finish_map);
    read_all(&w, scope);
    const hk_leaf *leaf = NULL;
    const hk_info *info = NULL;
    hk_status status =
        w.broken ? s->complaints.first : hk_world_info(s->complaints.ctx, s->model, w.spec, &info);
    if (!w.broken && status != HK_OK)
        hk_system_failed(s, status);
    if (info) {
        const char *kind = hk_arena_printf(s->arena, "world '%s'", path);
        hk_system_world_kind(s, kind, info);
        leaf = make_leaf(&w, kind);
        node->has_period = w.has_period;
        node->period = w.period;
    }
    finish(&w);
    return leaf;
}

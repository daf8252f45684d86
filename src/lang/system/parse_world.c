/* SPDX-License-Identifier: MIT
 *
 * Worlds: systems and entities. docs/languages.md has the grammar. */
#include "lang/system/parse_world.h"

#include <string.h>

/* The words in the order of their enums. */
HK_LEVEL(world, "plugin", "period", "priority", "system", "entity");
static const char *const entity_words[] = {"tag", "parent", "variant", "leaf", "link"};
static const hk_level entity_level = {.words = entity_words,
                                      .count = HK_ENTITY_PART,
                                      .any = true,
                                      .texts = true,
                                      .what = "a component, 'tag', 'parent', 'variant', 'leaf' or "
                                              "'link'"};
static const hk_level part_level = {.any = true, .texts = true, .what = "the name of a field"};

/* ---- entities */

static bool read_field(hk_parser *p, void *into, size_t word, hk_place at) {
    (void)word;
    hk_leafitem item = hk_leafitem_begin(HK_LEAF_PARAM, at);
    if (!hk_parser_setting(p, "the name of a field", &item) || !hk_parser_semicolon(p, &item.at))
        return false;
    hk_list_add(into, &item);
    return true;
}

static bool read_part(hk_parser *p, hk_entityitem *item) {
    hk_partdecl *part = item->part = HK_NEW(p->arena, hk_partdecl);
    hk_list fields = HK_LIST(hk_leafitem);
    *part = (hk_partdecl){.type = HK_MISSING, .at = item->at};
    bool ok = hk_parser_name(p, "a component", &part->type);
    if (ok && hk_parser_is_mark(p, "{"))
        ok = hk_parser_braces(p, &part_level, &part->at, read_field, &fields, &part->end);
    else if (ok)
        ok = hk_parser_semicolon(p, &part->at);
    part->item_count = fields.count;
    part->items = hk_list_keep(p->arena, &fields);
    item->at = (hk_place){.line = part->at.line, .column = part->at.column};
    return ok;
}

static hk_statement_fn read_entity_item;

static bool read_variant(hk_parser *p, hk_entityitem *item) {
    hk_list items = HK_LIST(hk_entityitem);
    if (!hk_parser_enter(p))
        return false;
    bool ok = hk_parser_name(p, "the name of the variant", &item->name);
    if (ok && hk_parser_is_mark(p, "{"))
        ok = hk_parser_braces(p, &entity_level, &item->at, read_entity_item, &items, &item->end);
    else if (ok)
        ok = hk_parser_semicolon(p, &item->at);
    hk_parser_leave(p);
    item->item_count = items.count;
    item->items = hk_list_keep(p->arena, &items);
    return ok;
}

/* One that ends with ';'. */
static bool read_short(hk_parser *p, hk_entityitem *item) {
    bool ok;
    if (item->kind == HK_ENTITY_LINK)
        ok = hk_parser_link(p, &item->link);
    else if (item->kind == HK_ENTITY_TAG)
        ok = hk_parser_name(p, "a tag", &item->name);
    else
        ok = hk_parser_name(p, "the name of an entity", &item->name);
    return ok && hk_parser_semicolon(p, &item->at);
}

static bool read_entity_item(hk_parser *p, void *into, size_t word, hk_place at) {
    hk_entityitem item = {.kind = (hk_entityitem_kind)word, .name = HK_MISSING, .at = at};
    bool ok;
    if (item.kind == HK_ENTITY_PART) {
        ok = read_part(p, &item);
    } else if (item.kind == HK_ENTITY_VARIANT) {
        ok = read_variant(p, &item);
    } else if (item.kind == HK_ENTITY_LEAF) {
        ok = hk_parser_leaf(p, at, true, &item.leaf);
        item.at = (hk_place){.line = at.line, .column = at.column};
    } else {
        ok = read_short(p, &item);
        if (!ok)
            return false;
    }
    hk_list_add(into, &item);
    return ok;
}

static bool read_copies(hk_parser *p, hk_entitydecl *entity) {
    if (!hk_parser_skip_mark(p, "["))
        return true;
    return hk_parser_number(p, "how many there are", &entity->copies) &&
           hk_parser_expect_mark(p, "]");
}

static bool read_entity(hk_parser *p, hk_worlditem *item) {
    hk_entitydecl *entity = item->entity = HK_NEW(p->arena, hk_entitydecl);
    hk_list items = HK_LIST(hk_entityitem);
    *entity = (hk_entitydecl){.name = HK_MISSING, .copies = HK_MISSING, .at = item->at};
    bool ok = hk_parser_name(p, "the name of the entity", &entity->name) && read_copies(p, entity);
    entity->dormant = ok && hk_parser_skip(p, "dormant");
    if (ok && hk_parser_is_mark(p, "{"))
        ok =
            hk_parser_braces(p, &entity_level, &entity->at, read_entity_item, &items, &entity->end);
    else if (ok)
        ok = hk_parser_semicolon(p, &entity->at);
    entity->item_count = items.count;
    entity->items = hk_list_keep(p->arena, &items);
    return ok;
}

/* ---- the world */

static bool read_world_item(hk_parser *p, void *into, size_t word, hk_place at) {
    hk_worlditem item = {
        .kind = (hk_worlditem_kind)word, .plugin = HK_MISSING, .number = HK_MISSING, .at = at};
    bool ok;
    if (item.kind == HK_WORLD_SYSTEM || item.kind == HK_WORLD_ENTITY) {
        ok = item.kind == HK_WORLD_ENTITY ? read_entity(p, &item)
                                          : hk_parser_leaf(p, at, false, &item.system);
        item.at = (hk_place){.line = at.line, .column = at.column};
        bool named = item.entity ? item.entity->name.text[0] : item.system->name.text[0];
        if (named)
            hk_list_add(into, &item);
        return ok;
    }
    if (item.kind == HK_WORLD_PLUGIN)
        ok = hk_parser_text(p, "a file in double quotes", &item.plugin);
    else
        ok =
            hk_parser_number(p, item.kind == HK_WORLD_PERIOD ? "a time" : "a number", &item.number);
    if (!ok || !hk_parser_semicolon(p, &item.at))
        return false;
    hk_list_add(into, &item);
    return true;
}

bool hk_parser_world(hk_parser *p, hk_place at, hk_worlddecl **ret_world) {
    hk_worlddecl *world = *ret_world = HK_NEW(p->arena, hk_worlddecl);
    hk_list items = HK_LIST(hk_worlditem);
    *world = (hk_worlddecl){.name = HK_MISSING, .at = at};
    bool ok = hk_parser_head(p, "the name of the world", &world->name) &&
              hk_parser_braces(p, &world_level, &world->at, read_world_item, &items, &world->end);
    world->item_count = items.count;
    world->items = hk_list_keep(p->arena, &items);
    return ok;
}

/* ---- printed */

static void put_part(hk_printer *pr, const hk_partdecl *part) {
    hk_print_line(pr, &part->at);
    hk_print_name(pr, &part->type);
    if (!part->item_count && !part->end.before_count && !part->end.behind) {
        hk_print(pr, ";");
        hk_print_end(pr, &part->at);
    } else if (hk_print_open(pr, &part->at, &part->end, part->item_count == 0)) {
        for (size_t i = 0; i < part->item_count; i++) {
            const hk_leafitem *item = &part->items[i];
            hk_print_line(pr, &item->at);
            hk_print_name(pr, &item->name);
            hk_print(pr, " = ");
            hk_print_literal(pr, &item->value);
            hk_print(pr, ";");
            hk_print_end(pr, &item->at);
        }
        hk_print_close(pr, &part->end);
    }
}

static void put_entity_item(hk_printer *pr, const hk_entityitem *item) {
    if (item->kind == HK_ENTITY_PART) {
        put_part(pr, item->part);
        return;
    }
    if (item->kind == HK_ENTITY_LEAF) {
        hk_print_leaf(pr, "leaf ", item->leaf);
        return;
    }
    hk_print_line(pr, &item->at);
    hk_print(pr, entity_words[item->kind]);
    hk_print(pr, " ");
    if (item->kind == HK_ENTITY_LINK)
        hk_print_link(pr, item->link);
    else
        hk_print_name(pr, &item->name);
    if (item->kind != HK_ENTITY_VARIANT ||
        (!item->item_count && !item->end.before_count && !item->end.behind)) {
        hk_print(pr, ";");
        hk_print_end(pr, &item->at);
    } else if (hk_print_open(pr, &item->at, &item->end, item->item_count == 0)) {
        for (size_t i = 0; i < item->item_count; i++)
            put_entity_item(pr, &item->items[i]);
        hk_print_close(pr, &item->end);
    }
}

static void put_entity(hk_printer *pr, const hk_entitydecl *entity) {
    hk_print_line(pr, &entity->at);
    hk_print(pr, "entity ");
    hk_print_name(pr, &entity->name);
    if (entity->copies.text[0]) {
        hk_print(pr, " [");
        hk_print_number(pr, &entity->copies);
        hk_print(pr, "]");
    }
    hk_print(pr, entity->dormant ? " dormant" : "");
    if (!entity->item_count && !entity->end.before_count && !entity->end.behind) {
        hk_print(pr, ";");
        hk_print_end(pr, &entity->at);
    } else if (hk_print_open(pr, &entity->at, &entity->end, entity->item_count == 0)) {
        for (size_t i = 0; i < entity->item_count; i++)
            put_entity_item(pr, &entity->items[i]);
        hk_print_close(pr, &entity->end);
    }
}

static void put_world_item(hk_printer *pr, const hk_worlditem *item) {
    if (item->kind == HK_WORLD_SYSTEM) {
        hk_print_leaf(pr, "system ", item->system);
        return;
    }
    if (item->kind == HK_WORLD_ENTITY) {
        put_entity(pr, item->entity);
        return;
    }
    hk_print_line(pr, &item->at);
    hk_print(pr, world_words[item->kind]);
    hk_print(pr, " ");
    if (item->kind == HK_WORLD_PLUGIN)
        hk_print_quoted(pr, item->plugin.text);
    else
        hk_print_number(pr, &item->number);
    hk_print(pr, ";");
    hk_print_end(pr, &item->at);
}

void hk_print_world(hk_printer *pr, const hk_worlddecl *world) {
    hk_print_line(pr, &world->at);
    hk_print(pr, "world ");
    hk_print_name(pr, &world->name);
    if (!hk_print_open(pr, &world->at, &world->end, world->item_count == 0))
        return;
    for (size_t i = 0; i < world->item_count; i++)
        put_world_item(pr, &world->items[i]);
    hk_print_close(pr, &world->end);
}

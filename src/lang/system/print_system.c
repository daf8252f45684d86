/* SPDX-License-Identifier: MIT */
#include "lang/declaration.h"
#include "lang/system/parse_world.h"

#include <string.h>

/* Words in the order of the enums. */
static const char *const item_words[] = {
    "composite", "leaf",      "input", "output",  "provides",    "requires",  "link", "service",
    "share",     "processor", "cut",   "latency", "coincidence", "freshness", "world"};
static const char *const leaf_words[] = {"frequency", "period",   "offset", "priority",
                                         "param",     "use",      "delay",  "inactive",
                                         "cost",      "deadline", "overrun"};

static void put_leaf_item(hk_printer *pr, const hk_leafitem *item) {
    hk_print_line(pr, &item->at);
    hk_print(pr, leaf_words[item->kind]);
    if (item->kind != HK_LEAF_INACTIVE)
        hk_print(pr, " ");
    if (item->kind == HK_LEAF_PARAM) {
        hk_print_name(pr, &item->name);
        hk_print(pr, " = ");
        hk_print_literal(pr, &item->value);
    } else if (item->kind == HK_LEAF_USE) {
        hk_print_name(pr, &item->name);
        hk_print(pr, " ");
        hk_print(pr, item->word.text);
    } else if (item->kind == HK_LEAF_OVERRUN) {
        hk_print(pr, item->word.text);
    } else {
        hk_print_number(pr, &item->number);
    }
    hk_print(pr, ";");
    hk_print_end(pr, &item->at);
}

void hk_print_leaf(hk_printer *pr, const char *word, const hk_leaf *leaf) {
    hk_print_line(pr, &leaf->at);
    hk_print(pr, word);
    hk_print_name(pr, &leaf->name);
    if (leaf->type.text[0]) {
        hk_print(pr, " : ");
        hk_print_name(pr, &leaf->type);
    }
    if (leaf->item_count == 0 && !leaf->end.before_count && !leaf->end.behind) {
        hk_print(pr, ";");
        hk_print_end(pr, &leaf->at);
    } else if (hk_print_open(pr, &leaf->at, &leaf->end, leaf->item_count == 0)) {
        for (size_t i = 0; i < leaf->item_count; i++)
            put_leaf_item(pr, &leaf->items[i]);
        hk_print_close(pr, &leaf->end);
    }
}

void hk_print_link(hk_printer *pr, const hk_link *link) {
    hk_print_name(pr, &link->from);
    hk_print(pr, " ->");
    for (size_t i = 0; i < link->to_count; i++) {
        hk_print_wrap(pr, strlen(link->to[i].text) + 4);
        hk_print_name(pr, &link->to[i]);
        hk_print(pr, i + 1 < link->to_count ? "," : "");
    }
    if (link->lag.text[0]) {
        hk_print(pr, " lag ");
        hk_print(pr, link->lag.text);
    }
    if (link->delay.text[0]) {
        hk_print(pr, " delay ");
        hk_print_number(pr, &link->delay);
    }
    if (link->initial.kind != HK_LITERAL_NONE) {
        hk_print(pr, " initial ");
        hk_print_literal(pr, &link->initial);
    }
    if (link->edge)
        hk_print(pr, " edge");
}

static void put_processor(hk_printer *pr, const hk_link *processor) {
    hk_print_name(pr, &processor->from);
    hk_print(pr, ":");
    for (size_t i = 0; i < processor->to_count; i++) {
        hk_print(pr, " ");
        hk_print_name(pr, &processor->to[i]);
    }
}

static void put_limit(hk_printer *pr, const char *word, const hk_number *limit) {
    if (!limit->text[0])
        return;
    hk_print(pr, word);
    hk_print_number(pr, limit);
}

static void put_age(hk_printer *pr, const hk_agedecl *age) {
    for (size_t i = 0; i < age->way_count; i++) {
        const hk_way *way = &age->ways[i];
        for (size_t k = 0; k < way->count; k++) {
            if (k)
                hk_print(pr, " ->");
            if (i || k)
                hk_print_wrap(pr, strlen(way->steps[k].text) + 4);
            hk_print_name(pr, &way->steps[k]);
        }
        hk_print(pr, i + 1 < age->way_count ? "," : "");
    }
    put_limit(pr, " min ", &age->min);
    put_limit(pr, " max ", &age->max);
}

static void put_simple(hk_printer *pr, const hk_item *item) {
    hk_print_line(pr, &item->at);
    hk_print(pr, item_words[item->kind]);
    hk_print(pr, " ");
    if (item->kind == HK_ITEM_INPUT || item->kind == HK_ITEM_OUTPUT)
        hk_print_decl(pr, item->port);
    else if (item->kind == HK_ITEM_PROVIDES || item->kind == HK_ITEM_REQUIRES)
        hk_print_use(pr, item->use);
    else if (item->kind == HK_ITEM_CUT)
        hk_print(pr, item->word.text);
    else if (item->kind == HK_ITEM_PROCESSOR)
        put_processor(pr, item->link);
    else if (item->age)
        put_age(pr, item->age);
    else
        hk_print_link(pr, item->link);
    hk_print(pr, ";");
    hk_print_end(pr, &item->at);
}

static void put_composite(hk_printer *pr, const hk_composite *composite) {
    hk_print_line(pr, &composite->at);
    hk_print(pr, "composite ");
    hk_print_name(pr, &composite->name);
    if (composite->role.text[0]) {
        hk_print(pr, " role ");
        hk_print(pr, composite->role.text);
    }
    if (!hk_print_open(pr, &composite->at, &composite->end, composite->item_count == 0))
        return;
    for (size_t i = 0; i < composite->item_count; i++) {
        const hk_item *item = &composite->items[i];
        if (item->kind == HK_ITEM_COMPOSITE)
            put_composite(pr, item->composite);
        else if (item->kind == HK_ITEM_LEAF)
            hk_print_leaf(pr, "leaf ", item->leaf);
        else if (item->kind == HK_ITEM_WORLD)
            hk_print_world(pr, item->world);
        else
            put_simple(pr, item);
    }
    hk_print_close(pr, &composite->end);
}

static void put_files(hk_printer *pr, const char *word, const hk_name *files, size_t count) {
    for (size_t i = 0; i < count; i++) {
        hk_print_line(pr, &files[i].at);
        hk_print(pr, word);
        hk_print_quoted(pr, files[i].text);
        hk_print(pr, ";");
        hk_print_end(pr, &files[i].at);
    }
}

const char *hk_system_print(hk_arena *arena, const hk_systemfile *file) {
    hk_printer pr = {0};
    hk_print_line(&pr, &file->at);
    hk_print(&pr, "system ");
    hk_print_name(&pr, &file->name);
    bool empty = !file->import_count && !file->plugin_count && !file->experiment && !file->root;
    if (hk_print_open(&pr, &file->at, &file->end, empty)) {
        put_files(&pr, "import ", file->imports, file->import_count);
        put_files(&pr, "plugin ", file->plugins, file->plugin_count);
        if (file->experiment)
            hk_experiment_print(&pr, file->experiment);
        if (file->root)
            put_composite(&pr, file->root);
        hk_print_close(&pr, &file->end);
    }
    hk_print_rest(&pr, &file->rest);
    return hk_print_finish(&pr, arena);
}

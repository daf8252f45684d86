/* SPDX-License-Identifier: MIT
 *
 * System files. docs/languages.md has the grammar. */
#include "lang/declaration.h"
#include "lang/system/parse_world.h"
#include "model/tree.h"

#include <string.h>

HK_LEVEL(file, "system");
HK_LEVEL(system, "import", "plugin", "composite", "experiment");
/* The words of both in the order of their enums. */
HK_LEVEL(item, "composite", "leaf", "input", "output", "provides", "requires", "link", "service",
         "share", "processor", "cut", "latency", "coincidence", "freshness", "world");
HK_LEVEL(leaf, "frequency", "period", "offset", "priority", "param", "use", "delay", "inactive",
         "cost", "deadline", "overrun");
HK_LEVEL(all, "system", "import", "plugin", "composite", "leaf", "input", "output", "provides",
         "requires", "link", "service", "share", "processor", "cut", "latency", "coincidence",
         "freshness", "frequency", "period", "offset", "priority", "param", "use", "delay",
         "inactive", "cost", "deadline", "overrun", "experiment", "world", "entity", "variant",
         "tag", "parent");

/* ---- leaves -----------------------------------------------------------------------------------
 */

hk_leafitem hk_leafitem_begin(hk_leafitem_kind kind, hk_place at) {
    return (hk_leafitem){.kind = kind,
                         .number = HK_MISSING,
                         .name = HK_MISSING,
                         .value = HK_MISSING,
                         .word = HK_MISSING,
                         .at = at};
}

bool hk_parser_setting(hk_parser *p, const char *what, hk_leafitem *item) {
    return hk_parser_path(p, what, &item->name) && hk_parser_expect_mark(p, "=") &&
           hk_parser_literal(p, &item->value);
}

static bool read_leaf_item(hk_parser *p, void *into, size_t word, hk_place at) {
    static const char *const policies[] = {"late", "skip", "stop"};
    hk_leafitem item = hk_leafitem_begin((hk_leafitem_kind)word, at);
    bool ok = true;
    switch (item.kind) {
    case HK_LEAF_PARAM:
        ok = hk_parser_setting(p, "the name of a parameter", &item);
        break;
    case HK_LEAF_USE:
        ok = hk_parser_path(p, "the name of an input", &item.name) && hk_parser_mode(p, &item.word);
        break;
    case HK_LEAF_INACTIVE:
        break;
    case HK_LEAF_OVERRUN:
        ok = hk_parser_word(p, policies, 3, &item.word);
        break;
    case HK_LEAF_FREQUENCY:
    case HK_LEAF_PRIORITY:
        ok = hk_parser_number(p, "a number", &item.number);
        break;
    default:
        ok = hk_parser_number(p, "a time", &item.number);
    }
    if (!ok || !hk_parser_semicolon(p, &item.at))
        return false;
    hk_list_add(into, &item);
    return true;
}

/* "NAME : TYPE". One of the three that is missing is reported, and the others are read. */
static bool read_leaf_head(hk_parser *p, hk_leaf *leaf) {
    bool ok = hk_parser_name(p, "the name of the leaf", &leaf->name);
    if (!ok && !hk_parser_is_mark(p, ":"))
        return false;
    bool colon = hk_parser_skip_mark(p, ":") || hk_parser_unexpected(p, "':'", NULL);
    bool follows = p->token.kind == HK_TOKEN_WORD || p->token.kind == HK_TOKEN_NAME;
    if (!colon && !(follows && p->token.line == p->last.end_line))
        return hk_parser_is_mark(p, "{");
    return hk_parser_path(p, "the type of the leaf", &leaf->type) || hk_parser_is_mark(p, "{");
}

bool hk_parser_leaf(hk_parser *p, hk_place at, bool typed, hk_leaf **ret_leaf) {
    hk_leaf *leaf = *ret_leaf = HK_NEW(p->arena, hk_leaf);
    hk_list list = HK_LIST(hk_leafitem);
    *leaf = (hk_leaf){.name = HK_MISSING, .type = HK_MISSING, .at = at};
    bool ok = typed ? read_leaf_head(p, leaf)
                    : hk_parser_name(p, "the name of the system", &leaf->name) &&
                          (!hk_parser_skip_mark(p, ":") ||
                           hk_parser_path(p, "the type of the system", &leaf->type));
    if (ok && hk_parser_is_mark(p, "{"))
        ok = hk_parser_braces(p, &leaf_level, &leaf->at, read_leaf_item, &list, &leaf->end);
    else if (ok)
        ok = hk_parser_semicolon(p, &leaf->at);
    leaf->item_count = list.count;
    leaf->items = hk_list_keep(p->arena, &list);
    return ok;
}

static bool read_leaf(hk_parser *p, hk_list *items, hk_place at) {
    hk_leaf *leaf;
    bool ok = hk_parser_leaf(p, at, true, &leaf);
    if (leaf->name.text[0])
        hk_list_add(items, &(hk_item){.kind = HK_ITEM_LEAF,
                                      .leaf = leaf,
                                      .word = HK_MISSING,
                                      .at = {.line = at.line, .column = at.column}});
    return ok;
}

/* ---- links ------------------------------------------------------------------------------------
 */

/* Paths, each WHAT, with MARK between them. */
static bool read_paths(hk_parser *p, const char *what, const char *mark, hk_name **ret_paths,
                       size_t *ret_count) {
    hk_list paths = HK_LIST(hk_name);
    hk_name name;
    bool ok = hk_parser_path(p, what, &name);
    while (ok) {
        hk_list_add(&paths, &name);
        if (!hk_parser_skip_mark(p, mark))
            break;
        ok = hk_parser_path(p, what, &name);
    }
    *ret_count = paths.count;
    *ret_paths = hk_list_keep(p->arena, &paths);
    return ok;
}

/* What may be behind the targets of a data link. */
static bool read_link_options(hk_parser *p, hk_link *link) {
    for (;;) {
        hk_place at = hk_parser_here(p);
        bool ok;
        if (hk_parser_skip(p, "lag"))
            ok = hk_parser_once(p, &at, link->lag.text[0], "the lag") &&
                 hk_parser_mode(p, &link->lag);
        else if (hk_parser_skip(p, "delay"))
            ok = hk_parser_once(p, &at, link->delay.text[0], "the delay") &&
                 hk_parser_number(p, "a time", &link->delay);
        else if (hk_parser_skip(p, "initial"))
            ok = hk_parser_once(p, &at, link->initial.kind != HK_LITERAL_NONE,
                                "the initial value") &&
                 hk_parser_literal(p, &link->initial);
        else if (hk_parser_skip(p, "edge")) {
            ok = hk_parser_once(p, &at, link->edge, "'edge'");
            link->edge = true;
        } else
            return true;
        if (!ok)
            return false;
    }
}

static bool read_link(hk_parser *p, hk_item_kind kind, hk_link *link) {
    bool ok = hk_parser_path(p, "a path", &link->from) &&
              (hk_parser_skip_mark(p, "->") || hk_parser_unexpected(p, "'->'", NULL)) &&
              read_paths(p, "a path", ",", &link->to, &link->to_count);
    if (ok && kind == HK_ITEM_SHARE && hk_parser_skip(p, "lag"))
        return hk_parser_mode(p, &link->lag);
    if (!ok || kind != HK_ITEM_LINK)
        return ok;
    if (!read_link_options(p, link))
        return false;
    static const char *const words[] = {"lag", "delay", "initial", "edge"};
    if (p->token.kind != HK_TOKEN_WORD || p->token.line != p->last.end_line)
        return true;
    return hk_parser_unexpected(p, "';'", hk_hint_closest(p->arena, p->token.text, words, 4, NULL));
}

static hk_link *new_link(hk_parser *p) {
    hk_link *link = HK_NEW(p->arena, hk_link);
    *link = (hk_link){
        .from = HK_MISSING, .lag = HK_MISSING, .delay = HK_MISSING, .initial = HK_MISSING};
    return link;
}

bool hk_parser_link(hk_parser *p, hk_link **ret_link) {
    *ret_link = new_link(p);
    return read_link(p, HK_ITEM_LINK, *ret_link);
}

/* Members may stand on many lines, so a missing ';' shows only where another item begins. */
static bool is_member(const hk_parser *p) {
    if (p->token.line > p->last.end_line && p->token.kind == HK_TOKEN_WORD)
        for (size_t i = 0; i < item_level.count; i++)
            if (hk_parser_is(p, item_words[i]))
                return false;
    return p->token.kind == HK_TOKEN_WORD || p->token.kind == HK_TOKEN_NAME;
}

static bool read_processor(hk_parser *p, hk_link *link) {
    hk_list members = HK_LIST(hk_name);
    hk_name name;
    bool ok = hk_parser_path(p, "the name of the processor", &link->from) &&
              hk_parser_expect_mark(p, ":");
    do {
        ok = ok && hk_parser_path(p, "the path of a component", &name);
        if (ok)
            hk_list_add(&members, &name);
    } while (ok && is_member(p));
    link->to_count = members.count;
    link->to = hk_list_keep(p->arena, &members);
    return ok;
}

/* ---- ages ---------------------------------------------------------------------------------------
 */

static bool read_way(hk_parser *p, hk_way *way) {
    bool ok = read_paths(p, "the path of a leaf", "->", &way->steps, &way->count);
    if (ok && way->count < 2)
        ok = hk_parser_unexpected(p, "'->'", "a path leads from one component to another");
    return ok;
}

/* One path, or several of a coincidence. */
static bool read_ways(hk_parser *p, hk_agedecl *age, bool several) {
    hk_list ways = HK_LIST(hk_way);
    bool ok;
    do {
        hk_way way = {0};
        ok = read_way(p, &way);
        hk_list_add(&ways, &way);
    } while (ok && several && hk_parser_skip_mark(p, ","));
    if (ok && several && ways.count < 2)
        ok = hk_parser_unexpected(p, "',' and another path",
                                  "a coincidence compares two paths or more");
    age->way_count = ways.count;
    age->ways = hk_list_keep(p->arena, &ways);
    return ok;
}

static bool read_limit(hk_parser *p, hk_agedecl *age, bool min_too) {
    hk_place at = hk_parser_here(p);
    if (hk_parser_skip(p, "max"))
        return hk_parser_once(p, &at, age->max.text[0], "max") &&
               hk_parser_number(p, "a time", &age->max);
    if (min_too && hk_parser_skip(p, "min"))
        return hk_parser_once(p, &at, age->min.text[0], "min") &&
               hk_parser_number(p, "a time", &age->min);
    return hk_parser_unexpected(p, min_too ? "'max' or 'min'" : "'max'", NULL);
}

static bool read_age(hk_parser *p, hk_item *item) {
    hk_agedecl *age = HK_NEW(p->arena, hk_agedecl);
    *age = (hk_agedecl){.min = HK_MISSING, .max = HK_MISSING};
    item->age = age;
    if (item->kind == HK_ITEM_COINCIDENCE)
        return read_ways(p, age, true);
    bool latency = item->kind == HK_ITEM_LATENCY;
    if (latency && !read_ways(p, age, false))
        return false;
    if (!latency) {
        age->ways = HK_NEW(p->arena, hk_way);
        age->ways[0] = (hk_way){HK_NEW(p->arena, hk_name), 1};
        age->way_count = 1;
        if (!hk_parser_path(p, "the path of a leaf", age->ways[0].steps))
            return false;
    }
    do {
        if (!read_limit(p, age, latency))
            return false;
    } while (hk_parser_is(p, "min") || hk_parser_is(p, "max"));
    return true;
}

/* ---- composites -------------------------------------------------------------------------------
 */

static hk_statement_fn read_item;

/* "role WORD" behind the name. Without a word that is known, what the composite holds is read all
 * the same. */
static bool read_role(hk_parser *p, hk_composite *composite) {
    if (!hk_parser_skip(p, "role"))
        return true;
    if (hk_parser_word(p, hk_tree_role_words + 1, HK_TREE_ROLES - 1, &composite->role))
        return true;
    if (p->token.kind == HK_TOKEN_WORD || p->token.kind == HK_TOKEN_NAME)
        hk_parser_take(p);
    return hk_parser_is_mark(p, "{");
}

static bool read_composite(hk_parser *p, hk_place at, hk_composite **ret_composite) {
    hk_composite *composite = HK_NEW(p->arena, hk_composite);
    hk_list items = HK_LIST(hk_item);
    *composite = (hk_composite){.name = HK_MISSING, .role = HK_MISSING, .at = at};
    *ret_composite = composite;
    if (!hk_parser_enter(p))
        return false;
    bool ok = hk_parser_head(p, "the name of the composite", &composite->name) &&
              read_role(p, composite) &&
              hk_parser_braces(p, &item_level, &composite->at, read_item, &items, &composite->end);
    hk_parser_leave(p);
    composite->item_count = items.count;
    composite->items = hk_list_keep(p->arena, &items);
    return ok;
}

/* An item that is one statement. */
static bool read_simple(hk_parser *p, hk_item *item) {
    static const char *const cuts[] = {"hla", "keep"};
    switch (item->kind) {
    case HK_ITEM_INPUT:
    case HK_ITEM_OUTPUT:
        item->port = HK_NEW(p->arena, hk_decl);
        return hk_parser_decl(p, HK_SAYS_UNIT, item->port);
    case HK_ITEM_PROVIDES:
    case HK_ITEM_REQUIRES:
        item->use = HK_NEW(p->arena, hk_interfaceuse);
        return hk_parser_use(p, item->use);
    case HK_ITEM_CUT:
        return hk_parser_word(p, cuts, 2, &item->word);
    case HK_ITEM_LATENCY:
    case HK_ITEM_COINCIDENCE:
    case HK_ITEM_FRESHNESS:
        return read_age(p, item);
    default:
        item->link = new_link(p);
        return item->kind == HK_ITEM_PROCESSOR ? read_processor(p, item->link)
                                               : read_link(p, item->kind, item->link);
    }
}

static bool read_item(hk_parser *p, void *into, size_t word, hk_place at) {
    hk_item item = {.kind = (hk_item_kind)word, .word = HK_MISSING, .at = at};
    if (item.kind == HK_ITEM_LEAF)
        return read_leaf(p, into, at);
    if (item.kind == HK_ITEM_COMPOSITE) {
        bool ok = read_composite(p, at, &item.composite);
        if (item.composite->name.text[0] || item.composite->item_count)
            hk_list_add(into, &item);
        return ok;
    }
    if (item.kind == HK_ITEM_WORLD) {
        bool ok = hk_parser_world(p, at, &item.world);
        item.at = (hk_place){.line = at.line, .column = at.column};
        if (item.world->name.text[0])
            hk_list_add(into, &item);
        return ok;
    }
    if (!read_simple(p, &item) || !hk_parser_semicolon(p, &item.at))
        return false;
    hk_list_add(into, &item);
    return true;
}

/* ---- the file ---------------------------------------------------------------------------------
 */

typedef struct file_reader {
    hk_systemfile *file;
    hk_list imports, plugins;
    bool given;
} file_reader;

static bool read_experiment(hk_parser *p, file_reader *r, hk_place at) {
    hk_experimentdecl *x = HK_NEW(p->arena, hk_experimentdecl);
    x->at = at;
    if (!hk_parser_once(p, &at, r->file->experiment, "the experiment") ||
        !hk_experiment_parse(p, x) || !hk_parser_semicolon(p, &x->at))
        return false;
    r->file->experiment = x;
    return true;
}

static bool read_part(hk_parser *p, void *into, size_t word, hk_place at) {
    file_reader *r = into;
    if (strcmp(system_words[word], "experiment") == 0)
        return read_experiment(p, r, at);
    if (strcmp(system_words[word], "composite") == 0) {
        hk_composite *composite;
        bool ok = read_composite(p, at, &composite);
        if (r->file->root)
            return hk_parser_error(p, at.line, at.column,
                                   "put one into the other, or both into a new one",
                                   "a system has one composite that holds all others");
        r->file->root = composite;
        return ok;
    }
    hk_name name;
    if (!hk_parser_text(p, "a file in double quotes", &name) || !hk_parser_semicolon(p, &name.at))
        return false;
    name.at.blank = at.blank;
    hk_list_add(word == 0 ? &r->imports : &r->plugins, &name);
    return true;
}

static bool read_system(hk_parser *p, void *into, size_t word, hk_place at) {
    (void)word;
    file_reader *r = into;
    hk_systemfile *file = r->file;
    if (r->given)
        return hk_parser_error(p, at.line, at.column, "use a file for each",
                               "a file holds one system");
    r->given = true;
    file->at = at;
    if (!hk_parser_head(p, "the name of the system", &file->name) ||
        !hk_parser_braces(p, &system_level, &file->at, read_part, r, &file->end))
        return false;
    if (!file->root && !p->complaints.count)
        hk_parser_error(p, file->end.line, file->end.column, "write composite NAME { ... }",
                        "the system has no composite");
    return true;
}

hk_status hk_system_parse(hk_ctx *ctx, hk_arena *arena, const char *file, const char *data,
                          size_t size, hk_systemfile **ret_file) {
    hk_parser p;
    hk_systemfile *system = HK_NEW(arena, hk_systemfile);
    file_reader r = {system, HK_LIST(hk_name), HK_LIST(hk_name), false};
    system->file = hk_arena_strdup(arena, file);
    system->name = (hk_name)HK_MISSING;
    hk_parser_begin(&p, ctx, arena, &(hk_file_text){file, data, size}, &all_level);
    hk_parser_whole(&p, &file_level, read_system, &r, &system->rest);
    if (!r.given && !p.complaints.count)
        hk_parser_error(&p, system->rest.line, system->rest.column, "write system NAME { ... }",
                        "the file holds no system");
    system->import_count = r.imports.count;
    system->imports = hk_list_keep(arena, &r.imports);
    system->plugin_count = r.plugins.count;
    system->plugins = hk_list_keep(arena, &r.plugins);
    *ret_file = system;
    return hk_parser_finish(&p);
}

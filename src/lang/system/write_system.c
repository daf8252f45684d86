/* SPDX-License-Identifier: MIT
 *
 * A model and its tree as a system file: systems become composites, components leaves. The text is
 * what the printer makes of the syntax tree that is built here. */
#include "lang/system/system_write_internal.h"

#include "base/file.h"
#include "model/address.h"

#include <string.h>

hk_name hk_system_write_name(hk_system_writer *w, const char *text) {
    return (hk_name){.text = hk_arena_strdup(w->arena, text)};
}

hk_number hk_system_write_time(hk_system_writer *w, hk_ratio time) {
    char text[48];
    return (hk_number){.text = hk_arena_strdup(w->arena, hk_ratio_format(time, text)), .unit = "s"};
}

void hk_system_write_left(hk_system_writer *w, hk_where where, const char *what) {
    if (hk_left_out_add(w->left, what))
        hk_warn(w->ctx, HK_E_NO_WORDS, where, NULL, "a system file has no words for %s: left out",
                what);
}

/* ---- files ---- */

const char *hk_system_write_file(hk_system_writer *w, const char *path, hk_where where) {
    const char *full = path ? hk_path_real(w->arena, path) : NULL;
    if (!full) {
        hk_system_write_failed(w, hk_error(w->ctx, HK_E_NO_WORDS, where, NULL,
                                           "its file ('%s') cannot be named", path ? path : "?"));
        return "";
    }
    const char *name = hk_path_name(full);
    bool copied = hk_path_is_temporary(full);
    const char *named = copied ? hk_arena_printf(w->arena, "%s/%s", w->beside.copies, name) : full;
    if (strchr(named, '#')) {
        hk_system_write_failed(w, hk_error(w->ctx, HK_E_NO_WORDS, where, "rename it",
                                           "the file '%s' has a '#' in its name, behind which a "
                                           "system file names a type",
                                           strchr(name, '#') || !copied ? name : named));
        return "";
    }
    return hk_copies_file(&w->beside, full);
}

static hk_name *name_files(hk_system_writer *w, const hk_tree_file *files, size_t count) {
    hk_name *names = HK_NEW_ARRAY(w->arena, hk_name, count + 1);
    for (size_t i = 0; i < count; i++)
        names[i] = (hk_name){.text = hk_system_write_file(w, files[i].path, files[i].where),
                             .quoted = true};
    return names;
}

/* ---- composites ---- */

static hk_item *add(hk_system_writer *w, hk_system_items *items, hk_item_kind kind) {
    hk_item item = {.kind = kind, .word = HK_NO_NAME};
    HK_TREE_PUSH(w->arena, items->all, items->count, items->cap, item);
    return &items->all[items->count - 1];
}

static void check_name(hk_system_writer *w, const char *name, hk_where where) {
    if (strchr(name, '.') || strpbrk(name, "\r\n") || !*name)
        hk_system_write_failed(w, hk_error(w->ctx, HK_E_NO_WORDS, where, "give it another name",
                                           "the name '%s' cannot be written in a system file: it "
                                           "has a dot or a line break in it",
                                           name));
}

void hk_system_write_comments(const hk_tree_comments *comments, hk_place *at) {
    at->before = comments->texts;
    at->before_count = comments->count;
}

static void tell_annotations(hk_system_writer *w, const hk_tree_element *e) {
    for (size_t i = 0; i < e->annotation_count; i++)
        hk_system_write_left(w, e->annotations[i].where, e->annotations[i].what);
}

static hk_composite *write_composite(hk_system_writer *w, const hk_tree_element *e) {
    hk_composite *composite = HK_NEW(w->arena, hk_composite);
    hk_system_items items = {0};
    check_name(w, e->name, e->where);
    composite->name = hk_system_write_name(w, e->name);
    composite->role = hk_system_write_name(w, hk_tree_role_words[e->role]);
    hk_system_write_comments(&e->above, &composite->at);
    if (e->geometry.count)
        hk_system_write_left(w, e->where, "geometry");
    tell_annotations(w, e);
    if (e->block.name)
        hk_system_write_left(w, e->block.where, "kinds, platforms and names of blocks");
    hk_system_write_ports(w, e, &items);
    for (size_t i = 0; i < e->element_count; i++) {
        const hk_tree_element *inner = e->elements[i];
        if (inner->kind == HK_TREE_SYSTEM) {
            hk_composite *below = write_composite(w, inner);
            add(w, &items, HK_ITEM_COMPOSITE)->composite = below;
            continue;
        }
        if (inner->kind != HK_TREE_COMPONENT) {
            hk_system_write_failed(w, hk_error(w->ctx, HK_E_NO_WORDS, inner->where,
                                               "connect the components directly",
                                               "signal dictionaries are not written"));
            continue;
        }
        check_name(w, inner->name, inner->where);
        if (inner->geometry.count)
            hk_system_write_left(w, inner->where, "geometry");
        tell_annotations(w, inner);
        hk_leaf *leaf = HK_NEW(w->arena, hk_leaf);
        hk_system_write_leaf(w, inner, leaf);
        add(w, &items, HK_ITEM_LEAF)->leaf = leaf;
    }
    hk_tree_comments inside = {0};
    hk_system_write_links(w, e, &items, &inside);
    hk_tree_comment_all(w->arena, &inside, &e->inside);
    hk_system_write_comments(&inside, &composite->end);
    composite->items = items.all;
    composite->item_count = items.count;
    return composite;
}

/* ---- what holds for the whole ---- */

static hk_name *name_components(hk_system_writer *w, const uint32_t *components, size_t count) {
    hk_name *names = HK_NEW_ARRAY(w->arena, hk_name, count + 1);
    for (size_t i = 0; i < count; i++)
        names[i] = hk_system_write_name(w, w->model->components[components[i]].name);
    return names;
}

static void put_processors(hk_system_writer *w, hk_system_items *items) {
    const hk_model *m = w->model;
    for (size_t i = 0; i < m->processor_count; i++) {
        hk_link *link = HK_NEW(w->arena, hk_link);
        *link =
            (hk_link){.from = hk_system_write_name(w, m->processors[i].name),
                      .to = name_components(w, m->processors[i].components, m->processors[i].count),
                      .to_count = m->processors[i].count};
        add(w, items, HK_ITEM_PROCESSOR)->link = link;
    }
    if (m->cut == HK_CUT_HLA)
        add(w, items, HK_ITEM_CUT)->word = hk_system_write_name(w, "hla");
}

static void put_constraints(hk_system_writer *w, hk_system_items *items) {
    static const hk_item_kind kinds[] = {[HK_LATENCY] = HK_ITEM_LATENCY,
                                         [HK_COINCIDENCE] = HK_ITEM_COINCIDENCE,
                                         [HK_FRESHNESS] = HK_ITEM_FRESHNESS};
    for (size_t i = 0; i < w->model->constraint_count; i++) {
        const hk_constraint *k = &w->model->constraints[i];
        hk_agedecl *age = HK_NEW(w->arena, hk_agedecl);
        *age = (hk_agedecl){.ways = HK_NEW_ARRAY(w->arena, hk_way, k->path_count + 1),
                            .way_count = k->path_count,
                            .min = {.text = ""},
                            .max = {.text = ""}};
        for (size_t p = 0; p < k->path_count; p++)
            age->ways[p] = (hk_way){name_components(w, k->paths[p].components, k->paths[p].count),
                                    k->paths[p].count};
        if (k->has_min)
            age->min = hk_system_write_time(w, k->min);
        if (k->has_max)
            age->max = hk_system_write_time(w, k->max);
        add(w, items, kinds[k->kind])->age = age;
    }
}

static void put_shares(hk_system_writer *w, hk_system_items *items) {
    const hk_model *m = w->model;
    for (size_t i = 0; i < m->shared_count; i++) {
        const hk_shared *s = &m->shared[i];
        hk_address at = {.component = s->component, .variable = s->variable};
        hk_link *link = HK_NEW(w->arena, hk_link);
        *link =
            (hk_link){.from = hk_system_write_name(w, hk_address_name(w->arena, m, &at)),
                      .lag = hk_system_write_name(w, s->lag == HK_LAG_PREVIOUS ? "previous" : ""),
                      .delay = {.text = ""},
                      .initial = {.text = ""}};
        for (const hk_branch *b = s->others; b; b = b->next)
            link->to_count++;
        link->to = HK_NEW_ARRAY(w->arena, hk_name, link->to_count);
        link->to_count = 0;
        for (const hk_branch *b = s->others; b; b = b->next) {
            at = hk_branch_address(b);
            link->to[link->to_count++] = hk_system_write_name(w, hk_address_name(w->arena, m, &at));
        }
        add(w, items, HK_ITEM_SHARE)->link = link;
    }
}

static void tell_left(hk_system_writer *w) {
    hk_where where = {.file = w->model->file};
    if (w->tree->lost_comment.file && hk_left_out_add(w->left, "comments"))
        hk_warn(w->ctx, HK_E_LANGUAGE, w->tree->lost_comment, NULL,
                "comments of this file are left out: a system file has its values only");
    if (w->model->description)
        hk_system_write_left(w, where, "a description");
}

static const char *build(hk_system_writer *w) {
    const hk_model *m = w->model;
    hk_systemfile file = {.name = hk_system_write_name(w, m->name)};
    hk_tree_sinks(w->arena, m, &w->sinks);
    check_name(w, m->name, (hk_where){.file = m->file});
    file.imports = name_files(w, w->tree->imports, w->tree->import_count);
    file.import_count = w->tree->import_count;
    file.plugins = name_files(w, w->tree->plugins, w->tree->plugin_count);
    file.plugin_count = w->tree->plugin_count;
    for (size_t i = 0; i < w->tree->other_count; i++) /* not named, but needed beside the others */
        if (w->tree->others[i].path &&
            hk_path_is_temporary(hk_path_real(w->arena, w->tree->others[i].path)))
            (void)name_files(w, &w->tree->others[i], 1);
    hk_system_write_check(w);
    file.experiment = hk_system_write_experiment(w);
    file.root = write_composite(w, w->tree->root);
    hk_system_items items = {file.root->items, file.root->item_count, file.root->item_count};
    put_shares(w, &items);
    put_processors(w, &items);
    put_constraints(w, &items);
    file.root->items = items.all;
    file.root->item_count = items.count;
    tell_left(w);
    hk_system_write_comments(&w->tree->rest, &file.rest);
    return hk_system_print(w->arena, &file);
}

static hk_status finish(hk_system_writer *w, const char *text) {
    hk_systemfile *again;
    if (w->error_count)
        return w->error;
    HK_TRY(hk_system_parse(w->ctx, w->arena, w->beside.path, text, strlen(text), &again));
    return hk_copies_write(&w->beside, text);
}

hk_status hk_system_write(hk_ctx *ctx, const hk_model *model, const char *path, hk_left_out *left) {
    HK_ASSERT(model->tree);
    hk_arena *arena = hk_arena_create();
    hk_system_writer w = {
        .ctx = ctx, .arena = arena, .model = model, .tree = model->tree, .left = left};
    hk_status status = hk_copies_begin(ctx, arena, path, &w.beside);
    if (status == HK_OK)
        status = finish(&w, build(&w));
    hk_map_finish(&w.sinks);
    hk_copies_finish(&w.beside);
    hk_arena_destroy(arena);
    return status;
}

/* SPDX-License-Identifier: MIT
 *
 * What leaves say about themselves: when they run, and what they begin with. */
#include "lang/system/system_write_internal.h"

#include <math.h>
#include <string.h>

typedef struct list {
    hk_leafitem *all;
    size_t count, cap;
} list;

static hk_leafitem *add(hk_system_writer *w, list *items, hk_leafitem_kind kind) {
    hk_leafitem item = {.kind = kind,
                        .number = {.text = ""},
                        .name = HK_NO_NAME,
                        .value = {.text = ""},
                        .word = HK_NO_NAME};
    HK_TREE_PUSH(w->arena, items->all, items->count, items->cap, item);
    return &items->all[items->count - 1];
}

/* Whole numbers of Hertz are frequencies. */
static void put_period(hk_system_writer *w, list *items, const hk_component *c) {
    const hk_experiment *e = &w->model->experiment;
    hk_ratio period = c->has_period ? c->period : e->step;
    if (!c->has_period && !e->has_step)
        return;
    if (period.num != 1) {
        add(w, items, HK_LEAF_PERIOD)->number = hk_system_write_time(w, period);
        return;
    }
    add(w, items, HK_LEAF_FREQUENCY)->number =
        (hk_number){.text = hk_arena_printf(w->arena, "%lld", (long long)period.den), .unit = "Hz"};
}

static void put_times(hk_system_writer *w, list *items, const hk_component *c) {
    static const char *const policies[] = {
        [HK_OVERRUN_STOP] = "stop", [HK_OVERRUN_LATE] = "late", [HK_OVERRUN_SKIP] = "skip"};
    put_period(w, items, c);
    if (c->offset.num)
        add(w, items, HK_LEAF_OFFSET)->number = hk_system_write_time(w, c->offset);
    if (c->priority)
        add(w, items, HK_LEAF_PRIORITY)->number.text = hk_arena_printf(w->arena, "%d", c->priority);
    if (c->inactive)
        add(w, items, HK_LEAF_INACTIVE);
    if (c->has_cost)
        add(w, items, HK_LEAF_COST)->number = hk_system_write_time(w, c->cost);
    if (c->has_deadline)
        add(w, items, HK_LEAF_DEADLINE)->number = hk_system_write_time(w, c->deadline);
    if (c->has_overrun)
        add(w, items, HK_LEAF_OVERRUN)->word = hk_system_write_name(w, policies[c->overrun]);
}

/* ---- values ---- */

static bool is_finite_text(const char *text) {
    return strspn(text, "+-0123456789.eE") == strlen(text);
}

static hk_literal one_value(hk_system_writer *w, const hk_variable *v, const void *at) {
    hk_store store = hk_store_of(v->type);
    hk_literal literal = {.kind = HK_LITERAL_NUMBER,
                          .text = hk_value_format(w->arena, v->type, store, at)};
    if (v->type == HK_TYPE_BOOL)
        literal.kind = HK_LITERAL_BOOL;
    else if (store == HK_STORE_BYTES || !is_finite_text(literal.text))
        literal.kind = HK_LITERAL_TEXT;
    if (v->type == HK_TYPE_ENUM && hk_tree_item(v, *(const int64_t *)at)) {
        literal.kind = HK_LITERAL_TEXT;
        literal.text = hk_tree_item(v, *(const int64_t *)at);
    }
    return literal;
}

hk_literal hk_system_write_value(hk_system_writer *w, const hk_variable *v, const hk_value *value) {
    size_t size = hk_store_size(hk_store_of(v->type));
    if (value->count == 1 && !v->dim_count)
        return one_value(w, v, value->data);
    hk_literal *items = HK_NEW_ARRAY(w->arena, hk_literal, value->count + 1);
    for (size_t i = 0; i < value->count; i++)
        items[i] = one_value(w, v, (const char *)value->data + i * size);
    return (hk_literal){
        .kind = HK_LITERAL_LIST, .text = "", .items = items, .item_count = value->count};
}

/* A number that is not 0 has its unit behind it; of 0 the sign would be lost. */
static void add_unit(const hk_variable *v, hk_literal *literal) {
    hk_uom uom;
    if (literal->kind == HK_LITERAL_NUMBER && v->type == HK_TYPE_F64 && v->uom && v->unit &&
        hk_uom_parse(v->unit, &uom) && literal->text[strspn(literal->text, "+-0.eE")])
        literal->unit = v->unit;
}

hk_literal hk_system_write_quantity(hk_system_writer *w, const hk_variable *v,
                                    const hk_value *value) {
    hk_literal literal = hk_system_write_value(w, v, value);
    add_unit(v, &literal);
    return literal;
}

static bool holds_line(const hk_literal *literal) {
    bool any = literal->kind == HK_LITERAL_TEXT && strpbrk(literal->text, "\r\n");
    for (size_t i = 0; i < literal->item_count && !any; i++)
        any = holds_line(&literal->items[i]);
    return any;
}

/* Those above what is not written as a value are added to STRAY. */
static void put_notes(hk_system_writer *w, const list *items, const hk_tree_element *e,
                      hk_tree_comments *stray) {
    for (size_t n = 0; n < e->note_count; n++) {
        hk_leafitem *about = NULL;
        for (size_t i = 0; i < items->count; i++)
            if (items->all[i].kind == HK_LEAF_PARAM &&
                strcmp(items->all[i].name.text, e->notes[n].name) == 0)
                about = &items->all[i];
        if (about)
            hk_system_write_comments(&e->notes[n].above, &about->at);
        else
            hk_tree_comment_all(w->arena, stray, &e->notes[n].above);
    }
}

static void put_values(hk_system_writer *w, list *items, const hk_component *c,
                       uint32_t component) {
    for (uint32_t i = 0; i < c->info->variable_count; i++) {
        const hk_variable *v = &c->info->variables[i];
        const hk_setting *last = hk_component_last_setting(c, i);
        bool structural = v->causality == HK_STRUCTURAL_PARAMETER && v->start.data;
        bool declared = last && last->source < HK_FROM_SYSTEM;
        if (declared && (!v->start.data || !hk_value_same(&v->start, &last->value)))
            hk_system_write_left(w, last->where, "initial values of inputs that are connected");
        if (hk_model_follows(w->model, component, i) || (!last && !structural) || declared)
            continue;
        hk_leafitem *item = add(w, items, HK_LEAF_PARAM);
        item->name = hk_system_write_name(w, v->name);
        item->value = hk_system_write_quantity(w, v, structural ? &v->start : &last->value);
        if (holds_line(&item->value))
            hk_system_write_failed(
                w, hk_error(w->ctx, HK_E_NO_WORDS, last ? last->where : c->where, NULL,
                            "the value of '%s.%s' has several lines, and a text of a system file "
                            "has one",
                            c->name, v->name));
    }
}

/* ---- the whole leaf ---- */

static hk_name type_of(hk_system_writer *w, const hk_tree_element *e) {
    const hk_tree_source *s = &e->source;
    bool builtin = s->kind == HK_TREE_BUILTIN;
    const char *file = builtin ? NULL : hk_system_write_file(w, s->file, e->where);
    if (s->leaf &&
        w->tree->import_count) /* its type file names the behaviour, or a plugin has it */
        return hk_system_write_name(w, s->leaf);
    if (builtin)
        return hk_system_write_name(w, s->part);
    hk_name name = {.text = s->kind != HK_TREE_FMU && s->part
                                ? hk_arena_printf(w->arena, "%s#%s", file, s->part)
                                : file,
                    .quoted = true};
    return name;
}

void hk_system_write_leaf(hk_system_writer *w, const hk_tree_element *e, hk_leaf *ret_leaf) {
    const hk_component *c = &w->model->components[e->component];
    list items = {0};
    hk_tree_comments above = {0}, inside = {0};
    *ret_leaf = (hk_leaf){.name = hk_system_write_name(w, e->name), .type = type_of(w, e)};
    put_times(w, &items, c);
    put_values(w, &items, c, e->component);
    hk_tree_comment_all(w->arena, &above, &e->above);
    for (size_t i = 0; i < e->connector_count; i++) /* which a leaf does not name */
        hk_tree_comment_all(w->arena, &above, &e->connectors[i].above);
    put_notes(w, &items, e, &inside);
    hk_tree_comment_all(w->arena, &inside, &e->inside);
    hk_system_write_comments(&above, &ret_leaf->at);
    hk_system_write_comments(&inside, &ret_leaf->end);
    ret_leaf->items = items.all;
    ret_leaf->item_count = items.count;
}

/* SPDX-License-Identifier: MIT
 *
 * Links of a system, and the ports of composites that they lead through. */
#include "lang/system/system_write_internal.h"

#include "model/address.h"

#include <string.h>

static hk_item *add(hk_system_writer *w, hk_system_items *items, hk_item_kind kind) {
    hk_item item = {.kind = kind, .word = HK_NO_NAME};
    HK_TREE_PUSH(w->arena, items->all, items->count, items->cap, item);
    return &items->all[items->count - 1];
}

/* ---- ports ---- */

static const char *type_name(hk_type type) {
    static const struct {
        hk_type type;
        const char *name;
    } names[] = {{HK_TYPE_F64, "core.double"},    {HK_TYPE_F32, "core.float"},
                 {HK_TYPE_BOOL, "core.bool"},     {HK_TYPE_STRING, "core.string"},
                 {HK_TYPE_BINARY, "core.binary"}, {HK_TYPE_I8, "core.int8"},
                 {HK_TYPE_U8, "core.uint8"},      {HK_TYPE_I16, "core.int16"},
                 {HK_TYPE_U16, "core.uint16"},    {HK_TYPE_I32, "core.int32"},
                 {HK_TYPE_U32, "core.uint32"},    {HK_TYPE_I64, "core.int64"},
                 {HK_TYPE_U64, "core.uint64"},    {HK_TYPE_ENUM, "core.int64"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].type == type)
            return names[i].name;
    return NULL;
}

static const hk_tree_connector *connector_of(const hk_tree_element *e, const char *name) {
    for (size_t i = 0; i < e->connector_count; i++)
        if (strcmp(e->connectors[i].name, name) == 0)
            return &e->connectors[i];
    return NULL;
}

/* The variable that a connector of a system leads to or comes from; NULL: not known. */
static const hk_variable *variable_behind(const hk_system_writer *w, const hk_tree_element *system,
                                          const char *connector, int depth) {
    for (size_t i = 0; depth && i < system->connection_count; i++) {
        const hk_tree_connection *k = &system->connections[i];
        const hk_tree_end *own = k->from.element ? &k->to : &k->from;
        const hk_tree_end *other = k->from.element ? &k->from : &k->to;
        hk_address at;
        if (own->element || !other->element || strcmp(own->connector, connector) != 0)
            continue;
        const hk_tree_element *e = hk_tree_find(system, other->element);
        const hk_info *info =
            e && e->kind == HK_TREE_COMPONENT ? w->model->components[e->component].info : NULL;
        if (info && hk_info_address(info, other->connector, &at))
            return &info->variables[at.variable];
        const hk_variable *v =
            e && !info ? variable_behind(w, e, other->connector, depth - 1) : NULL;
        if (v)
            return v;
    }
    return NULL;
}

/* A name for a connector whose own one a system file cannot have, be it in quotes: "p.f" becomes
 * p_f. */
static const char *plain_name(hk_system_writer *w, const char *name) {
    char *text = hk_arena_strdup(w->arena, name);
    for (char *c = strpbrk(text, ".\r\n"); c; c = strpbrk(c, ".\r\n"))
        *c++ = '_';
    return text;
}

/* Those of two connectors may be the same: the later one gets a mark. */
static const char *port_name(hk_system_writer *w, const hk_tree_element *e,
                             const hk_tree_connector *c) {
    const char *name = plain_name(w, c->name);
    for (const hk_tree_connector *before = e->connectors; before < c; before++)
        if (!before->port && strcmp(plain_name(w, before->name), name) == 0)
            name = hk_arena_printf(w->arena, "%s_", name);
    for (size_t i = 0; i < e->element_count; i++)
        if (strcmp(e->elements[i]->name, name) == 0)
            name = hk_arena_printf(w->arena, "%s_", name);
    return name;
}

/* The elements of an array that is not a port of a type: each becomes a port of its own, since an
 * array would need a type in a type file. 0: it is not one, or its size is not known. */
static size_t element_count(const hk_tree_connector *c) {
    size_t count = c->size_count && !c->port ? 1 : 0;
    for (size_t i = 0; i < c->size_count && count; i++)
        count = c->sizes[i] > 100000 ? 0 : count * c->sizes[i];
    return count > 100000 ? 0 : count;
}

static bool is_taken(hk_system_writer *w, const hk_tree_element *e, const char *name) {
    for (size_t i = 0; i < e->connector_count; i++)
        if (!e->connectors[i].port && strcmp(plain_name(w, e->connectors[i].name), name) == 0)
            return true;
    return hk_tree_find(e, name) != NULL;
}

/* The port of element ELEMENT, from 1. */
static const char *element_name(hk_system_writer *w, const hk_tree_element *e,
                                const hk_tree_connector *c, size_t element) {
    const char *name = hk_arena_printf(w->arena, "%s_%zu", port_name(w, e, c), element);
    while (is_taken(w, e, name))
        name = hk_arena_printf(w->arena, "%s_", name);
    return name;
}

static void tell_renamed(hk_system_writer *w, const hk_tree_element *e, const hk_tree_connector *c,
                         const char *name) {
    if (strcmp(name, c->name) == 0)
        return;
    (void)hk_left_out_add(w->left, "names of connectors");
    hk_warn(w->ctx, HK_E_LANGUAGE, c->where, "give it another name",
            "connector '%s' of system '%s' becomes the port '%s': a system file cannot have that "
            "name, or it is taken",
            c->name, e->name, name);
}

static bool is_parameter(const hk_tree_connector *c) {
    return c->kind == HK_TREE_PARAMETER || c->kind == HK_TREE_STRUCTURAL ||
           c->kind == HK_TREE_CALCULATED || c->kind == HK_TREE_CONSTANT;
}

static hk_decl *declare(hk_system_writer *w, const char *type, const char *name, const char *unit,
                        const char *frame) {
    hk_decl *decl = HK_NEW(w->arena, hk_decl);
    *decl = (hk_decl){.type = hk_system_write_name(w, type),
                      .name = hk_system_write_name(w, name),
                      .unit = {.text = unit ? unit : "", .quoted = true},
                      .frame = {.text = frame ? frame : "", .quoted = true},
                      .min = {.text = ""},
                      .max = {.text = ""},
                      .mode = HK_NO_NAME,
                      .start = {.text = ""}};
    return decl;
}

static bool is_expressible(hk_system_writer *w, const hk_tree_element *e,
                           const hk_tree_connector *c) {
    const char *why = NULL;
    if (c->kind != HK_TREE_INPUT && c->kind != HK_TREE_OUTPUT)
        why = "is neither an input nor an output";
    else if (c->size_count && !c->port && !element_count(c))
        why = "is an array of a size that is not known";
    if (!why)
        return true;
    hk_system_write_failed(w, hk_error(w->ctx, HK_E_NO_WORDS, c->where,
                                       "connect the components directly",
                                       "connector '%s' of system '%s' %s, so it is not written",
                                       c->name, e->name, why));
    return false;
}

static void write_interfaces(hk_system_writer *w, const hk_tree_element *e,
                             hk_system_items *items) {
    for (size_t i = 0; i < e->interface_count; i++) {
        hk_item *item =
            add(w, items, e->interfaces[i].provided ? HK_ITEM_PROVIDES : HK_ITEM_REQUIRES);
        item->use = HK_NEW(w->arena, hk_interfaceuse);
        *item->use =
            (hk_interfaceuse){.interface = hk_system_write_name(w, e->interfaces[i].interface),
                              .name = hk_system_write_name(w, e->interfaces[i].name)};
    }
}

/* Another part of the port of the connector before? */
static bool is_again(const hk_tree_element *e, size_t connector) {
    const hk_tree_connector *c = &e->connectors[connector];
    return connector && c->port && c[-1].port && strcmp(c->port, c[-1].port) == 0;
}

static void write_elements(hk_system_writer *w, const hk_tree_element *e,
                           const hk_tree_connector *c, const char *type, hk_system_items *items) {
    size_t count = element_count(c);
    (void)hk_left_out_add(w->left, "names of connectors");
    hk_warn(w->ctx, HK_E_LANGUAGE, c->where, NULL,
            "connector '%s' of system '%s' becomes the ports '%s' to '%s': an array would need a "
            "type in a type file",
            c->name, e->name, element_name(w, e, c, 1), element_name(w, e, c, count));
    for (size_t i = 1; i <= count; i++) {
        hk_item *item = add(w, items, c->kind == HK_TREE_INPUT ? HK_ITEM_INPUT : HK_ITEM_OUTPUT);
        item->port = declare(w, type, element_name(w, e, c, i), c->unit, c->frame);
        if (i == 1)
            hk_system_write_comments(&c->above, &item->at);
    }
}

static void write_port(hk_system_writer *w, const hk_tree_element *e, const hk_tree_connector *c,
                       hk_system_items *items) {
    const hk_variable *v = c->has_type ? NULL : variable_behind(w, e, c->name, 64);
    const char *type = type_name(c->has_type ? c->type : v ? v->type : HK_TYPE_F64);
    if (element_count(c)) {
        write_elements(w, e, c, type, items);
        return;
    }
    hk_item *item = add(w, items, c->kind == HK_TREE_INPUT ? HK_ITEM_INPUT : HK_ITEM_OUTPUT);
    /* Units and frames of a record are those of its type. */
    bool whole = !c->port || strcmp(c->port, c->name) == 0;
    const char *name = c->port ? c->port : port_name(w, e, c);
    if (!c->port)
        tell_renamed(w, e, c, name);
    item->port = declare(w, c->port ? c->port_type : type, name, whole ? c->unit : NULL,
                         whole ? c->frame : NULL);
    hk_system_write_comments(&c->above, &item->at);
}

void hk_system_write_ports(hk_system_writer *w, const hk_tree_element *e, hk_system_items *items) {
    for (size_t i = 0; i < e->connector_count; i++) {
        const hk_tree_connector *c = &e->connectors[i];
        if (is_again(e, i))
            continue;
        if (is_parameter(c)) /* what they are given is a value of the components */
            hk_system_write_left(w, c->where, "names of parameters of systems");
        else if (is_expressible(w, e, c))
            write_port(w, e, c, items);
    }
    write_interfaces(w, e, items);
}

/* ---- links ---- */

/* The connector of a system that a connection leads to; NULL: it leads to a component. */
static const hk_tree_connector *connector_at(const hk_tree_element *system,
                                             const hk_tree_end *end) {
    const hk_tree_element *e = end->element ? hk_tree_find(system, end->element) : system;
    return e && e->kind == HK_TREE_SYSTEM ? connector_of(e, end->connector) : NULL;
}

/* ELEMENT, from 1: that of an array which is joined element by element; 0: all of it. */
static const char *end_name(hk_system_writer *w, const hk_tree_element *system,
                            const hk_tree_end *end, size_t element) {
    const hk_tree_element *e = end->element ? hk_tree_find(system, end->element) : system;
    const hk_tree_connector *c = connector_at(system, end);
    const char *port = c && !c->port ? port_name(w, e, c) : end->connector;
    if (element)
        port = c ? element_name(w, e, c, element)
                 : hk_arena_printf(w->arena, "%s[%zu]", end->connector, element);
    return end->element ? hk_arena_printf(w->arena, "%s.%s", end->element, port) : port;
}

static hk_link *new_link(hk_system_writer *w, const char *from) {
    hk_link *link = HK_NEW(w->arena, hk_link);
    *link = (hk_link){.from = hk_system_write_name(w, from),
                      .lag = HK_NO_NAME,
                      .delay = {.text = ""},
                      .initial = {.text = ""}};
    return link;
}

static void add_target(hk_system_writer *w, hk_link *link, const char *to) {
    hk_name *all = HK_NEW_ARRAY(w->arena, hk_name, link->to_count + 1);
    if (link->to_count)
        memcpy(all, link->to, link->to_count * sizeof *all);
    all[link->to_count++] = hk_system_write_name(w, to);
    link->to = all;
}

/* In a system file a link without a word is current. */
static const char *lag_word(const hk_system_writer *w, const hk_connection *k) {
    const hk_experiment *e = &w->model->experiment;
    bool jacobi = !e->has_algorithm || e->algorithm == HK_JACOBI;
    if (k->lag == HK_LAG_DEFAULT)
        return jacobi ? "previous" : "";
    return hk_lag_words[k->lag];
}

static void say_more(hk_system_writer *w, hk_link *link, const hk_connection *k) {
    const hk_variable *v =
        &w->model->components[k->from_component].info->variables[k->from_variable];
    link->lag = hk_system_write_name(w, lag_word(w, k));
    if (k->delay.num)
        link->delay = hk_system_write_time(w, k->delay);
    if (k->initial.data)
        link->initial = hk_system_write_value(w, v, &k->initial);
}

static bool same_options(const hk_link *a, const hk_link *b) {
    return strcmp(a->lag.text, b->lag.text) == 0 && strcmp(a->delay.text, b->delay.text) == 0 &&
           a->initial.kind == HK_LITERAL_NONE && b->initial.kind == HK_LITERAL_NONE;
}

static void put_one(hk_system_writer *w, const hk_tree_element *system, const hk_tree_connection *k,
                    size_t element, hk_system_items *items, hk_map *links) {
    const char *from = end_name(w, system, &k->from, element);
    const char *to = end_name(w, system, &k->to, element);
    hk_link *link = new_link(w, from);
    const hk_connection *whole = hk_tree_whole(w->arena, w->model, &w->sinks, system, k);
    if (whole)
        say_more(w, link, whole);
    const char *key = hk_arena_printf(w->arena, "%s %s %s", from, link->lag.text, link->delay.text);
    uint32_t index = hk_map_put(links, key, (uint32_t)items->count);
    if (!k->above.count && index < items->count && same_options(items->all[index].link, link)) {
        add_target(w, items->all[index].link, to);
        return;
    }
    add_target(w, link, to);
    hk_item *item = add(w, items, HK_ITEM_LINK);
    item->link = link;
    if (element <= 1)
        hk_system_write_comments(&k->above, &item->at);
}

/* False: it is not a link. */
static bool put_link(hk_system_writer *w, const hk_tree_element *system,
                     const hk_tree_connection *k, hk_system_items *items, hk_map *links) {
    const hk_tree_connector *from = connector_at(system, &k->from);
    const hk_tree_connector *to = connector_at(system, &k->to);
    if ((from && is_parameter(from)) || (to && is_parameter(to)))
        return false;
    size_t count = from ? element_count(from) : 0;
    count = !count && to ? element_count(to) : count;
    for (size_t i = count ? 1 : 0; i <= count; i++)
        put_one(w, system, k, i, items, links);
    return true;
}

void hk_system_write_links(hk_system_writer *w, const hk_tree_element *e, hk_system_items *items,
                           hk_tree_comments *stray) {
    hk_map links = {0};
    for (size_t i = 0; i < e->connector_count; i++)
        if (is_parameter(&e->connectors[i]) || is_again(e, i))
            hk_tree_comment_all(w->arena, stray, &e->connectors[i].above);
    for (size_t i = 0; i < e->connection_count; i++)
        if (!put_link(w, e, &e->connections[i], items, &links))
            hk_tree_comment_all(w->arena, stray, &e->connections[i].above);
    hk_map_finish(&links);
    for (size_t i = 0; i < e->service_count; i++) {
        hk_item *last = items->count ? &items->all[items->count - 1] : NULL;
        bool again = last && last->kind == HK_ITEM_SERVICE &&
                     strcmp(last->link->from.text, e->services[i].from) == 0;
        if (!again) {
            last = add(w, items, HK_ITEM_SERVICE);
            last->link = new_link(w, e->services[i].from);
        }
        add_target(w, last->link, e->services[i].to);
    }
}

/* ---- what is changed on its way ---- */

void hk_system_write_check(hk_system_writer *w) {
    const hk_model *m = w->model;
    for (size_t i = 0; i < m->connection_count; i++) {
        const hk_connection *k = &m->connections[i];
        const hk_transform *t = &k->transform;
        if (hk_connection_is_plain(m, k))
            continue;
        hk_system_write_failed(
            w, hk_error(w->ctx, HK_E_NO_WORDS, hk_connection_where(m, k),
                        "let a component calculate it: hk.Gain, hk.Sum",
                        "%s of a value on its way is not written: a link of a system file hands "
                        "it on as it is",
                        t->kind == HK_TRANSFORM_MAP ? "a mapping" : "a transformation"));
    }
    for (size_t i = 0; i < m->shown_count; i++)
        hk_system_write_failed(
            w, hk_error(w->ctx, HK_E_NO_WORDS, (hk_where){.file = m->file}, NULL,
                        "output '%s' of the outermost system is changed on its way, which is not "
                        "written",
                        m->shown[i].name));
}

/* SPDX-License-Identifier: MIT
 *
 * Components of a model as EComponents: one block for those that run the same, in the same way. */
#include "sysml/profile_of_internal.h"

#include "base/file.h"
#include "base/seconds.h"
#include "chart/chart_component.h"
#include "chart/chart_ports.h"
#include "model/address.h"
#include "text/print.h"

#include <string.h>

/* ---- values ------------------------------------------------------------------------------------
 */

static hk_literal one_value(hk_profile_maker *m, const hk_variable *v, const void *at) {
    hk_store store = hk_store_of(v->type);
    const char *text = hk_value_format(m->arena, v->type, store, at);
    const char *item = v->type == HK_TYPE_ENUM ? hk_tree_item(v, *(const int64_t *)at) : NULL;
    if (v->type == HK_TYPE_BOOL)
        return (hk_literal){.kind = HK_LITERAL_BOOL, .text = text};
    if (v->type == HK_TYPE_ENUM)
        return (hk_literal){.kind = HK_LITERAL_WORD, .text = item ? item : ""};
    if (store == HK_STORE_BYTES)
        return (hk_literal){.kind = HK_LITERAL_TEXT, .text = text};
    bool real = v->type == HK_TYPE_F64 || v->type == HK_TYPE_F32;
    if (real && !strpbrk(text, ".en"))
        text = hk_arena_printf(m->arena, "%s.0", text);
    return (hk_literal){.kind = HK_LITERAL_NUMBER, .text = text};
}

static bool is_sayable(const hk_variable *v, const hk_literal *l) {
    bool number =
        l->kind != HK_LITERAL_NUMBER || strspn(l->text, "-0123456789.e") == strlen(l->text);
    return number && v->type != HK_TYPE_BINARY && (l->kind != HK_LITERAL_WORD || *l->text);
}

static hk_profile_value value_of(hk_profile_maker *m, const hk_variable *v, const hk_value *value) {
    size_t size = hk_store_size(hk_store_of(v->type));
    if (!v->dim_count)
        return (hk_profile_value){one_value(m, v, value->data)};
    hk_literal *items = HK_NEW_ARRAY(m->arena, hk_literal, value->count + 1);
    for (size_t i = 0; i < value->count; i++)
        items[i] = one_value(m, v, (const char *)value->data + i * size);
    return (hk_profile_value){
        {.kind = HK_LITERAL_LIST, .text = "", .items = items, .item_count = value->count}};
}

/* False after it was refused. */
static bool check_value(hk_profile_maker *m, const hk_component *c, const hk_variable *v,
                        const hk_profile_value *value, hk_where where) {
    const hk_literal *l = &value->literal;
    bool good = l->kind == HK_LITERAL_LIST || is_sayable(v, l);
    for (size_t i = 0; i < l->item_count; i++)
        good = good && is_sayable(v, &l->items[i]);
    if (!good)
        hk_profile_of_refuse(m, where, NULL,
                             "the value of '%s.%s' cannot be written in SysML: it is not a finite "
                             "number, truth, text or item of an enumeration",
                             c->name, v->name);
    return good;
}

/* What a variable has that nobody gives a value. */
static hk_profile_value start_of(hk_profile_maker *m, const hk_variable *v) {
    if (v->start.data)
        return value_of(m, v, &v->start);
    hk_literal zero = {.kind = HK_LITERAL_NUMBER, .text = "0.0"};
    if (strcmp(hk_type_kind(v->type), "Integer") == 0)
        zero.text = "0";
    else if (v->type == HK_TYPE_BOOL)
        zero = (hk_literal){.kind = HK_LITERAL_BOOL, .text = "false"};
    else if (v->type == HK_TYPE_STRING)
        zero = (hk_literal){.kind = HK_LITERAL_TEXT, .text = ""};
    else if (v->type == HK_TYPE_ENUM)
        zero = (hk_literal){.kind = HK_LITERAL_WORD,
                            .text = v->enumeration && v->enumeration->item_count
                                        ? v->enumeration->item_names[0]
                                        : ""};
    if (!v->dim_count)
        return (hk_profile_value){zero};
    hk_literal *items = HK_NEW_ARRAY(m->arena, hk_literal, v->count + 1);
    for (size_t i = 0; i < v->count; i++)
        items[i] = zero;
    return (hk_profile_value){
        {.kind = HK_LITERAL_LIST, .text = "", .items = items, .item_count = v->count}};
}

static bool same_literal(const hk_literal *a, const hk_literal *b) {
    if (a->kind != b->kind || a->item_count != b->item_count || strcmp(a->text, b->text) != 0)
        return false;
    for (size_t i = 0; i < a->item_count; i++)
        if (!same_literal(&a->items[i], &b->items[i]))
            return false;
    return true;
}

/* ---- types -------------------------------------------------------------------------------------
 */

static uint32_t find_enum(hk_profile_maker *m, const hk_enum *x) {
    const char *name = x->name && *x->name ? x->name : "Enumeration";
    hk_profile_enum e = {.items = x->item_names, .item_count = x->item_count};
    for (int number = 2;; number++) {
        uint32_t index = hk_map_put(&m->enum_names, name, (uint32_t)m->enums.count);
        e.name = name;
        if (index == m->enums.count) {
            hk_list_add(&m->enums, &e);
            return index;
        }
        const hk_profile_enum *old = (const hk_profile_enum *)m->enums.data + index;
        bool same = old->item_count == e.item_count;
        for (size_t i = 0; same && i < e.item_count; i++)
            same = strcmp(old->items[i], e.items[i]) == 0;
        if (same)
            return index;
        name = hk_arena_printf(m->arena, "%s_%d", x->name, number);
    }
}

static hk_profile_shape shape_of(hk_profile_maker *m, const hk_component *c, const hk_variable *v) {
    hk_profile_shape s = {.enumeration = HK_PROFILE_NONE, .type_name = hk_type_kind(v->type)};
    hk_uom uom;
    s.type = v->type == HK_TYPE_BOOL               ? HK_PROFILE_BOOLEAN
             : v->type == HK_TYPE_STRING           ? HK_PROFILE_STRING
             : strcmp(s.type_name, "Integer") == 0 ? HK_PROFILE_INTEGER
                                                   : HK_PROFILE_REAL;
    if (v->type == HK_TYPE_ENUM && v->enumeration) {
        s.type = HK_PROFILE_ENUM;
        s.enumeration = find_enum(m, v->enumeration);
        s.type_name = ((const hk_profile_enum *)m->enums.data)[s.enumeration].name;
    }
    if (v->dim_count) {
        uint32_t *size = HK_NEW(m->arena, uint32_t);
        *size = (uint32_t)v->count;
        s.sizes = size;
        s.size_count = 1;
    }
    if (v->unit && v->uom && hk_uom_parse(v->unit, &uom))
        s.unit = v->unit;
    else if (v->unit && *v->unit && strcmp(v->unit, "-") != 0 && strcmp(v->unit, "1") != 0)
        hk_profile_of_left(m, c->where,
                           hk_arena_printf(m->arena, "the unit '%s', which is not known", v->unit));
    return s;
}

/* ---- blocks ------------------------------------------------------------------------------------
 */

static bool is_reactive(const hk_profile_maker *m, uint32_t component, uint32_t variable) {
    return m->reactive[component] && m->reactive[component][variable];
}

static bool is_source(const hk_profile_maker *m, uint32_t component, uint32_t variable) {
    return m->source[component] && m->source[component][variable];
}

static const hk_setting *setting_of(const hk_component *c, uint32_t variable) {
    const hk_setting *last = hk_component_last_setting(c, variable);
    return last && last->source >= HK_FROM_DESCRIPTION ? last : NULL;
}

/* Is the variable a member of the block, and which: 1 a port, 2 a variable, 0 none. */
static int member_kind(const hk_profile_maker *m, uint32_t component, uint32_t i) {
    const hk_component *c = &m->model->components[component];
    const hk_variable *v = &c->info->variables[i];
    if (v->unusable || v->type == HK_TYPE_BINARY)
        return 0;
    if (v->causality == HK_INPUT || v->causality == HK_OUTPUT || is_source(m, component, i))
        return 1;
    return setting_of(c, i) ? 2 : 0;
}

static void check_component(hk_profile_maker *m, const hk_tree_element *e) {
    const hk_component *c = &m->model->components[e->component];
    const struct {
        bool there;
        const char *what;
    } times[] = {{c->offset.num != 0, "an offset"},
                 {c->priority != 0, "a priority"},
                 {c->has_cost, "a cost"},
                 {c->has_deadline, "a deadline"},
                 {c->has_overrun, "what happens to overruns"},
                 {c->inactive, "that it is stopped from the beginning"},
                 {e->source.rescaled, "that its variables are in other units than its own"},
                 {e->source.kind == HK_TREE_TABLE, "a table"}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (times[i].there)
            hk_profile_of_refuse(m, e->where, NULL,
                                 "'%s' has %s, for which a multi-model has no words", c->name,
                                 times[i].what);
    for (uint32_t i = 0; i < c->info->variable_count; i++) {
        const hk_variable *v = &c->info->variables[i];
        const hk_setting *s = setting_of(c, i);
        if (s && (v->causality == HK_STRUCTURAL_PARAMETER || v->causality == HK_OUTPUT ||
                  v->type == HK_TYPE_BINARY))
            hk_profile_of_refuse(
                m, s->where, NULL,
                "a multi-model gives parameters, inputs and variables a value, and "
                "'%s.%s' is none that it knows",
                c->name, v->name);
    }
    if (e->frames)
        hk_profile_of_left(m, e->where, "frames");
}

static const char *cycle_of(hk_profile_maker *m, const hk_tree_element *e) {
    const hk_component *c = &m->model->components[e->component];
    char text[48];
    if (!c->has_period)
        return NULL;
    if (!hk_seconds_format(c->period, text))
        hk_profile_of_refuse(
            m, e->where, NULL,
            "the period of '%s', %s s, is not a decimal number of seconds, which a "
            "cycle is",
            c->name, text);
    return hk_arena_strdup(m->arena, text);
}

/* All in which components of one block are alike. */
static const char *key_of(hk_profile_maker *m, const hk_tree_element *e, const char *cycle) {
    const hk_component *c = &m->model->components[e->component];
    const hk_tree_source *s = &e->source;
    hk_printer pr = {0};
    hk_print(&pr, hk_arena_printf(m->arena, "%d %s#%s %s ", (int)s->kind, s->file ? s->file : "",
                                  s->part ? s->part : "", cycle ? cycle : ""));
    const hk_tree_block *b = &e->block;
    const char *said[] = {b->name, b->kind, b->platform, b->model_type};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        hk_print(&pr, hk_arena_printf(m->arena, "%s#", said[i] ? said[i] : ""));
    for (uint32_t i = 0; i < c->info->variable_count; i++) {
        hk_causality causality = c->info->variables[i].causality;
        bool more =
            causality != HK_INPUT && causality != HK_OUTPUT && is_source(m, e->component, i);
        hk_print(&pr, more ? "s" : ""); /* a port that others of its kind do not have */
        hk_print(&pr, is_reactive(m, e->component, i) ? "r" : ".");
    }
    return hk_print_finish(&pr, m->arena);
}

static const char *base_name(const hk_tree_element *e, const hk_info *info) {
    const hk_tree_source *s = &e->source;
    if (e->block.name)
        return e->block.name;
    const char *name = s->leaf ? s->leaf : s->part ? s->part : info->name;
    const char *dot = name ? strrchr(name, '.') : NULL;
    if (!name || !*name)
        return e->name;
    return dot && dot[1] && s->kind != HK_TREE_FMU ? dot + 1 : name;
}

static void describe(hk_profile_maker *m, const hk_tree_element *e, hk_profile_block *b) {
    const hk_component *c = &m->model->components[e->component];
    const hk_tree_source *s = &e->source;
    bool chart = s->kind == HK_TREE_CHART, continuous = false;
    for (uint32_t i = 0; i < c->info->variable_count; i++)
        continuous |= c->info->variables[i].variability == HK_CONTINUOUS;
    b->component = chart ? HK_PROFILE_CYBER : HK_PROFILE_PHYSICAL;
    b->time = continuous && !chart ? HK_PROFILE_CONTINUOUS : HK_PROFILE_DISCRETE;
    b->platform = chart                    ? "RoboChart"
                  : s->kind != HK_TREE_FMU ? "C"
                  : c->info->tool          ? c->info->tool
                                           : "FMI";
    b->fmu = s->kind == HK_TREE_BUILTIN || !s->file
                 ? s->part
                 : hk_copies_file(m->copies, hk_path_real(m->arena, s->file));
    b->type = s->kind == HK_TREE_PLUGIN || s->kind == HK_TREE_CHART ? s->part : NULL;
    if (!e->block.name) {
        m->guessed = true;
        return;
    }
    b->component = (hk_profile_component)hk_profile_of_word(
        m, e, e->block.kind, hk_profile_component_words, HK_PROFILE_COMPONENTS);
    b->time = (hk_profile_time)hk_profile_of_word(m, e, e->block.model_type, hk_profile_time_words,
                                                  HK_PROFILE_TIMES);
    b->platform = e->block.platform;
}

/* Events and calls of a RoboChart module: ports without a type. */
static void mark_events(hk_profile_maker *m, const hk_info *info, hk_profile_port *all,
                        size_t count) {
    const hk_chart *chart = hk_chart_of(info);
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    hk_chart_ports ports;
    if (chart && hk_chart_ports_make(quiet, m->arena, chart, &ports) == HK_OK)
        for (uint32_t i = 0; i < ports.count; i++) {
            hk_chart_port_kind kind = ports.all[i].kind;
            bool event = kind == HK_CHART_PORT_RECEIVED || kind == HK_CHART_PORT_SENT ||
                         kind == HK_CHART_PORT_CALLED;
            for (size_t k = 0; event && k < count; k++)
                if (strcmp(all[k].name, ports.all[i].name) == 0) {
                    all[k].shape.type = HK_PROFILE_TYPELESS;
                    all[k].shape.type_name = all[k].shape.unit = NULL;
                    all[k].init = (hk_profile_value){0};
                }
        }
    hk_ctx_destroy(quiet);
}

static void add_port(hk_profile_maker *m, hk_list *ports, uint32_t component, uint32_t i) {
    const hk_component *c = &m->model->components[component];
    const hk_variable *v = &c->info->variables[i];
    hk_profile_shape s = shape_of(m, c, v);
    bool output = v->causality != HK_INPUT;
    hk_profile_port p = {.name = v->name,
                         .output = output,
                         .shape = s,
                         .reactive = !output && is_reactive(m, component, i)};
    if (!output)
        p.init = start_of(m, v);
    if (!output && !check_value(m, c, v, &p.init, c->where))
        p.init = (hk_profile_value){0};
    hk_list_add(ports, &p);
}

static void add_depends(hk_profile_maker *m, hk_profile_port *p, const hk_variable *v,
                        const uint32_t *port_of) {
    if (!p->output || !v->depends.known || !v->depends.count)
        return;
    uint32_t *on = HK_NEW_ARRAY(m->arena, uint32_t, v->depends.count);
    for (size_t i = 0; i < v->depends.count; i++)
        if (port_of[v->depends.on[i]] != HK_PROFILE_NONE)
            on[p->depend_count++] = port_of[v->depends.on[i]];
    p->depends = on;
}

static uint32_t make_block(hk_profile_maker *m, const hk_tree_element *e, const char *cycle) {
    const hk_component *c = &m->model->components[e->component];
    hk_list ports = HK_LIST(hk_profile_port);
    uint32_t *port_of = HK_NEW_ARRAY(m->arena, uint32_t, c->info->variable_count + 1);
    uint32_t *from = HK_NEW_ARRAY(m->arena, uint32_t, c->info->variable_count + 1);
    hk_profile_block b = {
        .kind = HK_PROFILE_ECOMPONENT,
        .name = hk_profile_of_name(m, base_name(e, c->info), e->block.name || e->source.leaf),
        .cycle = cycle,
        .file = m->profile->file};
    check_component(m, e);
    describe(m, e, &b);
    for (uint32_t i = 0; i < c->info->variable_count; i++) {
        bool port = member_kind(m, e->component, i) == 1;
        port_of[i] = port ? (uint32_t)ports.count : HK_PROFILE_NONE;
        if (port)
            from[ports.count] = i;
        if (port)
            add_port(m, &ports, e->component, i);
    }
    b.port_count = ports.count;
    hk_profile_port *all = hk_list_keep(m->arena, &ports);
    for (size_t i = 0; i < b.port_count; i++)
        add_depends(m, &all[i], &c->info->variables[from[i]], port_of);
    mark_events(m, c->info, all, b.port_count);
    b.ports = all;
    hk_list_add(&m->blocks, &b);
    hk_list_add(&m->ports, &all);
    return (uint32_t)m->blocks.count - 1;
}

uint32_t hk_profile_of_component(hk_profile_maker *m, const hk_tree_element *e,
                                 hk_profile_instance *instance) {
    const char *cycle = cycle_of(m, e);
    const char *key = key_of(m, e, cycle);
    uint32_t block = hk_map_get(&m->alike, key);
    if (block == HK_MAP_NONE) {
        block = make_block(m, e, cycle);
        hk_map_put(&m->alike, key, block);
    }
    instance->block = block;
    return block;
}

/* ---- what instances have of their own ----------------------------------------------------------
 */

/* The components of a block, by a list through all of them. */
typedef struct users {
    uint32_t *first, *next; /* per block, per component */
} users;

static bool any_sets(const hk_profile_maker *m, const users *u, uint32_t block, uint32_t i) {
    for (uint32_t c = u->first[block]; c != HK_PROFILE_NONE; c = u->next[c])
        if (setting_of(&m->model->components[c], i))
            return true;
    return false;
}

/* The variables that an instance of the block gives a value, which are behind the ports. */
static hk_profile_variable *add_variables(hk_profile_maker *m, const users *u, uint32_t block) {
    hk_profile_block *b = (hk_profile_block *)m->blocks.data + block;
    const hk_component *c = &m->model->components[u->first[block]];
    hk_list variables = HK_LIST(hk_profile_variable);
    for (uint32_t i = 0; i < c->info->variable_count; i++) {
        const hk_variable *v = &c->info->variables[i];
        bool port = member_kind(m, u->first[block], i) == 1;
        if (port || !any_sets(m, u, block, i))
            continue;
        hk_profile_shape s = shape_of(m, c, v);
        bool parameter = v->causality == HK_PARAMETER;
        hk_profile_variable x = {.name = v->name,
                                 .kind = parameter ? HK_PROFILE_PARAMETER : HK_PROFILE_VAR_INIT,
                                 .shape = s,
                                 .init = start_of(m, v)};
        hk_list_add(&variables, &x);
    }
    b->variable_count = variables.count;
    hk_profile_variable *all = hk_list_keep(m->arena, &variables);
    b->variables = all;
    return all;
}

/* The value that component C gives the member, or has anyway; *RET_OWN: it gives one. */
static hk_profile_value value_in(hk_profile_maker *m, uint32_t component, const char *name,
                                 bool *ret_own) {
    const hk_component *c = &m->model->components[component];
    uint32_t i = hk_info_find(c->info, name);
    const hk_variable *v = &c->info->variables[i];
    const hk_setting *s = setting_of(c, i);
    *ret_own = s != NULL;
    if (!s)
        return start_of(m, v);
    hk_profile_value value = value_of(m, v, &s->value);
    return check_value(m, c, v, &value, s->where) ? value : start_of(m, v);
}

/* A value that all components of a block give a parameter alike is the block's, USUAL; else each
 * redefines its own, and so do all that give an input a value. */
static void settle(hk_profile_maker *m, const users *u, uint32_t block, const char *name,
                   size_t index, hk_profile_value *usual) {
    const hk_profile_block *b = (const hk_profile_block *)m->blocks.data + block;
    bool own, alike = index >= b->port_count;
    hk_profile_value one = value_in(m, u->first[block], name, &own);
    for (uint32_t c = u->first[block]; c != HK_PROFILE_NONE && alike; c = u->next[c]) {
        hk_profile_value value = value_in(m, c, name, &own);
        alike = own && same_literal(&value.literal, &one.literal);
    }
    if (alike) {
        *usual = one;
        return;
    }
    for (uint32_t c = u->first[block]; c != HK_PROFILE_NONE; c = u->next[c]) {
        hk_profile_value value = value_in(m, c, name, &own);
        if (own)
            m->values[c][index] = value;
    }
}

static void settle_block(hk_profile_maker *m, const users *u, uint32_t block) {
    hk_profile_variable *variables = add_variables(m, u, block);
    const hk_profile_block *b = (const hk_profile_block *)m->blocks.data + block;
    hk_profile_port *ports = ((hk_profile_port **)m->ports.data)[block];
    hk_profile_instance *instances = m->instances.data;
    for (uint32_t c = u->first[block]; c != HK_PROFILE_NONE; c = u->next[c]) {
        m->values[c] =
            HK_NEW_ARRAY(m->arena, hk_profile_value, b->port_count + b->variable_count + 1);
        instances[m->instance_of[c]].values = m->values[c];
    }
    for (size_t i = 0; i < b->port_count; i++)
        if (!ports[i].output)
            settle(m, u, block, ports[i].name, i, &ports[i].init);
    for (size_t i = 0; i < b->variable_count; i++)
        settle(m, u, block, variables[i].name, b->port_count + i, &variables[i].init);
}

void hk_profile_of_values(hk_profile_maker *m) {
    users u = {HK_NEW_ARRAY(m->arena, uint32_t, m->blocks.count + 1),
               HK_NEW_ARRAY(m->arena, uint32_t, m->model->component_count + 1)};
    const hk_profile_instance *instances = m->instances.data;
    m->values = HK_NEW_ARRAY(m->arena, hk_profile_value *, m->model->component_count + 1);
    memset(u.first, 0xff, (m->blocks.count + 1) * sizeof *u.first);
    for (uint32_t c = (uint32_t)m->model->component_count; c-- > 0;) {
        if (m->instance_of[c] == HK_PROFILE_NONE)
            continue;
        uint32_t block = instances[m->instance_of[c]].block;
        u.next[c] = u.first[block];
        u.first[block] = c;
    }
    for (uint32_t b = 0; b < m->blocks.count; b++)
        if (u.first[b] != HK_PROFILE_NONE)
            settle_block(m, &u, b);
}

/* SPDX-License-Identifier: MIT
 *
 * A multi-model as SysML v2 text: the tree that the printer of the language prints. */
#include "sysml/profile.h"
#include "sysml/sysml_syntax.h"
#include "text/parser.h"

#include <string.h>

typedef struct writer {
    hk_arena *arena;
    const hk_multimodel *profile;
    uint32_t *first, *next; /* per instance: its first part, and the one beside it */
} writer;

/* ---- elements ----------------------------------------------------------------------------------
 */

static hk_sysml_name path_of(writer *w, const char *const *parts, size_t count) {
    const char **kept = HK_NEW_ARRAY(w->arena, const char *, count);
    memcpy(kept, parts, count * sizeof *kept);
    return (hk_sysml_name){.text = parts[0], .parts = kept, .part_count = count};
}

static hk_sysml_name name_of(writer *w, const char *name) {
    return path_of(w, &name, 1);
}

static hk_sysml_expr *text_of(writer *w, const char *text) {
    hk_sysml_expr *e = HK_NEW(w->arena, hk_sysml_expr);
    *e = (hk_sysml_expr){.kind = HK_SYSML_TEXT, .text = text};
    return e;
}

static hk_sysml_expr *item_of(writer *w, const char *type, const char *item) {
    hk_sysml_expr *e = HK_NEW(w->arena, hk_sysml_expr);
    const char *parts[] = {type, item};
    *e = (hk_sysml_expr){.kind = HK_SYSML_NAME, .text = item, .name = path_of(w, parts, 2)};
    return e;
}

static hk_sysml_expr *number_of(writer *w, const char *digits) {
    hk_sysml_expr *e = HK_NEW(w->arena, hk_sysml_expr);
    *e = (hk_sysml_expr){.kind = HK_SYSML_NUMBER, .text = digits};
    if (*digits == '-')
        *e = (hk_sysml_expr){
            .kind = HK_SYSML_MINUS, .text = "", .items = number_of(w, digits + 1), .item_count = 1};
    return e;
}

/* ENUMERATION: the name of the type that a word is an item of. */
static hk_sysml_expr *value_of(writer *w, const hk_literal *l, const char *enumeration) {
    hk_sysml_expr *e = HK_NEW(w->arena, hk_sysml_expr);
    if (l->kind == HK_LITERAL_NUMBER)
        return number_of(w, l->text);
    if (l->kind == HK_LITERAL_TEXT)
        return text_of(w, l->text);
    if (l->kind == HK_LITERAL_WORD)
        return item_of(w, enumeration, l->text);
    if (l->kind == HK_LITERAL_BOOL) {
        *e = (hk_sysml_expr){.kind = HK_SYSML_TRUTH, .text = l->text};
        return e;
    }
    hk_sysml_expr *items = HK_NEW_ARRAY(w->arena, hk_sysml_expr, l->item_count + 1);
    for (size_t i = 0; i < l->item_count; i++)
        items[i] = *value_of(w, &l->items[i], enumeration);
    *e = (hk_sysml_expr){
        .kind = HK_SYSML_LIST, .text = "", .items = items, .item_count = l->item_count};
    return e;
}

static void keep(writer *w, hk_sysml_element *e, hk_list *members) {
    e->has_body = members->count > 0;
    e->member_count = members->count;
    e->members = hk_list_keep(w->arena, members);
}

/* NAME = VALUE; in metadata. */
static void add_given(writer *w, hk_list *to, const char *name, hk_sysml_expr *value) {
    hk_sysml_element e = {.kind = HK_SYSML_REDEFINE, .redefines = name_of(w, name), .value = value};
    hk_list_add(to, &e);
}

/* @NAME { VALUES }; values NULL: none. */
static void add_metadata(writer *w, hk_list *to, const char *name, hk_list *values) {
    hk_sysml_element e = {.kind = HK_SYSML_METADATA, .type = name_of(w, name)};
    if (values)
        keep(w, &e, values);
    hk_list_add(to, &e);
}

static void add_prefix(writer *w, hk_sysml_element *e, const char *word) {
    hk_sysml_name *names = HK_NEW(w->arena, hk_sysml_name);
    *names = name_of(w, word);
    e->prefixes = names;
    e->prefix_count = 1;
}

/* ---- ports and variables -----------------------------------------------------------------------
 */

static void put_size(writer *w, hk_sysml_element *e, const uint32_t *sizes, size_t count) {
    if (!count)
        return;
    e->has_multiplicity = true;
    e->lower = *number_of(w, hk_arena_printf(w->arena, "%u", sizes[0]));
    e->upper = e->lower;
}

static void put_init(writer *w, hk_sysml_element *e, const hk_profile_value *init,
                     const char *type) {
    if (init->literal.kind != HK_LITERAL_NONE)
        e->value = value_of(w, &init->literal, type);
}

static void put_unit(writer *w, hk_list *members, const char *unit) {
    hk_list values = HK_LIST(hk_sysml_element);
    if (!unit)
        return;
    add_given(w, &values, "name", text_of(w, unit));
    add_metadata(w, members, "unit", &values);
}

static void add_port(writer *w, hk_list *to, const hk_profile_port *p) {
    hk_list members = HK_LIST(hk_sysml_element);
    hk_sysml_element e = {.kind = p->shape.type == HK_PROFILE_TYPELESS ? HK_SYSML_ITEM
                                                                       : HK_SYSML_ATTRIBUTE,
                          .direction = p->inout    ? HK_SYSML_INOUT
                                       : p->output ? HK_SYSML_OUT
                                                   : HK_SYSML_IN,
                          .name = p->name,
                          .has_word = true};
    if (p->shape.type_name)
        e.type = name_of(w, p->shape.type_name);
    put_size(w, &e, p->shape.sizes, p->shape.size_count);
    put_init(w, &e, &p->init, p->shape.type_name);
    put_unit(w, &members, p->shape.unit);
    if (p->reactive)
        add_metadata(w, &members, "reactive", NULL);
    if (p->convert)
        add_metadata(w, &members, "convert", NULL);
    keep(w, &e, &members);
    hk_list_add(to, &e);
}

static void add_variable(writer *w, hk_list *to, const hk_profile_variable *v) {
    hk_list members = HK_LIST(hk_sysml_element);
    hk_sysml_element e = {.kind = HK_SYSML_ATTRIBUTE, .name = v->name, .has_word = true};
    if (v->kind != HK_PROFILE_VAR_NO_INIT)
        add_prefix(w, &e, v->kind == HK_PROFILE_PARAMETER ? "parameter" : "varInit");
    if (v->shape.type_name)
        e.type = name_of(w, v->shape.type_name);
    put_size(w, &e, v->shape.sizes, v->shape.size_count);
    put_init(w, &e, &v->init, v->shape.type_name);
    put_unit(w, &members, v->shape.unit);
    keep(w, &e, &members);
    hk_list_add(to, &e);
}

static void add_dependency(writer *w, hk_list *to, const hk_profile_block *b,
                           const hk_profile_port *p) {
    hk_list members = HK_LIST(hk_sysml_element);
    if (!p->depend_count)
        return;
    hk_sysml_name *ends = HK_NEW_ARRAY(w->arena, hk_sysml_name, p->depend_count + 1);
    ends[0] = name_of(w, p->name);
    for (size_t i = 0; i < p->depend_count; i++)
        ends[i + 1] = name_of(w, b->ports[p->depends[i]].name);
    hk_sysml_element e = {
        .kind = HK_SYSML_DEPENDENCY, .ends = ends, .end_count = p->depend_count + 1};
    add_metadata(w, &members, "feedthrough", NULL);
    keep(w, &e, &members);
    hk_list_add(to, &e);
}

/* ---- blocks ------------------------------------------------------------------------------------
 */

static void add_part(writer *w, hk_list *to, const hk_profile_part *part) {
    hk_sysml_element e = {.kind = HK_SYSML_PART,
                          .name = part->name,
                          .has_word = true,
                          .type = name_of(w, part->block_name)};
    if (part->least != 1 || part->most != 1) {
        uint32_t least = part->least;
        put_size(w, &e, &least, 1);
        e.has_range = part->most != part->least;
        e.upper = part->most ? *number_of(w, hk_arena_printf(w->arena, "%u", part->most))
                             : (hk_sysml_expr){.kind = HK_SYSML_STAR, .text = "*"};
    }
    hk_list_add(to, &e);
}

static void add_component(writer *w, hk_list *to, const hk_profile_block *b) {
    hk_list values = HK_LIST(hk_sysml_element);
    if (b->component)
        add_given(w, &values, "kind",
                  item_of(w, "ComponentKind", hk_profile_component_words[b->component]));
    if (b->platform)
        add_given(w, &values, "platform", text_of(w, b->platform));
    if (b->time)
        add_given(w, &values, "modelType", item_of(w, "ModelType", hk_profile_time_words[b->time]));
    if (b->fmu)
        add_given(w, &values, "fmu", text_of(w, b->fmu));
    if (b->type)
        add_given(w, &values, "type", text_of(w, b->type));
    if (b->cycle)
        add_given(w, &values, "cycle", number_of(w, b->cycle));
    bool any = values.count > 0;
    if (any)
        add_metadata(w, to, b->kind == HK_PROFILE_POCOMPONENT ? "POComponent" : "EComponent",
                     &values);
}

static void add_block(writer *w, hk_list *to, const hk_profile_block *b) {
    hk_list members = HK_LIST(hk_sysml_element);
    hk_sysml_element e = {
        .kind = HK_SYSML_PART, .definition = true, .has_word = true, .name = b->name};
    if (hk_profile_marks[b->kind])
        add_prefix(w, &e, hk_profile_marks[b->kind]);
    add_component(w, &members, b);
    for (size_t i = 0; i < b->part_count; i++)
        add_part(w, &members, &b->parts[i]);
    for (size_t i = 0; i < b->variable_count; i++)
        add_variable(w, &members, &b->variables[i]);
    for (size_t i = 0; i < b->port_count; i++)
        add_port(w, &members, &b->ports[i]);
    for (size_t i = 0; i < b->port_count; i++)
        add_dependency(w, &members, b, &b->ports[i]);
    keep(w, &e, &members);
    hk_list_add(to, &e);
}

static void add_enum(writer *w, hk_list *to, const hk_profile_enum *x) {
    hk_list members = HK_LIST(hk_sysml_element);
    hk_sysml_element e = {
        .kind = HK_SYSML_ENUM, .definition = true, .has_word = true, .name = x->name};
    for (size_t i = 0; i < x->item_count; i++) {
        hk_sysml_element item = {.kind = HK_SYSML_ENUM, .name = x->items[i]};
        hk_list_add(&members, &item);
    }
    keep(w, &e, &members);
    hk_list_add(to, &e);
}

/* ---- the system --------------------------------------------------------------------------------
 */

/* "wheel[2]" is one of part wheel : Wheel[4]. */
static bool is_of(const hk_profile_part *part, const char *instance) {
    size_t length = strlen(part->name);
    bool one = part->most == 1;
    return strncmp(part->name, instance, length) == 0 && instance[length] == (one ? '\0' : '[');
}

static const char *member_name(const hk_profile_block *b, size_t index, const char **ret_type) {
    bool port = index < b->port_count;
    *ret_type = port ? b->ports[index].shape.type_name
                     : b->variables[index - b->port_count].shape.type_name;
    return port ? b->ports[index].name : b->variables[index - b->port_count].name;
}

static void add_uses(writer *w, hk_list *to, uint32_t parent);

/* The values of an instance, and of those in it, that are not those of its block. */
static void add_use(writer *w, hk_list *to, uint32_t index, const char *part) {
    const hk_profile_instance *i = &w->profile->instances[index];
    const hk_profile_block *b = &w->profile->blocks[i->block];
    hk_list members = HK_LIST(hk_sysml_element);
    for (size_t k = 0; i->values && k < b->port_count + b->variable_count; k++) {
        const char *type, *member = member_name(b, k, &type);
        hk_sysml_element e = {
            .kind = HK_SYSML_REDEFINE, .has_word = true, .redefines = name_of(w, member)};
        put_init(w, &e, &i->values[k], type);
        if (e.value)
            hk_list_add(&members, &e);
    }
    add_uses(w, &members, index);
    if (!members.count)
        return;
    hk_sysml_element e = {.kind = HK_SYSML_PART, .has_word = true, .redefines = name_of(w, part)};
    keep(w, &e, &members);
    hk_list_add(to, &e);
}

/* Instances come in the order of the parts; those of one part have the values of the first. */
static void add_uses(writer *w, hk_list *to, uint32_t parent) {
    const hk_profile_block *b = &w->profile->blocks[w->profile->instances[parent].block];
    uint32_t last = HK_PROFILE_NONE, part = 0;
    for (uint32_t i = w->first[parent]; i != HK_PROFILE_NONE; i = w->next[i]) {
        while (part < b->part_count && !is_of(&b->parts[part], w->profile->instances[i].name))
            part++;
        HK_ASSERT(part < b->part_count);
        if (part != last)
            add_use(w, to, i, b->parts[part].name);
        last = part;
    }
}

static hk_sysml_name chain_of(writer *w, const hk_profile_end *end) {
    const hk_profile_instance *all = w->profile->instances;
    size_t depth = 1;
    for (uint32_t i = end->instance; all[i].parent != HK_PROFILE_NONE; i = all[i].parent)
        depth++;
    const char **parts = HK_NEW_ARRAY(w->arena, const char *, depth);
    size_t at = depth;
    parts[--at] = w->profile->blocks[all[end->instance].block].ports[end->port].name;
    for (uint32_t i = end->instance; all[i].parent != HK_PROFILE_NONE; i = all[i].parent)
        parts[--at] = all[i].name;
    return (hk_sysml_name){.text = end->chain, .parts = parts, .part_count = depth};
}

static void add_flow(writer *w, hk_list *to, const hk_profile_connection *c) {
    hk_sysml_name *ends = HK_NEW_ARRAY(w->arena, hk_sysml_name, 2);
    ends[0] = chain_of(w, &c->from);
    ends[1] = chain_of(w, &c->to);
    hk_sysml_element e = {.kind = HK_SYSML_FLOW,
                          .name = *c->name ? c->name : NULL,
                          .ends = ends,
                          .end_count = 2,
                          .from_word = true};
    if (c->type_name)
        e.type = name_of(w, c->type_name);
    put_size(w, &e, &c->type_size, c->type_size ? 1 : 0);
    hk_list_add(to, &e);
}

static void add_experiment(writer *w, hk_list *to) {
    const hk_profile_experiment *x = &w->profile->experiment;
    hk_list values = HK_LIST(hk_sysml_element);
    for (size_t i = 0; i < HK_PROFILE_EXPERIMENT_COUNT; i++)
        if (x->texts[i])
            add_given(w, &values, hk_profile_experiment_words[i], number_of(w, x->texts[i]));
    if (values.count)
        add_metadata(w, to, "experiment", &values);
}

static void add_system(writer *w, hk_list *to) {
    const hk_multimodel *p = w->profile;
    hk_list members = HK_LIST(hk_sysml_element);
    hk_sysml_element e = {.kind = HK_SYSML_PART,
                          .has_word = true,
                          .name = p->system_name,
                          .type = name_of(w, p->blocks[p->system].name)};
    w->first = HK_NEW_ARRAY(w->arena, uint32_t, p->instance_count + 1);
    w->next = HK_NEW_ARRAY(w->arena, uint32_t, p->instance_count + 1);
    memset(w->first, 0xff, (p->instance_count + 1) * sizeof *w->first);
    for (uint32_t i = (uint32_t)p->instance_count; i-- > 1;) {
        w->next[i] = w->first[p->instances[i].parent];
        w->first[p->instances[i].parent] = i;
    }
    add_experiment(w, &members);
    add_uses(w, &members, 0);
    for (size_t i = 0; i < p->connection_count; i++)
        add_flow(w, &members, &p->connections[i]);
    keep(w, &e, &members);
    hk_list_add(to, &e);
}

static void add_import(writer *w, hk_list *to, const char *package) {
    hk_sysml_element e = {
        .kind = HK_SYSML_IMPORT, .is_private = true, .type = name_of(w, package), .wildcard = true};
    hk_list_add(to, &e);
}

const char *hk_profile_print(hk_arena *arena, const hk_multimodel *profile) {
    writer w = {.arena = arena, .profile = profile};
    hk_list members = HK_LIST(hk_sysml_element), top = HK_LIST(hk_sysml_element);
    hk_sysml_element package = {.kind = HK_SYSML_PACKAGE, .name = profile->package};
    add_import(&w, &members, "ScalarValues");
    add_import(&w, &members, "CoSim");
    for (size_t i = 0; i < profile->enum_count; i++)
        add_enum(&w, &members, &profile->enums[i]);
    for (size_t i = 0; i < profile->block_count; i++)
        add_block(&w, &members, &profile->blocks[i]);
    if (profile->system != HK_PROFILE_NONE)
        add_system(&w, &members);
    keep(&w, &package, &members);
    hk_list_add(&top, &package);
    hk_sysml_file file = {.member_count = top.count};
    file.members = hk_list_keep(arena, &top);
    return hk_sysml_print(arena, &file);
}

/* SPDX-License-Identifier: MIT
 *
 * From definitions to blocks: kinds, ports, variables, parts, feedthrough. */
#include "base/seconds.h"
#include "sysml/profile_internal.h"

#include <stdlib.h>
#include <string.h>

/* A block that is being made, and the file that it is in. */
typedef struct maker {
    hk_profile_reader *r;
    const char *file;
    hk_profile_block *block;
    hk_list ports, variables, parts;
} maker;

/* ---- types -------------------------------------------------------------------------------------
 */

/* The value behind '=', which must be one of the type. */
static hk_profile_value read_init(maker *m, const hk_sysml_element *e, const hk_profile_shape *t) {
    hk_profile_value value = hk_profile_value_of(m->r, e->value);
    hk_profile_typed typed = {.name = e->name ? e->name : "",
                              .type = t->type,
                              .type_name = t->type_name,
                              .enumeration = t->enumeration,
                              .elements = t->size_count ? t->sizes[0] : 0};
    hk_profile_check_value(m->r, m->file, &typed, e->value, &value);
    return value;
}

static const struct {
    const char *name;
    hk_profile_type type;
} scalar_types[] = {{"Real", HK_PROFILE_REAL},        {"Rational", HK_PROFILE_REAL},
                    {"Integer", HK_PROFILE_INTEGER},  {"Natural", HK_PROFILE_INTEGER},
                    {"Positive", HK_PROFILE_INTEGER}, {"Boolean", HK_PROFILE_BOOLEAN},
                    {"String", HK_PROFILE_STRING}};

/* A whole number above 0; too large a one is UINT32_MAX. */
static bool positive(const hk_sysml_expr *e, uint32_t *ret_number) {
    char *end;
    if (e->kind != HK_SYSML_NUMBER)
        return false;
    unsigned long n = strtoul(e->text, &end, 10);
    *ret_number = n > HK_PROFILE_INSTANCES_MAX ? UINT32_MAX : (uint32_t)n;
    return !*end && n > 0;
}

static void read_sizes(maker *m, const hk_sysml_element *e, hk_profile_shape *t) {
    if (!e->has_multiplicity)
        return;
    uint32_t *size = HK_NEW(m->r->arena, uint32_t);
    if (e->has_range || !positive(&e->lower, size)) {
        hk_profile_error(m->r, m->file, &e->lower.at, NULL,
                         "the size of a port or variable is a whole number above 0");
        *size = 1;
    } else if (*size == UINT32_MAX) {
        hk_profile_error(m->r, m->file, &e->lower.at, NULL,
                         "a port or variable has %d elements at most", HK_PROFILE_INSTANCES_MAX);
        *size = 1;
    }
    t->sizes = size;
    t->size_count = 1;
}

/* @unit { name = "m/s"; }; profile_form.c has looked at it. */
static const char *read_unit(const hk_sysml_element *e) {
    for (size_t i = 0; i < e->member_count; i++) {
        const hk_sysml_element *m = &e->members[i];
        if (m->kind == HK_SYSML_METADATA && strcmp(hk_profile_last(&m->type), "unit") == 0)
            for (size_t k = 0; k < m->member_count; k++)
                if (m->members[k].value)
                    return m->members[k].value->text;
    }
    return NULL;
}

/* A name that means the definition at INDEX of DEFINED. */
static void check_owner(maker *m, const hk_sysml_name *name, const hk_list *defined,
                        uint32_t index) {
    const hk_profile_source *source = (const hk_profile_source *)defined->data + index;
    hk_profile_check_qualifiers(m->r, m->file, name, source->package);
}

static hk_profile_shape read_typing(maker *m, const hk_sysml_element *e) {
    hk_profile_shape t = {.type = HK_PROFILE_TYPELESS, .enumeration = HK_PROFILE_NONE};
    read_sizes(m, e, &t);
    t.unit = read_unit(e);
    if (!e->type.part_count)
        return t;
    const char *name = hk_profile_last(&e->type);
    t.type_name = name;
    for (size_t i = 0; i < sizeof scalar_types / sizeof *scalar_types; i++)
        if (strcmp(scalar_types[i].name, name) == 0) {
            t.type = scalar_types[i].type;
            hk_profile_check_qualifiers(m->r, m->file, &e->type, "ScalarValues");
            return t;
        }
    t.enumeration = hk_map_get(&m->r->enum_names, name);
    t.type = t.enumeration == HK_MAP_NONE ? HK_PROFILE_UNKNOWN : HK_PROFILE_ENUM;
    if (t.type == HK_PROFILE_UNKNOWN) {
        const char *hint = hk_profile_suggest(m->r, &m->r->enum_names, name);
        hk_profile_error(m->r, m->file, &e->type.at,
                         hint ? hint
                              : "types are Real, Integer, Natural, Positive, Boolean, String and "
                                "enumerations",
                         "there is no type '%s'", name);
    } else {
        check_owner(m, &e->type, &m->r->enums, t.enumeration);
    }
    return t;
}

/* ---- members -----------------------------------------------------------------------------------
 */

static void declare(maker *m, const char *name, const hk_place *at, uint32_t index) {
    if (hk_map_put(&m->block->by_name, name, index) != index)
        hk_profile_error(m->r, m->file, at, NULL, "'%s' is declared twice in '%s'", name,
                         m->block->name);
}

static void add_port(maker *m, const hk_sysml_element *e, const char *name,
                     hk_sysml_direction direction) {
    hk_profile_shape t = read_typing(m, e);
    hk_profile_port port = {.name = name,
                            .output = direction == HK_SYSML_OUT,
                            .inout = direction == HK_SYSML_INOUT,
                            .shape = t,
                            .init = read_init(m, e, &t),
                            .reactive = hk_profile_marked(e, "reactive"),
                            .convert = hk_profile_marked(e, "convert"),
                            .at = e->name_at};
    hk_list_add(&m->ports, &port);
}

static hk_sysml_direction reverse(hk_sysml_direction d) {
    return d == HK_SYSML_IN ? HK_SYSML_OUT : d == HK_SYSML_OUT ? HK_SYSML_IN : d;
}

/* port p : P; has the directed features of P as ports "p.a". */
static void add_bundle(maker *m, const hk_sysml_element *e) {
    const char *type = hk_profile_last(&e->type);
    uint32_t index = hk_map_get(&m->r->port_names, type);
    if (index == HK_MAP_NONE) {
        hk_profile_error(m->r, m->file, e->type.part_count ? &e->type.at : &e->at,
                         hk_profile_suggest(m->r, &m->r->port_names, type),
                         "there is no port definition '%s'", type);
        return;
    }
    if (e->has_multiplicity)
        hk_profile_error(m->r, m->file, &e->lower.at, "declare each of them by a name of its own",
                         "a port of a port definition is one, and has no multiplicity");
    check_owner(m, &e->type, &m->r->ports, index);
    const hk_profile_source *source = (const hk_profile_source *)m->r->ports.data + index;
    const char *file = m->file;
    m->file = source->file;
    for (size_t i = 0; i < source->element->member_count; i++) {
        const hk_sysml_element *f = &source->element->members[i];
        bool flows = f->name && f->direction != HK_SYSML_UNDIRECTED;
        if (!flows && f->kind != HK_SYSML_DOC && f->kind != HK_SYSML_METADATA)
            hk_profile_error(m->r, m->file, &f->at, "write 'in' or 'out' before it",
                             "a port definition holds what flows in and out, and nothing else");
        if (flows)
            add_port(m, f, hk_arena_printf(m->r->arena, "%s.%s", e->name ? e->name : "", f->name),
                     e->conjugated ? reverse(f->direction) : f->direction);
    }
    m->file = file;
}

static void add_variable(maker *m, const hk_sysml_element *e) {
    hk_profile_shape t = read_typing(m, e);
    hk_profile_variable_kind kind = hk_profile_marked(e, "parameter") ? HK_PROFILE_PARAMETER
                                    : hk_profile_marked(e, "varInit") ? HK_PROFILE_VAR_INIT
                                                                      : HK_PROFILE_VAR_NO_INIT;
    hk_profile_variable variable = {
        .name = e->name, .kind = kind, .shape = t, .init = read_init(m, e, &t), .at = e->name_at};
    hk_list_add(&m->variables, &variable);
}

static void add_part(maker *m, const hk_sysml_element *e) {
    const char *type = hk_profile_last(&e->type);
    hk_profile_part part = {.name = e->name,
                            .block = hk_map_get(&m->r->block_names, type),
                            .block_name = type,
                            .least = 1,
                            .most = 1,
                            .at = e->name_at};
    if (part.block == HK_MAP_NONE)
        hk_profile_error(m->r, m->file, e->type.part_count ? &e->type.at : &e->name_at,
                         hk_profile_suggest(m->r, &m->r->block_names, type),
                         e->type.part_count ? "there is no block '%s'" : "part '%s' has no type",
                         e->type.part_count ? type : e->name);
    else
        check_owner(m, &e->type, &m->r->blocks, part.block);
    if (e->has_multiplicity) {
        bool any = e->upper.kind == HK_SYSML_STAR;
        bool zero = e->lower.kind == HK_SYSML_NUMBER && strcmp(e->lower.text, "0") == 0;
        part.least = 0;
        part.most = 0;
        if ((!zero && e->lower.kind != HK_SYSML_STAR && !positive(&e->lower, &part.least)) ||
            (!any && !positive(&e->upper, &part.most)))
            hk_profile_error(m->r, m->file, &e->lower.at, NULL,
                             "a multiplicity is [n], [a..b] or [a..*] with whole numbers");
        else if (part.least == UINT32_MAX || part.most == UINT32_MAX)
            hk_profile_error(m->r, m->file, &e->lower.at, NULL,
                             "a multiplicity is %d at most: a system has no more instances",
                             HK_PROFILE_INSTANCES_MAX);
        if (part.least == UINT32_MAX || part.most == UINT32_MAX)
            part.least = part.most = 1; /* was reported */
    }
    hk_list_add(&m->parts, &part);
}

/* Which of WORDS, items of the enumeration TYPE, the value is, by its number; 0: it is none of
 * them, which is reported. The first word is none. */
static int read_item(maker *m, const hk_sysml_element *v, const char *type,
                     const char *const *words, int count) {
    const char *item =
        v->value && v->value->kind == HK_SYSML_NAME ? hk_profile_last(&v->value->name) : "";
    const char *list = "";
    for (int i = 1; i < count; i++) {
        list = hk_arena_printf(m->r->arena, "%s%s%s::%s", list, i > 1 ? ", " : "", type, words[i]);
        if (strcmp(words[i], item) == 0) {
            hk_profile_check_qualifiers(m->r, m->file, &v->value->name,
                                        hk_arena_printf(m->r->arena, "CoSim::%s", type));
            return i;
        }
    }
    hk_profile_error(m->r, m->file, v->value ? &v->value->at : &v->at, NULL,
                     "'%s' of '%s' is one of %s", hk_profile_last(&v->redefines), m->block->name,
                     list);
    return 0;
}

/* A text in quotes, or (NUMBER) a number; NULL: it is something else, which is reported. */
static const char *read_text(maker *m, const hk_sysml_element *v, bool number) {
    const hk_sysml_expr *e = v->value;
    if (e && e->kind == (number ? HK_SYSML_NUMBER : HK_SYSML_TEXT))
        return e->text;
    if (e && number && e->kind == HK_SYSML_MINUS)
        return hk_arena_printf(m->r->arena, "-%s", e->items->text);
    hk_profile_error(m->r, m->file, e ? &e->at : &v->at, NULL, "'%s' of '%s' is %s",
                     hk_profile_last(&v->redefines), m->block->name,
                     number ? "a number of seconds, without quotes" : "a text in double quotes");
    return NULL;
}

/* Where the text of BLOCK is that the value called NAME of its metadata gives; NULL: it is not one
 * of these. */
static const char **text_of_component(hk_profile_block *b, const char *name) {
    const struct {
        const char *name, **text;
    } texts[] = {
        {"platform", &b->platform}, {"fmu", &b->fmu}, {"type", &b->type}, {"cycle", &b->cycle}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(texts[i].name, name) == 0)
            return texts[i].text;
    return NULL;
}

static void read_component(maker *m, const hk_sysml_element *e) {
    for (size_t i = 0; i < e->member_count; i++) {
        const hk_sysml_element *v = &e->members[i];
        const char *name = hk_profile_last(&v->redefines);
        const char **text = text_of_component(m->block, name);
        if (strcmp(name, "kind") == 0)
            m->block->component = (hk_profile_component)read_item(
                m, v, "ComponentKind", hk_profile_component_words, HK_PROFILE_COMPONENTS);
        else if (strcmp(name, "modelType") == 0)
            m->block->time = (hk_profile_time)read_item(m, v, "ModelType", hk_profile_time_words,
                                                        HK_PROFILE_TIMES);
        else if (text)
            *text = read_text(m, v, strcmp(name, "cycle") == 0);
        hk_ratio cycle;
        bool meant;
        if (text == &m->block->cycle && *text &&
            (!hk_seconds_parse(*text, &cycle, &meant) || cycle.num <= 0))
            hk_profile_error(m->r, m->file, &v->value->at, NULL,
                             "the cycle of '%s', %s s, is not a time above 0", m->block->name,
                             *text);
    }
}

static void read_member(maker *m, const hk_sysml_element *e) {
    bool directed = e->direction != HK_SYSML_UNDIRECTED;
    if (e->kind == HK_SYSML_METADATA) {
        const char *name = hk_profile_last(&e->type);
        if (strcmp(name, "EComponent") == 0 || strcmp(name, "POComponent") == 0)
            read_component(m, e);
    } else if ((e->kind == HK_SYSML_ATTRIBUTE || e->kind == HK_SYSML_ITEM) && !e->name) {
        hk_profile_error(m->r, m->file, &e->at, NULL, "a port or variable of '%s' has no name",
                         m->block->name);
    } else if ((e->kind == HK_SYSML_ATTRIBUTE || e->kind == HK_SYSML_ITEM) && directed) {
        add_port(m, e, e->name, e->direction);
    } else if (e->kind == HK_SYSML_ATTRIBUTE) {
        add_variable(m, e);
    } else if (e->kind == HK_SYSML_PORT) {
        add_bundle(m, e);
    } else if (e->kind == HK_SYSML_PART && e->name) {
        add_part(m, e);
    } else if (e->kind == HK_SYSML_ITEM) {
        hk_profile_error(m->r, m->file, &e->at, "write 'in item' or 'out item'",
                         "item '%s' has no direction", e->name);
    }
    /* flows, connections and dependencies are read when all names are known */
}

/* ---- feedthrough -------------------------------------------------------------------------------
 */

static uint32_t find_port(maker *m, const hk_sysml_name *name) {
    uint32_t index = hk_map_get(&m->block->by_name, name->text);
    if (index != HK_MAP_NONE && index < m->block->port_count)
        return index;
    hk_profile_error(m->r, m->file, &name->at,
                     hk_profile_suggest(m->r, &m->block->by_name, name->text),
                     "there is no port '%s' in '%s'", name->text, m->block->name);
    return HK_PROFILE_NONE;
}

static void read_dependency(maker *m, const hk_sysml_element *e) {
    hk_profile_port *ports = m->ports.data;
    uint32_t from = find_port(m, &e->ends[0]);
    if (from == HK_PROFILE_NONE)
        return;
    uint32_t *on = HK_NEW_ARRAY(m->r->arena, uint32_t, ports[from].depend_count + e->end_count);
    size_t count = ports[from].depend_count;
    if (count)
        memcpy(on, ports[from].depends, count * sizeof *on);
    for (size_t i = 1; i < e->end_count; i++) {
        uint32_t to = find_port(m, &e->ends[i]);
        if (to != HK_PROFILE_NONE)
            on[count++] = to;
    }
    ports[from].depends = on;
    ports[from].depend_count = count;
    ports[from].depends_said = true;
}

/* ---- blocks ------------------------------------------------------------------------------------
 */

static hk_profile_kind kind_of(const hk_sysml_element *e) {
    for (int i = HK_PROFILE_SYSTEM; i < HK_PROFILE_KINDS; i++)
        if (hk_profile_marked(e, hk_profile_marks[i]))
            return (hk_profile_kind)i;
    return HK_PROFILE_PLAIN;
}

static void name_members(maker *m) {
    hk_profile_port *ports = m->ports.data;
    hk_profile_variable *variables = m->variables.data;
    for (size_t i = 0; i < m->ports.count; i++)
        declare(m, ports[i].name, &ports[i].at, (uint32_t)i);
    for (size_t i = 0; i < m->variables.count; i++)
        declare(m, variables[i].name, &variables[i].at, (uint32_t)(m->ports.count + i));
}

static void make_block(hk_profile_reader *r, const hk_profile_source *source,
                       hk_profile_block *block) {
    const hk_sysml_element *e = source->element;
    maker m = {.r = r,
               .file = source->file,
               .block = block,
               .ports = HK_LIST(hk_profile_port),
               .variables = HK_LIST(hk_profile_variable),
               .parts = HK_LIST(hk_profile_part)};
    *block = (hk_profile_block){
        .kind = kind_of(e), .name = e->name ? e->name : "", .file = source->file, .at = e->at};
    for (size_t i = 0; i < e->member_count; i++)
        read_member(&m, &e->members[i]);
    block->port_count = m.ports.count;
    block->variable_count = m.variables.count;
    block->part_count = m.parts.count;
    name_members(&m);
    for (size_t i = 0; i < e->member_count; i++)
        if (e->members[i].kind == HK_SYSML_DEPENDENCY && e->members[i].end_count > 1)
            read_dependency(&m, &e->members[i]);
    block->ports = hk_list_keep(r->arena, &m.ports);
    block->variables = hk_list_keep(r->arena, &m.variables);
    block->parts = hk_list_keep(r->arena, &m.parts);
}

static void make_enum(hk_profile_reader *r, const hk_profile_source *source,
                      hk_profile_enum *ret_enum) {
    const hk_sysml_element *e = source->element;
    hk_list items = HK_LIST(const char *);
    for (size_t i = 0; i < e->member_count; i++)
        if (e->members[i].kind == HK_SYSML_ENUM && e->members[i].name)
            hk_list_add(&items, &e->members[i].name);
    *ret_enum = (hk_profile_enum){.name = e->name, .item_count = items.count, .at = e->at};
    ret_enum->file = source->file;
    ret_enum->items = hk_list_keep(r->arena, &items);
}

void hk_profile_make_blocks(hk_profile_reader *r) {
    hk_profile_block *blocks = HK_NEW_ARRAY(r->arena, hk_profile_block, r->blocks.count + 1);
    hk_profile_enum *enums = HK_NEW_ARRAY(r->arena, hk_profile_enum, r->enums.count + 1);
    const hk_profile_source *sources = r->blocks.data, *enum_sources = r->enums.data;
    for (size_t i = 0; i < r->enums.count; i++)
        make_enum(r, &enum_sources[i], &enums[i]);
    for (size_t i = 0; i < r->blocks.count; i++)
        make_block(r, &sources[i], &blocks[i]);
    r->profile->blocks = blocks;
    r->profile->block_count = r->blocks.count;
    r->profile->enums = enums;
    r->profile->enum_count = r->enums.count;
}

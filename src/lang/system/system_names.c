/* SPDX-License-Identifier: MIT
 *
 * What paths in a system name: ports of the composite they are in, and ports of what it contains.
 */
#include "lang/system/system_internal.h"

#include <string.h>

/* ---- fields -----------------------------------------------------------------------------------
 */

/* Reads "[2]" or "[2,3]" at *TEXT: the number of the element. */
static bool read_index(const hk_lang_type *type, const char **text, size_t *ret_number) {
    const char *at = *text;
    size_t number = 0;
    for (size_t d = 0; d < type->dim_count; d++) {
        size_t value = 0;
        if (*at++ != (d ? ',' : '[') || *at < '0' || *at > '9')
            return false;
        for (; *at >= '0' && *at <= '9'; at++)
            value = value <= type->dims[d] ? 10 * value + (size_t)(*at - '0') : value;
        if (value < 1 || value > type->dims[d])
            return false;
        number = number * type->dims[d] + value - 1;
    }
    if (*at++ != ']')
        return false;
    *text = at;
    *ret_number = number;
    return true;
}

bool hk_system_select(const hk_lang_type *type, const char *rest, const hk_lang_type **ret_type,
                      size_t *ret_first, size_t *ret_count, hk_slice *ret_slice) {
    size_t first = 0;
    hk_slice slice = {0};
    while (*rest) {
        size_t number;
        if (type->kind == HK_LANG_ARRAY && !*type->parts[0].name) {
            /* An array of basic values is one variable. */
            if (!ret_slice || !read_index(type, &rest, &number))
                return false;
            slice = (hk_slice){(uint32_t)number, 1};
            type = type->element;
        } else if (type->kind == HK_LANG_ARRAY) {
            if (!read_index(type, &rest, &number))
                return false;
            first += number * type->element->part_count;
            type = type->element;
        } else if (type->kind == HK_LANG_RECORD) {
            size_t length = strcspn(rest, ".["), i = 0;
            while (i < type->field_count && (strlen(type->fields[i].name) != length ||
                                             memcmp(type->fields[i].name, rest, length) != 0))
                first += type->fields[i++].type->part_count;
            if (i == type->field_count)
                return false;
            type = type->fields[i].type;
            rest += length;
        } else {
            return false;
        }
        rest += *rest == '.';
    }
    *ret_type = type;
    *ret_first = first;
    *ret_count = type->part_count;
    if (ret_slice)
        *ret_slice = slice;
    return true;
}

/* ---- members of leaves ------------------------------------------------------------------------
 */

hk_leafmember *hk_system_find_member(hk_system *s, hk_leafkind *kind, const char *path,
                                     const char **ret_rest) {
    uint32_t index = hk_map_get(&kind->by_name, path);
    *ret_rest = "";
    if (index != HK_MAP_NONE)
        return &kind->members[index];
    /* The longest beginning that is a member: names in FMUs have dots and brackets. */
    char *head = hk_arena_strdup(s->arena, path);
    for (size_t i = strlen(path); i-- > 0;) {
        if (path[i] != '.' && path[i] != '[')
            continue;
        head[i] = '\0';
        index = hk_map_get(&kind->by_name, head);
        if (index == HK_MAP_NONE)
            continue;
        *ret_rest = path + i + (path[i] == '.');
        return &kind->members[index];
    }
    return NULL;
}

const char *hk_system_closest_member(hk_system *s, const hk_leafkind *kind, const char *word) {
    enum { SHOWN_MAX = 12 };
    if (!hk_complaints_may_suggest(&s->complaints))
        return NULL;
    const char **names = HK_NEW_ARRAY(s->arena, const char *, kind->member_count + 1);
    const char *list = "it has";
    for (size_t i = 0; i < kind->member_count; i++) {
        names[i] = kind->members[i].name;
        if (i < SHOWN_MAX)
            list = hk_arena_printf(s->arena, "%s%s '%s'", list, i ? "," : "", names[i]);
    }
    const char *hint =
        hk_complaint_suggest(&s->complaints, s->arena, word, names, kind->member_count);
    if (hint || !kind->member_count)
        return hint;
    return kind->member_count > SHOWN_MAX ? hk_arena_printf(s->arena, "%s, ...", list) : list;
}

/* ---- ends of links ----------------------------------------------------------------------------
 */

static const char *closest_in_scope(hk_system *s, const hk_scope *scope, const char *word) {
    if (!hk_complaints_may_suggest(&s->complaints))
        return NULL;
    const char **names = HK_NEW_ARRAY(s->arena, const char *, scope->member_count + 1);
    for (size_t i = 0; i < scope->member_count; i++)
        names[i] = scope->members[i].name;
    return hk_complaint_suggest(&s->complaints, s->arena, word, names, scope->member_count);
}

/* NULL: there is none, which is reported; or the parser has missed the name. */
static hk_member *find_member(hk_system *s, hk_scope *scope, const hk_name *path,
                              const char **ret_rest) {
    size_t length = strcspn(path->text, ".");
    if (!*path->text)
        return NULL;
    const char *head =
        path->text[length] ? hk_arena_strndup(s->arena, path->text, length) : path->text;
    uint32_t index = hk_map_get(&scope->by_name, head);
    *ret_rest = path->text + length + (path->text[length] == '.');
    if (index == HK_MAP_NONE && strchr(head, '[')) { /* a port that is an array: "points[2].x" */
        length = strcspn(path->text, "[");
        index = hk_map_get(&scope->by_name, hk_arena_strndup(s->arena, path->text, length));
        *ret_rest = path->text + length;
        if (index != HK_MAP_NONE && scope->members[index].kind != HK_MEMBER_PORT)
            index = HK_MAP_NONE;
    }
    if (index != HK_MAP_NONE)
        return &scope->members[index];
    if (scope->unsure)
        return NULL;
    hk_complain(&s->complaints, HK_E_NAME, hk_system_where(s, &path->at),
                closest_in_scope(s, scope, head), "there is no '%s' in %s", head,
                hk_scope_text(s, scope));
    return NULL;
}

static bool no_field(hk_system *s, const hk_name *name, const hk_lang_type *type,
                     const char *rest) {
    const char *hint = NULL;
    if (type->kind == HK_LANG_ARRAY) {
        const char *first = "", *last = "";
        for (size_t i = 0; i < type->dim_count; i++) {
            first = hk_arena_printf(s->arena, "%s%s1", first, i ? "," : "");
            last = hk_arena_printf(s->arena, "%s%s%zu", last, i ? "," : "", type->dims[i]);
        }
        hint = hk_arena_printf(s->arena, "its elements are [%s] to [%s]%s", first, last,
                               !type->part_count || *type->parts[0].name
                                   ? ""
                                   : ", which can be linked from leaf to leaf only");
    }
    hk_complain(&s->complaints, HK_E_NAME, hk_system_where(s, &name->at), hint,
                "'%s' has no %s '%s'", type->name, *rest == '[' ? "element" : "field", rest);
    return false;
}

static bool end_of_port(hk_system *s, hk_compositeport *port, const char *rest, bool own,
                        const hk_name *name, hk_end *ret_end) {
    if (port->broken)
        return false;
    hk_end end = {.name = name,
                  .role = port->role,
                  .own = own,
                  .leaf = HK_MAP_NONE,
                  .port = port,
                  .whole = port->var.type,
                  .unit = port->var.unit,
                  .frame = port->var.frame};
    if (own)
        port->inside = true;
    else
        port->outside = true;
    if (end.whole &&
        !hk_system_select(end.whole, rest, &end.type, &end.first_part, &end.part_count, NULL))
        return no_field(s, name, end.whole, rest);
    *ret_end = end;
    return true;
}

static bool end_of_leaf(hk_system *s, uint32_t index, const char *path, const hk_name *name,
                        hk_end *ret_end) {
    hk_leafnode *leaf = &s->leaves[index];
    const char *rest;
    if (!leaf->kind)
        return false;
    hk_where where = hk_system_where(s, &name->at);
    if (!*path) {
        hk_complain(&s->complaints, HK_E_CONNECTION, where, "write leaf.port",
                    "'%s' is a leaf, not one of its ports", name->text);
        return false;
    }
    hk_leafmember *member = hk_system_find_member(s, leaf->kind, path, &rest);
    if (!member) {
        if (!leaf->kind->broken)
            hk_complain(&s->complaints, HK_E_NAME, where,
                        hk_system_closest_member(s, leaf->kind, path),
                        "'%s' has no port or interface '%s'", leaf->kind->name, path);
        return false;
    }
    hk_end end = {.name = name,
                  .role = member->role,
                  .leaf = index,
                  .member = member,
                  .whole = member->type,
                  .unit = member->unit,
                  .frame = member->frame};
    if (end.whole &&
        !hk_system_select(end.whole, rest, &end.type, &end.first_part, &end.part_count, &end.slice))
        return no_field(s, name, end.whole, rest);
    *ret_end = end;
    return true;
}

static bool end_of_scope(hk_system *s, hk_scope *scope, const char *path, const hk_name *name,
                         hk_end *ret_end) {
    hk_where where = hk_system_where(s, &name->at);
    const char *rest;
    if (!*path) {
        hk_complain(&s->complaints, HK_E_CONNECTION, where, "write composite.port",
                    "'%s' is a composite, not one of its ports", name->text);
        return false;
    }
    hk_name inner = {.text = path, .at = name->at};
    hk_member *member = find_member(s, scope, &inner, &rest);
    if (!member)
        return false;
    if (member->kind == HK_MEMBER_PORT)
        return end_of_port(s, member->port, rest, false, name, ret_end);
    hk_complain(&s->complaints, HK_E_CONNECTION, where,
                "give the composite a port, and link it inside",
                "'%s' is inside %s, which is reached through its ports only", member->name,
                hk_scope_text(s, scope));
    return false;
}

const hk_worldnode *hk_system_world_node(const hk_system *s, const hk_scope *scope,
                                         const hk_worlddecl *world) {
    uint32_t index = hk_map_get(&scope->by_name, world->name.text);
    const hk_member *member = index == HK_MAP_NONE ? NULL : &scope->members[index];
    return member && member->kind == HK_MEMBER_LEAF ? s->leaves[member->leaf].world : NULL;
}

/* The leaf of an entity that *REST begins with, or the world itself. */
static uint32_t inner_leaf(const hk_system *s, uint32_t leaf, const char **rest) {
    const hk_worldnode *world = s->leaves[leaf].world;
    for (size_t i = 0; world && i < world->inner_count; i++) {
        const hk_worldinner *inner = &world->inner[i];
        size_t length = strlen(inner->name);
        char behind = strncmp(*rest, inner->name, length) == 0 ? (*rest)[length] : 'x';
        if (behind && behind != '.')
            continue;
        *rest += length + (behind == '.');
        return inner->leaf;
    }
    return leaf;
}

bool hk_system_find_end(hk_system *s, hk_scope *scope, const hk_name *name, hk_end *ret_end) {
    const char *rest;
    hk_member *member = find_member(s, scope, name, &rest);
    if (!member)
        return false;
    if (member->kind == HK_MEMBER_PORT)
        return end_of_port(s, member->port, rest, true, name, ret_end);
    if (member->kind == HK_MEMBER_LEAF) {
        uint32_t leaf = inner_leaf(s, member->leaf, &rest);
        return end_of_leaf(s, leaf, rest, name, ret_end);
    }
    return end_of_scope(s, member->scope, rest, name, ret_end);
}

/* ---- paths to leaves --------------------------------------------------------------------------
 */

/* Walks down composites as far as they go; the last member that was found. */
static hk_member *descend(hk_system *s, hk_scope *scope, const hk_name *name,
                          const char **ret_rest) {
    hk_name at = *name;
    for (;;) {
        hk_member *member = find_member(s, scope, &at, ret_rest);
        if (!member || member->kind != HK_MEMBER_SCOPE || !**ret_rest)
            return member;
        scope = member->scope;
        at.text = *ret_rest;
    }
}

bool hk_system_find_parameter(hk_system *s, hk_scope *scope, const hk_name *name, hk_end *ret_end) {
    const char *rest;
    hk_member *member = descend(s, scope, name, &rest);
    if (!member)
        return false;
    if (member->kind != HK_MEMBER_LEAF) {
        hk_complain(&s->complaints, HK_E_PARAMETER, hk_system_where(s, &name->at),
                    "write leaf.parameter", "'%s' is not a parameter of a leaf", name->text);
        return false;
    }
    uint32_t leaf = inner_leaf(s, member->leaf, &rest);
    if (!end_of_leaf(s, leaf, rest, name, ret_end))
        return false;
    if (ret_end->slice.count)
        return no_field(s, name, ret_end->whole, name->text);
    if (ret_end->role == HK_ROLE_PARAMETER)
        return true;
    hk_complain(&s->complaints, HK_E_PARAMETER, hk_system_where(s, &name->at),
                "only parameters are shared; data goes through links", "'%s' is not a parameter",
                name->text);
    return false;
}

bool hk_system_find_leaves(hk_system *s, hk_scope *scope, const hk_name *name, uint32_t *ret_first,
                           uint32_t *ret_count) {
    const char *rest;
    hk_member *member = descend(s, scope, name, &rest);
    if (!member)
        return false;
    bool leaf = member->kind == HK_MEMBER_LEAF;
    uint32_t index = leaf ? inner_leaf(s, member->leaf, &rest) : HK_MAP_NONE;
    if (member->kind == HK_MEMBER_PORT || *rest) {
        hk_complain(&s->complaints, HK_E_NAME, hk_system_where(s, &name->at),
                    "name a leaf or a composite", "'%s' is not a component", name->text);
        return false;
    }
    *ret_first = leaf ? index : member->scope->first_leaf;
    *ret_count = leaf ? 1 : member->scope->leaf_count;
    return true;
}

bool hk_system_find_leaf(hk_system *s, hk_scope *scope, const hk_name *name, uint32_t *ret_leaf) {
    const char *rest;
    hk_member *member = descend(s, scope, name, &rest);
    if (!member)
        return false;
    uint32_t leaf =
        member->kind == HK_MEMBER_LEAF ? inner_leaf(s, member->leaf, &rest) : HK_MAP_NONE;
    if (member->kind != HK_MEMBER_LEAF || *rest) {
        bool port = member->kind == HK_MEMBER_LEAF;
        hk_complain(&s->complaints, HK_E_NAME, hk_system_where(s, &name->at),
                    port ? "name the leaf alone" : "name a leaf inside it", "'%s' is not a leaf",
                    name->text);
        return false;
    }
    *ret_leaf = leaf;
    return s->leaves[leaf].kind != NULL;
}

/* ---- what an end is made of -------------------------------------------------------------------
 */

hk_flat_end hk_end_flat(const hk_system *s, const hk_end *end, size_t part) {
    size_t index = end->first_part + part;
    if (end->port) {
        uint32_t node = end->port->first + (uint32_t)index;
        return (hk_flat_end){
            .is_node = true, .node = node, .connector = s->flat.nodes[node].connector};
    }
    const hk_leafnode *leaf = &s->leaves[end->leaf];
    uint32_t variable = end->member->variables[index];
    return (hk_flat_end){
        .at = {leaf->component, variable, end->slice.first, end->slice.count, NULL},
        .name = leaf->kind->info->variables[variable].name,
        .frame = leaf->kind->frames ? leaf->kind->frames[variable] : NULL,
        .delay = leaf->delay,
        .lag = s->slots[leaf->first_slot + variable].lag};
}

const char *hk_end_unit(const hk_end *end, size_t part) {
    const char *unit = end->whole->parts[end->first_part + part].unit;
    return unit ? unit : end->unit;
}

const char *hk_end_frame(const hk_end *end, size_t part) {
    const char *frame = end->whole->parts[end->first_part + part].frame;
    return frame ? frame : end->frame;
}

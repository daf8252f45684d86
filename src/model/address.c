/* SPDX-License-Identifier: MIT */
#include "model/address.h"

#include "base/number.h"

#include <string.h>

enum { DIMS_MAX = 32 };

bool hk_variable_is_array(const hk_variable *v) {
    return v->dim_count > 0 || v->count > 1;
}

size_t hk_index_size(const hk_variable *v) {
    return (v->dim_count + 1) * (HK_NUMBER_MAX + 1) + 2;
}

void hk_index_write(const hk_variable *v, size_t element, char *buffer) {
    size_t dims = v->dim_count ? v->dim_count : 1;
    size_t below = 1; /* elements that one step of the present index spans */
    for (size_t d = 1; d < dims; d++)
        below *= v->dims[d];
    char *p = buffer;
    for (size_t d = 0; d < dims; d++) {
        *p++ = d ? ',' : '[';
        p += hk_write_u64(below ? element / below + 1 : 1, p);
        element = below ? element % below : 0;
        if (d + 1 < dims)
            below = v->dims[d + 1] ? below / v->dims[d + 1] : 0;
    }
    *p++ = ']';
    *p = '\0';
}

/* Reads the indices of "[2,1]" (all of TEXT, which ends there); 0: it is not such a list. */
static size_t read_indices(const char *text, uint64_t indices[DIMS_MAX]) {
    size_t length = strlen(text), count = 0;
    if (length < 3 || text[0] != '[' || text[length - 1] != ']')
        return 0;
    const char *end = text + length - 1;
    for (const char *at = text + 1; at <= end; count++) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        size_t part = (size_t)((comma ? comma : end) - at);
        if (count == DIMS_MAX || !hk_read_u64(at, part, &indices[count]) || indices[count] < 1)
            return 0;
        at += part + 1;
    }
    return count;
}

static bool find_element(const hk_variable *v, const char *brackets, uint32_t *ret_element) {
    uint64_t indices[DIMS_MAX];
    size_t count = read_indices(brackets, indices), element = 0;
    if (!count || !hk_variable_is_array(v))
        return false;
    if (count == 1 || !v->dim_count) {
        if (count > 1 || indices[0] > v->count)
            return false;
        *ret_element = (uint32_t)(indices[0] - 1);
        return true;
    }
    if (count != v->dim_count)
        return false;
    for (size_t d = 0; d < count; d++) {
        if (indices[d] > v->dims[d])
            return false;
        element = element * v->dims[d] + (size_t)indices[d] - 1;
    }
    *ret_element = (uint32_t)element;
    return true;
}

/* Looks up what is before the last bracket in a map; NULL: there is no bracket. */
static const char *split(const hk_map *names, const char *name, uint32_t *ret_index) {
    const char *bracket = strrchr(name, '[');
    if (!bracket || bracket == name)
        return NULL;
    size_t length = (size_t)(bracket - name);
    char *head = hk_alloc(length + 1);
    memcpy(head, name, length);
    *ret_index = hk_map_get(names, head);
    hk_free(head);
    return *ret_index == HK_MAP_NONE ? NULL : bracket;
}

bool hk_info_address(const hk_info *info, const char *name, hk_address *ret_address) {
    hk_address a = {.variable = hk_info_find(info, name)};
    if (a.variable == HK_MAP_NONE) {
        const char *brackets = split(&info->by_name, name, &a.variable);
        if (!brackets || !find_element(&info->variables[a.variable], brackets, &a.element))
            return false;
        a.count = 1;
    }
    *ret_address = a;
    return true;
}

/* Why a connector of the outermost system is not a variable; NULL: it is none, or it is one. */
static const char *why_no_variable(const hk_model *model, const char *path) {
    if (hk_model_inlet(model, path))
        return "this input of the system can be set and driven only: it is not one variable; use "
               "the inputs of the components themselves";
    size_t length = strlen(path);
    for (size_t i = 0; i < model->inlet_count; i++)
        if (strncmp(model->inlets[i].name, path, length) == 0 &&
            model->inlets[i].name[length] == '[')
            return "connections take single elements of this input of the system: set these, by "
                   "'name[1]' and so on";
    if (hk_model_shown(model, path))
        return "this output of the system can be looked at only: it is made from a variable of a "
               "component; use that variable";
    return NULL;
}

const char *hk_model_why_not(const hk_model *model, const char *path) {
    const char *connector = why_no_variable(model, path);
    if (connector)
        return connector;
    for (size_t i = 0; i < model->component_count; i++) {
        const hk_component *c = &model->components[i];
        size_t length = strlen(c->name);
        const char *why = hk_model_is_single(model) ? hk_info_why_not(c->info, path) : NULL;
        if (!why && strncmp(path, c->name, length) == 0 && path[length] == '.')
            why = hk_info_why_not(c->info, path + length + 1);
        if (why)
            return why;
    }
    return NULL;
}

static bool find_alias(const hk_model *model, const char *path, hk_address *ret_address) {
    uint32_t index = hk_map_get(&model->by_alias, path);
    const char *brackets = index == HK_MAP_NONE ? split(&model->by_alias, path, &index) : NULL;
    if (index == HK_MAP_NONE)
        return false;
    const hk_alias *alias = &model->aliases[index];
    hk_address a = {.component = alias->component, .variable = alias->variable};
    if (brackets) {
        const hk_info *info = model->components[a.component].info;
        if (!find_element(&info->variables[a.variable], brackets, &a.element))
            return false;
        a.count = 1;
    }
    *ret_address = a;
    return true;
}

/* Where the name of a component ends in a path, beginning with the longest; each is asked for what
 * follows. */
static bool find_in_components(hk_model *owner, const hk_model *model, const char *path,
                               hk_address *ret_address) {
    size_t length = strlen(path);
    char *head = hk_alloc(length + 1);
    memcpy(head, path, length);
    bool found = false;
    for (size_t i = length; i-- > 0 && !found;) {
        if (path[i] != '.')
            continue;
        head[i] = '\0';
        uint32_t component = hk_map_get(&model->by_name, head);
        if (component == HK_MAP_NONE)
            continue;
        const hk_info *info = model->components[component].info;
        const hk_group *group = owner ? hk_info_group(owner->arena, info, path + i + 1) : NULL;
        if (group)
            *ret_address = (hk_address){.variable = group->variables[0], .group = group};
        found = group || (!owner && hk_info_address(info, path + i + 1, ret_address));
        if (found)
            ret_address->component = component;
    }
    hk_free(head);
    return found;
}

bool hk_model_find(const hk_model *model, const char *path, hk_address *ret_address) {
    return find_in_components(NULL, model, path, ret_address) ||
           find_alias(model, path, ret_address) ||
           (hk_model_is_single(model) &&
            hk_info_address(model->components[0].info, path, ret_address));
}

bool hk_model_find_end(hk_model *model, const char *path, hk_address *ret_address) {
    return hk_model_find(model, path, ret_address) ||
           find_in_components(model, model, path, ret_address);
}

const hk_branch *hk_model_branches(const hk_model *model, const char *path) {
    hk_address a;
    uint32_t index = hk_map_get(&model->by_alias, path);
    if (index == HK_MAP_NONE && !split(&model->by_alias, path, &index))
        return NULL;
    if (!hk_model_find(model, path, &a))
        return NULL;
    const hk_alias *alias = &model->aliases[index]; /* unless a variable has the same name */
    bool meant = alias->component == a.component && alias->variable == a.variable;
    return meant ? alias->branches : NULL;
}

const hk_inlet *hk_model_inlet(const hk_model *model, const char *path) {
    hk_address a;
    uint32_t index = hk_map_get(&model->by_inlet, path);
    return index == HK_MAP_NONE || hk_model_find(model, path, &a) ? NULL : &model->inlets[index];
}

const hk_shown *hk_model_shown(const hk_model *model, const char *path) {
    hk_address a;
    for (size_t i = 0; i < model->shown_count; i++)
        if (strcmp(model->shown[i].name, path) == 0)
            return hk_model_find(model, path, &a) ? NULL : &model->shown[i];
    return NULL;
}

hk_address hk_branch_address(const hk_branch *branch) {
    return (hk_address){branch->component, branch->variable, branch->slice.first,
                        branch->slice.count, NULL};
}

const hk_variable *hk_address_variable(const hk_model *model, const hk_address *a) {
    return &model->components[a->component].info->variables[a->variable];
}

size_t hk_address_count(const hk_model *model, const hk_address *a) {
    if (a->group)
        return a->group->count;
    return a->count ? a->count : hk_address_variable(model, a)->count;
}

hk_address hk_connection_source(const hk_connection *connection) {
    return (hk_address){.component = connection->from_component,
                        .variable = connection->from_variable,
                        .element = connection->from_slice.first,
                        .count = connection->from_slice.count};
}

hk_address hk_connection_sink(const hk_connection *connection) {
    return (hk_address){.component = connection->to_component,
                        .variable = connection->to_variable,
                        .element = connection->to_slice.first,
                        .count = connection->to_slice.count};
}

const char *hk_address_name(hk_arena *arena, const hk_model *model, const hk_address *a) {
    const hk_variable *v = hk_address_variable(model, a);
    const char *component = model->components[a->component].name;
    if (a->group) /* "x[1,1]" is its first */
        return hk_arena_printf(arena, "%s.%.*s", component, (int)(strrchr(v->name, '[') - v->name),
                               v->name);
    if (!a->count)
        return hk_arena_printf(arena, "%s.%s", component, v->name);
    char *index = hk_arena_alloc(arena, hk_index_size(v));
    hk_index_write(v, a->element, index);
    return hk_arena_printf(arena, "%s.%s%s", component, v->name, index);
}

/* ---- groups ---- */

/* The largest index in each dimension of the scalars NAME[...]; how many there are. */
static size_t measure(const hk_info *info, const char *name, size_t dims[DIMS_MAX],
                      size_t *ret_dim_count) {
    size_t length = strlen(name), found = 0, dim_count = 0;
    for (size_t i = 0; i < info->variable_count; i++) {
        const hk_variable *v = &info->variables[i];
        uint64_t indices[DIMS_MAX];
        if (strncmp(v->name, name, length) != 0 || v->name[length] != '[')
            continue;
        size_t count = read_indices(v->name + length, indices);
        if (!count)
            continue;
        if (v->count != 1 || (found && count != dim_count))
            return 0;
        dim_count = count;
        for (size_t d = 0; d < count; d++) {
            dims[d] = found ? dims[d] : 0;
            dims[d] = indices[d] > dims[d] ? (size_t)indices[d] : dims[d];
        }
        found++;
    }
    *ret_dim_count = dim_count;
    return found;
}

const hk_group *hk_info_group(hk_arena *arena, const hk_info *info, const char *name) {
    size_t dims[DIMS_MAX], dim_count = 0, whole = 1, length = strlen(name);
    size_t count = measure(info, name, dims, &dim_count);
    for (size_t d = 0; d < dim_count; d++) { /* the product must be the count, so it stays small */
        if (dims[d] > count)
            return NULL;
        whole = whole > count ? whole : whole * dims[d];
    }
    if (!count || whole != count)
        return NULL;
    uint32_t *variables = HK_NEW_ARRAY(arena, uint32_t, count);
    const hk_variable shape = {.dims = dims, .dim_count = dim_count, .count = count};
    char *text = hk_alloc(length + hk_index_size(&shape));
    memcpy(text, name, length);
    bool complete = true;
    for (size_t e = 0; e < count && complete; e++) {
        hk_index_write(&shape, e, text + length);
        variables[e] = hk_info_find(info, text);
        complete = variables[e] != HK_MAP_NONE;
    }
    hk_free(text);
    if (!complete)
        return NULL;
    size_t *kept = HK_NEW_ARRAY(arena, size_t, dim_count);
    memcpy(kept, dims, dim_count * sizeof *kept);
    hk_group *group = HK_NEW(arena, hk_group);
    *group = (hk_group){variables, count, kept, dim_count};
    return group;
}

/* ---- connections ---- */

static void shape_of(const hk_model *model, const hk_address *a, const size_t **ret_dims,
                     size_t *ret_count) {
    const hk_variable *v = hk_address_variable(model, a);
    *ret_dims = a->group ? a->group->dims : v->dims;
    *ret_count = a->group ? a->group->dim_count : a->count ? 0 : v->dim_count;
}

static bool same_shape(const hk_model *model, const hk_address *from, const hk_address *to) {
    const size_t *a, *b;
    size_t a_count, b_count;
    if (hk_address_count(model, from) != hk_address_count(model, to))
        return false;
    shape_of(model, from, &a, &a_count);
    shape_of(model, to, &b, &b_count);
    return !a_count || !b_count || (a_count == b_count && memcmp(a, b, a_count * sizeof *a) == 0);
}

static const char *shape_text(hk_arena *arena, const hk_model *model, const hk_address *a) {
    const size_t *dims;
    size_t count;
    const char *text = "";
    shape_of(model, a, &dims, &count);
    for (size_t i = 0; i < count; i++)
        text = hk_arena_printf(arena, "%s[%zu]", text, dims[i]);
    return *text ? text : "scalar";
}

/* Element I of an end, or all of it if it is one variable and I is HK_MAP_NONE. */
static hk_address part_of(const hk_model *model, const hk_address *a, uint32_t i) {
    hk_address part = *a;
    part.group = NULL;
    if (i == HK_MAP_NONE)
        return part;
    if (a->group) {
        part.variable = a->group->variables[i];
    } else if (hk_variable_is_array(hk_address_variable(model, a))) {
        part.element = a->element + i;
        part.count = 1;
    }
    return part;
}

static void add(hk_model *model, const hk_address *from, const hk_address *to,
                const hk_connection *like, hk_where where) {
    hk_connection *k = hk_model_connect(model, from->component, from->variable, to->component,
                                        to->variable, where);
    hk_connection full = *like;
    full.where = k->where;
    full.from_component = from->component;
    full.from_variable = from->variable;
    full.to_component = to->component;
    full.to_variable = to->variable;
    full.from_slice = (hk_slice){from->element, from->count};
    full.to_slice = (hk_slice){to->element, to->count};
    *k = full;
}

hk_status hk_model_join(hk_ctx *ctx, hk_model *model, const hk_address *from, const hk_address *to,
                        const hk_connection *like, hk_joined *ret_joined) {
    size_t first = model->connection_count, count = hk_address_count(model, from);
    bool split = from->group || to->group;
    if (split && !same_shape(model, from, to)) {
        hk_arena *arena = hk_arena_create();
        hk_status status = hk_error(
            ctx, HK_E_CONNECTION, like->where, NULL, "shapes differ: '%s' is %s, '%s' is %s",
            hk_address_name(arena, model, from), shape_text(arena, model, from),
            hk_address_name(arena, model, to), shape_text(arena, model, to));
        hk_arena_destroy(arena);
        return status;
    }
    for (uint32_t i = 0; i < (split ? count : 1); i++) {
        hk_address a = part_of(model, from, split ? i : HK_MAP_NONE);
        hk_address b = part_of(model, to, split ? i : HK_MAP_NONE);
        hk_connection one = *like;
        one.paired = split;
        if (split && like->initial.data && like->initial.count == count) {
            one.initial.count = 1;
            one.initial.data =
                (char *)like->initial.data + i * hk_store_size(hk_store_of(like->initial.type));
        }
        add(model, &a, &b, &one, like->where);
    }
    *ret_joined = (hk_joined){first, model->connection_count - first};
    return HK_OK;
}

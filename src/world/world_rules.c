/* SPDX-License-Identifier: MIT
 *
 * What must hold of component types and systems before a world can be made of them. */
#include "world/world_internal.h"

#include "native/native.h"

#include <string.h>

/* ---- types of plugins */

static hk_where where_of(hk_arena *arena, const char *file, const char *what, const char *name) {
    return (hk_where){.file = file,
                      .element = hk_arena_printf(arena, "%s '%s'", what, name ? name : "")};
}

static hk_status check_field(hk_ctx *ctx, hk_where where, const hk_port *field, size_t size) {
    bool known = (unsigned)field->type < HK_TYPE_COUNT && field->type != HK_TYPE_STRING &&
                 field->type != HK_TYPE_BINARY && field->type != HK_TYPE_CLOCK;
    if (!field->name || !*field->name || strpbrk(field->name, ". "))
        return hk_error(ctx, HK_E_PLUGIN, where, "use HK_PORT", "a field has no name");
    if (!known)
        return hk_error(ctx, HK_E_PLUGIN, where, "use numbers, truth values or enumerations",
                        "field '%s' has a type that data of a world cannot have", field->name);
    size_t element = hk_store_size(hk_store_of(field->type)), n = field->count ? field->count : 1;
    if (field->offset > size || n > (size - field->offset) / element || field->offset % element)
        return hk_error(ctx, HK_E_PLUGIN, where, "check struct, field and type in HK_PORT",
                        "field '%s' does not fit the struct of %zu bytes", field->name, size);
    return HK_OK;
}

static hk_status check_component(hk_ctx *ctx, hk_arena *arena, const char *file,
                                 const hk_component_type *type) {
    hk_where where = where_of(arena, file, "component type", type->name);
    if (type->abi != HK_WORLD_ABI || type->size < sizeof(hk_component_type) || !type->name)
        return hk_error(ctx, HK_E_PLUGIN, where,
                        "begin the definition with HK_COMPONENT(struct), and build it again",
                        "the component type is not one of this hk/world.h");
    if (strpbrk(type->name, ". ") || !*type->name || !type->data_size)
        return hk_error(ctx, HK_E_PLUGIN, where, "use HK_COMPONENT(struct)",
                        "the component type has no name or no data");
    for (size_t i = 0; i < type->field_count; i++)
        HK_TRY(check_field(ctx, where, &type->fields[i], type->data_size));
    return HK_OK;
}

static hk_status check_system_type(hk_ctx *ctx, hk_arena *arena, const char *file,
                                   const hk_system_type *type) {
    hk_where where = where_of(arena, file, "system type", type->name);
    if (type->abi != HK_WORLD_ABI || type->size < HK_SYSTEM_TYPE_MIN || !type->name)
        return hk_error(ctx, HK_E_PLUGIN, where,
                        "begin the definition with HK_SYSTEM(name), and build it again",
                        "the system type is not one of this hk/world.h");
    if (!type->step)
        return hk_error(ctx, HK_E_PLUGIN, where, "set .step to the function that advances it",
                        "the system type has no step function");
    for (size_t i = 0; i < type->port_count; i++)
        HK_TRY(check_field(ctx, where, &type->ports[i], type->instance_size));
    return HK_OK;
}

hk_status hk_world_types_of(hk_ctx *ctx, hk_model *model, const char *path,
                            const hk_world_types **ret_types) {
    HK_ASSERT(model && path && ret_types);
    const hk_world_types *types;
    HK_TRY(hk_plugin_world(ctx, model, path, &types));
    *ret_types = types;
    if (!types)
        return HK_OK;
    if (types->abi != HK_WORLD_ABI || types->size < sizeof *types)
        return hk_error(ctx, HK_E_PLUGIN, (hk_where){.file = path},
                        "build it again with the hk/world.h of this hocket",
                        "the plugin was built for ABI %u of worlds, this is ABI %u",
                        (unsigned)types->abi, (unsigned)HK_WORLD_ABI);
    for (size_t i = 0; types->components && types->components[i]; i++)
        HK_TRY(check_component(ctx, model->arena, path, types->components[i]));
    for (size_t i = 0; types->systems && types->systems[i]; i++)
        HK_TRY(check_system_type(ctx, model->arena, path, types->systems[i]));
    return HK_OK;
}

/* ---- lists of names */

/* The next name of the list at *TEXT, in ARENA; NULL: there are no more. */
static const char *next_name(hk_arena *arena, const char **text) {
    if (!*text || !*(*text += strspn(*text, " ")))
        return NULL;
    size_t length = strcspn(*text, " ");
    const char *name = hk_arena_strndup(arena, *text, length);
    *text += length;
    return name;
}

static bool list_has(const char *list, const char *name) {
    size_t length = strlen(name);
    while (list && *(list += strspn(list, " "))) {
        size_t n = strcspn(list, " ");
        if (n == length && memcmp(list, name, n) == 0)
            return true;
        list += n;
    }
    return false;
}

static const hk_component_type *find_type(const hk_world_spec *spec, const char *name,
                                          size_t length) {
    for (size_t i = 0; i < spec->type_count; i++)
        if (strlen(spec->types[i]->name) == length &&
            memcmp(spec->types[i]->name, name, length) == 0)
            return spec->types[i];
    return NULL;
}

static const hk_port *find_field(const hk_component_type *type, const char *name) {
    for (size_t i = 0; i < type->field_count; i++)
        if (strcmp(type->fields[i].name, name) == 0)
            return &type->fields[i];
    return NULL;
}

/* ---- what systems say about themselves */

static const char *type_list(hk_arena *arena, const hk_world_spec *spec) {
    const char *list = "the world has";
    for (size_t i = 0; i < spec->type_count; i++)
        list = hk_arena_printf(arena, "%s%s '%s'", list, i ? "," : "", spec->types[i]->name);
    return list;
}

static hk_status check_types(hk_ctx *ctx, hk_arena *arena, const hk_world_spec *spec,
                             const hk_world_system *s, const char *list) {
    for (const char *name; (name = next_name(arena, &list));)
        if (!find_type(spec, name, strlen(name)))
            return hk_error(ctx, HK_E_NAME, s->where, type_list(arena, spec),
                            "a family of system '%s' names the component '%s', which is not known",
                            s->name, name);
    return HK_OK;
}

/* Every name is a type, or a field of one. */
static hk_status check_uses(hk_ctx *ctx, hk_arena *arena, const hk_world_spec *spec,
                            const hk_world_system *s, const char *list) {
    for (const char *name; (name = next_name(arena, &list));) {
        size_t length = strcspn(name, ".");
        const hk_component_type *type = find_type(spec, name, length);
        if (!type || (name[length] && !find_field(type, name + length + 1)))
            return hk_error(ctx, HK_E_NAME, s->where, type_list(arena, spec),
                            "system '%s' says that it uses '%s', which is not known", s->name,
                            name);
    }
    return HK_OK;
}

static bool writes(const hk_system_type *type, hk_arena *arena, const hk_component_type *component,
                   const hk_port *field) {
    return list_has(type->writes, component->name) ||
           list_has(type->writes, hk_arena_printf(arena, "%s.%s", component->name, field->name));
}

/* True if nobody can be in both. */
static bool apart(const hk_family *a, const hk_family *b, hk_arena *arena) {
    const char *with = a->with, *tags = a->tags;
    for (const char *name; (name = next_name(arena, &with));)
        if (list_has(b->without, name))
            return true;
    for (const char *name; (name = next_name(arena, &tags));)
        if (list_has(b->without_tags, name))
            return true;
    return false;
}

static bool may_meet(const hk_system_type *a, const hk_system_type *b, const char *component,
                     hk_arena *arena) {
    for (size_t i = 0; i < a->family_count; i++)
        for (size_t k = 0; k < b->family_count; k++)
            if (list_has(a->families[i].with, component) &&
                list_has(b->families[k].with, component) &&
                !apart(&a->families[i], &b->families[k], arena) &&
                !apart(&b->families[k], &a->families[i], arena))
                return true;
    return false;
}

static hk_status check_pair(hk_ctx *ctx, hk_arena *arena, const hk_world_spec *spec,
                            const hk_world_system *a, const hk_world_system *b) {
    if (a->priority != b->priority)
        return HK_OK;
    for (size_t t = 0; t < spec->type_count; t++) {
        const hk_component_type *type = spec->types[t];
        for (size_t f = 0; f < type->field_count; f++)
            if (writes(a->type, arena, type, &type->fields[f]) &&
                writes(b->type, arena, type, &type->fields[f]) &&
                may_meet(a->type, b->type, type->name, arena))
                return hk_error(ctx, HK_E_TWO_DRIVERS, b->where,
                                "give one of them another priority: the smaller one is first",
                                "systems '%s' and '%s' both write '%s.%s', and nothing says which "
                                "of them is first",
                                a->name, b->name, type->name, type->fields[f].name);
    }
    return HK_OK;
}

hk_status hk_world_unit_check(hk_ctx *ctx, hk_arena *arena, const hk_world_spec *spec) {
    for (size_t i = 0; i < spec->system_count; i++) {
        const hk_world_system *s = &spec->systems[i];
        for (size_t f = 0; f < s->type->family_count; f++) {
            HK_TRY(check_types(ctx, arena, spec, s, s->type->families[f].with));
            HK_TRY(check_types(ctx, arena, spec, s, s->type->families[f].without));
        }
        HK_TRY(check_uses(ctx, arena, spec, s, s->type->writes));
        HK_TRY(check_uses(ctx, arena, spec, s, s->type->reads));
        for (size_t k = 0; k < i; k++)
            HK_TRY(check_pair(ctx, arena, spec, &spec->systems[k], s));
    }
    return HK_OK;
}

/* ---- what a system must leave alone */

static void guard_type(hk_arena *arena, const hk_system_type *type, hk_world_guarded at,
                       hk_world_guarded *all, size_t *count) {
    for (size_t i = 0; i < at.type->field_count; i++) {
        at.field = &at.type->fields[i];
        at.size = hk_world_field_size(at.field);
        if (writes(type, arena, at.type, at.field))
            continue;
        if (all)
            all[*count] = at;
        ++*count;
    }
}

static size_t guard_all(hk_arena *arena, const hk_world_spec *spec, const hk_system_type *type,
                        hk_world_guarded *all) {
    size_t count = 0;
    for (uint32_t f = 0; f < type->family_count; f++) {
        const char *with = type->families[f].with, *name;
        for (uint32_t k = 0; (name = next_name(arena, &with)); k++)
            guard_type(arena, type,
                       (hk_world_guarded){
                           .family = f, .with = k, .type = find_type(spec, name, strlen(name))},
                       all, &count);
    }
    return count;
}

void hk_world_guard(hk_arena *arena, const hk_world_spec *spec, const hk_system_type *type,
                    hk_world_system_data *data) {
    data->guarded_count = guard_all(arena, spec, type, NULL);
    hk_world_guarded *all = HK_NEW_ARRAY(arena, hk_world_guarded, data->guarded_count + 1);
    (void)guard_all(arena, spec, type, all);
    data->guarded = all;
}

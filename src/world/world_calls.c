/* SPDX-License-Identifier: MIT
 *
 * What a system can ask of the world and do to it while it acts. */
#include "world/world_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool hk_world_fail(hk_world_unit *u, const char *format, ...) {
    if (*u->failure)
        return false;
    va_list args;
    va_start(args, format);
    vsnprintf(u->failure, sizeof u->failure, format, args);
    va_end(args);
    return false;
}

static const char *acting(const hk_world_unit *u) {
    return u->origin->spec->systems[u->acting].name;
}

static hk_entity create(void *world, const char *name) {
    hk_world_unit *u = world;
    if (name && hk_map_get(&u->declared, name) != HK_MAP_NONE)
        (void)hk_world_fail(u, "system '%s' makes entity '%s', which the file declares", acting(u),
                            name);
    return hk_ecs_later_new(u->ecs, name);
}

/* The entity is there, or will be. */
static bool known(hk_world_unit *u, hk_entity entity, const char *doing) {
    return hk_ecs_known(u->ecs, entity) ||
           hk_world_fail(u, "system '%s' %s an entity that is not there", acting(u), doing);
}

static void remove_entity(void *world, hk_entity entity) {
    hk_world_unit *u = world;
    if (known(u, entity, "removes"))
        hk_ecs_later_remove(u->ecs, entity);
}

static hk_ecs_kind type_of(hk_world_unit *u, const char *component) {
    hk_ecs_kind kind = component ? hk_ecs_find_type(u->ecs, component) : HK_ECS_NONE;
    if (kind == HK_ECS_NONE)
        (void)hk_world_fail(u, "system '%s' names the component '%s', which is not known",
                            acting(u), component ? component : "");
    return kind;
}

static void give(void *world, hk_entity entity, const char *component, const void *data) {
    hk_world_unit *u = world;
    hk_ecs_kind kind = type_of(u, component);
    if (kind != HK_ECS_NONE && known(u, entity, "gives something to"))
        hk_ecs_later_give(u->ecs, entity, kind, data);
}

static void take(void *world, hk_entity entity, const char *component) {
    hk_world_unit *u = world;
    hk_ecs_kind kind = type_of(u, component);
    if (kind != HK_ECS_NONE && known(u, entity, "takes something from"))
        hk_ecs_later_take(u->ecs, entity, kind);
}

static void tag(void *world, hk_entity entity, const char *name, bool on) {
    hk_world_unit *u = world;
    hk_ecs_kind kind = name ? hk_ecs_tag(u->ecs, name) : HK_ECS_NONE;
    if (kind == HK_ECS_NONE)
        (void)hk_world_fail(u, "system '%s' gives a tag without a name, or there are too many",
                            acting(u));
    else if (known(u, entity, "tags") && on)
        hk_ecs_later_give(u->ecs, entity, kind, NULL);
    else if (!*u->failure)
        hk_ecs_later_take(u->ecs, entity, kind);
}

static void set_parent(void *world, hk_entity entity, hk_entity parent) {
    hk_world_unit *u = world;
    if (known(u, entity, "gives a parent to") &&
        (!parent || known(u, parent, "gives something, as its parent,")))
        hk_ecs_later_parent(u->ecs, entity, parent);
}

static hk_entity find(void *world, const char *name) {
    return hk_ecs_find(((hk_world_unit *)world)->ecs, name ? name : "");
}

static const char *name_of(void *world, hk_entity entity) {
    return hk_ecs_name(((hk_world_unit *)world)->ecs, entity);
}

static hk_entity parent_of(void *world, hk_entity entity) {
    return hk_ecs_parent(((hk_world_unit *)world)->ecs, entity);
}

static bool is_there(void *world, hk_entity entity) {
    return hk_ecs_there(((hk_world_unit *)world)->ecs, entity);
}

static const void *look(void *world, hk_entity entity, const char *component) {
    hk_world_unit *u = world;
    hk_ecs_kind kind = type_of(u, component);
    return kind == HK_ECS_NONE ? NULL : hk_ecs_data(u->ecs, entity, kind);
}

const hk_world_calls hk_world_the_calls = {
    .size = sizeof(hk_world_calls),
    .create = create,
    .remove = remove_entity,
    .give = give,
    .take = take,
    .tag = tag,
    .set_parent = set_parent,
    .find = find,
    .name_of = name_of,
    .parent_of = parent_of,
    .is_there = is_there,
    .look = look,
};

hk_view hk_world_view(hk_world_unit *u, uint32_t system) {
    hk_world_system_state *s = &u->systems[system];
    size_t count = u->origin->spec->systems[system].type->family_count;
    for (size_t i = 0; i < count; i++)
        s->members[i] = *hk_ecs_members(u->ecs, s->families[i]);
    u->acting = system;
    hk_ecs_later_by(u->ecs, system);
    return (hk_view){.families = s->members,
                     .family_count = count,
                     .activation = s->activation,
                     .world = u,
                     .calls = &hk_world_the_calls};
}

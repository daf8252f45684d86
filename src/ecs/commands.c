/* SPDX-License-Identifier: MIT
 *
 * Commands: what is asked for while columns must not move, and done afterwards, in that order. */
#include "ecs/ecs_internal.h"

#include <stdio.h>
#include <string.h>

static hk_ecs_command *push(hk_ecs *ecs, hk_ecs_command_kind doing, hk_entity entity) {
    hk_ecs_command c = {.doing = (uint8_t)doing, .who = ecs->who, .entity = entity};
    HK_PUSH(ecs->commands, ecs->command_count, ecs->command_cap, c);
    return &ecs->commands[ecs->command_count - 1];
}

void hk_ecs_later_by(hk_ecs *ecs, uint32_t who) {
    HK_ASSERT(ecs);
    ecs->who = who;
}

bool hk_ecs_known(const hk_ecs *ecs, hk_entity entity) {
    HK_ASSERT(ecs);
    uint32_t index = hk_ecs_index(entity);
    return index < ecs->record_count && ecs->records[index].generation == entity >> 32 &&
           ecs->records[index].table != HK_ECS_FREE;
}

hk_entity hk_ecs_later_new(hk_ecs *ecs, const char *name) {
    HK_ASSERT(ecs);
    uint32_t index = hk_ecs_reserve(ecs);
    if (index == NOBODY) {
        push(ecs, HK_ECS_DO_NEW, HK_NO_ENTITY);
        return HK_NO_ENTITY;
    }
    hk_ecs_command *c = push(ecs, HK_ECS_DO_NEW, hk_ecs_entity(ecs, index));
    if (name && *name) {
        c->has_data = true;
        c->data = ecs->command_data.size;
        hk_buffer_put(&ecs->command_data, name, strlen(name) + 1);
    }
    return hk_ecs_entity(ecs, index);
}

void hk_ecs_later_remove(hk_ecs *ecs, hk_entity entity) {
    HK_ASSERT(ecs);
    push(ecs, HK_ECS_DO_REMOVE, entity);
}

void hk_ecs_later_give(hk_ecs *ecs, hk_entity entity, hk_ecs_kind kind, const void *data) {
    HK_ASSERT(ecs && kind < ecs->kind_count);
    hk_ecs_command *c = push(ecs, HK_ECS_DO_GIVE, entity);
    c->kind = kind;
    if (data && ecs->kinds[kind].size) {
        c->has_data = true;
        c->data = ecs->command_data.size;
        hk_buffer_put(&ecs->command_data, data, ecs->kinds[kind].size);
    }
}

void hk_ecs_later_take(hk_ecs *ecs, hk_entity entity, hk_ecs_kind kind) {
    HK_ASSERT(ecs && kind < ecs->kind_count);
    push(ecs, HK_ECS_DO_TAKE, entity)->kind = kind;
}

void hk_ecs_later_parent(hk_ecs *ecs, hk_entity entity, hk_entity parent) {
    HK_ASSERT(ecs);
    push(ecs, HK_ECS_DO_PARENT, entity)->other = parent;
}

static hk_ecs_result give(hk_ecs *ecs, const hk_ecs_command *c) {
    bool had = hk_ecs_has(ecs, c->entity, c->kind);
    hk_ecs_result result = hk_ecs_give(ecs, c->entity, c->kind);
    const hk_ecs_kind_data *kind = &ecs->kinds[c->kind];
    void *to = result == HK_ECS_OK ? hk_ecs_data(ecs, c->entity, c->kind) : NULL;
    if (!to)
        return result;
    if (c->has_data)
        memcpy(to, ecs->command_data.data + c->data, kind->size);
    else if (had && kind->start)
        memcpy(to, kind->start, kind->size);
    else if (had)
        memset(to, 0, kind->size);
    return result;
}

static hk_ecs_result carry_out(hk_ecs *ecs, const hk_ecs_command *c) {
    switch ((hk_ecs_command_kind)c->doing) {
    case HK_ECS_DO_NEW:
        if (!c->entity)
            return HK_ECS_FULL;
        return hk_ecs_enter(ecs, hk_ecs_index(c->entity),
                            c->has_data ? ecs->command_data.data + c->data : NULL, NULL, 0);
    case HK_ECS_DO_REMOVE:
        return hk_ecs_remove(ecs, c->entity);
    case HK_ECS_DO_GIVE:
        return give(ecs, c);
    case HK_ECS_DO_TAKE:
        return hk_ecs_take(ecs, c->entity, c->kind);
    case HK_ECS_DO_PARENT:
        return hk_ecs_set_parent(ecs, c->entity, c->other);
    }
    return HK_ECS_OK;
}

/* What the command is about, for a message. */
static void describe(const hk_ecs *ecs, const hk_ecs_command *c, hk_ecs_failure *failure) {
    const char *name = c->doing == HK_ECS_DO_NEW && c->has_data ? ecs->command_data.data + c->data
                                                                : hk_ecs_name(ecs, c->entity);
    snprintf(failure->what, sizeof failure->what, "%s", name);
    failure->who = c->who;
}

bool hk_ecs_apply(hk_ecs *ecs, hk_ecs_failure *ret_failure) {
    HK_ASSERT(ecs && ret_failure);
    bool good = true;
    for (size_t i = 0; i < ecs->command_count; i++) {
        const hk_ecs_command *c = &ecs->commands[i];
        hk_ecs_result result = good ? carry_out(ecs, c) : HK_ECS_GONE;
        if (good && result != HK_ECS_OK && result != HK_ECS_GONE) {
            good = false;
            ret_failure->result = result;
            describe(ecs, c, ret_failure);
        }
        bool waits = c->doing == HK_ECS_DO_NEW && c->entity &&
                     ecs->records[hk_ecs_index(c->entity)].table == HK_ECS_WAITING;
        if (waits)
            hk_ecs_release(ecs, hk_ecs_index(c->entity));
    }
    ecs->command_count = 0;
    ecs->command_data.size = 0;
    return good;
}

/* SPDX-License-Identifier: MIT
 *
 * Parents and children, and where that puts them. */
#include "ecs/ecs_internal.h"

#include <string.h>

void hk_ecs_detach(hk_ecs *ecs, uint32_t index) {
    hk_ecs_record *all = ecs->records, *r = &all[index];
    if (r->parent == NOBODY)
        return;
    hk_ecs_record *parent = &all[r->parent];
    if (r->next == index) {
        parent->first = NOBODY;
    } else {
        all[r->prev].next = r->next;
        all[r->next].prev = r->prev;
        if (parent->first == index)
            parent->first = r->next;
    }
    r->parent = r->next = r->prev = NOBODY;
    ecs->version++;
}

void hk_ecs_attach(hk_ecs *ecs, uint32_t index, uint32_t parent) {
    hk_ecs_record *all = ecs->records, *r = &all[index], *p = &all[parent];
    r->parent = parent;
    if (p->first == NOBODY) {
        p->first = r->next = r->prev = index;
    } else {
        uint32_t first = p->first, last = all[first].prev;
        r->next = first;
        r->prev = last;
        all[last].next = all[first].prev = index;
    }
    ecs->version++;
}

hk_ecs_result hk_ecs_set_parent(hk_ecs *ecs, hk_entity entity, hk_entity parent) {
    HK_ASSERT(ecs);
    if (!hk_ecs_there(ecs, entity) || (parent && !hk_ecs_there(ecs, parent)))
        return HK_ECS_GONE;
    uint32_t index = hk_ecs_index(entity);
    if (parent)
        for (uint32_t up = hk_ecs_index(parent); up != NOBODY; up = ecs->records[up].parent)
            if (up == index)
                return HK_ECS_CYCLE;
    hk_ecs_detach(ecs, index);
    if (parent)
        hk_ecs_attach(ecs, index, hk_ecs_index(parent));
    return HK_ECS_OK;
}

hk_entity hk_ecs_parent(const hk_ecs *ecs, hk_entity entity) {
    HK_ASSERT(ecs);
    const hk_ecs_record *r = hk_ecs_record_of(ecs, entity);
    return r && r->parent != NOBODY ? hk_ecs_entity(ecs, r->parent) : HK_NO_ENTITY;
}

/* ---- poses */

static hk_pose *pose_at(const hk_ecs *ecs, uint32_t index, hk_ecs_kind kind) {
    return hk_ecs_data(ecs, hk_ecs_entity(ecs, index), kind);
}

/* The nearest above it that has a pose; NOBODY: none. */
static uint32_t carrier(const hk_ecs *ecs, uint32_t index, hk_ecs_kind kind) {
    uint32_t up = ecs->records[index].parent;
    while (up != NOBODY && !pose_at(ecs, up, kind))
        up = ecs->records[up].parent;
    return up;
}

uint32_t hk_ecs_next_below(const hk_ecs *ecs, uint32_t at, uint32_t top) {
    if (ecs->records[at].first != NOBODY)
        return ecs->records[at].first;
    while (at != top) {
        uint32_t parent = ecs->records[at].parent;
        at = ecs->records[at].next;
        if (at != ecs->records[parent].first)
            return at;
        at = parent;
    }
    return NOBODY;
}

static void collect(hk_ecs *ecs, hk_ecs_kind kind) {
    ecs->deep_count = 0;
    for (uint32_t i = 0; i < ecs->record_count; i++) {
        const hk_ecs_record *r = &ecs->records[i];
        if (r->table >= HK_ECS_WAITING || r->parent != NOBODY || r->first == NOBODY)
            continue;
        for (uint32_t at = r->first; at != NOBODY; at = hk_ecs_next_below(ecs, at, i))
            if (pose_at(ecs, at, kind) && carrier(ecs, at, kind) != NOBODY)
                HK_PUSH(ecs->deep, ecs->deep_count, ecs->deep_cap, at);
    }
    ecs->placed = ecs->version;
}

/* a b, as a turn by b and then by a. */
static void multiply(const double a[4], const double b[4], double result[4]) {
    double w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    double x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    double y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    double z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
    result[0] = w, result[1] = x, result[2] = y, result[3] = z;
}

/* The vector V turned by Q, which is a unit quaternion: v + 2 q x (q x v + w v). */
static void turn(const double q[4], const double v[3], double result[3]) {
    double x = q[2] * v[2] - q[3] * v[1] + q[0] * v[0];
    double y = q[3] * v[0] - q[1] * v[2] + q[0] * v[1];
    double z = q[1] * v[1] - q[2] * v[0] + q[0] * v[2];
    result[0] = v[0] + 2 * (q[2] * z - q[3] * y);
    result[1] = v[1] + 2 * (q[3] * x - q[1] * z);
    result[2] = v[2] + 2 * (q[1] * y - q[2] * x);
}

void hk_ecs_place(hk_ecs *ecs, hk_ecs_kind kind) {
    HK_ASSERT(ecs && kind < ecs->kind_count && ecs->kinds[kind].size == sizeof(hk_pose));
    if (ecs->placed != ecs->version)
        collect(ecs, kind);
    for (size_t i = 0; i < ecs->table_count; i++) {
        const hk_ecs_table *t = &ecs->tables[i];
        size_t column = hk_ecs_column(t, kind);
        hk_pose *poses = column == SIZE_MAX ? NULL : (void *)t->columns[column];
        for (uint32_t row = 0; poses && row < t->count; row++) {
            memcpy(poses[row].world_position, poses[row].position, sizeof poses->position);
            memcpy(poses[row].world_orientation, poses[row].orientation, sizeof poses->orientation);
        }
    }
    for (size_t i = 0; i < ecs->deep_count; i++) {
        hk_pose *pose = pose_at(ecs, ecs->deep[i], kind);
        const hk_pose *above = pose_at(ecs, carrier(ecs, ecs->deep[i], kind), kind);
        turn(above->world_orientation, pose->position, pose->world_position);
        for (int k = 0; k < 3; k++)
            pose->world_position[k] += above->world_position[k];
        multiply(above->world_orientation, pose->orientation, pose->world_orientation);
    }
}

/* SPDX-License-Identifier: MIT
 *
 * What the ports and parameters of a block are to a module. A port without a type is an event; what
 * is called after one is its value ('e_value') or, of an output, the argument of an operation
 * ('f_a'); other outputs are variables of the platform. */
#include "sysml/skeleton_internal.h"

#include <string.h>

static const char VALUE[] = "_value", EDGE[] = "_edge";

typedef struct sorter {
    hk_arena *arena;
    const hk_profile_block *block;
    hk_list members; /* of hk_skeleton_member */
    hk_map events;   /* name of a port without a type -> member */
    hk_map values;   /* ROLE and name of what has parts -> member */
    bool *taken;     /* ports that are values of events */
    hk_skeleton_members found;
} sorter;

static hk_skeleton_member *at(sorter *s, uint32_t index) {
    return (hk_skeleton_member *)s->members.data + index;
}

static uint32_t add(sorter *s, hk_skeleton_member member) {
    member.values = HK_LIST(hk_skeleton_value);
    hk_list_add(&s->members, &member);
    return (uint32_t)s->members.count - 1;
}

/* The name without the part of its value: "e_value" of "e_value.x". */
static const char *whole_of(sorter *s, const char *name, const char **ret_rest) {
    size_t length = strcspn(name, ".[");
    *ret_rest = name + length;
    return hk_arena_strndup(s->arena, name, length);
}

/* The event that WHOLE is the value of, if it goes the same way; NONE: it is none. */
static uint32_t event_of_value(sorter *s, const char *whole, bool output) {
    size_t length = strlen(whole), tail = strlen(VALUE);
    if (length <= tail || strcmp(whole + length - tail, VALUE) != 0)
        return HK_MAP_NONE;
    uint32_t found = hk_map_get(&s->events, hk_arena_strndup(s->arena, whole, length - tail));
    return found != HK_MAP_NONE && at(s, found)->flag->output == output ? found : HK_MAP_NONE;
}

/* The output without a type, and without a value, with the longest name that WHOLE goes on from. */
static uint32_t operation_of(sorter *s, const char *whole) {
    for (size_t length = strlen(whole); length-- > 1;) {
        if (whole[length] != '_' || !whole[length + 1])
            continue;
        uint32_t found = hk_map_get(&s->events, hk_arena_strndup(s->arena, whole, length));
        if (found == HK_MAP_NONE || !at(s, found)->flag->output)
            continue;
        if (at(s, found)->role == HK_SKELETON_SENT && at(s, found)->values.count)
            continue;
        return found;
    }
    return HK_MAP_NONE;
}

static void add_part(sorter *s, uint32_t member, const char *name, hk_skeleton_part part) {
    hk_skeleton_member *m = at(s, member);
    hk_skeleton_value *all = m->values.data;
    size_t i = 0;
    while (i < m->values.count && strcmp(all[i].name, name) != 0)
        i++;
    if (i == m->values.count) {
        hk_skeleton_value value = {.name = name, .parts = HK_LIST(hk_skeleton_part)};
        hk_list_add(&m->values, &value);
        all = m->values.data;
    }
    hk_list_add(&all[i].parts, &part);
}

/* A member of its own for what is called WHOLE. */
static uint32_t member_of(sorter *s, hk_skeleton_role role, const char *whole) {
    const char *key = hk_arena_printf(s->arena, "%d %s", role, whole);
    uint32_t next = (uint32_t)s->members.count, found = hk_map_put(&s->values, key, next);
    return found == next ? add(s, (hk_skeleton_member){.role = role, .name = whole}) : found;
}

static hk_skeleton_part part_of(const hk_profile_port *p, const char *rest, size_t index) {
    return (hk_skeleton_part){rest, &p->shape, &p->init.literal, &p->at, index};
}

static void sort_values(sorter *s) {
    for (size_t i = 0; i < s->block->port_count; i++) {
        const hk_profile_port *p = &s->block->ports[i];
        const char *rest, *whole = whole_of(s, p->name, &rest);
        bool typed = p->shape.type != HK_PROFILE_TYPELESS;
        uint32_t event = typed ? event_of_value(s, whole, p->output) : HK_MAP_NONE;
        s->taken[i] = !typed || event != HK_MAP_NONE;
        if (event != HK_MAP_NONE)
            add_part(s, event, "value", part_of(p, rest, i));
    }
}

static void sort_outputs(sorter *s) {
    for (size_t i = 0; i < s->block->port_count; i++) {
        const hk_profile_port *p = &s->block->ports[i];
        const char *rest, *whole = whole_of(s, p->name, &rest);
        if (s->taken[i])
            continue;
        if (!p->output) {
            s->found.stray = s->found.stray ? s->found.stray : p;
            continue;
        }
        uint32_t operation = operation_of(s, whole);
        if (operation != HK_MAP_NONE) {
            at(s, operation)->role = HK_SKELETON_OPERATION;
            const char *argument = whole + strlen(at(s, operation)->name) + 1;
            add_part(s, operation, argument, part_of(p, rest, i));
        } else {
            add_part(s, member_of(s, HK_SKELETON_VARIABLE, whole), whole, part_of(p, rest, i));
        }
    }
}

static bool is_edge(sorter *s, const char *name) {
    size_t length = strlen(name), tail = strlen(EDGE);
    if (length <= tail || strcmp(name + length - tail, EDGE) != 0)
        return false;
    uint32_t found = hk_map_get(&s->events, hk_arena_strndup(s->arena, name, length - tail));
    return found != HK_MAP_NONE && !at(s, found)->flag->output;
}

static void sort_constants(sorter *s) {
    const hk_profile_block *b = s->block;
    s->found.edges = HK_NEW_ARRAY(s->arena, const hk_profile_variable *, b->variable_count + 1);
    for (size_t i = 0; i < b->variable_count; i++) {
        const hk_profile_variable *v = &b->variables[i];
        const char *rest, *whole = whole_of(s, v->name, &rest);
        if (strcmp(v->name, "timeUnit") == 0)
            s->found.unit = v;
        else if (is_edge(s, v->name))
            s->found.edges[s->found.edge_count++] = v;
        else
            add_part(s, member_of(s, HK_SKELETON_CONSTANT, whole), whole,
                     (hk_skeleton_part){rest, &v->shape, &v->init.literal, &v->at, i});
    }
}

/* By role; lists are kept. */
static void keep(sorter *s) {
    hk_skeleton_members *f = &s->found;
    f->all = HK_NEW_ARRAY(s->arena, hk_skeleton_member, s->members.count + 1);
    for (int role = 0; role < HK_SKELETON_ROLES; role++)
        for (uint32_t i = 0; i < s->members.count; i++)
            if ((int)at(s, i)->role == role)
                f->all[f->count++] = *at(s, i);
    for (size_t i = 0; i < f->count; i++) {
        hk_skeleton_member *m = &f->all[i];
        m->count = m->values.count;
        m->all = hk_list_keep(s->arena, &m->values);
        for (size_t k = 0; k < m->count; k++) {
            m->all[k].count = m->all[k].parts.count;
            m->all[k].all = hk_list_keep(s->arena, &m->all[k].parts);
        }
    }
    hk_free(s->members.data);
    hk_map_finish(&s->events);
    hk_map_finish(&s->values);
}

hk_skeleton_members hk_skeleton_sort(hk_arena *arena, const hk_profile_block *block) {
    sorter s = {.arena = arena, .block = block, .members = HK_LIST(hk_skeleton_member)};
    s.taken = HK_NEW_ARRAY(arena, bool, block->port_count + 1);
    for (size_t i = 0; i < block->port_count; i++) {
        const hk_profile_port *p = &block->ports[i];
        if (p->shape.type == HK_PROFILE_TYPELESS)
            hk_map_put(&s.events, p->name,
                       add(&s, (hk_skeleton_member){.role = p->output ? HK_SKELETON_SENT
                                                                      : HK_SKELETON_RECEIVED,
                                                    .name = p->name,
                                                    .flag = p,
                                                    .index = i}));
    }
    sort_values(&s);
    sort_outputs(&s);
    sort_constants(&s);
    keep(&s);
    return s.found;
}

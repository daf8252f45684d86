/* SPDX-License-Identifier: MIT
 *
 * What lies where, as structs: one per native type with its ports as members, one of all
 * components, and one of the block, where the values of other components lie. */
#include "fuse/emit_internal.h"

#include "base/search.h"
#include "native/native.h"

#include <stdlib.h>
#include <string.h>

/* ---- structs ---- */

static const char *type_of(hk_store store) {
    static const char *const names[HK_STORE_COUNT] = {
        [HK_STORE_F64] = "double",   [HK_STORE_F32] = "float",     [HK_STORE_I8] = "int8_t",
        [HK_STORE_U8] = "uint8_t",   [HK_STORE_I16] = "int16_t",   [HK_STORE_U16] = "uint16_t",
        [HK_STORE_I32] = "int32_t",  [HK_STORE_U32] = "uint32_t",  [HK_STORE_I64] = "int64_t",
        [HK_STORE_U64] = "uint64_t", [HK_STORE_BOOL8] = "uint8_t", [HK_STORE_BOOL32] = "int32_t"};
    return names[store];
}

static size_t size_of(const member *m) {
    return m->binding ? sizeof(hk_fused_binding) : m->count * hk_store_size(m->store);
}

static size_t alignment_of(const member *m) {
    size_t size = m->binding ? sizeof(void *) : hk_store_size(m->store);
    return m->store == HK_STORE_BYTES && !m->binding ? 1 : size;
}

static int by_offset(const void *a, const void *b) {
    const member *x = a;
    const member *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static const char *port_name(hk_arena *arena, hk_scope *scope, const char *name) {
    return hk_scope_name(arena, scope, name);
}

/* Ports and required interfaces. What lies over another one or is not aligned has no name. */
static void find_members(const emitter *e, layout *to) {
    const hk_unit_type *type = to->type;
    hk_scope scope = {0};
    size_t n = 0, end = 0, widest = 1;
    size_t services = HK_UNIT_HAS(type, services) ? type->service_count : 0;
    member *all = HK_NEW_ARRAY(e->arena, member, type->port_count + services + 1);
    for (size_t i = 0; i < type->port_count; i++) {
        const hk_port *p = &type->ports[i];
        all[n++] = (member){.name = p->name,
                            .store = hk_store_of(p->type),
                            .offset = p->offset,
                            .count = p->count ? p->count : 1};
    }
    for (size_t i = 0; i < services; i++)
        if (!type->services[i].functions)
            all[n++] = (member){.name = type->services[i].name,
                                .offset = type->services[i].offset,
                                .binding = true};
    if (n)
        qsort(all, n, sizeof *all, by_offset);
    for (size_t i = 0; i < n; i++) {
        if (all[i].offset < end || all[i].offset % alignment_of(&all[i]) ||
            all[i].offset + size_of(&all[i]) > to->size)
            continue;
        to->members[to->count] = all[i];
        to->members[to->count++].name = port_name(e->arena, &scope, all[i].name);
        end = all[i].offset + size_of(&all[i]);
        widest = alignment_of(&all[i]) > widest ? alignment_of(&all[i]) : widest;
    }
    if (to->size % widest) /* the struct of the component is not what C makes of its ports */
        to->count = 0;
    hk_scope_finish(&scope);
}

static const layout *layout_for(emitter *e, hk_scope *names, const hk_place *place) {
    const hk_info *info = e->system->model->components[place->component].info;
    const hk_unit_type *type = hk_native_type_of(info);
    for (size_t i = 0; type && i < e->layout_count; i++)
        if (e->layouts[i].type == type)
            return &e->layouts[i];
    layout *to = &e->layouts[e->layout_count++];
    size_t room = type ? type->port_count + 1 : 1;
    if (type && HK_UNIT_HAS(type, services))
        room += type->service_count;
    *to = (layout){.type = type, .size = place->size};
    to->members = HK_NEW_ARRAY(e->arena, member, room);
    to->name = hk_scope_name(e->arena, names, hk_arena_printf(e->arena, "%s_data", info->name));
    if (type)
        find_members(e, to);
    return to;
}

static void find_slots(emitter *e) {
    const hk_system_deeds *s = e->system;
    hk_scope scope = {0};
    e->slots = HK_NEW_ARRAY(e->arena, member, s->slot_count + 1);
    for (size_t i = 0; i < s->slot_count; i++) {
        const hk_component *c = &s->model->components[s->slots[i].component];
        const hk_variable *v = &c->info->variables[s->slots[i].variable];
        const char *name = hk_arena_printf(e->arena, "%s_%s", c->name, v->name);
        e->slots[i] = (member){.name = hk_scope_name(e->arena, &scope, name),
                               .store = v->store,
                               .offset = s->slots[i].offset,
                               .count = v->count};
    }
    hk_scope_finish(&scope);
}

void hk_emit_find_layouts(emitter *e) {
    const hk_system_deeds *s = e->system;
    hk_scope types = {0}, names = {0};
    hk_map_put(&names.taken, "hk", 0);
    e->layouts = HK_NEW_ARRAY(e->arena, layout, s->place_count + 1);
    e->layout_of = HK_NEW_ARRAY(e->arena, const layout *, s->place_count + 1);
    e->names = HK_NEW_ARRAY(e->arena, const char *, s->place_count + 1);
    for (size_t i = 0; i < s->place_count; i++) {
        const char *name = s->model->components[s->places[i].component].name;
        e->layout_of[i] = layout_for(e, &types, &s->places[i]);
        e->names[i] = hk_scope_name(e->arena, &names, name);
    }
    hk_scope_finish(&names);
    hk_scope_finish(&types);
    find_slots(e);
}

/* ---- their text ---- */

static void pad(hk_text *text, size_t *at, size_t to, unsigned *number) {
    if (to > *at)
        hk_text_put(text, "    unsigned char hk_%u[%zu];\n", (*number)++, to - *at);
    *at = to;
}

static void put_member(hk_text *text, const member *m) {
    if (m->binding)
        hk_text_put(text, "    hk_fused_binding %s;\n", m->name);
    else if (m->store == HK_STORE_BYTES)
        hk_text_put(text, "    unsigned char %s[%zu]; /* text or binary */\n", m->name, size_of(m));
    else if (m->count == 1)
        hk_text_put(text, "    %s %s;\n", type_of(m->store), m->name);
    else
        hk_text_put(text, "    %s %s[%zu];\n", type_of(m->store), m->name, m->count);
}

static void put_members(hk_text *text, const member *members, size_t count, size_t size) {
    size_t at = 0;
    unsigned number = 0;
    for (size_t i = 0; i < count; i++) {
        pad(text, &at, members[i].offset, &number);
        put_member(text, &members[i]);
        at += size_of(&members[i]);
    }
    pad(text, &at, size ? size : 1, &number);
}

static void put_layout(const emitter *e, hk_text *text, const layout *l) {
    if (l->type)
        hk_text_put(text, "/* A component of type '%s'. */\n",
                    hk_gen_safe(e->arena, l->type->name));
    hk_text_put(text, "typedef struct HK_FUSED_DATA {\n");
    put_members(text, l->members, l->count, l->size);
    hk_text_put(text, "} %s;\n", l->name);
    hk_text_put(text, "HK_SIZED(%s, %zu);\n", l->name, l->size ? l->size : 1);
    for (size_t i = 0; i < l->count; i++)
        hk_text_put(text, "HK_PLACED(%s, %s, %zu);\n", l->name, l->members[i].name,
                    l->members[i].offset);
    hk_text_put(text, "\n");
}

static void put_system(const emitter *e, hk_text *text) {
    const hk_system_deeds *s = e->system;
    size_t at = sizeof(hk_fused_head);
    unsigned number = 0;
    hk_text_put(text, "/* All native components, in the order of the model. */\n"
                      "typedef struct HK_FUSED_DATA {\n    hk_fused_head hk;\n");
    for (size_t i = 0; i < s->place_count; i++) {
        pad(text, &at, s->places[i].offset, &number);
        hk_text_put(text, "    %s %s;\n", e->layout_of[i]->name, e->names[i]);
        at += e->layout_of[i]->size ? e->layout_of[i]->size : 1;
    }
    pad(text, &at, s->size, &number);
    hk_text_put(text, "} hk_system;\n");
    for (size_t i = 0; i < s->place_count; i++)
        hk_text_put(text, "HK_PLACED(hk_system, %s, %zu);\n", e->names[i], s->places[i].offset);
    hk_text_put(text, "\n/* What the engine keeps of other components. */\n"
                      "typedef struct HK_FUSED_DATA {\n");
    put_members(text, e->slots, s->slot_count, s->block_size);
    hk_text_put(text, "} hk_block;\n");
    for (size_t i = 0; i < s->slot_count; i++)
        hk_text_put(text, "HK_PLACED(hk_block, %s, %zu);\n", e->slots[i].name, e->slots[i].offset);
}

/* The steps and services of leaves that cells know by name. */
static void put_leaves(const emitter *e, hk_text *text) {
    if (!e->leaves || !e->leaves->count)
        return;
    hk_text_put(text, "\n/* Steps of leaves, and what they provide. */\n");
    for (size_t i = 0; i < e->leaves->count; i++) {
        const hk_leaf *leaf = &e->leaves->all[i];
        size_t n =
            leaf->services && HK_UNIT_HAS(leaf->type, services) ? leaf->type->service_count : 0;
        if (leaf->step)
            hk_text_put(text, "int %s(void *self, double t, double h);\n", leaf->step);
        for (size_t k = 0; k < n; k++)
            if (leaf->services[k])
                hk_text_put(text, "extern const char %s[];\n", leaf->services[k]);
    }
}

const char *hk_emit_header(const emitter *e) {
    const hk_system_deeds *s = e->system;
    hk_text text = {0};
    hk_text_put(&text,
                "/* What lies where in the system '%s'. Made by hocket; do not edit. */\n"
                "#ifndef HK_SYSTEM_H\n#define HK_SYSTEM_H\n\n#include <hk/fused.h>\n\n",
                hk_gen_safe(e->arena, s->model->name ? s->model->name : ""));
    for (size_t i = 0; i < e->layout_count; i++)
        put_layout(e, &text, &e->layouts[i]);
    put_system(e, &text);
    put_leaves(e, &text);
    hk_text_put(&text, "\n#endif\n");
    return hk_emit_keep(e, &text);
}

/* ---- what lies at a spot ---- */

/* The member at an offset, with the element; NULL: none begins an element there. */
static const char *find_member(const emitter *e, const char *prefix, const member *members,
                               size_t count, size_t offset) {
    size_t next = 0;
    HK_SEARCH(next, count, i, members[i].offset <= offset)
    const member *m = next ? &members[next - 1] : NULL;
    if (!m || offset >= m->offset + size_of(m))
        return NULL;
    size_t inside = offset - m->offset, size = hk_store_size(m->store);
    if (m->binding || m->store == HK_STORE_BYTES)
        return inside ? NULL : hk_arena_printf(e->arena, "%s%s", prefix, m->name);
    if (inside % size)
        return NULL;
    return m->count == 1 ? hk_arena_printf(e->arena, "%s%s", prefix, m->name)
                         : hk_arena_printf(e->arena, "%s%s[%zu]", prefix, m->name, inside / size);
}

static size_t find_place(const emitter *e, size_t offset) {
    size_t low = 0, high = e->system->place_count;
    while (low + 1 < high) {
        size_t middle = (low + high) / 2;
        if (e->system->places[middle].offset <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

const char *hk_emit_component(const emitter *e, const hk_spot *spot) {
    return hk_arena_printf(e->arena, "s->%s", e->names[find_place(e, spot->offset)]);
}

const char *hk_emit_spot(const emitter *e, const hk_spot *spot, const char *type) {
    const char *found = NULL, *whole = "*b";
    size_t inside = spot->offset;
    if (spot->realm == HK_REALM_FAR)
        return hk_arena_printf(e->arena, "HK_FAR(%s, %zu)", type, spot->offset);
    if (spot->realm == HK_REALM_SYSTEM) {
        size_t i = find_place(e, spot->offset);
        inside -= e->system->places[i].offset;
        whole = hk_arena_printf(e->arena, "s->%s", e->names[i]);
        found = find_member(e, hk_arena_printf(e->arena, "%s.", whole), e->layout_of[i]->members,
                            e->layout_of[i]->count, inside);
    } else {
        found = find_member(e, "b->", e->slots, e->system->slot_count, spot->offset);
    }
    return found ? found : hk_arena_printf(e->arena, "HK_INSIDE(%s, %s, %zu)", type, whole, inside);
}

/* SPDX-License-Identifier: MIT
 *
 * From what a file says about a world to its description: a native type that is made to measure,
 * whose struct is the block that all ports lie in. */
#include "world/world_internal.h"

#include "native/native.h"

#include <string.h>

static const hk_port pose_fields[] = {
    HK_PORT(hk_pose, position, HK_LOCAL, HK_TYPE_F64, .count = 3, .unit = "m"),
    HK_PORT(hk_pose, orientation, HK_LOCAL, HK_TYPE_F64, .count = 4, .start = "1 0 0 0"),
    HK_PORT(hk_pose, world_position, HK_OUTPUT, HK_TYPE_F64, .count = 3, .unit = "m"),
    HK_PORT(hk_pose, world_orientation, HK_OUTPUT, HK_TYPE_F64, .count = 4, .start = "1 0 0 0"),
};
const hk_component_type hk_world_pose = {.abi = HK_WORLD_ABI,
                                         .size = sizeof(hk_component_type),
                                         .name = "Pose",
                                         .data_size = sizeof(hk_pose),
                                         .fields = pose_fields,
                                         .field_count = 4,
                                         .description = "where an entity is"};

/* What is being made. */
typedef struct maker {
    hk_ctx *ctx;
    hk_arena *arena;
    const hk_world_spec *spec;
    hk_world_origin *o;
    hk_port *ports;
    size_t port_count, port_cap;
    hk_domain *domains;
    size_t domain_count, domain_cap;
    hk_world_route *in, *out, *begin;
    size_t in_count, in_cap, out_count, out_cap, begin_count, begin_cap;
    size_t size; /* of the block so far */
    const hk_enum_type *presence;
} maker;

static size_t place(maker *m, size_t size, size_t align) {
    size_t at = (m->size + align - 1) / align * align;
    m->size = at + size;
    return at;
}

static void add_port(maker *m, const char *name, size_t at, hk_port port) {
    port.name = name;
    port.offset = at;
    if (port.causality == HK_OUTPUT)
        port.depends_on = "";
    HK_PUSH(m->ports, m->port_count, m->port_cap, port);
}

/* ---- systems */

static void add_system(maker *m, size_t index) {
    const hk_world_system *s = &m->spec->systems[index];
    const hk_system_type *type = s->type;
    hk_world_system_data *data = &m->o->systems[index];
    data->at = place(m, type->instance_size, 16);
    data->call = hk_arena_printf(m->arena, "step of system '%s'", s->name);
    for (size_t i = 0; i < type->port_count; i++)
        add_port(m, hk_arena_printf(m->arena, "%s.%s", s->name, type->ports[i].name),
                 data->at + type->ports[i].offset, type->ports[i]);
    data->active_at = place(m, 1, 1);
    add_port(m, hk_arena_printf(m->arena, "%s.active", s->name), data->active_at,
             (hk_port){.causality = HK_PARAMETER,
                       .type = HK_TYPE_BOOL,
                       .start = s->dormant ? "false" : "true",
                       .tunable = true,
                       .description = "whether the system acts"});
    hk_world_guard(m->arena, m->spec, type, data);
}

/* By priority; equal ones as they stand. */
static void order_systems(maker *m) {
    size_t n = m->spec->system_count;
    m->o->order = HK_NEW_ARRAY(m->arena, uint32_t, n + 1);
    for (size_t i = 0; i < n; i++) {
        size_t at = i;
        for (; at && m->spec->systems[m->o->order[at - 1]].priority > m->spec->systems[i].priority;
             at--)
            m->o->order[at] = m->o->order[at - 1];
        m->o->order[at] = (uint32_t)i;
    }
}

/* ---- entities */

static const hk_enum_type *items_of(maker *m, const hk_world_entity *e) {
    if (!e->variant_count && m->presence)
        return m->presence;
    size_t count = e->variant_count ? e->variant_count : 1;
    hk_enum_item *items = HK_NEW_ARRAY(m->arena, hk_enum_item, count + 1);
    items[0] = (hk_enum_item){"absent", 0};
    for (size_t i = 0; i < count; i++)
        items[i + 1] =
            (hk_enum_item){e->variant_count ? e->variants[i] : "present", (int64_t)i + 1};
    hk_enum_type *type = HK_NEW(m->arena, hk_enum_type);
    *type = (hk_enum_type){
        e->variant_count ? hk_arena_printf(m->arena, "%s.%s", m->spec->name, e->name) : "presence",
        items, count + 1};
    if (!e->variant_count)
        m->presence = type;
    return type;
}

static void add_presence(maker *m, uint32_t index) {
    const hk_world_entity *e = &m->spec->entities[index];
    const hk_enum_type *items = items_of(m, e);
    const char *name = hk_arena_printf(m->arena, "%s.is", e->name);
    hk_domain domain = {.port = name, .enumeration = items};
    m->o->is_at[index] = m->o->is_first + index * sizeof(int64_t);
    add_port(m, name, m->o->is_at[index],
             (hk_port){.causality = HK_PARAMETER,
                       .type = HK_TYPE_ENUM,
                       .start = items->items[e->dormant ? 0 : 1].name,
                       .tunable = true,
                       .description = "what the entity is"});
    HK_PUSH(m->domains, m->domain_count, m->domain_cap, domain);
}

static hk_port port_of_field(const maker *m, const hk_world_entity *e, const hk_port *field,
                             const char *name) {
    hk_port port = *field;
    bool linked = m->spec->linked && hk_map_get(m->spec->linked, name) != HK_MAP_NONE;
    if (e->copies) {
        port.causality = HK_PARAMETER;
        port.tunable = false;
    } else if (field->causality == HK_LOCAL || field->causality == HK_CALCULATED_PARAMETER) {
        port.causality = linked ? HK_INPUT : HK_OUTPUT;
    }
    return port;
}

static void add_field(maker *m, uint32_t entity, uint32_t part, const hk_port *field) {
    const hk_world_entity *e = &m->spec->entities[entity];
    const hk_world_part *p = &e->parts[part];
    const char *name = hk_arena_printf(m->arena, "%s.%s.%s", e->name, p->type->name, field->name);
    size_t size = hk_world_field_size(field);
    hk_world_route route = {.variable = (uint32_t)m->port_count,
                            .entity = entity,
                            .part = part,
                            .variants = p->variants,
                            .at = place(m, size, 8),
                            .offset = field->offset,
                            .size = size};
    hk_port port = port_of_field(m, e, field, name);
    add_port(m, name, route.at, port);
    HK_PUSH(m->begin, m->begin_count, m->begin_cap, route);
    if (e->copies)
        return;
    if (port.causality == HK_INPUT || (port.causality == HK_PARAMETER && port.tunable))
        HK_PUSH(m->in, m->in_count, m->in_cap, route);
    else if (port.causality == HK_OUTPUT)
        HK_PUSH(m->out, m->out_count, m->out_cap, route);
}

static void add_entity(maker *m, uint32_t index, uint32_t *parts) {
    const hk_world_entity *e = &m->spec->entities[index];
    m->o->first_part[index] = *parts;
    if (!e->copies)
        add_presence(m, index);
    for (uint32_t p = 0; p < e->part_count; p++) {
        const hk_component_type *type = e->parts[p].type;
        m->o->kept[(*parts)++] = m->o->kept_size;
        m->o->kept_size += (type->data_size + 15) / 16 * 16;
        for (size_t f = 0; f < type->field_count; f++)
            add_field(m, index, p, &type->fields[f]);
    }
}

static void add_drive(maker *m, const hk_world_drive *drive) {
    const hk_world_part *part = &m->spec->entities[drive->entity].parts[drive->part];
    const hk_port *field = &part->type->fields[drive->field];
    size_t size = hk_world_field_size(field);
    hk_world_route route = {.variable = (uint32_t)m->port_count,
                            .entity = drive->entity,
                            .part = drive->part,
                            .variants = part->variants & UINT64_C(1) << drive->variant,
                            .at = place(m, size, 8),
                            .offset = field->offset,
                            .size = size};
    hk_port port = *field;
    port.causality = HK_INPUT;
    add_port(m, drive->name, route.at, port);
    HK_PUSH(m->in, m->in_count, m->in_cap, route);
}

static size_t count_parts(const hk_world_spec *spec) {
    size_t count = 0;
    for (size_t i = 0; i < spec->entity_count; i++)
        count += spec->entities[i].part_count;
    return count;
}

/* ---- the whole */

/* A component of a type as it begins: all fields have their start values. */
static hk_status make_start(maker *m, size_t index) {
    const hk_component_type *type = m->spec->types[index];
    char *start = m->o->starts[index] = hk_arena_alloc(m->arena, type->data_size + 1);
    for (size_t f = 0; f < type->field_count; f++) {
        const hk_port *field = &type->fields[f];
        hk_value value;
        if (!field->start || field->type == HK_TYPE_ENUM)
            continue;
        if (!hk_value_parse(m->arena, field->type, field->count ? field->count : 1, NULL,
                            field->start, &value))
            return hk_error(m->ctx, HK_E_VALUE, m->spec->where, NULL,
                            "start value '%s' of '%s.%s' is not a value of type %s", field->start,
                            type->name, field->name, hk_type_name(field->type));
        memcpy(start + field->offset, value.data, hk_world_field_size(field));
    }
    return HK_OK;
}

static void keep(maker *m) {
    hk_world_origin *o = m->o;
    hk_port *ports = HK_NEW_ARRAY(m->arena, hk_port, m->port_count + 1);
    hk_domain *domains = HK_NEW_ARRAY(m->arena, hk_domain, m->domain_count + 1);
    o->in = HK_NEW_ARRAY(m->arena, hk_world_route, m->in_count + 1);
    o->out = HK_NEW_ARRAY(m->arena, hk_world_route, m->out_count + 1);
    o->begin = HK_NEW_ARRAY(m->arena, hk_world_route, m->begin_count + 1);
    o->in_count = m->in_count;
    o->out_count = m->out_count;
    o->begin_count = m->begin_count;
    if (m->port_count)
        memcpy(ports, m->ports, m->port_count * sizeof *ports);
    if (m->domain_count)
        memcpy(domains, m->domains, m->domain_count * sizeof *domains);
    if (m->in_count)
        memcpy(o->in, m->in, m->in_count * sizeof *o->in);
    if (m->out_count)
        memcpy(o->out, m->out, m->out_count * sizeof *o->out);
    if (m->begin_count)
        memcpy(o->begin, m->begin, m->begin_count * sizeof *o->begin);
    o->type = (hk_unit_type){.abi = HK_UNIT_ABI,
                             .size = sizeof(hk_unit_type),
                             .name = hk_arena_printf(m->arena, "world %s", m->spec->name),
                             .instance_size = m->size,
                             .ports = ports,
                             .port_count = m->port_count,
                             .step = hk_world_unit_step,
                             .domains = domains,
                             .domain_count = m->domain_count};
}

static void make_ports(maker *m) {
    const hk_world_spec *spec = m->spec;
    hk_world_origin *o = m->o;
    uint32_t parts = 0;
    o->systems = HK_NEW_ARRAY(m->arena, hk_world_system_data, spec->system_count + 1);
    o->is_at = HK_NEW_ARRAY(m->arena, size_t, spec->entity_count + 1);
    o->first_part = HK_NEW_ARRAY(m->arena, uint32_t, spec->entity_count + 1);
    o->kept = HK_NEW_ARRAY(m->arena, size_t, count_parts(spec) + 1);
    o->is_first = place(m, spec->entity_count * sizeof(int64_t), sizeof(int64_t));
    order_systems(m);
    for (size_t i = 0; i < spec->system_count; i++)
        add_system(m, i);
    for (uint32_t i = 0; i < spec->entity_count; i++)
        add_entity(m, i, &parts);
    for (size_t i = 0; i < spec->drive_count; i++)
        add_drive(m, &spec->drives[i]);
    keep(m);
    hk_free(m->ports);
    hk_free(m->domains);
    hk_free(m->in);
    hk_free(m->out);
    hk_free(m->begin);
}

static bool draws(const hk_world_spec *spec) {
    for (size_t i = 0; i < spec->system_count; i++)
        if (HK_SYSTEM_HAS(spec->systems[i].type, streams) && spec->systems[i].type->stream_count)
            return true;
    return false;
}

hk_status hk_world_info(hk_ctx *ctx, hk_model *model, const hk_world_spec *spec,
                        const hk_info **ret_info) {
    HK_ASSERT(model && spec && ret_info);
    HK_TRY(hk_world_unit_check(ctx, model->arena, spec));
    maker m = {.ctx = ctx, .arena = model->arena, .spec = spec};
    hk_world_origin *o = m.o = HK_NEW(model->arena, hk_world_origin);
    o->spec = spec;
    o->starts = HK_NEW_ARRAY(model->arena, void *, spec->type_count + 1);
    for (size_t i = 0; i < spec->type_count; i++)
        HK_TRY(make_start(&m, i));
    make_ports(&m);
    const hk_info *native;
    HK_TRY(hk_native_info(ctx, model, &o->type, &native));
    o->info = *native;
    o->info.kind = "world";
    o->info.file = spec->system_count ? spec->systems[0].file : NULL;
    o->info.can = (hk_abilities){.variable_step = true,
                                 .save_state = true,
                                 .serialize_state = true,
                                 .has_streams = draws(spec)};
    o->info.unit_class = &hk_world_class;
    o->info.origin = o;
    *ret_info = &o->info;
    return HK_OK;
}

const hk_world_spec *hk_world_of(const hk_info *info) {
    HK_ASSERT(info);
    return info->unit_class == &hk_world_class ? ((const hk_world_origin *)info->origin)->spec
                                               : NULL;
}

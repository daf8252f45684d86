/* SPDX-License-Identifier: MIT
 *
 * From the port table of a native type to the description that the rest of hocket reads. */
#include "native/native_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static hk_where type_where(hk_arena *arena, const char *file, const hk_unit_type *type) {
    const char *element = hk_arena_printf(arena, "type '%s'", type->name);
    return (hk_where){.file = file, .element = element};
}

static hk_where port_where(hk_arena *arena, const char *file, const hk_unit_type *type,
                           const hk_port *port) {
    const char *element = hk_arena_printf(arena, "port '%s' of type '%s'", port->name, type->name);
    return (hk_where){.file = file, .element = element};
}

hk_status hk_native_check_abi(hk_ctx *ctx, const hk_unit_type *type, const char *file) {
    hk_where where = {.file = file};
    if (type->abi != HK_UNIT_ABI)
        return hk_error(ctx, HK_E_PLUGIN, where, "build it again with the hk/unit.h of this hocket",
                        "native type was built for ABI %u, this is ABI %u", (unsigned)type->abi,
                        (unsigned)HK_UNIT_ABI);
    if (type->size < HK_UNIT_TYPE_MIN)
        return hk_error(ctx, HK_E_PLUGIN, where, "begin the definition with HK_UNIT_TYPE(struct)",
                        "hk_unit_type has %u bytes, expected at least %zu", (unsigned)type->size,
                        HK_UNIT_TYPE_MIN);
    if (!type->name || !*type->name)
        return hk_error(ctx, HK_E_PLUGIN, where, "begin the definition with HK_UNIT_TYPE(struct)",
                        "native type has no name");
    return HK_OK;
}

static hk_status check_type(hk_ctx *ctx, hk_arena *arena, const hk_unit_type *type,
                            const char *file) {
    HK_TRY(hk_native_check_abi(ctx, type, file));
    hk_where where = type_where(arena, file, type);
    if (!type->step)
        return hk_error(ctx, HK_E_PLUGIN, where, "set .step to the function that advances it",
                        "native type has no step function");
    if (type->port_count && !type->ports)
        return hk_error(ctx, HK_E_PLUGIN, where, "set .ports to the port table",
                        "native type says it has %zu ports and has no port table",
                        type->port_count);
    if (type->stamp != HK_STAMP_END && type->stamp != HK_STAMP_START)
        return hk_error(ctx, HK_E_PLUGIN, where, "use HK_STAMP_END or HK_STAMP_START",
                        "native type has the unknown stamp %d", (int)type->stamp);
    return HK_OK;
}

static bool causality_is_offered(hk_causality causality) {
    return causality == HK_LOCAL || causality == HK_INPUT || causality == HK_OUTPUT ||
           causality == HK_PARAMETER || causality == HK_CALCULATED_PARAMETER;
}

static size_t port_elements(const hk_port *port) {
    return port->count ? port->count : 1;
}

static hk_status check_port(hk_ctx *ctx, hk_arena *arena, const hk_unit_type *type,
                            const char *file, const hk_port *port) {
    if (!port->name || !*port->name)
        return hk_error(ctx, HK_E_PLUGIN, type_where(arena, file, type), NULL,
                        "port %zu has no name", (size_t)(port - type->ports));
    hk_where where = port_where(arena, file, type, port);
    if ((unsigned)port->type >= HK_TYPE_COUNT || port->type == HK_TYPE_CLOCK)
        return hk_error(ctx, HK_E_PLUGIN, where, "use one of HK_TYPE_F64 ... HK_TYPE_ENUM",
                        "port has the type %d, which native components cannot have",
                        (int)port->type);
    if (!causality_is_offered(port->causality))
        return hk_error(ctx, HK_E_PLUGIN, where,
                        "use HK_INPUT, HK_OUTPUT, HK_PARAMETER, HK_CALCULATED_PARAMETER or "
                        "HK_LOCAL",
                        "port has the causality %d, which native components cannot have",
                        (int)port->causality);
    size_t element = hk_store_size(hk_store_of(port->type));
    size_t elements = port_elements(port);
    if (port->offset > type->instance_size ||
        elements > (type->instance_size - port->offset) / element)
        return hk_error(ctx, HK_E_PLUGIN, where, "check struct, field and type in HK_PORT",
                        "port ends beyond the component's struct of %zu bytes",
                        type->instance_size);
    size_t align =
        port->type == HK_TYPE_STRING || port->type == HK_TYPE_BINARY ? _Alignof(hk_bytes) : element;
    if (port->offset % align != 0)
        return hk_error(ctx, HK_E_PLUGIN, where, "the field must have the C type of the port",
                        "port lies at byte %zu, which is not a multiple of %zu", port->offset,
                        align);
    return HK_OK;
}

static hk_variability port_variability(const hk_unit_type *type, const hk_port *port) {
    if (port->causality == HK_PARAMETER || port->causality == HK_CALCULATED_PARAMETER)
        return port->tunable ? HK_TUNABLE : HK_FIXED;
    bool real = port->type == HK_TYPE_F64 || port->type == HK_TYPE_F32;
    return real && !HK_UNIT_HAS(type, discrete) ? HK_CONTINUOUS : HK_DISCRETE;
}

static hk_initial port_initial(const hk_unit_type *type, const hk_port *port) {
    switch (port->causality) {
    case HK_INPUT:
        return HK_INITIAL_NONE;
    case HK_PARAMETER:
        return HK_EXACT;
    case HK_CALCULATED_PARAMETER:
        return HK_CALCULATED;
    default:
        /* What the component states, or what nobody will compute, holds as it is. */
        return port->start || !type->output ? HK_EXACT : HK_CALCULATED;
    }
}

static hk_status read_start(hk_ctx *ctx, hk_arena *arena, const hk_unit_type *type,
                            const char *file, const hk_port *port, hk_variable *variable) {
    if (!port->start) {
        if (variable->initial != HK_EXACT)
            return HK_OK;
        variable->start = (hk_value){port->type, variable->count, NULL};
        variable->start.data =
            hk_arena_alloc(arena, variable->count * hk_store_size(variable->store));
        return HK_OK;
    }
    if (!hk_value_parse(arena, port->type, variable->count, variable->enumeration, port->start,
                        &variable->start))
        return hk_error(ctx, HK_E_VALUE, port_where(arena, file, type, port),
                        variable->enumeration ? hk_enum_items(arena, variable->enumeration) : NULL,
                        "start value '%s' is not a value of type %s", port->start,
                        hk_type_name(port->type));
    return HK_OK;
}

static void read_unit(hk_ctx *ctx, hk_arena *arena, const hk_unit_type *type, const char *file,
                      const hk_port *port, hk_variable *variable) {
    if (!port->unit)
        return;
    hk_uom uom;
    variable->unit = port->unit;
    if (!hk_uom_parse(port->unit, &uom)) {
        hk_warn(ctx, HK_E_PLUGIN, port_where(arena, file, type, port),
                "write it like \"m/s\", \"kg.m2\" or \"degC\"",
                "unit '%s' is not known, so connections of the port are not converted", port->unit);
        return;
    }
    hk_uom *kept = HK_NEW(arena, hk_uom);
    *kept = uom;
    variable->uom = kept;
}

static hk_status fill_variable(hk_ctx *ctx, hk_model *model, const hk_unit_type *type,
                               uint32_t index, hk_info *info) {
    const hk_port *port = &type->ports[index];
    const char *file = info->file;
    HK_TRY(check_port(ctx, model->arena, type, file, port));
    if (hk_map_put(&info->by_name, port->name, index) != index)
        return hk_error(ctx, HK_E_PLUGIN, port_where(model->arena, file, type, port),
                        "give every port a name of its own", "port is declared twice");
    hk_variable *variable = &info->variables[index];
    *variable = (hk_variable){
        .name = port->name,
        .description = port->description,
        .ref = index,
        .type = port->type,
        .store = hk_store_of(port->type),
        .causality = port->causality,
        .variability = port_variability(type, port),
        .may_be_nan = port->causality == HK_OUTPUT && port->may_be_nan,
        .initial = port_initial(type, port),
        .count = port_elements(port),
        .min = (double)NAN,
        .max = (double)NAN,
        .nominal = (double)NAN,
        .alias_of = index,
    };
    if (variable->count > 1) {
        size_t *dims = HK_NEW(model->arena, size_t);
        dims[0] = variable->count;
        variable->dims = dims;
        variable->dim_count = 1;
    }
    read_unit(ctx, model->arena, type, file, port, variable);
    return HK_OK;
}

static const char *closest_input(hk_arena *arena, const hk_unit_type *type, const char *word) {
    const char **names = HK_NEW_ARRAY(arena, const char *, type->port_count);
    size_t count = 0;
    for (size_t i = 0; i < type->port_count; i++)
        if (type->ports[i].causality == HK_INPUT)
            names[count++] = type->ports[i].name;
    return hk_hint_closest(arena, word, names, count,
                           "name inputs of the same component, separated by spaces");
}

/* depends_on names inputs; the engine wants their indices. */
static hk_status read_depends(hk_ctx *ctx, hk_model *model, const hk_unit_type *type,
                              uint32_t index, hk_info *info) {
    const hk_port *port = &type->ports[index];
    hk_variable *variable = &info->variables[index];
    if (port->causality != HK_OUTPUT)
        return HK_OK;
    if (port->depends_on) {
        uint32_t *on = HK_NEW_ARRAY(model->arena, uint32_t, type->port_count + 1);
        size_t count = 0;
        for (const char *at = port->depends_on + strspn(port->depends_on, " "); *at;) {
            size_t length = strcspn(at, " ");
            const char *name = hk_arena_strndup(model->arena, at, length);
            uint32_t input = hk_map_get(&info->by_name, name);
            if (input == HK_MAP_NONE || type->ports[input].causality != HK_INPUT)
                return hk_error(ctx, HK_E_PLUGIN, port_where(model->arena, info->file, type, port),
                                closest_input(model->arena, type, name),
                                "depends_on names '%s', which is not an input of the component",
                                name);
            bool seen = false;
            for (size_t i = 0; i < count; i++)
                seen = seen || on[i] == input;
            if (!seen)
                on[count++] = input;
            at += length;
            at += strspn(at, " ");
        }
        variable->depends = (hk_depends){.known = true, .on = on, .count = count};
    }
    /* Without an output function nothing follows the inputs before the first step. */
    variable->depends_init = type->output ? variable->depends : (hk_depends){.known = true};
    return HK_OK;
}

typedef struct placed_port {
    size_t offset;
    uint32_t index;
} placed_port;

static int compare_places(const void *a, const void *b) {
    const placed_port *x = a, *y = b;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* Ports at the same place are names for the same thing; the first of them stands for all. */
static void find_aliases(const hk_unit_type *type, hk_info *info) {
    placed_port *places = hk_alloc((type->port_count + 1) * sizeof *places);
    for (uint32_t i = 0; i < type->port_count; i++)
        places[i] = (placed_port){type->ports[i].offset, i};
    qsort(places, type->port_count, sizeof *places, compare_places);
    for (size_t i = 1; i < type->port_count; i++)
        if (places[i].offset == places[i - 1].offset)
            info->variables[places[i].index].alias_of =
                info->variables[places[i - 1].index].alias_of;
    hk_free(places);
}

static void find_slots(hk_arena *arena, hk_native_origin *origin) {
    const hk_info *info = &origin->info;
    size_t count = 0;
    for (size_t i = 0; i < info->variable_count; i++)
        if (info->variables[i].store == HK_STORE_BYTES && info->variables[i].alias_of == i)
            count += info->variables[i].count;
    origin->slots = HK_NEW_ARRAY(arena, size_t, count + 1);
    for (size_t i = 0; i < info->variable_count; i++)
        if (info->variables[i].store == HK_STORE_BYTES && info->variables[i].alias_of == i)
            for (size_t k = 0; k < info->variables[i].count; k++)
                origin->slots[origin->slot_count++] =
                    origin->type->ports[i].offset + k * sizeof(hk_bytes);
}

static void release_origin(void *object) {
    hk_native_origin *origin = object;
    hk_map_finish(&origin->info.by_name);
}

static const hk_info *find_described(const hk_model *model, const hk_unit_type *type) {
    for (size_t i = 0; i < model->owned_count; i++) {
        const hk_native_origin *origin = model->owned[i].object;
        if (model->owned[i].release == release_origin && origin->type == type)
            return &origin->info;
    }
    return NULL;
}

const hk_info *hk_native_described(const hk_model *model, const char *name) {
    for (size_t i = 0; i < model->owned_count; i++) {
        const hk_native_origin *origin = model->owned[i].object;
        if (model->owned[i].release == release_origin && strcmp(origin->type->name, name) == 0)
            return &origin->info;
    }
    return NULL;
}

/* What init obtained and end frees is not in the struct. */
static bool frees_nothing(const hk_unit_type *type) {
    return HK_UNIT_HAS(type, end_frees) && !*type->end_frees;
}

hk_status hk_native_describe(hk_ctx *ctx, hk_model *model, const hk_unit_type *type,
                             const char *file, const hk_info **ret_info) {
    const hk_info *known = find_described(model, type);
    if (known) {
        *ret_info = known;
        return HK_OK;
    }
    HK_TRY(check_type(ctx, model->arena, type, file));
    hk_native_origin *origin = HK_NEW(model->arena, hk_native_origin);
    hk_info *info = &origin->info;
    origin->type = type;
    origin->loader = hk_builtin_loader_of(type);
    if (!origin->loader)
        origin->loader = hk_measured_loader(type);
    *info = (hk_info){
        .name = type->name,
        .description = type->description,
        .kind = "native",
        .file = file,
        .stamp = type->stamp,
        .variables = HK_NEW_ARRAY(model->arena, hk_variable, type->port_count + 1),
        .variable_count = type->port_count,
        .can = {.from_types = true,
                .heeds_stops = HK_UNIT_HAS(type, stop) || HK_UNIT_HAS(type, start),
                .momentary = hk_measured_momentary(type),
                .variable_step = true,
                .save_state = true,
                .serialize_state = !type->end || frees_nothing(type),
                .has_streams = HK_UNIT_HAS(type, streams) && type->stream_count > 0,
                .directional_derivatives = HK_UNIT_HAS(type, derivative)},
        .unit_class = &hk_native_class,
        .origin = origin,
    };
    hk_status status = HK_OK;
    for (uint32_t i = 0; i < type->port_count && status == HK_OK; i++)
        status = fill_variable(ctx, model, type, i, info);
    if (status == HK_OK)
        status = hk_native_read_domains(ctx, model->arena, origin);
    /* Items are known now, so a start value may be the name of one. */
    for (uint32_t i = 0; i < type->port_count && status == HK_OK; i++)
        status = read_start(ctx, model->arena, type, file, &type->ports[i], &info->variables[i]);
    for (uint32_t i = 0; i < type->port_count && status == HK_OK; i++)
        status = read_depends(ctx, model, type, i, info);
    if (status == HK_OK)
        status = hk_native_describe_services(ctx, model->arena, origin);
    if (status != HK_OK) {
        hk_map_finish(&info->by_name);
        return status;
    }
    find_aliases(type, info);
    find_slots(model->arena, origin);
    hk_model_own(model, origin, release_origin);
    *ret_info = info;
    return HK_OK;
}

hk_status hk_native_info(hk_ctx *ctx, hk_model *model, const hk_unit_type *type,
                         const hk_info **ret_info) {
    return hk_native_describe(ctx, model, type, NULL, ret_info);
}

const hk_unit_type *hk_native_type_of(const hk_info *info) {
    const hk_native_origin *origin = info->origin;
    return info->unit_class == &hk_native_class ? origin->type : NULL;
}

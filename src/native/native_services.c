/* SPDX-License-Identifier: MIT
 *
 * Services and random streams of native components. */
#include "native/native_internal.h"

#include <string.h>

static hk_where service_where(hk_arena *arena, const char *file, const hk_unit_type *type,
                              const char *name) {
    const char *element =
        hk_arena_printf(arena, "service '%s' of type '%s'", name ? name : "", type->name);
    return (hk_where){.file = file, .element = element};
}

static bool fits(const hk_unit_type *type, size_t offset, size_t size, size_t align) {
    return offset <= type->instance_size && type->instance_size - offset >= size &&
           offset % align == 0;
}

static hk_status check_service(hk_ctx *ctx, hk_arena *arena, const hk_unit_type *type,
                               const char *file, const hk_service *s) {
    hk_where where = service_where(arena, file, type, s->name);
    if (!s->name || !*s->name || !s->interface || !s->interface->name || !s->interface->signature)
        return hk_error(ctx, HK_E_PLUGIN, where, "'hocket gen' writes the tables from a type file",
                        "a service has no name, or no interface with name and signature");
    if (!s->interface->stopped)
        return hk_error(ctx, HK_E_PLUGIN, where, "'hocket gen' writes the tables from a type file",
                        "the interface '%s' has no functions for a stopped provider",
                        s->interface->name);
    if (!s->functions && !fits(type, s->offset, sizeof(hk_binding), _Alignof(hk_binding)))
        return hk_error(ctx, HK_E_PLUGIN, where, "use offsetof(struct, field)",
                        "the binding lies beyond the component's struct of %zu bytes",
                        type->instance_size);
    return HK_OK;
}

/* A field of a type that names ports of one causality, separated by spaces. */
typedef struct port_names {
    const char *field, *text;
    hk_causality causality;
    const char *what; /* "parameter" */
    uint32_t *indices;
    size_t count;
} port_names;

/* Who asks wants their indices. */
static hk_status read_names(hk_ctx *ctx, hk_arena *arena, const hk_unit_type *type,
                            const hk_info *info, port_names *names) {
    names->indices = HK_NEW_ARRAY(arena, uint32_t, strlen(names->text) + 1);
    for (const char *at = names->text + strspn(names->text, " "); *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        const char *name = hk_arena_strndup(arena, at, length);
        uint32_t index = hk_map_get(&info->by_name, name);
        if (index == HK_MAP_NONE || type->ports[index].causality != names->causality)
            return hk_error(ctx, HK_E_PLUGIN,
                            (hk_where){.file = info->file,
                                       .element = hk_arena_printf(arena, "type '%s'", type->name)},
                            hk_arena_printf(arena,
                                            "name %ss of the same component, separated by spaces",
                                            names->what),
                            "%s names '%s', which is not %s %s", names->field, name,
                            *names->what == 'o' ? "an" : "a", names->what);
        names->indices[names->count++] = index;
        at += length;
    }
    return HK_OK;
}

/* Ports that the type names for what they are: scales of its dice, and pulses. */
static hk_status read_named_ports(hk_ctx *ctx, hk_arena *arena, const hk_unit_type *type,
                                  hk_info *info) {
    port_names scales = {.field = "random_scales",
                         .text = HK_UNIT_HAS(type, random_scales) ? type->random_scales : "",
                         .causality = HK_PARAMETER,
                         .what = "parameter"};
    port_names pulses = {.field = "pulses",
                         .text = HK_UNIT_HAS(type, pulses) ? type->pulses : "",
                         .causality = HK_OUTPUT,
                         .what = "output"};
    HK_TRY(read_names(ctx, arena, type, info, &scales));
    info->random_scales = scales.indices;
    info->random_scale_count = scales.count;
    HK_TRY(read_names(ctx, arena, type, info, &pulses));
    for (size_t i = 0; i < pulses.count; i++)
        info->variables[pulses.indices[i]].pulse = true;
    return HK_OK;
}

hk_status hk_native_describe_services(hk_ctx *ctx, hk_arena *arena, hk_native_origin *origin) {
    const hk_unit_type *type = origin->type;
    hk_info *info = &origin->info;
    const char *file = info->file;
    size_t n = HK_UNIT_HAS(type, services) ? type->service_count : 0;
    hk_service_info *services = HK_NEW_ARRAY(arena, hk_service_info, n + 1);
    for (size_t i = 0; i < n; i++) {
        const hk_service *s = &type->services[i];
        HK_TRY(check_service(ctx, arena, type, file, s));
        for (size_t k = 0; k < i; k++)
            if (strcmp(services[k].name, s->name) == 0)
                return hk_error(ctx, HK_E_PLUGIN, service_where(arena, file, type, s->name),
                                "give every service a name of its own", "it is declared twice");
        services[i] = (hk_service_info){.name = s->name,
                                        .interface = s->interface->name,
                                        .provided = s->functions != NULL,
                                        .definition = s->interface};
        hk_native_read_items(arena, &services[i]);
    }
    size_t streams = HK_UNIT_HAS(type, streams) ? type->stream_count : 0;
    for (size_t i = 0; i < streams; i++)
        if (!fits(type, type->streams[i].offset, sizeof(hk_stream), _Alignof(hk_stream)))
            return hk_error(ctx, HK_E_PLUGIN, service_where(arena, file, type, NULL),
                            "use offsetof(struct, field)",
                            "the stream '%s' lies beyond the component's struct of %zu bytes",
                            type->streams[i].name, type->instance_size);
    info->services = services;
    info->service_count = n;
    return read_named_ports(ctx, arena, type, info);
}

void hk_native_fill_streams(const hk_unit_type *type, char *self, uint64_t seed, uint64_t run,
                            const char *component) {
    size_t n = HK_UNIT_HAS(type, streams) ? type->stream_count : 0;
    for (size_t i = 0; i < n; i++) {
        hk_stream stream = hk_stream_make(seed, run, component, type->streams[i].name);
        memcpy(self + type->streams[i].offset, &stream, sizeof stream);
    }
}

void hk_native_forget_bindings(const hk_unit_type *type, char *self) {
    size_t n = HK_UNIT_HAS(type, services) ? type->service_count : 0;
    for (size_t i = 0; i < n; i++)
        if (!type->services[i].functions)
            memset(self + type->services[i].offset, 0, sizeof(hk_binding));
}

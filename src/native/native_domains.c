/* SPDX-License-Identifier: MIT
 *
 * Which values the ports of a native type are meant to hold: limits and items of enumerations. */
#include "base/number.h"
#include "native/native_internal.h"

#include <math.h>
#include <string.h>

typedef struct reading {
    hk_ctx *ctx;
    hk_arena *arena;
    const hk_native_origin *origin;
} reading;

static hk_where enum_where(const reading *r, const hk_enum_type *e) {
    const char *element = hk_arena_printf(r->arena, "enumeration '%s' of type '%s'",
                                          e->name ? e->name : "", r->origin->type->name);
    return (hk_where){.file = r->origin->info.file, .element = element};
}

static hk_where domain_where(const reading *r, const hk_domain *domain) {
    const char *element =
        domain->port
            ? hk_arena_printf(r->arena, "domain of port '%s' of type '%s'", domain->port,
                              r->origin->type->name)
            : hk_arena_printf(r->arena, "domain %zu of type '%s'",
                              (size_t)(domain - r->origin->type->domains), r->origin->type->name);
    return (hk_where){.file = r->origin->info.file, .element = element};
}

static hk_status check_items(const reading *r, const hk_enum_type *e) {
    hk_where where = enum_where(r, e);
    if (!e->name || !*e->name || !e->item_count || !e->items)
        return hk_error(r->ctx, HK_E_PLUGIN, where, "set .name, .items and .item_count",
                        "enumeration has no %s", e->name && *e->name ? "items" : "name");
    for (size_t i = 0; i < e->item_count; i++) {
        if (!e->items[i].name || !*e->items[i].name)
            return hk_error(r->ctx, HK_E_PLUGIN, where, NULL, "item %zu has no name", i);
        for (size_t k = 0; k < i; k++)
            if (strcmp(e->items[k].name, e->items[i].name) == 0 ||
                e->items[k].value == e->items[i].value)
                return hk_error(
                    r->ctx, HK_E_PLUGIN, where, "give every item a name and a number of its own",
                    "items '%s' and '%s' are not different", e->items[k].name, e->items[i].name);
    }
    return HK_OK;
}

/* Ports that share a table share what is made of it. */
static const hk_enum *known_enum(const reading *r, const hk_domain *domain) {
    for (const hk_domain *d = r->origin->type->domains; d < domain; d++)
        if (d->enumeration == domain->enumeration)
            return r->origin->info.variables[hk_map_get(&r->origin->info.by_name, d->port)]
                .enumeration;
    return NULL;
}

static hk_status read_enum(const reading *r, const hk_domain *domain, hk_variable *v) {
    const hk_enum_type *e = domain->enumeration;
    if (!e)
        return HK_OK;
    if (v->type != HK_TYPE_ENUM)
        return hk_error(r->ctx, HK_E_PLUGIN, domain_where(r, domain),
                        "give the port the type HK_TYPE_ENUM", "port has items and is %s",
                        hk_type_name(v->type));
    v->enumeration = known_enum(r, domain);
    if (!v->enumeration) {
        HK_TRY(check_items(r, e));
        const char **names = HK_NEW_ARRAY(r->arena, const char *, e->item_count);
        int64_t *values = HK_NEW_ARRAY(r->arena, int64_t, e->item_count);
        for (size_t i = 0; i < e->item_count; i++) {
            names[i] = e->items[i].name;
            values[i] = e->items[i].value;
        }
        hk_enum *made = HK_NEW(r->arena, hk_enum);
        *made = (hk_enum){e->name, names, values, e->item_count};
        v->enumeration = made;
    }
    v->declared_type = e->name;
    return HK_OK;
}

static hk_status read_limit(const reading *r, const hk_domain *domain, const char *text,
                            const hk_variable *v, double *ret_limit) {
    if (!text)
        return HK_OK;
    if (v->store == HK_STORE_BYTES || v->type == HK_TYPE_BOOL)
        return hk_error(r->ctx, HK_E_PLUGIN, domain_where(r, domain), "leave out .min and .max",
                        "port has limits and is %s", hk_type_name(v->type));
    if (!hk_read_f64(text, strlen(text), ret_limit) || !isfinite(*ret_limit))
        return hk_error(r->ctx, HK_E_VALUE, domain_where(r, domain),
                        "write a number like \"0.5\", or leave it out",
                        "limit '%s' is not a finite number", text);
    return HK_OK;
}

static hk_status find_port(const reading *r, const hk_domain *domain, hk_variable **ret) {
    const hk_info *info = &r->origin->info;
    uint32_t index = domain->port ? hk_map_get(&info->by_name, domain->port) : HK_MAP_NONE;
    if (index == HK_MAP_NONE) {
        const char *name = domain->port ? hk_info_closest(info, domain->port) : NULL;
        return hk_error(r->ctx, HK_E_PLUGIN, domain_where(r, domain),
                        hk_hint_name(r->arena, name, "set .port to the name of a port"),
                        "domain names no port of the component");
    }
    *ret = &info->variables[index];
    return HK_OK;
}

static hk_status read_domain(const reading *r, const hk_domain *domain) {
    hk_variable *v = NULL;
    HK_TRY(find_port(r, domain, &v));
    for (const hk_domain *d = r->origin->type->domains; d < domain; d++)
        if (strcmp(d->port, domain->port) == 0)
            return hk_error(r->ctx, HK_E_PLUGIN, domain_where(r, domain),
                            "say limits and items of a port at one place",
                            "port has more than one domain");
    HK_TRY(read_enum(r, domain, v));
    HK_TRY(read_limit(r, domain, domain->min, v, &v->min));
    HK_TRY(read_limit(r, domain, domain->max, v, &v->max));
    if (v->min > v->max)
        return hk_error(r->ctx, HK_E_VALUE, domain_where(r, domain), NULL,
                        "the least value '%s' is above the largest '%s'", domain->min, domain->max);
    return HK_OK;
}

hk_status hk_native_read_domains(hk_ctx *ctx, hk_arena *arena, const hk_native_origin *origin) {
    reading r = {ctx, arena, origin};
    const hk_unit_type *type = origin->type;
    size_t count = HK_UNIT_HAS(type, domain_count) ? type->domain_count : 0;
    if (count && !type->domains)
        return hk_error(ctx, HK_E_PLUGIN,
                        (hk_where){.file = origin->info.file,
                                   .element = hk_arena_printf(arena, "type '%s'", type->name)},
                        "set .domains to the table",
                        "native type says it has %zu domains and has no table", count);
    for (size_t i = 0; i < count; i++)
        HK_TRY(read_domain(&r, &type->domains[i]));
    return HK_OK;
}

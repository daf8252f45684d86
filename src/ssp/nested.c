/* SPDX-License-Identifier: MIT
 *
 * Components that are systems in files of their own, loose or packed: each is read like the
 * outermost one, with its own units and its own folder, and is in place of the component. What
 * the component binds comes after the bindings of the system inside. */
#include "base/file.h"
#include "ssp/ssp_internal.h"

#include <string.h>

#define TYPE_DEFINITION "application/x-ssp-definition"
#define TYPE_PACKAGE    "application/x-ssp-package"
enum { DEPTH_MAX = 32 };

static bool has_extension(const char *source, const char *extension) {
    size_t length = source ? strcspn(source, "#") : 0, wanted = strlen(extension);
    return length > wanted && strncmp(source + length - wanted, extension, wanted) == 0;
}

/* Some leave the type of a system out or write that of an FMU, and its name says what it is. */
bool hk_ssp_is_nested(const hk_ssd_element *c) {
    return has_extension(c->source, ".ssd") || has_extension(c->source, ".ssp") ||
           (c->type &&
            (strcmp(c->type, TYPE_DEFINITION) == 0 || strcmp(c->type, TYPE_PACKAGE) == 0));
}

static bool is_package(const hk_ssd_element *c) {
    if (has_extension(c->source, ".ssd") || has_extension(c->source, ".ssp"))
        return has_extension(c->source, ".ssp");
    return strcmp(c->type, TYPE_PACKAGE) == 0;
}

static hk_status refuse_loop(hk_ssp *r, const hk_ssp_base *base, hk_where where) {
    for (const hk_ssp_base *b = base->outer; b; b = b->outer)
        if (b->store == base->store && strcmp(b->ssd, base->ssd) == 0)
            return hk_error(
                r->ctx, HK_E_SSP, where, "break the circle: a part cannot hold its whole",
                "the system in '%s' contains itself", hk_ssp_shown(r, base->store, base->ssd));
    if (base->depth > DEPTH_MAX)
        return hk_error(r->ctx, HK_E_SSP, where, NULL, "systems lie in systems more than %d deep",
                        DEPTH_MAX);
    return HK_OK;
}

static hk_status open_base(hk_ssp *r, const hk_ssd_element *c, hk_where where,
                           hk_ssp_base **ret_base) {
    const char *path, *fragment, *full;
    bool exists;
    if (!c->source)
        return hk_error(r->ctx, HK_E_SSP, where, "give it source=\"resources/NAME.ssd\"",
                        "the component has no source");
    hk_ssp_store *store = c->base->store;
    HK_TRY(hk_ssp_resolve(r, c->base, c->source, where, &path, &fragment));
    HK_TRY(hk_ssp_exists(r, store, path, &exists));
    if (!exists)
        return hk_error(r->ctx, HK_E_FILE_READ, where,
                        "correct the source; it is relative to the .ssd file",
                        "the file '%s' does not exist", path);
    if (is_package(c)) {
        HK_TRY(hk_ssp_place(r, store, path, &full));
        HK_TRY(hk_ssp_open_package(r, full, hk_ssp_shown(r, store, path), fragment, ret_base));
    } else if (fragment) {
        return hk_error(r->ctx, HK_E_SSP, where, "give the file a System of its own",
                        "source '%s' names one System of a description, which is not supported",
                        c->source);
    } else {
        *ret_base = hk_ssp_base_beside(r, c->base, path);
    }
    (*ret_base)->outer = c->base;
    (*ret_base)->depth = c->base->depth + 1;
    return refuse_loop(r, *ret_base, where);
}

/* What the component declares about the system is only looked at. */
static void compare_connectors(hk_ssp *r, const hk_ssd_element *c, const hk_ssd_element *inner) {
    const hk_tree_connector *first = NULL;
    size_t missing = 0;
    for (size_t i = 0; i < c->connector_count; i++)
        if (hk_map_get(inner->connector_names, c->connectors[i].name) == HK_MAP_NONE)
            first = missing++ ? first : &c->connectors[i];
    if (missing)
        hk_warn(r->ctx, HK_E_SSP, first->where, "correct the name, or remove it",
                "connector '%s' of component '%s' is none of the system in '%s' and is ignored%s",
                first->name, c->name, c->source, missing > 1 ? ", and so are others" : "");
}

/* How a part would be run alone is of no account. */
static void tell_experiment(hk_ssp *r, const hk_ssd *ssd, const hk_ssd_element *c) {
    if (ssd->schedule)
        hk_ssp_failed(r, hk_error(r->ctx, HK_E_SSP, c->where, "give it to the outermost system",
                                  "the system in '%s' has a schedule of its own", c->source));
    const hk_experiment *e = &ssd->experiment;
    bool any = e->has_stop || e->has_step || e->start_source > HK_FROM_DEFAULT;
    if (any && hk_ssp_first(r, "experiment inside"))
        hk_note(r->ctx, c->where,
                "start, stop and step of the system in '%s' are not used: those of the outermost "
                "one hold",
                c->source);
}

static hk_status read(hk_ssp *r, hk_ssd_element *c, hk_ssd_element **ret_system) {
    hk_where where = c->where;
    where.element = hk_arena_printf(r->arena, "component '%s'", c->name);
    hk_ssp_base *base;
    hk_ssd *ssd;
    HK_TRY(open_base(r, c, where, &base));
    HK_TRY(hk_ssd_load(r, base, &ssd));
    hk_ssd_element *system = ssd->root;
    system->name = c->name;
    for (size_t i = 0; i < c->binding_count; i++) {
        hk_ssd_binding binding = c->bindings[i];
        if ((binding.set_inside && binding.set_source) ||
            (binding.map_inside && binding.map_source))
            binding.base = base;
        HK_SSP_PUSH(r, system->bindings, system->binding_count, system->binding_cap, binding);
    }
    compare_connectors(r, c, system);
    tell_experiment(r, ssd, c);
    *ret_system = system;
    return HK_OK;
}

hk_ssd_element *hk_ssp_read_nested(hk_ssp *r, hk_ssd_element *c) {
    hk_ssd_element *system = NULL;
    const hk_ssp_store *store = c->base->store;
    if (!store->folder && !store->zip)
        return c; /* nothing may be opened */
    hk_status status = read(r, c, &system);
    if (status == HK_OK)
        return system;
    hk_ssp_failed(r, status);
    c->broken = true;
    return c;
}

static hk_status open_inside(hk_ssp *r, const hk_ssd_element *c, hk_where where,
                             hk_ssp_base **ret_base) {
    const char *path, *fragment, *full;
    if (c->is_system)
        return hk_error(r->ctx, HK_E_SSP, where, "leave sourceBase out",
                        "'%s' is not a component with files inside", c->name);
    HK_TRY(hk_ssp_resolve(r, c->base, c->source, where, &path, &fragment));
    HK_TRY(hk_ssp_place(r, c->base->store, path, &full));
    return hk_ssp_open_inside(r, full, hk_ssp_shown(r, c->base->store, path), ret_base);
}

const hk_ssp_base *hk_ssp_inside(hk_ssp *r, hk_ssd_element *c, hk_where where) {
    hk_ssp_base *base = NULL;
    if (c->inside)
        return c->inside;
    hk_status status = open_inside(r, c, where, &base);
    if (status != HK_OK) {
        hk_ssp_failed(r, status);
        return NULL;
    }
    c->inside = base;
    return base;
}

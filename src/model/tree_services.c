/* SPDX-License-Identifier: MIT
 *
 * Who may answer what components require, by the services of the tree. Inside a system its own
 * provided interfaces ask, and its required ones answer. */
#include "model/flatten.h"

#include <string.h>

typedef struct finder {
    hk_ctx *ctx;
    hk_model *model;
    hk_flat flat;
    hk_arena *arena;
    hk_status first;
} finder;

/* The interfaces of an element under the names that its system has for them: PREFIX and their own.
 * Which of two with one name is meant is decided by the first. */
static void name_interfaces(finder *f, const hk_tree_element *e, uint32_t first, const char *prefix,
                            hk_map *names) {
    const hk_info *info =
        e->kind == HK_TREE_COMPONENT ? f->model->components[e->component].info : NULL;
    size_t count = info ? info->service_count : e->interface_count;
    for (uint32_t i = 0; i < count; i++) {
        const char *name = info ? info->services[i].name : e->interfaces[i].name;
        hk_map_put(names, hk_arena_printf(f->arena, "%s%s", prefix, name), first + i);
    }
}

/* Adds the interfaces of E; the first of them. */
static uint32_t add_interfaces(finder *f, const hk_tree_element *e) {
    uint32_t first = (uint32_t)f->flat.interface_count;
    if (e->kind == HK_TREE_COMPONENT)
        for (uint32_t i = 0; i < f->model->components[e->component].info->service_count; i++)
            hk_flat_add_interface(&f->flat, e->component, i);
    else
        for (uint32_t i = 0; i < e->interface_count; i++)
            hk_flat_add_interface(&f->flat, HK_MAP_NONE, i);
    return first;
}

/* FIRST: of the interfaces of SYSTEM. */
static void add_system(finder *f, const hk_tree_element *system, uint32_t first) {
    hk_map names = {0};
    name_interfaces(f, system, first, "", &names);
    for (size_t i = 0; i < system->element_count; i++) {
        const hk_tree_element *e = system->elements[i];
        if (e->kind > HK_TREE_COMPONENT)
            continue;
        uint32_t inner = add_interfaces(f, e);
        name_interfaces(f, e, inner, hk_arena_printf(f->arena, "%s.", e->name), &names);
        if (e->kind == HK_TREE_SYSTEM)
            add_system(f, e, inner);
    }
    for (size_t i = 0; i < system->service_count; i++) {
        uint32_t from = hk_map_get(&names, system->services[i].from);
        uint32_t to = hk_map_get(&names, system->services[i].to);
        if (from != HK_MAP_NONE && to != HK_MAP_NONE)
            hk_flat_add_call(&f->flat, from, to);
    }
    hk_map_finish(&names);
}

static void tell_missing(void *user, uint32_t component, uint32_t service, bool unsure) {
    finder *f = user;
    const hk_component *c = &f->model->components[component];
    (void)unsure;
    hk_status status = hk_error(
        f->ctx, HK_E_SERVICE, c->where, NULL, "'%s.%s' requires '%s', and nothing provides it",
        c->name, c->info->services[service].name, c->info->services[service].interface);
    f->first = f->first == HK_OK ? status : f->first;
}

/* Interfaces are the same by name and by what their functions are. */
static hk_status check_candidates(hk_ctx *ctx, const hk_model *model) {
    hk_status first = HK_OK;
    for (size_t i = 0; i < model->requirement_count; i++) {
        const hk_requirement *r = &model->requirements[i];
        const hk_component *c = &model->components[r->component];
        const hk_service_info *a = &c->info->services[r->service];
        for (size_t k = 0; k < r->candidate_count; k++) {
            const hk_component *p = &model->components[r->candidates[k].component];
            const hk_service_info *b = &p->info->services[r->candidates[k].service];
            hk_status status = HK_OK;
            if (strcmp(a->interface, b->interface) != 0)
                status = hk_error(ctx, HK_E_SERVICE, c->where, NULL,
                                  "interfaces differ: '%s.%s' is a '%s', '%s.%s' is a '%s'",
                                  c->name, a->name, a->interface, p->name, b->name, b->interface);
            first = first == HK_OK ? status : first;
        }
    }
    return first;
}

hk_status hk_tree_require(hk_ctx *ctx, hk_model *model) {
    HK_ASSERT(model->tree && !model->requirement_count);
    hk_arena *arena = hk_arena_create();
    finder f = {
        .ctx = ctx, .model = model, .flat = {.arena = arena, .model = model}, .arena = arena};
    const hk_tree_element *root = model->tree->root;
    add_system(&f, root, add_interfaces(&f, root));
    hk_flat_require(&f.flat, tell_missing, &f);
    hk_arena_destroy(arena);
    return f.first == HK_OK ? check_candidates(ctx, model) : f.first;
}

/* SPDX-License-Identifier: MIT
 *
 * Who may answer what a component requires: calls followed through the interfaces of systems. */
#include "model/flatten.h"

#include <string.h>

typedef struct search {
    uint32_t *stack;
    size_t count, cap;
    hk_provider *found;
    size_t found_count, found_cap;
    uint32_t stamp;
    bool bad;
} search;

uint32_t hk_flat_add_interface(hk_flat *flat, uint32_t component, uint32_t service) {
    hk_flat_interface interface = {.component = component,
                                   .service = service,
                                   .first_call = HK_MAP_NONE,
                                   .last_call = HK_MAP_NONE};
    HK_TREE_PUSH(flat->arena, flat->interfaces, flat->interface_count, flat->interface_cap,
                 interface);
    return (uint32_t)flat->interface_count - 1;
}

void hk_flat_add_call(hk_flat *flat, uint32_t from, uint32_t to) {
    HK_ASSERT(from < flat->interface_count && to < flat->interface_count);
    uint32_t index = (uint32_t)flat->call_count;
    hk_flat_call call = {to, HK_MAP_NONE};
    HK_TREE_PUSH(flat->arena, flat->calls, flat->call_count, flat->call_cap, call);
    hk_flat_interface *asks = &flat->interfaces[from];
    if (asks->first_call == HK_MAP_NONE)
        asks->first_call = index;
    else
        flat->calls[asks->last_call].next = index;
    asks->last_call = index;
}

bool hk_flat_has_call(const hk_flat *flat, uint32_t from, uint32_t to) {
    for (uint32_t c = flat->interfaces[from].first_call; c != HK_MAP_NONE; c = flat->calls[c].next)
        if (flat->calls[c].to == to)
            return true;
    return false;
}

/* Candidates come in the order of the text: the first call and all behind it, then the next. */
static void push_calls(const hk_flat *flat, search *f, const hk_flat_interface *asks) {
    size_t first = f->count;
    for (uint32_t c = asks->first_call; c != HK_MAP_NONE; c = flat->calls[c].next)
        HK_PUSH(f->stack, f->count, f->cap, flat->calls[c].to);
    for (size_t i = first, k = f->count; i + 1 < k; i++) {
        uint32_t other = f->stack[--k];
        f->stack[k] = f->stack[i];
        f->stack[i] = other;
    }
}

static const hk_service_info *service_of(const hk_flat *flat, const hk_flat_interface *interface) {
    return &flat->model->components[interface->component].info->services[interface->service];
}

static void find_candidates(hk_flat *flat, search *f, const hk_flat_interface *asks) {
    f->count = f->found_count = 0;
    f->bad = asks->bad;
    f->stamp++;
    push_calls(flat, f, asks);
    while (f->count) {
        hk_flat_interface *at = &flat->interfaces[f->stack[--f->count]];
        if (at->stamp == f->stamp)
            continue;
        at->stamp = f->stamp;
        f->bad |= at->bad;
        hk_provider provider = {at->component, at->service};
        if (at->component == HK_MAP_NONE)
            push_calls(flat, f, at);
        else if (service_of(flat, at)->provided)
            HK_PUSH(f->found, f->found_count, f->found_cap, provider);
    }
}

static void add_requirement(hk_model *model, const hk_flat_interface *asks, const search *f) {
    hk_requirement requirement = {
        .component = asks->component,
        .service = asks->service,
        .candidates = HK_NEW_ARRAY(model->arena, hk_provider, f->found_count),
        .candidate_count = f->found_count,
        .bound = f->found_count == 1 ? 0 : HK_MAP_NONE,
        .where = model->components[asks->component].where,
    };
    memcpy(requirement.candidates, f->found, f->found_count * sizeof *f->found);
    HK_PUSH(model->requirements, model->requirement_count, model->requirement_cap, requirement);
}

void hk_flat_require(hk_flat *flat, hk_flat_missing_fn *missing, void *user) {
    search f = {0};
    for (size_t i = 0; i < flat->interface_count; i++) {
        const hk_flat_interface *asks = &flat->interfaces[i];
        if (asks->component == HK_MAP_NONE || service_of(flat, asks)->provided)
            continue;
        find_candidates(flat, &f, asks);
        if (f.found_count)
            add_requirement(flat->model, asks, &f);
        else
            missing(user, asks->component, asks->service, f.bad);
    }
    hk_free(f.stack);
    hk_free(f.found);
}

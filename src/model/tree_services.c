/* SPDX-License-Identifier: MIT
 *
 * Who may answer what a component requires: services followed through systems. Inside a system its
 * own provided interfaces ask, and its required ones answer. */
#include "model/tree.h"

#include <string.h>

/* An interface of an element. */
typedef struct node {
    const hk_tree_element *element;
    const char *interface;
} node;

typedef struct search {
    const hk_model *model;
    node *seen;
    size_t seen_count, seen_cap;
    hk_provider *found;
    size_t found_count, found_cap;
} search;

/* What TEXT means in SYSTEM: "element.interface", or an interface of the system itself. */
static bool resolve(const hk_tree_element *system, const char *text, node *ret_node) {
    for (size_t i = 0; i < system->interface_count; i++)
        if (strcmp(system->interfaces[i].name, text) == 0) {
            *ret_node = (node){system, system->interfaces[i].name};
            return true;
        }
    for (size_t i = 0; i < system->element_count; i++) {
        const hk_tree_element *e = system->elements[i];
        size_t length = strlen(e->name);
        if (e->kind <= HK_TREE_COMPONENT && strncmp(text, e->name, length) == 0 &&
            text[length] == '.') {
            *ret_node = (node){e, text + length + 1};
            return true;
        }
    }
    return false;
}

static bool was_seen(search *s, node at) {
    for (size_t i = 0; i < s->seen_count; i++)
        if (s->seen[i].element == at.element && strcmp(s->seen[i].interface, at.interface) == 0)
            return true;
    HK_PUSH(s->seen, s->seen_count, s->seen_cap, at);
    return false;
}

static void follow(search *s, const hk_tree_element *system, node from);

/* AT answers, seen from inside SYSTEM. */
static void answer(search *s, const hk_tree_element *system, node at) {
    if (was_seen(s, at))
        return;
    if (at.element == system) { /* it requires this itself: who is outside answers */
        if (system->parent)
            follow(s, system->parent, at);
        return;
    }
    if (at.element->kind == HK_TREE_SYSTEM) {
        follow(s, at.element, at);
        return;
    }
    const hk_info *info = s->model->components[at.element->component].info;
    for (uint32_t i = 0; i < info->service_count; i++)
        if (info->services[i].provided && strcmp(info->services[i].name, at.interface) == 0)
            HK_PUSH(s->found, s->found_count, s->found_cap,
                    ((hk_provider){at.element->component, i}));
}

/* All that FROM leads to by the services of SYSTEM, in the order of the text. */
static void follow(search *s, const hk_tree_element *system, node from) {
    for (size_t i = 0; i < system->service_count; i++) {
        node asks, answers;
        if (resolve(system, system->services[i].from, &asks) && asks.element == from.element &&
            strcmp(asks.interface, from.interface) == 0 &&
            resolve(system, system->services[i].to, &answers))
            answer(s, system, answers);
    }
}

static hk_status require(hk_ctx *ctx, hk_model *model, search *s, const hk_tree_element *e,
                         uint32_t index) {
    const hk_component *c = &model->components[e->component];
    const hk_service_info *service = &c->info->services[index];
    s->seen_count = s->found_count = 0;
    follow(s, e->parent, (node){e, service->name});
    if (!s->found_count)
        return hk_error(ctx, HK_E_SERVICE, c->where, NULL,
                        "'%s.%s' requires '%s', and nothing provides it", c->name, service->name,
                        service->interface);
    hk_requirement requirement = {
        .component = e->component,
        .service = index,
        .candidates = HK_NEW_ARRAY(model->arena, hk_provider, s->found_count),
        .candidate_count = s->found_count,
        .bound = s->found_count == 1 ? 0 : HK_MAP_NONE,
        .where = c->where,
    };
    memcpy(requirement.candidates, s->found, s->found_count * sizeof *s->found);
    HK_PUSH(model->requirements, model->requirement_count, model->requirement_cap, requirement);
    return HK_OK;
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

static hk_status require_below(hk_ctx *ctx, hk_model *model, search *s, const hk_tree_element *e) {
    hk_status first = HK_OK;
    for (size_t i = 0; i < e->element_count; i++) {
        hk_status status = require_below(ctx, model, s, e->elements[i]);
        first = first == HK_OK ? status : first;
    }
    if (e->kind != HK_TREE_COMPONENT)
        return first;
    const hk_info *info = model->components[e->component].info;
    for (uint32_t i = 0; i < info->service_count; i++) {
        if (info->services[i].provided)
            continue;
        hk_status status = require(ctx, model, s, e, i);
        first = first == HK_OK ? status : first;
    }
    return first;
}

hk_status hk_tree_require(hk_ctx *ctx, hk_model *model) {
    HK_ASSERT(model->tree && !model->requirement_count);
    search s = {.model = model};
    hk_status status = require_below(ctx, model, &s, model->tree->root);
    hk_free(s.seen);
    hk_free(s.found);
    return status == HK_OK ? check_candidates(ctx, model) : status;
}

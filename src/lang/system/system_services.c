/* SPDX-License-Identifier: MIT
 *
 * Service links: who may provide what a leaf requires, followed through composites. */
#include "lang/system/system_internal.h"

#include <string.h>

/* A service link leads from what asks to what answers. Inside a composite its own provided
 * interfaces ask, and its required ones answer. */
static bool asks(const hk_end *end) {
    return end->role == (end->own ? HK_ROLE_PROVIDED : HK_ROLE_REQUIRED);
}

static bool answers(const hk_end *end) {
    return end->role == (end->own ? HK_ROLE_REQUIRED : HK_ROLE_PROVIDED);
}

static uint32_t node_of(const hk_system *s, const hk_end *end) {
    return end->port ? end->port->first : s->leaves[end->leaf].first_node + end->member->service;
}

static const char *interface_of(const hk_end *end) {
    return end->port ? end->port->interface->name : end->member->interface;
}

static const char *signature_of(const hk_end *end) {
    return end->port ? end->port->interface->signature : end->member->signature;
}

static bool check_direction(hk_system *s, const hk_end *from, const hk_end *to) {
    if (asks(from) && answers(to))
        return true;
    const hk_end *wrong = asks(from) ? to : from;
    const char *hint = wrong->type ? "data ports are joined by 'link'"
                       : answers(from) && asks(to)
                           ? "the link points the wrong way: swap its ends"
                           : "a service link leads from what requires to what provides";
    hk_complain(&s->complaints, HK_E_SERVICE, hk_system_where(s, &wrong->name->at), hint,
                wrong == from ? "'%s' requires no interface here"
                              : "'%s' provides no interface here",
                wrong->name->text);
    return false;
}

static bool check_interfaces(hk_system *s, const hk_end *from, const hk_end *to) {
    const char *a = interface_of(from), *b = interface_of(to);
    hk_where where = hk_system_where(s, &to->name->at);
    if (strcmp(a, b) != 0) {
        hk_complain(&s->complaints, HK_E_SERVICE, where, NULL,
                    "interfaces differ: '%s' is a '%s', '%s' is a '%s'", from->name->text, a,
                    to->name->text, b);
        return false;
    }
    const char *x = signature_of(from), *y = signature_of(to);
    if (!x || !y || strcmp(x, y) == 0)
        return true;
    hk_complain(&s->complaints, HK_E_SERVICE, where, "build both from the same type file",
                "'%s' and '%s' mean different functions by '%s'", from->name->text, to->name->text,
                a);
    return false;
}

static void add_edge(hk_system *s, uint32_t from, uint32_t to) {
    uint32_t index = (uint32_t)s->edge_count;
    hk_serviceedge edge = {to, HK_MAP_NONE};
    HK_PUSH(s->edges, s->edge_count, s->edge_cap, edge);
    hk_servicenode *node = &s->nodes[from];
    if (node->first_edge == HK_MAP_NONE)
        node->first_edge = index;
    else
        s->edges[node->last_edge].next = index;
    node->last_edge = index;
}

static bool has_edge(const hk_system *s, uint32_t from, uint32_t to) {
    for (uint32_t e = s->nodes[from].first_edge; e != HK_MAP_NONE; e = s->edges[e].next)
        if (s->edges[e].to == to)
            return true;
    return false;
}

void hk_system_service(hk_system *s, hk_scope *scope, const hk_link *link) {
    hk_end from, to;
    bool known = hk_system_find_end(s, scope, &link->from, &from);
    s->services_unsure |= !known;
    for (size_t i = 0; i < link->to_count; i++) {
        bool good = hk_system_find_end(s, scope, &link->to[i], &to) && known;
        if (good && !check_direction(s, &from, &to)) {
            s->services_unsure = true;
            known &= asks(&from); /* said once, not for each candidate */
            continue;
        }
        if (good && has_edge(s, node_of(s, &from), node_of(s, &to)))
            hk_warn(s->complaints.ctx, HK_E_SERVICE, hk_system_where(s, &link->to[i].at),
                    "remove one of the two", "'%s' is linked to '%s' already", from.name->text,
                    to.name->text);
        else if (good && check_interfaces(s, &from, &to))
            add_edge(s, node_of(s, &from), node_of(s, &to));
        else if (known && asks(&from))
            s->nodes[node_of(s, &from)].bad = true;
    }
}

/* ---- candidates -------------------------------------------------------------------------------
 */

typedef struct search {
    uint32_t *stack;
    size_t count, cap;
    hk_provider *found;
    size_t found_count, found_cap;
    uint32_t stamp;
    bool bad;
} search;

/* Candidates come in the order of the text: the first link and all behind it, then the next. */
static void push_edges(hk_system *s, search *f, const hk_servicenode *node) {
    size_t first = f->count;
    for (uint32_t e = node->first_edge; e != HK_MAP_NONE; e = s->edges[e].next)
        HK_PUSH(f->stack, f->count, f->cap, s->edges[e].to);
    for (size_t i = first, k = f->count; i + 1 < k; i++) {
        uint32_t other = f->stack[--k];
        f->stack[k] = f->stack[i];
        f->stack[i] = other;
    }
}

static void find_candidates(hk_system *s, search *f, const hk_servicenode *from) {
    f->count = f->found_count = 0;
    f->bad = from->bad;
    f->stamp++;
    push_edges(s, f, from);
    while (f->count) {
        hk_servicenode *node = &s->nodes[f->stack[--f->count]];
        if (node->stamp == f->stamp)
            continue;
        node->stamp = f->stamp;
        f->bad |= node->bad;
        if (node->leaf == HK_MAP_NONE) {
            push_edges(s, f, node);
            continue;
        }
        hk_provider provider = {s->leaves[node->leaf].component, node->service};
        HK_PUSH(f->found, f->found_count, f->found_cap, provider);
    }
}

static void require(hk_system *s, search *f, const hk_servicenode *node) {
    const hk_leafnode *leaf = &s->leaves[node->leaf];
    const hk_service_info *service = &leaf->kind->info->services[node->service];
    hk_component *c = &s->model->components[leaf->component];
    find_candidates(s, f, node);
    if (!f->found_count) {
        if (!f->bad && !s->services_unsure && !s->incomplete)
            hk_complain(&s->complaints, HK_E_SERVICE, c->where,
                        hk_arena_printf(s->arena, "link it: service %s.%s -> PROVIDER;",
                                        leaf->syntax->name.text, service->name),
                        "'%s.%s' requires '%s', and nothing provides it", c->name, service->name,
                        service->interface);
        return;
    }
    hk_model *model = s->model;
    hk_requirement requirement = {
        .component = leaf->component,
        .service = node->service,
        .candidates = HK_NEW_ARRAY(model->arena, hk_provider, f->found_count),
        .candidate_count = f->found_count,
        .bound = f->found_count == 1 ? 0 : HK_MAP_NONE,
        .where = c->where,
    };
    memcpy(requirement.candidates, f->found, f->found_count * sizeof *f->found);
    HK_PUSH(model->requirements, model->requirement_count, model->requirement_cap, requirement);
}

void hk_system_require_all(hk_system *s) {
    search f = {0};
    for (size_t i = 0; i < s->node_count; i++) {
        const hk_servicenode *node = &s->nodes[i];
        if (node->leaf == HK_MAP_NONE || !s->leaves[node->leaf].kind)
            continue;
        if (!s->leaves[node->leaf].kind->info->services[node->service].provided)
            require(s, &f, node);
    }
    hk_free(f.stack);
    hk_free(f.found);
}

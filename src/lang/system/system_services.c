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

static uint32_t interface_at(const hk_system *s, const hk_end *end) {
    return end->port ? end->port->first
                     : s->leaves[end->leaf].first_interface + end->member->service;
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
        if (good && hk_flat_has_call(&s->flat, interface_at(s, &from), interface_at(s, &to)))
            hk_warn(s->complaints.ctx, HK_E_SERVICE, hk_system_where(s, &link->to[i].at),
                    "remove one of the two", "'%s' is linked to '%s' already", from.name->text,
                    to.name->text);
        else if (good && check_interfaces(s, &from, &to))
            hk_flat_add_call(&s->flat, interface_at(s, &from), interface_at(s, &to));
        else if (known && asks(&from))
            s->flat.interfaces[interface_at(s, &from)].bad = true;
    }
}

static void tell_missing(void *user, uint32_t component, uint32_t service, bool unsure) {
    hk_system *s = user;
    const hk_component *c = &s->model->components[component];
    const hk_service_info *asks = &c->info->services[service];
    size_t leaf = 0;
    if (unsure || s->services_unsure || s->incomplete)
        return;
    while (s->leaves[leaf].component != component)
        leaf++;
    hk_complain(&s->complaints, HK_E_SERVICE, c->where,
                hk_arena_printf(s->arena, "link it: service %s.%s -> PROVIDER;",
                                s->leaves[leaf].syntax->name.text, asks->name),
                "'%s.%s' requires '%s', and nothing provides it", c->name, asks->name,
                asks->interface);
}

void hk_system_require_all(hk_system *s) {
    hk_flat_require(&s->flat, tell_missing, s);
}

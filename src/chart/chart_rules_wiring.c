/* SPDX-License-Identifier: MIT
 *
 * The rules of connections: of a module, and of a controller. */
#include "chart/resolve_internal.h"

#include <string.h>

/* One end of a connection: what it is on, and the event there. */
typedef struct end {
    hk_rcfound node; /* item NULL: not known */
    bool platform;
    const hk_rcmember *event; /* NULL: not known */
    const hk_chart_type *type;
} end;

static hk_rcfound follow(hk_resolver *r, const hk_rcfile *file, const hk_rcitem *item) {
    switch (item->kind) {
    case HK_RC_RREF:
        return hk_rcr_get(r, file, HK_RC_PLATFORM, &item->target);
    case HK_RC_CREF:
        return hk_rcr_get(r, file, HK_RC_CONTROLLER, &item->target);
    case HK_RC_SREF:
        return hk_rcr_get(r, file, HK_RC_MACHINE, &item->target);
    case HK_RC_PLATFORM:
    case HK_RC_CONTROLLER:
    case HK_RC_MACHINE:
        return (hk_rcfound){item, file};
    default:
        return (hk_rcfound){0};
    }
}

static bool find_node(hk_resolver *r, const hk_rcfile *file, const hk_rcitem *owner,
                      const hk_name *name, end *e) {
    for (size_t i = 0; i < owner->item_count; i++) {
        const hk_rcitem *item = &owner->items[i];
        bool is = item->kind == HK_RC_RREF || item->kind == HK_RC_CREF ||
                  item->kind == HK_RC_SREF || item->kind == HK_RC_PLATFORM ||
                  item->kind == HK_RC_CONTROLLER || item->kind == HK_RC_MACHINE;
        if (is && strcmp(item->name.text, name->text) == 0) {
            e->node = follow(r, file, item);
            e->platform = e->node.item && e->node.item->kind == HK_RC_PLATFORM;
            return e->node.item != NULL;
        }
    }
    bool module = owner->kind == HK_RC_MODULE;
    if (!module && strcmp(owner->name.text, name->text) == 0) {
        e->node = (hk_rcfound){owner, file};
        return true;
    }
    return hk_rcr_rule(r, hk_rcr_where(file, &name->at), module ? "Cn1" : "Cn3", NULL,
                       module ? "'%s' is neither the platform nor a controller of module '%s'"
                              : "'%s' is neither a machine of controller '%s' nor the controller",
                       name->text, owner->name.text);
}

static bool find_event(hk_resolver *r, const hk_rcfile *file, const hk_name *name, end *e) {
    hk_rcmembers members = hk_rcr_members(r, e->node.file, e->node.item);
    e->event = hk_rcr_member(&members, HK_RC_EVENT, name->text);
    if (e->event) {
        e->type =
            e->event->item->type ? hk_rcr_type(r, e->event->file, e->event->item->type) : NULL;
        return true;
    }
    const char **names = HK_NEW_ARRAY(r->arena, const char *, members.count + 1);
    size_t count = 0;
    for (size_t i = 0; i < members.count; i++)
        if (members.all[i].kind == HK_RC_EVENT)
            names[count++] = members.all[i].name;
    return hk_rcr_rule(r, hk_rcr_where(file, &name->at), "Cn10",
                       hk_complaint_suggest(&r->complaints, r->arena, name->text, names, count),
                       "'%s' has no event '%s'", e->node.item->name.text, name->text);
}

static void check_types(hk_resolver *r, const hk_rcfile *file, const hk_rclink *link,
                        const end *from, const end *to) {
    bool left = from->event->item->type, right = to->event->item->type;
    hk_where where = hk_rcr_where(file, &link->from_event.at);
    if ((left && !from->type) || (right && !to->type))
        return; /* a type that is not known */
    if (from->type != to->type)
        hk_rcr_rule(r, where, "types", NULL, "event '%s' %s%s is connected to event '%s' %s%s",
                    link->from_event.text, left ? "of type " : "without a value",
                    left ? from->type->name : "", link->to_event.text,
                    right ? "of type " : "without a value", right ? to->type->name : "");
}

/* Has CONNECTION the same event at the same end as one before it? */
static bool is_again(const hk_rcitem *owner, const hk_rcitem *connection, bool from) {
    const hk_rclink *link = connection->link;
    for (const hk_rcitem *item = owner->items; item < connection; item++) {
        if (item->kind != HK_RC_CONNECTION)
            continue;
        const hk_rclink *other = item->link;
        bool same = from ? strcmp(other->from.text, link->from.text) == 0 &&
                               strcmp(other->from_event.text, link->from_event.text) == 0
                         : strcmp(other->to.text, link->to.text) == 0 &&
                               strcmp(other->to_event.text, link->to_event.text) == 0;
        if (same)
            return true;
    }
    return false;
}

static void check_connection(hk_resolver *r, const hk_rcfile *file, const hk_rcitem *owner,
                             const hk_rcitem *item) {
    const hk_rclink *link = item->link;
    end from = {0}, to = {0};
    bool ok = find_node(r, file, owner, &link->from, &from);
    ok = find_node(r, file, owner, &link->to, &to) && ok;
    if (!ok)
        return;
    ok = find_event(r, file, &link->from_event, &from);
    ok = find_event(r, file, &link->to_event, &to) && ok;
    if (ok)
        check_types(r, file, link, &from, &to);
    if ((from.platform || to.platform) && !link->async)
        hk_rcr_rule(r, hk_rcr_where(file, &item->at), "Cn2", "write (_async) behind it",
                    "a connection with the platform must be asynchronous");
    for (int k = 0; k < 2; k++)
        if (is_again(owner, item, k == 0))
            hk_rcr_rule(r, hk_rcr_where(file, k ? &link->to_event.at : &link->from_event.at),
                        "once", NULL, "event '%s' of '%s' is %s two connections",
                        k ? link->to_event.text : link->from_event.text,
                        k ? link->to.text : link->from.text, k ? "the end of" : "the beginning of");
}

void hk_rcr_rules_wiring(hk_resolver *r, const hk_rcfile *file, const hk_rcitem *owner) {
    for (size_t i = 0; i < owner->item_count; i++)
        if (owner->items[i].kind == HK_RC_CONNECTION)
            check_connection(r, file, owner, &owner->items[i]);
}

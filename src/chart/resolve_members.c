/* SPDX-License-Identifier: MIT
 *
 * What a platform, controller, machine or operation declares, by itself and by its interfaces. */
#include "chart/resolve_internal.h"

#include <string.h>

static void add_own(hk_list *list, const hk_rcfile *file, const hk_rcitem *item,
                    hk_rcitem_kind by) {
    hk_rcmember member = {.kind = item->kind,
                          .name = item->name.text,
                          .item = item,
                          .file = file,
                          .by = by,
                          .at = &item->name.at};
    switch (item->kind) {
    case HK_RC_EVENT:
    case HK_RC_CLOCK:
    case HK_RC_SIGNATURE:
        hk_list_add(list, &member);
        break;
    case HK_RC_VAR:
    case HK_RC_CONST:
        for (size_t i = 0; i < item->var_count; i++) {
            member.var = &item->vars[i];
            member.name = member.var->name.text;
            member.at = &member.var->name.at;
            hk_list_add(list, &member);
        }
        break;
    default:
        break;
    }
}

static bool is_use(hk_rcitem_kind kind) {
    return kind == HK_RC_USES || kind == HK_RC_PROVIDES || kind == HK_RC_REQUIRES;
}

static hk_rcmembers find_members(hk_resolver *r, const hk_rcfile *file, const hk_rcitem *item) {
    hk_list list = HK_LIST(hk_rcmember);
    hk_rcmembers members = {0};
    for (size_t i = 0; i < item->item_count; i++) {
        const hk_rcitem *own = &item->items[i];
        if (!is_use(own->kind)) {
            add_own(&list, file, own, own->kind);
            continue;
        }
        hk_rcfound interface = hk_rcr_get(r, file, HK_RC_INTERFACE, &own->target);
        members.broken |= !interface.item;
        for (size_t k = 0; interface.item && k < interface.item->item_count; k++)
            add_own(&list, interface.file, &interface.item->items[k], own->kind);
    }
    members.count = list.count;
    members.all = hk_list_keep(r->arena, &list);
    return members;
}

hk_rcmembers hk_rcr_members(hk_resolver *r, const hk_rcfile *file, const hk_rcitem *item) {
    const hk_rcowned *known = r->owned.data;
    for (size_t i = 0; i < r->owned.count; i++)
        if (known[i].item == item)
            return known[i].members;
    hk_rcowned made = {item, find_members(r, file, item)};
    hk_list_add(&r->owned, &made);
    return made.members;
}

const hk_rcmember *hk_rcr_member(const hk_rcmembers *members, hk_rcitem_kind kind,
                                 const char *name) {
    for (size_t i = 0; i < members->count; i++) {
        const hk_rcmember *member = &members->all[i];
        bool is = member->kind == kind || (kind == HK_RC_VAR && member->kind == HK_RC_CONST);
        if (is && strcmp(member->name, name) == 0)
            return member;
    }
    return NULL;
}

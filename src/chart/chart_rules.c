/* SPDX-License-Identifier: MIT
 *
 * The rules of well-formed RoboChart that can be seen without types: of modules, controllers,
 * platforms, interfaces. docs/robochart.md lists all. */
#include "chart/resolve_internal.h"

#include <string.h>

static size_t count_of(const hk_rcitem *body, hk_rcitem_kind kind, hk_rcitem_kind reference) {
    size_t count = 0;
    for (size_t i = 0; i < body->item_count; i++)
        count += body->items[i].kind == kind || body->items[i].kind == reference;
    return count;
}

static hk_where where_of(const hk_rcfile *file, const hk_rcitem *item) {
    return hk_rcr_where(file, item->name.text[0] ? &item->name.at : &item->at);
}

/* ---- names that are there twice ---------------------------------------------------------------
 */

/* Items whose names may not be the same. */
static int group_of(hk_rcitem_kind kind) {
    switch (kind) {
    case HK_RC_GIVEN:
    case HK_RC_RECORD:
    case HK_RC_ENUMERATION:
        return 1;
    case HK_RC_INTERFACE:
        return 2;
    case HK_RC_PLATFORM:
    case HK_RC_RREF:
    case HK_RC_CONTROLLER:
    case HK_RC_CREF:
    case HK_RC_MACHINE:
    case HK_RC_SREF:
        return 3;
    case HK_RC_MODULE:
        return 4;
    case HK_RC_OPERATION:
    case HK_RC_OPREF:
    case HK_RC_SIGNATURE:
        return 5;
    case HK_RC_FUNCTION:
        return 6;
    case HK_RC_INITIAL:
    case HK_RC_FINAL:
    case HK_RC_JUNCTION:
    case HK_RC_PROBABILISTIC:
    case HK_RC_STATE:
        return 7;
    case HK_RC_TRANSITION:
        return 8;
    case HK_RC_EVENT:
    case HK_RC_CLOCK:
    case HK_RC_FIELD:
    case HK_RC_ITEM:
        return 9;
    default:
        return 0;
    }
}

static void add_name(hk_resolver *r, const hk_rcfile *file, hk_map *names, int group,
                     const hk_name *name) {
    const char *key = hk_arena_printf(r->arena, "%d %s", group, name->text);
    uint32_t line =
        hk_map_put(names, key, (uint32_t)name->at.line * 1000 + (uint32_t)(name->at.column % 1000));
    if (line != (uint32_t)name->at.line * 1000 + (uint32_t)(name->at.column % 1000))
        hk_rcr_error(r, hk_rcr_where(file, &name->at), HK_E_DUPLICATE, NULL,
                     "'%s' is declared twice; the first is in line %u", name->text, line / 1000);
}

static void check_names(hk_resolver *r, const hk_rcfile *file, const hk_rcitem *owner,
                        const hk_rcitem *items, size_t count) {
    hk_map names = {0};
    for (size_t i = 0; owner && i < owner->var_count; i++)
        if (owner->vars[i].name.text[0])
            add_name(r, file, &names, 10, &owner->vars[i].name);
    for (size_t i = 0; i < count; i++) {
        bool list = items[i].kind == HK_RC_VAR || items[i].kind == HK_RC_CONST;
        for (size_t k = 0; list && k < items[i].var_count; k++)
            add_name(r, file, &names, 10, &items[i].vars[k].name);
        if (group_of(items[i].kind) && items[i].name.text[0])
            add_name(r, file, &names, group_of(items[i].kind), &items[i].name);
        check_names(r, file, &items[i], items[i].items, items[i].item_count);
    }
    hk_map_finish(&names);
}

/* ---- modules, controllers, platforms ----------------------------------------------------------
 */

static void check_module(hk_resolver *r, const hk_rcfile *file, const hk_rcitem *module) {
    size_t platforms = count_of(module, HK_RC_PLATFORM, HK_RC_RREF);
    if (platforms != 1)
        hk_rcr_rule(r, where_of(file, module), "M1", NULL,
                    "module '%s' has %zu robotic platforms; it must have one", module->name.text,
                    platforms);
    if (!count_of(module, HK_RC_CONTROLLER, HK_RC_CREF))
        hk_rcr_rule(r, where_of(file, module), "M1", NULL, "module '%s' has no controller",
                    module->name.text);
    for (size_t i = 0; i < module->item_count; i++)
        if (module->items[i].kind == HK_RC_MACHINE || module->items[i].kind == HK_RC_SREF)
            hk_rcr_rule(r, where_of(file, &module->items[i]), "M1", "put it into a controller",
                        "machine '%s' is in a module", module->items[i].name.text);
}

/* USE: an interface that the owner may not have this way. */
static void forbid(hk_resolver *r, const hk_rcfile *file, const hk_rcitem *owner, const char *what,
                   hk_rcitem_kind use, const char *rule) {
    for (size_t i = 0; i < owner->item_count; i++)
        if (owner->items[i].kind == use)
            hk_rcr_rule(r, hk_rcr_where(file, &owner->items[i].at), rule, NULL, "%s '%s' %s '%s'",
                        what, owner->name.text, hk_rct_word(use), owner->items[i].target.text);
}

static void check_clocks(hk_resolver *r, const hk_rcfile *file, const hk_rcitem *owner,
                         const char *what) {
    hk_rcmembers members = hk_rcr_members(r, file, owner);
    for (size_t i = 0; i < members.count; i++)
        if (members.all[i].kind == HK_RC_CLOCK)
            hk_rcr_rule(r, hk_rcr_where(members.all[i].file, members.all[i].at), "clocks",
                        "clocks belong to machines", "%s '%s' has a clock, '%s'", what,
                        owner->name.text, members.all[i].name);
}

static bool is_variable(hk_rcitem_kind kind) {
    return kind == HK_RC_VAR || kind == HK_RC_CONST;
}

/* What it has by itself and by the interfaces that it uses has different names; check_names has
 * looked at what is declared in one place. */
static void check_members(hk_resolver *r, const hk_rcfile *file, const hk_rcitem *owner) {
    hk_rcmembers members = hk_rcr_members(r, file, owner);
    hk_map names = {0};
    for (uint32_t i = 0; i < members.count; i++) {
        const hk_rcmember *m = &members.all[i];
        bool own = m->by == m->kind || m->by == HK_RC_USES;
        if (!own || m->kind == HK_RC_SIGNATURE)
            continue;
        const char *key =
            hk_arena_printf(r->arena, "%d %s", is_variable(m->kind) ? 0 : (int)m->kind, m->name);
        const hk_rcmember *first = &members.all[hk_map_put(&names, key, i)];
        if (first != m && (first->by == HK_RC_USES || m->by == HK_RC_USES))
            hk_rcr_error(r, where_of(file, owner), HK_E_DUPLICATE, "rename one of them",
                         "'%s' has two of the name '%s', by itself or by the interfaces it uses",
                         owner->name.text, m->name);
    }
    hk_map_finish(&names);
}

/* Interfaces that are provided or required have no events. */
static void check_uses(hk_resolver *r, const hk_rcfile *file, const hk_rcitem *owner) {
    check_members(r, file, owner);
    for (size_t i = 0; i < owner->item_count; i++) {
        const hk_rcitem *use = &owner->items[i];
        if (use->kind != HK_RC_PROVIDES && use->kind != HK_RC_REQUIRES)
            continue;
        hk_rcfound interface = hk_rcr_get(r, file, HK_RC_INTERFACE, &use->target);
        for (size_t k = 0; interface.item && k < interface.item->item_count; k++)
            if (interface.item->items[k].kind == HK_RC_EVENT) {
                hk_rcr_rule(r, hk_rcr_where(file, &use->at), "I1", "events are had by 'uses'",
                            "'%s' %s interface '%s', which has events", owner->name.text,
                            hk_rct_word(use->kind), use->target.text);
                break;
            }
    }
}

static void check_interface(hk_resolver *r, const hk_rcfile *file, const hk_rcitem *interface) {
    size_t events = count_of(interface, HK_RC_EVENT, HK_RC_EVENT);
    size_t operations = count_of(interface, HK_RC_SIGNATURE, HK_RC_SIGNATURE);
    if (events && operations)
        hk_rcr_rule(r, where_of(file, interface), "I2", "make two interfaces of it",
                    "interface '%s' has events and operations", interface->name.text);
}

static void check_controller(hk_resolver *r, const hk_rcfile *file, const hk_rcitem *controller) {
    if (!count_of(controller, HK_RC_MACHINE, HK_RC_SREF))
        hk_rcr_rule(r, where_of(file, controller), "C1", NULL, "controller '%s' has no machine",
                    controller->name.text);
    forbid(r, file, controller, "controller", HK_RC_PROVIDES, "C2");
    check_clocks(r, file, controller, "controller");
    check_uses(r, file, controller);
    hk_rcr_rules_wiring(r, file, controller);
}

static bool has_nodes(const hk_rcitem *operation) {
    return count_of(operation, HK_RC_STATE, HK_RC_INITIAL) ||
           count_of(operation, HK_RC_TRANSITION, HK_RC_FINAL);
}

static void check_item(hk_resolver *r, const hk_rcfile *file, const hk_rcitem *item) {
    switch (item->kind) {
    case HK_RC_MODULE:
        check_module(r, file, item);
        hk_rcr_rules_wiring(r, file, item);
        break;
    case HK_RC_PLATFORM:
        forbid(r, file, item, "platform", HK_RC_REQUIRES, "RP1");
        check_clocks(r, file, item, "platform");
        check_uses(r, file, item);
        break;
    case HK_RC_INTERFACE:
        check_interface(r, file, item);
        break;
    case HK_RC_CONTROLLER:
        check_controller(r, file, item);
        break;
    case HK_RC_MACHINE:
        check_uses(r, file, item);
        hk_rcr_rules_machine(r, file, item);
        break;
    case HK_RC_OPERATION:
        check_uses(r, file, item);
        if (has_nodes(item))
            hk_rcr_rules_machine(r, file, item);
        break;
    case HK_RC_EVENT: /* wherever it is declared */
        if (item->flag)
            hk_rcr_refuse(r, hk_rcr_where(file, &item->at), "_broadcast", NULL);
        return;
    default:
        return;
    }
    for (size_t i = 0; i < item->item_count; i++)
        check_item(r, file, &item->items[i]);
}

void hk_rcr_rules(hk_resolver *r) {
    for (size_t f = 0; f < r->file_count; f++) {
        const hk_rcfile *file = r->files[f];
        check_names(r, file, NULL, file->items, file->item_count);
        for (size_t i = 0; i < file->item_count; i++)
            check_item(r, file, &file->items[i]);
    }
}

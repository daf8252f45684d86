/* SPDX-License-Identifier: MIT
 *
 * All that is wrong in a file, with or without a module: machines that no module uses are resolved
 * for a platform that has what they require. */
#include "base/file.h"
#include "chart/chart_check.h"
#include "chart/chart_ports.h"
#include "chart/resolve_internal.h"

#include <string.h>

/* What the machine requires, as members of a platform. */
static hk_rcmembers required_of(hk_resolver *r, const hk_rcmembers *members) {
    hk_list list = HK_LIST(hk_rcmember);
    for (size_t i = 0; i < members->count; i++)
        if (members->all[i].by == HK_RC_REQUIRES)
            hk_list_add(&list, &members->all[i]);
    hk_rcmembers required = {.count = list.count};
    required.all = hk_list_keep(r->arena, &list);
    return required;
}

static void check_machine(hk_resolver *r, const hk_rcfile *file, const hk_rcitem *item) {
    hk_rccontroller controller = {.name = "", .path = "", .item = item, .file = file};
    hk_rcmodule module = {.r = r,
                          .item = item,
                          .file = file,
                          .platform = {item, file},
                          .platform_name = "",
                          .controllers = &controller,
                          .controller_count = 1};
    hk_rcmachine machine = {.name = item->name.text,
                            .path = item->name.text,
                            .item = item,
                            .file = file,
                            .members = hk_rcr_members(r, file, item),
                            .module = &module};
    hk_rcowner platform = {
        .name = "", .path = "", .machine = HK_CHART_NONE, .platform = true, .file = file};
    hk_rcr_begin_module(r);
    module.members = required_of(r, &machine.members);
    module.names = hk_rcr_variables(r, &module.members, &platform, &module.name_count);
    hk_rcr_operations(&module);
    hk_list_add(&r->machines, &(hk_chart_machine){.name = machine.name});
    hk_rcowner owner = {.name = machine.name,
                        .path = machine.path,
                        .above = module.names,
                        .above_count = module.name_count,
                        .file = file};
    hk_rcname *names = HK_NEW_ARRAY(r->arena, hk_rcname, item->var_count + 1);
    for (size_t i = 0; i < item->var_count; i++) { /* an operation */
        const hk_chart_type *type = hk_rcr_type(r, file, item->vars[i].type);
        if (!type)
            return;
        hk_chart_variable variable = {.name = item->vars[i].name.text, .type = type};
        names[i] = hk_rcr_add_variable(r, &owner, variable);
        names[i].constant = names[i].parameter = true;
    }
    owner.parameters = names;
    owner.parameter_count = item->var_count;
    machine.names = hk_rcr_variables(r, &machine.members, &owner, &machine.name_count);
    hk_rcr_machine(&module, &machine);
}

static bool is_used(const hk_resolver *r, const hk_rcitem *item) {
    const hk_rcitem *const *used = r->used.data;
    for (size_t i = 0; i < r->used.count; i++)
        if (used[i] == item)
            return true;
    return false;
}

static bool has_machine(const hk_rcitem *item) {
    for (size_t i = 0; i < item->item_count; i++)
        if (item->items[i].kind == HK_RC_INITIAL || item->items[i].kind == HK_RC_STATE)
            return true;
    return false;
}

/* What no module has looked at. */
static void check_rest(hk_resolver *r, const hk_rcfile *file, const hk_rcitem *items,
                       size_t count) {
    for (size_t i = 0; i < count; i++) {
        const hk_rcitem *item = &items[i];
        switch (item->kind) {
        case HK_RC_GIVEN:
        case HK_RC_RECORD:
        case HK_RC_ENUMERATION:
            (void)hk_rcr_declared(r, (hk_rcfound){item, file});
            break;
        case HK_RC_OPERATION:
        case HK_RC_MACHINE:
            if (has_machine(item) && !is_used(r, item))
                check_machine(r, file, item);
            break;
        case HK_RC_FUNCTION:
            hk_rcr_check_function(r, (hk_rcfound){item, file});
            break;
        case HK_RC_CONTROLLER:
        case HK_RC_MODULE:
            check_rest(r, file, item->items, item->item_count);
            break;
        default:
            break;
        }
    }
}

static void count(const hk_rcitem *items, size_t n, hk_chart_facts *facts) {
    for (size_t i = 0; i < n; i++) {
        hk_rcitem_kind kind = items[i].kind;
        facts->modules += kind == HK_RC_MODULE;
        facts->controllers += kind == HK_RC_CONTROLLER;
        facts->machines += kind == HK_RC_MACHINE;
        facts->operations += kind == HK_RC_OPERATION;
        facts->functions += kind == HK_RC_FUNCTION;
        facts->interfaces += kind == HK_RC_INTERFACE;
        facts->types += kind == HK_RC_GIVEN || kind == HK_RC_RECORD || kind == HK_RC_ENUMERATION;
        if (kind == HK_RC_MODULE || kind == HK_RC_CONTROLLER)
            count(items[i].items, items[i].item_count, facts);
    }
}

static void check_file(hk_resolver *r, hk_chart_facts *facts) {
    const hk_rcfile *file = r->files[0];
    count(file->items, file->item_count, facts);
    for (size_t i = 0; i < file->item_count; i++) {
        if (file->items[i].kind != HK_RC_MODULE)
            continue;
        const hk_chart *chart = hk_rcr_module(r, &file->items[i]);
        if (!chart || r->complaints.first != HK_OK)
            continue;
        hk_chart_lint(r->ctx, chart);
        hk_chart_ports ports; /* what is checked can be a component */
        r->complaints.first = hk_chart_ports_make(r->ctx, r->arena, chart, &ports);
    }
    check_rest(r, file, file->items, file->item_count);
}

hk_status hk_chart_count(hk_ctx *ctx, const char *path, hk_chart_facts *ret_facts) {
    char *data = NULL;
    size_t size = 0, length;
    hk_arena *arena = hk_arena_create();
    hk_rcfile *file;
    hk_chart_facts facts = {0};
    (void)hk_chart_names(path, &length); /* of all of the file, whichever module is meant */
    path = hk_arena_strndup(arena, path, length);
    hk_status status = hk_file_read(ctx, path, HK_RCT_BYTES_MAX, &data, &size);
    if (status == HK_OK)
        status = hk_rct_parse(ctx, arena, path, data, size, &file);
    if (status == HK_OK)
        count(file->items, file->item_count, &facts);
    *ret_facts = facts;
    hk_arena_destroy(arena);
    hk_free(data);
    return status;
}

hk_status hk_chart_check_text(hk_ctx *ctx, const hk_file_text *text, hk_chart_facts *ret_facts) {
    hk_arena *arena = hk_arena_create();
    hk_resolver r = hk_rcr_begin(ctx, arena);
    hk_chart_facts facts = {0};
    r.lint = true;
    if (hk_rcr_load(&r, text)) {
        hk_rcr_rules(&r);
        check_file(&r, &facts);
    }
    hk_status status = r.complaints.first;
    hk_rcr_end(&r);
    hk_arena_destroy(arena);
    if (status == HK_OK)
        *ret_facts = facts;
    return status;
}

hk_status hk_chart_check(hk_ctx *ctx, const char *path, hk_chart_facts *ret_facts) {
    hk_file_text text = {.file = path};
    char *data;
    size_t length;
    if (hk_chart_names(path, &length) && path[length])
        return hk_error(ctx, HK_E_USAGE, (hk_where){.file = path}, "name the file alone",
                        "all modules of a file are checked, not one");
    HK_TRY(hk_file_read(ctx, path, HK_RCT_BYTES_MAX, &data, &text.size));
    text.data = data;
    hk_status status = hk_chart_check_text(ctx, &text, ret_facts);
    hk_free(data);
    return status;
}

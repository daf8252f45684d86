/* SPDX-License-Identifier: MIT
 *
 * A module with its platform, controllers and machines: from the file to the chart. */
#include "base/file.h"
#include "chart/resolve_internal.h"

#include <string.h>
#include <strings.h>

/* ---- what the module is made of ---------------------------------------------------------------
 */

/* The definition of an item that is one, or refers to one. */
static hk_rcfound definition(hk_resolver *r, const hk_rcfile *file, const hk_rcitem *item,
                             hk_rcitem_kind kind) {
    if (item->kind == kind)
        return (hk_rcfound){item, file};
    return hk_rcr_get(r, file, kind, &item->target);
}

static size_t count_of(const hk_rcitem *body, hk_rcitem_kind kind, hk_rcitem_kind reference) {
    size_t count = 0;
    for (size_t i = 0; i < body->item_count; i++)
        count += body->items[i].kind == kind || body->items[i].kind == reference;
    return count;
}

static void add_machines(hk_resolver *r, hk_rccontroller *c, uint32_t index) {
    size_t count = count_of(c->item, HK_RC_MACHINE, HK_RC_SREF);
    hk_rcoperation *operations = HK_NEW_ARRAY(r->arena, hk_rcoperation, c->item->item_count + 1);
    c->machines = HK_NEW_ARRAY(r->arena, hk_rcmachine, count + 1);
    c->operations = operations;
    for (size_t i = 0; i < c->item->item_count; i++) {
        const hk_rcitem *item = &c->item->items[i];
        if (item->kind == HK_RC_OPERATION || item->kind == HK_RC_OPREF) {
            hk_rcfound found = definition(r, c->file, item, HK_RC_OPERATION);
            if (found.item)
                operations[c->operation_count++] = (hk_rcoperation){item->name.text, found};
        }
        if (item->kind != HK_RC_MACHINE && item->kind != HK_RC_SREF)
            continue;
        hk_rcfound found = definition(r, c->file, item, HK_RC_MACHINE);
        if (!found.item)
            continue;
        hk_rcmachine *m = &c->machines[c->machine_count++];
        *m = (hk_rcmachine){.name = item->name.text,
                            .path = hk_arena_printf(r->arena, "%s.%s", c->path, item->name.text),
                            .item = found.item,
                            .file = found.file,
                            .controller = index,
                            .members = hk_rcr_members(r, found.file, found.item)};
    }
}

static void add_controllers(hk_rcmodule *module) {
    hk_resolver *r = module->r;
    size_t count = count_of(module->item, HK_RC_CONTROLLER, HK_RC_CREF);
    module->controllers = HK_NEW_ARRAY(r->arena, hk_rccontroller, count + 1);
    for (size_t i = 0; i < module->item->item_count; i++) {
        const hk_rcitem *item = &module->item->items[i];
        if (item->kind != HK_RC_CONTROLLER && item->kind != HK_RC_CREF)
            continue;
        hk_rcfound found = definition(r, module->file, item, HK_RC_CONTROLLER);
        if (!found.item)
            continue;
        hk_rccontroller *c = &module->controllers[module->controller_count];
        *c = (hk_rccontroller){.name = found.item->name.text,
                               .path = item->name.text,
                               .item = found.item,
                               .file = found.file,
                               .members = hk_rcr_members(r, found.file, found.item)};
        add_machines(r, c, (uint32_t)module->controller_count++);
    }
}

static bool add_platform(hk_rcmodule *module) {
    for (size_t i = 0; i < module->item->item_count; i++) {
        const hk_rcitem *item = &module->item->items[i];
        if (item->kind != HK_RC_PLATFORM && item->kind != HK_RC_RREF)
            continue;
        module->platform = definition(module->r, module->file, item, HK_RC_PLATFORM);
        module->platform_name = item->name.text;
        if (!module->platform.item)
            return false;
        module->members = hk_rcr_members(module->r, module->platform.file, module->platform.item);
        return true;
    }
    return false;
}

static void read_cycle(hk_rcmodule *module) {
    hk_resolver *r = module->r;
    const hk_rcitem *before = NULL;
    r->cycle = (hk_ratio){1, 1};
    for (size_t i = 0; i < module->item->item_count; i++) {
        const hk_rcitem *item = &module->item->items[i];
        if (item->kind != HK_RC_CYCLE)
            continue;
        hk_where where = hk_rcr_where(module->file, &item->value->at);
        bool number = item->value->kind == HK_RCE_INTEGER || item->value->kind == HK_RCE_REAL;
        hk_ratio cycle;
        if (before)
            hk_rcr_error(r, where, HK_E_DUPLICATE, NULL, "the cycle is given twice");
        else if (!number || !hk_ratio_parse(item->value->name.text, &cycle) || cycle.num <= 0)
            hk_rcr_error(r, where, HK_E_CHART, NULL,
                         "the length of the cycle is a number of time units above 0");
        else if (cycle.num / cycle.den > HK_CHART_CYCLE_MAX)
            hk_rcr_error(r, where, HK_E_CHART, "choose longer time units",
                         "a cycle has at most %d time units", (int)HK_CHART_CYCLE_MAX);
        else
            r->cycle = cycle;
        before = item;
    }
}

/* ---- names and machines -----------------------------------------------------------------------
 */

static void resolve_names(hk_rcmodule *module) {
    hk_resolver *r = module->r;
    hk_rcowner platform = {.name = "",
                           .path = "",
                           .machine = HK_CHART_NONE,
                           .platform = true,
                           .file = module->platform.file};
    module->names = hk_rcr_variables(r, &module->members, &platform, &module->name_count);
    for (size_t i = 0; i < module->controller_count; i++) {
        hk_rccontroller *c = &module->controllers[i];
        hk_rcowner owner = {.name = c->path,
                            .path = c->path,
                            .machine = HK_CHART_NONE,
                            .above = module->names,
                            .above_count = module->name_count,
                            .file = c->file};
        c->names = hk_rcr_variables(r, &c->members, &owner, &c->name_count);
    }
}

static void resolve_machines(hk_rcmodule *module) {
    hk_resolver *r = module->r;
    for (size_t i = 0; i < module->controller_count; i++) {
        hk_rccontroller *c = &module->controllers[i];
        for (size_t k = 0; k < c->machine_count; k++) {
            hk_rcmachine *m = &c->machines[k];
            m->module = module;
            m->index = (uint32_t)r->machines.count;
            hk_list_add(&r->machines, &(hk_chart_machine){.name = m->name});
            hk_rcowner owner = {.name = m->name,
                                .path = m->path,
                                .machine = m->index,
                                .above = c->names,
                                .above_count = c->name_count,
                                .file = m->file};
            m->names = hk_rcr_variables(r, &m->members, &owner, &m->name_count);
            hk_rcr_machine(module, m);
        }
    }
}

/* ---- the chart --------------------------------------------------------------------------------
 */

static void finish_controllers(const hk_rcmodule *module, hk_chart *chart) {
    hk_arena *arena = module->r->arena;
    hk_chart_controller *all =
        HK_NEW_ARRAY(arena, hk_chart_controller, module->controller_count + 1);
    for (size_t i = 0; i < module->controller_count; i++) {
        const hk_rccontroller *c = &module->controllers[i];
        uint32_t *machines = HK_NEW_ARRAY(arena, uint32_t, c->machine_count + 1);
        for (size_t k = 0; k < c->machine_count; k++)
            machines[k] = c->machines[k].index;
        all[i] = (hk_chart_controller){.name = c->name,
                                       .path = c->path,
                                       .machines = machines,
                                       .machine_count = (uint32_t)c->machine_count};
    }
    chart->controllers = all;
    chart->controller_count = (uint32_t)module->controller_count;
}

static void finish_lines(hk_resolver *r, hk_chart *chart) {
    const hk_rcline *all = r->lines.data;
    hk_chart_line *lines = HK_NEW_ARRAY(r->arena, hk_chart_line, r->lines.count + 1);
    for (size_t i = 0; i < r->lines.count; i++) {
        lines[i] = all[i].line;
        lines[i].from_machine = all[i].from ? all[i].from->index : HK_CHART_NONE;
        lines[i].to_machine = all[i].to ? all[i].to->index : HK_CHART_NONE;
    }
    chart->lines = lines;
    chart->line_count = (uint32_t)r->lines.count;
}

static void finish_files(hk_resolver *r, hk_chart *chart) {
    const char **files = HK_NEW_ARRAY(r->arena, const char *, r->file_count + 1);
    chart->digest = HK_HASH_SEED;
    for (size_t i = 0; i < r->file_count; i++) {
        const char *text = hk_rct_print_bare(r->arena, r->files[i]);
        files[i] = r->files[i]->file;
        chart->digest = hk_hash(chart->digest, text, strlen(text) + 1);
    }
    chart->files = files;
    chart->file_count = (uint32_t)r->file_count;
}

static void finish_functions(hk_resolver *r, hk_chart *chart) {
    const hk_rcfunction *all = r->functions.data;
    const hk_chart_function **functions =
        HK_NEW_ARRAY(r->arena, const hk_chart_function *, r->functions.count + 1);
    for (size_t i = 0; i < r->functions.count; i++)
        functions[i] = all[i].function;
    chart->functions = functions;
    chart->function_count = (uint32_t)r->functions.count;
}

/* A copy, for the chart. */
static const void *keep(hk_resolver *r, const hk_list *list) {
    void *kept = hk_arena_alloc(r->arena, list->count * list->size + 1);
    if (list->count)
        memcpy(kept, list->data, list->count * list->size);
    return kept;
}

static const hk_chart *finish(const hk_rcmodule *module) {
    hk_resolver *r = module->r;
    hk_chart *chart = HK_NEW(r->arena, hk_chart);
    hk_rcr_finish_variables(r, chart);
    finish_controllers(module, chart);
    finish_lines(r, chart);
    finish_functions(r, chart);
    finish_files(r, chart);
    chart->file = module->file->file;
    chart->package = module->file->package.text;
    chart->name = module->item->name.text;
    chart->digest = hk_hash(chart->digest, chart->name, strlen(chart->name) + 1);
    chart->platform = module->platform_name;
    chart->cycle = r->cycle;
    chart->machine_count = (uint32_t)r->machines.count;
    chart->machines = keep(r, &r->machines);
    chart->operation_count = (uint32_t)r->operations.count;
    chart->operations = keep(r, &r->operations);
    chart->type_count = (uint32_t)r->type_list.count;
    chart->types = keep(r, &r->type_list);
    chart->memory_size = r->memory_size;
    chart->frame_size = r->frame_size;
    return chart;
}

/* The module that is asked for; NULL: it is not there, or not the only one. */
static const hk_rcitem *find_module(hk_resolver *r, const char *name) {
    const hk_rcfile *file = r->files[0];
    const hk_rcitem *found = NULL;
    const char **names = HK_NEW_ARRAY(r->arena, const char *, file->item_count + 1);
    size_t count = 0;
    for (size_t i = 0; i < file->item_count; i++) {
        if (file->items[i].kind != HK_RC_MODULE)
            continue;
        names[count++] = file->items[i].name.text;
        if (!name || strcmp(name, file->items[i].name.text) == 0)
            found = &file->items[i];
    }
    hk_where where = {.file = file->file};
    if (count == 0)
        hk_rcr_error(r, where, HK_E_CHART, "name the file that has the module",
                     "this file has no module");
    else if (name && !found) {
        const char *hint = hk_complaint_suggest(&r->complaints, r->arena, name, names, count);
        if (!hint)
            hint = hk_arena_printf(r->arena, "it has '%s'%s", names[0], count > 1 ? ", ..." : "");
        hk_rcr_error(r, where, HK_E_NAME, hint, "there is no module '%s'", name);
    } else if (!name && count > 1)
        hk_rcr_error(r, where, HK_E_CHART,
                     hk_arena_printf(r->arena, "name one: %s#%s", file->file, names[0]),
                     "this file has %zu modules: '%s', '%s'%s", count, names[0], names[1],
                     count > 2 ? ", ..." : "");
    return (name || count == 1) ? found : NULL;
}

const hk_chart *hk_rcr_module(hk_resolver *r, const hk_rcitem *item) {
    hk_rcmodule module = {.r = r, .file = r->files[0], .item = item};
    hk_rcr_begin_module(r);
    read_cycle(&module);
    if (!add_platform(&module))
        return NULL;
    add_controllers(&module);
    hk_rcr_lines(&module);
    resolve_names(&module);
    hk_rcr_operations(&module);
    resolve_machines(&module);
    return r->complaints.first == HK_OK ? finish(&module) : NULL;
}

/* ---- the resolver -----------------------------------------------------------------------------
 */

hk_resolver hk_rcr_begin(hk_ctx *ctx, hk_arena *arena) {
    return (hk_resolver){.ctx = ctx,
                         .arena = arena,
                         .complaints = {.ctx = ctx},
                         .type_list = HK_LIST(const hk_chart_type *),
                         .functions = HK_LIST(hk_rcfunction),
                         .owned = HK_LIST(hk_rcowned),
                         .used = HK_LIST(const hk_rcitem *),
                         .cycle = {1, 1}};
}

static void end_module(hk_resolver *r) {
    hk_free(r->variables.data);
    hk_free(r->machines.data);
    hk_free(r->lines.data);
    hk_free(r->operations.data);
}

void hk_rcr_begin_module(hk_resolver *r) {
    end_module(r);
    r->variables = HK_LIST(hk_rcvariable);
    r->machines = HK_LIST(hk_chart_machine);
    r->lines = HK_LIST(hk_rcline);
    r->operations = HK_LIST(hk_chart_operation);
    r->memory_size = r->frame_size = 0;
    r->cycle = (hk_ratio){1, 1};
}

void hk_rcr_end(hk_resolver *r) {
    end_module(r);
    hk_map_finish(&r->said);
    hk_map_finish(&r->imported);
    hk_map_finish(&r->types);
    hk_free(r->files);
    hk_free(r->type_list.data);
    hk_free(r->functions.data);
    hk_free(r->owned.data);
    hk_free(r->used.data);
}

hk_status hk_chart_read_text(hk_ctx *ctx, hk_arena *arena, const hk_file_text *text,
                             const char *module, const hk_chart **ret_chart) {
    hk_resolver r = hk_rcr_begin(ctx, arena);
    const hk_chart *chart = NULL;
    if (hk_rcr_load(&r, text)) {
        const hk_rcitem *item = find_module(&r, module);
        hk_rcr_rules(&r);
        chart = item ? hk_rcr_module(&r, item) : NULL;
    }
    hk_status status = r.complaints.first;
    HK_ASSERT(status != HK_OK || chart);
    hk_rcr_end(&r);
    if (status == HK_OK)
        *ret_chart = chart;
    return status;
}

bool hk_chart_names(const char *text, size_t *ret_length) {
    static const char extension[] = ".rct";
    size_t length = strlen(text), wanted = sizeof extension - 1;
    for (const char *hash = strchr(text, '#'); hash; hash = strchr(hash + 1, '#'))
        if ((size_t)(hash - text) > wanted && strncasecmp(hash - wanted, extension, wanted) == 0)
            length = (size_t)(hash - text);
    *ret_length = length;
    return length > wanted && strncasecmp(text + length - wanted, extension, wanted) == 0;
}

hk_status hk_chart_read(hk_ctx *ctx, hk_arena *arena, const char *path, const char *module,
                        const hk_chart **ret_chart) {
    hk_file_text text = {.file = path};
    char *data;
    size_t length;
    if (hk_chart_names(path, &length) && path[length]) {
        const char *named = path + length + 1;
        path = text.file = hk_arena_strndup(arena, path, length);
        if (module && strcmp(module, named) != 0)
            return hk_error(ctx, HK_E_USAGE, (hk_where){.file = path}, "name it once",
                            "module '%s' is asked for, and '%s' too", named, module);
        module = named;
    }
    HK_TRY(hk_file_read(ctx, path, HK_RCT_BYTES_MAX, &data, &text.size));
    text.data = data;
    hk_status status = hk_chart_read_text(ctx, arena, &text, module, ret_chart);
    hk_free(data);
    return status;
}

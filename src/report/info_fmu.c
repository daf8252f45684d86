/* SPDX-License-Identifier: MIT
 *
 * What an FMU is and can do. */
#include "format/xml.h"
#include "format/zip.h"
#include "model/unit.h"
#include "report/info_report_internal.h"

#include <string.h>

static void add_terminals(hk_fmu_view *view, const hk_xml *parent, const char *prefix) {
    for (const hk_xml *t = hk_xml_child(parent, NULL, "Terminal"); t;
         t = hk_xml_next(t, NULL, "Terminal")) {
        const char *own = hk_xml_attr_get(t, "name");
        const char *name = hk_arena_printf(view->arena, "%s%s", prefix, own ? own : "?");
        HK_PUSH(view->terminals, view->terminal_count, view->terminal_cap, name);
        add_terminals(view, t, hk_arena_printf(view->arena, "%s.", name));
    }
}

/* Terminals are an extra: what is wrong with them is reported by `hocket check`. */
static void read_archive(hk_fmu_view *view) {
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    hk_zip *zip = NULL;
    char *data = NULL;
    size_t size;
    const hk_xml *root;
    if (hk_zip_open(quiet, view->path, &zip) == HK_OK) {
        int64_t entry = hk_zip_find(zip, "terminalsAndIcons/terminalsAndIcons.xml");
        for (size_t i = 0; i < hk_zip_count(zip); i++)
            view->documentation =
                view->documentation || strncmp(hk_zip_name(zip, i), "documentation/", 14) == 0;
        if (entry >= 0 && hk_zip_read(quiet, zip, (size_t)entry, &data, &size) == HK_OK &&
            hk_xml_parse(quiet, view->arena, "", data, size, &root) == HK_OK) {
            const hk_xml *list = hk_xml_child(root, NULL, "Terminals");
            if (list)
                add_terminals(view, list, "");
        }
    }
    hk_free(data);
    hk_zip_close(zip);
    hk_ctx_destroy(quiet);
}

/* What is wrong, and what helps. */
static const char *why_not(hk_arena *arena, const hk_diag *d) {
    return d->hint ? hk_arena_printf(arena, "%s; %s", d->text, d->hint)
                   : hk_arena_strdup(arena, d->text);
}

static void ask_machine(hk_fmu_view *view) {
    const hk_unit_class *class = view->info->unit_class;
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    if (class && class->can_open && class->can_open(quiet, view->info) != HK_OK)
        view->why_not = why_not(view->arena, hk_ctx_diag(quiet, 0));
    hk_ctx_destroy(quiet);
}

void hk_fmu_view_abilities(const hk_fmu_view *view, hk_ability ret[HK_ABILITIES]) {
    const hk_abilities *can = &view->info->can;
    const hk_fmu_facts *facts = view->facts;
    const hk_ability all[HK_ABILITIES] = {
        {can->variable_step, "variable_step", "variable step"},
        {can->save_state, "save_state", "saves its state"},
        {can->serialize_state, "serialize_state", "saves its state to a file"},
        {can->interpolates_inputs, "interpolates_inputs", "takes input derivatives"},
        {can->directional_derivatives, "directional_derivatives", "directional derivatives"},
        {facts->has_event_mode, "event_mode", "has an event mode"},
        {facts->might_return_early, "early_return", "may return early from a step"},
        {facts->intermediate_update, "intermediate_update", "gives intermediate values"},
        {can->once_per_process, "once_per_process", "one instance per process"},
        {can->needs_tool, "needs_tool", "needs its tool installed"}};
    memcpy(ret, all, sizeof all);
}

hk_status hk_fmu_view_open(hk_ctx *ctx, hk_arena *arena, const char *path, hk_fmu_view *ret_view) {
    *ret_view = (hk_fmu_view){.arena = arena, .path = path};
    hk_fmu_view *view = ret_view;
    hk_status status = hk_fmu_open_partly(ctx, path, &view->fmu);
    if (!view->fmu)
        return status;
    view->info = hk_fmu_info(view->fmu);
    view->facts = hk_fmu_get_facts(view->fmu);
    read_archive(view);
    if (status == HK_OK)
        ask_machine(view);
    else
        view->why_not = "the description cannot be read to its end";
    return status;
}

void hk_fmu_view_close(hk_fmu_view *view) {
    hk_free(view->terminals);
    if (view->fmu)
        hk_fmu_close(view->fmu);
    *view = (hk_fmu_view){0};
}

static void put_clocks(const hk_fmu_view *view, hk_json *json) {
    HK_JSON_EACH(json, "clocks", i, view->facts->clock_count) {
        const hk_fmu_clock *c = &view->facts->clocks[i];
        hk_json_string(json, "name", view->info->variables[c->variable].name);
        hk_json_string(json, "interval_variability", c->interval);
        if (c->has_interval) {
            hk_json_f64(json, "interval", hk_ratio_to_double(c->period));
            hk_json_f64(json, "shift", hk_ratio_to_double(c->shift));
        }
        if (c->has_priority)
            hk_json_i64(json, "priority", c->priority);
        hk_json_bool(json, "can_be_deactivated", c->can_be_deactivated);
        hk_json_bool(json, "supports_fraction", c->supports_fraction);
    }
}

static void put_abilities(const hk_fmu_view *view, hk_json *json) {
    hk_ability all[HK_ABILITIES];
    hk_fmu_view_abilities(view, all);
    hk_json_object(json, "abilities");
    for (size_t i = 0; i < HK_ABILITIES; i++)
        hk_json_bool(json, all[i].key, all[i].is);
    hk_json_i64(json, "output_derivative_order", view->info->can.output_derivative_order);
    if (view->facts->fixed_internal_step > 0)
        hk_json_f64(json, "fixed_internal_step", view->facts->fixed_internal_step);
    hk_json_end(json);
}

static void put_fmu(const hk_fmu_view *view, const hk_info_filter *filter, hk_json *json) {
    const hk_info *info = view->info;
    const hk_fmu_facts *facts = view->facts;
    const struct {
        const char *key, *text;
    } texts[] = {{"kind", "fmu"},
                 {"file", view->path},
                 {"name", info->name},
                 {"description", info->description},
                 {"fmi_version", facts->fmi_version},
                 {"model_identifier", facts->model_identifier},
                 {"model_version", facts->model_version},
                 {"author", facts->author},
                 {"copyright", facts->copyright},
                 {"license", facts->license},
                 {"guid", facts->guid},
                 {"generation_tool", facts->generation_tool},
                 {"generation_date", facts->generation_date},
                 {"naming_convention", facts->naming_convention},
                 {"why_not", view->why_not}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        hk_json_string(json, texts[i].key, texts[i].text);
    const struct {
        const char *key;
        bool is;
    } flags[] = {{"described", facts->described},
                 {"runs_here", !view->why_not},
                 {"co_simulation", facts->co_simulation},
                 {"model_exchange", facts->model_exchange},
                 {"scheduled_execution", facts->scheduled_execution},
                 {"sources", facts->has_sources},
                 {"resources", facts->has_resources},
                 {"documentation", view->documentation}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        hk_json_bool(json, flags[i].key, flags[i].is);
    hk_json_i64(json, "units", (int64_t)facts->unit_count);
    hk_json_i64(json, "types", (int64_t)facts->type_count);
    hk_json_i64(json, "log_categories", (int64_t)facts->log_category_count);
    hk_report_texts(json, "platforms", facts->platforms, facts->platform_count);
    hk_report_texts(json, "terminals", view->terminals, view->terminal_count);
    put_abilities(view, json);
    hk_info_put_defaults(json, &info->defaults);
    put_clocks(view, json);
    hk_info_put_variables(json, view->arena, filter, NULL, info);
}

hk_status hk_info_put_fmu(hk_report *report, const char *path, const hk_info_filter *filter) {
    hk_fmu_view view;
    hk_json json;
    hk_status status = hk_fmu_view_open(report->ctx, report->arena, path, &view);
    if (view.fmu) {
        hk_report_begin(report, &json, "info");
        put_fmu(&view, filter, &json);
        hk_json_end(&json);
    }
    hk_fmu_view_close(&view);
    return status;
}

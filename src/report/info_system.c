/* SPDX-License-Identifier: MIT
 *
 * What is in a file: systems and tables; the answers about other kinds have files of their own. */
#include "format/table_read.h"
#include "model/tree.h"
#include "record/about.h"
#include "report/info_report_internal.h"
#include "report/info_table.h"

#include <math.h>

const char *hk_info_behind(hk_arena *arena, const hk_model *model, uint32_t component,
                           uint32_t variable) {
    const hk_component *c = &model->components[component];
    return hk_arena_printf(arena, "%s.%s", c->name, c->info->variables[variable].name);
}

static void put_inlets(hk_arena *arena, hk_json *json, const hk_model *model) {
    for (size_t i = 0; i < model->inlet_count; i++) {
        const hk_inlet *inlet = &model->inlets[i];
        hk_json_object(json, NULL);
        hk_json_string(json, "name", inlet->name);
        hk_json_string(
            json, "variable",
            hk_info_behind(arena, model, inlet->branches->component, inlet->branches->variable));
        hk_json_bool(json, "set_only", true);
        hk_json_end(json);
    }
}

static void put_connectors(hk_arena *arena, hk_json *json, const hk_model *model) {
    hk_json_array(json, "connectors");
    put_inlets(arena, json, model);
    for (size_t i = 0; i < model->alias_count + model->shown_count; i++) {
        bool alias = i < model->alias_count;
        const hk_alias *a = alias ? &model->aliases[i] : NULL;
        const hk_shown *s = alias ? NULL : &model->shown[i - model->alias_count];
        hk_json_object(json, NULL);
        hk_json_string(json, "name", a ? a->name : s->name);
        hk_json_string(json, "variable",
                       a ? hk_info_behind(arena, model, a->component, a->variable)
                         : hk_info_behind(arena, model, s->component, s->variable));
        hk_json_bool(json, "recorded_only", s != NULL);
        hk_json_end(json);
    }
    hk_json_end(json);
}

static void put_system(hk_report *report, const hk_info_filter *filter, const char *path,
                       const hk_model *model) {
    const hk_experiment *e = &model->experiment;
    hk_json json;
    hk_report_begin(report, &json, "info");
    hk_json_string(&json, "kind", "system");
    hk_json_string(&json, "file", path);
    hk_json_string(&json, "name", model->name);
    if (model->description)
        hk_json_string(&json, "description", model->description);
    hk_defaults d = {.has_start = e->start_source > HK_FROM_DEFAULT,
                     .has_stop = e->has_stop,
                     .has_step = e->has_step,
                     .has_tolerance = e->has_tolerance,
                     .start = e->start,
                     .stop = e->stop,
                     .step = e->step,
                     .tolerance = e->tolerance};
    hk_info_put_defaults(&json, &d);
    const hk_tree_element **leaves = hk_tree_leaves(report->arena, model);
    HK_JSON_EACH(&json, "components", i, model->component_count) {
        const hk_component *c = &model->components[i];
        hk_json_string(&json, "name", c->name);
        hk_json_string(&json, "kind", c->info->kind);
        hk_json_string(&json, "type", c->info->name);
        if (c->has_period)
            hk_json_f64(&json, "period", hk_ratio_to_double(c->period));
        const hk_tree_element *owner = hk_tree_role_owner(leaves[i]);
        if (owner)
            hk_json_string(&json, "role", hk_tree_role_words[owner->role]);
        hk_info_put_world(&json, c->info);
        hk_info_put_variables(&json, report->arena, filter, c->name, c->info);
    }
    hk_put_libraries(&json, model);
    put_connectors(report->arena, &json, model);
    hk_json_array(&json, "connections");
    for (size_t i = 0; i < model->connection_count; i++)
        hk_json_string(&json, NULL, hk_connection_name(model, &model->connections[i]));
    hk_json_end(&json);
    hk_json_end(&json);
}

static hk_status info_system(hk_report *report, const char *path, const hk_info_filter *filter) {
    hk_model *model;
    HK_TRY(hk_model_open(report->ctx, path, &model));
    put_system(report, filter, path, model);
    hk_model_destroy(model);
    return HK_OK;
}

hk_status hk_info_report(hk_report *report, const hk_request *request,
                         const hk_info_filter *filter) {
    const char *path = request->file;
    hk_request asked;
    hk_file_kind kind;
    HK_ASSERT(path);
    if (hk_names_builtin(path))
        return hk_info_put_builtin(report, path, filter);
    if (hk_names_master(path))
        return hk_info_put_master(report, path);
    HK_TRY(hk_file_classify(report->ctx, path, &kind));
    switch (kind) {
    case HK_FILE_FMU:
        return hk_info_put_fmu(report, path, filter);
    case HK_FILE_SIMULATION:
        HK_TRY(hk_request_for(report->ctx, request, path, &asked));
        return hk_info_put_simulation(report, &asked);
    case HK_FILE_TYPES:
        return hk_info_put_types(report, path);
    case HK_FILE_CHART:
        return hk_info_put_chart(report, path, filter);
    case HK_FILE_SCENE:
        return hk_info_put_scene(report, path);
    case HK_FILE_SYSTEM:
        return info_system(report, path, filter);
    case HK_FILE_TABLE:
        break;
    }
    return hk_info_put_table(report, path);
}

/* SPDX-License-Identifier: MIT */
#include "report/check_report.h"

#include "base/file.h"
#include "check/check.h"
#include "format/table_read.h"
#include "lang/types/types.h"
#include "plan/ages.h"
#include "plan/overrun.h"
#include "play/play.h"
#include "record/about.h"
#include "report/info_report.h"
#include "scene/scene.h"
#include "sound/sound.h"

#include <strings.h>

static hk_status check_table(const hk_report *report, const char *path, hk_checked *ret_checked) {
    ret_checked->kind = HK_FILE_TABLE;
    const char *ended = hk_about_ended(report->arena, path);
    if (ended && hk_about_is_cut_off(ended))
        hk_warn(report->ctx, HK_E_INTERRUPTED, (hk_where){.file = path}, NULL,
                "the run of this record did not come to its end: %s", ended);
    return hk_table_check(report->ctx, path, &ret_checked->columns, &ret_checked->rows);
}

static hk_status check_types(const hk_report *report, const char *path, hk_checked *ret_checked) {
    hk_types *types = hk_types_create();
    hk_status status = hk_types_read(report->ctx, types, path, HK_NOWHERE);
    if (status == HK_OK)
        *ret_checked = (hk_checked){.kind = HK_FILE_TYPES,
                                    .types = hk_types_type_count(types),
                                    .interfaces = hk_types_interface_count(types),
                                    .components = hk_types_leaf_count(types)};
    hk_types_destroy(types);
    return status;
}

static hk_status check_scene(const hk_report *report, const char *path, hk_checked *ret_checked) {
    hk_scene *scene;
    HK_TRY(hk_scene_read(report->ctx, report->arena, path, &scene));
    *ret_checked = (hk_checked){
        .kind = HK_FILE_SCENE, .components = scene->count, .connections = scene->signal_count};
    return HK_OK;
}

/* The plan, and what can be said of it. */
static hk_status check_plan(const hk_report *report, hk_assembly *made) {
    HK_TRY(hk_assembly_plan(report->ctx, made, true));
    hk_plan_warn_load(report->ctx, made->plan);
    hk_status status = hk_plan_check_constraints(report->ctx, made->plan);
    hk_status overruns = hk_plan_check_overruns(report->ctx, made->plan);
    status = status == HK_OK ? overruns : status;
    return status == HK_OK ? hk_sound_check_plan(report->ctx, made->plan, NULL) : status;
}

/* A system that needs a scenario to run. */
static void note_unbound(const hk_report *report, const hk_model *model) {
    for (size_t i = 0; i < model->requirement_count; i++) {
        const hk_requirement *r = &model->requirements[i];
        const hk_component *c = &model->components[r->component];
        if (r->candidate_count > 1 && r->bound == HK_MAP_NONE)
            hk_note(report->ctx, r->where,
                    "a scenario must bind '%s.%s' to one of its providers: %s", c->name,
                    c->info->services[r->service].name,
                    hk_requirement_providers(report->arena, model, r));
    }
}

static hk_status check_assembly(const hk_report *report, const hk_check_wishes *wishes,
                                hk_assembly *made) {
    HK_TRY(hk_assembly_complete(report->ctx, made));
    hk_play_options options = {.only_run = -1, .strict = wishes->strict};
    hk_status status =
        made->simulation ? hk_play_check(report->ctx, made->simulation, &options) : HK_OK;
    hk_status planned = check_plan(report, made);
    status = status == HK_OK ? planned : status;
    if (status == HK_OK && !made->simulation)
        note_unbound(report, made->model);
    hk_status styled = wishes->style.name ? hk_style_check(report->ctx, made->model,
                                                           made->simulation, &wishes->style)
                                          : HK_OK;
    return status == HK_OK ? styled : status;
}

static hk_checked counted(const hk_assembly *made) {
    const hk_simulation *s = made->simulation;
    hk_checked f = {.kind = s ? HK_FILE_SIMULATION : HK_FILE_SYSTEM,
                    .components = made->model->component_count,
                    .connections = made->model->connection_count,
                    .scenarios = s ? s->scenario_count : 0};
    for (size_t i = 0; i < f.scenarios; i++)
        f.runs += (size_t)s->scenarios[i].repetitions;
    return f;
}

/* A system or a simulation, up to where it could run. */
hk_status hk_check_run(const hk_report *report, const hk_check_wishes *wishes, const char *path,
                       hk_checked *ret_checked) {
    hk_request request;
    hk_assembly made = {0};
    HK_TRY(hk_request_for(report->ctx, &wishes->request, path, &request));
    hk_status status = hk_assembly_open(report->ctx, &request, &made);
    if (status == HK_OK)
        status = check_assembly(report, wishes, &made);
    const char *profile = ret_checked->profile;
    if (status == HK_OK)
        *ret_checked = counted(&made);
    ret_checked->profile = profile;
    ret_checked->style = wishes->style.name;
    hk_assembly_close(&made);
    return status;
}

static bool names_sysml(const char *path) {
    return strcasecmp(hk_path_extension(path), ".sysml") == 0;
}

/* A multi-model: its rules, which can be checked where what runs is not there yet. */
static hk_status check_profile(const hk_report *report, const hk_check_wishes *wishes,
                               const char *path, hk_checked *ret_checked) {
    const hk_multimodel *profile = NULL;
    ret_checked->profile = wishes->profile.profile ? wishes->profile.profile : HK_PROFILE_USUAL;
    HK_TRY(hk_profile_read(report->ctx, report->arena, path, &profile));
    hk_status status = hk_profile_check(report->ctx, report->arena, profile, &wishes->profile);
    if (status == HK_OK && !wishes->only_rules)
        status = hk_module_check(report->ctx, report->arena, profile, &wishes->profile);
    ret_checked->kind = HK_FILE_SYSTEM;
    ret_checked->components = hk_profile_components(profile);
    ret_checked->connections = profile->connection_count;
    hk_profile_finish(profile);
    return status;
}

static hk_status no_profile(const hk_report *report, const hk_check_wishes *wishes,
                            const char *path) {
    bool asked = wishes->profile.profile || wishes->profile.rules.count;
    return names_sysml(path) || !asked
               ? HK_OK
               : hk_error(report->ctx, HK_E_USAGE, (hk_where){.file = path},
                          "leave out --profile and --rule",
                          "only multi-models in SysML (.sysml) have a profile");
}

/* Roles are declared in systems only. */
static hk_status no_style(const hk_report *report, const hk_check_wishes *wishes,
                          const char *path) {
    return !wishes->style.name
               ? HK_OK
               : hk_error(report->ctx, HK_E_USAGE, (hk_where){.file = path}, "leave out --style",
                          "only systems and simulations have a style");
}

hk_status hk_check_file(const hk_report *report, const hk_check_wishes *wishes, const char *path,
                        hk_checked *ret_checked) {
    hk_file_kind kind;
    *ret_checked = (hk_checked){0};
    HK_TRY(no_profile(report, wishes, path));
    if (hk_names_master(path) || hk_names_graph(path))
        HK_TRY(no_style(report, wishes, path));
    if (hk_names_master(path)) {
        ret_checked->kind = HK_FILE_SYSTEM; /* its instances are counted like components */
        return hk_check_master(report->ctx, report->arena, path, &ret_checked->components,
                               &ret_checked->connections);
    }
    if (hk_names_graph(path))
        return hk_check_graph(report->ctx, path, ret_checked);
    HK_TRY(hk_file_classify(report->ctx, path, &kind));
    if (kind != HK_FILE_SIMULATION && kind != HK_FILE_SYSTEM)
        HK_TRY(no_style(report, wishes, path));
    switch (kind) {
    case HK_FILE_TABLE:
        return check_table(report, path, ret_checked);
    case HK_FILE_TYPES:
        return check_types(report, path, ret_checked);
    case HK_FILE_SCENE:
        return check_scene(report, path, ret_checked);
    case HK_FILE_CHART:
        ret_checked->kind = kind;
        return hk_chart_check(report->ctx, path, &ret_checked->chart);
    case HK_FILE_FMU:
        ret_checked->is_fmu = true;
        return hk_check_fmu_twice(report, wishes, path, &ret_checked->verdicts);
    case HK_FILE_SIMULATION:
    case HK_FILE_SYSTEM:
        break;
    }
    if (names_sysml(path))
        HK_TRY(check_profile(report, wishes, path, ret_checked));
    if (names_sysml(path) && wishes->only_rules)
        return HK_OK;
    return hk_check_run(report, wishes, path, ret_checked);
}

void hk_checked_put(hk_json *json, hk_arena *arena, const char *path, hk_status status,
                    const hk_checked *checked) {
    hk_json_object(json, NULL);
    hk_json_string(json, "file", path);
    hk_json_bool(json, "ok", status == HK_OK);
    if (status != HK_OK)
        hk_json_string(json, "status", hk_report_status(arena, status));
    if (checked->is_fmu)
        hk_verdicts_put(json, &checked->verdicts);
    if (checked->style)
        hk_json_string(json, "style", checked->style);
    if (checked->profile)
        hk_json_string(json, "profile", checked->profile);
    bool table = checked->kind == HK_FILE_TABLE, types = checked->kind == HK_FILE_TYPES;
    bool graph = checked->is_graph, chart = checked->kind == HK_FILE_CHART;
    bool system = checked->kind == HK_FILE_SYSTEM || checked->kind == HK_FILE_SIMULATION;
    const struct {
        const char *key;
        size_t count;
        bool has;
    } counts[] = {{"columns", checked->columns, table},
                  {"rows", checked->rows, table},
                  {"data_types", checked->types, types},
                  {"interfaces", checked->interfaces, types},
                  {"component_types", checked->components, types},
                  {"components", checked->components, system},
                  {"connections", checked->connections, system},
                  {"things", checked->components, checked->kind == HK_FILE_SCENE},
                  {"bound_numbers", checked->connections, checked->kind == HK_FILE_SCENE},
                  {"scenarios", checked->scenarios, checked->kind == HK_FILE_SIMULATION},
                  {"runs", checked->runs, checked->kind == HK_FILE_SIMULATION},
                  {"modules", checked->chart.modules, chart},
                  {"controllers", checked->chart.controllers, chart},
                  {"machines", checked->chart.machines, chart},
                  {"operations", checked->chart.operations, chart},
                  {"functions", checked->chart.functions, chart},
                  {"nodes", checked->nodes, graph},
                  {"cells", checked->cells, graph},
                  {"flows", checked->flows, graph}};
    for (size_t i = 0; status == HK_OK && i < sizeof counts / sizeof *counts; i++)
        if (counts[i].has)
            hk_json_i64(json, counts[i].key, (int64_t)counts[i].count);
    hk_json_end(json);
}

void hk_findings_put(hk_json *json, const hk_ctx *ctx) {
    hk_json_array(json, "findings");
    for (size_t i = 0; i < hk_ctx_count(ctx, HK_NOTE); i++)
        hk_report_diag(json, NULL, hk_ctx_diag(ctx, i));
    hk_json_end(json);
}

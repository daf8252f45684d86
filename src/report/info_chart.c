/* SPDX-License-Identifier: MIT
 *
 * What is in a RoboChart file: the module, its controllers and machines, what goes in and out. */
#include "chart/chart_check.h"
#include "chart/chart_component.h"
#include "report/info_report_internal.h"
#include "report/show.h"

const char *hk_chart_show_value(hk_arena *arena, const hk_chart_variable *variable) {
    const hk_chart_expr *start = variable->start.expr;
    if (!start || start->op != HK_CHART_LITERAL)
        return start ? "computed" : NULL;
    switch (start->type->kind) {
    case HK_CHART_REAL:
        return hk_show_f64(arena, start->value.r);
    case HK_CHART_BOOLEAN:
        return start->value.i ? "true" : "false";
    case HK_CHART_ENUMERATION:
        return start->type->items[start->value.i];
    default:
        return hk_arena_printf(arena, "%lld", (long long)start->value.i);
    }
}

const char *hk_chart_operation_word(const hk_chart_operation *operation) {
    static const char *const words[] = {
        [HK_CHART_VISIBLE] = "visible", [HK_CHART_EFFECT] = "effect", [HK_CHART_HIDDEN] = "hidden"};
    return words[operation->kind];
}

const char *hk_chart_line_end(hk_arena *arena, const hk_chart *chart, uint32_t line) {
    const hk_chart_line *l = &chart->lines[line];
    if (l->kind != HK_CHART_BETWEEN)
        return l->name;
    const hk_chart_machine *m = &chart->machines[l->to_machine];
    for (uint32_t i = 0; i < m->event_count; i++)
        if (m->events[i].in == line)
            return hk_arena_printf(arena, "%s.%s", m->path, m->events[i].name);
    return m->path;
}

static void put_event(hk_json *json, const char *name, const hk_chart_type *type) {
    hk_json_object(json, NULL);
    hk_json_string(json, "name", name);
    if (type)
        hk_json_string(json, "type", type->name);
}

static void put_lines(hk_json *json, const char *key, const hk_chart *chart,
                      hk_chart_line_kind kind) {
    hk_json_array(json, key);
    for (uint32_t i = 0; i < chart->line_count; i++)
        if (chart->lines[i].kind == kind) {
            put_event(json, chart->lines[i].name, chart->lines[i].type);
            hk_json_end(json);
        }
    hk_json_end(json);
}

static void put_operations(hk_json *json, const hk_chart *chart) {
    HK_JSON_EACH(json, "operations", i, chart->operation_count) {
        const hk_chart_operation *o = &chart->operations[i];
        hk_json_string(json, "name", o->name);
        hk_json_string(json, "kind", hk_chart_operation_word(o));
        hk_json_array(json, "parameters");
        for (uint32_t k = 0; k < o->parameter_count; k++) {
            put_event(json, o->parameters[k].name, o->parameters[k].type);
            hk_json_end(json);
        }
        hk_json_end(json);
    }
}

/* Constants, variables of the platform, or all others. */
static void put_variables(hk_json *json, const char *key, hk_arena *arena, const hk_chart *chart,
                          int which) {
    hk_json_array(json, key);
    for (uint32_t i = 0; i < chart->variable_count; i++) {
        const hk_chart_variable *v = &chart->variables[i];
        if ((v->constant ? 0 : v->platform ? 1 : 2) != which)
            continue;
        put_event(json, v->path, v->type);
        hk_json_string(json, "value", hk_chart_show_value(arena, v));
        hk_json_end(json);
    }
    hk_json_end(json);
}

static void put_machine(hk_arena *arena, hk_json *json, const hk_chart *chart,
                        const hk_chart_machine *m) {
    hk_json_object(json, NULL);
    hk_json_string(json, "path", m->path);
    hk_json_string(json, "name", m->name);
    hk_json_string(json, "controller", chart->controllers[m->controller].path);
    if (m->caller != HK_CHART_NONE)
        hk_json_string(json, "caller", chart->machines[m->caller].path);
    hk_json_array(json, "states");
    for (uint32_t i = 0; i < m->node_count; i++)
        if (m->nodes[i].kind == HK_CHART_STATE)
            hk_json_string(json, NULL, m->nodes[i].name);
    hk_json_end(json);
    hk_json_i64(json, "transitions", m->transition_count);
    hk_json_array(json, "events");
    for (uint32_t i = 0; i < m->event_count; i++) {
        const hk_chart_event *e = &m->events[i];
        put_event(json, e->name, e->type);
        hk_json_string(json, "from", e->in == HK_CHART_NONE ? NULL : chart->lines[e->in].name);
        hk_json_string(json, "to",
                       e->out == HK_CHART_NONE ? NULL : hk_chart_line_end(arena, chart, e->out));
        hk_json_end(json);
    }
    hk_json_end(json);
    hk_json_array(json, "clocks");
    for (uint32_t i = 0; i < m->clock_count; i++)
        hk_json_string(json, NULL, m->clocks[i].name);
    hk_json_end(json);
    hk_json_end(json);
}

static void put_chart(hk_report *report, const char *path, const hk_info_filter *filter,
                      const hk_info *info) {
    const hk_chart *chart = hk_chart_of(info);
    hk_json json;
    char cycle[48];
    hk_report_begin(report, &json, "info");
    hk_json_string(&json, "kind", "chart");
    hk_json_string(&json, "file", path);
    hk_json_string(&json, "package", chart->package);
    hk_json_string(&json, "name", chart->name);
    hk_json_string(&json, "platform", chart->platform);
    hk_json_string(&json, "cycle", hk_ratio_format(chart->cycle, cycle));
    HK_JSON_EACH(&json, "controllers", i, chart->controller_count) {
        hk_json_string(&json, "path", chart->controllers[i].path);
        hk_json_string(&json, "name", chart->controllers[i].name);
    }
    hk_json_array(&json, "machines");
    for (uint32_t i = 0; i < chart->machine_count; i++)
        put_machine(report->arena, &json, chart, &chart->machines[i]);
    hk_json_end(&json);
    put_lines(&json, "received", chart, HK_CHART_FROM_PLATFORM);
    put_lines(&json, "sent", chart, HK_CHART_TO_PLATFORM);
    put_lines(&json, "between", chart, HK_CHART_BETWEEN);
    put_operations(&json, chart);
    put_variables(&json, "constants", report->arena, chart, 0);
    put_variables(&json, "platform_variables", report->arena, chart, 1);
    put_variables(&json, "machine_variables", report->arena, chart, 2);
    hk_info_put_variables(&json, report->arena, filter, NULL, info);
    hk_json_end(&json);
}

static void put_package(hk_report *report, const char *path, const hk_chart_facts *facts) {
    hk_json json;
    hk_report_begin(report, &json, "info");
    hk_json_string(&json, "kind", "chart");
    hk_json_string(&json, "file", path);
    hk_json_i64(&json, "modules", (int64_t)facts->modules);
    hk_json_i64(&json, "controller_count", (int64_t)facts->controllers);
    hk_json_i64(&json, "machine_count", (int64_t)facts->machines);
    hk_json_i64(&json, "operation_count", (int64_t)facts->operations);
    hk_json_i64(&json, "function_count", (int64_t)facts->functions);
    hk_json_i64(&json, "type_count", (int64_t)facts->types);
    hk_json_i64(&json, "interface_count", (int64_t)facts->interfaces);
    hk_json_end(&json);
}

hk_status hk_info_chart_open(hk_ctx *ctx, const char *path, hk_model **ret_model,
                             hk_chart_facts *ret_facts) {
    HK_TRY(hk_chart_count(ctx, path, ret_facts));
    *ret_model = NULL;
    return ret_facts->modules ? hk_model_open(ctx, path, ret_model) : HK_OK;
}

hk_status hk_info_put_chart(hk_report *report, const char *path, const hk_info_filter *filter) {
    hk_model *model;
    hk_chart_facts facts;
    HK_TRY(hk_info_chart_open(report->ctx, path, &model, &facts));
    if (model)
        put_chart(report, path, filter, model->components[0].info);
    else
        put_package(report, path, &facts);
    hk_model_destroy(model);
    return HK_OK;
}

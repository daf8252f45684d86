/* SPDX-License-Identifier: MIT
 *
 * What is in files of hocket's own languages. */
#include "lang/types/types.h"
#include "report/info_report_internal.h"

const char *hk_info_service(const hk_model *model, uint32_t component, uint32_t service) {
    const hk_component *c = &model->components[component];
    return hk_arena_printf(model->arena, "%s.%s", c->name, c->info->services[service].name);
}

/* The last one of LIST that binds R; NULL: none does. */
static const hk_action *binding_in(const hk_actions *list, const hk_requirement *r) {
    for (size_t i = list->count; i-- > 0;) {
        const hk_action *a = &list->all[i];
        if (a->kind == HK_ACTION_BIND && a->component == r->component && a->service == r->service)
            return a;
    }
    return NULL;
}

const char *hk_info_provider(const hk_simulation *s, const hk_scenario *scenario,
                             const hk_requirement *r) {
    const hk_action *a = binding_in(&scenario->begin, r);
    a = a ? a : binding_in(&s->begin, r);
    if (a)
        return hk_info_service(s->model, a->provider, a->provider_service);
    if (r->bound == HK_MAP_NONE && r->candidate_count != 1)
        return NULL;
    const hk_provider *p = &r->candidates[r->bound == HK_MAP_NONE ? 0 : r->bound];
    return hk_info_service(s->model, p->component, p->service);
}

static void put_bindings(hk_json *json, const hk_simulation *s, const hk_scenario *scenario) {
    const hk_model *model = s->model;
    HK_JSON_EACH(json, "bindings", i, model->requirement_count) {
        const hk_requirement *r = &model->requirements[i];
        hk_json_string(json, "required", hk_info_service(model, r->component, r->service));
        hk_json_string(json, "provided", hk_info_provider(s, scenario, r));
    }
}

static void put_simulation(hk_report *report, const char *path, const hk_simulation *s) {
    const hk_experiment *e = &s->model->experiment;
    hk_json json;
    hk_report_begin(report, &json, "info");
    hk_json_string(&json, "kind", "simulation");
    hk_json_string(&json, "file", path);
    hk_json_string(&json, "name", s->name);
    hk_json_string(&json, "system", s->model->name);
    hk_json_f64(&json, "start", hk_ratio_to_double(e->start));
    hk_json_f64(&json, "stop", hk_ratio_to_double(e->stop));
    hk_json_f64(&json, "step", hk_ratio_to_double(e->step));
    HK_JSON_EACH(&json, "scenarios", i, s->scenario_count) {
        const hk_scenario *scenario = &s->scenarios[i];
        hk_json_string(&json, "name", scenario->name);
        hk_json_i64(&json, "runs", scenario->repetitions);
        hk_json_i64(&json, "events", (int64_t)scenario->event_count);
        hk_json_i64(&json, "expectations", (int64_t)scenario->expectation_count);
        hk_json_array(&json, "logs");
        for (size_t k = 0; k < scenario->log_count; k++)
            hk_json_string(&json, NULL, scenario->logs[k].file);
        hk_json_end(&json);
        put_bindings(&json, s, scenario);
    }
    hk_json_end(&json);
}

hk_status hk_info_put_simulation(hk_report *report, const hk_request *request) {
    hk_assembly made = {0};
    hk_status status = hk_assembly_open(report->ctx, request, &made);
    if (status == HK_OK)
        status = hk_assembly_check(report->ctx, made.model);
    if (status == HK_OK)
        put_simulation(report, request->file, made.simulation);
    hk_assembly_close(&made);
    return status;
}

static void put_types(hk_report *report, const char *path, const hk_types *types) {
    hk_json json;
    hk_report_begin(report, &json, "info");
    hk_json_string(&json, "kind", "types");
    hk_json_string(&json, "file", path);
    HK_JSON_EACH(&json, "component_types", i, hk_types_leaf_count(types)) {
        const hk_lang_leaf *l = hk_types_leaf(types, i);
        hk_json_string(&json, "name", l->name);
        hk_json_i64(&json, "inputs", (int64_t)l->input_count);
        hk_json_i64(&json, "outputs", (int64_t)l->output_count);
        hk_json_i64(&json, "parameters", (int64_t)l->parameter_count);
        hk_json_i64(&json, "provided", (int64_t)l->provided_count);
        hk_json_i64(&json, "required", (int64_t)l->required_count);
    }
    HK_JSON_EACH(&json, "interfaces", i, hk_types_interface_count(types)) {
        hk_json_string(&json, "name", hk_types_interface(types, i)->name);
        hk_json_string(&json, "signature", hk_types_interface(types, i)->signature);
    }
    hk_json_end(&json);
}

hk_status hk_info_put_types(hk_report *report, const char *path) {
    hk_types *types = hk_types_create();
    hk_status status = hk_types_read(report->ctx, types, path, HK_NOWHERE);
    if (status == HK_OK)
        put_types(report, path, types);
    hk_types_destroy(types);
    return status;
}

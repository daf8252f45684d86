/* SPDX-License-Identifier: MIT */
#include "cli/info_lang.h"

#include "lang/types/types.h"

static const char *plural(size_t count) {
    return count == 1 ? "" : "s";
}

static void heading(const hk_cli *cli, const char *text) {
    printf("\n%s%s%s\n", hk_style_on(cli->color_out, HK_BOLD), text, hk_style_off(cli->color_out));
}

/* ---- systems ---- */

static const char *service_name(const hk_model *model, uint32_t component, uint32_t service) {
    const hk_component *c = &model->components[component];
    return hk_arena_printf(model->arena, "%s.%s", c->name, c->info->services[service].name);
}

void hk_info_services(hk_cli *cli, const hk_model *model) {
    size_t n = model->requirement_count;
    if (!n)
        return;
    heading(cli, hk_arena_printf(cli->arena, "%zu required interface%s", n, plural(n)));
    for (size_t i = 0; i < n; i++) {
        const hk_requirement *r = &model->requirements[i];
        printf("%s ->", service_name(model, r->component, r->service));
        for (size_t k = 0; k < r->candidate_count; k++)
            printf("%s %s", k ? "," : "",
                   service_name(model, r->candidates[k].component, r->candidates[k].service));
        puts(r->candidate_count ? "" : " nobody");
    }
}

/* ---- simulations ---- */

static const char *seconds(hk_cli *cli, hk_ratio r) {
    char text[48];
    return hk_arena_printf(cli->arena, "%s s", hk_ratio_format(r, text));
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

/* Who provides R when a run of the scenario begins; NULL: nobody is bound. */
static const char *provider_of(const hk_simulation *s, const hk_scenario *scenario,
                               const hk_requirement *r) {
    const hk_action *a = binding_in(&scenario->begin, r);
    a = a ? a : binding_in(&s->begin, r);
    if (a)
        return service_name(s->model, a->provider, a->provider_service);
    if (r->bound == HK_MAP_NONE && r->candidate_count != 1)
        return NULL;
    const hk_provider *p = &r->candidates[r->bound == HK_MAP_NONE ? 0 : r->bound];
    return service_name(s->model, p->component, p->service);
}

static void print_bindings(const hk_simulation *s, const hk_scenario *scenario) {
    const hk_model *model = s->model;
    for (size_t i = 0; i < model->requirement_count; i++) {
        const hk_requirement *r = &model->requirements[i];
        const char *provider = provider_of(s, scenario, r);
        printf("bound   %s -> %s\n", service_name(model, r->component, r->service),
               provider ? provider : "nobody");
    }
}

static void put_bindings(hk_json *json, const hk_simulation *s, const hk_scenario *scenario) {
    const hk_model *model = s->model;
    hk_json_array(json, "bindings");
    for (size_t i = 0; i < model->requirement_count; i++) {
        const hk_requirement *r = &model->requirements[i];
        hk_json_object(json, NULL);
        hk_json_string(json, "required", service_name(model, r->component, r->service));
        hk_json_string(json, "provided", provider_of(s, scenario, r));
        hk_json_end(json);
    }
    hk_json_end(json);
}

static const char *event_kind(const hk_event *e) {
    static const char *const kinds[] = {
        [HK_AT] = "at", [HK_WHEN] = "when", [HK_DURING] = "during", [HK_EVERY] = "every"};
    return kinds[e->kind];
}

/* "20 s from 15 s", "level.y > 3.5 until level.y < 3" */
static const char *event_time(hk_cli *cli, const hk_event *e) {
    switch (e->kind) {
    case HK_WHEN:
        return hk_arena_printf(
            cli->arena, "%s%s%s%s", e->condition->words ? e->condition->words : "",
            e->until && e->until->words ? " until " : "",
            e->until && e->until->words ? e->until->words : "", e->once ? " once" : "");
    case HK_EVERY:
        return hk_arena_printf(cli->arena, "%s from %s", seconds(cli, e->to),
                               seconds(cli, e->from));
    case HK_DURING:
        return hk_arena_printf(cli->arena, "%s to %s", seconds(cli, e->from), seconds(cli, e->to));
    default:
        return seconds(cli, e->from);
    }
}

/* WHEN: NULL: the kind says it. */
static void print_actions(hk_cli *cli, const char *kind, const char *when,
                          const hk_actions *actions) {
    for (size_t i = 0; i < actions->count; i++) {
        const char *words = actions->all[i].words;
        hk_put_clean(stdout, hk_arena_printf(cli->arena, "%-7s %s%s%s", kind, when ? when : "",
                                             when ? ": " : "", words ? words : ""));
        putchar('\n');
    }
}

static void print_scenario(hk_cli *cli, const hk_simulation *simulation, const hk_scenario *s) {
    heading(cli, hk_arena_printf(cli->arena, "%s (%lld run%s)", s->name, (long long)s->repetitions,
                                 s->repetitions == 1 ? "" : "s"));
    print_bindings(simulation, s);
    print_actions(cli, "begin", NULL, &s->begin);
    for (size_t i = 0; i < s->event_count; i++)
        print_actions(cli, event_kind(&s->events[i]), event_time(cli, &s->events[i]),
                      &s->events[i].actions);
    for (size_t i = 0; i < s->expectation_count; i++) {
        printf("expect  ");
        hk_put_clean(stdout, s->expectations[i].words ? s->expectations[i].words : "");
        putchar('\n');
    }
    for (size_t i = 0; i < s->log_count; i++)
        printf("log     %s: %zu signal%s every %s\n", s->logs[i].file, s->logs[i].count,
               plural(s->logs[i].count), seconds(cli, s->logs[i].period));
    print_actions(cli, "end", NULL, &s->end);
}

static void print_simulation(hk_cli *cli, const hk_simulation *s) {
    const hk_experiment *e = &s->model->experiment;
    printf("%s%s%s\n", hk_style_on(cli->color_out, HK_BOLD), s->name, hk_style_off(cli->color_out));
    printf("%-16s %s (%zu component%s)\n", "system", s->model->name, s->model->component_count,
           plural(s->model->component_count));
    printf("%-16s %s to %s, step %s\n", "time", seconds(cli, e->start), seconds(cli, e->stop),
           seconds(cli, e->step));
    printf("%-16s %llu\n", "seed", (unsigned long long)s->seed);
    if (s->begin.count)
        putchar('\n');
    print_actions(cli, "begin", NULL, &s->begin);
    for (size_t i = 0; i < s->scenario_count; i++)
        print_scenario(cli, s, &s->scenarios[i]);
    if (s->end.count)
        putchar('\n');
    print_actions(cli, "end", NULL, &s->end);
}

static void put_simulation(hk_cli *cli, const char *path, const hk_simulation *s) {
    const hk_experiment *e = &s->model->experiment;
    hk_json json;
    hk_answer_begin(cli, &json, "info");
    hk_json_string(&json, "kind", "simulation");
    hk_json_string(&json, "file", path);
    hk_json_string(&json, "name", s->name);
    hk_json_string(&json, "system", s->model->name);
    hk_json_f64(&json, "start", hk_ratio_to_double(e->start));
    hk_json_f64(&json, "stop", hk_ratio_to_double(e->stop));
    hk_json_f64(&json, "step", hk_ratio_to_double(e->step));
    hk_json_array(&json, "scenarios");
    for (size_t i = 0; i < s->scenario_count; i++) {
        const hk_scenario *scenario = &s->scenarios[i];
        hk_json_object(&json, NULL);
        hk_json_string(&json, "name", scenario->name);
        hk_json_i64(&json, "runs", scenario->repetitions);
        hk_json_i64(&json, "events", (int64_t)scenario->event_count);
        hk_json_i64(&json, "expectations", (int64_t)scenario->expectation_count);
        hk_json_array(&json, "logs");
        for (size_t k = 0; k < scenario->log_count; k++)
            hk_json_string(&json, NULL, scenario->logs[k].file);
        hk_json_end(&json);
        put_bindings(&json, s, scenario);
        hk_json_end(&json);
    }
    hk_json_end(&json);
    hk_answer_end(&json);
}

hk_status hk_info_simulation(hk_cli *cli, const hk_args *args, const char *path) {
    hk_request request;
    hk_assembly made = {0};
    HK_TRY(hk_request_read(cli, args, path, &request));
    hk_status status = hk_assembly_open(cli->ctx, &request, &made);
    if (status == HK_OK)
        status = hk_assembly_check(cli->ctx, made.model);
    if (status == HK_OK && cli->json)
        put_simulation(cli, path, made.simulation);
    else if (status == HK_OK)
        print_simulation(cli, made.simulation);
    hk_assembly_close(&made);
    return status;
}

/* ---- types ---- */

static void print_types(hk_cli *cli, const hk_types *types) {
    size_t leaves = hk_types_leaf_count(types), interfaces = hk_types_interface_count(types);
    printf("%s%zu component type%s%s\n", hk_style_on(cli->color_out, HK_BOLD), leaves,
           plural(leaves), hk_style_off(cli->color_out));
    for (size_t i = 0; i < leaves; i++) {
        const hk_lang_leaf *l = hk_types_leaf(types, i);
        printf("%-32s %zu input%s, %zu output%s, %zu parameter%s, %zu provided, %zu required\n",
               l->name, l->input_count, plural(l->input_count), l->output_count,
               plural(l->output_count), l->parameter_count, plural(l->parameter_count),
               l->provided_count, l->required_count);
    }
    if (!interfaces)
        return;
    heading(cli, hk_arena_printf(cli->arena, "%zu interface%s", interfaces, plural(interfaces)));
    for (size_t i = 0; i < interfaces; i++) {
        const hk_lang_interface *interface = hk_types_interface(types, i);
        printf("%-32s %s\n", interface->name, interface->signature);
    }
}

static void put_types(hk_cli *cli, const char *path, const hk_types *types) {
    hk_json json;
    hk_answer_begin(cli, &json, "info");
    hk_json_string(&json, "kind", "types");
    hk_json_string(&json, "file", path);
    hk_json_array(&json, "component_types");
    for (size_t i = 0; i < hk_types_leaf_count(types); i++) {
        const hk_lang_leaf *l = hk_types_leaf(types, i);
        hk_json_object(&json, NULL);
        hk_json_string(&json, "name", l->name);
        hk_json_i64(&json, "inputs", (int64_t)l->input_count);
        hk_json_i64(&json, "outputs", (int64_t)l->output_count);
        hk_json_i64(&json, "parameters", (int64_t)l->parameter_count);
        hk_json_i64(&json, "provided", (int64_t)l->provided_count);
        hk_json_i64(&json, "required", (int64_t)l->required_count);
        hk_json_end(&json);
    }
    hk_json_end(&json);
    hk_json_array(&json, "interfaces");
    for (size_t i = 0; i < hk_types_interface_count(types); i++) {
        hk_json_object(&json, NULL);
        hk_json_string(&json, "name", hk_types_interface(types, i)->name);
        hk_json_string(&json, "signature", hk_types_interface(types, i)->signature);
        hk_json_end(&json);
    }
    hk_json_end(&json);
    hk_answer_end(&json);
}

hk_status hk_info_types(hk_cli *cli, const char *path) {
    hk_types *types = hk_types_create();
    hk_status status = hk_types_read(cli->ctx, types, path, HK_NOWHERE);
    if (status == HK_OK && cli->json)
        put_types(cli, path, types);
    else if (status == HK_OK)
        print_types(cli, types);
    hk_types_destroy(types);
    return status;
}

/* SPDX-License-Identifier: MIT */
#include "cli/info_view.h"

#include "lang/types/types.h"

static void heading(const hk_cli *cli, const char *text) {
    printf("\n%s%s%s\n", hk_style_on(cli->color_out, HK_BOLD), text, hk_style_off(cli->color_out));
}

/* ---- systems ---- */

void hk_info_services(hk_cli *cli, const hk_model *model) {
    size_t n = model->requirement_count;
    if (!n)
        return;
    heading(cli, hk_arena_printf(cli->arena, "%zu required interface%s", n, hk_plural(n)));
    for (size_t i = 0; i < n; i++) {
        const hk_requirement *r = &model->requirements[i];
        printf("%s ->", hk_info_service(model, r->component, r->service));
        for (size_t k = 0; k < r->candidate_count; k++)
            printf("%s %s", k ? "," : "",
                   hk_info_service(model, r->candidates[k].component, r->candidates[k].service));
        puts(r->candidate_count ? "" : " nobody");
    }
}

/* ---- simulations ---- */

static const char *seconds(hk_cli *cli, hk_ratio r) {
    char text[48];
    return hk_arena_printf(cli->arena, "%s s", hk_ratio_format(r, text));
}

static void print_bindings(const hk_simulation *s, const hk_scenario *scenario) {
    const hk_model *model = s->model;
    for (size_t i = 0; i < model->requirement_count; i++) {
        const hk_requirement *r = &model->requirements[i];
        const char *provider = hk_info_provider(s, scenario, r);
        printf("bound   %s -> %s\n", hk_info_service(model, r->component, r->service),
               provider ? provider : "nobody");
    }
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
        if (actions->all[i].more) /* a field of a record that was told as a whole */
            continue;
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
               hk_plural(s->logs[i].count), seconds(cli, s->logs[i].period));
    print_actions(cli, "end", NULL, &s->end);
}

static void print_simulation(hk_cli *cli, const hk_simulation *s) {
    const hk_experiment *e = &s->model->experiment;
    printf("%s%s%s\n", hk_style_on(cli->color_out, HK_BOLD), s->name, hk_style_off(cli->color_out));
    printf("%-16s %s (%zu component%s)\n", "system", s->model->name, s->model->component_count,
           hk_plural(s->model->component_count));
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

hk_status hk_info_simulation(hk_cli *cli, const hk_args *args, const char *path) {
    hk_request request;
    hk_assembly made = {0};
    HK_TRY(hk_request_read(cli, args, path, &request));
    hk_status status = hk_assembly_open(cli->ctx, &request, &made);
    if (status == HK_OK)
        status = hk_assembly_check(cli->ctx, made.model);
    if (status == HK_OK)
        print_simulation(cli, made.simulation);
    hk_assembly_close(&made);
    return status;
}

/* ---- types ---- */

static void print_types(hk_cli *cli, const hk_types *types) {
    size_t leaves = hk_types_leaf_count(types), interfaces = hk_types_interface_count(types);
    printf("%s%zu component type%s%s\n", hk_style_on(cli->color_out, HK_BOLD), leaves,
           hk_plural(leaves), hk_style_off(cli->color_out));
    for (size_t i = 0; i < leaves; i++) {
        const hk_lang_leaf *l = hk_types_leaf(types, i);
        printf("%-32s %zu input%s, %zu output%s, %zu parameter%s, %zu provided, %zu required\n",
               l->name, l->input_count, hk_plural(l->input_count), l->output_count,
               hk_plural(l->output_count), l->parameter_count, hk_plural(l->parameter_count),
               l->provided_count, l->required_count);
    }
    if (!interfaces)
        return;
    heading(cli, hk_arena_printf(cli->arena, "%zu interface%s", interfaces, hk_plural(interfaces)));
    for (size_t i = 0; i < interfaces; i++) {
        const hk_lang_interface *interface = hk_types_interface(types, i);
        printf("%-32s %s\n", interface->name, interface->signature);
    }
}

hk_status hk_info_types(hk_cli *cli, const char *path) {
    hk_types *types = hk_types_create();
    hk_status status = hk_types_read(cli->ctx, types, path, HK_NOWHERE);
    if (status == HK_OK)
        print_types(cli, types);
    hk_types_destroy(types);
    return status;
}

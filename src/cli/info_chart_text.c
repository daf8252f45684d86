/* SPDX-License-Identifier: MIT
 *
 * `hocket info x.rct`: a RoboChart module for people. */
#include "cli/info_view.h"

#include "chart/chart_check.h"
#include "chart/chart_component.h"

static const char *type_of(const hk_chart_type *type) {
    return type ? type->name : "";
}

static void print_states(hk_cli *cli, const hk_chart_machine *m) {
    const char *text = "";
    for (uint32_t i = 0; i < m->node_count; i++)
        if (m->nodes[i].kind == HK_CHART_STATE) {
            bool inside = m->nodes[i].parent != HK_CHART_NONE;
            text = hk_arena_printf(cli->arena, "%s%s%s%s%s", text, *text ? ", " : "",
                                   inside ? m->nodes[m->nodes[i].parent].name : "",
                                   inside ? "." : "", m->nodes[i].name);
        }
    hk_info_fact("  states", text);
}

static void print_event(hk_cli *cli, const hk_chart *chart, const hk_chart_event *e) {
    bool in = e->in != HK_CHART_NONE, out = e->out != HK_CHART_NONE;
    printf("%-16s %s%s%s", "  event", e->name, e->type ? " : " : "", type_of(e->type));
    if (in)
        printf(" from %s", chart->lines[e->in].name);
    if (out)
        printf(" to %s", hk_chart_line_end(cli->arena, chart, e->out));
    puts(in || out ? "" : " (not connected)");
}

static void print_machines(hk_cli *cli, const hk_chart *chart) {
    for (uint32_t i = 0; i < chart->machine_count; i++) {
        const hk_chart_machine *m = &chart->machines[i];
        bool called = m->caller != HK_CHART_NONE;
        hk_info_heading(cli, hk_arena_printf(cli->arena, "%s %s (%s)",
                                             called ? "operation" : "machine", m->path, m->name));
        print_states(cli, m);
        printf("%-16s %u\n", "  transitions", m->transition_count);
        for (uint32_t k = 0; k < m->event_count; k++)
            print_event(cli, chart, &m->events[k]);
        for (uint32_t k = 0; k < m->clock_count; k++)
            printf("%-16s %s\n", "  clock", m->clocks[k].name);
    }
}

static void print_operation(const hk_chart_operation *o) {
    printf("%-16s %s(", "operation", o->name);
    for (uint32_t i = 0; i < o->parameter_count; i++)
        printf("%s%s : %s", i ? ", " : "", o->parameters[i].name, o->parameters[i].type->name);
    printf("), %s\n", hk_chart_operation_word(o));
}

static void print_variable(hk_cli *cli, const hk_chart_variable *v) {
    const char *value = hk_chart_show_value(cli->arena, v);
    printf("%-16s %s : %s", v->constant ? "constant" : "variable", v->path, v->type->name);
    if (value)
        printf(" = %s\n", value);
    else
        puts(v->constant ? ", must be given" : "");
}

/* What the component has for others. */
static void print_outside(hk_cli *cli, const hk_chart *chart) {
    hk_info_heading(cli, hk_arena_printf(cli->arena, "platform %s", chart->platform));
    for (uint32_t i = 0; i < chart->line_count; i++) {
        const hk_chart_line *l = &chart->lines[i];
        if (l->kind != HK_CHART_BETWEEN)
            printf("%-16s %s%s%s\n", l->kind == HK_CHART_FROM_PLATFORM ? "receives" : "sends",
                   l->name, l->type ? " : " : "", type_of(l->type));
    }
    for (uint32_t i = 0; i < chart->operation_count; i++)
        print_operation(&chart->operations[i]);
    for (uint32_t i = 0; i < chart->variable_count; i++)
        if (chart->variables[i].constant || chart->variables[i].platform)
            print_variable(cli, &chart->variables[i]);
}

static void print_chart(hk_cli *cli, const hk_chart *chart) {
    char cycle[48];
    printf("%s%s%s\n", hk_style_on(cli->color_out, HK_BOLD), chart->name,
           hk_style_off(cli->color_out));
    hk_info_fact("package", chart->package);
    printf("%-16s %s time unit%s\n", "cycle", hk_ratio_format(chart->cycle, cycle),
           chart->cycle.num == 1 && chart->cycle.den == 1 ? "" : "s");
    for (uint32_t i = 0; i < chart->controller_count; i++)
        printf("%-16s %s (%s), %u machine%s\n", "controller", chart->controllers[i].path,
               chart->controllers[i].name, chart->controllers[i].machine_count,
               hk_plural(chart->controllers[i].machine_count));
    print_outside(cli, chart);
    print_machines(cli, chart);
}

hk_status hk_info_chart(hk_cli *cli, const hk_args *args, const char *path) {
    hk_model *model;
    hk_chart_facts f;
    HK_TRY(hk_info_chart_open(cli->ctx, path, &model, &f));
    if (!model) {
        printf("no module, %zu controller%s, %zu machine%s, %zu operation%s, %zu function%s, %zu "
               "type%s, %zu interface%s\n",
               f.controllers, hk_plural(f.controllers), f.machines, hk_plural(f.machines),
               f.operations, hk_plural(f.operations), f.functions, hk_plural(f.functions), f.types,
               hk_plural(f.types), f.interfaces, hk_plural(f.interfaces));
        return HK_OK;
    }
    const hk_info *info = model->components[0].info;
    print_chart(cli, hk_chart_of(info));
    hk_info_print_variables(cli, args, NULL, info);
    hk_model_destroy(model);
    return HK_OK;
}

/* SPDX-License-Identifier: MIT
 *
 * `hocket info`: what is in a file. */
#include "cli/info_view.h"
#include "model/tree.h"
#include "native/plugin_note.h"
#include "report/info_table.h"

#include <math.h>
#include <string.h>

static void print_connections(hk_cli *cli, const hk_model *model) {
    size_t count = model->connection_count;
    hk_info_heading(cli, hk_arena_printf(cli->arena, "%zu connection%s", count, hk_plural(count)));
    for (size_t i = 0; i < model->connection_count; i++) {
        const hk_connection *c = &model->connections[i];
        hk_put_clean(stdout, hk_connection_name(model, c));
        if (c->transform.kind == HK_TRANSFORM_LINEAR)
            printf("  factor %s offset %s", hk_show_f64(cli->arena, c->transform.factor),
                   hk_show_f64(cli->arena, c->transform.offset));
        else if (c->transform.kind == HK_TRANSFORM_MAP)
            printf("  mapped");
        if (c->delay.num)
            printf("  delay %s s", hk_info_ratio(cli, c->delay));
        putchar('\n');
    }
}

/* Per variable of C its last setting, which is the one that counts. */
static const uint32_t *last_settings(hk_cli *cli, const hk_component *c) {
    uint32_t *last = HK_NEW_ARRAY(cli->arena, uint32_t, c->info->variable_count);
    for (size_t k = 0; k < c->setting_count; k++)
        last[c->settings[k].variable] = (uint32_t)k;
    return last;
}

/* The values that the system file gives to variables. */
static void print_settings(hk_cli *cli, const hk_model *model) {
    size_t count = 0;
    for (size_t i = 0; i < model->component_count; i++) {
        const hk_component *c = &model->components[i];
        const uint32_t *last = last_settings(cli, c);
        for (size_t k = 0; k < c->setting_count; k++)
            count += last[c->settings[k].variable] == k;
    }
    if (!count)
        return;
    hk_info_heading(cli, hk_arena_printf(cli->arena, "%zu value%s set", count, hk_plural(count)));
    for (size_t i = 0; i < model->component_count; i++) {
        const hk_component *c = &model->components[i];
        const uint32_t *last = last_settings(cli, c);
        for (size_t k = 0; k < c->setting_count; k++) {
            const hk_setting *s = &c->settings[k];
            const hk_variable *v = &c->info->variables[s->variable];
            if (last[s->variable] != k)
                continue;
            const char *value =
                hk_value_format(cli->arena, v->type, hk_store_of(v->type), s->value.data);
            hk_put_clean(stdout, hk_arena_printf(cli->arena, "%s.%s = %s%s%s%s", c->name, v->name,
                                                 value, s->value.count > 1 ? " ..." : "",
                                                 v->unit ? " " : "", v->unit ? v->unit : ""));
            putchar('\n');
        }
    }
}

static const char *all_behind(hk_cli *cli, const hk_model *model, const hk_branch *branches) {
    const char *text = "";
    for (const hk_branch *b = branches; b; b = b->next)
        text = hk_arena_printf(cli->arena, "%s%s%s", text, *text ? ", " : "",
                               hk_info_behind(cli->arena, model, b->component, b->variable));
    return text;
}

static void print_line(const char *text) {
    hk_put_clean(stdout, text);
    putchar('\n');
}

/* Names of the system itself: they can be set, driven and recorded like variables. */
static void print_connectors(hk_cli *cli, const hk_model *model) {
    size_t count = model->alias_count + model->shown_count + model->inlet_count;
    if (!count)
        return;
    hk_info_heading(cli, hk_arena_printf(cli->arena, "%zu connector%s", count, hk_plural(count)));
    for (size_t i = 0; i < model->alias_count; i++) {
        const hk_alias *a = &model->aliases[i];
        const char *text =
            hk_arena_printf(cli->arena, "%s = %s", a->name,
                            hk_info_behind(cli->arena, model, a->component, a->variable));
        print_line(hk_arena_printf(cli->arena, "%s%s%s", text, a->branches ? ", " : "",
                                   all_behind(cli, model, a->branches)));
    }
    for (size_t i = 0; i < model->inlet_count; i++)
        print_line(hk_arena_printf(cli->arena, "%s to %s", model->inlets[i].name,
                                   all_behind(cli, model, model->inlets[i].branches)));
    for (size_t i = 0; i < model->shown_count; i++)
        print_line(hk_arena_printf(cli->arena, "%s from %s", model->shown[i].name,
                                   hk_info_behind(cli->arena, model, model->shown[i].component,
                                                  model->shown[i].variable)));
}

/* Those of components that are asked for; else how to ask. */
static void print_all_variables(hk_cli *cli, const hk_args *args, const hk_model *model) {
    hk_info_filter filter = hk_info_read_filter(cli, args);
    size_t count = 0;
    for (size_t i = 0; i < model->component_count; i++)
        count += hk_info_count_variables(&filter, cli->arena, model->components[i].name,
                                         model->components[i].info);
    bool chosen = hk_args_has(args, "causality") || hk_args_has(args, "variable");
    if (chosen || !hk_args_has(args, "all"))
        hk_info_heading(cli,
                        hk_arena_printf(cli->arena, "%zu variable%s", count, hk_plural(count)));
    if (!chosen && !hk_args_has(args, "all")) {
        printf("--all lists them, --variable '%s.*' those of a component, --causality some\n",
               model->component_count ? model->components[0].name : "NAME");
        return;
    }
    for (size_t i = 0; i < model->component_count; i++) {
        const hk_component *c = &model->components[i];
        if (!hk_info_count_variables(&filter, cli->arena, c->name, c->info))
            continue;
        hk_info_heading(cli, c->name);
        hk_info_print_variables(cli, args, c->name, c->info);
    }
}

static void print_libraries(hk_cli *cli, const hk_model *model) {
    size_t count = model->library_count;
    if (!count)
        return;
    hk_info_heading(cli, hk_arena_printf(cli->arena, "%zu plugin%s", count, hk_plural(count)));
    for (size_t i = 0; i < count; i++) {
        const hk_library *l = model->libraries[i], *exact = NULL;
        hk_put_clean(stdout, hk_library_text(cli->arena, l));
        putchar('\n');
        hk_ctx *quiet = hk_ctx_create(NULL, NULL); /* what is wrong with it was told */
        if (hk_plugin_library(quiet, cli->arena, l->path, false, &exact) == HK_OK &&
            exact->changed) {
            hk_put_clean(stdout, hk_arena_printf(cli->arena, "%s: %s", l->file, exact->changed));
            putchar('\n');
        }
        hk_ctx_destroy(quiet);
    }
}

static void print_system(hk_cli *cli, const hk_args *args, const hk_model *model) {
    const hk_experiment *e = &model->experiment;
    fputs(hk_style_on(cli->color_out, HK_BOLD), stdout);
    hk_put_clean(stdout, model->name);
    puts(hk_style_off(cli->color_out));
    hk_info_fact("description", model->description);
    if (e->start_source > HK_FROM_DEFAULT)
        hk_info_fact("start time", hk_info_ratio(cli, e->start));
    if (e->has_stop)
        hk_info_fact("stop time", hk_info_ratio(cli, e->stop));
    if (e->has_step)
        hk_info_fact("step size", hk_info_ratio(cli, e->step));
    size_t count = model->component_count;
    hk_info_heading(cli, hk_arena_printf(cli->arena, "%zu component%s", count, hk_plural(count)));
    const hk_tree_element **leaves = hk_tree_leaves(cli->arena, model);
    for (size_t i = 0; i < model->component_count; i++) {
        const hk_component *c = &model->components[i];
        const hk_tree_element *owner = hk_tree_role_owner(leaves[i]);
        size_t inputs = 0, outputs = 0;
        for (size_t v = 0; v < c->info->variable_count; v++) {
            inputs += c->info->variables[v].causality == HK_INPUT;
            outputs += c->info->variables[v].causality == HK_OUTPUT;
        }
        hk_put_clean(stdout, hk_arena_printf(cli->arena, "%-20s %-22s ", c->name,
                                             c->info->kind ? c->info->kind : ""));
        printf("%zu input%s, %zu output%s%s%s%s%s%s\n", inputs, hk_plural(inputs), outputs,
               hk_plural(outputs), c->has_period ? ", period " : "",
               c->has_period ? hk_info_ratio(cli, c->period) : "", c->has_period ? " s" : "",
               owner ? ", role " : "", owner ? hk_tree_role_words[owner->role] : "");
    }
    hk_info_worlds(cli, model);
    print_libraries(cli, model);
    print_connectors(cli, model);
    print_connections(cli, model);
    hk_info_services(cli, model);
    print_settings(cli, model);
    print_all_variables(cli, args, model);
}

static hk_status info_system(hk_cli *cli, const hk_args *args, const char *path) {
    hk_model *model;
    HK_TRY(hk_model_open(cli->ctx, path, &model));
    print_system(cli, args, model);
    hk_model_destroy(model);
    return HK_OK;
}

/* "Float64[2,3]": of an element, the shape of its array. */
static const char *table_type(hk_arena *arena, const hk_column_facts *c) {
    const char *text = c->about.type < HK_TYPE_COUNT ? hk_type_name(c->about.type)
                       : c->texts                    ? "texts"
                                                     : "-";
    for (size_t i = 0; i < c->dim_count; i++)
        text = hk_arena_printf(arena, "%s%s%zu", text, i ? "," : "[", c->dims[i]);
    return c->dim_count ? hk_arena_printf(arena, "%s]", text) : text;
}

/* How wide the columns of the list are: the name, the type and the unit. */
typedef struct table_widths {
    int name, type, unit;
} table_widths;

static void widen(int *width, const char *text) {
    int length = (int)strlen(text);
    *width = length > *width ? length : *width;
}

static table_widths widths_of(hk_cli *cli, const hk_table_facts *facts) {
    table_widths w = {32, 14, 8};
    for (size_t i = 0; i < facts->count; i++) {
        const hk_column_facts *c = &facts->columns[i];
        widen(&w.name, c->about.name);
        widen(&w.type, table_type(cli->arena, c));
        widen(&w.unit, c->about.unit ? c->about.unit : "");
    }
    return w;
}

/* What the numbers of an enumeration mean: "  0 = off, 1 = on". */
static void print_items(hk_cli *cli, const hk_table_column *about) {
    for (size_t i = 0; i < about->item_count; i++)
        hk_put_clean(stdout,
                     hk_arena_printf(cli->arena, "%s%lld = %s", i ? ", " : "  ",
                                     (long long)about->item_values[i], about->item_names[i]));
}

static void print_column(hk_cli *cli, const hk_column_facts *c, const table_widths *w) {
    hk_arena *arena = cli->arena;
    bool numbers = !isnan(c->min.real) || c->nan;
    hk_put_clean(stdout, hk_arena_printf(arena, "%-*s %-*s %-*s ", w->name, c->about.name, w->type,
                                         table_type(arena, c), w->unit,
                                         c->about.unit ? c->about.unit : ""));
    printf("%-24s %s", numbers ? hk_show_exact(arena, &c->min) : "-",
           numbers ? hk_show_exact(arena, &c->max) : "-");
    if (c->nan)
        printf("  %s NaN", hk_show_count(arena, c->nan));
    if (c->texts && numbers)
        printf("  %s text%s", hk_show_count(arena, c->texts), hk_plural(c->texts));
    print_items(cli, &c->about);
    putchar('\n');
}

static hk_status info_table(hk_cli *cli, const char *path) {
    hk_table_facts facts;
    HK_TRY(hk_table_facts_read(cli->ctx, cli->arena, path, &facts));
    printf("%zu column%s, %llu row%s", facts.count, hk_plural(facts.count),
           (unsigned long long)facts.rows, hk_plural(facts.rows));
    if (facts.rows)
        printf(", from %s to %s s", hk_show_f64(cli->arena, facts.first),
               hk_show_f64(cli->arena, facts.last));
    putchar('\n');
    if (facts.ended)
        print_line(hk_arena_printf(cli->arena, "the run ended: %s", facts.ended));
    table_widths w = widths_of(cli, &facts);
    printf("\n%-*s %-*s %-*s %-24s %s\n", w.name, "column", w.type, "type", w.unit, "unit",
           "smallest", "largest");
    for (size_t i = 0; i < facts.count; i++)
        print_column(cli, &facts.columns[i], &w);
    return HK_OK;
}

static hk_status answer(hk_cli *cli, const hk_args *args, const char *path) {
    hk_info_filter filter = hk_info_read_filter(cli, args);
    hk_request request = hk_request_options(cli, args);
    hk_report report = hk_cli_report(cli);
    request.file = path;
    hk_status status = hk_info_report(&report, &request, &filter);
    hk_cli_reported(cli, &report);
    return status;
}

static hk_status run_info(hk_cli *cli, const hk_args *args) {
    const char *path = args->operands[0];
    hk_file_kind kind;
    if (cli->json)
        return answer(cli, args, path);
    if (hk_names_builtin(path))
        return hk_info_builtin(cli, args, path);
    if (hk_names_master(path))
        return hk_info_master(cli, path);
    HK_TRY(hk_file_classify(cli->ctx, path, &kind));
    if (kind == HK_FILE_FMU)
        return hk_info_fmu(cli, args, path);
    if (kind == HK_FILE_SIMULATION)
        return hk_info_simulation(cli, args, path);
    if (kind == HK_FILE_TYPES)
        return hk_info_types(cli, path);
    if (kind == HK_FILE_CHART)
        return hk_info_chart(cli, args, path);
    if (kind == HK_FILE_SCENE)
        return hk_info_scene(cli, path);
    return kind == HK_FILE_SYSTEM ? info_system(cli, args, path) : info_table(cli, path);
}

static const hk_option options[] = {
    {.name = "all", .group = "Variables", .help = "every variable, however many there are"},
    {.name = "causality",
     .argument = "KIND",
     .choices = "input output parameter calculatedParameter structuralParameter local independent",
     .group = "Variables",
     .help = "only variables of this causality: input, output, parameter ..."},
    {.name = "variable",
     .argument = "PATTERN",
     .repeatable = true,
     .group = "Variables",
     .help = "only variables whose name matches, with '*' and '?', in a system also with that of "
             "the component before it; may be repeated"},
    HK_SYSTEM_OPTION(HK_FOR_ALL, "Simulations",
                     "the system of the simulation, instead of the one beside the file"),
    HK_DEFINE_OPTION(HK_FOR_ALL, "Simulations",
                     "give a parameter of the simulation another value; may be repeated"),
};

const hk_verb hk_verb_info = {
    .name = "info",
    .summary = "show what is in a file",
    .operands = "FILE",
    .files = "fmu ssp ssd xml system types simulation master rct scene " HK_TABLE_EXTENSIONS,
    .description =
        "An FMU (.fmu) of FMI 1.0, 2.0 or 3.0: facts, abilities, whether it runs here, default "
        "experiment, clocks, terminals, and of its variables a screen full: inputs and outputs "
        "before parameters before others. Of an FMU that is damaged what can be read is shown, "
        "with the fault. A system (.ssp, .ssd, .xml of OSP, .system): components, "
        "connectors, connections, values, experiment, and with --all, --variable or --causality "
        "the variables of its components. Types (.types), a simulation (.simulation): what they "
        "declare. "
        "A master in words (.master): its scenario. A RoboChart module (.rct): controllers, "
        "machines with their states and events, what the platform sends, receives and provides, "
        "constants. A scene (.scene): its things, and the signals that they follow. A record "
        "(.csv, .mat, .h5): columns, rows, "
        "ranges, items of enumerations, and how its run ended. The "
        "name of a built-in component (hk.Gain): its "
        "ports; 'hk' lists all.",
    .options = {options, sizeof options / sizeof *options},
    .run = run_info,
};

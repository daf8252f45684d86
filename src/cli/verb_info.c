/* SPDX-License-Identifier: MIT
 *
 * `hocket info`: what is in a file. */
#include "cli/info_builtin.h"
#include "cli/info_lang.h"
#include "cli/info_master.h"
#include "cli/info_view.h"
#include "format/csv.h"

#include <math.h>

static void print_connections(hk_cli *cli, const hk_model *model) {
    hk_info_heading(cli, hk_arena_printf(cli->arena, "%zu connections", model->connection_count));
    for (size_t i = 0; i < model->connection_count; i++) {
        const hk_connection *c = &model->connections[i];
        printf("%s", hk_connection_name(model, c));
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

/* The values that the system file gives to variables. */
static void print_settings(hk_cli *cli, const hk_model *model) {
    size_t count = 0;
    for (size_t i = 0; i < model->component_count; i++)
        count += model->components[i].setting_count;
    if (!count)
        return;
    hk_info_heading(cli,
                    hk_arena_printf(cli->arena, "%zu value%s set", count, count == 1 ? "" : "s"));
    for (size_t i = 0; i < model->component_count; i++) {
        const hk_component *c = &model->components[i];
        for (size_t k = 0; k < c->setting_count; k++) {
            const hk_setting *s = &c->settings[k];
            const hk_variable *v = &c->info->variables[s->variable];
            printf("%s.%s = %s%s%s%s\n", c->name, v->name,
                   hk_value_format(cli->arena, v->type, hk_store_of(v->type), s->value.data),
                   s->value.count > 1 ? " ..." : "", v->unit ? " " : "", v->unit ? v->unit : "");
        }
    }
}

static void print_system(hk_cli *cli, const hk_args *args, const hk_model *model) {
    const hk_experiment *e = &model->experiment;
    printf("%s%s%s\n", hk_style_on(cli->color_out, HK_BOLD), model->name,
           hk_style_off(cli->color_out));
    hk_info_fact("description", model->description);
    if (e->start_source > HK_FROM_DEFAULT)
        hk_info_fact("start time", hk_info_ratio(cli, e->start));
    if (e->has_stop)
        hk_info_fact("stop time", hk_info_ratio(cli, e->stop));
    if (e->has_step)
        hk_info_fact("step size", hk_info_ratio(cli, e->step));
    hk_info_heading(cli, hk_arena_printf(cli->arena, "%zu components", model->component_count));
    for (size_t i = 0; i < model->component_count; i++) {
        const hk_component *c = &model->components[i];
        size_t inputs = 0, outputs = 0;
        for (size_t v = 0; v < c->info->variable_count; v++) {
            inputs += c->info->variables[v].causality == HK_INPUT;
            outputs += c->info->variables[v].causality == HK_OUTPUT;
        }
        printf("%-20s %-22s %zu input%s, %zu output%s%s%s%s\n", c->name,
               c->info->kind ? c->info->kind : "", inputs, inputs == 1 ? "" : "s", outputs,
               outputs == 1 ? "" : "s", c->has_period ? ", period " : "",
               c->has_period ? hk_info_ratio(cli, c->period) : "", c->has_period ? " s" : "");
    }
    print_connections(cli, model);
    hk_info_services(cli, model);
    print_settings(cli, model);
    if (!hk_args_has(args, "causality") && !hk_args_has(args, "variable"))
        return;
    for (size_t i = 0; i < model->component_count; i++) {
        hk_info_heading(cli, model->components[i].name);
        hk_info_print_variables(cli, args, model->components[i].info);
    }
}

static void put_system(hk_cli *cli, const hk_args *args, const char *path, const hk_model *model) {
    const hk_experiment *e = &model->experiment;
    hk_json json;
    hk_answer_begin(cli, &json, "info");
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
    hk_json_array(&json, "components");
    for (size_t i = 0; i < model->component_count; i++) {
        const hk_component *c = &model->components[i];
        hk_json_object(&json, NULL);
        hk_json_string(&json, "name", c->name);
        hk_json_string(&json, "kind", c->info->kind);
        hk_json_string(&json, "type", c->info->name);
        if (c->has_period)
            hk_json_f64(&json, "period", hk_ratio_to_double(c->period));
        hk_info_put_variables(cli, &json, args, c->info);
        hk_json_end(&json);
    }
    hk_json_end(&json);
    hk_json_array(&json, "connections");
    for (size_t i = 0; i < model->connection_count; i++)
        hk_json_string(&json, NULL, hk_connection_name(model, &model->connections[i]));
    hk_json_end(&json);
    hk_answer_end(&json);
}

static hk_status info_system(hk_cli *cli, const hk_args *args, const char *path) {
    hk_model *model;
    HK_TRY(hk_model_open(cli->ctx, path, &model));
    if (cli->json)
        put_system(cli, args, path, model);
    else
        print_system(cli, args, model);
    hk_model_destroy(model);
    return HK_OK;
}

/* Smallest and largest finite value of a column. */
static void range_of(const hk_table *table, size_t column, double *ret_min, double *ret_max) {
    double min = (double)NAN, max = (double)NAN;
    for (size_t i = 0; i < table->rows; i++) {
        double x = table->values[column][i];
        min = isnan(min) || x < min ? x : min;
        max = isnan(max) || x > max ? x : max;
    }
    *ret_min = min;
    *ret_max = max;
}

static hk_status info_table(hk_cli *cli, const char *path) {
    const hk_table *table;
    HK_TRY(hk_csv_read(cli->ctx, cli->arena, path, &table));
    hk_json json;
    if (cli->json) {
        hk_answer_begin(cli, &json, "info");
        hk_json_string(&json, "kind", "table");
        hk_json_string(&json, "file", path);
        hk_json_i64(&json, "rows", (int64_t)table->rows);
        hk_json_array(&json, "columns");
    } else {
        printf("%zu columns, %zu rows\n\n%-32s %-24s %s\n", table->columns, table->rows, "column",
               "smallest", "largest");
    }
    for (size_t i = 0; i < table->columns; i++) {
        double min, max;
        range_of(table, i, &min, &max);
        if (cli->json) {
            hk_json_object(&json, NULL);
            hk_json_string(&json, "name", table->names[i]);
            hk_json_f64(&json, "min", min);
            hk_json_f64(&json, "max", max);
            hk_json_end(&json);
        } else {
            printf("%-32s %-24s %s\n", table->names[i], hk_show_f64(cli->arena, min),
                   hk_show_f64(cli->arena, max));
        }
    }
    if (cli->json) {
        hk_json_end(&json);
        hk_answer_end(&json);
    }
    return HK_OK;
}

static hk_status run_info(hk_cli *cli, const hk_args *args) {
    const char *path = args->operands[0];
    hk_file_kind kind;
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
     .help = "only variables whose name matches, with '*' and '?'; may be repeated"},
    {.name = "system",
     .argument = "FILE",
     .files = "system ssp ssd xml fmu",
     .group = "Simulations",
     .help = "the system of the simulation, instead of the one beside the file"},
    {.name = "define",
     .letter = 'D',
     .argument = "NAME=VALUE",
     .repeatable = true,
     .group = "Simulations",
     .help = "give a parameter of the simulation another value; may be repeated"},
};

const hk_verb hk_verb_info = {
    .name = "info",
    .summary = "show what is in a file",
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .files = "fmu ssp ssd xml csv master",
    .description =
        "An FMU (.fmu) of FMI 1.0, 2.0 or 3.0: facts, abilities, whether it runs here, default "
        "experiment, clocks, terminals, and of its variables a screen full: inputs and outputs "
        "before parameters before others. Of an FMU that is damaged what can be read is shown, "
        "with the fault. A system (.ssp, .ssd, .xml of OSP, .system): components, "
        "connections, experiment. Types (.types), a simulation (.simulation): what they declare. "
        "A master in words (.master): its scenario. A record (.csv): columns, rows, ranges. The "
        "name of a built-in component (hk.Gain): its "
        "ports; 'hk' lists all.",
    .options = {options, sizeof options / sizeof *options},
    .run = run_info,
};

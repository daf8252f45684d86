/* SPDX-License-Identifier: MIT
 *
 * `hocket info`: what is in a file. */
#include "cli/load.h"
#include "format/csv.h"
#include "record/select.h"

#include <math.h>
#include <string.h>

static void heading(const hk_cli *cli, const char *text) {
    printf("\n%s%s%s\n", hk_style_on(cli->color_out, HK_BOLD), text, hk_style_off(cli->color_out));
}

static void fact(const char *name, const char *value) {
    if (!value || !*value)
        return;
    printf("%-16s ", name);
    hk_put_clean(stdout, value);
    putchar('\n');
}

static const char *ratio_text(hk_cli *cli, hk_ratio r) {
    char text[48];
    return hk_arena_strdup(cli->arena, hk_ratio_format(r, text));
}

/* The variables that --causality and --variable leave. */
static bool is_wanted(const hk_args *args, const hk_variable *v) {
    const char *causality = hk_args_value(args, "causality");
    if (causality && strcmp(causality, hk_causality_name(v->causality)) != 0)
        return false;
    const char *pattern = hk_args_nth(args, "variable", 0);
    if (!pattern)
        return true;
    for (size_t i = 0; (pattern = hk_args_nth(args, "variable", i)); i++)
        if (hk_glob_match(pattern, v->name))
            return true;
    return false;
}

static const char *start_text(hk_cli *cli, const hk_variable *v) {
    if (!v->start.data)
        return NULL;
    return hk_value_format(cli->arena, v->type, hk_store_of(v->type), v->start.data);
}

static const char *abilities_text(hk_cli *cli, const hk_abilities *can) {
    const struct {
        bool is;
        const char *text;
    } all[] = {{can->variable_step, "variable step"},
               {can->save_state, "saves its state"},
               {can->serialize_state, "saves its state to a file"},
               {can->interpolates_inputs, "takes input derivatives"},
               {can->directional_derivatives, "directional derivatives"},
               {can->once_per_process, "one instance per process"},
               {can->needs_tool, "needs its tool installed"}};
    const char *text = NULL;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].is)
            text = text ? hk_arena_printf(cli->arena, "%s, %s", text, all[i].text) : all[i].text;
    return text ? text : "nothing optional";
}

/* The width of a column that has room for TEXT, within reason. */
static int wider(int width, const char *text) {
    int length = (int)strlen(text), limit = 40;
    return length > limit ? limit : length > width ? length : width;
}

enum { VARIABLE_CELLS = 7 };

/* One row of the table of variables; an empty cell is NULL. No spaces are left at its end. */
static void print_row(hk_cli *cli, const int *widths, const char *const *cells) {
    char *line = hk_arena_strdup(cli->arena, "");
    for (size_t i = 0; i < VARIABLE_CELLS; i++)
        line = hk_arena_printf(cli->arena, "%s%s%-*s", line, i ? "  " : "", widths[i],
                               cells[i] ? cells[i] : "");
    size_t length = strlen(line);
    while (length && line[length - 1] == ' ')
        line[--length] = '\0';
    hk_put_clean(stdout, line);
    putchar('\n');
}

static void print_variables(hk_cli *cli, const hk_args *args, const hk_info *info) {
    int widths[] = {4, 9, 4, 11, 4, 10, 0};
    size_t shown = 0;
    for (size_t i = 0; i < info->variable_count; i++) {
        const hk_variable *v = &info->variables[i];
        if (is_wanted(args, v)) {
            shown++;
            widths[0] = wider(widths[0], v->name);
            widths[1] = wider(widths[1], hk_causality_name(v->causality));
            widths[2] = wider(widths[2], hk_type_name(v->type));
            widths[4] = wider(widths[4], v->unit ? v->unit : "");
        }
    }
    heading(cli, hk_arena_printf(cli->arena, "%zu of %zu variables", shown, info->variable_count));
    if (!shown)
        return;
    print_row(cli, widths,
              (const char *const[]){"name", "causality", "type", "variability", "unit", "start",
                                    "description"});
    for (size_t i = 0; i < info->variable_count; i++) {
        const hk_variable *v = &info->variables[i];
        if (!is_wanted(args, v))
            continue;
        const char *name = v->count > 1 || v->dim_count
                               ? hk_arena_printf(cli->arena, "%s[%zu]", v->name, v->count)
                               : v->name;
        print_row(cli, widths,
                  (const char *const[]){name, hk_causality_name(v->causality),
                                        hk_type_name(v->type), hk_variability_name(v->variability),
                                        v->unit, start_text(cli, v), v->description});
    }
}

static void put_optional(hk_json *json, const char *key, double value) {
    if (!isnan(value))
        hk_json_f64(json, key, value);
}

static void put_variables(hk_cli *cli, hk_json *json, const hk_args *args, const hk_info *info) {
    hk_json_array(json, "variables");
    for (size_t i = 0; i < info->variable_count; i++) {
        const hk_variable *v = &info->variables[i];
        if (!is_wanted(args, v))
            continue;
        hk_json_object(json, NULL);
        hk_json_string(json, "name", v->name);
        hk_json_i64(json, "reference", v->ref);
        hk_json_string(json, "type", hk_type_name(v->type));
        hk_json_string(json, "causality", hk_causality_name(v->causality));
        hk_json_string(json, "variability", hk_variability_name(v->variability));
        hk_json_i64(json, "count", (int64_t)v->count);
        if (v->unit)
            hk_json_string(json, "unit", v->unit);
        if (v->start.data)
            hk_json_string(json, "start", start_text(cli, v));
        put_optional(json, "min", v->min);
        put_optional(json, "max", v->max);
        put_optional(json, "nominal", v->nominal);
        if (v->description)
            hk_json_string(json, "description", v->description);
        hk_json_end(json);
    }
    hk_json_end(json);
}

static const char *platforms_text(hk_cli *cli, const hk_fmu_facts *facts) {
    enum { SHOWN_MAX = 32 }; /* an archive may hold a hundred thousand folders */
    const char *text = "";
    for (size_t i = 0; i < facts->platform_count && i < SHOWN_MAX; i++)
        text = hk_arena_printf(cli->arena, "%s%s%s", text, i ? ", " : "", facts->platforms[i]);
    if (facts->platform_count > SHOWN_MAX)
        text = hk_arena_printf(cli->arena, "%s, ...", text);
    if (facts->has_sources)
        text = hk_arena_printf(cli->arena, "%s%ssources", text, *text ? ", " : "");
    return text;
}

static const char *interfaces_text(const hk_fmu_facts *facts) {
    return facts->co_simulation && facts->model_exchange ? "co-simulation, model exchange"
           : facts->co_simulation                        ? "co-simulation"
                                                         : "model exchange";
}

static void print_defaults(hk_cli *cli, const hk_defaults *d) {
    if (d->has_start)
        fact("start time", ratio_text(cli, d->start));
    if (d->has_stop)
        fact("stop time", ratio_text(cli, d->stop));
    if (d->has_step)
        fact("step size", ratio_text(cli, d->step));
    if (d->has_tolerance)
        fact("tolerance", hk_show_f64(cli->arena, d->tolerance));
}

static void print_fmu(hk_cli *cli, const hk_args *args, const hk_fmu *fmu) {
    const hk_info *info = hk_fmu_info(fmu);
    const hk_fmu_facts *facts = hk_fmu_get_facts(fmu);
    printf("%s%s%s\n", hk_style_on(cli->color_out, HK_BOLD), info->name,
           hk_style_off(cli->color_out));
    fact("description", info->description);
    fact("FMI version", facts->fmi_version);
    fact("interfaces", interfaces_text(facts));
    fact("identifier", facts->model_identifier);
    fact("model version", facts->model_version);
    fact("author", facts->author);
    fact("copyright", facts->copyright);
    fact("license", facts->license);
    fact("made by", facts->generation_tool);
    fact("made on", facts->generation_date);
    fact("platforms", platforms_text(cli, facts));
    fact("guid", facts->guid);
    fact("abilities", abilities_text(cli, &info->can));
    print_defaults(cli, &info->defaults);
    print_variables(cli, args, info);
}

static void put_defaults(hk_json *json, const hk_defaults *d) {
    hk_json_object(json, "default_experiment");
    if (d->has_start)
        hk_json_f64(json, "start_time", hk_ratio_to_double(d->start));
    if (d->has_stop)
        hk_json_f64(json, "stop_time", hk_ratio_to_double(d->stop));
    if (d->has_step)
        hk_json_f64(json, "step_size", hk_ratio_to_double(d->step));
    if (d->has_tolerance)
        hk_json_f64(json, "tolerance", d->tolerance);
    hk_json_end(json);
}

static void put_fmu(hk_cli *cli, const hk_args *args, const char *path, const hk_fmu *fmu) {
    const hk_info *info = hk_fmu_info(fmu);
    const hk_fmu_facts *facts = hk_fmu_get_facts(fmu);
    hk_json json;
    hk_answer_begin(cli, &json, "info");
    hk_json_string(&json, "kind", "fmu");
    hk_json_string(&json, "file", path);
    hk_json_string(&json, "name", info->name);
    hk_json_string(&json, "description", info->description);
    hk_json_string(&json, "fmi_version", facts->fmi_version);
    hk_json_bool(&json, "co_simulation", facts->co_simulation);
    hk_json_bool(&json, "model_exchange", facts->model_exchange);
    hk_json_string(&json, "model_identifier", facts->model_identifier);
    hk_json_string(&json, "guid", facts->guid);
    hk_json_string(&json, "generation_tool", facts->generation_tool);
    hk_json_array(&json, "platforms");
    for (size_t i = 0; i < facts->platform_count; i++)
        hk_json_string(&json, NULL, facts->platforms[i]);
    hk_json_end(&json);
    hk_json_object(&json, "abilities");
    hk_json_bool(&json, "variable_step", info->can.variable_step);
    hk_json_bool(&json, "save_state", info->can.save_state);
    hk_json_bool(&json, "serialize_state", info->can.serialize_state);
    hk_json_bool(&json, "once_per_process", info->can.once_per_process);
    hk_json_bool(&json, "needs_tool", info->can.needs_tool);
    hk_json_end(&json);
    put_defaults(&json, &info->defaults);
    put_variables(cli, &json, args, info);
    hk_answer_end(&json);
}

static hk_status info_fmu(hk_cli *cli, const hk_args *args, const char *path) {
    hk_fmu *fmu;
    HK_TRY(hk_fmu_open(cli->ctx, path, &fmu));
    if (cli->json)
        put_fmu(cli, args, path, fmu);
    else
        print_fmu(cli, args, fmu);
    hk_fmu_close(fmu);
    return HK_OK;
}

static void print_connections(hk_cli *cli, const hk_model *model) {
    heading(cli, hk_arena_printf(cli->arena, "%zu connections", model->connection_count));
    for (size_t i = 0; i < model->connection_count; i++) {
        const hk_connection *c = &model->connections[i];
        printf("%s", hk_connection_name(model, c));
        if (c->transform.kind == HK_TRANSFORM_LINEAR)
            printf("  factor %s offset %s", hk_show_f64(cli->arena, c->transform.factor),
                   hk_show_f64(cli->arena, c->transform.offset));
        else if (c->transform.kind == HK_TRANSFORM_MAP)
            printf("  mapped");
        if (c->delay.num)
            printf("  delay %s s", ratio_text(cli, c->delay));
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
    heading(cli, hk_arena_printf(cli->arena, "%zu value%s set", count, count == 1 ? "" : "s"));
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
    if (e->start_source > HK_FROM_DEFAULT)
        fact("start time", ratio_text(cli, e->start));
    if (e->has_stop)
        fact("stop time", ratio_text(cli, e->stop));
    if (e->has_step)
        fact("step size", ratio_text(cli, e->step));
    heading(cli, hk_arena_printf(cli->arena, "%zu components", model->component_count));
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
               c->has_period ? ratio_text(cli, c->period) : "", c->has_period ? " s" : "");
    }
    print_connections(cli, model);
    print_settings(cli, model);
    if (!hk_args_has(args, "causality") && !hk_args_has(args, "variable"))
        return;
    for (size_t i = 0; i < model->component_count; i++) {
        heading(cli, model->components[i].name);
        print_variables(cli, args, model->components[i].info);
    }
}

static void put_system(hk_cli *cli, const hk_args *args, const char *path, const hk_model *model) {
    const hk_experiment *e = &model->experiment;
    hk_json json;
    hk_answer_begin(cli, &json, "info");
    hk_json_string(&json, "kind", "system");
    hk_json_string(&json, "file", path);
    hk_json_string(&json, "name", model->name);
    hk_defaults d = {.has_start = e->start_source > HK_FROM_DEFAULT,
                     .has_stop = e->has_stop,
                     .has_step = e->has_step,
                     .has_tolerance = e->has_tolerance,
                     .start = e->start,
                     .stop = e->stop,
                     .step = e->step,
                     .tolerance = e->tolerance};
    put_defaults(&json, &d);
    hk_json_array(&json, "components");
    for (size_t i = 0; i < model->component_count; i++) {
        const hk_component *c = &model->components[i];
        hk_json_object(&json, NULL);
        hk_json_string(&json, "name", c->name);
        hk_json_string(&json, "kind", c->info->kind);
        hk_json_string(&json, "type", c->info->name);
        if (c->has_period)
            hk_json_f64(&json, "period", hk_ratio_to_double(c->period));
        put_variables(cli, &json, args, c->info);
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
    HK_TRY(hk_load_model(cli, path, &model));
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
    HK_TRY(hk_file_kind_of(cli, path, &kind));
    if (kind == HK_FILE_FMU)
        return info_fmu(cli, args, path);
    return kind == HK_FILE_SYSTEM ? info_system(cli, args, path) : info_table(cli, path);
}

static const hk_option options[] = {
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
};

const hk_verb hk_verb_info = {
    .name = "info",
    .summary = "show what is in a file",
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .files = "fmu ssp ssd csv",
    .description =
        "An FMU (.fmu): facts, abilities, default experiment, variables. A system (.ssp, "
        ".ssd): components, connections, experiment. A record (.csv): columns, rows, "
        "ranges.",
    .options = {options, sizeof options / sizeof *options},
    .run = run_info,
};

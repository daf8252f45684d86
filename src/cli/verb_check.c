/* SPDX-License-Identifier: MIT
 *
 * `hocket check`: everything that can be said about a file without running it. */
#include "check/check.h"
#include "cli/check_fmu.h"
#include "cli/info_master.h"
#include "cli/request.h"
#include "format/table_read.h"
#include "lang/types/types.h"
#include "plan/ages.h"
#include "plan/overrun.h"
#include "play/play.h"
#include "sound/sound.h"

#include <string.h>

/* What was counted in a file. */
typedef struct found {
    hk_file_kind kind;
    size_t components, connections, columns, rows, scenarios, runs, types, interfaces;
    bool is_fmu;
    hk_verdicts verdicts; /* of an FMU */
} found;

static hk_status check_table(hk_cli *cli, const char *path, found *ret_found) {
    ret_found->kind = HK_FILE_TABLE;
    return hk_table_check(cli->ctx, path, &ret_found->columns, &ret_found->rows);
}

static hk_status check_types(hk_cli *cli, const char *path, found *ret_found) {
    hk_types *types = hk_types_create();
    hk_status status = hk_types_read(cli->ctx, types, path, HK_NOWHERE);
    if (status == HK_OK)
        *ret_found = (found){.kind = HK_FILE_TYPES,
                             .types = hk_types_type_count(types),
                             .interfaces = hk_types_interface_count(types),
                             .components = hk_types_leaf_count(types)};
    hk_types_destroy(types);
    return status;
}

/* The plan, and what can be said of it. */
static hk_status check_plan(hk_cli *cli, hk_assembly *made) {
    HK_TRY(hk_assembly_plan(cli->ctx, made, true));
    hk_plan_warn_load(cli->ctx, made->plan);
    hk_status status = hk_plan_check_constraints(cli->ctx, made->plan);
    hk_status overruns = hk_plan_check_overruns(cli->ctx, made->plan);
    status = status == HK_OK ? overruns : status;
    return status == HK_OK ? hk_sound_check_plan(cli->ctx, made->plan, NULL) : status;
}

/* A system that needs a scenario to run. */
static void note_unbound(hk_cli *cli, const hk_model *model) {
    for (size_t i = 0; i < model->requirement_count; i++) {
        const hk_requirement *r = &model->requirements[i];
        const hk_component *c = &model->components[r->component];
        if (r->candidate_count > 1 && r->bound == HK_MAP_NONE)
            hk_note(cli->ctx, r->where, "a scenario must bind '%s.%s' to one of its providers: %s",
                    c->name, c->info->services[r->service].name,
                    hk_requirement_providers(cli->arena, model, r));
    }
}

static hk_status check_assembly(hk_cli *cli, const hk_args *args, hk_assembly *made) {
    HK_TRY(hk_assembly_complete(cli->ctx, made));
    hk_play_options options = {.only_run = -1, .strict = hk_args_has(args, "strict")};
    hk_status status =
        made->simulation ? hk_play_check(cli->ctx, made->simulation, &options) : HK_OK;
    hk_status planned = check_plan(cli, made);
    status = status == HK_OK ? planned : status;
    if (status == HK_OK && !made->simulation)
        note_unbound(cli, made->model);
    return status;
}

static found counted(const hk_assembly *made) {
    const hk_simulation *s = made->simulation;
    found f = {.kind = s ? HK_FILE_SIMULATION : HK_FILE_SYSTEM,
               .components = made->model->component_count,
               .connections = made->model->connection_count,
               .scenarios = s ? s->scenario_count : 0};
    for (size_t i = 0; i < f.scenarios; i++)
        f.runs += (size_t)s->scenarios[i].repetitions;
    return f;
}

/* A system or a simulation, up to where it could run. */
static hk_status check_model(hk_cli *cli, const hk_args *args, const char *path, found *ret_found) {
    hk_request request;
    hk_assembly made = {0};
    HK_TRY(hk_request_read(cli, args, path, &request));
    hk_status status = hk_assembly_open(cli->ctx, &request, &made);
    if (status == HK_OK)
        status = check_assembly(cli, args, &made);
    if (status == HK_OK)
        *ret_found = counted(&made);
    hk_assembly_close(&made);
    return status;
}

static size_t count_of(const hk_ctx *ctx, hk_severity severity) {
    size_t above = severity == HK_ERROR ? 0 : hk_ctx_count(ctx, HK_ERROR);
    return hk_ctx_count(ctx, severity) - above;
}

static const char *plural(size_t count) {
    return count == 1 ? "" : "s";
}

static void print_found(const hk_cli *cli, const char *path, bool name_it, const found *f) {
    if (name_it)
        printf("%s: ", path);
    printf("%sok:%s ", hk_style_on(cli->color_out, HK_GREEN), hk_style_off(cli->color_out));
    if (f->kind == HK_FILE_TABLE)
        printf("%zu column%s, %zu row%s\n", f->columns, plural(f->columns), f->rows,
               plural(f->rows));
    else if (f->kind == HK_FILE_TYPES)
        printf("%zu data type%s, %zu interface%s, %zu component type%s\n", f->types,
               plural(f->types), f->interfaces, plural(f->interfaces), f->components,
               plural(f->components));
    else
        printf("%zu component%s, %zu connection%s", f->components, plural(f->components),
               f->connections, plural(f->connections));
    if (f->kind == HK_FILE_SIMULATION)
        printf(", %zu scenario%s, %zu run%s", f->scenarios, plural(f->scenarios), f->runs,
               plural(f->runs));
    if (f->kind == HK_FILE_SIMULATION || f->kind == HK_FILE_SYSTEM)
        putchar('\n');
}

static void put_file_json(hk_cli *cli, hk_json *json, const char *path, hk_status status,
                          const found *f) {
    hk_json_object(json, NULL);
    hk_json_string(json, "file", path);
    hk_json_bool(json, "ok", status == HK_OK);
    if (status != HK_OK)
        hk_json_string(json, "status", hk_arena_printf(cli->arena, "HK%04d", (int)status));
    if (f->is_fmu)
        hk_verdicts_put(json, &f->verdicts);
    bool table = f->kind == HK_FILE_TABLE, types = f->kind == HK_FILE_TYPES;
    bool system = f->kind == HK_FILE_SYSTEM || f->kind == HK_FILE_SIMULATION;
    const struct {
        const char *key;
        size_t count;
        bool has;
    } counts[] = {{"columns", f->columns, table},
                  {"rows", f->rows, table},
                  {"data_types", f->types, types},
                  {"interfaces", f->interfaces, types},
                  {"component_types", f->components, types},
                  {"components", f->components, system},
                  {"connections", f->connections, system},
                  {"scenarios", f->scenarios, f->kind == HK_FILE_SIMULATION},
                  {"runs", f->runs, f->kind == HK_FILE_SIMULATION}};
    for (size_t i = 0; status == HK_OK && i < sizeof counts / sizeof *counts; i++)
        if (counts[i].has)
            hk_json_i64(json, counts[i].key, (int64_t)counts[i].count);
    hk_json_end(json);
}

/* Whether an FMU would run. */
static hk_status check_run(hk_cli *cli, const hk_args *args, const char *path) {
    found model;
    return check_model(cli, args, path, &model);
}

static hk_status check_file(hk_cli *cli, const hk_args *args, const char *path, found *ret_found) {
    hk_file_kind kind;
    if (hk_names_master(path)) {
        ret_found->kind = HK_FILE_SYSTEM; /* its instances are counted like components */
        return hk_check_master(cli, path, &ret_found->components, &ret_found->connections);
    }
    HK_TRY(hk_file_classify(cli->ctx, path, &kind));
    switch (kind) {
    case HK_FILE_TABLE:
        return check_table(cli, path, ret_found);
    case HK_FILE_TYPES:
        return check_types(cli, path, ret_found);
    case HK_FILE_FMU:
        ret_found->is_fmu = true;
        return hk_check_fmu_twice(cli, args, path, check_run, &ret_found->verdicts);
    case HK_FILE_SIMULATION:
    case HK_FILE_SYSTEM:
        break;
    }
    return check_model(cli, args, path, ret_found);
}

static hk_status run_check(hk_cli *cli, const hk_args *args) {
    cli->findings_on_stdout = true;
    hk_take_build(args, 0);
    hk_json json;
    if (cli->json) {
        hk_answer_begin(cli, &json, "check");
        hk_json_array(&json, "files");
    }
    hk_status worst = HK_OK;
    size_t hidden_errors = 0, hidden_warnings = 0;
    bool fmu = false; /* its verdicts say it all */
    for (size_t i = 0; i < args->operand_count; i++) {
        const char *path = args->operands[i];
        found f = {0};
        hk_status status = check_file(cli, args, path, &f);
        fmu = f.is_fmu;
        hidden_errors += f.verdicts.hidden_errors;
        hidden_warnings += f.verdicts.hidden_warnings;
        if (cli->json)
            put_file_json(cli, &json, path, status, &f);
        else if (f.is_fmu)
            hk_verdicts_print(cli, args->operand_count > 1 ? path : NULL, &f.verdicts);
        else if (status == HK_OK)
            print_found(cli, path, args->operand_count > 1, &f);
        if (worst == HK_OK)
            worst = status;
    }
    if (cli->json) {
        hk_json_end(&json);
        hk_json_array(&json, "findings");
        for (size_t i = 0; i < hk_ctx_count(cli->ctx, HK_NOTE); i++)
            hk_report_json(&json, NULL, hk_ctx_diag(cli->ctx, i));
        hk_json_end(&json);
        hk_answer_end(&json);
    } else if (worst != HK_OK && !(args->operand_count == 1 && fmu)) {
        size_t errors = count_of(cli->ctx, HK_ERROR) + hidden_errors;
        size_t warnings = count_of(cli->ctx, HK_WARNING) + hidden_warnings;
        printf("%zu error%s, %zu warning%s\n", errors, plural(errors), warnings, plural(warnings));
    }
    return worst;
}

static const hk_option options[] = {
    {.name = "level",
     .argument = "LEVEL",
     .choices = "rules run",
     .group = "FMUs",
     .help = "what decides the exit status for an FMU: 'rules', that it keeps the rules of FMI "
             "(default), or 'run', that it runs here"},
    HK_BUILD_OPTION("FMUs"),
    {.name = "start-time",
     .argument = "TIME",
     .aliases = "startTime",
     .group = "Time",
     .help = "check for this start time"},
    {.name = "stop-time",
     .argument = "TIME",
     .aliases = "stopTime",
     .group = "Time",
     .help = "check for this stop time"},
    {.name = "step-size",
     .argument = "TIME",
     .aliases = "stepSize",
     .group = "Time",
     .help = "check for this step"},
    {.name = "algorithm",
     .argument = "NAME",
     .choices = "jacobi gauss-seidel",
     .group = "Time",
     .help = "check for this algorithm: 'jacobi' or 'gauss-seidel'"},
    {.name = "schedule",
     .argument = "FILE",
     .files = "",
     .group = "Time",
     .help = "check with the processors, lags and constraints that stand in FILE"},
    {.name = "parameter-set",
     .argument = "NAME",
     .aliases = "parameterSet",
     .group = "Time",
     .help = "of an SSP: apply only the parameter sets that it binds under this name, or a file of "
             "that name in its resources on top of all"},
    {.name = "set",
     .argument = "NAME=VALUE",
     .repeatable = true,
     .group = "Values",
     .help = "check with this start value of a parameter or input; may be repeated"},
    {.name = "set-file",
     .argument = "FILE",
     .repeatable = true,
     .files = "ssv csv json",
     .group = "Values",
     .help = "check with the start values of a file (.ssv, .csv or .json); may be repeated"},
    {.name = "input-file",
     .argument = "FILE.csv",
     .repeatable = true,
     .files = "csv",
     .group = "Values",
     .help = "check with the inputs driven by the columns of a table; may be repeated"},
    {.name = "system",
     .argument = "FILE",
     .files = "system ssp ssd xml fmu",
     .group = "Simulations",
     .help = "check the simulation on this system instead of the one beside the file"},
    {.name = "define",
     .letter = 'D',
     .argument = "NAME=VALUE",
     .repeatable = true,
     .group = "Simulations",
     .help = "give a parameter of the simulation another value; may be repeated"},
    {.name = "strict",
     .group = "Simulations",
     .help = "events that never fire, or not when they say, are errors"},
};

const hk_verb hk_verb_check = {
    .name = "check",
    .summary = "find what is wrong before a run",
    .operands = "FILE...",
    .operands_min = 1,
    .operands_max = SIZE_MAX,
    .files = "fmu ssp ssd xml system simulation types csv",
    .description =
        "Reads each FILE (.fmu, .ssp, .ssd, .xml, .system, .simulation, .types, .csv), checks "
        "wiring, types, units, "
        "parameters, times and cycles, plans the run and checks the constraints on "
        "ages. Findings are the answer and go to standard output; the exit status is "
        "not 0 if one of them is an error.\n\n"
        "An FMU is held to every rule of FMI 1.0, 2.0 and 3.0 that can be seen without "
        "running it: archive, description, other XML files, libraries. Each finding "
        "names its rule and the section of the standard; docs/fmi-rules.md lists them. Two "
        "verdicts follow: whether it runs here, and whether it keeps the rules. Many FMUs "
        "run that break one. --level says which verdict decides the exit status; what "
        "does not decide is told as a warning.",
    .options = {options, sizeof options / sizeof *options},
    .run = run_check,
};

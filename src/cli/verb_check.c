/* SPDX-License-Identifier: MIT
 *
 * `hocket check`: everything that can be said about a file without running it. */
#include "check/check.h"
#include "check/fmu_rules.h"
#include "cli/info_master.h"
#include "cli/request.h"
#include "fmi/fmi.h"
#include "format/csv.h"
#include "lang/types.h"
#include "plan/ages.h"
#include "plan/overrun.h"
#include "play/play.h"
#include "sound/sound.h"

#include <string.h>

/* What was counted in a file. */
typedef struct found {
    hk_file_kind kind;
    size_t components, connections, columns, rows, scenarios, runs, types, interfaces;
    size_t errors, warnings; /* of an FMU: all of them */
    size_t hidden_errors, hidden_warnings;
} found;

static hk_status check_table(hk_cli *cli, const char *path, found *ret_found) {
    ret_found->kind = HK_FILE_TABLE;
    return hk_csv_check(cli->ctx, path, &ret_found->columns, &ret_found->rows);
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

/* Was the place of DIAG told already, as the place of a broken rule? */
static bool is_told(const hk_ctx *ctx, const hk_diag *diag) {
    for (size_t i = 0; i < hk_ctx_count(ctx, HK_NOTE) && diag->where.file; i++) {
        const hk_diag *other = hk_ctx_diag(ctx, i);
        if (other->code == HK_E_FMI_RULE && other->where.line == diag->where.line &&
            other->where.file && strcmp(other->where.file, diag->where.file) == 0 &&
            (diag->where.line > 0 || diag->code == HK_E_FMI_DESCRIPTION))
            return true;
    }
    return false;
}

static size_t count_of(const hk_ctx *ctx, hk_severity severity) {
    size_t above = severity == HK_ERROR ? 0 : hk_ctx_count(ctx, HK_ERROR);
    return hk_ctx_count(ctx, severity) - above;
}

/* True also if that cannot be found out: then it is told as any other mistake is. */
static bool is_for_co_simulation(const char *path) {
    hk_ctx *silent = hk_ctx_create(NULL, NULL);
    hk_fmu *fmu = NULL;
    bool is = hk_fmu_open(silent, path, &fmu) != HK_OK || hk_fmu_get_facts(fmu)->co_simulation;
    hk_fmu_close(fmu);
    hk_ctx_destroy(silent);
    return is;
}

/* The rules of FMI first; then what a run of the FMU would say, as far as it is something else. */
static hk_status check_fmu(hk_cli *cli, const hk_args *args, const char *path, found *ret_found) {
    hk_ctx *ctx = cli->ctx;
    size_t errors = count_of(ctx, HK_ERROR), warnings = count_of(ctx, HK_WARNING);
    hk_fmu_findings findings;
    hk_status rules = hk_check_fmu(ctx, path, &findings);
    *ret_found =
        (found){.kind = HK_FILE_FMU, .errors = findings.errors, .warnings = findings.warnings};
    if (rules != HK_OK && rules != HK_E_FMI_RULE)
        return rules;
    ret_found->hidden_errors = findings.errors - (count_of(ctx, HK_ERROR) - errors);
    ret_found->hidden_warnings = findings.warnings - (count_of(ctx, HK_WARNING) - warnings);
    if (!is_for_co_simulation(path)) {
        hk_note(ctx, (hk_where){.file = path}, "it is not for co-simulation, so it cannot be run");
        return rules;
    }
    cli->ctx = hk_ctx_create(NULL, NULL);
    found model;
    hk_status status = check_model(cli, args, path, &model);
    for (size_t i = 0; i < hk_ctx_count(cli->ctx, HK_NOTE); i++) {
        const hk_diag *d = hk_ctx_diag(cli->ctx, i);
        if (is_told(ctx, d))
            continue;
        ret_found->errors += d->severity == HK_ERROR;
        ret_found->warnings += d->severity == HK_WARNING;
        hk_say_again(ctx, d);
    }
    hk_ctx_destroy(cli->ctx);
    cli->ctx = ctx;
    return rules != HK_OK ? rules : status;
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
    else if (f->kind == HK_FILE_FMU)
        printf("0 errors, %zu warning%s\n", f->warnings, plural(f->warnings));
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
    if (f->kind == HK_FILE_FMU) {
        hk_json_i64(json, "errors", (int64_t)f->errors);
        hk_json_i64(json, "warnings", (int64_t)f->warnings);
    }
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
        return check_fmu(cli, args, path, ret_found);
    case HK_FILE_SIMULATION:
    case HK_FILE_SYSTEM:
        break;
    }
    return check_model(cli, args, path, ret_found);
}

static hk_status run_check(hk_cli *cli, const hk_args *args) {
    cli->findings_on_stdout = true;
    hk_json json;
    if (cli->json) {
        hk_answer_begin(cli, &json, "check");
        hk_json_array(&json, "files");
    }
    hk_status worst = HK_OK;
    size_t hidden_errors = 0, hidden_warnings = 0;
    for (size_t i = 0; i < args->operand_count; i++) {
        const char *path = args->operands[i];
        found f = {0};
        hk_status status = check_file(cli, args, path, &f);
        hidden_errors += f.hidden_errors;
        hidden_warnings += f.hidden_warnings;
        if (cli->json)
            put_file_json(cli, &json, path, status, &f);
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
    } else if (worst != HK_OK) {
        size_t errors = count_of(cli->ctx, HK_ERROR) + hidden_errors;
        size_t warnings = count_of(cli->ctx, HK_WARNING) + hidden_warnings;
        printf("%zu error%s, %zu warning%s\n", errors, plural(errors), warnings, plural(warnings));
    }
    return worst;
}

static const hk_option options[] = {
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
        "names its rule and the section of the standard; docs/fmi-rules.md lists them.",
    .options = {options, sizeof options / sizeof *options},
    .run = run_check,
};

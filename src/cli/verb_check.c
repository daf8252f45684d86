/* SPDX-License-Identifier: MIT
 *
 * `hocket check`: everything that can be said about a file without running it. */
#include "check/check.h"
#include "check/fmu_rules.h"
#include "cli/load.h"
#include "format/csv.h"
#include "plan/ages.h"
#include "plan/overrun.h"

#include <string.h>

/* What was counted in a file. */
typedef struct found {
    bool table, fmu;
    size_t components, connections, columns, rows;
    size_t errors, warnings; /* of an FMU: all of them */
    size_t hidden_errors, hidden_warnings;
} found;

static hk_status check_table(hk_cli *cli, const char *path, found *ret_found) {
    const hk_table *table;
    HK_TRY(hk_csv_read(cli->ctx, cli->arena, path, &table));
    *ret_found = (found){.table = true, .columns = table->columns, .rows = table->rows};
    return HK_OK;
}

static hk_status check_model(hk_cli *cli, const hk_args *args, const char *path, found *ret_found) {
    hk_model *model;
    HK_TRY(hk_load_model(cli, path, &model));
    hk_request request = {.start = hk_args_value(args, "start-time"),
                          .stop = hk_args_value(args, "stop-time"),
                          .step = hk_args_value(args, "step-size"),
                          .algorithm = hk_args_value(args, "algorithm")};
    hk_settings settings;
    hk_plan *plan = NULL;
    hk_status status = hk_load_schedule(cli, args, model);
    if (status == HK_OK)
        status = hk_check_model(cli->ctx, model);
    if (status == HK_OK)
        status = hk_settings_apply(cli, &request, model, &settings);
    if (status == HK_OK)
        status = hk_plan_make(cli->ctx, model, &(hk_plan_options){.algorithm = settings.algorithm},
                              &plan);
    if (status == HK_OK)
        status = hk_plan_check_constraints(cli->ctx, plan);
    hk_status overruns = plan ? hk_plan_check_overruns(cli->ctx, plan) : HK_OK;
    status = status == HK_OK ? overruns : status;
    if (status == HK_OK)
        *ret_found =
            (found){.components = model->component_count, .connections = model->connection_count};
    hk_plan_destroy(plan);
    hk_model_destroy(model);
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

/* The rules of FMI first; then what a run of the FMU would say, as far as it is something else. */
static hk_status check_fmu(hk_cli *cli, const hk_args *args, const char *path, found *ret_found) {
    hk_ctx *ctx = cli->ctx;
    size_t errors = count_of(ctx, HK_ERROR), warnings = count_of(ctx, HK_WARNING);
    hk_fmu_findings findings;
    hk_status rules = hk_check_fmu(ctx, path, &findings);
    *ret_found = (found){.fmu = true, .errors = findings.errors, .warnings = findings.warnings};
    if (rules != HK_OK && rules != HK_E_FMI_RULE)
        return rules;
    ret_found->hidden_errors = findings.errors - (count_of(ctx, HK_ERROR) - errors);
    ret_found->hidden_warnings = findings.warnings - (count_of(ctx, HK_WARNING) - warnings);
    cli->ctx = hk_ctx_create(NULL, NULL);
    found model;
    hk_status status = check_model(cli, args, path, &model);
    for (size_t i = 0; i < hk_ctx_count(cli->ctx, HK_NOTE); i++) {
        const hk_diag *d = hk_ctx_diag(cli->ctx, i);
        if (is_told(ctx, d))
            continue;
        ret_found->errors += d->severity == HK_ERROR;
        ret_found->warnings += d->severity == HK_WARNING;
        if (d->severity == HK_ERROR)
            (void)hk_error(ctx, d->code, d->where, d->hint, "%s", d->text);
        else if (d->severity == HK_WARNING)
            hk_warn(ctx, d->code, d->where, d->hint, "%s", d->text);
        else
            hk_note(ctx, d->where, "%s", d->text);
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
    if (f->table)
        printf("%zu column%s, %zu row%s\n", f->columns, plural(f->columns), f->rows,
               plural(f->rows));
    else if (f->fmu)
        printf("0 errors, %zu warning%s\n", f->warnings, plural(f->warnings));
    else
        printf("%zu component%s, %zu connection%s\n", f->components, plural(f->components),
               f->connections, plural(f->connections));
}

static void put_file_json(hk_cli *cli, hk_json *json, const char *path, hk_status status,
                          const found *f) {
    hk_json_object(json, NULL);
    hk_json_string(json, "file", path);
    hk_json_bool(json, "ok", status == HK_OK);
    if (status != HK_OK)
        hk_json_string(json, "status", hk_arena_printf(cli->arena, "HK%04d", (int)status));
    if (f->fmu) {
        hk_json_i64(json, "errors", (int64_t)f->errors);
        hk_json_i64(json, "warnings", (int64_t)f->warnings);
    } else if (status == HK_OK && f->table) {
        hk_json_i64(json, "columns", (int64_t)f->columns);
        hk_json_i64(json, "rows", (int64_t)f->rows);
    } else if (status == HK_OK) {
        hk_json_i64(json, "components", (int64_t)f->components);
        hk_json_i64(json, "connections", (int64_t)f->connections);
    }
    hk_json_end(json);
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
        hk_file_kind kind;
        hk_status status = hk_file_kind_of(cli, path, &kind);
        if (status == HK_OK)
            status = kind == HK_FILE_TABLE ? check_table(cli, path, &f)
                     : kind == HK_FILE_FMU ? check_fmu(cli, args, path, &f)
                                           : check_model(cli, args, path, &f);
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
};

const hk_verb hk_verb_check = {
    .name = "check",
    .summary = "find what is wrong before a run",
    .operands = "FILE...",
    .operands_min = 1,
    .operands_max = SIZE_MAX,
    .files = "fmu ssp ssd csv",
    .description = "Reads each FILE (.fmu, .ssp, .ssd, .csv), checks wiring, types, units, "
                   "parameters, times and cycles, plans the run and checks the constraints on "
                   "ages. Findings are the answer and go to standard output; the exit status is "
                   "not 0 if one of them is an error.\n\n"
                   "An FMU is held to every rule of FMI 1.0, 2.0 and 3.0 that can be seen without "
                   "running it: archive, description, other XML files, libraries. Each finding "
                   "names its rule and the section of the standard; docs/fmi-rules.md lists them.",
    .options = {options, sizeof options / sizeof *options},
    .run = run_check,
};

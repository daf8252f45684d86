/* SPDX-License-Identifier: MIT
 *
 * `hocket check`: everything that can be said about a file without running it. */
#include "cli/request.h"
#include "format/table_read.h"
#include "report/check_report.h"

#include <string.h>

static size_t count_of(const hk_ctx *ctx, hk_severity severity) {
    size_t above = severity == HK_ERROR ? 0 : hk_ctx_count(ctx, HK_ERROR);
    return hk_ctx_count(ctx, severity) - above;
}

static void print_found(const hk_cli *cli, const char *path, bool name_it, const hk_checked *f) {
    if (name_it)
        printf("%s: ", path);
    printf("%sok:%s ", hk_style_on(cli->color_out, HK_GREEN), hk_style_off(cli->color_out));
    if (f->is_graph) {
        printf("%zu node%s, %zu cell%s, %zu flow%s\n", f->nodes, hk_plural(f->nodes), f->cells,
               hk_plural(f->cells), f->flows, hk_plural(f->flows));
        return;
    }
    if (f->kind == HK_FILE_TABLE)
        printf("%zu column%s, %zu row%s\n", f->columns, hk_plural(f->columns), f->rows,
               hk_plural(f->rows));
    else if (f->kind == HK_FILE_CHART)
        printf("%zu module%s, %zu controller%s, %zu machine%s, %zu operation%s, %zu function%s\n",
               f->chart.modules, hk_plural(f->chart.modules), f->chart.controllers,
               hk_plural(f->chart.controllers), f->chart.machines, hk_plural(f->chart.machines),
               f->chart.operations, hk_plural(f->chart.operations), f->chart.functions,
               hk_plural(f->chart.functions));
    else if (f->kind == HK_FILE_TYPES)
        printf("%zu data type%s, %zu interface%s, %zu component type%s\n", f->types,
               hk_plural(f->types), f->interfaces, hk_plural(f->interfaces), f->components,
               hk_plural(f->components));
    else if (f->kind == HK_FILE_SCENE)
        printf("%zu thing%s, %zu number%s bound to signals\n", f->components,
               hk_plural(f->components), f->connections, hk_plural(f->connections));
    else
        printf("%zu component%s, %zu connection%s", f->components, hk_plural(f->components),
               f->connections, hk_plural(f->connections));
    if (f->kind == HK_FILE_SIMULATION)
        printf(", %zu scenario%s, %zu run%s", f->scenarios, hk_plural(f->scenarios), f->runs,
               hk_plural(f->runs));
    if (f->style)
        printf(", style %s", f->style);
    if (f->profile)
        printf(", profile %s", f->profile);
    if (f->kind == HK_FILE_SIMULATION || f->kind == HK_FILE_SYSTEM)
        putchar('\n');
}

static void print_verdict(const hk_cli *cli, const char *path, const char *question, bool yes) {
    if (path)
        printf("%s: ", path);
    printf("%s: %s%s%s", question, hk_style_on(cli->color_out, yes ? HK_GREEN : HK_RED),
           yes ? "yes" : "no", hk_style_off(cli->color_out));
}

static void print_verdicts(const hk_cli *cli, const char *path, const hk_verdicts *v) {
    print_verdict(cli, path, "runs here", v->runs);
    if (v->why_not) {
        fputs(", because ", stdout);
        hk_put_clean(stdout, v->why_not);
    }
    putchar('\n');
    print_verdict(cli, path, "keeps the rules", v->keeps_rules);
    printf(", %zu error%s, %zu warning%s\n", v->errors, hk_plural(v->errors), v->warnings,
           hk_plural(v->warnings));
}

static hk_status run_check(hk_cli *cli, const hk_args *args) {
    const char *level = hk_args_value(args, "level");
    hk_check_wishes wishes = {.request = hk_request_options(cli, args),
                              .strict = hk_args_has(args, "strict"),
                              .by_run = level && strcmp(level, "run") == 0,
                              .only_rules = level && strcmp(level, "rules") == 0,
                              .style = {.name = hk_args_value(args, "style"),
                                        .exempt = hk_request_texts(cli, args, "style-exempt")},
                              .profile = {.profile = hk_args_value(args, "profile"),
                                          .rules = hk_request_texts(cli, args, "rule"),
                                          .strict = hk_args_has(args, "strict")}};
    HK_TRY(hk_style_wishes_check(cli->ctx, &wishes.style));
    HK_TRY(hk_profile_wishes_check(cli->ctx, &wishes.profile));
    cli->findings_on_stdout = true;
    hk_report report = hk_cli_report(cli);
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
        hk_checked f;
        hk_status status = hk_check_file(&report, &wishes, path, &f);
        fmu = f.is_fmu;
        hidden_errors += f.verdicts.hidden_errors;
        hidden_warnings += f.verdicts.hidden_warnings;
        if (cli->json)
            hk_checked_put(&json, cli->arena, path, status, &f);
        else if (f.is_fmu)
            print_verdicts(cli, args->operand_count > 1 ? path : NULL, &f.verdicts);
        else if (status == HK_OK)
            print_found(cli, path, args->operand_count > 1, &f);
        if (worst == HK_OK)
            worst = status;
    }
    if (cli->json) {
        hk_json_end(&json);
        hk_findings_put(&json, cli->ctx);
        hk_answer_end(&json);
    } else if (worst != HK_OK && !(args->operand_count == 1 && fmu)) {
        size_t errors = count_of(cli->ctx, HK_ERROR) + hidden_errors;
        size_t warnings = count_of(cli->ctx, HK_WARNING) + hidden_warnings;
        printf("%zu error%s, %zu warning%s\n", errors, hk_plural(errors), warnings,
               hk_plural(warnings));
    }
    return worst;
}

static const hk_option options[] = {
    {.name = "level",
     .argument = "LEVEL",
     .choices = "rules run",
     .group = "FMUs",
     .help = "what decides the exit status for an FMU: 'rules', that it keeps the rules of FMI "
             "(default), or 'run', that it runs here; of a multi-model: 'rules' looks at its rules "
             "alone, and opens nothing that its blocks run"},
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
     .help = "check with the processors, lags and constraints that are in FILE"},
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
     .argument = "FILE",
     .repeatable = true,
     .files = HK_TABLE_EXTENSIONS,
     .group = "Values",
     .help = "check with the inputs driven by the columns of a table; may be repeated"},
    HK_SYSTEM_OPTION(HK_FOR_ALL, "Simulations",
                     "check the simulation on this system instead of the one beside the file"),
    HK_DEFINE_OPTION(HK_FOR_ALL, "Simulations",
                     "give a parameter of the simulation another value; may be repeated"),
    {.name = "strict",
     .group = "Simulations",
     .help =
         "events that never fire, or not when they say, are errors; of multi-models: types that "
         "need a conversion, too"},
    {.name = "profile",
     .argument = "NAME",
     .choices = HK_PROFILES,
     .group = "Multi-models",
     .help = "hold a multi-model in SysML to these rules: 'robotics' (default), 'into-sysml' or "
             "'fmi'; docs/sysml.md lists them"},
    {.name = "rule",
     .argument = "ID=SEVERITY",
     .repeatable = true,
     .group = "Multi-models",
     .help = "make a rule count for more or less: 'R5=off', 'C4=error', 'R6=note', "
             "'C5=warning'; may be repeated"},
    {.name = "style",
     .argument = "NAME",
     .choices = HK_STYLES,
     .group = "Styles",
     .help = "hold a system or a simulation to a style of architectures: 'navidro'; its rules are "
             "in docs/styles.md"},
    {.name = "style-exempt",
     .argument = "FROM:TO",
     .repeatable = true,
     .group = "Styles",
     .help = "let information pass from one role to another, which the style forbids, with a note: "
             "'controlled:controller'; may be repeated"},
};

const hk_verb hk_verb_check = {
    .name = "check",
    .summary = "find what is wrong before a run",
    .operands = "FILE...",
    .files = "fmu ssp ssd xml system simulation types rct sysml scene node " HK_TABLE_EXTENSIONS,
    .description =
        "Reads each FILE (.fmu, .ssp, .ssd, .xml, .system, .simulation, .types, .rct, .sysml, "
        ".scene, .node, "
        ".csv, .mat, .h5), checks "
        "wiring, types, units, "
        "parameters, times and cycles, plans the run and checks the constraints on "
        "ages. Findings are the answer and go to standard output; the exit status is "
        "not 0 if one of them is an error.\n\n"
        "An FMU is held to every rule of FMI 1.0, 2.0 and 3.0 that can be seen without "
        "running it: archive, description, other XML files, libraries. Each finding "
        "names its rule and the section of the standard; docs/fmi-rules.md lists them. Two "
        "verdicts follow: whether it runs here, and whether it keeps the rules. Many FMUs "
        "run that break one. --level says which verdict decides the exit status; what "
        "does not decide is reported as a warning.\n\n"
        "With --style a system is held to the roles of its composites: who gets information from "
        "whom by links, services, shared parameters and bindings, in which units and frames, and "
        "what is not used and not stopped (docs/styles.md).\n\n"
        "A RoboChart file (.rct) is held to the rules of RoboChart, with or without a module; "
        "states "
        "that are never reached or never left, choices that nothing decides, clocks that are asked "
        "before they are reset and events that lead nowhere are warnings (docs/robochart.md).\n\n"
        "A multi-model in SysML v2 (.sysml) is held to the rules of its profile "
        "(docs/sysml.md).\n\n"
        "Of a graph of nodes (.node) it says whether cells that are due together would wait for "
        "each other for ever (docs/nodes.md). Of a scene (.scene) the files that it names are "
        "read, too "
        "(docs/scenes.md).",
    .options = {options, sizeof options / sizeof *options},
    .run = run_check,
};

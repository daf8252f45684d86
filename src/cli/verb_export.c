/* SPDX-License-Identifier: MIT
 *
 * `hocket export`: a native component, or a RoboChart module, becomes an FMU. */
#include "base/file.h"
#include "cli/request.h"
#include "export/export.h"
#include "report/explore_report.h"

static void put_json(hk_cli *cli, const hk_export_result *made, int fmi) {
    hk_json json;
    hk_answer_begin(cli, &json, "export");
    hk_json_string(&json, "output", made->output);
    hk_json_i64(&json, "fmi", fmi);
    hk_json_string(&json, "type", made->type);
    hk_json_string(&json, "name", made->name);
    hk_json_string(&json, "identifier", made->identifier);
    hk_json_string(&json, "guid", made->guid);
    hk_json_string(&json, "platform", made->platform);
    hk_json_i64(&json, "variables", (int64_t)made->variables);
    hk_answer_end(&json);
}

static hk_status run_export(hk_cli *cli, const hk_args *args) {
    const char *fmi = hk_args_value(args, "fmi");
    hk_texts defines = hk_request_texts(cli, args, "define");
    hk_texts includes = hk_request_texts(cli, args, "include");
    hk_export_options options = {
        .files = args->operands,
        .file_count = args->operand_count,
        .type = hk_args_value(args, "type"),
        .name = hk_args_value(args, "name"),
        .output = hk_args_value(args, "output"),
        .fmi = fmi ? *fmi - '0' : 2,
        .step_size = hk_args_value(args, "step-size"),
        .defines = defines.all,
        .define_count = defines.count,
        .includes = includes.all,
        .include_count = includes.count,
        .sources = hk_args_has(args, "sources"),
        .once_per_process = hk_args_has(args, "once-per-process"),
        .tool = hk_arena_printf(cli->arena, "hocket %s", cli->build->version),
        .said = hk_put_said,
        .user = cli,
    };
    hk_export_result made;
    hk_remove_temporary_when_stopped();
    bool chart = options.file_count && hk_names_chart(options.files[0]);
    HK_TRY((chart ? hk_export_chart : hk_export_fmu)(cli->ctx, cli->arena, &options, &made));
    if (cli->json)
        put_json(cli, &made, options.fmi);
    else if (!cli->quiet)
        fprintf(stderr, "export: %s (FMI %d.0, %s, %zu variable%s)\n", made.output, options.fmi,
                made.platform, made.variables, hk_plural(made.variables));
    return HK_OK;
}

static const hk_option options[] = {
    HK_OUTPUT_OPTION("FILE.fmu", "fmu", "Export",
                     "the FMU to write (default: the name of the model with .fmu)"),
    {.name = "fmi",
     .argument = "VERSION",
     .choices = "1 2 3",
     .group = "Export",
     .help = "version of FMI (default: 2)"},
    {.name = "type",
     .argument = "NAME",
     .group = "Export",
     .help =
         "which type of the plugin, or module of a RoboChart file; needed if there are several"},
    {.name = "name",
     .argument = "NAME",
     .group = "Export",
     .help = "name of the model (default: the name of the type)"},
    {.name = "step-size",
     .argument = "SECONDS",
     .group = "Export",
     .help = "step size that the FMU proposes (FMI 2.0 and 3.0); RoboChart: length of a cycle"},
    {.name = "once-per-process",
     .group = "Export",
     .help = "the component keeps storage that instances would share: allow one in a process"},
    {.name = "sources",
     .group = "C files",
     .help = "also put the sources into the FMU, so that it can be compiled elsewhere"},
    {.name = "include",
     .letter = 'I',
     .argument = "FOLDER",
     .repeatable = true,
     .group = "C files",
     .help = "where the C files find headers, beside their own folder"},
    {.name = "define",
     .letter = 'D',
     .argument = "NAME[=VALUE]",
     .repeatable = true,
     .group = "C files",
     .help = "defines a macro for the C files"},
};

const hk_verb hk_verb_export = {
    .name = "export",
    .summary = "make an FMU of a native component or a RoboChart module",
    .operands = "COMPONENT...",
    .files = "so c rct",
    .description =
        "COMPONENT is a plugin, or the C files of one. The FMU is for co-simulation on this "
        "platform; it gives the same numbers as the component itself. Random numbers come from the "
        "name of the instance and from the parameters 'random.seed' and 'random.run'. A component "
        "that calls services of others cannot be exported.\n\n"
        "The C compiler ($CC, or cc) makes its library. The headers <hk/unit.h> and <hk/math.h> "
        "are known to it; C files need no --include for them.\n\n"
        "Of a RoboChart file (.rct), C is generated and exported. Its events are reals that are 0 "
        "or "
        "1, in FMI 3.0 clocks: that FMU needs an importer with event mode.",
    .options = {options, sizeof options / sizeof *options},
    .run = run_export,
};

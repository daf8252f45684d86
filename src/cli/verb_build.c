/* SPDX-License-Identifier: MIT
 *
 * `hocket build`: compiles the sources that a file carries. Kinds of files are told apart here;
 * so far there is one, the FMU. */
#include "cli/cli.h"

#include "assembly/load.h"
#include "base/claims.h"
#include "base/file.h"
#include "fmi/build.h"

#include <string.h>
#include <strings.h>

static void put_json(hk_cli *cli, const char *output, const hk_fmu_built *built) {
    hk_json json;
    hk_answer_begin(cli, &json, "build");
    hk_json_string(&json, "output", output);
    hk_json_string(&json, "library", built->library);
    hk_json_string(&json, "compiler", built->compiler);
    hk_json_i64(&json, "files", (int64_t)built->files);
    hk_answer_end(&json);
}

/* "x.fmu" becomes "x_built.fmu", in the working directory. */
static const char *default_output(hk_cli *cli, const char *path) {
    const char *name = hk_path_name(path), *extension = hk_path_extension(path);
    return hk_arena_printf(cli->arena, "%.*s_built%s", (int)(extension - name), name, extension);
}

static hk_status check_output(hk_cli *cli, const char *output) {
    if (strcasecmp(hk_path_extension(output), ".fmu") != 0)
        return hk_error(cli->ctx, HK_E_FILE_KIND, (hk_where){.file = output},
                        "name it with the extension .fmu", "an FMU is built as an FMU only");
    if (hk_folder_exists(hk_path_folder(cli->arena, output)))
        return HK_OK;
    return hk_error(cli->ctx, HK_E_FILE_WRITE, (hk_where){.file = output},
                    "make the folder, or choose another one", "its folder does not exist");
}

static hk_status build_fmu(hk_cli *cli, const hk_args *args, const char *path) {
    const char *output = hk_args_value(args, "output");
    const hk_fmu_build_options options = {
        .cc = hk_args_value(args, "cc"), .said = hk_put_said, .user = cli};
    hk_fmu_built built;
    if (options.cc && !options.cc[strspn(options.cc, " \t\r\n")])
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "name one, or leave the option out",
                        "--cc: '%s' is not a compiler", options.cc);
    if (!output) {
        output = default_output(cli, path);
        HK_TRY(hk_claim_write(cli->ctx, output, "the FMU that is built"));
    }
    HK_TRY(check_output(cli, output));
    HK_TRY(hk_fmu_build(cli->ctx, cli->arena, path, output, &options, &built));
    if (built.replaced)
        hk_note(cli->ctx, (hk_where){.file = path},
                "its own '%s' is replaced by the one from its "
                "sources",
                built.library);
    if (cli->json)
        put_json(cli, output, &built);
    else if (!cli->quiet)
        fprintf(stderr, "build: %s (%s, %zu source file%s by %s)\n", output, built.library,
                built.files, built.files == 1 ? "" : "s", built.compiler);
    return HK_OK;
}

static hk_status run_build(hk_cli *cli, const hk_args *args) {
    const char *path = args->operands[0];
    hk_remove_temporary_when_stopped();
    if (strcasecmp(hk_path_extension(path), ".fmu") == 0)
        return build_fmu(cli, args, path);
    return hk_error(cli->ctx, HK_E_FILE_KIND, (hk_where){.file = path},
                    "of a system, build each FMU that has only sources, or run it with --build",
                    "'hocket build' takes an FMU that holds sources");
}

static const hk_option options[] = {
    {.name = "output",
     .letter = 'o',
     .argument = "FILE.fmu",
     .files = "fmu",
     .written = true,
     .group = "Build",
     .help = "the FMU to write (default: the name of the FMU with _built, here)"},
    {.name = "cc",
     .argument = "COMPILER",
     .group = "Build",
     .help = "the C compiler, with options if need be (default: $CC, or cc)"},
};

const hk_verb hk_verb_build = {
    .name = "build",
    .summary = "compile the sources of an FMU for this machine",
    .operands = "FILE.fmu",
    .operands_min = 1,
    .operands_max = 1,
    .files = "fmu",
    .description =
        "Writes a copy of the FMU that holds a library for this machine, compiled from the sources "
        "that the FMU carries; everything else in it stays as it is. What is compiled and how is "
        "what sources/buildDescription.xml says; else the files that the model description lists; "
        "else, with a note, all C files right in sources/.\n\n"
        "The headers of FMI need not be in the FMU. The C compiler is $CC, or cc; for C++ it is "
        "$CXX, or c++. Nothing of the FMU is run.",
    .options = {options, sizeof options / sizeof *options},
    .run = run_build,
};

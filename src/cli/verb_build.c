/* SPDX-License-Identifier: MIT
 *
 * `hocket build`: compiles what it is given. The kind of that decides what is made: the table at
 * the end. */
#include "cli/build_kinds.h"

#include "assembly/load.h"
#include "base/claims.h"
#include "base/file.h"
#include "fmi/build.h"
#include "gen/gen.h"
#include "native/plugin_build.h"

#include <string.h>
#include <strings.h>

/* One kind of argument and what becomes of it. */
typedef struct kind {
    bool (*is)(const char *path);
    hk_status (*build)(hk_cli *cli, const hk_args *args, const char *path);
    const char *made;   /* "an FMU" */
    const char *ending; /* of the name of what is made; NULL: any */
} kind;

/* What all kinds ask of their options. */
static hk_status check_options(hk_cli *cli, const hk_args *args, const kind *k) {
    const char *output = hk_args_value(args, "output"), *cc = hk_args_value(args, "cc");
    if (cc && !cc[strspn(cc, " \t\r\n")])
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "name one, or leave the option out",
                        "--cc: '%s' is not a compiler", cc);
    if (!output)
        return HK_OK;
    if (k->ending && strcasecmp(hk_path_extension(output), k->ending) != 0)
        return hk_error(cli->ctx, HK_E_USAGE, (hk_where){.file = output},
                        hk_arena_printf(cli->arena, "name it with the extension %s", k->ending),
                        "what is built of this is %s", k->made);
    if (hk_folder_exists(hk_path_folder(cli->arena, output)))
        return HK_OK;
    return hk_error(cli->ctx, HK_E_FILE_WRITE, (hk_where){.file = output},
                    "make the folder, or choose another one", "its folder does not exist");
}

/* ---- an FMU ---- */

static bool is_fmu(const char *path) {
    return strcasecmp(hk_path_extension(path), ".fmu") == 0;
}

static void put_fmu(hk_cli *cli, const char *output, const hk_fmu_built *built) {
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

static hk_status build_fmu(hk_cli *cli, const hk_args *args, const char *path) {
    const char *output = hk_args_value(args, "output");
    const hk_fmu_build_options options = {
        .cc = hk_args_value(args, "cc"), .said = hk_put_said, .user = cli};
    hk_fmu_built built;
    if (!output) {
        output = default_output(cli, path);
        HK_TRY(hk_claim_write(cli->ctx, output, "the FMU that is built"));
    }
    HK_TRY(hk_fmu_build(cli->ctx, cli->arena, path, output, &options, &built));
    if (built.replaced)
        hk_note(cli->ctx, (hk_where){.file = path},
                "its own '%s' is replaced by the one from its "
                "sources",
                built.library);
    if (cli->json)
        put_fmu(cli, output, &built);
    else if (!cli->quiet)
        fprintf(stderr, "build: %s (%s, %zu source file%s by %s)\n", output, built.library,
                built.files, hk_plural(built.files), built.compiler);
    return HK_OK;
}

/* ---- a folder with the sources of a plugin ---- */

static bool leaves_out(void *user, const char *path) {
    hk_cli *cli = user;
    if (!hk_gen_is_left_over(cli->arena, path))
        return false;
    hk_note(cli->ctx, (hk_where){.file = path},
            "'hocket gen' does not list it any more: its leaf type is gone; not compiled");
    return true;
}

static hk_status build_plugin(hk_cli *cli, const hk_args *args, const char *path) {
    const hk_plugin_build_options options = {.output = hk_args_value(args, "output"),
                                             .cc = hk_args_value(args, "cc"),
                                             .said = hk_put_said,
                                             .leaves_out = leaves_out,
                                             .user = cli};
    hk_plugin_built built;
    HK_TRY(hk_plugin_build(cli->ctx, cli->arena, path, &options, &built));
    if (cli->json) {
        hk_json json;
        hk_answer_begin(cli, &json, "build");
        hk_json_string(&json, "output", built.output);
        hk_json_string(&json, "compiler", built.compiler);
        hk_json_i64(&json, "files", (int64_t)built.files);
        hk_answer_end(&json);
    } else if (!cli->quiet) {
        fprintf(stderr, "build: %s (%zu source file%s by %s)\n", built.output, built.files,
                hk_plural(built.files), built.compiler);
    }
    return HK_OK;
}

/* ---- the kinds ---- */

static const kind kinds[] = {
    {hk_build_is_model, hk_build_tool, "a program", NULL},
    {hk_folder_exists, build_plugin, "a plugin", ".so"},
    {is_fmu, build_fmu, "an FMU", ".fmu"},
};

static hk_status run_build(hk_cli *cli, const hk_args *args) {
    const char *path = args->operands[0];
    hk_remove_temporary_when_stopped();
    if (hk_args_has(args, "emit-c"))
        return hk_build_emit(cli, args, path);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!kinds[i].is(path))
            continue;
        HK_TRY(check_options(cli, args, &kinds[i]));
        return kinds[i].build(cli, args, path);
    }
    if (!hk_file_exists(path))
        return hk_error(cli->ctx, HK_E_FILE_READ, (hk_where){.file = path},
                        "check the spelling of the path", "there is no such file or folder");
    return hk_error(cli->ctx, HK_E_FILE_KIND, (hk_where){.file = path},
                    "of a plugin name the folder of its sources",
                    "'hocket build' takes a folder with components in C or C++, an FMU that holds "
                    "sources, a system or a simulation");
}

static const hk_option options[] = {
    HK_OUTPUT_OPTION(
        "FILE", "", "Build",
        "the file to write: a plugin .so (default: in the folder, named after the file that "
        "defines hk_plugin), an FMU (default: the name of the FMU with _built, here), or a "
        "program (default: the name of the model without its extension, here)"),
    {.name = "cc",
     .argument = "COMPILER",
     .group = "Build",
     .help = "the C compiler, with options if need be (default: $CC, or cc)"},
    {.name = "no-fused",
     .group = "Build",
     .help = "of a model: make a program without fused code, which interprets it"},
    {.name = "emit-c",
     .argument = "FOLDER",
     .files = "",
     .group = "Build",
     .help = "write the model into FOLDER as C, as 'hocket run --fused' compiles it: a file for "
             "each cell, and README.c, which says how to compile them; files there that hocket "
             "has not written are not replaced"},
};

const hk_verb hk_verb_build = {
    .name = "build",
    .summary = "compile components for this machine, or make a program of a model",
    .operands = "FOLDER|FILE.fmu|MODEL",
    .files = "fmu system simulation ssp ssd xml",
    .description =
        "Of a folder with components, as 'hocket gen' and 'hocket new' write it, a plugin is made: "
        "all files in C and C++ right in the folder are compiled; one of them defines hk_plugin. "
        "The headers of hocket are part of the program, and nothing else is needed but a "
        "compiler. The plugin carries a note of how it was compiled.\n\n"
        "Of an FMU that carries its sources a copy is written that holds a library for this "
        "machine; everything else in it stays as it is. What is compiled and how is "
        "what sources/buildDescription.xml says; else the files that the model description lists; "
        "else, with a note, all C files right in sources/. The headers of FMI need not be in the "
        "FMU.\n\n"
        "The C compiler is $CC, or cc; for C++ it is $CXX, or c++. Nothing of a plugin or an FMU "
        "that is compiled is run.\n\n"
        "Of a model, a system (.system, .ssp, .ssd, .xml) or a simulation (.simulation), a program "
        "is made that takes the options of 'hocket run' and runs this model on a machine of the "
        "same kind without hocket, compiler or the files: it is a copy of hocket and holds all "
        "files that a run reads (systems, types, tables, plugins, FMUs), each with its SHA-256, "
        "and the model as fused code, if there is a compiler. With --emit-c it is written as C "
        "instead, as 'hocket run --fused' compiles it. For both, FMUs and plugins are loaded and "
        "instances of them are made, as for a run; with --no-fused only plugins are "
        "loaded, to be described.",
    .options = {options, sizeof options / sizeof *options},
    .run = run_build,
};

/* SPDX-License-Identifier: MIT
 *
 * `hocket gen`: C for the leaf types of a type file, or for a RoboChart module. */
#include "base/file.h"
#include "cli/cli.h"
#include "gen/gen.h"

#include <string.h>

static const char *action_word(hk_gen_action action) {
    static const char *const words[] = {[HK_GEN_UNCHANGED] = "unchanged",
                                        [HK_GEN_CREATED] = "created",
                                        [HK_GEN_CHANGED] = "changed",
                                        [HK_GEN_REPLACED] = "replaced",
                                        [HK_GEN_KEPT] = "kept"};
    return words[action];
}

static void answer_json(hk_cli *cli, const hk_gen_options *options, const hk_gen_report *report) {
    hk_json json;
    hk_answer_begin(cli, &json, "gen");
    hk_json_string(&json, "file", options->types);
    hk_json_string(&json, "package", report->package);
    hk_json_string(&json, "folder", options->folder);
    hk_json_bool(&json, "check", options->check);
    hk_json_i64(&json, "changes", (int64_t)report->changes);
    HK_JSON_EACH(&json, "files", i, report->file_count) {
        hk_json_string(&json, "path", report->files[i].path);
        hk_json_string(&json, "action", action_word(report->files[i].action));
        if (report->files[i].backup)
            hk_json_string(&json, "backup", report->files[i].backup);
    }
    HK_JSON_EACH(&json, "regions", i, report->region_count) {
        hk_json_string(&json, "path", report->regions[i].path);
        hk_json_string(&json, "region", report->regions[i].name);
        hk_json_i64(&json, "line", report->regions[i].line);
        hk_json_string(&json, "state", report->regions[i].restored ? "restored" : "orphaned");
    }
    HK_JSON_EACH(&json, "renamed", i, report->name_count) {
        hk_json_string(&json, "name", report->names[i].name);
        hk_json_string(&json, "c_name", report->names[i].c_name);
    }
    hk_answer_end(&json);
}

static void answer_text(const hk_gen_options *options, const hk_gen_report *report) {
    size_t unchanged = 0;
    for (size_t i = 0; i < report->file_count; i++) {
        const hk_gen_file *file = &report->files[i];
        if (file->action == HK_GEN_UNCHANGED) {
            unchanged++;
            continue;
        }
        printf("%-9s ", action_word(file->action));
        hk_put_clean(stdout, file->path);
        if (file->backup) {
            printf(" (old text: ");
            hk_put_clean(stdout, file->backup);
            putchar(')');
        }
        putchar('\n');
    }
    if (unchanged)
        printf("%zu file%s unchanged\n", unchanged, unchanged == 1 ? "" : "s");
    if (options->check && report->changes)
        printf("nothing was written\n");
}

static hk_status run_gen(hk_cli *cli, const hk_args *args) {
    hk_gen_options options = {.types = args->operands[0],
                              .folder = hk_args_value(args, "out"),
                              .check = hk_args_has(args, "check"),
                              .force = hk_args_has(args, "force")};
    if (!options.folder)
        options.folder = ".";
    if (hk_path_is_stdout(options.folder))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE,
                        "name a folder (./- if it is to be called so)",
                        "--out %s: several files are written, which standard output cannot take",
                        options.folder);
    while (hk_args_nth(args, "type", options.leaf_count))
        options.leaf_count++;
    const char **leaves = HK_NEW_ARRAY(cli->arena, const char *, options.leaf_count + 1);
    for (size_t i = 0; i < options.leaf_count; i++)
        leaves[i] = hk_args_nth(args, "type", i);
    options.leaves = leaves;
    hk_gen_report report;
    HK_TRY(hk_gen_run(cli->ctx, cli->arena, &options, &report));
    if (cli->json)
        answer_json(cli, &options, &report);
    else if (!cli->quiet)
        answer_text(&options, &report);
    hk_status status = HK_OK;
    if (options.check && report.changes)
        status = hk_error(cli->ctx, HK_E_REGENERATE, (hk_where){.file = options.types},
                          "run 'hocket gen' without --check", "%zu file%s would change",
                          report.changes, report.changes == 1 ? "" : "s");
    hk_gen_report_finish(&report);
    return status;
}

static const hk_option options[] = {
    {.name = "out",
     .letter = 'o',
     .argument = "DIR",
     .aliases = "output",
     .files = "",
     .group = "Generator",
     .help = "the folder to write to, made if it is not there (default: the current one)"},
    {.name = "type",
     .argument = "NAME",
     .repeatable = true,
     .group = "Generator",
     .help = "only this leaf type of the file; may be given several times (default: all of them). "
             "RoboChart: which module"},
    {.name = "check",
     .group = "Generator",
     .help = "write nothing; say what would change, with exit status 1 if anything would"},
    {.name = "force",
     .group = "Generator",
     .help = "replace files that were edited outside their regions; the old text is kept in "
             "FILE.orig"},
};

const hk_verb hk_verb_gen = {
    .name = "gen",
    .summary = "generate C code for the leaf types of a type file, or for a RoboChart module",
    .operands = "FILE",
    .files = "types rct",
    .description =
        "Writes a header with the data types and interfaces, a header and a skeleton per leaf "
        "type, the tables that hocket reads, and a CMake project that builds the plugin.\n\n"
        "Your code goes between the marks 'user code begin' and 'user code end'. It is kept when "
        "the files are generated again; text whose region is gone is kept at the end of "
        "its file and reported. Either all files that change are written or none.\n\n"
        "Of a RoboChart file (.rct) its module is written as C that does what hocket does when it "
        "interprets the file, with a project that builds it.",
    .options = {options, sizeof options / sizeof *options},
    .run = run_gen,
};

/* SPDX-License-Identifier: MIT
 *
 * `hocket convert`: a system in another format, or with other values in its own. */
#include "assembly/load.h"
#include "assembly/start_values.h"
#include "base/claims.h"
#include "base/file.h"
#include "base/files_beside.h"
#include "cli/cli.h"
#include "cli/convert_skeleton.h"
#include "lang/lang.h"
#include "osp/osp.h"
#include "ssp/ssp.h"
#include "sysml/multimodel.h"
#include "world/world.h"

#include <string.h>
#include <strings.h>

typedef struct conversion {
    hk_cli *cli;
    const char *from, *to;
    const hk_args *args;
    hk_left_out left;
} conversion;

/* ---- formats ---- */

static hk_status read_osp(hk_ctx *ctx, const char *path, hk_model **ret_model) {
    return hk_osp_read(ctx, path, NULL, ret_model);
}

/* What lies in a package lies on the disk as long as the model. */
static hk_status read_ssp(hk_ctx *ctx, const char *path, hk_model **ret_model) {
    const hk_ssp_options options = {.unpack = true};
    return hk_ssp_read(ctx, path, &options, ret_model);
}

/* Worlds are in system files only. */
static hk_status refuse_worlds(const conversion *c, const hk_model *model) {
    for (size_t i = 0; i < model->component_count; i++)
        if (hk_world_of(model->components[i].info))
            return hk_error(c->cli->ctx, HK_E_NO_WORDS, model->components[i].where,
                            "a component that is a world cannot be left out, and has no file",
                            "world '%s' cannot be said in a %s file", model->components[i].name,
                            hk_path_extension(c->to));
    return HK_OK;
}

static hk_status write_ssp(conversion *c, const hk_model *model) {
    HK_TRY(refuse_worlds(c, model));
    return hk_ssp_write(c->cli->ctx, model, c->to);
}

static hk_status edit_ssp(conversion *c, const hk_model *model) {
    return hk_ssp_edit(c->cli->ctx, model, c->from, c->to);
}

/* The folder of a system of the Open Simulation Platform means the file in it. */
static const char *from_extension(hk_cli *cli, const char *path) {
    bool folder =
        hk_folder_exists(path) && hk_file_exists(hk_path_join(cli->arena, path, HK_OSP_FILE));
    if (folder)
        return ".xml";
    return path[hk_ssp_file_length(path)] ? ".ssp" : hk_path_extension(path);
}

static hk_status write_system(conversion *c, const hk_model *model) {
    return hk_system_write(c->cli->ctx, model, c->to, &c->left);
}

static hk_status edit_system(conversion *c, const hk_model *model) {
    return hk_system_edit(c->cli->ctx, model, c->from, c->to);
}

static hk_status write_sysml(conversion *c, const hk_model *model) {
    HK_TRY(refuse_worlds(c, model));
    return hk_sysml_write(c->cli->ctx, model, c->to, &c->left);
}

/* Names of blocks are keys of FMUs, so it is the file that is written, and not its model. */
static hk_status write_multimodel(conversion *c, const hk_model *model) {
    (void)model;
    return hk_multimodel_write(c->cli->ctx, c->from, c->to, &c->left);
}

typedef hk_status read_fn(hk_ctx *ctx, const char *path, hk_model **ret_model);
typedef hk_status write_fn(conversion *c, const hk_model *model);

static const struct pair {
    const char *from, *to; /* extensions */
    read_fn *read;
    write_fn *write;
} pairs[] = {{".xml", ".ssd", read_osp, write_ssp},
             {".xml", ".ssp", read_osp, write_ssp},
             {".xml", ".system", read_osp, write_system},
             {".system", ".ssd", hk_system_read, write_ssp},
             {".system", ".ssp", hk_system_read, write_ssp},
             {".ssd", ".system", read_ssp, write_system},
             {".ssp", ".system", read_ssp, write_system},
             {".system", ".system", hk_system_read, edit_system},
             {".ssd", ".ssd", read_ssp, edit_ssp},
             {".ssp", ".ssp", read_ssp, edit_ssp},
             {".ssd", ".ssp", read_ssp, edit_ssp},
             {".ssp", ".ssd", read_ssp, edit_ssp},
             {".sysml", ".ssd", hk_sysml_read, write_ssp},
             {".sysml", ".ssp", hk_sysml_read, write_ssp},
             {".sysml", ".system", hk_sysml_read, write_system},
             {".xml", ".sysml", read_osp, write_sysml},
             {".ssd", ".sysml", read_ssp, write_sysml},
             {".ssp", ".sysml", read_ssp, write_sysml},
             {".system", ".sysml", hk_system_read, write_sysml},
             {".sysml", ".json", hk_sysml_read, write_multimodel},
             {".json", ".sysml", hk_multimodel_read, write_sysml},
             {".json", ".ssd", hk_multimodel_read, write_ssp},
             {".json", ".ssp", hk_multimodel_read, write_ssp},
             {".json", ".system", hk_multimodel_read, write_system}};
enum { PAIR_COUNT = sizeof pairs / sizeof *pairs };

static hk_status no_pair(const conversion *c) {
    hk_cli *cli = c->cli;
    const char *list = "";
    for (size_t i = 0; i < PAIR_COUNT; i++)
        list = hk_arena_printf(cli->arena, "%s%s%s to %s", list, *list ? ", " : "", pairs[i].from,
                               pairs[i].to);
    return hk_error(cli->ctx, HK_E_USAGE, (hk_where){.file = c->from},
                    hk_arena_printf(cli->arena,
                                    "convert knows %s; and with --skeleton .sysml to .rct, .rct to "
                                    ".sysml",
                                    list),
                    "'%s' cannot be converted to '%s'", from_extension(cli, c->from),
                    hk_path_extension(c->to));
}

/* ---- values ---- */

static hk_status set_values(const conversion *c, hk_model *model, bool same_format) {
    hk_ctx *ctx = c->cli->ctx;
    hk_start_values values = {0};
    hk_start_rules rules = {.names_hint = hk_arena_printf(
                                c->cli->arena, "'hocket info %s' lists what is there", c->from)};
    const char *text;
    if (same_format) {
        rules.fixed_sizes = "a structural parameter decides sizes, which are not changed in a file";
        rules.fixed_hint = "change it in an editor";
    }
    for (size_t i = 0; (text = hk_args_nth(c->args, "set", i)); i++)
        HK_TRY(hk_start_value_split(ctx, c->cli->arena, text, &values));
    return values.count ? hk_start_values_set(ctx, c->cli->arena, model, &values, &rules, NULL)
                        : HK_OK;
}

/* The first variable with a value of the user that it does not have in AGAIN; NULL: all have it. */
static const char *find_missing(const conversion *c, const hk_model *model, const hk_model *again) {
    const char *missing = NULL;
    for (size_t i = 0; i < model->component_count; i++) {
        const hk_component *a = &model->components[i];
        uint32_t there = hk_map_get(&again->by_name, a->name);
        for (uint32_t v = 0; v < a->info->variable_count && !missing; v++) {
            const hk_setting *now = hk_component_last_setting(a, v), *read = NULL;
            if (!now || now->source != HK_FROM_USER)
                continue;
            if (there != HK_MAP_NONE)
                read = hk_component_last_setting(&again->components[there], v);
            if (!read || strcmp(hk_value_format_all(c->cli->arena, &now->value),
                                hk_value_format_all(c->cli->arena, &read->value)) != 0)
                missing =
                    hk_arena_printf(c->cli->arena, "%s.%s", a->name, a->info->variables[v].name);
        }
    }
    return missing;
}

static hk_status cannot_read_back(const conversion *c, const hk_ctx *reading) {
    const char *reason = "unknown reason";
    for (size_t i = hk_ctx_count(reading, HK_NOTE); i-- > 0;)
        if (hk_ctx_diag(reading, i)->severity == HK_ERROR)
            reason = hk_ctx_diag(reading, i)->text;
    return hk_error(c->cli->ctx, HK_E_CHECK_FAILED, (hk_where){.file = c->to}, NULL,
                    "what is written cannot be read back: %s", reason);
}

/* What was written is read again: every value that was asked for is there. */
static hk_status verify(const conversion *c, const struct pair *pair, const hk_model *model) {
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    hk_model *again;
    const char *variant = c->from + hk_ssp_file_length(c->from);
    if (strcmp(pair->to, ".ssp") != 0)
        variant = ""; /* one of several in a package */
    hk_status status =
        pair->read(quiet, hk_arena_printf(c->cli->arena, "%s%s", c->to, variant), &again);
    if (status != HK_OK) {
        status = cannot_read_back(c, quiet);
    } else {
        const char *missing = find_missing(c, model, again);
        hk_model_destroy(again);
        if (missing)
            status = hk_error(c->cli->ctx, HK_E_CHECK_FAILED, (hk_where){.file = c->to},
                              "another place in the file gives it a value after this one",
                              "what is written does not give '%s' the value that was asked for",
                              missing);
    }
    hk_ctx_destroy(quiet);
    return status;
}

/* ---- what was there before ---- */

typedef struct before {
    const char *file, *folder; /* TO with links followed, and the folder for its files */
    bool file_exists, folder_exists;
    char *data; /* NULL: there is no file, or it cannot be read */
    size_t size;
} before;

static before remember(const conversion *c) {
    hk_arena *arena = c->cli->arena;
    before b = {
        .file = hk_claim_target(arena, c->to),
        .folder = hk_path_join(arena, hk_path_folder(arena, c->to), hk_beside_name(arena, c->to))};
    b.file_exists = hk_file_exists(b.file);
    b.folder_exists = hk_folder_exists(b.folder);
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    if (!hk_file_is_regular(b.file) || hk_file_read(quiet, b.file, 0, &b.data, &b.size) != HK_OK)
        b.data = NULL;
    hk_ctx_destroy(quiet);
    return b;
}

/* What was written is not what was asked for. */
static hk_status put_back(const conversion *c, const before *b) {
    if (!b->folder_exists)
        hk_folder_remove(b->folder);
    if (!b->file_exists)
        hk_folder_remove(b->file);
    return b->data ? hk_file_write(c->cli->ctx, b->file, b->data, b->size) : HK_OK;
}

static hk_status edit(conversion *c, const struct pair *pair, const hk_model *model) {
    before old = remember(c);
    hk_status status = pair->write(c, model);
    if (status == HK_OK) {
        status = verify(c, pair, model);
        if (status != HK_OK)
            (void)put_back(c, &old); /* the first mistake counts; a second one is reported, too */
    }
    hk_free(old.data);
    return status;
}

/* ---- the verb ---- */

static void put_json(const conversion *c, size_t components, size_t connections) {
    hk_json json;
    hk_answer_begin(c->cli, &json, "convert");
    hk_json_string(&json, "file", c->from);
    hk_json_string(&json, "output", c->to);
    hk_json_i64(&json, "components", (int64_t)components);
    hk_json_i64(&json, "connections", (int64_t)connections);
    hk_json_array(&json, "left_out");
    for (size_t i = 0; i < c->left.count; i++)
        hk_json_string(&json, NULL, c->left.what[i]);
    hk_json_end(&json);
    hk_answer_end(&json);
}

static void put_text(const conversion *c, size_t components, size_t connections) {
    fprintf(stderr, "convert: %s (%zu component%s, %zu connection%s", c->to, components,
            components == 1 ? "" : "s", connections, connections == 1 ? "" : "s");
    for (size_t i = 0; i < c->left.count; i++)
        fprintf(stderr, "%s%s", i ? ", " : "; left out: ", c->left.what[i]);
    fputs(")\n", stderr);
}

/* What the file says, and the model that was written has no place for. */
static void tell_lost(conversion *c, const hk_tree *tree) {
    for (size_t i = 0; i < tree->lost_count; i++)
        if (hk_left_out_add(&c->left, tree->lost[i].what) && !tree->lost[i].told)
            hk_warn(c->cli->ctx, HK_E_NO_WORDS, tree->lost[i].where, NULL,
                    "nothing in %s stands for %s: left out", hk_path_name(c->to),
                    tree->lost[i].what);
}

static hk_status convert(conversion *c, const struct pair *pair) {
    hk_model *model;
    bool same_format = pair->write == edit_ssp || pair->write == edit_system;
    HK_TRY(pair->read(c->cli->ctx, c->from, &model));
    size_t components = model->component_count, connections = model->connection_count;
    hk_status status = set_values(c, model, same_format);
    if (status == HK_OK)
        status = same_format ? edit(c, pair, model) : pair->write(c, model);
    if (status == HK_OK && model->tree)
        tell_lost(c, model->tree);
    hk_model_destroy(model);
    HK_TRY(status);
    if (c->cli->json)
        put_json(c, components, connections);
    else if (!c->cli->quiet)
        put_text(c, components, connections);
    return HK_OK;
}

/* "w.ssp#x.ssd" means a description in a package, whoever reads it. */
static hk_status refuse_variant(const conversion *c) {
    if (!c->to[hk_ssp_file_length(c->to)])
        return HK_OK;
    return hk_error(c->cli->ctx, HK_E_USAGE, (hk_where){.file = c->to},
                    "name a package, or a file without '.ssp#' in its name",
                    "the name means one description of a package, which is not written alone");
}

static hk_status run_convert(hk_cli *cli, const hk_args *args) {
    conversion c = {cli, args->operands[0], args->operands[1], args, {.arena = cli->arena}};
    const char *extension = from_extension(cli, c.from);
    hk_file_kind kind;
    if (hk_args_has(args, "skeleton"))
        return hk_convert_skeleton(cli, args);
    HK_TRY(refuse_variant(&c));
    if (strcasecmp(extension, ".json") != 0 || !hk_file_exists(c.from))
        HK_TRY(hk_file_classify(cli->ctx, c.from, &kind)); /* that there is such a file */
    for (size_t i = 0; i < PAIR_COUNT; i++)
        if (strcasecmp(extension, pairs[i].from) == 0 &&
            strcasecmp(hk_path_extension(c.to), pairs[i].to) == 0)
            return convert(&c, &pairs[i]);
    return no_pair(&c);
}

static const hk_option options[] = {
    {.name = "set",
     .argument = "NAME=VALUE",
     .repeatable = true,
     .group = "Values",
     .help = "write this start value of a parameter or input; may be repeated"},
    {.name = "skeleton",
     .group = "Modules",
     .help = "from a block of the platform RoboChart (.sysml) a module (.rct) with its ports, or "
             "from a module its block"},
};

const hk_verb hk_verb_convert = {
    .name = "convert",
    .summary = "write a system in another format, or with other values",
    .operands = "FROM TO",
    .files = "xml ssd ssp system sysml json rct",
    .description =
        "FROM is a system of the Open Simulation Platform (.xml, or the folder that holds its "
        "OspSystemStructure.xml), a system of SSP (.ssp, .ssd), a system file (.system) or a "
        "multi-model in SysML v2 (.sysml); TO is named .ssd, .ssp, .system or .sysml. Systems in "
        "systems become composites or LComponents, and these systems. Multi-models of INTO-CPS "
        "(.json, "
        "with the experiment in the file .coe.json beside it) are converted from and to .sysml, "
        "and to "
        ".ssd, .ssp and .system. "
        "FMUs and plugins are named by their paths, packed into a .ssp, or copied from one "
        "into the folder TO_files, which must be new. A run of TO gives the same bytes.\n\n"
        "What SSP has no words for (periods, lags, sums, interfaces) is written as annotations of "
        "the Open Simulation Platform and of hocket. What a run needs and TO cannot say is "
        "refused, and no file is made; if something else is left out, a warning says what, and "
        "left_out in the answer of --json lists it.\n\n"
        "Between two files of one format everything stays: comments, order, geometry, annotations "
        "of other tools. The file is written in its canonical form, with the values of --set.\n\n"
        "With --skeleton a RoboChart module is made from its block, or a block from its module: "
        "the "
        "ports are whole, and what they are for is left to you. TO must be new.",
    .options = {options, sizeof options / sizeof *options},
    .run = run_convert,
};

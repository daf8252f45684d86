/* SPDX-License-Identifier: MIT
 *
 * `hocket convert`: a system in the format of another tool. One row of the table for each pair. */
#include "assembly/load.h"
#include "base/file.h"
#include "cli/cli.h"
#include "osp/osp.h"
#include "ssp/ssp.h"

#include <string.h>
#include <strings.h>

/* What was read and written, for the answer. */
typedef struct counts {
    size_t components, connections;
} counts;

typedef hk_status convert_fn(hk_cli *cli, const char *from, const char *to, counts *ret_counts);

static hk_status osp_to_ssd(hk_cli *cli, const char *from, const char *to, counts *ret_counts) {
    hk_model *model;
    HK_TRY(hk_osp_read(cli->ctx, from, NULL, &model));
    *ret_counts = (counts){model->component_count, model->connection_count};
    hk_status status = hk_ssp_write(cli->ctx, model, to);
    hk_model_destroy(model);
    return status;
}

static const struct conversion {
    const char *from, *to; /* extensions */
    convert_fn *convert;
} conversions[] = {{".xml", ".ssd", osp_to_ssd}};
enum { CONVERSION_COUNT = sizeof conversions / sizeof *conversions };

/* The folder of a system of the Open Simulation Platform stands for the file in it. */
static const char *from_extension(hk_cli *cli, const char *path) {
    bool folder =
        hk_folder_exists(path) && hk_file_exists(hk_path_join(cli->arena, path, HK_OSP_FILE));
    return folder ? ".xml" : hk_path_extension(path);
}

static hk_status no_conversion(hk_cli *cli, const char *from, const char *to) {
    const char *pairs = "";
    for (size_t i = 0; i < CONVERSION_COUNT; i++)
        pairs = hk_arena_printf(cli->arena, "%s%s%s to %s", pairs, *pairs ? ", " : "",
                                conversions[i].from, conversions[i].to);
    return hk_error(cli->ctx, HK_E_USAGE, (hk_where){.file = from},
                    hk_arena_printf(cli->arena, "convert knows %s", pairs),
                    "'%s' cannot be converted to '%s'", from_extension(cli, from),
                    hk_path_extension(to));
}

static void put_json(hk_cli *cli, const char *from, const char *to, const counts *made) {
    hk_json json;
    hk_answer_begin(cli, &json, "convert");
    hk_json_string(&json, "file", from);
    hk_json_string(&json, "output", to);
    hk_json_i64(&json, "components", (int64_t)made->components);
    hk_json_i64(&json, "connections", (int64_t)made->connections);
    hk_answer_end(&json);
}

static hk_status run_convert(hk_cli *cli, const hk_args *args) {
    const char *from = args->operands[0], *to = args->operands[1];
    const char *extension = from_extension(cli, from);
    const struct conversion *found = NULL;
    hk_file_kind kind;
    HK_TRY(hk_file_classify(cli->ctx, from, &kind)); /* that there is such a file */
    for (size_t i = 0; i < CONVERSION_COUNT; i++)
        if (strcasecmp(extension, conversions[i].from) == 0 &&
            strcasecmp(hk_path_extension(to), conversions[i].to) == 0)
            found = &conversions[i];
    if (!found)
        return no_conversion(cli, from, to);
    counts made;
    HK_TRY(found->convert(cli, from, to, &made));
    if (cli->json)
        put_json(cli, from, to, &made);
    else if (!cli->quiet)
        fprintf(stderr, "convert: %s (%zu component%s, %zu connection%s)\n", to, made.components,
                made.components == 1 ? "" : "s", made.connections,
                made.connections == 1 ? "" : "s");
    return HK_OK;
}

const hk_verb hk_verb_convert = {
    .name = "convert",
    .summary = "write a system in another format",
    .operands = "FROM TO",
    .operands_min = 2,
    .operands_max = 2,
    .files = "xml ssd",
    .description =
        "FROM is a system of the Open Simulation Platform (.xml, or the folder that holds its "
        "OspSystemStructure.xml), TO a system description of SSP (.ssd). The FMUs stay where they "
        "are and are named by the way to them. A run of TO gives the same bytes.\n\n"
        "Step sizes are written as annotations that libcosim reads; sums, and what else only "
        "hocket can run, as annotations and components of hocket's own. What cannot be written is "
        "refused, and no file is made.",
    .run = run_convert,
};

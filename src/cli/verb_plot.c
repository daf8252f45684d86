/* SPDX-License-Identifier: MIT
 *
 * `hocket plot`: a record as a picture, in a file or in the terminal. */
#include "base/file.h"
#include "base/number.h"
#include "cli/cli.h"
#include "draw/plot.h"
#include "record/select.h"
#include "report/info.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { SIZE_MIN = 10, SIZE_LIMIT = 100000, HEIGHT_MAX = 30 };

static hk_status read_size(hk_cli *cli, const hk_args *args, const char *name, unsigned *ret_size) {
    const char *text = hk_args_value(args, name);
    uint64_t size;
    if (!text)
        return HK_OK;
    if (!hk_read_u64(text, strlen(text), &size) || size < SIZE_MIN || size > SIZE_LIMIT)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "a whole number from 10 to 100000",
                        "'%s' is no %s", text, name);
    *ret_size = (unsigned)size;
    return HK_OK;
}

static void plot_terminal(hk_cli *cli, const hk_table *table, const size_t *columns, size_t count,
                          hk_plot_options *options) {
    int height = hk_terminal_height(STDOUT_FILENO);
    if (!options->width)
        options->width = (unsigned)cli->width;
    if (!options->height && height > SIZE_MIN)
        options->height = (unsigned)(height - 2 < HEIGHT_MAX ? height - 2 : HEIGHT_MAX);
    options->colour = cli->color_out;
    options->ascii = !hk_terminal_is_utf8();
    hk_plot_terminal(table, columns, count, options, stdout);
}

static void put_json(hk_cli *cli, const char *file, const char *output, const hk_table *table,
                     const size_t *columns, size_t count) {
    hk_json json;
    hk_answer_begin(cli, &json, "plot");
    hk_json_string(&json, "file", file);
    hk_json_string(&json, "output", output);
    hk_json_i64(&json, "rows", (int64_t)table->rows);
    hk_json_array(&json, "signals");
    for (size_t i = 0; i < count; i++)
        hk_json_string(&json, NULL, table->names[columns[i]]);
    hk_json_end(&json);
    hk_answer_end(&json);
}

/* The one column that TEXT names. */
static hk_status find_column(hk_cli *cli, const hk_table *table, const char *file, const char *text,
                             size_t *ret_column) {
    size_t *found, count;
    HK_TRY(hk_table_select(cli->ctx, table, file, &text, 1, cli->arena, &found, &count));
    if (count != 1)
        return hk_error(cli->ctx, HK_E_USAGE, (hk_where){.file = file}, "name one of them",
                        "'%s' is to be one signal, and matches %zu", text, count);
    *ret_column = *found;
    return HK_OK;
}

/* Several --over: as many signals, each over its own, in the order of the command line. */
static hk_status pair_over(hk_cli *cli, const hk_args *args, const hk_table *table, size_t given,
                           size_t *columns, size_t *over) {
    if (args->operand_count - 1 != given)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "one --over for all, or one for each",
                        "%zu signals are named, and %zu --over", args->operand_count - 1, given);
    for (size_t i = 0; i < given; i++) {
        const char *file = args->operands[0];
        HK_TRY(find_column(cli, table, file, args->operands[1 + i], &columns[i]));
        HK_TRY(find_column(cli, table, file, hk_args_nth(args, "over", i), &over[i]));
    }
    return HK_OK;
}

/* One --over: all signals over it, but for itself if none is named. */
static hk_status share_over(hk_cli *cli, const hk_args *args, const hk_table *table,
                            size_t *columns, size_t *count, size_t *over) {
    size_t column = 0, kept = 0;
    HK_TRY(find_column(cli, table, args->operands[0], hk_args_nth(args, "over", 0), &column));
    for (size_t i = 0; i < *count; i++) {
        over[i] = column;
        if (columns[i] != column || args->operand_count > 1)
            columns[kept++] = columns[i];
    }
    *count = kept;
    return HK_OK;
}

/* What the signals are plotted over, if it is not the time. */
static hk_status find_over(hk_cli *cli, const hk_args *args, const hk_table *table,
                           size_t **columns, size_t *count, hk_plot_options *options) {
    size_t given = 0;
    while (hk_args_nth(args, "over", given))
        given++;
    options->equal = hk_args_has(args, "equal");
    if (!given && options->equal)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "add --over SIGNAL",
                        "--equal is for signals over other signals, not over the time");
    if (!given)
        return HK_OK;
    size_t *over = HK_NEW_ARRAY(cli->arena, size_t, *count + given);
    options->over = over;
    if (given == 1)
        return share_over(cli, args, table, *columns, count, over);
    *columns = HK_NEW_ARRAY(cli->arena, size_t, given);
    *count = given;
    return pair_over(cli, args, table, given, *columns, over);
}

static hk_status run_plot(hk_cli *cli, const hk_args *args) {
    const char *file = args->operands[0], *output = hk_args_value(args, "output");
    if (hk_names_master(file))
        return hk_error(cli->ctx, HK_E_FILE_KIND, (hk_where){.file = file},
                        "hocket info or hocket prove",
                        "a master in words has no values over time to plot");
    if (output && strcasecmp(hk_path_extension(output), ".svg") != 0)
        return hk_error(cli->ctx, HK_E_FILE_KIND, (hk_where){.file = output},
                        "name it with the extension .svg", "plots are written as SVG only");
    if (cli->json && !output)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "add -o FILE.svg",
                        "--json leaves no room for a plot in the terminal");
    hk_plot_options options = {.title = hk_args_value(args, "title"),
                               .stepped = hk_args_has(args, "stepped")};
    if (hk_args_has(args, "separate"))
        options.panels = HK_PANELS_SEPARATE;
    else if (hk_args_has(args, "together"))
        options.panels = HK_PANELS_TOGETHER;
    HK_TRY(read_size(cli, args, "width", &options.width));
    HK_TRY(read_size(cli, args, "height", &options.height));
    const hk_table *table;
    size_t *columns, count;
    HK_TRY(hk_table_read(cli->ctx, cli->arena, file, &table));
    HK_TRY(hk_table_select(cli->ctx, table, file, args->operands + 1, args->operand_count - 1,
                           cli->arena, &columns, &count));
    HK_TRY(find_over(cli, args, table, &columns, &count, &options));
    if (table->rows == 0 || count == 0)
        return hk_error(cli->ctx, HK_E_CSV, (hk_where){.file = file}, NULL,
                        table->rows ? "there is no signal beside the time"
                                    : "there are no rows to plot");
    if (!output) {
        plot_terminal(cli, table, columns, count, &options);
        return HK_OK;
    }
    HK_TRY(hk_plot_svg(cli->ctx, table, columns, count, &options, output));
    if (cli->json)
        put_json(cli, file, output, table, columns, count);
    else if (!cli->quiet)
        fprintf(stderr, "plot: %s (%zu signal%s, %zu rows)\n", output, count, count == 1 ? "" : "s",
                table->rows);
    return HK_OK;
}

static const hk_option options[] = {
    {.name = "output",
     .letter = 'o',
     .argument = "FILE.svg",
     .files = "svg",
     .written = true,
     .group = "Plot",
     .help = "write an SVG file instead of plotting in the terminal"},
    {.name = "title", .argument = "TEXT", .group = "Plot", .help = "heading of the plot"},
    {.name = "width",
     .argument = "N",
     .group = "Plot",
     .help = "width: pixels of the SVG, or characters of the terminal (default: its width)"},
    {.name = "height",
     .argument = "N",
     .group = "Plot",
     .help = "height: pixels of one panel of the SVG, or lines of the terminal"},
    {.name = "over",
     .argument = "SIGNAL",
     .repeatable = true,
     .group = "Plot",
     .help = "plot over this signal instead of the time; given several times, one for each signal"},
    {.name = "equal",
     .group = "Plot",
     .help = "with --over: one panel with the same scale on both axes, as for a map"},
    {.name = "together", .group = "Plot", .help = "all signals in one panel"},
    {.name = "separate", .group = "Plot", .help = "one panel for each signal"},
    {.name = "stepped",
     .group = "Plot",
     .help = "hold each value until the next sample instead of joining them by lines"},
};

const hk_verb hk_verb_plot = {
    .name = "plot",
    .summary = "plot a record in the terminal or to SVG",
    .operands = "FILE.csv [SIGNAL...]",
    .operands_min = 1,
    .operands_max = SIZE_MAX,
    .files = HK_TABLE_EXTENSIONS,
    .description = "SIGNAL is the name of a column or a pattern with '*' and '?'; without any all "
                   "columns are plotted. Signals of very different range get panels of their own.",
    .options = {options, sizeof options / sizeof *options},
    .run = run_plot,
};

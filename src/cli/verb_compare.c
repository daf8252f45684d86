/* SPDX-License-Identifier: MIT
 *
 * `hocket compare`: do two records say the same, and if not, where and by how much. */
#include "assembly/load.h"
#include "base/file.h"
#include "base/number.h"
#include "cli/cli.h"
#include "cli/compare_text.h"
#include "draw/plot.h"
#include "format/table_read.h"
#include "record/about.h"

#include <string.h>
#include <unistd.h>

enum { PLOT_HEIGHT = 16 };

static hk_status read_amount(hk_cli *cli, const hk_args *args, const char *name, double *amount) {
    const char *text = hk_args_value(args, name);
    if (!text || hk_compare_read_amount(text, strlen(text), amount))
        return HK_OK;
    return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "a number that is not negative: 1e-6",
                    "'%s' is not a value for --%s", text, name);
}

static hk_patterns read_patterns(hk_cli *cli, const hk_args *args, const char *name) {
    size_t count = 0;
    while (hk_args_nth(args, name, count))
        count++;
    const char **patterns = HK_NEW_ARRAY(cli->arena, const char *, count);
    for (size_t i = 0; i < count; i++)
        patterns[i] = hk_args_nth(args, name, i);
    return (hk_patterns){patterns, count};
}

static hk_status read_limit(hk_cli *cli, const hk_args *args, size_t *ret_limit) {
    const char *text = hk_args_value(args, "limit");
    uint64_t limit = HK_COMPARE_SHOWN;
    if (text && !hk_read_u64(text, strlen(text), &limit))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "a whole number; 0 shows all",
                        "'%s' is not a value for --limit", text);
    *ret_limit = limit ? (size_t)limit : SIZE_MAX;
    return HK_OK;
}

static hk_compare_times read_times(const hk_args *args) {
    const char *text = hk_args_value(args, "interpolate");
    if (!hk_args_has(args, "interpolate"))
        return HK_TIMES_SAME;
    if (!text || strcmp(text, "both") == 0)
        return HK_TIMES_BOTH;
    return strcmp(text, "first") == 0 ? HK_TIMES_FIRST : HK_TIMES_SECOND;
}

static hk_status read_options(hk_cli *cli, const hk_args *args, hk_compare_options *ret_options) {
    hk_compare_options options = {.only = read_patterns(cli, args, "only"),
                                  .ignore = read_patterns(cli, args, "ignore"),
                                  .hold = read_patterns(cli, args, "hold"),
                                  .linear = read_patterns(cli, args, "linear"),
                                  .common = hk_args_has(args, "common"),
                                  .bits = hk_args_has(args, "bits"),
                                  .times = read_times(args),
                                  .twice = hk_args_has(args, "plot")};
    hk_compare_texts texts = {.tolerance_for = read_patterns(cli, args, "tolerance-for"),
                              .map = read_patterns(cli, args, "map")};
    HK_TRY(read_amount(cli, args, "abs", &options.tolerance.absolute));
    HK_TRY(read_amount(cli, args, "rel", &options.tolerance.relative));
    HK_TRY(read_amount(cli, args, "time-tolerance", &options.time_tolerance));
    HK_TRY(hk_compare_complete(cli->ctx, cli->arena, &texts, &options));
    *ret_options = options;
    return HK_OK;
}

/* The values of one signal in both records, for the plot. */
typedef struct curves {
    double *columns[3];
    size_t counts[3], caps[3];
} curves;

static void add_point(void *user, double time, double first, double second) {
    curves *c = user;
    const double values[3] = {time, first, second};
    for (int i = 0; i < 3; i++)
        HK_PUSH(c->columns[i], c->counts[i], c->caps[i], values[i]);
}

/* Unit, type and items of a signal, as its record says them; they live as long as the reader. What
 * is wrong with the record was said when it was compared. */
static hk_table_reader *describe(hk_cli *cli, const char *path, const char *name,
                                 hk_plot_column *column) {
    hk_table_reader *reader = NULL;
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    if (hk_table_open(quiet, path, &reader) == HK_OK) {
        const hk_table_column *about = hk_table_about(reader);
        for (size_t i = 0; about && i < hk_table_columns(reader); i++)
            if (strcmp(about[i].name, name) == 0)
                hk_plot_describe(cli->arena, &about[i], column);
    }
    hk_ctx_destroy(quiet);
    return reader;
}

static void plot_both(hk_cli *cli, const hk_compare_view *view, const hk_compared *worst,
                      const curves *c) {
    const hk_plot_column time = {.name = "time", .values = c->columns[0]};
    hk_plot_column sides[2];
    hk_plot_curve shown[2];
    hk_table_reader *readers[2];
    for (unsigned side = 0; side < 2; side++) {
        sides[side] = (hk_plot_column){
            .name = hk_arena_printf(cli->arena, "%s: %s", view->paths[side], worst->names[side]),
            .values = c->columns[side + 1]};
        readers[side] = describe(cli, view->paths[side], worst->names[side], &sides[side]);
        shown[side] =
            (hk_plot_curve){.x = &time, .y = &sides[side], .rows = c->counts[0], .run = side};
    }
    /* One above the other where neither colours nor marks tell them apart. */
    bool ascii = !hk_terminal_is_utf8(), alike = !cli->color_out && !ascii;
    putchar('\n');
    (void)hk_plot_terminal(&(const hk_plot){.curves = shown,
                                            .curve_count = 2,
                                            .panels = alike ? HK_PANELS_CURVES : HK_PANELS_TOGETHER,
                                            .width = (unsigned)cli->width,
                                            .height = alike ? 2 * PLOT_HEIGHT : PLOT_HEIGHT,
                                            .colour = cli->color_out,
                                            .ascii = ascii},
                           stdout);
    for (int side = 0; side < 2; side++)
        hk_table_close(readers[side]);
}

/* Goes through the records once more, for the worst signal alone. */
static hk_status plot_worst(hk_cli *cli, const hk_compare_view *view,
                            const hk_compare_options *options) {
    const hk_compared *worst = view->comparison->worst[0];
    hk_compare_options again = *options;
    curves c = {0};
    again.only = (hk_patterns){&worst->names[0], 1};
    again.on_point = add_point;
    again.user = &c;
    const hk_comparison *ignored;
    hk_status status = hk_records_compare(cli->ctx, cli->arena, view->paths, &again, &ignored);
    if (status == HK_OK)
        plot_both(cli, view, worst, &c);
    for (int i = 0; i < 3; i++)
        hk_free(c.columns[i]);
    return status;
}

/* What is of another kind by its name is not a record; all else is read as a table. */
static hk_status check_kind(hk_cli *cli, const char *path) {
    hk_file_kind kind;
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    bool other = hk_file_classify(quiet, path, &kind) == HK_OK && kind != HK_FILE_TABLE;
    hk_ctx_destroy(quiet);
    return other ? hk_error(cli->ctx, HK_E_FILE_KIND, (hk_where){.file = path},
                            "'hocket run FILE -o run.csv' makes a record",
                            "this is not a record: records are .csv, .mat or .h5 files")
                 : HK_OK;
}

static void answer(hk_cli *cli, const hk_compare_view *view) {
    hk_json json;
    hk_answer_begin(cli, &json, "compare");
    hk_compare_put(view, &json);
    hk_answer_end(&json);
}

static hk_status run_compare(hk_cli *cli, const hk_args *args) {
    hk_compare_options options;
    hk_compare_view view = {.paths = {args->operands[0], args->operands[1]}};
    HK_TRY(read_options(cli, args, &options));
    HK_TRY(read_limit(cli, args, &view.limit));
    view.options = &options;
    bool plot = hk_args_has(args, "plot");
    if (plot && cli->json)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "leave out one of them",
                        "--json leaves no room for a plot");
    for (int side = 0; side < 2; side++)
        HK_TRY(check_kind(cli, view.paths[side]));
    HK_TRY(hk_records_compare(cli->ctx, cli->arena, view.paths, &options, &view.comparison));
    hk_compare_tell_libm(cli->ctx, &view);
    if (cli->json)
        answer(cli, &view);
    else if (!cli->quiet)
        hk_compare_text(cli, &view);
    if (plot && !cli->quiet && view.comparison->worst_count)
        HK_TRY(plot_worst(cli, &view, &options));
    return view.comparison->equal ? HK_OK : hk_compare_fail(cli->ctx, cli->arena, &view);
}

#define TOLERANCES "Tolerances"
#define SIGNALS    "Signals"
#define TIMES      "Times"

static const hk_option options[] = {
    {.name = "rel",
     .argument = "R",
     .aliases = "relative-tolerance rtol",
     .group = TOLERANCES,
     .help = "allow |a - b| up to R times the larger of |a| and |b| (default: 0, exactly equal)"},
    {.name = "abs",
     .argument = "A",
     .aliases = "absolute-tolerance atol",
     .group = TOLERANCES,
     .help = "allow |a - b| up to A, in addition to --rel (default: 0)"},
    {.name = "tolerance-for",
     .argument = "PATTERN=A[,R]",
     .repeatable = true,
     .group = TOLERANCES,
     .help = "other tolerances for the signals that match; the last one that matches counts"},
    {.name = "bits", .group = TOLERANCES, .help = "also tell -0 from 0, which are equal otherwise"},
    {.name = "only",
     .argument = "PATTERN",
     .repeatable = true,
     .group = SIGNALS,
     .help = "compare these signals only; '*' stands for any text, '?' for one character"},
    {.name = "ignore",
     .argument = "PATTERN",
     .repeatable = true,
     .group = SIGNALS,
     .help = "leave these signals out"},
    {.name = "map",
     .argument = "NAME=OTHER",
     .repeatable = true,
     .group = SIGNALS,
     .help = "signal NAME of the first record is called OTHER in the second"},
    {.name = "common",
     .group = SIGNALS,
     .help = "leave out signals that only one of the records has, instead of counting them as a "
             "difference"},
    {.name = "time-tolerance",
     .argument = "T",
     .group = TIMES,
     .help = "times that differ by T seconds at most are the same (default: 0)"},
    {.name = "interpolate",
     .argument = "AT",
     .optional = true,
     .choices = "both first second",
     .group = TIMES,
     .help = "compare records with different times, at the times of both, of the first or of the "
             "second (default: both); whole numbers and text are held, all else is joined by "
             "lines"},
    {.name = "hold",
     .argument = "PATTERN",
     .repeatable = true,
     .group = TIMES,
     .help = "with --interpolate: hold these signals until their next row"},
    {.name = "linear",
     .argument = "PATTERN",
     .repeatable = true,
     .group = TIMES,
     .help = "with --interpolate: join these by lines, though all their values are whole"},
    {.name = "limit",
     .argument = "N",
     .group = "Answer",
     .help = "how many of the worst signals to show (default: 10; 0 shows all)"},
    {.name = "plot", .group = "Answer", .help = "plot the worst signal in the terminal"},
};

const hk_verb hk_verb_compare = {
    .name = "compare",
    .summary = "compare two records and find where they part",
    .operands = "FIRST SECOND",
    .files = HK_TABLE_EXTENSIONS,
    .description =
        "FIRST and SECOND are records: .csv, .mat or .h5. "
        "Signals are compared by name, row by row; without tolerances the numbers must be exactly "
        "equal. NaN equals NaN, and what is not a number is compared as text. Rows with the same "
        "time "
        "as the one before (events) are compared in pairs.\n\n"
        "Exit status: 0 if the records are equal, 1 if they differ, 3 if one cannot be read. Files "
        "may be larger than the memory.",
    .options = {options, sizeof options / sizeof *options},
    .run = run_compare,
};

/* SPDX-License-Identifier: MIT
 *
 * `hocket plot`: records as a picture, in a file or in the terminal; a system as a graph; a
 * RoboChart module or a multi-model as a diagram. */
#include "base/file.h"
#include "cli/info_master.h"
#include "cli/plot_graph.h"
#include "cli/plot_read.h"
#include "cli/plot_scene.h"
#include "cli/view_options.h"
#include "format/table_read.h"
#include "record/select.h"
#include "report/info_report.h"

#include <string.h>
#include <unistd.h>

enum { HEIGHT_MIN = 10, HEIGHT_MAX = 30 };

/* The words of the command line: records first, then signals. */
typedef struct plotting {
    hk_cli *cli;
    const hk_args *args;
    hk_plot_wish wish;
    size_t table_cap;
    const char *const *signals;
    size_t signal_count;
    hk_plot plot;
} plotting;

/* ---- records ---- */

/* The first named signal that the record does not have; NULL: it has them all. */
static const char *missing_signal(const plotting *p, const hk_plot_table *table) {
    for (size_t s = 0; s < p->signal_count; s++) {
        size_t c = 1;
        while (c < table->column_count && strcmp(p->signals[s], table->columns[c].name) != 0 &&
               !hk_glob_match(p->signals[s], table->columns[c].name))
            c++;
        if (c >= table->column_count)
            return p->signals[s];
    }
    return NULL;
}

/* Without named signals: the columns of the first record. */
static const char *missing_column(const hk_plot_table *first, const hk_plot_table *table) {
    for (size_t c = 1; c < first->column_count; c++)
        if (!hk_plot_find(table, first->columns[c].name))
            return first->columns[c].name;
    return NULL;
}

/* A folder may hold records of several kinds: those that have the signals are shown. */
static hk_status add_folder(plotting *p, const char *folder) {
    hk_arena *arena = p->cli->arena;
    size_t first = p->wish.table_count, kept = first;
    const char *left = ""; /* who is left out, and why */
    HK_TRY(
        hk_plot_read_folder(p->cli, folder, &p->wish.tables, &p->wish.table_count, &p->table_cap));
    for (size_t i = first; i < p->wish.table_count; i++) {
        const hk_plot_table *table = p->wish.tables[i];
        const char *missing =
            p->signal_count ? missing_signal(p, table) : missing_column(p->wish.tables[0], table);
        if (missing)
            left = hk_arena_printf(arena, "%s%s%s (no '%s')", left, *left ? ", " : "",
                                   hk_path_name(table->file), missing);
        else
            p->wish.tables[kept++] = table;
    }
    if (kept == first)
        return hk_error(p->cli->ctx, HK_E_UNKNOWN_SIGNAL, (hk_where){.file = folder}, NULL,
                        p->signal_count ? "no record of this folder has all signals that are named"
                                        : "no record of this folder has the columns of the first "
                                          "record");
    if (kept < p->wish.table_count)
        hk_note(p->cli->ctx, (hk_where){.file = folder},
                "left out, because they do not have all signals %s%s: %zu of %zu records: %s",
                p->signal_count ? "that are named" : "of ",
                p->signal_count ? "" : hk_path_name(p->wish.tables[0]->file),
                p->wish.table_count - kept, p->wish.table_count - first, left);
    p->wish.table_count = kept;
    return HK_OK;
}

static hk_status add_record(plotting *p, const char *path) {
    const hk_plot_table *table;
    if (hk_folder_exists(path))
        return add_folder(p, path);
    HK_TRY(hk_plot_read(p->cli, path, &table));
    HK_PUSH(p->wish.tables, p->wish.table_count, p->table_cap, table);
    return HK_OK;
}

static hk_status read_records(plotting *p) {
    const hk_args *args = p->args;
    size_t count = 1;
    while (count < args->operand_count &&
           (hk_plot_names_record(args->operands[count]) || hk_folder_exists(args->operands[count])))
        count++;
    p->signals = args->operands + count;
    p->signal_count = args->operand_count - count;
    for (size_t i = 0; i < count; i++)
        HK_TRY(add_record(p, args->operands[i]));
    return HK_OK;
}

/* ---- signals ---- */

static void add_name(plotting *p, const char *name) {
    hk_plot_wish *w = &p->wish;
    for (size_t i = 0; i < w->name_count; i++)
        if (strcmp(w->names[i], name) == 0)
            return;
    w->names[w->name_count++] = name;
}

/* The columns that the signals choose in all records, each once. */
static hk_status choose_names(plotting *p) {
    hk_plot_wish *w = &p->wish;
    size_t most = 0;
    for (size_t t = 0; t < w->table_count; t++)
        most += w->tables[t]->column_count;
    w->names = HK_NEW_ARRAY(p->cli->arena, const char *, most + p->signal_count + 1);
    for (size_t t = 0; t < w->table_count; t++) {
        size_t *columns, count;
        HK_TRY(hk_plot_select(p->cli, w->tables[t], p->signals, p->signal_count, &columns, &count));
        for (size_t i = 0; i < count; i++)
            add_name(p, w->tables[t]->columns[columns[i]].name);
    }
    return HK_OK;
}

/* The one column that TEXT names. */
static hk_status find_column(plotting *p, const char *text, const char **ret_name) {
    const hk_plot_table *table = p->wish.tables[0];
    size_t *found, count;
    HK_TRY(hk_plot_select(p->cli, table, &text, 1, &found, &count));
    size_t twins = 0; /* of which the first is plotted: that is said where the record is read */
    for (size_t i = 0; i < count; i++)
        twins += strcmp(table->columns[found[i]].name, table->columns[found[0]].name) == 0;
    if (!count || twins != count)
        return hk_error(p->cli->ctx, HK_E_USAGE, (hk_where){.file = table->file},
                        "name one of them", "'%s' is to be one signal, and matches %zu", text,
                        count);
    *ret_name = table->columns[*found].name;
    return HK_OK;
}

/* --xy: signals in pairs, first what is to the right, then what is up. */
static hk_status pair_xy(plotting *p) {
    if (!p->signal_count || p->signal_count % 2)
        return hk_error(p->cli->ctx, HK_E_USAGE, HK_NOWHERE, "hocket plot FILE.csv --xy X Y",
                        "--xy needs pairs of signals, and %zu %s named", p->signal_count,
                        p->signal_count == 1 ? "is" : "are");
    for (size_t i = 0; i < p->signal_count / 2; i++) {
        HK_TRY(find_column(p, p->signals[2 * i], &p->wish.overs[i]));
        HK_TRY(find_column(p, p->signals[2 * i + 1], &p->wish.names[i]));
    }
    p->wish.name_count = p->signal_count / 2;
    return HK_OK;
}

/* Several --over: as many signals, each over its own, in the order of the command line. */
static hk_status pair_over(plotting *p, size_t given) {
    if (p->signal_count != given)
        return hk_error(p->cli->ctx, HK_E_USAGE, HK_NOWHERE, "one --over for all, or one for each",
                        "%zu signal%s %s named, and %zu --over", p->signal_count,
                        hk_plural(p->signal_count), p->signal_count == 1 ? "is" : "are", given);
    for (size_t i = 0; i < given; i++) {
        HK_TRY(find_column(p, p->signals[i], &p->wish.names[i]));
        HK_TRY(find_column(p, hk_args_nth(p->args, "over", i), &p->wish.overs[i]));
    }
    p->wish.name_count = given;
    return HK_OK;
}

/* One --over: all signals over it, but for itself if none is named. */
static hk_status share_over(plotting *p) {
    const char *over = NULL;
    size_t kept = 0;
    HK_TRY(find_column(p, hk_args_nth(p->args, "over", 0), &over));
    for (size_t i = 0; i < p->wish.name_count; i++)
        if (p->signal_count || strcmp(p->wish.names[i], over) != 0) {
            p->wish.names[kept] = p->wish.names[i];
            p->wish.overs[kept++] = over;
        }
    p->wish.name_count = kept;
    return HK_OK;
}

/* What the signals are plotted over, if it is not the time. */
static hk_status choose_over(plotting *p) {
    size_t given = 0;
    bool xy = hk_args_has(p->args, "xy");
    while (hk_args_nth(p->args, "over", given))
        given++;
    p->plot.over = given || xy;
    p->plot.equal = hk_args_has(p->args, "equal");
    if (!p->plot.over)
        return HK_OK;
    p->wish.overs =
        HK_NEW_ARRAY(p->cli->arena, const char *, p->wish.name_count + p->signal_count + 1);
    return xy ? pair_xy(p) : given == 1 ? share_over(p) : pair_over(p, given);
}

/* ---- options ---- */

static hk_status choose_spread(plotting *p) {
    const char *kind = hk_args_value(p->args, "band");
    if (!hk_args_has(p->args, "band"))
        return HK_OK;
    p->wish.spread = kind && strcmp(kind, "deviation") == 0 ? HK_SPREAD_DEVIATION : HK_SPREAD_RANGE;
    if (p->wish.table_count < 2)
        return hk_error(p->cli->ctx, HK_E_USAGE, HK_NOWHERE,
                        "name several records, or a folder of them",
                        "--band is about several records, and there is one");
    return HK_OK;
}

static hk_status read_look(plotting *p) {
    const hk_args *args = p->args;
    p->plot.title = hk_args_value(args, "title");
    p->plot.stepped = hk_args_has(args, "stepped");
    p->plot.panels = hk_args_has(args, "separate")   ? HK_PANELS_SEPARATE
                     : hk_args_has(args, "together") ? HK_PANELS_TOGETHER
                     : hk_args_has(args, "split")    ? HK_PANELS_SPLIT
                                                     : HK_PANELS_AUTO;
    static const hk_plot_bounds widths[] = {{24, 4096, "characters"}, {240, 100000, "pixels"}};
    static const hk_plot_bounds heights[] = {{10, 4096, "lines"}, {40, 100000, "pixels"}};
    bool picture = hk_args_has(args, "output");
    HK_TRY(hk_plot_read_size(p->cli, args, "width", &widths[picture], &p->plot.width));
    return hk_plot_read_size(p->cli, args, "height", &heights[picture], &p->plot.height);
}

/* ---- the answer ---- */

static void note_repeats(const plotting *p, bool repeat) {
    if (repeat)
        hk_note(p->cli->ctx, HK_NOWHERE,
                "some curves of a panel look the same, because there are more curves than looks; "
                "--separate parts them");
}

static void plot_terminal(plotting *p) {
    int height = hk_terminal_height(STDOUT_FILENO);
    if (!p->plot.width)
        p->plot.width = (unsigned)p->cli->width;
    unsigned wanted = p->plot.height;
    if (!p->plot.height && height > HEIGHT_MIN)
        p->plot.height = (unsigned)(height - 2 < HEIGHT_MAX ? height - 2 : HEIGHT_MAX);
    p->plot.colour = p->cli->color_out;
    p->plot.ascii = !hk_terminal_is_utf8();
    note_repeats(p, hk_plot_terminal_looks_repeat(&p->plot));
    size_t lines = hk_plot_terminal(&p->plot, stdout);
    if (wanted && lines > wanted)
        hk_note(p->cli->ctx, HK_NOWHERE, "the panels need %zu lines, more than --height %u", lines,
                wanted);
}

static void put_json(const plotting *p, const char *output) {
    const hk_plot_wish *w = &p->wish;
    hk_json json;
    hk_answer_begin(p->cli, &json, "plot");
    hk_json_string(&json, "file", p->args->operands[0]);
    hk_json_string(&json, "output", output);
    hk_json_i64(&json, "rows", (int64_t)w->tables[0]->rows);
    hk_json_i64(&json, "records", (int64_t)w->table_count);
    hk_json_array(&json, "signals");
    for (size_t i = 0; i < w->name_count; i++)
        hk_json_string(&json, NULL, w->names[i]);
    hk_json_end(&json);
    hk_answer_end(&json);
}

static hk_status write_picture(plotting *p, const char *output) {
    const hk_plot_wish *w = &p->wish;
    if (p->plot.panels == HK_PANELS_AUTO && hk_plot_is_flat(&p->plot))
        hk_note(p->cli->ctx, HK_NOWHERE,
                "signals of very different size share a panel; --split parts them");
    note_repeats(p, hk_plot_looks_repeat(&p->plot));
    HK_TRY(hk_picture_write(p->cli->ctx, hk_plot_draw(&p->plot, hk_canvas_create()), output));
    if (p->cli->json)
        put_json(p, output);
    else if (!p->cli->quiet)
        fprintf(stderr, "plot: %s (%zu signal%s, %zu rows%s)\n", output, w->name_count,
                w->name_count == 1 ? "" : "s", w->tables[0]->rows,
                w->table_count == 1 ? ""
                                    : hk_arena_printf(p->cli->arena, " in the first of %zu records",
                                                      w->table_count));
    return HK_OK;
}

static hk_status plot_records(plotting *p, const char *output) {
    HK_TRY(read_look(p));
    HK_TRY(read_records(p));
    HK_TRY(choose_spread(p));
    HK_TRY(choose_names(p));
    HK_TRY(choose_over(p));
    const hk_plot_table *first = p->wish.tables[0];
    if (first->rows == 0 || p->wish.name_count == 0)
        return hk_error(p->cli->ctx, HK_E_CSV, (hk_where){.file = first->file}, NULL,
                        first->rows ? "there is no signal beside the time"
                                    : "there are no rows to plot");
    HK_TRY(hk_plot_drop_texts(p->cli, (hk_where){.file = first->file}, &p->wish));
    HK_TRY(hk_plot_curves(p->cli, &p->wish, &p->plot));
    HK_TRY(hk_plot_check_numbers(p->cli, &p->wish, &p->plot));
    HK_TRY(hk_plot_add_map(p->cli, p->args, &p->wish, &p->plot));
    HK_TRY(hk_plot_check_equal(p->cli, &p->plot));
    HK_TRY(hk_plot_add_marks(p->cli, p->args, &p->plot));
    hk_plot_note_infinite(p->cli, &p->wish);
    if (output)
        return write_picture(p, output);
    plot_terminal(p);
    return HK_OK;
}

/* What is shown; options are about one of them, but for the two that all have. */
typedef enum subject { RECORDS, SYSTEM, MODULE, MULTIMODEL, SCENE } subject;

static subject subject_of(const hk_option *o) {
    return strcmp(o->group, "System") == 0        ? SYSTEM
           : strcmp(o->group, "Module") == 0      ? MODULE
           : strcmp(o->group, "Multi-model") == 0 ? MULTIMODEL
           : strcmp(o->group, "Scene") == 0       ? SCENE
                                                  : RECORDS;
}

static hk_status check_options(hk_cli *cli, const hk_args *args, subject shown) {
    static const char *const words[] = {"plots of records", "graphs of systems",
                                        "diagrams of RoboChart modules", "diagrams of multi-models",
                                        "pictures of scenes"};
    for (size_t i = 0; i < args->own->count; i++) {
        const hk_option *o = &args->own->options[i];
        bool size = strcmp(o->name, "width") == 0 || strcmp(o->name, "height") == 0;
        bool all = strcmp(o->name, "output") == 0 || strcmp(o->name, "title") == 0 ||
                   (size && shown == SCENE);
        if (!all && hk_args_has(args, o->name) && subject_of(o) != shown)
            return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "leave it out",
                            "--%s is about %s, not about %s", o->name, words[subject_of(o)],
                            words[shown]);
    }
    return HK_OK;
}

static hk_status run_plot(hk_cli *cli, const hk_args *args) {
    const char *file = args->operands[0], *output = hk_args_value(args, "output");
    if (hk_names_master(file))
        return hk_error(cli->ctx, HK_E_FILE_KIND, (hk_where){.file = file},
                        "hocket info or hocket prove",
                        "a master in words has no values over time to plot");
    if (output)
        HK_TRY(hk_picture_check(cli->ctx, output, "plots"));
    subject shown = hk_names_scene(args)         ? SCENE
                    : hk_names_system(file)      ? SYSTEM
                    : hk_names_module(cli, file) ? MODULE
                    : hk_names_multimodel(file)  ? MULTIMODEL
                                                 : RECORDS;
    HK_TRY(check_options(cli, args, shown));
    if (shown == SYSTEM)
        return hk_plot_graph(cli, args, output);
    if (shown == MODULE)
        return hk_plot_chart(cli, args, output);
    if (shown == MULTIMODEL)
        return hk_plot_multimodel(cli, args, output);
    if (shown == SCENE)
        return hk_plot_scene(cli, args, output);
    if (cli->json && !output)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "add -o FILE.svg",
                        "--json leaves no room for a plot in the terminal");
    HK_TRY(hk_plot_check_options(cli, args));
    plotting p = {.cli = cli, .args = args};
    hk_status status = plot_records(&p, output);
    hk_free(p.wish.tables);
    return status;
}

static const hk_option options[] = {
    HK_OUTPUT_OPTION(
        "FILE", "svg png pdf", "Plot",
        "write a picture (.svg; .png and .pdf with rsvg-convert) instead of plotting in the "
        "terminal"),
    {.name = "title", .argument = "TEXT", .group = "Plot", .help = "heading of the plot"},
    {.name = "width",
     .argument = "N",
     .group = "Plot",
     .help = "width: pixels of the picture, or characters of the terminal (default: its width)"},
    {.name = "height",
     .argument = "N",
     .group = "Plot",
     .help = "height: pixels of one panel of the picture, or lines of the terminal"},
    {.name = "over",
     .argument = "SIGNAL",
     .repeatable = true,
     .group = "Plot",
     .help = "plot over this signal instead of the time; given several times, one for each signal"},
    {.name = "xy",
     .group = "Plot",
     .help = "the signals are pairs: the first is to the right, the second is up"},
    {.name = "equal",
     .group = "Plot",
     .help = "with --over or --xy: one panel with the same scale on both axes, as for a map"},
    {.name = "outline",
     .argument = "FILE",
     .files = HK_TABLE_EXTENSIONS,
     .repeatable = true,
     .group = "Plot",
     .help = "with --equal: draw the lines of a table around the signals, as walls or a coast: "
             "columns x and y, a point in each row, empty cells between two lines; may be "
             "repeated"},
    {.name = "spot",
     .argument = "SIGNAL[=TEXT]",
     .repeatable = true,
     .group = "Plot",
     .help = "with --equal: a dot wherever SIGNAL becomes other than 0, with words; may be "
             "repeated"},
    {.name = "together", .group = "Plot", .help = "all signals in one panel"},
    {.name = "separate", .group = "Plot", .help = "one panel for each signal"},
    {.name = "split",
     .group = "Plot",
     .help = "a panel for each unit, and apart what differs in size by more than 50 times"},
    {.name = "stepped",
     .group = "Plot",
     .help = "hold each value until the next sample instead of joining them by lines"},
    {.name = "band",
     .argument = "KIND",
     .optional = true,
     .choices = "range deviation",
     .group = "Runs",
     .help = "of several records, for each scenario: their mean (of Booleans the share of true, of "
             "enumerations the "
             "most frequent item), with a band from the smallest to the largest value ('range', "
             "the default) or of the standard deviation around it ('deviation')"},
    {.name = "mark",
     .argument = "TIME=TEXT",
     .repeatable = true,
     .group = "Runs",
     .help = "a vertical line at a time (2.5, 500ms), with words; may be repeated"},
    {.name = "no-marks",
     .group = "Runs",
     .help = "leave out events, limits and verdicts that are written beside the record"},
    {.name = "run",
     .argument = "FILE",
     .files = HK_TABLE_EXTENSIONS,
     .group = "Module",
     .help = "show what a run has done, by its record: states that were entered in colour, and how "
             "often each transition was taken"},
    {.name = "diagram",
     .argument = "KIND",
     .choices = "architecture connections",
     .group = "Multi-model",
     .help = "blocks with what they have and are composed of ('architecture', the default), or "
             "instances with their ports and flows ('connections')"},
    HK_SCENE_OPTIONS,
    HK_VIEW_OPTIONS,
};

const hk_verb hk_verb_plot = {
    .name = "plot",
    .summary = "plot records in the terminal or as a picture, draw systems, modules, scenes",
    .operands = "FILE... [SIGNAL...]",
    .files = HK_TABLE_EXTENSIONS " system ssp ssd fmu rct sysml scene",
    .description = "FILE is a record, '-' (standard input), a folder of records, or a system (a "
                   "folder with an OspSystemStructure.xml is one). "
                   "Several records are plotted over each other. SIGNAL is the name of a column or "
                   "a pattern with '*' and '?'; without any all columns are plotted. Signals of "
                   "one unit share a panel.\n\n"
                   "A system is drawn as a graph of components, connections, processors and ages "
                   "(-o FILE.svg).\n\n"
                   "A RoboChart module (.rct, or FILE.rct#MODULE) is drawn as a diagram of its "
                   "machines (-o FILE.svg); with --run also what a run has entered and taken. If "
                   "several components of the run are that module, name one behind FILE.\n\n"
                   "A multi-model in SysML v2 (.sysml) is drawn as one of its two diagrams "
                   "(-o FILE.svg, --diagram).\n\n"
                   "A scene (.scene) is drawn with what a record behind it says (-o FILE.svg): one "
                   "moment, or several with --frames. A package (.ssp) with a record behind it is "
                   "drawn as the scene that it names.",
    .options = {options, sizeof options / sizeof *options},
    .run = run_plot,
};

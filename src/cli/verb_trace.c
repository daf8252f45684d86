/* SPDX-License-Identifier: MIT
 *
 * `hocket trace`: where a value comes from. */
#include "base/number.h"
#include "cli/view_options.h"
#include "report/trace_report.h"

#include <string.h>

static void put_line(const hk_cli *cli, int level, const char *name, const char *words) {
    bool color = cli->color_out;
    printf("%*s%s", 2 * level, "", hk_style_on(color, HK_BOLD));
    hk_put_clean(stdout, name);
    printf("%s%s%s", hk_style_off(color), *name && *words ? "  " : "", hk_style_on(color, HK_DIM));
    hk_put_clean(stdout, words);
    printf("%s\n", hk_style_off(color));
}

/* How the value came is on the same line if there is room. */
static void print_node(void *user, int level, const char *name, const char *way,
                       const char *words) {
    const hk_cli *cli = user;
    if (!way) {
        put_line(cli, level, name, words);
        return;
    }
    name = hk_arena_printf(cli->arena, "<- %s", name);
    size_t used = 2 * (size_t)level + strlen(name) + 2 + strlen(words) + 2 + strlen(way);
    if (used <= (size_t)cli->width) {
        put_line(cli, level, name, hk_arena_printf(cli->arena, "%s; %s", words, way));
        return;
    }
    put_line(cli, level, name, words);
    put_line(cli, level + 1, "", way);
}

static void print_words(void *user, const char *text) {
    (void)user;
    hk_put_clean(stdout, text);
    putchar('\n');
}

static hk_status execute(hk_cli *cli, const hk_args *args, hk_view *view) {
    const char *depth = hk_args_value(args, "depth");
    hk_trace_wishes wishes = {
        .signal = args->operands[1], .at = hk_args_value(args, "at"), .depth = HK_TRACE_DEPTH};
    hk_trace_text text = {print_words, print_node, cli};
    hk_report report = hk_cli_report(cli);
    if (depth &&
        (!hk_read_u64(depth, strlen(depth), &wishes.depth) || wishes.depth > HK_TRACE_DEPTH_MAX))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "a whole number from 0 to 32",
                        "--depth: '%s' is not a valid number", depth);
    HK_TRY(hk_view_plan(view));
    hk_status status = hk_trace_make(&report, view, &wishes, cli->json ? NULL : &text);
    hk_cli_reported(cli, &report);
    return status;
}

static hk_status run_trace(hk_cli *cli, const hk_args *args) {
    hk_view view;
    hk_status status = hk_cli_open_view(cli, args, &view);
    if (status == HK_OK)
        status = execute(cli, args, &view);
    hk_view_close(&view);
    return status;
}

static const hk_option options[] = {
    {.name = "at",
     .argument = "TIME",
     .group = "Trace",
     .help = "the instant to look at, as a record has it: 1.5, 1/120, 20ms"},
    {.name = "depth",
     .argument = "N",
     .group = "Trace",
     .help = "how many connections to follow backwards (default 3)"},
    HK_VIEW_OPTIONS,
};

const hk_verb hk_verb_trace = {
    .name = "trace",
    .summary = "show where the value of a signal comes from",
    .operands = "SYSTEM SIGNAL",
    .files = "fmu ssp ssd xml system simulation",
    .description =
        "Follows the value that a record shows for SIGNAL (component.variable) at --at "
        "TIME backwards: which activation computed it, which inputs it depends on, which "
        "services its component calls, over which connections, with which lag and age, "
        "these came. Nothing is run. Where the order depends on who provides a service, it is the "
        "order of the beginning, and is named.",
    .options = {options, sizeof options / sizeof *options},
    .run = run_trace,
};

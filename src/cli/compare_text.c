/* SPDX-License-Identifier: MIT */
#include "cli/compare_text.h"

#include <math.h>
#include <string.h>

enum { DIGITS = 4, NAME_WIDTH_MAX = 40, NAME_WIDTH_MIN = 12 };

static const char *rounded(hk_cli *cli, double value) {
    return hk_show_rounded(cli->arena, value, DIGITS);
}

static bool is_exact(const hk_compare_options *options) {
    bool exact = !(options->tolerance.absolute > 0) && !(options->tolerance.relative > 0);
    for (size_t i = 0; i < options->tolerance_count; i++)
        exact &= !(options->tolerances[i].tolerance.absolute > 0) &&
                 !(options->tolerances[i].tolerance.relative > 0);
    return exact;
}

/* The signal with the largest difference, also where that is allowed. */
static const hk_compared *largest_difference(const hk_comparison *c) {
    const hk_compared *found = NULL;
    for (size_t i = 0; i < c->signal_count; i++)
        if (c->signals[i].max_absolute > (found ? found->max_absolute : 0))
            found = &c->signals[i];
    return found;
}

static void put_equal(hk_cli *cli, const hk_compare_view *view) {
    const hk_comparison *c = view->comparison;
    bool exact = is_exact(view->options);
    printf("%sequal%s%s: %s signal%s in %s row%s\n", hk_style_on(cli->color_out, HK_GREEN),
           hk_style_off(cli->color_out), exact ? "" : " within the tolerance",
           hk_show_count(cli->arena, c->signal_count), hk_plural(c->signal_count),
           hk_show_count(cli->arena, c->points), hk_plural(c->points));
    const hk_compared *largest = largest_difference(c);
    if (!exact && largest) {
        fputs("largest difference: ", stdout);
        printf("%s in ", rounded(cli, largest->max_absolute));
        hk_put_clean(stdout, largest->names[0]);
        printf(" (root mean square %s)\n", rounded(cli, largest->rms));
    }
}

static void put_names(const hk_compare_view *view, int side) {
    const hk_comparison *c = view->comparison;
    size_t count = c->only_in_count[side];
    if (!count)
        return;
    printf("only in %s:", view->paths[side]);
    for (size_t i = 0; i < count && i < view->limit; i++) {
        fputs(i ? ", " : " ", stdout);
        hk_put_clean(stdout, c->only_in[side][i]);
    }
    if (count > view->limit)
        printf(" and %zu more", count - view->limit);
    putchar('\n');
}

static void put_grids(hk_cli *cli, const hk_compare_view *view) {
    const hk_comparison *c = view->comparison;
    if (c->outside)
        printf("%s row%s of one record lie%s outside the time of the other\n",
               hk_show_count(cli->arena, c->outside), hk_plural(c->outside),
               c->outside == 1 ? "s" : "");
    if (!c->grids_differ)
        return;
    printf("the times differ after %s common row%s:\n", hk_show_count(cli->arena, c->points),
           hk_plural(c->points));
    for (int side = 0; side < 2; side++) {
        const char *time = hk_show_f64(cli->arena, c->grid[side].time);
        if (c->grid[side].ended && c->rows[side])
            printf("  %s ends at time %s (line %d)\n", view->paths[side], time, c->grid[side].line);
        else if (c->grid[side].ended)
            printf("  %s has no rows\n", view->paths[side]);
        else
            printf("  %s:%d  time %s%s\n", view->paths[side], c->grid[side].line, time,
                   c->grid[side].event ? " once more (an event)" : "");
    }
}

static void put_value(const hk_compare_view *view, const hk_point *point, int side) {
    printf("  %s", view->paths[side]);
    if (point->lines[side])
        printf(":%d", point->lines[side]);
    fputs("  ", stdout);
    hk_put_clean(stdout, point->values[side]);
    puts(point->lines[side] ? "" : "  (between two rows)");
}

static void put_first(hk_cli *cli, const hk_compare_view *view) {
    const hk_compared *signal = view->comparison->earliest;
    if (!signal)
        return;
    const hk_point *point = &signal->first;
    printf("first difference: time %s, ", hk_show_f64(cli->arena, point->time));
    hk_put_clean(stdout, signal->names[0]);
    size_t more = 0;
    for (size_t i = 0; i < view->comparison->worst_count; i++)
        more += view->comparison->worst[i]->first.row == point->row;
    if (more > 1)
        printf(" (and %zu more signal%s there)", more - 1, hk_plural(more - 1));
    putchar('\n');
    put_value(view, point, 0);
    put_value(view, point, 1);
    if (point->numbers)
        printf("  difference %s, relative %s\n", rounded(cli, point->difference),
               rounded(cli, point->relative));
}

static int name_width(const hk_compare_view *view, size_t count) {
    size_t width = NAME_WIDTH_MIN;
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(view->comparison->worst[i]->names[0]);
        width = length > width ? length : width;
    }
    return width < NAME_WIDTH_MAX ? (int)width : NAME_WIDTH_MAX;
}

static void put_worst(hk_cli *cli, const hk_compare_view *view) {
    const hk_comparison *c = view->comparison;
    size_t count = c->worst_count < view->limit ? c->worst_count : view->limit;
    if (!count)
        return;
    int width = name_width(view, count);
    printf("\n%-*s  %11s  %11s  %11s  %11s  %s\n", width, "worst signals", "largest", "relative",
           "rms", "worst at", "rows that differ");
    for (size_t i = 0; i < count; i++) {
        const hk_compared *signal = c->worst[i];
        hk_put_clean(stdout, signal->names[0]);
        int missing = width - (int)strlen(signal->names[0]);
        printf("%*s", missing > 0 ? missing : 0, "");
        printf("  %11s  %11s  %11s  %11s  %s of %s\n",
               signal->worst.numbers ? rounded(cli, signal->max_absolute) : "text",
               signal->worst.numbers ? rounded(cli, signal->max_relative) : "",
               signal->worst.numbers ? rounded(cli, signal->rms) : "",
               rounded(cli, signal->worst.time), hk_show_count(cli->arena, signal->different),
               hk_show_count(cli->arena, signal->compared));
    }
    if (c->worst_count > count)
        printf("and %zu more; --limit 0 shows all\n", c->worst_count - count);
}

/* What differs: values of signals, or only where these are. */
static void put_different(hk_cli *cli, const hk_comparison *c) {
    const char *signals = hk_show_count(cli->arena, c->signal_count);
    const char *rows = hk_show_count(cli->arena, c->points);
    printf("%sdifferent%s: ", hk_style_on(cli->color_out, HK_RED), hk_style_off(cli->color_out));
    if (c->worst_count)
        printf("%s of %s signal%s in %s row%s\n", hk_show_count(cli->arena, c->worst_count),
               signals, hk_plural(c->signal_count), rows, hk_plural(c->points));
    else if (!c->signal_count)
        puts("no signal is in both");
    else
        printf("not the values of the %s common signal%s in %s common row%s, but %s\n", signals,
               hk_plural(c->signal_count), rows, hk_plural(c->points),
               c->grids_differ || c->outside ? "the times of the rows" : "which signals there are");
}

void hk_compare_text(hk_cli *cli, const hk_compare_view *view) {
    const hk_comparison *c = view->comparison;
    if (c->equal) {
        put_equal(cli, view);
        return;
    }
    put_different(cli, c);
    put_names(view, 0);
    put_names(view, 1);
    put_grids(cli, view);
    put_first(cli, view);
    put_worst(cli, view);
}

/* SPDX-License-Identifier: MIT
 *
 * Options of `hocket plot` that do not go together, and what a plot cannot show: each gets a
 * message. */
#include "base/number.h"
#include "base/seconds.h"
#include "cli/plot_read.h"
#include "report/show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double EQUAL_MAX = 1e300; /* ten times as much can be shown on the other axis */

/* ---- options ---- */

hk_status hk_plot_check_options(hk_cli *cli, const hk_args *args) {
    static const struct {
        const char *one, *other, *why;
    } pairs[] = {
        {"together", "separate", "both say which signals share a panel"},
        {"together", "split", "both say which signals share a panel"},
        {"separate", "split", "both say which signals share a panel"},
        {"equal", "separate", "do not go together: the same scale is that of one panel"},
        {"equal", "split", "do not go together: the same scale is that of one panel"},
        {"xy", "over", "both say what a signal is over"},
        {"band", "xy", "do not go together: a band is over the time"},
        {"band", "over", "do not go together: a band is over the time"},
        {"mark", "xy", "do not go together: a mark is at a time"},
        {"mark", "over", "do not go together: a mark is at a time"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (hk_args_has(args, pairs[i].one) && hk_args_has(args, pairs[i].other))
            return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "leave out one of them",
                            "--%s and --%s %s", pairs[i].one, pairs[i].other, pairs[i].why);
    if (hk_args_has(args, "equal") && !hk_args_has(args, "over") && !hk_args_has(args, "xy"))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "add --over SIGNAL",
                        "--equal is for signals over other signals, not over the time");
    static const char *const maps[] = {"outline", "spot"};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        if (hk_args_has(args, maps[i]) && !hk_args_has(args, "equal"))
            return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "add --xy and --equal",
                            "--%s is for a map, which has the same scale on both axes", maps[i]);
    return HK_OK;
}

hk_status hk_plot_read_size(hk_cli *cli, const hk_args *args, const char *name,
                            const hk_plot_bounds *bounds, unsigned *ret_size) {
    const char *text = hk_args_value(args, name);
    uint64_t size;
    if (!text)
        return HK_OK;
    if (!hk_read_u64(text, strlen(text), &size) || size < bounds->least || size > bounds->most)
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE,
                        hk_arena_printf(cli->arena, "a whole number of %s from %u to %u",
                                        bounds->what, bounds->least, bounds->most),
                        "--%s: '%s' is not a size", name, text);
    *ret_size = (unsigned)size;
    return HK_OK;
}

/* ---- marks ---- */

bool hk_plot_read_time(const char *text, double *ret_time) {
    hk_ratio seconds;
    bool meant;
    if (!hk_read_f64(text, strlen(text), ret_time)) {
        if (!hk_time_parse(text, &seconds, &meant))
            return false;
        *ret_time = (double)seconds.num / (double)seconds.den;
    }
    return isfinite(*ret_time);
}

/* TIME=TEXT */
static hk_status read_mark(hk_cli *cli, const char *text, hk_plot_event *ret_event) {
    const char *equals = strchr(text, '='), *hint = "--mark 2.5='the door opens'";
    const char *time = equals ? hk_arena_strndup(cli->arena, text, (size_t)(equals - text)) : text;
    if (equals && !equals[1])
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, hint,
                        "--mark: there are no words after the '=' of '%s'", text);
    if (!hk_plot_read_time(time, &ret_event->time))
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, hint,
                        "--mark: '%s' is not a time, as 2.5 or 500ms", time);
    ret_event->words = equals ? equals + 1 : "mark";
    return HK_OK;
}

/* The time that the curves show. */
static void find_times(const hk_plot *plot, double *ret_lo, double *ret_hi) {
    *ret_lo = (double)INFINITY;
    *ret_hi = -(double)INFINITY;
    for (size_t c = 0; c < plot->curve_count; c++)
        for (size_t i = 0; i < plot->curves[c].rows; i++) {
            double time = plot->curves[c].x->values[i];
            if (!isfinite(time))
                continue;
            *ret_lo = fmin(*ret_lo, time);
            *ret_hi = fmax(*ret_hi, time);
        }
}

static int by_time(const void *a, const void *b) {
    double x = ((const hk_plot_event *)a)->time, y = ((const hk_plot_event *)b)->time;
    return (x > y) - (x < y);
}

hk_status hk_plot_add_marks(hk_cli *cli, const hk_args *args, hk_plot *plot) {
    hk_plot_marks *marks = &plot->marks;
    size_t given = 0;
    double lo, hi;
    if (hk_args_has(args, "no-marks"))
        *marks = (hk_plot_marks){0};
    while (hk_args_nth(args, "mark", given))
        given++;
    if (!given)
        return HK_OK;
    hk_plot_event *events = HK_NEW_ARRAY(cli->arena, hk_plot_event, marks->event_count + given);
    for (size_t i = 0; i < marks->event_count; i++)
        events[i] = marks->events[i];
    find_times(plot, &lo, &hi);
    for (size_t i = 0; i < given; i++) {
        const char *text = hk_args_nth(args, "mark", i);
        hk_plot_event *event = &events[marks->event_count];
        HK_TRY(read_mark(cli, text, event));
        if (event->time >= lo && event->time <= hi)
            marks->event_count++;
        else
            hk_note(cli->ctx, HK_NOWHERE,
                    "--mark: '%s' is left out, because the plot is from %s s to %s s", text,
                    hk_show_f64(cli->arena, lo), hk_show_f64(cli->arena, hi));
    }
    qsort(events, marks->event_count, sizeof *events, by_time);
    marks->events = events;
    return HK_OK;
}

/* ---- values ---- */

static size_t count_infinite(const double *values, size_t count) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += isinf(values[i]) != 0;
    return found;
}

/* The column called NAME has infinite values: added to what is said about its record. */
static const char *add_infinite(hk_cli *cli, const hk_plot_table *table, const char *name,
                                const char *words) {
    const hk_plot_column *column = hk_plot_find(table, name);
    size_t count = column ? count_infinite(column->values, table->rows) : 0;
    return !count ? words
                  : hk_arena_printf(cli->arena, "%s%s%zu of '%s'", words, *words ? ", " : "", count,
                                    name);
}

void hk_plot_note_infinite(hk_cli *cli, const hk_plot_wish *wish) {
    for (size_t t = 0; t < wish->table_count; t++) {
        const hk_plot_table *table = wish->tables[t];
        const char *words = "";
        for (size_t i = 0; i < wish->name_count; i++) {
            bool again = i && wish->overs && strcmp(wish->overs[i], wish->overs[i - 1]) == 0;
            words = add_infinite(cli, table, wish->names[i], words);
            if (wish->overs && !again)
                words = add_infinite(cli, table, wish->overs[i], words);
        }
        if (*words)
            hk_note(cli->ctx, (hk_where){.file = table->file},
                    "infinite values are gaps in the plot: %s", words);
    }
}

static bool is_text(const hk_plot_wish *wish, const char *name) {
    bool found = false;
    for (size_t t = 0; name && t < wish->table_count && !found; t++) {
        const hk_plot_column *column = hk_plot_find(wish->tables[t], name);
        found = column && column->text;
    }
    return found;
}

hk_status hk_plot_drop_texts(hk_cli *cli, hk_where where, hk_plot_wish *wish) {
    size_t kept = 0, all = wish->name_count;
    const char *words = "", *last = NULL;
    for (size_t i = 0; i < all; i++) {
        const char *over = wish->overs ? wish->overs[i] : NULL;
        const char *text = is_text(wish, wish->names[i]) ? wish->names[i]
                           : is_text(wish, over)         ? over
                                                         : NULL;
        if (text && (!last || strcmp(text, last) != 0))
            words = hk_arena_printf(cli->arena, "%s%s'%s'", words, *words ? ", " : "", text);
        last = text ? text : last;
        if (text)
            continue;
        wish->names[kept] = wish->names[i];
        if (wish->overs)
            wish->overs[kept] = over;
        kept++;
    }
    wish->name_count = kept;
    if (all && !kept)
        return hk_error(cli->ctx, HK_E_CSV, where, "name a signal of numbers",
                        "texts cannot be plotted: %s", words);
    if (*words)
        hk_note(cli->ctx, where, "texts are left out of the plot: %s", words);
    return HK_OK;
}

hk_status hk_plot_check_numbers(hk_cli *cli, const hk_plot_wish *wish, const hk_plot *plot) {
    for (size_t i = 0; i < plot->curve_count; i++)
        for (size_t row = 0; row < plot->curves[i].rows; row++)
            if (isfinite(plot->curves[i].x->values[row]) &&
                isfinite(plot->curves[i].y->values[row]))
                return HK_OK;
    return hk_error(cli->ctx, HK_E_CSV, (hk_where){.file = wish->tables[0]->file},
                    "name a signal of numbers", "there is no number to plot in '%s'%s",
                    wish->names[0], wish->name_count > 1 ? " and the others" : "");
}

static bool has_too_large(const double *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (isfinite(values[i]) && fabs(values[i]) > EQUAL_MAX)
            return true;
    return false;
}

hk_status hk_plot_check_equal(hk_cli *cli, const hk_plot *plot) {
    const hk_plot_column *first = plot->curve_count ? plot->curves[0].x : NULL;
    for (size_t i = 0; plot->equal && i < 2 * plot->curve_count; i++) {
        const hk_plot_column *c = i % 2 ? plot->curves[i / 2].y : plot->curves[i / 2].x;
        if (c->unit && first->unit && strcmp(c->unit, first->unit) != 0)
            return hk_error(cli->ctx, HK_E_UNIT_MISMATCH, HK_NOWHERE, "leave out --equal",
                            "--equal: '%s' is in '%s' and '%s' is in '%s', so there is no common "
                            "scale",
                            first->name, first->unit, c->name, c->unit);
        if (has_too_large(c->values, plot->curves[i / 2].rows))
            return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "leave out --equal",
                            "--equal: the values of '%s' are too large for a common scale",
                            c->name);
        first = first->unit ? first : c;
    }
    return HK_OK;
}

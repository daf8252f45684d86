/* SPDX-License-Identifier: MIT
 *
 * What a map shows beside its tracks: outlines from tables of their own, and places where something
 * happened. Both are curves with a role. */
#include "base/file.h"
#include "cli/plot_read.h"

#include <math.h>
#include <string.h>

/* The name of a file without its folder and extension. */
static const char *stem_of(hk_cli *cli, const char *path) {
    const char *name = hk_path_name(path), *dot = strrchr(name, '.');
    return dot && dot != name ? hk_arena_strndup(cli->arena, name, (size_t)(dot - name)) : name;
}

static hk_status find_numbers(hk_cli *cli, const hk_plot_table *table, const char *name,
                              const hk_plot_column **ret_column) {
    *ret_column = hk_plot_find(table, name);
    if (!*ret_column || (*ret_column)->text)
        return hk_error(cli->ctx, HK_E_UNKNOWN_SIGNAL, (hk_where){.file = table->file},
                        "a table with the columns point, x and y: a point in each row, and an "
                        "empty x and y between two lines",
                        "--outline: there is no column of numbers called '%s'", name);
    return HK_OK;
}

static hk_status make_outline(hk_cli *cli, const char *path, hk_plot_curve *ret_curve) {
    const hk_plot_table *table;
    *ret_curve = (hk_plot_curve){.label = stem_of(cli, path), .role = HK_PLOT_OUTLINE};
    HK_TRY(hk_plot_read(cli, path, &table));
    HK_TRY(find_numbers(cli, table, "x", &ret_curve->x));
    HK_TRY(find_numbers(cli, table, "y", &ret_curve->y));
    ret_curve->rows = table->rows;
    return HK_OK;
}

/* The values of Y in those rows in which SIGNAL is not 0 and was 0 before; *RET_COUNT: how many. */
static const hk_plot_column *where_it_rises(hk_cli *cli, const hk_plot_curve *curve,
                                            const hk_plot_column *signal, size_t *ret_count) {
    hk_plot_column *made = HK_NEW(cli->arena, hk_plot_column);
    double *values = HK_NEW_ARRAY(cli->arena, double, curve->rows + 1);
    bool was = false;
    *ret_count = 0;
    for (size_t i = 0; i < curve->rows; i++) {
        bool is = !isnan(signal->values[i]) && signal->values[i] != 0;
        values[i] = is && !was ? curve->y->values[i] : (double)NAN;
        *ret_count += is && !was;
        was = is;
    }
    *made = *curve->y;
    made->values = values;
    return made;
}

/* --spot SIGNAL[=TEXT], on one curve. */
static hk_status make_spots(hk_cli *cli, const hk_plot_wish *wish, const hk_plot_curve *curve,
                            const char *text, hk_plot_curve *ret_curve) {
    const hk_plot_table *table = wish->tables[curve->run];
    const char *equals = strchr(text, '=');
    const char *name = equals ? hk_arena_strndup(cli->arena, text, (size_t)(equals - text)) : text;
    const hk_plot_column *signal = hk_plot_find(table, name);
    size_t count;
    if (equals && !equals[1])
        return hk_error(cli->ctx, HK_E_USAGE, HK_NOWHERE, "--spot door.open='the door opens'",
                        "--spot: there are no words after the '=' of '%s'", text);
    if (!signal || signal->text)
        return hk_error(cli->ctx, HK_E_UNKNOWN_SIGNAL, (hk_where){.file = table->file},
                        "hocket info lists the columns of a record",
                        "--spot: there is no column of numbers called '%s'", name);
    *ret_curve = *curve;
    ret_curve->role = HK_PLOT_SPOTS;
    ret_curve->label = equals ? equals + 1 : name;
    ret_curve->y = where_it_rises(cli, curve, signal, &count);
    if (wish->name_count * wish->table_count > 1)
        ret_curve->label = hk_arena_printf(cli->arena, "%s: %s", curve->label, ret_curve->label);
    if (!count)
        hk_note(cli->ctx, (hk_where){.file = table->file},
                "--spot: '%s' is 0 in all rows, so no place is marked", name);
    return HK_OK;
}

static size_t count_given(const hk_args *args, const char *option) {
    size_t given = 0;
    while (hk_args_nth(args, option, given))
        given++;
    return given;
}

hk_status hk_plot_add_map(hk_cli *cli, const hk_args *args, const hk_plot_wish *wish,
                          hk_plot *plot) {
    size_t spots = count_given(args, "spot"), outlines = count_given(args, "outline");
    size_t tracks = plot->curve_count, count = tracks;
    if (!spots && !outlines)
        return HK_OK;
    hk_plot_curve *curves =
        HK_NEW_ARRAY(cli->arena, hk_plot_curve, tracks + tracks * spots + outlines);
    memcpy(curves, plot->curves, tracks * sizeof *curves);
    for (size_t i = 0; i < spots; i++)
        for (size_t k = 0; k < tracks; k++, count++) {
            HK_TRY(make_spots(cli, wish, &curves[k], hk_args_nth(args, "spot", i), &curves[count]));
            curves[count].signal = wish->name_count + count;
        }
    for (size_t i = 0; i < outlines; i++, count++) {
        HK_TRY(make_outline(cli, hk_args_nth(args, "outline", i), &curves[count]));
        curves[count].signal = wish->name_count + count;
    }
    plot->curves = curves;
    plot->curve_count = count;
    return HK_OK;
}

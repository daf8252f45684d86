/* SPDX-License-Identifier: MIT
 *
 * From records to curves: one for each signal, or for each signal of each record, or one of all
 * records of a scenario with a band around it. */
#include "base/file.h"
#include "cli/plot_read.h"

#include <string.h>

/* ---- labels ---- */

/* The name of a record that no other one has: that of its file, or else its path. */
static const char *record_name(const hk_plot_wish *wish, size_t index) {
    const char *path = wish->tables[index]->file, *name = hk_path_name(path);
    for (size_t i = 0; i < wish->table_count; i++)
        if (i != index && strcmp(hk_path_name(wish->tables[i]->file), name) == 0)
            return path;
    return name;
}

/* The name of a curve; what it is over is part of it, unless it is the same for all. */
static const char *curve_name(hk_cli *cli, const hk_plot_wish *wish, size_t name) {
    for (size_t i = 1; wish->overs && i < wish->name_count; i++)
        if (strcmp(wish->overs[i], wish->overs[0]) != 0)
            return hk_arena_printf(cli->arena, "%s over %s", wish->names[name], wish->overs[name]);
    return wish->names[name];
}

/* ---- curves ---- */

static hk_status make_curve(hk_cli *cli, const hk_plot_wish *wish, size_t name, size_t table,
                            hk_plot_curve *ret_curve) {
    const hk_plot_table *t = wish->tables[table];
    const char *over = wish->overs ? wish->overs[name] : NULL;
    const hk_plot_column *y = hk_plot_find(t, wish->names[name]);
    const hk_plot_column *x = over ? hk_plot_find(t, over) : &t->columns[0];
    ret_curve->y = NULL;
    if (!y || !x) {
        hk_note(cli->ctx, (hk_where){.file = t->file}, "this record has no '%s'",
                y ? over : wish->names[name]);
        return HK_OK;
    }
    *ret_curve = (hk_plot_curve){.x = x, .y = y, .rows = t->rows, .signal = name, .run = table};
    ret_curve->label = curve_name(cli, wish, name);
    if (wish->table_count > 1)
        ret_curve->label =
            hk_arena_printf(cli->arena, "%s (%s)", ret_curve->label, record_name(wish, table));
    return HK_OK;
}

/* Limits of all records, each once; events and verdicts are those of one run. */
static void collect_marks(hk_cli *cli, const hk_plot_wish *wish, hk_plot_marks *marks) {
    size_t most = 0;
    for (size_t t = 0; t < wish->table_count; t++)
        most += wish->tables[t]->marks.limit_count;
    hk_plot_limit *limits = HK_NEW_ARRAY(cli->arena, hk_plot_limit, most + 1);
    size_t count = 0;
    *marks = (hk_plot_marks){0};
    if (wish->table_count == 1)
        *marks = wish->tables[0]->marks;
    for (size_t t = 0; t < wish->table_count; t++)
        for (size_t i = 0; i < wish->tables[t]->marks.limit_count; i++) {
            const hk_plot_limit *new = &wish->tables[t]->marks.limits[i];
            size_t k = 0;
            while (k < count && !(limits[k].value == new->value &&limits[k].upper ==
                                      new->upper &&strcmp(limits[k].column, new->column) == 0 &&
                                  limits[k].from == new->from &&limits[k].to == new->to))
                k++;
            if (k == count)
                limits[count++] = *new;
            else if (new->outcome == HK_PLOT_BROKEN) /* one of them did not keep it */
                limits[k] = *new;
        }
    marks->limits = limits;
    marks->limit_count = count;
}

/* What is done before the first row is not an event of the plot. */
static void drop_beginning(hk_cli *cli, const hk_plot_table *table, hk_plot_marks *marks) {
    hk_plot_event *events = HK_NEW_ARRAY(cli->arena, hk_plot_event, marks->event_count + 1);
    size_t count = 0;
    for (size_t i = 0; i < marks->event_count; i++)
        if (table->rows && marks->events[i].time > table->columns[0].values[0])
            events[count++] = marks->events[i];
    marks->events = events;
    marks->event_count = count;
}

/* ---- bands ---- */

static bool same_scenario(const hk_plot_table *a, const hk_plot_table *b) {
    return a->scenario && b->scenario ? strcmp(a->scenario, b->scenario) == 0
                                      : a->scenario == b->scenario;
}

/* The records of the scenario of record FIRST that have NAME, which no record before it is of;
 * NULL: there is one before it. */
static const hk_plot_table **group_of(hk_cli *cli, const hk_plot_wish *wish, size_t first,
                                      const char *name, size_t *ret_count) {
    const hk_plot_table **group =
        HK_NEW_ARRAY(cli->arena, const hk_plot_table *, wish->table_count);
    *ret_count = 0;
    for (size_t t = 0; t < wish->table_count; t++) {
        if (!same_scenario(wish->tables[t], wish->tables[first]))
            continue;
        if (t < first)
            return NULL;
        if (hk_plot_find(wish->tables[t], name))
            group[(*ret_count)++] = wish->tables[t];
    }
    return *ret_count ? group : NULL;
}

/* A signal of several records: one curve with a band for each scenario, whose runs are alike. */
static hk_status make_bands(hk_cli *cli, const hk_plot_wish *wish, size_t name,
                            hk_plot_curve *curves, size_t *count) {
    size_t first = *count;
    bool several = false;
    for (size_t t = 1; t < wish->table_count; t++)
        several |= !same_scenario(wish->tables[0], wish->tables[t]);
    for (size_t t = 0; t < wish->table_count; t++) {
        hk_plot_runs runs = {.range = wish->spread == HK_SPREAD_RANGE};
        runs.tables = group_of(cli, wish, t, wish->names[name], &runs.count);
        if (!runs.tables)
            continue;
        hk_plot_curve *curve = &curves[*count];
        HK_TRY(hk_plot_band(cli->ctx, cli->arena, &runs, wish->names[name], curve));
        curve->signal = name;
        curve->run = (*count)++ - first;
        if (several && wish->tables[t]->scenario)
            curve->label =
                hk_arena_printf(cli->arena, "%s (%s)", curve->label, wish->tables[t]->scenario);
    }
    return HK_OK;
}

hk_status hk_plot_curves(hk_cli *cli, const hk_plot_wish *wish, hk_plot *plot) {
    bool banded = wish->spread != HK_SPREAD_NONE;
    size_t most = wish->name_count * wish->table_count, count = 0;
    hk_plot_curve *curves = HK_NEW_ARRAY(cli->arena, hk_plot_curve, most + 1);
    for (size_t n = 0; n < wish->name_count; n++) {
        if (banded) {
            HK_TRY(make_bands(cli, wish, n, curves, &count));
            continue;
        }
        for (size_t t = 0; t < wish->table_count; t++) {
            HK_TRY(make_curve(cli, wish, n, t, &curves[count]));
            count += curves[count].y != NULL;
        }
    }
    plot->curves = curves;
    plot->curve_count = count;
    collect_marks(cli, wish, &plot->marks);
    drop_beginning(cli, wish->tables[0], &plot->marks);
    return HK_OK;
}

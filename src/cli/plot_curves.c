/* SPDX-License-Identifier: MIT
 *
 * From records to curves: one for each signal, or for each signal of each record, or the mean of
 * all records with a band around it. */
#include "base/file.h"
#include "cli/plot_read.h"
#include "report/show.h"

#include <math.h>
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

/* ---- bands ---- */

/* The value of a record at a time: held for steps, else on the line between two samples; NaN
 * outside of its time. ROW moves on with the times that are asked for. */
static double value_at(const hk_plot_table *table, const hk_plot_column *column, double time,
                       size_t *row) {
    const double *times = table->columns[0].values;
    if (!table->rows || time < times[0] || time > times[table->rows - 1])
        return (double)NAN;
    while (*row + 1 < table->rows && times[*row + 1] <= time)
        ++*row;
    double before = column->values[*row];
    if (times[*row] == time || column->kind != HK_PLOT_REAL)
        return before;
    double share = (time - times[*row]) / (times[*row + 1] - times[*row]);
    return before + share * (column->values[*row + 1] - before);
}

/* Sums over the records that have a value at one time. */
typedef struct sums {
    size_t count;
    double mean, squares, least, most;
} sums;

static void add_value(sums *s, double value) {
    if (!isfinite(value))
        return;
    double from_mean = value - s->mean;
    s->count++;
    s->mean += from_mean / (double)s->count;
    s->squares += from_mean * (value - s->mean); /* of the distances from the mean */
    s->least = s->count == 1 ? value : fmin(s->least, value);
    s->most = s->count == 1 ? value : fmax(s->most, value);
}

static double end_of(const hk_plot_table *table) {
    return table->rows ? table->columns[0].values[table->rows - 1] : -(double)INFINITY;
}

/* The times of the record that ends last are those of the band; of several the one that has the
 * most rows. */
static const hk_plot_table *longest(const hk_plot_wish *wish, const char *name) {
    const hk_plot_table *best = NULL;
    for (size_t i = 0; i < wish->table_count; i++) {
        const hk_plot_table *t = wish->tables[i];
        if (!hk_plot_find(t, name))
            continue;
        if (!best || end_of(t) > end_of(best) ||
            (end_of(t) == end_of(best) && t->rows > best->rows))
            best = t;
    }
    return best;
}

/* A mean needs one unit. Where some runs end earlier it is that of fewer, which is said. */
static hk_status check_band(hk_cli *cli, const hk_plot_wish *wish, const char *name) {
    const hk_plot_column *first = NULL;
    double earliest = (double)INFINITY, latest = -(double)INFINITY;
    for (size_t i = 0; i < wish->table_count; i++) {
        const hk_plot_column *c = hk_plot_find(wish->tables[i], name);
        if (!c)
            continue;
        first = first ? first : c;
        const char *one = first->unit ? first->unit : "", *other = c->unit ? c->unit : "";
        if (strcmp(one, other) != 0)
            return hk_error(
                cli->ctx, HK_E_UNIT_MISMATCH, (hk_where){.file = wish->tables[i]->file},
                "leave out --band: then each unit has a panel",
                "'%s' is in '%s' here and in '%s' in another record, so there is no mean", name,
                other, one);
        earliest = fmin(earliest, end_of(wish->tables[i]));
        latest = fmax(latest, end_of(wish->tables[i]));
    }
    if (earliest < latest)
        hk_note(cli->ctx, HK_NOWHERE,
                "the runs with '%s' end between %s s and %s s: the mean is that of the runs that "
                "have a value",
                name, hk_show_f64(cli->arena, earliest), hk_show_f64(cli->arena, latest));
    return HK_OK;
}

static hk_plot_curve make_band(hk_cli *cli, const hk_plot_wish *wish, const char *name) {
    const hk_plot_table *base = longest(wish, name);
    const hk_plot_column *like = hk_plot_find(base, name);
    size_t n = base->rows, *rows = HK_NEW_ARRAY(cli->arena, size_t, wish->table_count);
    double *mean = HK_NEW_ARRAY(cli->arena, double, n + 1);
    double *low = HK_NEW_ARRAY(cli->arena, double, n + 1);
    double *high = HK_NEW_ARRAY(cli->arena, double, n + 1);
    const hk_plot_column **columns =
        HK_NEW_ARRAY(cli->arena, const hk_plot_column *, wish->table_count);
    size_t runs = 0;
    for (size_t t = 0; t < wish->table_count; t++) {
        rows[t] = 0;
        columns[t] = hk_plot_find(wish->tables[t], name);
        runs += columns[t] != NULL;
    }
    for (size_t i = 0; i < n; i++) {
        sums s = {0};
        for (size_t t = 0; t < wish->table_count; t++)
            if (columns[t])
                add_value(&s, value_at(wish->tables[t], columns[t], base->columns[0].values[i],
                                       &rows[t]));
        double deviation = s.count > 1 ? sqrt(s.squares / (double)(s.count - 1)) : 0;
        bool range = wish->spread == HK_SPREAD_RANGE;
        mean[i] = s.count ? s.mean : (double)NAN;
        low[i] = !s.count ? (double)NAN : range ? s.least : s.mean - deviation;
        high[i] = !s.count ? (double)NAN : range ? s.most : s.mean + deviation;
    }
    hk_plot_column *y = HK_NEW(cli->arena, hk_plot_column);
    /* The mean of items or of truth values is a number between them. */
    *y = (hk_plot_column){.name = like->name, .unit = like->unit, .values = mean};
    const char *words =
        wish->spread == HK_SPREAD_RANGE ? "smallest to largest" : "\u00b1 standard deviation";
    return (hk_plot_curve){.label = hk_arena_printf(cli->arena, "%s: mean of %zu run%s, %s", name,
                                                    runs, runs == 1 ? "" : "s", words),
                           .x = &base->columns[0],
                           .y = y,
                           .rows = n,
                           .low = low,
                           .high = high};
}

/* ---- curves ---- */

/* One signal: a colour for each record. Several: a colour for each signal, and the records have
 * dashes as long as there are enough. */
static void choose_look(const hk_plot_wish *wish, size_t name, size_t table, hk_plot_curve *curve) {
    enum { DASHES = 4 };
    size_t index = name;
    curve->dash = 0;
    if (wish->table_count > 1 && wish->name_count > 1 && wish->table_count <= DASHES)
        curve->dash = (unsigned)table;
    else if (wish->table_count > 1)
        index = name * wish->table_count + table;
    curve->colour = (unsigned)(index % HK_SVG_COLOURS);
    curve->dash += (unsigned)(index / HK_SVG_COLOURS);
}

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
    *ret_curve = (hk_plot_curve){.x = x, .y = y, .rows = t->rows};
    if (wish->table_count > 1)
        ret_curve->label =
            hk_arena_printf(cli->arena, "%s (%s)", y->name, record_name(wish, table));
    choose_look(wish, name, table, ret_curve);
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

hk_status hk_plot_curves(hk_cli *cli, const hk_plot_wish *wish, hk_plot *plot) {
    bool banded = wish->spread != HK_SPREAD_NONE;
    size_t most = wish->name_count * (banded ? 1 : wish->table_count), count = 0;
    hk_plot_curve *curves = HK_NEW_ARRAY(cli->arena, hk_plot_curve, most + 1);
    for (size_t n = 0; n < wish->name_count; n++) {
        if (banded) {
            HK_TRY(check_band(cli, wish, wish->names[n]));
            curves[count] = make_band(cli, wish, wish->names[n]);
            curves[count].colour = (unsigned)(n % HK_SVG_COLOURS);
            curves[count].dash = (unsigned)(n / HK_SVG_COLOURS);
            count++;
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

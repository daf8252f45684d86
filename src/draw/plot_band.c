/* SPDX-License-Identifier: MIT
 *
 * Several records as one curve with a band around it. What is held between two samples (truth
 * values, items, whole numbers) is held here too, so the band has the times of all records. */
#include "base/number.h"
#include "draw/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
static const hk_plot_table *longest(const hk_plot_runs *runs, const char *name) {
    const hk_plot_table *best = NULL;
    for (size_t i = 0; i < runs->count; i++) {
        const hk_plot_table *t = runs->tables[i];
        if (!hk_plot_find(t, name))
            continue;
        if (!best || end_of(t) > end_of(best) ||
            (end_of(t) == end_of(best) && t->rows > best->rows))
            best = t;
    }
    return best;
}

/* A mean needs one unit. Where some runs end earlier it is that of fewer, which is said. */
static hk_status check_band(hk_ctx *ctx, const hk_plot_runs *runs, const char *name) {
    const hk_plot_column *first = NULL;
    double earliest = (double)INFINITY, latest = -(double)INFINITY;
    for (size_t i = 0; i < runs->count; i++) {
        const hk_plot_column *c = hk_plot_find(runs->tables[i], name);
        if (!c)
            continue;
        first = first ? first : c;
        const char *one = first->unit ? first->unit : "", *other = c->unit ? c->unit : "";
        if (strcmp(one, other) != 0)
            return hk_error(
                ctx, HK_E_UNIT_MISMATCH, (hk_where){.file = runs->tables[i]->file},
                "leave out --band: then each unit has a panel",
                "'%s' is in '%s' here and in '%s' in another record, so there is no mean", name,
                other, one);
        earliest = fmin(earliest, end_of(runs->tables[i]));
        latest = fmax(latest, end_of(runs->tables[i]));
    }
    char words[2][HK_NUMBER_MAX + 1] = {0};
    (void)hk_write_f64(earliest, words[0]);
    (void)hk_write_f64(latest, words[1]);
    if (earliest < latest)
        hk_note(ctx, HK_NOWHERE,
                "the runs with '%s' end between %s s and %s s: the mean is that of the runs that "
                "have a value",
                name, words[0], words[1]);
    return HK_OK;
}

typedef struct band {
    hk_arena *arena;
    const hk_plot_runs *of;
    hk_plot_column like;            /* what is common to all of them; no values */
    const hk_plot_column **columns; /* of each record; NULL: it has none */
    size_t *rows;                   /* of each record: where value_at is */
    size_t runs;
    const hk_plot_column *times;
    size_t count;
    bool range; /* from the smallest to the largest, not the deviation */
    double *middle, *low, *high;
} band;

/* The records, and what they have in common: where types differ all are taken as real numbers. */
static void find_columns(band *b, const char *name) {
    size_t count = b->of->count;
    b->columns = HK_NEW_ARRAY(b->arena, const hk_plot_column *, count + 1);
    b->rows = HK_NEW_ARRAY(b->arena, size_t, count + 1);
    for (size_t t = 0; t < count; t++) {
        const hk_plot_column *c = hk_plot_find(b->of->tables[t], name);
        b->columns[t] = c;
        b->rows[t] = 0;
        if (c && !b->runs++)
            b->like = *c;
        else if (c && c->kind != b->like.kind)
            b->like.kind = HK_PLOT_REAL;
    }
    if (b->like.kind != HK_PLOT_ENUMERATION)
        b->like.item_count = 0;
}

static int by_number(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The times of all records, each once and in order. */
static void merge_times(band *b) {
    size_t most = 0, count = 0, kept = 0;
    for (size_t t = 0; t < b->of->count; t++)
        most += b->columns[t] ? b->of->tables[t]->rows : 0;
    double *times = HK_NEW_ARRAY(b->arena, double, most + 1);
    for (size_t t = 0; t < b->of->count; t++)
        for (size_t i = 0; b->columns[t] && i < b->of->tables[t]->rows; i++)
            if (isfinite(b->of->tables[t]->columns[0].values[i]))
                times[count++] = b->of->tables[t]->columns[0].values[i];
    qsort(times, count, sizeof *times, by_number);
    for (size_t i = 0; i < count; i++)
        if (!i || times[i] != times[kept - 1])
            times[kept++] = times[i];
    hk_plot_column *all = HK_NEW(b->arena, hk_plot_column);
    *all = b->times[0];
    all->values = times;
    b->times = all;
    b->count = kept;
}

/* The value that occurs most often; of several the smallest. Sorts VALUES. */
static double most_frequent(double *values, size_t count) {
    size_t best = 0, longest_run = 0, begin = 0;
    qsort(values, count, sizeof *values, by_number);
    for (size_t i = 0; i < count; i++) {
        if (values[i] != values[begin])
            begin = i;
        if (i + 1 - begin > longest_run) {
            longest_run = i + 1 - begin;
            best = i;
        }
    }
    return values[best];
}

/* The values of all records at one time; AT_ONCE holds them then. */
static sums sum_up(const band *b, double time, double *at_once) {
    sums s = {0};
    for (size_t t = 0; t < b->of->count; t++) {
        double value = b->columns[t] ? value_at(b->of->tables[t], b->columns[t], time, &b->rows[t])
                                     : (double)NAN;
        if (!isfinite(value))
            continue;
        at_once[s.count] = value;
        add_value(&s, value);
    }
    return s;
}

static void fill(band *b) {
    double *at_once = HK_NEW_ARRAY(b->arena, double, b->of->count + 1);
    b->middle = HK_NEW_ARRAY(b->arena, double, b->count + 1);
    b->low = HK_NEW_ARRAY(b->arena, double, b->count + 1);
    b->high = HK_NEW_ARRAY(b->arena, double, b->count + 1);
    for (size_t i = 0; i < b->count; i++) {
        sums s = sum_up(b, b->times->values[i], at_once);
        if (!s.count) {
            b->middle[i] = b->low[i] = b->high[i] = (double)NAN;
            continue;
        }
        double deviation = s.count > 1 ? sqrt(s.squares / (double)(s.count - 1)) : 0;
        b->middle[i] =
            b->like.kind == HK_PLOT_ENUMERATION ? most_frequent(at_once, s.count) : s.mean;
        b->low[i] = b->range ? s.least : s.mean - deviation;
        b->high[i] = b->range ? s.most : s.mean + deviation;
    }
}

/* "gauge.y: mean of 8 runs, smallest to largest" */
static const char *label_of(const band *b) {
    const char *middle = b->like.kind == HK_PLOT_BOOLEAN       ? "share of true in"
                         : b->like.kind == HK_PLOT_ENUMERATION ? "most frequent item of"
                                                               : "mean of";
    return hk_arena_printf(b->arena, "%s: %s %zu run%s, %s", b->like.name, middle, b->runs,
                           b->runs == 1 ? "" : "s",
                           b->range ? "smallest to largest" : "\u00b1 standard deviation");
}

hk_status hk_plot_band(hk_ctx *ctx, hk_arena *arena, const hk_plot_runs *runs, const char *name,
                       hk_plot_curve *ret_curve) {
    HK_TRY(check_band(ctx, runs, name));
    const hk_plot_table *base = longest(runs, name);
    band b = {.arena = arena,
              .of = runs,
              .times = &base->columns[0],
              .count = base->rows,
              .range = runs->range};
    find_columns(&b, name);
    if (b.like.kind != HK_PLOT_REAL)
        merge_times(&b);
    if (b.like.kind == HK_PLOT_ENUMERATION && !b.range) {
        b.range = true;
        hk_note(ctx, HK_NOWHERE,
                "items of an enumeration have no standard deviation: the band of '%s' is from the "
                "smallest to the largest",
                name);
    }
    fill(&b);
    hk_plot_column *y = HK_NEW(arena, hk_plot_column);
    *y = b.like;
    y->values = b.middle;
    *ret_curve = (hk_plot_curve){
        .label = label_of(&b), .x = b.times, .y = y, .rows = b.count, .low = b.low, .high = b.high};
    return HK_OK;
}

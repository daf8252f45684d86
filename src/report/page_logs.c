/* SPDX-License-Identifier: MIT
 *
 * The logs of a page. A log may have millions of rows, and a scenario hundreds of runs: what all
 * rows say is added up while one log is in memory, and then only what can be seen is kept of it. */
#include "base/file.h"
#include "report/page_parts.h"

#include <float.h>
#include <math.h>

enum {
    SAMPLES = 4000, /* rows kept of one run alone */
    SAMPLES_SHARED = 8000 /* of several, of all together, within the limits of each */,
    SAMPLES_LEAST = 400,
    SAMPLES_MOST = 1500,
    BUCKETS = 1000 /* of a curve, each with four points */
};

/* A run that fails before its first row names its logs all the same; a file of that name is then
 * from another run. */
bool hk_page_has_log(const hk_play_run *run, size_t index) {
    return index < run->log_count && run->rows > 0 && hk_file_exists(run->logs[index]);
}

bool hk_page_is_number(const hk_plot_table *table, size_t column) {
    return column > 0 && !table->columns[column].text;
}

/* ---- all rows ---- */

/* Root of the mean square; SQUARES is the sum of them, which may be beyond what a number can hold.
 */
static double root_mean(const double *values, size_t rows, const hk_page_number *n,
                        double squares) {
    double largest = fabs(n->largest), scaled = 0;
    if (isfinite(squares) && squares > DBL_MIN)
        return sqrt(squares / (double)n->finite);
    for (size_t i = 0; largest > 0 && i < rows; i++)
        if (isfinite(values[i]))
            scaled += (values[i] / largest) * (values[i] / largest);
    return largest * sqrt(scaled / (double)n->finite);
}

static hk_page_number add_up(const hk_plot_table *table, const double *values) {
    hk_page_number n = {.final = (double)NAN,
                        .mean = (double)NAN,
                        .rms = (double)NAN,
                        .largest = (double)NAN,
                        .when = (double)NAN};
    double sum = 0, squares = 0;
    for (size_t i = 0; i < table->rows; i++) {
        double v = values[i];
        if (!isfinite(v))
            continue;
        n.finite++;
        sum += v;
        squares += v * v;
        if (!(fabs(v) <= fabs(n.largest))) {
            n.largest = v;
            n.when = table->columns[0].values[i];
        }
    }
    if (table->rows)
        n.final = values[table->rows - 1];
    if (n.finite) {
        n.mean = sum / (double)n.finite;
        n.rms = root_mean(values, table->rows, &n, squares);
    }
    return n;
}

/* ---- what is kept ---- */

/* Names, units and items, which outlive the log. */
static hk_plot_column keep_column(hk_arena *arena, const hk_plot_column *column) {
    hk_plot_column kept = *column;
    kept.name = hk_arena_strdup(arena, column->name);
    kept.unit = hk_arena_strdup(arena, column->unit);
    hk_plot_item *items = HK_NEW_ARRAY(arena, hk_plot_item, column->item_count + 1);
    for (size_t i = 0; i < column->item_count; i++)
        items[i] =
            (hk_plot_item){column->items[i].value, hk_arena_strdup(arena, column->items[i].name)};
    kept.items = items;
    kept.values = NULL;
    return kept;
}

static const double *take_rows(hk_arena *arena, const double *values, const size_t *rows,
                               size_t count) {
    double *taken = HK_NEW_ARRAY(arena, double, count + 1);
    for (size_t i = 0; i < count; i++)
        taken[i] = values[rows[i]];
    return taken;
}

/* MOST rows of a table, evenly spread; the first and the last are among them. */
static hk_plot_table *sample(hk_arena *arena, const char *file, const hk_plot_table *table,
                             size_t most) {
    size_t count = table->rows < most ? table->rows : most;
    size_t *rows = hk_alloc((count + 1) * sizeof *rows);
    for (size_t i = 0; i < count; i++)
        rows[i] = count < 2 ? i : (size_t)((uint64_t)i * (table->rows - 1) / (count - 1));
    hk_plot_column *columns = HK_NEW_ARRAY(arena, hk_plot_column, table->column_count + 1);
    for (size_t c = 0; c < table->column_count; c++) {
        columns[c] = keep_column(arena, &table->columns[c]);
        columns[c].values = take_rows(arena, table->columns[c].values, rows, count);
    }
    hk_free(rows);
    hk_plot_table *kept = HK_NEW(arena, hk_plot_table);
    *kept = (hk_plot_table){
        .file = file, .rows = count, .column_count = table->column_count, .columns = columns};
    return kept;
}

/* First, smallest, largest and last of the rows [FROM, TO), in their order and each once. */
static size_t extremes(const double *values, size_t from, size_t to, size_t *ret_rows) {
    size_t least = from, most = from, count = 0;
    for (size_t i = from; i < to; i++) {
        least = values[i] < values[least] || isnan(values[least]) ? i : least;
        most = values[i] > values[most] || isnan(values[most]) ? i : most;
    }
    const size_t picked[] = {from, least < most ? least : most, least < most ? most : least,
                             to - 1};
    for (size_t i = 0; i < sizeof picked / sizeof *picked; i++)
        if (!count || picked[i] > ret_rows[count - 1])
            ret_rows[count++] = picked[i];
    return count;
}

/* The curve of a column, without its extreme values being lost. KEPT is the same column of the
 * samples. */
static hk_plot_curve thin(hk_arena *arena, const hk_plot_table *table, size_t column,
                          const hk_plot_table *samples) {
    const hk_plot_column *kept = &samples->columns[column];
    if (samples->rows == table->rows)
        return (hk_plot_curve){.x = samples->columns, .y = kept, .rows = samples->rows};
    size_t *rows = hk_alloc(4 * (size_t)BUCKETS * sizeof *rows), count = 0;
    const double *values = table->columns[column].values;
    for (size_t b = 0; b < BUCKETS; b++) {
        size_t from = (size_t)((uint64_t)b * table->rows / BUCKETS);
        size_t to = (size_t)((uint64_t)(b + 1) * table->rows / BUCKETS);
        count += extremes(values, from, to, rows + count);
    }
    hk_plot_column *both = HK_NEW_ARRAY(arena, hk_plot_column, 2);
    both[0] = samples->columns[0];
    both[1] = *kept;
    both[0].values = take_rows(arena, table->columns[0].values, rows, count);
    both[1].values = take_rows(arena, values, rows, count);
    hk_free(rows);
    return (hk_plot_curve){.x = &both[0], .y = &both[1], .rows = count};
}

/* One log; RUNS: so many have it. */
static hk_status read_log(hk_ctx *ctx, hk_arena *arena, const char *file, size_t runs,
                          hk_page_log *ret_log) {
    hk_arena *whole = hk_arena_create();
    const hk_plot_table *table;
    hk_status status = hk_plot_load(ctx, whole, file, &table);
    if (status == HK_OK) {
        size_t most = SAMPLES;
        if (runs > 1)
            most = SAMPLES_SHARED / runs;
        if (runs > 1)
            most = most < SAMPLES_LEAST ? SAMPLES_LEAST : most > SAMPLES_MOST ? SAMPLES_MOST : most;
        hk_plot_table *samples = sample(arena, file, table, most);
        hk_plot_learn_beside(arena, file, samples);
        hk_page_number *numbers = HK_NEW_ARRAY(arena, hk_page_number, table->column_count + 1);
        for (size_t c = 0; c < table->column_count; c++) {
            numbers[c] = add_up(table, table->columns[c].values);
            if (runs == 1)
                numbers[c].curve = thin(arena, table, c, samples);
        }
        *ret_log = (hk_page_log){
            .file = file, .rows = table->rows, .samples = samples, .numbers = numbers};
    }
    hk_arena_destroy(whole);
    return status;
}

hk_status hk_page_read(hk_ctx *ctx, hk_arena *arena, hk_page_scenario *s) {
    s->set_count = 0;
    for (size_t r = 0; r < s->run_count; r++)
        s->set_count = s->runs[r].log_count > s->set_count ? s->runs[r].log_count : s->set_count;
    s->sets = HK_NEW_ARRAY(arena, hk_page_set, s->set_count + 1);
    for (size_t k = 0; k < s->set_count; k++) {
        hk_page_set *set = &s->sets[k];
        set->logs = HK_NEW_ARRAY(arena, const hk_page_log *, s->run_count + 1);
        set->tables = HK_NEW_ARRAY(arena, const hk_plot_table *, s->run_count + 1);
        for (size_t r = 0; r < s->run_count; r++) {
            if (!hk_page_has_log(&s->runs[r], k))
                continue;
            hk_page_log *log = HK_NEW(arena, hk_page_log);
            HK_TRY(read_log(ctx, arena, s->runs[r].logs[k], s->run_count, log));
            log->run = s->runs[r].index;
            set->tables[set->count] = log->samples;
            set->logs[set->count++] = log;
        }
    }
    return HK_OK;
}

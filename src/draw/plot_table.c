/* SPDX-License-Identifier: MIT
 *
 * The one way from a record to a plot: its values, and what is beside them. */
#include "base/file.h"
#include "base/map.h"
#include "base/number.h"
#include "draw/plot.h"

#include <math.h>
#include <string.h>

enum { ABOUT_MAX = 64 << 20 };

/* Events and expectations. A file that cannot be read was reported when its table was read. */
void hk_plot_learn_beside(hk_arena *arena, const char *path, hk_plot_table *table) {
    const char *beside = hk_table_beside_path(arena, path);
    char *data = NULL;
    size_t size;
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    if (hk_file_exists(beside) && hk_file_read(quiet, beside, ABOUT_MAX, &data, &size) == HK_OK) {
        hk_file_text text = {beside, data, size};
        (void)!hk_plot_learn(quiet, arena, &text, table, NULL);
    }
    hk_free(data);
    hk_ctx_destroy(quiet);
}

static bool is_all_nan(const double *values, size_t count) {
    size_t i = 0;
    while (i < count && isnan(values[i]))
        i++;
    return i == count;
}

/* Columns without a number whose first cell is a text, where nothing is written beside the record.
 * What is wrong with it was said when it was read. */
static void find_texts(const char *path, const hk_table *values, hk_plot_column *columns) {
    bool any = false;
    for (size_t i = 1; i < values->columns && values->rows; i++)
        any = any || is_all_nan(values->values[i], values->rows);
    if (!any)
        return;
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    hk_table_reader *reader = NULL;
    const hk_table_row *row = NULL;
    if (hk_table_open(quiet, path, &reader) == HK_OK && hk_table_next(reader, &row) == HK_OK && row)
        for (size_t i = 1; i < values->columns && i < hk_table_columns(reader); i++) {
            const hk_table_cell *cell = &row->cells[i];
            double number;
            if (cell->length && is_all_nan(values->values[i], values->rows) &&
                (cell->is_text || !hk_read_f64(cell->text, cell->length, &number)))
                columns[i].text = true;
        }
    hk_table_close(reader);
    hk_ctx_destroy(quiet);
}

/* A signal is found by its name: of two only the first can be. */
static void note_twins(hk_ctx *ctx, const char *path, const hk_table *values) {
    hk_map names = {0};
    for (size_t i = 0; i < values->columns; i++)
        if (hk_map_put(&names, values->names[i], (uint32_t)i) != i)
            hk_note(ctx, (hk_where){.file = path},
                    "two columns are called '%s': the first is plotted", values->names[i]);
    hk_map_finish(&names);
}

static hk_plot_column *columns_of(hk_arena *arena, const hk_table *values) {
    hk_plot_column *columns = HK_NEW_ARRAY(arena, hk_plot_column, values->columns + 1);
    for (size_t i = 0; i < values->columns; i++)
        columns[i] = (hk_plot_column){.name = values->names[i], .values = values->values[i]};
    for (size_t i = 0; values->about && i < values->columns; i++)
        hk_plot_describe(arena, &values->about[i], &columns[i]);
    return columns;
}

static hk_plot_table *dress(hk_ctx *ctx, hk_arena *arena, const char *file, const hk_table *values,
                            hk_plot_column *columns) {
    hk_plot_table *table = HK_NEW(arena, hk_plot_table);
    note_twins(ctx, file, values);
    *table = (hk_plot_table){
        .file = file, .rows = values->rows, .column_count = values->columns, .columns = columns};
    return table;
}

const hk_plot_table *hk_plot_dress(hk_ctx *ctx, hk_arena *arena, const char *file,
                                   const hk_table *values) {
    return dress(ctx, arena, file, values, columns_of(arena, values));
}

hk_status hk_plot_load(hk_ctx *ctx, hk_arena *arena, const char *path,
                       const hk_plot_table **ret_table) {
    const hk_table *values;
    HK_TRY(hk_table_read(ctx, arena, path, &values));
    hk_plot_column *columns = columns_of(arena, values);
    hk_plot_table *table = dress(ctx, arena, path, values, columns);
    find_texts(path, values, columns);
    hk_plot_learn_beside(arena, path, table);
    *ret_table = table;
    return HK_OK;
}

const hk_plot_column *hk_plot_find(const hk_plot_table *table, const char *name) {
    for (size_t i = 0; i < table->column_count; i++)
        if (strcmp(table->columns[i].name, name) == 0)
            return &table->columns[i];
    return NULL;
}

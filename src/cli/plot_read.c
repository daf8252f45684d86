/* SPDX-License-Identifier: MIT */
#include "cli/plot_read.h"

#include "base/file.h"
#include "base/map.h"
#include "base/number.h"
#include "cli/listing.h"
#include "format/csv.h"
#include "format/table_read.h"
#include "record/select.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <strings.h>

enum { ABOUT_MAX = 64 << 20 };

/* ---- values ---- */

static hk_status read_values(hk_cli *cli, const char *path, const hk_table **ret_table) {
    if (strcmp(path, "-") != 0)
        return hk_table_read(cli->ctx, cli->arena, path, ret_table);
    char *data = NULL;
    size_t size = 0;
    HK_TRY(hk_input_read(cli, &data, &size));
    hk_status status = hk_csv_parse(cli->ctx, cli->arena, "standard input", data, size, ret_table);
    hk_free(data);
    return status;
}

/* ---- what is beside the values ---- */

/* Events and expectations. A file that cannot be read was reported when its table was read. */
static void learn_marks(hk_cli *cli, const char *path, hk_plot_table *table) {
    const char *beside = hk_table_beside_path(cli->arena, path);
    char *data = NULL;
    size_t size;
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    if (hk_file_exists(beside) && hk_file_read(quiet, beside, ABOUT_MAX, &data, &size) == HK_OK) {
        hk_file_text text = {beside, data, size};
        (void)!hk_plot_learn(quiet, cli->arena, &text, table, NULL);
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
static void note_twins(hk_cli *cli, const char *path, const hk_table *values) {
    hk_map names = {0};
    for (size_t i = 0; i < values->columns; i++)
        if (hk_map_put(&names, values->names[i], (uint32_t)i) != i)
            hk_note(cli->ctx, (hk_where){.file = path},
                    "two columns are called '%s': the first is plotted", values->names[i]);
    hk_map_finish(&names);
}

hk_status hk_plot_read(hk_cli *cli, const char *path, const hk_plot_table **ret_table) {
    const hk_table *values;
    HK_TRY(read_values(cli, path, &values));
    note_twins(cli, path, values);
    hk_plot_column *columns = HK_NEW_ARRAY(cli->arena, hk_plot_column, values->columns + 1);
    for (size_t i = 0; i < values->columns; i++)
        columns[i] = (hk_plot_column){.name = values->names[i], .values = values->values[i]};
    for (size_t i = 0; values->about && i < values->columns; i++)
        hk_plot_describe(cli->arena, &values->about[i], &columns[i]);
    hk_plot_table *table = HK_NEW(cli->arena, hk_plot_table);
    *table = (hk_plot_table){.file = strcmp(path, "-") == 0 ? "standard input" : path,
                             .rows = values->rows,
                             .column_count = values->columns,
                             .columns = columns};
    if (strcmp(path, "-") != 0) {
        find_texts(path, values, columns);
        learn_marks(cli, path, table);
    }
    *ret_table = table;
    return HK_OK;
}

/* ---- which ---- */

bool hk_plot_names_record(const char *path) {
    return strcmp(path, "-") == 0 || hk_table_is(path);
}

hk_status hk_plot_read_folder(hk_cli *cli, const char *folder, const hk_plot_table ***tables,
                              size_t *count, size_t *cap) {
    hk_texts paths;
    if (!hk_list_folder(cli->arena, folder, hk_plot_names_record, &paths))
        return hk_error(cli->ctx, HK_E_FILE_READ, (hk_where){.file = folder}, NULL,
                        "the folder cannot be read: %s", strerror(errno));
    for (size_t i = 0; i < paths.count; i++) {
        const hk_plot_table *table;
        HK_TRY(hk_plot_read(cli, paths.all[i], &table));
        HK_PUSH(*tables, *count, *cap, table);
    }
    if (!paths.count)
        return hk_error(cli->ctx, HK_E_FILE_READ, (hk_where){.file = folder},
                        "name a folder with records (.csv, .mat, .h5)",
                        "there is no record in this folder");
    return HK_OK;
}

hk_status hk_plot_select(hk_cli *cli, const hk_plot_table *table, const char *const *patterns,
                         size_t pattern_count, size_t **ret_columns, size_t *ret_count) {
    const char **names = HK_NEW_ARRAY(cli->arena, const char *, table->column_count + 1);
    for (size_t i = 0; i < table->column_count; i++)
        names[i] = table->columns[i].name;
    const hk_record_names named = {table->file, names, table->column_count};
    return hk_table_select(cli->ctx, &named, (hk_texts){patterns, pattern_count}, cli->arena,
                           ret_columns, ret_count);
}

const hk_plot_column *hk_plot_find(const hk_plot_table *table, const char *name) {
    for (size_t i = 0; i < table->column_count; i++)
        if (strcmp(table->columns[i].name, name) == 0)
            return &table->columns[i];
    return NULL;
}

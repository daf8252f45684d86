/* SPDX-License-Identifier: MIT
 *
 * Every cell of a table, looked at before somebody relies on it. */
#include "base/number.h"
#include "format/csv.h"

/* What the cells of a column are so far. */
typedef enum cell_kind { CELL_NONE, CELL_NUMBER, CELL_TEXT } cell_kind;

typedef struct checked {
    hk_ctx *ctx;
    const char *file;
    const hk_csv *csv;
    cell_kind *kinds;
} checked;

static hk_status check_cell(const checked *c, const hk_csv_row *row, size_t column) {
    const hk_csv_cell *cell = &row->cells[column];
    const char *name = hk_csv_names(c->csv)[column];
    cell_kind *kind = &c->kinds[column];
    double number;
    bool truth, is_number = !cell->is_text && (hk_read_f64(cell->text, cell->length, &number) ||
                                               hk_read_bool(cell->text, cell->length, &truth));
    hk_where where = {.file = c->file, .line = row->line, .column = cell->column};
    int shown = (int)(cell->length < 40 ? cell->length : 40);
    if (!is_number && !cell->is_text)
        return hk_error(c->ctx, HK_E_CSV, where,
                        hk_csv_has_decimal_comma(cell)
                            ? HK_CSV_POINT_HINT
                            : "cells are numbers, 'true' or 'false'; texts stand in quotes",
                        cell->length ? "the cell '%.*s' of column '%s' is no number"
                                     : "the cell%.*s of column '%s' is empty",
                        shown, cell->text, name);
    cell_kind is = is_number ? CELL_NUMBER : CELL_TEXT;
    if (*kind != CELL_NONE && *kind != is)
        return hk_error(c->ctx, HK_E_CSV, where, NULL,
                        "the cell '%.*s' of column '%s' is %s, those above it are %s", shown,
                        cell->text, name, is_number ? "a number" : "text",
                        is_number ? "texts" : "numbers");
    *kind = is;
    return HK_OK;
}

static hk_status check_rows(const checked *c, hk_csv *csv, size_t *ret_rows) {
    for (size_t rows = 0;; rows++) {
        const hk_csv_row *row = NULL;
        HK_TRY(hk_csv_next(csv, &row));
        if (!row) {
            *ret_rows = rows;
            return HK_OK;
        }
        for (size_t i = 1; i < hk_csv_columns(csv); i++)
            HK_TRY(check_cell(c, row, i));
    }
}

hk_status hk_csv_check(hk_ctx *ctx, const char *path, size_t *ret_columns, size_t *ret_rows) {
    hk_csv *csv = NULL;
    HK_TRY(hk_csv_open(ctx, path, &csv));
    hk_csv_be_strict(csv, true);
    *ret_columns = hk_csv_columns(csv);
    checked c = {ctx, path, csv, hk_alloc(*ret_columns * sizeof(cell_kind))};
    hk_status status = check_rows(&c, csv, ret_rows);
    hk_free(c.kinds);
    hk_csv_close(csv);
    return status;
}

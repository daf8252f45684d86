/* SPDX-License-Identifier: MIT */
#include "format/table_read.h"

#include "base/claims.h"
#include "base/file.h"
#include "base/map.h"
#include "base/number.h"
#include "format/csv.h"
#include "format/hdf5.h"
#include "format/mat.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <strings.h>

static const hk_table_format *const formats[] = {&hk_csv_table, &hk_mat_table, &hk_hdf5_table};
enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

struct hk_table_reader {
    const hk_table_format *format;
    void *self;
    const hk_table_column *columns;
    size_t count;
    const char **names;
};

/* EXTENSIONS are separated by spaces. */
static bool has_extension(const char *path, const char *extensions) {
    const char *extension = hk_path_extension(path);
    size_t length = strlen(extension);
    for (const char *at = extensions; *at && length; at += strspn(at, " ")) {
        size_t size = strcspn(at, " ");
        if (size == length && strncasecmp(at, extension, length) == 0)
            return true;
        at += size;
    }
    return false;
}

static const hk_table_format *find_format(const char *path) {
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        if (has_extension(path, formats[i]->extensions))
            return formats[i];
    return NULL;
}

bool hk_table_is(const char *path) {
    return find_format(path) != NULL;
}

static hk_status open_reader(hk_ctx *ctx, const char *path, bool strict,
                             hk_table_reader **ret_reader) {
    const hk_table_format *format = find_format(path);
    hk_table_reader r = {.format = format ? format : &hk_csv_table};
    HK_TRY(r.format->open(ctx, path, strict, &r.self));
    r.columns = r.format->columns(r.self, &r.count);
    r.names = hk_alloc(r.count * sizeof *r.names);
    for (size_t i = 0; i < r.count; i++)
        r.names[i] = r.columns[i].name;
    *ret_reader = hk_alloc(sizeof r);
    **ret_reader = r;
    return HK_OK;
}

hk_status hk_table_open(hk_ctx *ctx, const char *path, hk_table_reader **ret_reader) {
    return open_reader(ctx, path, false, ret_reader);
}

void hk_table_close(hk_table_reader *reader) {
    if (!reader)
        return;
    reader->format->close(reader->self);
    hk_free(reader->names);
    hk_free(reader);
}

size_t hk_table_columns(const hk_table_reader *reader) {
    return reader->count;
}

const char *const *hk_table_names(const hk_table_reader *reader) {
    return reader->names;
}

const hk_table_column *hk_table_about(const hk_table_reader *reader) {
    return reader->columns;
}

hk_status hk_table_next(hk_table_reader *reader, const hk_table_row **ret_row) {
    return reader->format->next(reader->self, ret_row);
}

/* --- as a whole --------------------------------------------------------------------------------*/

static const char *keep(hk_arena *arena, const char *text) {
    return text ? hk_arena_strdup(arena, text) : NULL;
}

const hk_table_column *hk_table_keep_columns(hk_arena *arena, const hk_table_reader *reader) {
    hk_table_column *all = HK_NEW_ARRAY(arena, hk_table_column, reader->count);
    for (size_t i = 0; i < reader->count; i++) {
        const hk_table_column *c = &reader->columns[i];
        const char **names = HK_NEW_ARRAY(arena, const char *, c->item_count);
        int64_t *values = HK_NEW_ARRAY(arena, int64_t, c->item_count);
        size_t *dims = HK_NEW_ARRAY(arena, size_t, c->dim_count);
        for (size_t k = 0; k < c->item_count; k++) {
            names[k] = hk_arena_strdup(arena, c->item_names[k]);
            values[k] = c->item_values[k];
        }
        for (size_t k = 0; k < c->dim_count; k++)
            dims[k] = c->dims[k];
        all[i] = *c;
        all[i].name = keep(arena, c->name);
        all[i].unit = keep(arena, c->unit);
        all[i].array = keep(arena, c->array);
        all[i].item_names = names;
        all[i].item_values = values;
        all[i].dims = dims;
    }
    return all;
}

static double number_of(const hk_table_cell *cell) {
    double value;
    bool truth;
    if (cell->is_text)
        return (double)NAN;
    if (hk_read_f64(cell->text, cell->length, &value))
        return value;
    return hk_read_bool(cell->text, cell->length, &truth) ? (double)truth : (double)NAN;
}

/* Room for COUNT rows; what was there before stays. */
static void grow(hk_arena *arena, hk_table *table, size_t count) {
    int *lines = HK_NEW_ARRAY(arena, int, count);
    if (table->rows)
        memcpy(lines, table->lines, table->rows * sizeof *lines);
    table->lines = lines;
    for (size_t i = 0; i < table->columns; i++) {
        double *values = HK_NEW_ARRAY(arena, double, count);
        if (table->rows)
            memcpy(values, table->values[i], table->rows * sizeof *values);
        table->values[i] = values;
    }
}

/* How many rows a file says it has does not mean that their memory is asked for before they are
 * there. */
static size_t next_cap(size_t cap, size_t said) {
    enum { FIRST = 4096 };
    size_t more = cap ? 2 * cap : FIRST;
    return more < said || cap >= said ? more : said;
}

static hk_status read_all(hk_arena *arena, hk_table_reader *reader, hk_table *table) {
    size_t said = reader->format->rows(reader->self), cap = 0;
    *table = (hk_table){.columns = reader->count, .about = hk_table_keep_columns(arena, reader)};
    table->names = HK_NEW_ARRAY(arena, const char *, reader->count);
    table->values = HK_NEW_ARRAY(arena, double *, reader->count);
    for (size_t i = 0; i < reader->count; i++)
        table->names[i] = table->about[i].name;
    for (;; table->rows++) {
        const hk_table_row *row = NULL;
        HK_TRY(hk_table_next(reader, &row));
        if (!row)
            break;
        if (table->rows == cap) {
            cap = next_cap(cap, said);
            grow(arena, table, cap);
        }
        table->lines[table->rows] = row->line;
        table->values[0][table->rows] = row->time;
        for (size_t i = 1; i < reader->count; i++)
            table->values[i][table->rows] = number_of(&row->cells[i]);
    }
    return HK_OK;
}

/* CSV does not say how many rows it has, and has a faster way. */
static hk_status read_csv(hk_ctx *ctx, hk_arena *arena, const char *path,
                          const hk_table **ret_table) {
    const hk_table *read = NULL;
    HK_TRY(hk_csv_read(ctx, arena, path, &read));
    hk_table *table = HK_NEW(arena, hk_table);
    hk_table_column *about = HK_NEW_ARRAY(arena, hk_table_column, read->columns);
    for (size_t i = 0; i < read->columns; i++)
        about[i] = (hk_table_column){.name = read->names[i], .type = HK_TYPE_COUNT};
    hk_table_beside(ctx, arena, path, about, read->columns);
    *table = *read;
    table->about = about;
    *ret_table = table;
    return HK_OK;
}

hk_status hk_table_read(hk_ctx *ctx, hk_arena *arena, const char *path,
                        const hk_table **ret_table) {
    const hk_table_format *format = find_format(path);
    if (!format || format == &hk_csv_table)
        return read_csv(ctx, arena, path, ret_table);
    hk_table_reader *reader = NULL;
    HK_TRY(hk_table_open(ctx, path, &reader));
    hk_table *table = HK_NEW(arena, hk_table);
    hk_status status = read_all(arena, reader, table);
    hk_table_close(reader);
    if (status == HK_OK)
        *ret_table = table;
    return status;
}

int hk_table_find(const hk_table *table, const char *name) {
    for (size_t i = 0; i < table->columns; i++)
        if (strcmp(table->names[i], name) == 0)
            return (int)i;
    return -1;
}

/* --- every cell, before somebody relies on it --------------------------------------------------*/

/* What the cells of a column are so far. */
typedef enum cell_kind { CELL_NONE, CELL_NUMBER, CELL_TEXT } cell_kind;

typedef struct checked {
    hk_ctx *ctx;
    const char *file;
    hk_table_reader *reader;
    cell_kind *kinds;
} checked;

static hk_status check_cell(const checked *c, const hk_table_row *row, size_t column) {
    const hk_table_cell *cell = &row->cells[column];
    const char *name = hk_table_names(c->reader)[column];
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
                            : "cells are numbers, 'true' or 'false'; texts are in quotes",
                        cell->length ? "the cell '%.*s' of column '%s' is not a number"
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

static hk_status check_rows(const checked *c, size_t *ret_rows) {
    for (size_t rows = 0;; rows++) {
        const hk_table_row *row = NULL;
        HK_TRY(hk_table_next(c->reader, &row));
        if (!row) {
            *ret_rows = rows;
            return HK_OK;
        }
        for (size_t i = 1; i < hk_table_columns(c->reader); i++)
            HK_TRY(check_cell(c, row, i));
    }
}

static hk_status check_names(const checked *c) {
    hk_status status = HK_OK;
    hk_map seen = {0};
    for (size_t i = 0; i < c->reader->count && status == HK_OK; i++) {
        const hk_table_column *column = &c->reader->columns[i];
        uint32_t before = hk_map_get(&seen, column->name);
        hk_where where = {.file = c->file, .line = column->line, .column = column->column};
        if (before != HK_MAP_NONE)
            status = hk_error(c->ctx, HK_E_CSV, where, "give each column a name of its own",
                              "the columns %zu and %zu have the same name '%s'", (size_t)before + 1,
                              i + 1, column->name);
        hk_map_put(&seen, column->name, (uint32_t)i);
    }
    hk_map_finish(&seen);
    return status;
}

hk_status hk_table_check(hk_ctx *ctx, const char *path, size_t *ret_columns, size_t *ret_rows) {
    hk_table_reader *reader = NULL;
    HK_TRY(open_reader(ctx, path, true, &reader));
    *ret_columns = hk_table_columns(reader);
    checked c = {ctx, path, reader, hk_alloc(*ret_columns * sizeof(cell_kind))};
    hk_status status = check_names(&c);
    if (status == HK_OK)
        status = check_rows(&c, ret_rows);
    hk_free(c.kinds);
    hk_table_close(reader);
    return status;
}

/* --- for the formats ---------------------------------------------------------------------------*/

hk_status hk_table_check_time(hk_ctx *ctx, const char *path, size_t row, double time, double last) {
    hk_where where = {.file = path, .line = row < INT_MAX ? (int)row : INT_MAX};
    if (!isfinite(time))
        return hk_error(ctx, HK_E_CSV, where, "the time is in seconds",
                        "the time of row %zu is not a finite number", row);
    if (time < last)
        return hk_error(ctx, HK_E_CSV, where, "sort the rows by time",
                        "the time goes back from that of the row before");
    return HK_OK;
}

void hk_table_tell_open(hk_ctx *ctx, const char *path) {
    if (hk_claim_is_being_written(path))
        hk_note(ctx, (hk_where){.file = path},
                "a run is writing this file now: it ends with the rows there are so far");
}

hk_status hk_table_open_file(hk_ctx *ctx, const char *path, int *ret_fd) {
    HK_TRY(hk_claim_read(ctx, path));
    hk_table_tell_open(ctx, path);
    *ret_fd = open(path, O_RDONLY | O_CLOEXEC);
    if (*ret_fd < 0)
        return hk_error(ctx, HK_E_FILE_READ, (hk_where){.file = path},
                        errno == ENOENT ? "check the spelling of the path" : NULL,
                        "cannot read it: %s", strerror(errno));
    return HK_OK;
}

/* SPDX-License-Identifier: MIT
 *
 * A reader sees a window of the file that holds at least the whole of the row it is at. For a table
 * in memory the window is all of it. */
#include "format/csv.h"

#include "base/file.h"
#include "base/number.h"
#include "base/packed.h"
#include "format/escape.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WINDOW = 1 << 18, ROW_MAX = 1 << 28 }; /* bytes */

struct hk_csv {
    hk_ctx *ctx;
    const char *file;
    int fd; /* -1: all is in the window */
    char *buffer;
    size_t cap;
    const char *at, *end; /* the window from here on */
    bool complete;        /* nothing follows the window */
    char separator;       /* 0: the header was not seen yet */
    int line;
    const char *line_begin; /* of the line it is at; in the window */
    bool strict, untimed;
    char *unquoted; /* the quoted cells of the row, without their quotes */
    size_t unquoted_size, unquoted_cap;

    hk_arena *arena; /* of the names */
    const char **names;
    int *name_columns, name_line; /* where they are */
    size_t columns;
    hk_table_cell *cells;
    hk_table_row row;
    bool any_row;
};

typedef struct cell {
    hk_table_cell cell;
    bool last; /* of its row */
} cell;

static hk_where here(const hk_csv *r) {
    return (hk_where){.file = r->file, .line = r->line};
}

static void count_line(hk_csv *r) {
    r->line += r->line < INT_MAX;
}

/* Where the row ends that begins here: at its line break, or NULL if that is not in the window. The
 * first character of the header that can separate cells does so in the whole table. */
static const char *find_row_end(const hk_csv *r, char *separator) {
    bool quoted = false, cell_begins = true;
    for (const char *p = r->at; p < r->end; p++) {
        if (quoted) {
            if (*p == '"' && p + 1 < r->end && p[1] == '"')
                p++;
            else if (*p == '"')
                quoted = false;
        } else if (*p == '\n' || (*p == '\r' && (p + 1 < r->end || r->complete))) {
            return p;
        } else if (*separator ? *p == *separator : *p == ',' || *p == ';' || *p == '\t') {
            *separator = *p;
            cell_begins = true;
        } else if (*p == '"' && cell_begins) {
            quoted = true;
            cell_begins = false;
        } else if (*p != ' ') {
            cell_begins = false;
        }
    }
    return NULL;
}

/* Moves the window on: what is left of it comes first, then as much of the file as fits. */
static hk_status fill_window(hk_csv *r) {
    size_t used = (size_t)(r->end - r->at);
    if (used >= ROW_MAX)
        return hk_error(r->ctx, HK_E_CSV, here(r), "a quoted cell may lack its closing '\"'",
                        "the row is longer than %d bytes", ROW_MAX);
    if (used)
        memmove(r->buffer, r->at, used);
    if (used > r->cap / 2 || !r->cap) {
        r->cap = r->cap ? 2 * r->cap : WINDOW;
        r->buffer = hk_realloc(r->buffer, r->cap);
    }
    while (used < r->cap && !r->complete) {
        ssize_t got = read(r->fd, r->buffer + used, r->cap - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return hk_error(r->ctx, HK_E_FILE_READ, (hk_where){.file = r->file}, NULL,
                            "cannot read it: %s", strerror(errno));
        r->complete = got == 0;
        used += (size_t)got;
    }
    r->at = r->buffer;
    r->end = r->buffer + used;
    return HK_OK;
}

/* Makes the window hold the row that begins here, and sees to the space for its quoted cells. */
static hk_status load_row(hk_csv *r) {
    char separator = r->separator;
    const char *end;
    while (!(end = find_row_end(r, &separator)) && !r->complete)
        HK_TRY(fill_window(r));
    size_t size = (size_t)((end ? end : r->end) - r->at);
    if (size > r->unquoted_cap && memchr(r->at, '"', size)) {
        r->unquoted_cap = 2 * size;
        r->unquoted = hk_realloc(r->unquoted, r->unquoted_cap);
    }
    r->unquoted_size = 0;
    r->line_begin = r->at;
    return HK_OK;
}

/* Steps over the end of a row: LF, CR LF, or a lone CR. */
static void end_row(hk_csv *r) {
    if (r->at < r->end && *r->at == '\r')
        r->at++;
    if (r->at < r->end && *r->at == '\n')
        r->at++;
    count_line(r);
}

/* To the next row that is not blank, with all of it in the window; or to the end. */
static hk_status next_row(hk_csv *r) {
    for (;;) {
        HK_TRY(load_row(r));
        const char *p = r->at;
        while (p < r->end && *p == ' ')
            p++;
        if (p < r->end && *p != '\n' && *p != '\r')
            return HK_OK;
        r->at = p;
        if (p == r->end)
            return HK_OK;
        end_row(r);
    }
}

static void trim(hk_table_cell *c) {
    while (c->length && c->text[0] == ' ')
        c->text++, c->length--;
    while (c->length && c->text[c->length - 1] == ' ')
        c->length--;
}

/* A cell in quotes, with "" for a quote and \xHH for what is not to be printed. */
static hk_status read_quoted(hk_csv *r, hk_table_cell *ret_cell) {
    hk_where start = here(r);
    char *text = r->unquoted + r->unquoted_size;
    size_t length = 0;
    const char *p = r->at + 1;
    for (;; p++) {
        if (p == r->end)
            return hk_error(r->ctx, HK_E_CSV, start, "add the closing '\"'",
                            "a quoted cell does not end");
        if (*p == '"' && (p + 1 == r->end || p[1] != '"'))
            break;
        p += *p == '"';
        if (*p == '\n') {
            count_line(r);
            r->line_begin = p + 1;
        }
        text[length++] = *p;
    }
    r->at = p + 1;
    while (r->at < r->end && *r->at == ' ')
        r->at++;
    if (r->at < r->end && *r->at != r->separator && *r->at != '\n' && *r->at != '\r')
        return hk_error(r->ctx, HK_E_CSV, here(r), "write \"\" for a quote inside quotes",
                        "text follows the closing quote of a cell");
    length = hk_unescape(text, length, text);
    r->unquoted_size += length;
    *ret_cell = (hk_table_cell){.text = text, .length = length, .is_text = true};
    return HK_OK;
}

/* Reads one cell and steps over what ends it. */
static hk_status read_cell(hk_csv *r, cell *ret_cell) {
    cell c;
    const char *p = r->at;
    while (p < r->end && *p == ' ')
        p++;
    ptrdiff_t column = p - r->line_begin + 1;
    if (p < r->end && *p == '"') {
        r->at = p;
        HK_TRY(read_quoted(r, &c.cell));
    } else {
        const char *start = r->at;
        while (r->at < r->end && *r->at != r->separator && *r->at != '\n' && *r->at != '\r')
            r->at++;
        c.cell = (hk_table_cell){.text = start, .length = (size_t)(r->at - start)};
        trim(&c.cell);
    }
    c.cell.column = column < INT_MAX ? (int)column : INT_MAX;
    c.last = r->at == r->end || *r->at != r->separator;
    if (c.last)
        end_row(r);
    else
        r->at++;
    *ret_cell = c;
    return HK_OK;
}

static double value_of(const hk_table_cell *c) {
    double value;
    bool truth;
    if (c->is_text)
        return (double)NAN;
    if (hk_read_f64(c->text, c->length, &value))
        return value;
    return hk_read_bool(c->text, c->length, &truth) ? (double)truth : (double)NAN;
}

static hk_status read_names(hk_csv *r) {
    size_t cap = 0, places = 0, place_cap = 0;
    cell c;
    r->name_line = r->line;
    do {
        HK_TRY(read_cell(r, &c));
        HK_PUSH(r->name_columns, places, place_cap, c.cell.column);
        HK_PUSH(r->names, r->columns, cap, hk_arena_strndup(r->arena, c.cell.text, c.cell.length));
    } while (!c.last);
    double number;
    if (hk_read_f64(r->names[0], strlen(r->names[0]), &number))
        return hk_error(r->ctx, HK_E_CSV, (hk_where){.file = r->file, .line = 1},
                        "the first row must hold the names, 'time' first",
                        "the table has no header: it begins with '%s'", r->names[0]);
    return HK_OK;
}

/* Up to the end of the header. */
static hk_status begin(hk_csv *r) {
    static const char mark[] = "\xef\xbb\xbf"; /* some tools begin UTF-8 files with it */
    r->line = 1;
    HK_TRY(load_row(r));
    if (r->end - r->at >= 3 && memcmp(r->at, mark, 3) == 0)
        r->at += 3;
    HK_TRY(next_row(r));
    if (r->at == r->end)
        return hk_error(r->ctx, HK_E_CSV, (hk_where){.file = r->file},
                        "the first row must hold the names, 'time' first", "the table is empty");
    (void)find_row_end(r, &r->separator);
    if (!r->separator)
        r->separator = ',';
    HK_TRY(read_names(r));
    r->cells = hk_alloc(r->columns * sizeof *r->cells);
    r->row.cells = r->cells;
    return HK_OK;
}

static void finish(hk_csv *r) {
    hk_free(r->names);
    hk_free(r->name_columns);
    hk_free(r->cells);
    hk_free(r->unquoted);
    hk_free(r->buffer);
    if (r->fd >= 0)
        close(r->fd);
}

bool hk_csv_has_decimal_comma(const hk_table_cell *c) {
    const char *comma = memchr(c->text, ',', c->length);
    char text[64];
    double value;
    if (!comma || c->length >= sizeof text)
        return false;
    memcpy(text, c->text, c->length);
    text[comma - c->text] = '.';
    return hk_read_f64(text, c->length, &value);
}

static hk_status take_time(hk_csv *r, int line) {
    const hk_table_cell *first = &r->cells[0];
    hk_where where = {.file = r->file, .line = line, .column = first->column};
    double time = value_of(first);
    if (!isfinite(time))
        return hk_error(r->ctx, HK_E_CSV, where,
                        hk_csv_has_decimal_comma(first) ? HK_CSV_POINT_HINT
                                                        : "the first column is the time in seconds",
                        "the time '%.*s' is not a finite number",
                        (int)(first->length < 40 ? first->length : 40), first->text);
    if (r->any_row && time < r->row.time)
        return hk_error(r->ctx, HK_E_CSV, where, "sort the rows by time",
                        "the time goes back from that of the row before");
    r->any_row = true;
    r->row.time = time;
    r->row.line = line;
    return HK_OK;
}

hk_status hk_csv_next(hk_csv *r, const hk_table_row **ret_row) {
    HK_TRY(next_row(r));
    if (r->at == r->end) {
        *ret_row = NULL;
        return HK_OK;
    }
    int line = r->line;
    cell c = {0};
    size_t column = 0;
    for (; !c.last; column++) {
        HK_TRY(read_cell(r, &c));
        if (column < r->columns)
            r->cells[column] = c.cell;
    }
    if (r->cells[0].is_text && !r->untimed) /* quotes around every cell say nothing about it */
        for (size_t i = 0; i < r->columns && i < column; i++)
            r->cells[i].is_text = false;
    /* A run that was killed leaves a last line that ends in the middle. */
    bool torn = column < r->columns && r->at == r->end && r->complete && r->end[-1] != '\n' &&
                r->end[-1] != '\r';
    if (torn && r->strict)
        return hk_error(r->ctx, HK_E_CSV,
                        (hk_where){.file = r->file, .line = line, .column = (int)c.cell.column},
                        "the program that wrote the table was probably stopped",
                        "the file is cut: its last line has %zu cell%s of %zu", column,
                        hk_plural(column), r->columns);
    if (torn) {
        hk_warn(r->ctx, HK_E_CSV, (hk_where){.file = r->file, .line = line},
                "the program that wrote the table was probably stopped",
                "the last line is torn: it has %zu cell%s of %zu and is left out", column,
                hk_plural(column), r->columns);
        *ret_row = NULL;
        return HK_OK;
    }
    if (column != r->columns)
        return hk_error(r->ctx, HK_E_CSV, (hk_where){.file = r->file, .line = line},
                        column > r->columns && r->separator == ','
                            ? "every row needs one cell for each name in the header; numbers have "
                              "a decimal point and no comma"
                            : "every row needs one cell for each name in the header",
                        "the row has %zu cell%s, the header %zu", column, hk_plural(column),
                        r->columns);
    r->row.line = line;
    if (!r->untimed)
        HK_TRY(take_time(r, line));
    *ret_row = &r->row;
    return HK_OK;
}

/* Takes CSV over and hands it out only if its header is fine. */
static hk_status open_window(hk_csv window, hk_csv **ret_csv) {
    hk_csv *csv = hk_alloc(sizeof *csv);
    *csv = window;
    csv->arena = hk_arena_create();
    hk_status status = begin(csv);
    if (status == HK_OK)
        *ret_csv = csv;
    else
        hk_csv_close(csv);
    return status;
}

static hk_status open_packed(hk_ctx *ctx, const char *path, hk_csv **ret_csv) {
    const char *data;
    size_t size;
    HK_TRY(hk_packed_view(ctx, path, &data, &size));
    return open_window(
        (hk_csv){
            .ctx = ctx, .file = path, .fd = -1, .at = data, .end = data + size, .complete = true},
        ret_csv);
}

hk_status hk_csv_open(hk_ctx *ctx, const char *path, hk_csv **ret_csv) {
    hk_where where = {.file = path};
    struct stat info;
    int fd;
    if (hk_packed_is(path))
        return open_packed(ctx, path, ret_csv);
    HK_TRY(hk_table_open_file(ctx, path, &fd));
    if (fstat(fd, &info) == 0 && S_ISDIR(info.st_mode)) {
        close(fd);
        return hk_error(ctx, HK_E_FILE_READ, where, "name a file inside it",
                        "is a folder, not a file");
    }
    return open_window((hk_csv){.ctx = ctx, .file = path, .fd = fd}, ret_csv);
}

void hk_csv_close(hk_csv *csv) {
    if (!csv)
        return;
    finish(csv);
    hk_arena_destroy(csv->arena);
    hk_free(csv);
}

void hk_csv_be_strict(hk_csv *csv, bool timed) {
    csv->strict = true;
    csv->untimed = !timed;
}

size_t hk_csv_columns(const hk_csv *csv) {
    return csv->columns;
}

hk_where hk_csv_place(const hk_csv *csv, int line, int column) {
    return (hk_where){.file = csv->file, .line = line, .column = column};
}

hk_where hk_csv_name_place(const hk_csv *csv, size_t column) {
    return hk_csv_place(csv, csv->name_line, csv->name_columns[column]);
}

const char *const *hk_csv_names(const hk_csv *csv) {
    return csv->names;
}

/* An upper bound for the number of rows. A row of n cells takes n bytes at least, which bounds the
 * memory by the size of the file even if the header is long and the rows are not. */
static size_t rows_at_most(const hk_csv *r) {
    size_t lines = 1, size = (size_t)(r->end - r->at);
    for (const char *p = r->at; p < r->end; p++)
        lines += *p == '\n' || *p == '\r';
    return lines < size / r->columns + 1 ? lines : size / r->columns + 1;
}

static hk_status read_table(hk_csv *r, hk_table *table) {
    HK_TRY(begin(r));
    size_t cap = rows_at_most(r);
    table->columns = r->columns;
    table->names = HK_NEW_ARRAY(r->arena, const char *, r->columns);
    memcpy(table->names, r->names, r->columns * sizeof *r->names);
    table->values = HK_NEW_ARRAY(r->arena, double *, r->columns);
    table->lines = HK_NEW_ARRAY(r->arena, int, cap);
    for (size_t i = 0; i < r->columns; i++)
        table->values[i] = HK_NEW_ARRAY(r->arena, double, cap);
    for (;;) {
        const hk_table_row *row = NULL;
        HK_TRY(hk_csv_next(r, &row));
        if (!row)
            return HK_OK;
        table->lines[table->rows] = row->line;
        table->values[0][table->rows] = row->time;
        for (size_t i = 1; i < r->columns; i++)
            table->values[i][table->rows] = value_of(&row->cells[i]);
        table->rows++;
    }
}

hk_status hk_csv_parse(hk_ctx *ctx, hk_arena *arena, const char *file, const char *data,
                       size_t size, const hk_table **ret_table) {
    hk_csv r = {.ctx = ctx, .file = file, .fd = -1, .at = data, .complete = true, .arena = arena};
    r.end = data + size;
    hk_table *table = HK_NEW(arena, hk_table);
    hk_status status = read_table(&r, table);
    finish(&r);
    if (status == HK_OK)
        *ret_table = table;
    return status;
}

hk_status hk_csv_read(hk_ctx *ctx, hk_arena *arena, const char *path, const hk_table **ret_table) {
    char *data;
    size_t size;
    HK_TRY(hk_file_read(ctx, path, 0, &data, &size));
    hk_table_tell_open(ctx, path);
    hk_status status = hk_csv_parse(ctx, arena, path, data, size, ret_table);
    hk_free(data);
    return status;
}

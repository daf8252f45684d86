/* SPDX-License-Identifier: MIT */
#include "format/csv.h"

#include "base/file.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

typedef struct reader {
    hk_ctx *ctx;
    hk_arena *arena;
    const char *file;
    const char *at, *end;
    char separator;
    int line;
    char *unquoted; /* scratch for quoted cells, as long as the data */
} reader;

typedef struct cell {
    const char *text;
    size_t length;
    bool last; /* of its row */
} cell;

static hk_where here(const reader *r) {
    return (hk_where){.file = r->file, .line = r->line};
}

/* The character that separates cells: the first candidate in the header outside quotes. */
static char find_separator(const char *at, const char *end) {
    bool quoted = false;
    for (; at < end && (quoted || (*at != '\n' && *at != '\r')); at++) {
        if (*at == '"')
            quoted = !quoted;
        else if (!quoted && (*at == ',' || *at == ';' || *at == '\t'))
            return *at;
    }
    return ',';
}

/* Steps over the end of a row: LF, CR LF, or a lone CR. */
static void end_row(reader *r) {
    if (r->at < r->end && *r->at == '\r')
        r->at++;
    if (r->at < r->end && *r->at == '\n')
        r->at++;
    r->line++;
}

static void skip_blank_rows(reader *r) {
    for (;;) {
        const char *p = r->at;
        while (p < r->end && *p == ' ')
            p++;
        if (p == r->end || (*p != '\n' && *p != '\r')) {
            if (p == r->end)
                r->at = p;
            return;
        }
        r->at = p;
        end_row(r);
    }
}

static void trim(cell *c) {
    while (c->length && c->text[0] == ' ')
        c->text++, c->length--;
    while (c->length && c->text[c->length - 1] == ' ')
        c->length--;
}

/* A cell in quotes, with "" for a quote. The text stays valid until the next one. */
static hk_status read_quoted(reader *r, cell *ret_cell) {
    hk_where start = here(r);
    size_t length = 0;
    const char *p = r->at + 1;
    for (;; p++) {
        if (p == r->end)
            return hk_error(r->ctx, HK_E_CSV, start, "add the closing '\"'",
                            "a quoted cell does not end");
        if (*p == '"' && (p + 1 == r->end || p[1] != '"'))
            break;
        p += *p == '"';
        r->line += *p == '\n';
        r->unquoted[length++] = *p;
    }
    r->at = p + 1;
    while (r->at < r->end && *r->at == ' ')
        r->at++;
    if (r->at < r->end && *r->at != r->separator && *r->at != '\n' && *r->at != '\r')
        return hk_error(r->ctx, HK_E_CSV, here(r), "write \"\" for a quote inside quotes",
                        "text follows the closing quote of a cell");
    *ret_cell = (cell){.text = r->unquoted, .length = length};
    return HK_OK;
}

/* Reads one cell and steps over what ends it. */
static hk_status read_cell(reader *r, cell *ret_cell) {
    cell c;
    const char *p = r->at;
    while (p < r->end && *p == ' ')
        p++;
    if (p < r->end && *p == '"') {
        r->at = p;
        if (!r->unquoted)
            r->unquoted = hk_alloc((size_t)(r->end - p));
        HK_TRY(read_quoted(r, &c));
    } else {
        const char *start = r->at;
        while (r->at < r->end && *r->at != r->separator && *r->at != '\n' && *r->at != '\r')
            r->at++;
        c = (cell){.text = start, .length = (size_t)(r->at - start)};
        trim(&c);
    }
    c.last = r->at == r->end || *r->at != r->separator;
    if (c.last)
        end_row(r);
    else
        r->at++;
    *ret_cell = c;
    return HK_OK;
}

static double value_of(const cell *c) {
    double value;
    bool truth;
    if (hk_read_f64(c->text, c->length, &value))
        return value;
    return hk_read_bool(c->text, c->length, &truth) ? (double)truth : (double)NAN;
}

static hk_status read_header(reader *r, hk_table *table) {
    size_t cap = 0;
    const char **names = NULL;
    hk_status status;
    cell c;
    do {
        status = read_cell(r, &c);
        if (status == HK_OK)
            HK_PUSH(names, table->columns, cap, hk_arena_strndup(r->arena, c.text, c.length));
    } while (status == HK_OK && !c.last);
    double number;
    if (status == HK_OK && hk_read_f64(names[0], strlen(names[0]), &number))
        status = hk_error(r->ctx, HK_E_CSV, (hk_where){.file = r->file, .line = 1},
                          "the first row must hold the names, 'time' first",
                          "the table has no header: it begins with '%s'", names[0]);
    if (status == HK_OK) {
        table->names = HK_NEW_ARRAY(r->arena, const char *, table->columns);
        memcpy(table->names, names, table->columns * sizeof *names);
    }
    hk_free(names);
    return status;
}

static hk_status check_time(const reader *r, const hk_table *table, int line) {
    hk_where where = {.file = r->file, .line = line};
    double time = table->values[0][table->rows];
    if (!isfinite(time))
        return hk_error(r->ctx, HK_E_CSV, where, "the first column is the time in seconds",
                        "the time is not a finite number");
    if (table->rows && time < table->values[0][table->rows - 1])
        return hk_error(r->ctx, HK_E_CSV, where, "sort the rows by time",
                        "the time goes back from that of the row before");
    return HK_OK;
}

static hk_status read_row(reader *r, hk_table *table) {
    int line = r->line;
    cell c = {0};
    size_t column = 0;
    for (; !c.last; column++) {
        HK_TRY(read_cell(r, &c));
        if (column < table->columns)
            table->values[column][table->rows] = value_of(&c);
    }
    /* A run that was killed leaves a last line that ends in the middle. */
    if (column < table->columns && r->at == r->end && r->end[-1] != '\n' && r->end[-1] != '\r') {
        hk_warn(r->ctx, HK_E_CSV, (hk_where){.file = r->file, .line = line},
                "the program that wrote the table was probably stopped",
                "the last line is torn: it has %zu cells of %zu and is left out", column,
                table->columns);
        return HK_OK;
    }
    if (column != table->columns)
        return hk_error(r->ctx, HK_E_CSV, (hk_where){.file = r->file, .line = line},
                        "every row needs one cell for each name in the header",
                        "the row has %zu cells, the header %zu", column, table->columns);
    HK_TRY(check_time(r, table, line));
    table->lines[table->rows++] = line;
    return HK_OK;
}

/* An upper bound for the number of rows. A row of n cells takes n bytes at least, which bounds the
 * memory by the size of the file even if the header is long and the rows are not. */
static size_t rows_at_most(const reader *r, size_t columns) {
    size_t lines = 1, size = (size_t)(r->end - r->at);
    for (const char *p = r->at; p < r->end; p++)
        lines += *p == '\n' || *p == '\r';
    return lines < size / columns + 1 ? lines : size / columns + 1;
}

static hk_status read_table(reader *r, hk_table *table) {
    skip_blank_rows(r);
    if (r->at == r->end)
        return hk_error(r->ctx, HK_E_CSV, (hk_where){.file = r->file},
                        "the first row must hold the names, 'time' first", "the table is empty");
    r->separator = find_separator(r->at, r->end);
    HK_TRY(read_header(r, table));
    size_t cap = rows_at_most(r, table->columns);
    table->values = HK_NEW_ARRAY(r->arena, double *, table->columns);
    table->lines = HK_NEW_ARRAY(r->arena, int, cap);
    for (size_t i = 0; i < table->columns; i++)
        table->values[i] = HK_NEW_ARRAY(r->arena, double, cap);
    for (skip_blank_rows(r); r->at < r->end; skip_blank_rows(r))
        HK_TRY(read_row(r, table));
    return HK_OK;
}

hk_status hk_csv_parse(hk_ctx *ctx, hk_arena *arena, const char *file, const char *data,
                       size_t size, const hk_table **ret_table) {
    static const char mark[] = "\xef\xbb\xbf"; /* some tools begin UTF-8 files with it */
    if (size >= 3 && memcmp(data, mark, 3) == 0)
        data += 3, size -= 3;
    reader r = {.ctx = ctx, .arena = arena, .file = file, .at = data, .line = 1};
    r.end = data + size;
    hk_table *table = HK_NEW(arena, hk_table);
    hk_status status = read_table(&r, table);
    hk_free(r.unquoted);
    if (status == HK_OK)
        *ret_table = table;
    return status;
}

hk_status hk_csv_read(hk_ctx *ctx, hk_arena *arena, const char *path, const hk_table **ret_table) {
    char *data;
    size_t size;
    HK_TRY(hk_file_read(ctx, path, 0, &data, &size));
    hk_status status = hk_csv_parse(ctx, arena, path, data, size, ret_table);
    hk_free(data);
    return status;
}

int hk_table_find(const hk_table *table, const char *name) {
    for (size_t i = 0; i < table->columns; i++)
        if (strcmp(table->names[i], name) == 0)
            return (int)i;
    return -1;
}

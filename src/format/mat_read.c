/* SPDX-License-Identifier: MIT
 *
 * A table of the matrices of a MAT-file: names, units and descriptions are kept, rows are read in
 * blocks, and each number becomes the text that CSV would have for it. */
#include "base/file.h"
#include "base/number.h"
#include "base/packed.h"
#include "format/json_read.h"
#include "format/mat_internal.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK_BYTES = 1 << 20 };

/* A part of the file that has ROW_BYTES for each row: a data matrix, or a column of its own. */
typedef struct stream {
    uint64_t at;
    size_t row_bytes;
    char *block; /* the rows [block, block + block_rows) of the table */
} stream;

/* Where a column has its values. */
typedef struct source {
    size_t stream, offset; /* offset: in a row of the stream */
    int32_t type;
    bool constant, negated;
    double number; /* of a constant one */
} source;

typedef struct mat {
    hk_mat_file file;
    hk_table_column *columns;
    source *sources;
    size_t count, column_cap, source_cap;
    stream *streams;
    size_t stream_count, stream_cap, rows;

    size_t block, block_rows, block_cap;
    size_t next;
    double last;
    char *texts; /* HK_NUMBER_MAX bytes for each cell */
    hk_table_cell *cells;
    hk_table_row row;
} mat;

/* --- columns -----------------------------------------------------------------------------------*/

/* The unit of "a description [m/s]"; NULL: it has none. What Dymola puts behind a '|' or ':#' is
 * its own. */
static const char *unit_of(const mat *m, const char *description) {
    const char *open = strrchr(description, '[');
    size_t length = open ? strcspn(open + 1, "]|:") : 0;
    return length && strchr(open, ']') ? hk_arena_strndup(m->file.arena, open + 1, length) : NULL;
}

static void add_column(mat *m, hk_table_column column, source from) {
    size_t sources = m->count;
    column.type = HK_TYPE_COUNT;
    HK_PUSH(m->columns, m->count, m->column_cap, column);
    HK_PUSH(m->sources, sources, m->source_cap, from);
}

static size_t add_stream(mat *m, uint64_t at, size_t row_bytes) {
    stream s = {.at = at, .row_bytes = row_bytes};
    HK_PUSH(m->streams, m->stream_count, m->stream_cap, s);
    return m->stream_count - 1;
}

/* The data matrices of a result file, by their number. */
typedef struct data_matrix {
    const hk_matrix *matrix;
    size_t stream; /* of the one with the time; else SIZE_MAX */
    double *first; /* of the others: their first column */
} data_matrix;

/* DATA_1 has the first and the last value of what does not change. */
static hk_status read_constants(mat *m, const hk_matrix *matrix, data_matrix *ret_data) {
    double *numbers = NULL;
    HK_TRY(hk_mat_numbers(&m->file, matrix, &numbers));
    *ret_data = (data_matrix){matrix, SIZE_MAX, numbers};
    return HK_OK;
}

static hk_status find_data(mat *m, data_matrix ret_data[2]) {
    const hk_matrix *moving = hk_mat_find(&m->file, "data_2"),
                    *still = hk_mat_find(&m->file, "data_1");
    if (!moving || !moving->header.rows || moving->header.type % 10 || moving->header.imaginary)
        return hk_mat_bad(&m->file, "data_2", "it is not there, or does not hold real numbers");
    size_t element = hk_mat_element_size(moving->header.type);
    m->rows = (size_t)moving->header.columns;
    ret_data[0] = (data_matrix){0};
    if (still && still->header.columns)
        HK_TRY(read_constants(m, still, &ret_data[0]));
    ret_data[1] = (data_matrix){
        moving, add_stream(m, moving->at, (size_t)moving->header.rows * element), NULL};
    return HK_OK;
}

static hk_status add_variable(mat *m, const data_matrix data[2], const char *name,
                              const char *description, const double info[4]) {
    double number = info[0], place = fabs(info[1]);
    bool time = m->count == 0;
    const data_matrix *d = number == 1 && !time ? &data[0] : &data[1];
    if ((number != 0 && number != 1 && number != 2) || !d->matrix || !(place >= 1) ||
        place > d->matrix->header.rows)
        return hk_mat_bad(
            &m->file, "dataInfo",
            hk_arena_printf(m->file.arena, "'%s' is said to be where nothing is", name));
    size_t row = (size_t)place - 1;
    size_t element = hk_mat_element_size(d->matrix->header.type);
    source from = {.stream = d->stream,
                   .offset = row * element,
                   .type = d->matrix->header.type,
                   .constant = d->first != NULL,
                   .negated = info[1] < 0,
                   .number = d->first ? d->first[row] : 0};
    add_column(m, (hk_table_column){.name = name, .unit = unit_of(m, description)}, from);
    return HK_OK;
}

/* What a Modelica tool has written; the time is its first variable. */
static hk_status read_trajectory(mat *m) {
    const hk_mat_file *f = &m->file;
    const hk_matrix *names = hk_mat_find(f, "name"), *info = hk_mat_find(f, "dataInfo");
    const hk_matrix *descriptions = hk_mat_find(f, "description");
    const char **name_texts = NULL, **texts = NULL;
    char layout[9] = "";
    double *codes = NULL;
    const hk_mat_header *kind = &f->matrices[0].header; /* lines below each other */
    HK_TRY(hk_mat_numbers(f, &f->matrices[0], &codes));
    for (int32_t i = 0; kind->rows >= 4 && i < kind->columns && i < 8; i++) {
        double code = codes[(size_t)i * (size_t)kind->rows + 3];
        layout[i] = code > ' ' && code < 127 ? (char)code : '?';
    }
    if (strncmp(layout, "binTrans", 8) != 0)
        return hk_mat_bad(f, "Aclass", "its layout is not 'binTrans'");
    if (!names || !info || info->header.rows != 4 || !names->header.columns ||
        info->header.columns != names->header.columns ||
        (descriptions && descriptions->header.columns != names->header.columns))
        return hk_mat_bad(f, info ? info->name : "dataInfo",
                          "names, descriptions and places of the variables do not fit");
    double *places = NULL;
    data_matrix data[2] = {{0}};
    HK_TRY(hk_mat_texts(f, names, &name_texts));
    if (descriptions)
        HK_TRY(hk_mat_texts(f, descriptions, &texts));
    HK_TRY(hk_mat_numbers(f, info, &places));
    HK_TRY(find_data(m, data));
    for (int32_t i = 0; i < names->header.columns; i++)
        HK_TRY(add_variable(m, data, name_texts[i], texts ? texts[i] : "", places + (size_t)i * 4));
    return HK_OK;
}

/* The columns of a matrix with as many rows as the time has; a row that is a vector counts, too. */
static void add_matrix(mat *m, const hk_matrix *x) {
    const hk_mat_header *h = &x->header;
    size_t element = hk_mat_element_size(h->type);
    bool lies = h->rows == 1 && m->rows != 1;
    size_t width = lies ? 1 : (size_t)h->columns;
    size_t *dims = HK_NEW_ARRAY(m->file.arena, size_t, 1);
    dims[0] = width;
    for (size_t i = 0; i < width; i++) {
        hk_table_column column = {.name = x->name};
        if (width > 1)
            column =
                (hk_table_column){.name = hk_arena_printf(m->file.arena, "%s[%zu]", x->name, i + 1),
                                  .array = x->name,
                                  .dims = dims,
                                  .dim_count = 1,
                                  .element = i};
        uint64_t at = x->at + (uint64_t)i * (uint64_t)h->rows * element;
        add_column(m, column, (source){.stream = add_stream(m, at, element), .type = h->type});
    }
}

static bool is_column(const hk_matrix *x, size_t rows) {
    const hk_mat_header *h = &x->header;
    return h->type % 10 == 0 && !h->imaginary &&
           ((size_t)h->rows == rows || (h->rows == 1 && (size_t)h->columns == rows));
}

/* Columns cost no byte of the file if there are no rows, nor do names of what does not change: more
 * cells than a file can mean are a mistake of the one who wrote it. */
static hk_status check_size(const mat *m, uint64_t more_columns) {
    enum { FREE_CELLS = 1 << 24, CELLS_PER_BYTE = 64 };
    uint64_t count = m->count + more_columns, bytes = m->file.size;
    if (count > bytes)
        return hk_mat_bad(&m->file, NULL,
                          hk_arena_printf(m->file.arena,
                                          "it says that it has %llu columns, more than bytes",
                                          (unsigned long long)count));
    if ((double)count * (double)m->rows > FREE_CELLS + (double)CELLS_PER_BYTE * (double)bytes)
        return hk_mat_bad(
            &m->file, NULL,
            hk_arena_printf(m->file.arena,
                            "it says that it has %llu columns and %zu rows, more cells than a file "
                            "of %llu bytes can hold",
                            (unsigned long long)count, m->rows, (unsigned long long)bytes));
    return HK_OK;
}

/* Matrices that are columns of a table. */
static hk_status read_plain(mat *m) {
    const hk_mat_file *f = &m->file;
    const hk_matrix *time = hk_mat_find(f, "time");
    time = time ? time : hk_mat_find(f, "Time");
    if (!time || (time->header.rows != 1 && time->header.columns != 1))
        return hk_mat_bad(f, NULL, "it has no vector that is called 'time'");
    m->rows = (size_t)time->header.rows * (size_t)time->header.columns;
    if (!is_column(time, m->rows))
        return hk_mat_bad(f, time->name, "it does not hold real numbers");
    size_t left_out = 0;
    const char *first = NULL;
    add_matrix(m, time);
    for (size_t i = 0; i < f->count; i++) {
        const hk_matrix *x = &f->matrices[i];
        if (x == time)
            continue;
        if (is_column(x, m->rows)) {
            HK_TRY(check_size(m, (uint64_t)x->header.columns));
            add_matrix(m, x);
        } else {
            first = first ? first : x->name;
            left_out++;
        }
    }
    if (left_out)
        hk_note(
            f->ctx, (hk_where){.file = f->path},
            "%zu of its matrices %s left out, first '%s': not real numbers, or not of the length "
            "of the time",
            left_out, left_out == 1 ? "is" : "are", first);
    return HK_OK;
}

/* --- rows --------------------------------------------------------------------------------------*/

static hk_status read_block(mat *m) {
    size_t left = m->rows - m->next;
    m->block = m->next;
    m->block_rows = left < m->block_cap ? left : m->block_cap;
    for (size_t i = 0; i < m->stream_count; i++) {
        stream *s = &m->streams[i];
        HK_TRY(hk_mat_read_at(&m->file, s->at + (uint64_t)m->block * s->row_bytes, s->block,
                              m->block_rows * s->row_bytes));
    }
    return HK_OK;
}

/* A whole number of 64 bits. Its nearest double may lie behind the last one of its type, which is
 * meant then. */
static size_t write_whole(hk_type type, double value, char *text) {
    static const double two_63 = 9223372036854775808.0;
    if (type == HK_TYPE_U64)
        return hk_write_u64(value >= 2 * two_63 ? UINT64_MAX : (uint64_t)value, text);
    return hk_write_i64(value >= two_63 ? INT64_MAX : (int64_t)value, text);
}

static bool is_whole(hk_type type, double value) {
    static const double two_63 = 9223372036854775808.0;
    if (type == HK_TYPE_U64)
        return value >= 0 && value <= 2 * two_63 && value == floor(value);
    return (type == HK_TYPE_I64 || type == HK_TYPE_ENUM) && value >= -two_63 && value <= two_63 &&
           value == floor(value);
}

static size_t write_number(const mat *m, size_t column, double value, char *text) {
    if (is_whole(m->columns[column].type, value))
        return write_whole(m->columns[column].type, value, text);
    bool single = m->sources[column].type / 10 % 10 == 1 || m->columns[column].type == HK_TYPE_F32;
    return single && !m->sources[column].constant ? hk_write_f32((float)value, text)
                                                  : hk_write_f64(value, text);
}

static hk_status mat_next(void *user, const hk_table_row **ret_row) {
    mat *m = user;
    *ret_row = NULL;
    if (m->next == m->rows)
        return HK_OK;
    if (m->next >= m->block + m->block_rows)
        HK_TRY(read_block(m));
    for (size_t i = 0; i < m->count; i++) {
        const source *from = &m->sources[i];
        double value = from->number;
        if (!from->constant) {
            const stream *s = &m->streams[from->stream];
            value = hk_mat_number(s->block + (m->next - m->block) * s->row_bytes + from->offset,
                                  from->type);
        }
        if (from->negated)
            value = -value;
        if (i == 0)
            m->row.time = value;
        char *text = m->texts + i * HK_NUMBER_MAX;
        m->cells[i] = (hk_table_cell){.text = text, .length = write_number(m, i, value, text)};
    }
    HK_TRY(hk_table_check_time(m->file.ctx, m->file.path, m->next + 1, m->row.time, m->last));
    m->last = m->row.time;
    m->next++;
    m->row.line = m->next < INT_MAX ? (int)m->next : INT_MAX;
    *ret_row = &m->row;
    return HK_OK;
}

/* What the file says of its columns itself, beyond names and units: as much as would be beside it.
 */
static hk_status read_about(mat *m) {
    const hk_matrix *x = hk_mat_find(&m->file, HK_MAT_ABOUT);
    hk_json_value *root = NULL;
    if (!x || x->header.type != HK_MAT_TEXT || x->header.rows != 1 || x->header.imaginary)
        return HK_OK;
    size_t size = (size_t)x->header.columns;
    char *text = hk_arena_alloc(m->file.arena, size + 1);
    HK_TRY(hk_mat_read_at(&m->file, x->at, text, size));
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    hk_file_text said = {m->file.path, text, size};
    if (hk_json_read(quiet, m->file.arena, HK_E_CSV, &said, &root) == HK_OK)
        hk_table_learn(m->file.arena, root, m->columns, m->count);
    else
        hk_note(m->file.ctx, (hk_where){.file = m->file.path, .element = "matrix 'about'"},
                "it cannot be used, so types of the columns are not known: %s",
                hk_ctx_diag(quiet, 0)->text);
    hk_ctx_destroy(quiet);
    return HK_OK;
}

/* --- life --------------------------------------------------------------------------------------*/

static void mat_close(void *user) {
    mat *m = user;
    for (size_t i = 0; i < m->stream_count; i++)
        hk_free(m->streams[i].block);
    if (m->file.fd >= 0)
        close(m->file.fd);
    hk_free(m->file.matrices);
    hk_free(m->columns);
    hk_free(m->sources);
    hk_free(m->streams);
    hk_free(m->texts);
    hk_free(m->cells);
    hk_arena_destroy(m->file.arena);
    hk_free(m);
}

static void make_room(mat *m) {
    size_t row_bytes = 1;
    for (size_t i = 0; i < m->stream_count; i++)
        row_bytes += m->streams[i].row_bytes;
    size_t fit = BLOCK_BYTES / row_bytes + 1;
    m->block_cap = fit < m->rows ? fit : m->rows;
    for (size_t i = 0; i < m->stream_count; i++)
        m->streams[i].block = hk_alloc(m->block_cap * m->streams[i].row_bytes + 1);
    m->texts = hk_alloc(m->count * HK_NUMBER_MAX);
    m->cells = hk_alloc(m->count * sizeof *m->cells);
    m->row.cells = m->cells;
    m->last = -INFINITY;
}

/* Takes the file over. */
static hk_status begin(hk_mat_file file, void **ret_self) {
    mat *m = hk_alloc(sizeof *m);
    m->file = file;
    m->file.arena = hk_arena_create();
    hk_status status = hk_mat_walk(&m->file);
    if (status == HK_OK)
        status = hk_mat_is_trajectory(&m->file) ? read_trajectory(m) : read_plain(m);
    if (status == HK_OK)
        status = check_size(m, 0);
    if (status == HK_OK && hk_mat_is_trajectory(&m->file))
        status = read_about(m);
    if (status != HK_OK) {
        mat_close(m);
        return status;
    }
    make_room(m);
    *ret_self = m;
    return HK_OK;
}

hk_status hk_mat_view(hk_ctx *ctx, const char *path, const char *data, size_t size,
                      void **ret_self) {
    return begin((hk_mat_file){.ctx = ctx, .path = path, .fd = -1, .data = data, .size = size},
                 ret_self);
}

static hk_status open_file(hk_ctx *ctx, const char *path, bool strict, void **ret_self) {
    hk_where where = {.file = path};
    struct stat info;
    int fd;
    if (hk_file_exists(path) && !hk_file_is_regular(path)) /* to open a pipe is to wait for it */
        return hk_error(ctx, HK_E_FILE_READ, where, "name a file", "it is not a regular file");
    HK_TRY(hk_table_open_file(ctx, path, &fd));
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        close(fd);
        return hk_error(ctx, HK_E_FILE_READ, where, "name a file", "it is not a regular file");
    }
    return begin(
        (hk_mat_file){
            .ctx = ctx, .path = path, .fd = fd, .strict = strict, .size = (uint64_t)info.st_size},
        ret_self);
}

static hk_status mat_open(hk_ctx *ctx, const char *path, bool strict, void **ret_self) {
    if (hk_packed_is(path)) {
        const char *data;
        size_t size;
        HK_TRY(hk_packed_view(ctx, path, &data, &size));
        HK_TRY(hk_mat_view(ctx, path, data, size, ret_self));
    } else {
        HK_TRY(open_file(ctx, path, strict, ret_self));
    }
    mat *m = *ret_self;
    hk_table_beside(ctx, m->file.arena, path, m->columns, m->count);
    return HK_OK;
}

static const hk_table_column *mat_columns(const void *user, size_t *ret_count) {
    const mat *m = user;
    *ret_count = m->count;
    return m->columns;
}

static size_t mat_rows(const void *user) {
    return ((const mat *)user)->rows;
}

const hk_table_format hk_mat_table = {.extensions = ".mat",
                                      .open = mat_open,
                                      .close = mat_close,
                                      .next = mat_next,
                                      .columns = mat_columns,
                                      .rows = mat_rows};

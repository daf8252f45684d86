/* SPDX-License-Identifier: MIT
 *
 * MAT-files of version 4 as Modelica tools write their results (format/mat.h). The last matrix has
 * one column per instant, so that rows are appended to it; the head, which says how many there are,
 * is written again after each block. A process that is killed leaves a file that ends with the last
 * whole block. All numbers are doubles; each element of an array is a variable of its own, as in
 * Modelica. Texts and binary values are left out, which is said. When the run has ended a matrix of
 * characters follows, with what is beside the record: types and items of the columns, too. */
#include "base/number.h"
#include "format/mat.h"
#include "record/about.h"
#include "record/stream.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct mat {
    const hk_column *columns; /* of the record */
    size_t *kept;             /* those that are numbers */
    size_t count;
    hk_outfile_head head;
    char *bytes; /* of the head */
    char *empty; /* of its part that changes, without rows */
    size_t rows; /* formatted so far */
    double first;
    size_t
        rounded; /* the first column with a whole number that a double cannot hold; COUNT: none */
    double rounded_at;
} mat;

/* --- the head ----------------------------------------------------------------------------------*/

static void put_header(FILE *out, int32_t type, size_t rows, size_t columns, const char *name) {
    hk_mat_header h = {.type = type,
                       .rows = (int32_t)rows,
                       .columns = (int32_t)columns,
                       .name_size = (int32_t)strlen(name) + 1};
    fwrite(&h, sizeof h, 1, out);
    fwrite(name, strlen(name) + 1, 1, out);
}

static void put_class(FILE *out) {
    static const char *const lines[] = {"Atrajectory", "1.1", "", "binTrans"};
    enum { LINES = 4, WIDTH = 11 };
    put_header(out, HK_MAT_TEXT, LINES, WIDTH, "Aclass");
    for (size_t c = 0; c < WIDTH; c++)
        for (size_t r = 0; r < LINES; r++)
            fputc(c < strlen(lines[r]) ? lines[r][c] : ' ', out);
}

/* One column of characters for each text. */
static void put_texts(FILE *out, const char *name, const char *const *texts, size_t count) {
    size_t width = 1;
    for (size_t i = 0; i < count; i++)
        width = strlen(texts[i]) > width ? strlen(texts[i]) : width;
    put_header(out, HK_MAT_TEXT, width, count, name);
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(texts[i]);
        fwrite(texts[i], length, 1, out);
        for (size_t k = length; k < width; k++)
            fputc(' ', out);
    }
}

/* "what it is (1 = off, 2 = on) [unit]", in one line. */
static const char *describe(hk_arena *arena, const hk_column *column) {
    const hk_variable *v = column->of;
    const hk_enum *e = hk_column_items(column);
    const char *text = v && v->description ? v->description : "";
    char *line = hk_arena_strdup(arena, text);
    for (char *c = line; *c; c++)
        *c = (unsigned char)*c < ' ' ? ' ' : *c;
    text = line;
    for (size_t i = 0; e && i < e->item_count; i++)
        text = hk_arena_printf(arena, "%s%s%lld = %s%s", text,
                               i       ? ", "
                               : *text ? " ("
                                       : "(",
                               (long long)e->item_values[i], e->item_names[i],
                               i + 1 < e->item_count ? "" : ")");
    if (column->unit)
        return hk_arena_printf(arena, "%s%s[%s]", text, *text ? " " : "", column->unit);
    return strchr(text, '[') ? hk_arena_printf(arena, "%s []", text)
                             : text; /* that is not a unit */
}

static void put_places(FILE *out, size_t count) {
    put_header(out, HK_MAT_I32, 4, count + 1, "dataInfo");
    for (size_t i = 0; i <= count; i++) {
        const int32_t place[4] = {i ? 2 : 0, (int32_t)i + 1, 0, -1};
        fwrite(place, sizeof place, 1, out);
    }
}

static void make_head(mat *self) {
    hk_arena *arena = hk_arena_create();
    const char **texts = HK_NEW_ARRAY(arena, const char *, self->count + 1);
    size_t size = 0;
    FILE *out = open_memstream(&self->bytes, &size);
    HK_ASSERT(out);
    put_class(out);
    texts[0] = "time";
    for (size_t i = 0; i < self->count; i++)
        texts[i + 1] = self->columns[self->kept[i]].name;
    put_texts(out, "name", texts, self->count + 1);
    texts[0] = "Time [s]";
    for (size_t i = 0; i < self->count; i++)
        texts[i + 1] = describe(arena, &self->columns[self->kept[i]]);
    put_texts(out, "description", texts, self->count + 1);
    put_places(out, self->count);
    put_header(out, HK_MAT_F64, 1, 2, "data_1");
    fflush(out);
    self->head.changes = size;
    const double span[2] = {0, 0};
    fwrite(span, sizeof span, 1, out);
    put_header(out, HK_MAT_F64, self->count + 1, 0, "data_2");
    (void)fclose(out);
    self->head.bytes = self->bytes;
    self->head.size = size;
    self->empty = hk_alloc(size - self->head.changes);
    self->head.empty =
        memcpy(self->empty, self->bytes + self->head.changes, size - self->head.changes);
    hk_arena_destroy(arena);
}

/* How many rows there are now. What lies over a large block until it is complete is a matrix, too,
 * which readers step over. */
static const hk_outfile_head *mat_counted(void *user, const char *block, size_t block_size,
                                          uint64_t rows) {
    enum { PLAIN_MAX = 4096 };
    static const char name[] = "unfinished";
    mat *self = user;
    const char *last = block + block_size - (self->count + 1) * sizeof(double);
    double span[2] = {self->first, 0};
    memcpy(&span[1], last, sizeof span[1]);
    hk_mat_header h = {.type = HK_MAT_F64,
                       .rows = (int32_t)self->count + 1,
                       .columns = (int32_t)rows,
                       .name_size = sizeof "data_2"};
    memcpy(self->bytes + self->head.changes, span, sizeof span);
    memcpy(self->bytes + self->head.changes + sizeof span, &h, sizeof h);
    self->head.cover_size = 0;
    if (block_size > PLAIN_MAX && block_size < INT32_MAX) {
        self->head.cover_size = sizeof h + sizeof name;
        h = (hk_mat_header){.type = HK_MAT_U8,
                            .rows = (int32_t)(block_size - self->head.cover_size),
                            .columns = 1,
                            .name_size = sizeof name};
        memcpy(self->head.cover, &h, sizeof h);
        memcpy(self->head.cover + sizeof h, name, sizeof name);
    }
    return &self->head;
}

/* --- rows --------------------------------------------------------------------------------------*/

static size_t mat_row_size(const void *user, const char *row) {
    (void)row;
    return (((const mat *)user)->count + 1) * sizeof(double);
}

/* Two to the power of 53: beyond it not every whole number is a double. */
static const double exact_below = 9007199254740992.0;

static double read_wide(const hk_column *column, const char *cell, bool *ret_exact) {
    int64_t i;
    uint64_t u;
    if (column->store == HK_STORE_I64) {
        memcpy(&i, cell, sizeof i);
        *ret_exact = i <= (int64_t)exact_below && i >= -(int64_t)exact_below;
        return (double)i;
    }
    memcpy(&u, cell, sizeof u);
    *ret_exact = u <= (uint64_t)exact_below;
    return (double)u;
}

static double read_cell(mat *self, size_t index, const char *row) {
    const hk_column *column = &self->columns[self->kept[index]];
    const char *cell = row + sizeof(double) + column->offset;
    double value = 0;
    bool exact = true;
    if (column->store == HK_STORE_F64)
        memcpy(&value, cell, sizeof value);
    else if (column->store == HK_STORE_I64 || column->store == HK_STORE_U64)
        value = read_wide(column, cell, &exact);
    else if (!hk_value_convert(HK_STORE_F64, &value, column->store, cell, 1))
        value = (double)NAN;
    if (!exact && self->rounded == self->count) {
        self->rounded = index;
        memcpy(&self->rounded_at, row, sizeof self->rounded_at);
    }
    return value;
}

static size_t mat_rows(void *user, hk_rows rows, char *out, size_t room, size_t *ret_taken) {
    mat *self = user;
    size_t size = (self->count + 1) * sizeof(double), taken = 0;
    char *p = out;
    for (const char *row = rows.first; taken < rows.count; row += rows.stride, taken++) {
        if (room - (size_t)(p - out) < size || self->rows == INT32_MAX)
            break;
        memcpy(p, row, sizeof(double));
        if (self->rows++ == 0)
            memcpy(&self->first, row, sizeof self->first);
        p += sizeof(double);
        for (size_t i = 0; i < self->count; i++, p += sizeof(double)) {
            double value = read_cell(self, i, row);
            memcpy(p, &value, sizeof value);
        }
    }
    *ret_taken = taken;
    return (size_t)(p - out);
}

/* --- life --------------------------------------------------------------------------------------*/

static void mat_tell(hk_ctx *ctx, const char *path, const void *user) {
    const mat *self = user;
    char text[HK_NUMBER_MAX];
    if (self->rounded < self->count)
        hk_warn(ctx, HK_E_VALUE, (hk_where){.file = path}, "write a .csv or a .h5 file",
                "values of '%s', first at t = %.*s s, are whole numbers beyond 2^53: a MAT-file "
                "holds the nearest double",
                self->columns[self->kept[self->rounded]].name,
                (int)hk_write_f64(self->rounded_at, text), text);
}

static void mat_destroy(void *user) {
    mat *self = user;
    hk_free(self->kept);
    free(self->bytes);
    hk_free(self->empty);
    hk_free(self);
}

/* The text as a matrix. Modelica tools expect theirs first and in their order: it is the last. */
static char *mat_tail(const char *about, size_t *ret_size) {
    size_t length = strlen(about), size = 0;
    char *bytes = NULL;
    FILE *out = open_memstream(&bytes, &size);
    HK_ASSERT(out);
    put_header(out, HK_MAT_TEXT, 1, length, HK_MAT_ABOUT);
    fwrite(about, length, 1, out);
    (void)fclose(out);
    char *tail = memcpy(hk_alloc(size), bytes, size);
    free(bytes);
    *ret_size = size;
    return tail;
}

static const hk_row_format mat_format = {.row_size = mat_row_size,
                                         .rows = mat_rows,
                                         .counted = mat_counted,
                                         .tail = mat_tail,
                                         .tell = mat_tell,
                                         .destroy = mat_destroy};

static hk_status mat_begin(hk_ctx *ctx, const hk_record *record, void **ret_self) {
    mat *self = hk_alloc(sizeof *self);
    const char *first = NULL;
    self->columns = record->columns;
    self->kept = hk_alloc(record->column_count * sizeof *self->kept);
    for (size_t i = 0; i < record->column_count; i++) {
        bool text = record->columns[i].store == HK_STORE_BYTES;
        first = text && !first ? record->columns[i].name : first;
        if (!text)
            self->kept[self->count++] = i;
    }
    self->rounded = self->count;
    size_t texts = record->column_count - self->count;
    if (first)
        hk_warn(ctx, HK_E_NO_WORDS, (hk_where){.file = record->path},
                "write a .csv or a .h5 file, or choose others with --output-variable",
                "a MAT-file holds numbers: %zu column%s of texts or binary values %s left out, "
                "first '%s'",
                texts, texts == 1 ? "" : "s", texts == 1 ? "is" : "are", first);
    make_head(self);
    return hk_row_stream_begin(ctx, record, &mat_format, self, ret_self);
}

const hk_writer hk_mat_writer = {.extension = ".mat", .begin = mat_begin, HK_STREAM_WRITER};

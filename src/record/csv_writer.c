/* SPDX-License-Identifier: MIT
 *
 * CSV: a header `time,component.variable,...`, then rows of numbers in the shortest form that reads
 * back exactly. Names and texts are quoted only where they must be, also so that they are not taken
 * for numbers; what is not to be printed is escaped (format/escape.h). Booleans are 0 and 1,
 * enumerations are numbers, binary is hexadecimal in quotes. */
#include "base/number.h"
#include "format/escape.h"
#include "record/stream.h"

#include <string.h>

/* Columns in a row that lie in the same store, so that it is decided once how to write them. */
typedef struct run {
    hk_store store;
    bool binary;
    size_t begin, end; /* columns */
} run;

typedef struct csv {
    const hk_column *columns;
    size_t count;
    size_t *offsets; /* of each column, from the begin of a row with its time */
    run *runs;
    size_t run_count, run_cap;
    size_t fixed_size; /* most bytes of a row without its texts */
    bool has_texts;
    /* The first text that was escaped. */
    size_t escaped; /* its column, or the number of columns: none */
    double escaped_at;
} csv;

static csv *create(const hk_column *columns, size_t count) {
    csv *self = hk_alloc(sizeof *self);
    self->columns = columns;
    self->count = count;
    self->offsets = hk_alloc(count * sizeof *self->offsets);
    self->fixed_size = (count + 1) * (HK_NUMBER_MAX + 1);
    self->escaped = count;
    for (size_t i = 0; i < count; i++) {
        const hk_column *column = &columns[i];
        self->offsets[i] = sizeof(double) + column->offset;
        run now = {column->store, column->type == HK_TYPE_BINARY, i, i + 1};
        run *last = self->run_count ? &self->runs[self->run_count - 1] : NULL;
        if (last && last->store == now.store && last->binary == now.binary)
            last->end = i + 1;
        else
            HK_PUSH(self->runs, self->run_count, self->run_cap, now);
        self->has_texts |= column->store == HK_STORE_BYTES;
    }
    return self;
}

static void csv_destroy(void *user) {
    csv *self = user;
    hk_free(self->offsets);
    hk_free(self->runs);
    hk_free(self);
}

/* A space at an end would not be read back. */
static bool needs_quotes(const char *text, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (text[i] == ',' || text[i] == '"' || text[i] == '\n' || text[i] == '\r')
            return true;
    return size && (text[0] == ' ' || text[size - 1] == ' ');
}

static bool reads_as_number(const char *text, size_t size) {
    double number;
    bool truth;
    return hk_read_f64(text, size, &number) || hk_read_bool(text, size, &truth);
}

static char *put_quoted(char *p, const char *text, size_t size) {
    *p++ = '"';
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '"')
            *p++ = '"';
        *p++ = text[i];
    }
    *p++ = '"';
    return p;
}

static char *put_text(char *p, const char *text, size_t size, bool *ret_escaped) {
    size_t escaped = hk_escaped_size(text, size);
    *ret_escaped = escaped != size;
    if (escaped != size) {
        /* In quotes, so that plain cells of other tools are not taken for such. It is written
         * behind the place where it will be, by as many bytes as it has quotes to be doubled. */
        char *aside = p + 1;
        for (size_t i = 0; i < size; i++)
            aside += text[i] == '"';
        return put_quoted(p, aside, hk_escape(text, size, aside));
    }
    if (needs_quotes(text, size) || reads_as_number(text, size))
        return put_quoted(p, text, size);
    if (size)
        memcpy(p, text, size);
    return p + size;
}

/* Most bytes that put_text uses. */
static size_t text_room(const char *text, size_t size) {
    return 2 * hk_escaped_size(text, size) + 2;
}

static char *put_hex(char *p, const unsigned char *data, size_t size) {
    static const char digits[] = "0123456789abcdef";
    *p++ = '"';
    for (size_t i = 0; i < size; i++) {
        *p++ = digits[data[i] >> 4];
        *p++ = digits[data[i] & 15];
    }
    *p++ = '"';
    return p;
}

static size_t csv_head_size(const void *user) {
    const csv *self = user;
    size_t size = sizeof "time\n";
    for (size_t i = 0; i < self->count; i++)
        size += 1 + text_room(self->columns[i].name, strlen(self->columns[i].name));
    return size;
}

static size_t csv_head(const void *user, char *out) {
    const csv *self = user;
    bool escaped;
    char *p = put_text(out, "time", 4, &escaped);
    for (size_t i = 0; i < self->count; i++) {
        *p++ = ',';
        p = put_text(p, self->columns[i].name, strlen(self->columns[i].name), &escaped);
    }
    *p++ = '\n';
    return (size_t)(p - out);
}

static size_t csv_row_size(const void *user, const char *row) {
    const csv *self = user;
    size_t size = self->fixed_size;
    if (!self->has_texts)
        return size;
    for (size_t r = 0; r < self->run_count; r++) {
        const run *now = &self->runs[r];
        for (size_t i = now->begin; now->store == HK_STORE_BYTES && i < now->end; i++) {
            hk_bytes text;
            memcpy(&text, row + self->offsets[i], sizeof text);
            size += now->binary ? 2 * text.size + 2 : text_room(text.data, text.size);
        }
    }
    return size;
}

static char *put_bytes(csv *self, const run *now, const char *row, char *p) {
    for (size_t i = now->begin; i < now->end; i++) {
        hk_bytes text;
        bool escaped = false;
        memcpy(&text, row + self->offsets[i], sizeof text);
        *p++ = ',';
        p = now->binary ? put_hex(p, text.data, text.size)
                        : put_text(p, text.data, text.size, &escaped);
        if (escaped && self->escaped == self->count) {
            self->escaped = i;
            memcpy(&self->escaped_at, row, sizeof self->escaped_at);
        }
    }
    return p;
}

/* Writes the cells of a run of STORE, each with WRITE, which names x as its value. */
#define PUT_RUN(store, type, write)                                                                \
    case store:                                                                                    \
        for (size_t i = now->begin; i < now->end; i++) {                                           \
            type x;                                                                                \
            memcpy(&x, row + offsets[i], sizeof x);                                                \
            *p++ = ',';                                                                            \
            p += (write);                                                                          \
        }                                                                                          \
        break;
#define PUT_SIGNED(store, type)   PUT_RUN(store, type, hk_write_i64(x, p))
#define PUT_UNSIGNED(store, type) PUT_RUN(store, type, hk_write_u64(x, p))

static size_t put_bool(bool value, char *out) {
    *out = value ? '1' : '0';
    return 1;
}

static char *put_run(csv *self, const run *now, const char *row, char *p) {
    const size_t *offsets = self->offsets;
    switch (now->store) {
        PUT_RUN(HK_STORE_F64, double, hk_write_f64(x, p))
        PUT_RUN(HK_STORE_F32, float, hk_write_f32(x, p))
        HK_SIGNED_STORES(PUT_SIGNED)
        HK_UNSIGNED_STORES(PUT_UNSIGNED)
        PUT_RUN(HK_STORE_BOOL8, uint8_t, put_bool(x != 0, p))
        PUT_RUN(HK_STORE_BOOL32, int32_t, put_bool(x != 0, p))
    case HK_STORE_BYTES:
        return put_bytes(self, now, row, p);
    case HK_STORE_COUNT:
        break;
    }
    return p;
}

static size_t csv_rows(void *user, hk_rows rows, char *out, size_t room, size_t *ret_taken) {
    csv *self = user;
    char *p = out;
    size_t taken = 0;
    for (const char *row = rows.first; taken < rows.count; row += rows.stride, taken++) {
        if (room - (size_t)(p - out) < csv_row_size(self, row))
            break;
        double time;
        memcpy(&time, row, sizeof time);
        p += hk_write_f64(time, p);
        for (size_t r = 0; r < self->run_count; r++)
            p = put_run(self, &self->runs[r], row, p);
        *p++ = '\n';
    }
    *ret_taken = taken;
    return (size_t)(p - out);
}

static size_t csv_whole(const char *out, size_t size) {
    size_t whole = 0;
    bool quoted = false;
    for (size_t i = 0; i < size; i++) {
        quoted ^= out[i] == '"';
        if (out[i] == '\n' && !quoted)
            whole = i + 1;
    }
    return whole;
}

/* The first cell of a row is its time; that of the head is not a number. */
static uint64_t csv_count(const char *out, size_t size, double *ret_last) {
    uint64_t rows = 0;
    bool quoted = false;
    for (size_t i = 0, begin = 0; i < size; i++) {
        quoted ^= out[i] == '"';
        if (out[i] != '\n' || quoted)
            continue;
        size_t cell = 0;
        while (out[begin + cell] != ',' && out[begin + cell] != '\n')
            cell++;
        rows += hk_read_f64(out + begin, cell, ret_last);
        begin = i + 1;
    }
    return rows;
}

static void csv_tell(hk_ctx *ctx, const char *path, const void *user) {
    const csv *self = user;
    if (self->escaped < self->count)
        hk_record_tell_escaped(ctx, path, self->columns[self->escaped].name, self->escaped_at);
}

const hk_row_format hk_csv_format = {
    .head_size = csv_head_size,
    .head = csv_head,
    .row_size = csv_row_size,
    .rows = csv_rows,
    .whole = csv_whole,
    .count = csv_count,
    .tell = csv_tell,
    .destroy = csv_destroy,
};

static hk_status csv_begin(hk_ctx *ctx, const hk_record *record, void **ret_self) {
    return hk_row_stream_begin(ctx, record, &hk_csv_format,
                               create(record->columns, record->column_count), ret_self);
}

const hk_writer hk_csv_writer = {
    .extension = ".csv", .streams = true, .resumes = true, .begin = csv_begin, HK_STREAM_WRITER};

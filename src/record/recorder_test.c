/* SPDX-License-Identifier: MIT */
#include "record/recorder.h"

#include "base/claims.h"
#include "base/file.h"
#include "format/csv.h"
#include "format/escape.h"
#include "record/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

typedef struct fixture {
    hk_ctx *ctx;
    hk_arena *arena;
    const char *folder, *path;
} fixture;

static int setup(void **state) {
    fixture *f = hk_alloc(sizeof *f);
    f->ctx = hk_ctx_create(NULL, NULL);
    f->arena = hk_arena_create();
    if (hk_folder_temporary(f->ctx, f->arena, &f->folder) != HK_OK)
        return -1;
    f->path = hk_path_join(f->arena, f->folder, "record.csv");
    *state = f;
    return 0;
}

static int teardown(void **state) {
    fixture *f = *state;
    hk_folder_remove(f->folder);
    hk_arena_destroy(f->arena);
    hk_ctx_destroy(f->ctx);
    hk_free(f);
    return 0;
}

/* COUNT columns of doubles, "c.x0", "c.x1", ... */
static hk_column *doubles(hk_arena *arena, size_t count) {
    hk_column *columns = HK_NEW_ARRAY(arena, hk_column, count ? count : 1);
    for (size_t i = 0; i < count; i++)
        columns[i] = (hk_column){.name = hk_arena_printf(arena, "c.x%zu", i),
                                 .type = HK_TYPE_F64,
                                 .store = HK_STORE_F64,
                                 .offset = i * sizeof(double)};
    return columns;
}

/* A double whose bits depend on the place alone; among them tiny, huge and odd ones. */
static double sample(size_t row, size_t column) {
    uint64_t x = (row * 131 + column + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x ^= x >> 29;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 32;
    double value;
    memcpy(&value, &x, sizeof value);
    return isfinite(value) ? value : (double)row;
}

static bool put_rows(hk_sink sink, size_t from, size_t to, size_t columns) {
    for (size_t row = from; row < to; row++) {
        double *cells = sink.row_begin(sink.user);
        for (size_t c = 0; c < columns; c++)
            cells[c] = sample(row, c);
        if (!sink.row_end(sink.user, 0.001 * (double)row))
            return false;
    }
    return true;
}

static char *slurp(fixture *f, const char *path, size_t *ret_size) {
    char *data = NULL;
    assert_int_equal(hk_file_read(f->ctx, path, 0, &data, ret_size), HK_OK);
    char *kept = hk_arena_strndup(f->arena, data, *ret_size);
    hk_free(data);
    return kept;
}

/* The file holds ROWS rows of COLUMNS cells, in order, each with exactly the bits that went in. */
static void assert_record(fixture *f, size_t rows, size_t columns) {
    const hk_table *table = NULL;
    assert_int_equal(hk_csv_read(f->ctx, f->arena, f->path, &table), HK_OK);
    assert_int_equal(table->columns, columns + 1);
    assert_int_equal(table->rows, rows);
    assert_string_equal(table->names[0], "time");
    for (size_t r = 0; r < rows; r++) {
        double time = 0.001 * (double)r;
        assert_memory_equal(&table->values[0][r], &time, sizeof time);
        for (size_t c = 0; c < columns; c++) {
            double expected = sample(r, c);
            assert_memory_equal(&table->values[c + 1][r], &expected, sizeof expected);
        }
    }
}

static void record_and_check(fixture *f, size_t rows, size_t columns,
                             const hk_recorder_options *options) {
    hk_recorder *rec = NULL;
    hk_recorder_stats stats;
    hk_column *layout = doubles(f->arena, columns);
    assert_int_equal(hk_recorder_open(f->ctx, f->path,
                                      &(hk_row_layout){layout, columns, columns * sizeof(double)},
                                      options, &rec),
                     HK_OK);
    assert_true(put_rows(hk_recorder_sink(rec), 0, rows, columns));
    assert_int_equal(hk_recorder_close(f->ctx, rec, NULL, &stats), HK_OK);
    assert_int_equal(stats.rows, rows);
    struct stat info;
    assert_int_equal(stat(f->path, &info), 0);
    assert_int_equal(stats.bytes, info.st_size);
    assert_record(f, rows, columns);
}

static void test_exact_and_in_order(void **state) {
    record_and_check(*state, 3000, 121, NULL);
}

static void test_without_a_thread(void **state) {
    record_and_check(*state, 3000, 17, &(hk_recorder_options){.no_thread = true});
}

static void test_time_alone(void **state) {
    record_and_check(*state, 100, 0, NULL);
}

/* Blocks of one row, two of them: every row is handed over and waited for. */
static void test_smallest_ring(void **state) {
    record_and_check(*state, 2000, 3, &(hk_recorder_options){.block_bytes = 1, .block_count = 2});
}

static void test_no_allocation_in_the_loop(void **state) {
    fixture *f = *state;
    hk_recorder *rec = NULL;
    assert_int_equal(hk_recorder_open(f->ctx, f->path,
                                      &(hk_row_layout){doubles(f->arena, 20), 20, 160}, NULL, &rec),
                     HK_OK);
    uint64_t before = hk_alloc_count();
    assert_true(put_rows(hk_recorder_sink(rec), 0, 50000, 20));
    assert_int_equal(hk_alloc_count(), before);
    assert_int_equal(hk_recorder_close(f->ctx, rec, NULL, NULL), HK_OK);
}

typedef struct mixed {
    double f64;
    hk_bytes text, binary;
    int64_t enumeration;
    uint64_t u64;
    float f32;
    int32_t bool32;
    int16_t i16;
    uint8_t bool8;
    int8_t i8;
} mixed;

static const hk_column mixed_columns[] = {
    {.name = "a.f64", .type = HK_TYPE_F64, .store = HK_STORE_F64, .offset = offsetof(mixed, f64)},
    {.name = "a.m[1,2]",
     .type = HK_TYPE_F32,
     .store = HK_STORE_F32,
     .offset = offsetof(mixed, f32)},
    {.name = "a \"b\"",
     .type = HK_TYPE_BOOL,
     .store = HK_STORE_BOOL8,
     .offset = offsetof(mixed, bool8)},
    {.name = "a.b32",
     .type = HK_TYPE_BOOL,
     .store = HK_STORE_BOOL32,
     .offset = offsetof(mixed, bool32)},
    {.name = "a.text",
     .type = HK_TYPE_STRING,
     .store = HK_STORE_BYTES,
     .offset = offsetof(mixed, text)},
    {.name = "a.bin",
     .type = HK_TYPE_BINARY,
     .store = HK_STORE_BYTES,
     .offset = offsetof(mixed, binary)},
    {.name = "a.i8", .type = HK_TYPE_I8, .store = HK_STORE_I8, .offset = offsetof(mixed, i8)},
    {.name = "a.i16", .type = HK_TYPE_I16, .store = HK_STORE_I16, .offset = offsetof(mixed, i16)},
    {.name = "a.u64", .type = HK_TYPE_U64, .store = HK_STORE_U64, .offset = offsetof(mixed, u64)},
    {.name = "a.e",
     .type = HK_TYPE_ENUM,
     .store = HK_STORE_I64,
     .offset = offsetof(mixed, enumeration)},
};
enum { MIXED_COUNT = sizeof mixed_columns / sizeof *mixed_columns };

static void test_every_kind_of_cell(void **state) {
    fixture *f = *state;
    hk_recorder *rec = NULL;
    assert_int_equal(hk_recorder_open(f->ctx, f->path,
                                      &(hk_row_layout){mixed_columns, MIXED_COUNT, sizeof(mixed)},
                                      NULL, &rec),
                     HK_OK);
    hk_sink sink = hk_recorder_sink(rec);
    char text[16] = "say \"no\", now";
    mixed *row = sink.row_begin(sink.user);
    *row = (mixed){0.1, {text, strlen(text)}, {"\x00\xfe\x7f", 3}, -7, UINT64_MAX, 0.1f, 5, -300, 1,
                   -8};
    assert_true(sink.row_end(sink.user, 0));
    memset(text, '#', sizeof text); /* it was valid until row_end only */
    row = sink.row_begin(sink.user);
    *row = (mixed){-0.0, {"1.0", 3}, {NULL, 0}, 2, 0, INFINITY, 0, 0, 0, 0};
    assert_true(sink.row_end(sink.user, 0.5));
    row = sink.row_begin(sink.user);
    *row = (mixed){NAN, {"two\nlines", 9}, {"a", 1}, 0, 1, 1, -1, 1, 255, 1};
    assert_true(sink.row_end(sink.user, 1));
    assert_int_equal(hk_recorder_close(f->ctx, rec, NULL, NULL), HK_OK);
    size_t size = 0;
    assert_string_equal(
        slurp(f, f->path, &size),
        "time,a.f64,\"a.m[1,2]\",\"a \"\"b\"\"\",a.b32,a.text,a.bin,a.i8,a.i16,"
        "a.u64,a.e\n"
        "0,0.1,0.1,1,1,\"say \"\"no\"\", now\",\"00fe7f\",-8,-300,18446744073709551615,"
        "-7\n"
        "0.5,-0,inf,0,0,\"1.0\",\"\",0,0,0,2\n"
        "1,nan,1,1,1,\"two\nlines\",\"61\",1,1,1,0\n");
}

/* Whatever a component calls a text comes back as it was, and none is more than text. */
static void test_any_texts(void **state) {
    fixture *f = *state;
    enum { ROWS = 3000, LONGEST = 9 };
    static const char likely[] = "ab,\"\n\r\t \\x1bC\x1b[\xc2\x9b\xe9\xff\x7f";
    static char texts[ROWS][LONGEST + 1];
    static size_t sizes[ROWS];
    hk_column column = {.name = "c.\xc2\x9bs", .type = HK_TYPE_STRING, .store = HK_STORE_BYTES};
    hk_recorder *rec = NULL;
    assert_int_equal(hk_recorder_open(f->ctx, f->path,
                                      &(hk_row_layout){&column, 1, sizeof(hk_bytes)}, NULL, &rec),
                     HK_OK);
    hk_sink sink = hk_recorder_sink(rec);
    srand(5);
    for (size_t r = 0; r < ROWS; r++) {
        sizes[r] = (size_t)rand() % (LONGEST + 1);
        for (size_t i = 0; i < sizes[r]; i++)
            texts[r][i] = rand() % 5 ? likely[(size_t)rand() % (sizeof likely - 1)] : (char)rand();
        *(hk_bytes *)sink.row_begin(sink.user) = (hk_bytes){texts[r], sizes[r]};
        assert_true(sink.row_end(sink.user, (double)r));
    }
    assert_int_equal(hk_recorder_close(f->ctx, rec, NULL, NULL), HK_OK);
    assert_int_equal(hk_ctx_count(f->ctx, HK_NOTE), 1); /* told once */
    assert_non_null(strstr(hk_ctx_diag(f->ctx, 0)->text, "are written as \\xHH"));
    hk_csv *csv = NULL;
    const hk_table_row *row = NULL;
    assert_int_equal(hk_csv_open(f->ctx, f->path, &csv), HK_OK);
    assert_string_equal(hk_csv_names(csv)[1], column.name);
    for (size_t r = 0; r < ROWS; r++) {
        assert_int_equal(hk_csv_next(csv, &row), HK_OK);
        assert_non_null(row);
        assert_int_equal(row->cells[1].length, sizes[r]);
        if (sizes[r])
            assert_memory_equal(row->cells[1].text, texts[r], sizes[r]);
    }
    hk_csv_close(csv);
    char *data = NULL;
    size_t size = 0, length;
    assert_int_equal(hk_file_read(f->ctx, f->path, 0, &data, &size), HK_OK);
    for (size_t i = 0; i < size; i += length)
        assert_true(hk_glyph_at(data + i, size - i, &length) <= HK_GLYPH_BREAK);
    hk_free(data);
}

/* Texts that fill blocks, that fit none, and short ones after them; more than the output buffer. */
static void test_long_texts(void **state) {
    fixture *f = *state;
    static const size_t sizes[] = {10, 900, 900, 0, 5000, 3, 3000000, 1, 1, 100000, 2};
    hk_column column = {.name = "c.s", .type = HK_TYPE_STRING, .store = HK_STORE_BYTES};
    hk_recorder *rec = NULL;
    hk_recorder_options small = {.block_bytes = 2048, .block_count = 2};
    assert_int_equal(hk_recorder_open(f->ctx, f->path,
                                      &(hk_row_layout){&column, 1, sizeof(hk_bytes)}, &small, &rec),
                     HK_OK);
    hk_sink sink = hk_recorder_sink(rec);
    char *text = hk_alloc(3000000), *expected = hk_alloc(16000000);
    size_t length = (size_t)sprintf(expected, "time,c.s\n");
    for (int round = 0; round < 3; round++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            memset(text, 'a' + (int)i, sizes[i]);
            hk_bytes *cell = sink.row_begin(sink.user);
            *cell = (hk_bytes){text, sizes[i]};
            assert_true(sink.row_end(sink.user, (double)i));
            length += (size_t)sprintf(expected + length, "%zu,%.*s\n", i, (int)sizes[i], text);
        }
    assert_int_equal(hk_recorder_close(f->ctx, rec, NULL, NULL), HK_OK);
    char *data = NULL;
    size_t size = 0;
    assert_int_equal(hk_file_read(f->ctx, f->path, 0, &data, &size), HK_OK);
    assert_int_equal(size, length);
    assert_memory_equal(data, expected, length);
    hk_free(data);
    hk_free(text);
    hk_free(expected);
}

static void test_no_row_no_file(void **state) {
    fixture *f = *state;
    hk_recorder *rec = NULL;
    for (int thread = 0; thread < 2; thread++) {
        hk_recorder_options options = {.no_thread = thread == 0};
        assert_int_equal(hk_recorder_open(f->ctx, f->path,
                                          &(hk_row_layout){doubles(f->arena, 1), 1, 8}, &options,
                                          &rec),
                         HK_OK);
        assert_non_null(hk_recorder_sink(rec).row_begin(rec)); /* begun, never ended */
        assert_int_equal(hk_recorder_close(f->ctx, rec, NULL, NULL), HK_OK);
        assert_false(hk_file_exists(f->path));
    }
    assert_int_equal(hk_recorder_close(f->ctx, NULL, NULL, NULL), HK_OK);
}

static void test_old_file_is_replaced_late(void **state) {
    fixture *f = *state;
    hk_recorder *rec = NULL;
    assert_int_equal(hk_file_write(f->ctx, f->path, "old", 3), HK_OK);
    assert_int_equal(
        hk_recorder_open(f->ctx, f->path, &(hk_row_layout){doubles(f->arena, 1), 1, 8}, NULL, &rec),
        HK_OK);
    size_t size = 0;
    assert_string_equal(slurp(f, f->path, &size), "old");
    assert_true(put_rows(hk_recorder_sink(rec), 0, 5, 1));
    assert_int_equal(hk_recorder_close(f->ctx, rec, NULL, NULL), HK_OK);
    assert_record(f, 5, 1);
}

/* A record is not written over what the same work reads, nor twice at a time; when it is closed it
 * may be read and written again. */
static void test_claims(void **state) {
    fixture *f = *state;
    hk_recorder *rec = NULL, *second = NULL;
    const hk_column *columns = doubles(f->arena, 1);
    const char *about = hk_arena_printf(f->arena, "%s-metadata.json", f->path);
    hk_claim_begin(f->ctx);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(
            hk_recorder_open(f->ctx, f->path, &(hk_row_layout){columns, 1, 8}, NULL, &rec), HK_OK);
        assert_int_equal(
            hk_recorder_open(f->ctx, f->path, &(hk_row_layout){columns, 1, 8}, NULL, &second),
            HK_E_USAGE);
        assert_int_equal(hk_claim_write(f->ctx, about, "--trace"), HK_E_USAGE);
        assert_true(put_rows(hk_recorder_sink(rec), 0, 5, 1));
        assert_int_equal(hk_recorder_close(f->ctx, rec, NULL, NULL), HK_OK);
    }
    assert_record(f, 5, 1); /* reads it */
    assert_int_equal(hk_recorder_open(f->ctx, f->path, &(hk_row_layout){columns, 1, 8}, NULL, &rec),
                     HK_E_USAGE);
    assert_record(f, 5, 1);
}

static void test_bad_paths(void **state) {
    fixture *f = *state;
    static const struct {
        const char *name;
        hk_status expected;
    } cases[] = {
        {"record.xyz", HK_E_USAGE},
        {"record", HK_E_USAGE},
        {"nowhere/record.csv", HK_E_FILE_WRITE},
    };
    hk_recorder *rec = NULL;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = hk_path_join(f->arena, f->folder, cases[i].name);
        size_t before = hk_ctx_count(f->ctx, HK_ERROR);
        assert_int_equal(hk_recorder_open(f->ctx, path, &(hk_row_layout){NULL, 0, 0}, NULL, &rec),
                         cases[i].expected);
        assert_int_equal(hk_ctx_count(f->ctx, HK_ERROR), before + 1);
        const hk_diag *diag = hk_ctx_diag(f->ctx, before);
        assert_string_equal(diag->where.file, path);
        assert_non_null(diag->hint);
        if (cases[i].expected == HK_E_USAGE)
            assert_non_null(strstr(diag->hint, ".csv"));
    }
    assert_null(rec);
}

/* Runs until the sink refuses, and returns how many rows that took. */
static size_t rows_until_refused(hk_sink sink, size_t columns) {
    size_t row = 0;
    while (row < 10000000 && put_rows(sink, row, row + 1, columns))
        row++;
    return row;
}

static void test_full_disk(void **state) {
    fixture *f = *state;
    const char *link = hk_path_join(f->arena, f->folder, "full.csv");
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_int_equal(symlink("/dev/full", link), 0);
    for (int thread = 0; thread < 2; thread++) {
        hk_recorder *rec = NULL;
        hk_recorder_options options = {.no_thread = thread == 0};
        assert_int_equal(hk_recorder_open(f->ctx, link,
                                          &(hk_row_layout){doubles(f->arena, 8), 8, 64}, &options,
                                          &rec),
                         HK_OK);
        assert_true(rows_until_refused(hk_recorder_sink(rec), 8) < 10000000);
        hk_recorder_stats stats;
        assert_int_equal(hk_recorder_close(f->ctx, rec, NULL, &stats), HK_E_FILE_WRITE);
        assert_int_equal(stats.rows, 0);
        const hk_diag *diag = hk_ctx_diag(f->ctx, hk_ctx_count(f->ctx, HK_ERROR) - 1);
        assert_string_equal(diag->where.file, link);
        assert_non_null(strstr(diag->text, strerror(ENOSPC)));
        assert_non_null(diag->hint);
    }
}

/* The file may not grow beyond a limit: whole rows before it stay, no signal kills us. */
static void test_file_size_limit(void **state) {
    fixture *f = *state;
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    for (int thread = 0; thread < 2; thread++) {
        hk_recorder *rec = NULL;
        hk_recorder_options options = {.no_thread = thread == 0, .block_bytes = 4096};
        assert_int_equal(hk_recorder_open(f->ctx, f->path,
                                          &(hk_row_layout){doubles(f->arena, 8), 8, 64}, &options,
                                          &rec),
                         HK_OK);
        small.rlim_cur = 100001;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        assert_true(rows_until_refused(hk_recorder_sink(rec), 8) < 10000000);
        hk_status status = hk_recorder_close(f->ctx, rec, NULL, NULL);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_int_equal(status, HK_E_FILE_WRITE);
        const hk_table *table = NULL;
        assert_int_equal(hk_csv_read(f->ctx, f->arena, f->path, &table), HK_OK);
        size_t size = 0;
        const char *data = slurp(f, f->path, &size);
        assert_int_equal(data[size - 1], '\n');
        assert_true(size > 99000 && size <= 100001);
        assert_record(f, table->rows, 8);
    }
}

static void test_whole_rows_of_csv(void **state) {
    (void)state;
    static const char text[] = "time,a\n0,\"x\ny\"\n1,2";
    assert_int_equal(hk_csv_format.whole(text, sizeof text - 1), 15);
    assert_int_equal(hk_csv_format.whole(text, 12), 7);
    assert_int_equal(hk_csv_format.whole(text, 6), 0);
}

typedef struct slow_reader {
    const char *path;
    size_t bytes;
} slow_reader;

static void *read_slowly(void *user) {
    slow_reader *reader = user;
    int fd = open(reader->path, O_RDONLY | O_CLOEXEC); /* waits for the writer */
    char buffer[65536];
    for (ssize_t n; (n = read(fd, buffer, sizeof buffer)) > 0;) {
        reader->bytes += (size_t)n;
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
    close(fd);
    return NULL;
}

/* The reader of a pipe is slower than the run: the run waits, nothing is lost. */
static void test_back_pressure(void **state) {
    fixture *f = *state;
    slow_reader reader = {.path = hk_path_join(f->arena, f->folder, "pipe.csv")};
    assert_int_equal(mkfifo(reader.path, 0600), 0);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, read_slowly, &reader), 0);
    hk_recorder *rec = NULL;
    hk_recorder_options small = {.block_bytes = 8192, .block_count = 2};
    assert_int_equal(hk_recorder_open(f->ctx, reader.path,
                                      &(hk_row_layout){doubles(f->arena, 10), 10, 80}, &small,
                                      &rec),
                     HK_OK);
    assert_true(put_rows(hk_recorder_sink(rec), 0, 5000, 10));
    hk_recorder_stats stats;
    assert_int_equal(hk_recorder_close(f->ctx, rec, NULL, &stats), HK_OK);
    pthread_join(thread, NULL);
    assert_int_equal(stats.rows, 5000);
    assert_int_equal(stats.bytes, reader.bytes);
    assert_true(stats.wait_s > 0);
}

/* The reader of a pipe goes away: an error, and no SIGPIPE. */
static void test_broken_pipe(void **state) {
    fixture *f = *state;
    const char *fifo = hk_path_join(f->arena, f->folder, "broken.csv");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    int fd = open(fifo, O_RDWR | O_CLOEXEC); /* so that the recorder's open does not wait */
    hk_recorder *rec = NULL;
    hk_recorder_options small = {.block_bytes = 4096, .no_thread = true};
    assert_int_equal(
        hk_recorder_open(f->ctx, fifo, &(hk_row_layout){doubles(f->arena, 8), 8, 64}, &small, &rec),
        HK_OK);
    hk_sink sink = hk_recorder_sink(rec);
    assert_true(put_rows(sink, 0, 60, 8));
    close(fd);
    assert_true(rows_until_refused(sink, 8) < 200);
    assert_int_equal(hk_recorder_close(f->ctx, rec, NULL, NULL), HK_E_FILE_WRITE);
}

/* The descriptor of a file that is open, as a component finds it. */
static int descriptor_of(const char *path) {
    struct stat wanted, found;
    assert_int_equal(stat(path, &wanted), 0);
    for (int fd = 3; fd < 256; fd++)
        if (fstat(fd, &found) == 0 && found.st_ino == wanted.st_ino &&
            found.st_dev == wanted.st_dev)
            return fd;
    fail();
    return -1;
}

typedef enum loss { CLOSED, TAKEN, CUT, MOVED, LOSSES } loss;

static void lose(fixture *f, loss how, const char *other) {
    int fd = descriptor_of(f->path), stranger;
    switch (how) {
    case CLOSED:
        close(fd);
        break;
    case TAKEN:
        stranger = open(other, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        assert_int_equal(dup2(stranger, fd), fd);
        close(stranger);
        break;
    case CUT:
        assert_int_equal(truncate(f->path, 10), 0);
        break;
    default:
        assert_int_equal(rename(f->path, other), 0);
    }
}

/* Somebody closes or takes our descriptor, or changes the file: an error, and his is not written.
 */
static void test_file_taken_away(void **state) {
    fixture *f = *state;
    const char *other = hk_path_join(f->arena, f->folder, "other.csv");
    for (int i = 0; i < 2 * LOSSES; i++) {
        hk_recorder *rec = NULL;
        hk_recorder_options options = {.no_thread = i % 2};
        assert_int_equal(hk_recorder_open(f->ctx, f->path,
                                          &(hk_row_layout){doubles(f->arena, 2), 2, 16}, &options,
                                          &rec),
                         HK_OK);
        hk_sink sink = hk_recorder_sink(rec);
        assert_true(put_rows(sink, 0, 50, 2));
        hk_recorder_flush_from_signal(rec);
        (void)unlink(other);
        lose(f, (loss)(i / 2), other);
        (void)put_rows(sink, 50, 60, 2);
        assert_int_equal(hk_recorder_close(f->ctx, rec, NULL, NULL), HK_E_FILE_WRITE);
        assert_int_equal(hk_ctx_count(f->ctx, HK_ERROR), i + 1);
        if (i / 2 == TAKEN) {
            struct stat info;
            assert_int_equal(stat(other, &info), 0);
            assert_int_equal(info.st_size, 0);
            close(descriptor_of(other));
        }
        if (i / 2 <= TAKEN)
            assert_record(f, 50, 2); /* whole, up to there */
    }
}

static void test_standard_output(void **state) {
    fixture *f = *state;
    fflush(stdout);
    int saved = dup(STDOUT_FILENO);
    int fd = open(f->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_int_equal(dup2(fd, STDOUT_FILENO), STDOUT_FILENO);
    hk_recorder *rec = NULL;
    hk_status opened =
        hk_recorder_open(f->ctx, "-", &(hk_row_layout){doubles(f->arena, 2), 2, 16}, NULL, &rec);
    bool taken = opened == HK_OK && put_rows(hk_recorder_sink(rec), 0, 50, 2);
    hk_status closed = hk_recorder_close(f->ctx, rec, NULL, NULL);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    close(fd);
    assert_int_equal(opened, HK_OK);
    assert_true(taken);
    assert_int_equal(closed, HK_OK);
    assert_record(f, 50, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_exact_and_in_order, setup, teardown),
        cmocka_unit_test_setup_teardown(test_without_a_thread, setup, teardown),
        cmocka_unit_test_setup_teardown(test_time_alone, setup, teardown),
        cmocka_unit_test_setup_teardown(test_smallest_ring, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_allocation_in_the_loop, setup, teardown),
        cmocka_unit_test_setup_teardown(test_every_kind_of_cell, setup, teardown),
        cmocka_unit_test_setup_teardown(test_any_texts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_long_texts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_row_no_file, setup, teardown),
        cmocka_unit_test_setup_teardown(test_old_file_is_replaced_late, setup, teardown),
        cmocka_unit_test_setup_teardown(test_claims, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bad_paths, setup, teardown),
        cmocka_unit_test_setup_teardown(test_full_disk, setup, teardown),
        cmocka_unit_test_setup_teardown(test_file_size_limit, setup, teardown),
        cmocka_unit_test(test_whole_rows_of_csv),
        cmocka_unit_test_setup_teardown(test_back_pressure, setup, teardown),
        cmocka_unit_test_setup_teardown(test_broken_pipe, setup, teardown),
        cmocka_unit_test_setup_teardown(test_file_taken_away, setup, teardown),
        cmocka_unit_test_setup_teardown(test_standard_output, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT
 *
 * The formats of records, each written and read back: bits, shapes, units, items; small blocks, a
 * full disk, a file that somebody else changes. */
#include "record/recorder.h"

#include "base/file.h"
#include "format/hdf5.h"
#include "format/table_read.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
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
    const char *folder;
} fixture;

static int setup(void **state) {
    fixture *f = hk_alloc(sizeof *f);
    f->ctx = hk_ctx_create(NULL, NULL);
    f->arena = hk_arena_create();
    if (hk_folder_temporary(f->ctx, f->arena, &f->folder) != HK_OK)
        return -1;
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

/* All formats that this build has. */
static size_t formats(const char *ret_names[3]) {
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    ret_names[0] = "r.csv";
    ret_names[1] = "r.mat";
    ret_names[2] = "r.h5";
    bool hdf5 = hk_hdf5_load(quiet, "r.h5") == HK_OK;
    hk_ctx_destroy(quiet);
    return hdf5 ? 3 : 2;
}

/* One row: a matrix, a Boolean, an enumeration and a whole number. */
typedef struct row {
    double matrix[4];
    int64_t item, whole;
    uint8_t truth;
} row;

enum { ROWS = 5000, COLUMNS = 7 };
static const size_t dims[] = {2, 2};
static const char *item_names[] = {"off", "on"};
static const int64_t item_values[] = {-1, 7};
static const hk_enum items = {"mode", item_names, item_values, 2};
static const hk_variable matrix = {.name = "m",
                                   .description = "a [square]\nmatrix",
                                   .type = HK_TYPE_F64,
                                   .store = HK_STORE_F64,
                                   .count = 4,
                                   .dims = dims,
                                   .dim_count = 2,
                                   .unit = "m/s"};
static const hk_variable mode = {
    .name = "mode", .type = HK_TYPE_ENUM, .count = 1, .enumeration = &items};

static const hk_column columns[COLUMNS] = {
    {.name = "c.m[1,1]", .unit = "m/s", .of = &matrix, .offset = 0},
    {.name = "c.m[1,2]", .unit = "m/s", .of = &matrix, .offset = 8, .element = 1},
    {.name = "c.m[2,1]", .unit = "m/s", .of = &matrix, .offset = 16, .element = 2},
    {.name = "c.m[2,2]", .unit = "m/s", .of = &matrix, .offset = 24, .element = 3},
    {.name = "c.mode",
     .variable = 1,
     .type = HK_TYPE_ENUM,
     .store = HK_STORE_I64,
     .of = &mode,
     .offset = offsetof(row, item)},
    {.name = "c/n%",
     .variable = 2,
     .type = HK_TYPE_I64,
     .store = HK_STORE_I64,
     .offset = offsetof(row, whole)},
    {.name = "time", /* of the user, and not the time */
     .variable = 3,
     .type = HK_TYPE_BOOL,
     .store = HK_STORE_BOOL8,
     .offset = offsetof(row, truth)},
};

static row sample(size_t r) {
    double x = (double)r;
    return (row){{sin(x), 1 / (x + 1), -0.0, r % 7 ? x : (double)NAN},
                 r % 2 ? -1 : 7,
                 (int64_t)r - 3,
                 r % 3 == 0};
}

static bool put(hk_sink sink, size_t count) {
    for (size_t r = 0; r < count; r++) {
        row cells = sample(r);
        memcpy(sink.row_begin(sink.user), &cells, sizeof cells);
        if (!sink.row_end(sink.user, 0.125 * (double)r))
            return false;
    }
    return true;
}

static hk_recorder *open_record(fixture *f, const char *path, const hk_recorder_options *options) {
    hk_recorder *recorder = NULL;
    assert_int_equal(hk_recorder_open(f->ctx, path, &(hk_row_layout){columns, COLUMNS, sizeof(row)},
                                      options, &recorder),
                     HK_OK);
    return recorder;
}

static void assert_rows(const hk_table *t, size_t rows) {
    assert_int_equal(t->columns, COLUMNS + 1);
    assert_int_equal(t->rows, rows);
    for (size_t r = 0; r < rows; r++) {
        row cells = sample(r);
        assert_true(t->values[0][r] == 0.125 * (double)r);
        for (size_t i = 0; i < 4; i++)
            if (isnan(cells.matrix[i]))
                assert_true(isnan(t->values[i + 1][r]));
            else
                assert_memory_equal(&t->values[i + 1][r], &cells.matrix[i], sizeof(double));
        assert_true(t->values[5][r] == (double)cells.item);
        assert_true(t->values[6][r] == (double)cells.whole);
        assert_true(t->values[7][r] == (double)cells.truth);
    }
}

static void test_same_values(void **state) {
    static const hk_recorder_options ways[] = {{0},
                                               {.no_thread = true},
                                               {.block_bytes = 100, .block_count = 2},
                                               {.flush_interval_s = 1e-3}};
    fixture *f = *state;
    const char *names[3];
    size_t count = formats(names);
    for (size_t n = 0; n < count; n++) {
        const char *path = hk_path_join(f->arena, f->folder, names[n]);
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            for (size_t rows = 1; rows <= ROWS; rows *= ROWS) {
                hk_recorder_stats stats;
                const hk_table *t = NULL;
                hk_recorder *recorder = open_record(f, path, &ways[w]);
                assert_true(put(hk_recorder_sink(recorder), rows));
                assert_int_equal(hk_recorder_close(f->ctx, recorder, NULL, &stats), HK_OK);
                assert_int_equal(stats.rows, rows);
                struct stat info;
                assert_int_equal(stat(path, &info), 0);
                assert_int_equal(stats.bytes, info.st_size);
                assert_int_equal(hk_table_read(f->ctx, f->arena, path, &t), HK_OK);
                assert_rows(t, rows);
            }
        }
    }
    assert_int_equal(hk_ctx_count(f->ctx, HK_NOTE), 0);
}

/* Units, types and items, from the file itself or from what is beside it. */
static void test_what_is_said(void **state) {
    fixture *f = *state;
    const hk_about about = {.system = "s"};
    const char *names[3];
    size_t count = formats(names);
    for (size_t n = 0; n < count; n++) {
        const char *path = hk_path_join(f->arena, f->folder, names[n]);
        hk_recorder *recorder = open_record(f, path, NULL);
        assert_true(put(hk_recorder_sink(recorder), 3));
        assert_int_equal(hk_recorder_close(f->ctx, recorder, &about, NULL), HK_OK);
        if (n > 0) /* they need no neighbour */
            assert_int_equal(unlink(hk_table_beside_path(f->arena, path)), 0);
        const hk_table *t = NULL;
        assert_int_equal(hk_table_read(f->ctx, f->arena, path, &t), HK_OK);
        assert_string_equal(t->about[0].unit, "s");
        assert_string_equal(t->about[2].name, "c.m[1,2]");
        assert_string_equal(t->about[2].unit, "m/s");
        assert_int_equal(t->about[2].type, HK_TYPE_F64);
        assert_int_equal(t->about[5].type, HK_TYPE_ENUM);
        assert_int_equal(t->about[5].item_count, 2);
        assert_string_equal(t->about[5].item_names[1], "on");
        assert_int_equal(t->about[5].item_values[1], 7);
        assert_string_equal(t->about[6].name, "c/n%");
        assert_null(t->about[6].unit);
        assert_int_equal(t->about[6].type, HK_TYPE_I64);
        if (n == 2) {
            assert_string_equal(t->about[4].array, "c.m");
            assert_int_equal(t->about[4].dim_count, 2);
            assert_int_equal(t->about[4].dims[0], 2);
            assert_int_equal(t->about[4].element, 3);
            assert_int_equal(t->about[7].type, HK_TYPE_BOOL);
            assert_string_equal(t->names[7], "time");
        }
    }
}

static size_t rows_until_refused(hk_sink sink) {
    size_t r = 0;
    for (; r < 10000000; r++) {
        row cells = sample(r);
        memcpy(sink.row_begin(sink.user), &cells, sizeof cells);
        if (!sink.row_end(sink.user, 0.125 * (double)r))
            break;
    }
    return r;
}

/* The disk is full: the run is reported, and what was written before can be read. */
static void test_full_disk(void **state) {
    fixture *f = *state;
    const char *path = hk_path_join(f->arena, f->folder, "r.mat");
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 5000001;
    hk_recorder *recorder = open_record(f, path, NULL);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    size_t taken = rows_until_refused(hk_recorder_sink(recorder));
    hk_recorder_stats stats;
    hk_status status = hk_recorder_close(f->ctx, recorder, NULL, &stats);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_true(taken < 10000000);
    assert_int_equal(status, HK_E_FILE_WRITE);
    const hk_table *t = NULL;
    assert_int_equal(hk_table_read(f->ctx, f->arena, path, &t), HK_OK);
    assert_true(t->rows > 40000 && t->rows == stats.rows);
    assert_rows(t, t->rows);
    assert_int_equal(hk_ctx_count(f->ctx, HK_WARNING), 1); /* the one error */
}

/* What is beside the record says how many rows it has, and when the last one is. */
static void assert_says_rows(fixture *f, const char *beside, const hk_recorder_stats *stats) {
    char *data = NULL;
    size_t size = 0;
    assert_int_equal(hk_file_read(f->ctx, beside, 1 << 20, &data, &size), HK_OK);
    const char *rows = hk_arena_printf(f->arena, "\"rows\":%llu,", (unsigned long long)stats->rows);
    assert_non_null(strstr(data, rows));
    hk_free(data);
}

/* However little room there is: what is left can be read, and has as many rows as is said; or
 * nothing is left. */
static void test_little_room(void **state) {
    static const rlim_t limits[] = {40,    700,    1500,    5000,    9000,   20000,
                                    70001, 300000, 1000001, 1500000, 3000001};
    fixture *f = *state;
    const char *names[3];
    const hk_about about = {.system = "s"};
    size_t count = formats(names);
    for (size_t i = 0; i < count * (sizeof limits / sizeof *limits); i++) {
        const char *path = hk_path_join(f->arena, f->folder, names[i % count]);
        const char *beside = hk_table_beside_path(f->arena, path);
        struct rlimit before, small;
        assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
        small = before;
        small.rlim_cur = limits[i / count];
        hk_recorder *recorder = open_record(f, path, &(hk_recorder_options){.begun = &about});
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        size_t taken = rows_until_refused(hk_recorder_sink(recorder));
        hk_recorder_stats stats;
        hk_status status = hk_recorder_close(f->ctx, recorder, &about, &stats);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        assert_true(taken < 10000000);
        assert_int_equal(status, HK_E_FILE_WRITE);
        struct stat info;
        bool there = stat(path, &info) == 0;
        bool said = stat(beside, &info) == 0; /* all of it; else that is warned of, once */
        assert_int_equal(hk_ctx_count(f->ctx, HK_NOTE), 1 + (there && !said));
        if (there)
            assert_int_equal(stat(path, &info), 0);
        assert_int_equal(there ? info.st_size : 0, stats.bytes);
        if (said) {
            assert_true(there && stat(beside, &info) == 0 && info.st_size > 100);
            assert_says_rows(f, beside, &stats);
            assert_int_equal(unlink(beside), 0);
        }
        hk_ctx_clear(f->ctx);
        if (!there)
            continue;
        const hk_table *t = NULL;
        assert_int_equal(hk_table_read(f->ctx, f->arena, path, &t), HK_OK);
        assert_int_equal(t->rows, stats.rows);
        assert_rows(t, t->rows);
        assert_int_equal(hk_ctx_count(f->ctx, HK_NOTE), 0);
        assert_true(limits[i / count] < 20000 || i % count == 2 || t->rows > 100);
        assert_true(limits[i / count] < 1000000 || t->rows > 4000);
        assert_int_equal(unlink(path), 0);
    }
}

/* A component that writes into the record. */
static void test_changed_by_another(void **state) {
    fixture *f = *state;
    const char *path = hk_path_join(f->arena, f->folder, "r.mat");
    for (int where = 0; where < 2; where++) {
        hk_recorder *recorder =
            open_record(f, path, &(hk_recorder_options){.no_thread = true, .block_bytes = 4096});
        assert_true(put(hk_recorder_sink(recorder), ROWS));
        struct stat info;
        assert_int_equal(stat(path, &info), 0);
        int fd = open(path, O_WRONLY | O_CLOEXEC);
        assert_true(fd >= 0);
        assert_int_equal(pwrite(fd, "x", 1, where ? info.st_size - 5 : 40), 1); /* rows; head */
        close(fd);
        assert_int_equal(hk_recorder_close(f->ctx, recorder, NULL, NULL), HK_E_FILE_WRITE);
        assert_non_null(strstr(hk_ctx_diag(f->ctx, 0)->text, "is not what was written"));
        hk_ctx_clear(f->ctx);
    }
}

/* What a MAT-file cannot hold. */
static void test_limits_of_mat(void **state) {
    fixture *f = *state;
    const char *path = hk_path_join(f->arena, f->folder, "r.mat");
    static const hk_column odd[] = {
        {.name = "c.text", .type = HK_TYPE_STRING, .store = HK_STORE_BYTES},
        {.name = "c.big", .type = HK_TYPE_U64, .store = HK_STORE_U64, .offset = sizeof(hk_bytes)}};
    hk_recorder *recorder = NULL;
    assert_int_equal(hk_recorder_open(f->ctx, path, &(hk_row_layout){odd, 2, sizeof(hk_bytes) + 8},
                                      NULL, &recorder),
                     HK_OK);
    hk_sink sink = hk_recorder_sink(recorder);
    for (size_t r = 0; r < 3; r++) {
        char *cells = sink.row_begin(sink.user);
        hk_bytes text = {.data = "ab", .size = 2};
        uint64_t big = (UINT64_C(1) << 53) + r;
        memcpy(cells, &text, sizeof text);
        memcpy(cells + sizeof text, &big, sizeof big);
        assert_true(sink.row_end(sink.user, (double)r));
    }
    assert_int_equal(hk_recorder_close(f->ctx, recorder, NULL, NULL), HK_OK);
    assert_int_equal(hk_ctx_count(f->ctx, HK_NOTE), 2);
    assert_non_null(strstr(hk_ctx_diag(f->ctx, 0)->text, "1 column of texts or binary values is"));
    assert_non_null(strstr(hk_ctx_diag(f->ctx, 1)->text, "'c.big', first at t = 1 s"));
    const hk_table *t = NULL;
    assert_int_equal(hk_table_read(f->ctx, f->arena, path, &t), HK_OK);
    assert_int_equal(t->columns, 2);
}

/* Names of any length; the description of very many items has no room in an attribute. */
static void test_long_names(void **state) {
    enum { LENGTH = 20000, ITEMS = 3000 };
    fixture *f = *state;
    const char *names[3];
    size_t count = formats(names);
    char *name = hk_arena_alloc(f->arena, LENGTH + 1);
    memset(name, 'n', LENGTH);
    hk_enum many = {.name = "many", .item_count = ITEMS};
    const char **words = HK_NEW_ARRAY(f->arena, const char *, ITEMS);
    int64_t *numbers = HK_NEW_ARRAY(f->arena, int64_t, ITEMS);
    for (int i = 0; i < ITEMS; i++) {
        words[i] = hk_arena_printf(f->arena, "the item %d", i);
        numbers[i] = i;
    }
    many.item_names = words;
    many.item_values = numbers;
    const hk_variable of = {
        .name = "x", .type = HK_TYPE_ENUM, .count = 1, .enumeration = &many, .unit = "m"};
    const hk_column column = {.name = name, .type = HK_TYPE_ENUM, .store = HK_STORE_I64, .of = &of};
    const hk_about about = {.system = "s"};
    for (size_t n = 0; n < count; n++) {
        const char *path = hk_path_join(f->arena, f->folder, names[n]);
        hk_recorder *recorder = NULL;
        const hk_row_layout layout = {&column, 1, 8};
        assert_int_equal(hk_recorder_open(f->ctx, path, &layout, NULL, &recorder), HK_OK);
        hk_sink sink = hk_recorder_sink(recorder);
        memset(sink.row_begin(sink.user), 0, 8);
        assert_true(sink.row_end(sink.user, 0));
        assert_int_equal(hk_recorder_close(f->ctx, recorder, &about, NULL), HK_OK);
        const hk_table *t = NULL;
        assert_int_equal(hk_table_read(f->ctx, f->arena, path, &t), HK_OK);
        assert_string_equal(t->names[1], name);
        assert_int_equal(t->about[1].item_count, ITEMS);
        assert_string_equal(t->about[1].item_names[ITEMS - 1], words[ITEMS - 1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_same_values, setup, teardown),
        cmocka_unit_test_setup_teardown(test_what_is_said, setup, teardown),
        cmocka_unit_test_setup_teardown(test_full_disk, setup, teardown),
        cmocka_unit_test_setup_teardown(test_little_room, setup, teardown),
        cmocka_unit_test_setup_teardown(test_changed_by_another, setup, teardown),
        cmocka_unit_test_setup_teardown(test_limits_of_mat, setup, teardown),
        cmocka_unit_test_setup_teardown(test_long_names, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

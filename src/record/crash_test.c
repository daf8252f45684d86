/* SPDX-License-Identifier: MIT
 *
 * What a record looks like after the process that wrote it died. */
#include "base/clock.h"
#include "base/file.h"
#include "format/hdf5.h"
#include "format/table_read.h"
#include "record/recorder.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

enum { COLUMNS = 5 };

static hk_ctx *ctx;
static hk_arena *arena;
static const char *folder, *path;
static hk_recorder *recorder; /* of the child, for its signal handler */

static int setup(void **state) {
    (void)state;
    ctx = hk_ctx_create(NULL, NULL);
    arena = hk_arena_create();
    if (hk_folder_temporary(ctx, arena, &folder) != HK_OK)
        return -1;
    path = hk_path_join(arena, folder, "record.csv");
    return 0;
}

static int teardown(void **state) {
    (void)state;
    hk_folder_remove(folder);
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
    return 0;
}

static double cell(size_t row, size_t column) {
    return 1.0 / (double)(row * COLUMNS + column + 1);
}

static hk_sink open_record(bool no_thread, double flush_interval_s) {
    static const char *const names[COLUMNS] = {"a.a", "a.b", "a.c", "a.d", "a.e"};
    static hk_column columns[COLUMNS];
    for (size_t i = 0; i < COLUMNS; i++)
        columns[i] = (hk_column){.name = names[i], .store = HK_STORE_F64, .offset = 8 * i};
    hk_recorder_options options = {.flush_interval_s = flush_interval_s, .no_thread = no_thread};
    if (hk_recorder_open(ctx, path, &(hk_row_layout){columns, COLUMNS, 8 * COLUMNS}, &options,
                         &recorder) != HK_OK)
        _exit(9);
    return hk_recorder_sink(recorder);
}

static void put_row(hk_sink sink, size_t row) {
    double *cells = sink.row_begin(sink.user);
    for (size_t c = 0; c < COLUMNS; c++)
        cells[c] = cell(row, c);
    if (!sink.row_end(sink.user, (double)row))
        _exit(8);
}

/* Reads the record, checks every row, and returns how many there are. */
static size_t check_record(void) {
    const hk_table *table = NULL;
    assert_int_equal(hk_table_read(ctx, arena, path, &table), HK_OK);
    assert_int_equal(table->columns, COLUMNS + 1);
    for (size_t r = 0; r < table->rows; r++) {
        assert_true(table->values[0][r] == (double)r);
        for (size_t c = 0; c < COLUMNS; c++)
            assert_true(table->values[c + 1][r] == cell(r, c));
    }
    return table->rows;
}

static size_t lines_so_far(void) {
    size_t lines = 0;
    FILE *file = fopen(path, "r");
    for (int c; file && (c = getc(file)) != EOF;)
        lines += c == '\n';
    if (file)
        fclose(file);
    return lines;
}

static void wait_for_child(pid_t child, int signal_number) {
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), signal_number);
}

/* Far less than a block, then silence: the timed flush brings all rows to the file. */
static void test_killed_while_idle(void **state) {
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        hk_sink sink = open_record(false, 0.05);
        for (size_t row = 0; row < 100; row++)
            put_row(sink, row);
        for (;;)
            pause();
    }
    assert_true(child > 0);
    int64_t until = hk_clock_ns() + INT64_C(900000000000);
    while (lines_so_far() < 101 && hk_clock_ns() < until)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    kill(child, SIGKILL);
    wait_for_child(child, SIGKILL);
    assert_int_equal(check_record(), 100);
}

/* A record that has grown to some size is killed at full speed. */
static void kill_busy(void) {
    pid_t child = fork();
    if (child == 0) {
        hk_sink sink = open_record(false, 0.05);
        for (size_t row = 0; row < 20000000; row++)
            put_row(sink, row);
        _exit(7);
    }
    assert_true(child > 0);
    struct stat info = {0};
    int64_t until = hk_clock_ns() + INT64_C(900000000000);
    while ((stat(path, &info) != 0 || info.st_size < 3500000) && hk_clock_ns() < until)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    kill(child, SIGKILL);
    wait_for_child(child, SIGKILL);
}

/* The kernel may cut the last write at the end of a page, and the row in it; every line that is
 * complete must be right. */
static void test_killed_while_busy(void **state) {
    (void)state;
    kill_busy();
    char *data = NULL;
    size_t size = 0;
    assert_int_equal(hk_file_read(ctx, path, 0, &data, &size), HK_OK);
    while (size && data[size - 1] != '\n')
        size--;
    hk_free(data);
    assert_int_equal(truncate(path, (off_t)size), 0);
    assert_true(check_record() > 5000);
}

/* A block that was cut is not counted, and what is left of it is stepped over. */
static void test_killed_while_busy_mat(void **state) {
    (void)state;
    path = hk_path_join(arena, folder, "record.mat");
    kill_busy();
    assert_true(check_record() > 5000);
}

static void on_crash(int number) {
    hk_recorder_flush_from_signal(recorder);
    signal(number, SIG_DFL);
    raise(number);
}

static void crash(bool no_thread) {
    pid_t child = fork();
    if (child == 0) {
        signal(SIGUSR1, on_crash);
        hk_sink sink = open_record(no_thread, 1000); /* no timed flush comes first */
        for (size_t row = 0; row < 12345; row++)
            put_row(sink, row);
        (void)sink.row_begin(sink.user); /* the row at which it happens is not in the record */
        raise(SIGUSR1);
        _exit(7);
    }
    assert_true(child > 0);
    wait_for_child(child, SIGUSR1);
    assert_int_equal(check_record(), 12345);
}

static void test_crash_handler(void **state) {
    (void)state;
    crash(false);
}

static void test_crash_handler_without_a_thread(void **state) {
    (void)state;
    crash(true);
}

/* The side thread of the others does the same; without one HDF5 cannot be written in a handler. */
static void test_crash_handler_of_other_formats(void **state) {
    (void)state;
    path = hk_path_join(arena, folder, "record.mat");
    crash(false);
    crash(true);
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    bool hdf5 = hk_hdf5_load(quiet, path) == HK_OK;
    hk_ctx_destroy(quiet);
    path = hk_path_join(arena, folder, "record.h5");
    if (hdf5)
        crash(false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_killed_while_idle, setup, teardown),
        cmocka_unit_test_setup_teardown(test_killed_while_busy, setup, teardown),
        cmocka_unit_test_setup_teardown(test_killed_while_busy_mat, setup, teardown),
        cmocka_unit_test_setup_teardown(test_crash_handler, setup, teardown),
        cmocka_unit_test_setup_teardown(test_crash_handler_without_a_thread, setup, teardown),
        cmocka_unit_test_setup_teardown(test_crash_handler_of_other_formats, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT
 *
 * What is written while others can reach the file: at the end it holds that, or it is told. */
#include "record/outfile.h"
#include "record/written.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

static hk_ctx *ctx;
static hk_arena *arena;
static const char *folder, *path;

static int setup(void **state) {
    (void)state;
    ctx = hk_ctx_create(NULL, NULL);
    arena = hk_arena_create();
    if (hk_folder_temporary(ctx, arena, &folder) != HK_OK)
        return -1;
    path = hk_path_join(arena, folder, "x.csv");
    return 0;
}

static int teardown(void **state) {
    (void)state;
    hk_folder_remove(folder);
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
    return 0;
}

static size_t whole(const char *data, size_t size) {
    (void)data;
    return size;
}

static hk_outfile open_with(const char *text) {
    hk_outfile file;
    hk_outfile_init(&file, path, "the record");
    assert_int_equal(hk_outfile_check(ctx, &file), HK_OK);
    assert_int_equal(hk_outfile_write(&file, text, strlen(text), whole), 0);
    return file;
}

/* Another one writes TEXT at an offset, as a component could. */
static void scribble(off_t at, const char *text) {
    int fd = open(path, O_WRONLY);
    assert_int_equal(pwrite(fd, text, strlen(text), at), strlen(text));
    close(fd);
}

static void test_untouched(void **state) {
    (void)state;
    hk_outfile file = open_with("a,b\n");
    assert_int_equal(hk_outfile_write(&file, "1,2\n", 4, whole), 0);
    assert_int_equal(hk_outfile_close(&file), 0);
}

static void test_changed_in_place(void **state) {
    (void)state;
    hk_outfile file = open_with("a,b\n");
    assert_int_equal(hk_outfile_write(&file, "1,2\n", 4, whole), 0);
    scribble(4, "9");
    assert_int_equal(hk_outfile_close(&file), HK_OUTFILE_CHANGED);
}

static void test_changed_and_put_back(void **state) {
    (void)state;
    hk_outfile file = open_with("a,b\n");
    scribble(0, "x");
    scribble(0, "a");
    assert_int_equal(hk_outfile_close(&file), 0);
}

static void test_cut_and_grown_again(void **state) {
    (void)state;
    hk_outfile file = open_with("a,b\n1,2\n");
    assert_int_equal(truncate(path, 2), 0);
    assert_int_equal(truncate(path, 8), 0); /* the same length, and zeros in it */
    assert_int_equal(hk_outfile_write(&file, "3,4\n", 4, whole), 0);
    assert_int_equal(hk_outfile_close(&file), HK_OUTFILE_CHANGED);
}

/* A pipe waits for its reader and keeps nothing: there is nothing to compare. */
static void test_pipe(void **state) {
    (void)state;
    assert_int_equal(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    hk_outfile file = open_with("a,b\n");
    char got[8];
    assert_int_equal(read(reader, got, sizeof got), 4);
    assert_int_equal(hk_outfile_close(&file), 0);
    close(reader);
}

static void test_written_before(void **state) {
    (void)state;
    hk_outfile file = open_with("a,b\n1,2\n");
    assert_int_equal(hk_outfile_close(&file), 0);
    hk_written written = {0};
    hk_written_note(&written, path);
    hk_written_note(&written, "/dev/null");
    assert_int_equal(hk_written_check(ctx, &written), HK_OK);
    hk_written_note(&written, path);
    scribble(4, "9");
    assert_int_equal(hk_written_check(ctx, &written), HK_E_FILE_WRITE);
    hk_written_note(&written, path);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(hk_written_check(ctx, &written), HK_E_FILE_WRITE);
    assert_int_equal(hk_ctx_count(ctx, HK_ERROR), 2);
    assert_int_equal(hk_written_check(ctx, &written), HK_OK); /* all is forgotten */
}

/* The process that has written is gone, and another one looks at the files. */
static void test_looked_at_by_another(void **state) {
    (void)state;
    hk_outfile file = open_with("one\n");
    assert_int_equal(hk_outfile_close(&file), 0);
    hk_written written = {0}, taken;
    hk_buffer message = {0};
    hk_written_note(&written, path);
    hk_written_put(&written, &message);
    hk_written_forget(&written);
    hk_buffer_source from = {arena, message.data, message.size, true};
    hk_written_take(&from, &taken);
    assert_true(from.good && !from.left);
    assert_int_equal(taken.count, 1);
    assert_int_equal(hk_written_check(ctx, &taken), HK_OK);
    from = (hk_buffer_source){arena, message.data, message.size, true};
    hk_written_take(&from, &taken);
    scribble(1, "x");
    assert_int_equal(hk_written_check(ctx, &taken), HK_E_FILE_WRITE);
    for (size_t size = 0; size < message.size; size++) {
        from = (hk_buffer_source){arena, message.data, size, true};
        hk_written_take(&from, &taken);
        assert_false(from.good);
        hk_written_forget(&taken);
    }
    hk_free(message.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_untouched, setup, teardown),
        cmocka_unit_test_setup_teardown(test_changed_in_place, setup, teardown),
        cmocka_unit_test_setup_teardown(test_changed_and_put_back, setup, teardown),
        cmocka_unit_test_setup_teardown(test_cut_and_grown_again, setup, teardown),
        cmocka_unit_test_setup_teardown(test_pipe, setup, teardown),
        cmocka_unit_test_setup_teardown(test_written_before, setup, teardown),
        cmocka_unit_test_setup_teardown(test_looked_at_by_another, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct fixture {
    hk_ctx *ctx;
    hk_arena *arena;
    const char *folder;
} fixture;

static int setup(void **state) {
    fixture *f = hk_alloc(sizeof *f);
    f->ctx = hk_ctx_create(NULL, NULL);
    f->arena = hk_arena_create();
    *state = f;
    return hk_folder_temporary(f->ctx, f->arena, &f->folder) == HK_OK ? 0 : -1;
}

static int teardown(void **state) {
    fixture *f = *state;
    hk_folder_remove(f->folder);
    int left = hk_folder_exists(f->folder);
    hk_arena_destroy(f->arena);
    hk_ctx_destroy(f->ctx);
    hk_free(f);
    return left;
}

static int count_files(const char *folder) {
    int count = 0;
    DIR *d = opendir(folder);
    while (readdir(d))
        count++;
    closedir(d);
    return count - 2;
}

static void writes_and_reads(void **state) {
    fixture *f = *state;
    const char *path = hk_path_join(f->arena, f->folder, "a");
    assert_int_equal(hk_file_write(f->ctx, path, "one", 3), HK_OK);
    assert_int_equal(hk_file_write(f->ctx, path, "three", 5), HK_OK);
    assert_int_equal(count_files(f->folder), 1); /* no temporary file stays */
    char *data;
    size_t size;
    assert_int_equal(hk_file_read(f->ctx, path, 5, &data, &size), HK_OK);
    assert_int_equal(size, 5);
    assert_string_equal(data, "three");
    hk_free(data);
    assert_int_equal(hk_file_read(f->ctx, path, 4, &data, &size), HK_E_FILE_READ);
    assert_int_equal(hk_file_write(f->ctx, path, "", 0), HK_OK);
    assert_int_equal(hk_file_read(f->ctx, path, 0, &data, &size), HK_OK);
    assert_int_equal(size, 0);
    assert_int_equal(data[0], 0);
    hk_free(data);
    assert_true(hk_file_exists(path) && !hk_folder_exists(path));
}

static void links_and_devices_stay(void **state) {
    fixture *f = *state;
    const char *path = hk_path_join(f->arena, f->folder, "real");
    const char *link = hk_path_join(f->arena, f->folder, "link");
    assert_int_equal(hk_file_write(f->ctx, path, "1", 1), HK_OK);
    assert_int_equal(symlink("real", link), 0);
    assert_int_equal(hk_file_write(f->ctx, link, "22", 2), HK_OK);
    struct stat info;
    assert_true(lstat(link, &info) == 0 && S_ISLNK(info.st_mode));
    assert_true(stat(path, &info) == 0 && info.st_size == 2);
    assert_int_equal(hk_file_write(f->ctx, "/dev/null", "x", 1), HK_OK);
    assert_true(stat("/dev/null", &info) == 0 && S_ISCHR(info.st_mode));
}

static void reads_what_has_no_size(void **state) {
    fixture *f = *state;
    char *data;
    size_t size;
    assert_int_equal(hk_file_read(f->ctx, "/proc/self/status", 0, &data, &size), HK_OK);
    assert_true(size > 100 && strlen(data) == size);
    hk_free(data);
}

static void failures_are_located(void **state) {
    fixture *f = *state;
    char *data = NULL;
    size_t size;
    const char *none = hk_path_join(f->arena, f->folder, "none/x");
    assert_int_equal(hk_file_read(f->ctx, none, 0, &data, &size), HK_E_FILE_READ);
    assert_int_equal(hk_file_read(f->ctx, f->folder, 0, &data, &size), HK_E_FILE_READ);
    assert_int_equal(hk_file_write(f->ctx, none, "x", 1), HK_E_FILE_WRITE);
    assert_null(data);
    assert_int_equal(hk_ctx_count(f->ctx, HK_ERROR), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_non_null(hk_ctx_diag(f->ctx, i)->where.file);
        assert_non_null(hk_ctx_diag(f->ctx, i)->hint);
    }
    const char *file = hk_path_join(f->arena, f->folder, "file");
    assert_int_equal(hk_file_write(f->ctx, file, "x", 1), HK_OK);
    assert_int_equal(hk_folder_make(f->ctx, hk_path_join(f->arena, file, "sub")), HK_E_FILE_WRITE);
}

static void removes_without_following(void **state) {
    fixture *f = *state;
    const char *keep = hk_path_join(f->arena, f->folder, "keep");
    const char *tree = hk_path_join(f->arena, f->folder, "tree");
    const char *deep = hk_path_join(f->arena, tree, "a/b/c/");
    assert_int_equal(hk_folder_make(f->ctx, deep), HK_OK);
    assert_int_equal(hk_folder_make(f->ctx, deep), HK_OK); /* again is fine */
    assert_int_equal(hk_folder_make(f->ctx, keep), HK_OK);
    const char *inside = hk_path_join(f->arena, keep, "file");
    assert_int_equal(hk_file_write(f->ctx, inside, "x", 1), HK_OK);
    assert_int_equal(symlink(keep, hk_path_join(f->arena, deep, "link")), 0);
    assert_int_equal(hk_file_write(f->ctx, hk_path_join(f->arena, deep, "f"), "x", 1), HK_OK);
    hk_folder_remove(tree);
    assert_false(hk_folder_exists(tree));
    assert_true(hk_file_exists(inside));
    hk_folder_remove("/nowhere/at/all");
}

static void paths(void **state) {
    fixture *f = *state;
    assert_string_equal(hk_path_join(f->arena, "a", "b"), "a/b");
    assert_string_equal(hk_path_join(f->arena, "a/", "b"), "a/b");
    assert_string_equal(hk_path_join(f->arena, "a", "/b"), "/b");
    assert_string_equal(hk_path_join(f->arena, "", "b"), "b");
    assert_string_equal(hk_path_join(f->arena, ".", "b"), "b");
    assert_string_equal(hk_path_folder(f->arena, "a/b/c"), "a/b");
    assert_string_equal(hk_path_folder(f->arena, "c"), ".");
    assert_string_equal(hk_path_folder(f->arena, "/c"), "/");
    assert_string_equal(hk_path_name("a/b.fmu"), "b.fmu");
    assert_string_equal(hk_path_extension("a.b/c.tar.gz"), ".gz");
    assert_string_equal(hk_path_extension("a.b/c"), "");
    assert_string_equal(hk_path_extension(".hidden"), "");
    char here[4096];
    assert_non_null(getcwd(here, sizeof here));
    assert_string_equal(hk_path_absolute(f->arena, "/x"), "/x");
    assert_string_equal(hk_path_absolute(f->arena, "."), here);
    assert_string_equal(hk_path_absolute(f->arena, ".//x"), hk_path_join(f->arena, here, "x"));
}

/* What a crash must not leave behind. */
static void removes_temporary_folders(void **state) {
    fixture *f = *state;
    const char *first, *second;
    assert_int_equal(hk_folder_temporary(f->ctx, f->arena, &first), HK_OK);
    assert_int_equal(hk_folder_temporary(f->ctx, f->arena, &second), HK_OK);
    const char *deep = hk_path_join(f->arena, first, "a/b/c");
    assert_int_equal(hk_folder_make(f->ctx, deep), HK_OK);
    for (int i = 0; i < 200; i++) { /* more than one block of names */
        const char *path = hk_arena_printf(f->arena, "%s/some_longer_name_of_a_file_%d", deep, i);
        assert_int_equal(hk_file_write(f->ctx, path, "x", 1), HK_OK);
    }
    hk_folder_remove(second);
    assert_int_equal(mkdir(second, 0700), 0); /* somebody else's by now */
    hk_folder_remove_temporary();
    assert_false(hk_folder_exists(first));
    assert_true(hk_folder_exists(second));
    hk_folder_remove(second);
    hk_folder_remove(first);
}

/* A file that nobody else may read stays one when it is replaced. */
static void keeps_modes(void **state) {
    (void)state;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    const char *folder;
    struct stat info;
    assert_int_equal(hk_folder_temporary(ctx, arena, &folder), HK_OK);
    const char *path = hk_path_join(arena, folder, "secret");
    static const mode_t modes[] = {0600, 0640, 0755};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        assert_int_equal(hk_file_write(ctx, path, "one", 3), HK_OK);
        assert_int_equal(chmod(path, modes[i]), 0);
        assert_int_equal(hk_file_write(ctx, path, "two", 3), HK_OK);
        assert_int_equal(stat(path, &info), 0);
        assert_int_equal(info.st_mode & 07777, modes[i]);
    }
    hk_folder_remove(folder);
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_modes),
        cmocka_unit_test_setup_teardown(writes_and_reads, setup, teardown),
        cmocka_unit_test_setup_teardown(links_and_devices_stay, setup, teardown),
        cmocka_unit_test_setup_teardown(reads_what_has_no_size, setup, teardown),
        cmocka_unit_test_setup_teardown(failures_are_located, setup, teardown),
        cmocka_unit_test_setup_teardown(removes_without_following, setup, teardown),
        cmocka_unit_test_setup_teardown(paths, setup, teardown),
        cmocka_unit_test_setup_teardown(removes_temporary_folders, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

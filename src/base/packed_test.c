/* SPDX-License-Identifier: MIT */
#include "base/packed.h"

#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Two files, one of them by two paths. */
static const struct {
    const char *path, *identity, *text;
} files[] = {{"a.types", "a", "alpha"}, {"../b.types", "b", "beta"}, {"/abs/b.types", "b", "beta"}};

static int find(const char *path) {
    for (int i = 0; i < 3; i++)
        if (strcmp(files[i].path, path) == 0)
            return i;
    return -1;
}

static bool exists(void *user, const char *path) {
    (void)user;
    return find(path) >= 0;
}

static hk_status view(hk_ctx *ctx, void *user, const char *path, const char **ret_data,
                      size_t *ret_size) {
    (void)user;
    int i = find(path);
    if (i < 0)
        return hk_error(ctx, HK_E_FILE_READ, (hk_where){.file = path}, NULL, "is not carried");
    *ret_data = files[i].text;
    *ret_size = strlen(files[i].text);
    return HK_OK;
}

static const char *identity(void *user, const char *path) {
    (void)user;
    return find(path) < 0 ? NULL : files[find(path)].identity;
}

static const hk_packed_source source = {.exists = exists, .view = view, .identity = identity};

typedef struct rig {
    hk_ctx *ctx;
    hk_arena *arena;
} rig;

static int set_up(void **state) {
    rig *r = hk_alloc(sizeof *r);
    *r = (rig){hk_ctx_create(NULL, NULL), hk_arena_create()};
    hk_packed_mount("./tool", &source);
    *state = r;
    return 0;
}

static int tear_down(void **state) {
    rig *r = *state;
    hk_packed_unmount();
    hk_ctx_destroy(r->ctx);
    hk_arena_destroy(r->arena);
    hk_free(r);
    return 0;
}

static void only_paths_below_the_root(void **state) {
    (void)state;
    assert_true(hk_packed_is("./tool/a.types"));
    assert_true(hk_packed_is("./tool/none"));
    assert_false(hk_packed_is("./tool"));
    assert_false(hk_packed_is("./tools/a.types"));
    assert_false(hk_packed_is("a.types"));
    assert_string_equal(hk_packed_root("./tool"), "./tool");
    assert_null(hk_packed_root("."));
    assert_true(hk_file_exists("./tool/a.types") && hk_file_is_regular("./tool/../b.types"));
    assert_false(hk_file_exists("./tool/none"));
    hk_packed_unmount();
    assert_false(hk_packed_is("./tool/a.types"));
    hk_packed_mount("./tool", &source);
}

static void files_are_read(void **state) {
    const rig *r = *state;
    char *data;
    size_t size;
    assert_int_equal(hk_file_read(r->ctx, "./tool/a.types", 5, &data, &size), HK_OK);
    assert_int_equal(size, 5);
    assert_string_equal(data, "alpha");
    hk_free(data);
    assert_int_equal(hk_file_read(r->ctx, "./tool/a.types", 4, &data, &size), HK_E_FILE_READ);
    assert_int_equal(hk_file_read(r->ctx, "./tool/none", 0, &data, &size), HK_E_FILE_READ);
}

/* What lies below the root names files below the root, absolute ones too; who is elsewhere does
 * not. */
static void names_stay_below_the_root(void **state) {
    const rig *r = *state;
    hk_arena *arena = r->arena;
    assert_string_equal(hk_path_join(arena, "./tool", "../b.types"), "./tool/../b.types");
    assert_string_equal(hk_path_join(arena, "./tool", "/abs/b.types"), "./tool//abs/b.types");
    assert_string_equal(hk_path_join(arena, "./tool/sub", "/abs/b.types"), "./tool//abs/b.types");
    assert_string_equal(hk_path_join(arena, "./tool//abs", "c"), "./tool//abs/c");
    assert_string_equal(hk_path_join(arena, "here", "/abs/b.types"), "/abs/b.types");
    assert_string_equal(hk_path_absolute(arena, "./tool/a.types"), "./tool/a.types");
    assert_true(hk_file_exists("./tool//abs/b.types"));
}

static void one_file_by_two_paths(void **state) {
    const rig *r = *state;
    const char *one = hk_path_real(r->arena, "./tool/../b.types");
    assert_string_equal(one, hk_path_real(r->arena, "./tool//abs/b.types"));
    assert_string_not_equal(one, hk_path_real(r->arena, "./tool/a.types"));
    assert_string_equal(hk_path_real(r->arena, "./tool/none"), "./tool/none");
}

static void copies_for_the_system(void **state) {
    const rig *r = *state;
    const char *folder, *copy;
    char *data;
    size_t size;
    assert_int_equal(hk_folder_temporary(r->ctx, r->arena, &folder), HK_OK);
    assert_int_equal(hk_packed_place(r->ctx, r->arena, "./tool/../b.types", folder, &copy), HK_OK);
    assert_string_equal(hk_path_name(copy), "b.types");
    assert_int_equal(hk_file_read(r->ctx, copy, 0, &data, &size), HK_OK);
    assert_string_equal(data, "beta");
    hk_free(data);
    hk_folder_remove(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(only_paths_below_the_root, set_up, tear_down),
        cmocka_unit_test_setup_teardown(files_are_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_stay_below_the_root, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_file_by_two_paths, set_up, tear_down),
        cmocka_unit_test_setup_teardown(copies_for_the_system, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("packed", tests, NULL, NULL);
}

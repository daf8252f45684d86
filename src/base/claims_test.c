/* SPDX-License-Identifier: MIT */
#include "base/claims.h"

#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static hk_ctx *ctx;
static hk_arena *arena;
static const char *folder;

static const char *in_folder(const char *name) {
    return hk_path_join(arena, folder, name);
}

static int set_up(void **state) {
    (void)state;
    ctx = hk_ctx_create(NULL, NULL);
    hk_claim_begin(ctx);
    arena = hk_arena_create();
    assert_int_equal(hk_folder_temporary(ctx, arena, &folder), HK_OK);
    assert_int_equal(mkdir(in_folder("sub"), 0777), 0);
    assert_int_equal(hk_file_write(ctx, in_folder("a"), "x", 1), HK_OK);
    assert_int_equal(symlink("a", in_folder("link")), 0);
    assert_int_equal(link(in_folder("a"), in_folder("other")), 0);
    assert_int_equal(symlink("sub/new", in_folder("dangling")), 0);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    hk_folder_remove(folder);
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
    return 0;
}

static void said(const char *text) {
    size_t count = hk_ctx_count(ctx, HK_ERROR);
    assert_true(count > 0);
    const hk_diag *diag = hk_ctx_diag(ctx, count - 1);
    if (!strstr(diag->text, text))
        fail_msg("'%s' is not in: %s", text, diag->text);
}

/* Whatever name it has: what is read is not claimed, and what is claimed is not read. */
static void test_read_and_written(void **state) {
    (void)state;
    static const char *const names[] = {"a", "link", "other", "sub/../a", "./a"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_int_equal(hk_claim_read(ctx, in_folder("a")), HK_OK);
        assert_int_equal(hk_claim_write(ctx, in_folder(names[i]), "--output"), HK_E_USAGE);
        said("--output would overwrite '");
        said("/a', which is read");
        assert_int_equal(hk_claim_check(ctx, in_folder(names[i]), false), HK_E_USAGE);
        hk_claim_forget(ctx);
        assert_int_equal(hk_claim_write(ctx, in_folder(names[i]), "--output"), HK_OK);
        assert_int_equal(hk_claim_read(ctx, in_folder("a")), HK_E_USAGE);
        hk_claim_end(ctx, in_folder(names[i]));
        assert_int_equal(hk_claim_read(ctx, in_folder("a")), HK_OK);
    }
}

/* Those who read and write files ask by themselves. */
static void test_by_itself(void **state) {
    (void)state;
    char *data;
    size_t size;
    assert_int_equal(hk_file_read(ctx, in_folder("a"), 0, &data, &size), HK_OK);
    hk_free(data);
    assert_int_equal(hk_file_write(ctx, in_folder("link"), "y", 1), HK_E_USAGE);
    assert_int_equal(hk_file_rewrite(ctx, in_folder("a"), "y", 1), HK_E_USAGE);
    hk_claim_replaceable(ctx, in_folder("a"));
    assert_int_equal(hk_claim_write(ctx, in_folder("a"), "--output"), HK_E_USAGE);
    assert_int_equal(hk_claim_rewrite(ctx, in_folder("a"), "--save-state"), HK_OK);
    assert_int_equal(hk_file_rewrite(ctx, in_folder("a"), "y", 1), HK_OK);
    hk_claim_forget(ctx);
    assert_int_equal(hk_file_read(ctx, in_folder("a"), 0, &data, &size), HK_OK);
    assert_memory_equal(data, "y", 1);
    hk_free(data);
}

/* A file that is replaced leaves its inode to the next that is made. */
static void test_used_inode(void **state) {
    (void)state;
    struct stat before, after;
    assert_int_equal(unlink(in_folder("other")), 0);
    assert_int_equal(hk_claim_read(ctx, in_folder("a")), HK_OK);
    hk_claim_replaceable(ctx, in_folder("a"));
    assert_int_equal(stat(in_folder("a"), &before), 0);
    assert_int_equal(hk_file_rewrite(ctx, in_folder("a"), "y", 1), HK_OK);
    for (int i = 0; i < 20; i++) { /* one of them gets it, on most file systems */
        const char *name = in_folder(hk_arena_printf(arena, "next%d", i));
        hk_ctx *other = hk_ctx_create(NULL, NULL);
        assert_int_equal(hk_file_write(other, name, "x", 1), HK_OK);
        hk_ctx_destroy(other);
        assert_int_equal(stat(name, &after), 0);
        assert_int_equal(hk_claim_check(ctx, name, false), HK_OK);
    }
}

/* Files that are not there yet. */
static void test_two_outputs(void **state) {
    (void)state;
    assert_int_equal(hk_claim_write(ctx, in_folder("sub/new"), "--output"), HK_OK);
    assert_int_equal(hk_claim_write(ctx, in_folder("sub/../sub/new"), "--trace"), HK_E_USAGE);
    said("--output and --trace would both write '");
    assert_int_equal(hk_claim_write(ctx, in_folder("dangling"), "--plot"), HK_E_USAGE);
    assert_int_equal(hk_claim_write(ctx, in_folder("sub/newer"), "--plot"), HK_OK);
    assert_int_equal(hk_file_write(ctx, in_folder("sub/new"), "x", 1), HK_OK);
    assert_int_equal(hk_claim_read(ctx, in_folder("sub/new")), HK_E_USAGE);
    hk_claim_end(ctx, in_folder("sub/new"));
    assert_int_equal(hk_claim_write(ctx, in_folder("dangling"), "--trace"), HK_OK);
}

/* Nothing is lost in what is not a file. */
static void test_no_files(void **state) {
    (void)state;
    static const char *const names[] = {"-", "/dev/null"};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(hk_claim_read(ctx, names[i]), HK_OK);
        assert_int_equal(hk_claim_write(ctx, names[i], "--output"), HK_OK);
        assert_int_equal(hk_claim_write(ctx, names[i], "--trace"), HK_OK);
    }
}

static void test_shared(void **state) {
    (void)state;
    hk_ctx *part = hk_ctx_create(NULL, NULL);
    hk_claim_share(part, ctx);
    assert_int_equal(hk_claim_read(ctx, in_folder("a")), HK_OK);
    assert_int_equal(hk_claim_write(part, in_folder("a"), "the record"), HK_E_USAGE);
    assert_int_equal(hk_claim_write(part, in_folder("b"), "the record"), HK_OK);
    hk_ctx_destroy(part);
    assert_int_equal(hk_claim_read(ctx, in_folder("b")), HK_E_USAGE);
}

/* Another piece of work, and another process; each time the file is free again at its end. */
static void test_others(void **state) {
    (void)state;
    hk_ctx *other = hk_ctx_create(NULL, NULL);
    hk_claim_begin(other);
    assert_int_equal(hk_claim_write(other, in_folder("b"), "the record"), HK_OK);
    assert_int_equal(hk_claim_write(ctx, in_folder("sub/../b"), "the record"), HK_E_FILE_WRITE);
    said("another run writes this file now");
    hk_ctx_destroy(other);
    int ready[2], go[2];
    char byte = 0;
    assert_true(pipe(ready) == 0 && pipe(go) == 0);
    pid_t child = fork();
    if (child == 0) {
        hk_status status = hk_claim_write(ctx, in_folder("b"), "the record");
        byte = status == HK_OK;
        _exit(write(ready[1], &byte, 1) == 1 && read(go[0], &byte, 1) == 1 ? 0 : 1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(byte, 1);
    assert_int_equal(hk_claim_write(ctx, in_folder("b"), "the record"), HK_E_FILE_WRITE);
    assert_int_equal(write(go[1], &byte, 1), 1);
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_int_equal(hk_claim_write(ctx, in_folder("b"), "the record"), HK_OK);
    for (int i = 0; i < 2; i++) {
        close(ready[i]);
        close(go[i]);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_read_and_written), TEST(test_by_itself), TEST(test_two_outputs),
        TEST(test_used_inode),       TEST(test_no_files),  TEST(test_shared),
        TEST(test_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

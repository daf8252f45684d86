/* SPDX-License-Identifier: MIT
 *
 * The detector of the paper: what is read, what is printed, and which rules it keeps. */
#include "sysml/profile_rules.h"
#include "sysml/sysml_syntax.h"

#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define DETECTOR HK_SYSML_DIR "/detector.sysml"

static void read_detector(void **state) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    const hk_multimodel *p;
    (void)state;
    hk_status status = hk_profile_read(ctx, arena, DETECTOR, &p);
    for (size_t i = 0; i < hk_ctx_count(ctx, HK_NOTE); i++)
        print_message("%d: %s\n", hk_ctx_diag(ctx, i)->where.line, hk_ctx_diag(ctx, i)->text);
    assert_int_equal(status, HK_OK);
    assert_int_equal(p->block_count, 7);
    assert_int_equal(p->instance_count, 7);
    assert_int_equal(p->connection_count, 11);
    assert_string_equal(p->instances[3].path, "rover.wallSensor");
    assert_int_equal(p->instances[3].platform, 2);
    assert_int_equal(hk_profile_check(ctx, arena, p, &(hk_profile_wishes){0}), HK_OK);
    for (size_t i = 0; i < hk_ctx_count(ctx, HK_NOTE); i++)
        print_message("%s\n", hk_ctx_diag(ctx, i)->text);
    assert_int_equal(hk_ctx_count(ctx, HK_NOTE), 0);
    hk_profile_finish(p);
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
}

static void print_detector(void **state) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    hk_sysml_file *file;
    char *data;
    size_t size;
    (void)state;
    assert_int_equal(hk_file_read(ctx, DETECTOR, 0, &data, &size), HK_OK);
    assert_int_equal(hk_sysml_parse(ctx, arena, "x", data, size, &file), HK_OK);
    assert_string_equal(hk_sysml_print(arena, file), data);
    hk_free(data);
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(read_detector),
                                       cmocka_unit_test(print_detector)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

static void memory_is_zeroed_and_counted(void **state) {
    (void)state;
    uint64_t before = hk_alloc_count();
    unsigned char *bytes = hk_alloc(1000);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(bytes[i], 0);
    memset(bytes, 7, 1000);
    bytes = hk_realloc(bytes, 2000);
    assert_int_equal(bytes[999], 7);
    assert_int_equal(hk_alloc_count() - before, 2);
    hk_free(bytes);
    hk_free(NULL);
    void *empty = hk_alloc(0);
    assert_non_null(empty);
    hk_free(empty);
}

static void push_grows(void **state) {
    (void)state;
    int *numbers = NULL;
    size_t count = 0, cap = 0;
    for (int i = 0; i < 1000; i++)
        HK_PUSH(numbers, count, cap, i * i);
    assert_int_equal(count, 1000);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(numbers[i], i * i);
    hk_free(numbers);
}

static void arena_blocks_are_apart(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    enum { COUNT = 3000 };
    static unsigned char *blocks[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        size_t size = i % 97 + (i % 500 == 0 ? 100000 : 0);
        blocks[i] = hk_arena_alloc(arena, size);
        assert_int_equal((uintptr_t)blocks[i] % _Alignof(max_align_t), 0);
        for (size_t k = 0; k < size; k++)
            assert_int_equal(blocks[i][k], 0);
        memset(blocks[i], (int)(i % 251), size);
    }
    for (size_t i = 0; i < COUNT; i++)
        for (size_t k = 0; k < i % 97; k++)
            assert_int_equal(blocks[i][k], i % 251);
    hk_arena_destroy(arena);
    hk_arena_destroy(NULL);
}

static void arena_is_cheap(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    uint64_t before = hk_alloc_count();
    for (int i = 0; i < 10000; i++)
        (void)HK_NEW(arena, double);
    assert_true(hk_alloc_count() - before < 10);
    hk_arena_destroy(arena);
}

static void arena_texts(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    assert_string_equal(hk_arena_strdup(arena, "text"), "text");
    assert_null(hk_arena_strdup(arena, NULL));
    assert_string_equal(hk_arena_strndup(arena, "text", 2), "te");
    assert_string_equal(hk_arena_printf(arena, "%d-%s", 7, "x"), "7-x");
    assert_string_equal(hk_arena_printf(arena, "%s", ""), "");
    char *longer = hk_arena_printf(arena, "%0200000d", 1);
    assert_int_equal(strlen(longer), 200000);
    hk_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_zeroed_and_counted),
        cmocka_unit_test(push_grows),
        cmocka_unit_test(arena_blocks_are_apart),
        cmocka_unit_test(arena_is_cheap),
        cmocka_unit_test(arena_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

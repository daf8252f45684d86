/* SPDX-License-Identifier: MIT */
#include "base/map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static void empty_map(void **state) {
    (void)state;
    hk_map map = {0};
    assert_int_equal(hk_map_get(&map, "x"), HK_MAP_NONE);
    hk_map_finish(&map);
    hk_map_finish(&map);
}

static void keeps_what_was_first(void **state) {
    (void)state;
    hk_map map = {0};
    assert_int_equal(hk_map_put(&map, "a", 1), 1);
    assert_int_equal(hk_map_put(&map, "a", 2), 1);
    assert_int_equal(hk_map_put(&map, "", 3), 3);
    assert_int_equal(hk_map_get(&map, "a"), 1);
    assert_int_equal(hk_map_get(&map, ""), 3);
    assert_int_equal(map.count, 2);
    hk_map_finish(&map);
    assert_int_equal(hk_map_get(&map, "a"), HK_MAP_NONE);
}

static void many_keys(void **state) {
    (void)state;
    enum { COUNT = 50000 };
    static char keys[COUNT][16];
    hk_map map = {0};
    for (uint32_t i = 0; i < COUNT; i++) {
        snprintf(keys[i], sizeof keys[i], "body.x[%u]", i);
        assert_int_equal(hk_map_put(&map, keys[i], i), i);
    }
    assert_int_equal(map.count, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        char copy[16];
        strcpy(copy, keys[i]); /* equal text, another address */
        assert_int_equal(hk_map_get(&map, copy), i);
    }
    assert_int_equal(hk_map_get(&map, "body.x[50000]"), HK_MAP_NONE);
    hk_map_finish(&map);
}

/* Published values of 64-bit FNV-1a. */
static void hash_is_fnv(void **state) {
    (void)state;
    assert_true(hk_hash(HK_HASH_SEED, "", 0) == UINT64_C(0xcbf29ce484222325));
    assert_true(hk_hash(HK_HASH_SEED, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(hk_hash(HK_HASH_SEED, "foobar", 6) == UINT64_C(0x85944171f73967e8));
    assert_true(hk_hash(hk_hash(HK_HASH_SEED, "foo", 3), "bar", 3) == UINT64_C(0x85944171f73967e8));
}

static void closest_key(void **state) {
    (void)state;
    hk_map map = {0};
    assert_null(hk_map_closest(&map, "speed"));
    hk_map_put(&map, "speed", 0);
    hk_map_put(&map, "torque", 1);
    assert_string_equal(hk_map_closest(&map, "torqe"), "torque");
    assert_null(hk_map_closest(&map, "temperature"));
    hk_map_finish(&map);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_map),   cmocka_unit_test(keeps_what_was_first),
        cmocka_unit_test(many_keys),   cmocka_unit_test(closest_key),
        cmocka_unit_test(hash_is_fnv),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

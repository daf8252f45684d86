/* SPDX-License-Identifier: MIT
 *
 * States come back as they were put, have one number each, and take the bits that they need. */
#include "explore/vault.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { WORDS = 40, COUNT = 3000 };

/* A state for each number: words with 1, 2, 3, 17, 300 and COUNT values, and some of 64 bits. */
static void make(uint32_t number, uint64_t *state) {
    static const uint64_t values[] = {1, 2, 3, 17, 300, COUNT};
    for (uint32_t w = 0; w < WORDS; w++) {
        uint64_t value = number % values[w % 6];
        state[w] = w % 2 ? value : (value + w) * UINT64_C(0x9e3779b97f4a7c15);
    }
}

static void test_states_come_back(void **test) {
    (void)test;
    hk_vault *vault = hk_vault_create(WORDS);
    uint64_t state[WORDS], back[WORDS];
    bool is_new;
    for (uint32_t i = 0; i < COUNT; i++) {
        make(i, state);
        assert_int_equal(hk_vault_put(vault, state, &is_new), i);
        assert_true(is_new);
    }
    assert_int_equal(hk_vault_count(vault), COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        make(i, state);
        assert_int_equal(hk_vault_put(vault, state, &is_new), i);
        assert_false(is_new);
        hk_vault_get(vault, i, back);
        assert_memory_equal(state, back, sizeof state);
    }
    hk_vault_destroy(vault);
}

/* 100 words of which 20 are a truth: 20 bits. */
static void test_few_bits(void **test) {
    (void)test;
    enum { MANY = 100, LIVE = 20 };
    hk_vault *vault = hk_vault_create(MANY);
    uint64_t state[MANY];
    bool is_new;
    for (uint32_t i = 0; i < 1 << 12; i++) {
        for (uint32_t w = 0; w < MANY; w++)
            state[w] = w < LIVE ? UINT64_MAX * (i >> (w % 12) & 1) : w;
        (void)hk_vault_put(vault, state, &is_new);
    }
    assert_int_equal(hk_vault_count(vault), 1 << 12);
    assert_int_equal(hk_vault_row(vault), 3);
    hk_vault_destroy(vault);
}

/* A state that never has more than one value is one. */
static void test_nothing_changes(void **test) {
    (void)test;
    hk_vault *vault = hk_vault_create(2);
    uint64_t state[2] = {7, 0}, back[2];
    bool is_new;
    assert_int_equal(hk_vault_put(vault, state, &is_new), 0);
    assert_true(is_new);
    assert_int_equal(hk_vault_put(vault, state, &is_new), 0);
    assert_false(is_new);
    hk_vault_get(vault, 0, back);
    assert_memory_equal(state, back, sizeof state);
    hk_vault_destroy(vault);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_states_come_back),
        cmocka_unit_test(test_few_bits),
        cmocka_unit_test(test_nothing_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT
 *
 * The symbols of this very program, whole, cut off and damaged. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "base/file.h"
#include "format/elf.h"

#include <string.h>

#define NOTE __attribute__((section(".hocket.test"), used))
static const char note[] NOTE = "a note of the test";
int counted_elsewhere = 3;
static int counted;
static _Thread_local int counted_here;
static const char *const names[] = {"read", "only"};

int for_others(int x);
int for_others(int x) {
    counted_elsewhere += x;
    return counted_elsewhere;
}

static int in_this_file(int x) {
    counted += x;
    counted_here += x;
    return counted + counted_here + (int)strlen(names[x & 1]);
}
static int (*volatile called)(int) = in_this_file;

static char *own;
static size_t own_size;

static int read_own(void **state) {
    (void)state;
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    assert_int_equal(hk_file_read(ctx, "/proc/self/exe", 0, &own, &own_size), HK_OK);
    hk_ctx_destroy(ctx);
    (void)called(1);
    return for_others(0) == 3 ? 0 : -1;
}

static int free_own(void **state) {
    (void)state;
    hk_free(own);
    return 0;
}

static const hk_elf_symbol *find(const hk_elf_symbols *all, const char *name) {
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->all[i].name, name) == 0)
            return &all->all[i];
    return NULL;
}

static void test_symbols(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    const hk_elf_symbols all = hk_elf_read_symbols(arena, own, own_size);
    const hk_elf_symbol *s = find(&all, "in_this_file"), *other = find(&all, "for_others");
    assert_non_null(s);
    assert_true(s->function && !s->variable);
    assert_string_equal(s->file, "elf_symbols_test.c");
    assert_non_null(other);
    assert_true(other->function && !other->file);
    /* Addresses count from where the program was loaded. */
    assert_int_equal((intptr_t)for_others - (intptr_t)called,
                     (intptr_t)other->address - (intptr_t)s->address);
    s = find(&all, "counted");
    assert_true(s && s->variable && s->file && !strcmp(s->file, "elf_symbols_test.c"));
    s = find(&all, "counted_elsewhere");
    assert_true(s && s->variable && !s->file);
    s = find(&all, "counted_here");
    assert_true(s && s->variable);
    s = find(&all, "names");
    assert_true(s && !s->variable && !s->function);
    assert_null(find(&all, "__dso_handle"));
    hk_arena_destroy(arena);
}

static void test_section(void **state) {
    (void)state;
    const char *text = NULL;
    size_t size = 0;
    assert_true(hk_elf_section(own, own_size, ".hocket.test", &text, &size));
    assert_int_equal(size, sizeof note);
    assert_memory_equal(text, note, size);
    assert_false(hk_elf_section(own, own_size, ".hocket.none", &text, &size));
    assert_false(hk_elf_section("no library", 10, ".hocket.test", &text, &size));
}

static void look(const char *data, size_t size) {
    hk_arena *arena = hk_arena_create();
    const char *text = NULL;
    size_t length = 0;
    (void)hk_elf_read_symbols(arena, data, size);
    (void)hk_elf_section(data, size, ".hocket.test", &text, &length);
    hk_arena_destroy(arena);
}

/* The header and the table of sections at its end, each byte wrong in turn; and cut off anywhere.
 * The copy ends where the memory does, so that a sanitizer sees a look beyond it. */
static void test_damaged(void **state) {
    (void)state;
    enum { HEADER = 64, TAIL = 1024, CUTS = 200 };
    for (size_t i = 0; i < HEADER + TAIL; i++) {
        size_t at = i < HEADER ? i : own_size - TAIL + (i - HEADER);
        own[at] ^= (char)0xff;
        look(own, own_size);
        own[at] ^= (char)0xff;
    }
    for (size_t i = 0; i < CUTS; i++) {
        size_t size = own_size / CUTS * i;
        char *copy = hk_alloc(size + 1);
        memcpy(copy, own, size);
        look(copy, size);
        hk_free(copy);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_symbols),
        cmocka_unit_test(test_section),
        cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, read_own, free_own);
}

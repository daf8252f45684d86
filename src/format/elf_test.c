/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

#include "format/elf.h"

#include <string.h>

/* A library of one page: header, two segments, dynamic section, hash, symbols, strings, five
 * sections, their names, a note. Addresses are offsets plus BASE. */
enum { BASE = 0x1000, SEGMENTS = 64, DYNAMIC = 256, HASH = 512, SYMBOLS = 640, STRINGS = 900 };
enum { SECTIONS = 1024, NAMES = 1344, SIZE = 1408 };
static const char section_names[] = "\0.names\0.note\0.symtab\0.strtab", note[] = "what it says";
static const char texts[] = "\0fmi2DoStep\0hidden\0libm.so.6\0$ORIGIN:/opt\0pow";

typedef struct image {
    uint8_t data[SIZE];
    bool wide, big;
} image;

static void put(image *m, size_t at, size_t count, uint64_t value) {
    for (size_t i = 0; i < count; i++)
        m->data[at + (m->big ? count - 1 - i : i)] = (uint8_t)(value >> 8 * i);
}

static void put_word(image *m, size_t at, uint64_t value) {
    put(m, at, m->wide ? 8 : 4, value);
}

static void put_segment(image *m, size_t index, unsigned kind, uint64_t offset, uint64_t size) {
    size_t at = SEGMENTS + index * (m->wide ? 56 : 32);
    put(m, at, 4, kind);
    put_word(m, at + (m->wide ? 8 : 4), offset);
    put_word(m, at + (m->wide ? 16 : 8), offset + BASE);
    put_word(m, at + (m->wide ? 32 : 16), size);
}

static void put_symbol(image *m, size_t index, unsigned name, unsigned binding, unsigned section) {
    size_t at = SYMBOLS + index * (m->wide ? 24 : 16);
    put(m, at, 4, name);
    put(m, at + (m->wide ? 4 : 12), 1, binding << 4);
    put(m, at + (m->wide ? 6 : 14), 2, section);
}

static void put_section(image *m, size_t index, unsigned name, uint64_t offset, uint64_t size) {
    size_t at = SECTIONS + index * (m->wide ? 64 : 40);
    put(m, at, 4, name);
    put(m, at + 4, 4, 1);
    put_word(m, at + (m->wide ? 24 : 16), offset);
    put_word(m, at + (m->wide ? 32 : 20), size);
}

/* The first section is the empty one that every file has. */
static void put_sections(image *m) {
    size_t at = m->wide ? 58 : 46;
    put_word(m, m->wide ? 40 : 32, SECTIONS);
    put(m, at, 2, m->wide ? 64 : 40);
    put(m, at + 2, 2, 5);
    put(m, at + 4, 2, 1);
    put_section(m, 1, 1, NAMES, sizeof section_names);
    put_section(m, 2, 8, NAMES + sizeof section_names, sizeof note);
    put_section(m, 3, 14, SYMBOLS, 3 * (m->wide ? 24 : 16));
    put_section(m, 4, 22, STRINGS, sizeof texts);
    memcpy(m->data + NAMES, section_names, sizeof section_names);
    memcpy(m->data + NAMES + sizeof section_names, note, sizeof note);
}

static image make(bool wide, bool big, bool gnu) {
    static const uint64_t tags[][2] = {
        {1, 19}, {29, 29}, {5, STRINGS + BASE}, {10, sizeof texts}, {6, SYMBOLS + BASE}, {0, 0}};
    image m = {.wide = wide, .big = big};
    memcpy(m.data, "\177ELF", 4);
    m.data[4] = wide ? 2 : 1;
    m.data[5] = big ? 2 : 1;
    put(&m, 16, 2, 3);
    put(&m, 18, 2, wide ? HK_ELF_X86_64 : HK_ELF_PPC);
    put_word(&m, wide ? 32 : 28, SEGMENTS);
    put(&m, wide ? 54 : 42, 2, wide ? 56 : 32);
    put(&m, wide ? 56 : 44, 2, 2);
    put_segment(&m, 0, 1, 0, SIZE);
    put_segment(&m, 1, 2, DYNAMIC, 256);
    size_t step = wide ? 16 : 8;
    put_word(&m, DYNAMIC, gnu ? 0x6ffffef5 : 4);
    put_word(&m, DYNAMIC + step / 2, HASH + BASE);
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        put_word(&m, DYNAMIC + (i + 1) * step, tags[i][0]);
        put_word(&m, DYNAMIC + (i + 1) * step + step / 2, tags[i][1]);
    }
    if (gnu) { /* one bucket, first symbol 1, one word of filter, a chain of three symbols */
        put(&m, HASH, 4, 1);
        put(&m, HASH + 4, 4, 1);
        put(&m, HASH + 8, 4, 1);
        size_t buckets = HASH + 16 + (wide ? 8 : 4);
        put(&m, buckets, 4, 1);
        put(&m, buckets + 12, 4, 1);
    } else {
        put(&m, HASH + 4, 4, 4);
    }
    put_symbol(&m, 1, 1, 1, 7);
    put_symbol(&m, 2, 12, 0, 7);
    put_symbol(&m, 3, 42, 1, 0);
    memcpy(m.data + STRINGS, texts, sizeof texts);
    put_sections(&m);
    return m;
}

static const hk_elf *read_image(hk_arena *arena, const image *m, size_t size) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    const hk_elf *elf = NULL;
    hk_status status = hk_elf_read(ctx, arena, "x.so", m->data, size, &elf);
    assert_int_equal(status == HK_OK, elf != NULL);
    assert_int_equal(hk_ctx_count(ctx, HK_ERROR), elf ? 0 : 1);
    hk_ctx_destroy(ctx);
    const char *found = NULL;
    size_t length = 0;
    if (hk_elf_section(m->data, size, ".note", &found, &length))
        assert_true(found >= (const char *)m->data && length <= size &&
                    found + length <= (const char *)m->data + size);
    (void)hk_elf_defines(m->data, size, "fmi2DoStep");
    return elf;
}

static void test_read(void **state) {
    (void)state;
    for (int i = 0; i < 8; i++) {
        image m = make(i & 1, i & 2, i & 4);
        hk_arena *arena = hk_arena_create();
        const hk_elf *elf = read_image(arena, &m, SIZE);
        assert_non_null(elf);
        assert_int_equal(elf->bits, i & 1 ? 64 : 32);
        assert_int_equal(elf->machine, i & 1 ? HK_ELF_X86_64 : HK_ELF_PPC);
        assert_true(elf->shared);
        assert_int_equal(elf->export_count, 1);
        assert_string_equal(elf->exports[0], "fmi2DoStep");
        assert_int_equal(elf->import_count, 1);
        assert_string_equal(elf->imports[0], "pow");
        assert_int_equal(elf->needed_count, 1);
        assert_string_equal(elf->needed[0], "libm.so.6");
        assert_string_equal(elf->search_path, "$ORIGIN:/opt");
        hk_arena_destroy(arena);
    }
}

static void test_section(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        image m = make(i & 1, i & 2, false);
        const char *found = NULL;
        size_t size = 0;
        assert_true(hk_elf_section(m.data, SIZE, ".note", &found, &size));
        assert_int_equal(size, sizeof note);
        assert_memory_equal(found, note, sizeof note);
        assert_false(hk_elf_section(m.data, SIZE, ".not", &found, &size));
        assert_true(hk_elf_defines(m.data, SIZE, "fmi2DoStep"));
        assert_false(hk_elf_defines(m.data, SIZE, "hidden")); /* for its own file alone */
        assert_false(hk_elf_defines(m.data, SIZE, "fmi2Do"));
        assert_false(hk_elf_section(m.data, SIZE, ".notes", &found, &size));
        assert_false(hk_elf_section(m.data, SIZE - 40, ".note", &found, &size)); /* cut off */
        put(&m, SECTIONS + 2 * (m.wide ? 64 : 40) + 4, 4, 8);
        assert_false(hk_elf_section(m.data, SIZE, ".note", &found, &size)); /* takes no room */
        put_word(&m, m.wide ? 40 : 32, 0);
        assert_false(hk_elf_section(m.data, SIZE, ".note", &found, &size)); /* none at all */
    }
}

/* Every byte in turn is wrong, and the file is cut off everywhere: nothing is read outside of it.
 */
static void test_damaged(void **state) {
    (void)state;
    for (size_t i = 0; i < SIZE; i++) {
        hk_arena *arena = hk_arena_create();
        image m = make(true, false, i & 1);
        (void)read_image(arena, &m, i);
        m.data[i] ^= 0xff;
        (void)read_image(arena, &m, SIZE);
        hk_arena_destroy(arena);
    }
}

static void test_other(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    image m = make(true, false, false);
    m.data[0] = 'M';
    assert_null(read_image(arena, &m, SIZE));
    m = make(true, false, false);
    put(&m, 56, 2, 60000);
    assert_null(read_image(arena, &m, SIZE));
    assert_null(read_image(arena, &m, 0));
    hk_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_section),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

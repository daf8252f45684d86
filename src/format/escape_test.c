/* SPDX-License-Identifier: MIT */
#include "format/escape.h"

#include <stdlib.h>
#include <string.h>

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

static void check(const char *text, size_t size, const char *written) {
    char out[64], back[64];
    assert_int_equal(hk_escaped_size(text, size), strlen(written));
    size_t length = hk_escape(text, size, out);
    assert_int_equal(length, strlen(written));
    assert_memory_equal(out, written, length);
    assert_int_equal(hk_unescape(out, length, back), size);
    if (size)
        assert_memory_equal(back, text, size);
}

static void test_words(void **state) {
    (void)state;
    check("", 0, "");
    check("plain, \"text\"\twith\r\nlines", 25, "plain, \"text\"\twith\r\nlines");
    check("caf\xc3\xa9 \xe2\x82\xac", 9, "caf\xc3\xa9 \xe2\x82\xac");
    check("\x1b[2Jx", 5, "\\x1b[2Jx");
    check("a\0b\x7f", 4, "a\\x00b\\x7f");
    check("\xc2\x9b", 2, "\\xc2\\x9b"); /* the other way to begin a command */
    check("caf\xe9 \xff\xc3", 7, "caf\\xe9 \\xff\\xc3");
    check("C:\\temp\\x", 9, "C:\\temp\\x"); /* a backslash is one */
    check("\\x1b", 4, "\\x5cx1b");          /* unless it would read as something else */
    check("\\\\x1B", 5, "\\\\x1B");
}

/* Anything comes back as it was, and what is written is printable. */
static void test_anything(void **state) {
    (void)state;
    static const char likely[] = "\\xx05cC9b\x1b\xc2\x9b\xe2\xff\n\"";
    srand(7);
    for (int round = 0; round < 100000; round++) {
        char text[12], out[64], back[64];
        size_t size = (size_t)rand() % (sizeof text + 1), length;
        for (size_t i = 0; i < size; i++)
            text[i] = rand() % 4 ? likely[(size_t)rand() % (sizeof likely - 1)] : (char)rand();
        size_t written = hk_escape(text, size, out);
        assert_int_equal(written, hk_escaped_size(text, size));
        assert_int_equal(hk_unescape(out, written, back), size);
        if (size)
            assert_memory_equal(back, text, size);
        for (size_t i = 0; i < written; i += length)
            assert_true(hk_glyph_at(out + i, written - i, &length) <= HK_GLYPH_BREAK);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_words),
                                       cmocka_unit_test(test_anything)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

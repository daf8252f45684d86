/* SPDX-License-Identifier: MIT */
#include "format/sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

static void expect(const char *text, size_t size, const char *wanted) {
    char hex[65];
    hk_sha256_hex(text, size, hex);
    assert_string_equal(hex, wanted);
}

/* The examples of FIPS 180-4, and every place where the padding changes. */
static void known_answers(void **state) {
    (void)state;
    expect("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
           "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    static char many[1000000];
    memset(many, 'a', sizeof many);
    expect(many, 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
    expect(many, 63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34");
    expect(many, 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
    expect(many, sizeof many, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void ways_agree(void **state) {
    (void)state;
    unsigned char data[1000];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)(i * i + 7 * i);
    for (size_t size = 0; size <= sizeof data; size++) {
        char best[65], plain[65];
        hk_sha256_hex(data, size, best);
        hk_sha256_hex_plain(data, size, plain);
        assert_string_equal(best, plain);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_answers),
                                       cmocka_unit_test(ways_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

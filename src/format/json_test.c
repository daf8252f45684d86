/* SPDX-License-Identifier: MIT */
#include "format/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void writes_values(void **state) {
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    hk_json json;
    hk_json_begin(&json, out);
    hk_json_object(&json, NULL);
    hk_json_string(&json, "name", "a\"\\\n\x01\xc3\xa4");
    hk_json_string(&json, "none", NULL);
    hk_json_f64(&json, "third", 1.0 / 3);
    hk_json_f64(&json, "nan", (double)NAN);
    hk_json_f64(&json, "inf", -(double)INFINITY);
    hk_json_i64(&json, "least", INT64_MIN);
    hk_json_bool(&json, "yes", true);
    hk_json_array(&json, "list");
    hk_json_i64(&json, NULL, 1);
    hk_json_bool(&json, NULL, false);
    hk_json_object(&json, NULL);
    hk_json_end(&json);
    hk_json_array(&json, NULL);
    hk_json_end(&json);
    hk_json_end(&json);
    HK_JSON_EACH(&json, "none at all", i, 0)
        hk_json_u64(&json, "index", i);
    HK_JSON_EACH(&json, "rows", i, 2) {
        hk_json_u64(&json, "index", i);
        HK_JSON_EACH(&json, "inside", k, i)
            hk_json_bool(&json, "last", k + 1 == i);
    }
    hk_json_i64(&json, "after", 2);
    hk_json_end(&json);
    hk_json_i64(&json, NULL, 7);
    fclose(out);
    assert_string_equal(text, "{\"name\":\"a\\\"\\\\\\n\\u0001\xc3\xa4\",\"none\":null,"
                              "\"third\":0.3333333333333333,\"nan\":null,\"inf\":null,"
                              "\"least\":-9223372036854775808,\"yes\":true,"
                              "\"list\":[1,false,{},[]],\"none at all\":[],"
                              "\"rows\":[{\"index\":0,\"inside\":[]},"
                              "{\"index\":1,\"inside\":[{\"last\":true}]}],\"after\":2}\n7\n");
    free(text);
}

static void expect_text(const char *value, const char *wanted) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    hk_json json;
    hk_json_begin(&json, out);
    hk_json_string(&json, NULL, value);
    fclose(out);
    assert_string_equal(text, wanted);
    free(text);
}

static void strings_are_always_utf8(void **state) {
    (void)state;
    expect_text("\xe2\x82\xac \xf0\x9f\x98\x80", "\"\xe2\x82\xac \xf0\x9f\x98\x80\"\n");
    expect_text("a\xff"
                "b",
                "\"a\\ufffdb\"\n");
    expect_text("\xc3", "\"\\ufffd\"\n");                       /* cut short */
    expect_text("\xc0\xaf", "\"\\ufffd\\ufffd\"\n");            /* overlong */
    expect_text("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"\n"); /* surrogate */
    expect_text("\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"\n");
    expect_text("\x7f\t", "\"\\u007f\\t\"\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_values),
        cmocka_unit_test(strings_are_always_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

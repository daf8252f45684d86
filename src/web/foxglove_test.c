/* SPDX-License-Identifier: MIT
 *
 * The protocol of Foxglove: what clients say, and the bytes that they are sent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "web/foxglove.h"

#include <string.h>

static bool read_text(const char *text, hk_foxglove_said *ret_said) {
    return hk_foxglove_read(text, strlen(text), ret_said);
}

static void subscriptions(void **state) {
    (void)state;
    hk_foxglove_said said;
    hk_json_span item;
    uint32_t number;
    assert_true(read_text(" {\"op\":\"subscribe\",\"subscriptions\":[{\"id\":7,\"channelId\":2},"
                          "{\"id\":4294967296},{\"id\":1.5},{\"id\":\"1\"},3]}",
                          &said));
    assert_int_equal(said.op, HK_FOXGLOVE_SUBSCRIBE);
    assert_true(hk_json_element(&said.items, &item));
    assert_true(hk_foxglove_number(item, "id", &number));
    assert_int_equal(number, 7);
    assert_true(hk_foxglove_number(item, "channelId", &number));
    assert_int_equal(number, 2);
    for (int i = 0; i < 4; i++) {
        assert_true(hk_json_element(&said.items, &item));
        assert_false(hk_foxglove_number(item, "id", &number));
    }
    assert_false(hk_json_element(&said.items, &item));
    assert_true(read_text("{\"op\":\"unsubscribe\",\"subscriptionIds\":[7]}", &said));
    assert_int_equal(said.op, HK_FOXGLOVE_UNSUBSCRIBE);
    assert_true(read_text("{\"op\":\"fetchAsset\",\"id\":\"q\"}", &said));
    assert_int_equal(said.op, HK_FOXGLOVE_OTHER);
    assert_true(hk_json_is_string(said.id, "q"));
}

static void nonsense(void **state) {
    (void)state;
    hk_foxglove_said said;
    static const char *const all[] = {
        "", "[", "[]", "3", "{}", "{\"op\":3}", "{\"op\":\"subscribe\",\"subscriptions\":{}}"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        assert_false(read_text(all[i], &said));
    assert_true(read_text("{\"op\":\"subscribe\"}", &said));
    assert_int_equal(said.items.size, 0);
}

static void calls(void **state) {
    (void)state;
    static const char bytes[] = "\x02\x05\0\0\0\x09\1\0\0\4\0\0\0json{}";
    hk_foxglove_call call;
    hk_buffer b = {0};
    assert_true(hk_foxglove_read_call(bytes, sizeof bytes - 1, &call));
    assert_int_equal(call.service, 5);
    assert_int_equal(call.id, 265);
    assert_true(call.json);
    assert_int_equal(call.request.size, 2);
    hk_foxglove_answer_head(&b, &call);
    assert_int_equal(b.size, 17);
    assert_memory_equal(b.data, "\x03\x05\0\0\0\x09\1\0\0\4\0\0\0json", 17);
    for (size_t i = 0; i < sizeof bytes - 3; i++)
        assert_false(hk_foxglove_read_call(bytes, i, &call));
    assert_false(hk_foxglove_read_call("\x02\5\0\0\0\1\0\0\0\xff\xff\xff\xff", 13, &call));
    hk_free(b.data);
}

static void written(void **state) {
    (void)state;
    hk_buffer b = {0};
    hk_foxglove_text text;
    hk_foxglove_data_head(&b, 3, 1500000000);
    assert_int_equal(b.size, 13);
    assert_memory_equal(b.data, "\1\3\0\0\0\0\x2f\x68\x59\0\0\0\0", 13);
    b.size = 0;
    hk_foxglove_time(&b, 1);
    assert_memory_equal(b.data, "\2\1\0\0\0\0\0\0\0", 9);
    b.size = 0;
    hk_foxglove_begin(&text, "status");
    hk_json_as_it_is(&text.json, "id", "[1,2]", 5);
    hk_json_string(&text.json, "message", "\"");
    hk_foxglove_end(&text, &b);
    static const char expected[] = "{\"op\":\"status\",\"id\":[1,2],\"message\":\"\\\"\"}\n";
    assert_int_equal(b.size, sizeof expected - 1);
    assert_memory_equal(b.data, expected, b.size);
    hk_free(b.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(subscriptions), cmocka_unit_test(nonsense),
                                       cmocka_unit_test(calls), cmocka_unit_test(written)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

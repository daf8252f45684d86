/* SPDX-License-Identifier: MIT */
#include "model/info.h"
#include "model/value.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *item_names[] = {"off", "on", "stand by"};
static const int64_t item_values[] = {0, 1, -7};
static const hk_enum modes = {"Mode", item_names, item_values, 3};

static hk_arena *arena;

static int set_up(void **state) {
    (void)state;
    arena = hk_arena_create();
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    hk_arena_destroy(arena);
    return 0;
}

static hk_value parse(hk_type type, size_t count, const char *text) {
    hk_value value;
    if (!hk_value_parse(arena, type, count, &modes, text, &value))
        fail_msg("'%s' is not a %s", text, hk_type_name(type));
    assert_int_equal(value.type, type);
    assert_int_equal(value.count, count);
    return value;
}

static void refuse(hk_type type, size_t count, const char *text) {
    hk_value value;
    if (hk_value_parse(arena, type, count, &modes, text, &value))
        fail_msg("'%s' is taken as %s", text, hk_type_name(type));
}

static void test_scalars(void **state) {
    (void)state;
    assert_true(*(double *)parse(HK_TYPE_F64, 1, "-2.5e3").data == -2500);
    assert_true(*(float *)parse(HK_TYPE_F32, 1, "0.1").data == 0.1F);
    assert_int_equal(*(int32_t *)parse(HK_TYPE_I32, 1, "-7").data, -7);
    assert_int_equal(*(int32_t *)parse(HK_TYPE_I32, 1, "3.0").data, 3);
    assert_int_equal(*(uint8_t *)parse(HK_TYPE_U8, 1, "255").data, 255);
    assert_true(*(uint64_t *)parse(HK_TYPE_U64, 1, "18446744073709551615").data == UINT64_MAX);
    assert_true(*(int64_t *)parse(HK_TYPE_I64, 1, "-9223372036854775808").data == INT64_MIN);
    assert_int_equal(*(uint8_t *)parse(HK_TYPE_BOOL, 1, "true").data, 1);
    assert_int_equal(*(uint8_t *)parse(HK_TYPE_BOOL, 1, "0").data, 0);
    assert_int_equal(*(int64_t *)parse(HK_TYPE_ENUM, 1, "on").data, 1);
    assert_int_equal(*(int64_t *)parse(HK_TYPE_ENUM, 1, "stand by").data, -7);
    assert_int_equal(*(int64_t *)parse(HK_TYPE_ENUM, 1, "-7").data, -7);
}

/* Texts of an array are a list; one alone is taken as it is. */
static void test_lists_of_texts(void **state) {
    (void)state;
    static const struct {
        const char *text, *items[3];
    } rows[] = {{"a b c", {"a", "b", "c"}},
                {"  \"one two\" \"\"  x\\y", {"one two", "", "x\\y"}},
                {"\"say \\\"hi\\\"\" \"c:\\\\d\" e", {"say \"hi\"", "c:\\d", "e"}},
                {"\"all of it\"", {"all of it", "all of it", "all of it"}},
                {"", {"", "", ""}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        hk_value value = parse(HK_TYPE_STRING, 3, rows[i].text);
        const hk_bytes *texts = value.data;
        for (size_t k = 0; k < 3; k++) {
            assert_int_equal(texts[k].size, strlen(rows[i].items[k]));
            assert_memory_equal(texts[k].data, rows[i].items[k], texts[k].size);
        }
        hk_value back = parse(HK_TYPE_STRING, 3, hk_value_format_all(arena, &value));
        for (size_t k = 0; k < 3; k++)
            assert_string_equal(((hk_bytes *)back.data)[k].data, rows[i].items[k]);
    }
    hk_value one = parse(HK_TYPE_STRING, 1, "\"a b\" c");
    assert_string_equal(((hk_bytes *)one.data)->data, "\"a b\" c");
    hk_value bytes = parse(HK_TYPE_BINARY, 2, "00ff 12");
    assert_int_equal(((hk_bytes *)bytes.data)[1].size, 1);
    static const char *const wrong[] = {"a b", "a b c d", "\"a b", "\"a\"b c d"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(hk_value_parse(arena, HK_TYPE_STRING, 3, NULL, wrong[i], &one));
    static const char *const items[] = {"one two", "", "x\\\"y"};
    const hk_bytes *again = parse(HK_TYPE_STRING, 3, hk_value_list(arena, items, 3)).data;
    for (size_t k = 0; k < 3; k++)
        assert_string_equal(again[k].data, items[k]);
}

static void test_refused(void **state) {
    (void)state;
    refuse(HK_TYPE_F64, 1, "");
    refuse(HK_TYPE_F64, 1, "1,5");
    refuse(HK_TYPE_F64, 1, "1 2");
    refuse(HK_TYPE_F32, 1, "1e300");
    refuse(HK_TYPE_I8, 1, "128");
    refuse(HK_TYPE_I8, 1, "-129");
    refuse(HK_TYPE_U8, 1, "-1");
    refuse(HK_TYPE_I32, 1, "2.5");
    refuse(HK_TYPE_I64, 1, "9223372036854775808");
    refuse(HK_TYPE_BOOL, 1, "yes");
    refuse(HK_TYPE_BOOL, 1, "2");
    refuse(HK_TYPE_BOOL, 1, "18446744073709551615");
    refuse(HK_TYPE_ENUM, 1, "standby");
    refuse(HK_TYPE_BINARY, 1, "abc");
    refuse(HK_TYPE_BINARY, 1, "zz");
    refuse(HK_TYPE_F64, 3, "1 2");
    refuse(HK_TYPE_F64, 3, "1 2 3 4");
}

static void test_arrays_and_texts(void **state) {
    (void)state;
    const double *list = parse(HK_TYPE_F64, 3, " 1\n2  3 ").data;
    assert_true(list[0] == 1 && list[1] == 2 && list[2] == 3);
    const int16_t *filled = parse(HK_TYPE_I16, 3, "-4").data;
    assert_true(filled[0] == -4 && filled[1] == -4 && filled[2] == -4);
    const hk_bytes *text = parse(HK_TYPE_STRING, 1, "two words").data;
    assert_int_equal(text->size, 9);
    assert_string_equal(text->data, "two words");
    const hk_bytes *binary = parse(HK_TYPE_BINARY, 1, "00fFa1").data;
    assert_int_equal(binary->size, 3);
    assert_memory_equal(binary->data, "\x00\xff\xa1", 3);
}

static void expect_text(hk_type type, const char *text) {
    hk_value value = parse(type, 1, text);
    assert_string_equal(hk_value_format(arena, type, hk_store_of(type), value.data), text);
}

static void test_format(void **state) {
    (void)state;
    expect_text(HK_TYPE_F64, "0.1");
    expect_text(HK_TYPE_F32, "0.1");
    expect_text(HK_TYPE_I8, "-128");
    expect_text(HK_TYPE_U64, "18446744073709551615");
    expect_text(HK_TYPE_BOOL, "true");
    expect_text(HK_TYPE_STRING, "a b");
    expect_text(HK_TYPE_STRING, "");
    expect_text(HK_TYPE_BINARY, "00ffa1");
    expect_text(HK_TYPE_ENUM, "-7");
}

static void test_convert(void **state) {
    (void)state;
    double real = 3;
    int32_t i32 = -1;
    uint8_t u8 = 0;
    uint32_t truth = 7;
    int64_t i64;
    assert_true(hk_value_convert(HK_STORE_I32, &i32, HK_STORE_F64, &real, 1));
    assert_int_equal(i32, 3);
    i32 = -1;
    assert_true(hk_value_convert(HK_STORE_I64, &i64, HK_STORE_I32, &i32, 1));
    assert_int_equal(i64, -1);
    assert_false(hk_value_convert(HK_STORE_U8, &u8, HK_STORE_I32, &i32, 1));
    assert_true(hk_value_convert(HK_STORE_BOOL8, &u8, HK_STORE_BOOL32, &truth, 1));
    assert_int_equal(u8, 1);
    assert_true(hk_value_convert(HK_STORE_F64, &real, HK_STORE_BOOL32, &truth, 1));
    assert_true(real == 1);
    static const double bad[] = {2.5, (double)NAN, (double)INFINITY, 1e30, -1e30};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(hk_value_convert(HK_STORE_I32, &i32, HK_STORE_F64, &bad[i], 1));
    float small;
    double huge = 1e300;
    assert_false(hk_value_convert(HK_STORE_F32, &small, HK_STORE_F64, &huge, 1));
    hk_bytes text = {"x", 1};
    assert_false(hk_value_convert(HK_STORE_F64, &real, HK_STORE_BYTES, &text, 1));
    int16_t many[3] = {1, 2, 3};
    double reals[3];
    assert_true(hk_value_convert(HK_STORE_F64, reals, HK_STORE_I16, many, 3));
    assert_true(reals[2] == 3);
}

static bool is_text(const char *bytes, size_t size) {
    return hk_bytes_are_text((hk_bytes){bytes, size});
}

static void test_text(void **state) {
    (void)state;
    static const char *const good[] = {"",
                                       "a",
                                       "gr\xC3\xBC\xC3\x9F",
                                       "\xE2\x82\xAC",
                                       "\xED\x9F\xBF",
                                       "\xF0\x90\x80\x80",
                                       "\xF4\x8F\xBF\xBF"};
    static const char *const bad[] = {
        "\x80",         "\xC0\xAF",         "\xC3",     "\xC3(", "\xE0\x9F\x80",
        "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "a\xFF"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(is_text(good[i], strlen(good[i])));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(is_text(bad[i], strlen(bad[i])));
    assert_false(is_text("a\0b", 3));
    assert_true(is_text(NULL, 0));
}

static void test_connectable(void **state) {
    (void)state;
    assert_true(hk_type_connectable(HK_TYPE_F64, HK_TYPE_I32));
    assert_true(hk_type_connectable(HK_TYPE_BOOL, HK_TYPE_F32));
    assert_true(hk_type_connectable(HK_TYPE_STRING, HK_TYPE_STRING));
    assert_false(hk_type_connectable(HK_TYPE_STRING, HK_TYPE_F64));
    assert_true(hk_type_connectable(HK_TYPE_BINARY, HK_TYPE_STRING));
    assert_false(hk_type_connectable(HK_TYPE_BINARY, HK_TYPE_U8));
    assert_false(hk_type_connectable(HK_TYPE_F64, HK_TYPE_CLOCK));
}

static void test_settable(void **state) {
    (void)state;
    hk_variable v = {.causality = HK_PARAMETER, .variability = HK_FIXED, .initial = HK_EXACT};
    assert_true(hk_variable_settable(&v));
    v.variability = HK_CONSTANT;
    assert_false(hk_variable_settable(&v));
    v = (hk_variable){.causality = HK_INPUT, .variability = HK_CONTINUOUS};
    assert_true(hk_variable_settable(&v));
    v = (hk_variable){
        .causality = HK_OUTPUT, .variability = HK_CONTINUOUS, .initial = HK_CALCULATED};
    assert_false(hk_variable_settable(&v));
    v.initial = HK_APPROX;
    assert_true(hk_variable_settable(&v));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scalars),     cmocka_unit_test(test_lists_of_texts),
        cmocka_unit_test(test_refused),     cmocka_unit_test(test_arrays_and_texts),
        cmocka_unit_test(test_format),      cmocka_unit_test(test_convert),
        cmocka_unit_test(test_connectable), cmocka_unit_test(test_text),
        cmocka_unit_test(test_settable),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

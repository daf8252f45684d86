/* SPDX-License-Identifier: MIT */
#include "base/buffer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

typedef struct inner {
    size_t count;
    bool known;
} inner;

typedef struct thing {
    const char *name, *none;
    int64_t below;
    int small;
    hk_severity severity;
    bool yes, no;
    double real;
    inner in;
    hk_where where;
    int left_out;
} thing;

#define THING(member) HK_BUFFER_FIELD(thing, member)
static const hk_buffer_field fields[] = {
    THING(name), THING(none), THING(below), THING(small),    THING(severity), THING(yes),
    THING(no),   THING(real), THING(where), THING(in.count), THING(in.known)};

static const thing sent = {.name = "a name",
                           .below = INT64_MIN,
                           .small = -3,
                           .severity = HK_NOTE,
                           .yes = true,
                           .real = 0.1,
                           .in = {.count = SIZE_MAX, .known = true},
                           .where = {.file = "x.system", .line = 4, .column = 7},
                           .left_out = 5};

static void comes_back(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    hk_buffer b = {0};
    thing got = {.none = "else", .no = true, .left_out = 9};
    hk_buffer_struct(&b, HK_BUFFER_FIELDS(fields), &sent);
    hk_buffer_source s = {arena, b.data, b.size, true};
    hk_source_struct(&s, HK_BUFFER_FIELDS(fields), &got);
    assert_true(s.good);
    assert_int_equal(s.left, 0);
    assert_string_equal(got.name, "a name");
    assert_null(got.none);
    assert_true(got.below == INT64_MIN && got.small == -3 && got.severity == HK_NOTE);
    assert_true(got.yes && !got.no && got.real == 0.1);
    assert_true(got.in.count == SIZE_MAX && got.in.known);
    assert_string_equal(got.where.file, "x.system");
    assert_null(got.where.element);
    assert_true(got.where.line == 4 && got.where.column == 7);
    assert_int_equal(got.left_out, 9);
    hk_free(b.data);
    hk_arena_destroy(arena);
}

/* Whatever is cut off, nothing behind it is read, and what is missing is zero. */
static void cut_off(void **state) {
    (void)state;
    hk_arena *arena = hk_arena_create();
    hk_buffer b = {0};
    hk_buffer_struct(&b, HK_BUFFER_FIELDS(fields), &sent);
    for (size_t size = 0; size < b.size; size++) {
        char *part = hk_alloc(size + 1); /* its end is where a sanitizer looks */
        memcpy(part, b.data, size);
        thing got = {.in = {.known = true}};
        hk_buffer_source s = {arena, part, size, true};
        hk_source_struct(&s, HK_BUFFER_FIELDS(fields), &got);
        assert_false(s.good);
        assert_false(got.in.known);
        hk_free(part);
    }
    hk_free(b.data);
    hk_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_back),
        cmocka_unit_test(cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

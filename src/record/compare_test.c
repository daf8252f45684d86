/* SPDX-License-Identifier: MIT */
#include "record/compare.h"

#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

typedef struct fixture {
    hk_ctx *ctx;
    hk_arena *arena;
    const char *folder, *paths[2];
} fixture;

static int setup(void **state) {
    fixture *f = hk_alloc(sizeof *f);
    f->ctx = hk_ctx_create(NULL, NULL);
    f->arena = hk_arena_create();
    *state = f;
    if (hk_folder_temporary(f->ctx, f->arena, &f->folder) != HK_OK)
        return -1;
    f->paths[0] = hk_path_join(f->arena, f->folder, "a.csv");
    f->paths[1] = hk_path_join(f->arena, f->folder, "b.csv");
    return 0;
}

static int teardown(void **state) {
    fixture *f = *state;
    hk_folder_remove(f->folder);
    hk_arena_destroy(f->arena);
    hk_ctx_destroy(f->ctx);
    hk_free(f);
    return 0;
}

static void write_both(fixture *f, const char *a, const char *b) {
    assert_int_equal(hk_file_write(f->ctx, f->paths[0], a, strlen(a)), HK_OK);
    assert_int_equal(hk_file_write(f->ctx, f->paths[1], b, strlen(b)), HK_OK);
}

static const hk_comparison *compare(fixture *f, const hk_compare_options *options, const char *a,
                                    const char *b) {
    const hk_compare_options none = {0};
    const hk_comparison *c = NULL;
    write_both(f, a, b);
    if (hk_records_compare(f->ctx, f->arena, f->paths, options ? options : &none, &c) != HK_OK)
        fail_msg("refused: %s", hk_ctx_diag(f->ctx, hk_ctx_count(f->ctx, HK_NOTE) - 1)->text);
    return c;
}

static hk_status refusal(fixture *f, const hk_compare_options *options, const char *a,
                         const char *b) {
    const hk_comparison *c = NULL;
    size_t before = hk_ctx_count(f->ctx, HK_ERROR);
    write_both(f, a, b);
    hk_status status = hk_records_compare(f->ctx, f->arena, f->paths, options, &c);
    assert_null(c);
    assert_int_equal(hk_ctx_count(f->ctx, HK_ERROR), before + 1);
    return status;
}

static void equal_ways_of_writing(void **state) {
    static const struct {
        const char *a, *b;
    } same[] = {{"0.1", "1e-1"}, {"nan", "NaN"},
                {"-0", "0"},     {"true", "1"},
                {"0", "false"},  {"a,b", "a,b"},
                {"", ""},        {"18446744073709551615", "18446744073709551615"}};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        const char *a = hk_arena_printf(((fixture *)*state)->arena, "time;u\n0;%s\n", same[i].a);
        const char *b = hk_arena_printf(((fixture *)*state)->arena, "time;u\n0;%s\n", same[i].b);
        if (!compare(*state, NULL, a, b)->equal)
            fail_msg("'%s' and '%s' are not equal", same[i].a, same[i].b);
    }
}

static void different_values(void **state) {
    static const struct {
        const char *a, *b;
        double difference;
    } cases[] = {{"1", "1.0000000000000002", 0x1p-52},
                 {"nan", "1", (double)INFINITY},
                 {"inf", "-inf", (double)INFINITY},
                 {"inf", "1", (double)INFINITY},
                 {"word", "1", (double)INFINITY},
                 {"word", "Word", (double)INFINITY},
                 {"9007199254740993", "9007199254740992", 1},
                 {"-9223372036854775808", "-9223372036854775807", 1},
                 {"18446744073709551615", "18446744073709551613", 2}};
    fixture *f = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const hk_comparison *c =
            compare(f, NULL, hk_arena_printf(f->arena, "time,u\n0,0\n1,%s\n", cases[i].a),
                    hk_arena_printf(f->arena, "time,u\n0,0\n1,%s\n", cases[i].b));
        assert_false(c->equal);
        assert_int_equal(c->worst_count, 1);
        assert_ptr_equal(c->earliest, c->worst[0]);
        const hk_point *first = &c->earliest->first;
        assert_true(first->time == 1 && first->difference == cases[i].difference);
        assert_int_equal(first->lines[0], 3);
        assert_int_equal(first->row, 2);
        assert_string_equal(first->values[0], cases[i].a);
        assert_string_equal(first->values[1], cases[i].b);
        assert_int_equal(c->earliest->compared, 2);
        assert_int_equal(c->earliest->different, 1);
    }
}

/* Bytes and texts that read as the same number; with quotes around all cells they are numbers. */
static void quoted_is_text(void **state) {
    fixture *f = *state;
    const hk_compare_options wide = {.tolerance = {1e300, 1e300}};
    assert_false(compare(f, NULL, "time,u\n0,\"0012\"\n", "time,u\n0,\"12\"\n")->equal);
    assert_false(compare(f, &wide, "time,u\n0,\"1e05\"\n", "time,u\n0,\"100000\"\n")->equal);
    assert_true(compare(f, NULL, "time,u\n0,\"1.0\"\n", "time,u\n0,1.0\n")->equal);
    assert_true(compare(f, NULL, "time,u\n0,\"1.0\"\n", "time,u\n0,\"1.0\"\n")->equal);
    assert_true(compare(f, NULL, "time,u\n\"0\",\"1.0\"\n", "time,u\n0,1\n")->equal);
}

/* Not even the largest tolerance makes these equal. */
static void tolerance_forgives_no_nan(void **state) {
    const hk_compare_options wide = {.tolerance = {1e300, 1e300}};
    static const char *const values[] = {"nan", "inf", "text"};
    fixture *f = *state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        assert_false(compare(f, &wide, "time,u\n0,1\n",
                             hk_arena_printf(f->arena, "time,u\n0,%s\n", values[i]))
                         ->equal);
    assert_true(compare(f, &wide, "time,u\n0,1\n", "time,u\n0,-1e200\n")->equal);
}

static void bits(void **state) {
    const hk_compare_options exact = {.bits = true};
    assert_false(compare(*state, &exact, "time,u\n0,-0\n", "time,u\n0,0\n")->equal);
    assert_true(compare(*state, &exact, "time,u\n0,nan\n", "time,u\n0,NAN\n")->equal);
    assert_true(compare(*state, &exact, "time,u\n0,1\n", "time,u\n0,1.0\n")->equal);
}

static void tolerances(void **state) {
    static const char a[] = "time,u.x,v.x\n0,100,0\n1,200,1\n", b[] = "time,u.x,v.x\n0,101,0.5\n"
                                                                      "1,200,1\n";
    struct hk_tolerance_for special[] = {{"*", {0, 0}}, {"v.*", {0.5, 0}}};
    hk_compare_options o = {.tolerance = {1, 0}};
    assert_true(compare(*state, &o, a, b)->equal);
    o.tolerance = (hk_tolerance){0.99, 0};
    assert_int_equal(compare(*state, &o, a, b)->worst_count, 1);
    o.tolerance = (hk_tolerance){0, 0.0100};
    assert_int_equal(compare(*state, &o, a, b)->worst_count, 1); /* 0 against 0.5 */
    o.tolerances = special;
    o.tolerance_count = 2;
    const hk_comparison *c = compare(*state, &o, a, b);
    assert_int_equal(c->worst_count,
                     1); /* the last pattern that matches counts, for u.x exactly 0 */
    assert_string_equal(c->worst[0]->names[0], "u.x");
    special[0].tolerance.absolute = 1;
    c = compare(*state, &o, a, b);
    assert_true(c->equal);
    assert_true(c->signals[0].max_absolute == 1 && c->signals[1].max_relative == 1);
    assert_true(c->signals[0].rms == sqrt(0.5));
}

static void worst_signals(void **state) {
    const hk_comparison *c = compare(*state, NULL, "time,a,b,c,d\n0,1,1000,0,5\n1,1,1000,0,5\n",
                                     "time,a,b,c,d\n0,1,1001,0,5\n1,1.5,1000,nan,5\n");
    assert_int_equal(c->worst_count, 3);
    assert_string_equal(c->worst[0]->names[0], "c");
    assert_string_equal(c->worst[1]->names[0], "a");
    assert_string_equal(c->worst[2]->names[0], "b");
    assert_string_equal(c->earliest->names[0], "b");
    assert_true(c->worst[1]->worst.time == 1 && c->worst[1]->max_absolute == 0.5);
    /* With a relative tolerance the worst place is the one furthest beyond it. */
    const hk_compare_options relative = {.tolerance = {0, 1e-3}};
    c = compare(*state, &relative, "time,a\n0,1000\n1,1\n", "time,a\n0,1010\n1,2\n");
    assert_true(c->worst[0]->worst.time == 1 && c->worst[0]->max_absolute == 10);
    /* Large differences do not overflow. */
    c = compare(*state, NULL, "time,a\n0,1e300\n1,0\n", "time,a\n0,-1e300\n1,0\n");
    assert_true(fabs(c->worst[0]->rms / 1e300 - sqrt(2)) < 1e-15);
}

static void signals_of_one_record(void **state) {
    static const char a[] = "time,u,v,w\n0,1,2,3\n", b[] = "time,w,x,U\n0,3,2,1\n";
    const hk_comparison *c = compare(*state, NULL, a, b);
    assert_false(c->equal);
    assert_int_equal(c->signal_count, 1);
    assert_int_equal(c->worst_count, 0);
    assert_int_equal(c->only_in_count[0], 2);
    assert_string_equal(c->only_in[0][1], "v");
    assert_int_equal(c->only_in_count[1], 2);
    assert_string_equal(c->only_in[1][0], "x");
    assert_true(compare(*state, &(hk_compare_options){.common = true}, a, b)->equal);
    const struct hk_renamed renamed[] = {{"u", "U"}, {"v", "x"}};
    c = compare(*state, &(hk_compare_options){.renamed = renamed, .renamed_count = 2}, a, b);
    assert_true(c->equal);
    assert_int_equal(c->signal_count, 3);
    const char *only[] = {"w", "?"}, *ignore[] = {"x", "U", "v", "none"};
    assert_true(compare(*state, &(hk_compare_options){.only = {only, 1}}, a, b)->equal);
    c = compare(*state, &(hk_compare_options){.only = {only, 2}, .ignore = {ignore, 4}}, a, b);
    assert_int_equal(c->only_in_count[0], 1);
    assert_int_equal(c->only_in_count[1], 0);
    /* Nothing in common is not the same as nothing different. */
    assert_false(compare(*state, &(hk_compare_options){.common = true}, a, "time,z\n0,1\n")->equal);
    assert_true(compare(*state, NULL, "time\n0\n", "t\n0\n")->equal);
}

static void refuses(void **state) {
    static const char a[] = "time,u,v\n0,1,2\n";
    const char *wrong[] = {"w*"};
    const struct hk_renamed renamed[] = {{"u", "w"}};
    const struct hk_tolerance_for special[] = {{"w", {1, 1}}};
    const hk_compare_options none = {0};
    const hk_compare_options cases[] = {{.only = {wrong, 1}},
                                        {.renamed = renamed, .renamed_count = 1},
                                        {.tolerances = special, .tolerance_count = 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(refusal(*state, &cases[i], a, a), HK_E_UNKNOWN_SIGNAL);
    assert_int_equal(refusal(*state, &none, a, "time,u,u\n0,1,2\n"), HK_E_CSV);
    assert_int_equal(refusal(*state, &none, a, ""), HK_E_CSV);
    assert_int_equal(refusal(*state, &none, a, "time,u\n0,1\n1\n2,3\n"), HK_E_CSV);
    /* What comes after the difference must be readable, too. */
    assert_int_equal(refusal(*state, &none, "time,u\n0,1\n", "time,u\n5,1\n4,1\n"), HK_E_CSV);
    fixture *f = *state;
    const hk_compare_options between = {.times = HK_TIMES_BOTH};
    const char *fifo = hk_path_join(f->arena, f->folder, "pipe");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    f->paths[1] = fifo;
    const hk_comparison *c = NULL;
    assert_int_equal(hk_records_compare(f->ctx, f->arena, f->paths, &between, &c), HK_E_USAGE);
    f->paths[1] = hk_path_join(f->arena, f->folder, "none.csv");
    assert_int_equal(hk_records_compare(f->ctx, f->arena, f->paths, &between, &c), HK_E_FILE_READ);
}

static void grids(void **state) {
    const hk_comparison *c =
        compare(*state, NULL, "time,u\n0,1\n1,1\n1,2\n2,2\n", "time,u\n0,1\n1,1\n2,2\n3,2\n");
    assert_false(c->equal);
    assert_true(c->grids_differ && !c->earliest);
    assert_int_equal(c->points, 2);
    assert_true(c->grid[0].event && !c->grid[1].event);
    assert_true(c->grid[0].time == 1 && c->grid[1].time == 2);
    assert_int_equal(c->grid[0].line, 4);
    assert_int_equal(c->rows[1], 4);
    c = compare(*state, NULL, "time,u\n0,1\n1,1\n", "time,u\n0,1\n");
    assert_true(c->grids_differ && c->grid[1].ended && !c->grid[0].ended);
    assert_int_equal(c->rows[0], 2);
    const hk_compare_options shifted = {.time_tolerance = 0.0101};
    assert_true(compare(*state, &shifted, "time,u\n0,1\n1,3\n", "time,u\n0.01,1\n0.99,3\n")->equal);
    assert_false(compare(*state, NULL, "time,u\n0,1\n1,3\n", "time,u\n0.01,1\n0.99,3\n")->equal);
}

/* Before and after an event: rows of the same time belong together in pairs. */
static void events(void **state) {
    static const char a[] = "time,u\n0,0\n1,1\n1,5\n2,6\n";
    assert_true(compare(*state, NULL, a, a)->equal);
    const hk_comparison *c = compare(*state, NULL, a, "time,u\n0,0\n1,5\n1,5\n2,6\n");
    assert_int_equal(c->earliest->different, 1);
    assert_int_equal(c->earliest->first.lines[0], 3);
    const hk_compare_options between = {.times = HK_TIMES_BOTH};
    assert_true(
        compare(*state, &between, a, "time,u\n0,0\n0.5,0.5\n1,1\n1,5\n1.5,5.5\n2,6\n")->equal);
    c = compare(*state, &between, a, "time,u\n0,0\n0.5,0.5\n1,1\n2,6\n");
    assert_int_equal(c->earliest->different, 1); /* after the event */
    assert_string_equal(c->earliest->first.values[0], "5");
    assert_string_equal(c->earliest->first.values[1], "1");
}

static void interpolation(void **state) {
    static const char fine[] =
        "time,u,n,s\n0,0.5,0,a\n1,1.5,0,a\n2,2.5,4,b\n3,3.5,4,b\n4,4.5,8,c\n",
                      coarse[] = "time,u,n,s\n0,0.5,0,a\n2,2.5,4,b\n4,4.5,8,c\n";
    hk_compare_options o = {.times = HK_TIMES_BOTH};
    const hk_comparison *c = compare(*state, &o, fine, coarse);
    assert_true(c->equal);
    assert_int_equal(c->points, 5);
    assert_true(compare(*state, &o, coarse, fine)->equal);
    const char *n[] = {"n"}, *u[] = {"u"};
    o.linear = (hk_patterns){n, 1};
    c = compare(*state, &o, fine, coarse);
    assert_int_equal(c->worst_count, 1);
    assert_true(c->earliest->first.time == 1 && c->earliest->first.difference == 2);
    assert_int_equal(c->earliest->first.lines[0], 3);
    assert_int_equal(c->earliest->first.lines[1], 0);
    assert_string_equal(c->earliest->first.values[1], "2");
    o.times = HK_TIMES_SECOND;
    c = compare(*state, &o, fine, coarse);
    assert_true(c->equal);
    assert_int_equal(c->points, 3);
    o.times = HK_TIMES_FIRST;
    assert_false(compare(*state, &o, fine, coarse)->equal);
    o = (hk_compare_options){.times = HK_TIMES_FIRST, .hold = {u, 1}};
    c = compare(*state, &o, fine, coarse);
    assert_int_equal(c->worst_count, 1);
    assert_string_equal(c->worst[0]->names[0], "u");
}

static void spans(void **state) {
    static const char longer[] = "time,u\n0,0\n1,1\n2,2\n3,3\n", shorter[] = "time,u\n1,1\n2,2\n";
    hk_compare_options o = {.times = HK_TIMES_BOTH};
    const hk_comparison *c = compare(*state, &o, longer, shorter);
    assert_false(c->equal);
    assert_int_equal(c->outside, 2);
    assert_int_equal(c->worst_count, 0);
    o.times = HK_TIMES_SECOND;
    assert_true(compare(*state, &o, longer, shorter)->equal);
    o.times = HK_TIMES_BOTH;
    o.time_tolerance = 1e-9;
    assert_true(
        compare(*state, &o, "time,u\n0,0.5\n1,1\n", "time,u\n0,0.5\n0.9999999999,1\n")->equal);
}

typedef struct seen {
    size_t count;
    double sum;
} seen;

static void see(void *user, double time, double first, double second) {
    seen *s = user;
    s->count++;
    s->sum += time + 10 * first + (isnan(second) ? 100 : 0);
}

static void shows_points(void **state) {
    seen s = {0};
    const hk_compare_options o = {.on_point = see, .user = &s};
    compare(*state, &o, "time,u\n1,2\n3,4\n", "time,u\n1,x\n3,4\n");
    assert_int_equal(s.count, 2);
    assert_true(s.sum == 4 + 60 + 100);
}

/* Long texts are cut where a character ends, and rows longer than the reader's window are read. */
static void long_texts(void **state) {
    enum { LENGTH = 600000 };
    fixture *f = *state;
    char *a = hk_alloc(LENGTH + 32), *b = hk_alloc(LENGTH + 32);
    strcpy(a, "time,u\n0,\"");
    size_t begin = strlen(a);
    for (size_t i = 0; i < LENGTH; i += 2)
        memcpy(a + begin + i, i % 1000 ? "\xc3\xa4" : "\"\"", 2);
    strcpy(a + begin + LENGTH, "\"\n1,x\n");
    memcpy(b, a, LENGTH + 32);
    assert_true(compare(f, NULL, a, b)->equal);
    b[begin + LENGTH - 1] = '\xb6';
    const hk_comparison *c = compare(f, NULL, a, b);
    assert_false(c->equal);
    const char *shown = c->earliest->first.values[0];
    size_t length = strlen(shown);
    assert_true(length < HK_SHOWN_MAX && length > HK_SHOWN_MAX - 8);
    assert_string_equal(shown + length - 3, "...");
    assert_int_equal((unsigned char)shown[length - 4], 0xa4);
    hk_free(a);
    hk_free(b);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(equal_ways_of_writing),
        TEST(different_values),
        TEST(quoted_is_text),
        TEST(tolerance_forgives_no_nan),
        TEST(bits),
        TEST(tolerances),
        TEST(worst_signals),
        TEST(signals_of_one_record),
        TEST(refuses),
        TEST(grids),
        TEST(events),
        TEST(interpolation),
        TEST(spans),
        TEST(shows_points),
        TEST(long_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: MIT
 *
 * A reader that does not behave, in its own process. */
#include "format/table_apart.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <setjmp.h>

#include <cmocka.h>

enum { ROWS = 3000 };
static const char *names[] = {"off", ""};
static const int64_t values[] = {INT64_MIN, INT64_MAX};
static const size_t dims[] = {2, 3};
static const hk_table_column columns[] = {{.name = "time", .unit = "s"},
                                          {.name = "m[1,2]",
                                           .type = HK_TYPE_ENUM,
                                           .item_names = names,
                                           .item_values = values,
                                           .item_count = 2,
                                           .array = "m",
                                           .dims = dims,
                                           .dim_count = 2,
                                           .element = 1}};

static size_t next_row;
static hk_table_row row;
static hk_table_cell cells[2];

static hk_status open_fine(hk_ctx *ctx, const char *path, bool strict, void **ret_self) {
    hk_note(ctx, (hk_where){.file = path, .line = 7}, "a note, %s", strict ? "strict" : "not");
    next_row = 0;
    *ret_self = &next_row;
    return HK_OK;
}

static hk_status open_refused(hk_ctx *ctx, const char *path, bool strict, void **ret_self) {
    (void)strict;
    (void)ret_self;
    return hk_error(ctx, HK_E_CSV, (hk_where){.file = path}, "a hint", "it is empty");
}

static hk_status open_crash(hk_ctx *ctx, const char *path, bool strict, void **ret_self) {
    HK_TRY(open_fine(ctx, path, strict, ret_self));
    abort();
}

static const hk_table_column *columns_of(const void *self, size_t *ret_count) {
    (void)self;
    *ret_count = 2;
    return columns;
}

static size_t rows_of(const void *self) {
    (void)self;
    return SIZE_MAX / 4; /* a lie */
}

static hk_status next_fine(void *self, const hk_table_row **ret_row) {
    size_t *r = self;
    static char text[5000];
    memset(text, 'x', sizeof text);
    cells[0] = (hk_table_cell){.text = "1.5", .length = 3};
    cells[1] = (hk_table_cell){.text = text, .length = *r % sizeof text, .is_text = true};
    row = (hk_table_row){.time = (double)*r, .line = (int)*r + 1, .cells = cells};
    *ret_row = (*r)++ < ROWS ? &row : NULL;
    return HK_OK;
}

static hk_status next_crash(void *self, const hk_table_row **ret_row) {
    if (*(size_t *)self == 100)
        raise(SIGBUS);
    return next_fine(self, ret_row);
}

static hk_status next_leaves(void *self, const hk_table_row **ret_row) {
    if (*(size_t *)self == 100)
        _exit(0);
    return next_fine(self, ret_row);
}

static void nothing(void) {}

static hk_status read_all(hk_ctx *ctx, const hk_table_format *inside, size_t *ret_rows) {
    const hk_apart how = {inside, "libtest", nothing, nothing};
    void *self = NULL;
    const hk_table_row *r = NULL;
    size_t count = 0;
    *ret_rows = 0;
    HK_TRY(hk_apart_open(ctx, &how, "x.t", 100, true, &self));
    const hk_table_column *c = hk_apart_columns(self, &count);
    assert_int_equal(count, 2);
    assert_int_equal(c[1].item_values[0], INT64_MIN);
    assert_string_equal(c[1].item_names[1], "");
    assert_string_equal(c[1].array, "m");
    assert_int_equal(c[1].dims[1], 3);
    assert_null(c[1].unit);
    hk_status status;
    while ((status = hk_apart_next(self, &r)) == HK_OK && r) {
        assert_true(r->time == (double)*ret_rows);
        assert_int_equal(r->cells[1].length, *ret_rows % 5000);
        assert_true(r->cells[1].is_text && !r->cells[0].is_text);
        ++*ret_rows;
    }
    hk_apart_close(self);
    return status;
}

static void test_ways(void **state) {
    (void)state;
    static const struct {
        hk_table_format inside;
        hk_status status;
        size_t rows;
        const char *text;
    } ways[] = {
        {{.open = open_fine, .next = next_fine}, HK_OK, ROWS, "a note, strict"},
        {{.open = open_refused}, HK_E_CSV, 0, "it is empty"},
        {{.open = open_crash}, HK_E_FILE_READ, 0, "libtest ends by signal 6 when it reads it"},
        {{.open = open_fine, .next = next_crash}, HK_E_FILE_READ, 0, "ends by signal 7"},
        {{.open = open_fine, .next = next_leaves}, HK_E_FILE_READ, 0, "ends before all of it"},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        hk_table_format inside = ways[i].inside;
        size_t rows;
        hk_ctx *ctx = hk_ctx_create(NULL, NULL);
        inside.columns = columns_of;
        inside.rows = rows_of;
        assert_int_equal(read_all(ctx, &inside, &rows), ways[i].status);
        assert_int_equal(rows, ways[i].rows);
        size_t said = hk_ctx_count(ctx, HK_NOTE);
        assert_true(said > 0 && hk_ctx_count(ctx, HK_ERROR) == (ways[i].status != HK_OK));
        assert_non_null(strstr(hk_ctx_diag(ctx, said - 1)->text, ways[i].text));
        hk_ctx_destroy(ctx);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ways)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

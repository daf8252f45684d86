/* SPDX-License-Identifier: MIT */
#include "format/csv.h"

#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct fixture {
    hk_ctx *ctx;
    hk_arena *arena;
} fixture;

static int setup(void **state) {
    fixture *f = hk_alloc(sizeof *f);
    f->ctx = hk_ctx_create(NULL, NULL);
    f->arena = hk_arena_create();
    *state = f;
    return 0;
}

static int teardown(void **state) {
    fixture *f = *state;
    hk_arena_destroy(f->arena);
    hk_ctx_destroy(f->ctx);
    hk_free(f);
    return 0;
}

static const hk_table *parse(fixture *f, const char *text) {
    const hk_table *table = NULL;
    if (hk_csv_parse(f->ctx, f->arena, "t.csv", text, strlen(text), &table) != HK_OK)
        fail_msg("refused: %s", hk_ctx_diag(f->ctx, 0)->text);
    return table;
}

static void reads_tables(void **state) {
    const hk_table *t =
        parse(*state, "time,a.x,\"b,\"\"y\"\"\"\n0,1,-2.5\n0.1,1e-3,true\n0.1,nan,word");
    assert_int_equal(t->columns, 3);
    assert_int_equal(t->rows, 3);
    assert_string_equal(t->names[1], "a.x");
    assert_string_equal(t->names[2], "b,\"y\"");
    assert_true(t->values[0][1] == 0.1 && t->values[0][2] == 0.1);
    assert_true(t->values[1][1] == 0.001 && isnan(t->values[1][2]));
    assert_true(t->values[2][0] == -2.5 && t->values[2][1] == 1 && isnan(t->values[2][2]));
    assert_int_equal(hk_table_find(t, "a.x"), 1);
    assert_int_equal(hk_table_find(t, "none"), -1);
}

static void reads_dialects(void **state) {
    static const char *const texts[] = {"\xef\xbb\xbf\"time\",\"u\"\r\n0,1\r\n1,2\r\n",
                                        "time;u\n0;1\n1;2\n",
                                        "t\tu\n0\t1\n1\t2",
                                        "time, u\n0, 1\n\n  \n1, 2\n\n",
                                        "time,u\r0,1\r1,2\r",
                                        "\n\ntime,u\n\"0\",\"1\"\n \"1\" , \"2\" \n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const hk_table *t = parse(*state, texts[i]);
        assert_int_equal(t->columns, 2);
        assert_int_equal(t->rows, 2);
        assert_string_equal(t->names[1], "u");
        assert_true(t->values[0][1] == 1 && t->values[1][0] == 1 && t->values[1][1] == 2);
    }
    assert_true(isnan(parse(*state, "time,u\n0,\"1\"\n")->values[1][0])); /* text */
    assert_int_equal(parse(*state, "time,u\n")->rows, 0);
    assert_int_equal(parse(*state, "time\n1\n2\n3")->rows, 3);
}

static void refuses(void **state) {
    fixture *f = *state;
    static const struct {
        const char *text;
        int line;
        const char *word;
    } cases[] = {{"", 0, "empty"},
                 {"\n \n", 0, "empty"},
                 {"0,1\n1,2\n", 1, "no header"},
                 {"time,u\n0,1\n1\n", 3, "1 cell, "},
                 {"time,u\n0,1,2\n", 2, "3 cells"},
                 {"time,u\n1,0\n\n0.5,0\n", 4, "goes back"},
                 {"time,u\nx,0\n", 2, "not a finite"},
                 {"time,u\ninf,0\n", 2, "not a finite"},
                 {"time,u\n0,\"1\n2,3\n", 2, "does not end"},
                 {"time,\"u\nv\"\n0,1\n0,\"1\"2\n", 4, "closing quote"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t before = hk_ctx_count(f->ctx, HK_ERROR);
        const hk_table *table = NULL;
        assert_int_equal(
            hk_csv_parse(f->ctx, f->arena, "t.csv", cases[i].text, strlen(cases[i].text), &table),
            HK_E_CSV);
        assert_null(table);
        assert_int_equal(hk_ctx_count(f->ctx, HK_ERROR), before + 1);
        const hk_diag *diag = hk_ctx_diag(f->ctx, before);
        assert_int_equal(diag->where.line, cases[i].line);
        assert_non_null(diag->hint);
        if (!strstr(diag->text, cases[i].word))
            fail_msg("'%s' does not say '%s'", diag->text, cases[i].word);
    }
}

/* A long header and many short rows must not multiply: 10^5 columns times 10^5 rows. */
static void memory_is_bounded(void **state) {
    fixture *f = *state;
    enum { COUNT = 100000 };
    char *text = hk_alloc(4 * COUNT + 1);
    memset(text, ',', COUNT);
    text[0] = 't';
    for (size_t i = 0; i < COUNT; i++)
        memcpy(text + COUNT + 2 * i, "\n0", 2);
    const hk_table *table = NULL;
    assert_int_equal(hk_csv_parse(f->ctx, f->arena, "t.csv", text, strlen(text), &table), HK_E_CSV);
    hk_free(text);
}

static void reads_files(void **state) {
    fixture *f = *state;
    const char *folder;
    assert_int_equal(hk_folder_temporary(f->ctx, f->arena, &folder), HK_OK);
    const char *path = hk_path_join(f->arena, folder, "in.csv");
    assert_int_equal(hk_file_write(f->ctx, path, "time,u\n0,5\n", 11), HK_OK);
    const hk_table *table = NULL;
    assert_int_equal(hk_csv_read(f->ctx, f->arena, path, &table), HK_OK);
    assert_true(table->values[1][0] == 5);
    hk_folder_remove(folder);
    assert_int_equal(hk_csv_read(f->ctx, f->arena, path, &table), HK_E_FILE_READ);
}

/* A run that was killed leaves such a table; only the end may be torn. */
static void leaves_out_a_torn_line(void **state) {
    fixture *f = *state;
    static const char *const torn[] = {"time,u,v\n0,1,2\n1,2,3\n2,4", "time,u,v\n0,1,2\n1,2,3\n2",
                                       "time,u,v\r\n0,1,2\r\n1,2,3\r\n2,"};
    for (size_t i = 0; i < sizeof torn / sizeof *torn; i++) {
        const hk_table *t = parse(f, torn[i]);
        assert_int_equal(t->rows, 2);
        assert_true(t->values[2][1] == 3);
        assert_int_equal(t->lines[1], 3);
        assert_int_equal(hk_ctx_count(f->ctx, HK_WARNING), i + 1);
        assert_int_equal(hk_ctx_diag(f->ctx, i)->where.line, 4);
    }
    const hk_table *whole = parse(f, "time,u,v\n0,1,2\n1,2,3");
    assert_int_equal(whole->rows, 2);
    assert_int_equal(hk_ctx_count(f->ctx, HK_WARNING), 3);
}

/* Row by row a table is the same as at once, whatever falls on the border of the reader's window.
 */
static void reads_row_by_row(void **state) {
    enum { ROWS = 40000 };
    fixture *f = *state;
    const char *folder;
    assert_int_equal(hk_folder_temporary(f->ctx, f->arena, &folder), HK_OK);
    const char *path = hk_path_join(f->arena, folder, "in.csv");
    char *text = hk_alloc(ROWS * 48 + 64);
    size_t size = (size_t)sprintf(text, "\xef\xbb\xbftime,\"a\nb\",c\r\n");
    for (int i = 0; i < ROWS; i++)
        size +=
            (size_t)sprintf(text + size, i % 3 ? "%d,\"%d\"\"\r\nz\",%d\r\n" : "\n  \n%d, %d ,%d\n",
                            i, i * 7, i % 5);
    assert_int_equal(hk_file_write(f->ctx, path, text, size), HK_OK);
    const hk_table *table = NULL;
    assert_int_equal(hk_csv_parse(f->ctx, f->arena, path, text, size, &table), HK_OK);
    assert_int_equal(table->rows, ROWS);
    hk_csv *csv = NULL;
    const hk_table_row *row = NULL;
    assert_int_equal(hk_csv_open(f->ctx, path, &csv), HK_OK);
    assert_int_equal(hk_csv_columns(csv), 3);
    assert_string_equal(hk_csv_names(csv)[1], "a\nb");
    for (int i = 0; i < ROWS; i++) {
        char expected[32];
        assert_int_equal(hk_csv_next(csv, &row), HK_OK);
        assert_non_null(row);
        assert_true(row->time == i && row->line == table->lines[i]);
        int length = sprintf(expected, i % 3 ? "%d\"\r\nz" : "%d", i * 7);
        assert_int_equal(row->cells[1].length, length);
        assert_memory_equal(row->cells[1].text, expected, (size_t)length);
        assert_int_equal(row->cells[2].length, 1);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(hk_csv_next(csv, &row), HK_OK);
        assert_null(row);
    }
    hk_csv_close(csv);
    assert_int_equal(hk_csv_open(f->ctx, folder, &csv), HK_E_FILE_READ);
    hk_folder_remove(folder);
    assert_int_equal(hk_csv_open(f->ctx, path, &csv), HK_E_FILE_READ);
    hk_free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(reads_tables, setup, teardown),
        cmocka_unit_test_setup_teardown(reads_dialects, setup, teardown),
        cmocka_unit_test_setup_teardown(refuses, setup, teardown),
        cmocka_unit_test_setup_teardown(leaves_out_a_torn_line, setup, teardown),
        cmocka_unit_test_setup_teardown(memory_is_bounded, setup, teardown),
        cmocka_unit_test_setup_teardown(reads_files, setup, teardown),
        cmocka_unit_test_setup_teardown(reads_row_by_row, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

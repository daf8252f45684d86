/* SPDX-License-Identifier: MIT
 *
 * Tables: what is accepted has times that never go back, and is the same table again after it was
 * written out and read back. */
#include "fuzz.h"

#include "base/number.h"
#include "format/csv.h"
#include "format/escape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In quotes \xHH is a byte; outside of them it is these four characters. */
static void put_name(FILE *out, const char *name) {
    size_t length = strlen(name);
    char *escaped = hk_alloc(hk_escaped_size(name, length) + 1);
    length = hk_escape(name, length, escaped);
    fputc('"', out);
    for (size_t i = 0; i < length; i++) {
        if (escaped[i] == '"')
            fputc('"', out);
        fputc(escaped[i], out);
    }
    fputc('"', out);
    hk_free(escaped);
}

static void print_table(FILE *out, const hk_table *table) {
    for (size_t i = 0; i < table->columns; i++) {
        put_name(out, table->names[i]);
        fputc(i + 1 < table->columns ? ',' : '\n', out);
    }
    for (size_t row = 0; row < table->rows; row++)
        for (size_t i = 0; i < table->columns; i++) {
            char number[HK_NUMBER_MAX];
            fwrite(number, 1, hk_write_f64(table->values[i][row], number), out);
            fputc(i + 1 < table->columns ? ',' : '\n', out);
        }
}

static bool same_number(double a, double b) {
    return isnan(a) ? isnan(b) : memcmp(&a, &b, sizeof a) == 0;
}

static void check_same(const hk_table *a, const hk_table *b) {
    HK_ASSERT(a->columns == b->columns && a->rows == b->rows);
    for (size_t i = 0; i < a->columns; i++) {
        HK_ASSERT(strcmp(a->names[i], b->names[i]) == 0);
        for (size_t row = 0; row < a->rows; row++)
            HK_ASSERT(same_number(a->values[i][row], b->values[i][row]));
    }
}

static void check_table(hk_ctx *ctx, hk_arena *arena, const hk_table *table) {
    char *text = NULL;
    size_t size = 0;
    const hk_table *again;
    HK_ASSERT(table->columns > 0);
    for (size_t row = 1; row < table->rows; row++)
        HK_ASSERT(table->values[0][row] >= table->values[0][row - 1]);
    for (size_t i = 0; i < table->columns; i++) {
        int found = hk_table_find(table, table->names[i]);
        HK_ASSERT(found >= 0 && (size_t)found <= i);
    }
    FILE *out = open_memstream(&text, &size);
    HK_ASSERT(out);
    print_table(out, table);
    HK_ASSERT(fclose(out) == 0);
    HK_ASSERT(hk_csv_parse(ctx, arena, "again.csv", text, size, &again) == HK_OK);
    check_same(table, again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    hk_arena *arena = hk_arena_create();
    const hk_table *table = NULL;
    hk_status status = hk_csv_parse(ctx, arena, "fuzz.csv", (const char *)data, size, &table);
    fuzz_check_diags(ctx, status, data, size);
    HK_ASSERT((status == HK_OK) == (table != NULL));
    if (table)
        check_table(ctx, arena, table);
    hk_arena_destroy(arena);
    hk_ctx_destroy(ctx);
    return 0;
}

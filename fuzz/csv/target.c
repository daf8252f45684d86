/* SPDX-License-Identifier: MIT
 *
 * Tables: what is accepted has times that never go back, and is the same table again after it was
 * written out and read back. */
#include "fuzz.h"

#include "base/number.h"
#include "format/csv.h"

#include <math.h>
#include <string.h>

typedef struct text {
    char *data;
    size_t count, cap;
} text;

static void put(text *t, char c) {
    HK_PUSH(t->data, t->count, t->cap, c);
}

static void put_name(text *t, const char *name) {
    put(t, '"');
    for (; *name; name++) {
        if (*name == '"')
            put(t, '"');
        put(t, *name);
    }
    put(t, '"');
}

static void print_table(text *t, const hk_table *table) {
    for (size_t i = 0; i < table->columns; i++) {
        put_name(t, table->names[i]);
        put(t, i + 1 < table->columns ? ',' : '\n');
    }
    for (size_t row = 0; row < table->rows; row++)
        for (size_t i = 0; i < table->columns; i++) {
            char number[HK_NUMBER_MAX];
            size_t length = hk_write_f64(table->values[i][row], number);
            for (size_t k = 0; k < length; k++)
                put(t, number[k]);
            put(t, i + 1 < table->columns ? ',' : '\n');
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
    text t = {0};
    const hk_table *again;
    HK_ASSERT(table->columns > 0);
    for (size_t row = 1; row < table->rows; row++)
        HK_ASSERT(table->values[0][row] >= table->values[0][row - 1]);
    for (size_t i = 0; i < table->columns; i++) {
        int found = hk_table_find(table, table->names[i]);
        HK_ASSERT(found >= 0 && (size_t)found <= i);
    }
    print_table(&t, table);
    HK_ASSERT(hk_csv_parse(ctx, arena, "again.csv", t.data, t.count, &again) == HK_OK);
    check_same(table, again);
    hk_free(t.data);
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

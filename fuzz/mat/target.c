/* SPDX-License-Identifier: MIT
 *
 * MAT-files: what is accepted has names, times that never go back, as many rows as it says, and
 * cells that are numbers. */
#include "fuzz.h"

#include "base/number.h"
#include "format/mat.h"

#include <math.h>
#include <string.h>

enum { ROWS_MAX = 1 << 16 }; /* constants may be many rows in a few bytes */

static hk_status read_rows(void *table, size_t columns) {
    double last = -INFINITY;
    size_t rows = 0;
    for (;; rows++) {
        const hk_table_row *row = NULL;
        HK_TRY(hk_mat_table.next(table, &row));
        if (!row || rows == ROWS_MAX)
            break;
        HK_ASSERT(isfinite(row->time) && row->time >= last);
        last = row->time;
        for (size_t i = 0; i < columns; i++) {
            double number;
            HK_ASSERT(hk_read_f64(row->cells[i].text, row->cells[i].length, &number));
        }
    }
    HK_ASSERT(rows == ROWS_MAX || rows == hk_mat_table.rows(table));
    return HK_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hk_ctx *ctx = hk_ctx_create(NULL, NULL);
    void *table = NULL;
    hk_status status = hk_mat_view(ctx, "fuzz.mat", (const char *)data, size, &table);
    HK_ASSERT((status == HK_OK) == (table != NULL));
    if (table) {
        size_t columns = 0;
        const hk_table_column *all = hk_mat_table.columns(table, &columns);
        HK_ASSERT(columns > 0);
        for (size_t i = 0; i < columns; i++)
            HK_ASSERT(all[i].name != NULL);
        status = read_rows(table, columns);
        hk_mat_table.close(table);
    }
    HK_ASSERT(status == HK_OK || hk_ctx_count(ctx, HK_ERROR) == 1);
    HK_ASSERT(status != HK_OK || hk_ctx_count(ctx, HK_ERROR) == 0);
    hk_ctx_destroy(ctx);
    return 0;
}

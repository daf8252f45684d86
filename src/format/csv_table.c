/* SPDX-License-Identifier: MIT
 *
 * CSV as one of the formats of tables: what its columns are is beside it. */
#include "format/csv.h"

typedef struct csv_table {
    hk_csv *csv;
    hk_arena *arena;
    hk_table_column *columns;
} csv_table;

static hk_status table_open(hk_ctx *ctx, const char *path, bool strict, void **ret_self) {
    hk_csv *csv = NULL;
    HK_TRY(hk_csv_open(ctx, path, &csv));
    if (strict)
        hk_csv_be_strict(csv, true);
    size_t count = hk_csv_columns(csv);
    csv_table *self = hk_alloc(sizeof *self);
    self->csv = csv;
    self->arena = hk_arena_create();
    self->columns = HK_NEW_ARRAY(self->arena, hk_table_column, count);
    for (size_t i = 0; i < count; i++)
        self->columns[i] = (hk_table_column){.name = hk_csv_names(csv)[i],
                                             .line = hk_csv_name_place(csv, i).line,
                                             .column = hk_csv_name_place(csv, i).column,
                                             .type = HK_TYPE_COUNT};
    hk_table_beside(ctx, self->arena, path, self->columns, count);
    *ret_self = self;
    return HK_OK;
}

static void table_close(void *user) {
    csv_table *self = user;
    hk_csv_close(self->csv);
    hk_arena_destroy(self->arena);
    hk_free(self);
}

static hk_status table_next(void *user, const hk_table_row **ret_row) {
    return hk_csv_next(((csv_table *)user)->csv, ret_row);
}

static const hk_table_column *table_columns(const void *user, size_t *ret_count) {
    const csv_table *self = user;
    *ret_count = hk_csv_columns(self->csv);
    return self->columns;
}

const hk_table_format hk_csv_table = {.extensions = ".csv",
                                      .open = table_open,
                                      .close = table_close,
                                      .next = table_next,
                                      .columns = table_columns};

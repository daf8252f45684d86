/* SPDX-License-Identifier: MIT
 *
 * A table as a component, in three files: table.c runs it, table_cells.c reads its cells,
 * table_add.c describes it and joins its columns to what they drive. */
#ifndef HK_NATIVE_TABLE_INTERNAL_H
#define HK_NATIVE_TABLE_INTERNAL_H

#include "native/native_internal.h"

#include "format/table_read.h"
#include "model/address.h"

/* The cells of one column below each other, in the natural store of its type; those of real numbers
 * as doubles, which are interpolated. */
typedef struct hk_sheet_column {
    hk_type type;
    const hk_enum *enumeration;
    bool linear; /* interpolate, else hold */
    bool words;  /* so far all its cells are 'true' or 'false' */
    char *cells;
    size_t cell_size;
    size_t offset; /* of its value among those of all columns */
} hk_sheet_column;

typedef struct hk_sheet {
    double *times;
    size_t rows, cap;
    int first_line, last_line;
    hk_sheet_column *columns;
    size_t column_count, value_bytes;
    bool hold; /* every column, until its next row */
} hk_sheet;

typedef struct hk_sheet_origin {
    hk_info info;
    hk_sheet table;
} hk_sheet_origin;

/* What a column drives: a variable, or an input of a system that leads to several; then `at` is the
 * first of those. */
typedef struct hk_sheet_target {
    hk_address at;
    const hk_inlet *inlet; /* NULL: a variable */
} hk_sheet_target;

extern const hk_unit_class hk_table_class;

static inline bool hk_is_real(hk_type type) {
    return type == HK_TYPE_F64 || type == HK_TYPE_F32;
}

/* Types and sizes of the columns: those of what they drive (TARGETS, NULL: nothing yet), or as the
 * table itself says (ABOUT). */
void hk_sheet_shape(hk_model *model, hk_sheet *t, const hk_sheet_target *targets,
                    const hk_table_column *about);
HK_NODISCARD hk_status hk_sheet_read(hk_ctx *ctx, hk_model *model, const char *file,
                                     hk_table_reader *reader, hk_sheet *t);
hk_where hk_sheet_where(const hk_model *model, const char *file, const char *name);

#endif

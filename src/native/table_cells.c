/* SPDX-License-Identifier: MIT
 *
 * The cells of a table as values of its columns. */
#include "native/table_internal.h"

#include "base/number.h"
#include "format/csv.h"

#include <math.h>
#include <string.h>

/* The type of a column is that of its variable; what is changed on its way is a number before. */
static hk_type type_of(const hk_sheet_target *to, const hk_variable *v) {
    bool linear = false, map = false;
    for (const hk_branch *b = to->inlet ? to->inlet->branches : NULL; b; b = b->next) {
        linear |= b->transform.kind == HK_TRANSFORM_LINEAR;
        map |= b->transform.kind == HK_TRANSFORM_MAP;
    }
    return linear ? HK_TYPE_F64 : map ? HK_TYPE_I64 : v->type;
}

/* Columns that drive nothing yet are numbers. Those that say they are Booleans, whole numbers or
 * items of an enumeration are held: between two rows there is nothing they could be. */
void hk_sheet_shape(hk_model *model, hk_sheet *t, const hk_sheet_target *targets,
                    const hk_table_column *about) {
    for (size_t i = 0; i < t->column_count; i++) {
        const hk_variable *v = targets ? hk_address_variable(model, &targets[i].at) : NULL;
        hk_sheet_column *c = &t->columns[i];
        c->type = v ? type_of(&targets[i], v) : HK_TYPE_F64;
        c->enumeration = v && c->type == v->type ? v->enumeration : NULL;
        bool real = v ? v->variability == HK_CONTINUOUS
                      : about[i].type == HK_TYPE_COUNT || hk_is_real(about[i].type);
        c->linear = hk_is_real(c->type) && real && !t->hold;
        c->words = !v;
        c->cell_size = hk_store_size(hk_is_real(c->type) ? HK_STORE_F64 : hk_store_of(c->type));
        c->offset = t->value_bytes;
        t->value_bytes += (hk_store_size(hk_store_of(c->type)) + 7) / 8 * 8;
    }
}

/* A cell as a value of its column: numbers may be written as 'true' and 'false', and truth values
 * as numbers. */
static bool read_cell(hk_arena *arena, const hk_sheet_column *c, const char *text, void *to) {
    hk_value value;
    double number;
    bool truth;
    if (!hk_is_real(c->type) && hk_value_parse(arena, c->type, 1, c->enumeration, text, &value)) {
        memcpy(to, value.data, c->cell_size);
        return true;
    }
    hk_store store = hk_is_real(c->type) ? HK_STORE_F64 : hk_store_of(c->type);
    if (store == HK_STORE_BYTES)
        return false;
    if (!hk_read_f64(text, strlen(text), &number)) {
        if (!hk_read_bool(text, strlen(text), &truth))
            return false;
        number = truth;
    }
    return !isnan(number) && hk_value_convert(store, to, HK_STORE_F64, &number, 1);
}

/* The table, and room for what is read on the way to a cell. */
typedef struct reading {
    hk_ctx *ctx;
    hk_model *model;
    const char *file;
    hk_table_reader *reader;
    hk_arena *arena;
    size_t used;
    char *text;
    size_t cap;
} reading;

/* The cell AT of ROW, whose column is C. */
static hk_status wrong_cell(const reading *r, const hk_table_row *row, size_t at,
                            const hk_sheet_column *c, const char *text) {
    hk_ctx *ctx = r->ctx;
    hk_where where = hk_sheet_where(r->model, r->file, hk_table_names(r->reader)[at]);
    where.line = row->line;
    where.column = row->cells[at].column;
    if (!*text && c->type != HK_TYPE_BINARY)
        return hk_error(ctx, HK_E_CSV, where, "every row gives each column a value",
                        "the cell is empty");
    if (hk_is_real(c->type))
        return hk_error(ctx, HK_E_CSV, where,
                        hk_csv_has_decimal_comma(&row->cells[at])
                            ? HK_CSV_POINT_HINT
                            : "cells are numbers, 'true' or 'false'",
                        "the cell '%s' is not a number", text);
    const char *hint = "its cells are whole numbers, 'true' or 'false'";
    if (c->type == HK_TYPE_BOOL)
        hint = "its cells are 'true' or 'false', 1 or 0";
    else if (c->type == HK_TYPE_BINARY)
        hint = "write pairs of hexadecimal digits";
    else if (c->enumeration)
        hint = hk_enum_items(r->model->arena, c->enumeration);
    return hk_error(ctx, HK_E_CSV, where, hint, "the cell '%s' is not a value of type %s", text,
                    hk_type_name(c->type));
}

static void grow(hk_sheet *t) {
    t->cap = t->cap ? 2 * t->cap : 64;
    t->times = hk_realloc(t->times, t->cap * sizeof *t->times);
    for (size_t i = 0; i < t->column_count; i++)
        t->columns[i].cells = hk_realloc(t->columns[i].cells, t->cap * t->columns[i].cell_size);
}

static const char *cell_text(reading *s, const hk_table_cell *cell) {
    enum { RENEWED_AFTER = 4096 }; /* cells: an arena does not forget */
    if (!s->arena || s->used++ == RENEWED_AFTER) {
        hk_arena_destroy(s->arena);
        s->arena = hk_arena_create();
        s->used = 0;
    }
    if (cell->length + 1 > s->cap) {
        s->cap = 2 * cell->length + 64;
        s->text = hk_realloc(s->text, s->cap);
    }
    if (cell->length)
        memcpy(s->text, cell->text, cell->length);
    s->text[cell->length] = '\0';
    return s->text;
}

static hk_status read_row(reading *s, const hk_table_row *row, hk_sheet *t) {
    if (t->rows == t->cap)
        grow(t);
    t->times[t->rows] = row->time;
    for (size_t i = 0; i < t->column_count; i++) {
        hk_sheet_column *c = &t->columns[i];
        bool kept = c->type == HK_TYPE_STRING || c->type == HK_TYPE_BINARY;
        const char *text = cell_text(s, &row->cells[i + 1]);
        bool truth;
        c->words = c->words && !strpbrk(text, "01") && hk_read_bool(text, strlen(text), &truth);
        if (!read_cell(kept ? s->model->arena : s->arena, c, text,
                       c->cells + t->rows * c->cell_size))
            return wrong_cell(s, row, i + 1, c, text);
    }
    t->first_line = t->rows ? t->first_line : row->line;
    t->last_line = row->line;
    t->rows++;
    return HK_OK;
}

hk_status hk_sheet_read(hk_ctx *ctx, hk_model *model, const char *file, hk_table_reader *reader,
                        hk_sheet *t) {
    reading s = {.ctx = ctx, .model = model, .file = file, .reader = reader};
    const hk_table_row *row = NULL;
    hk_status status = hk_table_next(reader, &row);
    while (status == HK_OK && row) {
        status = read_row(&s, row, t);
        if (status == HK_OK)
            status = hk_table_next(reader, &row);
    }
    hk_arena_destroy(s.arena);
    hk_free(s.text);
    return status;
}

/* SPDX-License-Identifier: MIT */
#include "report/info_table.h"

#include "base/file.h"
#include "base/number.h"
#include "model/value.h"
#include "record/about.h"
#include "report/show.h"

#include <math.h>
#include <string.h>

/* --- numbers -----------------------------------------------------------------------------------*/

/* Two to the power of 53: beyond it not every whole number is a double. */
static const double exact_below = 9007199254740992.0;

static bool read_exact(const hk_table_cell *cell, hk_exact *ret_number) {
    int64_t i;
    uint64_t u;
    bool truth;
    *ret_number = (hk_exact){0};
    if (cell->is_text)
        return false;
    if (!hk_read_f64(cell->text, cell->length, &ret_number->real)) {
        bool read = hk_read_bool(cell->text, cell->length, &truth);
        ret_number->real = read && truth;
        return read;
    }
    if (!(fabs(ret_number->real) >= exact_below))
        return true;
    if (hk_read_u64(cell->text, cell->length, &u)) {
        ret_number->wide = true;
        ret_number->magnitude = u;
    } else if (hk_read_i64(cell->text, cell->length, &i) && i < 0) {
        ret_number->wide = ret_number->negative = true;
        ret_number->magnitude = -(uint64_t)i;
    }
    return true;
}

static bool is_less(const hk_exact *a, const hk_exact *b) {
    if (a->real < b->real || a->real > b->real || !a->wide || !b->wide)
        return a->real < b->real;
    if (a->negative != b->negative)
        return a->negative;
    return a->negative ? a->magnitude > b->magnitude : a->magnitude < b->magnitude;
}

const char *hk_show_exact(hk_arena *arena, const hk_exact *number) {
    return number->wide ? hk_arena_printf(arena, "%s%llu", number->negative ? "-" : "",
                                          (unsigned long long)number->magnitude)
                        : hk_show_f64(arena, number->real);
}

/* --- shapes ------------------------------------------------------------------------------------*/

enum { RANK_MAX = 16 };

/* "m[2,3]": "m", and 2 and 3; 0: it is not an element by its name. */
static size_t read_indices(const char *name, size_t ret_indices[RANK_MAX], size_t *ret_base) {
    const char *at = strrchr(name, '[');
    size_t rank = 0;
    if (!at || at == name)
        return 0;
    *ret_base = (size_t)(at - name);
    while (*at == '[' || *at == ',') {
        size_t length = strspn(++at, "0123456789");
        int64_t index;
        if (rank == RANK_MAX || !hk_read_i64(at, length, &index) || index < 1)
            return 0;
        ret_indices[rank++] = (size_t)index;
        at += length;
    }
    return strcmp(at, "]") == 0 ? rank : 0;
}

/* Formats without arrays have a column for each element, in order: the columns from FIRST on that
 * are all the elements of an array get its shape. Returns how many these are, at least 1. */
static size_t find_array(hk_arena *arena, hk_column_facts *first, size_t left) {
    size_t indices[RANK_MAX], base, count = 1, other;
    size_t rank = read_indices(first->about.name, indices, &base);
    for (size_t i = 0; i < rank; i++)
        if (indices[i] != 1)
            return 1;
    if (!rank)
        return 1;
    size_t *dims = HK_NEW_ARRAY(arena, size_t, RANK_MAX);
    while (count < left && read_indices(first[count].about.name, indices, &other) == rank &&
           other == base && strncmp(first->about.name, first[count].about.name, base) == 0)
        count++;
    (void)read_indices(first[count - 1].about.name, dims, &other);
    size_t product = 1;
    for (size_t i = 0; i < rank; i++)
        product = dims[i] && dims[i] <= count / product ? product * dims[i] : count + 1;
    bool whole = product == count;
    for (size_t k = 0; k < count && whole; k++) {
        size_t rest = k;
        (void)read_indices(first[k].about.name, indices, &other);
        for (size_t i = rank; i-- > 0; rest /= dims[i])
            whole = whole && indices[i] == rest % dims[i] + 1;
    }
    const char *array = hk_arena_strndup(arena, first->about.name, base);
    for (size_t k = 0; k < count && whole; k++) {
        first[k].array = array;
        first[k].dims = dims;
        first[k].dim_count = rank;
        first[k].element = k;
    }
    return count;
}

static void find_shapes(hk_arena *arena, hk_table_facts *facts) {
    for (size_t i = 1; i < facts->count;) {
        hk_column_facts *c = &facts->columns[i];
        if (c->about.array) {
            c->array = c->about.array;
            c->dims = c->about.dims;
            c->dim_count = c->about.dim_count;
            c->element = c->about.element;
            i++;
        } else {
            i += find_array(arena, c, facts->count - i);
        }
    }
}

/* --- the table ---------------------------------------------------------------------------------*/

static void take_cell(hk_column_facts *column, const hk_table_cell *cell) {
    hk_exact number;
    if (!read_exact(cell, &number)) {
        column->texts++;
        return;
    }
    if (isnan(number.real)) {
        column->nan++;
        return;
    }
    if (isnan(column->min.real) || is_less(&number, &column->min))
        column->min = number;
    if (isnan(column->max.real) || is_less(&column->max, &number))
        column->max = number;
}

static hk_status read_rows(hk_table_reader *reader, hk_table_facts *facts) {
    for (;; facts->rows++) {
        const hk_table_row *row = NULL;
        HK_TRY(hk_table_next(reader, &row));
        if (!row)
            return HK_OK;
        facts->first = facts->rows ? facts->first : row->time;
        facts->last = row->time;
        for (size_t i = 0; i < facts->count; i++)
            take_cell(&facts->columns[i], &row->cells[i]);
    }
}

hk_status hk_table_facts_read(hk_ctx *ctx, hk_arena *arena, const char *path,
                              hk_table_facts *ret_facts) {
    static const hk_exact none = {.real = (double)NAN};
    hk_table_reader *reader = NULL;
    hk_table_facts facts = {.first = (double)NAN, .last = (double)NAN};
    if (hk_file_exists(path) && !hk_file_is_regular(path)) /* to open a pipe is to wait for it */
        return hk_error(ctx, HK_E_FILE_READ, (hk_where){.file = path}, "name a file",
                        "it is not a regular file");
    HK_TRY(hk_table_open(ctx, path, &reader));
    const hk_table_column *about = hk_table_keep_columns(arena, reader);
    facts.count = hk_table_columns(reader);
    facts.columns = HK_NEW_ARRAY(arena, hk_column_facts, facts.count);
    for (size_t i = 0; i < facts.count; i++)
        facts.columns[i] = (hk_column_facts){.about = about[i], .min = none, .max = none};
    find_shapes(arena, &facts);
    facts.ended = hk_about_ended(arena, path);
    hk_status status = read_rows(reader, &facts);
    hk_table_close(reader);
    if (status == HK_OK)
        *ret_facts = facts;
    return status;
}

/* --- the answer --------------------------------------------------------------------------------*/

static void put_exact(hk_json *json, const char *key, const hk_exact *number) {
    if (!number->wide)
        hk_json_f64(json, key, number->real);
    else if (number->negative)
        hk_json_i64(json, key, (int64_t)-number->magnitude);
    else
        hk_json_u64(json, key, number->magnitude);
}

static void put_column(hk_json *json, const hk_column_facts *c) {
    const hk_table_column *about = &c->about;
    hk_json_object(json, NULL);
    hk_json_string(json, "name", about->name);
    put_exact(json, "min", &c->min);
    put_exact(json, "max", &c->max);
    hk_json_string(json, "type", about->type < HK_TYPE_COUNT ? hk_type_name(about->type) : NULL);
    hk_json_string(json, "unit", about->unit);
    hk_json_i64(json, "nan", (int64_t)c->nan);
    hk_json_i64(json, "texts", (int64_t)c->texts);
    if (c->array) {
        hk_json_string(json, "array", c->array);
        hk_json_array(json, "shape");
        for (size_t i = 0; i < c->dim_count; i++)
            hk_json_i64(json, NULL, (int64_t)c->dims[i]);
        hk_json_end(json);
        hk_json_i64(json, "element", (int64_t)c->element);
    }
    if (about->item_count) {
        HK_JSON_EACH(json, "items", i, about->item_count) {
            hk_json_string(json, "name", about->item_names[i]);
            hk_json_i64(json, "value", about->item_values[i]);
        }
    }
    hk_json_end(json);
}

hk_status hk_info_put_table(hk_report *report, const char *path) {
    hk_table_facts facts;
    hk_json json;
    HK_TRY(hk_table_facts_read(report->ctx, report->arena, path, &facts));
    hk_report_begin(report, &json, "info");
    hk_json_string(&json, "kind", "table");
    hk_json_string(&json, "file", path);
    hk_json_i64(&json, "rows", (int64_t)facts.rows);
    hk_json_f64(&json, "first_s", facts.first);
    hk_json_f64(&json, "last_s", facts.last);
    if (facts.ended)
        hk_json_string(&json, "ended", facts.ended);
    hk_json_array(&json, "columns");
    for (size_t i = 0; i < facts.count; i++)
        put_column(&json, &facts.columns[i]);
    hk_json_end(&json);
    hk_json_end(&json);
    return HK_OK;
}

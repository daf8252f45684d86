/* SPDX-License-Identifier: MIT */
#include "assembly/set_file.h"

#include "base/file.h"
#include "format/csv.h"
#include "format/json_read.h"
#include "ssp/ssp.h"

#include <string.h>
#include <strings.h>

#define BYTES_MAX ((size_t)256 << 20)

void hk_start_values_add(hk_arena *arena, hk_start_values *values, const hk_start_value *value) {
    if (values->count == values->cap) {
        size_t cap = values->cap ? 2 * values->cap : 16;
        hk_start_value *grown = HK_NEW_ARRAY(arena, hk_start_value, cap);
        if (values->count)
            memcpy(grown, values->all, values->count * sizeof *grown);
        values->all = grown;
        values->cap = cap;
    }
    values->all[values->count++] = *value;
}

/* ---- a parameter set ---- */

static hk_status read_ssv(hk_ctx *ctx, hk_arena *arena, const char *path, hk_start_values *values) {
    hk_ssp_value *found;
    size_t count;
    HK_TRY(hk_ssp_read_values(ctx, arena, path, &found, &count));
    for (size_t i = 0; i < count; i++) {
        const hk_ssp_value *v = &found[i];
        hk_start_value value = {.name = v->name,
                                .text = v->text,
                                .uom = v->uom,
                                .items = v->items,
                                .sizes = v->sizes,
                                .size_count = v->size_count,
                                .declared = v->size_count > 0,
                                .is_text = v->is_text,
                                .where = v->where};
        hk_start_values_add(arena, values, &value);
    }
    return HK_OK;
}

/* ---- a table ---- */

enum { NAME, VALUE, UNIT, COLUMNS };

static hk_status find_columns(hk_ctx *ctx, const char *path, const hk_csv *csv,
                              size_t at[static COLUMNS]) {
    static const char *const words[COLUMNS] = {"name", "value", "unit"};
    const char *const *names = hk_csv_names(csv);
    size_t count = hk_csv_columns(csv);
    for (size_t w = 0; w < COLUMNS; w++) {
        at[w] = SIZE_MAX;
        for (size_t i = 0; i < count; i++) {
            if (strcasecmp(names[i], words[w]) != 0)
                continue;
            hk_where where = hk_csv_name_place(csv, i);
            where.file = path;
            if (at[w] != SIZE_MAX)
                return hk_error(ctx, HK_E_CSV, where, "remove one of them",
                                "two columns are called '%s'", words[w]);
            at[w] = i;
        }
    }
    if (at[NAME] == SIZE_MAX || at[VALUE] == SIZE_MAX)
        return hk_error(ctx, HK_E_CSV, (hk_where){.file = path, .line = 1},
                        "the first row is name,value or name,value,unit",
                        "the table of start values has no column '%s'",
                        words[at[NAME] == SIZE_MAX ? NAME : VALUE]);
    for (size_t i = 0; i < count; i++)
        if (i != at[NAME] && i != at[VALUE] && i != at[UNIT])
            hk_note(ctx, (hk_where){.file = path, .line = 1}, "column '%s' is not used", names[i]);
    return HK_OK;
}

static const char *cell_text(hk_arena *arena, const hk_table_row *row, size_t column) {
    const hk_table_cell *cell = column == SIZE_MAX ? NULL : &row->cells[column];
    return cell ? hk_arena_strndup(arena, cell->text, cell->length) : "";
}

static hk_status read_row(hk_ctx *ctx, hk_arena *arena, const char *path, const hk_table_row *row,
                          const size_t at[static COLUMNS], hk_start_values *values) {
    const char *unit = cell_text(arena, row, at[UNIT]);
    hk_start_value value = {.name = cell_text(arena, row, at[NAME]),
                            .text = cell_text(arena, row, at[VALUE]),
                            .where = {.file = path, .line = row->line}};
    hk_where place = value.where;
    place.column = row->cells[at[NAME]].column;
    if (!*value.name)
        return hk_error(ctx, HK_E_CSV, place, NULL, "the row has no name");
    place.column = row->cells[at[VALUE]].column;
    if (!*value.text && !row->cells[at[VALUE]].is_text)
        return hk_error(ctx, HK_E_CSV, place, "write \"\" for an empty text", "'%s' has no value",
                        value.name);
    value.is_text = row->cells[at[VALUE]].is_text && !*unit;
    if (*unit)
        value.text = hk_arena_printf(arena, "%s %s", value.text, unit);
    hk_start_values_add(arena, values, &value);
    return HK_OK;
}

static hk_status read_csv(hk_ctx *ctx, hk_arena *arena, const char *path, hk_start_values *values) {
    hk_csv *csv = NULL;
    size_t at[COLUMNS];
    const hk_table_row *row = NULL;
    HK_TRY(hk_csv_open(ctx, path, &csv));
    hk_csv_be_strict(csv, false);
    hk_status status = find_columns(ctx, path, csv, at);
    while (status == HK_OK && (status = hk_csv_next(csv, &row)) == HK_OK && row)
        status = read_row(ctx, arena, path, row, at, values);
    hk_csv_close(csv);
    return status;
}

/* ---- JSON ---- */

typedef struct json_reader {
    hk_ctx *ctx;
    hk_arena *arena;
    const char *path;
    hk_start_values *values;
} json_reader;

static hk_where json_where(const json_reader *r, const hk_json_value *v) {
    return (hk_where){.file = r->path, .line = v->line, .column = v->column};
}

/* A single value as text; NULL: it is none. */
static const char *plain_text(const hk_json_value *v) {
    if (v->kind == HK_JSON_BOOL)
        return v->number != 0 ? "true" : "false";
    return v->kind == HK_JSON_NUMBER || v->kind == HK_JSON_STRING ? v->text : NULL;
}

static hk_status no_value(const json_reader *r, const hk_json_value *v, const char *name) {
    return hk_error(r->ctx, HK_E_VALUE, json_where(r, v),
                    "give a number, true, false, a text or an array of them",
                    "'%s' is given %s, which is not a value", name,
                    v->kind == HK_JSON_NULL     ? "null"
                    : v->kind == HK_JSON_OBJECT ? "an object inside an array"
                                                : "an empty array");
}

#define DEPTH_MAX 16 /* of arrays inside arrays */

typedef struct items {
    const char **texts;
    size_t count, cap;
    size_t sizes[DEPTH_MAX], depth; /* as the first of each depth has it; 0: it is not known yet */
} items;

static hk_status ragged(const json_reader *r, const hk_json_value *v, const char *name) {
    return hk_error(r->ctx, HK_E_VALUE, json_where(r, v),
                    "give all arrays of one depth the same number of elements",
                    "the arrays of '%s' are not alike", name);
}

/* The elements of an array and of those inside it, row after row. LEVEL arrays are around it. */
static hk_status gather(const json_reader *r, const hk_json_value *array, const char *name,
                        size_t level, items *all) {
    size_t size = 0;
    if (!array->first)
        return no_value(r, array, name);
    if (level == DEPTH_MAX)
        return hk_error(r->ctx, HK_E_VALUE, json_where(r, array), NULL,
                        "'%s' is given arrays that are more than %d deep", name, DEPTH_MAX);
    for (const hk_json_value *v = array->first; v; v = v->next, size++) {
        if (v->kind == HK_JSON_ARRAY) {
            if (all->depth == level + 1)
                return ragged(r, v, name);
            HK_TRY(gather(r, v, name, level + 1, all));
            continue;
        }
        if (!plain_text(v))
            return no_value(r, v, name);
        if (!all->depth)
            all->depth = level + 1;
        if (all->depth != level + 1)
            return ragged(r, v, name);
        HK_PUSH(all->texts, all->count, all->cap, plain_text(v));
    }
    if (all->sizes[level] && all->sizes[level] != size)
        return ragged(r, array, name);
    all->sizes[level] = size;
    return HK_OK;
}

static hk_status add_array(const json_reader *r, const hk_json_value *v, hk_start_value *value) {
    items all = {0};
    hk_status status = gather(r, v, value->name, 0, &all);
    if (status == HK_OK) {
        size_t *sizes = HK_NEW_ARRAY(r->arena, size_t, all.depth);
        memcpy(sizes, all.sizes, all.depth * sizeof *sizes);
        value->text = hk_value_list(r->arena, all.texts, all.count);
        value->items = all.count;
        value->sizes = sizes;
        value->size_count = all.depth;
    }
    hk_free(all.texts);
    return status;
}

static hk_status add_value(const json_reader *r, const hk_json_value *v, const char *name) {
    hk_start_value value = {.name = name,
                            .text = plain_text(v),
                            .is_text = v->kind == HK_JSON_STRING,
                            .where = json_where(r, v)};
    value.where.column = 0; /* the line is what a person looks for */
    if (v->kind == HK_JSON_STRING && strlen(v->text) != v->text_size)
        return hk_error(r->ctx, HK_E_VALUE, json_where(r, v), NULL,
                        "the text of '%s' holds a NUL character", name);
    if (v->kind == HK_JSON_ARRAY)
        HK_TRY(add_array(r, v, &value));
    if (!value.text)
        return no_value(r, v, name);
    hk_start_values_add(r->arena, r->values, &value);
    return HK_OK;
}

static hk_status add_members(const json_reader *r, const hk_json_value *object,
                             const char *prefix) {
    if (!object->first && *prefix)
        hk_warn(r->ctx, HK_E_VALUE, json_where(r, object), NULL,
                "the object '%s' is empty and gives no start values", prefix);
    for (const hk_json_value *v = object->first; v; v = v->next) {
        const char *name = *prefix ? hk_arena_printf(r->arena, "%s.%s", prefix, v->name) : v->name;
        HK_TRY(v->kind == HK_JSON_OBJECT ? add_members(r, v, name) : add_value(r, v, name));
    }
    return HK_OK;
}

static hk_status read_json(hk_ctx *ctx, hk_arena *arena, const char *path,
                           hk_start_values *values) {
    char *data;
    size_t size;
    hk_json_value *root = NULL;
    HK_TRY(hk_file_read(ctx, path, BYTES_MAX, &data, &size));
    hk_status status =
        hk_json_read(ctx, arena, HK_E_DUPLICATE, &(hk_file_text){path, data, size}, &root);
    hk_free(data);
    HK_TRY(status);
    json_reader r = {ctx, arena, path, values};
    if (root->kind != HK_JSON_OBJECT)
        return hk_error(
            ctx, HK_E_VALUE, json_where(&r, root),
            "write {\"component.variable\": 1.5} or {\"component\": {\"variable\": 1.5}}",
            "the start values are not an object of JSON");
    return add_members(&r, root, "");
}

/* ---- by extension ---- */

hk_status hk_set_file_read(hk_ctx *ctx, hk_arena *arena, const char *path,
                           hk_start_values *values) {
    static const struct {
        const char *extension;
        hk_status (*read)(hk_ctx *, hk_arena *, const char *, hk_start_values *);
    } kinds[] = {{".ssv", read_ssv}, {".csv", read_csv}, {".json", read_json}};
    const char *extension = hk_path_extension(path);
    size_t before = values->count, warned = hk_ctx_count(ctx, HK_WARNING);
    path = hk_arena_strdup(arena, path);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcasecmp(extension, kinds[i].extension) == 0) {
            HK_TRY(kinds[i].read(ctx, arena, path, values));
            values->file_count++;
            for (size_t v = before; v < values->count; v++)
                values->all[v].file = values->file_count;
            if (values->count == before && hk_ctx_count(ctx, HK_WARNING) == warned)
                hk_warn(ctx, HK_E_VALUE, (hk_where){.file = path}, NULL,
                        "the file gives no start values");
            return HK_OK;
        }
    return hk_error(ctx, HK_E_FILE_KIND, (hk_where){.file = path},
                    "name an .ssv, .csv or .json file", "'%s' is not a file of start values",
                    hk_path_name(path));
}

/* SPDX-License-Identifier: MIT
 *
 * What is beside a table, as the W3C's "CSV on the Web" has it: units, types and items of its
 * columns. A table is read with or without it. */
#include "base/file.h"
#include "base/map.h"
#include "base/number.h"
#include "format/json_read.h"
#include "format/table_read.h"

#include <string.h>

enum { BESIDE_MAX = 64 << 20 };

const char *hk_table_beside_path(hk_arena *arena, const char *path) {
    return hk_arena_printf(arena, "%s-metadata.json", path);
}

/* Only names that say how many bits there are: "integer" may be any of them. */
static hk_type type_of(const char *datatype) {
    static const struct {
        const char *name;
        hk_type type;
    } types[] = {
        {"double", HK_TYPE_F64},       {"float", HK_TYPE_F32},       {"byte", HK_TYPE_I8},
        {"unsignedByte", HK_TYPE_U8},  {"short", HK_TYPE_I16},       {"unsignedShort", HK_TYPE_U16},
        {"int", HK_TYPE_I32},          {"unsignedInt", HK_TYPE_U32}, {"long", HK_TYPE_I64},
        {"unsignedLong", HK_TYPE_U64}, {"boolean", HK_TYPE_BOOL},    {"string", HK_TYPE_STRING},
        {"hexBinary", HK_TYPE_BINARY}, {"number", HK_TYPE_F64}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, datatype) == 0)
            return types[i].type;
    return HK_TYPE_COUNT;
}

/* A text of its own, without NUL inside. */
static const char *text_of(const hk_json_value *object, const char *name) {
    const hk_json_value *member = hk_json_member(object, name);
    return member && member->kind == HK_JSON_STRING ? member->text : NULL;
}

static void take_items(hk_arena *arena, const hk_json_value *list, hk_table_column *column) {
    const char **names = HK_NEW_ARRAY(arena, const char *, list->count);
    int64_t *values = HK_NEW_ARRAY(arena, int64_t, list->count);
    size_t count = 0;
    for (const hk_json_value *v = list->first; v; v = v->next) {
        const char *name = text_of(v, "schema:name");
        const hk_json_value *value = hk_json_member(v, "schema:value");
        if (!name || !value || value->kind != HK_JSON_NUMBER ||
            !hk_read_i64(value->text, value->text_size, &values[count]))
            return;
        names[count++] = name;
    }
    column->item_names = names;
    column->item_values = values;
    column->item_count = count;
    if (count)
        column->type = HK_TYPE_ENUM;
}

static void take_column(hk_arena *arena, const hk_json_value *said, hk_table_column *column) {
    const char *unit = text_of(said, "schema:unitText"), *type = text_of(said, "datatype");
    const hk_json_value *items = hk_json_member(said, "schema:valueReference");
    if (unit && !column->unit)
        column->unit = unit;
    if (type && column->type == HK_TYPE_COUNT)
        column->type = type_of(type);
    if (items && items->kind == HK_JSON_ARRAY && !column->item_count)
        take_items(arena, items, column);
}

/* By name: a table may have more columns than are described, or fewer. */
void hk_table_learn(hk_arena *arena, const hk_json_value *root, hk_table_column *columns,
                    size_t count) {
    const hk_json_value *schema = hk_json_member(root, "tableSchema");
    const hk_json_value *list = schema ? hk_json_member(schema, "columns") : NULL;
    hk_map names = {0};
    for (size_t i = 0; i < count; i++)
        hk_map_put(&names, columns[i].name, (uint32_t)i);
    for (const hk_json_value *said = list && list->kind == HK_JSON_ARRAY ? list->first : NULL; said;
         said = said->next) {
        const char *title = text_of(said, "titles");
        title = title ? title : text_of(said, "name");
        uint32_t found = title ? hk_map_get(&names, title) : HK_MAP_NONE;
        if (found != HK_MAP_NONE)
            take_column(arena, said, &columns[found]);
    }
    hk_map_finish(&names);
}

void hk_table_beside(hk_ctx *ctx, hk_arena *arena, const char *path, hk_table_column *columns,
                     size_t count) {
    const char *beside = hk_table_beside_path(arena, path);
    if (!hk_file_exists(beside))
        return;
    char *data = NULL;
    size_t size = 0;
    hk_json_value *root = NULL;
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    hk_status status = hk_file_read(quiet, beside, BESIDE_MAX, &data, &size);
    if (status == HK_OK)
        status = hk_json_read(quiet, arena, HK_E_CSV, &(hk_file_text){beside, data, size}, &root);
    if (status == HK_OK)
        hk_table_learn(arena, root, columns, count);
    else
        hk_note(ctx, (hk_where){.file = beside},
                "it cannot be used, so units and types of '%s' are not known: %s", path,
                hk_ctx_diag(quiet, 0)->text);
    hk_free(data);
    hk_ctx_destroy(quiet);
}

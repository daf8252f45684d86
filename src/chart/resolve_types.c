/* SPDX-License-Identifier: MIT
 *
 * Types. Equal ones are one object: each has a key, which says what it is made of. */
#include "chart/resolve_internal.h"

#include <string.h>

enum { SIZE_MAX_CELLS = 1 << 16, TYPE_DEPTH_MAX = 32 };

bool hk_chart_is_scalar(const hk_chart_type *type) {
    return type->kind <= HK_CHART_GIVEN;
}

bool hk_rcr_is_number(const hk_chart_type *type) {
    return type->kind == HK_CHART_NAT || type->kind == HK_CHART_INT || type->kind == HK_CHART_REAL;
}

static bool is_integer(const hk_chart_type *type) {
    return type->kind == HK_CHART_NAT || type->kind == HK_CHART_INT;
}

bool hk_rcr_fits(const hk_chart_type *a, const hk_chart_type *b) {
    return a == b || (is_integer(a) && is_integer(b));
}

/* The type of KEY if it is there; else TYPE, which is kept. */
static const hk_chart_type *intern(hk_resolver *r, const char *key, hk_chart_type type) {
    uint32_t index = hk_map_get(&r->types, key);
    if (index == HK_MAP_NONE) {
        hk_chart_type *kept = HK_NEW(r->arena, hk_chart_type);
        *kept = type;
        index = (uint32_t)r->type_list.count;
        hk_map_put(&r->types, hk_arena_strdup(r->arena, key), index);
        hk_list_add(&r->type_list, &kept);
    }
    return ((const hk_chart_type **)r->type_list.data)[index];
}

/* The index of a type is its name in the keys of others. */
static uint32_t number_of(const hk_resolver *r, const hk_chart_type *type) {
    const hk_chart_type **all = r->type_list.data;
    for (uint32_t i = 0; i < r->type_list.count; i++)
        if (all[i] == type)
            return i;
    HK_ASSERT(false);
    return 0;
}

const hk_chart_type *hk_rcr_core(hk_resolver *r, hk_chart_kind kind) {
    static const char *const names[] = {"boolean", "nat", "int", "real"};
    return intern(r, names[kind], (hk_chart_type){.kind = kind, .name = names[kind], .size = 1});
}

const hk_chart_type *hk_rcr_sequence(hk_resolver *r, const hk_chart_type *element) {
    const char *key = hk_arena_printf(r->arena, "<%u", number_of(r, element));
    return intern(r, key,
                  (hk_chart_type){.kind = HK_CHART_SEQUENCE,
                                  .name = hk_arena_printf(r->arena, "Seq(%s)", element->name),
                                  .size = 1 + HK_CHART_SEQUENCE_MAX * element->size,
                                  .element = element,
                                  .length = HK_CHART_SEQUENCE_MAX});
}

const hk_chart_type *hk_rcr_array(hk_resolver *r, const hk_chart_type *element, uint32_t rows,
                                  uint32_t columns, bool matrix) {
    const char *key =
        hk_arena_printf(r->arena, "[%u,%u,%u,%d", number_of(r, element), rows, columns, matrix);
    const char *name =
        matrix ? hk_arena_printf(r->arena, "matrix(%s, %u, %u)", element->name, rows, columns)
               : hk_arena_printf(r->arena, "vector(%s, %u)", element->name, rows);
    uint32_t length = rows * columns;
    return intern(r, key,
                  (hk_chart_type){.kind = matrix ? HK_CHART_MATRIX : HK_CHART_VECTOR,
                                  .name = name,
                                  .size = length * element->size,
                                  .element = element,
                                  .length = length,
                                  .rows = rows,
                                  .columns = columns});
}

const hk_chart_type *hk_rcr_tuple(hk_resolver *r, const hk_chart_type *const *parts, size_t count) {
    const char *key = "(", *name = "";
    hk_chart_field *fields = HK_NEW_ARRAY(r->arena, hk_chart_field, count);
    uint32_t size = 0;
    for (size_t i = 0; i < count; i++) {
        key = hk_arena_printf(r->arena, "%s%u,", key, number_of(r, parts[i]));
        name = hk_arena_printf(r->arena, "%s%s%s", name, i ? " * " : "", parts[i]->name);
        fields[i] = (hk_chart_field){hk_arena_printf(r->arena, "%zu", i + 1), parts[i], size};
        size += parts[i]->size;
    }
    return intern(r, key,
                  (hk_chart_type){.kind = HK_CHART_TUPLE,
                                  .name = name,
                                  .size = size,
                                  .fields = fields,
                                  .field_count = (uint32_t)count});
}

/* ---- declarations -----------------------------------------------------------------------------
 */

static bool make_enumeration(hk_resolver *r, hk_rcfound found, hk_chart_type *type) {
    const hk_rcitem *item = found.item;
    const char **items = HK_NEW_ARRAY(r->arena, const char *, item->item_count + 1);
    for (size_t i = 0; i < item->item_count; i++) {
        const hk_rcitem *one = &item->items[i];
        if (one->var_count)
            return hk_rcr_refuse(r, hk_rcr_where(found.file, &one->name.at),
                                 "items of enumerations with arguments", NULL);
        items[i] = one->name.text;
    }
    *type = (hk_chart_type){.kind = HK_CHART_ENUMERATION,
                            .name = item->name.text,
                            .size = 1,
                            .items = items,
                            .item_count = (uint32_t)item->item_count};
    if (item->item_count)
        return true;
    (void)hk_rcr_error(r, hk_rcr_where(found.file, &item->name.at), HK_E_CHART, NULL,
                       "enumeration '%s' has no items", item->name.text);
    return true; /* known, so that what has this type is not reported, too */
}

static bool make_record(hk_resolver *r, hk_rcfound found, hk_chart_type *type) {
    const hk_rcitem *item = found.item;
    hk_chart_field *fields = HK_NEW_ARRAY(r->arena, hk_chart_field, item->item_count + 1);
    uint32_t size = 0;
    for (size_t i = 0; i < item->item_count; i++) {
        const hk_chart_type *part = hk_rcr_type(r, found.file, item->items[i].type);
        if (!part)
            return false;
        fields[i] = (hk_chart_field){item->items[i].name.text, part, size};
        size += part->size;
        if (size > SIZE_MAX_CELLS)
            return hk_rcr_error(r, hk_rcr_where(found.file, &item->name.at), HK_E_CHART, NULL,
                                "values of record '%s' are larger than %d numbers", item->name.text,
                                SIZE_MAX_CELLS);
    }
    *type = (hk_chart_type){.kind = HK_CHART_RECORD,
                            .name = item->name.text,
                            .size = size,
                            .fields = fields,
                            .field_count = (uint32_t)item->item_count};
    if (size)
        return true;
    (void)hk_rcr_error(r, hk_rcr_where(found.file, &item->name.at), HK_E_CHART, NULL,
                       "record '%s' has no fields", item->name.text);
    type->size = 1;
    return true; /* as above */
}

static size_t index_of_file(const hk_resolver *r, const hk_rcfile *file) {
    size_t i = 0;
    while (i < r->file_count && r->files[i] != file)
        i++;
    return i;
}

const hk_chart_type *hk_rcr_declared(hk_resolver *r, hk_rcfound found) {
    const hk_rcitem *item = found.item;
    const char *key =
        hk_arena_printf(r->arena, "%zu:%s", index_of_file(r, found.file), item->name.text);
    uint32_t there = hk_map_get(&r->types, key);
    if (there != HK_MAP_NONE)
        return ((const hk_chart_type **)r->type_list.data)[there];
    hk_chart_type type = {.kind = HK_CHART_GIVEN, .name = item->name.text, .size = 1};
    if (r->type_depth >= TYPE_DEPTH_MAX) {
        hk_rcr_error(r, hk_rcr_where(found.file, &item->name.at), HK_E_CHART, NULL,
                     "type '%s' contains itself, or is nested more than %d deep", item->name.text,
                     TYPE_DEPTH_MAX);
        return NULL;
    }
    r->type_depth++;
    bool ok = item->kind == HK_RC_GIVEN    ? true
              : item->kind == HK_RC_RECORD ? make_record(r, found, &type)
                                           : make_enumeration(r, found, &type);
    r->type_depth--;
    return ok ? intern(r, key, type) : NULL;
}

const hk_chart_type *hk_rcr_item(hk_resolver *r, const hk_rcfile *file, const char *item,
                                 int64_t *ret_index) {
    for (size_t f = 0; f < r->file_count; f++) {
        const hk_rcfile *other = r->files[f];
        for (size_t i = 0; i < other->item_count; i++) {
            const hk_rcitem *type = &other->items[i];
            if (type->kind != HK_RC_ENUMERATION ||
                hk_rcr_find(r, file, HK_RC_GIVEN, type->name.text).item != type)
                continue;
            for (size_t k = 0; k < type->item_count; k++)
                if (strcmp(type->items[k].name.text, item) == 0) {
                    *ret_index = (int64_t)k;
                    return hk_rcr_declared(r, (hk_rcfound){type, other});
                }
        }
    }
    return NULL;
}

/* ---- types as they are written ----------------------------------------------------------------
 */

/* How many elements a vector has: a number. */
static bool read_size(hk_resolver *r, const hk_rcfile *file, const hk_rcexpr *size,
                      uint32_t *ret_size) {
    hk_rcenv env = {.r = r, .file = file};
    const hk_chart_expr *expr = hk_rcr_expr(&env, size, NULL);
    double value;
    if (!expr)
        return false;
    if (!hk_rcr_constant(&env, expr, false, &value) || value < 1 || value > 1000 ||
        value != (double)(uint32_t)value)
        return hk_rcr_error(r, hk_rcr_where(file, &size->at), HK_E_CHART, NULL,
                            "expected a number of elements from 1 to 1000");
    *ret_size = (uint32_t)value;
    return true;
}

static const hk_chart_type *named_type(hk_resolver *r, const hk_rcfile *file,
                                       const hk_rctype *type) {
    static const char *const core[] = {"boolean", "nat", "int", "real"};
    const char *name = type->name.text;
    hk_rcfound found = hk_rcr_find(r, file, HK_RC_GIVEN, name);
    if (found.item)
        return hk_rcr_declared(r, found);
    name = strncmp(name, "core::", 6) == 0 ? name + 6 : name;
    for (size_t i = 0; i < 4; i++)
        if (strcmp(name, core[i]) == 0)
            return hk_rcr_core(r, (hk_chart_kind)i);
    if (strcmp(name, "string") == 0) {
        hk_rcr_refuse(r, hk_rcr_where(file, &type->at), "string", NULL);
        return NULL;
    }
    hk_rcr_get(r, file, HK_RC_GIVEN, &type->name);
    return NULL;
}

static const hk_chart_type *array_type(hk_resolver *r, const hk_rcfile *file,
                                       const hk_rctype *type) {
    const hk_chart_type *element = hk_rcr_type(r, file, type->parts[0]);
    bool matrix = type->kind == HK_RCT_MATRIX;
    uint32_t rows = 1, columns = 1;
    if (!element || !read_size(r, file, type->sizes[0], &rows) ||
        (matrix && !read_size(r, file, type->sizes[1], &columns)))
        return NULL;
    if ((uint64_t)rows * columns * element->size > SIZE_MAX_CELLS) {
        hk_rcr_error(r, hk_rcr_where(file, &type->at), HK_E_CHART, NULL,
                     "values of this type are larger than %d numbers", SIZE_MAX_CELLS);
        return NULL;
    }
    return hk_rcr_array(r, element, rows, columns, matrix);
}

static const hk_chart_type *product_type(hk_resolver *r, const hk_rcfile *file,
                                         const hk_rctype *type) {
    const hk_chart_type **parts = HK_NEW_ARRAY(r->arena, const hk_chart_type *, type->part_count);
    uint64_t size = 0;
    for (size_t i = 0; i < type->part_count; i++) {
        parts[i] = hk_rcr_type(r, file, type->parts[i]);
        if (!parts[i])
            return NULL;
        size += parts[i]->size;
    }
    if (size > SIZE_MAX_CELLS) {
        hk_rcr_error(r, hk_rcr_where(file, &type->at), HK_E_CHART, NULL,
                     "values of this type are larger than %d numbers", SIZE_MAX_CELLS);
        return NULL;
    }
    return hk_rcr_tuple(r, parts, type->part_count);
}

const hk_chart_type *hk_rcr_type(hk_resolver *r, const hk_rcfile *file, const hk_rctype *type) {
    hk_where where = hk_rcr_where(file, &type->at);
    const hk_chart_type *element;
    switch (type->kind) {
    case HK_RCT_NAME:
        return named_type(r, file, type);
    case HK_RCT_PARENS:
        return hk_rcr_type(r, file, type->parts[0]);
    case HK_RCT_SEQ:
        element = hk_rcr_type(r, file, type->parts[0]);
        if (element && (uint64_t)element->size * HK_CHART_SEQUENCE_MAX > SIZE_MAX_CELLS) {
            hk_rcr_error(r, where, HK_E_CHART, NULL,
                         "values of this type are larger than %d numbers", SIZE_MAX_CELLS);
            return NULL;
        }
        return element ? hk_rcr_sequence(r, element) : NULL;
    case HK_RCT_VECTOR:
    case HK_RCT_MATRIX:
        return array_type(r, file, type);
    case HK_RCT_PRODUCT:
        return product_type(r, file, type);
    case HK_RCT_SET:
        hk_rcr_refuse(r, where, "Set", "use Seq(T)");
        return NULL;
    case HK_RCT_FUNCTION:
        hk_rcr_refuse(r, where, "->", NULL);
        return NULL;
    case HK_RCT_RELATION:
        hk_rcr_refuse(r, where, "<->", NULL);
        return NULL;
    case HK_RCT_ANY:
        hk_rcr_refuse(r, where, "?", "name a type");
        return NULL;
    }
    return NULL;
}

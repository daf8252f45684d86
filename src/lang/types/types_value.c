/* SPDX-License-Identifier: MIT
 *
 * Values that are in the text, for every type. */
#include "lang/types/types_internal.h"

#include "base/number.h"

#include <string.h>

typedef struct filler {
    hk_ctx *ctx;
    hk_arena *arena;
    const char *file, *unit;
    const hk_part *about; /* of the whole: units come from outer types too */
    hk_value *parts;
} filler;

static hk_where literal_where(const filler *f, const hk_literal *literal) {
    return hk_place_where(f->file, &literal->at);
}

static const char *show(const filler *f, const hk_literal *literal) {
    if (literal->kind == HK_LITERAL_LIST)
        return hk_arena_printf(f->arena, "a list of %zu values", literal->item_count);
    return hk_arena_printf(f->arena, "'%s'", literal->text ? literal->text : "");
}

static const char *item_hint(const filler *f, const hk_enum *items, const char *word) {
    enum { SHOWN_MAX = 12 };
    const char *closest = hk_closest(word, items->item_names, items->item_count);
    if (closest)
        return hk_hint_name(f->arena, closest, NULL);
    const char *list = "its items are";
    for (size_t i = 0; i < items->item_count && i < SHOWN_MAX; i++)
        list = hk_arena_printf(f->arena, "%s%s %s", list, i ? "," : "", items->item_names[i]);
    return items->item_count > SHOWN_MAX ? hk_arena_printf(f->arena, "%s, ...", list) : list;
}

static hk_status no_value(const filler *f, const hk_literal *literal, const hk_part *part) {
    const char *hint = NULL;
    if (part->enumeration && literal->text)
        hint = item_hint(f, part->enumeration->items, literal->text);
    else if (part->type == HK_TYPE_BOOL)
        hint = "write true or false";
    else if (part->type == HK_TYPE_STRING)
        hint = "write a text in double quotes";
    else if (literal->kind == HK_LITERAL_LIST)
        hint = "write one value";
    return hk_error(f->ctx, HK_E_VALUE, literal_where(f, literal), hint,
                    "%s is not a value of type %s", show(f, literal),
                    part->enumeration ? part->enumeration->name : hk_type_name(part->type));
}

/* Brings *VALUE from the unit of LITERAL to that of the part. */
static hk_status convert_unit(const filler *f, const hk_literal *literal, const hk_part *part,
                              double *value) {
    const char *unit = part->unit ? part->unit : f->unit;
    hk_where where = literal_where(f, literal);
    hk_uom from, to;
    double factor, offset;
    if (!hk_uom_parse(literal->unit, &from))
        return hk_error(f->ctx, HK_E_UNIT_MISMATCH, where,
                        "write it like \"m/s\", \"kg.m2\" or \"degC\"", "unit '%s' is not known",
                        literal->unit);
    if (!unit || !hk_uom_parse(unit, &to)) {
        if (!unit || strcmp(unit, literal->unit) != 0)
            hk_warn(f->ctx, HK_E_UNIT_MISMATCH, where, NULL,
                    "there is no known unit to convert '%s' to, so the number is taken as it is",
                    literal->unit);
        return HK_OK;
    }
    if (!hk_uom_conversion(&from, &to, false, &factor, &offset))
        return hk_error(f->ctx, HK_E_UNIT_MISMATCH, where, NULL,
                        "the value is given in '%s', and it is in '%s'", literal->unit, unit);
    *value = factor * *value + offset;
    return HK_OK;
}

/* Writes COUNT equal elements, or the COUNT of a text that is a list, from element FIRST on. */
static hk_status put(const filler *f, const hk_literal *literal, size_t index, size_t first,
                     size_t count) {
    const hk_part *part = &f->about[index];
    hk_value *to = &f->parts[index];
    hk_store store = hk_store_of(part->type);
    size_t size = hk_store_size(store);
    char *at = (char *)to->data + first * size;
    const hk_enum *items = part->enumeration ? part->enumeration->items : NULL;
    bool text_type = part->type == HK_TYPE_STRING || part->type == HK_TYPE_BINARY;
    bool fits = literal->kind == HK_LITERAL_TEXT;
    if (!text_type)
        fits = fits || literal->kind == HK_LITERAL_NUMBER || literal->kind == HK_LITERAL_WORD ||
               (literal->kind == HK_LITERAL_BOOL && part->type == HK_TYPE_BOOL);
    if (!fits)
        return no_value(f, literal, part);
    hk_value value;
    if (literal->kind == HK_LITERAL_NUMBER && literal->unit) {
        double number;
        if (!hk_read_f64(literal->text, strlen(literal->text), &number))
            return no_value(f, literal, part);
        HK_TRY(convert_unit(f, literal, part, &number));
        if (!hk_value_convert(store, at, HK_STORE_F64, &number, 1))
            return no_value(f, literal, part);
        for (size_t i = 1; i < count; i++)
            memcpy(at + i * size, at, size);
        return HK_OK;
    }
    if (part->type == HK_TYPE_STRING) {
        hk_bytes bytes = {hk_arena_strdup(f->arena, literal->text), strlen(literal->text)};
        for (size_t i = 0; i < count; i++)
            memcpy(at + i * size, &bytes, size);
        return HK_OK;
    }
    if (!hk_value_parse(f->arena, part->type, count, items, literal->text, &value))
        return no_value(f, literal, part);
    memcpy(at, value.data, count * size);
    return HK_OK;
}

static hk_status fill(const filler *f, const hk_literal *literal, const hk_lang_type *type,
                      size_t part, size_t element);

/* The items of one dimension of an array. */
static hk_status fill_dimension(const filler *f, const hk_literal *literal,
                                const hk_lang_type *type, size_t dimension, size_t part,
                                size_t element) {
    const hk_lang_type *e = type->element;
    bool flat = e->part_count == 1 && !*e->parts[0].name;
    size_t below = 1, here = type->dims[dimension];
    for (size_t d = dimension + 1; d < type->dim_count; d++)
        below *= type->dims[d];
    bool last = dimension + 1 == type->dim_count;
    if (literal->kind == HK_LITERAL_LIST && !last && literal->item_count == here * below &&
        literal->items[0].kind != HK_LITERAL_LIST) {
        here *= below; /* all in one row */
        below = 1;
        last = true;
    }
    if (literal->kind == HK_LITERAL_LIST && literal->item_count != here)
        return hk_error(f->ctx, HK_E_VALUE, literal_where(f, literal),
                        "one value without braces fills the whole array",
                        "'%s' takes %zu values here, %zu are given", type->name, here,
                        literal->item_count);
    for (size_t i = 0; i < here; i++) {
        const hk_literal *item = literal->kind == HK_LITERAL_LIST ? &literal->items[i] : literal;
        size_t p = flat ? part : part + i * below * e->part_count;
        size_t k = flat ? element + i * below * e->parts[0].count : 0;
        HK_TRY(last ? fill(f, item, e, p, k) : fill_dimension(f, item, type, dimension + 1, p, k));
    }
    return HK_OK;
}

static hk_status fill_record(const filler *f, const hk_literal *literal, const hk_lang_type *type,
                             size_t part) {
    if (literal->kind != HK_LITERAL_LIST || literal->item_count != type->field_count)
        return hk_error(f->ctx, HK_E_VALUE, literal_where(f, literal),
                        "write the values of its fields in braces: { 1, 2 }",
                        "'%s' has %zu fields, and %s is given", type->name, type->field_count,
                        show(f, literal));
    for (size_t i = 0; i < type->field_count; i++) {
        HK_TRY(fill(f, &literal->items[i], type->fields[i].type, part, 0));
        part += type->fields[i].type->part_count;
    }
    return HK_OK;
}

static hk_status fill(const filler *f, const hk_literal *literal, const hk_lang_type *type,
                      size_t part, size_t element) {
    if (type->kind == HK_LANG_RECORD)
        return fill_record(f, literal, type, part);
    /* One value for all elements is read once. */
    bool single = type->part_count == 1 && !*type->parts[0].name;
    if (type->kind == HK_LANG_ARRAY && !(single && literal->kind != HK_LITERAL_LIST))
        return fill_dimension(f, literal, type, 0, part, element);
    return put(f, literal, part, element, type->parts[0].count);
}

hk_status hk_literal_value(hk_ctx *ctx, hk_arena *arena, const char *file,
                           const hk_literal *literal, hk_typed as, hk_value *ret_parts) {
    const hk_lang_type *type = as.type;
    filler f = {ctx,     arena,       file,
                as.unit, type->parts, HK_NEW_ARRAY(arena, hk_value, type->part_count + 1)};
    for (size_t i = 0; i < type->part_count; i++) {
        const hk_part *p = &type->parts[i];
        f.parts[i] = (hk_value){p->type, p->count, NULL};
        f.parts[i].data = hk_arena_alloc(arena, p->count * hk_store_size(hk_store_of(p->type)));
    }
    HK_TRY(fill(&f, literal, type, 0, 0));
    memcpy(ret_parts, f.parts, type->part_count * sizeof *ret_parts);
    return HK_OK;
}

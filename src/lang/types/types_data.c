/* SPDX-License-Identifier: MIT
 *
 * Data types: the package core, and how records and arrays come down to basic values. */
#include "lang/types/types_internal.h"

#include "base/number.h"

#include <string.h>

/* Enough for every model; a type of a few lines must not fill the memory. */
enum {
    ELEMENTS_MAX = 1 << 24, /* of one array */
    PARTS_MAX = 1 << 16,    /* of one type */
    ALL_PARTS_MAX = 1 << 21,
    DEPTH_MAX = 64
};

const char *hk_part_name(hk_arena *arena, const char *whole, const char *part) {
    if (!*part)
        return whole;
    return hk_arena_printf(arena, *part == '[' ? "%s%s" : "%s.%s", whole, part);
}

/* ---- core -------------------------------------------------------------------------------------
 */

static hk_typedecl *add_core(hk_types *types, const char *name, hk_lang_kind kind, hk_type basic) {
    hk_typedecl *t = HK_NEW(types->arena, hk_typedecl);
    t->type = (hk_lang_type){.kind = kind, .name = name, .basic = basic};
    t->package = "core";
    t->state = HK_READY;
    if (kind == HK_LANG_BASIC) {
        hk_part *part = HK_NEW(types->arena, hk_part);
        *part = (hk_part){.name = "", .type = basic, .count = 1};
        t->type.parts = part;
        t->type.part_count = 1;
    }
    HK_PUSH(types->types, types->type_count, types->type_cap, t);
    return t;
}

static void add_record(hk_types *types, const char *name, const hk_lang_type *element,
                       const char *const *fields, size_t count) {
    hk_lang_type *t = &add_core(types, name, HK_LANG_RECORD, element->basic)->type;
    hk_part *parts = HK_NEW_ARRAY(types->arena, hk_part, count);
    t->fields = hk_arena_alloc(types->arena, count * sizeof *t->fields);
    for (size_t i = 0; i < count; i++) {
        t->fields[i].name = fields[i];
        t->fields[i].type = element;
        parts[i] = (hk_part){.name = fields[i], .type = element->basic, .count = 1};
    }
    t->field_count = t->part_count = count;
    t->parts = parts;
}

void hk_types_add_core(hk_types *types) {
    static const struct {
        const char *name;
        hk_type type;
    } basics[] = {{"core.bool", HK_TYPE_BOOL},     {"core.int", HK_TYPE_I32},
                  {"core.long", HK_TYPE_I64},      {"core.float", HK_TYPE_F32},
                  {"core.string", HK_TYPE_STRING}, {"core.binary", HK_TYPE_BINARY},
                  {"core.int8", HK_TYPE_I8},       {"core.uint8", HK_TYPE_U8},
                  {"core.int16", HK_TYPE_I16},     {"core.uint16", HK_TYPE_U16},
                  {"core.int32", HK_TYPE_I32},     {"core.uint32", HK_TYPE_U32},
                  {"core.int64", HK_TYPE_I64},     {"core.uint64", HK_TYPE_U64}};
    static const char *const axes[] = {"x", "y", "z"}, *const quaternion[] = {"w", "x", "y", "z"};
    const hk_lang_type *real = &add_core(types, "core.double", HK_LANG_BASIC, HK_TYPE_F64)->type;
    for (size_t i = 0; i < sizeof basics / sizeof *basics; i++)
        add_core(types, basics[i].name, HK_LANG_BASIC, basics[i].type);
    add_core(types, "core.void", HK_LANG_VOID, HK_TYPE_F64);
    add_record(types, "core.Coordinate2D", real, axes, 2);
    add_record(types, "core.Coordinate3D", real, axes, 3);
    add_record(types, "core.Quaternion", real, quaternion, 4);
}

/* ---- units and frames -------------------------------------------------------------------------
 */

static const char *text_or_null(const hk_name *name) {
    return *name->text ? name->text : NULL;
}

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* A unit that does not fit the one that the type itself has inside. */
static bool check_inner_unit(hk_typereader *r, hk_where where, const char *unit,
                             const hk_lang_type *type, const hk_part *part) {
    hk_uom outer, inner;
    double factor, offset;
    if (!part->unit || same_text(part->unit, unit) || !hk_uom_parse(unit, &outer) ||
        !hk_uom_parse(part->unit, &inner))
        return true;
    const char *name = hk_part_name(r->arena, type->name, part->name);
    if (hk_uom_conversion(&outer, &inner, false, &factor, &offset)) {
        if (factor != 1 || offset != 0)
            hk_warn(r->complaints.ctx, HK_E_UNIT_MISMATCH, where, "leave the unit out here",
                    "'%s' is in '%s' already, which holds; '%s' does not", name, part->unit, unit);
        return false;
    }
    hk_complain(&r->complaints, HK_E_UNIT_MISMATCH, where, "correct one of the units",
                "the unit '%s' does not fit: '%s' is in '%s'", unit, name, part->unit);
    return false;
}

static void check_unit(hk_typereader *r, const char *file, const hk_decl *decl,
                       const hk_lang_type *type) {
    hk_where where = hk_place_where(file, &decl->unit.at);
    const char *unit = decl->unit.text;
    hk_uom uom;
    if (!hk_uom_parse(unit, &uom))
        hk_warn(r->complaints.ctx, HK_E_UNIT_MISMATCH, where,
                "write it like \"m/s\", \"kg.m2\" or \"degC\"",
                "unit '%s' is not known, so values of '%s' are not converted", unit,
                decl->name.text);
    bool numbers = false;
    for (size_t i = 0; i < type->part_count; i++) {
        const hk_part *part = &type->parts[i];
        numbers |= hk_type_connectable(part->type, HK_TYPE_F64) && part->type != HK_TYPE_BOOL &&
                   part->type != HK_TYPE_ENUM;
        if (!check_inner_unit(r, where, unit, type, part))
            return;
    }
    if (!numbers)
        hk_complain(&r->complaints, HK_E_UNIT_MISMATCH, where, "remove the unit",
                    "'%s' is of type '%s', which holds no number and has no unit", decl->name.text,
                    type->name);
}

void hk_types_annotate(hk_typereader *r, const char *file, const hk_decl *decl,
                       const hk_lang_type *type, const char **ret_unit, const char **ret_frame) {
    *ret_unit = text_or_null(&decl->unit);
    *ret_frame = text_or_null(&decl->frame);
    if (*ret_unit)
        check_unit(r, file, decl, type);
    for (size_t i = 0; *ret_frame && i < type->part_count; i++) {
        const char *inner = type->parts[i].frame;
        if (!inner || same_text(inner, *ret_frame))
            continue;
        hk_complain(&r->complaints, HK_E_FRAME, hk_place_where(file, &decl->frame.at),
                    "correct one of the frames",
                    "the frame '%s' does not fit: '%s' is in the frame '%s'", *ret_frame,
                    hk_part_name(r->arena, type->name, type->parts[i].name), inner);
        return;
    }
}

/* ---- resolving --------------------------------------------------------------------------------
 */

typedef struct resolver {
    hk_typereader *r;
    hk_typedecl *decl;
    const hk_datatype *syntax;
} resolver;

static bool too_many(resolver *v, const char *what, size_t limit) {
    hk_complain(&v->r->complaints, HK_E_VALUE, hk_place_where(v->decl->file, &v->syntax->at), NULL,
                "'%s' has more than %zu %s", v->decl->type.name, limit, what);
    return false;
}

static bool room_for_parts(resolver *v, size_t count) {
    if (count > PARTS_MAX)
        return too_many(v, "basic values", PARTS_MAX);
    v->r->types->part_count += count;
    if (v->r->types->part_count > ALL_PARTS_MAX)
        return too_many(v, "basic values, with all types together", ALL_PARTS_MAX);
    return true;
}

static bool resolve_fields(resolver *v) {
    hk_typereader *r = v->r;
    hk_lang_type *t = &v->decl->type;
    const char *file = v->decl->file;
    hk_map seen = {0};
    bool good = true;
    t->kind = HK_LANG_RECORD;
    t->fields = hk_arena_alloc(r->arena, (v->syntax->field_count + 1) * sizeof *t->fields);
    for (size_t i = 0; i < v->syntax->field_count; i++) {
        const hk_decl *decl = &v->syntax->fields[i];
        uint32_t line = (uint32_t)decl->name.at.line;
        uint32_t first = *decl->name.text ? hk_map_get(&seen, decl->name.text) : HK_MAP_NONE;
        if (first != HK_MAP_NONE)
            hk_complain(&r->complaints, HK_E_DUPLICATE, hk_place_where(file, &decl->name.at),
                        "give one of them another name",
                        "'%s' has two fields called '%s'; the other one is in line %d", t->name,
                        decl->name.text, (int)first);
        else
            hk_map_put(&seen, decl->name.text, line);
        const hk_lang_type *type = hk_types_name_type(r, v->decl->package, file, &decl->type);
        if (type && type->kind == HK_LANG_VOID) {
            hk_complain(&r->complaints, HK_E_NAME, hk_place_where(file, &decl->type.at), NULL,
                        "'core.void' is for functions without a result only");
            type = NULL;
        }
        good = good && type && *decl->name.text && first == HK_MAP_NONE;
        if (!type)
            continue;
        struct hk_lang_field *field = &t->fields[t->field_count++];
        field->name = decl->name.text;
        field->type = type;
        hk_types_annotate(r, file, decl, type, &field->unit, &field->frame);
    }
    hk_map_finish(&seen);
    return good;
}

static bool record_parts(resolver *v) {
    hk_lang_type *t = &v->decl->type;
    size_t count = 0, n = 0;
    for (size_t i = 0; i < t->field_count; i++)
        count += t->fields[i].type->part_count;
    if (!room_for_parts(v, count))
        return false;
    hk_part *parts = HK_NEW_ARRAY(v->r->arena, hk_part, count + 1);
    for (size_t i = 0; i < t->field_count; i++) {
        const struct hk_lang_field *field = &t->fields[i];
        for (size_t k = 0; k < field->type->part_count; k++) {
            hk_part part = field->type->parts[k];
            part.name = hk_part_name(v->r->arena, field->name, part.name);
            part.unit = part.unit ? part.unit : field->unit;
            part.frame = part.frame ? part.frame : field->frame;
            parts[n++] = part;
        }
    }
    t->parts = parts;
    t->part_count = count;
    return true;
}

static bool resolve_sizes(resolver *v, size_t *ret_total) {
    hk_lang_type *t = &v->decl->type;
    size_t *dims = HK_NEW_ARRAY(v->r->arena, size_t, v->syntax->size_count + 1);
    size_t total = 1;
    for (size_t i = 0; i < v->syntax->size_count; i++) {
        const hk_number *size = &v->syntax->sizes[i];
        uint64_t value = 0;
        if (!*size->text)
            return false;
        bool whole = !size->unit && hk_read_u64(size->text, strlen(size->text), &value);
        if (!whole || value == 0) {
            hk_complain(&v->r->complaints, HK_E_VALUE, hk_place_where(v->decl->file, &size->at),
                        "write a whole number above 0", "'%s' is not a size of an array",
                        size->text);
            return false;
        }
        if (value > ELEMENTS_MAX / total)
            return too_many(v, "elements", ELEMENTS_MAX);
        dims[i] = (size_t)value;
        total *= dims[i];
    }
    t->dims = dims;
    t->dim_count = v->syntax->size_count;
    *ret_total = total;
    return t->dim_count > 0;
}

/* "[2]", "[2,3]" of the element with this number. */
static const char *index_text(hk_arena *arena, const hk_lang_type *t, size_t number) {
    const char *text = "]";
    for (size_t d = t->dim_count; d-- > 0; number /= t->dims[d])
        text = hk_arena_printf(arena, "%s%zu%s", d ? "," : "[", number % t->dims[d] + 1, text);
    return text;
}

/* Arrays of basic values, and arrays of those, are one value with all sizes. */
static bool flat_parts(resolver *v, size_t total) {
    hk_lang_type *t = &v->decl->type;
    hk_part part = t->element->parts[0];
    if (part.count > ELEMENTS_MAX / total)
        return too_many(v, "elements", ELEMENTS_MAX);
    size_t *dims = HK_NEW_ARRAY(v->r->arena, size_t, t->dim_count + part.dim_count);
    memcpy(dims, t->dims, t->dim_count * sizeof *dims);
    if (part.dim_count)
        memcpy(dims + t->dim_count, part.dims, part.dim_count * sizeof *dims);
    part.count *= total;
    part.dim_count += t->dim_count;
    part.dims = dims;
    hk_part *kept = HK_NEW(v->r->arena, hk_part);
    *kept = part;
    t->parts = kept;
    t->part_count = 1;
    return true;
}

static bool resolve_array(resolver *v) {
    hk_lang_type *t = &v->decl->type;
    size_t total = 0;
    t->kind = HK_LANG_ARRAY;
    t->element = hk_types_name_type(v->r, v->decl->package, v->decl->file, &v->syntax->element);
    if (!resolve_sizes(v, &total) || !t->element)
        return false;
    if (t->element->kind == HK_LANG_VOID) {
        hk_complain(&v->r->complaints, HK_E_NAME,
                    hk_place_where(v->decl->file, &v->syntax->element.at), NULL,
                    "'core.void' is for functions without a result only");
        return false;
    }
    const hk_lang_type *e = t->element;
    if (e->part_count == 1 && !*e->parts[0].name)
        return flat_parts(v, total);
    if (e->part_count && total > PARTS_MAX / e->part_count)
        return too_many(v, "basic values", PARTS_MAX);
    if (!room_for_parts(v, total * e->part_count))
        return false;
    hk_part *parts = HK_NEW_ARRAY(v->r->arena, hk_part, total * e->part_count + 1);
    for (size_t i = 0; i < total && e->part_count; i++) {
        const char *index = index_text(v->r->arena, t, i);
        for (size_t k = 0; k < e->part_count; k++) {
            hk_part part = e->parts[k];
            part.name = hk_part_name(v->r->arena, index, part.name);
            parts[t->part_count++] = part;
        }
    }
    t->parts = parts;
    return true;
}

static bool resolve_items(resolver *v) {
    hk_lang_type *t = &v->decl->type;
    hk_arena *arena = v->r->arena;
    size_t count = v->syntax->item_count;
    hk_enum *items = HK_NEW(arena, hk_enum);
    int64_t *values = HK_NEW_ARRAY(arena, int64_t, count + 1);
    hk_map seen = {0};
    bool good = count > 0;
    *items = (hk_enum){.name = t->name,
                       .item_names = HK_NEW_ARRAY(arena, const char *, count + 1),
                       .item_values = values,
                       .item_count = count};
    for (size_t i = 0; i < count; i++) {
        const hk_name *item = &v->syntax->items[i];
        items->item_names[i] = item->text;
        values[i] = (int64_t)i;
        if (*item->text && hk_map_put(&seen, item->text, (uint32_t)i) != i) {
            hk_complain(&v->r->complaints, HK_E_DUPLICATE, hk_place_where(v->decl->file, &item->at),
                        "remove one of them", "the enumeration '%s' has the item '%s' twice",
                        t->name, item->text);
            good = false;
        }
    }
    hk_map_finish(&seen);
    t->kind = HK_LANG_ENUM;
    t->basic = HK_TYPE_ENUM;
    t->items = items;
    hk_part *part = HK_NEW(arena, hk_part);
    *part = (hk_part){.name = "", .type = HK_TYPE_ENUM, .count = 1, .enumeration = t};
    t->parts = part;
    t->part_count = 1;
    return good;
}

const hk_lang_type *hk_types_resolve(hk_typereader *r, hk_typedecl *decl) {
    if (decl->state == HK_READY)
        return &decl->type;
    if (decl->state == HK_BROKEN)
        return NULL;
    resolver v = {r, decl, decl->type.syntax};
    hk_where where = hk_place_where(decl->file, &v.syntax->name.at);
    if (decl->state == HK_BUSY || r->depth >= DEPTH_MAX) {
        if (decl->state == HK_BUSY)
            hk_complain(&r->complaints, HK_E_NAME, where, NULL, "'%s' contains itself",
                        decl->type.name);
        else if (!r->too_deep) /* a long chain breaks in many places */
            hk_complain(&r->complaints, HK_E_NAME, where, NULL,
                        "'%s' lies inside more than %d other types", decl->type.name,
                        (int)DEPTH_MAX);
        r->too_deep |= decl->state != HK_BUSY;
        decl->state = HK_BROKEN;
        return NULL;
    }
    decl->state = HK_BUSY;
    r->depth++;
    bool good;
    if (v.syntax->kind == HK_RECORD)
        good = resolve_fields(&v) && record_parts(&v);
    else
        good = v.syntax->kind == HK_ARRAY ? resolve_array(&v) : resolve_items(&v);
    r->depth--;
    decl->state = good && decl->state == HK_BUSY ? HK_READY : HK_BROKEN;
    return decl->state == HK_READY ? &decl->type : NULL;
}

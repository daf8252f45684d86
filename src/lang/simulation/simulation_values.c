/* SPDX-License-Identifier: MIT
 *
 * What literals of a simulation are worth: for variables, arguments and comparisons. */
#include "base/number.h"
#include "lang/simulation/simulation_internal.h"

#include <math.h>
#include <string.h>

hk_status hk_simread_literal(hk_simread *r, const hk_literal *literal, hk_literal *ret_literal) {
    if (literal->kind != HK_LITERAL_WORD || literal->text[0] != '$') {
        *ret_literal = *literal;
        return HK_OK;
    }
    const char *name = literal->text + 1;
    size_t n = r->file->parameter_count;
    const char **names = HK_NEW_ARRAY(r->arena, const char *, n + 1);
    for (size_t i = 0; i < n; i++) {
        names[i] = r->file->parameters[i].name.text;
        if (strcmp(names[i], name) == 0) {
            *ret_literal = r->parameters[i];
            ret_literal->at = literal->at;
            if (literal->unit)
                ret_literal->unit = literal->unit;
            return HK_OK;
        }
    }
    const char *hint = hk_simread_suggest(r, name, names, n);
    return hk_simread_error(r, HK_E_NAME, &literal->at,
                            hint ? hint : "declare it: parameter NAME = VALUE;",
                            "there is no parameter '%s' of the simulation", name);
}

const char *hk_simread_show_literal(hk_simread *r, const hk_literal *literal) {
    hk_literal l = *literal;
    if (literal->kind == HK_LITERAL_WORD && literal->text[0] == '$' &&
        hk_simread_literal(r, literal, &l) != HK_OK)
        return literal->text;
    const char *text = l.text ? l.text : "";
    switch (l.kind) {
    case HK_LITERAL_TEXT:
        return hk_arena_printf(r->arena, "\"%s\"", text);
    case HK_LITERAL_LIST:
        text = "{ ";
        for (size_t i = 0; i < l.item_count; i++)
            text = hk_arena_printf(r->arena, "%s%s%s", text, i ? ", " : "",
                                   hk_simread_show_literal(r, &l.items[i]));
        return hk_arena_printf(r->arena, "%s }", text);
    default:
        return l.unit ? hk_arena_printf(r->arena, "%s %s", text, l.unit) : text;
    }
}

hk_slot hk_simread_slot(hk_simread *r, const hk_signal *signal) {
    const hk_variable *v = hk_simread_variable(r, signal);
    const hk_shown *shown = signal->shown;
    if (shown) /* whole numbers are mapped to others, which have no names */
        return (hk_slot){.name = shown->name,
                         .type = v->type == HK_TYPE_ENUM ? HK_TYPE_I64 : v->type,
                         .unit = shown->unit,
                         .uom = shown->uom,
                         .relative = v->relative,
                         .min = NAN,
                         .max = NAN};
    return (hk_slot){.name = hk_simread_signal_name(r, signal),
                     .type = v->type,
                     .enumeration = v->enumeration,
                     .unit = v->unit,
                     .uom = v->uom,
                     .relative = v->relative,
                     .min = v->min,
                     .max = v->max};
}

static bool is_real(hk_type type) {
    return type == HK_TYPE_F64 || type == HK_TYPE_F32;
}

static bool is_number_type(hk_type type) {
    return type <= HK_TYPE_U64;
}

/* ---- one basic value */

static const char *value_hint(hk_simread *r, const hk_literal *l, const hk_slot *slot) {
    switch (slot->type) {
    case HK_TYPE_BOOL:
        return "write true or false";
    case HK_TYPE_STRING:
        return "put it in double quotes";
    case HK_TYPE_BINARY:
        return "write hexadecimal digits in double quotes";
    case HK_TYPE_ENUM:
        if (!slot->enumeration)
            return "give the number of the item";
        if (l->kind != HK_LITERAL_NUMBER && l->kind != HK_LITERAL_LIST) {
            const char *hint = hk_simread_suggest(r, l->text, slot->enumeration->item_names,
                                                  slot->enumeration->item_count);
            if (hint)
                return hint;
        }
        return hk_arena_printf(
            r->arena, "its items are %s",
            hk_simread_list(r, slot->enumeration->item_names, slot->enumeration->item_count));
    default:
        return is_real(slot->type) ? "write a number" : "write a whole number in its range";
    }
}

static hk_status not_a_value(hk_simread *r, const hk_literal *l, const hk_slot *slot) {
    return hk_simread_error(r, HK_E_VALUE, &l->at, value_hint(r, l, slot),
                            "%s is not a value of type %s for '%s'", hk_simread_show_literal(r, l),
                            hk_type_name(slot->type), slot->name);
}

static bool kind_fits(hk_type type, hk_literal_kind kind) {
    switch (type) {
    case HK_TYPE_BOOL:
        return kind == HK_LITERAL_BOOL || kind == HK_LITERAL_TEXT;
    case HK_TYPE_STRING:
    case HK_TYPE_BINARY:
        return kind == HK_LITERAL_TEXT;
    case HK_TYPE_ENUM:
        return kind == HK_LITERAL_WORD || kind == HK_LITERAL_TEXT || kind == HK_LITERAL_NUMBER;
    default:
        return kind == HK_LITERAL_NUMBER || kind == HK_LITERAL_TEXT;
    }
}

/* How a number in the unit of the literal becomes one in the unit of the slot. */
static hk_status find_conversion(hk_simread *r, const hk_literal *l, const hk_slot *slot,
                                 double *ret_factor, double *ret_offset) {
    hk_uom uom;
    char have[96], want[96];
    *ret_factor = 1;
    *ret_offset = 0;
    if (!l->unit || (slot->unit && strcmp(l->unit, slot->unit) == 0))
        return HK_OK;
    if (!hk_uom_parse(l->unit, &uom))
        return hk_simread_error(r, HK_E_UNIT_MISMATCH, &l->at,
                                "write it like \"m/s\", \"kg.m2\" or \"degC\"",
                                "the unit '%s' is not known", l->unit);
    if (!slot->uom)
        return hk_simread_error(r, HK_E_UNIT_MISMATCH, &l->at, "remove the unit",
                                "'%s' has no %sunit, so nothing can be converted from '%s'",
                                slot->name, slot->unit ? "known " : "", l->unit);
    if (!hk_uom_conversion(&uom, slot->uom, slot->relative, ret_factor, ret_offset))
        return hk_simread_error(r, HK_E_UNIT_MISMATCH, &l->at, NULL,
                                "'%s' is in '%s' (%s) and cannot be given in '%s' (%s)", slot->name,
                                slot->unit ? slot->unit : "1", hk_uom_dimension(slot->uom, want),
                                l->unit, hk_uom_dimension(&uom, have));
    return HK_OK;
}

static void check_range(hk_simread *r, const hk_literal *l, const hk_slot *slot, double value) {
    const char *range = hk_range_words(r->arena, slot->min, slot->max, value);
    if (range)
        hk_warn(r->ctx, HK_E_PARAMETER, hk_simread_where(r, &l->at), NULL,
                "'%s' is set to %s, %s%s%s", slot->name, hk_simread_show_literal(r, l), range,
                slot->unit ? " " : "", slot->unit ? slot->unit : "");
    if (slot->type == HK_TYPE_ENUM && slot->enumeration && !hk_enum_has(slot->enumeration, value))
        hk_warn(r->ctx, HK_E_PARAMETER, hk_simread_where(r, &l->at), NULL,
                "'%s' is set to %s, which is not an item of its enumeration", slot->name,
                hk_simread_show_literal(r, l));
}

/* The last part of an item's name is enough to be written: "drone.Mode.auto". */
static const char *item_text(const hk_literal *l, const hk_slot *slot) {
    const char *dot =
        slot->type == HK_TYPE_ENUM && slot->enumeration && l->kind != HK_LITERAL_NUMBER
            ? strrchr(l->text, '.')
            : NULL;
    return dot ? dot + 1 : l->text;
}

/* Numbers may be fractions: 1/3. */
static void write_out(hk_simread *r, const hk_slot *slot, hk_literal *l) {
    hk_ratio ratio;
    if (l->kind == HK_LITERAL_NUMBER && is_real(slot->type) && strchr(l->text, '/') &&
        hk_ratio_parse(l->text, &ratio))
        l->text = hk_simread_show_number(r, hk_ratio_to_double(ratio));
}

/* Writes the value to TARGET, in the natural store of its type. */
static hk_status read_basic(hk_simread *r, const hk_literal *literal, const hk_slot *slot,
                            void *target) {
    hk_literal l;
    hk_value value;
    double factor, offset, number;
    HK_TRY(hk_simread_literal(r, literal, &l));
    if (!kind_fits(slot->type, l.kind))
        return not_a_value(r, &l, slot);
    if (slot->type == HK_TYPE_BOOL && strcmp(l.text, "true") != 0 && strcmp(l.text, "false") != 0)
        return not_a_value(r, &l, slot);
    HK_TRY(find_conversion(r, &l, slot, &factor, &offset));
    write_out(r, slot, &l);
    if (!hk_value_parse(r->arena, slot->type, 1, slot->enumeration, item_text(&l, slot), &value))
        return not_a_value(r, &l, slot);
    bool converted = factor != 1 || offset != 0;
    if (slot->type == HK_TYPE_F64 && converted) {
        *(double *)value.data = factor * *(double *)value.data + offset;
    } else if (slot->type == HK_TYPE_F32 && converted) {
        *(float *)value.data = (float)(factor * (double)*(float *)value.data + offset);
    } else if (converted) {
        return hk_simread_error(r, HK_E_UNIT_MISMATCH, &l.at,
                                "give the value in the variable's own unit",
                                "'%s' is of type %s, which cannot be converted from '%s' to '%s'",
                                slot->name, hk_type_name(slot->type), l.unit, slot->unit);
    }
    hk_store store = hk_store_of(slot->type);
    if ((is_number_type(slot->type) || slot->type == HK_TYPE_ENUM) &&
        hk_value_convert(HK_STORE_F64, &number, store, value.data, 1)) {
        if (!isfinite(number))
            return not_a_value(r, &l, slot);
        check_range(r, &l, slot, number);
    }
    memcpy(target, value.data, hk_store_size(store));
    return HK_OK;
}

hk_status hk_simread_number(hk_simread *r, const hk_literal *literal, const hk_slot *slot,
                            double *ret_number) {
    union {
        double f64;
        int64_t i64;
        hk_bytes bytes;
    } room;
    if (slot->type == HK_TYPE_STRING || slot->type == HK_TYPE_BINARY)
        return hk_simread_error(r, HK_E_SCENARIO, &literal->at,
                                "numbers, Booleans and items can be compared",
                                "'%s' is of type %s, expected something with a number", slot->name,
                                hk_type_name(slot->type));
    /* Thresholds may have fractions, whatever the type of what they are compared to. */
    hk_slot wide = *slot;
    if (is_number_type(slot->type))
        wide.type = HK_TYPE_F64;
    HK_TRY(read_basic(r, literal, &wide, &room));
    double number = 0;
    HK_ASSERT(hk_value_convert(HK_STORE_F64, &number, hk_store_of(wide.type), &room, 1));
    *ret_number = number;
    return HK_OK;
}

/* ---- records and arrays: all basic values of a literal in order */

typedef struct flat {
    const hk_literal *literal; /* where they are from */
    hk_literal *all;
    size_t count, cap;
} flat;

static hk_status flatten(hk_simread *r, const hk_literal *literal, flat *f) {
    hk_literal l;
    HK_TRY(hk_simread_literal(r, literal, &l));
    if (l.kind != HK_LITERAL_LIST) {
        HK_PUSH(f->all, f->count, f->cap, l);
        return HK_OK;
    }
    for (size_t i = 0; i < l.item_count; i++)
        HK_TRY(flatten(r, &l.items[i], f));
    return HK_OK;
}

hk_status hk_simread_flatten(hk_simread *r, const hk_literal *literal, hk_literal **ret_all,
                             size_t *ret_count) {
    flat f = {.literal = literal};
    hk_status status = flatten(r, literal, &f);
    if (status != HK_OK) {
        hk_free(f.all);
        return status;
    }
    *ret_all = f.all;
    *ret_count = f.count;
    return HK_OK;
}

static bool is_list(const flat *f) {
    return f->literal->kind == HK_LITERAL_LIST;
}

static hk_status wrong_count(hk_simread *r, const flat *f, const char *name, size_t expected) {
    bool list = is_list(f);
    const char *hint = expected == 1 ? "write it without braces"
                       : list        ? NULL
                                     : "put its values in braces: { 1, 2, 3 }";
    return hk_simread_error(r, HK_E_VALUE, &f->literal->at, hint, "'%s' has %zu value%s, %s %zu",
                            name, expected, expected == 1 ? "" : "s",
                            list ? "the list has" : "found", f->count);
}

static hk_status fill_values(hk_simread *r, const flat *f, const hk_target *target,
                             hk_value *values) {
    size_t expected = 0, next = 0;
    for (size_t i = 0; i < target->signal_count; i++)
        expected += hk_simread_variable(r, &target->signals[i])->count;
    bool list = is_list(f), fills = !list && target->signal_count == 1;
    if (!fills && (f->count != expected || (list && expected == 1)))
        return wrong_count(r, f, target->name, expected);
    for (size_t i = 0; i < target->signal_count; i++) {
        const hk_variable *v = hk_simread_variable(r, &target->signals[i]);
        size_t size = hk_store_size(hk_store_of(v->type));
        char *data = hk_arena_alloc(r->arena, v->count * size + 1);
        hk_slot slot = hk_simread_slot(r, &target->signals[i]);
        for (size_t k = 0; k < v->count; k++)
            HK_TRY(read_basic(r, &f->all[fills ? 0 : next++], &slot, data + k * size));
        values[i] = (hk_value){v->type, v->count, data};
    }
    return HK_OK;
}

/* What BRANCH hands on of F, which is a value of the connector of TARGET, to SIGNAL. */
static hk_status pass_on(hk_simread *r, const flat *f, const hk_target *target,
                         const hk_signal *signal, const hk_branch *branch, hk_value *ret_value) {
    const hk_variable *v = hk_simread_variable(r, signal);
    hk_slot own = hk_simread_slot(r, signal);
    hk_slot given = {.name = target->name,
                     .type = HK_TYPE_F64,
                     .unit = branch->uom ? branch->uom->name : v->unit,
                     .uom = branch->uom ? branch->uom : v->uom,
                     .relative = v->relative,
                     .min = NAN,
                     .max = NAN};
    bool list = is_list(f);
    if (list ? f->count != v->count || v->count == 1 : f->count != 1)
        return wrong_count(r, f, target->name, v->count);
    size_t size = hk_store_size(hk_store_of(v->type));
    char *data = hk_arena_alloc(r->arena, v->count * size + 1);
    for (size_t k = 0; k < v->count; k++) {
        const hk_literal *l = &f->all[list ? k : 0];
        double number;
        HK_TRY(read_basic(r, l, &given, &number));
        number = hk_transform_value(&branch->transform, number);
        if (!hk_value_convert(hk_store_of(v->type), data + k * size, HK_STORE_F64, &number, 1))
            return hk_simread_error(
                r, HK_E_VALUE, &l->at, NULL, "'%s' hands %s on to '%s', which is of type %s",
                target->name, hk_simread_show_number(r, number), own.name, hk_type_name(v->type));
        check_range(r, l, &own, number);
    }
    *ret_value = (hk_value){v->type, v->count, data};
    return HK_OK;
}

/* All that the input of a system leads to gets the one value, each in its own way. */
static hk_status pass_all_on(hk_simread *r, const flat *f, const hk_target *target,
                             hk_value *values) {
    size_t i = 0;
    for (const hk_branch *b = target->inlet->branches; b; b = b->next, i++) {
        hk_target one = {.name = target->name, .signals = &target->signals[i], .signal_count = 1};
        bool plain = b->transform.kind == HK_TRANSFORM_NONE && !b->uom;
        HK_TRY(plain ? fill_values(r, f, &one, &values[i])
                     : pass_on(r, f, target, &target->signals[i], b, &values[i]));
    }
    return HK_OK;
}

hk_status hk_simread_values(hk_simread *r, const hk_literal *literal, const hk_target *target,
                            hk_value *ret_values) {
    hk_literal l;
    flat f = {.literal = &l};
    HK_TRY(hk_simread_literal(r, literal, &l));
    hk_status status = flatten(r, &l, &f);
    if (status == HK_OK)
        status = target->inlet ? pass_all_on(r, &f, target, ret_values)
                               : fill_values(r, &f, target, ret_values);
    hk_free(f.all);
    return status;
}

/* ---- arguments of functions */

static hk_slot field_slot(hk_simread *r, const hk_callee *callee, size_t argument, size_t index) {
    const hk_field *field = &callee->function->arguments[argument].fields[index];
    hk_slot slot = {.type = field->type, .unit = field->unit, .min = NAN, .max = NAN};
    hk_uom uom;
    const char *name = field->name ? field->name : "";
    slot.name = hk_arena_printf(r->arena, "%s.%s%s%s", callee->name,
                                callee->function->arguments[argument].name, *name ? "." : "", name);
    if (field->unit && hk_uom_parse(field->unit, &uom)) {
        hk_uom *kept = HK_NEW(r->arena, hk_uom);
        *kept = uom;
        slot.uom = kept;
    }
    if (field->type == HK_TYPE_ENUM)
        slot.enumeration =
            hk_service_items(callee->service, callee->index, (uint32_t)argument, (uint32_t)index);
    return slot;
}

static size_t field_elements(const hk_field *field) {
    return field->count ? field->count : 1;
}

static hk_status fill_argument(hk_simread *r, const flat *f, const hk_callee *callee, size_t index,
                               char *data) {
    const hk_argument *argument = &callee->function->arguments[index];
    size_t expected = 0, next = 0;
    for (size_t i = 0; i < argument->field_count; i++)
        expected += field_elements(&argument->fields[i]);
    bool list = is_list(f), fills = !list && argument->field_count == 1;
    if (!fills && (f->count != expected || (list && expected == 1)))
        return wrong_count(r, f, hk_arena_printf(r->arena, "%s.%s", callee->name, argument->name),
                           expected);
    for (size_t i = 0; i < argument->field_count; i++) {
        const hk_field *field = &argument->fields[i];
        size_t size = hk_store_size(hk_store_of(field->type)), n = field_elements(field);
        hk_slot slot = field_slot(r, callee, index, i);
        if (field->offset > argument->size || n > (argument->size - field->offset) / size)
            return hk_simread_error(
                r, HK_E_PLUGIN, &f->literal->at, "generate its code again with 'hocket gen'",
                "'%s' lies beyond the %zu bytes of its argument", slot.name, argument->size);
        for (size_t k = 0; k < n; k++)
            HK_TRY(
                read_basic(r, &f->all[fills ? 0 : next++], &slot, data + field->offset + k * size));
    }
    return HK_OK;
}

hk_status hk_simread_argument(hk_simread *r, const hk_literal *literal, const hk_callee *callee,
                              size_t argument, const void **ret_data) {
    hk_literal l;
    flat f = {.literal = &l};
    HK_TRY(hk_simread_literal(r, literal, &l));
    char *data = hk_arena_alloc(r->arena, callee->function->arguments[argument].size + 1);
    hk_status status = flatten(r, &l, &f);
    if (status == HK_OK)
        status = fill_argument(r, &f, callee, argument, data);
    hk_free(f.all);
    if (status == HK_OK)
        *ret_data = data;
    return status;
}

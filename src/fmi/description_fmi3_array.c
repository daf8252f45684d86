/* SPDX-License-Identifier: MIT
 *
 * Dimensions and start values of FMI 3.0. The size of an array may be the start value of another
 * variable, so scalars come first. */
#include "base/number.h"
#include "fmi/description_fmi3.h"

#include <string.h>

static const char space[] = " \t\r\n";

static size_t count_words(const char *text) {
    size_t count = 0;
    for (const char *c = text + strspn(text, space); *c; c += strspn(c, space)) {
        c += strcspn(c, space);
        count++;
    }
    return count;
}

static hk_status bad_start(const hk_fmi3_parse *p, const hk_xml *e, const hk_variable *v,
                           const char *text) {
    return hk_error(p->r.ctx, HK_E_VALUE, hk_fmi3_where(p, e, v), NULL,
                    "the start value of '%s' is '%.60s', expected a value of type %s", v->name,
                    text, hk_type_name(v->type));
}

/* How many values are given for V: one fills all elements, else there must be as many as elements.
 * *ret_count is 0 if none is given or the array is too large to be filled. */
static hk_status plan_start(hk_fmi3_parse *p, const hk_xml *e, const hk_variable *v, bool given,
                            size_t count, size_t *ret_count) {
    bool calculated = v->initial == HK_CALCULATED || v->causality == HK_INDEPENDENT;
    *ret_count = 0;
    if (calculated || !given) {
        if (calculated == given)
            hk_tally_add(given ? &p->forbidden_start : &p->no_start, e, v->name);
        return HK_OK;
    }
    if (!v->count) /* there is nothing to be given a value */
        return HK_OK;
    if (count != 1 && count != v->count)
        return hk_error(p->r.ctx, HK_E_VALUE, hk_fmi3_where(p, e, v), NULL,
                        "'%s' has %zu element%s and %zu start values", v->name, v->count,
                        v->count == 1 ? "" : "s", count);
    if (count < v->count) {
        if (v->count > p->fill_budget) {
            hk_tally_add(&p->large_fills, e, v->name);
            return HK_OK;
        }
        p->fill_budget -= v->count;
    }
    *ret_count = count;
    return HK_OK;
}

/* Text and binary have Start elements, one per element of the variable. */
static hk_status read_start_elements(hk_fmi3_parse *p, const hk_xml *e, hk_variable *v,
                                     size_t *ret_given) {
    size_t count = 0, given;
    for (const hk_xml *s = hk_xml_child(e, NULL, "Start"); s; s = hk_xml_next(s, NULL, "Start"))
        count++;
    HK_TRY(plan_start(p, e, v, count > 0, count, &given));
    *ret_given = given;
    if (!given)
        return HK_OK;
    hk_bytes *bytes = HK_NEW_ARRAY(p->r.arena, hk_bytes, v->count);
    size_t i = 0;
    for (const hk_xml *s = hk_xml_child(e, NULL, "Start"); s; s = hk_xml_next(s, NULL, "Start")) {
        hk_value one;
        const char *text = hk_xml_attr_get(s, "value");
        if (!text)
            return hk_error(p->r.ctx, HK_E_FMI_DESCRIPTION, hk_fmi3_where(p, s, v), NULL,
                            "Start: the attribute value is missing");
        if (!hk_value_parse(p->r.arena, v->type, 1, NULL, text, &one))
            return bad_start(p, s, v, text);
        bytes[i++] = *(const hk_bytes *)one.data;
    }
    for (; i < v->count; i++)
        bytes[i] = bytes[0];
    v->start = (hk_value){.type = v->type, .count = v->count, .data = bytes};
    return HK_OK;
}

static hk_status read_start(hk_fmi3_parse *p, const hk_xml *e, hk_variable *v, bool *ret_fills) {
    size_t given = 0;
    if (v->type == HK_TYPE_CLOCK) {
        *ret_fills = false;
        return HK_OK;
    }
    if (v->store == HK_STORE_BYTES) {
        HK_TRY(read_start_elements(p, e, v, &given));
    } else {
        const char *text = hk_xml_attr_get(e, "start");
        HK_TRY(plan_start(p, e, v, text != NULL, text ? count_words(text) : 0, &given));
        if (given &&
            !hk_value_parse(p->r.arena, v->type, v->count, v->enumeration, text, &v->start))
            return bad_start(p, e, v, text);
    }
    *ret_fills = given == 1;
    return HK_OK;
}

static hk_status read_dimension(hk_fmi3_parse *p, const hk_xml *e, const hk_variable *v,
                                hk_fmi3_dim *ret_dim) {
    const char *start = hk_xml_attr_get(e, "start"), *ref = hk_xml_attr_get(e, "valueReference");
    hk_where where = hk_fmi3_where(p, e, v);
    hk_fmi3_dim dim = {.variable = HK_MAP_NONE};
    if (!start == !ref)
        return hk_error(p->r.ctx, HK_E_FMI_DESCRIPTION, where, NULL,
                        "a Dimension of '%s' has %s start and valueReference, expected one of them",
                        v->name, start ? "both" : "neither");
    if (start && !hk_read_u64(start, strlen(start), &dim.size))
        return hk_error(p->r.ctx, HK_E_FMI_DESCRIPTION, where, NULL,
                        "a Dimension of '%s' has the start '%.40s', expected a whole number from 1",
                        v->name, start);
    if (ref) {
        HK_TRY(hk_fmi3_find_ref(p, e, "valueReference", ref, strlen(ref), &dim.variable));
        const hk_variable *size = &p->info->variables[dim.variable];
        bool fits =
            size->type == HK_TYPE_U64 &&
            (size->causality == HK_STRUCTURAL_PARAMETER || size->variability == HK_CONSTANT) &&
            !hk_xml_child(p->elements[dim.variable], NULL, "Dimension");
        if (!fits || !size->start.data)
            return hk_error(p->r.ctx, HK_E_FMI_DESCRIPTION, where, NULL,
                            "a Dimension of '%s' names '%s', expected a structural parameter or "
                            "constant of type UInt64 with a start value",
                            v->name, size->name);
    }
    *ret_dim = dim;
    return HK_OK;
}

hk_status hk_fmi3_measure(hk_ctx *ctx, hk_status code, hk_arena *arena, const hk_info *info,
                          const hk_fmi3_array *array, const size_t **ret_dims, size_t *ret_count) {
    size_t *dims = HK_NEW_ARRAY(arena, size_t, array->dim_count);
    const hk_variable *v = &info->variables[array->variable];
    hk_where where = {.file = info->file, .line = v->line, .column = v->column};
    uint64_t count = 1;
    for (size_t i = 0; i < array->dim_count; i++) {
        const hk_fmi3_dim *dim = &array->dims[i];
        uint64_t size = dim->size;
        if (dim->variable != HK_MAP_NONE)
            memcpy(&size, info->variables[dim->variable].start.data, sizeof size);
        const hk_variable *decides =
            dim->variable == HK_MAP_NONE ? NULL : &info->variables[dim->variable];
        if (size == 0 && !(decides && decides->min <= 0)) /* unless its minimum says so */
            return hk_error(
                ctx, code, where,
                decides ? hk_arena_printf(arena, "give '%s' a value from 1", decides->name) : NULL,
                "the array '%s' has a dimension of size 0", v->name);
        if (count && size > HK_FMI3_ELEMENTS_MAX / count)
            return hk_error(ctx, code, where, NULL, "the array '%s' has more than %llu elements",
                            v->name, (unsigned long long)HK_FMI3_ELEMENTS_MAX);
        count *= size;
        dims[i] = (size_t)size;
    }
    *ret_dims = dims;
    *ret_count = (size_t)count;
    return HK_OK;
}

/* Reads the dimensions of a variable that has some. */
static hk_status read_array(hk_fmi3_parse *p, const hk_xml *e, uint32_t index,
                            hk_fmi3_array *ret_array) {
    hk_variable *v = &p->info->variables[index];
    size_t count = 0, i = 0;
    if (v->type == HK_TYPE_CLOCK)
        return hk_error(p->r.ctx, HK_E_FMI_DESCRIPTION, hk_fmi3_where(p, e, v), NULL,
                        "the clock '%s' has a Dimension, but clocks are no arrays", v->name);
    for (const hk_xml *d = hk_xml_child(e, NULL, "Dimension"); d;
         d = hk_xml_next(d, NULL, "Dimension"))
        count++;
    hk_fmi3_dim *dims = HK_NEW_ARRAY(p->r.arena, hk_fmi3_dim, count);
    for (const hk_xml *d = hk_xml_child(e, NULL, "Dimension"); d;
         d = hk_xml_next(d, NULL, "Dimension"))
        HK_TRY(read_dimension(p, d, v, &dims[i++]));
    hk_fmi3_array array = {.variable = index, .dims = dims, .dim_count = count};
    HK_TRY(hk_fmi3_measure(p->r.ctx, HK_E_FMI_DESCRIPTION, p->r.arena, p->info, &array, &v->dims,
                           &v->count));
    v->dim_count = count;
    *ret_array = array;
    return HK_OK;
}

static void copy_to_aliases(hk_info *info, uint32_t index) {
    const hk_variable *v = &info->variables[index];
    for (size_t i = index + 1; i < info->variable_count; i++) {
        hk_variable *alias = &info->variables[i];
        if (alias->alias_of != index)
            break;
        alias->dims = v->dims;
        alias->dim_count = v->dim_count;
        alias->count = v->count;
        alias->start = v->start;
    }
}

hk_status hk_fmi3_read_values(hk_fmi3_parse *p) {
    size_t array_count = 0, n = p->ref_count;
    for (size_t i = 0; i < n; i++)
        array_count += hk_xml_child(p->elements[p->refs[i].variable], NULL, "Dimension") != NULL;
    hk_fmi3_array *arrays = HK_NEW_ARRAY(p->r.arena, hk_fmi3_array, array_count + 1);
    size_t next = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < p->info->variable_count; i++) {
            const hk_xml *e = p->elements[i];
            hk_variable *v = &p->info->variables[i];
            bool is_array = hk_xml_child(e, NULL, "Dimension") != NULL, fills = false;
            if (v->alias_of != i || is_array != (pass == 1))
                continue;
            if (is_array)
                HK_TRY(read_array(p, e, i, &arrays[next++]));
            HK_TRY(read_start(p, e, v, &fills));
            if (is_array)
                arrays[next - 1].fills = fills;
            copy_to_aliases(p->info, i);
        }
    }
    p->fmu->arrays = arrays;
    p->fmu->array_count = array_count;
    return HK_OK;
}

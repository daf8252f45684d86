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

/* How many values are given for V: one fills all elements, else there must be as many as elements.
 * 0 if none is given or can be used. */
static size_t plan_start(hk_fmi3_parse *p, const hk_xml *e, const hk_variable *v, bool given,
                         size_t count) {
    bool calculated = v->initial == HK_CALCULATED || v->causality == HK_INDEPENDENT;
    if (calculated || !given) {
        if (calculated == given)
            hk_fault_add(&p->r, given ? HK_FAULT_FORBIDDEN_START : HK_FAULT_NO_START, e, v->name);
        return 0;
    }
    if (!v->count || v->unusable) /* there is nothing to be given a value */
        return 0;
    if (count != 1 && count != v->count) {
        hk_fault_add(&p->r, HK_FAULT_START, e, v->name);
        return 0;
    }
    if (count < v->count) {
        if (v->count > p->fill_budget) {
            hk_fault_add(&p->r, HK_FAULT_LARGE_FILL, e, v->name);
            return 0;
        }
        p->fill_budget -= v->count;
    }
    return count;
}

/* Text and binary have Start elements, one per element of the variable. */
static size_t read_start_elements(hk_fmi3_parse *p, const hk_xml *e, hk_variable *v) {
    size_t count = 0, i = 0;
    for (const hk_xml *s = hk_xml_child(e, NULL, "Start"); s; s = hk_xml_next(s, NULL, "Start"))
        count++;
    size_t given = plan_start(p, e, v, count > 0, count);
    if (!given)
        return 0;
    hk_bytes *bytes = HK_NEW_ARRAY(p->r.arena, hk_bytes, v->count);
    for (const hk_xml *s = hk_xml_child(e, NULL, "Start"); s; s = hk_xml_next(s, NULL, "Start")) {
        hk_value one;
        const char *text = hk_xml_attr_get(s, "value");
        if (!text || !hk_value_parse(p->r.arena, v->type, 1, NULL, text, &one)) {
            hk_fault_add(&p->r, HK_FAULT_START, s, v->name);
            return 0;
        }
        bytes[i++] = *(const hk_bytes *)one.data;
    }
    for (; i < v->count; i++)
        bytes[i] = bytes[0];
    v->start = (hk_value){.type = v->type, .count = v->count, .data = bytes};
    return given;
}

/* True if one value was given for all elements. */
static bool read_start(hk_fmi3_parse *p, const hk_xml *e, hk_variable *v) {
    if (v->type == HK_TYPE_CLOCK)
        return false;
    if (v->store == HK_STORE_BYTES)
        return read_start_elements(p, e, v) == 1;
    const char *text = hk_xml_attr_get(e, "start");
    size_t given = plan_start(p, e, v, text != NULL, text ? count_words(text) : 0);
    if (given)
        hk_read_start(&p->r, e, text, v);
    return given == 1 && v->start.data;
}

/* Why it is none; NULL: it is one. */
static const char *read_dimension(hk_fmi3_parse *p, const hk_xml *e, hk_fmi3_dim *ret_dim) {
    const char *start = hk_xml_attr_get(e, "start"), *ref = hk_xml_attr_get(e, "valueReference");
    hk_fmi3_dim dim = {.variable = HK_MAP_NONE};
    if (!start == !ref)
        return hk_arena_printf(p->r.arena,
                               "a Dimension has %s start and valueReference, expected one of them",
                               start ? "both" : "neither");
    if (start && !hk_read_u64(start, strlen(start), &dim.size))
        return hk_arena_printf(
            p->r.arena, "a Dimension has the start '%.40s', expected a whole number from 1", start);
    if (ref) {
        dim.variable = hk_fmi3_find_ref(p, e, "valueReference", ref, strlen(ref));
        if (dim.variable == HK_MAP_NONE)
            return "a Dimension names a variable that is not there";
        const hk_variable *size = &p->info->variables[dim.variable];
        bool fits =
            size->type == HK_TYPE_U64 &&
            (size->causality == HK_STRUCTURAL_PARAMETER || size->variability == HK_CONSTANT) &&
            !hk_xml_child(p->elements[dim.variable], NULL, "Dimension");
        if (!fits || !size->start.data)
            return hk_arena_printf(p->r.arena,
                                   "a Dimension names '%s', expected a structural parameter or "
                                   "constant of type UInt64 with a start value",
                                   size->name);
    }
    *ret_dim = dim;
    return NULL;
}

hk_status hk_fmi3_measure(hk_ctx *ctx, hk_status code, hk_arena *arena, const hk_info *info,
                          const hk_fmi3_array *array, hk_fmi3_size *ret_size) {
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
    *ret_size = (hk_fmi3_size){dims, (size_t)count};
    return HK_OK;
}

/* Reads the dimensions of a variable that has some: why they are none, or NULL. */
static const char *read_array(hk_fmi3_parse *p, const hk_xml *e, uint32_t index,
                              hk_fmi3_array *ret_array) {
    hk_variable *v = &p->info->variables[index];
    size_t count = 0, i = 0;
    const char *wrong = v->type == HK_TYPE_CLOCK ? "clocks are not arrays" : NULL;
    for (const hk_xml *d = hk_xml_child(e, NULL, "Dimension"); d;
         d = hk_xml_next(d, NULL, "Dimension"))
        count++;
    hk_fmi3_dim *dims = HK_NEW_ARRAY(p->r.arena, hk_fmi3_dim, count);
    for (const hk_xml *d = hk_xml_child(e, NULL, "Dimension"); d && !wrong;
         d = hk_xml_next(d, NULL, "Dimension"))
        wrong = read_dimension(p, d, &dims[i++]);
    if (wrong)
        return wrong;
    hk_fmi3_array array = {.variable = index, .dims = dims, .dim_count = count};
    hk_ctx *quiet = hk_ctx_create(NULL, NULL);
    hk_fmi3_size size = {v->dims, v->count};
    if (hk_fmi3_measure(quiet, HK_E_FMI_DESCRIPTION, p->r.arena, p->info, &array, &size) != HK_OK)
        wrong = hk_arena_strdup(p->r.arena, hk_ctx_diag(quiet, 0)->text);
    hk_ctx_destroy(quiet);
    if (!wrong) {
        v->dims = size.dims;
        v->count = size.count;
        v->dim_count = count;
        *ret_array = array;
    }
    return wrong;
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
        alias->unusable = v->unusable;
    }
}

/* One variable; ARRAYS is where the next array is put. */
static size_t read_value(hk_fmi3_parse *p, uint32_t index, hk_fmi3_array *arrays) {
    const hk_xml *e = p->elements[index];
    hk_variable *v = &p->info->variables[index];
    bool is_array = hk_xml_child(e, NULL, "Dimension") != NULL;
    const char *wrong = is_array ? read_array(p, e, index, arrays) : NULL;
    if (wrong) {
        v->unusable = wrong;
        hk_fault_add(&p->r, HK_FAULT_ARRAY, e,
                     hk_arena_printf(p->r.arena, "%s: %s", v->name, wrong));
    }
    bool fills = read_start(p, e, v);
    if (is_array && !wrong)
        arrays->fills = fills;
    copy_to_aliases(p->info, index);
    return is_array && !wrong;
}

void hk_fmi3_read_values(hk_fmi3_parse *p) {
    size_t array_count = 0, next = 0;
    for (size_t i = 0; i < p->info->variable_count; i++)
        array_count += hk_xml_child(p->elements[i], NULL, "Dimension") != NULL;
    hk_fmi3_array *arrays = HK_NEW_ARRAY(p->r.arena, hk_fmi3_array, array_count + 1);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < p->info->variable_count; i++) {
            bool is_array = hk_xml_child(p->elements[i], NULL, "Dimension") != NULL;
            if (p->info->variables[i].alias_of == i && is_array == (pass == 1))
                next += read_value(p, i, &arrays[next]);
        }
    }
    p->fmu->arrays = arrays;
    p->fmu->array_count = next;
}

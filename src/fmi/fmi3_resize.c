/* SPDX-License-Identifier: MIT
 *
 * Structural parameters: what they are set to decides the sizes of arrays, so the description of
 * the component changes with them. */
#include "fmi/description_fmi3.h"

#include <string.h>

/* A start value of COUNT elements, all like the first of VALUE. */
static hk_value fill(hk_arena *arena, const hk_value *value, size_t count) {
    size_t size = hk_store_size(hk_store_of(value->type));
    char *data = hk_arena_alloc(arena, count * size);
    for (size_t i = 0; i < count; i++)
        memcpy(data + i * size, value->data, size);
    return (hk_value){.type = value->type, .count = count, .data = data};
}

static hk_value copy(hk_arena *arena, const hk_value *value) {
    size_t size = hk_store_size(hk_store_of(value->type)) * value->count;
    hk_value result = {.type = value->type, .count = value->count};
    result.data = hk_arena_alloc(arena, size ? size : 1);
    memcpy(result.data, value->data, size);
    if (hk_store_of(value->type) != HK_STORE_BYTES)
        return result;
    hk_bytes *bytes = result.data;
    for (size_t i = 0; i < value->count; i++)
        bytes[i].data = hk_arena_strndup(arena, bytes[i].size ? bytes[i].data : "", bytes[i].size);
    return result;
}

/* The start values that the description gives an array which now has COUNT elements: a list of
 * another length means nothing, one value for all still does. */
static hk_value start_of(hk_fmu *fmu, const hk_fmi3_array *array, size_t count) {
    const hk_value *start = &fmu->info.variables[array->variable].start;
    if (!start->data || start->count == count)
        return *start;
    return array->fills && count <= HK_FMI3_FILL_MAX ? fill(fmu->arena, start, count)
                                                     : (hk_value){0};
}

static hk_status resize_array(hk_ctx *ctx, hk_fmu *fmu, hk_info *info, const hk_fmi3_array *array) {
    hk_fmi3_size size;
    HK_TRY(hk_fmi3_measure(ctx, HK_E_PARAMETER, fmu->arena, info, array, &size));
    const size_t *dims = size.dims;
    size_t count = size.count;
    if (memcmp(dims, info->variables[array->variable].dims, array->dim_count * sizeof *dims) == 0)
        return HK_OK;
    hk_value start = start_of(fmu, array, count);
    for (size_t i = array->variable;
         i < info->variable_count && info->variables[i].alias_of == array->variable; i++) {
        hk_variable *v = &info->variables[i];
        v->dims = dims;
        v->count = count;
        v->start = start;
    }
    return HK_OK;
}

static hk_status resize(hk_ctx *ctx, hk_fmu *fmu, hk_info *info, const uint32_t *variables,
                        const hk_value *values, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint32_t first = info->variables[variables[i]].alias_of;
        hk_value value = copy(fmu->arena, &values[i]);
        for (size_t j = first; j < info->variable_count && info->variables[j].alias_of == first;
             j++)
            info->variables[j].start = value;
    }
    for (size_t i = 0; i < fmu->array_count; i++)
        HK_TRY(resize_array(ctx, fmu, info, &fmu->arrays[i]));
    return HK_OK;
}

hk_status hk_fmi3_resize(hk_ctx *ctx, const hk_info *info, const uint32_t *variables,
                         const hk_value *values, size_t n, const hk_info **ret_info) {
    hk_fmu *fmu = info->origin;
    pthread_mutex_lock(&fmu->lock);
    hk_info *other = HK_NEW(fmu->arena, hk_info);
    *other = *info; /* the map of names is shared: indices stay as they are */
    other->variables = HK_NEW_ARRAY(fmu->arena, hk_variable, info->variable_count + 1);
    memcpy(other->variables, info->variables, info->variable_count * sizeof *other->variables);
    hk_status status = resize(ctx, fmu, other, variables, values, n);
    pthread_mutex_unlock(&fmu->lock);
    if (status == HK_OK)
        *ret_info = other;
    return status;
}

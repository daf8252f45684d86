/* SPDX-License-Identifier: MIT
 *
 * Values as FMI 1.0 and 2.0 exchange them, one element per value reference: Float32 is a Real, and
 * all integers and enumerations are an Integer of 32 bits. */
#include "shell_core.h"

#include <limits.h>
#include <string.h>

static int wrong_type(const hk_shell *x, const char *call, unsigned ref) {
    return hk_shell_refuse_ref(x, call, ref, "is of another type");
}

int hk_shell_get_real(hk_shell *x, const char *call, unsigned phases, const unsigned *refs,
                      size_t n, double *values) {
    if (n == 0)
        return HK_SHELL_OK;
    if (hk_shell_before_get(x, call, phases) != HK_SHELL_OK)
        return HK_SHELL_ERROR;
    for (size_t i = 0; i < n; i++) {
        const hk_shell_variable *v = hk_shell_find(x, call, refs[i]);
        if (!v)
            return HK_SHELL_ERROR;
        if (v->type == HK_TYPE_F64)
            values[i] = *(const double *)(const void *)v->at;
        else if (v->type == HK_TYPE_F32)
            values[i] = (double)*(const float *)(const void *)v->at;
        else
            return wrong_type(x, call, refs[i]);
    }
    return HK_SHELL_OK;
}

int hk_shell_set_real(hk_shell *x, const char *call, const unsigned *refs, size_t n,
                      const double *values) {
    for (size_t i = 0; i < n; i++) {
        const hk_shell_variable *v = hk_shell_find_settable(x, call, refs[i]);
        if (!v)
            return HK_SHELL_ERROR;
        if (v->type == HK_TYPE_F64)
            *(double *)(void *)v->at = values[i];
        else if (v->type == HK_TYPE_F32)
            *(float *)(void *)v->at = (float)values[i];
        else
            return wrong_type(x, call, refs[i]);
        hk_shell_note_set(x, v);
    }
    return HK_SHELL_OK;
}

/* The range of the integers of TYPE that an Integer can name; false: TYPE is none of them. */
static bool integer_range(hk_type type, int *ret_low, int *ret_high) {
    *ret_low = INT_MIN;
    *ret_high = INT_MAX;
    switch (type) {
    case HK_TYPE_I8:
        *ret_low = INT8_MIN;
        *ret_high = INT8_MAX;
        return true;
    case HK_TYPE_U8:
        *ret_low = 0;
        *ret_high = UINT8_MAX;
        return true;
    case HK_TYPE_I16:
        *ret_low = INT16_MIN;
        *ret_high = INT16_MAX;
        return true;
    case HK_TYPE_U16:
        *ret_low = 0;
        *ret_high = UINT16_MAX;
        return true;
    case HK_TYPE_U32:
    case HK_TYPE_U64:
        *ret_low = 0;
        return true;
    case HK_TYPE_I32:
    case HK_TYPE_I64:
    case HK_TYPE_ENUM:
        return true;
    default:
        return false;
    }
}

/* False: it does not fit. */
static bool read_integer(const hk_shell_variable *v, int *ret_value) {
    const void *at = v->at;
    int64_t value = 0;
    switch (v->type) {
    case HK_TYPE_I8:
        value = *(const int8_t *)at;
        break;
    case HK_TYPE_U8:
        value = *(const uint8_t *)at;
        break;
    case HK_TYPE_I16:
        value = *(const int16_t *)at;
        break;
    case HK_TYPE_U16:
        value = *(const uint16_t *)at;
        break;
    case HK_TYPE_I32:
        value = *(const int32_t *)at;
        break;
    case HK_TYPE_U32:
        value = *(const uint32_t *)at;
        break;
    case HK_TYPE_U64: {
        uint64_t wide = *(const uint64_t *)at;
        if (wide > INT_MAX)
            return false;
        value = (int64_t)wide;
        break;
    }
    default:
        value = *(const int64_t *)at;
    }
    if (value < INT_MIN || value > INT_MAX)
        return false;
    *ret_value = (int)value;
    return true;
}

static void write_integer(const hk_shell_variable *v, int value) {
    void *at = v->at;
    switch (v->type) {
    case HK_TYPE_I8:
        *(int8_t *)at = (int8_t)value;
        break;
    case HK_TYPE_U8:
        *(uint8_t *)at = (uint8_t)value;
        break;
    case HK_TYPE_I16:
        *(int16_t *)at = (int16_t)value;
        break;
    case HK_TYPE_U16:
        *(uint16_t *)at = (uint16_t)value;
        break;
    case HK_TYPE_I32:
        *(int32_t *)at = value;
        break;
    case HK_TYPE_U32:
        *(uint32_t *)at = (uint32_t)value;
        break;
    case HK_TYPE_U64:
        *(uint64_t *)at = (uint64_t)value;
        break;
    default:
        *(int64_t *)at = value;
    }
}

int hk_shell_get_integer(hk_shell *x, const char *call, unsigned phases, const unsigned *refs,
                         size_t n, int *values) {
    if (n == 0)
        return HK_SHELL_OK;
    if (hk_shell_before_get(x, call, phases) != HK_SHELL_OK)
        return HK_SHELL_ERROR;
    for (size_t i = 0; i < n; i++) {
        const hk_shell_variable *v = hk_shell_find(x, call, refs[i]);
        int low, high;
        if (!v)
            return HK_SHELL_ERROR;
        if (!integer_range(v->type, &low, &high))
            return wrong_type(x, call, refs[i]);
        if (!read_integer(v, &values[i]))
            return hk_shell_refuse_ref(x, call, refs[i], "has a value that does not fit 32 bits");
    }
    return HK_SHELL_OK;
}

int hk_shell_set_integer(hk_shell *x, const char *call, const unsigned *refs, size_t n,
                         const int *values) {
    for (size_t i = 0; i < n; i++) {
        const hk_shell_variable *v = hk_shell_find_settable(x, call, refs[i]);
        int low, high;
        if (!v)
            return HK_SHELL_ERROR;
        if (!integer_range(v->type, &low, &high))
            return wrong_type(x, call, refs[i]);
        if (values[i] < low || values[i] > high)
            return hk_shell_refuse_ref(x, call, refs[i], "was given a value out of its range");
        write_integer(v, values[i]);
        hk_shell_note_set(x, v);
    }
    return HK_SHELL_OK;
}

int hk_shell_get_string(hk_shell *x, const char *call, unsigned phases, const unsigned *refs,
                        size_t n, const char **values) {
    if (n == 0)
        return HK_SHELL_OK;
    if (hk_shell_before_get(x, call, phases) != HK_SHELL_OK)
        return HK_SHELL_ERROR;
    for (size_t i = 0; i < n; i++) {
        const hk_shell_variable *v = hk_shell_find(x, call, refs[i]);
        if (!v)
            return HK_SHELL_ERROR;
        if (v->type != HK_TYPE_STRING)
            return wrong_type(x, call, refs[i]);
        const hk_bytes *bytes = (const void *)v->at;
        values[i] = bytes->data ? bytes->data : "";
    }
    return HK_SHELL_OK;
}

int hk_shell_set_string(hk_shell *x, const char *call, const unsigned *refs, size_t n,
                        const char *const *values) {
    for (size_t i = 0; i < n; i++) {
        const hk_shell_variable *v = hk_shell_find_settable(x, call, refs[i]);
        if (!v)
            return HK_SHELL_ERROR;
        if (v->type != HK_TYPE_STRING)
            return wrong_type(x, call, refs[i]);
        if (!values[i])
            return hk_shell_refuse_ref(x, call, refs[i], "was given no text");
        hk_shell_put_bytes(x, v, 0, values[i], strlen(values[i]));
        hk_shell_note_set(x, v);
    }
    return HK_SHELL_OK;
}

int hk_shell_get_boolean(hk_shell *x, const char *call, unsigned phases, unsigned ref,
                         bool *ret_value) {
    if (hk_shell_before_get(x, call, phases) != HK_SHELL_OK)
        return HK_SHELL_ERROR;
    const hk_shell_variable *v = hk_shell_find(x, call, ref);
    if (!v)
        return HK_SHELL_ERROR;
    if (v->type != HK_TYPE_BOOL)
        return wrong_type(x, call, ref);
    *ret_value = *(const bool *)(const void *)v->at;
    return HK_SHELL_OK;
}

int hk_shell_set_boolean(hk_shell *x, const char *call, unsigned ref, bool value) {
    const hk_shell_variable *v = hk_shell_find_settable(x, call, ref);
    if (!v)
        return HK_SHELL_ERROR;
    if (v->type != HK_TYPE_BOOL)
        return wrong_type(x, call, ref);
    *(bool *)(void *)v->at = value;
    hk_shell_note_set(x, v);
    return HK_SHELL_OK;
}

/* SPDX-License-Identifier: MIT
 *
 * Values as FMI 1.0 and 2.0 exchange them, one element per value reference: Float32 is a Real, and
 * all integers and enumerations are an Integer of 32 bits. */
#include "shell_core.h"

#include <limits.h>
#include <string.h>

static const char *const wrong_type = "is of another type";

/* One element: of the variable V into VALUES[I], or the other way. Returns what is wrong with it,
 * or NULL. */
typedef const char *read_fn(const hk_shell_variable *v, void *values, size_t i);
typedef const char *write_fn(hk_shell *x, const hk_shell_variable *v, const void *values, size_t i);

/* May values be got now? Nothing may be got at any time. */
static inline bool may_get(hk_shell *x, const char *call, unsigned phases, size_t n) {
    return n == 0 || hk_shell_before_get(x, call, phases) == HK_SHELL_OK;
}

static inline int get_each(hk_shell *x, const char *call, const unsigned *refs, size_t n,
                           void *values, read_fn *read) {
    for (size_t i = 0; i < n; i++) {
        const hk_shell_variable *v = hk_shell_find(x, call, refs[i]);
        if (!v)
            return HK_SHELL_ERROR;
        const char *wrong = read(v, values, i);
        if (wrong)
            return hk_shell_refuse_ref(x, call, refs[i], wrong);
    }
    return HK_SHELL_OK;
}

static inline int set_each(hk_shell *x, const char *call, const unsigned *refs, size_t n,
                           const void *values, write_fn *write) {
    for (size_t i = 0; i < n; i++) {
        const hk_shell_variable *v = hk_shell_find_settable(x, call, refs[i]);
        if (!v)
            return HK_SHELL_ERROR;
        const char *wrong = write(x, v, values, i);
        if (wrong)
            return hk_shell_refuse_ref(x, call, refs[i], wrong);
        hk_shell_note_set(x, v);
    }
    return HK_SHELL_OK;
}

static inline const char *read_real(const hk_shell_variable *v, void *values, size_t i) {
    double *to = (double *)values + i;
    if (v->type == HK_TYPE_F64)
        *to = *(const double *)(const void *)v->at;
    else if (v->type == HK_TYPE_F32)
        *to = (double)*(const float *)(const void *)v->at;
    else
        return wrong_type;
    return NULL;
}

static inline const char *write_real(hk_shell *x, const hk_shell_variable *v, const void *values,
                                     size_t i) {
    (void)x;
    double value = ((const double *)values)[i];
    if (v->type == HK_TYPE_F64)
        *(double *)(void *)v->at = value;
    else if (v->type == HK_TYPE_F32)
        *(float *)(void *)v->at = (float)value;
    else
        return wrong_type;
    return NULL;
}

/* The types that an Integer can name, how they lie in memory, and what of their range it can. */
/* clang-format off */
#define INTEGERS(ROW)                                                         \
    ROW(I8, int8_t, INT8_MIN, INT8_MAX)     ROW(U8, uint8_t, 0, UINT8_MAX)    \
    ROW(I16, int16_t, INT16_MIN, INT16_MAX) ROW(U16, uint16_t, 0, UINT16_MAX) \
    ROW(I32, int32_t, INT_MIN, INT_MAX)     ROW(U32, uint32_t, 0, INT_MAX)    \
    ROW(I64, int64_t, INT_MIN, INT_MAX)     ROW(U64, uint64_t, 0, INT_MAX)    \
    ROW(ENUM, int64_t, INT_MIN, INT_MAX)
/* clang-format on */

/* False: TYPE is none of them. */
static bool integer_range(hk_type type, int *ret_low, int *ret_high) {
    switch (type) {
#define ROW(name, c_type, low, high)                                                               \
    case HK_TYPE_##name:                                                                           \
        *ret_low = low;                                                                            \
        *ret_high = high;                                                                          \
        return true;
        INTEGERS(ROW)
#undef ROW
    default:
        return false;
    }
}

static int64_t load_integer(const hk_shell_variable *v) {
    const void *at = v->at;
    switch (v->type) {
#define ROW(name, c_type, low, high)                                                               \
    case HK_TYPE_##name:                                                                           \
        return (int64_t) * (const c_type *)at;
        INTEGERS(ROW)
#undef ROW
    default:
        return 0;
    }
}

static void store_integer(const hk_shell_variable *v, int value) {
    void *at = v->at;
    switch (v->type) {
#define ROW(name, c_type, low, high)                                                               \
    case HK_TYPE_##name:                                                                           \
        *(c_type *)at = (c_type)value;                                                             \
        break;
        INTEGERS(ROW)
#undef ROW
    default:
        break;
    }
}

static inline const char *read_integer(const hk_shell_variable *v, void *values, size_t i) {
    int low, high;
    if (!integer_range(v->type, &low, &high))
        return wrong_type;
    int64_t value = load_integer(v); /* of U64 the half that does not fit is below 0 */
    if (value < low || value > high)
        return "has a value that does not fit 32 bits";
    ((int *)values)[i] = (int)value;
    return NULL;
}

static inline const char *write_integer(hk_shell *x, const hk_shell_variable *v, const void *values,
                                        size_t i) {
    (void)x;
    int low, high, value = ((const int *)values)[i];
    if (!integer_range(v->type, &low, &high))
        return wrong_type;
    if (value < low || value > high)
        return "was given a value out of its range";
    store_integer(v, value);
    return NULL;
}

static inline const char *read_string(const hk_shell_variable *v, void *values, size_t i) {
    if (v->type != HK_TYPE_STRING)
        return wrong_type;
    const hk_bytes *bytes = (const void *)v->at;
    ((const char **)values)[i] = bytes->data ? bytes->data : "";
    return NULL;
}

static inline const char *write_string(hk_shell *x, const hk_shell_variable *v, const void *values,
                                       size_t i) {
    const char *text = ((const char *const *)values)[i];
    if (v->type != HK_TYPE_STRING)
        return wrong_type;
    if (!text)
        return "was given no text";
    hk_shell_put_bytes(x, v, 0, text, strlen(text));
    return NULL;
}

#define VALUES(name, type)                                                                         \
    int hk_shell_get_##name(hk_shell *x, const char *call, unsigned phases, const unsigned *refs,  \
                            size_t n, type *values) {                                              \
        if (!may_get(x, call, phases, n))                                                          \
            return HK_SHELL_ERROR;                                                                 \
        return get_each(x, call, refs, n, (void *)values, read_##name);                            \
    }                                                                                              \
    int hk_shell_set_##name(hk_shell *x, const char *call, const unsigned *refs, size_t n,         \
                            type const *values) {                                                  \
        return set_each(x, call, refs, n, (const void *)values, write_##name);                     \
    }
VALUES(real, double)
VALUES(integer, int)
VALUES(string, const char *)

static inline const char *read_boolean(const hk_shell_variable *v, void *values, size_t i) {
    if (v->type != HK_TYPE_BOOL)
        return wrong_type;
    ((bool *)values)[i] = *(const bool *)(const void *)v->at;
    return NULL;
}

int hk_shell_get_boolean(hk_shell *x, const char *call, unsigned phases, unsigned ref,
                         bool *ret_value) {
    if (!may_get(x, call, phases, 1))
        return HK_SHELL_ERROR;
    return get_each(x, call, &ref, 1, ret_value, read_boolean);
}

static inline const char *write_boolean(hk_shell *x, const hk_shell_variable *v, const void *values,
                                        size_t i) {
    (void)x;
    if (v->type != HK_TYPE_BOOL)
        return wrong_type;
    *(bool *)(void *)v->at = ((const bool *)values)[i];
    return NULL;
}

int hk_shell_set_boolean(hk_shell *x, const char *call, unsigned ref, bool value) {
    return set_each(x, call, &ref, 1, &value, write_boolean);
}

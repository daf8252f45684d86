/* SPDX-License-Identifier: MIT */
#include "model/value_internal.h"

#include "base/utf8.h"

#include <math.h>
#include <string.h>

static const struct {
    size_t size;
    int64_t min; /* of the integers */
    uint64_t max;
} stores[HK_STORE_COUNT] = {
    [HK_STORE_F64] = {8, 0, 0},
    [HK_STORE_F32] = {4, 0, 0},
    [HK_STORE_I8] = {1, INT8_MIN, INT8_MAX},
    [HK_STORE_U8] = {1, 0, UINT8_MAX},
    [HK_STORE_I16] = {2, INT16_MIN, INT16_MAX},
    [HK_STORE_U16] = {2, 0, UINT16_MAX},
    [HK_STORE_I32] = {4, INT32_MIN, INT32_MAX},
    [HK_STORE_U32] = {4, 0, UINT32_MAX},
    [HK_STORE_I64] = {8, INT64_MIN, INT64_MAX},
    [HK_STORE_U64] = {8, 0, UINT64_MAX},
    [HK_STORE_BOOL8] = {1, 0, 1},
    [HK_STORE_BOOL32] = {4, 0, 1},
    [HK_STORE_BYTES] = {sizeof(hk_bytes), 0, 0},
};

static const struct {
    const char *name;
    hk_store store;
} types[HK_TYPE_COUNT] = {
    [HK_TYPE_F64] = {"Float64", HK_STORE_F64},     [HK_TYPE_F32] = {"Float32", HK_STORE_F32},
    [HK_TYPE_I8] = {"Int8", HK_STORE_I8},          [HK_TYPE_U8] = {"UInt8", HK_STORE_U8},
    [HK_TYPE_I16] = {"Int16", HK_STORE_I16},       [HK_TYPE_U16] = {"UInt16", HK_STORE_U16},
    [HK_TYPE_I32] = {"Int32", HK_STORE_I32},       [HK_TYPE_U32] = {"UInt32", HK_STORE_U32},
    [HK_TYPE_I64] = {"Int64", HK_STORE_I64},       [HK_TYPE_U64] = {"UInt64", HK_STORE_U64},
    [HK_TYPE_BOOL] = {"Boolean", HK_STORE_BOOL8},  [HK_TYPE_STRING] = {"String", HK_STORE_BYTES},
    [HK_TYPE_BINARY] = {"Binary", HK_STORE_BYTES}, [HK_TYPE_ENUM] = {"Enumeration", HK_STORE_I64},
    [HK_TYPE_CLOCK] = {"Clock", HK_STORE_BOOL8},
};

size_t hk_store_size(hk_store store) {
    return stores[store].size;
}

hk_store hk_store_of(hk_type type) {
    return types[type].store;
}

const char *hk_type_kind(hk_type type) {
    switch (type) {
    case HK_TYPE_F32:
    case HK_TYPE_F64:
        return "Real";
    case HK_TYPE_BOOL:
        return "Boolean";
    case HK_TYPE_STRING:
        return "String";
    case HK_TYPE_ENUM:
        return "Enumeration";
    case HK_TYPE_BINARY:
        return "Binary";
    case HK_TYPE_CLOCK:
        return "Clock";
    default:
        return "Integer";
    }
}

const char *hk_type_name(hk_type type) {
    return types[type].name;
}

#define LOAD(type, from)                                                                           \
    type x;                                                                                        \
    memcpy(&x, (from), sizeof x)

static hk_scalar load(hk_store store, const void *data) {
    switch (store) {
#define LOAD_AS(store, type, which, field, value)                                                  \
    case store: {                                                                                  \
        LOAD(type, data);                                                                          \
        return (hk_scalar){.kind = which, .field = value};                                         \
    }
#define LOAD_SIGNED(store, type)   LOAD_AS(store, type, HK_SCALAR_SIGNED, integer, x)
#define LOAD_UNSIGNED(store, type) LOAD_AS(store, type, HK_SCALAR_UNSIGNED, natural, x)
        LOAD_AS(HK_STORE_F64, double, HK_SCALAR_REAL, real, x)
        LOAD_AS(HK_STORE_F32, float, HK_SCALAR_REAL, real, (double)x)
        HK_SIGNED_STORES(LOAD_SIGNED)
        HK_UNSIGNED_STORES(LOAD_UNSIGNED)
        LOAD_AS(HK_STORE_BOOL8, uint8_t, HK_SCALAR_UNSIGNED, natural, x != 0)
        LOAD_AS(HK_STORE_BOOL32, uint32_t, HK_SCALAR_UNSIGNED, natural, x != 0)
#undef LOAD_AS
#undef LOAD_SIGNED
#undef LOAD_UNSIGNED
    default:
        HK_ASSERT(store < HK_STORE_BYTES);
        return (hk_scalar){0};
    }
}

/* Makes N one of the integers of STORE; false if it has a fraction or is out of range. */
static bool to_integer(hk_scalar *n, hk_store store) {
    if (n->kind == HK_SCALAR_REAL) {
        if (!(n->real >= -0x1p63 && n->real < 0x1p64) || n->real != trunc(n->real))
            return false;
        *n = n->real < 0 ? (hk_scalar){.kind = HK_SCALAR_SIGNED, .integer = (int64_t)n->real}
                         : (hk_scalar){.kind = HK_SCALAR_UNSIGNED, .natural = (uint64_t)n->real};
    }
    if (n->kind == HK_SCALAR_SIGNED && n->integer >= 0)
        *n = (hk_scalar){.kind = HK_SCALAR_UNSIGNED, .natural = (uint64_t)n->integer};
    if (n->kind == HK_SCALAR_SIGNED)
        return n->integer >= stores[store].min;
    n->integer = (int64_t)n->natural; /* for the copy below; out of range if it wraps */
    return n->natural <= stores[store].max;
}

static double to_real(hk_scalar n) {
    switch (n.kind) {
    case HK_SCALAR_REAL:
        return n.real;
    case HK_SCALAR_SIGNED:
        return (double)n.integer;
    default:
        return (double)n.natural;
    }
}

static bool save(hk_store store, void *data, hk_scalar n) {
    if (store == HK_STORE_F64) {
        double x = to_real(n);
        memcpy(data, &x, sizeof x);
        return true;
    }
    if (store == HK_STORE_F32) {
        double wide = to_real(n);
        float x = (float)wide;
        memcpy(data, &x, sizeof x);
        return isfinite(x) || !isfinite(wide);
    }
    if (store == HK_STORE_BOOL8 || store == HK_STORE_BOOL32) {
        double value = to_real(n);
        uint32_t x = value != 0;
        uint8_t x8 = value != 0;
        memcpy(data, store == HK_STORE_BOOL8 ? (void *)&x8 : (void *)&x, stores[store].size);
        return value == 0 || value == 1;
    }
    if (!to_integer(&n, store))
        return false;
    int8_t x8 = (int8_t)n.integer;
    int16_t x16 = (int16_t)n.integer;
    int32_t x32 = (int32_t)n.integer;
    switch (stores[store].size) {
    case 1:
        memcpy(data, &x8, 1);
        break;
    case 2:
        memcpy(data, &x16, 2);
        break;
    case 4:
        memcpy(data, &x32, 4);
        break;
    default:
        memcpy(data, &n.integer, 8);
        break;
    }
    return true;
}

bool hk_value_convert(hk_store to, void *target, hk_store from, const void *source, size_t count) {
    if (to == from) {
        memcpy(target, source, count * stores[to].size);
        return true;
    }
    if (to == HK_STORE_BYTES || from == HK_STORE_BYTES)
        return false;
    unsigned char *t = target;
    const unsigned char *s = source;
    for (size_t i = 0; i < count; i++)
        if (!save(to, t + i * stores[to].size, load(from, s + i * stores[from].size)))
            return false;
    return true;
}

static bool is_number(hk_type type) {
    return type != HK_TYPE_STRING && type != HK_TYPE_BINARY && type != HK_TYPE_CLOCK;
}

static bool is_bytes(hk_type type) {
    return type == HK_TYPE_STRING || type == HK_TYPE_BINARY;
}

bool hk_type_connectable(hk_type from, hk_type to) {
    return from == to || (is_number(from) && is_number(to)) || (is_bytes(from) && is_bytes(to));
}

bool hk_bytes_are_text(hk_bytes bytes) {
    const unsigned char *s = bytes.data;
    for (size_t i = 0, length; i < bytes.size; i += length) {
        length = s[i] ? hk_utf8_length(s + i, bytes.size - i) : 0;
        if (!length)
            return false;
    }
    return true;
}

hk_scalar hk_scalar_load(hk_store store, const void *data) {
    return load(store, data);
}

bool hk_value_same(const hk_value *a, const hk_value *b) {
    if (a->type != b->type || a->count != b->count || !a->data != !b->data)
        return false;
    if (!a->data)
        return true;
    hk_store store = hk_store_of(a->type);
    if (store != HK_STORE_BYTES)
        return memcmp(a->data, b->data, a->count * hk_store_size(store)) == 0;
    const hk_bytes *x = a->data, *y = b->data;
    for (size_t i = 0; i < a->count; i++)
        if (x[i].size != y[i].size || (x[i].size && memcmp(x[i].data, y[i].data, x[i].size) != 0))
            return false;
    return true;
}

bool hk_scalar_save(hk_store store, void *data, hk_scalar n) {
    return save(store, data, n);
}

/* SPDX-License-Identifier: MIT
 *
 * Values: their types, how they lie in memory, and how they are read from and written as text. */
#ifndef HK_MODEL_VALUE_H
#define HK_MODEL_VALUE_H

#include "base/diag.h"

#include <hk/unit.h>

/* How one element lies in memory. One type may be stored in several ways: a Boolean is four bytes
 * in FMI 2.0 and one byte elsewhere, an enumeration four bytes in FMI 2.0 and eight in FMI 3.0. */
typedef enum hk_store {
    HK_STORE_F64,
    HK_STORE_F32,
    HK_STORE_I8,
    HK_STORE_U8,
    HK_STORE_I16,
    HK_STORE_U16,
    HK_STORE_I32,
    HK_STORE_U32,
    HK_STORE_I64,
    HK_STORE_U64,
    HK_STORE_BOOL8,
    HK_STORE_BOOL32,
    HK_STORE_BYTES, /* hk_bytes: text or binary */
    HK_STORE_COUNT
} hk_store;

/* The integers among them: ROW(STORE, TYPE), for a case each. */
#define HK_SIGNED_STORES(ROW)                                                                      \
    ROW(HK_STORE_I8, int8_t)                                                                       \
    ROW(HK_STORE_I16, int16_t) ROW(HK_STORE_I32, int32_t) ROW(HK_STORE_I64, int64_t)
#define HK_UNSIGNED_STORES(ROW)                                                                    \
    ROW(HK_STORE_U8, uint8_t)                                                                      \
    ROW(HK_STORE_U16, uint16_t) ROW(HK_STORE_U32, uint32_t) ROW(HK_STORE_U64, uint64_t)

size_t hk_store_size(hk_store store);
hk_store hk_store_of(hk_type type);     /* the natural one; enumerations: I64, Boolean: BOOL8 */
const char *hk_type_name(hk_type type); /* "Float64" ... as FMI 3.0 names them */
const char *hk_type_kind(hk_type type); /* "Real", "Integer" ... whatever the width */

/* An enumeration type. */
typedef struct hk_enum {
    const char *name;
    const char **item_names;
    const int64_t *item_values;
    size_t item_count;
} hk_enum;

/* "its items are a, b, ..." for a hint. */
const char *hk_enum_items(hk_arena *arena, const hk_enum *enumeration);
/* One of its items has this value. */
bool hk_enum_has(const hk_enum *enumeration, double value);

/* A value of COUNT elements in the natural store of its type. */
typedef struct hk_value {
    hk_type type;
    size_t count;
    void *data; /* in the arena it was made in; NULL: no value */
} hk_value;

/* Reads COUNT elements of TYPE from TEXT. Arrays are lists separated by spaces; one element fills
 * an array. Texts and item names of an array are in quotes if they hold spaces or quotes
 * ("a \"b\"" c, with \\ for a backslash); a text that is not an element of an array is taken as it
 * is. Enumerations take item names (ENUMERATION may be NULL) or numbers; binary takes hexadecimal
 * digits; integers may be written "3.0". False if TEXT is not such a value or out of the type's
 * range.
 */
bool hk_value_parse(hk_arena *arena, hk_type type, size_t count, const hk_enum *enumeration,
                    const char *text, hk_value *ret_value);
/* TEXTS as the list that hk_value_parse reads as COUNT elements: in quotes where they need them. */
const char *hk_value_list(hk_arena *arena, const char *const *texts, size_t count);
/* Writes one element that lies at DATA as text; strings as they are, enumerations as numbers.
 * Returns what lives in ARENA. */
const char *hk_value_format(hk_arena *arena, hk_type type, hk_store store, const void *data);

/* Writes all elements as hk_value_parse reads them; once, if they are all alike. */
const char *hk_value_format_all(hk_arena *arena, const hk_value *value);

/* The same bytes of the same type; two without a value are the same. */
bool hk_value_same(const hk_value *a, const hk_value *b);

/* "below its minimum 3", "above its maximum 5" if a value does not lie within limits, of which NaN
 * is none; NULL: it does. There is one rule, no matter who gives the value: that is a warning
 * (HK_E_PARAMETER), since the component itself has the last word. */
const char *hk_range_words(hk_arena *arena, double min, double max, double value);

/* Converts COUNT elements between stores. False if an element does not fit (fraction to integer,
 * out of range, text to number); the elements before it are written. Bytes to bytes copies the
 * hk_bytes (no deep copy). */
bool hk_value_convert(hk_store to, void *target, hk_store from, const void *source, size_t count);
/* True if the bytes are UTF-8 without a NUL in them, so that they can be text. */
bool hk_bytes_are_text(hk_bytes bytes);
/* True if every value of FROM, or at least every usual one, has a meaning in TO: numbers to
 * numbers, Boolean to and from numbers, text and binary to each other. */
bool hk_type_connectable(hk_type from, hk_type to);

#endif

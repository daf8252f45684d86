/* SPDX-License-Identifier: MIT
 *
 * Types with their names resolved: what leaves are, what interfaces consist of, how data types come
 * down to basic values. Used by the system reader, the scenario reader and the code generator. */
#ifndef HK_LANG_TYPES_H
#define HK_LANG_TYPES_H

#include "lang/syntax.h"
#include "model/info.h"

/* "port" with "" , "x", "[2].x": "port", "port.x", "port[2].x". */
const char *hk_part_name(hk_arena *arena, const char *whole, const char *part);

/* A basic value inside a data type, in the order of the text: "" for a basic type itself, "x",
 * "position.x", "points[2].x" (elements from 1, as everywhere). */
typedef struct hk_part {
    const char *name;
    hk_type type;
    size_t count; /* elements, for arrays of basic values; 1: scalar */
    const size_t *dims;
    size_t dim_count;
    const char *unit, *frame;               /* NULL: none */
    const struct hk_lang_type *enumeration; /* NULL: none */
} hk_part;

typedef enum hk_lang_kind {
    HK_LANG_BASIC,
    HK_LANG_VOID,
    HK_LANG_RECORD,
    HK_LANG_ARRAY,
    HK_LANG_ENUM
} hk_lang_kind;

typedef struct hk_lang_type {
    hk_lang_kind kind;
    const char *name;          /* with its package: "core.Coordinate2D" */
    hk_type basic;             /* BASIC; ENUM: HK_TYPE_ENUM */
    const hk_datatype *syntax; /* NULL: built in */
    struct hk_lang_field {
        const char *name;
        const struct hk_lang_type *type;
        const char *unit, *frame;
    } * fields; /* records */
    size_t field_count;
    const struct hk_lang_type *element; /* arrays */
    const size_t *dims;
    size_t dim_count;
    const hk_enum *items;
    const hk_part *parts; /* all its basic values */
    size_t part_count;
} hk_lang_type;

/* A port or parameter of a leaf type, or an argument of a function. */
typedef struct hk_lang_var {
    const char *name;
    const hk_lang_type *type;
    hk_literal start;
    const char *unit, *frame; /* NULL: none */
    bool is_private, has_range;
    double min, max;
    const char *mode; /* inputs: "previous" ...; NULL: not said */
    hk_where where;
} hk_lang_var;

typedef struct hk_lang_function {
    const char *name;
    bool is_mutable;            /* it changes who provides it */
    const hk_lang_type *result; /* kind VOID: none */
    hk_lang_var *arguments;
    size_t argument_count;
} hk_lang_function;

typedef struct hk_lang_interface {
    const char *name; /* "environment.CurrentSource" */
    hk_lang_function *functions;
    size_t function_count;
    const char *signature;          /* hk/service.h */
    const hk_argument_items *items; /* of enumerations in the arguments of its functions */
    size_t item_count;
    hk_where where;
} hk_lang_interface;

typedef struct hk_lang_service {
    const char *name;
    const hk_lang_interface *interface;
    hk_where where;
} hk_lang_service;

typedef struct hk_lang_leaf {
    const char *name; /* "environment.CurrentModel" */
    hk_lang_service *provided, *required;
    size_t provided_count, required_count;
    hk_lang_var *inputs, *outputs, *parameters;
    size_t input_count, output_count, parameter_count;
    hk_stamp stamp;
    const char *behaviour; /* file, relative to the type file; NULL: not said */
    const char *file;
    hk_where where;
} hk_lang_leaf;

/* Everything declared in some type files. */
typedef struct hk_types hk_types;

hk_types *hk_types_create(void); /* knows the package core */
void hk_types_destroy(hk_types *types);
/* Reads a file and what it imports (each once; cycles of imports are fine), and resolves all names.
 * All mistakes are reported; what could be understood is kept. FROM: who asks, for messages. */
HK_NODISCARD hk_status hk_types_read(hk_ctx *ctx, hk_types *types, const char *path, hk_where from);
/* The same for a text, for tests and the fuzzer; imports are looked for beside FILE. */
HK_NODISCARD hk_status hk_types_read_text(hk_ctx *ctx, hk_types *types, const char *file,
                                          const char *data, size_t size);

/* By full name ("environment.CurrentSource"), or by a shorter one that fits exactly one: unique
 * suffix, with *ret_by_suffix set. NULL: none. */
const hk_lang_type *hk_types_find_type(const hk_types *types, const char *name,
                                       bool *ret_by_suffix);
const hk_lang_interface *hk_types_find_interface(const hk_types *types, const char *name,
                                                 bool *ret_by_suffix);
const hk_lang_leaf *hk_types_find_leaf(const hk_types *types, const char *name,
                                       bool *ret_by_suffix);
/* In the order of the text. */
size_t hk_types_leaf_count(const hk_types *types);
const hk_lang_leaf *hk_types_leaf(const hk_types *types, size_t index);
size_t hk_types_interface_count(const hk_types *types);
const hk_lang_interface *hk_types_interface(const hk_types *types, size_t index);
size_t hk_types_type_count(const hk_types *types); /* without those of core */
const hk_lang_type *hk_types_type(const hk_types *types, size_t index);
/* "did you mean": the closest full name among leaves, interfaces or types; NULL: none is close. */
const char *hk_types_closest(const hk_types *types, const char *name);

/* What a value is of. */
typedef struct hk_typed {
    const hk_lang_type *type;
    const char *unit; /* of the parts that have none of their own; NULL: none */
} hk_typed;

/* The value of a literal for a type: basic values in the order of its parts, each in the natural
 * store of its type. Numbers are converted to the unit. One literal fills an array. */
HK_NODISCARD hk_status hk_literal_value(hk_ctx *ctx, hk_arena *arena, const char *file,
                                        const hk_literal *literal, hk_typed as,
                                        hk_value *ret_parts);

#endif

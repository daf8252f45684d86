/* SPDX-License-Identifier: MIT
 *
 * Built-in components that are made to measure. A sum has as many inputs as its user has terms, and
 * a hold is of the type of what it holds; both are named with their measures, like
 * "hk.VectorSum?inputs=3&dimension=2", and that name makes the same component anywhere. */
#include "native/native_internal.h"

#include "base/number.h"

#include <string.h>

#define SUM  "hk.VectorSum"
#define HOLD "hk.Hold"

/* ---- sums ---- */

typedef struct sum_shape {
    size_t inputs, dimension;
} sum_shape;

/* The shape is a loaded thing and no state: whatever a saved state holds, nothing is read or
 * written beyond the values. */
typedef struct vector_sum {
    const void *shape;
    int64_t inputs, dimension; /* as ports show them */
    double values[];           /* the inputs one after the other, then the sum */
} vector_sum;

static int vector_sum_output(void *self, double t) {
    vector_sum *x = self;
    const sum_shape *shape = x->shape;
    (void)t;
    double *out = x->values + shape->inputs * shape->dimension;
    for (size_t j = 0; j < shape->dimension; j++) {
        double sum = 0;
        for (size_t i = 0; i < shape->inputs; i++)
            sum += x->values[i * shape->dimension + j];
        out[j] = sum;
    }
    return HK_STEP_OK;
}

static int vector_sum_step(void *self, double t, double h) {
    (void)h;
    return vector_sum_output(self, t);
}

static hk_status load_shape(hk_ctx *ctx, hk_arena *arena, void *self, const char *folder,
                            const char *component, const void **ret_loaded) {
    (void)ctx, (void)folder, (void)component;
    const vector_sum *x = self;
    sum_shape *shape = HK_NEW(arena, sum_shape);
    *shape = (sum_shape){(size_t)x->inputs, (size_t)x->dimension};
    *ret_loaded = shape;
    return HK_OK;
}

const hk_builtin_loader *hk_measured_loader(const hk_unit_type *type) {
    static const hk_builtin_loader loader = {load_shape, offsetof(vector_sum, shape)};
    return type->step == vector_sum_step ? &loader : NULL;
}

/* "in[2]" of a sum of numbers, "in[2][0]" of one of vectors. */
static const char *input_name(hk_arena *arena, size_t i, size_t j, bool scalar) {
    return scalar ? hk_arena_printf(arena, "in[%zu]", i)
                  : hk_arena_printf(arena, "in[%zu][%zu]", i, j);
}

static const char *terms_of(hk_arena *arena, size_t inputs, size_t j, bool scalar) {
    char *text = hk_arena_alloc(arena, inputs * 48 + 1); /* two numbers of 20 digits at most */
    size_t length = 0;
    for (size_t i = 0; i < inputs; i++) {
        const char *name = input_name(arena, i, j, scalar);
        memcpy(text + length, name, strlen(name));
        length += strlen(name);
        text[length++] = ' ';
    }
    return text;
}

static hk_port measure_port(hk_arena *arena, const char *name, size_t offset, size_t value) {
    return (hk_port){.name = name,
                     .offset = offset,
                     .causality = HK_CALCULATED_PARAMETER, /* nobody can set it */
                     .type = HK_TYPE_I64,
                     .start = hk_arena_printf(arena, "%zu", value)};
}

static const hk_port *sum_ports(hk_arena *arena, size_t inputs, size_t dimension, bool scalar,
                                size_t *ret_count) {
    const size_t terms = inputs * dimension, first = offsetof(vector_sum, values);
    hk_port *ports = HK_NEW_ARRAY(arena, hk_port, terms + dimension + 2);
    size_t count = 0;
    for (size_t k = 0; k < terms; k++)
        ports[count++] = (hk_port){.name = input_name(arena, k / dimension, k % dimension, scalar),
                                   .offset = first + k * sizeof(double),
                                   .causality = HK_INPUT,
                                   .type = HK_TYPE_F64,
                                   .start = "0"};
    for (size_t j = 0; j < dimension; j++)
        ports[count++] = (hk_port){.name = scalar ? "out" : hk_arena_printf(arena, "out[%zu]", j),
                                   .offset = first + (terms + j) * sizeof(double),
                                   .causality = HK_OUTPUT,
                                   .type = HK_TYPE_F64,
                                   .depends_on = terms_of(arena, inputs, j, scalar)};
    ports[count++] = measure_port(arena, "inputs", offsetof(vector_sum, inputs), inputs);
    ports[count++] = measure_port(arena, "dimension", offsetof(vector_sum, dimension), dimension);
    *ret_count = count;
    return ports;
}

hk_status hk_sum_info(hk_ctx *ctx, hk_model *model, size_t inputs, size_t dimension,
                      const hk_info **ret_info) {
    HK_ASSERT(inputs > 0 && inputs <= HK_SUM_INPUTS_MAX && dimension <= HK_SUM_DIMENSION_MAX);
    hk_arena *arena = model->arena;
    bool scalar = dimension == 0;
    const char *name =
        scalar ? hk_arena_printf(arena, SUM "?inputs=%zu", inputs)
               : hk_arena_printf(arena, SUM "?inputs=%zu&dimension=%zu", inputs, dimension);
    *ret_info = hk_native_described(model, name);
    if (*ret_info)
        return HK_OK;
    size_t size = scalar ? 1 : dimension;
    hk_unit_type *type = HK_NEW(arena, hk_unit_type);
    *type =
        (hk_unit_type){.abi = HK_UNIT_ABI,
                       .size = sizeof *type,
                       .name = name,
                       .instance_size = sizeof(vector_sum) + (inputs + 1) * size * sizeof(double),
                       .description = "The sum of its inputs",
                       .stamp = HK_STAMP_START,
                       .output = vector_sum_output,
                       .step = vector_sum_step};
    type->ports = sum_ports(arena, inputs, size, scalar, &type->port_count);
    return hk_native_describe(ctx, model, type, NULL, ret_info);
}

/* ---- holds ---- */

#define HOLD_TYPE(name, c_type, hk_name, text)                                                     \
    typedef struct hold_##name {                                                                   \
        c_type u, y;                                                                               \
    } hold_##name;                                                                                 \
    static int hold_##name##_output(void *self, double t) {                                        \
        hold_##name *x = self;                                                                     \
        (void)t;                                                                                   \
        x->y = x->u;                                                                               \
        return HK_STEP_OK;                                                                         \
    }                                                                                              \
    static int hold_##name##_step(void *self, double t, double h) {                                \
        (void)h;                                                                                   \
        return hold_##name##_output(self, t);                                                      \
    }                                                                                              \
    static const hk_port hold_##name##_ports[] = {                                                 \
        HK_PORT(hold_##name, u, HK_INPUT, hk_name, .start = "0", .description = "what is held"),   \
        HK_PORT(hold_##name, y, HK_OUTPUT, hk_name, .depends_on = "u",                             \
                .description = "u at its last activation"),                                        \
    };                                                                                             \
    static const hk_unit_type hold_##name##_type = {                                               \
        HK_BUILTIN_TYPE(hold_##name, HOLD "?type=" text, hold_##name##_ports),                     \
        .stamp = HK_STAMP_START, .description = "Its input, seen at its own rate",                 \
        .output = hold_##name##_output, .step = hold_##name##_step};

HOLD_TYPE(real, double, HK_TYPE_F64, "Float64")
HOLD_TYPE(integer, int64_t, HK_TYPE_I64, "Int64")
HOLD_TYPE(boolean, bool, HK_TYPE_BOOL, "Boolean")

static const hk_unit_type *const holds[] = {&hold_real_type, &hold_integer_type,
                                            &hold_boolean_type};

const hk_unit_type *hk_hold_type(hk_type type) {
    if (type == HK_TYPE_F64 || type == HK_TYPE_F32)
        return holds[0];
    if (type == HK_TYPE_BOOL)
        return holds[2];
    bool number = hk_type_connectable(type, HK_TYPE_F64);
    return number || type == HK_TYPE_ENUM ? holds[1] : NULL;
}

bool hk_measured_momentary(const hk_unit_type *type) {
    for (size_t i = 0; i < sizeof holds / sizeof *holds; i++)
        if (type == holds[i])
            return true;
    return type->step == vector_sum_step;
}

/* ---- by name ---- */

/* Reads "KEY=NUMBER", a number from 1 to MAX, at the beginning of *TEXT, and the '&' behind it. */
static bool take_number(const char **text, const char *key, size_t max, size_t *ret_number) {
    size_t length = strlen(key), digits = strcspn(*text, "&");
    int64_t number;
    if (strncmp(*text, key, length) != 0 || digits <= length ||
        !hk_read_i64(*text + length, digits - length, &number) || number < 1 ||
        (uint64_t)number > max)
        return false;
    *text += digits;
    *text += **text == '&' && (*text)[1];
    *ret_number = (size_t)number;
    return true;
}

hk_status hk_builtin_info(hk_ctx *ctx, hk_model *model, const char *name, hk_where where,
                          const hk_info **ret_info) {
    const hk_unit_type *type = hk_builtin_find(name);
    for (size_t i = 0; i < sizeof holds / sizeof *holds; i++)
        if (strcmp(name, holds[i]->name) == 0)
            type = holds[i];
    if (type)
        return hk_native_describe(ctx, model, type, NULL, ret_info);
    const char *rest = name + strlen(SUM "?");
    size_t inputs, dimension = 0;
    if (strncmp(name, SUM "?", strlen(SUM "?")) == 0 &&
        take_number(&rest, "inputs=", HK_SUM_INPUTS_MAX, &inputs) &&
        (!*rest || take_number(&rest, "dimension=", HK_SUM_DIMENSION_MAX, &dimension)) && !*rest)
        return hk_sum_info(ctx, model, inputs, dimension, ret_info);
    const char *closest = hk_builtin_closest(name);
    const char *hint = hk_hint_name(model->arena, closest,
                                    "'hocket info hk' lists all; a sum is written "
                                    "'" SUM "?inputs=3' or '" SUM "?inputs=3&dimension=2'");
    return hk_error(ctx, HK_E_PLUGIN, where, hint, "there is no built-in component '%s'", name);
}

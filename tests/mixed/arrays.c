/* SPDX-License-Identifier: MIT
 *
 * Components with arrays of several types, for systems in which some have them as arrays (native,
 * FMI 3.0) and others as scalars (FMI 1.0, 2.0). The two types are the same but for the unit of
 * their inputs, so that every connection between them converts. */
#include <hk/unit.h>

#include <string.h>

enum { REALS = 3, PAIR = 2, TEXT_MAX = 64 };

typedef struct vector {
    double in_d[REALS], out_d[REALS], gain[REALS], state[REALS];
    int32_t in_i[PAIR], out_i[PAIR];
    bool in_b[PAIR], out_b[PAIR];
    hk_bytes in_s[PAIR], out_s[PAIR];
    char text[PAIR][TEXT_MAX];
} vector;

#define PORTS(unit_of_inputs)                                                                      \
    HK_PORT(vector, in_d, HK_INPUT, HK_TYPE_F64, .count = REALS, .unit = (unit_of_inputs),         \
            .start = "0.1 -2.5 1e3"),                                                              \
        HK_PORT(vector, out_d, HK_OUTPUT, HK_TYPE_F64, .count = REALS, .unit = "m",                \
                .depends_on = ""),                                                                 \
        HK_PORT(vector, gain, HK_PARAMETER, HK_TYPE_F64, .count = REALS, .start = "0.3 0.7 1.1"),  \
        HK_PORT(vector, in_i, HK_INPUT, HK_TYPE_I32, .count = PAIR, .start = "7 -9"),              \
        HK_PORT(vector, out_i, HK_OUTPUT, HK_TYPE_I32, .count = PAIR, .depends_on = ""),           \
        HK_PORT(vector, in_b, HK_INPUT, HK_TYPE_BOOL, .count = PAIR, .start = "true false"),       \
        HK_PORT(vector, out_b, HK_OUTPUT, HK_TYPE_BOOL, .count = PAIR, .depends_on = ""),          \
        HK_PORT(vector, in_s, HK_INPUT, HK_TYPE_STRING, .count = PAIR, .start = "one \"two 2\""),  \
        HK_PORT(vector, out_s, HK_OUTPUT, HK_TYPE_STRING, .count = PAIR, .depends_on = "")

static const hk_port metre_ports[] = {PORTS("m")};
static const hk_port milli_ports[] = {PORTS("mm")};

/* What is shown is what was reached before: no output depends on an input without a step. */
static int output(void *self, double t) {
    vector *v = self;
    (void)t;
    memcpy(v->out_d, v->state, sizeof v->out_d);
    for (int i = 0; i < PAIR; i++)
        v->out_s[i] = (hk_bytes){v->text[i], strlen(v->text[i])};
    return 0;
}

static int step(void *self, double t, double h) {
    vector *v = self;
    for (int i = 0; i < REALS; i++)
        v->state[i] += h * (v->gain[i] * v->in_d[i] - v->state[i]) + h * h;
    for (int i = 0; i < PAIR; i++) {
        size_t size = v->in_s[i].size < TEXT_MAX / 2 ? v->in_s[i].size : TEXT_MAX / 2;
        v->out_i[i] = v->in_i[PAIR - 1 - i] % 1000 + 1;
        v->out_b[i] = !v->in_b[i];
        memset(v->text[i], 0, TEXT_MAX);
        if (size)
            memcpy(v->text[i], v->in_s[i].data, size);
        v->text[i][size] = (char)('a' + (unsigned)v->out_i[i] % 26);
    }
    return output(self, t + h);
}

#define TYPE(type_name)                                                                            \
    .abi = HK_UNIT_ABI, .size = sizeof(hk_unit_type), .name = #type_name,                          \
    .instance_size = sizeof(vector), .ports = type_name##_ports,                                   \
    .port_count = sizeof type_name##_ports / sizeof *type_name##_ports, .output = output,          \
    .step = step

static const hk_unit_type metre = {TYPE(metre)};
static const hk_unit_type milli = {TYPE(milli)};

const hk_unit_type *const *hk_plugin(void) {
    static const hk_unit_type *const types[] = {&metre, &milli, NULL};
    return types;
}

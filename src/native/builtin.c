/* SPDX-License-Identifier: MIT
 *
 * The built-in components whose parameters are plain numbers. All but the integrator are
 * start-stamped: what they compute from the inputs of an instant holds at that instant.
 *
 * This file is also part of the program as text: fused code is compiled from it (src/fuse). So it
 * includes nothing of hocket but public headers and builtin_types.h. */
#include "native/builtin_types.h"

#include <hk/math.h>

#include <math.h>
#include <string.h>

#define INPUT(type, field, ...)  HK_PORT(type, field, HK_INPUT, HK_TYPE_F64, __VA_ARGS__)
#define OUTPUT(type, field, ...) HK_PORT(type, field, HK_OUTPUT, HK_TYPE_F64, __VA_ARGS__)
#define PARAMETER(type, field, ...)                                                                \
    HK_PORT(type, field, HK_PARAMETER, HK_TYPE_F64, .tunable = true, __VA_ARGS__)
static const double pi = 3.14159265358979323846;

/* A step that computes what `output` does and has nothing to advance. */
#define STEP_IS_OUTPUT(name)                                                                       \
    static int name##_step(void *self, double t, double h) {                                       \
        (void)h;                                                                                   \
        return name##_output(self, t);                                                             \
    }

/* --- sources -----------------------------------------------------------------------------------*/

typedef struct constant {
    double y, value;
} constant;

static int constant_output(void *self, double t) {
    constant *x = self;
    (void)t;
    x->y = x->value;
    return HK_STEP_OK;
}
STEP_IS_OUTPUT(constant)

static const hk_port constant_ports[] = {
    OUTPUT(constant, y, .depends_on = "", .description = "value"),
    PARAMETER(constant, value, .start = "0", .description = "what y is"),
};
const hk_unit_type hk_builtin_constant = {HK_BUILTIN_TYPE(constant, "hk.Constant", constant_ports),
                                          .stamp = HK_STAMP_START,
                                          .description = "A value that only events change",
                                          .output = constant_output, .step = constant_step};

typedef struct sine {
    double y, amplitude, frequency, phase, offset;
} sine;

static int sine_output(void *self, double t) {
    sine *x = self;
    x->y = x->offset + x->amplitude * hk_sin(2 * pi * x->frequency * t + x->phase);
    return HK_STEP_OK;
}
STEP_IS_OUTPUT(sine)

static const hk_port sine_ports[] = {
    OUTPUT(sine, y, .depends_on = "",
           .description = "offset + amplitude sin(2 pi frequency t + phase)"),
    PARAMETER(sine, amplitude, .start = "1", .description = "half of the whole swing"),
    PARAMETER(sine, frequency, .start = "1", .unit = "Hz", .description = "swings per second"),
    PARAMETER(sine, phase, .start = "0", .unit = "rad", .description = "angle at t = 0"),
    PARAMETER(sine, offset, .start = "0", .description = "mean value"),
};
const hk_unit_type hk_builtin_sine = {HK_BUILTIN_TYPE(sine, "hk.Sine", sine_ports),
                                      .stamp = HK_STAMP_START, .description = "A sine of time",
                                      .output = sine_output, .step = sine_step};

typedef struct step_source {
    double y, time, before, after;
} step_source;

static int step_source_output(void *self, double t) {
    step_source *x = self;
    x->y = t < x->time ? x->before : x->after;
    return HK_STEP_OK;
}
STEP_IS_OUTPUT(step_source)

static const hk_port step_ports[] = {
    OUTPUT(step_source, y, .depends_on = "", .description = "before, and from time on after"),
    PARAMETER(step_source, time, .start = "1", .unit = "s", .description = "when it jumps"),
    PARAMETER(step_source, before, .start = "0", .description = "value before the jump"),
    PARAMETER(step_source, after, .start = "1", .description = "value from the jump on"),
};
const hk_unit_type hk_builtin_step_source = {
    HK_BUILTIN_TYPE(step_source, "hk.Step", step_ports), .stamp = HK_STAMP_START,
    .description = "A value that jumps once", .output = step_source_output,
    .step = step_source_step};

typedef struct ramp {
    double y, begin, end, from, to;
} ramp;

static int ramp_output(void *self, double t) {
    ramp *x = self;
    x->y = t >= x->end     ? x->to
           : t <= x->begin ? x->from
                           : x->from + (x->to - x->from) * (t - x->begin) / (x->end - x->begin);
    return HK_STEP_OK;
}
STEP_IS_OUTPUT(ramp)

static const hk_port ramp_ports[] = {
    OUTPUT(ramp, y, .depends_on = "", .description = "linear between the two instants"),
    PARAMETER(ramp, begin, .start = "0", .unit = "s", .description = "until then y is from"),
    PARAMETER(ramp, end, .start = "1", .unit = "s", .description = "from then on y is to"),
    PARAMETER(ramp, from, .start = "0", .description = "first value"),
    PARAMETER(ramp, to, .start = "1", .description = "last value"),
};
const hk_unit_type hk_builtin_ramp = {HK_BUILTIN_TYPE(ramp, "hk.Ramp", ramp_ports),
                                      .stamp = HK_STAMP_START,
                                      .description = "A value that moves from one to another",
                                      .output = ramp_output, .step = ramp_step};

typedef struct noise {
    double y, mean, sigma;
    int64_t number; /* of the activation */
    hk_stream stream;
} noise;

static int noise_output(void *self, double t) {
    noise *x = self;
    (void)t;
    x->y = x->mean + x->sigma * hk_stream_normal(&x->stream, x->number, 0);
    return HK_STEP_OK;
}

static int noise_step(void *self, double t, double h) {
    (void)h;
    int status = noise_output(self, t);
    ((noise *)self)->number++;
    return status;
}

static const hk_port noise_ports[] = {
    OUTPUT(noise, y, .depends_on = "", .description = "a new number in each step"),
    PARAMETER(noise, mean, .start = "0", .description = "mean value"),
    PARAMETER(noise, sigma, .start = "1", .description = "standard deviation"),
};
static const hk_stream_field noise_streams[] = {{"noise", offsetof(noise, stream)}};
const hk_unit_type hk_builtin_noise = {HK_BUILTIN_TYPE(noise, "hk.Noise", noise_ports),
                                       .stamp = HK_STAMP_START,
                                       .description = "Normal random numbers, from the run's seed",
                                       .output = noise_output,
                                       .step = noise_step,
                                       .streams = noise_streams,
                                       .stream_count = 1,
                                       .random_scales = "sigma"};

/* --- arithmetic --------------------------------------------------------------------------------*/

typedef struct gain {
    double u, y, gain, offset;
} gain;

static int gain_output(void *self, double t) {
    gain *x = self;
    (void)t;
    x->y = x->gain * x->u + x->offset;
    return HK_STEP_OK;
}
STEP_IS_OUTPUT(gain)

static const hk_port gain_ports[] = {
    INPUT(gain, u, .start = "0", .description = "argument"),
    OUTPUT(gain, y, .depends_on = "u", .description = "gain u + offset"),
    PARAMETER(gain, gain, .start = "1", .description = "factor"),
    PARAMETER(gain, offset, .start = "0", .description = "what is added"),
};
const hk_unit_type hk_builtin_gain = {
    HK_BUILTIN_TYPE(gain, "hk.Gain", gain_ports), .stamp = HK_STAMP_START,
    .description = "A linear function of its input", .output = gain_output, .step = gain_step};

typedef struct sum {
    double a, b, c, d, y, gain_a, gain_b, gain_c, gain_d;
} sum;

static int sum_output(void *self, double t) {
    sum *x = self;
    (void)t;
    x->y = x->gain_a * x->a + x->gain_b * x->b + x->gain_c * x->c + x->gain_d * x->d;
    return HK_STEP_OK;
}
STEP_IS_OUTPUT(sum)

static const hk_port sum_ports[] = {
    INPUT(sum, a, .start = "0", .description = "first term"),
    INPUT(sum, b, .start = "0", .description = "second term"),
    INPUT(sum, c, .start = "0", .description = "third term"),
    INPUT(sum, d, .start = "0", .description = "fourth term"),
    OUTPUT(sum, y, .depends_on = "a b c d",
           .description = "gain_a a + gain_b b + gain_c c + gain_d d"),
    PARAMETER(sum, gain_a, .start = "1", .description = "factor of a; -1 subtracts it"),
    PARAMETER(sum, gain_b, .start = "1", .description = "factor of b"),
    PARAMETER(sum, gain_c, .start = "1", .description = "factor of c"),
    PARAMETER(sum, gain_d, .start = "1", .description = "factor of d"),
};
const hk_unit_type hk_builtin_sum = {HK_BUILTIN_TYPE(sum, "hk.Sum", sum_ports),
                                     .stamp = HK_STAMP_START,
                                     .description = "The sum or difference of up to four inputs",
                                     .output = sum_output, .step = sum_step};

typedef struct switcher {
    double a, b, y;
    bool condition;
} switcher;

static int switcher_output(void *self, double t) {
    switcher *x = self;
    (void)t;
    x->y = x->condition ? x->a : x->b;
    return HK_STEP_OK;
}
STEP_IS_OUTPUT(switcher)

static const hk_port switch_ports[] = {
    HK_PORT(switcher, condition, HK_INPUT, HK_TYPE_BOOL, .start = "false",
            .description = "which one it is"),
    INPUT(switcher, a, .start = "0", .description = "taken while condition is true"),
    INPUT(switcher, b, .start = "0", .description = "taken while condition is false"),
    OUTPUT(switcher, y, .depends_on = "condition a b", .description = "a or b"),
};
const hk_unit_type hk_builtin_switcher = {
    HK_BUILTIN_TYPE(switcher, "hk.Switch", switch_ports), .stamp = HK_STAMP_START,
    .description = "One of two inputs", .output = switcher_output, .step = switcher_step};

/* --- memory ------------------------------------------------------------------------------------*/

typedef struct delay {
    double u, y, start, kept;
} delay;

static int delay_init(void *self, double t) {
    delay *x = self;
    (void)t;
    x->kept = x->start;
    return HK_STEP_OK;
}

static int delay_output(void *self, double t) {
    delay *x = self;
    (void)t;
    x->y = x->kept;
    return HK_STEP_OK;
}

static int delay_step(void *self, double t, double h) {
    delay *x = self;
    (void)t, (void)h;
    x->y = x->kept;
    x->kept = x->u;
    return HK_STEP_OK;
}

static const hk_port delay_ports[] = {
    INPUT(delay, u, .start = "0", .description = "what comes out one step later"),
    OUTPUT(delay, y, .depends_on = "", .description = "u of the step before"),
    HK_PORT(delay, start, HK_PARAMETER, HK_TYPE_F64, .start = "0",
            .description = "y in the first step"),
    HK_PORT(delay, kept, HK_LOCAL, HK_TYPE_F64, .start = "0", .description = "u of this step"),
};
const hk_unit_type hk_builtin_delay = {HK_BUILTIN_TYPE(delay, "hk.Delay", delay_ports),
                                       .stamp = HK_STAMP_START,
                                       .description = "Its input, one step later",
                                       .init = delay_init,
                                       .output = delay_output,
                                       .step = delay_step};

typedef struct integrator {
    double u, y, start;
} integrator;

static int integrator_init(void *self, double t) {
    integrator *x = self;
    (void)t;
    x->y = x->start;
    return HK_STEP_OK;
}

/* init computed y; that there is an output says that it is not given from outside. */
static int integrator_output(void *self, double t) {
    (void)self, (void)t;
    return HK_STEP_OK;
}

static int integrator_step(void *self, double t, double h) {
    integrator *x = self;
    (void)t;
    x->y += h * x->u;
    return HK_STEP_OK;
}

static const hk_port integrator_ports[] = {
    INPUT(integrator, u, .start = "0", .description = "what y gains per second"),
    OUTPUT(integrator, y, .depends_on = "", .description = "start + the sum of h u"),
    HK_PORT(integrator, start, HK_PARAMETER, HK_TYPE_F64, .start = "0",
            .description = "y at the beginning"),
};
const hk_unit_type hk_builtin_integrator = {
    HK_BUILTIN_TYPE(integrator, "hk.Integrator", integrator_ports),
    .stamp = HK_STAMP_END,
    .description = "The integral of its input, which is held during a step",
    .init = integrator_init,
    .output = integrator_output,
    .step = integrator_step};

/* --- frames ------------------------------------------------------------------------------------*/

typedef struct rotation {
    double u[3], y[3], yaw, pitch, roll;
    bool inverse;
    bool known;       /* matrix belongs to these angles */
    double angles[3]; /* yaw, pitch, roll */
    double matrix[9]; /* y = matrix u, by rows */
} rotation;

static void make_matrix(rotation *x) {
    double cy = hk_cos(x->yaw), sy = hk_sin(x->yaw), cp = hk_cos(x->pitch), sp = hk_sin(x->pitch);
    double cr = hk_cos(x->roll), sr = hk_sin(x->roll);
    const double m[9] = {cy * cp,
                         cy * sp * sr - sy * cr,
                         cy * sp * cr + sy * sr,
                         sy * cp,
                         sy * sp * sr + cy * cr,
                         sy * sp * cr - cy * sr,
                         -sp,
                         cp * sr,
                         cp * cr};
    memcpy(x->matrix, m, sizeof m);
    x->angles[0] = x->yaw;
    x->angles[1] = x->pitch;
    x->angles[2] = x->roll;
    x->known = true;
}

static int rotation_output(void *self, double t) {
    rotation *x = self;
    (void)t;
    if (!x->known || x->angles[0] != x->yaw || x->angles[1] != x->pitch || x->angles[2] != x->roll)
        make_matrix(x);
    const double *m = x->matrix;
    size_t row = x->inverse ? 1 : 3, column = x->inverse ? 3 : 1; /* the inverse is the transpose */
    for (size_t i = 0; i < 3; i++)
        x->y[i] = m[i * row] * x->u[0] + m[i * row + column] * x->u[1] +
                  m[i * row + 2 * column] * x->u[2];
    return HK_STEP_OK;
}
STEP_IS_OUTPUT(rotation)

#define AXIS(port, index, axis, cause, ...)                                                        \
    {                                                                                              \
        .name = #port "." axis, .offset = offsetof(rotation, port) + (index) * sizeof(double),     \
        .causality = (cause), .type = HK_TYPE_F64, __VA_ARGS__                                     \
    }
static const hk_port rotation_ports[] = {
    AXIS(u, 0, "x", HK_INPUT, .start = "0", .description = "vector, in the turned frame"),
    AXIS(u, 1, "y", HK_INPUT, .start = "0"),
    AXIS(u, 2, "z", HK_INPUT, .start = "0"),
    AXIS(y, 0, "x", HK_OUTPUT, .depends_on = "u.x u.y u.z",
         .description = "the same vector, in the frame at rest"),
    AXIS(y, 1, "y", HK_OUTPUT, .depends_on = "u.x u.y u.z"),
    AXIS(y, 2, "z", HK_OUTPUT, .depends_on = "u.x u.y u.z"),
    PARAMETER(rotation, yaw, .start = "0", .unit = "rad", .description = "turn about z, first"),
    PARAMETER(rotation, pitch, .start = "0", .unit = "rad",
              .description = "turn about the new y, second"),
    PARAMETER(rotation, roll, .start = "0", .unit = "rad",
              .description = "turn about the new x, third"),
    HK_PORT(rotation, inverse, HK_PARAMETER, HK_TYPE_BOOL, .start = "false", .tunable = true,
            .description = "from the frame at rest to the turned frame"),
};
const hk_unit_type hk_builtin_rotation = {
    HK_BUILTIN_TYPE(rotation, "hk.Rotation", rotation_ports), .stamp = HK_STAMP_START,
    .description = "A vector in another frame", .output = rotation_output, .step = rotation_step};

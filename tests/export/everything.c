/* SPDX-License-Identifier: MIT
 *
 * Components for the tests of `hocket export`: one with every type, arrays, every causality and
 * derivatives; one that may have binary ports too (EVERYTHING_BINARY); one as it was before
 * hk_unit_type grew; one whose outputs of several types change from step to step; one with limits
 * and enumerations; one that draws random numbers; one that requires a service. */
#include <hk/unit.h>

#include <stdlib.h>
#include <string.h>

enum { VECTOR = 3 };

/* Each output follows the input of its type; init counts, so that a second call would show. */
typedef struct everything {
    double f64_in, f64_out, f64_in_v[VECTOR], f64_out_v[VECTOR];
    float f32_in, f32_out;
    int8_t i8_in, i8_out;
    uint8_t u8_in, u8_out;
    int16_t i16_in, i16_out;
    uint16_t u16_in, u16_out;
    int32_t i32_in, i32_out, i32_in_v[VECTOR], i32_out_v[VECTOR];
    uint32_t u32_in, u32_out;
    int64_t i64_in, i64_out;
    uint64_t u64_in, u64_out;
    bool bool_in, bool_out, bool_in_v[VECTOR], bool_out_v[VECTOR];
    int64_t enum_in, enum_out;
    hk_bytes text_in, text_out, text_in_v[2], text_out_v[2];
    hk_bytes bin_in, bin_out;
    double gain, offset, scaled, stated, watch;
    int32_t inits;
    char *held;
    char buffer[64];
} everything;

#define TWO(name, code, ...)                                                                       \
    HK_PORT(everything, name##_in, HK_INPUT, code, __VA_ARGS__),                                   \
        HK_PORT(everything, name##_out, HK_OUTPUT, code, .depends_on = #name "_in")

static const hk_port ports[] = {
    TWO(f64, HK_TYPE_F64, .unit = "km/h", .start = "0.1", .description = "A <real> & \"more\""),
    HK_PORT(everything, f64_in_v, HK_INPUT, HK_TYPE_F64, .count = VECTOR, .start = "1 -0 3e-7"),
    HK_PORT(everything, f64_out_v, HK_OUTPUT, HK_TYPE_F64, .count = VECTOR,
            .depends_on = "f64_in_v"),
    TWO(f32, HK_TYPE_F32, .unit = "degC", .start = "0.1"),
    TWO(i8, HK_TYPE_I8, .start = "-128"),
    TWO(u8, HK_TYPE_U8, .start = "255"),
    TWO(i16, HK_TYPE_I16, .start = "-32768"),
    TWO(u16, HK_TYPE_U16, .start = "65535"),
    TWO(i32, HK_TYPE_I32, .start = "-2147483648"),
    HK_PORT(everything, i32_in_v, HK_INPUT, HK_TYPE_I32, .count = VECTOR, .start = "7"),
    HK_PORT(everything, i32_out_v, HK_OUTPUT, HK_TYPE_I32, .count = VECTOR,
            .depends_on = "i32_in_v"),
    TWO(u32, HK_TYPE_U32, .start = "2147483647"),
    TWO(i64, HK_TYPE_I64, .start = "-5"),
    TWO(u64, HK_TYPE_U64, .start = "6"),
    TWO(bool, HK_TYPE_BOOL, .start = "true"),
    HK_PORT(everything, bool_in_v, HK_INPUT, HK_TYPE_BOOL, .count = VECTOR, .start = "1 0 1"),
    HK_PORT(everything, bool_out_v, HK_OUTPUT, HK_TYPE_BOOL, .count = VECTOR,
            .depends_on = "bool_in_v"),
    TWO(enum, HK_TYPE_ENUM, .start = "2"),
    TWO(text, HK_TYPE_STRING, .start = "a \"b\" <c> \xc3\xa9\n?"),
    HK_PORT(everything, text_in_v, HK_INPUT, HK_TYPE_STRING, .count = 2),
    HK_PORT(everything, text_out_v, HK_OUTPUT, HK_TYPE_STRING, .count = 2,
            .depends_on = "text_in_v"),
#ifdef EVERYTHING_BINARY
    TWO(bin, HK_TYPE_BINARY, .start = "00ff3022"),
#endif
    HK_PORT(everything, gain, HK_PARAMETER, HK_TYPE_F64, .start = "2"),
    HK_PORT(everything, offset, HK_PARAMETER, HK_TYPE_F64, .start = "0.25", .tunable = true),
    HK_PORT(everything, scaled, HK_CALCULATED_PARAMETER, HK_TYPE_F64),
    HK_PORT(everything, stated, HK_OUTPUT, HK_TYPE_F64, .start = "3", .depends_on = ""),
    HK_PORT(everything, watch, HK_LOCAL, HK_TYPE_F64),
    HK_PORT(everything, inits, HK_OUTPUT, HK_TYPE_I32),
};

static int everything_output(void *self, double t) {
    everything *x = self;
    (void)t;
    x->f64_out = x->gain * x->f64_in + x->offset;
    x->f32_out = x->f32_in;
    x->i8_out = x->i8_in;
    x->u8_out = x->u8_in;
    x->i16_out = x->i16_in;
    x->u16_out = x->u16_in;
    x->i32_out = x->i32_in;
    x->u32_out = x->u32_in;
    x->i64_out = x->i64_in;
    x->u64_out = x->u64_in;
    x->bool_out = x->bool_in;
    x->enum_out = x->enum_in;
    for (size_t i = 0; i < VECTOR; i++) {
        x->f64_out_v[i] = x->gain * x->f64_in_v[i];
        x->i32_out_v[i] = x->i32_in_v[VECTOR - 1 - i];
        x->bool_out_v[i] = !x->bool_in_v[i];
    }
    x->text_out = x->text_in;
    x->bin_out = x->bin_in;
    x->text_out_v[0] = x->text_in_v[1];
    /* A text of its own, in the struct: the state must carry it. */
    size_t size = x->text_in_v[0].size < sizeof x->buffer - 2 ? x->text_in_v[0].size : 0;
    x->buffer[0] = '<';
    memcpy(x->buffer + 1, x->text_in_v[0].data, size);
    x->buffer[size + 1] = 0;
    x->text_out_v[1] = (hk_bytes){x->buffer, size + 1};
    x->watch = x->f64_out;
    return HK_STEP_OK;
}

static int everything_init(void *self, double t) {
    everything *x = self;
    (void)t;
    x->scaled = 10 * x->gain;
    x->held = malloc(100); /* end frees it, so init must not be called twice without end */
    x->inits++;
    return x->held && x->gain > 0 ? HK_STEP_OK : HK_STEP_FAILED;
}

static int everything_step(void *self, double t, double h) {
    everything *x = self;
    x->stated += h * x->f64_in;
    if (x->f64_in > 1e6)
        return HK_STEP_FAILED;
    return everything_output(x, t + h);
}

static void everything_end(void *self) {
    everything *x = self;
    free(x->held);
}

/* f64_out and f64_out_v follow f64_in and f64_in_v with the gain, f64_out also gain and offset. */
static double slope(const everything *x, const char *unknown, const char *known, size_t *ret_n) {
    *ret_n = strcmp(unknown, "f64_out_v") == 0 ? VECTOR : 1;
    if (strcmp(unknown, "f64_out_v") == 0)
        return strcmp(known, "f64_in_v") == 0 ? x->gain : 0;
    if (strcmp(unknown, "f64_out") != 0)
        return 0;
    if (strcmp(known, "f64_in") == 0)
        return x->gain;
    return strcmp(known, "gain") == 0 ? x->f64_in : strcmp(known, "offset") == 0;
}

/* NOLINTNEXTLINE(readability-function-size): the parameters are those of hk_unit_type */
static int everything_derivative(void *self, const size_t *unknowns, size_t unknown_count,
                                 const size_t *knowns, size_t known_count, const double *seed,
                                 double *sensitivity) {
    for (size_t u = 0; u < unknown_count; u++) {
        size_t rows = 1;
        const double *from = seed;
        (void)slope(self, ports[unknowns[u]].name, "", &rows);
        memset(sensitivity, 0, rows * sizeof *sensitivity);
        for (size_t k = 0; k < known_count; k++) {
            size_t columns = ports[knowns[k]].count ? ports[knowns[k]].count : 1;
            double factor = slope(self, ports[unknowns[u]].name, ports[knowns[k]].name, &rows);
            for (size_t i = 0; i < rows && i < columns; i++)
                sensitivity[i] += factor * from[i];
            from += columns;
        }
        sensitivity += rows;
    }
    return HK_STEP_OK;
}

static const hk_unit_type everything_type = {
    HK_UNIT_TYPE(everything),
    .ports = ports,
    .port_count = sizeof ports / sizeof *ports,
    .description = "Every type & every <causality>",
    .stamp = HK_STAMP_START,
    .init = everything_init,
    .output = everything_output,
    .step = everything_step,
    .end = everything_end,
    .derivative = everything_derivative,
};

/* A type as it was before hk_unit_type grew: it must go on working. */
typedef struct older {
    double u, y;
} older;

static const hk_port older_ports[] = {
    HK_PORT(older, u, HK_INPUT, HK_TYPE_F64),
    HK_PORT(older, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
};

static int older_step(void *self, double t, double h) {
    older *x = self;
    (void)t;
    x->y += OLDER_SLOPE * h * x->u;
    return HK_STEP_OK;
}

static const hk_unit_type older_type = {.abi = HK_UNIT_ABI,
                                        .size = HK_UNIT_TYPE_MIN,
                                        .name = "older",
                                        .instance_size = sizeof(older),
                                        .ports = older_ports,
                                        .port_count = 2,
                                        .step = older_step};

/* Numbers, texts and arrays that change with every step. */
typedef struct mixer {
    double u, weights[VECTOR], sums[VECTOR], levels[VECTOR];
    float small;
    int32_t k, counts[2];
    int64_t total;
    uint8_t low;
    bool on, flags[2];
    hk_bytes word, said;
    char buffer[64];
} mixer;

static const hk_port mixer_ports[] = {
    HK_PORT(mixer, u, HK_INPUT, HK_TYPE_F64),
    HK_PORT(mixer, k, HK_INPUT, HK_TYPE_I32),
    HK_PORT(mixer, on, HK_INPUT, HK_TYPE_BOOL),
    HK_PORT(mixer, weights, HK_PARAMETER, HK_TYPE_F64, .count = VECTOR, .start = "1 2 3"),
    HK_PORT(mixer, word, HK_PARAMETER, HK_TYPE_STRING, .start = "step"),
    HK_PORT(mixer, levels, HK_OUTPUT, HK_TYPE_F64, .count = VECTOR),
    HK_PORT(mixer, small, HK_OUTPUT, HK_TYPE_F32),
    HK_PORT(mixer, counts, HK_OUTPUT, HK_TYPE_I32, .count = 2),
    HK_PORT(mixer, total, HK_OUTPUT, HK_TYPE_I64),
    HK_PORT(mixer, low, HK_OUTPUT, HK_TYPE_U8),
    HK_PORT(mixer, flags, HK_OUTPUT, HK_TYPE_BOOL, .count = 2),
    HK_PORT(mixer, said, HK_OUTPUT, HK_TYPE_STRING),
};

static int mixer_output(void *self, double t) {
    mixer *x = self;
    (void)t;
    for (size_t i = 0; i < VECTOR; i++)
        x->levels[i] = x->sums[i] + x->weights[i] * x->u;
    x->small = (float)(x->levels[0] / 3);
    x->low = (uint8_t)x->counts[0];
    x->flags[0] = x->on;
    x->flags[1] = x->counts[1] % 3 == 0;
    size_t size = x->word.size < sizeof x->buffer - 1 ? x->word.size : 0;
    memcpy(x->buffer, x->word.data, size);
    x->buffer[size] = (char)('0' + x->counts[1] % 10);
    x->said = (hk_bytes){x->buffer, size + 1};
    return HK_STEP_OK;
}

static int mixer_step(void *self, double t, double h) {
    mixer *x = self;
    for (size_t i = 0; i < VECTOR; i++)
        x->sums[i] += h * x->weights[i] * x->u;
    x->counts[0] += x->k;
    x->counts[1]++;
    x->total += x->on ? x->k : -1;
    return mixer_output(x, t + h);
}

static const hk_unit_type mixer_type = {HK_UNIT_TYPE(mixer), .ports = mixer_ports,
                                        .port_count = sizeof mixer_ports / sizeof *mixer_ports,
                                        .output = mixer_output, .step = mixer_step};

/* Enumerations and limits: one counts from 1, as FMI 1.0 demands, one does not. */
typedef struct valve {
    double u, opening, most;
    int64_t gear, mode, modes[2];
    int32_t steps;
} valve;

static const hk_port valve_ports[] = {
    HK_PORT(valve, u, HK_INPUT, HK_TYPE_F64),
    HK_PORT(valve, most, HK_PARAMETER, HK_TYPE_F64, .unit = "m2", .start = "0.1"),
    HK_PORT(valve, gear, HK_PARAMETER, HK_TYPE_ENUM, .start = "fast <2>"),
    HK_PORT(valve, opening, HK_OUTPUT, HK_TYPE_F64, .unit = "m2"),
    HK_PORT(valve, mode, HK_OUTPUT, HK_TYPE_ENUM, .start = "open"),
    HK_PORT(valve, modes, HK_OUTPUT, HK_TYPE_ENUM, .count = 2, .start = "shut open"),
    HK_PORT(valve, steps, HK_OUTPUT, HK_TYPE_I32),
};

static const hk_enum_item valve_gear_items[] = {{"slow", 1}, {"fast <2>", 2}};
static const hk_enum_item valve_mode_items[] = {{"shut", -1}, {"open", 5}};
static const hk_enum_type valve_gears = {"gears", valve_gear_items, 2};
static const hk_enum_type valve_modes = {"mode", valve_mode_items, 2}; /* as a port is called */
static const hk_domain valve_domains[] = {
    {.port = "most", .min = "0.1", .max = "1e22"},
    {.port = "gear", .enumeration = &valve_gears},
    {.port = "mode", .enumeration = &valve_modes},
    {.port = "modes", .min = "-1", .max = "5", .enumeration = &valve_modes},
    {.port = "steps", .min = "-0.5"},
};

static int valve_step(void *self, double t, double h) {
    valve *x = self;
    (void)t;
    x->opening = x->most * h * x->u * (double)x->gear;
    x->mode = x->modes[0] = x->u > 0 ? 5 : -1;
    x->steps++;
    return HK_STEP_OK;
}

static const hk_unit_type valve_type = {HK_UNIT_TYPE(valve),
                                        .ports = valve_ports,
                                        .port_count = sizeof valve_ports / sizeof *valve_ports,
                                        .step = valve_step,
                                        .domains = valve_domains,
                                        .domain_count =
                                            sizeof valve_domains / sizeof *valve_domains};

/* Random numbers already in init: the streams must be there. */
typedef struct noisy {
    hk_stream noise, dice;
    int64_t tick;
    double sigma, y;
    int32_t eyes;
} noisy;

static const hk_port noisy_ports[] = {
    HK_PORT(noisy, sigma, HK_PARAMETER, HK_TYPE_F64, .start = "1"),
    HK_PORT(noisy, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
    HK_PORT(noisy, eyes, HK_OUTPUT, HK_TYPE_I32, .depends_on = ""),
};

static const hk_stream_field noisy_streams[] = {
    {"noise", offsetof(noisy, noise)},
    {"dice", offsetof(noisy, dice)},
};

static int noisy_output(void *self, double t) {
    noisy *x = self;
    (void)t;
    x->y = x->sigma * hk_stream_normal(&x->noise, x->tick, 0);
    x->eyes = (int32_t)(hk_stream_u64(&x->dice, x->tick, 0) % 6 + 1);
    return HK_STEP_OK;
}

static int noisy_step(void *self, double t, double h) {
    noisy *x = self;
    x->tick++;
    return noisy_output(x, t + h);
}

static const hk_unit_type noisy_type = {HK_UNIT_TYPE(noisy),
                                        .ports = noisy_ports,
                                        .port_count = sizeof noisy_ports / sizeof *noisy_ports,
                                        .output = noisy_output,
                                        .step = noisy_step,
                                        .streams = noisy_streams,
                                        .stream_count = 2,
                                        .random_scales = "sigma"};

/* It calls another component, which an FMU cannot. */
typedef struct chart_source {
    double (*depth)(void *self, double x);
} chart_source;

typedef struct caller {
    struct {
        void *self;
        const chart_source *functions;
    } chart;
    double depth;
} caller;

static const hk_port caller_ports[] = {HK_PORT(caller, depth, HK_OUTPUT, HK_TYPE_F64)};
static const chart_source no_chart = {0};
static const hk_interface chart_interface = {
    .name = "sea.ChartSource", .signature = "sea.ChartSource", .stopped = &no_chart};
static const hk_service caller_services[] = {
    {.name = "chart", .interface = &chart_interface, .offset = offsetof(caller, chart)}};

static int caller_step(void *self, double t, double h) {
    caller *x = self;
    (void)h;
    x->depth = x->chart.functions->depth(x->chart.self, t);
    return HK_STEP_OK;
}

static const hk_unit_type caller_type = {
    HK_UNIT_TYPE(caller), .ports = caller_ports,       .port_count = 1,
    .step = caller_step,  .services = caller_services, .service_count = 1};

const hk_unit_type *const *hk_plugin(void) {
    static const hk_unit_type *const types[] = {
        &everything_type, &older_type, &mixer_type, &valve_type, &noisy_type, &caller_type, NULL};
    return types;
}

/* SPDX-License-Identifier: MIT
 *
 * What the simulators of these systems are: three filters, some outputs without delay, and a port
 * of every type. Exported as an FMU of FMI 2.0 and of FMI 1.0. */
#include <hk/unit.h>

#include <stddef.h>

typedef struct station {
    double u[3];       /* inputs */
    double x[3];       /* filtered u */
    double now[3];     /* 2 u + bias, without delay */
    double rate, bias; /* parameters */
    int32_t n, count;  /* an integer in, and n + the number of steps */
    bool flag, other;  /* a Boolean in, and its opposite */
    hk_bytes text;     /* a text in */
    hk_bytes echo;     /* and the same text out */
    int32_t steps;
    double angle, heading; /* in rad, and 10 + angle in deg: nobody may convert it */
} station;

static int station_output(void *self, double t) {
    station *s = self;
    (void)t;
    for (int i = 0; i < 3; i++)
        s->now[i] = 2 * s->u[i] + s->bias;
    s->count = s->n + s->steps;
    s->other = !s->flag;
    s->echo = s->text;
    s->heading = 10 + s->angle;
    return HK_STEP_OK;
}

static int station_step(void *self, double t, double h) {
    station *s = self;
    for (int i = 0; i < 3; i++)
        s->x[i] += h * s->rate * (s->u[i] - s->x[i]);
    s->steps++;
    return station_output(self, t);
}

#define AT(field, index) offsetof(station, field) + (index) * sizeof(double)
#define IN(name_, index)                                                                           \
    {                                                                                              \
        .name = name_, .offset = AT(u, index), .causality = HK_INPUT, .type = HK_TYPE_F64,         \
        .start = "0"                                                                               \
    }
#define SLOW(name_, index, first)                                                                  \
    {                                                                                              \
        .name = name_, .offset = AT(x, index), .causality = HK_OUTPUT, .type = HK_TYPE_F64,        \
        .start = first, .depends_on = ""                                                           \
    }
#define FAST(name_, index, from)                                                                   \
    {                                                                                              \
        .name = name_, .offset = AT(now, index), .causality = HK_OUTPUT, .type = HK_TYPE_F64,      \
        .depends_on = from                                                                         \
    }

static const hk_port ports[] = {
    IN("u1", 0),
    IN("u2", 1),
    IN("u3", 2),
    SLOW("x1", 0, "1"),
    SLOW("x2", 1, "-2"),
    SLOW("x3", 2, "0.5"),
    FAST("now1", 0, "u1"),
    FAST("now2", 1, "u2"),
    FAST("now3", 2, "u3"),
    HK_PORT(station, rate, HK_PARAMETER, HK_TYPE_F64, .start = "0.7"),
    HK_PORT(station, bias, HK_PARAMETER, HK_TYPE_F64, .start = "0.25"),
    HK_PORT(station, n, HK_INPUT, HK_TYPE_I32, .start = "0"),
    HK_PORT(station, count, HK_OUTPUT, HK_TYPE_I32, .depends_on = "n"),
    HK_PORT(station, flag, HK_INPUT, HK_TYPE_BOOL, .start = "false"),
    HK_PORT(station, other, HK_OUTPUT, HK_TYPE_BOOL, .depends_on = "flag"),
    HK_PORT(station, text, HK_INPUT, HK_TYPE_STRING, .start = ""),
    HK_PORT(station, echo, HK_OUTPUT, HK_TYPE_STRING, .depends_on = "text"),
    HK_PORT(station, angle, HK_INPUT, HK_TYPE_F64, .unit = "rad", .start = "0.5"),
    HK_PORT(station, heading, HK_OUTPUT, HK_TYPE_F64, .unit = "deg", .depends_on = "angle"),
};

static const hk_unit_type type = {HK_UNIT_TYPE(station),
                                  .ports = ports,
                                  .port_count = sizeof ports / sizeof *ports,
                                  .description = "three filters and a port of every type",
                                  .output = station_output,
                                  .step = station_step};

const hk_unit_type *const *hk_plugin(void) {
    static const hk_unit_type *const types[] = {&type, NULL};
    return types;
}

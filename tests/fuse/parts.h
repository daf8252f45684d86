/* SPDX-License-Identifier: MIT
 *
 * Leaves for tests of fused code: compiled into the test, and once more into what is fused. */
#ifndef HK_TEST_FUSE_PARTS_H
#define HK_TEST_FUSE_PARTS_H

#include <hk/unit.h>

#include <math.h>

/* ---- all kinds of values ---- */

typedef struct wide {
    double in[3], out[3];
    float single_in, single_out;
    int32_t whole_in, whole_out;
    bool flag_in, flag_out;
    int64_t long_in, long_out;
    double far_in, near_out; /* km and m */
    double gain, state;
    int64_t fails_after, nan_after, steps;
} wide;

static inline int wide_step(void *self, double t, double h) {
    wide *x = self;
    x->steps++;
    x->state += h * (x->in[0] - x->gain * x->state) + (x->flag_in ? 0.25 : 0.125) * sin(t);
    for (int i = 0; i < 3; i++)
        x->out[i] = x->out[(i + 1) % 3] * 0.5 + x->in[i] * x->gain + (double)x->single_in;
    x->single_out = (float)(x->state * 0.3) + x->single_in * 0.25f;
    x->whole_out = x->whole_in % 1000 + (int32_t)(x->steps % 7);
    x->flag_out = x->state > 0.1;
    x->long_out = x->long_in % 100003 * 3 + x->whole_in;
    x->near_out = 1000 * x->state + x->far_in / 3;
    if (x->nan_after && x->steps > x->nan_after)
        x->out[1] = (double)NAN;
    return x->fails_after && x->steps > x->fails_after ? 9 : HK_STEP_OK;
}

static const hk_port wide_ports[] = {
    HK_PORT(wide, in, HK_INPUT, HK_TYPE_F64, .count = 3, .start = "0.5"),
    HK_PORT(wide, out, HK_OUTPUT, HK_TYPE_F64, .count = 3, .depends_on = ""),
    HK_PORT(wide, single_in, HK_INPUT, HK_TYPE_F32),
    HK_PORT(wide, single_out, HK_OUTPUT, HK_TYPE_F32, .depends_on = ""),
    HK_PORT(wide, whole_in, HK_INPUT, HK_TYPE_I32),
    HK_PORT(wide, whole_out, HK_OUTPUT, HK_TYPE_I32, .depends_on = ""),
    HK_PORT(wide, flag_in, HK_INPUT, HK_TYPE_BOOL),
    HK_PORT(wide, flag_out, HK_OUTPUT, HK_TYPE_BOOL, .depends_on = ""),
    HK_PORT(wide, long_in, HK_INPUT, HK_TYPE_I64),
    HK_PORT(wide, long_out, HK_OUTPUT, HK_TYPE_I64, .depends_on = ""),
    HK_PORT(wide, far_in, HK_INPUT, HK_TYPE_F64, .unit = "km"),
    HK_PORT(wide, near_out, HK_OUTPUT, HK_TYPE_F64, .unit = "m", .depends_on = ""),
    HK_PORT(wide, gain, HK_PARAMETER, HK_TYPE_F64, .start = "0.7", .tunable = true),
    HK_PORT(wide, fails_after, HK_PARAMETER, HK_TYPE_I64),
    HK_PORT(wide, nan_after, HK_PARAMETER, HK_TYPE_I64),
};
static const hk_unit_type wide_type = {HK_UNIT_TYPE(wide), .ports = wide_ports, .port_count = 15,
                                       .step = wide_step};

/* ---- those who ask and those who answer ---- */

typedef struct depth_source {
    double (*depth)(void *self, double x);
} depth_source;

static inline double stopped_depth(void *self, double x) {
    (void)x;
    hk_service_stopped(self);
    return 0;
}

static const depth_source depth_stopped = {stopped_depth};
static const hk_interface depth_interface = {
    .name = "test.Depth", .signature = "double depth(double x)", .stopped = &depth_stopped};

typedef struct floor_ {
    double slope, tide, u;
} floor_;

static inline int floor_step(void *self, double t, double h) {
    floor_ *x = self;
    (void)h;
    x->tide = cos(t) + 0.01 * x->u;
    return HK_STEP_OK;
}

static inline double floor_depth(void *self, double x) {
    const floor_ *f = self;
    return f->tide + f->slope * x;
}

static const depth_source floor_functions = {floor_depth};
static const hk_service floor_services[] = {{"p", &depth_interface, &floor_functions, 0}};
static const hk_port floor_ports[] = {
    HK_PORT(floor_, slope, HK_PARAMETER, HK_TYPE_F64, .start = "0.25"),
    HK_PORT(floor_, tide, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
    HK_PORT(floor_, u, HK_INPUT, HK_TYPE_F64),
};
static const hk_unit_type floor_type = {.abi = HK_UNIT_ABI,
                                        .size = sizeof(hk_unit_type),
                                        .name = "floor",
                                        .instance_size = sizeof(floor_),
                                        .ports = floor_ports,
                                        .port_count = 3,
                                        .step = floor_step,
                                        .services = floor_services,
                                        .service_count = 1};

typedef struct diver {
    double u, y;
    struct {
        void *self;
        const depth_source *functions;
    } chart;
} diver;

static inline int diver_step(void *self, double t, double h) {
    diver *x = self;
    (void)t;
    x->y += h * (x->chart.functions->depth(x->chart.self, x->u) - x->y);
    return HK_STEP_OK;
}

static const hk_service diver_services[] = {
    {"chart", &depth_interface, NULL, offsetof(diver, chart)}};
static const hk_port diver_ports[] = {
    HK_PORT(diver, u, HK_INPUT, HK_TYPE_F64),
    HK_PORT(diver, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
};
static const hk_unit_type diver_type = {
    HK_UNIT_TYPE(diver), .ports = diver_ports,       .port_count = 2,
    .step = diver_step,  .services = diver_services, .service_count = 1};

/* Each number is given once: those who ask change who answers. */
typedef struct ticket_source {
    double (*next)(void *self);
} ticket_source;

static inline double stopped_next(void *self) {
    hk_service_stopped(self);
    return 0;
}

static const ticket_source ticket_stopped = {stopped_next};
static const hk_interface ticket_interface = {
    .name = "test.Tickets", .signature = "mutable double next()", .stopped = &ticket_stopped};

typedef struct office {
    double n;
} office;

static inline double office_next(void *self) {
    return ++((office *)self)->n;
}

static inline int office_step(void *self, double t, double h) {
    (void)t, (void)h;
    ((office *)self)->n += 100;
    return HK_STEP_OK;
}

static const ticket_source office_functions = {office_next};
static const hk_service office_services[] = {{"p", &ticket_interface, &office_functions, 0}};
static const hk_port office_ports[] = {
    HK_PORT(office, n, HK_OUTPUT, HK_TYPE_F64, .depends_on = "")};
static const hk_unit_type office_type = {
    HK_UNIT_TYPE(office), .ports = office_ports,       .port_count = 1,
    .step = office_step,  .services = office_services, .service_count = 1};

typedef struct visitor {
    double u, y;
    struct {
        void *self;
        const ticket_source *functions;
    } desk;
} visitor;

static inline int visitor_step(void *self, double t, double h) {
    visitor *x = self;
    (void)t, (void)h;
    x->y = x->desk.functions->next(x->desk.self) + x->u * 0.001;
    return HK_STEP_OK;
}

static const hk_service visitor_services[] = {
    {"desk", &ticket_interface, NULL, offsetof(visitor, desk)}};
static const hk_port visitor_ports[] = {
    HK_PORT(visitor, u, HK_INPUT, HK_TYPE_F64),
    HK_PORT(visitor, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
};
static const hk_unit_type visitor_type = {
    HK_UNIT_TYPE(visitor), .ports = visitor_ports,       .port_count = 2,
    .step = visitor_step,  .services = visitor_services, .service_count = 1};

#endif

/* SPDX-License-Identifier: MIT
 *
 * Components that ask each other, for tests: cnt counts its steps, hold keeps its input and
 * provides it, mix provides its first input plus ten times its second, ask asks for what is kept. A
 * drawer draws numbers from a teller, which changes it.
 */
#ifndef HK_TEST_CALLERS_H
#define HK_TEST_CALLERS_H

#include "rig.h"

typedef struct kept {
    double (*value)(void *self);
} kept;

static inline double stopped_value(void *self) {
    hk_service_stopped(self);
    return 0;
}

static const kept kept_stopped = {stopped_value};
static const hk_interface kept_interface = {
    .name = "test.Kept", .signature = "double value()", .stopped = &kept_stopped};

typedef struct cnt {
    double back, n;
} cnt;

static inline int cnt_step(void *self, double t, double h) {
    (void)t, (void)h;
    ((cnt *)self)->n += 1;
    return HK_STEP_OK;
}

static const hk_port cnt_ports[] = {
    HK_PORT(cnt, back, HK_INPUT, HK_TYPE_F64, .start = "0"),
    HK_PORT(cnt, n, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
};
static const hk_unit_type cnt_type = {HK_UNIT_TYPE(cnt), .ports = cnt_ports, .port_count = 2,
                                      .step = cnt_step};

typedef struct hold {
    double u, v, kept, begun;
} hold;

static inline int hold_init(void *self, double t) {
    (void)t;
    ((hold *)self)->begun = 7;
    return HK_STEP_OK;
}

static inline int hold_step(void *self, double t, double h) {
    (void)t, (void)h;
    hold *x = self;
    x->kept = x->u;
    return HK_STEP_OK;
}

static inline double hold_value(void *self) {
    const hold *x = self;
    return x->kept;
}

static const kept hold_kept = {hold_value};
static const hk_service hold_services[] = {{"p", &kept_interface, &hold_kept, 0}};
static const hk_port hold_ports[] = {
    HK_PORT(hold, u, HK_INPUT, HK_TYPE_F64, .start = "0"),
    HK_PORT(hold, v, HK_INPUT, HK_TYPE_F64, .start = "0"),
    HK_PORT(hold, kept, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
};
static const hk_unit_type hold_type = {
    HK_UNIT_TYPE(hold), .ports = hold_ports,       .port_count = 3,   .init = hold_init,
    .step = hold_step,  .services = hold_services, .service_count = 1};

typedef struct ask {
    struct {
        void *self;
        const kept *functions;
    } r;
    double y, first;
} ask;

static inline int ask_init(void *self, double t) {
    (void)t;
    ask *x = self;
    x->first = ((const hold *)x->r.self)->begun;
    return HK_STEP_OK;
}

static inline int ask_step(void *self, double t, double h) {
    (void)t, (void)h;
    ask *x = self;
    x->y = x->r.functions->value(x->r.self);
    return HK_STEP_OK;
}

static const hk_service ask_services[] = {{"r", &kept_interface, NULL, offsetof(ask, r)}};
static const hk_port ask_ports[] = {
    HK_PORT(ask, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
    HK_PORT(ask, first, HK_OUTPUT, HK_TYPE_F64, .depends_on = ""),
};
static const hk_unit_type ask_type = {
    HK_UNIT_TYPE(ask), .ports = ask_ports,       .port_count = 2,   .init = ask_init,
    .step = ask_step,  .services = ask_services, .service_count = 1};

static inline int mix_step(void *self, double t, double h) {
    (void)t, (void)h;
    hold *x = self;
    x->kept = x->u + 10 * x->v;
    return HK_STEP_OK;
}

typedef hold mix;
static const hk_unit_type mix_type = {
    HK_UNIT_TYPE(mix), .ports = hold_ports,       .port_count = 3,   .init = hold_init,
    .step = mix_step,  .services = hold_services, .service_count = 1};

/* Gives numbers, each one once. */

typedef struct numbers {
    double (*next)(void *self);
} numbers;

static inline double stopped_next(void *self) {
    hk_service_stopped(self);
    return 0;
}

static const numbers numbers_stopped = {stopped_next};
static const hk_interface numbers_interface = {
    .name = "test.Numbers", .signature = "mutable double next()", .stopped = &numbers_stopped};

typedef struct teller {
    double n;
} teller;

static inline double teller_next(void *self) {
    return ++((teller *)self)->n;
}

static inline int teller_step(void *self, double t, double h) {
    (void)t, (void)h;
    ((teller *)self)->n += 100; /* it sees what was drawn, and goes on from there */
    return HK_STEP_OK;
}

static const numbers teller_numbers = {teller_next};

static const hk_service teller_services[] = {{"p", &numbers_interface, &teller_numbers, 0}};

static const hk_port teller_ports[] = {
    HK_PORT(teller, n, HK_OUTPUT, HK_TYPE_F64, .depends_on = "")};

static const hk_unit_type teller_type = {
    HK_UNIT_TYPE(teller), .ports = teller_ports,       .port_count = 1,
    .step = teller_step,  .services = teller_services, .service_count = 1};

typedef struct drawer {
    struct {
        void *self;
        const numbers *functions;
    } r;
    double u, y;
} drawer;

static inline int drawer_step(void *self, double t, double h) {
    (void)t, (void)h;
    drawer *x = self;
    x->y = x->r.functions->next(x->r.self);
    return HK_STEP_OK;
}

static const hk_service drawer_services[] = {{"r", &numbers_interface, NULL, offsetof(drawer, r)}};

static const hk_port drawer_ports[] = {
    HK_PORT(drawer, u, HK_INPUT, HK_TYPE_F64, .start = "0"),
    HK_PORT(drawer, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = "")};

static const hk_unit_type drawer_type = {
    HK_UNIT_TYPE(drawer), .ports = drawer_ports,       .port_count = 2,
    .step = drawer_step,  .services = drawer_services, .service_count = 1};

/* The first provider is bound. */
static inline void require(rig *r, uint32_t caller, const uint32_t *providers, size_t count) {
    hk_requirement q = {.component = caller,
                        .candidates = HK_NEW_ARRAY(r->model->arena, hk_provider, count),
                        .candidate_count = count};
    for (size_t i = 0; i < count; i++)
        q.candidates[i] = (hk_provider){providers[i], 0};
    HK_PUSH(r->model->requirements, r->model->requirement_count, r->model->requirement_cap, q);
}

/* cnt (0), hold (1), mix (2), ask (3), which may ask hold and mix. With hold the order is hold,
 * ask, mix; with mix it is mix, ask, and the link from ask to mix is cut, since mix comes first by
 * its priority. Together these are a cycle. */
static inline void two_orders(rig *r) {
    r->algorithm = HK_GAUSS_SEIDEL;
    rig_add(r, "cnt", &cnt_type, NULL, NULL);
    uint32_t one = rig_add(r, "hold", &hold_type, NULL, NULL);
    uint32_t two = rig_add(r, "mix", &mix_type, NULL, NULL);
    uint32_t asks = rig_add(r, "ask", &ask_type, NULL, NULL);
    rig_connect(r, "cnt.n", "hold.u");
    rig_connect(r, "cnt.n", "mix.v");
    rig_connect(r, "ask.y", "mix.u");
    r->model->components[asks].priority = 9;
    require(r, asks, (uint32_t[]){one, two}, 2);
}

#endif

/* SPDX-License-Identifier: MIT
 *
 * FMUs as a hand-written loop uses them: the library's functions and one instance, nothing between.
 * The library is the same file that the engine loads. */
#ifndef HK_BENCH_BARE_H
#define HK_BENCH_BARE_H

#include "bench.h"
#include "fmi/fmi1_api.h"
#include "fmi/fmi2_api.h"
#include "fmi/fmi3_api.h"
#include "model/model.h"
#include "model/unit.h"

typedef struct bare_fmu {
    const hk_info *info;
    void *library;
    hk_fmi1_functions call1; /* of the three, the one of the FMU's version is filled */
    hk_fmi2_functions call;
    hk_fmi3_functions call3;
    fmi2CallbackFunctions callbacks;
    void *instance;
} bare_fmu;

/* Loads the library behind INFO and makes an instance that is ready to step. */
HK_NODISCARD hk_status bare_open(hk_ctx *ctx, const hk_info *info, const char *name,
                                 bare_fmu *bare);
void bare_close(bare_fmu *bare); /* zeroed is fine */
/* The value reference of a variable that must be there. */
HK_NODISCARD hk_status bare_ref(hk_ctx *ctx, const hk_info *info, const char *name,
                                uint32_t *ret_ref);

/* The quarter truck, all FMI calls written out. */
typedef struct bare_truck {
    bare_fmu chassis, wheel, ground;
    uint32_t chassis_in, chassis_out, wheel_in[2], wheel_out[2], ground_in, ground_out;
    double h;
    int64_t steps;
} bare_truck;
HK_NODISCARD hk_status bare_truck_open(hk_ctx *ctx, const hk_model *model, bare_truck *x);
void bare_truck_close(bare_truck *x);

/* One step: three gets, three sets, three steps. Up to 1 (a warning) is good. */
static inline int bare_truck_step(bare_truck *x) {
    double force, speeds[2], road, t = (double)x->steps * x->h;
    bare_fmu *c = &x->chassis, *w = &x->wheel, *g = &x->ground;
    int status = c->call.GetReal(c->instance, &x->chassis_out, 1, &force);
    status |= w->call.GetReal(w->instance, x->wheel_out, 2, speeds);
    status |= g->call.GetReal(g->instance, &x->ground_out, 1, &road);
    double wheel_in[2] = {force, road};
    status |= c->call.SetReal(c->instance, &x->chassis_in, 1, &speeds[0]);
    status |= w->call.SetReal(w->instance, x->wheel_in, 2, wheel_in);
    status |= g->call.SetReal(g->instance, &x->ground_in, 1, &speeds[1]);
    status |= c->call.DoStep(c->instance, t, x->h, fmi2True);
    status |= w->call.DoStep(w->instance, t, x->h, fmi2True);
    status |= g->call.DoStep(g->instance, t, x->h, fmi2True);
    x->steps++;
    return status;
}

/* The same with FMI 1.0. */
static inline int bare_truck1_step(bare_truck *x) {
    double force, speeds[2], road, t = (double)x->steps * x->h;
    bare_fmu *c = &x->chassis, *w = &x->wheel, *g = &x->ground;
    int status = c->call1.GetReal(c->instance, &x->chassis_out, 1, &force);
    status |= w->call1.GetReal(w->instance, x->wheel_out, 2, speeds);
    status |= g->call1.GetReal(g->instance, &x->ground_out, 1, &road);
    double wheel_in[2] = {force, road};
    status |= c->call1.SetReal(c->instance, &x->chassis_in, 1, &speeds[0]);
    status |= w->call1.SetReal(w->instance, x->wheel_in, 2, wheel_in);
    status |= g->call1.SetReal(g->instance, &x->ground_in, 1, &speeds[1]);
    status |= c->call1.DoStep(c->instance, t, x->h, fmi1True);
    status |= w->call1.DoStep(w->instance, t, x->h, fmi1True);
    status |= g->call1.DoStep(g->instance, t, x->h, fmi1True);
    x->steps++;
    return status;
}

/* A step of FMI 3.0: what it reports beside its status counts too. */
static inline int bare_step3(const bare_fmu *f, double t, double h) {
    bool event = false, terminate = false, early = false;
    double last;
    int status = f->call3.DoStep(f->instance, t, h, true, &event, &terminate, &early, &last);
    return status | (terminate || early ? HK_UNIT_ERROR : 0);
}

/* The same with FMI 3.0. */
static inline int bare_truck3_step(bare_truck *x) {
    double force, speeds[2], road, t = (double)x->steps * x->h;
    bare_fmu *c = &x->chassis, *w = &x->wheel, *g = &x->ground;
    int status = c->call3.GetFloat64(c->instance, &x->chassis_out, 1, &force, 1);
    status |= w->call3.GetFloat64(w->instance, x->wheel_out, 2, speeds, 2);
    status |= g->call3.GetFloat64(g->instance, &x->ground_out, 1, &road, 1);
    double wheel_in[2] = {force, road};
    status |= c->call3.SetFloat64(c->instance, &x->chassis_in, 1, &speeds[0], 1);
    status |= w->call3.SetFloat64(w->instance, x->wheel_in, 2, wheel_in, 2);
    status |= g->call3.SetFloat64(g->instance, &x->ground_in, 1, &speeds[1], 1);
    status |= bare_step3(c, t, x->h);
    status |= bare_step3(w, t, x->h);
    status |= bare_step3(g, t, x->h);
    x->steps++;
    return status;
}

#endif

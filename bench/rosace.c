/* SPDX-License-Identifier: MIT
 *
 * R-ROSACE, fifteen components at three rates: fused code against C that was fused by hand. */
#include "fused.h"
#include "rosace_steps.c"
#include "run.h"

#include "base/file.h"
#include "engine/deeds.h"
#include "model/address.h"

#include <math.h>
#include <string.h>

enum { CHUNK_FRAMES = 500, TICKS_PER_FRAME = 4, ROUNDS = 15 };

/* What somebody would write: a struct, a call for each component, an assignment for each wire, and
 * counters for the rates. Parameters are in the structs. */
typedef struct flight {
    elevator elevator;
    engine engine;
    flight_mode flight_mode;
    fcu fcu;
    flight_dynamics flight_dynamics;
    filter h_filter, vz_filter, va_filter, q_filter, az_filter;
    fcc fcc1a, fcc1b, fcc2a, fcc2b;
    cables cables;
    int64_t tick; /* of 5 ms */
} flight;

static int filter_flight(flight *x, double t) {
    x->vz_filter.raw = x->flight_dynamics.vz;
    x->va_filter.raw = x->flight_dynamics.va;
    x->q_filter.raw = x->flight_dynamics.q;
    x->az_filter.raw = x->flight_dynamics.az;
    int bad = filter_step(&x->vz_filter, t, 0.01);
    bad |= filter_step(&x->va_filter, t, 0.01);
    bad |= filter_step(&x->q_filter, t, 0.01);
    return bad | filter_step(&x->az_filter, t, 0.01);
}

static void inform(const flight *x, fcc *to) {
    to->h_f = x->h_filter.filtered;
    to->vz_f = x->vz_filter.filtered;
    to->va_f = x->va_filter.filtered;
    to->q_f = x->q_filter.filtered;
    to->az_f = x->az_filter.filtered;
    to->h_c = x->fcu.h_c;
    to->vz_c = x->fcu.vz_c;
    to->va_c = x->fcu.va_c;
    to->mode = x->flight_mode.mode;
}

static int control_flight(flight *x, double t) {
    inform(x, &x->fcc1a);
    int bad = com_step(&x->fcc1a, t, 0.02);
    inform(x, &x->fcc2a);
    bad |= com_step(&x->fcc2a, t, 0.02);
    inform(x, &x->fcc1b);
    x->fcc1b.delta_e_c = x->fcc1a.delta_e_c;
    x->fcc1b.delta_th_c = x->fcc1a.delta_th_c;
    x->fcc1b.other_master = x->fcc2b.master;
    bad |= mon_step(&x->fcc1b, t, 0.02);
    inform(x, &x->fcc2b);
    x->fcc2b.delta_e_c = x->fcc2a.delta_e_c;
    x->fcc2b.delta_th_c = x->fcc2a.delta_th_c;
    x->fcc2b.other_master = x->fcc1b.master;
    return bad | mon_step(&x->fcc2b, t, 0.02);
}

static int step_cables(flight *x, double t) {
    x->cables.delta_e_c_1 = x->fcc1a.delta_e_c;
    x->cables.delta_th_c_1 = x->fcc1a.delta_th_c;
    x->cables.relay_e_1 = x->fcc1b.relay_e;
    x->cables.relay_th_1 = x->fcc1b.relay_th;
    x->cables.delta_e_c_2 = x->fcc2a.delta_e_c;
    x->cables.delta_th_c_2 = x->fcc2a.delta_th_c;
    x->cables.relay_e_2 = x->fcc2b.relay_e;
    x->cables.relay_th_2 = x->fcc2b.relay_th;
    return cables_step(&x->cables, t, 0.005);
}

static int step_flight(flight *x) {
    double t = (double)x->tick / 200;
    x->elevator.delta_e_c = x->cables.delta_e_c;
    x->engine.delta_th_c = x->cables.delta_th_c;
    int bad = elevator_step(&x->elevator, t, 0.005);
    bad |= engine_step(&x->engine, t, 0.005);
    if (x->tick % 4 == 0) {
        bad |= flight_mode_step(&x->flight_mode, t, 0.02);
        bad |= fcu_step(&x->fcu, t, 0.02);
    }
    x->flight_dynamics.delta_e = x->elevator.delta_e;
    x->flight_dynamics.thrust = x->engine.thrust;
    bad |= flight_dynamics_step(&x->flight_dynamics, t, 0.005);
    if (x->tick % 2 == 0)
        bad |= filter_flight(x, t);
    if (x->tick % 4 == 0) {
        x->h_filter.raw = x->flight_dynamics.h;
        bad |= filter_step(&x->h_filter, t, 0.02);
        bad |= control_flight(x, t);
    }
    x->tick++;
    return bad | step_cables(x, t);
}

static hk_status flight_chunk(void *user) {
    int bad = 0;
    for (int i = 0; i < CHUNK_FRAMES * TICKS_PER_FRAME; i++)
        bad |= step_flight(user);
    return bad ? HK_E_UNIT_FAILED : HK_OK;
}

/* Both begin alike: what the engine has initialised. */
static void copy_flight(const bench_run *run, flight *to) {
    const struct {
        const char *name;
        void *at;
        size_t size;
    } parts[] = {{"elevator", &to->elevator, sizeof to->elevator},
                 {"engine", &to->engine, sizeof to->engine},
                 {"flight_mode", &to->flight_mode, sizeof to->flight_mode},
                 {"fcu", &to->fcu, sizeof to->fcu},
                 {"flight_dynamics", &to->flight_dynamics, sizeof to->flight_dynamics},
                 {"h_filter", &to->h_filter, sizeof(filter)},
                 {"vz_filter", &to->vz_filter, sizeof(filter)},
                 {"va_filter", &to->va_filter, sizeof(filter)},
                 {"q_filter", &to->q_filter, sizeof(filter)},
                 {"az_filter", &to->az_filter, sizeof(filter)},
                 {"fcc1a", &to->fcc1a, sizeof(fcc)},
                 {"fcc1b", &to->fcc1b, sizeof(fcc)},
                 {"fcc2a", &to->fcc2a, sizeof(fcc)},
                 {"fcc2b", &to->fcc2b, sizeof(fcc)},
                 {"cables", &to->cables, sizeof to->cables}};
    hk_arena *arena = hk_arena_create();
    const hk_system_deeds *deeds = hk_sim_deeds(run->sim, arena);
    for (size_t c = 0; c < deeds->cell_count; c++)
        for (size_t i = 0; i < deeds->cells[c].count; i++) {
            const hk_deed *d = &deeds->cells[c].all[i];
            for (size_t k = 0; d->kind == HK_SAID_STEP && k < sizeof parts / sizeof *parts; k++)
                if (strcmp(parts[k].name, run->model->components[d->component].name) == 0)
                    memcpy(parts[k].at, d->from.address, parts[k].size);
        }
    hk_arena_destroy(arena);
}

static hk_status compare_flight(bench *b, const bench_run *run, const flight *x) {
    hk_address at;
    double value;
    bool same = hk_model_find(run->model, "flight_dynamics.h", &at) &&
                hk_sim_read_f64(run->sim, at.component, at.variable, &value) &&
                memcmp(&value, &x->flight_dynamics.h, sizeof value) == 0;
    return same ? HK_OK
                : hk_error(b->ctx, HK_E_INTERNAL, HK_NOWHERE, NULL,
                           "engine and loop do not come to the same result");
}

static const bench_leaves leaves = {
    .source = "rosace_steps.c",
    .all = (const bench_leaf[]){{"elevator", "elevator_step"},
                                {"engine", "engine_step"},
                                {"flight_mode", "flight_mode_step"},
                                {"fcu", "fcu_step"},
                                {"flight_dynamics", "flight_dynamics_step"},
                                {"h_filter", "filter_step"},
                                {"vz_filter", "filter_step"},
                                {"va_filter", "filter_step"},
                                {"q_filter", "filter_step"},
                                {"az_filter", "filter_step"},
                                {"fcc_com", "com_step"},
                                {"fcc_mon", "mon_step"},
                                {"cables", "cables_step"}},
    .count = 13};

static hk_status round_of(bench *b, bench_run *run, bench_pairs *results) {
    hk_sim_options options = {0};
    flight *hand = hk_alloc(sizeof *hand);
    hk_status status = bench_run_start(b, run, &options);
    if (status == HK_OK)
        status = bench_fuse(b, run->model, run->sim, &leaves);
    if (status == HK_OK) {
        copy_flight(run, hand);
        run->chunk = CHUNK_FRAMES * run->plan->rates[0].period * TICKS_PER_FRAME;
        status = bench_paired((bench_work){flight_chunk, hand}, (bench_work){bench_run_chunk, run},
                              b->quick ? 2 : 100, results);
    }
    if (status == HK_OK)
        status = compare_flight(b, run, hand);
    bench_run_stop(run);
    hk_free(hand);
    return status;
}

hk_status bench_fused_rosace(bench *b) {
    static const char *const names[] = {"by hand", "fused"};
    bench_run run = {0};
    bench_pairs results = {0};
    void *shift[ROUNDS] = {NULL};
    hk_arena *arena = hk_arena_create();
    hk_status status = bench_run_read(b, hk_path_join(arena, b->models, "r_rosace.ssp"), &run);
    for (size_t i = 0; i < ROUNDS && status == HK_OK; i++) {
        shift[i] = hk_alloc(80 * i + 16);
        status = round_of(b, &run, &results);
    }
    if (status == HK_OK)
        bench_report_two(b, &results, names, (double)CHUNK_FRAMES * TICKS_PER_FRAME, "instant",
                         (bench_limits){NAN, 1.35});
    for (size_t i = 0; i < ROUNDS; i++)
        hk_free(shift[i]);
    bench_run_finish(&run);
    bench_pairs_finish(&results);
    hk_arena_destroy(arena);
    return status;
}

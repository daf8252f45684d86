/* SPDX-License-Identifier: MIT
 *
 * The engine against hand-written loops over the same components. */
#include "bare.h"
#include "fused.h"
#include "run.h"

#include "base/file.h"
#include "fmi/fmu.h"
#include "native/native.h"

#include <math.h>
#include <string.h>

enum { CHUNK_STEPS = 2000, ROUNDS = 15 };

/* --- truck: the engine alone -------------------------------------------------------------------*/

#define TRUCK_CHUNK(name, step)                                                                    \
    static hk_status name(void *user) {                                                            \
        bare_truck *truck = user;                                                                  \
        int status = 0;                                                                            \
        for (int i = 0; i < CHUNK_STEPS; i++)                                                      \
            status |= step(truck);                                                                 \
        return status > HK_UNIT_WARNING ? HK_E_UNIT_FAILED : HK_OK;                                \
    }
TRUCK_CHUNK(truck1_chunk, bare_truck1_step)
TRUCK_CHUNK(truck2_chunk, bare_truck_step)
TRUCK_CHUNK(truck3_chunk, bare_truck3_step)

/* One for each version of FMI, and one of light FMUs. */
typedef struct truck_case {
    const char *file;
    hk_status (*chunk)(void *user);
    double limit;
    bool fused;
} truck_case;

/* One round: fresh instances on both sides, in other places of the memory than those before. */
static hk_status truck_round(bench *b, const truck_case *which, bench_run *run, size_t pairs,
                             bench_pairs *results) {
    hk_sim_options options = {0}; /* guard, NaN check and profiler are on by default */
    bare_truck truck = {0};
    hk_status status = bare_truck_open(b->ctx, run->model, &truck);
    if (status == HK_OK)
        status = bench_run_start(b, run, &options);
    if (status == HK_OK && which->fused)
        status = bench_fuse(b, run->model, run->sim, &(bench_leaves){0});
    if (status == HK_OK) {
        run->chunk = CHUNK_STEPS * run->plan->components[0].period;
        status = bench_paired((bench_work){which->chunk, &truck},
                              (bench_work){bench_run_chunk, run}, pairs, results);
    }
    bench_run_stop(run);
    bare_truck_close(&truck);
    return status;
}

static hk_status measure_truck(bench *b, const truck_case *which, bench_run *run,
                               bench_pairs *results) {
    void *shift[ROUNDS] = {NULL};
    hk_status status = HK_OK;
    for (size_t i = 0; i < ROUNDS && status == HK_OK; i++) {
        shift[i] = hk_alloc(80 * i + 16);
        status = truck_round(b, which, run, b->quick ? 2 : 200, results);
    }
    for (size_t i = 0; i < ROUNDS; i++)
        hk_free(shift[i]);
    HK_TRY(status);
    bench_report_pairs(b, results, CHUNK_STEPS, "step", which->limit);
    return HK_OK;
}

static hk_status run_truck(bench *b, const truck_case *which) {
    bench_run run = {0};
    bench_pairs results = {0};
    hk_arena *arena = hk_arena_create();
    hk_status status = bench_run_read(b, hk_path_join(arena, b->models, which->file), &run);
    if (status == HK_OK)
        status = b->steps ? bench_run_counted(b, &run) : measure_truck(b, which, &run, &results);
    bench_run_finish(&run);
    bench_pairs_finish(&results);
    hk_arena_destroy(arena);
    return status;
}

hk_status bench_truck1(bench *b) {
    return run_truck(b, &(truck_case){"quarter_truck_fmi1.ssp", truck1_chunk, 1.07, false});
}

hk_status bench_truck(bench *b) {
    return run_truck(b, &(truck_case){"quarter_truck.ssp", truck2_chunk, 1.07, false});
}

hk_status bench_fused_truck(bench *b) {
    return run_truck(b, &(truck_case){"quarter_truck.ssp", truck2_chunk, 1.06, true});
}

hk_status bench_truck3(bench *b) {
    return run_truck(b, &(truck_case){"quarter_truck_fmi3.ssp", truck3_chunk, 1.08, false});
}

/* --- kit: a truck of light FMUs
 * -----------------------------------------------------------------*/

enum { CHASSIS, WHEEL, GROUND, KIT_COUNT };

static hk_status make_kit(bench *b, hk_fmu *fmus[KIT_COUNT], hk_model *model) {
    static const char *const names[KIT_COUNT] = {"chassis", "wheel", "ground"};
    static const struct {
        uint32_t from;
        const char *output;
        uint32_t to;
        const char *input;
    } wires[] = {{WHEEL, "p1.f", CHASSIS, "p.f"},
                 {CHASSIS, "p.e", WHEEL, "p1.e"},
                 {GROUND, "p.f", WHEEL, "p.f"},
                 {WHEEL, "p.e", GROUND, "p.e"}};
    const hk_info *infos[KIT_COUNT];
    for (uint32_t i = 0, index; i < KIT_COUNT; i++) {
        const char *file = hk_arena_printf(model->arena, "%s/kit_%s.fmu", HK_BENCH_FMUS, names[i]);
        HK_TRY(hk_fmu_open(b->ctx, file, &fmus[i]));
        infos[i] = hk_fmu_info(fmus[i]);
        HK_TRY(hk_model_add_component(b->ctx, model, names[i], infos[i], HK_NOWHERE, &index));
    }
    for (size_t i = 0; i < sizeof wires / sizeof wires[0]; i++)
        hk_model_connect(model, wires[i].from, hk_info_find(infos[wires[i].from], wires[i].output),
                         wires[i].to, hk_info_find(infos[wires[i].to], wires[i].input), HK_NOWHERE);
    bench_run_set_time(model, 1000000);
    return HK_OK;
}

static hk_status run_kit(bench *b, const truck_case *which) {
    bench_run run = {.model = hk_model_create("kit", NULL)};
    bench_pairs results = {0};
    hk_fmu *fmus[KIT_COUNT] = {NULL};
    hk_status status = make_kit(b, fmus, run.model);
    if (status == HK_OK)
        status = b->steps ? bench_run_counted(b, &run) : measure_truck(b, which, &run, &results);
    bench_run_finish(&run);
    for (int i = 0; i < KIT_COUNT; i++)
        hk_fmu_close(fmus[i]);
    bench_pairs_finish(&results);
    return status;
}

hk_status bench_kit(bench *b) {
    return run_kit(b, &(truck_case){NULL, truck2_chunk, 1.19, false});
}

hk_status bench_fused_kit(bench *b) {
    return run_kit(b, &(truck_case){NULL, truck2_chunk, 1.08, true});
}

/* --- native: 16 components that do next to nothing
 * ----------------------------------------------*/

enum { NATIVE_COUNT = 16 };

typedef struct follower {
    double u, y, gain;
} follower;

static const hk_port follower_ports[] = {
    HK_PORT(follower, u, HK_INPUT, HK_TYPE_F64, .start = "1"),
    HK_PORT(follower, y, HK_OUTPUT, HK_TYPE_F64, .start = "0", .depends_on = ""),
    HK_PORT(follower, gain, HK_PARAMETER, HK_TYPE_F64, .start = "0.5"),
};

static int follower_step(void *self, double t, double h) {
    follower *x = self;
    (void)t;
    x->y += h * x->gain * (x->u - x->y);
    return HK_STEP_OK;
}

static const hk_unit_type follower_type = {HK_UNIT_TYPE(follower), .ports = follower_ports,
                                           .port_count = 3, .step = follower_step};

typedef struct followers {
    follower each[NATIVE_COUNT];
    int (*volatile step)(void *self, double t, double h); /* as opaque as it is to the engine */
    int64_t steps;
} followers;

static hk_status followers_chunk(void *user) {
    followers *x = user;
    int (*step)(void *, double, double) = x->step;
    int status = 0;
    for (int i = 0; i < CHUNK_STEPS; i++, x->steps++) {
        double outputs[NATIVE_COUNT], t = (double)x->steps * 0.001;
        for (int k = 0; k < NATIVE_COUNT; k++)
            outputs[k] = x->each[k].y;
        for (int k = 1; k < NATIVE_COUNT; k++)
            x->each[k].u = outputs[k - 1];
        for (int k = 0; k < NATIVE_COUNT; k++)
            status |= step(&x->each[k], t, 0.001);
    }
    return status ? HK_E_UNIT_FAILED : HK_OK;
}

static hk_status make_followers(bench *b, hk_model *model) {
    const hk_info *info;
    HK_TRY(hk_native_info(b->ctx, model, &follower_type, &info));
    return bench_run_add_row(b, model, &(bench_row){info, "f", "u", "y", NATIVE_COUNT});
}

static hk_status measure_followers(bench *b, bench_run *run, followers *bare,
                                   bench_pairs *results) {
    hk_sim_options options = {0};
    HK_TRY(make_followers(b, run->model));
    if (b->steps)
        return bench_run_counted(b, run);
    HK_TRY(bench_run_start(b, run, &options));
    run->chunk = CHUNK_STEPS * run->plan->components[0].period;
    HK_TRY(bench_paired((bench_work){followers_chunk, bare}, (bench_work){bench_run_chunk, run},
                        b->quick ? 20 : 3000, results));
    static const char *const names[2] = {"bare loop", "engine"};
    const bench_limits limits = {.work = 4.2, .ratio = NAN}; /* the bare loop itself moves */
    bench_report_two(b, results, names, (double)CHUNK_STEPS * NATIVE_COUNT, "component-step",
                     limits);
    return HK_OK;
}

hk_status bench_native(bench *b) {
    bench_run run = {.model = hk_model_create("followers", NULL)};
    bench_pairs results = {0};
    followers bare = {.step = follower_step};
    for (int i = 0; i < NATIVE_COUNT; i++)
        bare.each[i] = (follower){.u = 1, .gain = 0.5};
    hk_status status = measure_followers(b, &run, &bare, &results);
    bench_run_finish(&run);
    bench_pairs_finish(&results);
    return status;
}

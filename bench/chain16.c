/* SPDX-License-Identifier: MIT
 *
 * What systems in hocket's own language are about: many small native components with the lag
 * `current`. Sensors, adapters, a filter, an analysis: against loops that are written by hand. */
#include "fused.h"
#include "run.h"
#include "sea.h"

#include "base/file.h"
#include "check/check.h"
#include "model/address.h"
#include "native/native.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CHUNK_STEPS = 1000, ROUNDS = 15 };

enum {
    VEHICLE,
    TO_DVL,
    DVL,
    FROM_DVL,
    GYRO,
    FROM_GYRO,
    COMPASS,
    FROM_COMPASS,
    DEPTH,
    FROM_DEPTH,
    GPS_NORTH,
    GPS_EAST,
    ATTITUDE,
    NAVIGATION,
    FILTER,
    ANALYSIS,
    SEA_COUNT
};

static const struct {
    const char *name;
    const hk_unit_type *type;
} parts[SEA_COUNT] = {
    [VEHICLE] = {"vehicle", &sea_vehicle_type},
    [TO_DVL] = {"to_dvl", &sea_turn_type},
    [DVL] = {"dvl", &sea_sensor_type},
    [FROM_DVL] = {"from_dvl", &sea_turn_type},
    [GYRO] = {"gyro", &sea_sensor_type},
    [FROM_GYRO] = {"from_gyro", &sea_turn_type},
    [COMPASS] = {"compass", &sea_gauge_type},
    [FROM_COMPASS] = {"from_compass", &sea_adapter_type},
    [DEPTH] = {"depth", &sea_gauge_type},
    [FROM_DEPTH] = {"from_depth", &sea_adapter_type},
    [GPS_NORTH] = {"gps_north", &sea_gauge_type},
    [GPS_EAST] = {"gps_east", &sea_gauge_type},
    [ATTITUDE] = {"attitude", &sea_attitude_type},
    [NAVIGATION] = {"navigation", &sea_navigation_type},
    [FILTER] = {"filter", &sea_filter_type},
    [ANALYSIS] = {"analysis", &sea_analysis_type},
};

static const struct {
    int from;
    const char *output;
    int to;
    const char *input;
    bool vector; /* of x, y and z */
} wires[] = {
    {VEHICLE, "speed", TO_DVL, "in", true},
    {TO_DVL, "out", DVL, "in", true},
    {DVL, "out", FROM_DVL, "in", true},
    {VEHICLE, "rotation", GYRO, "in", true},
    {GYRO, "out", FROM_GYRO, "in", true},
    {VEHICLE, "heading", COMPASS, "in", false},
    {COMPASS, "out", FROM_COMPASS, "in", false},
    {VEHICLE, "position.z", DEPTH, "in", false},
    {DEPTH, "out", FROM_DEPTH, "in", false},
    {VEHICLE, "position.x", GPS_NORTH, "in", false},
    {VEHICLE, "position.y", GPS_EAST, "in", false},
    {FROM_GYRO, "out", ATTITUDE, "rotation", true},
    {FROM_COMPASS, "out", ATTITUDE, "compass", false},
    {FROM_DVL, "out", NAVIGATION, "speed", true},
    {ATTITUDE, "heading", NAVIGATION, "heading", false},
    {NAVIGATION, "position", FILTER, "reckoned", true},
    {GPS_NORTH, "out", FILTER, "north", false},
    {GPS_EAST, "out", FILTER, "east", false},
    {FROM_DEPTH, "out", FILTER, "depth", false},
    {VEHICLE, "position", ANALYSIS, "truth", true},
    {FILTER, "estimate", ANALYSIS, "estimate", true},
};

static hk_status connect_one(bench *b, hk_model *model, size_t wire, const char *axis) {
    hk_address f, t;
    const char *from = hk_arena_printf(model->arena, "%s.%s%s", parts[wires[wire].from].name,
                                       wires[wire].output, axis);
    const char *to = hk_arena_printf(model->arena, "%s.%s%s", parts[wires[wire].to].name,
                                     wires[wire].input, axis);
    if (!hk_model_find(model, from, &f) || !hk_model_find(model, to, &t))
        return hk_error(b->ctx, HK_E_INTERNAL, HK_NOWHERE, NULL, "no '%s' or '%s'", from, to);
    hk_model_connect(model, f.component, f.variable, t.component, t.variable, HK_NOWHERE)->lag =
        HK_LAG_CURRENT;
    return HK_OK;
}

static hk_status make_sea(bench *b, hk_model *model) {
    uint32_t index;
    for (size_t i = 0; i < SEA_COUNT; i++) {
        const hk_info *info;
        HK_TRY(hk_native_info(b->ctx, model, parts[i].type, &info));
        HK_TRY(hk_model_add_component(b->ctx, model, parts[i].name, info, HK_NOWHERE, &index));
    }
    for (size_t i = 0; i < sizeof wires / sizeof *wires; i++) {
        static const char *const axes[] = {".x", ".y", ".z"};
        for (size_t k = 0; k < 3 && wires[i].vector; k++)
            HK_TRY(connect_one(b, model, i, axes[k]));
        if (!wires[i].vector)
            HK_TRY(connect_one(b, model, i, ""));
    }
    bench_run_set_time(model, 1000000);
    HK_TRY(hk_check_model(b->ctx, model));
    hk_model_lower(model);
    return HK_OK;
}

/* What somebody would write who has these sixteen: a struct of each, calls through pointers that
 * came from elsewhere, and an assignment for each wire. */
typedef struct sea {
    sea_system all;
    int (*volatile steps[SEA_COUNT])(void *self, double t, double h);
    int64_t done;
} sea;

static int sea_step(sea_system *x, int (*const *step)(void *, double, double), double t, double h) {
    int bad = step[VEHICLE](&x->vehicle, t, h);
    x->to_dvl.in = x->vehicle.speed;
    bad |= step[TO_DVL](&x->to_dvl, t, h);
    x->dvl.in = x->to_dvl.out;
    bad |= step[DVL](&x->dvl, t, h);
    x->from_dvl.in = x->dvl.out;
    bad |= step[FROM_DVL](&x->from_dvl, t, h);
    x->gyro.in = x->vehicle.rotation;
    bad |= step[GYRO](&x->gyro, t, h);
    x->from_gyro.in = x->gyro.out;
    bad |= step[FROM_GYRO](&x->from_gyro, t, h);
    x->compass.in = x->vehicle.heading;
    bad |= step[COMPASS](&x->compass, t, h);
    x->from_compass.in = x->compass.out;
    bad |= step[FROM_COMPASS](&x->from_compass, t, h);
    x->depth.in = x->vehicle.position.z;
    bad |= step[DEPTH](&x->depth, t, h);
    x->from_depth.in = x->depth.out;
    bad |= step[FROM_DEPTH](&x->from_depth, t, h);
    x->gps_north.in = x->vehicle.position.x;
    bad |= step[GPS_NORTH](&x->gps_north, t, h);
    x->gps_east.in = x->vehicle.position.y;
    bad |= step[GPS_EAST](&x->gps_east, t, h);
    x->attitude.rotation = x->from_gyro.out;
    x->attitude.compass = x->from_compass.out;
    bad |= step[ATTITUDE](&x->attitude, t, h);
    x->navigation.speed = x->from_dvl.out;
    x->navigation.heading = x->attitude.heading;
    bad |= step[NAVIGATION](&x->navigation, t, h);
    x->filter.reckoned = x->navigation.position;
    x->filter.north = x->gps_north.out;
    x->filter.east = x->gps_east.out;
    x->filter.depth = x->from_depth.out;
    bad |= step[FILTER](&x->filter, t, h);
    x->analysis.truth = x->vehicle.position;
    x->analysis.estimate = x->filter.estimate;
    return bad | step[ANALYSIS](&x->analysis, t, h);
}

static hk_status sea_chunk(void *user) {
    sea *x = user;
    int (*steps[SEA_COUNT])(void *, double, double);
    int bad = 0;
    for (size_t i = 0; i < SEA_COUNT; i++)
        steps[i] = x->steps[i];
    for (int i = 0; i < CHUNK_STEPS; i++, x->done++)
        bad |= sea_step(&x->all, steps, (double)x->done / 1000, 0.001);
    return bad ? HK_E_UNIT_FAILED : HK_OK;
}

static sea *sea_create(void) {
    sea *x = hk_alloc(sizeof *x);
    sea_begin(&x->all);
    for (size_t i = 0; i < SEA_COUNT; i++)
        x->steps[i] = parts[i].type->step;
    return x;
}

/* Both have taken the same number of steps, so they must have come to the same bits. */
static hk_status compare_sea(bench *b, const bench_run *run, const sea *x) {
    static const char *const names[] = {"filter.estimate.x", "filter.estimate.y",
                                        "filter.estimate.z"};
    const double expected[] = {x->all.filter.estimate.x, x->all.filter.estimate.y,
                               x->all.filter.estimate.z};
    bool same = true;
    for (size_t i = 0; i < 3; i++) {
        hk_address at;
        double value;
        same = same && hk_model_find(run->model, names[i], &at) &&
               hk_sim_read_f64(run->sim, at.component, at.variable, &value) &&
               memcmp(&value, &expected[i], sizeof value) == 0;
    }
    return same ? HK_OK
                : hk_error(b->ctx, HK_E_INTERNAL, HK_NOWHERE, NULL,
                           "engine and loop do not come to the same result");
}

/* ---- the cases ---- */

static const bench_leaves leaves = {.source = "sea.c",
                                    .all = (const bench_leaf[]){{"sea_vehicle", "drive"},
                                                                {"sea_turn", "turn"},
                                                                {"sea_sensor", "measure"},
                                                                {"sea_gauge", "gauge"},
                                                                {"sea_adapter", "adapt"},
                                                                {"sea_attitude", "attitude"},
                                                                {"sea_navigation", "navigate"},
                                                                {"sea_filter", "filter"},
                                                                {"sea_analysis", "analyse"}},
                                    .count = 9};

static hk_status hand_chunk(void *user) {
    sea *x = user;
    int bad = 0;
    for (int i = 0; i < CHUNK_STEPS; i++, x->done++)
        bad |= sea_hand_step(&x->all, (double)x->done / 1000, 0.001);
    return bad ? HK_E_UNIT_FAILED : HK_OK;
}

/* What the engine is measured against, and by whom its cells run. */
typedef struct sea_case {
    hk_status (*bare)(void *user);
    bool fused;
} sea_case;

/* One round: fresh instances on both sides, in other places of the memory than those before. */
static hk_status sea_round(bench *b, const sea_case *which, bench_run *run, bench_pairs *results) {
    hk_sim_options options = {0};
    sea *bare = sea_create();
    hk_status status = bench_run_start(b, run, &options);
    if (status == HK_OK && which->fused)
        status = bench_fuse(b, run->model, run->sim, &leaves);
    if (status == HK_OK) {
        run->chunk = CHUNK_STEPS * run->plan->components[0].period;
        status = bench_paired((bench_work){which->bare, bare}, (bench_work){bench_run_chunk, run},
                              b->quick ? 2 : 100, results);
    }
    if (status == HK_OK)
        status = compare_sea(b, run, bare);
    bench_run_stop(run);
    hk_free(bare);
    return status;
}

static hk_status sea_rounds(bench *b, const sea_case *which, bench_run *run, bench_pairs *results) {
    void *shift[ROUNDS] = {NULL};
    hk_status status = HK_OK;
    for (size_t i = 0; i < ROUNDS && status == HK_OK; i++) {
        shift[i] = hk_alloc(80 * i + 16);
        status = sea_round(b, which, run, results);
    }
    for (size_t i = 0; i < ROUNDS; i++)
        hk_free(shift[i]);
    return status;
}

hk_status bench_chain16(bench *b) {
    bench_run run = {.model = hk_model_create("sea", NULL)};
    bench_pairs results = {0};
    hk_status status = make_sea(b, run.model);
    if (status == HK_OK)
        status = b->steps ? bench_run_counted(b, &run)
                          : sea_rounds(b, &(sea_case){sea_chunk, false}, &run, &results);
    if (status == HK_OK && !b->steps)
        bench_report_pairs(b, &results, (double)CHUNK_STEPS * SEA_COUNT, "component-step", 1.3);
    bench_run_finish(&run);
    bench_pairs_finish(&results);
    return status;
}

hk_status bench_fused16(bench *b) {
    static const char *const names[][2] = {{"bare loop", "fused"}, {"by hand", "fused"}};
    static const sea_case cases[] = {{sea_chunk, true}, {hand_chunk, true}};
    static const double limits[] = {1.08, 1.35};
    bench_run run = {.model = hk_model_create("sea", NULL)};
    hk_status status = make_sea(b, run.model);
    for (size_t i = 0; i < 2 && status == HK_OK; i++) {
        bench_pairs results = {0};
        status = sea_rounds(b, &cases[i], &run, &results);
        if (status == HK_OK)
            bench_report_two(b, &results, names[i], (double)CHUNK_STEPS * SEA_COUNT,
                             "component-step", (bench_limits){NAN, limits[i]});
        bench_pairs_finish(&results);
    }
    bench_run_finish(&run);
    return status;
}

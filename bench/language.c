/* SPDX-License-Identifier: MIT
 *
 * What systems in hocket's own language are about: many small native components with the lag
 * `current`, and large system files. */
#include "run.h"
#include "sea.h"

#include "base/file.h"
#include "check/check.h"
#include "lang/lang.h"
#include "model/address.h"
#include "native/native.h"
#include "sound/sound.h"

#include <stdio.h>
#include <string.h>

/* --- chain16: sensors, adapters, a filter, an analysis
 * ------------------------------------------*/

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
    sea_vehicle vehicle;
    sea_turn to_dvl, from_dvl, from_gyro;
    sea_sensor dvl, gyro;
    sea_gauge compass, depth, gps_north, gps_east;
    sea_adapter from_compass, from_depth;
    sea_attitude attitude;
    sea_navigation navigation;
    sea_filter filter;
    sea_analysis analysis;
    int (*volatile steps[SEA_COUNT])(void *self, double t, double h);
    int64_t done;
} sea;

static int sea_step(sea *x, int (*const *step)(void *, double, double), double t, double h) {
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
        bad |= sea_step(x, steps, (double)x->done / 1000, 0.001);
    return bad ? HK_E_UNIT_FAILED : HK_OK;
}

static sea *sea_create(void) {
    static const double ten_ms = 0.01;
    sea *x = hk_alloc(sizeof *x);
    x->vehicle = (sea_vehicle){.radius = 50, .rate = 0.04, .sink = 0.1};
    x->to_dvl = x->from_dvl = x->from_gyro = (sea_turn){.cosine = 0.8, .sine = 0.6};
    x->dvl = x->gyro =
        (sea_sensor){.scale = 1.002, .bias = 0.001, .inertia = ten_ms, .resolution = 0.0001};
    x->compass = x->depth = x->gps_north = x->gps_east =
        (sea_gauge){.scale = 1.002, .bias = 0.001, .inertia = ten_ms, .resolution = 0.0001};
    x->from_compass = x->from_depth = (sea_adapter){.factor = 1, .offset = -0.001};
    x->attitude.trust = 0.01;
    x->filter.trust = 0.002;
    for (size_t i = 0; i < SEA_COUNT; i++)
        x->steps[i] = parts[i].type->step;
    return x;
}

/* Both have taken the same number of steps, so they must have come to the same bits. */
static hk_status compare_sea(bench *b, const bench_run *run, const sea *x) {
    static const char *const names[] = {"filter.estimate.x", "filter.estimate.y",
                                        "filter.estimate.z"};
    const double expected[] = {x->filter.estimate.x, x->filter.estimate.y, x->filter.estimate.z};
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

/* One round: fresh instances on both sides, in other places of the memory than those before. */
static hk_status sea_round(bench *b, bench_run *run, size_t pairs, bench_pairs *results) {
    hk_sim_options options = {0};
    sea *bare = sea_create();
    hk_status status = bench_run_start(b, run, &options);
    if (status == HK_OK) {
        run->chunk = CHUNK_STEPS * run->plan->components[0].period;
        status = bench_paired((bench_work){sea_chunk, bare}, (bench_work){bench_run_chunk, run},
                              pairs, results);
    }
    if (status == HK_OK)
        status = compare_sea(b, run, bare);
    bench_run_stop(run);
    hk_free(bare);
    return status;
}

hk_status bench_chain16(bench *b) {
    bench_run run = {.model = hk_model_create("sea", NULL)};
    bench_pairs results = {0};
    void *shift[ROUNDS] = {NULL};
    hk_status status = make_sea(b, run.model);
    if (b->steps && status == HK_OK)
        status = bench_run_counted(b, &run);
    for (size_t i = 0; i < ROUNDS && status == HK_OK && !b->steps; i++) {
        shift[i] = hk_alloc(80 * i + 16);
        status = sea_round(b, &run, b->quick ? 2 : 100, &results);
    }
    if (status == HK_OK && !b->steps)
        bench_report_pairs(b, &results, (double)CHUNK_STEPS * SEA_COUNT, "component-step", 1.3);
    for (size_t i = 0; i < ROUNDS; i++)
        hk_free(shift[i]);
    bench_run_finish(&run);
    bench_pairs_finish(&results);
    return status;
}

/* --- language: a system file with very many components
 * -------------------------------------------*/

enum { WIDTH = 100, SMALL = 10000, LARGE = 100000 };

/* Composites in a chain, each with a chain of WIDTH leaves in it. */
static void put_system(FILE *out, size_t components) {
    fputs("system large {\n  composite root {\n", out);
    for (size_t c = 0; c < components / WIDTH; c++) {
        fprintf(out, "    composite c%zu {\n      input core.double u;\n", c);
        fputs("      output core.double y;\n      link u -> g0.u;\n", out);
        for (size_t i = 0; i < WIDTH; i++) {
            fprintf(out, "      leaf g%zu : hk.Gain { frequency 1000 Hz; param gain = 0.5; }\n", i);
            if (i)
                fprintf(out, "      link g%zu.y -> g%zu.u;\n", i - 1, i);
        }
        fprintf(out, "      link g%d.y -> y;\n    }\n", WIDTH - 1);
        if (c)
            fprintf(out, "    link c%zu.y -> c%zu.u;\n", c - 1, c);
    }
    fputs("  }\n}\n", out);
}

typedef struct sized {
    bench *b;
    const char *path;
    size_t count;
} sized;

static hk_status write_system(const sized *x) {
    FILE *out = fopen(x->path, "w");
    bool good = out != NULL;
    if (good) {
        put_system(out, x->count);
        good = !ferror(out);
        good = fclose(out) == 0 && good;
    }
    return good ? HK_OK
                : hk_error(x->b->ctx, HK_E_FILE_WRITE, (hk_where){.file = x->path}, NULL,
                           "the file cannot be written");
}

/* What `hocket check` does; in a chain each component has a level of its own. */
static hk_status read_system(void *user) {
    const sized *x = user;
    hk_model *model;
    hk_plan *plan = NULL;
    hk_plan_options options = {.algorithm = HK_GAUSS_SEIDEL};
    HK_TRY(hk_system_read(x->b->ctx, x->path, &model));
    bench_run_set_time(model, 1);
    hk_status status = hk_check_model(x->b->ctx, model);
    hk_model_lower(model);
    if (status == HK_OK)
        status = hk_plan_make(x->b->ctx, model, &options, &plan);
    if (status == HK_OK)
        status = hk_sound_check_plan(x->b->ctx, plan, NULL);
    if (status == HK_OK &&
        (model->component_count != x->count || model->connection_count != x->count - 1))
        status = hk_error(x->b->ctx, HK_E_INTERNAL, (hk_where){.file = x->path}, NULL,
                          "%zu components and %zu connections were read", model->component_count,
                          model->connection_count);
    hk_plan_destroy(plan);
    hk_model_destroy(model);
    return status;
}

/* The small one as often as the large one is larger: what slows the machine down slows both. */
static hk_status read_small(void *user) {
    for (int i = 0; i < LARGE / SMALL; i++)
        HK_TRY(read_system(user));
    return HK_OK;
}

hk_status bench_language(bench *b) {
    static const char *const names[2] = {"10 x 10,000", "100,000"};
    hk_arena *arena = hk_arena_create();
    bench_pairs results = {0};
    sized small = {b, hk_path_join(arena, b->scratch, "small.system"), SMALL};
    sized large = {b, hk_path_join(arena, b->scratch, "large.system"), LARGE};
    hk_status status = write_system(&small);
    if (status == HK_OK)
        status = write_system(&large);
    if (status == HK_OK)
        status = bench_paired((bench_work){read_small, &small}, (bench_work){read_system, &large},
                              b->quick ? 1 : 7, &results);
    if (status == HK_OK) {
        double shortest = results.work[0];
        for (size_t i = 1; i < results.count; i++)
            shortest = results.work[i] < shortest ? results.work[i] : shortest;
        bench_report(b, "100,000 components", shortest / 1e9, 5, "s");
        bench_report_two(b, &results, names, LARGE, "component", (bench_limits){NAN, 1.5});
    }
    bench_pairs_finish(&results);
    hk_arena_destroy(arena);
    return status;
}

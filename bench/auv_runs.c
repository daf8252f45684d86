/* SPDX-License-Identifier: MIT
 *
 * The underwater vehicle as its users run it: `hocket run`, from the start of the program to its
 * end, without logs. */
#include "bench.h"

#include "base/command.h"
#include "base/file.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#define VEHICLE "auv.comp."

typedef struct voyage_run {
    bench *b;
    const char *simulation, *system, *log;
    const char *workers; /* NULL: one run */
} voyage_run;

static hk_status run_once(void *user) {
    const voyage_run *r = user;
    hk_command c = {0};
    const char *const words[] = {HK_BENCH_HOCKET,
                                 "run",
                                 r->simulation,
                                 "--system",
                                 r->system,
                                 "--fused",
                                 "-q",
                                 "-o",
                                 r->b->scratch,
                                 "--workers",
                                 r->workers ? r->workers : "1"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        hk_command_add(&c, words[i]);
    int code = hk_command_run(&c, NULL, NULL, r->log);
    hk_command_finish(&c);
    return code == 0 ? HK_OK
                     : hk_error(r->b->ctx, HK_E_INTERNAL, (hk_where){.file = r->log}, NULL,
                                "'hocket run' ended with %d", code);
}

static voyage_run make_run(bench *b, hk_arena *arena, const char *simulation) {
    return (voyage_run){.b = b,
                        .simulation = simulation,
                        .system = hk_path_join(arena, b->models, "auv/auv.system"),
                        .log = hk_path_join(arena, b->scratch, "log")};
}

/* The first run compiles, if need be; the shortest of the others counts. */
static hk_status report_shortest(bench *b, voyage_run *r, const char *metric, double limit) {
    double one, two;
    HK_TRY(run_once(r));
    HK_TRY(bench_shortest((bench_work){run_once, r}, (bench_work){run_once, r}, b->quick ? 1 : 5,
                          &one, &two));
    bench_report(b, metric, fmin(one, two), limit, "s");
    return HK_OK;
}

/* The paper's engine takes 47 s for it. */
hk_status bench_auv_line(bench *b) {
    hk_arena *arena = hk_arena_create();
    voyage_run r = make_run(b, arena, HK_BENCH_SOURCE "/auv_bench.simulation");
    hk_status status = report_shortest(b, &r, "20 km, 4 million ticks", 47.0 / 90);
    hk_arena_destroy(arena);
    return status;
}

/* ---- simulations that are written here ---- */

static hk_status close_file(bench *b, FILE *out, const char *path) {
    bool good = out && !ferror(out);
    good = out && fclose(out) == 0 && good;
    return good ? HK_OK
                : hk_error(b->ctx, HK_E_FILE_WRITE, (hk_where){.file = path}, NULL, "cannot write");
}

static void put_begin(FILE *out, long long stop_ms) {
    fprintf(out,
            "Simulation AuvRuns (ms)\nsystem auv;\nsimulationTime [0, %lld]:1;\nbegin {\n"
            "  bind \"" VEHICLE "Environment.MNT.myMntModel.pMntModel\" to \"" VEHICLE
            "Environment.MNT.myMntAdapter.rMntSource\";\n"
            "  \"" VEHICLE "Environment.MNT.myGeoTiff\".Stop();\n"
            "  bind \"" VEHICLE "Environment.Current.myCurrent.itfCurrentModel\" to \"" VEHICLE
            "Environment.Current.myCurrentAdapter.rCurrentSource\";\n"
            "  \"" VEHICLE "Environment.Current.myS111CurrentFile\".Stop();\n"
            "  \"" VEHICLE "Drone.myMissionAdapter.isSpline\" = false;\n"
            "  \"" VEHICLE "Drone.myMissionInterpreter\".Stop();\n",
            stop_ms);
}

/* ---- replay: all six sensors from logs ---- */

static const struct {
    const char *place, *reader, *error, *adapter, *required, *file, *names;
    int columns, rate; /* rows per second */
} logs[] = {
    {"DVL", "myReaderDVL", "myErrorDVL", "mySourceDVLAdapter", "rItfEDVL", "dvl.csv",
     "time,vx,vy,vz", 3, 10},
    {"Gyroscope", "myReaderGyro", "myErrorGyro", "mySourceGyroAdapter", "rSource", "gyro.csv",
     "time,p,q,r", 3, 100},
    {"Accelerometer", "myReaderAccelerometer", "myErrorAccelerometer",
     "mySourceAccelerometerAdapter", "rSource", "accelerometer.csv", "time,ax,ay,az", 3, 100},
    {"GPS", "myReaderGps", "myErrorGps", "mySourceGpsAdapter", "rSource", "gps.csv",
     "time,north,east,down", 3, 1},
    {"Barometer", "myReaderDepth", "myErrorDepth", "mySourceDepthAdapter", "rSource", "depth.csv",
     "time,depth", 1, 10},
    {"Compass", "myReaderCompass", "myErrorCompass", "mySourceCompassAdapter", "rSource",
     "compass.csv", "time,heading", 1, 10},
};
enum { LOGS = sizeof logs / sizeof *logs, REPLAY_S = 1800 };

static hk_status write_log(bench *b, size_t index, const char *path) {
    FILE *out = fopen(path, "w");
    if (out)
        fprintf(out, "%s\n", logs[index].names);
    for (int i = 0; out && i <= REPLAY_S * logs[index].rate; i++) {
        fprintf(out, "%.2f", (double)i / logs[index].rate);
        for (int k = 0; k < logs[index].columns; k++)
            fprintf(out, ",%.6f", 0.001 * ((i * 7 + k * 3) % 11));
        fputc('\n', out);
    }
    return close_file(b, out, path);
}

static void put_reader(FILE *out, size_t i, const char *file) {
#define SENSOR VEHICLE "Sensors.%s."
    const char *place = logs[i].place;
    fprintf(out,
            "  \"" SENSOR "%s.fileName\" = \"%s\";\n  \"" SENSOR "%s\".Start();\n"
            "  bind \"" SENSOR "%s.pItfReader\" to \"" SENSOR "%s.%s\";\n"
            "  \"" SENSOR "%s\".Stop();\n",
            place, logs[i].reader, file, place, logs[i].reader, place, logs[i].reader, place,
            logs[i].adapter, logs[i].required, place, logs[i].error);
#undef SENSOR
}

static hk_status write_replay(bench *b, hk_arena *arena, const char *path) {
    FILE *out = fopen(path, "w");
    if (out)
        put_begin(out, 1000LL * REPLAY_S);
    hk_status status = HK_OK;
    for (size_t i = 0; out && i < LOGS && status == HK_OK; i++) {
        const char *file = hk_path_join(arena, b->scratch, logs[i].file);
        put_reader(out, i, file);
        status = write_log(b, i, file);
    }
    if (out)
        fputs("}\nscenarios {\n  Scenario replay [1]\n}\n", out);
    hk_status closed = close_file(b, out, path);
    return status == HK_OK ? closed : status;
}

hk_status bench_auv_replay(bench *b) {
    hk_arena *arena = hk_arena_create();
    voyage_run r = make_run(b, arena, hk_path_join(arena, b->scratch, "replay.simulation"));
    hk_status status = write_replay(b, arena, r.simulation);
    if (status == HK_OK)
        status = report_shortest(b, &r, "30 min of six logs", 1);
    hk_arena_destroy(arena);
    return status;
}

/* ---- ten repetitions on one processor and on two ---- */

static hk_status write_repetitions(bench *b, const char *path) {
    FILE *out = fopen(path, "w");
    if (out) {
        put_begin(out, b->quick ? 200000 : 1800000);
        fputs("  bind \"" VEHICLE "Sensors.DVL.myErrorDVL.pitfEDVL\" to \"" VEHICLE
              "Sensors.DVL.mySourceDVLAdapter.rItfEDVL\";\n"
              "  \"" VEHICLE "Sensors.DVL.myReaderDVL\".Stop();\n"
              "  \"" VEHICLE "Sensors.DVL.myErrorDVL.sigma\" = 0.01;\n"
              "}\nscenarios {\n  Scenario noise [10]\n}\n",
              out);
    }
    return close_file(b, out, path);
}

hk_status bench_auv_repetitions(bench *b) {
    static const char *const names[2] = {"one worker", "two workers"};
    if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
        fprintf(stderr, "bench: auv_repetitions is left out: there is one processor\n");
        return HK_OK;
    }
    hk_arena *arena = hk_arena_create();
    voyage_run one = make_run(b, arena, hk_path_join(arena, b->scratch, "ten.simulation"));
    voyage_run two = one;
    bench_pairs results = {0};
    two.workers = "2";
    hk_status status = write_repetitions(b, one.simulation);
    bool free = status == HK_OK && (!b->quick || bench_two_are_free());
    if (status == HK_OK)
        status = bench_paired((bench_work){run_once, &one}, (bench_work){run_once, &two},
                              b->quick ? 1 : 7, &results);
    free = free && (!b->quick || bench_two_are_free());
    if (status == HK_OK && free)
        bench_report_two(b, &results, names, 10, "run", (bench_limits){NAN, 1 / 1.8});
    else if (status == HK_OK)
        fprintf(stderr, "bench: auv_repetitions is not judged: no second processor is free\n");
    bench_pairs_finish(&results);
    hk_arena_destroy(arena);
    return status;
}

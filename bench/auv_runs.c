/* SPDX-License-Identifier: MIT
 *
 * The underwater vehicle as its users run it: `hocket run`, from the start of the program to its
 * end; but for the replay nothing is logged. */
#include "bench.h"

#include "base/command.h"
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define VEHICLE "auv.comp."

typedef struct voyage_run {
    bench *b;
    const char *simulation, *system, *log;
    const char *output;  /* NULL: scratch */
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
                                 r->output ? r->output : r->b->scratch,
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

/* ---- replay: the ready simulation, with the filter, from the logs of all six sensors ---- */

/* The folder of the vehicle again, since logs are looked for beside the system. */
static hk_status copy_vehicle(bench *b, hk_arena *arena, const char *folder) {
    const char *from = hk_path_join(arena, b->models, "auv");
    DIR *files = mkdir(folder, 0755) == 0 || errno == EEXIST ? opendir(from) : NULL;
    bool good = files != NULL;
    for (const struct dirent *e; files && (e = readdir(files));) {
        const char *to = hk_path_join(arena, folder, e->d_name);
        if (e->d_name[0] != '.')
            good =
                (symlink(hk_path_join(arena, from, e->d_name), to) == 0 || errno == EEXIST) && good;
    }
    if (files)
        closedir(files);
    return good ? HK_OK
                : hk_error(b->ctx, HK_E_FILE_WRITE, (hk_where){.file = folder}, NULL,
                           "cannot make the folder");
}

static hk_status record_mission(bench *b, hk_arena *arena, const char *folder) {
    voyage_run r = {.b = b,
                    .simulation = hk_path_join(arena, folder, "record_mission.simulation"),
                    .system = hk_path_join(arena, folder, "auv.system"),
                    .output = hk_path_join(arena, folder, "logs"),
                    .log = hk_path_join(arena, b->scratch, "log")};
    return run_once(&r);
}

hk_status bench_auv_replay(bench *b) {
    hk_arena *arena = hk_arena_create();
    const char *folder = hk_path_absolute(arena, hk_path_join(arena, b->scratch, "survey"));
    voyage_run r = make_run(b, arena, hk_path_join(arena, folder, "replay.simulation"));
    r.system = hk_path_join(arena, folder, "auv.system");
    hk_status status = copy_vehicle(b, arena, folder);
    if (status == HK_OK)
        status = record_mission(b, arena, folder);
    if (status == HK_OK)
        status = report_shortest(b, &r, "30 min of six logs, with the filter", 1);
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

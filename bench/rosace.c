/* SPDX-License-Identifier: MIT
 *
 * R-ROSACE, fifteen components at three rates: fused code against C that was fused by hand. */
#include "fused.h"
#include "rosace_hand.h"
#include "run.h"

#include "base/file.h"
#include "engine/deeds.h"
#include "model/address.h"

#include <math.h>
#include <string.h>

enum { CHUNK_FRAMES = 500, TICKS_PER_FRAME = 4, ROUNDS = 15 };

static hk_status flight_chunk(void *user) {
    return flight_steps(user, CHUNK_FRAMES * TICKS_PER_FRAME) ? HK_E_UNIT_FAILED : HK_OK;
}

/* Both begin alike: as the engine has initialised it. */
static void copy_flight(const bench_run *run, flight *to) {
    hk_arena *arena = hk_arena_create();
    const hk_system_deeds *deeds = hk_sim_deeds(run->sim, arena);
    for (size_t c = 0; c < deeds->cell_count; c++)
        for (size_t i = 0; i < deeds->cells[c].count; i++) {
            const hk_deed *d = &deeds->cells[c].all[i];
            size_t size;
            void *part = d->kind == HK_SAID_STEP
                             ? flight_part(to, run->model->components[d->component].name, &size)
                             : NULL;
            if (part)
                memcpy(part, d->from.address, size);
        }
    hk_arena_destroy(arena);
}

static hk_status compare_flight(bench *b, const bench_run *run, const flight *x) {
    hk_address at;
    double value, expected = flight_altitude(x);
    bool same = hk_model_find(run->model, "flight_dynamics.h", &at) &&
                hk_sim_read_f64(run->sim, at.component, at.variable, &value) &&
                memcmp(&value, &expected, sizeof value) == 0;
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
    flight *hand = hk_alloc(flight_size());
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

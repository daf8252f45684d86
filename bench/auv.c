/* SPDX-License-Identifier: MIT
 *
 * The underwater vehicle on its line of 20 km with six sensors at 1 kHz: interpreted against a loop
 * over pointers, and fused against C that was fused by hand. */
#include "auv_hand.h"
#include "bench.h"

#include "assembly/assembly.h"
#include "base/file.h"
#include "engine/deeds.h"
#include "engine/fused.h"
#include "fuse/fuse.h"
#include "native/native.h"

#include <math.h>
#include <string.h>

enum { CHUNK_TICKS = 1000, ROUNDS = 15 };

typedef struct auv {
    hk_request request;
    hk_assembly made;
    hk_sim *sim;
    hk_tick chunk;
} auv;

static hk_status open_auv(bench *b, hk_arena *arena, auv *x) {
    HK_TRY(hk_request_begin(b->ctx, HK_BENCH_SOURCE "/auv_bench.simulation", &x->request));
    x->request.system = hk_path_join(arena, b->models, "auv/auv.system");
    HK_TRY(hk_assembly_open(b->ctx, &x->request, &x->made));
    HK_TRY(hk_assembly_complete(b->ctx, &x->made));
    return hk_assembly_plan(b->ctx, &x->made, true);
}

/* As a run of the simulation begins: values and bindings, then who is stopped. */
static hk_status start_auv(bench *b, auv *x, bool fused) {
    const hk_actions *begin = &x->made.simulation->begin;
    hk_sim_options options = {
        .preset = begin, .preset_count = 1, .profile_every = b->steps ? 4093 : 0};
    HK_TRY(hk_sim_create(b->ctx, x->made.plan, &options, &x->sim));
    for (size_t i = 0; i < begin->count; i++)
        for (size_t k = 0;
             begin->all[i].kind == HK_ACTION_STOP && k < begin->all[i].component_count; k++) {
            bool changed;
            HK_TRY(hk_sim_stop_component(x->sim, begin->all[i].components[k], &changed));
        }
    if (!fused)
        return HK_OK;
    hk_fuse_options how = {.needed = true};
    HK_TRY(hk_fuse_run(b->ctx, x->sim, &how));
    hk_fused_count n = hk_sim_fused(x->sim);
    return n.fused == n.cells ? HK_OK
                              : hk_error(b->ctx, HK_E_FUSED, HK_NOWHERE, NULL,
                                         "%zu of %zu cells are fused", n.fused, n.cells);
}

static hk_status auv_chunk(void *user) {
    auv *x = user;
    return hk_sim_run_until(x->sim, hk_sim_now(x->sim) + x->chunk);
}

/* ---- by hand ---- */

static hk_status calls_chunk(void *user) {
    return voyage_calls(user, CHUNK_TICKS) ? HK_E_UNIT_FAILED : HK_OK;
}

static hk_status hand_chunk(void *user) {
    return voyage_steps(user, CHUNK_TICKS) ? HK_E_UNIT_FAILED : HK_OK;
}

/* Where the engine has a component; NULL: it is not active. */
static const void *find_part(const auv *x, const hk_system_deeds *deeds, const char *name,
                             voyage_step **ret_step) {
    for (size_t c = 0; c < deeds->cell_count; c++)
        for (size_t i = 0; i < deeds->cells[c].count; i++) {
            const hk_deed *d = &deeds->cells[c].all[i];
            const hk_component *component = &x->made.model->components[d->component];
            if (d->kind != HK_SAID_STEP || strcmp(component->name, name) != 0)
                continue;
            *ret_step = hk_native_type_of(component->info)->step;
            return d->from.address;
        }
    return NULL;
}

/* Both begin alike: as the engine has initialised it. */
static hk_status copy_voyage(bench *b, const auv *x, voyage *to) {
    hk_arena *arena = hk_arena_create();
    const hk_system_deeds *deeds = hk_sim_deeds(x->sim, arena);
    hk_status status = HK_OK;
    for (size_t i = 0; i < voyage_parts() && status == HK_OK; i++) {
        voyage_part part = voyage_part_at(to, i);
        const void *from = find_part(x, deeds, part.name, part.call);
        if (from)
            memcpy(part.at, from, part.size);
        else
            status =
                hk_error(b->ctx, HK_E_INTERNAL, HK_NOWHERE, NULL, "'%s' is not active", part.name);
    }
    voyage_bind(to);
    hk_arena_destroy(arena);
    return status;
}

/* All that was measured, estimated and analysed comes together in the last part: what it has summed
 * up of a million ticks. */
static hk_status compare_voyage(bench *b, const auv *x, voyage *hand) {
    hk_arena *arena = hk_arena_create();
    voyage_part last = voyage_part_at(hand, voyage_parts() - 1);
    voyage_step *step;
    const void *from = find_part(x, hk_sim_deeds(x->sim, arena), last.name, &step);
    bool same = from && memcmp(from, last.at, last.size) == 0;
    hk_arena_destroy(arena);
    return same ? HK_OK
                : hk_error(b->ctx, HK_E_INTERNAL, HK_NOWHERE, NULL,
                           "engine and loop do not come to the same result");
}

/* ---- the cases ---- */

typedef struct auv_case {
    hk_status (*bare)(void *user);
    bool fused;
    const char *names[2];
    double limit;
} auv_case;

static hk_status round_of(bench *b, const auv_case *which, auv *x, bench_pairs *results) {
    voyage *hand = hk_alloc(voyage_size());
    hk_status status = start_auv(b, x, which->fused);
    if (status == HK_OK)
        status = copy_voyage(b, x, hand);
    if (status == HK_OK) {
        x->chunk = CHUNK_TICKS * x->made.plan->ticks_per_second / 1000;
        status = bench_paired((bench_work){which->bare, hand}, (bench_work){auv_chunk, x},
                              b->quick ? 2 : 100, results);
    }
    if (status == HK_OK)
        status = compare_voyage(b, x, hand);
    hk_sim_destroy(x->sim);
    x->sim = NULL;
    hk_free(hand);
    return status;
}

/* As with --steps: so many ticks in one call, with samples of the profiler as rare as they are in a
 * long run. */
static hk_status count(bench *b, const auv_case *which, auv *x) {
    HK_TRY(start_auv(b, x, which->fused));
    return hk_sim_run_until(x->sim, b->steps * x->made.plan->ticks_per_second / 1000);
}

static hk_status compare(bench *b, const auv_case *which) {
    auv x = {0};
    bench_pairs results = {0};
    void *shift[ROUNDS] = {NULL};
    hk_arena *arena = hk_arena_create();
    hk_status status = open_auv(b, arena, &x);
    if (status == HK_OK && b->steps)
        status = count(b, which, &x);
    for (size_t i = 0; i < ROUNDS && status == HK_OK && !b->steps; i++) {
        shift[i] = hk_alloc(80 * i + 16);
        status = round_of(b, which, &x, &results);
    }
    if (status == HK_OK && !b->steps)
        bench_report_two(b, &results, which->names, CHUNK_TICKS, "tick",
                         (bench_limits){NAN, which->limit});
    for (size_t i = 0; i < ROUNDS; i++)
        hk_free(shift[i]);
    hk_sim_destroy(x.sim);
    hk_assembly_close(&x.made);
    bench_pairs_finish(&results);
    hk_arena_destroy(arena);
    return status;
}

hk_status bench_auv(bench *b) {
    return compare(b, &(auv_case){calls_chunk, false, {"bare loop", "engine"}, 1.5});
}

hk_status bench_auv_fused(bench *b) {
    return compare(b, &(auv_case){hand_chunk, true, {"by hand", "fused"}, 1.25});
}
